/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-chat-json.h"
#include "plumb-endpoint.h"
#include "plumb-text.h"

#include <string.h>

/* Of a refusal's body this much is read. */
#define MAX_FAULT_BYTES (64 * 1024)

/* What is known of one attempt that failed. */
typedef struct {
  char *refusal;
  guint retry_ms;
} Failure;

/**
 * plumb_endpoint_new:
 * @base_address: the endpoint's address as typed
 * @model: (nullable): the model's name there
 * @key: (nullable): the key
 * @limits: time limits of a call
 *
 * Returns: (transfer full): the endpoint; nothing is sent yet
 */
PlumbEndpoint *
plumb_endpoint_new (const char *base_address, const char *model, const char *key,
                    const PlumbModelLimits *limits)
{
  PlumbEndpoint *self = g_new0 (PlumbEndpoint, 1);

  self->base_address = g_strdup (base_address);
  self->model = g_strdup (model != NULL ? model : "");
  self->key = key != NULL ? g_strstrip (g_strdup (key)) : NULL;
  self->limits = *limits;
  return self;
}

/** plumb_endpoint_free: frees @self */
void
plumb_endpoint_free (PlumbEndpoint *self)
{
  if (self == NULL)
    return;
  g_free (self->base_address);
  g_free (self->model);
  g_free (self->key);
  g_free (self);
}

/* What a refusal means where it isn't a conversation that was sent. */
static void
set_refusal (PlumbEndpoint *self, guint status, const char *body, gsize length, const char *where,
             GError **error)
{
  g_autofree char *message = plumb_model_fault_read_message (body, length);

  if (plumb_model_fault_is_too_long (status, body, length))
    g_set_error (error, PLUMB_MODEL_ERROR, PLUMB_MODEL_ERROR_TOO_LONG,
                 "A text is longer than the model “%s” at %s can read. Give the model a larger "
                 "context, or choose another. The server says: %s",
                 self->model, where, message != NULL ? message : "nothing");
  else if (status >= 400 && status < 500 && status != 401 && status != 403 && status != 404 &&
           status != 405 && status != 429)
    g_set_error (error, PLUMB_MODEL_ERROR, PLUMB_MODEL_ERROR_PROTOCOL,
                 "%s refuses the request (HTTP %u). Check that the model “%s” is made for this, or "
                 "choose another in the model settings. The server says: %s",
                 where, status, self->model, message != NULL ? message : "nothing");
  else
    plumb_model_fault_from_status (status, body, length, where,
                                   *self->model != '\0' ? self->model : NULL, error);
}

/* JSON has no NaN and no Infinity; several servers write them all the same. */
static const char *
find_no_number (const GString *body)
{
  static const char *const words[] = { "NaN", "nan", "Infinity", "inf" };

  for (guint i = 0; i < G_N_ELEMENTS (words); i++) {
    const char *found = strstr (body->str, words[i]);

    while (found != NULL && found > body->str) {
      if (strchr ("[,: -", found[-1]) != NULL && !g_ascii_isalnum (found[strlen (words[i])]))
        return words[i];
      found = strstr (found + 1, words[i]);
    }
  }
  return NULL;
}

static void
set_no_json (const GString *body, const char *where, GError **error)
{
  g_autofree char *valid = plumb_text_make_valid (body->str, MIN (body->len, 200), NULL);
  g_autofree char *start = plumb_text_first_line (valid, 60);

  if (*start == '\0')
    g_set_error (
        error, PLUMB_MODEL_ERROR, PLUMB_MODEL_ERROR_BROKEN_OFF,
        "%s closed the connection without a reply. Try again; if it happens again, look at "
        "the model server's log.",
        where);
  else if (find_no_number (body) != NULL)
    g_set_error (error, PLUMB_MODEL_ERROR, PLUMB_MODEL_ERROR_PROTOCOL,
                 "%s sends %s where a number belongs. Start the model server again, with float32 "
                 "instead of float16 where it has the choice, or choose another model.",
                 where, find_no_number (body));
  else
    g_set_error (error, PLUMB_MODEL_ERROR, PLUMB_MODEL_ERROR_PROTOCOL,
                 "What answers at %s is no OpenAI-compatible server: it sends %s (“%s”). Check the "
                 "address in the model settings.",
                 where, *start == '<' ? "a web page" : "something else than JSON", start);
}

static JsonNode *
read_reply (PlumbEndpoint *self, PlumbHttpCall *call, GCancellable *cancellable, GError **error)
{
  g_autoptr (GString) body = NULL;
  g_autoptr (JsonNode) root = NULL;
  JsonNode *fault = NULL;

  plumb_http_call_set_started (call);
  body = plumb_http_call_read_all (call, self->limits.max_reply_bytes, cancellable, error);
  if (body == NULL)
    return NULL;
  if (body->len >= self->limits.max_reply_bytes) {
    g_set_error (error, PLUMB_MODEL_ERROR, PLUMB_MODEL_ERROR_PROTOCOL,
                 "The reply of %s is longer than %" G_GSIZE_FORMAT " bytes and was stopped. Choose "
                 "another model.",
                 plumb_http_call_get_where (call), self->limits.max_reply_bytes);
    return NULL;
  }
  root = plumb_json_parse (body->str, body->len, NULL);
  if (root == NULL || JSON_NODE_HOLDS_VALUE (root) || JSON_NODE_HOLDS_NULL (root)) {
    set_no_json (body, plumb_http_call_get_where (call), error);
    return NULL;
  }
  if (JSON_NODE_HOLDS_OBJECT (root))
    fault = json_object_get_member (json_node_get_object (root), "error");
  if (fault != NULL && !JSON_NODE_HOLDS_NULL (fault)) {
    plumb_model_fault_from_object (json_node_get_object (root), error);
    return NULL;
  }
  return g_steal_pointer (&root);
}

static JsonNode *
run_attempt (PlumbEndpoint *self, const char *address, const char *body, Failure *failure,
             GCancellable *cancellable, GError **error)
{
  g_autoptr (PlumbHttpCall)
      call = plumb_http_call_new ("POST", address, self->key, body, &self->limits, error);
  g_autoptr (GString) refusal = NULL;
  guint status;

  failure->retry_ms = 0;
  g_clear_pointer (&failure->refusal, g_free);
  if (call == NULL || !plumb_http_call_send (call, cancellable, error))
    return NULL;
  status = plumb_http_call_get_status (call);
  if (status / 100 == 2)
    return read_reply (self, call, cancellable, error);
  refusal = plumb_http_call_read_all (call, MAX_FAULT_BYTES, cancellable, NULL);
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;
  if (refusal == NULL)
    refusal = g_string_new (NULL);
  failure->retry_ms = plumb_http_call_get_retry_ms (call);
  set_refusal (self, status, refusal->str, refusal->len, plumb_http_call_get_where (call), error);
  failure->refusal = g_string_free (g_steal_pointer (&refusal), FALSE);
  return NULL;
}

/* Waits before a busy endpoint is asked again. %FALSE where that makes no sense any more. */
static gboolean
wait_for_turn (PlumbEndpoint *self, const Failure *failure, guint retry, GCancellable *cancellable,
               GError **error)
{
  guint ms = MIN (self->limits.retry_ms << MIN (retry, 10), self->limits.max_retry_ms);

  if (!g_error_matches (*error, PLUMB_MODEL_ERROR, PLUMB_MODEL_ERROR_BUSY) ||
      retry >= self->limits.retries || failure->retry_ms > self->limits.max_retry_ms)
    return FALSE;
  g_clear_error (error);
  return plumb_http_wait (MAX (ms, failure->retry_ms), cancellable, error);
}

static JsonNode *
run_attempts (PlumbEndpoint *self, GPtrArray *addresses, const char *body, Failure *failure,
              GCancellable *cancellable, GError **error)
{
  guint address = MIN ((guint) g_atomic_int_get (&self->address), addresses->len - 1);
  g_autoptr (GError) not_found = NULL;
  guint retry = 0;

  for (;;) {
    g_autoptr (GError) fault = NULL;
    JsonNode *reply = run_attempt (self, g_ptr_array_index (addresses, address), body, failure,
                                   cancellable, &fault);

    if (reply != NULL) {
      g_atomic_int_set (&self->address, address);
      return reply;
    }
    if (g_error_matches (fault, PLUMB_MODEL_ERROR, PLUMB_MODEL_ERROR_NOT_FOUND)) {
      /* The later addresses are guesses: what the first one said helps more. */
      if (not_found == NULL)
        not_found = g_steal_pointer (&fault);
      if (++address < addresses->len)
        continue;
      g_propagate_error (error, g_steal_pointer (&not_found));
      return NULL;
    }
    if (!wait_for_turn (self, failure, retry++, cancellable, &fault)) {
      g_propagate_error (error, g_steal_pointer (&fault));
      return NULL;
    }
  }
}

/**
 * plumb_endpoint_post:
 * @self: an endpoint
 * @addresses: (element-type utf8): addresses to try in turn while they are not found
 * @body: JSON to send
 * @refusal: (out) (optional) (nullable): the body of the refusal, where the endpoint gave one
 * @cancellable: (nullable): closes the connection at once
 * @error: return location for a PLUMB_MODEL_ERROR or G_IO_ERROR_CANCELLED
 *
 * Sends @body and waits for the whole reply. An endpoint that is busy is asked again after a while,
 * or when it says that it has time.
 *
 * Returns: (transfer full): the reply, an object or an array, or %NULL with an error
 */
JsonNode *
plumb_endpoint_post (PlumbEndpoint *self, GPtrArray *addresses, const char *body, char **refusal,
                     GCancellable *cancellable, GError **error)
{
  Failure failure = { NULL, 0 };
  GError *fault = NULL;
  JsonNode *reply;

  if (addresses->len == 0)
    g_ptr_array_add (addresses, g_strdup (""));
  reply = run_attempts (self, addresses, body, &failure, cancellable, &fault);
  if (fault != NULL) {
    plumb_model_fault_hide_key (&fault, self->key);
    g_propagate_error (error, fault);
  }
  if (refusal != NULL)
    *refusal = g_steal_pointer (&failure.refusal);
  g_free (failure.refusal);
  return reply;
}
