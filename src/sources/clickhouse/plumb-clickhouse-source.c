/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-clickhouse-source.h"

#include "plumb-clickhouse-private.h"

#include <string.h>

/* EXPLAIN came with 20.6. */
#define FIRST_WITH_EXPLAIN 20.6

struct _PlumbClickhouseSource {
  PlumbSource parent_instance;
  GMutex lock;
  PlumbClickhouseServer *server;
  PlumbSourceLookups *lookups;
};

G_DEFINE_FINAL_TYPE (PlumbClickhouseSource, plumb_clickhouse_source, PLUMB_TYPE_SOURCE)

static const char *const known_parameters[] = { "secure", "ssl_ca", NULL };

static gboolean
plumb_clickhouse_source_accept_address (PlumbSource *source, GError **error)
{
  const PlumbSourceUri *address = plumb_source_get_address (source);

  if (address->host != NULL && (strchr (address->host, ',') != NULL || address->host[0] == '/')) {
    g_set_error_literal (
      error, PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_ADDRESS,
      "A ClickHouse address has one host, as in clickhouse://user@host:8123/database.");
    return FALSE;
  }
  if (!plumb_source_only_parameters (address, known_parameters, error) ||
      !plumb_source_check_number (address, "secure", 1, error))
    return FALSE;
  if (plumb_source_uri_get_parameter (address, "ssl_ca") == NULL ||
      g_strcmp0 (plumb_source_uri_get_parameter (address, "secure"), "1") == 0)
    return TRUE;
  g_set_error_literal (error, PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_ADDRESS,
                       "The parameter “ssl_ca” is for an encrypted connection: add secure=1.");
  return FALSE;
}

/* What is known of the server; it is asked again after an error, since it may be another one then.
 */
static PlumbClickhouseServer *
get_server (PlumbSource *source, GCancellable *cancellable, GError **error)
{
  PlumbClickhouseSource *self = PLUMB_CLICKHOUSE_SOURCE (source);
  PlumbClickhouseServer *server = NULL;

  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;
  g_mutex_lock (&self->lock);
  if (self->server != NULL)
    server = plumb_clickhouse_server_ref (self->server);
  g_mutex_unlock (&self->lock);
  if (server != NULL)
    return server;
  server = plumb_clickhouse_server_read (source, cancellable, error);
  if (server == NULL)
    return NULL;
  g_mutex_lock (&self->lock);
  g_clear_pointer (&self->server, plumb_clickhouse_server_unref);
  self->server = plumb_clickhouse_server_ref (server);
  g_mutex_unlock (&self->lock);
  return server;
}

static void
forget_server (PlumbSource *source)
{
  PlumbClickhouseSource *self = PLUMB_CLICKHOUSE_SOURCE (source);

  g_mutex_lock (&self->lock);
  g_clear_pointer (&self->server, plumb_clickhouse_server_unref);
  g_mutex_unlock (&self->lock);
}

static gboolean
plumb_clickhouse_source_connect (PlumbSource *source, GCancellable *cancellable, GError **error)
{
  g_autoptr (PlumbClickhouseServer) server = NULL;

  forget_server (source);
  server = get_server (source, cancellable, error);
  return server != NULL;
}

static char *
plumb_clickhouse_source_get_version (PlumbSource *source, GCancellable *cancellable, GError **error)
{
  g_autoptr (PlumbClickhouseServer) server = get_server (source, cancellable, error);

  return server != NULL ? g_strdup (server->version) : NULL;
}

static PlumbCatalog *
plumb_clickhouse_source_read_catalog (PlumbSource *source, GCancellable *cancellable,
                                      GError **error)
{
  g_autoptr (PlumbClickhouseServer) server = get_server (source, cancellable, error);

  plumb_source_lookups_begin (PLUMB_CLICKHOUSE_SOURCE (source)->lookups, NULL);
  return server != NULL ? plumb_clickhouse_read_catalog (source, server, cancellable, error) : NULL;
}

static gboolean
plumb_clickhouse_source_run (PlumbSource *source, const char *sql, const PlumbLimits *limits,
                             PlumbRowSink *sink, GCancellable *cancellable, GError **error)
{
  g_autoptr (PlumbClickhouseServer) server = get_server (source, cancellable, error);
  gboolean good;

  if (server == NULL)
    return FALSE;
  good = plumb_clickhouse_stream (source, server, sql, limits->timeout_ms, sink, cancellable,
                                  error);
  if (!good)
    forget_server (source);
  return good;
}

static char *
plumb_clickhouse_source_explain (PlumbSource *source, const char *sql, const PlumbLimits *limits,
                                 double *rows, double *cost, GCancellable *cancellable,
                                 GError **error)
{
  g_autoptr (PlumbClickhouseServer) server = get_server (source, cancellable, error);
  g_autofree char *explain = g_strconcat ("EXPLAIN ", sql, NULL);
  g_autoptr (GPtrArray) lines = NULL;

  if (server == NULL)
    return NULL;
  if (g_ascii_strtod (server->version, NULL) < FIRST_WITH_EXPLAIN) {
    g_set_error (error, PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_STATEMENT,
                 "ClickHouse %s has no EXPLAIN: it came with 20.6. Look at the number of rows of "
                 "the tables instead.",
                 server->version);
    return NULL;
  }
  lines = plumb_clickhouse_ask (source, server, explain, cancellable, error);
  if (lines == NULL)
    return NULL;
  g_ptr_array_add (lines, NULL);
  return g_strjoinv ("\n", (char **) lines->pdata);
}

static PlumbAccountProbe *
plumb_clickhouse_source_probe (PlumbSource *source, GCancellable *cancellable, GError **error)
{
  g_autoptr (PlumbClickhouseServer) server = get_server (source, cancellable, error);

  return server != NULL ? plumb_clickhouse_probe (source, server, cancellable, error) : NULL;
}

static PlumbStatement *
plumb_clickhouse_source_check (PlumbSource *source, const char *sql, PlumbCatalog *catalog,
                               GCancellable *cancellable, GError **error)
{
  g_autoptr (PlumbClickhouseServer) server = get_server (source, cancellable, error);
  g_autoptr (PlumbCatalog) own = NULL;

  if (server == NULL)
    return NULL;
  if (catalog == NULL)
    catalog = own = plumb_clickhouse_read_catalog (source, server, cancellable, error);
  return catalog != NULL ? plumb_clickhouse_check (source, server,
                                                   PLUMB_CLICKHOUSE_SOURCE (source)->lookups, sql,
                                                   catalog, cancellable, error)
                         : NULL;
}

static void
plumb_clickhouse_source_finalize (GObject *object)
{
  PlumbClickhouseSource *self = PLUMB_CLICKHOUSE_SOURCE (object);

  g_clear_pointer (&self->server, plumb_clickhouse_server_unref);
  plumb_source_lookups_free (self->lookups);
  g_mutex_clear (&self->lock);
  G_OBJECT_CLASS (plumb_clickhouse_source_parent_class)->finalize (object);
}

static void
plumb_clickhouse_source_class_init (PlumbClickhouseSourceClass *klass)
{
  PlumbSourceClass *source_class = PLUMB_SOURCE_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = plumb_clickhouse_source_finalize;
  source_class->dialect = PLUMB_DIALECT_CLICKHOUSE;
  source_class->engine = "ClickHouse";
  source_class->accept_address = plumb_clickhouse_source_accept_address;
  source_class->connect = plumb_clickhouse_source_connect;
  source_class->read_catalog = plumb_clickhouse_source_read_catalog;
  source_class->run = plumb_clickhouse_source_run;
  source_class->explain = plumb_clickhouse_source_explain;
  source_class->probe = plumb_clickhouse_source_probe;
  source_class->check = plumb_clickhouse_source_check;
  source_class->get_version = plumb_clickhouse_source_get_version;
}

static void
plumb_clickhouse_source_init (PlumbClickhouseSource *self)
{
  g_mutex_init (&self->lock);
  self->lookups = plumb_source_lookups_new ();
}
