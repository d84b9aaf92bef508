/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-conversation-list.h"
#include "plumb-first-run-page.h"
#include "plumb-panel.h"
#include "plumb-window.h"

G_BEGIN_DECLS

struct _PlumbWindow {
  AdwApplicationWindow parent_instance;

  GSettings *settings;
  PlumbSession *session;
  GCancellable *cancellable;
  GStrv examples;
  PlumbChatView *chat;
  GSignalGroup *chat_signals;
  guint save_timeout;

  AdwToastOverlay *toasts;
  GtkStack *stack;
  AdwStatusPage *failed_page;
  GtkLabel *failed_path;
  PlumbFirstRunPage *first_run;
  AdwFlap *flap;
  AdwHeaderBar *sidebar_header;
  PlumbConversationList *conversations;
  AdwLeaflet *leaflet;
  GtkWidget *chat_box;
  AdwHeaderBar *chat_header;
  AdwWindowTitle *chat_title;
  GtkWidget *panel_button;
  GtkStack *chats;
  GtkWidget *panel_handle;
  PlumbPanel *panel;
};

/* plumb-window-actions.c */
void plumb_window_install_actions (GtkWidgetClass *widget_class);
void plumb_window_update_actions  (PlumbWindow *self);

/* plumb-window-chats.c */
void plumb_window_init_chats         (PlumbWindow *self);
void plumb_window_open_conversation  (PlumbWindow *self, gint64 id);
void plumb_window_read_conversations (PlumbWindow *self);
void plumb_window_read_examples      (PlumbWindow *self);
void plumb_window_stop_all           (PlumbWindow *self);
void plumb_window_forget_chat        (PlumbWindow *self, gint64 conversation_id);

/* plumb-window-questions.c */
void plumb_window_run_questions  (PlumbWindow *self);
void plumb_window_show_questions (PlumbWindow *self);

/* plumb-window.c */
void plumb_window_show_panel     (PlumbWindow *self, gboolean show);
void plumb_window_show_page      (PlumbWindow *self, const char *page);
void plumb_window_sources_changed (PlumbWindow *self);
void plumb_window_save_work_soon (PlumbWindow *self);

G_END_DECLS
