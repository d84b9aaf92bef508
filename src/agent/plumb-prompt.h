/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-workspace.h"

G_BEGIN_DECLS

char *plumb_prompt_make (PlumbWorkspace *workspace, const char *question, const char *const *scope,
                         GDateTime *now, GError **error);

G_END_DECLS
