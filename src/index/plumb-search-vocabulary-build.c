/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-search-build.h"

#include "plumb-abbreviation.h"

#include <string.h>

/* Languages whose words are compared by stem. */
static const PlumbLanguage stemmed[] = { PLUMB_LANGUAGE_ENGLISH, PLUMB_LANGUAGE_GERMAN };

/* A link and the number of its key, in the order in which they come. */
typedef struct {
  guint32 key;
  PlumbRelative link;
} KeyedLink;

typedef struct {
  PlumbDictionaryBuilder *keys;
  GArray *links;             /* KeyedLink */
  GArray *short_words[26];   /* words that are in no word list, by first letter */
  GArray *vectors;           /* words with a vector */
} Builder;

static void
add_link (Builder *self, PlumbLinkKind kind, const char *stem, guint term, float strength)
{
  char key[PLUMB_MAX_LINK_KEY];
  KeyedLink link = { .link = { term, strength } };

  if (!plumb_link_key (kind, stem, key))
    return;
  link.key = plumb_dictionary_builder_add (self->keys, key);
  g_array_append_val (self->links, link);
}

static void
add_stem (Builder *self, PlumbLinkKind kind, const char *word, PlumbLanguage language, guint term, float strength)
{
  g_autofree char *stem = plumb_stem_word (word, language);

  add_link (self, kind, stem, term, strength);
}

static void
add_spelled_out (Builder *self, guint term, const char *word)
{
  const char *const *expansions = plumb_abbreviation_expand (word);
  float strength = 1;

  for (guint i = 0; expansions != NULL && expansions[i] != NULL; i++, strength *= 0.9f) {
    g_auto (GStrv) words = g_strsplit (expansions[i], " ", -1);

    for (guint j = 0; words[j] != NULL; j++) {
      if (strlen (words[j]) > 2)
        add_stem (self, PLUMB_LINK_SPELLED_OUT, words[j], PLUMB_LANGUAGE_ENGLISH, term, strength);
    }
  }
}

/* An English word from here on is rare enough to be one of another language that looks like it. */
#define RARE_ENGLISH 8000

typedef struct {
  Builder *builder;
  guint term;
} Translated;

static void
hear_translation (const char *word, float strength, gpointer user_data)
{
  Translated *translated = user_data;

  if (!plumb_is_everyday_word (word, PLUMB_LANGUAGE_ENGLISH) && strength > 0.5f)
    add_stem (translated->builder, PLUMB_LINK_TRANSLATED, word, PLUMB_LANGUAGE_ENGLISH, translated->term, strength);
}

/* Schemas in other languages are found by English questions: what a word means leads to it. */
static void
add_translations (Builder *self, guint term, const char *word, int rank)
{
  Translated translated = { self, term };
  g_autofree char *stem = NULL;

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
    if ((rank >= 0 && rank <= RARE_ENGLISH) || strlen (word) <= 3)
      break;
    stem = plumb_stem_word (word, PLUMB_LANGUAGE_GERMAN);
    plumb_lexicon_translate (stem, PLUMB_LANGUAGE_GERMAN, hear_translation, &translated);
    break;
  }
}

static void
add_word (Builder *self, guint32 term, const char *word)
{
  gsize length = strlen (word);
  PlumbPlace place = { term, plumb_lexicon_find (word) };

  add_translations (self, term, word, place.vector >= 0 ? plumb_lexicon_rank (word) : -1);
  if (g_unichar_get_script (g_utf8_get_char (word)) == G_UNICODE_SCRIPT_CYRILLIC) {
    add_stem (self, PLUMB_LINK_STEM + PLUMB_LANGUAGE_RUSSIAN, word, PLUMB_LANGUAGE_RUSSIAN, term, 1);
    return;
  }
  for (guint i = 0; i < G_N_ELEMENTS (stemmed); i++)
    add_stem (self, PLUMB_LINK_STEM + stemmed[i], word, stemmed[i], term, 1);
  add_spelled_out (self, term, word);
  if (place.vector >= 0 && !plumb_is_everyday_word (word, PLUMB_LANGUAGE_ENGLISH))
    g_array_append_val (self->vectors, place);
  if (length >= 3 && length <= 8 && g_ascii_islower (*word) && (place.vector < 0 || length <= 4))
    g_array_append_val (self->short_words[*word - 'a'], term);
}

/* Sorts the links by key; within a key they stay in their order. */
static void
store_links (Builder *self, PlumbImage *image)
{
  guint n_keys = plumb_dictionary_builder_get_size (self->keys);
  guint32 *starts = g_new0 (guint32, (gsize) n_keys + 1);
  PlumbRelative *links = g_new (PlumbRelative, MAX (self->links->len, 1));
  g_autofree guint32 *next = NULL;

  for (guint i = 0; i < self->links->len; i++)
    starts[g_array_index (self->links, KeyedLink, i).key + 1]++;
  for (guint i = 0; i < n_keys; i++)
    starts[i + 1] += starts[i];
  next = g_memdup2 (starts, ((gsize) n_keys + 1) * sizeof *next);
  for (guint i = 0; i < self->links->len; i++) {
    const KeyedLink *link = &g_array_index (self->links, KeyedLink, i);

    links[next[link->key]++] = link->link;
  }
  plumb_image_take (image, PLUMB_SECTION_LINK_STARTS, starts, ((gsize) n_keys + 1) * sizeof *starts);
  plumb_image_take (image, PLUMB_SECTION_LINKS, links, self->links->len * sizeof *links);
  plumb_dictionary_builder_end (self->keys, image, PLUMB_SECTION_KEYS);
}

static void
store_short_words (Builder *self, PlumbImage *image)
{
  g_autoptr (GArray) starts = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (guint32));

  for (guint i = 0; i < G_N_ELEMENTS (self->short_words); i++) {
    g_array_append_val (starts, all->len);
    g_array_append_vals (all, self->short_words[i]->data, self->short_words[i]->len);
  }
  g_array_append_val (starts, all->len);
  plumb_image_take_array (image, PLUMB_SECTION_SHORT_STARTS, starts);
  plumb_image_take_array (image, PLUMB_SECTION_SHORT_WORDS, all);
}

/** plumb_vocabulary_build: puts into @image what leads to each word of @postings */
void
plumb_vocabulary_build (PlumbImage *image, const PlumbPostings *postings)
{
  Builder builder = { plumb_dictionary_builder_new (), g_array_new (FALSE, FALSE, sizeof (KeyedLink)) };

  builder.vectors = g_array_new (FALSE, FALSE, sizeof (PlumbPlace));
  for (guint i = 0; i < G_N_ELEMENTS (builder.short_words); i++)
    builder.short_words[i] = g_array_new (FALSE, FALSE, sizeof (guint32));
  for (guint i = 0; i < postings->n_terms; i++) {
    const char *word = plumb_postings_get_word (postings, i);

    if (strpbrk (word, " _") == NULL && !g_ascii_isdigit (*word))
      add_word (&builder, i, word);
  }
  store_links (&builder, image);
  store_short_words (&builder, image);
  plumb_image_take_array (image, PLUMB_SECTION_VECTORS, builder.vectors);
  for (guint i = 0; i < G_N_ELEMENTS (builder.short_words); i++)
    g_array_unref (builder.short_words[i]);
  g_array_unref (builder.vectors);
  g_array_unref (builder.links);
  plumb_dictionary_builder_free (builder.keys);
}
