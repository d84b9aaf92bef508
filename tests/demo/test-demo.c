/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "demo-databases.h"
#include "plumb-json.h"

#include <math.h>
#include <sqlite3.h>
#include <string.h>
#include <time.h>

/* The demo databases are what the other tests, the README and the first run ask questions of. These
 * numbers are literal so that a changed generator is noticed; each was computed twice, by the SQL
 * here and by counting rows outside of SQL. */

typedef struct {
  char *folder;
  gint64 build_ms;
  GPtrArray *questions;
} Demo;

static Demo demo;

static sqlite3 *
open_database (const char *name)
{
  g_autofree char *file = g_strconcat (name, ".sqlite", NULL);
  g_autofree char *path = g_build_filename (demo.folder, file, NULL);
  sqlite3 *connection = NULL;

  g_assert_cmpint (sqlite3_open_v2 (path, &connection, SQLITE_OPEN_READONLY, NULL), ==, SQLITE_OK);
  return connection;
}

static void
append_cell (GString *text, sqlite3_stmt *statement, int column)
{
  switch (sqlite3_column_type (statement, column)) {
  case SQLITE_NULL:
    g_string_append (text, "NULL");
    break;
  case SQLITE_FLOAT:
    g_string_append_printf (text, "%.4f", sqlite3_column_double (statement, column));
    break;
  default:
    g_string_append (text, (const char *) sqlite3_column_text (statement, column));
  }
}

/* The rows of a statement as text: cells separated by "|", rows by "; ", fractions to 4 places. */
static char *
query (const char *database, const char *sql)
{
  g_autoptr (GString) text = g_string_new (NULL);
  sqlite3 *connection = open_database (database);
  sqlite3_stmt *statement = NULL;
  int n_columns;

  if (sqlite3_prepare_v2 (connection, sql, -1, &statement, NULL) != SQLITE_OK)
    g_error ("%s: %s", sql, sqlite3_errmsg (connection));
  n_columns = sqlite3_column_count (statement);
  while (sqlite3_step (statement) == SQLITE_ROW) {
    if (text->len > 0)
      g_string_append (text, "; ");
    for (int i = 0; i < n_columns; i++) {
      if (i > 0)
        g_string_append_c (text, '|');
      append_cell (text, statement, i);
    }
  }
  sqlite3_finalize (statement);
  sqlite3_close (connection);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static char *
expected_text (JsonArray *rows)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < json_array_get_length (rows); i++) {
    JsonArray *row = json_array_get_array_element (rows, i);

    if (i > 0)
      g_string_append (text, "; ");
    for (guint j = 0; j < json_array_get_length (row); j++) {
      JsonNode *node = json_array_get_element (row, j);

      if (j > 0)
        g_string_append_c (text, '|');
      if (JSON_NODE_HOLDS_NULL (node))
        g_string_append (text, "NULL");
      else if (json_node_get_value_type (node) == G_TYPE_DOUBLE)
        g_string_append_printf (text, "%.4f", json_node_get_double (node));
      else if (json_node_get_value_type (node) == G_TYPE_INT64)
        g_string_append_printf (text, "%" G_GINT64_FORMAT, json_node_get_int (node));
      else
        g_string_append (text, json_node_get_string (node));
    }
  }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static void
test_size (void)
{
  g_autofree char *tables =
      query ("sales", "SELECT count(*) >= 60 FROM sqlite_master WHERE type = 'table'");
  g_autofree char *lines = query ("sales", "SELECT count(*) FROM ORD_DTL");
  g_autofree char *wide =
      query ("sales", "SELECT count(*), max(CASE WHEN name = 'HAZ_CLS_CD' THEN cid END)"
                      " FROM pragma_table_info('PRD_ATTR_SHT')");

  g_assert_cmpstr (tables, ==, "1");
  g_assert_cmpstr (lines, ==, "252483");
  g_assert_cmpstr (wide, ==, "315|311");
  g_assert_cmpint (demo.build_ms, <, 20000); /* of processor time, which other work leaves alone */
}

static void
test_answers (void)
{
  guint n = 0;

  for (guint i = 0; i < demo.questions->len; i++) {
    JsonObject *question = json_node_get_object (g_ptr_array_index (demo.questions, i));
    g_autofree char *found = query (plumb_json_get_string (question, "database", NULL),
                                    plumb_json_get_string (question, "sql", NULL));
    g_autofree char *expected = expected_text (plumb_json_get_array (question, "answer"));

    g_test_message ("%s", plumb_json_get_string (question, "question", NULL));
    g_assert_cmpstr (found, ==, expected);
    n++;
  }
  g_assert_cmpuint (n, >=, 20);
}

/* The numbers that the README, the window's test and the tests of the whole loop rely on. */
static void
test_literal_answers (void)
{
  static const struct {
    guint id;
    const char *answer;
  } cases[] = {
    { 1, "320" },
    { 2, "1907" },
    { 3, "9150673.3000" },
    { 4, "672.1140" },
    { 5, "10|574; 15|152; 20|276; 30|476; 40|55325; 90|3197" },
    { 6, "10790" },
    { 7, "334" },
    { 8, "290" },
    { 9, "6474" },
    { 10, "192" },
    { 11, "219" },
    { 12, "93" },
    { 16, "59.4894" },
    { 17, "122" },
    { 18, "1354" },
    { 19, "154544.9900" },
    { 20, "394" },
    { 21, "283017" },
    { 22, "4282" },
    { 25, "1283" },
    { 26, "149.5873" },
    { 28, "71" },
    { 29, "320454.0400" },
    { 30, "539" },
    { 31, "362" },
    { 32, "756" },
    { 33, "11.7459" },
    { 34, "458.8300" },
    { 35, "P00831|Desk Plus" },
    { 36, "4670.0182" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    JsonNode *node = g_ptr_array_index (demo.questions, cases[i].id - 1);
    JsonObject *question = json_node_get_object (node);
    g_autofree char *found = query (plumb_json_get_string (question, "database", NULL),
                                    plumb_json_get_string (question, "sql", NULL));

    g_assert_cmpint (plumb_json_get_int (question, "id", 0), ==, cases[i].id);
    g_assert_cmpstr (found, ==, cases[i].answer);
  }
}

/* A statement on a copy runs without an error; it must give another number. */
static void
test_copies_differ (void)
{
  guint n = 0;

  for (guint i = 0; i < demo.questions->len; i++) {
    JsonObject *question = json_node_get_object (g_ptr_array_index (demo.questions, i));
    const char *database = plumb_json_get_string (question, "database", NULL);
    const char *sql = plumb_json_get_string (question, "sql", NULL);
    g_auto (GStrv) tables = plumb_json_get_strv (question, "tables");
    g_auto (GStrv) copies = plumb_json_get_strv (question, "copies");
    g_autofree char *pattern = g_strdup_printf ("\\b%s\\b", tables[0]);
    g_autoptr (GRegex) live = g_regex_new (pattern, 0, 0, NULL);
    g_autofree char *right = query (database, sql);

    for (guint j = 0; copies != NULL && copies[j] != NULL; j++) {
      g_autofree char *wrong_sql = g_regex_replace_literal (live, sql, -1, 0, copies[j], 0, NULL);
      g_autofree char *wrong = query (database, wrong_sql);

      g_assert_cmpstr (wrong, !=, right);
      n++;
    }
  }
  g_assert_cmpuint (n, >, 30);
}

/* Days end where the demo's today begins, and what is declared to refer to a row does. */
static void
test_consistent (void)
{
  g_autofree char *last =
      query ("sales", "SELECT max(ORD_DT), max(UPD_DTM) < '2026-11-30' FROM ORD_MST");
  g_autofree char *shipped = query ("sales", "SELECT max(SHP_DT), max(DLV_DT) FROM SHP_MST");

  g_assert_cmpstr (last, ==, "2026-11-29|1");
  g_assert_cmpstr (shipped, ==, "2026-11-29|2026-11-29");
  for (guint i = 0; i < 3; i++) {
    static const char *const names[] = { "sales", "crm", "billing" };
    g_autofree char *orphans = query (names[i], "SELECT count(*) FROM pragma_foreign_key_check");

    g_assert_cmpstr (orphans, ==, "0");
  }
}

static void
load_questions (void)
{
  g_autofree char *path = demo_databases_source_path ("questions.jsonl");
  g_autofree char *content = NULL;
  g_auto (GStrv) lines = NULL;

  g_assert_true (g_file_get_contents (path, &content, NULL, NULL));
  lines = g_strsplit (g_strchomp (content), "\n", -1);
  demo.questions = g_ptr_array_new_with_free_func ((GDestroyNotify) json_node_unref);
  for (guint i = 0; lines[i] != NULL; i++) {
    g_autoptr (GError) error = NULL;
    JsonNode *node = plumb_json_parse (lines[i], -1, &error);

    g_assert_no_error (error);
    g_ptr_array_add (demo.questions, node);
  }
}

int
main (int argc, char **argv)
{
  clock_t start;
  int result;

  g_test_init (&argc, &argv, NULL);
  demo.folder = g_dir_make_tmp ("plumbline-demo-XXXXXX", NULL);
  start = clock ();
  demo_databases_build (demo.folder);
  demo.build_ms = (gint64) (clock () - start) * 1000 / CLOCKS_PER_SEC;
  load_questions ();

  g_test_add_func ("/demo/size", test_size);
  g_test_add_func ("/demo/answers", test_answers);
  g_test_add_func ("/demo/literal-answers", test_literal_answers);
  g_test_add_func ("/demo/copies-differ", test_copies_differ);
  g_test_add_func ("/demo/consistent", test_consistent);
  result = g_test_run ();

  g_ptr_array_unref (demo.questions);
  demo_databases_remove (demo.folder);
  g_free (demo.folder);
  return result;
}
