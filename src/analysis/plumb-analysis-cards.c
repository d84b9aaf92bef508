/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-analysis-private.h"

#include "plumb-table-name.h"

/** plumb_strv_add: adds @text (transfer full) at the end of @strings, which may be %NULL */
void
plumb_strv_add (GStrv *strings, char *text)
{
  guint n = *strings != NULL ? g_strv_length (*strings) : 0;

  *strings = g_renew (char *, *strings, n + 2);
  (*strings)[n] = text;
  (*strings)[n + 1] = NULL;
}

/** plumb_card_get_short_name: Returns: (transfer full): `schema.table` */
char *
plumb_card_get_short_name (PlumbCard *card)
{
  return plumb_table_name_join (NULL, card->schema, card->name);
}

/**
 * plumb_analysis_make_cards:
 * @catalog: a catalog
 *
 * Everything that can be said without reading a row: what the catalog tells, purpose, grain and
 * meaning by comments, labels and spelled-out names, roles, copies and partitions with reasons, and
 * what is easily got wrong.
 *
 * Returns: (transfer full) (element-type PlumbCard): a card for each table, in the catalog's order
 */
GPtrArray *
plumb_analysis_make_cards (PlumbCatalog *catalog)
{
  GPtrArray *cards = g_ptr_array_new_with_free_func ((GDestroyNotify) plumb_card_unref);

  for (guint i = 0; i < catalog->tables->len; i++)
    g_ptr_array_add (cards, plumb_card_new_from_table (catalog->database,
                                                       g_ptr_array_index (catalog->tables, i)));
  plumb_analysis_judge_copies (catalog, cards);
  plumb_analysis_add_meaning (catalog, cards);
  plumb_analysis_assign_roles (catalog, cards);
  plumb_analysis_add_misuse (cards);
  return cards;
}
