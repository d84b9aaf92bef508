/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

/**
 * PlumbApplication:
 *
 * The program `plumbline`: its options, its one window, and the session behind it.
 */
#define PLUMB_TYPE_APPLICATION (plumb_application_get_type ())
G_DECLARE_FINAL_TYPE (PlumbApplication, plumb_application, PLUMB, APPLICATION, AdwApplication)

PlumbApplication *plumb_application_new (void);

G_END_DECLS
