/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-trace.h"

G_BEGIN_DECLS

/**
 * PlumbStepItem:
 *
 * One step of a turn, held for the trace. #PlumbStepItem::changed is emitted when it goes on.
 */
#define PLUMB_TYPE_STEP_ITEM (plumb_step_item_get_type ())
G_DECLARE_FINAL_TYPE (PlumbStepItem, plumb_step_item, PLUMB, STEP_ITEM, GObject)

PlumbStepItem   *plumb_step_item_new      (const PlumbStep *step);
const PlumbStep *plumb_step_item_get_step (PlumbStepItem *self);
void             plumb_step_item_set_step (PlumbStepItem *self, const PlumbStep *step);
void             plumb_step_item_set_state (PlumbStepItem *self, PlumbState state);

G_END_DECLS
