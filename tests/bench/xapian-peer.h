/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#ifdef __cplusplus
extern "C" {
#endif

/* Xapian's words in memory, the peer that `make bench` measures word search against. */
void *xapian_peer_new (void);
void xapian_peer_add (void *peer, const char *const *words);
void xapian_peer_commit (void *peer);
unsigned xapian_peer_search (void *peer, const char *const *words, unsigned limit);
void xapian_peer_free (void *peer);

#ifdef __cplusplus
}
#endif
