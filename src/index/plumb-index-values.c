/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-index-private.h"

/** plumb_row_get_string: Returns: (transfer full) (nullable): the text of a cell */
char *
plumb_row_get_string (sqlite3_stmt *row, int column)
{
  return g_strdup ((const char *) sqlite3_column_text (row, column));
}

/** plumb_row_get_strv: Returns: (transfer full) (nullable): what plumb_strv_to_json() made of a
 * list */
GStrv
plumb_row_get_strv (sqlite3_stmt *row, int column)
{
  const char *json = (const char *) sqlite3_column_text (row, column);
  g_autoptr (JsonNode) root = json != NULL ? plumb_json_parse (json, -1, NULL) : NULL;
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  JsonArray *array;

  if (root == NULL || !JSON_NODE_HOLDS_ARRAY (root))
    return NULL;
  array = json_node_get_array (root);
  for (guint i = 0; i < json_array_get_length (array); i++) {
    JsonNode *node = json_array_get_element (array, i);

    if (json_node_get_value_type (node) == G_TYPE_STRING)
      g_strv_builder_add (builder, json_node_get_string (node));
  }
  return g_strv_builder_end (builder);
}

/** plumb_strv_to_json: Returns: (transfer full) (nullable): @strings as a JSON array, %NULL for
 * %NULL */
char *
plumb_strv_to_json (const char *const *strings)
{
  g_autoptr (PlumbJsonWriter) writer = NULL;

  if (strings == NULL)
    return NULL;
  writer = plumb_json_writer_new ();
  plumb_json_writer_strv (writer, strings);
  return plumb_json_writer_finish (writer);
}

/**
 * plumb_index_get_value:
 * @self: an index
 * @key: a name that its user chose
 *
 * Returns: (transfer full) (nullable): what was stored under @key, %NULL where nothing was
 */
char *
plumb_index_get_value (PlumbIndex *self, const char *key)
{
  g_autoptr (PlumbTransaction) read = plumb_index_begin_read (self, NULL);
  sqlite3_stmt *row;

  if (read == NULL)
    return NULL;
  row = plumb_transaction_bind (read, NULL, "SELECT value FROM value WHERE key = ?1", "s", key);
  if (row == NULL || plumb_transaction_step (read, row, NULL) != SQLITE_ROW)
    return NULL;
  return plumb_row_get_string (row, 0);
}

/**
 * plumb_index_set_value:
 * @self: an index
 * @key: a name
 * @value: (nullable): what to keep under it; %NULL forgets it
 * @error: return location
 *
 * Returns: whether it is stored
 */
gboolean
plumb_index_set_value (PlumbIndex *self, const char *key, const char *value, GError **error)
{
  g_autoptr (PlumbTransaction) write = plumb_index_begin_write (self, PLUMB_WRITE_KEPT, error);
  gboolean done;

  if (write == NULL)
    return FALSE;
  if (value == NULL)
    done = plumb_transaction_run (write, error, "DELETE FROM value WHERE key = ?1", "s", key);
  else
    done = plumb_transaction_run (write, error, "INSERT OR REPLACE INTO value VALUES (?1, ?2)",
                                  "ss", key, value);
  return done && plumb_transaction_commit (write, error);
}
