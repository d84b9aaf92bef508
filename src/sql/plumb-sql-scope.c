/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-sql-check.h"

#include <string.h>

/* Which column of which table a name means. Where the catalog doesn't tell, a column counts as read
 * from every table that could have it: a table that hides a column must not be read past. */

/* Columns that every table of an engine has without declaring them. */
static gboolean
is_system_column (SqlCheck *self, const char *name)
{
  static const char *const postgres[] = {
    "ctid", "xmin", "xmax", "cmin", "cmax", "tableoid", NULL
  };
  static const char *const sqlite[] = { "rowid", "oid", "_rowid_", "rank", NULL };
  static const char *const oracle[] = { "ROWID", "ORA_ROWSCN", NULL };
  static const char *const clickhouse[] = { "_part",          "_partition_id",
                                            "_sample_factor", "_table",
                                            "_part_index",    "_part_uuid",
                                            "_part_offset",   NULL };
  const char *const *names = NULL;

  if (self->dialect == PLUMB_DIALECT_POSTGRES)
    names = postgres;
  else if (self->dialect == PLUMB_DIALECT_SQLITE)
    names = sqlite;
  else if (self->dialect == PLUMB_DIALECT_ORACLE)
    names = oracle;
  else if (self->dialect == PLUMB_DIALECT_CLICKHOUSE)
    names = clickhouse;
  for (guint i = 0; names != NULL && names[i] != NULL; i++) {
    if (sql_check_same_column (self, names[i], name))
      return TRUE;
  }
  return FALSE;
}

/* Columns by name. ClickHouse's column attrs stands for attrs.key and attrs.value as well. */
static void
add_to_index (SqlCheck *self, GHashTable *index, SqlOutput *output)
{
  const char *dot = self->dialect == PLUMB_DIALECT_CLICKHOUSE ? strchr (output->name, '.') : NULL;
  const char *key = sql_check_fold_column (self, output->name);

  if (!g_hash_table_contains (index, key))
    g_hash_table_insert (index, (gpointer) key, output);
  if (dot != NULL) {
    key = sql_arena_strndup (self->arena, output->name, dot - output->name);
    if (!g_hash_table_contains (index, key))
      g_hash_table_insert (index, (gpointer) key, output);
  }
}

/* A few are found faster by looking at each. */
static SqlOutput *
find_among_few (SqlCheck *self, SqlRelation *relation, const char *name)
{
  gsize length = strlen (name);

  for (guint i = 0; i < relation->outputs.n; i++) {
    SqlOutput *output = relation->outputs.items[i];

    if (sql_check_same_column (self, output->name, name) ||
        (self->dialect == PLUMB_DIALECT_CLICKHOUSE && strncmp (output->name, name, length) == 0 &&
         output->name[length] == '.'))
      return output;
  }
  return NULL;
}

/** sql_scope_find_output: Returns: (transfer none) (nullable): the column @name of @relation */
SqlOutput *
sql_scope_find_output (SqlCheck *self, SqlRelation *relation, const char *name)
{
  if (relation->outputs.n < 12)
    return find_among_few (self, relation, name);
  /* A relation can still grow while it is being walked: what is new is added. */
  if (relation->index == NULL) {
    relation->index = sql_check_new_index (self, g_str_hash, g_str_equal);
    relation->n_indexed = 0;
  }
  for (; relation->n_indexed < relation->outputs.n; relation->n_indexed++)
    add_to_index (self, relation->index, relation->outputs.items[relation->n_indexed]);
  return g_hash_table_lookup (relation->index, sql_check_fold_column (self, name));
}

static void
read_output (SqlCheck *self, SqlRelation *relation, const char *name)
{
  SqlOutput *output = sql_scope_find_output (self, relation, name);

  if (relation->table >= 0)
    sql_check_add_column (self, relation->table, output != NULL ? output->name : name);
}

static void
read_all (SqlCheck *self, SqlScopeItem *item)
{
  if (item->relation->table >= 0)
    sql_check_add_column (self, item->relation->table, "*");
}

typedef gboolean (*SameName) (SqlCheck *self, const char *a, const char *b);

static SqlScopeItem *
find_item_by (SqlCheck *self, SameName same, SqlScope *scope, const SqlName *names, guint n_names,
              SqlScope **found)
{
  for (; scope != NULL; scope = scope->parent) {
    for (guint i = 0; i < scope->items.n; i++) {
      SqlScopeItem *item = scope->items.items[i];

      if (item->alias == NULL || !same (self, item->alias, names[n_names - 1].text))
        continue;
      if (n_names > 1 &&
          (item->schema == NULL || !same (self, item->schema, names[n_names - 2].text)))
        continue;
      *found = scope;
      return item;
    }
  }
  return NULL;
}

/* The item whose alias is the last of the first @n_names parts; it may be of an outer scope. Some
 * servers of MySQL and MariaDB have no regard to case here; the others refuse what isn't found. */
static SqlScopeItem *
find_item (SqlCheck *self, SqlScope *scope, const SqlName *names, guint n_names, SqlScope **found)
{
  SqlScopeItem *item = find_item_by (self, sql_check_same_name, scope, names, n_names, found);

  if (item == NULL && self->dialect == PLUMB_DIALECT_MARIADB)
    item = find_item_by (self, sql_check_same_column, scope, names, n_names, found);
  return item;
}

static gboolean
is_alias (SqlCheck *self, SqlScope *scope, const char *name)
{
  SqlList *lists[] = { &scope->query->items, &scope->query->aliases };

  if (scope->named == NULL) {
    scope->named = sql_check_new_index (self, g_str_hash, g_str_equal);
    for (guint k = 0; k < G_N_ELEMENTS (lists); k++) {
      for (guint i = 0; i < lists[k]->n; i++) {
        SqlItem *item = lists[k]->items[i];

        if (item->alias != NULL)
          g_hash_table_add (scope->named, (gpointer) sql_check_fold_column (self, item->alias));
      }
    }
  }
  return g_hash_table_contains (scope->named, sql_check_fold_column (self, name));
}

static gboolean
is_lambda_name (SqlScope *scope, const char *name)
{
  for (; scope != NULL; scope = scope->parent) {
    for (guint i = 0; scope->lambda != NULL && i < scope->lambda->n_names; i++) {
      if (strcmp (scope->lambda->names[i].text, name) == 0)
        return TRUE;
    }
  }
  return FALSE;
}

/* Whether names of the select list can stand in any expression of the SELECT. */
static gboolean
aliases_hold (SqlCheck *self, SqlScope *scope)
{
  return scope->aliases || self->dialect == PLUMB_DIALECT_CLICKHOUSE ||
         self->dialect == PLUMB_DIALECT_SQLITE;
}

/* Looks for a column without a qualifier in one scope; TRUE where it is settled. */
static gboolean
read_in_scope (SqlCheck *self, SqlScope *scope, const char *name, SqlType *type)
{
  guint n_unknown = 0;
  guint n_found = 0;

  for (guint i = 0; i < scope->items.n; i++) {
    SqlScopeItem *item = scope->items.items[i];
    SqlOutput *output = sql_scope_find_output (self, item->relation, name);

    n_unknown += item->relation->known ? 0 : 1;
    if (output == NULL)
      continue;
    *type = n_found++ == 0 ? output->type : *type;
    read_output (self, item->relation, name);
  }
  if (n_found > 0)
    return TRUE;
  if (aliases_hold (self, scope) && is_alias (self, scope, name))
    return TRUE;
  for (guint i = 0; n_unknown > 0 && i < scope->items.n; i++) {
    SqlScopeItem *item = scope->items.items[i];

    if (!item->relation->known)
      read_output (self, item->relation, name);
  }
  if (n_unknown > 0)
    return TRUE;
  for (guint i = 0; is_system_column (self, name) && i < scope->items.n; i++) {
    SqlScopeItem *item = scope->items.items[i];

    if (item->relation->table >= 0) {
      read_output (self, item->relation, name);
      return TRUE;
    }
  }
  return FALSE;
}

static SqlType
read_unqualified (SqlCheck *self, SqlScope *scope, SqlExpr *expr)
{
  const char *name = expr->names[0].text;
  SqlType type = SQL_TYPE_ANY;
  SqlScope *found = NULL;
  SqlScopeItem *item;

  if (is_lambda_name (scope, name))
    return SQL_TYPE_ANY;
  for (SqlScope *at = scope; at != NULL; at = at->parent) {
    if (read_in_scope (self, at, name, &type))
      return type;
  }
  if (!expr->names[0].quoted) {
    g_autofree char *upper = g_ascii_strup (name, -1);

    if (sql_name_is_builtin_value (self->dialect, upper))
      return SQL_TYPE_ANY;
  }
  item = find_item (self, scope, expr->names, 1, &found);
  if (item != NULL &&
      (self->dialect == PLUMB_DIALECT_POSTGRES || self->dialect == PLUMB_DIALECT_SQLITE ||
       self->dialect == PLUMB_DIALECT_CLICKHOUSE)) {
    read_all (self, item);
    return item->function ? SQL_TYPE_ANY : SQL_TYPE_ROW;
  }
  /* The catalog can be older than the tables: what isn't known counts as read from each of them. A
   * word in double quotes that is no column is text to SQLite. */
  for (guint i = 0;
       !(self->dialect == PLUMB_DIALECT_SQLITE && expr->names[0].quoted) && i < scope->items.n; i++)
    read_output (self, ((SqlScopeItem *) scope->items.items[i])->relation, name);
  /* Oracle calls a function without parentheses. */
  if (self->dialect == PLUMB_DIALECT_ORACLE)
    sql_check_fail (
        self,
        "There is no column “%s” in the tables that the statement reads, and a function of "
        "that name isn't known to be harmless.",
        name);
  return SQL_TYPE_ANY;
}

/* `t.name` where t has no such column: PostgreSQL calls name(t) then. */
static SqlType
read_attribute (SqlCheck *self, SqlScopeItem *item, const char *name)
{
  if (is_system_column (self, name)) {
    read_output (self, item->relation, name);
    return SQL_TYPE_ANY;
  }
  /* An alias can be a schema's name too, and Oracle calls a function without parentheses. */
  if (self->dialect == PLUMB_DIALECT_ORACLE)
    sql_check_fail (self,
                    "“%s” has no column “%s”, and a function can't be called that way. Look at "
                    "the table's columns.",
                    item->alias, name);
  /* The catalog can be older than the table. */
  if (self->dialect != PLUMB_DIALECT_POSTGRES) {
    read_output (self, item->relation, name);
    return SQL_TYPE_ANY;
  }
  read_all (self, item);
  if (!sql_check_field (self, name, item->function ? SQL_TYPE_ANY : SQL_TYPE_ROW, item->function))
    sql_check_fail (
        self,
        "“%s” has no column “%s”, and calling a function that way isn't known to be harmless. "
        "Look at the table's columns.",
        item->alias, name);
  return SQL_TYPE_ANY;
}

static SqlType
read_of_item (SqlCheck *self, SqlScopeItem *item, const char *name)
{
  SqlOutput *output = sql_scope_find_output (self, item->relation, name);

  if (output != NULL || !item->relation->known) {
    read_output (self, item->relation, name);
    if (output == NULL && item->function && self->dialect == PLUMB_DIALECT_POSTGRES)
      return read_attribute (self, item, name);
    return output != NULL ? output->type : SQL_TYPE_ANY;
  }
  return read_attribute (self, item, name);
}

/* A sequence's value, and Oracle's functions without parentheses, look like columns. */
static void
refuse_unknown_qualifier (SqlCheck *self, SqlExpr *expr)
{
  static const char *const harmless[] = { "DBMS_RANDOM.VALUE", "DBMS_RANDOM.NORMAL", NULL };
  g_autofree char *full = g_strdup (expr->names[0].text);

  for (guint i = 1; i < expr->n_names; i++) {
    g_autofree char *longer = g_strconcat (full, ".", expr->names[i].text, NULL);

    g_free (full);
    full = g_steal_pointer (&longer);
  }
  if (self->dialect == PLUMB_DIALECT_ORACLE && g_strv_contains (harmless, full))
    return;
  sql_check_fail (
      self,
      "“%s” names no table of FROM before its last dot. If it is a sequence or a function, "
      "it can't be used.",
      full);
}

/* `x.NEXTVAL` takes the next value of the sequence x, even where x is an alias too. */
static gboolean
is_sequence_value (SqlCheck *self, SqlExpr *expr)
{
  const SqlName *last = &expr->names[expr->n_names - 1];

  return !last->quoted && self->dialect != PLUMB_DIALECT_SQLITE &&
         self->dialect != PLUMB_DIALECT_CLICKHOUSE && self->dialect != PLUMB_DIALECT_SQLSERVER &&
         (g_ascii_strcasecmp (last->text, "NEXTVAL") == 0 ||
          g_ascii_strcasecmp (last->text, "CURRVAL") == 0);
}

/* ClickHouse: `attrs.key` is a column of a nested structure, or a part of a tuple. */
static gboolean
read_nested (SqlCheck *self, SqlScope *scope, SqlExpr *expr)
{
  SqlType type;
  SqlExpr first = *expr;

  if (self->dialect != PLUMB_DIALECT_CLICKHOUSE)
    return FALSE;
  if (is_lambda_name (scope, expr->names[0].text))
    return TRUE;
  for (SqlScope *at = scope; at != NULL; at = at->parent) {
    g_autofree char *full = g_strconcat (expr->names[0].text, ".", expr->names[1].text, NULL);

    if (read_in_scope (self, at, full, &type) ||
        read_in_scope (self, at, expr->names[0].text, &type))
      return TRUE;
  }
  first.n_names = 1;
  return is_alias (self, scope, first.names[0].text);
}

/**
 * sql_scope_read_column:
 * @scope: where the name stands
 * @expr: a column's name
 *
 * Keeps which column is read, or why the name is refused.
 *
 * Returns: what is known of its type
 */
SqlType
sql_scope_read_column (SqlCheck *self, SqlScope *scope, SqlExpr *expr)
{
  SqlScope *found = NULL;
  guint n = expr->n_names;
  guint column = 0;
  SqlScopeItem *item;

  if (expr->name != NULL) {
    /* From a clause that isn't understood: only what is known to be a column counts. */
    SqlType type;

    for (SqlScope *at = scope; at != NULL; at = at->parent) {
      for (guint i = 0; i < at->items.n; i++) {
        item = at->items.items[i];
        if (sql_scope_find_output (self, item->relation, expr->names[n - 1].text) != NULL)
          read_in_scope (self, at, expr->names[n - 1].text, &type);
      }
    }
    return SQL_TYPE_ANY;
  }
  if (n == 1)
    return read_unqualified (self, scope, expr);
  if (is_sequence_value (self, expr)) {
    refuse_unknown_qualifier (self, expr);
    return SQL_TYPE_ANY;
  }
  item = find_item (self, scope, expr->names, n - 1, &found);
  if (item != NULL)
    return read_of_item (self, item, expr->names[n - 1].text);
  /* PostgreSQL: database.schema.table.column, ClickHouse and Oracle: table.column.part. */
  if (n == 4 && self->dialect == PLUMB_DIALECT_POSTGRES) {
    column = n - 1;
    item = find_item (self, scope, expr->names + 1, n - 2, &found);
  } else if (n > 2 && self->dialect != PLUMB_DIALECT_POSTGRES) {
    for (column = 1; column < n - 1 && item == NULL; column++)
      item = find_item (self, scope, expr->names, column, &found);
    column -= item != NULL ? 1 : 0;
  }
  if (item != NULL) {
    read_of_item (self, item, expr->names[column].text);
    return SQL_TYPE_ANY;
  }
  if (!read_nested (self, scope, expr))
    refuse_unknown_qualifier (self, expr);
  return SQL_TYPE_ANY;
}

static void
add_star_of (SqlCheck *self, SqlScopeItem *item, SqlRelation *outputs)
{
  read_all (self, item);
  if (outputs == NULL)
    return;
  outputs->known = outputs->known && item->relation->known;
  /* Stars of stars double with each level; past this the columns count as not known. */
  if (outputs->outputs.n + item->relation->outputs.n > 20000) {
    outputs->known = FALSE;
    return;
  }
  for (guint i = 0; i < item->relation->outputs.n; i++)
    sql_list_add (self->arena, &outputs->outputs, item->relation->outputs.items[i]);
}

/**
 * sql_scope_read_star:
 * @outputs: (nullable): gets the columns that the star stands for
 */
void
sql_scope_read_star (SqlCheck *self, SqlScope *scope, SqlExpr *expr, SqlRelation *outputs)
{
  SqlScope *found = NULL;
  SqlScopeItem *item;

  if (expr->n_names == 0) {
    for (guint i = 0; i < scope->items.n; i++)
      add_star_of (self, scope->items.items[i], outputs);
    return;
  }
  item = find_item (self, scope, expr->names, expr->n_names, &found);
  if (item != NULL)
    add_star_of (self, item, outputs);
  else if (self->dialect == PLUMB_DIALECT_CLICKHOUSE && outputs != NULL)
    outputs->known = FALSE;
  else
    refuse_unknown_qualifier (self, expr);
}

/**
 * sql_scope_locate:
 * @expr: an expression
 * @item: (out): number of the item in @scope
 * @column: (out): the column's name as it is stored
 *
 * Returns: whether @expr is a column of just one item of @scope itself
 */
gboolean
sql_scope_locate (SqlCheck *self, SqlScope *scope, SqlExpr *expr, guint *item, const char **column)
{
  const char *name;
  guint n_found = 0;
  guint n_unknown = 0;
  SqlScope *found = NULL;
  SqlScopeItem *only = NULL;

  while (expr->kind == SQL_EXPR_CAST && expr->args.n == 1)
    expr = expr->args.items[0];
  if (expr->kind != SQL_EXPR_COLUMN || expr->name != NULL)
    return FALSE;
  name = expr->names[expr->n_names - 1].text;
  if (expr->n_names > 1)
    only = find_item (self, scope, expr->names, expr->n_names - 1, &found);
  if (expr->n_names > 1 && (only == NULL || found != scope))
    return FALSE;
  for (guint i = 0; i < scope->items.n; i++) {
    SqlScopeItem *candidate = scope->items.items[i];
    SqlOutput *output;

    if (only != NULL && candidate != only)
      continue;
    output = sql_scope_find_output (self, candidate->relation, name);
    if (output == NULL && only == NULL && candidate->relation->known)
      continue;
    n_unknown += output == NULL && only == NULL ? 1 : 0;
    n_found++;
    *item = i;
    *column = output != NULL ? output->name : name;
  }
  /* Without a catalog a bare name is told only where there is one table. */
  return n_found == 1 && (n_unknown == 0 || scope->items.n == 1);
}

/** sql_scope_knows: Returns: whether @expr is known as a column or alias, rather than a table */
gboolean
sql_scope_knows (SqlCheck *self, SqlScope *scope, SqlExpr *expr)
{
  SqlScope *found = NULL;
  const char *name = expr->names[expr->n_names - 1].text;

  if (expr->n_names > 1)
    return find_item (self, scope, expr->names, expr->n_names - 1, &found) != NULL;
  if (is_lambda_name (scope, name))
    return TRUE;
  for (; scope != NULL; scope = scope->parent) {
    if (is_alias (self, scope, name))
      return TRUE;
    for (guint i = 0; i < scope->items.n; i++) {
      if (sql_scope_find_output (self, ((SqlScopeItem *) scope->items.items[i])->relation, name) !=
          NULL)
        return TRUE;
    }
  }
  return FALSE;
}
