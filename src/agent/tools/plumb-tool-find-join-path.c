/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-tool-json.h"
#include "plumb-tools.h"

#include <string.h>

/* More tables than this are no question's join. */
#define MAX_TABLES 8

/* Room kept for what follows the alternatives. */
#define TAIL_BYTES 256

/* The tables that are to be joined, all of one database. */
static GPtrArray *
find_tables (PlumbToolContext *context, GStrv names, GCancellable *cancellable, GError **error)
{
  g_autoptr (GPtrArray) tables =
      g_ptr_array_new_with_free_func ((GDestroyNotify) plumb_table_name_free);

  for (guint i = 0; names[i] != NULL; i++) {
    g_autoptr (PlumbCard) card = plumb_workspace_find_table (context->workspace, names[i],
                                                             context->scope, cancellable, error);
    const PlumbTableName *first = tables->len > 0 ? g_ptr_array_index (tables, 0) : NULL;

    if (card == NULL)
      return NULL;
    if (first != NULL && !g_str_equal (first->database, card->database)) {
      g_set_error (error, PLUMB_ERROR, PLUMB_ERROR_INVALID_ARGUMENT,
                   "The tables are in different databases (%s and %s), and one statement can't "
                   "join them. Query each "
                   "database by itself.",
                   first->database, card->database);
      return NULL;
    }
    g_ptr_array_add (tables, plumb_table_name_new (card->database, card->schema, card->name));
  }
  return g_steal_pointer (&tables);
}

static void
write_pairs (PlumbJsonWriter *writer, GStrv left, GStrv right)
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

/* One way to join, worded by its trust. */
static void
write_way (PlumbJsonWriter *writer, const PlumbJoinStep *step)
{
  PlumbJoinEdge *edge = step->edge;
  gboolean reversed = step->reversed;
  g_autofree char *left = plumb_table_name_format (reversed ? edge->right : edge->left);
  g_autofree char *right = plumb_table_name_format (reversed ? edge->left : edge->right);
  g_autofree char *words = plumb_join_step_describe (step);
  PlumbCardinality cardinality =
      reversed ? plumb_cardinality_reverse (edge->cardinality) : edge->cardinality;

  plumb_json_writer_begin_object (writer);
  plumb_tool_json_text (writer, "left", left);
  plumb_tool_json_text (writer, "right", right);
  write_pairs (writer, reversed ? edge->right_columns : edge->left_columns,
               reversed ? edge->left_columns : edge->right_columns);
  plumb_tool_json_text (writer, "cardinality", plumb_cardinality_to_string (cardinality));
  plumb_tool_json_number (writer, "trust", edge->trust);
  plumb_tool_json_text (writer, "basis", edge->basis);
  plumb_tool_json_text (writer, "name", edge->name);
  plumb_tool_json_cut (writer, "temporal_rule", edge->temporal_rule);
  plumb_tool_json_cut (writer, "warning", step->warning);
  plumb_tool_json_cut (writer, "instruction", words);
  plumb_json_writer_end_object (writer);
}

static gboolean
is_declared (const PlumbJoinEdge *edge)
{
  return edge->trust == 1;
}

/* Other ways to join the same tables, declared or confirmed keys apart from inferred candidates. */
static void
write_alternatives (PlumbJsonWriter *writer, PlumbJoinPath *path, gboolean declared,
                    gsize max_bytes)
{
  guint left_out = 0;

  plumb_json_writer_name (writer, declared ? "other_declared" : "other_inferred");
  plumb_json_writer_begin_array (writer);
  for (guint i = 0; i < path->alternatives->len; i++) {
    PlumbJoinEdge *edge = g_ptr_array_index (path->alternatives, i);
    PlumbJoinStep step = { .edge = edge };

    if (is_declared (edge) != declared || edge->trust > 3 || edge->state != PLUMB_EDGE_ACTIVE)
      continue;
    if (plumb_json_writer_get_length (writer) + 1024 > max_bytes)
      left_out++;
    else
      write_way (writer, &step);
  }
  plumb_json_writer_end_array (writer);
  if (left_out > 0)
    plumb_tool_json_number (
        writer, declared ? "other_declared_left_out" : "other_inferred_left_out", left_out);
}

static void
write_path (PlumbJsonWriter *writer, PlumbJoinPath *path, gsize max_bytes)
{
  plumb_json_writer_name (writer, "path");
  if (path->reason != NULL) {
    plumb_json_writer_null (writer);
    plumb_tool_json_cut (writer, "reason", path->reason);
    plumb_tool_json_text (writer, "advice",
                          "Don't guess keys. Use one table, or ask the user in business words.");
    return;
  }
  plumb_json_writer_begin_array (writer);
  for (guint i = 0; i < path->steps->len; i++)
    write_way (writer, g_ptr_array_index (path->steps, i));
  plumb_json_writer_end_array (writer);
  plumb_json_writer_name (writer, "penalty");
  plumb_json_writer_double (writer, path->penalty);
  write_alternatives (writer, path, TRUE, max_bytes - TAIL_BYTES);
  write_alternatives (writer, path, FALSE, max_bytes - TAIL_BYTES);
}

static char *
run_find_join_path (const PlumbTool *self, PlumbToolContext *context, JsonObject *arguments,
                    GCancellable *cancellable, GError **error)
{
  g_auto (GStrv) names = plumb_json_get_strv (arguments, "tables");
  g_autoptr (GPtrArray) tables = NULL;
  g_autoptr (PlumbJoinGraph) graph = NULL;
  g_autoptr (PlumbJoinPath) path = NULL;
  g_autoptr (PlumbJsonWriter) writer = plumb_json_writer_new ();

  if (g_strv_length (names) > MAX_TABLES) {
    g_set_error (error, PLUMB_ERROR, PLUMB_ERROR_INVALID_ARGUMENT,
                 "tables must hold from 2 to %d names.", MAX_TABLES);
    return NULL;
  }
  tables = find_tables (context, names, cancellable, error);
  if (tables == NULL)
    return NULL;
  graph = plumb_workspace_load_joins (
      context->workspace, ((PlumbTableName *) g_ptr_array_index (tables, 0))->database, error);
  path = graph != NULL ? plumb_join_graph_find_path (graph, tables, error) : NULL;
  if (path == NULL)
    return NULL;
  plumb_json_writer_begin_object (writer);
  write_path (writer, path, self->max_bytes);
  plumb_json_writer_end_object (writer);
  return plumb_json_writer_finish (writer);
}

const PlumbTool plumb_find_join_path_tool = {
  .name = "find_join_path",
  .description = "Finds how to join two or more tables: the keys in the order of joining, with "
                 "direction, cardinality, "
                 "trust and fan-out warnings. Call it before any SQL that joins, and use only the "
                 "keys it gives.",
  .parameters = "{\"type\":\"object\",\"properties\":{"
                "\"tables\":{\"type\":\"array\",\"items\":{\"type\":\"string\"},\"minItems\":2,"
                "\"description\":\"database.schema.table, two or more of one database\"}},"
                "\"required\":[\"tables\"],\"additionalProperties\":false}",
  .max_bytes = PLUMB_PATH_MAX_BYTES,
  .run = run_find_join_path,
};
