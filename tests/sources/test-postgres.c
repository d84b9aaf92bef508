/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "postgres-fixture.h"

#include <string.h>

#define READER_PASSWORD "r 'e\"a@d/e?r#:%41"

static const char shop_sql[] =
  "CREATE SCHEMA app; CREATE SCHEMA hidden; CREATE SCHEMA \"빈 스키마\";"
  "CREATE TYPE app.mood AS ENUM ('sad', 'ok');"
  "CREATE TABLE app.customers (id bigint PRIMARY KEY, name varchar(40) NOT NULL, email text "
  "UNIQUE, mood app.mood, salary numeric(12,2));"
  "COMMENT ON TABLE app.customers IS '고객'; COMMENT ON COLUMN app.customers.name IS 'as on the "
  "contract';"
  "INSERT INTO app.customers SELECT i, 'name ' || i, NULL, 'ok', i FROM generate_series(1, 100) "
  "i; ANALYZE app.customers;"
  "CREATE TABLE app.orders (order_no text, line int, customer_id bigint REFERENCES "
  "app.customers, dropped int, day date NOT NULL, PRIMARY KEY (order_no, line));"
  "ALTER TABLE app.orders DROP COLUMN dropped;"
  "CREATE TABLE app.returns (id int PRIMARY KEY, o text, l int, CONSTRAINT of_order FOREIGN KEY "
  "(o, l) REFERENCES app.orders (order_no, line));"
  "CREATE UNIQUE INDEX returns_ol ON app.returns (o, l) INCLUDE (id); CREATE UNIQUE INDEX "
  "returns_part ON app.returns (l) WHERE l > 0;"
  "CREATE UNIQUE INDEX returns_lower ON app.returns (lower(o));"
  "CREATE TABLE app.events (at date NOT NULL, what text, PRIMARY KEY (at, what)) PARTITION BY "
  "RANGE (at);"
  "CREATE TABLE app.events_2023 PARTITION OF app.events FOR VALUES FROM ('2023-01-01') TO "
  "('2024-01-01');"
  "CREATE TABLE app.events_2024 PARTITION OF app.events FOR VALUES FROM ('2024-01-01') TO "
  "('2025-01-01');"
  "CREATE TABLE app.seen (at date, what text, FOREIGN KEY (at, what) REFERENCES app.events);"
  "INSERT INTO app.events SELECT '2023-01-01'::date + i, 'x' FROM generate_series(1, 400) i; "
  "ANALYZE app.events_2023; ANALYZE app.events_2024;"
  "CREATE VIEW app.v_names AS SELECT id, name FROM app.customers;"
  "CREATE MATERIALIZED VIEW app.m_names AS SELECT id, name FROM app.customers;"
  "CREATE VIEW app.v_fails AS SELECT 1 / (id - id) AS x FROM app.customers;"
  "CREATE EXTENSION file_fdw; CREATE SERVER files FOREIGN DATA WRAPPER file_fdw;"
  "CREATE FOREIGN TABLE app.f (a text) SERVER files OPTIONS (filename '/nowhere');"
  "CREATE TABLE public.customers (id int); CREATE TABLE public.\"Customers\" (id int); CREATE "
  "TABLE public.\"weird.\"\"name\" (\"a b\" int);"
  "CREATE TABLE hidden.secret (a int);"
  "CREATE FUNCTION public.writes() RETURNS int LANGUAGE plpgsql SECURITY DEFINER AS $$BEGIN "
  "INSERT INTO hidden.secret VALUES (1); RETURN 1; END$$;"
  "GRANT USAGE ON SCHEMA app TO reader; GRANT SELECT ON ALL TABLES IN SCHEMA app TO reader; "
  "GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader;"
  "REVOKE SELECT ON app.customers FROM reader; GRANT SELECT (id, name, email, mood) ON "
  "app.customers TO reader;";

static PlumbSource *
open_reader (void)
{
  return open_as ("reader", READER_PASSWORD, "shop", NULL);
}

static void
assert_value (PlumbSource *source, const char *expression, PlumbValueKind kind, const char *type,
              const char *text)
{
  g_autofree char *sql = g_strdup_printf ("SELECT %s", expression);
  g_autoptr (PlumbResult) result = run (source, sql);

  g_assert_cmpint (plumb_result_get_n_rows (result), ==, 1);
  g_assert_cmpstr (plumb_result_get_column (result, 0)->type, ==, type);
  g_assert_cmpint (plumb_result_get_column (result, 0)->kind, ==, kind);
  assert_cell (result, 0, 0, text != NULL ? kind : PLUMB_VALUE_NULL, text);
}

static void
test_values (void)
{
  static const struct {
    const char *expression;
    PlumbValueKind kind;
    const char *type;
    const char *text;
  } values[] = {
    { "9223372036854775807::bigint", PLUMB_VALUE_INTEGER, "bigint", "9223372036854775807" },
    { "(-32768)::smallint", PLUMB_VALUE_INTEGER, "smallint", "-32768" },
    { "12345678901234567890.123456789012345678::numeric", PLUMB_VALUE_DECIMAL, "numeric",
      "12345678901234567890.123456789012345678" },
    { "1.50::numeric(10,2)", PLUMB_VALUE_DECIMAL, "numeric(10,2)", "1.50" },
    { "'NaN'::numeric", PLUMB_VALUE_DECIMAL, "numeric", "NaN" },
    { "'Infinity'::numeric", PLUMB_VALUE_DECIMAL, "numeric", "Infinity" },
    { "0.1::double precision + 0.2", PLUMB_VALUE_FLOAT, "double precision", "0.30000000000000004" },
    { "0.1::real", PLUMB_VALUE_FLOAT, "real", "0.1" },
    { "'-Infinity'::double precision", PLUMB_VALUE_FLOAT, "double precision", "-Infinity" },
    { "true", PLUMB_VALUE_BOOLEAN, "boolean", "true" },
    { "false", PLUMB_VALUE_BOOLEAN, "boolean", "false" },
    { "NULL::boolean", PLUMB_VALUE_BOOLEAN, "boolean", NULL },
    { "''::text", PLUMB_VALUE_TEXT, "text", "" },
    { "'민준 🙂'::varchar(20)", PLUMB_VALUE_TEXT, "character varying(20)", "민준 🙂" },
    { "'ab'::char(5)", PLUMB_VALUE_TEXT, "character(5)", "ab   " },
    { "date '0044-03-15 BC'", PLUMB_VALUE_DATE, "date", "0044-03-15 BC" },
    { "'infinity'::date", PLUMB_VALUE_DATE, "date", "infinity" },
    { "time '23:59:59.123456'", PLUMB_VALUE_TIME, "time without time zone", "23:59:59.123456" },
    { "timestamp '2024-02-29 12:34:56.789'", PLUMB_VALUE_TIMESTAMP, "timestamp without time zone",
      "2024-02-29 12:34:56.789" },
    { "timestamptz '2024-02-29 12:00:00+00'", PLUMB_VALUE_TIMESTAMP, "timestamp with time zone",
      "2024-02-29 21:00:00+09" },
    { "interval '1 year 2 mons 3 days 04:05:06.7'", PLUMB_VALUE_INTERVAL, "interval",
      "1 year 2 mons 3 days 04:05:06.7" },
    { "'{\"a\": 1.0}'::json", PLUMB_VALUE_JSON, "json", "{\"a\": 1.0}" },
    { "'{\"a\":1.0}'::jsonb", PLUMB_VALUE_JSON, "jsonb", "{\"a\": 1.0}" },
    { "ARRAY[1, NULL, 3]", PLUMB_VALUE_OTHER, "integer[]", "{1,NULL,3}" },
    { "'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'::uuid", PLUMB_VALUE_TEXT, "uuid",
      "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11" },
    { "'ok'::app.mood", PLUMB_VALUE_OTHER, "app.mood", "ok" },
    { "int4range(1, 5)", PLUMB_VALUE_OTHER, "int4range", "[1,5)" },
    { "'192.168.0.1/24'::inet", PLUMB_VALUE_OTHER, "inet", "192.168.0.1/24" },
  };
  g_autoptr (PlumbSource) source = open_reader ();
  g_autoptr (PlumbResult) binary = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    assert_value (source, values[i].expression, values[i].kind, values[i].type, values[i].text);
  binary = run (source, "SELECT '\\x00ff10'::bytea, ''::bytea");
  g_assert_cmpint (plumb_result_get_cell (binary, 0, 0)->kind, ==, PLUMB_VALUE_BINARY);
  g_assert_cmpmem (plumb_result_get_cell (binary, 0, 0)->text,
                   plumb_result_get_cell (binary, 0, 0)->length, "\x00\xff\x10", 3);
  g_assert_cmpint (plumb_result_get_cell (binary, 0, 1)->length, ==, 0);
}

/* A database without an encoding stores any bytes; they arrive as they are. */
static void
test_invalid_text (void)
{
  PGconn *admin = admin_connect ("postgres");
  g_autoptr (PlumbSource) source = NULL;

  admin_execute (admin, "DROP DATABASE IF EXISTS bytes");
  admin_execute (admin, "CREATE DATABASE bytes ENCODING 'SQL_ASCII' LOCALE 'C' TEMPLATE template0");
  PQfinish (admin);
  source = open_as ("reader", READER_PASSWORD, "bytes", NULL);
  assert_one_cell (source, "SELECT E'a\\377b'", "a\xff" "b");
}

static void
test_caps (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PlumbSource) source = open_reader ();
  PlumbLimits limits = { 10, 0, 0, 0 };
  g_autoptr (PlumbResult) ten =
    run_limited (source, "SELECT generate_series(1, 10)", limits, &error);
  g_autoptr (PlumbResult) eleven =
    run_limited (source, "SELECT generate_series(1, 11)", limits, &error);
  g_autoptr (PlumbResult) many = run_limited (
    source, "SELECT i, repeat('x', 1000) FROM generate_series(1, 100000000) i", limits, &error);
  g_autoptr (PlumbResult) wide = NULL;

  g_assert_no_error (error);
  g_assert_cmpint (plumb_result_get_n_rows (ten), ==, 10);
  g_assert_false (plumb_result_get_truncated (ten));
  g_assert_cmpint (plumb_result_get_n_rows (eleven), ==, 10);
  g_assert_cmpstr (plumb_result_get_truncated_by (eleven), ==, "rows");
  g_assert_cmpint (plumb_result_get_n_rows (many), ==, 10);
  assert_cell (many, 9, 0, PLUMB_VALUE_INTEGER, "10");
  wide = run_limited (source, "SELECT repeat('민', 3500000)", (PlumbLimits) { 10, 0, 1000, 0 },
                      &error);
  g_assert_no_error (error);
  g_assert_cmpint (plumb_result_get_cell (wide, 0, 0)->length, ==, 999);
  g_assert_true (plumb_result_get_cell (wide, 0, 0)->cut);
  assert_one_cell (source, "SELECT 'after'", "after");
}

static void
test_no_rows (void)
{
  g_autoptr (PlumbSource) source = open_reader ();
  g_autoptr (PlumbResult) result = run (source, "SELECT order_no, line FROM app.orders");

  g_assert_cmpint (plumb_result_get_n_rows (result), ==, 0);
  g_assert_cmpint (plumb_result_get_n_columns (result), ==, 2);
  g_assert_cmpstr (plumb_result_get_column (result, 1)->name, ==, "line");
}

static PlumbTable *
find (PlumbCatalog *catalog, const char *schema, const char *name)
{
  PlumbTable *table = plumb_catalog_find (catalog, schema, name);

  g_assert_nonnull (table);
  return table;
}

static void
assert_names (GStrv names, const char *expected)
{
  g_autofree char *joined = names != NULL ? g_strjoinv (",", names) : NULL;

  g_assert_cmpstr (joined, ==, expected);
}

static void
check_keys (PlumbCatalog *catalog)
{
  const PlumbTable *orders = find (catalog, "app", "orders");
  const PlumbTable *returns = find (catalog, "app", "returns");
  const PlumbTable *seen = find (catalog, "app", "seen");
  const PlumbForeignKey *key = g_ptr_array_index (returns->foreign_keys, 0);

  assert_names (orders->primary_key, "order_no,line");
  g_assert_null (plumb_table_find_column (orders, "dropped"));
  g_assert_false (plumb_table_find_column (orders, "day")->nullable);
  g_assert_cmpuint (orders->foreign_keys->len, ==, 1);
  g_assert_cmpstr (key->name, ==, "of_order");
  g_assert_cmpstr (key->ref_schema, ==, "app");
  g_assert_cmpstr (key->ref_table, ==, "orders");
  assert_names (key->columns, "o,l");
  assert_names (key->ref_columns, "order_no,line");
  g_assert_cmpuint (returns->unique_keys->len, ==, 1);
  assert_names (g_ptr_array_index (returns->unique_keys, 0), "o,l");
  g_assert_cmpuint (seen->foreign_keys->len, ==, 1);
  key = g_ptr_array_index (seen->foreign_keys, 0);
  g_assert_cmpstr (key->ref_table, ==, "events");
}

static void
test_catalog (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PlumbSource) source = open_reader ();
  g_autoptr (PlumbCatalog) catalog = plumb_source_read_catalog (source, NULL, &error);
  const PlumbTable *customers;

  g_assert_no_error (error);
  g_assert_cmpuint (catalog->tables->len, ==, 15);
  customers = find (catalog, "app", "customers");
  g_assert_cmpstr (customers->comment, ==, "고객");
  g_assert_cmpint (customers->row_estimate, ==, 100);
  g_assert_true (customers->selectable);
  g_assert_cmpuint (customers->columns->len, ==, 4);
  g_assert_null (plumb_table_find_column (customers, "salary"));
  g_assert_cmpstr (plumb_table_find_column (customers, "name")->type, ==, "character varying(40)");
  g_assert_cmpstr (plumb_table_find_column (customers, "name")->comment, ==, "as on the contract");
  g_assert_cmpstr (plumb_table_find_column (customers, "mood")->type, ==, "app.mood");
  assert_names (customers->primary_key, "id");
  assert_names (g_ptr_array_index (customers->unique_keys, 0), "email");
  check_keys (catalog);

  g_assert_cmpint (find (catalog, "app", "events")->kind, ==, PLUMB_TABLE_KIND_PARTITIONED);
  g_assert_cmpint (find (catalog, "app", "events")->row_estimate, ==, 400);
  g_assert_cmpint (find (catalog, "app", "events_2024")->kind, ==, PLUMB_TABLE_KIND_PARTITION);
  g_assert_cmpstr (find (catalog, "app", "events_2024")->partition_of, ==, "events");
  g_assert_cmpint (find (catalog, "app", "v_names")->kind, ==, PLUMB_TABLE_KIND_VIEW);
  g_assert_cmpint (find (catalog, "app", "m_names")->kind, ==, PLUMB_TABLE_KIND_MATERIALIZED_VIEW);
  g_assert_cmpint (find (catalog, "app", "f")->kind, ==, PLUMB_TABLE_KIND_FOREIGN);
  g_assert_false (find (catalog, "hidden", "secret")->selectable);
  g_assert_true (find (catalog, "public", "Customers")->selectable);
  g_assert_nonnull (plumb_table_find_column (find (catalog, "public", "weird.\"name"), "a b"));
}

static void
test_large_catalog (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PlumbSource) source = NULL;
  g_autoptr (PlumbCatalog) catalog = NULL;
  g_autoptr (GString) wide = g_string_new ("CREATE TABLE wide (c0 int");
  gint64 start;

  for (int i = 1; i < 1600; i++)
    g_string_append_printf (wide, ", c%d int", i);
  g_string_append (wide, ");");
  create_database ("large", wide->str);
  {
    PGconn *admin = admin_connect ("large");

    for (int part = 0; part < 6; part++) {
      g_autofree char *sql = g_strdup_printf (
        "DO $$ BEGIN FOR i IN %d..%d LOOP EXECUTE format('CREATE TABLE t%%s (a int PRIMARY KEY, b "
        "text, c date, d int)', i); "
        "END LOOP; END $$",
        part * 500, part * 500 + 499);

      admin_execute (admin, sql);
    }
    PQfinish (admin);
  }
  source = open_as ("reader", READER_PASSWORD, "large", NULL);
  start = g_get_monotonic_time ();
  catalog = plumb_source_read_catalog (source, NULL, &error);
  g_test_message ("3001 tables read in %d ms", (int) ((g_get_monotonic_time () - start) / 1000));
  g_assert_no_error (error);
  g_assert_cmpuint (catalog->tables->len, ==, 3001);
  g_assert_cmpuint (find (catalog, "public", "wide")->columns->len, ==, 1600);
  assert_names (find (catalog, "public", "t2999")->primary_key, "a");
}

static void
test_names (void)
{
  const char *const names[] = { "my shop",           "a\"b'c", "판매", "продажи", "a.b", "50%",
                                "host=evil dbname=x" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autoptr (PlumbSource) source = NULL;

    create_database (names[i], NULL);
    source = open_as ("reader", READER_PASSWORD, names[i], NULL);
    assert_one_cell (source, "SELECT current_database()", names[i]);
  }
}

/* What is run here never saw the statement check: the transaction must hold by itself. */
static void
test_read_only (void)
{
  const char *const statements[] = {
    "INSERT INTO hidden.secret VALUES (1)",
    "UPDATE hidden.secret SET a = 2",
    "DELETE FROM app.customers",
    "TRUNCATE app.customers",
    "CREATE TABLE x (a int)",
    "DROP TABLE app.customers",
    "SELECT * INTO x FROM app.customers",
    "SELECT public.writes()",
    "WITH x AS (INSERT INTO hidden.secret VALUES (1) RETURNING a) SELECT a FROM x",
    "COPY app.customers TO '/tmp/plumb-copied'",
    "SELECT set_config('transaction_read_only', NULL, true), public.writes()",
    "SELECT set_config('transaction_read_only', 'off', true), public.writes()",
    "COMMIT; DELETE FROM app.customers",
    "SELECT 1; SELECT 2",
    "SET TRANSACTION READ WRITE",
    "BEGIN READ WRITE",
    "SET default_transaction_read_only = off",
    "SELECT nextval('hidden.s')",
    "REFRESH MATERIALIZED VIEW app.m_names",
    "EXPLAIN ANALYZE CREATE TABLE app.x AS SELECT 1",
    "SELECT pg_notify('a', 'b')",
    "LOCK TABLE app.customers",
    "COMMIT",
    "ROLLBACK",
    "DO $$BEGIN DELETE FROM app.customers; END$$",
    "PREPARE TRANSACTION 'x'",
    "SELECT lo_create(4711)",
    "VACUUM",
    "",
  };
  PGconn *admin = admin_connect ("shop");
  g_autoptr (PlumbSource) source =
    open_as ("postgres", g_getenv ("PLUMB_TEST_POSTGRES_PASSWORD"), "shop", NULL);
  g_autofree char *customers = NULL;
  g_autofree char *secrets = NULL;
  g_autofree char *objects = NULL;

  admin_execute (admin, "CREATE SEQUENCE IF NOT EXISTS hidden.s; TRUNCATE hidden.secret");
  for (guint i = 0; i < G_N_ELEMENTS (statements); i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (PlumbResult) result =
    run_limited (source, statements[i], PLUMB_LIMITS_DEFAULT, &error);

    /* Some may run; none may leave anything behind. */
    g_assert_true (result != NULL || error != NULL);
  }
  assert_one_cell (source, "SELECT current_setting('transaction_read_only')", "on");
  customers = admin_ask (admin, "SELECT count(*) FROM app.customers");
  g_assert_cmpstr (customers, ==, "100");
  secrets = admin_ask (admin, "SELECT count(*) FROM hidden.secret");
  g_assert_cmpstr (secrets, ==, "0");
  objects = admin_ask (admin, "SELECT (SELECT count(*) FROM pg_class WHERE relname = 'x') + "
                              "(SELECT count(*) FROM pg_largeobject_metadata) "
                              "+ (SELECT count(*) FROM pg_locks WHERE relation = "
                              "'app.customers'::regclass) + (SELECT last_value - 1 FROM hidden.s)");
  g_assert_cmpstr (objects, ==, "0");
  PQfinish (admin);
  g_assert_false (g_file_test ("/tmp/plumb-copied", G_FILE_TEST_EXISTS));
}

/* What one statement sets is gone for the next one. */
static void
test_session_state (void)
{
  g_autoptr (PlumbSource) source = open_reader ();
  g_autoptr (PlumbResult) set =
    run (source, "SELECT set_config('search_path', 'hidden', false), "
      "set_config('statement_timeout', '0', false), pg_advisory_lock(1)");

  g_assert_cmpint (plumb_result_get_n_rows (set), ==, 1);
  assert_one_cell (source, "SELECT current_setting('search_path')", "pg_catalog, public, pg_temp");
  assert_one_cell (source, "SELECT current_setting('statement_timeout')", "10min");
  assert_one_cell (source, "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'", "0");
}

static gboolean
has_word (GPtrArray *list, const char *word)
{
  for (guint i = 0; i < list->len; i++) {
    if (strstr (g_ptr_array_index (list, i), word) != NULL)
      return TRUE;
  }
  return FALSE;
}

static void
test_probe (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PlumbSource) reader = open_reader ();
  g_autoptr (PlumbSource) writer = open_as ("writer", READER_PASSWORD, "shop", NULL);
  g_autoptr (PlumbSource) superuser =
    open_as ("postgres", g_getenv ("PLUMB_TEST_POSTGRES_PASSWORD"), "shop", NULL);
  g_autoptr (PlumbAccountProbe) read = plumb_source_probe (reader, NULL, &error);
  g_autoptr (PlumbAccountProbe) write = plumb_source_probe (writer, NULL, &error);
  g_autoptr (PlumbAccountProbe) super = plumb_source_probe (superuser, NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpstr (read->account, ==, "reader");
  g_assert_true (g_str_has_prefix (read->version, "15") || strchr (read->version, '.') != NULL);
  g_assert_true (read->read_only_proven);
  g_assert_cmpuint (read->superuser_rights->len, ==, 0);
  g_assert_cmpuint (read->write_rights->len, ==, 0);
  g_assert_cmpstr (read->time_zone, ==, "Asia/Seoul");
  g_assert_cmpstr (read->encoding, ==, "UTF8");
  g_assert_cmpuint (read->n_tables, ==, 15);
  g_assert_cmpuint (read->n_selectable, ==, 14);
  g_assert_true (write->read_only_proven);
  g_assert_true (has_word (write->write_rights, "app.orders"));
  g_assert_true (has_word (write->write_rights, "create databases"));
  g_assert_true (has_word (write->superuser_rights, "pg_read_server_files"));
  g_assert_true (has_word (write->superuser_rights, "create and change roles (through the role"));
  g_assert_true (has_word (super->superuser_rights, "superuser"));
  g_assert_true (super->read_only_proven);
}

static void
test_explain (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PlumbSource) source = open_reader ();
  double rows = 0, cost = 0;
  g_autofree char *plan = plumb_source_explain (source, "SELECT id FROM app.customers", NULL, &rows,
                                                &cost, NULL, &error);
  g_autofree char *none = NULL;

  g_assert_no_error (error);
  g_assert_nonnull (strstr (plan, "Seq Scan"));
  g_assert_cmpfloat (rows, ==, 100);
  g_assert_cmpfloat (cost, >, 0);
  none = plumb_source_explain (source, "ANALYZE SELECT 1", NULL, NULL, NULL, NULL, &error);
  g_assert_null (none);
  g_assert_error (error, PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_STATEMENT);
}

static void
assert_fails (PlumbSource *source, const char *sql, PlumbSourceError code, const char *words)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PlumbResult) result = run_limited (source, sql, PLUMB_LIMITS_DEFAULT, &error);

  g_assert_null (result);
  g_assert_error (error, PLUMB_SOURCE_ERROR, (int) code);
  g_assert_true (g_str_has_prefix (error->message, "shop: "));
  g_assert_nonnull (strstr (error->message, words));
}

static void
test_errors (void)
{
  g_autoptr (PlumbSource) source = open_reader ();

  assert_fails (source, "SELECT nothing FROM app.orders", PLUMB_SOURCE_ERROR_STATEMENT,
                "column \"nothing\" does not exist");
  assert_fails (source, "SELECT * FROM app.order", PLUMB_SOURCE_ERROR_STATEMENT, "at character 15");
  assert_fails (source, "SELEC 1", PLUMB_SOURCE_ERROR_STATEMENT, "syntax error");
  assert_fails (source, "SELECT * FROM hidden.secret", PLUMB_SOURCE_ERROR_DENIED,
                "permission denied");
  assert_fails (source, "SELECT salary FROM app.customers", PLUMB_SOURCE_ERROR_DENIED,
                "permission denied");
  assert_fails (source, "SELECT * FROM app.v_fails", PLUMB_SOURCE_ERROR_STATEMENT,
                "division by zero");
  assert_fails (source, "SELECT 1 / 0", PLUMB_SOURCE_ERROR_STATEMENT, "division by zero");
  assert_one_cell (source, "SELECT count(*) FROM app.orders", "0");
}

static void
test_sockets (void)
{
  g_autoptr (GError) error = NULL;
  const char *folder = g_getenv ("PLUMB_TEST_POSTGRES_SOCKET");
  const char *port = g_getenv ("PLUMB_TEST_POSTGRES_PORT");
  g_autofree char *escaped = g_uri_escape_string (folder, NULL, FALSE);
  g_autofree char *host_uri = g_strdup_printf ("postgresql://reader@%s:%s/shop", escaped, port);
  g_autofree char *parameter_uri = g_strdup_printf ("postgresql://reader@/shop?host=%s&port=%s",
                                                    folder, port);
  g_autofree char *ipv6_uri = g_strdup_printf ("postgresql://reader@[::1]:%s/shop", port);
  g_autofree char *name_uri = g_strdup_printf ("postgresql://reader@localhost:%s/shop", port);
  const char *uris[] = { host_uri, parameter_uri, ipv6_uri, name_uri };

  for (guint i = 0; i < G_N_ELEMENTS (uris); i++) {
    g_autoptr (PlumbSource) source = plumb_source_new ("shop", uris[i], READER_PASSWORD, &error);

    g_assert_no_error (error);
    assert_one_cell (source, "SELECT current_user", "reader");
  }
}

static void
set_up_server (void)
{
  PGconn *admin = admin_connect ("postgres");
  const char *literal = "'r ''e\"a@d/e?r#:%41'";
  g_autofree char *roles = g_strdup_printf (
    "CREATE ROLE reader LOGIN PASSWORD %s; CREATE ROLE writer LOGIN CREATEDB PASSWORD %s;"
    "CREATE ROLE boss CREATEROLE; GRANT boss TO writer; GRANT pg_read_server_files TO writer;",
    literal, literal);

  admin_execute (admin, roles);
  PQfinish (admin);
  create_database ("shop", shop_sql);
  admin = admin_connect ("shop");
  admin_execute (
    admin, "GRANT USAGE ON SCHEMA app TO writer; GRANT SELECT, INSERT ON app.orders TO writer");
  PQfinish (admin);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  set_up_server ();
  g_test_add_func ("/sources/postgres/values", test_values);
  g_test_add_func ("/sources/postgres/invalid-text", test_invalid_text);
  g_test_add_func ("/sources/postgres/caps", test_caps);
  g_test_add_func ("/sources/postgres/no-rows", test_no_rows);
  g_test_add_func ("/sources/postgres/catalog", test_catalog);
  g_test_add_func ("/sources/postgres/large-catalog", test_large_catalog);
  g_test_add_func ("/sources/postgres/names", test_names);
  g_test_add_func ("/sources/postgres/read-only", test_read_only);
  g_test_add_func ("/sources/postgres/session-state", test_session_state);
  g_test_add_func ("/sources/postgres/probe", test_probe);
  g_test_add_func ("/sources/postgres/explain", test_explain);
  g_test_add_func ("/sources/postgres/errors", test_errors);
  g_test_add_func ("/sources/postgres/sockets", test_sockets);
  return g_test_run ();
}
