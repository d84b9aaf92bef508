/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "agent-fixture.h"
#include "plumb-export.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* Files as a person would read them. Spreadsheets are read back by a program of their own. */

typedef struct {
  AgentFixture agent;
  char *path;
} Fixture;

static void
set_up (Fixture *f, gconstpointer data)
{
  agent_fixture_set_up (&f->agent, NULL);
  f->path = g_build_filename (f->agent.folder, (const char *)data, NULL);
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  g_free (f->path);
  agent_fixture_tear_down (&f->agent);
}

static PlumbExportReport *
export_with (Fixture *f, const char *sql, PlumbExportFlags flags, PlumbLimits limits,
             GCancellable *cancellable, GError **error)
{
  PlumbQuery query
      = { .workspace = f->agent.workspace, .origin = "export", .database = "shop", .sql = sql };
  PlumbExportFormat format;

  g_assert_true (plumb_export_format_from_string (strrchr (f->path, '.') + 1, &format));
  return plumb_export_run (&query, f->path, format, flags, &limits, cancellable, error);
}

static PlumbExportReport *export(Fixture *f, const char *sql, PlumbExportFlags flags)
{
  g_autoptr (GError) error = NULL;
  PlumbExportReport *report = export_with (f, sql, flags, (PlumbLimits){ 0 }, NULL, &error);

  g_assert_no_error (error);
  return report;
}

static void
fail (Fixture *f, const char *sql, PlumbExportFlags flags, GQuark domain, int code)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (export_with (f, sql, flags, (PlumbLimits){ 0 }, NULL, &error));
  g_assert_error (error, domain, code);
}

static void
assert_file (Fixture *f, const char *expected, gsize length)
{
  g_autofree char *text = NULL;
  gsize n = 0;

  g_assert_true (g_file_get_contents (f->path, &text, &n, NULL));
  g_assert_cmpmem (text, n, expected, length);
}

/* No part of an export is left in the folder. */
static void
assert_no_parts (Fixture *f)
{
  g_autoptr (GDir) folder = g_dir_open (f->agent.folder, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (folder)) != NULL)
    g_assert_false (g_str_has_suffix (name, ".part") || g_str_has_prefix (name, "tmp"));
}

static JsonObject *
read_manifest (Fixture *f, JsonNode **node)
{
  g_autofree char *path = g_strconcat (f->path, ".manifest.json", NULL);
  g_autofree char *json = NULL;

  g_assert_true (g_file_get_contents (path, &json, NULL, NULL));
  *node = plumb_json_parse (json, -1, NULL);
  g_assert_nonnull (*node);
  return json_node_get_object (*node);
}

#define CSV_SQL                                                                                    \
  "SELECT NULL AS \"a,b\", '' AS e, ' x ' AS s, 'say \"hi\"' AS q, 'one' || char(10) || 'two' AS " \
  "n, "                                                                                            \
  "CAST(X'41ff42' AS TEXT) AS invalid, X'00ff' AS bytes, -9223372036854775808 AS big, '=1+1' AS f"

#define CSV_HEADER "\"a,b\",e,s,q,n,invalid,bytes,big,f\r\n"
#define CSV_ROW ",\"\", x ,\"say \"\"hi\"\"\",\"one\ntwo\",A\377B,\\x00ff,-9223372036854775808,"

static void
test_csv (Fixture *f, gconstpointer data)
{
  static const char plain[] = CSV_HEADER CSV_ROW "=1+1\r\n";
  static const char safe[] = CSV_HEADER CSV_ROW "'=1+1\r\n";
  g_autoptr (PlumbExportReport) first = export(f, CSV_SQL, PLUMB_EXPORT_PLAIN);
  g_autoptr (PlumbExportReport) second = NULL;

  assert_file (f, plain, sizeof plain - 1);
  g_assert_cmpint (first->rows, ==, 1);
  g_assert_cmpint (first->bytes, ==, sizeof plain - 1);
  g_assert_null (first->truncated_by);
  second = export(f, CSV_SQL, PLUMB_EXPORT_SAFE);
  assert_file (f, safe, sizeof safe - 1);
  assert_no_parts (f);
}

static void
test_safe_csv (Fixture *f, gconstpointer data)
{
  static const char expected[]
      = "'@name,v\r\n"
        "'=2+2,-5\r\n'+1,1.5\r\n'-1,-0.25\r\n'@a,\r\n'\ttab,1\r\n"
        "\"'\rx\",2\r\n\"'\nx\",3\r\n'＝2,4\r\nplain,5\r\n\"\"\"=1\"\"\",6\r\n"
        ",7\r\n";
  g_autoptr (PlumbExportReport) report = export(
      f,
      "SELECT column1 AS \"@name\", column2 AS v FROM (VALUES ('=2+2', -5), ('+1', 1.5), ('-1', "
      "-0.25), ('@a', NULL), (char(9) || 'tab', 1), (char(13) || 'x', 2), (char(10) || 'x', 3), "
      "('＝2', 4), ('plain', 5), ('\"=1\"', 6), (NULL, 7))",
      PLUMB_EXPORT_SAFE);
  g_autoptr (JsonNode) node = NULL;

  g_assert_cmpint (report->rows, ==, 11);
  assert_file (f, expected, sizeof expected - 1);
  g_assert_true (plumb_json_get_boolean (read_manifest (f, &node), "formulas_marked", FALSE));
}

static void
test_jsonl (Fixture *f, gconstpointer data)
{
  static const char expected[] = "{\"n\":\"9007199254740993\",\"m\":9007199254740,\"d\":0.5,\"x\":"
                                 "null,\"e\":\"\",\"t\":\"a\\\"\\\\\\n"
                                 "\\u0001\\u0000z\",\"b\":\"\\\\x00ff\",\"n_2\":1}\n";
  g_autoptr (PlumbExportReport) report
      = export(f,
               "SELECT 9007199254740993 AS n, 9007199254740 AS m, 0.5 AS d, NULL AS x, '' AS e, "
               "'a\"\\' || char(10) || char(1) || char(0) || 'z' AS t, X'00ff' AS b, 1 AS n",
               PLUMB_EXPORT_PLAIN);

  g_assert_cmpint (report->rows, ==, 1);
  assert_file (f, expected, sizeof expected - 1);
}

static void
test_manifest (Fixture *f, gconstpointer data)
{
  static const char sql[] = "SELECT name, email FROM customer ORDER BY id -- \"all\"";
  g_autoptr (PlumbExportReport) report = export(f, sql, PLUMB_EXPORT_PLAIN);
  g_autoptr (JsonNode) node = NULL;
  JsonObject *manifest = read_manifest (f, &node);
  g_auto (GStrv) columns = plumb_json_get_strv (manifest, "columns");
  const char *at = plumb_json_get_string (manifest, "written_at", "");
  g_autoptr (GDateTime) time = g_date_time_new_from_iso8601 (at, NULL);

  g_assert_cmpstr (plumb_json_get_string (manifest, "sql", NULL), ==, sql);
  g_assert_cmpstr (plumb_json_get_string (manifest, "database", NULL), ==, "shop");
  g_assert_true (g_str_has_prefix (plumb_json_get_string (manifest, "source", ""), "sqlite:"));
  g_assert_cmpstr (plumb_json_get_string (manifest, "engine", NULL), ==, "SQLite");
  g_assert_cmpint (plumb_json_get_int (manifest, "rows", -1), ==, 3);
  g_assert_cmpint (plumb_json_get_int (manifest, "bytes", -1), ==, report->bytes);
  g_assert_false (plumb_json_get_boolean (manifest, "truncated", TRUE));
  g_assert_true (json_object_get_null_member (manifest, "truncated_by"));
  g_assert_cmpint (plumb_json_get_int (manifest, "audit_id", 0), ==, report->audit_id);
  g_assert_cmpstr (columns[0], ==, "name");
  g_assert_cmpstr (columns[1], ==, "email");
  g_assert_nonnull (time);
}

/* A cap cuts behind the row that fits, and the report, the manifest and the audit say so. */
static void
test_caps (Fixture *f, gconstpointer data)
{
  static const char sql[] = "SELECT id, status FROM orders ORDER BY id";
  g_autoptr (GError) error = NULL;
  g_autoptr (PlumbExportReport) rows = NULL;
  g_autoptr (PlumbExportReport) exact = NULL;
  g_autoptr (PlumbExportReport) bytes = NULL;
  g_autoptr (PlumbAuditRecord) record = NULL;
  g_autoptr (JsonNode) node = NULL;
  JsonObject *manifest;

  rows = export_with (f, sql, PLUMB_EXPORT_PLAIN, (PlumbLimits){ .max_rows = 2 }, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (rows->rows, ==, 2);
  g_assert_cmpstr (rows->truncated_by, ==, "rows");
  assert_file (f, "id,status\r\n1,open\r\n2,open\r\n",
               strlen ("id,status\r\n1,open\r\n2,open\r\n"));
  manifest = read_manifest (f, &node);
  g_assert_true (plumb_json_get_boolean (manifest, "truncated", FALSE));
  g_assert_cmpstr (plumb_json_get_string (manifest, "truncated_by", NULL), ==, "rows");
  record = plumb_index_get_audit (f->agent.index, rows->audit_id, NULL);
  g_assert_cmpint (record->row_count, ==, 2);
  g_assert_cmpstr (record->truncated_by, ==, "rows");
  exact = export_with (f, sql, PLUMB_EXPORT_PLAIN, (PlumbLimits){ .max_rows = 8 }, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (exact->rows, ==, 8);
  g_assert_null (exact->truncated_by);
  bytes = export_with (f, sql, PLUMB_EXPORT_PLAIN, (PlumbLimits){ .max_bytes = 20 }, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (bytes->rows, ==, 2);
  g_assert_cmpstr (bytes->truncated_by, ==, "bytes");
}

/* A file that a person wrote, or changed, stays; an export of an hour ago doesn't have to. */
static void
test_replace (Fixture *f, gconstpointer data)
{
  g_autofree char *missing = g_build_filename (f->agent.folder, "no-folder", "out.csv", NULL);
  g_autofree char *link = g_build_filename (f->agent.folder, "link.csv", NULL);
  g_autoptr (PlumbExportReport) first = NULL;
  g_autoptr (PlumbExportReport) again = NULL;
  g_autoptr (PlumbExportReport) forced = NULL;
  g_autoptr (PlumbExportReport) linked = NULL;
  GStatBuf status;

  g_assert_true (g_file_set_contents (f->path, "mine", -1, NULL));
  fail (f, "SELECT 1 AS a", PLUMB_EXPORT_PLAIN, PLUMB_ERROR, PLUMB_ERROR_INVALID_ARGUMENT);
  assert_file (f, "mine", 4);
  g_assert_true (g_file_set_contents (f->path, "", -1, NULL));
  first = export(f, "SELECT 1 AS a", PLUMB_EXPORT_PLAIN);
  again = export(f, "SELECT 2 AS a", PLUMB_EXPORT_PLAIN);
  assert_file (f, "a\r\n2\r\n", 6);
  g_assert_cmpint (g_stat (f->path, &status), ==, 0);
  g_assert_cmpint (status.st_mode & 0777, ==, 0600);
  g_assert_true (g_file_set_contents (f->path, "a\r\n2, and more", -1, NULL));
  fail (f, "SELECT 3 AS a", PLUMB_EXPORT_PLAIN, PLUMB_ERROR, PLUMB_ERROR_INVALID_ARGUMENT);
  assert_file (f, "a\r\n2, and more", 14);
  forced = export(f, "SELECT 4 AS a", PLUMB_EXPORT_REPLACE);
  assert_file (f, "a\r\n4\r\n", 6);
  g_assert_cmpint (symlink (f->path, link), ==, 0);
  g_free (f->path);
  f->path = g_steal_pointer (&link);
  linked = export(f, "SELECT 5 AS a", PLUMB_EXPORT_PLAIN);
  assert_file (f, "a\r\n5\r\n", 6);
  g_assert_true (g_file_test (f->path, G_FILE_TEST_IS_SYMLINK));
  g_free (f->path);
  f->path = g_steal_pointer (&missing);
  fail (f, "SELECT 1", PLUMB_EXPORT_PLAIN, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
  assert_no_parts (f);
}

/* A device isn't a file to be replaced by one, whoever asks. */
static void
test_devices (Fixture *f, gconstpointer data)
{
  PlumbQuery query = {
    .workspace = f->agent.workspace, .origin = "export", .database = "shop", .sql = "SELECT 1"
  };
  static const char *const paths[] = { "/dev/null", "/dev/full", "/dev" };
  PlumbLimits limits = { 0 };
  GStatBuf status;

  for (guint i = 0; i < G_N_ELEMENTS (paths); i++) {
    g_autoptr (GError) error = NULL;

    g_assert_null (plumb_export_run (&query, paths[i], PLUMB_EXPORT_CSV, PLUMB_EXPORT_REPLACE,
                                     &limits, NULL, &error));
    g_assert_error (error, PLUMB_ERROR, PLUMB_ERROR_INVALID_ARGUMENT);
  }
  g_assert_cmpint (g_stat ("/dev/null", &status), ==, 0);
  g_assert_true (S_ISCHR (status.st_mode));
}

/* The file may grow to 2 MiB, which is what a full disk comes to: the rows need more. */
static void
test_disk_full (Fixture *f, gconstpointer data)
{
  static const char sql[]
      = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 16000) "
        "SELECT i, hex(randomblob(200)) AS text FROM n";
  struct rlimit old, small;
  g_autoptr (GError) error = NULL;
  g_autoptr (PlumbExportReport) whole = NULL;

  signal (SIGXFSZ, SIG_IGN);
  g_assert_cmpint (getrlimit (RLIMIT_FSIZE, &old), ==, 0);
  small = old;
  small.rlim_cur = 2 * 1024 * 1024;
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &small), ==, 0);
  g_assert_null (export_with (f, sql, PLUMB_EXPORT_PLAIN, (PlumbLimits){ 0 }, NULL, &error));
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &old), ==, 0);
  g_assert_nonnull (error);
  g_assert_nonnull (strstr (error->message, g_strerror (EFBIG)));
  g_assert_false (g_file_test (f->path, G_FILE_TEST_EXISTS));
  assert_no_parts (f);
  whole = export(f, sql, PLUMB_EXPORT_PLAIN);
  g_assert_cmpint (whole->rows, ==, 16000);
}

static gpointer
cancel_soon (gpointer cancellable)
{
  g_usleep (300 * 1000);
  g_cancellable_cancel (cancellable);
  return NULL;
}

static void
test_cancel (Fixture *f, gconstpointer data)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  GThread *thread;

  g_assert_true (g_file_set_contents (f->path, "", -1, NULL));
  thread = g_thread_new ("cancel", cancel_soon, cancellable);
  g_assert_null (export_with (
      f, "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n",
      PLUMB_EXPORT_PLAIN, (PlumbLimits){ 0 }, cancellable, &error));
  g_thread_join (thread);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  assert_file (f, "", 0);
  assert_no_parts (f);
}

static char *
read_sheets (Fixture *f, const char *most)
{
  const char *argv[] = { "python3", g_getenv ("PLUMBLINE_READ_XLSX"), f->path, most, NULL };
  g_autoptr (GError) error = NULL;
  char *output = NULL;
  int status;

  g_assert_true (g_spawn_sync (NULL, (char **)argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, &output,
                               NULL, &status, &error));
  g_assert_no_error (error);
  g_assert_cmpint (status, ==, 0);
  return output;
}

static void
assert_has_line (const char *text, const char *line)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  if (!g_strv_contains ((const char *const *)lines, line))
    g_error ("no line “%s” in:\n%s", line, text);
}

static void
assert_no_cell (const char *text, const char *cell)
{
  g_autofree char *place = g_strdup_printf ("\n1\t%s\t", cell);

  g_assert_null (strstr (text, place));
}

static void
test_xlsx (Fixture *f, gconstpointer data)
{
  g_autoptr (PlumbExportReport) report = export(
      f,
      "SELECT 999999999999999 AS a, 9007199254740993 AS b, -9223372036854775808 AS c, 0.5 AS d, "
      "NULL AS e, '' AS f, 'a' || char(1) || char(0) || '<&>' AS g, CAST(X'41ff' AS TEXT) AS h, "
      "X'00ff' AS i, '007' AS j, '_x0041_' AS k, '=1+1' AS l, char(65535) AS m, 1e300 AS n",
      PLUMB_EXPORT_PLAIN);
  g_autofree char *cells = read_sheets (f, "1000");

  g_assert_cmpint (report->rows, ==, 1);
  g_assert_null (report->truncated_by);
  assert_has_line (cells, "# Sheet1 2");
  assert_has_line (cells, "1\tA1\tinlineStr\t\"a\"");
  assert_has_line (cells, "1\tA2\tn\t\"999999999999999\"");
  assert_has_line (cells, "1\tB2\tinlineStr\t\"9007199254740993\"");
  assert_has_line (cells, "1\tC2\tinlineStr\t\"-9223372036854775808\"");
  assert_has_line (cells, "1\tD2\tn\t\"0.5\"");
  assert_no_cell (cells, "E2");
  assert_has_line (cells, "1\tF2\tstr\t\"=\\\"\\\":\"");
  assert_has_line (cells, "1\tG2\tinlineStr\t\"a\\u0001\\u0000<&>\"");
  assert_has_line (cells, "1\tH2\tinlineStr\t\"A\\ufffd\"");
  assert_has_line (cells, "1\tI2\tinlineStr\t\"\\\\x00ff\"");
  assert_has_line (cells, "1\tJ2\tinlineStr\t\"007\"");
  assert_has_line (cells, "1\tK2\tinlineStr\t\"_x0041_\"");
  assert_has_line (cells, "1\tL2\tinlineStr\t\"=1+1\"");
  assert_has_line (cells, "1\tM2\tinlineStr\t\"\\uffff\"");
  assert_has_line (cells, "1\tN2\tinlineStr\t\"1e+300\"");
  assert_has_line (cells, "2\tA5\tinlineStr\t\"database\"");
  assert_has_line (cells, "2\tB5\tinlineStr\t\"shop\"");
  assert_no_parts (f);
}

/* What is too long for a cell is cut, and the cell, the report and the manifest say so; the
 * statement is too long for a cell as well and goes on below. */
static void
test_xlsx_long (Fixture *f, gconstpointer data)
{
  g_autofree char *padding = g_strnfill (40000, ' ');
  g_autofree char *sql = g_strdup_printf (
      "SELECT replace(hex(zeroblob(20000)), '0', 'x') AS long, "
      "replace(hex(zeroblob(20000)), '0', '😀') AS wide, substr(hex(zeroblob(20000)), 1, 32767) AS "
      "fits%s",
      padding);
  g_autoptr (PlumbExportReport) report = export(f, sql, PLUMB_EXPORT_PLAIN);
  g_autofree char *cells = read_sheets (f, "1000");
  g_autofree char *kept = g_strnfill (32767 - 45, 'x');
  g_autofree char *expected = g_strdup_printf (
      "1\tA2\tinlineStr\t\"%s\\u2026 [cut: the whole text has 40000 characters]\"", kept);
  g_autofree char *zeros = g_strnfill (32767, '0');
  g_autofree char *whole = g_strdup_printf ("1\tC2\tinlineStr\t\"%s\"", zeros);
  g_autoptr (JsonNode) node = NULL;

  g_assert_cmpint (report->rows, ==, 1);
  g_assert_cmpstr (report->truncated_by, ==, "cell");
  g_assert_cmpstr (plumb_json_get_string (read_manifest (f, &node), "truncated_by", NULL), ==,
                   "cell");
  assert_has_line (cells, expected);
  g_assert_nonnull (strstr (cells, "\\u2026 [cut: the whole text has 80000 characters]\""));
  assert_has_line (cells, whole);
  g_assert_nonnull (strstr (cells, "\n2\tB8\tinlineStr\t\"SELECT replace"));
  g_assert_nonnull (strstr (cells, "\n2\tB9\tinlineStr\t\"    "));
}

/* A sheet holds 1,048,576 rows, the header among them. */
static void
test_xlsx_split (Fixture *f, gconstpointer data)
{
  g_autoptr (PlumbExportReport) report = export(
      f,
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1048577) SELECT i "
      "AS number FROM n",
      PLUMB_EXPORT_PLAIN);
  g_autofree char *cells = read_sheets (f, "2");

  g_assert_cmpint (report->rows, ==, 1048577);
  g_assert_null (report->truncated_by);
  assert_has_line (cells, "# Sheet1 1048576");
  assert_has_line (cells, "1\tA1\tinlineStr\t\"number\"");
  assert_has_line (cells, "1\tA2\tn\t\"1\"");
  assert_has_line (cells, "1\tA1048576\tn\t\"1048575\"");
  assert_has_line (cells, "# Sheet2 3");
  assert_has_line (cells, "2\tA1\tinlineStr\t\"number\"");
  assert_has_line (cells, "2\tA2\tn\t\"1048576\"");
  assert_has_line (cells, "2\tA3\tn\t\"1048577\"");
  g_assert_nonnull (strstr (cells, "\n# Export "));
}

#define ADD(name, file, test) g_test_add ("/export/" name, Fixture, file, set_up, test, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("csv", "out.csv", test_csv);
  ADD ("safe-csv", "out.csv", test_safe_csv);
  ADD ("jsonl", "out.jsonl", test_jsonl);
  ADD ("manifest", "out.csv", test_manifest);
  ADD ("caps", "out.csv", test_caps);
  ADD ("replace", "out.csv", test_replace);
  ADD ("devices", "out.csv", test_devices);
  ADD ("disk-full-csv", "out.csv", test_disk_full);
  ADD ("disk-full-jsonl", "out.jsonl", test_disk_full);
  ADD ("disk-full-xlsx", "out.xlsx", test_disk_full);
  ADD ("cancel", "out.csv", test_cancel);
  ADD ("cancel-xlsx", "out.xlsx", test_cancel);
  ADD ("xlsx", "out.xlsx", test_xlsx);
  ADD ("xlsx-long", "out.xlsx", test_xlsx_long);
  ADD ("xlsx-split", "out.xlsx", test_xlsx_split);
  return g_test_run ();
}
