/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-odbc-source.h"

#include "plumb-odbc-private.h"

#include <string.h>

/* Connections kept open between statements: as many as statements may run, and one that looks. */
#define MOST_IDLE 5

struct _PlumbOdbcSource {
  PlumbSource parent_instance;
  GMutex lock;
  GQueue idle;
  gboolean known;
  PlumbOdbcEngine engine;
  const char *name; /* interned */
};

G_DEFINE_FINAL_TYPE (PlumbOdbcSource, plumb_odbc_source, PLUMB_TYPE_SOURCE)

static gboolean
plumb_odbc_source_accept_address (PlumbSource *source, GError **error)
{
  return plumb_odbc_accept_address (plumb_source_get_address (source), error);
}

static PlumbOdbcConnection *
pop_idle (PlumbOdbcSource *self)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);

  return g_queue_pop_head (&self->idle);
}

/* What the database is was learned by connecting. */
static void
keep_engine (PlumbOdbcSource *self, PlumbOdbcConnection *connection)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);
  const char *name = plumb_odbc_engine_get_name (connection->engine);

  self->engine = connection->engine;
  self->name = g_intern_string (name != NULL ? name : connection->dbms);
  self->known = TRUE;
}

/* A connection with a transaction open. One from the pool that turns out to be dead is replaced:
 * nothing has been asked of it yet. */
static PlumbOdbcConnection *
begin (PlumbSource *source, gint64 timeout_ms, GCancellable *cancellable, GError **error)
{
  PlumbOdbcSource *self = PLUMB_ODBC_SOURCE (source);
  g_autoptr (PlumbOdbcConnection) connection = NULL;
  g_autoptr (GError) inner = NULL;

  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;
  while ((connection = pop_idle (self)) != NULL) {
    if (plumb_odbc_begin (connection, timeout_ms, cancellable, &inner))
      return g_steal_pointer (&connection);
    if (!g_error_matches (inner, PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_LOST)) {
      g_propagate_error (error, g_steal_pointer (&inner));
      return NULL;
    }
    g_clear_error (&inner);
    g_clear_pointer (&connection, plumb_odbc_connection_free);
  }
  connection = plumb_odbc_connection_open (source, 0, cancellable, error);
  if (connection == NULL)
    return NULL;
  keep_engine (self, connection);
  if (!plumb_odbc_begin (connection, timeout_ms, cancellable, error))
    return NULL;
  return g_steal_pointer (&connection);
}

static void
end (PlumbSource *source, PlumbOdbcConnection *connection)
{
  PlumbOdbcSource *self = PLUMB_ODBC_SOURCE (source);
  gboolean usable = plumb_odbc_end (connection);

  g_mutex_lock (&self->lock);
  if (usable && self->idle.length < MOST_IDLE) {
    g_queue_push_head (&self->idle, connection);
    connection = NULL;
  }
  g_mutex_unlock (&self->lock);
  plumb_odbc_connection_free (connection);
}

static gboolean
plumb_odbc_source_connect (PlumbSource *source, GCancellable *cancellable, GError **error)
{
  PlumbOdbcConnection *connection = begin (source, 0, cancellable, error);

  if (connection == NULL)
    return FALSE;
  end (source, connection);
  return TRUE;
}

/* Who asks for it before anything was asked of the database needs the right answer all the same. */
static PlumbDialect
plumb_odbc_source_get_dialect (PlumbSource *source)
{
  PlumbOdbcSource *self = PLUMB_ODBC_SOURCE (source);
  g_autofree char *key = plumb_odbc_get_key (plumb_source_get_address (source),
                                             "PlumblineDialect");
  PlumbOdbcEngine engine = PLUMB_ODBC_GENERIC;
  gboolean known;

  if (key != NULL && plumb_odbc_engine_from_key (key, &engine))
    return plumb_odbc_engine_get_dialect (engine);
  g_mutex_lock (&self->lock);
  known = self->known;
  g_mutex_unlock (&self->lock);
  if (!known)
    plumb_odbc_source_connect (source, NULL, NULL);
  g_mutex_lock (&self->lock);
  engine = self->engine;
  g_mutex_unlock (&self->lock);
  return plumb_odbc_engine_get_dialect (engine);
}

static const char *
plumb_odbc_source_get_engine (PlumbSource *source)
{
  PlumbOdbcSource *self = PLUMB_ODBC_SOURCE (source);
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);

  return self->name != NULL ? self->name : "ODBC";
}

static char *
plumb_odbc_source_get_version (PlumbSource *source, GCancellable *cancellable, GError **error)
{
  PlumbOdbcConnection *connection = begin (source, 0, cancellable, error);
  char *version;

  if (connection == NULL)
    return NULL;
  version = g_strdup (connection->version);
  end (source, connection);
  return version;
}

static PlumbCatalog *
plumb_odbc_source_read_catalog (PlumbSource *source, GCancellable *cancellable, GError **error)
{
  PlumbOdbcConnection *connection = begin (source, 0, cancellable, error);
  PlumbCatalog *catalog;

  if (connection == NULL)
    return NULL;
  catalog = plumb_odbc_read_catalog (connection, error);
  end (source, connection);
  return catalog;
}

static gboolean
plumb_odbc_source_run (PlumbSource *source, const char *sql, const PlumbLimits *limits,
                       PlumbRowSink *sink, GCancellable *cancellable, GError **error)
{
  PlumbOdbcConnection *connection = begin (source, limits->timeout_ms, cancellable, error);
  gboolean good;

  if (connection == NULL)
    return FALSE;
  good = plumb_odbc_stream (connection, sql, limits, sink, error);
  end (source, connection);
  return good;
}

/* The first line of PostgreSQL's plan ends with (cost=0.00..35.50 rows=2550 width=4). */
static void
read_estimates (const char *plan, double *rows, double *cost)
{
  const char *at = strstr (plan, "(cost=");
  const char *dots = at != NULL ? strstr (at, "..") : NULL;
  const char *count = dots != NULL ? strstr (dots, "rows=") : NULL;

  if (count == NULL)
    return;
  *cost = g_ascii_strtod (dots + 2, NULL);
  *rows = g_ascii_strtod (count + strlen ("rows="), NULL);
}

static char *
join_lines (PlumbOdbcRows *rows)
{
  g_autoptr (GString) plan = g_string_new (NULL);

  for (guint i = 0; i < rows->rows->len; i++) {
    const char *line = plumb_odbc_rows_get (rows, i, rows->n_columns - 1);

    g_string_append_printf (plan, "%s%s", i > 0 ? "\n" : "", line != NULL ? line : "");
  }
  return g_string_free (g_steal_pointer (&plan), FALSE);
}

static char *
explain (PlumbOdbcConnection *self, const char *sql, double *rows, double *cost, GError **error)
{
  const char *word = self->engine == PLUMB_ODBC_POSTGRES ? "EXPLAIN "
                     : self->engine == PLUMB_ODBC_SQLITE ? "EXPLAIN QUERY PLAN "
                                                         : NULL;
  const char *name = plumb_odbc_engine_get_name (self->engine);
  g_autofree char *question = g_strconcat (word != NULL ? word : "", sql, NULL);
  g_autoptr (PlumbOdbcRows) found = NULL;
  char *plan;

  if (word == NULL) {
    g_set_error (error, PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_STATEMENT,
                 "%s gives no plan through ODBC without writing or without running the statement. "
                 "Run it with a small row limit instead.",
                 name != NULL ? name : self->dbms);
    return NULL;
  }
  found = plumb_odbc_ask (self, question, error);
  if (found == NULL || found->n_columns == 0)
    return NULL;
  plan = join_lines (found);
  read_estimates (plan, rows, cost);
  return plan;
}

static char *
plumb_odbc_source_explain (PlumbSource *source, const char *sql, const PlumbLimits *limits,
                           double *rows, double *cost, GCancellable *cancellable, GError **error)
{
  PlumbOdbcConnection *connection = begin (source, limits->timeout_ms, cancellable, error);
  char *plan;

  if (connection == NULL)
    return NULL;
  plan = explain (connection, sql, rows, cost, error);
  end (source, connection);
  return plan;
}

static PlumbAccountProbe *
plumb_odbc_source_probe (PlumbSource *source, GCancellable *cancellable, GError **error)
{
  PlumbOdbcConnection *connection = begin (source, 0, cancellable, error);
  PlumbAccountProbe *probe;

  if (connection == NULL)
    return NULL;
  probe = plumb_odbc_probe (connection, error);
  end (source, connection);
  return probe;
}

static PlumbStatement *
plumb_odbc_source_check (PlumbSource *source, const char *sql, PlumbCatalog *catalog,
                         GCancellable *cancellable, GError **error)
{
  PlumbOdbcConnection *connection = begin (source, 0, cancellable, error);
  g_autoptr (PlumbCatalog) own = NULL;
  PlumbStatement *statement = NULL;

  if (connection == NULL)
    return NULL;
  if (catalog == NULL)
    catalog = own = plumb_odbc_read_catalog (connection, error);
  if (catalog != NULL)
    statement = plumb_odbc_check (connection, sql, catalog, error);
  end (source, connection);
  return statement;
}

static void
plumb_odbc_source_finalize (GObject *object)
{
  PlumbOdbcSource *self = PLUMB_ODBC_SOURCE (object);

  g_queue_clear_full (&self->idle, (GDestroyNotify) plumb_odbc_connection_free);
  g_mutex_clear (&self->lock);
  G_OBJECT_CLASS (plumb_odbc_source_parent_class)->finalize (object);
}

static void
plumb_odbc_source_class_init (PlumbOdbcSourceClass *klass)
{
  PlumbSourceClass *source_class = PLUMB_SOURCE_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = plumb_odbc_source_finalize;
  source_class->dialect = PLUMB_DIALECT_GENERIC;
  source_class->engine = "ODBC";
  source_class->get_dialect = plumb_odbc_source_get_dialect;
  source_class->get_engine = plumb_odbc_source_get_engine;
  source_class->accept_address = plumb_odbc_source_accept_address;
  source_class->connect = plumb_odbc_source_connect;
  source_class->read_catalog = plumb_odbc_source_read_catalog;
  source_class->run = plumb_odbc_source_run;
  source_class->explain = plumb_odbc_source_explain;
  source_class->probe = plumb_odbc_source_probe;
  source_class->check = plumb_odbc_source_check;
  source_class->get_version = plumb_odbc_source_get_version;
}

static void
plumb_odbc_source_init (PlumbOdbcSource *self)
{
  g_mutex_init (&self->lock);
  g_queue_init (&self->idle);
}
