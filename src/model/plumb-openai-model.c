/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-chat-json.h"
#include "plumb-endpoint.h"
#include "plumb-sse.h"
#include "plumb-text.h"

#include <string.h>

/* Of a refusal's body this much is read. */
#define MAX_FAULT_BYTES (64 * 1024)
/* After the reply's last piece, token counts are waited for this long. */
#define TAIL_MS 2000

#define PLUMB_TYPE_OPENAI_MODEL (plumb_openai_model_get_type ())
G_DECLARE_FINAL_TYPE (PlumbOpenaiModel, plumb_openai_model, PLUMB, OPENAI_MODEL, PlumbModel)

struct _PlumbOpenaiModel {
  PlumbModel parent_instance;
  char *base_address;
  char *model;
  char *key;
  PlumbModelLimits limits;
  int quirks; /* PlumbChatQuirks, atomic */
};

G_DEFINE_FINAL_TYPE (PlumbOpenaiModel, plumb_openai_model, PLUMB_TYPE_MODEL)

/* One attempt at a call. */
typedef struct {
  PlumbOpenaiModel *model;
  PlumbHttpCall *call;
  PlumbChatAssembler *assembler;
  GString *head;
  GError *error;
  guint retry_after_ms;
  PlumbChatQuirks quirks;
} Attempt;

static const char *
openai_model_get_name (PlumbModel *model)
{
  return PLUMB_OPENAI_MODEL (model)->model;
}

static gboolean
on_event (const char *data, gsize length, gpointer user_data)
{
  Attempt *attempt = user_data;

  return plumb_chat_assembler_add_event (attempt->assembler, data, length, &attempt->error) &&
         !plumb_chat_assembler_is_done (attempt->assembler);
}

/* What the body is, by its first character that is no white space: endpoints that ignore
 * `stream` answer JSON, and what is no model server answers HTML or anything. */
typedef enum { BODY_UNKNOWN, BODY_EVENTS, BODY_JSON, BODY_OTHER } BodyKind;

static BodyKind
sniff (const char *body, gsize length)
{
  static const char *const fields[] = { "data", "event", "id", "retry", ":", "\357\273\277" };
  gsize i = 0;

  while (i < length && g_ascii_isspace (body[i]))
    i++;
  if (i == length)
    return BODY_UNKNOWN;
  if (body[i] == '{' || body[i] == '[')
    return BODY_JSON;
  for (guint j = 0; j < G_N_ELEMENTS (fields); j++) {
    gsize n = MIN (strlen (fields[j]), length - i);

    if (strncmp (body + i, fields[j], n) == 0)
      return n < strlen (fields[j]) ? BODY_UNKNOWN : BODY_EVENTS;
  }
  return BODY_OTHER;
}

static void
set_protocol_error (Attempt *attempt, const char *body, gsize length, GError **error)
{
  g_autofree char *valid = plumb_text_make_valid (body, MIN (length, 200), NULL);
  g_autofree char *start = plumb_text_first_line (valid, 60);

  if (*start == '\0')
    g_set_error (error, PLUMB_MODEL_ERROR, PLUMB_MODEL_ERROR_BROKEN_OFF,
                 "%s closed the connection without a reply. Ask again; if it happens again, look "
                 "at the model server's log.",
                 plumb_http_call_get_where (attempt->call));
  else
    g_set_error (error, PLUMB_MODEL_ERROR, PLUMB_MODEL_ERROR_PROTOCOL,
                 "What answers at %s is no OpenAI-compatible server: it sends %s (“%s”). Check the "
                 "address in the model settings.",
                 plumb_http_call_get_where (attempt->call),
                 *start == '<' ? "a web page" : "something else than JSON", start);
}

static gboolean
set_too_large (Attempt *attempt, GError **error)
{
  g_set_error (error, PLUMB_MODEL_ERROR, PLUMB_MODEL_ERROR_PROTOCOL,
               "The model's reply is longer than %" G_GSIZE_FORMAT " bytes and was stopped. Ask a "
               "narrower question, or choose another model.",
               attempt->model->limits.max_reply_bytes);
  return FALSE;
}

static gboolean
read_whole (Attempt *attempt, BodyKind kind, GCancellable *cancellable, GError **error)
{
  gsize max_bytes = attempt->model->limits.max_reply_bytes;
  g_autoptr (GString) rest = NULL;

  plumb_http_call_set_started (attempt->call);
  if (kind == BODY_JSON) {
    rest = plumb_http_call_read_all (attempt->call, max_bytes, cancellable, error);
    if (rest == NULL)
      return FALSE;
    g_string_append_len (attempt->head, rest->str, rest->len);
    if (attempt->head->len >= max_bytes)
      return set_too_large (attempt, error);
    return plumb_chat_assembler_add_document (attempt->assembler, attempt->head->str,
                                              attempt->head->len, error);
  }
  set_protocol_error (attempt, attempt->head->str, attempt->head->len, error);
  return FALSE;
}

/* A failure after the last piece costs nothing: the reply is there. */
static gboolean
read_failed (Attempt *attempt, GError *fault, GError **error)
{
  if (plumb_chat_assembler_is_finished (attempt->assembler) &&
      !g_error_matches (fault, G_IO_ERROR, G_IO_ERROR_CANCELLED)) {
    g_error_free (fault);
    return TRUE;
  }
  g_propagate_error (error, fault);
  return FALSE;
}

static gboolean
read_events (Attempt *attempt, GCancellable *cancellable, GError **error)
{
  g_autoptr (PlumbSseParser) parser = plumb_sse_parser_new (on_event, attempt);
  gsize total = attempt->head->len;
  char buffer[8192];
  gboolean more = plumb_sse_parser_feed (parser, attempt->head->str, attempt->head->len);

  while (more) {
    GError *fault = NULL;
    gssize length;

    if (plumb_chat_assembler_has_begun (attempt->assembler))
      plumb_http_call_set_started (attempt->call);
    if (plumb_chat_assembler_is_finished (attempt->assembler))
      plumb_http_call_set_stall (attempt->call, TAIL_MS);
    length = plumb_http_call_read (attempt->call, buffer, sizeof buffer, cancellable, &fault);
    if (length < 0)
      return read_failed (attempt, fault, error);
    total += length;
    if (total > attempt->model->limits.max_reply_bytes)
      return set_too_large (attempt, error);
    more = length > 0 ? plumb_sse_parser_feed (parser, buffer, length)
                      : (plumb_sse_parser_end (parser), FALSE);
  }
  if (attempt->error != NULL) {
    g_propagate_error (error, g_steal_pointer (&attempt->error));
    return FALSE;
  }
  return TRUE;
}

static gboolean
read_reply (Attempt *attempt, GCancellable *cancellable, GError **error)
{
  BodyKind kind = BODY_UNKNOWN;
  char buffer[4096];

  while (kind == BODY_UNKNOWN) {
    gssize length = plumb_http_call_read (attempt->call, buffer, sizeof buffer, cancellable, error);

    if (length < 0)
      return FALSE;
    if (length == 0)
      break;
    g_string_append_len (attempt->head, buffer, length);
    kind = sniff (attempt->head->str, attempt->head->len);
    if (attempt->head->len > attempt->model->limits.max_reply_bytes)
      return set_too_large (attempt, error);
  }
  return kind == BODY_EVENTS ? read_events (attempt, cancellable, error)
                             : read_whole (attempt, kind, cancellable, error);
}

/* What a refusal says about the request, where leaving something out of it can help. */
static PlumbChatQuirks
find_quirk (guint status, const char *body)
{
  if (status != 400 && status != 422)
    return 0;
  if (strstr (body, "max_completion_tokens") != NULL)
    return PLUMB_CHAT_COMPLETION_TOKENS;
  if (strstr (body, "stream_options") != NULL)
    return PLUMB_CHAT_NO_STREAM_OPTIONS;
  if (strstr (body, "temperature") != NULL)
    return PLUMB_CHAT_NO_TEMPERATURE;
  return 0;
}

static gboolean
read_refusal (Attempt *attempt, guint status, GCancellable *cancellable, GError **error)
{
  g_autoptr (GString) body = NULL;

  body = plumb_http_call_read_all (attempt->call, MAX_FAULT_BYTES, cancellable, NULL);
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return FALSE;
  attempt->quirks = find_quirk (status, body != NULL ? body->str : "");
  attempt->retry_after_ms = plumb_http_call_get_retry_ms (attempt->call);
  plumb_model_fault_from_status (
      status, body != NULL ? body->str : "", body != NULL ? body->len : 0,
      plumb_http_call_get_where (attempt->call), attempt->model->model, error);
  return FALSE;
}

static gboolean
run_attempt (Attempt *attempt, const char *address, const char *body, GCancellable *cancellable,
             GError **error)
{
  PlumbOpenaiModel *model = attempt->model;
  guint status;

  g_clear_pointer (&attempt->call, plumb_http_call_free);
  g_string_truncate (attempt->head, 0);
  attempt->retry_after_ms = 0;
  attempt->call = plumb_http_call_new ("POST", address, model->key, body, &model->limits, error);
  if (attempt->call == NULL || !plumb_http_call_send (attempt->call, cancellable, error))
    return FALSE;
  status = plumb_http_call_get_status (attempt->call);
  if (status / 100 != 2)
    return read_refusal (attempt, status, cancellable, error);
  return read_reply (attempt, cancellable, error);
}

/* Waits before a busy endpoint is asked again. %FALSE where that makes no sense any more. */
static gboolean
wait_for_turn (Attempt *attempt, guint retry, GCancellable *cancellable, GError **error)
{
  const PlumbModelLimits *limits = &attempt->model->limits;
  guint ms = MIN (limits->retry_ms << MIN (retry, 10), limits->max_retry_ms);

  if (!g_error_matches (*error, PLUMB_MODEL_ERROR, PLUMB_MODEL_ERROR_BUSY) ||
      retry >= limits->retries || attempt->retry_after_ms > limits->max_retry_ms ||
      plumb_chat_assembler_has_begun (attempt->assembler))
    return FALSE;
  g_clear_error (error);
  return plumb_http_wait (MAX (ms, attempt->retry_after_ms), cancellable, error);
}

/* Tries the addresses while they are not found, a busy endpoint again after a while, and a request
 * without what the endpoint doesn't take. */
static gboolean
run_attempts (Attempt *attempt, const PlumbChatRequest *request, GPtrArray *addresses,
              GCancellable *cancellable, GError **error)
{
  guint address = 0;
  guint retry = 0;
  g_autoptr (GError) not_found = NULL;

  for (;;) {
    PlumbChatQuirks quirks = g_atomic_int_get (&attempt->model->quirks);
    g_autofree char *body = plumb_chat_request_to_json (request, attempt->model->model, quirks);
    GError *fault = NULL;

    attempt->quirks = 0;
    if (run_attempt (attempt, g_ptr_array_index (addresses, address), body, cancellable, &fault))
      return TRUE;
    if (attempt->quirks & ~quirks) {
      g_atomic_int_or ((guint *) &attempt->model->quirks, attempt->quirks);
      g_error_free (fault);
    } else if (g_error_matches (fault, PLUMB_MODEL_ERROR, PLUMB_MODEL_ERROR_NOT_FOUND) &&
               address + 1 < addresses->len) {
      not_found = fault;
      address++;
    } else if (!wait_for_turn (attempt, retry++, cancellable, &fault)) {
      /* The second address was a guess: what the first one said helps more. */
      if (not_found != NULL &&
          g_error_matches (fault, PLUMB_MODEL_ERROR, PLUMB_MODEL_ERROR_NOT_FOUND)) {
        g_error_free (fault);
        fault = g_steal_pointer (&not_found);
      }
      g_propagate_error (error, fault);
      return FALSE;
    }
  }
}

static PlumbChatReply *
openai_model_chat (PlumbModel *model, const PlumbChatRequest *request, PlumbTextDelta delta,
                   gpointer user_data, GCancellable *cancellable, GError **error)
{
  PlumbOpenaiModel *self = PLUMB_OPENAI_MODEL (model);
  g_autoptr (GPtrArray) addresses = NULL;
  g_autoptr (PlumbChatAssembler) assembler = plumb_chat_assembler_new (delta, user_data);
  g_autoptr (GString) head = g_string_new (NULL);
  Attempt attempt = { .model = self, .assembler = assembler, .head = head };
  PlumbChatReply *reply = NULL;
  GError *fault = NULL;

  addresses = plumb_endpoint_get_addresses (self->base_address, "/chat/completions");
  if (addresses->len == 0)
    g_ptr_array_add (addresses, g_strdup (""));
  if (run_attempts (&attempt, request, addresses, cancellable, &fault))
    reply = plumb_chat_assembler_finish (assembler, &fault);
  g_clear_pointer (&attempt.call, plumb_http_call_free);
  g_clear_error (&attempt.error);
  if (fault != NULL) {
    plumb_model_fault_hide_key (&fault, self->key);
    g_propagate_error (error, fault);
  }
  return reply;
}

static void
plumb_openai_model_finalize (GObject *object)
{
  PlumbOpenaiModel *self = PLUMB_OPENAI_MODEL (object);

  g_free (self->base_address);
  g_free (self->model);
  g_free (self->key);
  G_OBJECT_CLASS (plumb_openai_model_parent_class)->finalize (object);
}

static void
plumb_openai_model_class_init (PlumbOpenaiModelClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = plumb_openai_model_finalize;
  PLUMB_MODEL_CLASS (klass)->get_name = openai_model_get_name;
  PLUMB_MODEL_CLASS (klass)->chat = openai_model_chat;
}

static void
plumb_openai_model_init (PlumbOpenaiModel *self)
{
  self->limits = PLUMB_MODEL_LIMITS_DEFAULT;
}

/**
 * plumb_openai_model_new:
 * @base_address: the endpoint's address, with or without /v1 or /chat/completions
 * @model: the model's name there
 * @key: (nullable): the key, sent as a bearer token
 *
 * Returns: (transfer full): a model behind an OpenAI-compatible endpoint; nothing is sent yet
 */
PlumbModel *
plumb_openai_model_new (const char *base_address, const char *model, const char *key)
{
  PlumbOpenaiModel *self = g_object_new (PLUMB_TYPE_OPENAI_MODEL, NULL);

  self->base_address = g_strdup (base_address);
  self->model = g_strdup (model != NULL ? model : "");
  self->key = key != NULL ? g_strstrip (g_strdup (key)) : NULL;
  return PLUMB_MODEL (self);
}

/** plumb_openai_model_set_limits: sets the limits of calls to come; before the first one only */
void
plumb_openai_model_set_limits (PlumbModel *model, const PlumbModelLimits *limits)
{
  g_return_if_fail (PLUMB_IS_OPENAI_MODEL (model));
  PLUMB_OPENAI_MODEL (model)->limits = *limits;
}

/**
 * plumb_openai_list_models:
 * @base_address: the endpoint's address, with or without /v1 or /chat/completions
 * @key: (nullable): the key
 * @cancellable: (nullable): ends the call
 * @error: return location for a PLUMB_MODEL_ERROR or G_IO_ERROR_CANCELLED
 *
 * Asks the endpoint what models it has; also tells whether address and key are right.
 *
 * Returns: (transfer full): their names, or %NULL with an error
 */
GStrv
plumb_openai_list_models (const char *base_address, const char *key, GCancellable *cancellable,
                          GError **error)
{
  PlumbModelLimits limits = PLUMB_MODEL_LIMITS_DEFAULT;

  limits.first_byte_ms = 20 * 1000;
  limits.stall_ms = 20 * 1000;
  return plumb_model_list_fetch (base_address, key, &limits, cancellable, error);
}
