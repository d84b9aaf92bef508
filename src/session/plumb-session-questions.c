/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-session-private.h"

#include "plumb-table-name.h"

#include <string.h>

#define MAX_QUESTION_BYTES 4000

/* As far down as candidates are looked at: a table behind is as good as not found. */
#define DEPTH 30

static gboolean
check_question (const char *question, const char *const *tables, GError **error)
{
  if (question == NULL || !g_utf8_validate (question, -1, NULL) ||
      question[strspn (question, " \t\r\n")] == '\0' || strlen (question) > MAX_QUESTION_BYTES) {
    g_set_error (error, PLUMB_ERROR, PLUMB_ERROR_INVALID_ARGUMENT,
                 "A question has between 1 and %d bytes of text.", MAX_QUESTION_BYTES);
    return FALSE;
  }
  if (tables != NULL && tables[0] != NULL)
    return TRUE;
  g_set_error_literal (error, PLUMB_ERROR, PLUMB_ERROR_INVALID_ARGUMENT,
                       "Name the tables that answer the question.");
  return FALSE;
}

/* The tables by their full names; all must be there and of one database. */
static PlumbKnownQuestion *
resolve_question (PlumbSession *self, const char *database, const char *text,
                  const char *const *tables, GError **error)
{
  const char *scope[] = { database, NULL };
  g_autoptr (PlumbKnownQuestion) question = plumb_known_question_new (database, text, NULL);
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();

  g_strstrip (question->question);
  for (guint i = 0; tables[i] != NULL; i++) {
    g_autoptr (PlumbCard) card =
        plumb_workspace_find_table (self->workspace, tables[i], question->database != NULL ? scope : NULL,
                                    NULL, error);
    g_autofree char *name = NULL;

    if (card == NULL)
      return NULL;
    if (question->database == NULL) {
      question->database = g_strdup (card->database);
      scope[0] = question->database;
    }
    name = plumb_table_name_join (NULL, card->schema, card->name);
    g_strv_builder_add (names, name);
  }
  question->tables = g_strv_builder_end (names);
  return g_steal_pointer (&question);
}

/**
 * plumb_session_add_question:
 * @self: a session
 * @database: (nullable): the source that it is about; %NULL for that of the first table
 * @question: the question as a person would ask it
 * @tables: the tables that answer it
 * @error: return location
 *
 * Writes down a question of which the tables are known. Where the same question is there already, it
 * gets these tables.
 *
 * Returns: its number, -1 with an error, PLUMB_ERROR_NOT_FOUND where a table isn't there
 */
gint64
plumb_session_add_question (PlumbSession *self, const char *database, const char *question,
                            const char *const *tables, GError **error)
{
  g_autoptr (PlumbKnownQuestion) known = NULL;
  gint64 id;

  if (!check_question (question, tables, error))
    return -1;
  known = resolve_question (self, database, question, tables, error);
  if (known == NULL)
    return -1;
  id = plumb_index_add_question (self->index, known, error);
  return id > 0 ? id : -1;
}

/* The questions of a file; nothing is stored unless all of them can be. */
static GPtrArray *
read_questions (PlumbSession *self, const char *database, const char *path, GError **error)
{
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  g_autoptr (GPtrArray) questions =
      g_ptr_array_new_with_free_func ((GDestroyNotify) plumb_known_question_free);

  if (!g_file_get_contents (path, &text, NULL, error))
    return NULL;
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++) {
    g_autoptr (JsonNode) node = NULL;
    g_auto (GStrv) tables = NULL;
    JsonObject *object;
    PlumbKnownQuestion *question;

    if (*g_strstrip (lines[i]) == '\0')
      continue;
    node = plumb_json_parse (lines[i], -1, NULL);
    object = node != NULL && JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
    tables = object != NULL ? plumb_json_get_strv (object, "gold_tables") : NULL;
    if (tables == NULL ||
        !check_question (plumb_json_get_string (object, "question", NULL), (const char *const *) tables,
                         NULL)) {
      g_set_error (error, PLUMB_ERROR, PLUMB_ERROR_INVALID_ARGUMENT,
                   "Line %u of %s is no question. A line looks like {\"question\":\"How many orders?\","
                   "\"gold_tables\":[\"ORD_MST\"]}.", i + 1, path);
      return NULL;
    }
    question = resolve_question (self, database, plumb_json_get_string (object, "question", NULL),
                                 (const char *const *) tables, error);
    if (question == NULL) {
      g_prefix_error (error, "Line %u of %s: ", i + 1, path);
      return NULL;
    }
    g_ptr_array_add (questions, question);
  }
  return g_steal_pointer (&questions);
}

/**
 * plumb_session_import_questions:
 * @self: a session
 * @database: (nullable): the source that they are about; %NULL for those of their tables
 * @path: a file with a question a line, `{"question","gold_tables"}`, as `eval` reads it
 * @error: return location
 *
 * Returns: how many were written down, -1 with an error that names the line; nothing was then
 */
int
plumb_session_import_questions (PlumbSession *self, const char *database, const char *path,
                                GError **error)
{
  g_autoptr (GPtrArray) questions = read_questions (self, database, path, error);

  for (guint i = 0; questions != NULL && i < questions->len; i++) {
    if (plumb_index_add_question (self->index, g_ptr_array_index (questions, i), error) == 0)
      return -1;
  }
  return questions != NULL ? (int) questions->len : -1;
}

/** plumb_session_remove_question: Returns: whether the question is gone */
gboolean
plumb_session_remove_question (PlumbSession *self, gint64 id, GError **error)
{
  return plumb_index_remove_question (self->index, id, error);
}

/* Whether the role may see all tables of a question: their names tell. */
static gboolean
is_visible (PlumbSession *self, const PlumbKnownQuestion *question)
{
  for (guint i = 0; question->tables[i] != NULL; i++) {
    g_autoptr (PlumbTableName) name = plumb_table_name_parse (question->tables[i], NULL);

    if (name == NULL ||
        !plumb_workspace_allows (self->workspace, question->database, name->schema, name->table))
      return FALSE;
  }
  return TRUE;
}

/**
 * plumb_session_list_questions:
 * @self: a session
 * @database: (nullable): a source; %NULL for all
 * @error: return location
 *
 * Returns: (transfer full) (element-type PlumbKnownQuestion): questions with known tables that the
 *   role may see
 */
GPtrArray *
plumb_session_list_questions (PlumbSession *self, const char *database, GError **error)
{
  g_autoptr (GPtrArray) questions = plumb_index_list_questions (self->index, database, error);
  guint i = 0;

  while (questions != NULL && i < questions->len) {
    if (is_visible (self, g_ptr_array_index (questions, i)))
      i++;
    else
      g_ptr_array_remove_index (questions, i);
  }
  return g_steal_pointer (&questions);
}

static gboolean
run_question (PlumbSession *self, PlumbKnownQuestion *question, GCancellable *cancellable,
              GError **error)
{
  g_autoptr (PlumbCandidates) found =
      plumb_workspace_search (self->workspace, question->question, NULL, DEPTH, cancellable, error);

  if (found == NULL)
    return FALSE;
  question->was_complete = plumb_known_question_is_complete (question);
  g_array_set_size (question->places, 0);
  for (guint i = 0; question->tables[i] != NULL; i++) {
    guint place = plumb_candidates_find (found, question->database, question->tables[i]) + 1;

    g_array_append_val (question->places, place);
  }
  question->run_at = g_get_real_time () / G_USEC_PER_SEC;
  return TRUE;
}

/**
 * plumb_session_run_questions:
 * @self: a session
 * @database: (nullable): a source; %NULL for all
 * @progress: (nullable) (scope call): told how far it is, in the calling thread
 * @user_data: for @progress
 * @cancellable: (nullable): cancels; what was found until then isn't stored
 * @error: return location
 *
 * Searches for each question of which the tables are known, in all databases and as anyone would ask
 * it, and keeps where the tables stand now.
 *
 * Returns: (transfer full) (element-type PlumbKnownQuestion): the questions with their places, and in
 *   `was_complete` how it was the time before
 */
GPtrArray *
plumb_session_run_questions (PlumbSession *self, const char *database, PlumbProgress progress,
                             gpointer user_data, GCancellable *cancellable, GError **error)
{
  g_autoptr (GPtrArray) questions = plumb_session_list_questions (self, database, error);

  for (guint i = 0; questions != NULL && i < questions->len; i++) {
    if (progress != NULL)
      progress ("questions", i, questions->len, user_data);
    if (!run_question (self, g_ptr_array_index (questions, i), cancellable, error))
      return NULL;
  }
  if (questions == NULL || (questions->len > 0 &&
                            !plumb_index_store_places (self->index, questions, error)))
    return NULL;
  return g_steal_pointer (&questions);
}
