/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-vectors-private.h"

#include "plumb-vector-scan.h"

#include <string.h>

/* A load of what was added since makes a segment of its own; when there are more, all are loaded
 * into one. */
#define MAX_SEGMENTS 8

/* High bytes of vectors that follow each other. */
typedef struct {
  gsize n_vectors;
  gint8 *data;
} Segment;

static Segment *
segment_new (gsize n_vectors, gsize stride)
{
  Segment *self = g_atomic_rc_box_new0 (Segment);

  self->n_vectors = n_vectors;
  self->data = plumb_vector_alloc (n_vectors * stride);
  return self;
}

static void
segment_clear (Segment *self)
{
  g_aligned_free (self->data);
}

static void
segment_unref (gpointer self)
{
  g_atomic_rc_box_release_full (self, (GDestroyNotify) segment_clear);
}

static PlumbVectorSet *
vector_set_new (void)
{
  PlumbVectorSet *self = g_atomic_rc_box_new0 (PlumbVectorSet);

  self->ids = g_array_new (FALSE, FALSE, sizeof (gint64));
  self->scales = g_array_new (FALSE, FALSE, sizeof (float));
  self->segments = g_ptr_array_new_with_free_func (segment_unref);
  return self;
}

static void
vector_set_clear (PlumbVectorSet *self)
{
  g_free (self->model);
  g_array_unref (self->ids);
  g_array_unref (self->scales);
  g_ptr_array_unref (self->segments);
}

/** plumb_vector_set_ref: Returns: (transfer full): @self with one more reference */
PlumbVectorSet *
plumb_vector_set_ref (PlumbVectorSet *self)
{
  return g_atomic_rc_box_acquire (self);
}

/** plumb_vector_set_unref: gives a reference back */
void
plumb_vector_set_unref (PlumbVectorSet *self)
{
  if (self != NULL)
    g_atomic_rc_box_release_full (self, (GDestroyNotify) vector_set_clear);
}

/* Takes over what @before holds, if it is of the same vectors and not in too many pieces. */
static void
take_over (PlumbVectorSet *self, const PlumbVectorSet *before, guint n_vectors)
{
  if (before == NULL || before->model_id != self->model_id || before->epoch != self->epoch ||
      before->ids->len > n_vectors || before->segments->len >= MAX_SEGMENTS)
    return;
  g_array_append_vals (self->ids, before->ids->data, before->ids->len);
  g_array_append_vals (self->scales, before->scales->data, before->scales->len);
  for (guint i = 0; i < before->segments->len; i++)
    g_ptr_array_add (self->segments, g_atomic_rc_box_acquire (g_ptr_array_index (before->segments, i)));
}

/* Copies the vectors of @block from @first on into @segment. */
static void
add_block (PlumbVectorSet *self, const PlumbVectorBlock *block, guint first, Segment *segment, gsize *filled)
{
  gsize stride = plumb_vector_get_stride (self->n_dimensions);

  g_array_append_vals (self->ids, &g_array_index (block->ids, gint64, first), block->ids->len - first);
  for (guint i = first; i < block->ids->len; i++) {
    float scale = 256 * g_array_index (block->scales, float, i);

    g_array_append_val (self->scales, scale);
    memcpy (segment->data + *filled * stride, block->high->data + (gsize) i * self->n_dimensions,
            self->n_dimensions);
    (*filled)++;
  }
}

/* Loads the vectors behind the first self->ids->len, of @n_vectors in all. */
static gboolean
load_rest (PlumbVectorSet *self, PlumbTransaction *read, guint n_vectors, GError **error)
{
  guint skipped = 0, n_known = self->ids->len;
  Segment *segment = segment_new (n_vectors - n_known, plumb_vector_get_stride (self->n_dimensions));
  gsize filled = 0;
  int code;
  sqlite3_stmt *row = plumb_transaction_bind (
      read, error, "SELECT " PLUMB_BLOCK_COLUMNS " FROM vector_block WHERE model_id = ?1 ORDER BY id", "l",
      self->model_id);

  g_ptr_array_add (self->segments, segment);
  if (row == NULL)
    return FALSE;
  while ((code = plumb_transaction_step (read, row, error)) == SQLITE_ROW) {
    guint n = sqlite3_column_int (row, 1);
    g_autoptr (PlumbVectorBlock) block = NULL;

    if (skipped + n > n_known) {
      guint first = n_known > skipped ? n_known - skipped : 0;

      block = plumb_row_get_vector_block (row, self->n_dimensions, error);
      if (block == NULL)
        return FALSE;
      if (filled + n - first > segment->n_vectors)
        break;
      add_block (self, block, first, segment, &filled);
    }
    skipped += n;
  }
  if (code != SQLITE_DONE && code != SQLITE_ROW)
    return FALSE;
  if (code == SQLITE_DONE && filled == segment->n_vectors)
    return TRUE;
  g_set_error (error, PLUMB_INDEX_ERROR, PLUMB_INDEX_ERROR_DAMAGED,
               "The index doesn't hold as many vectors as it says. Remove them, and embed again.");
  return FALSE;
}

static gboolean
is_same (const PlumbVectorSet *self, const PlumbVectorSet *other, guint n_vectors)
{
  return self != NULL && self->model_id == other->model_id && self->epoch == other->epoch &&
         self->mapping == other->mapping && self->ids->len == n_vectors;
}

/* The serving model without its vectors, of which there are @n_vectors. */
static PlumbVectorSet *
read_model (sqlite3_stmt *row, guint *n_vectors)
{
  PlumbVectorSet *self = vector_set_new ();

  self->model_id = sqlite3_column_int64 (row, 0);
  self->epoch = sqlite3_column_int64 (row, 1);
  self->mapping = sqlite3_column_int64 (row, 2);
  self->n_dimensions = sqlite3_column_int (row, 3);
  self->model = plumb_row_get_string (row, 4);
  *n_vectors = sqlite3_column_int (row, 5);
  return self;
}

/**
 * plumb_vector_set_update:
 * @set: (inout): the vectors that are loaded, %NULL for none
 * @index: where they come from
 *
 * Makes @set what the index holds now, %NULL where no model serves. What was added since is loaded
 * behind what is there; nothing is loaded where nothing has changed.
 *
 * Returns: %FALSE with an error; @set is as it was
 */
gboolean
plumb_vector_set_update (PlumbVectorSet **set, PlumbIndex *index, GError **error)
{
  g_autoptr (PlumbTransaction) read = plumb_index_begin_read (index, error);
  g_autoptr (PlumbVectorSet) self = NULL;
  sqlite3_stmt *row = NULL;
  guint n_vectors;
  int code;

  if (read != NULL)
    row = plumb_transaction_bind (read, error, "SELECT id, epoch, mapping, n_dimensions, name, n_vectors"
                                  " FROM vector_model WHERE serves", "");
  code = row != NULL ? plumb_transaction_step (read, row, error) : SQLITE_ERROR;
  if (code == SQLITE_DONE)
    g_clear_pointer (set, plumb_vector_set_unref);
  if (code != SQLITE_ROW)
    return code == SQLITE_DONE;
  self = read_model (row, &n_vectors);
  sqlite3_reset (row);
  if (is_same (*set, self, n_vectors))
    return TRUE;
  take_over (self, *set, n_vectors);
  if (self->ids->len < n_vectors && !load_rest (self, read, n_vectors, error))
    return FALSE;
  g_clear_pointer (set, plumb_vector_set_unref);
  *set = g_steal_pointer (&self);
  return TRUE;
}

/** plumb_vector_set_find: Returns: the place of the vector of row @id, -1 where it isn't there */
int
plumb_vector_set_find (const PlumbVectorSet *self, gint64 id)
{
  guint low = 0, high = self->ids->len;

  while (low < high) {
    guint middle = low + (high - low) / 2;
    gint64 here = g_array_index (self->ids, gint64, middle);

    if (here == id)
      return (int) middle;
    if (here < id)
      low = middle + 1;
    else
      high = middle;
  }
  return -1;
}

/**
 * plumb_vector_set_scan:
 * @question: a vector of as many dimensions
 * @scores: set to the inner product of each vector with @question, both rounded to int8
 */
void
plumb_vector_set_scan (const PlumbVectorSet *self, const PlumbQuestionVector *question, float *scores)
{
  PlumbKernel kernel = plumb_kernel_get_best ();
  gsize stride = plumb_vector_get_stride (self->n_dimensions);
  g_autofree gint32 *products = g_new (gint32, self->ids->len + 1);
  gsize start = 0;

  for (guint i = 0; i < self->segments->len; i++) {
    const Segment *segment = g_ptr_array_index (self->segments, i);

    plumb_vector_scan (kernel, segment->data, segment->n_vectors, stride, question->rounded, products + start);
    start += segment->n_vectors;
  }
  for (guint i = 0; i < self->ids->len; i++)
    scores[i] = products[i] * question->scale * g_array_index (self->scales, float, i);
}

static const gint8 *
get_high (const PlumbVectorSet *self, gsize place)
{
  for (guint i = 0; i < self->segments->len; i++) {
    const Segment *segment = g_ptr_array_index (self->segments, i);

    if (place < segment->n_vectors)
      return segment->data + place * plumb_vector_get_stride (self->n_dimensions);
    place -= segment->n_vectors;
  }
  g_assert_not_reached ();
}

/**
 * plumb_vector_set_score_exactly:
 * @places: (array length=n_places): places of vectors
 * @scores: for each vector its score; those at @places are set to the inner product with @question
 *   in float, of 16 bits a number. One that was removed meanwhile keeps the score it has.
 *
 * Returns: %FALSE with an error of the index
 */
gboolean
plumb_vector_set_score_exactly (const PlumbVectorSet *self, PlumbIndex *index,
                                const PlumbQuestionVector *question, const guint32 *places,
                                guint n_places, float *scores, GError **error)
{
  g_autoptr (PlumbTransaction) read = plumb_index_begin_read (index, error);
  g_autofree float *vector = g_new (float, self->n_dimensions + 1);

  for (guint i = 0; read != NULL && i < n_places; i++) {
    float scale = g_array_index (self->scales, float, places[i]) / 256;
    double sum = 0;
    sqlite3_stmt *row = plumb_transaction_bind (read, error, "SELECT low FROM vector WHERE id = ?1", "l",
                                                g_array_index (self->ids, gint64, places[i]));
    int code = row != NULL ? plumb_transaction_step (read, row, error) : SQLITE_ERROR;

    if (code != SQLITE_ROW && code != SQLITE_DONE)
      return FALSE;
    if (code == SQLITE_DONE || sqlite3_column_bytes (row, 0) != (int) self->n_dimensions)
      continue;
    plumb_vector_join (get_high (self, places[i]), sqlite3_column_blob (row, 0), self->n_dimensions, scale,
                       vector);
    for (guint j = 0; j < self->n_dimensions; j++)
      sum += vector[j] * question->exact[j];
    scores[places[i]] = (float) sum;
  }
  return read != NULL;
}

/** plumb_question_vector_new: Returns: (transfer full): @vector with its rounded form */
PlumbQuestionVector *
plumb_question_vector_new (const float *vector, guint n_dimensions)
{
  PlumbQuestionVector *self = g_new0 (PlumbQuestionVector, 1);
  g_autofree gint8 *low = g_new (gint8, n_dimensions + 1);

  self->n_dimensions = n_dimensions;
  self->exact = g_memdup2 (vector, n_dimensions * sizeof (float));
  self->rounded = plumb_vector_alloc (plumb_vector_get_stride (n_dimensions));
  self->scale = 256 * plumb_vector_split (vector, n_dimensions, self->rounded, low);
  return self;
}

/** plumb_question_vector_free: frees @self */
void
plumb_question_vector_free (PlumbQuestionVector *self)
{
  if (self == NULL)
    return;
  g_free (self->exact);
  g_aligned_free (self->rounded);
  g_free (self);
}
