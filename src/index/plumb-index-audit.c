/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-index-private.h"

#define AUDIT_COLUMNS \
  "id, at, user, origin, database_name, sql, question, turn_id, tables, state, error, " \
  "elapsed_ms, " \
  "row_count, truncated_by, result, session"

/* A statement whose program is gone is running no more, and nobody will complete its record. */
static void
settle (PlumbIndex *self, PlumbAuditRecord *record, gint64 session)
{
  if (record->state != PLUMB_STATE_RUNNING || plumb_index_is_session_alive (self, session))
    return;
  record->state = PLUMB_STATE_CANCELLED;
  record->error = g_strdup ("The program ended before the statement did. How far it got is not "
                            "known.");
}

/* Where the session stands in AUDIT_COLUMNS. */
#define SESSION_COLUMN 15

static PlumbAuditRecord *
read_audit (PlumbIndex *self, sqlite3_stmt *row)
{
  PlumbAuditRecord *record = g_new0 (PlumbAuditRecord, 1);

  record->id = sqlite3_column_int64 (row, 0);
  record->at = sqlite3_column_int64 (row, 1);
  record->user = plumb_row_get_string (row, 2);
  record->origin = plumb_row_get_string (row, 3);
  record->database = plumb_row_get_string (row, 4);
  record->sql = plumb_row_get_string (row, 5);
  record->question = plumb_row_get_string (row, 6);
  record->turn_id = sqlite3_column_int64 (row, 7);
  record->tables = plumb_row_get_strv (row, 8);
  record->state = plumb_state_from_string ((const char *) sqlite3_column_text (row, 9));
  record->error = plumb_row_get_string (row, 10);
  record->elapsed_ms = sqlite3_column_int64 (row, 11);
  record->row_count = sqlite3_column_int64 (row, 12);
  record->truncated_by = plumb_row_get_string (row, 13);
  record->result = plumb_row_get_string (row, 14);
  settle (self, record, sqlite3_column_int64 (row, SESSION_COLUMN));
  return record;
}

/**
 * plumb_index_begin_audit:
 * @self: an index
 * @record: who is about to send what, where and why
 * @error: return location
 *
 * Writes an audit record, before its statement is sent. Where that fails the statement must not be
 * sent.
 *
 * Returns: the record's number, 0 with an error
 */
gint64
plumb_index_begin_audit (PlumbIndex *self, const PlumbAuditRecord *record, GError **error)
{
  gint64 session = plumb_index_get_session (self, error);
  g_autoptr (PlumbTransaction) write = NULL;
  g_autofree char *tables = plumb_strv_to_json ((const char *const *) record->tables);
  gint64 id;

  if (session == 0)
    return 0;
  write = plumb_index_begin_write (self, PLUMB_WRITE_KEPT, error);
  if (write == NULL ||
      !plumb_transaction_run (write, error,
                              "INSERT INTO audit (at, user, origin, database_name, sql,"
                              " question, turn_id, tables, state, elapsed_ms, row_count, session)"
                              " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, 'running', -1, -1, ?9)",
                              "lssssslsl", record->at, record->user, record->origin,
                              record->database, record->sql, record->question, record->turn_id,
                              tables, session))
    return 0;
  id = plumb_transaction_get_inserted (write);
  return plumb_transaction_commit (write, error) ? id : 0;
}

/**
 * plumb_index_finish_audit:
 * @self: an index
 * @record: the record with its number and what came of it
 * @error: return location
 *
 * Completes a running record: state, error, time, rows, limit and first rows. What was written at
 * its beginning, and a record that is complete, can't be changed. After a power cut the record can
 * be running again, which says no more than is known.
 *
 * Returns: whether it is stored; PLUMB_ERROR_NOT_FOUND where no such record is running
 */
gboolean
plumb_index_finish_audit (PlumbIndex *self, const PlumbAuditRecord *record, GError **error)
{
  g_autoptr (PlumbTransaction) write = plumb_index_begin_write (self, PLUMB_WRITE_DERIVED, error);

  if (write == NULL ||
      !plumb_transaction_run (write, error, "UPDATE audit SET state = ?2, error = ?3,"
                              " elapsed_ms = ?4, row_count = ?5, truncated_by = ?6, result = ?7"
                              " WHERE id = ?1 AND state = 'running'", "lssllss", record->id,
                              plumb_state_to_string (record->state), record->error,
                              record->elapsed_ms, record->row_count, record->truncated_by,
                              record->result))
    return FALSE;
  if (plumb_transaction_get_changed (write) == 0) {
    g_set_error (error, PLUMB_ERROR, PLUMB_ERROR_NOT_FOUND,
                 "There is no audit record %" G_GINT64_FORMAT " that is still open.", record->id);
    return FALSE;
  }
  return plumb_transaction_commit (write, error);
}

/**
 * plumb_index_list_audit:
 * @self: an index
 * @before_id: only records before this one, 0 for the newest
 * @limit: the most records wanted, 0 for all
 * @error: return location
 *
 * Returns: (transfer full) (element-type PlumbAuditRecord): records, the newest first; one that was
 *   running when its program ended is cancelled
 */
GPtrArray *
plumb_index_list_audit (PlumbIndex *self, gint64 before_id, guint limit, GError **error)
{
  g_autoptr (PlumbTransaction) read = plumb_index_begin_read (self, error);
  g_autoptr (GPtrArray) records = NULL;
  sqlite3_stmt *row;
  int code;

  if (read == NULL)
    return NULL;
  row = plumb_transaction_bind (read, error, "SELECT " AUDIT_COLUMNS " FROM audit WHERE id < ?1"
                                " ORDER BY id DESC LIMIT ?2", "ll",
                                before_id > 0 ? before_id : G_MAXINT64,
                                limit > 0 ? (gint64) limit : (gint64) -1);
  if (row == NULL)
    return NULL;
  records = g_ptr_array_new_with_free_func ((GDestroyNotify) plumb_audit_record_free);
  while ((code = plumb_transaction_step (read, row, error)) == SQLITE_ROW)
    g_ptr_array_add (records, read_audit (self, row));
  return code == SQLITE_DONE ? g_steal_pointer (&records) : NULL;
}

/** plumb_index_get_audit: Returns: (transfer full): the record, or %NULL with PLUMB_ERROR_NOT_FOUND
 */
PlumbAuditRecord *
plumb_index_get_audit (PlumbIndex *self, gint64 id, GError **error)
{
  g_autoptr (PlumbTransaction) read = plumb_index_begin_read (self, error);
  sqlite3_stmt *row;
  int code;

  if (read == NULL)
    return NULL;
  row = plumb_transaction_bind (read, error, "SELECT " AUDIT_COLUMNS " FROM audit WHERE id = ?1",
                                "l", id);
  code = row != NULL ? plumb_transaction_step (read, row, error) : SQLITE_ERROR;
  if (code == SQLITE_ROW)
    return read_audit (self, row);
  if (code == SQLITE_DONE)
    g_set_error (error, PLUMB_ERROR, PLUMB_ERROR_NOT_FOUND,
                 "There is no audit record %" G_GINT64_FORMAT ". List them to see which there are.",
                 id);
  return NULL;
}
