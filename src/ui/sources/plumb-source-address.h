/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

char *plumb_source_address_for_file     (const char *path);
char *plumb_source_address_for_server   (const char *scheme, const char *host, const char *port,
                                         const char *database, const char *user);
char *plumb_source_address_for_odbc (const char *connection, const char *account);
char *plumb_source_address_suggest_name (const char *address);

G_END_DECLS
