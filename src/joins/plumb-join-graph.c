/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-join-graph-private.h"

/* Edges of less trust than this are never offered. */
#define WEAKEST_TRUST 3

static void
node_clear (gpointer data)
{
  plumb_table_name_free (((PlumbGraphNode *) data)->name);
}

static void
edge_clear (gpointer data)
{
  plumb_join_edge_unref (((PlumbGraphEdge *) data)->edge);
}

static PlumbJoinGraph *
graph_new (void)
{
  PlumbJoinGraph *self = g_new0 (PlumbJoinGraph, 1);

  self->nodes = g_array_new (FALSE, FALSE, sizeof (PlumbGraphNode));
  g_array_set_clear_func (self->nodes, node_clear);
  self->edges = g_array_new (FALSE, FALSE, sizeof (PlumbGraphEdge));
  g_array_set_clear_func (self->edges, edge_clear);
  self->by_name = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  return self;
}

/** plumb_join_graph_free: frees @self */
void
plumb_join_graph_free (PlumbJoinGraph *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->nodes);
  g_array_unref (self->edges);
  g_hash_table_unref (self->by_name);
  g_free (self);
}

/** plumb_join_graph_get_node: Returns: (transfer none): the node of that number, until one is added
 */
PlumbGraphNode *
plumb_join_graph_get_node (PlumbJoinGraph *self, guint node)
{
  return &g_array_index (self->nodes, PlumbGraphNode, node);
}

/**
 * plumb_join_graph_find_node:
 * @self: a graph
 * @database: (nullable): the source
 * @schema: (nullable): the schema
 * @table: the table
 *
 * Returns: the table's number; PLUMB_NO_NODE where no edge touches it, or where a part of the name
 * is left out and it fits several
 */
guint
plumb_join_graph_find_node (PlumbJoinGraph *self, const char *database, const char *schema,
                            const char *table)
{
  guint found = PLUMB_NO_NODE;

  if (database != NULL && schema != NULL && *schema != '\0') {
    g_autofree char *full = plumb_table_name_join (database, schema, table);
    gpointer node;

    return g_hash_table_lookup_extended (self->by_name, full, NULL, &node) ? GPOINTER_TO_UINT (node)
                                                                           : PLUMB_NO_NODE;
  }
  for (guint i = 0; i < self->nodes->len; i++) {
    PlumbTableName *name = plumb_join_graph_get_node (self, i)->name;

    if (g_strcmp0 (name->table, table) != 0 ||
        (database != NULL && g_strcmp0 (name->database, database) != 0) ||
        (schema != NULL && *schema != '\0' && g_strcmp0 (name->schema, schema) != 0))
      continue;
    if (found != PLUMB_NO_NODE)
      return PLUMB_NO_NODE;
    found = i;
  }
  return found;
}

/** plumb_join_graph_add_node: Returns: the number of the table, which is added where it isn't there
 */
guint
plumb_join_graph_add_node (PlumbJoinGraph *self, const PlumbTableName *name)
{
  g_autofree char *full = plumb_table_name_format (name);
  PlumbGraphNode node = { NULL, FALSE, FALSE };
  gpointer found;

  if (g_hash_table_lookup_extended (self->by_name, full, NULL, &found))
    return GPOINTER_TO_UINT (found);
  node.name = plumb_table_name_copy (name);
  g_array_append_val (self->nodes, node);
  g_hash_table_insert (self->by_name, g_steal_pointer (&full),
                       GUINT_TO_POINTER (self->nodes->len - 1));
  return self->nodes->len - 1;
}

/**
 * plumb_join_graph_new:
 * @edges: (element-type PlumbJoinEdge): edges in any state
 *
 * Makes a graph of edges that the caller has chosen. It doesn't know which of its tables are
 * copies; plumb_join_graph_read_tables() tells it.
 *
 * Returns: (transfer full): a graph of @edges
 */
PlumbJoinGraph *
plumb_join_graph_new (GPtrArray *edges)
{
  PlumbJoinGraph *self = graph_new ();

  for (guint i = 0; i < edges->len; i++) {
    PlumbGraphEdge edge;

    edge.edge = plumb_join_edge_ref (g_ptr_array_index (edges, i));
    edge.left = plumb_join_graph_add_node (self, edge.edge->left);
    edge.right = plumb_join_graph_add_node (self, edge.edge->right);
    g_array_append_val (self->edges, edge);
  }
  return self;
}

/**
 * plumb_join_graph_read_tables:
 * @self: a graph
 * @index: the index
 * @database: (nullable): one source; %NULL for all
 * @error: return location
 *
 * Learns from the cards what the edges don't say: tables that are gone or can't be selected are
 * hidden from here on, and no path leads through a copy, or through a code table: what two tables
 * have in common there is a status, not an order.
 *
 * Returns: %FALSE with an error
 */
gboolean
plumb_join_graph_read_tables (PlumbJoinGraph *self, PlumbIndex *index, const char *database,
                              GError **error)
{
  g_autoptr (GPtrArray) tables = plumb_index_list_tables (index, database, error);

  for (guint i = 0; tables != NULL && i < tables->len; i++) {
    PlumbIndexTable *table = g_ptr_array_index (tables, i);
    guint found = plumb_join_graph_find_node (self, table->name->database, table->name->schema,
                                              table->name->table);
    PlumbGraphNode *node;

    if (found == PLUMB_NO_NODE)
      continue;
    node = plumb_join_graph_get_node (self, found);
    node->hidden = node->hidden || table->gone || !table->selectable;
    node->no_way = table->status != PLUMB_STATUS_LIVE || table->role == PLUMB_ROLE_CODE;
  }
  return tables != NULL;
}

/**
 * plumb_join_graph_load:
 * @index: the index
 * @database: (nullable): one source; %NULL for all
 * @error: return location
 *
 * Loads the edges and tables as they are now, see plumb_join_graph_read_tables().
 *
 * Returns: (transfer full): the graph, or %NULL with an error
 */
PlumbJoinGraph *
plumb_join_graph_load (PlumbIndex *index, const char *database, GError **error)
{
  g_autoptr (GPtrArray) edges = plumb_index_list_edges (index, database, error);
  g_autoptr (PlumbJoinGraph) self = edges != NULL ? plumb_join_graph_new (edges) : NULL;

  if (self == NULL || !plumb_join_graph_read_tables (self, index, database, error))
    return NULL;
  return g_steal_pointer (&self);
}

/**
 * plumb_join_graph_hide:
 * @self: a graph
 * @table: the full name of a table outside the access role
 *
 * From here on nothing that is offered or said names @table.
 */
void
plumb_join_graph_hide (PlumbJoinGraph *self, const PlumbTableName *table)
{
  plumb_join_graph_get_node (self, plumb_join_graph_add_node (self, table))->hidden = TRUE;
}

/**
 * plumb_join_edge_get_penalty:
 * @edge: an edge
 *
 * Returns: what the edge costs a path: less trust, unknown cardinality and rows that multiply on
 * both sides make it dearer
 */
double
plumb_join_edge_get_penalty (PlumbJoinEdge *edge)
{
  static const double by_trust[] = { 16, 1, 1.5, 3, 8, 16 };
  double penalty = by_trust[CLAMP (edge->trust, 0, 5)];

  if (edge->cardinality == PLUMB_CARDINALITY_MANY_TO_MANY)
    penalty += PLUMB_MULTIPLY_PENALTY;
  else if (edge->cardinality == PLUMB_CARDINALITY_UNKNOWN)
    penalty += 0.5;
  return penalty;
}

/** plumb_join_graph_is_offered: Returns: whether @edge may be used: active, trusted, nothing hidden
 */
gboolean
plumb_join_graph_is_offered (PlumbJoinGraph *self, const PlumbGraphEdge *edge)
{
  return edge->edge->state == PLUMB_EDGE_ACTIVE && edge->edge->trust >= 1 &&
         edge->edge->trust <= WEAKEST_TRUST && edge->edge->left_columns != NULL &&
         edge->edge->left_columns[0] != NULL &&
         !plumb_join_graph_get_node (self, edge->left)->hidden &&
         !plumb_join_graph_get_node (self, edge->right)->hidden;
}

static int
compare_edges (gconstpointer a, gconstpointer b)
{
  PlumbJoinEdge *left = *(PlumbJoinEdge *const *) a;
  PlumbJoinEdge *right = *(PlumbJoinEdge *const *) b;

  if (left->trust != right->trust)
    return left->trust - right->trust;
  if (left->usage != right->usage)
    return left->usage > right->usage ? -1 : 1;
  return (left->id > right->id) - (left->id < right->id);
}

/**
 * plumb_join_graph_list_edges:
 * @self: a graph
 * @table: the full name of a table
 *
 * Returns: (transfer full) (element-type PlumbJoinEdge): the edges of @table that may be offered,
 * the most trusted first
 */
GPtrArray *
plumb_join_graph_list_edges (PlumbJoinGraph *self, const PlumbTableName *table)
{
  GPtrArray *edges = g_ptr_array_new_with_free_func ((GDestroyNotify) plumb_join_edge_unref);
  guint node = plumb_join_graph_find_node (self, table->database, table->schema, table->table);

  for (guint i = 0; node != PLUMB_NO_NODE && i < self->edges->len; i++) {
    PlumbGraphEdge *edge = &g_array_index (self->edges, PlumbGraphEdge, i);

    if ((edge->left == node || edge->right == node) && plumb_join_graph_is_offered (self, edge))
      g_ptr_array_add (edges, plumb_join_edge_ref (edge->edge));
  }
  g_ptr_array_sort (edges, compare_edges);
  return edges;
}
