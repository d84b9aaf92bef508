/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-first-run-page.h"

#include "plumb-accessible.h"
#include "plumb-source-jobs.h"

#include <glib/gi18n-lib.h>

/* Milliseconds between two moves of the bar while nothing is known of the rest. */
#define PULSE_EVERY 120

struct _PlumbFirstRunPage {
  AdwBin parent_instance;

  PlumbSession *session;
  PlumbJob *job;
  guint pulse;

  GtkWidget *page;
  GtkStack *stack;
  GtkLabel *error_label;
  GtkWidget *demo_button;
  GtkProgressBar *progress;
  GtkLabel *doing;
  GtkWidget *cancel_button;
};

enum {
  READY,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (PlumbFirstRunPage, plumb_first_run_page, ADW_TYPE_BIN)

static gboolean
on_pulse (gpointer user_data)
{
  gtk_progress_bar_pulse (PLUMB_FIRST_RUN_PAGE (user_data)->progress);
  return G_SOURCE_CONTINUE;
}

static void
on_progress (PlumbJob *job, const char *doing, int done, int total, PlumbFirstRunPage *self)
{
  g_autofree char *text = NULL;

  if (total > 0) {
    g_clear_handle_id (&self->pulse, g_source_remove);
    gtk_progress_bar_set_fraction (self->progress, CLAMP ((double) done / total, 0, 1));
    text = g_strdup_printf (_("%s (%d of %d)"), doing, done, total);
  }
  gtk_label_set_text (self->doing, text != NULL ? text : doing);
}

static void
on_finished (PlumbJob *job, const GError *error, PlumbFirstRunPage *self)
{
  gboolean cancelled = g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);

  g_clear_handle_id (&self->pulse, g_source_remove);
  g_clear_object (&self->job);
  if (self->stack == NULL)
    return;
  gtk_stack_set_visible_child_name (self->stack, "offer");
  gtk_widget_set_visible (GTK_WIDGET (self->error_label), error != NULL && !cancelled);
  if (error == NULL)
    g_signal_emit (self, signals[READY], 0);
  else if (!cancelled)
    gtk_label_set_text (self->error_label, error->message);
  if (error != NULL)
    gtk_widget_grab_focus (self->demo_button);
}

/** plumb_first_run_page_set_session: the session that databases are added to */
void
plumb_first_run_page_set_session (PlumbFirstRunPage *self, PlumbSession *session)
{
  g_set_object (&self->session, session);
}

/** plumb_first_run_page_start_demo: builds the demo databases; does nothing while it is at it */
void
plumb_first_run_page_start_demo (PlumbFirstRunPage *self)
{
  if (self->job != NULL || self->session == NULL)
    return;
  self->job = plumb_source_jobs_new_demo (self->session);
  g_signal_connect_object (self->job, "progress", G_CALLBACK (on_progress), self, 0);
  g_signal_connect_object (self->job, "finished", G_CALLBACK (on_finished), self, 0);
  gtk_label_set_text (self->doing, _("Building the demo databases"));
  gtk_progress_bar_set_fraction (self->progress, 0);
  self->pulse = g_timeout_add (PULSE_EVERY, on_pulse, self);
  gtk_stack_set_visible_child_name (self->stack, "working");
  gtk_widget_set_sensitive (self->cancel_button, TRUE);
  gtk_widget_grab_focus (self->cancel_button);
  plumb_job_start (self->job);
}

/** plumb_first_run_page_stop: stops what is being built */
void
plumb_first_run_page_stop (PlumbFirstRunPage *self)
{
  if (self->job == NULL)
    return;
  gtk_widget_set_sensitive (self->cancel_button, FALSE);
  plumb_job_cancel (self->job);
}

static void
on_demo (PlumbFirstRunPage *self)
{
  plumb_first_run_page_start_demo (self);
}

static void
on_cancel (PlumbFirstRunPage *self)
{
  plumb_first_run_page_stop (self);
}

static void
plumb_first_run_page_dispose (GObject *object)
{
  PlumbFirstRunPage *self = PLUMB_FIRST_RUN_PAGE (object);

  g_clear_handle_id (&self->pulse, g_source_remove);
  if (self->job != NULL)
    plumb_job_cancel (self->job);
  g_clear_object (&self->job);
  g_clear_object (&self->session);
  adw_bin_set_child (ADW_BIN (self), NULL);
  gtk_widget_dispose_template (GTK_WIDGET (self), PLUMB_TYPE_FIRST_RUN_PAGE);
  G_OBJECT_CLASS (plumb_first_run_page_parent_class)->dispose (object);
}

static void
plumb_first_run_page_class_init (PlumbFirstRunPageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = plumb_first_run_page_dispose;

  signals[READY] = g_signal_new ("ready", PLUMB_TYPE_FIRST_RUN_PAGE, G_SIGNAL_RUN_LAST, 0, NULL,
                                 NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/plumbline/Plumbline/ui/plumb-first-run-page.ui");
  gtk_widget_class_bind_template_child (widget_class, PlumbFirstRunPage, page);
  gtk_widget_class_bind_template_child (widget_class, PlumbFirstRunPage, stack);
  gtk_widget_class_bind_template_child (widget_class, PlumbFirstRunPage, error_label);
  gtk_widget_class_bind_template_child (widget_class, PlumbFirstRunPage, demo_button);
  gtk_widget_class_bind_template_child (widget_class, PlumbFirstRunPage, progress);
  gtk_widget_class_bind_template_child (widget_class, PlumbFirstRunPage, doing);
  gtk_widget_class_bind_template_child (widget_class, PlumbFirstRunPage, cancel_button);
  gtk_widget_class_bind_template_callback (widget_class, on_demo);
  gtk_widget_class_bind_template_callback (widget_class, on_cancel);
}

static void
plumb_first_run_page_init (PlumbFirstRunPage *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  plumb_accessible_name_buttons (GTK_WIDGET (self));
}
