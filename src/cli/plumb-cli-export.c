/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-cli.h"

static void
show_export (PlumbCli *cli, const char *json)
{
  g_autoptr (JsonNode) node = cli->json ? NULL : plumb_json_parse (json, -1, NULL);
  JsonObject *report = node != NULL ? json_node_get_object (node) : NULL;
  JsonArray *warnings;

  if (report == NULL) {
    g_print ("%s\n", json);
    return;
  }
  warnings = plumb_json_get_array (report, "warnings");
  for (guint i = 0; warnings != NULL && i < json_array_get_length (warnings); i++)
    g_printerr ("Warning: %s\n", json_array_get_string_element (warnings, i));
  g_print ("%" G_GINT64_FORMAT " rows are in %s.\n", plumb_json_get_int (report, "rows", 0),
           plumb_json_get_string (report, "file", ""));
  if (plumb_json_get_boolean (report, "truncated", FALSE))
    g_printerr ("That is not all: it was cut by the limit on %s.\n",
                plumb_json_get_string (report, "truncated_by", ""));
}

static const char export_help[]
    = "The file gets its name when it is whole; FILE.manifest.json beside it says where the rows "
      "are\n"
      "from. A file that is there is replaced only if it is an earlier export that nobody "
      "changed.\n"
      "\n"
      "Values are written exactly as the server gave them. A spreadsheet may run text that begins "
      "with\n"
      "=, +, -, @, a tab or a line break as a formula when it opens a CSV file: --safe-csv puts "
      "an\n"
      "apostrophe in front of such text (not of numbers), which changes it.";

static int
run_export (PlumbCli *cli, int argc, char **argv)
{
  g_autofree char *database = NULL;
  g_autofree char *path = NULL;
  g_autofree char *format = NULL;
  PlumbExportRequest request = { 0 };
  gint64 max_rows = G_MAXINT64;
  double timeout = 0;
  const GOptionEntry entries[] = {
    { "db", 0, 0, G_OPTION_ARG_STRING, &database, "Database to run on", "NAME" },
    { "to", 0, 0, G_OPTION_ARG_FILENAME, &path, "File to write", "FILE" },
    { "format", 0, 0, G_OPTION_ARG_STRING, &format,
      "csv, xlsx or jsonl; by the file's name if not given", "FORMAT" },
    { "max-rows", 0, 0, G_OPTION_ARG_INT64, &max_rows, "Rows at most, all by default", "N" },
    { "timeout", 0, 0, G_OPTION_ARG_DOUBLE, &timeout, "Seconds at most, 600 by default", "S" },
    { "safe-csv", 0, 0, G_OPTION_ARG_NONE, &request.safe_csv,
      "Mark text that a spreadsheet would run as a formula", NULL },
    { "replace", 0, 0, G_OPTION_ARG_NONE, &request.replace, "Replace the file whatever it holds",
      NULL },
    G_OPTION_ENTRY_NULL,
  };
  g_autofree char *report = NULL;
  g_autoptr (GError) error = NULL;
  PlumbSession *session;
  int exit_code;

  if (!plumb_cli_parse (cli, &plumb_cli_export, entries, &argc, &argv, &exit_code))
    return exit_code;
  if (argc != 2 || database == NULL || path == NULL)
    return plumb_cli_usage (cli, &plumb_cli_export, "Give --db, --to and one statement in quotes.");
  if (max_rows < 1 || !(timeout >= 0 && timeout < 1e9))
    return plumb_cli_usage (cli, &plumb_cli_export, "--max-rows and --timeout must be above 0.");
  request.format = format;
  request.max_rows = max_rows != G_MAXINT64 ? max_rows : 0;
  request.timeout_ms = (gint64)(timeout * 1000);
  session = plumb_cli_get_session (cli, &error);
  if (session != NULL)
    report = plumb_session_export (session, database, argv[1], path, &request, cli->cancellable,
                                   &error);
  if (report == NULL)
    return plumb_cli_fail (cli, error);
  show_export (cli, report);
  return PLUMB_CLI_DONE;
}

const PlumbCliCommand plumb_cli_export = {
  "export",
  "--db NAME SQL --to FILE [--format csv|xlsx|jsonl] [--max-rows N] [--timeout S] [--safe-csv] "
  "[--replace]",
  "Write all rows of a statement to a file", run_export, export_help
};
