/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-mariadb-private.h"

/* What an error number means for whoever asked; MariaDB's and MySQL's lists of error codes. */
static const struct {
  guint number;
  PlumbSourceError kind;
  const char *advice;
} known_errors[] = {
  { 1045, PLUMB_SOURCE_ERROR_AUTHENTICATION,
    "The server did not accept the account or the password. Check both." },
  { 1698, PLUMB_SOURCE_ERROR_AUTHENTICATION,
    "The server does not let this account in this way. Check the account." },
  { 1820, PLUMB_SOURCE_ERROR_AUTHENTICATION,
    "The account's password has expired, and the server waits for a new one. Change it with another "
    "program, and give the new one for this source." },
  { 1862, PLUMB_SOURCE_ERROR_AUTHENTICATION,
    "The account's password has expired. Have it changed, and give the new one for this source." },
  { 4151, PLUMB_SOURCE_ERROR_AUTHENTICATION, "The account is locked. Ask who runs the server." },
  { 2059, PLUMB_SOURCE_ERROR_AUTHENTICATION,
    "The server asks for a way of signing in that isn't installed here." },
  { 1044, PLUMB_SOURCE_ERROR_DENIED,
    "The account may not use that database. Ask for the right to SELECT in it." },
  { 1049, PLUMB_SOURCE_ERROR_ADDRESS,
    "There is no such database on the server. Check its name in the address." },
  { 2002, PLUMB_SOURCE_ERROR_CONNECT,
    "The server can't be reached. Check host and port, and that it is running." },
  { 2003, PLUMB_SOURCE_ERROR_CONNECT,
    "The server can't be reached. Check host and port, and that it is running." },
  { 2005, PLUMB_SOURCE_ERROR_CONNECT, "The host is not known. Check its name, and the network." },
  { 2026, PLUMB_SOURCE_ERROR_CONNECT,
    "There is no encrypted connection to a server that is trusted here. Name the file of the "
    "authority that made its certificate in the address (ssl_ca=/folder/ca.pem), and the host as the "
    "certificate names it." },
  { 1040, PLUMB_SOURCE_ERROR_CONNECT, "The server has no free connection. Try again later." },
  { 1129, PLUMB_SOURCE_ERROR_CONNECT,
    "The server blocks this computer. Ask who runs it to flush its hosts." },
  { 1130, PLUMB_SOURCE_ERROR_AUTHENTICATION, "The server lets nobody in from this computer." },
  { 1203, PLUMB_SOURCE_ERROR_CONNECT,
    "The account has as many connections as it may have. Try again later." },
  { 2006, PLUMB_SOURCE_ERROR_LOST,
    "The connection to the server broke. The next question connects again." },
  { 2013, PLUMB_SOURCE_ERROR_LOST,
    "The connection to the server broke. The next question connects again." },
  { 2055, PLUMB_SOURCE_ERROR_LOST,
    "The connection to the server broke. The next question connects again." },
  { 1053, PLUMB_SOURCE_ERROR_LOST,
    "The server is shutting down. The next question connects again." },
  { 1927, PLUMB_SOURCE_ERROR_LOST,
    "The server ended the connection. The next question connects again." },
  { 5014, PLUMB_SOURCE_ERROR_LOST,
    "The connection to the server broke. The next question connects again." },
  { 1142, PLUMB_SOURCE_ERROR_DENIED,
    "The account may not read that. Ask for the right to SELECT, or use another table." },
  { 1143, PLUMB_SOURCE_ERROR_DENIED,
    "The account may not read that column. Use others, or ask for the right to SELECT it." },
  { 1227, PLUMB_SOURCE_ERROR_DENIED, "The account may not do that." },
  { 1370, PLUMB_SOURCE_ERROR_DENIED, "The account may not call that function." },
  { 1345, PLUMB_SOURCE_ERROR_DENIED, "The account may not have the view explained." },
  { 1792, PLUMB_SOURCE_ERROR_STATEMENT,
    "The statement would write, and the transaction is read-only." },
  { 1146, PLUMB_SOURCE_ERROR_STATEMENT, PLUMB_SOURCE_NO_TABLE },
  { 1054, PLUMB_SOURCE_ERROR_STATEMENT, PLUMB_SOURCE_NO_COLUMN },
  { 1205, PLUMB_SOURCE_ERROR_STATEMENT, "The statement waited too long for a lock. Try again." },
  { 1213, PLUMB_SOURCE_ERROR_STATEMENT,
    "The statement got in the way of others and was given up. Try again." },
  { 1021, PLUMB_SOURCE_ERROR_STATEMENT, PLUMB_SOURCE_DISK_FULL },
  /* Errors of the server's file system, and of tables that it keeps for itself (mysys, handler). */
  { 3, PLUMB_SOURCE_ERROR_STATEMENT, PLUMB_SOURCE_DISK_TROUBLE },
  { 20, PLUMB_SOURCE_ERROR_STATEMENT, PLUMB_SOURCE_DISK_FULL },
  { 126, PLUMB_SOURCE_ERROR_STATEMENT, PLUMB_SOURCE_DISK_TROUBLE },
  { 1026, PLUMB_SOURCE_ERROR_STATEMENT, PLUMB_SOURCE_DISK_TROUBLE },
  { 1030, PLUMB_SOURCE_ERROR_STATEMENT, PLUMB_SOURCE_DISK_TROUBLE },
  { 1114, PLUMB_SOURCE_ERROR_STATEMENT,
    "The server has no room for the statement's working data. Narrow it down." },
};

static gboolean
is_timeout (guint number)
{
  /* max_statement_time of MariaDB, max_execution_time of MySQL. */
  return number == 1969 || number == 3024;
}

static void
set_stopped_error (PlumbMariadbConnection *self, GError **error)
{
  if (!self->confirmed)
    g_set_error (error, PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_LOST,
                 "The statement was told to stop, and the server does not confirm that it has. It "
                 "may still be "
                 "running there as thread %lu until its time budget ends. Tell who runs the server "
                 "if it has to go.",
                 self->thread);
  else if (self->stop == PLUMB_MARIADB_CANCELLED)
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "Operation was cancelled");
  else
    g_set_error_literal (error, PLUMB_ERROR, PLUMB_ERROR_TIMED_OUT,
                         "The statement was stopped at the end of its time budget. Narrow it down, "
                         "or allow it more time.");
}

/** plumb_mariadb_set_error: Returns: %FALSE, with what just went wrong, and what to do */
gboolean
plumb_mariadb_set_error (PlumbMariadbConnection *self, GError **error)
{
  guint number = mysql_errno (self->mysql);
  g_autofree char *said = g_utf8_make_valid (mysql_error (self->mysql), -1);

  if (self->connected && self->stop != PLUMB_MARIADB_GOES_ON) {
    set_stopped_error (self, error);
    return FALSE;
  }
  if (g_cancellable_set_error_if_cancelled (self->cancellable, error))
    return FALSE;
  if (is_timeout (number)) {
    g_set_error (error, PLUMB_ERROR, PLUMB_ERROR_TIMED_OUT,
                 "The server stopped the statement at the end of its time budget. Narrow it down, "
                 "or allow it more "
                 "time. (It says: %s)",
                 said);
    return FALSE;
  }
  for (guint i = 0; i < G_N_ELEMENTS (known_errors); i++) {
    if (known_errors[i].number != number)
      continue;
    g_set_error (error, PLUMB_SOURCE_ERROR,
                 known_errors[i].kind == PLUMB_SOURCE_ERROR_LOST && !self->connected
                   ? PLUMB_SOURCE_ERROR_CONNECT
                   : known_errors[i].kind,
                 "%s (The server or its library says: %s)", known_errors[i].advice, said);
    return FALSE;
  }
  g_set_error (error, PLUMB_SOURCE_ERROR,
               self->connected ? PLUMB_SOURCE_ERROR_STATEMENT : PLUMB_SOURCE_ERROR_CONNECT,
               "The server says: %s", said);
  return FALSE;
}
