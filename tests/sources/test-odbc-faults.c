/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "odbc-fixture.h"

#include <string.h>

#define RUNNING \
  "SELECT count(*) FROM pg_stat_activity WHERE usename = 'reader' AND state = 'active' AND query " \
  "LIKE '%%%s%%'"

static PlumbSource *
open_reader (void)
{
  return odbc_open_postgres ("reader", "shop", "");
}

/* One statement in a thread, and how it ended. */
typedef struct {
  PlumbSource *source;
  const char *sql;
  PlumbLimits limits;
  GCancellable *cancellable;
  PlumbResult *result;
  GError *error;
  GThread *thread;
} Running;

static gpointer
run_in_thread (gpointer user_data)
{
  Running *self = user_data;
  PlumbRowSink sink = plumb_result_get_sink (self->result);

  plumb_source_run (self->source, self->sql, &self->limits, &sink, NULL, NULL, self->cancellable,
                    &self->error);
  return NULL;
}

static void
start (Running *self, PlumbSource *source, const char *sql)
{
  *self = (Running) { .source = source,
                      .sql = sql,
                      .cancellable = g_cancellable_new (),
                      .result = plumb_result_new (NULL) };
  self->thread = g_thread_new ("statement", run_in_thread, self);
}

static void
finish (Running *self)
{
  g_thread_join (self->thread);
  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->result, plumb_result_unref);
}

/* The server's own word on how many statements with that mark run. */
static void
wait_for_running (PGconn *admin, const char *mark, const char *number)
{
  g_autofree char *question = g_strdup_printf (RUNNING, mark);
  gint64 deadline = g_get_monotonic_time () + 60 * G_TIME_SPAN_SECOND;
  g_autofree char *found = admin_ask (admin, question);

  while (strcmp (found, number) != 0 && g_get_monotonic_time () < deadline) {
    g_usleep (10 * 1000);
    g_free (found);
    found = admin_ask (admin, question);
  }
  g_assert_cmpstr (found, ==, number);
}

/* The first two wait in the driver's execution, which SQLCancel ends. The third waits while it
 * fetches, where psqlodbc doesn't pass SQLCancel on: another session ends it. */
static void
test_cancel (void)
{
  const char *const statements[] = {
    "SELECT 'mark_1', pg_sleep(60)",
    "SELECT 'mark_1', count(*) FROM locked",
    "SELECT i, CASE WHEN i > 1500 THEN pg_sleep(60)::text END FROM generate_series(1, 3000) i",
  };
  PGconn *admin = admin_connect ("shop");
  PGconn *locker = admin_connect ("shop");
  g_autoptr (PlumbSource) source = open_reader ();

  admin_execute (locker, "BEGIN; LOCK TABLE locked");
  for (guint i = 0; i < G_N_ELEMENTS (statements); i++) {
    Running running;
    gint64 cancelled_at;

    start (&running, source, statements[i]);
    if (i < 2)
      wait_for_running (admin, "mark_1", "1");
    else
      wait_for_running (admin, "fetch", "1");
    cancelled_at = g_get_monotonic_time ();
    g_cancellable_cancel (running.cancellable);
    finish (&running);
    wait_for_running (admin, i < 2 ? "mark_1" : "fetch", "0");
    g_assert_cmpint (g_get_monotonic_time () - cancelled_at, <, 20 * G_TIME_SPAN_SECOND);
    g_assert_error (running.error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
    g_clear_error (&running.error);
    assert_one_cell (source, "SELECT 'after'", "after");
  }
  PQfinish (locker);
  PQfinish (admin);
}

static void
test_time_budget (void)
{
  PGconn *admin = admin_connect ("shop");
  g_autoptr (PlumbSource) source = open_reader ();
  g_autoptr (GError) error = NULL;
  g_autoptr (PlumbResult) result = run_limited (source, "SELECT 'mark_2', pg_sleep(60)",
                                                (PlumbLimits) { 10, 0, 0, 300 }, &error);

  g_assert_null (result);
  g_assert_error (error, PLUMB_ERROR, PLUMB_ERROR_TIMED_OUT);
  wait_for_running (admin, "mark_2", "0");
  g_clear_error (&error);
  /* A statement that takes its own time limit away is stopped by ours. */
  result = run_limited (source,
                        "SELECT 'mark_2', set_config('statement_timeout', '0', true), pg_sleep(60)",
                        (PlumbLimits) { 10, 0, 0, 300 }, &error);
  g_assert_null (result);
  g_assert_error (error, PLUMB_ERROR, PLUMB_ERROR_TIMED_OUT);
  wait_for_running (admin, "mark_2", "0");
  assert_one_cell (source, "SELECT 'after'", "after");
  PQfinish (admin);
}

/* SQLite works in this process: SQLCancel interrupts it. */
static void
test_cancel_sqlite (void)
{
  g_autofree char *path = odbc_fixture_path ("shop.db");
  g_autofree char *address = g_strdup_printf ("odbc:DRIVER={Feather};Database=%s", path);
  g_autoptr (PlumbSource) source = odbc_open (address, NULL);
  Running running;

  assert_one_cell (source, "SELECT 'before'", "before");
  start (&running, source,
         "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n");
  g_usleep (200 * 1000);
  g_cancellable_cancel (running.cancellable);
  finish (&running);
  g_assert_error (running.error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&running.error);
  assert_one_cell (source, "SELECT 'after'", "after");
}

static void
assert_no_connection (const char *address, const char *password, int code, const char *words)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PlumbSource) source = plumb_source_new ("shop", address, password, &error);

  g_assert_no_error (error);
  g_assert_false (plumb_source_connect (source, NULL, &error));
  if (!g_error_matches (error, PLUMB_SOURCE_ERROR, code) || strstr (error->message, words) == NULL)
    g_error ("“%s”, %d is not in: %d %s", words, code, error->code, error->message);
  g_assert_true (g_str_has_prefix (error->message, "shop: "));
  if (password != NULL)
    g_assert_null (strstr (error->message, password));
}

static void
test_wrong_addresses (void)
{
  const char *port = g_getenv ("PLUMB_TEST_POSTGRES_PORT");
  const char *const accounts[] = { "reader", "nobody_here" };
  g_autofree char *database = g_strdup_printf (
    "odbc:DRIVER={Elephant};Server=127.0.0.1;Port=%s;Database=no_shop;UID=reader", port);

  for (guint i = 0; i < G_N_ELEMENTS (accounts); i++) {
    g_autofree char *address = g_strdup_printf (
      "odbc:DRIVER={Elephant};Server=127.0.0.1;Port=%s;Database=shop;UID=%s", port, accounts[i]);

    assert_no_connection (address, "wrong password", PLUMB_SOURCE_ERROR_AUTHENTICATION,
                          "did not accept");
  }
  assert_no_connection ("odbc:DSN=shop;UID=reader", NULL, PLUMB_SOURCE_ERROR_AUTHENTICATION,
                        "asks for a password");
  assert_no_connection (database, odbc_password, PLUMB_SOURCE_ERROR_CONNECT, "no_shop");
  assert_no_connection ("odbc:DRIVER={Elephant};Server=127.0.0.1;Port=1;Database=shop;UID=reader",
                        odbc_password, PLUMB_SOURCE_ERROR_CONNECT, "can't be reached");
  assert_no_connection ("odbc:DSN=erp", odbc_password, PLUMB_SOURCE_ERROR_ADDRESS,
                        "Data sources: shop. Drivers: Elephant, Feather, Gone.");
  assert_no_connection ("odbc:DRIVER={No Such Driver}", odbc_password, PLUMB_SOURCE_ERROR_ADDRESS,
                        "Drivers: Elephant, Feather, Gone.");
  assert_no_connection ("odbc:DRIVER={Gone}", odbc_password, PLUMB_SOURCE_ERROR_ADDRESS,
                        "libgone.so");
}

static void
test_refused_addresses (void)
{
  const char *const addresses[] = {
    "odbc:UID=reader",
    "odbc:DSN=shop;SAVEFILE=/tmp/x",
    "odbc:DSN=shop;PlumblineDialect=cobol",
  };

  for (guint i = 0; i < G_N_ELEMENTS (addresses); i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (PlumbSource) source = plumb_source_new ("shop", addresses[i], NULL, &error);

    g_assert_null (source);
    g_assert_error (error, PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_ADDRESS);
  }
}

/* A data source of odbc.ini, a path in place of a driver's name, keys in any case. */
static void
test_addresses (void)
{
  g_autoptr (PlumbSource) by_name = odbc_open ("odbc:dsn=shop;uid=reader", odbc_password);
  g_autoptr (PlumbSource) in_address = NULL;
  g_autoptr (GString) address = g_string_new ("odbc:DSN={shop};UID={reader};PWD={");

  for (const char *at = odbc_password; *at != '\0'; at++)
    g_string_append_printf (address, "%s%c", *at == '}' ? "}" : "", *at);
  g_string_append_c (address, '}');
  in_address = odbc_open (address->str, NULL);
  g_assert_cmpstr (plumb_source_get_uri (in_address), ==, "odbc:DSN={shop};UID={reader}");
  g_assert_cmpstr (plumb_source_get_password (in_address), ==, odbc_password);
  assert_one_cell (by_name, "SELECT current_user::text", "reader");
  assert_one_cell (in_address, "SELECT current_user::text", "reader");
}

static gpointer
cancel_soon (gpointer cancellable)
{
  g_usleep (200 * 1000);
  g_cancellable_cancel (cancellable);
  return NULL;
}

/* A peer that accepts and then says nothing: no driver stops connecting when told to, so its thread
 * is left behind; meanwhile others connect. */
static void
test_cancel_connecting (void)
{
  g_autoptr (GSocketListener) listener = g_socket_listener_new ();
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (PlumbSource) other = open_reader ();
  guint16 port = g_socket_listener_add_any_inet_port (listener, NULL, NULL);
  g_autofree char *address = g_strdup_printf (
    "odbc:DRIVER={Elephant};Server=127.0.0.1;Port=%u;Database=shop;UID=reader", port);
  g_autoptr (PlumbSource) source = odbc_open (address, odbc_password);
  GThread *thread = g_thread_new ("cancel", cancel_soon, cancellable);
  gint64 start_time = g_get_monotonic_time ();

  g_assert_false (plumb_source_connect (source, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpint (g_get_monotonic_time () - start_time, <, 20 * G_TIME_SPAN_SECOND);
  g_thread_join (thread);
  assert_one_cell (other, "SELECT 'other'", "other");
}

static void
test_restarted_server (void)
{
  g_autoptr (PlumbSource) source = open_reader ();

  assert_one_cell (source, "SELECT 'before'", "before");
  admin_control ("restart -m fast");
  assert_one_cell (source, "SELECT 'after'", "after");
}

static void
test_killed_server (void)
{
  g_autoptr (PlumbSource) source = open_reader ();
  PGconn *admin = admin_connect ("shop");
  g_autoptr (GError) error = NULL;
  Running running;

  start (&running, source, "SELECT 'mark_4', i, pg_sleep(0.01) FROM generate_series(1, 100000) i");
  wait_for_running (admin, "mark_4", "1");
  PQfinish (admin);
  admin_control ("stop -m immediate");
  finish (&running);
  g_assert_error (running.error, PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_LOST);
  g_assert_true (g_str_has_prefix (running.error->message, "shop: "));
  g_clear_error (&running.error);
  g_assert_false (plumb_source_connect (source, NULL, &error));
  g_assert_error (error, PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_CONNECT);
  admin_control ("start");
  assert_one_cell (source, "SELECT 'after'", "after");
}

/* The session is ended while rows are being handed on. */
static gpointer
end_sessions (gpointer data)
{
  PGconn *admin = admin_connect ("shop");

  wait_for_running (admin, "fetch", "1");
  admin_execute (admin,
                 "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'reader'");
  PQfinish (admin);
  return NULL;
}

static void
test_ended_session (void)
{
  g_autoptr (PlumbSource) source = open_reader ();
  GThread *thread = g_thread_new ("end", end_sessions, NULL);
  Running running;

  start (&running, source,
         "SELECT i, CASE WHEN i > 1500 THEN pg_sleep(0.05)::text END "
         "FROM generate_series(1, 3000) i");
  finish (&running);
  g_thread_join (thread);
  g_assert_error (running.error, PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_LOST);
  g_clear_error (&running.error);
  assert_one_cell (source, "SELECT 'after'", "after");
}

static void
test_changed_password (void)
{
  g_autoptr (PlumbSource) source = open_reader ();
  g_autoptr (GError) error = NULL;
  PGconn *admin = admin_connect ("shop");
  g_autofree char *literal = PQescapeLiteral (admin, odbc_password, strlen (odbc_password));
  g_autofree char *back = g_strdup_printf ("ALTER ROLE reader PASSWORD %s", literal);

  admin_execute (admin, "ALTER ROLE reader PASSWORD 'another one'");
  g_assert_false (plumb_source_connect (source, NULL, &error));
  g_assert_error (error, PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_AUTHENTICATION);
  plumb_source_set_password (source, "another one");
  assert_one_cell (source, "SELECT 'after'", "after");
  admin_execute (admin, back);
  PQfinish (admin);
}

int
main (int argc, char **argv)
{
  PGconn *admin;
  g_autofree char *literal = NULL;
  g_autofree char *role = NULL;
  int failed;

  g_test_init (&argc, &argv, NULL);
  odbc_fixture_init ();
  admin = admin_connect ("postgres");
  literal = PQescapeLiteral (admin, odbc_password, strlen (odbc_password));
  role = g_strdup_printf ("CREATE ROLE reader LOGIN PASSWORD %s", literal);
  admin_execute (admin, role);
  PQfinish (admin);
  create_database ("shop", "CREATE TABLE locked (a int); GRANT SELECT ON locked TO reader");
  g_test_add_func ("/sources/odbc/cancel", test_cancel);
  g_test_add_func ("/sources/odbc/time-budget", test_time_budget);
  g_test_add_func ("/sources/odbc/cancel-sqlite", test_cancel_sqlite);
  g_test_add_func ("/sources/odbc/wrong-addresses", test_wrong_addresses);
  g_test_add_func ("/sources/odbc/refused-addresses", test_refused_addresses);
  g_test_add_func ("/sources/odbc/addresses", test_addresses);
  g_test_add_func ("/sources/odbc/cancel-connecting", test_cancel_connecting);
  g_test_add_func ("/sources/odbc/restarted-server", test_restarted_server);
  g_test_add_func ("/sources/odbc/killed-server", test_killed_server);
  g_test_add_func ("/sources/odbc/ended-session", test_ended_session);
  g_test_add_func ("/sources/odbc/changed-password", test_changed_password);
  failed = g_test_run ();
  odbc_fixture_clear ();
  return failed;
}
