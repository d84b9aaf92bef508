/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-job.h"

G_BEGIN_DECLS

PlumbJob *plumb_embedding_job_get   (PlumbSession *session);
PlumbJob *plumb_embedding_job_start (PlumbSession *session);
gboolean  plumb_embedding_job_run   (PlumbSession *session, PlumbProgress progress, gpointer progress_data,
                                     GCancellable *cancellable, GError **error);

G_END_DECLS
