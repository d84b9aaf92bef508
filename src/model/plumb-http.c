/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-http.h"

#include <libsoup/soup.h>
#include <string.h>

typedef enum { PHASE_CONNECT, PHASE_FIRST_BYTE, PHASE_STREAM } Phase;

struct _PlumbHttpCall {
  GMainContext *context;
  SoupSession *session;
  SoupMessage *message;
  GInputStream *stream;
  GCancellable *inner;
  GAsyncResult *result;
  GSource *timer;
  PlumbModelLimits limits;
  gint64 deadline;
  Phase phase;
  gboolean started;
  gboolean out_of_time;
  char *where;
  char *host;
};

/* The address without account, query and fragment, which can hold secrets. */
static char *
describe_address (GUri *uri)
{
  return g_uri_join (G_URI_FLAGS_NONE, g_uri_get_scheme (uri), NULL, g_uri_get_host (uri),
                     g_uri_get_port (uri), g_uri_get_path (uri), NULL, NULL);
}

static gboolean
is_loopback (const char *host)
{
  g_autoptr (GInetAddress) address = g_inet_address_new_from_string (host);

  return address != NULL ? g_inet_address_get_is_loopback (address)
                         : g_ascii_strcasecmp (host, "localhost") == 0;
}

static gboolean
on_time_up (gpointer data)
{
  PlumbHttpCall *self = data;

  self->out_of_time = TRUE;
  g_cancellable_cancel (self->inner);
  return G_SOURCE_REMOVE;
}

static void
clear_timer (PlumbHttpCall *self)
{
  if (self->timer == NULL)
    return;
  g_source_destroy (self->timer);
  g_clear_pointer (&self->timer, g_source_unref);
}

/* Starts the time limit of a phase, or what is left of the whole call's where that is less. */
static void
start_timer (PlumbHttpCall *self, Phase phase, guint ms)
{
  gint64 left = self->deadline > 0 ? (self->deadline - g_get_monotonic_time ()) / 1000 : ms;

  clear_timer (self);
  self->phase = phase;
  self->timer = g_timeout_source_new (MAX (MIN ((gint64) ms, left), 0));
  g_source_set_callback (self->timer, on_time_up, self, NULL);
  g_source_attach (self->timer, self->context);
}

/* The connection stands and the request is about to be sent. */
static void
on_starting (SoupMessage *message, PlumbHttpCall *self)
{
  start_timer (self, PHASE_FIRST_BYTE, self->limits.first_byte_ms);
}

static gboolean
key_is_sendable (const char *key)
{
  for (const char *p = key; *p != '\0'; p++) {
    if ((guchar) *p < 0x21 || (guchar) *p > 0x7e)
      return FALSE;
  }
  return TRUE;
}

static gboolean
set_key (SoupMessage *message, const char *key, GError **error)
{
  g_autofree char *trimmed = NULL;
  g_autofree char *value = NULL;

  if (key == NULL)
    return TRUE;
  trimmed = g_strstrip (g_strdup (key));
  if (*trimmed == '\0')
    return TRUE;
  if (!key_is_sendable (trimmed)) {
    g_set_error_literal (error, PLUMB_MODEL_ERROR, PLUMB_MODEL_ERROR_KEY,
                         "The key holds characters that no key has, such as a space or a line "
                         "break. Enter it again in the model settings.");
    return FALSE;
  }
  value = g_strdup_printf ("Bearer %s", trimmed);
  soup_message_headers_replace (soup_message_get_request_headers (message), "Authorization", value);
  return TRUE;
}

static SoupSession *
create_session (GUri *uri)
{
  SoupSession *session = soup_session_new ();

  soup_session_set_timeout (session, 0);
  soup_session_set_idle_timeout (session, 0);
  if (is_loopback (g_uri_get_host (uri)))
    soup_session_set_proxy_resolver (session, NULL);
  return session;
}

/**
 * plumb_http_call_new:
 * @method: GET or POST
 * @address: an http or https address
 * @key: (nullable): sent as a bearer token
 * @body: (nullable): JSON to send
 * @limits: time limits
 * @error: return location for a PLUMB_MODEL_ERROR
 *
 * Returns: (transfer full): the call, nothing sent yet, or %NULL with an error
 */
PlumbHttpCall *
plumb_http_call_new (const char *method, const char *address, const char *key, const char *body,
                     const PlumbModelLimits *limits, GError **error)
{
  g_autoptr (GUri) uri = g_uri_parse (address, SOUP_HTTP_URI_FLAGS, NULL);
  g_autoptr (SoupMessage) message = uri != NULL ? soup_message_new_from_uri (method, uri) : NULL;
  PlumbHttpCall *self;

  if (message == NULL || g_uri_get_host (uri) == NULL || *g_uri_get_host (uri) == '\0') {
    g_set_error_literal (error, PLUMB_MODEL_ERROR, PLUMB_MODEL_ERROR_CONNECT,
                         "The model's address is none. Enter one such as "
                         "http://localhost:11434/v1 in the model settings.");
    return NULL;
  }
  if (!set_key (message, key, error))
    return NULL;
  self = g_new0 (PlumbHttpCall, 1);
  self->limits = *limits;
  self->where = describe_address (uri);
  self->host = g_strdup (g_uri_get_host (uri));
  self->inner = g_cancellable_new ();
  self->context = g_main_context_new ();
  g_main_context_push_thread_default (self->context);
  self->session = create_session (uri);
  g_main_context_pop_thread_default (self->context);
  self->message = g_steal_pointer (&message);
  soup_message_add_flags (self->message, SOUP_MESSAGE_NO_REDIRECT | SOUP_MESSAGE_NEW_CONNECTION);
  g_signal_connect (self->message, "starting", G_CALLBACK (on_starting), self);
  if (body != NULL) {
    g_autoptr (GBytes) bytes = g_bytes_new (body, strlen (body));

    soup_message_set_request_body_from_bytes (self->message, "application/json", bytes);
  }
  return self;
}

/** plumb_http_call_free: closes the connection and frees @self */
void
plumb_http_call_free (PlumbHttpCall *self)
{
  if (self == NULL)
    return;
  clear_timer (self);
  g_main_context_push_thread_default (self->context);
  if (self->stream != NULL) {
    /* Closing with a cancelled cancellable doesn't wait for the rest of the body. */
    g_cancellable_cancel (self->inner);
    g_input_stream_close (self->stream, self->inner, NULL);
    g_clear_object (&self->stream);
  }
  soup_session_abort (self->session);
  while (g_main_context_iteration (self->context, FALSE))
    ;
  g_signal_handlers_disconnect_by_data (self->message, self);
  g_clear_object (&self->message);
  g_clear_object (&self->session);
  g_clear_object (&self->result);
  g_main_context_pop_thread_default (self->context);
  g_main_context_unref (self->context);
  g_object_unref (self->inner);
  g_free (self->where);
  g_free (self->host);
  g_free (self);
}

static void
set_time_error (PlumbHttpCall *self, GError **error)
{
  if (self->phase == PHASE_CONNECT)
    g_set_error (error, PLUMB_MODEL_ERROR, PLUMB_MODEL_ERROR_CONNECT,
                 "%s doesn't answer. Check the address in the model settings, the network, and "
                 "whether the server is running.",
                 self->where);
  else if (self->phase == PHASE_FIRST_BYTE)
    g_set_error (error, PLUMB_MODEL_ERROR, PLUMB_MODEL_ERROR_STALLED,
                 "%s took the question but sent nothing for %u seconds. The model may still be "
                 "loading: ask again in a while, or choose a smaller one.",
                 self->where, (self->limits.first_byte_ms + 999) / 1000);
  else
    g_set_error (error, PLUMB_MODEL_ERROR, PLUMB_MODEL_ERROR_STALLED,
                 "The model's reply stopped: %s sent nothing more for %u seconds. Ask again; if it "
                 "happens again, look at the model server's log.",
                 self->where, (self->limits.stall_ms + 999) / 1000);
}

static void
set_connect_error (PlumbHttpCall *self, const GError *fault, GError **error)
{
  if (fault->domain == G_RESOLVER_ERROR)
    g_set_error (error, PLUMB_MODEL_ERROR, PLUMB_MODEL_ERROR_CONNECT,
                 "There is no computer named “%s”, or the name server doesn't answer. Check the "
                 "address in the model settings and the network.",
                 self->host);
  else if (fault->domain == G_TLS_ERROR)
    g_set_error (error, PLUMB_MODEL_ERROR, PLUMB_MODEL_ERROR_CONNECT,
                 "No secure connection with %s (%s). Check whether the address begins with http:// "
                 "or https://, and whether the server's certificate is valid and trusted here.",
                 self->where, fault->message);
  else if (g_error_matches (fault, G_IO_ERROR, G_IO_ERROR_CONNECTION_REFUSED))
    g_set_error (error, PLUMB_MODEL_ERROR, PLUMB_MODEL_ERROR_CONNECT,
                 "Nothing is listening at %s. Start the model server, or correct the address in "
                 "the model settings.",
                 self->where);
  else
    g_set_error (error, PLUMB_MODEL_ERROR, PLUMB_MODEL_ERROR_CONNECT,
                 "No connection with %s (%s). Check the address in the model settings, the "
                 "network, and whether the server is running.",
                 self->where, fault->message);
}

/* Says what went wrong in the words of the model's error domain. */
static void
translate (PlumbHttpCall *self, const GError *fault, GCancellable *cancellable, GError **error)
{
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return;
  if (self->out_of_time)
    set_time_error (self, error);
  else if (self->phase == PHASE_CONNECT || fault->domain == G_TLS_ERROR)
    set_connect_error (self, fault, error);
  else if (fault->domain == SOUP_SESSION_ERROR)
    g_set_error (error, PLUMB_MODEL_ERROR, PLUMB_MODEL_ERROR_PROTOCOL,
                 "What answers at %s is no HTTP server that can be understood (%s). Check the "
                 "address in the model settings.",
                 self->where, fault->message);
  else
    g_set_error (error, PLUMB_MODEL_ERROR, PLUMB_MODEL_ERROR_BROKEN_OFF,
                 "The connection with %s broke off (%s). Ask again; if it happens again, look at "
                 "the model server's log.",
                 self->where, fault->message);
}

static void
on_result (GObject *source, GAsyncResult *result, gpointer data)
{
  PlumbHttpCall *self = data;

  self->result = g_object_ref (result);
}

static gboolean
on_cancelled (GCancellable *cancellable, gpointer data)
{
  PlumbHttpCall *self = data;

  g_cancellable_cancel (self->inner);
  return G_SOURCE_REMOVE;
}

/* Runs the call's context until the operation that was begun has its result. */
static GAsyncResult *
wait_for_result (PlumbHttpCall *self, GCancellable *cancellable)
{
  GSource *source = NULL;

  if (cancellable != NULL) {
    source = g_cancellable_source_new (cancellable);
    g_source_set_callback (source, G_SOURCE_FUNC (on_cancelled), self, NULL);
    g_source_attach (source, self->context);
  }
  while (self->result == NULL)
    g_main_context_iteration (self->context, TRUE);
  if (source != NULL) {
    g_source_destroy (source);
    g_source_unref (source);
  }
  clear_timer (self);
  return g_steal_pointer (&self->result);
}

/**
 * plumb_http_call_send:
 * @cancellable: (nullable): closes the connection at once
 * @error: return location for a PLUMB_MODEL_ERROR or G_IO_ERROR_CANCELLED
 *
 * Sends the request and waits for the head of the answer, whatever its status.
 *
 * Returns: whether one came
 */
gboolean
plumb_http_call_send (PlumbHttpCall *self, GCancellable *cancellable, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) fault = NULL;

  if (self->limits.total_ms > 0)
    self->deadline = g_get_monotonic_time () + self->limits.total_ms * G_GINT64_CONSTANT (1000);
  g_main_context_push_thread_default (self->context);
  start_timer (self, PHASE_CONNECT, self->limits.connect_ms);
  soup_session_send_async (self->session, self->message, G_PRIORITY_DEFAULT, self->inner, on_result,
                           self);
  result = wait_for_result (self, cancellable);
  self->stream = soup_session_send_finish (self->session, result, &fault);
  g_main_context_pop_thread_default (self->context);
  if (self->stream == NULL)
    translate (self, fault, cancellable, error);
  return self->stream != NULL;
}

/** plumb_http_call_get_status: Returns: the HTTP status of the answer */
guint
plumb_http_call_get_status (PlumbHttpCall *self)
{
  return soup_message_get_status (self->message);
}

/** plumb_http_call_get_header: Returns: (transfer none) (nullable): a header of the answer */
const char *
plumb_http_call_get_header (PlumbHttpCall *self, const char *name)
{
  return soup_message_headers_get_one (soup_message_get_response_headers (self->message), name);
}

/**
 * plumb_http_call_get_retry_ms:
 *
 * Reads Retry-After in seconds or as a date (RFC 9110, section 10.2.3).
 *
 * Returns: milliseconds after which the server wants to be asked again, 0 where it doesn't say
 */
guint
plumb_http_call_get_retry_ms (PlumbHttpCall *self)
{
  const char *header = plumb_http_call_get_header (self, "Retry-After");
  g_autoptr (GDateTime) date = NULL;
  g_autoptr (GDateTime) now = NULL;
  guint64 seconds;

  if (header == NULL)
    return 0;
  if (g_ascii_string_to_unsigned (header, 10, 0, G_MAXUINT / 1000, &seconds, NULL))
    return seconds * 1000;
  date = soup_date_time_new_from_http_string (header);
  now = g_date_time_new_now_utc ();
  return date != NULL ? CLAMP (g_date_time_difference (date, now) / 1000, 0, G_MAXINT) : 0;
}

/** plumb_http_call_get_where: Returns: (transfer none): the address with nothing secret in it */
const char *
plumb_http_call_get_where (PlumbHttpCall *self)
{
  return self->where;
}

/** plumb_http_call_set_stall: sets the time limit between two pieces of the body to @stall_ms */
void
plumb_http_call_set_stall (PlumbHttpCall *self, guint stall_ms)
{
  self->limits.stall_ms = MIN (self->limits.stall_ms, stall_ms);
}

/** plumb_http_call_set_started: what was asked for has begun to come, so that from now on the time
 *  limit between two pieces of the body counts; before, that of the first byte does */
void
plumb_http_call_set_started (PlumbHttpCall *self)
{
  self->started = TRUE;
}

/**
 * plumb_http_call_read:
 * @buffer: where to put bytes of the body
 * @size: how many it takes
 * @cancellable: (nullable): closes the connection at once
 * @error: return location for a PLUMB_MODEL_ERROR or G_IO_ERROR_CANCELLED
 *
 * Returns: how many bytes came, 0 at the end, -1 with an error
 */
gssize
plumb_http_call_read (PlumbHttpCall *self, char *buffer, gsize size, GCancellable *cancellable,
                      GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) fault = NULL;
  gssize length;

  g_main_context_push_thread_default (self->context);
  if (self->started)
    start_timer (self, PHASE_STREAM, self->limits.stall_ms);
  else
    start_timer (self, PHASE_FIRST_BYTE, self->limits.first_byte_ms);
  g_input_stream_read_async (self->stream, buffer, size, G_PRIORITY_DEFAULT, self->inner, on_result,
                             self);
  result = wait_for_result (self, cancellable);
  length = g_input_stream_read_finish (self->stream, result, &fault);
  g_main_context_pop_thread_default (self->context);
  if (length < 0)
    translate (self, fault, cancellable, error);
  return length;
}

/**
 * plumb_http_call_read_all:
 * @max_bytes: the most bytes that are read; what follows is left
 * @cancellable: (nullable): closes the connection at once
 * @error: return location for a PLUMB_MODEL_ERROR or G_IO_ERROR_CANCELLED
 *
 * Returns: (transfer full): the body, or %NULL with an error
 */
GString *
plumb_http_call_read_all (PlumbHttpCall *self, gsize max_bytes, GCancellable *cancellable,
                          GError **error)
{
  g_autoptr (GString) body = g_string_new (NULL);
  char buffer[8192];

  while (body->len < max_bytes) {
    gssize length = plumb_http_call_read (self, buffer, sizeof buffer, cancellable, error);

    if (length < 0)
      return NULL;
    if (length == 0)
      break;
    g_string_append_len (body, buffer, length);
  }
  return g_steal_pointer (&body);
}

static gboolean
on_waited (gpointer data)
{
  *(gboolean *) data = TRUE;
  return G_SOURCE_REMOVE;
}

static gboolean
on_wait_cancelled (GCancellable *cancellable, gpointer data)
{
  return on_waited (data);
}

static void
attach (GSource *source, GSourceFunc func, gpointer data, GMainContext *context)
{
  g_source_set_callback (source, func, data, NULL);
  g_source_attach (source, context);
}

/**
 * plumb_http_wait:
 * @ms: milliseconds
 * @cancellable: (nullable): ends the waiting
 * @error: return location for G_IO_ERROR_CANCELLED
 *
 * Returns: whether the time has passed and nothing was cancelled
 */
gboolean
plumb_http_wait (guint ms, GCancellable *cancellable, GError **error)
{
  g_autoptr (GMainContext) context = g_main_context_new ();
  g_autoptr (GSource) timer = g_timeout_source_new (ms);
  g_autoptr (GSource) cancel = NULL;
  gboolean over = FALSE;

  attach (timer, on_waited, &over, context);
  if (cancellable != NULL) {
    cancel = g_cancellable_source_new (cancellable);
    attach (cancel, G_SOURCE_FUNC (on_wait_cancelled), &over, context);
  }
  while (!over)
    g_main_context_iteration (context, TRUE);
  g_source_destroy (timer);
  if (cancel != NULL)
    g_source_destroy (cancel);
  return !g_cancellable_set_error_if_cancelled (cancellable, error);
}
