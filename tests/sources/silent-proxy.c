/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "silent-proxy.h"

#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#define LOOK_EVERY_MS 20

/* The two ends of a connection; a forgotten one is only kept open. */
typedef struct {
  int client;
  int server;
  gboolean forgotten;
} Way;

struct _SilentProxy {
  GMutex lock;
  GArray *ways;
  GThread *thread;
  int listener;
  guint port;
  guint16 server_port;
  gboolean ended;
  gboolean blocked;
  guint64 bytes_left; /* to clients, before all is forgotten; 0 for no end */
};

static struct sockaddr_in
loopback (guint16 port)
{
  struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons (port) };

  address.sin_addr.s_addr = htonl (INADDR_LOOPBACK);
  return address;
}

static void
accept_client (SilentProxy *self)
{
  struct sockaddr_in address = loopback (self->server_port);
  Way way = { accept (self->listener, NULL, NULL), socket (AF_INET, SOCK_STREAM, 0), FALSE };

  way.forgotten = self->blocked ||
                  connect (way.server, (struct sockaddr *) &address, sizeof address) != 0;
  g_array_append_val (self->ways, way);
}

static void
forget_all (SilentProxy *self)
{
  for (guint i = 0; i < self->ways->len; i++)
    g_array_index (self->ways, Way, i).forgotten = TRUE;
}

/* Hands on what has come. Returns FALSE when that end is closed. */
static gboolean
forward (SilentProxy *self, int from, int to, gboolean to_client)
{
  char buffer[16384];
  gssize length = recv (from, buffer, sizeof buffer, MSG_DONTWAIT);

  for (gssize done = 0; done < length;) {
    gssize sent = send (to, buffer + done, length - done, MSG_NOSIGNAL);

    if (sent <= 0)
      return FALSE;
    done += sent;
  }
  if (length > 0 && to_client && self->bytes_left > 0) {
    self->bytes_left = self->bytes_left > (guint64) length ? self->bytes_left - length : 0;
    if (self->bytes_left == 0)
      forget_all (self);
  }
  return length > 0;
}

static void
serve_way (SilentProxy *self, Way *way)
{
  struct pollfd fds[2] = { { way->client, POLLIN, 0 }, { way->server, POLLIN, 0 } };

  if (way->forgotten || poll (fds, 2, 0) <= 0)
    return;
  if ((fds[0].revents == 0 || forward (self, way->client, way->server, FALSE)) &&
      (fds[1].revents == 0 || forward (self, way->server, way->client, TRUE)))
    return;
  way->forgotten = TRUE;
  shutdown (way->client, SHUT_RDWR);
  shutdown (way->server, SHUT_RDWR);
}

static gboolean
wait_for_work (SilentProxy *self)
{
  g_autoptr (GArray) fds = g_array_new (FALSE, TRUE, sizeof (struct pollfd));
  struct pollfd fd = { self->listener, POLLIN, 0 };

  g_array_append_val (fds, fd);
  g_mutex_lock (&self->lock);
  for (guint i = 0; i < self->ways->len; i++) {
    const Way *way = &g_array_index (self->ways, Way, i);

    fd.fd = way->forgotten ? -1 : way->client;
    g_array_append_val (fds, fd);
    fd.fd = way->forgotten ? -1 : way->server;
    g_array_append_val (fds, fd);
  }
  g_mutex_unlock (&self->lock);
  poll ((struct pollfd *) (void *) fds->data, fds->len, LOOK_EVERY_MS);
  return g_array_index (fds, struct pollfd, 0).revents != 0;
}

static gpointer
serve (gpointer user_data)
{
  SilentProxy *self = user_data;
  gboolean ended = FALSE;

  while (!ended) {
    gboolean has_client = wait_for_work (self);

    g_mutex_lock (&self->lock);
    if (has_client)
      accept_client (self);
    for (guint i = 0; i < self->ways->len; i++)
      serve_way (self, &g_array_index (self->ways, Way, i));
    ended = self->ended;
    g_mutex_unlock (&self->lock);
  }
  return NULL;
}

/** silent_proxy_new: Returns: a way to the server at 127.0.0.1, on a port of its own */
SilentProxy *
silent_proxy_new (const char *server_port)
{
  SilentProxy *self = g_new0 (SilentProxy, 1);
  struct sockaddr_in address = loopback (0);
  socklen_t length = sizeof address;

  g_mutex_init (&self->lock);
  self->ways = g_array_new (FALSE, FALSE, sizeof (Way));
  self->server_port = (guint16) g_ascii_strtoull (server_port, NULL, 10);
  self->listener = socket (AF_INET, SOCK_STREAM, 0);
  g_assert_cmpint (bind (self->listener, (struct sockaddr *) &address, sizeof address), ==, 0);
  g_assert_cmpint (listen (self->listener, 16), ==, 0);
  g_assert_cmpint (getsockname (self->listener, (struct sockaddr *) &address, &length), ==, 0);
  self->port = ntohs (address.sin_port);
  self->thread = g_thread_new ("silent-proxy", serve, self);
  return self;
}

/** silent_proxy_get_port: Returns: where clients connect to */
guint
silent_proxy_get_port (SilentProxy *self)
{
  return self->port;
}

/** silent_proxy_forget: forwards nothing more on the connections that are open */
void
silent_proxy_forget (SilentProxy *self)
{
  g_mutex_lock (&self->lock);
  forget_all (self);
  g_mutex_unlock (&self->lock);
}

/** silent_proxy_block: whether new connections are accepted and then forgotten as well */
void
silent_proxy_block (SilentProxy *self, gboolean block)
{
  g_mutex_lock (&self->lock);
  self->blocked = block;
  g_mutex_unlock (&self->lock);
}

/** silent_proxy_forget_after: forgets all open connections when so many bytes have come from the
 * server */
void
silent_proxy_forget_after (SilentProxy *self, guint64 n_bytes)
{
  g_mutex_lock (&self->lock);
  self->bytes_left = n_bytes;
  g_mutex_unlock (&self->lock);
}

/** silent_proxy_free: closes all */
void
silent_proxy_free (SilentProxy *self)
{
  g_mutex_lock (&self->lock);
  self->ended = TRUE;
  g_mutex_unlock (&self->lock);
  g_thread_join (self->thread);
  for (guint i = 0; i < self->ways->len; i++) {
    close (g_array_index (self->ways, Way, i).client);
    close (g_array_index (self->ways, Way, i).server);
  }
  close (self->listener);
  g_array_unref (self->ways);
  g_mutex_clear (&self->lock);
  g_free (self);
}
