/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "source-fixture.h"

#include <string.h>

/* What people and their databases come with, on each of the servers for real. */

/* Every printable character of ASCII, and some that aren't. */
#define PASSWORD \
  " !\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz" \
  "{|}~%41 비밀 пароль"

#define CELL_BYTES (10 * 1024 * 1024)
#define STATEMENT_BYTES (1024 * 1024)
#define MANY_COLUMNS 10000

static const char *const names[] = {
  "my shop", "a\"b'c`d", "판매 자료", "продажи", "a.b", "a/b\\c", "50%41", "x?y=z&w#v", "SELECT",
};

static PlumbDialect
dialect_of (const Engine *engine)
{
  return strcmp (engine->name, "postgres") == 0  ? PLUMB_DIALECT_POSTGRES
         : strcmp (engine->name, "mariadb") == 0 ? PLUMB_DIALECT_MARIADB
                                                 : PLUMB_DIALECT_CLICKHOUSE;
}

static char *
quote (const Engine *engine, const char *name)
{
  return plumb_sql_quote_identifier (dialect_of (engine), name);
}

static PlumbSource *
open_admin (const Engine *engine, const char *database)
{
  g_autofree char *password = engine_get_variable (engine, "PASSWORD");

  return engine_open (engine, engine->admin, password, "127.0.0.1", 0, database);
}

/* Statements in a database of the server; PostgreSQL connects to it, the others name it. */
static void
execute_in (const Engine *engine, const char *database, const char *sql)
{
  g_setenv ("PLUMB_TEST_DATABASE", database, TRUE);
  engine_execute (engine, sql);
  g_unsetenv ("PLUMB_TEST_DATABASE");
}

static PlumbCatalog *
read_catalog (PlumbSource *source)
{
  g_autoptr (GError) error = NULL;
  PlumbCatalog *catalog = plumb_source_read_catalog (source, NULL, &error);

  g_assert_no_error (error);
  return catalog;
}

static PlumbTable *
find (PlumbCatalog *catalog, const char *schema, const char *name)
{
  PlumbTable *table = plumb_catalog_find (catalog, schema, name);

  if (table == NULL)
    g_error ("There is no %s.%s in the catalog", schema, name);
  return table;
}

/* A statement passes the check, as one of that table, and then runs. */
static void
assert_read (PlumbSource *source, const char *sql, const char *schema, const char *table,
             const char *text)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PlumbStatement) statement = plumb_source_check (source, sql, NULL, NULL, &error);
  const PlumbSqlTable *read;

  g_assert_no_error (error);
  if (!statement->allowed)
    g_error ("%s: %s", sql, statement->reason);
  g_assert_cmpuint (statement->tables->len, ==, 1);
  read = g_ptr_array_index (statement->tables, 0);
  g_assert_cmpstr (read->schema, ==, schema);
  g_assert_cmpstr (read->table, ==, table);
  assert_one_cell (source, statement->text != NULL ? statement->text : sql, text);
}

/* A database and in it a table and a column of that name. */
static void
test_names (gconstpointer data)
{
  const Engine *engine = data;
  gboolean is_postgres = strcmp (engine->name, "postgres") == 0;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autofree char *name = quote (engine, names[i]);
    g_autofree char *create = g_strdup_printf ("CREATE DATABASE %s", name);
    g_autofree char *place = is_postgres ? g_strdup (name) : g_strdup_printf ("%s.%s", name, name);
    g_autofree char *table = g_strdup_printf (
      "CREATE TABLE %s (%s int)%s", place, name,
      strcmp (engine->name, "clickhouse") == 0 ? " ENGINE = Memory" : "");
    g_autofree char *insert = g_strdup_printf ("INSERT INTO %s VALUES (7)", place);
    g_autofree char *select = g_strdup_printf ("SELECT t.%s FROM %s AS t", name, place);
    g_autoptr (PlumbSource) source = NULL;
    g_autoptr (PlumbCatalog) catalog = NULL;
    const PlumbTable *found;

    engine_execute (engine, create);
    execute_in (engine, names[i], table);
    execute_in (engine, names[i], insert);
    source = open_admin (engine, names[i]);
    catalog = read_catalog (source);
    found = find (catalog, is_postgres ? "public" : names[i], names[i]);
    g_assert_cmpuint (found->columns->len, ==, 1);
    g_assert_nonnull (plumb_table_find_column (found, names[i]));
    assert_read (source, select, is_postgres ? "public" : names[i], names[i], "7");
    if (strcmp (engine->name, "clickhouse") != 0)
      assert_one_cell (source, is_postgres ? "SELECT current_database()" : "SELECT DATABASE()",
                       names[i]);
    else
      assert_one_cell (source, "SELECT currentDatabase()", names[i]);
  }
}

static char *
quote_password (const Engine *engine)
{
  return plumb_sql_quote_string (dialect_of (engine), PASSWORD);
}

/* Given apart, and in the address, where it has to be escaped. */
static void
test_password (gconstpointer data)
{
  const Engine *engine = data;
  g_autofree char *literal = quote_password (engine);
  g_autofree char *escaped = g_uri_escape_string (PASSWORD, NULL, FALSE);
  g_autofree char *port = engine_get_variable (engine, "PORT");
  const char *database = strcmp (engine->name, "postgres") == 0 ? "postgres" : "mysql";
  g_autofree char *sql = NULL;
  g_autofree char *uri = NULL;
  g_autoptr (PlumbSource) apart = NULL;
  g_autoptr (PlumbSource) within = NULL;
  g_autoptr (GError) error = NULL;

  if (strcmp (engine->name, "clickhouse") == 0) {
    /* The test server has its accounts from a file; this one has such a password. */
    database = "default";
  } else {
    sql = g_strdup_printf (
      strcmp (engine->name, "postgres") == 0
        ? "CREATE ROLE printable LOGIN PASSWORD %s"
        : "CREATE USER printable IDENTIFIED BY %s; GRANT SELECT ON mysql.help_topic TO printable",
      literal);
    engine_execute (engine, sql);
  }
  apart = engine_open (engine, "printable", PASSWORD, "127.0.0.1", 0, database);
  assert_one_cell (apart, "SELECT 'in'", "in");
  uri = g_strdup_printf ("%s://printable:%s@127.0.0.1:%s/%s", engine->scheme, escaped, port,
                         database);
  within = plumb_source_new ("shop", uri, NULL, &error);
  g_assert_no_error (error);
  g_assert_null (strstr (plumb_source_get_uri (within), "%20%21"));
  assert_one_cell (within, "SELECT 'in'", "in");
}

static void
test_ipv6 (gconstpointer data)
{
  const Engine *engine = data;
  g_autofree char *password = engine_get_variable (engine, "PASSWORD");
  g_autoptr (PlumbSource) source = NULL;

  if (strcmp (engine->name, "mariadb") == 0) {
    engine_execute (engine, "CREATE USER six@'::1' IDENTIFIED BY 'six'; GRANT SELECT ON "
                            "mysql.help_topic TO six@'::1'");
    source = engine_open (engine, "six", "six", "[::1]", 0, "mysql");
  } else {
    source = engine_open (engine, engine->admin, password, "[::1]", 0,
                          strcmp (engine->name, "postgres") == 0 ? "postgres" : "default");
  }
  assert_one_cell (source, "SELECT 'six'", "six");
}

static void
append_columns (GString *sql, guint n)
{
  for (guint i = 0; i < n; i++)
    g_string_append_printf (sql, "%sc%u int", i > 0 ? ", " : "", i);
}

/* The widest table that each takes, and many that come to ten thousand columns. */
static void
test_columns (gconstpointer data)
{
  const Engine *engine = data;
  gboolean is_postgres = strcmp (engine->name, "postgres") == 0;
  gboolean is_clickhouse = strcmp (engine->name, "clickhouse") == 0;
  const char *schema = is_postgres ? "public" : "wide";
  const char *end = is_clickhouse ? ") ENGINE = Memory" : ")";
  guint widest = is_postgres ? 1600 : is_clickhouse ? 10000 : 1017;
  guint n_tables = MANY_COLUMNS / 1000;
  g_autoptr (PlumbSource) source = NULL;
  g_autoptr (PlumbCatalog) catalog = NULL;
  g_autofree char *select = NULL;
  g_autoptr (PlumbResult) rows = NULL;
  guint n_columns = 0;

  engine_execute (engine, "CREATE DATABASE wide");
  for (guint i = 0; i <= n_tables; i++) {
    g_autoptr (GString) sql = g_string_new (NULL);

    g_string_printf (sql, "CREATE TABLE %s.t%u (", schema, i);
    append_columns (sql, i < n_tables ? 1000 : widest);
    g_string_append (sql, end);
    execute_in (engine, "wide", sql->str);
  }
  source = open_admin (engine, "wide");
  catalog = read_catalog (source);
  for (guint i = 0; i <= n_tables; i++) {
    g_autofree char *name = g_strdup_printf ("t%u", i);
    const PlumbTable *table = find (catalog, schema, name);

    n_columns += table->columns->len;
    g_assert_cmpuint (table->columns->len, ==, i < n_tables ? 1000 : widest);
    g_assert_cmpstr (((PlumbColumn *) g_ptr_array_index (table->columns, 999))->name, ==, "c999");
  }
  g_assert_cmpuint (n_columns, ==, MANY_COLUMNS + widest);
  select = g_strdup_printf ("SELECT * FROM %s.t%u", schema, n_tables);
  rows = run (source, select);
  g_assert_cmpuint (plumb_result_get_n_columns (rows), ==, widest);
}

/* One name in two schemas, and names that differ only in how they are written. */
static void
test_same_names (gconstpointer data)
{
  const Engine *engine = data;
  gboolean is_postgres = strcmp (engine->name, "postgres") == 0;
  gboolean is_clickhouse = strcmp (engine->name, "clickhouse") == 0;
  const char *kind = is_postgres ? "SCHEMA" : "DATABASE";
  const char *end = is_clickhouse ? " ENGINE = Memory" : "";
  const char *const schemas[] = { "same_a", "same_b", "empty_one" };
  const char *const tables[] = { "orders", "Orders", "ORDERS" };
  g_autoptr (PlumbSource) source = open_admin (engine, is_postgres ? "postgres" : "system_less");
  g_autoptr (PlumbCatalog) catalog = NULL;

  if (!is_postgres)
    engine_execute (engine, "CREATE DATABASE system_less");
  for (guint i = 0; i < G_N_ELEMENTS (schemas); i++) {
    g_autofree char *create = g_strdup_printf ("CREATE %s %s", kind, schemas[i]);

    engine_execute (engine, create);
  }
  for (guint i = 0; i < 2 * G_N_ELEMENTS (tables); i++) {
    g_autofree char *name = quote (engine, tables[i / 2]);
    g_autofree char *create = g_strdup_printf ("CREATE TABLE %s.%s (a int)%s", schemas[i % 2], name,
                                               end);
    g_autofree char *insert = g_strdup_printf ("INSERT INTO %s.%s VALUES (%u)", schemas[i % 2], name,
                                               i);

    engine_execute (engine, create);
    engine_execute (engine, insert);
  }
  catalog = read_catalog (source);
  for (guint i = 0; i < 2 * G_N_ELEMENTS (tables); i++) {
    g_autofree char *name = quote (engine, tables[i / 2]);
    g_autofree char *select = g_strdup_printf ("SELECT a FROM %s.%s", schemas[i % 2], name);
    g_autofree char *text = g_strdup_printf ("%u", i);

    g_assert_cmpuint (find (catalog, schemas[i % 2], tables[i / 2])->columns->len, ==, 1);
    assert_read (source, select, schemas[i % 2], tables[i / 2], text);
  }
}

/* A view whose table went away is in the catalog, or isn't; the rest is there, and reading it says
 * what is wrong. */
static void
test_broken_view (gconstpointer data)
{
  const Engine *engine = data;
  gboolean is_postgres = strcmp (engine->name, "postgres") == 0;
  gboolean is_clickhouse = strcmp (engine->name, "clickhouse") == 0;
  const char *schema = is_postgres ? "public" : "views";
  const char *sql = is_postgres
                      ? "CREATE TABLE good (a int); INSERT INTO good VALUES (0); CREATE VIEW broken "
                        "AS SELECT 1 / a AS b FROM good"
                    : is_clickhouse
                      ? "CREATE VIEW views.broken AS SELECT throwIf(a = 0) AS b FROM views.good"
                      : "CREATE TABLE views.good (a INT); CREATE TABLE views.gone (a INT); INSERT "
                        "INTO views.good VALUES (0); CREATE VIEW views.broken AS SELECT a FROM "
                        "views.gone; DROP TABLE views.gone";
  g_autofree char *good = g_strdup_printf ("SELECT a FROM %s.good", schema);
  g_autofree char *broken = g_strdup_printf ("SELECT * FROM %s.broken", schema);
  g_autoptr (PlumbSource) source = NULL;
  g_autoptr (PlumbCatalog) catalog = NULL;

  engine_execute (engine, "CREATE DATABASE views");
  if (is_clickhouse) {
    engine_execute (engine, "CREATE TABLE views.good (a UInt8) ENGINE = Memory");
    engine_execute (engine, "INSERT INTO views.good VALUES (0)");
  }
  execute_in (engine, "views", sql);
  source = open_admin (engine, "views");
  catalog = read_catalog (source);
  g_assert_cmpint (find (catalog, schema, "broken")->kind, ==, PLUMB_TABLE_KIND_VIEW);
  find (catalog, schema, "good");
  assert_fails (source, broken, PLUMB_SOURCE_ERROR_STATEMENT,
                is_postgres     ? "division by zero"
                : is_clickhouse ? "throwIf"
                                : "invalid");
  assert_one_cell (source, good, "0");
}

static void
test_large_cell (gconstpointer data)
{
  static const char *const statements[] = {
    "SELECT repeat('x', 10485760)",
    "SELECT REPEAT('x', 10485760)",
    "SELECT arrayStringConcat(arrayMap(x -> 'xxxxxxxxxx', range(1048576)))",
  };
  const Engine *engine = data;
  const char *sql = statements[engine - engines];
  g_autoptr (PlumbSource) source = open_admin (engine, strcmp (engine->name, "postgres") == 0
                                                         ? "postgres"
                                                       : strcmp (engine->name, "mariadb") == 0
                                                         ? "mysql"
                                                         : "default");
  g_autoptr (GError) error = NULL;
  g_autoptr (PlumbResult) whole = run_limited (source, sql, (PlumbLimits) { 0 }, &error);
  g_autoptr (PlumbResult) cut = run (source, sql);

  g_assert_no_error (error);
  g_assert_cmpuint (plumb_result_get_cell (whole, 0, 0)->length, ==, CELL_BYTES);
  g_assert_false (plumb_result_get_cell (whole, 0, 0)->cut);
  g_assert_cmpuint (plumb_result_get_cell (cut, 0, 0)->length, ==, 64 * 1024);
  g_assert_true (plumb_result_get_cell (cut, 0, 0)->cut);
}

/* It runs, or it is refused in words; the source can be used after it. */
static void
test_large_statement (gconstpointer data)
{
  const Engine *engine = data;
  g_autoptr (PlumbSource) source = open_admin (engine, strcmp (engine->name, "postgres") == 0
                                                         ? "postgres"
                                                       : strcmp (engine->name, "mariadb") == 0
                                                         ? "mysql"
                                                         : "default");
  g_autofree char *filler = g_strnfill (STATEMENT_BYTES, 'x');
  g_autofree char *sql = g_strdup_printf ("SELECT length('%s')", filler);
  g_autoptr (GString) terms = g_string_new ("SELECT 1");
  g_autoptr (GError) error = NULL;
  g_autoptr (PlumbStatement) statement = plumb_source_check (source, sql, NULL, NULL, &error);
  g_autoptr (PlumbStatement) deep = NULL;
  g_autoptr (PlumbResult) result = NULL;
  PlumbLimits limits = PLUMB_LIMITS_DEFAULT;

  g_assert_no_error (error);
  if (!statement->allowed)
    g_assert_cmpstr (statement->reason, !=, "");
  result = run_limited (source, sql, limits, &error);
  if (result != NULL)
    g_assert_cmpstr (plumb_result_get_cell (result, 0, 0)->text, ==, "1048576");
  else
    g_assert_true (error->domain == PLUMB_SOURCE_ERROR && strlen (error->message) < 2000);
  g_clear_error (&error);
  while (terms->len < STATEMENT_BYTES)
    g_string_append (terms, " + 1");
  deep = plumb_source_check (source, terms->str, NULL, NULL, &error);
  g_assert_true (deep != NULL ? deep->allowed || *deep->reason != '\0' : error != NULL);
  g_clear_error (&error);
  g_clear_pointer (&result, plumb_result_unref);
  /* ClickHouse 18.16 dies of it, so only what the check allows is sent. */
  if (deep != NULL && deep->allowed)
    result = run_limited (source, terms->str, limits, &error);
  if (error != NULL)
    g_assert_true (error->domain == PLUMB_SOURCE_ERROR && strlen (error->message) < 4000);
  assert_one_cell (source, "SELECT 'after'", "after");
}

static void
add (const char *name, const Engine *engine, GTestDataFunc test)
{
  g_autofree char *path = g_strdup_printf ("/sources/bad-input/%s/%s", name, engine->name);

  g_test_add_data_func (path, engine, test);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (engines); i++) {
    add ("names", &engines[i], test_names);
    add ("password", &engines[i], test_password);
    add ("ipv6", &engines[i], test_ipv6);
    add ("columns", &engines[i], test_columns);
    add ("same-names", &engines[i], test_same_names);
    add ("broken-view", &engines[i], test_broken_view);
    add ("large-cell", &engines[i], test_large_cell);
    add ("large-statement", &engines[i], test_large_statement);
  }
  return g_test_run ();
}
