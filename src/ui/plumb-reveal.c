/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-reveal.h"

/* A frame calls this before it lays out, so the place of what has just changed is known from the
 * second frame on. */
static gboolean
reveal (GtkWidget *widget, GdkFrameClock *clock, gpointer user_data)
{
  guint *n_frames = user_data;
  GtkWidget *viewport = gtk_widget_get_ancestor (widget, GTK_TYPE_VIEWPORT);
  GtkAdjustment *adjustment;
  graphene_rect_t bounds;

  if ((*n_frames)++ < 1)
    return G_SOURCE_CONTINUE;
  if (viewport == NULL ||
      !gtk_widget_compute_bounds (widget, gtk_viewport_get_child (GTK_VIEWPORT (viewport)),
                                  &bounds))
    return G_SOURCE_REMOVE;
  adjustment = gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (viewport));
  gtk_adjustment_clamp_page (adjustment, bounds.origin.y, bounds.origin.y + bounds.size.height);
  return G_SOURCE_REMOVE;
}

/**
 * plumb_reveal:
 * @widget: a widget somewhere in a viewport
 *
 * Scrolls until @widget is seen, once it has got its place; the start of it where there isn't room
 * for all. The focus stays where it is.
 */
void
plumb_reveal (GtkWidget *widget)
{
  gtk_widget_add_tick_callback (widget, reveal, g_new0 (guint, 1), g_free);
}
