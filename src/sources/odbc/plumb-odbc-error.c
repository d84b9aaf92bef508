/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-odbc-private.h"

#include <string.h>

/* Records of one error that are read; a driver may give one a row. */
#define MOST_RECORDS 5

#define LOST "The connection to the server broke. The next question connects again."
#define SIGN_IN "The server did not accept the account or the password. Check both."
#define NOT_REACHED "The server can't be reached. Check the address, and that it is running."
#define DENIED "The account may not read that. Ask for the right to SELECT, or use another table."

/* What the server's own number (0: none), or words that the driver passes on, say more of than the
 * SQLSTATE does: Oracle's and Tibero's errors, SQL Server's, and the words of libpq, whose driver
 * gives the same state for all. */
static const struct {
  const char *word;
  int native;
  PlumbSourceError kind;
  const char *advice;
} known_faults[] = {
  { "ORA-01017", 1017, PLUMB_SOURCE_ERROR_AUTHENTICATION, SIGN_IN },
  { "TBR-17001", 0, PLUMB_SOURCE_ERROR_AUTHENTICATION, SIGN_IN },
  { "ORA-28000", 28000, PLUMB_SOURCE_ERROR_AUTHENTICATION,
    "The account is locked. Ask who runs the server." },
  { "ORA-28001", 28001, PLUMB_SOURCE_ERROR_AUTHENTICATION,
    "The account's password has expired. Change it." },
  { "Login failed", 18456, PLUMB_SOURCE_ERROR_AUTHENTICATION, SIGN_IN },
  { "authentication failed", 0, PLUMB_SOURCE_ERROR_AUTHENTICATION, SIGN_IN },
  { "no password supplied", 0, PLUMB_SOURCE_ERROR_AUTHENTICATION,
    "The server asks for a password, and there is none for this source. Enter it." },
  { "is not permitted to log in", 0, PLUMB_SOURCE_ERROR_AUTHENTICATION,
    "The server does not let this account in. Check the account." },
  { "no pg_hba.conf entry", 0, PLUMB_SOURCE_ERROR_AUTHENTICATION,
    "The server does not let this account in from here. Check the account." },
  { "ORA-03113", 3113, PLUMB_SOURCE_ERROR_LOST, LOST },
  { "ORA-03114", 3114, PLUMB_SOURCE_ERROR_LOST, LOST },
  { "ORA-03135", 3135, PLUMB_SOURCE_ERROR_LOST, LOST },
  { "ORA-01012", 1012, PLUMB_SOURCE_ERROR_LOST, LOST },
  { "ORA-00028", 28, PLUMB_SOURCE_ERROR_LOST, "The server ended the session." },
  { "server closed the connection", 0, PLUMB_SOURCE_ERROR_LOST, LOST },
  { "terminating connection", 0, PLUMB_SOURCE_ERROR_LOST,
    "The server ended the connection. The next question connects again." },
  { "connection to the server", 0, PLUMB_SOURCE_ERROR_LOST, LOST },
  { "ORA-01031", 1031, PLUMB_SOURCE_ERROR_DENIED, DENIED },
  { "permission was denied", 229, PLUMB_SOURCE_ERROR_DENIED, DENIED },
  { "ORA-00942", 942, PLUMB_SOURCE_ERROR_STATEMENT, PLUMB_SOURCE_NO_TABLE },
  { "ORA-00904", 904, PLUMB_SOURCE_ERROR_STATEMENT, PLUMB_SOURCE_NO_COLUMN },
  { "ORA-01456", 1456, PLUMB_SOURCE_ERROR_STATEMENT,
    "The statement would write, and the transaction is read-only." },
};

/* What an SQLSTATE means (ODBC's appendix A, and the standard's classes); a class stands for all of
 * its states that aren't named themselves. */
static const struct {
  const char *state;
  PlumbSourceError kind;
  const char *advice;
} known_states[] = {
  { "28", PLUMB_SOURCE_ERROR_AUTHENTICATION, SIGN_IN },
  { "08001", PLUMB_SOURCE_ERROR_CONNECT, NOT_REACHED },
  { "08004", PLUMB_SOURCE_ERROR_CONNECT, "The server rejected the connection." },
  { "08", PLUMB_SOURCE_ERROR_LOST, LOST },
  { "HYT", PLUMB_SOURCE_ERROR_CONNECT,
    "The server did not answer in time. Check the address, and that it is running." },
  { "57P", PLUMB_SOURCE_ERROR_LOST,
    "The server ended the connection. The next question connects again." },
  { "42501", PLUMB_SOURCE_ERROR_DENIED, DENIED },
  { "42S02", PLUMB_SOURCE_ERROR_STATEMENT, PLUMB_SOURCE_NO_TABLE },
  { "42P01", PLUMB_SOURCE_ERROR_STATEMENT, PLUMB_SOURCE_NO_TABLE },
  { "42S22", PLUMB_SOURCE_ERROR_STATEMENT, PLUMB_SOURCE_NO_COLUMN },
  { "42703", PLUMB_SOURCE_ERROR_STATEMENT, PLUMB_SOURCE_NO_COLUMN },
  { "25006", PLUMB_SOURCE_ERROR_STATEMENT,
    "The statement would write, and the transaction is read-only." },
  { "40", PLUMB_SOURCE_ERROR_STATEMENT,
    "The statement got in the way of others and was given up. Try again." },
  { "53", PLUMB_SOURCE_ERROR_STATEMENT,
    "The server lacks resources for this statement. Narrow it down, or try again later." },
};

/* Without the “[vendor][driver][…]” that each of driver manager, driver and server puts in front. */
static const char *
skip_prefixes (const char *message)
{
  while (*message == '[' && strchr (message, ']') != NULL) {
    message = strchr (message, ']') + 1;
    while (g_ascii_isspace (*message))
      message++;
  }
  return message;
}

/**
 * plumb_odbc_take_fault:
 * @kind: what @handle is
 *
 * In the connection's thread: keeps what the driver says of the call that failed.
 *
 * Returns: %FALSE
 */
gboolean
plumb_odbc_take_fault (PlumbOdbcConnection *self, SQLSMALLINT kind, SQLHANDLE handle)
{
  g_autoptr (GString) text = g_string_new (NULL);
  SQLWCHAR state[6] = { 0 };
  SQLWCHAR message[2048] = { 0 };
  SQLSMALLINT length = 0;
  SQLINTEGER native = 0;

  self->fault.state[0] = '\0';
  self->fault.native = 0;
  for (SQLSMALLINT i = 1;
       i <= MOST_RECORDS && SQL_SUCCEEDED (SQLGetDiagRecW (kind, handle, i, state, &native, message,
                                                           G_N_ELEMENTS (message), &length));
       i++) {
    g_autofree char *said = plumb_odbc_from_wide (
      message, CLAMP (length, 0, (int) G_N_ELEMENTS (message) - 1));
    const char *plain = skip_prefixes (g_strchomp (said));

    if (i == 1) {
      g_autofree char *first = plumb_odbc_from_wide (state, 5);

      g_strlcpy (self->fault.state, first, sizeof self->fault.state);
      self->fault.native = native;
    }
    if (strstr (text->str, plain) == NULL)
      g_string_append_printf (text, "%s%s", text->len > 0 ? " " : "", plain);
  }
  g_free (self->fault.message);
  self->fault.message = g_string_free (g_steal_pointer (&text), FALSE);
  return FALSE;
}

static void
set_stopped_error (PlumbOdbcConnection *self, GError **error)
{
  gboolean cancelled = self->stop == PLUMB_ODBC_CANCELLED;

  if (self->abandoned && self->connected)
    g_set_error_literal (
      error, PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_LOST,
      "The driver was told to stop the statement, and does not come back. It may still be running "
      "at the server until its time budget ends. Tell who runs the server if it has to go.");
  else if (cancelled)
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "Operation was cancelled");
  else if (!self->connected)
    g_set_error_literal (error, PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_CONNECT,
                         "The server did not answer in time. Check the address, and that it is "
                         "running.");
  else
    g_set_error_literal (error, PLUMB_ERROR, PLUMB_ERROR_TIMED_OUT,
                         "The statement was stopped at the end of its time budget. Narrow it down, "
                         "or allow it more time.");
}

/* No such data source, or its driver can't be loaded: what there is, and what to do. */
static void
set_missing_error (PlumbOdbcConnection *self, GError **error)
{
  g_auto (GStrv) drivers = plumb_odbc_list_drivers ();
  g_auto (GStrv) sources = plumb_odbc_list_data_sources ();
  g_autofree char *driver_list = g_strjoinv (", ", drivers);
  g_autofree char *source_list = g_strjoinv (", ", sources);

  if (drivers[0] == NULL)
    g_set_error (error, PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_ADDRESS,
                 "No ODBC driver is installed here. Install the one of the database's maker, and "
                 "name it in odbcinst.ini. (The driver manager says: %s)",
                 self->fault.message);
  else
    g_set_error (error, PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_ADDRESS,
                 "The data source or driver in the address isn't here. Data sources: %s. Drivers: "
                 "%s. Write odbc:DSN=… or odbc:DRIVER={…};… with one of them, or install what is "
                 "missing. (The driver manager says: %s)",
                 sources[0] != NULL ? source_list : "none", driver_list, self->fault.message);
}

static gboolean
is_missing (const PlumbOdbcFault *fault)
{
  return strcmp (fault->state, "IM002") == 0 || strcmp (fault->state, "IM003") == 0 ||
         strstr (fault->message, "Can't open lib") != NULL;
}

static gboolean
is_timeout (PlumbOdbcConnection *self)
{
  return self->connected && (strcmp (self->fault.state, "HYT00") == 0 ||
                             strcmp (self->fault.state, "57014") == 0 ||
                             strstr (self->fault.message, "statement timeout") != NULL);
}

static void
judge (PlumbOdbcConnection *self, PlumbSourceError *kind, const char **advice)
{
  const PlumbOdbcFault *fault = &self->fault;

  for (guint i = 0; i < G_N_ELEMENTS (known_faults); i++) {
    gboolean is_oracle = g_str_has_prefix (known_faults[i].word, "ORA-");
    gboolean by_number = known_faults[i].native != 0 && known_faults[i].native == fault->native &&
                         self->engine == (is_oracle ? PLUMB_ODBC_ORACLE : PLUMB_ODBC_SQLSERVER);

    if (by_number || strstr (fault->message, known_faults[i].word) != NULL) {
      *kind = known_faults[i].kind;
      *advice = known_faults[i].advice;
      return;
    }
  }
  for (guint i = 0; i < G_N_ELEMENTS (known_states); i++) {
    if (g_str_has_prefix (fault->state, known_states[i].state)) {
      *kind = known_states[i].kind;
      *advice = known_states[i].advice;
      return;
    }
  }
}

/** plumb_odbc_set_error: Returns: %FALSE, with what just went wrong, and what to do */
gboolean
plumb_odbc_set_error (PlumbOdbcConnection *self, GError **error)
{
  PlumbSourceError kind = self->connected ? PLUMB_SOURCE_ERROR_STATEMENT
                                          : PLUMB_SOURCE_ERROR_CONNECT;
  const char *advice = NULL;
  const char *said;

  if (self->abandoned || self->stop != PLUMB_ODBC_GOES_ON) {
    set_stopped_error (self, error);
    return FALSE;
  }
  if (self->fault.message == NULL)
    self->fault.message = g_strdup ("");
  said = *self->fault.message != '\0' ? self->fault.message : "no reason given";
  if (is_missing (&self->fault)) {
    set_missing_error (self, error);
    return FALSE;
  }
  if (is_timeout (self)) {
    g_set_error (error, PLUMB_ERROR, PLUMB_ERROR_TIMED_OUT,
                 "The server stopped the statement at the end of its time budget. Narrow it down, "
                 "or allow it more time. (The driver says: %s)",
                 said);
    return FALSE;
  }
  judge (self, &kind, &advice);
  if (kind == PLUMB_SOURCE_ERROR_LOST && !self->connected) {
    kind = PLUMB_SOURCE_ERROR_CONNECT;
    advice = NOT_REACHED;
  }
  if (advice != NULL)
    g_set_error (error, PLUMB_SOURCE_ERROR, kind, "%s (The driver says: %s)", advice, said);
  else
    g_set_error (error, PLUMB_SOURCE_ERROR, kind, "The driver says: %s", said);
  return FALSE;
}
