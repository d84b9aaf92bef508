/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-chip.h"

#include "plumb-wording.h"

/** plumb_chip_new: Returns: a small mark that says @text; @css_class may be %NULL */
GtkWidget *
plumb_chip_new (const char *text, const char *css_class)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_widget_set_valign (label, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (label, "chip");
  if (css_class != NULL)
    gtk_widget_add_css_class (label, css_class);
  return label;
}

/** plumb_chip_new_for_status: Returns: the mark of a table of @status */
GtkWidget *
plumb_chip_new_for_status (PlumbStatus status)
{
  const char *css_class = status == PLUMB_STATUS_LIVE        ? "live"
                          : status == PLUMB_STATUS_PARTITION ? NULL
                                                             : "copy";

  return plumb_chip_new (plumb_wording_status (status), css_class);
}
