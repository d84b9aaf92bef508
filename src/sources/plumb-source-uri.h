/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * PlumbSourceUri:
 * @scheme: in lower case: "sqlite", "postgresql" …
 * @user: (nullable): the account, decoded
 * @password: (nullable): the password that stood in the address, decoded
 * @host: (nullable): the host, decoded, an IPv6 address without its brackets; several are joined by
 *   commas; a Unix socket's folder begins with a slash
 * @port: (nullable): the port's digits; joined by commas where there are several hosts
 * @path: (nullable): what follows the host, decoded: a file with its leading slash for `sqlite` and
 *   `catalog`, else the database without it; for `odbc` the connection string without a password
 * @parameter_names: (element-type utf8): names of the parameters behind the question mark; for
 *   `odbc` the keys, with their values as they were written, in braces or not
 * @parameter_values: (element-type utf8): their values, in the same order
 *
 * The address of a source, taken apart.
 */
typedef struct {
  char *scheme;
  char *user;
  char *password;
  char *host;
  char *port;
  char *path;
  GPtrArray *parameter_names;
  GPtrArray *parameter_values;
} PlumbSourceUri;

PlumbSourceUri *plumb_source_uri_parse (const char *text, GError **error);
void plumb_source_uri_free (PlumbSourceUri *self);
char *plumb_source_uri_format (const PlumbSourceUri *self);
char *plumb_source_uri_unbrace (const char *value, gsize length);
const char *plumb_source_uri_get_parameter (const PlumbSourceUri *self, const char *name);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlumbSourceUri, plumb_source_uri_free)

G_END_DECLS
