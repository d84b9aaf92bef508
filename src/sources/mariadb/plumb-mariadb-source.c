/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-mariadb-source.h"

#include "plumb-mariadb-private.h"

#include <string.h>

#define MOST_IDLE 5
/* The most that the address may allow for connecting, in seconds. */
#define LONGEST_CONNECT_TIMEOUT 3600

struct _PlumbMariadbSource {
  PlumbSource parent_instance;
  GMutex lock;
  GQueue idle;
  PlumbSourceLookups *lookups;
  gint is_mysql;   /* by the version that it last told */
  gint cleaned_up; /* whether a crashed program's statements were looked for */
};

G_DEFINE_FINAL_TYPE (PlumbMariadbSource, plumb_mariadb_source, PLUMB_TYPE_SOURCE)

static gboolean
plumb_mariadb_source_accept_address (PlumbSource *source, GError **error)
{
  const PlumbSourceUri *address = plumb_source_get_address (source);

  if (address->host != NULL && strchr (address->host, ',') != NULL) {
    g_set_error_literal (error, PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_ADDRESS,
                         "A MariaDB address has one host only.");
    return FALSE;
  }
  return plumb_source_only_parameters (address, plumb_mariadb_parameters, error) &&
         plumb_source_check_number (address, "ssl", 1, error) &&
         plumb_source_check_number (address, "ssl_verify", 1, error) &&
         plumb_source_check_number (address, "connect_timeout", LONGEST_CONNECT_TIMEOUT, error);
}

static PlumbMariadbConnection *
pop_idle (PlumbMariadbSource *self)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);
  PlumbMariadbConnection *connection;

  while ((connection = g_queue_pop_head (&self->idle)) != NULL) {
    if (plumb_mariadb_connection_is_alive (connection))
      return connection;
    plumb_mariadb_connection_free (connection);
  }
  return NULL;
}

/* A connection with a read-only transaction open. One from the pool that turns out to be dead is
 * replaced: nothing has been asked of it yet. */
static PlumbMariadbConnection *
begin (PlumbSource *source, gint64 timeout_ms, GCancellable *cancellable, GError **error)
{
  PlumbMariadbSource *self = PLUMB_MARIADB_SOURCE (source);
  g_autoptr (PlumbMariadbConnection) connection = NULL;
  g_autoptr (GError) inner = NULL;

  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;
  while ((connection = pop_idle (self)) != NULL) {
    if (plumb_mariadb_begin (connection, timeout_ms, cancellable, &inner))
      return g_steal_pointer (&connection);
    if (!g_error_matches (inner, PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_LOST)) {
      g_propagate_error (error, g_steal_pointer (&inner));
      return NULL;
    }
    g_clear_error (&inner);
    g_clear_pointer (&connection, plumb_mariadb_connection_free);
  }
  connection = plumb_mariadb_connection_open (source, 0, cancellable, error);
  if (connection != NULL && g_atomic_int_compare_and_exchange (&self->cleaned_up, 0, 1)) {
    connection->cancellable = cancellable;
    plumb_mariadb_end_orphans (connection);
  }
  if (connection != NULL)
    g_atomic_int_set (&self->is_mysql,
                      !plumb_mariadb_is_mariadb (mysql_get_server_info (connection->mysql)));
  if (connection == NULL || !plumb_mariadb_begin (connection, timeout_ms, cancellable, error))
    return NULL;
  return g_steal_pointer (&connection);
}

static void
put_back (PlumbMariadbSource *self, PlumbMariadbConnection *connection, gboolean usable)
{
  g_mutex_lock (&self->lock);
  if (usable && self->idle.length < MOST_IDLE) {
    g_queue_push_head (&self->idle, connection);
    connection = NULL;
  }
  g_mutex_unlock (&self->lock);
  plumb_mariadb_connection_free (connection);
}

/** plumb_mariadb_source_take_idle: Returns: (transfer full) (nullable): a connection that is open and
 *   that nothing runs on */
PlumbMariadbConnection *
plumb_mariadb_source_take_idle (PlumbSource *source)
{
  return pop_idle (PLUMB_MARIADB_SOURCE (source));
}

/** plumb_mariadb_source_give_back: keeps @connection, on which no transaction is open, for the next
 *   statement. @connection: (transfer full) (nullable): a connection */
void
plumb_mariadb_source_give_back (PlumbSource *source, PlumbMariadbConnection *connection)
{
  if (connection == NULL)
    return;
  connection->is_helper = FALSE;
  connection->deadline = 0;
  put_back (PLUMB_MARIADB_SOURCE (source), connection, !connection->broken);
}

static void
end (PlumbSource *source, PlumbMariadbConnection *connection)
{
  gboolean usable = plumb_mariadb_end (connection);

  put_back (PLUMB_MARIADB_SOURCE (source), connection, usable);
}

/* A connection with nothing begun on it, and the generation of the server's catalog. What is known
 * of the catalog is known of the server that the pool is connected to: a connection that had to be
 * made may lead to another one. */
static PlumbMariadbConnection *
look (PlumbMariadbSource *self, char **generation, GCancellable *cancellable, GError **error)
{
  g_autoptr (PlumbMariadbConnection) connection = NULL;

  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;
  while ((connection = pop_idle (self)) != NULL) {
    g_autoptr (GError) inner = NULL;

    *generation = plumb_mariadb_read_generation (connection, cancellable, &inner);
    if (*generation != NULL)
      return g_steal_pointer (&connection);
    if (!g_error_matches (inner, PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_LOST)) {
      g_propagate_error (error, g_steal_pointer (&inner));
      return NULL;
    }
    g_clear_pointer (&connection, plumb_mariadb_connection_free);
  }
  plumb_source_lookups_begin (self->lookups, NULL);
  connection = plumb_mariadb_connection_open (PLUMB_SOURCE (self), 0, cancellable, error);
  if (connection == NULL)
    return NULL;
  *generation = plumb_mariadb_read_generation (connection, cancellable, error);
  return *generation != NULL ? g_steal_pointer (&connection) : NULL;
}

static const char *
plumb_mariadb_source_get_engine (PlumbSource *source)
{
  return g_atomic_int_get (&PLUMB_MARIADB_SOURCE (source)->is_mysql) ? "MySQL" : "MariaDB";
}

static gboolean
plumb_mariadb_source_connect (PlumbSource *source, GCancellable *cancellable, GError **error)
{
  PlumbMariadbConnection *connection = begin (source, 0, cancellable, error);

  if (connection == NULL)
    return FALSE;
  end (source, connection);
  return TRUE;
}

static char *
plumb_mariadb_source_get_version (PlumbSource *source, GCancellable *cancellable, GError **error)
{
  PlumbMariadbConnection *connection = begin (source, 0, cancellable, error);
  char *version;

  if (connection == NULL)
    return NULL;
  version = g_strdup (mysql_get_server_info (connection->mysql));
  end (source, connection);
  return version;
}

static PlumbCatalog *
plumb_mariadb_source_read_catalog (PlumbSource *source, GCancellable *cancellable, GError **error)
{
  PlumbMariadbConnection *connection = begin (source, 0, cancellable, error);
  PlumbCatalog *catalog;

  if (connection == NULL)
    return NULL;
  catalog = plumb_mariadb_read_catalog (connection, error);
  end (source, connection);
  return catalog;
}

static gboolean
plumb_mariadb_source_run (PlumbSource *source, const char *sql, const PlumbLimits *limits,
                          PlumbRowSink *sink, GCancellable *cancellable, GError **error)
{
  PlumbMariadbConnection *connection = begin (source, limits->timeout_ms, cancellable, error);
  gboolean good;

  if (connection == NULL)
    return FALSE;
  good = plumb_mariadb_stream (connection, sql, sink, error);
  end (source, connection);
  return good;
}

/* Plain EXPLAIN may run a derived table; FORMAT=JSON doesn't say less, and the server's time limit
 * holds for both. */
static char *
plumb_mariadb_source_explain (PlumbSource *source, const char *sql, const PlumbLimits *limits,
                              double *rows, double *cost, GCancellable *cancellable, GError **error)
{
  PlumbMariadbConnection *connection = begin (source, limits->timeout_ms, cancellable, error);
  g_autofree char *explain = g_strconcat ("EXPLAIN FORMAT=JSON ", sql, NULL);
  g_autoptr (PlumbMariadbResult) result = NULL;
  char *plan = NULL;
  MYSQL_ROW row;

  if (connection == NULL)
    return NULL;
  result = plumb_mariadb_ask (connection, explain, error);
  row = result != NULL ? mysql_fetch_row (result) : NULL;
  if (row != NULL)
    plan = g_utf8_make_valid (row[0] != NULL ? row[0] : "", -1);
  else if (result != NULL)
    g_set_error_literal (error, PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_STATEMENT,
                         "The server has no plan for this text.");
  end (source, connection);
  return plan;
}

static PlumbAccountProbe *
plumb_mariadb_source_probe (PlumbSource *source, GCancellable *cancellable, GError **error)
{
  PlumbMariadbConnection *connection = begin (source, 0, cancellable, error);
  PlumbAccountProbe *probe;

  if (connection == NULL)
    return NULL;
  probe = plumb_mariadb_probe (connection, error);
  end (source, connection);
  return probe;
}

static PlumbStatement *
plumb_mariadb_source_check (PlumbSource *source, const char *sql, PlumbCatalog *catalog,
                            GCancellable *cancellable, GError **error)
{
  PlumbMariadbSource *self = PLUMB_MARIADB_SOURCE (source);
  g_autoptr (PlumbCatalog) own = NULL;
  g_autofree char *generation = NULL;
  PlumbMariadbConnection *connection;
  PlumbStatement *statement;
  gboolean begun = FALSE;

  if (catalog == NULL)
    catalog = own = plumb_mariadb_source_read_catalog (source, cancellable, error);
  connection = catalog != NULL ? look (self, &generation, cancellable, error) : NULL;
  if (connection == NULL)
    return NULL;
  statement = plumb_mariadb_check (connection, self->lookups, generation, sql, catalog, cancellable,
                                   &begun, error);
  if (begun)
    end (source, connection);
  else
    put_back (self, connection, TRUE);
  return statement;
}

static void
plumb_mariadb_source_finalize (GObject *object)
{
  PlumbMariadbSource *self = PLUMB_MARIADB_SOURCE (object);

  g_queue_clear_full (&self->idle, (GDestroyNotify) plumb_mariadb_connection_free);
  plumb_source_lookups_free (self->lookups);
  g_mutex_clear (&self->lock);
  G_OBJECT_CLASS (plumb_mariadb_source_parent_class)->finalize (object);
}

static void
plumb_mariadb_source_class_init (PlumbMariadbSourceClass *klass)
{
  PlumbSourceClass *source_class = PLUMB_SOURCE_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = plumb_mariadb_source_finalize;
  source_class->dialect = PLUMB_DIALECT_MARIADB;
  source_class->engine = "MariaDB";
  source_class->get_engine = plumb_mariadb_source_get_engine;
  source_class->accept_address = plumb_mariadb_source_accept_address;
  source_class->connect = plumb_mariadb_source_connect;
  source_class->read_catalog = plumb_mariadb_source_read_catalog;
  source_class->run = plumb_mariadb_source_run;
  source_class->explain = plumb_mariadb_source_explain;
  source_class->probe = plumb_mariadb_source_probe;
  source_class->check = plumb_mariadb_source_check;
  source_class->get_version = plumb_mariadb_source_get_version;
}

static void
plumb_mariadb_source_init (PlumbMariadbSource *self)
{
  /* The library's own start must not be raced for by two threads. */
  static gsize started = 0;

  if (g_once_init_enter (&started)) {
    mysql_library_init (0, NULL, NULL);
    g_once_init_leave (&started, 1);
  }
  g_mutex_init (&self->lock);
  g_queue_init (&self->idle);
  self->lookups = plumb_source_lookups_new ();
}
