/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-source-row.h"

#include "plumb-accessible.h"
#include "plumb-source-jobs.h"
#include "plumb-wording.h"

#include <glib/gi18n-lib.h>

struct _PlumbSourceRow {
  AdwActionRow parent_instance;

  PlumbSession *session;
  char *name;
  char *facts;
  char *failure;
  gboolean has_account;
  PlumbJob *job;

  GtkProgressBar *progress;
  GtkWidget *cancel_button;
  GtkWidget *analyze_button;
  GtkWidget *password_button;
  GtkWidget *remove_button;
};

enum {
  REMOVE,
  CHANGE_PASSWORD,
  ANALYZED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (PlumbSourceRow, plumb_source_row, ADW_TYPE_ACTION_ROW)

static void
show_working (PlumbSourceRow *self, gboolean working)
{
  gtk_widget_set_visible (GTK_WIDGET (self->progress), working);
  gtk_widget_set_visible (self->cancel_button, working);
  gtk_widget_set_visible (self->analyze_button, !working);
  gtk_widget_set_visible (self->password_button, !working && self->has_account);
  gtk_widget_set_visible (self->remove_button, !working);
  if (working)
    return;
  adw_action_row_set_subtitle (ADW_ACTION_ROW (self),
                               self->failure != NULL ? self->failure : self->facts);
  if (self->failure != NULL)
    gtk_widget_add_css_class (GTK_WIDGET (self), "failed");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (self), "failed");
}

static void
on_progress (PlumbJob *job, const char *doing, int done, int total, PlumbSourceRow *self)
{
  if (total > 0)
    gtk_progress_bar_set_fraction (self->progress, CLAMP ((double) done / total, 0, 1));
  else
    gtk_progress_bar_pulse (self->progress);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (self), doing);
}

static void
on_finished (PlumbJob *job, const GError *error, PlumbSourceRow *self)
{
  g_clear_object (&self->job);
  if (self->progress == NULL)
    return;
  if (error != NULL && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    self->failure = g_strdup (error->message);
  show_working (self, FALSE);
  g_signal_emit (self, signals[ANALYZED], 0);
  if (plumb_session_is_sign_in_error (error))
    g_signal_emit (self, signals[CHANGE_PASSWORD], 0, error->message);
}

/** plumb_source_row_analyze: starts an analysis of the database */
void
plumb_source_row_analyze (PlumbSourceRow *self)
{
  if (self->job != NULL)
    return;
  self->job = plumb_source_jobs_new_analyze (self->session, self->name);
  g_signal_connect_object (self->job, "progress", G_CALLBACK (on_progress), self, 0);
  g_signal_connect_object (self->job, "finished", G_CALLBACK (on_finished), self, 0);
  gtk_progress_bar_set_fraction (self->progress, 0);
  g_clear_pointer (&self->failure, g_free);
  gtk_widget_remove_css_class (GTK_WIDGET (self), "failed");
  show_working (self, TRUE);
  plumb_job_start (self->job);
}

static void
on_analyze (PlumbSourceRow *self)
{
  plumb_source_row_analyze (self);
}

static void
on_cancel (PlumbSourceRow *self)
{
  if (self->job != NULL)
    plumb_job_cancel (self->job);
}

static void
on_change_password (PlumbSourceRow *self)
{
  g_signal_emit (self, signals[CHANGE_PASSWORD], 0, NULL);
}

static void
on_remove (PlumbSourceRow *self)
{
  g_signal_emit (self, signals[REMOVE], 0);
}

static void
plumb_source_row_dispose (GObject *object)
{
  PlumbSourceRow *self = PLUMB_SOURCE_ROW (object);

  if (self->job != NULL)
    plumb_job_cancel (self->job);
  g_clear_object (&self->job);
  g_clear_object (&self->session);
  g_clear_pointer (&self->name, g_free);
  g_clear_pointer (&self->facts, g_free);
  g_clear_pointer (&self->failure, g_free);
  gtk_widget_dispose_template (GTK_WIDGET (self), PLUMB_TYPE_SOURCE_ROW);
  G_OBJECT_CLASS (plumb_source_row_parent_class)->dispose (object);
}

static void
plumb_source_row_class_init (PlumbSourceRowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = plumb_source_row_dispose;

  signals[REMOVE] = g_signal_new ("remove", PLUMB_TYPE_SOURCE_ROW, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                  NULL, G_TYPE_NONE, 0);
  signals[CHANGE_PASSWORD] = g_signal_new ("change-password", PLUMB_TYPE_SOURCE_ROW,
                                           G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                                           G_TYPE_STRING);
  signals[ANALYZED] = g_signal_new ("analyzed", PLUMB_TYPE_SOURCE_ROW, G_SIGNAL_RUN_LAST, 0, NULL,
                                    NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/plumbline/Plumbline/ui/plumb-source-row.ui");
  gtk_widget_class_bind_template_child (widget_class, PlumbSourceRow, progress);
  gtk_widget_class_bind_template_child (widget_class, PlumbSourceRow, cancel_button);
  gtk_widget_class_bind_template_child (widget_class, PlumbSourceRow, analyze_button);
  gtk_widget_class_bind_template_child (widget_class, PlumbSourceRow, password_button);
  gtk_widget_class_bind_template_child (widget_class, PlumbSourceRow, remove_button);
  gtk_widget_class_bind_template_callback (widget_class, on_analyze);
  gtk_widget_class_bind_template_callback (widget_class, on_cancel);
  gtk_widget_class_bind_template_callback (widget_class, on_change_password);
  gtk_widget_class_bind_template_callback (widget_class, on_remove);
}

static void
plumb_source_row_init (PlumbSourceRow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  plumb_accessible_name_buttons (GTK_WIDGET (self));
}

static char *
describe (const PlumbSourceRecord *record)
{
  GString *text = g_string_new (record->engine != NULL ? record->engine : "");

  if (record->version != NULL && record->version[0] != '\0')
    g_string_append_printf (text, " %s", record->version);
  if (record->n_tables > 0)
    g_string_append_printf (text,
                            ngettext (" · %d table", " · %d tables", (gulong) record->n_tables),
                            (int) record->n_tables);
  if (record->analyzed_at > 0) {
    g_autofree char *at = plumb_wording_time (record->analyzed_at);

    g_string_append_printf (text, _(" · analyzed %s"), at);
  } else {
    g_string_append_printf (text, " · %s", _("Not analyzed"));
  }
  return g_string_free (text, FALSE);
}

/** plumb_source_row_set_record: shows what is known of the database by now */
void
plumb_source_row_set_record (PlumbSourceRow *self, const PlumbSourceRecord *record)
{
  g_free (self->facts);
  self->facts = describe (record);
  /* A file is read with no account. */
  self->has_account = !g_str_has_prefix (record->uri, "sqlite:") &&
                      !g_str_has_prefix (record->uri, "catalog:");
  gtk_widget_set_tooltip_text (GTK_WIDGET (self), record->uri);
  if (record->analyzed_at == 0)
    gtk_widget_add_css_class (self->analyze_button, "suggested-action");
  else
    gtk_widget_remove_css_class (self->analyze_button, "suggested-action");
  show_working (self, self->job != NULL);
}

/** plumb_source_row_new: Returns: a row on the database of @record */
GtkWidget *
plumb_source_row_new (PlumbSession *session, const PlumbSourceRecord *record)
{
  PlumbSourceRow *self = g_object_new (PLUMB_TYPE_SOURCE_ROW, NULL);

  self->session = g_object_ref (session);
  self->name = g_strdup (record->name);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self), record->name);
  plumb_source_row_set_record (self, record);
  return GTK_WIDGET (self);
}

/** plumb_source_row_get_name: Returns: the database's name */
const char *
plumb_source_row_get_name (PlumbSourceRow *self)
{
  return self->name;
}
