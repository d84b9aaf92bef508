/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-search-build.h"

#include "plumb-text.h"

#include <string.h>

/* The words of a catalog while its index is built. The same few thousand words stand in a million
 * columns, therefore whatever takes time is asked once a word: its stem, its parts, its term. */
struct _PlumbWords {
  PlumbDictionaryBuilder *strings;     /* folded words */
  PlumbDictionaryBuilder *canonical;   /* the forms in which words are compared */
  PlumbDictionaryBuilder *terms;
  GArray *words;                       /* PlumbWord, by number of the string */
  GArray *parts;                       /* numbers of words, PlumbWord.parts points into it */
  PlumbNumberMap *pairs;               /* two canonical forms in one number → place in pair_terms */
  GArray *pair_terms;
};

/** plumb_words_new: Returns: (transfer full): no words yet, whose terms go into @terms */
PlumbWords *
plumb_words_new (PlumbDictionaryBuilder *terms)
{
  PlumbWords *self = g_new0 (PlumbWords, 1);

  self->strings = plumb_dictionary_builder_new ();
  self->canonical = plumb_dictionary_builder_new ();
  self->terms = terms;
  self->words = g_array_new (FALSE, TRUE, sizeof (PlumbWord));
  self->parts = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->pairs = plumb_number_map_new ();
  self->pair_terms = g_array_new (FALSE, FALSE, sizeof (guint32));
  return self;
}

/** plumb_words_free: frees it */
void
plumb_words_free (PlumbWords *self)
{
  if (self == NULL)
    return;
  plumb_dictionary_builder_free (self->strings);
  plumb_dictionary_builder_free (self->canonical);
  g_array_unref (self->words);
  g_array_unref (self->parts);
  plumb_number_map_free (self->pairs);
  g_array_unref (self->pair_terms);
  g_free (self);
}

/* Words in the names of tables that only say that it is the table of its thing. */
static gboolean
is_hollow_word (const char *word)
{
  static const char *const hollow[] = { "master", "mst", "mstr", "table", "tbl", "tb", "header", "hdr", "head", "main",
                                        "base", "data", "info", "information", "dim", "dimension", "fact", "entity" };

  for (guint i = 0; i < G_N_ELEMENTS (hollow); i++) {
    if (strcmp (hollow[i], word) == 0)
      return TRUE;
  }
  return FALSE;
}

/** plumb_words_add: Returns: the number of the folded @word */
guint
plumb_words_add (PlumbWords *self, const char *word)
{
  guint number = plumb_dictionary_builder_add (self->strings, word);

  if (number == self->words->len) {
    g_autofree char *canonical = plumb_canonical_word (word);
    PlumbWord new = { .term = PLUMB_NO_TERM };

    new.canonical = plumb_dictionary_builder_add (self->canonical, canonical);
    new.everyday = plumb_is_everyday_word (word, PLUMB_LANGUAGE_ENGLISH);
    new.hollow = is_hollow_word (word);
    g_array_append_val (self->words, new);
  }
  return number;
}

/** plumb_words_get: Returns: (transfer none): what is known of a word, until the next is added */
const PlumbWord *
plumb_words_get (const PlumbWords *self, guint word)
{
  return &g_array_index (self->words, PlumbWord, word);
}

/** plumb_words_get_term: Returns: the term of a word */
guint
plumb_words_get_term (PlumbWords *self, guint word)
{
  PlumbWord *entry = &g_array_index (self->words, PlumbWord, word);

  if (entry->term == PLUMB_NO_TERM)
    entry->term = plumb_dictionary_builder_add (self->terms, plumb_dictionary_builder_get (self->strings, word));
  return entry->term;
}

/** plumb_words_get_pair: Returns: the term of two words that are neighbours in one identifier */
guint
plumb_words_get_pair (PlumbWords *self, guint first, guint second)
{
  guint one = plumb_words_get (self, first)->canonical, other = plumb_words_get (self, second)->canonical;
  guint number = plumb_number_map_add (self->pairs, (guint64) MIN (one, other) << 32 | MAX (one, other));

  if (number == self->pair_terms->len) {
    g_autofree char *key = plumb_postings_pair_key (plumb_dictionary_builder_get (self->canonical, one),
                                                    plumb_dictionary_builder_get (self->canonical, other));
    guint32 term = plumb_dictionary_builder_add (self->terms, key);

    g_array_append_val (self->pair_terms, term);
  }
  return g_array_index (self->pair_terms, guint32, number);
}

/** plumb_words_set_standing: says that a word stands alone somewhere: it tells where others split */
void
plumb_words_set_standing (PlumbWords *self, guint word)
{
  gsize length = strlen (plumb_dictionary_builder_get (self->strings, word));

  if (length > 3 && length < 25)
    g_array_index (self->words, PlumbWord, word).standing = TRUE;
}

static gboolean
is_standing (const char *word, gpointer data)
{
  PlumbWords *self = data;
  int number = plumb_dictionary_builder_find (self->strings, word);

  return number >= 0 && plumb_words_get (self, number)->standing;
}

static gboolean
is_plain_letters (const char *word)
{
  for (const char *p = word; *p != '\0'; p++) {
    if (g_ascii_isdigit (*p))
      return FALSE;
  }
  return TRUE;
}

static void
split_word (PlumbWords *self, guint word)
{
  g_autofree char *text = g_strdup (plumb_dictionary_builder_get (self->strings, word));
  g_autoptr (GPtrArray) parts = NULL;
  guint first = self->parts->len;

  if (strlen (text) >= 6 && is_plain_letters (text))
    parts = plumb_split_run_together (text, is_standing, self);
  for (guint i = 0; parts != NULL && i < parts->len; i++) {
    guint32 part = plumb_words_add (self, g_ptr_array_index (parts, i));

    g_array_append_val (self->parts, part);
  }
  g_array_index (self->words, PlumbWord, word).parts = first;
  g_array_index (self->words, PlumbWord, word).n_parts = self->parts->len - first;
  g_array_index (self->words, PlumbWord, word).split = TRUE;
}

/** plumb_words_add_parts: appends the parts of a word that was written without anything between them,
 *  or the word itself, to @words; only once all standing words are known */
void
plumb_words_add_parts (PlumbWords *self, guint32 word, GArray *words)
{
  const PlumbWord *entry;

  if (!plumb_words_get (self, word)->split)
    split_word (self, word);
  entry = plumb_words_get (self, word);
  if (entry->n_parts == 0)
    g_array_append_val (words, word);
  else
    g_array_append_vals (words, &g_array_index (self->parts, guint32, entry->parts), entry->n_parts);
}

/** plumb_words_get_canonical: Returns: the number of a word's canonical form, also of one that no
 *  identifier holds */
guint
plumb_words_get_canonical (PlumbWords *self, const char *word)
{
  return plumb_words_get (self, plumb_words_add (self, word))->canonical;
}

/** plumb_words_get_string: Returns: (transfer none): a word, until the next is added */
const char *
plumb_words_get_string (const PlumbWords *self, guint word)
{
  return plumb_dictionary_builder_get (self->strings, word);
}
