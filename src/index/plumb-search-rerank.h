/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-search.h"

G_BEGIN_DECLS

/**
 * PlumbSearchRerank:
 * @reranker: (nullable): what orders candidates again; %NULL for none
 * @mode: when it does
 * @timeout_ms: how long it may take
 *
 * How candidates are ordered again.
 */
typedef struct {
  PlumbReranker *reranker;
  PlumbRerankMode mode;
  guint timeout_ms;
} PlumbSearchRerank;

/* Searches once more, for another number of candidates. */
typedef PlumbCandidates *(*PlumbSearchFunc) (const PlumbSearchRequest *request, gpointer data,
                                             GCancellable *cancellable, GError **error);

gboolean plumb_search_rerank (const PlumbSearchRerank *self, const PlumbSearchRequest *request,
                              PlumbCandidates *found, PlumbSearchFunc search, gpointer data,
                              GCancellable *cancellable, GError **error);

G_END_DECLS
