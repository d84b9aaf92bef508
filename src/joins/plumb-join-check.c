/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-join-check-private.h"

/** plumb_join_check_warn: adds a warning, once */
void
plumb_join_check_warn (PlumbJoinCheck *self, const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list values;

  va_start (values, format);
  text = g_strdup_vprintf (format, values);
  va_end (values);
  if (!g_ptr_array_find_with_equal_func (self->warnings, text, g_str_equal, NULL))
    g_ptr_array_add (self->warnings, g_steal_pointer (&text));
}

/** plumb_join_check_name_table: Returns: (transfer full): the name of a table of the statement */
char *
plumb_join_check_name_table (PlumbJoinCheck *self, int table)
{
  PlumbSqlTable *named = g_ptr_array_index (self->statement->tables, table);

  return plumb_table_name_join (NULL, named->schema, named->table);
}

static gboolean
is_table (PlumbJoinCheck *self, int table)
{
  return table >= 0 && (guint) table < self->statement->tables->len;
}

static gboolean
has_keys (const PlumbSqlJoin *join)
{
  return join->left_columns != NULL && join->left_columns[0] != NULL &&
         join->right_columns != NULL && join->right_columns[0] != NULL;
}

static int
find_root (const int *parents, int table)
{
  while (parents[table] != table)
    table = parents[table];
  return table;
}

/* Which tables of the SELECT are joined by equalities, directly or through others: those of one
 * root. */
static int *
find_components (PlumbJoinCheck *self)
{
  int *parents = g_new (int, self->statement->tables->len);

  for (guint i = 0; i < self->statement->tables->len; i++)
    parents[i] = i;
  for (guint i = 0; i < self->statement->joins->len; i++) {
    const PlumbSqlJoin *join = g_ptr_array_index (self->statement->joins, i);

    if (join->select == self->select && is_table (self, join->left) &&
        is_table (self, join->right) && has_keys (join))
      parents[find_root (parents, join->left)] = find_root (parents, join->right);
  }
  return parents;
}

/* A join without an equality: two tables that nothing else joins either are combined row by row. */
static void
check_cross_join (PlumbJoinCheck *self, const PlumbSqlJoin *join, const int *components)
{
  g_autofree char *left = plumb_join_check_name_table (self, join->left);
  g_autofree char *right = plumb_join_check_name_table (self, join->right);
  PlumbCheckedJoin checked = { join->left, join->right, PLUMB_CARDINALITY_UNKNOWN };

  if (join->left != join->right &&
      find_root (components, join->left) == find_root (components, join->right))
    return;
  if (g_strcmp0 (join->kind, "cross") == 0) {
    checked.cardinality = PLUMB_CARDINALITY_MANY_TO_MANY;
    plumb_join_check_warn (self,
                           "Unjoined tables: nothing joins %s and %s, so every row of one is "
                           "combined with every row of the other. Add the condition that joins "
                           "them.",
                           left, right);
  } else {
    plumb_join_check_warn (self,
                           "%s and %s are joined by no equality of columns, so it is undecided "
                           "whether rows multiply. Compare row counts before and after the join.",
                           left, right);
  }
  g_array_append_val (self->joins, checked);
}

static void
check_join (PlumbJoinCheck *self, const PlumbSqlJoin *join, const int *components)
{
  if (!is_table (self, join->left) || !is_table (self, join->right))
    plumb_join_check_warn (self,
                           "Undecided: a join with a subquery or common table expression can't be "
                           "held against the known joins. Check its row counts.");
  else if (has_keys (join))
    plumb_join_check_keys (self, join);
  else
    check_cross_join (self, join, components);
}

static void
check_select (PlumbJoinCheck *self)
{
  g_autofree int *components = find_components (self);

  g_array_set_size (self->joins, 0);
  for (guint i = 0; i < self->statement->joins->len; i++) {
    const PlumbSqlJoin *join = g_ptr_array_index (self->statement->joins, i);

    if (join->select == self->select)
      check_join (self, join, components);
  }
  plumb_join_check_aggregates (self);
}

/* Whether @join is the first of its SELECT. */
static gboolean
begins_select (PlumbStatement *statement, guint join)
{
  const PlumbSqlJoin *at = g_ptr_array_index (statement->joins, join);

  for (guint i = 0; i < join; i++) {
    if (((PlumbSqlJoin *) g_ptr_array_index (statement->joins, i))->select == at->select)
      return FALSE;
  }
  return TRUE;
}

/**
 * plumb_join_graph_check:
 * @self: a graph
 * @database: the source that the statement is for
 * @statement: an allowed statement as plumb_statement_check() read it
 *
 * Holds the joins of a statement against the graph before it runs: key pairs that aren't known,
 * tables that nothing joins, joins that multiply rows under an aggregate of the same SELECT (fan
 * trap, chasm trap). What can't be decided is said to be undecided.
 *
 * Returns: (transfer full) (element-type utf8): warnings; empty where there is nothing to say
 */
GPtrArray *
plumb_join_graph_check (PlumbJoinGraph *self, const char *database, PlumbStatement *statement)
{
  PlumbJoinCheck check = { self, database, statement, NULL, 0, NULL, NULL };

  check.warnings = g_ptr_array_new_with_free_func (g_free);
  if (!statement->allowed)
    return check.warnings;
  check.nodes = g_new (guint, statement->tables->len + 1);
  check.joins = g_array_new (FALSE, FALSE, sizeof (PlumbCheckedJoin));
  for (guint i = 0; i < statement->tables->len; i++) {
    PlumbSqlTable *table = g_ptr_array_index (statement->tables, i);

    check.nodes[i] = plumb_join_graph_find_node (self, database, table->schema, table->table);
  }
  for (guint i = 0; i < statement->joins->len; i++) {
    check.select = ((PlumbSqlJoin *) g_ptr_array_index (statement->joins, i))->select;
    if (begins_select (statement, i))
      check_select (&check);
  }
  if (!statement->joins_known)
    plumb_join_check_warn (&check,
                           "Undecided: not every join of this statement could be read, so it "
                           "is not known whether it multiplies rows. Check its row counts.");
  g_free (check.nodes);
  g_array_unref (check.joins);
  return check.warnings;
}
