/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-model.h"

G_BEGIN_DECLS

/**
 * PlumbHttpCall:
 *
 * One HTTP call of a model endpoint with a time limit on each of its phases. It blocks; whatever
 * runs does so on a main context of its own, so it can be used in any thread. Freeing it closes the
 * connection.
 */
typedef struct _PlumbHttpCall PlumbHttpCall;

PlumbHttpCall *plumb_http_call_new        (const char *method, const char *address, const char *key, const char *body,
                                           const PlumbModelLimits *limits, GError **error);
void           plumb_http_call_free       (PlumbHttpCall *self);
gboolean       plumb_http_call_send       (PlumbHttpCall *self, GCancellable *cancellable, GError **error);
guint          plumb_http_call_get_status (PlumbHttpCall *self);
const char    *plumb_http_call_get_header (PlumbHttpCall *self, const char *name);
const char    *plumb_http_call_get_where  (PlumbHttpCall *self);
guint          plumb_http_call_get_retry_ms (PlumbHttpCall *self);
void           plumb_http_call_set_started (PlumbHttpCall *self);
void           plumb_http_call_set_stall  (PlumbHttpCall *self, guint stall_ms);
gssize         plumb_http_call_read       (PlumbHttpCall *self, char *buffer, gsize size, GCancellable *cancellable, GError **error);
GString       *plumb_http_call_read_all   (PlumbHttpCall *self, gsize max_bytes, GCancellable *cancellable, GError **error);
gboolean       plumb_http_wait            (guint ms, GCancellable *cancellable, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlumbHttpCall, plumb_http_call_free)

G_END_DECLS
