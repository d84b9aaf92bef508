/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-http.h"

G_BEGIN_DECLS

/* plumb-endpoint.c: addresses of an OpenAI-compatible endpoint, from what a person typed. */
GPtrArray *plumb_endpoint_get_addresses (const char *base_address, const char *path);

/* plumb-model-list.c: what /models answers, within time limits. */
GStrv      plumb_model_list_fetch (const char *base_address, const char *key, const PlumbModelLimits *limits,
                                   GCancellable *cancellable, GError **error);

/* plumb-model-discovery.c: a program and the port where it usually listens. */
typedef struct {
  const char *title;
  guint16 port;
} PlumbUsualPort;

GPtrArray *plumb_model_discover_at (const PlumbUsualPort *ports, guint n_ports, GCancellable *cancellable);

G_END_DECLS
