/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-odbc-private.h"

#include <string.h>

/* Oracle's and Tibero's privileges that make an account superuser-like; what begins with these
 * words reaches beyond its own schema, or the server's files. */
static const char *const superuser_privileges[] = {
  "ALTER SYSTEM", "ALTER DATABASE", "ALTER USER", "CREATE USER", "DROP USER", "BECOME USER",
  "GRANT ANY", "EXEMPT ACCESS POLICY", "INSERT ANY", "UPDATE ANY", "DELETE ANY", "DROP ANY",
  "ALTER ANY", "CREATE ANY", "EXECUTE ANY", "LOCK ANY", "CREATE LIBRARY", "CREATE EXTERNAL JOB",
  "CREATE TABLESPACE", "DROP TABLESPACE", "ALTER TABLESPACE", "UNLIMITED TABLESPACE", "SYSDBA",
  "SYSOPER", "ADMINISTER", NULL,
};
static const char *const write_privileges[] = {
  "CREATE TABLE", "CREATE VIEW", "CREATE PROCEDURE", "CREATE TRIGGER", "CREATE SEQUENCE",
  "CREATE SYNONYM", "CREATE TYPE", "CREATE MATERIALIZED VIEW", "CREATE JOB", "CREATE CLUSTER",
  "CREATE DATABASE LINK", "CREATE DIMENSION", "CREATE INDEXTYPE", "CREATE OPERATOR", NULL,
};
static const char *const superuser_roles[] = {
  "DBA", "SYSDBA", "IMP_FULL_DATABASE", "EXP_FULL_DATABASE", "DATAPUMP_IMP_FULL_DATABASE",
  "DATAPUMP_EXP_FULL_DATABASE", "JAVASYSPRIV", NULL,
};

static gboolean
begins_with_any (const char *text, const char *const *words)
{
  for (guint i = 0; words[i] != NULL; i++) {
    if (g_str_has_prefix (text, words[i]))
      return TRUE;
  }
  return FALSE;
}

/* Rights that a question lists, a row each; one that can't be asked is said to be unknown. */
static PlumbOdbcRows *
ask_rights (PlumbOdbcConnection *self, const char *sql, const char *what, PlumbAccountProbe *probe)
{
  g_autoptr (GError) error = NULL;
  PlumbOdbcRows *rows = plumb_odbc_ask (self, sql, &error);

  if (rows == NULL)
    g_ptr_array_add (probe->write_rights,
                     g_strdup_printf ("%s could not be read (%s)", what, error->message));
  return rows;
}

static void
add_all (PlumbOdbcRows *rows, GPtrArray *list, const char *format)
{
  for (guint i = 0; rows != NULL && i < rows->rows->len; i++) {
    const char *text = plumb_odbc_rows_get (rows, i, 0);

    if (text != NULL)
      g_ptr_array_add (list, g_strconcat (text, format, NULL));
  }
}

static void
probe_oracle_grants (PlumbOdbcConnection *self, PlumbCatalog *catalog, PlumbAccountProbe *probe)
{
  g_autoptr (PlumbOdbcRows) rows = ask_rights (
    self,
    "SELECT OWNER, TABLE_NAME, PRIVILEGE FROM USER_TAB_PRIVS WHERE GRANTEE = USER "
    "AND PRIVILEGE IN ('INSERT', 'UPDATE', 'DELETE', 'ALTER', 'INDEX', 'EXECUTE')",
    "Grants on tables (USER_TAB_PRIVS)", probe);
  guint n_own = 0;

  for (guint i = 0; rows != NULL && i < rows->rows->len; i++)
    g_ptr_array_add (probe->write_rights,
                     g_strdup_printf ("%s on %s.%s", plumb_odbc_rows_get (rows, i, 2),
                                      plumb_odbc_rows_get (rows, i, 0),
                                      plumb_odbc_rows_get (rows, i, 1)));
  for (guint i = 0; i < catalog->tables->len; i++) {
    const PlumbTable *table = g_ptr_array_index (catalog->tables, i);

    n_own += strcmp (table->schema, probe->account) == 0 ? 1 : 0;
  }
  if (n_own > 0)
    g_ptr_array_add (probe->write_rights,
                     g_strdup_printf ("owns %u of the tables, so it may change them", n_own));
}

static void
probe_oracle (PlumbOdbcConnection *self, PlumbCatalog *catalog, PlumbAccountProbe *probe)
{
  g_autoptr (PlumbOdbcRows) roles = NULL;
  g_autoptr (PlumbOdbcRows) privileges = NULL;
  g_autofree char *account = plumb_odbc_ask_one (self, "SELECT USER FROM DUAL", NULL);

  if (account != NULL) {
    g_free (probe->account);
    probe->account = g_steal_pointer (&account);
  }
  probe->time_zone = plumb_odbc_ask_one (self, "SELECT SESSIONTIMEZONE FROM DUAL", NULL);
  probe->encoding = plumb_odbc_ask_one (
    self, "SELECT VALUE FROM NLS_DATABASE_PARAMETERS WHERE PARAMETER = 'NLS_CHARACTERSET'", NULL);
  roles = ask_rights (self, "SELECT GRANTED_ROLE FROM USER_ROLE_PRIVS", "Roles (USER_ROLE_PRIVS)",
                      probe);
  for (guint i = 0; roles != NULL && i < roles->rows->len; i++) {
    const char *role = plumb_odbc_rows_get (roles, i, 0);

    if (role != NULL && g_strv_contains (superuser_roles, role))
      g_ptr_array_add (probe->superuser_rights, g_strdup_printf ("the role %s", role));
  }
  privileges = ask_rights (self, "SELECT PRIVILEGE FROM SESSION_PRIVS",
                           "Privileges (SESSION_PRIVS)", probe);
  for (guint i = 0; privileges != NULL && i < privileges->rows->len; i++) {
    const char *privilege = plumb_odbc_rows_get (privileges, i, 0);

    if (privilege != NULL && begins_with_any (privilege, superuser_privileges))
      g_ptr_array_add (probe->superuser_rights, g_strdup (privilege));
    else if (privilege != NULL && begins_with_any (privilege, write_privileges))
      g_ptr_array_add (probe->write_rights, g_strdup (privilege));
  }
  probe_oracle_grants (self, catalog, probe);
}

/* SQL Server documentation, sys.fn_my_permissions and IS_SRVROLEMEMBER; not run here. */
static void
probe_sqlserver (PlumbOdbcConnection *self, PlumbAccountProbe *probe)
{
  g_autoptr (PlumbOdbcRows) roles = ask_rights (
    self,
    "SELECT r.name FROM (VALUES ('sysadmin'), ('securityadmin'), ('serveradmin'), ('setupadmin'), "
    "('processadmin'), ('diskadmin'), ('dbcreator'), ('bulkadmin')) r(name) "
    "WHERE IS_SRVROLEMEMBER(r.name) = 1 UNION ALL "
    "SELECT r.name FROM (VALUES ('db_owner'), ('db_securityadmin'), ('db_accessadmin'), "
    "('db_backupoperator')) r(name) WHERE IS_MEMBER(r.name) = 1",
    "Roles", probe);
  g_autoptr (PlumbOdbcRows) rights = ask_rights (
    self,
    "SELECT permission_name FROM sys.fn_my_permissions(NULL, 'DATABASE') WHERE permission_name IN "
    "('INSERT', 'UPDATE', 'DELETE', 'EXECUTE', 'ALTER', 'CONTROL', 'TAKE OWNERSHIP') "
    "OR permission_name LIKE 'CREATE %' OR permission_name LIKE 'ALTER ANY %'",
    "Permissions (fn_my_permissions)", probe);

  add_all (roles, probe->superuser_rights, " (role)");
  add_all (rights, probe->write_rights, " on the database");
  probe->encoding = plumb_odbc_ask_one (
    self, "SELECT CAST(DATABASEPROPERTYEX(DB_NAME(), 'Collation') AS nvarchar(128))", NULL);
  probe->time_zone = plumb_odbc_ask_one (
    self, "SELECT DATENAME(tzoffset, SYSDATETIMEOFFSET())", NULL);
}

static void
probe_postgres (PlumbOdbcConnection *self, PlumbAccountProbe *probe)
{
  g_autoptr (PlumbOdbcRows) beyond = ask_rights (
    self,
    "SELECT CASE WHEN rolsuper THEN 'superuser' WHEN rolcreaterole THEN 'may create roles' "
    "WHEN rolreplication THEN 'may copy the whole server (replication)' "
    "WHEN rolbypassrls THEN 'bypasses row security' ELSE 'the role ' || rolname END "
    "FROM pg_catalog.pg_roles WHERE (rolname = current_user AND (rolsuper OR rolcreaterole OR "
    "rolreplication OR rolbypassrls)) OR (rolname IN ('pg_read_server_files', "
    "'pg_write_server_files', 'pg_execute_server_program', 'pg_signal_backend') "
    "AND NOT (SELECT rolsuper FROM pg_catalog.pg_roles WHERE rolname = current_user) "
    "AND pg_catalog.pg_has_role(current_user, oid, 'MEMBER'))",
    "Roles", probe);
  g_autoptr (PlumbOdbcRows) writes = ask_rights (
    self,
    "SELECT 'may write to ' || n.nspname || '.' || c.relname FROM pg_catalog.pg_class c "
    "JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace WHERE c.relkind IN ('r', 'p', 'v') "
    "AND n.nspname NOT LIKE 'pg@_%' ESCAPE '@' AND n.nspname <> 'information_schema' "
    "AND pg_catalog.has_table_privilege(c.oid, 'INSERT, UPDATE, DELETE, TRUNCATE') "
    "ORDER BY 1 LIMIT 5",
    "Grants on tables", probe);

  add_all (beyond, probe->superuser_rights, "");
  add_all (writes, probe->write_rights, "");
  probe->encoding = plumb_odbc_ask_one (
    self, "SELECT pg_catalog.current_setting('server_encoding')", NULL);
  probe->time_zone = plumb_odbc_ask_one (self, "SELECT pg_catalog.current_setting('TimeZone')",
                                         NULL);
}

/* Whether the server refuses @sql by @state or by words of its own. What it says is kept. */
static gboolean
is_refused (PlumbOdbcConnection *self, const char *sql, const char *state, const char *words,
            char **said)
{
  g_autoptr (GError) error = NULL;

  if (plumb_odbc_execute (self, sql, &error))
    return FALSE;
  g_free (*said);
  *said = g_strdup (error->message);
  return strcmp (self->fault.state, state) == 0 || strstr (error->message, words) != NULL;
}

/* A write is tried where what it did is undone if it is let through. */
static void
prove_by_trying (PlumbOdbcConnection *self, const char *sql, const char *state, const char *words,
                 PlumbAccountProbe *probe)
{
  g_autofree char *said = NULL;

  probe->read_only_proven = is_refused (self, sql, state, words, &said);
  if (probe->read_only_proven)
    probe->read_only_detail = g_strdup (
      "Statements run in a read-only transaction: a write was tried in one, and the server refused "
      "it.");
  else
    probe->read_only_detail = g_strdup_printf (
      "A write was tried in what should be a read-only transaction (it is always rolled back), and "
      "the server did not say that it is read-only (it says: %s).",
      said != NULL ? said : "nothing");
}

static void
prove_read_only (PlumbOdbcConnection *self, PlumbAccountProbe *probe)
{
  switch (self->engine) {
  case PLUMB_ODBC_POSTGRES:
    prove_by_trying (self, "CREATE TABLE plumbline_tries_to_write (a int)", "25006",
                     "read-only transaction", probe);
    break;
  case PLUMB_ODBC_SQLITE:
    prove_by_trying (self, "CREATE TABLE plumbline_tries_to_write (a)", "25006", "readonly", probe);
    break;
  case PLUMB_ODBC_ORACLE:
    /* DDL would end the transaction; asking for a lock is refused like a write, and takes none. */
    prove_by_trying (self, "SELECT DUMMY FROM DUAL WHERE 1 = 0 FOR UPDATE", "25006", "ORA-01456",
                     probe);
    break;
  case PLUMB_ODBC_TIBERO:
    probe->read_only_detail = g_strdup (
      "Tibero has no read-only transaction. What the account is granted is the boundary, so use "
      "one that can only select; every transaction is rolled back, and no statement that could "
      "write passes the statement check.");
    break;
  case PLUMB_ODBC_SQLSERVER:
    probe->read_only_detail = g_strdup (
      "SQL Server has no read-only transaction. Every transaction is rolled back, and no statement "
      "that could write passes the statement check; use an account that can only select.");
    break;
  case PLUMB_ODBC_GENERIC:
  default:
    probe->read_only_detail = g_strdup_printf (
      "%s isn't known to Plumbline, so no write was tried there. %s; use an account that can only "
      "select.",
      self->dbms,
      !self->has_transactions   ? "Its driver has no transactions, so nothing can be rolled back"
      : self->refuses_read_only ? "It knows no read-only transaction; every transaction is rolled "
                                  "back"
                                : "Its transactions are begun read-only and always rolled back");
    break;
  }
}

/** plumb_odbc_probe: Returns: (transfer full): what the account may do; %NULL with an error */
PlumbAccountProbe *
plumb_odbc_probe (PlumbOdbcConnection *self, GError **error)
{
  g_autoptr (PlumbAccountProbe) probe = plumb_account_probe_new ();
  g_autoptr (PlumbCatalog) catalog = plumb_odbc_read_catalog (self, error);
  const char *name = plumb_odbc_engine_get_name (self->engine);

  if (catalog == NULL)
    return NULL;
  probe->account = g_strdup (*self->account != '\0' ? self->account : g_get_user_name ());
  probe->version = g_strdup_printf ("%s %s, through the ODBC driver %s",
                                    name != NULL ? name : self->dbms, self->version, self->driver);
  probe->n_tables = catalog->tables->len;
  for (guint i = 0; i < catalog->tables->len; i++) {
    const PlumbTable *table = g_ptr_array_index (catalog->tables, i);

    probe->n_selectable += table->selectable ? 1 : 0;
  }
  if (self->engine == PLUMB_ODBC_ORACLE || self->engine == PLUMB_ODBC_TIBERO)
    probe_oracle (self, catalog, probe);
  else if (self->engine == PLUMB_ODBC_SQLSERVER)
    probe_sqlserver (self, probe);
  else if (self->engine == PLUMB_ODBC_POSTGRES)
    probe_postgres (self, probe);
  else if (self->engine == PLUMB_ODBC_SQLITE)
    probe->encoding = plumb_odbc_ask_one (self, "PRAGMA encoding", NULL);
  prove_read_only (self, probe);
  return g_steal_pointer (&probe);
}
