/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-cli.h"

typedef struct {
  PlumbCli *cli;
  GPtrArray *statements;
} Asking;

/* A statement that ran, for the answer's event. */
static char *
describe_statement (const PlumbEvent *event)
{
  g_autoptr (PlumbJsonWriter) writer = plumb_json_writer_new ();

  plumb_json_writer_begin_object (writer);
  plumb_json_writer_name (writer, "step");
  plumb_json_writer_int (writer, event->step != NULL ? event->step->number : 0);
  plumb_json_writer_name (writer, "audit_id");
  plumb_json_writer_int (writer, plumb_result_get_audit_id (event->result));
  plumb_json_writer_name (writer, "database");
  plumb_json_writer_string (writer, event->database);
  plumb_json_writer_name (writer, "sql");
  plumb_json_writer_string (writer, event->sql);
  plumb_json_writer_name (writer, "row_count");
  plumb_json_writer_int (writer, plumb_result_get_n_rows (event->result));
  plumb_json_writer_end_object (writer);
  return plumb_json_writer_finish (writer);
}

/* A tool's JSON as JSON, anything else as a string. */
static void
write_text_or_json (PlumbJsonWriter *writer, const char *text)
{
  g_autoptr (JsonNode) node = text != NULL ? plumb_json_parse (text, -1, NULL) : NULL;

  if (node != NULL && (JSON_NODE_HOLDS_OBJECT (node) || JSON_NODE_HOLDS_ARRAY (node)))
    plumb_json_writer_raw (writer, text);
  else
    plumb_json_writer_string (writer, text);
}

static void
print_step_json (const PlumbStep *step)
{
  g_autoptr (PlumbJsonWriter) writer = plumb_json_writer_new ();

  plumb_json_writer_begin_object (writer);
  plumb_json_writer_name (writer, "event");
  plumb_json_writer_string (writer, "step");
  plumb_json_writer_name (writer, "number");
  plumb_json_writer_int (writer, step->number);
  plumb_json_writer_name (writer, "round");
  plumb_json_writer_int (writer, step->round);
  plumb_json_writer_name (writer, "kind");
  plumb_json_writer_string (writer, step->kind == PLUMB_STEP_TOOL ? "tool" : "text");
  if (step->kind == PLUMB_STEP_TOOL) {
    plumb_json_writer_name (writer, "tool");
    plumb_json_writer_string (writer, step->tool);
    plumb_json_writer_name (writer, "arguments");
    write_text_or_json (writer, step->arguments);
  }
  plumb_json_writer_name (writer, "result");
  write_text_or_json (writer, step->result);
  plumb_json_writer_name (writer, "error");
  plumb_json_writer_string (writer, step->error);
  plumb_json_writer_name (writer, "state");
  plumb_json_writer_string (writer, plumb_state_to_string (step->state));
  plumb_json_writer_name (writer, "elapsed_ms");
  plumb_json_writer_double (writer, step->elapsed_us / 1000.0);
  plumb_json_writer_name (writer, "audit_id");
  plumb_json_writer_int (writer, step->audit_id);
  plumb_json_writer_end_object (writer);
  plumb_cli_print_json (writer);
}

/* One line a step for people: what was called, how long, what went wrong. */
static void
print_step (const PlumbStep *step)
{
  if (step->kind != PLUMB_STEP_TOOL)
    return;
  g_printerr ("  %d. %s", step->number, step->tool);
  g_printerr (" (%.1f s)", step->elapsed_us / 1e6);
  if (step->error != NULL) {
    g_autofree char *message = g_strdup (step->error);

    g_printerr (": %s", g_strdelimit (message, "\n", ' '));
  }
  g_printerr ("\n");
}

static void
on_event (const PlumbEvent *event, gpointer user_data)
{
  Asking *asking = user_data;

  if (event->kind == PLUMB_EVENT_STEP_FINISHED && event->step != NULL) {
    if (asking->cli->json)
      print_step_json (event->step);
    else
      print_step (event->step);
  } else if (event->kind == PLUMB_EVENT_RESULT && event->result != NULL) {
    g_ptr_array_add (asking->statements, describe_statement (event));
    if (!asking->cli->json)
      g_printerr ("     %s\n", event->sql);
  }
}

static void
write_numbers (PlumbJsonWriter *writer, const PlumbTurn *turn)
{
  plumb_json_writer_name (writer, "numbers");
  plumb_json_writer_begin_array (writer);
  for (guint i = 0; i < turn->numbers->len; i++) {
    const PlumbAnswerNumber *number = g_ptr_array_index (turn->numbers, i);

    plumb_json_writer_begin_object (writer);
    plumb_json_writer_name (writer, "text");
    plumb_json_writer_bytes (writer, turn->answer + number->start, number->length);
    plumb_json_writer_name (writer, "found");
    plumb_json_writer_boolean (writer, number->found);
    plumb_json_writer_name (writer, "audit_id");
    plumb_json_writer_int (writer, number->audit_id);
    plumb_json_writer_name (writer, "step");
    plumb_json_writer_int (writer, number->step_number);
    plumb_json_writer_end_object (writer);
  }
  plumb_json_writer_end_array (writer);
}

static void
print_answer_json (const PlumbTurn *turn, GPtrArray *statements)
{
  g_autoptr (PlumbJsonWriter) writer = plumb_json_writer_new ();

  plumb_json_writer_begin_object (writer);
  plumb_json_writer_name (writer, "event");
  plumb_json_writer_string (writer, "answer");
  plumb_json_writer_name (writer, "text");
  plumb_json_writer_string (writer, turn->answer);
  plumb_json_writer_name (writer, "conversation");
  plumb_json_writer_int (writer, turn->conversation_id);
  plumb_json_writer_name (writer, "turn");
  plumb_json_writer_int (writer, turn->id);
  plumb_json_writer_name (writer, "model");
  plumb_json_writer_string (writer, turn->model);
  write_numbers (writer, turn);
  plumb_json_writer_name (writer, "statements");
  plumb_json_writer_begin_array (writer);
  for (guint i = 0; i < statements->len; i++)
    plumb_json_writer_raw (writer, g_ptr_array_index (statements, i));
  plumb_json_writer_end_array (writer);
  plumb_json_writer_name (writer, "elapsed_ms");
  plumb_json_writer_double (writer, turn->elapsed_us / 1000.0);
  plumb_json_writer_end_object (writer);
  plumb_cli_print_json (writer);
}

static void
print_answer (const PlumbTurn *turn)
{
  g_print ("%s\n", turn->answer);
  for (guint i = 0; i < turn->numbers->len; i++) {
    const PlumbAnswerNumber *number = g_ptr_array_index (turn->numbers, i);

    if (!number->found)
      g_print ("Not found in any result: %.*s\n", (int) number->length,
               turn->answer + number->start);
  }
}

static int
finish (PlumbCli *cli, PlumbTurn *turn, GPtrArray *statements, const GError *error)
{
  if (turn == NULL)
    return plumb_cli_fail (cli, error);
  if (turn->state != PLUMB_STATE_DONE || turn->answer == NULL) {
    g_autoptr (GError) failure =
        turn->state == PLUMB_STATE_CANCELLED
            ? g_error_new_literal (G_IO_ERROR, G_IO_ERROR_CANCELLED, "Cancelled.")
            : g_error_new_literal (PLUMB_ERROR, PLUMB_ERROR_FAILED,
                                   turn->error != NULL ? turn->error : "There is no answer.");

    return plumb_cli_fail (cli, failure);
  }
  if (cli->json)
    print_answer_json (turn, statements);
  else
    print_answer (turn);
  return PLUMB_CLI_DONE;
}

static int
run_ask (PlumbCli *cli, int argc, char **argv)
{
  g_auto (GStrv) databases = NULL;
  gint64 conversation = 0;
  const GOptionEntry entries[] = {
    { "db", 0, 0, G_OPTION_ARG_STRING_ARRAY, &databases, "Bind the question to this database; repeatable",
      "NAME" },
    { "conversation", 0, 0, G_OPTION_ARG_INT64, &conversation, "Go on with this conversation", "ID" },
    G_OPTION_ENTRY_NULL,
  };
  g_autoptr (GPtrArray) statements = g_ptr_array_new_with_free_func (g_free);
  Asking asking = { cli, statements };
  PlumbAskRequest request = { 0 };
  g_autoptr (PlumbTurn) turn = NULL;
  g_autoptr (GError) error = NULL;
  PlumbSession *session;
  int exit_code;

  if (!plumb_cli_parse (cli, &plumb_cli_ask, entries, &argc, &argv, &exit_code))
    return exit_code;
  if (argc != 2)
    return plumb_cli_usage (cli, &plumb_cli_ask, "The question is missing; put it in quotes.");
  request.conversation_id = conversation;
  request.question = argv[1];
  request.databases = (const char *const *) databases;
  session = plumb_cli_get_session (cli, &error);
  if (session != NULL)
    turn = plumb_session_ask (session, &request, on_event, &asking, cli->cancellable, &error);
  return finish (cli, turn, statements, error);
}

const PlumbCliCommand plumb_cli_ask = {
  "ask", "QUESTION [--db NAME]… [--conversation ID]", "Answer a question with a number and its SQL",
  run_ask
};
