/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * PlumbPaneHandle:
 *
 * The line between two panes: it can be dragged, moved by the arrow keys when it has the focus, and
 * set back by a double click or by the key Home. It moves nothing itself: “moved” says where it was
 * asked to be, as pixels from the left of its parent, and “reset” that the usual place is wanted.
 */
#define PLUMB_TYPE_PANE_HANDLE (plumb_pane_handle_get_type ())
G_DECLARE_FINAL_TYPE (PlumbPaneHandle, plumb_pane_handle, PLUMB, PANE_HANDLE, GtkWidget)

G_END_DECLS
