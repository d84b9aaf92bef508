/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-pane-layout.h"

/* Pixels that a pane takes where there is room for all; more is shared out evenly. */
#define NATURAL_WIDTH 400

struct _PlumbPaneLayout {
  GtkLayoutManager parent_instance;

  int natural_width;
};

G_DEFINE_FINAL_TYPE (PlumbPaneLayout, plumb_pane_layout, GTK_TYPE_LAYOUT_MANAGER)

static GtkSizeRequestMode
plumb_pane_layout_get_request_mode (GtkLayoutManager *manager, GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_CONSTANT_SIZE;
}

static void
plumb_pane_layout_measure (GtkLayoutManager *manager, GtkWidget *widget, GtkOrientation orientation,
                           int for_size, int *minimum, int *natural, int *minimum_baseline,
                           int *natural_baseline)
{
  PlumbPaneLayout *self = PLUMB_PANE_LAYOUT (manager);
  GtkWidget *child = gtk_widget_get_first_child (widget);

  if (child != NULL)
    gtk_widget_measure (child, orientation, for_size, minimum, natural, NULL, NULL);
  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    *natural = MAX (*minimum, self->natural_width);
}

static void
plumb_pane_layout_allocate (GtkLayoutManager *manager, GtkWidget *widget, int width, int height,
                            int baseline)
{
  GtkWidget *child = gtk_widget_get_first_child (widget);

  if (child != NULL)
    gtk_widget_allocate (child, width, height, baseline, NULL);
}

static void
plumb_pane_layout_class_init (PlumbPaneLayoutClass *klass)
{
  GtkLayoutManagerClass *manager_class = GTK_LAYOUT_MANAGER_CLASS (klass);

  manager_class->get_request_mode = plumb_pane_layout_get_request_mode;
  manager_class->measure = plumb_pane_layout_measure;
  manager_class->allocate = plumb_pane_layout_allocate;
}

static void
plumb_pane_layout_init (PlumbPaneLayout *self)
{
  self->natural_width = NATURAL_WIDTH;
}

/** plumb_pane_layout_set_natural_width: @width: pixels, or 0 for the usual width */
void
plumb_pane_layout_set_natural_width (PlumbPaneLayout *self, int width)
{
  self->natural_width = width > 0 ? width : NATURAL_WIDTH;
  gtk_layout_manager_layout_changed (GTK_LAYOUT_MANAGER (self));
}
