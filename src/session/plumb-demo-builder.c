/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-demo-builder.h"

#include "plumb-demo-resources.h"
#include "plumb-error.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <sqlite3.h>

#define PREFIX "/io/github/plumbline/Plumbline/demo/"

/* SQLite asks whether to go on after this many of its instructions. */
#define STEPS_A_LOOK 10000

const char *const plumb_demo_names[] = { "sales", "crm", "billing", NULL };

/** plumb_demo_load_file: Returns: (transfer full): a file of the demo, like "sales.sql" */
GBytes *
plumb_demo_load_file (const char *name, GError **error)
{
  g_autofree char *path = g_strconcat (PREFIX, name, NULL);

  return g_resource_lookup_data (plumb_demo_get_resource (), path, G_RESOURCE_LOOKUP_FLAGS_NONE,
                                 error);
}

/** plumb_demo_list_files: Returns: (transfer full): names of the demo's files in a folder */
GStrv
plumb_demo_list_files (const char *folder)
{
  g_autofree char *path = g_strconcat (PREFIX, folder, NULL);
  GStrv names = g_resource_enumerate_children (plumb_demo_get_resource (), path,
                                               G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);

  return names != NULL ? names : g_new0 (char *, 1);
}

/* A number of the script that a database was made from, which SQLite keeps for us. */
static int
get_script_version (GBytes *script)
{
  g_autofree char *hash = g_compute_checksum_for_bytes (G_CHECKSUM_SHA256, script);

  hash[7] = '\0';
  return (int) g_ascii_strtoull (hash, NULL, 16);
}

static GBytes *
load_script (const char *name, GError **error)
{
  g_autofree char *file = g_strconcat (name, ".sql", NULL);

  return plumb_demo_load_file (file, error);
}

static int
read_version (sqlite3 *db)
{
  sqlite3_stmt *statement = NULL;
  int version = 0;

  if (sqlite3_prepare_v2 (db, "PRAGMA user_version", -1, &statement, NULL) == SQLITE_OK &&
      sqlite3_step (statement) == SQLITE_ROW)
    version = sqlite3_column_int (statement, 0);
  sqlite3_finalize (statement);
  return version;
}

/** plumb_demo_is_built: Returns: whether the file at @path is the database @name of this version */
gboolean
plumb_demo_is_built (const char *name, const char *path)
{
  g_autoptr (GBytes) script = load_script (name, NULL);
  sqlite3 *db = NULL;
  gboolean built;

  built = script != NULL && sqlite3_open_v2 (path, &db, SQLITE_OPEN_READONLY, NULL) == SQLITE_OK &&
          read_version (db) == get_script_version (script);
  sqlite3_close (db);
  return built;
}

static int
is_cancelled (void *cancellable)
{
  return g_cancellable_is_cancelled (cancellable);
}

static gboolean
run_script (sqlite3 *db, GBytes *script, GCancellable *cancellable, GError **error)
{
  g_autofree char *sql = g_strndup (g_bytes_get_data (script, NULL), g_bytes_get_size (script));
  g_autofree char *version =
      g_strdup_printf ("PRAGMA user_version = %d", get_script_version (script));
  int code;

  sqlite3_progress_handler (db, STEPS_A_LOOK, is_cancelled, cancellable);
  code = sqlite3_exec (db, sql, NULL, NULL, NULL);
  if (code == SQLITE_OK)
    code = sqlite3_exec (db, version, NULL, NULL, NULL);
  if (code == SQLITE_OK)
    return TRUE;
  if (!g_cancellable_set_error_if_cancelled (cancellable, error))
    g_set_error (error, PLUMB_ERROR, PLUMB_ERROR_FAILED,
                 "The demo database could not be built: %s.", sqlite3_errmsg (db));
  return FALSE;
}

static gboolean
fill_file (const char *path, GBytes *script, GCancellable *cancellable, GError **error)
{
  sqlite3 *db = NULL;
  gboolean done = FALSE;

  if (sqlite3_open_v2 (path, &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL) == SQLITE_OK)
    done = run_script (db, script, cancellable, error);
  else
    g_set_error (error, PLUMB_ERROR, PLUMB_ERROR_FAILED, "The file “%s” could not be made: %s.",
                 path, sqlite3_errmsg (db));
  if (sqlite3_close (db) != SQLITE_OK && done) {
    g_set_error (error, PLUMB_ERROR, PLUMB_ERROR_FAILED, "The file “%s” could not be closed.",
                 path);
    return FALSE;
  }
  return done;
}

/**
 * plumb_demo_build:
 * @name: one of plumb_demo_names
 * @path: the file
 * @cancellable: (nullable): cancels
 * @error: return location
 *
 * Builds a demo database, the same every time. The file gets its name when it is whole.
 *
 * Returns: whether it is there
 */
gboolean
plumb_demo_build (const char *name, const char *path, GCancellable *cancellable, GError **error)
{
  g_autoptr (GBytes) script = load_script (name, error);
  g_autofree char *part = g_strconcat (path, ".part", NULL);

  if (script == NULL)
    return FALSE;
  g_unlink (part);
  if (!fill_file (part, script, cancellable, error)) {
    g_unlink (part);
    return FALSE;
  }
  if (g_rename (part, path) == 0)
    return TRUE;
  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (errno),
               "“%s” could not be put in its place: %s.", path, g_strerror (errno));
  g_unlink (part);
  return FALSE;
}
