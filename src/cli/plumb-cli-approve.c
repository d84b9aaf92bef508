/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-cli.h"

#include <string.h>

static int
run_approve (PlumbCli *cli, int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  PlumbSession *session;
  gint64 audit_id;
  gint64 id = 0;
  int exit_code;

  if (!plumb_cli_parse (cli, &plumb_cli_approve, NULL, &argc, &argv, &exit_code))
    return exit_code;
  if (argc != 2 || !g_ascii_string_to_signed (argv[1], 10, 1, G_MAXINT64, &audit_id, NULL))
    return plumb_cli_usage (cli, &plumb_cli_approve,
                            "Give the number of an audit record; see “audit list”.");
  session = plumb_cli_get_session (cli, &error);
  if (session != NULL)
    id = plumb_session_approve (session, audit_id, &error);
  if (error != NULL)
    return plumb_cli_fail (cli, error);
  if (cli->json)
    g_print ("{\"id\":%" G_GINT64_FORMAT "}\n", id);
  else
    g_print ("Marked as answered right, as number %" G_GINT64_FORMAT ".\n", id);
  return PLUMB_CLI_DONE;
}

const PlumbCliCommand plumb_cli_approve = {
  "approve", "AUDIT-ID", "Mark a question as answered right, so that it helps search", run_approve
};

static void
write_approved (PlumbJsonWriter *writer, const PlumbApproved *approved)
{
  plumb_json_writer_begin_object (writer);
  plumb_json_writer_name (writer, "id");
  plumb_json_writer_int (writer, approved->id);
  plumb_json_writer_name (writer, "audit_id");
  plumb_json_writer_int (writer, approved->audit_id);
  plumb_json_writer_name (writer, "question");
  plumb_json_writer_string (writer, approved->question);
  plumb_json_writer_name (writer, "database");
  plumb_json_writer_string (writer, approved->database);
  plumb_json_writer_name (writer, "sql");
  plumb_json_writer_string (writer, approved->sql);
  plumb_json_writer_name (writer, "tables");
  plumb_json_writer_strv (writer, (const char *const *) approved->tables);
  plumb_json_writer_end_object (writer);
}

static int
list_approved (PlumbCli *cli, PlumbSession *session)
{
  static const char *const headings[] = { "Id", "Question", "Database", "SQL", NULL };
  g_autoptr (PlumbCliTable) table = plumb_cli_table_new (headings);
  g_autoptr (PlumbJsonWriter) writer = plumb_json_writer_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) list = plumb_session_list_approved (session, &error);

  if (list == NULL)
    return plumb_cli_fail (cli, error);
  plumb_json_writer_begin_object (writer);
  plumb_json_writer_name (writer, "approved");
  plumb_json_writer_begin_array (writer);
  for (guint i = 0; i < list->len; i++) {
    const PlumbApproved *approved = g_ptr_array_index (list, i);
    g_autofree char *id = g_strdup_printf ("%" G_GINT64_FORMAT, approved->id);

    write_approved (writer, approved);
    plumb_cli_table_add (table, id, approved->question, approved->database, approved->sql, NULL);
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
run_approved (PlumbCli *cli, int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  PlumbSession *session;
  gint64 id = 0;
  int exit_code;

  if (!plumb_cli_parse (cli, &plumb_cli_approved, NULL, &argc, &argv, &exit_code))
    return exit_code;
  if (!(argc == 2 && strcmp (argv[1], "list") == 0) &&
      !(argc == 3 && strcmp (argv[1], "remove") == 0 &&
        g_ascii_string_to_signed (argv[2], 10, 1, G_MAXINT64, &id, NULL)))
    return plumb_cli_usage (cli, &plumb_cli_approved, "Say list, or remove and a number.");
  session = plumb_cli_get_session (cli, &error);
  if (session == NULL)
    return plumb_cli_fail (cli, error);
  if (id == 0)
    return list_approved (cli, session);
  if (!plumb_session_remove_approved (session, id, &error))
    return plumb_cli_fail (cli, error);
  if (cli->json)
    g_print ("{\"removed\":%" G_GINT64_FORMAT "}\n", id);
  else
    g_print ("Removed.\n");
  return PLUMB_CLI_DONE;
}

const PlumbCliCommand plumb_cli_approved = {
  "approved", "list | remove ID", "Questions marked as answered right", run_approved
};
