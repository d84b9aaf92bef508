/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-search-private.h"

#include "plumb-abbreviation.h"

#include <math.h>
#include <string.h>

/* A word of the schema that only a dictionary ties to one of the question. */
#define SAFE_TRANSLATION 0.8f

#define N_LETTERS 26

struct _PlumbVocabulary {
  const PlumbPostings *postings;
  PlumbDictionary keys;
  const guint32 *link_starts;
  const PlumbRelative *links;
  gsize n_links;
  const guint32 *short_starts;
  const guint32 *short_words;
  gsize n_short_words;
  const PlumbPlace *places;
  gsize n_places;
};

/** plumb_link_key: Returns: whether @key, of PLUMB_MAX_LINK_KEY bytes, is set to the key of a kind of links
 *  from @stem; longer ones have none */
gboolean
plumb_link_key (PlumbLinkKind kind, const char *stem, char *key)
{
  gsize length = strlen (stem);

  if (length + 2 > PLUMB_MAX_LINK_KEY)
    return FALSE;
  key[0] = 'a' + kind;
  memcpy (key + 1, stem, length + 1);
  return TRUE;
}

/** plumb_vocabulary_open: Returns: (transfer full) (nullable): what leads to the words of @postings, which
 *  must outlive it as @image must; %NULL where @image is damaged */
PlumbVocabulary *
plumb_vocabulary_open (const PlumbImage *image, const PlumbPostings *postings)
{
  g_autoptr (PlumbVocabulary) self = g_new0 (PlumbVocabulary, 1);
  gsize n_link_starts, n_short_starts;

  self->postings = postings;
  self->link_starts = plumb_image_get (image, PLUMB_SECTION_LINK_STARTS, sizeof (guint32), &n_link_starts);
  self->links = plumb_image_get (image, PLUMB_SECTION_LINKS, sizeof *self->links, &self->n_links);
  self->short_starts = plumb_image_get (image, PLUMB_SECTION_SHORT_STARTS, sizeof (guint32), &n_short_starts);
  self->short_words = plumb_image_get (image, PLUMB_SECTION_SHORT_WORDS, sizeof (guint32), &self->n_short_words);
  self->places = plumb_image_get (image, PLUMB_SECTION_VECTORS, sizeof *self->places, &self->n_places);
  if (!plumb_dictionary_open (&self->keys, image, PLUMB_SECTION_KEYS) || n_link_starts != (gsize) self->keys.n + 1 ||
      n_short_starts != N_LETTERS + 1)
    return NULL;
  for (gsize i = 0; i < self->n_places; i++) {
    if (self->places[i].term >= postings->n_terms)
      return NULL;
  }
  return g_steal_pointer (&self);
}

/** plumb_vocabulary_free: frees it, not its image */
void
plumb_vocabulary_free (PlumbVocabulary *self)
{
  g_free (self);
}

/** plumb_relatives_add: adds @term, or strengthens it where it is there already */
void
plumb_relatives_add (GArray *relatives, guint term, float strength)
{
  PlumbRelative relative = { term, strength };

  for (guint i = 0; i < relatives->len; i++) {
    PlumbRelative *other = &g_array_index (relatives, PlumbRelative, i);

    if (other->term == term) {
      other->strength = MAX (other->strength, strength);
      return;
    }
  }
  g_array_append_val (relatives, relative);
}

static void
add_links (const PlumbVocabulary *self, PlumbLinkKind kind, const char *stem, float strength, GArray *relatives)
{
  char key[PLUMB_MAX_LINK_KEY];
  int number = plumb_link_key (kind, stem, key) ? plumb_dictionary_find (&self->keys, key) : -1;
  guint32 start;
  guint n = number >= 0 ? plumb_list_bounds (self->link_starts, self->keys.n, number, self->n_links, &start) : 0;

  for (guint i = 0; i < n; i++) {
    const PlumbRelative *link = &self->links[start + i];

    if (link->term < self->postings->n_terms)
      plumb_relatives_add (relatives, link->term, strength * link->strength);
  }
}

/* "dept" and "department", "wrhs" and "warehouse": the letters of the short one stand in the long
 * one in their order, consonants first of all. */
static gboolean
is_abbreviation_of (const char *abbreviation, const char *word)
{
  gsize n = strlen (abbreviation);

  if (n + 2 > strlen (word))
    return FALSE;
  if (g_str_has_prefix (word, abbreviation))
    return n >= 3;
  for (const char *p = abbreviation, *q = word; *p != '\0'; p++, q++) {
    q = strchr (q, *p);
    if (q == NULL)
      return FALSE;
  }
  return strpbrk (abbreviation + 1, "aeiou") == NULL && n >= 3;
}

static void
add_short_forms (const PlumbVocabulary *self, const char *word, float strength, GArray *relatives)
{
  guint32 start;
  guint n;

  if (!g_ascii_islower (*word) || strlen (word) < 5)
    return;
  n = plumb_list_bounds (self->short_starts, N_LETTERS, *word - 'a', self->n_short_words, &start);
  for (guint i = 0; i < n; i++) {
    guint term = self->short_words[start + i];

    if (term < self->postings->n_terms && is_abbreviation_of (plumb_postings_get_word (self->postings, term), word))
      plumb_relatives_add (relatives, term, strength);
  }
}

/** plumb_vocabulary_add_inflected: adds @word itself and its inflected forms alone */
void
plumb_vocabulary_add_inflected (const PlumbVocabulary *self, const char *word, PlumbLanguage language,
                                float strength, const PlumbSearchWeights *weights, GArray *relatives)
{
  int term = plumb_postings_find (self->postings, word);

  if (term >= 0)
    plumb_relatives_add (relatives, term, strength);
  if (language <= PLUMB_LANGUAGE_RUSSIAN) {
    g_autofree char *stem = plumb_stem_word (word, language);

    add_links (self, PLUMB_LINK_STEM + language, stem, strength * weights->stem, relatives);
  }
}

/**
 * plumb_vocabulary_add_forms:
 * @word: a folded word in @language
 * @strength: what the word itself counts
 * @relatives: where to add
 *
 * Adds the words of the index that are @word in another form: itself, inflected, abbreviated, or
 * what it abbreviates; for an English word also those that mean it in another language.
 */
void
plumb_vocabulary_add_forms (const PlumbVocabulary *self, const char *word, PlumbLanguage language,
                            float strength, const PlumbSearchWeights *weights, GArray *relatives)
{
  const char *const *expansions = plumb_abbreviation_expand (word);
  g_autofree char *stem = NULL;

  plumb_vocabulary_add_inflected (self, word, language, strength, weights, relatives);
  for (guint i = 0; expansions != NULL && expansions[i] != NULL; i++) {
    g_autofree char *other = plumb_stem_word (expansions[i], PLUMB_LANGUAGE_ENGLISH);

    add_links (self, PLUMB_LINK_STEM + PLUMB_LANGUAGE_ENGLISH, other, strength * weights->abbreviation, relatives);
  }
  if (language != PLUMB_LANGUAGE_ENGLISH)
    return;
  stem = plumb_stem_word (word, language);
  add_links (self, PLUMB_LINK_SPELLED_OUT, stem, strength * weights->abbreviation, relatives);
  add_links (self, PLUMB_LINK_TRANSLATED, stem, strength * weights->translation * SAFE_TRANSLATION, relatives);
  add_short_forms (self, word, strength * weights->prefix, relatives);
}

/**
 * plumb_vocabulary_add_similar:
 * @word: an English word
 *
 * Adds the words of the index that are used like @word, by their word vectors.
 */
void
plumb_vocabulary_add_similar (const PlumbVocabulary *self, const char *word, float strength,
                              const PlumbSearchWeights *weights, GArray *relatives)
{
  PlumbVector vector = plumb_lexicon_vector (word);
  float floor = weights->vector_floor;

  for (gsize i = 0; vector != NULL && i < self->n_places; i++) {
    const PlumbPlace *place = &self->places[i];
    PlumbVector other = plumb_lexicon_get_vector (place->vector);
    float likeness = other != NULL ? plumb_vector_likeness (vector, other) : 0;

    if (likeness > floor)
      plumb_relatives_add (relatives, place->term,
                           strength * weights->vector * powf ((likeness - floor) / (1 - floor), weights->vector_power));
  }
}
