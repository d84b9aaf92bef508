/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-mariadb-private.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>

/* How often the server is told to end a statement, and when the connection is ended instead. A KILL
 * that comes in the moment at which a statement begins is lost. */
#define KILL_EVERY (250 * G_TIME_SPAN_MILLISECOND)
#define STOP_PATIENCE (1 * G_TIME_SPAN_SECOND)
/* How long telling it, and asking whether it has, may take; and how long an idle connection, which
 * may be dead, may take of that. */
#define ASK_PATIENCE (2 * G_TIME_SPAN_SECOND)
#define IDLE_PATIENCE (400 * G_TIME_SPAN_MILLISECOND)
#define ASK_EVERY_US (50 * 1000)
/* How long beginning a transaction may take before the connection is given up: it makes the server
 * do nothing. */
#define BEGIN_PATIENCE (5 * G_TIME_SPAN_SECOND)

/* What the library says of itself has numbers from here on, up to 2999 (CR_MIN_ERROR); the rest is
 * the server's answer. */
#define FIRST_LIBRARY_ERROR 2000
#define LAST_LIBRARY_ERROR 2999

static gboolean
is_gone (PlumbMariadbConnection *other, gulong thread)
{
  g_autofree char *sql = g_strdup_printf (
    "SELECT 1 FROM information_schema.PROCESSLIST WHERE ID = %lu AND COMMAND <> 'Sleep'", thread);
  g_autoptr (PlumbMariadbResult) result = plumb_mariadb_ask (other, sql, NULL);

  return result != NULL && mysql_num_rows (result) == 0;
}

static void
make_helper (PlumbMariadbConnection *other, gint64 deadline)
{
  other->is_helper = TRUE;
  other->cancellable = NULL;
  other->stop = PLUMB_MARIADB_GOES_ON;
  other->give_up_at = 0;
  other->deadline = deadline;
}

/* Whether the server answered, were it that there is nothing to kill. */
static gboolean
is_answered (PlumbMariadbConnection *other, const char *sql)
{
  guint number;

  if (plumb_mariadb_execute (other, sql, NULL))
    return TRUE;
  number = mysql_errno (other->mysql);
  return !other->broken && (number < FIRST_LIBRARY_ERROR || number > LAST_LIBRARY_ERROR);
}

/* Tells the server something from another connection, which is kept to tell it more: one that is
 * open and idle, since making one takes its time and a server may have none left, else a new one. */
static gboolean
tell_from_outside (PlumbMariadbConnection *self, const char *sql, gint64 deadline)
{
  if (self->helper == NULL)
    self->helper = plumb_mariadb_source_take_idle (self->source);
  if (self->helper != NULL) {
    make_helper (self->helper, MIN (deadline, g_get_monotonic_time () + IDLE_PATIENCE));
    if (is_answered (self->helper, sql))
      return TRUE;
    g_clear_pointer (&self->helper, plumb_mariadb_connection_free);
  }
  self->helper = plumb_mariadb_connection_open (self->source, deadline, NULL, NULL);
  if (self->helper == NULL)
    return FALSE;
  make_helper (self->helper, deadline);
  return is_answered (self->helper, sql);
}

/* Ends the whole connection, and asks until its statement is gone. */
static gboolean
kill_connection (PlumbMariadbConnection *self)
{
  gint64 deadline = g_get_monotonic_time () + ASK_PATIENCE;
  g_autofree char *sql = g_strdup_printf ("KILL CONNECTION %lu", self->thread);
  gboolean gone = FALSE;

  if (!tell_from_outside (self, sql, deadline))
    return FALSE;
  self->helper->deadline = deadline;
  while (!gone && !self->helper->broken && g_get_monotonic_time () < deadline) {
    gone = is_gone (self->helper, self->thread);
    if (!gone)
      g_usleep (ASK_EVERY_US);
  }
  return gone;
}

static void
kill_query (PlumbMariadbConnection *self)
{
  g_autofree char *sql = g_strdup_printf ("KILL QUERY %lu", self->thread);

  tell_from_outside (self, sql, self->give_up_at);
  self->kill_again_at = g_get_monotonic_time () + KILL_EVERY;
}

/**
 * plumb_mariadb_stop:
 *
 * Tells the server to end the statement that runs on @self. The call that waits for it then ends by
 * itself, with the server's word that it has ended; while it doesn't, the server is told again.
 */
void
plumb_mariadb_stop (PlumbMariadbConnection *self)
{
  self->confirmed = TRUE;
  self->give_up_at = g_get_monotonic_time () + STOP_PATIENCE;
  kill_query (self);
}

/**
 * plumb_mariadb_end_orphans:
 * @self: a connection that has just been made
 *
 * The server doesn't notice that a program was killed: its statement runs on, to the end of its
 * time budget. What a program of this computer left behind is ended here, as far as the account may.
 */
void
plumb_mariadb_end_orphans (PlumbMariadbConnection *self)
{
  g_autoptr (PlumbMariadbResult) result = plumb_mariadb_ask (
    self,
    "SELECT ID, SUBSTRING(INFO, " G_STRINGIFY (PLUMB_MARIADB_MARK_AT) ", 100) FROM "
    "information_schema.PROCESSLIST WHERE USER = SUBSTRING_INDEX(USER(), '@', 1) AND ID <> "
    "CONNECTION_ID() AND INFO LIKE '" PLUMB_MARIADB_MARK_PREFIX "%'",
    NULL);
  MYSQL_ROW row;

  while (result != NULL && (row = mysql_fetch_row (result)) != NULL) {
    g_autofree char *sql = g_strdup_printf ("KILL QUERY %s", row[0]);

    if (row[1] != NULL && plumb_source_mark_is_orphan (row[1]))
      plumb_mariadb_execute (self, sql, NULL);
  }
}

/* The server didn't end it: the connection goes, and whether the statement went too is asked. */
static void
break_off (PlumbMariadbConnection *self)
{
  if (self->broken)
    return;
  self->broken = TRUE;
  self->confirmed = self->is_beginning ||
                    (!self->is_helper && kill_connection (self));
  shutdown (mysql_get_socket (self->mysql), SHUT_RDWR);
}

static void
react (PlumbMariadbConnection *self)
{
  if (self->is_helper || self->is_beginning) {
    break_off (self);
  } else if (self->give_up_at == 0) {
    self->stop = g_cancellable_is_cancelled (self->cancellable) ? PLUMB_MARIADB_CANCELLED
                                                                : PLUMB_MARIADB_OUT_OF_TIME;
    plumb_mariadb_stop (self);
  } else if (g_get_monotonic_time () < self->give_up_at) {
    kill_query (self);
  } else {
    break_off (self);
  }
}

/* When the running call has to do something about its end, 0 for never. */
static gint64
get_due (PlumbMariadbConnection *self)
{
  return self->give_up_at != 0 ? MIN (self->kill_again_at, self->give_up_at) : self->deadline;
}

/**
 * plumb_mariadb_look:
 *
 * Stops the running call where it is time to. Waiting does the same; this is for rows that arrive
 * faster than they are read, so that nothing ever waits.
 */
void
plumb_mariadb_look (PlumbMariadbConnection *self)
{
  gint64 due = get_due (self);

  if (self->broken)
    return;
  if ((self->give_up_at == 0 && g_cancellable_is_cancelled (self->cancellable)) ||
      (due != 0 && g_get_monotonic_time () >= due))
    react (self);
}

/**
 * plumb_mariadb_await:
 * @status: what the library waits for
 *
 * Waits for the library. When the call has to stop, the server is told, and the wait goes on until
 * the library has seen the call end.
 *
 * Returns: what has come, for the library's …_cont
 */
int
plumb_mariadb_await (PlumbMariadbConnection *self, int status)
{
  gboolean for_writing = (status & MYSQL_WAIT_WRITE) != 0;

  for (;;) {
    gboolean stopping = self->give_up_at != 0;

    if (plumb_source_wait (mysql_get_socket (self->mysql), for_writing, get_due (self),
                           stopping ? NULL : self->cancellable, NULL) ||
        self->broken)
      return status & (MYSQL_WAIT_READ | MYSQL_WAIT_WRITE);
    /* Nothing runs yet: connecting is just given up. */
    if (!self->connected)
      return MYSQL_WAIT_TIMEOUT;
    react (self);
  }
}

static int
send_query (PlumbMariadbConnection *self, const char *sql)
{
  int failed = 0;
  int status = mysql_real_query_start (&failed, self->mysql, sql, strlen (sql));

  while (status != 0)
    status = mysql_real_query_cont (&failed, self->mysql, plumb_mariadb_await (self, status));
  return failed;
}

/** plumb_mariadb_execute: runs a statement that gives no rows. Returns: whether it went well */
gboolean
plumb_mariadb_execute (PlumbMariadbConnection *self, const char *sql, GError **error)
{
  return send_query (self, sql) == 0 || plumb_mariadb_set_error (self, error);
}

/** plumb_mariadb_ask: runs a statement of Plumbline's own. Returns: (transfer full): all its rows;
 *   %NULL with an error */
MYSQL_RES *
plumb_mariadb_ask (PlumbMariadbConnection *self, const char *sql, GError **error)
{
  MYSQL_RES *result = NULL;
  int status;

  if (send_query (self, sql) != 0) {
    plumb_mariadb_set_error (self, error);
    return NULL;
  }
  status = mysql_store_result_start (&result, self->mysql);
  while (status != 0)
    status = mysql_store_result_cont (&result, self->mysql, plumb_mariadb_await (self, status));
  if (result == NULL)
    plumb_mariadb_set_error (self, error);
  return result;
}

static void
prepare_to_begin (PlumbMariadbConnection *self, GCancellable *cancellable)
{
  self->cancellable = cancellable;
  self->deadline = g_get_monotonic_time () + BEGIN_PATIENCE;
  self->stop = PLUMB_MARIADB_GOES_ON;
  self->give_up_at = 0;
  self->confirmed = TRUE;
  self->is_beginning = TRUE;
}

/**
 * plumb_mariadb_begin:
 * @timeout_ms: time budget of what follows, 0 for what Plumbline asks for itself
 * @cancellable: (nullable): what stops it
 *
 * Makes the session and then a transaction read-only: DDL ends a transaction by an implicit commit,
 * and only the session's setting stops it then.
 *
 * Returns: whether it began; %FALSE with PLUMB_SOURCE_ERROR_LOST where the server doesn't answer
 */
gboolean
plumb_mariadb_begin (PlumbMariadbConnection *self, gint64 timeout_ms, GCancellable *cancellable,
                     GError **error)
{
  g_autofree char *settings = plumb_mariadb_format_settings (
    mysql_get_server_info (self->mysql), timeout_ms > 0 ? timeout_ms : PLUMB_SOURCE_OWN_BUDGET_MS);
  gboolean good;

  prepare_to_begin (self, cancellable);
  good = plumb_mariadb_execute (self, settings, error) &&
         plumb_mariadb_execute (self, "SET SESSION TRANSACTION READ ONLY", error) &&
         plumb_mariadb_execute (self, "START TRANSACTION READ ONLY", error);
  self->is_beginning = FALSE;
  self->deadline = 0;
  return good;
}

/* Whether the counter is of statements that change what a name stands for, or who may see it. */
static gboolean
counts_changes (const char *name)
{
  static const char *const prefixes[] = {
    "Com_alter", "Com_create", "Com_drop",    "Com_flush", "Com_grant",
    "Com_install", "Com_rename", "Com_revoke", "Com_set_role", "Com_uninstall",
  };

  for (guint i = 0; i < G_N_ELEMENTS (prefixes); i++) {
    if (g_str_has_prefix (name, prefixes[i]))
      return TRUE;
  }
  return FALSE;
}

/**
 * plumb_mariadb_read_generation:
 * @cancellable: (nullable): what stops it
 *
 * Every account may read how many statements of each kind the server has been given since it
 * started (server status variables of both manuals). While the counts of those that define
 * something, or grant it, are the same, the catalog is. Nothing is begun, and no table is read.
 *
 * Returns: (transfer full): these counts; %NULL with an error
 */
char *
plumb_mariadb_read_generation (PlumbMariadbConnection *self, GCancellable *cancellable,
                               GError **error)
{
  g_autoptr (PlumbMariadbResult) result = NULL;
  g_autoptr (GString) generation = NULL;
  MYSQL_ROW row;

  prepare_to_begin (self, cancellable);
  result = plumb_mariadb_ask (self, "SHOW GLOBAL STATUS LIKE 'Com%'", error);
  self->is_beginning = FALSE;
  self->deadline = 0;
  if (result == NULL)
    return NULL;
  generation = g_string_new (NULL);
  while ((row = mysql_fetch_row (result)) != NULL) {
    if (counts_changes (row[0]))
      g_string_append_printf (generation, "%s ", row[1]);
  }
  return g_string_free (g_steal_pointer (&generation), FALSE);
}

/** plumb_mariadb_end: ends the transaction, always by ROLLBACK, and forgets the session's state.
 *   Returns: whether the connection can be used again */
gboolean
plumb_mariadb_end (PlumbMariadbConnection *self)
{
  int failed = 0;
  int status;

  plumb_mariadb_source_give_back (self->source, g_steal_pointer (&self->helper));
  self->cancellable = NULL;
  self->give_up_at = 0;
  self->deadline = g_get_monotonic_time () + ASK_PATIENCE;
  if (self->broken || !plumb_mariadb_execute (self, "ROLLBACK", NULL))
    return FALSE;
  status = mysql_reset_connection_start (&failed, self->mysql);
  while (status != 0)
    status = mysql_reset_connection_cont (&failed, self->mysql, plumb_mariadb_await (self, status));
  return failed == 0;
}
