/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-source-address.h"

#include <string.h>

/** plumb_source_address_for_file: Returns: (transfer full): the address of the SQLite file @path */
char *
plumb_source_address_for_file (const char *path)
{
  g_autofree char *home = g_str_has_prefix (path, "~/")
                              ? g_build_filename (g_get_home_dir (), path + 2, NULL)
                              : NULL;
  g_autofree char *absolute = g_canonicalize_filename (home != NULL ? home : path, NULL);
  g_autofree char *escaped = g_uri_escape_string (absolute, G_URI_RESERVED_CHARS_ALLOWED_IN_PATH,
                                                  TRUE);

  return g_strconcat ("sqlite://", escaped, NULL);
}

/**
 * plumb_source_address_for_server:
 * @scheme: the engine: "postgresql", "mariadb" or "clickhouse"
 * @host: a host name, an address, or the folder of a Unix socket
 * @port: the port; empty for the usual one
 * @database: the database
 * @user: the account; empty for the one that the engine takes by itself
 *
 * Returns: (transfer full): the address, each part escaped; the password is never a part of it
 */
char *
plumb_source_address_for_server (const char *scheme, const char *host, const char *port,
                                 const char *database, const char *user)
{
  GString *address = g_string_new (scheme);

  g_string_append (address, "://");
  if (user[0] != '\0') {
    g_string_append_uri_escaped (address, user, NULL, TRUE);
    g_string_append_c (address, '@');
  }
  if (strchr (host, ':') != NULL && host[0] != '[')
    g_string_append_printf (address, "[%s]", host);
  else if (host[0] == '[')
    g_string_append (address, host);
  else
    g_string_append_uri_escaped (address, host, NULL, TRUE);
  if (port[0] != '\0')
    g_string_append_printf (address, ":%s", port);
  g_string_append_c (address, '/');
  g_string_append_uri_escaped (address, database, NULL, TRUE);
  return g_string_free (address, FALSE);
}

/**
 * plumb_source_address_for_odbc:
 * @connection: a data source's name, or a connection string KEY=value;KEY=value
 * @account: the account, or ""
 *
 * Returns: (transfer full): the address; "" where there is no connection
 */
char *
plumb_source_address_for_odbc (const char *connection, const char *account)
{
  GString *address = g_string_new (NULL);
  gsize length;

  if (g_ascii_strncasecmp (connection, "odbc:", 5) == 0)
    connection += 5;
  if (connection[0] == '\0')
    return g_string_free (address, FALSE);
  g_string_append_printf (address, "odbc:%s%s",
                          strchr (connection, '=') == NULL ? "DSN=" : "", connection);
  for (length = address->len; length > 0 && strchr ("; ", address->str[length - 1]) != NULL;)
    g_string_truncate (address, --length);
  if (account[0] == '\0')
    return g_string_free (address, FALSE);
  g_string_append (address, ";UID={");
  for (const char *at = account; *at != '\0'; at++)
    g_string_append_printf (address, "%s%c", *at == '}' ? "}" : "", *at);
  g_string_append_c (address, '}');
  return g_string_free (address, FALSE);
}

/* The data source or the database that an ODBC address names. */
static char *
find_odbc_name (const char *address)
{
  g_autoptr (GRegex) regex = g_regex_new ("(?:^odbc:|;)\\s*(?:DSN|DATABASE)\\s*=\\s*\\{?([^;{}]+)",
                                          G_REGEX_CASELESS, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;
  g_autofree char *value = NULL;

  if (!g_regex_match (regex, address, 0, &match))
    return g_strdup ("");
  value = g_strstrip (g_match_info_fetch (match, 1));
  return g_strconcat ("/", value, NULL);
}

/** plumb_source_address_suggest_name: Returns: (transfer full): a short name for what is at
 *  @address, or "" */
char *
plumb_source_address_suggest_name (const char *address)
{
  gboolean is_odbc = g_ascii_strncasecmp (address, "odbc:", 5) == 0;
  g_autofree char *plain = is_odbc ? find_odbc_name (address)
                                   : g_strndup (address, strcspn (address, "?#"));
  g_autofree char *base = g_path_get_basename (plain);
  g_autofree char *name = g_uri_unescape_string (base, NULL);
  GString *out = g_string_new (NULL);
  char *dot;

  if (name == NULL || strchr (plain, '/') == NULL || g_str_has_suffix (plain, "/"))
    return g_string_free (out, FALSE);
  dot = strrchr (name, '.');
  if (dot != NULL && dot != name)
    *dot = '\0';
  for (const char *at = name; *at != '\0'; at = g_utf8_next_char (at)) {
    gunichar c = g_utf8_get_char (at);

    g_string_append_unichar (out, g_unichar_isalnum (c) ? g_unichar_tolower (c) : '_');
  }
  return g_string_free (out, FALSE);
}
