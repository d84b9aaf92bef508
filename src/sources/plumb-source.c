/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-source.h"

#include "catalog/plumb-catalog-source.h"
#include "clickhouse/plumb-clickhouse-source.h"
#include "mariadb/plumb-mariadb-source.h"
#include "odbc/plumb-odbc-source.h"
#include "plumb-source-private.h"
#include "postgres/plumb-postgres-source.h"
#include "sqlite/plumb-sqlite-source.h"

#include <string.h>

/* Statements at a time against one database, whoever asks. */
#define DEFAULT_CONCURRENCY 4
/* How long what Plumbline asks for itself may take: reading a catalog, and anything else. */
#define CATALOG_PATIENCE_MS (600 * 1000)
#define QUESTION_PATIENCE_MS (60 * 1000)
/* How long after the time budget our own watchdog waits for the server's to act first. */
#define WATCHDOG_GRACE_MS 2000
/* Shorter passwords are not looked for in messages: they would be found in ordinary words. */
#define SHORTEST_REDACTED 4

typedef struct {
  char *name;
  char *uri;
  PlumbSourceUri *address;
  PlumbSourceSlots *slots;
  GMutex lock;
  char *password;
  guint concurrency;
  gint64 patience_ms;
} PlumbSourcePrivate;

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (PlumbSource, plumb_source, G_TYPE_OBJECT)
G_DEFINE_QUARK (plumb-source-error-quark, plumb_source_error)

#define PRIVATE(self) ((PlumbSourcePrivate *) plumb_source_get_instance_private (self))

/* Which back end speaks for a scheme. */
static const struct {
  const char *scheme;
  GType (*get_type) (void);
} engines[] = {
  { "sqlite", plumb_sqlite_source_get_type },
  { "postgresql", plumb_postgres_source_get_type },
  { "postgres", plumb_postgres_source_get_type },
  { "mariadb", plumb_mariadb_source_get_type },
  { "mysql", plumb_mariadb_source_get_type },
  { "clickhouse", plumb_clickhouse_source_get_type },
  { "odbc", plumb_odbc_source_get_type },
  { "catalog", plumb_catalog_source_get_type },
};

static void
plumb_source_finalize (GObject *object)
{
  PlumbSourcePrivate *private = PRIVATE (PLUMB_SOURCE (object));

  g_free (private->name);
  g_free (private->uri);
  g_free (private->password);
  plumb_source_uri_free (private->address);
  g_clear_pointer (&private->slots, plumb_source_slots_unref);
  g_mutex_clear (&private->lock);
  G_OBJECT_CLASS (plumb_source_parent_class)->finalize (object);
}

static void
plumb_source_class_init (PlumbSourceClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = plumb_source_finalize;
}

static void
plumb_source_init (PlumbSource *self)
{
  g_mutex_init (&PRIVATE (self)->lock);
  PRIVATE (self)->concurrency = DEFAULT_CONCURRENCY;
  PRIVATE (self)->patience_ms = CATALOG_PATIENCE_MS;
}

static GType
find_engine (const char *scheme)
{
  for (guint i = 0; i < G_N_ELEMENTS (engines); i++) {
    if (strcmp (engines[i].scheme, scheme) == 0)
      return engines[i].get_type ();
  }
  return G_TYPE_INVALID;
}

/**
 * plumb_source_new:
 * @name: the source's name, which is the database's name for people and models
 * @uri: its address, see DESIGN section 11; a password in it is taken out and kept apart
 * @password: (nullable): the password; wins over one in @uri
 * @error: return location
 *
 * Makes a source. Nothing is connected yet.
 *
 * Returns: (transfer full): the source, or %NULL with PLUMB_SOURCE_ERROR_ADDRESS
 */
PlumbSource *
plumb_source_new (const char *name, const char *uri, const char *password, GError **error)
{
  g_autoptr (PlumbSourceUri) address = plumb_source_uri_parse (uri, error);
  g_autoptr (PlumbSource) self = NULL;
  PlumbSourcePrivate *private;
  GType type;

  if (address == NULL) {
    g_prefix_error (error, "%s: ", name);
    return NULL;
  }
  type = find_engine (address->scheme);
  if (type == G_TYPE_INVALID) {
    g_set_error (error, PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_ADDRESS,
                 "%s: This version can't connect to %s databases yet.", name, address->scheme);
    return NULL;
  }
  self = g_object_new (type, NULL);
  private = PRIVATE (self);
  private->name = g_strdup (name);
  private->uri = plumb_source_uri_format (address);
  private->password = password != NULL ? g_strdup (password) : g_steal_pointer (&address->password);
  private->address = g_steal_pointer (&address);
  private->slots = plumb_source_slots_get (private->uri);
  if (!PLUMB_SOURCE_GET_CLASS (self)->accept_address (self, error)) {
    g_prefix_error (error, "%s: ", name);
    return NULL;
  }
  return g_steal_pointer (&self);
}

/** plumb_source_get_name: Returns: (transfer none): the source's name */
const char *
plumb_source_get_name (PlumbSource *self)
{
  return PRIVATE (self)->name;
}

/** plumb_source_get_uri: Returns: (transfer none): the address, without a password */
const char *
plumb_source_get_uri (PlumbSource *self)
{
  return PRIVATE (self)->uri;
}

/** plumb_source_get_address: Returns: (transfer none): the address, taken apart, without a password
 */
const PlumbSourceUri *
plumb_source_get_address (PlumbSource *self)
{
  return PRIVATE (self)->address;
}

/** plumb_source_dup_password: Returns: (transfer full) (nullable): a copy of the password */
char *
plumb_source_dup_password (PlumbSource *self)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&PRIVATE (self)->lock);

  return g_strdup (PRIVATE (self)->password);
}

/** plumb_source_get_password: Returns: (transfer none) (nullable): the password; valid until it is
 * set */
const char *
plumb_source_get_password (PlumbSource *self)
{
  return PRIVATE (self)->password;
}

/** plumb_source_set_password: sets the password for connections made from now on */
void
plumb_source_set_password (PlumbSource *self, const char *password)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&PRIVATE (self)->lock);
  char *copy = g_strdup (password);

  g_free (PRIVATE (self)->password);
  PRIVATE (self)->password = copy;
}

/** plumb_source_get_concurrency: Returns: how many statements may run at a time against its database */
guint
plumb_source_get_concurrency (PlumbSource *self)
{
  return PRIVATE (self)->concurrency;
}

/** plumb_source_set_concurrency: sets how many statements may run at a time against its database */
void
plumb_source_set_concurrency (PlumbSource *self, guint at_most)
{
  PRIVATE (self)->concurrency = MAX (at_most, 1);
}

/**
 * plumb_source_set_patience:
 * @patience_ms: milliseconds, more than 0
 *
 * Sets how long at most Plumbline waits for what it asks for itself: ten minutes for a catalog and
 * one minute for the rest where nothing is set. A statement has its own time budget.
 */
void
plumb_source_set_patience (PlumbSource *self, gint64 patience_ms)
{
  PRIVATE (self)->patience_ms = MAX (patience_ms, 1);
}

/** plumb_source_get_dialect: Returns: the SQL that it speaks */
PlumbDialect
plumb_source_get_dialect (PlumbSource *self)
{
  PlumbSourceClass *klass = PLUMB_SOURCE_GET_CLASS (self);

  return klass->get_dialect != NULL ? klass->get_dialect (self) : klass->dialect;
}

/** plumb_source_get_engine: Returns: (transfer none): "PostgreSQL", "SQLite" …; of an ODBC source
 *   what it is connected to, "ODBC" before it was */
const char *
plumb_source_get_engine (PlumbSource *self)
{
  PlumbSourceClass *klass = PLUMB_SOURCE_GET_CLASS (self);

  return klass->get_engine != NULL ? klass->get_engine (self) : klass->engine;
}

/** plumb_source_has_rows: Returns: whether statements can be run on it */
gboolean
plumb_source_has_rows (PlumbSource *self)
{
  return PLUMB_SOURCE_GET_CLASS (self)->run != NULL;
}

/**
 * plumb_source_only_parameters:
 * @known: (array zero-terminated=1): the parameters that the engine knows
 *
 * Returns: whether the address has no other ones; %FALSE with PLUMB_SOURCE_ERROR_ADDRESS, since a
 *   misspelled parameter that is silently ignored may be the one that asks for encryption
 */
gboolean
plumb_source_only_parameters (const PlumbSourceUri *uri, const char *const *known, GError **error)
{
  g_autofree char *list = NULL;

  for (guint i = 0; i < uri->parameter_names->len; i++) {
    const char *name = g_ptr_array_index (uri->parameter_names, i);

    if (g_strv_contains (known, name))
      continue;
    list = g_strjoinv (", ", (char **) known);
    g_set_error (error, PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_ADDRESS,
                 "The address has a parameter “%s” that isn't known here. Known are: %s.", name,
                 *list != '\0' ? list : "none");
    return FALSE;
  }
  return TRUE;
}

/**
 * plumb_source_check_number:
 * @name: a parameter
 * @most: the largest number that it may be
 *
 * Returns: whether the parameter is missing or a whole number from 0 to @most; %FALSE with
 *   PLUMB_SOURCE_ERROR_ADDRESS, since `secure=true` taken for 0 would send a password in the clear
 */
gboolean
plumb_source_check_number (const PlumbSourceUri *uri, const char *name, guint most, GError **error)
{
  const char *value = plumb_source_uri_get_parameter (uri, name);

  if (value == NULL || g_ascii_string_to_unsigned (value, 10, 0, most, NULL, NULL))
    return TRUE;
  g_set_error (error, PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_ADDRESS,
               "The parameter “%s” in the address must be a number from 0 to %u.", name, most);
  return FALSE;
}

/* Puts the source's name in front of what a source says, and takes the password out should a server
 * have repeated it. Cancelling, and what the receiver of the rows says, stay as they are. */
static void
finish_error (PlumbSource *self, GError **error, GError *inner)
{
  g_autofree char *password = plumb_source_dup_password (self);

  if (inner->domain == PLUMB_SOURCE_ERROR || inner->domain == PLUMB_ERROR)
    g_prefix_error (&inner, "%s: ", PRIVATE (self)->name);
  if (password != NULL && strlen (password) >= SHORTEST_REDACTED &&
      strstr (inner->message, password) != NULL) {
    g_auto (GStrv) parts = g_strsplit (inner->message, password, -1);

    g_free (inner->message);
    inner->message = g_strjoinv ("…", parts);
  }
  g_propagate_error (error, inner);
}

static gboolean
finish_boolean (PlumbSource *self, gboolean good, GError **error, GError *inner)
{
  if (!good)
    finish_error (self, error, inner);
  return good;
}

static gpointer
finish_pointer (PlumbSource *self, gpointer result, GError **error, GError *inner)
{
  if (result == NULL)
    finish_error (self, error, inner);
  return result;
}

/* A network that has gone silent breaks no connection by itself, so each of Plumbline's own
 * questions is watched too. */
static PlumbWatchdog *
watch_question (PlumbSource *self, gint64 patience_ms, GCancellable *cancellable)
{
  return plumb_watchdog_start (cancellable, MIN (patience_ms, PRIVATE (self)->patience_ms));
}

static void
end_question (PlumbSource *self, PlumbWatchdog *watchdog, gint64 patience_ms, GError **inner)
{
  gboolean bitten = plumb_watchdog_stop (watchdog);
  gboolean cancelled = g_error_matches (*inner, G_IO_ERROR, G_IO_ERROR_CANCELLED);

  if (!bitten || (!cancelled && !g_error_matches (*inner, PLUMB_SOURCE_ERROR,
                                                  PLUMB_SOURCE_ERROR_LOST)))
    return;
  g_clear_error (inner);
  g_set_error (inner, PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_LOST,
               "The server did not answer within %g s. Check the network to it, and that it isn't "
               "overloaded; the next question connects again.",
               MIN (patience_ms, PRIVATE (self)->patience_ms) / 1000.0);
}

/** plumb_source_connect: Returns: whether the source can be reached; connects where it isn't yet */
gboolean
plumb_source_connect (PlumbSource *self, GCancellable *cancellable, GError **error)
{
  PlumbWatchdog *watchdog = watch_question (self, QUESTION_PATIENCE_MS, cancellable);
  GError *inner = NULL;
  gboolean good = PLUMB_SOURCE_GET_CLASS (self)->connect (
    self, plumb_watchdog_get_cancellable (watchdog), &inner);

  end_question (self, watchdog, QUESTION_PATIENCE_MS, &inner);
  return finish_boolean (self, good, error, inner);
}

/** plumb_source_get_version: Returns: (transfer full): the server's version, "15.4"; %NULL with an
 * error */
char *
plumb_source_get_version (PlumbSource *self, GCancellable *cancellable, GError **error)
{
  PlumbWatchdog *watchdog = watch_question (self, QUESTION_PATIENCE_MS, cancellable);
  GError *inner = NULL;
  char *version = PLUMB_SOURCE_GET_CLASS (self)->get_version (
    self, plumb_watchdog_get_cancellable (watchdog), &inner);

  end_question (self, watchdog, QUESTION_PATIENCE_MS, &inner);
  return finish_pointer (self, version, error, inner);
}

/** plumb_source_read_catalog: Returns: (transfer full): what the source holds; %NULL with an error
 */
PlumbCatalog *
plumb_source_read_catalog (PlumbSource *self, GCancellable *cancellable, GError **error)
{
  PlumbSourcePrivate *private = PRIVATE (self);
  GError *inner = NULL;
  PlumbWatchdog *watchdog;
  PlumbCatalog *catalog;

  if (!plumb_source_slots_acquire (private->slots, private->concurrency, NULL, NULL, cancellable,
                                   error))
    return NULL;
  watchdog = watch_question (self, CATALOG_PATIENCE_MS, cancellable);
  catalog = PLUMB_SOURCE_GET_CLASS (self)->read_catalog (
    self, plumb_watchdog_get_cancellable (watchdog), &inner);
  end_question (self, watchdog, CATALOG_PATIENCE_MS, &inner);
  plumb_source_slots_release (private->slots);
  return finish_pointer (self, catalog, error, inner);
}

/**
 * plumb_source_check:
 * @sql: one statement
 * @catalog: (nullable): the source's tables, where the caller has them; else they are read
 *
 * The statement check, with all that this source can tell about it. It takes no slot: what it asks
 * of the server are short look-ups in the catalog, and it must answer while long statements run.
 *
 * Returns: (transfer full): the verdict; %NULL with an error where the source couldn't be asked
 */
PlumbStatement *
plumb_source_check (PlumbSource *self, const char *sql, PlumbCatalog *catalog,
                    GCancellable *cancellable, GError **error)
{
  PlumbWatchdog *watchdog = watch_question (self, QUESTION_PATIENCE_MS, cancellable);
  GError *inner = NULL;
  PlumbStatement *statement = PLUMB_SOURCE_GET_CLASS (self)->check (
    self, sql, catalog, plumb_watchdog_get_cancellable (watchdog), &inner);

  end_question (self, watchdog, QUESTION_PATIENCE_MS, &inner);
  return finish_pointer (self, statement, error, inner);
}

/* The watchdog's cancelling looks like the caller's to a back end: here it becomes a timeout. */
static void
name_timeout (gboolean bitten, const PlumbLimits *limits, GError **inner)
{
  if (!bitten || *inner == NULL || !g_error_matches (*inner, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  g_clear_error (inner);
  g_set_error (
    inner, PLUMB_ERROR, PLUMB_ERROR_TIMED_OUT,
    "The statement was stopped after its time budget of %g s. Narrow it down, or allow it "
    "more time.",
    limits->timeout_ms / 1000.0);
}

static PlumbWatchdog *
start_watchdog (const PlumbLimits *limits, GCancellable *cancellable)
{
  gint64 timeout = limits->timeout_ms > 0 ? limits->timeout_ms + WATCHDOG_GRACE_MS : 0;

  return plumb_watchdog_start (cancellable, timeout);
}

static gboolean
must_have_rows (PlumbSource *self, GError **error)
{
  if (plumb_source_has_rows (self))
    return TRUE;
  g_set_error (error, PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_NO_ROWS,
               "%s: This source is a schema without rows: statements can be planned and checked "
               "here, but not run.", PRIVATE (self)->name);
  return FALSE;
}

/**
 * plumb_source_run:
 * @sql: one statement that passed plumb_source_check()
 * @limits: (nullable): what bounds it at the server; %NULL for PLUMB_LIMITS_DEFAULT
 * @sink: where the rows go
 * @progress: (nullable): told, in this thread, while the statement waits for a free slot
 *
 * Runs a statement, read-only. The caps on rows and bytes are the sink's to hold; @limits tell the
 * server what to expect. Its time budget begins when it has its slot.
 *
 * Returns: whether it ended well; %FALSE with an error of the source, of the sink,
 *   PLUMB_ERROR_TIMED_OUT or G_IO_ERROR_CANCELLED
 */
gboolean
plumb_source_run (PlumbSource *self, const char *sql, const PlumbLimits *limits, PlumbRowSink *sink,
                  PlumbSourceProgress progress, gpointer user_data, GCancellable *cancellable,
                  GError **error)
{
  PlumbSourcePrivate *private = PRIVATE (self);
  PlumbLimits defaults = PLUMB_LIMITS_DEFAULT;
  GError *inner = NULL;
  PlumbWatchdog *watchdog;
  gboolean good;

  if (!must_have_rows (self, error) ||
      !plumb_source_slots_acquire (private->slots, private->concurrency, progress, user_data,
                                   cancellable, error))
    return FALSE;
  limits = limits != NULL ? limits : &defaults;
  watchdog = start_watchdog (limits, cancellable);
  good = PLUMB_SOURCE_GET_CLASS (self)->run (self, sql, limits, sink,
                                             plumb_watchdog_get_cancellable (watchdog), &inner);
  name_timeout (plumb_watchdog_stop (watchdog), limits, &inner);
  plumb_source_slots_release (private->slots);
  return finish_boolean (self, good, error, inner);
}

/**
 * plumb_source_explain:
 * @sql: one statement that passed plumb_source_check()
 * @limits: (nullable): its time budget is the only limit that counts here
 * @rows: (out) (optional): rows that the engine expects, -1 where it doesn't say
 * @cost: (out) (optional): cost in the engine's own unit, -1 where it doesn't say
 *
 * Returns: (transfer full): the engine's plan as text; the statement isn't run. %NULL with an error
 */
char *
plumb_source_explain (PlumbSource *self, const char *sql, const PlumbLimits *limits, double *rows,
                      double *cost, GCancellable *cancellable, GError **error)
{
  PlumbSourcePrivate *private = PRIVATE (self);
  PlumbLimits defaults = PLUMB_LIMITS_DEFAULT;
  double rows_found = -1, cost_found = -1;
  GError *inner = NULL;
  PlumbWatchdog *watchdog;
  char *plan;

  if (!must_have_rows (self, error) ||
      !plumb_source_slots_acquire (private->slots, private->concurrency, NULL, NULL, cancellable,
                                   error))
    return NULL;
  limits = limits != NULL ? limits : &defaults;
  watchdog = start_watchdog (limits, cancellable);
  plan = PLUMB_SOURCE_GET_CLASS (self)->explain (self, sql, limits, &rows_found, &cost_found,
                                                 plumb_watchdog_get_cancellable (watchdog), &inner);
  name_timeout (plumb_watchdog_stop (watchdog), limits, &inner);
  plumb_source_slots_release (private->slots);
  if (rows != NULL)
    *rows = rows_found;
  if (cost != NULL)
    *cost = cost_found;
  return finish_pointer (self, plan, error, inner);
}

/** plumb_source_probe: Returns: (transfer full): what the account may do; %NULL with an error */
PlumbAccountProbe *
plumb_source_probe (PlumbSource *self, GCancellable *cancellable, GError **error)
{
  PlumbWatchdog *watchdog = watch_question (self, QUESTION_PATIENCE_MS, cancellable);
  GError *inner = NULL;
  PlumbAccountProbe *probe = PLUMB_SOURCE_GET_CLASS (self)->probe (
    self, plumb_watchdog_get_cancellable (watchdog), &inner);

  end_question (self, watchdog, QUESTION_PATIENCE_MS, &inner);
  if (probe != NULL)
    probe->engine = g_strdup (plumb_source_get_engine (self));
  return finish_pointer (self, probe, error, inner);
}
