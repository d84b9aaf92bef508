/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-candidate.h"

#include <adwaita.h>

G_BEGIN_DECLS

/**
 * PlumbCandidatePanel:
 *
 * The tables that a search gave. #PlumbCandidatePanel::table-activated is emitted with a table's
 * full name.
 */
#define PLUMB_TYPE_CANDIDATE_PANEL (plumb_candidate_panel_get_type ())
G_DECLARE_FINAL_TYPE (PlumbCandidatePanel, plumb_candidate_panel, PLUMB, CANDIDATE_PANEL, AdwBin)

GtkWidget *plumb_candidate_panel_new            (void);
void       plumb_candidate_panel_set_candidates (PlumbCandidatePanel *self,
                                                 PlumbCandidates *candidates);

G_END_DECLS
