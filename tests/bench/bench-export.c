/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "bench-measure.h"

#include <glib/gstdio.h>
#include <stdio.h>

/* Exports to CSV beside the engines' own programs, in turn, each in a process of its own. Ours is
 * the whole `plumbline-cli export`: start, catalog, statement check, read-only transaction, limits,
 * audit and manifest included. */

#define N_ROWS 5000000
#define N_ROWS_OTHERS 1000000
#define N_ROUNDS 5
#define SQL "SELECT * FROM bench"

static char *folder;

static char *
get_password (const char *engine)
{
  g_autofree char *variable = g_strdup_printf ("PLUMB_TEST_%s_PASSWORD", engine);

  return g_shell_quote (g_getenv (variable));
}

static void
add_source (const char *name, const char *uri)
{
  g_autofree char *quoted = g_shell_quote (uri);
  g_autofree char *command = g_strdup_printf (
      "%s --index %s/index.sqlite source add %s %s --accept-risk 2>&1", CLI, folder, name, quoted);

  bench_must_run (command);
}

static BenchPeer *
make_ours (const char *name)
{
  return bench_peer_new ("plumbline-cli export",
                         g_strdup_printf ("exec %s --index %s/index.sqlite export --db %s '" SQL
                                          "' --to %s/%s.csv >/dev/null",
                                          CLI, folder, name, folder, name));
}

static void
print_peer (const BenchPeer *peer, const BenchPeer *ours)
{
  double wall = bench_median (peer->wall);
  double processor = bench_median (peer->processor);

  printf ("  %-34s %7.2f %7.2f %7.0f", peer->name, wall, processor, peer->peak);
  if (peer != ours)
    printf ("   %.2f wall, %.2f processor", bench_median (ours->wall) / wall,
            bench_median (ours->processor) / processor);
  printf ("\n");
}

/* Ours is the last of @peers, which are freed. */
static void
measure (const char *title, const char *goal, GPtrArray *peers)
{
  gint64 n_rounds = bench_get_number ("PLUMBLINE_BENCH_ROUNDS", N_ROUNDS);
  BenchPeer *ours = g_ptr_array_index (peers, peers->len - 1);

  for (gint64 round = 0; round <= n_rounds; round++) {
    for (guint i = 0; i < peers->len; i++) {
      BenchPeer *peer = g_ptr_array_index (peers, i);

      bench_peer_run (peer);
      /* The first round only warms up. */
      if (round == 0) {
        g_array_set_size (peer->wall, 0);
        g_array_set_size (peer->processor, 0);
      }
    }
  }
  printf ("%s\n  %-34s %7s %7s %7s   ours : it\n", title, "", "wall s", "cpu s", "MiB");
  for (guint i = 0; i < peers->len; i++)
    print_peer (g_ptr_array_index (peers, i), ours);
  printf ("  goal: %s\n\n", goal);
  fflush (stdout);
  g_ptr_array_unref (peers);
}

static GPtrArray *
new_peers (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify)bench_peer_free);
}

static void
bench_postgres (void)
{
  gint64 n = bench_get_number ("PLUMBLINE_BENCH_ROWS", N_ROWS);
  g_autofree char *title
      = g_strdup_printf ("PostgreSQL, %" G_GINT64_FORMAT " rows of 8 columns to CSV", n);
  g_autofree char *fill = g_strdup_printf (
      "psql -X -q -c \"CREATE UNLOGGED TABLE bench AS SELECT i::int AS id, 'customer ' || i %% "
      "5000 AS "
      "customer, (ARRAY['Seoul', 'Busan', 'Incheon', 'Daegu'])[1 + i %% 4] AS city, "
      "timestamp '2026-01-01' + i * interval '1 second' AS ordered_at, (i %% 100000) / 100.0 AS "
      "amount, i %% 3 = 0 AS paid, sqrt(i::float8) AS weight, 'order ' || i || ', ' || chr(34) || "
      "'as agreed' || chr(34) AS "
      "note FROM generate_series(1, %" G_GINT64_FORMAT ") AS i\" -c 'VACUUM ANALYZE bench'",
      n);
  g_autofree char *uri = g_strdup_printf ("postgresql://postgres@127.0.0.1:%s/postgres",
                                          g_getenv ("PLUMB_TEST_POSTGRES_PORT"));
  GPtrArray *peers = new_peers ();

  g_setenv ("PGHOST", "127.0.0.1", TRUE);
  g_setenv ("PGPORT", g_getenv ("PLUMB_TEST_POSTGRES_PORT"), TRUE);
  g_setenv ("PGUSER", "postgres", TRUE);
  g_setenv ("PGDATABASE", "postgres", TRUE);
  g_setenv ("PGPASSWORD", g_getenv ("PLUMB_TEST_POSTGRES_PASSWORD"), TRUE);
  g_setenv ("PGSSLMODE", "disable", TRUE);
  bench_must_run (fill);
  add_source ("postgres", uri);
  g_ptr_array_add (
      peers,
      bench_peer_new ("psql \\copy", g_strdup_printf ("exec psql -X -q -c \"\\copy (" SQL ") TO "
                                                      "'%s/peer.csv' WITH (FORMAT csv, HEADER)\"",
                                                      folder)));
  g_ptr_array_add (peers, make_ours ("postgres"));
  measure (title, "1.00 wall, 1.00 processor", peers);
}

static void
bench_mariadb (void)
{
  gint64 n = MIN (bench_get_number ("PLUMBLINE_BENCH_ROWS", N_ROWS_OTHERS), N_ROWS_OTHERS);
  const char *port = g_getenv ("PLUMB_TEST_MARIADB_PORT");
  g_autofree char *password = get_password ("MARIADB");
  g_autofree char *title
      = g_strdup_printf ("MariaDB, %" G_GINT64_FORMAT " rows of 8 columns to CSV", n);
  g_autofree char *fill = g_strdup_printf (
      "mariadb --no-defaults -h 127.0.0.1 -P %s -u root -e \"CREATE DATABASE bench; USE bench; "
      "CREATE TABLE "
      "bench (id INT PRIMARY KEY, customer VARCHAR(40), city VARCHAR(20), ordered_at DATETIME, "
      "amount "
      "DECIMAL(12,2), paid BOOLEAN, weight DOUBLE, note VARCHAR(100)); INSERT INTO bench SELECT "
      "seq, CONCAT('customer ', seq %% 5000), "
      "ELT(1 + seq %% 4, 'Seoul', 'Busan', 'Incheon', 'Daegu'), TIMESTAMP'2026-01-01 00:00:00' + "
      "INTERVAL seq SECOND, seq %% 100000 / 100, seq %% 3 = 0, "
      "SQRT(seq), CONCAT('order ', seq, ', ', CHAR(34), 'as agreed', CHAR(34)) FROM "
      "seq_1_to_%" G_GINT64_FORMAT "\"",
      port, n);
  g_autofree char *uri = g_strdup_printf ("mariadb://root@127.0.0.1:%s/bench", port);
  GPtrArray *peers = new_peers ();

  g_setenv ("MYSQL_PWD", g_getenv ("PLUMB_TEST_MARIADB_PASSWORD"), TRUE);
  bench_must_run (fill);
  add_source ("mariadb", uri);
  g_ptr_array_add (peers, bench_peer_new ("C loop over mysql_use_result()",
                                          g_strdup_printf ("exec %s %s %s '" SQL "' %s/peer.csv",
                                                           MARIADB_PEER, port, password, folder)));
  g_ptr_array_add (
      peers,
      bench_peer_new (
          "mariadb --batch --quick",
          g_strdup_printf (
              "exec mariadb --no-defaults -h 127.0.0.1 -P %s -u root --batch --quick -e '" SQL
              "' bench > %s/peer.tsv",
              port, folder)));
  g_ptr_array_add (peers, make_ours ("mariadb"));
  measure (title, "1.15 wall of the C loop", peers);
}

static void
bench_clickhouse (void)
{
  gint64 n = MIN (bench_get_number ("PLUMBLINE_BENCH_ROWS", N_ROWS_OTHERS), N_ROWS_OTHERS);
  const char *port = g_getenv ("PLUMB_TEST_CLICKHOUSE_PORT");
  const char *native = g_getenv ("PLUMB_TEST_CLICKHOUSE_NATIVE_PORT");
  g_autofree char *password = get_password ("CLICKHOUSE");
  g_autofree char *client = g_strdup_printf (
      "clickhouse-client --host 127.0.0.1 --port %s --user admin --password %s", native, password);
  g_autofree char *title
      = g_strdup_printf ("ClickHouse, %" G_GINT64_FORMAT " rows of 8 columns to CSV", n);
  g_autofree char *fill = g_strdup_printf (
      "%s --query \"CREATE TABLE bench ENGINE = MergeTree(day, id, 8192) AS SELECT "
      "toUInt32(number) AS "
      "id, toDate('2026-01-01') AS day, concat('customer ', toString(number %% 5000)) AS customer, "
      "['Seoul', 'Busan', 'Incheon', 'Daegu'][1 + number %% 4] AS city, toDateTime('2026-01-01 "
      "00:00:00') + number AS ordered_at, toDecimal64(number %% 100000, 2) / 100 AS amount, "
      "sqrt(number) AS weight, concat('order ', toString(number), ', \\x22as agreed\\x22') AS note "
      "FROM "
      "numbers(%" G_GINT64_FORMAT ")\"",
      client, n);
  g_autofree char *uri = g_strdup_printf ("clickhouse://admin@127.0.0.1:%s/default", port);
  GPtrArray *peers = new_peers ();

  bench_must_run (fill);
  add_source ("clickhouse", uri);
  g_ptr_array_add (peers, bench_peer_new ("clickhouse-client, CSV",
                                          g_strdup_printf ("exec %s --query '" SQL
                                                           " FORMAT CSVWithNames' > %s/peer.csv",
                                                           client, folder)));
  g_ptr_array_add (
      peers, bench_peer_new (
                 "curl, TabSeparatedWithNamesAndTypes",
                 g_strdup_printf (
                     "exec curl -sS --fail -H 'X-ClickHouse-User: admin' -H 'X-ClickHouse-Key: '%s "
                     "--data-binary '" SQL " FORMAT TabSeparatedWithNamesAndTypes' -o %s/peer.tsv "
                     "http://127.0.0.1:%s/",
                     password, folder, port)));
  g_ptr_array_add (peers, make_ours ("clickhouse"));
  measure (title, "1.00 wall of clickhouse-client, 1.30 wall of curl", peers);
}

/* Only those that with-server.py started. */
static gboolean
is_there (const char *engine)
{
  g_autofree char *variable = g_strdup_printf ("PLUMB_TEST_%s_PORT", engine);

  return g_getenv (variable) != NULL;
}

static void
set_password (const char *engine)
{
  g_autofree char *from = g_strdup_printf ("PLUMB_TEST_%s_PASSWORD", engine);
  g_autofree char *to = g_strdup_printf ("PLUMBLINE_PASSWORD_%s", engine);

  g_setenv (to, g_getenv (from), TRUE);
}

/* Passwords come from the environment; there is no keyring where this runs. */
static void
set_environment (void)
{
  g_setenv ("DBUS_SESSION_BUS_ADDRESS", "disabled:", TRUE);
  g_setenv ("XDG_DATA_HOME", folder, TRUE);
  g_setenv ("XDG_CONFIG_HOME", folder, TRUE);
}

int
main (void)
{
  static const struct {
    const char *engine;
    void (*measure) (void);
  } engines[] = {
    { "POSTGRES", bench_postgres },
    { "MARIADB", bench_mariadb },
    { "CLICKHOUSE", bench_clickhouse },
  };
  g_autofree char *clean = NULL;

  folder = g_dir_make_tmp ("plumb-bench-XXXXXX", NULL);
  clean = g_strdup_printf ("rm -r %s", folder);
  set_environment ();
  for (guint i = 0; i < G_N_ELEMENTS (engines); i++) {
    if (!is_there (engines[i].engine))
      continue;
    set_password (engines[i].engine);
    engines[i].measure ();
  }
  bench_must_run (clean);
  g_free (folder);
  return 0;
}
