/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-search-build.h"

#include <math.h>
#include <string.h>

/* What a table or a database is about as a whole: the mean of its words' vectors, weighed by how much the table
 * holds of them and how rare they are (as Arora, Liang and Ma 2017 do for sentences). */
struct _PlumbMeaning {
  const PlumbTableGraph *graph;
  guint n_tables;
  guint n_databases;
  guint dimension;
  const float *tables;      /* a unit vector a table, or zeros */
  const float *databases;   /* a unit vector a database */
};

static float
get_rarity (guint n_tables, guint n_holders)
{
  return logf (1 + (n_tables - n_holders + 0.5f) / (n_holders + 0.5f));
}

static void
add_vector (float *sum, PlumbVector vector, guint dimension, float weight)
{
  for (guint i = 0; i < dimension; i++)
    sum[i] += weight * vector[i];
}

static void
normalize (float *vector, guint dimension)
{
  float square = 0;

  for (guint i = 0; i < dimension; i++)
    square += vector[i] * vector[i];
  for (guint i = 0; square > 0 && i < dimension; i++)
    vector[i] /= sqrtf (square);
}

static float *
add_up_databases (const float *tables, const PlumbTableGraph *graph, guint dimension)
{
  float *databases = g_new0 (float, MAX ((gsize) graph->n_databases * dimension, 1));

  for (guint i = 0; i < graph->n_tables; i++) {
    const float *table = tables + (gsize) i * dimension;
    float *database = databases + (gsize) graph->database_of[i] * dimension;

    for (guint j = 0; j < dimension; j++)
      database[j] += table[j];
  }
  for (guint i = 0; i < graph->n_databases; i++)
    normalize (databases + (gsize) i * dimension, dimension);
  return databases;
}

/** plumb_meaning_build: puts into @image what the tables of @postings are about */
void
plumb_meaning_build (PlumbImage *image, const PlumbPostings *postings, const PlumbTableGraph *graph)
{
  guint dimension = plumb_vector_dimension ();
  gsize n = (gsize) postings->n_tables * dimension;
  float *tables = g_new0 (float, MAX (n, 1));

  for (guint term = 0; dimension > 0 && term < postings->n_terms; term++) {
    const char *word = plumb_postings_get_word (postings, term);
    /* Pairs and whole identifiers are no words. */
    PlumbVector vector = strpbrk (word, " _") == NULL ? plumb_lexicon_vector (word) : NULL;
    guint n_holders;
    const PlumbPosting *list = plumb_postings_get (postings, term, &n_holders);
    float rarity = get_rarity (graph->n_live, MIN (n_holders, graph->n_live));

    for (guint i = 0; vector != NULL && i < n_holders; i++) {
      if (!plumb_table_graph_is_copy (graph, list[i].table))
        add_vector (tables + (gsize) list[i].table * dimension, vector, dimension, list[i].weight * rarity);
    }
  }
  for (guint i = 0; i < postings->n_tables; i++)
    normalize (tables + (gsize) i * dimension, dimension);
  plumb_image_take (image, PLUMB_SECTION_MEANING_DATABASES, add_up_databases (tables, graph, dimension),
                    (gsize) graph->n_databases * dimension * sizeof *tables);
  plumb_image_take (image, PLUMB_SECTION_MEANING_TABLES, tables, n * sizeof *tables);
}

/** plumb_meaning_open: Returns: (transfer full) (nullable): what the tables of @graph are about, from @image;
 *  both must outlive it; %NULL where that is damaged */
PlumbMeaning *
plumb_meaning_open (const PlumbImage *image, const PlumbTableGraph *graph)
{
  PlumbMeaning *self = g_new0 (PlumbMeaning, 1);
  gsize n_tables, n_databases;

  self->graph = graph;
  self->n_tables = graph->n_tables;
  self->n_databases = graph->n_databases;
  self->dimension = plumb_vector_dimension ();
  self->tables = plumb_image_get (image, PLUMB_SECTION_MEANING_TABLES, sizeof (float), &n_tables);
  self->databases = plumb_image_get (image, PLUMB_SECTION_MEANING_DATABASES, sizeof (float), &n_databases);
  if (n_tables != (gsize) self->n_tables * self->dimension ||
      n_databases != (gsize) self->n_databases * self->dimension)
    g_clear_pointer (&self, g_free);
  return self;
}

/** plumb_meaning_free: frees it, not its image */
void
plumb_meaning_free (PlumbMeaning *self)
{
  g_free (self);
}

/* The vector of a word of the question: its own, or the mean of those that it may mean. */
static void
add_unit (const PlumbMeaning *self, const PlumbUnit *unit, const PlumbPostings *postings, float weight, float *sum)
{
  g_auto (GStrv) forms = plumb_base_forms (unit->word);
  PlumbVector vector = NULL;

  for (guint i = 0; vector == NULL && forms[i] != NULL; i++)
    vector = plumb_lexicon_vector (forms[i]);
  if (vector != NULL) {
    add_vector (sum, vector, self->dimension, weight);
    return;
  }
  for (guint i = 0; i < unit->relatives->len && i < 3; i++) {
    const PlumbRelative *relative = &g_array_index (unit->relatives, PlumbRelative, i);

    vector = plumb_lexicon_vector (plumb_postings_get_word (postings, relative->term));
    if (vector != NULL)
      add_vector (sum, vector, self->dimension, weight * relative->strength / 3);
  }
}

/* Eight sums at once, which the compiler turns into vectors of the processor. */
static float
get_dot (const float *a, const float *b, guint n)
{
  float sums[8] = { 0 }, sum = 0;
  guint i = 0;

  for (; i + 8 <= n; i += 8) {
    for (guint j = 0; j < 8; j++)
      sums[j] += a[i + j] * b[i + j];
  }
  for (; i < n; i++)
    sum += a[i] * b[i];
  for (guint j = 0; j < 8; j++)
    sum += sums[j];
  return sum;
}

/* How much more than usual each of @n vectors is like @question, in standard deviations; 0 for less, and
 * for those that have a live table in @live_of (nullable). */
static void
compare_vectors (const float *vectors, guint n, const gint32 *live_of, const float *question, guint dimension,
                 float *likeness)
{
  double sum = 0, squares = 0, mean, deviation;
  guint n_compared = 0;

  for (guint i = 0; i < n; i++) {
    const float *vector = vectors + (gsize) i * dimension;
    float dot;

    if (live_of != NULL && live_of[i] >= 0)
      continue;
    dot = get_dot (vector, question, dimension);
    likeness[i] = dot;
    sum += dot;
    squares += dot * dot;
    n_compared++;
  }
  mean = n_compared > 0 ? sum / n_compared : 0;
  deviation = n_compared > 0 ? sqrt (MAX (squares / n_compared - mean * mean, 1e-9)) : 1;
  for (guint i = 0; i < n; i++)
    likeness[i] = live_of != NULL && live_of[i] >= 0 ? 0 : MAX ((likeness[i] - mean) / deviation, 0);
}

/**
 * plumb_meaning_compare:
 * @units: (element-type PlumbUnit): the question's words
 * @rarity: (array): for each word, how much it says
 * @tables: (array): for each table, set to how much more than usual it is about the same as the
 *   question, in standard deviations; 0 for less than usual
 * @databases: (array): the same for each database
 */
void
plumb_meaning_compare (const PlumbMeaning *self, GPtrArray *units, const float *rarity,
                       const PlumbPostings *postings, float *tables, float *databases)
{
  g_autofree float *question = g_new0 (float, self->dimension + 1);

  if (self->dimension == 0)
    return;
  for (guint i = 0; i < units->len; i++)
    add_unit (self, g_ptr_array_index (units, i), postings, rarity[i], question);
  normalize (question, self->dimension);
  compare_vectors (self->tables, self->n_tables, self->graph->live_of, question, self->dimension, tables);
  if (self->n_databases > 1)
    compare_vectors (self->databases, self->n_databases, NULL, question, self->dimension, databases);
}
