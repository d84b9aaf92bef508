/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-mariadb-private.h"

#include <string.h>

/* One check. What it has to ask goes over a connection that the source has open, in a transaction
 * that is begun when there is something to ask. */
typedef struct {
  PlumbMariadbConnection *connection;
  PlumbSourceLookups *lookups;
  const char *generation;
  GCancellable *cancellable;
  const char *database; /* where a name without one is looked for */
  gboolean begun;
  GPtrArray *kept;
  GError *error;
} Check;

static GStrv
ask_server (Check *self, const char *sql)
{
  g_autoptr (PlumbMariadbResult) result = NULL;
  g_autoptr (GStrvBuilder) cells = g_strv_builder_new ();
  MYSQL_ROW row;

  if (!self->begun) {
    self->begun = TRUE;
    if (!plumb_mariadb_begin (self->connection, 0, self->cancellable, &self->error))
      return NULL;
  }
  result = plumb_mariadb_ask (self->connection, sql, &self->error);
  if (result == NULL)
    return NULL;
  while ((row = mysql_fetch_row (result)) != NULL) {
    for (guint i = 0; i < mysql_num_fields (result); i++)
      g_strv_builder_add (cells, row[i] != NULL ? row[i] : "");
  }
  return g_strv_builder_end (cells);
}

/* All cells of the answer, row by row, NULL as an empty one; %NULL where it couldn't be asked. */
static GStrv
ask (Check *self, const char *sql)
{
  GStrv answer;

  if (self->error != NULL)
    return NULL;
  answer = plumb_source_lookups_find (self->lookups, self->generation, sql);
  if (answer != NULL)
    return answer;
  answer = ask_server (self, sql);
  if (answer != NULL)
    plumb_source_lookups_keep (self->lookups, self->generation, sql, (const char *const *) answer);
  return answer;
}

/* The transaction sets the mode that this is written for. */
static char *
quote (const char *text)
{
  return plumb_sql_quote_string (PLUMB_DIALECT_MARIADB, text != NULL ? text : "");
}

/* A function of users that the account can call. Its arguments don't tell two apart: names are
 * unique in a database, and all that they take is converted. */
static GPtrArray *
find_objects (PlumbObjectKind kind, const char *schema, const char *name, gpointer user_data)
{
  Check *self = user_data;
  g_autofree char *quoted = quote (name);
  g_autofree char *sql = NULL;
  g_auto (GStrv) cells = NULL;
  GPtrArray *objects;

  if (kind != PLUMB_OBJECT_FUNCTION)
    return NULL;
  sql = g_strdup_printf (
    "SELECT ROUTINE_SCHEMA, ROUTINE_NAME FROM information_schema.ROUTINES "
    "WHERE ROUTINE_TYPE = 'FUNCTION' AND ROUTINE_SCHEMA <> 'sys' AND %s = LOWER(%s)",
    name != NULL ? "LOWER(ROUTINE_NAME)" : "''", quoted);
  cells = ask (self, sql);
  objects = g_ptr_array_new_with_free_func ((GDestroyNotify) plumb_user_object_free);
  g_ptr_array_add (self->kept, objects);
  for (guint i = 0; cells != NULL && cells[i] != NULL; i += 2) {
    if (schema != NULL ? strcmp (schema, cells[i]) == 0
                       : self->database == NULL ||
                           g_ascii_strcasecmp (self->database, cells[i]) == 0)
      g_ptr_array_add (objects, plumb_user_object_new (cells[i], cells[i + 1]));
  }
  return objects;
}

/* The server shows what stands behind a view to who has the right SHOW VIEW. */
static char *
get_view_definition (const char *schema, const char *name, gpointer user_data)
{
  g_autofree char *quoted_schema = quote (schema);
  g_autofree char *quoted_name = quote (name);
  g_autofree char *sql = g_strdup_printf ("SELECT VIEW_DEFINITION FROM information_schema.VIEWS "
                                          "WHERE TABLE_SCHEMA = %s AND TABLE_NAME = %s",
                                          quoted_schema, quoted_name);
  g_auto (GStrv) cells = ask (user_data, sql);

  return cells != NULL && cells[0] != NULL && cells[0][0] != '\0' ? g_utf8_make_valid (cells[0], -1)
                                                                  : NULL;
}

static PlumbObjectVerdict
check_relation (const char *schema, const char *name, gpointer user_data)
{
  g_autofree char *quoted_schema = quote (schema);
  g_autofree char *quoted_name = quote (name);
  g_autofree char *sql = g_strdup_printf (
    "SELECT 1 FROM information_schema.TABLES WHERE TABLE_SCHEMA = %s AND TABLE_NAME = %s "
    "AND UPPER(ENGINE) IN (" PLUMB_MARIADB_FOREIGN_ENGINES ")",
    quoted_schema, quoted_name);
  g_auto (GStrv) cells = ask (user_data, sql);

  return cells != NULL && cells[0] == NULL ? PLUMB_OBJECT_HARMLESS : PLUMB_OBJECT_HARMFUL;
}

/**
 * plumb_mariadb_check:
 * @lookups: what is known of the server already
 * @generation: of plumb_mariadb_read_generation(), read on @connection for this check
 * @begun: (out): whether a transaction was begun on @connection
 *
 * Returns: (transfer full): the statement check's verdict, with all that the server can tell about
 *   it; %NULL with an error where it couldn't be asked
 */
PlumbStatement *
plumb_mariadb_check (PlumbMariadbConnection *connection, PlumbSourceLookups *lookups,
                     const char *generation, const char *sql, PlumbCatalog *catalog,
                     GCancellable *cancellable, gboolean *begun, GError **error)
{
  Check self = { .connection = connection, .lookups = lookups, .generation = generation,
                 .cancellable = cancellable };
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
  g_autoptr (PlumbStatement) statement = NULL;

  self.database = address->path;
  self.kept = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);
  plumb_source_lookups_begin (lookups, generation);
  statement = plumb_statement_check (PLUMB_DIALECT_MARIADB, sql, -1, &context);
  g_ptr_array_unref (self.kept);
  *begun = self.begun;
  if (self.error == NULL)
    return g_steal_pointer (&statement);
  g_propagate_error (error, self.error);
  return NULL;
}
