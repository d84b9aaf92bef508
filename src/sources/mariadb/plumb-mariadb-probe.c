/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-mariadb-private.h"

#include <string.h>

/* Rights that reach beyond the data, and rights to write; as SHOW GRANTS spells them. */
static const char *const superuser_rights[] = {
  "ALL PRIVILEGES ON *.*",
  "SUPER",
  "FILE",
  "SHUTDOWN",
  "RELOAD",
  "PROCESS",
  "CREATE USER",
  "GRANT OPTION",
  "SET USER",
  "CONNECTION ADMIN",
  "FEDERATED ADMIN",
  "READ_ONLY ADMIN",
  "BINLOG ADMIN",
  "BINLOG REPLAY",
  "REPLICATION SLAVE",
  "REPLICATION SLAVE ADMIN",
  "REPLICATION MASTER ADMIN",
  "CREATE TABLESPACE",
  "SYSTEM_USER",
  "SYSTEM_VARIABLES_ADMIN",
  "CREATE ROLE",
  "DROP ROLE",
  /* Dynamic privileges of MySQL 8, which its manual lists under “Privileges Provided by MySQL”. */
  "BACKUP_ADMIN",
  "BINLOG_ADMIN",
  "CLONE_ADMIN",
  "CONNECTION_ADMIN",
  "ENCRYPTION_KEY_ADMIN",
  "GROUP_REPLICATION_ADMIN",
  "PERSIST_RO_VARIABLES_ADMIN",
  "REPLICATION_APPLIER",
  "REPLICATION_SLAVE_ADMIN",
  "RESOURCE_GROUP_ADMIN",
  "ROLE_ADMIN",
  "SERVICE_CONNECTION_ADMIN",
  "SESSION_VARIABLES_ADMIN",
  "SET_ANY_DEFINER",
  "SET_USER_ID",
  "TABLE_ENCRYPTION_ADMIN",
  "XA_RECOVER_ADMIN",
  NULL,
};
static const char *const write_rights[] = {
  "ALL PRIVILEGES",
  "INSERT",
  "UPDATE",
  "DELETE",
  "CREATE",
  "DROP",
  "ALTER",
  "INDEX",
  "TRIGGER",
  "EVENT",
  "EXECUTE",
  "CREATE VIEW",
  "CREATE ROUTINE",
  "ALTER ROUTINE",
  "CREATE TEMPORARY TABLES",
  "LOCK TABLES",
  "REFERENCES",
  "DELETE HISTORY",
  NULL,
};

/* @through: what the account has the rights by, if not by itself. */
static void
add_rights (GPtrArray *list, const char *const *known, GStrv rights, const char *object,
            const char *through)
{
  g_autoptr (GString) found = g_string_new (NULL);

  for (guint i = 0; rights[i] != NULL; i++) {
    g_autofree char *whole = g_strdup_printf ("%s ON %s", rights[i], object);

    if (g_strv_contains (known, rights[i]) || g_strv_contains (known, whole))
      g_string_append_printf (found, "%s%s", found->len > 0 ? ", " : "", rights[i]);
  }
  if (found->len > 0)
    g_ptr_array_add (list, g_strdup_printf ("%s on %s%s", found->str, object, through));
}

/* Accounts have a host ("`reader`@`%`"), MariaDB's roles have none. MySQL writes the rights of roles
 * that are in force as the account's own. */
static char *
describe_grantee (const char *to)
{
  const char *end = to;
  gboolean quoted = FALSE;
  g_autofree char *grantee = NULL;

  for (; *end != '\0' && (quoted || *end != ' '); end++)
    quoted = *end == '`' ? !quoted : quoted;
  grantee = g_strndup (to, end - to);
  if (strcmp (grantee, "PUBLIC") == 0)
    return g_strdup (", which everyone has (PUBLIC)");
  return strstr (grantee, "@") == NULL ? g_strdup_printf (" through the role %s", grantee)
                                       : g_strdup ("");
}

/* Drops the columns that a right is limited to: SELECT (`id`), INSERT (`a`, `b`). */
static char *
drop_columns (const char *rights)
{
  g_autoptr (GString) plain = g_string_new (NULL);
  int depth = 0;

  for (const char *at = rights; *at != '\0'; at++) {
    depth += *at == '(' ? 1 : 0;
    if (depth == 0)
      g_string_append_c (plain, *at);
    depth -= *at == ')' ? 1 : 0;
  }
  return g_string_free (g_steal_pointer (&plain), FALSE);
}

/**
 * plumb_mariadb_read_grant:
 * @grant: a line of SHOW GRANTS: GRANT right, right ON object TO account …
 *
 * Adds the rights of that line to reach beyond the data, and to write.
 */
void
plumb_mariadb_read_grant (const char *grant, PlumbAccountProbe *probe)
{
  const char *on = strstr (grant, " ON ");
  const char *to = on != NULL ? strstr (on, " TO ") : NULL;
  g_autofree char *object = NULL;
  g_autofree char *named = NULL;
  g_autofree char *plain = NULL;
  g_autofree char *through = NULL;
  g_auto (GStrv) rights = NULL;

  if (!g_str_has_prefix (grant, "GRANT ") || to == NULL)
    return;
  through = describe_grantee (to + strlen (" TO "));
  object = g_strndup (on + 4, to - on - 4);
  named = g_strndup (grant + 6, on - grant - 6);
  plain = drop_columns (named);
  rights = g_strsplit (plain, ",", -1);
  for (guint i = 0; rights[i] != NULL; i++)
    g_strstrip (rights[i]);
  add_rights (probe->superuser_rights, superuser_rights, rights, object, through);
  if (strcmp (object, "*.*") == 0 &&
      g_strv_contains ((const char *const *) rights, "ALL PRIVILEGES"))
    return;
  add_rights (probe->write_rights, write_rights, rights, object, through);
  if (strstr (to, "WITH GRANT OPTION") != NULL)
    g_ptr_array_add (probe->write_rights,
                     g_strdup_printf ("may hand its rights on (GRANT OPTION) on %s%s", object,
                                      through));
}

/* Reads what SHOW GRANTS says now: of the account, of PUBLIC, and of the roles that are in force. A
 * line that was seen before says nothing new. */
static gboolean
read_grants (PlumbMariadbConnection *self, GHashTable *seen, PlumbAccountProbe *probe,
             GError **error)
{
  g_autoptr (PlumbMariadbResult) result = plumb_mariadb_ask (self, "SHOW GRANTS", error);
  MYSQL_ROW row;

  while (result != NULL && (row = mysql_fetch_row (result)) != NULL) {
    if (g_hash_table_add (seen, g_strdup (row[0])))
      plumb_mariadb_read_grant (row[0], probe);
  }
  return result != NULL;
}

static void
read_grants_with_role (PlumbMariadbConnection *self, const char *role, GHashTable *seen,
                       PlumbAccountProbe *probe)
{
  g_autofree char *sql = g_strconcat ("SET ROLE ", role, NULL);

  if (plumb_mariadb_execute (self, sql, NULL))
    read_grants (self, seen, probe, NULL);
}

/* A role that isn't in force by default is one command away for whoever else has the password. That
 * command is given on a connection of its own, so that no statement ever runs with the role. MySQL
 * puts all roles in force at once, the mandatory ones among them; MariaDB one at a time. Versions
 * without roles refuse what is asked here, and have nothing to tell. */
static void
read_other_roles (PlumbMariadbConnection *self, GHashTable *seen, PlumbAccountProbe *probe)
{
  g_autoptr (PlumbMariadbConnection) other =
    plumb_mariadb_connection_open (self->source, 0, self->cancellable, NULL);
  g_autoptr (PlumbMariadbResult) roles = NULL;
  MYSQL_ROW row;

  if (other == NULL)
    return;
  other->cancellable = self->cancellable;
  other->deadline = g_get_monotonic_time () + PLUMB_SOURCE_OWN_BUDGET_MS * 1000;
  if (!plumb_mariadb_is_mariadb (mysql_get_server_info (other->mysql))) {
    read_grants_with_role (other, "ALL", seen, probe);
    return;
  }
  roles = plumb_mariadb_ask (
    other,
    "SELECT DISTINCT ROLE_NAME FROM information_schema.APPLICABLE_ROLES WHERE ROLE_NAME NOT IN "
    "(SELECT ROLE_NAME FROM information_schema.ENABLED_ROLES WHERE ROLE_NAME IS NOT NULL)",
    NULL);
  while (roles != NULL && (row = mysql_fetch_row (roles)) != NULL) {
    g_autofree char *role = plumb_sql_quote_identifier (PLUMB_DIALECT_MARIADB, row[0]);

    read_grants_with_role (other, role, seen, probe);
  }
}

static gboolean
read_session (PlumbMariadbConnection *self, PlumbAccountProbe *probe, GError **error)
{
  g_autoptr (PlumbMariadbResult) result = NULL;
  MYSQL_ROW row;

  result = plumb_mariadb_ask (
    self,
    "SELECT CURRENT_USER(), IF(@@time_zone = 'SYSTEM', @@system_time_zone, @@time_zone), "
    "@@character_set_database, VERSION()",
    error);
  row = result != NULL ? mysql_fetch_row (result) : NULL;
  if (row == NULL)
    return FALSE;
  probe->account = g_utf8_make_valid (row[0] != NULL ? row[0] : "", -1);
  probe->time_zone = g_utf8_make_valid (row[1] != NULL ? row[1] : "", -1);
  probe->encoding = g_utf8_make_valid (row[2] != NULL ? row[2] : "", -1);
  probe->version = g_utf8_make_valid (row[3] != NULL ? row[3] : "", -1);
  return TRUE;
}

/* A write is tried where it can do no harm if it is let through: a table of a name that nothing
 * has, taken away again at once. The server must say that the transaction is read-only, or that the
 * account may not. */
static void
prove_read_only (PlumbMariadbConnection *self, PlumbAccountProbe *probe)
{
  g_autofree char *said = NULL;
  guint number;

  if (plumb_mariadb_execute (self, "CREATE TABLE plumbline_tries_to_write (a INT)", NULL)) {
    plumb_mariadb_execute (self, "DROP TABLE plumbline_tries_to_write", NULL);
    probe->read_only_detail = g_strdup ("A write was tried in a read-only session (and taken "
                                        "back), and the server did not refuse it.");
    return;
  }
  number = mysql_errno (self->mysql);
  said = g_utf8_make_valid (mysql_error (self->mysql), -1);
  /* 1792: read-only transaction; 1142, 1044, 1227: no right; 1290, 1836: the server is read-only.
   */
  probe->read_only_proven = number == 1792 || number == 1142 || number == 1044 || number == 1227 ||
                            number == 1290 || number == 1836;
  probe->read_only_detail = g_strdup_printf (
    "Statements run in a read-only session: a write was tried in one, and the server said: %s",
    said);
}

/** plumb_mariadb_probe: Returns: (transfer full): what the account may do; %NULL with an error */
PlumbAccountProbe *
plumb_mariadb_probe (PlumbMariadbConnection *self, GError **error)
{
  g_autoptr (PlumbAccountProbe) probe = plumb_account_probe_new ();
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (PlumbCatalog) catalog = NULL;

  if (!read_session (self, probe, error) || !read_grants (self, seen, probe, error))
    return NULL;
  read_other_roles (self, seen, probe);
  catalog = plumb_mariadb_read_catalog (self, error);
  if (catalog == NULL)
    return NULL;
  probe->n_tables = catalog->tables->len;
  for (guint i = 0; i < catalog->tables->len; i++) {
    const PlumbTable *table = g_ptr_array_index (catalog->tables, i);

    probe->n_selectable += table->selectable ? 1 : 0;
  }
  prove_read_only (self, probe);
  return g_steal_pointer (&probe);
}
