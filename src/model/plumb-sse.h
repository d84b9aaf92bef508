/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * PlumbSseParser:
 *
 * Reads server-sent events (the WHATWG HTML standard, section 9.2) from bytes that arrive in pieces
 * of any size. Comments and fields other than `data` are passed over.
 */
typedef struct _PlumbSseParser PlumbSseParser;

/* Told of each event's data, its lines joined by line feeds; FALSE stops the feeding. */
typedef gboolean (*PlumbSseFunc) (const char *data, gsize length, gpointer user_data);

PlumbSseParser *plumb_sse_parser_new  (PlumbSseFunc func, gpointer user_data);
void            plumb_sse_parser_free (PlumbSseParser *self);
gboolean        plumb_sse_parser_feed (PlumbSseParser *self, const char *bytes, gsize length);
gboolean        plumb_sse_parser_end  (PlumbSseParser *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlumbSseParser, plumb_sse_parser_free)

G_END_DECLS
