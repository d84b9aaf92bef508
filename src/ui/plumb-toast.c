/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-toast.h"

/* Seconds; a message can be a sentence on what happened and one on what to do. */
#define TIMEOUT 10

/**
 * plumb_toast_new:
 * @text: plain text, of any length
 *
 * A title of a toast is markup on one line, which would cut what a server says or take it for
 * something else; here it is shown as it is, on as many lines as it needs.
 *
 * Returns: (transfer full): a toast that shows @text
 */
AdwToast *
plumb_toast_new (const char *text)
{
  AdwToast *toast = adw_toast_new ("");
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_add_css_class (label, "heading");
  adw_toast_set_custom_title (toast, label);
  adw_toast_set_timeout (toast, TIMEOUT);
  return toast;
}
