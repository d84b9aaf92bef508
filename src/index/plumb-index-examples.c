/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-index-private.h"

#include <string.h>

#define EXAMPLE_COLUMNS "database_name, question, domain, tables"

static gpointer
read_example (sqlite3_stmt *row)
{
  PlumbApproved *example = g_new0 (PlumbApproved, 1);

  example->database = plumb_row_get_string (row, 0);
  example->question = plumb_row_get_string (row, 1);
  example->domain = plumb_row_get_string (row, 2);
  example->tables = plumb_row_get_strv (row, 3);
  return example;
}

static GPtrArray *
list_examples (PlumbTransaction *read, const char *database, GError **error)
{
  return plumb_transaction_list (read,
                                 plumb_transaction_bind (read, error, "SELECT " EXAMPLE_COLUMNS
                                                         " FROM example WHERE ?1 IS NULL OR"
                                                         " database_name = ?1 ORDER BY database_name,"
                                                         " position", "s", database),
                                 read_example, (GDestroyNotify) plumb_approved_free, error);
}

static gboolean
is_same (const PlumbApproved *one, const PlumbApproved *other)
{
  return strcmp (one->question, other->question) == 0 && strcmp (one->domain, other->domain) == 0 &&
         g_strv_equal ((const char *const *) one->tables, (const char *const *) other->tables);
}

static gboolean
are_same (GPtrArray *some, GPtrArray *others)
{
  gboolean same = some->len == others->len;

  for (guint i = 0; same && i < some->len; i++)
    same = is_same (g_ptr_array_index (some, i), g_ptr_array_index (others, i));
  return same;
}

static gboolean
insert (PlumbTransaction *write, const char *database, guint position, const PlumbApproved *example,
        GError **error)
{
  g_autofree char *tables = plumb_strv_to_json ((const char *const *) example->tables);

  return plumb_transaction_run (write, error, "INSERT INTO example (database_name, position, question,"
                                " domain, tables) VALUES (?1, ?2, ?3, ?4, ?5)", "sisss", database,
                                (int) position, example->question, example->domain, tables);
}

/**
 * plumb_index_replace_examples:
 * @self: an index
 * @database: the source that was analysed
 * @examples: (element-type PlumbApproved): questions that domain files give as examples, each with its
 *   domain and tables
 * @error: return location
 *
 * Keeps them in place of those of before. Where nothing differs, nothing is written.
 *
 * Returns: %FALSE with an error
 */
gboolean
plumb_index_replace_examples (PlumbIndex *self, const char *database, GPtrArray *examples, GError **error)
{
  g_autoptr (PlumbTransaction) write = plumb_index_begin_write (self, PLUMB_WRITE_DERIVED, error);
  g_autoptr (GPtrArray) stored = write != NULL ? list_examples (write, database, error) : NULL;

  if (stored == NULL)
    return FALSE;
  if (are_same (stored, examples))
    return TRUE;
  if (!plumb_transaction_run (write, error, "DELETE FROM example WHERE database_name = ?1", "s", database))
    return FALSE;
  for (guint i = 0; i < examples->len; i++) {
    if (!insert (write, database, i, g_ptr_array_index (examples, i), error))
      return FALSE;
  }
  return plumb_transaction_touch_search (write, error) && plumb_transaction_commit (write, error);
}

/** plumb_index_list_examples: Returns: (transfer full) (element-type PlumbApproved): the questions that
 *  domain files give as examples, of all sources */
GPtrArray *
plumb_index_list_examples (PlumbIndex *self, GError **error)
{
  g_autoptr (PlumbTransaction) read = plumb_index_begin_read (self, error);

  return read != NULL ? list_examples (read, NULL, error) : NULL;
}

/** plumb_index_list_answered: Returns: (transfer full) (element-type PlumbApproved): questions that were answered
 *  right, then those that domain files give as examples */
GPtrArray *
plumb_index_list_answered (PlumbIndex *self, GError **error)
{
  g_autoptr (GPtrArray) answered = plumb_index_list_approved (self, error);
  GPtrArray *examples = answered != NULL ? plumb_index_list_examples (self, error) : NULL;

  if (examples == NULL)
    return NULL;
  g_ptr_array_extend_and_steal (answered, examples);
  return g_steal_pointer (&answered);
}
