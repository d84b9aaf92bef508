/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-tool-json.h"
#include "plumb-tools.h"

#include <string.h>

/* A note is a remark, not a document. */
#define MAX_NOTE_BYTES 2000

static char *
run_save_table_note (const PlumbTool *self, PlumbToolContext *context, JsonObject *arguments,
                     GCancellable *cancellable, GError **error)
{
  const char *text = plumb_json_get_string (arguments, "text", "");
  g_autoptr (PlumbCard) card = NULL;
  g_autoptr (PlumbNote) note = NULL;
  g_autoptr (PlumbJsonWriter) writer = NULL;
  g_autofree char *table = NULL;

  if (strlen (text) > MAX_NOTE_BYTES) {
    g_set_error (error, PLUMB_ERROR, PLUMB_ERROR_INVALID_ARGUMENT,
                 "text must have at most %d bytes.", MAX_NOTE_BYTES);
    return NULL;
  }
  card = plumb_workspace_find_table (context->workspace,
                                     plumb_json_get_string (arguments, "table", ""), context->scope,
                                     cancellable, error);
  if (card == NULL)
    return NULL;
  note = plumb_note_new (card->database, card->schema, card->name, text);
  g_free (note->origin);
  note->origin = g_strdup ("conversation");
  note->id = plumb_index_add_note (plumb_workspace_get_index (context->workspace), note, error);
  if (note->id <= 0)
    return NULL;
  table = plumb_card_get_full_name (card);
  writer = plumb_json_writer_new ();
  plumb_json_writer_begin_object (writer);
  plumb_tool_json_number (writer, "id", note->id);
  plumb_tool_json_text (writer, "table", table);
  plumb_tool_json_text (writer, "text", note->text);
  plumb_tool_json_text (writer, "origin", note->origin);
  plumb_tool_json_text (writer, "author", note->author);
  plumb_json_writer_end_object (writer);
  return plumb_json_writer_finish (writer);
}

const PlumbTool plumb_save_table_note_tool = {
  .name = "save_table_note",
  .description = "Keeps a remark on a table for later questions, marked as left in a conversation. "
                 "Only when the user "
                 "states something about a table that others should know.",
  .parameters =
      "{\"type\":\"object\",\"properties\":{"
      "\"table\":{\"type\":\"string\",\"description\":\"database.schema.table\"},"
      "\"text\":{\"type\":\"string\",\"description\":\"the remark, in the user's words\"}},"
      "\"required\":[\"table\",\"text\"],\"additionalProperties\":false}",
  .max_bytes = PLUMB_SHORT_MAX_BYTES,
  .run = run_save_table_note,
};
