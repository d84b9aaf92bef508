/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-embedder.h"
#include "plumb-model.h"

G_BEGIN_DECLS

/* plumb-rerank-endpoint.c: a rerank endpoint, as Jina, Cohere, TEI, vLLM, LiteLLM and llama.cpp speak
 * it. @key may be NULL. */
PlumbReranker *plumb_rerank_endpoint_new        (const char *base_address, const char *model, const char *key);
void           plumb_rerank_endpoint_set_limits (PlumbReranker *reranker, const PlumbModelLimits *limits);
float         *plumb_rerank_reply_read          (JsonNode *root, guint n_texts, GError **error);

/* plumb-rerank-model.c: a chat model that is asked for the order. */
PlumbReranker *plumb_rerank_model_new           (PlumbModel *model);
float         *plumb_rerank_order_read          (const char *text, guint n_texts, GError **error);

/* plumb-rerank-lexical.c: words alone, nothing is sent anywhere. */
PlumbReranker *plumb_rerank_lexical_new         (void);

G_END_DECLS
