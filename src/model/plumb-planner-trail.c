/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-planner-private.h"

#include "plumb-table-name.h"

/* A table that the search didn't find comes after all that it did. */
#define RANK_UNKNOWN 1000

static void
table_free (gpointer data)
{
  PlannerTable *table = data;

  plumb_card_unref (table->card);
  g_free (table->engine);
  g_strfreev (table->entity);
  g_ptr_array_unref (table->probed);
  g_free (table);
}

static void
probed_free (gpointer data)
{
  PlannerProbedValue *probed = data;

  g_strfreev (probed->words);
  g_free (probed->value);
  g_free (probed);
}

static void
candidate_free (gpointer data)
{
  PlannerCandidate *candidate = data;

  g_free (candidate->database);
  g_free (candidate->schema);
  g_free (candidate->table);
  g_free (candidate->full_name);
  g_free (candidate->about);
  g_free (candidate->status);
  g_strfreev (candidate->partitions);
  g_free (candidate);
}

static void
query_free (gpointer data)
{
  PlannerQuery *query = data;

  g_free (query->sql);
  g_free (query->error);
  g_clear_pointer (&query->result, json_node_unref);
  g_free (query);
}

static void
path_free (gpointer data)
{
  PlannerPath *path = data;

  g_strfreev (path->tables);
  g_free (path->error);
  g_clear_pointer (&path->result, json_node_unref);
  g_free (path);
}

/** planner_trail_free: frees @trail */
void
planner_trail_free (PlannerTrail *trail)
{
  if (trail == NULL)
    return;
  g_free (trail->question);
  g_free (trail->search_error);
  g_strfreev (trail->no_permission);
  g_ptr_array_unref (trail->candidates);
  g_ptr_array_unref (trail->tables);
  g_ptr_array_unref (trail->paths);
  g_ptr_array_unref (trail->queries);
  g_hash_table_unref (trail->asked);
  g_free (trail);
}

static PlannerTrail *
trail_new (void)
{
  PlannerTrail *trail = g_new0 (PlannerTrail, 1);

  trail->candidates = g_ptr_array_new_with_free_func (candidate_free);
  trail->tables = g_ptr_array_new_with_free_func (table_free);
  trail->paths = g_ptr_array_new_with_free_func (path_free);
  trail->queries = g_ptr_array_new_with_free_func (query_free);
  trail->asked = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  return trail;
}

static void
read_candidate (PlannerTrail *trail, JsonObject *object)
{
  PlannerCandidate *candidate = g_new0 (PlannerCandidate, 1);
  const char *purpose = plumb_json_get_string (object, "purpose", "");
  const char *excerpt = plumb_json_get_string (object, "excerpt", "");

  candidate->database = g_strdup (plumb_json_get_string (object, "database", ""));
  candidate->schema = g_strdup (plumb_json_get_string (object, "schema", ""));
  candidate->table = g_strdup (plumb_json_get_string (object, "table", ""));
  candidate->full_name =
      plumb_table_name_join (candidate->database, candidate->schema, candidate->table);
  candidate->about = g_strconcat (purpose, " ", excerpt, NULL);
  candidate->status = g_strdup (plumb_json_get_string (object, "status", "live"));
  candidate->outside_scope = plumb_json_get_boolean (object, "outside_scope", FALSE);
  candidate->partitions = plumb_json_get_strv (object, "partitions");
  g_ptr_array_add (trail->candidates, candidate);
}

static void
read_search (PlannerTrail *trail, JsonObject *result)
{
  JsonArray *candidates = plumb_json_get_array (result, "candidates");
  GStrv no_permission = plumb_json_get_strv (result, "no_permission");

  trail->searched = TRUE;
  for (guint i = 0; candidates != NULL && i < json_array_get_length (candidates); i++) {
    JsonNode *node = json_array_get_element (candidates, i);

    if (JSON_NODE_HOLDS_OBJECT (node))
      read_candidate (trail, json_node_get_object (node));
  }
  if (no_permission != NULL) {
    g_strfreev (trail->no_permission);
    trail->no_permission = no_permission;
  }
}

/* Words for what a row is: of the table's name, without what only says what kind of table it is. */
static GStrv
get_entity (PlumbCard *card)
{
  static const char *const kinds[] = { "master",      "table",   "list",        "data",
                                       "information", "header",  "main",        "base",
                                       "log",         "history", "transaction", NULL };
  g_auto (GStrv) name = planner_name_words (card->name);
  g_auto (GStrv) phrase = card->comment != NULL ? planner_phrase_words (card->comment) : NULL;
  g_autoptr (GStrvBuilder) words = g_strv_builder_new ();
  guint n = 0;

  for (guint i = 0; name[i] != NULL; i++) {
    if (planner_in_list (name[i], kinds) || g_ascii_isdigit (name[i][0]))
      continue;
    g_strv_builder_add (words, name[i]);
    n++;
  }
  for (guint i = 0; n == 0 && phrase != NULL && phrase[i] != NULL; i++)
    g_strv_builder_add (words, phrase[i]);
  return g_strv_builder_end (words);
}

static guint
get_rank (PlannerTrail *trail, PlumbCard *card)
{
  for (guint i = 0; i < trail->candidates->len; i++) {
    PlannerCandidate *candidate = g_ptr_array_index (trail->candidates, i);

    if (g_str_equal (candidate->database, card->database) &&
        g_str_equal (candidate->schema, card->schema) && g_str_equal (candidate->table, card->name))
      return i;
  }
  return RANK_UNKNOWN;
}

static void
read_card (PlannerTrail *trail, const char *text, JsonObject *object)
{
  PlumbCard *card = plumb_card_from_json (text, NULL);
  PlannerTable *table;

  if (card == NULL)
    return;
  if (*card->name == '\0' || card->columns->len == 0 || card->gone ||
      planner_trail_find_table (trail, card->database, card->schema, card->name) != NULL) {
    plumb_card_unref (card);
    return;
  }
  table = g_new0 (PlannerTable, 1);
  table->card = card;
  table->engine = g_ascii_strdown (plumb_json_get_string (object, "engine", "sqlite"), -1);
  table->entity = get_entity (card);
  table->rank = get_rank (trail, card);
  table->probed = g_ptr_array_new_with_free_func (probed_free);
  g_ptr_array_add (trail->tables, table);
}

static void
read_query (PlannerTrail *trail, JsonObject *arguments, JsonNode *result, const char *fault)
{
  PlannerQuery *query = g_new0 (PlannerQuery, 1);

  query->sql = g_strdup (plumb_json_get_string (arguments, "sql", ""));
  query->error = g_strdup (fault);
  query->result = fault == NULL && result != NULL ? json_node_ref (result) : NULL;
  g_ptr_array_add (trail->queries, query);
}

static void
read_path (PlannerTrail *trail, JsonObject *arguments, JsonNode *result, const char *fault)
{
  PlannerPath *path = g_new0 (PlannerPath, 1);

  path->tables = plumb_json_get_strv (arguments, "tables");
  path->error = g_strdup (fault);
  path->result = fault == NULL && result != NULL ? json_node_ref (result) : NULL;
  g_ptr_array_add (trail->paths, path);
}

/* What a tool says went wrong: an `error` member that is a text or has a message, or no JSON. */
static const char *
find_fault (JsonNode *result, const char *text)
{
  JsonObject *object =
      result != NULL && JSON_NODE_HOLDS_OBJECT (result) ? json_node_get_object (result) : NULL;
  JsonObject *fault = plumb_json_get_object (object, "error");

  if (object == NULL)
    return *text != '\0' ? text : "the tool gave no result";
  if (fault != NULL)
    return plumb_json_get_string (fault, "message", "the tool failed");
  return plumb_json_get_string (object, "error", NULL);
}

static void
read_result (PlannerTrail *trail, const PlumbToolCall *call, const char *text)
{
  g_autoptr (JsonNode) node = plumb_json_parse (call->arguments, -1, NULL);
  g_autoptr (JsonNode) result = plumb_json_parse (text, -1, NULL);
  JsonObject *arguments =
      node != NULL && JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
  const char *fault = find_fault (result, text);

  if (g_str_equal (call->name, "search_tables")) {
    if (fault == NULL)
      read_search (trail, json_node_get_object (result));
    else
      trail->search_error = g_strdup (fault);
  } else if (g_str_equal (call->name, "get_table_card")) {
    g_hash_table_add (trail->asked, g_strdup (plumb_json_get_string (arguments, "table", "")));
    if (fault == NULL)
      read_card (trail, text, json_node_get_object (result));
  } else if (g_str_equal (call->name, "run_query")) {
    read_query (trail, arguments, result, fault);
  } else if (g_str_equal (call->name, "find_join_path")) {
    read_path (trail, arguments, result, fault);
  }
}

static const char *
find_tool_result (GPtrArray *messages, guint start, const char *id)
{
  for (guint i = start; i < messages->len; i++) {
    PlumbMessage *message = g_ptr_array_index (messages, i);

    if (message->role == PLUMB_MESSAGE_TOOL && g_strcmp0 (message->tool_call_id, id) == 0)
      return message->text != NULL ? message->text : "";
  }
  return NULL;
}

/* The user's last message: a remark of the loop comes behind a tool's result. */
static guint
find_question (GPtrArray *messages)
{
  for (guint i = messages->len; i > 0; i--) {
    PlumbMessage *message = g_ptr_array_index (messages, i - 1);
    PlumbMessage *before = i > 1 ? g_ptr_array_index (messages, i - 2) : NULL;

    if (message->role == PLUMB_MESSAGE_USER &&
        (before == NULL || before->role != PLUMB_MESSAGE_TOOL))
      return i - 1;
  }
  return 0;
}

/**
 * planner_trail_new:
 * @messages: (element-type PlumbMessage): the conversation so far
 *
 * Returns: (transfer full): what has happened since the user's last message
 */
PlannerTrail *
planner_trail_new (GPtrArray *messages)
{
  PlannerTrail *trail = trail_new ();
  guint start = find_question (messages);

  if (messages->len > 0)
    trail->question = g_strdup (((PlumbMessage *) g_ptr_array_index (messages, start))->text);
  for (guint i = start; i < messages->len; i++) {
    PlumbMessage *message = g_ptr_array_index (messages, i);

    if (message->role == PLUMB_MESSAGE_USER && i > start)
      trail->is_last = TRUE;
    for (guint j = 0; message->role == PLUMB_MESSAGE_ASSISTANT && j < message->tool_calls->len;
         j++) {
      PlumbToolCall *call = g_ptr_array_index (message->tool_calls, j);
      const char *text = find_tool_result (messages, i, call->id);

      if (text != NULL)
        read_result (trail, call, text);
    }
  }
  return trail;
}

/** planner_trail_find_table: Returns: (transfer none) (nullable): the table, if its card is open;
 * any schema where @schema is %NULL */
PlannerTable *
planner_trail_find_table (PlannerTrail *trail, const char *database, const char *schema,
                          const char *name)
{
  for (guint i = 0; i < trail->tables->len; i++) {
    PlannerTable *table = g_ptr_array_index (trail->tables, i);

    if (g_str_equal (table->card->database, database) && g_str_equal (table->card->name, name) &&
        (schema == NULL || g_str_equal (table->card->schema, schema)))
      return table;
  }
  return NULL;
}

/** planner_trail_find_query: Returns: (transfer none) (nullable): the run of exactly that statement
 */
PlannerQuery *
planner_trail_find_query (PlannerTrail *trail, const char *sql)
{
  for (guint i = 0; i < trail->queries->len; i++) {
    PlannerQuery *query = g_ptr_array_index (trail->queries, i);

    if (g_str_equal (query->sql, sql))
      return query;
  }
  return NULL;
}

/** planner_trail_find_path: Returns: (transfer none) (nullable): the join path between two tables
 */
PlannerPath *
planner_trail_find_path (PlannerTrail *trail, const char *one, const char *other)
{
  for (guint i = 0; i < trail->paths->len; i++) {
    PlannerPath *path = g_ptr_array_index (trail->paths, i);

    if (path->tables != NULL && g_strv_length (path->tables) == 2 &&
        g_str_equal (path->tables[0], one) && g_str_equal (path->tables[1], other))
      return path;
  }
  return NULL;
}
