/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-statement.h"

G_BEGIN_DECLS

gboolean sql_word_is_reserved   (PlumbDialect dialect, const char *upper);
gboolean sql_word_is_unit       (const char *upper);
gboolean sql_word_list_contains (GHashTable **set, const char *words, const char *word);

G_END_DECLS
