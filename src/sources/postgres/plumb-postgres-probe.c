/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-postgres-private.h"

#include <string.h>

/* Tables that are named when the account may write to them; further ones are counted. */
#define MOST_NAMED "5"

/* Rights that reach beyond the data, in words. Roles count that the account can switch to. */
static const char superuser_question[] =
  "SELECT 'superuser' || via FROM r WHERE rolsuper "
  "UNION ALL SELECT 'may create and change roles' || via FROM r WHERE rolcreaterole "
  "UNION ALL SELECT 'may copy the whole server (replication)' || via FROM r WHERE rolreplication "
  "UNION ALL SELECT 'bypasses row security' || via FROM r WHERE rolbypassrls "
  "UNION ALL SELECT 'may read files of the server (pg_read_server_files)' FROM r WHERE rolname = "
  "'pg_read_server_files' "
  "UNION ALL SELECT 'may write files of the server (pg_write_server_files)' FROM r WHERE rolname = "
  "'pg_write_server_files' "
  "UNION ALL SELECT 'may run programs on the server (pg_execute_server_program)' FROM r WHERE "
  "rolname = 'pg_execute_server_program' "
  "UNION ALL SELECT 'may end other sessions (pg_signal_backend)' FROM r WHERE rolname = "
  "'pg_signal_backend' "
  "UNION ALL SELECT 'may call ' || p.oid::regprocedure FROM pg_proc p WHERE NOT (SELECT "
  "bool_or(rolsuper) FROM r) "
  "AND p.proname IN ('pg_read_file', 'pg_read_binary_file', 'pg_ls_dir', 'lo_import', 'lo_export', "
  "'pg_reload_conf', "
  "'pg_file_write', 'dblink_connect_u') AND has_function_privilege(p.oid, 'EXECUTE') "
  "AND NOT EXISTS (SELECT 1 FROM r WHERE rolname = 'pg_read_server_files')";

#define ROLES \
  "WITH r AS (SELECT rolname, rolsuper, rolcreaterole, rolcreatedb, rolreplication, " \
  "rolbypassrls, " \
  "CASE WHEN rolname = current_user THEN '' ELSE ' (through the role ' || rolname || ')' END AS " \
  "via " \
  "FROM pg_roles WHERE rolname = current_user OR (pg_has_role(current_user, oid, 'MEMBER') " \
  "AND NOT (SELECT s.rolsuper FROM pg_roles s WHERE s.rolname = current_user))) "

static const char write_question[] =
  "SELECT 'may create databases' || via FROM r WHERE rolcreatedb "
  "UNION ALL SELECT 'may write to all tables (pg_write_all_data)' FROM r WHERE rolname = "
  "'pg_write_all_data' "
  "UNION ALL SELECT 'may create schemas in this database' WHERE "
  "has_database_privilege(current_database(), 'CREATE') "
  "UNION ALL SELECT 'may create objects in the schema ' || quote_ident(nspname) FROM pg_namespace "
  "WHERE nspname NOT LIKE 'pg\\_%' AND nspname <> 'information_schema' AND "
  "has_schema_privilege(oid, 'CREATE') "
  "UNION ALL SELECT 'may write to ' || count(*) || ' of the tables (' || string_agg(name, ', ' "
  "ORDER BY name) "
  "FILTER (WHERE place <= " MOST_NAMED ") || CASE WHEN count(*) > " MOST_NAMED
  " THEN ', …' ELSE '' END || ')' "
  "FROM (SELECT quote_ident(n.nspname) || '.' || quote_ident(c.relname) AS name, "
  "row_number() OVER (ORDER BY n.nspname, c.relname) AS place "
  "FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace "
  "WHERE c.relkind IN ('r', 'p', 'f', 'v') AND n.nspname NOT LIKE 'pg\\_%' AND n.nspname <> "
  "'information_schema' "
  "AND has_schema_privilege(n.oid, 'USAGE') AND (has_table_privilege(c.oid, 'INSERT, UPDATE, "
  "DELETE, TRUNCATE') "
  "OR has_any_column_privilege(c.oid, 'INSERT, UPDATE'))) AS w HAVING count(*) > 0";

static gboolean
ask_list (PGconn *pg, const char *question, GPtrArray *list, GCancellable *cancellable,
          GError **error)
{
  g_autofree char *sql = g_strconcat (ROLES, question, NULL);
  g_autoptr (PGresult) result = plumb_postgres_ask (pg, sql, 0, NULL, cancellable, error);

  for (int row = 0; result != NULL && row < PQntuples (result); row++)
    g_ptr_array_add (list, g_utf8_make_valid (PQgetvalue (result, row, 0), -1));
  return result != NULL;
}

/* Whether the server refuses @sql with this SQLSTATE; what it did instead is undone either way. */
static gboolean
is_refused (PGconn *pg, const char *sql, const char *state)
{
  g_autoptr (PGresult) result = NULL;
  gboolean refused;

  if (!plumb_postgres_execute (pg, "SAVEPOINT plumbline", NULL, NULL) || !PQsendQuery (pg, sql))
    return FALSE;
  result = plumb_postgres_next_result (pg, 0, NULL, NULL);
  refused = result != NULL && g_strcmp0 (PQresultErrorField (result, PG_DIAG_SQLSTATE), state) == 0;
  plumb_postgres_drain (pg, 0);
  plumb_postgres_execute (pg, "ROLLBACK TO SAVEPOINT plumbline", NULL, NULL);
  return refused;
}

/* A write must fail as one in a read-only transaction (25006), and making the transaction writable
 * must come too late (25001). */
static void
prove_read_only (PGconn *pg, PlumbAccountProbe *probe)
{
  gboolean no_write = is_refused (pg, "CREATE TABLE plumbline_tries_to_write (a int)", "25006");
  gboolean no_way_out = is_refused (pg, "SET TRANSACTION READ WRITE", "25001");

  probe->read_only_proven = no_write && no_way_out;
  if (probe->read_only_proven)
    probe->read_only_detail = g_strdup (
      "Statements run in a read-only transaction: a write was tried in one, and so was "
      "making it writable; the server refused both.");
  else
    probe->read_only_detail = g_strdup_printf (
      "In a read-only transaction, %s.",
      no_write ? "the server let it be made writable again"
               : "a write was tried (and taken back), and the server did not refuse it");
}

static gboolean
read_session (PGconn *pg, PlumbAccountProbe *probe, GCancellable *cancellable, GError **error)
{
  g_autoptr (PGresult) result = plumb_postgres_ask (
    pg, "SELECT current_user, current_setting('TimeZone'), current_setting('server_encoding')", 0,
    NULL, cancellable, error);

  if (result == NULL)
    return FALSE;
  probe->account = g_utf8_make_valid (PQgetvalue (result, 0, 0), -1);
  probe->time_zone = g_strdup (PQgetvalue (result, 0, 1));
  probe->encoding = g_strdup (PQgetvalue (result, 0, 2));
  probe->version = g_strdup (PQparameterStatus (pg, "server_version") ?: "");
  probe->version[strcspn (probe->version, " ")] = '\0';
  return TRUE;
}

/**
 * plumb_postgres_probe:
 * @connection: with a transaction open
 *
 * Returns: (transfer full): what the account may do, and whether reading is all that it can do
 * here; %NULL with an error
 */
PlumbAccountProbe *
plumb_postgres_probe (PlumbPostgresConnection *connection, GCancellable *cancellable,
                      GError **error)
{
  g_autoptr (PlumbAccountProbe) probe = plumb_account_probe_new ();
  PGconn *pg = connection->pg;

  if (!read_session (pg, probe, cancellable, error) ||
      !ask_list (pg, superuser_question, probe->superuser_rights, cancellable, error) ||
      !ask_list (pg, write_question, probe->write_rights, cancellable, error) ||
      !plumb_postgres_count_tables (pg, &probe->n_tables, &probe->n_selectable, cancellable, error))
    return NULL;
  prove_read_only (pg, probe);
  return g_steal_pointer (&probe);
}
