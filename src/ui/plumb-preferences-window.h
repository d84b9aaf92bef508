/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-session.h"

#include <adwaita.h>

G_BEGIN_DECLS

/**
 * PlumbPreferencesWindow:
 *
 * Which model answers, and the limits of a statement.
 */
#define PLUMB_TYPE_PREFERENCES_WINDOW (plumb_preferences_window_get_type ())
G_DECLARE_FINAL_TYPE (PlumbPreferencesWindow, plumb_preferences_window, PLUMB, PREFERENCES_WINDOW,
                      AdwPreferencesWindow)

GtkWidget *plumb_preferences_window_new (PlumbSession *session, GSettings *settings);

G_END_DECLS
