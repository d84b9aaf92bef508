/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-index.h"

G_BEGIN_DECLS

/* The most bytes of a chunk's text: about 1,500 tokens of an embedding model. */
#define PLUMB_CHUNK_MAX_BYTES 6000

/* The most numbers of a vector. */
#define PLUMB_VECTOR_MAX_DIMENSIONS 16384

/**
 * PlumbChunk:
 * @hash: SHA-256 of @text in hexadecimal
 * @text: what is embedded, at most PLUMB_CHUNK_MAX_BYTES bytes
 *
 * A piece of a card that gets a vector of its own. Two cards may have a chunk of the same text; it
 * is embedded once.
 */
typedef struct {
  char *hash;
  char *text;
} PlumbChunk;

/* plumb-chunks.c */
void       plumb_chunk_free           (PlumbChunk *self);
GPtrArray *plumb_chunk_list_from_card (PlumbCard *card);

/**
 * PlumbEmbeddingState:
 * @serving_model: (nullable): the model whose vectors search uses; %NULL while there is none
 * @n_dimensions: numbers in its vectors, 0 while there is none
 * @n_chunks: different chunks of all cards whose tables are there
 * @n_serving: how many of them have a vector of the serving model
 * @n_wished: how many of them have a vector of the wished model
 *
 * How far embedding has come.
 */
typedef struct {
  char *serving_model;
  guint n_dimensions;
  guint n_chunks;
  guint n_serving;
  guint n_wished;
} PlumbEmbeddingState;

void       plumb_embedding_state_free (PlumbEmbeddingState *self);

/* plumb-index-vectors.c. A job that embeds asks for what is missing, embeds and stores it batch by
 * batch, in any order and from several threads, and at last calls plumb_index_finish_embedding().
 * Whatever was stored before it was interrupted isn't asked for again. */
GPtrArray *plumb_index_list_unembedded (PlumbIndex *self, const char *model, guint limit, GError **error);
gboolean   plumb_index_store_vectors   (PlumbIndex *self, const char *model, guint n_dimensions,
                                        const char *const *hashes, const float *vectors, guint n_vectors,
                                        GError **error);
gboolean   plumb_index_finish_embedding (PlumbIndex *self, const char *model, gboolean *complete, GError **error);
gboolean   plumb_index_serve_vectors   (PlumbIndex *self, const char *model, GError **error);
gboolean   plumb_index_remove_vectors  (PlumbIndex *self, GError **error);
PlumbEmbeddingState *plumb_index_get_embedding_state (PlumbIndex *self, const char *model, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlumbChunk, plumb_chunk_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlumbEmbeddingState, plumb_embedding_state_free)

G_END_DECLS
