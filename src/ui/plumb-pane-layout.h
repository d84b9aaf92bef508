/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * PlumbPaneLayout:
 *
 * Lays out the one child of a pane over all of it, with a natural width that doesn't depend on the
 * child: panes keep their widths while what they show changes.
 */
#define PLUMB_TYPE_PANE_LAYOUT (plumb_pane_layout_get_type ())
G_DECLARE_FINAL_TYPE (PlumbPaneLayout, plumb_pane_layout, PLUMB, PANE_LAYOUT, GtkLayoutManager)

void plumb_pane_layout_set_natural_width (PlumbPaneLayout *self, int width);

G_END_DECLS
