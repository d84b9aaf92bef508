/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-text.h"
#include "plumb-tool-json.h"
#include "plumb-tools.h"

#include <string.h>

/* Room kept for what follows the names. */
#define TAIL_BYTES 512

/* Whether @name fits the pattern, case aside; a pattern without wildcards is a part of the name. */
static gboolean
matches (GPatternSpec *pattern, const char *name)
{
  g_autofree char *folded = plumb_text_fold (name);

  return pattern == NULL || g_pattern_spec_match_string (pattern, folded);
}

static GPatternSpec *
make_pattern (const char *text)
{
  g_autofree char *folded = text != NULL ? plumb_text_fold (text) : NULL;
  g_autofree char *around = NULL;

  if (folded == NULL)
    return NULL;
  for (char *p = folded; *p != '\0'; p++) {
    if (*p == '%')
      *p = '*';
  }
  if (strpbrk (folded, "*?") != NULL)
    return g_pattern_spec_new (folded);
  around = g_strdup_printf ("*%s*", folded);
  return g_pattern_spec_new (around);
}

/* Writes the names while there is room and counts the rest. */
static guint
write_names (PlumbJsonWriter *writer, const char *member, GPtrArray *names, gsize end)
{
  guint n = 0;

  plumb_json_writer_name (writer, member);
  plumb_json_writer_begin_array (writer);
  while (n < names->len &&
         plumb_json_writer_get_length (writer) + strlen (g_ptr_array_index (names, n)) + 4 < end)
    plumb_json_writer_string (writer, g_ptr_array_index (names, n++));
  plumb_json_writer_end_array (writer);
  return names->len - n;
}

static void
collect_names (PlumbToolContext *context, PlumbCatalog *catalog, JsonObject *arguments,
               GPtrArray *names, GPtrArray *refused)
{
  const char *schema = plumb_json_get_string (arguments, "schema", NULL);
  const char *text = plumb_json_get_string (arguments, "pattern", NULL);
  g_autoptr (GPatternSpec) pattern = make_pattern (text);

  for (guint i = 0; i < catalog->tables->len; i++) {
    const PlumbTable *table = g_ptr_array_index (catalog->tables, i);
    char *name;

    if (!table->selectable || (schema != NULL && g_ascii_strcasecmp (schema, table->schema) != 0) ||
        !matches (pattern, table->name))
      continue;
    name = plumb_table_name_join (NULL, table->schema, table->name);
    if (plumb_workspace_allows (context->workspace, catalog->database, table->schema, table->name))
      g_ptr_array_add (names, name);
    else
      g_ptr_array_add (refused, name);
  }
}

static char *
run_list_tables (const PlumbTool *self, PlumbToolContext *context, JsonObject *arguments,
                 GCancellable *cancellable, GError **error)
{
  const char *database = plumb_json_get_string (arguments, "database", "");
  g_autoptr (PlumbCatalog) catalog = NULL;
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) refused = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (PlumbJsonWriter) writer = plumb_json_writer_new ();
  guint left_out;

  catalog = plumb_workspace_get_catalog (context->workspace, database, FALSE, cancellable, error);
  if (catalog == NULL)
    return NULL;
  collect_names (context, catalog, arguments, names, refused);
  plumb_json_writer_begin_object (writer);
  plumb_tool_json_text (writer, "database", database);
  left_out = write_names (writer, "tables", names, self->max_bytes * 3 / 4);
  plumb_tool_json_number (writer, "total", names->len);
  if (left_out > 0) {
    plumb_tool_json_number (writer, "tables_left_out", left_out);
    plumb_tool_json_text (writer, "advice", "Narrow it with `schema` or `pattern`.");
  }
  left_out = write_names (writer, "no_permission", refused, self->max_bytes - TAIL_BYTES);
  if (left_out > 0)
    plumb_tool_json_number (writer, "no_permission_left_out", left_out);
  plumb_json_writer_end_object (writer);
  return plumb_json_writer_finish (writer);
}

const PlumbTool plumb_list_tables_tool = {
  .name = "list_tables",
  .description =
      "Lists names of tables in one database. Only for when search_tables found nothing.",
  .parameters = "{\"type\":\"object\",\"properties\":{"
                "\"database\":{\"type\":\"string\"},"
                "\"schema\":{\"type\":\"string\"},"
                "\"pattern\":{\"type\":\"string\",\"description\":\"part of a name, or a name with "
                "* and ?\"}},"
                "\"required\":[\"database\"],\"additionalProperties\":false}",
  .max_bytes = PLUMB_LIST_MAX_BYTES,
  .run = run_list_tables,
};
