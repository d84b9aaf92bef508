/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-session.h"

#include <adwaita.h>

G_BEGIN_DECLS

/**
 * PlumbSourcesWindow:
 *
 * The connected databases: added, analysed, removed. #PlumbSourcesWindow::changed is emitted when
 * there are others than before, or one has been analysed.
 */
#define PLUMB_TYPE_SOURCES_WINDOW (plumb_sources_window_get_type ())
G_DECLARE_FINAL_TYPE (PlumbSourcesWindow, plumb_sources_window, PLUMB, SOURCES_WINDOW, AdwWindow)

GtkWidget *plumb_sources_window_new (PlumbSession *session);
void       plumb_sources_window_add (PlumbSourcesWindow *self);

G_END_DECLS
