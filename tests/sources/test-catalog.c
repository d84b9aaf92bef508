/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-source.h"

#include <glib/gstdio.h>
#include <string.h>

#define SHOP \
  "{\"db\": \"demo/shop\", \"dialect\": \"sqlite\", \"tables\": [" \
  "{\"name\": \"orders_2023\", \"comment\": \"one year\", \"label\": \"orders of 2023\", " \
  "\"row_count\": 12," \
  " \"columns\": [{\"name\": \"id\", \"type\": \"INTEGER\", \"label\": \"number\"}," \
  "  {\"name\": \"customer\", \"comment\": \"who bought\", \"samples\": [\"1\", \"2\"]}]," \
  " \"primary_key\": [\"id\"], \"foreign_keys\": [{\"column\": \"customer\", \"ref_table\": " \
  "\"customers\", \"ref_column\": \"id\"}]}," \
  "{\"name\": \"orders_2024\", \"same_columns_as\": \"orders_2023\", \"primary_key\": [], " \
  "\"foreign_keys\": []}," \
  "{\"name\": \"customers\", \"columns\": [{\"name\": \"id\"}], \"primary_key\": [\"id\"], " \
  "\"foreign_keys\": []}]}"
#define CRM \
  "{\"db\": \"demo/crm\", \"dialect\": \"sqlite\", \"tables\": [{\"name\": \"customers\", " \
  "\"columns\": []}]}"

typedef struct {
  char *folder;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->folder = g_dir_make_tmp ("plumb-catalog-XXXXXX", NULL);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GDir) dir = g_dir_open (fixture->folder, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL) {
    g_autofree char *path = g_build_filename (fixture->folder, name, NULL);

    g_remove (path);
  }
  g_rmdir (fixture->folder);
  g_free (fixture->folder);
}

static void
write_file (Fixture *fixture, const char *name, const char *text)
{
  g_autofree char *path = g_build_filename (fixture->folder, name, NULL);

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
}

static PlumbSource *
open_source (Fixture *fixture, const char *file)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *uri = g_strconcat ("catalog://", fixture->folder, "/", file, NULL);
  PlumbSource *source = plumb_source_new ("plan", uri, NULL, &error);

  g_assert_no_error (error);
  return source;
}

static void
test_file (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PlumbSource) source = NULL;
  g_autoptr (PlumbCatalog) catalog = NULL;
  const PlumbTable *first, *second;
  const PlumbForeignKey *key;

  write_file (fixture, "shop.json", SHOP);
  source = open_source (fixture, "shop.json");
  g_assert_cmpint (plumb_source_get_dialect (source), ==, PLUMB_DIALECT_SQLITE);
  g_assert_false (plumb_source_has_rows (source));
  catalog = plumb_source_read_catalog (source, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (catalog->tables->len, ==, 3);
  first = plumb_catalog_find (catalog, "main", "orders_2023");
  second = plumb_catalog_find (catalog, "main", "orders_2024");
  g_assert_cmpstr (first->comment, ==, "one year");
  g_assert_cmpstr (first->label, ==, "orders of 2023");
  g_assert_cmpint (first->row_estimate, ==, 12);
  g_assert_cmpint (second->row_estimate, ==, -1);
  g_assert_cmpstr (first->primary_key[0], ==, "id");
  g_assert_null (second->primary_key);
  g_assert_cmpstr (plumb_table_find_column (first, "id")->label, ==, "number");
  g_assert_cmpstr (plumb_table_find_column (second, "customer")->comment, ==, "who bought");
  g_assert_cmpstr (plumb_table_find_column (second, "customer")->samples[1], ==, "2");
  key = g_ptr_array_index (first->foreign_keys, 0);
  g_assert_cmpstr (key->ref_table, ==, "customers");
  g_assert_cmpstr (key->columns[0], ==, "customer");
  g_assert_cmpuint (second->foreign_keys->len, ==, 0);
}

static void
test_folder (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PlumbSource) source = NULL;
  g_autoptr (PlumbCatalog) catalog = NULL;

  write_file (fixture, "shop.json", SHOP);
  write_file (fixture, "crm.json", CRM);
  write_file (fixture, "README.md", "not a schema");
  source = open_source (fixture, "");
  catalog = plumb_source_read_catalog (source, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (catalog->tables->len, ==, 4);
  g_assert_nonnull (plumb_catalog_find (catalog, "demo/shop", "customers"));
  g_assert_nonnull (plumb_catalog_find (catalog, "demo/crm", "customers"));
}

static void
test_no_rows (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) explain_error = NULL;
  g_autoptr (PlumbSource) source = NULL;
  g_autoptr (PlumbResult) result = plumb_result_new (NULL);
  PlumbRowSink sink = plumb_result_get_sink (result);
  g_autofree char *plan = NULL;

  write_file (fixture, "shop.json", SHOP);
  source = open_source (fixture, "shop.json");
  g_assert_false (plumb_source_run (source, "SELECT 1", NULL, &sink, NULL, NULL, NULL, &error));
  g_assert_error (error, PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_NO_ROWS);
  plan = plumb_source_explain (source, "SELECT 1", NULL, NULL, NULL, NULL, &explain_error);
  g_assert_null (plan);
  g_assert_error (explain_error, PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_NO_ROWS);
}

static void
test_bad_files (Fixture *fixture, gconstpointer data)
{
  const char *const texts[] = {
    "",
    "no JSON",
    "[]",
    "{}",
    "{\"db\": \"x\"}",
    "{\"tables\": []}",
    "{\"db\": \"x\", \"tables\": [1]}",
    "{\"db\": \"x\", \"tables\": [{\"columns\": []}]}",
    "{\"db\": 5, \"tables\": []}",
    "{\"db\": \"x\", \"tables\": [{\"name\": \"a\", \"same_columns_as\": \"b\"}]}",
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (PlumbSource) source = NULL;

    write_file (fixture, "bad.json", texts[i]);
    source = open_source (fixture, "bad.json");
    g_assert_false (plumb_source_connect (source, NULL, &error));
    g_assert_error (error, PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_ADDRESS);
  }
}

static void
test_missing (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) folder_error = NULL;
  g_autoptr (PlumbSource) source = open_source (fixture, "missing.json");
  g_autoptr (PlumbSource) folder = open_source (fixture, "");

  g_assert_false (plumb_source_connect (source, NULL, &error));
  g_assert_error (error, PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_ADDRESS);
  g_assert_false (plumb_source_connect (folder, NULL, &folder_error));
  g_assert_error (folder_error, PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_ADDRESS);
}

#define ADD(path, test) \
  g_test_add ("/sources/catalog/" path, Fixture, NULL, set_up, test, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("file", test_file);
  ADD ("folder", test_folder);
  ADD ("no-rows", test_no_rows);
  ADD ("bad-files", test_bad_files);
  ADD ("missing", test_missing);
  return g_test_run ();
}
