/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-search-private.h"

#include <string.h>

/* A near spelling shares at least this much of its trigrams (Dice coefficient). */
#define MIN_LIKENESS 0.6f
#define MAX_FOUND 8

struct _PlumbSpelling {
  const PlumbPostings *postings;
  GHashTable *trigrams;   /* three characters in 63 bits → number of the list */
  guint16 *n_trigrams;    /* for each word */
};

typedef struct {
  guint32 term;
  float likeness;
} Near;

/* The trigrams of a word with a blank before and after it, each once. */
static guint
get_trigrams (const char *word, guint64 *trigrams, guint max)
{
  guint64 window = ' ';
  guint n = 0, n_characters = 1;

  for (const char *p = word;; p = g_utf8_next_char (p)) {
    gunichar c = *p != '\0' ? g_utf8_get_char (p) : ' ';
    gboolean known = FALSE;

    window = ((window << 21) | c) & G_GUINT64_CONSTANT (0x7fffffffffffffff);
    if (++n_characters >= 3) {
      for (guint i = 0; i < n && !known; i++)
        known = trigrams[i] == window;
      if (!known && n < max)
        trigrams[n++] = window;
    }
    if (*p == '\0')
      return n;
  }
}

#define MAX_TRIGRAMS 128

static GArray *
get_list (PlumbSpelling *self, guint64 trigram)
{
  GArray *list = g_hash_table_lookup (self->trigrams, &trigram);

  if (list == NULL) {
    list = g_array_new (FALSE, FALSE, sizeof (guint32));
    g_hash_table_insert (self->trigrams, g_memdup2 (&trigram, sizeof trigram), list);
  }
  return list;
}

/** plumb_spelling_new: Returns: (transfer full): the trigrams of @postings, which must outlive it */
PlumbSpelling *
plumb_spelling_new (const PlumbPostings *postings)
{
  PlumbSpelling *self = g_new0 (PlumbSpelling, 1);

  self->postings = postings;
  self->trigrams = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, (GDestroyNotify) g_array_unref);
  self->n_trigrams = g_new0 (guint16, MAX (postings->words->len, 1));
  for (guint32 term = 0; term < postings->words->len; term++) {
    const char *word = g_ptr_array_index (postings->words, term);
    guint64 trigrams[MAX_TRIGRAMS];
    guint n;

    if (strlen (word) < 4 || strchr (word, ' ') != NULL)
      continue;
    n = get_trigrams (word, trigrams, MAX_TRIGRAMS);
    self->n_trigrams[term] = n;
    for (guint i = 0; i < n; i++)
      g_array_append_val (get_list (self, trigrams[i]), term);
  }
  return self;
}

/** plumb_spelling_free: frees it */
void
plumb_spelling_free (PlumbSpelling *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->trigrams);
  g_free (self->n_trigrams);
  g_free (self);
}

static int
compare_near (gconstpointer a, gconstpointer b)
{
  const Near *one = a, *other = b;

  return one->likeness < other->likeness ? 1 : one->likeness > other->likeness ? -1 : 0;
}

/**
 * plumb_spelling_find:
 * @word: a folded word that is spelled wrongly
 * @strength: what a word spelled the same would count
 * @relatives: (element-type PlumbRelative): where to add the words of the index spelled like it
 */
void
plumb_spelling_find (const PlumbSpelling *self, const char *word, float strength, GArray *relatives)
{
  guint64 trigrams[MAX_TRIGRAMS];
  guint n = get_trigrams (word, trigrams, MAX_TRIGRAMS);
  g_autofree guint8 *shared = g_new0 (guint8, MAX (self->postings->words->len, 1));
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (Near));

  if (strlen (word) < 4)
    return;
  for (guint i = 0; i < n; i++) {
    GArray *list = g_hash_table_lookup (self->trigrams, &trigrams[i]);

    for (guint j = 0; list != NULL && j < list->len; j++) {
      guint32 term = g_array_index (list, guint32, j);
      Near near = { term, 0 };

      if (shared[term]++ == 0)
        g_array_append_val (found, near);
    }
  }
  for (guint i = 0; i < found->len; i++) {
    Near *near = &g_array_index (found, Near, i);

    near->likeness = 2.0f * shared[near->term] / (n + self->n_trigrams[near->term]);
  }
  g_array_sort (found, compare_near);
  for (guint i = 0; i < found->len && i < MAX_FOUND; i++) {
    const Near *near = &g_array_index (found, Near, i);

    if (near->likeness < MIN_LIKENESS)
      break;
    plumb_relatives_add (relatives, near->term, strength * near->likeness);
  }
}
