/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Languages that search knows something of. A word of any other one is compared as it is. */
typedef enum {
  PLUMB_LANGUAGE_ENGLISH,
  PLUMB_LANGUAGE_GERMAN,
  PLUMB_LANGUAGE_RUSSIAN,
  PLUMB_LANGUAGE_CHINESE,
  PLUMB_LANGUAGE_JAPANESE,
  PLUMB_LANGUAGE_KOREAN,
  PLUMB_LANGUAGE_OTHER,
} PlumbLanguage;

/* Told of one word that the lexicon knows; @strength is from 0 to 1. */
typedef void (*PlumbLexiconFunc) (const char *word, float strength, gpointer user_data);

/**
 * PlumbVector: a word's place among the others, as unit vector times 127
 */
typedef const gint8 *PlumbVector;

/* plumb-search-lexicon.c: the word lists that ship with the program. Each call is safe from any
 * thread, and does nothing where the lists are not installed. */
void        plumb_lexicon_synonyms  (const char *word, PlumbLexiconFunc func, gpointer user_data);
void        plumb_lexicon_translate (const char *word, PlumbLanguage language, PlumbLexiconFunc func, gpointer user_data);
gboolean    plumb_lexicon_has       (const char *word, PlumbLanguage language);
int         plumb_lexicon_rank      (const char *word);
guint64     plumb_lexicon_get_sum   (void);
PlumbVector plumb_lexicon_vector    (const char *word);
int         plumb_lexicon_find      (const char *word);
PlumbVector plumb_lexicon_get_vector (int number);
guint       plumb_vector_dimension  (void);
float       plumb_vector_likeness   (PlumbVector a, PlumbVector b);

/* plumb-search-stem.c */
char         *plumb_stem_word        (const char *word, PlumbLanguage language);
GStrv         plumb_base_forms       (const char *word);
gboolean      plumb_is_everyday_word (const char *word, PlumbLanguage language);
gboolean      plumb_is_asking_word   (const char *word);
gboolean      plumb_is_weak_word     (const char *word, PlumbLanguage language);
PlumbLanguage plumb_detect_language  (const char *text);

/* plumb-search-split.c. Says whether a word is known to stand alone. */
typedef gboolean (*PlumbKnowsWord) (const char *word, gpointer data);

GPtrArray    *plumb_split_compound     (const char *word);
GPtrArray    *plumb_split_run_together (const char *word, PlumbKnowsWord knows, gpointer data);

G_END_DECLS
