/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-vectors-private.h"

#include <string.h>

/* Numbers in a block are little-endian, so that the file can be carried to another machine. */

/** plumb_vector_block_new: Returns: (transfer full): an empty block */
PlumbVectorBlock *
plumb_vector_block_new (guint n_dimensions)
{
  PlumbVectorBlock *self = g_new0 (PlumbVectorBlock, 1);

  self->n_dimensions = n_dimensions;
  self->ids = g_array_new (FALSE, FALSE, sizeof (gint64));
  self->scales = g_array_new (FALSE, FALSE, sizeof (float));
  self->high = g_array_new (FALSE, FALSE, sizeof (gint8));
  return self;
}

/** plumb_vector_block_free: frees @self */
void
plumb_vector_block_free (PlumbVectorBlock *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->ids);
  g_array_unref (self->scales);
  g_array_unref (self->high);
  g_free (self);
}

/** plumb_vector_block_add: adds a vector; @id is greater than those before it */
void
plumb_vector_block_add (PlumbVectorBlock *self, gint64 id, float scale, const gint8 *high)
{
  g_array_append_val (self->ids, id);
  g_array_append_val (self->scales, scale);
  g_array_append_vals (self->high, high, self->n_dimensions);
}

/** plumb_vector_block_is_full: Returns: whether the next vector should go into a block of its own */
gboolean
plumb_vector_block_is_full (const PlumbVectorBlock *self)
{
  return self->high->len + self->n_dimensions > PLUMB_VECTOR_BLOCK_BYTES && self->ids->len > 0;
}

/* Turns numbers of this machine into little-endian ones, or back. */
static void
swap_numbers (PlumbVectorBlock *self)
{
  for (guint i = 0; G_BYTE_ORDER == G_BIG_ENDIAN && i < self->ids->len; i++) {
    guint32 *scale = (guint32 *) (void *) self->scales->data + i;

    g_array_index (self->ids, gint64, i) = GINT64_TO_LE (g_array_index (self->ids, gint64, i));
    *scale = GUINT32_TO_LE (*scale);
  }
}

static gboolean
read_array (sqlite3_stmt *row, int column, GArray *array, gsize n_elements)
{
  gsize size = n_elements * g_array_get_element_size (array);

  if (n_elements == 0 || (gsize) sqlite3_column_bytes (row, column) != size)
    return FALSE;
  g_array_set_size (array, n_elements);
  memcpy (array->data, sqlite3_column_blob (row, column), size);
  return TRUE;
}

/**
 * plumb_row_get_vector_block:
 * @row: a row of PLUMB_BLOCK_COLUMNS
 * @n_dimensions: numbers in a vector of its model
 *
 * Returns: (transfer full): the block, or %NULL with PLUMB_INDEX_ERROR_DAMAGED
 */
PlumbVectorBlock *
plumb_row_get_vector_block (sqlite3_stmt *row, guint n_dimensions, GError **error)
{
  g_autoptr (PlumbVectorBlock) self = plumb_vector_block_new (n_dimensions);
  int n = sqlite3_column_int (row, 1);

  self->id = sqlite3_column_int64 (row, 0);
  if (n <= 0 || !read_array (row, 2, self->ids, n) || !read_array (row, 3, self->scales, n) ||
      !read_array (row, 4, self->high, (gsize) n * n_dimensions)) {
    g_set_error (error, PLUMB_INDEX_ERROR, PLUMB_INDEX_ERROR_DAMAGED,
                 "Vectors in the index can't be read. Remove them, and embed again.");
    return NULL;
  }
  swap_numbers (self);
  return g_steal_pointer (&self);
}

/**
 * plumb_transaction_get_last_block:
 * @model_id: a model
 * @n_dimensions: numbers in a vector of it
 *
 * Returns: (transfer full): the block that the model's next vector goes into; a new one where there
 *   is none or it is full; %NULL with an error
 */
PlumbVectorBlock *
plumb_transaction_get_last_block (PlumbTransaction *self, gint64 model_id, guint n_dimensions,
                                  GError **error)
{
  sqlite3_stmt *row = plumb_transaction_bind (
      self, error, "SELECT " PLUMB_BLOCK_COLUMNS " FROM vector_block WHERE model_id = ?1"
      " ORDER BY id DESC LIMIT 1", "l", model_id);
  int code = row != NULL ? plumb_transaction_step (self, row, error) : SQLITE_ERROR;
  g_autoptr (PlumbVectorBlock) block = NULL;

  if (code == SQLITE_DONE)
    return plumb_vector_block_new (n_dimensions);
  if (code != SQLITE_ROW)
    return NULL;
  block = plumb_row_get_vector_block (row, n_dimensions, error);
  sqlite3_reset (row);
  if (block != NULL && plumb_vector_block_is_full (block))
    return plumb_vector_block_new (n_dimensions);
  return g_steal_pointer (&block);
}

/**
 * plumb_transaction_put_block:
 * @model_id: its model
 * @block: a block; a new one gets its row's number, an empty one is removed
 *
 * Returns: %FALSE with an error
 */
gboolean
plumb_transaction_put_block (PlumbTransaction *self, gint64 model_id, PlumbVectorBlock *block,
                             GError **error)
{
  int n = (int) block->ids->len;
  gboolean done;

  if (n == 0)
    return plumb_transaction_run (self, error, "DELETE FROM vector_block WHERE id = ?1", "l", block->id);
  swap_numbers (block);
  done = block->id != 0
             ? plumb_transaction_run (self, error,
                                      "UPDATE vector_block SET n_vectors = ?2, ids = ?3, scales = ?4,"
                                      " high = ?5 WHERE id = ?1", "libbb", block->id, n,
                                      block->ids->data, n * (int) sizeof (gint64), block->scales->data,
                                      n * (int) sizeof (float), block->high->data, (int) block->high->len)
             : plumb_transaction_run (self, error,
                                      "INSERT INTO vector_block (model_id, n_vectors, ids, scales, high)"
                                      " VALUES (?1, ?2, ?3, ?4, ?5)", "libbb", model_id, n,
                                      block->ids->data, n * (int) sizeof (gint64), block->scales->data,
                                      n * (int) sizeof (float), block->high->data, (int) block->high->len);
  swap_numbers (block);
  if (done && block->id == 0)
    block->id = plumb_transaction_get_inserted (self);
  return done;
}

/* Moves the vectors of @block that are not in @ids to the end of @kept. */
static void
keep_vectors (PlumbVectorBlock *kept, const PlumbVectorBlock *block, GHashTable *ids)
{
  for (guint i = 0; i < block->ids->len; i++) {
    gint64 id = g_array_index (block->ids, gint64, i);

    if (!g_hash_table_contains (ids, &id))
      plumb_vector_block_add (kept, id, g_array_index (block->scales, float, i),
                              (const gint8 *) block->high->data + (gsize) i * block->n_dimensions);
  }
}

static GArray *
list_blocks (PlumbTransaction *self, gint64 model_id, GError **error)
{
  g_autoptr (GArray) blocks = g_array_new (FALSE, FALSE, sizeof (gint64));
  sqlite3_stmt *row = plumb_transaction_bind (
      self, error, "SELECT id FROM vector_block WHERE model_id = ?1 ORDER BY id", "l", model_id);
  int code;

  if (row == NULL)
    return NULL;
  while ((code = plumb_transaction_step (self, row, error)) == SQLITE_ROW) {
    gint64 id = sqlite3_column_int64 (row, 0);

    g_array_append_val (blocks, id);
  }
  return code == SQLITE_DONE ? g_steal_pointer (&blocks) : NULL;
}

static PlumbVectorBlock *
get_block (PlumbTransaction *self, gint64 id, guint n_dimensions, GError **error)
{
  sqlite3_stmt *row = plumb_transaction_bind (
      self, error, "SELECT " PLUMB_BLOCK_COLUMNS " FROM vector_block WHERE id = ?1", "l", id);
  PlumbVectorBlock *block;

  if (row == NULL || plumb_transaction_step (self, row, error) != SQLITE_ROW)
    return NULL;
  block = plumb_row_get_vector_block (row, n_dimensions, error);
  sqlite3_reset (row);
  return block;
}

/**
 * plumb_transaction_drop_vectors:
 * @model_id: a model
 * @n_dimensions: numbers in a vector of it
 * @ids: (element-type gint64): rows of vectors to leave out of its blocks
 *
 * Writes the model's blocks anew without @ids, in the order they had, none smaller than it must be.
 *
 * Returns: %FALSE with an error
 */
gboolean
plumb_transaction_drop_vectors (PlumbTransaction *self, gint64 model_id, guint n_dimensions,
                                GHashTable *ids, GError **error)
{
  g_autoptr (GArray) blocks = list_blocks (self, model_id, error);
  g_autoptr (PlumbVectorBlock) open = plumb_vector_block_new (n_dimensions);

  for (guint i = 0; blocks != NULL && i < blocks->len; i++) {
    gint64 id = g_array_index (blocks, gint64, i);
    g_autoptr (PlumbVectorBlock) block = get_block (self, id, n_dimensions, error);
    g_autoptr (PlumbVectorBlock) kept = plumb_vector_block_new (n_dimensions);

    if (block == NULL)
      return FALSE;
    keep_vectors (kept, block, ids);
    if (open->id == 0 || open->high->len + kept->high->len > PLUMB_VECTOR_BLOCK_BYTES) {
      if (open->id != 0 && !plumb_transaction_put_block (self, model_id, open, error))
        return FALSE;
      g_clear_pointer (&open, plumb_vector_block_free);
      open = g_steal_pointer (&kept);
      open->id = id;
    } else {
      keep_vectors (open, kept, ids);
      if (!plumb_transaction_run (self, error, "DELETE FROM vector_block WHERE id = ?1", "l", id))
        return FALSE;
    }
  }
  return blocks != NULL && (open->id == 0 || plumb_transaction_put_block (self, model_id, open, error));
}
