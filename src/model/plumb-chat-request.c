/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-chat-json.h"

static const char *const role_names[] = {
  [PLUMB_MESSAGE_SYSTEM] = "system",
  [PLUMB_MESSAGE_USER] = "user",
  [PLUMB_MESSAGE_ASSISTANT] = "assistant",
  [PLUMB_MESSAGE_TOOL] = "tool",
};

/* Arguments that are no JSON object break the chat templates of several servers when they are sent
 * back, so they go back as the text that they were. */
static char *
make_arguments_valid (const char *arguments)
{
  g_autoptr (JsonNode) node = plumb_json_parse (arguments, -1, NULL);
  g_autoptr (PlumbJsonWriter) writer = NULL;

  if (node != NULL && JSON_NODE_HOLDS_OBJECT (node))
    return g_strdup (arguments);
  writer = plumb_json_writer_new ();
  plumb_json_writer_begin_object (writer);
  plumb_json_writer_name (writer, "not_json");
  plumb_json_writer_string (writer, arguments);
  plumb_json_writer_end_object (writer);
  return plumb_json_writer_finish (writer);
}

static void
write_tool_calls (PlumbJsonWriter *writer, GPtrArray *calls)
{
  plumb_json_writer_name (writer, "tool_calls");
  plumb_json_writer_begin_array (writer);
  for (guint i = 0; i < calls->len; i++) {
    PlumbToolCall *call = g_ptr_array_index (calls, i);
    g_autofree char *arguments = make_arguments_valid (call->arguments);

    plumb_json_writer_begin_object (writer);
    plumb_json_writer_name (writer, "id");
    plumb_json_writer_string (writer, call->id);
    plumb_json_writer_name (writer, "type");
    plumb_json_writer_string (writer, "function");
    plumb_json_writer_name (writer, "function");
    plumb_json_writer_begin_object (writer);
    plumb_json_writer_name (writer, "name");
    plumb_json_writer_string (writer, call->name);
    plumb_json_writer_name (writer, "arguments");
    plumb_json_writer_string (writer, arguments);
    plumb_json_writer_end_object (writer);
    plumb_json_writer_end_object (writer);
  }
  plumb_json_writer_end_array (writer);
}

static void
write_message (PlumbJsonWriter *writer, const PlumbMessage *message)
{
  plumb_json_writer_begin_object (writer);
  plumb_json_writer_name (writer, "role");
  plumb_json_writer_string (writer, role_names[message->role]);
  plumb_json_writer_name (writer, "content");
  if (message->text == NULL && message->tool_calls->len == 0)
    plumb_json_writer_string (writer, "");
  else
    plumb_json_writer_string (writer, message->text);
  if (message->tool_calls->len > 0)
    write_tool_calls (writer, message->tool_calls);
  if (message->tool_call_id != NULL) {
    plumb_json_writer_name (writer, "tool_call_id");
    plumb_json_writer_string (writer, message->tool_call_id);
  }
  plumb_json_writer_end_object (writer);
}

static void
write_tools (PlumbJsonWriter *writer, const PlumbChatRequest *request)
{
  plumb_json_writer_name (writer, "tools");
  plumb_json_writer_begin_array (writer);
  for (guint i = 0; i < request->n_tools; i++) {
    const PlumbToolSchema *tool = &request->tools[i];

    plumb_json_writer_begin_object (writer);
    plumb_json_writer_name (writer, "type");
    plumb_json_writer_string (writer, "function");
    plumb_json_writer_name (writer, "function");
    plumb_json_writer_begin_object (writer);
    plumb_json_writer_name (writer, "name");
    plumb_json_writer_string (writer, tool->name);
    plumb_json_writer_name (writer, "description");
    plumb_json_writer_string (writer, tool->description);
    plumb_json_writer_name (writer, "parameters");
    plumb_json_writer_raw (writer, tool->parameters);
    plumb_json_writer_end_object (writer);
    plumb_json_writer_end_object (writer);
  }
  plumb_json_writer_end_array (writer);
}

/**
 * plumb_chat_request_to_json:
 * @request: the conversation and the tools
 * @model: the model's name at the endpoint
 * @quirks: what the endpoint doesn't take
 *
 * Returns: (transfer full): the body of a streaming call of /chat/completions
 */
char *
plumb_chat_request_to_json (const PlumbChatRequest *request, const char *model,
                            PlumbChatQuirks quirks)
{
  g_autoptr (PlumbJsonWriter) writer = plumb_json_writer_new ();

  plumb_json_writer_begin_object (writer);
  plumb_json_writer_name (writer, "model");
  plumb_json_writer_string (writer, model);
  plumb_json_writer_name (writer, "stream");
  plumb_json_writer_boolean (writer, TRUE);
  if (!(quirks & PLUMB_CHAT_NO_STREAM_OPTIONS)) {
    plumb_json_writer_name (writer, "stream_options");
    plumb_json_writer_raw (writer, "{\"include_usage\":true}");
  }
  if (!(quirks & PLUMB_CHAT_NO_TEMPERATURE)) {
    plumb_json_writer_name (writer, "temperature");
    plumb_json_writer_int (writer, 0);
  }
  if (request->max_tokens > 0) {
    plumb_json_writer_name (writer, quirks & PLUMB_CHAT_COMPLETION_TOKENS ? "max_completion_tokens"
                                                                          : "max_tokens");
    plumb_json_writer_int (writer, request->max_tokens);
  }
  plumb_json_writer_name (writer, "messages");
  plumb_json_writer_begin_array (writer);
  for (guint i = 0; i < request->messages->len; i++)
    write_message (writer, g_ptr_array_index (request->messages, i));
  plumb_json_writer_end_array (writer);
  if (request->n_tools > 0)
    write_tools (writer, request);
  plumb_json_writer_end_object (writer);
  return plumb_json_writer_finish (writer);
}
