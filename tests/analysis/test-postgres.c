/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-analysis.h"
#include "postgres-fixture.h"

#include <glib/gstdio.h>
#include <string.h>

#define SHOP_SQL                                                                                   \
  "CREATE SCHEMA app; CREATE TYPE app.state AS ENUM ('open', 'done');"                             \
  "CREATE TABLE app.orders (id bigint PRIMARY KEY, day date NOT NULL, stat char(1), state "        \
  "app.state,"                                                                                     \
  " done boolean, total numeric(12,2), doc jsonb, tags text[], who uuid, place point, \"a "        \
  "\"\"b\" text, secret text);"                                                                    \
  "COMMENT ON COLUMN app.orders.stat IS 'status: 1=open, 2=done';"                                 \
  "INSERT INTO app.orders SELECT i, '2026-01-01'::date + i, 1 + i % 2, 'open', i % 2 = 0, i / "    \
  "100.0, '{}', '{}',"                                                                             \
  " NULL, NULL, 'x', 's' FROM generate_series(1, 200) AS i;"                                       \
  "CREATE TABLE app.orders_bak AS SELECT * FROM app.orders WHERE id <= 50;"                        \
  "CREATE TABLE app.hidden (a int); ANALYZE;"                                                      \
  "DO $$BEGIN IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'analyst') THEN"                 \
  " CREATE ROLE analyst LOGIN PASSWORD 'reads'; END IF; END$$;"                                    \
  "GRANT USAGE ON SCHEMA app TO analyst; GRANT SELECT ON app.orders_bak TO analyst;"               \
  "GRANT SELECT (id, day, stat, state, done, total, doc, tags, who, place, \"a \"\"b\") ON "       \
  "app.orders TO analyst;"

#define MORE_SQL                                                                                   \
  "DO $$BEGIN FOR i IN 1..200 LOOP EXECUTE format ('CREATE TABLE app.more_%s AS SELECT i AS id, "  \
  "%L::text AS name FROM generate_series(1, 50) i; GRANT SELECT ON app.more_%s TO analyst', i, "    \
  "'n' || i, i); END LOOP; END$$; ANALYZE;"

static const PlumbCodeValue *
find_value (PlumbCard *card, const char *column_name, const char *value)
{
  PlumbCardColumn *column = plumb_card_find_column (card, column_name);

  for (guint i = 0; i < column->values->len; i++) {
    PlumbCodeValue *code = g_ptr_array_index (column->values, i);

    if (strcmp (code->value, value) == 0)
      return code;
  }
  g_error ("%s has no value %s", column_name, value);
}

static PlumbIndex *
make_index (const char *folder)
{
  g_autofree char *path = g_build_filename (folder, "index.sqlite", NULL);
  g_autoptr (PlumbSourceRecord) record =
      plumb_source_record_new ("shop", "postgresql://127.0.0.1/shop");
  g_autoptr (GError) error = NULL;
  PlumbIndex *index = plumb_index_open (path, &error);

  g_assert_no_error (error);
  g_assert_true (plumb_index_add_source (index, record, &error));
  return index;
}

static void
remove_index (PlumbIndex *index, const char *folder)
{
  static const char *const names[] = { "index.sqlite", "index.sqlite-wal", "index.sqlite-shm" };

  g_object_unref (index);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autofree char *path = g_build_filename (folder, names[i], NULL);

    g_remove (path);
  }
  g_rmdir (folder);
}

/* Types that can't be counted and a column that the account may not read don't hide the others. */
static void
test_profile (void)
{
  g_autofree char *folder = g_dir_make_tmp ("plumbline-analysis-XXXXXX", NULL);
  PlumbIndex *index = make_index (folder);
  g_autoptr (PlumbSource) source = NULL;
  g_autoptr (PlumbAnalysisReport) report = NULL;
  g_autoptr (PlumbCard) card = NULL;
  g_autoptr (PlumbCard) copy = NULL;
  g_autoptr (GError) error = NULL;
  PlumbAnalysisOptions options = { FALSE, TRUE, NULL };

  create_database ("shop", SHOP_SQL);
  source = open_as ("analyst", "reads", "shop", NULL);
  report = plumb_analysis_run (index, source, &options, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < report->failures->len; i++)
    g_test_message ("%s", (char *) g_ptr_array_index (report->failures, i));
  g_assert_cmpuint (report->failures->len, ==, 0);
  card = plumb_index_get_card (index, "shop", "app", "orders", &error);
  g_assert_no_error (error);
  g_assert_cmpint (card->row_estimate, ==, 200);
  g_assert_cmpstr (plumb_card_find_column (card, "day")->maximum, ==, "2026-07-20");
  g_assert_cmpstr (plumb_card_find_column (card, "total")->maximum, ==, "2.00");
  g_assert_cmpint (find_value (card, "stat", "1")->count, ==, 100);
  g_assert_cmpstr (find_value (card, "stat", "2")->meaning, ==, "done");
  g_assert_cmpint (find_value (card, "state", "open")->count, ==, 200);
  g_assert_cmpint (find_value (card, "a \"b", "x")->count, ==, 200);
  g_assert_cmpuint (plumb_card_find_column (card, "done")->values->len, ==, 2);
  copy = plumb_index_get_card (index, "shop", "app", "orders_bak", &error);
  g_assert_no_error (error);
  g_assert_cmpstr (copy->copy_of, ==, "app.orders");
  remove_index (index, folder);
}

/* Stops the server as soon as a table has been read. */
static void
stop_after_two (const char *doing, int done, int total, gpointer user_data)
{
  if (done == 2)
    admin_control ("stop -m immediate");
}

/* A server that goes away ends the run; the next one goes on and reads what is missing. */
static void
test_lost_server (void)
{
  g_autofree char *folder = g_dir_make_tmp ("plumbline-analysis-XXXXXX", NULL);
  PlumbIndex *index = make_index (folder);
  g_autoptr (PlumbSource) source = NULL;
  g_autoptr (PlumbAnalysisReport) none = NULL;
  g_autoptr (PlumbAnalysisReport) rest = NULL;
  g_autoptr (PlumbCard) card = NULL;
  g_autoptr (GError) error = NULL;
  PlumbAnalysisOptions options = { FALSE, TRUE, NULL };
  const char *said;
  guint n_before;

  create_database ("shop", SHOP_SQL MORE_SQL);
  source = open_as ("analyst", "reads", "shop", NULL);
  none = plumb_analysis_run (index, source, &options, stop_after_two, NULL, NULL, &error);
  g_assert_null (none);
  g_assert_error (error, PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_CONNECT);
  said = strstr (error->message, "after ");
  g_assert_nonnull (said);
  n_before = (guint) g_ascii_strtoull (said + strlen ("after "), NULL, 10);
  g_assert_cmpuint (n_before, >=, 3);
  g_assert_nonnull (strstr (said, " of 203 tables"));
  g_clear_error (&error);
  admin_control ("start");
  options.changed_only = TRUE;
  rest = plumb_analysis_run (index, source, &options, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (rest->unchanged, ==, n_before);
  g_assert_cmpuint (rest->unchanged + rest->analyzed, ==, 203);
  g_assert_cmpuint (rest->failures->len, ==, 0);
  card = plumb_index_get_card (index, "shop", "app", "orders", &error);
  g_assert_cmpint (find_value (card, "stat", "1")->count, ==, 100);
  remove_index (index, folder);
}

typedef struct {
  PGconn *locker;
  int came_after;
} Waiting;

static void
unlock_after_twenty (const char *doing, int done, int total, gpointer user_data)
{
  Waiting *waiting = user_data;

  if (done == 20)
    g_clear_pointer (&waiting->locker, PQfinish);
  if (g_str_equal (doing, "more_1"))
    waiting->came_after = done;
}

/* A table that makes its reader wait holds up no other. */
static void
test_waiting_table (void)
{
  g_autofree char *folder = g_dir_make_tmp ("plumbline-analysis-XXXXXX", NULL);
  PlumbIndex *index = make_index (folder);
  g_autoptr (PlumbSource) source = NULL;
  g_autoptr (PlumbAnalysisReport) report = NULL;
  g_autoptr (PlumbCard) card = NULL;
  g_autoptr (GError) error = NULL;
  PlumbAnalysisOptions options = { FALSE, TRUE, NULL };
  Waiting waiting = { NULL, 0 };

  create_database ("shop", SHOP_SQL MORE_SQL);
  waiting.locker = admin_connect ("shop");
  admin_execute (waiting.locker, "BEGIN; LOCK TABLE app.more_1");
  source = open_as ("analyst", "reads", "shop", NULL);
  report = plumb_analysis_run (index, source, &options, unlock_after_twenty, &waiting, NULL, &error);
  g_assert_no_error (error);
  g_assert_null (waiting.locker);
  g_assert_cmpint (waiting.came_after, >=, 20);
  g_assert_cmpuint (report->analyzed, ==, 203);
  g_assert_cmpuint (report->failures->len, ==, 0);
  card = plumb_index_get_card (index, "shop", "app", "more_1", &error);
  g_assert_cmpstr (plumb_card_find_column (card, "id")->maximum, ==, "50");
  remove_index (index, folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/analysis-postgres/profile", test_profile);
  g_test_add_func ("/analysis-postgres/lost-server", test_lost_server);
  g_test_add_func ("/analysis-postgres/waiting-table", test_waiting_table);
  return g_test_run ();
}
