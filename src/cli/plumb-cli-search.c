/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-cli.h"

#include "plumb-table-name.h"

static void
print_candidates (PlumbCandidates *found)
{
  static const char *const headings[] = { "#", "Table", "Status", "Role", "Matched by", "Copies",
                                          NULL };
  g_autoptr (PlumbCliTable) table = plumb_cli_table_new (headings);
  g_autofree char *lists = NULL;

  for (guint i = 0; i < found->candidates->len; i++) {
    PlumbCandidate *candidate = g_ptr_array_index (found->candidates, i);
    g_autofree char *name = plumb_card_get_full_name (candidate->card);
    g_autofree char *number = g_strdup_printf ("%u", i + 1);
    g_autofree char *matched =
        candidate->matched_by != NULL ? g_strjoinv (", ", candidate->matched_by) : g_strdup ("");
    g_autofree char *copies =
        candidate->copies != NULL ? g_strjoinv (", ", candidate->copies) : g_strdup ("");

    plumb_cli_table_add (table, number, name, plumb_status_to_string (candidate->card->status),
                         plumb_role_to_string (candidate->card->role), matched, copies, NULL);
  }
  if (found->candidates->len > 0)
    plumb_cli_table_print (table);
  else
    g_print ("No table was found. Try other words, or \"plumbline-cli source list\" to see what was "
             "analyzed.\n");
  for (guint i = 0; i < found->candidates->len; i++) {
    PlumbCandidate *candidate = g_ptr_array_index (found->candidates, i);

    for (guint j = 0; j < candidate->notes->len; j++) {
      PlumbNote *note = g_ptr_array_index (candidate->notes, j);

      g_print ("Note on %s: %s (%s)\n", candidate->card->name,
               note->excerpt != NULL ? note->excerpt : note->text, note->author);
    }
  }
  for (guint i = 0; i < found->no_permission->len; i++)
    g_print ("No permission: %s\n", (char *) g_ptr_array_index (found->no_permission, i));
  if (found->warning != NULL)
    g_printerr ("%s\n", found->warning);
  lists = found->lists != NULL ? g_strjoinv (", ", found->lists) : g_strdup ("");
  g_print ("Searched %u of %u databases by %s%s.\n", found->searched, found->of, lists,
           found->reranked ? ", ordered again by the reranker" : "");
}

static int
run_search (PlumbCli *cli, int argc, char **argv)
{
  g_auto (GStrv) databases = NULL;
  int limit = 8;
  const GOptionEntry entries[] = {
    { "db", 0, 0, G_OPTION_ARG_STRING_ARRAY, &databases, "Search this database alone; repeatable",
      "NAME" },
    { "limit", 0, 0, G_OPTION_ARG_INT, &limit, "Candidates, 8 by default and 30 at most", "N" },
    G_OPTION_ENTRY_NULL,
  };
  g_autoptr (PlumbCandidates) found = NULL;
  g_autoptr (GError) error = NULL;
  PlumbSession *session;
  int exit_code;

  if (!plumb_cli_parse (cli, &plumb_cli_search, entries, &argc, &argv, &exit_code))
    return exit_code;
  if (argc != 2)
    return plumb_cli_usage (cli, &plumb_cli_search, "The question is missing; put it in quotes.");
  if (limit < 1 || limit > 30)
    return plumb_cli_usage (cli, &plumb_cli_search, "--limit takes a number from 1 to 30.");
  session = plumb_cli_get_session (cli, &error);
  if (session != NULL)
    found = plumb_session_search (session, argv[1], (const char *const *) databases, limit,
                                  cli->cancellable, &error);
  if (found == NULL)
    return plumb_cli_fail (cli, error);
  if (cli->json) {
    g_autoptr (PlumbJsonWriter) writer = plumb_json_writer_new ();

    plumb_candidates_write_json (found, writer);
    plumb_cli_print_json (writer);
  } else {
    print_candidates (found);
  }
  return PLUMB_CLI_DONE;
}

const PlumbCliCommand plumb_cli_search = {
  "search", "QUESTION [--db NAME]… [--limit N]", "Find the tables that a question is about",
  run_search
};
