/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "source-fixture.h"

#include <libpq-fe.h>
#include <mysql.h>
#include <string.h>

/* What happens to servers, done to each of them. */

static const char *const databases[] = { "postgres", "mysql", "default" };

static PlumbSource *
open_admin (const Engine *engine)
{
  g_autofree char *password = engine_get_variable (engine, "PASSWORD");

  return engine_open (engine, engine->admin, password, "127.0.0.1", 0,
                      databases[engine - engines]);
}

/* Killed with SIGKILL, or stopped as that server is stopped at once. */
static const char *
word_for_kill (const Engine *engine)
{
  return strcmp (engine->name, "postgres") == 0 ? "stop -m immediate" : "kill";
}

static void
test_killed_in_result (gconstpointer data)
{
  const Engine *engine = data;
  g_autoptr (PlumbSource) source = open_admin (engine);
  Running running;

  running_start (&running, source, engine->many, 0);
  engine_wait_for_running (engine, "1");
  engine_control (engine, word_for_kill (engine));
  running_finish (&running);
  g_assert_error (running.error, PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_LOST);
  g_assert_true (g_str_has_prefix (running.error->message, "shop: "));
  running_clear (&running);
  assert_no_connection (source, PLUMB_SOURCE_ERROR_CONNECT, "reached");
  engine_control (engine, "start");
  assert_one_cell (source, "SELECT 'after'", "after");
}

static void
test_killed_before_answer (gconstpointer data)
{
  const Engine *engine = data;
  g_autoptr (PlumbSource) source = open_admin (engine);
  Running running;

  running_start (&running, source, engine->count, 0);
  engine_wait_for_running (engine, "1");
  engine_control (engine, word_for_kill (engine));
  running_finish (&running);
  g_assert_error (running.error, PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_LOST);
  g_assert_true (g_str_has_prefix (running.error->message, "shop: "));
  running_clear (&running);
  engine_control (engine, "start");
  assert_one_cell (source, "SELECT 'after'", "after");
}

static void
test_restarted_between_questions (gconstpointer data)
{
  const Engine *engine = data;
  g_autoptr (PlumbSource) source = open_admin (engine);

  assert_one_cell (source, "SELECT 'before'", "before");
  engine_control (engine, "restart");
  assert_one_cell (source, "SELECT 'after'", "after");
}

/* A table that was there when it was found, and isn't when it is asked. */
static void
test_dropped_table (gconstpointer data)
{
  const Engine *engine = data;
  g_autoptr (PlumbSource) source = open_admin (engine);
  g_autofree char *create = g_strdup_printf (
    "CREATE TABLE %s.soon_gone (a int)%s",
    strcmp (engine->name, "postgres") == 0 ? "public" : databases[engine - engines],
    strcmp (engine->name, "clickhouse") == 0 ? " ENGINE = Memory" : "");
  g_autofree char *drop = g_strdup_printf ("DROP TABLE %s.soon_gone",
                                           strcmp (engine->name, "postgres") == 0
                                             ? "public"
                                             : databases[engine - engines]);

  engine_execute (engine, create);
  assert_one_cell (source, "SELECT count(*) FROM soon_gone", "0");
  engine_execute (engine, drop);
  assert_fails (source, "SELECT count(*) FROM soon_gone", PLUMB_SOURCE_ERROR_STATEMENT,
                "Analyze the source again");
  assert_fails (source, "SELECT count(*) FROM soon_gone", PLUMB_SOURCE_ERROR_STATEMENT,
                "soon_gone");
  assert_one_cell (source, "SELECT 'after'", "after");
}

#define EXPIRED_PASSWORD "was good once"

static void
assert_expired (const Engine *engine, const char *account, const char *words)
{
  g_autoptr (PlumbSource) source = engine_open (engine, account, EXPIRED_PASSWORD, "127.0.0.1", 0,
                                                databases[engine - engines]);

  assert_no_connection (source, PLUMB_SOURCE_ERROR_AUTHENTICATION, words);
}

/* PostgreSQL tells the client no more than that the password is no good. */
static void
test_expired_password (void)
{
  engine_execute (&engines[0], "CREATE ROLE late LOGIN PASSWORD '" EXPIRED_PASSWORD
                               "' VALID UNTIL '2001-01-01'");
  assert_expired (&engines[0], "late", "expired");
  engine_execute (&engines[0], "ALTER ROLE late VALID UNTIL 'infinity'");
  {
    g_autoptr (PlumbSource) source =
      engine_open (&engines[0], "late", EXPIRED_PASSWORD, "127.0.0.1", 0, "postgres");

    assert_one_cell (source, "SELECT 'after'", "after");
  }
  engine_execute (&engines[1], "CREATE USER late IDENTIFIED BY '" EXPIRED_PASSWORD
                               "' PASSWORD EXPIRE; GRANT SELECT ON mysql.help_topic TO late; "
                               "SET GLOBAL disconnect_on_expired_password = 0");
  assert_expired (&engines[1], "late", "waits for a new one");
  engine_execute (&engines[1], "SET GLOBAL disconnect_on_expired_password = 1");
  assert_expired (&engines[1], "late", "has expired");
}

static void
test_full_disk_postgres (void)
{
  const char *sort = "SELECT count(*) FROM (SELECT md5(n::text) FROM generate_series(1, 2000000) n "
                     "ORDER BY 1) s";
  g_autofree char *disk = engine_get_variable (&engines[0], "SMALL_DISK");
  g_autoptr (PlumbSource) limited = NULL;

  engine_execute (&engines[0], "CREATE ROLE sorter LOGIN PASSWORD 'sorter'; ALTER ROLE sorter SET "
                               "work_mem = '64kB'; ALTER ROLE sorter SET temp_file_limit = '1MB'");
  limited = engine_open (&engines[0], "sorter", "sorter", "127.0.0.1", 0, "postgres");
  assert_fails (limited, sort, PLUMB_SOURCE_ERROR_STATEMENT, "lacks resources");
  assert_one_cell (limited, "SELECT 'after'", "after");
  if (*disk != '\0') {
    g_autofree char *sql = g_strdup_printf ("CREATE TABLESPACE small LOCATION '%s'", disk);
    g_autoptr (PlumbSource) full = NULL;

    engine_execute (&engines[0], sql);
    engine_execute (&engines[0], "GRANT CREATE ON TABLESPACE small TO sorter; ALTER ROLE sorter SET "
                                 "temp_tablespaces = small; ALTER ROLE sorter RESET "
                                 "temp_file_limit");
    full = engine_open (&engines[0], "sorter", "sorter", "127.0.0.1", 0, "postgres");
    assert_fails (full, sort, PLUMB_SOURCE_ERROR_STATEMENT, "disk is full");
    assert_one_cell (full, "SELECT 'after'", "after");
    /* What it wrote is gone, so that a smaller one has room. */
    assert_one_cell (full, "SELECT count(*) FROM (SELECT n FROM generate_series(1, 100000) n ORDER "
                           "BY -n) s", "100000");
  }
}

static void
test_full_disk_others (void)
{
  g_autofree char *mariadb_disk = engine_get_variable (&engines[1], "SMALL_DISK");
  g_autofree char *clickhouse_disk = engine_get_variable (&engines[2], "SMALL_DISK");
  g_autofree char *password = engine_get_variable (&engines[2], "PASSWORD");
  g_autoptr (PlumbSource) mariadb = open_admin (&engines[1]);
  g_autoptr (PlumbSource) clickhouse = engine_open (&engines[2], "spiller", password, "127.0.0.1", 0,
                                                    "default");

  if (*mariadb_disk != '\0') {
    assert_fails (mariadb, "SELECT REPEAT('x', 300), seq FROM seq_1_to_1000000 ORDER BY MD5(seq)",
                  PLUMB_SOURCE_ERROR_STATEMENT, "disk may be full");
    assert_fails (mariadb, "SELECT COUNT(*) FROM (SELECT DISTINCT MD5(seq), REPEAT(seq, 50) FROM "
                           "seq_1_to_1000000) s",
                  PLUMB_SOURCE_ERROR_STATEMENT, "disk may be full");
    assert_one_cell (mariadb, "SELECT 'after'", "after");
  }
  if (*clickhouse_disk != '\0') {
    assert_fails (clickhouse, "SELECT count() FROM (SELECT number FROM (SELECT number FROM "
                              "system.numbers LIMIT 20000000) ORDER BY intHash64(number))",
                  PLUMB_SOURCE_ERROR_STATEMENT, "disk may be full");
    assert_one_cell (clickhouse, "SELECT 'after'", "after");
  }
}

/* Ours holds a lock on the first table and waits for the second, which another session holds and
 * waits for the first. Ours looks for a deadlock sooner, so it is the one that is given up. */
static void
test_deadlock_postgres (void)
{
  g_autofree char *port = engine_get_variable (&engines[0], "PORT");
  g_autofree char *password = engine_get_variable (&engines[0], "PASSWORD");
  const char *keywords[] = { "host", "port", "user", "password", "dbname", NULL };
  const char *values[] = { "127.0.0.1", port, "postgres", password, "postgres", NULL };
  PGconn *other = PQconnectdbParams (keywords, values, 0);
  g_autoptr (PlumbSource) source = open_admin (&engines[0]);
  Running running;

  engine_execute (&engines[0], "CREATE TABLE first_one (a int); CREATE TABLE second_one (a int); "
                               "INSERT INTO first_one VALUES (1); ALTER ROLE postgres SET "
                               "deadlock_timeout = '4s'");
  PQclear (PQexec (other, "SET deadlock_timeout = '60s'"));
  PQclear (PQexec (other, "BEGIN; LOCK TABLE second_one"));
  running_start (&running, source, "SELECT 'mark', (SELECT count(*) FROM second_one) FROM first_one",
                 60000);
  engine_wait_for_running (&engines[0], "1");
  g_assert_true (PQsendQuery (other, "LOCK TABLE first_one"));
  running_finish (&running);
  g_assert_error (running.error, PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_STATEMENT);
  g_assert_nonnull (strstr (running.error->message, "Try again"));
  g_assert_nonnull (strstr (running.error->message, "deadlock detected"));
  running_clear (&running);
  PQfinish (other);
  assert_one_cell (source, "SELECT 'after'", "after");
}

/* A server that is told to be serializable everywhere doesn't make ours so: reads can't fail then. */
static void
test_serializable_postgres (void)
{
  g_autoptr (PlumbSource) source = NULL;

  engine_execute (&engines[0], "ALTER ROLE postgres SET default_transaction_isolation = "
                               "serializable; CREATE FUNCTION gives_up() RETURNS int LANGUAGE "
                               "plpgsql AS $$ BEGIN RAISE serialization_failure; END $$");
  source = open_admin (&engines[0]);
  assert_one_cell (source, "SELECT current_setting('transaction_isolation')", "read committed");
  assert_fails (source, "SELECT gives_up()", PLUMB_SOURCE_ERROR_STATEMENT, "Try again");
  engine_execute (&engines[0], "ALTER ROLE postgres RESET default_transaction_isolation");
}

static void
test_locks_mariadb (void)
{
  g_autofree char *port = engine_get_variable (&engines[1], "PORT");
  g_autofree char *password = engine_get_variable (&engines[1], "PASSWORD");
  MYSQL *other = mysql_init (NULL);
  g_autoptr (PlumbSource) source = NULL;
  g_autoptr (GError) error = NULL;

  engine_execute (&engines[1], "CREATE TABLE mysql.locked_one (a INT); SET GLOBAL lock_wait_timeout "
                               "= 1;\nDELIMITER //\nCREATE FUNCTION mysql.gives_up() RETURNS INT "
                               "BEGIN SIGNAL SQLSTATE '40001' SET MYSQL_ERRNO = 1213; RETURN 1; "
                               "END//");
  g_assert_nonnull (mysql_real_connect (other, "127.0.0.1", "root", password, "mysql",
                                        (guint) g_ascii_strtoull (port, NULL, 10), NULL, 0));
  g_assert_cmpint (mysql_query (other, "LOCK TABLES locked_one WRITE"), ==, 0);
  source = open_admin (&engines[1]);
  assert_fails (source, "SELECT COUNT(*) FROM locked_one", PLUMB_SOURCE_ERROR_STATEMENT,
                "too long for a lock");
  engine_execute (&engines[1], "SET GLOBAL lock_wait_timeout = 86400");
  g_clear_object (&source);
  /* Our own budget ends the wait as well. */
  source = open_admin (&engines[1]);
  g_assert_null (run_limited (source, "SELECT COUNT(*) FROM locked_one",
                              (PlumbLimits) { 10, 0, 0, 500 }, &error));
  g_assert_error (error, PLUMB_ERROR, PLUMB_ERROR_TIMED_OUT);
  mysql_close (other);
  assert_one_cell (source, "SELECT COUNT(*) FROM locked_one", "0");
  assert_fails (source, "SELECT gives_up()", PLUMB_SOURCE_ERROR_STATEMENT, "Try again");
  assert_one_cell (source, "SELECT 'after'", "after");
}

static void
add (const char *name, const Engine *engine, GTestDataFunc test)
{
  g_autofree char *path = g_strdup_printf ("/sources/faults/%s/%s", name, engine->name);

  g_test_add_data_func (path, engine, test);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (engines); i++) {
    add ("killed-in-result", &engines[i], test_killed_in_result);
    add ("killed-before-answer", &engines[i], test_killed_before_answer);
    add ("restarted-between-questions", &engines[i], test_restarted_between_questions);
    add ("dropped-table", &engines[i], test_dropped_table);
  }
  g_test_add_func ("/sources/faults/expired-password", test_expired_password);
  g_test_add_func ("/sources/faults/full-disk/postgres", test_full_disk_postgres);
  g_test_add_func ("/sources/faults/full-disk/others", test_full_disk_others);
  g_test_add_func ("/sources/faults/deadlock/postgres", test_deadlock_postgres);
  g_test_add_func ("/sources/faults/serializable/postgres", test_serializable_postgres);
  g_test_add_func ("/sources/faults/locks/mariadb", test_locks_mariadb);
  return g_test_run ();
}
