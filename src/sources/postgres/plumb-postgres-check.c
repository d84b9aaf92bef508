/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-postgres-check.h"

#include "plumb-postgres-objects.h"

/* One check, and what it has asked for so far. */
typedef struct {
  PlumbPostgresSource *source;
  PlumbPostgresObjects *objects;
  PlumbPostgresConnection *connection; /* begun when first needed */
  PlumbCheckContext context;
  GPtrArray *kept;
  gboolean in_policy;
  GCancellable *cancellable;
  GError *error;
} Check;

static PlumbPostgresConnection *
get_connection (Check *self)
{
  if (self->connection == NULL && self->error == NULL)
    self->connection = plumb_postgres_source_begin (self->source, 0, self->cancellable,
                                                    &self->error);
  return self->connection;
}

static GPtrArray *
find_objects (PlumbObjectKind kind, const char *schema, const char *name, gpointer user_data)
{
  Check *self = user_data;

  return plumb_postgres_objects_find (self->objects, kind, schema, name, self->kept);
}

static char *
ask_view_definition (Check *self, const char *schema, const char *name)
{
  PlumbPostgresConnection *connection = get_connection (self);
  const char *values[] = { schema, name };
  g_autoptr (PGresult) result = NULL;

  if (connection == NULL || self->error != NULL)
    return NULL;
  result = plumb_postgres_ask (
    connection->pg,
    "SELECT pg_get_viewdef(c.oid) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace "
    "WHERE n.nspname = $1 AND c.relname = $2 AND c.relkind IN ('v', 'm')",
    2, values, self->cancellable, &self->error);
  if (result == NULL || PQntuples (result) == 0 || PQgetisnull (result, 0, 0))
    return NULL;
  return g_strdup (PQgetvalue (result, 0, 0));
}

/* Definitions are kept as long as the objects that they are checked with. */
static char *
get_view_definition (const char *schema, const char *name, gpointer user_data)
{
  Check *self = user_data;
  PlumbSourceLookups *views = plumb_postgres_objects_get_views (self->objects);
  g_autofree char *key = g_strconcat (schema, "\001", name, NULL);
  g_auto (GStrv) known = plumb_source_lookups_find (views, NULL, key);
  g_autofree char *definition = NULL;

  if (known != NULL)
    return g_strdup (known[0]);
  definition = ask_view_definition (self, schema, name);
  if (definition != NULL)
    plumb_source_lookups_keep (views, NULL, key, (const char *[]) { definition, NULL });
  return g_steal_pointer (&definition);
}

/* A policy that calls nothing of users can still call what the check refuses: it is checked like
 * the condition of a query on its table. */
static gboolean
policy_is_harmless (Check *self, const char *schema, const char *name, const char *expression)
{
  g_autofree char *quoted_schema = plumb_sql_quote_identifier (PLUMB_DIALECT_POSTGRES, schema);
  g_autofree char *quoted_name = plumb_sql_quote_identifier (PLUMB_DIALECT_POSTGRES, name);
  g_autofree char *sql = g_strdup_printf ("SELECT 1 FROM %s.%s WHERE %s", quoted_schema,
                                          quoted_name, expression);
  g_autoptr (PlumbStatement) statement = NULL;

  self->in_policy = TRUE;
  statement = plumb_statement_check (PLUMB_DIALECT_POSTGRES, sql, -1, &self->context);
  self->in_policy = FALSE;
  return statement->allowed;
}

static PlumbObjectVerdict
check_relation (const char *schema, const char *name, gpointer user_data)
{
  Check *self = user_data;
  GPtrArray *expressions;
  gboolean calls_user_code;

  if (self->in_policy || !plumb_postgres_objects_find_policies (self->objects, schema, name,
                                                                &expressions, &calls_user_code))
    return PLUMB_OBJECT_HARMLESS;
  if (calls_user_code)
    return PLUMB_OBJECT_HARMFUL;
  for (guint i = 0; i < expressions->len; i++) {
    if (!policy_is_harmless (self, schema, name, g_ptr_array_index (expressions, i)))
      return PLUMB_OBJECT_HARMFUL;
  }
  return PLUMB_OBJECT_HARMLESS;
}

/* Takes what was read before, where the server says that it is still so. */
static gboolean
take_known_objects (Check *self)
{
  PlumbPostgresObjects *objects = plumb_postgres_source_dup_objects (self->source);
  g_autofree char *snapshot = NULL;
  gboolean holds = FALSE;

  if (objects == NULL)
    return TRUE;
  snapshot = plumb_postgres_source_dup_snapshot (self->source, self->cancellable);
  holds = plumb_postgres_objects_match (objects, snapshot);
  if (!holds && (get_connection (self) == NULL ||
                 !plumb_postgres_objects_hold (objects, self->connection, &holds,
                                               self->cancellable, &self->error))) {
    plumb_postgres_objects_unref (objects);
    return FALSE;
  }
  if (holds)
    self->objects = objects;
  else
    plumb_postgres_objects_unref (objects);
  return TRUE;
}

/* What the check asks for is there, or has just been read. */
static gboolean
get_ready (Check *self, PlumbCatalog *catalog, PlumbCatalog **own)
{
  PlumbPostgresConnection *connection;

  if (!take_known_objects (self))
    return FALSE;
  if (self->objects == NULL) {
    connection = get_connection (self);
    if (connection != NULL)
      self->objects = plumb_postgres_objects_read (connection, self->cancellable, &self->error);
    if (self->objects == NULL)
      return FALSE;
    plumb_postgres_source_keep_objects (self->source, self->objects);
  }
  if (catalog == NULL) {
    connection = get_connection (self);
    if (connection != NULL)
      *own = plumb_postgres_read_catalog (connection->pg,
                                          plumb_source_get_name (PLUMB_SOURCE (self->source)),
                                          self->cancellable, &self->error);
    catalog = *own;
  }
  self->context.catalog = catalog;
  return catalog != NULL;
}

/**
 * plumb_postgres_check:
 * @sql: one statement
 * @catalog: (nullable): the source's tables, %NULL to read them
 *
 * Returns: (transfer full): the statement check's verdict, with all that the server can tell about
 *   it; %NULL with an error where it couldn't be asked
 */
PlumbStatement *
plumb_postgres_check (PlumbPostgresSource *source, const char *sql, PlumbCatalog *catalog,
                      GCancellable *cancellable, GError **error)
{
  Check self = { .source = source, .cancellable = cancellable };
  g_autoptr (PlumbCatalog) own = NULL;
  g_autoptr (PlumbStatement) statement = NULL;

  self.kept = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);
  self.context = (PlumbCheckContext) {
    .find_objects = find_objects,
    .get_view_definition = get_view_definition,
    .check_relation = check_relation,
    .user_data = &self,
  };
  if (get_ready (&self, catalog, &own)) {
    self.context.search_path = plumb_postgres_objects_get_search_path (self.objects);
    self.context.default_schema = self.context.search_path[0];
    statement = plumb_statement_check (PLUMB_DIALECT_POSTGRES, sql, -1, &self.context);
    if (statement->allowed)
      plumb_postgres_source_remember (source, statement->text, self.objects);
  }
  g_ptr_array_unref (self.kept);
  g_clear_pointer (&self.objects, plumb_postgres_objects_unref);
  if (self.connection != NULL)
    plumb_postgres_source_finish (source, self.connection, self.error == NULL, &self.error);
  if (self.error == NULL)
    return g_steal_pointer (&statement);
  g_propagate_error (error, self.error);
  return NULL;
}
