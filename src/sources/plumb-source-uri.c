/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-source-uri.h"

#include "plumb-source.h"

#include <string.h>

/* No message of this file repeats what it read, since a password may stand anywhere in it. */

#define UNRESERVED "-._~"

static const char *const secret_parameters[] = { "password", "passwd", "pwd", "sslpassword", NULL };
static const char *const network_schemes[] = {
  "postgresql", "postgres", "mariadb", "mysql", "clickhouse", NULL,
};

static PlumbSourceUri *
uri_new (const char *scheme)
{
  PlumbSourceUri *self = g_new0 (PlumbSourceUri, 1);

  self->scheme = g_strdup (scheme);
  self->parameter_names = g_ptr_array_new_with_free_func (g_free);
  self->parameter_values = g_ptr_array_new_with_free_func (g_free);
  return self;
}

/** plumb_source_uri_free: frees @self */
void
plumb_source_uri_free (PlumbSourceUri *self)
{
  if (self == NULL)
    return;
  g_free (self->scheme);
  g_free (self->user);
  g_free (self->password);
  g_free (self->host);
  g_free (self->port);
  g_free (self->path);
  g_ptr_array_unref (self->parameter_names);
  g_ptr_array_unref (self->parameter_values);
  g_free (self);
}

/** plumb_source_uri_get_parameter: Returns: (transfer none) (nullable): the parameter's value */
const char *
plumb_source_uri_get_parameter (const PlumbSourceUri *self, const char *name)
{
  for (guint i = 0; i < self->parameter_names->len; i++) {
    if (strcmp (g_ptr_array_index (self->parameter_names, i), name) == 0)
      return g_ptr_array_index (self->parameter_values, i);
  }
  return NULL;
}

static gboolean
refuse (GError **error, const char *what)
{
  g_set_error (error, PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_ADDRESS, "%s", what);
  return FALSE;
}

static int
hex_pair (const char *at)
{
  if (!g_ascii_isxdigit (at[0]) || !g_ascii_isxdigit (at[1]))
    return -1;
  return g_ascii_xdigit_value (at[0]) * 16 + g_ascii_xdigit_value (at[1]);
}

/* Percent-decodes @length bytes; a percent sign that begins no escape stands for itself, as people
 * paste addresses that nobody encoded. NULL where the result isn't text: a NUL or invalid UTF-8. */
static char *
decode (const char *text, gsize length)
{
  g_autoptr (GString) decoded = g_string_sized_new (length);

  for (gsize i = 0; i < length; i++) {
    int byte = text[i] == '%' && i + 2 < length ? hex_pair (text + i + 1) : -1;

    if (byte == 0)
      return NULL;
    if (byte > 0) {
      g_string_append_c (decoded, (char) byte);
      i += 2;
    } else {
      g_string_append_c (decoded, text[i]);
    }
  }
  return g_string_free (g_steal_pointer (&decoded), FALSE);
}

static gboolean
take_decoded (char **place, const char *text, gsize length, const char *what, GError **error)
{
  g_autofree char *message = NULL;
  g_autofree char *decoded = decode (text, length);

  if (decoded == NULL || !g_utf8_validate (decoded, -1, NULL)) {
    message = g_strdup_printf ("The %s in the address is not valid text (UTF-8 without NUL).",
                               what);
    return refuse (error, message);
  }
  g_free (*place);
  *place = g_steal_pointer (&decoded);
  return TRUE;
}

static gboolean
is_secret (const char *name)
{
  for (guint i = 0; secret_parameters[i] != NULL; i++) {
    if (g_ascii_strcasecmp (name, secret_parameters[i]) == 0)
      return TRUE;
  }
  return FALSE;
}

/* Reads name=value&name=value; a password is taken out of them. */
static gboolean
read_parameters (PlumbSourceUri *self, const char *text, GError **error)
{
  g_auto (GStrv) pairs = g_strsplit (text, "&", -1);

  for (guint i = 0; pairs[i] != NULL; i++) {
    const char *equals = strchr (pairs[i], '=');
    g_autofree char *name = NULL;
    g_autofree char *value = NULL;

    if (*pairs[i] == '\0')
      continue;
    if (equals == NULL || equals == pairs[i])
      return refuse (error, "The part of the address behind the question mark must be "
                            "name=value, several joined by &.");
    if (!take_decoded (&name, pairs[i], equals - pairs[i], "parameter name", error) ||
        !take_decoded (&value, equals + 1, strlen (equals + 1), "parameter value", error))
      return FALSE;
    if (is_secret (name)) {
      g_free (self->password);
      self->password = g_steal_pointer (&value);
    } else if (plumb_source_uri_get_parameter (self, name) != NULL) {
      return refuse (error, "The address gives the same parameter twice.");
    } else {
      g_ptr_array_add (self->parameter_names, g_steal_pointer (&name));
      g_ptr_array_add (self->parameter_values, g_steal_pointer (&value));
    }
  }
  return TRUE;
}

static gboolean
is_port (const char *text, gsize length)
{
  guint number = 0;

  if (length == 0 || length > 5)
    return FALSE;
  for (gsize i = 0; i < length; i++) {
    if (!g_ascii_isdigit (text[i]))
      return FALSE;
    number = number * 10 + (text[i] - '0');
  }
  return number >= 1 && number <= 65535;
}

static gboolean
is_host (const char *text, gsize length)
{
  for (gsize i = 0; i < length; i++) {
    if (!g_ascii_isalnum (text[i]) && strchr ("-._~%", text[i]) == NULL && (guchar) text[i] < 0x80)
      return FALSE;
  }
  return TRUE;
}

/* One host[:port] of the list; the ends of the parts are given back. */
static gboolean
split_host (const char *text, gsize length, gsize *host_start, gsize *host_length,
            gsize *port_start)
{
  const char *end;

  *host_start = 0;
  if (length > 0 && text[0] == '[') {
    end = memchr (text, ']', length);
    if (end == NULL || end == text + 1)
      return FALSE;
    for (const char *at = text + 1; at < end; at++) {
      if (!g_ascii_isxdigit (*at) && strchr (":.%", *at) == NULL && !g_ascii_isalnum (*at))
        return FALSE;
    }
    *host_start = 1;
    *host_length = end - text - 1;
    end++;
  } else {
    end = memchr (text, ':', length);
    end = end != NULL ? end : text + length;
    *host_length = end - text;
    if (!is_host (text, *host_length))
      return FALSE;
  }
  *port_start = end - text;
  if (*port_start == length)
    return TRUE;
  *port_start += 1;
  return *end == ':' && (*port_start == length || is_port (end + 1, length - *port_start));
}

/* Whether host[:port],host[:port] can be read; with @self, reads it. */
static gboolean
read_hosts (PlumbSourceUri *self, const char *text, gsize length)
{
  g_autoptr (GString) hosts = g_string_new (NULL);
  g_autoptr (GString) ports = g_string_new (NULL);
  gboolean has_port = FALSE;
  gsize at = 0;

  while (at <= length) {
    const char *comma = memchr (text + at, ',', length - at);
    gsize part_length = (comma != NULL ? (gsize) (comma - text) : length) - at;
    g_autofree char *host = NULL;
    gsize host_start, host_length, port_start;

    if (!split_host (text + at, part_length, &host_start, &host_length, &port_start))
      return FALSE;
    host = decode (text + at + host_start, host_length);
    if (host == NULL || strchr (host, ',') != NULL || !g_utf8_validate (host, -1, NULL))
      return FALSE;
    /* Only an IPv6 address has colons, in its brackets, and a socket's folder may. */
    if (host_start == 0 && host[0] != '/' && strchr (host, ':') != NULL)
      return FALSE;
    if (at > 0) {
      g_string_append_c (hosts, ',');
      g_string_append_c (ports, ',');
    }
    g_string_append (hosts, host);
    g_string_append_len (ports, text + at + port_start, part_length - port_start);
    has_port = has_port || port_start < part_length;
    at += part_length + 1;
  }
  if (self != NULL && hosts->len > 0)
    self->host = g_string_free (g_steal_pointer (&hosts), FALSE);
  if (self != NULL && has_port)
    self->port = g_string_free (g_steal_pointer (&ports), FALSE);
  return TRUE;
}

/* Whether all of @text reads as host[:port][/database][?name=value…] without a raw @ before the
 * parameters. */
static gboolean
reads_as_address (const char *text)
{
  gsize host_length = strcspn (text, "/?");
  const char *question = strchr (text, '?');

  if (!read_hosts (NULL, text, host_length))
    return FALSE;
  if (memchr (text, '@', question != NULL ? (gsize) (question - text) : strlen (text)) != NULL)
    return FALSE;
  return question == NULL || question[1] == '\0' || strchr (question, '=') != NULL;
}

/*
 * Finds where user:password ends: at the last @ before the host. People paste passwords as they
 * are, with @, / or ? in them, so every @ behind which an address can be read is a candidate. When
 * the usual reading and another one both make sense, neither is chosen: guessing wrong would leave
 * a part of the password in a stored address.
 */
static gboolean
find_account_end (const char *text, const char **account_end, GError **error)
{
  gsize authority = strcspn (text, "/?#");
  const char *last = strrchr (text, '@');
  const char *usual = last != NULL ? g_strrstr_len (text, authority, "@") : NULL;
  gboolean usual_reads = reads_as_address (usual != NULL ? usual + 1 : text);
  const char *other = last != NULL && last != usual ? last : NULL;
  gboolean other_reads = other != NULL && reads_as_address (other + 1) &&
                         memchr (text, ':', other - text) != NULL;

  *account_end = usual;
  if (usual_reads && other_reads) {
    /* user@ without a password in front of an ordinary address leaves nothing to guess. */
    if (usual != NULL && memchr (text, ':', usual - text) == NULL && strchr (usual, ':') == NULL)
      return TRUE;
    return refuse (error, "The address has more than one @ and can be read in two ways. Write an @ "
                          "in the password as %40 and a slash as %2F, or leave the password out of "
                          "the address and give it by itself.");
  }
  if (usual_reads)
    return TRUE;
  if (other_reads) {
    *account_end = other;
    return TRUE;
  }
  return refuse (error, "The host or port in the address can't be read. Write "
                        "engine://user@host:port/database, an IPv6 address in [brackets], and "
                        "special characters as % and two hex digits.");
}

static gboolean
read_account (PlumbSourceUri *self, const char *text, gsize length, GError **error)
{
  const char *colon = memchr (text, ':', length);
  gsize user_length = colon != NULL ? (gsize) (colon - text) : length;

  if (user_length > 0 && !take_decoded (&self->user, text, user_length, "user name", error))
    return FALSE;
  return colon == NULL ||
         take_decoded (&self->password, colon + 1, length - user_length - 1, "password", error);
}

static gboolean
read_network (PlumbSourceUri *self, const char *rest, GError **error)
{
  const char *account_end;
  const char *address = rest;
  const char *question;
  gsize host_length, path_length;

  if (strchr (rest, '@') == NULL)
    account_end = NULL;
  else if (!find_account_end (rest, &account_end, error))
    return FALSE;
  if (account_end != NULL) {
    if (!read_account (self, rest, account_end - rest, error))
      return FALSE;
    address = account_end + 1;
  }
  host_length = strcspn (address, "/?");
  if (!read_hosts (self, address, host_length))
    return refuse (error, "The host or port in the address can't be read. Write host:port with a "
                          "port from 1 to 65535, and an IPv6 address in [brackets].");
  address += host_length;
  question = strchr (address, '?');
  path_length = question != NULL ? (gsize) (question - address) : strlen (address);
  if (path_length > 1 &&
      !take_decoded (&self->path, address + 1, path_length - 1, "database name", error))
    return FALSE;
  return question == NULL || read_parameters (self, question + 1, error);
}

static gboolean
read_file (PlumbSourceUri *self, const char *rest, GError **error)
{
  gsize path_length;

  if (g_str_has_prefix (rest, "localhost/"))
    rest += strlen ("localhost");
  path_length = strcspn (rest, "?");
  if (rest[0] != '/' || path_length < 2)
    return refuse (error, "The address names no file. Write sqlite:///folder/file with three "
                          "slashes and the whole path (catalog:///… for a schema file).");
  self->path = decode (rest, path_length);
  if (self->path == NULL)
    return refuse (error, "The file name in the address has a NUL byte in it.");
  return rest[path_length] == '\0' || read_parameters (self, rest + path_length + 1, error);
}

/** plumb_source_uri_unbrace: Returns: (transfer full): a value as ODBC writes it: in braces, inside
 *   of which a closing one is doubled, or as it is */
char *
plumb_source_uri_unbrace (const char *value, gsize length)
{
  g_autoptr (GString) plain = g_string_new (NULL);

  if (length < 2 || value[0] != '{' || value[length - 1] != '}')
    return g_strndup (value, length);
  for (gsize i = 1; i < length - 1; i++) {
    g_string_append_c (plain, value[i]);
    if (value[i] == '}')
      i++;
  }
  return g_string_free (g_steal_pointer (&plain), FALSE);
}

/* Where a value ends: at the next semicolon, or behind the brace that closes it. NULL where no
 * brace does, or where more than space follows it. */
static const char *
find_odbc_value_end (const char *value)
{
  const char *end;

  while (g_ascii_isspace (*value))
    value++;
  if (*value != '{')
    return value + strcspn (value, ";");
  for (end = value + 1; *end != '\0' && (*end != '}' || end[1] == '}'); end++)
    end += *end == '}' ? 1 : 0;
  if (*end != '}')
    return NULL;
  for (end++; g_ascii_isspace (*end);)
    end++;
  return *end == ';' || *end == '\0' ? end : NULL;
}

/* Drivers have secrets of their own: NewPWD, ProxyPassword, AccessToken, ClientSecret … */
static gboolean
looks_secret (const char *key)
{
  static const char *const words[] = { "pwd", "passw", "passphrase", "secret", "token" };
  g_autofree char *lower = g_ascii_strdown (key, -1);

  for (guint i = 0; i < G_N_ELEMENTS (words); i++) {
    if (strstr (lower, words[i]) != NULL)
      return TRUE;
  }
  return FALSE;
}

/* Takes KEY=value;KEY={va;lue} apart, as ODBC writes it, and leaves the password out. */
static gboolean
read_odbc (PlumbSourceUri *self, const char *rest, GError **error)
{
  g_autoptr (GString) kept = g_string_new (NULL);

  while (*rest != '\0') {
    const char *equals = strchr (rest, '=');
    const char *end = equals != NULL ? find_odbc_value_end (equals + 1) : NULL;
    g_autofree char *key = NULL;
    g_autofree char *value = NULL;

    if (end == NULL)
      return refuse (error, "An ODBC address is odbc:DSN=name or odbc:Driver={name};Server=…, "
                            "keys and values joined by = and ;, a value with a ; in braces.");
    key = g_strstrip (g_strndup (rest, equals - rest));
    value = g_strstrip (g_strndup (equals + 1, end - equals - 1));
    if (*key == '\0' || strpbrk (key, "{};") != NULL)
      return refuse (error, "A key in the ODBC address can't be read.");
    if (is_secret (key)) {
      g_free (self->password);
      self->password = plumb_source_uri_unbrace (value, strlen (value));
    } else if (looks_secret (key)) {
      return refuse (error, "The ODBC address has a secret beside the password, and would be "
                            "stored with it. Put it into the data source (odbc.ini), and name "
                            "that here: odbc:DSN=name.");
    } else {
      g_string_append_printf (kept, "%s%s=%s", kept->len > 0 ? ";" : "", key, value);
      g_ptr_array_add (self->parameter_names, g_steal_pointer (&key));
      g_ptr_array_add (self->parameter_values, g_steal_pointer (&value));
    }
    rest = *end == ';' ? end + 1 : end;
  }
  if (kept->len == 0)
    return refuse (error, "The ODBC address is empty. Write odbc:DSN=name.");
  self->path = g_string_free (g_steal_pointer (&kept), FALSE);
  return TRUE;
}

/**
 * plumb_source_uri_parse:
 * @text: an address: `sqlite:///file`, `postgresql://user@host:port/database?name=value`,
 *   `odbc:DSN=name` …
 * @error: return location
 *
 * Returns: (transfer full): the parts, or %NULL with PLUMB_SOURCE_ERROR_ADDRESS
 */
PlumbSourceUri *
plumb_source_uri_parse (const char *text, GError **error)
{
  g_autoptr (PlumbSourceUri) self = NULL;
  g_autofree char *trimmed = g_strstrip (g_strdup (text != NULL ? text : ""));
  const char *colon = strchr (trimmed, ':');
  g_autofree char *scheme = colon != NULL ? g_ascii_strdown (trimmed, colon - trimmed) : NULL;
  gboolean good;

  if (scheme == NULL || *scheme == '\0' ||
      strspn (scheme, "abcdefghijklmnopqrstuvwxyz") != strlen (scheme)) {
    refuse (error, "The address must begin with its engine, as in sqlite:///file or "
                   "postgresql://user@host:5432/database.");
    return NULL;
  }
  self = uri_new (scheme);
  if (strcmp (scheme, "odbc") == 0) {
    good = read_odbc (self, colon + 1, error);
  } else if (!g_str_has_prefix (colon, "://")) {
    good = refuse (error, "The engine in the address must be followed by :// as in "
                          "postgresql://user@host:5432/database.");
  } else if (strcmp (scheme, "sqlite") == 0 || strcmp (scheme, "catalog") == 0) {
    good = read_file (self, colon + 3, error);
  } else if (g_strv_contains (network_schemes, scheme)) {
    good = read_network (self, colon + 3, error);
  } else {
    good = refuse (error, "The engine in the address is not known. Known are sqlite, postgresql, "
                          "mariadb, clickhouse, odbc and catalog.");
  }
  return good ? g_steal_pointer (&self) : NULL;
}

static void
append_escaped (GString *text, const char *part, const char *also_allowed)
{
  for (const guchar *at = (const guchar *) part; *at != '\0'; at++) {
    if (g_ascii_isalnum (*at) || *at >= 0x80 || strchr (UNRESERVED, *at) != NULL ||
        strchr (also_allowed, *at) != NULL)
      g_string_append_c (text, (char) *at);
    else
      g_string_append_printf (text, "%%%02X", *at);
  }
}

static void
append_hosts (GString *text, const PlumbSourceUri *self)
{
  g_auto (GStrv) hosts = g_strsplit (self->host != NULL ? self->host : "", ",", -1);
  g_auto (GStrv) ports = g_strsplit (self->port != NULL ? self->port : "", ",", -1);
  guint n_ports = g_strv_length (ports);
  guint n = MAX (g_strv_length (hosts), n_ports);

  for (guint i = 0; i < n; i++) {
    const char *host = i < g_strv_length (hosts) ? hosts[i] : "";
    gboolean in_brackets = strchr (host, ':') != NULL && host[0] != '/';

    if (i > 0)
      g_string_append_c (text, ',');
    g_string_append (text, in_brackets ? "[" : "");
    append_escaped (text, host, in_brackets ? ":" : "");
    g_string_append (text, in_brackets ? "]" : "");
    if (i < n_ports && *ports[i] != '\0')
      g_string_append_printf (text, ":%s", ports[i]);
  }
}

/** plumb_source_uri_format: Returns: (transfer full): the address as text, without a password */
char *
plumb_source_uri_format (const PlumbSourceUri *self)
{
  g_autoptr (GString) text = g_string_new (self->scheme);
  gboolean is_network = g_strv_contains (network_schemes, self->scheme);

  if (strcmp (self->scheme, "odbc") == 0) {
    g_string_append_printf (text, ":%s", self->path);
    return g_string_free (g_steal_pointer (&text), FALSE);
  }
  g_string_append (text, "://");
  if (self->user != NULL) {
    append_escaped (text, self->user, "");
    g_string_append_c (text, '@');
  }
  append_hosts (text, self);
  if (is_network && self->path != NULL)
    g_string_append_c (text, '/');
  if (self->path != NULL)
    append_escaped (text, self->path, "/");
  for (guint i = 0; i < self->parameter_names->len; i++) {
    g_string_append_c (text, i == 0 ? '?' : '&');
    append_escaped (text, g_ptr_array_index (self->parameter_names, i), "");
    g_string_append_c (text, '=');
    append_escaped (text, g_ptr_array_index (self->parameter_values, i), "/:");
  }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/**
 * plumb_source_uri_strip_password:
 * @uri: an address as a person gave it
 * @password: (out) (optional) (nullable): the password that stood in it, %NULL where none did
 * @error: return location
 *
 * Takes the password out of an address, so that the rest can be stored and shown.
 *
 * Returns: (transfer full): the address without it, or %NULL with PLUMB_SOURCE_ERROR_ADDRESS
 */
char *
plumb_source_uri_strip_password (const char *uri, char **password, GError **error)
{
  g_autoptr (PlumbSourceUri) self = plumb_source_uri_parse (uri, error);

  if (password != NULL)
    *password = self != NULL ? g_steal_pointer (&self->password) : NULL;
  return self != NULL ? plumb_source_uri_format (self) : NULL;
}

/**
 * plumb_source_uri_get_title:
 * @uri: an address
 *
 * Returns: (transfer full): a few words for people, "shop on db.example.org" or "sales.sqlite";
 *   never a password. An address that can't be read gives an empty title.
 */
char *
plumb_source_uri_get_title (const char *uri)
{
  g_autoptr (PlumbSourceUri) self = plumb_source_uri_parse (uri, NULL);
  const char *host;

  if (self == NULL)
    return g_strdup ("");
  if (strcmp (self->scheme, "odbc") == 0)
    return g_strdup (self->path);
  if (!g_strv_contains (network_schemes, self->scheme))
    return g_filename_display_basename (self->path);
  host = self->host != NULL ? self->host : plumb_source_uri_get_parameter (self, "host");
  if (self->path == NULL)
    return g_strdup (host != NULL ? host : self->scheme);
  return g_strdup_printf ("%s on %s", self->path, host != NULL ? host : "localhost");
}
