/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-sql-check.h"

#include <string.h>

/* More than people write; each name is looked for among them. */
#define MAX_CTES 1000

/* Goes through a query in the order in which names come into sight: WITH, FROM, conditions, the
 * select list, and then what may use the names of the select list. */

static SqlType
walk_list (SqlCheck *self, SqlScope *scope, SqlCteEntry *ctes, SqlList *list)
{
  SqlType type = SQL_TYPE_ANY;

  for (guint i = 0; i < list->n && !sql_check_failed (self); i++) {
    SqlType next = sql_walk_expr (self, scope, ctes, list->items[i]);

    if (i == 0 || type == SQL_TYPE_LITERAL)
      type = next;
    else if (next != type && next != SQL_TYPE_LITERAL)
      type = SQL_TYPE_ANY;
  }
  return type;
}

static SqlType
walk_call (SqlCheck *self, SqlScope *scope, SqlCteEntry *ctes, SqlExpr *expr)
{
  guint n = expr->args.n;
  SqlType few[8];
  SqlType *types = n <= G_N_ELEMENTS (few) ? few
                                           : sql_arena_alloc (self->arena, n * sizeof (SqlType));

  for (guint i = 0; i < n && !sql_check_failed (self); i++)
    types[i] = sql_walk_expr (self, scope, ctes, expr->args.items[i]);
  if (sql_check_failed (self))
    return SQL_TYPE_ANY;
  walk_list (self, scope, ctes, &expr->clauses);
  return sql_check_call (self, scope, expr, types, n);
}

static SqlType
walk_operator (SqlCheck *self, SqlScope *scope, SqlCteEntry *ctes, SqlExpr *expr)
{
  guint n = expr->args.n;
  SqlType few[8];
  SqlType *types = n <= G_N_ELEMENTS (few) ? few
                                           : sql_arena_alloc (self->arena, n * sizeof (SqlType));

  for (guint i = 0; i < n && !sql_check_failed (self); i++) {
    SqlExpr *operand = expr->args.items[i];

    /* The list behind IN and BETWEEN is no row: its elements are the operands. */
    types[i] = i == 1 && operand->kind == SQL_EXPR_LIST &&
                       (strcmp (expr->name, "IN") == 0 || strcmp (expr->name, "BETWEEN") == 0)
                   ? walk_list (self, scope, ctes, &operand->args)
                   : sql_walk_expr (self, scope, ctes, operand);
  }
  return sql_check_failed (self) ? SQL_TYPE_ANY : sql_check_operator (self, expr, types, n);
}

/* (x).name is a column of a row, or a call of name(x). */
static SqlType
walk_field (SqlCheck *self, SqlScope *scope, SqlCteEntry *ctes, SqlExpr *expr)
{
  SqlExpr *inner = expr->args.items[0];
  SqlType type;

  /* (t).name, with t an item of FROM, is t.name. */
  if (inner->kind == SQL_EXPR_COLUMN && expr->name != NULL &&
      self->dialect == PLUMB_DIALECT_POSTGRES) {
    SqlExpr *column = sql_expr_new (self->arena, SQL_EXPR_COLUMN);

    type = sql_walk_expr (self, scope, ctes, inner);
    if (type == SQL_TYPE_ROW) {
      column->n_names = inner->n_names + 1;
      column->names = sql_arena_alloc (self->arena, column->n_names * sizeof (SqlName));
      memcpy (column->names, inner->names, inner->n_names * sizeof (SqlName));
      column->names[inner->n_names].text = expr->name;
      return sql_walk_expr (self, scope, ctes, column);
    }
  } else {
    type = walk_list (self, scope, ctes, &expr->args);
  }
  if (expr->name != NULL && self->dialect == PLUMB_DIALECT_POSTGRES && !sql_check_failed (self) &&
      !sql_check_field (self, expr->name, type, inner->kind == SQL_EXPR_FUNCTION))
    sql_check_fail (self,
                    "(…).%s can call a function of that name, which isn't known to be harmless.",
                    expr->name);
  return SQL_TYPE_ANY;
}

/* Whether a name that is known as a column may be a table's as well. */
static gboolean
may_be_table (SqlCheck *self, SqlExpr *expr)
{
  return self->context == NULL || self->context->catalog == NULL ||
         sql_relation_lookup (self, expr->n_names > 1 ? expr->names[expr->n_names - 2].text : NULL,
                              expr->names[expr->n_names - 1].text) != NULL;
}

static void
walk_table_name (SqlCheck *self, SqlScope *scope, SqlCteEntry *ctes, SqlExpr *expr)
{
  const char *schema = NULL;
  SqlRelation *relation;

  /* `x IN name`: in ClickHouse the name can be an array as well, and versions differ on which of
   * the two it is where both are there: then both count as read. */
  if (self->dialect == PLUMB_DIALECT_CLICKHOUSE && sql_scope_knows (self, scope, expr)) {
    sql_scope_read_column (self, scope, expr);
    if (!may_be_table (self, expr))
      return;
  }
  relation = sql_relation_find (self, ctes, expr->names, expr->n_names, &schema);
  if (relation->table >= 0)
    sql_check_add_column (self, relation->table, "*");
}

static SqlType
walk_lambda (SqlCheck *self, SqlScope *scope, SqlCteEntry *ctes, SqlExpr *expr)
{
  SqlScope inner = { .parent = scope, .query = scope->query, .lambda = expr, .aliases = TRUE,
                     .select = scope->select };

  walk_list (self, &inner, ctes, &expr->args);
  return SQL_TYPE_ANY;
}

static SqlType
walk_subquery (SqlCheck *self, SqlScope *scope, SqlCteEntry *ctes, SqlExpr *expr)
{
  SqlRelation *relation;

  walk_list (self, scope, ctes, &expr->args);
  relation = sql_walk_query (self, expr->query, scope, ctes);
  return relation->outputs.n == 1 ? ((SqlOutput *) relation->outputs.items[0])->type : SQL_TYPE_ANY;
}

static SqlType
walk_literal (SqlExpr *expr)
{
  if (strcmp (expr->name, "number") == 0)
    return SQL_TYPE_NUMBER;
  if (strcmp (expr->name, "boolean") == 0)
    return SQL_TYPE_BOOLEAN;
  return strcmp (expr->name, "other") == 0 ? SQL_TYPE_OWN : SQL_TYPE_LITERAL;
}

static SqlType
walk_kind (SqlCheck *self, SqlScope *scope, SqlCteEntry *ctes, SqlExpr *expr)
{
  switch (expr->kind) {
  case SQL_EXPR_LITERAL:
    return walk_literal (expr);
  case SQL_EXPR_COLUMN:
    return sql_scope_read_column (self, scope, expr);
  case SQL_EXPR_STAR:
    sql_scope_read_star (self, scope, expr, NULL);
    return SQL_TYPE_ANY;
  case SQL_EXPR_FUNCTION:
    return walk_call (self, scope, ctes, expr);
  case SQL_EXPR_OPERATOR:
    return walk_operator (self, scope, ctes, expr);
  case SQL_EXPR_AND:
  case SQL_EXPR_OR:
    walk_list (self, scope, ctes, &expr->args);
    return SQL_TYPE_BOOLEAN;
  case SQL_EXPR_CAST: {
    SqlType from = walk_list (self, scope, ctes, &expr->args);

    return sql_check_failed (self) ? SQL_TYPE_ANY : sql_check_cast (self, expr, from);
  }
  case SQL_EXPR_FIELD:
    return walk_field (self, scope, ctes, expr);
  case SQL_EXPR_SUBQUERY:
    return walk_subquery (self, scope, ctes, expr);
  case SQL_EXPR_TABLE:
    walk_table_name (self, scope, ctes, expr);
    return SQL_TYPE_ANY;
  case SQL_EXPR_LAMBDA:
    return walk_lambda (self, scope, ctes, expr);
  case SQL_EXPR_LIST:
  default:
    walk_list (self, scope, ctes, &expr->args);
    return SQL_TYPE_ANY;
  }
}

/**
 * sql_walk_expr:
 * @scope: where the expression stands
 * @ctes: (nullable): names of WITH in sight
 *
 * Returns: what is known of the expression's type
 */
SqlType
sql_walk_expr (SqlCheck *self, SqlScope *scope, SqlCteEntry *ctes, SqlExpr *expr)
{
  SqlType type = SQL_TYPE_ANY;

  if (sql_check_failed (self))
    return type;
  if (++self->depth > SQL_CHECK_MAX_DEPTH)
    sql_check_fail (self, "The statement is nested too deeply. Write it with fewer levels.");
  else
    type = walk_kind (self, scope, ctes, expr);
  self->depth--;
  return type;
}

static SqlCteEntry *
add_entry (SqlCheck *self, SqlCteEntry *ctes, const char *name, SqlRelation *relation)
{
  SqlCteEntry *entry = sql_arena_alloc (self->arena, sizeof (SqlCteEntry));

  entry->name = name;
  entry->relation = relation;
  entry->outer = ctes;
  return entry;
}

/* Names of a CTE's columns: those that WITH gives, or the query's own; then those of SEARCH and
 * CYCLE. */
static void
fill_cte (SqlCheck *self, SqlRelation *relation, SqlCte *cte, SqlRelation *outputs)
{
  guint n = MAX (cte->columns.n, outputs->outputs.n);

  relation->known = outputs->known;
  memset (&relation->outputs, 0, sizeof relation->outputs);
  relation->index = NULL;
  for (guint i = 0; i < n; i++) {
    SqlOutput *output = i < outputs->outputs.n ? outputs->outputs.items[i] : NULL;

    sql_relation_add (self, relation, i < cte->columns.n ? cte->columns.items[i] : output->name,
                      output != NULL ? output->type : SQL_TYPE_ANY);
  }
  for (guint i = 0; i < cte->extra.n; i++)
    sql_relation_add (self, relation, cte->extra.items[i], SQL_TYPE_ANY);
}

/* Whether a WITH lets its queries use names that come after them. */
static gboolean
sees_later_names (SqlCheck *self, SqlQuery *query)
{
  return query->recursive &&
         (self->dialect == PLUMB_DIALECT_POSTGRES || self->dialect == PLUMB_DIALECT_SQLITE ||
          self->dialect == PLUMB_DIALECT_MARIADB);
}

/* A query sees its own name only where it is recursive. One that has no second part can't be: then
 * the name is a table's, and counting it as read is right in every engine. */
static SqlRelation *
walk_cte (SqlCheck *self, SqlQuery *query, SqlCte *cte, SqlRelation *relation, SqlScope *parent,
          SqlCteEntry *ctes)
{
  gboolean recursive = query->recursive && cte->query->left != NULL && cte->query->right != NULL;
  SqlCteEntry *entry = ctes;
  SqlRelation *outputs;

  if (recursive && cte->columns.n > 0)
    fill_cte (self, relation, cte, sql_relation_new (self));
  while (entry != NULL && entry->relation != relation)
    entry = entry->outer;
  if (entry == NULL)
    return sql_walk_query (self, cte->query, parent,
                           recursive ? add_entry (self, ctes, cte->name, relation) : ctes);
  entry->name = recursive ? cte->name : "";
  outputs = sql_walk_query (self, cte->query, parent, ctes);
  entry->name = cte->name;
  return outputs;
}

static SqlCteEntry *
walk_with (SqlCheck *self, SqlQuery *query, SqlScope *parent, SqlCteEntry *ctes)
{
  SqlRelation **relations = sql_arena_alloc (self->arena,
                                             MAX (query->ctes.n, 1) * sizeof (SqlRelation *));
  SqlCteEntry *inner = ctes;

  if (query->ctes.n > MAX_CTES)
    sql_check_fail (self, "WITH names more than %d queries.", MAX_CTES);
  for (guint i = 0; i < query->ctes.n; i++) {
    SqlCte *cte = query->ctes.items[i];

    relations[i] = sql_relation_new (self);
    if (sees_later_names (self, query) && cte->query != NULL)
      inner = add_entry (self, inner, cte->name, relations[i]);
  }
  for (guint i = 0; i < query->ctes.n && !sql_check_failed (self); i++) {
    SqlCte *cte = query->ctes.items[i];

    if (cte->query == NULL)
      continue;
    fill_cte (self, relations[i], cte, walk_cte (self, query, cte, relations[i], parent, inner));
    if (!sees_later_names (self, query))
      inner = add_entry (self, inner, cte->name, relations[i]);
  }
  return inner;
}

/* The expressions that ClickHouse's WITH names are evaluated with the columns of FROM in sight. */
static void
walk_with_expressions (SqlCheck *self, SqlQuery *query, SqlScope *scope, SqlCteEntry *ctes)
{
  for (guint i = 0; i < query->ctes.n; i++) {
    SqlCte *cte = query->ctes.items[i];

    if (cte->expr != NULL)
      sql_walk_expr (self, scope, ctes, cte->expr);
  }
}

static const char *
output_name (SqlItem *item)
{
  if (item->alias != NULL)
    return item->alias;
  if ((item->expr->kind == SQL_EXPR_COLUMN || item->expr->kind == SQL_EXPR_FUNCTION) &&
      item->expr->n_names > 0)
    return item->expr->names[item->expr->n_names - 1].text;
  return item->expr->kind == SQL_EXPR_FIELD && item->expr->name != NULL ? item->expr->name : "";
}

static SqlRelation *
walk_items (SqlCheck *self, SqlQuery *query, SqlScope *scope, SqlCteEntry *ctes)
{
  SqlRelation *outputs = sql_relation_new (self);

  outputs->known = TRUE;
  for (guint i = 0; i < query->items.n && !sql_check_failed (self); i++) {
    SqlItem *item = query->items.items[i];

    if (item->expr->kind == SQL_EXPR_STAR)
      sql_scope_read_star (self, scope, item->expr, outputs);
    else {
      SqlType type = sql_walk_expr (self, scope, ctes, item->expr);

      sql_relation_add (self, outputs, output_name (item), type);
      /* A column list, or a row taken apart, gives columns that the text doesn't name. */
      if ((item->expr->kind == SQL_EXPR_FIELD && item->expr->name == NULL) ||
          (item->expr->kind == SQL_EXPR_FUNCTION && self->dialect == PLUMB_DIALECT_CLICKHOUSE &&
           g_ascii_strcasecmp (output_name (item), "columns") == 0))
        outputs->known = FALSE;
    }
  }
  for (guint i = 0; query->values && i < outputs->outputs.n; i++) {
    SqlOutput *output = outputs->outputs.items[i];
    g_autofree char *name = g_strdup_printf ("column%u", i + 1);

    output->name = sql_arena_strdup (self->arena, name);
  }
  return outputs;
}

/* Adds the aliases of WITH to those that expressions can use. */
static void
add_with_aliases (SqlCheck *self, SqlQuery *query)
{
  for (guint i = 0; i < query->ctes.n; i++) {
    SqlCte *cte = query->ctes.items[i];

    if (cte->expr != NULL)
      sql_list_add (self->arena, &query->aliases, sql_item_new (self->arena, cte->expr, cte->name));
  }
}

static SqlRelation *
walk_select (SqlCheck *self, SqlQuery *query, SqlScope *parent, SqlCteEntry *ctes)
{
  SqlScope scope = { .parent = parent, .query = query, .select = self->n_selects++ };
  SqlRelation *outputs;

  add_with_aliases (self, query);
  for (guint i = 0; i < query->from.n && !sql_check_failed (self); i++)
    sql_walk_from (self, &scope, ctes, query->from.items[i]);
  sql_walk_conditions (self, &scope, ctes);
  walk_with_expressions (self, query, &scope, ctes);
  if (query->where != NULL && !sql_check_failed (self)) {
    sql_walk_expr (self, &scope, ctes, query->where);
    sql_joins_add_condition (self, &scope, query->where, NULL, 0, 0, 0);
  }
  outputs = walk_items (self, query, &scope, ctes);
  walk_list (self, &scope, ctes, &query->others);
  scope.aliases = TRUE;
  walk_list (self, &scope, ctes, &query->order);
  if (!sql_check_failed (self))
    sql_joins_finish (self, &scope);
  return outputs;
}

/* What ORDER BY and LIMIT of a set operation use: the columns that it gives. */
static void
walk_order_of_set (SqlCheck *self, SqlQuery *query, SqlRelation *outputs, SqlScope *parent,
                   SqlCteEntry *ctes)
{
  SqlScope scope = {
    .parent = parent, .query = query, .aliases = TRUE, .select = self->n_selects++
  };
  SqlScopeItem *item = sql_arena_alloc (self->arena, sizeof (SqlScopeItem));
  SqlRelation *relation = sql_relation_new (self);

  *relation = *outputs;
  relation->table = -1;
  item->relation = relation;
  sql_list_add (self->arena, &scope.items, item);
  walk_list (self, &scope, ctes, &query->order);
}

/* Columns of two queries become one, by a conversion where their types differ. */
static void
check_columns_unite (SqlCheck *self, SqlRelation *left, SqlRelation *right)
{
  SqlExpr both = { .kind = SQL_EXPR_FUNCTION, .syntax = TRUE };
  SqlName name = { "COALESCE", FALSE };

  both.names = &name;
  both.n_names = 1;
  if (self->dialect != PLUMB_DIALECT_POSTGRES || sql_check_failed (self))
    return;
  for (guint i = 0; i < MIN (left->outputs.n, right->outputs.n); i++) {
    SqlType types[] = { ((SqlOutput *) left->outputs.items[i])->type,
                        ((SqlOutput *) right->outputs.items[i])->type };

    sql_check_call (self, NULL, &both, types, G_N_ELEMENTS (types));
  }
}

/* The sides of a chain of set operations, without going deep on the left, where chains are long. */
static SqlRelation *
walk_sides (SqlCheck *self, SqlQuery *query, SqlScope *parent, SqlCteEntry *ctes)
{
  SqlRelation *outputs;
  SqlList chain = { 0 };
  SqlQuery *at = query;

  /* Names of a WITH further in hold for what is in it alone. */
  for (; at->left != NULL && (at == query || at->ctes.n == 0); at = at->left)
    sql_list_add (self->arena, &chain, at);
  outputs = sql_walk_query (self, at, parent, ctes);
  for (guint i = chain.n; i-- > 0 && !sql_check_failed (self);) {
    SqlQuery *operation = chain.items[i];

    if (operation->right != NULL)
      check_columns_unite (self, outputs, sql_walk_query (self, operation->right, parent, ctes));
    if (operation->order.n > 0 && !sql_check_failed (self))
      walk_order_of_set (self, operation, outputs, parent, ctes);
  }
  return outputs;
}

/**
 * sql_walk_query:
 * @parent: (nullable): the scope around it
 * @ctes: (nullable): names of WITH in sight
 *
 * Returns: (transfer none): the columns that it gives
 */
SqlRelation *
sql_walk_query (SqlCheck *self, SqlQuery *query, SqlScope *parent, SqlCteEntry *ctes)
{
  SqlRelation *outputs = NULL;

  if (++self->depth > SQL_CHECK_MAX_DEPTH)
    sql_check_fail (self, "The statement is nested too deeply. Write it with fewer levels.");
  if (!sql_check_failed (self)) {
    SqlCteEntry *inner = walk_with (self, query, parent, ctes);

    if (sql_check_failed (self)) {
      outputs = NULL;
    } else if (query->left == NULL) {
      outputs = walk_select (self, query, parent, inner);
    } else {
      outputs = walk_sides (self, query, parent, inner);
    }
  }
  self->depth--;
  return outputs != NULL ? outputs : sql_relation_new (self);
}
