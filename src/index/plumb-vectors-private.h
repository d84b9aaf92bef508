/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-index-private.h"
#include "plumb-embedder.h"
#include "plumb-vectors.h"

G_BEGIN_DECLS

/* The most bytes of the high bytes of a block. */
#define PLUMB_VECTOR_BLOCK_BYTES (1024 * 1024)

/* plumb-vector-format.c */
float             plumb_vector_split  (const float *vector, guint n_dimensions, gint8 *high, gint8 *low);
void              plumb_vector_join   (const gint8 *high, const gint8 *low, guint n_dimensions, float scale,
                                       float *vector);

/**
 * PlumbVectorBlock:
 * @id: its row, 0 for one that isn't stored yet
 * @n_dimensions: bytes of a vector
 * @ids: (element-type gint64): rows of its vectors, rising
 * @scales: (element-type float): for each vector what a step of its low byte is worth
 * @high: (element-type gint8): the high bytes, vector after vector
 *
 * Some vectors of one model, as they are stored.
 */
typedef struct {
  gint64 id;
  guint n_dimensions;
  GArray *ids;
  GArray *scales;
  GArray *high;
} PlumbVectorBlock;

/* plumb-vector-blocks.c */
PlumbVectorBlock *plumb_vector_block_new    (guint n_dimensions);
void              plumb_vector_block_free   (PlumbVectorBlock *self);
void              plumb_vector_block_add    (PlumbVectorBlock *self, gint64 id, float scale, const gint8 *high);
gboolean          plumb_vector_block_is_full (const PlumbVectorBlock *self);
PlumbVectorBlock *plumb_row_get_vector_block (sqlite3_stmt *row, guint n_dimensions, GError **error);
PlumbVectorBlock *plumb_transaction_get_last_block (PlumbTransaction *self, gint64 model_id, guint n_dimensions,
                                                    GError **error);
gboolean          plumb_transaction_put_block (PlumbTransaction *self, gint64 model_id, PlumbVectorBlock *block,
                                               GError **error);
gboolean          plumb_transaction_drop_vectors (PlumbTransaction *self, gint64 model_id, guint n_dimensions,
                                                  GHashTable *ids, GError **error);

#define PLUMB_BLOCK_COLUMNS "id, n_vectors, ids, scales, high"

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlumbVectorBlock, plumb_vector_block_free)

/* A vector of a question: as it came, and rounded for the scan. */
typedef struct {
  guint n_dimensions;
  float *exact;
  gint8 *rounded;
  float scale;
} PlumbQuestionVector;

/**
 * PlumbVectorSet:
 * @model: the model that serves
 * @model_id: its row
 * @epoch: how often vectors of it were removed
 * @mapping: how often cards have got other chunks
 * @n_dimensions: numbers in a vector
 * @ids: (element-type gint64): rows of the vectors, rising
 * @scales: (element-type float): what a step of a high byte is worth
 * @segments: the high bytes, a long block a load
 *
 * The vectors of the serving model in memory, one byte a number. Reference counted; not changed
 * once it is loaded.
 */
typedef struct {
  char *model;
  gint64 model_id;
  gint64 epoch;
  gint64 mapping;
  guint n_dimensions;
  GArray *ids;
  GArray *scales;
  GPtrArray *segments;
} PlumbVectorSet;

/* plumb-vector-set.c */
gboolean        plumb_vector_set_update  (PlumbVectorSet **set, PlumbIndex *index, GError **error);
PlumbVectorSet *plumb_vector_set_ref     (PlumbVectorSet *self);
void            plumb_vector_set_unref   (PlumbVectorSet *self);
int             plumb_vector_set_find    (const PlumbVectorSet *self, gint64 id);
void            plumb_vector_set_scan    (const PlumbVectorSet *self, const PlumbQuestionVector *question,
                                          float *scores);
gboolean        plumb_vector_set_score_exactly (const PlumbVectorSet *self, PlumbIndex *index,
                                          const PlumbQuestionVector *question, const guint32 *places,
                                          guint n_places, float *scores, GError **error);
PlumbQuestionVector *plumb_question_vector_new  (const float *vector, guint n_dimensions);
void            plumb_question_vector_free (PlumbQuestionVector *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlumbVectorSet, plumb_vector_set_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlumbQuestionVector, plumb_question_vector_free)

G_END_DECLS
