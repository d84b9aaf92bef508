/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-sqlite-private.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>

/* The largest value that a statement may read or make. Built-in functions don't look at the clock,
 * so this bounds how long one call of them can take. */
#define LARGEST_VALUE (32 * 1024 * 1024)
/* Longer LIKE and GLOB patterns can take time that grows with a power of their length. */
#define LONGEST_PATTERN 250
/* How many steps of SQLite's machine pass between two looks at the clock and the cancellable. */
#define STEPS_BETWEEN_LOOKS 1000
/* How long to wait for another program's lock. */
#define LOCK_PATIENCE (5 * G_TIME_SPAN_SECOND)
#define LOCK_NAP (10 * G_TIME_SPAN_MILLISECOND)

static gboolean
out_of_time (PlumbSqliteConnection *self)
{
  return g_cancellable_is_cancelled (self->cancellable) ||
         (self->deadline != 0 && g_get_monotonic_time () >= self->deadline);
}

static int
look_at_clock (gpointer user_data)
{
  return out_of_time (user_data);
}

static int
wait_for_lock (gpointer user_data, int times)
{
  PlumbSqliteConnection *self = user_data;

  if (times == 0)
    self->busy_since = g_get_monotonic_time ();
  if (out_of_time (self) || g_get_monotonic_time () - self->busy_since > LOCK_PATIENCE)
    return 0;
  g_usleep (LOCK_NAP);
  return 1;
}

/* Everything that a connection has to be before a statement of a model may see it. */
static void
harden (PlumbSqliteConnection *self)
{
  sqlite3_db_config (self->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
  sqlite3_db_config (self->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
  sqlite3_db_config (self->db, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, NULL);
  sqlite3_db_config (self->db, SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, 0, NULL);
  sqlite3_db_config (self->db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
  sqlite3_db_config (self->db, SQLITE_DBCONFIG_WRITABLE_SCHEMA, 0, NULL);
  sqlite3_limit (self->db, SQLITE_LIMIT_ATTACHED, 0);
  sqlite3_limit (self->db, SQLITE_LIMIT_LENGTH, LARGEST_VALUE);
  sqlite3_limit (self->db, SQLITE_LIMIT_LIKE_PATTERN_LENGTH, LONGEST_PATTERN);
  sqlite3_limit (self->db, SQLITE_LIMIT_WORKER_THREADS, 0);
  sqlite3_progress_handler (self->db, STEPS_BETWEEN_LOOKS, look_at_clock, self);
  sqlite3_busy_handler (self->db, wait_for_lock, self);
  plumb_sqlite_add_functions (self);
  sqlite3_set_authorizer (self->db, plumb_sqlite_authorize, self);
}

static gboolean
look_at_file (const char *path, struct stat *file, GError **error)
{
  g_autofree char *shown = g_filename_display_name (path);

  if (g_stat (path, file) != 0) {
    g_set_error (error, PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_ADDRESS,
                 "The file “%s” can't be opened: %s. Check the path.", shown, g_strerror (errno));
    return FALSE;
  }
  if (!S_ISREG (file->st_mode)) {
    g_set_error (error, PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_ADDRESS,
                 "“%s” is no file but a %s. Name the database file itself.", shown,
                 S_ISDIR (file->st_mode) ? "folder" : "special file");
    return FALSE;
  }
  if (g_access (path, R_OK) != 0) {
    g_set_error (error, PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_DENIED,
                 "You may not read the file “%s”. Ask its owner for the right to read it.", shown);
    return FALSE;
  }
  return TRUE;
}

/* The file: form, since only there can a file be said to be immutable. */
static char *
make_file_uri (const char *path, gboolean immutable)
{
  g_autofree char *escaped = g_uri_escape_bytes ((const guint8 *) path, strlen (path), "/");

  return g_strdup_printf ("file://%s?mode=ro%s", escaped, immutable ? "&immutable=1" : "");
}

/**
 * plumb_sqlite_connection_open:
 * @path: the file
 * @immutable: whether nobody writes to it while it is read
 * @cancellable: (nullable): ends waiting for a lock
 * @error: return location
 *
 * Returns: (transfer full): a read-only, hardened connection; %NULL with PLUMB_SOURCE_ERROR_ADDRESS
 *   where the file isn't there or is no database
 */
PlumbSqliteConnection *
plumb_sqlite_connection_open (const char *path, gboolean immutable, GCancellable *cancellable,
                              GError **error)
{
  g_autoptr (PlumbSqliteConnection) self = g_new0 (PlumbSqliteConnection, 1);
  g_autofree char *uri = make_file_uri (path, immutable);
  g_autofree char *count = NULL;
  int code;

  if (!look_at_file (path, &self->file, error))
    return NULL;
  code = sqlite3_open_v2 (uri, &self->db,
                          SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, NULL);
  if (code != SQLITE_OK) {
    plumb_sqlite_connection_set_error (self, error);
    return NULL;
  }
  sqlite3_extended_result_codes (self->db, 1);
  harden (self);
  plumb_sqlite_connection_begin (self, 0, cancellable);
  count = plumb_sqlite_connection_ask (self, "SELECT count(*) FROM sqlite_master", error);
  plumb_sqlite_connection_end (self);
  return count != NULL ? g_steal_pointer (&self) : NULL;
}

/** plumb_sqlite_connection_free: closes @self */
void
plumb_sqlite_connection_free (PlumbSqliteConnection *self)
{
  if (self == NULL)
    return;
  sqlite3_close_v2 (self->db);
  g_clear_pointer (&self->reads, g_hash_table_unref);
  g_free (self->refused);
  g_free (self);
}

/** plumb_sqlite_connection_is_fresh: Returns: whether @path is still the file that it has open */
gboolean
plumb_sqlite_connection_is_fresh (PlumbSqliteConnection *self, const char *path)
{
  struct stat now;

  return g_stat (path, &now) == 0 && now.st_ino == self->file.st_ino &&
         now.st_dev == self->file.st_dev;
}

static void
interrupt (GCancellable *cancellable, PlumbSqliteConnection *self)
{
  sqlite3_interrupt (self->db);
}

/**
 * plumb_sqlite_connection_begin:
 * @timeout_ms: time budget of what follows, 0 for none
 * @cancellable: (nullable): what stops it, from any thread
 *
 * From here to plumb_sqlite_connection_end() statements on @self honour both.
 */
void
plumb_sqlite_connection_begin (PlumbSqliteConnection *self, gint64 timeout_ms,
                               GCancellable *cancellable)
{
  self->deadline = timeout_ms > 0 ? g_get_monotonic_time () + timeout_ms * G_TIME_SPAN_MILLISECOND
                                  : 0;
  g_clear_pointer (&self->refused, g_free);
  if (cancellable == NULL)
    return;
  self->cancellable = g_object_ref (cancellable);
  self->interrupt_handler = g_cancellable_connect (cancellable, G_CALLBACK (interrupt), self, NULL);
}

/** plumb_sqlite_connection_end: ends what plumb_sqlite_connection_begin() began */
void
plumb_sqlite_connection_end (PlumbSqliteConnection *self)
{
  if (self->cancellable != NULL)
    g_cancellable_disconnect (self->cancellable, self->interrupt_handler);
  self->interrupt_handler = 0;
  g_clear_object (&self->cancellable);
  self->deadline = 0;
}

/* What to do about it, for the errors where that isn't plain from SQLite's own words. */
static const struct {
  int code;
  PlumbSourceError kind;
  const char *advice;
} known_errors[] = {
  { SQLITE_NOTADB, PLUMB_SOURCE_ERROR_ADDRESS,
    "The file is no SQLite database, or it is encrypted. Choose another file." },
  { SQLITE_CORRUPT, PLUMB_SOURCE_ERROR_STATEMENT,
    "The database file is damaged. Restore it from a backup, or try “.recover” of the sqlite3 "
    "program." },
  { SQLITE_CANTOPEN, PLUMB_SOURCE_ERROR_CONNECT,
    "SQLite can't open the file. If it is in WAL mode in a folder that you may not write to, copy "
    "it "
    "to one where you may, or add ?immutable=1 to the address when nobody writes to it." },
  { SQLITE_READONLY, PLUMB_SOURCE_ERROR_CONNECT,
    "SQLite would have to write beside the file before it can be read (a WAL file or an unfinished "
    "transaction). Open it once with the program that wrote it, or copy it to a folder where you "
    "may "
    "write." },
  { SQLITE_BUSY, PLUMB_SOURCE_ERROR_STATEMENT,
    "Another program has locked the database. Try again when it has finished writing." },
  { SQLITE_LOCKED, PLUMB_SOURCE_ERROR_STATEMENT, "The database is locked. Try again in a moment." },
  { SQLITE_TOOBIG, PLUMB_SOURCE_ERROR_STATEMENT,
    "A value is larger than the 32 MiB that one value may have here. Read a part of it with "
    "substr()." },
  { SQLITE_NOMEM, PLUMB_SOURCE_ERROR_STATEMENT,
    "There is not enough memory for this statement. Narrow it down." },
  { SQLITE_IOERR, PLUMB_SOURCE_ERROR_LOST,
    "The file can't be read any more. Check the disk or the network drive that it is on." },
};

static void
set_known_error (PlumbSqliteConnection *self, int code, GError **error)
{
  const char *said = self->db != NULL ? sqlite3_errmsg (self->db) : sqlite3_errstr (code);

  for (guint i = 0; i < G_N_ELEMENTS (known_errors); i++) {
    if (known_errors[i].code != (code & 0xff))
      continue;
    g_set_error (error, PLUMB_SOURCE_ERROR, known_errors[i].kind, "%s (SQLite says: %s)",
                 known_errors[i].advice, said);
    return;
  }
  g_set_error (error, PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_STATEMENT, "SQLite says: %s", said);
}

/** plumb_sqlite_connection_set_error: Returns: %FALSE, with @error set to what just went wrong */
gboolean
plumb_sqlite_connection_set_error (PlumbSqliteConnection *self, GError **error)
{
  int code = self->db != NULL ? sqlite3_extended_errcode (self->db) : SQLITE_NOMEM;

  if (g_cancellable_set_error_if_cancelled (self->cancellable, error))
    return FALSE;
  if (self->refused != NULL && (code & 0xff) != SQLITE_INTERRUPT) {
    g_set_error_literal (error, PLUMB_ERROR, PLUMB_ERROR_REFUSED, self->refused);
  } else if ((code & 0xff) == SQLITE_INTERRUPT || (code == SQLITE_BUSY && out_of_time (self))) {
    g_set_error_literal (error, PLUMB_ERROR, PLUMB_ERROR_TIMED_OUT,
                         "The statement was stopped at the end of its time budget. Narrow it down, "
                         "or allow it more time.");
  } else {
    set_known_error (self, code, error);
  }
  return FALSE;
}

/* Whether anything but space and comments follows the statement. */
static gboolean
has_more (PlumbSqliteConnection *self, const char *tail)
{
  sqlite3_stmt *next = NULL;
  gboolean more = FALSE;

  while (!more && tail != NULL && *tail != '\0') {
    const char *from = tail;

    more = sqlite3_prepare_v2 (self->db, from, -1, &next, &tail) != SQLITE_OK || next != NULL;
    sqlite3_finalize (next);
    if (tail == from)
      break;
  }
  return more;
}

/*
 * A virtual table is connected when a statement first uses it, and then prepares statements of its
 * own, some of which would write. Those of the modules that come with SQLite are harmless, so they
 * are connected here with the authorizer off; any other module stays under it.
 */
static void
connect_virtual_tables (PlumbSqliteConnection *self)
{
  g_autoptr (PlumbSqliteStatement) tables = NULL;
  g_autoptr (PlumbSqliteStatement) functions = NULL;

  self->guarded = FALSE;
  sqlite3_prepare_v2 (self->db, "SELECT 1 FROM json_each('[]'), json_tree('[]')", -1, &functions,
                      NULL);
  sqlite3_prepare_v2 (
    self->db,
    "SELECT name FROM main.sqlite_master WHERE type = 'table' AND sql LIKE 'CREATE VIRTUAL TABLE%' "
    "AND lower(trim(substr(sql, instr(lower(sql), ' using ') + 7, "
    "instr(substr(sql, instr(lower(sql), ' using ') + 7) || '(', '(') - 1))) "
    "IN ('fts3', 'fts4', 'fts5', 'rtree', 'rtree_i32', 'geopoly')",
    -1, &tables, NULL);
  while (tables != NULL && sqlite3_step (tables) == SQLITE_ROW) {
    g_autofree char *quoted = plumb_sql_quote_identifier (
      PLUMB_DIALECT_SQLITE, (const char *) sqlite3_column_text (tables, 0));
    g_autofree char *sql = g_strdup_printf ("SELECT 1 FROM main.%s", quoted);
    g_autoptr (PlumbSqliteStatement) statement = NULL;

    sqlite3_prepare_v2 (self->db, sql, -1, &statement, NULL);
  }
  self->guarded = TRUE;
}

static int
compile (PlumbSqliteConnection *self, const char *sql, sqlite3_stmt **statement, const char **tail)
{
  int code = sqlite3_prepare_v2 (self->db, sql, -1, statement, tail);

  if (code == SQLITE_OK || !self->guarded || self->refused == NULL)
    return code;
  g_clear_pointer (&self->refused, g_free);
  connect_virtual_tables (self);
  return sqlite3_prepare_v2 (self->db, sql, -1, statement, tail);
}

/**
 * plumb_sqlite_connection_prepare:
 * @sql: one statement
 *
 * Prepares a statement. Where @self is guarded it must be a single one that only reads.
 *
 * Returns: (transfer full): the statement, or %NULL with an error
 */
sqlite3_stmt *
plumb_sqlite_connection_prepare (PlumbSqliteConnection *self, const char *sql, GError **error)
{
  g_autoptr (PlumbSqliteStatement) statement = NULL;
  const char *tail = NULL;

  if (compile (self, sql, &statement, &tail) != SQLITE_OK) {
    plumb_sqlite_connection_set_error (self, error);
    return NULL;
  }
  if (statement == NULL) {
    g_set_error_literal (error, PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_STATEMENT,
                         "There is no statement in this text.");
    return NULL;
  }
  if (!self->guarded)
    return g_steal_pointer (&statement);
  if (!sqlite3_stmt_readonly (statement) || sqlite3_column_count (statement) == 0 ||
      has_more (self, tail)) {
    g_set_error_literal (error, PLUMB_ERROR, PLUMB_ERROR_REFUSED,
                         "Only one statement that reads can be run here. Write one SELECT.");
    return NULL;
  }
  return g_steal_pointer (&statement);
}

/** plumb_sqlite_connection_ask: Returns: (transfer full): the first cell of the answer, "" for
 * none; %NULL with an error. The authorizer is off: @sql is Plumbline's own */
char *
plumb_sqlite_connection_ask (PlumbSqliteConnection *self, const char *sql, GError **error)
{
  g_autoptr (PlumbSqliteStatement) statement = NULL;
  gboolean guarded = self->guarded;
  int code;

  self->guarded = FALSE;
  statement = plumb_sqlite_connection_prepare (self, sql, error);
  code = statement != NULL ? sqlite3_step (statement) : SQLITE_ERROR;
  self->guarded = guarded;
  if (statement == NULL)
    return NULL;
  if (code == SQLITE_ROW)
    return g_strdup ((const char *) sqlite3_column_text (statement, 0) ?: "");
  if (code == SQLITE_DONE)
    return g_strdup ("");
  plumb_sqlite_connection_set_error (self, error);
  return NULL;
}
