/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-sql-check.h"

#include <string.h>

/* More than people join, and few enough to hold each against each. */
#define MAX_ITEMS 400

static SqlScopeItem *
add_item (SqlCheck *self, SqlScope *scope, const char *alias, const char *schema,
          SqlRelation *relation, gboolean function)
{
  SqlScopeItem *item = sql_arena_alloc (self->arena, sizeof (SqlScopeItem));

  item->alias = alias;
  item->schema = schema;
  item->relation = relation;
  item->function = function;
  if (scope->items.n >= MAX_ITEMS)
    sql_check_fail (self, "The statement joins more than %d tables.", MAX_ITEMS);
  else
    sql_list_add (self->arena, &scope->items, item);
  return item;
}

/* @relation with the names that an alias gives its columns. */
static SqlRelation *
rename_columns (SqlCheck *self, SqlRelation *relation, SqlFrom *from)
{
  SqlRelation *renamed;

  if (from->columns.n == 0 && !from->opaque)
    return relation;
  renamed = sql_relation_new (self);
  renamed->known = relation->known && !from->opaque;
  for (guint i = 0; i < MAX (from->columns.n, relation->outputs.n); i++) {
    SqlOutput *output = i < relation->outputs.n ? relation->outputs.items[i] : NULL;

    sql_relation_add (self, renamed, i < from->columns.n ? from->columns.items[i] : output->name,
                      output != NULL ? output->type : SQL_TYPE_ANY);
  }
  /* Under other names a column is no longer this table's: those that are renamed count as read. */
  if (relation->table >= 0)
    sql_check_add_column (self, relation->table, "*");
  return renamed;
}

static void
walk_table (SqlCheck *self, SqlScope *scope, SqlCteEntry *ctes, SqlFrom *from)
{
  const char *schema = NULL;
  SqlRelation *relation = sql_relation_find (self, ctes, from->names, from->n_names, &schema);
  const char *alias = from->alias != NULL ? from->alias : from->names[from->n_names - 1].text;

  add_item (self, scope, alias, from->alias != NULL ? NULL : schema,
            rename_columns (self, relation, from), FALSE);
}

static void
walk_subquery (SqlCheck *self, SqlScope *scope, SqlCteEntry *ctes, SqlFrom *from)
{
  SqlRelation *relation = sql_walk_query (self, from->query, from->lateral ? scope : scope->parent,
                                          ctes);
  SqlScopeItem *item = add_item (self, scope, from->alias, NULL,
                                 rename_columns (self, relation, from), FALSE);

  item->lateral = from->lateral;
}

/* Columns of a function in FROM: those that the alias names, or the function's own. */
static SqlRelation *
function_outputs (SqlCheck *self, SqlFrom *from, SqlType type)
{
  SqlRelation *relation = sql_relation_new (self);
  SqlExpr *first = from->functions.n > 0 ? from->functions.items[0] : NULL;

  for (guint i = 0; i < from->columns.n; i++)
    sql_relation_add (self, relation, from->columns.items[i], type);
  if (from->columns.n == 0 && from->alias != NULL)
    sql_relation_add (self, relation, from->alias, type);
  if (from->columns.n == 0 && first != NULL && first->kind == SQL_EXPR_FUNCTION &&
      first->n_names > 0)
    sql_relation_add (self, relation, first->names[first->n_names - 1].text, type);
  return relation;
}

/* SQLite: search ('words') reads the virtual table search. Only those can be called. */
static gboolean
walk_called_table (SqlCheck *self, SqlScope *scope, SqlCteEntry *ctes, SqlFrom *from, SqlExpr *call)
{
  const char *schema = NULL;
  SqlRelation *relation;

  if (self->dialect != PLUMB_DIALECT_SQLITE || call == NULL || call->kind != SQL_EXPR_FUNCTION ||
      self->context == NULL || self->context->catalog == NULL ||
      plumb_catalog_find (self->context->catalog, "main", call->names[call->n_names - 1].text) ==
          NULL)
    return FALSE;
  relation = sql_relation_find (self, NULL, call->names, call->n_names, &schema);
  add_item (self, scope, from->alias != NULL ? from->alias : call->names[call->n_names - 1].text,
            NULL, relation, FALSE);
  for (guint i = 0; i < call->args.n; i++)
    sql_walk_expr (self, scope, ctes, call->args.items[i]);
  return TRUE;
}

static void
walk_function (SqlCheck *self, SqlScope *scope, SqlCteEntry *ctes, SqlFrom *from)
{
  SqlExpr *first = from->functions.n > 0 ? from->functions.items[0] : NULL;
  const char *alias = from->alias;
  SqlType type = SQL_TYPE_ANY;

  if (walk_called_table (self, scope, ctes, from, first))
    return;
  for (guint i = 0; i < from->functions.n; i++) {
    SqlType next = sql_walk_expr (self, scope, ctes, from->functions.items[i]);

    type = i == 0 || next == type ? next : SQL_TYPE_ANY;
  }
  /* A row of the engine's own function has fields of its own types; which, isn't known. */
  if (type != SQL_TYPE_ANY && type != SQL_TYPE_ROW)
    type = SQL_TYPE_OWN;
  if (from->modifiers.n > 0 || self->dialect != PLUMB_DIALECT_POSTGRES)
    type = SQL_TYPE_ANY;
  if (alias == NULL && first != NULL && first->kind == SQL_EXPR_FUNCTION && first->n_names > 0)
    alias = first->names[first->n_names - 1].text;
  add_item (self, scope, alias, NULL, function_outputs (self, from, type), TRUE);
}

/* An alias for a whole join, with names for its columns. */
static void
add_join_alias (SqlCheck *self, SqlScope *scope, SqlFrom *from, guint first)
{
  SqlRelation *all = sql_relation_new (self);

  if (from->alias == NULL)
    return;
  all->known = from->columns.n == 0;
  for (guint i = first; i < scope->items.n; i++) {
    SqlScopeItem *item = scope->items.items[i];

    all->known = all->known && item->relation->known;
    for (guint k = 0; k < item->relation->outputs.n; k++)
      sql_list_add (self->arena, &all->outputs, item->relation->outputs.items[k]);

    if (item->relation->table >= 0)
      sql_check_add_column (self, item->relation->table, "*");
  }
  /* Its columns are those of its sides; which of them a name means is left open. */
  scope->items.n = first;
  add_item (self, scope, from->alias, NULL, all, FALSE);
  if (self->quiet == 0)
    self->statement->joins_known = FALSE;
}

/* `JOIN … USING (a) AS j`: j has the columns of USING, and hides nothing. */
static void
add_using_alias (SqlCheck *self, SqlScope *scope, SqlFrom *from, guint first)
{
  SqlRelation *shared = sql_relation_new (self);

  if (from->using_alias == NULL)
    return;
  shared->known = TRUE;
  for (guint i = 0; i < from->using.n; i++) {
    const char *name = from->using.items[i];
    SqlOutput *output = NULL;

    for (guint k = first; k < scope->items.n && output == NULL; k++)
      output = sql_scope_find_output (self, ((SqlScopeItem *) scope->items.items[k])->relation, name);
    sql_relation_add (self, shared, name, output != NULL ? output->type : SQL_TYPE_ANY);
  }
  add_item (self, scope, from->using_alias, NULL, shared, FALSE);
}

/* SQLite moves conditions behind ON into WHERE, so they see tables that come later. */
static void
add_condition (SqlCheck *self, SqlScope *scope, SqlFrom *join, guint first, guint middle)
{
  SqlJoinCondition *condition = sql_arena_alloc (self->arena, sizeof (SqlJoinCondition));

  condition->join = join;
  condition->first = first;
  condition->middle = middle;
  condition->end = scope->items.n;
  sql_list_add (self->arena, &scope->conditions, condition);
}

/** sql_walk_conditions: walks what sql_walk_from() put off until all of FROM is known */
void
sql_walk_conditions (SqlCheck *self, SqlScope *scope, SqlCteEntry *ctes)
{
  for (guint i = 0; i < scope->conditions.n && !sql_check_failed (self); i++) {
    SqlJoinCondition *condition = scope->conditions.items[i];

    sql_walk_expr (self, scope, ctes, condition->join->on);
    sql_joins_add_condition (self, scope, condition->join->on, condition->join->join,
                             condition->first, condition->middle, condition->end);
  }
}

static void
walk_join (SqlCheck *self, SqlScope *scope, SqlCteEntry *ctes, SqlFrom *from)
{
  guint first = scope->items.n;
  guint middle;

  sql_walk_from (self, scope, ctes, from->left);
  middle = scope->items.n;
  sql_walk_from (self, scope, ctes, from->right);
  if (sql_check_failed (self))
    return;
  if (from->on != NULL && self->dialect == PLUMB_DIALECT_SQLITE && from->alias == NULL) {
    add_condition (self, scope, from, first, middle);
  } else if (from->on != NULL) {
    sql_walk_expr (self, scope, ctes, from->on);
    sql_joins_add_condition (self, scope, from->on, from->join, first, middle, scope->items.n);
  } else if (from->using.n > 0 || from->natural) {
    sql_joins_add_columns (self, scope, &from->using, from->natural, from->join, first, middle,
                           scope->items.n);
  }
  add_join_alias (self, scope, from, first);
  add_using_alias (self, scope, from, first);
}

/**
 * sql_walk_from:
 * @scope: gets the item, and sees those before it
 * @ctes: (nullable): names of WITH in sight
 */
void
sql_walk_from (SqlCheck *self, SqlScope *scope, SqlCteEntry *ctes, SqlFrom *from)
{
  if (sql_check_failed (self))
    return;
  if (++self->depth > SQL_CHECK_MAX_DEPTH) {
    sql_check_fail (self, "The statement is nested too deeply. Write it with fewer levels.");
  } else {
    switch (from->kind) {
    case SQL_FROM_TABLE:
      walk_table (self, scope, ctes, from);
      break;
    case SQL_FROM_QUERY:
      walk_subquery (self, scope, ctes, from);
      break;
    case SQL_FROM_FUNCTION:
      walk_function (self, scope, ctes, from);
      break;
    case SQL_FROM_JOIN:
    default:
      walk_join (self, scope, ctes, from);
      break;
    }
    for (guint i = 0; i < from->modifiers.n; i++)
      sql_walk_expr (self, scope, ctes, from->modifiers.items[i]);
  }
  self->depth--;
}
