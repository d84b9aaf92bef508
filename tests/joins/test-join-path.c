/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "join-fixture.h"

static PlumbJoinPath *
find (GPtrArray *edges, ...)
{
  g_autoptr (PlumbJoinGraph) graph = plumb_join_graph_new (edges);
  g_autoptr (GPtrArray) tables =
      g_ptr_array_new_with_free_func ((GDestroyNotify) plumb_table_name_free);
  GError *error = NULL;
  PlumbJoinPath *path;
  va_list names;
  const char *name;

  va_start (names, edges);
  while ((name = va_arg (names, const char *)) != NULL)
    g_ptr_array_add (tables, plumb_table_name_parse (name, NULL));
  va_end (names);
  path = plumb_join_graph_find_path (graph, tables, &error);
  g_assert_no_error (error);
  return path;
}

/* The tables of the path in the order in which they are joined, "A>B,B>C". */
static char *
get_order (PlumbJoinPath *path)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < path->steps->len; i++) {
    PlumbJoinStep *step = g_ptr_array_index (path->steps, i);

    g_string_append_printf (text, "%s%s>%s", i > 0 ? "," : "",
                            step->reversed ? step->edge->right->table : step->edge->left->table,
                            step->reversed ? step->edge->left->table : step->edge->right->table);
  }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static void
assert_order (PlumbJoinPath *path, const char *expected)
{
  g_autofree char *order = get_order (path);

  g_assert_null (path->reason);
  g_assert_cmpstr (order, ==, expected);
}

static void
test_direct (void)
{
  g_autoptr (GPtrArray) edges = make_edges ("DTL.ORD_ID=ORD.ID N:1 1 declared", NULL);
  g_autoptr (PlumbJoinPath) up = find (edges, "d.m.DTL", "d.m.ORD", NULL);
  g_autoptr (PlumbJoinPath) down = find (edges, "d.m.ORD", "d.m.DTL", NULL);

  assert_order (up, "DTL>ORD");
  g_assert_null (((PlumbJoinStep *) up->steps->pdata[0])->warning);
  g_assert_cmpfloat (up->penalty, ==, 1);
  assert_order (down, "ORD>DTL");
  g_assert_nonnull (strstr (((PlumbJoinStep *) down->steps->pdata[0])->warning, "repeated"));
}

static void
test_least_penalty (void)
{
  /* Two confirmed joins cost less than one that is only likely. */
  g_autoptr (GPtrArray) edges = make_edges ("A.X=C.X N:1 3 names", "A.B=B.ID N:1 1 declared",
                                            "B.C=C.ID N:1 1 declared", NULL);
  g_autoptr (PlumbJoinPath) path = find (edges, "d.m.A", "d.m.C", NULL);

  assert_order (path, "A>B,B>C");
  g_assert_cmpuint (path->alternatives->len, ==, 1);
}

static void
test_ties (void)
{
  g_autoptr (GPtrArray) declared =
      make_edges ("A.X=B.X N:1 1 person", "A.Y=B.Y N:1 1 declared", NULL);
  g_autoptr (GPtrArray) hops = make_edges ("A.B=B.ID N:1 2 verified", "B.C=C.ID N:1 2 verified",
                                           "A.C=C.ID N:1 3 names", NULL);
  g_autoptr (PlumbJoinPath) by_declared = find (declared, "d.m.A", "d.m.B", NULL);
  g_autoptr (PlumbJoinPath) by_hops = find (hops, "d.m.A", "d.m.C", NULL);
  PlumbJoinStep *step = by_declared->steps->pdata[0];

  g_assert_cmpstr (step->edge->left_columns[0], ==, "Y");
  g_assert_nonnull (strstr (step->warning, "1 other join is known"));
  assert_order (by_hops, "A>C");
}

static void
test_not_offered (void)
{
  g_autoptr (GPtrArray) edges = make_edges ("A.X=B.X N:1 4 meaning", "A.Y=B.Y N:1 5 model",
                                            "A.Z=B.Z N:1 1 person", "A.W=B.W N:1 1 person", NULL);
  g_autoptr (PlumbJoinPath) path = NULL;

  ((PlumbJoinEdge *) edges->pdata[2])->state = PLUMB_EDGE_REJECTED;
  ((PlumbJoinEdge *) edges->pdata[3])->state = PLUMB_EDGE_STALE;
  path = find (edges, "d.m.A", "d.m.B", NULL);
  g_assert_cmpuint (path->steps->len, ==, 0);
  g_assert_nonnull (strstr (path->reason, "d.m.A"));
  g_assert_nonnull (strstr (path->reason, "out of date"));
}

static void
test_tree (void)
{
  /* Three facts around a dimension; the cheapest tree goes through it, not along the chain. */
  g_autoptr (GPtrArray) edges =
      make_edges ("ORD.CUST=CUST.ID N:1 1 declared", "PAY.CUST=CUST.ID N:1 1 declared",
                  "RTN.CUST=CUST.ID N:1 1 declared", "ORD.X=PAY.X N:M 3 names",
                  "PAY.X=RTN.X N:M 3 names", NULL);
  g_autoptr (PlumbJoinPath) path = find (edges, "d.m.ORD", "d.m.PAY", "d.m.RTN", NULL);

  assert_order (path, "ORD>CUST,CUST>PAY,CUST>RTN");
  g_assert_cmpfloat (path->penalty, ==, 3 + 2 * 6);
}

/* Products of returned orders: not over the reviews that the customer wrote, however well their
 * keys are known, but over the lines of the order. */
static void
test_tree_does_not_turn (void)
{
  g_autoptr (GPtrArray) edges =
      make_edges ("ORD.CUST=CUST.ID N:1 1 declared", "RTN.ORD=ORD.ID N:1 1 person",
                  "RVW.CUST=CUST.ID N:1 1 declared", "RVW.PRD=PRD.ID N:1 1 declared",
                  "RTN.ORD,LN=DTL.ORD,LN N:1 3 names", "DTL.PRD=PRD.ID N:1 3 names",
                  "DTL.ORD=ORD.ID N:1 3 names", NULL);
  g_autoptr (PlumbJoinPath) path =
      find (edges, "d.m.ORD", "d.m.RTN", "d.m.CUST", "d.m.PRD", NULL);

  assert_order (path, "ORD>CUST,ORD>RTN,RTN>DTL,DTL>PRD");
}

/* From A the nearest table is B over their own join, which leads to a tree of 3.5; from C it is the
 * hub, over which the others come cheaper. */
static void
test_tree_from_another_start (void)
{
  g_autoptr (GPtrArray) edges =
      make_edges ("HUB.A=A.ID N:1 1 declared", "HUB.B=B.ID N:1 1 declared",
                  "HUB.C=C.ID N:1 1 declared", "A.B=B.ID N:1 2 verified", NULL);
  g_autoptr (PlumbJoinPath) path = find (edges, "d.m.A", "d.m.B", "d.m.C", NULL);

  g_assert_cmpfloat (path->penalty, ==, 3);
}

/* Two facts that share a dimension are not joined over it when there is a likely way of their own.
 */
static void
test_turn (void)
{
  g_autoptr (GPtrArray) edges =
      make_edges ("ORD.REGION=REGION.ID N:1 1 declared", "CUST.REGION=REGION.ID N:1 1 declared",
                  "ORD.CUST=CUST.ID N:1 3 names", "LINK.ORD=ORD.ID N:1 1 declared",
                  "LINK.TAG=TAG.ID N:1 1 declared", NULL);
  g_autoptr (PlumbJoinPath) path = find (edges, "d.m.ORD", "d.m.CUST", NULL);
  g_autoptr (PlumbJoinPath) bridge = find (edges, "d.m.ORD", "d.m.TAG", NULL);

  assert_order (path, "ORD>CUST");
  g_assert_cmpfloat (path->penalty, ==, 3);
  assert_order (bridge, "ORD>LINK,LINK>TAG");
  g_assert_nonnull (strstr (((PlumbJoinStep *) bridge->steps->pdata[0])->warning,
                            "leads through m.LINK"));
  g_assert_null (((PlumbJoinStep *) bridge->steps->pdata[1])->warning);
  g_assert_cmpfloat (bridge->penalty, ==, 2);
}

static void
test_hop_limit (void)
{
  g_autoptr (GPtrArray) edges = make_edges ("T0.A=T1.A N:1 1 declared", "T1.A=T2.A N:1 1 declared",
                                            "T2.A=T3.A N:1 1 declared", "T3.A=T4.A N:1 1 declared",
                                            "T4.A=T5.A N:1 1 declared", "T5.A=T6.A N:1 1 declared",
                                            "T6.A=T7.A N:1 1 declared", NULL);
  g_autoptr (PlumbJoinPath) six = find (edges, "d.m.T0", "d.m.T6", NULL);
  g_autoptr (PlumbJoinPath) seven = find (edges, "d.m.T0", "d.m.T7", NULL);

  g_assert_cmpuint (six->steps->len, ==, 6);
  g_assert_cmpuint (seven->steps->len, ==, 0);
  g_assert_nonnull (strstr (seven->reason, "6 steps"));
}

/* The cheapest way to a table in the middle can be too long to go on from: a dearer, shorter way
 * there has to be remembered. */
static void
test_hop_limit_needs_dearer_way (void)
{
  g_autoptr (GPtrArray) edges =
      make_edges ("A.1=P1.1 N:1 1 declared", "P1.1=P2.1 N:1 1 declared", "P2.1=M.1 N:1 1 declared",
                  "A.2=M.2 N:M 1 person", "M.3=Q1.3 N:1 1 declared", "Q1.3=Q2.3 N:1 1 declared",
                  "Q2.3=Q3.3 N:1 1 declared", "Q3.3=Z.3 N:1 1 declared", NULL);
  g_autoptr (PlumbJoinPath) path = find (edges, "d.m.A", "d.m.Z", NULL);

  assert_order (path, "A>M,M>Q1,Q1>Q2,Q2>Q3,Q3>Z");
}

static void
test_different_databases (void)
{
  g_autoptr (GPtrArray) edges = make_edges ("A.X=B.X N:1 1 declared", NULL);
  g_autoptr (PlumbJoinPath) path = find (edges, "d.m.A", "crm.m.B", NULL);

  g_assert_cmpuint (path->steps->len, ==, 0);
  g_assert_nonnull (strstr (path->reason, "different databases"));
}

static void
test_unknown_table (void)
{
  g_autoptr (GPtrArray) edges = make_edges ("A.X=B.X N:1 1 declared", NULL);
  g_autoptr (PlumbJoinPath) path = find (edges, "d.m.A", "d.m.LONELY", NULL);

  g_assert_nonnull (strstr (path->reason, "d.m.LONELY"));
}

static void
test_self_join (void)
{
  g_autoptr (GPtrArray) edges = make_edges ("EMP.BOSS=EMP.ID N:1 1 declared", NULL);
  g_autoptr (PlumbJoinPath) path = find (edges, "d.m.EMP", "d.m.EMP", NULL);
  g_autoptr (PlumbJoinPath) with_itself = NULL;
  g_autoptr (GPtrArray) others = make_edges ("EMP.DEPT=DEPT.ID N:1 1 declared", NULL);

  assert_order (path, "EMP>EMP");
  with_itself = find (others, "d.m.EMP", "d.m.EMP", NULL);
  g_assert_nonnull (strstr (with_itself->reason, "with itself"));
}

static void
test_hidden (void)
{
  g_autoptr (GPtrArray) edges =
      make_edges ("A.B=B.ID N:1 1 declared", "B.C=C.ID N:1 1 declared", "A.X=D.X N:1 3 names",
                  "D.Y=C.Y N:1 3 names", NULL);
  g_autoptr (PlumbJoinGraph) graph = plumb_join_graph_new (edges);
  g_autoptr (PlumbTableName) a = plumb_table_name_new ("d", "m", "A");
  g_autoptr (PlumbTableName) b = plumb_table_name_new ("d", "m", "B");
  g_autoptr (PlumbTableName) c = plumb_table_name_new ("d", "m", "C");
  g_autoptr (GPtrArray) tables = g_ptr_array_new ();
  g_autoptr (PlumbJoinPath) path = NULL;
  g_autoptr (GPtrArray) of_a = NULL;

  g_ptr_array_add (tables, a);
  g_ptr_array_add (tables, c);
  plumb_join_graph_hide (graph, b);
  path = plumb_join_graph_find_path (graph, tables, NULL);
  assert_order (path, "A>D,D>C");
  of_a = plumb_join_graph_list_edges (graph, a);
  g_assert_cmpuint (of_a->len, ==, 1);
}

static void
test_one_table (void)
{
  g_autoptr (GPtrArray) edges = make_edges ("A.X=B.X N:1 1 declared", NULL);
  g_autoptr (PlumbJoinGraph) graph = plumb_join_graph_new (edges);
  g_autoptr (GPtrArray) tables = g_ptr_array_new ();
  g_autoptr (GError) error = NULL;

  g_assert_null (plumb_join_graph_find_path (graph, tables, &error));
  g_assert_error (error, PLUMB_ERROR, PLUMB_ERROR_INVALID_ARGUMENT);
}

static void
test_wording (void)
{
  g_autoptr (GPtrArray) edges =
      make_edges ("A.B=B.ID N:1 1 declared", "B.C,D=C.ID,D N:1 2 verified",
                  "A.X=C.X ? 3 names", NULL);
  const char *const expected[] = {
    "Use m.A.B = m.B.ID (many to one, declared foreign key).",
    ("Use m.B.C = m.C.ID AND m.B.D = m.C.D (many to one, measured on the data). Measured: no "
     "orphans on 2026-11-30. It also needs the condition C.VALID = 1."),
    ("Likely m.A.X = m.C.X (cardinality unknown, names and types of the keys match); check "
     "cardinality and row counts first."),
  };

  ((PlumbJoinEdge *) edges->pdata[1])->evidence = g_strdup ("no orphans on 2026-11-30");
  ((PlumbJoinEdge *) edges->pdata[1])->temporal_rule = g_strdup ("C.VALID = 1");
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++) {
    PlumbJoinStep step = { edges->pdata[i], FALSE, NULL };
    g_autofree char *text = plumb_join_step_describe (&step);

    g_assert_cmpstr (text, ==, expected[i]);
  }
}

static char *
to_json (PlumbJoinPath *path)
{
  g_autoptr (PlumbJsonWriter) writer = plumb_json_writer_new ();

  plumb_join_path_write_json (path, writer);
  return plumb_json_writer_finish (writer);
}

static void
test_json (void)
{
  g_autoptr (GPtrArray) edges = make_edges ("DTL.ORD_ID,SEQ=ORD.ID,SEQ N:1 1 declared", NULL);
  g_autoptr (PlumbJoinPath) path = find (edges, "d.m.ORD", "d.m.DTL", NULL);
  g_autoptr (PlumbJoinPath) none = find (edges, "d.m.ORD", "crm.m.X", NULL);
  g_autofree char *json = to_json (path);
  g_autofree char *no_path = to_json (none);
  g_autoptr (JsonNode) root = plumb_json_parse (json, -1, NULL);
  g_autoptr (JsonNode) no_root = plumb_json_parse (no_path, -1, NULL);
  JsonArray *steps = plumb_json_get_array (json_node_get_object (root), "path");
  JsonObject *step = json_array_get_object_element (steps, 0);
  JsonArray *pair = json_array_get_array_element (plumb_json_get_array (step, "keys"), 0);

  g_assert_cmpstr (plumb_json_get_string (step, "left", NULL), ==, "d.m.ORD");
  g_assert_cmpstr (plumb_json_get_string (step, "right", NULL), ==, "d.m.DTL");
  g_assert_cmpstr (json_array_get_string_element (pair, 0), ==, "ID");
  g_assert_cmpstr (json_array_get_string_element (pair, 1), ==, "ORD_ID");
  g_assert_cmpstr (plumb_json_get_string (step, "cardinality", NULL), ==, "1:N");
  g_assert_cmpint (plumb_json_get_int (step, "trust", 0), ==, 1);
  g_assert_cmpstr (plumb_json_get_string (step, "basis", NULL), ==, "declared");
  g_assert_nonnull (plumb_json_get_string (step, "warning", NULL));
  g_assert_cmpfloat (plumb_json_get_double (json_node_get_object (root), "penalty", 0), ==, 1);
  g_assert_true (json_object_get_null_member (json_node_get_object (no_root), "path"));
  g_assert_nonnull (plumb_json_get_string (json_node_get_object (no_root), "reason", NULL));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/joins/path/direct", test_direct);
  g_test_add_func ("/joins/path/least-penalty", test_least_penalty);
  g_test_add_func ("/joins/path/ties", test_ties);
  g_test_add_func ("/joins/path/not-offered", test_not_offered);
  g_test_add_func ("/joins/path/tree", test_tree);
  g_test_add_func ("/joins/path/tree-does-not-turn", test_tree_does_not_turn);
  g_test_add_func ("/joins/path/tree-from-another-start", test_tree_from_another_start);
  g_test_add_func ("/joins/path/turn", test_turn);
  g_test_add_func ("/joins/path/hop-limit", test_hop_limit);
  g_test_add_func ("/joins/path/hop-limit-needs-dearer-way", test_hop_limit_needs_dearer_way);
  g_test_add_func ("/joins/path/different-databases", test_different_databases);
  g_test_add_func ("/joins/path/unknown-table", test_unknown_table);
  g_test_add_func ("/joins/path/self-join", test_self_join);
  g_test_add_func ("/joins/path/hidden", test_hidden);
  g_test_add_func ("/joins/path/one-table", test_one_table);
  g_test_add_func ("/joins/path/wording", test_wording);
  g_test_add_func ("/joins/path/json", test_json);
  return g_test_run ();
}
