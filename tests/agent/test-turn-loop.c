/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "agent-fixture.h"

#include <string.h>

#define COUNT                                                                                      \
  "{\"database\":\"shop\",\"sql\":\"SELECT COUNT(*) FROM orders WHERE status = 'open'\"}"

/* Counts until it is stopped. */
#define FOREVER                                                                                    \
  "{\"database\":\"shop\",\"sql\":\"WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 "     \
  "FROM n) SELECT MAX(i) FROM n\"}"

typedef struct {
  AgentFixture agent;
  ScriptedModel *model;
  PlumbTurnRequest request;
  GCancellable *cancellable;
  GString *events;
  GError *error;
  gboolean cancel_in_tool;
} Fixture;

static void
on_event (const PlumbEvent *event, gpointer user_data)
{
  static const char *const names[] = { "start", "step",   "change", "finish",
                                       "text",  "tables", "rows",   "end" };
  Fixture *f = user_data;

  g_string_append_printf (f->events, "%s%s", f->events->len > 0 ? " " : "", names[event->kind]);
  if (event->step != NULL && event->kind == PLUMB_EVENT_STEP_FINISHED)
    g_string_append_printf (f->events, ":%s:%s",
                            event->step->tool != NULL ? event->step->tool : "text",
                            plumb_state_to_string (event->step->state));
  if (f->cancel_in_tool && event->kind == PLUMB_EVENT_STEP_STARTED &&
      event->step->kind == PLUMB_STEP_TOOL)
    g_cancellable_cancel (f->cancellable);
}

static GDateTime *
make_now (void)
{
  return g_date_time_new_local (2026, 11, 30, 12, 0, 0);
}

static void
set_up (Fixture *f, gconstpointer data)
{
  agent_fixture_set_up (&f->agent, NULL);
  f->model = scripted_model_new ();
  f->cancellable = g_cancellable_new ();
  f->events = g_string_new (NULL);
  f->request = (PlumbTurnRequest) {
    .workspace = f->agent.workspace,
    .model = PLUMB_MODEL (f->model),
    .question = "How many orders are open?",
    .now = make_now (),
    .export_folder = f->agent.folder,
    .query_limits = PLUMB_LIMITS_DEFAULT,
    .limits = PLUMB_TURN_LIMITS_DEFAULT,
    .func = on_event,
    .user_data = f,
  };
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  g_assert_finalize_object (f->model);
  g_object_unref (f->cancellable);
  g_string_free (f->events, TRUE);
  g_date_time_unref (f->request.now);
  g_clear_error (&f->error);
  agent_fixture_tear_down (&f->agent);
}

static PlumbTurn *
ask (Fixture *f)
{
  return plumb_turn_loop_run (&f->request, f->cancellable, &f->error);
}

/* The turn that the index keeps: the only one of the only conversation. */
static PlumbTurn *
get_stored (Fixture *f)
{
  g_autoptr (GPtrArray) conversations = plumb_index_list_conversations (f->agent.index, NULL);
  g_autoptr (GPtrArray) turns = NULL;

  g_assert_cmpuint (conversations->len, ==, 1);
  turns = plumb_index_list_turns (
      f->agent.index, ((PlumbConversation *) g_ptr_array_index (conversations, 0))->id, NULL);
  g_assert_cmpuint (turns->len, ==, 1);
  return plumb_turn_copy (g_ptr_array_index (turns, 0));
}

static void
test_answer (Fixture *f, gconstpointer data)
{
  g_autoptr (PlumbTurn) turn = NULL;
  g_autoptr (PlumbTurn) stored = NULL;
  const PlumbAnswerNumber *number;
  const PlumbStep *step;

  scripted_model_call (f->model, "I look.", "search_tables", "{\"query\":\"open orders\"}");
  scripted_model_call (f->model, NULL, "run_query", COUNT);
  scripted_model_say (f->model, "5 orders are open.");
  turn = ask (f);
  g_assert_no_error (f->error);
  g_assert_cmpstr (turn->answer, ==, "5 orders are open.");
  g_assert_cmpint (turn->state, ==, PLUMB_STATE_DONE);
  g_assert_cmpstr (f->events->str, ==,
                   "start text step finish:text:done step finish:search_tables:done tables "
                   "step finish:run_query:done rows text end");
  number = g_ptr_array_index (turn->numbers, 0);
  step = g_ptr_array_index (turn->steps, 2);
  g_assert_true (number->found);
  g_assert_cmpint (number->step_number, ==, 3);
  g_assert_cmpint (number->audit_id, ==, step->audit_id);
  g_assert_cmpint (step->audit_id, >, 0);
  stored = get_stored (f);
  g_assert_cmpuint (stored->steps->len, ==, 3);
  g_assert_cmpuint (stored->numbers->len, ==, 1);
  g_assert_cmpstr (stored->answer, ==, turn->answer);
}

static void
test_tool_errors (Fixture *f, gconstpointer data)
{
  g_autoptr (PlumbTurn) turn = NULL;
  const PlumbStep *step;

  scripted_model_call (f->model, NULL, "run_query", "not json");
  scripted_model_call (f->model, NULL, "no_such_tool", "{}");
  scripted_model_call (
      f->model, NULL, "run_query",
      "{\"database\":\"shop\",\"sql\":\"SELECT COUNT(*) FROM orders WHERE state = 'open'\"}");
  scripted_model_call (f->model, NULL, "run_query", COUNT);
  scripted_model_say (f->model, "5");
  turn = ask (f);
  g_assert_no_error (f->error);
  g_assert_cmpstr (turn->answer, ==, "5");
  step = g_ptr_array_index (turn->steps, 2);
  g_assert_cmpint (step->state, ==, PLUMB_STATE_FAILED);
  g_assert_nonnull (strstr (step->error, "state"));
}

static void
test_equal_calls (Fixture *f, gconstpointer data)
{
  g_autoptr (PlumbTurn) turn = NULL;
  g_autofree char *spaced = g_strconcat (" ", COUNT, NULL);

  scripted_model_call (f->model, NULL, "run_query", COUNT);
  scripted_model_call (f->model, NULL, "run_query", COUNT);
  scripted_model_call (f->model, NULL, "run_query", spaced);
  scripted_model_say (f->model, "5");
  turn = ask (f);
  g_assert_no_error (f->error);
  g_assert_nonnull (strstr (scripted_model_get_last (f->model), "this very call before"));
  g_assert_cmpuint (agent_fixture_count_audit (&f->agent), ==, 2);
}

static void
test_many_calls_in_one_reply (Fixture *f, gconstpointer data)
{
  g_autoptr (PlumbTurn) turn = NULL;

  scripted_model_call (f->model, NULL, "list_tables", "{\"database\":\"shop\"}");
  for (guint i = 0; i < 9; i++) {
    g_autofree char *arguments = g_strdup_printf ("{\"database\":\"shop\",\"pattern\":\"%u\"}", i);

    scripted_model_call_also (f->model, "list_tables", arguments);
  }
  scripted_model_say (f->model, "Nothing is known of that.");
  turn = ask (f);
  g_assert_no_error (f->error);
  g_assert_cmpuint (turn->steps->len, ==, 10);
  g_assert_cmpint (((PlumbStep *) g_ptr_array_index (turn->steps, 7))->state, ==, PLUMB_STATE_DONE);
  g_assert_cmpint (((PlumbStep *) g_ptr_array_index (turn->steps, 8))->state, ==,
                   PLUMB_STATE_FAILED);
}

static void
test_rounds_end (Fixture *f, gconstpointer data)
{
  g_autoptr (PlumbTurn) stored = NULL;

  for (guint i = 0; i < 12; i++) {
    g_autofree char *arguments = g_strdup_printf ("{\"query\":\"orders %u\"}", i);

    scripted_model_call (f->model, NULL, "search_tables", arguments);
  }
  g_assert_null (ask (f));
  g_assert_error (f->error, PLUMB_ERROR, PLUMB_ERROR_FAILED);
  g_assert_cmpuint (scripted_model_get_n_calls (f->model), ==, 12);
  stored = get_stored (f);
  g_assert_cmpint (stored->state, ==, PLUMB_STATE_FAILED);
  g_assert_cmpstr (stored->error, ==, f->error->message);
  g_assert_cmpuint (stored->steps->len, ==, 11);
}

static void
test_history_is_bounded (Fixture *f, gconstpointer data)
{
  g_autoptr (PlumbTurn) turn = NULL;

  f->request.limits.max_history_bytes = 24 * 1024;
  for (guint i = 0; i < 10; i++) {
    g_autofree char *arguments =
        g_strdup_printf ("{\"table\":\"wide\",\"columns\":[\"measurement_value_%03u\"]}", i + 1);

    scripted_model_call (f->model, NULL, "get_table_card",
                         i % 2 == 0 ? "{\"table\":\"shop.main.wide\"}" : arguments);
    f->request.question = "How many?";
  }
  scripted_model_say (f->model, "I can't tell.");
  turn = ask (f);
  g_assert_no_error (f->error);
  g_assert_cmpuint (scripted_model_get_longest (f->model), <=, 24 * 1024);
}

static void
test_tokens_end (Fixture *f, gconstpointer data)
{
  f->request.limits.max_tokens = 1000;
  scripted_model_set_tokens (f->model, 600);
  scripted_model_call (f->model, NULL, "run_query", COUNT);
  scripted_model_call (f->model, NULL, "search_tables", "{\"query\":\"x\"}");
  g_assert_null (ask (f));
  g_assert_error (f->error, PLUMB_ERROR, PLUMB_ERROR_FAILED);
  g_assert_nonnull (strstr (f->error->message, "1200 tokens"));
}

static void
test_empty_reply (Fixture *f, gconstpointer data)
{
  g_autoptr (PlumbTurn) turn = NULL;

  scripted_model_say (f->model, "");
  scripted_model_call (f->model, NULL, "run_query", COUNT);
  scripted_model_say (f->model, "5");
  turn = ask (f);
  g_assert_no_error (f->error);
  g_assert_cmpstr (turn->answer, ==, "5");
}

static void
test_empty_twice (Fixture *f, gconstpointer data)
{
  scripted_model_say (f->model, "");
  scripted_model_say (f->model, "  ");
  g_assert_null (ask (f));
  g_assert_error (f->error, PLUMB_MODEL_ERROR, PLUMB_MODEL_ERROR_PROTOCOL);
}

static void
test_talks_first (Fixture *f, gconstpointer data)
{
  g_autoptr (PlumbTurn) turn = NULL;

  scripted_model_say (f->model, "There are 42 open orders.");
  scripted_model_call (f->model, NULL, "run_query", COUNT);
  scripted_model_say (f->model, "There are 5 open orders.");
  turn = ask (f);
  g_assert_no_error (f->error);
  g_assert_cmpstr (turn->answer, ==, "There are 5 open orders.");
  g_assert_cmpstr (((PlumbStep *) g_ptr_array_index (turn->steps, 0))->result, ==,
                   "There are 42 open orders.");
}

static void
test_asks_back (Fixture *f, gconstpointer data)
{
  g_autoptr (PlumbTurn) turn = NULL;

  scripted_model_say (f->model, "Do you mean customer orders or purchase orders?");
  turn = ask (f);
  g_assert_no_error (f->error);
  g_assert_cmpuint (scripted_model_get_n_calls (f->model), ==, 1);
}

static void
test_unfounded_number (Fixture *f, gconstpointer data)
{
  g_autoptr (PlumbTurn) turn = NULL;
  const PlumbAnswerNumber *number;

  scripted_model_call (f->model, NULL, "run_query", COUNT);
  scripted_model_say (f->model, "5 of 1,300 orders");
  turn = ask (f);
  g_assert_cmpuint (turn->numbers->len, ==, 2);
  number = g_ptr_array_index (turn->numbers, 1);
  g_assert_false (number->found);
  g_assert_cmpint (number->audit_id, ==, 0);
  g_assert_cmpuint (number->start, ==, 5);
  g_assert_cmpuint (number->length, ==, 5);
}

static void
test_model_fault (Fixture *f, gconstpointer data)
{
  g_autoptr (PlumbTurn) stored = NULL;
  const PlumbStep *last;

  scripted_model_call (f->model, NULL, "run_query", COUNT);
  scripted_model_fail (f->model, PLUMB_MODEL_ERROR_BROKEN_OFF, "There are",
                       "The stream ended early.");
  g_assert_null (ask (f));
  g_assert_error (f->error, PLUMB_MODEL_ERROR, PLUMB_MODEL_ERROR_BROKEN_OFF);
  stored = get_stored (f);
  g_assert_cmpint (stored->state, ==, PLUMB_STATE_FAILED);
  g_assert_cmpstr (stored->error, ==, "The stream ended early.");
  g_assert_cmpuint (stored->steps->len, ==, 2);
  last = g_ptr_array_index (stored->steps, 1);
  g_assert_cmpstr (last->result, ==, "There are");
  g_assert_cmpint (last->state, ==, PLUMB_STATE_FAILED);
  g_assert_true (g_str_has_suffix (f->events->str, "finish:text:failed end"));
}

/* An answer that ends at the limit on tokens may end within a number: it is no answer. */
static void
test_cut_reply (Fixture *f, gconstpointer data)
{
  g_autoptr (PlumbTurn) turn = NULL;
  g_autoptr (PlumbTurn) stored = NULL;
  const PlumbStep *step;

  scripted_model_call (f->model, NULL, "run_query", COUNT);
  scripted_model_cut (f->model, "Of all orders, 5");
  turn = ask (f);
  g_assert_null (turn);
  g_assert_error (f->error, PLUMB_MODEL_ERROR, PLUMB_MODEL_ERROR_BROKEN_OFF);
  stored = get_stored (f);
  g_assert_null (stored->answer);
  step = g_ptr_array_index (stored->steps, stored->steps->len - 1);
  g_assert_cmpstr (step->result, ==, "Of all orders, 5");
  g_assert_cmpint (step->state, ==, PLUMB_STATE_FAILED);
}

/* What a model says a million times is neither sent back to it nor kept in full. */
static void
test_endless_words (Fixture *f, gconstpointer data)
{
  g_autofree char *name = g_strnfill (500000, 'x');
  g_autofree char *sql = g_strdup_printf (
      "{\"database\":\"shop\",\"sql\":\"SELECT %.100000s FROM orders\"}", name);
  g_autofree char *table = g_strdup_printf ("{\"table\":\"%s\"}", name);
  g_autoptr (PlumbTurn) turn = NULL;
  g_autoptr (PlumbTurn) stored = NULL;

  scripted_model_call (f->model, NULL, "get_table_card", table);
  scripted_model_call (f->model, NULL, "run_query", sql);
  scripted_model_fail (f->model, PLUMB_MODEL_ERROR_BROKEN_OFF, name, "It broke off.");
  turn = ask (f);
  g_assert_null (turn);
  stored = get_stored (f);
  g_assert_cmpuint (stored->steps->len, ==, 3);
  for (guint i = 0; i < stored->steps->len; i++) {
    const PlumbStep *step = g_ptr_array_index (stored->steps, i);

    g_assert_true (step->error == NULL || strlen (step->error) <= 4200);
    g_assert_true (step->result == NULL || strlen (step->result) <= 70000);
  }
}

static void
test_too_long_for_model (Fixture *f, gconstpointer data)
{
  g_autoptr (PlumbTurn) turn = NULL;

  scripted_model_call (f->model, NULL, "get_table_card", "{\"table\":\"wide\"}");
  scripted_model_fail (f->model, PLUMB_MODEL_ERROR_TOO_LONG, NULL, "Too long.");
  scripted_model_say (f->model, "I can't tell.");
  turn = ask (f);
  g_assert_no_error (f->error);
  g_assert_nonnull (strstr (scripted_model_get_last (f->model), "\"shortened\""));
}

static gpointer
cancel_soon (gpointer data)
{
  g_usleep (150 * 1000);
  g_cancellable_cancel (data);
  return NULL;
}

static void
assert_cancelled (Fixture *f, PlumbState last_state)
{
  g_autoptr (PlumbTurn) stored = NULL;

  g_assert_error (f->error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  stored = get_stored (f);
  g_assert_cmpint (stored->state, ==, PLUMB_STATE_CANCELLED);
  g_assert_cmpuint (stored->steps->len, ==, 1);
  g_assert_cmpint (((PlumbStep *) g_ptr_array_index (stored->steps, 0))->state, ==, last_state);
  g_assert_true (g_str_has_suffix (f->events->str, " end"));
}

static void
test_cancel_model (Fixture *f, gconstpointer data)
{
  GThread *thread = g_thread_new ("cancel", cancel_soon, f->cancellable);

  scripted_model_wait (f->model, "I think");
  g_assert_null (ask (f));
  g_thread_join (thread);
  assert_cancelled (f, PLUMB_STATE_CANCELLED);
}

static void
test_cancel_tool (Fixture *f, gconstpointer data)
{
  f->cancel_in_tool = TRUE;
  scripted_model_call (f->model, NULL, "search_tables", "{\"query\":\"orders\"}");
  g_assert_null (ask (f));
  assert_cancelled (f, PLUMB_STATE_CANCELLED);
}

static void
test_cancel_statement (Fixture *f, gconstpointer data)
{
  GThread *thread = g_thread_new ("cancel", cancel_soon, f->cancellable);
  g_autoptr (GPtrArray) records = NULL;
  const PlumbAuditRecord *record;

  scripted_model_call (f->model, NULL, "run_query", FOREVER);
  g_assert_null (ask (f));
  g_thread_join (thread);
  assert_cancelled (f, PLUMB_STATE_CANCELLED);
  records = plumb_index_list_audit (f->agent.index, 0, 10, NULL);
  g_assert_cmpuint (records->len, ==, 1);
  record = g_ptr_array_index (records, 0);
  g_assert_cmpint (record->state, ==, PLUMB_STATE_CANCELLED);
  g_assert_cmpint (record->elapsed_ms, >=, 100);
}

static void
test_cancel_before (Fixture *f, gconstpointer data)
{
  g_cancellable_cancel (f->cancellable);
  g_assert_null (ask (f));
  g_assert_error (f->error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpuint (scripted_model_get_n_calls (f->model), ==, 0);
}

static void
test_long_question (Fixture *f, gconstpointer data)
{
  g_autofree char *question = g_strnfill (100000, 'q');
  g_autoptr (GPtrArray) conversations = NULL;

  f->request.question = question;
  g_assert_null (ask (f));
  g_assert_error (f->error, PLUMB_ERROR, PLUMB_ERROR_INVALID_ARGUMENT);
  g_assert_nonnull (strstr (f->error->message, "100000 characters; at most 8000"));
  conversations = plumb_index_list_conversations (f->agent.index, NULL);
  g_assert_cmpuint (conversations->len, ==, 0);
  g_assert_cmpstr (f->events->str, ==, "");
}

static void
test_mention (Fixture *f, gconstpointer data)
{
  g_autoptr (PlumbTurn) turn = NULL;

  f->request.question = "How many orders are open, @depot? (mail me@shop or @example.org)";
  scripted_model_call (f->model, NULL, "run_query", COUNT);
  scripted_model_say (f->model, "That is in another database.");
  turn = ask (f);
  g_assert_no_error (f->error);
  g_assert_nonnull (
      strstr (((PlumbStep *) g_ptr_array_index (turn->steps, 0))->error, "bound to depot"));
}

static void
test_mention_of_nothing (Fixture *f, gconstpointer data)
{
  f->request.question = "How many orders are in @shopp?";
  g_assert_null (ask (f));
  g_assert_error (f->error, PLUMB_ERROR, PLUMB_ERROR_NOT_FOUND);
  g_assert_nonnull (strstr (f->error->message, "Did you mean “shop”?"));
}

static void
test_conversation (Fixture *f, gconstpointer data)
{
  g_autoptr (PlumbTurn) first = NULL;
  g_autoptr (PlumbTurn) second = NULL;
  g_autoptr (GPtrArray) turns = NULL;

  scripted_model_call (f->model, NULL, "run_query", COUNT);
  scripted_model_say (f->model, "5");
  first = ask (f);
  g_assert_no_error (f->error);
  f->request.conversation_id = first->conversation_id;
  f->request.question = "And which are done?";
  scripted_model_say (f->model, "Which ones do you mean?");
  second = ask (f);
  g_assert_no_error (f->error);
  g_assert_cmpint (second->conversation_id, ==, first->conversation_id);
  turns = plumb_index_list_turns (f->agent.index, first->conversation_id, NULL);
  g_assert_cmpuint (turns->len, ==, 2);
  g_assert_cmpstr (scripted_model_get_last (f->model), ==, "And which are done?");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name, function)                                                                        \
  g_test_add ("/turn-loop/" name, Fixture, NULL, set_up, function, tear_down)
  ADD ("answer", test_answer);
  ADD ("tool-errors", test_tool_errors);
  ADD ("equal-calls", test_equal_calls);
  ADD ("many-calls-in-one-reply", test_many_calls_in_one_reply);
  ADD ("rounds-end", test_rounds_end);
  ADD ("history-is-bounded", test_history_is_bounded);
  ADD ("tokens-end", test_tokens_end);
  ADD ("empty-reply", test_empty_reply);
  ADD ("empty-twice", test_empty_twice);
  ADD ("talks-first", test_talks_first);
  ADD ("asks-back", test_asks_back);
  ADD ("unfounded-number", test_unfounded_number);
  ADD ("model-fault", test_model_fault);
  ADD ("cut-reply", test_cut_reply);
  ADD ("endless-words", test_endless_words);
  ADD ("too-long-for-model", test_too_long_for_model);
  ADD ("cancel-model", test_cancel_model);
  ADD ("cancel-tool", test_cancel_tool);
  ADD ("cancel-statement", test_cancel_statement);
  ADD ("cancel-before", test_cancel_before);
  ADD ("long-question", test_long_question);
  ADD ("mention", test_mention);
  ADD ("mention-of-nothing", test_mention_of_nothing);
  ADD ("conversation", test_conversation);
#undef ADD
  return g_test_run ();
}
