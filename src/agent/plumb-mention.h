/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-workspace.h"

G_BEGIN_DECLS

GStrv plumb_mention_find_scope (PlumbWorkspace *workspace, const char *question,
                                const char *const *picked, GError **error);

G_END_DECLS
