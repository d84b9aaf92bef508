/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-sqlite-source.h"

#include "plumb-sqlite-private.h"

#include <string.h>

/* Connections kept open between statements. */
#define MOST_IDLE 4

struct _PlumbSqliteSource {
  PlumbSource parent_instance;
  GMutex lock;
  GQueue idle;
};

G_DEFINE_FINAL_TYPE (PlumbSqliteSource, plumb_sqlite_source, PLUMB_TYPE_SOURCE)

static const char *const known_parameters[] = { "immutable", NULL };

static gboolean
is_immutable (PlumbSqliteSource *self)
{
  const char *value = plumb_source_uri_get_parameter (
    plumb_source_get_address (PLUMB_SOURCE (self)), "immutable");

  return g_strcmp0 (value, "1") == 0;
}

static gboolean
plumb_sqlite_source_accept_address (PlumbSource *source, GError **error)
{
  return plumb_source_only_parameters (plumb_source_get_address (source), known_parameters, error);
}

static PlumbSqliteConnection *
pop_idle (PlumbSqliteSource *self, const char *path)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);
  PlumbSqliteConnection *connection;

  while ((connection = g_queue_pop_head (&self->idle)) != NULL) {
    if (plumb_sqlite_connection_is_fresh (connection, path))
      return connection;
    plumb_sqlite_connection_free (connection);
  }
  return NULL;
}

/* A connection that this thread alone has, with the time budget running. */
static PlumbSqliteConnection *
acquire (PlumbSqliteSource *self, gint64 timeout_ms, GCancellable *cancellable, GError **error)
{
  const char *path = plumb_source_get_address (PLUMB_SOURCE (self))->path;
  PlumbSqliteConnection *connection;

  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;
  connection = pop_idle (self, path);
  if (connection == NULL)
    connection = plumb_sqlite_connection_open (path, is_immutable (self), cancellable, error);
  if (connection != NULL)
    plumb_sqlite_connection_begin (connection, timeout_ms, cancellable);
  return connection;
}

static void
release (PlumbSqliteSource *self, PlumbSqliteConnection *connection)
{
  plumb_sqlite_connection_end (connection);
  g_mutex_lock (&self->lock);
  if (self->idle.length < MOST_IDLE) {
    g_queue_push_head (&self->idle, connection);
    connection = NULL;
  }
  g_mutex_unlock (&self->lock);
  plumb_sqlite_connection_free (connection);
}

static gboolean
plumb_sqlite_source_connect (PlumbSource *source, GCancellable *cancellable, GError **error)
{
  PlumbSqliteSource *self = PLUMB_SQLITE_SOURCE (source);
  PlumbSqliteConnection *connection = acquire (self, 0, cancellable, error);

  if (connection == NULL)
    return FALSE;
  release (self, connection);
  return TRUE;
}

static char *
plumb_sqlite_source_get_version (PlumbSource *source, GCancellable *cancellable, GError **error)
{
  return g_strdup (sqlite3_libversion ());
}

static PlumbCatalog *
plumb_sqlite_source_read_catalog (PlumbSource *source, GCancellable *cancellable, GError **error)
{
  PlumbSqliteSource *self = PLUMB_SQLITE_SOURCE (source);
  PlumbSqliteConnection *connection = acquire (self, 0, cancellable, error);
  PlumbCatalog *catalog;

  if (connection == NULL)
    return NULL;
  catalog = plumb_sqlite_read_catalog (connection, plumb_source_get_name (source), TRUE, error);
  release (self, connection);
  return catalog;
}

static gboolean
plumb_sqlite_source_run (PlumbSource *source, const char *sql, const PlumbLimits *limits,
                         PlumbRowSink *sink, GCancellable *cancellable, GError **error)
{
  PlumbSqliteSource *self = PLUMB_SQLITE_SOURCE (source);
  PlumbSqliteConnection *connection = acquire (self, limits->timeout_ms, cancellable, error);
  gboolean good;

  if (connection == NULL)
    return FALSE;
  good = plumb_sqlite_run (connection, sql, sink, error);
  release (self, connection);
  return good;
}

static char *
plumb_sqlite_source_explain (PlumbSource *source, const char *sql, const PlumbLimits *limits,
                             double *rows, double *cost, GCancellable *cancellable, GError **error)
{
  PlumbSqliteSource *self = PLUMB_SQLITE_SOURCE (source);
  PlumbSqliteConnection *connection = acquire (self, limits->timeout_ms, cancellable, error);
  char *plan;

  if (connection == NULL)
    return NULL;
  plan = plumb_sqlite_explain (connection, sql, error);
  release (self, connection);
  return plan;
}

/* Tries to write: SQLite must say that the connection is read-only. */
static void
prove_read_only (PlumbSqliteConnection *connection, PlumbAccountProbe *probe)
{
  int code;

  sqlite3_exec (connection->db, "BEGIN", NULL, NULL, NULL);
  code = sqlite3_exec (connection->db, "CREATE TABLE main.plumbline_tries_to_write (a)", NULL, NULL,
                       NULL);
  sqlite3_exec (connection->db, "ROLLBACK", NULL, NULL, NULL);
  probe->read_only_proven = (code & 0xff) == SQLITE_READONLY;
  probe->read_only_detail = g_strdup (
    probe->read_only_proven
      ? "The file is opened for reading only: a write was tried, and SQLite said no."
      : "A write was tried and taken back, and SQLite did not say that the file is read-only.");
}

static PlumbAccountProbe *
plumb_sqlite_source_probe (PlumbSource *source, GCancellable *cancellable, GError **error)
{
  PlumbSqliteSource *self = PLUMB_SQLITE_SOURCE (source);
  g_autoptr (PlumbAccountProbe) probe = plumb_account_probe_new ();
  g_autoptr (PlumbCatalog) catalog = NULL;
  PlumbSqliteConnection *connection = acquire (self, 0, cancellable, error);

  if (connection == NULL)
    return NULL;
  catalog = plumb_sqlite_read_catalog (connection, plumb_source_get_name (source), FALSE, error);
  if (catalog != NULL) {
    probe->version = g_strdup (sqlite3_libversion ());
    probe->account = g_strdup (g_get_user_name ());
    probe->encoding = plumb_sqlite_connection_ask (connection, "PRAGMA encoding", NULL);
    probe->n_tables = catalog->tables->len;
    probe->n_selectable = catalog->tables->len;
    connection->guarded = FALSE;
    prove_read_only (connection, probe);
  }
  release (self, connection);
  return catalog != NULL ? g_steal_pointer (&probe) : NULL;
}

/* SQLite has no objects of users: a program brings its functions with it, and this one brings none.
 */
static GPtrArray *
find_objects (PlumbObjectKind kind, const char *schema, const char *name, gpointer user_data)
{
  return NULL;
}

static char *
get_view_definition (const char *schema, const char *name, gpointer user_data)
{
  return plumb_sqlite_get_view_definition (user_data, name);
}

/* The authorizer sees what a virtual table reads. */
static PlumbObjectVerdict
check_relation (const char *schema, const char *name, gpointer user_data)
{
  return PLUMB_OBJECT_HARMLESS;
}

static PlumbStatement *
plumb_sqlite_source_check (PlumbSource *source, const char *sql, PlumbCatalog *catalog,
                           GCancellable *cancellable, GError **error)
{
  PlumbSqliteSource *self = PLUMB_SQLITE_SOURCE (source);
  PlumbSqliteConnection *connection = acquire (self, 0, cancellable, error);
  g_autoptr (PlumbCatalog) own = NULL;
  g_autoptr (PlumbStatement) statement = NULL;
  PlumbCheckContext context = {
    .catalog = catalog,
    .default_schema = "main",
    .find_objects = find_objects,
    .get_view_definition = get_view_definition,
    .check_relation = check_relation,
    .user_data = connection,
  };
  gboolean good = TRUE;

  if (connection == NULL)
    return NULL;
  if (catalog == NULL)
    context.catalog = own = plumb_sqlite_read_catalog (connection, plumb_source_get_name (source),
                                                       FALSE, error);
  if (context.catalog != NULL)
    statement = plumb_statement_check (PLUMB_DIALECT_SQLITE, sql, -1, &context);
  if (statement != NULL && statement->allowed)
    good = plumb_sqlite_check_reads (connection, sql, statement, error);
  release (self, connection);
  return good ? g_steal_pointer (&statement) : NULL;
}

static void
plumb_sqlite_source_finalize (GObject *object)
{
  PlumbSqliteSource *self = PLUMB_SQLITE_SOURCE (object);

  g_queue_clear_full (&self->idle, (GDestroyNotify) plumb_sqlite_connection_free);
  g_mutex_clear (&self->lock);
  G_OBJECT_CLASS (plumb_sqlite_source_parent_class)->finalize (object);
}

static void
plumb_sqlite_source_class_init (PlumbSqliteSourceClass *klass)
{
  PlumbSourceClass *source_class = PLUMB_SOURCE_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = plumb_sqlite_source_finalize;
  source_class->dialect = PLUMB_DIALECT_SQLITE;
  source_class->engine = "SQLite";
  source_class->accept_address = plumb_sqlite_source_accept_address;
  source_class->connect = plumb_sqlite_source_connect;
  source_class->read_catalog = plumb_sqlite_source_read_catalog;
  source_class->run = plumb_sqlite_source_run;
  source_class->explain = plumb_sqlite_source_explain;
  source_class->probe = plumb_sqlite_source_probe;
  source_class->check = plumb_sqlite_source_check;
  source_class->get_version = plumb_sqlite_source_get_version;
}

static void
plumb_sqlite_source_init (PlumbSqliteSource *self)
{
  g_mutex_init (&self->lock);
  g_queue_init (&self->idle);
}
