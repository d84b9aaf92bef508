/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-index-private.h"

static char *
places_to_json (const GArray *places)
{
  g_autoptr (PlumbJsonWriter) writer = plumb_json_writer_new ();

  plumb_json_writer_begin_array (writer);
  for (guint i = 0; i < places->len; i++)
    plumb_json_writer_int (writer, g_array_index (places, guint, i));
  plumb_json_writer_end_array (writer);
  return plumb_json_writer_finish (writer);
}

static void
read_places (const char *json, GArray *places)
{
  g_autoptr (JsonNode) root = json != NULL ? plumb_json_parse (json, -1, NULL) : NULL;
  JsonArray *array;

  if (root == NULL || !JSON_NODE_HOLDS_ARRAY (root))
    return;
  array = json_node_get_array (root);
  for (guint i = 0; i < json_array_get_length (array); i++) {
    JsonNode *node = json_array_get_element (array, i);
    guint place = JSON_NODE_HOLDS_VALUE (node) ? CLAMP (json_node_get_int (node), 0, G_MAXINT) : 0;

    g_array_append_val (places, place);
  }
}

static gpointer
read_question (sqlite3_stmt *row)
{
  PlumbKnownQuestion *question = plumb_known_question_new (NULL, NULL, NULL);

  question->id = sqlite3_column_int64 (row, 0);
  question->database = plumb_row_get_string (row, 1);
  question->question = plumb_row_get_string (row, 2);
  question->tables = plumb_row_get_strv (row, 3);
  g_free (question->author);
  question->author = plumb_row_get_string (row, 4);
  question->at = sqlite3_column_int64 (row, 5);
  read_places ((const char *) sqlite3_column_text (row, 6), question->places);
  question->run_at = sqlite3_column_int64 (row, 7);
  question->was_complete = sqlite3_column_int (row, 8);
  return question;
}

/**
 * plumb_index_add_question:
 * @self: an index
 * @question: a question with its tables; its number is not read
 * @error: return location
 *
 * The same question of the same database gets the new tables.
 *
 * Returns: its number, 0 with an error
 */
gint64
plumb_index_add_question (PlumbIndex *self, const PlumbKnownQuestion *question, GError **error)
{
  g_autoptr (PlumbTransaction) write = plumb_index_begin_write (self, PLUMB_WRITE_KEPT, error);
  g_autofree char *tables = plumb_strv_to_json ((const char *const *) question->tables);
  sqlite3_stmt *row;
  gint64 id;

  if (write == NULL ||
      !plumb_transaction_run (write, error, "INSERT INTO known_question"
                              " (database_name, question, tables, author, at)"
                              " VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT (database_name, question)"
                              " DO UPDATE SET tables = excluded.tables, author = excluded.author,"
                              " at = excluded.at, places = NULL, run_at = 0, was_complete = 0",
                              "ssssl", question->database, question->question, tables,
                              question->author, question->at))
    return 0;
  row = plumb_transaction_bind (write, error, "SELECT id FROM known_question"
                                " WHERE database_name = ?1 AND question = ?2", "ss",
                                question->database, question->question);
  if (row == NULL || plumb_transaction_step (write, row, error) != SQLITE_ROW)
    return 0;
  id = sqlite3_column_int64 (row, 0);
  return plumb_transaction_commit (write, error) ? id : 0;
}

/** plumb_index_remove_question: Returns: whether it is gone; %FALSE with PLUMB_ERROR_NOT_FOUND where
 *  there is none of that number */
gboolean
plumb_index_remove_question (PlumbIndex *self, gint64 id, GError **error)
{
  g_autoptr (PlumbTransaction) write = plumb_index_begin_write (self, PLUMB_WRITE_KEPT, error);

  if (write == NULL ||
      !plumb_transaction_run (write, error, "DELETE FROM known_question WHERE id = ?1", "l", id))
    return FALSE;
  if (plumb_transaction_get_changed (write) > 0)
    return plumb_transaction_commit (write, error);
  g_set_error (error, PLUMB_ERROR, PLUMB_ERROR_NOT_FOUND,
               "There is no known question %" G_GINT64_FORMAT ". List them to see which there are.",
               id);
  return FALSE;
}

/**
 * plumb_index_store_places:
 * @self: an index
 * @questions: (element-type PlumbKnownQuestion): questions that search was run on
 * @error: return location
 *
 * Keeps where search found their tables, all in one transaction. A question whose tables were changed
 * meanwhile is left as it is.
 *
 * Returns: %FALSE with an error
 */
gboolean
plumb_index_store_places (PlumbIndex *self, GPtrArray *questions, GError **error)
{
  g_autoptr (PlumbTransaction) write = plumb_index_begin_write (self, PLUMB_WRITE_KEPT, error);

  for (guint i = 0; write != NULL && i < questions->len; i++) {
    const PlumbKnownQuestion *question = g_ptr_array_index (questions, i);
    g_autofree char *places = places_to_json (question->places);

    if (!plumb_transaction_run (write, error, "UPDATE known_question SET places = ?2, run_at = ?3,"
                                " was_complete = ?4 WHERE id = ?1 AND at = ?5", "lslil", question->id,
                                places, question->run_at, question->was_complete, question->at))
      return FALSE;
  }
  return write != NULL && plumb_transaction_commit (write, error);
}

/**
 * plumb_index_list_questions:
 * @self: an index
 * @database: (nullable): a source; %NULL for all
 * @error: return location
 *
 * Returns: (transfer full) (element-type PlumbKnownQuestion): questions in the order that they were
 *   written down
 */
GPtrArray *
plumb_index_list_questions (PlumbIndex *self, const char *database, GError **error)
{
  g_autoptr (PlumbTransaction) read = plumb_index_begin_read (self, error);

  if (read == NULL)
    return NULL;
  return plumb_transaction_list (read,
                                 plumb_transaction_bind (read, error,
                                                         "SELECT id, database_name, question, tables,"
                                                         " author, at, places, run_at, was_complete"
                                                         " FROM known_question WHERE ?1 IS NULL"
                                                         " OR database_name = ?1 ORDER BY id", "s",
                                                         database),
                                 read_question, (GDestroyNotify) plumb_known_question_free, error);
}
