/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-odbc-private.h"

#include <string.h>

/* How long ending a transaction may take before the connection is given up instead. */
#define END_PATIENCE (2 * G_TIME_SPAN_SECOND)

/** plumb_odbc_rows_free: frees @self */
void
plumb_odbc_rows_free (PlumbOdbcRows *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < self->rows->len; i++) {
    char **row = g_ptr_array_index (self->rows, i);

    for (guint c = 0; c < self->n_columns; c++)
      g_free (row[c]);
    g_free (row);
  }
  g_ptr_array_unref (self->rows);
  g_free (self);
}

/** plumb_odbc_rows_get: Returns: (transfer none) (nullable): a cell; %NULL for NULL, and for a
 *   column that the driver doesn't give */
const char *
plumb_odbc_rows_get (const PlumbOdbcRows *self, guint row, guint column)
{
  return column < self->n_columns ? ((char **) g_ptr_array_index (self->rows, row))[column] : NULL;
}

static SQLRETURN
ask_driver (PlumbOdbcConnection *self)
{
  SQLWCHAR *catalog = self->arguments[0];
  SQLWCHAR *schema = self->arguments[1];
  SQLWCHAR *table = self->arguments[2];

  switch (self->question) {
  case PLUMB_ODBC_ASK_TABLES:
    return SQLTablesW (self->statement, catalog, SQL_NTS, NULL, 0, NULL, 0, NULL, 0);
  case PLUMB_ODBC_ASK_COLUMNS:
    return SQLColumnsW (self->statement, catalog, SQL_NTS, schema, SQL_NTS, table, SQL_NTS, NULL,
                        0);
  case PLUMB_ODBC_ASK_PRIMARY_KEY:
    return SQLPrimaryKeysW (self->statement, catalog, SQL_NTS, schema, SQL_NTS, table, SQL_NTS);
  case PLUMB_ODBC_ASK_FOREIGN_KEYS:
    return SQLForeignKeysW (self->statement, NULL, 0, NULL, 0, NULL, 0, catalog, SQL_NTS, schema,
                            SQL_NTS, table, SQL_NTS);
  case PLUMB_ODBC_ASK_SQL:
  default:
    return SQLExecDirectW (self->statement, self->text, SQL_NTS);
  }
}

static void
set_limit (PlumbOdbcConnection *self, SQLINTEGER attribute, gint64 value)
{
  SQLSetStmtAttr (self->statement, attribute, (SQLPOINTER) (gsize) value, 0);
}

static gboolean
execute (PlumbOdbcConnection *self)
{
  SQLRETURN code;

  SQLFreeStmt (self->statement, SQL_CLOSE);
  set_limit (self, SQL_ATTR_QUERY_TIMEOUT, self->time_limit_s);
  set_limit (self, SQL_ATTR_MAX_ROWS, self->max_rows);
  code = ask_driver (self);
  if (!SQL_SUCCEEDED (code) && code != SQL_NO_DATA)
    return plumb_odbc_take_fault (self, SQL_HANDLE_STMT, self->statement);
  return plumb_odbc_describe (self);
}

/** plumb_odbc_execute: runs a statement; its rows, where it gives any, can be fetched. Returns:
 *   whether it went well */
gboolean
plumb_odbc_execute (PlumbOdbcConnection *self, const char *sql, GError **error)
{
  g_free (self->text);
  self->text = plumb_odbc_to_wide (sql);
  self->question = PLUMB_ODBC_ASK_SQL;
  return plumb_odbc_call (self, execute, error);
}

static void
keep_rows (PlumbOdbcConnection *self, PlumbOdbcRows *rows)
{
  for (guint i = 0; i + rows->n_columns <= self->cells->len; i += rows->n_columns) {
    char **row = g_new0 (char *, rows->n_columns + 1);

    for (guint c = 0; c < rows->n_columns; c++) {
      const PlumbOdbcCell *cell = &g_array_index (self->cells, PlumbOdbcCell, i + c);

      if (!cell->is_null)
        row[c] = g_utf8_make_valid (self->bytes->str + cell->start, cell->length);
    }
    g_ptr_array_add (rows->rows, row);
  }
}

static PlumbOdbcRows *
rows_new (guint n_columns)
{
  PlumbOdbcRows *rows = g_new0 (PlumbOdbcRows, 1);

  rows->n_columns = n_columns;
  rows->rows = g_ptr_array_new ();
  return rows;
}

static PlumbOdbcRows *
read_all (PlumbOdbcConnection *self, GError **error)
{
  g_autoptr (PlumbOdbcRows) rows = rows_new (self->columns->len);

  self->at_end = rows->n_columns == 0;
  while (!self->at_end) {
    if (!plumb_odbc_call (self, plumb_odbc_fetch, error))
      return NULL;
    keep_rows (self, rows);
  }
  return g_steal_pointer (&rows);
}

/** plumb_odbc_ask: runs a statement of Plumbline's own. Returns: (transfer full): all its rows;
 *   %NULL with an error */
PlumbOdbcRows *
plumb_odbc_ask (PlumbOdbcConnection *self, const char *sql, GError **error)
{
  self->max_rows = 0;
  self->max_cell = 0;
  return plumb_odbc_execute (self, sql, error) ? read_all (self, error) : NULL;
}

/** plumb_odbc_ask_one: Returns: (transfer full) (nullable): the first cell of what @sql gives; %NULL
 *   where there is none, or with an error */
char *
plumb_odbc_ask_one (PlumbOdbcConnection *self, const char *sql, GError **error)
{
  g_autoptr (PlumbOdbcRows) rows = plumb_odbc_ask (self, sql, error);

  return rows != NULL && rows->rows->len > 0 ? g_strdup (plumb_odbc_rows_get (rows, 0, 0)) : NULL;
}

/**
 * plumb_odbc_ask_driver:
 * @catalog: (nullable): the catalog
 * @schema: (nullable): the schema
 * @table: (nullable): the table, %NULL for all
 *
 * Returns: (transfer full): what the driver's catalog function gives; %NULL with an error
 */
PlumbOdbcRows *
plumb_odbc_ask_driver (PlumbOdbcConnection *self, PlumbOdbcQuestion question, const char *catalog,
                       const char *schema, const char *table, GError **error)
{
  const char *arguments[] = { catalog, schema, table };

  for (guint i = 0; i < G_N_ELEMENTS (arguments); i++) {
    g_free (self->arguments[i]);
    self->arguments[i] = arguments[i] != NULL ? plumb_odbc_to_wide (arguments[i]) : NULL;
  }
  self->question = question;
  self->max_rows = 0;
  self->max_cell = 0;
  return plumb_odbc_call (self, execute, error) ? read_all (self, error) : NULL;
}

/* PostgreSQL: the number of the session, which is also the first query of the transaction: from
 * here on it can't be made writable. Its time limit is finer than the driver's, which is in
 * seconds. */
static gboolean
begin_postgres (PlumbOdbcConnection *self, gint64 timeout_ms, GError **error)
{
  g_autofree char *limit = g_strdup_printf ("SET LOCAL statement_timeout = %" G_GINT64_FORMAT,
                                            timeout_ms);

  if (!plumb_odbc_execute (self, "SET TRANSACTION READ ONLY", error))
    return FALSE;
  g_free (self->process);
  self->process = plumb_odbc_ask_one (self, "SELECT pg_catalog.pg_backend_pid()", error);
  return self->process != NULL && plumb_odbc_execute (self, limit, error);
}

static gboolean
roll_back (PlumbOdbcConnection *self)
{
  SQLFreeStmt (self->statement, SQL_CLOSE);
  if (!self->has_transactions ||
      SQL_SUCCEEDED (SQLEndTran (SQL_HANDLE_DBC, self->dbc, SQL_ROLLBACK)))
    return TRUE;
  return plumb_odbc_take_fault (self, SQL_HANDLE_DBC, self->dbc);
}

/* What may fail without harm: the transaction begins anew after it. */
static gboolean
try (PlumbOdbcConnection *self, const char *sql, gboolean *failed, GError **error)
{
  g_autoptr (GError) inner = NULL;

  *failed = !plumb_odbc_execute (self, sql, &inner);
  if (!*failed)
    return TRUE;
  if (g_error_matches (inner, PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_STATEMENT) ||
      g_error_matches (inner, PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_DENIED))
    return plumb_odbc_call (self, roll_back, error);
  g_propagate_error (error, g_steal_pointer (&inner));
  return FALSE;
}

/* Oracle and Tibero write numbers with the comma of the session's territory where nothing else is
 * said, and a number would be read wrongly. */
static gboolean
begin_oracle (PlumbOdbcConnection *self, const char *first, GError **error)
{
  gboolean failed;

  if (!self->is_set_up &&
      !try (self, "ALTER SESSION SET NLS_NUMERIC_CHARACTERS = '.,'", &failed, error))
    return FALSE;
  self->is_set_up = TRUE;
  return plumb_odbc_execute (self, first, error);
}

/* Of an engine that isn't known it is tried whether it has read-only transactions. */
static gboolean
begin_generic (PlumbOdbcConnection *self, GError **error)
{
  return self->refuses_read_only ||
         try (self, "SET TRANSACTION READ ONLY", &self->refuses_read_only, error);
}

/**
 * plumb_odbc_begin:
 * @timeout_ms: time budget of what follows, 0 for what Plumbline's own questions have
 * @cancellable: (nullable): what stops it
 *
 * Begins a transaction, read-only where the engine has that. Where there is nothing else to say, it
 * asks for a row, so that a connection that is gone is found out before anything is asked of it.
 *
 * Returns: whether it began
 */
gboolean
plumb_odbc_begin (PlumbOdbcConnection *self, gint64 timeout_ms, GCancellable *cancellable,
                  GError **error)
{
  timeout_ms = timeout_ms > 0 ? timeout_ms : PLUMB_SOURCE_OWN_BUDGET_MS;
  self->cancellable = cancellable;
  self->deadline = 0;
  self->stop = PLUMB_ODBC_GOES_ON;
  self->time_limit_s = self->engine == PLUMB_ODBC_POSTGRES ? 0 : (timeout_ms + 999) / 1000;
  self->max_rows = 0;
  switch (self->engine) {
  case PLUMB_ODBC_POSTGRES:
    return begin_postgres (self, timeout_ms, error);
  case PLUMB_ODBC_SQLITE:
    return plumb_odbc_execute (self, "PRAGMA query_only = ON", error);
  case PLUMB_ODBC_ORACLE:
    return begin_oracle (self, "SET TRANSACTION READ ONLY", error);
  case PLUMB_ODBC_TIBERO:
    return begin_oracle (self, "SELECT 1 FROM DUAL", error);
  case PLUMB_ODBC_SQLSERVER:
    return plumb_odbc_execute (self, "SELECT 1", error);
  case PLUMB_ODBC_GENERIC:
  default:
    return begin_generic (self, error);
  }
}

static gboolean
is_dead (PlumbOdbcConnection *self)
{
  SQLUINTEGER dead = SQL_CD_FALSE;

  SQLGetConnectAttr (self->dbc, SQL_ATTR_CONNECTION_DEAD, &dead, SQL_IS_UINTEGER, NULL);
  return dead == SQL_CD_TRUE;
}

static gboolean
close_transaction (PlumbOdbcConnection *self)
{
  return roll_back (self) && !is_dead (self);
}

/** plumb_odbc_end: ends the transaction, always by rolling it back. Returns: whether the connection
 *   can be used again */
gboolean
plumb_odbc_end (PlumbOdbcConnection *self)
{
  if (self->abandoned)
    return FALSE;
  self->cancellable = NULL;
  self->stop = PLUMB_ODBC_GOES_ON;
  self->deadline = g_get_monotonic_time () + END_PATIENCE;
  return plumb_odbc_call (self, close_transaction, NULL);
}
