/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

/**
 * PlumbQuestionEntry:
 *
 * Where a question is typed: Enter asks, Shift+Enter starts a line. #PlumbQuestionEntry::send is
 * emitted with the text, #PlumbQuestionEntry::changed when it changes.
 */
#define PLUMB_TYPE_QUESTION_ENTRY (plumb_question_entry_get_type ())
G_DECLARE_FINAL_TYPE (PlumbQuestionEntry, plumb_question_entry, PLUMB, QUESTION_ENTRY, AdwBin)

char *plumb_question_entry_get_text   (PlumbQuestionEntry *self);
void  plumb_question_entry_set_text   (PlumbQuestionEntry *self, const char *text);
void  plumb_question_entry_set_busy   (PlumbQuestionEntry *self, gboolean busy);
void  plumb_question_entry_take_focus (PlumbQuestionEntry *self);

G_END_DECLS
