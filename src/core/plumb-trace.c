/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-trace.h"

static const char *const state_names[] = {
  [PLUMB_STATE_RUNNING] = "running",
  [PLUMB_STATE_DONE] = "done",
  [PLUMB_STATE_FAILED] = "failed",
  [PLUMB_STATE_CANCELLED] = "cancelled",
};

/** plumb_state_to_string: Returns: "running", "done", "failed" or "cancelled" */
const char *
plumb_state_to_string (PlumbState state)
{
  return state_names[state];
}

/** plumb_state_from_string: Returns: what @text names; failed for anything else */
PlumbState
plumb_state_from_string (const char *text)
{
  for (guint i = 0; i < G_N_ELEMENTS (state_names); i++) {
    if (g_strcmp0 (text, state_names[i]) == 0)
      return i;
  }
  return PLUMB_STATE_FAILED;
}

/** plumb_conversation_copy: Returns: (transfer full): a copy of @self */
PlumbConversation *
plumb_conversation_copy (const PlumbConversation *self)
{
  PlumbConversation *copy = g_memdup2 (self, sizeof *self);

  copy->title = g_strdup (self->title);
  return copy;
}

/** plumb_conversation_free: frees @self */
void
plumb_conversation_free (PlumbConversation *self)
{
  if (self == NULL)
    return;
  g_free (self->title);
  g_free (self);
}

/** plumb_step_new: Returns: (transfer full): a running step that starts now */
PlumbStep *
plumb_step_new (PlumbStepKind kind)
{
  PlumbStep *self = g_new0 (PlumbStep, 1);

  self->kind = kind;
  self->state = PLUMB_STATE_RUNNING;
  self->started_at = g_get_real_time ();
  return self;
}

/** plumb_step_copy: Returns: (transfer full): a copy of @self */
PlumbStep *
plumb_step_copy (const PlumbStep *self)
{
  PlumbStep *copy = g_memdup2 (self, sizeof *self);

  copy->tool = g_strdup (self->tool);
  copy->arguments = g_strdup (self->arguments);
  copy->result = g_strdup (self->result);
  copy->error = g_strdup (self->error);
  copy->progress = g_strdup (self->progress);
  return copy;
}

/** plumb_step_free: frees @self */
void
plumb_step_free (PlumbStep *self)
{
  if (self == NULL)
    return;
  g_free (self->tool);
  g_free (self->arguments);
  g_free (self->result);
  g_free (self->error);
  g_free (self->progress);
  g_free (self);
}

/** plumb_turn_new: Returns: (transfer full): a running turn that starts now */
PlumbTurn *
plumb_turn_new (const char *question)
{
  PlumbTurn *self = g_new0 (PlumbTurn, 1);

  self->question = g_strdup (question);
  self->state = PLUMB_STATE_RUNNING;
  self->started_at = g_get_real_time ();
  self->steps = g_ptr_array_new_with_free_func ((GDestroyNotify) plumb_step_free);
  self->numbers = g_ptr_array_new_with_free_func (g_free);
  return self;
}

/** plumb_turn_copy: Returns: (transfer full): a copy of @self with copies of its steps */
PlumbTurn *
plumb_turn_copy (const PlumbTurn *self)
{
  PlumbTurn *copy = plumb_turn_new (self->question);

  copy->id = self->id;
  copy->conversation_id = self->conversation_id;
  copy->answer = g_strdup (self->answer);
  copy->error = g_strdup (self->error);
  copy->model = g_strdup (self->model);
  copy->state = self->state;
  copy->started_at = self->started_at;
  copy->elapsed_us = self->elapsed_us;
  copy->tokens = self->tokens;
  copy->declined = self->declined;
  for (guint i = 0; i < self->steps->len; i++)
    g_ptr_array_add (copy->steps, plumb_step_copy (g_ptr_array_index (self->steps, i)));
  for (guint i = 0; i < self->numbers->len; i++)
    g_ptr_array_add (copy->numbers,
                     g_memdup2 (g_ptr_array_index (self->numbers, i), sizeof (PlumbAnswerNumber)));
  return copy;
}

/** plumb_turn_free: frees @self */
void
plumb_turn_free (PlumbTurn *self)
{
  if (self == NULL)
    return;
  g_free (self->question);
  g_free (self->answer);
  g_free (self->error);
  g_free (self->model);
  g_ptr_array_unref (self->steps);
  g_ptr_array_unref (self->numbers);
  g_free (self);
}

/** plumb_audit_record_new: Returns: (transfer full): the record of a statement about to be sent now
 *  by this account */
PlumbAuditRecord *
plumb_audit_record_new (const char *database, const char *sql)
{
  PlumbAuditRecord *self = g_new0 (PlumbAuditRecord, 1);

  self->at = g_get_real_time () / G_USEC_PER_SEC;
  self->user = g_strdup (g_get_user_name ());
  self->database = g_strdup (database);
  self->sql = g_strdup (sql);
  self->state = PLUMB_STATE_RUNNING;
  self->elapsed_ms = -1;
  self->row_count = -1;
  return self;
}

/** plumb_audit_record_free: frees @self */
void
plumb_audit_record_free (PlumbAuditRecord *self)
{
  if (self == NULL)
    return;
  g_free (self->user);
  g_free (self->origin);
  g_free (self->database);
  g_free (self->sql);
  g_free (self->question);
  g_strfreev (self->tables);
  g_free (self->error);
  g_free (self->truncated_by);
  g_free (self->result);
  g_free (self);
}

/** plumb_event_new: Returns: (transfer full): an event with a copy of @turn */
PlumbEvent *
plumb_event_new (PlumbEventKind kind, const PlumbTurn *turn)
{
  PlumbEvent *self = g_new0 (PlumbEvent, 1);

  self->kind = kind;
  self->turn = plumb_turn_copy (turn);
  return self;
}

/** plumb_event_free: frees @self */
void
plumb_event_free (PlumbEvent *self)
{
  if (self == NULL)
    return;
  plumb_turn_free (self->turn);
  plumb_step_free (self->step);
  g_free (self->text);
  g_clear_pointer (&self->candidates, plumb_candidates_unref);
  g_clear_pointer (&self->result, plumb_result_unref);
  g_free (self->sql);
  g_free (self->database);
  g_free (self);
}
