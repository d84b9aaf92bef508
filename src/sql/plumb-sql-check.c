/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-sql-check.h"

#include <string.h>

#include "plumb-sql-parser.h"
#include "plumb-sql-postgres.h"

/* More than any table has; without a catalog a name can count for many tables. */
#define MAX_COLUMNS 100000
#define MAX_COLUMNS_READ 2000000

/** sql_check_fail: keeps the first reason for which the statement is refused */
void
sql_check_fail (SqlCheck *self, const char *format, ...)
{
  va_list arguments;

  if (self->reason != NULL)
    return;
  va_start (arguments, format);
  self->reason = g_strdup_vprintf (format, arguments);
  va_end (arguments);
}

/** sql_check_failed: Returns: whether the statement is refused */
gboolean
sql_check_failed (SqlCheck *self)
{
  return self->reason != NULL;
}

/** sql_check_warn: keeps what can't be decided, once */
void
sql_check_warn (SqlCheck *self, const char *format, ...)
{
  g_autofree char *warning = NULL;
  va_list arguments;

  if (self->quiet > 0 || self->statement->warnings->len > 50)
    return;
  va_start (arguments, format);
  warning = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  if (!g_ptr_array_find_with_equal_func (self->statement->warnings, warning, g_str_equal, NULL))
    g_ptr_array_add (self->statement->warnings, g_steal_pointer (&warning));
}

/** sql_check_same_name: Returns: whether two names of tables, aliases or schemas are one to the
 * engine */
gboolean
sql_check_same_name (SqlCheck *self, const char *a, const char *b)
{
  switch (self->dialect) {
  case PLUMB_DIALECT_SQLITE:
    return g_ascii_strcasecmp (a, b) == 0;
  case PLUMB_DIALECT_SQLSERVER:
  case PLUMB_DIALECT_GENERIC:
    return sql_check_same_column (self, a, b);
  case PLUMB_DIALECT_POSTGRES:
  case PLUMB_DIALECT_MARIADB:
  case PLUMB_DIALECT_CLICKHOUSE:
  case PLUMB_DIALECT_ORACLE:
  default:
    return strcmp (a, b) == 0;
  }
}

/** sql_check_same_column: Returns: whether two names of columns are one to the engine */
gboolean
sql_check_same_column (SqlCheck *self, const char *a, const char *b)
{
  g_autofree char *folded_a = NULL;
  g_autofree char *folded_b = NULL;

  if (strcmp (a, b) == 0)
    return TRUE;
  switch (self->dialect) {
  case PLUMB_DIALECT_SQLITE:
    return g_ascii_strcasecmp (a, b) == 0;
  case PLUMB_DIALECT_MARIADB:
  case PLUMB_DIALECT_SQLSERVER:
  case PLUMB_DIALECT_GENERIC:
    if (g_str_is_ascii (a) && g_str_is_ascii (b))
      return g_ascii_strcasecmp (a, b) == 0;
    folded_a = g_utf8_casefold (a, -1);
    folded_b = g_utf8_casefold (b, -1);
    return strcmp (folded_a, folded_b) == 0;
  case PLUMB_DIALECT_POSTGRES:
  case PLUMB_DIALECT_CLICKHOUSE:
  case PLUMB_DIALECT_ORACLE:
  default:
    return FALSE;
  }
}

/** sql_check_fold_column: Returns: (transfer none): @name in the form in which equal names are
 * equal */
const char *
sql_check_fold_column (SqlCheck *self, const char *name)
{
  g_autofree char *folded = NULL;

  switch (self->dialect) {
  case PLUMB_DIALECT_SQLITE:
    folded = g_ascii_strdown (name, -1);
    break;
  case PLUMB_DIALECT_MARIADB:
  case PLUMB_DIALECT_SQLSERVER:
  case PLUMB_DIALECT_GENERIC:
    folded = g_utf8_casefold (name, -1);
    break;
  case PLUMB_DIALECT_POSTGRES:
  case PLUMB_DIALECT_CLICKHOUSE:
  case PLUMB_DIALECT_ORACLE:
  default:
    return name;
  }
  return sql_arena_strdup (self->arena, folded);
}

/** sql_check_new_index: Returns: (transfer none): an empty table that lives as long as the check */
GHashTable *
sql_check_new_index (SqlCheck *self, GHashFunc hash, GEqualFunc equal)
{
  GHashTable *index = g_hash_table_new (hash, equal);

  if (self->indexes == NULL)
    self->indexes = g_ptr_array_new_with_free_func ((GDestroyNotify) g_hash_table_unref);
  g_ptr_array_add (self->indexes, index);
  return index;
}

/* The number of the table among @tables, where it is added if it isn't there yet. */
static int
find_or_add_table (SqlCheck *self, GPtrArray *tables, GHashTable **index, const char *schema,
                   const char *table)
{
  g_autofree char *key = plumb_table_name_join (NULL, schema, table);
  PlumbSqlTable *added;
  guint number;

  if (*index == NULL)
    *index = sql_check_new_index (self, g_str_hash, g_str_equal);
  number = GPOINTER_TO_UINT (g_hash_table_lookup (*index, key));
  if (number > 0)
    return number - 1;
  added = g_new0 (PlumbSqlTable, 1);
  added->schema = g_strdup (schema);
  added->table = g_strdup (table);
  g_ptr_array_add (tables, added);
  g_hash_table_insert (*index, (gpointer) sql_arena_strdup (self->arena, key),
                       GUINT_TO_POINTER (tables->len));
  return tables->len - 1;
}

/** sql_check_add_table: Returns: the number of the table among those that the statement reads; -1
 *  inside of a view, whose tables are its own and are kept apart */
int
sql_check_add_table (SqlCheck *self, const char *schema, const char *table)
{
  if (self->quiet == 0)
    return find_or_add_table (self, self->statement->tables, &self->tables, schema, table);
  find_or_add_table (self, self->statement->behind, &self->behind, schema, table);
  return -1;
}

/** sql_check_add_column: keeps that a column is read; "*" for all of them */
void
sql_check_add_column (SqlCheck *self, int table, const char *column)
{
  PlumbSqlTable *named;
  PlumbSqlColumn *added;
  g_autofree char *key = NULL;

  if (self->quiet > 0 || table < 0)
    return;
  if (++self->n_columns_read > MAX_COLUMNS_READ)
    sql_check_fail (
        self,
        "The statement names too many columns of too many tables. Write the tables before them.");
  if (sql_check_failed (self))
    return;
  key = g_strdup_printf ("%d.%s", table, column);
  if (self->columns == NULL)
    self->columns = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  if (!g_hash_table_add (self->columns, g_steal_pointer (&key)))
    return;
  if (self->statement->columns->len >= MAX_COLUMNS) {
    sql_check_fail (self, "The statement reads more than %d columns.", MAX_COLUMNS);
    return;
  }
  named = g_ptr_array_index (self->statement->tables, table);
  added = g_new0 (PlumbSqlColumn, 1);
  added->schema = g_strdup (named->schema);
  added->table = g_strdup (named->table);
  added->column = g_strdup (column);
  g_ptr_array_add (self->statement->columns, added);
}

/** sql_check_query: walks @query, the whole of a statement */
void
sql_check_query (SqlCheck *self, SqlQuery *query)
{
  sql_walk_query (self, query, NULL, NULL);
}

/* A view's text can begin with CREATE VIEW … AS, as SQLite, SQL Server and ClickHouse keep it.
 * Names in quotes and comments can hold these words too, so tokens are looked at. */
static const char *
skip_create_view (SqlCheck *self, const char *text, char **reason)
{
  static const char *const starts[] = { "SELECT", "WITH", "VALUES", "(", "FROM", NULL };
  SqlTokens tokens;
  guint depth = 0;

  if (!sql_tokenize (self->arena, self->dialect, self->context, text, strlen (text), &tokens,
                     reason))
    return NULL;
  if (strcmp (tokens.items[0].upper, "CREATE") != 0 &&
      strcmp (tokens.items[0].upper, "ATTACH") != 0)
    return text;
  for (guint i = 0; i + 1 < tokens.n; i++) {
    const char *upper = tokens.items[i].upper;

    if (*upper == '(')
      depth++;
    else if (*upper == ')' && depth > 0)
      depth--;
    else if (depth == 0 && strcmp (upper, "AS") == 0 &&
             g_strv_contains (starts, tokens.items[i + 1].upper))
      return text + tokens.items[i + 1].start;
  }
  *reason = g_strdup ("Its text holds no SELECT.");
  return NULL;
}

/**
 * sql_check_view_text:
 * @name: the view, for a reason
 * @text: what it stands for
 *
 * Checks that reading the view does nothing that a statement may not do.
 */
void
sql_check_view_text (SqlCheck *self, const char *name, const char *text)
{
  g_autofree char *reason = NULL;
  const char *select = skip_create_view (self, text, &reason);
  guint text_end = 0;
  SqlQuery *query = NULL;

  if (select != NULL && self->dialect == PLUMB_DIALECT_POSTGRES)
    query = sql_parse_postgres (self->arena, select, strlen (select), &text_end, &reason);
  else if (select != NULL)
    query = sql_parse (self->arena, self->dialect, self->context, select, strlen (select),
                       &text_end, &reason);
  if (query == NULL) {
    sql_check_fail (self, "The view %s can't be checked: %s", name, reason);
    return;
  }
  self->quiet++;
  sql_check_query (self, query);
  self->quiet--;
  if (self->reason != NULL && !g_str_has_prefix (self->reason, "The view ")) {
    g_autofree char *inner = g_steal_pointer (&self->reason);

    sql_check_fail (self, "The view %s isn't harmless to read: %s", name, inner);
  }
}
