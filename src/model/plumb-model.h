/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-json.h"
#include "plumb-records.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * PLUMB_MODEL_ERROR:
 *
 * What goes wrong with a model endpoint. The endpoint's own message is kept.
 */
#define PLUMB_MODEL_ERROR (plumb_model_error_quark ())

/**
 * PlumbModelError:
 * @PLUMB_MODEL_ERROR_CONNECT: nothing answers at the address
 * @PLUMB_MODEL_ERROR_KEY: 401 or 403: the key is missing or wrong
 * @PLUMB_MODEL_ERROR_NOT_FOUND: 404: no such path or model
 * @PLUMB_MODEL_ERROR_BUSY: 429 or 503, after the retries
 * @PLUMB_MODEL_ERROR_SERVER: 5xx
 * @PLUMB_MODEL_ERROR_PROTOCOL: the reply is no OpenAI-compatible one (HTML, broken JSON)
 * @PLUMB_MODEL_ERROR_STALLED: nothing came for longer than the time limit
 * @PLUMB_MODEL_ERROR_BROKEN_OFF: the stream ended before the reply did
 * @PLUMB_MODEL_ERROR_TOO_LONG: the conversation, or a text, is longer than the model can read
 * @PLUMB_MODEL_ERROR_DIMENSIONS: vectors of another length than those before, which can't be compared
 */
typedef enum {
  PLUMB_MODEL_ERROR_CONNECT,
  PLUMB_MODEL_ERROR_KEY,
  PLUMB_MODEL_ERROR_NOT_FOUND,
  PLUMB_MODEL_ERROR_BUSY,
  PLUMB_MODEL_ERROR_SERVER,
  PLUMB_MODEL_ERROR_PROTOCOL,
  PLUMB_MODEL_ERROR_STALLED,
  PLUMB_MODEL_ERROR_BROKEN_OFF,
  PLUMB_MODEL_ERROR_TOO_LONG,
  PLUMB_MODEL_ERROR_DIMENSIONS,
} PlumbModelError;

GQuark plumb_model_error_quark (void);

typedef enum {
  PLUMB_MESSAGE_SYSTEM,
  PLUMB_MESSAGE_USER,
  PLUMB_MESSAGE_ASSISTANT,
  PLUMB_MESSAGE_TOOL,
} PlumbMessageRole;

/* A call that the model asks for: @arguments is the text as it came, which may be no JSON. */
typedef struct {
  char *id;
  char *name;
  char *arguments;
} PlumbToolCall;

/**
 * PlumbMessage:
 * @role: who speaks
 * @text: (nullable): what is said; for a tool its result
 * @tool_calls: (element-type PlumbToolCall): for the assistant; empty otherwise
 * @tool_call_id: (nullable): for a tool, the call that it answers
 * @declines: for the assistant, whether it is known to say that it can't answer, or to ask back
 */
typedef struct {
  PlumbMessageRole role;
  char *text;
  GPtrArray *tool_calls;
  char *tool_call_id;
  gboolean declines;
} PlumbMessage;

PlumbToolCall *plumb_tool_call_new  (const char *id, const char *name, const char *arguments);
void           plumb_tool_call_free (PlumbToolCall *self);
PlumbMessage  *plumb_message_new    (PlumbMessageRole role, const char *text);
void           plumb_message_free   (PlumbMessage *self);

/* A tool as the model sees it; @parameters is its JSON schema as text. */
typedef struct {
  const char *name;
  const char *description;
  const char *parameters;
} PlumbToolSchema;

/**
 * PlumbChatRequest:
 * @messages: (element-type PlumbMessage): the conversation so far
 * @tools: (array length=n_tools): tools that may be called
 * @n_tools: how many
 * @max_tokens: the most tokens of the reply, 0 for the model's own limit
 */
typedef struct {
  GPtrArray *messages;
  const PlumbToolSchema *tools;
  guint n_tools;
  gint64 max_tokens;
} PlumbChatRequest;

/**
 * PlumbChatReply:
 * @message: what the model says and calls
 * @finish_reason: (nullable): as the endpoint gives it
 * @prompt_tokens: -1 where it doesn't say
 * @reply_tokens: likewise
 */
typedef struct {
  PlumbMessage *message;
  char *finish_reason;
  gint64 prompt_tokens;
  gint64 reply_tokens;
} PlumbChatReply;

void plumb_chat_reply_free (PlumbChatReply *self);

/* Told of each piece of text as it comes, in the calling thread. */
typedef void (*PlumbTextDelta) (const char *text, gpointer user_data);

#define PLUMB_TYPE_MODEL (plumb_model_get_type ())
G_DECLARE_DERIVABLE_TYPE (PlumbModel, plumb_model, PLUMB, MODEL, GObject)

struct _PlumbModelClass {
  GObjectClass parent_class;

  const char     *(*get_name) (PlumbModel *self);
  PlumbChatReply *(*chat)     (PlumbModel *self, const PlumbChatRequest *request, PlumbTextDelta delta,
                               gpointer user_data, GCancellable *cancellable, GError **error);
};

const char     *plumb_model_get_name (PlumbModel *self);
PlumbChatReply *plumb_model_chat     (PlumbModel *self, const PlumbChatRequest *request, PlumbTextDelta delta,
                                      gpointer user_data, GCancellable *cancellable, GError **error);

/**
 * PlumbModelLimits:
 * @connect_ms: until the connection stands
 * @first_byte_ms: until the reply begins
 * @stall_ms: between two pieces of the reply
 * @total_ms: for everything together, 0 for no limit
 * @retry_ms: the wait before the first retry of a busy endpoint; it doubles from one to the next
 * @max_retry_ms: the longest wait that an endpoint may ask for
 * @retries: how often a busy endpoint is asked again
 * @max_reply_bytes: the most bytes of a reply
 *
 * Time limits of a call, in milliseconds.
 */
typedef struct {
  guint connect_ms;
  guint first_byte_ms;
  guint stall_ms;
  guint total_ms;
  guint retry_ms;
  guint max_retry_ms;
  guint retries;
  gsize max_reply_bytes;
} PlumbModelLimits;

#define PLUMB_MODEL_LIMITS_DEFAULT \
  ((PlumbModelLimits) { 10 * 1000, 120 * 1000, 60 * 1000, 0, 1000, 30 * 1000, 3, 8 * 1024 * 1024 })

/* plumb-openai-model.c: any OpenAI-compatible endpoint. @key may be NULL. */
PlumbModel     *plumb_openai_model_new (const char *base_address, const char *model, const char *key);
void            plumb_openai_model_set_limits (PlumbModel *model, const PlumbModelLimits *limits);
GStrv           plumb_openai_list_models (const char *base_address, const char *key, GCancellable *cancellable, GError **error);

/* plumb-planner.c: the built-in planner (DESIGN section 13). @now is the local time that relative
 * dates count from, NULL for the clock's. */
PlumbModel     *plumb_planner_new      (GDateTime *now);

/* plumb-model-discovery.c: local servers at their usual ports. */
void            plumb_found_server_free (PlumbFoundServer *self);
GPtrArray      *plumb_model_discover    (GCancellable *cancellable);
gboolean        plumb_model_name_is_embedding (const char *name);
gboolean        plumb_model_name_is_rerank    (const char *name);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlumbToolCall, plumb_tool_call_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlumbMessage, plumb_message_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlumbChatReply, plumb_chat_reply_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlumbFoundServer, plumb_found_server_free)

G_END_DECLS
