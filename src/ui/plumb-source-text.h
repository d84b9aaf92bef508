/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

GtkWidget *plumb_source_text_new_json (const char *text);
GtkWidget *plumb_source_text_new_sql  (void);
void       plumb_source_text_set      (GtkWidget *view, const char *text);

G_END_DECLS
