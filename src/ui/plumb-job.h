/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-session.h"

G_BEGIN_DECLS

/**
 * PlumbJob:
 *
 * A long piece of work with progress and a cancel. #PlumbJob::progress is emitted on the main
 * context with what is being done, how much of it is done, and of how much (0: unknown);
 * #PlumbJob::finished once, with the error or %NULL.
 */
#define PLUMB_TYPE_JOB (plumb_job_get_type ())
G_DECLARE_FINAL_TYPE (PlumbJob, plumb_job, PLUMB, JOB, GObject)

/* Runs in the thread; tells its progress through @progress. */
typedef gboolean (*PlumbJobFunc) (PlumbSession *session, const char *name, PlumbProgress progress,
                                  gpointer progress_data, GCancellable *cancellable,
                                  GError **error);

PlumbJob *plumb_job_new    (PlumbSession *session, PlumbJobFunc func, const char *name);
void      plumb_job_start  (PlumbJob *self);
void      plumb_job_cancel (PlumbJob *self);

G_END_DECLS
