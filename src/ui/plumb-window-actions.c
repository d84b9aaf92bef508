/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-window-private.h"

#include "plumb-history-window.h"
#include "plumb-preferences-window.h"
#include "plumb-sources-window.h"

#include <glib/gi18n-lib.h>

/* The commands of the window, and the one place where it is decided which of them can be used. */

/** plumb_window_update_actions: brings the enabled state of all commands up to date */
void
plumb_window_update_actions (PlumbWindow *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  gboolean open = self->session != NULL;
  gboolean main = g_strcmp0 (gtk_stack_get_visible_child_name (self->stack), "main") == 0;
  gboolean busy = self->chat != NULL && plumb_chat_view_get_busy (self->chat);

  gtk_widget_action_set_enabled (widget, "win.new-conversation", main);
  gtk_widget_action_set_enabled (widget, "win.focus-question", main);
  gtk_widget_action_set_enabled (widget, "win.toggle-sidebar", main);
  gtk_widget_action_set_enabled (widget, "win.toggle-panel", main);
  gtk_widget_action_set_enabled (widget, "win.panel-page", main);
  gtk_widget_action_set_enabled (widget, "win.stop", busy);
  gtk_widget_action_set_enabled (widget, "win.sources", open);
  gtk_widget_action_set_enabled (widget, "win.add-source", open);
  gtk_widget_action_set_enabled (widget, "win.questions", open);
  gtk_widget_action_set_enabled (widget, "win.history", open);
  gtk_widget_action_set_enabled (widget, "win.preferences", open);
}

static void
new_conversation (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PlumbWindow *self = PLUMB_WINDOW (widget);

  plumb_window_open_conversation (self, 0);
  adw_leaflet_set_visible_child_name (self->leaflet, "chat");
  if (adw_flap_get_folded (self->flap))
    adw_flap_set_reveal_flap (self->flap, FALSE);
  plumb_chat_view_take_focus (self->chat);
}

static void
focus_question (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PlumbWindow *self = PLUMB_WINDOW (widget);

  adw_leaflet_set_visible_child_name (self->leaflet, "chat");
  plumb_chat_view_take_focus (self->chat);
}

static void
toggle_sidebar (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PlumbWindow *self = PLUMB_WINDOW (widget);

  adw_flap_set_reveal_flap (self->flap, !adw_flap_get_reveal_flap (self->flap));
}

static void
toggle_panel (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PlumbWindow *self = PLUMB_WINDOW (widget);
  gboolean shown = gtk_widget_get_visible (GTK_WIDGET (self->panel));

  /* On a narrow window the panel can be there behind the chat. */
  if (shown && adw_leaflet_get_folded (self->leaflet))
    shown = g_strcmp0 (adw_leaflet_get_visible_child_name (self->leaflet), "panel") == 0;
  plumb_window_show_panel (self, !shown);
}

static void
panel_page (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PlumbWindow *self = PLUMB_WINDOW (widget);

  plumb_window_show_page (self, g_variant_get_string (parameter, NULL));
  plumb_panel_take_focus (self->panel);
}

static void
stop (GtkWidget *widget, const char *name, GVariant *parameter)
{
  plumb_chat_view_stop (PLUMB_WINDOW (widget)->chat);
}

/* Escape stops the question that runs; where none runs it is left to whoever else wants it. */
static gboolean
stop_by_key (GtkWidget *widget, GVariant *arguments, gpointer user_data)
{
  PlumbWindow *self = PLUMB_WINDOW (widget);

  if (self->chat == NULL || !plumb_chat_view_get_busy (self->chat))
    return FALSE;
  plumb_chat_view_stop (self->chat);
  return TRUE;
}

static void
present (PlumbWindow *self, GtkWidget *window)
{
  gtk_window_set_transient_for (GTK_WINDOW (window), GTK_WINDOW (self));
  gtk_window_set_modal (GTK_WINDOW (window), TRUE);
  gtk_window_present (GTK_WINDOW (window));
}

/* What was learned anew may have moved the tables of known questions. */
static void
on_sources_changed (PlumbWindow *self)
{
  plumb_window_sources_changed (self);
  plumb_window_run_questions (self);
}

static void
sources (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PlumbWindow *self = PLUMB_WINDOW (widget);
  GtkWidget *window = plumb_sources_window_new (self->session);

  g_signal_connect_object (window, "changed", G_CALLBACK (on_sources_changed), self,
                           G_CONNECT_SWAPPED);
  present (self, window);
}

static void
add_source (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PlumbWindow *self = PLUMB_WINDOW (widget);
  GtkWidget *window = plumb_sources_window_new (self->session);

  g_signal_connect_object (window, "changed", G_CALLBACK (on_sources_changed), self,
                           G_CONNECT_SWAPPED);
  present (self, window);
  plumb_sources_window_add (PLUMB_SOURCES_WINDOW (window));
}

static void
questions (GtkWidget *widget, const char *name, GVariant *parameter)
{
  plumb_window_show_questions (PLUMB_WINDOW (widget));
}

static void
run_questions (GtkWidget *widget, const char *name, GVariant *parameter)
{
  plumb_window_run_questions (PLUMB_WINDOW (widget));
}

static void
history (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PlumbWindow *self = PLUMB_WINDOW (widget);

  present (self, plumb_history_window_new (self->session));
}

static void
preferences (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PlumbWindow *self = PLUMB_WINDOW (widget);

  present (self, plumb_preferences_window_new (self->session, self->settings));
}

/* Renaming and deleting a conversation happen in the thread; then the list is read again. */
typedef struct {
  gint64 id;
  char *title;
} ConversationWork;

static void
conversation_work_free (gpointer pointer)
{
  ConversationWork *work = pointer;

  g_free (work->title);
  g_free (work);
}

static gpointer
work_on_conversation (PlumbSession *session, gpointer data, GCancellable *cancellable,
                      GError **error)
{
  ConversationWork *work = data;

  if (work->title != NULL)
    plumb_session_rename_conversation (session, work->id, work->title, error);
  else
    plumb_session_delete_conversation (session, work->id, error);
  return NULL;
}

static void
on_conversation_worked (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (PlumbWindow) self = user_data;
  g_autoptr (GError) error = NULL;

  plumb_session_run_finish (PLUMB_SESSION (source), result, &error);
  if (self->session == NULL || g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  if (error != NULL)
    plumb_window_toast (self, error->message);
  plumb_window_read_conversations (self);
}

static void
start_conversation_work (PlumbWindow *self, gint64 id, const char *title)
{
  ConversationWork *work = g_new0 (ConversationWork, 1);

  work->id = id;
  work->title = g_strdup (title);
  plumb_session_run_async (self->session, work_on_conversation, work, conversation_work_free, NULL,
                           self->cancellable, on_conversation_worked, g_object_ref (self));
}

static void
on_rename_response (AdwMessageDialog *dialog, const char *response, PlumbWindow *self)
{
  GtkEditable *entry = GTK_EDITABLE (adw_message_dialog_get_extra_child (dialog));
  gint64 *id = g_object_get_data (G_OBJECT (dialog), "conversation");
  g_autofree char *title = g_strstrip (g_strdup (gtk_editable_get_text (entry)));

  if (g_str_equal (response, "rename") && title[0] != '\0')
    start_conversation_work (self, *id, title);
}

static GtkWidget *
new_question_dialog (PlumbWindow *self, const char *heading, const char *body, gint64 id)
{
  GtkWidget *dialog = adw_message_dialog_new (GTK_WINDOW (self), heading, body);

  adw_message_dialog_add_response (ADW_MESSAGE_DIALOG (dialog), "cancel", _("_Cancel"));
  adw_message_dialog_set_close_response (ADW_MESSAGE_DIALOG (dialog), "cancel");
  g_object_set_data_full (G_OBJECT (dialog), "conversation", g_memdup2 (&id, sizeof id), g_free);
  return dialog;
}

static void
rename_conversation (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PlumbWindow *self = PLUMB_WINDOW (widget);
  gint64 id = g_variant_get_int64 (parameter);
  const char *title = plumb_conversation_list_get_title (self->conversations, id);
  GtkWidget *dialog = new_question_dialog (self, _("Rename Conversation"), NULL, id);
  GtkWidget *entry = gtk_entry_new ();

  gtk_editable_set_text (GTK_EDITABLE (entry), title != NULL ? title : "");
  gtk_entry_set_activates_default (GTK_ENTRY (entry), TRUE);
  adw_message_dialog_set_extra_child (ADW_MESSAGE_DIALOG (dialog), entry);
  adw_message_dialog_add_response (ADW_MESSAGE_DIALOG (dialog), "rename", _("_Rename"));
  adw_message_dialog_set_response_appearance (ADW_MESSAGE_DIALOG (dialog), "rename",
                                              ADW_RESPONSE_SUGGESTED);
  adw_message_dialog_set_default_response (ADW_MESSAGE_DIALOG (dialog), "rename");
  g_signal_connect_object (dialog, "response", G_CALLBACK (on_rename_response), self, 0);
  gtk_window_present (GTK_WINDOW (dialog));
}

static void
on_delete_response (AdwMessageDialog *dialog, const char *response, PlumbWindow *self)
{
  gint64 *id = g_object_get_data (G_OBJECT (dialog), "conversation");

  if (!g_str_equal (response, "delete"))
    return;
  plumb_window_forget_chat (self, *id);
  start_conversation_work (self, *id, NULL);
}

static void
delete_conversation (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PlumbWindow *self = PLUMB_WINDOW (widget);
  gint64 id = g_variant_get_int64 (parameter);
  const char *title = plumb_conversation_list_get_title (self->conversations, id);
  GtkWidget *dialog = new_question_dialog (self, _("Delete Conversation?"), NULL, id);

  adw_message_dialog_format_body (
      ADW_MESSAGE_DIALOG (dialog),
      _("“%s” and its answers will be deleted. The history of statements stays."),
      title != NULL ? title : "");
  adw_message_dialog_add_response (ADW_MESSAGE_DIALOG (dialog), "delete", _("_Delete"));
  adw_message_dialog_set_response_appearance (ADW_MESSAGE_DIALOG (dialog), "delete",
                                              ADW_RESPONSE_DESTRUCTIVE);
  g_signal_connect_object (dialog, "response", G_CALLBACK (on_delete_response), self, 0);
  gtk_window_present (GTK_WINDOW (dialog));
}

/** plumb_window_install_actions: adds the commands to the class of the window */
void
plumb_window_install_actions (GtkWidgetClass *widget_class)
{
  gtk_widget_class_install_action (widget_class, "win.new-conversation", NULL, new_conversation);
  gtk_widget_class_install_action (widget_class, "win.focus-question", NULL, focus_question);
  gtk_widget_class_install_action (widget_class, "win.toggle-sidebar", NULL, toggle_sidebar);
  gtk_widget_class_install_action (widget_class, "win.toggle-panel", NULL, toggle_panel);
  gtk_widget_class_install_action (widget_class, "win.panel-page", "s", panel_page);
  gtk_widget_class_install_action (widget_class, "win.stop", NULL, stop);
  gtk_widget_class_install_action (widget_class, "win.sources", NULL, sources);
  gtk_widget_class_install_action (widget_class, "win.add-source", NULL, add_source);
  gtk_widget_class_install_action (widget_class, "win.questions", NULL, questions);
  gtk_widget_class_install_action (widget_class, "win.run-questions", NULL, run_questions);
  gtk_widget_class_install_action (widget_class, "win.history", NULL, history);
  gtk_widget_class_install_action (widget_class, "win.preferences", NULL, preferences);
  gtk_widget_class_install_action (widget_class, "win.rename-conversation", "x",
                                   rename_conversation);
  gtk_widget_class_install_action (widget_class, "win.delete-conversation", "x",
                                   delete_conversation);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Escape, 0, stop_by_key, NULL);
}
