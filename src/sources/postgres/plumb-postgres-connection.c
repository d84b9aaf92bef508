/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-postgres-private.h"

#include <poll.h>
#include <string.h>

/* How long connecting may take where the address doesn't say (connect_timeout, in seconds). */
#define CONNECT_PATIENCE 15

/* Parameters that Plumbline sets itself, or that would make another kind of connection. */
static const char *const own_parameters[] = {
  "dbname", "client_encoding", "replication", "fallback_application_name", NULL,
};

/* Given where the address says nothing: a dead network is noticed within a minute, and a server
 * notices that we are gone. */
static const struct {
  const char *name;
  const char *value;
} defaults[] = {
  { "application_name", "Plumbline" }, { "keepalives_idle", "20" }, { "keepalives_interval", "10" },
  { "keepalives_count", "3" }, { "tcp_user_timeout", "30000" },
};

typedef struct {
  GPtrArray *keywords;
  GPtrArray *values;
} Parameters;

/**
 * plumb_postgres_accept_address:
 *
 * Returns: whether libpq knows the parameters of the address and it names a database
 */
gboolean
plumb_postgres_accept_address (const PlumbSourceUri *address, GError **error)
{
  PQconninfoOption *options = PQconndefaults ();
  g_autoptr (GPtrArray) known = g_ptr_array_new_with_free_func (g_free);
  const char *service = plumb_source_uri_get_parameter (address, "service");

  for (guint i = 0; options != NULL && options[i].keyword != NULL; i++) {
    if (!g_strv_contains (own_parameters, options[i].keyword))
      g_ptr_array_add (known, g_strdup (options[i].keyword));
  }
  g_ptr_array_add (known, NULL);
  PQconninfoFree (options);
  if (!plumb_source_only_parameters (address, (const char *const *) known->pdata, error))
    return FALSE;
  if (address->path != NULL || service != NULL)
    return TRUE;
  g_set_error_literal (
    error, PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_ADDRESS,
    "The address names no database. Write postgresql://user@host:5432/database.");
  return FALSE;
}

static void
add (Parameters *self, const char *keyword, const char *value)
{
  if (value == NULL)
    return;
  g_ptr_array_add (self->keywords, g_strdup (keyword));
  g_ptr_array_add (self->values, g_strdup (value));
}

static gboolean
is_network_host (const char *host)
{
  return host != NULL && *host != '\0' && *host != '/' && *host != '@' &&
         strchr (host, ',') == NULL && !g_hostname_is_ip_address (host);
}

/* libpq looks names up in the calling thread, where nothing can stop it; GLib's resolver can be. */
static gboolean
resolve (Parameters *self, const char *host, const char *port, GCancellable *cancellable,
         GError **error)
{
  g_autoptr (GResolver) resolver = g_resolver_get_default ();
  g_autoptr (GError) inner = NULL;
  g_autoptr (GString) hosts = g_string_new (NULL);
  g_autoptr (GString) addresses = g_string_new (NULL);
  g_autoptr (GString) ports = g_string_new (NULL);
  GList *found = g_resolver_lookup_by_name (resolver, host, cancellable, &inner);

  if (found == NULL) {
    if (g_error_matches (inner, G_IO_ERROR, G_IO_ERROR_CANCELLED))
      g_propagate_error (error, g_steal_pointer (&inner));
    else
      g_set_error (error, PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_CONNECT,
                   "The host “%s” is not known. Check its name, and the network. (%s)", host,
                   inner->message);
    return FALSE;
  }
  for (GList *node = found; node != NULL; node = node->next) {
    g_autofree char *text = g_inet_address_to_string (node->data);
    const char *comma = node == found ? "" : ",";

    g_string_append_printf (hosts, "%s%s", comma, host);
    g_string_append_printf (addresses, "%s%s", comma, text);
    g_string_append_printf (ports, "%s%s", comma, port != NULL ? port : "");
  }
  g_resolver_free_addresses (found);
  add (self, "host", hosts->str);
  add (self, "hostaddr", addresses->str);
  if (port != NULL)
    add (self, "port", ports->str);
  return TRUE;
}

static gboolean
add_host (Parameters *self, const PlumbSourceUri *address, GCancellable *cancellable,
          GError **error)
{
  const char *host = address->host;
  const char *port = address->port;
  gboolean has_address = plumb_source_uri_get_parameter (address, "hostaddr") != NULL;

  if (host == NULL)
    host = plumb_source_uri_get_parameter (address, "host");
  if (port == NULL)
    port = plumb_source_uri_get_parameter (address, "port");
  if (is_network_host (host) && !has_address)
    return resolve (self, host, port, cancellable, error);
  add (self, "host", host);
  add (self, "port", port);
  return TRUE;
}

static gboolean
gather_parameters (Parameters *self, PlumbSource *source, GCancellable *cancellable, GError **error)
{
  const PlumbSourceUri *address = plumb_source_get_address (source);
  g_autofree char *password = plumb_source_dup_password (source);

  if (!add_host (self, address, cancellable, error))
    return FALSE;
  add (self, "user", address->user);
  add (self, "password", password);
  add (self, "dbname", address->path);
  add (self, "client_encoding", "UTF8");
  for (guint i = 0; i < G_N_ELEMENTS (defaults); i++) {
    if (plumb_source_uri_get_parameter (address, defaults[i].name) == NULL)
      add (self, defaults[i].name, defaults[i].value);
  }
  for (guint i = 0; i < address->parameter_names->len; i++) {
    const char *name = g_ptr_array_index (address->parameter_names, i);

    if (strcmp (name, "host") != 0 && strcmp (name, "port") != 0)
      add (self, name, g_ptr_array_index (address->parameter_values, i));
  }
  g_ptr_array_add (self->keywords, NULL);
  g_ptr_array_add (self->values, NULL);
  return TRUE;
}

static void
ignore_notice (gpointer user_data, const PGresult *result)
{
}

static gint64
connect_deadline (const PlumbSourceUri *address)
{
  const char *asked = plumb_source_uri_get_parameter (address, "connect_timeout");
  gint64 seconds = asked != NULL ? g_ascii_strtoll (asked, NULL, 10) : 0;

  return g_get_monotonic_time () + (seconds > 0 ? seconds : CONNECT_PATIENCE) * G_TIME_SPAN_SECOND;
}

/* Goes through libpq's connecting, step by step, so that it can be stopped at each. */
static gboolean
finish_connecting (PGconn *pg, gint64 deadline, GCancellable *cancellable, GError **error)
{
  PostgresPollingStatusType status = PGRES_POLLING_WRITING;

  if (PQstatus (pg) == CONNECTION_BAD)
    return plumb_postgres_set_connect_error (PQerrorMessage (pg), error);
  while (status != PGRES_POLLING_OK) {
    g_autoptr (GError) inner = NULL;

    if (!plumb_source_wait (PQsocket (pg), status == PGRES_POLLING_WRITING, deadline, cancellable,
                            &inner)) {
      if (g_error_matches (inner, PLUMB_ERROR, PLUMB_ERROR_TIMED_OUT))
        g_set_error_literal (error, PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_CONNECT,
                             "The server did not answer in time. Check host and port, and that no "
                             "firewall is in between.");
      else
        g_propagate_error (error, g_steal_pointer (&inner));
      return FALSE;
    }
    status = PQconnectPoll (pg);
    if (status == PGRES_POLLING_FAILED)
      return plumb_postgres_set_connect_error (PQerrorMessage (pg), error);
  }
  return TRUE;
}

/* Which schemas an unqualified name is looked for in. They are pinned for each statement, so that
 * the server finds the table that the statement check found. */
static gboolean
read_search_path (PlumbPostgresConnection *self, GCancellable *cancellable, GError **error)
{
  g_autoptr (PGresult) result = NULL;

  result = plumb_postgres_ask (self->pg,
                               "SELECT coalesce(string_agg(quote_ident(s), ', ' ORDER BY o), ''), "
                               "coalesce(min(s) FILTER (WHERE o = 1), '') "
                               "FROM unnest(current_schemas(false)) WITH ORDINALITY AS u(s, o)",
                               0, NULL, cancellable, error);
  if (result == NULL)
    return FALSE;
  self->schemas = g_strdup (PQgetvalue (result, 0, 0));
  self->default_schema = g_strdup (PQgetvalue (result, 0, 1));
  return TRUE;
}

/* PostgreSQL 14 and later have the setting, on systems that can do it. */
static void
try_to_notice_loss (PlumbPostgresConnection *self, GCancellable *cancellable)
{
  if (PQserverVersion (self->pg) >= 140000)
    self->can_notice_loss = plumb_postgres_execute (
      self->pg, "SET client_connection_check_interval = 1000", cancellable, NULL);
}

/**
 * plumb_postgres_connection_open:
 * @source: whose address and password count
 *
 * Returns: (transfer full): a connection; %NULL with an error that says what is wrong
 */
PlumbPostgresConnection *
plumb_postgres_connection_open (PlumbSource *source, GCancellable *cancellable, GError **error)
{
  g_autoptr (PlumbPostgresConnection) self = g_new0 (PlumbPostgresConnection, 1);
  g_autoptr (GPtrArray) keywords = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) values = g_ptr_array_new_with_free_func (g_free);
  Parameters parameters = { keywords, values };

  if (!gather_parameters (&parameters, source, cancellable, error))
    return NULL;
  self->pg = PQconnectStartParams ((const char *const *) keywords->pdata,
                                   (const char *const *) values->pdata, 0);
  if (self->pg == NULL)
    g_error ("Out of memory");
  PQsetErrorVerbosity (self->pg, PQERRORS_VERBOSE);
  PQsetNoticeReceiver (self->pg, ignore_notice, NULL);
  if (!finish_connecting (self->pg, connect_deadline (plumb_source_get_address (source)),
                          cancellable, error))
    return NULL;
  PQsetnonblocking (self->pg, 1);
  if (!read_search_path (self, cancellable, error))
    return NULL;
  try_to_notice_loss (self, cancellable);
  return g_steal_pointer (&self);
}

/** plumb_postgres_connection_free: closes @self */
void
plumb_postgres_connection_free (PlumbPostgresConnection *self)
{
  if (self == NULL)
    return;
  PQfinish (self->pg);
  g_free (self->schemas);
  g_free (self->default_schema);
  g_free (self->snapshot);
  g_free (self);
}

/** plumb_postgres_connection_is_alive: Returns: whether an idle connection still seems to be there.
 * A server that has nothing to say says nothing: readable means that it closed the connection */
gboolean
plumb_postgres_connection_is_alive (PlumbPostgresConnection *self)
{
  struct pollfd fd = { PQsocket (self->pg), POLLIN, 0 };

  return PQstatus (self->pg) == CONNECTION_OK && poll (&fd, 1, 0) == 0;
}
