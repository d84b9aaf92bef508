/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-text.h"
#include "plumb-table-name.h"

#include <string.h>

static void
assert_tokens (GPtrArray *tokens, const char *expected)
{
  g_autoptr (GString) joined = g_string_new (NULL);

  for (guint i = 0; i < tokens->len; i++)
    g_string_append_printf (joined, "%s%s", i > 0 ? " " : "", (char *) g_ptr_array_index (tokens, i));
  g_assert_cmpstr (joined->str, ==, expected);
  g_ptr_array_unref (tokens);
}

static void
test_split (void)
{
  assert_tokens (plumb_text_split_identifier ("ORD_DTL_H"), "ord dtl h");
  assert_tokens (plumb_text_split_identifier ("customerId"), "customer id");
  assert_tokens (plumb_text_split_identifier ("HTTPServer2Name"), "http server 2 name");
  assert_tokens (plumb_text_split_identifier ("ORD_MST_202312"), "ord mst 202312");
  assert_tokens (plumb_text_split_identifier ("고객번호"), "고객 객번 번호");
  assert_tokens (plumb_text_split_identifier ("고객_NO"), "고객 no");
  assert_tokens (plumb_text_split_identifier ("СчётФактура"), "счёт фактура");
  assert_tokens (plumb_text_split_identifier ("Größe"), "grösse");
  assert_tokens (plumb_text_split_identifier (""), "");
  assert_tokens (plumb_text_split_identifier ("___"), "");
}

static void
test_tokenize (void)
{
  assert_tokens (plumb_text_tokenize ("How many ORD_MST rows?"), "how many ord mst ord_mst rows");
  assert_tokens (plumb_text_tokenize ("ＦＵＬＬ　width"), "full width");
  assert_tokens (plumb_text_tokenize ("미처리 주문은 몇 건?"), "미처 처리 주문 문은 몇 건");
  assert_tokens (plumb_text_tokenize ("订单数量"), "订单 单数 数量");
  assert_tokens (plumb_text_tokenize ("😀 -- ' * NEAR("), "near");
  assert_tokens (plumb_text_tokenize ("a\xff" "b"), "a b");
}

static void
test_make_valid (void)
{
  gsize length = 0;
  g_autofree char *text = plumb_text_make_valid ("a\0b\xff", 4, &length);

  g_assert_cmpuint (length, ==, 6);
  g_assert_cmpmem (text, length, "a\0b\357\277\275", 6);
}

static void
test_cut (void)
{
  g_autofree char *whole = plumb_text_cut ("주문", 6);
  g_autofree char *cut = plumb_text_cut ("주문 마스터", 12);
  g_autofree char *nothing = plumb_text_cut ("주문", 2);
  g_autofree char *line = plumb_text_first_line ("  How   many\nmore", 40);
  g_autofree char *short_line = plumb_text_first_line ("abcdefghij", 5);

  g_assert_cmpstr (whole, ==, "주문");
  g_assert_true (g_utf8_validate (cut, -1, NULL));
  g_assert_cmpuint (strlen (cut), <=, 12);
  g_assert_true (g_str_has_prefix (cut, "주문") && g_str_has_suffix (cut, "…"));
  g_assert_cmpstr (nothing, ==, "");
  g_assert_cmpstr (line, ==, "How many");
  g_assert_cmpstr (short_line, ==, "abcd…");
}

static void
assert_name (const char *text, const char *database, const char *schema, const char *table)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PlumbTableName) name = plumb_table_name_parse (text, &error);
  g_autofree char *again = NULL;

  g_assert_no_error (error);
  g_assert_cmpstr (name->database, ==, database);
  g_assert_cmpstr (name->schema, ==, schema);
  g_assert_cmpstr (name->table, ==, table);
  again = plumb_table_name_format (name);
  g_assert_cmpstr (again, ==, text);
}

static void
test_table_names (void)
{
  static const char *const wrong[] = { "", "a.", ".a", "a..b", "a.b.c.d", "\"open", "\"a\"b", "a\xff" };

  assert_name ("sales.main.ORD_MST", "sales", "main", "ORD_MST");
  assert_name ("main.ORD_MST", NULL, "main", "ORD_MST");
  assert_name ("주문", NULL, NULL, "주문");
  assert_name ("public.\"weird.name\"", NULL, "public", "weird.name");
  assert_name ("public.\"has\"\"quote\"", NULL, "public", "has\"quote");
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++) {
    g_autoptr (GError) error = NULL;

    g_assert_null (plumb_table_name_parse (wrong[i], &error));
    g_assert_error (error, PLUMB_ERROR, PLUMB_ERROR_INVALID_ARGUMENT);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/text/split", test_split);
  g_test_add_func ("/core/text/tokenize", test_tokenize);
  g_test_add_func ("/core/text/make-valid", test_make_valid);
  g_test_add_func ("/core/text/cut", test_cut);
  g_test_add_func ("/core/table-name", test_table_names);
  return g_test_run ();
}
