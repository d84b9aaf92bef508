/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

guint       plumb_spelling_distance     (const char *a, const char *b);
const char *plumb_spelling_find_nearest (const char *word, const char *const *words);
char       *plumb_spelling_list_names   (const char *const *names, guint most);

G_END_DECLS
