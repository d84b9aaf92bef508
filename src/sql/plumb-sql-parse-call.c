/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-sql-parser.h"

#include <string.h>

#include "plumb-sql-words.h"

/* Calls, with the syntax that many functions have of their own between their parentheses. */

static gboolean
is_named (SqlExpr *call, const char *const *names)
{
  g_autofree char *upper = NULL;

  if (call->n_names != 1)
    return FALSE;
  upper = g_ascii_strup (call->names[0].text, -1);
  return g_strv_contains (names, upper);
}

/* Words before an argument that say how it is meant. */
static void
skip_argument_prefix (SqlParser *self, SqlExpr *call, gboolean first)
{
  static const char *const sides[] = { "BOTH", "LEADING", "TRAILING", NULL };
  static const char *const trims[] = { "TRIM", NULL };
  static const char *const xml[] = { "CONTENT", "DOCUMENT", "NAME", "EVALNAME", NULL };
  static const char *const xml_names[] = { "XMLELEMENT", "XMLPARSE", "XMLSERIALIZE",
                                           "XMLPI",      "XMLROOT",  NULL };
  static const char *const dates[] = { "DATE", "TIME", "DATETIME", "TIMESTAMP", NULL };
  static const char *const formats[] = { "GET_FORMAT", NULL };
  static const char *const json_objects[] = { "JSON_OBJECT", "JSON_OBJECTAGG", NULL };

  if (is_named (call, trims))
    sql_parser_accept_any (self, sides);
  if (first && is_named (call, xml_names) && !sql_parser_sees_at (self, 1, ",") &&
      !sql_parser_sees_at (self, 1, ")"))
    sql_parser_accept_any (self, xml);
  if (first && is_named (call, formats) && sql_parser_accept_any (self, dates))
    sql_parser_expect (self, ",");
  if (sql_parser_sees (self, "KEY") &&
      (sql_parser_peek (self, 1)->kind == SQL_TOKEN_STRING ||
       (is_named (call, json_objects) && !sql_parser_sees_at (self, 1, "VALUE") &&
        (sql_parser_peek (self, 1)->kind == SQL_TOKEN_WORD ||
         sql_parser_peek (self, 1)->kind == SQL_TOKEN_QUOTED))))
    sql_parser_next (self);
  if (sql_parser_sees (self, "DISTINCT") || sql_parser_sees (self, "ALL") ||
      sql_parser_sees (self, "UNIQUE")) {
    call->distinct = !sql_parser_sees (self, "ALL");
    sql_parser_next (self);
  }
}

/* The unit of EXTRACT (YEAR FROM x), DATEADD (day, 1, x), TIMESTAMPDIFF (DAY, a, b). */
static void
skip_unit_argument (SqlParser *self, SqlExpr *call)
{
  static const char *const names[] = { "EXTRACT",
                                       "TIMESTAMPDIFF",
                                       "TIMESTAMPADD",
                                       "TIMESTAMP_DIFF",
                                       "TIMESTAMP_ADD",
                                       "DATEDIFF",
                                       "DATE_DIFF",
                                       "DATEADD",
                                       "DATE_ADD",
                                       "DATESUB",
                                       "DATE_SUB",
                                       "DATEPART",
                                       "DATENAME",
                                       "DATETRUNC",
                                       "DATE_BUCKET",
                                       "DATEDIFF_BIG",
                                       NULL };
  const SqlToken *token = sql_parser_peek (self, 0);

  /* MariaDB's DATEDIFF (a, b) takes dates, and a column can be named like a unit. */
  if (sql_parser_is (self, PLUMB_DIALECT_MARIADB) &&
      g_ascii_strncasecmp (call->names[0].text, "DATE", 4) == 0)
    return;
  if (!is_named (call, names) || token->kind != SQL_TOKEN_WORD || !sql_word_is_unit (token->upper))
    return;
  if (sql_parser_sees_at (self, 1, ",") || sql_parser_sees_at (self, 1, "FROM")) {
    sql_parser_next (self);
    sql_parser_next (self);
  }
}

/* XMLELEMENT ("name", …): the first argument is a name, no column. */
static gboolean
skip_element_name (SqlParser *self, SqlExpr *call, gboolean first)
{
  static const char *const names[] = { "XMLELEMENT", "XMLPI", NULL };

  if (!first || !is_named (call, names) || !sql_parser_sees_name (self) ||
      (!sql_parser_sees_at (self, 1, ",") && !sql_parser_sees_at (self, 1, ")")))
    return FALSE;
  sql_parser_next (self);
  return TRUE;
}

/* COLUMNS of JSON_TABLE and XMLTABLE. */
static gboolean
read_columns (SqlParser *self, SqlExpr *call)
{
  gboolean parenthesis = sql_parser_sees_at (self, 1, "(");

  if (!sql_parser_sees (self, "COLUMNS") && !(sql_parser_sees (self, "NESTED") && parenthesis))
    return FALSE;
  sql_parser_next (self);
  if (parenthesis)
    sql_parser_next (self);
  sql_parse_soup (self, &call->clauses);
  /* XMLTABLE (… COLUMNS a NUMBER PATH 'a'): up to the end of the call, which the caller reads. */
  if (!parenthesis && !sql_parser_failed (self))
    self->at--;
  return TRUE;
}

/* AS type, RETURNING type. */
static gboolean
read_result_type (SqlParser *self)
{
  gboolean returning = sql_parser_sees (self, "RETURNING") &&
                       sql_parser_peek (self, 1)->kind == SQL_TOKEN_WORD &&
                       !sql_parser_sees_at (self, 1, "CONTENT");

  if (!returning && !sql_parser_sees (self, "AS"))
    return FALSE;
  sql_parser_next (self);
  sql_parse_type (self, sql_expr_new (self->arena, SQL_EXPR_CAST));
  return TRUE;
}

/* What stands between an argument and the next comma; TRUE where it was something. */
static gboolean
read_glue (SqlParser *self, SqlExpr *call)
{
  static const char before_expr[] =
      "FROM FOR USING PLACING VALUE VALUES SEPARATOR PASSING DEFAULT : LIMIT OFFSET";
  static const char words[] =
      "RETURNING CONTENT ON NULL ABSENT ERROR EMPTY OVERFLOW TRUNCATE WITH WITHOUT COUNT WRAPPER "
      "UNCONDITIONAL CONDITIONAL ARRAY FORMAT JSON IGNORE RESPECT NULLS KEYS UNIQUE STRICT LAX "
      "PRETTY ASCII TRUE FALSE CONVERSION WELLFORMED ENTITYESCAPING NOENTITYESCAPING ENCODING "
      "VERSION INDENT NO SIZE HIDE SHOW DEFAULTS LEVEL BY REF OBJECT KEEP OMIT QUOTES SCALARS "
      "ALLOW DISALLOW YES STANDALONE";
  static GHashTable *before_expr_set;
  static GHashTable *words_set;
  const char *upper = sql_parser_peek (self, 0)->upper;

  if (sql_parser_accept_two (self, "ORDER", "BY")) {
    sql_parse_order (self, &call->clauses);
    return TRUE;
  }
  if (read_result_type (self) || read_columns (self, call))
    return TRUE;
  if (sql_word_list_contains (&before_expr_set, before_expr, upper)) {
    sql_parser_next (self);
    sql_list_add (self->arena, &call->clauses, sql_parse_expr (self));
    return TRUE;
  }
  if (!sql_word_list_contains (&words_set, words, upper))
    return FALSE;
  sql_parser_next (self);
  return TRUE;
}

static void
read_arguments (SqlParser *self, SqlExpr *call)
{
  gboolean first = TRUE;

  if (sql_parser_accept (self, ")"))
    return;
  do {
    skip_argument_prefix (self, call, first);
    skip_unit_argument (self, call);
    /* XMLTABLE (XMLNAMESPACES (…), …) and trailing commas: an argument can be missing. */
    if (sql_parser_sees (self, ")"))
      break;
    if (!skip_element_name (self, call, first) &&
        (!sql_parser_sees (self, "FROM") || call->n_names != 1))
      sql_list_add (self->arena, &call->args, sql_parse_expr (self));
    while (!sql_parser_failed (self) && !sql_parser_sees (self, ",") &&
           !sql_parser_sees (self, ")")) {
      if (!read_glue (self, call)) {
        /* `ON OVERFLOW TRUNCATE '…'`: an expression without a word of its own before it. */
        if (sql_parser_peek (self, 0)->kind != SQL_TOKEN_STRING)
          sql_parser_fail_here (self, ")");
        sql_parser_next (self);
      }
    }
    first = FALSE;
  } while (sql_parser_accept (self, ","));
  sql_parser_expect (self, ")");
}

/* POSITION (a IN b): the IN there is no condition. */
static void
read_position (SqlParser *self, SqlExpr *call)
{
  sql_list_add (self->arena, &call->args, sql_parse_operand (self));
  if (sql_parser_accept (self, "IN"))
    sql_list_add (self->arena, &call->args, sql_parse_operand (self));
  while (sql_parser_accept (self, ","))
    sql_list_add (self->arena, &call->args, sql_parse_expr (self));
  sql_parser_expect (self, ")");
}

/* CAST (x AS type …), CONVERT (x, type), and SQL Server's CONVERT (type, x). */
static void
read_cast (SqlParser *self, SqlExpr *call)
{
  static const char *const converts[] = { "CONVERT", "TRY_CONVERT", NULL };
  gboolean convert = is_named (call, converts);

  if (convert && sql_parser_is (self, PLUMB_DIALECT_SQLSERVER)) {
    SqlExpr *ignored = sql_expr_new (self->arena, SQL_EXPR_CAST);

    sql_parse_type (self, ignored);
    sql_parser_expect (self, ",");
    read_arguments (self, call);
    return;
  }
  if (sql_parser_accept (self, "MULTISET")) {
    sql_parser_expect (self, "(");
    sql_list_add (self->arena, &call->args, sql_parse_subquery (self));
  } else {
    sql_list_add (self->arena, &call->args, sql_parse_expr_unnamed (self));
  }
  if (convert && sql_parser_accept (self, ",")) {
    SqlExpr *ignored = sql_expr_new (self->arena, SQL_EXPR_CAST);

    sql_parse_type (self, ignored);
    sql_parser_expect (self, ")");
    return;
  }
  while (!sql_parser_failed (self) && !sql_parser_accept (self, ")")) {
    if (sql_parser_accept (self, ","))
      sql_list_add (self->arena, &call->args, sql_parse_expr (self));
    else if (!read_glue (self, call))
      sql_parser_fail_here (self, ")");
  }
}

static void
read_over (SqlParser *self, SqlExpr *call)
{
  call->over = TRUE;
  if (sql_parser_accept (self, "("))
    sql_parse_window (self, &call->clauses);
  else
    sql_parser_read_name (self);
}

/* KEEP (DENSE_RANK LAST ORDER BY …) of Oracle. */
static void
read_keep (SqlParser *self, SqlExpr *call)
{
  sql_parser_expect (self, "(");
  sql_parser_expect (self, "DENSE_RANK");
  if (!sql_parser_accept (self, "FIRST"))
    sql_parser_expect (self, "LAST");
  sql_parser_expect (self, "ORDER");
  sql_parser_expect (self, "BY");
  sql_parse_order (self, &call->clauses);
  sql_parser_expect (self, ")");
}

static void
read_within_group (SqlParser *self, SqlExpr *call)
{
  sql_parser_expect (self, "(");
  sql_parser_expect (self, "ORDER");
  sql_parser_expect (self, "BY");
  sql_parse_order (self, &call->clauses);
  sql_parser_expect (self, ")");
}

/* What follows the closing parenthesis of a call. */
static void
read_call_clauses (SqlParser *self, SqlExpr *call)
{
  while (!sql_parser_failed (self)) {
    if (sql_parser_sees (self, "FILTER") && sql_parser_sees_at (self, 1, "(")) {
      sql_parser_next (self);
      sql_parser_next (self);
      sql_parser_expect (self, "WHERE");
      sql_list_add (self->arena, &call->clauses, sql_parse_expr (self));
      sql_parser_expect (self, ")");
    } else if (sql_parser_accept_two (self, "WITHIN", "GROUP")) {
      read_within_group (self, call);
    } else if (sql_parser_sees (self, "KEEP") && sql_parser_sees_at (self, 1, "(")) {
      sql_parser_next (self);
      read_keep (self, call);
    } else if (sql_parser_sees (self, "OVER") &&
               (sql_parser_sees_at (self, 1, "(") ||
                sql_parser_peek (self, 1)->kind == SQL_TOKEN_WORD ||
                sql_parser_peek (self, 1)->kind == SQL_TOKEN_QUOTED)) {
      sql_parser_next (self);
      read_over (self, call);
    } else if (!sql_parser_accept_two (self, "IGNORE", "NULLS") &&
               !sql_parser_accept_two (self, "RESPECT", "NULLS") &&
               !sql_parser_accept_two (self, "FROM", "FIRST") &&
               !sql_parser_accept_two (self, "FROM", "LAST")) {
      break;
    }
  }
}

/**
 * sql_parse_call:
 * @names: parts of the function's name
 * @n_names: how many
 * @spaced: whether space stands before the parenthesis
 *
 * Returns: (transfer none): the call whose parenthesis is next
 */
SqlExpr *
sql_parse_call (SqlParser *self, SqlName *names, guint n_names, gboolean spaced)
{
  static const char *const casts[] = { "CAST",    "TRY_CAST",    "SAFE_CAST", "TREAT",
                                       "CONVERT", "TRY_CONVERT", "XMLCAST",   NULL };
  static const char *const positions[] = { "POSITION", NULL };
  SqlExpr *call = sql_expr_new (self->arena, SQL_EXPR_FUNCTION);

  call->names = names;
  call->n_names = n_names;
  call->spaced = spaced;
  if (!sql_parser_enter (self)) {
    sql_parser_leave (self);
    return call;
  }
  sql_parser_expect (self, "(");
  if (sql_parser_sees_query (self, 0) && !sql_parser_sees (self, "VALUES")) {
    sql_list_add (self->arena, &call->args, sql_parse_subquery (self));
  } else if (sql_parser_sees (self, "*") && sql_parser_sees_at (self, 1, ")")) {
    call->star = TRUE;
    sql_parser_next (self);
    sql_parser_next (self);
  } else if (is_named (call, casts)) {
    read_cast (self, call);
  } else if (is_named (call, positions)) {
    read_position (self, call);
  } else {
    read_arguments (self, call);
  }
  /* quantile(0.5)(x) of ClickHouse: the first parentheses hold parameters. */
  if (sql_parser_sees (self, "(") && sql_parser_is (self, PLUMB_DIALECT_CLICKHOUSE)) {
    call->clauses = call->args;
    memset (&call->args, 0, sizeof call->args);
    sql_parser_next (self);
    read_arguments (self, call);
  }
  read_call_clauses (self, call);
  sql_parser_leave (self);
  return call;
}
