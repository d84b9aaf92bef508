/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-card.h"

G_BEGIN_DECLS

/**
 * PlumbColumnItem:
 *
 * One column of a card, for a list model.
 */
#define PLUMB_TYPE_COLUMN_ITEM (plumb_column_item_get_type ())
G_DECLARE_FINAL_TYPE (PlumbColumnItem, plumb_column_item, PLUMB, COLUMN_ITEM, GObject)

PlumbColumnItem       *plumb_column_item_new        (PlumbCard *card, guint place);
const PlumbCardColumn *plumb_column_item_get_column (PlumbColumnItem *self);
const char            *plumb_column_item_get_about  (PlumbColumnItem *self);
gboolean               plumb_column_item_matches    (PlumbColumnItem *self, const char *folded);

G_END_DECLS
