/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-session-private.h"

#include "plumb-analysis.h"

/**
 * plumb_session_analyze:
 * @self: a session
 * @name: a source
 * @changed_only: whether tables that did not change are left alone
 * @use_model: whether a language model may help with meaning; the passes that work without one are
 *   all that there are so far
 * @progress: (nullable): told of progress, in the calling thread
 * @user_data: passed to @progress
 * @cancellable: (nullable): cancels; tables that are done stay
 * @error: return location
 *
 * Learns what the tables of a source are.
 *
 * Returns: (transfer full): what was done
 */
PlumbAnalysisReport *
plumb_session_analyze (PlumbSession *self, const char *name, gboolean changed_only,
                       gboolean use_model, PlumbProgress progress, gpointer user_data,
                       GCancellable *cancellable, GError **error)
{
  g_autoptr (PlumbSource) source = plumb_workspace_get_source (self->workspace, name, error);
  g_autofree char *domains = plumb_session_make_data_path ("domains");
  PlumbAnalysisOptions options = { .changed_only = changed_only, .domain_folder = domains };
  PlumbAnalysisReport *report;

  if (source == NULL)
    return NULL;
  options.profile = plumb_source_has_rows (source);
  report =
      plumb_analysis_run (self->index, source, &options, progress, user_data, cancellable, error);
  plumb_workspace_forget (self->workspace, name);
  /* Also after a run that ended early, whose cards are stored. A search would do it, and say what is wrong. */
  plumb_workspace_prepare_search (self->workspace, NULL);
  return report;
}
