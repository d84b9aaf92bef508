/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-session.h"

typedef struct {
  PlumbWork work;
  gpointer data;
  GDestroyNotify free_data;
  GDestroyNotify free_result;
} Job;

static void
job_free (gpointer pointer)
{
  Job *job = pointer;

  if (job->free_data != NULL)
    job->free_data (job->data);
  g_free (job);
}

static void
run_job (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Job *job = task_data;
  GError *error = NULL;
  gpointer result = job->work (source, job->data, cancellable, &error);

  if (error != NULL) {
    if (result != NULL && job->free_result != NULL)
      job->free_result (result);
    g_task_return_error (task, error);
  } else {
    g_task_return_pointer (task, result, job->free_result);
  }
}

/**
 * plumb_session_run_async:
 * @self: the session
 * @work: (scope async): what to do in the thread
 * @data: passed to @work
 * @free_data: (nullable): frees @data when the work is over
 * @free_result: (nullable): frees a result that nobody takes
 * @cancellable: (nullable): passed to @work; cancelled work comes back as cancelled even where it
 *   had a result, so that a stale one is dropped
 * @callback: called on the caller's thread-default main context
 * @callback_data: passed to @callback
 *
 * Runs a blocking call in a thread of its own.
 */
void
plumb_session_run_async (PlumbSession *self, PlumbWork work, gpointer data,
                         GDestroyNotify free_data, GDestroyNotify free_result,
                         GCancellable *cancellable, GAsyncReadyCallback callback,
                         gpointer callback_data)
{
  g_autoptr (GTask) task = g_task_new (self, cancellable, callback, callback_data);
  Job *job = g_new0 (Job, 1);

  job->work = work;
  job->data = data;
  job->free_data = free_data;
  job->free_result = free_result;
  g_task_set_source_tag (task, plumb_session_run_async);
  g_task_set_task_data (task, job, job_free);
  g_task_run_in_thread (task, run_job);
}

/**
 * plumb_session_run_finish:
 * @self: the session
 * @result: what the callback got
 * @error: return location
 *
 * Returns: (transfer full) (nullable): what the work returned; %NULL with @error set where it
 * failed
 */
gpointer
plumb_session_run_finish (PlumbSession *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  return g_task_propagate_pointer (G_TASK (result), error);
}
