/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-session.h"

#include <adwaita.h>

G_BEGIN_DECLS

/**
 * PlumbSourceDialog:
 *
 * Connects a database: asks for its address, tests it, shows what its account may do.
 * #PlumbSourceDialog::added is emitted with its name and what the user should know of it, as
 * strings.
 */
#define PLUMB_TYPE_SOURCE_DIALOG (plumb_source_dialog_get_type ())
G_DECLARE_FINAL_TYPE (PlumbSourceDialog, plumb_source_dialog, PLUMB, SOURCE_DIALOG, AdwWindow)

GtkWidget *plumb_source_dialog_new (PlumbSession *session);

G_END_DECLS
