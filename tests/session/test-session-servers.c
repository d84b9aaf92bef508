/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "session-fixture.h"

#include "source-fixture.h"

#include <libpq-fe.h>
#include <mysql.h>
#include <signal.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>

/* However a statement is ended, the server is asked whether it is gone: by the person, by the end
 * of the window, by its time budget, and by the end of the program. */

#define PATIENCE_US (2 * G_TIME_SPAN_SECOND)
#define ATTEMPTS 3
#define LONG_BUDGET "600000"
#define SHORT_BUDGET "3000"

static const char *const databases[] = { "shop", "shop", "shop" };

static void
make_databases (void)
{
  engine_execute (&engines[0], "CREATE DATABASE shop");
  g_setenv ("PLUMB_TEST_DATABASE", "shop", TRUE);
  engine_execute (&engines[0], "CREATE TABLE mark_orders (id int PRIMARY KEY); INSERT INTO "
                               "mark_orders VALUES (1), (2)");
  engine_execute (&engines[1],
                  "CREATE DATABASE shop; CREATE TABLE shop.mark_orders (id INT PRIMARY "
                  "KEY); INSERT INTO shop.mark_orders VALUES (1), (2)");
  engine_execute (&engines[2], "CREATE DATABASE shop");
  engine_execute (&engines[2], "CREATE TABLE shop.mark_orders (id UInt32) ENGINE = Memory");
  /* Statements that the check lets through, and that take minutes. */
  engine_execute (&engines[1],
                  "CREATE TABLE shop.thousand AS SELECT seq AS n FROM shop.seq_1_to_1000");
}

static const char *const slow[] = {
  "SELECT 'mark', count(*) FROM generate_series(1, 1000000000) a, generate_series(1, 1000) b",
  "SELECT 'mark', COUNT(*) FROM thousand a, thousand b, thousand c, thousand d WHERE a.n <> d.n",
  "SELECT 'mark', count() FROM system.numbers",
};

static char *
make_uri (const Engine *engine)
{
  g_autofree char *port = engine_get_variable (engine, "PORT");

  return g_strdup_printf ("%s://%s@127.0.0.1:%s/%s", engine->scheme, engine->admin, port,
                          databases[engine - engines]);
}

static PlumbSession *
open_with (const Engine *engine)
{
  PlumbSession *session = session_open (NULL);
  g_autofree char *uri = make_uri (engine);
  g_autofree char *password = engine_get_variable (engine, "PASSWORD");
  g_autoptr (GError) error = NULL;

  plumb_session_remove_source (session, "shop", NULL);
  plumb_session_add_source (session, "shop", uri, password, TRUE, NULL, NULL, &error);
  g_assert_no_error (error);
  return session;
}

static gpointer
query (PlumbSession *session, gpointer sql, GCancellable *cancellable, GError **error)
{
  return plumb_session_query (session, "shop", sql, NULL, cancellable, error);
}

typedef struct {
  GError *error;
  gboolean ended;
} Ended;

static void
on_queried (GObject *session, GAsyncResult *result, gpointer user_data)
{
  Ended *ended = user_data;
  g_autoptr (PlumbResult) rows
      = plumb_session_run_finish (PLUMB_SESSION (session), result, &ended->error);

  g_assert_null (rows);
  ended->ended = TRUE;
}

static void
start_query (PlumbSession *session, const Engine *engine, GCancellable *cancellable, Ended *ended)
{
  plumb_session_run_async (session, query, (gpointer) slow[engine - engines], NULL,
                           (GDestroyNotify) plumb_result_unref, cancellable, on_queried, ended);
  engine_wait_for_running (engine, "1");
}

/* A busy machine may be late once, so each of these tests has ATTEMPTS; what waits needlessly is
 * late every time. */
static gboolean
gone_in_time (const Engine *engine, gint64 since)
{
  gint64 gone_at, asked_in;

  engine_wait_for_running (engine, "0");
  gone_at = g_get_monotonic_time ();
  /* Two questions may have been on their way, each as long as this one. */
  engine_wait_for_running (engine, "0");
  asked_in = g_get_monotonic_time () - gone_at;
  return gone_at - since < PATIENCE_US + 2 * asked_in;
}

static gboolean
test_stopped (const Engine *engine)
{
  g_autoptr (PlumbSession) session = open_with (engine);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  Ended ended = { NULL, FALSE };
  gboolean in_time;
  gint64 since;

  start_query (session, engine, cancellable, &ended);
  since = g_get_monotonic_time ();
  g_cancellable_cancel (cancellable);
  in_time = gone_in_time (engine, since);
  while (!ended.ended)
    g_main_context_iteration (NULL, TRUE);
  g_assert_error (ended.error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&ended.error);
  return in_time;
}

/* The window's end: nobody waits for the answer, and the program ends when the work has. */
static gboolean
test_closed (const Engine *engine)
{
  g_autoptr (PlumbSession) session = open_with (engine);
  Ended ended = { NULL, FALSE };
  gboolean in_time;
  gint64 since;

  start_query (session, engine, NULL, &ended);
  since = g_get_monotonic_time ();
  g_assert_true (plumb_session_stop_work (session, 5000));
  in_time = gone_in_time (engine, since);
  while (!ended.ended)
    g_main_context_iteration (NULL, TRUE);
  g_assert_error (ended.error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&ended.error);
  g_assert_true (plumb_session_stop_work (session, 0));
  return in_time;
}

static gboolean
test_budget (const Engine *engine)
{
  g_autoptr (PlumbSession) session = open_with (engine);
  PlumbLimits limits = { 10, 0, 0, 1000 };
  g_autoptr (GError) error = NULL;
  g_autoptr (PlumbResult) rows
      = plumb_session_query (session, "shop", slow[engine - engines], &limits, NULL, &error);

  g_assert_null (rows);
  g_assert_error (error, PLUMB_ERROR, PLUMB_ERROR_TIMED_OUT);
  g_assert_true (g_str_has_prefix (error->message, "shop: "));
  return gone_in_time (engine, g_get_monotonic_time ());
}

static GPid
start_program (const Engine *engine, const char *budget)
{
  g_autofree char *program = g_test_build_filename (G_TEST_BUILT, "session", "query-once", NULL);
  g_autofree char *uri = make_uri (engine);
  g_autofree char *password = engine_get_variable (engine, "PASSWORD");
  char *argv[] = { program, uri, (char *) slow[engine - engines], (char *) budget, NULL };
  g_auto (GStrv) environment = g_environ_setenv (g_get_environ (), "PASSWORD", password, TRUE);
  g_autoptr (GError) error = NULL;
  GPid pid;

  g_spawn_async (NULL, argv, environment, G_SPAWN_DO_NOT_REAP_CHILD, NULL, NULL, &pid, &error);
  g_assert_no_error (error);
  engine_wait_for_running (engine, "1");
  return pid;
}

static void
kill_program (GPid pid)
{
  int status;

  kill (pid, SIGKILL);
  g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
  g_assert_true (WIFSIGNALED (status));
}

/* The program is gone, and nobody connects again: the server ends the statement by itself, at the
 * latest at the end of its budget. */
static void
test_killed_program (const Engine *engine)
{
  kill_program (start_program (engine, SHORT_BUDGET));
  engine_wait_for_running (engine, "0");
}

/* The next program ends what the killed one left, long before its budget, and leaves what a living
 * one runs. */
static void
test_next_program (const Engine *engine)
{
  g_autoptr (PlumbSession) session = NULL;
  GPid living = start_program (engine, LONG_BUDGET);
  GPid killed;

  session = open_with (engine);
  engine_wait_for_running (engine, "1");
  kill_program (living);
  g_clear_object (&session);
  session = open_with (engine);
  engine_wait_for_running (engine, "0");
  killed = start_program (engine, LONG_BUDGET);
  kill_program (killed);
  {
    g_autoptr (PlumbSource) source = NULL;
    g_autofree char *password = engine_get_variable (engine, "PASSWORD");
    g_autoptr (GError) error = NULL;

    source = engine_open (engine, engine->admin, password, "127.0.0.1", 0, "shop");
    g_assert_true (plumb_source_connect (source, NULL, &error));
    g_assert_no_error (error);
  }
  engine_wait_for_running (engine, "0");
}

static void
on_asked (GObject *session, GAsyncResult *result, gpointer user_data)
{
  Ended *ended = user_data;
  g_autoptr (PlumbTurn) turn G_GNUC_UNUSED
      = plumb_session_ask_finish (PLUMB_SESSION (session), result, &ended->error);

  ended->ended = TRUE;
}

/* Holds a table so that whatever reads it waits at the server. */
static gboolean
test_turn (const Engine *engine)
{
  g_autofree char *port = engine_get_variable (engine, "PORT");
  g_autofree char *password = engine_get_variable (engine, "PASSWORD");
  const char *keywords[] = { "host", "port", "user", "password", "dbname", NULL };
  const char *values[] = { "127.0.0.1", port, "postgres", password, "shop", NULL };
  g_autoptr (PlumbSession) session = open_with (engine);
  g_autoptr (PlumbAnalysisReport) report = NULL;
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  PlumbAskRequest request = { .question = "How many mark orders are there?" };
  PGconn *postgres = NULL;
  MYSQL *mariadb = NULL;
  Ended ended = { NULL, FALSE };
  gboolean in_time;
  gint64 since;

  report = plumb_session_analyze (session, "shop", FALSE, FALSE, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  if (engine == &engines[0]) {
    postgres = PQconnectdbParams (keywords, values, 0);
    PQclear (PQexec (postgres, "BEGIN; LOCK TABLE mark_orders"));
  } else {
    mariadb = mysql_init (NULL);
    g_assert_nonnull (mysql_real_connect (mariadb, "127.0.0.1", "root", password, "shop",
                                          (guint)g_ascii_strtoull (port, NULL, 10), NULL, 0));
    g_assert_cmpint (mysql_query (mariadb, "LOCK TABLES mark_orders WRITE"), ==, 0);
  }
  plumb_session_ask_async (session, &request, NULL, NULL, cancellable, on_asked, &ended);
  engine_wait_for_running (engine, "1");
  since = g_get_monotonic_time ();
  g_cancellable_cancel (cancellable);
  in_time = gone_in_time (engine, since);
  while (!ended.ended)
    g_main_context_iteration (NULL, TRUE);
  g_clear_error (&ended.error);
  PQfinish (postgres);
  if (mariadb != NULL)
    mysql_close (mariadb);
  return in_time;
}

#define IN_TIME_FOR_ENGINE(name, number)                                                           \
  static void test_##name##_##number (void)                                                        \
  {                                                                                                \
    int attempt = 1;                                                                               \
                                                                                                   \
    while (!test_##name (&engines[number]))                                                        \
      g_assert_cmpint (attempt++, <, ATTEMPTS);                                                    \
  }

#define FOR_ENGINE(name, number)                                                                   \
  static void test_##name##_##number (void) { test_##name (&engines[number]); }

IN_TIME_FOR_ENGINE (stopped, 0)
IN_TIME_FOR_ENGINE (stopped, 1)
IN_TIME_FOR_ENGINE (stopped, 2)
IN_TIME_FOR_ENGINE (closed, 0)
IN_TIME_FOR_ENGINE (closed, 1)
IN_TIME_FOR_ENGINE (closed, 2)
IN_TIME_FOR_ENGINE (budget, 0)
IN_TIME_FOR_ENGINE (budget, 1)
IN_TIME_FOR_ENGINE (budget, 2)
FOR_ENGINE (killed_program, 0)
FOR_ENGINE (killed_program, 1)
FOR_ENGINE (killed_program, 2)
FOR_ENGINE (next_program, 1)
FOR_ENGINE (next_program, 2)
IN_TIME_FOR_ENGINE (turn, 0)
IN_TIME_FOR_ENGINE (turn, 1)

int
main (int argc, char **argv)
{
  session_test_init (&argc, &argv);
  make_databases ();
  session_test_add ("/session-servers/stopped/postgres", test_stopped_0);
  session_test_add ("/session-servers/stopped/mariadb", test_stopped_1);
  session_test_add ("/session-servers/stopped/clickhouse", test_stopped_2);
  session_test_add ("/session-servers/closed/postgres", test_closed_0);
  session_test_add ("/session-servers/closed/mariadb", test_closed_1);
  session_test_add ("/session-servers/closed/clickhouse", test_closed_2);
  session_test_add ("/session-servers/budget/postgres", test_budget_0);
  session_test_add ("/session-servers/budget/mariadb", test_budget_1);
  session_test_add ("/session-servers/budget/clickhouse", test_budget_2);
  session_test_add ("/session-servers/killed-program/postgres", test_killed_program_0);
  session_test_add ("/session-servers/killed-program/mariadb", test_killed_program_1);
  session_test_add ("/session-servers/killed-program/clickhouse", test_killed_program_2);
  session_test_add ("/session-servers/next-program/mariadb", test_next_program_1);
  session_test_add ("/session-servers/next-program/clickhouse", test_next_program_2);
  session_test_add ("/session-servers/turn/postgres", test_turn_0);
  session_test_add ("/session-servers/turn/mariadb", test_turn_1);
  return session_test_run ();
}
