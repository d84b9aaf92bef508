/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-cli.h"

#include <string.h>

static void
write_probe (PlumbJsonWriter *writer, const PlumbAccountProbe *probe)
{
  plumb_json_writer_name (writer, "version");
  plumb_json_writer_string (writer, probe->version);
  plumb_json_writer_name (writer, "account");
  plumb_json_writer_string (writer, probe->account);
  plumb_json_writer_name (writer, "read_only_proven");
  plumb_json_writer_boolean (writer, probe->read_only_proven);
  plumb_json_writer_name (writer, "read_only_detail");
  plumb_json_writer_string (writer, probe->read_only_detail);
  plumb_json_writer_name (writer, "superuser_rights");
  plumb_json_writer_begin_array (writer);
  for (guint i = 0; i < probe->superuser_rights->len; i++)
    plumb_json_writer_string (writer, g_ptr_array_index (probe->superuser_rights, i));
  plumb_json_writer_end_array (writer);
  plumb_json_writer_name (writer, "write_rights");
  plumb_json_writer_begin_array (writer);
  for (guint i = 0; i < probe->write_rights->len; i++)
    plumb_json_writer_string (writer, g_ptr_array_index (probe->write_rights, i));
  plumb_json_writer_end_array (writer);
  plumb_json_writer_name (writer, "time_zone");
  plumb_json_writer_string (writer, probe->time_zone);
  plumb_json_writer_name (writer, "encoding");
  plumb_json_writer_string (writer, probe->encoding);
  plumb_json_writer_name (writer, "tables");
  plumb_json_writer_int (writer, probe->n_tables);
  plumb_json_writer_name (writer, "selectable");
  plumb_json_writer_int (writer, probe->n_selectable);
}

/* A password from standard input, so that it stands in no shell history: one line. */
static char *
read_password (GError **error)
{
  g_autoptr (GIOChannel) input = g_io_channel_unix_new (0);
  char *line = NULL;
  gsize end = 0;
  GIOStatus status = g_io_channel_read_line (input, &line, NULL, &end, error);

  if (status == G_IO_STATUS_ERROR)
    return NULL;
  if (status != G_IO_STATUS_NORMAL) {
    g_set_error_literal (error, PLUMB_ERROR, PLUMB_ERROR_INVALID_ARGUMENT,
                         "--password-stdin was given, but standard input is empty.");
    return NULL;
  }
  line[end] = '\0';
  return line;
}

static int
add_source (PlumbCli *cli, int argc, char **argv, gboolean accept_risk, gboolean ask_password)
{
  g_autoptr (GPtrArray) warnings = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *password = NULL;
  PlumbSession *session;

  if (argc != 4)
    return plumb_cli_usage (cli, &plumb_cli_source, "“source add” takes a name and an address.");
  if (ask_password && (password = read_password (&error)) == NULL)
    return plumb_cli_fail (cli, error);
  session = plumb_cli_get_session (cli, &error);
  if (session == NULL || !plumb_session_add_source (session, argv[2], argv[3], password, accept_risk,
                                                    &warnings, cli->cancellable, &error))
    return plumb_cli_fail (cli, error);
  for (guint i = 0; warnings != NULL && i < warnings->len; i++)
    g_printerr ("Warning: %s\n", (char *) g_ptr_array_index (warnings, i));
  if (cli->json) {
    g_autoptr (PlumbJsonWriter) writer = plumb_json_writer_new ();

    plumb_json_writer_begin_object (writer);
    plumb_json_writer_name (writer, "added");
    plumb_json_writer_string (writer, argv[2]);
    plumb_json_writer_name (writer, "warnings");
    plumb_json_writer_begin_array (writer);
    for (guint i = 0; warnings != NULL && i < warnings->len; i++)
      plumb_json_writer_string (writer, g_ptr_array_index (warnings, i));
    plumb_json_writer_end_array (writer);
    plumb_json_writer_end_object (writer);
    plumb_cli_print_json (writer);
  } else {
    g_print ("Added %s. Next: plumbline-cli analyze %s\n", argv[2], argv[2]);
  }
  return PLUMB_CLI_DONE;
}

static void
write_source (PlumbJsonWriter *writer, const PlumbSourceRecord *record)
{
  plumb_json_writer_begin_object (writer);
  plumb_json_writer_name (writer, "name");
  plumb_json_writer_string (writer, record->name);
  plumb_json_writer_name (writer, "uri");
  plumb_json_writer_string (writer, record->uri);
  plumb_json_writer_name (writer, "engine");
  plumb_json_writer_string (writer, record->engine);
  plumb_json_writer_name (writer, "version");
  plumb_json_writer_string (writer, record->version);
  plumb_json_writer_name (writer, "tables");
  plumb_json_writer_int (writer, record->n_tables);
  plumb_json_writer_name (writer, "analyzed_at");
  plumb_json_writer_int (writer, record->analyzed_at);
  plumb_json_writer_name (writer, "summary");
  plumb_json_writer_string (writer, record->summary);
  plumb_json_writer_end_object (writer);
}

static int
list_sources (PlumbCli *cli)
{
  static const char *const headings[] = { "Name", "Engine", "Version", "Tables", "Analyzed",
                                          "Address", NULL };
  g_autoptr (PlumbCliTable) table = plumb_cli_table_new (headings);
  g_autoptr (PlumbJsonWriter) writer = plumb_json_writer_new ();
  g_autoptr (GError) error = NULL;
  PlumbSession *session = plumb_cli_get_session (cli, &error);
  g_autoptr (GPtrArray) sources =
      session != NULL ? plumb_session_list_sources (session, &error) : NULL;

  if (sources == NULL)
    return plumb_cli_fail (cli, error);
  plumb_json_writer_begin_object (writer);
  plumb_json_writer_name (writer, "sources");
  plumb_json_writer_begin_array (writer);
  plumb_cli_table_right (table, 3);
  for (guint i = 0; i < sources->len; i++) {
    const PlumbSourceRecord *record = g_ptr_array_index (sources, i);
    g_autofree char *tables = g_strdup_printf ("%" G_GINT64_FORMAT, record->n_tables);
    g_autofree char *analyzed = plumb_cli_format_time (record->analyzed_at);

    write_source (writer, record);
    plumb_cli_table_add (table, record->name, record->engine != NULL ? record->engine : "",
                         record->version != NULL ? record->version : "", tables, analyzed,
                         record->uri, NULL);
  }
  plumb_json_writer_end_array (writer);
  plumb_json_writer_end_object (writer);
  if (cli->json)
    plumb_cli_print_json (writer);
  else if (sources->len > 0)
    plumb_cli_table_print (table);
  else
    g_print ("No source yet. Add one with \"plumbline-cli source add NAME URI\", or the demo with "
             "\"plumbline-cli demo\".\n");
  return PLUMB_CLI_DONE;
}

static void
print_rights (const char *title, GPtrArray *rights)
{
  for (guint i = 0; i < rights->len; i++)
    g_print ("%s %s\n", title, (char *) g_ptr_array_index (rights, i));
}

static const PlumbSourceRecord *
find_record (GPtrArray *sources, const char *name)
{
  for (guint i = 0; i < sources->len; i++) {
    const PlumbSourceRecord *record = g_ptr_array_index (sources, i);

    if (strcmp (record->name, name) == 0)
      return record;
  }
  return NULL;
}

static int
check_source (PlumbCli *cli, int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PlumbAccountProbe) probe = NULL;
  g_autoptr (GPtrArray) sources = NULL;
  const PlumbSourceRecord *record;
  PlumbSession *session;

  if (argc != 3)
    return plumb_cli_usage (cli, &plumb_cli_source, "“source check” takes a name.");
  session = plumb_cli_get_session (cli, &error);
  if (session != NULL)
    probe = plumb_session_check_source (session, argv[2], cli->cancellable, &error);
  if (probe == NULL)
    return plumb_cli_fail (cli, error);
  sources = plumb_session_list_sources (session, NULL);
  record = sources != NULL ? find_record (sources, argv[2]) : NULL;
  if (cli->json) {
    g_autoptr (PlumbJsonWriter) writer = plumb_json_writer_new ();

    plumb_json_writer_begin_object (writer);
    plumb_json_writer_name (writer, "name");
    plumb_json_writer_string (writer, argv[2]);
    plumb_json_writer_name (writer, "uri");
    plumb_json_writer_string (writer, record != NULL ? record->uri : NULL);
    plumb_json_writer_name (writer, "engine");
    plumb_json_writer_string (writer, probe->engine);
    write_probe (writer, probe);
    plumb_json_writer_end_object (writer);
    plumb_cli_print_json (writer);
    return PLUMB_CLI_DONE;
  }
  g_print ("Address:    %s\nEngine:     %s\n", record != NULL ? record->uri : "-", probe->engine);
  g_print ("Version:    %s\nAccount:    %s\n", probe->version,
           probe->account != NULL ? probe->account : "(none)");
  g_print ("Read-only:  %s (%s)\n", probe->read_only_proven ? "proven" : "not proven",
           probe->read_only_detail != NULL ? probe->read_only_detail : "");
  g_print ("Time zone:  %s\nEncoding:   %s\n", probe->time_zone != NULL ? probe->time_zone : "-",
           probe->encoding != NULL ? probe->encoding : "-");
  g_print ("Tables:     %u, of them %u can be read\n", probe->n_tables, probe->n_selectable);
  print_rights ("Should not have: ", probe->superuser_rights);
  print_rights ("Can write:       ", probe->write_rights);
  return PLUMB_CLI_DONE;
}

static int
remove_source (PlumbCli *cli, int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  PlumbSession *session;

  if (argc != 3)
    return plumb_cli_usage (cli, &plumb_cli_source, "“source remove” takes a name.");
  session = plumb_cli_get_session (cli, &error);
  if (session == NULL || !plumb_session_remove_source (session, argv[2], &error))
    return plumb_cli_fail (cli, error);
  if (cli->json) {
    g_autoptr (PlumbJsonWriter) writer = plumb_json_writer_new ();

    plumb_json_writer_begin_object (writer);
    plumb_json_writer_name (writer, "removed");
    plumb_json_writer_string (writer, argv[2]);
    plumb_json_writer_end_object (writer);
    plumb_cli_print_json (writer);
  } else {
    g_print ("Removed %s. Notes and joins that people wrote are kept.\n", argv[2]);
  }
  return PLUMB_CLI_DONE;
}

static int
run_source (PlumbCli *cli, int argc, char **argv)
{
  gboolean accept_risk = FALSE;
  gboolean password = FALSE;
  const GOptionEntry entries[] = {
    { "accept-risk", 0, 0, G_OPTION_ARG_NONE, &accept_risk,
      "Add a source whose account is superuser-like", NULL },
    { "password-stdin", 0, 0, G_OPTION_ARG_NONE, &password, "Read the password from standard input",
      NULL },
    G_OPTION_ENTRY_NULL,
  };
  int exit_code;

  if (!plumb_cli_parse (cli, &plumb_cli_source, entries, &argc, &argv, &exit_code))
    return exit_code;
  if (argc >= 2 && strcmp (argv[1], "add") == 0)
    return add_source (cli, argc, argv, accept_risk, password);
  if (argc == 2 && strcmp (argv[1], "list") == 0)
    return list_sources (cli);
  if (argc >= 2 && strcmp (argv[1], "check") == 0)
    return check_source (cli, argc, argv);
  if (argc >= 2 && strcmp (argv[1], "remove") == 0)
    return remove_source (cli, argc, argv);
  return plumb_cli_usage (cli, &plumb_cli_source, "Say add, list, check or remove.");
}

const PlumbCliCommand plumb_cli_source = {
  "source", "add NAME URI [--accept-risk] [--password-stdin] | list | check NAME | remove NAME",
  "Connect databases", run_source
};
