/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-result.h"

G_BEGIN_DECLS

char     *plumb_cell_text_for_grid (const PlumbCell *cell);
char     *plumb_cell_text_exact    (const PlumbCell *cell);
gboolean  plumb_cell_is_number     (PlumbValueKind kind);
void      plumb_cell_text_append_header (GString *tsv, PlumbResult *result);
void      plumb_cell_text_append_row    (GString *tsv, PlumbResult *result, gint64 row);

G_END_DECLS
