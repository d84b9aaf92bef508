/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "odbc-fixture.h"

#include <glib/gstdio.h>
#include <string.h>

const char odbc_password[] = "!\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`"
                             "abcdefghijklmnopqrstuvwxyz{|}~ ";

static char *folder;

/* The drivers by names of our own, so that it doesn't matter what this computer calls them. */
static const char drivers[] = "[Elephant]\nDescription=PostgreSQL\nDriver=psqlodbcw.so\n"
                              "[Feather]\nDescription=SQLite\nDriver=libsqlite3odbc.so\n"
                              "[Gone]\nDescription=a driver whose file isn't there\n"
                              "Driver=/nowhere/libgone.so\n";

/** odbc_fixture_init: makes the driver manager read a folder of our own */
void
odbc_fixture_init (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *sources = NULL;
  g_autofree char *driver_file = NULL;
  g_autofree char *source_file = NULL;

  folder = g_dir_make_tmp ("plumb-odbc-XXXXXX", &error);
  g_assert_no_error (error);
  driver_file = odbc_fixture_path ("odbcinst.ini");
  source_file = odbc_fixture_path ("odbc.ini");
  sources = g_strdup_printf ("[shop]\nDriver=Elephant\nServername=127.0.0.1\nPort=%s\n"
                             "Database=shop\n",
                             g_getenv ("PLUMB_TEST_POSTGRES_PORT"));
  g_assert_true (g_file_set_contents (driver_file, drivers, -1, NULL));
  g_assert_true (g_file_set_contents (source_file, sources, -1, NULL));
  g_setenv ("ODBCSYSINI", folder, TRUE);
  g_setenv ("ODBCINI", source_file, TRUE);
}

/** odbc_fixture_clear: removes the folder */
void
odbc_fixture_clear (void)
{
  g_autoptr (GDir) files = g_dir_open (folder, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (files)) != NULL) {
    g_autofree char *path = odbc_fixture_path (name);

    g_unlink (path);
  }
  g_rmdir (folder);
  g_clear_pointer (&folder, g_free);
}

/** odbc_fixture_path: Returns: a file of that name in the folder */
char *
odbc_fixture_path (const char *name)
{
  return g_build_filename (folder, name, NULL);
}

/** odbc_open: Returns: the source "shop" at the address */
PlumbSource *
odbc_open (const char *address, const char *password)
{
  g_autoptr (GError) error = NULL;
  PlumbSource *source = plumb_source_new ("shop", address, password, &error);

  g_assert_no_error (error);
  return source;
}

/** odbc_open_postgres: Returns: a database of the server through psqlodbc; @more: further keys */
PlumbSource *
odbc_open_postgres (const char *account, const char *database, const char *more)
{
  g_autofree char *address = g_strdup_printf (
    "odbc:DRIVER={Elephant};Server=127.0.0.1;Port=%s;Database=%s;UID=%s%s",
    g_getenv ("PLUMB_TEST_POSTGRES_PORT"), database, account, more);

  return odbc_open (address, strcmp (account, "postgres") == 0
                                 ? g_getenv ("PLUMB_TEST_POSTGRES_PASSWORD")
                                 : odbc_password);
}

/** assert_value: the first cell of what @sql gives */
void
assert_value (PlumbSource *source, const char *sql, PlumbValueKind kind, const char *text)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PlumbResult) result = run_limited (source, sql, PLUMB_LIMITS_DEFAULT, &error);
  const PlumbCell *cell;

  g_assert_no_error (error);
  cell = plumb_result_get_cell (result, 0, 0);
  if (kind != PLUMB_VALUE_NULL && (cell->length != strlen (text) || cell->kind != kind))
    g_error ("%s gives “%s” of kind %d", sql, cell->text, cell->kind);
  g_assert_cmpint (cell->kind, ==, kind);
  if (kind != PLUMB_VALUE_NULL)
    g_assert_cmpmem (cell->text, cell->length, text, strlen (text));
}

/** assert_fails: @sql fails with that error and says these words */
void
assert_fails (PlumbSource *source, const char *sql, PlumbSourceError code, const char *words)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PlumbResult) result = run_limited (source, sql, PLUMB_LIMITS_DEFAULT, &error);

  g_assert_null (result);
  if (!g_error_matches (error, PLUMB_SOURCE_ERROR, (int) code) ||
      strstr (error->message, words) == NULL)
    g_error ("%s: %s", sql, error->message);
  g_assert_true (g_str_has_prefix (error->message, "shop: "));
}

/** assert_names: the names of a key, joined by commas */
void
assert_names (GStrv names, const char *expected)
{
  g_autofree char *joined = names != NULL ? g_strjoinv (",", names) : NULL;

  g_assert_cmpstr (joined, ==, expected);
}

/** find_table: Returns: a table that must be there */
PlumbTable *
find_table (PlumbCatalog *catalog, const char *schema, const char *name)
{
  PlumbTable *table = plumb_catalog_find (catalog, schema, name);

  if (table == NULL)
    g_error ("There is no table %s.%s", schema, name);
  return table;
}

/** has_word: Returns: whether one of the texts has the word in it */
gboolean
has_word (GPtrArray *list, const char *word)
{
  for (guint i = 0; i < list->len; i++) {
    if (strstr (g_ptr_array_index (list, i), word) != NULL)
      return TRUE;
  }
  return FALSE;
}
