/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-candidate.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * PlumbCandidateRow:
 *
 * A table in the list of what was considered: a candidate, one of its copies, or a table that may
 * not be seen, which is there by name alone.
 */
#define PLUMB_TYPE_CANDIDATE_ROW (plumb_candidate_row_get_type ())
G_DECLARE_FINAL_TYPE (PlumbCandidateRow, plumb_candidate_row, PLUMB, CANDIDATE_ROW, GtkListBoxRow)

GtkWidget  *plumb_candidate_row_new        (const PlumbCandidate *candidate);
GtkWidget  *plumb_candidate_row_new_copy   (const PlumbCard *live, const char *copy);
GtkWidget  *plumb_candidate_row_new_hidden (const char *table);
const char *plumb_candidate_row_get_table  (PlumbCandidateRow *self);
const char *plumb_candidate_row_get_mark   (PlumbCandidateRow *self);

G_END_DECLS
