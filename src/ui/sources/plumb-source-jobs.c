/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-source-jobs.h"

#include "plumb-embedding-job.h"

#include <glib/gi18n-lib.h>

static gboolean
analyze (PlumbSession *session, const char *name, PlumbProgress progress, gpointer progress_data,
         GCancellable *cancellable, GError **error)
{
  g_autoptr (PlumbAnalysisReport) report = NULL;

  report = plumb_session_analyze (session, name, FALSE, TRUE, progress, progress_data, cancellable,
                                  error);
  if (report == NULL)
    return FALSE;
  if (report->failures != NULL && report->failures->len > 0) {
    guint n = report->failures->len;

    g_set_error (error, PLUMB_ERROR, PLUMB_ERROR_FAILED,
                 ngettext ("%u table could not be analyzed: %s",
                           "%u tables could not be analyzed; the first: %s", n),
                 n, (const char *) g_ptr_array_index (report->failures, 0));
    return FALSE;
  }
  return plumb_embedding_job_run (session, progress, progress_data, cancellable, error);
}

static gboolean
add_demo (PlumbSession *session, const char *name, PlumbProgress progress, gpointer progress_data,
          GCancellable *cancellable, GError **error)
{
  g_autoptr (GPtrArray) sources = NULL;

  progress (_("Building the demo databases"), 0, 0, progress_data);
  if (!plumb_session_add_demo (session, cancellable, error))
    return FALSE;
  sources = plumb_session_list_sources (session, error);
  if (sources == NULL)
    return FALSE;
  for (guint i = 0; i < sources->len; i++) {
    const PlumbSourceRecord *source = g_ptr_array_index (sources, i);

    if (source->analyzed_at == 0 &&
        !analyze (session, source->name, progress, progress_data, cancellable, error))
      return FALSE;
  }
  return TRUE;
}

/** plumb_source_jobs_new_demo: Returns: (transfer full): a job that builds the demo and analyses
 *  it */
PlumbJob *
plumb_source_jobs_new_demo (PlumbSession *session)
{
  return plumb_job_new (session, add_demo, NULL);
}

/** plumb_source_jobs_new_analyze: Returns: (transfer full): a job that analyses @source */
PlumbJob *
plumb_source_jobs_new_analyze (PlumbSession *session, const char *source)
{
  return plumb_job_new (session, analyze, source);
}
