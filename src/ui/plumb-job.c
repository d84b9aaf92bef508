/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-job.h"

/* Microseconds between two reports of progress; more would only keep the main loop busy. */
#define REPORT_EVERY 50000

struct _PlumbJob {
  GObject parent_instance;

  PlumbSession *session;
  PlumbJobFunc func;
  char *name;
  GCancellable *cancellable;
  GApplication *application;
  gint64 reported_at;
};

enum {
  PROGRESS,
  FINISHED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (PlumbJob, plumb_job, G_TYPE_OBJECT)

static void
plumb_job_finalize (GObject *object)
{
  PlumbJob *self = PLUMB_JOB (object);

  g_clear_object (&self->session);
  g_clear_object (&self->cancellable);
  g_free (self->name);
  G_OBJECT_CLASS (plumb_job_parent_class)->finalize (object);
}

static void
plumb_job_class_init (PlumbJobClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = plumb_job_finalize;

  signals[PROGRESS] = g_signal_new ("progress", PLUMB_TYPE_JOB, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                    NULL, G_TYPE_NONE, 3, G_TYPE_STRING, G_TYPE_INT, G_TYPE_INT);
  signals[FINISHED] = g_signal_new ("finished", PLUMB_TYPE_JOB, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                    NULL, G_TYPE_NONE, 1, G_TYPE_ERROR);
}

static void
plumb_job_init (PlumbJob *self)
{
  self->cancellable = g_cancellable_new ();
}

/**
 * plumb_job_new:
 * @session: the session
 * @func: the work
 * @name: (nullable): what it works on, passed to @func
 *
 * Returns: (transfer full): a job that isn't started yet
 */
PlumbJob *
plumb_job_new (PlumbSession *session, PlumbJobFunc func, const char *name)
{
  PlumbJob *self = g_object_new (PLUMB_TYPE_JOB, NULL);

  self->session = g_object_ref (session);
  self->func = func;
  self->name = g_strdup (name);
  return self;
}

typedef struct {
  PlumbJob *job;
  char *doing;
  int done;
  int total;
} Report;

static void
report_free (gpointer pointer)
{
  Report *report = pointer;

  g_object_unref (report->job);
  g_free (report->doing);
  g_free (report);
}

static gboolean
emit_report (gpointer user_data)
{
  Report *report = user_data;

  if (!g_cancellable_is_cancelled (report->job->cancellable))
    g_signal_emit (report->job, signals[PROGRESS], 0, report->doing, report->done, report->total);
  return G_SOURCE_REMOVE;
}

/* Called in the thread. */
static void
on_progress (const char *doing, int done, int total, gpointer user_data)
{
  PlumbJob *self = user_data;
  gint64 now = g_get_monotonic_time ();
  Report *report;

  if (now - self->reported_at < REPORT_EVERY && done < total)
    return;
  self->reported_at = now;
  report = g_new0 (Report, 1);
  report->job = g_object_ref (self);
  report->doing = g_strdup (doing);
  report->done = done;
  report->total = total;
  g_main_context_invoke_full (NULL, G_PRIORITY_DEFAULT, emit_report, report, report_free);
}

static gpointer
run (PlumbSession *session, gpointer data, GCancellable *cancellable, GError **error)
{
  PlumbJob *self = data;

  return GINT_TO_POINTER (self->func (session, self->name, on_progress, self, cancellable, error));
}

static void
on_finished (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (PlumbJob) self = user_data;
  g_autoptr (GError) error = NULL;

  plumb_session_run_finish (PLUMB_SESSION (source), result, &error);
  g_signal_emit (self, signals[FINISHED], 0, error);
  if (self->application != NULL)
    g_application_release (self->application);
}

/** plumb_job_start: starts the work; the program stays until it is over or has been cancelled */
void
plumb_job_start (PlumbJob *self)
{
  self->application = g_application_get_default ();
  if (self->application != NULL)
    g_application_hold (self->application);
  plumb_session_run_async (self->session, run, g_object_ref (self), g_object_unref, NULL,
                           self->cancellable, on_finished, g_object_ref (self));
}

/** plumb_job_cancel: stops the work; it ends with G_IO_ERROR_CANCELLED */
void
plumb_job_cancel (PlumbJob *self)
{
  g_cancellable_cancel (self->cancellable);
}
