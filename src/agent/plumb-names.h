/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

guint plumb_names_distance (const char *a, const char *b);
const char *plumb_names_find_nearest (const char *word, const char *const *words);
char *plumb_names_list (const char *const *names, guint most);

G_END_DECLS
