/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-session.h"

#include <adwaita.h>

G_BEGIN_DECLS

/**
 * PlumbEndpointGroup:
 *
 * The rows of the preferences in which embeddings or reranking are set up.
 */
#define PLUMB_TYPE_ENDPOINT_GROUP (plumb_endpoint_group_get_type ())
G_DECLARE_FINAL_TYPE (PlumbEndpointGroup, plumb_endpoint_group, PLUMB, ENDPOINT_GROUP, AdwPreferencesGroup)

void plumb_endpoint_group_set_up       (PlumbEndpointGroup *self, PlumbSession *session, PlumbEndpointKind kind);
void plumb_endpoint_group_offer_server (PlumbEndpointGroup *self, const PlumbFoundServer *server);

G_END_DECLS
