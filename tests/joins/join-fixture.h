/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-join-graph.h"

G_BEGIN_DECLS

/* Edges of the database "d" and its schema "m", each written as "A.X,Y=B.X,Y N:1 TRUST BASIS". */
GPtrArray *make_edges (const char *first, ...) G_GNUC_NULL_TERMINATED;

G_END_DECLS
