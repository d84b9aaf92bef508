/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-clickhouse-private.h"

#include <string.h>

/* The server has nothing that counts changes of its catalog and costs less than asking it. A
 * function of users can't take a built-in name there (CREATE FUNCTION of its manual), so that what
 * is kept for half a minute, as for PostgreSQL, is which tables and views there are and what they
 * stand for. */
#define GENERATION ""

/* Engines that only hold rows. What isn't here reads files, other servers or other tables when it
 * is read, or takes rows away (a queue). Families are named by how their names end or begin. */
static const char *const harmless_engines[] = {
  "Memory",
  "Log",
  "TinyLog",
  "StripeLog",
  "Set",
  "Join",
  "View",
  "MaterializedView",
  "Null",
  "Dictionary",
  "Distributed",
  "EmbeddedRocksDB",
  "GenerateRandom",
  NULL,
};

/* Operators and parentheses of a statement; the server itself takes no expression that is 1,000 deep. */
#define MOST_OPERATORS 20000

typedef struct {
  PlumbSource *source;
  PlumbClickhouseServer *server;
  PlumbSourceLookups *lookups;
  GPtrArray *kept;
  GCancellable *cancellable;
  GError *error;
} Check;

/* The lines of the answer; %NULL where it couldn't be asked. */
static GStrv
ask (Check *self, const char *sql)
{
  g_autoptr (GPtrArray) lines = NULL;
  GStrv answer;

  if (self->error != NULL)
    return NULL;
  answer = plumb_source_lookups_find (self->lookups, GENERATION, sql);
  if (answer != NULL)
    return answer;
  lines = plumb_clickhouse_ask (self->source, self->server, sql, self->cancellable, &self->error);
  if (lines == NULL)
    return NULL;
  g_ptr_array_add (lines, NULL);
  plumb_source_lookups_keep (self->lookups, GENERATION, sql, (const char *const *) lines->pdata);
  return g_strdupv ((char **) lines->pdata);
}

static char *
ask_one (Check *self, const char *sql)
{
  g_auto (GStrv) lines = ask (self, sql);
  g_autoptr (GString) buffer = g_string_new (NULL);

  if (lines == NULL || lines[0] == NULL)
    return NULL;
  return g_utf8_make_valid (plumb_clickhouse_unescape (lines[0], strlen (lines[0]), buffer)->str,
                            -1);
}

/* Old versions have no functions of users; new ones say where a function comes from. */
static GPtrArray *
find_objects (PlumbObjectKind kind, const char *schema, const char *name, gpointer user_data)
{
  Check *self = user_data;
  g_autofree char *quoted = plumb_sql_quote_string (PLUMB_DIALECT_CLICKHOUSE,
                                                    name != NULL ? name : "");
  g_autofree char *sql = NULL;
  g_auto (GStrv) lines = NULL;
  GPtrArray *objects;

  if (kind != PLUMB_OBJECT_FUNCTION || self->error != NULL ||
      !plumb_clickhouse_has_column (self->server, "functions", "origin"))
    return NULL;
  sql = g_strdup_printf (
    "SELECT name FROM system.functions WHERE origin <> 'System' AND (name = %s OR %d)", quoted,
    name == NULL);
  lines = ask (self, sql);
  objects = g_ptr_array_new_with_free_func ((GDestroyNotify) plumb_user_object_free);
  g_ptr_array_add (self->kept, objects);
  for (guint i = 0; lines != NULL && lines[i] != NULL; i++)
    g_ptr_array_add (objects, plumb_user_object_new ("", lines[i]));
  return objects;
}

/* Where a quoted text ends, the closing quote itself or the end of all text. */
static const char *
skip_quoted (const char *at)
{
  char quote = *at;

  for (at++; *at != '\0' && *at != quote; at++)
    at += *at == '\\' && at[1] != '\0' ? 1 : 0;
  return at;
}

/* Old versions read a chain of operators by calling themselves for each of them, and the whole
 * server dies of a stack that is full; 60,000 were enough for 18.16. */
static gboolean
has_too_many_operators (const char *sql)
{
  guint n = 0;

  for (const char *at = sql; *at != '\0'; at++) {
    if (*at == '`' || *at == '"' || *at == '\'') {
      at = skip_quoted (at);
      if (*at == '\0')
        break;
    } else if (strchr ("+-*/%=<>|?:([", *at) != NULL ||
               g_ascii_strncasecmp (at, " and ", 5) == 0 ||
               g_ascii_strncasecmp (at, " or ", 4) == 0) {
      n++;
    }
  }
  return n > MOST_OPERATORS;
}

/* The text behind AS of CREATE VIEW, where AS stands outside of quotes and parentheses. */
static char *
find_select (const char *create_sql)
{
  int depth = 0;

  for (const char *at = create_sql; *at != '\0'; at++) {
    if (*at == '`' || *at == '"' || *at == '\'') {
      at = skip_quoted (at);
      if (*at == '\0')
        return NULL;
    } else if (*at == '(' || *at == ')') {
      depth += *at == '(' ? 1 : -1;
    } else if (depth == 0 && g_ascii_strncasecmp (at, " AS ", 4) == 0) {
      return g_strdup (at + 4);
    }
  }
  return NULL;
}

static char *
get_view_definition (const char *schema, const char *name, gpointer user_data)
{
  Check *self = user_data;
  gboolean has_select = plumb_clickhouse_has_column (self->server, "tables", "as_select");
  g_autofree char *quoted_schema = plumb_sql_quote_string (PLUMB_DIALECT_CLICKHOUSE,
                                                           schema != NULL ? schema : "");
  g_autofree char *quoted_name = plumb_sql_quote_string (PLUMB_DIALECT_CLICKHOUSE, name);
  g_autofree char *sql = g_strdup_printf (
    "SELECT %s FROM system.tables WHERE database = %s AND name = %s",
    has_select ? "as_select" : "create_table_query", quoted_schema, quoted_name);
  g_autofree char *text = ask_one (self, sql);

  if (text == NULL || *text == '\0')
    return NULL;
  return has_select ? g_steal_pointer (&text) : find_select (text);
}

static PlumbObjectVerdict
check_relation (const char *schema, const char *name, gpointer user_data)
{
  Check *self = user_data;
  g_autofree char *quoted_schema = plumb_sql_quote_string (PLUMB_DIALECT_CLICKHOUSE,
                                                           schema != NULL ? schema : "");
  g_autofree char *quoted_name = plumb_sql_quote_string (PLUMB_DIALECT_CLICKHOUSE, name);
  g_autofree char *sql = g_strdup_printf (
    "SELECT engine FROM system.tables WHERE database = %s AND name = %s", quoted_schema,
    quoted_name);
  g_autofree char *engine = ask_one (self, sql);

  if (engine == NULL)
    return PLUMB_OBJECT_HARMFUL;
  if (g_strv_contains (harmless_engines, engine) || g_str_has_suffix (engine, "MergeTree") ||
      g_str_has_prefix (engine, "System"))
    return PLUMB_OBJECT_HARMLESS;
  return PLUMB_OBJECT_HARMFUL;
}

/** plumb_clickhouse_check: Returns: (transfer full): the statement check's verdict, with all that
 * the server can tell about it; %NULL with an error where it couldn't be asked */
PlumbStatement *
plumb_clickhouse_check (PlumbSource *source, PlumbClickhouseServer *server,
                        PlumbSourceLookups *lookups, const char *sql, PlumbCatalog *catalog,
                        GCancellable *cancellable, GError **error)
{
  Check self = { source, server, lookups,
                 g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref), cancellable,
                 NULL };
  const PlumbSourceUri *address = plumb_source_get_address (source);
  PlumbCheckContext context = {
    .catalog = catalog,
    .default_schema = address->path != NULL ? address->path : "default",
    .find_objects = find_objects,
    .get_view_definition = get_view_definition,
    .check_relation = check_relation,
    .user_data = &self,
  };
  g_autoptr (PlumbStatement) statement = NULL;

  plumb_source_lookups_begin (lookups, GENERATION);
  statement = plumb_statement_check (PLUMB_DIALECT_CLICKHOUSE, sql, -1, &context);
  g_ptr_array_unref (self.kept);
  if (statement->allowed && has_too_many_operators (sql)) {
    statement->allowed = FALSE;
    g_free (statement->reason);
    statement->reason = g_strdup_printf ("The statement has more than %d operators and parentheses, "
                                         "which can bring an old ClickHouse server down. Make it "
                                         "shorter.",
                                         MOST_OPERATORS);
  }
  if (self.error == NULL)
    return g_steal_pointer (&statement);
  g_propagate_error (error, self.error);
  return NULL;
}
