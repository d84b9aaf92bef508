/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

/**
 * PlumbAnswerView:
 *
 * Shows an answer: its Markdown as widgets, its numbers as links. #PlumbAnswerView::statement-
 * activated
 * is emitted with the audit record and the step of the number that was clicked.
 */
#define PLUMB_TYPE_ANSWER_VIEW (plumb_answer_view_get_type ())
G_DECLARE_FINAL_TYPE (PlumbAnswerView, plumb_answer_view, PLUMB, ANSWER_VIEW, AdwBin)

GtkWidget *plumb_answer_view_new      (void);
void       plumb_answer_view_set_text (PlumbAnswerView *self, const char *text, GPtrArray *numbers);

G_END_DECLS
