/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-model.h"

G_DEFINE_QUARK (plumb-model-error-quark, plumb_model_error)
G_DEFINE_ABSTRACT_TYPE (PlumbModel, plumb_model, G_TYPE_OBJECT)

static void
plumb_model_class_init (PlumbModelClass *klass)
{
}

static void
plumb_model_init (PlumbModel *self)
{
}

/** plumb_tool_call_new: Returns: (transfer full): a call of the tool @name */
PlumbToolCall *
plumb_tool_call_new (const char *id, const char *name, const char *arguments)
{
  PlumbToolCall *self = g_new0 (PlumbToolCall, 1);

  self->id = g_strdup (id);
  self->name = g_strdup (name);
  self->arguments = g_strdup (arguments);
  return self;
}

/** plumb_tool_call_free: frees @self */
void
plumb_tool_call_free (PlumbToolCall *self)
{
  if (self == NULL)
    return;
  g_free (self->id);
  g_free (self->name);
  g_free (self->arguments);
  g_free (self);
}

/** plumb_message_new: Returns: (transfer full): a message of @role that calls no tool */
PlumbMessage *
plumb_message_new (PlumbMessageRole role, const char *text)
{
  PlumbMessage *self = g_new0 (PlumbMessage, 1);

  self->role = role;
  self->text = g_strdup (text);
  self->tool_calls = g_ptr_array_new_with_free_func ((GDestroyNotify) plumb_tool_call_free);
  return self;
}

/** plumb_message_free: frees @self and its tool calls */
void
plumb_message_free (PlumbMessage *self)
{
  if (self == NULL)
    return;
  g_free (self->text);
  g_ptr_array_unref (self->tool_calls);
  g_free (self->tool_call_id);
  g_free (self);
}

/** plumb_chat_reply_free: frees @self and its message */
void
plumb_chat_reply_free (PlumbChatReply *self)
{
  if (self == NULL)
    return;
  plumb_message_free (self->message);
  g_free (self->finish_reason);
  g_free (self);
}

/** plumb_model_get_name: Returns: (transfer none): what the model is called, for people */
const char *
plumb_model_get_name (PlumbModel *self)
{
  g_return_val_if_fail (PLUMB_IS_MODEL (self), NULL);
  return PLUMB_MODEL_GET_CLASS (self)->get_name (self);
}

/**
 * plumb_model_chat:
 * @self: a model
 * @request: the conversation so far and the tools that may be called
 * @delta: (nullable): told of each piece of text as it comes, in the calling thread
 * @user_data: for @delta
 * @cancellable: (nullable): closes the connection at once
 * @error: return location for a PLUMB_MODEL_ERROR or G_IO_ERROR_CANCELLED
 *
 * One model call. It blocks, and may be called from any thread, from several at once too.
 *
 * Returns: (transfer full): the reply, or %NULL with an error; text already given to @delta is then
 *   no answer
 */
PlumbChatReply *
plumb_model_chat (PlumbModel *self, const PlumbChatRequest *request, PlumbTextDelta delta,
                  gpointer user_data, GCancellable *cancellable, GError **error)
{
  g_return_val_if_fail (PLUMB_IS_MODEL (self), NULL);
  g_return_val_if_fail (request != NULL, NULL);

  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;
  return PLUMB_MODEL_GET_CLASS (self)->chat (self, request, delta, user_data, cancellable, error);
}
