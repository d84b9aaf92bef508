/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-cli.h"

#include "plumb-csv.h"

#include <stdio.h>
#include <string.h>

/* What NULL looks like in a terminal's table: an empty string is empty, NULL is not. */
#define NULL_MARK "∅"

static void
print_result (PlumbResult *result)
{
  guint n_columns = plumb_result_get_n_columns (result);
  g_autoptr (GStrvBuilder) headings = g_strv_builder_new ();
  g_auto (GStrv) names = NULL;
  g_autoptr (PlumbCliTable) table = NULL;

  for (guint i = 0; i < n_columns; i++)
    g_strv_builder_add (headings, plumb_result_get_column (result, i)->name);
  names = g_strv_builder_end (headings);
  table = plumb_cli_table_new ((const char *const *) names);
  for (gint64 row = 0; row < plumb_result_get_n_rows (result); row++) {
    g_autoptr (GStrvBuilder) cells = g_strv_builder_new ();

    for (guint i = 0; i < n_columns; i++) {
      const PlumbCell *cell = plumb_result_get_cell (result, row, i);
      g_autofree char *text = plumb_cell_to_display (cell);

      g_strv_builder_add (cells, text != NULL ? text : NULL_MARK);
      if (cell->kind == PLUMB_VALUE_INTEGER || cell->kind == PLUMB_VALUE_DECIMAL ||
          cell->kind == PLUMB_VALUE_FLOAT)
        plumb_cli_table_right (table, i);
    }
    plumb_cli_table_take (table, g_strv_builder_end (cells));
  }
  plumb_cli_table_print (table);
  g_print ("%" G_GINT64_FORMAT " rows in %" G_GINT64_FORMAT " ms%s%s\n",
           plumb_result_get_n_rows (result), plumb_result_get_elapsed_ms (result),
           plumb_result_get_truncated (result) ? ", cut by the limit on " : "",
           plumb_result_get_truncated (result) ? plumb_result_get_truncated_by (result) : "");
}

static void
print_csv (PlumbResult *result)
{
  guint n_columns = plumb_result_get_n_columns (result);
  g_autoptr (GPtrArray) columns = g_ptr_array_new ();
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < n_columns; i++)
    g_ptr_array_add (columns, (gpointer) plumb_result_get_column (result, i));
  plumb_csv_append_names (text, columns, FALSE);
  for (gint64 row = 0; row < plumb_result_get_n_rows (result); row++)
    plumb_csv_append_row (text, plumb_result_get_cell (result, row, 0), n_columns, FALSE);
  fwrite (text->str, 1, text->len, stdout);
}

static void
show_result (PlumbCli *cli, PlumbResult *result, const char *format)
{
  GPtrArray *warnings = plumb_result_get_warnings (result);

  for (guint i = 0; i < warnings->len; i++)
    g_printerr ("Warning: %s\n", (char *) g_ptr_array_index (warnings, i));
  if (cli->json || g_strcmp0 (format, "json") == 0) {
    g_autoptr (PlumbJsonWriter) writer = plumb_json_writer_new ();

    plumb_json_writer_begin_object (writer);
    plumb_result_write_json (result, writer, 0);
    plumb_json_writer_name (writer, "audit_id");
    plumb_json_writer_int (writer, plumb_result_get_audit_id (result));
    plumb_json_writer_end_object (writer);
    plumb_cli_print_json (writer);
  } else if (g_strcmp0 (format, "csv") == 0) {
    print_csv (result);
    if (plumb_result_get_truncated (result))
      g_printerr ("The result was cut by the limit on %s; \"export\" gives all rows.\n",
                  plumb_result_get_truncated_by (result));
  } else {
    print_result (result);
  }
}

static int
run_query (PlumbCli *cli, int argc, char **argv)
{
  g_autofree char *database = NULL;
  g_autofree char *format = NULL;
  gint64 max_rows = PLUMB_LIMITS_DEFAULT.max_rows;
  double timeout = PLUMB_LIMITS_DEFAULT.timeout_ms / 1000.0;
  const GOptionEntry entries[] = {
    { "db", 0, 0, G_OPTION_ARG_STRING, &database, "Database to run on", "NAME" },
    { "max-rows", 0, 0, G_OPTION_ARG_INT64, &max_rows, "Rows at most, 500 by default", "N" },
    { "timeout", 0, 0, G_OPTION_ARG_DOUBLE, &timeout, "Seconds at most, 600 by default", "S" },
    { "format", 0, 0, G_OPTION_ARG_STRING, &format, "table, json or csv", "FORMAT" },
    G_OPTION_ENTRY_NULL,
  };
  PlumbLimits limits = PLUMB_LIMITS_DEFAULT;
  g_autoptr (PlumbResult) result = NULL;
  g_autoptr (GError) error = NULL;
  PlumbSession *session;
  int exit_code;

  if (!plumb_cli_parse (cli, &plumb_cli_query, entries, &argc, &argv, &exit_code))
    return exit_code;
  if (argc != 2 || database == NULL)
    return plumb_cli_usage (cli, &plumb_cli_query, "Give --db and one statement in quotes.");
  if (max_rows < 1 || !(timeout > 0 && timeout < 1e9))
    return plumb_cli_usage (cli, &plumb_cli_query, "--max-rows and --timeout must be above 0.");
  if (format != NULL && strcmp (format, "table") != 0 && strcmp (format, "json") != 0 &&
      strcmp (format, "csv") != 0)
    return plumb_cli_usage (cli, &plumb_cli_query, "--format takes table, json or csv.");
  limits.max_rows = max_rows;
  limits.timeout_ms = MAX ((gint64) (timeout * 1000), 1);
  session = plumb_cli_get_session (cli, &error);
  if (session != NULL)
    result = plumb_session_query (session, database, argv[1], &limits, cli->cancellable, &error);
  if (result == NULL)
    return plumb_cli_fail (cli, error);
  show_result (cli, result, format);
  return PLUMB_CLI_DONE;
}

const PlumbCliCommand plumb_cli_query = {
  "query", "--db NAME SQL [--max-rows N] [--timeout S] [--format table|json|csv]",
  "Run one read-only statement", run_query
};

static int
run_explain (PlumbCli *cli, int argc, char **argv)
{
  g_autofree char *database = NULL;
  const GOptionEntry entries[] = {
    { "db", 0, 0, G_OPTION_ARG_STRING, &database, "Database to ask", "NAME" },
    G_OPTION_ENTRY_NULL,
  };
  g_autofree char *json = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonNode) node = NULL;
  PlumbSession *session;
  int exit_code;

  if (!plumb_cli_parse (cli, &plumb_cli_explain, entries, &argc, &argv, &exit_code))
    return exit_code;
  if (argc != 2 || database == NULL)
    return plumb_cli_usage (cli, &plumb_cli_explain, "Give --db and one statement in quotes.");
  session = plumb_cli_get_session (cli, &error);
  if (session != NULL)
    json = plumb_session_explain (session, database, argv[1], cli->cancellable, &error);
  if (json == NULL)
    return plumb_cli_fail (cli, error);
  node = cli->json ? NULL : plumb_json_parse (json, -1, NULL);
  if (node != NULL && JSON_NODE_HOLDS_OBJECT (node)) {
    const char *plan = plumb_json_get_string (json_node_get_object (node), "plan", NULL);

    g_print ("%s\n", plan != NULL ? plan : json);
  } else {
    g_print ("%s\n", json);
  }
  return PLUMB_CLI_DONE;
}

const PlumbCliCommand plumb_cli_explain = {
  "explain", "--db NAME SQL", "Show the engine's plan, without running the statement", run_explain
};
