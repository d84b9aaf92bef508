/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-source.h"

#include <glib/gstdio.h>
#include <sqlite3.h>
#include <string.h>

/* What no sensible database holds, and some do: each is read, cut or refused with a reason. */

typedef struct {
  char *folder;
  char *path;
  PlumbSource *source;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer sql)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *uri = NULL;
  sqlite3 *db = NULL;

  fixture->folder = g_dir_make_tmp ("plumb-sqlite-XXXXXX", NULL);
  fixture->path = g_build_filename (fixture->folder, "shop.sqlite", NULL);
  g_assert_cmpint (sqlite3_open (fixture->path, &db), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_exec (db, sql, NULL, NULL, NULL), ==, SQLITE_OK);
  sqlite3_close (db);
  uri = g_strconcat ("sqlite://", fixture->path, NULL);
  fixture->source = plumb_source_new ("shop", uri, NULL, &error);
  g_assert_no_error (error);
}

static void
tear_down (Fixture *fixture, gconstpointer sql)
{
  g_assert_finalize_object (fixture->source);
  g_remove (fixture->path);
  g_rmdir (fixture->folder);
  g_free (fixture->path);
  g_free (fixture->folder);
}

static PlumbCatalog *
read_catalog (Fixture *fixture)
{
  g_autoptr (GError) error = NULL;
  PlumbCatalog *catalog = plumb_source_read_catalog (fixture->source, NULL, &error);

  g_assert_no_error (error);
  return catalog;
}

static PlumbResult *
run (Fixture *fixture, const char *sql, GError **error)
{
  PlumbLimits limits = PLUMB_LIMITS_DEFAULT;
  g_autoptr (PlumbResult) result = plumb_result_new (&limits);
  PlumbRowSink sink = plumb_result_get_sink (result);

  return plumb_source_run (fixture->source, sql, &limits, &sink, NULL, NULL, NULL, error)
             ? g_steal_pointer (&result)
             : NULL;
}

/* Names that only quotes can hold: found in the catalog, allowed by the check, and read. */
static void
test_names (Fixture *fixture, gconstpointer data)
{
  static const char *const names[] = { "with space", "with\"quote", "with.dot", "with/slash", "판매 내역",
                                       "Заказы", "'", "--", "a;b" };
  sqlite3 *db = NULL;

  g_assert_cmpint (sqlite3_open (fixture->path, &db), ==, SQLITE_OK);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autoptr (PlumbCatalog) catalog = NULL;
    g_autoptr (PlumbStatement) statement = NULL;
    g_autoptr (PlumbResult) result = NULL;
    g_autoptr (GError) error = NULL;
    char *make = sqlite3_mprintf ("CREATE TABLE \"%w\" (\"%w\" TEXT); INSERT INTO \"%w\" VALUES ('found')",
                                  names[i], names[i], names[i]);
    char *sql = sqlite3_mprintf ("SELECT \"%w\" FROM \"%w\"", names[i], names[i]);

    g_assert_cmpint (sqlite3_exec (db, make, NULL, NULL, NULL), ==, SQLITE_OK);
    catalog = read_catalog (fixture);
    g_assert_nonnull (plumb_catalog_find (catalog, "main", names[i]));
    statement = plumb_source_check (fixture->source, sql, catalog, NULL, &error);
    g_assert_no_error (error);
    g_assert_true (statement->allowed);
    result = run (fixture, sql, &error);
    g_assert_no_error (error);
    g_assert_cmpstr (plumb_result_get_cell (result, 0, 0)->text, ==, "found");
    sqlite3_free (make);
    sqlite3_free (sql);
  }
  sqlite3_close (db);
}

/* Five tables as wide as SQLite allows: 10,000 columns in all. */
static void
test_wide (Fixture *fixture, gconstpointer data)
{
  g_autoptr (PlumbCatalog) catalog = NULL;
  g_autoptr (PlumbResult) result = NULL;
  g_autoptr (GError) error = NULL;
  sqlite3 *db = NULL;
  const PlumbTable *table;

  g_assert_cmpint (sqlite3_open (fixture->path, &db), ==, SQLITE_OK);
  for (guint i = 0; i < 5; i++) {
    g_autoptr (GString) sql = g_string_new (NULL);

    g_string_printf (sql, "CREATE TABLE wide_%u (c0 TEXT", i);
    for (guint j = 1; j < 2000; j++)
      g_string_append_printf (sql, ", c%u TEXT", j);
    g_string_append_c (sql, ')');
    g_assert_cmpint (sqlite3_exec (db, sql->str, NULL, NULL, NULL), ==, SQLITE_OK);
  }
  sqlite3_close (db);
  catalog = read_catalog (fixture);
  table = plumb_catalog_find (catalog, "main", "wide_4");
  g_assert_cmpuint (table->columns->len, ==, 2000);
  result = run (fixture, "SELECT * FROM wide_4", &error);
  g_assert_no_error (error);
  g_assert_cmpuint (plumb_result_get_n_columns (result), ==, 2000);
}

static void
test_empty (Fixture *fixture, gconstpointer data)
{
  g_autoptr (PlumbCatalog) catalog = read_catalog (fixture);

  g_assert_cmpuint (catalog->tables->len, ==, 0);
}

/* A view whose table is gone is in the catalog; reading it says why it can't be. */
static void
test_broken_view (Fixture *fixture, gconstpointer data)
{
  g_autoptr (PlumbCatalog) catalog = read_catalog (fixture);
  g_autoptr (GError) error = NULL;

  g_assert_nonnull (plumb_catalog_find (catalog, "main", "orders"));
  g_assert_nonnull (plumb_catalog_find (catalog, "main", "broken"));
  g_assert_null (run (fixture, "SELECT * FROM broken", &error));
  g_assert_error (error, PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_STATEMENT);
  g_assert_nonnull (strstr (error->message, "shop"));
  g_assert_nonnull (strstr (error->message, "gone"));
}

static void
test_large_cell (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PlumbResult) result = run (fixture, "SELECT printf ('%.*c', 10000000, 'x')", &error);
  const PlumbCell *cell;

  g_assert_no_error (error);
  cell = plumb_result_get_cell (result, 0, 0);
  g_assert_true (cell->cut);
  g_assert_cmpuint (cell->length, ==, PLUMB_LIMITS_DEFAULT.max_cell_bytes);
  g_assert_cmpstr (plumb_result_get_truncated_by (result), ==, "cell");
}

/* A statement of 1 MB is run, or refused with a reason. */
static void
test_large_statement (Fixture *fixture, gconstpointer data)
{
  g_autoptr (PlumbCatalog) catalog = read_catalog (fixture);
  g_autoptr (PlumbStatement) statement = NULL;
  g_autoptr (GString) sql = g_string_new ("SELECT count(*) FROM orders WHERE id IN (0");
  g_autoptr (GError) error = NULL;

  while (sql->len < 1024 * 1024)
    g_string_append_printf (sql, ", %" G_GSIZE_FORMAT, sql->len);
  g_string_append_c (sql, ')');
  statement = plumb_source_check (fixture->source, sql->str, catalog, NULL, &error);
  g_assert_no_error (error);
  if (statement->allowed) {
    g_autoptr (PlumbResult) result = run (fixture, sql->str, &error);

    g_assert_no_error (error);
    g_assert_cmpstr (plumb_result_get_cell (result, 0, 0)->text, ==, "0");
  } else {
    g_assert_cmpstr (statement->reason, !=, "");
  }
}

#define ADD(path, sql, test) \
  g_test_add ("/sources/sqlite-bad-input/" path, Fixture, sql, set_up, test, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("names", "", test_names);
  ADD ("wide", "", test_wide);
  ADD ("empty", "", test_empty);
  ADD ("broken-view", "CREATE TABLE orders (id); CREATE TABLE gone (id);"
                      "CREATE VIEW broken AS SELECT id FROM gone; DROP TABLE gone", test_broken_view);
  ADD ("large-cell", "", test_large_cell);
  ADD ("large-statement", "CREATE TABLE orders (id)", test_large_statement);
  return g_test_run ();
}
