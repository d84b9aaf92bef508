/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "odbc-fixture.h"

#include <string.h>

/* Oracle's and Tibero's data dictionary, played by views of the same names and columns in
 * PostgreSQL. They show what the tables dictionary.* hold, so that a test can say what is there; the
 * reader takes its connection as one to Oracle because the address says so. */

#define WIDE_COLUMNS 10000

static const char dictionary[] =
  "CREATE TABLE all_tables (owner text, table_name text, num_rows numeric, partitioned text);"
  "CREATE TABLE all_views (owner text, view_name text, text text);"
  "CREATE TABLE all_mviews (owner text, mview_name text);"
  "CREATE TABLE all_external_tables (owner text, table_name text);"
  "CREATE TABLE all_tab_columns (owner text, table_name text, column_name text, data_type text, "
  "data_length numeric, data_precision numeric, data_scale numeric, nullable text, "
  "column_id numeric);"
  "CREATE TABLE all_tab_comments (owner text, table_name text, comments text);"
  "CREATE TABLE all_col_comments (owner text, table_name text, column_name text, comments text);"
  "CREATE TABLE all_constraints (owner text, table_name text, constraint_name text, "
  "constraint_type text, r_owner text, r_constraint_name text, status text);"
  "CREATE TABLE all_cons_columns (owner text, table_name text, constraint_name text, "
  "column_name text, position numeric);"
  "CREATE TABLE all_tab_partitions (table_owner text, table_name text, partition_name text, "
  "num_rows numeric);"
  "CREATE TABLE all_tab_privs (grantee text, table_schema text, table_name text, privilege text);"
  "CREATE TABLE all_policies (object_owner text, object_name text, sel text, enable text);"
  "CREATE TABLE session_privs (privilege text);"
  "CREATE TABLE user_role_privs (granted_role text);"
  "CREATE TABLE user_tab_privs (grantee text, owner text, table_name text, privilege text);"
  "CREATE TABLE nls_database_parameters (parameter text, value text);"
  "CREATE VIEW dual AS SELECT 'X'::text AS dummy, 'Asia/Seoul'::text AS sessiontimezone;"
  "CREATE FUNCTION sys_context(text, text) RETURNS text LANGUAGE sql AS "
  "$$SELECT CASE $2 WHEN 'CURRENT_SCHEMA' THEN 'SHOP' END$$;";

static const char contents[] =
  "INSERT INTO all_tables VALUES ('SHOP', 'CUSTOMERS', 3, 'NO'), ('SHOP', 'ORDERS', 1200000, 'NO'),"
  "('FINANCE', 'RETURNS', NULL, 'NO'), ('SHOP', 'EVENTS', NULL, 'YES'), ('SHOP', 'SUMS', 7, 'NO'),"
  "('SHOP', '판매 내역', 12, 'NO'), ('SHOP', 'WIDE', NULL, 'NO'), ('SHOP', 'FROM_FILE', NULL, 'NO'),"
  "('SHOP', 'GUARDED', 1, 'NO'), ('SHOP', 'Customers', 1, 'NO'), ('FINANCE', 'SECRET', 1, 'NO'),"
  "('SYS', 'USER$', 1, 'NO'), ('MDSYS', 'X', 1, 'NO'), ('APEX_230100', 'X', 1, 'NO'),"
  "('SHOP', 'BIN$abc==$0', 1, 'NO'), ('SHOP', 'MLOG$_ORDERS', 1, 'NO');"
  "INSERT INTO all_views VALUES ('SHOP', 'V_NAMES', 'SELECT UPPER(NAME) AS NAME FROM CUSTOMERS'),"
  "('SHOP', 'V_WRITES', 'SELECT SHOP.WRITES() AS X FROM DUAL'), ('SHOP', 'V_HIDDEN', NULL);"
  "INSERT INTO all_mviews VALUES ('SHOP', 'SUMS');"
  "INSERT INTO all_external_tables VALUES ('SHOP', 'FROM_FILE');"
  "INSERT INTO all_tab_columns VALUES "
  "('SHOP', 'CUSTOMERS', 'ID', 'NUMBER', 22, 9, 0, 'N', 1),"
  "('SHOP', 'CUSTOMERS', 'SALARY', 'NUMBER', 22, 10, 2, 'Y', 3),"
  "('SHOP', 'CUSTOMERS', 'NAME', 'VARCHAR2', 40, NULL, NULL, 'N', 2),"
  "('SHOP', 'CUSTOMERS', 'AT', 'TIMESTAMP(6) WITH TIME ZONE', 13, NULL, 6, 'Y', 4),"
  "('SHOP', 'CUSTOMERS', 'ANY_NUMBER', 'NUMBER', 22, NULL, NULL, 'Y', 5),"
  "('SHOP', 'Customers', 'id', 'NUMBER', 22, NULL, NULL, 'Y', 1),"
  "('SHOP', 'ORDERS', 'ORDER_NO', 'NUMBER', 22, 12, 0, 'N', 1),"
  "('SHOP', 'ORDERS', 'LINE', 'NUMBER', 22, 4, 0, 'N', 2),"
  "('SHOP', 'ORDERS', 'CUSTOMER_ID', 'NUMBER', 22, 9, 0, 'Y', 3),"
  "('SHOP', 'ORDERS', 'CODE', 'CHAR', 2, NULL, NULL, 'Y', 4),"
  "('FINANCE', 'RETURNS', 'O', 'NUMBER', 22, 12, 0, 'Y', 1),"
  "('FINANCE', 'RETURNS', 'L', 'NUMBER', 22, 4, 0, 'Y', 2),"
  "('SHOP', 'GUARDED', 'A', 'NUMBER', 22, 4, 0, 'Y', 1),"
  "('SHOP', 'V_NAMES', 'NAME', 'VARCHAR2', 40, NULL, NULL, 'Y', 1),"
  "('SHOP', 'V_WRITES', 'X', 'NUMBER', 22, NULL, NULL, 'Y', 1),"
  "('SHOP', '판매 내역', '금액', 'NUMBER', 22, 18, 4, 'Y', 1);"
  "INSERT INTO all_tab_comments VALUES ('SHOP', 'CUSTOMERS', '고객'), ('SHOP', 'ORDERS', NULL);"
  "INSERT INTO all_col_comments VALUES ('SHOP', 'CUSTOMERS', 'NAME', 'as on the contract'),"
  "('SHOP', 'CUSTOMERS', 'ID', NULL);"
  "INSERT INTO all_constraints VALUES "
  "('SHOP', 'CUSTOMERS', 'C_PK', 'P', NULL, NULL, 'ENABLED'),"
  "('SHOP', 'ORDERS', 'O_PK', 'P', NULL, NULL, 'ENABLED'),"
  "('SHOP', 'ORDERS', 'O_U1', 'U', NULL, NULL, 'ENABLED'),"
  "('SHOP', 'ORDERS', 'O_U2', 'U', NULL, NULL, 'ENABLED'),"
  "('SHOP', 'ORDERS', 'O_OFF', 'U', NULL, NULL, 'DISABLED'),"
  "('SHOP', 'ORDERS', 'O_CHECK', 'C', NULL, NULL, 'ENABLED'),"
  "('SHOP', 'ORDERS', 'OF_CUSTOMER', 'R', 'SHOP', 'C_PK', 'ENABLED'),"
  "('FINANCE', 'RETURNS', 'OF_ORDER', 'R', 'SHOP', 'O_PK', 'ENABLED');"
  "INSERT INTO all_cons_columns VALUES ('SHOP', 'CUSTOMERS', 'C_PK', 'ID', 1),"
  "('SHOP', 'ORDERS', 'O_PK', 'LINE', 2), ('SHOP', 'ORDERS', 'O_PK', 'ORDER_NO', 1),"
  "('SHOP', 'ORDERS', 'O_U1', 'CODE', 1), ('SHOP', 'ORDERS', 'O_U1', 'LINE', 2),"
  "('SHOP', 'ORDERS', 'O_U2', 'CODE', 1), ('SHOP', 'ORDERS', 'O_OFF', 'LINE', 1),"
  "('SHOP', 'ORDERS', 'O_CHECK', 'LINE', NULL),"
  "('SHOP', 'ORDERS', 'OF_CUSTOMER', 'CUSTOMER_ID', 1),"
  "('FINANCE', 'RETURNS', 'OF_ORDER', 'L', 2), ('FINANCE', 'RETURNS', 'OF_ORDER', 'O', 1);"
  "INSERT INTO all_tab_partitions VALUES ('SHOP', 'EVENTS', 'P1', 100), ('SHOP', 'EVENTS', 'P2', 23);"
  "INSERT INTO all_tab_privs VALUES ('SHOP', 'FINANCE', 'RETURNS', 'SELECT'), "
  "('SHOP', 'FINANCE', 'SECRET', 'INSERT');"
  "INSERT INTO all_policies VALUES ('SHOP', 'GUARDED', 'YES', 'YES'), ('SHOP', 'ORDERS', 'NO', 'YES');"
  "INSERT INTO session_privs VALUES ('CREATE SESSION'), ('CREATE TABLE'), ('ALTER SESSION');"
  "INSERT INTO user_role_privs VALUES ('CONNECT');"
  "INSERT INTO user_tab_privs VALUES ('SHOP', 'FINANCE', 'SECRET', 'INSERT'), "
  "('SHOP', 'FINANCE', 'RETURNS', 'SELECT');"
  "INSERT INTO nls_database_parameters VALUES ('NLS_CHARACTERSET', 'AL32UTF8');"
  "CREATE SCHEMA \"SHOP\"; CREATE SCHEMA \"FINANCE\";"
  "CREATE TABLE \"SHOP\".\"CUSTOMERS\" (\"ID\" int, \"NAME\" text, \"SALARY\" numeric(10,2));"
  "INSERT INTO \"SHOP\".\"CUSTOMERS\" VALUES (1, 'Ada', 1), (2, 'Bo', 2), (3, '민준', 3);";

static PlumbSource *
open_oracle (void)
{
  return odbc_open_postgres ("SHOP", "oracle", ";PlumblineDialect=oracle");
}

static PlumbCatalog *
read_catalog (PlumbSource *source)
{
  g_autoptr (GError) error = NULL;
  PlumbCatalog *catalog = plumb_source_read_catalog (source, NULL, &error);

  g_assert_no_error (error);
  return catalog;
}

static void
assert_type (const PlumbTable *table, const char *column, const char *type, gboolean nullable)
{
  const PlumbColumn *found = plumb_table_find_column (table, column);

  g_assert_cmpstr (found->type, ==, type);
  g_assert_cmpint (found->nullable, ==, nullable);
}

static void
test_catalog (void)
{
  g_autoptr (PlumbSource) source = open_oracle ();
  g_autoptr (PlumbCatalog) catalog = read_catalog (source);
  const PlumbTable *customers = find_table (catalog, "SHOP", "CUSTOMERS");
  const PlumbColumn *second = g_ptr_array_index (customers->columns, 1);

  g_assert_cmpuint (catalog->tables->len, ==, 14);
  g_assert_cmpuint (customers->columns->len, ==, 5);
  g_assert_cmpstr (second->name, ==, "NAME");
  assert_type (customers, "ID", "NUMBER(9)", FALSE);
  assert_type (customers, "SALARY", "NUMBER(10,2)", TRUE);
  assert_type (customers, "NAME", "VARCHAR2(40)", FALSE);
  assert_type (customers, "AT", "TIMESTAMP(6) WITH TIME ZONE", TRUE);
  assert_type (customers, "ANY_NUMBER", "NUMBER", TRUE);
  g_assert_cmpstr (customers->comment, ==, "고객");
  g_assert_cmpstr (second->comment, ==, "as on the contract");
  g_assert_cmpint (customers->row_estimate, ==, 3);
  g_assert_cmpint (find_table (catalog, "SHOP", "ORDERS")->row_estimate, ==, 1200000);
  g_assert_cmpint (find_table (catalog, "FINANCE", "RETURNS")->row_estimate, ==, -1);
  assert_type (find_table (catalog, "SHOP", "판매 내역"), "금액", "NUMBER(18,4)", TRUE);
  g_assert_cmpuint (find_table (catalog, "SHOP", "Customers")->columns->len, ==, 1);
  g_assert_cmpuint (find_table (catalog, "SHOP", "WIDE")->columns->len, ==, WIDE_COLUMNS);
  g_assert_null (plumb_catalog_find (catalog, "SYS", "USER$"));
  g_assert_null (plumb_catalog_find (catalog, "APEX_230100", "X"));
}

static void
test_kinds (void)
{
  g_autoptr (PlumbSource) source = open_oracle ();
  g_autoptr (PlumbCatalog) catalog = read_catalog (source);
  const PlumbTable *events = find_table (catalog, "SHOP", "EVENTS");

  g_assert_cmpint (find_table (catalog, "SHOP", "V_NAMES")->kind, ==, PLUMB_TABLE_KIND_VIEW);
  g_assert_cmpint (find_table (catalog, "SHOP", "SUMS")->kind, ==,
                   PLUMB_TABLE_KIND_MATERIALIZED_VIEW);
  g_assert_cmpint (find_table (catalog, "SHOP", "FROM_FILE")->kind, ==, PLUMB_TABLE_KIND_FOREIGN);
  g_assert_cmpint (events->kind, ==, PLUMB_TABLE_KIND_PARTITIONED);
  g_assert_cmpint (events->row_estimate, ==, 123);
  g_assert_true (find_table (catalog, "SHOP", "CUSTOMERS")->selectable);
  g_assert_true (find_table (catalog, "FINANCE", "RETURNS")->selectable);
  g_assert_false (find_table (catalog, "FINANCE", "SECRET")->selectable);
}

static void
test_keys (void)
{
  g_autoptr (PlumbSource) source = open_oracle ();
  g_autoptr (PlumbCatalog) catalog = read_catalog (source);
  const PlumbTable *orders = find_table (catalog, "SHOP", "ORDERS");
  const PlumbTable *returns = find_table (catalog, "FINANCE", "RETURNS");
  const PlumbForeignKey *key;

  assert_names (orders->primary_key, "ORDER_NO,LINE");
  g_assert_cmpuint (orders->unique_keys->len, ==, 2);
  assert_names (g_ptr_array_index (orders->unique_keys, 0), "CODE,LINE");
  assert_names (g_ptr_array_index (orders->unique_keys, 1), "CODE");
  g_assert_cmpuint (orders->foreign_keys->len, ==, 1);
  g_assert_cmpuint (returns->foreign_keys->len, ==, 1);
  key = g_ptr_array_index (returns->foreign_keys, 0);
  g_assert_cmpstr (key->name, ==, "OF_ORDER");
  g_assert_cmpstr (key->ref_schema, ==, "SHOP");
  g_assert_cmpstr (key->ref_table, ==, "ORDERS");
  assert_names (key->columns, "O,L");
  assert_names (key->ref_columns, "ORDER_NO,LINE");
}

/* What not every server has can be missing. */
static void
test_missing_views (void)
{
  const char *const missing[] = { "all_mviews", "all_external_tables", "all_tab_partitions",
                                  "all_tab_privs", "all_policies" };
  PGconn *admin = admin_connect ("oracle");
  g_autoptr (PlumbSource) source = open_oracle ();
  g_autoptr (PlumbCatalog) catalog = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (missing); i++) {
    g_autofree char *sql = g_strdup_printf ("ALTER TABLE %s RENAME TO kept_%u", missing[i], i);

    admin_execute (admin, sql);
  }
  catalog = read_catalog (source);
  g_assert_cmpuint (catalog->tables->len, ==, 14);
  assert_names (find_table (catalog, "SHOP", "ORDERS")->primary_key, "ORDER_NO,LINE");
  g_assert_cmpint (find_table (catalog, "SHOP", "SUMS")->kind, ==, PLUMB_TABLE_KIND_TABLE);
  g_assert_true (find_table (catalog, "FINANCE", "SECRET")->selectable);
  for (guint i = 0; i < G_N_ELEMENTS (missing); i++) {
    g_autofree char *sql = g_strdup_printf ("ALTER TABLE kept_%u RENAME TO %s", i, missing[i]);

    admin_execute (admin, sql);
  }
  PQfinish (admin);
}

static void
assert_verdict (PlumbSource *source, PlumbCatalog *catalog, const char *sql, gboolean allowed)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PlumbStatement) statement = plumb_source_check (source, sql, catalog, NULL, &error);

  g_assert_no_error (error);
  if (statement->allowed != allowed)
    g_error ("%s: %s", sql, allowed ? statement->reason : "allowed");
}

static void
test_check (void)
{
  const char *const allowed[] = {
    "SELECT COUNT(*) FROM customers",
    "SELECT c.NAME FROM SHOP.CUSTOMERS c, SHOP.ORDERS o WHERE c.ID = o.CUSTOMER_ID(+)",
    "SELECT NVL(SALARY, 0), SYSDATE FROM customers WHERE ROWNUM <= 5",
    "SELECT * FROM V_NAMES",
    "SELECT \"금액\" FROM SHOP.\"판매 내역\"",
  };
  const char *const refused[] = {
    "DELETE FROM customers",
    "INSERT INTO customers VALUES (1, 'x', 1)",
    "BEGIN DELETE FROM customers; END;",
    "SELECT * FROM customers FOR UPDATE",
    "SELECT SHOP.WRITES() FROM DUAL",
    "SELECT writes() FROM DUAL",
    "SELECT * FROM V_WRITES",
    "SELECT * FROM V_HIDDEN",
    "SELECT * FROM GUARDED",
    "SELECT UTL_HTTP.REQUEST('http://x') FROM DUAL",
    "SELECT * FROM customers@other",
    "SELECT * FROM NOTHING_THERE",
    "EXPLAIN PLAN FOR SELECT 1 FROM DUAL",
  };
  g_autoptr (PlumbSource) source = open_oracle ();
  g_autoptr (PlumbCatalog) catalog = read_catalog (source);

  for (guint i = 0; i < G_N_ELEMENTS (allowed); i++)
    assert_verdict (source, catalog, allowed[i], TRUE);
  for (guint i = 0; i < G_N_ELEMENTS (refused); i++)
    assert_verdict (source, catalog, refused[i], FALSE);
}

/* A semicolon behind a statement, which Oracle refuses, doesn't reach the server. */
static void
test_run (void)
{
  g_autoptr (PlumbSource) source = open_oracle ();
  g_autoptr (PlumbSource) tibero = odbc_open_postgres ("SHOP", "oracle",
                                                       ";PlumblineDialect=tibero");

  assert_value (source, "SELECT COUNT(*) FROM \"SHOP\".\"CUSTOMERS\" ; ", PLUMB_VALUE_INTEGER, "3");
  assert_value (tibero, "SELECT COUNT(*) FROM \"SHOP\".\"CUSTOMERS\";", PLUMB_VALUE_INTEGER, "3");
  assert_fails (source, "DELETE FROM \"SHOP\".\"CUSTOMERS\"", PLUMB_SOURCE_ERROR_STATEMENT,
                "read-only");
}

/* Tibero isn't told to be read-only, and what a statement did is rolled back. */
static void
test_tibero_rolls_back (void)
{
  PGconn *admin = admin_connect ("oracle");
  g_autoptr (GError) error = NULL;
  g_autoptr (PlumbSource) tibero = odbc_open_postgres ("SHOP", "oracle",
                                                       ";PlumblineDialect=tibero");
  g_autoptr (PlumbResult) result = run_limited (
    tibero, "DELETE FROM \"SHOP\".\"CUSTOMERS\" RETURNING 1", PLUMB_LIMITS_DEFAULT, &error);
  g_autofree char *left = admin_ask (admin, "SELECT count(*) FROM \"SHOP\".\"CUSTOMERS\"");

  g_assert_no_error (error);
  g_assert_cmpint (plumb_result_get_n_rows (result), ==, 3);
  g_assert_cmpstr (left, ==, "3");
  PQfinish (admin);
}

static void
test_probe (void)
{
  g_autoptr (GError) error = NULL;
  PGconn *admin = admin_connect ("oracle");
  g_autoptr (PlumbSource) source = open_oracle ();
  g_autoptr (PlumbSource) tibero = odbc_open_postgres ("SHOP", "oracle",
                                                       ";PlumblineDialect=tibero");
  g_autoptr (PlumbAccountProbe) read = plumb_source_probe (source, NULL, &error);
  g_autoptr (PlumbAccountProbe) grants = NULL;

  g_assert_no_error (error);
  g_assert_true (g_str_has_prefix (read->version, "Oracle "));
  g_assert_cmpstr (read->account, ==, "SHOP");
  g_assert_cmpstr (read->time_zone, ==, "Asia/Seoul");
  g_assert_cmpstr (read->encoding, ==, "AL32UTF8");
  g_assert_true (read->read_only_proven);
  g_assert_cmpuint (read->superuser_rights->len, ==, 0);
  g_assert_true (has_word (read->write_rights, "CREATE TABLE"));
  g_assert_true (has_word (read->write_rights, "INSERT on FINANCE.SECRET"));
  g_assert_true (has_word (read->write_rights, "owns 12 of the tables"));
  g_assert_cmpuint (read->n_tables, ==, 14);
  g_assert_cmpuint (read->n_selectable, ==, 13);
  admin_execute (admin, "INSERT INTO session_privs VALUES ('DELETE ANY TABLE'), ('ALTER SYSTEM');"
                        "INSERT INTO user_role_privs VALUES ('DBA')");
  grants = plumb_source_probe (tibero, NULL, &error);
  g_assert_no_error (error);
  g_assert_false (grants->read_only_proven);
  g_assert_nonnull (strstr (grants->read_only_detail, "Tibero has no read-only transaction"));
  g_assert_true (has_word (grants->superuser_rights, "the role DBA"));
  g_assert_true (has_word (grants->superuser_rights, "DELETE ANY TABLE"));
  g_assert_true (has_word (grants->superuser_rights, "ALTER SYSTEM"));
  admin_execute (admin, "DELETE FROM session_privs WHERE privilege LIKE '%A% S%' OR privilege "
                        "LIKE '%ANY%'; DELETE FROM user_role_privs WHERE granted_role = 'DBA'");
  PQfinish (admin);
}

static void
fill (void)
{
  PGconn *admin = admin_connect ("postgres");
  g_autofree char *literal = PQescapeLiteral (admin, odbc_password, strlen (odbc_password));
  g_autofree char *role = g_strdup_printf ("CREATE ROLE \"SHOP\" LOGIN PASSWORD %s", literal);
  g_autofree char *sql = g_strconcat (
    dictionary, contents,
    "INSERT INTO all_tab_columns SELECT 'SHOP', 'WIDE', 'C' || i, 'NUMBER', 22, NULL, NULL, 'Y', i "
    "FROM generate_series(1, " G_STRINGIFY (WIDE_COLUMNS) ") i;"
    "GRANT SELECT, UPDATE ON ALL TABLES IN SCHEMA public TO \"SHOP\";"
    "GRANT USAGE ON SCHEMA \"SHOP\" TO \"SHOP\";"
    "GRANT ALL ON ALL TABLES IN SCHEMA \"SHOP\" TO \"SHOP\"",
    NULL);

  admin_execute (admin, role);
  PQfinish (admin);
  create_database ("oracle", sql);
}

int
main (int argc, char **argv)
{
  int failed;

  g_test_init (&argc, &argv, NULL);
  odbc_fixture_init ();
  fill ();
  g_test_add_func ("/sources/odbc-oracle/catalog", test_catalog);
  g_test_add_func ("/sources/odbc-oracle/kinds", test_kinds);
  g_test_add_func ("/sources/odbc-oracle/keys", test_keys);
  g_test_add_func ("/sources/odbc-oracle/missing-views", test_missing_views);
  g_test_add_func ("/sources/odbc-oracle/check", test_check);
  g_test_add_func ("/sources/odbc-oracle/run", test_run);
  g_test_add_func ("/sources/odbc-oracle/tibero-rolls-back", test_tibero_rolls_back);
  g_test_add_func ("/sources/odbc-oracle/probe", test_probe);
  failed = g_test_run ();
  odbc_fixture_clear ();
  return failed;
}
