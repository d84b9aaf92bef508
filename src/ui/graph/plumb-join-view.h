/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-session.h"

#include <adwaita.h>

G_BEGIN_DECLS

/**
 * PlumbJoinView:
 *
 * The tables at hand and how they are joined: a drawing, and below it each join in words.
 */
#define PLUMB_TYPE_JOIN_VIEW (plumb_join_view_get_type ())
G_DECLARE_FINAL_TYPE (PlumbJoinView, plumb_join_view, PLUMB, JOIN_VIEW, AdwBin)

void plumb_join_view_set_tables (PlumbJoinView *self, PlumbSession *session,
                                 const char *const *tables);

G_END_DECLS
