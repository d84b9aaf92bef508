/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "agent-fixture.h"

#include <sqlite3.h>
#include <string.h>

static const char policy[] =
    "[role clerk]\nallow=*;\ndeny=shop.*.salary;shop.*.customer.email;depot.*;\n";

static void
set_up (AgentFixture *f, gconstpointer data)
{
  agent_fixture_set_up (f, data);
}

static void
tear_down (AgentFixture *f, gconstpointer data)
{
  agent_fixture_tear_down (f);
}

static JsonObject *
parse (const char *json, JsonNode **node)
{
  g_autoptr (GError) error = NULL;

  *node = plumb_json_parse (json, -1, &error);
  g_assert_no_error (error);
  return json_node_get_object (*node);
}

static void
assert_says (const char *message, const char *part)
{
  if (strstr (message, part) == NULL)
    g_error ("“%s” does not say “%s”", message, part);
}

/* Calls with arguments that a model gets wrong, and a part of what it is told. */
static const struct {
  const char *tool;
  const char *arguments;
  const char *says;
} bad_calls[] = {
  { "search_tables", "orders", "are no JSON" },
  { "search_tables", "{\"query\":\"orders\",}", "are no JSON" },
  { "search_tables", "[\"orders\"]", "must be one JSON object, not an array" },
  { "search_tables", "", "search_tables needs the argument query" },
  { "search_tables", "{}", "search_tables needs the argument query" },
  { "search_tables", "{\"query\":\"\"}", "query must not be empty" },
  { "search_tables", "{\"query\":7}", "query must be a string, not a number" },
  { "search_tables", "{\"query\":\"x\",\"limit\":\"8\"}",
    "limit must be a whole number such as 8, not a string" },
  { "search_tables", "{\"query\":\"x\",\"limit\":31}", "from 1 to 30" },
  { "search_tables", "{\"query\":\"x\",\"limit\":2.5}", "limit must be a whole number" },
  { "search_tables", "{\"query\":\"x\",\"databases\":{}}",
    "databases must be an array of strings, not an object; known databases: " },
  { "search_tables", "{\"query\":\"x\",\"databases\":[1]}",
    "databases must be an array of strings" },
  { "search_tables", "{\"question\":\"x\"}",
    "has no argument “question”. Its arguments: query, databases, limit." },
  { "run_query", "{\"sql\":\"SELECT 1\"}",
    "run_query needs the argument database; known databases: " },
  { "run_query", "{\"database\":\"shop\"}", "run_query needs the argument sql" },
  { "run_query", "{\"database\":null,\"sql\":\"SELECT 1\"}", "needs the argument database" },
  { "get_table_card", "{\"table\":[\"orders\"]}", "table must be a string, not an array" },
  { "get_table_card", "{\"table\":\"a.b.c.d\"}", "is no table name" },
  { "get_table_card", "{\"table\":\"\\\"orders\"}", "without a closing one" },
  { "find_join_path", "{\"tables\":[\"orders\"]}", "at least 2" },
  { "find_join_path", "{\"tables\":\"orders\"}", "at least 2" },
  { "export_query", "{\"format\":\"pdf\",\"result_id\":\"r1\"}",
    "format must be one of csv, xlsx, jsonl" },
  { "export_query", "{\"format\":\"csv\"}", "either result_id alone, or database and sql" },
  { "export_query", "{\"format\":\"csv\",\"database\":\"shop\"}",
    "either result_id alone, or database and sql" },
  { "save_table_note", "{\"table\":\"orders\"}", "needs the argument text" },
};

static void
test_bad_arguments (AgentFixture *f, gconstpointer data)
{
  for (guint i = 0; i < G_N_ELEMENTS (bad_calls); i++) {
    g_autofree char *message = agent_fixture_fail (f, bad_calls[i].tool, bad_calls[i].arguments,
                                                   PLUMB_ERROR, PLUMB_ERROR_INVALID_ARGUMENT);

    assert_says (message, bad_calls[i].says);
  }
  g_assert_cmpuint (agent_fixture_count_audit (f), ==, 0);
}

static void
test_deep_arguments (AgentFixture *f, gconstpointer data)
{
  g_autofree char *deep = g_strnfill (100000, '[');
  g_autofree char *arguments = g_strconcat ("{\"query\":", deep, NULL);
  g_autofree char *message =
      agent_fixture_fail (f, "search_tables", arguments, PLUMB_ERROR, PLUMB_ERROR_INVALID_ARGUMENT);

  assert_says (message, "too deeply nested");
}

/* A message that quotes the model keeps to a cap. */
static void
test_long_arguments (AgentFixture *f, gconstpointer data)
{
  g_autofree char *name = g_strnfill (200000, 'x');
  g_autofree char *table = g_strdup_printf ("{\"table\":\"%s\"}", name);
  g_autofree char *database = g_strdup_printf ("{\"database\":\"%s\",\"sql\":\"SELECT 1\"}", name);
  g_autofree char *no_table = agent_fixture_fail (f, "get_table_card", table, PLUMB_ERROR,
                                                  PLUMB_ERROR_NOT_FOUND);
  g_autofree char *no_database = agent_fixture_fail (f, "run_query", database, PLUMB_ERROR,
                                                     PLUMB_ERROR_NOT_FOUND);

  g_assert_cmpuint (strlen (no_table), <=, 4096);
  g_assert_cmpuint (strlen (no_database), <=, 4096);
}

static void
test_unknown_names (AgentFixture *f, gconstpointer data)
{
  g_autofree char *tool =
      agent_fixture_fail (f, "drop_tables", "{}", PLUMB_ERROR, PLUMB_ERROR_NOT_FOUND);
  g_autofree char *database = agent_fixture_fail (f, "list_tables", "{\"database\":\"shopp\"}",
                                                  PLUMB_ERROR, PLUMB_ERROR_NOT_FOUND);
  g_autofree char *table = agent_fixture_fail (
      f, "get_table_card", "{\"table\":\"shop.main.order\"}", PLUMB_ERROR, PLUMB_ERROR_NOT_FOUND);
  g_autofree char *column =
      agent_fixture_fail (f, "get_table_card", "{\"table\":\"orders\",\"columns\":[\"statuss\"]}",
                          PLUMB_ERROR, PLUMB_ERROR_NOT_FOUND);
  g_autofree char *result =
      agent_fixture_fail (f, "export_query", "{\"format\":\"csv\",\"result_id\":\"r99\"}",
                          PLUMB_ERROR, PLUMB_ERROR_NOT_FOUND);

  assert_says (tool, "There is no tool “drop_tables”");
  assert_says (tool, "run_query");
  assert_says (database, "Did you mean “shop”?");
  assert_says (table, "shop.main.orders");
  assert_says (column, "Did you mean “status”?");
  assert_says (result, "There is no result");
}

static void
test_lenient (AgentFixture *f, gconstpointer data)
{
  g_autofree char *one = agent_fixture_call (
      f, "search_tables", "{\"query\":\"orders\",\"databases\":\"shop\",\"limit\":3.0}");
  g_autofree char *null = agent_fixture_call (
      f, "search_tables", " {\"query\":\"orders\",\"databases\":null,\"limit\":null} ");
  g_autofree char *full =
      agent_fixture_call (f, "get_table_card", "{\"table\":\"shop.main.orders\"}");
  g_autofree char *brief = agent_fixture_call (f, "get_table_card", "{\"table\":\"orders\"}");

  assert_says (one, "\"table\":\"orders\"");
  assert_says (null, "\"table\":\"orders\"");
  g_assert_cmpstr (full, ==, brief);
}

static void
test_search (AgentFixture *f, gconstpointer data)
{
  g_autofree char *json =
      agent_fixture_call (f, "search_tables", "{\"query\":\"orders not yet processed\"}");
  g_autoptr (JsonNode) node = NULL;
  JsonObject *object = parse (json, &node);
  JsonArray *candidates = plumb_json_get_array (object, "candidates");
  JsonObject *first = json_array_get_object_element (candidates, 0);
  JsonObject *codes = plumb_json_get_object (first, "code_values");
  g_auto (GStrv) joins = plumb_json_get_strv (first, "joins");

  g_assert_cmpstr (plumb_json_get_string (first, "table", NULL), ==, "orders");
  g_assert_cmpstr (plumb_json_get_string (first, "database", NULL), ==, "shop");
  g_assert_cmpstr (plumb_json_get_string (first, "status", NULL), ==, "live");
  g_assert_cmpstr (plumb_json_get_string (first, "engine", NULL), ==, "SQLite");
  g_assert_cmpstr (plumb_json_get_string (plumb_json_get_object (codes, "status"), "open", NULL),
                   ==, "not yet processed");
  g_assert_cmpstr (joins[0], ==, "customer_id → main.customer.id (N:1, declared, trust 1)");
  g_assert_nonnull (f->context.candidates);
}

static void
test_card_of_wide_table (AgentFixture *f, gconstpointer data)
{
  g_autofree char *json = NULL;
  g_autofree char *picked = NULL;
  g_autoptr (JsonNode) node = NULL;
  JsonObject *object;
  JsonArray *columns;

  f->context.question = "At which escalation level are we?";
  json = agent_fixture_call (f, "get_table_card", "{\"table\":\"wide\"}");
  object = parse (json, &node);
  columns = plumb_json_get_array (object, "columns");
  g_assert_cmpuint (json_array_get_length (columns), ==, 320);
  g_assert_cmpstr (
      plumb_json_get_string (json_array_get_object_element (columns, 319), "name", NULL), ==,
      "escalation_level");
  g_assert_cmpstr (
      plumb_json_get_string (json_array_get_object_element (columns, 300), "type", NULL), ==,
      "NUMERIC");
  picked = agent_fixture_call (f, "get_table_card",
                               "{\"table\":\"wide\",\"columns\":\"escalation_level\"}");
  g_assert_cmpuint (strlen (picked), <, 1000);
}

static void
test_join_path (AgentFixture *f, gconstpointer data)
{
  g_autofree char *json =
      agent_fixture_call (f, "find_join_path", "{\"tables\":[\"orders\",\"shop.main.customer\"]}");
  g_autofree char *none =
      agent_fixture_call (f, "find_join_path", "{\"tables\":[\"orders\",\"salary\"]}");
  g_autofree char *apart =
      agent_fixture_fail (f, "find_join_path", "{\"tables\":[\"orders\",\"stock\"]}", PLUMB_ERROR,
                          PLUMB_ERROR_INVALID_ARGUMENT);
  g_autoptr (JsonNode) node = NULL;
  JsonObject *step =
      json_array_get_object_element (plumb_json_get_array (parse (json, &node), "path"), 0);

  g_assert_cmpint (plumb_json_get_int (step, "trust", 0), ==, 1);
  assert_says (plumb_json_get_string (step, "instruction", ""), "Use");
  assert_says (json, "[\"customer_id\",\"id\"]");
  assert_says (none, "\"path\":null");
  assert_says (none, "\"reason\":");
  assert_says (apart, "different databases (shop and depot)");
}

static void
test_list_tables (AgentFixture *f, gconstpointer data)
{
  g_autofree char *all = agent_fixture_call (f, "list_tables", "{\"database\":\"shop\"}");
  g_autofree char *some =
      agent_fixture_call (f, "list_tables", "{\"database\":\"shop\",\"pattern\":\"ORDER*\"}");
  g_autofree char *part =
      agent_fixture_call (f, "list_tables", "{\"database\":\"shop\",\"pattern\":\"_ba\"}");

  assert_says (all, "\"total\":10");
  assert_says (some, "[\"main.orders\",\"main.orders_bak\"]");
  assert_says (part, "[\"main.orders_bak\"]");
}

static void
test_run (AgentFixture *f, gconstpointer data)
{
  g_autofree char *json = agent_fixture_call (
      f, "run_query",
      "{\"database\":\"shop\",\"sql\":\"SELECT COUNT(*) AS n FROM orders WHERE status = 'open'\"}");
  g_autoptr (JsonNode) node = NULL;
  JsonObject *object = parse (json, &node);
  g_autoptr (PlumbAuditRecord) record = plumb_index_get_audit (f->index, f->context.audit_id, NULL);

  g_assert_cmpint (json_array_get_int_element (
                       json_array_get_array_element (plumb_json_get_array (object, "rows"), 0), 0),
                   ==, 5);
  g_assert_cmpint (json_array_get_length (plumb_json_get_array (object, "warnings")), ==, 0);
  assert_says (plumb_json_get_string (object, "result_id", ""), "r");
  g_assert_nonnull (record);
  g_assert_cmpint (record->state, ==, PLUMB_STATE_DONE);
  g_assert_cmpint (record->row_count, ==, 1);
  g_assert_cmpstr (record->tables[0], ==, "main.orders");
  g_assert_cmpstr (record->origin, ==, "ask");
  assert_says (record->result, "[[5]]");
}

static void
test_run_exact_and_capped (AgentFixture *f, gconstpointer data)
{
  g_autofree char *exact = agent_fixture_call (
      f, "run_query", "{\"database\":\"shop\",\"sql\":\"SELECT amount FROM orders WHERE id = 8\"}");
  g_autofree char *rows = agent_fixture_call (
      f, "run_query", "{\"database\":\"shop\",\"sql\":\"SELECT id FROM orders\",\"max_rows\":3}");
  g_autofree char *bytes =
      agent_fixture_call (f, "run_query",
                          "{\"database\":\"shop\",\"sql\":\"WITH RECURSIVE n (i) AS (SELECT 1 "
                          "UNION ALL SELECT i + 1 FROM n WHERE i < 400) "
                          "SELECT i, '\\u0001\\u0002 a long text that is repeated for each of the "
                          "rows, so that they do not fit' FROM n\"}");

  assert_says (exact, "\"9007199254740993\"");
  assert_says (rows, "\"row_count\":3,\"truncated\":true,\"truncated_by\":\"rows\"");
  assert_says (bytes, "\"rows_left_out\":");
  assert_says (bytes, "\"row_count\":400");
}

static void
test_run_refused (AgentFixture *f, gconstpointer data)
{
  g_autofree char *write =
      agent_fixture_fail (f, "run_query", "{\"database\":\"shop\",\"sql\":\"DELETE FROM orders\"}",
                          PLUMB_ERROR, PLUMB_ERROR_REFUSED);
  g_autofree char *two =
      agent_fixture_fail (f, "run_query", "{\"database\":\"shop\",\"sql\":\"SELECT 1; SELECT 2\"}",
                          PLUMB_ERROR, PLUMB_ERROR_REFUSED);

  assert_says (write, "was refused and not run");
  g_assert_nonnull (two);
  g_assert_cmpuint (agent_fixture_count_audit (f), ==, 0);
}

static void
test_warnings (AgentFixture *f, gconstpointer data)
{
  g_autofree char *copy = agent_fixture_call (
      f, "run_query", "{\"database\":\"shop\",\"sql\":\"SELECT COUNT(*) FROM orders_bak\"}");
  g_autofree char *empty =
      agent_fixture_call (f, "run_query",
                          "{\"database\":\"shop\",\"sql\":\"SELECT COUNT(*) FROM orders o JOIN "
                          "customer c ON o.customer_id = c.id WHERE c.name = 'Zoe'\"}");
  g_autofree char *fan =
      agent_fixture_call (f, "run_query",
                          "{\"database\":\"shop\",\"sql\":\"SELECT COUNT(*), SUM(c.id) FROM "
                          "customer c JOIN orders o ON o.customer_id = c.id\"}");

  assert_says (copy, "backup copy of main.orders");
  assert_says (empty, "The inner join gave no rows");
  assert_says (fan, "\"warnings\":[\"");
}

static void
test_explain (AgentFixture *f, gconstpointer data)
{
  g_autofree char *json = agent_fixture_call (
      f, "explain_query", "{\"database\":\"shop\",\"sql\":\"SELECT * FROM orders WHERE id = 3\"}");
  g_autofree char *message = agent_fixture_fail (
      f, "explain_query", "{\"database\":\"shop\",\"sql\":\"DROP TABLE orders\"}", PLUMB_ERROR,
      PLUMB_ERROR_REFUSED);

  assert_says (json, "orders");
  assert_says (json, "\"check\":\"allow\"");
  g_assert_nonnull (message);
  g_assert_cmpuint (agent_fixture_count_audit (f), ==, 1);
}

static void
test_note (AgentFixture *f, gconstpointer data)
{
  g_autofree char *json = agent_fixture_call (f, "save_table_note",
                                              "{\"table\":\"orders\",\"text\":\"Closed in 2025\"}");
  g_autoptr (GPtrArray) notes =
      plumb_index_list_notes (f->index, "shop", "main", "orders", FALSE, NULL);
  const PlumbNote *note = g_ptr_array_index (notes, 0);

  assert_says (json, "\"table\":\"shop.main.orders\"");
  g_assert_cmpuint (notes->len, ==, 1);
  g_assert_cmpstr (note->origin, ==, "conversation");
  g_assert_cmpstr (note->text, ==, "Closed in 2025");
}

static char *
export_to (AgentFixture *f, const char *arguments)
{
  g_autofree char *json = agent_fixture_call (f, "export_query", arguments);
  g_autoptr (JsonNode) node = NULL;

  return g_strdup (plumb_json_get_string (parse (json, &node), "file", NULL));
}

static void
test_export (AgentFixture *f, gconstpointer data)
{
  g_autofree char *first =
      agent_fixture_call (f, "run_query",
                          "{\"database\":\"shop\",\"sql\":\"SELECT name, email, 'a,\\\"b\\\"' AS "
                          "q, '' AS empty FROM customer ORDER BY id\",\"max_rows\":1}");
  g_autofree char *arguments = g_strdup_printf ("{\"format\":\"csv\",\"result_id\":\"%s\"}",
                                                plumb_result_get_id (f->context.result));
  g_autofree char *path = export_to (f, arguments);
  g_autofree char *manifest = g_strconcat (path, ".manifest.json", NULL);
  g_autofree char *jsonl =
      export_to (f, "{\"format\":\"jsonl\",\"database\":\"shop\",\"sql\":\"SELECT amount, amount "
                    "FROM orders WHERE id > 6 ORDER BY id\"}");
  g_autofree char *xlsx =
      export_to (f, "{\"format\":\"xlsx\",\"database\":\"shop\",\"sql\":\"SELECT * FROM orders\"}");
  g_autofree char *csv_text = NULL;
  g_autofree char *manifest_text = NULL;
  g_autofree char *jsonl_text = NULL;
  g_autofree char *xlsx_bytes = NULL;

  assert_says (first, "\"truncated_by\":\"rows\"");
  g_assert_true (g_file_get_contents (path, &csv_text, NULL, NULL));
  g_assert_cmpstr (csv_text, ==, "name,email,q,empty\r\n"
                                 "Ada,a@example.org,\"a,\"\"b\"\"\",\"\"\r\n"
                                 "Bob,b@example.org,\"a,\"\"b\"\"\",\"\"\r\n"
                                 "Cleo,,\"a,\"\"b\"\"\",\"\"\r\n");
  g_assert_true (g_file_get_contents (manifest, &manifest_text, NULL, NULL));
  assert_says (manifest_text, "\"rows\":3");
  assert_says (manifest_text, "\"truncated_by\":null");
  g_assert_true (g_file_get_contents (jsonl, &jsonl_text, NULL, NULL));
  g_assert_cmpstr (jsonl_text, ==,
                   "{\"amount\":70,\"amount_2\":70}\n"
                   "{\"amount\":\"9007199254740993\",\"amount_2\":\"9007199254740993\"}\n");
  g_assert_true (g_file_get_contents (xlsx, &xlsx_bytes, NULL, NULL));
  g_assert_true (g_str_has_prefix (xlsx_bytes, "PK"));
}

static void
test_export_failure (AgentFixture *f, gconstpointer data)
{
  g_autofree char *message = agent_fixture_fail (
      f, "export_query",
      "{\"format\":\"csv\",\"database\":\"shop\",\"sql\":\"SELECT nothing FROM orders\"}",
      PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_STATEMENT);
  g_autoptr (GDir) folder = g_dir_open (f->folder, 0, NULL);
  const char *name;

  g_assert_nonnull (message);
  while ((name = g_dir_read_name (folder)) != NULL)
    g_assert_false (g_str_has_suffix (name, ".csv") || g_str_has_suffix (name, ".part"));
}

static void
test_scope (AgentFixture *f, gconstpointer data)
{
  static const char *const scope[] = { "depot", NULL };
  static const char *const outside[][2] = {
    { "get_table_card", "{\"table\":\"shop.main.orders\"}" },
    { "get_table_card", "{\"table\":\"orders\"}" },
    { "run_query", "{\"database\":\"shop\",\"sql\":\"SELECT 1\"}" },
    { "explain_query", "{\"database\":\"shop\",\"sql\":\"SELECT 1\"}" },
    { "export_query", "{\"format\":\"csv\",\"database\":\"shop\",\"sql\":\"SELECT 1\"}" },
    { "save_table_note", "{\"table\":\"shop.main.orders\",\"text\":\"x\"}" },
  };
  g_autofree char *inside = NULL;
  g_autofree char *other = NULL;

  f->context.scope = scope;
  for (guint i = 0; i < G_N_ELEMENTS (outside); i++) {
    g_autofree char *message =
        agent_fixture_fail (f, outside[i][0], outside[i][1], PLUMB_ERROR, PLUMB_ERROR_OUT_OF_SCOPE);

    assert_says (message, "bound to depot");
  }
  g_assert_cmpuint (agent_fixture_count_audit (f), ==, 0);
  inside = agent_fixture_call (f, "get_table_card", "{\"table\":\"stock\"}");
  other =
      agent_fixture_call (f, "search_tables", "{\"query\":\"orders\",\"databases\":[\"shop\"]}");
  assert_says (other, "\"outside_scope\":true");
  assert_says (other, "ask the user");
}

/* Runs statements on the index itself, behind its back. */
static void
change_index (AgentFixture *f, const char *sql)
{
  sqlite3 *db = NULL;

  g_assert_cmpint (sqlite3_open (plumb_index_get_path (f->index), &db), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_exec (db, sql, NULL, NULL, NULL), ==, SQLITE_OK);
  sqlite3_close (db);
}

/* A statement whose audit record can't be written isn't run: this one would never end. */
static void
test_no_audit_no_run (AgentFixture *f, gconstpointer data)
{
  g_autofree char *message = NULL;
  g_autofree char *export = NULL;

  change_index (f, "CREATE TRIGGER no_audit BEFORE INSERT ON audit"
                   " BEGIN SELECT RAISE (FAIL, 'no room'); END");
  message = agent_fixture_fail (f, "run_query",
                                "{\"database\":\"shop\",\"sql\":\"WITH RECURSIVE n (i) AS (SELECT "
                                "1 UNION ALL SELECT i + 1 FROM n)"
                                " SELECT MAX(i) FROM n\"}",
                                PLUMB_INDEX_ERROR, PLUMB_INDEX_ERROR_FAILED);
  assert_says (message, "was not run");
  export = agent_fixture_fail (f, "export_query",
                               "{\"format\":\"csv\",\"database\":\"shop\",\"sql\":\"SELECT 1\"}",
                               PLUMB_INDEX_ERROR, PLUMB_INDEX_ERROR_FAILED);
  assert_says (export, "was not run");
}

static void
test_not_analyzed (AgentFixture *f, gconstpointer data)
{
  g_autoptr (PlumbCard) never = plumb_card_new ("depot", "main", "stock");
  g_autofree char *message = NULL;
  g_autofree char *json = NULL;

  plumb_card_add_column (never, "item", "TEXT");
  g_assert_true (plumb_index_put_card (f->index, never, NULL));
  message = agent_fixture_fail (
      f, "run_query", "{\"database\":\"depot\",\"sql\":\"SELECT COUNT(*) FROM stock\"}",
      PLUMB_ERROR, PLUMB_ERROR_NOT_FOUND);
  assert_says (message, "never analyzed");
  json = agent_fixture_call (f, "get_table_card", "{\"table\":\"stock\"}");
  assert_says (json, "\"analysis\":\"Not analyzed\"");
}

static void
test_role (AgentFixture *f, gconstpointer data)
{
  static const char *const forbidden[][2] = {
    { "get_table_card", "{\"table\":\"shop.main.salary\"}" },
    { "save_table_note", "{\"table\":\"salary\",\"text\":\"x\"}" },
    { "find_join_path", "{\"tables\":[\"orders\",\"salary\"]}" },
    { "list_tables", "{\"database\":\"depot\"}" },
    { "run_query", "{\"database\":\"depot\",\"sql\":\"SELECT 1\"}" },
    { "run_query", "{\"database\":\"shop\",\"sql\":\"SELECT * FROM salary\"}" },
    { "run_query",
      "{\"database\":\"shop\",\"sql\":\"SELECT 1 WHERE EXISTS (SELECT 1 FROM salary)\"}" },
    { "run_query", "{\"database\":\"shop\",\"sql\":\"SELECT * FROM customer\"}" },
    { "run_query", "{\"database\":\"shop\",\"sql\":\"SELECT c.* FROM customer c\"}" },
    { "run_query", "{\"database\":\"shop\",\"sql\":\"SELECT email FROM customer\"}" },
    { "run_query",
      "{\"database\":\"shop\",\"sql\":\"SELECT COUNT(*) FROM customer WHERE email LIKE 'a%'\"}" },
    { "run_query", "{\"database\":\"shop\",\"sql\":\"SELECT id FROM customer ORDER BY EMAIL\"}" },
    { "run_query",
      "{\"database\":\"shop\",\"sql\":\"WITH c AS (SELECT * FROM customer) SELECT name FROM c\"}" },
    { "run_query", "{\"database\":\"shop\",\"sql\":\"SELECT o.id FROM orders o JOIN customer c ON "
                   "o.status = c.email\"}" },
    { "run_query",
      "{\"database\":\"shop\",\"sql\":\"SELECT * FROM orders NATURAL JOIN customer\"}" },
    { "run_query", "{\"database\":\"shop\",\"sql\":\"SELECT COUNT(*) FROM pay\"}" },
    { "run_query", "{\"database\":\"shop\",\"sql\":\"SELECT address FROM contact\"}" },
    { "run_query", "{\"database\":\"shop\",\"sql\":\"SELECT sql FROM sqlite_master\"}" },
    { "get_table_card", "{\"table\":\"salary_2024\"}" },
    { "run_query", "{\"database\":\"shop\",\"sql\":\"SELECT amount FROM salary_2024\"}" },
    { "run_query", "{\"database\":\"shop\",\"sql\":\"SELECT email FROM customer_2024\"}" },
    { "explain_query", "{\"database\":\"shop\",\"sql\":\"SELECT email FROM customer\"}" },
    { "export_query",
      "{\"format\":\"csv\",\"database\":\"shop\",\"sql\":\"SELECT * FROM salary\"}" },
  };
  g_autofree char *card = NULL;
  g_autofree char *search = NULL;
  g_autofree char *allowed = NULL;
  g_autofree char *view = NULL;
  g_autofree char *view_card = NULL;
  g_autofree char *star = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (forbidden); i++) {
    g_autofree char *message = agent_fixture_fail (f, forbidden[i][0], forbidden[i][1], PLUMB_ERROR,
                                                   PLUMB_ERROR_NO_PERMISSION);

    assert_says (message, "o permission");
  }
  g_assert_cmpuint (agent_fixture_count_audit (f), ==, 0);
  card = agent_fixture_call (f, "get_table_card", "{\"table\":\"customer\"}");
  g_assert_null (strstr (card, "email"));
  search = agent_fixture_call (f, "search_tables", "{\"query\":\"salaries of employees\"}");
  assert_says (search, "\"no_permission\":[\"shop.main.salary\"]");
  g_assert_null (strstr (search, "Salaries"));
  allowed = agent_fixture_call (
      f, "run_query",
      "{\"database\":\"shop\",\"sql\":\"SELECT COUNT(*), MAX(c.name) FROM customer c\"}");
  assert_says (allowed, "[[3,\"Cleo\"]]");
  view = agent_fixture_call (
      f, "run_query", "{\"database\":\"shop\",\"sql\":\"SELECT COUNT(*) FROM open_order\"}");
  assert_says (view, "[[5]]");
  view_card = agent_fixture_call (f, "get_table_card", "{\"table\":\"pay\"}");
  g_assert_null (strstr (view_card, "1000"));
  star = agent_fixture_fail (f, "run_query",
                             "{\"database\":\"shop\",\"sql\":\"SELECT * FROM customer\"}",
                             PLUMB_ERROR, PLUMB_ERROR_NO_PERMISSION);
  assert_says (star, "Name columns instead: id, name.");
}

/* What the account can't select at the server isn't shown, whatever the role allows. */
static void
test_account (AgentFixture *f, gconstpointer data)
{
  static const char *const forbidden[][2] = {
    { "get_table_card", "{\"table\":\"shop.main.customer\"}" },
    { "save_table_note", "{\"table\":\"customer\",\"text\":\"x\"}" },
    { "find_join_path", "{\"tables\":[\"orders\",\"customer\"]}" },
  };
  g_autoptr (PlumbCard) customer = plumb_index_get_card (f->index, "shop", "main", "customer", NULL);
  g_autoptr (GPtrArray) edges = NULL;
  g_autofree char *search = NULL;
  g_autofree char *card = NULL;

  edges = plumb_workspace_list_edges (f->workspace, NULL, NULL);
  g_assert_cmpuint (edges->len, ==, 1);
  g_ptr_array_unref (g_steal_pointer (&edges));
  customer->selectable = FALSE;
  g_assert_true (plumb_index_put_card (f->index, customer, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (forbidden); i++) {
    g_autofree char *message = agent_fixture_fail (f, forbidden[i][0], forbidden[i][1], PLUMB_ERROR,
                                                   PLUMB_ERROR_NO_PERMISSION);

    assert_says (message, "could not select from it");
  }
  edges = plumb_workspace_list_edges (f->workspace, NULL, NULL);
  g_assert_cmpuint (edges->len, ==, 0);
  search = agent_fixture_call (f, "search_tables", "{\"query\":\"customer\"}");
  g_assert_null (strstr (search, "\"table\":\"customer\""));
  card = agent_fixture_call (f, "get_table_card", "{\"table\":\"orders\"}");
  g_assert_null (strstr (card, "\"joins\":[{"));
}

static void
test_byte_caps (AgentFixture *f, gconstpointer data)
{
  g_autofree char *json = NULL;

  for (guint i = 0; i < 40; i++) {
    g_autofree char *name = g_strdup_printf ("invoice_%02u", i);
    g_autoptr (PlumbCard) card = plumb_card_new ("shop", "main", name);

    card->analyzed_at = 1;
    card->purpose = g_strnfill (3000, 'p');
    plumb_card_add_column (card, "invoice_number", "TEXT");
    g_assert_true (plumb_index_put_card (f->index, card, NULL));
  }
  json = agent_fixture_call (f, "search_tables", "{\"query\":\"invoice number\",\"limit\":30}");
  assert_says (json, "\"table\":\"invoice_");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name, function)                                                                        \
  g_test_add ("/tools/" name, AgentFixture, NULL, set_up, function, tear_down)
  ADD ("bad-arguments", test_bad_arguments);
  ADD ("deep-arguments", test_deep_arguments);
  ADD ("long-arguments", test_long_arguments);
  ADD ("unknown-names", test_unknown_names);
  ADD ("lenient", test_lenient);
  ADD ("search", test_search);
  ADD ("card-of-wide-table", test_card_of_wide_table);
  ADD ("join-path", test_join_path);
  ADD ("list-tables", test_list_tables);
  ADD ("run", test_run);
  ADD ("run-exact-and-capped", test_run_exact_and_capped);
  ADD ("run-refused", test_run_refused);
  ADD ("warnings", test_warnings);
  ADD ("explain", test_explain);
  ADD ("note", test_note);
  ADD ("export", test_export);
  ADD ("export-failure", test_export_failure);
  ADD ("scope", test_scope);
  ADD ("account", test_account);
  ADD ("byte-caps", test_byte_caps);
  ADD ("no-audit-no-run", test_no_audit_no_run);
  ADD ("not-analyzed", test_not_analyzed);
#undef ADD
  g_test_add ("/tools/role", AgentFixture, policy, set_up, test_role, tear_down);
  return g_test_run ();
}
