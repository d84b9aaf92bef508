/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-sql-parser.h"

#include <string.h>

#include "plumb-sql-words.h"

/* Clauses that nothing but their engine needs to understand (PIVOT, MODEL, MATCH_RECOGNIZE, the
 * columns of JSON_TABLE): what matters in them is which functions they call and which subqueries
 * they hold, and those are found without knowing the grammar around them. */

/* Words that stand before a parenthesis without being a call. Types are among them. */
static const char clause_words[] =
    "ALL AND ANY AS BEFORE BETWEEN BY CELL CHECK COLUMNS CONDITION CYCLE DEFAULT DEFINE DESC "
    "DIMENSION ELSE ERROR EXCLUDE EXISTS FINAL FIRST FOR FROM IN INCLUDE ITERATE KEEP KEY LAST "
    "LIKE MAIN MATCH MEASURES NAV NESTED NEXT NOT NULL ON OR ORDER OVER PARTITION PATH PATTERN "
    "PERMUTE PIVOT RETURN ROWS RULES RUNNING SEQUENTIAL SET SINGLE SKIP SUBSET THEN TO TYPE "
    "UNIQUE UNPIVOT UNTIL UPDATE UPSERT USING VALUE VALUES WHEN WHERE WITH WITHIN XML BIGINT "
    "BINARY BIT BLOB CHAR CHARACTER CLOB DATE DATETIME DEC DECIMAL DOUBLE FLOAT INT INTEGER "
    "INTERVAL JSON NCHAR NUMBER NUMERIC NVARCHAR NVARCHAR2 RAW REAL SMALLINT TEXT TIME TIMESTAMP "
    "TINYINT VARBINARY VARCHAR VARCHAR2 VARYING XMLTYPE DAY SECOND MONTH YEAR FIXEDSTRING ENUM8 "
    "ENUM16 ARRAY NULLABLE TUPLE MAP LOWCARDINALITY NESTED DATETIME64 DECIMAL32 DECIMAL64 "
    "DECIMAL128 DECIMAL256 VARIANT OBJECT AGGREGATEFUNCTION SIMPLEAGGREGATEFUNCTION UNSIGNED "
    "SIGNED";

static gboolean
is_clause_word (const SqlToken *token)
{
  static GHashTable *words;

  return token->kind == SQL_TOKEN_WORD &&
         sql_word_list_contains (&words, clause_words, token->upper);
}

/* A name here: a call, a word of the clause, or what may be a column. */
static void
read_soup_name (SqlParser *self, SqlList *list)
{
  const SqlToken *first = sql_parser_peek (self, 0);
  guint n_names = 0;
  SqlName *names;
  SqlExpr *expr;

  if (sql_parser_sees (self, "SELECT") || sql_parser_sees (self, "INTO")) {
    sql_parser_fail_here (self, "a parenthesis before a subquery");
    return;
  }
  names = sql_parser_read_names (self, &n_names);
  if (sql_parser_sees (self, "*"))
    return;
  expr = sql_expr_new (self->arena,
                       sql_parser_sees (self, "(") ? SQL_EXPR_FUNCTION : SQL_EXPR_COLUMN);
  expr->names = names;
  expr->n_names = n_names;
  if (expr->kind == SQL_EXPR_COLUMN) {
    /* May as well be a word of the clause: counts where the catalog knows such a column. */
    expr->name = "loose";
    sql_list_add (self->arena, list, expr);
  } else if (n_names == 1 && is_clause_word (first)) {
    sql_parser_next (self);
    sql_parse_soup (self, list);
  } else {
    sql_parser_next (self);
    sql_parse_soup (self, &expr->args);
    expr->name = "soup";
    sql_list_add (self->arena, list, expr);
  }
}

/**
 * sql_parse_soup:
 * @list: where calls, subqueries and what may be columns go
 *
 * Reads up to the parenthesis that closes the one just read, and past it.
 */
void
sql_parse_soup (SqlParser *self, SqlList *list)
{
  if (!sql_parser_enter (self)) {
    sql_parser_leave (self);
    return;
  }
  while (!sql_parser_accept (self, ")") && !sql_parser_failed (self)) {
    const SqlToken *token = sql_parser_peek (self, 0);

    if (token->kind == SQL_TOKEN_END || sql_parser_sees (self, ";")) {
      sql_parser_fail_here (self, ")");
    } else if (sql_parser_sees (self, "(")) {
      sql_parser_next (self);
      if (sql_parser_sees (self, "SELECT") || sql_parser_sees (self, "WITH"))
        sql_list_add (self->arena, list, sql_parse_subquery (self));
      else
        sql_parse_soup (self, list);
    } else if (token->kind == SQL_TOKEN_WORD || token->kind == SQL_TOKEN_QUOTED) {
      read_soup_name (self, list);
    } else if (sql_parser_sees (self, ":=")) {
      sql_parser_fail (self, "Assigning a variable changes the session. Leave it out.");
    } else {
      sql_parser_next (self);
    }
  }
  sql_parser_leave (self);
}

/* A type that users made in .NET parses its values by their code. */
static gboolean
is_own_type (SqlExpr *type)
{
  static GHashTable *types;
  const char *name = type->n_names > 0 ? type->names[type->n_names - 1].text : "";
  g_autofree char *lower = g_ascii_strdown (name, -1);

  if (type->n_names > 1 && g_ascii_strcasecmp (type->names[type->n_names - 2].text, "sys") != 0)
    return FALSE;
  return *lower == '\0' ||
         sql_word_list_contains (
             &types,
             "bigint int integer smallint tinyint bit decimal dec numeric money smallmoney float "
             "real double date datetimeoffset datetime2 smalldatetime datetime time char character "
             "varchar text nchar nvarchar ntext national binary varbinary image rowversion "
             "timestamp hierarchyid uniqueidentifier sql_variant xml geography geometry sysname "
             "json vector",
             lower);
}

/**
 * sql_parse_type:
 * @expr: gets the type's name
 *
 * Reads a type with what stands in its parentheses: `NUMBER (10, 2)`, `Array(Nullable(String))`,
 * `DOUBLE PRECISION`, `TIMESTAMP WITH TIME ZONE`.
 */
void
sql_parse_type (SqlParser *self, SqlExpr *expr)
{
  static const char *const more[] = { "PRECISION", "VARYING", "UNSIGNED", "SIGNED",    "INTEGER",
                                      "INT",       "WITH",    "WITHOUT",  "LOCAL",     "TIME",
                                      "ZONE",      "LARGE",   "OBJECT",   "CHARACTER", "ARRAY",
                                      "DAY",       "YEAR",    "MONTH",    "SECOND",    "TO",
                                      "BYTE",      "CHAR",    "BINARY",   "ASCII",     "UNICODE",
                                      NULL };
  static const char *const charsets[] = { "SET", "CHARSET", "COLLATE", NULL };
  SqlList ignored = { 0 };

  sql_parser_accept (self, "REF");
  expr->names = sql_parser_read_names (self, &expr->n_names);
  if (sql_parser_is (self, PLUMB_DIALECT_SQLSERVER) && !is_own_type (expr))
    sql_parser_fail (self, "The type “%.60s” isn't SQL Server's own, and making a value of it can "
                           "run code of a user.", expr->names[expr->n_names - 1].text);
  while (!sql_parser_failed (self)) {
    if (sql_parser_accept (self, "(")) {
      sql_parse_soup (self, &ignored);
    } else if (sql_parser_sees (self, "[") && sql_parser_sees_at (self, 1, "]")) {
      sql_parser_next (self);
      sql_parser_next (self);
    } else if (sql_parser_accept_any (self, charsets)) {
      sql_parser_read_name (self);
    } else if (sql_parser_is (self, PLUMB_DIALECT_SQLITE) && sql_parser_sees_name (self)) {
      /* SQLite takes any words for a type. */
      sql_parser_next (self);
    } else if (!sql_parser_accept_any (self, more)) {
      break;
    }
  }
}
