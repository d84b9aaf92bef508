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
  plumb_json_writer_name (writer, "updated_at");
  plumb_json_writer_int (writer, note->updated_at);
  if (note->retired) {
    plumb_json_writer_name (writer, "retired_by");
    plumb_json_writer_string (writer, note->retired_by);
  }
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

/* What a note is now, for the list. */
static char *
describe_note (const PlumbNote *note)
{
  return note->retired ? g_strdup_printf ("%s (retired by %s)", note->text,
                                          note->retired_by != NULL ? note->retired_by : "someone")
                       : g_strdup (note->text);
}

static int
print_notes (PlumbCli *cli, const char *member, GPtrArray *notes, const char *empty)
{
  static const char *const headings[] = { "Id", "Table", "Note", "Author", "Date", NULL };
  g_autoptr (PlumbCliTable) table = plumb_cli_table_new (headings);
  g_autoptr (PlumbJsonWriter) writer = plumb_json_writer_new ();

  plumb_json_writer_begin_object (writer);
  plumb_json_writer_name (writer, member);
  plumb_json_writer_begin_array (writer);
  for (guint i = 0; i < notes->len; i++) {
    const PlumbNote *note = g_ptr_array_index (notes, i);
    g_autofree char *id = g_strdup_printf ("%" G_GINT64_FORMAT, note->id);
    g_autofree char *full = plumb_table_name_join (note->database, note->schema, note->table);
    g_autofree char *date = plumb_cli_format_time (note->updated_at);
    g_autofree char *text = describe_note (note);

    write_note (writer, note);
    plumb_cli_table_add (table, id, full, text, note->author, date, NULL);
  }
  plumb_json_writer_end_array (writer);
  plumb_json_writer_end_object (writer);
  if (cli->json)
    plumb_cli_print_json (writer);
  else if (notes->len > 0)
    plumb_cli_table_print (table);
  else
    g_print ("%s\n", empty);
  return PLUMB_CLI_DONE;
}

static int
list_notes (PlumbCli *cli, const char *name, gboolean with_retired)
{
  g_autoptr (GError) error = NULL;
  PlumbSession *session = plumb_cli_get_session (cli, &error);
  g_autoptr (GPtrArray) notes =
      session != NULL ? plumb_session_list_notes (session, name, with_retired, &error) : NULL;

  if (notes == NULL)
    return plumb_cli_fail (cli, error);
  return print_notes (cli, "notes", notes,
                      "No notes yet. Write one with \"plumbline-cli note add TABLE TEXT\".");
}

static int
list_versions (PlumbCli *cli, gint64 id)
{
  g_autoptr (GError) error = NULL;
  PlumbSession *session = plumb_cli_get_session (cli, &error);
  g_autoptr (GPtrArray) versions =
      session != NULL ? plumb_session_list_note_versions (session, id, &error) : NULL;

  if (versions == NULL)
    return plumb_cli_fail (cli, error);
  return print_notes (cli, "versions", versions, "No such note.");
}

/* Changes one note, and says what became of it. */
static int
change_note (PlumbCli *cli, const char *verb, gint64 id, const char *text)
{
  g_autoptr (GError) error = NULL;
  PlumbSession *session = plumb_cli_get_session (cli, &error);
  const char *done = "retired";
  gboolean changed = FALSE;

  if (session == NULL)
    return plumb_cli_fail (cli, error);
  if (strcmp (verb, "remove") == 0) {
    changed = plumb_session_retire_note (session, id, &error);
  } else if (strcmp (verb, "restore") == 0) {
    changed = plumb_session_restore_note (session, id, &error);
    done = "restored";
  } else {
    changed = plumb_session_edit_note (session, id, text, &error);
    done = "edited";
  }
  if (!changed)
    return plumb_cli_fail (cli, error);
  if (cli->json)
    g_print ("{\"%s\":%" G_GINT64_FORMAT "}\n", done, id);
  else
    g_print ("Note %" G_GINT64_FORMAT " is %s.%s\n", id, done,
             strcmp (done, "retired") == 0 ? " It is kept, but no longer shown." : "");
  return PLUMB_CLI_DONE;
}

/* The commands that begin with the number of a note. */
static int
run_numbered (PlumbCli *cli, int argc, char **argv)
{
  gboolean edits = strcmp (argv[1], "edit") == 0;
  gint64 id;

  if (argc != (edits ? 4 : 3) || !g_ascii_string_to_signed (argv[2], 10, 1, G_MAXINT64, &id, NULL))
    return plumb_cli_usage (cli, &plumb_cli_note,
                            edits ? "“note edit” takes the number of a note and its new text in quotes."
                                  : "Give the number of a note; “note list” shows them.");
  if (strcmp (argv[1], "history") == 0)
    return list_versions (cli, id);
  return change_note (cli, argv[1], id, edits ? argv[3] : NULL);
}

static int
run_note (PlumbCli *cli, int argc, char **argv)
{
  static const char *const numbered[] = { "edit", "remove", "restore", "history", NULL };
  gboolean retired = FALSE;
  const GOptionEntry entries[] = {
    { "retired", 0, 0, G_OPTION_ARG_NONE, &retired, "List retired notes too", NULL },
    G_OPTION_ENTRY_NULL,
  };
  int exit_code;

  if (!plumb_cli_parse (cli, &plumb_cli_note, entries, &argc, &argv, &exit_code))
    return exit_code;
  if (argc >= 2 && strcmp (argv[1], "add") == 0)
    return add_note (cli, argc, argv);
  if ((argc == 2 || argc == 3) && strcmp (argv[1], "list") == 0)
    return list_notes (cli, argc == 3 ? argv[2] : NULL, retired);
  if (argc >= 2 && g_strv_contains (numbered, argv[1]))
    return run_numbered (cli, argc, argv);
  return plumb_cli_usage (cli, &plumb_cli_note, "Say add, list, edit, remove, restore or history.");
}

const PlumbCliCommand plumb_cli_note = {
  "note", "add TABLE TEXT | list [TABLE] [--retired] | edit ID TEXT | remove ID | restore ID | history ID",
  "Write down what people know of a table", run_note
};
