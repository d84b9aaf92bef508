/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-chat-json.h"

#include "plumb-text.h"

#include <string.h>

/* More calls than this in one reply is a model gone astray. */
#define MAX_CALLS 64

/* A tool call as its pieces arrive. */
typedef struct {
  gint64 index;
  char *id;
  GString *name;
  GString *arguments;
} PartialCall;

/* Models that think aloud begin their text with it, where the server doesn't set it apart. */
#define THOUGHT_BEGIN "<think>"
#define THOUGHT_END "</think>"

typedef enum {
  THOUGHT_UNKNOWN, /* the text is too short to tell whether it begins with a thought */
  THOUGHT_GOES_ON,
  THOUGHT_OVER,
} Thought;

struct _PlumbChatAssembler {
  PlumbTextDelta delta;
  gpointer user_data;
  GString *text;
  GString *held; /* text that is, or may be, a thought */
  Thought thought;
  GPtrArray *calls;
  char *finish_reason;
  gint64 prompt_tokens;
  gint64 reply_tokens;
  gboolean begun;
  gboolean done;
  gboolean seen_choice;
};

static void
partial_call_free (PartialCall *call)
{
  g_free (call->id);
  g_string_free (call->name, TRUE);
  g_string_free (call->arguments, TRUE);
  g_free (call);
}

/**
 * plumb_chat_assembler_new:
 * @delta: (nullable): told of each piece of text
 * @user_data: for @delta
 *
 * Returns: (transfer full): an assembler of one reply
 */
PlumbChatAssembler *
plumb_chat_assembler_new (PlumbTextDelta delta, gpointer user_data)
{
  PlumbChatAssembler *self = g_new0 (PlumbChatAssembler, 1);

  self->delta = delta;
  self->user_data = user_data;
  self->text = g_string_new (NULL);
  self->held = g_string_new (NULL);
  self->calls = g_ptr_array_new_with_free_func ((GDestroyNotify) partial_call_free);
  self->prompt_tokens = -1;
  self->reply_tokens = -1;
  return self;
}

/** plumb_chat_assembler_free: frees @self */
void
plumb_chat_assembler_free (PlumbChatAssembler *self)
{
  if (self == NULL)
    return;
  g_string_free (self->text, TRUE);
  g_string_free (self->held, TRUE);
  g_ptr_array_unref (self->calls);
  g_free (self->finish_reason);
  g_free (self);
}

static void
hand_on_text (PlumbChatAssembler *self, const char *text)
{
  if (*text == '\0')
    return;
  g_string_append (self->text, text);
  if (self->delta != NULL)
    self->delta (text, self->user_data);
}

/* Hands on what was held and turned out to be no thought. */
static void
release_held (PlumbChatAssembler *self, gsize from)
{
  self->thought = THOUGHT_OVER;
  hand_on_text (self, self->held->str + from);
  g_string_truncate (self->held, 0);
}

static void
look_for_thought (PlumbChatAssembler *self)
{
  const char *start = self->held->str + strspn (self->held->str, " \t\r\n");

  if (g_str_has_prefix (start, THOUGHT_BEGIN))
    self->thought = THOUGHT_GOES_ON;
  else if (!g_str_has_prefix (THOUGHT_BEGIN, start))
    release_held (self, 0);
}

/* Of a thought that goes on no more is kept than can be the beginning of its end. */
static void
look_for_end_of_thought (PlumbChatAssembler *self)
{
  const char *end = strstr (self->held->str, THOUGHT_END);
  gsize kept = strlen (THOUGHT_END) - 1;

  if (end != NULL) {
    end += strlen (THOUGHT_END);
    end += strspn (end, " \t\r\n");
    release_held (self, end - self->held->str);
  } else if (self->held->len > kept) {
    g_string_erase (self->held, 0, self->held->len - kept);
  }
}

static void
add_text (PlumbChatAssembler *self, const char *text)
{
  g_autofree char *valid = NULL;

  if (text == NULL || *text == '\0')
    return;
  valid = plumb_text_make_valid (text, strlen (text), NULL);
  self->begun = TRUE;
  if (self->thought == THOUGHT_OVER) {
    hand_on_text (self, valid);
    return;
  }
  g_string_append (self->held, valid);
  if (self->thought == THOUGHT_UNKNOWN)
    look_for_thought (self);
  if (self->thought == THOUGHT_GOES_ON)
    look_for_end_of_thought (self);
}

/* `content` is a string, null, or an array of parts of which those with text count. */
static void
add_content (PlumbChatAssembler *self, JsonObject *message)
{
  JsonArray *parts = plumb_json_get_array (message, "content");

  add_text (self, plumb_json_get_string (message, "content", NULL));
  for (guint i = 0; parts != NULL && i < json_array_get_length (parts); i++) {
    JsonNode *part = json_array_get_element (parts, i);

    if (JSON_NODE_HOLDS_OBJECT (part))
      add_text (self, plumb_json_get_string (json_node_get_object (part), "text", NULL));
    else if (JSON_NODE_HOLDS_VALUE (part) && json_node_get_value_type (part) == G_TYPE_STRING)
      add_text (self, json_node_get_string (part));
  }
}

static PartialCall *
add_call (PlumbChatAssembler *self, gint64 index)
{
  PartialCall *call;

  if (self->calls->len >= MAX_CALLS)
    return NULL;
  call = g_new0 (PartialCall, 1);
  call->index = index;
  call->name = g_string_new (NULL);
  call->arguments = g_string_new (NULL);
  g_ptr_array_add (self->calls, call);
  return call;
}

static gboolean
is_complete (PartialCall *call)
{
  g_autoptr (JsonNode) node = NULL;

  if (call->arguments->len == 0 || call->arguments->str[call->arguments->len - 1] != '}')
    return FALSE;
  node = plumb_json_parse (call->arguments->str, -1, NULL);
  return node != NULL;
}

/* The call that a piece belongs to. Some endpoints give every call the index 0 and tell them apart
 * by id alone, some give no index, some neither, some the same id to all: a piece with a name
 * begins a call where the one before it is whole. */
static PartialCall *
find_call (PlumbChatAssembler *self, gint64 index, const char *id, const char *name, gboolean whole)
{
  PartialCall *found = NULL;

  for (guint i = self->calls->len; !whole && found == NULL && i > 0; i--) {
    PartialCall *call = g_ptr_array_index (self->calls, i - 1);

    if (index >= 0 ? call->index == index : id == NULL || g_strcmp0 (call->id, id) == 0)
      found = call;
    if (index < 0 && id == NULL)
      break;
  }
  if (found != NULL && found->name->len > 0 && name != NULL) {
    gboolean other_id = id != NULL && found->id != NULL && strcmp (id, found->id) != 0;

    if (other_id || is_complete (found))
      found = NULL;
  }
  return found != NULL ? found : add_call (self, index);
}

static void
add_arguments (PartialCall *call, JsonObject *function)
{
  JsonNode *node = json_object_get_member (function, "arguments");

  if (node == NULL || JSON_NODE_HOLDS_NULL (node))
    return;
  if (JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_STRING) {
    g_string_append (call->arguments, json_node_get_string (node));
  } else {
    g_autofree char *json = json_to_string (node, FALSE);

    g_string_append (call->arguments, json);
  }
}

static const char *
get_filled (JsonObject *object, const char *name)
{
  const char *text = plumb_json_get_string (object, name, NULL);

  return text != NULL && *text != '\0' ? text : NULL;
}

static void
add_call_piece (PlumbChatAssembler *self, JsonObject *piece, gboolean whole)
{
  JsonObject *function = plumb_json_get_object (piece, "function");
  const char *id = get_filled (piece, "id");
  const char *name = function != NULL ? get_filled (function, "name") : NULL;
  gint64 index = plumb_json_get_int (piece, "index", -1);
  PartialCall *call;

  if (function == NULL)
    return;
  call = find_call (self, index, id, name, whole);
  if (call == NULL)
    return;
  if (call->id == NULL)
    call->id = g_strdup (id);
  if (name != NULL && call->arguments->len == 0 && !g_str_equal (call->name->str, name))
    g_string_append (call->name, name);
  add_arguments (call, function);
}

static void
add_message (PlumbChatAssembler *self, JsonObject *message, gboolean whole)
{
  JsonArray *calls = plumb_json_get_array (message, "tool_calls");

  /* What a model thinks is no part of its answer, but shows that it is at work. */
  if (calls != NULL || get_filled (message, "reasoning_content") != NULL ||
      get_filled (message, "reasoning") != NULL)
    self->begun = TRUE;
  add_content (self, message);
  for (guint i = 0; calls != NULL && i < json_array_get_length (calls); i++) {
    JsonNode *piece = json_array_get_element (calls, i);

    if (JSON_NODE_HOLDS_OBJECT (piece))
      add_call_piece (self, json_node_get_object (piece), whole);
  }
}

static void
add_choices (PlumbChatAssembler *self, JsonArray *choices)
{
  for (guint i = 0; i < json_array_get_length (choices); i++) {
    JsonNode *node = json_array_get_element (choices, i);
    JsonObject *choice = JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
    JsonObject *delta;
    JsonObject *message;
    const char *reason;

    if (choice == NULL || plumb_json_get_int (choice, "index", 0) != 0)
      continue;
    self->seen_choice = TRUE;
    delta = plumb_json_get_object (choice, "delta");
    message = plumb_json_get_object (choice, "message");
    reason = get_filled (choice, "finish_reason");
    if (delta != NULL)
      add_message (self, delta, FALSE);
    else if (message != NULL)
      add_message (self, message, TRUE);
    if (reason != NULL) {
      g_free (self->finish_reason);
      self->finish_reason = g_strdup (reason);
    }
  }
}

static gboolean
add_object (PlumbChatAssembler *self, JsonObject *object, GError **error)
{
  JsonArray *choices = plumb_json_get_array (object, "choices");
  JsonObject *usage = plumb_json_get_object (object, "usage");
  JsonNode *fault = json_object_get_member (object, "error");

  if (fault != NULL && !JSON_NODE_HOLDS_NULL (fault)) {
    plumb_model_fault_from_object (object, error);
    return FALSE;
  }
  if (choices != NULL)
    add_choices (self, choices);
  if (usage != NULL) {
    self->prompt_tokens = plumb_json_get_int (usage, "prompt_tokens", self->prompt_tokens);
    self->reply_tokens = plumb_json_get_int (usage, "completion_tokens", self->reply_tokens);
  }
  return TRUE;
}

static gboolean
add_json (PlumbChatAssembler *self, const char *data, gsize length, GError **error)
{
  g_autofree char *valid = plumb_text_make_valid (data, length, NULL);
  g_autoptr (JsonNode) node = plumb_json_parse (valid, -1, NULL);

  if (node == NULL || !JSON_NODE_HOLDS_OBJECT (node)) {
    g_autofree char *start = plumb_text_first_line (valid, 60);

    g_set_error (error, PLUMB_MODEL_ERROR, PLUMB_MODEL_ERROR_PROTOCOL,
                 "The model's reply is broken: “%s” is no JSON object. Ask again; if it happens "
                 "again, check the model server's log.",
                 start);
    return FALSE;
  }
  return add_object (self, json_node_get_object (node), error);
}

/**
 * plumb_chat_assembler_add_event:
 * @data: the data of a server-sent event
 * @length: its bytes
 * @error: return location for a PLUMB_MODEL_ERROR
 *
 * Returns: whether the event could be read; `[DONE]` ends the reply
 */
gboolean
plumb_chat_assembler_add_event (PlumbChatAssembler *self, const char *data, gsize length,
                                GError **error)
{
  g_autofree char *text = g_strstrip (g_strndup (data, length));
  g_autoptr (JsonNode) whole = NULL;
  g_auto (GStrv) lines = NULL;

  /* Where the empty line between two events is missing they arrive as one of several lines. */
  if (strchr (text, '\n') != NULL)
    whole = plumb_json_parse (text, -1, NULL);
  lines = g_strsplit (text, "\n", whole != NULL ? 1 : -1);
  for (guint i = 0; lines[i] != NULL; i++) {
    if (lines[i][0] == '\0')
      continue;
    if (g_str_equal (lines[i], "[DONE]")) {
      self->done = TRUE;
      return TRUE;
    }
    if (!add_json (self, lines[i], strlen (lines[i]), error))
      return FALSE;
  }
  return TRUE;
}

/**
 * plumb_chat_assembler_add_document:
 * @data: a whole reply, as an endpoint sends it that doesn't stream
 * @length: its bytes
 * @error: return location for a PLUMB_MODEL_ERROR
 *
 * Returns: whether it could be read
 */
gboolean
plumb_chat_assembler_add_document (PlumbChatAssembler *self, const char *data, gsize length,
                                   GError **error)
{
  if (!add_json (self, data, length, error))
    return FALSE;
  if (!self->seen_choice) {
    g_set_error_literal (error, PLUMB_MODEL_ERROR, PLUMB_MODEL_ERROR_PROTOCOL,
                         "What answers at the model's address is no OpenAI-compatible server: its "
                         "JSON has no “choices”. Check the address in the model settings.");
    return FALSE;
  }
  self->done = TRUE;
  return TRUE;
}

/** plumb_chat_assembler_has_begun: Returns: whether anything of the reply has come */
gboolean
plumb_chat_assembler_has_begun (PlumbChatAssembler *self)
{
  return self->begun;
}

/** plumb_chat_assembler_is_done: Returns: whether nothing more is to come */
gboolean
plumb_chat_assembler_is_done (PlumbChatAssembler *self)
{
  return self->done;
}

/** plumb_chat_assembler_is_finished: Returns: whether the reply is whole, though token counts may
 *  still come */
gboolean
plumb_chat_assembler_is_finished (PlumbChatAssembler *self)
{
  return self->done || self->finish_reason != NULL;
}

static gboolean
id_is_taken (GPtrArray *calls, const char *id)
{
  for (guint i = 0; i < calls->len; i++) {
    PlumbToolCall *call = g_ptr_array_index (calls, i);

    if (g_strcmp0 (call->id, id) == 0)
      return TRUE;
  }
  return FALSE;
}

/* Every call gets an id of its own, since the results are told apart by it. */
static char *
choose_id (GPtrArray *calls, const PartialCall *partial)
{
  char *id = partial->id != NULL ? g_strdup (partial->id) : g_strdup_printf ("call_%u", calls->len);

  for (guint i = 2; id_is_taken (calls, id); i++) {
    g_free (id);
    id = g_strdup_printf ("%s_%u", partial->id != NULL ? partial->id : "call", i + calls->len);
  }
  return id;
}

/**
 * plumb_chat_assembler_finish:
 * @error: return location for a PLUMB_MODEL_ERROR
 *
 * Returns: (transfer full): the reply, or %NULL with an error where the stream ended too early
 */
PlumbChatReply *
plumb_chat_assembler_finish (PlumbChatAssembler *self, GError **error)
{
  PlumbChatReply *reply;

  if (!plumb_chat_assembler_is_finished (self)) {
    g_set_error_literal (error, PLUMB_MODEL_ERROR, PLUMB_MODEL_ERROR_BROKEN_OFF,
                         "The model's reply broke off before its end. Ask again; if it happens "
                         "again, check the model server's log and its memory.");
    return NULL;
  }
  if (self->thought == THOUGHT_UNKNOWN)
    release_held (self, 0);
  reply = g_new0 (PlumbChatReply, 1);
  reply->message = plumb_message_new (PLUMB_MESSAGE_ASSISTANT,
                                      self->text->len > 0 ? self->text->str : NULL);
  reply->finish_reason = g_strdup (self->finish_reason);
  reply->prompt_tokens = self->prompt_tokens;
  reply->reply_tokens = self->reply_tokens;
  for (guint i = 0; i < self->calls->len; i++) {
    PartialCall *partial = g_ptr_array_index (self->calls, i);
    g_autofree char *id = choose_id (reply->message->tool_calls, partial);

    g_ptr_array_add (reply->message->tool_calls,
                     plumb_tool_call_new (id, partial->name->str,
                                          partial->arguments->len > 0 ? partial->arguments->str
                                                                      : "{}"));
  }
  return reply;
}
