/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-records.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

void plumb_probe_rows_show (GtkListBox *list, const PlumbAccountProbe *probe);

G_END_DECLS
