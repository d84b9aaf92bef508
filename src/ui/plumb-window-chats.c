/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-window-private.h"

#include "plumb-examples.h"

#include <glib/gi18n-lib.h>

/* The conversations of the window. Each has a view of its own; one whose question runs, or in which
 * something was typed and not asked, stays while another one is shown. */

static void
on_show_page (PlumbChatView *chat, const char *page, int place, PlumbWindow *self)
{
  if (g_str_equal (page, "sql"))
    plumb_panel_show_statement (self->panel, place);
  plumb_window_show_page (self, page);
}

static void
on_current_turn (PlumbChatView *chat, PlumbTurnItem *item, PlumbWindow *self)
{
  plumb_panel_set_turn (self->panel, item);
}

static void
update_title (PlumbWindow *self)
{
  gint64 id = self->chat != NULL ? plumb_chat_view_get_conversation (self->chat) : 0;
  const char *title = plumb_conversation_list_get_title (self->conversations, id);

  adw_window_title_set_title (self->chat_title, title != NULL ? title : _("New Conversation"));
}

static void
on_busy_changed (PlumbWindow *self)
{
  plumb_window_update_actions (self);
}

static gpointer
list_conversations (PlumbSession *session, gpointer data, GCancellable *cancellable, GError **error)
{
  return plumb_session_list_conversations (session, error);
}

static void
on_conversations_read (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (PlumbWindow) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray)
      conversations = plumb_session_run_finish (PLUMB_SESSION (source), result, &error);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED) || self->session == NULL)
    return;
  if (conversations == NULL) {
    plumb_window_toast (self, error->message);
    return;
  }
  plumb_conversation_list_set (self->conversations, conversations);
  plumb_conversation_list_select (
      self->conversations, self->chat != NULL ? plumb_chat_view_get_conversation (self->chat) : 0);
  update_title (self);
}

/** plumb_window_read_conversations: brings the list of conversations up to date */
void
plumb_window_read_conversations (PlumbWindow *self)
{
  plumb_session_run_async (self->session, list_conversations, NULL, NULL,
                           (GDestroyNotify) g_ptr_array_unref, self->cancellable,
                           on_conversations_read, g_object_ref (self));
}

static void
on_stored (PlumbChatView *chat, PlumbWindow *self)
{
  if (self->session != NULL)
    plumb_window_read_conversations (self);
}

static PlumbChatView *
find_chat (PlumbWindow *self, gint64 id)
{
  for (GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (self->chats)); child != NULL;
       child = gtk_widget_get_next_sibling (child)) {
    if (plumb_chat_view_get_conversation (PLUMB_CHAT_VIEW (child)) == id)
      return PLUMB_CHAT_VIEW (child);
  }
  return NULL;
}

static gboolean
is_needed (PlumbWindow *self, PlumbChatView *chat)
{
  g_autofree char *draft = plumb_chat_view_get_draft (chat);

  return chat == self->chat || plumb_chat_view_get_busy (chat) || draft[0] != '\0';
}

static void
drop_idle_chats (PlumbWindow *self)
{
  GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (self->chats));

  while (child != NULL) {
    GtkWidget *next = gtk_widget_get_next_sibling (child);

    if (!is_needed (self, PLUMB_CHAT_VIEW (child)))
      gtk_stack_remove (self->chats, child);
    child = next;
  }
}

static PlumbChatView *
add_chat (PlumbWindow *self, gint64 id)
{
  GtkWidget *chat = plumb_chat_view_new (self->session);

  g_signal_connect_object (chat, "stored", G_CALLBACK (on_stored), self, 0);
  plumb_chat_view_set_examples (PLUMB_CHAT_VIEW (chat), (const char *const *) self->examples);
  gtk_stack_add_child (self->chats, chat);
  if (id != 0)
    plumb_chat_view_load (PLUMB_CHAT_VIEW (chat), id);
  return PLUMB_CHAT_VIEW (chat);
}

/** plumb_window_open_conversation: shows the conversation @id, a new one where it is 0 */
void
plumb_window_open_conversation (PlumbWindow *self, gint64 id)
{
  PlumbChatView *chat = find_chat (self, id);

  if (chat == NULL)
    chat = add_chat (self, id);
  if (chat == self->chat)
    return;
  self->chat = chat;
  g_signal_group_set_target (self->chat_signals, chat);
  gtk_stack_set_visible_child (self->chats, GTK_WIDGET (chat));
  plumb_panel_set_turn (self->panel, plumb_chat_view_get_current (chat));
  plumb_conversation_list_select (self->conversations, id);
  drop_idle_chats (self);
  update_title (self);
  plumb_window_update_actions (self);
}

/** plumb_window_forget_chat: closes the view of a conversation that was deleted */
void
plumb_window_forget_chat (PlumbWindow *self, gint64 conversation_id)
{
  PlumbChatView *chat = find_chat (self, conversation_id);

  if (chat == NULL)
    return;
  plumb_chat_view_stop (chat);
  if (chat == self->chat)
    plumb_window_open_conversation (self, 0);
  if (gtk_widget_get_parent (GTK_WIDGET (chat)) != NULL)
    gtk_stack_remove (self->chats, GTK_WIDGET (chat));
}

/** plumb_window_stop_all: stops every question that runs, shown or not */
void
plumb_window_stop_all (PlumbWindow *self)
{
  for (GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (self->chats)); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    plumb_chat_view_stop (PLUMB_CHAT_VIEW (child));
}

static gpointer
find_examples (PlumbSession *session, gpointer data, GCancellable *cancellable, GError **error)
{
  return plumb_examples_collect (session, cancellable, error);
}

static void
on_examples_found (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (PlumbWindow) self = user_data;
  g_auto (GStrv) examples = plumb_session_run_finish (PLUMB_SESSION (source), result, NULL);

  if (examples == NULL || self->session == NULL)
    return;
  g_strfreev (self->examples);
  self->examples = g_steal_pointer (&examples);
  for (GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (self->chats)); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    plumb_chat_view_set_examples (PLUMB_CHAT_VIEW (child), (const char *const *) self->examples);
}

/** plumb_window_read_examples: looks for questions to offer in an empty conversation */
void
plumb_window_read_examples (PlumbWindow *self)
{
  plumb_session_run_async (self->session, find_examples, NULL, NULL, (GDestroyNotify) g_strfreev,
                           self->cancellable, on_examples_found, g_object_ref (self));
}

/** plumb_window_init_chats: shows the conversation that was open last, with what was typed in it */
void
plumb_window_init_chats (PlumbWindow *self)
{
  g_autofree char *draft = self->settings != NULL ? g_settings_get_string (self->settings, "draft")
                                                  : NULL;

  if (self->chat_signals == NULL) {
    self->chat_signals = g_signal_group_new (PLUMB_TYPE_CHAT_VIEW);
    g_signal_group_connect (self->chat_signals, "show-page", G_CALLBACK (on_show_page), self);
    g_signal_group_connect (self->chat_signals, "current-turn", G_CALLBACK (on_current_turn), self);
    g_signal_group_connect_swapped (self->chat_signals, "notify::busy",
                                    G_CALLBACK (on_busy_changed), self);
    g_signal_group_connect_swapped (self->chat_signals, "draft-changed",
                                    G_CALLBACK (plumb_window_save_work_soon), self);
  }
  plumb_window_open_conversation (
      self,
      self->settings != NULL ? g_settings_get_int64 (self->settings, "last-conversation") : 0);
  if (draft != NULL && draft[0] != '\0')
    plumb_chat_view_set_draft (self->chat, draft);
  plumb_window_read_conversations (self);
}
