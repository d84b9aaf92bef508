/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-join-check-private.h"

#include "plumb-text.h"

/* How an edge of the graph fits the key pairs of a join. */
typedef enum {
  FIT_NONE,
  FIT_PART,
  FIT_WHOLE,
} Fit;

typedef struct {
  Fit fit;
  PlumbJoinEdge *edge;
  gboolean reversed;
} Match;

/* A column may be spelled in another case than the engine stores. */
static gboolean
column_equal (const char *a, const char *b)
{
  g_autofree char *folded_a = NULL;
  g_autofree char *folded_b = NULL;

  if (g_str_equal (a, b))
    return TRUE;
  folded_a = plumb_text_fold (a);
  folded_b = plumb_text_fold (b);
  return g_str_equal (folded_a, folded_b);
}

static gboolean
has_pair (const PlumbSqlJoin *join, const char *left, const char *right)
{
  for (guint i = 0; join->left_columns[i] != NULL && join->right_columns[i] != NULL; i++) {
    if (column_equal (join->left_columns[i], left) && column_equal (join->right_columns[i], right))
      return TRUE;
  }
  return FALSE;
}

/* How many of the pairs of @edge, read from left to right or the other way, are in @join. More
 * pairs in the join only make its rows fewer. */
static Fit
fit_edge (const PlumbSqlJoin *join, PlumbJoinEdge *edge, gboolean reversed)
{
  GStrv left = reversed ? edge->right_columns : edge->left_columns;
  GStrv right = reversed ? edge->left_columns : edge->right_columns;
  guint n_pairs = 0, n_found = 0;

  for (; left[n_pairs] != NULL && right[n_pairs] != NULL; n_pairs++)
    n_found += has_pair (join, left[n_pairs], right[n_pairs]);
  if (n_found == 0)
    return FIT_NONE;
  return n_found == n_pairs ? FIT_WHOLE : FIT_PART;
}

/* A better edge is one whose key is all there, then an active one, then a more trusted one. */
static gboolean
is_better (Fit fit, PlumbJoinEdge *edge, const Match *than)
{
  if (fit != than->fit)
    return fit > than->fit;
  if (than->edge == NULL)
    return FALSE;
  if (edge->state != than->edge->state)
    return edge->state < than->edge->state;
  return edge->trust < than->edge->trust;
}

static Match
find_match (PlumbJoinCheck *self, const PlumbSqlJoin *join)
{
  guint left = self->nodes[join->left], right = self->nodes[join->right];
  Match match = { FIT_NONE, NULL, FALSE };

  for (guint i = 0; i < self->graph->edges->len; i++) {
    PlumbGraphEdge *edge = &g_array_index (self->graph->edges, PlumbGraphEdge, i);

    for (int reversed = FALSE; reversed <= TRUE; reversed++) {
      Fit fit;

      if ((reversed ? edge->right : edge->left) != left ||
          (reversed ? edge->left : edge->right) != right)
        continue;
      fit = fit_edge (join, edge->edge, reversed);
      if (fit != FIT_NONE && is_better (fit, edge->edge, &match))
        match = (Match) { fit, edge->edge, reversed };
    }
  }
  return match;
}

static char *
format_keys (PlumbJoinCheck *self, const PlumbSqlJoin *join)
{
  g_autofree char *left = plumb_join_check_name_table (self, join->left);
  g_autofree char *right = plumb_join_check_name_table (self, join->right);
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; join->left_columns[i] != NULL && join->right_columns[i] != NULL; i++) {
    g_autofree char *left_column = plumb_table_name_quote_part (join->left_columns[i]);
    g_autofree char *right_column = plumb_table_name_quote_part (join->right_columns[i]);

    g_string_append_printf (text, "%s%s.%s = %s.%s", i > 0 ? " AND " : "", left, left_column, right,
                            right_column);
  }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* The known joins between the two tables, as a sentence; empty where there are none. */
static char *
list_known (PlumbJoinCheck *self, const PlumbSqlJoin *join)
{
  guint left = self->nodes[join->left], right = self->nodes[join->right];
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < self->graph->edges->len; i++) {
    PlumbGraphEdge *edge = &g_array_index (self->graph->edges, PlumbGraphEdge, i);
    g_autofree char *keys = NULL;

    if (!((edge->left == left && edge->right == right) ||
          (edge->left == right && edge->right == left)) ||
        !plumb_join_graph_is_offered (self->graph, edge))
      continue;
    keys = plumb_join_edge_format_keys (edge->edge, FALSE);
    g_string_append_printf (text, "%s%s", text->len == 0 ? " Known between the two: " : "; or ",
                            keys);
  }
  if (text->len > 0)
    g_string_append_c (text, '.');
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* The edge by which @column alone, of @node, points to the one row of another table. */
static PlumbGraphEdge *
find_target (PlumbJoinCheck *self, guint node, const char *column, guint *target)
{
  for (guint i = 0; node != PLUMB_NO_NODE && i < self->graph->edges->len; i++) {
    PlumbGraphEdge *edge = &g_array_index (self->graph->edges, PlumbGraphEdge, i);
    gboolean reversed = edge->left != node;
    PlumbCardinality cardinality = reversed ? plumb_cardinality_reverse (edge->edge->cardinality)
                                            : edge->edge->cardinality;
    GStrv columns = reversed ? edge->edge->right_columns : edge->edge->left_columns;

    if ((edge->left != node && edge->right != node) || edge->left == edge->right ||
        !plumb_join_graph_is_offered (self->graph, edge) ||
        cardinality != PLUMB_CARDINALITY_MANY_TO_ONE || g_strv_length (columns) != 1 ||
        !column_equal (columns[0], column))
      continue;
    *target = reversed ? edge->left : edge->right;
    return edge;
  }
  return NULL;
}

/* Two tables joined by the key of a third that both refer to: many rows on both sides. */
static gboolean
check_shared_target (PlumbJoinCheck *self, const PlumbSqlJoin *join, const char *keys)
{
  guint left_target, right_target;
  const PlumbTableName *target;
  g_autofree char *name = NULL;

  if (find_target (self, self->nodes[join->left], join->left_columns[0], &left_target) == NULL ||
      find_target (self, self->nodes[join->right], join->right_columns[0], &right_target) == NULL ||
      left_target != right_target)
    return FALSE;
  target = plumb_join_graph_get_node (self->graph, left_target)->name;
  name = plumb_table_name_join (NULL, target->schema, target->table);
  plumb_join_check_warn (self,
                         "Many to many: in %s both columns refer to %s, so rows of both tables are "
                         "repeated. Add up each table by that key first, then join.",
                         keys, name);
  return TRUE;
}

static PlumbCardinality
check_unknown (PlumbJoinCheck *self, const PlumbSqlJoin *join, const Match *match, const char *keys)
{
  g_autofree char *known = list_known (self, join);

  if (match->fit == FIT_PART) {
    g_autofree char *whole = plumb_join_edge_format_keys (match->edge, match->reversed);

    plumb_join_check_warn (self,
                           "The join %s uses only a part of the key, so rows multiply unless a "
                           "condition fixes the rest. The whole key is %s.",
                           keys, whole);
    return PLUMB_CARDINALITY_UNKNOWN;
  }
  if (check_shared_target (self, join, keys))
    return PLUMB_CARDINALITY_MANY_TO_MANY;
  plumb_join_check_warn (self,
                         "Unknown key pair: %s is not a known join.%s Check that the columns mean "
                         "the same, and compare row counts.",
                         keys, known);
  return PLUMB_CARDINALITY_UNKNOWN;
}

static void
check_trust (PlumbJoinCheck *self, PlumbJoinEdge *edge, const char *keys)
{
  if (edge->state == PLUMB_EDGE_REJECTED)
    plumb_join_check_warn (self, "A person has rejected the join %s. Use another, or ask them why.",
                           keys);
  else if (edge->state == PLUMB_EDGE_STALE)
    plumb_join_check_warn (self,
                           "The join %s is out of date: a key column changed since it was stored. "
                           "Check that it still holds.",
                           keys);
  else if (edge->trust > 3)
    plumb_join_check_warn (
        self,
        "The join %s was only guessed. Check that the columns mean the same, and "
        "compare row counts.",
        keys);
  else if (edge->trust == 3)
    plumb_join_check_warn (self,
                           "Nobody has confirmed the join %s: the key names and types match, no "
                           "more. Check cardinality and row counts.",
                           keys);
  if (edge->temporal_rule != NULL && edge->state == PLUMB_EDGE_ACTIVE)
    plumb_join_check_warn (self,
                           "The join %s also needs the condition %s; whether it stands there was "
                           "not checked.",
                           keys, edge->temporal_rule);
}

/**
 * plumb_join_check_keys:
 * @self: a check
 * @join: a join by equal columns between two tables of the statement
 *
 * Looks for the edge that the join uses, warns where there is none or it isn't to be trusted, and
 * keeps its cardinality for the aggregates.
 */
void
plumb_join_check_keys (PlumbJoinCheck *self, const PlumbSqlJoin *join)
{
  g_autofree char *keys = format_keys (self, join);
  PlumbCheckedJoin checked = { join->left, join->right, PLUMB_CARDINALITY_UNKNOWN };
  Match match = { FIT_NONE, NULL, FALSE };

  if (self->nodes[join->left] != PLUMB_NO_NODE && self->nodes[join->right] != PLUMB_NO_NODE)
    match = find_match (self, join);
  if (match.fit == FIT_WHOLE) {
    check_trust (self, match.edge, keys);
    if (match.edge->state == PLUMB_EDGE_ACTIVE)
      checked.cardinality = match.reversed ? plumb_cardinality_reverse (match.edge->cardinality)
                                           : match.edge->cardinality;
  } else {
    checked.cardinality = check_unknown (self, join, &match, keys);
  }
  g_array_append_val (self->joins, checked);
}
