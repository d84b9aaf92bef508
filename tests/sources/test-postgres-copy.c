/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-csv.h"
#include "postgres-fixture.h"

#include <string.h>

/* Rows that the server writes as CSV are, byte for byte, those that Plumbline makes of cells. */

#define SHOP "copy shop"

typedef struct {
  GString *text;
  gint64 n_rows;
  gint64 most;
  gboolean by_line;
  GCancellable *cancellable;
  gint64 cancel_at;
} Lines;

static gboolean
take_columns (GPtrArray *columns, gpointer user_data, GError **error)
{
  plumb_csv_append_names (((Lines *)user_data)->text, columns, FALSE);
  return TRUE;
}

static PlumbRowsNext
count (Lines *self)
{
  self->n_rows++;
  if (self->n_rows == self->cancel_at)
    g_cancellable_cancel (self->cancellable);
  return PLUMB_ROWS_CONTINUE;
}

static PlumbRowsNext
take_row (const PlumbCell *cells, guint n_cells, gpointer user_data, GError **error)
{
  Lines *self = user_data;

  g_assert_false (self->by_line);
  plumb_csv_append_row (self->text, cells, n_cells, FALSE);
  return count (self);
}

static PlumbRowsNext
take_line (const char *line, gsize length, gpointer user_data, GError **error)
{
  Lines *self = user_data;

  if (self->most > 0 && self->n_rows >= self->most)
    return PLUMB_ROWS_STOP;
  g_string_append_len (self->text, line, length);
  g_string_append (self->text, PLUMB_CSV_LINE_END);
  return count (self);
}

static gboolean
run_lines (PlumbSource *source, const char *sql, Lines *self, gint64 timeout_ms, GError **error)
{
  PlumbRowSink sink = { take_columns, take_row, self, self->by_line ? take_line : NULL };
  PlumbLimits limits = { .timeout_ms = timeout_ms };

  g_string_truncate (self->text, 0);
  self->n_rows = 0;
  return plumb_source_run (source, sql, &limits, &sink, NULL, NULL, self->cancellable, error);
}

static char *
get_lines (PlumbSource *source, const char *sql, gboolean by_line, gsize *length)
{
  Lines lines = { .text = g_string_new (NULL), .by_line = by_line };
  g_autoptr (GError) error = NULL;

  g_assert_true (run_lines (source, sql, &lines, 0, &error));
  g_assert_no_error (error);
  *length = lines.text->len;
  return g_string_free (lines.text, FALSE);
}

static void
assert_same (PlumbSource *source, const char *sql)
{
  gsize n_copied, n_made;
  g_autofree char *copied = get_lines (source, sql, TRUE, &n_copied);
  g_autofree char *made = get_lines (source, sql, FALSE, &n_made);

  if (n_copied != n_made || memcmp (copied, made, n_made) != 0)
    g_error ("COPY of %s gives\n%s\nand not\n%s", sql, copied, made);
}

static const char odd_sql[]
    = "CREATE TYPE mood AS ENUM ('good', 'b,ad', '');"
      "CREATE DOMAIN yes AS boolean;"
      "CREATE DOMAIN raw AS bytea;"
      "CREATE TYPE pair AS (a int, b text);"
      "CREATE TABLE odd (id int PRIMARY KEY, t text, v varchar(40), c char(6), flag boolean, sure "
      "yes, "
      "b bytea, r raw, i8 bigint, n numeric, m numeric(30,10), f4 real, f8 double precision, d "
      "date, "
      "tm time, tz timetz, ts timestamp, tsz timestamptz, iv interval, j json, jb jsonb, u uuid, a "
      "int[], "
      "ta text[], ba boolean[], p pair, e mood, one \"char\", x xml, o oid, r4 int4range, net "
      "inet, "
      "bits varbit, mon money);"
      "INSERT INTO odd VALUES "
      "(1, 'plain', 'v', 'c', true, false, '\\x00ff', '\\x', 9223372036854775807, 1.50, "
      "0.1, 0.1, 0.1, '2026-11-30', '12:00', '12:00+09', '2026-11-30 12:00:00.123456', "
      "'2026-11-30 12:00:00.5+00', '1 year 2 mons -3 days 04:05:06.7', '{\"a\" : 1}', '{\"a\" : "
      "1}', "
      "'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', '{1,NULL,3}', '{\"a,b\",\"\",NULL,\"q\\\"\"}', "
      "'{t,f,NULL}', '(1,\"x,y\")', 'b,ad', 'z', '<a/>', 7, '[1,5)', '10.0.0.1/8', B'101', 12.5),"
      "(2, '', '', '', false, true, '', NULL, -9223372036854775808, 'NaN', "
      "12345678901234567890.0123456789, "
      "'NaN', 'Infinity', 'infinity', '24:00', '00:00-12', '-infinity', 'infinity', '-1 day', "
      "'null', "
      "'null', NULL, '{}', '{}', '{}', '(,)', '', '', NULL, 0, 'empty', '::1', B'', -0.01),"
      "(3, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, "
      "NULL, NULL, "
      "NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, "
      "NULL, NULL),"
      "(4, ' both ', ' a', 'b ', true, true, '\\x2c220a0d', '\\x22', 0, -0.0, 0, '-0', 1e-320, "
      "'0044-03-15 BC', '00:00:00.000001', NULL, '99999-12-31', '0001-01-01 00:00+00', '0', '[1, "
      "2]', "
      "'\"a,b\"', NULL, '{{1,2},{3,4}}', '{\" x \"}', NULL, '(,\" \")', 'good', ',', '<a>\"</a>', "
      "4294967295, '(,)', NULL, NULL, NULL),"
      "(5, E'a\\nb', E'a\\r\\nb', NULL, NULL, NULL, NULL, NULL, NULL, 1e100, NULL, 1e-45, "
      "1.7976931348623157e308, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, "
      "E'{\"a\\nb\"}', "
      "NULL, NULL, NULL, '\"', NULL, NULL, NULL, NULL, NULL, NULL),"
      "(6, '\"', 'say \"hi\", \"you\"', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, "
      "3.4028235e38, 1e15, "
      "NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, E'\\n', "
      "NULL, NULL, NULL, "
      "NULL, NULL, NULL),"
      "(7, '\\.', '\\N', '\\.', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, "
      "NULL, NULL, "
      "NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '\\', NULL, NULL, NULL, NULL, "
      "NULL, NULL),"
      "(8, E'tab\\there', '한글 Ёж 😀', E'\\x01', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, "
      "NULL, NULL, "
      "NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, "
      "NULL, NULL, NULL, NULL, "
      "NULL),"
      "(9, '=1+1', '-5', '@', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, "
      "NULL, NULL, NULL, "
      "NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, "
      "NULL);"
      "CREATE VIEW seen AS SELECT id, t, flag FROM odd;";

static void
test_odd_values (void)
{
  g_autoptr (PlumbSource) source
      = open_as ("postgres", g_getenv ("PLUMB_TEST_POSTGRES_PASSWORD"), SHOP, NULL);
  static const char *const columns[] = {
    "t",  "v",  "c",  "flag", "sure", "b",   "r",  "i8", "n",   "m",    "f4",
    "f8", "d",  "tm", "tz",   "ts",   "tsz", "iv", "j",  "jb",  "u",    "a",
    "ta", "ba", "p",  "e",    "one",  "x",   "o",  "r4", "net", "bits", "mon",
  };

  assert_same (source, "SELECT * FROM odd ORDER BY id");
  /* A column alone has rules of its own. */
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++) {
    g_autofree char *sql = g_strdup_printf ("SELECT %s FROM odd ORDER BY id", columns[i]);

    assert_same (source, sql);
  }
}

static void
test_statements (void)
{
  g_autoptr (PlumbSource) source
      = open_as ("postgres", g_getenv ("PLUMB_TEST_POSTGRES_PASSWORD"), SHOP, NULL);
  static const char *const statements[] = {
    "SELECT id, flag FROM odd ORDER BY id DESC -- newest first",
    "SELECT 1 AS a, 2 AS a, true AS \"a,b\", false AS \"say \"\"hi\"\"\"",
    "SELECT true",
    "WITH w AS (SELECT id, flag FROM odd) SELECT w.flag, count(*) FROM w GROUP BY 1 ORDER BY 1",
    "VALUES (1, true), (2, NULL), (3, false)",
    "TABLE seen",
    "SELECT * FROM seen WHERE flag /* ) */ ORDER BY id",
    "SELECT id, flag FROM odd UNION ALL SELECT -id, NOT flag FROM odd ORDER BY 1 DESC LIMIT 7",
    "SELECT id FROM odd WHERE false",
    "SELECT flag FROM odd WHERE false",
    "SELECT NULL, 'x', ROW(1, true), ARRAY[true, NULL], t = t FROM odd ORDER BY id",
    "(SELECT flag FROM odd ORDER BY id LIMIT 2)",
  };

  for (guint i = 0; i < G_N_ELEMENTS (statements); i++)
    assert_same (source, statements[i]);
}

/* A database without an encoding holds any bytes, and they pass as they are. */
static void
test_invalid_text (void)
{
  g_autoptr (PlumbSource) source = NULL;
  g_autofree char *text = NULL;
  PGconn *admin = admin_connect ("postgres");
  gsize length;

  admin_execute (admin, "DROP DATABASE IF EXISTS copy_bytes");
  admin_execute (
      admin, "CREATE DATABASE copy_bytes ENCODING 'SQL_ASCII' TEMPLATE template0 LC_COLLATE 'C' "
             "LC_CTYPE 'C'");
  PQfinish (admin);
  admin = admin_connect ("copy_bytes");
  admin_execute (admin,
                 "SET client_encoding = SQL_ASCII; CREATE TABLE t (t text); INSERT INTO t VALUES "
                 "(convert_from('\\x41ff2c42'::bytea, 'SQL_ASCII'))");
  PQfinish (admin);
  source = open_as ("postgres", g_getenv ("PLUMB_TEST_POSTGRES_PASSWORD"), "copy_bytes", NULL);
  text = get_lines (source, "SELECT t FROM t", TRUE, &length);
  g_assert_cmpmem (text, length, "t\r\n\"A\377,B\"\r\n", 11);
  assert_same (source, "SELECT t FROM t");
}

static guint
count_active (void)
{
  PGconn *admin = admin_connect ("postgres");
  g_autofree char *n
      = admin_ask (admin, "SELECT count(*) FROM pg_stat_activity WHERE datname = '" SHOP
                          "' AND state = 'active'");

  PQfinish (admin);
  return (guint)atoi (n);
}

#define ENDLESS "SELECT generate_series(1, 1000000000) AS i, repeat('x', 100) AS x"

static void
test_cap (void)
{
  g_autoptr (PlumbSource) source
      = open_as ("postgres", g_getenv ("PLUMB_TEST_POSTGRES_PASSWORD"), SHOP, NULL);
  g_autoptr (GString) text = g_string_new (NULL);
  Lines lines = { .text = text, .by_line = TRUE, .most = 3 };
  g_autoptr (GError) error = NULL;

  g_assert_true (run_lines (source, ENDLESS, &lines, 0, &error));
  g_assert_no_error (error);
  g_assert_cmpint (lines.n_rows, ==, 3);
  g_assert_cmpuint (count_active (), ==, 0);
  g_assert_true (run_lines (source, "SELECT * FROM generate_series(1, 4)", &lines, 0, &error));
  g_assert_no_error (error);
  g_assert_cmpstr (text->str, ==, "generate_series\r\n1\r\n2\r\n3\r\n");
  assert_same (source, "SELECT id, flag FROM odd ORDER BY id");
}

static void
test_cancel (void)
{
  g_autoptr (PlumbSource) source
      = open_as ("postgres", g_getenv ("PLUMB_TEST_POSTGRES_PASSWORD"), SHOP, NULL);
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  Lines lines = { .text = text, .by_line = TRUE, .cancellable = cancellable, .cancel_at = 1000 };
  g_autoptr (GError) error = NULL;

  g_assert_false (run_lines (source, ENDLESS, &lines, 0, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpuint (count_active (), ==, 0);
  assert_same (source, "SELECT id, flag FROM odd ORDER BY id");
}

static void
test_faults (void)
{
  g_autoptr (PlumbSource) source
      = open_as ("postgres", g_getenv ("PLUMB_TEST_POSTGRES_PASSWORD"), SHOP, NULL);
  g_autoptr (GString) text = g_string_new (NULL);
  Lines lines = { .text = text, .by_line = TRUE };
  g_autoptr (GError) late = NULL;
  g_autoptr (GError) time = NULL;
  g_autoptr (GError) writes = NULL;

  g_assert_false (run_lines (source, "SELECT 1 / (i - 5000) FROM generate_series(1, 10000) AS i",
                             &lines, 0, &late));
  g_assert_error (late, PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_STATEMENT);
  g_assert_nonnull (strstr (late->message, "division by zero"));
  g_assert_cmpint (lines.n_rows, ==, 4999);
  g_assert_false (run_lines (source, "SELECT pg_sleep(30), true", &lines, 300, &time));
  g_assert_error (time, PLUMB_ERROR, PLUMB_ERROR_TIMED_OUT);
  g_assert_false (run_lines (source, "SELECT nextval('numbers')", &lines, 0, &writes));
  g_assert_error (writes, PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_STATEMENT);
  g_assert_cmpuint (count_active (), ==, 0);
  assert_same (source, "SELECT id, flag FROM odd ORDER BY id");
}

int
main (int argc, char **argv)
{
  g_autofree char *sql = g_strconcat (odd_sql, "CREATE SEQUENCE numbers;", NULL);

  g_test_init (&argc, &argv, NULL);
  create_database (SHOP, sql);
  g_test_add_func ("/sources/postgres-copy/odd-values", test_odd_values);
  g_test_add_func ("/sources/postgres-copy/statements", test_statements);
  g_test_add_func ("/sources/postgres-copy/invalid-text", test_invalid_text);
  g_test_add_func ("/sources/postgres-copy/cap", test_cap);
  g_test_add_func ("/sources/postgres-copy/cancel", test_cancel);
  g_test_add_func ("/sources/postgres-copy/faults", test_faults);
  return g_test_run ();
}
