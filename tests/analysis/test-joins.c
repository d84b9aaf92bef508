/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "analysis-catalog.h"

#include "plumb-join-edge.h"

static char *
describe (PlumbJoinEdge *edge)
{
  g_autofree char *left = g_strjoinv ("+", edge->left_columns);
  g_autofree char *right = g_strjoinv ("+", edge->right_columns);

  return g_strdup_printf ("%s.%s %s.%s %s %d %s", edge->left->table, left, edge->right->table,
                          right, plumb_cardinality_to_string (edge->cardinality), edge->trust,
                          edge->basis);
}

static gboolean
has_edge (GPtrArray *edges, const char *wanted)
{
  for (guint i = 0; i < edges->len; i++) {
    g_autofree char *text = describe (g_ptr_array_index (edges, i));

    if (strcmp (text, wanted) == 0)
      return TRUE;
  }
  return FALSE;
}

static guint
count_between (GPtrArray *edges, const char *left, const char *right)
{
  guint n = 0;

  for (guint i = 0; i < edges->len; i++) {
    PlumbJoinEdge *edge = g_ptr_array_index (edges, i);

    n += strcmp (edge->left->table, left) == 0 && strcmp (edge->right->table, right) == 0;
  }
  return n;
}

static GPtrArray *
infer (PlumbCatalog *catalog)
{
  g_autoptr (GPtrArray) cards = NULL;

  plumb_catalog_sort (catalog);
  cards = plumb_analysis_make_cards (catalog);
  return plumb_analysis_infer_edges (catalog, cards);
}

static void
test_declared (void)
{
  g_autoptr (PlumbCatalog) catalog = plumb_catalog_new ("db");
  g_autoptr (GPtrArray) edges = NULL;

  add_table (catalog, "CUST_MST", "CUST_NO, CUST_NM", "CUST_NO");
  add_foreign_key (add_table (catalog, "ORD_MST", "ORD_NO, CUST_NO", "ORD_NO"), "CUST_NO",
                   "CUST_MST", "CUST_NO");
  add_foreign_key (add_table (catalog, "CUST_EXT", "CUST_NO, VIP_YN", "CUST_NO"), "CUST_NO",
                   "CUST_MST", "CUST_NO");
  add_foreign_key (add_table (catalog, "LOST", "A", NULL), "A", "NOWHERE", "A");
  edges = infer (catalog);
  g_assert_true (has_edge (edges, "ORD_MST.CUST_NO CUST_MST.CUST_NO N:1 1 declared"));
  g_assert_true (has_edge (edges, "CUST_EXT.CUST_NO CUST_MST.CUST_NO 1:1 1 declared"));
  g_assert_cmpuint (count_between (edges, "ORD_MST", "CUST_MST"), ==, 1);
  g_assert_cmpuint (count_between (edges, "LOST", "NOWHERE"), ==, 0);
}

static void
test_names (void)
{
  g_autoptr (PlumbCatalog) catalog = plumb_catalog_new ("db");
  g_autoptr (GPtrArray) edges = NULL;

  add_table (catalog, "CUST_MST", "CUST_NO VARCHAR(7), CUST_NM", "CUST_NO");
  add_table (catalog, "CUST_EXT", "CUST_NO VARCHAR(7), SHOE_SIZE INTEGER", "CUST_NO");
  add_table (catalog, "ORD_MST", "ORD_NO, CUST_NO VARCHAR(9), MGR_CUST_NO VARCHAR(7)", "ORD_NO");
  add_table (catalog, "ORD_DTL", "ORD_NO, LN_NO INTEGER, STATUS_CODE", "ORD_NO, LN_NO");
  add_table (catalog, "RTN_HIST", "RTN_NO, ORD_NO, LN_NO INTEGER", "RTN_NO");
  add_table (catalog, "customers", "id INTEGER, name", "id");
  add_table (catalog, "visits", "id INTEGER, customer_id INTEGER, CUST_NO INTEGER, customer_name",
             "id");
  add_table (catalog, "SHP_STATES", "STATUS_CODE, STATUS_NM", "STATUS_CODE");
  edges = infer (catalog);
  g_assert_true (has_edge (edges, "ORD_MST.CUST_NO CUST_MST.CUST_NO N:1 3 names"));
  g_assert_true (has_edge (edges, "CUST_EXT.CUST_NO CUST_MST.CUST_NO 1:1 3 names"));
  g_assert_true (has_edge (edges, "ORD_MST.MGR_CUST_NO CUST_MST.CUST_NO N:1 4 names"));
  g_assert_true (has_edge (edges, "RTN_HIST.ORD_NO+LN_NO ORD_DTL.ORD_NO+LN_NO N:1 3 names"));
  g_assert_true (has_edge (edges, "visits.customer_id customers.id N:1 3 names"));
  /* Types that can't be compared, names that all tables share, and names that aren't keys. */
  g_assert_cmpuint (count_between (edges, "visits", "CUST_MST"), ==, 0);
  g_assert_cmpuint (count_between (edges, "ORD_DTL", "SHP_STATES"), ==, 0);
  g_assert_cmpuint (count_between (edges, "visits", "customers"), ==, 1);
}

static void
test_copies_take_no_part (void)
{
  g_autoptr (PlumbCatalog) catalog = plumb_catalog_new ("db");
  g_autoptr (GPtrArray) edges = NULL;

  add_table (catalog, "CUST_MST", "CUST_NO, CUST_NM", "CUST_NO");
  add_table (catalog, "CUST_MST_BAK", "CUST_NO, CUST_NM", "CUST_NO");
  add_table (catalog, "ORD_MST", "ORD_NO, CUST_NO", "ORD_NO");
  add_table (catalog, "ORD_MST_BAK", "ORD_NO, CUST_NO", NULL);
  edges = infer (catalog);
  g_assert_cmpuint (edges->len, ==, 1);
  g_assert_true (has_edge (edges, "ORD_MST.CUST_NO CUST_MST.CUST_NO N:1 3 names"));
}

/* Values that were read speak against a name: tickets and contracts have states of their own. */
static void
test_values_contradict (void)
{
  g_autoptr (PlumbCatalog) catalog = plumb_catalog_new ("db");
  g_autoptr (GPtrArray) cards = NULL;
  g_autoptr (GPtrArray) edges = NULL;
  PlumbCardColumn *column;

  add_table (catalog, "SHP_STAT", "SHP_STAT_CD, SHP_STAT_NM", "SHP_STAT_CD");
  add_table (catalog, "SHP_MST", "SHP_NO, SHP_STAT_CD", "SHP_NO");
  plumb_catalog_sort (catalog);
  cards = plumb_analysis_make_cards (catalog);
  column = plumb_card_find_column (find_card (cards, "SHP_STAT"), "SHP_STAT_CD");
  plumb_card_column_add_value (column, "A", NULL, 1);
  plumb_card_column_add_value (column, "B", NULL, 1);
  column->distinct = 2;
  column = plumb_card_find_column (find_card (cards, "SHP_MST"), "SHP_STAT_CD");
  plumb_card_column_add_value (column, "1", NULL, 500);
  plumb_card_column_add_value (column, "2", NULL, 20);
  column->distinct = 2;
  edges = plumb_analysis_infer_edges (catalog, cards);
  g_assert_cmpuint (edges->len, ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/joins/declared", test_declared);
  g_test_add_func ("/joins/names", test_names);
  g_test_add_func ("/joins/copies-take-no-part", test_copies_take_no_part);
  g_test_add_func ("/joins/values-contradict", test_values_contradict);
  return g_test_run ();
}
