/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-postgres-source.h"

#include "plumb-postgres-check.h"

#include <string.h>

/* Statements of which it is remembered with what they were checked. */
#define MOST_CHECKED 256
/* Connections kept open between statements: as many as statements may run, and one that looks. */
#define MOST_IDLE 5
/* How long the server gets to end a statement after it was first asked to. */
#define STOP_PATIENCE (1 * G_TIME_SPAN_SECOND)
#define TERMINATE_PATIENCE_MS 2000
/* How long an idle connection, which may be dead, gets to tell its snapshot. */
#define SNAPSHOT_PATIENCE_MS 2000

struct _PlumbPostgresSource {
  PlumbSource parent_instance;
  GMutex lock;
  GQueue idle;
  GHashTable *type_names; /* "oid/modifier" → name, for types that aren't built in */
  PlumbPostgresObjects *objects;
  GHashTable *checked; /* statement → the PlumbPostgresObjects that it was checked with */
};

G_DEFINE_FINAL_TYPE (PlumbPostgresSource, plumb_postgres_source, PLUMB_TYPE_SOURCE)

static gboolean
plumb_postgres_source_accept_address (PlumbSource *source, GError **error)
{
  return plumb_postgres_accept_address (plumb_source_get_address (source), error);
}

static PlumbPostgresConnection *
pop_idle (PlumbPostgresSource *self)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);
  PlumbPostgresConnection *connection;

  while ((connection = g_queue_pop_head (&self->idle)) != NULL) {
    if (plumb_postgres_connection_is_alive (connection)) {
      connection->was_idle = TRUE;
      return connection;
    }
    plumb_postgres_connection_free (connection);
  }
  return NULL;
}

/** plumb_postgres_source_begin: Returns: (transfer full): a connection with a read-only transaction
 *   open; %NULL with an error. One from the pool that turns out to be dead is replaced: nothing has
 *   been asked of it yet */
PlumbPostgresConnection *
plumb_postgres_source_begin (PlumbPostgresSource *self, gint64 timeout_ms,
                             GCancellable *cancellable, GError **error)
{
  g_autoptr (PlumbPostgresConnection) connection = NULL;
  g_autoptr (GError) inner = NULL;

  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;
  while ((connection = pop_idle (self)) != NULL) {
    if (plumb_postgres_begin (connection, timeout_ms, cancellable, &inner))
      return g_steal_pointer (&connection);
    if (!g_error_matches (inner, PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_LOST)) {
      g_propagate_error (error, g_steal_pointer (&inner));
      return NULL;
    }
    g_clear_error (&inner);
    g_clear_pointer (&connection, plumb_postgres_connection_free);
  }
  connection = plumb_postgres_connection_open (PLUMB_SOURCE (self), cancellable, error);
  if (connection == NULL || !plumb_postgres_begin (connection, timeout_ms, cancellable, error))
    return NULL;
  return g_steal_pointer (&connection);
}

static void
put_back (PlumbPostgresSource *self, PlumbPostgresConnection *connection, gboolean usable)
{
  g_mutex_lock (&self->lock);
  if (usable && self->idle.length < MOST_IDLE) {
    g_queue_push_head (&self->idle, connection);
    connection = NULL;
  }
  g_mutex_unlock (&self->lock);
  plumb_postgres_connection_free (connection);
}

static void
end (PlumbPostgresSource *self, PlumbPostgresConnection *connection)
{
  gboolean usable = plumb_postgres_end (connection);

  put_back (self, connection, usable);
}

static gboolean
terminate_within (PlumbPostgresSource *self, int process, GCancellable *time_is_up)
{
  g_autofree char *number = g_strdup_printf ("%d", process);
  const char *values[] = { number };
  g_autoptr (PlumbPostgresConnection) other = NULL;
  g_autoptr (PGresult) ended = NULL;
  gboolean gone = FALSE;

  other = plumb_postgres_connection_open (PLUMB_SOURCE (self), time_is_up, NULL);
  if (other == NULL)
    return FALSE;
  ended = plumb_postgres_ask (
    other->pg,
    "SELECT pg_catalog.pg_terminate_backend(pid) FROM pg_catalog.pg_stat_activity "
    "WHERE pid = $1::int AND usename = current_user",
    1, values, time_is_up, NULL);
  while (ended != NULL && !gone && !g_cancellable_is_cancelled (time_is_up)) {
    g_autoptr (PGresult) running = plumb_postgres_ask (
      other->pg, "SELECT 1 FROM pg_catalog.pg_stat_activity WHERE pid = $1::int", 1, values,
      time_is_up, NULL);

    gone = running != NULL && PQntuples (running) == 0;
    if (!gone)
      g_usleep (50 * 1000);
  }
  return gone;
}

/* Ends the server's process of a statement that didn't stop when asked, and waits until it is gone,
 * but not for a server that says nothing at all. */
static gboolean
terminate (PlumbPostgresSource *self, int process)
{
  PlumbWatchdog *watchdog = plumb_watchdog_start (NULL, TERMINATE_PATIENCE_MS);
  gboolean gone = terminate_within (self, process, plumb_watchdog_get_cancellable (watchdog));

  plumb_watchdog_stop (watchdog);
  return gone;
}

/* Stops the statement at the server. The server's word that the connection is free again is the
 * proof that it is gone; without it the process is ended and looked for from another connection. */
static void
stop (PlumbPostgresSource *self, PlumbPostgresConnection *connection, GError **error)
{
  PGconn *pg = connection->pg;

  if (PQstatus (pg) != CONNECTION_OK || PQtransactionStatus (pg) != PQTRANS_ACTIVE)
    return;
  if (plumb_postgres_stop (pg, g_get_monotonic_time () + STOP_PATIENCE) ||
      terminate (self, PQbackendPID (pg)))
    return;
  g_clear_error (error);
  g_set_error (
    error, PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_LOST,
    "The statement was told to stop, and the server does not confirm that it has. It may still be "
    "running there as process %d until its time budget ends. Tell who runs the server if it has to "
    "go.",
    PQbackendPID (pg));
}

/**
 * plumb_postgres_source_finish:
 * @connection: (transfer full): what plumb_postgres_source_begin() gave
 * @good: whether all went well; else a statement may still be running, and is stopped
 * @error: replaced where the server doesn't confirm that it stopped
 */
void
plumb_postgres_source_finish (PlumbPostgresSource *self, PlumbPostgresConnection *connection,
                              gboolean good, GError **error)
{
  if (!good)
    stop (self, connection, error);
  end (self, connection);
}

/** plumb_postgres_source_dup_objects: Returns: (transfer full) (nullable): what was read last */
PlumbPostgresObjects *
plumb_postgres_source_dup_objects (PlumbPostgresSource *self)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);

  return self->objects != NULL ? plumb_postgres_objects_ref (self->objects) : NULL;
}

/**
 * plumb_postgres_source_dup_snapshot:
 *
 * Asks over a connection that is open, without a transaction.
 *
 * Returns: (transfer full) (nullable): the server's snapshot now; %NULL where no connection is idle
 */
char *
plumb_postgres_source_dup_snapshot (PlumbPostgresSource *self, GCancellable *cancellable)
{
  PlumbWatchdog *watchdog = plumb_watchdog_start (cancellable, SNAPSHOT_PATIENCE_MS);
  PlumbPostgresConnection *connection = pop_idle (self);
  g_autoptr (PGresult) result = NULL;
  char *snapshot = NULL;

  if (connection != NULL)
    result = plumb_postgres_ask (connection->pg,
                                 plumb_postgres_get_snapshot_question (connection->pg), 0, NULL,
                                 plumb_watchdog_get_cancellable (watchdog), NULL);
  if (result != NULL)
    snapshot = g_strdup (PQgetvalue (result, 0, 0));
  plumb_watchdog_stop (watchdog);
  put_back (self, connection, snapshot != NULL);
  return snapshot;
}

/** plumb_postgres_source_remember: remembers that the text @sql was let through with @objects */
void
plumb_postgres_source_remember (PlumbPostgresSource *self, const char *sql,
                                PlumbPostgresObjects *objects)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);

  if (g_hash_table_size (self->checked) >= MOST_CHECKED)
    g_hash_table_remove_all (self->checked);
  g_hash_table_replace (self->checked, g_strdup (sql), plumb_postgres_objects_ref (objects));
}

/* What was checked may mean something else by now: somebody has to wait for a free slot, and the
 * person for the model. It is asked in the transaction in which the statement runs. */
static gboolean
still_means_the_same (PlumbPostgresSource *self, PlumbPostgresConnection *connection,
                      const char *sql, GCancellable *cancellable, GError **error)
{
  g_autoptr (PlumbPostgresObjects) objects = NULL;
  gboolean holds;

  g_mutex_lock (&self->lock);
  objects = g_hash_table_lookup (self->checked, sql);
  if (objects != NULL)
    plumb_postgres_objects_ref (objects);
  g_mutex_unlock (&self->lock);
  if (objects == NULL)
    return TRUE;
  if (!plumb_postgres_objects_hold (objects, connection, &holds, cancellable, error))
    return FALSE;
  if (!holds)
    g_set_error_literal (error, PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_STATEMENT,
                         "A function, type, view or policy of the database was changed after the "
                         "statement was checked. Run it again, so that it is checked anew.");
  return holds;
}

/** plumb_postgres_source_keep_objects: keeps @objects, %NULL for none, for the next check */
void
plumb_postgres_source_keep_objects (PlumbPostgresSource *self, PlumbPostgresObjects *objects)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);

  g_clear_pointer (&self->objects, plumb_postgres_objects_unref);
  if (objects != NULL)
    self->objects = plumb_postgres_objects_ref (objects);
}

static gboolean
plumb_postgres_source_connect (PlumbSource *source, GCancellable *cancellable, GError **error)
{
  PlumbPostgresSource *self = PLUMB_POSTGRES_SOURCE (source);
  PlumbPostgresConnection *connection = plumb_postgres_source_begin (self, 0, cancellable, error);

  if (connection == NULL)
    return FALSE;
  end (self, connection);
  return TRUE;
}

static char *
plumb_postgres_source_get_version (PlumbSource *source, GCancellable *cancellable, GError **error)
{
  PlumbPostgresSource *self = PLUMB_POSTGRES_SOURCE (source);
  PlumbPostgresConnection *connection = plumb_postgres_source_begin (self, 0, cancellable, error);
  char *version;

  if (connection == NULL)
    return NULL;
  version = g_strdup (PQparameterStatus (connection->pg, "server_version") ?: "");
  version[strcspn (version, " ")] = '\0';
  end (self, connection);
  return version;
}

static PlumbCatalog *
plumb_postgres_source_read_catalog (PlumbSource *source, GCancellable *cancellable, GError **error)
{
  PlumbPostgresSource *self = PLUMB_POSTGRES_SOURCE (source);
  PlumbPostgresConnection *connection = plumb_postgres_source_begin (self, 0, cancellable, error);
  GError *inner = NULL;
  PlumbCatalog *catalog;

  if (connection == NULL)
    return NULL;
  catalog = plumb_postgres_read_catalog (connection->pg, plumb_source_get_name (source),
                                         cancellable, &inner);
  plumb_postgres_source_finish (self, connection, catalog != NULL, &inner);
  plumb_postgres_source_keep_objects (self, NULL);
  if (inner != NULL)
    g_propagate_error (error, inner);
  return catalog;
}

static char *
ask_type_name (PlumbPostgresSource *self, Oid type, int modifier, GCancellable *time_is_up)
{
  g_autofree char *type_text = g_strdup_printf ("%u", type);
  g_autofree char *modifier_text = g_strdup_printf ("%d", modifier);
  const char *values[] = { type_text, modifier_text };
  PlumbPostgresConnection *connection = plumb_postgres_source_begin (self, TERMINATE_PATIENCE_MS,
                                                                     time_is_up, NULL);
  g_autoptr (PGresult) result = NULL;
  char *name = NULL;

  if (connection == NULL)
    return NULL;
  result = plumb_postgres_ask (connection->pg, "SELECT format_type($1::oid, $2::int)", 2, values,
                               time_is_up, NULL);
  if (result != NULL)
    name = g_strdup (PQgetvalue (result, 0, 0));
  plumb_postgres_source_finish (self, connection, result != NULL, NULL);
  return name;
}

/* Asked on a connection of its own: a question that fails must not take the statement's transaction
 * with it. */
static char *
name_type (Oid type, int modifier, gpointer user_data)
{
  PlumbPostgresSource *self = user_data;
  g_autofree char *key = g_strdup_printf ("%u/%d", type, modifier);
  PlumbWatchdog *watchdog;
  char *name;

  g_mutex_lock (&self->lock);
  name = g_strdup (g_hash_table_lookup (self->type_names, key));
  g_mutex_unlock (&self->lock);
  if (name != NULL)
    return name;
  watchdog = plumb_watchdog_start (NULL, TERMINATE_PATIENCE_MS);
  name = ask_type_name (self, type, modifier, plumb_watchdog_get_cancellable (watchdog));
  plumb_watchdog_stop (watchdog);
  if (name == NULL)
    return NULL;
  g_mutex_lock (&self->lock);
  g_hash_table_replace (self->type_names, g_steal_pointer (&key), g_strdup (name));
  g_mutex_unlock (&self->lock);
  return name;
}

static gboolean
plumb_postgres_source_run (PlumbSource *source, const char *sql, const PlumbLimits *limits,
                           PlumbRowSink *sink, GCancellable *cancellable, GError **error)
{
  PlumbPostgresSource *self = PLUMB_POSTGRES_SOURCE (source);
  PlumbPostgresConnection *connection = plumb_postgres_source_begin (self, limits->timeout_ms,
                                                                     cancellable, error);
  GError *inner = NULL;
  gboolean good;

  if (connection == NULL)
    return FALSE;
  good = still_means_the_same (self, connection, sql, cancellable, &inner) &&
         plumb_postgres_stream (connection, sql, sink, name_type, self, cancellable, &inner);
  plumb_postgres_source_finish (self, connection, good, &inner);
  if (inner != NULL)
    g_propagate_error (error, inner);
  return good;
}

/* The first node's estimates are the whole plan's. */
static void
read_estimates (const char *plan, double *rows, double *cost)
{
  g_autoptr (JsonNode) node = plumb_json_parse (plan, -1, NULL);
  JsonArray *plans = node != NULL && JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node)
                                                                  : NULL;
  JsonObject *first = NULL;

  if (plans != NULL && json_array_get_length (plans) > 0)
    first = json_array_get_object_element (plans, 0);
  if (first != NULL)
    first = plumb_json_get_object (first, "Plan");
  if (first == NULL)
    return;
  *rows = plumb_json_get_double (first, "Plan Rows", -1);
  *cost = plumb_json_get_double (first, "Total Cost", -1);
}

static char *
plumb_postgres_source_explain (PlumbSource *source, const char *sql, const PlumbLimits *limits,
                               double *rows, double *cost, GCancellable *cancellable,
                               GError **error)
{
  PlumbPostgresSource *self = PLUMB_POSTGRES_SOURCE (source);
  g_autofree char *explain = g_strconcat ("EXPLAIN (FORMAT JSON) ", sql, NULL);
  PlumbPostgresConnection *connection = plumb_postgres_source_begin (self, limits->timeout_ms,
                                                                     cancellable, error);
  g_autoptr (PGresult) result = NULL;
  GError *inner = NULL;
  char *plan = NULL;

  if (connection == NULL)
    return NULL;
  if (still_means_the_same (self, connection, sql, cancellable, &inner))
    result = plumb_postgres_ask (connection->pg, explain, 0, NULL, cancellable, &inner);
  if (result != NULL && PQntuples (result) > 0) {
    plan = g_strdup (PQgetvalue (result, 0, 0));
    read_estimates (plan, rows, cost);
  } else if (result != NULL) {
    g_set_error_literal (&inner, PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_STATEMENT,
                         "There is no query in this text.");
  }
  plumb_postgres_source_finish (self, connection, plan != NULL, &inner);
  if (inner != NULL)
    g_propagate_error (error, inner);
  return plan;
}

static PlumbAccountProbe *
plumb_postgres_source_probe (PlumbSource *source, GCancellable *cancellable, GError **error)
{
  PlumbPostgresSource *self = PLUMB_POSTGRES_SOURCE (source);
  PlumbPostgresConnection *connection = plumb_postgres_source_begin (self, 0, cancellable, error);
  GError *inner = NULL;
  PlumbAccountProbe *probe;

  if (connection == NULL)
    return NULL;
  probe = plumb_postgres_probe (connection, cancellable, &inner);
  plumb_postgres_source_finish (self, connection, probe != NULL, &inner);
  if (inner != NULL)
    g_propagate_error (error, inner);
  return probe;
}

static PlumbStatement *
plumb_postgres_source_check (PlumbSource *source, const char *sql, PlumbCatalog *catalog,
                             GCancellable *cancellable, GError **error)
{
  return plumb_postgres_check (PLUMB_POSTGRES_SOURCE (source), sql, catalog, cancellable, error);
}

static void
plumb_postgres_source_finalize (GObject *object)
{
  PlumbPostgresSource *self = PLUMB_POSTGRES_SOURCE (object);

  g_queue_clear_full (&self->idle, (GDestroyNotify) plumb_postgres_connection_free);
  g_hash_table_unref (self->type_names);
  g_hash_table_unref (self->checked);
  g_clear_pointer (&self->objects, plumb_postgres_objects_unref);
  g_mutex_clear (&self->lock);
  G_OBJECT_CLASS (plumb_postgres_source_parent_class)->finalize (object);
}

static void
plumb_postgres_source_class_init (PlumbPostgresSourceClass *klass)
{
  PlumbSourceClass *source_class = PLUMB_SOURCE_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = plumb_postgres_source_finalize;
  source_class->dialect = PLUMB_DIALECT_POSTGRES;
  source_class->engine = "PostgreSQL";
  source_class->accept_address = plumb_postgres_source_accept_address;
  source_class->connect = plumb_postgres_source_connect;
  source_class->read_catalog = plumb_postgres_source_read_catalog;
  source_class->run = plumb_postgres_source_run;
  source_class->explain = plumb_postgres_source_explain;
  source_class->probe = plumb_postgres_source_probe;
  source_class->check = plumb_postgres_source_check;
  source_class->get_version = plumb_postgres_source_get_version;
}

static void
plumb_postgres_source_init (PlumbPostgresSource *self)
{
  g_mutex_init (&self->lock);
  g_queue_init (&self->idle);
  self->type_names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->checked = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                         (GDestroyNotify) plumb_postgres_objects_unref);
}
