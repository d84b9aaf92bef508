/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * PlumbEmbedder:
 *
 * Turns texts into vectors whose inner product says how alike they are. Search asks it without
 * knowing where the vectors come from. Every call blocks and may come from any thread.
 */
#define PLUMB_TYPE_EMBEDDER (plumb_embedder_get_type ())
G_DECLARE_INTERFACE (PlumbEmbedder, plumb_embedder, PLUMB, EMBEDDER, GObject)

struct _PlumbEmbedderInterface {
  GTypeInterface parent_iface;

  const char *(*get_model) (PlumbEmbedder *self);
  float *(*embed) (PlumbEmbedder *self, const char *const *texts, guint n_texts, guint *n_dimensions,
                   GCancellable *cancellable, GError **error);
};

const char *plumb_embedder_get_model (PlumbEmbedder *self);
float      *plumb_embedder_embed     (PlumbEmbedder *self, const char *const *texts, guint n_texts,
                                      guint *n_dimensions, GCancellable *cancellable, GError **error);

/**
 * PlumbReranker:
 *
 * Says of each text how well it answers a question: an endpoint, a model, or words alone. Every
 * call blocks and may come from any thread.
 */
#define PLUMB_TYPE_RERANKER (plumb_reranker_get_type ())
G_DECLARE_INTERFACE (PlumbReranker, plumb_reranker, PLUMB, RERANKER, GObject)

struct _PlumbRerankerInterface {
  GTypeInterface parent_iface;

  float *(*rerank) (PlumbReranker *self, const char *question, const char *const *texts, guint n_texts,
                    GCancellable *cancellable, GError **error);
};

float *plumb_reranker_rerank (PlumbReranker *self, const char *question, const char *const *texts,
                              guint n_texts, GCancellable *cancellable, GError **error);

G_END_DECLS
