/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* The demo databases, made from scripts that are compiled in. */
extern const char *const plumb_demo_names[];

GBytes *plumb_demo_load_file (const char *name, GError **error);
GStrv plumb_demo_list_files (const char *folder);
gboolean plumb_demo_is_built (const char *name, const char *path);
gboolean plumb_demo_build (const char *name, const char *path, GCancellable *cancellable,
                           GError **error);

G_END_DECLS
