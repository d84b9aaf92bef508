/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-mariadb-source.h"
#include "plumb-source-private.h"

#include <mysql.h>

G_BEGIN_DECLS

/* What stands in front of each statement that a person or a model wrote, and where in that the mark
 * of the program begins, counted from 1. */
#define PLUMB_MARIADB_MARK_PREFIX "/* Plumbline "
#define PLUMB_MARIADB_MARK_AT 14

/* Engines whose tables stand for something outside of the server. */
#define PLUMB_MARIADB_FOREIGN_ENGINES \
  "'FEDERATED', 'FEDERATEDX', 'CONNECT', 'SPIDER', 'S3', 'SPHINX', 'OQGRAPH', 'MROONGA'"

typedef enum {
  PLUMB_MARIADB_GOES_ON,
  PLUMB_MARIADB_CANCELLED,
  PLUMB_MARIADB_OUT_OF_TIME,
} PlumbMariadbStop;

/**
 * PlumbMariadbConnection:
 * @source: whose it is
 * @mysql: the library's connection, non-blocking
 * @connected: whether the server knows it
 * @is_helper: whether it only stops the statement of another connection
 * @is_beginning: whether nothing that matters runs yet: the connection is given up, not rescued
 * @thread: its number at the server
 * @cancellable: (nullable): what the running call honours
 * @deadline: monotonic time at which the running call is stopped, 0 for never
 * @stop: whether and why the running call was stopped
 * @give_up_at: when to break the connection, since the server didn't stop when told
 * @kill_again_at: when to tell the server again to stop
 * @helper: (nullable): the connection from which the server was told to stop
 * @broken: whether it was broken
 * @confirmed: whether the server said that nothing of it runs any more
 *
 * One connection, used by one thread at a time. A call into the library is always brought to its
 * end: when it has to stop, another connection tells the server to stop it.
 */
typedef struct _PlumbMariadbConnection PlumbMariadbConnection;

struct _PlumbMariadbConnection {
  PlumbSource *source;
  MYSQL *mysql;
  gboolean connected;
  gboolean is_helper;
  gboolean is_beginning;
  gulong thread;
  GCancellable *cancellable;
  gint64 deadline;
  PlumbMariadbStop stop;
  gint64 give_up_at;
  gint64 kill_again_at;
  PlumbMariadbConnection *helper;
  gboolean broken;
  gboolean confirmed;
};

/* Connecting and errors (plumb-mariadb-connection.c, -error.c). */
extern const char *const plumb_mariadb_parameters[];

PlumbMariadbConnection *plumb_mariadb_connection_open (PlumbSource *source, gint64 deadline,
                                                       GCancellable *cancellable, GError **error);
void plumb_mariadb_connection_free (PlumbMariadbConnection *self);
gboolean plumb_mariadb_connection_is_alive (PlumbMariadbConnection *self);
gboolean plumb_mariadb_set_error (PlumbMariadbConnection *self, GError **error);

/* Versions (plumb-mariadb-version.c). */
gboolean plumb_mariadb_is_mariadb (const char *version);
char *plumb_mariadb_format_settings (const char *version, gint64 timeout_ms);

/* Talking (plumb-mariadb-query.c). */
gboolean plumb_mariadb_execute (PlumbMariadbConnection *self, const char *sql, GError **error);
MYSQL_RES *plumb_mariadb_ask (PlumbMariadbConnection *self, const char *sql, GError **error);
gboolean plumb_mariadb_begin (PlumbMariadbConnection *self, gint64 timeout_ms,
                              GCancellable *cancellable, GError **error);
gboolean plumb_mariadb_end (PlumbMariadbConnection *self);
char *plumb_mariadb_read_generation (PlumbMariadbConnection *self, GCancellable *cancellable,
                                     GError **error);
int plumb_mariadb_await (PlumbMariadbConnection *self, int status);
void plumb_mariadb_look (PlumbMariadbConnection *self);
void plumb_mariadb_end_orphans (PlumbMariadbConnection *self);
void plumb_mariadb_stop (PlumbMariadbConnection *self);

/* The source's idle connections (plumb-mariadb-source.c). */
PlumbMariadbConnection *plumb_mariadb_source_take_idle (PlumbSource *source);
void plumb_mariadb_source_give_back (PlumbSource *source, PlumbMariadbConnection *connection);

/* Rows (plumb-mariadb-rows.c). */
gboolean plumb_mariadb_stream (PlumbMariadbConnection *self, const char *sql, PlumbRowSink *sink,
                               GError **error);

/* Looking (plumb-mariadb-catalog.c, -probe.c, -check.c). */
PlumbCatalog *plumb_mariadb_read_catalog (PlumbMariadbConnection *self, GError **error);
void plumb_mariadb_read_grant (const char *grant, PlumbAccountProbe *probe);
PlumbAccountProbe *plumb_mariadb_probe (PlumbMariadbConnection *self, GError **error);
PlumbStatement *plumb_mariadb_check (PlumbMariadbConnection *connection,
                                     PlumbSourceLookups *lookups, const char *generation,
                                     const char *sql, PlumbCatalog *catalog,
                                     GCancellable *cancellable, gboolean *begun, GError **error);

typedef MYSQL_RES PlumbMariadbResult;
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlumbMariadbResult, mysql_free_result)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlumbMariadbConnection, plumb_mariadb_connection_free)

G_END_DECLS
