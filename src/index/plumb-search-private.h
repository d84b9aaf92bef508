/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-search.h"
#include "plumb-search-engine.h"
#include "plumb-search-image.h"
#include "plumb-search-lexicon.h"

G_BEGIN_DECLS

/* The parts of a card that are weighed apart. */
typedef enum {
  PLUMB_FIELD_NAME,
  PLUMB_FIELD_TEXT,
  PLUMB_FIELD_COLUMN,
  PLUMB_FIELD_COLUMN_TEXT,
  PLUMB_FIELD_NEIGHBOUR,
  PLUMB_FIELD_VALUE,
  PLUMB_FIELD_PLACE,
  PLUMB_N_FIELDS,
} PlumbField;

/* Columns in a chunk: the length of a wide table doesn't speak against its 300th column. */
#define PLUMB_CHUNK_COLUMNS 35
#define PLUMB_CHUNK_WORDS 60

/* Digits of a month: a number in a table's name that has fewer is a year, a version or a count, and in
 * a question it says what rows are asked for. */
#define PLUMB_MIN_DATE_DIGITS 6

/* How much a table holds of a word, BM25F over its fields without the word's rarity, 0 to 1. */
typedef struct {
  guint32 table;
  float weight;
} PlumbPosting;

/* plumb-search-postings.c: the inverted index. Terms are words, whole identifiers, and pairs of
 * neighbouring words of one identifier (with a space between them). Lists are checked when they are
 * first asked for: the image may be a file. */
typedef struct {
  PlumbImage *image;
  guint n_tables;
  guint n_terms;
  PlumbDictionary words;
  const guint32 *starts;
  const PlumbPosting *postings;
  gsize n_postings;
  guint8 *checked;
} PlumbPostings;

PlumbPostings      *plumb_postings_open     (PlumbImage *image, guint n_tables);
void                plumb_postings_free     (PlumbPostings *self);
int                 plumb_postings_find     (const PlumbPostings *self, const char *word);
const char         *plumb_postings_get_word (const PlumbPostings *self, guint term);
const PlumbPosting *plumb_postings_get      (const PlumbPostings *self, guint term, guint *n_postings);
int                 plumb_compare_postings  (gconstpointer a, gconstpointer b);
char               *plumb_postings_pair_key (const char *first, const char *second);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlumbPostings, plumb_postings_free)

/* A word of the index that a word of the question may mean. */
typedef struct {
  guint32 term;
  float strength;
} PlumbRelative;

/* From here on a relative is the word itself in another form, not another word. */
#define PLUMB_SAME_WORD 0.75f
/* From here on it is the word spelled out, at most inflected: what stands in a copy alone is found by
 * nothing less. */
#define PLUMB_OWN_WORD 0.9f

/* plumb-search-vocabulary.c: the words of the index by stem, abbreviation and likeness. */
typedef struct _PlumbVocabulary PlumbVocabulary;

/* What leads to words: their stem, of one of three languages; words that they are short for; words that
 * they mean in English. */
typedef enum {
  PLUMB_LINK_STEM,
  PLUMB_LINK_SPELLED_OUT = PLUMB_LANGUAGE_RUSSIAN + 1,
  PLUMB_LINK_TRANSLATED,
} PlumbLinkKind;

#define PLUMB_MAX_LINK_KEY 256

/* A word and the number of its vector in the lexicon. */
typedef struct {
  guint32 term;
  gint32 vector;
} PlumbPlace;

gboolean         plumb_link_key               (PlumbLinkKind kind, const char *stem, char *key);
PlumbVocabulary *plumb_vocabulary_open        (const PlumbImage *image, const PlumbPostings *postings);
void             plumb_vocabulary_free        (PlumbVocabulary *self);
void             plumb_vocabulary_add_inflected (const PlumbVocabulary *self, const char *word, PlumbLanguage language,
                                               float strength, const PlumbSearchWeights *weights, GArray *relatives);
void             plumb_vocabulary_add_forms   (const PlumbVocabulary *self, const char *word, PlumbLanguage language,
                                               float strength, const PlumbSearchWeights *weights, GArray *relatives);
void             plumb_vocabulary_add_similar (const PlumbVocabulary *self, const char *word, float strength,
                                               const PlumbSearchWeights *weights, GArray *relatives);
void             plumb_relatives_add          (GArray *relatives, guint term, float strength);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlumbVocabulary, plumb_vocabulary_free)

/* plumb-search-spelling.c: trigrams of the index's words and identifiers. */
typedef struct _PlumbSpelling PlumbSpelling;

/* Bytes of the shortest word with near spellings. */
#define PLUMB_MIN_SPELLED 4

PlumbSpelling *plumb_spelling_open (PlumbImage *image, const PlumbPostings *postings);
void           plumb_spelling_free (PlumbSpelling *self);
void           plumb_spelling_find (const PlumbSpelling *self, const char *word, float strength, GArray *relatives);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlumbSpelling, plumb_spelling_free)

/**
 * PlumbUnit:
 * @word: what stands in the question, folded
 * @canonical: its stem, spelled out where it is an abbreviation
 * @relatives: (element-type PlumbRelative): words of the index that it may mean
 * @importance: 1 for a word, less for parts and numbers
 * @before: whether the unit before it is its neighbour in the question
 * @spelled: whether only a near spelling was found
 *
 * What counts as one word of a question: it adds to a table's score once, however many of its
 * relatives the table holds.
 */
typedef struct {
  char *word;
  char *canonical;
  GArray *relatives;
  float importance;
  gboolean before;
  gboolean spelled;
} PlumbUnit;

#define PLUMB_MAX_UNITS 40

/* plumb-search-question.c */
GPtrArray *plumb_question_read (const char *question, const PlumbPostings *postings, const PlumbVocabulary *vocabulary,
                                const PlumbSpelling *spelling, gboolean plain, const PlumbSearchWeights *weights);
char      *plumb_canonical_word (const char *word);

/* How a word of the question was found in a table. */
typedef enum {
  PLUMB_MATCH_NONE,
  PLUMB_MATCH_WORD,
  PLUMB_MATCH_MEANING,
  PLUMB_MATCH_SPELLING,
} PlumbMatch;

PlumbMatch plumb_unit_match (const PlumbUnit *unit, const PlumbPostings *postings, guint table);

/* plumb-search-score.c */

/**
 * PlumbScores:
 * @n_units: words of the question
 * @n_tables: tables of the index
 * @weights: n_units rows of n_tables numbers: how much a table holds of a word
 * @rarity: for each word, how much it says
 * @score: for each table, 0 where nothing speaks for it
 * @direct: for each table, the score from its own words alone
 * @held: n_units rows of a number a database: whether its live tables hold the word itself
 * @holders: for each word one after the other, the tables that hold it
 * @holder_ends: where each word's tables end in @holders
 */
typedef struct {
  guint n_units;
  guint n_tables;
  float *weights;
  float *rarity;
  float *score;
  float *direct;
  guint8 *held;
  GArray *holders;
  guint32 *holder_ends;
} PlumbScores;

/* Tables in their order, and for each its database, the live table that it is a copy of (-1 for
 * none), the group that its name puts it in (0 for none), and the tables that declared keys tie it to. Copies have no keys here, and none of the
 * counts that evidence is weighed by counts them: what is known of the live tables stays the same
 * however many copies stand beside them. */
typedef struct {
  guint n_tables;
  guint n_live;
  guint n_databases;
  guint32 *database_of;
  gint32 *live_of;
  guint32 *group_of;
  guint32 *edge_starts;
  guint32 *edges;
} PlumbTableGraph;

void         plumb_table_graph_free (PlumbTableGraph *self);
PlumbTableGraph *plumb_table_graph_new (GPtrArray *cards, const gint32 *live_of);
PlumbTableGraph *plumb_table_graph_open (const PlumbImage *image, GPtrArray *cards);
PlumbTableGraph *plumb_table_graph_new_with_edges (const PlumbTableGraph *graph, GPtrArray *cards, GPtrArray *edges);
gboolean     plumb_table_graph_is_copy (const PlumbTableGraph *self, guint table);
PlumbScores *plumb_scores_new       (GPtrArray *units, const PlumbPostings *postings, const PlumbTableGraph *graph,
                                     const guint8 *searched, const PlumbSearchWeights *weights);
void         plumb_scores_choose_databases (PlumbScores *self, const PlumbTableGraph *graph, const float *evidence,
                                            float far, guint8 *searched);
void         plumb_scores_add_keys  (PlumbScores *self, const PlumbTableGraph *graph, const PlumbSearchWeights *weights);
void         plumb_scores_add_databases (PlumbScores *self, const PlumbTableGraph *graph, const float *meaning,
                                         const PlumbSearchWeights *weights);
void         plumb_scores_add_walk  (PlumbScores *self, const PlumbTableGraph *graph, const PlumbSearchWeights *weights);
void         plumb_scores_add_copies (PlumbScores *self, const PlumbTableGraph *graph, const guint8 *alone);
guint32     *plumb_name_groups_find (GPtrArray *cards, const guint32 *database_of, const gint32 *live_of);
void         plumb_scores_diversify (const PlumbScores *self, GArray *order, guint n, const PlumbTableGraph *graph,
                                     const PlumbSearchWeights *weights);
const guint32 *plumb_scores_get_holders (const PlumbScores *self, guint unit, guint *n);
GArray      *plumb_scores_rank      (const PlumbScores *self, guint n);
void         plumb_scores_free      (PlumbScores *self);

/* plumb-search-notes.c: what persons wrote on tables, by word. */
typedef struct _PlumbNoteIndex PlumbNoteIndex;

PlumbNoteIndex *plumb_note_index_new     (GPtrArray *notes, GPtrArray *cards);
void            plumb_note_index_free    (PlumbNoteIndex *self);
void            plumb_note_index_find    (const PlumbNoteIndex *self, GPtrArray *units, guint n_tables, float *scores);
GPtrArray      *plumb_note_index_collect (const PlumbNoteIndex *self, guint table, GPtrArray *units);

/* plumb-search-approved.c: questions answered before, and examples of domain files, which have a domain. */
typedef struct {
  char *question;
  char *domain;
} PlumbEarlierQuestion;

typedef struct _PlumbApprovedIndex PlumbApprovedIndex;

PlumbApprovedIndex *plumb_approved_index_new  (GPtrArray *approved, GPtrArray *cards);
void                plumb_approved_index_free (PlumbApprovedIndex *self);
void                plumb_approved_index_vote (const PlumbApprovedIndex *self, const char *question, PlumbScores *scores,
                                               const PlumbTableGraph *graph, const guint8 *searched,
                                               const PlumbSearchWeights *weights,
                                               const PlumbEarlierQuestion **helped_by);

/* plumb-search-families.c: copies stand under their live table, partitions under one of them. */
typedef struct _PlumbFamilies PlumbFamilies;

PlumbFamilies *plumb_families_new           (GPtrArray *cards, const gint32 *live);
void           plumb_families_free          (PlumbFamilies *self);
int            plumb_families_get_live      (const PlumbFamilies *self, guint table);
const GArray  *plumb_families_get_copies    (const PlumbFamilies *self, guint table);
const GArray  *plumb_families_get_partitions (const PlumbFamilies *self, guint table);
gboolean       plumb_families_asks_for      (const PlumbFamilies *self, guint copy, GPtrArray *units, const guint8 *held,
                                             guint stride);
gboolean       plumb_families_names         (const PlumbFamilies *self, guint table, GPtrArray *units);

/* plumb-search-tables.c: what is known of tables without their columns and texts. */
GPtrArray     *plumb_tables_read      (const PlumbImage *image);
const gint32  *plumb_tables_read_live (const PlumbImage *image, guint n_tables);

/* plumb-search-meaning.c: what tables are about as a whole. */
typedef struct _PlumbMeaning PlumbMeaning;

PlumbMeaning  *plumb_meaning_open    (const PlumbImage *image, const PlumbTableGraph *graph);
void           plumb_meaning_free    (PlumbMeaning *self);
void           plumb_meaning_compare (const PlumbMeaning *self, GPtrArray *units, const float *rarity,
                                      const PlumbPostings *postings, float *tables, float *databases);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlumbMeaning, plumb_meaning_free)

/* plumb-search-fusion.c: the baseline. */
void           plumb_scores_fuse_plain      (PlumbScores *self, GPtrArray *units, const PlumbPostings *postings,
                                             const PlumbTableGraph *graph, const PlumbSpelling *spelling,
                                             const float *notes, const float *alike);

/* plumb-search-excerpt.c */
GHashTable    *plumb_search_collect_wanted  (GPtrArray *units, const PlumbPostings *postings);
char          *plumb_search_make_excerpt    (PlumbCard *card, GHashTable *wanted);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlumbNoteIndex, plumb_note_index_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlumbApprovedIndex, plumb_approved_index_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlumbFamilies, plumb_families_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlumbScores, plumb_scores_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlumbTableGraph, plumb_table_graph_free)

G_END_DECLS
