/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-session.h"

#include <adwaita.h>

G_BEGIN_DECLS

/**
 * PlumbFirstRunPage:
 *
 * What is shown while there is no database: the demo, or a connection. #PlumbFirstRunPage::ready is
 * emitted when the demo is there.
 */
#define PLUMB_TYPE_FIRST_RUN_PAGE (plumb_first_run_page_get_type ())
G_DECLARE_FINAL_TYPE (PlumbFirstRunPage, plumb_first_run_page, PLUMB, FIRST_RUN_PAGE, AdwBin)

void plumb_first_run_page_set_session (PlumbFirstRunPage *self, PlumbSession *session);
void plumb_first_run_page_start_demo  (PlumbFirstRunPage *self);
void plumb_first_run_page_stop        (PlumbFirstRunPage *self);

G_END_DECLS
