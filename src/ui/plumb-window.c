/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-window-private.h"

#include "plumb-accessible.h"
#include "plumb-pane-handle.h"
#include "plumb-pane-layout.h"
#include "plumb-toast.h"

#include <glib/gi18n-lib.h>

G_DEFINE_FINAL_TYPE (PlumbWindow, plumb_window, ADW_TYPE_APPLICATION_WINDOW)

/* Buttons that close and maximize stand at the outer corners, whichever panes are there. */
static void
update_title_buttons (PlumbWindow *self)
{
  gboolean sidebar = adw_flap_get_reveal_flap (self->flap) && !adw_flap_get_folded (self->flap);
  gboolean folded = adw_leaflet_get_folded (self->leaflet);
  gboolean beside = gtk_widget_get_visible (GTK_WIDGET (self->panel)) && !folded;

  adw_header_bar_set_show_start_title_buttons (self->chat_header, !sidebar);
  adw_header_bar_set_show_end_title_buttons (self->chat_header, !beside);
  plumb_panel_set_alone (self->panel, folded);
}

/** plumb_window_show_panel: shows or hides the panel, beside the chat or in its place */
void
plumb_window_show_panel (PlumbWindow *self, gboolean show)
{
  gtk_widget_set_visible (GTK_WIDGET (self->panel), show);
  gtk_widget_set_visible (self->panel_handle, show);
  /* Side by side both are seen; being told to show one would only move the focus there. */
  if (!show)
    adw_leaflet_set_visible_child_name (self->leaflet, "chat");
  else if (adw_leaflet_get_folded (self->leaflet))
    adw_leaflet_set_visible_child_name (self->leaflet, "panel");
  if (self->settings != NULL)
    g_settings_set_boolean (self->settings, "show-panel", show);
  update_title_buttons (self);
}

/** plumb_window_show_page: opens @page of the panel */
void
plumb_window_show_page (PlumbWindow *self, const char *page)
{
  plumb_panel_show_page (self->panel, page);
  plumb_window_show_panel (self, TRUE);
}

/* Where the person put the line stays; without a choice of theirs both panes share the room. */
static void
set_panel_width (PlumbWindow *self, int width)
{
  GtkLayoutManager *layout = gtk_widget_get_layout_manager (GTK_WIDGET (self->panel));

  plumb_pane_layout_set_natural_width (PLUMB_PANE_LAYOUT (layout), width);
  gtk_widget_set_hexpand (GTK_WIDGET (self->panel), width == 0);
}

static void
keep_panel_width (PlumbWindow *self, int width)
{
  set_panel_width (self, width);
  if (self->settings != NULL)
    g_settings_set_int (self->settings, "panel-width", width);
}

static void
on_handle_moved (PlumbWindow *self, double x)
{
  gboolean mirrored = gtk_widget_get_direction (GTK_WIDGET (self->leaflet)) == GTK_TEXT_DIR_RTL;
  int room = gtk_widget_get_width (GTK_WIDGET (self->leaflet))
             - gtk_widget_get_width (self->panel_handle);
  int least, chat_least, width;

  gtk_widget_measure (GTK_WIDGET (self->panel), GTK_ORIENTATION_HORIZONTAL, -1, &least, NULL, NULL,
                      NULL);
  gtk_widget_measure (gtk_widget_get_parent (self->chat_box), GTK_ORIENTATION_HORIZONTAL, -1,
                      &chat_least, NULL, NULL, NULL);
  width = mirrored ? (int) x : room - (int) x;
  keep_panel_width (self, MAX (MIN (width, room - chat_least), least));
}

static void
on_handle_reset (PlumbWindow *self)
{
  keep_panel_width (self, 0);
}

static void
on_panel_back (PlumbWindow *self)
{
  adw_leaflet_set_visible_child_name (self->leaflet, "chat");
  plumb_chat_view_take_focus (self->chat);
}

static void
on_conversation_activated (PlumbWindow *self, gint64 id)
{
  plumb_window_open_conversation (self, id);
  if (adw_flap_get_folded (self->flap))
    adw_flap_set_reveal_flap (self->flap, FALSE);
  adw_leaflet_set_visible_child_name (self->leaflet, "chat");
  plumb_chat_view_take_focus (self->chat);
}

static gpointer
count_sources (PlumbSession *session, gpointer data, GCancellable *cancellable, GError **error)
{
  g_autoptr (GPtrArray) sources = plumb_session_list_sources (session, error);

  return sources != NULL ? g_memdup2 (&sources->len, sizeof sources->len) : NULL;
}

static void
on_sources_counted (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (PlumbWindow) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autofree guint *n = plumb_session_run_finish (PLUMB_SESSION (source), result, &error);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED) || self->session == NULL)
    return;
  if (n == NULL) {
    plumb_window_show_error (self, plumb_session_get_index_path (self->session), error);
    return;
  }
  gtk_stack_set_visible_child_name (self->stack, *n > 0 ? "main" : "first-run");
  plumb_window_update_actions (self);
  if (*n == 0)
    return;
  plumb_window_read_examples (self);
  plumb_chat_view_take_focus (self->chat);
}

/** plumb_window_sources_changed: looks again which databases there are, and shows what fits */
void
plumb_window_sources_changed (PlumbWindow *self)
{
  plumb_session_run_async (self->session, count_sources, NULL, NULL, g_free, self->cancellable,
                           on_sources_counted, g_object_ref (self));
}

static void
on_sources_changed (PlumbWindow *self)
{
  plumb_window_sources_changed (self);
}

/** plumb_window_show_opening: shows that the index is being opened */
void
plumb_window_show_opening (PlumbWindow *self)
{
  gtk_stack_set_visible_child_name (self->stack, "opening");
}

/**
 * plumb_window_set_session:
 * @self: the window
 * @session: the session, open
 *
 * Starts work: shows the last conversation, or the first-run page where there is no database yet.
 */
void
plumb_window_set_session (PlumbWindow *self, PlumbSession *session)
{
  g_set_object (&self->session, session);
  plumb_panel_set_session (self->panel, session);
  plumb_first_run_page_set_session (self->first_run, session);
  plumb_window_init_chats (self);
  plumb_window_sources_changed (self);
}

/** plumb_window_show_error: shows that the index at @path can't be opened, and what to do */
void
plumb_window_show_error (PlumbWindow *self, const char *path, const GError *error)
{
  g_autofree char *message = g_markup_escape_text (error->message, -1);

  adw_status_page_set_description (self->failed_page, message);
  gtk_label_set_text (self->failed_path, path != NULL ? path : "");
  gtk_stack_set_visible_child_name (self->stack, "failed");
  plumb_window_update_actions (self);
}

/** plumb_window_start_demo: builds the demo databases, with progress on the first-run page */
void
plumb_window_start_demo (PlumbWindow *self)
{
  gtk_stack_set_visible_child_name (self->stack, "first-run");
  plumb_first_run_page_start_demo (self->first_run);
}

/** plumb_window_toast: shows @text for a moment */
void
plumb_window_toast (PlumbWindow *self, const char *text)
{
  adw_toast_overlay_add_toast (self->toasts, plumb_toast_new (text));
}

/** plumb_window_get_chat: Returns: (transfer none) (nullable): the conversation that is shown */
PlumbChatView *
plumb_window_get_chat (PlumbWindow *self)
{
  return self->chat;
}

/* What a person typed, and where: kept while they type, so that a crash or a power cut costs at most
 * the last second. */
static void
save_work (PlumbWindow *self)
{
  g_autofree char *draft = NULL;

  g_clear_handle_id (&self->save_timeout, g_source_remove);
  if (self->settings == NULL || self->chat == NULL)
    return;
  draft = plumb_chat_view_get_draft (self->chat);
  g_settings_set_string (self->settings, "draft", draft);
  g_settings_set_int64 (self->settings, "last-conversation",
                        plumb_chat_view_get_conversation (self->chat));
}

static gboolean
on_save_timeout (gpointer data)
{
  PlumbWindow *self = data;

  self->save_timeout = 0;
  save_work (self);
  return G_SOURCE_REMOVE;
}

/** plumb_window_save_work_soon: keeps the draft and the conversation a second from now */
void
plumb_window_save_work_soon (PlumbWindow *self)
{
  if (self->save_timeout == 0)
    self->save_timeout = g_timeout_add_seconds (1, on_save_timeout, self);
}

static void
save_state (PlumbWindow *self)
{
  int width, height;

  if (self->settings == NULL)
    return;
  gtk_window_get_default_size (GTK_WINDOW (self), &width, &height);
  g_settings_set_int (self->settings, "window-width", MAX (width, 360));
  g_settings_set_int (self->settings, "window-height", MAX (height, 294));
  g_settings_set_boolean (self->settings, "window-maximized",
                          gtk_window_is_maximized (GTK_WINDOW (self)));
  if (!adw_flap_get_folded (self->flap))
    g_settings_set_boolean (self->settings, "show-sidebar", adw_flap_get_reveal_flap (self->flap));
  save_work (self);
}

static void
load_state (PlumbWindow *self)
{
  if (self->settings == NULL)
    return;
  gtk_window_set_default_size (GTK_WINDOW (self),
                               g_settings_get_int (self->settings, "window-width"),
                               g_settings_get_int (self->settings, "window-height"));
  if (g_settings_get_boolean (self->settings, "window-maximized"))
    gtk_window_maximize (GTK_WINDOW (self));
  adw_flap_set_reveal_flap (self->flap, g_settings_get_boolean (self->settings, "show-sidebar"));
  gtk_widget_set_visible (GTK_WIDGET (self->panel),
                          g_settings_get_boolean (self->settings, "show-panel"));
  gtk_widget_set_visible (self->panel_handle,
                          g_settings_get_boolean (self->settings, "show-panel"));
  set_panel_width (self, g_settings_get_int (self->settings, "panel-width"));
  g_settings_bind (self->settings, "panel-page", self->panel, "page", G_SETTINGS_BIND_DEFAULT);
}

static gboolean
plumb_window_close_request (GtkWindow *window)
{
  PlumbWindow *self = PLUMB_WINDOW (window);

  save_state (self);
  plumb_window_stop_all (self);
  plumb_first_run_page_stop (self->first_run);
  return GTK_WINDOW_CLASS (plumb_window_parent_class)->close_request (window);
}

static void
plumb_window_dispose (GObject *object)
{
  PlumbWindow *self = PLUMB_WINDOW (object);

  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_object (&self->chat_signals);
  g_clear_handle_id (&self->save_timeout, g_source_remove);
  g_clear_pointer (&self->examples, g_strfreev);
  g_clear_object (&self->session);
  g_clear_object (&self->settings);
  self->chat = NULL;
  gtk_widget_dispose_template (GTK_WIDGET (self), PLUMB_TYPE_WINDOW);
  G_OBJECT_CLASS (plumb_window_parent_class)->dispose (object);
}

static void
bind_children (GtkWidgetClass *widget_class)
{
  gtk_widget_class_bind_template_child (widget_class, PlumbWindow, toasts);
  gtk_widget_class_bind_template_child (widget_class, PlumbWindow, stack);
  gtk_widget_class_bind_template_child (widget_class, PlumbWindow, failed_page);
  gtk_widget_class_bind_template_child (widget_class, PlumbWindow, failed_path);
  gtk_widget_class_bind_template_child (widget_class, PlumbWindow, first_run);
  gtk_widget_class_bind_template_child (widget_class, PlumbWindow, flap);
  gtk_widget_class_bind_template_child (widget_class, PlumbWindow, sidebar_header);
  gtk_widget_class_bind_template_child (widget_class, PlumbWindow, conversations);
  gtk_widget_class_bind_template_child (widget_class, PlumbWindow, leaflet);
  gtk_widget_class_bind_template_child (widget_class, PlumbWindow, chat_box);
  gtk_widget_class_bind_template_child (widget_class, PlumbWindow, chat_header);
  gtk_widget_class_bind_template_child (widget_class, PlumbWindow, chat_title);
  gtk_widget_class_bind_template_child (widget_class, PlumbWindow, panel_button);
  gtk_widget_class_bind_template_child (widget_class, PlumbWindow, chats);
  gtk_widget_class_bind_template_child (widget_class, PlumbWindow, panel_handle);
  gtk_widget_class_bind_template_child (widget_class, PlumbWindow, panel);
}

static void
plumb_window_class_init (PlumbWindowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = plumb_window_dispose;
  GTK_WINDOW_CLASS (klass)->close_request = plumb_window_close_request;

  g_type_ensure (PLUMB_TYPE_CONVERSATION_LIST);
  g_type_ensure (PLUMB_TYPE_FIRST_RUN_PAGE);
  g_type_ensure (PLUMB_TYPE_PANEL);
  g_type_ensure (PLUMB_TYPE_PANE_HANDLE);
  g_type_ensure (PLUMB_TYPE_PANE_LAYOUT);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/plumbline/Plumbline/ui/plumb-window.ui");
  bind_children (widget_class);
  gtk_widget_class_bind_template_callback (widget_class, on_panel_back);
  gtk_widget_class_bind_template_callback (widget_class, on_handle_moved);
  gtk_widget_class_bind_template_callback (widget_class, on_handle_reset);
  gtk_widget_class_bind_template_callback (widget_class, on_conversation_activated);
  gtk_widget_class_bind_template_callback (widget_class, on_sources_changed);
  plumb_window_install_actions (widget_class);
}

static void
plumb_window_init (PlumbWindow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  plumb_accessible_name_buttons (GTK_WIDGET (self));
  self->cancellable = g_cancellable_new ();
  g_signal_connect_swapped (self->flap, "notify::folded", G_CALLBACK (update_title_buttons), self);
  g_signal_connect_swapped (self->flap, "notify::reveal-flap", G_CALLBACK (update_title_buttons),
                            self);
  g_signal_connect_swapped (self->leaflet, "notify::folded", G_CALLBACK (update_title_buttons),
                            self);
  update_title_buttons (self);
}

/**
 * plumb_window_new:
 * @application: the application
 * @settings: (nullable): where the window's state is kept
 *
 * Returns: (transfer none): a window that waits for a session
 */
PlumbWindow *
plumb_window_new (GtkApplication *application, GSettings *settings)
{
  PlumbWindow *self = g_object_new (PLUMB_TYPE_WINDOW, "application", application, NULL);

  if (settings != NULL)
    self->settings = g_object_ref (settings);
  load_state (self);
  plumb_window_update_actions (self);
  update_title_buttons (self);
  return self;
}
