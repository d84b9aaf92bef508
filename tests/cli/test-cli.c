/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-json.h"

#include <glib/gstdio.h>
#include <libsoup/soup.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>

/* The command line as a person calls it: the real program in a process of its own, on demo databases
 * that are built once. */

#define QUESTION "How many orders have been unprocessed for more than 30 days?"
#define TODAY "2026-11-30"

typedef struct {
  char *output;
  char *errors;
  int exit_code;
} Run;

static char *folder;
static char *demo_index;
static const char *model_url;

static void
run_clear (Run *run)
{
  g_free (run->output);
  g_free (run->errors);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Run, run_clear)

static GSubprocess *
start (const char *index, const char *const *arguments)
{
  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (
      G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_PIPE);
  g_autoptr (GPtrArray) argv = g_ptr_array_new ();
  g_autoptr (GError) error = NULL;
  GSubprocess *process;

  g_subprocess_launcher_setenv (launcher, "XDG_DATA_HOME", folder, TRUE);
  g_subprocess_launcher_setenv (launcher, "XDG_CONFIG_HOME", folder, TRUE);
  g_subprocess_launcher_setenv (launcher, "PLUMBLINE_NOW", TODAY, TRUE);
  g_subprocess_launcher_setenv (launcher, "DBUS_SESSION_BUS_ADDRESS", "disabled:", TRUE);
  if (model_url != NULL) {
    g_subprocess_launcher_setenv (launcher, "PLUMBLINE_MODEL_URL", model_url, TRUE);
    g_subprocess_launcher_setenv (launcher, "PLUMBLINE_MODEL_NAME", "test-model", TRUE);
    g_subprocess_launcher_setenv (launcher, "PLUMBLINE_MODEL_KEY", "secret-key", TRUE);
  }
  g_ptr_array_add (argv, (gpointer) g_getenv ("PLUMBLINE_CLI"));
  g_ptr_array_add (argv, (gpointer) "--index");
  g_ptr_array_add (argv, (gpointer) index);
  for (guint i = 0; arguments[i] != NULL; i++)
    g_ptr_array_add (argv, (gpointer) arguments[i]);
  g_ptr_array_add (argv, NULL);
  process = g_subprocess_launcher_spawnv (launcher, (const char *const *) argv->pdata, &error);
  g_assert_no_error (error);
  return process;
}

static Run
run_argv (const char *index, const char *const *arguments)
{
  g_autoptr (GSubprocess) process = start (index, arguments);
  g_autoptr (GError) error = NULL;
  Run run = { 0 };

  g_subprocess_communicate_utf8 (process, NULL, NULL, &run.output, &run.errors, &error);
  g_assert_no_error (error);
  g_assert_true (g_subprocess_get_if_exited (process));
  run.exit_code = g_subprocess_get_exit_status (process);
  return run;
}

static Run
run_on (const char *index, const char *first, ...)
{
  g_autoptr (GPtrArray) arguments = g_ptr_array_new ();
  const char *argument = first;
  va_list list;

  va_start (list, first);
  for (; argument != NULL; argument = va_arg (list, const char *))
    g_ptr_array_add (arguments, (gpointer) argument);
  va_end (list);
  g_ptr_array_add (arguments, NULL);
  return run_argv (index, (const char *const *) arguments->pdata);
}

#define run_cli(...) run_on (demo_index, __VA_ARGS__, NULL)

static JsonObject *
parse (const char *text, JsonNode **node)
{
  g_autoptr (GError) error = NULL;

  *node = plumb_json_parse (text, -1, &error);
  g_assert_no_error (error);
  g_assert_true (JSON_NODE_HOLDS_OBJECT (*node));
  return json_node_get_object (*node);
}

static gint64
count_in_demo (const char *sql)
{
  g_autofree char *path = g_build_filename (folder, "plumbline", "demo", "sales.sqlite", NULL);
  sqlite3 *database = NULL;
  sqlite3_stmt *statement = NULL;
  gint64 count;

  g_assert_cmpint (sqlite3_open_v2 (path, &database, SQLITE_OPEN_READONLY, NULL), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_prepare_v2 (database, sql, -1, &statement, NULL), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_step (statement), ==, SQLITE_ROW);
  count = sqlite3_column_int64 (statement, 0);
  sqlite3_finalize (statement);
  sqlite3_close (database);
  return count;
}

/* The last line of a command's JSON lines. */
static char *
last_line (const char *output)
{
  g_auto (GStrv) lines = g_strsplit (output, "\n", -1);
  guint n = g_strv_length (lines);

  while (n > 0 && *lines[n - 1] == '\0')
    n--;
  g_assert_cmpuint (n, >, 0);
  return g_strdup (lines[n - 1]);
}

static void
test_ask (void)
{
  g_auto (Run) run = run_cli ("ask", QUESTION, "--json");
  g_autofree char *line = last_line (run.output);
  g_autoptr (JsonNode) node = NULL;
  g_autofree char *expected = NULL;
  JsonObject *answer = parse (line, &node);
  JsonArray *numbers;
  JsonArray *statements;
  gboolean found = FALSE;

  g_assert_cmpint (run.exit_code, ==, 0);
  expected = g_strdup_printf (
      "%" G_GINT64_FORMAT,
      count_in_demo ("SELECT count(*) FROM ORD_MST WHERE STATUS_CODE = '10' AND "
                     "ORD_DT < date('" TODAY "', '-30 days')"));
  g_assert_cmpstr (plumb_json_get_string (answer, "event", NULL), ==, "answer");
  numbers = plumb_json_get_array (answer, "numbers");
  for (guint i = 0; i < json_array_get_length (numbers); i++) {
    JsonObject *number = json_array_get_object_element (numbers, i);
    g_autofree char *text = g_strdup (plumb_json_get_string (number, "text", ""));
    g_auto (GStrv) parts = g_strsplit (text, ",", -1);
    g_autofree char *plain = g_strjoinv ("", parts);

    found = found || strcmp (plain, expected) == 0;
  }
  g_assert_true (found);
  statements = plumb_json_get_array (answer, "statements");
  g_assert_cmpuint (json_array_get_length (statements), ==, 1);
  g_assert_nonnull (strstr (
      plumb_json_get_string (json_array_get_object_element (statements, 0), "sql", ""), "ORD_MST"));
}

static void
test_search (void)
{
  g_auto (Run) run = run_cli ("search", "unprocessed orders", "--json");
  g_autoptr (JsonNode) node = NULL;
  JsonObject *found = parse (run.output, &node);
  JsonArray *candidates = plumb_json_get_array (found, "candidates");
  JsonObject *first = json_array_get_object_element (candidates, 0);
  g_auto (GStrv) copies = plumb_json_get_strv (first, "copies");

  g_assert_cmpint (run.exit_code, ==, 0);
  g_assert_cmpstr (plumb_json_get_string (first, "table", NULL), ==, "ORD_MST");
  g_assert_cmpstr (plumb_json_get_string (first, "status", NULL), ==, "live");
  g_assert_true (g_strv_contains ((const char *const *) copies, "main.ORD_MST_BAK"));
}

static void
test_query (void)
{
  g_auto (Run) run = run_cli ("query", "--db", "sales", "SELECT 9007199254740993 AS n, NULL AS x, '' AS e", "--json");
  g_auto (Run) csv = run_cli ("query", "--db", "sales", "SELECT 'a,\"b' AS t, NULL AS x", "--format", "csv");
  g_auto (Run) cut = run_cli ("query", "--db", "sales", "SELECT ORD_NO FROM ORD_MST", "--max-rows", "3", "--json");
  g_autoptr (JsonNode) node = NULL;
  g_autoptr (JsonNode) cut_node = NULL;
  JsonObject *result = parse (run.output, &node);
  JsonArray *row = json_array_get_array_element (plumb_json_get_array (result, "rows"), 0);
  JsonObject *cut_result = parse (cut.output, &cut_node);

  g_assert_cmpint (run.exit_code, ==, 0);
  g_assert_cmpstr (json_array_get_string_element (row, 0), ==, "9007199254740993");
  g_assert_true (json_array_get_null_element (row, 1));
  g_assert_cmpstr (json_array_get_string_element (row, 2), ==, "");
  g_assert_cmpint (plumb_json_get_int (result, "audit_id", 0), >, 0);
  g_assert_cmpstr (csv.output, ==, "t,x\r\n\"a,\"\"b\",\r\n");
  g_assert_cmpint (plumb_json_get_int (cut_result, "row_count", 0), ==, 3);
  g_assert_true (plumb_json_get_boolean (cut_result, "truncated", FALSE));
  g_assert_cmpstr (plumb_json_get_string (cut_result, "truncated_by", NULL), ==, "rows");
}

static void
assert_file (const char *path, const char *expected)
{
  g_autofree char *text = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, expected);
}

static void
test_export (void)
{
  static const char sql[] = "SELECT column1 AS t, column2 AS n FROM (VALUES ('=1+1', -5), ('a', 2))";
  g_autofree char *path = g_build_filename (folder, "out.csv", NULL);
  g_auto (Run) plain = run_cli ("export", "--db", "sales", sql, "--to", path, "--json");
  g_auto (Run) safe = run_cli ("export", "--db", "sales", sql, "--to", path, "--safe-csv", "--max-rows", "1");
  g_auto (Run) help = run_cli ("export", "--help");
  g_autoptr (JsonNode) node = NULL;
  JsonObject *report = parse (plain.output, &node);

  g_assert_cmpint (plain.exit_code, ==, 0);
  g_assert_cmpint (plumb_json_get_int (report, "rows", -1), ==, 2);
  g_assert_false (plumb_json_get_boolean (report, "truncated", TRUE));
  g_assert_cmpint (safe.exit_code, ==, 0);
  assert_file (path, "t,n\r\n'=1+1,-5\r\n");
  g_assert_nonnull (strstr (safe.errors, "cut by the limit on rows"));
  g_assert_nonnull (strstr (help.output, "apostrophe"));
}

/* What a person wrote stays, unless it is said that it may go. */
static void
test_export_replace (void)
{
  g_autofree char *path = g_build_filename (folder, "mine.csv", NULL);
  g_auto (Run) refused = { 0 };
  g_auto (Run) replaced = { 0 };

  g_assert_true (g_file_set_contents (path, "mine", -1, NULL));
  refused = run_cli ("export", "--db", "sales", "SELECT 1 AS a", "--to", path);
  g_assert_cmpint (refused.exit_code, ==, 2);
  g_assert_nonnull (strstr (refused.errors, "--replace"));
  assert_file (path, "mine");
  replaced = run_cli ("export", "--db", "sales", "SELECT 1 AS a", "--to", path, "--replace");
  g_assert_cmpint (replaced.exit_code, ==, 0);
  assert_file (path, "a\r\n1\r\n");
}

/* Whether there is a file in the folder whose name ends so. */
static gboolean
has_file (const char *path, const char *suffix)
{
  g_autoptr (GDir) files = g_dir_open (path, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (files)) != NULL) {
    if (g_str_has_suffix (name, suffix))
      return TRUE;
  }
  return FALSE;
}

/* An interrupt leaves neither the file nor a part of it. */
static void
test_export_interrupted (void)
{
  g_autofree char *place = g_build_filename (folder, "exports", NULL);
  g_autofree char *path = g_build_filename (place, "out.csv", NULL);
  const char *arguments[] = {
    "export", "--db", "sales",
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n", "--to", path, NULL
  };
  g_autoptr (GSubprocess) process = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (g_mkdir (place, 0700), ==, 0);
  process = start (demo_index, arguments);
  for (guint i = 0; i < 1000 && !has_file (place, ".part"); i++)
    g_usleep (20 * 1000);
  g_assert_true (has_file (place, ".part"));
  g_subprocess_send_signal (process, SIGINT);
  g_assert_true (g_subprocess_wait (process, NULL, &error));
  g_assert_no_error (error);
  g_assert_true (g_subprocess_get_if_exited (process));
  g_assert_cmpint (g_subprocess_get_exit_status (process), ==, 6);
  g_assert_cmpint (g_rmdir (place), ==, 0);
}

/* Every code of DESIGN section 11, by a call that a person could make. */
static void
test_exit_codes (void)
{
  static const struct {
    int exit_code;
    const char *arguments[8];
  } calls[] = {
    { 0, { "source", "list" } },
    { 0, { "doctor" } },
    { 0, { "joins", "list", "--db", "sales" } },
    { 0, { "audit", "list" } },
    { 0, { "note", "list" } },
    { 0, { "card", "sales.main.ORD_MST" } },
    { 0, { "source", "check", "sales" } },
    { 2, { "search" } },
    { 2, { "nonsense" } },
    { 2, { "query", "SELECT 1" } },
    { 2, { "query", "--db", "sales", "SELECT 1", "--max-rows", "many" } },
    { 3, { "query", "--db", "sales", "DELETE FROM ORD_MST" } },
    { 3, { "query", "--db", "sales", "SELECT 1; SELECT 2" } },
    { 3, { "check", "--db", "sales", "DROP TABLE ORD_MST" } },
    { 4, { "query", "--role", "analyst", "--db", "sales", "SELECT * FROM EMP_SAL" } },
    { 4, { "card", "--role", "analyst", "sales.main.EMP_SAL" } },
    { 5, { "query", "--db", "sales", "SELECT NO_SUCH_COLUMN FROM ORD_MST" } },
    { 6, { "query", "--db", "sales", "--timeout", "0.2",
           "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n" } },
    { 7, { "query", "--db", "nowhere", "SELECT 1" } },
    { 7, { "card", "sales.main.NO_SUCH_TABLE" } },
    { 7, { "source", "check", "nowhere" } },
    { 7, { "source", "remove", "nowhere" } },
  };

  for (guint i = 0; i < G_N_ELEMENTS (calls); i++) {
    g_auto (Run) run = run_argv (demo_index, calls[i].arguments);
    g_autofree char *call = g_strjoinv (" ", (char **) calls[i].arguments);

    if (run.exit_code != calls[i].exit_code)
      g_error ("“%s” ended with %d, not %d: %s", call, run.exit_code, calls[i].exit_code, run.errors);
    if (run.exit_code != 0 && run.exit_code != 3)
      g_assert_cmpstr (run.errors, !=, "");
  }
}

/* What the source and its account are, in words and as JSON. */
static void
test_source_check (void)
{
  static const char *const text[] = { "source", "check", "sales", NULL };
  static const char *const json[] = { "source", "check", "sales", "--json", NULL };
  static const char *const lines[] = {
    "Address:    sqlite:///", "Engine:     SQLite", "Version:    3.", "Account:    ",
    "Read-only:  proven (", "Time zone:  ", "Encoding:   UTF-8", "Tables:     ",
  };
  g_auto (Run) words = run_argv (demo_index, text);
  g_auto (Run) run = run_argv (demo_index, json);
  g_autoptr (JsonNode) node = NULL;
  JsonObject *object;

  for (guint i = 0; i < G_N_ELEMENTS (lines); i++) {
    if (strstr (words.output, lines[i]) == NULL)
      g_error ("“%s” is not in: %s", lines[i], words.output);
  }
  object = parse (run.output, &node);
  g_assert_cmpstr (json_object_get_string_member (object, "name"), ==, "sales");
  g_assert_true (g_str_has_prefix (json_object_get_string_member (object, "uri"), "sqlite:///"));
  g_assert_cmpstr (json_object_get_string_member (object, "engine"), ==, "SQLite");
  g_assert_true (json_object_get_boolean_member (object, "read_only_proven"));
  g_assert_cmpstr (json_object_get_string_member (object, "encoding"), ==, "UTF-8");
  g_assert_true (json_object_has_member (object, "time_zone"));
  g_assert_true (json_object_has_member (object, "superuser_rights"));
  g_assert_true (json_object_has_member (object, "write_rights"));
  g_assert_cmpint (json_object_get_int_member (object, "tables"), >, 0);
  g_assert_cmpint (json_object_get_int_member (object, "selectable"), ==,
                   json_object_get_int_member (object, "tables"));
}

/* With --json standard output is JSON alone, for failures too. */
static void
test_json_alone (void)
{
  static const char *const calls[][6] = {
    { "source", "list", "--json" },
    { "source", "check", "sales", "--json" },
    { "card", "sales.main.ORD_MST", "--json" },
    { "joins", "list", "--json" },
    { "joins", "path", "sales.main.ORD_MST", "sales.main.CUST_MST", "--json" },
    { "note", "list", "--json" },
    { "audit", "list", "--json" },
    { "doctor", "--json" },
    { "approved", "list", "--json" },
    { "explain", "--db", "sales", "SELECT count(*) FROM ORD_MST", "--json" },
    { "query", "--db", "nowhere", "SELECT 1", "--json" },
    { "search", "", "--json" },
    { "search", "😀", "--json" },
    { "search", "\"NEAR(a* -b\" AND", "--json" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (calls); i++) {
    g_auto (Run) run = run_argv (demo_index, calls[i]);
    g_autoptr (JsonNode) node = NULL;

    parse (run.output, &node);
  }
}

static void
test_no_permission (void)
{
  g_auto (Run) run = run_cli ("search", "salary of employees", "--role", "analyst", "--json");
  g_auto (Run) role = run_cli ("search", "salary", "--role", "nobody", "--json");
  g_autoptr (JsonNode) node = NULL;
  JsonObject *found = parse (run.output, &node);
  g_auto (GStrv) names = plumb_json_get_strv (found, "no_permission");

  g_assert_true (g_strv_contains ((const char *const *) names, "sales.main.EMP_SAL"));
  g_assert_cmpint (role.exit_code, ==, 7);
}

/* A retired note is listed where that is asked for, comes back, and keeps what it said before. */
static void
check_note_history (const char *id)
{
  g_auto (Run) retired = run_cli ("note", "list", "sales.main.ORD_MST", "--retired", "--json");
  g_auto (Run) refused = run_cli ("note", "edit", id, "too late");
  g_auto (Run) restored = run_cli ("note", "restore", id);
  g_auto (Run) edited = run_cli ("note", "edit", id, "Zebra orders are counted apart");
  g_auto (Run) history = run_cli ("note", "history", id, "--json");
  g_auto (Run) unknown = run_cli ("note", "history", "999999");
  g_autoptr (JsonNode) node = NULL;
  JsonArray *versions;

  g_assert_nonnull (strstr (retired.output, "\"retired_by\""));
  g_assert_cmpint (refused.exit_code, ==, 7);
  g_assert_cmpint (restored.exit_code, ==, 0);
  g_assert_cmpint (edited.exit_code, ==, 0);
  g_assert_cmpint (unknown.exit_code, ==, 7);
  versions = plumb_json_get_array (parse (history.output, &node), "versions");
  g_assert_cmpuint (json_array_get_length (versions), ==, 3);
  g_assert_cmpstr (plumb_json_get_string (json_array_get_object_element (versions, 0), "text", ""), ==,
                   "Zebra orders are test data");
  g_assert_cmpstr (plumb_json_get_string (json_array_get_object_element (versions, 2), "text", ""), ==,
                   "Zebra orders are counted apart");
}

static void
test_notes (void)
{
  g_auto (Run) added = run_cli ("note", "add", "sales.main.ORD_MST", "Zebra orders are test data", "--json");
  g_auto (Run) found = run_cli ("search", "zebra", "--json");
  g_autoptr (JsonNode) node = NULL;
  g_autoptr (JsonNode) added_node = NULL;
  g_autofree char *id = NULL;
  JsonObject *first;

  g_assert_cmpint (added.exit_code, ==, 0);
  first = json_array_get_object_element (plumb_json_get_array (parse (found.output, &node), "candidates"), 0);
  g_assert_cmpstr (plumb_json_get_string (first, "table", NULL), ==, "ORD_MST");
  g_assert_cmpuint (json_array_get_length (plumb_json_get_array (first, "notes")), >, 0);
  id = g_strdup_printf ("%" G_GINT64_FORMAT,
                        plumb_json_get_int (parse (added.output, &added_node), "id", 0));
  {
    g_auto (Run) removed = run_cli ("note", "remove", id);
    g_auto (Run) again = run_cli ("search", "zebra", "--json");
    g_autoptr (JsonNode) again_node = NULL;
    JsonArray *candidates = plumb_json_get_array (parse (again.output, &again_node), "candidates");

    g_assert_cmpint (removed.exit_code, ==, 0);
    for (guint i = 0; i < json_array_get_length (candidates); i++) {
      JsonArray *notes =
          plumb_json_get_array (json_array_get_object_element (candidates, i), "notes");

      for (guint j = 0; j < json_array_get_length (notes); j++)
        g_assert_null (strstr (plumb_json_get_string (json_array_get_object_element (notes, j), "text", ""),
                               "Zebra"));
    }
  }
  check_note_history (id);
}

/* Questions whose tables are known: written down, run, told apart when they get worse, removed. */
static void
test_questions (void)
{
  g_autofree char *path = g_build_filename (folder, "questions.jsonl", NULL);
  g_auto (Run) unknown = run_cli ("questions", "add", "Which zebras?", "NO_SUCH_TABLE");
  g_auto (Run) usage = run_cli ("questions", "add", "Which zebras?");
  g_auto (Run) none = run_cli ("questions", "list");
  g_auto (Run) added = run_cli ("questions", "add", "How many orders are unprocessed?", "ORD_MST", "--json");
  g_auto (Run) again = run_cli ("questions", "add", "How many orders are unprocessed?", "sales.main.ORD_MST");
  g_autoptr (JsonNode) node = NULL;
  JsonObject *object, *first;

  g_assert_cmpint (unknown.exit_code, ==, 7);
  g_assert_cmpint (usage.exit_code, ==, 2);
  g_assert_nonnull (strstr (none.output, "No questions yet"));
  g_assert_cmpint (added.exit_code, ==, 0);
  g_assert_cmpint (again.exit_code, ==, 0);
  g_assert_true (g_file_set_contents (path, "{\"question\":\"Which pizza was eaten?\",\"gold_tables\":[\"ORD_MST\"]}\n"
                                            "{\"question\":\"x\"}\n", -1, NULL));
  {
    g_auto (Run) broken = run_cli ("questions", "import", path);
    g_auto (Run) list = run_cli ("questions", "list", "--json");

    g_assert_cmpint (broken.exit_code, !=, 0);
    g_assert_nonnull (strstr (broken.errors, "Line 2"));
    g_assert_null (strstr (list.output, "pizza"));
    g_assert_nonnull (strstr (list.output, "\"not run\""));
  }
  g_assert_true (g_file_set_contents (path, "{\"question\":\"Which pizza was eaten?\",\"gold_tables\":[\"sales.main.EMP_SAL\"]}\n",
                                      -1, NULL));
  {
    g_auto (Run) imported = run_cli ("questions", "import", path, "--db", "sales");
    g_auto (Run) ran = run_cli ("questions", "run", "--json");

    g_assert_cmpint (imported.exit_code, ==, 0);
    object = parse (ran.output, &node);
    g_assert_cmpuint (json_array_get_length (plumb_json_get_array (object, "questions")), ==, 2);
    g_assert_cmpint (plumb_json_get_int (object, "complete", -1), ==, 1);
    first = json_array_get_object_element (plumb_json_get_array (object, "questions"), 0);
    g_assert_cmpstr (plumb_json_get_string (first, "state", NULL), ==, "found");
    g_assert_cmpint (json_array_get_int_element (plumb_json_get_array (first, "ranks"), 0), ==, 1);
  }
}

static void
test_addresses (void)
{
  g_autofree char *text_file = g_build_filename (folder, "no-database.sqlite", NULL);
  g_autofree char *text_uri = g_strconcat ("sqlite://", text_file, NULL);
  const char *const addresses[] = {
    "sqlite:///nowhere/at/all.sqlite", text_uri, "nonsense", "postgresql://", "gopher://host/db",
    "postgresql://reader@127.0.0.1:1/shop", "sqlite://", "postgresql://u@[::1",
  };

  g_assert_true (g_file_set_contents (text_file, "This is no database, but long enough to be read.", -1, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (addresses); i++) {
    g_auto (Run) run = run_cli ("source", "add", "wrong", addresses[i]);

    if (run.exit_code == 0)
      g_error ("“%s” was added", addresses[i]);
    g_assert_cmpstr (run.errors, !=, "");
  }
  {
    g_auto (Run) list = run_cli ("source", "list", "--json");

    g_assert_null (strstr (list.output, "\"wrong\""));
  }
}

static void
test_indexes (void)
{
  g_autofree char *other = g_build_filename (folder, "other.sqlite", NULL);
  g_autofree char *text = g_build_filename (folder, "text.sqlite", NULL);
  g_autofree char *newer = g_build_filename (folder, "newer.sqlite", NULL);
  sqlite3 *database = NULL;
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;
  gsize length = 0;

  g_assert_true (g_file_set_contents (text, "This is no index either, it is a piece of prose.", -1, NULL));
  g_assert_cmpint (sqlite3_open (other, &database), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_exec (database, "CREATE TABLE t (a)", NULL, NULL, NULL), ==, SQLITE_OK);
  sqlite3_close (database);
  {
    g_auto (Run) made = run_on (newer, "source", "list", NULL);

    g_assert_cmpint (made.exit_code, ==, 0);
  }
  g_assert_cmpint (sqlite3_open (newer, &database), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_exec (database, "PRAGMA journal_mode=DELETE; PRAGMA user_version = 9999", NULL, NULL, NULL), ==, SQLITE_OK);
  sqlite3_close (database);
  g_assert_true (g_file_get_contents (newer, &before, &length, NULL));
  {
    g_auto (Run) text_run = run_on (text, "source", "list", NULL);
    g_auto (Run) other_run = run_on (other, "source", "list", NULL);
    g_auto (Run) newer_run = run_on (newer, "source", "list", NULL);
    gsize after_length = 0;

    g_assert_cmpint (text_run.exit_code, ==, 1);
    g_assert_cmpint (other_run.exit_code, ==, 1);
    g_assert_cmpint (newer_run.exit_code, ==, 1);
    g_assert_nonnull (strstr (newer_run.errors, "newer"));
    g_assert_true (g_file_get_contents (newer, &after, &after_length, NULL));
    g_assert_cmpmem (before, length, after, after_length);
  }
}

static void
test_long_question (void)
{
  g_autofree char *question = g_strnfill (100000, 'x');
  g_auto (Run) ask = run_cli ("ask", question, "--json");
  g_auto (Run) search = run_cli ("search", question, "--json");

  g_assert_cmpint (ask.exit_code, ==, 2);
  g_assert_cmpint (search.exit_code, ==, 0);
}

/* A model endpoint that misbehaves in the way that its path says. */
static void
misbehave (SoupServer *server, SoupServerMessage *message, const char *path, GHashTable *query,
           gpointer user_data)
{
  guint status = atoi (path + 1);
  static const char html[] = "<html><body>Welcome to the router</body></html>";

  if (status == 0) {
    soup_server_message_set_status (message, 200, NULL);
    soup_server_message_set_response (message, "text/html", SOUP_MEMORY_STATIC, html, sizeof html - 1);
  } else {
    soup_server_message_set_status (message, status, NULL);
    soup_server_message_set_response (message, "application/json", SOUP_MEMORY_STATIC,
                                      "{\"error\":{\"message\":\"told off\"}}", 33);
  }
}

static gpointer
serve (gpointer data)
{
  g_autoptr (GMainContext) context = g_main_context_new ();
  g_autoptr (GMainLoop) loop = g_main_loop_new (context, FALSE);
  g_autoptr (SoupServer) server = NULL;
  g_autoptr (GError) error = NULL;
  GAsyncQueue *ready = data;
  g_autoslist (GUri) uris = NULL;

  g_main_context_push_thread_default (context);
  server = soup_server_new (NULL, NULL);
  soup_server_add_handler (server, NULL, misbehave, NULL, NULL);
  soup_server_listen_local (server, 0, SOUP_SERVER_LISTEN_IPV4_ONLY, &error);
  g_assert_no_error (error);
  uris = soup_server_get_uris (server);
  g_async_queue_push (ready, g_strdup_printf ("http://127.0.0.1:%d", g_uri_get_port (uris->data)));
  g_main_loop_run (loop);
  return NULL;
}

static void
test_model_faults (void)
{
  static const struct {
    const char *path;
    const char *expected;
  } faults[] = {
    { "/html", "address" }, { "/401", "key" }, { "/404", "404" }, { "/500", "told off" },
  };
  g_autoptr (GAsyncQueue) ready = g_async_queue_new ();
  g_autofree char *base = NULL;

  g_thread_unref (g_thread_new ("model", serve, ready));
  base = g_async_queue_pop (ready);
  for (guint i = 0; i < G_N_ELEMENTS (faults); i++) {
    g_autofree char *url = g_strconcat (base, faults[i].path, NULL);

    model_url = url;
    {
      g_auto (Run) run = run_cli ("ask", QUESTION);

      g_assert_cmpint (run.exit_code, ==, 1);
      if (strstr (run.errors, faults[i].expected) == NULL)
        g_error ("%s: %s", faults[i].path, run.errors);
      g_assert_null (strstr (run.errors, "secret-key"));
    }
    model_url = NULL;
  }
  model_url = "http://127.0.0.1:1";
  {
    g_auto (Run) run = run_cli ("ask", QUESTION);

    g_assert_cmpint (run.exit_code, ==, 1);
    g_assert_nonnull (strstr (run.errors, "127.0.0.1"));
  }
  model_url = NULL;
}

static void
remove_folder (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL) {
    g_autofree char *child = g_build_filename (path, name, NULL);

    if (g_file_test (child, G_FILE_TEST_IS_DIR) && !g_file_test (child, G_FILE_TEST_IS_SYMLINK))
      remove_folder (child);
    else
      g_unlink (child);
  }
  g_rmdir (path);
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  g_assert_nonnull (g_getenv ("PLUMBLINE_CLI"));
  folder = g_dir_make_tmp ("plumbline-cli-XXXXXX", NULL);
  demo_index = g_build_filename (folder, "index.sqlite", NULL);
  {
    g_auto (Run) demo = run_cli ("demo");

    if (demo.exit_code != 0)
      g_error ("the demo could not be built: %s", demo.errors);
  }
  g_test_add_func ("/cli/ask", test_ask);
  g_test_add_func ("/cli/search", test_search);
  g_test_add_func ("/cli/query", test_query);
  g_test_add_func ("/cli/export", test_export);
  g_test_add_func ("/cli/export-replace", test_export_replace);
  g_test_add_func ("/cli/export-interrupted", test_export_interrupted);
  g_test_add_func ("/cli/exit-codes", test_exit_codes);
  g_test_add_func ("/cli/json-alone", test_json_alone);
  g_test_add_func ("/cli/source-check", test_source_check);
  g_test_add_func ("/cli/no-permission", test_no_permission);
  g_test_add_func ("/cli/notes", test_notes);
  g_test_add_func ("/cli/questions", test_questions);
  g_test_add_func ("/cli/addresses", test_addresses);
  g_test_add_func ("/cli/indexes", test_indexes);
  g_test_add_func ("/cli/long-question", test_long_question);
  g_test_add_func ("/cli/model-faults", test_model_faults);
  status = g_test_run ();
  remove_folder (folder);
  g_free (folder);
  g_free (demo_index);
  return status;
}
