/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-source.h"

#include <libsoup/soup.h>
#include <string.h>

static PlumbSource *
open_as (const char *account)
{
  g_autofree char *uri = g_strdup_printf ("clickhouse://%s@127.0.0.1:%s/shop", account,
                                          g_getenv ("PLUMB_TEST_CLICKHOUSE_PORT"));
  g_autoptr (GError) error = NULL;
  PlumbSource *source = plumb_source_new ("shop", uri, g_getenv ("PLUMB_TEST_CLICKHOUSE_PASSWORD"),
                                          &error);

  g_assert_no_error (error);
  return source;
}

/* The server, asked without Plumbline. */
static char *
admin_ask (const char *sql)
{
  g_autoptr (SoupSession) session = soup_session_new ();
  g_autofree char *uri = g_strdup_printf ("http://127.0.0.1:%s/",
                                          g_getenv ("PLUMB_TEST_CLICKHOUSE_PORT"));
  g_autoptr (SoupMessage) message = soup_message_new ("POST", uri);
  g_autoptr (GBytes) body = g_bytes_new (sql, strlen (sql));
  g_autoptr (GBytes) answer = NULL;
  g_autoptr (GError) error = NULL;
  char *text;

  soup_message_headers_append (soup_message_get_request_headers (message), "X-ClickHouse-User",
                               "admin");
  soup_message_headers_append (soup_message_get_request_headers (message), "X-ClickHouse-Key",
                               g_getenv ("PLUMB_TEST_CLICKHOUSE_PASSWORD"));
  soup_message_set_request_body_from_bytes (message, "text/plain", body);
  answer = soup_session_send_and_read (session, message, NULL, &error);
  g_assert_no_error (error);
  text = g_strndup (g_bytes_get_size (answer) > 0 ? g_bytes_get_data (answer, NULL) : "",
                    g_bytes_get_size (answer));
  if (soup_message_get_status (message) != 200)
    g_error ("%s", text);
  return g_strchomp (text);
}

static void
admin_execute (const char *sql)
{
  g_free (admin_ask (sql));
}

static PlumbResult *
run_limited (PlumbSource *source, const char *sql, PlumbLimits limits, GError **error)
{
  g_autoptr (PlumbResult) result = plumb_result_new (&limits);
  PlumbRowSink sink = plumb_result_get_sink (result);

  return plumb_source_run (source, sql, &limits, &sink, NULL, NULL, NULL, error)
           ? g_steal_pointer (&result)
           : NULL;
}

static PlumbResult *
run (PlumbSource *source, const char *sql)
{
  g_autoptr (GError) error = NULL;
  PlumbResult *result = run_limited (source, sql, PLUMB_LIMITS_DEFAULT, &error);

  g_assert_no_error (error);
  return result;
}

static void
assert_one_cell (PlumbSource *source, const char *sql, const char *text)
{
  g_autoptr (PlumbResult) result = run (source, sql);
  const PlumbCell *cell = plumb_result_get_cell (result, 0, 0);

  g_assert_cmpmem (cell->text, cell->length, text, strlen (text));
}

static void
test_values (void)
{
  static const struct {
    const char *expression;
    PlumbValueKind kind;
    const char *type;
    const char *text;
    gssize length;
  } values[] = {
    { "toUInt64(18446744073709551615)", PLUMB_VALUE_INTEGER, "UInt64", "18446744073709551615", -1 },
    { "toInt64(-9223372036854775807) - 1", PLUMB_VALUE_INTEGER, "Int64", "-9223372036854775808",
      -1 },
    { "toDecimal128('12345678901234567890.1234567890', 10)", PLUMB_VALUE_DECIMAL, "Decimal(38, 10)",
      "12345678901234567890.1234567890", -1 },
    { "0.1 + 0.2", PLUMB_VALUE_FLOAT, "Float64", "0.30000000000000004", -1 },
    { "1 / 0", PLUMB_VALUE_FLOAT, "Float64", "inf", -1 },
    { "0 / 0", PLUMB_VALUE_FLOAT, "Float64", "nan", -1 },
    { "''", PLUMB_VALUE_TEXT, "String", "", -1 },
    { "'민준 🙂'", PLUMB_VALUE_TEXT, "String", "민준 🙂", -1 },
    { "'a\\tb\\nc\\\\N\\'\\r'", PLUMB_VALUE_TEXT, "String", "a\tb\nc\\N'\r", -1 },
    { "'\\\\N'", PLUMB_VALUE_TEXT, "String", "\\N", -1 },
    { "unhex('61FF0062')", PLUMB_VALUE_TEXT, "String", "a\xff\0b", 4 },
    { "toDate('2024-02-29')", PLUMB_VALUE_DATE, "Date", "2024-02-29", -1 },
    { "toDateTime('2024-02-29 12:00:00')", PLUMB_VALUE_TIMESTAMP, "DateTime", "2024-02-29 12:00:00",
      -1 },
    { "toNullable(toUInt8(5))", PLUMB_VALUE_INTEGER, "Nullable(UInt8)", "5", -1 },
    { "['a\\'b', 'c\\td']", PLUMB_VALUE_OTHER, "Array(String)", "['a\\'b','c\\td']", -1 },
  };
  g_autoptr (PlumbSource) source = open_as ("reader");
  g_autoptr (PlumbResult) null = run (source, "SELECT NULL, CAST(NULL AS Nullable(String))");

  for (guint i = 0; i < G_N_ELEMENTS (values); i++) {
    g_autofree char *sql = g_strdup_printf ("SELECT %s", values[i].expression);
    g_autoptr (PlumbResult) result = run (source, sql);
    const PlumbCell *cell = plumb_result_get_cell (result, 0, 0);

    g_assert_cmpstr (plumb_result_get_column (result, 0)->type, ==, values[i].type);
    g_assert_cmpint (cell->kind, ==, values[i].kind);
    g_assert_cmpmem (cell->text, cell->length, values[i].text,
                     values[i].length < 0 ? (gssize) strlen (values[i].text) : values[i].length);
  }
  g_assert_cmpint (plumb_result_get_cell (null, 0, 0)->kind, ==, PLUMB_VALUE_NULL);
  g_assert_cmpint (plumb_result_get_cell (null, 0, 1)->kind, ==, PLUMB_VALUE_NULL);
}

static void
test_caps (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PlumbSource) source = open_as ("admin");
  PlumbLimits limits = { 10, 0, 0, 0 };
  g_autoptr (PlumbResult) ten =
    run_limited (source, "SELECT number FROM system.numbers LIMIT 10", limits, &error);
  g_autoptr (PlumbResult) endless =
    run_limited (source, "SELECT number FROM system.numbers", limits, &error);
  g_autoptr (PlumbResult) none =
    run_limited (source, "SELECT number FROM system.numbers LIMIT 0", limits, &error);
  g_autoptr (PlumbResult) totals =
    run_limited (source,
      "SELECT number % 2 AS k, sum(number) FROM (SELECT number FROM "
      "system.numbers LIMIT 4) GROUP BY k WITH TOTALS ORDER BY k",
      limits, &error);

  g_assert_no_error (error);
  g_assert_cmpint (plumb_result_get_n_rows (ten), ==, 10);
  g_assert_false (plumb_result_get_truncated (ten));
  g_assert_cmpint (plumb_result_get_n_rows (endless), ==, 10);
  g_assert_cmpstr (plumb_result_get_truncated_by (endless), ==, "rows");
  g_assert_cmpint (plumb_result_get_n_rows (none), ==, 0);
  g_assert_cmpint (plumb_result_get_n_columns (none), ==, 1);
  g_assert_cmpint (plumb_result_get_n_rows (totals), ==, 3);
  g_assert_cmpstr (plumb_result_get_cell (totals, 2, 1)->text, ==, "6");
}

static PlumbTable *
find (PlumbCatalog *catalog, const char *schema, const char *name)
{
  PlumbTable *table = plumb_catalog_find (catalog, schema, name);

  g_assert_nonnull (table);
  return table;
}

static void
test_catalog (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PlumbSource) source = open_as ("reader");
  g_autoptr (PlumbCatalog) catalog = plumb_source_read_catalog (source, NULL, &error);
  const PlumbTable *customers;

  g_assert_no_error (error);
  customers = find (catalog, "shop", "customers");
  g_assert_cmpint (customers->row_estimate, ==, 3);
  g_assert_null (customers->primary_key);
  g_assert_cmpuint (customers->columns->len, ==, 3);
  g_assert_cmpstr (plumb_table_find_column (customers, "id")->type, ==, "UInt32");
  g_assert_cmpstr (plumb_table_find_column (customers, "name")->comment, ==,
                   "as on the 'contract'");
  g_assert_true (plumb_table_find_column (customers, "email")->nullable);
  g_assert_false (plumb_table_find_column (customers, "name")->nullable);
  g_assert_cmpint (find (catalog, "shop", "v_names")->kind, ==, PLUMB_TABLE_KIND_VIEW);
  g_assert_cmpint (find (catalog, "shop", "m_names")->kind, ==, PLUMB_TABLE_KIND_MATERIALIZED_VIEW);
  g_assert_nonnull (plumb_catalog_find (catalog, "odd.db", "판매"));
  g_assert_null (plumb_catalog_find (catalog, "shop", ".inner.m_names"));
  g_assert_null (plumb_catalog_find (catalog, "system", "tables"));
}

/* What is run here never saw the statement check: the request must hold by itself, for an account
 * that may do everything. */
static void
test_read_only (void)
{
  const char *const statements[] = {
    "INSERT INTO customers VALUES (9, 'x', NULL)",
    "CREATE TABLE x (a UInt8) ENGINE = Memory",
    "DROP TABLE customers",
    "ALTER TABLE customers DROP COLUMN name",
    "TRUNCATE TABLE customers",
    "OPTIMIZE TABLE customers FINAL",
    "SET readonly = 0",
    "CREATE TEMPORARY TABLE x (a UInt8)",
    "RENAME TABLE customers TO x",
    "SELECT * FROM url('http://127.0.0.1:1/', TSV, 'a String')",
    "SELECT * FROM file('in.tsv', TSV, 'a String')",
    "SELECT * FROM remote('127.0.0.1', system.one)",
    "SELECT 1 SETTINGS readonly = 0",
    "SELECT 1; DROP TABLE customers",
    "SELECT 1 FORMAT JSON",
    "SYSTEM FLUSH LOGS",
    "",
  };
  g_autoptr (PlumbSource) source = open_as ("admin");
  g_autofree char *customers = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (statements); i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (PlumbResult) result =
    run_limited (source, statements[i], PLUMB_LIMITS_DEFAULT, &error);

    if (result != NULL)
      g_error ("This ran: %s", statements[i]);
  }
  customers = admin_ask ("SELECT count(), min(name) FROM shop.customers");
  g_assert_cmpstr (customers, ==, "3\tAda");
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
  g_autoptr (PlumbSource) reader = open_as ("reader");
  g_autoptr (PlumbSource) careful = open_as ("careful");
  g_autoptr (PlumbSource) admin = open_as ("admin");
  g_autoptr (PlumbAccountProbe) read = plumb_source_probe (reader, NULL, &error);
  g_autoptr (PlumbAccountProbe) sets = plumb_source_probe (careful, NULL, &error);
  g_autoptr (PlumbAccountProbe) all = plumb_source_probe (admin, NULL, &error);

  g_assert_no_error (error);
  g_assert_true (read->read_only_proven);
  g_assert_nonnull (strstr (read->read_only_detail, "no limit"));
  g_assert_cmpuint (read->write_rights->len, ==, 0);
  g_assert_cmpstr (read->time_zone, ==, "Asia/Seoul");
  g_assert_true (sets->read_only_proven);
  g_assert_true (has_word (sets->write_rights, "readonly = 2"));
  g_assert_true (all->read_only_proven);
  g_assert_true (has_word (all->write_rights, "readonly = 0"));
}

static void
test_check (void)
{
  g_autoptr (PlumbSource) source = open_as ("admin");
  const char *const allowed[] = { "SELECT count() FROM customers", "SELECT * FROM v_names",
                                  "SELECT name FROM shop.m_names FORMAT JSON" };
  const char *const refused[] = { "SELECT * FROM v_sleep", "SELECT * FROM outside",
                                  "SELECT sleep(1)",
                                  "SELECT * FROM url('http://x/', TSV, 'a String')",
                                  "DROP TABLE customers" };

  for (guint i = 0; i < G_N_ELEMENTS (allowed); i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (PlumbStatement) statement =
    plumb_source_check (source, allowed[i], NULL, NULL, &error);
    g_autoptr (PlumbResult) result = NULL;

    g_assert_no_error (error);
    if (!statement->allowed)
      g_error ("%s: %s", allowed[i], statement->reason);
    result = run (source, statement->text);
  }
  for (guint i = 0; i < G_N_ELEMENTS (refused); i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (PlumbStatement) statement =
    plumb_source_check (source, refused[i], NULL, NULL, &error);

    g_assert_no_error (error);
    if (statement->allowed)
      g_error ("Allowed: %s", refused[i]);
  }
}

static void
assert_fails (PlumbSource *source, const char *sql, PlumbSourceError code, const char *words)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PlumbResult) result = run_limited (source, sql, (PlumbLimits) { 0 }, &error);

  g_assert_null (result);
  g_assert_error (error, PLUMB_SOURCE_ERROR, (int) code);
  g_assert_true (g_str_has_prefix (error->message, "shop: "));
  g_assert_nonnull (strstr (error->message, words));
}

static void
test_errors (void)
{
  g_autoptr (PlumbSource) source = open_as ("reader");
  g_autoptr (GError) error = NULL;
  g_autofree char *plan = NULL;

  assert_fails (source, "SELECT nothing FROM customers", PLUMB_SOURCE_ERROR_STATEMENT, "nothing");
  assert_fails (source, "SELECT * FROM nothing", PLUMB_SOURCE_ERROR_STATEMENT, "nothing");
  assert_fails (source, "SELEC 1", PLUMB_SOURCE_ERROR_STATEMENT, "Syntax error");
  assert_fails (source, "SELECT * FROM numbers(5)", PLUMB_SOURCE_ERROR_STATEMENT, "arrayJoin");
  /* After a good beginning, in the middle of the body. */
  assert_fails (source,
                "SELECT number, throwIf(number = 3000000) FROM system.numbers LIMIT 4000000",
                PLUMB_SOURCE_ERROR_STATEMENT, "throwIf");
  assert_fails (source,
                "SELECT toString(throwIf(number = 3000000)) FROM system.numbers LIMIT 4000000",
                PLUMB_SOURCE_ERROR_STATEMENT, "throwIf");
  plan = plumb_source_explain (source, "SELECT 1", NULL, NULL, NULL, NULL, &error);
  g_assert_null (plan);
  g_assert_error (error, PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_STATEMENT);
  assert_one_cell (source, "SELECT count() FROM customers", "3");
}

/* A row that looks like an error is one, unless another row follows it. */
static void
test_lookalike (void)
{
  g_autoptr (PlumbSource) source = open_as ("reader");
  g_autoptr (PlumbResult) result = run (
    source, "SELECT arrayJoin(['Code: 60, e.displayText() = DB::Exception: no', 'more']) AS x");

  g_assert_cmpint (plumb_result_get_n_rows (result), ==, 2);
  assert_fails (source, "SELECT 'Code: 60, e.displayText() = DB::Exception: no'",
                PLUMB_SOURCE_ERROR_STATEMENT, "no");
}

typedef struct {
  PlumbSource *source;
  const char *sql;
  GCancellable *cancellable;
  GError *error;
} Running;

static gpointer
run_in_thread (gpointer user_data)
{
  Running *self = user_data;
  g_autoptr (PlumbResult) result = plumb_result_new (NULL);
  PlumbRowSink sink = plumb_result_get_sink (result);

  plumb_source_run (self->source, self->sql, NULL, &sink, NULL, NULL, self->cancellable,
                    &self->error);
  return NULL;
}

static void
wait_for_running (const char *number)
{
  const char *question = "SELECT count() FROM system.processes WHERE query LIKE '%mark%' AND query "
                         "NOT LIKE '%processes%'";
  gint64 deadline = g_get_monotonic_time () + 60 * G_TIME_SPAN_SECOND;
  g_autofree char *found = admin_ask (question);

  while (strcmp (found, number) != 0 && g_get_monotonic_time () < deadline) {
    g_usleep (20 * 1000);
    g_free (found);
    found = admin_ask (question);
  }
  g_assert_cmpstr (found, ==, number);
}

static void
test_cancel (void)
{
  const char *const accounts[] = { "admin", "careful", "reader" };
  const char *const statements[] = {
    "SELECT 'mark', count() FROM system.numbers",
    "SELECT 'mark', number FROM system.numbers",
  };

  for (guint a = 0; a < G_N_ELEMENTS (accounts); a++) {
    g_autoptr (PlumbSource) source = open_as (accounts[a]);

    for (guint i = 0; i < G_N_ELEMENTS (statements); i++) {
      g_autoptr (GCancellable) cancellable = g_cancellable_new ();
      Running running = { source, statements[i], cancellable, NULL };
      GThread *thread = g_thread_new ("statement", run_in_thread, &running);
      gint64 cancelled_at;

      wait_for_running ("1");
      cancelled_at = g_get_monotonic_time ();
      g_cancellable_cancel (cancellable);
      g_thread_join (thread);
      wait_for_running ("0");
      g_assert_cmpint (g_get_monotonic_time () - cancelled_at, <, 20 * G_TIME_SPAN_SECOND);
      g_assert_error (running.error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
      g_clear_error (&running.error);
      assert_one_cell (source, "SELECT 'after'", "after");
    }
  }
}

/* At the server where the profile lets it be set, else by our own watch. */
static void
test_time_budget (void)
{
  const char *const accounts[] = { "admin", "reader" };

  for (guint a = 0; a < G_N_ELEMENTS (accounts); a++) {
    g_autoptr (PlumbSource) source = open_as (accounts[a]);
    g_autoptr (GError) error = NULL;
    g_autoptr (PlumbResult) result =
    run_limited (source, "SELECT 'mark', count() FROM system.numbers",
      (PlumbLimits) { 10, 0, 0, 500 }, &error);

    g_assert_null (result);
    g_assert_error (error, PLUMB_ERROR, PLUMB_ERROR_TIMED_OUT);
    wait_for_running ("0");
  }
}

static void
assert_no_connection (const char *uri, const char *password, int code, const char *words)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PlumbSource) source = plumb_source_new ("shop", uri, password, &error);

  g_assert_no_error (error);
  g_assert_false (plumb_source_connect (source, NULL, &error));
  g_assert_error (error, PLUMB_SOURCE_ERROR, code);
  if (strstr (error->message, words) == NULL)
    g_error ("“%s” is not in: %s", words, error->message);
  g_assert_null (strstr (error->message, password));
}

static void
test_wrong_addresses (void)
{
  const char *password = g_getenv ("PLUMB_TEST_CLICKHOUSE_PASSWORD");
  const char *port = g_getenv ("PLUMB_TEST_CLICKHOUSE_PORT");
  g_autofree char *right = g_strdup_printf ("clickhouse://admin@127.0.0.1:%s/shop", port);
  g_autofree char *account = g_strdup_printf ("clickhouse://nobody_here@127.0.0.1:%s/shop", port);
  g_autofree char *database = g_strdup_printf ("clickhouse://admin@127.0.0.1:%s/no_shop", port);
  g_autofree char *host = g_strdup_printf ("clickhouse://admin@no-such-host.invalid:%s/shop", port);
  g_autofree char *encrypted = g_strdup_printf ("clickhouse://admin@127.0.0.1:%s/shop?secure=1",
                                                port);
  g_autofree char *native = g_strdup_printf ("clickhouse://admin@127.0.0.1:%s/shop",
                                             g_getenv ("PLUMB_TEST_CLICKHOUSE_NATIVE_PORT"));

  assert_no_connection (right, "wrong password", PLUMB_SOURCE_ERROR_AUTHENTICATION, "password");
  assert_no_connection (account, password, PLUMB_SOURCE_ERROR_AUTHENTICATION, "account");
  assert_no_connection (database, password, PLUMB_SOURCE_ERROR_ADDRESS, "no such database");
  assert_no_connection (host, password, PLUMB_SOURCE_ERROR_CONNECT, "host");
  assert_no_connection (encrypted, password, PLUMB_SOURCE_ERROR_CONNECT, "server");
  assert_no_connection (native, password, PLUMB_SOURCE_ERROR_CONNECT,
                        "not ClickHouse's HTTP interface");
  assert_no_connection ("clickhouse://admin@127.0.0.1:1/shop", password, PLUMB_SOURCE_ERROR_CONNECT,
                        "reached");
}

static void
set_up_server (void)
{
  admin_execute ("CREATE DATABASE shop");
  admin_execute ("CREATE DATABASE `odd.db`");
  admin_execute ("CREATE TABLE shop.customers (id UInt32, name String, email Nullable(String)) "
                 "ENGINE = MergeTree ORDER BY id");
  admin_execute ("ALTER TABLE shop.customers COMMENT COLUMN name 'as on the \\'contract\\''");
  admin_execute ("INSERT INTO shop.customers VALUES (1, 'Ada', NULL), (2, 'Ben', 'b@example.org'), "
                 "(3, 'Cy', NULL)");
  admin_execute ("CREATE VIEW shop.v_names AS SELECT id, name FROM shop.customers");
  admin_execute ("CREATE MATERIALIZED VIEW shop.m_names ENGINE = MergeTree ORDER BY id AS SELECT "
                 "id, name FROM shop.customers");
  admin_execute ("CREATE VIEW shop.v_sleep AS SELECT sleep(1) AS s, id FROM shop.customers");
  admin_execute ("CREATE TABLE shop.outside (a String) ENGINE = URL('http://127.0.0.1:1/', TSV)");
  admin_execute ("CREATE TABLE `odd.db`.`판매` (a UInt8) ENGINE = Memory");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  set_up_server ();
  g_test_add_func ("/sources/clickhouse/values", test_values);
  g_test_add_func ("/sources/clickhouse/caps", test_caps);
  g_test_add_func ("/sources/clickhouse/catalog", test_catalog);
  g_test_add_func ("/sources/clickhouse/read-only", test_read_only);
  g_test_add_func ("/sources/clickhouse/probe", test_probe);
  g_test_add_func ("/sources/clickhouse/check", test_check);
  g_test_add_func ("/sources/clickhouse/errors", test_errors);
  g_test_add_func ("/sources/clickhouse/lookalike", test_lookalike);
  g_test_add_func ("/sources/clickhouse/cancel", test_cancel);
  g_test_add_func ("/sources/clickhouse/time-budget", test_time_budget);
  g_test_add_func ("/sources/clickhouse/wrong-addresses", test_wrong_addresses);
  return g_test_run ();
}
