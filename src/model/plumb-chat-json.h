/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-model.h"

G_BEGIN_DECLS

/* plumb-chat-request.c: the body of a call of /chat/completions. */

/**
 * PlumbChatQuirks:
 * @PLUMB_CHAT_NO_STREAM_OPTIONS: the endpoint refuses `stream_options`
 * @PLUMB_CHAT_COMPLETION_TOKENS: it wants `max_completion_tokens` instead of `max_tokens`
 * @PLUMB_CHAT_NO_TEMPERATURE: it refuses `temperature`
 *
 * What an endpoint has been found not to take.
 */
typedef enum {
  PLUMB_CHAT_NO_STREAM_OPTIONS = 1 << 0,
  PLUMB_CHAT_COMPLETION_TOKENS = 1 << 1,
  PLUMB_CHAT_NO_TEMPERATURE = 1 << 2,
} PlumbChatQuirks;

char *plumb_chat_request_to_json (const PlumbChatRequest *request, const char *model,
                                  PlumbChatQuirks quirks);

/* plumb-chat-response.c: the reply, put together from its pieces. */

/**
 * PlumbChatAssembler:
 *
 * Puts a reply together from streamed pieces, or takes one that came whole. What endpoints do
 * differently is tolerated: pieces of tool calls without an index or an id, ids given twice,
 * arguments as an object, `content` as null or as an array of parts.
 */
typedef struct _PlumbChatAssembler PlumbChatAssembler;

PlumbChatAssembler *plumb_chat_assembler_new          (PlumbTextDelta delta, gpointer user_data);
void                plumb_chat_assembler_free         (PlumbChatAssembler *self);
gboolean            plumb_chat_assembler_add_event    (PlumbChatAssembler *self, const char *data, gsize length, GError **error);
gboolean            plumb_chat_assembler_add_document (PlumbChatAssembler *self, const char *data, gsize length, GError **error);
gboolean            plumb_chat_assembler_has_begun    (PlumbChatAssembler *self);
gboolean            plumb_chat_assembler_is_done      (PlumbChatAssembler *self);
gboolean            plumb_chat_assembler_is_finished  (PlumbChatAssembler *self);
PlumbChatReply     *plumb_chat_assembler_finish       (PlumbChatAssembler *self, GError **error);

/* plumb-model-fault.c: what an endpoint's refusal means, in words that say what to do. */
void  plumb_model_fault_from_status   (guint status, const char *body, gsize length, const char *where,
                                       const char *model, GError **error);
void  plumb_model_fault_from_object   (JsonObject *fault, GError **error);
gboolean plumb_model_fault_is_too_long (guint status, const char *body, gsize length);
char *plumb_model_fault_read_message  (const char *body, gsize length);
void  plumb_model_fault_hide_key      (GError **error, const char *key);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlumbChatAssembler, plumb_chat_assembler_free)

G_END_DECLS
