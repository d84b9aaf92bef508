/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-chat-view.h"

#include <adwaita.h>

G_BEGIN_DECLS

/**
 * PlumbWindow:
 *
 * The window: conversations, the chat, and the panel with what an answer rests on.
 */
#define PLUMB_TYPE_WINDOW (plumb_window_get_type ())
G_DECLARE_FINAL_TYPE (PlumbWindow, plumb_window, PLUMB, WINDOW, AdwApplicationWindow)

PlumbWindow   *plumb_window_new         (GtkApplication *application, GSettings *settings);
void           plumb_window_set_session (PlumbWindow *self, PlumbSession *session);
void           plumb_window_show_opening (PlumbWindow *self);
void           plumb_window_show_error  (PlumbWindow *self, const char *path, const GError *error);
void           plumb_window_start_demo  (PlumbWindow *self);
void           plumb_window_toast       (PlumbWindow *self, const char *text);
PlumbChatView *plumb_window_get_chat    (PlumbWindow *self);

G_END_DECLS
