/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "agent-fixture.h"

#include <string.h>

typedef struct {
  PlumbMessage *message;
  int error_code;
  char *error_message;
  gboolean waits;
  gboolean cut;
} Reply;

struct _ScriptedModel {
  PlumbModel parent_instance;

  GQueue replies;
  gint64 tokens;
  guint n_calls;
  char *last;
  gsize longest;
};

G_DEFINE_FINAL_TYPE (ScriptedModel, scripted_model, PLUMB_TYPE_MODEL)

static void
reply_free (gpointer data)
{
  Reply *reply = data;

  g_clear_pointer (&reply->message, plumb_message_free);
  g_free (reply->error_message);
  g_free (reply);
}

static const char *
scripted_get_name (PlumbModel *model)
{
  return "scripted";
}

/* Waits until the test cancels, as a model that thinks for long. */
static void
wait_for_cancel (GCancellable *cancellable)
{
  while (!g_cancellable_is_cancelled (cancellable))
    g_usleep (1000);
}

static void
note_request (ScriptedModel *self, const PlumbChatRequest *request)
{
  const PlumbMessage *last = g_ptr_array_index (request->messages, request->messages->len - 1);
  gsize length = 0;

  self->n_calls++;
  g_free (self->last);
  self->last = g_strdup (last->text);
  for (guint i = 0; i < request->messages->len; i++) {
    const PlumbMessage *message = g_ptr_array_index (request->messages, i);

    length += message->text != NULL ? strlen (message->text) : 0;
  }
  self->longest = MAX (self->longest, length);
  g_assert_cmpuint (request->n_tools, ==, 8);
}

static PlumbChatReply *
scripted_chat (PlumbModel *model, const PlumbChatRequest *request, PlumbTextDelta delta,
               gpointer user_data, GCancellable *cancellable, GError **error)
{
  ScriptedModel *self = SCRIPTED_MODEL (model);
  Reply *reply = g_queue_pop_head (&self->replies);
  PlumbChatReply *answer;

  g_assert_nonnull (reply);
  note_request (self, request);
  if (reply->message->text != NULL && *reply->message->text != '\0')
    delta (reply->message->text, user_data);
  if (reply->waits)
    wait_for_cancel (cancellable);
  if (reply->waits || reply->error_message != NULL) {
    if (!g_cancellable_set_error_if_cancelled (cancellable, error))
      g_set_error_literal (error, PLUMB_MODEL_ERROR, reply->error_code, reply->error_message);
    reply_free (reply);
    return NULL;
  }
  answer = g_new0 (PlumbChatReply, 1);
  answer->message = g_steal_pointer (&reply->message);
  answer->finish_reason = g_strdup (reply->cut ? "length" : "stop");
  answer->prompt_tokens = self->tokens;
  answer->reply_tokens = -1;
  reply_free (reply);
  return answer;
}

static void
scripted_model_finalize (GObject *object)
{
  ScriptedModel *self = SCRIPTED_MODEL (object);

  g_queue_clear_full (&self->replies, reply_free);
  g_free (self->last);
  G_OBJECT_CLASS (scripted_model_parent_class)->finalize (object);
}

static void
scripted_model_class_init (ScriptedModelClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = scripted_model_finalize;
  PLUMB_MODEL_CLASS (klass)->get_name = scripted_get_name;
  PLUMB_MODEL_CLASS (klass)->chat = scripted_chat;
}

static void
scripted_model_init (ScriptedModel *self)
{
  g_queue_init (&self->replies);
}

ScriptedModel *
scripted_model_new (void)
{
  return g_object_new (SCRIPTED_TYPE_MODEL, NULL);
}

static Reply *
add_reply (ScriptedModel *self, const char *text)
{
  Reply *reply = g_new0 (Reply, 1);

  reply->message = plumb_message_new (PLUMB_MESSAGE_ASSISTANT, text);
  g_queue_push_tail (&self->replies, reply);
  return reply;
}

/** scripted_model_say: adds a reply of text alone, which may be empty */
void
scripted_model_say (ScriptedModel *self, const char *text)
{
  add_reply (self, text);
}

/** scripted_model_call: adds a reply that calls a tool */
void
scripted_model_call (ScriptedModel *self, const char *text, const char *tool, const char *arguments)
{
  add_reply (self, text);
  scripted_model_call_also (self, tool, arguments);
}

/** scripted_model_call_also: adds a call to the reply added last */
void
scripted_model_call_also (ScriptedModel *self, const char *tool, const char *arguments)
{
  Reply *reply = g_queue_peek_tail (&self->replies);
  g_autofree char *id = g_strdup_printf ("call-%u-%u", g_queue_get_length (&self->replies),
                                         reply->message->tool_calls->len);

  g_ptr_array_add (reply->message->tool_calls, plumb_tool_call_new (id, tool, arguments));
}

/** scripted_model_fail: adds an error that comes after some text */
void
scripted_model_fail (ScriptedModel *self, PlumbModelError code, const char *text,
                     const char *message)
{
  Reply *reply = add_reply (self, text);

  reply->error_code = code;
  reply->error_message = g_strdup (message);
}

/** scripted_model_wait: adds a reply that never ends */
void
scripted_model_wait (ScriptedModel *self, const char *text)
{
  add_reply (self, text)->waits = TRUE;
}

/** scripted_model_cut: adds a reply of text that ends at the limit on tokens */
void
scripted_model_cut (ScriptedModel *self, const char *text)
{
  add_reply (self, text)->cut = TRUE;
}

void
scripted_model_set_tokens (ScriptedModel *self, gint64 tokens)
{
  self->tokens = tokens;
}

guint
scripted_model_get_n_calls (ScriptedModel *self)
{
  return self->n_calls;
}

/** scripted_model_get_last: Returns: the text of the last message that the model was sent */
const char *
scripted_model_get_last (ScriptedModel *self)
{
  return self->last;
}

/** scripted_model_get_longest: Returns: bytes of the longest conversation that the model was sent
 */
gsize
scripted_model_get_longest (ScriptedModel *self)
{
  return self->longest;
}
