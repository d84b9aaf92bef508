/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

/* What the scan of vectors is held to: how fast this processor reads the same bytes, and how fast a loop
 * multiplies them that was written for it and for vectors of this length alone. */
#define ANCHOR_DIMENSIONS 1024

guint64     anchor_read     (const gint8 *vectors, gsize n_vectors);
void        anchor_multiply (const gint8 *vectors, gsize n_vectors, const gint8 *question, gint32 *products);
const char *anchor_get_name (void);
