/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-mariadb-private.h"

#include <string.h>

/* Engines whose tables stand for something outside of the server. */
#define REACHING_OUT \
  "'FEDERATED', 'FEDERATEDX', 'CONNECT', 'SPIDER', 'S3', 'SPHINX', 'OQGRAPH', 'MROONGA'"

/* One check, and what it asked for. Its questions go over the connection that the source has open.
 */
typedef struct {
  PlumbMariadbConnection *connection;
  GPtrArray *kept;
  GError *error;
} Check;

static MYSQL_RES *
ask (Check *self, const char *sql)
{
  return self->error == NULL ? plumb_mariadb_ask (self->connection, sql, &self->error) : NULL;
}

/* A function of users that the account can call. Its arguments don't tell two apart: names are
 * unique in a database, and all that they take is converted. */
static GPtrArray *
find_objects (PlumbObjectKind kind, const char *schema, const char *name, gpointer user_data)
{
  Check *self = user_data;
  g_autofree char *quoted = plumb_mariadb_quote (self->connection, name != NULL ? name : "");
  g_autofree char *sql = NULL;
  g_autoptr (PlumbMariadbResult) result = NULL;
  GPtrArray *objects;
  MYSQL_ROW row;

  if (kind != PLUMB_OBJECT_FUNCTION)
    return NULL;
  sql = g_strdup_printf (
    "SELECT ROUTINE_SCHEMA, ROUTINE_NAME FROM information_schema.ROUTINES "
    "WHERE ROUTINE_TYPE = 'FUNCTION' AND ROUTINE_SCHEMA <> 'sys' AND %s = LOWER(%s)",
    name != NULL ? "LOWER(ROUTINE_NAME)" : "''", quoted);
  result = ask (self, sql);
  objects = g_ptr_array_new_with_free_func ((GDestroyNotify) plumb_user_object_free);
  g_ptr_array_add (self->kept, objects);
  while (result != NULL && (row = mysql_fetch_row (result)) != NULL) {
    if (schema == NULL || strcmp (schema, row[0]) == 0)
      g_ptr_array_add (objects, plumb_user_object_new (row[0], row[1]));
  }
  return objects;
}

/* The server shows what stands behind a view to who has the right SHOW VIEW. */
static char *
get_view_definition (const char *schema, const char *name, gpointer user_data)
{
  Check *self = user_data;
  g_autofree char *quoted_schema = plumb_mariadb_quote (self->connection, schema);
  g_autofree char *quoted_name = plumb_mariadb_quote (self->connection, name);
  g_autofree char *sql = g_strdup_printf ("SELECT VIEW_DEFINITION FROM information_schema.VIEWS "
                                          "WHERE TABLE_SCHEMA = %s AND TABLE_NAME = %s",
                                          quoted_schema, quoted_name);
  g_autoptr (PlumbMariadbResult) result = ask (self, sql);
  MYSQL_ROW row = result != NULL ? mysql_fetch_row (result) : NULL;

  return row != NULL && row[0] != NULL && row[0][0] != '\0' ? g_utf8_make_valid (row[0], -1) : NULL;
}

static PlumbObjectVerdict
check_relation (const char *schema, const char *name, gpointer user_data)
{
  Check *self = user_data;
  g_autofree char *quoted_schema = plumb_mariadb_quote (self->connection,
                                                        schema != NULL ? schema : "");
  g_autofree char *quoted_name = plumb_mariadb_quote (self->connection, name);
  g_autofree char *sql = g_strdup_printf (
    "SELECT 1 FROM information_schema.TABLES WHERE TABLE_SCHEMA = %s AND TABLE_NAME = %s "
    "AND UPPER(ENGINE) IN (" REACHING_OUT ")",
    quoted_schema, quoted_name);
  g_autoptr (PlumbMariadbResult) result = ask (self, sql);

  return result != NULL && mysql_num_rows (result) == 0 ? PLUMB_OBJECT_HARMLESS
                                                        : PLUMB_OBJECT_HARMFUL;
}

/** plumb_mariadb_check: Returns: (transfer full): the statement check's verdict, with all that the
 *   server can tell about it; %NULL with an error where it couldn't be asked */
PlumbStatement *
plumb_mariadb_check (PlumbMariadbConnection *connection, const char *sql, PlumbCatalog *catalog,
                     GError **error)
{
  Check self = { connection, g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref),
                 NULL };
  const PlumbSourceUri *address = plumb_source_get_address (connection->source);
  /* The session's sql_mode is set by Plumbline, without either mode. */
  PlumbCheckContext context = {
    .catalog = catalog,
    .default_schema = address->path,
    .find_objects = find_objects,
    .get_view_definition = get_view_definition,
    .check_relation = check_relation,
    .user_data = &self,
  };
  g_autoptr (PlumbStatement) statement =
    plumb_statement_check (PLUMB_DIALECT_MARIADB, sql, -1, &context);

  g_ptr_array_unref (self.kept);
  if (self.error == NULL)
    return g_steal_pointer (&statement);
  g_propagate_error (error, self.error);
  return NULL;
}
