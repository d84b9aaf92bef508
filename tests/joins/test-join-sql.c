/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

/* Statements as people and models write them, read by the statement check and held against a graph.
 */

#include "join-fixture.h"

static PlumbCatalog *
make_catalog (void)
{
  static const struct {
    const char *name;
    const char *columns;
  } tables[] = {
    { "CUST", "ID,NAME,CREDIT" },     { "ORD", "ID,CUST,FEE,STATUS,DT,BILL,SHIP" },
    { "DTL", "ORD_ID,SEQ,QTY,PRICE" }, { "PAY", "ID,CUST,AMT" },
    { "EMP", "ID,BOSS,SALARY" },      { "ADDR", "ID,CITY" },
  };
  PlumbCatalog *catalog = plumb_catalog_new ("d");

  for (guint i = 0; i < G_N_ELEMENTS (tables); i++) {
    PlumbTable *table = plumb_table_new ("m", tables[i].name);
    g_auto (GStrv) columns = g_strsplit (tables[i].columns, ",", -1);

    for (guint j = 0; columns[j] != NULL; j++)
      g_ptr_array_add (table->columns, plumb_column_new (columns[j], "INTEGER"));
    table->selectable = TRUE;
    plumb_catalog_add_table (catalog, table);
  }
  plumb_catalog_sort (catalog);
  return catalog;
}

static GPtrArray *
check (const char *sql)
{
  g_autoptr (PlumbCatalog) catalog = make_catalog ();
  PlumbCheckContext context = { .catalog = catalog, .default_schema = "m" };
  g_autoptr (GPtrArray) edges =
      make_edges ("ORD.CUST=CUST.ID N:1 1 declared", "DTL.ORD_ID=ORD.ID N:1 1 declared",
                  "PAY.CUST=CUST.ID N:1 1 declared", "EMP.BOSS=EMP.ID N:1 1 declared",
                  "ORD.BILL=ADDR.ID N:1 1 person", "ORD.SHIP=ADDR.ID N:1 1 person", NULL);
  g_autoptr (PlumbJoinGraph) graph = plumb_join_graph_new (edges);
  g_autoptr (PlumbStatement) statement =
      plumb_statement_check (PLUMB_DIALECT_SQLITE, sql, -1, &context);
  GPtrArray *warnings;

  g_assert_cmpstr (statement->reason, ==, NULL);
  g_assert_true (statement->allowed);
  warnings = plumb_join_graph_check (graph, "d", statement);
  for (guint i = 0; i < warnings->len; i++)
    g_test_message ("%s\n  %s", sql, (char *) warnings->pdata[i]);
  return warnings;
}

static void
test_clean (void)
{
  static const char *const statements[] = {
    "SELECT count(*) FROM ORD WHERE STATUS = 3",
    "SELECT c.NAME, sum(o.FEE) FROM ORD o JOIN CUST c ON o.CUST = c.ID GROUP BY c.NAME",
    "SELECT sum(d.QTY * d.PRICE) FROM DTL d, ORD o, CUST c WHERE d.ORD_ID = o.ID AND c.ID = o.CUST",
    "SELECT count(DISTINCT o.ID), max(o.FEE) FROM ORD o JOIN DTL d ON d.ORD_ID = o.ID",
    "SELECT count(*) FROM ORD WHERE CUST IN (SELECT CUST FROM PAY)",
    "SELECT count(*) FROM ORD o WHERE EXISTS (SELECT 1 FROM DTL d WHERE d.ORD_ID = o.ID)",
    ("SELECT sum(o.FEE) FROM ORD o LEFT JOIN ADDR b ON o.BILL = b.ID "
     "LEFT JOIN ADDR s ON o.SHIP = s.ID"),
    "SELECT FEE FROM ORD UNION ALL SELECT AMT FROM PAY",
    "SELECT e.ID, b.ID FROM EMP e JOIN EMP b ON e.BOSS = b.ID",
  };

  for (guint i = 0; i < G_N_ELEMENTS (statements); i++) {
    g_autoptr (GPtrArray) warnings = check (statements[i]);

    g_assert_cmpuint (warnings->len, ==, 0);
  }
}

static void
test_warned (void)
{
  static const struct {
    const char *sql;
    const char *warning;
  } cases[] = {
    { "SELECT sum(o.FEE) FROM ORD o JOIN DTL d ON d.ORD_ID = o.ID", "Fan trap" },
    { "SELECT sum(o.FEE) FROM DTL d JOIN ORD o ON d.ORD_ID = o.ID", "Fan trap" },
    { "SELECT avg(FEE) FROM ORD, DTL WHERE ORD.ID = DTL.ORD_ID", "AVG(m.ORD.FEE)" },
    { "SELECT count(*) FROM ORD o JOIN DTL d ON d.ORD_ID = o.ID", "COUNT(*) counts rows of m.DTL" },
    { "SELECT c.NAME, sum(o.FEE), sum(p.AMT) FROM CUST c JOIN ORD o ON o.CUST = c.ID "
      "JOIN PAY p ON p.CUST = c.ID GROUP BY c.NAME",
      "Chasm trap" },
    { "SELECT sum(o.FEE) FROM ORD o JOIN PAY p ON o.CUST = p.CUST", "Many to many" },
    { "SELECT o.ID FROM ORD o JOIN DTL d ON d.SEQ = o.ID", "Unknown key pair" },
    { "SELECT count(*) FROM ORD, CUST", "Unjoined tables" },
    { "SELECT o.ID FROM ORD o JOIN CUST c ON o.FEE > c.CREDIT", "no equality" },
    { "SELECT sum(o.FEE) FROM ORD o JOIN (SELECT ORD_ID FROM DTL) d ON d.ORD_ID = o.ID",
      "Undecided" },
    { "WITH x AS (SELECT sum(o.FEE) AS s FROM ORD o JOIN DTL d ON d.ORD_ID = o.ID) SELECT s FROM x",
      "Fan trap" },
    { "SELECT sum(e.SALARY) FROM EMP e JOIN EMP b ON b.BOSS = e.ID", "joined with itself" },
    { "SELECT sum(o.FEE + d.QTY) FROM ORD o JOIN DTL d ON d.ORD_ID = o.ID", "a row of m.DTL" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GPtrArray) warnings = check (cases[i].sql);
    gboolean found = FALSE;

    for (guint j = 0; j < warnings->len; j++)
      found = found || strstr (warnings->pdata[j], cases[i].warning) != NULL;
    if (!found)
      g_test_message ("no “%s” for %s", cases[i].warning, cases[i].sql);
    g_assert_true (found);
  }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/joins/sql/clean", test_clean);
  g_test_add_func ("/joins/sql/warned", test_warned);
  return g_test_run ();
}
