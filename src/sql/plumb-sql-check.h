/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-sql-tree.h"
#include "plumb-table-name.h"

G_BEGIN_DECLS

/* The walk over a tree that finds what a statement reads and refuses what it must not do. */

/* Both the parser's and PostgreSQL's trees stay below this; it guards the stack of any thread. */
#define SQL_CHECK_MAX_DEPTH 3000

/**
 * SqlType: what is known of a value's type, as far as it tells functions of one name apart
 *
 * SQL_TYPE_ANY stands for a type that isn't known: anything may be chosen for it. SQL_TYPE_LITERAL
 * is a string or NULL without a type, which becomes what it is wanted as; SQL_TYPE_OWN one of the
 * engine's own types, which one isn't known.
 */
typedef enum {
  SQL_TYPE_ANY,
  SQL_TYPE_LITERAL,
  SQL_TYPE_OWN,
  SQL_TYPE_NUMBER,
  SQL_TYPE_STRING,
  SQL_TYPE_TIME,
  SQL_TYPE_INTERVAL,
  SQL_TYPE_BOOLEAN,
  SQL_TYPE_ARRAY,
  SQL_TYPE_JSON,
  SQL_TYPE_OTHER,
  SQL_TYPE_ROW,
} SqlType;

/**
 * SqlOutput: a column of a table, a subquery or a CTE
 */
typedef struct {
  const char *name;
  SqlType type;
} SqlOutput;

/**
 * SqlRelation:
 * @outputs: (element-type SqlOutput): its columns
 * @known: whether @outputs is all of them
 * @table: index into the statement's tables, -1 for what is no table
 * @index: (nullable): @outputs by their names, where there are many
 * @n_indexed: how many of @outputs are in @index
 */
typedef struct {
  SqlList outputs;
  gboolean known;
  int table;
  GHashTable *index;
  guint n_indexed;
} SqlRelation;

/**
 * SqlCteEntry: a name that WITH gave, and those that hold outside of it
 */
typedef struct _SqlCteEntry SqlCteEntry;
struct _SqlCteEntry {
  const char *name;
  SqlRelation *relation;
  SqlCteEntry *outer;
};

/**
 * SqlScopeItem:
 * @alias: the name that qualifies its columns
 * @schema: (nullable): the schema that may stand before it
 * @function: whether it is a function's result
 * @lateral: whether items before it may tell it which rows to give
 */
typedef struct {
  const char *alias;
  const char *schema;
  SqlRelation *relation;
  gboolean function;
  gboolean lateral;
} SqlScopeItem;

/**
 * SqlScope:
 * @parent: (nullable): the scope around it
 * @items: (element-type SqlScopeItem): what FROM gives
 * @query: the SELECT
 * @names: (nullable): parameters of a lambda, which hide columns
 * @aliases: whether names of the select list can be used, and hide nothing
 * @select: number of the SELECT
 * @joins: what is known of how the items are joined
 * @pairs: (nullable): @joins by their two items
 * @named: (nullable): names of the select list
 * @conditions: (element-type SqlJoinCondition): conditions that wait for the whole of FROM
 */
typedef struct _SqlScope SqlScope;
struct _SqlScope {
  SqlScope *parent;
  SqlList items;
  SqlQuery *query;
  SqlExpr *lambda;
  gboolean aliases;
  int select;
  SqlList joins;
  GHashTable *pairs;
  GHashTable *named;
  SqlList conditions;
};

/**
 * SqlJoinCondition: what stands behind ON, and the numbers of the items that it joins
 */
typedef struct {
  SqlFrom *join;
  guint first;
  guint middle;
  guint end;
} SqlJoinCondition;

/**
 * SqlCheck:
 * @statement: what is found goes here
 * @indexes: (element-type GHashTable): what is looked up by name, freed with the check
 * @tables: (nullable): numbers of the tables that are kept already, plus one
 * @behind: (nullable): the same for those behind views
 * @columns: (nullable): columns that are kept already
 * @views: (nullable): views whose text was checked
 * @casts: (element-type PlumbUserObject): casts of users that aren't harmless
 * @casts_known: whether @casts was asked for
 * @quiet: how deep in views the walk is; only a refusal counts there
 * @reason: (nullable): why the statement is refused
 */
typedef struct {
  SqlArena *arena;
  PlumbDialect dialect;
  const PlumbCheckContext *context;
  PlumbStatement *statement;
  GPtrArray *indexes;
  GHashTable *tables;
  GHashTable *behind;
  GHashTable *columns;
  GHashTable *views;
  SqlList casts;
  gboolean casts_known;
  guint quiet;
  guint depth;
  guint n_columns_read;
  int n_selects;
  char *reason;
} SqlCheck;

/* plumb-sql-check.c */
void         sql_check_fail          (SqlCheck *self, const char *format, ...) G_GNUC_PRINTF (2, 3);
gboolean     sql_check_failed        (SqlCheck *self);
void         sql_check_warn          (SqlCheck *self, const char *format, ...) G_GNUC_PRINTF (2, 3);
gboolean     sql_check_same_name     (SqlCheck *self, const char *a, const char *b);
GHashTable  *sql_check_new_index     (SqlCheck *self, GHashFunc hash, GEqualFunc equal);
const char  *sql_check_fold_column   (SqlCheck *self, const char *name);
gboolean     sql_check_same_column   (SqlCheck *self, const char *a, const char *b);
int          sql_check_add_table     (SqlCheck *self, const char *schema, const char *table);
void         sql_check_add_column    (SqlCheck *self, int table, const char *column);
void         sql_check_query         (SqlCheck *self, SqlQuery *query);
void         sql_check_view_text     (SqlCheck *self, const char *name, const char *text);

/* plumb-sql-walk.c */
SqlRelation *sql_walk_query (SqlCheck *self, SqlQuery *query, SqlScope *parent, SqlCteEntry *ctes);
SqlType sql_walk_expr (SqlCheck *self, SqlScope *scope, SqlCteEntry *ctes, SqlExpr *expr);

/* plumb-sql-walk-from.c */
void sql_walk_from (SqlCheck *self, SqlScope *scope, SqlCteEntry *ctes, SqlFrom *from);
void sql_walk_conditions (SqlCheck *self, SqlScope *scope, SqlCteEntry *ctes);

/* plumb-sql-relation.c */
SqlRelation *sql_relation_new        (SqlCheck *self);
void sql_relation_add (SqlCheck *self, SqlRelation *relation, const char *name, SqlType type);
PlumbTable  *sql_relation_lookup      (SqlCheck *self, const char *schema, const char *name);
SqlRelation *sql_relation_find (SqlCheck *self, SqlCteEntry *ctes, SqlName *names, guint n_names,
                                const char **schema);

/* plumb-sql-scope.c */
SqlType      sql_scope_read_column   (SqlCheck *self, SqlScope *scope, SqlExpr *expr);
void sql_scope_read_star (SqlCheck *self, SqlScope *scope, SqlExpr *expr, SqlRelation *outputs);
SqlOutput   *sql_scope_find_output   (SqlCheck *self, SqlRelation *relation, const char *name);
gboolean     sql_scope_knows         (SqlCheck *self, SqlScope *scope, SqlExpr *expr);
gboolean sql_scope_locate (SqlCheck *self, SqlScope *scope, SqlExpr *expr, guint *item,
                           const char **column);

/* plumb-sql-joins.c */
void sql_joins_add_condition (SqlCheck *self, SqlScope *scope, SqlExpr *condition, const char *kind,
                              guint first, guint middle, guint end);
void sql_joins_add_columns (SqlCheck *self, SqlScope *scope, SqlList *columns, gboolean natural,
                            const char *kind, guint first, guint middle, guint end);
void         sql_joins_finish        (SqlCheck *self, SqlScope *scope);
void sql_joins_add_aggregate (SqlCheck *self, SqlScope *scope, SqlExpr *call, const char *name);

/* plumb-sql-objects.c */
GPtrArray   *sql_objects_find        (SqlCheck *self, PlumbObjectKind kind, const char *schema,
                                      const char *name);
GPtrArray   *sql_objects_find_type   (SqlCheck *self, const char *spelled);
gboolean     sql_object_is_harmless  (const PlumbUserObject *object);
PlumbUserObject *sql_objects_find_harmful (SqlCheck *self, GPtrArray *objects, const SqlType *types,
                                           guint n_types, guint *n_meant);
gboolean     sql_casts_reach_objects (SqlCheck *self, const SqlType *types, guint n_types);
PlumbUserObject *sql_casts_find_hidden (SqlCheck *self, const char *name, const SqlType *types,
                                        guint n_types);
gboolean     sql_casts_judge         (SqlCheck *self, const char *name, SqlType from);

/* plumb-sql-calls.c */
SqlType sql_check_call (SqlCheck *self, SqlScope *scope, SqlExpr *call, const SqlType *types,
                        guint n_types);
SqlType sql_check_operator (SqlCheck *self, SqlExpr *expr, const SqlType *types, guint n_types);
SqlType      sql_check_cast          (SqlCheck *self, SqlExpr *cast, SqlType from);
gboolean sql_check_field (SqlCheck *self, const char *name, SqlType from, gboolean of_function);

/* plumb-sql-types.c */
SqlType      sql_type_from_name      (const char *name);
gboolean     sql_type_is_builtin     (const char *name);

/* plumb-functions.c and the lists beside it */
gboolean     sql_function_is_harmless (PlumbDialect dialect, const char *name);
gboolean     sql_function_gives_rows  (PlumbDialect dialect, const char *name);
gboolean     sql_function_gives_field (const char *name);
char        *sql_function_aggregate   (PlumbDialect dialect, const char *name);
gboolean     sql_name_is_builtin_value (PlumbDialect dialect, const char *upper);
const char  *sql_extension_judge      (const char *extension, const char *function);

/* plumb-sql-arguments.c */
const char  *sql_arguments_judge      (SqlCheck *self, SqlExpr *call, const char *name);


G_END_DECLS
