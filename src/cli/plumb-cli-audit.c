/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-cli.h"

#include "plumb-text.h"

#include <string.h>

/* Records a page of the list holds when all are read. */
#define PAGE 500

static void
write_record (PlumbJsonWriter *writer, const PlumbAuditRecord *record, gboolean with_result)
{
  plumb_json_writer_begin_object (writer);
  plumb_json_writer_name (writer, "id");
  plumb_json_writer_int (writer, record->id);
  plumb_json_writer_name (writer, "at");
  plumb_json_writer_int (writer, record->at);
  plumb_json_writer_name (writer, "user");
  plumb_json_writer_string (writer, record->user);
  plumb_json_writer_name (writer, "origin");
  plumb_json_writer_string (writer, record->origin);
  plumb_json_writer_name (writer, "database");
  plumb_json_writer_string (writer, record->database);
  plumb_json_writer_name (writer, "sql");
  plumb_json_writer_string (writer, record->sql);
  plumb_json_writer_name (writer, "question");
  plumb_json_writer_string (writer, record->question);
  plumb_json_writer_name (writer, "turn");
  plumb_json_writer_int (writer, record->turn_id);
  plumb_json_writer_name (writer, "tables");
  plumb_json_writer_strv (writer, (const char *const *) record->tables);
  plumb_json_writer_name (writer, "state");
  plumb_json_writer_string (writer, plumb_state_to_string (record->state));
  plumb_json_writer_name (writer, "error");
  plumb_json_writer_string (writer, record->error);
  plumb_json_writer_name (writer, "elapsed_ms");
  plumb_json_writer_int (writer, record->elapsed_ms);
  plumb_json_writer_name (writer, "row_count");
  plumb_json_writer_int (writer, record->row_count);
  plumb_json_writer_name (writer, "truncated_by");
  plumb_json_writer_string (writer, record->truncated_by);
  if (with_result) {
    plumb_json_writer_name (writer, "result");
    if (record->result != NULL)
      plumb_json_writer_raw (writer, record->result);
    else
      plumb_json_writer_null (writer);
  }
  plumb_json_writer_end_object (writer);
}

static int
list_audit (PlumbCli *cli, PlumbSession *session, gint64 before, int limit)
{
  static const char *const headings[] = { "Id", "Time", "Origin", "Database", "Rows", "State",
                                          "SQL", NULL };
  g_autoptr (PlumbCliTable) table = plumb_cli_table_new (headings);
  g_autoptr (PlumbJsonWriter) writer = plumb_json_writer_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) records = plumb_session_list_audit (session, before, limit, &error);

  if (records == NULL)
    return plumb_cli_fail (cli, error);
  plumb_cli_table_right (table, 0);
  plumb_cli_table_right (table, 4);
  plumb_json_writer_begin_object (writer);
  plumb_json_writer_name (writer, "records");
  plumb_json_writer_begin_array (writer);
  for (guint i = 0; i < records->len; i++) {
    const PlumbAuditRecord *record = g_ptr_array_index (records, i);
    g_autofree char *id = g_strdup_printf ("%" G_GINT64_FORMAT, record->id);
    g_autofree char *time = plumb_cli_format_time (record->at);
    g_autofree char *rows = record->row_count < 0
                                ? g_strdup ("-")
                                : g_strdup_printf ("%" G_GINT64_FORMAT, record->row_count);

    write_record (writer, record, FALSE);
    plumb_cli_table_add (table, id, time, record->origin, record->database, rows,
                         plumb_state_to_string (record->state), record->sql, NULL);
  }
  plumb_json_writer_end_array (writer);
  plumb_json_writer_end_object (writer);
  if (cli->json)
    plumb_cli_print_json (writer);
  else
    plumb_cli_table_print (table);
  return PLUMB_CLI_DONE;
}

static int
show_audit (PlumbCli *cli, PlumbSession *session, gint64 id)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PlumbAuditRecord) record = plumb_session_get_audit (session, id, &error);
  g_autofree char *time = NULL;
  g_autofree char *tables = NULL;

  if (record == NULL)
    return plumb_cli_fail (cli, error);
  if (cli->json) {
    g_autoptr (PlumbJsonWriter) writer = plumb_json_writer_new ();

    write_record (writer, record, TRUE);
    plumb_cli_print_json (writer);
    return PLUMB_CLI_DONE;
  }
  time = plumb_cli_format_time (record->at);
  tables = record->tables != NULL ? g_strjoinv (", ", record->tables) : g_strdup ("");
  g_print ("%s by %s, %s on %s: %s\n", time, record->user, record->origin, record->database,
           plumb_state_to_string (record->state));
  if (record->question != NULL)
    g_print ("Question: %s\n", record->question);
  g_print ("Tables:   %s\nRows:     %" G_GINT64_FORMAT "%s%s\nTime:     %" G_GINT64_FORMAT " ms\n",
           tables, record->row_count, record->truncated_by != NULL ? ", cut by " : "",
           record->truncated_by != NULL ? record->truncated_by : "", record->elapsed_ms);
  if (record->error != NULL)
    g_print ("Error:    %s\n", record->error);
  g_print ("\n%s\n", record->sql);
  return PLUMB_CLI_DONE;
}

/* Writes all records as JSON lines, oldest last, page by page. */
static int
export_audit (PlumbCli *cli, PlumbSession *session, const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GFile) file = g_file_new_for_commandline_arg (path);
  g_autoptr (GFileOutputStream) stream =
      g_file_replace (file, NULL, FALSE, G_FILE_CREATE_NONE, cli->cancellable, &error);
  gint64 before = 0;
  gint64 written = 0;

  if (stream == NULL)
    return plumb_cli_fail (cli, error);
  for (;;) {
    g_autoptr (GPtrArray) records = plumb_session_list_audit (session, before, PAGE, &error);

    if (records == NULL)
      return plumb_cli_fail (cli, error);
    for (guint i = 0; i < records->len; i++) {
      const PlumbAuditRecord *record = g_ptr_array_index (records, i);
      g_autoptr (PlumbJsonWriter) writer = plumb_json_writer_new ();
      g_autofree char *json = NULL;

      write_record (writer, record, TRUE);
      json = plumb_json_writer_finish (writer);
      if (!g_output_stream_printf (G_OUTPUT_STREAM (stream), NULL, cli->cancellable, &error, "%s\n",
                                   json))
        return plumb_cli_fail (cli, error);
      before = record->id;
      written++;
    }
    if (records->len < PAGE)
      break;
  }
  if (!g_output_stream_close (G_OUTPUT_STREAM (stream), cli->cancellable, &error))
    return plumb_cli_fail (cli, error);
  if (cli->json)
    g_print ("{\"records\":%" G_GINT64_FORMAT "}\n", written);
  else
    g_print ("%" G_GINT64_FORMAT " records are in %s.\n", written, path);
  return PLUMB_CLI_DONE;
}

static int
run_audit (PlumbCli *cli, int argc, char **argv)
{
  gint64 before = 0;
  int limit = 50;
  const GOptionEntry entries[] = {
    { "before", 0, 0, G_OPTION_ARG_INT64, &before, "Only records before this one", "ID" },
    { "limit", 0, 0, G_OPTION_ARG_INT, &limit, "Records at most, 50 by default", "N" },
    G_OPTION_ENTRY_NULL,
  };
  g_autoptr (GError) error = NULL;
  PlumbSession *session;
  gint64 id = 0;
  int exit_code;

  if (!plumb_cli_parse (cli, &plumb_cli_audit, entries, &argc, &argv, &exit_code))
    return exit_code;
  if (argc < 2 || limit < 1)
    return plumb_cli_usage (cli, &plumb_cli_audit, "Say list, show ID or export FILE.");
  if (strcmp (argv[1], "show") == 0 &&
      (argc != 3 || !g_ascii_string_to_signed (argv[2], 10, 1, G_MAXINT64, &id, NULL)))
    return plumb_cli_usage (cli, &plumb_cli_audit, "“audit show” takes the number of a record.");
  session = plumb_cli_get_session (cli, &error);
  if (session == NULL)
    return plumb_cli_fail (cli, error);
  if (strcmp (argv[1], "list") == 0 && argc == 2)
    return list_audit (cli, session, before, limit);
  if (id > 0)
    return show_audit (cli, session, id);
  if (strcmp (argv[1], "export") == 0 && argc == 3)
    return export_audit (cli, session, argv[2]);
  return plumb_cli_usage (cli, &plumb_cli_audit, "Say list, show ID or export FILE.");
}

const PlumbCliCommand plumb_cli_audit = {
  "audit", "list [--before ID] [--limit N] | show ID | export FILE", "Show the statements that were executed",
  run_audit
};
