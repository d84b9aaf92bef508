/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-search-lexicon.h"

#include "plumb-text.h"

#include <math.h>
#include <string.h>

/* Longest word that is looked at, and the shortest part that a word may be split into. */
#define MAX_LENGTH 64
#define MIN_PART 2

/* What a word costs in a split: rare words and short ones are unlikely parts. -1 for no word. */
static double
word_cost (const char *word, gsize length, PlumbKnowsWord knows, gpointer data)
{
  g_autofree char *stem = NULL;
  int rank = plumb_lexicon_rank (word);
  double cost;

  if (rank < 0 && length > 3) {
    stem = plumb_stem_word (word, PLUMB_LANGUAGE_ENGLISH);
    rank = plumb_lexicon_rank (stem);
  }
  if (rank >= 0)
    cost = 3 + log (2 + rank);
  else if (length > 3 && knows != NULL && knows (word, data))
    cost = 10;
  else if (length > 4 && plumb_lexicon_has (word, PLUMB_LANGUAGE_GERMAN))
    cost = 12;
  else
    return -1;
  /* Two and three letters are words far more often by chance. */
  if (length == 2)
    return rank < 60 && rank >= 0 ? cost + 4 : -1;
  if (length == 3)
    return rank < 3000 && rank >= 0 ? cost + 2 : -1;
  return cost;
}

static gboolean
has_german (const char *word)
{
  g_autofree char *stem = plumb_stem_word (word, PLUMB_LANGUAGE_GERMAN);

  return strlen (stem) > 2 && plumb_lexicon_has (stem, PLUMB_LANGUAGE_GERMAN);
}

/**
 * plumb_split_compound:
 * @word: a folded German word, such as "kundennummer"
 *
 * Returns: (transfer full) (nullable) (element-type utf8): two words that @word is put together
 *   from, with whatever letters bind them; %NULL where it isn't
 */
GPtrArray *
plumb_split_compound (const char *word)
{
  const char *best = NULL;

  /* The longest last part that is a word, since that says what the whole is. */
  for (const char *p = word; *p != '\0'; p = g_utf8_next_char (p)) {
    g_autofree char *first = g_strndup (word, p - word);

    if (g_utf8_strlen (first, -1) < 3 || g_utf8_strlen (p, -1) < 4)
      continue;
    if (g_str_has_suffix (first, "s") && !has_german (first))
      first[strlen (first) - 1] = '\0';
    if (has_german (first) && has_german (p)) {
      best = p;
      break;
    }
  }
  if (best != NULL) {
    GPtrArray *parts = g_ptr_array_new_with_free_func (g_free);

    g_ptr_array_add (parts, g_strndup (word, best - word));
    g_ptr_array_add (parts, g_strdup (best));
    return parts;
  }
  return NULL;
}

/**
 * plumb_split_run_together:
 * @word: a folded word without spaces, such as "listedsecurity"
 * @knows: (nullable): says whether a word is known to stand alone
 * @data: passed to @knows
 *
 * Splits words that were written without anything between them, at the least cost over all ways of
 * splitting (dynamic programming; a part's cost grows with its rarity).
 *
 * Returns: (transfer full) (nullable) (element-type utf8): two or more words, %NULL where @word is
 *   one word, or not made of words that are known
 */
GPtrArray *
plumb_split_run_together (const char *word, PlumbKnowsWord knows, gpointer data)
{
  gsize length = strlen (word);
  double best[MAX_LENGTH + 1];
  guint8 from[MAX_LENGTH + 1];
  g_autoptr (GPtrArray) parts = NULL;

  if (length < 6 || length > MAX_LENGTH || plumb_lexicon_rank (word) >= 0)
    return NULL;
  best[0] = 0;
  for (gsize end = 1; end <= length; end++) {
    best[end] = INFINITY;
    from[end] = 0;
    for (gsize start = end > 24 ? end - 24 : 0; start + MIN_PART <= end; start++) {
      char part[25];
      double cost;

      if (best[start] == INFINITY || (start == 0 && end == length))
        continue;
      memcpy (part, word + start, end - start);
      part[end - start] = '\0';
      cost = word_cost (part, end - start, knows, data);
      if (cost >= 0 && best[start] + cost < best[end]) {
        best[end] = best[start] + cost;
        from[end] = start;
      }
    }
  }
  if (best[length] == INFINITY || best[length] > 5 + 2.4 * length)
    return NULL;
  parts = g_ptr_array_new_with_free_func (g_free);
  for (gsize end = length; end > 0; end = from[end])
    g_ptr_array_insert (parts, 0, g_strndup (word + from[end], end - from[end]));
  return parts->len > 1 ? g_steal_pointer (&parts) : NULL;
}
