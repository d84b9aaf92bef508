/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "demo-databases.h"
#include "plumb-analysis.h"
#include "plumb-table-name.h"

#include <glib/gstdio.h>
#include <sqlite3.h>
#include <string.h>

/* The whole analysis of the demo databases, each test into an index of its own. */

static char *folder;

typedef struct {
  PlumbIndex *index;
  PlumbSource *source;
} Fixture;

static void
execute (const char *path, const char *sql)
{
  sqlite3 *connection = NULL;

  g_assert_cmpint (sqlite3_open (path, &connection), ==, SQLITE_OK);
  if (sqlite3_exec (connection, sql, NULL, NULL, NULL) != SQLITE_OK)
    g_error ("%s: %s", sql, sqlite3_errmsg (connection));
  sqlite3_close (connection);
}

static void
set_up (Fixture *self, const char *index_name, const char *name, const char *file)
{
  g_autofree char *path = g_build_filename (folder, index_name, NULL);
  g_autofree char *uri = g_strdup_printf ("sqlite://%s/%s", folder, file);
  g_autoptr (PlumbSourceRecord) record = plumb_source_record_new (name, uri);
  g_autoptr (GError) error = NULL;

  g_free (record->engine);
  record->engine = g_strdup ("SQLite");
  self->index = plumb_index_open (path, &error);
  g_assert_no_error (error);
  g_assert_true (plumb_index_add_source (self->index, record, &error));
  g_assert_no_error (error);
  self->source = plumb_source_new (name, uri, NULL, &error);
  g_assert_no_error (error);
}

static void
tear_down (Fixture *self)
{
  g_clear_object (&self->source);
  g_clear_object (&self->index);
}

static PlumbAnalysisReport *
analyze (Fixture *self, gboolean changed_only)
{
  g_autofree char *domains = demo_databases_source_path ("domains");
  PlumbAnalysisOptions options = { changed_only, TRUE, domains };
  g_autoptr (GError) error = NULL;
  gint64 start = g_get_monotonic_time ();
  PlumbAnalysisReport *report = plumb_analysis_run (self->index, self->source, &options, NULL, NULL,
                                                    NULL, &error);

  g_assert_no_error (error);
  g_test_message ("%s: %u of %u tables in %" G_GINT64_FORMAT " ms",
                  plumb_source_get_name (self->source), report->analyzed, report->tables,
                  (g_get_monotonic_time () - start) / 1000);
  return report;
}

static PlumbCard *
get_card (Fixture *self, const char *table)
{
  g_autoptr (GError) error = NULL;
  PlumbCard *card = plumb_index_get_card (self->index, plumb_source_get_name (self->source), "main",
                                          table, &error);

  g_assert_no_error (error);
  return card;
}

static void
assert_value (PlumbCard *card, const char *column_name, const char *value, const char *meaning,
              gint64 count)
{
  PlumbCardColumn *column = plumb_card_find_column (card, column_name);

  g_assert_nonnull (column);
  for (guint i = 0; i < column->values->len; i++) {
    PlumbCodeValue *code = g_ptr_array_index (column->values, i);

    if (strcmp (code->value, value) != 0)
      continue;
    g_assert_cmpstr (code->meaning, ==, meaning);
    g_assert_cmpint (code->count, ==, count);
    return;
  }
  g_error ("%s.%s has no value %s", card->name, column_name, value);
}

static PlumbJoinEdge *
find_edge (GPtrArray *edges, const char *left, const char *right)
{
  for (guint i = 0; i < edges->len; i++) {
    PlumbJoinEdge *edge = g_ptr_array_index (edges, i);

    if (strcmp (edge->left->table, left) == 0 && strcmp (edge->right->table, right) == 0 &&
        edge->left_columns[1] == NULL)
      return edge;
  }
  g_error ("no edge from %s to %s", left, right);
}

static void
check_orders (Fixture *self)
{
  g_autoptr (PlumbCard) card = get_card (self, "ORD_MST");
  PlumbCardColumn *day = plumb_card_find_column (card, "ORD_DT");
  PlumbCardColumn *remark = plumb_card_find_column (card, "REMARK");

  g_assert_cmpint (card->status, ==, PLUMB_STATUS_LIVE);
  g_assert_cmpint (card->role, ==, PLUMB_ROLE_FACT);
  g_assert_cmpint (card->row_estimate, ==, 60000);
  g_assert_cmpint (card->analyzed_at, >, 0);
  g_assert_cmpstr (card->grain, ==, "one row an order");
  g_assert_true (g_strv_contains ((const char *const *) card->synonyms, "미처리 주문"));
  assert_value (card, "STATUS_CODE", "10", "unprocessed", 574);
  assert_value (card, "STATUS_CODE", "90", "cancelled", 3197);
  assert_value (card, "CHNL_CD", "W", "web shop", 35003);
  assert_value (card, "PAY_MTD", "BT", "Bank transfer", 10101);
  assert_value (card, "SRC_CD", "A1", NULL, 15052);
  g_assert_cmpstr (day->minimum, ==, "2023-01-01");
  g_assert_cmpstr (day->maximum, ==, "2026-11-29");
  g_assert_nonnull (remark->misuse);
  g_assert_cmpuint (remark->values->len, ==, 0);
  g_assert_cmpfloat_with_epsilon (remark->null_fraction, 0.9, 0.001);
  g_assert_nonnull (strstr (card->misuse[0], "ORD_MST_BAK"));
}

static void
check_copies (Fixture *self)
{
  static const struct {
    const char *name;
    PlumbStatus status;
    gint64 rows;
  } copies[] = {
    { "ORD_MST_BAK", PLUMB_STATUS_BACKUP, 50921 }, { "ORD_MST_202312", PLUMB_STATUS_BACKUP, 11971 },
    { "OLD_ORD_MST", PLUMB_STATUS_BACKUP, 25557 }, { "TMP_ORD_MST", PLUMB_STATUS_DRAFT, 67 },
    { "STG_ORD_MST", PLUMB_STATUS_STAGING, 259 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (copies); i++) {
    g_autoptr (PlumbCard) card = get_card (self, copies[i].name);

    g_assert_cmpint (card->status, ==, copies[i].status);
    g_assert_cmpstr (card->copy_of, ==, "main.ORD_MST");
    g_assert_cmpint (card->row_estimate, ==, copies[i].rows);
    g_assert_cmpuint (g_strv_length (card->reasons), >=, 4);
  }
}

static void
check_other_tables (Fixture *self)
{
  g_autoptr (PlumbCard) wide = get_card (self, "PRD_ATTR_SHT");
  g_autoptr (PlumbCard) returns = get_card (self, "RTN_HIST");
  g_autoptr (PlumbCard) visits = get_card (self, "VISIT_LOG_202610");
  g_autoptr (PlumbCard) changes = get_card (self, "ORD_DTL_H");
  g_autoptr (PlumbCard) customers = get_card (self, "CUST_MST");

  assert_value (wide, "HAZ_CLS_CD", "3", "flammable liquid", 122);
  assert_value (returns, "RSN_CD", "01", "Damaged", 1354);
  assert_value (customers, "CTRY_CD", "DE", "Germany", 3435);
  assert_value (customers, "CUST_GRD", "V", "VIP", 192);
  assert_value (customers, "CITY_NM", "Hamburg", NULL, 479);
  g_assert_cmpuint (plumb_card_find_column (customers, "CUST_NM")->values->len, ==, 0);
  g_assert_cmpint (returns->status, ==, PLUMB_STATUS_LIVE);
  g_assert_cmpint (changes->status, ==, PLUMB_STATUS_LIVE);
  g_assert_cmpint (visits->status, ==, PLUMB_STATUS_PARTITION);
  g_assert_cmpstr (visits->family, ==, "VISIT_LOG");
}

/* The questions that the domain files give are kept with the tables of their domain. */
static void
check_examples (Fixture *self)
{
  g_autoptr (GPtrArray) examples = plumb_index_list_examples (self->index, NULL);
  gboolean seen = FALSE;

  for (guint i = 0; i < examples->len; i++) {
    const PlumbApproved *example = g_ptr_array_index (examples, i);

    g_assert_cmpstr (example->database, ==, "sales");
    if (strcmp (example->question, "Which orders are still waiting?") != 0)
      continue;
    seen = TRUE;
    g_assert_cmpstr (example->domain, ==, "sales");
    g_assert_cmpuint (g_strv_length (example->tables), ==, 2);
    g_assert_cmpstr (example->tables[0], ==, "main.ORD_MST");
    g_assert_cmpstr (example->tables[1], ==, "main.ORD_DTL");
  }
  g_assert_true (seen);
}

static void
test_sales (void)
{
  Fixture self;
  g_autoptr (PlumbAnalysisReport) report = NULL;
  g_autoptr (PlumbSourceRecord) record = NULL;
  g_autoptr (GPtrArray) edges = NULL;

  set_up (&self, "sales-index.sqlite", "sales", "sales.sqlite");
  report = analyze (&self, FALSE);
  g_assert_cmpuint (report->failures->len, ==, 0);
  g_assert_cmpuint (report->tables, ==, 79);
  g_assert_cmpuint (report->analyzed, ==, 79);
  check_orders (&self);
  check_copies (&self);
  check_other_tables (&self);

  record = plumb_index_get_source (self.index, "sales", NULL);
  g_assert_cmpuint (strlen (record->summary), <=, 500);
  g_assert_nonnull (strstr (record->summary, "Orders"));
  g_assert_cmpint (record->analyzed_at, >, 0);
  edges = plumb_index_list_edges (self.index, "sales", NULL);
  g_assert_cmpint (find_edge (edges, "ORD_DTL", "ORD_MST")->trust, ==, 1);
  g_assert_cmpint (find_edge (edges, "ORD_DTL", "PRD_MST")->trust, ==, 3);
  g_assert_cmpint (find_edge (edges, "PRD_SUP", "PRD_MST")->cardinality, ==,
                   PLUMB_CARDINALITY_MANY_TO_ONE);
  /* The domain file confirms what nobody declared. */
  g_assert_cmpint (find_edge (edges, "RTN_HIST", "ORD_MST")->trust, ==, 1);
  check_examples (&self);
  tear_down (&self);
}

static void
test_crm_and_billing (void)
{
  static const char *const names[] = { "crm", "billing" };
  static const char *const purposes[] = { "Contracted customers", "Billed customers" };

  for (guint i = 0; i < 2; i++) {
    g_autofree char *file = g_strconcat (names[i], ".sqlite", NULL);
    g_autofree char *index = g_strconcat (names[i], "-index.sqlite", NULL);
    Fixture self;
    g_autoptr (PlumbAnalysisReport) report = NULL;
    g_autoptr (PlumbCard) card = NULL;

    set_up (&self, index, names[i], file);
    report = analyze (&self, FALSE);
    g_assert_cmpuint (report->failures->len, ==, 0);
    card = get_card (&self, "CUSTOMER");
    g_assert_true (g_str_has_prefix (card->purpose, purposes[i]));
    g_assert_cmpint (card->role, ==, PLUMB_ROLE_DIMENSION);
    tear_down (&self);
  }
}

/* Only what changed is read again; what vanished is told; what a person wrote stays. */
static void
test_changed (void)
{
  g_autofree char *path = g_build_filename (folder, "small.sqlite", NULL);
  g_autoptr (PlumbAnalysisReport) first = NULL;
  g_autoptr (PlumbAnalysisReport) second = NULL;
  g_autoptr (PlumbAnalysisReport) third = NULL;
  g_autoptr (PlumbNote) note = plumb_note_new ("small", "main", "ORD", "not used since 2023");
  g_autoptr (GPtrArray) notes = NULL;
  g_autoptr (GPtrArray) edges = NULL;
  g_autoptr (PlumbTableName) left = plumb_table_name_new ("small", "main", "ORD");
  g_autoptr (PlumbTableName) right = plumb_table_name_new ("small", "main", "KIND");
  PlumbJoinEdge *edge = plumb_join_edge_new (left, right);
  Fixture self;

  execute (
      path,
      "CREATE TABLE ORD (ORD_NO TEXT PRIMARY KEY, KIND TEXT, ORD_DT DATE);"
      "CREATE TABLE KIND (CODE TEXT PRIMARY KEY, NM TEXT); CREATE TABLE OTHER (A, B);"
      "INSERT INTO ORD VALUES ('1', 'a', '2026-01-01'); INSERT INTO KIND VALUES ('a', 'first')");
  set_up (&self, "small-index.sqlite", "small", "small.sqlite");
  first = analyze (&self, FALSE);
  g_assert_cmpuint (first->analyzed, ==, 3);
  g_assert_cmpint (plumb_index_add_note (self.index, note, NULL), >, 0);
  edge->left_columns = g_strsplit ("KIND", ",", -1);
  edge->right_columns = g_strsplit ("CODE", ",", -1);
  edge->trust = 1;
  edge->basis = g_strdup ("person");
  g_assert_cmpint (plumb_index_put_edge (self.index, edge, NULL), >, 0);
  plumb_join_edge_unref (edge);

  second = analyze (&self, TRUE);
  g_assert_cmpuint (second->analyzed, ==, 0);
  g_assert_cmpuint (second->unchanged, ==, 3);

  execute (path, "ALTER TABLE ORD ADD COLUMN AMT NUMERIC; DROP TABLE OTHER");
  third = analyze (&self, TRUE);
  g_assert_cmpuint (third->tables, ==, 2);
  g_assert_cmpuint (third->analyzed, ==, 1);
  g_assert_cmpuint (third->unchanged, ==, 1);
  g_assert_cmpuint (third->gone, ==, 1);
  notes = plumb_index_list_notes (self.index, "small", "main", "ORD", FALSE, NULL);
  g_assert_cmpuint (notes->len, ==, 1);
  edges = plumb_index_list_edges (self.index, "small", NULL);
  g_assert_cmpstr (find_edge (edges, "ORD", "KIND")->basis, ==, "person");
  tear_down (&self);
}

static void
cancel_after_ten (const char *doing, int done, int total, gpointer cancellable)
{
  if (done >= 10)
    g_cancellable_cancel (cancellable);
}

/* A run that is stopped leaves whole cards, and the next one goes on where it stopped. */
static void
test_cancel (void)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) cards = NULL;
  g_autoptr (PlumbAnalysisReport) rest = NULL;
  PlumbAnalysisOptions options = { TRUE, TRUE, NULL };
  Fixture self;

  set_up (&self, "cancel-index.sqlite", "sales", "sales.sqlite");
  g_assert_null (plumb_analysis_run (self.index, self.source, &options, cancel_after_ten,
                                     cancellable, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  cards = plumb_index_list_cards (self.index, "sales", NULL);
  /* What other threads had read by then is kept too. */
  g_assert_cmpuint (cards->len, >=, 10);
  g_assert_cmpuint (cards->len, <, 79);
  for (guint i = 0; i < cards->len; i++) {
    PlumbCard *card = g_ptr_array_index (cards, i);

    g_assert_cmpint (card->analyzed_at, >, 0);
    g_assert_nonnull (card->fingerprint);
    g_assert_cmpint (card->row_estimate, >=, 0);
  }
  rest = plumb_analysis_run (self.index, self.source, &options, NULL, NULL, NULL, NULL);
  g_assert_nonnull (rest);
  g_assert_cmpuint (rest->unchanged, ==, cards->len);
  g_assert_cmpuint (rest->analyzed, ==, 79 - cards->len);
  tear_down (&self);
}

/* One table that can't be read is told of; the others are analysed. */
static void
test_failure (void)
{
  g_autofree char *path = g_build_filename (folder, "odd.sqlite", NULL);
  g_autoptr (PlumbAnalysisReport) report = NULL;
  g_autoptr (PlumbCard) odd = NULL;
  g_autoptr (PlumbCard) names = NULL;
  Fixture self;

  execute (
      path,
      "CREATE TABLE \"odd \"\"name\" (\"a b\" TEXT, \"\" INTEGER, \"select\" TEXT);"
      "INSERT INTO \"odd \"\"name\" VALUES ('x', 1, CAST (x'ff00fe' AS TEXT)), (NULL, NULL, NULL);"
      "CREATE TABLE empty (a TEXT, b DATE); CREATE TABLE blobs (a BLOB);"
      "INSERT INTO blobs VALUES (x'00ff');"
      "CREATE TABLE base (a INTEGER); CREATE VIEW broken AS SELECT abs (a) AS v FROM base;"
      "CREATE VIEW fails AS SELECT abs (-9223372036854775807 - 1) AS v FROM empty_not;"
      "CREATE TABLE empty_not (z); INSERT INTO empty_not VALUES (1)");
  set_up (&self, "odd-index.sqlite", "odd", "odd.sqlite");
  report = analyze (&self, FALSE);
  g_assert_cmpuint (report->tables, ==, 7);
  g_assert_cmpuint (report->analyzed, ==, 7);
  g_assert_cmpuint (report->failures->len, ==, 1);
  g_assert_nonnull (strstr (g_ptr_array_index (report->failures, 0), "fails"));
  odd = get_card (&self, "odd \"name");
  g_assert_cmpint (odd->row_estimate, ==, 2);
  assert_value (odd, "a b", "x", NULL, 1);
  names = get_card (&self, "fails");
  g_assert_cmpuint (names->columns->len, ==, 1);
  tear_down (&self);
}

/* A source without rows: what its catalog says. */
static void
test_no_rows (void)
{
  g_autofree char *path = g_build_filename (folder, "schema.json", NULL);
  g_autofree char *index_path = g_build_filename (folder, "schema-index.sqlite", NULL);
  g_autofree char *uri = g_strconcat ("catalog://", path, NULL);
  g_autoptr (PlumbSourceRecord) record = plumb_source_record_new ("paper", uri);
  g_autoptr (PlumbAnalysisReport) report = NULL;
  g_autoptr (GPtrArray) cards = NULL;
  PlumbAnalysisOptions options = { FALSE, TRUE, NULL };
  g_autoptr (GError) error = NULL;
  Fixture self;

  g_assert_true (g_file_set_contents (
      path,
      "{\"db\": \"paper\", \"tables\": [{\"name\": \"ORD_MST\", \"primary_key\": [\"ORD_NO\"],"
      " \"columns\": [{\"name\": \"ORD_NO\", \"type\": \"TEXT\"},"
      " {\"name\": \"STAT\", \"type\": \"TEXT\", \"comment\": \"1=open, 2=done\"}],"
      " \"foreign_keys\": []}]}",
      -1, NULL));
  self.index = plumb_index_open (index_path, &error);
  g_assert_no_error (error);
  g_assert_true (plumb_index_add_source (self.index, record, &error));
  self.source = plumb_source_new ("paper", uri, NULL, &error);
  g_assert_no_error (error);
  report = plumb_analysis_run (self.index, self.source, &options, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  cards = plumb_index_list_cards (self.index, "paper", NULL);
  g_assert_cmpuint (cards->len, ==, 1);
  assert_value (g_ptr_array_index (cards, 0), "STAT", "1", "open", -1);
  tear_down (&self);
}

/* A source that was removed while it was analysed. */
static void
test_removed (void)
{
  g_autoptr (GError) error = NULL;
  PlumbAnalysisOptions options = { FALSE, FALSE, "/nonexistent" };
  Fixture self;

  set_up (&self, "removed-index.sqlite", "billing", "billing.sqlite");
  g_assert_true (plumb_index_remove_source (self.index, "billing", NULL));
  g_assert_null (plumb_analysis_run (self.index, self.source, &options, NULL, NULL, NULL, &error));
  g_assert_error (error, PLUMB_ERROR, PLUMB_ERROR_NOT_FOUND);
  tear_down (&self);
}

static void
remove_folder (void)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL) {
    g_autofree char *path = g_build_filename (folder, name, NULL);

    g_remove (path);
  }
  g_rmdir (folder);
}

int
main (int argc, char **argv)
{
  int result;

  g_test_init (&argc, &argv, NULL);
  folder = g_dir_make_tmp ("plumbline-analysis-XXXXXX", NULL);
  demo_databases_build (folder);
  g_test_add_func ("/run/sales", test_sales);
  g_test_add_func ("/run/crm-and-billing", test_crm_and_billing);
  g_test_add_func ("/run/changed", test_changed);
  g_test_add_func ("/run/cancel", test_cancel);
  g_test_add_func ("/run/failure", test_failure);
  g_test_add_func ("/run/no-rows", test_no_rows);
  g_test_add_func ("/run/removed", test_removed);
  result = g_test_run ();
  remove_folder ();
  g_free (folder);
  return result;
}
