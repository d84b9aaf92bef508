/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-card.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

GtkWidget *plumb_chip_new            (const char *text, const char *css_class);
GtkWidget *plumb_chip_new_for_status (PlumbStatus status);

G_END_DECLS
