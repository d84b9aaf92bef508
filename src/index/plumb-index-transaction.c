/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-index-private.h"

#include <stdarg.h>
#include <string.h>

/* More threads than this wait for one another; a read takes well under a millisecond. */
#define MAX_READERS 4

static PlumbConnection *
take_reader (PlumbIndex *self, GError **error)
{
  PlumbConnection *reader;

  g_mutex_lock (&self->reader_mutex);
  while (self->idle_readers->len == 0 && self->n_readers == MAX_READERS)
    g_cond_wait (&self->reader_cond, &self->reader_mutex);
  if (self->idle_readers->len > 0) {
    reader = g_ptr_array_steal_index_fast (self->idle_readers, self->idle_readers->len - 1);
    g_mutex_unlock (&self->reader_mutex);
    return reader;
  }
  self->n_readers++;
  g_mutex_unlock (&self->reader_mutex);

  reader = plumb_connection_open (self->path, error);
  if (reader == NULL || !plumb_connection_exec (reader, "PRAGMA query_only = ON", error)) {
    g_clear_pointer (&reader, plumb_connection_close);
    g_mutex_lock (&self->reader_mutex);
    self->n_readers--;
    g_cond_signal (&self->reader_cond);
    g_mutex_unlock (&self->reader_mutex);
  }
  return reader;
}

static void
give_reader_back (PlumbIndex *self, PlumbConnection *reader)
{
  g_mutex_lock (&self->reader_mutex);
  g_ptr_array_add (self->idle_readers, reader);
  g_cond_signal (&self->reader_cond);
  g_mutex_unlock (&self->reader_mutex);
}

static PlumbTransaction *
transaction_new (PlumbIndex *index, PlumbConnection *connection, gboolean writes)
{
  PlumbTransaction *self = g_new0 (PlumbTransaction, 1);

  self->index = index;
  self->connection = connection;
  self->writes = writes;
  return self;
}

/**
 * plumb_index_begin_read:
 * @self: an index
 * @error: return location
 *
 * Takes a reader from the pool. Everything read until the transaction is freed is of one moment.
 *
 * Returns: (transfer full): the transaction, or %NULL with an error
 */
PlumbTransaction *
plumb_index_begin_read (PlumbIndex *self, GError **error)
{
  PlumbConnection *reader = take_reader (self, error);
  g_autoptr (PlumbTransaction) transaction = NULL;

  if (reader == NULL)
    return NULL;
  transaction = transaction_new (self, reader, FALSE);
  if (!plumb_connection_exec (reader, "BEGIN", error))
    return NULL;
  return g_steal_pointer (&transaction);
}

/* A newer program may have changed the schema while this one had the file open. */
static gboolean
check_version (PlumbTransaction *self, GError **error)
{
  gint64 version;

  if (!plumb_connection_get_pragma (self->connection, "PRAGMA user_version", &version, error))
    return FALSE;
  if (version == self->index->version)
    return TRUE;
  g_set_error (error, PLUMB_INDEX_ERROR, PLUMB_INDEX_ERROR_TOO_NEW,
               "A newer Plumbline has changed the index %s meanwhile. Close this program and use "
               "the newer one.", self->index->path);
  return FALSE;
}

/**
 * plumb_index_begin_write:
 * @self: an index
 * @kind: whether the commit has to survive a power cut
 * @error: return location
 *
 * Waits for the writer and begins a transaction that no other program can get in between.
 *
 * Returns: (transfer full): the transaction, or %NULL with an error
 */
PlumbTransaction *
plumb_index_begin_write (PlumbIndex *self, PlumbWriteKind kind, GError **error)
{
  g_autoptr (PlumbTransaction) transaction = NULL;
  gboolean durable = kind == PLUMB_WRITE_KEPT;

  g_mutex_lock (&self->writer_mutex);
  transaction = transaction_new (self, self->writer, TRUE);
  if (self->writer_durable != durable) {
    if (!plumb_connection_exec (self->writer, durable ? "PRAGMA synchronous = FULL"
                                                      : "PRAGMA synchronous = NORMAL", error))
      return NULL;
    self->writer_durable = durable;
  }
  if (!plumb_connection_exec (self->writer, "BEGIN IMMEDIATE", error) ||
      !check_version (transaction, error))
    return NULL;
  return g_steal_pointer (&transaction);
}

static void
reset_statements (PlumbConnection *connection)
{
  sqlite3_stmt *statement = NULL;

  while ((statement = sqlite3_next_stmt (connection->db, statement)) != NULL) {
    if (sqlite3_stmt_busy (statement))
      sqlite3_reset (statement);
  }
}

/**
 * plumb_transaction_commit:
 * @self: a writing transaction
 * @error: return location
 *
 * Returns: whether everything that was written is stored; otherwise nothing is
 */
gboolean
plumb_transaction_commit (PlumbTransaction *self, GError **error)
{
  reset_statements (self->connection);
  return plumb_connection_exec (self->connection, "COMMIT", error);
}

/** plumb_transaction_free: rolls back what was not committed and gives the connection back */
void
plumb_transaction_free (PlumbTransaction *self)
{
  if (self == NULL)
    return;
  reset_statements (self->connection);
  if (!sqlite3_get_autocommit (self->connection->db))
    sqlite3_exec (self->connection->db, "ROLLBACK", NULL, NULL, NULL);
  if (self->writes)
    g_mutex_unlock (&self->index->writer_mutex);
  else
    give_reader_back (self->index, self->connection);
  g_free (self);
}

/**
 * plumb_transaction_touch_search:
 * @self: a writing transaction
 * @error: return location
 *
 * Says that what is written matters to search: the commit gives the index a new generation, which
 * stands in @self from here on.
 *
 * Returns: %FALSE with an error
 */
gboolean
plumb_transaction_touch_search (PlumbTransaction *self, GError **error)
{
  sqlite3_stmt *statement;

  if (self->generation != 0)
    return TRUE;
  statement = plumb_transaction_bind (self, error,
                                      "UPDATE state SET generation = generation + 1 "
                                      "RETURNING generation", "");
  if (statement == NULL || plumb_transaction_step (self, statement, error) != SQLITE_ROW)
    return FALSE;
  self->generation = sqlite3_column_int64 (statement, 0);
  return plumb_transaction_step (self, statement, error) == SQLITE_DONE;
}

/**
 * plumb_transaction_touch_cards:
 * @self: a writing transaction
 * @error: return location
 *
 * Says that a card is written, or is there or gone now: what search derived from the cards no longer
 * holds.
 *
 * Returns: %FALSE with an error
 */
gboolean
plumb_transaction_touch_cards (PlumbTransaction *self, GError **error)
{
  if (self->cards_touched)
    return TRUE;
  self->cards_touched = plumb_transaction_touch_search (self, error) &&
                        plumb_transaction_run (self, error, "UPDATE state SET cards = random()", "");
  return self->cards_touched;
}

static sqlite3_stmt *
prepare (PlumbTransaction *self, const char *sql, GError **error)
{
  GHashTable *statements = self->connection->statements;
  sqlite3_stmt *statement = g_hash_table_lookup (statements, sql);
  int code;

  if (statement != NULL) {
    sqlite3_reset (statement);
    sqlite3_clear_bindings (statement);
    return statement;
  }
  code = sqlite3_prepare_v3 (self->connection->db, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement,
                             NULL);
  if (code != SQLITE_OK) {
    plumb_connection_set_error (self->connection, code, error);
    return NULL;
  }
  g_hash_table_insert (statements, (gpointer) sqlite3_sql (statement), statement);
  return statement;
}

static sqlite3_stmt *
bind_values (PlumbTransaction *self, GError **error, const char *sql, const char *types,
             va_list values)
{
  sqlite3_stmt *statement = prepare (self, sql, error);

  for (int i = 0; statement != NULL && types[i] != '\0'; i++) {
    int code = SQLITE_OK;

    switch (types[i]) {
    case 's':
      code = sqlite3_bind_text (statement, i + 1, va_arg (values, const char *), -1,
                                SQLITE_TRANSIENT);
      break;
    case 'i':
      code = sqlite3_bind_int (statement, i + 1, va_arg (values, int));
      break;
    case 'l':
      code = sqlite3_bind_int64 (statement, i + 1, va_arg (values, gint64));
      break;
    case 'b': {
      const void *bytes = va_arg (values, const void *);

      code = sqlite3_bind_blob (statement, i + 1, bytes, va_arg (values, int), SQLITE_TRANSIENT);
      break;
    }
    default:
      g_assert_not_reached ();
    }
    if (code != SQLITE_OK) {
      plumb_connection_set_error (self->connection, code, error);
      return NULL;
    }
  }
  return statement;
}

/**
 * plumb_transaction_bind:
 * @self: a transaction
 * @error: return location
 * @sql: a statement, which is prepared once a connection and kept
 * @types: a letter for each value: "s" a nullable string, "i" an int, "l" a gint64, "b" bytes and
 *   their number, an int
 * @...: the values
 *
 * Returns: (transfer none): the statement, ready to be stepped, or %NULL with an error. The same
 * SQL can't be in use twice in one transaction.
 */
sqlite3_stmt *
plumb_transaction_bind (PlumbTransaction *self, GError **error, const char *sql, const char *types,
                        ...)
{
  sqlite3_stmt *statement;
  va_list values;

  va_start (values, types);
  statement = bind_values (self, error, sql, types, values);
  va_end (values);
  return statement;
}

/** plumb_transaction_step: Returns: SQLITE_ROW, SQLITE_DONE, or another code with an error set */
int
plumb_transaction_step (PlumbTransaction *self, sqlite3_stmt *statement, GError **error)
{
  int code = sqlite3_step (statement);

  if (code == SQLITE_ROW)
    return code;
  if (code != SQLITE_DONE)
    plumb_connection_set_error (self->connection, code, error);
  sqlite3_reset (statement);
  return code;
}

/** plumb_transaction_run: binds and runs a statement that gives no rows; Returns: %FALSE with an
 * error */
gboolean
plumb_transaction_run (PlumbTransaction *self, GError **error, const char *sql, const char *types,
                       ...)
{
  sqlite3_stmt *statement;
  va_list values;

  va_start (values, types);
  statement = bind_values (self, error, sql, types, values);
  va_end (values);
  return statement != NULL && plumb_transaction_step (self, statement, error) == SQLITE_DONE;
}

/**
 * plumb_transaction_list:
 * @self: a transaction
 * @statement: (nullable): from plumb_transaction_bind(); %NULL where that failed
 * @read: makes an element of a row
 * @free_element: frees an element
 * @error: return location
 *
 * Returns: (transfer full): an element a row, or %NULL with an error
 */
GPtrArray *
plumb_transaction_list (PlumbTransaction *self, sqlite3_stmt *statement, PlumbRowFunc read,
                        GDestroyNotify free_element, GError **error)
{
  g_autoptr (GPtrArray) list = NULL;
  int code;

  if (statement == NULL)
    return NULL;
  list = g_ptr_array_new_with_free_func (free_element);
  while ((code = plumb_transaction_step (self, statement, error)) == SQLITE_ROW)
    g_ptr_array_add (list, read (statement));
  return code == SQLITE_DONE ? g_steal_pointer (&list) : NULL;
}

/** plumb_transaction_get_inserted: Returns: the number of the row that was inserted last */
gint64
plumb_transaction_get_inserted (PlumbTransaction *self)
{
  return sqlite3_last_insert_rowid (self->connection->db);
}

/** plumb_transaction_get_changed: Returns: how many rows the last statement changed */
int
plumb_transaction_get_changed (PlumbTransaction *self)
{
  return sqlite3_changes (self->connection->db);
}
