/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-card.h"

#include <adwaita.h>

G_BEGIN_DECLS

/**
 * PlumbColumnTable:
 *
 * The columns of a card, with a filter, and all that is known of the selected one.
 */
#define PLUMB_TYPE_COLUMN_TABLE (plumb_column_table_get_type ())
G_DECLARE_FINAL_TYPE (PlumbColumnTable, plumb_column_table, PLUMB, COLUMN_TABLE, AdwBin)

void plumb_column_table_set_card (PlumbColumnTable *self, PlumbCard *card);

G_END_DECLS
