/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-embedder.h"

G_DEFINE_INTERFACE (PlumbEmbedder, plumb_embedder, G_TYPE_OBJECT)
G_DEFINE_INTERFACE (PlumbReranker, plumb_reranker, G_TYPE_OBJECT)

static void
plumb_embedder_default_init (PlumbEmbedderInterface *iface)
{
}

static void
plumb_reranker_default_init (PlumbRerankerInterface *iface)
{
}

/**
 * plumb_embedder_get_model:
 *
 * Vectors of different models can't be compared; the name is stored with them.
 *
 * Returns: (transfer none): the model's name
 */
const char *
plumb_embedder_get_model (PlumbEmbedder *self)
{
  return PLUMB_EMBEDDER_GET_IFACE (self)->get_model (self);
}

/**
 * plumb_embedder_embed:
 * @texts: (array length=n_texts): texts in UTF-8
 * @n_texts: how many, at least one
 * @n_dimensions: (out): numbers in a vector, the same for all
 * @cancellable: (nullable): a cancellable
 * @error: return location
 *
 * The vectors stand one after the other in the order of the texts, each of length one and of finite
 * numbers alone; an endpoint that sends something else is an error.
 *
 * Returns: (transfer full): @n_texts times @n_dimensions numbers to be freed with g_free(), or %NULL
 *   with an error
 */
float *
plumb_embedder_embed (PlumbEmbedder *self, const char *const *texts, guint n_texts,
                      guint *n_dimensions, GCancellable *cancellable, GError **error)
{
  return PLUMB_EMBEDDER_GET_IFACE (self)->embed (self, texts, n_texts, n_dimensions, cancellable,
                                                 error);
}

/**
 * plumb_reranker_rerank:
 * @question: the question
 * @texts: (array length=n_texts): what may answer it
 * @n_texts: how many, at least one
 * @cancellable: (nullable): a cancellable
 * @error: return location
 *
 * Returns: (transfer full): a score for each text, higher is better, to be freed with g_free(), or
 *   %NULL with an error; the order of before stands then
 */
float *
plumb_reranker_rerank (PlumbReranker *self, const char *question, const char *const *texts,
                       guint n_texts, GCancellable *cancellable, GError **error)
{
  return PLUMB_RERANKER_GET_IFACE (self)->rerank (self, question, texts, n_texts, cancellable, error);
}
