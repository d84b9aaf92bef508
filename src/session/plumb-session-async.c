/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-session-private.h"

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

/** plumb_session_begin_work: notes that a call runs in a thread, until plumb_session_end_work() */
void
plumb_session_begin_work (PlumbSession *self, GCancellable *cancellable)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->work_lock);

  g_ptr_array_add (self->work, g_object_ref (cancellable));
}

/** plumb_session_end_work: notes that it has ended */
void
plumb_session_end_work (PlumbSession *self, GCancellable *cancellable)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->work_lock);

  g_ptr_array_remove_fast (self->work, cancellable);
  g_cond_broadcast (&self->work_ended);
}

/**
 * plumb_session_stop_work:
 * @self: the session
 * @patience_ms: how long to wait at most, in milliseconds
 *
 * Cancels all that runs in threads of this session and waits until it has ended, which is when the
 * servers have been told. A program that ends before that leaves statements running there.
 *
 * Returns: whether all of it ended in time
 */
gboolean
plumb_session_stop_work (PlumbSession *self, guint patience_ms)
{
  gint64 deadline = g_get_monotonic_time () + patience_ms * G_TIME_SPAN_MILLISECOND;
  g_autoptr (GPtrArray) running = g_ptr_array_new_with_free_func (g_object_unref);
  gboolean in_time = TRUE;

  /* A handler of a cancellable must not find the lock taken. */
  g_mutex_lock (&self->work_lock);
  for (guint i = 0; i < self->work->len; i++)
    g_ptr_array_add (running, g_object_ref (g_ptr_array_index (self->work, i)));
  g_mutex_unlock (&self->work_lock);
  for (guint i = 0; i < running->len; i++)
    g_cancellable_cancel (g_ptr_array_index (running, i));
  g_mutex_lock (&self->work_lock);
  while (self->work->len > 0 && in_time)
    in_time = g_cond_wait_until (&self->work_ended, &self->work_lock, deadline);
  in_time = self->work->len == 0;
  g_mutex_unlock (&self->work_lock);
  return in_time;
}

static void
run_job (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Job *job = task_data;
  GError *error = NULL;
  gpointer result = job->work (source, job->data, cancellable, &error);

  plumb_session_end_work (source, cancellable);
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
  g_autoptr (GCancellable) own = cancellable != NULL ? g_object_ref (cancellable)
                                                     : g_cancellable_new ();
  g_autoptr (GTask) task = g_task_new (self, own, callback, callback_data);
  Job *job = g_new0 (Job, 1);

  job->work = work;
  job->data = data;
  job->free_data = free_data;
  job->free_result = free_result;
  g_task_set_source_tag (task, plumb_session_run_async);
  g_task_set_task_data (task, job, job_free);
  plumb_session_begin_work (self, own);
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
