/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-result.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * PlumbResultGrid:
 *
 * The rows of a result. Ctrl+C copies the cell that has the focus, else the selected rows;
 * Ctrl+Shift+C copies all rows with the names of the columns.
 */
#define PLUMB_TYPE_RESULT_GRID (plumb_result_grid_get_type ())
G_DECLARE_FINAL_TYPE (PlumbResultGrid, plumb_result_grid, PLUMB, RESULT_GRID, GtkWidget)

GtkWidget *plumb_result_grid_new        (void);
void       plumb_result_grid_set_result (PlumbResultGrid *self, PlumbResult *result);

G_END_DECLS
