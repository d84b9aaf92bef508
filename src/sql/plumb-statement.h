/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-catalog.h"
#include "plumb-json.h"

G_BEGIN_DECLS

typedef enum {
  PLUMB_DIALECT_POSTGRES,
  PLUMB_DIALECT_MARIADB,
  PLUMB_DIALECT_CLICKHOUSE,
  PLUMB_DIALECT_SQLITE,
  PLUMB_DIALECT_ORACLE,
  PLUMB_DIALECT_SQLSERVER,
  PLUMB_DIALECT_GENERIC,
} PlumbDialect;

/**
 * PlumbFunctionVerdict: what a source says of a function that the text alone can't tell of
 */
typedef enum {
  PLUMB_FUNCTION_UNKNOWN,
  PLUMB_FUNCTION_HARMLESS,
  PLUMB_FUNCTION_HARMFUL,
} PlumbFunctionVerdict;

/**
 * PlumbCheckContext:
 * @catalog: (nullable): the tables of the source; without it what needs a catalog is refused
 * @default_schema: (nullable): schema of unqualified names; %NULL for the dialect's usual one
 * @has_user_objects: (nullable): whether the source has objects of its users that the text can reach
 *   under a built-in's name or a built-in's syntax (functions, operators, casts, types). @kind is
 *   "function", "operator", "cast" or "type"; @name is the name, "" for whether there are any at all
 * @function: (nullable): asks the source about a function by name and number of arguments
 * @user_data: passed to both
 *
 * What the check may ask. A source fills it, see plumb_source_get_check_context().
 */
typedef struct {
  PlumbCatalog *catalog;
  const char *default_schema;
  gboolean (*has_user_objects) (const char *kind, const char *name, gpointer user_data);
  PlumbFunctionVerdict (*function) (const char *schema, const char *name, int n_arguments, gpointer user_data);
  gpointer user_data;
} PlumbCheckContext;

/**
 * PlumbSqlTable: a table or view that a statement names, as the engine stores the name
 */
typedef struct {
  char *schema;
  char *table;
} PlumbSqlTable;

/**
 * PlumbSqlColumn: a column that a statement reads; @column is "*" where all are read
 */
typedef struct {
  char *schema;
  char *table;
  char *column;
} PlumbSqlColumn;

/**
 * PlumbSqlJoin:
 * @kind: "inner", "left", "right", "full", "cross"
 * @left: index into the tables, -1 where the side is no table (a subquery, a CTE)
 * @right: likewise
 * @left_columns: columns of @left in the equalities that join the two; empty for a cross join
 * @right_columns: columns of @right, in the same order
 */
typedef struct {
  const char *kind;
  int left;
  int right;
  GStrv left_columns;
  GStrv right_columns;
} PlumbSqlJoin;

/**
 * PlumbSqlAggregate:
 * @function: "sum", "avg", "count", "min", "max" …, in lower case
 * @distinct: whether DISTINCT stands in it
 * @star: count(*)
 * @table: index into the tables of its argument's column, -1 where it can't be told
 * @column: (nullable): that column
 */
typedef struct {
  char *function;
  gboolean distinct;
  gboolean star;
  int table;
  char *column;
} PlumbSqlAggregate;

/**
 * PlumbStatement:
 * @allowed: whether it only reads
 * @reason: (nullable): why it is refused, in words that a person or a model can act on
 * @tables: (element-type PlumbSqlTable): tables and views that it names; CTEs and aliases are not
 * @columns: (element-type PlumbSqlColumn): columns that it reads, where that can be told
 * @joins: (element-type PlumbSqlJoin): its joins, those in a WHERE clause too
 * @aggregates: (element-type PlumbSqlAggregate): its aggregates
 * @warnings: (element-type utf8): what can't be decided, in words
 * @joins_known: whether @joins is the whole truth; %FALSE where something couldn't be decided
 */
typedef struct {
  gboolean allowed;
  char *reason;
  GPtrArray *tables;
  GPtrArray *columns;
  GPtrArray *joins;
  GPtrArray *aggregates;
  GPtrArray *warnings;
  gboolean joins_known;
} PlumbStatement;

PlumbStatement *plumb_statement_check       (PlumbDialect dialect, const char *sql, gssize length, const PlumbCheckContext *context);
void            plumb_statement_free        (PlumbStatement *self);
void            plumb_statement_write_json  (PlumbStatement *self, PlumbJsonWriter *writer);
const char     *plumb_dialect_to_string     (PlumbDialect dialect);
gboolean        plumb_dialect_from_string   (const char *text, PlumbDialect *dialect);
char           *plumb_sql_quote_identifier  (PlumbDialect dialect, const char *name);
char           *plumb_sql_quote_string      (PlumbDialect dialect, const char *text);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlumbStatement, plumb_statement_free)

G_END_DECLS
