/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-pile.h"

struct _PlumbPile {
  GtkWidget parent_instance;

  int spacing;
};

enum {
  PROP_0,
  PROP_SPACING,
  N_PROPERTIES,
};

static GParamSpec *properties[N_PROPERTIES];

G_DEFINE_FINAL_TYPE (PlumbPile, plumb_pile, GTK_TYPE_WIDGET)

static GtkSizeRequestMode
plumb_pile_get_request_mode (GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
plumb_pile_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                    int *natural, int *minimum_baseline, int *natural_baseline)
{
  gboolean first = TRUE;

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child)) {
    int child_minimum, child_natural;

    if (!gtk_widget_should_layout (child))
      continue;
    gtk_widget_measure (child, orientation, for_size, &child_minimum, &child_natural, NULL, NULL);
    if (orientation == GTK_ORIENTATION_HORIZONTAL) {
      *minimum = MAX (*minimum, child_minimum);
      *natural = MAX (*natural, child_natural);
    } else {
      int gap = first ? 0 : PLUMB_PILE (widget)->spacing;

      *minimum += child_natural + gap;
      *natural += child_natural + gap;
    }
    first = FALSE;
  }
}

static void
plumb_pile_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  int y = 0;

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child)) {
    int child_height;

    if (!gtk_widget_should_layout (child))
      continue;
    gtk_widget_measure (child, GTK_ORIENTATION_VERTICAL, width, NULL, &child_height, NULL, NULL);
    gtk_widget_size_allocate (child, &(GtkAllocation){ 0, y, width, child_height }, -1);
    y += child_height + PLUMB_PILE (widget)->spacing;
  }
}

static void
plumb_pile_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  if (id == PROP_SPACING)
    g_value_set_int (value, PLUMB_PILE (object)->spacing);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
plumb_pile_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  if (id == PROP_SPACING)
    PLUMB_PILE (object)->spacing = g_value_get_int (value);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
plumb_pile_dispose (GObject *object)
{
  plumb_pile_cut (PLUMB_PILE (object), 0);
  G_OBJECT_CLASS (plumb_pile_parent_class)->dispose (object);
}

static void
plumb_pile_class_init (PlumbPileClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = plumb_pile_dispose;
  object_class->get_property = plumb_pile_get_property;
  object_class->set_property = plumb_pile_set_property;
  widget_class->get_request_mode = plumb_pile_get_request_mode;
  widget_class->measure = plumb_pile_measure;
  widget_class->size_allocate = plumb_pile_size_allocate;

  properties[PROP_SPACING] = g_param_spec_int ("spacing", NULL, NULL, 0, G_MAXINT, 0,
                                               G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPERTIES, properties);
}

static void
plumb_pile_init (PlumbPile *self)
{
}

/** plumb_pile_new: Returns: an empty pile, its widgets @spacing pixels apart */
GtkWidget *
plumb_pile_new (int spacing)
{
  return g_object_new (PLUMB_TYPE_PILE, "spacing", spacing, NULL);
}

/** plumb_pile_append: adds @child below all others */
void
plumb_pile_append (PlumbPile *self, GtkWidget *child)
{
  gtk_widget_set_parent (child, GTK_WIDGET (self));
}

/** plumb_pile_cut: removes all widgets but the first @n_kept */
void
plumb_pile_cut (PlumbPile *self, guint n_kept)
{
  GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (self));

  for (guint i = 0; child != NULL && i < n_kept; i++)
    child = gtk_widget_get_next_sibling (child);
  while (child != NULL) {
    GtkWidget *next = gtk_widget_get_next_sibling (child);

    gtk_widget_unparent (child);
    child = next;
  }
}
