/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "demo-databases.h"

#include <glib/gstdio.h>
#include <sqlite3.h>

static const char *const databases[] = { "sales", "crm", "billing" };

/** demo_databases_source_path: Returns: (transfer full): the path of a file in data/demo */
char *
demo_databases_source_path (const char *name)
{
  return g_test_build_filename (G_TEST_DIST, "..", "data", "demo", name, NULL);
}

static void
build_database (const char *folder, const char *name)
{
  g_autofree char *file = g_strconcat (name, ".sqlite", NULL);
  g_autofree char *path = g_build_filename (folder, file, NULL);
  g_autofree char *script_name = g_strconcat (name, ".sql", NULL);
  g_autofree char *script_path = demo_databases_source_path (script_name);
  g_autofree char *script = NULL;
  g_autofree char *message = NULL;
  sqlite3 *connection = NULL;
  char *sqlite_message = NULL;

  g_assert_true (g_file_get_contents (script_path, &script, NULL, NULL));
  g_assert_cmpint (sqlite3_open (path, &connection), ==, SQLITE_OK);
  sqlite3_exec (connection, script, NULL, NULL, &sqlite_message);
  message = g_strdup (sqlite_message);
  sqlite3_free (sqlite_message);
  sqlite3_close (connection);
  g_assert_cmpstr (message, ==, NULL);
}

/** demo_databases_build: makes sales.sqlite, crm.sqlite and billing.sqlite in @folder */
void
demo_databases_build (const char *folder)
{
  for (guint i = 0; i < G_N_ELEMENTS (databases); i++)
    build_database (folder, databases[i]);
}

/** demo_databases_remove: removes what [func@demo_databases_build] made, and @folder */
void
demo_databases_remove (const char *folder)
{
  for (guint i = 0; i < G_N_ELEMENTS (databases); i++) {
    g_autofree char *file = g_strconcat (databases[i], ".sqlite", NULL);
    g_autofree char *path = g_build_filename (folder, file, NULL);

    g_assert_cmpint (g_remove (path), ==, 0);
  }
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}
