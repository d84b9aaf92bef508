/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-turn-item.h"

#include <adwaita.h>

G_BEGIN_DECLS

/**
 * PlumbTurnRow:
 *
 * A question in the chat, with its trace and its answer. Signals: #PlumbTurnRow::show-page with a
 * page of the panel and the place of a statement, and #PlumbTurnRow::retry.
 */
#define PLUMB_TYPE_TURN_ROW (plumb_turn_row_get_type ())
G_DECLARE_FINAL_TYPE (PlumbTurnRow, plumb_turn_row, PLUMB, TURN_ROW, AdwBin)

GtkWidget     *plumb_turn_row_new        (PlumbTurnItem *item);
PlumbTurnItem *plumb_turn_row_get_item   (PlumbTurnRow *self);
void           plumb_turn_row_open_trace (PlumbTurnRow *self);

G_END_DECLS
