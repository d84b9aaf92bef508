/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-search-private.h"

#include "plumb-abbreviation.h"

#include <math.h>
#include <string.h>

/* A word of the schema that only a dictionary ties to one of the question. */
#define SAFE_TRANSLATION 0.8f

/* Languages whose words are compared by stem. */
#define N_STEMS (PLUMB_LANGUAGE_RUSSIAN + 1)

typedef struct {
  guint32 term;
  float strength;
} Link;

typedef struct {
  guint32 term;
  PlumbVector vector;
} Place;

struct _PlumbVocabulary {
  const PlumbPostings *postings;
  GHashTable *stems[N_STEMS];   /* stem → terms */
  GHashTable *spelled_out;      /* stem of a word → abbreviations that stand for it, as Link */
  GHashTable *translated;       /* stem of an English word → words of other languages that mean it */
  GArray *short_words[26];      /* words that are in no word list, by first letter */
  GArray *places;               /* words with a vector, as Place */
};

static void
add_to_list (GHashTable *table, char *key, guint term, float strength)
{
  GArray *list = g_hash_table_lookup (table, key);
  Link link = { term, strength };

  if (list == NULL) {
    list = g_array_new (FALSE, FALSE, sizeof (Link));
    g_hash_table_insert (table, key, list);
  } else {
    g_free (key);
  }
  g_array_append_val (list, link);
}

static void
add_spelled_out (PlumbVocabulary *self, guint term, const char *word)
{
  const char *const *expansions = plumb_abbreviation_expand (word);
  float strength = 1;

  for (guint i = 0; expansions != NULL && expansions[i] != NULL; i++, strength *= 0.9f) {
    g_auto (GStrv) words = g_strsplit (expansions[i], " ", -1);

    for (guint j = 0; words[j] != NULL; j++) {
      if (strlen (words[j]) > 2)
        add_to_list (self->spelled_out, plumb_stem_word (words[j], PLUMB_LANGUAGE_ENGLISH), term, strength);
    }
  }
}

/* An English word from here on is rare enough to be one of another language that looks like it. */
#define RARE_ENGLISH 8000

typedef struct {
  PlumbVocabulary *self;
  guint term;
} Translated;

static void
hear_translation (const char *word, float strength, gpointer user_data)
{
  Translated *translated = user_data;

  if (!plumb_is_everyday_word (word, PLUMB_LANGUAGE_ENGLISH) && strength > 0.5f)
    add_to_list (translated->self->translated, plumb_stem_word (word, PLUMB_LANGUAGE_ENGLISH), translated->term, strength);
}

/* Schemas in other languages are found by English questions: what a word means leads to it. */
static void
add_translations (PlumbVocabulary *self, guint term, const char *word)
{
  Translated translated = { self, term };
  g_autofree char *stem = NULL;
  int rank;

  switch (g_unichar_get_script (g_utf8_get_char (word))) {
  case G_UNICODE_SCRIPT_HANGUL:
    plumb_lexicon_translate (word, PLUMB_LANGUAGE_KOREAN, hear_translation, &translated);
    break;
  case G_UNICODE_SCRIPT_HAN:
    plumb_lexicon_translate (word, PLUMB_LANGUAGE_CHINESE, hear_translation, &translated);
    plumb_lexicon_translate (word, PLUMB_LANGUAGE_JAPANESE, hear_translation, &translated);
    break;
  case G_UNICODE_SCRIPT_HIRAGANA:
  case G_UNICODE_SCRIPT_KATAKANA:
    plumb_lexicon_translate (word, PLUMB_LANGUAGE_JAPANESE, hear_translation, &translated);
    break;
  case G_UNICODE_SCRIPT_CYRILLIC:
    stem = plumb_stem_word (word, PLUMB_LANGUAGE_RUSSIAN);
    plumb_lexicon_translate (stem, PLUMB_LANGUAGE_RUSSIAN, hear_translation, &translated);
    break;
  default:
    rank = plumb_lexicon_rank (word);
    stem = plumb_stem_word (word, PLUMB_LANGUAGE_GERMAN);
    if ((rank < 0 || rank > RARE_ENGLISH) && strlen (word) > 3)
      plumb_lexicon_translate (stem, PLUMB_LANGUAGE_GERMAN, hear_translation, &translated);
    break;
  }
}

static void
add_word (PlumbVocabulary *self, guint term, const char *word)
{
  gsize length = strlen (word);
  PlumbVector vector;

  if (strpbrk (word, " _") != NULL || g_ascii_isdigit (*word))
    return;
  add_translations (self, term, word);
  if (g_unichar_get_script (g_utf8_get_char (word)) == G_UNICODE_SCRIPT_CYRILLIC) {
    add_to_list (self->stems[PLUMB_LANGUAGE_RUSSIAN], plumb_stem_word (word, PLUMB_LANGUAGE_RUSSIAN), term, 1);
    return;
  }
  add_to_list (self->stems[PLUMB_LANGUAGE_ENGLISH], plumb_stem_word (word, PLUMB_LANGUAGE_ENGLISH), term, 1);
  add_to_list (self->stems[PLUMB_LANGUAGE_GERMAN], plumb_stem_word (word, PLUMB_LANGUAGE_GERMAN), term, 1);
  add_spelled_out (self, term, word);
  vector = plumb_lexicon_vector (word);
  if (vector != NULL && !plumb_is_everyday_word (word, PLUMB_LANGUAGE_ENGLISH)) {
    Place place = { term, vector };

    g_array_append_val (self->places, place);
  }
  if (length >= 3 && length <= 8 && g_ascii_islower (*word) && (vector == NULL || length <= 4))
    g_array_append_val (self->short_words[*word - 'a'], term);
}

static void
unref_list (gpointer list)
{
  g_array_unref (list);
}

/** plumb_vocabulary_new: Returns: (transfer full): the words of @postings, which must outlive it */
PlumbVocabulary *
plumb_vocabulary_new (const PlumbPostings *postings)
{
  PlumbVocabulary *self = g_new0 (PlumbVocabulary, 1);

  self->postings = postings;
  for (guint i = 0; i < N_STEMS; i++)
    self->stems[i] = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, unref_list);
  self->spelled_out = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, unref_list);
  self->translated = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, unref_list);
  self->places = g_array_new (FALSE, FALSE, sizeof (Place));
  for (guint i = 0; i < G_N_ELEMENTS (self->short_words); i++)
    self->short_words[i] = g_array_new (FALSE, FALSE, sizeof (guint));
  for (guint i = 0; i < postings->words->len; i++)
    add_word (self, i, g_ptr_array_index (postings->words, i));
  return self;
}

/** plumb_vocabulary_free: frees it */
void
plumb_vocabulary_free (PlumbVocabulary *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < N_STEMS; i++)
    g_hash_table_unref (self->stems[i]);
  for (guint i = 0; i < G_N_ELEMENTS (self->short_words); i++)
    g_array_unref (self->short_words[i]);
  g_hash_table_unref (self->spelled_out);
  g_hash_table_unref (self->translated);
  g_array_unref (self->places);
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
add_links (GHashTable *table, const char *key, float strength, GArray *relatives)
{
  GArray *list = g_hash_table_lookup (table, key);

  for (guint i = 0; list != NULL && i < list->len; i++) {
    Link *link = &g_array_index (list, Link, i);

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
  const GArray *list;

  if (!g_ascii_islower (*word) || strlen (word) < 5)
    return;
  list = self->short_words[*word - 'a'];
  for (guint i = 0; i < list->len; i++) {
    guint term = g_array_index (list, guint, i);

    if (is_abbreviation_of (g_ptr_array_index (self->postings->words, term), word))
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
  if (language < N_STEMS) {
    g_autofree char *stem = plumb_stem_word (word, language);

    add_links (self->stems[language], stem, strength * weights->stem, relatives);
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

    add_links (self->stems[PLUMB_LANGUAGE_ENGLISH], other, strength * weights->abbreviation, relatives);
  }
  if (language != PLUMB_LANGUAGE_ENGLISH)
    return;
  stem = plumb_stem_word (word, language);
  add_links (self->spelled_out, stem, strength * weights->abbreviation, relatives);
  add_links (self->translated, stem, strength * weights->translation * SAFE_TRANSLATION, relatives);
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

  for (guint i = 0; vector != NULL && i < self->places->len; i++) {
    const Place *place = &g_array_index (self->places, Place, i);
    float likeness = plumb_vector_likeness (vector, place->vector);

    if (likeness > weights->vector_floor)
      plumb_relatives_add (relatives, place->term,
                           strength * weights->vector *
                               powf ((likeness - weights->vector_floor) / (1 - weights->vector_floor),
                                     weights->vector_power));
  }
}
