/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-names.h"

#include "plumb-text.h"

#include <string.h>

/* Longer words are not compared: the distance takes length times length. */
#define MAX_LENGTH 256

/**
 * plumb_names_distance:
 * @a: a word
 * @b: another
 *
 * The Levenshtein distance of the two, case aside: letters to add, drop or change.
 *
 * Returns: the distance; %G_MAXUINT where a word is too long to compare
 */
guint
plumb_names_distance (const char *a, const char *b)
{
  g_autofree char *folded_a = plumb_text_fold (a);
  g_autofree char *folded_b = plumb_text_fold (b);
  glong n_a = 0, n_b = 0;
  g_autofree gunichar *letters_a = g_utf8_to_ucs4_fast (folded_a, -1, &n_a);
  g_autofree gunichar *letters_b = g_utf8_to_ucs4_fast (folded_b, -1, &n_b);
  guint row[MAX_LENGTH + 1];

  if (n_a > MAX_LENGTH || n_b > MAX_LENGTH)
    return G_MAXUINT;
  for (glong j = 0; j <= n_b; j++)
    row[j] = j;
  for (glong i = 1; i <= n_a; i++) {
    guint diagonal = row[0];

    row[0] = i;
    for (glong j = 1; j <= n_b; j++) {
      guint changed = diagonal + (letters_a[i - 1] != letters_b[j - 1]);

      diagonal = row[j];
      row[j] = MIN (changed, MIN (row[j], row[j - 1]) + 1);
    }
  }
  return row[n_b];
}

/**
 * plumb_names_find_nearest:
 * @word: a word that is none of @words
 * @words: known words
 *
 * Returns: (transfer none) (nullable): the known word nearest to @word, if it is near: at most a
 *   third of the letters differ
 */
const char *
plumb_names_find_nearest (const char *word, const char *const *words)
{
  const char *nearest = NULL;
  guint best = G_MAXUINT;

  for (guint i = 0; words[i] != NULL; i++) {
    guint distance = plumb_names_distance (word, words[i]);

    if (distance < best) {
      best = distance;
      nearest = words[i];
    }
  }
  return nearest != NULL && best <= MAX (1, g_utf8_strlen (word, -1) / 3) ? nearest : NULL;
}

/**
 * plumb_names_list:
 * @names: names
 * @most: how many to spell out
 *
 * Returns: (transfer full): the names with commas between, and how many more there are
 */
char *
plumb_names_list (const char *const *names, guint most)
{
  g_autoptr (GString) list = g_string_new (NULL);
  guint n = 0;

  for (; names != NULL && names[n] != NULL; n++) {
    if (n < most)
      g_string_append_printf (list, "%s%s", n > 0 ? ", " : "", names[n]);
  }
  if (n > most)
    g_string_append_printf (list, " and %u more", n - most);
  return g_string_free (g_steal_pointer (&list), FALSE);
}
