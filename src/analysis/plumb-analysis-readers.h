/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-analysis-private.h"

G_BEGIN_DECLS

/**
 * PlumbAnalysisReaders:
 *
 * Threads that read the rows of tables into their cards.
 */
typedef struct _PlumbAnalysisReaders PlumbAnalysisReaders;

PlumbAnalysisReaders *plumb_analysis_readers_new  (PlumbSource *source, GCancellable *cancellable);
void                  plumb_analysis_readers_free (PlumbAnalysisReaders *self);
void                  plumb_analysis_readers_push (PlumbAnalysisReaders *self, PlumbCard *card);
PlumbCard            *plumb_analysis_readers_pop  (PlumbAnalysisReaders *self, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlumbAnalysisReaders, plumb_analysis_readers_free)

G_END_DECLS
