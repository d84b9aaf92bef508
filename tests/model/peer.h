/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * Peer:
 *
 * A network peer in this process that answers each connection with the next of its scripted replies,
 * byte for byte and with pauses where they are wanted, which an HTTP server wouldn't let a test do.
 */
typedef struct _Peer Peer;

/* How a reply ends. */
typedef enum {
  PEER_CLOSE,
  PEER_HOLD,
} PeerEnd;

/* Bytes as they are sent; U+0001 in them stands for a pause of 30 ms, so that pieces arrive apart. */
Peer       *peer_new             (void);
void        peer_free            (Peer *self);
guint       peer_get_port        (Peer *self);
char       *peer_get_address     (Peer *self, const char *path);
void        peer_add             (Peer *self, PeerEnd end, const char *bytes);
void        peer_add_status      (Peer *self, guint status, const char *headers, const char *body);
void        peer_add_events      (Peer *self, PeerEnd end, const char *events);
guint       peer_get_n_requests  (Peer *self);
const char *peer_get_request     (Peer *self, guint number);
gboolean    peer_wait_for_hang_up (Peer *self, guint ms);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Peer, peer_free)

G_END_DECLS
