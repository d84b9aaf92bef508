/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-index-private.h"
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

G_END_DECLS
