/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-session.h"
#include "plumb-turn-item.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * PlumbChatView:
 *
 * One conversation: its turns, and the entry for the next question. A view goes on working while
 * another one is shown. Signals: #PlumbChatView::show-page when a page of the panel is asked for,
 * #PlumbChatView::current-turn when another turn is the one that the panel shows,
 * #PlumbChatView::stored when the index has something new of the conversation.
 */
#define PLUMB_TYPE_CHAT_VIEW (plumb_chat_view_get_type ())
G_DECLARE_FINAL_TYPE (PlumbChatView, plumb_chat_view, PLUMB, CHAT_VIEW, GtkWidget)

GtkWidget     *plumb_chat_view_new             (PlumbSession *session);
void           plumb_chat_view_load            (PlumbChatView *self, gint64 conversation_id);
void           plumb_chat_view_ask             (PlumbChatView *self, const char *question);
void           plumb_chat_view_stop            (PlumbChatView *self);
gint64         plumb_chat_view_get_conversation (PlumbChatView *self);
gboolean       plumb_chat_view_get_busy        (PlumbChatView *self);
PlumbTurnItem *plumb_chat_view_get_current     (PlumbChatView *self);
char          *plumb_chat_view_get_draft       (PlumbChatView *self);
void           plumb_chat_view_set_draft       (PlumbChatView *self, const char *text);
void           plumb_chat_view_set_examples    (PlumbChatView *self, const char *const *questions);
void           plumb_chat_view_take_focus      (PlumbChatView *self);

G_END_DECLS
