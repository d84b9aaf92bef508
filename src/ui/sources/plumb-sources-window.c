/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-sources-window.h"

#include "plumb-accessible.h"
#include "plumb-password-dialog.h"
#include "plumb-source-dialog.h"
#include "plumb-source-row.h"
#include "plumb-toast.h"

#include <glib/gi18n-lib.h>

struct _PlumbSourcesWindow {
  AdwWindow parent_instance;

  PlumbSession *session;
  GCancellable *cancellable;
  char *analyze_next;

  AdwToastOverlay *toasts;
  GtkStack *stack;
  AdwStatusPage *failed_page;
  GtkListBox *list;
};

enum {
  CHANGED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (PlumbSourcesWindow, plumb_sources_window, ADW_TYPE_WINDOW)

static void read_sources (PlumbSourcesWindow *self);

static void
show_toast (PlumbSourcesWindow *self, const char *text)
{
  adw_toast_overlay_add_toast (self->toasts, plumb_toast_new (text));
}

static gpointer
remove_source (PlumbSession *session, gpointer name, GCancellable *cancellable, GError **error)
{
  return GINT_TO_POINTER (plumb_session_remove_source (session, name, error));
}

static void
on_removed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (PlumbSourcesWindow) self = user_data;
  g_autoptr (GError) error = NULL;

  plumb_session_run_finish (PLUMB_SESSION (source), result, &error);
  if (self->session == NULL)
    return;
  if (error != NULL)
    show_toast (self, error->message);
  read_sources (self);
  g_signal_emit (self, signals[CHANGED], 0);
}

static void
on_remove_response (AdwMessageDialog *dialog, const char *response, PlumbSourcesWindow *self)
{
  const char *name = g_object_get_data (G_OBJECT (dialog), "source");

  if (g_str_equal (response, "remove"))
    plumb_session_run_async (self->session, remove_source, g_strdup (name), g_free, NULL, NULL,
                             on_removed, g_object_ref (self));
}

static void
on_row_remove (PlumbSourceRow *row, PlumbSourcesWindow *self)
{
  const char *name = plumb_source_row_get_name (row);
  GtkWidget *dialog = adw_message_dialog_new (GTK_WINDOW (self), _("Remove This Database?"), NULL);

  adw_message_dialog_format_body (
      ADW_MESSAGE_DIALOG (dialog),
      _("“%s” itself is not touched. What was learned of its tables is removed here; "
         "the history of statements stays."),
      name);
  adw_message_dialog_add_responses (ADW_MESSAGE_DIALOG (dialog), "cancel", _("_Cancel"), "remove",
                                    _("_Remove"), NULL);
  adw_message_dialog_set_response_appearance (ADW_MESSAGE_DIALOG (dialog), "remove",
                                              ADW_RESPONSE_DESTRUCTIVE);
  adw_message_dialog_set_close_response (ADW_MESSAGE_DIALOG (dialog), "cancel");
  g_object_set_data_full (G_OBJECT (dialog), "source", g_strdup (name), g_free);
  g_signal_connect_object (dialog, "response", G_CALLBACK (on_remove_response), self, 0);
  gtk_window_present (GTK_WINDOW (dialog));
}

static void
on_row_analyzed (PlumbSourceRow *row, PlumbSourcesWindow *self)
{
  read_sources (self);
  g_signal_emit (self, signals[CHANGED], 0);
}

static void
on_password_stored (PlumbPasswordDialog *dialog, const char *warning, PlumbSourcesWindow *self)
{
  show_toast (self, warning != NULL ? warning : _("The password was changed"));
}

/* Asked for, or because the server did not take the one that is stored. */
static void
on_row_change_password (PlumbSourceRow *row, const char *reason, PlumbSourcesWindow *self)
{
  GtkWidget *dialog = plumb_password_dialog_new (self->session, plumb_source_row_get_name (row),
                                                 reason);

  g_signal_connect_object (dialog, "stored", G_CALLBACK (on_password_stored), self, 0);
  gtk_window_set_transient_for (GTK_WINDOW (dialog), GTK_WINDOW (self));
  gtk_window_set_modal (GTK_WINDOW (dialog), TRUE);
  gtk_window_present (GTK_WINDOW (dialog));
}

/* Rows stay as long as their database does: an analysis may be running in one. */
static void
show_source (PlumbSourcesWindow *self, int place, const PlumbSourceRecord *record)
{
  GtkListBoxRow *row;

  while ((row = gtk_list_box_get_row_at_index (self->list, place)) != NULL &&
         strcmp (plumb_source_row_get_name (PLUMB_SOURCE_ROW (row)), record->name) < 0)
    gtk_list_box_remove (self->list, GTK_WIDGET (row));
  if (row != NULL &&
      g_str_equal (plumb_source_row_get_name (PLUMB_SOURCE_ROW (row)), record->name)) {
    plumb_source_row_set_record (PLUMB_SOURCE_ROW (row), record);
  } else {
    row = GTK_LIST_BOX_ROW (plumb_source_row_new (self->session, record));
    g_signal_connect_object (row, "remove", G_CALLBACK (on_row_remove), self, 0);
    g_signal_connect_object (row, "change-password", G_CALLBACK (on_row_change_password), self, 0);
    g_signal_connect_object (row, "analyzed", G_CALLBACK (on_row_analyzed), self, 0);
    gtk_list_box_insert (self->list, GTK_WIDGET (row), place);
  }
  if (g_strcmp0 (self->analyze_next, record->name) == 0)
    plumb_source_row_analyze (PLUMB_SOURCE_ROW (row));
}

static gpointer
list_sources (PlumbSession *session, gpointer data, GCancellable *cancellable, GError **error)
{
  return plumb_session_list_sources (session, error);
}

static void
on_sources_read (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (PlumbSourcesWindow) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) sources = plumb_session_run_finish (PLUMB_SESSION (source), result, &error);
  GtkListBoxRow *row;

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED) || self->session == NULL)
    return;
  if (sources == NULL) {
    adw_status_page_set_description (self->failed_page, error->message);
    gtk_stack_set_visible_child_name (self->stack, "failed");
    return;
  }
  for (guint i = 0; i < sources->len; i++)
    show_source (self, i, g_ptr_array_index (sources, i));
  while ((row = gtk_list_box_get_row_at_index (self->list, sources->len)) != NULL)
    gtk_list_box_remove (self->list, GTK_WIDGET (row));
  g_clear_pointer (&self->analyze_next, g_free);
  gtk_stack_set_visible_child_name (self->stack, sources->len > 0 ? "list" : "empty");
}

static void
read_sources (PlumbSourcesWindow *self)
{
  plumb_session_run_async (self->session, list_sources, NULL, NULL,
                           (GDestroyNotify) g_ptr_array_unref, self->cancellable, on_sources_read,
                           g_object_ref (self));
}

/* A new database can't be asked about before it was analysed, so that comes right away. */
static void
on_added (PlumbSourceDialog *dialog, const char *name, GPtrArray *warnings,
          PlumbSourcesWindow *self)
{
  for (guint i = 0; i < warnings->len; i++)
    show_toast (self, g_ptr_array_index (warnings, i));
  g_free (self->analyze_next);
  self->analyze_next = g_strdup (name);
  read_sources (self);
  g_signal_emit (self, signals[CHANGED], 0);
}

/** plumb_sources_window_add: opens the dialog that connects a database */
void
plumb_sources_window_add (PlumbSourcesWindow *self)
{
  GtkWidget *dialog = plumb_source_dialog_new (self->session);

  g_signal_connect_object (dialog, "added", G_CALLBACK (on_added), self, 0);
  gtk_window_set_transient_for (GTK_WINDOW (dialog), GTK_WINDOW (self));
  gtk_window_set_modal (GTK_WINDOW (dialog), TRUE);
  gtk_window_present (GTK_WINDOW (dialog));
}

static void
on_add (PlumbSourcesWindow *self)
{
  plumb_sources_window_add (self);
}

static void
plumb_sources_window_dispose (GObject *object)
{
  PlumbSourcesWindow *self = PLUMB_SOURCES_WINDOW (object);

  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_object (&self->session);
  g_clear_pointer (&self->analyze_next, g_free);
  gtk_widget_dispose_template (GTK_WIDGET (self), PLUMB_TYPE_SOURCES_WINDOW);
  G_OBJECT_CLASS (plumb_sources_window_parent_class)->dispose (object);
}

static void
plumb_sources_window_class_init (PlumbSourcesWindowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = plumb_sources_window_dispose;

  signals[CHANGED] = g_signal_new ("changed", PLUMB_TYPE_SOURCES_WINDOW, G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/plumbline/Plumbline/ui/plumb-sources-window.ui");
  gtk_widget_class_bind_template_child (widget_class, PlumbSourcesWindow, toasts);
  gtk_widget_class_bind_template_child (widget_class, PlumbSourcesWindow, stack);
  gtk_widget_class_bind_template_child (widget_class, PlumbSourcesWindow, failed_page);
  gtk_widget_class_bind_template_child (widget_class, PlumbSourcesWindow, list);
  gtk_widget_class_bind_template_callback (widget_class, on_add);
}

static void
plumb_sources_window_init (PlumbSourcesWindow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  plumb_accessible_name_buttons (GTK_WIDGET (self));
  self->cancellable = g_cancellable_new ();
}

/** plumb_sources_window_new: Returns: a window on the databases of @session */
GtkWidget *
plumb_sources_window_new (PlumbSession *session)
{
  PlumbSourcesWindow *self = g_object_new (PLUMB_TYPE_SOURCES_WINDOW, NULL);

  self->session = g_object_ref (session);
  read_sources (self);
  return GTK_WIDGET (self);
}
