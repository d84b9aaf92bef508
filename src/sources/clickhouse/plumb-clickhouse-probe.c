/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-clickhouse-private.h"

#include <string.h>

/* Grants of new versions that reach beyond the data, and that write. */
static const char *const superuser_grants[] = {
  "GRANT ALL ON *.*",
  "ACCESS MANAGEMENT",
  "CREATE USER",
  "SYSTEM",
  "SOURCES",
  "FILE",
  "URL",
  "REMOTE",
  "S3",
  "MYSQL",
  "POSTGRES",
  "ODBC",
  "JDBC",
  "HDFS",
  "MONGO",
  "REDIS",
  "SQLITE",
  "HIVE",
  "AZURE",
  "KAFKA",
  "NATS",
  "RABBITMQ",
  "READ",
  "WRITE",
  "CLUSTER",
  "BACKUP",
  "ROLE ADMIN",
  "ALTER USER",
  "CREATE ROLE",
  "IMPERSONATE",
  "SET DEFINER",
  "NAMED COLLECTION ADMIN",
  "INTROSPECTION",
  NULL,
};
static const char *const write_grants[] = {
  "ALL", "INSERT", "ALTER", "CREATE", "DROP", "TRUNCATE", "OPTIMIZE", "KILL QUERY", NULL,
};

/* A line that hands on a role names no object, and one that takes a part of a right away is none. */
static void
read_grant (const char *grant, PlumbAccountProbe *probe)
{
  const char *on = strstr (grant, " ON ");
  gboolean strong = g_str_has_prefix (grant, "GRANT ALL ON *.*");
  gboolean writes = FALSE;
  g_autofree char *named = NULL;
  g_auto (GStrv) rights = NULL;

  if (on == NULL || !g_str_has_prefix (grant, "GRANT "))
    return;
  named = g_strndup (grant + strlen ("GRANT "), on - grant - strlen ("GRANT "));
  rights = g_strsplit (named, ", ", -1);
  for (guint i = 0; rights[i] != NULL; i++) {
    strong = strong || g_strv_contains (superuser_grants, rights[i]) ||
             g_str_has_prefix (rights[i], "SYSTEM ");
    for (guint w = 0; write_grants[w] != NULL; w++)
      writes = writes || g_str_has_prefix (rights[i], write_grants[w]);
  }
  if (strong)
    g_ptr_array_add (probe->superuser_rights, g_strdup (grant));
  else if (writes)
    g_ptr_array_add (probe->write_rights, g_strdup (grant));
}

/* What a role brings counts like what the account has itself. Old versions have no grants: the
 * profile's readonly is all that holds an account. */
static void
read_rights (PlumbSource *source, PlumbClickhouseServer *server, PlumbAccountProbe *probe,
             GCancellable *cancellable)
{
  g_autoptr (PlumbClickhouseGrants) grants =
    plumb_clickhouse_grants_read (source, server, cancellable);
  GPtrArray *lines = grants != NULL ? plumb_clickhouse_grants_get_lines (grants) : NULL;

  for (guint i = 0; lines != NULL && i < lines->len; i++)
    read_grant (g_ptr_array_index (lines, i), probe);
  if (server->readonly == 0 &&
      (grants == NULL || probe->write_rights->len + probe->superuser_rights->len > 0))
    g_ptr_array_add (
      probe->write_rights,
      g_strdup ("the account's profile lets it write and change settings (readonly = 0)"));
  else if (server->readonly == 2)
    g_ptr_array_add (probe->write_rights,
                     g_strdup ("the account's profile lets it use table functions that reach out "
                               "of the server (readonly = 2)"));
}

static void
prove_read_only (PlumbSource *source, PlumbClickhouseServer *server, PlumbAccountProbe *probe,
                 GCancellable *cancellable)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PlumbResult) nothing = plumb_result_new (NULL);
  PlumbRowSink sink = plumb_result_get_sink (nothing);
  const char *limits =
    server->readonly == 1
      ? " The account's profile lets no limit be set, so Plumbline watches the time by itself."
      : "";

  plumb_clickhouse_stream (source, server,
                           "CREATE TABLE plumbline_tries_to_write (a UInt8) ENGINE = Memory", 1000,
                           &sink, cancellable, &error);
  probe->read_only_proven = error != NULL && strstr (error->message, "readonly") != NULL;
  if (probe->read_only_proven)
    probe->read_only_detail = g_strdup_printf (
      "Each request is read-only: a write was tried, and the server refused it.%s", limits);
  else
    probe->read_only_detail = g_strdup_printf (
      "A write was tried, and the server did not say that the request is read-only. (%s)",
      error != NULL ? error->message : "It was let through.");
}

/** plumb_clickhouse_probe: Returns: (transfer full): what the account may do; %NULL with an error
 */
PlumbAccountProbe *
plumb_clickhouse_probe (PlumbSource *source, PlumbClickhouseServer *server,
                        GCancellable *cancellable, GError **error)
{
  const PlumbSourceUri *address = plumb_source_get_address (source);
  g_autoptr (PlumbAccountProbe) probe = plumb_account_probe_new ();
  g_autoptr (PlumbCatalog) catalog =
    plumb_clickhouse_read_catalog (source, server, cancellable, error);
  g_autoptr (GPtrArray) zone = NULL;

  if (catalog == NULL)
    return NULL;
  zone = plumb_clickhouse_ask (source, server, "SELECT timezone()", cancellable, error);
  if (zone == NULL)
    return NULL;
  probe->version = g_strdup (server->version);
  probe->account = g_strdup (address->user != NULL ? address->user : "default");
  probe->time_zone = g_strdup (zone->len > 0 ? g_ptr_array_index (zone, 0) : "");
  probe->encoding = g_strdup ("UTF-8");
  probe->n_tables = catalog->tables->len;
  for (guint i = 0; i < catalog->tables->len; i++) {
    const PlumbTable *table = g_ptr_array_index (catalog->tables, i);

    probe->n_selectable += table->selectable ? 1 : 0;
  }
  read_rights (source, server, probe, cancellable);
  prove_read_only (source, server, probe, cancellable);
  return g_steal_pointer (&probe);
}
