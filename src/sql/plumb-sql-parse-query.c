/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-sql-parser.h"

#include <string.h>

/* Queries: WITH, SELECT, VALUES, set operations. */

static SqlQuery *parse_term (SqlParser *self);

/* Oracle and SQL standard: SEARCH DEPTH FIRST BY a SET b · CYCLE a SET b [TO x DEFAULT y] [USING
 * c]. */
static void
read_search_and_cycle (SqlParser *self, SqlCte *cte)
{
  SqlList ignored = { 0 };

  if (sql_parser_accept (self, "SEARCH")) {
    if (!sql_parser_accept (self, "DEPTH"))
      sql_parser_expect (self, "BREADTH");
    sql_parser_expect (self, "FIRST");
    sql_parser_expect (self, "BY");
    sql_parse_order (self, &ignored);
    sql_parser_expect (self, "SET");
    sql_list_add (self->arena, &cte->extra, sql_parser_read_name (self));
  }
  if (sql_parser_accept (self, "CYCLE")) {
    do {
      sql_parser_read_name (self);
    } while (sql_parser_accept (self, ","));
    if (sql_parser_accept (self, "RESTRICT"))
      return;
    sql_parser_expect (self, "SET");
    sql_list_add (self->arena, &cte->extra, sql_parser_read_name (self));
    if (sql_parser_accept (self, "TO")) {
      sql_parse_operand (self);
      sql_parser_expect (self, "DEFAULT");
      sql_parse_operand (self);
    }
    if (sql_parser_accept (self, "USING"))
      sql_list_add (self->arena, &cte->extra, sql_parser_read_name (self));
  }
}

static void
read_cte_query (SqlParser *self, SqlCte *cte)
{
  SqlQuery *outer = self->query;

  if (sql_parser_sees (self, "("))
    sql_parser_read_name_list (self, &cte->columns);
  sql_parser_expect (self, "AS");
  sql_parser_accept (self, "NOT");
  sql_parser_accept (self, "MATERIALIZED");
  sql_parser_expect (self, "(");
  if (!sql_parser_sees (self, "(") && !sql_parser_sees_query (self, 0))
    sql_parser_fail (self, "Only a SELECT may stand in WITH “%.60s”.", cte->name);
  cte->query = sql_parse_query (self);
  self->query = outer;
  sql_parser_expect (self, ")");
  read_search_and_cycle (self, cte);
}

/* `name AS (SELECT …)`, or in ClickHouse `expression AS name`. */
static SqlCte *
parse_cte (SqlParser *self)
{
  static const char *const code[] = { "FUNCTION", "PROCEDURE", NULL };
  SqlCte *cte = sql_arena_alloc (self->arena, sizeof (SqlCte));
  gboolean named = sql_parser_sees_name (self) &&
                   (sql_parser_sees_at (self, 1, "AS") || sql_parser_sees_at (self, 1, "(")) &&
                   (sql_parser_sees_at (self, 1, "(") || sql_parser_sees_at (self, 2, "(") ||
                    sql_parser_sees_at (self, 2, "MATERIALIZED") ||
                    sql_parser_sees_at (self, 2, "NOT"));

  if (sql_parser_sees_any (self, code) && !sql_parser_sees_at (self, 1, "AS") &&
      !sql_parser_sees_at (self, 1, "(")) {
    sql_parser_fail (self, "WITH %s declares code. Only queries may stand in WITH.",
                     sql_parser_peek (self, 0)->upper);
  } else if (sql_parser_is (self, PLUMB_DIALECT_CLICKHOUSE) &&
             !(named && sql_parser_sees_at (self, 1, "AS"))) {
    cte->expr = sql_parse_expr_unnamed (self);
    sql_parser_expect (self, "AS");
    cte->name = sql_parser_read_name (self);
  } else {
    cte->name = sql_parser_read_name (self);
    read_cte_query (self, cte);
  }
  return cte;
}

static void
read_with (SqlParser *self, SqlQuery *query)
{
  query->recursive = sql_parser_accept (self, "RECURSIVE") ||
                     sql_parser_is (self, PLUMB_DIALECT_SQLITE) ||
                     sql_parser_is (self, PLUMB_DIALECT_ORACLE) ||
                     sql_parser_is (self, PLUMB_DIALECT_SQLSERVER);
  if (sql_parser_is (self, PLUMB_DIALECT_SQLSERVER) && sql_parser_accept (self, "XMLNAMESPACES")) {
    SqlList ignored = { 0 };

    sql_parser_expect (self, "(");
    sql_parse_soup (self, &ignored);
    if (!sql_parser_accept (self, ","))
      return;
  }
  do {
    sql_list_add (self->arena, &query->ctes, parse_cte (self));
  } while (sql_parser_accept (self, ","));
}

/* `(a, b)` of EXCEPT, `(expression AS name, …)` of REPLACE; one alone needs no parentheses. */
static void
read_star_list (SqlParser *self, SqlQuery *query)
{
  gboolean parenthesis = sql_parser_accept (self, "(");

  do {
    sql_list_add (self->arena, &query->others, sql_parse_expr_unnamed (self));
    if (sql_parser_accept (self, "AS"))
      sql_parser_read_name (self);
  } while (parenthesis && sql_parser_accept (self, ","));
  if (parenthesis)
    sql_parser_expect (self, ")");
}

/* `* EXCEPT (a)`, `* REPLACE (b AS c)`, `* APPLY (f)`, `COLUMNS ('…') APPLY f`. */
static void
read_star_changes (SqlParser *self, SqlQuery *query)
{
  static const char *const words[] = { "EXCEPT", "EXCLUDE", "REPLACE", "APPLY", NULL };

  while (sql_parser_sees_any (self, words)) {
    gboolean apply = sql_parser_sees (self, "APPLY");

    /* `SELECT * EXCEPT SELECT …` is a set operation. */
    if (sql_parser_sees_query (self, 1) ||
        (sql_parser_sees_at (self, 1, "(") && sql_parser_sees_query (self, 2)))
      return;
    sql_parser_next (self);
    sql_parser_accept (self, "STRICT");
    if (apply) {
      gboolean parenthesis = sql_parser_accept (self, "(");
      SqlExpr *expr = sql_parse_expr (self);

      /* APPLY (sum) names a function; a lambda is read as it is. */
      if (expr->kind == SQL_EXPR_COLUMN)
        expr->kind = SQL_EXPR_FUNCTION;
      sql_list_add (self->arena, &query->others, expr);
      if (parenthesis)
        sql_parser_expect (self, ")");
    } else {
      read_star_list (self, query);
    }
  }
}

static const char *
read_alias (SqlParser *self)
{
  const SqlToken *token = sql_parser_peek (self, 0);

  if (sql_parser_accept (self, "AS"))
    return sql_parser_read_name (self);
  if (sql_parser_sees_alias (self))
    return sql_parser_read_name (self);
  if (token->kind == SQL_TOKEN_STRING && (sql_parser_is (self, PLUMB_DIALECT_SQLITE) ||
                                          sql_parser_is (self, PLUMB_DIALECT_MARIADB) ||
                                          sql_parser_is (self, PLUMB_DIALECT_SQLSERVER)))
    return sql_parser_read_name (self);
  return NULL;
}

static void
read_items (SqlParser *self, SqlQuery *query)
{
  do {
    const char *alias = NULL;
    SqlExpr *expr;

    /* A comma before FROM, which ClickHouse lets stand. */
    if (sql_parser_sees (self, "FROM") && query->items.n > 0 &&
        sql_parser_is (self, PLUMB_DIALECT_CLICKHOUSE))
      break;
    /* SQL Server: name = expression. */
    if (sql_parser_is (self, PLUMB_DIALECT_SQLSERVER) && sql_parser_sees_name (self) &&
        sql_parser_sees_at (self, 1, "=")) {
      alias = sql_parser_read_name (self);
      sql_parser_next (self);
    }
    expr = sql_parse_expr_unnamed (self);
    if (sql_parser_is (self, PLUMB_DIALECT_CLICKHOUSE) || expr->kind == SQL_EXPR_STAR)
      read_star_changes (self, query);
    if (alias == NULL)
      alias = read_alias (self);
    sql_list_add (self->arena, &query->items, sql_item_new (self->arena, expr, alias));
  } while (sql_parser_accept (self, ","));
}

/* TOP (10) PERCENT WITH TIES of SQL Server; ClickHouse has TOP as well. */
static void
read_top (SqlParser *self, SqlQuery *query)
{
  if (!sql_parser_is (self, PLUMB_DIALECT_SQLSERVER) &&
      !sql_parser_is (self, PLUMB_DIALECT_CLICKHOUSE))
    return;
  if (!sql_parser_sees (self, "TOP") || (!sql_parser_sees_at (self, 1, "(") &&
                                         sql_parser_peek (self, 1)->kind != SQL_TOKEN_NUMBER))
    return;
  sql_parser_next (self);
  if (sql_parser_accept (self, "(")) {
    sql_list_add (self->arena, &query->order, sql_parse_expr (self));
    sql_parser_expect (self, ")");
  } else {
    sql_parser_next (self);
  }
  sql_parser_accept (self, "PERCENT");
  sql_parser_accept_two (self, "WITH", "TIES");
}

static void
read_select_options (SqlParser *self, SqlQuery *query)
{
  static const char *const mariadb[] = {
    "ALL",           "DISTINCT",         "DISTINCTROW",         "HIGH_PRIORITY",
    "STRAIGHT_JOIN", "SQL_SMALL_RESULT", "SQL_BIG_RESULT",      "SQL_BUFFER_RESULT",
    "SQL_CACHE",     "SQL_NO_CACHE",     "SQL_CALC_FOUND_ROWS", NULL
  };
  static const char *const others[] = { "ALL", "DISTINCT", "UNIQUE", NULL };
  const char *const *words = sql_parser_is (self, PLUMB_DIALECT_MARIADB) ? mariadb : others;

  while (sql_parser_sees_any (self, words)) {
    if (g_str_has_prefix (sql_parser_peek (self, 0)->upper, "DISTINCT") ||
        sql_parser_sees (self, "UNIQUE"))
      query->grouped = TRUE;
    sql_parser_next (self);
    if (sql_parser_sees (self, "ON") && sql_parser_sees_at (self, 1, "(")) {
      sql_parser_next (self);
      sql_parser_next (self);
      sql_parse_expr_list (self, &query->order);
      sql_parser_expect (self, ")");
    }
  }
  read_top (self, query);
}

static void
read_group (SqlParser *self, SqlQuery *query)
{
  query->grouped = TRUE;
  /* ClickHouse and others: all that isn't aggregated. SQL Server: the groups that WHERE leaves empty
   * as well, and the list goes on. */
  if (sql_parser_accept (self, "ALL") && !sql_parser_is (self, PLUMB_DIALECT_SQLSERVER))
    return;
  do {
    if (sql_parser_accept_two (self, "GROUPING", "SETS")) {
      sql_parser_expect (self, "(");
      sql_parse_expr_list (self, &query->order);
      sql_parser_expect (self, ")");
    } else {
      sql_list_add (self->arena, &query->order, sql_parse_expr (self));
    }
    /* MariaDB: GROUP BY a DESC. */
    if (!sql_parser_accept (self, "ASC"))
      sql_parser_accept (self, "DESC");
  } while (sql_parser_accept (self, ","));
  while (sql_parser_accept_two (self, "WITH", "ROLLUP") ||
         sql_parser_accept_two (self, "WITH", "CUBE") ||
         sql_parser_accept_two (self, "WITH", "TOTALS"))
    ;
}

static void
read_windows (SqlParser *self, SqlQuery *query)
{
  do {
    sql_parser_read_name (self);
    sql_parser_expect (self, "AS");
    sql_parser_expect (self, "(");
    sql_parse_window (self, &query->order);
  } while (sql_parser_accept (self, ","));
}

static void
add_condition (SqlParser *self, SqlQuery *query, SqlExpr *condition)
{
  if (query->where == NULL) {
    query->where = condition;
  } else {
    SqlExpr *both = sql_expr_new (self->arena, SQL_EXPR_AND);

    sql_list_add (self->arena, &both->args, query->where);
    sql_list_add (self->arena, &both->args, condition);
    query->where = both;
  }
}

/* START WITH and CONNECT BY, in either order. */
static gboolean
read_hierarchy (SqlParser *self, SqlQuery *query)
{
  if (sql_parser_accept_two (self, "START", "WITH")) {
    sql_list_add (self->arena, &query->others, sql_parse_expr (self));
    return TRUE;
  }
  if (sql_parser_accept_two (self, "CONNECT", "BY")) {
    sql_parser_accept (self, "NOCYCLE");
    sql_list_add (self->arena, &query->others, sql_parse_expr (self));
    return TRUE;
  }
  return FALSE;
}

/* MODEL of Oracle runs to the end of the SELECT, and all that counts stands in parentheses. */
static gboolean
read_model (SqlParser *self, SqlQuery *query)
{
  static const char *const ends[] = { "ORDER",  "UNION", "MINUS", "INTERSECT", "FETCH",
                                      "OFFSET", ")",     ";",     NULL };

  if (!sql_parser_is (self, PLUMB_DIALECT_ORACLE) || !sql_parser_accept (self, "MODEL"))
    return FALSE;
  while (!sql_parser_failed (self) && !sql_parser_sees_any (self, ends) &&
         sql_parser_peek (self, 0)->kind != SQL_TOKEN_END) {
    if (sql_parser_sees (self, "INTO") || sql_parser_sees (self, "SELECT") ||
        sql_parser_sees (self, "FOR"))
      sql_parser_fail_here (self, "a clause of MODEL");
    else if (sql_parser_accept (self, "("))
      sql_parse_soup (self, &query->others);
    else
      sql_parser_next (self);
  }
  return TRUE;
}

static gboolean
read_select_clause (SqlParser *self, SqlQuery *query)
{
  if (sql_parser_accept (self, "FROM"))
    sql_parse_from (self, query);
  else if (sql_parser_is (self, PLUMB_DIALECT_CLICKHOUSE) && sql_parser_accept (self, "PREWHERE"))
    add_condition (self, query, sql_parse_expr (self));
  else if (sql_parser_accept (self, "WHERE"))
    add_condition (self, query, sql_parse_expr (self));
  else if (sql_parser_accept_two (self, "GROUP", "BY"))
    read_group (self, query);
  else if (sql_parser_accept (self, "HAVING") || sql_parser_accept (self, "QUALIFY"))
    sql_list_add (self->arena, &query->order, sql_parse_expr (self));
  else if (sql_parser_sees (self, "WINDOW") && sql_parser_sees_at (self, 2, "AS")) {
    sql_parser_next (self);
    read_windows (self, query);
  } else
    return (sql_parser_is (self, PLUMB_DIALECT_ORACLE) && read_hierarchy (self, query)) ||
           read_model (self, query);
  return TRUE;
}

static SqlQuery *
parse_select (SqlParser *self)
{
  SqlQuery *query = sql_query_new (self->arena);

  self->query = query;
  /* ClickHouse: FROM t SELECT x. */
  if (sql_parser_accept (self, "FROM")) {
    sql_parse_from (self, query);
    self->query = query;
  }
  sql_parser_expect (self, "SELECT");
  read_select_options (self, query);
  read_items (self, query);
  while (!sql_parser_failed (self) && read_select_clause (self, query))
    self->query = query;
  sql_refuse_clause (self);
  return query;
}

static SqlQuery *
parse_values (SqlParser *self)
{
  SqlQuery *query = sql_query_new (self->arena);

  query->values = TRUE;
  sql_parser_next (self);
  do {
    SqlExpr *row;

    sql_parser_accept (self, "ROW");
    if (!sql_parser_sees (self, "("))
      sql_parser_fail_here (self, "(");
    row = sql_parse_operand (self);
    if (query->items.n > 0) {
      sql_list_add (self->arena, &query->others, row);
    } else if (row->kind == SQL_EXPR_LIST) {
      for (guint i = 0; i < row->args.n; i++)
        sql_list_add (self->arena, &query->items,
                      sql_item_new (self->arena, row->args.items[i], NULL));
    } else {
      sql_list_add (self->arena, &query->items, sql_item_new (self->arena, row, NULL));
    }
  } while (sql_parser_accept (self, ","));
  return query;
}

/* TABLE name, as in MySQL. */
static SqlQuery *
parse_table (SqlParser *self)
{
  SqlQuery *query = sql_query_new (self->arena);
  SqlFrom *from = sql_from_new (self->arena, SQL_FROM_TABLE);

  sql_parser_next (self);
  from->names = sql_parser_read_names (self, &from->n_names);
  sql_list_add (self->arena, &query->from, from);
  sql_list_add (self->arena, &query->items,
                sql_item_new (self->arena, sql_expr_new (self->arena, SQL_EXPR_STAR), NULL));
  return query;
}

/* … UNION ALL WITH … SELECT …: what this WITH names holds for this side alone. */
static SqlQuery *
parse_clickhouse_side (SqlParser *self)
{
  SqlQuery *with = sql_query_new (self->arena);
  SqlQuery *query;

  sql_parser_next (self);
  self->query = with;
  read_with (self, with);
  query = sql_parser_sees (self, "(") ? parse_term (self) : parse_select (self);
  if (query->ctes.n > 0) {
    with->left = query;
    return with;
  }
  query->ctes = with->ctes;
  query->recursive = with->recursive;
  return query;
}

static SqlQuery *
parse_term (SqlParser *self)
{
  SqlQuery *query;

  if (sql_parser_accept (self, "(")) {
    query = sql_parse_query (self);
    sql_parser_expect (self, ")");
  } else if (sql_parser_sees (self, "VALUES")) {
    query = parse_values (self);
  } else if (sql_parser_sees (self, "TABLE") && sql_parser_sees_query (self, 0)) {
    query = parse_table (self);
  } else if (sql_parser_sees (self, "WITH") && sql_parser_is (self, PLUMB_DIALECT_CLICKHOUSE)) {
    query = parse_clickhouse_side (self);
  } else {
    query = parse_select (self);
  }
  return query;
}

/**
 * sql_parse_query_rest:
 * @left: the query that was read
 *
 * Returns: (transfer none): @left with the set operations, order and limits that follow it
 */
SqlQuery *
sql_parse_query_rest (SqlParser *self, SqlQuery *left)
{
  static const char *const operations[] = { "UNION", "EXCEPT", "INTERSECT", "MINUS", NULL };
  static const char *const words[] = { "ALL", "DISTINCT", NULL };

  sql_parse_tail (self, left);
  while (!sql_parser_failed (self) && sql_parser_accept_any (self, operations)) {
    SqlQuery *both = sql_query_new (self->arena);

    sql_parser_accept_any (self, words);
    both->left = left;
    both->right = parse_term (self);
    left = both;
    sql_parse_tail (self, left);
  }
  return left;
}

/** sql_parse_query: Returns: (transfer none): the query that stands here, with its WITH */
SqlQuery *
sql_parse_query (SqlParser *self)
{
  SqlQuery *with = NULL;
  SqlQuery *query;

  if (!sql_parser_enter (self)) {
    sql_parser_leave (self);
    return sql_query_new (self->arena);
  }
  if (sql_parser_accept (self, "WITH")) {
    with = sql_query_new (self->arena);
    self->query = with;
    read_with (self, with);
    if (!sql_parser_sees (self, "(") && !sql_parser_sees_query (self, 0) &&
        !sql_parser_failed (self))
      sql_parser_fail (self, "Only a SELECT may follow WITH; here stands “%.40s”.",
                       sql_parser_peek (self, 0)->text);
  }
  query = sql_parse_query_rest (self, parse_term (self));
  if (with != NULL) {
    SqlQuery *inner = query;

    /* WITH holds for the whole query, set operations and order among it. */
    if (inner->ctes.n > 0) {
      with->left = inner;
      query = with;
    } else {
      inner->ctes = with->ctes;
      inner->recursive = with->recursive;
    }
  }
  sql_parser_leave (self);
  return query;
}
