/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-sql-parser.h"

#include <string.h>

#include "plumb-sql-words.h"

/* Expressions. Only OR, AND, NOT, comparisons and the rest are told apart, since nothing but the
 * equalities between AND matters later; a chain of one kind becomes one node, so that a sum of ten
 * thousand terms isn't ten thousand levels deep. */

static SqlExpr *parse_primary (SqlParser *self);
static SqlExpr *parse_name (SqlParser *self);

/* Adds @right to @left where @left is a chain of the same kind, or makes one of the two. */
static SqlExpr *
chain (SqlParser *self, SqlExprKind kind, const char *name, SqlExpr *left, SqlExpr *right,
       SqlExpr **own)
{
  if (*own == NULL) {
    *own = sql_expr_new (self->arena, kind);
    (*own)->name = name;
    sql_list_add (self->arena, &(*own)->args, left);
  }
  sql_list_add (self->arena, &(*own)->args, right);
  return *own;
}

/** sql_parse_subquery: Returns: (transfer none): the query here, with the parenthesis that closes
 * it behind; the one that opens it was read before */
SqlExpr *
sql_parse_subquery (SqlParser *self)
{
  SqlExpr *expr = sql_expr_new (self->arena, SQL_EXPR_SUBQUERY);
  SqlQuery *outer = self->query;

  expr->query = sql_parse_query (self);
  self->query = outer;
  sql_parser_expect (self, ")");
  return expr;
}

/** sql_parse_unit: goes past a unit of time as in INTERVAL: `DAY (3) TO SECOND (2)` */
void
sql_parse_unit (SqlParser *self)
{
  do {
    if (!sql_word_is_unit (sql_parser_peek (self, 0)->upper))
      return;
    sql_parser_next (self);
    if (sql_parser_sees (self, "(") && sql_parser_peek (self, 1)->kind == SQL_TOKEN_NUMBER) {
      SqlList ignored = { 0 };

      sql_parser_next (self);
      sql_parse_expr_list (self, &ignored);
      sql_parser_expect (self, ")");
    }
  } while (sql_parser_accept (self, "TO"));
}

static SqlExpr *
parse_interval (SqlParser *self)
{
  SqlExpr *expr;

  sql_parser_next (self);
  /* INTERVAL (5, 1, 10) is a function of MariaDB, INTERVAL n + 1 DAY is none. */
  expr = sql_parse_operand (self);
  sql_parse_unit (self);
  return expr;
}

static SqlExpr *
parse_case (SqlParser *self)
{
  SqlExpr *expr = sql_expr_new_function (self->arena, "CASE");

  sql_parser_next (self);
  if (!sql_parser_sees (self, "WHEN"))
    sql_list_add (self->arena, &expr->args, sql_parse_expr (self));
  while (sql_parser_accept (self, "WHEN")) {
    sql_list_add (self->arena, &expr->args, sql_parse_expr (self));
    sql_parser_expect (self, "THEN");
    sql_list_add (self->arena, &expr->args, sql_parse_expr (self));
  }
  if (sql_parser_accept (self, "ELSE"))
    sql_list_add (self->arena, &expr->args, sql_parse_expr (self));
  sql_parser_expect (self, "END");
  return expr;
}

/* What may follow an expression between parentheses: a set operation that goes on with a
 * subquery. */
static SqlExpr *
continue_subquery (SqlParser *self, SqlExpr *expr)
{
  static const char *const words[] = { "UNION", "EXCEPT", "INTERSECT", "MINUS", "ORDER", "LIMIT",
                                       "OFFSET", "FETCH", NULL };

  if (expr->kind == SQL_EXPR_SUBQUERY && sql_parser_sees_any (self, words))
    expr->query = sql_parse_query_rest (self, expr->query);
  return expr;
}

static SqlExpr *
parse_parenthesis (SqlParser *self)
{
  SqlExpr *list;

  sql_parser_next (self);
  if (sql_parser_sees_query (self, 0))
    return sql_parse_subquery (self);
  list = sql_expr_new (self->arena, SQL_EXPR_LIST);
  if (!sql_parser_sees (self, ")")) {
    SqlExpr *first = continue_subquery (self, sql_parse_expr (self));

    sql_list_add (self->arena, &list->args, first);
    while (sql_parser_accept (self, ",") && !sql_parser_sees (self, ")"))
      sql_list_add (self->arena, &list->args, sql_parse_expr (self));
  }
  sql_parser_expect (self, ")");
  return list->args.n == 1 ? list->args.items[0] : list;
}

static SqlExpr *
parse_bracket (SqlParser *self)
{
  SqlExpr *list = sql_expr_new (self->arena, SQL_EXPR_LIST);

  sql_parser_next (self);
  if (!sql_parser_sees (self, "]"))
    sql_parse_expr_list (self, &list->args);
  sql_parser_expect (self, "]");
  return list;
}

/* {d '2024-01-01'} of ODBC; ClickHouse has maps in braces, and parameters, which have no value. */
static SqlExpr *
parse_brace (SqlParser *self)
{
  static const char *const literals[] = { "D", "T", "TS", NULL };
  SqlExpr *expr = sql_expr_new (self->arena, SQL_EXPR_LIST);

  sql_parser_next (self);
  if (sql_parser_is (self, PLUMB_DIALECT_CLICKHOUSE)) {
    while (!sql_parser_sees (self, "}") && !sql_parser_failed (self)) {
      if (sql_parser_peek (self, 0)->kind == SQL_TOKEN_WORD && sql_parser_sees_at (self, 1, ":"))
        sql_parser_fail (self, "A parameter in braces has no value here. Write the value.");
      sql_list_add (self->arena, &expr->args, sql_parse_expr (self));
      sql_parser_expect (self, ":");
      sql_list_add (self->arena, &expr->args, sql_parse_expr (self));
      if (!sql_parser_accept (self, ","))
        break;
    }
  } else if (sql_parser_accept_any (self, literals)) {
    if (sql_parser_peek (self, 0)->kind != SQL_TOKEN_STRING)
      sql_parser_fail_here (self, "a string");
    sql_parser_next (self);
  } else if (sql_parser_accept (self, "FN")) {
    sql_list_add (self->arena, &expr->args, sql_parse_expr (self));
  } else {
    sql_parser_fail (self, "An escape in braces calls the driver. Write it as plain SQL.");
  }
  sql_parser_expect (self, "}");
  return expr;
}

static SqlExpr *
parse_string (SqlParser *self)
{
  SqlExpr *expr = sql_expr_new_literal (self->arena, "string");

  expr->text = sql_parser_peek (self, 0)->text;
  sql_parser_next (self);
  /* Strings side by side are one, where the engine says so; elsewhere the second is an alias. */
  while (sql_parser_peek (self, 0)->kind == SQL_TOKEN_STRING &&
         !sql_parser_is (self, PLUMB_DIALECT_SQLITE)) {
    expr->text = NULL;
    sql_parser_next (self);
  }
  return expr;
}

static SqlExpr *
parse_variable (SqlParser *self)
{
  const char *text = sql_parser_peek (self, 0)->text;

  if (sql_parser_is (self, PLUMB_DIALECT_MARIADB) && text[0] == '@') {
    sql_parser_next (self);
    while (g_str_has_prefix (text, "@@") && sql_parser_accept (self, "."))
      sql_parser_read_name (self);
    if (sql_parser_sees (self, ":="))
      sql_parser_fail (self,
                       "Assigning a variable changes the session. Use a window function such as "
                       "ROW_NUMBER() or a subquery instead.");
  } else if (g_str_has_prefix (text, "@@") && text[2] != '\0') {
    sql_parser_next (self);
  } else {
    sql_parser_fail (self, "The placeholder “%.40s” has no value here. Write the value.", text);
  }
  return sql_expr_new_literal (self->arena, "other");
}

/* DATE '2024-01-01', TIMESTAMP '…', _utf8'…', N'…'. */
static gboolean
is_typed_literal (SqlParser *self)
{
  const SqlToken *token = sql_parser_peek (self, 0);
  static const char *const types[] = { "DATE", "TIME", "TIMESTAMP", "DATETIME",    "X",
                                       "B",    "N",    "BINARY",    "TIMESTAMPTZ", NULL };

  if (token->kind != SQL_TOKEN_WORD || sql_parser_peek (self, 1)->kind != SQL_TOKEN_STRING)
    return FALSE;
  return g_strv_contains (types, token->upper) ||
         (token->upper[0] == '_' && sql_parser_is (self, PLUMB_DIALECT_MARIADB));
}

static SqlExpr *
parse_exists (SqlParser *self)
{
  sql_parser_next (self);
  sql_parser_expect (self, "(");
  return sql_parse_subquery (self);
}

/* MATCH (title, body) AGAINST ('…' IN BOOLEAN MODE) of MariaDB. */
static SqlExpr *
parse_match (SqlParser *self)
{
  static const char *const words[] = { "IN",   "BOOLEAN", "NATURAL",   "LANGUAGE", "MODE",
                                       "WITH", "QUERY",   "EXPANSION", NULL };
  SqlExpr *expr = sql_expr_new_function (self->arena, "MATCH");

  sql_parser_next (self);
  if (sql_parser_accept (self, "(")) {
    sql_parse_expr_list (self, &expr->args);
    sql_parser_expect (self, ")");
  } else {
    sql_parse_expr_list (self, &expr->args);
  }
  sql_parser_expect (self, "AGAINST");
  sql_parser_expect (self, "(");
  sql_list_add (self->arena, &expr->args, sql_parse_operand (self));
  while (sql_parser_accept_any (self, words))
    ;
  sql_parser_expect (self, ")");
  return expr;
}

/* Words that begin an expression of their own; NULL where the word is a name. */
static SqlExpr *
parse_keyword (SqlParser *self)
{
  static const char *const prefixes[] = { "BINARY", "PRIOR", "CONNECT_BY_ROOT", NULL };

  if (sql_parser_sees (self, "CASE"))
    return parse_case (self);
  if (sql_parser_sees (self, "EXISTS") && sql_parser_sees_at (self, 1, "("))
    return parse_exists (self);
  if (sql_parser_sees (self, "INTERVAL") && sql_parser_peek (self, 1)->kind != SQL_TOKEN_END &&
      !sql_parser_sees_at (self, 1, ",") && !sql_parser_sees_at (self, 1, ")") &&
      !sql_parser_sees_at (self, 1, "FROM") && !sql_parser_sees_at (self, 1, "."))
    return parse_interval (self);
  if (sql_parser_sees (self, "MATCH") && sql_parser_is (self, PLUMB_DIALECT_MARIADB))
    return parse_match (self);
  if (sql_parser_sees (self, "NULL")) {
    sql_parser_next (self);
    return sql_expr_new_literal (self->arena, "null");
  }
  if (is_typed_literal (self)) {
    sql_parser_next (self);
    return parse_string (self);
  }
  if (sql_parser_sees_any (self, prefixes) && !sql_parser_sees_at (self, 1, ".") &&
      !sql_parser_sees_at (self, 1, ",") && !sql_parser_is (self, PLUMB_DIALECT_SQLITE) &&
      !sql_parser_is (self, PLUMB_DIALECT_CLICKHOUSE)) {
    sql_parser_next (self);
    return parse_primary (self);
  }
  return NULL;
}

/* Words that can begin no expression in any engine: a clause is missing its beginning. */
static gboolean
is_clause_word (SqlParser *self)
{
  static const char *const words[] = { "SELECT", "FROM",  "WHERE",  "INTO",   "UNION",
                                       "GROUP",  "ORDER", "HAVING", "JOIN",   "AND",
                                       "OR",     "THEN",  "WHEN",   "ELSE",   "AS",
                                       "ON",     "USING", "BY",     "CURSOR", NULL };

  /* SQL Server: what stands behind it would be run. */
  static const char *const sqlserver[] = { "EXEC", "EXECUTE", NULL };

  return sql_parser_sees_any (self, words) || (sql_parser_is (self, PLUMB_DIALECT_SQLSERVER) &&
                                               sql_parser_sees_any (self, sqlserver));
}

static SqlExpr *
parse_star (SqlParser *self, SqlName *names, guint n_names)
{
  SqlExpr *star = sql_expr_new (self->arena, SQL_EXPR_STAR);

  sql_parser_expect (self, "*");
  star->names = names;
  star->n_names = n_names;
  return star;
}

static SqlExpr *
parse_name (SqlParser *self)
{
  const SqlToken *first = sql_parser_peek (self, 0);
  SqlExpr *expr;
  guint n_names = 0;
  SqlName *names;

  if (first->kind == SQL_TOKEN_WORD && is_clause_word (self)) {
    sql_parser_fail_here (self, "an expression");
    return sql_expr_new_literal (self->arena, "null");
  }
  names = sql_parser_read_names (self, &n_names);
  if (sql_parser_sees (self, "*") && self->at > 0 &&
      strcmp (self->tokens[self->at - 1].upper, ".") == 0)
    return parse_star (self, names, n_names);
  if (sql_parser_sees (self, "(") &&
      !(sql_parser_sees_at (self, 1, "+") && sql_parser_sees_at (self, 2, ")")))
    return sql_parse_call (self, names, n_names, sql_parser_peek (self, 0)->spaced);
  expr = sql_expr_new (self->arena, SQL_EXPR_COLUMN);
  expr->names = names;
  expr->n_names = n_names;
  return expr;
}

static SqlExpr *
parse_primary_inner (SqlParser *self)
{
  const SqlToken *token = sql_parser_peek (self, 0);
  SqlExpr *expr = NULL;

  switch (token->kind) {
  case SQL_TOKEN_NUMBER:
    sql_parser_next (self);
    return sql_expr_new_literal (self->arena, "number");
  case SQL_TOKEN_STRING:
    if (sql_parser_is (self, PLUMB_DIALECT_SQLITE) && sql_parser_sees_at (self, 1, "."))
      return parse_name (self);
    return parse_string (self);
  case SQL_TOKEN_VARIABLE:
    return parse_variable (self);
  case SQL_TOKEN_WORD:
    expr = parse_keyword (self);
    return expr != NULL ? expr : parse_name (self);
  case SQL_TOKEN_QUOTED:
    return parse_name (self);
  case SQL_TOKEN_SYMBOL:
    if (sql_parser_sees (self, "("))
      return parse_parenthesis (self);
    if (sql_parser_sees (self, "[") && sql_parser_is (self, PLUMB_DIALECT_CLICKHOUSE))
      return parse_bracket (self);
    if (sql_parser_sees (self, "{"))
      return parse_brace (self);
    if (sql_parser_sees (self, "*"))
      return parse_star (self, NULL, 0);
    if (sql_parser_sees (self, "?"))
      sql_parser_fail (self, "The placeholder “?” has no value here. Write the value.");
    break;
  case SQL_TOKEN_END:
  default:
    break;
  }
  sql_parser_fail_here (self, "an expression");
  return sql_expr_new_literal (self->arena, "null");
}

static SqlExpr *
parse_primary (SqlParser *self)
{
  static const char *const signs[] = { "-", "+", "~", "!", NULL };
  SqlExpr *expr;

  if (!sql_parser_enter (self)) {
    sql_parser_leave (self);
    return sql_expr_new_literal (self->arena, "null");
  }
  while (sql_parser_accept_any (self, signs))
    ;
  expr = parse_primary_inner (self);
  sql_parser_leave (self);
  return expr;
}

/* Methods of XML values that read only the value: Oracle's and SQL Server's. */
static void
parse_method (SqlParser *self, SqlExpr *field)
{
  static const char *const oracle[] = {
    "EXTRACT", "GETSTRINGVAL", "GETCLOBVAL", "GETNUMBERVAL", "EXISTSNODE", "GETROOTELEMENT", NULL
  };
  static const char *const sqlserver[] = { "value", "query", "exist", "nodes", NULL };
  gboolean known = (sql_parser_is (self, PLUMB_DIALECT_ORACLE) &&
                    g_strv_contains (oracle, field->name)) ||
                   (sql_parser_is (self, PLUMB_DIALECT_SQLSERVER) &&
                    g_strv_contains (sqlserver, field->name) &&
                    sql_parser_peek (self, 1)->kind == SQL_TOKEN_STRING);

  if (!known) {
    sql_parser_fail (self, "The method “%.60s” isn't known to be harmless.", field->name);
    return;
  }
  sql_parser_next (self);
  if (!sql_parser_sees (self, ")"))
    sql_parse_expr_list (self, &field->args);
  sql_parser_expect (self, ")");
}

/* `(x).field`, `pair.1`, `function(…).field`: what stands behind a dot after an expression. */
static SqlExpr *
parse_field (SqlParser *self, SqlExpr *left)
{
  SqlExpr *field = sql_expr_new (self->arena, SQL_EXPR_FIELD);

  sql_list_add (self->arena, &field->args, left);
  sql_parser_next (self);
  if (sql_parser_peek (self, 0)->kind == SQL_TOKEN_NUMBER &&
      sql_parser_is (self, PLUMB_DIALECT_CLICKHOUSE)) {
    sql_parser_next (self);
    return field;
  }
  if (sql_parser_accept (self, "*"))
    return field;
  field->name = sql_parser_read_name (self);
  if (sql_parser_sees (self, "("))
    parse_method (self, field);
  return field;
}

/* geography::Parse ('…'): a method of one of SQL Server's own types. Others are a user's code. */
static SqlExpr *
parse_static_method (SqlParser *self, SqlExpr *type)
{
  static const char *const types[] = { "geography", "geometry", "hierarchyid", NULL };
  SqlExpr *arguments = sql_expr_new (self->arena, SQL_EXPR_LIST);
  g_autofree char *name = type->kind == SQL_EXPR_COLUMN && type->n_names == 1
                              ? g_ascii_strdown (type->names[0].text, -1)
                              : g_strdup ("");

  sql_parser_next (self);
  if (!g_strv_contains (types, name))
    sql_parser_fail (self, "A method of a type that isn't the engine's own isn't known to be "
                           "harmless.");
  sql_parser_read_name (self);
  sql_parser_expect (self, "(");
  if (!sql_parser_sees (self, ")"))
    sql_parse_expr_list (self, &arguments->args);
  sql_parser_expect (self, ")");
  return arguments;
}

/* Oracle: `(a - b) DAY (9) TO SECOND (6)`, `(a - b) YEAR TO MONTH`. */
static gboolean
skip_interval_type (SqlParser *self)
{
  static const char *const starts[] = { "DAY", "YEAR", NULL };
  static const char *const ends[] = { "SECOND", "MONTH", NULL };
  gboolean has_digits = sql_parser_sees_at (self, 1, "(") && sql_parser_sees_at (self, 3, ")");

  if (!sql_parser_is (self, PLUMB_DIALECT_ORACLE) || !sql_parser_sees_any (self, starts) ||
      !sql_parser_sees_at (self, has_digits ? 4 : 1, "TO"))
    return FALSE;
  for (guint i = 0; i < (has_digits ? 5 : 2); i++)
    sql_parser_next (self);
  if (!sql_parser_accept_any (self, ends))
    sql_parser_fail_here (self, "SECOND or MONTH");
  if (sql_parser_sees (self, "(") && sql_parser_peek (self, 1)->kind == SQL_TOKEN_NUMBER) {
    sql_parser_next (self);
    sql_parser_next (self);
    sql_parser_expect (self, ")");
  }
  return TRUE;
}

/* What binds tighter than any operator. */
static SqlExpr *
parse_postfix (SqlParser *self)
{
  SqlExpr *expr = parse_primary (self);
  guint n = 0;

  for (; !sql_parser_failed (self); n++) {
    sql_parser_enter (self);
    if (sql_parser_sees (self, "::") && sql_parser_is (self, PLUMB_DIALECT_SQLSERVER)) {
      expr = parse_static_method (self, expr);
    } else if (sql_parser_sees (self, "::")) {
      SqlExpr *cast = sql_expr_new (self->arena, SQL_EXPR_CAST);

      sql_parser_next (self);
      sql_list_add (self->arena, &cast->args, expr);
      sql_parse_type (self, cast);
      expr = cast;
    } else if (sql_parser_sees (self, "[") && sql_parser_is (self, PLUMB_DIALECT_CLICKHOUSE)) {
      expr = sql_expr_new_operator (self->arena, "[]", expr, parse_bracket (self));
    } else if (sql_parser_sees (self, ".") && expr->kind != SQL_EXPR_LITERAL) {
      expr = parse_field (self, expr);
    } else if (sql_parser_sees (self, "(") && sql_parser_sees_at (self, 1, "+") &&
               sql_parser_sees_at (self, 2, ")")) {
      sql_parser_next (self);
      sql_parser_next (self);
      sql_parser_next (self);
      expr->outer = TRUE;
    } else if (sql_parser_accept (self, "COLLATE")) {
      sql_parser_read_name (self);
    } else if (expr->kind != SQL_EXPR_LITERAL && skip_interval_type (self)) {
      continue;
    } else if (sql_parser_sees (self, "AT") && (sql_parser_sees_at (self, 1, "TIME") ||
                                               sql_parser_sees_at (self, 1, "LOCAL"))) {
      sql_parser_next (self);
      if (!sql_parser_accept (self, "LOCAL")) {
        sql_parser_next (self);
        sql_parser_expect (self, "ZONE");
        expr = sql_expr_new_operator (self->arena, "AT TIME ZONE", expr, parse_primary (self));
      }
    } else {
      n++;
      break;
    }
  }
  self->depth -= n;
  return expr;
}

static SqlExpr *
parse_lambda (SqlParser *self, SqlExpr *parameters)
{
  SqlExpr *lambda = sql_expr_new (self->arena, SQL_EXPR_LAMBDA);
  SqlExpr **names = (SqlExpr **) parameters->args.items;
  guint n = parameters->args.n;

  if (parameters->kind == SQL_EXPR_COLUMN) {
    names = &parameters;
    n = 1;
  }
  lambda->names = sql_arena_alloc (self->arena, MAX (n, 1) * sizeof (SqlName));
  for (guint i = 0; i < n; i++) {
    if (names[i]->kind == SQL_EXPR_COLUMN)
      lambda->names[lambda->n_names++] = names[i]->names[0];
  }
  /* An alias behind it names the lambda. */
  sql_list_add (self->arena, &lambda->args, sql_parse_expr_unnamed (self));
  return lambda;
}

/* Goes on behind @left with the operators that bind tighter than comparisons. */
static SqlExpr *
continue_operand (SqlParser *self, SqlExpr *left)
{
  static const char *const operators[] = { "+",   "-",   "*",   "/",        "%",  "||",
                                           "&",   "|",   "^",   "<<",       ">>", "->",
                                           "->>", "DIV", "MOD", "MULTISET", ":=", NULL };
  SqlExpr *own = NULL;

  while (sql_parser_sees_any (self, operators)) {
    const char *name = sql_parser_peek (self, 0)->upper;

    sql_parser_next (self);
    if (strcmp (name, ":=") == 0) {
      sql_parser_fail (self, "Assigning a variable changes the session. Leave it out.");
    } else if (strcmp (name, "->") == 0 && sql_parser_is (self, PLUMB_DIALECT_CLICKHOUSE) &&
               own == NULL) {
      return parse_lambda (self, left);
    } else if (strcmp (name, "MULTISET") == 0) {
      static const char *const words[] = {
        "UNION", "INTERSECT", "EXCEPT", "ALL", "DISTINCT", NULL
      };

      while (sql_parser_accept_any (self, words))
        ;
    }
    left = chain (self, SQL_EXPR_OPERATOR, name, left, parse_postfix (self), &own);
  }
  return left;
}

/**
 * sql_parse_operand:
 *
 * Returns: (transfer none): an expression without comparisons, AND and OR
 */
SqlExpr *
sql_parse_operand (SqlParser *self)
{
  return continue_operand (self, parse_postfix (self));
}

/* The right side of IN: a list, a subquery, or the name of a table or set. */
static SqlExpr *
parse_in (SqlParser *self, SqlExpr *left)
{
  gboolean names = sql_parser_is (self, PLUMB_DIALECT_CLICKHOUSE) ||
                   sql_parser_is (self, PLUMB_DIALECT_SQLITE);
  SqlExpr *right;

  if (names && !sql_parser_sees (self, "(") && sql_parser_is (self, PLUMB_DIALECT_SQLITE))
    right = parse_name (self);
  else if (names || sql_parser_sees (self, "("))
    right = parse_postfix (self);
  else {
    sql_parser_fail_here (self, "(");
    right = sql_expr_new_literal (self->arena, "null");
  }
  /* SQLite reads `x IN (a)` as a list, ClickHouse as the table a, with or without parentheses. */
  if (right->kind == SQL_EXPR_COLUMN && names &&
      (sql_parser_is (self, PLUMB_DIALECT_CLICKHOUSE) ||
       strcmp (self->tokens[self->at - 1].upper, ")") != 0))
    right->kind = SQL_EXPR_TABLE;
  if (right->kind == SQL_EXPR_FUNCTION && sql_parser_is (self, PLUMB_DIALECT_SQLITE))
    right->name = "table function";
  return sql_expr_new_operator (self->arena, "IN", left, right);
}

static SqlExpr *
parse_is (SqlParser *self, SqlExpr *left)
{
  static const char *const words[] = { "NULL",     "TRUE",  "FALSE",    "UNKNOWN", "NAN",
                                       "INFINITE", "EMPTY", "DANGLING", NULL };
  static const char *const json[] = { "STRICT", "LAX", "WITH", "WITHOUT", "UNIQUE", "KEYS", "VALUE",
                                      "OBJECT", "ARRAY", "SCALAR", NULL };

  sql_parser_accept (self, "NOT");
  if (sql_parser_accept_any (self, words))
    return sql_expr_new_operator (self->arena, "IS", left, NULL);
  if (sql_parser_accept_two (self, "A", "SET"))
    return sql_expr_new_operator (self->arena, "IS", left, NULL);
  if (sql_parser_accept (self, "JSON")) {
    while (sql_parser_accept_any (self, json))
      ;
    return sql_expr_new_operator (self->arena, "IS", left, NULL);
  }
  sql_parser_accept_two (self, "DISTINCT", "FROM");
  return sql_expr_new_operator (self->arena, "IS", left, sql_parse_operand (self));
}

static SqlExpr *
parse_between (SqlParser *self, SqlExpr *left)
{
  SqlExpr *expr = sql_expr_new_operator (self->arena, "BETWEEN", left, NULL);

  sql_parser_accept (self, "SYMMETRIC");
  sql_list_add (self->arena, &expr->args, sql_parse_operand (self));
  sql_parser_expect (self, "AND");
  sql_list_add (self->arena, &expr->args, sql_parse_operand (self));
  return expr;
}

static SqlExpr *
parse_like (SqlParser *self, SqlExpr *left)
{
  SqlExpr *expr = sql_expr_new_operator (self->arena, "LIKE", left, sql_parse_operand (self));

  if (sql_parser_accept (self, "ESCAPE"))
    sql_list_add (self->arena, &expr->args, sql_parse_operand (self));
  return expr;
}

/* The right side of a comparison: an operand, or ANY, ALL, SOME before a subquery or a list. */
static SqlExpr *
parse_compared (SqlParser *self)
{
  static const char *const words[] = { "ANY", "ALL", "SOME", NULL };

  if (sql_parser_sees_any (self, words) && sql_parser_sees_at (self, 1, "("))
    sql_parser_next (self);
  return sql_parse_operand (self);
}

/* A predicate behind @left, or NULL where there is none. */
static SqlExpr *
parse_predicate (SqlParser *self, SqlExpr *left)
{
  static const char *const likes[] = { "LIKE", "ILIKE", "REGEXP", "RLIKE", "GLOB", "MATCH", "LIKEC",
                                       "LIKE2", "LIKE4", "SIMILAR", NULL };
  static const char *const comparisons[] = { "=",   "==", "<>", "!=", "<",  ">",        "<=", ">=",
                                             "<=>", "^=", "~=", "!<", "!>", "OVERLAPS", NULL };
  gboolean not = sql_parser_sees (self, "NOT");
  const char *name = sql_parser_peek (self, 0)->upper;

  if (sql_parser_accept_any (self, comparisons))
    return sql_expr_new_operator (self->arena, name, left, parse_compared (self));
  if (sql_parser_accept (self, "IS"))
    return parse_is (self, left);
  if (sql_parser_accept (self, "ISNULL") || sql_parser_accept (self, "NOTNULL") ||
      sql_parser_accept_two (self, "NOT", "NULL"))
    return sql_expr_new_operator (self->arena, "IS", left, NULL);
  if (not)
    sql_parser_next (self);
  sql_parser_accept (self, "GLOBAL");
  if (!not && sql_parser_sees (self, "NOT") && sql_parser_is (self, PLUMB_DIALECT_CLICKHOUSE))
    sql_parser_next (self);
  if (sql_parser_accept (self, "IN"))
    return parse_in (self, left);
  if (sql_parser_accept (self, "BETWEEN"))
    return parse_between (self, left);
  if (sql_parser_accept_any (self, likes)) {
    sql_parser_accept (self, "TO");
    return parse_like (self, left);
  }
  if (sql_parser_accept_two (self, "SOUNDS", "LIKE"))
    return parse_like (self, left);
  if (sql_parser_accept (self, "MEMBER") || sql_parser_accept (self, "SUBMULTISET")) {
    sql_parser_accept (self, "OF");
    return sql_expr_new_operator (self->arena, "MEMBER OF", left, sql_parse_operand (self));
  }
  if (not)
    sql_parser_fail_here (self, "a condition");
  return NULL;
}

static SqlExpr *
parse_comparison (SqlParser *self)
{
  SqlExpr *left;
  SqlExpr *next;
  gboolean negated = FALSE;
  guint n = 0;

  while (sql_parser_accept (self, "NOT"))
    negated = TRUE;
  left = sql_parse_operand (self);
  while (!sql_parser_failed (self) && (next = parse_predicate (self, left)) != NULL) {
    /* SQLite: `x IN t + 1` adds one to what the comparison gives. */
    left = sql_parser_is (self, PLUMB_DIALECT_SQLITE) ? continue_operand (self, next) : next;
    sql_parser_enter (self);
    n++;
  }
  self->depth -= n;
  return negated ? sql_expr_new_operator (self->arena, "NOT", left, NULL) : left;
}

static SqlExpr *
parse_and (SqlParser *self)
{
  SqlExpr *left = parse_comparison (self);
  SqlExpr *own = NULL;

  while (sql_parser_sees (self, "AND") || (sql_parser_sees (self, "&&"))) {
    sql_parser_next (self);
    left = chain (self, SQL_EXPR_AND, "AND", left, parse_comparison (self), &own);
  }
  return left;
}

static SqlExpr *
parse_or (SqlParser *self)
{
  SqlExpr *left = parse_and (self);
  SqlExpr *own = NULL;

  while (sql_parser_sees (self, "OR") || sql_parser_sees (self, "XOR")) {
    sql_parser_next (self);
    left = chain (self, SQL_EXPR_OR, "OR", left, parse_and (self), &own);
  }
  return left;
}

/* `a ? b : c` of ClickHouse. */
static SqlExpr *
parse_choice (SqlParser *self, SqlExpr *expr)
{
  if (sql_parser_accept (self, "?")) {
    SqlExpr *choice = sql_expr_new_function (self->arena, "IF");

    sql_list_add (self->arena, &choice->args, expr);
    sql_list_add (self->arena, &choice->args, sql_parse_expr (self));
    sql_parser_expect (self, ":");
    sql_list_add (self->arena, &choice->args, sql_parse_expr (self));
    return choice;
  }
  return expr;
}

/** sql_parse_expr_unnamed: Returns: (transfer none): the expression that stands here, without an
 *  alias behind it */
SqlExpr *
sql_parse_expr_unnamed (SqlParser *self)
{
  SqlExpr *expr;

  if (!sql_parser_enter (self)) {
    sql_parser_leave (self);
    return sql_expr_new_literal (self->arena, "null");
  }
  expr = parse_or (self);
  if (sql_parser_is (self, PLUMB_DIALECT_CLICKHOUSE))
    expr = parse_choice (self, expr);
  sql_parser_leave (self);
  return expr;
}

/** sql_parse_expr: Returns: (transfer none): the expression that stands here; ClickHouse takes an
 *  alias behind any */
SqlExpr *
sql_parse_expr (SqlParser *self)
{
  SqlExpr *expr = sql_parse_expr_unnamed (self);

  if (sql_parser_is (self, PLUMB_DIALECT_CLICKHOUSE) && self->query != NULL &&
      sql_parser_accept (self, "AS"))
    sql_list_add (self->arena, &self->query->aliases,
                  sql_item_new (self->arena, expr, sql_parser_read_name (self)));
  return expr;
}

/** sql_parse_expr_list: reads `expression, expression …` into @list */
void
sql_parse_expr_list (SqlParser *self, SqlList *list)
{
  do {
    sql_list_add (self->arena, list, sql_parse_expr (self));
  } while (sql_parser_accept (self, ",") && !sql_parser_sees (self, "]") &&
           !sql_parser_sees (self, ")"));
}
