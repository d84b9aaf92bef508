/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-source.h"

/* Runs one statement at a source and throws its rows away: a program to be killed meanwhile. */

static gboolean
take_columns (GPtrArray *columns, gpointer user_data, GError **error)
{
  return TRUE;
}

static PlumbRowsNext
take_row (const PlumbCell *cells, guint n_cells, gpointer user_data, GError **error)
{
  return PLUMB_ROWS_CONTINUE;
}

int
main (int argc, char **argv)
{
  PlumbLimits limits = { 0, 0, 0, g_ascii_strtoll (argv[3], NULL, 10) };
  PlumbRowSink sink = { .columns = take_columns, .row = take_row };
  g_autoptr (GError) error = NULL;
  g_autoptr (PlumbSource) source = plumb_source_new ("shop", argv[1], g_getenv ("PASSWORD"), &error);

  if (source != NULL)
    plumb_source_run (source, argv[2], &limits, &sink, NULL, NULL, NULL, &error);
  if (error != NULL)
    g_printerr ("%s\n", error->message);
  return error == NULL ? 0 : 1;
}
