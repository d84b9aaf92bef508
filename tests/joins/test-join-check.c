/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "join-fixture.h"

/* A statement as the check reads it, put together by hand. */
typedef struct {
  PlumbStatement statement;
} Statement;

static void
table_free (gpointer data)
{
  PlumbSqlTable *table = data;

  g_free (table->schema);
  g_free (table->table);
  g_free (table);
}

static void
join_free (gpointer data)
{
  PlumbSqlJoin *join = data;

  g_strfreev (join->left_columns);
  g_strfreev (join->right_columns);
  g_free (join);
}

static void
aggregate_free (gpointer data)
{
  PlumbSqlAggregate *aggregate = data;

  g_free (aggregate->function);
  g_free (aggregate->column);
  g_free (aggregate);
}

static Statement *
statement_new (const char *tables)
{
  Statement *self = g_new0 (Statement, 1);
  g_auto (GStrv) names = g_strsplit (tables, " ", -1);

  self->statement.allowed = TRUE;
  self->statement.joins_known = TRUE;
  self->statement.tables = g_ptr_array_new_with_free_func (table_free);
  self->statement.columns = g_ptr_array_new ();
  self->statement.joins = g_ptr_array_new_with_free_func (join_free);
  self->statement.aggregates = g_ptr_array_new_with_free_func (aggregate_free);
  self->statement.warnings = g_ptr_array_new ();
  for (guint i = 0; names[i] != NULL; i++) {
    PlumbSqlTable *table = g_new0 (PlumbSqlTable, 1);

    table->schema = g_strdup ("m");
    table->table = g_strdup (names[i]);
    g_ptr_array_add (self->statement.tables, table);
  }
  return self;
}

static void
statement_free (Statement *self)
{
  g_ptr_array_unref (self->statement.tables);
  g_ptr_array_unref (self->statement.columns);
  g_ptr_array_unref (self->statement.joins);
  g_ptr_array_unref (self->statement.aggregates);
  g_ptr_array_unref (self->statement.warnings);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Statement, statement_free)

static PlumbSqlJoin *
add_join (Statement *self, int left, const char *left_columns, int right, const char *right_columns)
{
  PlumbSqlJoin *join = g_new0 (PlumbSqlJoin, 1);

  join->kind = left_columns != NULL ? "inner" : "cross";
  join->left = left;
  join->right = right;
  join->left_columns = g_strsplit (left_columns != NULL ? left_columns : "", ",", -1);
  join->right_columns = g_strsplit (right_columns != NULL ? right_columns : "", ",", -1);
  g_ptr_array_add (self->statement.joins, join);
  return join;
}

static PlumbSqlAggregate *
add_aggregate (Statement *self, const char *function, int table, const char *column)
{
  PlumbSqlAggregate *aggregate = g_new0 (PlumbSqlAggregate, 1);

  aggregate->function = g_strdup (function);
  aggregate->star = column == NULL;
  aggregate->table = table;
  aggregate->column = g_strdup (column);
  g_ptr_array_add (self->statement.aggregates, aggregate);
  return aggregate;
}

/* Orders with lines and returns, customers, and an edge of each doubtful kind. */
static GPtrArray *
check (Statement *self)
{
  g_autoptr (GPtrArray) edges =
      make_edges ("DTL.ORD_ID=ORD.ID N:1 1 declared", "ORD.CUST=CUST.ID N:1 1 declared",
                  "PAY.CUST=CUST.ID N:1 1 declared", "STK.WH,PRD=LOC.WH,PRD N:1 2 verified",
                  "ORD.EMP=EMP.ID N:1 3 names", "ORD.X=EMP.X N:1 5 model",
                  "ORD.Y=EMP.Y N:1 1 person", "ORD.Z=EMP.Z N:1 1 person",
                  "ORD.U=EMP.U ? 1 person", "EMP.BOSS=EMP.ID N:1 1 declared",
                  "ORD.ONE=ONE.ID 1:1 1 declared", NULL);
  g_autoptr (PlumbJoinGraph) graph = NULL;

  ((PlumbJoinEdge *) edges->pdata[6])->state = PLUMB_EDGE_STALE;
  ((PlumbJoinEdge *) edges->pdata[7])->state = PLUMB_EDGE_REJECTED;
  graph = plumb_join_graph_new (edges);
  return plumb_join_graph_check (graph, "d", &self->statement);
}

static void
assert_clean (Statement *self)
{
  g_autoptr (GPtrArray) warnings = check (self);

  for (guint i = 0; i < warnings->len; i++)
    g_test_message ("%s", (char *) warnings->pdata[i]);
  g_assert_cmpuint (warnings->len, ==, 0);
}

/* Exactly one warning, with each of @words in it. */
static void
assert_warns (Statement *self, const char *first, const char *second)
{
  g_autoptr (GPtrArray) warnings = check (self);

  for (guint i = 0; i < warnings->len; i++)
    g_test_message ("%s", (char *) warnings->pdata[i]);
  g_assert_cmpuint (warnings->len, ==, 1);
  g_assert_nonnull (strstr (warnings->pdata[0], first));
  g_assert_nonnull (strstr (warnings->pdata[0], second));
}

static void
test_known (void)
{
  g_autoptr (Statement) up = statement_new ("DTL ORD");
  g_autoptr (Statement) down = statement_new ("ORD DTL");
  g_autoptr (Statement) more = statement_new ("DTL ORD");

  add_join (up, 0, "ord_id", 1, "Id");
  add_aggregate (up, "sum", 0, "AMT");
  add_aggregate (up, "count", -1, NULL);
  assert_clean (up);
  /* No aggregate, nothing to go wrong. */
  add_join (down, 0, "ID", 1, "ORD_ID");
  assert_clean (down);
  /* A further condition leaves fewer rows, not more. */
  add_join (more, 0, "ORD_ID,DT", 1, "ID,DT");
  assert_clean (more);
}

static void
test_unknown_pair (void)
{
  g_autoptr (Statement) wrong = statement_new ("DTL ORD");
  g_autoptr (Statement) unknown_table = statement_new ("DTL NEW");

  add_join (wrong, 0, "ID", 1, "ID");
  assert_warns (wrong, "m.DTL.ID = m.ORD.ID is not a known join", "m.DTL.ORD_ID = m.ORD.ID");
  add_join (unknown_table, 0, "NEW_ID", 1, "ID");
  assert_warns (unknown_table, "m.DTL.NEW_ID = m.NEW.ID", "not a known join");
}

static void
test_trust (void)
{
  static const char *const columns[][2] = {
    { "EMP,ID", "Nobody has confirmed" },
    { "X,X", "only guessed" },
    { "Y,Y", "out of date" },
    { "Z,Z", "rejected" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (columns); i++) {
    g_autoptr (Statement) statement = statement_new ("ORD EMP");
    g_auto (GStrv) pair = g_strsplit (columns[i][0], ",", 2);

    add_join (statement, 0, pair[0], 1, pair[1]);
    assert_warns (statement, columns[i][1], "m.ORD");
  }
}

static void
test_part_of_key (void)
{
  g_autoptr (Statement) part = statement_new ("STK LOC");
  g_autoptr (Statement) whole = statement_new ("STK LOC");

  add_join (part, 0, "WH", 1, "WH");
  assert_warns (part, "only a part of the key", "m.STK.PRD = m.LOC.PRD");
  add_join (whole, 0, "PRD,WH", 1, "PRD,WH");
  add_aggregate (whole, "sum", 0, "QTY");
  assert_clean (whole);
}

static void
test_fan_trap (void)
{
  g_autoptr (Statement) sum = statement_new ("ORD DTL");
  g_autoptr (Statement) count = statement_new ("ORD DTL");
  g_autoptr (Statement) through = statement_new ("CUST ORD DTL");

  add_join (sum, 0, "ID", 1, "ORD_ID");
  add_aggregate (sum, "sum", 0, "FEE");
  add_aggregate (sum, "sum", 1, "AMT");
  assert_warns (sum, "Fan trap", "SUM(m.ORD.FEE)");
  add_join (count, 0, "ID", 1, "ORD_ID");
  add_aggregate (count, "count", -1, NULL);
  assert_warns (count, "COUNT(*) counts rows of m.DTL", "one row of m.ORD can have many");
  add_join (through, 0, "ID", 1, "CUST");
  add_join (through, 1, "ID", 2, "ORD_ID");
  add_aggregate (through, "avg", 0, "CREDIT");
  assert_warns (through, "Fan trap", "AVG(m.CUST.CREDIT)");
}

static void
test_immune (void)
{
  g_autoptr (Statement) statement = statement_new ("ORD DTL");
  g_autoptr (Statement) distinct = statement_new ("ORD DTL");

  add_join (statement, 0, "ID", 1, "ORD_ID");
  add_aggregate (statement, "min", 0, "FEE");
  add_aggregate (statement, "max", 0, "FEE");
  add_aggregate (statement, "count", 0, "ID")->distinct = TRUE;
  assert_clean (statement);
  /* Equal amounts of two orders would be taken for one. */
  add_join (distinct, 0, "ID", 1, "ORD_ID");
  add_aggregate (distinct, "sum", 0, "FEE")->distinct = TRUE;
  assert_warns (distinct, "Fan trap", "SUM(DISTINCT m.ORD.FEE)");
}

static void
test_chasm_trap (void)
{
  g_autoptr (Statement) statement = statement_new ("ORD CUST PAY");
  g_autoptr (Statement) shared = statement_new ("ORD PAY");
  g_autoptr (GPtrArray) warnings = NULL;

  add_join (statement, 0, "CUST", 1, "ID");
  add_join (statement, 1, "ID", 2, "CUST");
  add_aggregate (statement, "sum", 2, "AMT");
  assert_warns (statement, "Chasm trap", "SUM(m.PAY.AMT)");
  /* The same without the table in the middle. */
  add_join (shared, 0, "CUST", 1, "CUST");
  add_aggregate (shared, "sum", 0, "FEE");
  warnings = check (shared);
  g_assert_cmpuint (warnings->len, ==, 2);
  g_assert_nonnull (strstr (warnings->pdata[0], "both columns refer to m.CUST"));
  g_assert_nonnull (strstr (warnings->pdata[1], "Chasm trap"));
}

static void
test_unjoined (void)
{
  g_autoptr (Statement) statement = statement_new ("ORD CUST");
  g_autoptr (Statement) joined_elsewhere = statement_new ("ORD CUST PAY");

  add_join (statement, 0, NULL, 1, NULL);
  assert_warns (statement, "nothing joins m.ORD and m.CUST", "every row");
  add_join (joined_elsewhere, 0, NULL, 2, NULL);
  add_join (joined_elsewhere, 0, "CUST", 1, "ID");
  add_join (joined_elsewhere, 2, "CUST", 1, "ID");
  assert_clean (joined_elsewhere);
}

static void
test_undecided (void)
{
  g_autoptr (Statement) unread = statement_new ("ORD");
  g_autoptr (Statement) subquery = statement_new ("ORD");
  g_autoptr (Statement) unknown = statement_new ("ORD EMP");
  g_autoptr (Statement) no_equality = statement_new ("ORD CUST");
  g_autoptr (Statement) no_table = statement_new ("DTL ORD");
  g_autoptr (Statement) itself = statement_new ("EMP");

  unread->statement.joins_known = FALSE;
  assert_warns (unread, "Undecided", "not every join");
  add_join (subquery, 0, "ID", -1, "ID");
  assert_warns (subquery, "Undecided", "subquery");
  add_join (unknown, 0, "U", 1, "U");
  add_aggregate (unknown, "sum", 0, "FEE");
  assert_warns (unknown, "Undecided", "SUM(m.ORD.FEE)");
  add_join (no_equality, 0, NULL, 1, NULL)->kind = "inner";
  assert_warns (no_equality, "undecided", "no equality");
  add_join (no_table, 0, "ORD_ID", 1, "ID");
  add_aggregate (no_table, "sum", -1, "QTY");
  assert_warns (no_table, "Undecided", "a row of m.DTL");
  add_join (itself, 0, "BOSS", 0, "ID");
  add_aggregate (itself, "count", 0, "ID");
  assert_warns (itself, "Undecided", "joined with itself");
}

/* Joins of one SELECT do nothing to aggregates of another. */
static void
test_selects_apart (void)
{
  g_autoptr (Statement) statement = statement_new ("ORD DTL CUST");
  g_autoptr (Statement) one_to_one = statement_new ("ORD ONE");

  add_join (statement, 0, "ID", 1, "ORD_ID")->select = 1;
  add_join (statement, 0, "CUST", 2, "ID")->select = 2;
  add_aggregate (statement, "sum", 0, "FEE")->select = 2;
  add_aggregate (statement, "sum", 2, "CREDIT")->select = 0;
  assert_clean (statement);
  add_join (one_to_one, 0, "ONE", 1, "ID");
  add_aggregate (one_to_one, "sum", 0, "FEE");
  add_aggregate (one_to_one, "sum", 1, "X");
  add_aggregate (one_to_one, "sum", -1, "X");
  assert_clean (one_to_one);
}

static void
test_refused (void)
{
  g_autoptr (Statement) statement = statement_new ("ORD CUST");

  add_join (statement, 0, NULL, 1, NULL);
  statement->statement.allowed = FALSE;
  assert_clean (statement);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/joins/check/known", test_known);
  g_test_add_func ("/joins/check/unknown-pair", test_unknown_pair);
  g_test_add_func ("/joins/check/trust", test_trust);
  g_test_add_func ("/joins/check/part-of-key", test_part_of_key);
  g_test_add_func ("/joins/check/fan-trap", test_fan_trap);
  g_test_add_func ("/joins/check/immune", test_immune);
  g_test_add_func ("/joins/check/chasm-trap", test_chasm_trap);
  g_test_add_func ("/joins/check/unjoined", test_unjoined);
  g_test_add_func ("/joins/check/undecided", test_undecided);
  g_test_add_func ("/joins/check/selects-apart", test_selects_apart);
  g_test_add_func ("/joins/check/refused", test_refused);
  return g_test_run ();
}
