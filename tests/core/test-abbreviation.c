/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-abbreviation-table.h"
#include "plumb-abbreviation.h"

#include <string.h>

static void
assert_spelled (const char *identifier, const char *expected)
{
  g_autofree char *text = plumb_abbreviation_spell_out (identifier);

  g_assert_cmpstr (text, ==, expected);
}

/* bsearch() finds nothing in a table that isn't sorted. */
static void
test_sorted (void)
{
  for (gsize i = 1; i < plumb_n_abbreviations; i++)
    g_assert_cmpint (strcmp (plumb_abbreviations[i - 1].abbreviation,
                             plumb_abbreviations[i].abbreviation), <, 0);
  for (gsize i = 0; i < plumb_n_abbreviations; i++)
    g_assert_nonnull (plumb_abbreviations[i].words[0]);
}

static void
test_expand (void)
{
  g_assert_cmpstr (plumb_abbreviation_expand ("ord")[0], ==, "order");
  g_assert_cmpstr (plumb_abbreviation_expand ("prd")[0], ==, "product");
  g_assert_cmpstr (plumb_abbreviation_expand ("prd")[1], ==, "period");
  g_assert_null (plumb_abbreviation_expand ("prd")[2]);
  g_assert_null (plumb_abbreviation_expand ("order"));
  g_assert_null (plumb_abbreviation_expand (""));
  g_assert_null (plumb_abbreviation_expand ("ORD"));
}

static void
test_spell_out (void)
{
  assert_spelled ("ORD_MST", "order master");
  assert_spelled ("ordDtlQty", "order detail quantity");
  assert_spelled ("RTN_HIST", "return history");
  assert_spelled ("ORD_DTL_H", "order detail history");
  assert_spelled ("TB_CUST_ADDR", "customer address");
  assert_spelled ("V_ORD_CUST", "order customer");
  assert_spelled ("T", "t");
  assert_spelled ("H", "h");
  assert_spelled ("CD_CODE", "code");
  assert_spelled ("USE_YN", "use yes or no");
  assert_spelled ("VISIT_LOG_202610", "visit log 202610");
  assert_spelled ("1_1", "1 1");
  assert_spelled ("주문상태_CD", "주문상태 code");
  assert_spelled ("Größe", "grösse");
  assert_spelled ("", "");
  assert_spelled ("_", "");
  assert_spelled ("\xff\xfe", "");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/abbreviation/sorted", test_sorted);
  g_test_add_func ("/abbreviation/expand", test_expand);
  g_test_add_func ("/abbreviation/spell-out", test_spell_out);
  return g_test_run ();
}
