/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-embedding-job.h"

#include <glib/gi18n-lib.h>

#define KEY "plumb-embedding-job"

/* Whom the progress is told, in the user's language. */
typedef struct {
  PlumbProgress progress;
  gpointer data;
} Listener;

static void
on_progress (const char *doing, int done, int total, gpointer user_data)
{
  const Listener *listener = user_data;

  listener->progress (_("Embedding"), done, total, listener->data);
}

/**
 * plumb_embedding_job_run:
 * @session: the session
 * @progress: told of progress
 * @progress_data: passed to @progress
 * @cancellable: (nullable): cancels
 * @error: return location
 *
 * Embeds what is missing, as a part of another job or by itself.
 *
 * Returns: whether everything is embedded; also where no endpoint is set, and where a job is at it
 */
gboolean
plumb_embedding_job_run (PlumbSession *session, PlumbProgress progress, gpointer progress_data,
                         GCancellable *cancellable, GError **error)
{
  g_autoptr (PlumbModelSettings)
      endpoint = plumb_session_get_endpoint (session, PLUMB_ENDPOINT_EMBEDDING);
  Listener listener = { progress, progress_data };
  g_autoptr (PlumbEmbeddingProgress) report = NULL;
  g_autoptr (GError) fault = NULL;

  if (endpoint->is_planner)
    return TRUE;
  report = plumb_session_embed (session, FALSE, on_progress, &listener, cancellable, &fault);
  if (report == NULL) {
    if (g_error_matches (fault, PLUMB_ERROR, PLUMB_ERROR_EXISTS))
      return TRUE;
    g_propagate_error (error, g_steal_pointer (&fault));
    return FALSE;
  }
  if (report->failed == 0)
    return TRUE;
  g_set_error (error, PLUMB_ERROR, PLUMB_ERROR_FAILED,
               ngettext ("%u text could not be embedded: %s",
                         "%u texts could not be embedded; the first: %s", report->failed),
               report->failed, (const char *) g_ptr_array_index (report->failures, 0));
  return FALSE;
}

static gboolean
run (PlumbSession *session, const char *name, PlumbProgress progress, gpointer progress_data,
     GCancellable *cancellable, GError **error)
{
  return plumb_embedding_job_run (session, progress, progress_data, cancellable, error);
}

static void
on_finished (PlumbJob *job, GError *error, PlumbSession *session)
{
  if (g_object_get_data (G_OBJECT (session), KEY) == job)
    g_object_set_data (G_OBJECT (session), KEY, NULL);
}

/** plumb_embedding_job_get: Returns: (transfer none) (nullable): the job that embeds, while there
 * is one */
PlumbJob *
plumb_embedding_job_get (PlumbSession *session)
{
  return g_object_get_data (G_OBJECT (session), KEY);
}

/** plumb_embedding_job_start: starts a job that embeds what is missing, or joins the one that runs.
 *  Returns: (transfer none): the job */
PlumbJob *
plumb_embedding_job_start (PlumbSession *session)
{
  PlumbJob *job = plumb_embedding_job_get (session);

  if (job != NULL)
    return job;
  job = plumb_job_new (session, run, NULL);
  g_object_set_data_full (G_OBJECT (session), KEY, job, g_object_unref);
  g_signal_connect_object (job, "finished", G_CALLBACK (on_finished), session, G_CONNECT_AFTER);
  plumb_job_start (job);
  return job;
}
