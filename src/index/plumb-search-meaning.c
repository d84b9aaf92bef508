/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-search-private.h"

#include <math.h>
#include <string.h>

/* What a table or a database is about as a whole: the mean of its words' vectors, weighed by how much the table
 * holds of them and how rare they are (as Arora, Liang and Ma 2017 do for sentences). */
struct _PlumbMeaning {
  guint n_tables;
  guint n_databases;
  guint dimension;
  float *tables;      /* a unit vector a table, or zeros */
  float *databases;   /* a unit vector a database */
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

static void
add_databases (PlumbMeaning *self, const PlumbTableGraph *graph)
{
  for (guint i = 0; i < self->n_tables; i++) {
    const float *table = self->tables + (gsize) i * self->dimension;
    float *database = self->databases + (gsize) graph->database_of[i] * self->dimension;

    for (guint j = 0; j < self->dimension; j++)
      database[j] += table[j];
  }
  for (guint i = 0; i < self->n_databases; i++)
    normalize (self->databases + (gsize) i * self->dimension, self->dimension);
}

/** plumb_meaning_new: Returns: (transfer full): what the tables of @postings are about */
PlumbMeaning *
plumb_meaning_new (const PlumbPostings *postings, const PlumbTableGraph *graph)
{
  PlumbMeaning *self = g_new0 (PlumbMeaning, 1);

  self->n_tables = postings->n_tables;
  self->n_databases = graph->n_databases;
  self->dimension = plumb_vector_dimension ();
  self->tables = g_new0 (float, MAX ((gsize) self->n_tables * self->dimension, 1));
  self->databases = g_new0 (float, MAX ((gsize) self->n_databases * self->dimension, 1));
  for (guint term = 0; self->dimension > 0 && term < postings->words->len; term++) {
    PlumbVector vector = plumb_lexicon_vector (g_ptr_array_index (postings->words, term));
    guint n;
    const PlumbPosting *list = plumb_postings_get (postings, term, &n);
    float rarity = get_rarity (self->n_tables, n);

    for (guint i = 0; vector != NULL && i < n; i++)
      add_vector (self->tables + (gsize) list[i].table * self->dimension, vector, self->dimension,
                  list[i].weight * rarity);
  }
  for (guint i = 0; i < self->n_tables; i++)
    normalize (self->tables + (gsize) i * self->dimension, self->dimension);
  add_databases (self, graph);
  return self;
}

/** plumb_meaning_free: frees it */
void
plumb_meaning_free (PlumbMeaning *self)
{
  if (self == NULL)
    return;
  g_free (self->tables);
  g_free (self->databases);
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

    vector = plumb_lexicon_vector (g_ptr_array_index (postings->words, relative->term));
    if (vector != NULL)
      add_vector (sum, vector, self->dimension, weight * relative->strength / 3);
  }
}

/* How much more than usual each of @n vectors is like @question, in standard deviations; 0 for less. */
static void
compare_vectors (const float *vectors, guint n, const float *question, guint dimension, float *likeness)
{
  double sum = 0, squares = 0, mean, deviation;

  for (guint i = 0; i < n; i++) {
    const float *vector = vectors + (gsize) i * dimension;
    float dot = 0;

    for (guint j = 0; j < dimension; j++)
      dot += vector[j] * question[j];
    likeness[i] = dot;
    sum += dot;
    squares += dot * dot;
  }
  mean = n > 0 ? sum / n : 0;
  deviation = n > 0 ? sqrt (MAX (squares / n - mean * mean, 1e-9)) : 1;
  for (guint i = 0; i < n; i++)
    likeness[i] = MAX ((likeness[i] - mean) / deviation, 0);
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
  compare_vectors (self->tables, self->n_tables, question, self->dimension, tables);
  if (self->n_databases > 1)
    compare_vectors (self->databases, self->n_databases, question, self->dimension, databases);
}
