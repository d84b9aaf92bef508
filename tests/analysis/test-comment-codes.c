/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "analysis-catalog.h"

/* The codes that a card takes from a column's comment, as "value=meaning; …". */
static void
assert_codes (const char *comment, const char *expected)
{
  g_autoptr (PlumbCatalog) catalog = plumb_catalog_new ("db");
  g_autoptr (GPtrArray) cards = NULL;
  g_autoptr (GString) text = g_string_new (NULL);
  PlumbTable *table = add_table (catalog, "T1", "C", NULL);
  PlumbCardColumn *column;

  ((PlumbColumn *) g_ptr_array_index (table->columns, 0))->comment = g_strdup (comment);
  plumb_catalog_sort (catalog);
  cards = plumb_analysis_make_cards (catalog);
  column = g_ptr_array_index (((PlumbCard *) g_ptr_array_index (cards, 0))->columns, 0);
  for (guint i = 0; i < column->values->len; i++) {
    PlumbCodeValue *code = g_ptr_array_index (column->values, i);

    g_string_append_printf (text, "%s%s=%s", i > 0 ? "; " : "", code->value, code->meaning);
  }
  g_assert_cmpstr (text->str, ==, expected);
}

static void
test_codes (void)
{
  assert_codes ("1=open, 2=shipped", "1=open; 2=shipped");
  assert_codes ("sales channel: W=web shop, S=store", "W=web shop; S=store");
  assert_codes ("status (1: open; 2: shipped)", "1=open; 2=shipped");
  assert_codes ("order status: 10 new, 20 paid", "10=new; 20=paid");
  assert_codes ("0 - no, 1 - yes", "0=no; 1=yes");
  assert_codes ("Y=in use", "Y=in use");
  assert_codes ("device: D=desktop, M=mobile / T=tablet", "D=desktop; M=mobile; T=tablet");
  assert_codes ("상태 (1:접수, 2:완료)", "1=접수; 2=완료");
  assert_codes ("状态（0正常 1停用）", "0=正常; 1=停用");
  assert_codes ("类型：1，目录；2，菜单", "");
}

static void
test_no_codes (void)
{
  assert_codes ("order amount: goods after discount, without tax", "");
  assert_codes ("amount to pay: goods, shipping and tax", "");
  assert_codes ("stars from 1 to 5", "");
  assert_codes ("valid until 2026-12-31, see contract", "");
  assert_codes ("hired on", "");
  assert_codes ("", "");
  assert_codes (",,;;==::", "");
  assert_codes ("= = =", "");
}

static void
test_long (void)
{
  g_autofree char *many = g_strnfill (200000, ',');
  g_autofree char *pairs = g_strdup ("1=a, 2=b");
  g_autofree char *text = g_strconcat (pairs, many, NULL);

  assert_codes (text, "1=a; 2=b");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/comment-codes/codes", test_codes);
  g_test_add_func ("/comment-codes/no-codes", test_no_codes);
  g_test_add_func ("/comment-codes/long", test_long);
  return g_test_run ();
}
