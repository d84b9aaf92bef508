/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-source.h"

#include <mysql.h>
#include <string.h>

#define PASSWORD "r ''e\"a@d/e?r#:%41"
#define PLAIN_PASSWORD "r 'e\"a@d/e?r#:%41"

static MYSQL *
admin_connect (const char *database)
{
  MYSQL *admin = mysql_init (NULL);

  mysql_options (admin, MYSQL_SET_CHARSET_NAME, "utf8mb4");
  if (mysql_real_connect (admin, "127.0.0.1", "root", g_getenv ("PLUMB_TEST_MARIADB_PASSWORD"),
                          database,
                          (guint) g_ascii_strtoull (g_getenv ("PLUMB_TEST_MARIADB_PORT"), NULL, 10),
                          NULL, CLIENT_MULTI_STATEMENTS) == NULL)
    g_error ("%s", mysql_error (admin));
  return admin;
}

static void
admin_execute (MYSQL *admin, const char *sql)
{
  int more = mysql_query (admin, sql);

  while (more == 0) {
    mysql_free_result (mysql_store_result (admin));
    more = mysql_next_result (admin);
  }
  if (more > 0)
    g_error ("%s", mysql_error (admin));
}

static char *
admin_ask (MYSQL *admin, const char *sql)
{
  MYSQL_RES *result;
  MYSQL_ROW row;
  char *text;

  if (mysql_query (admin, sql) != 0)
    g_error ("%s", mysql_error (admin));
  result = mysql_store_result (admin);
  row = mysql_fetch_row (result);
  text = g_strdup (row != NULL ? row[0] : "");
  mysql_free_result (result);
  return text;
}

static PlumbSource *
open_as (const char *account, const char *password, const char *database)
{
  g_autofree char *escaped = g_uri_escape_string (database, NULL, FALSE);
  g_autofree char *uri = g_strdup_printf ("mariadb://%s@127.0.0.1:%s/%s", account,
                                          g_getenv ("PLUMB_TEST_MARIADB_PORT"), escaped);
  g_autoptr (GError) error = NULL;
  PlumbSource *source = plumb_source_new ("shop", uri, password, &error);

  g_assert_no_error (error);
  return source;
}

static PlumbSource *
open_reader (void)
{
  return open_as ("reader", PLAIN_PASSWORD, "shop");
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
    const char *column;
    PlumbValueKind kind;
    const char *type;
    const char *text;
  } values[] = {
    { "big", PLUMB_VALUE_INTEGER, "bigint unsigned", "18446744073709551615" },
    { "tiny", PLUMB_VALUE_INTEGER, "tinyint", "-128" },
    { "dec_", PLUMB_VALUE_DECIMAL, "decimal(40,10)", "123456789012345678901234567890.1234567890" },
    { "dbl", PLUMB_VALUE_FLOAT, "double", "0.30000000000000004" },
    { "day", PLUMB_VALUE_DATE, "date", "2024-02-29" },
    { "tm", PLUMB_VALUE_TIME, "time", "-838:59:59.000000" },
    { "dt", PLUMB_VALUE_TIMESTAMP, "datetime", "9999-12-31 23:59:59.123456" },
    { "yr", PLUMB_VALUE_INTEGER, "year", "2024" },
    { "txt", PLUMB_VALUE_TEXT, "text", "민준 🙂" },
    { "vc", PLUMB_VALUE_TEXT, "varchar(40)", "" },
    { "en", PLUMB_VALUE_TEXT, "enum", "b" },
    { "js", PLUMB_VALUE_JSON, "json", "{\"a\": 1.0}" },
  };
  g_autoptr (PlumbSource) source = open_reader ();
  g_autoptr (PlumbResult) binary = run (source, "SELECT bin, NULL FROM kinds");

  for (guint i = 0; i < G_N_ELEMENTS (values); i++) {
    g_autofree char *sql = g_strdup_printf ("SELECT %s FROM kinds", values[i].column);
    g_autoptr (PlumbResult) result = run (source, sql);
    const PlumbCell *cell = plumb_result_get_cell (result, 0, 0);

    g_assert_cmpstr (plumb_result_get_column (result, 0)->type, ==, values[i].type);
    g_assert_cmpint (cell->kind, ==, values[i].kind);
    g_assert_cmpmem (cell->text, cell->length, values[i].text, strlen (values[i].text));
  }
  g_assert_cmpint (plumb_result_get_cell (binary, 0, 0)->kind, ==, PLUMB_VALUE_BINARY);
  g_assert_cmpmem (plumb_result_get_cell (binary, 0, 0)->text,
                   plumb_result_get_cell (binary, 0, 0)->length, "\x00\xff", 2);
  g_assert_cmpint (plumb_result_get_cell (binary, 0, 1)->kind, ==, PLUMB_VALUE_NULL);
}

static void
test_caps (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PlumbSource) source = open_reader ();
  PlumbLimits limits = { 10, 0, 0, 0 };
  g_autoptr (PlumbResult) ten =
    run_limited (source, "SELECT n FROM thousand LIMIT 10", limits, &error);
  g_autoptr (PlumbResult) many = run_limited (
    source, "SELECT a.n, REPEAT('x', 1000) FROM thousand a, thousand b, thousand c", limits,
    &error);

  g_assert_no_error (error);
  g_assert_cmpint (plumb_result_get_n_rows (ten), ==, 10);
  g_assert_false (plumb_result_get_truncated (ten));
  g_assert_cmpint (plumb_result_get_n_rows (many), ==, 10);
  g_assert_cmpstr (plumb_result_get_truncated_by (many), ==, "rows");
  assert_one_cell (source, "SELECT 'after'", "after");
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
test_catalog (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PlumbSource) source = open_reader ();
  g_autoptr (PlumbCatalog) catalog = plumb_source_read_catalog (source, NULL, &error);
  const PlumbTable *customers, *returns;
  const PlumbForeignKey *key;

  g_assert_no_error (error);
  customers = find (catalog, "shop", "customers");
  g_assert_cmpstr (customers->comment, ==, "고객");
  g_assert_true (customers->selectable);
  g_assert_cmpuint (customers->columns->len, ==, 2);
  g_assert_null (plumb_table_find_column (customers, "salary"));
  g_assert_cmpstr (plumb_table_find_column (customers, "name")->type, ==, "varchar(40)");
  g_assert_cmpstr (plumb_table_find_column (customers, "name")->comment, ==, "as on the contract");
  g_assert_false (plumb_table_find_column (customers, "name")->nullable);
  assert_names (find (catalog, "shop", "orders")->primary_key, "order_no,line");
  returns = find (catalog, "shop", "returns");
  g_assert_cmpuint (returns->unique_keys->len, ==, 1);
  assert_names (g_ptr_array_index (returns->unique_keys, 0), "o,l");
  g_assert_cmpuint (returns->foreign_keys->len, ==, 1);
  key = g_ptr_array_index (returns->foreign_keys, 0);
  g_assert_cmpstr (key->name, ==, "of_order");
  g_assert_cmpstr (key->ref_table, ==, "orders");
  assert_names (key->columns, "o,l");
  assert_names (key->ref_columns, "order_no,line");
  g_assert_cmpint (find (catalog, "shop", "v_names")->kind, ==, PLUMB_TABLE_KIND_VIEW);
  g_assert_cmpint (find (catalog, "shop", "events")->kind, ==, PLUMB_TABLE_KIND_PARTITIONED);
  g_assert_nonnull (plumb_catalog_find (catalog, "odd.`db 판매", "t"));
  g_assert_null (plumb_catalog_find (catalog, "hidden", "secret"));
}

static void
test_read_only (void)
{
  const char *const statements[] = {
    "INSERT INTO customers VALUES (9, 'x', 1)",
    "UPDATE customers SET name = 'x'",
    "DELETE FROM customers",
    "TRUNCATE customers",
    "DROP TABLE customers",
    "CREATE TABLE x (a INT)",
    "CREATE TABLE x AS SELECT 1",
    "ALTER TABLE customers ADD x INT",
    "SELECT writes()",
    "CALL p_writes()",
    "COMMIT",
    "START TRANSACTION READ WRITE",
    "SET SESSION TRANSACTION READ WRITE",
    "SELECT 1; DELETE FROM customers",
    "/*! DELETE FROM customers */",
    "BEGIN NOT ATOMIC DELETE FROM customers; END",
    "EXECUTE IMMEDIATE 'DELETE FROM customers'",
    "LOCK TABLES customers WRITE",
    "RENAME TABLE customers TO x",
    "GRANT ALL ON *.* TO reader",
    "ANALYZE DELETE FROM customers",
    "OPTIMIZE TABLE customers",
    "REPLACE INTO customers VALUES (1, 'x', 1)",
    "DO writes()",
    "",
  };
  g_autoptr (PlumbSource) source =
    open_as ("root", g_getenv ("PLUMB_TEST_MARIADB_PASSWORD"), "shop");
  MYSQL *admin = admin_connect ("shop");
  g_autofree char *customers = NULL;
  g_autofree char *log = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (statements); i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (PlumbResult) result =
    run_limited (source, statements[i], PLUMB_LIMITS_DEFAULT, &error);

    if (result != NULL)
      g_error ("This ran: %s", statements[i]);
  }
  customers = admin_ask (admin, "SELECT CONCAT(COUNT(*), MIN(name)) FROM customers");
  g_assert_cmpstr (customers, ==, "3Ada");
  log = admin_ask (admin, "SELECT COUNT(*) FROM log");
  g_assert_cmpstr (log, ==, "0");
  mysql_close (admin);
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
  g_autoptr (PlumbSource) writer = open_as ("writer", PLAIN_PASSWORD, "shop");
  g_autoptr (PlumbSource) root = open_as ("root", g_getenv ("PLUMB_TEST_MARIADB_PASSWORD"), "shop");
  g_autoptr (PlumbAccountProbe) read = plumb_source_probe (reader, NULL, &error);
  g_autoptr (PlumbAccountProbe) write = plumb_source_probe (writer, NULL, &error);
  g_autoptr (PlumbAccountProbe) super = plumb_source_probe (root, NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpstr (read->account, ==, "reader@%");
  g_assert_cmpuint (read->superuser_rights->len, ==, 0);
  g_assert_cmpuint (read->write_rights->len, ==, 0);
  g_assert_true (read->read_only_proven);
  g_assert_cmpstr (read->time_zone, ==, "+09:00");
  g_assert_cmpstr (read->encoding, ==, "utf8mb4");
  g_assert_true (has_word (write->write_rights, "INSERT"));
  g_assert_true (has_word (write->superuser_rights, "FILE"));
  g_assert_true (has_word (super->superuser_rights, "ALL PRIVILEGES"));
  g_assert_true (super->read_only_proven);
}

/* A role that is in force by default, a role of that role, and one that has to be asked for. */
static void
test_probe_of_roles (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PlumbSource) source = open_as ("roleplayer", PLAIN_PASSWORD, "shop");

  /* The second time on a connection that has been used before. */
  for (guint i = 0; i < 2; i++) {
    g_autoptr (PlumbAccountProbe) probe = plumb_source_probe (source, NULL, &error);

    g_assert_no_error (error);
    g_assert_cmpuint (probe->write_rights->len, ==, 3);
    g_assert_true (has_word (probe->write_rights, "INSERT on `shop`.`log` through the role `writers`"));
    g_assert_true (has_word (probe->write_rights, "DELETE on `shop`.`log` through the role `cleaners`"));
    g_assert_true (has_word (probe->write_rights, "UPDATE on `shop`.`log` through the role `sleeping "
                                                  "``one```"));
    g_assert_cmpuint (probe->superuser_rights->len, ==, 1);
    g_assert_true (has_word (probe->superuser_rights, "FILE on *.* through the role `sleeping"));
    g_assert_cmpuint (probe->n_selectable, ==, 1);
    assert_one_cell (source, "SELECT COUNT(*) FROM thousand", "1000");
  }
}

static void
test_explain (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PlumbSource) source = open_reader ();
  g_autofree char *plan = plumb_source_explain (source, "SELECT name FROM customers WHERE id = 1",
                                                NULL, NULL, NULL, NULL, &error);

  g_assert_no_error (error);
  g_assert_nonnull (strstr (plan, "\"table_name\": \"customers\""));
}

static void
test_check (void)
{
  g_autoptr (PlumbSource) source =
    open_as ("root", g_getenv ("PLUMB_TEST_MARIADB_PASSWORD"), "shop");
  const char *const allowed[] = { "SELECT COUNT(*) FROM customers", "SELECT * FROM v_names",
                                  "SELECT UPPER(\"text\")" };
  const char *const refused[] = { "SELECT writes()", "SELECT shop.writes()",
                                  "SELECT * FROM v_writes", "SELECT SLEEP(1)",
                                  "DELETE FROM customers" };

  for (guint i = 0; i < G_N_ELEMENTS (allowed); i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (PlumbStatement) statement =
    plumb_source_check (source, allowed[i], NULL, NULL, &error);

    g_assert_no_error (error);
    if (!statement->allowed)
      g_error ("%s: %s", allowed[i], statement->reason);
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

static gboolean
is_allowed (PlumbSource *source, PlumbCatalog *catalog, const char *sql)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PlumbStatement) statement = plumb_source_check (source, sql, catalog, NULL, &error);

  g_assert_no_error (error);
  return statement->allowed;
}

/* What a check has asked is kept, and forgotten as soon as anybody defines anything. */
static void
test_check_forgets (void)
{
  g_autoptr (PlumbSource) source =
    open_as ("root", g_getenv ("PLUMB_TEST_MARIADB_PASSWORD"), "shop");
  g_autoptr (GError) error = NULL;
  g_autoptr (PlumbCatalog) catalog = plumb_source_read_catalog (source, NULL, &error);
  MYSQL *admin = admin_connect ("shop");

  g_assert_no_error (error);
  admin_execute (admin, "CREATE OR REPLACE VIEW v_names AS SELECT name FROM customers");
  for (guint i = 0; i < 2; i++) {
    g_assert_true (is_allowed (source, catalog, "SELECT * FROM v_names"));
    g_assert_true (is_allowed (source, catalog, "SELECT SUM (id) FROM customers"));
  }
  admin_execute (admin, "CREATE OR REPLACE VIEW v_names AS SELECT writes() AS name");
  g_assert_false (is_allowed (source, catalog, "SELECT * FROM v_names"));
  admin_execute (admin, "CREATE OR REPLACE VIEW v_names AS SELECT name FROM customers");
  g_assert_true (is_allowed (source, catalog, "SELECT * FROM v_names"));
  admin_execute (admin, "CREATE FUNCTION sum (x INT) RETURNS INT RETURN writes()");
  g_assert_false (is_allowed (source, catalog, "SELECT SUM (id) FROM customers"));
  admin_execute (admin, "DROP FUNCTION shop.sum");
  g_assert_true (is_allowed (source, catalog, "SELECT SUM (id) FROM customers"));
  mysql_close (admin);
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

  assert_fails (source, "SELECT nothing FROM orders", PLUMB_SOURCE_ERROR_STATEMENT,
                "Unknown column");
  assert_fails (source, "SELEC 1", PLUMB_SOURCE_ERROR_STATEMENT, "syntax");
  assert_fails (source, "SELECT salary FROM customers", PLUMB_SOURCE_ERROR_DENIED, "salary");
  assert_fails (source, "SELECT * FROM hidden.secret", PLUMB_SOURCE_ERROR_DENIED, "secret");
  assert_one_cell (source, "SELECT COUNT(*) FROM orders", "0");
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
  const char *port = g_getenv ("PLUMB_TEST_MARIADB_PORT");
  g_autofree char *right = g_strdup_printf ("mariadb://reader@127.0.0.1:%s/shop", port);
  g_autofree char *database = g_strdup_printf ("mariadb://root@127.0.0.1:%s/no_shop", port);
  g_autofree char *host = g_strdup_printf ("mariadb://reader@no-such-host.invalid:%s/shop", port);
  g_autofree char *encrypted = g_strdup_printf ("mariadb://reader@127.0.0.1:%s/shop?ssl=1", port);
  g_autoptr (GSocketListener) listener = g_socket_listener_new ();
  guint16 silent_port = g_socket_listener_add_any_inet_port (listener, NULL, NULL);
  g_autofree char *silent = g_strdup_printf ("mariadb://reader@127.0.0.1:%u/shop?connect_timeout=1",
                                             silent_port);

  assert_no_connection (right, "wrong password", PLUMB_SOURCE_ERROR_AUTHENTICATION,
                        "did not accept");
  assert_no_connection (database, g_getenv ("PLUMB_TEST_MARIADB_PASSWORD"),
                        PLUMB_SOURCE_ERROR_ADDRESS, "no such database");
  assert_no_connection (host, PLAIN_PASSWORD, PLUMB_SOURCE_ERROR_CONNECT, "no-such-host.invalid");
  assert_no_connection (encrypted, PLAIN_PASSWORD, PLUMB_SOURCE_ERROR_CONNECT, "encrypted");
  assert_no_connection ("mariadb://reader@127.0.0.1:1/shop", PLAIN_PASSWORD,
                        PLUMB_SOURCE_ERROR_CONNECT, "reached");
  assert_no_connection (silent, PLAIN_PASSWORD, PLUMB_SOURCE_ERROR_CONNECT, "server");
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
wait_for_running (MYSQL *admin, const char *number)
{
  const char *question = "SELECT COUNT(*) FROM information_schema.PROCESSLIST WHERE USER = "
                         "'reader' AND INFO LIKE '%mark%'";
  gint64 deadline = g_get_monotonic_time () + 60 * G_TIME_SPAN_SECOND;
  g_autofree char *found = admin_ask (admin, question);

  while (strcmp (found, number) != 0 && g_get_monotonic_time () < deadline) {
    g_usleep (10 * 1000);
    g_free (found);
    found = admin_ask (admin, question);
  }
  g_assert_cmpstr (found, ==, number);
}

static void
test_cancel (void)
{
  const char *const statements[] = {
    "SELECT 'mark', SLEEP(60)",
    "SELECT 'mark', COUNT(*) FROM thousand a, thousand b, thousand c, thousand d",
    "SELECT 'mark', REPEAT('x', 100) FROM thousand a, thousand b, thousand c, thousand d",
  };
  MYSQL *admin = admin_connect ("shop");
  g_autoptr (PlumbSource) source = open_reader ();

  for (guint i = 0; i < G_N_ELEMENTS (statements); i++) {
    g_autoptr (GCancellable) cancellable = g_cancellable_new ();
    Running running = { source, statements[i], cancellable, NULL };
    GThread *thread = g_thread_new ("statement", run_in_thread, &running);
    gint64 cancelled_at;

    wait_for_running (admin, "1");
    cancelled_at = g_get_monotonic_time ();
    g_cancellable_cancel (cancellable);
    g_thread_join (thread);
    wait_for_running (admin, "0");
    /* Two seconds on a machine that does nothing else. */
    g_assert_cmpint (g_get_monotonic_time () - cancelled_at, <, 20 * G_TIME_SPAN_SECOND);
    g_assert_error (running.error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
    g_clear_error (&running.error);
    assert_one_cell (source, "SELECT 'after'", "after");
  }
  mysql_close (admin);
}

/* A server may have no connection left for the one that kills: an idle one does it then. */
static void
test_cancel_without_connections (void)
{
  MYSQL *admin = admin_connect ("shop");
  MYSQL *others[40] = { NULL };
  g_autoptr (PlumbSource) source = open_reader ();
  g_autoptr (GCancellable) first_cancellable = g_cancellable_new ();
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  Running first = { source, "SELECT 'mark', SLEEP(60)", first_cancellable, NULL };
  Running running = { source, "SELECT 'mark', SLEEP(60)", cancellable, NULL };
  GThread *first_thread = g_thread_new ("first", run_in_thread, &first);
  GThread *thread = g_thread_new ("statement", run_in_thread, &running);

  wait_for_running (admin, "2");
  g_cancellable_cancel (first_cancellable);
  g_thread_join (first_thread);
  g_assert_error (first.error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&first.error);
  admin_execute (admin, "SET GLOBAL max_connections = 10");
  for (guint i = 0; i < G_N_ELEMENTS (others); i++) {
    others[i] = mysql_init (NULL);
    mysql_real_connect (others[i], "127.0.0.1", "reader", PLAIN_PASSWORD, "shop",
                        (guint) g_ascii_strtoull (g_getenv ("PLUMB_TEST_MARIADB_PORT"), NULL, 10),
                        NULL, 0);
  }
  g_assert_cmpint (mysql_errno (others[G_N_ELEMENTS (others) - 1]), ==, 1040);
  g_cancellable_cancel (cancellable);
  g_thread_join (thread);
  wait_for_running (admin, "0");
  g_assert_error (running.error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&running.error);
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    mysql_close (others[i]);
  admin_execute (admin, "SET GLOBAL max_connections = DEFAULT");
  mysql_close (admin);
}

/* Takes rows more slowly than they come, and stops the statement in the middle. */
typedef struct {
  GCancellable *cancellable;
  guint n_rows;
} SlowReader;

#define ROWS_BEFORE_CANCEL 1000

static gboolean
ignore_columns (GPtrArray *columns, gpointer user_data, GError **error)
{
  return TRUE;
}

static PlumbRowsNext
read_slowly (const PlumbCell *cells, guint n_cells, gpointer user_data, GError **error)
{
  SlowReader *self = user_data;

  g_usleep (20);
  if (++self->n_rows == ROWS_BEFORE_CANCEL)
    g_cancellable_cancel (self->cancellable);
  return PLUMB_ROWS_CONTINUE;
}

static void
test_cancel_while_rows_wait (void)
{
  MYSQL *admin = admin_connect ("shop");
  g_autoptr (PlumbSource) source = open_reader ();
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  SlowReader reader = { cancellable, 0 };
  PlumbRowSink sink = { .columns = ignore_columns, .row = read_slowly, .user_data = &reader };

  g_assert_false (plumb_source_run (
    source, "SELECT 'mark', REPEAT('x', 100) FROM thousand a, thousand b, thousand c", NULL, &sink,
    NULL, NULL, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpuint (reader.n_rows, <, ROWS_BEFORE_CANCEL + 100);
  wait_for_running (admin, "0");
  assert_one_cell (source, "SELECT 'after'", "after");
  mysql_close (admin);
}

static void
test_time_budget (void)
{
  g_autoptr (GError) error = NULL;
  MYSQL *admin = admin_connect ("shop");
  g_autoptr (PlumbSource) source = open_reader ();
  g_autoptr (PlumbResult) result = NULL;
  gint64 start = g_get_monotonic_time ();

  result = run_limited (
    source, "SELECT 'mark', COUNT(*) FROM thousand a, thousand b, thousand c, thousand d",
    (PlumbLimits) { 10, 0, 0, 300 }, &error);
  g_assert_null (result);
  g_assert_error (error, PLUMB_ERROR, PLUMB_ERROR_TIMED_OUT);
  g_assert_cmpint (g_get_monotonic_time () - start, <, 20 * G_TIME_SPAN_SECOND);
  g_clear_error (&error);
  /* A statement that takes its own time limit away is stopped by ours. */
  result = run_limited (source,
                        "SET STATEMENT max_statement_time = 0 FOR SELECT 'mark', COUNT(*) FROM "
                        "thousand a, thousand b, thousand c, thousand d",
                        (PlumbLimits) { 10, 0, 0, 300 }, &error);
  g_assert_null (result);
  g_assert_error (error, PLUMB_ERROR, PLUMB_ERROR_TIMED_OUT);
  wait_for_running (admin, "0");
  assert_one_cell (source, "SELECT 'after'", "after");
  mysql_close (admin);
}

static void
test_ended_session (void)
{
  g_autoptr (PlumbSource) source = open_reader ();
  MYSQL *admin = admin_connect ("shop");
  Running running = { source, "SELECT 'mark', SLEEP(60)", NULL, NULL };
  GThread *thread = g_thread_new ("statement", run_in_thread, &running);

  wait_for_running (admin, "1");
  admin_execute (admin, "KILL USER reader");
  g_thread_join (thread);
  g_assert_error (running.error, PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_LOST);
  g_clear_error (&running.error);
  assert_one_cell (source, "SELECT 'after'", "after");
  /* A connection that is killed while it is idle is replaced without a word. */
  admin_execute (admin, "KILL USER reader");
  g_usleep (200 * 1000);
  assert_one_cell (source, "SELECT 'after'", "after");
  mysql_close (admin);
}

static void
set_up_server (void)
{
  MYSQL *admin = admin_connect (NULL);

  admin_execute (
    admin, "CREATE DATABASE shop CHARACTER SET utf8mb4; CREATE DATABASE hidden; CREATE DATABASE "
           "`odd.``db 판매`; USE shop;"
           "CREATE TABLE customers (id INT PRIMARY KEY, name VARCHAR(40) NOT NULL COMMENT 'as on "
           "the contract', salary INT) COMMENT '고객';"
           "INSERT INTO customers VALUES (1, 'Ada', 1), (2, 'Ben', 2), (3, 'Cy', 3);"
           "CREATE TABLE orders (order_no VARCHAR(20), line INT, PRIMARY KEY (order_no, line));"
           "CREATE TABLE returns (id INT PRIMARY KEY, o VARCHAR(20), l INT, UNIQUE u (o, l), "
           "CONSTRAINT of_order FOREIGN KEY (o, l) REFERENCES orders (order_no, line));"
           "CREATE TABLE events (at DATE NOT NULL) PARTITION BY RANGE (YEAR(at)) (PARTITION a "
           "VALUES LESS THAN (2024), PARTITION b VALUES LESS THAN MAXVALUE);"
           "CREATE TABLE thousand AS SELECT seq AS n FROM seq_1_to_1000;"
           "CREATE TABLE log (a INT); CREATE TABLE hidden.secret (a INT); CREATE TABLE `odd.``db "
           "판매`.t (a INT);"
           "CREATE FUNCTION writes() RETURNS INT BEGIN INSERT INTO log VALUES (1); RETURN 1; END;"
           "CREATE PROCEDURE p_writes() INSERT INTO log VALUES (1);"
           "CREATE VIEW v_names AS SELECT id, name FROM customers; CREATE VIEW v_writes AS SELECT "
           "writes() AS w;"
           "CREATE TABLE kinds (big BIGINT UNSIGNED, tiny TINYINT, dec_ DECIMAL(40,10), dbl "
           "DOUBLE, day DATE, tm TIME(6), dt DATETIME(6), yr YEAR,"
           " txt TEXT, vc VARCHAR(40), en ENUM('a', 'b'), js JSON, bin VARBINARY(10));"
           "INSERT INTO kinds VALUES (18446744073709551615, -128, "
           "123456789012345678901234567890.1234567890, 0.1e0 + 0.2e0, '2024-02-29',"
           " '-838:59:59', '9999-12-31 23:59:59.123456', 2024, '민준 🙂', '', 'b', '{\"a\": "
           "1.0}', x'00ff');"
           "CREATE USER reader IDENTIFIED BY '" PASSWORD
           "'; CREATE USER writer IDENTIFIED BY '" PASSWORD "';"
           "GRANT SELECT ON shop.thousand TO reader; GRANT SELECT ON shop.orders TO reader; GRANT "
           "SELECT ON shop.returns TO reader; GRANT SELECT ON shop.events TO reader;"
           "GRANT SELECT ON shop.kinds TO reader; GRANT SELECT, SHOW VIEW ON shop.v_names TO "
           "reader; GRANT SELECT (id, name) ON shop.customers TO reader;"
           "GRANT SELECT ON `odd.``db 판매`.* TO reader; GRANT SELECT, INSERT ON shop.* TO writer; "
           "GRANT FILE ON *.* TO writer;"
           "CREATE ROLE writers; CREATE ROLE cleaners; CREATE ROLE `sleeping ``one```;"
           "GRANT INSERT ON shop.log TO writers; GRANT SELECT ON shop.thousand TO writers;"
           "GRANT DELETE ON shop.log TO cleaners; GRANT cleaners TO writers; GRANT UPDATE ON shop.log "
           "TO `sleeping ``one```; GRANT FILE ON *.* TO `sleeping ``one```;"
           "CREATE USER roleplayer IDENTIFIED BY '" PASSWORD "'; GRANT writers TO roleplayer; GRANT "
           "`sleeping ``one``` TO roleplayer; SET DEFAULT ROLE writers FOR roleplayer;");
  mysql_close (admin);
}

/* "localhost" is often ::1 first, where a server for 127.0.0.1 doesn't listen. */
static void
test_every_address_of_a_name (void)
{
  g_autofree char *uri = g_strdup_printf ("mariadb://reader@localhost:%s/shop",
                                          g_getenv ("PLUMB_TEST_MARIADB_PORT"));
  g_autoptr (GError) error = NULL;
  g_autoptr (PlumbSource) source = plumb_source_new ("shop", uri, PLAIN_PASSWORD, &error);

  g_assert_no_error (error);
  plumb_source_connect (source, NULL, &error);
  g_assert_no_error (error);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  set_up_server ();
  g_test_add_func ("/sources/mariadb/every-address-of-a-name", test_every_address_of_a_name);
  g_test_add_func ("/sources/mariadb/values", test_values);
  g_test_add_func ("/sources/mariadb/caps", test_caps);
  g_test_add_func ("/sources/mariadb/catalog", test_catalog);
  g_test_add_func ("/sources/mariadb/read-only", test_read_only);
  g_test_add_func ("/sources/mariadb/probe", test_probe);
  g_test_add_func ("/sources/mariadb/probe-of-roles", test_probe_of_roles);
  g_test_add_func ("/sources/mariadb/explain", test_explain);
  g_test_add_func ("/sources/mariadb/check", test_check);
  g_test_add_func ("/sources/mariadb/check-forgets", test_check_forgets);
  g_test_add_func ("/sources/mariadb/errors", test_errors);
  g_test_add_func ("/sources/mariadb/wrong-addresses", test_wrong_addresses);
  g_test_add_func ("/sources/mariadb/cancel", test_cancel);
  g_test_add_func ("/sources/mariadb/cancel-without-connections", test_cancel_without_connections);
  g_test_add_func ("/sources/mariadb/cancel-while-rows-wait", test_cancel_while_rows_wait);
  g_test_add_func ("/sources/mariadb/time-budget", test_time_budget);
  g_test_add_func ("/sources/mariadb/ended-session", test_ended_session);
  return g_test_run ();
}
