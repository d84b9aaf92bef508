/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-turn-trace.h"

#include "plumb-text.h"

#define TITLE_CHARACTERS 80

struct _PlumbTurnTrace {
  PlumbIndex *index;
  PlumbTurn *turn;
  GPtrArray *nothing;
  gint64 started_at;
  PlumbTurnFunc func;
  gpointer user_data;
};

/* Begins the turn in the index, in a new conversation where there is none yet. */
static gboolean
begin_turn (PlumbTurnTrace *self, const PlumbTurnRequest *request, GError **error)
{
  gint64 conversation_id = request->conversation_id;
  gint64 id;

  if (conversation_id == 0) {
    g_autofree char *title = plumb_text_first_line (request->question, TITLE_CHARACTERS);

    conversation_id = plumb_index_add_conversation (self->index, title, error);
    if (conversation_id <= 0)
      return FALSE;
  }
  self->turn->conversation_id = conversation_id;
  id = plumb_index_begin_turn (self->index, conversation_id, self->turn, error);
  self->turn->id = id;
  return id > 0;
}

/**
 * plumb_turn_trace_new:
 * @request: what is asked
 * @error: return location
 *
 * Begins a turn, in a new conversation where the request names none.
 *
 * Returns: (transfer full): the record of the turn
 */
PlumbTurnTrace *
plumb_turn_trace_new (const PlumbTurnRequest *request, GError **error)
{
  g_autoptr (PlumbTurnTrace) self = g_new0 (PlumbTurnTrace, 1);

  self->index = g_object_ref (plumb_workspace_get_index (request->workspace));
  self->turn = plumb_turn_new (request->question);
  self->turn->model = g_strdup (plumb_model_get_name (request->model));
  self->nothing = g_ptr_array_new ();
  self->started_at = g_get_monotonic_time ();
  self->func = request->func;
  self->user_data = request->user_data;
  if (!begin_turn (self, request, error))
    return NULL;
  plumb_turn_trace_tell (self, PLUMB_EVENT_TURN_STARTED, NULL);
  return g_steal_pointer (&self);
}

/** plumb_turn_trace_free: frees @self and its turn */
void
plumb_turn_trace_free (PlumbTurnTrace *self)
{
  if (self == NULL)
    return;
  g_clear_object (&self->index);
  g_clear_pointer (&self->turn, plumb_turn_free);
  g_clear_pointer (&self->nothing, g_ptr_array_unref);
  g_free (self);
}

/** plumb_turn_trace_get_turn: Returns: (transfer none): the turn */
PlumbTurn *
plumb_turn_trace_get_turn (PlumbTurnTrace *self)
{
  return self->turn;
}

/** plumb_turn_trace_steal_turn: Returns: (transfer full): the turn; the trace is of no more use */
PlumbTurn *
plumb_turn_trace_steal_turn (PlumbTurnTrace *self)
{
  return g_steal_pointer (&self->turn);
}

/* Only the last event of a turn carries all of its steps: copying them each time would cost more
 * than the turn itself. */
static PlumbEvent *
make_event (PlumbTurnTrace *self, PlumbEventKind kind, const PlumbStep *step)
{
  PlumbTurn turn = *self->turn;
  PlumbEvent *event;

  if (kind != PLUMB_EVENT_TURN_FINISHED)
    turn.steps = turn.numbers = self->nothing;
  event = plumb_event_new (kind, &turn);
  event->step = step != NULL ? plumb_step_copy (step) : NULL;
  return event;
}

static void
send_event (PlumbTurnTrace *self, PlumbEvent *event)
{
  if (self->func != NULL)
    self->func (event, self->user_data);
  plumb_event_free (event);
}

/** plumb_turn_trace_tell: tells of an event that needs no more than its step */
void
plumb_turn_trace_tell (PlumbTurnTrace *self, PlumbEventKind kind, const PlumbStep *step)
{
  send_event (self, make_event (self, kind, step));
}

/** plumb_turn_trace_tell_text: tells of text as it comes; it turns out later whether it is the
 *  answer or a step */
void
plumb_turn_trace_tell_text (PlumbTurnTrace *self, const char *text)
{
  PlumbEvent *event = make_event (self, PLUMB_EVENT_TEXT_DELTA, NULL);

  event->text = g_strdup (text);
  send_event (self, event);
}

/** plumb_turn_trace_tell_candidates: tells of tables that a step found */
void
plumb_turn_trace_tell_candidates (PlumbTurnTrace *self, const PlumbStep *step,
                                  PlumbCandidates *candidates)
{
  PlumbEvent *event = make_event (self, PLUMB_EVENT_CANDIDATES, step);

  event->candidates = plumb_candidates_ref (candidates);
  send_event (self, event);
}

/** plumb_turn_trace_tell_result: tells of rows that a step's statement gave */
void
plumb_turn_trace_tell_result (PlumbTurnTrace *self, const PlumbStep *step, PlumbResult *result,
                              const char *sql, const char *database)
{
  PlumbEvent *event = make_event (self, PLUMB_EVENT_RESULT, step);

  event->result = plumb_result_ref (result);
  event->sql = g_strdup (sql);
  event->database = g_strdup (database);
  send_event (self, event);
}

/**
 * plumb_turn_trace_begin_step:
 * @self: a trace
 * @kind: tool call or text
 * @round: the round, from 1
 * @tool: (nullable): the tool
 * @arguments: (nullable): its arguments as the model sent them
 * @error: return location
 *
 * Returns: (transfer none): the running step, stored and told of
 */
PlumbStep *
plumb_turn_trace_begin_step (PlumbTurnTrace *self, PlumbStepKind kind, int round, const char *tool,
                             const char *arguments, GError **error)
{
  PlumbStep *step = plumb_step_new (kind);

  step->turn_id = self->turn->id;
  step->number = self->turn->steps->len + 1;
  step->round = round;
  step->tool = g_strdup (tool);
  step->arguments = g_strdup (arguments);
  g_ptr_array_add (self->turn->steps, step);
  if (!plumb_index_put_step (self->index, step, error))
    return NULL;
  plumb_turn_trace_tell (self, PLUMB_EVENT_STEP_STARTED, step);
  return step;
}

/** plumb_turn_trace_finish_step: stores and tells how the step ended; Returns: whether it is stored
 */
gboolean
plumb_turn_trace_finish_step (PlumbTurnTrace *self, PlumbStep *step, PlumbState state,
                              GError **error)
{
  step->state = state;
  step->elapsed_us = g_get_real_time () - step->started_at;
  g_clear_pointer (&step->progress, g_free);
  if (!plumb_index_put_step (self->index, step, error))
    return FALSE;
  plumb_turn_trace_tell (self, PLUMB_EVENT_STEP_FINISHED, step);
  return TRUE;
}

/** plumb_turn_trace_add_text: a stretch of model text that is not the answer, as a step of its own
 */
gboolean
plumb_turn_trace_add_text (PlumbTurnTrace *self, int round, const char *text, PlumbState state,
                           GError **error)
{
  PlumbStep *step = plumb_turn_trace_begin_step (self, PLUMB_STEP_TEXT, round, NULL, NULL, error);

  if (step == NULL)
    return FALSE;
  step->result = g_strdup (text);
  return plumb_turn_trace_finish_step (self, step, state, error);
}

/* Steps that still run when a turn ends early were cut off with it. */
static void
close_steps (PlumbTurnTrace *self, PlumbState state)
{
  for (guint i = 0; i < self->turn->steps->len; i++) {
    PlumbStep *step = g_ptr_array_index (self->turn->steps, i);

    if (step->state == PLUMB_STATE_RUNNING)
      plumb_turn_trace_finish_step (self, step, state, NULL);
  }
}

/**
 * plumb_turn_trace_finish:
 * @self: a trace
 * @failure: (nullable): why there is no answer
 * @error: return location
 *
 * Ends the turn: as done, failed or cancelled. It is stored before the last event is sent.
 *
 * Returns: whether it is stored
 */
gboolean
plumb_turn_trace_finish (PlumbTurnTrace *self, const GError *failure, GError **error)
{
  PlumbTurn *turn = self->turn;
  g_autoptr (GError) local_error = NULL;

  turn->state = PLUMB_STATE_DONE;
  if (failure != NULL) {
    turn->state = g_error_matches (failure, G_IO_ERROR, G_IO_ERROR_CANCELLED)
                      ? PLUMB_STATE_CANCELLED
                      : PLUMB_STATE_FAILED;
    turn->error = g_strdup (failure->message);
    close_steps (self, turn->state);
  }
  turn->elapsed_us = g_get_monotonic_time () - self->started_at;
  if (!plumb_index_finish_turn (self->index, turn, &local_error) && failure == NULL) {
    turn->state = PLUMB_STATE_FAILED;
    turn->error = g_strdup_printf ("The answer could not be kept. %s", local_error->message);
  }
  plumb_turn_trace_tell (self, PLUMB_EVENT_TURN_FINISHED, NULL);
  if (local_error == NULL)
    return TRUE;
  g_propagate_prefixed_error (error, g_steal_pointer (&local_error),
                              "The answer could not be kept. ");
  return FALSE;
}
