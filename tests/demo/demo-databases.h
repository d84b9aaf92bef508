/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

char *demo_databases_source_path (const char *name);
void  demo_databases_build       (const char *folder);
void  demo_databases_remove      (const char *folder);

G_END_DECLS
