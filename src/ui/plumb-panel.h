/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-session.h"
#include "plumb-turn-item.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * PlumbPanel:
 *
 * What a turn rests on, in four pages: "tables", "card", "joins", "sql". #PlumbPanel::back is
 * emitted when the conversation is asked for, on a narrow window.
 */
#define PLUMB_TYPE_PANEL (plumb_panel_get_type ())
G_DECLARE_FINAL_TYPE (PlumbPanel, plumb_panel, PLUMB, PANEL, GtkWidget)

void        plumb_panel_set_session   (PlumbPanel *self, PlumbSession *session);
void        plumb_panel_set_turn      (PlumbPanel *self, PlumbTurnItem *item);
void        plumb_panel_show_page     (PlumbPanel *self, const char *page);
const char *plumb_panel_get_page      (PlumbPanel *self);
void        plumb_panel_show_statement (PlumbPanel *self, int place);
void        plumb_panel_open_table    (PlumbPanel *self, const char *table);
void        plumb_panel_take_focus   (PlumbPanel *self);
void        plumb_panel_set_alone     (PlumbPanel *self, gboolean alone);

G_END_DECLS
