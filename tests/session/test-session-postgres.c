/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "session-fixture.h"

#include <glib/gstdio.h>
#include <libpq-fe.h>
#include <string.h>

#define PASSWORD "re4der-secret"

static const char shop_sql[] =
    "CREATE TABLE customer (id int PRIMARY KEY, name text NOT NULL);"
    "INSERT INTO customer VALUES (1, 'Ada'), (2, 'Bob');"
    "CREATE TABLE orders (id int PRIMARY KEY, customer_id int REFERENCES customer (id),"
    "  amount numeric(20, 2), status text);"
    "COMMENT ON TABLE orders IS 'Orders of customers';"
    "INSERT INTO orders SELECT n, 1 + n % 2, n * 1.25, CASE WHEN n % 4 = 0 THEN 'open' ELSE 'done' "
    "END"
    "  FROM generate_series (1, 40) n;"
    "CREATE TABLE salary (employee text, amount int);"
    "CREATE ROLE reader LOGIN PASSWORD '" PASSWORD "';"
    "GRANT SELECT ON customer, orders TO reader;"
    "CREATE ROLE writer LOGIN PASSWORD '" PASSWORD "';"
    "GRANT SELECT, INSERT ON customer, orders TO writer;";

static PGconn *
connect_admin (void)
{
  const char *keywords[] = { "host", "port", "user", "password", "dbname", NULL };
  const char *values[] = { "127.0.0.1", g_getenv ("PLUMB_TEST_POSTGRES_PORT"), "postgres",
                           g_getenv ("PLUMB_TEST_POSTGRES_PASSWORD"), "postgres", NULL };
  PGconn *admin = PQconnectdbParams (keywords, values, 0);

  if (PQstatus (admin) != CONNECTION_OK)
    g_error ("%s", PQerrorMessage (admin));
  return admin;
}

/* What the server says, as one text. */
static char *
ask_server (const char *sql)
{
  PGconn *admin = connect_admin ();
  PGresult *result = PQexec (admin, sql);
  char *text;

  if (PQresultStatus (result) != PGRES_TUPLES_OK && PQresultStatus (result) != PGRES_COMMAND_OK)
    g_error ("%s", PQresultErrorMessage (result));
  text = g_strdup (PQntuples (result) > 0 ? PQgetvalue (result, 0, 0) : "");
  PQclear (result);
  PQfinish (admin);
  return text;
}

static char *
make_uri (const char *account, const char *password)
{
  g_autofree char *escaped = g_uri_escape_string (password, NULL, FALSE);

  return g_strdup_printf ("postgresql://%s:%s@127.0.0.1:%s/postgres", account, escaped,
                          g_getenv ("PLUMB_TEST_POSTGRES_PORT"));
}

static void
add_as (PlumbSession *session, const char *account, GPtrArray **warnings)
{
  g_autofree char *uri = make_uri (account, PASSWORD);
  g_autoptr (GError) error = NULL;

  plumb_session_add_source (session, "shop", uri, NULL, FALSE, warnings, NULL, &error);
  g_assert_no_error (error);
}

static void
test_superuser (void)
{
  g_autoptr (PlumbSession) session = session_open (NULL);
  g_autofree char *uri = make_uri ("postgres", g_getenv ("PLUMB_TEST_POSTGRES_PASSWORD"));
  g_autoptr (GPtrArray) sources = NULL;
  g_autoptr (GPtrArray) warnings = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_false (plumb_session_add_source (session, "shop", uri, NULL, FALSE, NULL, NULL, &error));
  g_assert_error (error, PLUMB_ERROR, PLUMB_ERROR_REFUSED);
  g_assert_nonnull (strstr (error->message, "superuser"));
  g_assert_cmpint (plumb_session_exit_code (error), ==, 3);
  g_clear_error (&error);
  sources = plumb_session_list_sources (session, NULL);
  g_assert_cmpuint (sources->len, ==, 0);
  g_assert_true (
      plumb_session_add_source (session, "shop", uri, NULL, TRUE, &warnings, NULL, &error));
  g_assert_no_error (error);
  g_assert_nonnull (strstr (g_ptr_array_index (warnings, 0), "accepted the risk"));
}

static void
test_wrong_password (void)
{
  g_autoptr (PlumbSession) session = session_open (NULL);
  g_autofree char *uri = make_uri ("reader", "wrong-secret");
  g_autoptr (GError) error = NULL;

  g_assert_false (plumb_session_add_source (session, "shop", uri, NULL, FALSE, NULL, NULL, &error));
  g_assert_cmpint (plumb_session_exit_code (error), ==, 4);
  g_assert_null (strstr (error->message, "wrong-secret"));
}

static void
test_writer (void)
{
  g_autoptr (PlumbSession) session = session_open (NULL);
  g_autoptr (GPtrArray) warnings = NULL;

  add_as (session, "writer", &warnings);
  g_assert_nonnull (strstr (g_ptr_array_index (warnings, 0), "can write"));
}

/* The address is stored without its password, so the next session needs it from the environment. */
static void
test_next_session (void)
{
  g_autoptr (PlumbSession) first = session_open (NULL);
  g_autoptr (PlumbSession) second = NULL;
  g_autoptr (PlumbSession) third = NULL;
  g_autoptr (PlumbAccountProbe) probe = NULL;
  g_autoptr (GPtrArray) sources = NULL;
  g_autoptr (GError) error = NULL;

  add_as (first, "reader", NULL);
  sources = plumb_session_list_sources (first, NULL);
  g_assert_null (strstr (((PlumbSourceRecord *) g_ptr_array_index (sources, 0))->uri, PASSWORD));
  second = session_open (NULL);
  g_assert_null (plumb_session_check_source (second, "shop", NULL, &error));
  g_assert_cmpint (plumb_session_exit_code (error), ==, 4);
  g_clear_error (&error);
  g_setenv ("PLUMBLINE_PASSWORD_SHOP", PASSWORD, TRUE);
  third = session_open (NULL);
  probe = plumb_session_check_source (third, "shop", NULL, &error);
  g_unsetenv ("PLUMBLINE_PASSWORD_SHOP");
  g_assert_no_error (error);
  g_assert_true (probe->read_only_proven);
}

static void
test_ask (void)
{
  g_autoptr (PlumbSession) session = session_open (NULL);
  PlumbAskRequest request = { .question = "How many orders are there?" };
  g_autoptr (PlumbAnalysisReport) report = NULL;
  g_autoptr (PlumbTurn) turn = NULL;
  g_autoptr (PlumbResult) refused = NULL;
  g_autoptr (GError) error = NULL;

  add_as (session, "reader", NULL);
  report = plumb_session_analyze (session, "shop", FALSE, FALSE, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  turn = plumb_session_ask (session, &request, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_nonnull (strstr (turn->answer, "40"));
  refused = plumb_session_query (session, "shop", "SELECT * FROM salary", NULL, NULL, &error);
  g_assert_null (refused);
  g_assert_nonnull (error);
}

static gpointer
cancel_when_running (gpointer cancellable)
{
  for (guint i = 0; i < 600; i++) {
    g_autofree char *n =
        ask_server ("SELECT count(*) FROM pg_stat_activity WHERE state = 'active' AND "
                    "usename = 'reader' AND query LIKE '%generate_series%'");

    if (!g_str_equal (n, "0"))
      break;
    g_usleep (50 * 1000);
  }
  g_cancellable_cancel (cancellable);
  return NULL;
}

/* A cancel reaches the server, and the audit record tells of it. */
static void
test_cancel (void)
{
  g_autoptr (PlumbSession) session = session_open (NULL);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GPtrArray) records = NULL;
  g_autoptr (PlumbResult) result = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *left = NULL;
  GThread *thread;

  add_as (session, "reader", NULL);
  thread = g_thread_new ("cancel", cancel_when_running, cancellable);
  result = plumb_session_query (
      session, "shop",
      "SELECT count(*) FROM generate_series(1, 1000000000) a, generate_series(1, 1000) b", NULL,
      cancellable, &error);
  g_thread_join (thread);
  g_assert_null (result);
  g_assert_cmpint (plumb_session_exit_code (error), ==, 6);
  left = ask_server (
      "SELECT count(*) FROM pg_stat_activity WHERE state = 'active' AND usename = 'reader'");
  g_assert_cmpstr (left, ==, "0");
  records = plumb_session_list_audit (session, 0, 1, NULL);
  g_assert_cmpint (((PlumbAuditRecord *) g_ptr_array_index (records, 0))->state, ==,
                   PLUMB_STATE_CANCELLED);
}

/* A changed password can be entered again; a wrong one changes nothing. */
static void
test_changed_password (void)
{
  g_autoptr (PlumbSession) session = session_open (NULL);
  g_autoptr (PlumbAccountProbe) probe = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *changed = NULL;
  g_autofree char *back = NULL;
  g_autofree char *warning = NULL;

  add_as (session, "reader", NULL);
  changed = ask_server ("ALTER ROLE reader PASSWORD 'an0ther-secret'; SELECT "
                        "count(pg_terminate_backend(pid)) FROM pg_stat_activity "
                        "WHERE usename = 'reader'");
  g_assert_null (plumb_session_check_source (session, "shop", NULL, &error));
  g_assert_true (plumb_session_is_sign_in_error (error));
  g_clear_error (&error);
  g_assert_false (
      plumb_session_set_password (session, "shop", "wr0ng-secret", &warning, NULL, &error));
  g_assert_true (plumb_session_is_sign_in_error (error));
  g_assert_null (strstr (error->message, "wr0ng-secret"));
  g_clear_error (&error);
  plumb_session_set_password (session, "shop", "an0ther-secret", &warning, NULL, &error);
  g_assert_no_error (error);
  probe = plumb_session_check_source (session, "shop", NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (probe->account, ==, "reader");
  back = ask_server ("ALTER ROLE reader PASSWORD '" PASSWORD "'");
}

/* Through ODBC, from adding it to an export: the engine is named as what it is. */
static void
test_odbc (void)
{
  g_autoptr (PlumbSession) session = session_open (NULL);
  g_autofree char *uri = g_strdup_printf (
      "odbc:DRIVER=psqlodbcw.so;Server=127.0.0.1;Port=%s;Database=postgres;UID=reader;PWD={%s}",
      g_getenv ("PLUMB_TEST_POSTGRES_PORT"), PASSWORD);
  g_autoptr (PlumbAnalysisReport) report = NULL;
  g_autoptr (PlumbResult) result = NULL;
  g_autoptr (PlumbResult) refused = NULL;
  g_autoptr (GPtrArray) sources = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *path = g_build_filename (g_get_tmp_dir (), "plumb-odbc-export.csv", NULL);
  PlumbExportRequest request = { .format = "csv", .replace = TRUE };
  g_autofree char *exported = NULL;
  g_autofree char *text = NULL;
  const PlumbSourceRecord *record;

  plumb_session_add_source (session, "shop", uri, NULL, FALSE, NULL, NULL, &error);
  g_assert_no_error (error);
  sources = plumb_session_list_sources (session, NULL);
  record = g_ptr_array_index (sources, 0);
  g_assert_cmpstr (record->engine, ==, "PostgreSQL");
  g_assert_true (g_str_has_suffix (record->uri, ";UID=reader"));
  report = plumb_session_analyze (session, "shop", FALSE, FALSE, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (report->failures->len, ==, 0);
  result = plumb_session_query (session, "shop", "SELECT sum(amount) FROM orders;", NULL, NULL,
                                &error);
  g_assert_no_error (error);
  g_assert_cmpstr (plumb_result_get_cell (result, 0, 0)->text, ==, "1025.00");
  refused = plumb_session_query (session, "shop", "DELETE FROM orders", NULL, NULL, &error);
  g_assert_null (refused);
  g_assert_cmpint (plumb_session_exit_code (error), ==, 3);
  g_clear_error (&error);
  exported = plumb_session_export (session, "shop", "SELECT id, name FROM customer ORDER BY id",
                                   path, &request, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_nonnull (strstr (text, "1,Ada"));
  g_remove (path);
}

int
main (int argc, char **argv)
{
  g_autofree char *made = NULL;

  session_test_init (&argc, &argv);
  made = ask_server (shop_sql);
  session_test_add ("/session-postgres/superuser", test_superuser);
  session_test_add ("/session-postgres/wrong-password", test_wrong_password);
  session_test_add ("/session-postgres/writer", test_writer);
  session_test_add ("/session-postgres/next-session", test_next_session);
  session_test_add ("/session-postgres/ask", test_ask);
  session_test_add ("/session-postgres/changed-password", test_changed_password);
  session_test_add ("/session-postgres/odbc", test_odbc);
  session_test_add ("/session-postgres/cancel", test_cancel);
  return session_test_run ();
}
