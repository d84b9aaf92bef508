/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "postgres-fixture.h"

#include <string.h>

#define PASSWORD "geheim sache"
#define RUNNING \
  "SELECT count(*) FROM pg_stat_activity WHERE usename = 'reader' AND state = 'active' AND query " \
  "LIKE '%%%s%%'"

static PlumbSource *
open_reader (void)
{
  return open_as ("reader", PASSWORD, "shop", NULL);
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

static void
test_cancel (void)
{
  const char *const statements[] = {
    "SELECT 'mark_1', pg_sleep(60)",
    "SELECT 'mark_1', count(*) FROM generate_series(1, 10000000000) a",
    "SELECT 'mark_1', i, repeat('x', 100) FROM generate_series(1, 10000000000) i",
    "SELECT 'mark_1', count(*) FROM locked",
  };
  PGconn *admin = admin_connect ("shop");
  PGconn *locker = admin_connect ("shop");
  g_autoptr (PlumbSource) source = open_reader ();

  admin_execute (locker, "BEGIN; LOCK TABLE locked");
  for (guint i = 0; i < G_N_ELEMENTS (statements); i++) {
    Running running;
    gint64 cancelled_at;

    start (&running, source, statements[i]);
    wait_for_running (admin, "mark_1", "1");
    cancelled_at = g_get_monotonic_time ();
    g_cancellable_cancel (running.cancellable);
    finish (&running);
    wait_for_running (admin, "mark_1", "0");
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
  g_autoptr (GError) error = NULL;
  PGconn *admin = admin_connect ("shop");
  g_autoptr (PlumbSource) source = open_reader ();
  gint64 start_time = g_get_monotonic_time ();
  g_autoptr (PlumbResult) result = run_limited (source, "SELECT 'mark_2', pg_sleep(60)",
                                                (PlumbLimits) { 10, 0, 0, 300 }, &error);

  g_assert_null (result);
  g_assert_error (error, PLUMB_ERROR, PLUMB_ERROR_TIMED_OUT);
  g_assert_cmpint (g_get_monotonic_time () - start_time, <, 20 * G_TIME_SPAN_SECOND);
  wait_for_running (admin, "mark_2", "0");
  g_clear_error (&error);
  /* A statement that takes its own time limit away is stopped by ours. */
  result = run_limited (source,
                        "SELECT 'mark_2', set_config('statement_timeout', '0', true), pg_sleep(60)",
                        (PlumbLimits) { 10, 0, 0, 300 }, &error);
  g_assert_null (result);
  g_assert_error (error, PLUMB_ERROR, PLUMB_ERROR_TIMED_OUT);
  g_assert_cmpint (g_get_monotonic_time () - start_time, <, 40 * G_TIME_SPAN_SECOND);
  wait_for_running (admin, "mark_2", "0");
  assert_one_cell (source, "SELECT 'after'", "after");
  PQfinish (admin);
}

/* The fifth statement waits, says so, and runs when one of the four has ended. */
static void
count_waiting (const char *doing, gpointer user_data)
{
  g_assert_true (g_str_has_prefix (doing, "Waiting for a free slot: 4 statements"));
  g_atomic_int_inc ((gint *) user_data);
}

static gpointer
cancel_when_waited (gpointer user_data)
{
  gpointer *data = user_data;

  while (g_atomic_int_get ((gint *) data[0]) == 0)
    g_usleep (1000);
  g_cancellable_cancel (data[1]);
  return NULL;
}

static void
test_slots (void)
{
  PGconn *admin = admin_connect ("shop");
  g_autoptr (PlumbSource) source = open_reader ();
  g_autoptr (PlumbSource) same = open_reader ();
  g_autoptr (PlumbResult) result = plumb_result_new (NULL);
  g_autoptr (GError) error = NULL;
  PlumbRowSink sink = plumb_result_get_sink (result);
  Running running[4];
  gint n_waiting = 0;
  gpointer data[2];
  GThread *thread;

  for (guint i = 0; i < G_N_ELEMENTS (running); i++)
    start (&running[i], source, "SELECT 'mark_3', pg_sleep(60)");
  wait_for_running (admin, "mark_3", "4");
  data[0] = &n_waiting;
  data[1] = running[0].cancellable;
  thread = g_thread_new ("cancel", cancel_when_waited, data);
  g_assert_true (plumb_source_run (same, "SELECT 'mark_3'", NULL, &sink, count_waiting, &n_waiting,
                                   NULL, &error));
  g_assert_no_error (error);
  g_thread_join (thread);
  for (guint i = 0; i < G_N_ELEMENTS (running); i++) {
    g_cancellable_cancel (running[i].cancellable);
    finish (&running[i]);
    g_assert_error (running[i].error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
    g_clear_error (&running[i].error);
  }
  PQfinish (admin);
}

static void
assert_no_connection (const char *uri, const char *password, int code, const char *words)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PlumbSource) source = plumb_source_new ("shop", uri, password, &error);

  g_assert_no_error (error);
  g_assert_false (plumb_source_connect (source, NULL, &error));
  g_assert_error (error, PLUMB_SOURCE_ERROR, code);
  g_assert_true (g_str_has_prefix (error->message, "shop: "));
  if (strstr (error->message, words) == NULL)
    g_error ("“%s” is not in: %s", words, error->message);
  if (password != NULL)
    g_assert_null (strstr (error->message, password));
}

static void
test_wrong_addresses (void)
{
  const char *port = g_getenv ("PLUMB_TEST_POSTGRES_PORT");
  g_autofree char *right = g_strdup_printf ("postgresql://reader@127.0.0.1:%s/shop", port);
  g_autofree char *account = g_strdup_printf ("postgresql://nobody_here@127.0.0.1:%s/shop", port);
  g_autofree char *database = g_strdup_printf ("postgresql://reader@127.0.0.1:%s/no_shop", port);
  g_autofree char *host = g_strdup_printf ("postgresql://reader@no-such-host.invalid:%s/shop",
                                           port);
  g_autofree char *untrusted = g_strdup_printf (
    "postgresql://reader@127.0.0.1:%s/shop?sslmode=verify-full", port);
  g_autofree char *login = g_strdup_printf ("postgresql://no_login@127.0.0.1:%s/shop", port);

  assert_no_connection (right, "wrong password", PLUMB_SOURCE_ERROR_AUTHENTICATION, "password");
  assert_no_connection (right, NULL, PLUMB_SOURCE_ERROR_AUTHENTICATION, "asks for a password");
  assert_no_connection (account, PASSWORD, PLUMB_SOURCE_ERROR_AUTHENTICATION, "account");
  assert_no_connection (login, PASSWORD, PLUMB_SOURCE_ERROR_AUTHENTICATION,
                        "not permitted to log in");
  assert_no_connection (database, PASSWORD, PLUMB_SOURCE_ERROR_ADDRESS, "no such database");
  assert_no_connection (host, PASSWORD, PLUMB_SOURCE_ERROR_CONNECT, "no-such-host.invalid");
  assert_no_connection (untrusted, PASSWORD, PLUMB_SOURCE_ERROR_CONNECT, "certificate");
  assert_no_connection ("postgresql://reader@127.0.0.1:1/shop", PASSWORD,
                        PLUMB_SOURCE_ERROR_CONNECT, "refused");
  assert_no_connection ("postgresql:///?service=no_such_service", PASSWORD,
                        PLUMB_SOURCE_ERROR_ADDRESS, "service");
}

static void
test_refused_addresses (void)
{
  const char *const uris[] = {
    "postgresql://reader@127.0.0.1:5432",
    "postgresql://reader@127.0.0.1:5432/",
    "postgresql://127.0.0.1/shop?ssl_mode=require",
    "postgresql://127.0.0.1/shop?client_encoding=LATIN1",
    "postgresql://127.0.0.1/shop?replication=database",
  };

  for (guint i = 0; i < G_N_ELEMENTS (uris); i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (PlumbSource) source = plumb_source_new ("shop", uris[i], NULL, &error);

    g_assert_null (source);
    g_assert_error (error, PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_ADDRESS);
  }
}

/* A peer that accepts and then says nothing. */
static void
test_silent_server (void)
{
  g_autoptr (GSocketListener) listener = g_socket_listener_new ();
  guint16 port = g_socket_listener_add_any_inet_port (listener, NULL, NULL);
  g_autofree char *uri = g_strdup_printf ("postgresql://reader@127.0.0.1:%u/shop?connect_timeout=1",
                                          port);

  assert_no_connection (uri, PASSWORD, PLUMB_SOURCE_ERROR_CONNECT, "did not answer in time");
}

static gpointer
cancel_soon (gpointer cancellable)
{
  g_usleep (200 * 1000);
  g_cancellable_cancel (cancellable);
  return NULL;
}

static void
test_cancel_connecting (void)
{
  g_autoptr (GSocketListener) listener = g_socket_listener_new ();
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  guint16 port = g_socket_listener_add_any_inet_port (listener, NULL, NULL);
  g_autofree char *uri = g_strdup_printf ("postgresql://reader@127.0.0.1:%u/shop", port);
  g_autoptr (PlumbSource) source = plumb_source_new ("shop", uri, PASSWORD, NULL);
  GThread *thread = g_thread_new ("cancel", cancel_soon, cancellable);
  gint64 start_time = g_get_monotonic_time ();

  g_assert_false (plumb_source_connect (source, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpint (g_get_monotonic_time () - start_time, <, 20 * G_TIME_SPAN_SECOND);
  g_thread_join (thread);
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

static void
test_ended_session (void)
{
  g_autoptr (PlumbSource) source = open_reader ();
  PGconn *admin = admin_connect ("shop");
  Running running;

  start (&running, source, "SELECT 'mark_5', pg_sleep(60)");
  wait_for_running (admin, "mark_5", "1");
  admin_execute (admin,
                 "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'reader'");
  finish (&running);
  g_assert_error (running.error, PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_LOST);
  g_clear_error (&running.error);
  assert_one_cell (source, "SELECT 'after'", "after");
  PQfinish (admin);
}

static void
test_changed_password (void)
{
  g_autoptr (PlumbSource) source = open_reader ();
  g_autoptr (GError) error = NULL;
  PGconn *admin = admin_connect ("shop");

  admin_execute (admin, "ALTER ROLE reader PASSWORD 'another one'");
  g_assert_false (plumb_source_connect (source, NULL, &error));
  g_assert_error (error, PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_AUTHENTICATION);
  plumb_source_set_password (source, "another one");
  assert_one_cell (source, "SELECT 'after'", "after");
  admin_execute (admin, "ALTER ROLE reader PASSWORD '" PASSWORD "'");
  PQfinish (admin);
}

static void
test_dropped_table (void)
{
  g_autoptr (PlumbSource) source = open_reader ();
  g_autoptr (GError) error = NULL;
  g_autoptr (PlumbResult) result = NULL;
  PGconn *admin = admin_connect ("shop");

  admin_execute (admin, "CREATE TABLE soon_gone (a int); GRANT SELECT ON soon_gone TO reader");
  assert_one_cell (source, "SELECT count(*) FROM soon_gone", "0");
  admin_execute (admin, "DROP TABLE soon_gone");
  result = run_limited (source, "SELECT count(*) FROM soon_gone", PLUMB_LIMITS_DEFAULT, &error);
  g_assert_null (result);
  g_assert_error (error, PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_STATEMENT);
  assert_one_cell (source, "SELECT 'after'", "after");
  PQfinish (admin);
}

/* Where the address leaves things to libpq: pg_service.conf and .pgpass. */
static void
test_service (void)
{
  g_autofree char *folder = g_dir_make_tmp ("plumb-service-XXXXXX", NULL);
  g_autofree char *services = g_build_filename (folder, "services", NULL);
  g_autofree char *passwords = g_build_filename (folder, "passwords", NULL);
  const char *port = g_getenv ("PLUMB_TEST_POSTGRES_PORT");
  g_autofree char *service = g_strdup_printf (
    "[shop]\nhost=127.0.0.1\nport=%s\nuser=reader\ndbname=shop\n", port);
  g_autofree char *password = g_strdup_printf ("127.0.0.1:%s:shop:reader:%s\n", port, PASSWORD);
  g_autofree char *uri = g_strdup_printf ("postgresql://reader@127.0.0.1:%s/shop", port);
  g_autoptr (GError) error = NULL;
  g_autoptr (PlumbSource) by_service = NULL;
  g_autoptr (PlumbSource) by_password = NULL;

  g_assert_true (g_file_set_contents (services, service, -1, NULL));
  g_assert_true (g_file_set_contents_full (passwords, password, -1, G_FILE_SET_CONTENTS_NONE, 0600,
                                           NULL));
  g_setenv ("PGSERVICEFILE", services, TRUE);
  by_service = plumb_source_new ("shop", "postgresql:///?service=shop", PASSWORD, &error);
  g_assert_no_error (error);
  assert_one_cell (by_service, "SELECT current_user", "reader");
  g_setenv ("PGPASSFILE", passwords, TRUE);
  by_password = plumb_source_new ("shop", uri, NULL, &error);
  g_assert_no_error (error);
  assert_one_cell (by_password, "SELECT current_database()", "shop");
  g_unsetenv ("PGSERVICEFILE");
  g_unsetenv ("PGPASSFILE");
}

int
main (int argc, char **argv)
{
  PGconn *admin;

  g_test_init (&argc, &argv, NULL);
  admin = admin_connect ("postgres");
  admin_execute (admin, "CREATE ROLE reader LOGIN PASSWORD '" PASSWORD
                        "'; CREATE ROLE no_login PASSWORD '" PASSWORD "'");
  PQfinish (admin);
  create_database ("shop", "CREATE TABLE locked (a int); GRANT SELECT ON locked TO reader");
  g_test_add_func ("/sources/postgres/cancel", test_cancel);
  g_test_add_func ("/sources/postgres/time-budget", test_time_budget);
  g_test_add_func ("/sources/postgres/slots", test_slots);
  g_test_add_func ("/sources/postgres/wrong-addresses", test_wrong_addresses);
  g_test_add_func ("/sources/postgres/refused-addresses", test_refused_addresses);
  g_test_add_func ("/sources/postgres/silent-server", test_silent_server);
  g_test_add_func ("/sources/postgres/cancel-connecting", test_cancel_connecting);
  g_test_add_func ("/sources/postgres/restarted-server", test_restarted_server);
  g_test_add_func ("/sources/postgres/killed-server", test_killed_server);
  g_test_add_func ("/sources/postgres/ended-session", test_ended_session);
  g_test_add_func ("/sources/postgres/changed-password", test_changed_password);
  g_test_add_func ("/sources/postgres/dropped-table", test_dropped_table);
  g_test_add_func ("/sources/postgres/service", test_service);
  return g_test_run ();
}
