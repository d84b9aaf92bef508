/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-index-private.h"

static gpointer
read_approved (sqlite3_stmt *row)
{
  PlumbApproved *approved = g_new0 (PlumbApproved, 1);

  approved->id = sqlite3_column_int64 (row, 0);
  approved->audit_id = sqlite3_column_int64 (row, 1);
  approved->question = plumb_row_get_string (row, 2);
  approved->database = plumb_row_get_string (row, 3);
  approved->sql = plumb_row_get_string (row, 4);
  approved->tables = plumb_row_get_strv (row, 5);
  approved->author = plumb_row_get_string (row, 6);
  approved->at = sqlite3_column_int64 (row, 7);
  return approved;
}

/* The number under which the same answer was approved before, 0 for none, -1 with an error. */
static gint64
find_same (PlumbTransaction *write, const PlumbApproved *approved, GError **error)
{
  sqlite3_stmt *row = plumb_transaction_bind (write, error,
                                              "SELECT id FROM approved WHERE question = ?1"
                                              " AND database_name = ?2 AND sql = ?3",
                                              "sss", approved->question, approved->database,
                                              approved->sql);
  int code = row != NULL ? plumb_transaction_step (write, row, error) : SQLITE_ERROR;

  if (code == SQLITE_ROW)
    return sqlite3_column_int64 (row, 0);
  return code == SQLITE_DONE ? 0 : -1;
}

/**
 * plumb_index_approve:
 * @self: an index
 * @approved: a question with the statement that answered it right
 * @error: return location
 *
 * Returns: its number, that of the earlier approval where it was approved before; 0 with an error
 */
gint64
plumb_index_approve (PlumbIndex *self, const PlumbApproved *approved, GError **error)
{
  g_autoptr (PlumbTransaction) write = plumb_index_begin_write (self, PLUMB_WRITE_KEPT, error);
  g_autofree char *tables = plumb_strv_to_json ((const char *const *) approved->tables);
  gint64 id;

  if (write == NULL)
    return 0;
  id = find_same (write, approved, error);
  if (id != 0)
    return MAX (id, 0);
  if (!plumb_transaction_run (write, error, "INSERT INTO approved (audit_id, question,"
                              " database_name, sql, tables, author, at)"
                              " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)", "lsssssl", approved->audit_id,
                              approved->question, approved->database, approved->sql, tables,
                              approved->author, approved->at))
    return 0;
  id = plumb_transaction_get_inserted (write);
  return plumb_transaction_touch_search (write, error) && plumb_transaction_commit (write, error)
             ? id
             : 0;
}

/** plumb_index_remove_approved: takes an approval back; Returns: %FALSE with PLUMB_ERROR_NOT_FOUND
 *  where there is none of that number */
gboolean
plumb_index_remove_approved (PlumbIndex *self, gint64 id, GError **error)
{
  g_autoptr (PlumbTransaction) write = plumb_index_begin_write (self, PLUMB_WRITE_KEPT, error);

  if (write == NULL ||
      !plumb_transaction_run (write, error, "DELETE FROM approved WHERE id = ?1", "l", id))
    return FALSE;
  if (plumb_transaction_get_changed (write) == 0) {
    g_set_error (error, PLUMB_ERROR, PLUMB_ERROR_NOT_FOUND,
                 "There is no approved question %" G_GINT64_FORMAT ". List them to see which there "
                 "are.", id);
    return FALSE;
  }
  return plumb_transaction_touch_search (write, error) && plumb_transaction_commit (write, error);
}

/** plumb_index_list_approved: Returns: (transfer full) (element-type PlumbApproved): the approved
 *  questions, the newest first */
GPtrArray *
plumb_index_list_approved (PlumbIndex *self, GError **error)
{
  g_autoptr (PlumbTransaction) read = plumb_index_begin_read (self, error);

  if (read == NULL)
    return NULL;
  return plumb_transaction_list (read,
                                 plumb_transaction_bind (read, error,
                                                         "SELECT id, audit_id, question,"
                                                         " database_name, sql, tables, author, at"
                                                         " FROM approved ORDER BY id DESC", ""),
                                 read_approved, (GDestroyNotify) plumb_approved_free, error);
}
