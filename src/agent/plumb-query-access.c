/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-query-runner.h"

#include "plumb-names.h"

/* How many readable columns a refusal names. */
#define MAX_COLUMNS_NAMED 30

/* A copy or a partition of a table that the role hides is hidden too. */
static gboolean
check_original (const PlumbQuery *query, const PlumbSqlTable *table, GError **error)
{
  g_autoptr (PlumbCard) card =
      plumb_index_get_card (plumb_workspace_get_index (query->workspace), query->database,
                            table->schema, table->table, NULL);
  g_autofree char *original =
      card != NULL ? plumb_workspace_find_hidden_original (query->workspace, card) : NULL;
  g_autofree char *full = NULL;

  if (original == NULL)
    return TRUE;
  full = plumb_table_name_join (query->database, table->schema, table->table);
  g_set_error (error, PLUMB_ERROR, PLUMB_ERROR_NO_PERMISSION,
               "There is no permission to read the table %s: it holds rows of %s, which the access "
               "role hides in whole or in part.", full, original);
  return FALSE;
}

/* Whether the role may read a table that the statement names. What isn't in the catalog is one of
 * the engine's own tables, which tell of every other: a role can't be held against those. */
static gboolean
check_table (const PlumbQuery *query, const PlumbSqlTable *table, PlumbCatalog *catalog,
             GError **error)
{
  g_autofree char *full = NULL;
  const char *role = plumb_access_get_role (plumb_workspace_get_access (query->workspace));

  if (role == NULL)
    return TRUE;
  full = plumb_table_name_join (query->database, table->schema, table->table);
  if (table->schema == NULL || plumb_catalog_find (catalog, table->schema, table->table) == NULL) {
    g_set_error (error, PLUMB_ERROR, PLUMB_ERROR_NO_PERMISSION,
                 "There is no permission to read %s: the access role “%s” can't be held against "
                 "it, since it is none of the database's known tables.",
                 full, role);
    return FALSE;
  }
  if (plumb_workspace_allows (query->workspace, query->database, table->schema, table->table))
    return check_original (query, table, error);
  g_set_error (error, PLUMB_ERROR, PLUMB_ERROR_NO_PERMISSION,
               "There is no permission to read the table %s.", full);
  return FALSE;
}

/* A view shows what it reads under other names. Where that is a table which the role hides, or one
 * of whose columns it hides, the view is hidden too. */
static gboolean
check_behind (const PlumbQuery *query, const PlumbSqlTable *table, GError **error)
{
  PlumbAccess *access = plumb_workspace_get_access (query->workspace);
  g_autofree char *full = NULL;

  if (plumb_access_get_role (access) == NULL)
    return TRUE;
  if (table->schema != NULL &&
      plumb_workspace_allows (query->workspace, query->database, table->schema, table->table) &&
      !plumb_access_hides_columns (access, query->database, table->schema, table->table))
    return check_original (query, table, error);
  full = plumb_table_name_join (query->database, table->schema, table->table);
  g_set_error (
      error, PLUMB_ERROR, PLUMB_ERROR_NO_PERMISSION,
      "There is no permission to read a view of this statement: behind it stands %s, which "
      "the access role hides in whole or in part.",
      full);
  return FALSE;
}

/* The columns of a table that the role shows, for the message that names them. */
static char *
list_allowed_columns (const PlumbQuery *query, PlumbCatalog *catalog, const PlumbSqlTable *table)
{
  PlumbAccess *access = plumb_workspace_get_access (query->workspace);
  const PlumbTable *found = plumb_catalog_find (catalog, table->schema, table->table);
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();
  g_auto (GStrv) all = NULL;

  for (guint i = 0; found != NULL && i < found->columns->len; i++) {
    const PlumbColumn *column = g_ptr_array_index (found->columns, i);

    if (plumb_access_allows_column (access, query->database, table->schema, table->table,
                                    column->name))
      g_strv_builder_add (names, column->name);
  }
  all = g_strv_builder_end (names);
  return plumb_names_list ((const char *const *) all, MAX_COLUMNS_NAMED);
}

static void
refuse_column (const PlumbQuery *query, PlumbCatalog *catalog, const PlumbSqlTable *table,
               const char *column, GError **error)
{
  g_autofree char *full = plumb_table_name_join (query->database, table->schema, table->table);
  g_autofree char *allowed = list_allowed_columns (query, catalog, table);

  if (g_str_equal (column, "*"))
    g_set_error (error, PLUMB_ERROR, PLUMB_ERROR_NO_PERMISSION,
                 "“*” would read columns of %s that there is no permission to see. Name columns "
                 "instead: %s.", full, allowed);
  else
    g_set_error (
        error, PLUMB_ERROR, PLUMB_ERROR_NO_PERMISSION,
        "There is no permission to read the column %s of %s. Columns that may be read: %s.", column,
        full, allowed);
}

static gboolean
is_of_table (const PlumbSqlColumn *column, const PlumbSqlTable *table)
{
  return g_strcmp0 (column->schema, table->schema) == 0 &&
         g_strcmp0 (column->table, table->table) == 0;
}

/* Whether a column that the statement reads is one of @table's that the role hides. A column whose
 * table could not be told counts as one of every table that has it. */
static gboolean
is_hidden (const PlumbQuery *query, PlumbCatalog *catalog, const PlumbSqlTable *table,
           const PlumbSqlColumn *column)
{
  PlumbAccess *access = plumb_workspace_get_access (query->workspace);
  gboolean untold = column->table == NULL || *column->table == '\0';
  const PlumbTable *found;

  if (!untold && !is_of_table (column, table))
    return FALSE;
  if (g_str_equal (column->column, "*"))
    return TRUE;
  found = plumb_catalog_find (catalog, table->schema, table->table);
  if (untold && found != NULL && plumb_table_find_column (found, column->column) == NULL)
    return FALSE;
  return !plumb_access_allows_column (access, query->database, table->schema, table->table,
                                      column->column);
}

/**
 * plumb_query_check_access:
 * @query: a statement on its way
 * @statement: what the statement check found
 * @catalog: the tables of the source
 * @error: return location
 *
 * Holds the tables and columns that a statement reads against the access role. "*" reads every
 * column, the hidden ones too.
 *
 * Returns: whether the role may; %FALSE with PLUMB_ERROR_NO_PERMISSION
 */
gboolean
plumb_query_check_access (const PlumbQuery *query, PlumbStatement *statement, PlumbCatalog *catalog,
                          GError **error)
{
  PlumbAccess *access = plumb_workspace_get_access (query->workspace);

  for (guint i = 0; i < statement->behind->len; i++) {
    if (!check_behind (query, g_ptr_array_index (statement->behind, i), error))
      return FALSE;
  }
  for (guint i = 0; i < statement->tables->len; i++) {
    const PlumbSqlTable *table = g_ptr_array_index (statement->tables, i);

    if (!check_table (query, table, catalog, error))
      return FALSE;
    if (!plumb_access_hides_columns (access, query->database, table->schema, table->table))
      continue;
    for (guint j = 0; j < statement->columns->len; j++) {
      const PlumbSqlColumn *column = g_ptr_array_index (statement->columns, j);

      if (is_hidden (query, catalog, table, column)) {
        refuse_column (query, catalog, table, column->column, error);
        return FALSE;
      }
    }
  }
  return TRUE;
}
