/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-sql-parser.h"

#include <string.h>

#include "plumb-sql-words.h"

/* What can stand behind the body of a query: its order, its limits, and what is refused there. */

/* SQL Server: FOR XML and FOR JSON shape the result, and lock nothing. */
static gboolean
sees_shape (SqlParser *self)
{
  return sql_parser_is (self, PLUMB_DIALECT_SQLSERVER) && sql_parser_sees (self, "FOR") &&
         (sql_parser_sees_at (self, 1, "XML") || sql_parser_sees_at (self, 1, "JSON"));
}

/** sql_refuse_clause: says why the clause that begins here can't run, where it is known */
void
sql_refuse_clause (SqlParser *self)
{
  if (sql_parser_sees (self, "INTO"))
    sql_parser_fail (self,
                     "INTO writes a table, a file or a variable. Leave it out: the rows are the "
                     "result.");
  else if (sees_shape (self))
    return;
  else if (sql_parser_sees (self, "FOR") || sql_parser_sees (self, "LOCK"))
    sql_parser_fail (self, "%s locks rows. Leave it out.",
                     sql_parser_sees (self, "FOR") ? "FOR …" : "LOCK …");
  else if (sql_parser_sees (self, "PROCEDURE"))
    sql_parser_fail (self, "PROCEDURE runs a procedure over the result. Leave it out.");
}

/* ClickHouse: WITH FILL FROM a TO b STEP c INTERPOLATE (…). */
static void
read_fill (SqlParser *self, SqlList *list)
{
  static const char *const words[] = { "FROM", "TO", "STEP", "STALENESS", NULL };

  while (sql_parser_accept_any (self, words))
    sql_list_add (self->arena, list, sql_parse_expr (self));
}

/* ClickHouse: INTERPOLATE (a, b AS b + 1). */
static void
read_interpolate (SqlParser *self, SqlList *list)
{
  if (sql_parser_accept (self, ")"))
    return;
  do {
    sql_parser_read_name (self);
    if (sql_parser_accept (self, "AS"))
      sql_list_add (self->arena, list, sql_parse_expr (self));
  } while (sql_parser_accept (self, ","));
  sql_parser_expect (self, ")");
}

/** sql_parse_order: reads what follows ORDER BY into @list */
void
sql_parse_order (SqlParser *self, SqlList *list)
{
  do {
    sql_list_add (self->arena, list, sql_parse_expr (self));
    if (!sql_parser_accept (self, "ASC"))
      sql_parser_accept (self, "DESC");
    if (sql_parser_accept (self, "NULLS") && !sql_parser_accept (self, "FIRST"))
      sql_parser_expect (self, "LAST");
    if (sql_parser_accept (self, "COLLATE"))
      sql_parser_read_name (self);
    if (sql_parser_accept_two (self, "WITH", "FILL"))
      read_fill (self, list);
  } while (sql_parser_accept (self, ","));
  if (sql_parser_is (self, PLUMB_DIALECT_CLICKHOUSE) && sql_parser_accept (self, "INTERPOLATE") &&
      sql_parser_accept (self, "("))
    read_interpolate (self, list);
}

/* ROWS BETWEEN 1 PRECEDING AND CURRENT ROW EXCLUDE TIES. */
static void
read_frame (SqlParser *self, SqlList *list)
{
  static const char *const words[] = { "BETWEEN", "UNBOUNDED", "PRECEDING", "FOLLOWING",
                                       "CURRENT", "ROW",       "AND",       "EXCLUDE",
                                       "NO",      "OTHERS",    "TIES",      "GROUP",
                                       "RANGE",   "ROWS",      "GROUPS",    NULL };

  while (!sql_parser_failed (self) && !sql_parser_sees (self, ")")) {
    if (!sql_parser_accept_any (self, words))
      sql_list_add (self->arena, list, sql_parse_operand (self));
  }
}

/** sql_parse_window: reads a window up to and past its closing parenthesis into @list */
void
sql_parse_window (SqlParser *self, SqlList *list)
{
  static const char *const frames[] = { "ROWS", "RANGE", "GROUPS", NULL };

  if (sql_parser_sees_name (self) && !sql_parser_sees (self, "PARTITION") &&
      !sql_parser_sees (self, "ORDER") && !sql_parser_sees_any (self, frames))
    sql_parser_read_name (self);
  if (sql_parser_accept_two (self, "PARTITION", "BY"))
    sql_parse_expr_list (self, list);
  if (sql_parser_accept_two (self, "ORDER", "BY"))
    sql_parse_order (self, list);
  if (sql_parser_sees_any (self, frames))
    read_frame (self, list);
  sql_parser_expect (self, ")");
}

/* LIMIT n, m · LIMIT n OFFSET m · LIMIT n BY a, b · LIMIT n WITH TIES. */
static void
read_limit (SqlParser *self, SqlQuery *query)
{
  if (sql_parser_accept_two (self, "ROWS", "EXAMINED")) {
    sql_list_add (self->arena, &query->order, sql_parse_expr (self));
    return;
  }
  sql_list_add (self->arena, &query->order, sql_parse_expr (self));
  if (sql_parser_accept (self, ",") || sql_parser_accept (self, "OFFSET"))
    sql_list_add (self->arena, &query->order, sql_parse_expr (self));
  if (sql_parser_is (self, PLUMB_DIALECT_CLICKHOUSE) && sql_parser_accept (self, "BY"))
    sql_parse_expr_list (self, &query->order);
  sql_parser_accept_two (self, "WITH", "TIES");
  if (sql_parser_accept_two (self, "ROWS", "EXAMINED"))
    sql_list_add (self->arena, &query->order, sql_parse_expr (self));
}

/* FETCH FIRST n [PERCENT] ROWS ONLY · WITH TIES. */
static void
read_fetch (SqlParser *self, SqlQuery *query)
{
  static const char *const rows[] = { "ROW", "ROWS", NULL };
  static const char *const approximate[] = { "APPROX", "APPROXIMATE", "EXACT", NULL };

  sql_parser_accept_any (self, approximate);
  if (!sql_parser_accept (self, "FIRST"))
    sql_parser_expect (self, "NEXT");
  if (!sql_parser_sees_any (self, rows))
    sql_list_add (self->arena, &query->order, sql_parse_operand (self));
  sql_parser_accept (self, "PERCENT");
  if (!sql_parser_accept_any (self, rows))
    sql_parser_fail_here (self, "ROWS");
  if (!sql_parser_accept (self, "ONLY") && !sql_parser_accept_two (self, "WITH", "TIES"))
    sql_parser_fail_here (self, "ONLY");
}

/* Settings of ClickHouse that change how an answer is worked out, not what may be used for it. */
static void
read_settings (SqlParser *self)
{
  static const char *const harmless[] = { "join_use_nulls",
                                          "joined_subquery_requires_alias",
                                          "any_join_distinct_right_table_keys",
                                          "join_algorithm",
                                          "transform_null_in",
                                          "final",
                                          "aggregate_functions_null_for_empty",
                                          "union_default_mode",
                                          "group_by_use_nulls",
                                          "totals_mode",
                                          "extremes",
                                          "enable_optimize_predicate_expression",
                                          "optimize_read_in_order",
                                          "optimize_move_to_prewhere",
                                          "use_uncompressed_cache",
                                          "date_time_input_format",
                                          "allow_experimental_analyzer",
                                          "enable_analyzer",
                                          "allow_experimental_window_functions",
                                          "except_default_mode",
                                          "intersect_default_mode",
                                          "prefer_column_name_to_alias",
                                          "session_timezone",
                                          "allow_experimental_join_condition",
                                          "optimize_aggregation_in_order",
                                          "optimize_skip_unused_shards",
                                          "optimize_distinct_in_order",
                                          "optimize_use_projections",
                                          "optimize_functions_to_subcolumns",
                                          "empty_result_for_aggregation_by_empty_set",
                                          "cast_keep_nullable",
                                          "decimal_check_overflow",
                                          "enable_positional_arguments",
                                          "join_any_take_last_row",
                                          "date_time_output_format",
                                          "allow_suspicious_low_cardinality_types",
                                          "data_type_default_nullable",
                                          "legacy_column_name_of_tuple_literal",
                                          "output_format_json_quote_64bit_integers",
                                          NULL };

  do {
    const char *name = sql_parser_read_name (self);

    if (!sql_parser_failed (self) && !g_strv_contains (harmless, name)) {
      sql_parser_fail (self, "The setting “%.60s” can change limits or rights. Leave SETTINGS out.",
                       name);
      return;
    }
    sql_parser_expect (self, "=");
    if (sql_parse_operand (self)->kind != SQL_EXPR_LITERAL)
      sql_parser_fail (self, "A setting's value must be written as it is.");
  } while (sql_parser_accept (self, ","));
}

/* The source chooses the format, so what the statement says of it isn't sent. */
static void
read_format (SqlParser *self)
{
  const SqlToken *before = &self->tokens[self->at - 2];
  const char *name = sql_parser_read_name (self);

  if (sql_parser_failed (self))
    return;
  if (*name == '\0' ||
      strspn (name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") !=
          strlen (name))
    sql_parser_fail (self, "FORMAT has no name of a format behind it.");
  else if (sql_parser_peek (self, 0)->kind != SQL_TOKEN_END && !sql_parser_sees (self, ";"))
    sql_parser_fail_here (self, "the end");
  else
    self->text_end = before->end;
}

/* SQL Server: FOR XML PATH (''), FOR JSON AUTO … shape the result. */
static void
read_shape (SqlParser *self)
{
  static const char *const words[] = { "XML",
                                       "JSON",
                                       "PATH",
                                       "AUTO",
                                       "RAW",
                                       "EXPLICIT",
                                       "TYPE",
                                       "ELEMENTS",
                                       "ROOT",
                                       "BINARY",
                                       "BASE64",
                                       "XSINIL",
                                       "ABSENT",
                                       "INCLUDE_NULL_VALUES",
                                       "WITHOUT_ARRAY_WRAPPER",
                                       ",",
                                       NULL };
  SqlList ignored = { 0 };

  while (!sql_parser_failed (self)) {
    if (sql_parser_accept (self, "("))
      sql_parse_soup (self, &ignored);
    else if (!sql_parser_accept_any (self, words))
      break;
  }
}

/* SQL Server: OPTION (RECOMPILE, MAXRECURSION 100, HASH JOIN …). */
static void
read_options (SqlParser *self)
{
  static const char *const words[] = { "RECOMPILE", "MAXRECURSION", "MAXDOP", "HASH",     "MERGE",
                                       "LOOP",      "JOIN",         "GROUP",  "UNION",    "CONCAT",
                                       "ORDER",     "FORCE",        "FAST",   "OPTIMIZE", "FOR",
                                       "UNKNOWN",   "KEEP",         "PLAN",   "ROBUST",   ",",
                                       NULL };

  sql_parser_expect (self, "(");
  while (!sql_parser_accept (self, ")") && !sql_parser_failed (self)) {
    if (sql_parser_peek (self, 0)->kind == SQL_TOKEN_NUMBER)
      sql_parser_next (self);
    else if (!sql_parser_accept_any (self, words))
      sql_parser_fail (self, "This query option isn't known to be harmless. Leave OPTION out.");
  }
}

static gboolean
read_tail_clause (SqlParser *self, SqlQuery *query)
{
  static const char *const rows[] = { "ROW", "ROWS", NULL };
  gboolean clickhouse = sql_parser_is (self, PLUMB_DIALECT_CLICKHOUSE);

  if (sql_parser_accept_two (self, "ORDER", "BY")) {
    sql_parse_order (self, &query->order);
  } else if (sql_parser_sees (self, "ORDER") && sql_parser_sees_at (self, 1, "SIBLINGS")) {
    sql_parser_next (self);
    sql_parser_next (self);
    sql_parser_expect (self, "BY");
    sql_parse_order (self, &query->order);
  } else if (sql_parser_accept (self, "LIMIT")) {
    read_limit (self, query);
  } else if (sql_parser_accept (self, "OFFSET")) {
    sql_list_add (self->arena, &query->order, sql_parse_operand (self));
    sql_parser_accept_any (self, rows);
  } else if (sql_parser_accept (self, "FETCH")) {
    read_fetch (self, query);
  } else if (clickhouse && sql_parser_accept (self, "SETTINGS")) {
    read_settings (self);
  } else if (clickhouse && sql_parser_accept (self, "FORMAT")) {
    read_format (self);
  } else if (sees_shape (self)) {
    sql_parser_next (self);
    read_shape (self);
  } else if (sql_parser_is (self, PLUMB_DIALECT_SQLSERVER) && sql_parser_accept (self, "OPTION")) {
    read_options (self);
  } else {
    sql_refuse_clause (self);
    return FALSE;
  }
  return TRUE;
}

/** sql_parse_tail: reads order and limits into @query */
void
sql_parse_tail (SqlParser *self, SqlQuery *query)
{
  while (!sql_parser_failed (self) && read_tail_clause (self, query))
    ;
}
