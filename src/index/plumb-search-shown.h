/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-index-private.h"
#include "plumb-search-engine.h"

G_BEGIN_DECLS

/* Search over what one person may see. Safe from any thread. */
typedef struct _PlumbSearchShown PlumbSearchShown;

PlumbSearchShown  *plumb_search_shown_new  (void);
void               plumb_search_shown_free (PlumbSearchShown *self);
PlumbSearchEngine *plumb_search_shown_get  (PlumbSearchShown *self, PlumbIndex *index, const PlumbSearchRequest *request,
                                            const PlumbSearchState *state, gboolean *names_some, GError **error);

G_END_DECLS
