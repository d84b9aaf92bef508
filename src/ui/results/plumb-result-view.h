/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-execution.h"

#include <adwaita.h>

G_BEGIN_DECLS

/**
 * PlumbResultView:
 *
 * The statements of a turn, one at a time: its SQL, where it ran, how long it took, its rows.
 */
#define PLUMB_TYPE_RESULT_VIEW (plumb_result_view_get_type ())
G_DECLARE_FINAL_TYPE (PlumbResultView, plumb_result_view, PLUMB, RESULT_VIEW, AdwBin)

GtkWidget      *plumb_result_view_new            (void);
void            plumb_result_view_set_executions (PlumbResultView *self, GListModel *executions);
void            plumb_result_view_select         (PlumbResultView *self, guint place);
PlumbExecution *plumb_result_view_get_execution  (PlumbResultView *self);

G_END_DECLS
