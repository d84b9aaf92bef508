/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-cli.h"

#include "plumb-table-name.h"

#include <string.h>

static void
write_note (PlumbJsonWriter *writer, const PlumbNote *note)
{
  g_autofree char *table = plumb_table_name_join (note->database, note->schema, note->table);

  plumb_json_writer_begin_object (writer);
  plumb_json_writer_name (writer, "id");
  plumb_json_writer_int (writer, note->id);
  plumb_json_writer_name (writer, "table");
  plumb_json_writer_string (writer, table);
  plumb_json_writer_name (writer, "text");
  plumb_json_writer_string (writer, note->text);
  plumb_json_writer_name (writer, "author");
  plumb_json_writer_string (writer, note->author);
  plumb_json_writer_name (writer, "origin");
  plumb_json_writer_string (writer, note->origin);
  plumb_json_writer_name (writer, "created_at");
  plumb_json_writer_int (writer, note->created_at);
  plumb_json_writer_end_object (writer);
}

static int
add_note (PlumbCli *cli, int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  PlumbSession *session;
  gint64 id = 0;

  if (argc != 4)
    return plumb_cli_usage (cli, &plumb_cli_note, "“note add” takes a table and a text in quotes.");
  session = plumb_cli_get_session (cli, &error);
  if (session != NULL)
    id = plumb_session_add_note (session, argv[2], argv[3], &error);
  if (error != NULL)
    return plumb_cli_fail (cli, error);
  if (cli->json)
    g_print ("{\"id\":%" G_GINT64_FORMAT "}\n", id);
  else
    g_print ("Note %" G_GINT64_FORMAT " is kept.\n", id);
  return PLUMB_CLI_DONE;
}

static int
list_notes (PlumbCli *cli, const char *name)
{
  static const char *const headings[] = { "Id", "Table", "Note", "Author", "Date", NULL };
  g_autoptr (PlumbCliTable) table = plumb_cli_table_new (headings);
  g_autoptr (PlumbJsonWriter) writer = plumb_json_writer_new ();
  g_autoptr (GError) error = NULL;
  PlumbSession *session = plumb_cli_get_session (cli, &error);
  g_autoptr (GPtrArray) notes =
      session != NULL ? plumb_session_list_notes (session, name, &error) : NULL;

  if (notes == NULL)
    return plumb_cli_fail (cli, error);
  plumb_json_writer_begin_object (writer);
  plumb_json_writer_name (writer, "notes");
  plumb_json_writer_begin_array (writer);
  for (guint i = 0; i < notes->len; i++) {
    const PlumbNote *note = g_ptr_array_index (notes, i);
    g_autofree char *id = g_strdup_printf ("%" G_GINT64_FORMAT, note->id);
    g_autofree char *full = plumb_table_name_join (note->database, note->schema, note->table);
    g_autofree char *date = plumb_cli_format_time (note->created_at);

    write_note (writer, note);
    plumb_cli_table_add (table, id, full, note->text, note->author, date, NULL);
  }
  plumb_json_writer_end_array (writer);
  plumb_json_writer_end_object (writer);
  if (cli->json)
    plumb_cli_print_json (writer);
  else if (notes->len > 0)
    plumb_cli_table_print (table);
  else
    g_print ("No notes yet. Write one with \"plumbline-cli note add TABLE TEXT\".\n");
  return PLUMB_CLI_DONE;
}

static int
retire_note (PlumbCli *cli, int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  PlumbSession *session;
  gint64 id;

  if (argc != 3 || !g_ascii_string_to_signed (argv[2], 10, 1, G_MAXINT64, &id, NULL))
    return plumb_cli_usage (cli, &plumb_cli_note, "“note remove” takes the number of a note.");
  session = plumb_cli_get_session (cli, &error);
  if (session == NULL || !plumb_session_retire_note (session, id, &error))
    return plumb_cli_fail (cli, error);
  if (cli->json)
    g_print ("{\"retired\":%" G_GINT64_FORMAT "}\n", id);
  else
    g_print ("Note %" G_GINT64_FORMAT " is retired. It is kept, but no longer shown.\n", id);
  return PLUMB_CLI_DONE;
}

static int
run_note (PlumbCli *cli, int argc, char **argv)
{
  int exit_code;

  if (!plumb_cli_parse (cli, &plumb_cli_note, NULL, &argc, &argv, &exit_code))
    return exit_code;
  if (argc >= 2 && strcmp (argv[1], "add") == 0)
    return add_note (cli, argc, argv);
  if ((argc == 2 || argc == 3) && strcmp (argv[1], "list") == 0)
    return list_notes (cli, argc == 3 ? argv[2] : NULL);
  if (argc >= 2 && strcmp (argv[1], "remove") == 0)
    return retire_note (cli, argc, argv);
  return plumb_cli_usage (cli, &plumb_cli_note, "Say add, list or remove.");
}

const PlumbCliCommand plumb_cli_note = {
  "note", "add TABLE TEXT | list [TABLE] | remove ID", "Write down what people know of a table",
  run_note
};
