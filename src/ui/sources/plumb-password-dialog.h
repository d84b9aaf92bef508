/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-session.h"

#include <adwaita.h>

G_BEGIN_DECLS

/**
 * PlumbPasswordDialog:
 *
 * Asks for another password for a database that is stored already, and keeps it once the server has
 * taken it. "stored" has a warning, or %NULL.
 */
#define PLUMB_TYPE_PASSWORD_DIALOG (plumb_password_dialog_get_type ())
G_DECLARE_FINAL_TYPE (PlumbPasswordDialog, plumb_password_dialog, PLUMB, PASSWORD_DIALOG, AdwWindow)

GtkWidget *plumb_password_dialog_new (PlumbSession *session, const char *name, const char *reason);

G_END_DECLS
