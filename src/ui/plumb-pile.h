/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * PlumbPile:
 *
 * Widgets one below the other, each as high as it wants to be at the width there is. A #GtkBox
 * would do but for one thing: asked while it is empty and not yet shown, it remembers that its
 * height doesn't depend on its width, and lines of text that come later are cut off.
 */
#define PLUMB_TYPE_PILE (plumb_pile_get_type ())
G_DECLARE_FINAL_TYPE (PlumbPile, plumb_pile, PLUMB, PILE, GtkWidget)

GtkWidget *plumb_pile_new    (int spacing);
void       plumb_pile_append (PlumbPile *self, GtkWidget *child);
void       plumb_pile_cut    (PlumbPile *self, guint n_kept);

G_END_DECLS
