/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-eval.h"

#include <glib/gstdio.h>
#include <sqlite3.h>
#include <string.h>

/* A floor: when search gets worse than this on the small set, something broke. */
#define FLOOR_COMPLETE 0.9

static char *
get_data (const char *name)
{
  return g_test_build_filename (G_TEST_DIST, "eval", "data", name, NULL);
}

static PlumbEvalReport *
run (PlumbEvalOptions *options, GError **error)
{
  g_autofree char *schemas = get_data ("schemas");
  g_autofree char *set = get_data ("questions.jsonl");
  const char *sets[] = { set, NULL };
  const char *catalogs[] = { schemas, NULL };

  if (options->sets == NULL)
    options->sets = sets;
  if (options->catalogs == NULL)
    options->catalogs = catalogs;
  return plumb_eval_run (NULL, options, NULL, NULL, NULL, error);
}

static JsonObject *
get_set (JsonNode *node)
{
  return json_array_get_object_element (plumb_json_get_array (json_node_get_object (node), "sets"), 0);
}

static void
test_floor (void)
{
  g_autoptr (GError) error = NULL;
  PlumbEvalOptions options = { 0 };
  g_autoptr (PlumbEvalReport) report = run (&options, &error);

  g_assert_no_error (error);
  g_assert_cmpfloat (plumb_eval_report_get_complete (report, 0, 5), >=, FLOOR_COMPLETE);
}

/* Korean and Japanese questions on English names, and English ones on Korean names: languages that no
 * public set has. */
static void
test_languages (void)
{
  g_autofree char *set = get_data ("languages.jsonl");
  g_autofree char *english = get_data ("schemas");
  g_autofree char *korean = get_data ("schemas-ko");
  const char *sets[] = { set, NULL }, *catalogs[] = { english, korean, NULL };
  PlumbEvalOptions options = { .sets = sets, .catalogs = catalogs };
  g_autoptr (GError) error = NULL;
  g_autoptr (PlumbEvalReport) report = run (&options, &error);

  g_assert_no_error (error);
  g_assert_cmpfloat (plumb_eval_report_get_complete (report, 0, 5), >=, FLOOR_COMPLETE);
}

static void
test_json (void)
{
  static const char *const members[] = { "set", "questions", "recall", "complete", "mrr", "copies_before_live",
                                         "latency_ms", "tables", "lists" };
  g_autoptr (GError) error = NULL;
  PlumbEvalOptions options = { .k = 3 };
  g_autoptr (PlumbEvalReport) report = run (&options, &error);
  g_autofree char *json = plumb_eval_report_to_json (report);
  g_autofree char *text = plumb_eval_report_to_text (report);
  g_autoptr (JsonNode) node = plumb_json_parse (json, -1, &error);
  JsonObject *set;

  g_assert_no_error (error);
  set = get_set (node);
  for (guint i = 0; i < G_N_ELEMENTS (members); i++)
    g_assert_true (json_object_has_member (set, members[i]));
  g_assert_cmpstr (plumb_json_get_string (set, "set", NULL), ==, "questions");
  g_assert_cmpint (plumb_json_get_int (set, "questions", 0), ==, 24);
  g_assert_true (json_object_has_member (plumb_json_get_object (set, "recall"), "3"));
  g_assert_true (json_object_has_member (plumb_json_get_object (set, "complete"), "15"));
  g_assert_cmpint (plumb_json_get_int (set, "tables", 0), ==, 14);
  g_assert_nonnull (strstr (text, "questions"));
}

static void
test_copies (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *copies = get_data ("copies.jsonl");
  PlumbEvalOptions options = { .copies = copies };
  g_autoptr (PlumbEvalReport) report = run (&options, &error);
  g_autofree char *json = NULL;
  g_autoptr (JsonNode) node = NULL;

  g_assert_no_error (error);
  json = plumb_eval_report_to_json (report);
  node = plumb_json_parse (json, -1, NULL);
  g_assert_cmpint (plumb_json_get_int (get_set (node), "tables", 0), ==, 18);
  g_assert_cmpfloat (plumb_json_get_double (get_set (node), "copies_before_live", 1), ==, 0);
  g_assert_cmpfloat (plumb_eval_report_get_complete (report, 0, 5), >=, FLOOR_COMPLETE);
}

static void
test_baseline (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_dir_make_tmp ("plumb-eval-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "run.json", NULL);
  PlumbEvalOptions first_options = { .plain = TRUE, .k = 2 };
  PlumbEvalOptions second_options = { .baseline = path, .k = 2 };
  g_autoptr (PlumbEvalReport) first = run (&first_options, &error);
  g_autoptr (PlumbEvalReport) second = NULL;
  g_autofree char *earlier = NULL;
  g_autofree char *json = NULL;
  g_autoptr (JsonNode) node = NULL;

  g_assert_no_error (error);
  earlier = plumb_eval_report_to_json (first);
  g_assert_true (g_file_set_contents (path, earlier, -1, NULL));
  second = run (&second_options, &error);
  g_assert_no_error (error);
  json = plumb_eval_report_to_json (second);
  node = plumb_json_parse (json, -1, NULL);
  /* The baseline knows no other words and no other language: it can only have been worse. */
  g_assert_cmpuint (json_array_get_length (plumb_json_get_array (get_set (node), "better")), >, 0);
  g_assert_cmpuint (json_array_get_length (plumb_json_get_array (get_set (node), "worse")), ==, 0);
  g_unlink (path);
  g_rmdir (folder);
}

/* Without word lists questions in other languages find less. */
static void
test_without (void)
{
  g_autoptr (GError) error = NULL;
  const char *without[] = { "translations", NULL }, *unknown[] = { "luck", NULL };
  PlumbEvalOptions all_options = { 0 }, options = { .without = without }, unknown_options = { .without = unknown };
  g_autoptr (PlumbEvalReport) all = run (&all_options, &error);
  g_autoptr (PlumbEvalReport) report = run (&options, &error);

  g_assert_no_error (error);
  g_assert_cmpfloat (plumb_eval_report_get_complete (report, 0, 5), <, plumb_eval_report_get_complete (all, 0, 5));
  g_assert_null (run (&unknown_options, &error));
  g_assert_error (error, PLUMB_ERROR, PLUMB_ERROR_INVALID_ARGUMENT);
}

static void
test_apart_and_limit (void)
{
  g_autoptr (GError) error = NULL;
  PlumbEvalOptions options = { .apart = TRUE, .limit = 6 };
  g_autoptr (PlumbEvalReport) report = run (&options, &error);
  g_autofree char *json = NULL;
  g_autoptr (JsonNode) node = NULL;

  g_assert_no_error (error);
  json = plumb_eval_report_to_json (report);
  node = plumb_json_parse (json, -1, NULL);
  g_assert_cmpint (plumb_json_get_int (get_set (node), "questions", 0), ==, 6);
  g_assert_cmpfloat (plumb_eval_report_get_complete (report, 0, 8), ==, 1);
}

static void
test_approved (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *set = get_data ("questions.jsonl");
  PlumbEvalOptions options = { .approved = set };
  g_autoptr (PlumbEvalReport) report = run (&options, &error);

  /* Questions don't vote for themselves: nothing changes. */
  g_assert_no_error (error);
  g_assert_cmpfloat (plumb_eval_report_get_complete (report, 0, 5), >=, FLOOR_COMPLETE);
}

#define SHOP \
  "CREATE TABLE orders (order_id INTEGER PRIMARY KEY, status TEXT, amount REAL);" \
  "INSERT INTO orders VALUES (1, 'open', 10.5), (2, 'open', 4), (3, 'closed', 6);" \
  "CREATE TABLE student (student_id INTEGER PRIMARY KEY, name TEXT);" \
  "INSERT INTO student VALUES (1, 'Kyle'), (2, 'Jordan'), (3, 'Cassandra');" \
  "CREATE TABLE friend (student_id INTEGER REFERENCES student (student_id)," \
  "  friend_id INTEGER REFERENCES student (student_id), PRIMARY KEY (student_id, friend_id));" \
  "INSERT INTO friend VALUES (1, 2), (2, 1), (3, 1);"
#define SHOP_SCHEMA \
  "{\"db\":\"test/shop\",\"tables\":[{\"name\":\"orders\",\"columns\":[{\"name\":\"order_id\",\"type\":\"INTEGER\"}," \
  "{\"name\":\"status\",\"type\":\"TEXT\"},{\"name\":\"amount\",\"type\":\"REAL\"}],\"primary_key\":[\"order_id\"]," \
  "\"foreign_keys\":[]}]}"

/* Two keys lead from friend to student, and the sixth question doesn't say which is meant, so that it is
 * declined. Of the others the first two are answered, the second against a gold statement that says otherwise; the
 * planner declines the third; the last two have no rows to run on, or nothing to compare with. */
#define SHOP_SET \
  "{\"id\":\"1\",\"db\":\"test/shop\",\"question\":\"How many orders are there?\",\"gold_tables\":[\"orders\"]," \
  "\"gold_sql\":\"SELECT 3.0\",\"sqlite_file\":\"shop.sqlite\"}\n" \
  "{\"id\":\"2\",\"db\":\"test/shop\",\"question\":\"What is the total amount of orders?\",\"gold_tables\":[\"orders\"]," \
  "\"gold_sql\":\"SELECT 21\",\"sqlite_file\":\"shop.sqlite\"}\n" \
  "{\"id\":\"3\",\"db\":\"test/shop\",\"question\":\"Which orders smell of violets in a thunderstorm?\"," \
  "\"gold_tables\":[\"orders\"],\"gold_sql\":\"SELECT 1\",\"sqlite_file\":\"shop.sqlite\"}\n" \
  "{\"id\":\"6\",\"db\":\"test/shop\",\"question\":\"Count the number of friends Kyle has.\"," \
  "\"gold_tables\":[\"orders\"],\"gold_sql\":\"SELECT 2\",\"sqlite_file\":\"shop.sqlite\"}\n" \
  "{\"id\":\"4\",\"db\":\"test/shop\",\"question\":\"How many orders?\",\"gold_tables\":[\"orders\"],\"gold_sql\":\"SELECT 3\"}\n" \
  "{\"id\":\"5\",\"db\":\"test/shop\",\"question\":\"How many orders?\",\"gold_tables\":[\"orders\"],\"sqlite_file\":\"shop.sqlite\"}\n"

static void
write_shop (const char *path)
{
  sqlite3 *db;

  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_exec (db, SHOP, NULL, NULL, NULL), ==, SQLITE_OK);
  sqlite3_close (db);
}

/* The whole loop answers, and its results are held against those of the gold statements. */
static void
test_answers (void)
{
  g_autofree char *folder = g_dir_make_tmp ("plumb-eval-XXXXXX", NULL);
  g_autofree char *file = g_build_filename (folder, "shop.sqlite", NULL);
  g_autofree char *schema = g_build_filename (folder, "shop.json", NULL);
  g_autofree char *set_path = g_build_filename (folder, "set.jsonl", NULL);
  const char *sets[] = { set_path, NULL };
  const char *catalogs[] = { schema, NULL };
  PlumbEvalOptions options = { .sets = sets, .catalogs = catalogs, .answer = TRUE };
  g_autoptr (GError) error = NULL;
  g_autoptr (PlumbEvalReport) report = NULL;
  g_autofree char *json = NULL;
  g_autofree char *text = NULL;
  g_autoptr (JsonNode) node = NULL;
  JsonObject *set;

  write_shop (file);
  g_assert_true (g_file_set_contents (schema, SHOP_SCHEMA, -1, NULL));
  g_assert_true (g_file_set_contents (set_path, SHOP_SET, -1, NULL));
  report = run (&options, &error);
  g_assert_no_error (error);
  json = plumb_eval_report_to_json (report);
  text = plumb_eval_report_to_text (report);
  node = plumb_json_parse (json, -1, NULL);
  set = get_set (node);
  g_assert_cmpint (plumb_json_get_int (set, "questions", 0), ==, 6);
  g_assert_cmpint (plumb_json_get_int (set, "asked", 0), ==, 4);
  g_assert_cmpfloat_with_epsilon (plumb_json_get_double (set, "executed", 0), 2 / 4.0, 0.001);
  g_assert_cmpfloat_with_epsilon (plumb_json_get_double (set, "answered", 0), 2 / 4.0, 0.001);
  g_assert_cmpfloat_with_epsilon (plumb_json_get_double (set, "equal", 0), 1 / 4.0, 0.001);
  g_assert_cmpfloat_with_epsilon (plumb_json_get_double (set, "precision", 0), 0.5, 0.001);
  g_assert_cmpfloat (plumb_json_get_double (plumb_json_get_object (set, "statements"), "p95", 0), ==, 1);
  g_assert_cmpfloat (plumb_json_get_double (plumb_json_get_object (set, "rounds"), "median", 0), >, 1);
  g_assert_nonnull (strstr (text, "asked 4"));
  g_unlink (file);
  g_unlink (schema);
  g_unlink (set_path);
  g_rmdir (folder);
}

static void
test_faults (void)
{
  g_autofree char *folder = g_dir_make_tmp ("plumb-eval-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "broken.jsonl", NULL);
  const char *sets[] = { path, NULL };
  const char *missing[] = { "/nonexistent/set.jsonl", NULL };
  PlumbEvalOptions options = { .sets = sets };
  PlumbEvalOptions no_file = { .sets = missing };
  g_autoptr (GError) error = NULL;

  g_assert_true (g_file_set_contents (path, "{\"id\": \"a\"}\nnot json\n", -1, NULL));
  g_assert_null (run (&options, &error));
  g_assert_error (error, PLUMB_ERROR, PLUMB_ERROR_INVALID_ARGUMENT);
  g_assert_nonnull (strstr (error->message, "Line 2"));
  g_clear_error (&error);
  g_assert_true (g_file_set_contents (path, "{\"id\":\"a\",\"db\":\"none/such\",\"question\":\"q\",\"gold_tables\":[\"t\"]}\n", -1, NULL));
  g_assert_null (run (&options, &error));
  g_assert_error (error, PLUMB_ERROR, PLUMB_ERROR_NOT_FOUND);
  g_clear_error (&error);
  g_assert_null (run (&no_file, &error));
  g_assert_nonnull (error);
  g_unlink (path);
  g_rmdir (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/eval/floor", test_floor);
  g_test_add_func ("/eval/languages", test_languages);
  g_test_add_func ("/eval/json", test_json);
  g_test_add_func ("/eval/copies", test_copies);
  g_test_add_func ("/eval/baseline", test_baseline);
  g_test_add_func ("/eval/without", test_without);
  g_test_add_func ("/eval/apart-and-limit", test_apart_and_limit);
  g_test_add_func ("/eval/approved", test_approved);
  g_test_add_func ("/eval/answers", test_answers);
  g_test_add_func ("/eval/faults", test_faults);
  return g_test_run ();
}
