/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-session.h"

#include <adwaita.h>

G_BEGIN_DECLS

/**
 * PlumbCardView:
 *
 * All that is known of one table.
 */
#define PLUMB_TYPE_CARD_VIEW (plumb_card_view_get_type ())
G_DECLARE_FINAL_TYPE (PlumbCardView, plumb_card_view, PLUMB, CARD_VIEW, AdwBin)

GtkWidget  *plumb_card_view_new       (void);
void        plumb_card_view_open      (PlumbCardView *self, PlumbSession *session,
                                       const char *table);
void        plumb_card_view_close     (PlumbCardView *self);
const char *plumb_card_view_get_table (PlumbCardView *self);

G_END_DECLS
