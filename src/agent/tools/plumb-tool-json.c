/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-tool-json.h"

#include "plumb-text.h"

/* A sentence of a person or a server is cut to this; the interface shows the whole. */
#define MAX_TEXT_BYTES 400

/** plumb_tool_json_text: writes a member, unless @text is %NULL or empty */
void
plumb_tool_json_text (PlumbJsonWriter *writer, const char *name, const char *text)
{
  if (text == NULL || *text == '\0')
    return;
  plumb_json_writer_name (writer, name);
  plumb_json_writer_string (writer, text);
}

/** plumb_tool_json_strings: writes an array, unless there is nothing in it */
void
plumb_tool_json_strings (PlumbJsonWriter *writer, const char *name, const char *const *strings)
{
  if (strings == NULL || strings[0] == NULL)
    return;
  plumb_json_writer_name (writer, name);
  plumb_json_writer_strv (writer, strings);
}

/** plumb_tool_json_number: writes a member, unless @number is negative, which means unknown */
void
plumb_tool_json_number (PlumbJsonWriter *writer, const char *name, gint64 number)
{
  if (number < 0)
    return;
  plumb_json_writer_name (writer, name);
  plumb_json_writer_int (writer, number);
}

/** plumb_tool_json_list: writes an array of strings, an empty one too */
void
plumb_tool_json_list (PlumbJsonWriter *writer, const char *name, GPtrArray *strings)
{
  plumb_json_writer_name (writer, name);
  plumb_json_writer_begin_array (writer);
  for (guint i = 0; i < strings->len; i++)
    plumb_json_writer_string (writer, g_ptr_array_index (strings, i));
  plumb_json_writer_end_array (writer);
}

/** plumb_tool_json_cut: like [func@json_text], cut to what one sentence may take */
void
plumb_tool_json_cut (PlumbJsonWriter *writer, const char *name, const char *text)
{
  g_autofree char *cut = text != NULL ? plumb_text_cut (text, MAX_TEXT_BYTES) : NULL;

  plumb_tool_json_text (writer, name, cut);
}

/** plumb_tool_json_some: writes the first @most strings, and how many more there are */
void
plumb_tool_json_some (PlumbJsonWriter *writer, const char *name, GStrv strings, guint most)
{
  guint n = strings != NULL ? g_strv_length (strings) : 0;
  g_autofree char *left_out = g_strconcat (name, "_left_out", NULL);

  if (n == 0)
    return;
  plumb_json_writer_name (writer, name);
  plumb_json_writer_begin_array (writer);
  for (guint i = 0; i < MIN (n, most); i++) {
    g_autofree char *cut = plumb_text_cut (strings[i], MAX_TEXT_BYTES);

    plumb_json_writer_string (writer, cut);
  }
  plumb_json_writer_end_array (writer);
  if (n > most)
    plumb_tool_json_number (writer, left_out, n - most);
}

/* One join candidate as a line: "CUST_ID → main.CUST_MST.CUST_ID (N:1, declared, trust 1)". */
static char *
describe_edge (const PlumbJoinEdge *edge, const PlumbTableName *from)
{
  gboolean reversed = !plumb_table_name_equal (edge->left, from);
  const PlumbTableName *other = reversed ? edge->left : edge->right;
  g_autofree char *ours = g_strjoinv (", ", reversed ? edge->right_columns : edge->left_columns);
  g_autofree char *theirs = g_strjoinv (", ", reversed ? edge->left_columns : edge->right_columns);
  g_autofree char *name = plumb_table_name_join (NULL, other->schema, other->table);
  PlumbCardinality cardinality =
      reversed ? plumb_cardinality_reverse (edge->cardinality) : edge->cardinality;

  return g_strdup_printf ("%s → %s.%s (%s, %s, trust %d)", ours, name, theirs,
                          plumb_cardinality_to_string (cardinality), edge->basis, edge->trust);
}

/** plumb_tool_json_joins: writes the table's join candidates that the model may use, a line each */
void
plumb_tool_json_joins (PlumbJsonWriter *writer, PlumbCard *card, PlumbJoinGraph *graph, guint most)
{
  g_autoptr (PlumbTableName) name = plumb_table_name_new (card->database, card->schema, card->name);
  g_autoptr (GPtrArray) edges = graph != NULL ? plumb_join_graph_list_edges (graph, name) : NULL;
  guint n = 0;

  for (guint i = 0; edges != NULL && i < edges->len && n < most; i++) {
    const PlumbJoinEdge *edge = g_ptr_array_index (edges, i);
    g_autofree char *line = NULL;

    if (edge->trust > 3 || edge->state != PLUMB_EDGE_ACTIVE)
      continue;
    if (n++ == 0) {
      plumb_json_writer_name (writer, "joins");
      plumb_json_writer_begin_array (writer);
    }
    line = describe_edge (edge, name);
    plumb_json_writer_string (writer, line);
  }
  if (n > 0)
    plumb_json_writer_end_array (writer);
}

/** plumb_tool_json_notes: writes a table's notes; a hit is its excerpt */
void
plumb_tool_json_notes (PlumbJsonWriter *writer, GPtrArray *notes, guint most)
{
  if (notes->len == 0)
    return;
  plumb_json_writer_name (writer, "notes");
  plumb_json_writer_begin_array (writer);
  for (guint i = 0; i < MIN (notes->len, most); i++) {
    const PlumbNote *note = g_ptr_array_index (notes, i);

    plumb_json_writer_begin_object (writer);
    plumb_tool_json_cut (writer, "text", note->excerpt != NULL ? note->excerpt : note->text);
    plumb_tool_json_text (writer, "author", note->author);
    plumb_json_writer_name (writer, "hit");
    plumb_json_writer_boolean (writer, note->excerpt != NULL);
    plumb_json_writer_end_object (writer);
  }
  plumb_json_writer_end_array (writer);
}

/**
 * plumb_tool_require_databases:
 * @context: the tool's context
 * @arguments: arguments with an optional array `databases`
 * @error: return location
 *
 * Returns: (transfer full): the databases named, an empty array for none; %NULL with an error where
 *   one of them isn't there or may not be seen
 */
GStrv
plumb_tool_require_databases (PlumbToolContext *context, JsonObject *arguments, GError **error)
{
  g_auto (GStrv) databases = plumb_json_get_strv (arguments, "databases");

  if (databases == NULL)
    return g_new0 (char *, 1);
  for (guint i = 0; databases[i] != NULL; i++) {
    g_autoptr (PlumbSource) source =
        plumb_workspace_get_source (context->workspace, databases[i], error);

    if (source == NULL)
      return NULL;
  }
  return g_steal_pointer (&databases);
}

/** plumb_tool_get_limits: Returns: the turn's limits, with the smaller `max_rows` */
PlumbLimits
plumb_tool_get_limits (PlumbToolContext *context, JsonObject *arguments)
{
  PlumbLimits limits = context->limits;

  limits.max_rows =
      MIN (limits.max_rows, plumb_json_get_int (arguments, "max_rows", limits.max_rows));
  return limits;
}
