/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-candidate.h"

G_BEGIN_DECLS

/**
 * PlumbTrial:
 *
 * Tables of schema files, analysed in memory to measure search on them: the same cards and the same
 * search as over an index, without an index file and without rows. Filled by one thread, then
 * searched.
 */
typedef struct _PlumbTrial PlumbTrial;

/* What a trial is made from beside its schema files. */
typedef struct {
  gboolean with_texts;   /* labels, comments and samples too, which a bare schema doesn't have */
  gboolean plain;        /* the baseline: ranked lists fused by reciprocal rank */
} PlumbTrialOptions;

PlumbTrial      *plumb_trial_new          (const PlumbTrialOptions *options);
void             plumb_trial_free         (PlumbTrial *self);
gboolean         plumb_trial_leave_out    (PlumbTrial *self, const char *part, GError **error);
gboolean         plumb_trial_add_catalogs (PlumbTrial *self, const char *path, GCancellable *cancellable, GError **error);
gboolean         plumb_trial_add_copy     (PlumbTrial *self, const char *database, const char *live_table, const char *copy_table,
                                           const char *columns, double row_fraction);
void             plumb_trial_add_answered (PlumbTrial *self, const char *question, const char *database, const char *const *tables);
gboolean         plumb_trial_add_domains  (PlumbTrial *self, const char *folder, GError **error);
void             plumb_trial_prepare      (PlumbTrial *self);
guint            plumb_trial_get_n_tables (PlumbTrial *self);
gboolean         plumb_trial_has_database (PlumbTrial *self, const char *database);
PlumbCandidates *plumb_trial_search       (PlumbTrial *self, const char *question, const char *const *databases, guint limit,
                                           GCancellable *cancellable, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlumbTrial, plumb_trial_free)

G_END_DECLS
