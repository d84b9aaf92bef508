/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-query-runner.h"
#include "plumb-text.h"
#include "plumb-tool-json.h"
#include "plumb-tools.h"

#include <string.h>

/* How much of the plan the model gets. */
#define PLAN_BYTES (8 * 1024)
#define MAX_SENTENCES 20

static void
write_sentences (PlumbJsonWriter *writer, const char *name, GPtrArray *sentences)
{
  plumb_json_writer_name (writer, name);
  plumb_json_writer_begin_array (writer);
  for (guint i = 0; i < MIN (sentences->len, MAX_SENTENCES); i++) {
    g_autofree char *cut = plumb_text_cut (g_ptr_array_index (sentences, i), 300);

    plumb_json_writer_string (writer, cut);
  }
  plumb_json_writer_end_array (writer);
}

static void
write_tables (PlumbJsonWriter *writer, PlumbStatement *statement)
{
  plumb_json_writer_name (writer, "tables");
  plumb_json_writer_begin_array (writer);
  for (guint i = 0; i < MIN (statement->tables->len, MAX_SENTENCES); i++) {
    const PlumbSqlTable *table = g_ptr_array_index (statement->tables, i);
    g_autofree char *name = plumb_table_name_join (NULL, table->schema, table->table);

    plumb_json_writer_string (writer, name);
  }
  plumb_json_writer_end_array (writer);
}

static void
write_plan (PlumbJsonWriter *writer, PlumbQueryPlan *plan)
{
  g_autofree char *cut = plumb_text_cut (plan->plan, PLAN_BYTES);

  plumb_tool_json_text (writer, "plan", cut);
  if (strlen (cut) < strlen (plan->plan))
    plumb_tool_json_number (writer, "plan_bytes_left_out", strlen (plan->plan) - strlen (cut));
  if (plan->rows >= 0) {
    plumb_json_writer_name (writer, "estimated_rows");
    plumb_json_writer_double (writer, plan->rows);
  }
  if (plan->cost >= 0) {
    plumb_json_writer_name (writer, "estimated_cost");
    plumb_json_writer_double (writer, plan->cost);
  }
  plumb_tool_json_text (writer, "check", "allow");
  write_tables (writer, plan->statement);
  write_sentences (writer, "warnings", plan->warnings);
}

static char *
run_explain_query (const PlumbTool *self, PlumbToolContext *context, JsonObject *arguments,
                   GCancellable *cancellable, GError **error)
{
  PlumbQuery query = {
    .workspace = context->workspace,
    .origin = "explain",
    .database = plumb_json_get_string (arguments, "database", ""),
    .sql = plumb_json_get_string (arguments, "sql", ""),
    .question = context->question,
    .turn_id = context->turn_id,
    .scope = context->scope,
    .analyzed_only = TRUE,
    .progress = context->progress,
    .progress_data = context->progress_data,
  };
  g_autoptr (PlumbQueryPlan) plan =
      plumb_query_explain (&query, &context->limits, &context->audit_id, cancellable, error);
  g_autoptr (PlumbJsonWriter) writer = NULL;

  if (plan == NULL)
    return NULL;
  writer = plumb_json_writer_new ();
  plumb_json_writer_begin_object (writer);
  write_plan (writer, plan);
  plumb_json_writer_end_object (writer);
  return plumb_json_writer_finish (writer);
}

const PlumbTool plumb_explain_query_tool = {
  .name = "explain_query",
  .description = "Asks the engine for its plan of a SELECT without running it, with estimated rows "
                 "and cost and what "
                 "the statement check says. For queries that look heavy.",
  .parameters =
      "{\"type\":\"object\",\"properties\":{"
      "\"database\":{\"type\":\"string\"},"
      "\"sql\":{\"type\":\"string\",\"description\":\"the SELECT itself, without EXPLAIN\"}},"
      "\"required\":[\"database\",\"sql\"],\"additionalProperties\":false}",
  .max_bytes = PLUMB_PLAN_MAX_BYTES,
  .run = run_explain_query,
};
