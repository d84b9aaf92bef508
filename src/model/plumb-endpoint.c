/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-endpoint.h"

#include <string.h>

/* Paths of calls that people paste along with the address. */
static const char *const call_paths[] = { "/chat/completions", "/completions", "/models",
                                          "/embeddings", "/rerank" };

/* A computer near by is spoken to in plain HTTP where no scheme is given, any other securely. */
static char *
add_scheme (const char *address)
{
  g_autofree char *host = NULL;
  gboolean near;

  if (strstr (address, "://") != NULL)
    return g_strdup (address);
  host = g_ascii_strdown (address, strcspn (address, "/?#"));
  near = g_str_has_prefix (host, "localhost") || g_str_has_prefix (host, "127.") ||
         g_str_has_prefix (host, "[::1]") || g_str_has_prefix (host, "10.") ||
         g_str_has_prefix (host, "192.168.") || strchr (host, '.') == NULL;
  return g_strconcat (near ? "http://" : "https://", address, NULL);
}

static void
strip_call (GString *path)
{
  for (guint i = 0; i < G_N_ELEMENTS (call_paths); i++) {
    if (g_str_has_suffix (path->str, call_paths[i])) {
      g_string_truncate (path, path->len - strlen (call_paths[i]));
      return;
    }
  }
}

/* Whether a part of the path names a version, as /v1 and /v1beta do. */
static gboolean
has_version (const char *path)
{
  g_auto (GStrv) parts = g_strsplit (path, "/", -1);

  for (guint i = 0; parts[i] != NULL; i++) {
    if (parts[i][0] == 'v' && g_ascii_isdigit (parts[i][1]))
      return TRUE;
  }
  return FALSE;
}

static void
add_address (GPtrArray *addresses, GUri *uri, const char *base, const char *version,
             const char *path)
{
  g_autofree char *whole = g_strconcat (base, version, path, NULL);

  g_ptr_array_add (addresses,
                   g_uri_join (G_URI_FLAGS_ENCODED, g_uri_get_scheme (uri),
                               g_uri_get_userinfo (uri), g_uri_get_host (uri), g_uri_get_port (uri),
                               whole, g_uri_get_query (uri), NULL));
}

/**
 * plumb_endpoint_get_addresses:
 * @base_address: as typed: with or without a scheme, /v1 or /chat/completions
 * @path: the call's path, such as "/models"
 *
 * Returns: (transfer full) (element-type utf8): addresses to try in turn while they are not found;
 *   empty where @base_address is no address
 */
GPtrArray *
plumb_endpoint_get_addresses (const char *base_address, const char *path)
{
  GPtrArray *addresses = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *trimmed = g_strstrip (g_strdup (base_address != NULL ? base_address : ""));
  g_autofree char *address = add_scheme (trimmed);
  g_autoptr (GUri) uri = g_uri_parse (address, G_URI_FLAGS_ENCODED, NULL);
  g_autoptr (GString) base = NULL;
  gsize length;

  if (uri == NULL || g_uri_get_host (uri) == NULL || *g_uri_get_host (uri) == '\0' ||
      (!g_str_equal (g_uri_get_scheme (uri), "http") &&
       !g_str_equal (g_uri_get_scheme (uri), "https")))
    return addresses;
  base = g_string_new (g_uri_get_path (uri));
  while (base->len > 0 && base->str[base->len - 1] == '/')
    g_string_truncate (base, base->len - 1);
  length = base->len;
  strip_call (base);
  if (base->len < length || has_version (base->str)) {
    add_address (addresses, uri, base->str, "", path);
  } else {
    add_address (addresses, uri, base->str, "/v1", path);
    add_address (addresses, uri, base->str, "", path);
  }
  return addresses;
}
