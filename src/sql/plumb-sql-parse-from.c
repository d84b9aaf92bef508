/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-sql-parser.h"

#include <string.h>

/* FROM: tables, subqueries, table functions and joins. */

static SqlFrom *parse_joined (SqlParser *self);

/* `FROM t x (XLOCK)`: behind a table's alias SQL Server and its kin take hints in parentheses,
 * which can lock; a list of columns only stands behind what isn't a table. */
static gboolean
is_hint_list (SqlParser *self, SqlFrom *from)
{
  return from->kind == SQL_FROM_TABLE && (sql_parser_is (self, PLUMB_DIALECT_SQLSERVER) ||
                                          sql_parser_is (self, PLUMB_DIALECT_GENERIC));
}

static void
read_alias (SqlParser *self, SqlFrom *from)
{
  const SqlToken *token = sql_parser_peek (self, 0);

  if (sql_parser_sees (self, "AS") && !sql_parser_sees_at (self, 1, "OF")) {
    sql_parser_next (self);
    from->alias = sql_parser_read_name (self);
  } else if (sql_parser_sees_alias (self) ||
             (token->kind == SQL_TOKEN_STRING && sql_parser_is (self, PLUMB_DIALECT_SQLITE))) {
    from->alias = sql_parser_read_name (self);
  }
  if (from->alias != NULL && sql_parser_sees (self, "(") && !sql_parser_failed (self) &&
      !sql_parser_sees_query (self, 1) && !is_hint_list (self, from))
    sql_parser_read_name_list (self, &from->columns);
}

/* Goes past a parenthesis whose content is evaluated with the columns of @from in sight. */
static void
read_modifier_soup (SqlParser *self, SqlFrom *from)
{
  sql_parser_expect (self, "(");
  sql_parse_soup (self, &from->modifiers);
}

/* MariaDB: PARTITION (p), FOR SYSTEM_TIME …, index hints. */
static gboolean
read_mariadb_modifier (SqlParser *self, SqlFrom *from)
{
  static const char *const hints[] = { "USE", "FORCE", "IGNORE", NULL };

  if (sql_parser_sees (self, "PARTITION") && sql_parser_sees_at (self, 1, "(")) {
    sql_parser_next (self);
    read_modifier_soup (self, from);
    return TRUE;
  }
  if (sql_parser_sees (self, "FOR") && sql_parser_sees_at (self, 1, "SYSTEM_TIME")) {
    static const char *const words[] = { "OF", "TIMESTAMP", "TRANSACTION", NULL };

    sql_parser_next (self);
    sql_parser_next (self);
    if (sql_parser_accept (self, "ALL"))
      return TRUE;
    if (sql_parser_accept (self, "AS")) {
      while (sql_parser_peek (self, 1)->kind != SQL_TOKEN_STRING &&
             sql_parser_accept_any (self, words))
        ;
      sql_list_add (self->arena, &from->modifiers, sql_parse_operand (self));
    } else {
      if (!sql_parser_accept (self, "BETWEEN"))
        sql_parser_expect (self, "FROM");
      sql_list_add (self->arena, &from->modifiers, sql_parse_operand (self));
      if (!sql_parser_accept (self, "AND"))
        sql_parser_expect (self, "TO");
      sql_list_add (self->arena, &from->modifiers, sql_parse_operand (self));
    }
    return TRUE;
  }
  if (sql_parser_sees_any (self, hints) &&
      (sql_parser_sees_at (self, 1, "INDEX") || sql_parser_sees_at (self, 1, "KEY"))) {
    static const char *const words[] = { "FOR", "JOIN", "ORDER", "GROUP", "BY", NULL };
    SqlList ignored = { 0 };

    sql_parser_next (self);
    sql_parser_next (self);
    while (sql_parser_accept_any (self, words))
      ;
    sql_parser_expect (self, "(");
    sql_parse_soup (self, &ignored);
    return TRUE;
  }
  return FALSE;
}

/* Oracle: partitions, flashback queries, samples. */
static gboolean
read_oracle_modifier (SqlParser *self, SqlFrom *from)
{
  if (sql_parser_sees (self, "PARTITION") || sql_parser_sees (self, "SUBPARTITION")) {
    if (!sql_parser_sees_at (self, 1, "(") && !sql_parser_sees_at (self, 1, "FOR"))
      return FALSE;
    sql_parser_next (self);
    sql_parser_accept (self, "FOR");
    read_modifier_soup (self, from);
    return TRUE;
  }
  if (sql_parser_accept (self, "SAMPLE")) {
    sql_parser_accept (self, "BLOCK");
    read_modifier_soup (self, from);
    if (sql_parser_accept (self, "SEED"))
      read_modifier_soup (self, from);
    return TRUE;
  }
  if (sql_parser_accept_two (self, "AS", "OF")) {
    if (!sql_parser_accept (self, "SCN") && sql_parser_peek (self, 1)->kind != SQL_TOKEN_STRING)
      sql_parser_expect (self, "TIMESTAMP");
    sql_list_add (self->arena, &from->modifiers, sql_parse_operand (self));
    return TRUE;
  }
  if (sql_parser_accept_two (self, "VERSIONS", "BETWEEN")) {
    if (!sql_parser_accept (self, "SCN"))
      sql_parser_expect (self, "TIMESTAMP");
    if (!sql_parser_accept (self, "MINVALUE"))
      sql_list_add (self->arena, &from->modifiers, sql_parse_operand (self));
    sql_parser_expect (self, "AND");
    if (!sql_parser_accept (self, "MAXVALUE"))
      sql_list_add (self->arena, &from->modifiers, sql_parse_operand (self));
    return TRUE;
  }
  return FALSE;
}

/* SQL Server: WITH (NOLOCK), FOR SYSTEM_TIME …, TABLESAMPLE. */
static gboolean
read_sqlserver_modifier (SqlParser *self, SqlFrom *from)
{
  static const char *const harmless[] = {
    "NOLOCK",    "READUNCOMMITTED", "READCOMMITTED", "READCOMMITTEDLOCK", "READPAST", "NOEXPAND",
    "FORCESEEK", "FORCESCAN",       "NOWAIT",        "SNAPSHOT",          ",",        NULL
  };
  gboolean with = sql_parser_sees (self, "WITH") && sql_parser_sees_at (self, 1, "(");

  if (with || (sql_parser_sees (self, "(") && from->kind == SQL_FROM_TABLE)) {
    if (with)
      sql_parser_next (self);
    sql_parser_next (self);
    while (!sql_parser_accept (self, ")") && !sql_parser_failed (self)) {
      if (sql_parser_accept (self, "INDEX")) {
        sql_parser_accept (self, "=");
        read_modifier_soup (self, from);
      } else if (!sql_parser_accept_any (self, harmless)) {
        sql_parser_fail (
            self, "The table hint “%.40s” locks, or isn't known to be harmless. Leave it out.",
            sql_parser_peek (self, 0)->text);
      }
    }
    return TRUE;
  }
  if (sql_parser_sees (self, "FOR") && sql_parser_sees_at (self, 1, "SYSTEM_TIME")) {
    static const char *const words[] = { "ALL", "OF",        "FROM", "TO", "BETWEEN",
                                         "AND", "CONTAINED", "IN",   NULL };

    sql_parser_next (self);
    sql_parser_next (self);
    sql_parser_accept (self, "AS");
    while (sql_parser_accept_any (self, words)) {
      if (sql_parser_peek (self, 0)->kind == SQL_TOKEN_STRING || sql_parser_sees (self, "("))
        sql_list_add (self->arena, &from->modifiers, sql_parse_operand (self));
    }
    return TRUE;
  }
  return FALSE;
}

static gboolean
read_clickhouse_modifier (SqlParser *self, SqlFrom *from)
{
  if (sql_parser_accept (self, "FINAL"))
    return TRUE;
  if (sql_parser_accept (self, "SAMPLE")) {
    sql_list_add (self->arena, &from->modifiers, sql_parse_operand (self));
    if (sql_parser_accept (self, "OFFSET"))
      sql_list_add (self->arena, &from->modifiers, sql_parse_operand (self));
    return TRUE;
  }
  return FALSE;
}

/* PIVOT (…), UNPIVOT (…), MATCH_RECOGNIZE (…): what they give has columns of its own. */
static gboolean
read_reshape (SqlParser *self, SqlFrom *from)
{
  static const char *const words[] = { "PIVOT", "UNPIVOT", "MATCH_RECOGNIZE", NULL };
  static const char *const more[] = { "XML", "INCLUDE", "EXCLUDE", "NULLS", NULL };

  if (!sql_parser_accept_any (self, words))
    return FALSE;
  while (sql_parser_accept_any (self, more))
    ;
  read_modifier_soup (self, from);
  from->opaque = TRUE;
  read_alias (self, from);
  return TRUE;
}

static gboolean
read_tablesample (SqlParser *self, SqlFrom *from)
{
  if (!sql_parser_accept (self, "TABLESAMPLE"))
    return FALSE;
  if (sql_parser_sees_name (self))
    sql_parser_read_name (self);
  read_modifier_soup (self, from);
  if (sql_parser_accept (self, "REPEATABLE"))
    read_modifier_soup (self, from);
  return TRUE;
}

static gboolean
read_modifier (SqlParser *self, SqlFrom *from)
{
  switch (self->dialect) {
  case PLUMB_DIALECT_MARIADB:
    return read_mariadb_modifier (self, from);
  case PLUMB_DIALECT_CLICKHOUSE:
    return read_clickhouse_modifier (self, from);
  case PLUMB_DIALECT_ORACLE:
    return read_oracle_modifier (self, from) || read_reshape (self, from);
  case PLUMB_DIALECT_SQLSERVER:
    return read_sqlserver_modifier (self, from) || read_reshape (self, from) ||
           read_tablesample (self, from);
  case PLUMB_DIALECT_SQLITE:
    if (sql_parser_accept_two (self, "NOT", "INDEXED"))
      return TRUE;
    if (!sql_parser_accept_two (self, "INDEXED", "BY"))
      return FALSE;
    sql_parser_read_name (self);
    return TRUE;
  case PLUMB_DIALECT_GENERIC:
    return read_tablesample (self, from);
  case PLUMB_DIALECT_POSTGRES:
  default:
    return FALSE;
  }
}

static SqlFrom *
parse_parenthesized (SqlParser *self, gboolean lateral)
{
  SqlFrom *from;
  guint offset = 1;

  while (sql_parser_sees_at (self, offset, "("))
    offset++;
  /* `((SELECT 1) UNION SELECT 2)` is a query, `((SELECT 1) a JOIN b)` a join; only reading
   * tells. */
  if (offset > 1 && sql_parser_sees_query (self, offset)) {
    guint at = self->at;
    guint depth = self->depth;

    sql_parser_next (self);
    from = sql_from_new (self->arena, SQL_FROM_QUERY);
    from->query = sql_parse_query (self);
    if (!sql_parser_failed (self) && sql_parser_accept (self, ")")) {
      from->lateral = lateral;
      return from;
    }
    g_clear_pointer (&self->reason, g_free);
    self->at = at;
    self->depth = depth;
  }
  sql_parser_next (self);
  if (offset == 1 && sql_parser_sees_query (self, 0)) {
    from = sql_from_new (self->arena, SQL_FROM_QUERY);
    from->query = sql_parse_query (self);
  } else {
    from = parse_joined (self);
    while (sql_parser_accept (self, ",")) {
      SqlFrom *join = sql_from_new (self->arena, SQL_FROM_JOIN);

      join->join = "inner";
      join->left = from;
      join->right = parse_joined (self);
      from = join;
    }
  }
  sql_parser_expect (self, ")");
  from->lateral = lateral;
  return from;
}

/* TABLE (collection) and THE (…) of Oracle. */
static SqlFrom *
parse_collection (SqlParser *self)
{
  SqlFrom *from = sql_from_new (self->arena, SQL_FROM_FUNCTION);

  sql_parser_next (self);
  sql_parser_expect (self, "(");
  if (sql_parser_sees_query (self, 0))
    sql_list_add (self->arena, &from->functions, sql_parse_subquery (self));
  else {
    sql_list_add (self->arena, &from->functions, sql_parse_expr (self));
    sql_parser_expect (self, ")");
  }
  if (sql_parser_sees (self, "(") && sql_parser_sees_at (self, 1, "+")) {
    sql_parser_next (self);
    sql_parser_next (self);
    sql_parser_expect (self, ")");
  }
  from->opaque = TRUE;
  from->lateral = TRUE;
  return from;
}

/* A table function, with SQL Server's WITH (column type, …) behind OPENJSON. */
static SqlFrom *
parse_table_function (SqlParser *self, SqlName *names, guint n_names)
{
  SqlFrom *from = sql_from_new (self->arena, SQL_FROM_FUNCTION);
  SqlExpr *call = sql_parse_call (self, names, n_names, FALSE);

  call->name = "table function";
  sql_list_add (self->arena, &from->functions, call);
  from->opaque = TRUE;
  from->lateral = TRUE;
  if (sql_parser_is (self, PLUMB_DIALECT_SQLSERVER) && sql_parser_accept_two (self, "WITH", "("))
    sql_parse_soup (self, &from->modifiers);
  return from;
}

static SqlFrom *
parse_named (SqlParser *self)
{
  SqlFrom *from;
  guint n_names = 0;
  SqlName *names;
  const SqlToken *first = sql_parser_peek (self, 0);

  if (first->kind == SQL_TOKEN_STRING && !sql_parser_is (self, PLUMB_DIALECT_SQLITE))
    sql_parser_fail_here (self, "a table");
  if (sql_parser_sees_query (self, 0) &&
      !(sql_parser_is (self, PLUMB_DIALECT_CLICKHOUSE) && sql_parser_sees (self, "VALUES")))
    sql_parser_fail_here (self, "a table");
  names = sql_parser_read_names (self, &n_names);
  if (sql_parser_sees (self, "(") &&
      !(sql_parser_is (self, PLUMB_DIALECT_SQLSERVER) && sql_parser_sees_at (self, 1, "NOLOCK")))
    return parse_table_function (self, names, n_names);
  from = sql_from_new (self->arena, SQL_FROM_TABLE);
  from->names = names;
  from->n_names = n_names;
  return from;
}

static gboolean
refuse_source (SqlParser *self)
{
  static const char *const words[] = { "EXTERNAL",  "SHARDS",         "CONTAINERS", "OPENROWSET",
                                       "OPENQUERY", "OPENDATASOURCE", "OPENXML",    NULL };

  if (!sql_parser_sees_any (self, words) || !sql_parser_sees_at (self, 1, "("))
    return FALSE;
  sql_parser_fail (self, "%s reads what is not a table of this database.",
                   sql_parser_peek (self, 0)->upper);
  return TRUE;
}

static SqlFrom *
parse_item_inner (SqlParser *self)
{
  gboolean lateral = sql_parser_accept (self, "LATERAL");
  gboolean only = sql_parser_is (self, PLUMB_DIALECT_ORACLE) && sql_parser_sees (self, "ONLY") &&
                  sql_parser_sees_at (self, 1, "(");
  SqlFrom *from;

  if (refuse_source (self))
    return sql_from_new (self->arena, SQL_FROM_TABLE);
  if (only)
    sql_parser_next (self);
  if (sql_parser_sees (self, "("))
    from = parse_parenthesized (self, lateral);
  else if (sql_parser_is (self, PLUMB_DIALECT_ORACLE) &&
           (sql_parser_sees (self, "TABLE") || sql_parser_sees (self, "THE")) &&
           sql_parser_sees_at (self, 1, "("))
    from = parse_collection (self);
  else
    from = parse_named (self);
  while (!sql_parser_failed (self) && read_modifier (self, from))
    ;
  if (from->alias == NULL)
    read_alias (self, from);
  while (!sql_parser_failed (self) && read_modifier (self, from))
    ;
  if (from->alias == NULL)
    read_alias (self, from);
  return from;
}

static SqlFrom *
parse_item (SqlParser *self)
{
  SqlFrom *from = sql_parser_enter (self) ? parse_item_inner (self)
                                          : sql_from_new (self->arena, SQL_FROM_TABLE);

  sql_parser_leave (self);
  return from;
}

/* The kind of join that begins here, with its words behind; NULL where none begins. */
static const char *
read_join_kind (SqlParser *self, gboolean *natural, gboolean *apply)
{
  static const char *const clickhouse[] = { "GLOBAL", "LOCAL", "ANY",  "ALL",
                                            "ASOF",   "SEMI",  "ANTI", NULL };
  static const char *const hints[] = { "LOOP", "HASH", "MERGE", "REMOTE", NULL };
  const char *kind = "inner";
  guint at = self->at;

  *apply = FALSE;
  /* SQLite takes a condition behind a comma as well. */
  if (sql_parser_is (self, PLUMB_DIALECT_SQLITE) && sql_parser_accept (self, ","))
    return kind;
  if (sql_parser_accept (self, "STRAIGHT_JOIN"))
    return kind;
  *natural = sql_parser_accept (self, "NATURAL");
  if (sql_parser_is (self, PLUMB_DIALECT_CLICKHOUSE))
    while (sql_parser_accept_any (self, clickhouse))
      ;
  if (sql_parser_accept (self, "LEFT"))
    kind = "left";
  else if (sql_parser_accept (self, "RIGHT"))
    kind = "right";
  else if (sql_parser_accept (self, "FULL"))
    kind = "full";
  else if (sql_parser_accept (self, "CROSS") ||
           (sql_parser_is (self, PLUMB_DIALECT_CLICKHOUSE) && sql_parser_accept (self, "PASTE")))
    kind = "cross";
  else if (!sql_parser_accept (self, "INNER") && sql_parser_sees (self, "OUTER") &&
           sql_parser_sees_at (self, 1, "APPLY"))
    kind = "left";
  sql_parser_accept (self, "OUTER");
  if (sql_parser_is (self, PLUMB_DIALECT_CLICKHOUSE))
    while (sql_parser_accept_any (self, clickhouse))
      ;
  if (sql_parser_is (self, PLUMB_DIALECT_SQLSERVER))
    sql_parser_accept_any (self, hints);
  *apply = sql_parser_accept (self, "APPLY");
  if (*apply || sql_parser_accept (self, "JOIN"))
    return kind;
  self->at = at;
  return NULL;
}

static void
read_join_condition (SqlParser *self, SqlFrom *join)
{
  if (sql_parser_accept (self, "ON")) {
    join->on = sql_parse_expr (self);
  } else if (sql_parser_accept (self, "USING")) {
    if (sql_parser_sees (self, "(")) {
      sql_parser_read_name_list (self, &join->using);
    } else {
      /* ClickHouse: USING a, b. */
      do {
        sql_list_add (self->arena, &join->using, sql_parser_read_name (self));
      } while (sql_parser_is (self, PLUMB_DIALECT_CLICKHOUSE) && sql_parser_accept (self, ","));
    }
  }
}

/* ClickHouse: [LEFT] ARRAY JOIN tags AS tag, …: its names are columns from here on. */
static gboolean
read_array_join (SqlParser *self, SqlFrom *from)
{
  gboolean left = sql_parser_sees (self, "LEFT") || sql_parser_sees (self, "INNER");

  if (!sql_parser_is (self, PLUMB_DIALECT_CLICKHOUSE) ||
      !sql_parser_sees_at (self, left ? 1 : 0, "ARRAY"))
    return FALSE;
  if (left)
    sql_parser_next (self);
  sql_parser_next (self);
  sql_parser_expect (self, "JOIN");
  do {
    SqlExpr *expr = sql_parse_expr (self);

    sql_list_add (self->arena, &from->modifiers, expr);
    if (sql_parser_sees_alias (self))
      sql_list_add (self->arena, &self->query->aliases,
                    sql_item_new (self->arena, expr, sql_parser_read_name (self)));
  } while (sql_parser_accept (self, ","));
  return TRUE;
}

/* Oracle: t PARTITION BY (x) RIGHT OUTER JOIN u. */
static void
read_partitioned_join (SqlParser *self, SqlFrom *from)
{
  if (sql_parser_is (self, PLUMB_DIALECT_ORACLE) && sql_parser_accept_two (self, "PARTITION", "BY"))
    sql_list_add (self->arena, &from->modifiers, sql_parse_operand (self));
}

static SqlFrom *
parse_joined (SqlParser *self)
{
  SqlFrom *left = parse_item (self);
  guint n = 0;

  while (!sql_parser_failed (self)) {
    gboolean natural = FALSE;
    gboolean apply = FALSE;
    const char *kind;
    SqlFrom *join;

    if (read_array_join (self, left))
      continue;
    read_partitioned_join (self, left);
    kind = read_join_kind (self, &natural, &apply);
    if (kind == NULL)
      break;
    sql_parser_enter (self);
    n++;
    join = sql_from_new (self->arena, SQL_FROM_JOIN);
    join->join = kind;
    join->natural = natural;
    join->left = left;
    join->right = parse_item (self);
    join->right->lateral |= apply;
    read_partitioned_join (self, join->right);
    /* `a JOIN b JOIN c ON … ON …`: the inner join takes the first condition. */
    if (!sql_parser_sees (self, "ON") && !sql_parser_sees (self, "USING") && !natural && !apply &&
        strcmp (kind, "cross") != 0) {
      gboolean inner_natural = FALSE;
      gboolean inner_apply = FALSE;
      guint at = self->at;
      const char *inner = read_join_kind (self, &inner_natural, &inner_apply);

      if (inner != NULL && strcmp (inner, "cross") != 0 && !inner_natural && !inner_apply) {
        SqlFrom *nested = sql_from_new (self->arena, SQL_FROM_JOIN);

        nested->join = inner;
        nested->left = join->right;
        nested->right = parse_item (self);
        read_join_condition (self, nested);
        join->right = nested;
      } else {
        self->at = at;
      }
    }
    read_join_condition (self, join);
    left = join;
  }
  self->depth -= n;
  return left;
}

/** sql_parse_from: reads what follows FROM into @query */
void
sql_parse_from (SqlParser *self, SqlQuery *query)
{
  do {
    sql_list_add (self->arena, &query->from, parse_joined (self));
    self->query = query;
  } while (sql_parser_accept (self, ","));
}
