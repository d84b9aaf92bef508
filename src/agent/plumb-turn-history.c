/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-turn-history.h"

#include "plumb-text.h"

#include <string.h>

/* Earlier turns of the conversation: how many, and how much of each. */
#define MAX_EARLIER_TURNS 6
#define EARLIER_QUESTION_BYTES 1000
#define EARLIER_ANSWER_BYTES 1500
#define EARLIER_CALL_BYTES 1000

/* What a shortened result keeps. */
#define SHORTENED_BYTES 600

struct _PlumbTurnHistory {
  GPtrArray *messages;
};

static void
add_text (PlumbTurnHistory *self, PlumbMessageRole role, const char *text)
{
  g_ptr_array_add (self->messages, plumb_message_new (role, text));
}

/* The arguments of the last statement that a turn ran, for questions that go on from it. */
static const char *
find_last_query (const PlumbTurn *turn)
{
  for (guint i = turn->steps->len; i > 0; i--) {
    const PlumbStep *step = g_ptr_array_index (turn->steps, i - 1);

    if (g_strcmp0 (step->tool, "run_query") == 0 && step->state == PLUMB_STATE_DONE)
      return step->arguments;
  }
  return NULL;
}

static void
add_earlier_turn (PlumbTurnHistory *self, const PlumbTurn *turn)
{
  g_autofree char *question = plumb_text_cut (turn->question, EARLIER_QUESTION_BYTES);
  g_autofree char *answer = plumb_text_cut (turn->answer, EARLIER_ANSWER_BYTES);
  const char *query = find_last_query (turn);
  g_autofree char *query_cut = query != NULL ? plumb_text_cut (query, EARLIER_CALL_BYTES) : NULL;
  g_autofree char *both = NULL;

  add_text (self, PLUMB_MESSAGE_USER, question);
  if (query_cut != NULL)
    both = g_strdup_printf ("%s\n\n(It came from run_query %s)", answer, query_cut);
  add_text (self, PLUMB_MESSAGE_ASSISTANT, both != NULL ? both : answer);
}

/**
 * plumb_turn_history_new:
 * @prompt: the system prompt
 * @earlier_turns: (nullable) (element-type PlumbTurn): the conversation's turns before, oldest
 * first; those without an answer are left out
 * @question: the question
 *
 * Returns: (transfer full): what the model sees first
 */
PlumbTurnHistory *
plumb_turn_history_new (const char *prompt, GPtrArray *earlier_turns, const char *question)
{
  PlumbTurnHistory *self = g_new0 (PlumbTurnHistory, 1);
  guint n = 0, skip;

  self->messages = g_ptr_array_new_with_free_func ((GDestroyNotify) plumb_message_free);
  add_text (self, PLUMB_MESSAGE_SYSTEM, prompt);
  for (guint i = 0; earlier_turns != NULL && i < earlier_turns->len; i++)
    n += ((PlumbTurn *) g_ptr_array_index (earlier_turns, i))->answer != NULL;
  skip = n > MAX_EARLIER_TURNS ? n - MAX_EARLIER_TURNS : 0;
  for (guint i = 0; n > 0 && i < earlier_turns->len; i++) {
    const PlumbTurn *turn = g_ptr_array_index (earlier_turns, i);

    if (turn->answer == NULL)
      continue;
    if (skip > 0)
      skip--;
    else
      add_earlier_turn (self, turn);
  }
  add_text (self, PLUMB_MESSAGE_USER, question);
  return self;
}

/** plumb_turn_history_free: frees @self */
void
plumb_turn_history_free (PlumbTurnHistory *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->messages);
  g_free (self);
}

/** plumb_turn_history_get_messages: Returns: (transfer none) (element-type PlumbMessage): all of it
 */
GPtrArray *
plumb_turn_history_get_messages (PlumbTurnHistory *self)
{
  return self->messages;
}

/** plumb_turn_history_add_reply: begins a round with a copy of the model's reply */
void
plumb_turn_history_add_reply (PlumbTurnHistory *self, const PlumbMessage *message)
{
  PlumbMessage *copy = plumb_message_new (PLUMB_MESSAGE_ASSISTANT, message->text);

  for (guint i = 0; i < message->tool_calls->len; i++) {
    const PlumbToolCall *call = g_ptr_array_index (message->tool_calls, i);

    g_ptr_array_add (copy->tool_calls, plumb_tool_call_new (call->id, call->name, call->arguments));
  }
  g_ptr_array_add (self->messages, copy);
}

/** plumb_turn_history_add_result: adds what a tool returned for the call @call_id */
void
plumb_turn_history_add_result (PlumbTurnHistory *self, const char *call_id, const char *result)
{
  PlumbMessage *message = plumb_message_new (PLUMB_MESSAGE_TOOL, result);

  g_free (message->tool_call_id);
  message->tool_call_id = g_strdup (call_id);
  g_ptr_array_add (self->messages, message);
}

/** plumb_turn_history_add_remark: adds a remark of the loop's own to the model */
void
plumb_turn_history_add_remark (PlumbTurnHistory *self, const char *remark)
{
  add_text (self, PLUMB_MESSAGE_USER, remark);
}

/** plumb_turn_history_get_length: Returns: bytes of all texts and calls */
gsize
plumb_turn_history_get_length (PlumbTurnHistory *self)
{
  gsize length = 0;

  for (guint i = 0; i < self->messages->len; i++) {
    const PlumbMessage *message = g_ptr_array_index (self->messages, i);

    length += message->text != NULL ? strlen (message->text) : 0;
    for (guint j = 0; j < message->tool_calls->len; j++) {
      const PlumbToolCall *call = g_ptr_array_index (message->tool_calls, j);

      length += call->arguments != NULL ? strlen (call->arguments) : 0;
    }
  }
  return length;
}

static void
shorten_message (PlumbMessage *message)
{
  g_autoptr (PlumbJsonWriter) writer = plumb_json_writer_new ();
  g_autofree char *start = plumb_text_cut (message->text, SHORTENED_BYTES);

  plumb_json_writer_begin_object (writer);
  plumb_json_writer_name (writer, "shortened");
  plumb_json_writer_string (writer, "An older result; call the tool again for the rest.");
  plumb_json_writer_name (writer, "start");
  plumb_json_writer_string (writer, start);
  plumb_json_writer_end_object (writer);
  g_free (message->text);
  message->text = plumb_json_writer_finish (writer);
}

/**
 * plumb_turn_history_shorten:
 * @self: a history
 * @max_bytes: what all texts together may take
 *
 * Shortens results of tools, the oldest first and the latest round's last, until all fits.
 *
 * Returns: whether it fits now
 */
gboolean
plumb_turn_history_shorten (PlumbTurnHistory *self, gsize max_bytes)
{
  gsize length = plumb_turn_history_get_length (self);

  for (guint i = 0; length > max_bytes && i < self->messages->len; i++) {
    PlumbMessage *message = g_ptr_array_index (self->messages, i);
    gsize before;

    if (message->role != PLUMB_MESSAGE_TOOL || strlen (message->text) <= 2 * SHORTENED_BYTES)
      continue;
    before = strlen (message->text);
    shorten_message (message);
    length -= before - strlen (message->text);
  }
  return length <= max_bytes;
}
