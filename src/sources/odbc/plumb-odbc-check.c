/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-odbc-private.h"

#include <string.h>

/* One check, and what was asked for it. */
typedef struct {
  PlumbOdbcConnection *connection;
  PlumbDialect dialect;
  GPtrArray *kept;
  GError *error;
} Check;

static PlumbOdbcRows *
ask (Check *self, const char *sql)
{
  return self->error == NULL ? plumb_odbc_ask (self->connection, sql, &self->error) : NULL;
}

/* Like ask(), for what not every server has or lets everyone read: then nothing is known. */
static PlumbOdbcRows *
ask_if_there (Check *self, const char *sql)
{
  g_autoptr (PlumbOdbcRows) rows = ask (self, sql);

  if (rows == NULL &&
      (g_error_matches (self->error, PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_STATEMENT) ||
       g_error_matches (self->error, PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_DENIED)))
    g_clear_error (&self->error);
  return g_steal_pointer (&rows);
}

static char *
quote (Check *self, const char *text)
{
  return plumb_sql_quote_string (self->dialect, text != NULL ? text : "");
}

/* PostgreSQL: what users made, without asking what it takes: any use of such a name counts as a use
 * of it. Enumerated types run nothing; an argument of a cast is the type that it takes. */
static const char *const postgres_objects[] = {
  [PLUMB_OBJECT_FUNCTION] =
    "SELECT n.nspname, p.proname, NULL, 0, 0 FROM pg_catalog.pg_proc p "
    "JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace",
  [PLUMB_OBJECT_OPERATOR] =
    "SELECT n.nspname, o.oprname, NULL, 0, 0 FROM pg_catalog.pg_operator o "
    "JOIN pg_catalog.pg_namespace n ON n.oid = o.oprnamespace",
  [PLUMB_OBJECT_CAST] =
    "SELECT 'users', pg_catalog.format_type(c.casttarget, NULL), "
    "pg_catalog.format_type(c.castsource, NULL), (c.castcontext = 'i')::int, 0 "
    "FROM pg_catalog.pg_cast c WHERE c.oid >= 16384",
  [PLUMB_OBJECT_TYPE] =
    "SELECT n.nspname, t.typname, NULL, 0, (t.typtype = 'e')::int FROM pg_catalog.pg_type t "
    "JOIN pg_catalog.pg_namespace n ON n.oid = t.typnamespace",
};

static char *
object_question (Check *self, PlumbObjectKind kind, const char *schema, const char *name)
{
  static const char *const name_columns[] = {
    [PLUMB_OBJECT_FUNCTION] = "p.proname", [PLUMB_OBJECT_OPERATOR] = "o.oprname",
    [PLUMB_OBJECT_CAST] = NULL, [PLUMB_OBJECT_TYPE] = "t.typname",
  };
  g_autoptr (GString) sql = g_string_new (postgres_objects[kind]);

  if (kind == PLUMB_OBJECT_CAST)
    return g_string_free (g_steal_pointer (&sql), FALSE);
  g_string_append (sql, " WHERE n.nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast')");
  if (schema != NULL) {
    g_autofree char *quoted = quote (self, schema);

    g_string_append_printf (sql, " AND n.nspname = %s", quoted);
  }
  if (name != NULL) {
    g_autofree char *quoted = quote (self, name);

    g_string_append_printf (sql, " AND %s = %s", name_columns[kind], quoted);
  }
  return g_string_free (g_steal_pointer (&sql), FALSE);
}

/* Of the other engines no object of a user is let through, so none has to be asked for: what isn't
 * the engine's own is refused by its name. */
static GPtrArray *
find_objects (PlumbObjectKind kind, const char *schema, const char *name, gpointer user_data)
{
  Check *self = user_data;
  GPtrArray *objects = g_ptr_array_new_with_free_func ((GDestroyNotify) plumb_user_object_free);
  g_autoptr (PlumbOdbcRows) rows = NULL;
  g_autofree char *sql = NULL;

  g_ptr_array_add (self->kept, objects);
  if (self->connection->engine != PLUMB_ODBC_POSTGRES)
    return objects;
  sql = object_question (self, kind, schema, name);
  rows = ask (self, sql);
  for (guint i = 0; rows != NULL && i < rows->rows->len; i++) {
    PlumbUserObject *object = plumb_user_object_new (plumb_odbc_rows_get (rows, i, 0),
                                                     plumb_odbc_rows_get (rows, i, 1));
    const char *argument = plumb_odbc_rows_get (rows, i, 2);
    const char *arguments[] = { argument, NULL };

    object->arguments = argument != NULL ? g_strdupv ((GStrv) arguments) : NULL;
    object->implicit = g_strcmp0 (plumb_odbc_rows_get (rows, i, 3), "1") == 0;
    if (g_strcmp0 (plumb_odbc_rows_get (rows, i, 4), "1") == 0)
      object->verdict = PLUMB_OBJECT_HARMLESS;
    g_ptr_array_add (objects, object);
  }
  return objects;
}

/* The text behind AS of CREATE VIEW; what stands in quotes, comments and parentheses is stepped
 * over. NULL where it isn't found, which refuses the view. */
static char *
find_select (const char *create)
{
  int depth = 0;

  for (const char *at = create; *at != '\0'; at++) {
    const char *end = NULL;

    if (strchr ("\"'`[", *at) != NULL)
      end = strchr (at + 1, *at == '[' ? ']' : *at);
    else if (g_str_has_prefix (at, "--"))
      end = strchr (at, '\n');
    else if (g_str_has_prefix (at, "/*") && (end = strstr (at + 2, "*/")) != NULL)
      end++;
    else if (*at == '(' || *at == ')')
      depth += *at == '(' ? 1 : -1;
    else if (depth == 0 && at > create && g_ascii_strncasecmp (at, "as", 2) == 0 &&
             (g_ascii_isspace (at[-1]) || at[-1] == ')') &&
             (g_ascii_isspace (at[2]) || strchr ("(-/", at[2]) != NULL))
      return g_strdup (at + 2);
    if (end == NULL && (strchr ("\"'`[", *at) != NULL || g_str_has_prefix (at, "--") ||
                        g_str_has_prefix (at, "/*")))
      return NULL;
    at = end != NULL ? end : at;
  }
  return NULL;
}

static char *
view_question (Check *self, const char *schema, const char *name)
{
  switch (self->connection->engine) {
  case PLUMB_ODBC_POSTGRES:
    return g_strdup_printf (
      "SELECT pg_catalog.pg_get_viewdef(c.oid) FROM pg_catalog.pg_class c "
      "JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace "
      "WHERE n.nspname = %s AND c.relname = %s AND c.relkind IN ('v', 'm')",
      schema, name);
  case PLUMB_ODBC_SQLITE:
    return g_strdup_printf ("SELECT sql FROM sqlite_master WHERE type = 'view' AND name = %s",
                            name);
  case PLUMB_ODBC_ORACLE:
  case PLUMB_ODBC_TIBERO:
    return g_strdup_printf (
      "SELECT TEXT FROM ALL_VIEWS WHERE OWNER = %s AND VIEW_NAME = %s", schema, name);
  case PLUMB_ODBC_SQLSERVER:
    return g_strdup_printf (
      "SELECT m.definition FROM sys.sql_modules m JOIN sys.objects o ON o.object_id = m.object_id "
      "JOIN sys.schemas s ON s.schema_id = o.schema_id WHERE s.name = %s AND o.name = %s",
      schema, name);
  case PLUMB_ODBC_GENERIC:
  default:
    return g_strdup_printf (
      "SELECT VIEW_DEFINITION FROM INFORMATION_SCHEMA.VIEWS WHERE TABLE_SCHEMA = %s "
      "AND TABLE_NAME = %s",
      schema, name);
  }
}

static char *
get_view_definition (const char *schema, const char *name, gpointer user_data)
{
  Check *self = user_data;
  g_autofree char *quoted_schema = quote (self, schema);
  g_autofree char *quoted_name = quote (self, name);
  g_autofree char *sql = view_question (self, quoted_schema, quoted_name);
  g_autoptr (PlumbOdbcRows) rows = ask_if_there (self, sql);
  const char *text = rows != NULL && rows->rows->len == 1 ? plumb_odbc_rows_get (rows, 0, 0) : NULL;

  while (text != NULL && g_ascii_isspace (*text))
    text++;
  if (text == NULL || *text == '\0')
    return NULL;
  return g_ascii_strncasecmp (text, "create", 6) == 0 ? find_select (text) : g_strdup (text);
}

/* Something that runs code when the table is read: a policy, or a module of a virtual table that
 * reaches out. A row is given where there is one. */
static char *
relation_question (Check *self, const char *schema, const char *name)
{
  switch (self->connection->engine) {
  case PLUMB_ODBC_POSTGRES:
    return g_strdup_printf (
      "SELECT 1 FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = "
      "c.relnamespace WHERE n.nspname = %s AND c.relname = %s AND c.relrowsecurity",
      schema, name);
  case PLUMB_ODBC_SQLITE:
    return g_strdup_printf (
      "SELECT 1 FROM sqlite_master WHERE lower(name) = lower(%s) AND type = 'table' "
      "AND lower(sql) LIKE 'create%%virtual%%' AND lower(sql) NOT LIKE '%%using%%fts_%%(%%' "
      "AND lower(sql) NOT LIKE '%%using%%rtree%%(%%'",
      name);
  case PLUMB_ODBC_ORACLE:
  case PLUMB_ODBC_TIBERO:
    return g_strdup_printf (
      "SELECT 1 FROM ALL_POLICIES WHERE OBJECT_OWNER = %s AND OBJECT_NAME = %s AND SEL = 'YES' "
      "AND ENABLE = 'YES'",
      schema, name);
  case PLUMB_ODBC_SQLSERVER:
    return g_strdup_printf (
      "SELECT 1 FROM sys.security_predicates p JOIN sys.objects o ON o.object_id = "
      "p.target_object_id JOIN sys.schemas s ON s.schema_id = o.schema_id "
      "WHERE s.name = %s AND o.name = %s",
      schema, name);
  case PLUMB_ODBC_GENERIC:
  default:
    return NULL;
  }
}

/* An old server has no such policies and so no view of them: that question may fail. */
static PlumbObjectVerdict
check_relation (const char *schema, const char *name, gpointer user_data)
{
  Check *self = user_data;
  g_autofree char *quoted_schema = quote (self, schema);
  g_autofree char *quoted_name = quote (self, name);
  g_autofree char *sql = relation_question (self, quoted_schema, quoted_name);
  g_autoptr (PlumbOdbcRows) rows = sql != NULL ? ask_if_there (self, sql) : NULL;

  return rows != NULL && rows->rows->len > 0 ? PLUMB_OBJECT_HARMFUL : PLUMB_OBJECT_HARMLESS;
}

/* The schemas in which a name without one is looked for, joined by newlines; NULL where only the
 * dialect's usual one can be assumed. */
static char *
ask_search_path (Check *self)
{
  g_autoptr (PlumbOdbcRows) rows = NULL;
  const char *sql = NULL;

  switch (self->connection->engine) {
  case PLUMB_ODBC_POSTGRES:
    sql = "SELECT pg_catalog.array_to_string(pg_catalog.current_schemas(false), E'\\n')";
    break;
  case PLUMB_ODBC_ORACLE:
    /* Not USER: a trigger at logon may have chosen another schema. */
    sql = "SELECT SYS_CONTEXT('USERENV', 'CURRENT_SCHEMA') FROM DUAL";
    break;
  case PLUMB_ODBC_TIBERO:
    sql = "SELECT USER FROM DUAL";
    break;
  case PLUMB_ODBC_SQLSERVER:
    sql = "SELECT SCHEMA_NAME()";
    break;
  case PLUMB_ODBC_SQLITE:
  case PLUMB_ODBC_GENERIC:
  default:
    return NULL;
  }
  rows = ask (self, sql);
  return rows != NULL && rows->rows->len > 0 ? g_strdup (plumb_odbc_rows_get (rows, 0, 0)) : NULL;
}

/**
 * plumb_odbc_check:
 * @connection: with a transaction open
 * @catalog: the source's tables
 *
 * Returns: (transfer full): the statement check's verdict, with what the catalog can tell; what it
 *   can't tell is refused. %NULL with an error where the server couldn't be asked
 */
PlumbStatement *
plumb_odbc_check (PlumbOdbcConnection *connection, const char *sql, PlumbCatalog *catalog,
                  GError **error)
{
  Check self = { connection, plumb_odbc_engine_get_dialect (connection->engine), NULL, NULL };
  PlumbCheckContext context = {
    .catalog = catalog,
    .find_objects = find_objects,
    .get_view_definition = get_view_definition,
    .check_relation = check_relation,
    .user_data = &self,
  };
  g_autofree char *path_text = ask_search_path (&self);
  g_auto (GStrv) path = path_text != NULL ? g_strsplit (path_text, "\n", -1) : NULL;
  g_autoptr (PlumbStatement) statement = NULL;

  self.kept = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);
  context.default_schema = path != NULL ? path[0] : NULL;
  if (connection->engine == PLUMB_ODBC_POSTGRES)
    context.search_path = (const char *const *) path;
  statement = plumb_statement_check (self.dialect, sql, -1, &context);
  g_ptr_array_unref (self.kept);
  if (self.error == NULL)
    return g_steal_pointer (&statement);
  g_propagate_error (error, self.error);
  return NULL;
}
