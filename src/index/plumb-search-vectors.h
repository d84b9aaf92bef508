/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-embedder.h"
#include "plumb-search-private.h"

G_BEGIN_DECLS

/* From this many standard deviations above the usual on a table counts as found by its vectors. */
#define PLUMB_ALIKE 1.0f

/* plumb-search-likeness.c: a question beside the vectors of tables. */
typedef struct _PlumbTableVectors PlumbTableVectors;

PlumbTableVectors *plumb_table_vectors_new     (PlumbIndex *index, GPtrArray *tables, PlumbTableVectors *before,
                                                GError **error);
PlumbTableVectors *plumb_table_vectors_ref     (PlumbTableVectors *self);
void               plumb_table_vectors_unref   (PlumbTableVectors *self);
const char        *plumb_table_vectors_get_model (const PlumbTableVectors *self);
guint              plumb_table_vectors_get_n_dimensions (const PlumbTableVectors *self);
PlumbLikeness     *plumb_likeness_new          (PlumbTableVectors *tables, const float *question);
void               plumb_likeness_free         (PlumbLikeness *self);
const char        *plumb_likeness_get_model    (const PlumbLikeness *self);
void               plumb_likeness_measure      (const PlumbLikeness *self, const PlumbTableGraph *graph,
                                                const guint8 *searched, float *tables);

/* plumb-search-vectors.c: who asks the embedder. */
typedef struct _PlumbSearchVectors PlumbSearchVectors;

PlumbSearchVectors *plumb_search_vectors_new   (PlumbIndex *index);
void                plumb_search_vectors_free  (PlumbSearchVectors *self);
void                plumb_search_vectors_set_embedder (PlumbSearchVectors *self, PlumbEmbedder *embedder,
                                                       PlumbEmbedder *previous);
void                plumb_search_vectors_set_time_limit (PlumbSearchVectors *self, guint milliseconds);
void                plumb_search_vectors_set_pause (PlumbSearchVectors *self, guint milliseconds);
guint               plumb_search_vectors_get_pause (PlumbSearchVectors *self, char **failure);
gint64              plumb_search_vectors_pause_after (guint first_ms, guint n_failures);
PlumbLikeness      *plumb_search_vectors_ask   (PlumbSearchVectors *self, GPtrArray *tables, const char *question,
                                                GCancellable *cancellable, char **warning);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlumbTableVectors, plumb_table_vectors_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlumbLikeness, plumb_likeness_free)

G_END_DECLS
