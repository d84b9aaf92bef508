/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-cli.h"

#include <string.h>

/* The places of a question's tables as people read them: "1, 4, none". */
static char *
describe_places (const PlumbKnownQuestion *question)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < question->places->len; i++) {
    guint place = g_array_index (question->places, guint, i);

    g_string_append (text, i > 0 ? ", " : "");
    if (place > 0)
      g_string_append_printf (text, "%u", place);
    else
      g_string_append (text, "none");
  }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static const char *
describe_state (const PlumbKnownQuestion *question)
{
  if (question->places->len == 0)
    return "not run";
  if (plumb_known_question_is_complete (question))
    return "found";
  return question->was_complete ? "worse" : "missed";
}

static void
write_question (PlumbJsonWriter *writer, const PlumbKnownQuestion *question)
{
  plumb_json_writer_begin_object (writer);
  plumb_json_writer_name (writer, "id");
  plumb_json_writer_int (writer, question->id);
  plumb_json_writer_name (writer, "database");
  plumb_json_writer_string (writer, question->database);
  plumb_json_writer_name (writer, "question");
  plumb_json_writer_string (writer, question->question);
  plumb_json_writer_name (writer, "gold_tables");
  plumb_json_writer_strv (writer, (const char *const *) question->tables);
  plumb_json_writer_name (writer, "ranks");
  plumb_json_writer_begin_array (writer);
  for (guint i = 0; i < question->places->len; i++) {
    guint place = g_array_index (question->places, guint, i);

    if (place > 0)
      plumb_json_writer_int (writer, place);
    else
      plumb_json_writer_null (writer);
  }
  plumb_json_writer_end_array (writer);
  plumb_json_writer_name (writer, "state");
  plumb_json_writer_string (writer, describe_state (question));
  plumb_json_writer_end_object (writer);
}

static void
print_table (GPtrArray *questions)
{
  static const char *const headings[] = { "Id", "Database", "Question", "Tables", "Places", "State", NULL };
  g_autoptr (PlumbCliTable) table = plumb_cli_table_new (headings);
  guint n_complete = 0;

  for (guint i = 0; i < questions->len; i++) {
    const PlumbKnownQuestion *question = g_ptr_array_index (questions, i);
    g_autofree char *id = g_strdup_printf ("%" G_GINT64_FORMAT, question->id);
    g_autofree char *tables = g_strjoinv (", ", question->tables);
    g_autofree char *places = describe_places (question);

    n_complete += plumb_known_question_is_complete (question);
    plumb_cli_table_add (table, id, question->database, question->question, tables, places,
                         describe_state (question), NULL);
  }
  plumb_cli_table_print (table);
  g_print ("%u of %u have all their tables among the first %d.\n", n_complete, questions->len,
           PLUMB_KNOWN_QUESTION_PLACES);
}

static int
print_questions (PlumbCli *cli, GPtrArray *questions)
{
  g_autoptr (PlumbJsonWriter) writer = plumb_json_writer_new ();
  guint n_complete = 0;

  plumb_json_writer_begin_object (writer);
  plumb_json_writer_name (writer, "questions");
  plumb_json_writer_begin_array (writer);
  for (guint i = 0; i < questions->len; i++) {
    write_question (writer, g_ptr_array_index (questions, i));
    n_complete += plumb_known_question_is_complete (g_ptr_array_index (questions, i));
  }
  plumb_json_writer_end_array (writer);
  plumb_json_writer_name (writer, "complete");
  plumb_json_writer_int (writer, n_complete);
  plumb_json_writer_end_object (writer);
  if (cli->json)
    plumb_cli_print_json (writer);
  else if (questions->len > 0)
    print_table (questions);
  else
    g_print ("No questions yet. Write one down with \"plumbline-cli questions add QUESTION TABLE…\".\n");
  return PLUMB_CLI_DONE;
}

static int
show_questions (PlumbCli *cli, PlumbSession *session, const char *database, gboolean run)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) questions =
      run ? plumb_session_run_questions (session, database, plumb_cli_progress, NULL,
                                         cli->cancellable, &error)
          : plumb_session_list_questions (session, database, &error);

  return questions != NULL ? print_questions (cli, questions) : plumb_cli_fail (cli, error);
}

/* A number under a name as JSON, or the words for people. */
static int
print_done (PlumbCli *cli, const char *member, gint64 number, const char *words)
{
  if (cli->json)
    g_print ("{\"%s\":%" G_GINT64_FORMAT "}\n", member, number);
  else
    g_print ("%s\n", words);
  return PLUMB_CLI_DONE;
}

static int
change_questions (PlumbCli *cli, PlumbSession *session, const char *database, char **argv)
{
  g_autoptr (GError) error = NULL;
  gint64 done;

  if (strcmp (argv[1], "remove") == 0) {
    done = g_ascii_strtoll (argv[2], NULL, 10);
    if (!plumb_session_remove_question (session, done, &error))
      return plumb_cli_fail (cli, error);
    return print_done (cli, "removed", done, "The question is removed.");
  }
  if (strcmp (argv[1], "import") == 0) {
    g_autofree char *words = NULL;

    done = plumb_session_import_questions (session, database, argv[2], &error);
    words = g_strdup_printf ("%d questions are kept.", (int) done);
    return done >= 0 ? print_done (cli, "imported", done, words) : plumb_cli_fail (cli, error);
  }
  done = plumb_session_add_question (session, database, argv[2], (const char *const *) argv + 3, &error);
  return done >= 0 ? print_done (cli, "id", done, "The question is kept.") : plumb_cli_fail (cli, error);
}

/* Whether the verb has the arguments that it needs. */
static gboolean
is_complete (int argc, char **argv)
{
  gint64 id;

  if (argc < 2)
    return FALSE;
  if (strcmp (argv[1], "list") == 0 || strcmp (argv[1], "run") == 0)
    return argc == 2;
  if (strcmp (argv[1], "add") == 0)
    return argc >= 4;
  if (strcmp (argv[1], "import") == 0)
    return argc == 3;
  return strcmp (argv[1], "remove") == 0 && argc == 3 &&
         g_ascii_string_to_signed (argv[2], 10, 1, G_MAXINT64, &id, NULL);
}

static int
run_questions (PlumbCli *cli, int argc, char **argv)
{
  g_autofree char *database = NULL;
  g_autoptr (GError) error = NULL;
  PlumbSession *session;
  const GOptionEntry entries[] = {
    { "db", 0, 0, G_OPTION_ARG_STRING, &database, "Questions about this database", "NAME" },
    G_OPTION_ENTRY_NULL,
  };
  int exit_code;

  if (!plumb_cli_parse (cli, &plumb_cli_questions, entries, &argc, &argv, &exit_code))
    return exit_code;
  if (!is_complete (argc, argv))
    return plumb_cli_usage (cli, &plumb_cli_questions,
                            "Say run, list, add with a question and its tables, import with a file, or "
                            "remove with a number.");
  session = plumb_cli_get_session (cli, &error);
  if (session == NULL)
    return plumb_cli_fail (cli, error);
  if (strcmp (argv[1], "run") == 0 || strcmp (argv[1], "list") == 0)
    return show_questions (cli, session, database, strcmp (argv[1], "run") == 0);
  return change_questions (cli, session, database, argv);
}

const PlumbCliCommand plumb_cli_questions = {
  "questions", "run | list | add QUESTION TABLE… | import FILE.jsonl | remove ID [--db NAME]",
  "Questions whose tables are known: does search still find them?", run_questions
};
