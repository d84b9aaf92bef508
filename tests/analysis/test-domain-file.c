/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "analysis-catalog.h"
#include "plumb-domain-file.h"

#include <glib/gstdio.h>

static const char sales[] =
    "---\r\n"
    "domain: sales\n"
    "# a remark\n"
    "keywords_en: [order, \"order, open\", sale]\n"
    "keywords_ko:\n"
    "  - 주문\n"
    "  - '미처리 주문'\n"
    "unknown: whatever\n"
    "question_examples:\n"
    "  - How many orders are open?\n"
    "tables_primary: [ord_mst, main.ORD_DTL]\n"
    "---\n"
    "# Orders\n"
    "\n"
    "An order is one row.\n"
    "It has lines.\n"
    "\n"
    "Not this paragraph.\n"
    "\n"
    "## Fields\n"
    "- `ORD_MST.STAT`: order status; 10 open, 20 shipped\n"
    "- `ord_mst.amt`: goods after discount,\n"
    "  without tax\n"
    "- `NOWHERE.X`: nothing\n"
    "- no target\n"
    "\n"
    "## Joins\n"
    "- `ORD_DTL.ORD_NO = ORD_MST.ORD_NO`: several lines an order\n"
    "## Pitfalls\n"
    "- `ORD_MST.RMK`: does not say the status\n"
    "- `ORD_MST`: has copies\n";

static PlumbDomainFile *
parse (const char *text)
{
  g_autoptr (GError) error = NULL;
  PlumbDomainFile *file = plumb_domain_file_parse (text, -1, &error);

  g_assert_no_error (error);
  return file;
}

static void
test_parse (void)
{
  g_autoptr (PlumbDomainFile) file = parse (sales);
  g_autofree char *keywords = g_strjoinv ("|", file->keywords);
  g_autofree char *tables = g_strjoinv ("|", file->tables_primary);

  g_assert_cmpstr (file->domain, ==, "sales");
  g_assert_null (file->database);
  g_assert_cmpstr (keywords, ==, "order|order, open|sale|주문|미처리 주문");
  g_assert_cmpstr (file->question_examples[0], ==, "How many orders are open?");
  g_assert_cmpstr (tables, ==, "ord_mst|main.ORD_DTL");
  g_assert_cmpstr (file->purpose, ==, "An order is one row. It has lines.");
  g_assert_cmpuint (file->fields->len, ==, 3);
  g_assert_cmpuint (file->joins->len, ==, 1);
  g_assert_cmpuint (file->pitfalls->len, ==, 2);
  g_assert_cmpstr (((PlumbDomainLine *) g_ptr_array_index (file->fields, 1))->text, ==,
                   "goods after discount, without tax");
}

static PlumbCatalog *
make_catalog (void)
{
  PlumbCatalog *catalog = plumb_catalog_new ("shop");

  add_table (catalog, "ORD_MST", "ORD_NO, STAT, AMT NUMERIC, RMK", "ORD_NO");
  add_table (catalog, "ORD_MST_BAK", "ORD_NO, STAT, AMT NUMERIC, RMK", NULL);
  add_table (catalog, "ORD_DTL", "ORD_NO, LN_NO INTEGER", "ORD_NO, LN_NO");
  plumb_catalog_sort (catalog);
  return catalog;
}

static void
test_apply (void)
{
  g_autoptr (PlumbCatalog) catalog = make_catalog ();
  g_autoptr (GPtrArray) cards = plumb_analysis_make_cards (catalog);
  g_autoptr (GPtrArray) edges = plumb_analysis_infer_edges (catalog, cards);
  g_autoptr (GPtrArray) files =
      g_ptr_array_new_with_free_func ((GDestroyNotify) plumb_domain_file_free);
  PlumbCard *card = find_card (cards, "ORD_MST");
  PlumbCardColumn *stat = plumb_card_find_column (card, "STAT");

  g_ptr_array_add (files, parse (sales));
  plumb_domain_files_apply (files, cards);
  plumb_domain_files_confirm_edges (files, edges);
  g_assert_true (g_strv_contains ((const char *const *) card->synonyms, "미처리 주문"));
  g_assert_true (
      g_strv_contains ((const char *const *) card->synonyms, "How many orders are open?"));
  g_assert_cmpstr (card->purpose, ==, "An order is one row. It has lines.");
  g_assert_cmpstr (stat->meaning, ==, "order status");
  g_assert_cmpuint (stat->values->len, ==, 2);
  g_assert_cmpstr (((PlumbCodeValue *) g_ptr_array_index (stat->values, 0))->meaning, ==, "open");
  g_assert_cmpstr (plumb_card_find_column (card, "AMT")->meaning, ==,
                   "amount: goods after discount, without tax");
  g_assert_cmpstr (plumb_card_find_column (card, "RMK")->misuse, ==, "does not say the status");
  g_assert_true (g_strv_contains ((const char *const *) card->misuse, "has copies"));
  g_assert_null (find_card (cards, "ORD_MST_BAK")->synonyms);
  g_assert_cmpuint (edges->len, ==, 1);
  g_assert_cmpint (((PlumbJoinEdge *) g_ptr_array_index (edges, 0))->trust, ==, 1);
}

static void
test_other_database (void)
{
  g_autoptr (PlumbCatalog) catalog = make_catalog ();
  g_autoptr (GPtrArray) cards = plumb_analysis_make_cards (catalog);
  g_autoptr (GPtrArray) files =
      g_ptr_array_new_with_free_func ((GDestroyNotify) plumb_domain_file_free);

  g_ptr_array_add (files, parse ("---\ndomain: x\ndatabase: other\nkeywords: [a]\n"
                                 "tables_primary: [ORD_MST]\n---\n"));
  plumb_domain_files_apply (files, cards);
  g_assert_null (find_card (cards, "ORD_MST")->synonyms);
}

static void
test_broken (void)
{
  static const char *const texts[] = {
    "", "# Only Markdown\n", "---\ndomain: x\n", "---\n---\n", "---\nkeywords: [a\n---\n",
    "--- \ndomain:\n---\n", "\xff\xfe---\n", "---\n- a\n: b\n---\n",
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (PlumbDomainFile) file = plumb_domain_file_parse (texts[i], -1, &error);

    g_assert_null (file);
    g_assert_error (error, PLUMB_ERROR, PLUMB_ERROR_INVALID_ARGUMENT);
  }
}

/* What isn't understood is left alone, and nothing crashes. */
static void
test_odd (void)
{
  static const char *const texts[] = {
    "---\ndomain: x\n---\n## Fields\n- ``: a\n- `a\n- `.x`: b\n- `x.`: c\n  more\n## \n#\n",
    ("---\ndomain: \"x\"\nkeywords: []\ntables_primary: [\"\", 'T', a.b.c.d, \"x\"y]\n---\n## "
     "Joins\n- `=`: a\n- `a=b`\n- `a.b=`:\n"),
    "---\ndomain: x\nkeywords: [[a], {b: c}]\n---\n\n\n",
    "\357\273\277---\ndomain: x\n---",
  };
  g_autoptr (PlumbCatalog) catalog = make_catalog ();
  g_autoptr (GPtrArray) cards = plumb_analysis_make_cards (catalog);
  g_autoptr (GPtrArray) edges = plumb_analysis_infer_edges (catalog, cards);

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++) {
    g_autoptr (GPtrArray) files =
        g_ptr_array_new_with_free_func ((GDestroyNotify) plumb_domain_file_free);

    g_ptr_array_add (files, parse (texts[i]));
    g_assert_cmpstr (((PlumbDomainFile *) g_ptr_array_index (files, 0))->domain, ==, "x");
    plumb_domain_files_apply (files, cards);
    plumb_domain_files_confirm_edges (files, edges);
  }
}

static void
test_folder (void)
{
  g_autofree char *folder = g_dir_make_tmp ("plumbline-domains-XXXXXX", NULL);
  g_autofree char *good = g_build_filename (folder, "a.md", NULL);
  g_autofree char *bad = g_build_filename (folder, "b.md", NULL);
  g_autofree char *other = g_build_filename (folder, "c.txt", NULL);
  g_autoptr (GPtrArray) failures = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) files = NULL;
  g_autoptr (GPtrArray) none = NULL;

  g_assert_true (g_file_set_contents (good, sales, -1, NULL));
  g_assert_true (g_file_set_contents (bad, "no front matter", -1, NULL));
  g_assert_true (g_file_set_contents (other, "---", -1, NULL));
  files = plumb_domain_files_load (folder, failures);
  g_assert_cmpuint (files->len, ==, 1);
  g_assert_cmpuint (failures->len, ==, 1);
  g_assert_nonnull (strstr (g_ptr_array_index (failures, 0), "b.md"));
  none = plumb_domain_files_load ("/nonexistent/folder", failures);
  g_assert_cmpuint (none->len, ==, 0);
  g_assert_cmpuint (failures->len, ==, 1);
  g_remove (good);
  g_remove (bad);
  g_remove (other);
  g_rmdir (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/domain-file/parse", test_parse);
  g_test_add_func ("/domain-file/apply", test_apply);
  g_test_add_func ("/domain-file/other-database", test_other_database);
  g_test_add_func ("/domain-file/broken", test_broken);
  g_test_add_func ("/domain-file/odd", test_odd);
  g_test_add_func ("/domain-file/folder", test_folder);
  return g_test_run ();
}
