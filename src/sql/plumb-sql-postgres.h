/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-sql-tree.h"

G_BEGIN_DECLS

SqlQuery *sql_parse_postgres (SqlArena *arena, const char *sql, gsize length, guint *text_end,
                              char **reason);

G_END_DECLS
