/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "bench-measure.h"
#include "plumb-source.h"

#include <glib/gstdio.h>
#include <libpq-fe.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* What stands between a statement and its rows: 500 rows on an open connection, the read-only
 * transaction around them included, beside a bare PQexec(); and the statement check of 2 KB of SQL,
 * the catalog at hand, beside a round trip to the server. */

#define N_ROUNDS 500
#define STATEMENT_BYTES 2048

static double
now_ms (void)
{
  return g_get_monotonic_time () / 1000.0;
}

/* What other work on the machine doesn't change: processor time of this thread. */
static double
processor_ms (void)
{
  struct timespec time;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &time);
  return time.tv_sec * 1e3 + time.tv_nsec / 1e6;
}

static PlumbSource *
open_source (const char *engine, const char *uri, const char *password)
{
  g_autoptr (GError) error = NULL;
  PlumbSource *source = plumb_source_new (engine, uri, password, &error);

  if (source == NULL)
    g_error ("%s", error->message);
  return source;
}

static void
run (PlumbSource *source, const char *sql, gint64 n_rows)
{
  PlumbLimits limits = PLUMB_LIMITS_DEFAULT;
  g_autoptr (PlumbResult) result = plumb_result_new (&limits);
  PlumbRowSink sink = plumb_result_get_sink (result);
  g_autoptr (GError) error = NULL;

  if (!plumb_source_run (source, sql, &limits, &sink, NULL, NULL, NULL, &error))
    g_error ("%s", error->message);
  g_assert_cmpint (plumb_result_get_n_rows (result), ==, n_rows);
}

static void
execute (PGconn *pg, const char *sql, int n_rows)
{
  PGresult *result = PQexec (pg, sql);

  if (PQresultStatus (result) != PGRES_TUPLES_OK || PQntuples (result) != n_rows)
    g_error ("%s", PQerrorMessage (pg));
  PQclear (result);
}

static void
bench_rows (PlumbSource *source, PGconn *pg)
{
  static const char sql[] = "SELECT i AS id, 'customer ' || i AS customer, i / 7.0 AS amount, "
                            "timestamp '2026-01-01' + i * "
                            "interval '1 day' AS day, i % 3 = 0 AS paid, repeat('x', 20) AS note, "
                            "i * 2 AS twice, sqrt(i) AS "
                            "root FROM generate_series(1, 500) AS i";
  gint64 n_rounds = bench_get_number ("PLUMBLINE_BENCH_ROUNDS", N_ROUNDS);
  g_autoptr (GArray) ours = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GArray) bare = g_array_new (FALSE, FALSE, sizeof (double));

  for (gint64 i = -20; i < n_rounds; i++) {
    double start = now_ms ();
    double middle, took, took_bare;

    execute (pg, sql, 500);
    middle = now_ms ();
    run (source, sql, 500);
    took_bare = middle - start;
    took = now_ms () - middle;
    if (i < 0)
      continue;
    g_array_append_val (bare, took_bare);
    g_array_append_val (ours, took);
  }
  printf (
      "PostgreSQL, 500 rows of 8 columns on an open connection\n"
      "  PQexec() %.3f ms, ours in its read-only transaction %.3f ms: %.2f times; goal: 2.00\n\n",
      bench_median (bare), bench_median (ours), bench_median (ours) / bench_median (bare));
}

/* A report as models write them, long enough: many sums over cases, a join, a subquery. */
static char *
make_statement (void)
{
  GString *sql = g_string_new ("SELECT c.city, count(*) AS orders");

  for (guint i = 1; sql->len + 500 < STATEMENT_BYTES; i++)
    g_string_append_printf (
        sql,
        ", sum(CASE WHEN o.status = 'S%u' AND o.amount > %u THEN coalesce(o.amount, 0) ELSE 0 END) "
        "AS s%u, upper(min(o.note)) AS n%u",
        i, i * 10, i, i);
  g_string_append (sql,
                   " FROM customer c JOIN orders o ON o.customer_id = c.id LEFT JOIN (SELECT "
                   "customer_id, max(amount) AS most FROM orders GROUP BY customer_id) m ON "
                   "m.customer_id = c.id WHERE o.amount BETWEEN 1 AND 1000 AND lower(c.city) IN "
                   "('seoul', 'busan') AND EXISTS (SELECT 1 FROM seen s WHERE s.id = o.id)"
                   " GROUP BY c.city HAVING count(*) > 1 ORDER BY orders DESC, c.city");
  while (sql->len < STATEMENT_BYTES)
    g_string_append_c (sql, ' ');
  return g_string_free (sql, FALSE);
}

static void
bench_check (PlumbSource *source, const char *trip)
{
  gint64 n_rounds = bench_get_number ("PLUMBLINE_BENCH_ROUNDS", N_ROUNDS);
  g_autofree char *sql = make_statement ();
  g_autoptr (GError) error = NULL;
  g_autoptr (PlumbCatalog) catalog = plumb_source_read_catalog (source, NULL, &error);
  g_autoptr (GArray) times = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GArray) work = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GArray) trips = g_array_new (FALSE, FALSE, sizeof (double));

  if (catalog == NULL)
    g_error ("%s", error->message);
  for (gint64 i = -20; i < n_rounds; i++) {
    double work_start = processor_ms ();
    double start = now_ms ();
    g_autoptr (PlumbStatement) statement = plumb_source_check (source, sql, catalog, NULL, &error);
    double middle = now_ms ();
    double worked = processor_ms () - work_start;
    double took = middle - start;
    double took_trip;

    if (statement == NULL || !statement->allowed)
      g_error ("%s", statement != NULL ? statement->reason : error->message);
    run (source, trip, 1);
    took_trip = now_ms () - middle;
    if (i < 0)
      continue;
    g_array_append_val (times, took);
    g_array_append_val (work, worked);
    g_array_append_val (trips, took_trip);
  }
  printf (
      "  %-10s %.3f ms, of it processor time here %.3f ms; goal: 1.000; SELECT 1 in its read-only "
      "transaction: %.3f ms\n",
      plumb_source_get_engine (source), bench_median (times), bench_median (work),
      bench_median (trips));
  fflush (stdout);
}

#define TABLES(key, text, number, view)                                                            \
  "CREATE TABLE customer (id " key ", city " text "); CREATE TABLE orders (id " key                \
  ", customer_id int, status " text ", amount " number ", note " text "); " view

#define VIEW "CREATE VIEW seen AS SELECT id, amount FROM orders WHERE lower(status) <> 'gone';"

static void
bench_postgres (void)
{
  static const char tables[] = TABLES ("int PRIMARY KEY", "text", "numeric", VIEW);
  const char *password = g_getenv ("PLUMB_TEST_POSTGRES_PASSWORD");
  const char *port = g_getenv ("PLUMB_TEST_POSTGRES_PORT");
  g_autofree char *uri
      = g_strdup_printf ("postgresql://postgres@127.0.0.1:%s/postgres?sslmode=disable", port);
  const char *keywords[] = { "host", "port", "user", "password", "dbname", "sslmode", NULL };
  const char *values[] = { "127.0.0.1", port, "postgres", password, "postgres", "disable", NULL };
  g_autoptr (PlumbSource) source = open_source ("postgres", uri, password);
  PGconn *pg = PQconnectdbParams (keywords, values, 0);

  PQclear (PQexec (pg, tables));
  bench_rows (source, pg);
  printf ("Statement check, %d bytes, catalog at hand\n", STATEMENT_BYTES);
  bench_check (source, "SELECT 1");
  PQfinish (pg);
}

static void
bench_mariadb (void)
{
  static const char tables[] = TABLES ("int PRIMARY KEY", "varchar(100)", "decimal(10,2)", VIEW);
  const char *password = g_getenv ("PLUMB_TEST_MARIADB_PASSWORD");
  const char *port = g_getenv ("PLUMB_TEST_MARIADB_PORT");
  g_autofree char *uri = g_strdup_printf ("mariadb://root@127.0.0.1:%s/checks", port);
  g_autofree char *command = g_strdup_printf ("mariadb --no-defaults -h 127.0.0.1 -P %s -u root -e "
                                              "\"CREATE DATABASE checks; USE checks; %s\"",
                                              port, tables);
  g_autoptr (PlumbSource) source = open_source ("mariadb", uri, password);

  g_setenv ("MYSQL_PWD", password, TRUE);
  bench_must_run (command);
  bench_check (source, "SELECT 1");
}

static void
bench_clickhouse (void)
{
  const char *password = g_getenv ("PLUMB_TEST_CLICKHOUSE_PASSWORD");
  g_autofree char *quoted = g_shell_quote (password);
  g_autofree char *uri = g_strdup_printf ("clickhouse://admin@127.0.0.1:%s/checks",
                                          g_getenv ("PLUMB_TEST_CLICKHOUSE_PORT"));
  g_autofree char *command = g_strdup_printf (
      "clickhouse-client --host 127.0.0.1 --port %s --user admin --password %s --multiquery "
      "--query \""
      "CREATE DATABASE checks; CREATE TABLE checks.customer (id Int32, city String) ENGINE = "
      "Memory; "
      "CREATE TABLE checks.orders (id Int32, customer_id Int32, status String, amount Float64, "
      "note "
      "String) ENGINE = Memory; CREATE VIEW checks.seen AS SELECT id, amount FROM checks.orders\"",
      g_getenv ("PLUMB_TEST_CLICKHOUSE_NATIVE_PORT"), quoted);
  g_autoptr (PlumbSource) source = open_source ("clickhouse", uri, password);

  bench_must_run (command);
  bench_check (source, "SELECT 1");
}

static void
bench_sqlite (const char *folder)
{
  static const char tables[] = TABLES ("integer PRIMARY KEY", "text", "numeric", VIEW);
  g_autofree char *command = g_strdup_printf ("sqlite3 %s/checks.sqlite \"%s\"", folder, tables);
  g_autofree char *uri = g_strdup_printf ("sqlite://%s/checks.sqlite", folder);
  g_autoptr (PlumbSource) source = NULL;

  bench_must_run (command);
  source = open_source ("sqlite", uri, NULL);
  bench_check (source, "SELECT 1");
}

int
main (void)
{
  g_autofree char *folder = g_dir_make_tmp ("plumb-bench-XXXXXX", NULL);
  g_autofree char *clean = g_strdup_printf ("rm -r %s", folder);

  bench_postgres ();
  bench_mariadb ();
  bench_clickhouse ();
  bench_sqlite (folder);
  bench_must_run (clean);
  return 0;
}
