/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-odbc-private.h"

#include <string.h>

/* How long connecting may take. The driver is told the same, and ours is waited for when it can't
 * keep it. */
#define CONNECT_PATIENCE_S 15

/* Attributes of psqlodbc's own (its psqlodbc.h): rows are fetched through a cursor, so many at a
 * time, and not all of them into this computer's memory; a boolean is no text. */
#define PSQLODBC_USE_CURSOR 65539
#define PSQLODBC_ROWS_AT_A_TIME 65541
#define PSQLODBC_BOOLEANS_AS_TEXT 65545
#define ROWS_AT_A_TIME 1000

static char *
get_info (PlumbOdbcConnection *self, SQLUSMALLINT what)
{
  SQLWCHAR buffer[256];
  SQLSMALLINT length = 0;

  if (!SQL_SUCCEEDED (SQLGetInfoW (self->dbc, what, buffer, sizeof buffer, &length)))
    return g_strdup ("");
  return plumb_odbc_from_wide (buffer, MIN (length, (int) sizeof buffer - 2) / 2);
}

static void
set_attribute (PlumbOdbcConnection *self, SQLINTEGER attribute, gsize value)
{
  SQLSetConnectAttr (self->dbc, attribute, (SQLPOINTER) value, 0);
}

static void
learn (PlumbOdbcConnection *self)
{
  g_autofree char *driver_version = NULL;
  g_autofree char *driver = NULL;
  g_autofree char *lower = NULL;

  self->dbms = get_info (self, SQL_DBMS_NAME);
  self->version = get_info (self, SQL_DBMS_VER);
  self->account = get_info (self, SQL_USER_NAME);
  self->catalog = get_info (self, SQL_DATABASE_NAME);
  driver = get_info (self, SQL_DRIVER_NAME);
  driver_version = get_info (self, SQL_DRIVER_VER);
  self->driver = g_strdup_printf ("%s %s", driver, driver_version);
  lower = g_ascii_strdown (driver, -1);
  self->is_psqlodbc = strstr (lower, "psqlodbc") != NULL;
  self->is_narrow = strstr (lower, "sqlite") != NULL;
  if (!self->asked_engine)
    self->engine = plumb_odbc_engine_from_dbms (self->dbms);
}

static gboolean
allocate (PlumbOdbcConnection *self)
{
  /* An environment of its own: while a driver connects, unixODBC keeps its environment locked, and
   * one that hangs would keep all others waiting. */
  if (!SQL_SUCCEEDED (SQLAllocHandle (SQL_HANDLE_ENV, SQL_NULL_HANDLE, &self->environment)))
    return FALSE;
  SQLSetEnvAttr (self->environment, SQL_ATTR_ODBC_VERSION, (SQLPOINTER) SQL_OV_ODBC3, 0);
  return SQL_SUCCEEDED (SQLAllocHandle (SQL_HANDLE_DBC, self->environment, &self->dbc));
}

static gboolean
connect (PlumbOdbcConnection *self)
{
  SQLRETURN code;

  if (!allocate (self))
    return plumb_odbc_take_fault (self, SQL_HANDLE_ENV, self->environment);
  set_attribute (self, SQL_ATTR_LOGIN_TIMEOUT, CONNECT_PATIENCE_S);
  code = SQLDriverConnectW (self->dbc, NULL, self->text, SQL_NTS, NULL, 0, NULL,
                            SQL_DRIVER_NOPROMPT);
  for (SQLWCHAR *at = self->text; *at != 0; at++)
    *at = ' ';
  if (!SQL_SUCCEEDED (code))
    return plumb_odbc_take_fault (self, SQL_HANDLE_DBC, self->dbc);
  g_mutex_lock (&self->lock);
  self->connected = TRUE;
  g_mutex_unlock (&self->lock);
  learn (self);
  if (self->is_psqlodbc) {
    set_attribute (self, PSQLODBC_USE_CURSOR, 1);
    set_attribute (self, PSQLODBC_ROWS_AT_A_TIME, ROWS_AT_A_TIME);
    set_attribute (self, PSQLODBC_BOOLEANS_AS_TEXT, 0);
  }
  set_attribute (self, SQL_ATTR_ACCESS_MODE, SQL_MODE_READ_ONLY);
  code = SQLSetConnectAttr (self->dbc, SQL_ATTR_AUTOCOMMIT, (SQLPOINTER) SQL_AUTOCOMMIT_OFF, 0);
  self->has_transactions = SQL_SUCCEEDED (code);
  if (!SQL_SUCCEEDED (SQLAllocHandle (SQL_HANDLE_STMT, self->dbc, &self->statement)))
    return plumb_odbc_take_fault (self, SQL_HANDLE_DBC, self->dbc);
  return TRUE;
}

/**
 * plumb_odbc_connection_open:
 * @deadline: monotonic time by which it must be there, 0 for the usual
 *
 * Returns: (transfer full): a connection; %NULL with an error that says what is wrong
 */
PlumbOdbcConnection *
plumb_odbc_connection_open (PlumbSource *source, gint64 deadline, GCancellable *cancellable,
                            GError **error)
{
  const PlumbSourceUri *address = plumb_source_get_address (source);
  g_autofree char *password = plumb_source_dup_password (source);
  g_autofree char *text = plumb_odbc_connection_string (address, password);
  g_autofree char *key = plumb_odbc_get_key (address, "PlumblineDialect");
  g_autoptr (PlumbOdbcConnection) self = plumb_odbc_connection_new (source);
  gboolean good;

  self->asked_engine = key != NULL && plumb_odbc_engine_from_key (key, &self->engine);
  self->text = plumb_odbc_to_wide (text);
  memset (text, ' ', strlen (text));
  self->cancellable = cancellable;
  self->deadline = deadline != 0
                       ? deadline
                       : g_get_monotonic_time () + (CONNECT_PATIENCE_S + 2) * G_TIME_SPAN_SECOND;
  good = plumb_odbc_call (self, connect, error);
  self->cancellable = NULL;
  self->deadline = 0;
  return good ? g_steal_pointer (&self) : NULL;
}
