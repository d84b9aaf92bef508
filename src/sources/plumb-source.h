/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-records.h"
#include "plumb-result.h"
#include "plumb-statement.h"

G_BEGIN_DECLS

/**
 * PLUMB_SOURCE_ERROR:
 *
 * What goes wrong at a source. The server's own message is kept, and the source's name stands in
 * it.
 */
#define PLUMB_SOURCE_ERROR (plumb_source_error_quark ())

/**
 * PlumbSourceError:
 * @PLUMB_SOURCE_ERROR_ADDRESS: the address can't be read, or the file is none
 * @PLUMB_SOURCE_ERROR_CONNECT: no connection (host, port, TLS)
 * @PLUMB_SOURCE_ERROR_AUTHENTICATION: account or password
 * @PLUMB_SOURCE_ERROR_LOST: the connection broke; the next statement reconnects
 * @PLUMB_SOURCE_ERROR_STATEMENT: the server says no to the statement (syntax, missing table …)
 * @PLUMB_SOURCE_ERROR_DENIED: the account may not read that
 * @PLUMB_SOURCE_ERROR_NO_ROWS: a `catalog:` source, which has no rows to run on
 */
typedef enum {
  PLUMB_SOURCE_ERROR_ADDRESS,
  PLUMB_SOURCE_ERROR_CONNECT,
  PLUMB_SOURCE_ERROR_AUTHENTICATION,
  PLUMB_SOURCE_ERROR_LOST,
  PLUMB_SOURCE_ERROR_STATEMENT,
  PLUMB_SOURCE_ERROR_DENIED,
  PLUMB_SOURCE_ERROR_NO_ROWS,
} PlumbSourceError;

GQuark plumb_source_error_quark (void);

#define PLUMB_TYPE_SOURCE (plumb_source_get_type ())
G_DECLARE_DERIVABLE_TYPE (PlumbSource, plumb_source, PLUMB, SOURCE, GObject)

/**
 * PlumbSourceProgress: told what a call is doing while it waits or works, in the calling thread
 */
typedef void (*PlumbSourceProgress) (const char *doing, gpointer user_data);

/**
 * PlumbSourceClass:
 *
 * What a back end does. Every call blocks, may come from any thread, honours the cancellable at
 * the server (not only here), and connects by itself where there is no connection or it was lost.
 * The server bounds what Plumbline asks for itself to PLUMB_SOURCE_OWN_BUDGET_MS where it can.
 * The public plumb_source_… calls add what is the same everywhere: a free slot (at most 4
 * statements at a time against one database), time, and the source's name in errors.
 */
struct _PlumbSourceClass {
  GObjectClass parent_class;

  PlumbDialect dialect;
  const char *engine; /* "PostgreSQL" … as shown to people and to the model */

  /* (nullable): where instances of one engine differ in it. */
  PlumbDialect (*get_dialect) (PlumbSource *self);
  /* (nullable): likewise; the name is never freed. */
  const char *(*get_engine) (PlumbSource *self);
  /* Says no to an address that this engine can't use, before anything is connected. */
  gboolean (*accept_address) (PlumbSource *self, GError **error);
  gboolean (*connect) (PlumbSource *self, GCancellable *cancellable, GError **error);
  PlumbCatalog *(*read_catalog) (PlumbSource *self, GCancellable *cancellable, GError **error);
  gboolean (*run) (PlumbSource *self, const char *sql, const PlumbLimits *limits,
                   PlumbRowSink *sink, GCancellable *cancellable, GError **error);
  char *(*explain) (PlumbSource *self, const char *sql, const PlumbLimits *limits, double *rows,
                    double *cost, GCancellable *cancellable, GError **error);
  PlumbAccountProbe *(*probe) (PlumbSource *self, GCancellable *cancellable, GError **error);
  PlumbStatement *(*check) (PlumbSource *self, const char *sql, PlumbCatalog *catalog,
                            GCancellable *cancellable, GError **error);
  char *(*get_version) (PlumbSource *self, GCancellable *cancellable, GError **error);
};

/* Making one. @password may be NULL; it is kept in memory only and never stands in an error. */
PlumbSource *plumb_source_new (const char *name, const char *uri, const char *password,
                               GError **error);
char *plumb_source_uri_strip_password (const char *uri, char **password, GError **error);
char *plumb_source_uri_get_title (const char *uri);

const char *plumb_source_get_name (PlumbSource *self);
const char *plumb_source_get_uri (PlumbSource *self);
const char *plumb_source_get_password (PlumbSource *self);
void plumb_source_set_password (PlumbSource *self, const char *password);
PlumbDialect plumb_source_get_dialect (PlumbSource *self);
const char *plumb_source_get_engine (PlumbSource *self);
gboolean plumb_source_has_rows (PlumbSource *self);
guint plumb_source_get_concurrency (PlumbSource *self);
void plumb_source_set_concurrency (PlumbSource *self, guint at_most);
void plumb_source_set_patience (PlumbSource *self, gint64 patience_ms);

gboolean plumb_source_connect (PlumbSource *self, GCancellable *cancellable, GError **error);
char *plumb_source_get_version (PlumbSource *self, GCancellable *cancellable, GError **error);
PlumbCatalog *plumb_source_read_catalog (PlumbSource *self, GCancellable *cancellable,
                                         GError **error);
PlumbStatement *plumb_source_check (PlumbSource *self, const char *sql, PlumbCatalog *catalog,
                                    GCancellable *cancellable, GError **error);
gboolean plumb_source_run (PlumbSource *self, const char *sql, const PlumbLimits *limits,
                           PlumbRowSink *sink, PlumbSourceProgress progress, gpointer user_data,
                           GCancellable *cancellable, GError **error);
char *plumb_source_explain (PlumbSource *self, const char *sql, const PlumbLimits *limits,
                            double *rows, double *cost, GCancellable *cancellable, GError **error);
PlumbAccountProbe *plumb_source_probe (PlumbSource *self, GCancellable *cancellable,
                                       GError **error);

G_END_DECLS
