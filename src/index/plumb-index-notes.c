/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-index-private.h"

#define NOTE_COLUMNS \
  "id, database_name, schema_name, table_name, text, author, origin, created_at, updated_at, " \
  "retired, retired_by, retired_at"

static gpointer
read_note (sqlite3_stmt *row)
{
  PlumbNote *note = g_new0 (PlumbNote, 1);

  note->id = sqlite3_column_int64 (row, 0);
  note->database = plumb_row_get_string (row, 1);
  note->schema = plumb_row_get_string (row, 2);
  note->table = plumb_row_get_string (row, 3);
  note->text = plumb_row_get_string (row, 4);
  note->author = plumb_row_get_string (row, 5);
  note->origin = plumb_row_get_string (row, 6);
  note->created_at = sqlite3_column_int64 (row, 7);
  note->updated_at = sqlite3_column_int64 (row, 8);
  note->retired = sqlite3_column_int (row, 9);
  note->retired_by = plumb_row_get_string (row, 10);
  note->retired_at = sqlite3_column_int64 (row, 11);
  return note;
}

static gpointer
read_text (sqlite3_stmt *row)
{
  return plumb_row_get_string (row, 0);
}

static gboolean
check_text (const char *text, GError **error)
{
  g_autofree char *stripped = text != NULL ? g_strstrip (g_strdup (text)) : NULL;

  if (stripped != NULL && *stripped != '\0' && g_utf8_validate (text, -1, NULL))
    return TRUE;
  g_set_error_literal (
      error, PLUMB_ERROR, PLUMB_ERROR_INVALID_ARGUMENT,
      "A note needs a text, in UTF-8. Write what others should know of the table.");
  return FALSE;
}

static gboolean
add_version (PlumbTransaction *write, gint64 id, gint64 at, const char *author, const char *text,
             GError **error)
{
  return plumb_transaction_run (write, error, "INSERT INTO note_version VALUES (?1, ?2, ?3, ?4)",
                                "llss", id, at, author, text) &&
         plumb_transaction_touch_search (write, error) && plumb_transaction_commit (write, error);
}

/**
 * plumb_index_add_note:
 * @self: an index
 * @note: the note; its number is not read
 * @error: return location
 *
 * Returns: the note's number, 0 with an error
 */
gint64
plumb_index_add_note (PlumbIndex *self, const PlumbNote *note, GError **error)
{
  g_autoptr (PlumbTransaction) write = NULL;
  gint64 id;

  if (!check_text (note->text, error))
    return 0;
  write = plumb_index_begin_write (self, PLUMB_WRITE_KEPT, error);
  if (write == NULL ||
      !plumb_transaction_run (write, error, "INSERT INTO note (database_name, schema_name,"
                              " table_name, text, author, origin, created_at, updated_at)"
                              " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)", "ssssssll",
                              note->database, note->schema, note->table, note->text, note->author,
                              note->origin != NULL ? note->origin : "person", note->created_at,
                              note->updated_at))
    return 0;
  id = plumb_transaction_get_inserted (write);
  return add_version (write, id, note->created_at, note->author, note->text, error) ? id : 0;
}

/* Nothing was changed: there is no such note, or it was retired. */
static gboolean
set_unchanged (gint64 id, GError **error)
{
  g_set_error (error, PLUMB_ERROR, PLUMB_ERROR_NOT_FOUND,
               "There is no note %" G_GINT64_FORMAT ", or it was retired. List the notes to see "
               "which there are.", id);
  return FALSE;
}

/**
 * plumb_index_edit_note:
 * @self: an index
 * @id: a note that is not retired
 * @text: its new text; the earlier ones are kept, see plumb_index_list_note_versions()
 * @author: who changed it
 * @error: return location
 *
 * Returns: whether it is stored; PLUMB_ERROR_NOT_FOUND where there is no such note
 */
gboolean
plumb_index_edit_note (PlumbIndex *self, gint64 id, const char *text, const char *author,
                       GError **error)
{
  g_autoptr (PlumbTransaction) write = NULL;
  gint64 now = g_get_real_time () / G_USEC_PER_SEC;

  if (!check_text (text, error))
    return FALSE;
  write = plumb_index_begin_write (self, PLUMB_WRITE_KEPT, error);
  if (write == NULL ||
      !plumb_transaction_run (write, error,
                              "UPDATE note SET text = ?2, author = ?3, updated_at = ?4"
                              " WHERE id = ?1 AND retired = 0",
                              "lssl", id, text, author, now))
    return FALSE;
  if (plumb_transaction_get_changed (write) == 0)
    return set_unchanged (id, error);
  return add_version (write, id, now, author, text, error);
}

/**
 * plumb_index_retire_note:
 * @self: an index
 * @id: a note
 * @author: who retires it
 * @error: return location
 *
 * Takes a note out of sight and out of search. It is kept.
 *
 * Returns: whether it is stored; PLUMB_ERROR_NOT_FOUND where there is no such note
 */
gboolean
plumb_index_retire_note (PlumbIndex *self, gint64 id, const char *author, GError **error)
{
  g_autoptr (PlumbTransaction) write = plumb_index_begin_write (self, PLUMB_WRITE_KEPT, error);

  if (write == NULL ||
      !plumb_transaction_run (write, error, "UPDATE note SET retired = 1, retired_by = ?2,"
                              " retired_at = ?3 WHERE id = ?1 AND retired = 0", "lsl", id, author,
                              g_get_real_time () / G_USEC_PER_SEC))
    return FALSE;
  if (plumb_transaction_get_changed (write) == 0)
    return set_unchanged (id, error);
  return plumb_transaction_touch_search (write, error) && plumb_transaction_commit (write, error);
}

/* The text that a note has now, with an error where there is no retired note of that number. */
static char *
get_retired_text (PlumbTransaction *write, gint64 id, GError **error)
{
  sqlite3_stmt *row = plumb_transaction_bind (write, error, "SELECT text FROM note WHERE id = ?1"
                                              " AND retired = 1", "l", id);
  g_autoptr (GPtrArray) texts = plumb_transaction_list (write, row, read_text, g_free, error);

  if (texts != NULL && texts->len == 0)
    g_set_error (error, PLUMB_ERROR, PLUMB_ERROR_NOT_FOUND,
                 "There is no retired note %" G_GINT64_FORMAT ".", id);
  return texts != NULL && texts->len > 0 ? g_strdup (g_ptr_array_index (texts, 0)) : NULL;
}

/**
 * plumb_index_restore_note:
 * @self: an index
 * @id: a retired note
 * @author: who takes it back into use
 * @error: return location
 *
 * The note is found and shown again. That is written down as a version of its own, with the text
 * that it had.
 *
 * Returns: whether it is stored; PLUMB_ERROR_NOT_FOUND where there is no such retired note
 */
gboolean
plumb_index_restore_note (PlumbIndex *self, gint64 id, const char *author, GError **error)
{
  g_autoptr (PlumbTransaction) write = plumb_index_begin_write (self, PLUMB_WRITE_KEPT, error);
  g_autofree char *text = write != NULL ? get_retired_text (write, id, error) : NULL;

  return text != NULL &&
         plumb_transaction_run (write, error, "UPDATE note SET retired = 0, retired_by = NULL,"
                                " retired_at = NULL WHERE id = ?1", "l", id) &&
         add_version (write, id, g_get_real_time () / G_USEC_PER_SEC, author, text, error);
}

/**
 * plumb_index_list_notes:
 * @self: an index
 * @database: (nullable): a source; %NULL for all
 * @schema: (nullable): a schema; %NULL for all
 * @table: (nullable): a table; %NULL for all
 * @with_retired: whether retired notes are wanted too
 * @error: return location
 *
 * Returns: (transfer full) (element-type PlumbNote): notes, the one changed last first
 */
GPtrArray *
plumb_index_list_notes (PlumbIndex *self, const char *database, const char *schema,
                        const char *table, gboolean with_retired, GError **error)
{
  g_autoptr (PlumbTransaction) read = plumb_index_begin_read (self, error);
  sqlite3_stmt *row;

  if (read == NULL)
    return NULL;
  row = database != NULL && schema != NULL && table != NULL
      ? plumb_transaction_bind (read, error, "SELECT " NOTE_COLUMNS " FROM note"
                                " WHERE database_name = ?1 AND schema_name = ?2 AND table_name = ?3"
                                " AND retired <= ?4 ORDER BY updated_at DESC, id DESC", "sssi",
                                database, schema, table, with_retired)
      : plumb_transaction_bind (read, error, "SELECT " NOTE_COLUMNS " FROM note"
                                " WHERE (?1 IS NULL OR database_name = ?1)"
                                " AND (?2 IS NULL OR schema_name = ?2)"
                                " AND (?3 IS NULL OR table_name = ?3)"
                                " AND retired <= ?4 ORDER BY updated_at DESC, id DESC", "sssi",
                                database, schema, table, with_retired);
  return plumb_transaction_list (read, row, read_note, (GDestroyNotify) plumb_note_free, error);
}

/**
 * plumb_index_list_note_versions:
 * @self: an index
 * @id: a note
 * @error: return location
 *
 * Returns: (transfer full) (element-type PlumbNote): the note as it was written each time, oldest
 *   first, with that time in `updated_at` and who wrote it in `author`; empty where there is no
 * such note
 */
GPtrArray *
plumb_index_list_note_versions (PlumbIndex *self, gint64 id, GError **error)
{
  g_autoptr (PlumbTransaction) read = plumb_index_begin_read (self, error);

  if (read == NULL)
    return NULL;
  return plumb_transaction_list (read,
                                 plumb_transaction_bind (read, error,
                                                         "SELECT id, database_name, schema_name,"
                                                         " table_name, v.text, v.author, origin,"
                                                         " created_at, v.at, retired, retired_by, retired_at"
                                                         " FROM note"
                                                         " JOIN note_version v ON v.note_id = id"
                                                         " WHERE id = ?1 ORDER BY v.rowid",
                                                         "l", id),
                                 read_note, (GDestroyNotify) plumb_note_free, error);
}
