/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-search-vectors.h"

#include "plumb-vectors-private.h"

#include <math.h>
#include <string.h>

#include "plumb-vector-scan.h"

/* So many of the best chunks are scored again in float: with them the best 30 are those of an exact
 * search, see SEARCH.md. */
#define N_EXACT 60

/* Which vectors belong to which table. Not changed once it is made. */
struct _PlumbTableVectors {
  PlumbIndex *index;
  PlumbVectorSet *set;
  GPtrArray *tables;
  GArray *starts;     /* for each table the first of its places, and the end */
  GArray *places;     /* places in the set */
};

struct _PlumbLikeness {
  PlumbTableVectors *tables;
  PlumbQuestionVector *question;
};

static void
table_vectors_clear (PlumbTableVectors *self)
{
  g_clear_pointer (&self->set, plumb_vector_set_unref);
  g_clear_pointer (&self->tables, g_ptr_array_unref);
  g_array_unref (self->starts);
  g_array_unref (self->places);
  g_object_unref (self->index);
}

/** plumb_table_vectors_ref: Returns: (transfer full): @self with one more reference */
PlumbTableVectors *
plumb_table_vectors_ref (PlumbTableVectors *self)
{
  return g_atomic_rc_box_acquire (self);
}

/** plumb_table_vectors_unref: gives a reference back */
void
plumb_table_vectors_unref (PlumbTableVectors *self)
{
  if (self != NULL)
    g_atomic_rc_box_release_full (self, (GDestroyNotify) table_vectors_clear);
}

/** plumb_table_vectors_get_model: Returns: (nullable): the model that made them, %NULL where there are none */
const char *
plumb_table_vectors_get_model (const PlumbTableVectors *self)
{
  return self->set != NULL ? self->set->model : NULL;
}

/** plumb_table_vectors_get_n_dimensions: Returns: numbers in a vector */
guint
plumb_table_vectors_get_n_dimensions (const PlumbTableVectors *self)
{
  return self->set != NULL ? self->set->n_dimensions : 0;
}

/* How the table of @row stands to @card in the order of names. */
static int
compare_names (sqlite3_stmt *row, const PlumbCard *card)
{
  int order = strcmp ((const char *) sqlite3_column_text (row, 0), card->database);

  if (order == 0)
    order = strcmp ((const char *) sqlite3_column_text (row, 1), card->schema);
  return order != 0 ? order : strcmp ((const char *) sqlite3_column_text (row, 2), card->name);
}

/* Both are in the order of names: those of @row that aren't in @tables are passed over. */
static gboolean
find_places (PlumbTableVectors *self, PlumbTransaction *read, GError **error)
{
  guint table = 0;
  int code;
  sqlite3_stmt *row = plumb_transaction_bind (
      read, error,
      "SELECT database_name, schema_name, table_name, vector.id FROM card"
      " JOIN chunk ON card_id = card.id JOIN vector ON model_id = ?1 AND vector.hash = chunk.hash"
      " WHERE gone = 0 ORDER BY 1, 2, 3", "l", self->set->model_id);

  if (row == NULL)
    return FALSE;
  while ((code = plumb_transaction_step (read, row, error)) == SQLITE_ROW) {
    int place = plumb_vector_set_find (self->set, sqlite3_column_int64 (row, 3));

    while (table < self->tables->len && compare_names (row, g_ptr_array_index (self->tables, table)) > 0) {
      table++;
      g_array_append_val (self->starts, self->places->len);
    }
    if (place >= 0 && table < self->tables->len &&
        compare_names (row, g_ptr_array_index (self->tables, table)) == 0)
      g_array_append_val (self->places, place);
  }
  while (self->starts->len <= self->tables->len)
    g_array_append_val (self->starts, self->places->len);
  return code == SQLITE_DONE;
}

/**
 * plumb_table_vectors_new:
 * @index: an index
 * @tables: (element-type PlumbCard): names of tables, sorted by database, schema and name
 * @before: (nullable): what was made before, to take vectors over from
 *
 * Returns: (transfer full): the vectors of @tables, @before where nothing has changed, or %NULL with an
 *   error of the index
 */
PlumbTableVectors *
plumb_table_vectors_new (PlumbIndex *index, GPtrArray *tables, PlumbTableVectors *before, GError **error)
{
  g_autoptr (PlumbVectorSet) set = before != NULL && before->set != NULL ? plumb_vector_set_ref (before->set) : NULL;
  g_autoptr (PlumbTableVectors) self = NULL;
  g_autoptr (PlumbTransaction) read = NULL;
  guint zero = 0;

  if (!plumb_vector_set_update (&set, index, error))
    return NULL;
  if (before != NULL && before->set == set && before->tables == tables)
    return plumb_table_vectors_ref (before);
  self = g_atomic_rc_box_new0 (PlumbTableVectors);
  self->index = g_object_ref (index);
  self->set = g_steal_pointer (&set);
  self->tables = g_ptr_array_ref (tables);
  self->starts = g_array_new (FALSE, FALSE, sizeof (guint));
  self->places = g_array_new (FALSE, FALSE, sizeof (int));
  g_array_append_val (self->starts, zero);
  if (self->set == NULL)
    return g_steal_pointer (&self);
  read = plumb_index_begin_read (index, error);
  if (read == NULL || !find_places (self, read, error))
    return NULL;
  return g_steal_pointer (&self);
}

/** plumb_likeness_new: Returns: (transfer full): what tells how like @question tables are; it has as many
 *  numbers as their vectors */
PlumbLikeness *
plumb_likeness_new (PlumbTableVectors *tables, const float *question)
{
  PlumbLikeness *self = g_new0 (PlumbLikeness, 1);

  self->tables = plumb_table_vectors_ref (tables);
  self->question = plumb_question_vector_new (question, tables->set->n_dimensions);
  return self;
}

/** plumb_likeness_free: frees @self */
void
plumb_likeness_free (PlumbLikeness *self)
{
  if (self == NULL)
    return;
  plumb_table_vectors_unref (self->tables);
  plumb_question_vector_free (self->question);
  g_free (self);
}

/** plumb_likeness_get_model: Returns: the model whose vectors are compared */
const char *
plumb_likeness_get_model (const PlumbLikeness *self)
{
  return self->tables->set->model;
}

/* For each vector its score, those of copies and of tables that aren't searched left out: what is known of
 * the live tables stays the same however many copies stand beside them. */
static float *
score_vectors (const PlumbTableVectors *self, const PlumbQuestionVector *question, const PlumbTableGraph *graph,
               const guint8 *searched)
{
  guint n = self->set->ids->len;
  g_autofree float *all = g_new (float, n + 1);
  float *scores = g_new (float, n + 1);

  plumb_vector_set_scan (self->set, question, all);
  for (guint i = 0; i < n; i++)
    scores[i] = -G_MAXFLOAT;
  for (guint table = 0; table < self->tables->len; table++) {
    if (!searched[graph->database_of[table]] || plumb_table_graph_is_copy (graph, table))
      continue;
    for (guint i = g_array_index (self->starts, guint, table); i < g_array_index (self->starts, guint, table + 1);
         i++) {
      int place = g_array_index (self->places, int, i);

      scores[place] = all[place];
    }
  }
  return scores;
}

/* Sets @tables to the score of each table's best chunk, -G_MAXFLOAT for none. */
static void
take_best (const PlumbTableVectors *self, const float *scores, float *tables)
{
  for (guint table = 0; table < self->tables->len; table++) {
    float best = -G_MAXFLOAT;

    for (guint i = g_array_index (self->starts, guint, table); i < g_array_index (self->starts, guint, table + 1); i++)
      best = MAX (best, scores[g_array_index (self->places, int, i)]);
    tables[table] = best;
  }
}

/* Up to this many standard deviations above the mean is nothing special; among few tables, less is. */
#define USUAL 1.0
#define MANY_TABLES 20.0

/* Turns scores into standard deviations above the usual, 0 for less. */
static void
standardise (float *tables, guint n_tables)
{
  double sum = 0, squares = 0, mean, deviation, usual;
  guint n = 0;

  for (guint i = 0; i < n_tables; i++) {
    if (tables[i] > -G_MAXFLOAT) {
      sum += tables[i];
      n++;
    }
  }
  mean = n > 0 ? sum / n : 0;
  for (guint i = 0; i < n_tables; i++) {
    if (tables[i] > -G_MAXFLOAT)
      squares += (tables[i] - mean) * (tables[i] - mean);
  }
  deviation = n > 0 ? sqrt (squares / n) : 0;
  usual = mean + deviation * USUAL * MIN (n / MANY_TABLES, 1);
  for (guint i = 0; i < n_tables; i++)
    tables[i] = tables[i] > usual && deviation > 1e-6 ? (float) ((tables[i] - usual) / deviation) : 0;
}

/**
 * plumb_likeness_measure:
 * @graph: the tables that @self was made for
 * @searched: (array): for each database whether it is searched
 * @tables: (array): for each table, set to how much more than usual among the searched tables its best chunk
 *   is like the question, in standard deviations; 0 for less than usual, for one without vectors, and for
 *   a copy
 *
 * The best chunks are scored again with the exact vectors; while these can't be read, the rounded ones
 * count.
 */
void
plumb_likeness_measure (const PlumbLikeness *self, const PlumbTableGraph *graph, const guint8 *searched,
                        float *tables)
{
  const PlumbVectorSet *set = self->tables->set;
  g_autofree float *scores = score_vectors (self->tables, self->question, graph, searched);
  guint32 best[N_EXACT];
  guint n = plumb_vector_find_best (scores, set->ids->len, N_EXACT, best);
  g_autoptr (GError) error = NULL;

  if (!plumb_vector_set_score_exactly (set, self->tables->index, self->question, best, n, scores, &error))
    g_debug ("%s", error->message);
  take_best (self->tables, scores, tables);
  standardise (tables, graph->n_tables);
}
