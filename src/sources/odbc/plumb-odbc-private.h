/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-odbc-source.h"
#include "plumb-source-private.h"

#include <sql.h>
#include <sqlext.h>

G_BEGIN_DECLS

typedef enum {
  PLUMB_ODBC_GENERIC,
  PLUMB_ODBC_POSTGRES,
  PLUMB_ODBC_SQLITE,
  PLUMB_ODBC_ORACLE,
  PLUMB_ODBC_TIBERO,
  PLUMB_ODBC_SQLSERVER,
} PlumbOdbcEngine;

typedef enum {
  PLUMB_ODBC_GOES_ON,
  PLUMB_ODBC_CANCELLED,
  PLUMB_ODBC_OUT_OF_TIME,
} PlumbOdbcStop;

/**
 * PlumbOdbcFault:
 * @state: the first record's SQLSTATE, "" for none
 * @native: the server's own number
 * @message: (nullable): what driver manager, driver and server say
 */
typedef struct {
  char state[6];
  int native;
  char *message;
} PlumbOdbcFault;

/**
 * PlumbOdbcQuestion: what an execution asks; all but the first are functions of the driver
 */
typedef enum {
  PLUMB_ODBC_ASK_SQL,
  PLUMB_ODBC_ASK_TABLES,
  PLUMB_ODBC_ASK_COLUMNS,
  PLUMB_ODBC_ASK_PRIMARY_KEY,
  PLUMB_ODBC_ASK_FOREIGN_KEYS,
} PlumbOdbcQuestion;

typedef struct {
  gsize start;
  gsize length;
  gboolean is_null;
} PlumbOdbcCell;

typedef struct _PlumbOdbcConnection PlumbOdbcConnection;

/* Runs in the connection's own thread; may touch nothing of the caller's. FALSE with a fault. */
typedef gboolean (*PlumbOdbcWork) (PlumbOdbcConnection *self);

/**
 * PlumbOdbcConnection:
 * @source: (unowned): whose it is; for the caller's thread only
 * @engine: what the driver is connected to
 * @asked_engine: whether the address says what it is
 * @is_psqlodbc: whether the driver is PostgreSQL's, which streams only when told to
 * @is_narrow: whether text is taken as the driver's bytes, which are UTF-8, and not as UTF-16
 * @has_transactions: whether the driver stops committing by itself
 * @refuses_read_only: whether an engine that isn't known has no read-only transactions
 * @is_set_up: whether the session was told how to write values
 * @process: (nullable): the session's number at the server, where another session can end it
 * @text: (nullable): what is to be executed, or the connection string, in UTF-16
 * @arguments: catalog, schema and table of a driver's catalog function, in UTF-16
 * @time_limit_s: time limit that the driver is asked to keep, 0 for none
 * @max_rows: rows that the driver is asked to give at most, 0 for all
 * @max_cell: bytes after which a cell is given up, 0 for none
 * @columns: (element-type PlumbResultColumn): columns of what was executed
 * @c_types: (element-type gint16): as what each column is fetched
 * @bytes: what was fetched last
 * @cells: (element-type PlumbOdbcCell): where in @bytes each cell is
 * @at_end: whether there are no more rows
 * @fault: what went wrong last
 *
 * One connection with a thread of its own, since a driver's calls block, and some of them can't be
 * stopped. One caller at a time gives the thread something to do and waits for it; a caller that
 * can't wait any longer leaves the thread behind, which cleans up when the driver comes back.
 *
 * Between calls all of it is the caller's; while a call works, only what stands behind @lock is.
 */
struct _PlumbOdbcConnection {
  PlumbSource *source;
  PlumbOdbcEngine engine;
  gboolean asked_engine;
  gboolean is_psqlodbc;
  gboolean is_narrow;
  gboolean has_transactions;
  gboolean refuses_read_only;
  gboolean is_set_up;
  char *dbms;
  char *version;
  char *driver;
  char *account;
  char *catalog;
  char *process;

  SQLHENV environment;
  SQLHDBC dbc;
  SQLHSTMT statement;
  PlumbOdbcQuestion question;
  SQLWCHAR *text;
  SQLWCHAR *arguments[3];
  gint64 time_limit_s;
  gint64 max_rows;
  gint64 max_cell;
  GPtrArray *columns;
  GArray *c_types;
  GString *bytes;
  GString *wide;
  GArray *cells;
  gboolean at_end;
  PlumbOdbcFault fault;

  GCancellable *cancellable;
  gint64 deadline;
  PlumbOdbcStop stop;
  gboolean is_helper;

  GMutex lock;
  GCond changed;
  PlumbOdbcWork work;
  gboolean good;
  gboolean connected;
  gboolean quit;
  gboolean ended;
  gboolean abandoned;
  gboolean cancelling;
};

/* Text and addresses (plumb-odbc-text.c, -address.c). */
SQLWCHAR *plumb_odbc_to_wide (const char *text);
void plumb_odbc_append_wide (GString *text, const SQLWCHAR *wide, gsize n);
char *plumb_odbc_from_wide (const SQLWCHAR *wide, gssize n);
char *plumb_odbc_get_key (const PlumbSourceUri *address, const char *key);
gboolean plumb_odbc_accept_address (const PlumbSourceUri *address, GError **error);
char *plumb_odbc_connection_string (const PlumbSourceUri *address, const char *password);

/* Engines (plumb-odbc-engine.c). */
gboolean plumb_odbc_engine_from_key (const char *key, PlumbOdbcEngine *engine);
PlumbOdbcEngine plumb_odbc_engine_from_dbms (const char *dbms);
PlumbDialect plumb_odbc_engine_get_dialect (PlumbOdbcEngine engine);
const char *plumb_odbc_engine_get_name (PlumbOdbcEngine engine);

/* Connecting and calling (plumb-odbc-connection.c, -open.c). */
PlumbOdbcConnection *plumb_odbc_connection_new (PlumbSource *source);
PlumbOdbcConnection *plumb_odbc_connection_open (PlumbSource *source, gint64 deadline,
                                                 GCancellable *cancellable, GError **error);
void plumb_odbc_connection_free (PlumbOdbcConnection *self);
gboolean plumb_odbc_call (PlumbOdbcConnection *self, PlumbOdbcWork work, GError **error);

/* Errors (plumb-odbc-error.c). */
gboolean plumb_odbc_take_fault (PlumbOdbcConnection *self, SQLSMALLINT kind, SQLHANDLE handle);
gboolean plumb_odbc_set_error (PlumbOdbcConnection *self, GError **error);

/* Talking (plumb-odbc-query.c). */
typedef struct {
  guint n_columns;
  GPtrArray *rows;
} PlumbOdbcRows;

gboolean plumb_odbc_execute (PlumbOdbcConnection *self, const char *sql, GError **error);
PlumbOdbcRows *plumb_odbc_ask (PlumbOdbcConnection *self, const char *sql, GError **error);
PlumbOdbcRows *plumb_odbc_ask_driver (PlumbOdbcConnection *self, PlumbOdbcQuestion question,
                                      const char *catalog, const char *schema, const char *table,
                                      GError **error);
char *plumb_odbc_ask_one (PlumbOdbcConnection *self, const char *sql, GError **error);
const char *plumb_odbc_rows_get (const PlumbOdbcRows *self, guint row, guint column);
void plumb_odbc_rows_free (PlumbOdbcRows *self);
gboolean plumb_odbc_begin (PlumbOdbcConnection *self, gint64 timeout_ms, GCancellable *cancellable,
                           GError **error);
gboolean plumb_odbc_end (PlumbOdbcConnection *self);

/* Rows (plumb-odbc-rows.c). */
gboolean plumb_odbc_describe (PlumbOdbcConnection *self);
gboolean plumb_odbc_fetch (PlumbOdbcConnection *self);
gboolean plumb_odbc_stream (PlumbOdbcConnection *self, const char *sql, const PlumbLimits *limits,
                            PlumbRowSink *sink, GError **error);

/* Looking (plumb-odbc-catalog*.c, -probe.c, -check.c). */
PlumbCatalog *plumb_odbc_read_catalog (PlumbOdbcConnection *self, GError **error);
gboolean plumb_odbc_read_oracle (PlumbOdbcConnection *self, PlumbCatalog *catalog, GError **error);
gboolean plumb_odbc_read_sqlserver (PlumbOdbcConnection *self, PlumbCatalog *catalog,
                                    GError **error);
void plumb_odbc_take_key (PlumbOdbcRows *rows, guint i, PlumbTable *table, gboolean is_primary);
void plumb_odbc_take_foreign_key (PlumbOdbcRows *rows, guint i, PlumbTable *table);
PlumbAccountProbe *plumb_odbc_probe (PlumbOdbcConnection *self, GError **error);
PlumbStatement *plumb_odbc_check (PlumbOdbcConnection *self, const char *sql, PlumbCatalog *catalog,
                                  GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlumbOdbcConnection, plumb_odbc_connection_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlumbOdbcRows, plumb_odbc_rows_free)

G_END_DECLS
