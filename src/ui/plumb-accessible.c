/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-accessible.h"

static void
set_name (gpointer widget, const char *name)
{
  gtk_accessible_update_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}

/**
 * plumb_accessible_name_buttons:
 * @root: a widget
 *
 * Gives each button in @root that shows nothing but an icon its tooltip as a name, so that screen
 * readers say what it does. Buttons that have words keep them.
 */
void
plumb_accessible_name_buttons (GtkWidget *root)
{
  const char *tooltip = gtk_widget_get_tooltip_text (root);

  if (tooltip != NULL && GTK_IS_BUTTON (root) &&
      gtk_button_get_icon_name (GTK_BUTTON (root)) != NULL)
    set_name (root, tooltip);
  if (tooltip != NULL && GTK_IS_MENU_BUTTON (root))
    set_name (gtk_widget_get_first_child (root), tooltip);
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    plumb_accessible_name_buttons (child);
}
