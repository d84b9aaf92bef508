/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-session.h"

#include <adwaita.h>

G_BEGIN_DECLS

/**
 * PlumbQuestionsWindow:
 *
 * Questions of which people know the tables, and whether search still finds those: looked at again
 * when the window opens and after each edit.
 */
#define PLUMB_TYPE_QUESTIONS_WINDOW (plumb_questions_window_get_type ())
G_DECLARE_FINAL_TYPE (PlumbQuestionsWindow, plumb_questions_window, PLUMB, QUESTIONS_WINDOW, AdwWindow)

GtkWidget *plumb_questions_window_new (PlumbSession *session);

G_END_DECLS
