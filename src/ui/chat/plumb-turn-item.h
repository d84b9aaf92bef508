/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-execution.h"
#include "plumb-step-item.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * PlumbTurnItem:
 *
 * A question and all that the window knows of its way to the answer. The turn's events are fed in
 * with plumb_turn_item_take_event(); widgets follow #PlumbTurnItem::changed (question, answer,
 * state, what is being done), #PlumbTurnItem::candidates-changed, and the two list models.
 */
#define PLUMB_TYPE_TURN_ITEM (plumb_turn_item_get_type ())
G_DECLARE_FINAL_TYPE (PlumbTurnItem, plumb_turn_item, PLUMB, TURN_ITEM, GObject)

PlumbTurnItem   *plumb_turn_item_new            (const char *question);
PlumbTurnItem   *plumb_turn_item_new_from_turn  (const PlumbTurn *turn);
void             plumb_turn_item_take_event     (PlumbTurnItem *self, const PlumbEvent *event);
void             plumb_turn_item_finish         (PlumbTurnItem *self, const PlumbTurn *turn,
                                                 const GError *error);

const char      *plumb_turn_item_get_question   (PlumbTurnItem *self);
const char      *plumb_turn_item_get_answer     (PlumbTurnItem *self);
GPtrArray       *plumb_turn_item_get_numbers    (PlumbTurnItem *self);
const char      *plumb_turn_item_get_error      (PlumbTurnItem *self);
const char      *plumb_turn_item_get_model      (PlumbTurnItem *self);
PlumbState       plumb_turn_item_get_state      (PlumbTurnItem *self);
gint64           plumb_turn_item_get_elapsed    (PlumbTurnItem *self);
char            *plumb_turn_item_get_doing      (PlumbTurnItem *self);
GListModel      *plumb_turn_item_get_steps      (PlumbTurnItem *self);
GListModel      *plumb_turn_item_get_executions (PlumbTurnItem *self);
PlumbCandidates *plumb_turn_item_get_candidates (PlumbTurnItem *self);
GStrv            plumb_turn_item_get_tables     (PlumbTurnItem *self);

G_END_DECLS
