/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-postgres-private.h"

/* How often the server is asked to stop a statement: a request that comes before it has begun is
 * lost. */
#define CANCEL_EVERY (300 * G_TIME_SPAN_MILLISECOND)
/* How long beginning or ending a transaction may take before the connection is given up instead:
 * neither makes the server work. A connection that was idle is the likeliest to be dead. */
#define BEGIN_PATIENCE (15 * G_TIME_SPAN_SECOND)
#define BEGIN_IDLE_PATIENCE (5 * G_TIME_SPAN_SECOND)
#define END_PATIENCE (5 * G_TIME_SPAN_SECOND)
/* Rows that the sink doesn't want any more are read away while they are at hand; then the server is
 * asked to stop. */
#define STOP_PATIENCE (2 * G_TIME_SPAN_SECOND)

/**
 * plumb_postgres_next_result:
 * @deadline: monotonic time, 0 for none
 *
 * Returns: (transfer full) (nullable): the next result of what was sent; %NULL at its end, and
 * %NULL with an error where the connection is lost or the wait was ended
 */
PGresult *
plumb_postgres_next_result (PGconn *pg, gint64 deadline, GCancellable *cancellable, GError **error)
{
  int unsent = PQflush (pg);

  while (unsent > 0 || PQisBusy (pg)) {
    if (!plumb_source_wait (PQsocket (pg), unsent > 0, deadline, cancellable, error))
      return NULL;
    if (!PQconsumeInput (pg)) {
      plumb_postgres_set_lost_error (pg, error);
      return NULL;
    }
    if (unsent > 0)
      unsent = PQflush (pg);
  }
  return PQgetResult (pg);
}

/**
 * plumb_postgres_next_copied:
 * @deadline: monotonic time, 0 for none
 * @row: (out): a row, freed by PQfreemem()
 *
 * Returns: bytes in the next row of the COPY that is running; -1 at its end, which a result
 *   follows; -2 with an error where the connection is lost or the wait was ended
 */
int
plumb_postgres_next_copied (PGconn *pg, gint64 deadline, char **row, GCancellable *cancellable,
                            GError **error)
{
  int length;

  while ((length = PQgetCopyData (pg, row, TRUE)) == 0) {
    if (!plumb_source_wait (PQsocket (pg), FALSE, deadline, cancellable, error))
      return -2;
    if (!PQconsumeInput (pg)) {
      plumb_postgres_set_lost_error (pg, error);
      return -2;
    }
  }
  if (length < -1)
    plumb_postgres_set_lost_error (pg, error);
  return length;
}

/* A failed result is an error of the statement, unless the connection went with it. */
static gboolean
check_result (PGconn *pg, const PGresult *result, GError **error)
{
  ExecStatusType status = PQresultStatus (result);

  if (status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK || status == PGRES_SINGLE_TUPLE ||
      status == PGRES_EMPTY_QUERY)
    return TRUE;
  if (PQstatus (pg) == CONNECTION_BAD)
    return plumb_postgres_set_lost_error (pg, error);
  return plumb_postgres_set_result_error (result, error);
}

/* Reads all results of what was sent, and gives the last one back. @cell gets the first value that
 * one of them has. */
static PGresult *
read_all (PGconn *pg, gint64 deadline, char **cell, GCancellable *cancellable, GError **error)
{
  g_autoptr (PGresult) last = NULL;
  g_autoptr (GError) first_error = NULL;
  PGresult *result;
  GError *inner = NULL;

  while ((result = plumb_postgres_next_result (pg, deadline, cancellable, &inner)) != NULL) {
    check_result (pg, result, first_error == NULL ? &first_error : NULL);
    if (cell != NULL && *cell == NULL && PQntuples (result) > 0 && PQnfields (result) > 0)
      *cell = g_strdup (PQgetvalue (result, 0, 0));
    g_clear_pointer (&last, PQclear);
    last = result;
  }
  if (inner != NULL) {
    g_propagate_error (error, inner);
    return NULL;
  }
  if (first_error != NULL) {
    g_propagate_error (error, g_steal_pointer (&first_error));
    return NULL;
  }
  return g_steal_pointer (&last);
}

static gboolean
execute_within (PGconn *pg, const char *sql, gint64 deadline, char **cell,
                GCancellable *cancellable, GError **error)
{
  g_autoptr (PGresult) result = NULL;

  if (!PQsendQuery (pg, sql))
    return plumb_postgres_set_lost_error (pg, error);
  result = read_all (pg, deadline, cell, cancellable, error);
  return result != NULL;
}

/** plumb_postgres_execute: runs Plumbline's own statements, several at once. Returns: whether all
 * went well */
gboolean
plumb_postgres_execute (PGconn *pg, const char *sql, GCancellable *cancellable, GError **error)
{
  return execute_within (pg, sql, 0, NULL, cancellable, error);
}

/** plumb_postgres_ask: runs one statement of Plumbline's own. Returns: (transfer full): all its
 * rows; %NULL with an error */
PGresult *
plumb_postgres_ask (PGconn *pg, const char *sql, int n_values, const char *const *values,
                    GCancellable *cancellable, GError **error)
{
  if (!PQsendQueryParams (pg, sql, n_values, NULL, values, NULL, NULL, 0)) {
    plumb_postgres_set_lost_error (pg, error);
    return NULL;
  }
  return read_all (pg, 0, NULL, cancellable, error);
}

/* PQcancel blocks for as long as the network likes, so a thread of its own waits for it. */
typedef struct {
  PGcancel *cancel;
  GMutex lock;
  GCond done_changed;
  gboolean done;
} CancelRequest;

static void
cancel_request_clear (CancelRequest *self)
{
  PQfreeCancel (self->cancel);
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->done_changed);
}

static void
cancel_request_release (CancelRequest *self)
{
  g_atomic_rc_box_release_full (self, (GDestroyNotify) cancel_request_clear);
}

static gpointer
run_cancel (gpointer user_data)
{
  CancelRequest *self = user_data;
  char message[256];

  PQcancel (self->cancel, message, sizeof message);
  g_mutex_lock (&self->lock);
  self->done = TRUE;
  g_cond_signal (&self->done_changed);
  g_mutex_unlock (&self->lock);
  cancel_request_release (self);
  return NULL;
}

static CancelRequest *
cancel_request_send (PGconn *pg)
{
  PGcancel *cancel = PQgetCancel (pg);
  CancelRequest *self;

  if (cancel == NULL)
    return NULL;
  self = g_atomic_rc_box_new0 (CancelRequest);
  self->cancel = cancel;
  g_mutex_init (&self->lock);
  g_cond_init (&self->done_changed);
  g_thread_unref (g_thread_new ("plumb-cancel", run_cancel, g_atomic_rc_box_acquire (self)));
  return self;
}

/* Whether the request got through: one that is still on its way would hit the next statement. */
static gboolean
cancel_request_finish (CancelRequest *self, gint64 deadline)
{
  gboolean done;

  g_mutex_lock (&self->lock);
  while (!self->done && g_cond_wait_until (&self->done_changed, &self->lock, deadline))
    continue;
  done = self->done;
  g_mutex_unlock (&self->lock);
  cancel_request_release (self);
  return done;
}

/**
 * plumb_postgres_stop:
 * @deadline: monotonic time
 *
 * Asks the server to stop the statement of @pg, again and again, and throws away what still comes.
 *
 * Returns: whether the server said before @deadline that it has nothing more to do on @pg
 */
gboolean
plumb_postgres_stop (PGconn *pg, gint64 deadline)
{
  gboolean is_free = FALSE;

  while (!is_free && PQstatus (pg) == CONNECTION_OK && g_get_monotonic_time () < deadline) {
    CancelRequest *request = cancel_request_send (pg);

    if (request == NULL)
      return FALSE;
    is_free = plumb_postgres_drain (pg, MIN (deadline, g_get_monotonic_time () + CANCEL_EVERY));
    if (!cancel_request_finish (request, deadline))
      return FALSE;
  }
  return is_free;
}

/**
 * plumb_postgres_get_snapshot_question:
 *
 * Returns: (transfer none): asks which transactions have ended. Two answers that are the same see
 *   the same catalog (System Information Functions of PostgreSQL's manual)
 */
const char *
plumb_postgres_get_snapshot_question (PGconn *pg)
{
  return PQserverVersion (pg) >= 130000 ? "SELECT pg_catalog.pg_current_snapshot()"
                                        : "SELECT pg_catalog.txid_current_snapshot()";
}

/**
 * plumb_postgres_begin:
 * @timeout_ms: time budget of the statement that follows, 0 for questions about the catalog: they
 *   have PLUMB_SOURCE_OWN_BUDGET_MS, and the server doesn't compile them, since that takes it seconds
 *   where there are thousands of tables
 *
 * Begins a read-only transaction. SELECT takes its snapshot at once, which @self keeps, since after that nothing can
 * make the transaction writable again. The settings make values arrive the same everywhere, names
 * mean what the check took them for, and let the server notice when we are gone.
 *
 * Returns: whether it began; %FALSE with PLUMB_SOURCE_ERROR_LOST where the server doesn't answer
 */
gboolean
plumb_postgres_begin (PlumbPostgresConnection *self, gint64 timeout_ms, GCancellable *cancellable,
                      GError **error)
{
  int float_digits = PQserverVersion (self->pg) >= 120000 ? 1 : 3;
  const char *encoding = PQparameterStatus (self->pg, "server_encoding");
  gint64 patience = self->was_idle ? BEGIN_IDLE_PATIENCE : BEGIN_PATIENCE;
  g_autoptr (GError) inner = NULL;
  g_autofree char *sql = NULL;

  sql = g_strdup_printf (
    "BEGIN TRANSACTION ISOLATION LEVEL READ COMMITTED READ ONLY;"
    "%s;"
    "SET LOCAL statement_timeout = %" G_GINT64_FORMAT ";"
    "SET LOCAL search_path = pg_catalog%s%s, pg_temp;"
    "SET LOCAL standard_conforming_strings = on;"
    "SET LOCAL DateStyle = ISO;"
    "SET LOCAL IntervalStyle = postgres;"
    "SET LOCAL bytea_output = hex;"
    "SET LOCAL extra_float_digits = %d;%s%s%s",
    plumb_postgres_get_snapshot_question (self->pg), timeout_ms > 0 ? MIN (timeout_ms, G_MAXINT) : PLUMB_SOURCE_OWN_BUDGET_MS, *self->schemas != '\0' ? ", " : "", self->schemas, float_digits,
    self->can_notice_loss ? "SET LOCAL client_connection_check_interval = 1000;" : "",
    timeout_ms == 0 && PQserverVersion (self->pg) >= 110000 ? "SET LOCAL jit = off;" : "",
    /* A database without an encoding holds any bytes, and gives them out only so. */
    g_strcmp0 (encoding, "SQL_ASCII") == 0 ? "SET LOCAL client_encoding = SQL_ASCII" : "");
  g_clear_pointer (&self->snapshot, g_free);
  if (execute_within (self->pg, sql, g_get_monotonic_time () + patience, &self->snapshot,
                      cancellable, &inner))
    return TRUE;
  if (!g_error_matches (inner, PLUMB_ERROR, PLUMB_ERROR_TIMED_OUT))
    g_propagate_error (error, g_steal_pointer (&inner));
  else
    g_set_error_literal (error, PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_LOST,
                         "The server does not answer on this connection any more. Check the network "
                         "to it; the next question connects again.");
  return FALSE;
}

/* Reads the results of a pipeline up to its @n_syncs-th synchronisation. Gives the last result that
 * describes rows, where one does. */
static gboolean
read_pipeline (PGconn *pg, guint n_syncs, gint64 deadline, PGresult **description,
               GCancellable *cancellable, GError **error)
{
  g_autoptr (GError) first_error = NULL;
  GError *inner = NULL;

  while (n_syncs > 0) {
    g_autoptr (PGresult) result = plumb_postgres_next_result (pg, deadline, cancellable, &inner);

    if (inner != NULL) {
      g_propagate_error (error, inner);
      return FALSE;
    }
    if (result == NULL)
      continue;
    if (PQresultStatus (result) == PGRES_PIPELINE_SYNC) {
      n_syncs--;
    } else if (PQresultStatus (result) != PGRES_PIPELINE_ABORTED) {
      check_result (pg, result, first_error == NULL ? &first_error : NULL);
      if (PQstatus (pg) != CONNECTION_OK)
        break;
      if (description != NULL && PQnfields (result) > 0)
        *description = g_steal_pointer (&result);
    }
  }
  if (PQstatus (pg) == CONNECTION_OK)
    PQexitPipelineMode (pg);
  if (first_error == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&first_error));
  return FALSE;
}

static gboolean
drain_copy (PGconn *pg, gint64 deadline, GError **error)
{
  char *row = NULL;
  int length;

  while ((length = plumb_postgres_next_copied (pg, deadline, &row, NULL, error)) > 0)
    PQfreemem (row);
  return length == -1;
}

/** plumb_postgres_drain: throws away what is still coming. Returns: whether the server said before
 *   @deadline that it has nothing more to do on this connection */
gboolean
plumb_postgres_drain (PGconn *pg, gint64 deadline)
{
  g_autoptr (GError) error = NULL;
  PGresult *result;

  if (PQpipelineStatus (pg) != PQ_PIPELINE_OFF)
    read_pipeline (pg, 1, deadline, NULL, NULL, NULL);
  else
    while ((result = plumb_postgres_next_result (pg, deadline, NULL, &error)) != NULL) {
      gboolean copies = PQresultStatus (result) == PGRES_COPY_OUT;

      PQclear (result);
      if (copies && !drain_copy (pg, deadline, &error))
        break;
    }
  return error == NULL && PQstatus (pg) == CONNECTION_OK &&
         PQtransactionStatus (pg) != PQTRANS_ACTIVE && PQpipelineStatus (pg) == PQ_PIPELINE_OFF;
}

/* Throws away the rows that have arrived. Returns whether they were the last ones. */
static gboolean
discard_arrived (PGconn *pg)
{
  char *row;
  int length;

  while (!PQisBusy (pg)) {
    g_autoptr (PGresult) result = PQgetResult (pg);

    if (result == NULL)
      return TRUE;
    if (PQresultStatus (result) != PGRES_COPY_OUT)
      continue;
    while ((length = PQgetCopyData (pg, &row, TRUE)) > 0)
      PQfreemem (row);
    if (length == 0)
      return FALSE;
  }
  return FALSE;
}

/** plumb_postgres_stop_early: ends a statement whose further rows nobody wants. What is at hand is
 *   read first: a result that is nearly at its end needs no second connection to stop it */
void
plumb_postgres_stop_early (PGconn *pg)
{
  if (discard_arrived (pg) || (PQconsumeInput (pg) && discard_arrived (pg)))
    return;
  plumb_postgres_stop (pg, g_get_monotonic_time () + STOP_PATIENCE);
}

/**
 * plumb_postgres_prepare:
 * @sql: one statement; the extended protocol takes no more than one
 *
 * Has the server parse a statement and say which columns it gives. What gives none isn't a query,
 * and is refused here, before anything is run.
 *
 * Returns: (transfer full): a result that has the columns and no rows; %NULL with an error
 */
PGresult *
plumb_postgres_prepare (PGconn *pg, const char *sql, GCancellable *cancellable, GError **error)
{
  g_autoptr (PGresult) description = NULL;

  if (!PQenterPipelineMode (pg) || !PQsendPrepare (pg, "", sql, 0, NULL) ||
      !PQsendDescribePrepared (pg, "") || !PQpipelineSync (pg)) {
    plumb_postgres_set_lost_error (pg, error);
    return NULL;
  }
  if (!read_pipeline (pg, 1, 0, &description, cancellable, error))
    return NULL;
  if (description == NULL)
    g_set_error_literal (error, PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_STATEMENT,
                         "This text is no query: it gives no columns. Write one SELECT.");
  return g_steal_pointer (&description);
}

/** plumb_postgres_end: ends the transaction, always by ROLLBACK, and forgets the session's state.
 *   Returns: whether the connection can be used again */
gboolean
plumb_postgres_end (PlumbPostgresConnection *self)
{
  PGconn *pg = self->pg;

  if (PQstatus (pg) != CONNECTION_OK || PQtransactionStatus (pg) == PQTRANS_ACTIVE ||
      PQpipelineStatus (pg) != PQ_PIPELINE_OFF)
    return FALSE;
  /* Both in one go; DISCARD ALL must stand outside of any transaction, and so behind a sync. */
  if (!PQenterPipelineMode (pg) ||
      !PQsendQueryParams (pg, "ROLLBACK", 0, NULL, NULL, NULL, NULL, 0) || !PQpipelineSync (pg) ||
      !PQsendQueryParams (pg, "DISCARD ALL", 0, NULL, NULL, NULL, NULL, 0) || !PQpipelineSync (pg))
    return FALSE;
  return read_pipeline (pg, 2, g_get_monotonic_time () + END_PATIENCE, NULL, NULL, NULL);
}
