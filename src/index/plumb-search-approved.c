/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-search-private.h"

#include "plumb-table-name.h"
#include "plumb-text.h"

#include <math.h>
#include <string.h>

/* How many of the likest questions vote, and how many databases are open to their votes. */
#define N_NEAREST 3
#define N_DATABASES 2
/* A question less like than this tells nothing. */
#define MIN_LIKENESS 0.2f

typedef struct {
  PlumbEarlierQuestion earlier;
  GArray *words;    /* numbers of words, each once */
  GArray *tables;   /* places of the tables that answered it */
  float length;     /* of the vector of its words' rarities */
} Answered;

struct _PlumbApprovedIndex {
  GPtrArray *answered;
  GHashTable *words;      /* canonical word → number + 1 */
  GArray *frequencies;    /* for each word, the questions that hold it */
};

static void
answered_free (Answered *self)
{
  g_free (self->earlier.question);
  g_free (self->earlier.domain);
  g_array_unref (self->words);
  g_array_unref (self->tables);
  g_free (self);
}

static char *
make_key (const char *database, const char *table)
{
  g_autofree char *folded = plumb_text_fold (table);

  return g_strconcat (database, "\n", folded, NULL);
}

/* The words of a question that say something, each once. Unknown ones are -1 unless @add. */
static GArray *
read_words (PlumbApprovedIndex *self, const char *question, gboolean add)
{
  PlumbLanguage language = plumb_detect_language (question);
  g_autoptr (GPtrArray) words = plumb_text_tokenize (question);
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  GArray *numbers = g_array_new (FALSE, FALSE, sizeof (int));

  for (guint i = 0; i < words->len && i < 200; i++) {
    const char *word = g_ptr_array_index (words, i);
    g_autofree char *stem = NULL;
    int number;

    if (plumb_is_everyday_word (word, language))
      continue;
    stem = language == PLUMB_LANGUAGE_ENGLISH ? plumb_canonical_word (word) : plumb_stem_word (word, language);
    number = GPOINTER_TO_INT (g_hash_table_lookup (self->words, stem)) - 1;
    if (number < 0 && add) {
      guint none = 0;

      number = self->frequencies->len;
      g_array_append_val (self->frequencies, none);
      g_hash_table_insert (self->words, g_steal_pointer (&stem), GINT_TO_POINTER (number + 1));
    }
    if (number >= 0 && !g_hash_table_add (seen, GINT_TO_POINTER (number + 1)))
      continue;
    g_array_append_val (numbers, number);
  }
  return numbers;
}

static float
word_rarity (const PlumbApprovedIndex *self, int word)
{
  guint frequency = word >= 0 ? g_array_index (self->frequencies, guint, word) : 0;

  return logf (1 + (self->answered->len + 0.5f) / (frequency + 0.5f));
}

static float
vector_length (const PlumbApprovedIndex *self, const GArray *words)
{
  float sum = 0;

  for (guint i = 0; i < words->len; i++) {
    float rarity = word_rarity (self, g_array_index (words, int, i));

    sum += rarity * rarity;
  }
  return sqrtf (sum);
}

/* The place of a table from 1, whose name may be quoted and have its schema before it; 0 for none. */
static guint
find_place (GHashTable *places, const char *database, const char *name)
{
  g_autoptr (PlumbTableName) parsed = plumb_table_name_parse (name, NULL);
  const char *dot = strrchr (name, '.');
  const char *spellings[] = { name, parsed != NULL ? parsed->table : name, dot != NULL ? dot + 1 : name };
  guint place = 0;

  for (guint i = 0; place == 0 && i < G_N_ELEMENTS (spellings); i++) {
    g_autofree char *key = make_key (database, spellings[i]);

    place = GPOINTER_TO_UINT (g_hash_table_lookup (places, key));
  }
  return place;
}

static void
add_answered (PlumbApprovedIndex *self, const PlumbApproved *approved, GHashTable *places)
{
  Answered *answered = g_new0 (Answered, 1);

  answered->earlier.question = g_strdup (approved->question);
  answered->earlier.domain = g_strdup (approved->domain);
  answered->tables = g_array_new (FALSE, FALSE, sizeof (guint));
  answered->words = read_words (self, approved->question, TRUE);
  for (guint i = 0; approved->tables != NULL && approved->tables[i] != NULL; i++) {
    guint place = find_place (places, approved->database, approved->tables[i]);

    if (place-- > 0)
      g_array_append_val (answered->tables, place);
  }
  for (guint i = 0; i < answered->words->len; i++)
    g_array_index (self->frequencies, guint, g_array_index (answered->words, int, i))++;
  g_ptr_array_add (self->answered, answered);
}

/**
 * plumb_approved_index_new:
 * @approved: (nullable) (element-type PlumbApproved): questions that were answered right
 * @cards: (element-type PlumbCard): the tables
 *
 * Returns: (transfer full): @approved by their words
 */
PlumbApprovedIndex *
plumb_approved_index_new (GPtrArray *approved, GPtrArray *cards)
{
  PlumbApprovedIndex *self = g_new0 (PlumbApprovedIndex, 1);
  g_autoptr (GHashTable) places = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  self->answered = g_ptr_array_new_with_free_func ((GDestroyNotify) answered_free);
  self->words = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->frequencies = g_array_new (FALSE, FALSE, sizeof (guint));
  if (approved == NULL || approved->len == 0)
    return self;
  for (guint i = 0; i < cards->len; i++) {
    PlumbCard *card = g_ptr_array_index (cards, i);

    g_hash_table_insert (places, make_key (card->database, card->name), GUINT_TO_POINTER (i + 1));
  }
  for (guint i = 0; i < approved->len; i++)
    add_answered (self, g_ptr_array_index (approved, i), places);
  for (guint i = 0; i < self->answered->len; i++) {
    Answered *answered = g_ptr_array_index (self->answered, i);

    answered->length = vector_length (self, answered->words);
  }
  return self;
}

/** plumb_approved_index_free: frees it */
void
plumb_approved_index_free (PlumbApprovedIndex *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->answered);
  g_hash_table_unref (self->words);
  g_array_unref (self->frequencies);
  g_free (self);
}

static float
get_likeness (const PlumbApprovedIndex *self, const Answered *answered, const guint8 *asked, float length)
{
  float sum = 0;

  for (guint i = 0; i < answered->words->len; i++) {
    int word = g_array_index (answered->words, int, i);
    float rarity = word_rarity (self, word);

    if (asked[word])
      sum += rarity * rarity;
  }
  return sum > 0 ? sum / (length * answered->length) : 0;
}

/* Whether the database of @table is among the best for this question. */
static void
find_best_databases (const PlumbScores *scores, const PlumbTableGraph *graph, guint8 *best)
{
  g_autofree float *top = g_new0 (float, MAX (graph->n_databases, 1));

  for (guint i = 0; i < scores->n_tables; i++)
    top[graph->database_of[i]] = MAX (top[graph->database_of[i]], scores->score[i]);
  for (guint n = 0; n < N_DATABASES; n++) {
    guint winner = 0;

    for (guint i = 1; i < graph->n_databases; i++) {
      if (top[i] > top[winner])
        winner = i;
    }
    if (graph->n_databases > 0 && top[winner] > 0) {
      best[winner] = TRUE;
      top[winner] = -1;
    }
  }
}

static void
vote (const Answered *answered, float strength, PlumbScores *scores, const PlumbTableGraph *graph,
      const guint8 *open, const PlumbEarlierQuestion **helped_by)
{
  for (guint i = 0; i < answered->tables->len; i++) {
    guint table = g_array_index (answered->tables, guint, i);

    if (!open[graph->database_of[table]])
      continue;
    scores->score[table] += strength;
    if (helped_by[table] == NULL)
      helped_by[table] = &answered->earlier;
  }
}

/**
 * plumb_approved_index_vote:
 * @question: the question
 * @searched: (array): for each database, whether it is searched
 * @helped_by: (array): for each table, set to the earlier question that spoke for it
 *
 * The three likest questions answered before speak for their tables, each in the measure in which
 * it is like this one, and only in the two databases that look best without them.
 */
void
plumb_approved_index_vote (const PlumbApprovedIndex *self, const char *question, PlumbScores *scores,
                           const PlumbTableGraph *graph, const guint8 *searched,
                           const PlumbSearchWeights *weights, const PlumbEarlierQuestion **helped_by)
{
  g_autoptr (GArray) words = NULL;
  g_autofree guint8 *asked = NULL;
  g_autofree guint8 *open = NULL;
  g_autofree float *likeness = NULL;
  float length, top = 0;

  if (self->answered->len == 0)
    return;
  words = read_words ((PlumbApprovedIndex *) self, question, FALSE);
  length = vector_length (self, words);
  asked = g_new0 (guint8, self->frequencies->len + 1);
  for (guint i = 0; i < words->len; i++) {
    if (g_array_index (words, int, i) >= 0)
      asked[g_array_index (words, int, i)] = TRUE;
  }
  open = g_new0 (guint8, MAX (graph->n_databases, 1));
  find_best_databases (scores, graph, open);
  for (guint i = 0; i < graph->n_databases; i++)
    open[i] = open[i] && searched[i];
  for (guint i = 0; i < scores->n_tables; i++)
    top = MAX (top, scores->score[i]);
  likeness = g_new0 (float, self->answered->len);
  for (guint i = 0; i < self->answered->len; i++)
    likeness[i] = get_likeness (self, g_ptr_array_index (self->answered, i), asked, length);
  for (guint n = 0; n < N_NEAREST; n++) {
    guint nearest = 0;

    for (guint i = 1; i < self->answered->len; i++) {
      if (likeness[i] > likeness[nearest])
        nearest = i;
    }
    if (likeness[nearest] < MIN_LIKENESS)
      break;
    vote (g_ptr_array_index (self->answered, nearest),
          weights->approved * likeness[nearest] * likeness[nearest] * top, scores, graph, open, helped_by);
    likeness[nearest] = 0;
  }
}
