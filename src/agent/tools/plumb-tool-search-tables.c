/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-names.h"
#include "plumb-tool-json.h"
#include "plumb-tools.h"

#include <string.h>

#define DEFAULT_LIMIT 8

/* How much of each list a candidate brings along; the card has the rest. */
#define MAX_CODE_COLUMNS 4
#define MAX_CODE_VALUES 8
#define MAX_SENTENCES 4
#define MAX_JOINS 5
#define MAX_NOTES 5
#define MAX_FAMILY 12

/* Room kept for what follows the candidates. */
#define TAIL_BYTES 3072

static gboolean
has_meanings (const PlumbCardColumn *column)
{
  for (guint i = 0; i < column->values->len; i++) {
    if (((const PlumbCodeValue *) g_ptr_array_index (column->values, i))->meaning != NULL)
      return TRUE;
  }
  return FALSE;
}

static void
write_code_values (PlumbJsonWriter *writer, PlumbCard *card)
{
  guint n = 0;

  for (guint i = 0; i < card->columns->len && n < MAX_CODE_COLUMNS; i++) {
    const PlumbCardColumn *column = g_ptr_array_index (card->columns, i);

    if (!has_meanings (column))
      continue;
    if (n++ == 0) {
      plumb_json_writer_name (writer, "code_values");
      plumb_json_writer_begin_object (writer);
    }
    plumb_json_writer_name (writer, column->name);
    plumb_json_writer_begin_object (writer);
    for (guint j = 0; j < MIN (column->values->len, MAX_CODE_VALUES); j++) {
      const PlumbCodeValue *value = g_ptr_array_index (column->values, j);

      plumb_json_writer_name (writer, value->value);
      plumb_json_writer_string (writer, value->meaning);
    }
    plumb_json_writer_end_object (writer);
  }
  if (n > 0)
    plumb_json_writer_end_object (writer);
}

/* What even the shortest form of a candidate says. */
static void
write_head (PlumbJsonWriter *writer, PlumbToolContext *context, const PlumbCandidate *candidate)
{
  PlumbCard *card = candidate->card;

  plumb_tool_json_text (writer, "database", card->database);
  plumb_tool_json_text (writer, "schema", card->schema);
  plumb_tool_json_text (writer, "table", card->name);
  plumb_json_writer_name (writer, "score");
  plumb_json_writer_double (writer, (double) (gint64) (candidate->score * 10000 + 0.5) / 10000);
  plumb_tool_json_text (writer, "role", plumb_role_to_string (card->role));
  plumb_tool_json_text (writer, "status", plumb_status_to_string (card->status));
  plumb_tool_json_text (writer, "copy_of", card->copy_of);
  if (card->analyzed_at == 0)
    plumb_tool_json_text (writer, "analysis", "Not analyzed");
  if (!plumb_scope_contains (context->scope, card->database)) {
    plumb_json_writer_name (writer, "outside_scope");
    plumb_json_writer_boolean (writer, TRUE);
  }
}

static char *
write_candidate (PlumbToolContext *context, const PlumbCandidate *candidate, PlumbJoinGraph *graph)
{
  g_autoptr (PlumbJsonWriter) writer = plumb_json_writer_new ();
  PlumbCard *card = candidate->card;
  PlumbSourceRecord *record =
      plumb_index_get_source (plumb_workspace_get_index (context->workspace), card->database, NULL);

  plumb_json_writer_begin_object (writer);
  write_head (writer, context, candidate);
  plumb_tool_json_cut (writer, "purpose", card->purpose != NULL ? card->purpose : card->comment);
  plumb_tool_json_cut (writer, "grain", card->grain);
  plumb_tool_json_number (writer, "row_estimate", card->row_estimate);
  plumb_tool_json_cut (writer, "excerpt", candidate->excerpt);
  plumb_tool_json_strings (writer, "matched_by", (const char *const *) candidate->matched_by);
  plumb_tool_json_some (writer, "copies", candidate->copies, MAX_FAMILY);
  plumb_tool_json_some (writer, "partitions", candidate->partitions, MAX_FAMILY);
  write_code_values (writer, card);
  plumb_tool_json_some (writer, "misuse", card->misuse, MAX_SENTENCES);
  plumb_tool_json_joins (writer, card, graph, MAX_JOINS);
  plumb_tool_json_notes (writer, candidate->notes, MAX_NOTES);
  plumb_tool_json_text (writer, "helped_by", candidate->helped_by);
  plumb_tool_json_text (writer, "helped_by_domain", candidate->helped_by_domain);
  if (record != NULL) {
    plumb_tool_json_text (writer, "engine", record->engine);
    plumb_tool_json_text (writer, "version", record->version);
  }
  plumb_json_writer_end_object (writer);
  g_clear_pointer (&record, plumb_source_record_free);
  return plumb_json_writer_finish (writer);
}

static char *
write_short_candidate (PlumbToolContext *context, const PlumbCandidate *candidate)
{
  g_autoptr (PlumbJsonWriter) writer = plumb_json_writer_new ();

  plumb_json_writer_begin_object (writer);
  write_head (writer, context, candidate);
  plumb_json_writer_end_object (writer);
  return plumb_json_writer_finish (writer);
}

/* Join graphs of the databases that the candidates are in, each loaded once. */
static PlumbJoinGraph *
get_graph (GHashTable *graphs, PlumbToolContext *context, const char *database)
{
  PlumbJoinGraph *graph = g_hash_table_lookup (graphs, database);

  if (graph == NULL) {
    graph = plumb_workspace_load_joins (context->workspace, database, NULL);
    if (graph != NULL)
      g_hash_table_insert (graphs, g_strdup (database), graph);
  }
  return graph;
}

/* Candidates in full while they fit, then by name, then left out; what lost its details is named.
 */
static void
write_candidates (PlumbToolContext *context, PlumbCandidates *found, PlumbJsonWriter *writer,
                  gsize max_bytes)
{
  g_autoptr (GHashTable) graphs = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                                         (GDestroyNotify) plumb_join_graph_free);
  g_autoptr (GPtrArray) shortened = g_ptr_array_new_with_free_func (g_free);
  guint left_out = 0;

  plumb_json_writer_name (writer, "candidates");
  plumb_json_writer_begin_array (writer);
  for (guint i = 0; i < found->candidates->len; i++) {
    PlumbCandidate *candidate = g_ptr_array_index (found->candidates, i);
    gsize room = max_bytes - MIN (max_bytes, plumb_json_writer_get_length (writer));
    gsize short_rest = (found->candidates->len - i - 1) * 160;
    g_autofree char *json = write_candidate (
        context, candidate, get_graph (graphs, context, candidate->card->database));

    if (strlen (json) + MIN (short_rest, room / 2) > room) {
      g_free (json);
      json = write_short_candidate (context, candidate);
      g_ptr_array_add (shortened, plumb_card_get_full_name (candidate->card));
    }
    if (strlen (json) > room)
      left_out++;
    else
      plumb_json_writer_raw (writer, json);
  }
  plumb_json_writer_end_array (writer);
  if (shortened->len > 0)
    plumb_tool_json_list (writer, "details_left_out", shortened);
  if (left_out > 0)
    plumb_tool_json_number (writer, "candidates_left_out", left_out);
}

static void
write_no_permission (PlumbJsonWriter *writer, GPtrArray *names)
{
  gsize end = plumb_json_writer_get_length (writer) + TAIL_BYTES / 2;
  guint n = 0;

  plumb_json_writer_name (writer, "no_permission");
  plumb_json_writer_begin_array (writer);
  while (n < names->len &&
         plumb_json_writer_get_length (writer) + strlen (g_ptr_array_index (names, n)) < end)
    plumb_json_writer_string (writer, g_ptr_array_index (names, n++));
  plumb_json_writer_end_array (writer);
  if (n < names->len)
    plumb_tool_json_number (writer, "no_permission_left_out", names->len - n);
}

/* What the names of all candidates would take in `details_left_out`. */
static gsize
get_names_length (PlumbCandidates *found)
{
  gsize length = 0;

  for (guint i = 0; i < found->candidates->len; i++) {
    g_autofree char *name = plumb_card_get_full_name (
        ((PlumbCandidate *) g_ptr_array_index (found->candidates, i))->card);

    length += strlen (name) + 8;
  }
  return length;
}

static gboolean
looks_outside (PlumbToolContext *context, PlumbCandidates *found)
{
  for (guint i = 0; i < found->candidates->len; i++) {
    const PlumbCandidate *candidate = g_ptr_array_index (found->candidates, i);

    if (!plumb_scope_contains (context->scope, candidate->card->database))
      return TRUE;
  }
  return FALSE;
}

static void
write_advice (PlumbToolContext *context, PlumbCandidates *found, PlumbJsonWriter *writer)
{
  if (looks_outside (context, found)) {
    g_autofree char *scope = plumb_names_list (context->scope, 10);
    g_autofree char *text =
        g_strdup_printf ("The question is bound to %s. Candidates with outside_scope can't be "
                         "opened or queried: ask the user whether to look there.",
                         scope);

    plumb_tool_json_text (writer, "advice", text);
  } else if (found->candidates->len == 0) {
    plumb_tool_json_text (writer, "advice", "Nothing was found. Try other words, or list_tables.");
  }
}

static char *
run_search_tables (const PlumbTool *self, PlumbToolContext *context, JsonObject *arguments,
                   GCancellable *cancellable, GError **error)
{
  g_auto (GStrv) databases = plumb_tool_require_databases (context, arguments, error);
  g_autoptr (PlumbCandidates) found = NULL;
  g_autoptr (PlumbJsonWriter) writer = plumb_json_writer_new ();
  const char *const *where;

  if (databases == NULL)
    return NULL;
  where = databases[0] != NULL ? (const char *const *) databases : context->scope;
  if (where != NULL && where[0] == NULL)
    where = NULL;
  found = plumb_workspace_search (
      context->workspace, plumb_json_get_string (arguments, "query", ""), where,
      plumb_json_get_int (arguments, "limit", DEFAULT_LIMIT), cancellable, error);
  if (found == NULL)
    return NULL;
  plumb_json_writer_begin_object (writer);
  write_candidates (context, found, writer,
                    self->max_bytes - MIN (self->max_bytes, TAIL_BYTES + get_names_length (found)));
  write_no_permission (writer, found->no_permission);
  plumb_json_writer_name (writer, "searched");
  plumb_json_writer_begin_object (writer);
  plumb_tool_json_number (writer, "databases", found->searched);
  plumb_tool_json_number (writer, "of", found->of);
  plumb_json_writer_end_object (writer);
  plumb_tool_json_strings (writer, "lists", (const char *const *) found->lists);
  if (found->reranked) {
    plumb_json_writer_name (writer, "reranked");
    plumb_json_writer_boolean (writer, TRUE);
  }
  plumb_tool_json_text (writer, "warning", found->warning);
  write_advice (context, found, writer);
  plumb_json_writer_end_object (writer);
  context->candidates = g_steal_pointer (&found);
  return plumb_json_writer_finish (writer);
}

const PlumbTool plumb_search_tables_tool = {
  .name = "search_tables",
  .description =
      "Finds tables for a question, best first, with their purpose, status (live, backup, draft, "
      "staging, "
      "partition), code values, likely misuse, joins and notes. Always the first step. Give the "
      "question's own words, or business words for one thing you look for.",
  .parameters =
      "{\"type\":\"object\",\"properties\":{"
      "\"query\":{\"type\":\"string\",\"description\":\"what to look for, in business words\"},"
      "\"databases\":{\"type\":\"array\",\"items\":{\"type\":\"string\"},"
      "\"description\":\"search these alone\"},"
      "\"limit\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":30,"
      "\"description\":\"candidates wanted, 8 by default\"}},"
      "\"required\":[\"query\"],\"additionalProperties\":false}",
  .max_bytes = PLUMB_SEARCH_MAX_BYTES,
  .run = run_search_tables,
};
