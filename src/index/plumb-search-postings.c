/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-search-private.h"

#include <string.h>

/**
 * plumb_postings_open:
 * @image: what plumb_postings_build() filled, or a file that may hold anything
 * @n_tables: how many tables there are
 *
 * Returns: (transfer full) (nullable): the inverted index in @image, which must outlive it; %NULL
 *   where it can't be one
 */
PlumbPostings *
plumb_postings_open (PlumbImage *image, guint n_tables)
{
  PlumbPostings *self = g_new0 (PlumbPostings, 1);
  gsize n_starts;

  self->image = image;
  self->n_tables = n_tables;
  self->starts = plumb_image_get (image, PLUMB_SECTION_POSTING_STARTS, sizeof *self->starts, &n_starts);
  self->postings = plumb_image_get (image, PLUMB_SECTION_POSTINGS, sizeof *self->postings, &self->n_postings);
  if (!plumb_dictionary_open (&self->words, image, PLUMB_SECTION_WORDS) || n_starts != (gsize) self->words.n + 1) {
    g_free (self);
    return NULL;
  }
  self->n_terms = self->words.n;
  self->checked = g_new0 (guint8, MAX (self->n_terms, 1));
  return self;
}

/** plumb_postings_free: frees the index, not its image */
void
plumb_postings_free (PlumbPostings *self)
{
  if (self == NULL)
    return;
  g_free (self->checked);
  g_free (self);
}

/** plumb_postings_find: Returns: the number of the term @word, -1 where no table holds it */
int
plumb_postings_find (const PlumbPostings *self, const char *word)
{
  return plumb_dictionary_find (&self->words, word);
}

/** plumb_postings_get_word: Returns: (transfer none): the word of @term */
const char *
plumb_postings_get_word (const PlumbPostings *self, guint term)
{
  return plumb_dictionary_get (&self->words, term);
}

/* The tables of a list have to be there, each once and in their order. */
static gboolean
check_list (const PlumbPostings *self, const PlumbPosting *list, guint n)
{
  for (guint i = 0; i < n; i++) {
    if (list[i].table >= self->n_tables || (i > 0 && list[i].table <= list[i - 1].table))
      return FALSE;
  }
  return TRUE;
}

/** plumb_postings_get: Returns: (transfer none): the tables that hold @term, in their order */
const PlumbPosting *
plumb_postings_get (const PlumbPostings *self, guint term, guint *n_postings)
{
  guint32 start;
  guint n = plumb_list_bounds (self->starts, self->n_terms, term, self->n_postings, &start);

  if (n > 0 && !__atomic_load_n (&self->checked[term], __ATOMIC_RELAXED)) {
    if (plumb_image_check (self->image, PLUMB_SECTION_POSTINGS, (gsize) start * sizeof (PlumbPosting),
                           (gsize) n * sizeof (PlumbPosting)) &&
        check_list (self, self->postings + start, n))
      __atomic_store_n (&self->checked[term], TRUE, __ATOMIC_RELAXED);
    else
      n = 0;
  }
  *n_postings = n;
  return self->postings + start;
}

/** plumb_postings_pair_key: Returns: (transfer full): the term of two neighbouring words */
char *
plumb_postings_pair_key (const char *first, const char *second)
{
  return g_strcmp0 (first, second) <= 0 ? g_strconcat (first, " ", second, NULL)
                                        : g_strconcat (second, " ", first, NULL);
}

/** plumb_compare_postings: orders #PlumbPosting by weight, the largest first, and then by table */
int
plumb_compare_postings (gconstpointer a, gconstpointer b)
{
  const PlumbPosting *one = a, *other = b;

  if (one->weight != other->weight)
    return one->weight < other->weight ? 1 : -1;
  return one->table < other->table ? -1 : one->table > other->table;
}
