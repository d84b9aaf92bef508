/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-note-history.h"

#include "plumb-wording.h"

#include <glib/gi18n-lib.h>

static gpointer
read_versions (PlumbSession *session, gpointer id, GCancellable *cancellable, GError **error)
{
  return plumb_session_list_note_versions (session, *(gint64 *) id, error);
}

static void
append_version (GtkListBox *list, const PlumbNote *version)
{
  GtkWidget *row = adw_action_row_new ();
  g_autofree char *at = plumb_wording_time (version->updated_at);
  g_autofree char *by = g_strdup_printf ("%s · %s", version->author != NULL ? version->author : "", at);

  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), version->text);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), by);
  gtk_list_box_append (list, row);
}

static void
on_read (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (AdwMessageDialog) dialog = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) versions = plumb_session_run_finish (PLUMB_SESSION (source), result, &error);
  GtkListBox *list = g_object_get_data (G_OBJECT (dialog), "list");

  if (versions == NULL) {
    adw_message_dialog_set_body (dialog, error->message);
    return;
  }
  for (guint i = versions->len; i > 0; i--)
    append_version (list, g_ptr_array_index (versions, i - 1));
}

/**
 * plumb_note_history_present:
 * @session: where the note is kept
 * @id: the note
 * @parent: (nullable): the window that it stands before
 *
 * Shows what a note said each time that it was written, the last first.
 */
void
plumb_note_history_present (PlumbSession *session, gint64 id, GtkWindow *parent)
{
  GtkWidget *dialog = adw_message_dialog_new (parent, _("History of the Note"), NULL);
  GtkWidget *scrolled = gtk_scrolled_window_new ();
  GtkWidget *list = gtk_list_box_new ();

  gtk_list_box_set_selection_mode (GTK_LIST_BOX (list), GTK_SELECTION_NONE);
  gtk_widget_set_valign (list, GTK_ALIGN_START);
  gtk_widget_add_css_class (list, "boxed-list");
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (scrolled), TRUE);
  gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (scrolled), 360);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), list);
  adw_message_dialog_set_extra_child (ADW_MESSAGE_DIALOG (dialog), scrolled);
  adw_message_dialog_add_response (ADW_MESSAGE_DIALOG (dialog), "close", _("_Close"));
  g_object_set_data_full (G_OBJECT (dialog), "list", g_object_ref (list), g_object_unref);
  plumb_session_run_async (session, read_versions, g_memdup2 (&id, sizeof id), g_free,
                           (GDestroyNotify) g_ptr_array_unref, NULL, on_read, g_object_ref (dialog));
  gtk_window_present (GTK_WINDOW (dialog));
}
