/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-join-picture.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * PlumbJoinCanvas:
 *
 * Draws tables and the joins between them. Tables are buttons, so that keys and screen readers
 * reach them; joins are drawn behind, each with a label. #PlumbJoinCanvas::table-activated is
 * emitted with a table's full name.
 */
#define PLUMB_TYPE_JOIN_CANVAS (plumb_join_canvas_get_type ())
G_DECLARE_FINAL_TYPE (PlumbJoinCanvas, plumb_join_canvas, PLUMB, JOIN_CANVAS, GtkWidget)

void plumb_join_canvas_take_picture (PlumbJoinCanvas *self, PlumbJoinPicture *picture);

G_END_DECLS
