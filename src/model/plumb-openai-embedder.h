/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-embedder.h"
#include "plumb-model.h"

G_BEGIN_DECLS

/**
 * PlumbOpenaiEmbedder:
 *
 * The models behind an OpenAI-compatible `/v1/embeddings`: LiteLLM, Ollama, llama.cpp, TEI, vLLM and
 * whatever else speaks it.
 */
#define PLUMB_TYPE_OPENAI_EMBEDDER (plumb_openai_embedder_get_type ())
G_DECLARE_FINAL_TYPE (PlumbOpenaiEmbedder, plumb_openai_embedder, PLUMB, OPENAI_EMBEDDER, GObject)

/**
 * PlumbEmbedPurpose:
 * @PLUMB_EMBED_TEXTS: many texts that are kept: minutes are all right
 * @PLUMB_EMBED_QUESTION: a question that somebody waits for: three seconds, no second try
 */
typedef enum {
  PLUMB_EMBED_TEXTS,
  PLUMB_EMBED_QUESTION,
} PlumbEmbedPurpose;

/**
 * PlumbEmbedBatches:
 * @texts: the most texts of a request
 * @bytes: the most bytes of them together
 * @parallel: requests at a time
 */
typedef struct {
  guint texts;
  gsize bytes;
  guint parallel;
} PlumbEmbedBatches;

#define PLUMB_EMBED_BATCHES_DEFAULT ((PlumbEmbedBatches) { 32, 48 * 1024, 4 })

PlumbOpenaiEmbedder *plumb_openai_embedder_new         (const char *base_address, const char *model, const char *key,
                                                        PlumbEmbedPurpose purpose);
void                 plumb_openai_embedder_set_limits  (PlumbOpenaiEmbedder *self, const PlumbModelLimits *limits);
void                 plumb_openai_embedder_set_batches (PlumbOpenaiEmbedder *self, const PlumbEmbedBatches *batches);
float               *plumb_openai_embedder_embed_each  (PlumbOpenaiEmbedder *self, const char *const *texts, guint n_texts,
                                                        guint *n_dimensions, GError **faults,
                                                        GCancellable *cancellable, GError **error);

/* plumb-embedding-reply.c: what /embeddings answers. */
float *plumb_embedding_reply_read (JsonNode *root, guint n_texts, guint *n_dimensions, GError **error);

G_END_DECLS
