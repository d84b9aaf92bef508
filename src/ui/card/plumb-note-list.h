/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-session.h"

#include <adwaita.h>

G_BEGIN_DECLS

/**
 * PlumbNoteList:
 *
 * The notes on a table: read, written, changed, retired. When something could not be done the list
 * says so, and what was typed stays.
 */
#define PLUMB_TYPE_NOTE_LIST (plumb_note_list_get_type ())
G_DECLARE_FINAL_TYPE (PlumbNoteList, plumb_note_list, PLUMB, NOTE_LIST, AdwBin)

void plumb_note_list_set_table (PlumbNoteList *self, PlumbSession *session, const char *table);

G_END_DECLS
