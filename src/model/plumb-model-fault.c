/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-chat-json.h"

#include "plumb-text.h"

#include <string.h>

/* Of the endpoint's own message this much is kept. */
#define MAX_MESSAGE 300

/* What endpoints say when the conversation doesn't fit; looked for in folded text. */
static const char *const too_long_words[] = {
  "context_length_exceeded", "context length",    "context size",      "context window",
  "maximum context",         "too many tokens",   "prompt is too long", "input is too long",
  "exceed_context_size",     "token limit",       "reduce the length",  "input is too large",
  "must have less than",
};

static gboolean
contains_any (const char *text, const char *const *words, guint n_words)
{
  for (guint i = 0; i < n_words; i++) {
    if (strstr (text, words[i]) != NULL)
      return TRUE;
  }
  return FALSE;
}

static JsonObject *
find_fault (JsonObject *object)
{
  JsonObject *fault = plumb_json_get_object (object, "error");

  return fault != NULL ? fault : object;
}

/* Where the message stands: error.message (OpenAI), error (Ollama), message, detail (FastAPI). */
static const char *
get_message (JsonObject *object)
{
  static const char *const names[] = { "message", "error", "detail", "msg", "error_description" };
  JsonObject *fault = find_fault (object);

  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    const char *text = plumb_json_get_string (fault, names[i], NULL);

    if (text != NULL && *text != '\0')
      return text;
  }
  return NULL;
}

/**
 * plumb_model_fault_read_message:
 * @body: the body of a refusal
 * @length: its bytes
 *
 * Returns: (transfer full) (nullable): the endpoint's own message on one line; %NULL where the body
 *   is no JSON with one
 */
char *
plumb_model_fault_read_message (const char *body, gsize length)
{
  g_autofree char *valid = plumb_text_make_valid (body, length, NULL);
  g_autoptr (JsonNode) node = plumb_json_parse (valid, -1, NULL);
  const char *message = NULL;

  if (node != NULL && JSON_NODE_HOLDS_ARRAY (node)) {
    JsonArray *array = json_node_get_array (node);
    JsonNode *first = json_array_get_length (array) > 0 ? json_array_get_element (array, 0) : NULL;

    if (first != NULL && JSON_NODE_HOLDS_OBJECT (first))
      message = get_message (json_node_get_object (first));
  } else if (node != NULL && JSON_NODE_HOLDS_OBJECT (node)) {
    message = get_message (json_node_get_object (node));
  }
  return message != NULL ? plumb_text_first_line (message, MAX_MESSAGE) : NULL;
}

/**
 * plumb_model_fault_is_too_long:
 * @status: the HTTP status, 0 where there is none
 * @body: what came with it
 * @length: its bytes
 *
 * Returns: whether a refusal is about the length of what was sent
 */
gboolean
plumb_model_fault_is_too_long (guint status, const char *body, gsize length)
{
  g_autofree char *start = g_strndup (body, MIN (length, 4096));
  g_autofree char *folded = plumb_text_fold (start);

  return status == 413 || ((status == 400 || status == 422 || status == 500 || status == 0) &&
                           contains_any (folded, too_long_words, G_N_ELEMENTS (too_long_words)));
}

/* Whether a 404 is about the model and not about the path. */
static gboolean
is_about_model (const char *message)
{
  g_autofree char *folded = message != NULL ? plumb_text_fold (message) : NULL;

  return folded != NULL && strstr (folded, "model") != NULL;
}

/* The endpoint's own message as the end of ours. */
static char *
quote (const char *message)
{
  return message != NULL ? g_strdup_printf (" The server says: %s", message) : g_strdup ("");
}

static void
set_too_long (const char *said, GError **error)
{
  g_set_error (error, PLUMB_MODEL_ERROR, PLUMB_MODEL_ERROR_TOO_LONG,
               "The conversation is longer than the model can read. Start a new conversation, or "
               "give the model a larger context.%s",
               said);
}

/**
 * plumb_model_fault_from_status:
 * @status: the HTTP status, no 2xx
 * @body: what came with it
 * @length: its bytes
 * @where: the address without anything secret
 * @model: (nullable): the model that was asked for
 * @error: return location for the PLUMB_MODEL_ERROR
 *
 * Says what a refusal means and what to do.
 */
void
plumb_model_fault_from_status (guint status, const char *body, gsize length, const char *where,
                               const char *model, GError **error)
{
  g_autofree char *message = plumb_model_fault_read_message (body, length);
  g_autofree char *said = quote (message);

  if (plumb_model_fault_is_too_long (status, body, length))
    set_too_long (said, error);
  else if (status == 401 || status == 403)
    g_set_error (error, PLUMB_MODEL_ERROR, PLUMB_MODEL_ERROR_KEY,
                 "%s refuses the key (HTTP %u). Enter a valid key in the model settings.%s", where,
                 status, said);
  else if (status == 404 && model != NULL && is_about_model (message))
    g_set_error (error, PLUMB_MODEL_ERROR, PLUMB_MODEL_ERROR_NOT_FOUND,
                 "%s has no model “%s”. Choose one that it has in the model settings, or load it "
                 "there first.%s",
                 where, model, said);
  else if (status == 404 || status == 405)
    g_set_error (error, PLUMB_MODEL_ERROR, PLUMB_MODEL_ERROR_NOT_FOUND,
                 "Nothing OpenAI-compatible is at %s (HTTP %u). Check the path of the address in "
                 "the model settings; it usually ends in /v1.%s",
                 where, status, said);
  else if (status == 429 || status == 503)
    g_set_error (error, PLUMB_MODEL_ERROR, PLUMB_MODEL_ERROR_BUSY,
                 "%s is busy or its quota is used up (HTTP %u). Wait a little and ask again.%s",
                 where, status, said);
  else if (status >= 500)
    g_set_error (error, PLUMB_MODEL_ERROR, PLUMB_MODEL_ERROR_SERVER,
                 "%s failed (HTTP %u). Look at the model server's log and ask again.%s", where,
                 status, said);
  else if (status >= 300 && status < 400)
    g_set_error (error, PLUMB_MODEL_ERROR, PLUMB_MODEL_ERROR_PROTOCOL,
                 "%s has moved (HTTP %u). Enter the address that it moved to in the model "
                 "settings.",
                 where, status);
  else
    g_set_error (error, PLUMB_MODEL_ERROR, PLUMB_MODEL_ERROR_PROTOCOL,
                 "%s refuses the request (HTTP %u). Check that the model can call tools, or choose "
                 "another in the model settings.%s",
                 where, status, said);
}

/**
 * plumb_model_fault_from_object:
 * @fault: JSON with an `error` member that came in place of a reply
 * @error: return location for the PLUMB_MODEL_ERROR
 *
 * Says what an error means that came with status 200 or in the middle of a stream.
 */
void
plumb_model_fault_from_object (JsonObject *fault, GError **error)
{
  g_autoptr (PlumbJsonWriter) writer = plumb_json_writer_new ();
  g_autofree char *message = NULL;
  g_autofree char *said = NULL;
  g_autofree char *json = NULL;
  gint64 code = plumb_json_get_int (find_fault (fault), "code", 0);

  if (get_message (fault) != NULL)
    message = plumb_text_first_line (get_message (fault), MAX_MESSAGE);
  said = quote (message);
  plumb_json_writer_node (writer, json_object_get_member (fault, "error"));
  json = plumb_json_writer_finish (writer);
  if (plumb_model_fault_is_too_long (0, json, strlen (json)))
    set_too_long (said, error);
  else if (code == 401 || code == 403)
    g_set_error (error, PLUMB_MODEL_ERROR, PLUMB_MODEL_ERROR_KEY,
                 "The model server refuses the key. Enter a valid key in the model settings.%s",
                 said);
  else if (code == 429 || code == 503)
    g_set_error (error, PLUMB_MODEL_ERROR, PLUMB_MODEL_ERROR_BUSY,
                 "The model server is busy. Wait a little and ask again.%s", said);
  else
    g_set_error (error, PLUMB_MODEL_ERROR, PLUMB_MODEL_ERROR_SERVER,
                 "The model server failed while it answered. Look at its log and ask again.%s",
                 said);
}

/* Replaces each word that looks like a key; some servers repeat a part of the key that they got. */
static void
hide_key_words (GString *text)
{
  const char *const prefixes[] = { "sk-", "Bearer " };

  for (guint i = 0; i < G_N_ELEMENTS (prefixes); i++) {
    char *found = strstr (text->str, prefixes[i]);

    while (found != NULL) {
      gsize start = found - text->str;
      gsize end = start + strlen (prefixes[i]);

      while (text->str[end] != '\0' && !g_ascii_isspace (text->str[end]) &&
             strchr ("\"',)]}", text->str[end]) == NULL)
        end++;
      g_string_erase (text, start, end - start);
      g_string_insert (text, start, "•••");
      found = strstr (text->str + start + strlen ("•••"), prefixes[i]);
    }
  }
}

/**
 * plumb_model_fault_hide_key:
 * @error: (nullable): the location of an error, or of none
 * @key: (nullable): the key in use
 *
 * Takes the key out of an error's message, where a server repeated it.
 */
void
plumb_model_fault_hide_key (GError **error, const char *key)
{
  g_autoptr (GString) text = NULL;

  if (error == NULL || *error == NULL)
    return;
  text = g_string_new ((*error)->message);
  if (key != NULL && *key != '\0')
    g_string_replace (text, key, "•••", 0);
  hide_key_words (text);
  g_free ((*error)->message);
  (*error)->message = g_string_free (g_steal_pointer (&text), FALSE);
}
