/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-source-private.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

/* Where the cancellable has no file descriptor to wait on (none are left), it is looked at this
 * often. */
#define LOOK_EVERY_MS 50

/* Seconds of quiet before the first question whether the other end is still there, between two, and
 * how many go without an answer; and milliseconds that sent bytes may stay unconfirmed. */
#define KEEPALIVE_IDLE 20
#define KEEPALIVE_INTERVAL 10
#define KEEPALIVE_COUNT 3
#define UNCONFIRMED_MS 30000

/**
 * plumb_source_watch_socket:
 * @socket: a connection's; nothing happens where it isn't one of TCP
 *
 * A firewall that forgets a connection drops packets and says nothing. Without keepalive a call
 * would wait for ever, and a sent question for a quarter of an hour (tcp(7)).
 */
void
plumb_source_watch_socket (int socket)
{
  const struct {
    int level;
    int option;
    int value;
  } options[] = {
    { SOL_SOCKET, SO_KEEPALIVE, 1 },
    { IPPROTO_TCP, TCP_KEEPIDLE, KEEPALIVE_IDLE },
    { IPPROTO_TCP, TCP_KEEPINTVL, KEEPALIVE_INTERVAL },
    { IPPROTO_TCP, TCP_KEEPCNT, KEEPALIVE_COUNT },
    { IPPROTO_TCP, TCP_USER_TIMEOUT, UNCONFIRMED_MS },
  };

  for (guint i = 0; i < G_N_ELEMENTS (options); i++)
    setsockopt (socket, options[i].level, options[i].option, &options[i].value, sizeof (int));
}

static int
time_left_ms (gint64 deadline, gboolean has_cancel_fd, GCancellable *cancellable)
{
  gint64 left = deadline != 0 ? (deadline - g_get_monotonic_time () + 999) / 1000 : -1;

  if (deadline != 0)
    left = CLAMP (left, 0, G_MAXINT);
  if (!has_cancel_fd && cancellable != NULL)
    left = left < 0 ? LOOK_EVERY_MS : MIN (left, LOOK_EVERY_MS);
  return (int) left;
}

/**
 * plumb_source_wait:
 * @socket: what to wait for
 * @for_writing: for room to write, beside something to read
 * @deadline: monotonic time, 0 for none
 *
 * Returns: %TRUE when the socket is ready; %FALSE with G_IO_ERROR_CANCELLED or
 * PLUMB_ERROR_TIMED_OUT
 */
gboolean
plumb_source_wait (int socket, gboolean for_writing, gint64 deadline, GCancellable *cancellable,
                   GError **error)
{
  GPollFD cancel_fd = { -1, 0, 0 };
  gboolean has_cancel_fd = g_cancellable_make_pollfd (cancellable, &cancel_fd);
  struct pollfd fds[2] = { { socket, POLLIN | (for_writing ? POLLOUT : 0), 0 },
                           { cancel_fd.fd, POLLIN, 0 } };
  gboolean ready = FALSE;

  while (!ready && !g_cancellable_is_cancelled (cancellable) &&
         (deadline == 0 || g_get_monotonic_time () < deadline)) {
    fds[0].revents = 0;
    poll (fds, has_cancel_fd ? 2 : 1, time_left_ms (deadline, has_cancel_fd, cancellable));
    ready = fds[0].revents != 0;
  }
  if (has_cancel_fd)
    g_cancellable_release_fd (cancellable);
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return FALSE;
  if (!ready)
    g_set_error_literal (error, PLUMB_ERROR, PLUMB_ERROR_TIMED_OUT,
                         "The server did not answer in time.");
  return ready;
}
