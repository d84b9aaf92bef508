/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-clickhouse-source.h"
#include "plumb-source-private.h"

G_BEGIN_DECLS

/**
 * PlumbClickhouseServer:
 * @version: its version
 * @readonly: the account's profile: 0 may set all and write, 1 may set nothing, 2 may set limits
 * @settings: names of the settings that the server knows
 * @columns: "table.column" of the system tables that differ between versions
 *
 * What was found out about a server when it was first spoken to. Not changed any more.
 */
typedef struct {
  char *version;
  guint readonly;
  GHashTable *settings;
  GHashTable *columns;
} PlumbClickhouseServer;

/* Requests (plumb-clickhouse-http.c). */

/* One row after another, the first two being names and types; stops when it returns %FALSE. The line
 * and the byte behind it may be written to. */
typedef gboolean (*PlumbClickhouseLine) (char *line, gsize length, gpointer user_data,
                                         GError **error);

PlumbClickhouseServer *plumb_clickhouse_server_read (PlumbSource *source, GCancellable *cancellable,
                                                     GError **error);
PlumbClickhouseServer *plumb_clickhouse_server_ref (PlumbClickhouseServer *self);
void plumb_clickhouse_server_unref (PlumbClickhouseServer *self);
gboolean plumb_clickhouse_has_column (PlumbClickhouseServer *self, const char *table,
                                      const char *column);

gboolean plumb_clickhouse_query (PlumbSource *source, PlumbClickhouseServer *server,
                                 const char *sql, gint64 timeout_ms, PlumbClickhouseLine line,
                                 gpointer user_data, gboolean *stopped, GCancellable *cancellable,
                                 GError **error);
GPtrArray *plumb_clickhouse_ask (PlumbSource *source, PlumbClickhouseServer *server,
                                 const char *sql, GCancellable *cancellable, GError **error);

/* Errors (plumb-clickhouse-error.c). */
gboolean plumb_clickhouse_is_exception (const char *line, gsize length);
gboolean plumb_clickhouse_set_error (guint status, const char *body, GError **error);
gboolean plumb_clickhouse_set_io_error (const GError *inner, gboolean asked, GError **error);

/* Rows (plumb-clickhouse-rows.c). */
GString *plumb_clickhouse_unescape (const char *text, gsize length, GString *buffer);
PlumbValueKind plumb_clickhouse_get_kind (const char *type);
gboolean plumb_clickhouse_stream (PlumbSource *source, PlumbClickhouseServer *server,
                                  const char *sql, gint64 timeout_ms, PlumbRowSink *sink,
                                  GCancellable *cancellable, GError **error);

/* Grants (plumb-clickhouse-grants.c). */
typedef struct _PlumbClickhouseGrants PlumbClickhouseGrants;

PlumbClickhouseGrants *plumb_clickhouse_grants_read (PlumbSource *source,
                                                     PlumbClickhouseServer *server,
                                                     GCancellable *cancellable);
void plumb_clickhouse_grants_free (PlumbClickhouseGrants *self);
GPtrArray *plumb_clickhouse_grants_get_lines (PlumbClickhouseGrants *self);
gboolean plumb_clickhouse_grants_allow (PlumbClickhouseGrants *self, const char *database,
                                        const char *table, const char *column);

/* Looking (plumb-clickhouse-catalog.c, -check.c, -probe.c). */
PlumbCatalog *plumb_clickhouse_read_catalog (PlumbSource *source, PlumbClickhouseServer *server,
                                             GCancellable *cancellable, GError **error);
PlumbStatement *plumb_clickhouse_check (PlumbSource *source, PlumbClickhouseServer *server,
                                        PlumbSourceLookups *lookups, const char *sql,
                                        PlumbCatalog *catalog, GCancellable *cancellable,
                                        GError **error);
PlumbAccountProbe *plumb_clickhouse_probe (PlumbSource *source, PlumbClickhouseServer *server,
                                           GCancellable *cancellable, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlumbClickhouseGrants, plumb_clickhouse_grants_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlumbClickhouseServer, plumb_clickhouse_server_unref)

G_END_DECLS
