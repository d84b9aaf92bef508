/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "session-fixture.h"

#include <glib/gstdio.h>
#include <sqlite3.h>

static const char shop_sql[] =
    "CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT NOT NULL, email TEXT);"
    "INSERT INTO customer VALUES (1, 'Ada', 'a@example.org'), (2, 'Bob', 'b@example.org');"
    "CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customer (id),"
    "  amount NUMERIC);"
    "INSERT INTO orders VALUES (1, 1, 10), (2, 1, 20), (3, 2, 30);"
    "CREATE TABLE salary (employee TEXT, amount NUMERIC);"
    "INSERT INTO salary VALUES ('Eve', 4242);"
    "CREATE VIEW pay AS SELECT amount AS paid FROM salary;";

static char *folder;

static void
remove_tree (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL) {
    g_autofree char *child = g_build_filename (path, name, NULL);

    remove_tree (child);
  }
  g_remove (path);
}

static void
set_folder (const char *variable, const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);

  g_setenv (variable, path, TRUE);
}

/** session_test_init: begins a test program that has folders of its own, and no keyring */
void
session_test_init (int *argc, char ***argv)
{
  static const char *const variables[] = {
    "DBUS_SESSION_BUS_ADDRESS", "PLUMBLINE_INDEX",      "PLUMBLINE_ROLE",
    "PLUMBLINE_MODEL_URL",      "PLUMBLINE_MODEL_NAME", "PLUMBLINE_MODEL_KEY",
    "PLUMBLINE_EMBEDDING_URL",  "PLUMBLINE_EMBEDDING_NAME", "PLUMBLINE_EMBEDDING_KEY",
    "PLUMBLINE_RERANK_URL",     "PLUMBLINE_RERANK_NAME",    "PLUMBLINE_RERANK_KEY",
  };

  for (guint i = 0; i < G_N_ELEMENTS (variables); i++)
    g_unsetenv (variables[i]);
  folder = g_dir_make_tmp ("plumb-session-XXXXXX", NULL);
  set_folder ("XDG_DATA_HOME", "data");
  set_folder ("XDG_CONFIG_HOME", "config");
  set_folder ("XDG_RUNTIME_DIR", "runtime");
  g_setenv ("PLUMBLINE_NOW", "2026-11-30", TRUE);
  g_test_init (argc, argv, NULL);
}

static void
run_test (gconstpointer data)
{
  remove_tree (g_get_user_data_dir ());
  remove_tree (g_get_user_config_dir ());
  ((SessionTest) data) ();
}

/** session_test_add: adds a test that begins with empty folders */
void
session_test_add (const char *path, SessionTest test)
{
  g_test_add_data_func (path, test, run_test);
}

/** session_test_run: runs the tests and removes the folders */
int
session_test_run (void)
{
  int result = g_test_run ();

  remove_tree (folder);
  g_free (folder);
  return result;
}

/** session_open: Returns: (transfer full): the session of the test's own folders */
PlumbSession *
session_open (const char *role)
{
  PlumbSessionOptions options = { .role = role };
  g_autoptr (GError) error = NULL;
  PlumbSession *session = plumb_session_open (&options, &error);

  g_assert_no_error (error);
  return session;
}

static char *
get_shop_path (void)
{
  return g_build_filename (g_get_user_data_dir (), "shop.sqlite", NULL);
}

/** session_change_shop: runs statements on the small database */
void
session_change_shop (const char *sql)
{
  g_autofree char *path = get_shop_path ();
  sqlite3 *db = NULL;

  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_exec (db, sql, NULL, NULL, NULL), ==, SQLITE_OK);
  sqlite3_close (db);
}

/** session_make_shop: Returns: (transfer full): the address of a small database */
char *
session_make_shop (void)
{
  g_autofree char *path = get_shop_path ();

  g_assert_cmpint (g_mkdir_with_parents (g_get_user_data_dir (), 0700), ==, 0);
  session_change_shop (shop_sql);
  return g_strconcat ("sqlite://", path, NULL);
}

/** session_add_shop: adds the small database as "shop", analysed */
void
session_add_shop (PlumbSession *session)
{
  g_autofree char *uri = session_make_shop ();
  g_autoptr (GError) error = NULL;
  g_autoptr (PlumbAnalysisReport) report = NULL;

  plumb_session_add_source (session, "shop", uri, NULL, FALSE, NULL, NULL, &error);
  g_assert_no_error (error);
  report = plumb_session_analyze (session, "shop", FALSE, FALSE, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (report->tables, ==, 4);
  g_assert_cmpuint (report->failures->len, ==, 0);
}
