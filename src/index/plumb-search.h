/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-embedder.h"
#include "plumb-index.h"

G_BEGIN_DECLS

/* What a person may see of a table or database. */
typedef enum {
  PLUMB_VISIBLE,
  PLUMB_VISIBLE_BY_NAME,
  PLUMB_HIDDEN,
} PlumbVisibility;

/* How like the question tables are by their vectors; plumb_search_run() makes it. */
typedef struct _PlumbLikeness PlumbLikeness;

/**
 * PlumbSearchRequest:
 * @question: the question
 * @databases: (nullable): search these alone, all of them
 * @limit: candidates wanted
 * @visibility: (nullable): says for a table what may be seen of it: PLUMB_VISIBLE, by name alone
 *   (outside the access role, goes to no_permission), or not at all (the account can't select it)
 * @show: (nullable): gives a card as the person may see it, %NULL for not at all. What is hidden by either isn't
 *   searched, so that it tells on nothing that is shown
 * @visibility_data: passed to @visibility and @show; the three are taken to say the same as long as they are the same
 * @plain: reciprocal rank fusion with k = 60, the baseline to measure against
 * @likeness: (nullable): left %NULL by who calls plumb_search_run()
 */
typedef struct {
  const char *question;
  const char *const *databases;
  guint limit;
  PlumbVisibility (*visibility) (const char *database, const char *schema, const char *table, gpointer data);
  PlumbCard *(*show) (PlumbCard *card, gpointer data);
  gpointer visibility_data;
  gboolean plain;
  const PlumbLikeness *likeness;
} PlumbSearchRequest;

/* When candidates are ordered again: never, where notes hit, always. */
typedef enum {
  PLUMB_RERANK_OFF,
  PLUMB_RERANK_NOTES,
  PLUMB_RERANK_ALWAYS,
} PlumbRerankMode;

/**
 * PlumbSearch:
 *
 * Table search over one index, DESIGN section 5. What it derives from the cards is kept in a file beside
 * the index, "-search" behind its name, which is mapped, made anew when the cards have changed, and may be
 * deleted at any time. Safe from any thread.
 */
#define PLUMB_TYPE_SEARCH (plumb_search_get_type ())
G_DECLARE_FINAL_TYPE (PlumbSearch, plumb_search, PLUMB, SEARCH, GObject)

PlumbSearch     *plumb_search_new        (PlumbIndex *index);
gboolean         plumb_search_prepare    (PlumbSearch *self, GError **error);
void             plumb_search_set_embedder (PlumbSearch *self, PlumbEmbedder *embedder, PlumbEmbedder *previous);
void             plumb_search_set_reranker (PlumbSearch *self, PlumbReranker *reranker, PlumbRerankMode mode,
                                            guint timeout_ms);
void             plumb_search_set_embedding_time_limit (PlumbSearch *self, guint milliseconds);
void             plumb_search_set_embedding_pause (PlumbSearch *self, guint milliseconds);
guint            plumb_search_get_embedding_pause (PlumbSearch *self, char **failure);
PlumbCandidates *plumb_search_run        (PlumbSearch *self, const PlumbSearchRequest *request,
                                          GCancellable *cancellable, GError **error);
GPtrArray       *plumb_search_rank_databases (PlumbSearch *self, const PlumbSearchRequest *request, GError **error);

G_END_DECLS
