/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-session-private.h"

#include "plumb-turn-loop.h"

/* Where a question stands that could not be asked. */
#define DRAFT_KEY "draft"

typedef struct {
  PlumbEventFunc func;
  gpointer user_data;
  gboolean begun;
} Listener;

static void
on_event (const PlumbEvent *event, gpointer user_data)
{
  Listener *listener = user_data;

  listener->begun = TRUE;
  if (listener->func != NULL)
    listener->func (event, listener->user_data);
}

/**
 * plumb_session_ask:
 * @self: a session
 * @request: what is asked
 * @func: (nullable): told of events, in the calling thread
 * @user_data: passed to @func
 * @cancellable: (nullable): stops the turn at any moment
 * @error: return location
 *
 * Asks a question and waits for its answer. A turn that fails or is cancelled is stored with its
 * steps; a question that can't even begin a turn is kept as a draft.
 *
 * Returns: (transfer full): the turn with its answer, or %NULL with what ended it
 */
PlumbTurn *
plumb_session_ask (PlumbSession *self, const PlumbAskRequest *request, PlumbEventFunc func,
                   gpointer user_data, GCancellable *cancellable, GError **error)
{
  g_autoptr (PlumbModel) model = plumb_session_make_model (self);
  g_autoptr (GDateTime) now = plumb_session_get_now (self);
  g_autofree char *exports = plumb_session_make_data_path ("exports");
  Listener listener = { func, user_data, FALSE };
  PlumbTurnRequest turn = {
    .workspace = self->workspace,
    .model = model,
    .question = request->question,
    .conversation_id = request->conversation_id,
    .databases = request->databases,
    .now = now,
    .export_folder = exports,
    .query_limits = plumb_session_get_limits (self),
    .limits = PLUMB_TURN_LIMITS_DEFAULT,
    .func = on_event,
    .user_data = &listener,
  };
  PlumbTurn *answered = plumb_turn_loop_run (&turn, cancellable, error);

  if (answered == NULL && !listener.begun && request->question != NULL &&
      g_utf8_validate (request->question, -1, NULL))
    plumb_index_set_value (self->index, DRAFT_KEY, request->question, NULL);
  return answered;
}

/** plumb_session_get_draft: Returns: (transfer full) (nullable): the last question that could not
 * be asked */
char *
plumb_session_get_draft (PlumbSession *self)
{
  return plumb_index_get_value (self->index, DRAFT_KEY);
}

/* A question asked in a thread, with events that go to the caller's context. */
typedef struct {
  gint64 conversation_id;
  char *question;
  GStrv databases;
  GMainContext *context;
  PlumbEventFunc func;
  gpointer user_data;
} Asking;

static void
asking_free (gpointer pointer)
{
  Asking *asking = pointer;

  g_free (asking->question);
  g_strfreev (asking->databases);
  g_main_context_unref (asking->context);
  g_free (asking);
}

typedef struct {
  PlumbEvent *event;
  PlumbEventFunc func;
  gpointer user_data;
} Delivery;

static gboolean
deliver (gpointer user_data)
{
  Delivery *delivery = user_data;

  delivery->func (delivery->event, delivery->user_data);
  return G_SOURCE_REMOVE;
}

static void
delivery_free (gpointer pointer)
{
  Delivery *delivery = pointer;

  plumb_event_free (delivery->event);
  g_free (delivery);
}

/* A copy of the event for another thread. */
static PlumbEvent *
copy_event (const PlumbEvent *event)
{
  PlumbEvent *copy = plumb_event_new (event->kind, event->turn);

  copy->step = event->step != NULL ? plumb_step_copy (event->step) : NULL;
  copy->text = g_strdup (event->text);
  copy->candidates = event->candidates != NULL ? plumb_candidates_ref (event->candidates) : NULL;
  copy->result = event->result != NULL ? plumb_result_ref (event->result) : NULL;
  copy->sql = g_strdup (event->sql);
  copy->database = g_strdup (event->database);
  return copy;
}

/* The default priority keeps events in their order, and before the task's own return. */
static void
send_event (const PlumbEvent *event, gpointer user_data)
{
  Asking *asking = user_data;
  Delivery *delivery = g_new0 (Delivery, 1);

  delivery->event = copy_event (event);
  delivery->func = asking->func;
  delivery->user_data = asking->user_data;
  g_main_context_invoke_full (asking->context, G_PRIORITY_DEFAULT, deliver, delivery,
                              delivery_free);
}

static void
ask_in_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Asking *asking = task_data;
  PlumbAskRequest request = { asking->conversation_id, asking->question,
                              (const char *const *) asking->databases };
  GError *error = NULL;
  PlumbTurn *turn = plumb_session_ask (source, &request, asking->func != NULL ? send_event : NULL,
                                       asking, cancellable, &error);

  plumb_session_end_work (source, cancellable);
  if (turn != NULL)
    g_task_return_pointer (task, turn, (GDestroyNotify) plumb_turn_free);
  else
    g_task_return_error (task, error);
}

/**
 * plumb_session_ask_async:
 * @self: a session
 * @request: what is asked; copied
 * @func: (nullable): told of events, on the caller's thread-default main context, all of them
 * before
 *   @callback
 * @user_data: passed to @func; has to live until @callback
 * @cancellable: (nullable): stops the turn
 * @callback: called when the turn is over
 * @callback_data: passed to @callback
 *
 * Like [method@ask], in a thread of its own.
 */
void
plumb_session_ask_async (PlumbSession *self, const PlumbAskRequest *request, PlumbEventFunc func,
                         gpointer user_data, GCancellable *cancellable,
                         GAsyncReadyCallback callback, gpointer callback_data)
{
  g_autoptr (GCancellable) own = cancellable != NULL ? g_object_ref (cancellable)
                                                     : g_cancellable_new ();
  g_autoptr (GTask) task = g_task_new (self, own, callback, callback_data);
  Asking *asking = g_new0 (Asking, 1);

  asking->conversation_id = request->conversation_id;
  asking->question = g_strdup (request->question);
  asking->databases = g_strdupv ((char **) request->databases);
  asking->context = g_main_context_ref_thread_default ();
  asking->func = func;
  asking->user_data = user_data;
  g_task_set_source_tag (task, plumb_session_ask_async);
  g_task_set_task_data (task, asking, asking_free);
  plumb_session_begin_work (self, own);
  /* An answer that came in the same moment as the cancel is stored; it is handed on too. */
  g_task_set_check_cancellable (task, FALSE);
  g_task_run_in_thread (task, ask_in_thread);
}

/** plumb_session_ask_finish: Returns: (transfer full): as [method@ask] */
PlumbTurn *
plumb_session_ask_finish (PlumbSession *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  return g_task_propagate_pointer (G_TASK (result), error);
}
