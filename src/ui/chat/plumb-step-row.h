/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-step-item.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * PlumbStepRow:
 *
 * A step in the trace: what was done, in one line; opened, its arguments and its result.
 */
#define PLUMB_TYPE_STEP_ROW (plumb_step_row_get_type ())
G_DECLARE_FINAL_TYPE (PlumbStepRow, plumb_step_row, PLUMB, STEP_ROW, GtkListBoxRow)

GtkWidget     *plumb_step_row_new    (PlumbStepItem *item);
PlumbStepItem *plumb_step_row_get_item (PlumbStepRow *self);
void           plumb_step_row_toggle (PlumbStepRow *self);

G_END_DECLS
