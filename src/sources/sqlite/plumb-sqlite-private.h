/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-source-private.h"

#include <sqlite3.h>
#include <sys/stat.h>

G_BEGIN_DECLS

/**
 * PlumbSqliteConnection:
 * @db: the handle
 * @file: which file it was, should another one be put in its place
 * @guarded: whether the authorizer holds; off only for Plumbline's own look at the catalog
 * @reads: (nullable): names of the tables that are read, while someone wants to know
 * @refused: (nullable): what the authorizer said no to, in words
 * @cancellable: (nullable): what the running statement honours
 * @deadline: monotonic time at which it ends, 0 for never
 * @busy_since: monotonic time since which it waits for a lock
 *
 * One connection, used by one thread at a time.
 */
typedef struct {
  sqlite3 *db;
  struct stat file;
  gboolean guarded;
  GHashTable *reads;
  char *refused;
  GCancellable *cancellable;
  gulong interrupt_handler;
  gint64 deadline;
  gint64 busy_since;
} PlumbSqliteConnection;

PlumbSqliteConnection *plumb_sqlite_connection_open (const char *path, gboolean immutable,
                                                     GCancellable *cancellable, GError **error);
void plumb_sqlite_connection_free (PlumbSqliteConnection *self);
gboolean plumb_sqlite_connection_is_fresh (PlumbSqliteConnection *self, const char *path);
void plumb_sqlite_connection_begin (PlumbSqliteConnection *self, gint64 timeout_ms,
                                    GCancellable *cancellable);
void plumb_sqlite_connection_end (PlumbSqliteConnection *self);
gboolean plumb_sqlite_connection_set_error (PlumbSqliteConnection *self, GError **error);
sqlite3_stmt *plumb_sqlite_connection_prepare (PlumbSqliteConnection *self, const char *sql,
                                               GError **error);

/* Plumbline's own questions, without the authorizer. */
char *plumb_sqlite_connection_ask (PlumbSqliteConnection *self, const char *sql, GError **error);

gboolean plumb_sqlite_run (PlumbSqliteConnection *self, const char *sql, PlumbRowSink *sink,
                           GError **error);
char *plumb_sqlite_explain (PlumbSqliteConnection *self, const char *sql, GError **error);

void plumb_sqlite_add_functions (PlumbSqliteConnection *self);
int plumb_sqlite_authorize (gpointer connection, int action, const char *first, const char *second,
                            const char *database, const char *inner);

PlumbCatalog *plumb_sqlite_read_catalog (PlumbSqliteConnection *self, const char *name,
                                         gboolean with_rows, GError **error);
void plumb_sqlite_read_comments (const char *create_sql, PlumbTable *table);
char *plumb_sqlite_get_view_definition (PlumbSqliteConnection *self, const char *name);
gboolean plumb_sqlite_check_reads (PlumbSqliteConnection *self, const char *sql,
                                   PlumbStatement *statement, GError **error);

typedef sqlite3_stmt PlumbSqliteStatement;
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlumbSqliteStatement, sqlite3_finalize)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlumbSqliteConnection, plumb_sqlite_connection_free)

G_END_DECLS
