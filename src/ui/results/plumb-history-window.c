/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-history-window.h"

#include "plumb-accessible.h"
#include "plumb-result-view.h"
#include "plumb-text.h"
#include "plumb-wording.h"

#include <glib/gi18n-lib.h>

/* Statements that are listed. */
#define RECORDS_SHOWN 200

struct _PlumbHistoryWindow {
  AdwWindow parent_instance;

  PlumbSession *session;
  GCancellable *cancellable;
  GPtrArray *records;

  AdwLeaflet *leaflet;
  GtkStack *stack;
  AdwStatusPage *empty_page;
  GtkListBox *list;
  AdwWindowTitle *statement_title;
  PlumbResultView *view;
};

G_DEFINE_FINAL_TYPE (PlumbHistoryWindow, plumb_history_window, ADW_TYPE_WINDOW)

static void
on_row_activated (GtkListBox *list, GtkListBoxRow *row, PlumbHistoryWindow *self)
{
  const PlumbAuditRecord *record = g_ptr_array_index (self->records,
                                                      gtk_list_box_row_get_index (row));
  g_autoptr (PlumbExecution) execution = plumb_execution_new_from_record (record);
  g_autoptr (GListStore) executions = g_list_store_new (PLUMB_TYPE_EXECUTION);
  g_autofree char *at = plumb_wording_time (record->at);
  g_autofree char *by = g_strdup_printf ("%s · %s", record->user != NULL ? record->user : "", at);

  g_list_store_append (executions, execution);
  plumb_result_view_set_executions (self->view, G_LIST_MODEL (executions));
  adw_window_title_set_title (self->statement_title, record->database);
  adw_window_title_set_subtitle (self->statement_title, by);
  adw_leaflet_navigate (self->leaflet, ADW_NAVIGATION_DIRECTION_FORWARD);
}

static void
on_back (PlumbHistoryWindow *self)
{
  adw_leaflet_navigate (self->leaflet, ADW_NAVIGATION_DIRECTION_BACK);
}

static GtkWidget *
new_line (const char *text, gboolean small)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  if (small) {
    gtk_widget_add_css_class (label, "caption");
    gtk_widget_add_css_class (label, "dim-label");
  }
  return label;
}

static char *
describe_outcome (const PlumbAuditRecord *record)
{
  if (record->state == PLUMB_STATE_FAILED || record->error != NULL)
    return g_strdup (_("failed"));
  if (record->state == PLUMB_STATE_CANCELLED)
    return g_strdup (_("stopped"));
  if (record->row_count < 0)
    return g_strdup (_("not completed"));
  return plumb_wording_rows (record->row_count);
}

static void
append_record (PlumbHistoryWindow *self, const PlumbAuditRecord *record)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2);
  g_autofree char *about = plumb_text_first_line (
      record->question != NULL ? record->question : record->sql, 120);
  g_autofree char *at = plumb_wording_time (record->at);
  g_autofree char *outcome = describe_outcome (record);
  g_autofree char *facts = g_strdup_printf ("%s · %s · %s", record->database, outcome, at);
  GtkWidget *row = gtk_list_box_row_new ();

  gtk_widget_set_margin_top (box, 6);
  gtk_widget_set_margin_bottom (box, 6);
  gtk_box_append (GTK_BOX (box), new_line (about, FALSE));
  gtk_box_append (GTK_BOX (box), new_line (facts, TRUE));
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, about, -1);
  gtk_list_box_append (self->list, row);
}

static gpointer
list_audit (PlumbSession *session, gpointer data, GCancellable *cancellable, GError **error)
{
  return plumb_session_list_audit (session, 0, RECORDS_SHOWN, error);
}

static void
on_listed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (PlumbHistoryWindow) self = user_data;
  g_autoptr (GError) error = NULL;
  GPtrArray *records = plumb_session_run_finish (PLUMB_SESSION (source), result, &error);

  if (records == NULL || self->session == NULL) {
    if (error != NULL && self->session != NULL &&
        !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
      adw_status_page_set_description (self->empty_page, error->message);
    g_clear_pointer (&records, g_ptr_array_unref);
    return;
  }
  self->records = records;
  for (guint i = 0; i < records->len; i++)
    append_record (self, g_ptr_array_index (records, i));
  gtk_stack_set_visible_child_name (self->stack, records->len > 0 ? "list" : "empty");
}

static void
plumb_history_window_dispose (GObject *object)
{
  PlumbHistoryWindow *self = PLUMB_HISTORY_WINDOW (object);

  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_object (&self->session);
  gtk_widget_dispose_template (GTK_WIDGET (self), PLUMB_TYPE_HISTORY_WINDOW);
  g_clear_pointer (&self->records, g_ptr_array_unref);
  G_OBJECT_CLASS (plumb_history_window_parent_class)->dispose (object);
}

static void
plumb_history_window_class_init (PlumbHistoryWindowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = plumb_history_window_dispose;

  g_type_ensure (PLUMB_TYPE_RESULT_VIEW);
  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/plumbline/Plumbline/ui/plumb-history-window.ui");
  gtk_widget_class_bind_template_child (widget_class, PlumbHistoryWindow, leaflet);
  gtk_widget_class_bind_template_child (widget_class, PlumbHistoryWindow, stack);
  gtk_widget_class_bind_template_child (widget_class, PlumbHistoryWindow, empty_page);
  gtk_widget_class_bind_template_child (widget_class, PlumbHistoryWindow, list);
  gtk_widget_class_bind_template_child (widget_class, PlumbHistoryWindow, statement_title);
  gtk_widget_class_bind_template_child (widget_class, PlumbHistoryWindow, view);
  gtk_widget_class_bind_template_callback (widget_class, on_row_activated);
  gtk_widget_class_bind_template_callback (widget_class, on_back);
}

static void
plumb_history_window_init (PlumbHistoryWindow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  plumb_accessible_name_buttons (GTK_WIDGET (self));
  self->cancellable = g_cancellable_new ();
}

/** plumb_history_window_new: Returns: a window on the statements of @session's index */
GtkWidget *
plumb_history_window_new (PlumbSession *session)
{
  PlumbHistoryWindow *self = g_object_new (PLUMB_TYPE_HISTORY_WINDOW, NULL);

  self->session = g_object_ref (session);
  plumb_session_run_async (session, list_audit, NULL, NULL, (GDestroyNotify) g_ptr_array_unref,
                           self->cancellable, on_listed, g_object_ref (self));
  return GTK_WIDGET (self);
}
