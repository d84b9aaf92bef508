/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "odbc-fixture.h"

#include <sqlite3.h>
#include <string.h>

#define WIDE_COLUMNS 1500

static PlumbSource *
open_reader (void)
{
  return odbc_open_postgres ("reader", "shop", "");
}

static PlumbSource *
open_sqlite (void)
{
  g_autofree char *path = odbc_fixture_path ("shop.db");
  g_autofree char *address = g_strdup_printf ("odbc:DRIVER={Feather};Database=%s", path);

  return odbc_open (address, NULL);
}

static void
execute_sqlite (const char *sql)
{
  g_autofree char *path = odbc_fixture_path ("shop.db");
  sqlite3 *db;
  char *said = NULL;

  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  if (sqlite3_exec (db, sql, NULL, NULL, &said) != SQLITE_OK)
    g_error ("%s", said);
  sqlite3_close (db);
}

static void
test_values (void)
{
  g_autoptr (PlumbSource) source = open_reader ();
  g_autoptr (PlumbResult) binary = run (source, "SELECT '\\x00ff'::bytea, ''::bytea");

  assert_value (source, "SELECT 9223372036854775807", PLUMB_VALUE_INTEGER, "9223372036854775807");
  assert_value (source, "SELECT -128::smallint", PLUMB_VALUE_INTEGER, "-128");
  assert_value (source, "SELECT 123456789012345678901234567890.1234567890::numeric(40,10)",
                PLUMB_VALUE_DECIMAL, "123456789012345678901234567890.1234567890");
  assert_value (source, "SELECT 0.10::numeric(10,2)", PLUMB_VALUE_DECIMAL, "0.10");
  assert_value (source, "SELECT 0.30000000000000004::float8", PLUMB_VALUE_FLOAT,
                "0.30000000000000004");
  assert_value (source, "SELECT 'NaN'::float8", PLUMB_VALUE_FLOAT, "NaN");
  assert_value (source, "SELECT 'infinity'::float8", PLUMB_VALUE_FLOAT, "Infinity");
  assert_value (source, "SELECT date '2024-02-29'", PLUMB_VALUE_DATE, "2024-02-29");
  assert_value (source, "SELECT timestamp '2024-03-31 02:30:00.123456'", PLUMB_VALUE_TIMESTAMP,
                "2024-03-31 02:30:00.123456");
  assert_value (source, "SELECT time '23:59:59.123456'", PLUMB_VALUE_TIME, "23:59:59.123456");
  assert_value (source, "SELECT '민준 🙂'::text", PLUMB_VALUE_TEXT, "민준 🙂");
  assert_value (source, "SELECT ''::text", PLUMB_VALUE_TEXT, "");
  assert_value (source, "SELECT NULL::text", PLUMB_VALUE_NULL, NULL);
  assert_value (source, "SELECT NULL::int", PLUMB_VALUE_NULL, NULL);
  assert_value (source, "SELECT true", PLUMB_VALUE_BOOLEAN, "1");
  assert_value (source, "SELECT '{\"a\": 1.0}'::jsonb", PLUMB_VALUE_TEXT, "{\"a\": 1.0}");
  assert_value (source, "SELECT '{1,2}'::int[]", PLUMB_VALUE_TEXT, "{1,2}");
  g_assert_cmpint (plumb_result_get_cell (binary, 0, 0)->kind, ==, PLUMB_VALUE_BINARY);
  g_assert_cmpmem (plumb_result_get_cell (binary, 0, 0)->text,
                   plumb_result_get_cell (binary, 0, 0)->length, "\x00\xff", 2);
  g_assert_cmpint (plumb_result_get_cell (binary, 0, 1)->kind, ==, PLUMB_VALUE_BINARY);
  g_assert_cmpuint (plumb_result_get_cell (binary, 0, 1)->length, ==, 0);
}

static void
test_columns (void)
{
  g_autoptr (PlumbSource) source = open_reader ();
  g_autoptr (PlumbResult) result = run (
    source, "SELECT 1.5::numeric(10,2) AS \"Preis €\", 'x'::varchar(3) AS b WHERE false");

  g_assert_cmpint (plumb_result_get_n_rows (result), ==, 0);
  g_assert_cmpuint (plumb_result_get_n_columns (result), ==, 2);
  g_assert_cmpstr (plumb_result_get_column (result, 0)->name, ==, "Preis €");
  g_assert_cmpstr (plumb_result_get_column (result, 0)->type, ==, "numeric(10,2)");
  g_assert_cmpstr (plumb_result_get_column (result, 1)->type, ==, "varchar");
}

static void
test_sqlite_values (void)
{
  g_autoptr (PlumbSource) source = open_sqlite ();
  g_autoptr (PlumbResult) binary = run (source, "SELECT bin FROM kinds");
  const PlumbCell *cell = plumb_result_get_cell (binary, 0, 0);

  assert_value (source, "SELECT big FROM kinds", PLUMB_VALUE_INTEGER, "9223372036854775807");
  assert_value (source, "SELECT txt FROM kinds", PLUMB_VALUE_TEXT, "민준 🙂");
  /* What isn't UTF-8 arrives as the file has it. */
  assert_value (source, "SELECT bad FROM kinds", PLUMB_VALUE_TEXT, "a\xff z");
  assert_value (source, "SELECT empty FROM kinds", PLUMB_VALUE_TEXT, "");
  assert_value (source, "SELECT missing FROM kinds", PLUMB_VALUE_NULL, NULL);
  assert_value (source, "SELECT ts FROM kinds", PLUMB_VALUE_TIMESTAMP, "2024-03-31 02:30:00.125");
  assert_value (source, "SELECT day FROM kinds", PLUMB_VALUE_DATE, "2024-02-29");
  g_assert_cmpint (cell->kind, ==, PLUMB_VALUE_BINARY);
  g_assert_cmpmem (cell->text, cell->length, "\x00\xff", 2);
}

static void
test_long_cells (void)
{
  PlumbLimits whole = { 10, 0, 0, 0 };
  PlumbLimits limits = { 10, 0, 1000, 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (PlumbSource) source = open_reader ();
  g_autoptr (PlumbSource) sqlite = open_sqlite ();
  g_autoptr (PlumbResult) all =
    run_limited (source, "SELECT repeat('한🙂x', 1000000), 'next'::text", whole, &error);
  g_autoptr (PlumbResult) cut =
    run_limited (source, "SELECT repeat('한🙂x', 1000000), 'next'::text", limits, &error);
  g_autoptr (PlumbResult) also =
    run_limited (sqlite, "SELECT replace(hex(zeroblob(5000000)), '00', 'xy'), 'next'", limits,
                 &error);
  const PlumbCell *cell;

  g_assert_no_error (error);
  cell = plumb_result_get_cell (all, 0, 0);
  g_assert_cmpuint (cell->length, ==, 8 * 1000000);
  for (gsize i = 0; i < cell->length; i += 8)
    g_assert_cmpmem (cell->text + i, 8, "한🙂x", 8);
  g_assert_false (cell->cut);
  cell = plumb_result_get_cell (cut, 0, 0);
  g_assert_true (cell->cut);
  g_assert_cmpuint (cell->length, <=, 1000);
  g_assert_cmpmem (cell->text, 8, "한🙂x", 8);
  g_assert_cmpstr (plumb_result_get_cell (cut, 0, 1)->text, ==, "next");
  g_assert_true (plumb_result_get_cell (also, 0, 0)->cut);
  g_assert_cmpstr (plumb_result_get_cell (also, 0, 1)->text, ==, "next");
}

static void
test_caps (void)
{
  PlumbLimits limits = { 10, 0, 0, 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (PlumbSource) source = open_reader ();
  g_autoptr (PlumbResult) ten =
    run_limited (source, "SELECT i FROM generate_series(1, 10) i", limits, &error);
  g_autoptr (PlumbResult) many = run_limited (
    source, "SELECT generate_series(1, 1000000000), repeat('x', 1000)", limits, &error);
  g_autoptr (PlumbResult) all = NULL;

  g_assert_no_error (error);
  g_assert_cmpint (plumb_result_get_n_rows (ten), ==, 10);
  g_assert_false (plumb_result_get_truncated (ten));
  g_assert_cmpint (plumb_result_get_n_rows (many), ==, 10);
  g_assert_cmpstr (plumb_result_get_truncated_by (many), ==, "rows");
  /* More rows than the driver and the connection's thread fetch at a time. */
  limits = (PlumbLimits) { 0, 0, 0, 0 };
  all = run_limited (source, "SELECT i FROM generate_series(1, 12345) i", limits, &error);
  g_assert_no_error (error);
  g_assert_cmpint (plumb_result_get_n_rows (all), ==, 12345);
  g_assert_cmpstr (plumb_result_get_cell (all, 12344, 0)->text, ==, "12345");
}

static void
test_catalog (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PlumbSource) source = open_reader ();
  g_autoptr (PlumbCatalog) catalog = plumb_source_read_catalog (source, NULL, &error);
  const PlumbTable *customers, *returns;
  const PlumbForeignKey *key;

  g_assert_no_error (error);
  customers = find_table (catalog, "public", "customers");
  g_assert_cmpstr (customers->comment, ==, "고객");
  g_assert_true (customers->selectable);
  g_assert_cmpstr (plumb_table_find_column (customers, "name")->type, ==, "varchar(40)");
  g_assert_cmpstr (plumb_table_find_column (customers, "name")->comment, ==, "as on the contract");
  g_assert_false (plumb_table_find_column (customers, "name")->nullable);
  g_assert_true (plumb_table_find_column (customers, "salary")->nullable);
  g_assert_cmpstr (plumb_table_find_column (customers, "salary")->type, ==, "numeric(10,2)");
  assert_names (customers->primary_key, "id");
  assert_names (find_table (catalog, "public", "orders")->primary_key, "order_no,line");
  g_assert_cmpint (find_table (catalog, "public", "orders")->row_estimate, ==, 1000);
  returns = find_table (catalog, "other side", "returns");
  g_assert_cmpuint (returns->foreign_keys->len, ==, 2);
  for (guint i = 0; i < 2; i++) {
    key = g_ptr_array_index (returns->foreign_keys, i);
    g_assert_cmpstr (key->ref_schema, ==, "public");
    if (strcmp (key->ref_table, "orders") != 0)
      continue;
    g_assert_cmpstr (key->name, ==, "of_order");
    assert_names (key->columns, "l,o");
    assert_names (key->ref_columns, "line,order_no");
  }
  g_assert_cmpint (find_table (catalog, "public", "v_names")->kind, ==, PLUMB_TABLE_KIND_VIEW);
  g_assert_cmpint (find_table (catalog, "public", "sums")->kind, ==,
                   PLUMB_TABLE_KIND_MATERIALIZED_VIEW);
  g_assert_cmpint (find_table (catalog, "public", "events")->kind, ==,
                   PLUMB_TABLE_KIND_PARTITIONED);
  g_assert_cmpuint (find_table (catalog, "public", "wide")->columns->len, ==, WIDE_COLUMNS);
  g_assert_false (find_table (catalog, "public", "hidden")->selectable);
  g_assert_null (plumb_catalog_find (catalog, "pg_catalog", "pg_class"));
}

static void
test_sqlite_catalog (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PlumbSource) source = open_sqlite ();
  g_autoptr (PlumbCatalog) catalog = plumb_source_read_catalog (source, NULL, &error);
  const PlumbForeignKey *key;

  g_assert_no_error (error);
  /* A view that can't be read is there, and keeps nothing else from being seen. */
  g_assert_cmpuint (find_table (catalog, "main", "v_writes")->columns->len, ==, 0);
  assert_names (find_table (catalog, "main", "orders")->primary_key, "order_no,line");
  g_assert_cmpuint (find_table (catalog, "main", "returns")->foreign_keys->len, ==, 1);
  key = g_ptr_array_index (find_table (catalog, "main", "returns")->foreign_keys, 0);
  assert_names (key->columns, "o,l");
  assert_names (key->ref_columns, "order_no,line");
  g_assert_cmpint (find_table (catalog, "main", "v_names")->kind, ==, PLUMB_TABLE_KIND_VIEW);
  g_assert_cmpstr (
    plumb_table_find_column (find_table (catalog, "main", "customers"), "name")->type, ==,
    "varchar(40)");
}

/* Statements that the statement check would refuse must fail at the server too. */
static void
test_read_only (void)
{
  const char *const statements[] = {
    "INSERT INTO customers VALUES (9, 'x', 1)",
    "UPDATE customers SET name = 'x'",
    "DELETE FROM customers",
    "TRUNCATE customers",
    "DROP TABLE customers",
    "CREATE TABLE x (a int)",
    "CREATE TABLE x AS SELECT 1",
    "SELECT 1 INTO x",
    "SELECT writes()",
    "SET TRANSACTION READ WRITE",
    "WITH d AS (DELETE FROM customers RETURNING 1) SELECT * FROM d",
    "SELECT set_config('transaction_read_only', 'off', true), writes()",
    "",
  };
  g_autoptr (PlumbSource) source = odbc_open_postgres ("postgres", "shop", "");
  PGconn *admin = admin_connect ("shop");
  g_autofree char *customers = NULL;
  g_autofree char *log = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (statements); i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (PlumbResult) result =
      run_limited (source, statements[i], PLUMB_LIMITS_DEFAULT, &error);

    if (result != NULL)
      g_error ("This ran: %s", statements[i]);
  }
  customers = admin_ask (admin, "SELECT count(*) || min(name) FROM customers");
  g_assert_cmpstr (customers, ==, "3Ada");
  log = admin_ask (admin, "SELECT count(*) FROM log");
  g_assert_cmpstr (log, ==, "0");
  PQfinish (admin);
}

/* What gets through in one statement is rolled back with it. */
static void
test_rolled_back (void)
{
  g_autoptr (PlumbSource) sqlite = open_sqlite ();

  assert_fails (sqlite, "DELETE FROM customers", PLUMB_SOURCE_ERROR_STATEMENT, "readonly");
  assert_fails (sqlite, "PRAGMA query_only = OFF", PLUMB_SOURCE_ERROR_STATEMENT, "no query");
  assert_fails (sqlite, "DELETE FROM customers", PLUMB_SOURCE_ERROR_STATEMENT, "readonly");
  assert_value (sqlite, "SELECT count(*) FROM customers", PLUMB_VALUE_INTEGER, "3");
}

static void
test_probe (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PlumbSource) reader = open_reader ();
  g_autoptr (PlumbSource) super = odbc_open_postgres ("postgres", "shop", "");
  g_autoptr (PlumbSource) sqlite = open_sqlite ();
  g_autoptr (PlumbSource) generic = odbc_open_postgres ("reader", "shop",
                                                        ";PlumblineDialect=generic");
  g_autoptr (PlumbAccountProbe) read = plumb_source_probe (reader, NULL, &error);
  g_autoptr (PlumbAccountProbe) all = plumb_source_probe (super, NULL, &error);
  g_autoptr (PlumbAccountProbe) file = plumb_source_probe (sqlite, NULL, &error);
  g_autoptr (PlumbAccountProbe) unknown = plumb_source_probe (generic, NULL, &error);

  g_assert_no_error (error);
  g_assert_true (g_str_has_prefix (read->version, "PostgreSQL 1"));
  g_assert_nonnull (strstr (read->version, "psqlodbcw.so 13."));
  g_assert_cmpstr (read->account, ==, "reader");
  g_assert_cmpstr (read->time_zone, ==, "Asia/Seoul");
  g_assert_cmpstr (read->encoding, ==, "UTF8");
  g_assert_true (read->read_only_proven);
  g_assert_cmpuint (read->superuser_rights->len, ==, 0);
  g_assert_true (has_word (read->write_rights, "log"));
  g_assert_cmpuint (read->n_selectable, ==, read->n_tables - 1);
  g_assert_cmpuint (all->superuser_rights->len, ==, 1);
  g_assert_true (has_word (all->superuser_rights, "superuser"));
  g_assert_true (all->read_only_proven);
  g_assert_true (g_str_has_prefix (file->version, "SQLite 3."));
  g_assert_true (file->read_only_proven);
  g_assert_cmpstr (file->encoding, ==, "UTF-8");
  g_assert_false (unknown->read_only_proven);
  g_assert_nonnull (strstr (unknown->read_only_detail, "no write was tried"));
  g_assert_cmpstr (plumb_source_get_engine (reader), ==, "PostgreSQL");
  g_assert_cmpstr (plumb_source_get_engine (sqlite), ==, "SQLite");
}

static void
test_dialects (void)
{
  g_autoptr (PlumbSource) reader = open_reader ();
  g_autoptr (PlumbSource) sqlite = open_sqlite ();
  g_autoptr (PlumbSource) named = odbc_open ("odbc:DSN=none;plumblinedialect={tibero}", NULL);
  g_autoptr (PlumbSource) server = odbc_open ("odbc:DSN=none;PlumblineDialect=sqlserver", NULL);

  /* Before anything else was asked of them. */
  g_assert_cmpint (plumb_source_get_dialect (reader), ==, PLUMB_DIALECT_POSTGRES);
  g_assert_cmpint (plumb_source_get_dialect (sqlite), ==, PLUMB_DIALECT_SQLITE);
  g_assert_cmpint (plumb_source_get_dialect (named), ==, PLUMB_DIALECT_ORACLE);
  g_assert_cmpint (plumb_source_get_dialect (server), ==, PLUMB_DIALECT_SQLSERVER);
}

static void
test_explain (void)
{
  g_autoptr (GError) error = NULL;
  double rows = -1, cost = -1;
  g_autoptr (PlumbSource) source = open_reader ();
  g_autoptr (PlumbSource) sqlite = open_sqlite ();
  g_autoptr (PlumbSource) oracle = odbc_open_postgres ("reader", "shop",
                                                       ";PlumblineDialect=oracle");
  g_autofree char *plan = plumb_source_explain (source, "SELECT * FROM orders", NULL, &rows, &cost,
                                                NULL, &error);
  g_autofree char *other = plumb_source_explain (
    sqlite, "SELECT * FROM orders WHERE order_no = 1", NULL, NULL, NULL, NULL, &error);
  g_autofree char *none = NULL;

  g_assert_no_error (error);
  g_assert_nonnull (strstr (plan, "Seq Scan on orders"));
  g_assert_cmpfloat (rows, ==, 1000);
  g_assert_cmpfloat (cost, >, 1);
  g_assert_nonnull (strstr (other, "SEARCH orders"));
  none = plumb_source_explain (oracle, "SELECT 1", NULL, NULL, NULL, NULL, &error);
  g_assert_null (none);
  g_assert_error (error, PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_STATEMENT);
  g_assert_nonnull (strstr (error->message, "gives no plan"));
}

static PlumbCatalog *
read_catalog (PlumbSource *source)
{
  g_autoptr (GError) error = NULL;
  PlumbCatalog *catalog = plumb_source_read_catalog (source, NULL, &error);

  g_assert_no_error (error);
  return catalog;
}

static void
assert_verdict (PlumbSource *source, PlumbCatalog *catalog, const char *sql, gboolean allowed)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PlumbStatement) statement = plumb_source_check (source, sql, catalog, NULL, &error);

  g_assert_no_error (error);
  if (statement->allowed != allowed)
    g_error ("%s: %s", sql, allowed ? statement->reason : "allowed");
}

static void
test_check (void)
{
  const char *const allowed[] = {
    "SELECT count(*) FROM customers",
    "SELECT * FROM v_names",
    "SELECT upper(name), round(salary) FROM customers",
    "SELECT c.name FROM customers c JOIN orders o ON o.customer_id = c.id",
  };
  const char *const refused[] = {
    "SELECT writes()",
    "SELECT public.writes()",
    "SELECT * FROM v_writes",
    "SELECT lower(7)",
    "SELECT * FROM guarded",
    "SELECT pg_sleep(1)",
    "SELECT 1 === 2",
    "SELECT 'x'::careful",
    "DELETE FROM customers",
    "SELECT * FROM nothing_there",
    "SELECT 1; DELETE FROM customers",
  };
  g_autoptr (PlumbSource) source = odbc_open_postgres ("postgres", "shop", "");
  g_autoptr (PlumbCatalog) catalog = read_catalog (source);

  for (guint i = 0; i < G_N_ELEMENTS (allowed); i++)
    assert_verdict (source, catalog, allowed[i], TRUE);
  for (guint i = 0; i < G_N_ELEMENTS (refused); i++)
    assert_verdict (source, catalog, refused[i], FALSE);
}

static void
test_sqlite_check (void)
{
  const char *const allowed[] = {
    "SELECT count(*) FROM customers",
    "SELECT * FROM v_names",
    "SELECT * FROM texts WHERE texts MATCH 'a'",
  };
  const char *const refused[] = {
    "SELECT * FROM v_writes",
    "SELECT blob_export('x', '/tmp/x')",
    "SELECT load_extension('x')",
    "PRAGMA query_only = OFF",
    "DELETE FROM customers",
    "ATTACH '/tmp/x' AS x",
  };
  g_autoptr (PlumbSource) source = open_sqlite ();
  g_autoptr (PlumbCatalog) catalog = read_catalog (source);

  for (guint i = 0; i < G_N_ELEMENTS (allowed); i++)
    assert_verdict (source, catalog, allowed[i], TRUE);
  for (guint i = 0; i < G_N_ELEMENTS (refused); i++)
    assert_verdict (source, catalog, refused[i], FALSE);
}

/* A database that isn't known: what views stand for is asked of INFORMATION_SCHEMA. */
static void
test_generic_check (void)
{
  g_autoptr (PlumbSource) source = odbc_open_postgres ("postgres", "shop",
                                                       ";PlumblineDialect=generic");
  g_autoptr (PlumbCatalog) catalog = read_catalog (source);

  assert_verdict (source, catalog, "SELECT count(*) FROM public.customers", TRUE);
  assert_verdict (source, catalog, "SELECT * FROM public.v_names", TRUE);
  assert_verdict (source, catalog, "SELECT * FROM public.v_writes", FALSE);
  assert_verdict (source, catalog, "SELECT writes()", FALSE);
  assert_verdict (source, catalog, "DELETE FROM public.customers", FALSE);
  assert_fails (source, "DELETE FROM customers", PLUMB_SOURCE_ERROR_STATEMENT, "read-only");
}

static void
test_errors (void)
{
  g_autoptr (PlumbSource) source = open_reader ();

  assert_fails (source, "SELECT nothing FROM orders", PLUMB_SOURCE_ERROR_STATEMENT,
                "column \"nothing\" does not exist");
  assert_fails (source, "SELEC 1", PLUMB_SOURCE_ERROR_STATEMENT, "syntax error");
  assert_fails (source, "SELECT * FROM hidden", PLUMB_SOURCE_ERROR_DENIED, "hidden");
  assert_fails (source, "SELECT 1/0", PLUMB_SOURCE_ERROR_STATEMENT, "division by zero");
  assert_fails (source, "SELECT 10 / (300 - i) FROM generate_series(1, 10000) i",
                PLUMB_SOURCE_ERROR_STATEMENT, "division by zero");
  assert_value (source, "SELECT count(*) FROM orders;", PLUMB_VALUE_INTEGER, "1000");
}

static void
fill_postgres (void)
{
  PGconn *admin = admin_connect ("postgres");
  g_autofree char *literal = PQescapeLiteral (admin, odbc_password, strlen (odbc_password));
  g_autofree char *role = g_strdup_printf ("CREATE ROLE reader LOGIN PASSWORD %s", literal);
  g_autoptr (GString) wide = g_string_new ("CREATE TABLE wide (c0 int");

  admin_execute (admin, role);
  PQfinish (admin);
  create_database (
    "shop",
    "CREATE TABLE customers (id int PRIMARY KEY, name varchar(40) NOT NULL, salary numeric(10,2));"
    "INSERT INTO customers VALUES (1, 'Ada', 1), (2, 'Bo', 2), (3, '민준', 3);"
    "COMMENT ON TABLE customers IS '고객';"
    "COMMENT ON COLUMN customers.name IS 'as on the contract';"
    "COMMENT ON COLUMN customers.salary IS 'won';"
    "CREATE TABLE orders (order_no int, line int, customer_id int REFERENCES customers, "
    "PRIMARY KEY (order_no, line));"
    "INSERT INTO orders SELECT i, 1, 1 FROM generate_series(1, 1000) i; ANALYZE orders;"
    "CREATE SCHEMA \"other side\";"
    "CREATE TABLE \"other side\".returns (o int, l int, c int REFERENCES customers, "
    "CONSTRAINT of_order FOREIGN KEY (l, o) REFERENCES orders (line, order_no));"
    "CREATE TABLE log (a text); CREATE TABLE hidden (a int);"
    "CREATE FUNCTION writes() RETURNS int LANGUAGE sql AS "
    "'INSERT INTO log VALUES (''x''); SELECT 1';"
    "CREATE FUNCTION lower(int) RETURNS int LANGUAGE sql AS 'SELECT writes()';"
    "CREATE FUNCTION same(int, int) RETURNS bool LANGUAGE sql AS 'SELECT writes() = 1';"
    "CREATE OPERATOR === (LEFTARG = int, RIGHTARG = int, FUNCTION = same);"
    "CREATE DOMAIN careful AS text CHECK (writes() = 1);"
    "CREATE VIEW v_names AS SELECT upper(name) AS name FROM customers;"
    "CREATE VIEW v_writes AS SELECT writes();"
    "CREATE MATERIALIZED VIEW sums AS SELECT sum(salary) AS total FROM customers;"
    "CREATE TABLE events (d date) PARTITION BY RANGE (d);"
    "CREATE TABLE guarded (a int); ALTER TABLE guarded ENABLE ROW LEVEL SECURITY;"
    "CREATE POLICY p ON guarded USING (writes() = 1)");
  for (guint i = 1; i < WIDE_COLUMNS; i++)
    g_string_append_printf (wide, ", c%u int", i);
  g_string_append (wide, "); GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader;"
                         "GRANT INSERT ON log TO reader; REVOKE ALL ON hidden FROM reader;"
                         "GRANT USAGE ON SCHEMA \"other side\" TO reader;"
                         "GRANT SELECT ON ALL TABLES IN SCHEMA \"other side\" TO reader");
  admin = admin_connect ("shop");
  admin_execute (admin, wide->str);
  PQfinish (admin);
}

int
main (int argc, char **argv)
{
  int failed;

  g_test_init (&argc, &argv, NULL);
  odbc_fixture_init ();
  fill_postgres ();
  execute_sqlite (
    "CREATE TABLE customers (id INTEGER PRIMARY KEY, name varchar(40) NOT NULL);"
    "INSERT INTO customers VALUES (1, 'Ada'), (2, 'Bo'), (3, 'Cy');"
    "CREATE TABLE orders (order_no INT, line INT, PRIMARY KEY (order_no, line));"
    "CREATE TABLE returns (o INT, l INT, FOREIGN KEY (o, l) REFERENCES orders (order_no, line));"
    "CREATE TABLE kinds (big BIGINT, txt TEXT, bad TEXT, empty TEXT, missing TEXT, ts TIMESTAMP, "
    "day DATE, bin BLOB);"
    "INSERT INTO kinds VALUES (9223372036854775807, '민준 🙂', CAST(X'61ff207a' AS TEXT), '', NULL, "
    "'2024-03-31 02:30:00.125', '2024-02-29', X'00ff');"
    "CREATE VIEW v_names AS SELECT upper(name) AS name FROM customers;"
    "CREATE VIEW v_writes AS SELECT load_extension('x') AS x;"
    "CREATE VIRTUAL TABLE texts USING fts5 (t)");
  g_test_add_func ("/sources/odbc/values", test_values);
  g_test_add_func ("/sources/odbc/columns", test_columns);
  g_test_add_func ("/sources/odbc/sqlite-values", test_sqlite_values);
  g_test_add_func ("/sources/odbc/long-cells", test_long_cells);
  g_test_add_func ("/sources/odbc/caps", test_caps);
  g_test_add_func ("/sources/odbc/catalog", test_catalog);
  g_test_add_func ("/sources/odbc/sqlite-catalog", test_sqlite_catalog);
  g_test_add_func ("/sources/odbc/read-only", test_read_only);
  g_test_add_func ("/sources/odbc/rolled-back", test_rolled_back);
  g_test_add_func ("/sources/odbc/probe", test_probe);
  g_test_add_func ("/sources/odbc/dialects", test_dialects);
  g_test_add_func ("/sources/odbc/explain", test_explain);
  g_test_add_func ("/sources/odbc/check", test_check);
  g_test_add_func ("/sources/odbc/sqlite-check", test_sqlite_check);
  g_test_add_func ("/sources/odbc/generic-check", test_generic_check);
  g_test_add_func ("/sources/odbc/errors", test_errors);
  failed = g_test_run ();
  odbc_fixture_clear ();
  return failed;
}
