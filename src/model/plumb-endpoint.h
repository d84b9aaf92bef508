/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-http.h"

G_BEGIN_DECLS

/* plumb-endpoint.c: addresses of an OpenAI-compatible endpoint, from what a person typed. */
GPtrArray *plumb_endpoint_get_addresses (const char *base_address, const char *path);

/**
 * PlumbEndpoint:
 * @base_address: as typed
 * @model: the model's name there, "" where the server has only one
 * @key: (nullable): sent as a bearer token
 * @limits: time limits of a call
 * @address: which of the possible addresses was found to be the right one, atomic
 *
 * Where something that answers JSON in one piece is asked.
 */
typedef struct {
  char *base_address;
  char *model;
  char *key;
  PlumbModelLimits limits;
  int address;
} PlumbEndpoint;

/* plumb-endpoint-post.c */
PlumbEndpoint *plumb_endpoint_new  (const char *base_address, const char *model, const char *key,
                                    const PlumbModelLimits *limits);
void           plumb_endpoint_free (PlumbEndpoint *self);
JsonNode      *plumb_endpoint_post (PlumbEndpoint *self, GPtrArray *addresses, const char *body,
                                    char **refusal, GCancellable *cancellable, GError **error);

/* plumb-model-list.c: what /models answers, within time limits. */
GStrv      plumb_model_list_fetch (const char *base_address, const char *key, const PlumbModelLimits *limits,
                                   GCancellable *cancellable, GError **error);

/* plumb-model-discovery.c: a program and the port where it usually listens. */
typedef struct {
  const char *title;
  guint16 port;
} PlumbUsualPort;

GPtrArray *plumb_model_discover_at (const PlumbUsualPort *ports, guint n_ports, GCancellable *cancellable);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlumbEndpoint, plumb_endpoint_free)

G_END_DECLS
