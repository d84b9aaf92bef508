/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-vectors-private.h"

#include <math.h>
#include <string.h>

/* Cards whose chunks are made in one transaction, so that other writers get their turn. */
#define CARDS_A_TRANSACTION 500

#define HASH_BYTES 32

/* A model's row. */
typedef struct {
  gint64 id;
  guint n_dimensions;
} Model;

/** plumb_embedding_state_free: frees @self */
void
plumb_embedding_state_free (PlumbEmbeddingState *self)
{
  if (self == NULL)
    return;
  g_free (self->serving_model);
  g_free (self);
}

/* The bytes that 64 hexadecimal digits stand for. */
static gboolean
read_hash (const char *text, guint8 *hash, GError **error)
{
  gboolean valid = strlen (text) == 2 * HASH_BYTES;

  for (guint i = 0; valid && i < HASH_BYTES; i++) {
    valid = g_ascii_isxdigit (text[2 * i]) && g_ascii_isxdigit (text[2 * i + 1]);
    hash[i] = (guint8) (g_ascii_xdigit_value (text[2 * i]) * 16 + g_ascii_xdigit_value (text[2 * i + 1]));
  }
  if (!valid)
    g_set_error (error, PLUMB_ERROR, PLUMB_ERROR_INVALID_ARGUMENT,
                 "“%s” is no hash of a chunk. Take those that plumb_index_list_unembedded() gives.", text);
  return valid;
}

static gboolean
put_chunks (PlumbTransaction *write, gint64 card_id, PlumbCard *card, GError **error)
{
  g_autoptr (GPtrArray) chunks = plumb_chunk_list_from_card (card);

  for (guint i = 0; i < chunks->len; i++) {
    PlumbChunk *chunk = g_ptr_array_index (chunks, i);
    guint8 hash[HASH_BYTES];

    if (!read_hash (chunk->hash, hash, error) ||
        !plumb_transaction_run (write, error, "INSERT INTO chunk VALUES (?1, ?2, ?3)", "lib", card_id,
                                (int) i, hash, HASH_BYTES))
      return FALSE;
  }
  return TRUE;
}

/* Numbers of some of the cards that have changed since their chunks were made. */
static GArray *
list_stale_cards (PlumbTransaction *self, GError **error)
{
  g_autoptr (GArray) cards = g_array_new (FALSE, FALSE, sizeof (gint64));
  sqlite3_stmt *row = plumb_transaction_bind (
      self, error, "SELECT id FROM card WHERE chunks <> generation ORDER BY id LIMIT ?1", "i",
      CARDS_A_TRANSACTION);
  int code;

  if (row == NULL)
    return NULL;
  while ((code = plumb_transaction_step (self, row, error)) == SQLITE_ROW) {
    gint64 id = sqlite3_column_int64 (row, 0);

    g_array_append_val (cards, id);
  }
  return code == SQLITE_DONE ? g_steal_pointer (&cards) : NULL;
}

static PlumbCard *
get_card (PlumbTransaction *self, gint64 id, GError **error)
{
  sqlite3_stmt *row = plumb_transaction_bind (
      self, error, "SELECT " PLUMB_CARD_COLUMNS " FROM " PLUMB_CARD_TABLES " WHERE id = ?1", "l", id);
  int code = row != NULL ? plumb_transaction_step (self, row, error) : SQLITE_ERROR;
  PlumbCard *card = NULL;

  if (code == SQLITE_DONE)
    g_set_error (error, PLUMB_INDEX_ERROR, PLUMB_INDEX_ERROR_DAMAGED,
                 "The index holds a table of which nothing is kept. Analyze its source again.");
  if (code == SQLITE_ROW) {
    card = plumb_row_get_card (row, error);
    sqlite3_reset (row);
  }
  return card;
}

static gboolean
refresh_card (PlumbTransaction *write, gint64 id, GError **error)
{
  g_autoptr (PlumbCard) card = get_card (write, id, error);

  return card != NULL &&
         plumb_transaction_run (write, error, "DELETE FROM chunk WHERE card_id = ?1", "l", id) &&
         (card->gone || put_chunks (write, id, card, error)) &&
         plumb_transaction_run (write, error, "UPDATE card SET chunks = generation WHERE id = ?1", "l", id);
}

/* Makes the chunks of cards that have changed. Nothing is written where there are none. */
static gboolean
refresh_chunks (PlumbIndex *self, GError **error)
{
  g_autoptr (GArray) stale = NULL;

  do {
    g_autoptr (PlumbTransaction) read = plumb_index_begin_read (self, error);
    g_autoptr (PlumbTransaction) write = NULL;

    g_clear_pointer (&stale, g_array_unref);
    stale = read != NULL ? list_stale_cards (read, error) : NULL;
    g_clear_pointer (&read, plumb_transaction_free);
    if (stale == NULL || stale->len == 0)
      break;
    write = plumb_index_begin_write (self, PLUMB_WRITE_DERIVED, error);
    g_clear_pointer (&stale, g_array_unref);
    stale = write != NULL ? list_stale_cards (write, error) : NULL;
    for (guint i = 0; stale != NULL && i < stale->len; i++) {
      if (!refresh_card (write, g_array_index (stale, gint64, i), error))
        return FALSE;
    }
    if (stale == NULL ||
        !plumb_transaction_run (write, error, "UPDATE vector_model SET mapping = mapping + 1", "") ||
        !plumb_transaction_commit (write, error))
      return FALSE;
  } while (stale->len > 0);
  return stale != NULL;
}

/* The row of @name; its number is 0 where there is none. */
static gboolean
find_model (PlumbTransaction *self, const char *name, Model *model, GError **error)
{
  sqlite3_stmt *row = plumb_transaction_bind (
      self, error, "SELECT id, n_dimensions FROM vector_model WHERE name = ?1", "s", name);
  int code = row != NULL ? plumb_transaction_step (self, row, error) : SQLITE_ERROR;

  *model = (Model) { 0 };
  if (code == SQLITE_ROW) {
    model->id = sqlite3_column_int64 (row, 0);
    model->n_dimensions = sqlite3_column_int (row, 1);
    sqlite3_reset (row);
  }
  return code == SQLITE_ROW || code == SQLITE_DONE;
}

/* Adds the chunks of a card that are still missing, until there are @limit. */
static gboolean
add_missing (PlumbTransaction *read, gint64 card_id, GHashTable *missing, GHashTable *seen, guint limit,
             GPtrArray *list, GError **error)
{
  g_autoptr (PlumbCard) card = get_card (read, card_id, error);
  g_autoptr (GPtrArray) chunks = card != NULL ? plumb_chunk_list_from_card (card) : NULL;

  for (guint i = 0; chunks != NULL && i < chunks->len && list->len < limit; i++) {
    PlumbChunk *chunk = g_ptr_array_index (chunks, i);

    if (!g_hash_table_contains (missing, GUINT_TO_POINTER (i)) || g_hash_table_contains (seen, chunk->hash))
      continue;
    g_hash_table_add (seen, g_strdup (chunk->hash));
    g_ptr_array_add (list, g_steal_pointer (&g_ptr_array_index (chunks, i)));
  }
  g_hash_table_remove_all (missing);
  return chunks != NULL;
}

/* Chunks are read with their cards: a hash says nothing of the text. */
static GPtrArray *
list_missing (PlumbTransaction *read, gint64 model_id, guint limit, GError **error)
{
  g_autoptr (GPtrArray) list = g_ptr_array_new_with_free_func ((GDestroyNotify) plumb_chunk_free);
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) missing = g_hash_table_new (NULL, NULL);
  gint64 card_id = 0;
  int code;
  sqlite3_stmt *row = plumb_transaction_bind (
      read, error,
      "SELECT card_id, position FROM chunk JOIN card ON card.id = card_id"
      " WHERE gone = 0 AND chunks = generation AND NOT EXISTS"
      " (SELECT 1 FROM vector WHERE model_id = ?1 AND vector.hash = chunk.hash)"
      " ORDER BY card_id, position", "l", model_id);

  if (row == NULL)
    return NULL;
  while ((code = plumb_transaction_step (read, row, error)) == SQLITE_ROW && list->len < limit) {
    gint64 next = sqlite3_column_int64 (row, 0);
    int position = sqlite3_column_int (row, 1);

    if (next != card_id && card_id != 0 && !add_missing (read, card_id, missing, seen, limit, list, error))
      return NULL;
    card_id = next;
    g_hash_table_add (missing, GINT_TO_POINTER (position));
  }
  if (code == SQLITE_DONE && card_id != 0 && list->len < limit &&
      !add_missing (read, card_id, missing, seen, limit, list, error))
    return NULL;
  return code == SQLITE_DONE || code == SQLITE_ROW ? g_steal_pointer (&list) : NULL;
}

/**
 * plumb_index_list_unembedded:
 * @self: an index
 * @model: a model's name
 * @limit: the most chunks wanted
 * @error: return location
 *
 * Lists chunks of tables that are there and that have no vector of @model, each hash once. The order
 * is the same in each call, so what can't be embedded comes first again.
 *
 * Returns: (transfer full) (element-type PlumbChunk): the chunks, none when all are embedded; %NULL
 *   with an error
 */
GPtrArray *
plumb_index_list_unembedded (PlumbIndex *self, const char *model, guint limit, GError **error)
{
  g_autoptr (PlumbTransaction) read = NULL;
  Model found;

  if (!refresh_chunks (self, error))
    return NULL;
  read = plumb_index_begin_read (self, error);
  if (read == NULL || !find_model (read, model, &found, error))
    return NULL;
  return list_missing (read, found.id, limit, error);
}

static gboolean
check_vectors (const char *model, guint n_dimensions, const float *vectors, guint n_vectors, GError **error)
{
  if (n_dimensions == 0 || n_dimensions > PLUMB_VECTOR_MAX_DIMENSIONS) {
    g_set_error (error, PLUMB_ERROR, PLUMB_ERROR_INVALID_ARGUMENT,
                 "The embedding model “%s” gave vectors of %u numbers; from 1 to %d can be kept. Choose "
                 "another model.", model, n_dimensions, PLUMB_VECTOR_MAX_DIMENSIONS);
    return FALSE;
  }
  for (gsize i = 0; i < (gsize) n_vectors * n_dimensions; i++) {
    if (!isfinite (vectors[i])) {
      g_set_error (error, PLUMB_ERROR, PLUMB_ERROR_INVALID_ARGUMENT,
                   "The embedding model “%s” gave a vector with a number that is none. Check the "
                   "embedding server.", model);
      return FALSE;
    }
  }
  return TRUE;
}

/* The row of @name, made where there is none. */
static gboolean
take_model (PlumbTransaction *write, const char *name, guint n_dimensions, Model *model, GError **error)
{
  if (!find_model (write, name, model, error))
    return FALSE;
  if (model->id == 0) {
    if (!plumb_transaction_run (write, error,
                                "INSERT INTO vector_model (name, n_dimensions, serves, epoch, mapping,"
                                " n_vectors) VALUES (?1, ?2, 0, 0, 0, 0)", "si", name, (int) n_dimensions))
      return FALSE;
    *model = (Model) { plumb_transaction_get_inserted (write), n_dimensions };
  }
  if (model->n_dimensions == n_dimensions)
    return TRUE;
  g_set_error (error, PLUMB_ERROR, PLUMB_ERROR_INVALID_ARGUMENT,
               "The embedding model “%s” gave vectors of %u numbers, but its vectors in the index have %u. "
               "Another model answers under this name: remove the vectors and embed again.",
               name, n_dimensions, model->n_dimensions);
  return FALSE;
}

/* Stores one vector, unless its chunk has one of this model already. */
static gboolean
put_vector (PlumbTransaction *write, const Model *model, const char *hash_text, const float *vector,
            PlumbVectorBlock **block, guint *n_added, GError **error)
{
  g_autofree gint8 *high = g_new (gint8, model->n_dimensions);
  g_autofree gint8 *low = g_new (gint8, model->n_dimensions);
  float scale = plumb_vector_split (vector, model->n_dimensions, high, low);
  guint8 hash[HASH_BYTES];

  if (!read_hash (hash_text, hash, error) ||
      !plumb_transaction_run (write, error,
                              "INSERT INTO vector (model_id, hash, low) VALUES (?1, ?2, ?3)"
                              " ON CONFLICT DO NOTHING", "lbb", model->id, hash, HASH_BYTES, low,
                              (int) model->n_dimensions))
    return FALSE;
  if (plumb_transaction_get_changed (write) == 0)
    return TRUE;
  if (plumb_vector_block_is_full (*block)) {
    if (!plumb_transaction_put_block (write, model->id, *block, error))
      return FALSE;
    plumb_vector_block_free (*block);
    *block = plumb_vector_block_new (model->n_dimensions);
  }
  plumb_vector_block_add (*block, plumb_transaction_get_inserted (write), scale, high);
  (*n_added)++;
  return TRUE;
}

/**
 * plumb_index_store_vectors:
 * @self: an index
 * @model: the model that made the vectors
 * @n_dimensions: numbers in a vector
 * @hashes: (array length=n_vectors): for each vector the hash of its chunk
 * @vectors: (array length=n_vectors): the vectors one after another, each of length one
 * @n_vectors: how many
 * @error: return location
 *
 * Stores a batch in one transaction. A chunk that has a vector of @model keeps the one it has.
 *
 * Returns: whether all are stored; otherwise none is. PLUMB_ERROR_INVALID_ARGUMENT where a number
 *   isn't finite, or the model's other vectors have another dimension
 */
gboolean
plumb_index_store_vectors (PlumbIndex *self, const char *model, guint n_dimensions,
                           const char *const *hashes, const float *vectors, guint n_vectors, GError **error)
{
  g_autoptr (PlumbTransaction) write = NULL;
  g_autoptr (PlumbVectorBlock) block = NULL;
  guint n_added = 0;
  Model row;

  if (!check_vectors (model, n_dimensions, vectors, n_vectors, error))
    return FALSE;
  write = plumb_index_begin_write (self, PLUMB_WRITE_DERIVED, error);
  if (write == NULL || !take_model (write, model, n_dimensions, &row, error))
    return FALSE;
  block = plumb_transaction_get_last_block (write, row.id, n_dimensions, error);
  for (guint i = 0; block != NULL && i < n_vectors; i++) {
    if (!put_vector (write, &row, hashes[i], vectors + (gsize) i * n_dimensions, &block, &n_added, error))
      return FALSE;
  }
  return block != NULL &&
         (n_added == 0 || plumb_transaction_put_block (write, row.id, block, error)) &&
         plumb_transaction_run (write, error, "UPDATE vector_model SET n_vectors = n_vectors + ?2"
                                " WHERE id = ?1", "li", row.id, (int) n_added) &&
         plumb_transaction_commit (write, error);
}

/* How many different chunks of tables that are there have a vector of @model_id; with 0, how many
 * there are. Cards whose chunks are not made yet count by those they had. */
static gboolean
count_chunks (PlumbTransaction *self, gint64 model_id, guint *count, GError **error)
{
  sqlite3_stmt *row = plumb_transaction_bind (
      self, error,
      "SELECT count(DISTINCT hash) FROM chunk JOIN card ON card.id = card_id"
      " WHERE gone = 0 AND (?1 = 0 OR EXISTS"
      " (SELECT 1 FROM vector WHERE model_id = ?1 AND vector.hash = chunk.hash))", "l", model_id);

  if (row == NULL || plumb_transaction_step (self, row, error) != SQLITE_ROW)
    return FALSE;
  *count = sqlite3_column_int (row, 0);
  sqlite3_reset (row);
  return TRUE;
}

/* Whether each chunk has a vector, and no card has changed since its chunks were made. */
static gboolean
is_complete (PlumbTransaction *self, gint64 model_id, gboolean *complete, GError **error)
{
  sqlite3_stmt *row = plumb_transaction_bind (
      self, error,
      "SELECT NOT EXISTS (SELECT 1 FROM card WHERE chunks <> generation)"
      " AND NOT EXISTS (SELECT 1 FROM chunk JOIN card ON card.id = card_id WHERE gone = 0"
      " AND NOT EXISTS (SELECT 1 FROM vector WHERE model_id = ?1 AND vector.hash = chunk.hash))",
      "l", model_id);

  if (row == NULL || plumb_transaction_step (self, row, error) != SQLITE_ROW)
    return FALSE;
  *complete = sqlite3_column_int (row, 0);
  sqlite3_reset (row);
  return TRUE;
}

/* Removes vectors whose chunk no card has any more. */
static gboolean
drop_orphans (PlumbTransaction *write, const Model *model, GError **error)
{
  g_autoptr (GHashTable) ids = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  sqlite3_stmt *row = plumb_transaction_bind (
      write, error,
      "DELETE FROM vector WHERE model_id = ?1"
      " AND NOT EXISTS (SELECT 1 FROM chunk WHERE chunk.hash = vector.hash) RETURNING id", "l", model->id);
  int code;

  if (row == NULL)
    return FALSE;
  while ((code = plumb_transaction_step (write, row, error)) == SQLITE_ROW) {
    gint64 id = sqlite3_column_int64 (row, 0);

    g_hash_table_add (ids, g_memdup2 (&id, sizeof id));
  }
  if (code != SQLITE_DONE)
    return FALSE;
  return g_hash_table_size (ids) == 0 ||
         (plumb_transaction_drop_vectors (write, model->id, model->n_dimensions, ids, error) &&
          plumb_transaction_run (write, error, "UPDATE vector_model SET epoch = epoch + 1,"
                                 " n_vectors = n_vectors - ?2 WHERE id = ?1", "li", model->id,
                                 (int) g_hash_table_size (ids)));
}

/**
 * plumb_index_finish_embedding:
 * @self: an index
 * @model: the model that was embedded with
 * @complete: (out) (optional): whether nothing is missing
 * @error: return location
 *
 * Ends a job, in one transaction. Where each chunk has a vector of @model, that model serves from
 * now on, and vectors of others, and of chunks that are no longer there, are removed. Where
 * something is missing, because a card changed meanwhile or a chunk couldn't be embedded, nothing
 * changes: a model that serves goes on serving.
 *
 * Returns: %FALSE with an error
 */
gboolean
plumb_index_finish_embedding (PlumbIndex *self, const char *model, gboolean *complete, GError **error)
{
  g_autoptr (PlumbTransaction) write = NULL;
  gboolean all;
  Model row;

  if (!refresh_chunks (self, error))
    return FALSE;
  write = plumb_index_begin_write (self, PLUMB_WRITE_DERIVED, error);
  if (write == NULL || !find_model (write, model, &row, error) || !is_complete (write, row.id, &all, error))
    return FALSE;
  if (complete != NULL)
    *complete = all;
  if (!all || row.id == 0)
    return TRUE;
  return plumb_transaction_run (write, error, "UPDATE vector_model SET serves = 1"
                                " WHERE id = ?1 AND serves = 0", "l", row.id) &&
         plumb_transaction_run (write, error, "DELETE FROM vector_model WHERE id <> ?1", "l", row.id) &&
         drop_orphans (write, &row, error) && plumb_transaction_commit (write, error);
}

/**
 * plumb_index_remove_vectors:
 * @self: an index
 * @error: return location
 *
 * Removes the vectors of all models. Search goes on without them.
 *
 * Returns: %FALSE with an error
 */
gboolean
plumb_index_remove_vectors (PlumbIndex *self, GError **error)
{
  g_autoptr (PlumbTransaction) write = plumb_index_begin_write (self, PLUMB_WRITE_DERIVED, error);

  return write != NULL && plumb_transaction_run (write, error, "DELETE FROM vector_model", "") &&
         plumb_transaction_commit (write, error);
}

/**
 * plumb_index_get_embedding_state:
 * @self: an index
 * @model: (nullable): the wished model
 * @error: return location
 *
 * Returns: (transfer full): how far embedding has come, or %NULL with an error
 */
PlumbEmbeddingState *
plumb_index_get_embedding_state (PlumbIndex *self, const char *model, GError **error)
{
  g_autoptr (PlumbEmbeddingState) state = g_new0 (PlumbEmbeddingState, 1);
  g_autoptr (PlumbTransaction) read = NULL;
  Model serving = { 0 }, wished = { 0 };
  sqlite3_stmt *row;
  int code;

  if (!refresh_chunks (self, error))
    return NULL;
  read = plumb_index_begin_read (self, error);
  if (read == NULL || (model != NULL && !find_model (read, model, &wished, error)))
    return NULL;
  row = plumb_transaction_bind (read, error, "SELECT id, n_dimensions, name FROM vector_model WHERE serves", "");
  code = row != NULL ? plumb_transaction_step (read, row, error) : SQLITE_ERROR;
  if (code == SQLITE_ROW) {
    serving.id = sqlite3_column_int64 (row, 0);
    state->n_dimensions = sqlite3_column_int (row, 1);
    state->serving_model = plumb_row_get_string (row, 2);
  } else if (code != SQLITE_DONE) {
    return NULL;
  }
  if (!count_chunks (read, 0, &state->n_chunks, error) ||
      (serving.id != 0 && !count_chunks (read, serving.id, &state->n_serving, error)) ||
      (wished.id != 0 && !count_chunks (read, wished.id, &state->n_wished, error)))
    return NULL;
  return g_steal_pointer (&state);
}
