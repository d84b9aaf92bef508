/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-pane-handle.h"

#include <glib/gi18n-lib.h>

#define KEY_STEP 20 /* pixels */

struct _PlumbPaneHandle {
  GtkWidget parent_instance;

  double grabbed_at; /* where on the handle the pointer took it, in pixels */
};

enum { MOVED, RESET, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (PlumbPaneHandle, plumb_pane_handle, GTK_TYPE_WIDGET)

/* The handle moves under the pointer, so offsets of the gesture are turned into places in the parent
 * at once. */
static double
in_parent (PlumbPaneHandle *self, double x)
{
  graphene_point_t place = GRAPHENE_POINT_INIT ((float) x, 0);
  GtkWidget *parent = gtk_widget_get_parent (GTK_WIDGET (self));

  if (parent == NULL || !gtk_widget_compute_point (GTK_WIDGET (self), parent, &place, &place))
    return x;
  return place.x;
}

static void
on_drag_begin (PlumbPaneHandle *self, double x, double y, GtkGesture *gesture)
{
  self->grabbed_at = x;
  gtk_gesture_set_state (gesture, GTK_EVENT_SEQUENCE_CLAIMED);
}

static void
on_drag_update (PlumbPaneHandle *self, double offset_x, double offset_y, GtkGestureDrag *gesture)
{
  double start_x, start_y;

  if (gtk_gesture_drag_get_start_point (gesture, &start_x, &start_y))
    g_signal_emit (self, signals[MOVED], 0,
                   in_parent (self, start_x + offset_x) - self->grabbed_at);
}

static void
on_released (PlumbPaneHandle *self, int n_presses)
{
  if (n_presses == 2)
    g_signal_emit (self, signals[RESET], 0);
}

static gboolean
on_key_pressed (PlumbPaneHandle *self, guint key, guint code, GdkModifierType modifiers)
{
  switch (key) {
  case GDK_KEY_Left:
  case GDK_KEY_KP_Left:
    g_signal_emit (self, signals[MOVED], 0, in_parent (self, 0) - KEY_STEP);
    return GDK_EVENT_STOP;
  case GDK_KEY_Right:
  case GDK_KEY_KP_Right:
    g_signal_emit (self, signals[MOVED], 0, in_parent (self, 0) + KEY_STEP);
    return GDK_EVENT_STOP;
  case GDK_KEY_Home:
  case GDK_KEY_KP_Home:
    g_signal_emit (self, signals[RESET], 0);
    return GDK_EVENT_STOP;
  default:
    return GDK_EVENT_PROPAGATE;
  }
}

static void
plumb_pane_handle_class_init (PlumbPaneHandleClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  signals[MOVED] = g_signal_new ("moved", PLUMB_TYPE_PANE_HANDLE, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                 NULL, G_TYPE_NONE, 1, G_TYPE_DOUBLE);
  signals[RESET] = g_signal_new ("reset", PLUMB_TYPE_PANE_HANDLE, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                 NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_css_name (widget_class, "panehandle");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_SEPARATOR);
}

static void
plumb_pane_handle_init (PlumbPaneHandle *self)
{
  GtkGesture *drag = gtk_gesture_drag_new ();
  GtkGesture *click = gtk_gesture_click_new ();
  GtkEventController *keys = gtk_event_controller_key_new ();

  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self), "col-resize");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _("Width of the panel"), -1);
  g_signal_connect_swapped (drag, "drag-begin", G_CALLBACK (on_drag_begin), self);
  g_signal_connect_swapped (drag, "drag-update", G_CALLBACK (on_drag_update), self);
  g_signal_connect_swapped (click, "released", G_CALLBACK (on_released), self);
  g_signal_connect_swapped (keys, "key-pressed", G_CALLBACK (on_key_pressed), self);
  gtk_gesture_group (drag, click);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (click));
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (drag));
  gtk_widget_add_controller (GTK_WIDGET (self), keys);
}
