/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-mariadb-private.h"

#include <poll.h>
#include <string.h>

/* How long connecting may take where the address doesn't say (connect_timeout, in seconds). */
#define CONNECT_PATIENCE 15

const char *const plumb_mariadb_parameters[] = {
  "socket", "connect_timeout", "ssl", "ssl_verify", "ssl_ca", "ssl_cert", "ssl_key", NULL,
};

static gboolean
is_on (const PlumbSourceUri *address, const char *name)
{
  const char *value = plumb_source_uri_get_parameter (address, name);

  return value != NULL && strcmp (value, "0") != 0;
}

/* Who names an authority wants it looked at. */
static gboolean
wants_verification (const PlumbSourceUri *address)
{
  return is_on (address, "ssl_verify") ||
         (plumb_source_uri_get_parameter (address, "ssl_ca") != NULL &&
          plumb_source_uri_get_parameter (address, "ssl_verify") == NULL);
}

static gboolean
wants_encryption (const PlumbSourceUri *address)
{
  static const char *const files[] = { "ssl_ca", "ssl_cert", "ssl_key" };

  for (guint i = 0; i < G_N_ELEMENTS (files); i++) {
    if (plumb_source_uri_get_parameter (address, files[i]) != NULL)
      return TRUE;
  }
  return is_on (address, "ssl") || wants_verification (address);
}

static void
set_options (MYSQL *mysql, const PlumbSourceUri *address)
{
  my_bool on = TRUE;
  my_bool verify = wants_verification (address);
  guint no_local_files = 0;

  mysql_options (mysql, MYSQL_OPT_NONBLOCK, NULL);
  mysql_options (mysql, MYSQL_SET_CHARSET_NAME, "utf8mb4");
  /* A server may ask for files of this computer otherwise. */
  mysql_options (mysql, MYSQL_OPT_LOCAL_INFILE, &no_local_files);
  mysql_options4 (mysql, MYSQL_OPT_CONNECT_ATTR_ADD, "program_name", "Plumbline");
  mysql_options (mysql, MYSQL_OPT_SSL_CA, plumb_source_uri_get_parameter (address, "ssl_ca"));
  mysql_options (mysql, MYSQL_OPT_SSL_CERT, plumb_source_uri_get_parameter (address, "ssl_cert"));
  mysql_options (mysql, MYSQL_OPT_SSL_KEY, plumb_source_uri_get_parameter (address, "ssl_key"));
  if (wants_encryption (address))
    mysql_options (mysql, MYSQL_OPT_SSL_ENFORCE, &on);
  mysql_options (mysql, MYSQL_OPT_SSL_VERIFY_SERVER_CERT, &verify);
}

/* The library looks names up in the calling thread, where nothing can stop it; GLib's resolver can
 * be. A name may have several addresses, of which the server listens on one ("localhost"). A
 * certificate is held against the name, so then the name has to stay. NULL with an error. */
static GStrv
resolve (const PlumbSourceUri *address, GCancellable *cancellable, GError **error)
{
  g_autoptr (GResolver) resolver = g_resolver_get_default ();
  g_autoptr (GStrvBuilder) hosts = g_strv_builder_new ();
  g_autoptr (GError) inner = NULL;
  GList *found;

  if (g_hostname_is_ip_address (address->host) || wants_verification (address)) {
    g_strv_builder_add (hosts, address->host);
    return g_strv_builder_end (hosts);
  }
  found = g_resolver_lookup_by_name (resolver, address->host, cancellable, &inner);
  if (found == NULL) {
    if (g_error_matches (inner, G_IO_ERROR, G_IO_ERROR_CANCELLED))
      g_propagate_error (error, g_steal_pointer (&inner));
    else
      g_set_error (error, PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_CONNECT,
                   "The host “%s” is not known. Check its name, and the network. (%s)",
                   address->host, inner->message);
    return NULL;
  }
  for (GList *l = found; l != NULL; l = l->next) {
    g_autofree char *host = g_inet_address_to_string (l->data);

    g_strv_builder_add (hosts, host);
  }
  g_resolver_free_addresses (found);
  return g_strv_builder_end (hosts);
}

static gboolean
connect_to (PlumbMariadbConnection *self, const char *host, GError **error)
{
  const PlumbSourceUri *address = plumb_source_get_address (self->source);
  const char *socket = plumb_source_uri_get_parameter (address, "socket");
  g_autofree char *password = plumb_source_dup_password (self->source);
  guint port = address->port != NULL ? (guint) g_ascii_strtoull (address->port, NULL, 10) : 3306;
  guint protocol = MYSQL_PROTOCOL_TCP;
  MYSQL *connected = NULL;
  int status;

  if (socket == NULL && host != NULL && host[0] == '/')
    socket = host;
  /* The library takes "localhost" for a socket in some folder otherwise. */
  if (socket == NULL && host != NULL)
    mysql_options (self->mysql, MYSQL_OPT_PROTOCOL, &protocol);
  status = mysql_real_connect_start (&connected, self->mysql, socket != NULL ? NULL : host,
                                     address->user, password != NULL ? password : "", address->path,
                                     port, socket, 0);
  while (status != 0)
    status = mysql_real_connect_cont (&connected, self->mysql, plumb_mariadb_await (self, status));
  if (connected == NULL)
    return plumb_mariadb_set_error (self, error);
  /* The library goes on without encryption where the server has none, whatever was asked for. */
  if (wants_encryption (address) && mysql_get_ssl_cipher (self->mysql) == NULL) {
    g_set_error_literal (
      error, PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_CONNECT,
      "The address asks for an encrypted connection (ssl…), and the server offers none.");
    return FALSE;
  }
  plumb_source_watch_socket (mysql_get_socket (self->mysql));
  self->connected = TRUE;
  self->thread = mysql_thread_id (self->mysql);
  return TRUE;
}

/* One try at one of the host's addresses. */
static PlumbMariadbConnection *
open_at (PlumbSource *source, const char *host, gint64 deadline, GCancellable *cancellable,
         GError **error)
{
  g_autoptr (PlumbMariadbConnection) self = g_new0 (PlumbMariadbConnection, 1);
  gboolean good;

  self->source = source;
  self->mysql = mysql_init (NULL);
  if (self->mysql == NULL)
    g_error ("Out of memory");
  set_options (self->mysql, plumb_source_get_address (source));
  self->cancellable = cancellable;
  self->deadline = deadline;
  good = connect_to (self, host, error);
  self->cancellable = NULL;
  self->deadline = 0;
  return good ? g_steal_pointer (&self) : NULL;
}

/**
 * plumb_mariadb_connection_open:
 * @deadline: monotonic time by which it must be there, 0 for what the address or the default says
 *
 * Returns: (transfer full): a connection; %NULL with an error that says what is wrong
 */
PlumbMariadbConnection *
plumb_mariadb_connection_open (PlumbSource *source, gint64 deadline, GCancellable *cancellable,
                               GError **error)
{
  const PlumbSourceUri *address = plumb_source_get_address (source);
  const char *asked = plumb_source_uri_get_parameter (address, "connect_timeout");
  gint64 seconds = asked != NULL ? g_ascii_strtoll (asked, NULL, 10) : 0;
  g_auto (GStrv) hosts = NULL;

  if (deadline == 0)
    deadline = g_get_monotonic_time () +
               (seconds > 0 ? seconds : CONNECT_PATIENCE) * G_TIME_SPAN_SECOND;
  if (address->host == NULL || address->host[0] == '/')
    return open_at (source, address->host, deadline, cancellable, error);
  hosts = resolve (address, cancellable, error);
  for (guint i = 0; hosts != NULL && hosts[i] != NULL; i++) {
    g_autoptr (GError) inner = NULL;
    PlumbMariadbConnection *self = open_at (source, hosts[i], deadline, cancellable, &inner);

    if (self != NULL)
      return self;
    if (hosts[i + 1] != NULL &&
        g_error_matches (inner, PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_CONNECT))
      continue;
    g_propagate_error (error, g_steal_pointer (&inner));
    return NULL;
  }
  return NULL;
}

/** plumb_mariadb_connection_free: closes @self */
void
plumb_mariadb_connection_free (PlumbMariadbConnection *self)
{
  int status;

  if (self == NULL)
    return;
  plumb_mariadb_connection_free (self->helper);
  self->cancellable = NULL;
  self->deadline = g_get_monotonic_time () + G_TIME_SPAN_SECOND;
  status = mysql_close_start (self->mysql);
  while (status != 0)
    status = mysql_close_cont (self->mysql, plumb_mariadb_await (self, status));
  g_free (self);
}

/** plumb_mariadb_connection_is_alive: Returns: whether an idle connection still seems to be there
 */
gboolean
plumb_mariadb_connection_is_alive (PlumbMariadbConnection *self)
{
  struct pollfd fd = { mysql_get_socket (self->mysql), POLLIN, 0 };

  return !self->broken && poll (&fd, 1, 0) == 0;
}
