/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-query-runner.h"

static PlumbCard *
find_card (const PlumbQuery *query, const PlumbSqlTable *table)
{
  if (table->schema == NULL)
    return NULL;
  return plumb_index_get_card (plumb_workspace_get_index (query->workspace), query->database,
                               table->schema, table->table, NULL);
}

/* A copy instead of its live table is the commonest way to a wrong number. */
static void
warn_of_copy (const PlumbQuery *query, const PlumbSqlTable *table, GPtrArray *warnings)
{
  g_autoptr (PlumbCard) card = find_card (query, table);

  if (card == NULL || card->status == PLUMB_STATUS_LIVE || card->status == PLUMB_STATUS_PARTITION)
    return;
  if (card->copy_of != NULL)
    g_ptr_array_add (
        warnings,
        g_strdup_printf ("%s.%s is a %s copy of %s. Use the live table unless the question "
                         "asks for this copy.",
                         table->schema, table->table, plumb_status_to_string (card->status),
                         card->copy_of));
  else
    g_ptr_array_add (warnings,
                     g_strdup_printf ("%s.%s is a %s table, not a live one.", table->schema,
                                      table->table, plumb_status_to_string (card->status)));
}

/* One month of a partition family is easily taken for the whole. */
static void
warn_of_partition (const PlumbQuery *query, const PlumbSqlTable *table, GPtrArray *warnings)
{
  g_autoptr (PlumbCard) card = find_card (query, table);

  if (card != NULL && card->status == PLUMB_STATUS_PARTITION)
    g_ptr_array_add (
        warnings,
        g_strdup_printf ("%s.%s is one partition of %s and holds only a part of its rows.",
                         table->schema, table->table,
                         card->family != NULL ? card->family : "a family"));
}

/**
 * plumb_query_add_warnings:
 * @query: a statement on its way
 * @statement: what the statement check found
 * @warnings: (element-type utf8): where warnings are added
 *
 * What the model and the reviewer should see before they trust the rows: what the statement check
 * could not decide, joins that multiply rows or that nobody knows, and copies that are read.
 */
void
plumb_query_add_warnings (const PlumbQuery *query, PlumbStatement *statement, GPtrArray *warnings)
{
  g_autoptr (PlumbJoinGraph) graph =
      plumb_workspace_load_joins (query->workspace, query->database, NULL);

  for (guint i = 0; i < statement->warnings->len; i++)
    g_ptr_array_add (warnings, g_strdup (g_ptr_array_index (statement->warnings, i)));
  if (graph != NULL) {
    g_autoptr (GPtrArray) found = plumb_join_graph_check (graph, query->database, statement);

    for (guint i = 0; found != NULL && i < found->len; i++)
      g_ptr_array_add (warnings, g_strdup (g_ptr_array_index (found, i)));
  } else if (statement->joins->len > 0 || !statement->joins_known) {
    g_ptr_array_add (
        warnings,
        g_strdup ("The joins could not be held against the join graph: they are undecided."));
  }
  for (guint i = 0; i < statement->tables->len; i++) {
    warn_of_copy (query, g_ptr_array_index (statement->tables, i), warnings);
    if (statement->tables->len == 1)
      warn_of_partition (query, g_ptr_array_index (statement->tables, i), warnings);
  }
}

static gboolean
has_inner_join (PlumbStatement *statement)
{
  for (guint i = 0; i < statement->joins->len; i++) {
    const PlumbSqlJoin *join = g_ptr_array_index (statement->joins, i);

    if (g_str_equal (join->kind, "inner"))
      return TRUE;
  }
  return FALSE;
}

/* No rows, or one row of nothing but NULL and 0, which is what aggregates make of no rows. */
static gboolean
is_empty (PlumbResult *result)
{
  if (plumb_result_get_n_rows (result) != 1)
    return plumb_result_get_n_rows (result) == 0;
  for (guint i = 0; i < plumb_result_get_n_columns (result); i++) {
    const PlumbCell *cell = plumb_result_get_cell (result, 0, i);

    if (cell->kind != PLUMB_VALUE_NULL && g_strcmp0 (cell->text, "0") != 0)
      return FALSE;
  }
  return TRUE;
}

/**
 * plumb_query_warn_of_empty_join:
 * @statement: what ran
 * @result: what it gave
 *
 * Returns: (transfer full) (nullable): a warning where an inner join gave nothing
 */
char *
plumb_query_warn_of_empty_join (PlumbStatement *statement, PlumbResult *result)
{
  if (!has_inner_join (statement) || !is_empty (result))
    return NULL;
  return g_strdup (
      "The inner join gave no rows. That may be true, or the keys don't match: look at the "
      "key values of both sides before you answer with zero.");
}
