/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-query-runner.h"
#include "plumb-tool-json.h"
#include "plumb-tools.h"

#include <string.h>

/* Room kept for what follows the rows, warnings among it. */
#define TAIL_BYTES 2048

/* Writes the result and, since some cells take more bytes as JSON than they have, tries again with
 * less room for rows until it fits. */
static char *
write_result (PlumbResult *result, gsize max_bytes)
{
  for (gsize room = max_bytes - TAIL_BYTES;; room /= 2) {
    g_autoptr (PlumbJsonWriter) writer = plumb_json_writer_new ();

    plumb_json_writer_begin_object (writer);
    plumb_result_write_json (result, writer, MAX (room, 1));
    plumb_tool_json_text (writer, "result_id", plumb_result_get_id (result));
    plumb_json_writer_end_object (writer);
    if (plumb_json_writer_get_length (writer) <= max_bytes || room <= 1)
      return plumb_json_writer_finish (writer);
  }
}

static char *
run_run_query (const PlumbTool *self, PlumbToolContext *context, JsonObject *arguments,
               GCancellable *cancellable, GError **error)
{
  PlumbLimits limits = plumb_tool_get_limits (context, arguments);
  PlumbQuery query = {
    .workspace = context->workspace,
    .origin = "ask",
    .database = plumb_json_get_string (arguments, "database", ""),
    .sql = plumb_json_get_string (arguments, "sql", ""),
    .question = context->question,
    .turn_id = context->turn_id,
    .scope = context->scope,
    .analyzed_only = TRUE,
    .progress = context->progress,
    .progress_data = context->progress_data,
  };
  g_autoptr (PlumbResult) result =
      plumb_query_run (&query, &limits, &context->audit_id, cancellable, error);

  if (result == NULL)
    return NULL;
  context->sql = g_strdup (query.sql);
  context->database = g_strdup (query.database);
  context->result = g_steal_pointer (&result);
  return write_result (context->result, self->max_bytes);
}

const PlumbTool plumb_run_query_tool = {
  .name = "run_query",
  .description = "Runs one read-only SELECT at the database and returns its rows. Count and sum in "
                 "SQL, never by "
                 "counting rows you received: rows are capped. Read the warnings before you "
                 "answer. The user sees "
                 "the whole result; don't repeat long ones.",
  .parameters =
      "{\"type\":\"object\",\"properties\":{"
      "\"database\":{\"type\":\"string\"},"
      "\"sql\":{\"type\":\"string\",\"description\":\"one SELECT in the database's own dialect\"},"
      "\"max_rows\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":500}},"
      "\"required\":[\"database\",\"sql\"],\"additionalProperties\":false}",
  .max_bytes = PLUMB_RESULT_MAX_BYTES,
  .run = run_run_query,
};
