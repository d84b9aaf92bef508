/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-index-private.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>

G_DEFINE_QUARK (plumb-index-error-quark, plumb_index_error)

/**
 * plumb_index_set_error:
 * @error: return location
 * @code: SQLite's result code, extended or not
 * @path: the index file
 * @message: SQLite's own message
 *
 * Translates what SQLite says into an error of ours that says what to do.
 */
void
plumb_index_set_error (GError **error, int code, const char *path, const char *message)
{
  switch (code & 0xff) {
  case SQLITE_BUSY:
  case SQLITE_LOCKED:
    g_set_error (error, PLUMB_INDEX_ERROR, PLUMB_INDEX_ERROR_LOCKED,
                 "The index %s is in use by another program, which has not let go of it for %d "
                 "seconds. Wait for that program, or close it, and try again.",
                 path, PLUMB_INDEX_BUSY_TIMEOUT_MS / 1000);
    break;
  case SQLITE_NOTADB:
    g_set_error (error, PLUMB_INDEX_ERROR, PLUMB_INDEX_ERROR_NO_INDEX,
                 "%s is not a Plumbline index: it is not even a database. Name another file; this "
                 "one was left as it is.", path);
    break;
  case SQLITE_CORRUPT:
    g_set_error (error, PLUMB_INDEX_ERROR, PLUMB_INDEX_ERROR_DAMAGED,
                 "The index %s is damaged (%s). Move it away, with the -wal file beside it, and "
                 "analyze the sources again; notes can be had back with the sqlite3 tool's "
                 "“.recover”.", path, message);
    break;
  case SQLITE_FULL:
    g_set_error (error, PLUMB_INDEX_ERROR, PLUMB_INDEX_ERROR_FULL,
                 "There is no space left for the index %s. Nothing that it held is lost. Make room "
                 "on that disk and try again.", path);
    break;
  case SQLITE_READONLY:
  case SQLITE_CANTOPEN:
  case SQLITE_PERM:
    g_set_error (
        error, PLUMB_INDEX_ERROR, PLUMB_INDEX_ERROR_FAILED,
        "The index %s can't be opened for writing (%s). Check that the file and its folder "
        "belong to you and are writable, or name another file.",
        path, message);
    break;
  default:
    g_set_error (error, PLUMB_INDEX_ERROR, PLUMB_INDEX_ERROR_FAILED,
                 "The index %s can't be used: %s. Check the disk that it is on and try again.",
                 path, message);
    break;
  }
}

/**
 * plumb_connection_set_error:
 * @self: a connection
 * @code: the result code of the call that failed
 * @error: return location
 *
 * Sets @error from the last failure of @self.
 */
void
plumb_connection_set_error (PlumbConnection *self, int code, GError **error)
{
  const char *path = sqlite3_db_filename (self->db, "main");

  plumb_index_set_error (error, code, path != NULL ? path : "", sqlite3_errmsg (self->db));
}

/* SQLite would make the file readable to all. Only a file that isn't there is made here: closing
 * another descriptor of a file that is in use would drop this process's locks on it. */
static gboolean
create_file (const char *path, GError **error)
{
  int file = g_open (path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0600);

  if (file < 0 && errno != EEXIST) {
    int saved = errno;

    g_set_error (error, PLUMB_INDEX_ERROR,
                 saved == ENOSPC || saved == EDQUOT ? PLUMB_INDEX_ERROR_FULL
                                                    : PLUMB_INDEX_ERROR_FAILED,
                 "The index %s can't be made: %s. Check that its folder is writable, or name "
                 "another file.", path, g_strerror (saved));
    return FALSE;
  }
  return file < 0 || g_close (file, error);
}

/* Another program holds the lock. SQLite's own waiting looks less and less often, and loses every
 * race against a program that writes one card after another. */
static int
wait_for_others (gpointer data, int n_calls)
{
  PlumbConnection *self = data;
  gint64 now = g_get_monotonic_time ();

  if (n_calls == 0)
    self->waiting_since = now;
  if (now - self->waiting_since > PLUMB_INDEX_BUSY_TIMEOUT_MS * 1000)
    return 0;
  g_usleep (g_random_int_range (200, 2000));
  return 1;
}

static void
finalize_statement (gpointer statement)
{
  sqlite3_finalize (statement);
}

/**
 * plumb_connection_open:
 * @path: the index file; made where it isn't there
 * @error: return location
 *
 * Opens a connection. Nothing of the file is read yet, and nothing of an existing one written.
 *
 * Returns: (transfer full): the connection, or %NULL with an error
 */
PlumbConnection *
plumb_connection_open (const char *path, GError **error)
{
  g_autoptr (PlumbConnection) self = NULL;
  int code;

  if (g_file_test (path, G_FILE_TEST_IS_DIR)) {
    g_set_error (error, PLUMB_INDEX_ERROR, PLUMB_INDEX_ERROR_NO_INDEX,
                 "%s is a folder, not a Plumbline index. Name a file.", path);
    return NULL;
  }
  if (!create_file (path, error))
    return NULL;
  self = g_new0 (PlumbConnection, 1);
  self->statements = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, finalize_statement);
  code = sqlite3_open_v2 (path, &self->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL);
  if (code != SQLITE_OK) {
    plumb_index_set_error (error, code, path,
                           self->db != NULL ? sqlite3_errmsg (self->db) : sqlite3_errstr (code));
    return NULL;
  }
  sqlite3_extended_result_codes (self->db, 1);
  sqlite3_busy_handler (self->db, wait_for_others, self);
  return g_steal_pointer (&self);
}

/** plumb_connection_close: closes @self and frees its statements */
void
plumb_connection_close (PlumbConnection *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->statements);
  sqlite3_close (self->db);
  g_free (self);
}

/** plumb_connection_exec: runs @sql, which has no values; Returns: %FALSE with an error */
gboolean
plumb_connection_exec (PlumbConnection *self, const char *sql, GError **error)
{
  int code = sqlite3_exec (self->db, sql, NULL, NULL, NULL);

  if (code == SQLITE_OK)
    return TRUE;
  plumb_connection_set_error (self, code, error);
  return FALSE;
}

/** plumb_connection_get_pragma: reads the one number that @sql gives; Returns: %FALSE with an error
 */
gboolean
plumb_connection_get_pragma (PlumbConnection *self, const char *sql, gint64 *value, GError **error)
{
  sqlite3_stmt *statement = NULL;
  int code = sqlite3_prepare_v2 (self->db, sql, -1, &statement, NULL);

  if (code == SQLITE_OK) {
    code = sqlite3_step (statement);
    if (code == SQLITE_ROW)
      *value = sqlite3_column_int64 (statement, 0);
  }
  if (code != SQLITE_ROW)
    plumb_connection_set_error (self, code, error);
  sqlite3_finalize (statement);
  return code == SQLITE_ROW;
}
