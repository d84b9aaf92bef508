/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-join-graph-private.h"

/* The most joins on the way from one table to another. */
#define MAX_HOPS 6

/* An edge that costs more than this is never taken, however short the way would be. */
#define MAX_EDGE_PENALTY 8

/* Up to a table that many rows refer to and down to others that refer to it: two facts meet at a
 * dimension, and their rows multiply. */
#define TURN_PENALTY PLUMB_MULTIPLY_PENALTY

/* What a way costs, compared in this order: ties in penalty go to fewer hops, then to declared
 * keys, then to joins that were used more. */
typedef struct {
  double penalty;
  guint hops;
  guint undeclared;
  gint64 usage;
} Cost;

/* The best way to a table in so many hops, and its last edge. There are two to each table: one
 * where rows that are joined already refer to it (the number is twice the table's and one), and one
 * where none do. */
typedef struct {
  gboolean reached;
  Cost cost;
  guint edge;
  guint from;
} Arrival;

/* A search for the tree that joins @wanted. @in_tree says which tables are joined already. */
typedef struct {
  PlumbJoinGraph *graph;
  gboolean *usable;
  gboolean *is_wanted;
  gboolean *in_tree;
  GArray *picked;
  Cost cost;
} Tree;

static int
compare_costs (const Cost *a, const Cost *b)
{
  if (a->penalty != b->penalty)
    return a->penalty < b->penalty ? -1 : 1;
  if (a->hops != b->hops)
    return a->hops < b->hops ? -1 : 1;
  if (a->undeclared != b->undeclared)
    return a->undeclared < b->undeclared ? -1 : 1;
  return (a->usage < b->usage) - (a->usage > b->usage);
}

static Cost
add_edge_cost (Cost cost, PlumbJoinEdge *edge)
{
  cost.penalty += plumb_join_edge_get_penalty (edge);
  cost.hops++;
  cost.undeclared += g_strcmp0 (edge->basis, "declared") != 0;
  cost.usage += edge->usage;
  return cost;
}

static PlumbGraphEdge *
get_edge (PlumbJoinGraph *graph, guint edge)
{
  return &g_array_index (graph->edges, PlumbGraphEdge, edge);
}

/* Goes on from the way @from over @edge to the table @to. */
static gboolean
relax (Tree *tree, const Arrival *before, Arrival *now, guint edge, guint from, guint to)
{
  PlumbGraphEdge *taken;
  PlumbCardinality cardinality;
  gboolean came_up = from % 2 == 1;
  Arrival *arrival;
  Cost cost;

  if (!before[from].reached || tree->in_tree[to] ||
      (plumb_join_graph_get_node (tree->graph, to)->no_way && !tree->is_wanted[to]))
    return FALSE;
  taken = get_edge (tree->graph, edge);
  cardinality = taken->left == from / 2 ? taken->edge->cardinality
                                        : plumb_cardinality_reverse (taken->edge->cardinality);
  cost = add_edge_cost (before[from].cost, taken->edge);
  if (came_up && cardinality == PLUMB_CARDINALITY_ONE_TO_MANY)
    cost.penalty += TURN_PENALTY;
  came_up = cardinality == PLUMB_CARDINALITY_MANY_TO_ONE ||
            (came_up && cardinality == PLUMB_CARDINALITY_ONE_TO_ONE);
  arrival = &now[2 * to + came_up];
  if (arrival->reached && compare_costs (&arrival->cost, &cost) <= 0)
    return FALSE;
  *arrival = (Arrival) { TRUE, cost, edge, from };
  return TRUE;
}

/* The cheapest ways from the tree to every table in one edge more than @before. */
static gboolean
search_layer (Tree *tree, const Arrival *before, Arrival *now)
{
  gboolean any = FALSE;

  for (guint i = 0; i < tree->graph->edges->len; i++) {
    PlumbGraphEdge *edge = get_edge (tree->graph, i);

    for (guint came_up = 0; tree->usable[i] && came_up < 2; came_up++) {
      any = relax (tree, before, now, i, 2 * edge->left + came_up, edge->right) || any;
      any = relax (tree, before, now, i, 2 * edge->right + came_up, edge->left) || any;
    }
  }
  return any;
}

static void
pick_way (Tree *tree, Arrival **layers, guint hops, guint way)
{
  Cost cost = layers[hops][way].cost;

  for (; hops > 0; hops--) {
    Arrival *arrival = &layers[hops][way];

    tree->in_tree[way / 2] = TRUE;
    g_array_append_val (tree->picked, arrival->edge);
    way = arrival->from;
  }
  tree->cost.penalty += cost.penalty;
  tree->cost.hops += cost.hops;
  tree->cost.undeclared += cost.undeclared;
  tree->cost.usage += cost.usage;
}

/* The ways begin at the tables of the tree, each with what its edges say of it. */
static void
begin_at_tree (Tree *tree, Arrival *first)
{
  for (guint i = 0; i < tree->graph->nodes->len; i++)
    first[2 * i].reached = tree->in_tree[i];
  for (guint i = 0; i < tree->picked->len; i++) {
    PlumbGraphEdge *edge = get_edge (tree->graph, g_array_index (tree->picked, guint, i));
    guint referred;

    if (edge->edge->cardinality == PLUMB_CARDINALITY_MANY_TO_ONE)
      referred = edge->right;
    else if (edge->edge->cardinality == PLUMB_CARDINALITY_ONE_TO_MANY)
      referred = edge->left;
    else
      continue;
    first[2 * referred].reached = FALSE;
    first[2 * referred + 1].reached = TRUE;
  }
}

/* Joins the table of @wanted that is nearest to the tree. This is Dijkstra's shortest path under a
 * limit on hops: a dearer but shorter way to a table can be the one that leads on within the limit,
 * so the ways are kept by their number of hops (Bellman and Ford's layers). */
static gboolean
join_nearest (Tree *tree)
{
  guint n_ways = 2 * tree->graph->nodes->len;
  Arrival *layers[MAX_HOPS + 1];
  Arrival *best = NULL;
  guint best_way = 0, best_hops = 0;

  for (guint hops = 0; hops <= MAX_HOPS; hops++)
    layers[hops] = g_new0 (Arrival, n_ways);
  begin_at_tree (tree, layers[0]);
  for (guint hops = 1;
       hops <= MAX_HOPS && search_layer (tree, layers[hops - 1], layers[hops]); hops++) {
    for (guint i = 0; i < n_ways; i++) {
      if (!tree->is_wanted[i / 2] || !layers[hops][i].reached ||
          (best != NULL && compare_costs (&best->cost, &layers[hops][i].cost) <= 0))
        continue;
      best = &layers[hops][i];
      best_way = i;
      best_hops = hops;
    }
  }
  if (best != NULL)
    pick_way (tree, layers, best_hops, best_way);
  for (guint hops = 0; hops <= MAX_HOPS; hops++)
    g_free (layers[hops]);
  return best != NULL;
}

static void
tree_free (Tree *tree)
{
  g_free (tree->usable);
  g_free (tree->is_wanted);
  g_free (tree->in_tree);
  g_array_unref (tree->picked);
  g_free (tree);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Tree, tree_free)

static Tree *
tree_new (PlumbJoinGraph *graph, GArray *wanted, guint start)
{
  Tree *tree = g_new0 (Tree, 1);

  tree->graph = graph;
  tree->usable = g_new0 (gboolean, graph->edges->len + 1);
  tree->is_wanted = g_new0 (gboolean, graph->nodes->len);
  tree->in_tree = g_new0 (gboolean, graph->nodes->len);
  tree->picked = g_array_new (FALSE, FALSE, sizeof (guint));
  for (guint i = 0; i < graph->edges->len; i++) {
    PlumbGraphEdge *edge = get_edge (graph, i);

    tree->usable[i] = edge->left != edge->right && plumb_join_graph_is_offered (graph, edge) &&
                      plumb_join_edge_get_penalty (edge->edge) <= MAX_EDGE_PENALTY;
  }
  for (guint i = 0; i < wanted->len; i++)
    tree->is_wanted[g_array_index (wanted, guint, i)] = TRUE;
  tree->in_tree[start] = TRUE;
  return tree;
}

/* The tree that grows from @start by the nearest table each time, the shortest-path heuristic for
 * Steiner's problem (Takahashi and Matsuyama 1980); not all of @wanted are in it where one can't be
 * reached. */
static Tree *
grow_tree (PlumbJoinGraph *graph, GArray *wanted, guint start)
{
  Tree *tree = tree_new (graph, wanted, start);
  guint missing = wanted->len - 1;

  while (missing > 0 && join_nearest (tree)) {
    missing = 0;
    for (guint i = 0; i < wanted->len; i++)
      missing += !tree->in_tree[g_array_index (wanted, guint, i)];
  }
  return tree;
}

static gboolean
is_complete (Tree *tree, GArray *wanted)
{
  for (guint i = 0; i < wanted->len; i++) {
    if (!tree->in_tree[g_array_index (wanted, guint, i)])
      return FALSE;
  }
  return TRUE;
}

/* The heuristic depends on where it begins, so each table gets its turn; of several trees the
 * cheapest. Where none is complete, one that isn't. */
static Tree *
find_tree (PlumbJoinGraph *graph, GArray *wanted)
{
  g_autoptr (Tree) best = grow_tree (graph, wanted, g_array_index (wanted, guint, 0));

  for (guint i = 1; wanted->len > 2 && i < wanted->len && is_complete (best, wanted); i++) {
    g_autoptr (Tree) tree = grow_tree (graph, wanted, g_array_index (wanted, guint, i));

    if (is_complete (tree, wanted) && compare_costs (&tree->cost, &best->cost) < 0) {
      tree_free (g_steal_pointer (&best));
      best = g_steal_pointer (&tree);
    }
  }
  return g_steal_pointer (&best);
}

static gboolean
join_same_tables (const PlumbGraphEdge *a, const PlumbGraphEdge *b)
{
  return (a->left == b->left && a->right == b->right) ||
         (a->left == b->right && a->right == b->left);
}

/* Other edges between the same two tables that deserve as much trust. */
static guint
count_rivals (PlumbJoinGraph *graph, const PlumbGraphEdge *taken)
{
  guint n = 0;

  for (guint i = 0; i < graph->edges->len; i++) {
    PlumbGraphEdge *edge = get_edge (graph, i);

    n += edge->edge != taken->edge && join_same_tables (edge, taken) &&
         plumb_join_graph_is_offered (graph, edge) && edge->edge->trust <= taken->edge->trust;
  }
  return n;
}

static void
add_step (PlumbJoinPath *path, PlumbJoinGraph *graph, const PlumbGraphEdge *edge,
          gboolean reversed, gboolean passes)
{
  PlumbJoinStep *step = plumb_join_step_new (edge->edge, reversed);

  step->warning = plumb_join_step_warn (step, count_rivals (graph, edge), passes);
  g_ptr_array_add (path->steps, step);
}

/* The picked edges in an order in which they can be joined, beginning at the first table asked for.
 */
static void
add_steps (PlumbJoinPath *path, Tree *tree, guint start)
{
  g_autofree gboolean *joined = g_new0 (gboolean, tree->graph->nodes->len);
  gboolean any = TRUE;

  joined[start] = TRUE;
  while (any) {
    any = FALSE;
    for (guint i = 0; i < tree->picked->len && !any; i++) {
      PlumbGraphEdge *edge = get_edge (tree->graph, g_array_index (tree->picked, guint, i));
      gboolean reversed;

      if (joined[edge->left] == joined[edge->right])
        continue;
      reversed = joined[edge->right];
      add_step (path, tree->graph, edge, reversed,
                !tree->is_wanted[reversed ? edge->left : edge->right]);
      joined[edge->left] = joined[edge->right] = TRUE;
      any = TRUE;
    }
  }
}

static gboolean
is_step (PlumbJoinPath *path, PlumbJoinEdge *edge)
{
  for (guint i = 0; i < path->steps->len; i++) {
    if (((PlumbJoinStep *) g_ptr_array_index (path->steps, i))->edge == edge)
      return TRUE;
  }
  return FALSE;
}

static void
add_alternatives (PlumbJoinPath *path, Tree *tree)
{
  for (guint i = 0; i < tree->graph->edges->len; i++) {
    PlumbGraphEdge *edge = get_edge (tree->graph, i);

    if (tree->usable[i] && tree->in_tree[edge->left] && tree->in_tree[edge->right] &&
        !is_step (path, edge->edge))
      g_ptr_array_add (path->alternatives, plumb_join_edge_ref (edge->edge));
  }
}

/* What else is known between two tables that can't be joined, for those who wonder why. */
static const char *
explain_missing (PlumbJoinGraph *graph, guint a, guint b)
{
  const PlumbGraphEdge wanted = { NULL, a, b };
  gboolean weak = FALSE, stale = FALSE;

  for (guint i = 0; i < graph->edges->len; i++) {
    PlumbGraphEdge *edge = get_edge (graph, i);

    if (!join_same_tables (edge, &wanted))
      continue;
    stale = stale || edge->edge->state == PLUMB_EDGE_STALE;
    weak = weak || (edge->edge->state == PLUMB_EDGE_ACTIVE && edge->edge->trust > 3);
  }
  if (stale)
    return " A join between them is out of date, since a key column changed; look at it in the "
           "joins.";
  if (weak)
    return " A join between them was only guessed; someone who knows the tables has to confirm it.";
  return " If you know how they belong together, add the join by hand.";
}

static void
set_no_path (PlumbJoinPath *path, PlumbJoinGraph *graph, GArray *wanted, Tree *tree)
{
  guint first = g_array_index (wanted, guint, 0);
  guint other = first;
  g_autofree char *from = NULL;
  g_autofree char *to = NULL;

  for (guint i = 1; i < wanted->len && other == first; i++) {
    if (!tree->in_tree[g_array_index (wanted, guint, i)])
      other = g_array_index (wanted, guint, i);
  }
  from = plumb_table_name_format (plumb_join_graph_get_node (graph, first)->name);
  to = plumb_table_name_format (plumb_join_graph_get_node (graph, other)->name);
  path->reason = g_strdup_printf ("No known joins lead from %s to %s within %d steps.%s", from, to,
                                  MAX_HOPS, explain_missing (graph, first, other));
}

/* A table that is asked for twice is joined with itself. */
static void
find_self_join (PlumbJoinPath *path, PlumbJoinGraph *graph, guint node)
{
  PlumbGraphEdge *best = NULL;
  g_autofree char *name = plumb_table_name_format (plumb_join_graph_get_node (graph, node)->name);

  for (guint i = 0; i < graph->edges->len; i++) {
    PlumbGraphEdge *edge = get_edge (graph, i);

    if (edge->left != node || edge->right != node || !plumb_join_graph_is_offered (graph, edge))
      continue;
    if (best != NULL)
      g_ptr_array_add (path->alternatives, plumb_join_edge_ref (edge->edge));
    else
      best = edge;
  }
  if (best != NULL) {
    add_step (path, graph, best, FALSE, FALSE);
    path->penalty = plumb_join_edge_get_penalty (best->edge);
    return;
  }
  path->reason = g_strdup_printf (
        "No join of %s with itself is known. If there is one, add it by "
        "hand.",
        name);
}

/* The numbers of @tables, each once; a reason in @path where one has no joins at all or they are in
 * different databases. */
static GArray *
find_wanted (PlumbJoinGraph *graph, GPtrArray *tables, PlumbJoinPath *path)
{
  g_autoptr (GArray) wanted = g_array_new (FALSE, FALSE, sizeof (guint));
  PlumbTableName *first = g_ptr_array_index (tables, 0);

  for (guint i = 0; i < tables->len; i++) {
    PlumbTableName *table = g_ptr_array_index (tables, i);
    guint node = plumb_join_graph_find_node (graph, table->database, table->schema, table->table);
    gboolean known = FALSE;
    g_autofree char *name = plumb_table_name_format (table);

    if (table->database != NULL && first->database != NULL &&
        g_strcmp0 (table->database, first->database) != 0) {
      g_autofree char *other = plumb_table_name_format (first);

      path->reason = g_strdup_printf (
          "%s and %s are in different databases, which one statement can't "
          "join. Query each database by itself.",
          other, name);
      return NULL;
    }
    if (node == PLUMB_NO_NODE) {
      path->reason = g_strdup_printf (
          "No join of %s is known. Analyze its source, or add the join by "
          "hand.",
          name);
      return NULL;
    }
    for (guint j = 0; j < wanted->len; j++)
      known = known || g_array_index (wanted, guint, j) == node;
    if (!known)
      g_array_append_val (wanted, node);
  }
  return g_steal_pointer (&wanted);
}

/**
 * plumb_join_graph_find_path:
 * @self: a graph
 * @tables: (element-type PlumbTableName): two or more tables; one given twice is joined with itself
 * @error: return location
 *
 * Finds the joins of least total penalty that connect @tables, through others where needed. A tie
 * goes to fewer joins, then to declared keys, then to the joins used most. Edges of trust 4 and 5,
 * stale and rejected ones, hidden tables and, between the tables, copies and code tables are not
 * used.
 *
 * Returns: (transfer full): the path, without steps and with a reason where there is none; %NULL
 * with PLUMB_ERROR_INVALID_ARGUMENT where fewer than two tables are given
 */
PlumbJoinPath *
plumb_join_graph_find_path (PlumbJoinGraph *self, GPtrArray *tables, GError **error)
{
  g_autoptr (PlumbJoinPath) path = NULL;
  g_autoptr (GArray) wanted = NULL;
  g_autoptr (Tree) tree = NULL;

  if (tables->len < 2) {
    g_set_error_literal (error, PLUMB_ERROR, PLUMB_ERROR_INVALID_ARGUMENT,
                         "A join path leads between two or more tables. Name them all.");
    return NULL;
  }
  path = plumb_join_path_new ();
  wanted = find_wanted (self, tables, path);
  if (wanted == NULL)
    return g_steal_pointer (&path);
  if (wanted->len == 1) {
    find_self_join (path, self, g_array_index (wanted, guint, 0));
    return g_steal_pointer (&path);
  }
  tree = find_tree (self, wanted);
  if (!is_complete (tree, wanted)) {
    set_no_path (path, self, wanted, tree);
  } else {
    add_steps (path, tree, g_array_index (wanted, guint, 0));
    path->penalty = tree->cost.penalty;
    add_alternatives (path, tree);
  }
  return g_steal_pointer (&path);
}
