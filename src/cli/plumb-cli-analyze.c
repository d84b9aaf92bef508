/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-cli.h"

static void
write_report (PlumbJsonWriter *writer, const char *database, const PlumbAnalysisReport *report)
{
  plumb_json_writer_begin_object (writer);
  plumb_json_writer_name (writer, "database");
  plumb_json_writer_string (writer, database);
  plumb_json_writer_name (writer, "tables");
  plumb_json_writer_int (writer, report->tables);
  plumb_json_writer_name (writer, "analyzed");
  plumb_json_writer_int (writer, report->analyzed);
  plumb_json_writer_name (writer, "unchanged");
  plumb_json_writer_int (writer, report->unchanged);
  plumb_json_writer_name (writer, "gone");
  plumb_json_writer_int (writer, report->gone);
  plumb_json_writer_name (writer, "failures");
  plumb_json_writer_begin_array (writer);
  for (guint i = 0; i < report->failures->len; i++)
    plumb_json_writer_string (writer, g_ptr_array_index (report->failures, i));
  plumb_json_writer_end_array (writer);
  plumb_json_writer_end_object (writer);
}

/* The names given, or those of all sources. */
static GStrv
choose_sources (PlumbSession *session, int argc, char **argv, GError **error)
{
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();
  g_autoptr (GPtrArray) sources = plumb_session_list_sources (session, error);

  if (sources == NULL)
    return NULL;
  if (argc > 1) {
    g_strv_builder_addv (names, (const char **) argv + 1);
    return g_strv_builder_end (names);
  }
  if (sources->len == 0) {
    g_set_error_literal (error, PLUMB_ERROR, PLUMB_ERROR_NOT_FOUND,
                         "There is no source to analyze. Add one with “source add NAME URI”.");
    return NULL;
  }
  for (guint i = 0; i < sources->len; i++)
    g_strv_builder_add (names, ((PlumbSourceRecord *) g_ptr_array_index (sources, i))->name);
  return g_strv_builder_end (names);
}

/* Where an embedding endpoint is set, what changed is embedded too. That search goes without
 * vectors for now is no failure of the analysis. */
static gboolean
embed (PlumbCli *cli, PlumbSession *session, PlumbJsonWriter *writer, GError **error)
{
  g_autoptr (PlumbModelSettings)
      endpoint = plumb_session_get_endpoint (session, PLUMB_ENDPOINT_EMBEDDING);
  g_autoptr (PlumbEmbeddingProgress) progress = NULL;
  g_autoptr (GError) fault = NULL;

  if (endpoint->is_planner)
    return TRUE;
  progress = plumb_session_embed (session, FALSE, plumb_cli_progress, NULL, cli->cancellable,
                                  &fault);
  if (g_error_matches (fault, G_IO_ERROR, G_IO_ERROR_CANCELLED)) {
    g_propagate_error (error, g_steal_pointer (&fault));
    return FALSE;
  }
  plumb_json_writer_name (writer, "embedding");
  if (progress != NULL) {
    plumb_cli_write_embedding (writer, progress);
    plumb_cli_print_embedding (cli, progress);
    return TRUE;
  }
  plumb_json_writer_begin_object (writer);
  plumb_json_writer_name (writer, "error");
  plumb_json_writer_string (writer, fault->message);
  plumb_json_writer_end_object (writer);
  g_printerr ("The tables were analyzed but not all were embedded: %s “plumbline-cli embed” goes "
              "on with it.\n",
              fault->message);
  return TRUE;
}

static int
run_analyze (PlumbCli *cli, int argc, char **argv)
{
  gboolean changed = FALSE;
  gboolean no_model = FALSE;
  const GOptionEntry entries[] = {
    { "changed", 0, 0, G_OPTION_ARG_NONE, &changed, "Only tables that changed", NULL },
    { "no-model", 0, 0, G_OPTION_ARG_NONE, &no_model,
      "Don't ask a language model, nor an embedding endpoint", NULL },
    G_OPTION_ENTRY_NULL,
  };
  g_autoptr (PlumbJsonWriter) writer = plumb_json_writer_new ();
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) names = NULL;
  PlumbSession *session;
  gboolean complete = TRUE;
  int exit_code;

  if (!plumb_cli_parse (cli, &plumb_cli_analyze, entries, &argc, &argv, &exit_code))
    return exit_code;
  session = plumb_cli_get_session (cli, &error);
  if (session != NULL)
    names = choose_sources (session, argc, argv, &error);
  if (names == NULL)
    return plumb_cli_fail (cli, error);
  plumb_json_writer_begin_object (writer);
  plumb_json_writer_name (writer, "databases");
  plumb_json_writer_begin_array (writer);
  for (guint i = 0; names[i] != NULL; i++) {
    g_autoptr (PlumbAnalysisReport) report =
        plumb_session_analyze (session, names[i], changed, !no_model, plumb_cli_progress, NULL,
                               cli->cancellable, &error);

    if (report == NULL)
      return plumb_cli_fail (cli, error);
    write_report (writer, names[i], report);
    complete = complete && report->failures->len == 0;
    if (!cli->json)
      g_print ("%s: %u tables, %u analyzed, %u unchanged, %u gone\n", names[i], report->tables,
               report->analyzed, report->unchanged, report->gone);
    for (guint j = 0; j < report->failures->len; j++)
      g_printerr ("%s: %s\n", names[i], (char *) g_ptr_array_index (report->failures, j));
  }
  plumb_json_writer_end_array (writer);
  if (!no_model && !embed (cli, session, writer, &error))
    return plumb_cli_fail (cli, error);
  plumb_json_writer_end_object (writer);
  if (cli->json)
    plumb_cli_print_json (writer);
  return complete ? PLUMB_CLI_DONE : PLUMB_CLI_FAILED;
}

const PlumbCliCommand plumb_cli_analyze = {
  "analyze", "[NAME…] [--changed] [--no-model]", "Learn what the tables of a source are",
  run_analyze
};
