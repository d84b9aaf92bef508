/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * VectorPeer:
 *
 * A server of `/v1/embeddings`, `/v1/rerank` and `/v1/models` in this process, on a thread of its own.
 * A text's vector counts its words, each at a place that its hash gives, so that texts that share words
 * are near one another; a text's score is the share of the question's words that it holds.
 */
typedef struct _VectorPeer VectorPeer;

/* What the server does wrong. Those that are about a text do it only where one holds "poison", if
 * vector_peer_set_poison() says so. */
typedef enum {
  VECTOR_PEER_FINE,
  VECTOR_PEER_ONE_LESS,
  VECTOR_PEER_OTHER_DIMENSION,
  VECTOR_PEER_NAN,
  VECTOR_PEER_NULL,
  VECTOR_PEER_INFINITY,
  VECTOR_PEER_ZERO,
  VECTOR_PEER_SILENT,
  VECTOR_PEER_HTML,
  VECTOR_PEER_NOT_FOUND,
  VECTOR_PEER_NO_KEY,
  VECTOR_PEER_BUSY,
  VECTOR_PEER_SERVER_ERROR,
  VECTOR_PEER_TWICE,
  VECTOR_PEER_CUT,
} VectorPeerFault;

VectorPeer *vector_peer_new            (guint n_dimensions);
void        vector_peer_free           (VectorPeer *self);
char       *vector_peer_get_address    (VectorPeer *self, const char *path);
void        vector_peer_set_fault      (VectorPeer *self, VectorPeerFault fault, guint times);
void        vector_peer_set_poison     (VectorPeer *self, gboolean poison);
void        vector_peer_set_delay      (VectorPeer *self, guint ms);
void        vector_peer_set_model      (VectorPeer *self, const char *model, guint n_dimensions);
void        vector_peer_set_floats     (VectorPeer *self, gboolean refuse_base64);
void        vector_peer_set_tei        (VectorPeer *self, gboolean tei);
void        vector_peer_set_max_bytes  (VectorPeer *self, gsize max_bytes);
guint       vector_peer_get_n_requests (VectorPeer *self);
guint       vector_peer_get_n_texts    (VectorPeer *self);
guint       vector_peer_get_most_at_once (VectorPeer *self);
gboolean    vector_peer_got            (VectorPeer *self, const char *words);
void        vector_peer_reset          (VectorPeer *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (VectorPeer, vector_peer_free)

G_END_DECLS
