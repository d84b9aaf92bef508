/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-session.h"

/* Analyses a source of an index, for a test that kills it: analyze-once INDEX NAME. */
int
main (int argc, char **argv)
{
  PlumbSessionOptions options = { .index_path = argv[1] };
  g_autoptr (GError) error = NULL;
  g_autoptr (PlumbSession) session = plumb_session_open (&options, &error);
  g_autoptr (PlumbAnalysisReport) report = NULL;

  if (session != NULL)
    report = plumb_session_analyze (session, argv[2], FALSE, FALSE, NULL, NULL, NULL, &error);
  if (report == NULL)
    g_printerr ("%s\n", error->message);
  for (guint i = 0; report != NULL && i < report->failures->len; i++)
    g_printerr ("%s\n", (char *) g_ptr_array_index (report->failures, i));
  return report != NULL && report->failures->len == 0 ? 0 : 1;
}
