/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-odbc-private.h"

/* The driver is told again, since what it is told before it has begun is lost. */
#define CANCEL_EVERY (200 * G_TIME_SPAN_MILLISECOND)
/* When another session ends the statement, where one can, and when that session's connection. */
#define END_STATEMENT_AFTER (500 * G_TIME_SPAN_MILLISECOND)
#define END_SESSION_AFTER (1100 * G_TIME_SPAN_MILLISECOND)
/* When the driver's call is left behind. */
#define GIVE_UP_AFTER (2500 * G_TIME_SPAN_MILLISECOND)
/* How long another session may take to be there and to end a statement. */
#define HELPER_PATIENCE (2 * G_TIME_SPAN_SECOND)
/* How long closing a connection is waited for. */
#define CLOSE_PATIENCE (2 * G_TIME_SPAN_SECOND)

static void
clear (PlumbOdbcConnection *self)
{
  g_free (self->dbms);
  g_free (self->version);
  g_free (self->driver);
  g_free (self->account);
  g_free (self->catalog);
  g_free (self->process);
  g_free (self->text);
  for (guint i = 0; i < G_N_ELEMENTS (self->arguments); i++)
    g_free (self->arguments[i]);
  g_clear_pointer (&self->columns, g_ptr_array_unref);
  g_array_unref (self->c_types);
  g_array_unref (self->cells);
  g_string_free (self->bytes, TRUE);
  g_string_free (self->wide, TRUE);
  g_free (self->fault.message);
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->changed);
}

static void
release (PlumbOdbcConnection *self)
{
  g_atomic_rc_box_release_full (self, (GDestroyNotify) clear);
}

static void
close_handles (PlumbOdbcConnection *self)
{
  if (self->statement != NULL)
    SQLFreeHandle (SQL_HANDLE_STMT, self->statement);
  if (self->connected) {
    SQLEndTran (SQL_HANDLE_DBC, self->dbc, SQL_ROLLBACK);
    SQLDisconnect (self->dbc);
  }
  if (self->dbc != NULL)
    SQLFreeHandle (SQL_HANDLE_DBC, self->dbc);
  if (self->environment != NULL)
    SQLFreeHandle (SQL_HANDLE_ENV, self->environment);
}

/* The connection's thread: does what it is given, until it is told to quit. */
static gpointer
work_off (gpointer data)
{
  PlumbOdbcConnection *self = data;

  g_mutex_lock (&self->lock);
  while (!self->quit) {
    PlumbOdbcWork work = self->work;
    gboolean good;

    if (work == NULL) {
      g_cond_wait (&self->changed, &self->lock);
      continue;
    }
    g_mutex_unlock (&self->lock);
    good = work (self);
    g_mutex_lock (&self->lock);
    self->good = good;
    self->work = NULL;
    g_cond_broadcast (&self->changed);
  }
  while (self->cancelling)
    g_cond_wait (&self->changed, &self->lock);
  g_mutex_unlock (&self->lock);
  close_handles (self);
  g_mutex_lock (&self->lock);
  self->ended = TRUE;
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->lock);
  release (self);
  return NULL;
}

/** plumb_odbc_connection_new: Returns: (transfer full): a connection that isn't connected yet, with
 *   its thread */
PlumbOdbcConnection *
plumb_odbc_connection_new (PlumbSource *source)
{
  PlumbOdbcConnection *self = g_atomic_rc_box_new0 (PlumbOdbcConnection);

  self->source = source;
  self->c_types = g_array_new (FALSE, FALSE, sizeof (gint16));
  self->cells = g_array_new (FALSE, FALSE, sizeof (PlumbOdbcCell));
  self->bytes = g_string_new (NULL);
  self->wide = g_string_new (NULL);
  g_mutex_init (&self->lock);
  g_cond_init (&self->changed);
  g_thread_unref (g_thread_new ("plumb-odbc", work_off, g_atomic_rc_box_acquire (self)));
  return self;
}

/** plumb_odbc_connection_free: closes @self. A thread that its driver doesn't let go closes it when
 *   it does */
void
plumb_odbc_connection_free (PlumbOdbcConnection *self)
{
  gint64 deadline = g_get_monotonic_time () + CLOSE_PATIENCE;

  if (self == NULL)
    return;
  g_mutex_lock (&self->lock);
  self->quit = TRUE;
  g_cond_broadcast (&self->changed);
  while (!self->ended && !self->abandoned &&
         g_cond_wait_until (&self->changed, &self->lock, deadline))
    continue;
  g_mutex_unlock (&self->lock);
  release (self);
}

/* A thread of its own, since a driver manager that guards its drivers (Threading = 3) makes this
 * wait for the very call that it is to stop. */
static gpointer
cancel_once (gpointer data)
{
  PlumbOdbcConnection *self = data;

  SQLCancel (self->statement);
  g_mutex_lock (&self->lock);
  self->cancelling = FALSE;
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->lock);
  release (self);
  return NULL;
}

static void
tell_driver (PlumbOdbcConnection *self)
{
  if (self->cancelling || self->statement == NULL)
    return;
  self->cancelling = TRUE;
  g_thread_unref (g_thread_new ("plumb-odbc-cancel", cancel_once, g_atomic_rc_box_acquire (self)));
}

/* Ends the statement, or the session, from another one; only PostgreSQL lets everyone do that with
 * sessions of their own. Called without the lock. */
static void
end_from_outside (PlumbOdbcConnection *self, const char *function)
{
  gint64 deadline = g_get_monotonic_time () + HELPER_PATIENCE;
  g_autoptr (PlumbOdbcConnection) other = NULL;
  g_autofree char *sql = NULL;

  if (self->is_helper || self->process == NULL)
    return;
  other = plumb_odbc_connection_open (self->source, deadline, NULL, NULL);
  if (other == NULL)
    return;
  other->is_helper = TRUE;
  other->deadline = deadline;
  sql = g_strdup_printf ("SELECT %s(%s)", function, self->process);
  plumb_odbc_execute (other, sql, NULL);
}

static void
unlocked_end (PlumbOdbcConnection *self, const char *function)
{
  g_mutex_unlock (&self->lock);
  end_from_outside (self, function);
  g_mutex_lock (&self->lock);
}

/* One call that works, and how far its stopping has come. */
typedef struct {
  gint64 stopped_at;
  gint64 next_cancel;
  guint n_ended;
} Stopping;

static void
begin_to_stop (PlumbOdbcConnection *self, Stopping *stopping, gint64 now)
{
  if (self->stop == PLUMB_ODBC_GOES_ON)
    self->stop = g_cancellable_is_cancelled (self->cancellable) ? PLUMB_ODBC_CANCELLED
                                                                : PLUMB_ODBC_OUT_OF_TIME;
  stopping->stopped_at = now;
  /* Nothing runs at a server yet, and no driver can stop connecting. */
  self->abandoned = !self->connected || self->is_helper;
}

static void
go_on_stopping (PlumbOdbcConnection *self, Stopping *stopping, gint64 now)
{
  gint64 since = now - stopping->stopped_at;

  if (now >= stopping->next_cancel) {
    stopping->next_cancel = now + CANCEL_EVERY;
    tell_driver (self);
  }
  if (since >= GIVE_UP_AFTER) {
    self->abandoned = TRUE;
  } else if (since >= END_SESSION_AFTER && stopping->n_ended == 1) {
    stopping->n_ended = 2;
    unlocked_end (self, "pg_catalog.pg_terminate_backend");
  } else if (since >= END_STATEMENT_AFTER && stopping->n_ended == 0) {
    stopping->n_ended = 1;
    unlocked_end (self, "pg_catalog.pg_cancel_backend");
  }
}

/* Waits a while, or does what is due to stop the call. */
static void
wait_or_stop (PlumbOdbcConnection *self, Stopping *stopping)
{
  gint64 now = g_get_monotonic_time ();

  if (stopping->stopped_at != 0) {
    go_on_stopping (self, stopping, now);
    if (!self->abandoned && self->work != NULL)
      g_cond_wait_until (&self->changed, &self->lock, now + CANCEL_EVERY / 4);
  } else if (g_cancellable_is_cancelled (self->cancellable) ||
             (self->deadline != 0 && now >= self->deadline)) {
    begin_to_stop (self, stopping, now);
  } else if (self->deadline != 0) {
    g_cond_wait_until (&self->changed, &self->lock, self->deadline);
  } else {
    g_cond_wait (&self->changed, &self->lock);
  }
}

static void
wake (GCancellable *cancellable, PlumbOdbcConnection *self)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);

  g_cond_broadcast (&self->changed);
}

/**
 * plumb_odbc_call:
 * @work: what the connection's thread is to do
 *
 * Has it done, and waits for it. When the call has to stop, the driver is told, then the server
 * where another session can; where neither helps, the thread is left behind and the connection
 * can't be used any more.
 *
 * Returns: whether it went well
 */
gboolean
plumb_odbc_call (PlumbOdbcConnection *self, PlumbOdbcWork work, GError **error)
{
  Stopping stopping = { 0, 0, 0 };
  gulong handler = 0;
  gboolean good;

  if (self->cancellable != NULL)
    handler = g_cancellable_connect (self->cancellable, G_CALLBACK (wake), self, NULL);
  g_mutex_lock (&self->lock);
  if (!self->abandoned) {
    self->work = work;
    g_cond_broadcast (&self->changed);
  }
  while (self->work != NULL && !self->abandoned)
    wait_or_stop (self, &stopping);
  good = !self->abandoned && self->good && self->stop == PLUMB_ODBC_GOES_ON;
  g_mutex_unlock (&self->lock);
  g_cancellable_disconnect (self->cancellable, handler);
  return good || plumb_odbc_set_error (self, error);
}
