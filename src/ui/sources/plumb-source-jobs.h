/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-job.h"

G_BEGIN_DECLS

PlumbJob *plumb_source_jobs_new_demo    (PlumbSession *session);
PlumbJob *plumb_source_jobs_new_analyze (PlumbSession *session, const char *source);

G_END_DECLS
