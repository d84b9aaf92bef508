/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-sql-check.h"

#include <string.h>

/* How the items of one FROM are joined: the equalities of columns that hold between them. */

/* The join of two items, by their numbers in the scope. */
typedef struct {
  const char *kind;
  guint left;
  guint right;
  SqlList left_columns;
  SqlList right_columns;
} Pair;

static Pair *
get_pair (SqlCheck *self, SqlScope *scope, guint left, guint right, const char *kind)
{
  gpointer key = GUINT_TO_POINTER (left << 16 | right);
  Pair *pair;

  if (scope->pairs == NULL)
    scope->pairs = sql_check_new_index (self, g_direct_hash, g_direct_equal);
  pair = g_hash_table_lookup (scope->pairs, key);
  if (pair != NULL)
    return pair;
  pair = sql_arena_alloc (self->arena, sizeof (Pair));
  pair->kind = kind;
  pair->left = left;
  pair->right = right;
  sql_list_add (self->arena, &scope->joins, pair);
  g_hash_table_insert (scope->pairs, key, pair);
  return pair;
}

static void
add_key (SqlCheck *self, SqlScope *scope, guint left, const char *left_column, guint right,
         const char *right_column, const char *kind)
{
  Pair *pair;

  if (left > right) {
    guint item = left;
    const char *column = left_column;

    left = right;
    left_column = right_column;
    right = item;
    right_column = column;
  }
  pair = get_pair (self, scope, left, right, kind);
  sql_list_add (self->arena, &pair->left_columns, left_column);
  sql_list_add (self->arena, &pair->right_columns, right_column);
}

/* Adds the keys of one equality; FALSE where it is none between columns of two items. */
static gboolean
add_equality (SqlCheck *self, SqlScope *scope, SqlExpr *expr, const char *kind)
{
  SqlExpr *left;
  SqlExpr *right;
  guint left_item;
  guint right_item;
  const char *left_column;
  const char *right_column;

  if (expr->kind != SQL_EXPR_OPERATOR || expr->args.n != 2 ||
      (strcmp (expr->name, "=") != 0 && strcmp (expr->name, "==") != 0 &&
       strcmp (expr->name, "<=>") != 0))
    return FALSE;
  left = expr->args.items[0];
  right = expr->args.items[1];
  /* Oracle: the side with (+) is the one that can be missing. */
  if (left->kind == SQL_EXPR_COLUMN && left->outer)
    kind = "right";
  else if (right->kind == SQL_EXPR_COLUMN && right->outer)
    kind = "left";
  if (left->kind == SQL_EXPR_LIST && right->kind == SQL_EXPR_LIST &&
      left->args.n == right->args.n) {
    gboolean all = left->args.n > 0;

    for (guint i = 0; i < left->args.n; i++) {
      SqlExpr *pair = sql_expr_new_operator (self->arena, "=", left->args.items[i],
                                             right->args.items[i]);

      all = add_equality (self, scope, pair, kind) && all;
    }
    return all;
  }
  if (!sql_scope_locate (self, scope, left, &left_item, &left_column) ||
      !sql_scope_locate (self, scope, right, &right_item, &right_column) || left_item == right_item)
    return FALSE;
  if (left_item > right_item && strcmp (kind, "left") == 0 && right->outer)
    kind = "right";
  else if (left_item > right_item && strcmp (kind, "right") == 0 && left->outer)
    kind = "left";
  add_key (self, scope, left_item, left_column, right_item, right_column, kind);
  return TRUE;
}

static void
add_conjuncts (SqlCheck *self, SqlScope *scope, SqlExpr *condition, const char *kind)
{
  if (condition->kind != SQL_EXPR_AND) {
    add_equality (self, scope, condition, kind);
    return;
  }
  for (guint i = 0; i < condition->args.n; i++)
    add_conjuncts (self, scope, condition->args.items[i], kind);
}

/* Whether some key joins one of the items before @middle to one of those behind it. */
static gboolean
are_joined (SqlScope *scope, guint first, guint middle, guint end)
{
  for (guint i = 0; i < scope->joins.n; i++) {
    Pair *pair = scope->joins.items[i];

    if (pair->left_columns.n > 0 && pair->left >= first && pair->left < middle &&
        pair->right >= middle && pair->right < end)
      return TRUE;
  }
  return FALSE;
}

/**
 * sql_joins_add_condition:
 * @condition: what stands behind ON or WHERE
 * @kind: kind of the join; %NULL for WHERE
 * @first: number of the first item on the left side
 * @middle: number of the first item on the right side
 * @end: number behind the last
 */
void
sql_joins_add_condition (SqlCheck *self, SqlScope *scope, SqlExpr *condition, const char *kind,
                         guint first, guint middle, guint end)
{
  add_conjuncts (self, scope, condition, kind != NULL ? kind : "inner");
  if (kind != NULL && !are_joined (scope, first, middle, end)) {
    SqlScopeItem *item = middle < scope->items.n ? scope->items.items[middle] : NULL;

    get_pair (self, scope, first, MIN (middle, scope->items.n - 1), kind);
    if (self->quiet == 0)
      self->statement->joins_known = FALSE;
    sql_check_warn (
        self,
        "“%s” is joined by a condition that isn't an equality of columns; whether it multiplies "
        "rows isn't known.",
        item != NULL && item->alias != NULL ? item->alias : "?");
  }
}

static gboolean
has_column (SqlCheck *self, SqlScope *scope, guint item, const char *name, const char **stored)
{
  SqlScopeItem *candidate = scope->items.items[item];
  SqlOutput *output = sql_scope_find_output (self, candidate->relation, name);

  *stored = output != NULL ? output->name : name;
  return output != NULL || !candidate->relation->known;
}

/* USING compares by the operator = of the columns' types, which can be a user's. */
static void
check_equality (SqlCheck *self, SqlScopeItem *left, SqlScopeItem *right, const char *name)
{
  SqlExpr equality = { .kind = SQL_EXPR_OPERATOR, .name = "=" };
  SqlOutput *outputs[] = { sql_scope_find_output (self, left->relation, name),
                           sql_scope_find_output (self, right->relation, name) };
  SqlType types[G_N_ELEMENTS (outputs)];

  for (guint i = 0; i < G_N_ELEMENTS (outputs); i++)
    types[i] = outputs[i] != NULL ? outputs[i]->type : SQL_TYPE_ANY;
  sql_check_operator (self, &equality, types, G_N_ELEMENTS (types));
}

static void
add_same_name (SqlCheck *self, SqlScope *scope, const char *name, const char *kind, guint first,
               guint middle, guint end)
{
  for (guint right = middle; right < end; right++) {
    const char *right_column;
    SqlScopeItem *right_item = scope->items.items[right];

    if (!has_column (self, scope, right, name, &right_column))
      continue;
    if (right_item->relation->table >= 0)
      sql_check_add_column (self, right_item->relation->table, right_column);
    for (guint left = first; left < middle; left++) {
      const char *left_column;
      SqlScopeItem *left_item = scope->items.items[left];

      if (!has_column (self, scope, left, name, &left_column))
        continue;
      check_equality (self, left_item, right_item, name);
      if (left_item->relation->table >= 0)
        sql_check_add_column (self, left_item->relation->table, left_column);
      add_key (self, scope, left, left_column, right, right_column, kind);
      /* What joins by this name is one column from here on: the first that has it stands for it. */
      break;
    }
  }
}

/**
 * sql_joins_add_columns:
 * @columns: (element-type utf8): names of USING
 * @natural: whether all names that both sides have are meant
 */
void
sql_joins_add_columns (SqlCheck *self, SqlScope *scope, SqlList *columns, gboolean natural,
                       const char *kind, guint first, guint middle, guint end)
{
  gboolean known = TRUE;

  for (guint i = 0; i < columns->n; i++)
    add_same_name (self, scope, columns->items[i], kind, first, middle, end);
  if (!natural)
    return;
  for (guint i = first; i < end; i++)
    known = known && ((SqlScopeItem *) scope->items.items[i])->relation->known;
  if (!known) {
    get_pair (self, scope, first, middle, kind);
    if (self->quiet == 0)
      self->statement->joins_known = FALSE;
    sql_check_warn (self, "Which columns a NATURAL JOIN joins isn't known. Write the columns.");
    for (guint i = first; i < end; i++) {
      SqlScopeItem *item = scope->items.items[i];

      if (item->relation->table >= 0)
        sql_check_add_column (self, item->relation->table, "*");
    }
    return;
  }
  for (guint i = middle; i < end; i++) {
    SqlRelation *relation = ((SqlScopeItem *) scope->items.items[i])->relation;

    for (guint k = 0; k < relation->outputs.n; k++) {
      const char *name = ((SqlOutput *) relation->outputs.items[k])->name;
      gboolean both = FALSE;

      for (guint left = first; left < middle && !both; left++)
        both = sql_scope_find_output (self, ((SqlScopeItem *) scope->items.items[left])->relation,
                                      name) != NULL;
      if (both)
        add_same_name (self, scope, name, kind, first, middle, end);
    }
  }
}

static GStrv
copy_columns (SqlList *columns)
{
  GStrv copy = g_new0 (char *, columns->n + 1);

  for (guint i = 0; i < columns->n; i++)
    copy[i] = g_strdup (columns->items[i]);
  return copy;
}

static int
table_of_item (SqlScope *scope, guint item)
{
  return ((SqlScopeItem *) scope->items.items[item])->relation->table;
}

static void
emit (SqlCheck *self, SqlScope *scope, Pair *pair)
{
  PlumbSqlJoin *join = g_new0 (PlumbSqlJoin, 1);

  join->kind = pair->kind;
  join->left = table_of_item (scope, pair->left);
  join->right = table_of_item (scope, pair->right);
  join->left_columns = copy_columns (&pair->left_columns);
  join->right_columns = copy_columns (&pair->right_columns);
  join->select = scope->select;
  g_ptr_array_add (self->statement->joins, join);
}

/* The number that stands for the group of items that @item is joined with. */
static guint
find_group (guint *groups, guint item)
{
  while (groups[item] != item)
    item = groups[item] = groups[groups[item]];
  return item;
}

/* An item that no key joins to the others: each of its rows meets each of theirs. */
static void
add_unjoined (SqlCheck *self, SqlScope *scope, guint *groups)
{
  for (guint i = 1; i < scope->items.n; i++) {
    SqlScopeItem *item = scope->items.items[i];

    if (find_group (groups, i) == find_group (groups, 0))
      continue;
    if (item->function || item->lateral) {
      self->statement->joins_known = FALSE;
      sql_check_warn (
          self,
          "The rows of “%s” meet each row that they stand beside; whether that multiplies rows "
          "isn't known.",
          item->alias != NULL ? item->alias : "an item of FROM");
    }
    get_pair (self, scope, 0, i, "cross");
    groups[find_group (groups, i)] = find_group (groups, 0);
  }
}

/** sql_joins_finish: keeps the joins of @scope, and what stands in it without being joined */
void
sql_joins_finish (SqlCheck *self, SqlScope *scope)
{
  guint *groups;

  if (self->quiet > 0 || scope->items.n < 2)
    return;
  groups = sql_arena_alloc (self->arena, scope->items.n * sizeof (guint));
  for (guint i = 0; i < scope->items.n; i++)
    groups[i] = i;
  for (guint i = 0; i < scope->joins.n; i++) {
    Pair *pair = scope->joins.items[i];

    groups[find_group (groups, pair->right)] = find_group (groups, pair->left);
  }
  add_unjoined (self, scope, groups);
  for (guint i = 0; i < scope->joins.n; i++)
    emit (self, scope, scope->joins.items[i]);
}

/* The one item that all columns of @expr are of; FALSE where there are several or none is told. */
static gboolean
find_only_item (SqlCheck *self, SqlScope *scope, SqlExpr *expr, int *item, const char **column,
                guint depth)
{
  guint found;
  const char *name;

  if (depth > 64 || expr->kind == SQL_EXPR_SUBQUERY)
    return FALSE;
  if (expr->kind == SQL_EXPR_COLUMN) {
    if (!sql_scope_locate (self, scope, expr, &found, &name) || (*item >= 0 && *item != (int)found))
      return FALSE;
    *item = found;
    if (*column == NULL)
      *column = name;
    return TRUE;
  }
  for (guint i = 0; i < expr->args.n; i++) {
    if (!find_only_item (self, scope, expr->args.items[i], item, column, depth + 1))
      return FALSE;
  }
  return TRUE;
}

/** sql_joins_add_aggregate: keeps the aggregate @call, whose plain name is @name */
void
sql_joins_add_aggregate (SqlCheck *self, SqlScope *scope, SqlExpr *call, const char *name)
{
  PlumbSqlAggregate *aggregate;
  int item = -1;
  const char *column = NULL;

  if (self->quiet > 0)
    return;
  aggregate = g_new0 (PlumbSqlAggregate, 1);
  aggregate->function = g_strdup (name);
  aggregate->distinct = call->distinct || g_str_has_prefix (name, "uniq");
  aggregate->star = call->star || (call->args.n == 0 && strcmp (name, "count") == 0);
  aggregate->table = -1;
  aggregate->select = scope->select;
  if (call->args.n > 0 && find_only_item (self, scope, call->args.items[0], &item, &column, 0) &&
      item >= 0) {
    aggregate->table = table_of_item (scope, item);
    aggregate->column = g_strdup (column);
  }
  g_ptr_array_add (self->statement->aggregates, aggregate);
}
