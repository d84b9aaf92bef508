/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-search-build.h"

#include <string.h>

/* Joins that are known are evidence like declared keys: confirmed by a person or validated on data. */
#define MAX_TRUST 2

static char *
make_key (const char *database, const char *schema, const char *table)
{
  return g_strjoin ("\n", database, schema, table, NULL);
}

static guint
find_table (GHashTable *places, const PlumbTableName *name)
{
  g_autofree char *key = make_key (name->database, name->schema, name->table);

  return GPOINTER_TO_UINT (g_hash_table_lookup (places, key));
}

static guint64
make_pair (guint one, guint other)
{
  return (guint64) MIN (one, other) << 32 | MAX (one, other);
}

static void
remember (GHashTable *set, guint64 pair)
{
  g_hash_table_add (set, g_memdup2 (&pair, sizeof pair));
}

/* Sorts the pairs of tables that @edges name into those that are known and those that are rejected. */
static void
sort_edges (const PlumbTableGraph *graph, GHashTable *places, GPtrArray *edges, GHashTable *known,
            GHashTable *rejected)
{
  for (guint i = 0; i < edges->len; i++) {
    PlumbJoinEdge *edge = g_ptr_array_index (edges, i);
    guint left = find_table (places, edge->left), right = find_table (places, edge->right);

    if (left == 0 || right == 0 || left == right || plumb_table_graph_is_copy (graph, left - 1) ||
        plumb_table_graph_is_copy (graph, right - 1))
      continue;
    if (edge->state == PLUMB_EDGE_ACTIVE && edge->trust >= 1 && edge->trust <= MAX_TRUST)
      remember (known, make_pair (left - 1, right - 1));
    else if (edge->state == PLUMB_EDGE_REJECTED)
      remember (rejected, make_pair (left - 1, right - 1));
  }
}

/* The pairs that @graph has, but for those that persons rejected. */
static void
keep_pairs (const PlumbTableGraph *graph, GHashTable *rejected, GArray *pairs)
{
  for (guint from = 0; from < graph->n_tables; from++) {
    for (guint i = graph->edge_starts[from]; i < graph->edge_starts[from + 1]; i++) {
      guint64 pair = make_pair (from, graph->edges[i]);

      if (from < graph->edges[i] && !g_hash_table_contains (rejected, &pair))
        plumb_table_graph_add_pair (pairs, from, graph->edges[i]);
    }
  }
}

/**
 * plumb_table_graph_new_with_edges:
 * @graph: the tables with the keys that they declare
 * @cards: (element-type PlumbCard): the tables
 * @edges: (element-type PlumbJoinEdge): joins that the index holds, in any state
 *
 * Joins of trust 1 and 2 tie tables together as declared keys do. A pair of tables of which all
 * that is known was rejected is tied no more; stale joins say nothing.
 *
 * Returns: (transfer full): @graph with @edges
 */
PlumbTableGraph *
plumb_table_graph_new_with_edges (const PlumbTableGraph *graph, GPtrArray *cards, GPtrArray *edges)
{
  g_autoptr (GHashTable) places = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) known = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  g_autoptr (GHashTable) rejected = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  g_autoptr (GArray) pairs = g_array_new (FALSE, FALSE, sizeof (guint64));
  GHashTableIter iter;
  gpointer key;

  for (guint i = 0; i < cards->len; i++) {
    PlumbCard *card = g_ptr_array_index (cards, i);

    g_hash_table_insert (places, make_key (card->database, card->schema, card->name), GUINT_TO_POINTER (i + 1));
  }
  sort_edges (graph, places, edges, known, rejected);
  keep_pairs (graph, rejected, pairs);
  g_hash_table_iter_init (&iter, known);
  while (g_hash_table_iter_next (&iter, &key, NULL)) {
    guint64 pair = *(const guint64 *) key;

    plumb_table_graph_add_pair (pairs, pair >> 32, (guint32) pair);
  }
  return plumb_table_graph_from_pairs (cards, graph->live_of, pairs);
}
