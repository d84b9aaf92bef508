/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "index-fixture.h"

static void
set_up_tables (IndexFixture *fixture, gconstpointer data)
{
  index_fixture_set_up (fixture, data);
  put_card (fixture->index, "sales", "main", "ORD");
  put_card (fixture->index, "sales", "main", "CUST");
  put_card (fixture->index, "sales", "main", "ADDR");
}

static GPtrArray *
list (PlumbIndex *index)
{
  GError *error = NULL;
  GPtrArray *edges = plumb_index_list_edges (index, "sales", &error);

  g_assert_no_error (error);
  return edges;
}

static PlumbJoinEdge *
find (GPtrArray *edges, gint64 id)
{
  for (guint i = 0; i < edges->len; i++) {
    PlumbJoinEdge *edge = g_ptr_array_index (edges, i);

    if (edge->id == id)
      return edge;
  }
  return NULL;
}

static gint64
put (PlumbIndex *index, PlumbJoinEdge *edge)
{
  GError *error = NULL;
  gint64 id = plumb_index_put_edge (index, edge, &error);

  g_assert_no_error (error);
  return id;
}

static void
replace (PlumbIndex *index, PlumbJoinEdge *first, PlumbJoinEdge *second)
{
  g_autoptr (GPtrArray) edges =
      g_ptr_array_new_with_free_func ((GDestroyNotify) plumb_join_edge_unref);
  GError *error = NULL;

  if (first != NULL)
    g_ptr_array_add (edges, first);
  if (second != NULL)
    g_ptr_array_add (edges, second);
  plumb_index_replace_inferred_edges (index, "sales", edges, &error);
  g_assert_no_error (error);
}

static void
test_round_trip (IndexFixture *fixture, gconstpointer data)
{
  g_autoptr (PlumbJoinEdge) edge =
      make_edge ("sales.main.ORD", "CUST_ID,AMT", "sales.main.CUST", "ID,AMT", "person", 1);
  g_autoptr (GPtrArray) edges = NULL;
  PlumbJoinEdge *stored;

  edge->name = g_strdup ("billing");
  edge->temporal_rule = g_strdup ("VALID_TO IS NULL");
  edge->evidence = g_strdup ("checked 2026-11-30");
  edge->usage = 3;
  put (fixture->index, edge);
  index_fixture_reopen (fixture);
  edges = list (fixture->index);
  g_assert_cmpuint (edges->len, ==, 1);
  stored = edges->pdata[0];
  g_assert_cmpint (stored->id, ==, edge->id);
  g_assert_true (plumb_table_name_equal (stored->left, edge->left));
  g_assert_true (plumb_table_name_equal (stored->right, edge->right));
  g_assert_cmpstrv (stored->left_columns, edge->left_columns);
  g_assert_cmpstrv (stored->right_columns, edge->right_columns);
  g_assert_cmpstr (stored->name, ==, "billing");
  g_assert_cmpstr (stored->temporal_rule, ==, "VALID_TO IS NULL");
  g_assert_cmpstr (stored->evidence, ==, "checked 2026-11-30");
  g_assert_cmpint (stored->cardinality, ==, PLUMB_CARDINALITY_MANY_TO_ONE);
  g_assert_cmpint (stored->usage, ==, 3);
  g_assert_true (plumb_index_remove_edge (fixture->index, edge->id, NULL));
  g_assert_false (plumb_index_remove_edge (fixture->index, edge->id, NULL));
}

static void
test_bad_edges (IndexFixture *fixture, gconstpointer data)
{
  g_autoptr (PlumbJoinEdge) no_column =
      make_edge ("sales.main.ORD", "NOPE", "sales.main.CUST", "ID", "person", 1);
  g_autoptr (PlumbJoinEdge) uneven =
      make_edge ("sales.main.ORD", "CUST_ID,AMT", "sales.main.CUST", "ID", "person", 1);
  g_autoptr (PlumbJoinEdge) short_name = make_edge ("ORD", "CUST_ID", "CUST", "ID", "person", 1);
  g_autoptr (PlumbJoinEdge) unknown =
      make_edge ("sales.main.ORD", "CUST_ID", "sales.main.CUST", "ID", "person", 1);
  PlumbJoinEdge *edges[] = { no_column, uneven, short_name };
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (edges); i++) {
    g_assert_cmpint (plumb_index_put_edge (fixture->index, edges[i], &error), ==, 0);
    g_assert_error (error, PLUMB_ERROR, PLUMB_ERROR_INVALID_ARGUMENT);
    g_clear_error (&error);
  }
  unknown->id = 77;
  g_assert_cmpint (plumb_index_put_edge (fixture->index, unknown, &error), ==, 0);
  g_assert_error (error, PLUMB_ERROR, PLUMB_ERROR_NOT_FOUND);
}

/* Two edges between two tables live side by side under names; the same one put again, in whatever
 * direction, is the same edge. */
static void
test_same_edge (IndexFixture *fixture, gconstpointer data)
{
  g_autoptr (PlumbJoinEdge) inferred =
      make_edge ("sales.main.ORD", "CUST_ID", "sales.main.CUST", "ID", "names", 3);
  g_autoptr (PlumbJoinEdge) reversed =
      make_edge ("sales.main.CUST", "ID", "sales.main.ORD", "CUST_ID", "person", 1);
  g_autoptr (PlumbJoinEdge) again =
      make_edge ("sales.main.ORD", "CUST_ID", "sales.main.CUST", "ID", "names", 3);
  g_autoptr (PlumbJoinEdge) named =
      make_edge ("sales.main.ORD", "CUST_ID", "sales.main.CUST", "ID", "person", 1);
  g_autoptr (GPtrArray) edges = NULL;

  reversed->name = g_strdup ("buyer");
  named->name = g_strdup ("payer");
  put (fixture->index, inferred);
  g_assert_cmpint (put (fixture->index, reversed), ==, inferred->id);
  g_assert_cmpint (put (fixture->index, named), !=, inferred->id);
  put (fixture->index, again);
  edges = list (fixture->index);
  g_assert_cmpuint (edges->len, ==, 3);
  g_assert_cmpstr (find (edges, inferred->id)->basis, ==, "person");
}

static void
test_replace (IndexFixture *fixture, gconstpointer data)
{
  g_autoptr (PlumbJoinEdge) of_person =
      make_edge ("sales.main.ORD", "CUST_ID", "sales.main.CUST", "ID", "person", 1);
  g_autoptr (PlumbJoinEdge) rejected =
      make_edge ("sales.main.ORD", "AMT", "sales.main.CUST", "AMT", "names", 3);
  g_autoptr (GPtrArray) first = NULL;
  g_autoptr (GPtrArray) second = NULL;
  g_autoptr (GPtrArray) third = NULL;
  PlumbJoinEdge *inferred;

  put (fixture->index, of_person);
  rejected->state = PLUMB_EDGE_REJECTED;
  put (fixture->index, rejected);
  replace (fixture->index,
           make_edge ("sales.main.CUST", "ID", "sales.main.ORD", "CUST_ID", "names", 3),
           make_edge ("sales.main.ADDR", "CUST_ID", "sales.main.CUST", "ID", "names", 3));
  first = list (fixture->index);
  g_assert_cmpuint (first->len, ==, 3);
  g_assert_cmpstr (find (first, of_person->id)->basis, ==, "person");
  inferred = first->pdata[2];
  inferred->usage = 5;
  put (fixture->index, inferred);

  replace (fixture->index,
           make_edge ("sales.main.ADDR", "CUST_ID", "sales.main.CUST", "ID", "declared", 1),
           make_edge ("sales.main.ORD", "AMT", "sales.main.CUST", "AMT", "names", 3));
  second = list (fixture->index);
  g_assert_cmpuint (second->len, ==, 3);
  g_assert_cmpint (find (second, rejected->id)->state, ==, PLUMB_EDGE_REJECTED);
  g_assert_cmpint (find (second, inferred->id)->usage, ==, 5);
  g_assert_cmpint (find (second, inferred->id)->trust, ==, 1);

  replace (fixture->index, NULL, NULL);
  third = list (fixture->index);
  g_assert_cmpuint (third->len, ==, 2);
  g_assert_null (find (third, inferred->id));
}

/* What a domain file says is a person's word, and goes when the file no longer says it. */
static void
test_of_domain_file (IndexFixture *fixture, gconstpointer data)
{
  g_autoptr (GPtrArray) first = NULL;
  g_autoptr (GPtrArray) second = NULL;

  replace (fixture->index,
           make_edge ("sales.main.ORD", "CUST_ID", "sales.main.CUST", "ID", "person", 1), NULL);
  first = list (fixture->index);
  g_assert_cmpuint (first->len, ==, 1);
  replace (fixture->index, NULL, NULL);
  second = list (fixture->index);
  g_assert_cmpuint (second->len, ==, 0);
}

/* The same key pairs found twice in one run: the more trusted one stays. */
static void
test_replace_twice_the_same (IndexFixture *fixture, gconstpointer data)
{
  g_autoptr (GPtrArray) edges = NULL;

  replace (fixture->index,
           make_edge ("sales.main.ORD", "CUST_ID", "sales.main.CUST", "ID", "names", 3),
           make_edge ("sales.main.ORD", "CUST_ID", "sales.main.CUST", "ID", "declared", 1));
  replace (fixture->index,
           make_edge ("sales.main.ORD", "CUST_ID", "sales.main.CUST", "ID", "declared", 1),
           make_edge ("sales.main.CUST", "ID", "sales.main.ORD", "CUST_ID", "names", 3));
  edges = list (fixture->index);
  g_assert_cmpuint (edges->len, ==, 1);
  g_assert_cmpstr (((PlumbJoinEdge *) edges->pdata[0])->basis, ==, "declared");
  g_assert_cmpstr (((PlumbJoinEdge *) edges->pdata[0])->left->table, ==, "ORD");
}

static void
test_verified_stays (IndexFixture *fixture, gconstpointer data)
{
  g_autoptr (PlumbJoinEdge) edge =
      make_edge ("sales.main.ORD", "CUST_ID", "sales.main.CUST", "ID", "names", 3);
  g_autoptr (GPtrArray) kept = NULL;

  put (fixture->index, edge);
  edge->basis = (g_free (edge->basis), g_strdup ("verified"));
  edge->trust = 2;
  edge->evidence = g_strdup ("no orphans");
  put (fixture->index, edge);
  replace (fixture->index,
           make_edge ("sales.main.ORD", "CUST_ID", "sales.main.CUST", "ID", "names", 3), NULL);
  replace (fixture->index, NULL, NULL);
  kept = list (fixture->index);
  g_assert_cmpuint (kept->len, ==, 1);
  g_assert_cmpint (((PlumbJoinEdge *) kept->pdata[0])->trust, ==, 2);
  g_assert_cmpstr (((PlumbJoinEdge *) kept->pdata[0])->evidence, ==, "no orphans");
}

static PlumbEdgeState
get_state (PlumbIndex *index, gint64 id)
{
  g_autoptr (GPtrArray) edges = list (index);

  return find (edges, id)->state;
}

static void
put_cust (PlumbIndex *index, const char *key, const char *type)
{
  g_autoptr (PlumbCard) card = plumb_card_new ("sales", "main", "CUST");

  plumb_card_add_column (card, key, type);
  g_assert_true (plumb_index_put_card (index, card, NULL));
}

static void
test_stale (IndexFixture *fixture, gconstpointer data)
{
  g_autoptr (PlumbJoinEdge) edge =
      make_edge ("sales.main.ORD", "CUST_ID", "sales.main.CUST", "ID", "person", 1);
  g_autoptr (GHashTable) all = make_set ("main.ORD", "main.CUST", "main.ADDR", NULL);
  g_autoptr (GHashTable) without = make_set ("main.ORD", NULL);

  put (fixture->index, edge);
  put_cust (fixture->index, "NEW_ID", "INTEGER");
  replace (fixture->index, NULL, NULL);
  g_assert_cmpint (get_state (fixture->index, edge->id), ==, PLUMB_EDGE_STALE);
  put_cust (fixture->index, "ID", "INTEGER");
  replace (fixture->index, NULL, NULL);
  g_assert_cmpint (get_state (fixture->index, edge->id), ==, PLUMB_EDGE_ACTIVE);
  put_cust (fixture->index, "ID", "TEXT");
  replace (fixture->index, NULL, NULL);
  g_assert_cmpint (get_state (fixture->index, edge->id), ==, PLUMB_EDGE_STALE);
  /* Putting it again confirms it for the new type. */
  put (fixture->index, edge);
  replace (fixture->index, NULL, NULL);
  g_assert_cmpint (get_state (fixture->index, edge->id), ==, PLUMB_EDGE_ACTIVE);

  g_assert_true (plumb_index_finish_analysis (fixture->index, "sales", without, NULL, NULL, NULL));
  g_assert_cmpint (get_state (fixture->index, edge->id), ==, PLUMB_EDGE_STALE);
  g_assert_true (plumb_index_finish_analysis (fixture->index, "sales", all, NULL, NULL, NULL));
  g_assert_cmpint (get_state (fixture->index, edge->id), ==, PLUMB_EDGE_ACTIVE);
}

static void
test_source_removed (IndexFixture *fixture, gconstpointer data)
{
  g_autoptr (PlumbJoinEdge) of_person =
      make_edge ("sales.main.ORD", "CUST_ID", "sales.main.CUST", "ID", "person", 1);
  g_autoptr (PlumbJoinEdge) inferred =
      make_edge ("sales.main.ADDR", "CUST_ID", "sales.main.CUST", "ID", "names", 3);
  g_autoptr (GPtrArray) edges = NULL;

  put (fixture->index, of_person);
  put (fixture->index, inferred);
  g_assert_true (plumb_index_remove_source (fixture->index, "sales", NULL));
  add_source (fixture->index, "sales");
  edges = list (fixture->index);
  g_assert_cmpuint (edges->len, ==, 1);
  g_assert_cmpint (((PlumbJoinEdge *) edges->pdata[0])->id, ==, of_person->id);
  g_assert_cmpint (((PlumbJoinEdge *) edges->pdata[0])->state, ==, PLUMB_EDGE_ACTIVE);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
#define ADD(path, func) \
  g_test_add (path, IndexFixture, NULL, set_up_tables, func, index_fixture_tear_down)
  ADD ("/index/joins/round-trip", test_round_trip);
  ADD ("/index/joins/bad-edges", test_bad_edges);
  ADD ("/index/joins/same-edge", test_same_edge);
  ADD ("/index/joins/replace", test_replace);
  ADD ("/index/joins/of-domain-file", test_of_domain_file);
  ADD ("/index/joins/replace-twice-the-same", test_replace_twice_the_same);
  ADD ("/index/joins/verified-stays", test_verified_stays);
  ADD ("/index/joins/stale", test_stale);
  ADD ("/index/joins/source-removed", test_source_removed);
#undef ADD
  return g_test_run ();
}
