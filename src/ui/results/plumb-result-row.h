/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-result.h"

G_BEGIN_DECLS

/**
 * PlumbResultRow:
 *
 * One row of a result, by its place.
 */
#define PLUMB_TYPE_RESULT_ROW (plumb_result_row_get_type ())
G_DECLARE_FINAL_TYPE (PlumbResultRow, plumb_result_row, PLUMB, RESULT_ROW, GObject)

PlumbResultRow  *plumb_result_row_new      (PlumbResult *result, gint64 row);
const PlumbCell *plumb_result_row_get_cell (PlumbResultRow *self, guint column);

G_END_DECLS
