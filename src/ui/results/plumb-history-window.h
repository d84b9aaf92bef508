/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-session.h"

#include <adwaita.h>

G_BEGIN_DECLS

/**
 * PlumbHistoryWindow:
 *
 * The statements that were sent to databases, the latest first.
 */
#define PLUMB_TYPE_HISTORY_WINDOW (plumb_history_window_get_type ())
G_DECLARE_FINAL_TYPE (PlumbHistoryWindow, plumb_history_window, PLUMB, HISTORY_WINDOW, AdwWindow)

GtkWidget *plumb_history_window_new (PlumbSession *session);

G_END_DECLS
