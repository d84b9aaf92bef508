/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-turn-loop.h"

#include "plumb-answer-check.h"
#include "plumb-mention.h"
#include "plumb-prompt.h"
#include "plumb-text.h"
#include "plumb-tool.h"
#include "plumb-turn-history.h"
#include "plumb-turn-trace.h"

#include <string.h>

/* Tool calls that one reply may make, and how often the same call may be made in a turn. */
#define MAX_CALLS_A_ROUND 8
#define MAX_EQUAL_CALLS 2

/* How much of a reply that broke off is kept: a model that repeats itself sends megabytes. */
#define MAX_BROKEN_REPLY_BYTES (64 * 1024)

/* A running turn. */
typedef struct {
  const PlumbTurnRequest *request;
  GCancellable *cancellable;
  PlumbTurnTrace *trace;
  PlumbTurnHistory *history;
  PlumbToolContext context;
  PlumbToolSchema *schemas;
  guint n_schemas;
  GPtrArray *sources;
  GHashTable *calls;
  GString *streamed;
  PlumbStep *step;
  gint64 tokens;
  int round;
  gboolean used_tool;
  gboolean reminded;
} Turn;

/* What became of a round. */
typedef enum {
  ROUND_FAILED,
  ROUND_GOES_ON,
  ROUND_ANSWERED,
} RoundEnd;

static void
on_text (const char *text, gpointer user_data)
{
  Turn *turn = user_data;

  g_string_append (turn->streamed, text);
  plumb_turn_trace_tell_text (turn->trace, text);
}

static void
on_progress (const char *doing, gpointer user_data)
{
  Turn *turn = user_data;

  if (turn->step == NULL || g_strcmp0 (turn->step->progress, doing) == 0)
    return;
  g_free (turn->step->progress);
  turn->step->progress = g_strdup (doing);
  plumb_turn_trace_tell (turn->trace, PLUMB_EVENT_STEP_CHANGED, turn->step);
}

static gboolean
check_question (const char *question, GError **error)
{
  glong length;

  if (question == NULL || !g_utf8_validate (question, -1, NULL)) {
    g_set_error_literal (error, PLUMB_ERROR, PLUMB_ERROR_INVALID_ARGUMENT,
                         "The question is not valid UTF-8.");
    return FALSE;
  }
  if (question[strspn (question, " \t\r\n")] == '\0') {
    g_set_error_literal (error, PLUMB_ERROR, PLUMB_ERROR_INVALID_ARGUMENT,
                         "The question is empty.");
    return FALSE;
  }
  length = g_utf8_strlen (question, -1);
  if (length <= PLUMB_MAX_QUESTION_CHARACTERS)
    return TRUE;
  g_set_error (error, PLUMB_ERROR, PLUMB_ERROR_INVALID_ARGUMENT,
               "The question has %ld characters; at most %d are read. Shorten it, and put long "
               "lists into a file or "
               "a table. It is kept as a draft.",
               length, PLUMB_MAX_QUESTION_CHARACTERS);
  return FALSE;
}

/* One call of the model; a conversation that is too long for it is shortened and tried once more.
 */
static PlumbChatReply *
ask_model (Turn *turn, GError **error)
{
  PlumbChatRequest request = { .tools = turn->schemas, .n_tools = turn->n_schemas };
  g_autoptr (GError) local_error = NULL;
  PlumbChatReply *reply;

  plumb_turn_history_shorten (turn->history, turn->request->limits.max_history_bytes);
  request.messages = plumb_turn_history_get_messages (turn->history);
  g_string_truncate (turn->streamed, 0);
  reply = plumb_model_chat (turn->request->model, &request, on_text, turn, turn->cancellable,
                            &local_error);
  if (reply == NULL &&
      g_error_matches (local_error, PLUMB_MODEL_ERROR, PLUMB_MODEL_ERROR_TOO_LONG) &&
      turn->streamed->len == 0 &&
      plumb_turn_history_shorten (turn->history,
                                  plumb_turn_history_get_length (turn->history) / 2)) {
    g_clear_error (&local_error);
    reply = plumb_model_chat (turn->request->model, &request, on_text, turn, turn->cancellable,
                              &local_error);
  }
  if (reply == NULL) {
    g_propagate_error (error, g_steal_pointer (&local_error));
    return NULL;
  }
  turn->tokens += MAX (reply->prompt_tokens, 0) + MAX (reply->reply_tokens, 0);
  return reply;
}

/* How often this call was made before, the arguments compared as JSON where they are. */
static guint
count_call (Turn *turn, const PlumbToolCall *call)
{
  g_autoptr (JsonNode) node =
      call->arguments != NULL ? plumb_json_parse (call->arguments, -1, NULL) : NULL;
  g_autofree char *json = node != NULL ? json_to_string (node, FALSE) : g_strdup (call->arguments);
  char *key = g_strconcat (call->name != NULL ? call->name : "", "\n", json, NULL);
  guint before = GPOINTER_TO_UINT (g_hash_table_lookup (turn->calls, key));

  g_hash_table_replace (turn->calls, key, GUINT_TO_POINTER (before + 1));
  return before;
}

/* Runs the call, unless it is one too many. */
static char *
call_tool (Turn *turn, const PlumbToolCall *call, guint place, GError **error)
{
  if (place >= MAX_CALLS_A_ROUND) {
    g_set_error (error, PLUMB_ERROR, PLUMB_ERROR_INVALID_ARGUMENT,
                 "At most %d tool calls in one reply; this one was not made.", MAX_CALLS_A_ROUND);
    return NULL;
  }
  if (count_call (turn, call) >= MAX_EQUAL_CALLS) {
    g_set_error_literal (
        error, PLUMB_ERROR, PLUMB_ERROR_INVALID_ARGUMENT,
        "You made this very call before and have its result. Change the arguments, use another "
        "tool, or answer.");
    return NULL;
  }
  return plumb_tool_call (&turn->context, call->name, call->arguments, turn->cancellable, error);
}

static char *
write_error (const char *message)
{
  g_autoptr (PlumbJsonWriter) writer = plumb_json_writer_new ();

  plumb_json_writer_begin_object (writer);
  plumb_json_writer_name (writer, "error");
  plumb_json_writer_string (writer, message);
  plumb_json_writer_end_object (writer);
  return plumb_json_writer_finish (writer);
}

/* Tells what a call left beside its JSON, and keeps the rows for the answer check. */
static void
tell_findings (Turn *turn, const PlumbStep *step)
{
  if (turn->context.candidates != NULL)
    plumb_turn_trace_tell_candidates (turn->trace, step, turn->context.candidates);
  if (turn->context.result == NULL)
    return;
  g_ptr_array_add (turn->sources,
                   plumb_answer_source_new (turn->context.result, turn->context.sql, step->number));
  plumb_turn_trace_tell_result (turn->trace, step, turn->context.result, turn->context.sql,
                                turn->context.database);
}

/* One tool call as a step. A tool's error goes to the model; only a cancel or an index that can't
 * be written ends the turn. */
static gboolean
run_call (Turn *turn, const PlumbToolCall *call, guint place, GError **error)
{
  g_autoptr (GError) tool_error = NULL;
  g_autofree char *result = NULL;
  PlumbStep *step = plumb_turn_trace_begin_step (turn->trace, PLUMB_STEP_TOOL, turn->round,
                                                 call->name, call->arguments, error);

  if (step == NULL)
    return FALSE;
  turn->step = step;
  plumb_tool_context_clear (&turn->context);
  result = call_tool (turn, call, place, &tool_error);
  turn->step = NULL;
  step->audit_id = turn->context.audit_id;
  if (g_cancellable_set_error_if_cancelled (turn->cancellable, error)) {
    plumb_turn_trace_finish_step (turn->trace, step, PLUMB_STATE_CANCELLED, NULL);
    return FALSE;
  }
  if (result == NULL) {
    step->error = g_strdup (tool_error->message);
    result = write_error (tool_error->message);
  } else {
    step->result = g_strdup (result);
  }
  plumb_turn_history_add_result (turn->history, call->id, result);
  turn->used_tool = TRUE;
  if (!plumb_turn_trace_finish_step (
          turn->trace, step, tool_error != NULL ? PLUMB_STATE_FAILED : PLUMB_STATE_DONE, error))
    return FALSE;
  tell_findings (turn, step);
  return TRUE;
}

static gboolean
has_text (const PlumbMessage *message)
{
  return message->text != NULL && message->text[strspn (message->text, " \t\r\n")] != '\0';
}

/* Text before tool calls is a step; then the calls are made in their order. */
static RoundEnd
run_calls (Turn *turn, const PlumbMessage *message, GError **error)
{
  if (has_text (message) &&
      !plumb_turn_trace_add_text (turn->trace, turn->round, message->text, PLUMB_STATE_DONE, error))
    return ROUND_FAILED;
  plumb_turn_history_add_reply (turn->history, message);
  for (guint i = 0; i < message->tool_calls->len; i++) {
    if (!run_call (turn, g_ptr_array_index (message->tool_calls, i), i, error))
      return ROUND_FAILED;
  }
  return ROUND_GOES_ON;
}

/* Whether the text only announces what it will do: it ends as if something were to follow. */
static gboolean
announces (const char *text)
{
  g_autofree char *stripped = g_strchomp (g_strdup (text));

  return g_str_has_suffix (stripped, ":") || g_str_has_suffix (stripped, "…") ||
         g_str_has_suffix (stripped, "...");
}

/* Whether a reply without a tool call, in a turn that has used none, can't be an answer: it only
 * announces one, or has numbers that can come from nowhere. */
static gboolean
is_unfounded (Turn *turn, const char *text)
{
  g_autoptr (GPtrArray) numbers = NULL;

  if (turn->used_tool)
    return FALSE;
  if (announces (text))
    return TRUE;
  numbers = plumb_answer_check (text, turn->request->question, turn->sources);
  for (guint i = 0; i < numbers->len; i++) {
    if (!((PlumbAnswerNumber *) g_ptr_array_index (numbers, i))->found)
      return TRUE;
  }
  return FALSE;
}

/* Reminds the model of its tools, once a turn. */
static RoundEnd
remind (Turn *turn, const PlumbMessage *message, const char *remark, GError **error)
{
  turn->reminded = TRUE;
  if (has_text (message)) {
    if (!plumb_turn_trace_add_text (turn->trace, turn->round, message->text, PLUMB_STATE_DONE,
                                    error))
      return ROUND_FAILED;
    plumb_turn_history_add_reply (turn->history, message);
  }
  plumb_turn_history_add_remark (turn->history, remark);
  return ROUND_GOES_ON;
}

/* A reply that reached the model's limit on tokens ends anywhere, be it within a number. */
static RoundEnd
refuse_cut_reply (GError **error)
{
  g_set_error_literal (
      error, PLUMB_MODEL_ERROR, PLUMB_MODEL_ERROR_BROKEN_OFF,
      "The model's answer was cut off at its limit on tokens. Ask a narrower question, or allow "
      "longer replies at the model's server.");
  return ROUND_FAILED;
}

static RoundEnd
take_answer (Turn *turn, const PlumbMessage *message, GError **error)
{
  PlumbTurn *record = plumb_turn_trace_get_turn (turn->trace);

  if (!has_text (message)) {
    if (!turn->reminded)
      return remind (turn, message, "Your reply was empty. Call a tool, or answer the question.",
                     error);
    g_set_error_literal (
        error, PLUMB_MODEL_ERROR, PLUMB_MODEL_ERROR_PROTOCOL,
        "The model sent an empty reply twice. Ask again, or choose another model.");
    return ROUND_FAILED;
  }
  if (!turn->reminded && is_unfounded (turn, message->text))
    return remind (
        turn, message,
        "You have not called a tool yet. Numbers must come from SQL that run_query executed: call "
        "search_tables now, or say plainly why there is no answer.",
        error);
  record->answer = g_strstrip (g_strdup (message->text));
  record->declined = message->declines;
  g_ptr_array_unref (record->numbers);
  record->numbers = plumb_answer_check (record->answer, turn->request->question, turn->sources);
  return ROUND_ANSWERED;
}

static gboolean
check_budget (Turn *turn, GError **error)
{
  if (turn->tokens <= turn->request->limits.max_tokens)
    return TRUE;
  g_set_error (error, PLUMB_ERROR, PLUMB_ERROR_FAILED,
               "The turn was stopped: it used %" G_GINT64_FORMAT " tokens, and %" G_GINT64_FORMAT
               " are allowed. Ask a "
               "narrower question.",
               turn->tokens, turn->request->limits.max_tokens);
  return FALSE;
}

static RoundEnd
run_round (Turn *turn, gboolean is_last, GError **error)
{
  PlumbChatReply *reply;
  RoundEnd end;

  if (g_cancellable_set_error_if_cancelled (turn->cancellable, error) ||
      !check_budget (turn, error))
    return ROUND_FAILED;
  if (is_last)
    plumb_turn_history_add_remark (turn->history,
                                   "No more tool calls can be made. Answer now with what you have, "
                                   "and say what is missing.");
  reply = ask_model (turn, error);
  if (reply == NULL)
    return ROUND_FAILED;
  if (reply->message->tool_calls->len == 0) {
    end = g_strcmp0 (reply->finish_reason, "length") == 0
              ? refuse_cut_reply (error)
              : take_answer (turn, reply->message, error);
  } else if (is_last) {
    g_set_error (error, PLUMB_ERROR, PLUMB_ERROR_FAILED,
                 "The model came to no answer within %d rounds. Ask a narrower question, or name "
                 "the database with "
                 "@.",
                 turn->request->limits.max_rounds);
    end = ROUND_FAILED;
  } else {
    end = run_calls (turn, reply->message, error);
  }
  plumb_chat_reply_free (reply);
  return end;
}

/* Text that had come when the model broke off or the user said stop is kept as a step. */
static void
keep_streamed_text (Turn *turn, const GError *failure)
{
  PlumbTurn *record = plumb_turn_trace_get_turn (turn->trace);
  PlumbStep *last =
      record->steps->len > 0 ? g_ptr_array_index (record->steps, record->steps->len - 1) : NULL;
  gboolean cancelled = g_error_matches (failure, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_autofree char *text = NULL;

  if (turn->streamed->len == 0 || (last != NULL && last->round == turn->round))
    return;
  text = plumb_text_cut (turn->streamed->str, MAX_BROKEN_REPLY_BYTES);
  plumb_turn_trace_add_text (turn->trace, turn->round, text,
                             cancelled ? PLUMB_STATE_CANCELLED : PLUMB_STATE_FAILED, NULL);
}

static gboolean
run_rounds (Turn *turn, GError **error)
{
  RoundEnd end = ROUND_GOES_ON;

  for (turn->round = 1; end == ROUND_GOES_ON; turn->round++) {
    gboolean is_last = turn->round >= turn->request->limits.max_rounds;

    end = run_round (turn, is_last, error);
    if (end != ROUND_GOES_ON)
      break;
    if (is_last) {
      g_set_error (error, PLUMB_ERROR, PLUMB_ERROR_FAILED,
                   "The model came to no answer within %d rounds.",
                   turn->request->limits.max_rounds);
      return FALSE;
    }
  }
  return end == ROUND_ANSWERED;
}

static void
fill_schemas (Turn *turn)
{
  const PlumbTool *const *tools = plumb_tool_list (&turn->n_schemas);

  turn->schemas = g_new0 (PlumbToolSchema, turn->n_schemas);
  for (guint i = 0; i < turn->n_schemas; i++)
    turn->schemas[i] =
        (PlumbToolSchema){ tools[i]->name, tools[i]->description, tools[i]->parameters };
}

static void
turn_clear (Turn *turn)
{
  g_clear_pointer (&turn->trace, plumb_turn_trace_free);
  g_clear_pointer (&turn->history, plumb_turn_history_free);
  plumb_tool_context_clear (&turn->context);
  g_free (turn->schemas);
  g_clear_pointer (&turn->sources, g_ptr_array_unref);
  g_clear_pointer (&turn->calls, g_hash_table_unref);
  g_string_free (turn->streamed, TRUE);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Turn, turn_clear)

static void
prepare (Turn *turn, const PlumbTurnRequest *request, const char *const *scope)
{
  turn->context = (PlumbToolContext) {
    .workspace = request->workspace,
    .scope = scope,
    .question = request->question,
    .limits = request->query_limits,
    .export_folder = request->export_folder,
    .progress = on_progress,
    .progress_data = turn,
  };
  turn->sources = g_ptr_array_new_with_free_func ((GDestroyNotify) plumb_answer_source_free);
  turn->calls = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  fill_schemas (turn);
}

/* What the model sees first. */
static gboolean
begin_history (Turn *turn, const char *const *scope, GPtrArray *earlier, GError **error)
{
  const PlumbTurnRequest *request = turn->request;
  g_autofree char *prompt =
      plumb_prompt_make (request->workspace, request->question, scope, request->now, error);

  if (prompt == NULL)
    return FALSE;
  turn->history = plumb_turn_history_new (prompt, earlier, request->question);
  return TRUE;
}

/* Ends the turn in the index and hands it on, or the error that ended it. */
static PlumbTurn *
finish (Turn *turn, GError *failure, GError **error)
{
  plumb_turn_trace_get_turn (turn->trace)->tokens = turn->tokens;
  if (failure != NULL) {
    keep_streamed_text (turn, failure);
    plumb_turn_trace_finish (turn->trace, failure, NULL);
    g_propagate_error (error, failure);
    return NULL;
  }
  return plumb_turn_trace_finish (turn->trace, NULL, error)
             ? plumb_turn_trace_steal_turn (turn->trace)
             : NULL;
}

/**
 * plumb_turn_loop_run:
 * @request: what is asked, of whom, and within which limits
 * @cancellable: (nullable): stops the turn at any moment: the model call, the tool, the statement
 * at the server
 * @error: return location
 *
 * Runs one turn: rounds of a model call and the tool calls in its reply, until the model answers or
 * a limit is reached. Every step is stored as it happens. A tool's error is handed to the model; a
 * model's error ends the turn. Text that comes by PLUMB_EVENT_TEXT_DELTA is the answer, unless a
 * text step with the same words follows.
 *
 * Returns: (transfer full): the turn with its answer. %NULL where the turn failed or was cancelled;
 * it is stored with its error, and PLUMB_EVENT_TURN_FINISHED has told of it, unless it couldn't
 * begin
 */
PlumbTurn *
plumb_turn_loop_run (const PlumbTurnRequest *request, GCancellable *cancellable, GError **error)
{
  g_auto (Turn)
      turn = { .request = request, .cancellable = cancellable, .streamed = g_string_new (NULL) };
  g_autoptr (GPtrArray) earlier = NULL;
  g_auto (GStrv) scope = NULL;
  GError *failure = NULL;

  if (!check_question (request->question, error))
    return NULL;
  scope =
      plumb_mention_find_scope (request->workspace, request->question, request->databases, error);
  if (scope == NULL)
    return NULL;
  if (request->conversation_id != 0) {
    earlier = plumb_index_list_turns (plumb_workspace_get_index (request->workspace),
                                      request->conversation_id, error);
    if (earlier == NULL)
      return NULL;
  }
  prepare (&turn, request, (const char *const *) scope);
  turn.trace = plumb_turn_trace_new (request, error);
  if (turn.trace == NULL)
    return NULL;
  turn.context.turn_id = plumb_turn_trace_get_turn (turn.trace)->id;
  if (begin_history (&turn, (const char *const *) scope, earlier, &failure))
    run_rounds (&turn, &failure);
  return finish (&turn, failure, error);
}
