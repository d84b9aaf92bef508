/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "agent-fixture.h"

#include <glib/gstdio.h>
#include <sqlite3.h>
#include <string.h>

static const char shop_sql[] =
    "CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT NOT NULL, email TEXT);"
    "INSERT INTO customer VALUES (1, 'Ada', 'a@example.org'), (2, 'Bob', 'b@example.org'), (3, "
    "'Cleo', NULL);"
    "CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customer (id), "
    "status TEXT,"
    "  amount NUMERIC, ordered_on TEXT);"
    "INSERT INTO orders VALUES (1, 1, 'open', 10.5, '2026-09-01'), (2, 1, 'open', 20, "
    "'2026-10-01'),"
    "  (3, 2, 'open', 30, '2026-10-15'), (4, 2, 'done', 40, '2026-10-20'), (5, 3, 'done', 50, "
    "'2026-11-01'),"
    "  (6, 1, 'open', 60, '2026-11-02'), (7, 2, 'open', 70, '2026-11-03'), (8, 3, 'done', "
    "9007199254740993, '2026-11-04');"
    "CREATE TABLE orders_bak (id INTEGER PRIMARY KEY, customer_id INTEGER, status TEXT, amount "
    "NUMERIC, ordered_on TEXT);"
    "INSERT INTO orders_bak SELECT * FROM orders WHERE id <= 2;"
    "CREATE TABLE salary (employee TEXT, amount NUMERIC);"
    "INSERT INTO salary VALUES ('Eve', 1000);"
  "CREATE TABLE salary_2024 AS SELECT * FROM salary;"
  "CREATE TABLE customer_2024 AS SELECT * FROM customer;"
  "CREATE VIEW pay AS SELECT amount AS paid FROM salary;"
  "CREATE VIEW contact AS SELECT id, email AS address FROM customer;"
  "CREATE VIEW open_order AS SELECT id, amount FROM orders WHERE status = 'open';";

static const char depot_sql[] =
    "CREATE TABLE stock (item TEXT, quantity INTEGER); INSERT INTO stock VALUES ('bolt', 12);";

static char *
make_wide_sql (void)
{
  GString *sql = g_string_new ("CREATE TABLE wide (id INTEGER PRIMARY KEY");

  for (guint i = 1; i < 319; i++)
    g_string_append_printf (sql, ", measurement_value_%03u NUMERIC", i);
  g_string_append (sql, ", escalation_level TEXT);");
  return g_string_free (sql, FALSE);
}

static void
make_database (const char *path, const char *sql, const char *more)
{
  sqlite3 *db = NULL;

  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_exec (db, sql, NULL, NULL, NULL), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_exec (db, more, NULL, NULL, NULL), ==, SQLITE_OK);
  sqlite3_close (db);
}

static void
fill_card (PlumbCard *card)
{
  card->analyzed_at = 1;
  if (g_str_equal (card->name, "orders")) {
    PlumbCardColumn *status = plumb_card_find_column (card, "status");

    card->role = PLUMB_ROLE_FACT;
    card->purpose = g_strdup ("Orders of customers");
    plumb_card_column_add_value (status, "open", "not yet processed", 5);
    plumb_card_column_add_value (status, "done", "processed", 3);
  } else if (g_str_equal (card->name, "orders_bak")) {
    card->status = PLUMB_STATUS_BACKUP;
    card->copy_of = g_strdup ("main.orders");
    card->purpose = g_strdup ("Orders of customers, a backup");
  } else if (g_str_equal (card->name, "salary_2024") || g_str_equal (card->name, "customer_2024")) {
    card->status = PLUMB_STATUS_BACKUP;
    card->copy_of = g_strdup_printf ("main.%.*s", (int) strcspn (card->name, "_"), card->name);
  } else if (g_str_equal (card->name, "salary")) {
    card->purpose = g_strdup ("Salaries of employees");
  } else if (g_str_equal (card->name, "pay")) {
    plumb_card_column_add_value (plumb_card_find_column (card, "paid"), "1000", NULL, 1);
  }
}

static void
add_edge (AgentFixture *f)
{
  g_autoptr (PlumbTableName) left = plumb_table_name_new ("shop", "main", "orders");
  g_autoptr (PlumbTableName) right = plumb_table_name_new ("shop", "main", "customer");
  g_autoptr (PlumbJoinEdge) edge = plumb_join_edge_new (left, right);
  g_autoptr (GError) error = NULL;

  edge->left_columns = g_strsplit ("customer_id", ",", -1);
  edge->right_columns = g_strsplit ("id", ",", -1);
  edge->cardinality = PLUMB_CARDINALITY_MANY_TO_ONE;
  edge->trust = 1;
  g_free (edge->basis);
  edge->basis = g_strdup ("declared");
  g_assert_cmpint (plumb_index_put_edge (f->index, edge, &error), >, 0);
  g_assert_no_error (error);
}

/* Adds a source with cards made of its catalog. */
static void
add_source (AgentFixture *f, const char *name)
{
  g_autofree char *uri = g_strdup_printf ("sqlite://%s/%s.sqlite", f->folder, name);
  g_autoptr (PlumbSourceRecord) record = plumb_source_record_new (name, uri);
  g_autoptr (PlumbSource) source = NULL;
  g_autoptr (PlumbCatalog) catalog = NULL;
  g_autoptr (GHashTable) present = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GError) error = NULL;

  record->engine = g_strdup ("SQLite");
  record->version = g_strdup (sqlite3_libversion ());
  g_assert_true (plumb_index_add_source (f->index, record, &error));
  source = plumb_source_new (name, uri, NULL, &error);
  g_assert_no_error (error);
  catalog = plumb_source_read_catalog (source, NULL, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < catalog->tables->len; i++) {
    const PlumbTable *table = g_ptr_array_index (catalog->tables, i);
    g_autoptr (PlumbCard) card = plumb_card_new_from_table (name, table);

    fill_card (card);
    g_assert_true (plumb_index_put_card (f->index, card, &error));
    g_hash_table_add (present, plumb_table_name_join (NULL, table->schema, table->name));
  }
  g_assert_true (
      plumb_index_finish_analysis (f->index, name, present, "Things for tests", "3", &error));
  g_assert_no_error (error);
}

static void
make_databases (AgentFixture *f)
{
  g_autofree char *shop = g_build_filename (f->folder, "shop.sqlite", NULL);
  g_autofree char *depot = g_build_filename (f->folder, "depot.sqlite", NULL);
  g_autofree char *wide = make_wide_sql ();

  make_database (shop, shop_sql, wide);
  make_database (depot, depot_sql, "");
}

/** agent_fixture_set_up: makes the databases and the index; @policy is the text of a policy or
 * %NULL */
void
agent_fixture_set_up (AgentFixture *f, const char *policy)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = NULL;

  f->folder = g_dir_make_tmp ("plumb-agent-XXXXXX", &error);
  g_assert_no_error (error);
  path = g_build_filename (f->folder, "index.sqlite", NULL);
  make_databases (f);
  f->index = plumb_index_open (path, &error);
  g_assert_no_error (error);
  f->access = policy != NULL ? plumb_access_load_from_data ("clerk", policy, -1, &error)
                             : plumb_access_new_unrestricted ();
  g_assert_no_error (error);
  f->workspace = plumb_workspace_new (f->index, f->access, NULL, NULL);
  add_source (f, "shop");
  add_source (f, "depot");
  add_edge (f);
  f->context = (PlumbToolContext) {
    .workspace = f->workspace,
    .limits = PLUMB_LIMITS_DEFAULT,
    .export_folder = f->folder,
  };
}

/** agent_fixture_tear_down: closes and removes everything */
void
agent_fixture_tear_down (AgentFixture *f)
{
  g_autoptr (GDir) folder = NULL;
  const char *name;

  plumb_tool_context_clear (&f->context);
  g_assert_finalize_object (f->workspace);
  plumb_access_unref (f->access);
  g_assert_finalize_object (f->index);
  folder = g_dir_open (f->folder, 0, NULL);
  while ((name = g_dir_read_name (folder)) != NULL) {
    g_autofree char *path = g_build_filename (f->folder, name, NULL);

    g_unlink (path);
  }
  g_rmdir (f->folder);
  g_free (f->folder);
}

/** agent_fixture_call: Returns: (transfer full): the JSON of a call that must succeed */
char *
agent_fixture_call (AgentFixture *f, const char *tool, const char *arguments)
{
  g_autoptr (GError) error = NULL;
  char *result;

  plumb_tool_context_clear (&f->context);
  result = plumb_tool_call (&f->context, tool, arguments, NULL, &error);
  g_assert_no_error (error);
  g_assert_nonnull (result);
  g_assert_cmpuint (strlen (result), <=, plumb_tool_find (tool)->max_bytes);
  return result;
}

/** agent_fixture_fail: Returns: (transfer full): the message of a call that must fail */
char *
agent_fixture_fail (AgentFixture *f, const char *tool, const char *arguments, GQuark domain,
                    int code)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *result = NULL;

  plumb_tool_context_clear (&f->context);
  result = plumb_tool_call (&f->context, tool, arguments, NULL, &error);
  g_assert_null (result);
  g_assert_error (error, domain, code);
  return g_strdup (error->message);
}

/** agent_fixture_count_audit: Returns: how many audit records there are */
guint
agent_fixture_count_audit (AgentFixture *f)
{
  g_autoptr (GPtrArray) records = plumb_index_list_audit (f->index, 0, 1000, NULL);

  return records->len;
}
