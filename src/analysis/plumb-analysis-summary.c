/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-analysis-private.h"

#include "plumb-text.h"

#include <string.h>

#define MAX_BYTES 500

/* Facts first, then dimensions; among them those with more rows. */
static guint
rank_role (PlumbRole role)
{
  switch (role) {
  case PLUMB_ROLE_FACT:
    return 0;
  case PLUMB_ROLE_DIMENSION:
    return 1;
  case PLUMB_ROLE_UNKNOWN:
    return 2;
  case PLUMB_ROLE_BRIDGE:
  case PLUMB_ROLE_LOG:
    return 3;
  default:
    return 4;
  }
}

static int
compare_cards (gconstpointer a, gconstpointer b)
{
  PlumbCard *first = *(PlumbCard *const *) a;
  PlumbCard *second = *(PlumbCard *const *) b;
  guint first_rank = rank_role (first->role) * 2 + (first->synonyms == NULL);
  guint second_rank = rank_role (second->role) * 2 + (second->synonyms == NULL);

  /* What a person wrote a domain file about comes before its like. */
  if (first_rank != second_rank)
    return first_rank < second_rank ? -1 : 1;
  if (first->row_estimate != second->row_estimate)
    return first->row_estimate > second->row_estimate ? -1 : 1;
  return strcmp (first->name, second->name);
}

/* "Orders: one row an order, the live table" says "Orders". */
static char *
shorten_purpose (PlumbCard *card)
{
  g_autofree char *clause =
      card->purpose != NULL ? plumb_analysis_first_clause (card->purpose) : NULL;

  return clause != NULL ? g_steal_pointer (&clause) : g_strdup (card->name);
}

/**
 * plumb_analysis_summarize:
 * @database: the source's name
 * @cards: (element-type PlumbCard): its cards
 *
 * Returns: (transfer full): what the database holds, in no more than 500 bytes: the main tables
 *   first, so that a cut keeps the best
 */
char *
plumb_analysis_summarize (const char *database, GPtrArray *cards)
{
  g_autoptr (GPtrArray) sorted = g_ptr_array_new ();
  g_autoptr (GHashTable) said = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *count = NULL;
  guint n_copies = 0;

  for (guint i = 0; i < cards->len; i++) {
    PlumbCard *card = g_ptr_array_index (cards, i);

    n_copies += card->copy_of != NULL;
    if (card->copy_of == NULL && !(card->status == PLUMB_STATUS_PARTITION && card->family != NULL))
      g_ptr_array_add (sorted, card);
  }
  g_ptr_array_sort (sorted, compare_cards);
  count = n_copies > 0 ? g_strdup_printf (" (%u tables, %u of them copies)", cards->len, n_copies)
                       : g_strdup_printf (" (%u tables)", cards->len);
  for (guint i = 0; i < sorted->len; i++) {
    char *purpose = shorten_purpose (g_ptr_array_index (sorted, i));

    if (text->len + strlen (purpose) + strlen (count) + 4 > MAX_BYTES ||
        g_hash_table_contains (said, purpose)) {
      g_free (purpose);
      continue;
    }
    g_string_append_printf (text, "%s%s", text->len > 0 ? "; " : "", purpose);
    g_hash_table_add (said, purpose);
  }
  g_string_append (text, count);
  return plumb_text_cut (text->str, MAX_BYTES);
}
