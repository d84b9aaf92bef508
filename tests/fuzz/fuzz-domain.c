/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-analysis.h"
#include "plumb-domain-file.h"

#include <stdint.h>
#include <string.h>

/* A domain file, and the same text as a comment of a column and as a table's name. Whatever stands
 * in it, the cards have the tables and columns of the catalog. */

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

static PlumbCatalog *
make_catalog (const char *text)
{
  PlumbCatalog *catalog = plumb_catalog_new ("sales");
  g_autofree char *first_line = g_strndup (text, strcspn (text, "\n"));
  const char *names[] = { "ORD_MST", "ORD_MST_BAK", first_line };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    PlumbTable *table = plumb_table_new ("main", names[i]);
    PlumbColumn *column = plumb_column_new ("ORD_NO", "TEXT");

    column->comment = g_strdup (text);
    g_ptr_array_add (table->columns, column);
    g_ptr_array_add (table->columns, plumb_column_new (names[i], ""));
    table->primary_key = g_strdupv ((char *[]) { (char *) "ORD_NO", NULL });
    plumb_catalog_add_table (catalog, table);
  }
  plumb_catalog_sort (catalog);
  return catalog;
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autofree char *bytes = g_strndup ((const char *) data, size);
  g_autofree char *text = g_utf8_make_valid (bytes, -1);
  g_autoptr (GError) error = NULL;
  PlumbDomainFile *file = plumb_domain_file_parse ((const char *) data, size, &error);
  g_autoptr (GPtrArray) files =
      g_ptr_array_new_with_free_func ((GDestroyNotify) plumb_domain_file_free);
  g_autoptr (PlumbCatalog) catalog = make_catalog (text);
  g_autoptr (GPtrArray) cards = plumb_analysis_make_cards (catalog);
  g_autoptr (GPtrArray) edges = plumb_analysis_infer_edges (catalog, cards);

  g_assert_true ((file != NULL) == (error == NULL));
  if (file != NULL)
    g_ptr_array_add (files, file);
  plumb_domain_files_apply (files, cards);
  plumb_domain_files_confirm_edges (files, edges);
  g_assert_cmpuint (cards->len, ==, catalog->tables->len);
  for (guint i = 0; i < cards->len; i++)
    g_assert_cmpuint (((PlumbCard *) g_ptr_array_index (cards, i))->columns->len, ==, 2);
  return 0;
}
