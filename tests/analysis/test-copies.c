/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "analysis-catalog.h"

#define ORDER_COLUMNS "ORD_NO, ORD_DT DATE, CUST_NO, STATUS_CODE, ORD_AMT NUMERIC, TAX_AMT NUMERIC"

static void
assert_copy (GPtrArray *cards, const char *name, PlumbStatus status, const char *live)
{
  PlumbCard *card = find_card (cards, name);

  if (card->status != status || g_strcmp0 (card->copy_of, live) != 0)
    g_error ("%s is %s of %s", name, plumb_status_to_string (card->status), card->copy_of);
  if (live != NULL)
    g_assert_cmpuint (g_strv_length (card->reasons), >=, 2);
}

static void
test_marks (void)
{
  static const struct {
    const char *name;
    PlumbStatus status;
  } copies[] = {
    { "ORD_MST_BAK", PLUMB_STATUS_BACKUP },     { "BAK_ORD_MST", PLUMB_STATUS_BACKUP },
    { "ORD_MST_OLD", PLUMB_STATUS_BACKUP },     { "OrdMstBackup", PLUMB_STATUS_BACKUP },
    { "ORD_MST_COPY", PLUMB_STATUS_BACKUP },    { "ORD_MST_202312", PLUMB_STATUS_BACKUP },
    { "ORD_MST_20240101", PLUMB_STATUS_BACKUP }, { "ORD_MST_2023", PLUMB_STATUS_BACKUP },
    { "ORD_MST_2", PLUMB_STATUS_BACKUP },       { "ORD_MST_V2", PLUMB_STATUS_BACKUP },
    { "ORD_MST_ARCHIVE", PLUMB_STATUS_BACKUP }, { "ORD_MST_BAK_240101", PLUMB_STATUS_BACKUP },
    { "TMP_ORD_MST", PLUMB_STATUS_DRAFT },      { "ORD_MST_TEMP", PLUMB_STATUS_DRAFT },
    { "STG_ORD_MST", PLUMB_STATUS_STAGING },    { "ORD_MST_STAGING", PLUMB_STATUS_STAGING },
  };
  g_autoptr (PlumbCatalog) catalog = plumb_catalog_new ("sales");
  g_autoptr (GPtrArray) cards = NULL;

  add_table (catalog, "ORD_MST", ORDER_COLUMNS, "ORD_NO");
  for (guint i = 0; i < G_N_ELEMENTS (copies); i++)
    add_table (catalog, copies[i].name, ORDER_COLUMNS, NULL);
  plumb_catalog_sort (catalog);
  cards = plumb_analysis_make_cards (catalog);
  assert_copy (cards, "ORD_MST", PLUMB_STATUS_LIVE, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (copies); i++)
    assert_copy (cards, copies[i].name, copies[i].status, "main.ORD_MST");
}

/* Nearly the same columns make a copy, others don't; how near depends on what the name says. */
static void
test_columns (void)
{
  g_autoptr (PlumbCatalog) catalog = plumb_catalog_new ("sales");
  g_autoptr (GPtrArray) cards = NULL;

  add_table (catalog, "ORD_MST", ORDER_COLUMNS, "ORD_NO");
  add_table (catalog, "ORD_MST_BAK", "ORD_NO, ORD_DT DATE, CUST_NO, STATUS_CODE, ORD_AMT NUMERIC",
             NULL);
  add_table (catalog, "STG_ORD_MST", ORDER_COLUMNS ", LOAD_TS", NULL);
  add_table (catalog, "ORD_MST_HIST", "ORD_NO, SEQ, CHANGED_AT, OLD_STATUS, NEW_STATUS",
             "ORD_NO, SEQ");
  add_table (catalog, "ORD_MST_OLD", "ID, NOTE", NULL);
  add_table (catalog, "ORD_MST2", "ORD_NO, ORD_DT DATE, CUST_NO, STATUS_CODE, ORD_AMT NUMERIC",
             NULL);
  plumb_catalog_sort (catalog);
  cards = plumb_analysis_make_cards (catalog);
  assert_copy (cards, "ORD_MST_BAK", PLUMB_STATUS_BACKUP, "main.ORD_MST");
  assert_copy (cards, "STG_ORD_MST", PLUMB_STATUS_STAGING, "main.ORD_MST");
  assert_copy (cards, "ORD_MST_HIST", PLUMB_STATUS_LIVE, NULL);
  assert_copy (cards, "ORD_MST_OLD", PLUMB_STATUS_LIVE, NULL);
  assert_copy (cards, "ORD_MST2", PLUMB_STATUS_LIVE, NULL);
}

/* The nearest live table, and of a copy of a copy the one that both come from. */
static void
test_nearest (void)
{
  g_autoptr (PlumbCatalog) catalog = plumb_catalog_new ("hr");
  g_autoptr (GPtrArray) cards = NULL;

  add_table (catalog, "EMP", "EMP_NO, NAME, DEPT", "EMP_NO");
  add_table (catalog, "EMP_HIST", "EMP_NO, NAME, DEPT, FROM_DT, TO_DT", NULL);
  add_table (catalog, "BAK_EMP_HIST", "EMP_NO, NAME, DEPT, FROM_DT, TO_DT", NULL);
  add_table (catalog, "EMP_BAK", "EMP_NO, NAME, DEPT", NULL);
  add_table (catalog, "EMP_BAK_2", "EMP_NO, NAME, DEPT", NULL);
  plumb_catalog_sort (catalog);
  cards = plumb_analysis_make_cards (catalog);
  assert_copy (cards, "EMP_HIST", PLUMB_STATUS_LIVE, NULL);
  assert_copy (cards, "BAK_EMP_HIST", PLUMB_STATUS_BACKUP, "main.EMP_HIST");
  assert_copy (cards, "EMP_BAK_2", PLUMB_STATUS_BACKUP, "main.EMP");
}

/* Dated tables with no live one are partitions; so are many beside one, two are copies. */
static void
test_partitions (void)
{
  g_autoptr (PlumbCatalog) catalog = plumb_catalog_new ("web");
  g_autoptr (GPtrArray) cards = NULL;

  add_table (catalog, "VISIT_LOG_202601", "ID, AT", "ID");
  add_table (catalog, "VISIT_LOG_202602", "ID, AT", "ID");
  add_table (catalog, "CENSUS_2020", "AREA, PEOPLE", NULL);
  add_table (catalog, "events", "ID, AT, KIND", "ID");
  for (guint month = 1; month <= 4; month++) {
    g_autofree char *name = g_strdup_printf ("events_2026_%02u", month);

    add_table (catalog, name, "ID, AT, KIND", "ID");
  }
  plumb_catalog_sort (catalog);
  cards = plumb_analysis_make_cards (catalog);
  g_assert_cmpint (find_card (cards, "VISIT_LOG_202601")->status, ==, PLUMB_STATUS_PARTITION);
  g_assert_cmpstr (find_card (cards, "VISIT_LOG_202602")->family, ==, "VISIT_LOG");
  g_assert_cmpint (find_card (cards, "VISIT_LOG_202602")->role, ==, PLUMB_ROLE_PARTITION);
  assert_copy (cards, "CENSUS_2020", PLUMB_STATUS_LIVE, NULL);
  assert_copy (cards, "events", PLUMB_STATUS_LIVE, NULL);
  assert_copy (cards, "events_2026_03", PLUMB_STATUS_PARTITION, NULL);
  g_assert_cmpstr (find_card (cards, "events_2026_03")->family, ==, "events");
}

/* A live table keeps its place where its name only sounds like a copy. */
static void
test_names_alone (void)
{
  static const char *const names[] = {
    "temp_readings", "backup_jobs", "old_age_pension", "copy_center", "stage_actors",
    "order_history", "test_results", "work_order", "area51", "q1_2023", "2023", "bak", "_", "주문_백업",
  };
  g_autoptr (PlumbCatalog) catalog = plumb_catalog_new ("misc");
  g_autoptr (GPtrArray) cards = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    add_table (catalog, names[i], "id INTEGER, value REAL", "id");
  add_table (catalog, "order", "id INTEGER, customer_id INTEGER, day DATE", "id");
  add_table (catalog, "empty_bak", "", NULL);
  plumb_catalog_sort (catalog);
  cards = plumb_analysis_make_cards (catalog);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    assert_copy (cards, names[i], PLUMB_STATUS_LIVE, NULL);
}

/* Where other tables refer to a table whose name has a number, it is no copy. */
static void
test_referred (void)
{
  g_autoptr (PlumbCatalog) catalog = plumb_catalog_new ("misc");
  g_autoptr (GPtrArray) cards = NULL;

  add_table (catalog, "rate", "id INTEGER, value REAL", "id");
  add_table (catalog, "rate_2", "id INTEGER, value REAL", "id");
  add_foreign_key (add_table (catalog, "bill", "id INTEGER, rate_id INTEGER", "id"), "rate_id",
                   "rate_2", "id");
  plumb_catalog_sort (catalog);
  cards = plumb_analysis_make_cards (catalog);
  assert_copy (cards, "rate_2", PLUMB_STATUS_LIVE, NULL);
}

static void
test_schema (void)
{
  g_autoptr (PlumbCatalog) catalog = plumb_catalog_new ("erp");
  g_autoptr (GPtrArray) cards = NULL;
  PlumbTable *copy;

  add_table (catalog, "orders", "id INTEGER, day DATE", "id");
  copy = add_table (catalog, "orders", "id INTEGER, day DATE", "id");
  g_free (copy->schema);
  copy->schema = g_strdup ("backup");
  plumb_catalog_sort (catalog);
  cards = plumb_analysis_make_cards (catalog);
  g_assert_cmpstr (((PlumbCard *) g_ptr_array_index (cards, 0))->schema, ==, "backup");
  g_assert_cmpstr (((PlumbCard *) g_ptr_array_index (cards, 0))->copy_of, ==, "main.orders");
  g_assert_null (((PlumbCard *) g_ptr_array_index (cards, 1))->copy_of);
}

/* Ten thousand tables, a third of them copies: the work must not grow with the square. */
static void
test_many (void)
{
  g_autoptr (PlumbCatalog) catalog = plumb_catalog_new ("erp");
  g_autoptr (GPtrArray) cards = NULL;
  g_autoptr (GPtrArray) edges = NULL;
  gint64 start;
  guint n_copies = 0;

  for (guint i = 0; i < 5000; i++) {
    g_autofree char *name = g_strdup_printf ("MOD%u_DOC_MST", i);
    g_autofree char *copy = g_strdup_printf ("MOD%u_DOC_MST_BAK", i);
    g_autofree char *columns =
        g_strdup_printf ("DOC%u_NO, DOC_DT DATE, CUST_NO, STATUS_CODE, REMARK, AMT NUMERIC", i);
    g_autofree char *key = g_strdup_printf ("DOC%u_NO", i);

    add_table (catalog, name, columns, key);
    add_table (catalog, copy, columns, NULL);
  }
  add_table (catalog, "CUST_MST", "CUST_NO, CUST_NM", "CUST_NO");
  plumb_catalog_sort (catalog);
  start = g_get_monotonic_time ();
  cards = plumb_analysis_make_cards (catalog);
  edges = plumb_analysis_infer_edges (catalog, cards);
  g_test_message ("10001 tables in %" G_GINT64_FORMAT " ms",
                  (g_get_monotonic_time () - start) / 1000);
  g_assert_cmpint (g_get_monotonic_time () - start, <, 30 * G_TIME_SPAN_SECOND);
  for (guint i = 0; i < cards->len; i++)
    n_copies += ((PlumbCard *) g_ptr_array_index (cards, i))->copy_of != NULL;
  g_assert_cmpuint (n_copies, ==, 5000);
  g_assert_cmpuint (edges->len, ==, 5000);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/copies/marks", test_marks);
  g_test_add_func ("/copies/columns", test_columns);
  g_test_add_func ("/copies/nearest", test_nearest);
  g_test_add_func ("/copies/partitions", test_partitions);
  g_test_add_func ("/copies/names-alone", test_names_alone);
  g_test_add_func ("/copies/referred", test_referred);
  g_test_add_func ("/copies/schema", test_schema);
  g_test_add_func ("/copies/many", test_many);
  return g_test_run ();
}
