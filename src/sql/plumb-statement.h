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
 * PlumbObjectKind: kinds of objects that users of a database can make and SQL text can call
 */
typedef enum {
  PLUMB_OBJECT_FUNCTION,
  PLUMB_OBJECT_OPERATOR,
  PLUMB_OBJECT_CAST,
  PLUMB_OBJECT_TYPE,
} PlumbObjectKind;

/**
 * PlumbObjectVerdict: what a source says of an object
 */
typedef enum {
  PLUMB_OBJECT_UNKNOWN,
  PLUMB_OBJECT_HARMLESS,
  PLUMB_OBJECT_HARMFUL,
} PlumbObjectVerdict;

/**
 * PlumbUserObject:
 * @schema: its schema
 * @name: its name; of a cast the type that it gives, without its schema
 * @arguments: (nullable): types of the arguments as the engine spells them (PostgreSQL:
 *   format_type); of an operator its operands, of a cast the type that it takes
 * @n_defaults: how many of the last arguments can be left out
 * @variadic: whether the last argument can be repeated
 * @implicit: of a cast: whether the engine applies it without being asked
 * @extension: (nullable): the extension that it came with. What is known of extensions stands in
 *   src/sql, the source only names it
 * @base: (nullable): of a domain the type that it stands on
 * @fields: (nullable): of a composite type the names of its fields
 * @verdict: %PLUMB_OBJECT_HARMLESS where the source's owner allowed it by name, or for a type that
 *   runs nothing (an enum; a composite and a domain where neither a check nor a part of it does);
 *   otherwise %PLUMB_OBJECT_UNKNOWN, which counts as harmful unless @extension is known
 *
 * An object that isn't the engine's own.
 */
typedef struct {
  char *schema;
  char *name;
  GStrv arguments;
  guint n_defaults;
  gboolean variadic;
  gboolean implicit;
  char *extension;
  char *base;
  GStrv fields;
  PlumbObjectVerdict verdict;
} PlumbUserObject;

/**
 * PlumbCheckContext:
 * @catalog: (nullable): the tables of the source; a table that isn't in it is refused
 * @default_schema: (nullable): schema of unqualified names; %NULL for the dialect's usual one
 * @search_path: (nullable): schemas in which unqualified names are looked for, where there are
 *   several; the engine's own schema (pg_catalog) isn't among them
 * @ansi_quotes: MariaDB: whether sql_mode has ANSI_QUOTES
 * @no_backslash_escapes: MariaDB: whether sql_mode has NO_BACKSLASH_ESCAPES
 * @find_objects: (nullable): objects of users (all that are not the engine's own) of that kind and
 *   name, compared as the engine compares them. @schema is the schema that the text names, or
 * %NULL: then those that the search path reaches (PostgreSQL), or all (other engines). @name %NULL
 * asks for all of that kind. Returns (transfer none) (nullable) (element-type PlumbUserObject),
 * kept by the source at least until the check returns
 * @get_view_definition: (nullable): the SELECT that a view stands for, (transfer full) (nullable);
 *   what it reads and calls is checked as well. %NULL as the answer refuses the view
 * @check_relation: (nullable): whether reading a table or view runs code that no text shows: a row
 *   security policy (PostgreSQL), an engine that reaches out (ClickHouse URL, File, MySQL …)
 * @user_data: passed to all
 *
 * What the check may ask. A source fills it; a callback that is %NULL means that it can't be asked.
 */
typedef struct {
  PlumbCatalog *catalog;
  const char *default_schema;
  const char *const *search_path;
  gboolean ansi_quotes;
  gboolean no_backslash_escapes;
  GPtrArray *(*find_objects) (PlumbObjectKind kind, const char *schema, const char *name,
                              gpointer user_data);
  char *(*get_view_definition) (const char *schema, const char *name, gpointer user_data);
  PlumbObjectVerdict (*check_relation) (const char *schema, const char *name, gpointer user_data);
  gpointer user_data;
} PlumbCheckContext;

/**
 * PlumbSqlTable:
 * @schema: (nullable): the schema; %NULL where an unqualified name's schema isn't known
 * @table: the name
 *
 * A table or view that a statement names, as the engine stores the name.
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
 * @select: the SELECT that it stands in, numbered from 0 in no particular order
 */
typedef struct {
  const char *kind;
  int left;
  int right;
  GStrv left_columns;
  GStrv right_columns;
  int select;
} PlumbSqlJoin;

/**
 * PlumbSqlAggregate:
 * @function: "sum", "avg", "count", "min", "max" …, in lower case
 * @distinct: whether DISTINCT stands in it
 * @star: count(*)
 * @table: index into the tables of its argument's column, -1 where it can't be told
 * @column: (nullable): that column
 * @select: the SELECT that it stands in: only joins of the same one multiply its rows
 */
typedef struct {
  char *function;
  gboolean distinct;
  gboolean star;
  int table;
  char *column;
  int select;
} PlumbSqlAggregate;

/**
 * PlumbStatement:
 * @allowed: whether it only reads
 * @reason: (nullable): why it is refused, in words that a person or a model can act on
 * @tables: (element-type PlumbSqlTable): tables and views that it names; CTEs and aliases are not
 * @behind: (element-type PlumbSqlTable): tables and views behind the views in @tables, as far as
 *   the source told what these stand for
 * @columns: (element-type PlumbSqlColumn): columns that it reads, where that can be told
 * @joins: (element-type PlumbSqlJoin): its joins, those in a WHERE clause too
 * @aggregates: (element-type PlumbSqlAggregate): its aggregates
 * @warnings: (element-type utf8): what can't be decided, in words
 * @joins_known: whether @joins is the whole truth; %FALSE where something couldn't be decided
 * @text: (nullable): what to send to the engine: the statement without a semicolon at its end, and
 *   without the FORMAT clause of ClickHouse, which the source chooses; %NULL where it is refused
 */
typedef struct {
  gboolean allowed;
  char *reason;
  GPtrArray *tables;
  GPtrArray *behind;
  GPtrArray *columns;
  GPtrArray *joins;
  GPtrArray *aggregates;
  GPtrArray *warnings;
  gboolean joins_known;
  char *text;
} PlumbStatement;

PlumbUserObject *plumb_user_object_new      (const char *schema, const char *name);
void            plumb_user_object_free      (PlumbUserObject *self);
PlumbStatement *plumb_statement_check (PlumbDialect dialect, const char *sql, gssize length,
                                       const PlumbCheckContext *context);
void            plumb_statement_free        (PlumbStatement *self);
void            plumb_statement_write_json  (PlumbStatement *self, PlumbJsonWriter *writer);
const char     *plumb_dialect_to_string     (PlumbDialect dialect);
gboolean        plumb_dialect_from_string   (const char *text, PlumbDialect *dialect);
char           *plumb_sql_quote_identifier  (PlumbDialect dialect, const char *name);
char           *plumb_sql_quote_string      (PlumbDialect dialect, const char *text);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlumbStatement, plumb_statement_free)

G_END_DECLS
