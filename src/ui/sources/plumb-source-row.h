/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-session.h"

#include <adwaita.h>

G_BEGIN_DECLS

/**
 * PlumbSourceRow:
 *
 * A connected database in the list, with its analysis and what went wrong in it.
 * #PlumbSourceRow::remove is emitted when it is to be removed, #PlumbSourceRow::analyzed when an
 * analysis is over.
 */
#define PLUMB_TYPE_SOURCE_ROW (plumb_source_row_get_type ())
G_DECLARE_FINAL_TYPE (PlumbSourceRow, plumb_source_row, PLUMB, SOURCE_ROW, AdwActionRow)

GtkWidget  *plumb_source_row_new        (PlumbSession *session, const PlumbSourceRecord *record);
void        plumb_source_row_set_record (PlumbSourceRow *self, const PlumbSourceRecord *record);
const char *plumb_source_row_get_name   (PlumbSourceRow *self);
void        plumb_source_row_analyze    (PlumbSourceRow *self);

G_END_DECLS
