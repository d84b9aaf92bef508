/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-join-edge.h"

static const char *const cardinality_names[] = {
  [PLUMB_CARDINALITY_UNKNOWN] = "unknown",
  [PLUMB_CARDINALITY_ONE_TO_ONE] = "1:1",
  [PLUMB_CARDINALITY_MANY_TO_ONE] = "N:1",
  [PLUMB_CARDINALITY_ONE_TO_MANY] = "1:N",
  [PLUMB_CARDINALITY_MANY_TO_MANY] = "N:M",
};

/** plumb_cardinality_to_string: Returns: "1:1", "N:1", "1:N", "N:M" or "unknown" */
const char *
plumb_cardinality_to_string (PlumbCardinality cardinality)
{
  return cardinality_names[cardinality];
}

/** plumb_cardinality_from_string: Returns: what @text names; unknown for anything else */
PlumbCardinality
plumb_cardinality_from_string (const char *text)
{
  for (guint i = 0; i < G_N_ELEMENTS (cardinality_names); i++) {
    if (g_strcmp0 (text, cardinality_names[i]) == 0)
      return i;
  }
  return PLUMB_CARDINALITY_UNKNOWN;
}

/** plumb_cardinality_reverse: Returns: @cardinality read from right to left */
PlumbCardinality
plumb_cardinality_reverse (PlumbCardinality cardinality)
{
  if (cardinality == PLUMB_CARDINALITY_MANY_TO_ONE)
    return PLUMB_CARDINALITY_ONE_TO_MANY;
  if (cardinality == PLUMB_CARDINALITY_ONE_TO_MANY)
    return PLUMB_CARDINALITY_MANY_TO_ONE;
  return cardinality;
}

/** plumb_edge_state_to_string: Returns: "active", "stale" or "rejected" */
const char *
plumb_edge_state_to_string (PlumbEdgeState state)
{
  static const char *const names[] = { "active", "stale", "rejected" };

  return names[state];
}

/** plumb_join_edge_new: Returns: (transfer full): an active edge of trust 5 without keys yet */
PlumbJoinEdge *
plumb_join_edge_new (const PlumbTableName *left, const PlumbTableName *right)
{
  PlumbJoinEdge *self = g_atomic_rc_box_new0 (PlumbJoinEdge);

  self->left = plumb_table_name_copy (left);
  self->right = plumb_table_name_copy (right);
  self->trust = 5;
  return self;
}

/** plumb_join_edge_ref: Returns: (transfer full): @self with one more reference */
PlumbJoinEdge *
plumb_join_edge_ref (PlumbJoinEdge *self)
{
  return g_atomic_rc_box_acquire (self);
}

static void
edge_clear (PlumbJoinEdge *self)
{
  g_free (self->name);
  plumb_table_name_free (self->left);
  plumb_table_name_free (self->right);
  g_strfreev (self->left_columns);
  g_strfreev (self->right_columns);
  g_free (self->basis);
  g_free (self->temporal_rule);
  g_free (self->evidence);
}

/** plumb_join_edge_unref: gives a reference back */
void
plumb_join_edge_unref (PlumbJoinEdge *self)
{
  if (self != NULL)
    g_atomic_rc_box_release_full (self, (GDestroyNotify) edge_clear);
}

/** plumb_join_step_new: Returns: (transfer full): a step that holds a reference to @edge */
PlumbJoinStep *
plumb_join_step_new (PlumbJoinEdge *edge, gboolean reversed)
{
  PlumbJoinStep *self = g_new0 (PlumbJoinStep, 1);

  self->edge = plumb_join_edge_ref (edge);
  self->reversed = reversed;
  return self;
}

static void
step_free (PlumbJoinStep *self)
{
  plumb_join_edge_unref (self->edge);
  g_free (self->warning);
  g_free (self);
}

/** plumb_join_path_new: Returns: (transfer full): a path without steps */
PlumbJoinPath *
plumb_join_path_new (void)
{
  PlumbJoinPath *self = g_new0 (PlumbJoinPath, 1);

  self->steps = g_ptr_array_new_with_free_func ((GDestroyNotify) step_free);
  self->alternatives = g_ptr_array_new_with_free_func ((GDestroyNotify) plumb_join_edge_unref);
  return self;
}

/** plumb_join_path_free: frees @self */
void
plumb_join_path_free (PlumbJoinPath *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->steps);
  g_ptr_array_unref (self->alternatives);
  g_free (self->reason);
  g_free (self);
}

static void
write_keys (PlumbJsonWriter *writer, GStrv left, GStrv right)
{
  plumb_json_writer_name (writer, "keys");
  plumb_json_writer_begin_array (writer);
  for (guint i = 0; left != NULL && right != NULL && left[i] != NULL && right[i] != NULL; i++) {
    plumb_json_writer_begin_array (writer);
    plumb_json_writer_string (writer, left[i]);
    plumb_json_writer_string (writer, right[i]);
    plumb_json_writer_end_array (writer);
  }
  plumb_json_writer_end_array (writer);
}

/* What an edge and a step of a path have in common, read from left to right or the other way. */
static void
write_edge_members (PlumbJoinEdge *self, gboolean reversed, PlumbJsonWriter *writer)
{
  g_autofree char *left = plumb_table_name_format (reversed ? self->right : self->left);
  g_autofree char *right = plumb_table_name_format (reversed ? self->left : self->right);

  plumb_json_writer_name (writer, "left");
  plumb_json_writer_string (writer, left);
  plumb_json_writer_name (writer, "right");
  plumb_json_writer_string (writer, right);
  write_keys (writer, reversed ? self->right_columns : self->left_columns,
              reversed ? self->left_columns : self->right_columns);
  plumb_json_writer_name (writer, "cardinality");
  plumb_json_writer_string (writer, plumb_cardinality_to_string (
                                        reversed ? plumb_cardinality_reverse (self->cardinality)
                                                 : self->cardinality));
  plumb_json_writer_name (writer, "trust");
  plumb_json_writer_int (writer, self->trust);
  plumb_json_writer_name (writer, "basis");
  plumb_json_writer_string (writer, self->basis);
  if (self->name != NULL) {
    plumb_json_writer_name (writer, "name");
    plumb_json_writer_string (writer, self->name);
  }
  if (self->temporal_rule != NULL) {
    plumb_json_writer_name (writer, "temporal_rule");
    plumb_json_writer_string (writer, self->temporal_rule);
  }
}

/** plumb_join_edge_write_json: writes the edge as one object, as `plumbline-cli joins list` shows it */
void
plumb_join_edge_write_json (PlumbJoinEdge *self, PlumbJsonWriter *writer)
{
  plumb_json_writer_begin_object (writer);
  plumb_json_writer_name (writer, "id");
  plumb_json_writer_int (writer, self->id);
  write_edge_members (self, FALSE, writer);
  plumb_json_writer_name (writer, "state");
  plumb_json_writer_string (writer, plumb_edge_state_to_string (self->state));
  plumb_json_writer_name (writer, "evidence");
  plumb_json_writer_string (writer, self->evidence);
  plumb_json_writer_name (writer, "usage");
  plumb_json_writer_int (writer, self->usage);
  plumb_json_writer_end_object (writer);
}

/** plumb_join_path_write_json: writes the document of `plumbline-cli joins path` (DESIGN section 11);
 *  edges between the same tables that were not taken follow in `alternatives` */
void
plumb_join_path_write_json (PlumbJoinPath *self, PlumbJsonWriter *writer)
{
  plumb_json_writer_begin_object (writer);
  plumb_json_writer_name (writer, "path");
  if (self->reason != NULL) {
    plumb_json_writer_null (writer);
    plumb_json_writer_name (writer, "reason");
    plumb_json_writer_string (writer, self->reason);
    plumb_json_writer_end_object (writer);
    return;
  }
  plumb_json_writer_begin_array (writer);
  for (guint i = 0; i < self->steps->len; i++) {
    const PlumbJoinStep *step = g_ptr_array_index (self->steps, i);

    plumb_json_writer_begin_object (writer);
    write_edge_members (step->edge, step->reversed, writer);
    plumb_json_writer_name (writer, "warning");
    plumb_json_writer_string (writer, step->warning);
    plumb_json_writer_end_object (writer);
  }
  plumb_json_writer_end_array (writer);
  plumb_json_writer_name (writer, "penalty");
  plumb_json_writer_double (writer, self->penalty);
  if (self->alternatives->len > 0) {
    plumb_json_writer_name (writer, "alternatives");
    plumb_json_writer_begin_array (writer);
    for (guint i = 0; i < self->alternatives->len; i++)
      plumb_join_edge_write_json (g_ptr_array_index (self->alternatives, i), writer);
    plumb_json_writer_end_array (writer);
  }
  plumb_json_writer_end_object (writer);
}
