/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-card.h"
#include "plumb-join-edge.h"
#include "plumb-result.h"

#include <math.h>
#include <string.h>

#define CELL(string, value_kind) ((PlumbCell) { string, sizeof (string) - 1, value_kind, FALSE })
#define NULL_CELL ((PlumbCell) { NULL, 0, PLUMB_VALUE_NULL, FALSE })

static PlumbResult *
make_result (const PlumbLimits *limits, guint n_columns)
{
  PlumbResult *result = plumb_result_new (limits);
  PlumbRowSink sink = plumb_result_get_sink (result);
  g_autoptr (GPtrArray) columns =
      g_ptr_array_new_with_free_func ((GDestroyNotify) plumb_result_column_free);

  for (guint i = 0; i < n_columns; i++) {
    g_autofree char *name = g_strdup_printf ("c%u", i);

    g_ptr_array_add (columns, plumb_result_column_new (name, "numeric", PLUMB_VALUE_DECIMAL));
  }
  g_assert_true (sink.columns (columns, sink.user_data, NULL));
  return result;
}

static PlumbRowsNext
add_row (PlumbResult *result, const PlumbCell *cells, guint n_cells)
{
  PlumbRowSink sink = plumb_result_get_sink (result);

  return sink.row (cells, n_cells, sink.user_data, NULL);
}

static char *
rows_of (PlumbResult *result, gsize max_bytes)
{
  g_autoptr (PlumbJsonWriter) writer = plumb_json_writer_new ();
  g_autoptr (JsonNode) node = NULL;
  g_autofree char *json = NULL;
  const char *rows;

  plumb_json_writer_begin_object (writer);
  plumb_result_write_json (result, writer, max_bytes);
  plumb_json_writer_end_object (writer);
  json = plumb_json_writer_finish (writer);
  node = plumb_json_parse (json, -1, NULL);
  g_assert_nonnull (node);
  rows = strstr (json, "\"rows\":") + strlen ("\"rows\":");
  return g_strndup (rows, strstr (rows, ",\"row_count\"") - rows);
}

static void
test_exact_numbers (void)
{
  g_autoptr (PlumbResult) result = make_result (NULL, 9);
  const PlumbCell cells[] = {
    CELL ("9007199254740993", PLUMB_VALUE_INTEGER),
    CELL ("42", PLUMB_VALUE_INTEGER),
    CELL ("1234.50", PLUMB_VALUE_DECIMAL),
    CELL ("0.1234567890123456789", PLUMB_VALUE_DECIMAL),
    CELL ("NaN", PLUMB_VALUE_DECIMAL),
    CELL ("0.1", PLUMB_VALUE_FLOAT),
    CELL ("Infinity", PLUMB_VALUE_FLOAT),
    NULL_CELL,
    CELL ("", PLUMB_VALUE_TEXT),
  };
  g_autofree char *rows = NULL;

  add_row (result, cells, G_N_ELEMENTS (cells));
  rows = rows_of (result, 0);
  g_assert_cmpstr (rows, ==,
                   "[[\"9007199254740993\",42,1234.50,\"0.1234567890123456789\",\"NaN\",0.1,"
                   "\"Infinity\",null,\"\"]]");
}

static void
test_odd_bytes (void)
{
  g_autoptr (PlumbResult) result = make_result (NULL, 3);
  const PlumbCell cells[] = {
    CELL ("a\0b", PLUMB_VALUE_TEXT),
    CELL ("\xff\xfe", PLUMB_VALUE_TEXT),
    CELL ("\x01\xab", PLUMB_VALUE_BINARY),
  };
  g_autofree char *rows = NULL;
  g_autofree char *shown = NULL;

  add_row (result, cells, G_N_ELEMENTS (cells));
  rows = rows_of (result, 0);
  g_assert_cmpstr (rows, ==, "[[\"a\\u0000b\",\"\357\277\275\357\277\275\",\"\\\\x01ab\"]]");
  g_assert_cmpuint (plumb_result_get_cell (result, 0, 0)->length, ==, 3);
  shown = plumb_cell_to_display (plumb_result_get_cell (result, 0, 0));
  g_assert_cmpstr (shown, ==, "a␀b");
}

static void
test_row_cap (void)
{
  const PlumbLimits limits = { 2, 0, 0, 0 };
  g_autoptr (PlumbResult) result = make_result (&limits, 1);
  const PlumbCell cell = CELL ("1", PLUMB_VALUE_INTEGER);

  g_assert_cmpint (add_row (result, &cell, 1), ==, PLUMB_ROWS_CONTINUE);
  g_assert_cmpint (add_row (result, &cell, 1), ==, PLUMB_ROWS_CONTINUE);
  g_assert_false (plumb_result_get_truncated (result));
  g_assert_cmpint (add_row (result, &cell, 1), ==, PLUMB_ROWS_STOP);
  g_assert_cmpstr (plumb_result_get_truncated_by (result), ==, "rows");
  g_assert_cmpint (plumb_result_get_n_rows (result), ==, 2);
}

static void
test_cell_cap (void)
{
  const PlumbLimits limits = { 0, 0, 7, 0 };
  g_autoptr (PlumbResult) result = make_result (&limits, 1);
  const PlumbCell cell = CELL ("주문마스터", PLUMB_VALUE_TEXT);

  add_row (result, &cell, 1);
  g_assert_cmpstr (plumb_result_get_truncated_by (result), ==, "cell");
  g_assert_true (plumb_result_get_cell (result, 0, 0)->cut);
  g_assert_cmpstr (plumb_result_get_cell (result, 0, 0)->text, ==, "주문");
}

static void
test_byte_caps (void)
{
  const PlumbLimits limits = { 0, 10, 0, 0 };
  g_autoptr (PlumbResult) result = make_result (&limits, 1);
  g_autoptr (PlumbResult) whole = make_result (NULL, 1);
  const PlumbCell cell = CELL ("12345678", PLUMB_VALUE_INTEGER);
  g_autofree char *rows = NULL;

  g_assert_cmpint (add_row (result, &cell, 1), ==, PLUMB_ROWS_CONTINUE);
  g_assert_cmpint (add_row (result, &cell, 1), ==, PLUMB_ROWS_STOP);
  g_assert_cmpstr (plumb_result_get_truncated_by (result), ==, "bytes");
  for (guint i = 0; i < 100; i++)
    add_row (whole, &cell, 1);
  rows = rows_of (whole, 200);
  g_assert_cmpuint (strlen (rows), <, 200);
  g_assert_true (g_str_has_suffix (rows, "[12345678]]"));
}

static void
test_card_round_trip (void)
{
  PlumbTable *table = plumb_table_new ("main", "ORD_MST");
  g_autoptr (PlumbCatalog) catalog = plumb_catalog_new ("sales");
  g_autoptr (PlumbCard) card = NULL;
  g_autoptr (PlumbCard) again = NULL;
  g_autofree char *json = NULL;
  g_autofree char *json_again = NULL;
  PlumbForeignKey *key = plumb_foreign_key_new (NULL, "CUST_MST");

  key->columns = g_strsplit ("CUST_NO", ",", -1);
  key->ref_columns = g_strsplit ("CUST_NO", ",", -1);
  g_ptr_array_add (table->columns, plumb_column_new ("ORD_NO", "INTEGER"));
  g_ptr_array_add (table->columns, plumb_column_new ("CUST_NO", "INTEGER"));
  g_ptr_array_add (table->foreign_keys, key);
  table->primary_key = g_strsplit ("ORD_NO", ",", -1);
  plumb_catalog_add_table (catalog, table);
  card = plumb_card_new_from_table ("sales", table);
  g_assert_cmpstr (plumb_card_find_column (card, "ORD_NO")->key, ==, "PK");
  g_assert_cmpstr (plumb_card_find_column (card, "CUST_NO")->key, ==, "FK → main.CUST_MST.CUST_NO");
  card->status = PLUMB_STATUS_BACKUP;
  card->role = PLUMB_ROLE_FACT;
  card->purpose = g_strdup ("Orders \"as placed\"");
  plumb_card_column_add_value (plumb_card_find_column (card, "ORD_NO"), "10", "new", 3);
  json = plumb_card_to_json (card);
  again = plumb_card_from_json (json, NULL);
  json_again = plumb_card_to_json (again);
  g_assert_cmpstr (json, ==, json_again);
  g_assert_cmpint (again->status, ==, PLUMB_STATUS_BACKUP);
  g_assert_null (plumb_card_from_json ("[]", NULL));
  g_assert_null (plumb_card_from_json ("{", NULL));
}

static void
test_join_path_json (void)
{
  g_autoptr (PlumbTableName) left = plumb_table_name_new ("sales", "main", "ORD_MST");
  g_autoptr (PlumbTableName) right = plumb_table_name_new ("sales", "main", "CUST_MST");
  g_autoptr (PlumbJoinEdge) edge = plumb_join_edge_new (left, right);
  g_autoptr (PlumbJoinPath) path = plumb_join_path_new ();
  g_autoptr (PlumbJsonWriter) writer = plumb_json_writer_new ();
  g_autofree char *json = NULL;

  edge->left_columns = g_strsplit ("CUST_NO", ",", -1);
  edge->right_columns = g_strsplit ("NO", ",", -1);
  edge->cardinality = PLUMB_CARDINALITY_MANY_TO_ONE;
  edge->trust = 1;
  edge->basis = g_strdup ("declared");
  g_ptr_array_add (path->steps, plumb_join_step_new (edge, TRUE));
  path->penalty = 1.5;
  plumb_join_path_write_json (path, writer);
  json = plumb_json_writer_finish (writer);
  g_assert_cmpstr (json, ==,
                   "{\"path\":[{\"left\":\"sales.main.CUST_MST\",\"right\":\"sales.main.ORD_MST\","
                   "\"keys\":[[\"NO\",\"CUST_NO\"]],\"cardinality\":\"1:N\",\"trust\":1,"
                   "\"basis\":\"declared\",\"warning\":null}],\"penalty\":1.5}");
}

static void
test_json_numbers (void)
{
  g_autoptr (PlumbJsonWriter) writer = plumb_json_writer_new ();
  g_autofree char *json = NULL;

  plumb_json_writer_begin_array (writer);
  plumb_json_writer_double (writer, 0.1);
  plumb_json_writer_double (writer, 1e300);
  plumb_json_writer_double (writer, 1.0 / 3.0);
  plumb_json_writer_double (writer, NAN);
  plumb_json_writer_int (writer, G_MININT64);
  plumb_json_writer_string (writer, "\"\\\n\t\x01");
  plumb_json_writer_end_array (writer);
  json = plumb_json_writer_finish (writer);
  g_assert_cmpstr (json, ==,
                   "[0.1,1e+300,0.3333333333333333,null,-9223372036854775808,"
                   "\"\\\"\\\\\\n\\t\\u0001\"]");
  g_assert_null (plumb_json_parse ("", -1, NULL));
  g_assert_null (plumb_json_parse ("\xff", -1, NULL));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/result/exact-numbers", test_exact_numbers);
  g_test_add_func ("/core/result/odd-bytes", test_odd_bytes);
  g_test_add_func ("/core/result/row-cap", test_row_cap);
  g_test_add_func ("/core/result/cell-cap", test_cell_cap);
  g_test_add_func ("/core/result/byte-caps", test_byte_caps);
  g_test_add_func ("/core/card/round-trip", test_card_round_trip);
  g_test_add_func ("/core/join-path/json", test_join_path_json);
  g_test_add_func ("/core/json/numbers", test_json_numbers);
  return g_test_run ();
}
