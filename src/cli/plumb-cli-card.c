/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-cli.h"

static void
print_strings (const char *title, GStrv strings)
{
  for (guint i = 0; strings != NULL && strings[i] != NULL; i++)
    g_print ("%s: %s\n", title, strings[i]);
}

static char *
describe_values (PlumbCardColumn *column)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < column->values->len && i < 6; i++) {
    PlumbCodeValue *code = g_ptr_array_index (column->values, i);

    g_string_append_printf (text, "%s%s", i > 0 ? ", " : "", code->value);
    if (code->meaning != NULL)
      g_string_append_printf (text, "=%s", code->meaning);
  }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static void
print_card (PlumbCard *card, GStrv columns)
{
  static const char *const headings[] = { "Column", "Type", "Key", "Meaning", "Values", NULL };
  g_autoptr (PlumbCliTable) table = plumb_cli_table_new (headings);
  g_autofree char *name = plumb_card_get_full_name (card);

  g_print ("%s (%s, %s, %s)\n", name, plumb_table_kind_to_string (card->kind),
           plumb_role_to_string (card->role), plumb_status_to_string (card->status));
  if (card->analyzed_at == 0)
    g_print ("Not analyzed. Run \"plumbline-cli analyze %s\".\n", card->database);
  if (card->purpose != NULL)
    g_print ("Purpose: %s\n", card->purpose);
  if (card->grain != NULL)
    g_print ("Grain: %s\n", card->grain);
  if (card->copy_of != NULL)
    g_print ("Copy of: %s\n", card->copy_of);
  if (card->row_estimate >= 0)
    g_print ("Rows: about %" G_GINT64_FORMAT "\n", card->row_estimate);
  print_strings ("Reason", card->reasons);
  print_strings ("Careful", card->misuse);
  g_print ("\n");
  for (guint i = 0; i < card->columns->len; i++) {
    PlumbCardColumn *column = g_ptr_array_index (card->columns, i);
    g_autofree char *values = describe_values (column);
    const char *meaning = column->comment != NULL ? column->comment : column->meaning;

    if (columns != NULL && !g_strv_contains ((const char *const *) columns, column->name))
      continue;
    plumb_cli_table_add (table, column->name, column->type, column->key != NULL ? column->key : "",
                         meaning != NULL ? meaning : "", values, NULL);
  }
  plumb_cli_table_print (table);
}

/* The names of @columns that the card doesn't have, for the message. */
static char *
find_unknown_columns (PlumbCard *card, GStrv columns)
{
  g_autoptr (GString) unknown = g_string_new (NULL);

  for (guint i = 0; columns != NULL && columns[i] != NULL; i++) {
    if (plumb_card_find_column (card, columns[i]) == NULL)
      g_string_append_printf (unknown, "%s%s", unknown->len > 0 ? ", " : "", columns[i]);
  }
  return unknown->len > 0 ? g_string_free (g_steal_pointer (&unknown), FALSE) : NULL;
}

static void
remove_other_columns (PlumbCard *card, GStrv columns)
{
  for (guint i = card->columns->len; columns != NULL && i > 0; i--) {
    PlumbCardColumn *column = g_ptr_array_index (card->columns, i - 1);

    if (!g_strv_contains ((const char *const *) columns, column->name))
      g_ptr_array_remove_index (card->columns, i - 1);
  }
}

static int
run_card (PlumbCli *cli, int argc, char **argv)
{
  g_autofree char *list = NULL;
  const GOptionEntry entries[] = {
    { "columns", 0, 0, G_OPTION_ARG_STRING, &list, "Show these columns alone", "A,B" },
    G_OPTION_ENTRY_NULL,
  };
  g_auto (GStrv) columns = NULL;
  g_autoptr (PlumbCard) card = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *unknown = NULL;
  PlumbSession *session;
  int exit_code;

  if (!plumb_cli_parse (cli, &plumb_cli_card, entries, &argc, &argv, &exit_code))
    return exit_code;
  if (argc != 2)
    return plumb_cli_usage (cli, &plumb_cli_card, "Name one table.");
  columns = list != NULL ? g_strsplit (list, ",", -1) : NULL;
  session = plumb_cli_get_session (cli, &error);
  if (session != NULL)
    card = plumb_session_get_card (session, argv[1], &error);
  if (card == NULL)
    return plumb_cli_fail (cli, error);
  unknown = find_unknown_columns (card, columns);
  if (unknown != NULL) {
    g_set_error (&error, PLUMB_ERROR, PLUMB_ERROR_NOT_FOUND, "%s has no column %s.", card->name,
                 unknown);
    return plumb_cli_fail (cli, error);
  }
  if (cli->json) {
    g_autoptr (PlumbJsonWriter) writer = plumb_json_writer_new ();
    g_autofree char *json = plumb_card_to_json (card);
    g_autoptr (PlumbCard) copy = plumb_card_from_json (json, NULL);

    remove_other_columns (copy, columns);
    plumb_card_write_json (copy, writer);
    plumb_cli_print_json (writer);
  } else {
    print_card (card, columns);
  }
  return PLUMB_CLI_DONE;
}

const PlumbCliCommand plumb_cli_card = {
  "card", "TABLE [--columns A,B]", "Show what is known of a table", run_card
};
