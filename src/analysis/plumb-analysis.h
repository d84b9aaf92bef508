/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-index.h"
#include "plumb-records.h"
#include "plumb-source.h"

G_BEGIN_DECLS

/* Told of progress in the calling thread; @done of @total tables, -1 while the total is unknown. */
typedef void (*PlumbAnalysisProgress) (const char *doing, int done, int total, gpointer user_data);

/**
 * PlumbAnalysisOptions:
 * @changed_only: leave tables alone whose fingerprint is the same
 * @profile: read values (top values of short text columns, extremes, nulls); needs rows
 * @domain_folder: (nullable): folder with domain files (Markdown with front matter)
 */
typedef struct {
  gboolean changed_only;
  gboolean profile;
  const char *domain_folder;
} PlumbAnalysisOptions;

PlumbAnalysisReport *plumb_analysis_run         (PlumbIndex *index, PlumbSource *source,
                                                 const PlumbAnalysisOptions *options,
                                                 PlumbAnalysisProgress progress, gpointer user_data,
                                                 GCancellable *cancellable, GError **error);
GPtrArray           *plumb_analysis_make_cards  (PlumbCatalog *catalog);
GPtrArray           *plumb_analysis_infer_edges (PlumbCatalog *catalog, GPtrArray *cards);

G_END_DECLS
