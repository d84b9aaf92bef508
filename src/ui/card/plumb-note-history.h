/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-session.h"

#include <adwaita.h>

G_BEGIN_DECLS

void plumb_note_history_present (PlumbSession *session, gint64 id, GtkWindow *parent);

G_END_DECLS
