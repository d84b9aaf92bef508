/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "peer.h"

#include <string.h>

typedef struct {
  PeerEnd end;
  char *bytes;
} Reply;

struct _Peer {
  GSocketService *service;
  GMainContext *context;
  GMainLoop *loop;
  GThread *thread;
  guint port;
  GMutex mutex;
  GCond cond;
  GQueue replies;
  GPtrArray *requests;
  gboolean hung_up;
};

static void
reply_free (gpointer data)
{
  Reply *reply = data;

  g_free (reply->bytes);
  g_free (reply);
}

/* Reads one request: the head, and as much of a body as it announces. */
static char *
read_request (GInputStream *stream)
{
  GString *text = g_string_new (NULL);
  gsize needed = G_MAXSIZE;
  char buffer[4096];

  while (text->len < needed) {
    gssize length = g_input_stream_read (stream, buffer, sizeof buffer, NULL, NULL);
    const char *end;

    if (length <= 0)
      break;
    g_string_append_len (text, buffer, length);
    end = strstr (text->str, "\r\n\r\n");
    if (end != NULL && needed == G_MAXSIZE) {
      const char *header = strstr (text->str, "Content-Length: ");

      needed = end + 4 - text->str;
      if (header != NULL && header < end)
        needed += g_ascii_strtoull (header + 16, NULL, 10);
    }
  }
  return g_string_free (text, FALSE);
}

static void
send_bytes (GOutputStream *stream, const char *bytes)
{
  g_auto (GStrv) pieces = g_strsplit (bytes, "\001", -1);

  for (guint i = 0; pieces[i] != NULL; i++) {
    if (i > 0)
      g_usleep (30 * 1000);
    if (!g_output_stream_write_all (stream, pieces[i], strlen (pieces[i]), NULL, NULL, NULL))
      return;
  }
}

static gboolean
on_run (GThreadedSocketService *service, GSocketConnection *connection, GObject *source, Peer *self)
{
  GInputStream *input = g_io_stream_get_input_stream (G_IO_STREAM (connection));
  char *request = read_request (input);
  Reply *reply;
  char byte;

  g_mutex_lock (&self->mutex);
  reply = g_queue_pop_head (&self->replies);
  g_ptr_array_add (self->requests, request);
  g_mutex_unlock (&self->mutex);
  if (reply == NULL)
    return TRUE;
  send_bytes (g_io_stream_get_output_stream (G_IO_STREAM (connection)), reply->bytes);
  if (reply->end == PEER_HOLD) {
    while (g_input_stream_read (input, &byte, 1, NULL, NULL) > 0)
      ;
    g_mutex_lock (&self->mutex);
    self->hung_up = TRUE;
    g_cond_broadcast (&self->cond);
    g_mutex_unlock (&self->mutex);
  }
  reply_free (reply);
  return TRUE;
}

static gpointer
run_loop (gpointer data)
{
  Peer *self = data;

  g_main_context_push_thread_default (self->context);
  g_socket_service_start (self->service);
  g_main_loop_run (self->loop);
  g_main_context_pop_thread_default (self->context);
  return NULL;
}

/* Frees what connections use: called when the service is gone, which each connection's thread keeps
 * until it is done. */
static void
peer_finalize (gpointer data, GClosure *closure)
{
  Peer *self = data;

  g_queue_clear_full (&self->replies, reply_free);
  g_ptr_array_unref (self->requests);
  g_mutex_clear (&self->mutex);
  g_cond_clear (&self->cond);
  g_free (self);
}

/** peer_new: Returns: a peer that listens on a free port of the loopback interface */
Peer *
peer_new (void)
{
  Peer *self = g_new0 (Peer, 1);
  g_autoptr (GInetAddress) loopback = g_inet_address_new_loopback (G_SOCKET_FAMILY_IPV4);
  g_autoptr (GSocketAddress) wanted = g_inet_socket_address_new (loopback, 0);
  g_autoptr (GSocketAddress) effective = NULL;
  g_autoptr (GError) error = NULL;

  g_mutex_init (&self->mutex);
  g_cond_init (&self->cond);
  self->requests = g_ptr_array_new_with_free_func (g_free);
  self->context = g_main_context_new ();
  self->loop = g_main_loop_new (self->context, FALSE);
  g_main_context_push_thread_default (self->context);
  self->service = g_threaded_socket_service_new (16);
  g_signal_connect_data (self->service, "run", G_CALLBACK (on_run), self, peer_finalize, 0);
  g_socket_listener_add_address (G_SOCKET_LISTENER (self->service), wanted, G_SOCKET_TYPE_STREAM,
                                 G_SOCKET_PROTOCOL_TCP, NULL, &effective, &error);
  g_assert_no_error (error);
  g_main_context_pop_thread_default (self->context);
  self->port = g_inet_socket_address_get_port (G_INET_SOCKET_ADDRESS (effective));
  self->thread = g_thread_new ("peer", run_loop, self);
  return self;
}

static gboolean
on_quit (gpointer data)
{
  g_main_loop_quit (data);
  return G_SOURCE_REMOVE;
}

/** peer_free: stops listening */
void
peer_free (Peer *self)
{
  g_autoptr (GSource) quit = g_idle_source_new ();
  GSocketService *service = self->service;

  /* From within the loop, which may not run yet. */
  g_source_set_callback (quit, on_quit, self->loop, NULL);
  g_source_attach (quit, self->context);
  g_thread_join (self->thread);
  g_main_loop_unref (self->loop);
  g_main_context_unref (self->context);
  g_socket_service_stop (service);
  g_socket_listener_close (G_SOCKET_LISTENER (service));
  g_object_unref (service);
}

/** peer_get_port: Returns: the port that it listens on */
guint
peer_get_port (Peer *self)
{
  return self->port;
}

/** peer_get_address: Returns: (transfer full): its address with @path */
char *
peer_get_address (Peer *self, const char *path)
{
  return g_strdup_printf ("http://127.0.0.1:%u%s", self->port, path);
}

/** peer_add: the next connection that has no reply yet gets @bytes */
void
peer_add (Peer *self, PeerEnd end, const char *bytes)
{
  Reply *reply = g_new0 (Reply, 1);

  reply->end = end;
  reply->bytes = g_strdup (bytes);
  g_mutex_lock (&self->mutex);
  g_queue_push_tail (&self->replies, reply);
  g_mutex_unlock (&self->mutex);
}

/** peer_add_status: like peer_add(), an HTTP reply; @headers are lines that end with CRLF */
void
peer_add_status (Peer *self, guint status, const char *headers, const char *body)
{
  g_autofree char *bytes =
      g_strdup_printf ("HTTP/1.1 %u Status\r\nConnection: close\r\nContent-Length: %zu\r\n%s\r\n%s",
                       status, strlen (body), headers != NULL ? headers : "", body);

  peer_add (self, PEER_CLOSE, bytes);
}

/** peer_add_events: like peer_add(), a stream of server-sent events that lasts until the close */
void
peer_add_events (Peer *self, PeerEnd end, const char *events)
{
  g_autofree char *bytes = g_strconcat ("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
                                        "Connection: close\r\n\r\n",
                                        events, NULL);

  peer_add (self, end, bytes);
}

/** peer_get_n_requests: Returns: how many requests have come */
guint
peer_get_n_requests (Peer *self)
{
  g_autoptr (GMutexLocker) locker G_GNUC_UNUSED = g_mutex_locker_new (&self->mutex);

  return self->requests->len;
}

/** peer_get_request: Returns: a request as it came */
const char *
peer_get_request (Peer *self, guint number)
{
  g_autoptr (GMutexLocker) locker G_GNUC_UNUSED = g_mutex_locker_new (&self->mutex);

  g_assert_cmpuint (number, <, self->requests->len);
  return g_ptr_array_index (self->requests, number);
}

/** peer_wait_for_hang_up: Returns: whether the other side closed a held connection within @ms */
gboolean
peer_wait_for_hang_up (Peer *self, guint ms)
{
  g_autoptr (GMutexLocker) locker G_GNUC_UNUSED = g_mutex_locker_new (&self->mutex);
  gint64 end = g_get_monotonic_time () + ms * G_GINT64_CONSTANT (1000);

  while (!self->hung_up && g_cond_wait_until (&self->cond, &self->mutex, end))
    ;
  return self->hung_up;
}
