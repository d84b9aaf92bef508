/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-source.h"

#include <glib/gstdio.h>
#include <sqlite3.h>
#include <string.h>

typedef struct {
  char *folder;
  char *path;
  PlumbSource *source;
} Fixture;

static PlumbSource *
open_source (const char *path, const char *parameters)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *uri = g_strconcat ("sqlite://", path, parameters, NULL);
  PlumbSource *source = plumb_source_new ("shop", uri, NULL, &error);

  g_assert_no_error (error);
  return source;
}

static void
execute (const char *path, const char *sql)
{
  sqlite3 *db = NULL;
  char *message = NULL;

  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  if (sqlite3_exec (db, sql, NULL, NULL, &message) != SQLITE_OK)
    g_error ("%s", message);
  sqlite3_close (db);
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->folder = g_dir_make_tmp ("plumb-sqlite-XXXXXX", NULL);
  fixture->path = g_build_filename (fixture->folder, "판매 1%?#.sqlite", NULL);
  if (data != NULL)
    execute (fixture->path, data);
  {
    g_autofree char *escaped = g_uri_escape_string (fixture->path, "/", TRUE);

    fixture->source = open_source (escaped, NULL);
  }
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GDir) dir = g_dir_open (fixture->folder, 0, NULL);
  const char *name;

  g_assert_finalize_object (fixture->source);
  while ((name = g_dir_read_name (dir)) != NULL) {
    g_autofree char *path = g_build_filename (fixture->folder, name, NULL);

    g_remove (path);
  }
  g_rmdir (fixture->folder);
  g_free (fixture->path);
  g_free (fixture->folder);
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
assert_cell (PlumbResult *result, gint64 row, guint column, PlumbValueKind kind, const char *text,
             gsize length)
{
  const PlumbCell *cell = plumb_result_get_cell (result, row, column);

  g_assert_cmpint (cell->kind, ==, kind);
  g_assert_cmpmem (cell->text, cell->length, text, length);
}

static void
assert_value (PlumbSource *source, const char *expression, PlumbValueKind kind, const char *text)
{
  g_autofree char *sql = g_strdup_printf ("SELECT %s", expression);
  g_autoptr (PlumbResult) result = run (source, sql);

  assert_cell (result, 0, 0, kind, text, strlen (text));
}

static void
test_values (Fixture *fixture, gconstpointer data)
{
  PlumbSource *source = fixture->source;
  g_autoptr (PlumbResult) result = NULL;

  assert_value (source, "9223372036854775807", PLUMB_VALUE_INTEGER, "9223372036854775807");
  assert_value (source, "-9223372036854775807 - 1", PLUMB_VALUE_INTEGER, "-9223372036854775808");
  assert_value (source, "0.1", PLUMB_VALUE_FLOAT, "0.1");
  assert_value (source, "0.1 + 0.2", PLUMB_VALUE_FLOAT, "0.30000000000000004");
  assert_value (source, "1.0", PLUMB_VALUE_FLOAT, "1.0");
  assert_value (source, "1e20", PLUMB_VALUE_FLOAT, "1e+20");
  assert_value (source, "-0.0", PLUMB_VALUE_FLOAT, "-0.0");
  assert_value (source, "9e999", PLUMB_VALUE_FLOAT, "Inf");
  assert_value (source, "-9e999", PLUMB_VALUE_FLOAT, "-Inf");
  assert_value (source, "5e-324", PLUMB_VALUE_FLOAT, "4.94065645841247e-324");
  assert_value (source, "''", PLUMB_VALUE_TEXT, "");
  assert_value (source, "'민준 🙂'", PLUMB_VALUE_TEXT, "민준 🙂");
  result = run (source,
                "SELECT NULL, x'', x'00ff10', 'a' || char(0) || 'b', CAST(x'61ff62' AS TEXT)");
  g_assert_cmpint (plumb_result_get_cell (result, 0, 0)->kind, ==, PLUMB_VALUE_NULL);
  g_assert_null (plumb_result_get_cell (result, 0, 0)->text);
  assert_cell (result, 0, 1, PLUMB_VALUE_BINARY, "", 0);
  assert_cell (result, 0, 2, PLUMB_VALUE_BINARY, "\x00\xff\x10", 3);
  assert_cell (result, 0, 3, PLUMB_VALUE_TEXT, "a\0b", 3);
  assert_cell (result, 0, 4, PLUMB_VALUE_TEXT, "a\xff" "b", 3);
}

#define TYPES_SQL \
  "CREATE TABLE t (i INTEGER, n DECIMAL(10,2), r DOUBLE, d DATE, ts TIMESTAMP, tm TIME, b BLOB, " \
  "j JSON, x, v VARCHAR(20));" \
  "INSERT INTO t VALUES (1, 2.50, 3.5, '2024-02-29', '2024-02-29 10:00:00', '10:00', x'01', " \
  "'{}', 'any', 'v');" \
  "INSERT INTO t VALUES ('text in it', NULL, 7, 20240229, NULL, NULL, 'text', NULL, 1.5, 3);"

static void
test_types (Fixture *fixture, gconstpointer data)
{
  static const PlumbValueKind kinds[] = {
    PLUMB_VALUE_INTEGER,   PLUMB_VALUE_DECIMAL, PLUMB_VALUE_FLOAT,  PLUMB_VALUE_DATE,
    PLUMB_VALUE_TIMESTAMP, PLUMB_VALUE_TIME,    PLUMB_VALUE_BINARY, PLUMB_VALUE_JSON,
    PLUMB_VALUE_TEXT,      PLUMB_VALUE_TEXT,
  };
  g_autoptr (PlumbResult) result = run (fixture->source, "SELECT * FROM t");
  g_autoptr (PlumbResult) none =
    run (fixture->source, "SELECT i, count(*) AS n FROM t WHERE 0 GROUP BY i");
  g_autoptr (PlumbResult) count = run (fixture->source, "SELECT count(*), sum(r) FROM t");

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    g_assert_cmpint (plumb_result_get_column (result, i)->kind, ==, kinds[i]);
  g_assert_cmpstr (plumb_result_get_column (result, 1)->type, ==, "DECIMAL(10,2)");
  g_assert_cmpstr (plumb_result_get_column (result, 8)->type, ==, "");
  assert_cell (result, 0, 1, PLUMB_VALUE_FLOAT, "2.5", 3);
  assert_cell (result, 0, 3, PLUMB_VALUE_DATE, "2024-02-29", 10);
  assert_cell (result, 0, 9, PLUMB_VALUE_TEXT, "v", 1);
  /* What stands in the row counts, whatever was declared. */
  assert_cell (result, 1, 0, PLUMB_VALUE_TEXT, "text in it", 10);
  assert_cell (result, 1, 2, PLUMB_VALUE_FLOAT, "7.0", 3);
  assert_cell (result, 1, 3, PLUMB_VALUE_INTEGER, "20240229", 8);
  assert_cell (result, 1, 6, PLUMB_VALUE_TEXT, "text", 4);
  g_assert_cmpint (plumb_result_get_n_rows (none), ==, 0);
  g_assert_cmpint (plumb_result_get_n_columns (none), ==, 2);
  g_assert_cmpstr (plumb_result_get_column (none, 1)->name, ==, "n");
  g_assert_cmpint (plumb_result_get_column (count, 0)->kind, ==, PLUMB_VALUE_INTEGER);
  g_assert_cmpint (plumb_result_get_column (count, 1)->kind, ==, PLUMB_VALUE_FLOAT);
}

#define NUMBERS \
  "WITH RECURSIVE g(n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM g LIMIT %d) SELECT n FROM g"

static void
test_caps (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  PlumbLimits limits = { 10, 0, 0, 0 };
  g_autofree char *ten_sql = g_strdup_printf (NUMBERS, 10);
  g_autofree char *eleven_sql = g_strdup_printf (NUMBERS, 11);
  g_autofree char *endless_sql = g_strdup_printf (NUMBERS, -1);
  g_autoptr (PlumbResult) ten = run_limited (fixture->source, ten_sql, limits, &error);
  g_autoptr (PlumbResult) eleven = run_limited (fixture->source, eleven_sql, limits, &error);
  g_autoptr (PlumbResult) endless = run_limited (fixture->source, endless_sql, limits, &error);
  g_autoptr (PlumbResult) wide = NULL;

  g_assert_no_error (error);
  g_assert_cmpint (plumb_result_get_n_rows (ten), ==, 10);
  g_assert_false (plumb_result_get_truncated (ten));
  g_assert_cmpint (plumb_result_get_n_rows (eleven), ==, 10);
  g_assert_cmpstr (plumb_result_get_truncated_by (eleven), ==, "rows");
  g_assert_cmpstr (plumb_result_get_truncated_by (endless), ==, "rows");
  wide = run_limited (fixture->source, "SELECT hex(zeroblob(5000000))",
                      (PlumbLimits) { 10, 0, 1000, 0 }, &error);
  g_assert_no_error (error);
  g_assert_cmpint (plumb_result_get_cell (wide, 0, 0)->length, ==, 1000);
  g_assert_true (plumb_result_get_cell (wide, 0, 0)->cut);
}

static void
assert_fails (PlumbSource *source, const char *sql, GQuark domain, int code)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PlumbResult) result = run_limited (source, sql, PLUMB_LIMITS_DEFAULT, &error);

  if (result != NULL)
    g_error ("This ran: %s", sql);
  g_assert_error (error, domain, code);
  g_assert_true (g_str_has_prefix (error->message, "shop: "));
}

#define GUARD_SQL \
  "CREATE TABLE orders (id INTEGER PRIMARY KEY, total REAL); INSERT INTO orders VALUES (1, 5), " \
  "(2, 6);" \
  "CREATE VIRTUAL TABLE articles USING fts5(title, body); INSERT INTO articles VALUES ('sport', " \
  "'table tennis');" \
  "CREATE VIRTUAL TABLE mails USING fts4(subject, body); INSERT INTO mails VALUES ('one', 'first " \
  "letter');" \
  "CREATE VIRTUAL TABLE boxes USING rtree(id, x0, x1); INSERT INTO boxes VALUES (1, 0, 5), (2, " \
  "7, 9);"

/* What is run here never saw the statement check: the connection must hold by itself. */
static void
test_read_only (Fixture *fixture, gconstpointer data)
{
  const char *const statements[] = {
    "INSERT INTO orders VALUES (3, 7)",
    "UPDATE orders SET total = 0",
    "DELETE FROM orders",
    "DROP TABLE orders",
    "CREATE TABLE x (a)",
    "CREATE TEMP TABLE x (a)",
    "CREATE TEMP VIEW x AS SELECT 1",
    "ATTACH 'file:evil?mode=rwc' AS e",
    "ATTACH ':memory:' AS e",
    "VACUUM",
    "VACUUM INTO '/tmp/plumb-evil.db'",
    "PRAGMA query_only = OFF",
    "PRAGMA journal_mode = DELETE",
    "PRAGMA user_version",
    "BEGIN",
    "SAVEPOINT x",
    "REINDEX",
    "ANALYZE",
    "SELECT * FROM pragma_table_info('orders')",
    "SELECT * FROM pragma_optimize(2)",
    "SELECT * FROM dbstat",
    "SELECT load_extension('x')",
    "SELECT optimize(mails) FROM mails",
    "SELECT fts3_tokenizer('simple')",
    "SELECT fts3_tokenizer('simple', x'00')",
    "EXPLAIN PRAGMA user_version = 5",
    "INSERT INTO articles(articles) VALUES ('optimize')",
    "SELECT 1; SELECT 2",
    "SELECT 1; DELETE FROM orders",
    "WITH x AS (SELECT 1) DELETE FROM orders",
    "INSERT INTO orders SELECT 4, 4 RETURNING id",
    "SELECT sqlite_compileoption_get(1)",
  };
  g_autoptr (PlumbResult) result = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (statements); i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (PlumbResult) none =
    run_limited (fixture->source, statements[i], PLUMB_LIMITS_DEFAULT, &error);

    if (none != NULL)
      g_error ("This ran: %s", statements[i]);
    g_assert_nonnull (error);
  }
  result = run (fixture->source, "SELECT count(*), sum(total) FROM orders");
  assert_cell (result, 0, 0, PLUMB_VALUE_INTEGER, "2", 1);
  assert_cell (result, 0, 1, PLUMB_VALUE_FLOAT, "11.0", 4);
  g_assert_false (g_file_test ("/tmp/plumb-evil.db", G_FILE_TEST_EXISTS));
}

static void
test_virtual_tables (Fixture *fixture, gconstpointer data)
{
  const char *const statements[] = {
    "SELECT title FROM articles WHERE articles MATCH 'tennis' ORDER BY rank",
    "SELECT snippet(articles, 1, '<', '>', '…', 5), bm25(articles) FROM articles WHERE articles "
    "MATCH 'tennis'",
    "SELECT highlight(articles, 0, '[', ']') FROM articles WHERE articles MATCH 'sport'",
    "SELECT snippet(articles, -1, '<', '>', '…', 5) FROM articles WHERE articles MATCH 'tennis' "
    "ORDER BY bm25(articles)",
    "SELECT subject FROM mails WHERE mails MATCH 'first'",
    "SELECT id FROM boxes WHERE x0 < 3 AND x1 > 3",
    "SELECT value FROM json_each('[7]')",
    "SELECT atom FROM json_tree('{\"a\": {\"b\": 7}}') WHERE atom IS NOT NULL",
    "SELECT 1; -- the end",
  };

  for (guint i = 0; i < G_N_ELEMENTS (statements); i++) {
    /* Each on a connection of its own, where no virtual table has been used yet. */
    g_autofree char *escaped = g_uri_escape_string (fixture->path, "/", TRUE);
    g_autoptr (PlumbSource) source = open_source (escaped, NULL);
    g_autoptr (PlumbResult) result = run (source, statements[i]);

    g_assert_cmpint (plumb_result_get_n_rows (result), ==, 1);
  }
}

#define CATALOG_SQL \
  "CREATE TABLE CUST_MST ( -- one row per customer\n" \
  "  CUST_NO INTEGER PRIMARY KEY, -- customer number\n" \
  "  \"CUST NM\" TEXT NOT NULL, /* name, as written\n on the contract */\n" \
  "  GRD_CD TEXT DEFAULT '-- no comment' -- grade: A, B\n" \
  "  -- this line stands alone\n" \
  "  , EMAIL TEXT UNIQUE, CREDIT DECIMAL(10, 2) /* limit */, OLD_NO);" \
  "CREATE TABLE ORD_DTL (ORD_NO TEXT, SEQ INT, CUST INT REFERENCES cust_mst, TOTAL GENERATED " \
  "ALWAYS AS (SEQ * 2), PRIMARY KEY (ORD_NO, SEQ)) WITHOUT ROWID;" \
  "CREATE TABLE RTN_HIST (ID INTEGER PRIMARY KEY, O TEXT, S INT, C INT, FOREIGN KEY (O, S) " \
  "REFERENCES ORD_DTL, FOREIGN KEY (C) REFERENCES CUST_MST (CUST_NO), FOREIGN KEY (C) REFERENCES " \
  "GONE (X));" \
  "CREATE UNIQUE INDEX RTN_U ON RTN_HIST (O, C); CREATE UNIQUE INDEX RTN_P ON RTN_HIST (S) WHERE " \
  "S > 0; CREATE UNIQUE INDEX RTN_E ON RTN_HIST (lower(O));" \
  "CREATE VIEW V_CUST AS SELECT CUST_NO, \"CUST NM\" AS NM FROM CUST_MST;" \
  "CREATE VIEW V_BROKEN AS SELECT * FROM NOT_THERE;" \
  "CREATE VIRTUAL TABLE DOCS USING fts5(TITLE);" \
  "INSERT INTO CUST_MST (CUST_NO, \"CUST NM\") VALUES (1, 'a'), (2, 'b'), (9, 'c');"

static PlumbTable *
find (PlumbCatalog *catalog, const char *name)
{
  PlumbTable *table = plumb_catalog_find (catalog, "main", name);

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
test_catalog (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PlumbCatalog) catalog = plumb_source_read_catalog (fixture->source, NULL, &error);
  const PlumbTable *customers, *details, *returns;
  const PlumbForeignKey *key;

  g_assert_no_error (error);
  g_assert_cmpstr (catalog->database, ==, "shop");
  g_assert_cmpuint (catalog->tables->len, ==, 6);
  customers = find (catalog, "CUST_MST");
  g_assert_cmpstr (customers->comment, ==, "one row per customer");
  g_assert_cmpint (customers->row_estimate, ==, 3);
  g_assert_cmpuint (customers->columns->len, ==, 6);
  g_assert_cmpstr (plumb_table_find_column (customers, "CUST_NO")->comment, ==, "customer number");
  g_assert_cmpstr (plumb_table_find_column (customers, "CUST NM")->comment, ==,
                   "name, as written\n on the contract");
  g_assert_false (plumb_table_find_column (customers, "CUST NM")->nullable);
  g_assert_cmpstr (plumb_table_find_column (customers, "GRD_CD")->comment, ==, "grade: A, B");
  g_assert_null (plumb_table_find_column (customers, "EMAIL")->comment);
  g_assert_cmpstr (plumb_table_find_column (customers, "CREDIT")->comment, ==, "limit");
  g_assert_cmpstr (plumb_table_find_column (customers, "CREDIT")->type, ==, "DECIMAL(10, 2)");
  g_assert_cmpstr (plumb_table_find_column (customers, "OLD_NO")->type, ==, "");
  assert_names (customers->primary_key, "CUST_NO");
  g_assert_cmpuint (customers->unique_keys->len, ==, 1);
  assert_names (g_ptr_array_index (customers->unique_keys, 0), "EMAIL");

  details = find (catalog, "ORD_DTL");
  assert_names (details->primary_key, "ORD_NO,SEQ");
  g_assert_nonnull (plumb_table_find_column (details, "TOTAL"));
  key = g_ptr_array_index (details->foreign_keys, 0);
  g_assert_cmpstr (key->ref_table, ==, "CUST_MST");
  assert_names (key->columns, "CUST");
  assert_names (key->ref_columns, "CUST_NO");

  returns = find (catalog, "RTN_HIST");
  g_assert_cmpuint (returns->foreign_keys->len, ==, 2);
  key = g_ptr_array_index (returns->foreign_keys, 0);
  assert_names (key->columns, "O,S");
  assert_names (key->ref_columns, "ORD_NO,SEQ");
  g_assert_cmpuint (returns->unique_keys->len, ==, 1);
  assert_names (g_ptr_array_index (returns->unique_keys, 0), "O,C");

  g_assert_cmpint (find (catalog, "V_CUST")->kind, ==, PLUMB_TABLE_KIND_VIEW);
  g_assert_cmpint (find (catalog, "V_CUST")->row_estimate, ==, -1);
  g_assert_nonnull (plumb_table_find_column (find (catalog, "V_CUST"), "NM"));
  g_assert_cmpuint (find (catalog, "V_BROKEN")->columns->len, ==, 0);
  g_assert_cmpuint (find (catalog, "DOCS")->columns->len, ==, 1);
}

static void
test_check (Fixture *fixture, gconstpointer data)
{
  const char *const allowed[] = {
    "SELECT count(*) FROM CUST_MST",
    "SELECT * FROM V_CUST",
    "SELECT TITLE FROM DOCS WHERE DOCS MATCH 'a'",
    "WITH c AS (SELECT * FROM CUST_MST) SELECT * FROM c JOIN ORD_DTL d ON d.CUST = c.CUST_NO",
  };
  const char *const refused[] = {
    "DELETE FROM CUST_MST",
    "SELECT load_extension('x')",
    "SELECT * FROM pragma_table_info('CUST_MST')",
    "SELECT optimize(DOCS) FROM DOCS",
    "PRAGMA user_version",
    "",
  };
  g_autoptr (PlumbStatement) quoted = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (allowed); i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (PlumbStatement) statement =
    plumb_source_check (fixture->source, allowed[i], NULL, NULL, &error);

    g_assert_no_error (error);
    g_assert_cmpstr (statement->reason, ==, NULL);
    g_assert_true (statement->allowed);
    g_assert_cmpuint (statement->warnings->len, ==, 0);
  }
  for (guint i = 0; i < G_N_ELEMENTS (refused); i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (PlumbStatement) statement =
    plumb_source_check (fixture->source, refused[i], NULL, NULL, &error);

    g_assert_no_error (error);
    g_assert_false (statement->allowed);
    g_assert_nonnull (statement->reason);
  }
  quoted = plumb_source_check (
    fixture->source, "SELECT count(*) FROM CUST_MST WHERE GRD_CD = \"GRD_DC\"", NULL, NULL, NULL);
  g_assert_true (quoted->allowed);
  g_assert_cmpuint (quoted->warnings->len, ==, 1);
  g_assert_nonnull (strstr (g_ptr_array_index (quoted->warnings, 0), "GRD_DC"));
}

static void
test_probe (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PlumbAccountProbe) probe = plumb_source_probe (fixture->source, NULL, &error);

  g_assert_no_error (error);
  g_assert_true (probe->read_only_proven);
  g_assert_cmpuint (probe->superuser_rights->len, ==, 0);
  g_assert_cmpuint (probe->write_rights->len, ==, 0);
  g_assert_cmpstr (probe->encoding, ==, "UTF-8");
  g_assert_cmpuint (probe->n_tables, ==, 6);
  g_assert_cmpuint (probe->n_selectable, ==, 6);
}

static void
test_explain (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  double rows, cost;
  g_autofree char *plan = plumb_source_explain (
    fixture->source, "SELECT * FROM CUST_MST WHERE CUST_NO = 1", NULL, &rows, &cost, NULL, &error);
  g_autofree char *none = NULL;

  g_assert_no_error (error);
  g_assert_cmpstr (plan, ==, "SEARCH CUST_MST USING INTEGER PRIMARY KEY (rowid=?)\n");
  g_assert_cmpfloat (rows, ==, -1);
  none = plumb_source_explain (fixture->source, "PRAGMA user_version = 5", NULL, NULL, NULL, NULL,
                               &error);
  g_assert_null (none);
  g_assert_error (error, PLUMB_ERROR, PLUMB_ERROR_REFUSED);
}

#define ENDLESS \
  "WITH RECURSIVE g(n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM g) SELECT count(*) FROM g"

static void
test_time_budget (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  gint64 start = g_get_monotonic_time ();
  g_autoptr (PlumbResult) result =
    run_limited (fixture->source, ENDLESS, (PlumbLimits) { 10, 0, 0, 200 }, &error);
  g_autoptr (PlumbResult) next = NULL;

  g_assert_null (result);
  g_assert_error (error, PLUMB_ERROR, PLUMB_ERROR_TIMED_OUT);
  g_assert_cmpint (g_get_monotonic_time () - start, <, 20 * G_TIME_SPAN_SECOND);
  next = run (fixture->source, "SELECT 1");
  assert_cell (next, 0, 0, PLUMB_VALUE_INTEGER, "1", 1);
}

/* Functions that are replaced so that they end in time give what SQLite's own gave. */
static void
test_functions (Fixture *fixture, gconstpointer data)
{
  const char *const expressions[] = {
    "instr('민준 ab', 'ab')",
    "instr('abc', '')",
    "instr('', 'a')",
    "instr('', '')",
    "instr(NULL, 'a')",
    "instr('a', NULL)",
    "instr(x'00ff10', x'10')",
    "instr(x'616263', 'c')",
    "instr(12345, 34)",
    "instr('aab', 'ab')",
    "replace('aXbX', 'X', '민')",
    "replace('abc', '', 'x')",
    "replace(NULL, 'a', 'b')",
    "replace('a', NULL, 'b')",
    "replace('a', 'a', NULL)",
    "replace(121, 1, 9)",
    "replace('aaa', 'aa', 'b')",
    "trim('xxabxx', 'x')",
    "ltrim('민준ab민', '준민')",
    "rtrim('민준ab민', '준민')",
    "trim('', 'x')",
    "trim('xyx', 'xy')",
    "trim(NULL, 'x')",
    "trim('a', NULL)",
    "trim('abc', '')",
    "trim('  a  ')",
    "rtrim(1200, 0)",
  };
  sqlite3 *plain = NULL;
  const char *slow = "SELECT instr(hex(zeroblob(8000000)), hex(zeroblob(4000000)) || '1'), "
                     "length(replace(hex(zeroblob(8000000)), hex(zeroblob(4000000)) || '1', 'x'))";
  g_autoptr (PlumbResult) ended = NULL;
  gint64 start;

  g_assert_cmpint (sqlite3_open (":memory:", &plain), ==, SQLITE_OK);
  for (guint i = 0; i < G_N_ELEMENTS (expressions); i++) {
    g_autofree char *sql = g_strdup_printf ("SELECT quote(%s)", expressions[i]);
    g_autoptr (PlumbResult) result = run (fixture->source, sql);
    sqlite3_stmt *statement = NULL;

    g_assert_cmpint (sqlite3_prepare_v2 (plain, sql, -1, &statement, NULL), ==, SQLITE_OK);
    g_assert_cmpint (sqlite3_step (statement), ==, SQLITE_ROW);
    g_assert_cmpstr (plumb_result_get_cell (result, 0, 0)->text, ==,
                     (const char *) sqlite3_column_text (statement, 0));
    sqlite3_finalize (statement);
  }
  sqlite3_close (plain);
  start = g_get_monotonic_time ();
  ended = run (fixture->source, slow);
  assert_cell (ended, 0, 0, PLUMB_VALUE_INTEGER, "0", 1);
  g_assert_cmpint (g_get_monotonic_time () - start, <, 30 * G_TIME_SPAN_SECOND);
}

static gpointer
cancel_soon (gpointer cancellable)
{
  g_usleep (200 * 1000);
  g_cancellable_cancel (cancellable);
  return NULL;
}

static void
test_cancel (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (PlumbResult) result = plumb_result_new (NULL);
  PlumbRowSink sink = plumb_result_get_sink (result);
  GThread *thread = g_thread_new ("cancel", cancel_soon, cancellable);
  gint64 start = g_get_monotonic_time ();

  g_assert_false (
    plumb_source_run (fixture->source, ENDLESS, NULL, &sink, NULL, NULL, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpint (g_get_monotonic_time () - start, <, 20 * G_TIME_SPAN_SECOND);
  g_thread_join (thread);
}

typedef struct {
  PlumbSource *source;
  GCancellable *cancellable;
  gint n_waiting;
} Crowd;

static void
count_waiting (const char *doing, gpointer user_data)
{
  Crowd *crowd = user_data;

  g_assert_true (g_str_has_prefix (doing, "Waiting for a free slot"));
  g_atomic_int_inc (&crowd->n_waiting);
}

static gpointer
run_endless (gpointer user_data)
{
  Crowd *crowd = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (PlumbResult) result = plumb_result_new (NULL);
  PlumbRowSink sink = plumb_result_get_sink (result);

  g_assert_false (plumb_source_run (crowd->source, ENDLESS, NULL, &sink, count_waiting, crowd,
                                    crowd->cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  return NULL;
}

/* Four run, the fifth says that it waits, and can be cancelled while it does. */
static void
test_slots (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GCancellable) running = g_cancellable_new ();
  g_autoptr (GCancellable) waiting = g_cancellable_new ();
  Crowd crowd = { fixture->source, running, 0 };
  Crowd fifth = { fixture->source, waiting, 0 };
  GThread *threads[4];
  GThread *last;

  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("running", run_endless, &crowd);
  g_usleep (100 * 1000);
  last = g_thread_new ("waiting", run_endless, &fifth);
  while (g_atomic_int_get (&fifth.n_waiting) == 0)
    g_usleep (1000);
  g_cancellable_cancel (waiting);
  g_thread_join (last);
  g_assert_cmpint (crowd.n_waiting, ==, 0);
  g_cancellable_cancel (running);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);
}

static void
test_errors (Fixture *fixture, gconstpointer data)
{
  assert_fails (fixture->source, "SELECT nothing FROM CUST_MST", PLUMB_SOURCE_ERROR,
                PLUMB_SOURCE_ERROR_STATEMENT);
  assert_fails (fixture->source, "SELEC 1", PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_STATEMENT);
  assert_fails (fixture->source, "SELECT * FROM V_BROKEN", PLUMB_SOURCE_ERROR,
                PLUMB_SOURCE_ERROR_STATEMENT);
  assert_fails (fixture->source, "", PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_STATEMENT);
  assert_fails (fixture->source, "SELECT zeroblob(100000000)", PLUMB_SOURCE_ERROR,
                PLUMB_SOURCE_ERROR_STATEMENT);
}

static void
assert_no_connection (const char *path, PlumbSourceError code)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PlumbSource) source = open_source (path, NULL);

  g_assert_false (plumb_source_connect (source, NULL, &error));
  g_assert_error (error, PLUMB_SOURCE_ERROR, (int) code);
  g_assert_true (g_str_has_prefix (error->message, "shop: "));
}

static void
test_bad_files (Fixture *fixture, gconstpointer data)
{
  g_autofree char *text = g_build_filename (fixture->folder, "text.sqlite", NULL);
  g_autofree char *short_file = g_build_filename (fixture->folder, "short.sqlite", NULL);
  g_autofree char *missing = g_build_filename (fixture->folder, "missing.sqlite", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (PlumbSource) unknown = NULL;

  g_assert_true (
    g_file_set_contents (text,
                         "This is a text file and no database at all.\n"
                         "It is long enough to hold a header of one hundred bytes, isn't it?\n",
                         -1, NULL));
  g_assert_true (g_file_set_contents (short_file, "SQLite format 3", -1, NULL));
  assert_no_connection (text, PLUMB_SOURCE_ERROR_ADDRESS);
  assert_no_connection (short_file, PLUMB_SOURCE_ERROR_ADDRESS);
  assert_no_connection (missing, PLUMB_SOURCE_ERROR_ADDRESS);
  assert_no_connection (fixture->folder, PLUMB_SOURCE_ERROR_ADDRESS);
  assert_no_connection ("/dev/null", PLUMB_SOURCE_ERROR_ADDRESS);
  unknown = plumb_source_new ("shop", "sqlite:///x?mode=rw", NULL, &error);
  g_assert_null (unknown);
  g_assert_error (error, PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_ADDRESS);
}

static void
test_locked (Fixture *fixture, gconstpointer data)
{
  sqlite3 *db = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (PlumbResult) result = NULL;
  g_autoptr (PlumbResult) after = NULL;

  g_assert_cmpint (sqlite3_open (fixture->path, &db), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_exec (db, "BEGIN EXCLUSIVE", NULL, NULL, NULL), ==, SQLITE_OK);
  result = run_limited (fixture->source, "SELECT * FROM orders", (PlumbLimits) { 10, 0, 0, 300 },
                        &error);
  g_assert_null (result);
  g_assert_nonnull (error);
  sqlite3_exec (db, "ROLLBACK", NULL, NULL, NULL);
  sqlite3_close (db);
  after = run (fixture->source, "SELECT * FROM orders");
  g_assert_cmpint (plumb_result_get_n_rows (after), ==, 2);
}

/* Another program writes between two questions, or puts another file in its place. */
static void
test_changed_file (Fixture *fixture, gconstpointer data)
{
  g_autofree char *other = g_build_filename (fixture->folder, "other.sqlite", NULL);
  g_autoptr (PlumbResult) before = run (fixture->source, "SELECT count(*) FROM orders");
  g_autoptr (PlumbResult) added = NULL;
  g_autoptr (PlumbResult) replaced = NULL;

  assert_cell (before, 0, 0, PLUMB_VALUE_INTEGER, "2", 1);
  execute (fixture->path,
           "INSERT INTO orders VALUES (3, 7); ALTER TABLE orders ADD COLUMN note TEXT");
  added = run (fixture->source, "SELECT count(*), max(note) FROM orders");
  assert_cell (added, 0, 0, PLUMB_VALUE_INTEGER, "3", 1);
  execute (other, "CREATE TABLE orders (id); INSERT INTO orders VALUES (1)");
  g_assert_cmpint (g_rename (other, fixture->path), ==, 0);
  replaced = run (fixture->source, "SELECT count(*) FROM orders");
  assert_cell (replaced, 0, 0, PLUMB_VALUE_INTEGER, "1", 1);
}

#define ADD(path, sql, test) \
  g_test_add ("/sources/sqlite/" path, Fixture, sql, set_up, test, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("values", GUARD_SQL, test_values);
  ADD ("types", TYPES_SQL, test_types);
  ADD ("caps", GUARD_SQL, test_caps);
  ADD ("read-only", GUARD_SQL, test_read_only);
  ADD ("virtual-tables", GUARD_SQL, test_virtual_tables);
  ADD ("catalog", CATALOG_SQL, test_catalog);
  ADD ("check", CATALOG_SQL, test_check);
  ADD ("probe", CATALOG_SQL, test_probe);
  ADD ("explain", CATALOG_SQL, test_explain);
  ADD ("errors", CATALOG_SQL, test_errors);
  ADD ("time-budget", GUARD_SQL, test_time_budget);
  ADD ("functions", GUARD_SQL, test_functions);
  ADD ("cancel", GUARD_SQL, test_cancel);
  ADD ("slots", GUARD_SQL, test_slots);
  ADD ("bad-files", GUARD_SQL, test_bad_files);
  ADD ("locked", GUARD_SQL, test_locked);
  ADD ("changed-file", GUARD_SQL, test_changed_file);
  return g_test_run ();
}
