/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-postgres-source.h"
#include "plumb-source-private.h"

#include <libpq-fe.h>

G_BEGIN_DECLS

/**
 * PlumbPostgresConnection:
 * @pg: libpq's connection, non-blocking
 * @was_idle: whether it came from the pool, where the server may have closed it meanwhile
 * @schemas: schemas of the account's search path that exist, as a list for SET
 * @default_schema: the first of them, empty where there is none
 * @snapshot: (nullable): what the server said of it when the transaction began
 * @can_notice_loss: whether the server can look while it works whether we are still there
 *
 * One connection, used by one thread at a time.
 */
typedef struct {
  PGconn *pg;
  gboolean was_idle;
  char *schemas;
  char *default_schema;
  char *snapshot;
  gboolean can_notice_loss;
} PlumbPostgresConnection;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PGresult, PQclear)

/* Connecting (plumb-postgres-connection.c). */
gboolean plumb_postgres_accept_address (const PlumbSourceUri *address, GError **error);
PlumbPostgresConnection *plumb_postgres_connection_open (PlumbSource *source,
                                                         GCancellable *cancellable, GError **error);
void plumb_postgres_connection_free (PlumbPostgresConnection *self);
gboolean plumb_postgres_connection_is_alive (PlumbPostgresConnection *self);

/* Errors (plumb-postgres-error.c). */
gboolean plumb_postgres_set_connect_error (const char *message, GError **error);
gboolean plumb_postgres_set_result_error (const PGresult *result, GError **error);
gboolean plumb_postgres_set_lost_error (PGconn *pg, GError **error);

/* Talking (plumb-postgres-query.c). */
PGresult *plumb_postgres_next_result (PGconn *pg, gint64 deadline, GCancellable *cancellable,
                                      GError **error);
gboolean plumb_postgres_execute (PGconn *pg, const char *sql, GCancellable *cancellable,
                                 GError **error);
int plumb_postgres_next_copied (PGconn *pg, gint64 deadline, char **row, GCancellable *cancellable,
                                GError **error);
PGresult *plumb_postgres_ask (PGconn *pg, const char *sql, int n_values, const char *const *values,
                              GCancellable *cancellable, GError **error);
PGresult *plumb_postgres_prepare (PGconn *pg, const char *sql, GCancellable *cancellable,
                                  GError **error);
gboolean plumb_postgres_stop (PGconn *pg, gint64 deadline);
void plumb_postgres_stop_early (PGconn *pg);
gboolean plumb_postgres_drain (PGconn *pg, gint64 deadline);
const char *plumb_postgres_get_snapshot_question (PGconn *pg);
gboolean plumb_postgres_begin (PlumbPostgresConnection *self, gint64 timeout_ms,
                               GCancellable *cancellable, GError **error);
gboolean plumb_postgres_end (PlumbPostgresConnection *self);

/* Rows (plumb-postgres-rows.c). */

/* Tells the name of a type that isn't built in; (transfer full), or NULL. */
typedef char *(*PlumbPostgresTypeName) (Oid type, int modifier, gpointer user_data);

gboolean plumb_postgres_stream (PlumbPostgresConnection *self, const char *sql, PlumbRowSink *sink,
                                PlumbPostgresTypeName type_name, gpointer user_data,
                                GCancellable *cancellable, GError **error);

/* Rows as CSV (plumb-postgres-copy.c). */
gboolean plumb_postgres_copy (PGconn *pg, const char *sql, const PGresult *description,
                              PlumbRowSink *sink, GCancellable *cancellable, GError **error);

/* Looking (plumb-postgres-catalog.c, -probe.c, -objects.c). */
PlumbCatalog *plumb_postgres_read_catalog (PGconn *pg, const char *name, GCancellable *cancellable,
                                           GError **error);
gboolean plumb_postgres_count_tables (PGconn *pg, guint *n_tables, guint *n_selectable,
                                      GCancellable *cancellable, GError **error);
PlumbAccountProbe *plumb_postgres_probe (PlumbPostgresConnection *self, GCancellable *cancellable,
                                         GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlumbPostgresConnection, plumb_postgres_connection_free)

G_END_DECLS
