/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-turn-item.h"

#include "plumb-stored-candidates.h"
#include "plumb-wording.h"

#include <glib/gi18n-lib.h>

struct _PlumbTurnItem {
  GObject parent_instance;

  char *question;
  GString *answer;
  char *error;
  char *model;
  PlumbState state;
  gint64 started_at;
  gint64 elapsed_us;
  GPtrArray *numbers;
  GListStore *steps;
  GListStore *executions;
  PlumbCandidates *candidates;
};

enum {
  CHANGED,
  CANDIDATES_CHANGED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (PlumbTurnItem, plumb_turn_item, G_TYPE_OBJECT)

static void
plumb_turn_item_finalize (GObject *object)
{
  PlumbTurnItem *self = PLUMB_TURN_ITEM (object);

  g_free (self->question);
  g_string_free (self->answer, TRUE);
  g_free (self->error);
  g_free (self->model);
  g_ptr_array_unref (self->numbers);
  g_clear_object (&self->steps);
  g_clear_object (&self->executions);
  g_clear_pointer (&self->candidates, plumb_candidates_unref);
  G_OBJECT_CLASS (plumb_turn_item_parent_class)->finalize (object);
}

static guint
add_signal (const char *name)
{
  return g_signal_new (name, PLUMB_TYPE_TURN_ITEM, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                       G_TYPE_NONE, 0);
}

static void
plumb_turn_item_class_init (PlumbTurnItemClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = plumb_turn_item_finalize;

  signals[CHANGED] = add_signal ("changed");
  signals[CANDIDATES_CHANGED] = add_signal ("candidates-changed");
}

static void
plumb_turn_item_init (PlumbTurnItem *self)
{
  self->answer = g_string_new (NULL);
  self->numbers = g_ptr_array_new_with_free_func (g_free);
  self->steps = g_list_store_new (PLUMB_TYPE_STEP_ITEM);
  self->executions = g_list_store_new (PLUMB_TYPE_EXECUTION);
  self->state = PLUMB_STATE_RUNNING;
  self->started_at = g_get_real_time ();
}

/** plumb_turn_item_new: Returns: (transfer full): a turn that is about to start */
PlumbTurnItem *
plumb_turn_item_new (const char *question)
{
  PlumbTurnItem *self = g_object_new (PLUMB_TYPE_TURN_ITEM, NULL);

  self->question = g_strdup (question);
  return self;
}

static void
take_numbers (PlumbTurnItem *self, GPtrArray *numbers)
{
  g_ptr_array_set_size (self->numbers, 0);
  for (guint i = 0; numbers != NULL && i < numbers->len; i++)
    g_ptr_array_add (self->numbers,
                     g_memdup2 (g_ptr_array_index (numbers, i), sizeof (PlumbAnswerNumber)));
}

static void
set_candidates (PlumbTurnItem *self, PlumbCandidates *candidates)
{
  g_clear_pointer (&self->candidates, plumb_candidates_unref);
  self->candidates = plumb_candidates_ref (candidates);
  g_signal_emit (self, signals[CANDIDATES_CHANGED], 0);
}

/* What a stored step gave: the tables that a search found, the rows of a statement. */
static void
restore_step (PlumbTurnItem *self, const PlumbStep *step)
{
  g_autoptr (PlumbExecution) execution = plumb_execution_new_from_step (step);

  if (execution != NULL)
    g_list_store_append (self->executions, execution);
  if (g_strcmp0 (step->tool, "search_tables") == 0 && step->result != NULL && step->error == NULL) {
    g_autoptr (PlumbCandidates) candidates = plumb_stored_candidates_parse (step->result);

    if (candidates != NULL)
      set_candidates (self, candidates);
  }
}

/** plumb_turn_item_new_from_turn: Returns: (transfer full): a turn as the index keeps it */
PlumbTurnItem *
plumb_turn_item_new_from_turn (const PlumbTurn *turn)
{
  PlumbTurnItem *self = plumb_turn_item_new (turn->question);

  for (guint i = 0; turn->steps != NULL && i < turn->steps->len; i++) {
    const PlumbStep *step = g_ptr_array_index (turn->steps, i);
    g_autoptr (PlumbStepItem) item = plumb_step_item_new (step);

    g_list_store_append (self->steps, item);
    restore_step (self, step);
  }
  plumb_turn_item_finish (self, turn, NULL);
  /* Still running in the index, but not here: the program ended in the middle of it. */
  if (self->state == PLUMB_STATE_RUNNING)
    self->state = PLUMB_STATE_CANCELLED;
  return self;
}

static PlumbStepItem *
find_step (PlumbTurnItem *self, int number)
{
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->steps));

  for (guint i = n; i > 0; i--) {
    g_autoptr (PlumbStepItem) item = g_list_model_get_item (G_LIST_MODEL (self->steps), i - 1);

    if (plumb_step_item_get_step (item)->number == number)
      return g_steal_pointer (&item);
  }
  return NULL;
}

static void
take_step (PlumbTurnItem *self, const PlumbStep *step)
{
  g_autoptr (PlumbStepItem) item = find_step (self, step->number);

  if (item != NULL) {
    plumb_step_item_set_step (item, step);
    return;
  }
  item = plumb_step_item_new (step);
  g_list_store_append (self->steps, item);
  /* What was streamed before a tool call was no answer; the trace has it as a step of its own. */
  if (step->kind == PLUMB_STEP_TOOL)
    g_string_truncate (self->answer, 0);
}

static void
take_result (PlumbTurnItem *self, const PlumbEvent *event)
{
  g_autoptr (PlumbExecution)
      execution = plumb_execution_new (event->step, event->database, event->sql, event->result);

  g_list_store_append (self->executions, execution);
}

/** plumb_turn_item_take_event: brings the item up to date with what the turn loop tells */
void
plumb_turn_item_take_event (PlumbTurnItem *self, const PlumbEvent *event)
{
  switch (event->kind) {
  case PLUMB_EVENT_STEP_STARTED:
  case PLUMB_EVENT_STEP_CHANGED:
  case PLUMB_EVENT_STEP_FINISHED:
    if (event->step != NULL)
      take_step (self, event->step);
    break;
  case PLUMB_EVENT_TEXT_DELTA:
    g_string_append (self->answer, event->text != NULL ? event->text : "");
    break;
  case PLUMB_EVENT_CANDIDATES:
    if (event->candidates != NULL)
      set_candidates (self, event->candidates);
    return;
  case PLUMB_EVENT_RESULT:
    take_result (self, event);
    return;
  case PLUMB_EVENT_TURN_STARTED:
  case PLUMB_EVENT_TURN_FINISHED:
  default:
    break;
  }
  g_signal_emit (self, signals[CHANGED], 0);
}

/* A step that still runs when its turn is over never will end. */
static void
end_running_steps (PlumbTurnItem *self)
{
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (self->steps)); i++) {
    g_autoptr (PlumbStepItem) item = g_list_model_get_item (G_LIST_MODEL (self->steps), i);

    if (plumb_step_item_get_step (item)->state == PLUMB_STATE_RUNNING)
      plumb_step_item_set_state (item, PLUMB_STATE_CANCELLED);
  }
}

/**
 * plumb_turn_item_finish:
 * @self: the item
 * @turn: (nullable): the finished turn
 * @error: (nullable): why there is none
 *
 * Takes over the answer, its numbers and the state that the turn ended in.
 */
void
plumb_turn_item_finish (PlumbTurnItem *self, const PlumbTurn *turn, const GError *error)
{
  if (turn != NULL) {
    self->state = turn->state;
    self->elapsed_us = turn->elapsed_us;
    if (turn->answer != NULL)
      g_string_assign (self->answer, turn->answer);
    g_free (self->error);
    self->error = g_strdup (turn->error);
    g_free (self->model);
    self->model = g_strdup (turn->model);
    take_numbers (self, turn->numbers);
  } else {
    gboolean cancelled = g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);

    self->state = cancelled ? PLUMB_STATE_CANCELLED : PLUMB_STATE_FAILED;
    self->elapsed_us = g_get_real_time () - self->started_at;
    g_free (self->error);
    self->error = cancelled || error == NULL ? NULL : g_strdup (error->message);
  }
  end_running_steps (self);
  g_signal_emit (self, signals[CHANGED], 0);
}

/** plumb_turn_item_get_question: Returns: what was asked */
const char *
plumb_turn_item_get_question (PlumbTurnItem *self)
{
  return self->question;
}

/** plumb_turn_item_get_answer: Returns: the answer as far as it has come */
const char *
plumb_turn_item_get_answer (PlumbTurnItem *self)
{
  return self->answer->str;
}

/** plumb_turn_item_get_numbers: Returns: (transfer none) (element-type PlumbAnswerNumber): its
 *  numbers */
GPtrArray *
plumb_turn_item_get_numbers (PlumbTurnItem *self)
{
  return self->numbers;
}

/** plumb_turn_item_get_error: Returns: (nullable): why there is no answer */
const char *
plumb_turn_item_get_error (PlumbTurnItem *self)
{
  return self->error;
}

/** plumb_turn_item_get_model: Returns: (nullable): who answered */
const char *
plumb_turn_item_get_model (PlumbTurnItem *self)
{
  return self->model;
}

/** plumb_turn_item_get_state: Returns: running, done, failed or cancelled */
PlumbState
plumb_turn_item_get_state (PlumbTurnItem *self)
{
  return self->state;
}

/** plumb_turn_item_get_elapsed: Returns: microseconds that the turn took */
gint64
plumb_turn_item_get_elapsed (PlumbTurnItem *self)
{
  return self->elapsed_us;
}

/** plumb_turn_item_get_doing: Returns: (transfer full): what is going on while the turn runs */
char *
plumb_turn_item_get_doing (PlumbTurnItem *self)
{
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->steps));
  g_autoptr (PlumbStepItem) last = n > 0 ? g_list_model_get_item (G_LIST_MODEL (self->steps), n - 1)
                                         : NULL;
  const PlumbStep *step = last != NULL ? plumb_step_item_get_step (last) : NULL;

  if (step == NULL || step->state != PLUMB_STATE_RUNNING || step->kind == PLUMB_STEP_TEXT)
    return g_strdup (self->answer->len > 0 ? _("Answering…") : _("Thinking…"));
  if (step->progress != NULL)
    return g_strdup_printf ("%s: %s", plumb_wording_tool (step->tool), step->progress);
  return g_strdup_printf ("%s…", plumb_wording_tool (step->tool));
}

/** plumb_turn_item_get_steps: Returns: (transfer none): a list of #PlumbStepItem */
GListModel *
plumb_turn_item_get_steps (PlumbTurnItem *self)
{
  return G_LIST_MODEL (self->steps);
}

/** plumb_turn_item_get_executions: Returns: (transfer none): a list of #PlumbExecution */
GListModel *
plumb_turn_item_get_executions (PlumbTurnItem *self)
{
  return G_LIST_MODEL (self->executions);
}

/** plumb_turn_item_get_candidates: Returns: (transfer none) (nullable): what the last search
 *  found */
PlumbCandidates *
plumb_turn_item_get_candidates (PlumbTurnItem *self)
{
  return self->candidates;
}

static void
collect_tables (const PlumbStep *step, GPtrArray *tables)
{
  g_autoptr (JsonNode) node = step->arguments != NULL ? plumb_json_parse (step->arguments, -1, NULL)
                                                      : NULL;
  g_auto (GStrv) several = NULL;
  const char *one;

  if (node == NULL || !JSON_NODE_HOLDS_OBJECT (node) || step->error != NULL)
    return;
  several = plumb_json_get_strv (json_node_get_object (node), "tables");
  one = plumb_json_get_string (json_node_get_object (node), "table", NULL);
  if (one != NULL && !g_ptr_array_find_with_equal_func (tables, one, g_str_equal, NULL))
    g_ptr_array_add (tables, g_strdup (one));
  for (guint i = 0; several != NULL && several[i] != NULL; i++) {
    if (!g_ptr_array_find_with_equal_func (tables, several[i], g_str_equal, NULL))
      g_ptr_array_add (tables, g_strdup (several[i]));
  }
}

/** plumb_turn_item_get_tables: Returns: (transfer full): names of the tables that the turn worked
 *  with */
GStrv
plumb_turn_item_get_tables (PlumbTurnItem *self)
{
  GPtrArray *tables = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (self->steps)); i++) {
    g_autoptr (PlumbStepItem) item = g_list_model_get_item (G_LIST_MODEL (self->steps), i);
    const PlumbStep *step = plumb_step_item_get_step (item);

    if (g_strcmp0 (step->tool, "get_table_card") == 0 ||
        g_strcmp0 (step->tool, "find_join_path") == 0)
      collect_tables (step, tables);
  }
  g_ptr_array_add (tables, NULL);
  return (GStrv) g_ptr_array_free (tables, FALSE);
}
