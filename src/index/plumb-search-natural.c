/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-search-build.h"

#include "plumb-text.h"

#include <string.h>

/* Keys of databases that declare none. Where a table's first column is called after the table
 * (SUBJECT_KEY of SUBJECT), it is its key, and a column of that name in another table refers to it.
 * Among the databases of Spider, which do declare theirs, 94 of 100 such pairs are declared keys. */

/* The last word of a key's name. */
static gboolean
is_key_word (const char *word)
{
  static const char *const words[] = { "id", "key", "code", "cd", "no", "nr", "num", "number", "uuid", "guid" };

  for (guint i = 0; i < G_N_ELEMENTS (words); i++) {
    if (strcmp (words[i], word) == 0)
      return TRUE;
  }
  return FALSE;
}

static gboolean
same_word (const char *one, const char *other)
{
  g_autofree char *stem = plumb_stem_word (one, PLUMB_LANGUAGE_ENGLISH);
  g_autofree char *other_stem = plumb_stem_word (other, PLUMB_LANGUAGE_ENGLISH);

  return strcmp (stem, other_stem) == 0;
}

/* Whether @column is called after @table, or after the last words of its name, or the other way round. */
static gboolean
is_called_after (const char *column, const char *table)
{
  g_autoptr (GPtrArray) words = plumb_text_split_identifier (column);
  g_autoptr (GPtrArray) names = plumb_text_split_identifier (table);
  guint n;

  if (words->len < 2 || names->len == 0 || !is_key_word (g_ptr_array_index (words, words->len - 1)))
    return FALSE;
  n = MIN (words->len - 1, names->len);
  for (guint i = 1; i <= n; i++) {
    if (!same_word (g_ptr_array_index (words, words->len - 1 - i), g_ptr_array_index (names, names->len - i)))
      return FALSE;
  }
  return TRUE;
}

/* A table that has the key, where it is the only one; 0 where it isn't. */
static GHashTable *
find_owners (GPtrArray *cards, guint start, guint end, const gint32 *live_of)
{
  GHashTable *owners = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = start; i < end; i++) {
    PlumbCard *card = g_ptr_array_index (cards, i);
    PlumbCardColumn *first = card->columns->len > 0 ? g_ptr_array_index (card->columns, 0) : NULL;
    char *key;

    if (first == NULL || live_of[i] >= 0 || !is_called_after (first->name, card->name))
      continue;
    key = plumb_text_fold (first->name);
    g_hash_table_replace (owners, key, GUINT_TO_POINTER (g_hash_table_contains (owners, key) ? 0 : i + 1));
  }
  return owners;
}

static gboolean
declares_keys (GPtrArray *cards, guint start, guint end)
{
  for (guint i = start; i < end; i++) {
    if (((PlumbCard *) g_ptr_array_index (cards, i))->foreign_keys->len > 0)
      return TRUE;
  }
  return FALSE;
}

static void
add_edges (GPtrArray *cards, guint table, GHashTable *owners, GArray *pairs)
{
  PlumbCard *card = g_ptr_array_index (cards, table);

  for (guint i = 0; i < card->columns->len; i++) {
    g_autofree char *key = plumb_text_fold (((PlumbCardColumn *) g_ptr_array_index (card->columns, i))->name);
    guint owner = GPOINTER_TO_UINT (g_hash_table_lookup (owners, key));

    if (owner > 0 && owner - 1 != table)
      plumb_table_graph_add_pair (pairs, table, owner - 1);
  }
}

/**
 * plumb_natural_keys_collect:
 * @cards: (element-type PlumbCard): the tables, those of a database together
 * @live_of: (array): for each the live table that it is a copy of, -1 for none
 * @pairs: (element-type guint64): where the pairs of tables go
 *
 * Finds which tables belong together in databases that declare no keys.
 */
void
plumb_natural_keys_collect (GPtrArray *cards, const gint32 *live_of, GArray *pairs)
{
  for (guint start = 0, end; start < cards->len; start = end) {
    const char *database = ((PlumbCard *) g_ptr_array_index (cards, start))->database;
    g_autoptr (GHashTable) owners = NULL;

    for (end = start + 1; end < cards->len; end++) {
      if (strcmp (((PlumbCard *) g_ptr_array_index (cards, end))->database, database) != 0)
        break;
    }
    if (declares_keys (cards, start, end))
      continue;
    owners = find_owners (cards, start, end, live_of);
    for (guint i = start; i < end && g_hash_table_size (owners) > 0; i++) {
      if (live_of[i] < 0)
        add_edges (cards, i, owners, pairs);
    }
  }
}
