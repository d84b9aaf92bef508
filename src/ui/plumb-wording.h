/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-card.h"
#include "plumb-join-edge.h"
#include "plumb-trace.h"

G_BEGIN_DECLS

const char *plumb_wording_tool        (const char *tool);
const char *plumb_wording_tool_icon   (const char *tool);
char       *plumb_wording_step        (const PlumbStep *step);
const char *plumb_wording_status      (PlumbStatus status);
const char *plumb_wording_role        (PlumbRole role);
const char *plumb_wording_kind        (PlumbTableKind kind);
const char *plumb_wording_list        (const char *list);
const char *plumb_wording_model       (const char *model);
const char *plumb_wording_trust       (int trust);
const char *plumb_wording_cardinality (PlumbCardinality cardinality);
char       *plumb_wording_cut_by      (const char *limit);
char       *plumb_wording_elapsed     (gint64 microseconds);
char       *plumb_wording_time        (gint64 seconds);
char       *plumb_wording_count       (gint64 count);
char       *plumb_wording_rows        (gint64 rows);
char       *plumb_wording_names       (const char *const *names, guint most);

G_END_DECLS
