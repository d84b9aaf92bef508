/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-search-private.h"

G_BEGIN_DECLS

/* What is shared by the files that make the image of a catalog. */

#define PLUMB_NO_TERM G_MAXUINT32

/* plumb-search-words.c: a word of the catalog, looked at once. */
typedef struct {
  guint32 term;        /* PLUMB_NO_TERM until a table holds it by itself */
  guint32 canonical;
  guint32 parts;
  guint16 n_parts;
  guint8 split;        /* whether its parts are known */
  guint8 standing : 1;
  guint8 everyday : 1;
  guint8 hollow : 1;
} PlumbWord;

typedef struct _PlumbWords PlumbWords;

PlumbWords      *plumb_words_new           (PlumbDictionaryBuilder *terms);
void             plumb_words_free          (PlumbWords *self);
guint            plumb_words_add           (PlumbWords *self, const char *word);
const PlumbWord *plumb_words_get           (const PlumbWords *self, guint word);
const char      *plumb_words_get_string    (const PlumbWords *self, guint word);
guint            plumb_words_get_term      (PlumbWords *self, guint word);
guint            plumb_words_get_pair      (PlumbWords *self, guint first, guint second);
guint            plumb_words_get_canonical (PlumbWords *self, const char *word);
void             plumb_words_set_standing  (PlumbWords *self, guint word);
void             plumb_words_add_parts     (PlumbWords *self, guint32 word, GArray *words);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlumbWords, plumb_words_free)

/* Each puts its sections into the image; the later ones read what the earlier ones have put. */
void plumb_postings_build   (PlumbImage *image, GPtrArray *cards, const gint32 *live_of,
                             const PlumbSearchWeights *weights);
void plumb_vocabulary_build (PlumbImage *image, const PlumbPostings *postings);
void plumb_spelling_build   (PlumbImage *image, const PlumbPostings *postings);
void plumb_table_graph_add_pair (GArray *pairs, guint32 one, guint32 other);
PlumbTableGraph *plumb_table_graph_from_pairs (GPtrArray *cards, const gint32 *live_of, GArray *pairs);
void plumb_natural_keys_collect (GPtrArray *cards, const gint32 *live_of, GArray *pairs);
void plumb_tables_build     (PlumbImage *image, GPtrArray *cards);
void plumb_meaning_build    (PlumbImage *image, const PlumbPostings *postings, const PlumbTableGraph *graph);

G_END_DECLS
