/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-result.h"

G_BEGIN_DECLS

/**
 * PLUMB_CSV_LINE_END: what ends a line of CSV (RFC 4180, section 2)
 */
#define PLUMB_CSV_LINE_END "\r\n"

void plumb_csv_append_names (GString *text, GPtrArray *columns, gboolean safe);
void plumb_csv_append_row (GString *text, const PlumbCell *cells, guint n_cells, gboolean safe);

G_END_DECLS
