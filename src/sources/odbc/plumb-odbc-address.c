/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-odbc-private.h"

#include <string.h>

/* The key that names the engine; it is Plumbline's own and no driver sees it. */
#define DIALECT_KEY "PlumblineDialect"

/* What stands in no value that a driver could misread without braces: some drivers decode % and +,
 * and all of them end a value at a semicolon. */
#define PLAIN_CHARACTERS "-_."
/* What a value needs braces for (ODBC, “SQLDriverConnect”). Without need it is given without them:
 * some drivers look for an account or a data source by that name with its braces. */
#define SPECIAL_CHARACTERS "[]{}(),;?*=!@ "

static const char *
find_raw (const PlumbSourceUri *address, const char *key)
{
  for (guint i = 0; i < address->parameter_names->len; i++) {
    if (g_ascii_strcasecmp (g_ptr_array_index (address->parameter_names, i), key) == 0)
      return g_ptr_array_index (address->parameter_values, i);
  }
  return NULL;
}

/** plumb_odbc_get_key: Returns: (transfer full) (nullable): the value of @key, without its braces */
char *
plumb_odbc_get_key (const PlumbSourceUri *address, const char *key)
{
  const char *raw = find_raw (address, key);

  return raw != NULL ? plumb_source_uri_unbrace (raw, strlen (raw)) : NULL;
}

/** plumb_odbc_accept_address: Returns: whether a connection can be tried with it; %FALSE with
 *   PLUMB_SOURCE_ERROR_ADDRESS */
gboolean
plumb_odbc_accept_address (const PlumbSourceUri *address, GError **error)
{
  g_autofree char *dialect = plumb_odbc_get_key (address, DIALECT_KEY);
  const char *problem = NULL;
  PlumbOdbcEngine engine;

  if (find_raw (address, "DSN") == NULL && find_raw (address, "DRIVER") == NULL &&
      find_raw (address, "FILEDSN") == NULL)
    problem = "The address names neither a data source nor a driver. Write odbc:DSN=name, or "
              "odbc:DRIVER={name of the driver};… with the keys that the driver wants.";
  else if (find_raw (address, "SAVEFILE") != NULL)
    problem = "The key SAVEFILE makes the driver manager write the connection to a file. Leave it "
              "out.";
  else if (dialect != NULL && !plumb_odbc_engine_from_key (dialect, &engine))
    problem = "PlumblineDialect can be oracle, tibero, sqlserver, postgres, sqlite or generic.";
  if (problem != NULL)
    g_set_error_literal (error, PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_ADDRESS, problem);
  return problem == NULL;
}

static void
append_value (GString *text, const char *value)
{
  gboolean plain = *value != '\0';

  for (const char *at = value; *at != '\0' && plain; at++)
    plain = g_ascii_isalnum (*at) || strchr (PLAIN_CHARACTERS, *at) != NULL;
  if (plain) {
    g_string_append (text, value);
    return;
  }
  g_string_append_c (text, '{');
  for (const char *at = value; *at != '\0'; at++) {
    if (*at == '}')
      g_string_append_c (text, '}');
    g_string_append_c (text, *at);
  }
  g_string_append_c (text, '}');
}

/**
 * plumb_odbc_connection_string:
 * @password: (nullable): the password; without one the data source's own counts
 *
 * Returns: (transfer full): what the driver manager is given. It holds the password, so it is
 *   wiped after use
 */
char *
plumb_odbc_connection_string (const PlumbSourceUri *address, const char *password)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < address->parameter_names->len; i++) {
    const char *key = g_ptr_array_index (address->parameter_names, i);
    const char *value = g_ptr_array_index (address->parameter_values, i);
    g_autofree char *plain = plumb_source_uri_unbrace (value, strlen (value));
    gboolean as_written = g_ascii_strcasecmp (key, "DRIVER") == 0 ||
                          strpbrk (plain, SPECIAL_CHARACTERS) != NULL;

    if (g_ascii_strcasecmp (key, DIALECT_KEY) != 0)
      g_string_append_printf (text, "%s=%s;", key, as_written ? value : plain);
  }
  if (password != NULL) {
    g_string_append (text, "PWD=");
    append_value (text, password);
    g_string_append_c (text, ';');
  }
  return g_string_free (g_steal_pointer (&text), FALSE);
}
