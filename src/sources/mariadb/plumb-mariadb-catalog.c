/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-mariadb-private.h"

#include <string.h>

#define OF_USERS "TABLE_SCHEMA NOT IN ('mysql', 'information_schema', 'performance_schema', 'sys')"

static const char tables_question[] =
  "SELECT TABLE_SCHEMA, TABLE_NAME, TABLE_TYPE, TABLE_ROWS, TABLE_COMMENT, CREATE_OPTIONS, "
  "UPPER(ENGINE) IN (" PLUMB_MARIADB_FOREIGN_ENGINES ") "
  "FROM information_schema.TABLES WHERE TABLE_TYPE IN ('BASE TABLE', 'VIEW', 'SYSTEM VERSIONED') "
  "AND " OF_USERS;

/* PRIVILEGES is what the account may do with the column, by whatever grant or role. */
static const char columns_question[] =
  "SELECT TABLE_SCHEMA, TABLE_NAME, COLUMN_NAME, COLUMN_TYPE, IS_NULLABLE, COLUMN_COMMENT, "
  "FIND_IN_SET('select', PRIVILEGES) > 0 "
  "FROM information_schema.COLUMNS WHERE " OF_USERS
  " ORDER BY TABLE_SCHEMA, TABLE_NAME, ORDINAL_POSITION";

static const char indexes_question[] =
  "SELECT TABLE_SCHEMA, TABLE_NAME, INDEX_NAME, COLUMN_NAME FROM information_schema.STATISTICS "
  "WHERE NON_UNIQUE = 0 AND SUB_PART IS NULL AND " OF_USERS
  " ORDER BY TABLE_SCHEMA, TABLE_NAME, INDEX_NAME, SEQ_IN_INDEX";

static const char foreign_keys_question[] =
  "SELECT TABLE_SCHEMA, TABLE_NAME, CONSTRAINT_NAME, COLUMN_NAME, REFERENCED_TABLE_SCHEMA, "
  "REFERENCED_TABLE_NAME, REFERENCED_COLUMN_NAME "
  "FROM information_schema.KEY_COLUMN_USAGE WHERE REFERENCED_TABLE_NAME IS NOT NULL AND " OF_USERS
  " ORDER BY TABLE_SCHEMA, TABLE_NAME, CONSTRAINT_NAME, ORDINAL_POSITION";

static char *
text_or_null (const char *text)
{
  return text != NULL && *text != '\0' ? g_utf8_make_valid (text, -1) : NULL;
}

static gboolean
read_tables (PlumbMariadbConnection *self, PlumbCatalog *catalog, GError **error)
{
  g_autoptr (PlumbMariadbResult) result = plumb_mariadb_ask (self, tables_question, error);
  MYSQL_ROW row;

  while (result != NULL && (row = mysql_fetch_row (result)) != NULL) {
    PlumbTable *table = plumb_table_new (row[0], row[1]);
    gboolean is_view = strcmp (row[2], "VIEW") == 0;

    if (is_view)
      table->kind = PLUMB_TABLE_KIND_VIEW;
    else if (row[6] != NULL && row[6][0] == '1')
      table->kind = PLUMB_TABLE_KIND_FOREIGN;
    else if (row[5] != NULL && strstr (row[5], "partitioned") != NULL)
      table->kind = PLUMB_TABLE_KIND_PARTITIONED;
    if (!is_view && row[3] != NULL)
      table->row_estimate = g_ascii_strtoll (row[3], NULL, 10);
    /* A view's comment is always "VIEW". */
    table->comment = is_view ? NULL : text_or_null (row[4]);
    table->selectable = FALSE;
    plumb_catalog_add_table (catalog, table);
  }
  return result != NULL;
}

/* Columns that the account may not read aren't there for it, unless it may read none: then the
 * table is shown as one that can't be selected, with what it has. */
static gboolean
read_columns (PlumbMariadbConnection *self, PlumbCatalog *catalog, GError **error)
{
  g_autoptr (PlumbMariadbResult) result = plumb_mariadb_ask (self, columns_question, error);
  g_autoptr (GHashTable) hidden = g_hash_table_new (NULL, NULL);
  MYSQL_ROW row;

  while (result != NULL && (row = mysql_fetch_row (result)) != NULL) {
    PlumbTable *table = plumb_catalog_find (catalog, row[0], row[1]);
    gboolean selectable = row[6] != NULL && row[6][0] == '1';
    PlumbColumn *column;

    if (table == NULL)
      continue;
    column = plumb_column_new (row[2], row[3]);
    column->nullable = strcmp (row[4], "YES") == 0;
    column->comment = text_or_null (row[5]);
    table->selectable = table->selectable || selectable;
    if (!selectable)
      g_hash_table_add (hidden, column);
    g_ptr_array_add (table->columns, column);
  }
  for (guint i = 0; i < catalog->tables->len; i++) {
    PlumbTable *table = g_ptr_array_index (catalog->tables, i);

    for (guint c = table->columns->len; table->selectable && c > 0; c--) {
      if (g_hash_table_contains (hidden, g_ptr_array_index (table->columns, c - 1)))
        g_ptr_array_remove_index (table->columns, c - 1);
    }
  }
  return result != NULL;
}

/* A key over a column that the account may not read is none for it. */
static gboolean
has_columns (const PlumbTable *table, GStrv names)
{
  for (guint i = 0; names != NULL && names[i] != NULL; i++) {
    if (plumb_table_find_column (table, names[i]) == NULL)
      return FALSE;
  }
  return TRUE;
}

static void
take_key (PlumbTable *table, const char *name, GPtrArray *columns)
{
  GStrv names;

  if (table != NULL && columns->len > 0) {
    g_ptr_array_add (columns, NULL);
    names = g_strdupv ((GStrv) columns->pdata);
    if (!has_columns (table, names))
      g_strfreev (names);
    else if (strcmp (name, "PRIMARY") == 0)
      table->primary_key = names;
    else
      g_ptr_array_add (table->unique_keys, names);
  }
  g_ptr_array_set_size (columns, 0);
}

static gboolean
read_indexes (PlumbMariadbConnection *self, PlumbCatalog *catalog, GError **error)
{
  g_autoptr (PlumbMariadbResult) result = plumb_mariadb_ask (self, indexes_question, error);
  g_autoptr (GPtrArray) columns = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *index = g_strdup ("");
  PlumbTable *table = NULL;
  MYSQL_ROW row;

  while (result != NULL && (row = mysql_fetch_row (result)) != NULL) {
    PlumbTable *its_table = plumb_catalog_find (catalog, row[0], row[1]);

    if (its_table != table || strcmp (index, row[2]) != 0) {
      take_key (table, index, columns);
      table = its_table;
      g_free (index);
      index = g_strdup (row[2]);
    }
    /* MySQL has indexes over expressions, which name no column. */
    if (row[3] == NULL)
      table = NULL;
    else
      g_ptr_array_add (columns, g_strdup (row[3]));
  }
  take_key (table, index, columns);
  return result != NULL;
}

static void
append_name (GStrv *names, const char *name)
{
  guint n = *names != NULL ? g_strv_length (*names) : 0;

  *names = g_renew (char *, *names, n + 2);
  (*names)[n] = g_strdup (name);
  (*names)[n + 1] = NULL;
}

static void
drop_hidden_keys (PlumbTable *table)
{
  for (guint i = table->foreign_keys->len; i > 0; i--) {
    const PlumbForeignKey *key = g_ptr_array_index (table->foreign_keys, i - 1);

    if (!has_columns (table, key->columns))
      g_ptr_array_remove_index (table->foreign_keys, i - 1);
  }
}

static gboolean
read_foreign_keys (PlumbMariadbConnection *self, PlumbCatalog *catalog, GError **error)
{
  g_autoptr (PlumbMariadbResult) result = plumb_mariadb_ask (self, foreign_keys_question, error);
  PlumbForeignKey *key = NULL;
  PlumbTable *table = NULL;
  MYSQL_ROW row;

  while (result != NULL && (row = mysql_fetch_row (result)) != NULL) {
    PlumbTable *its_table = plumb_catalog_find (catalog, row[0], row[1]);

    if (its_table == NULL)
      continue;
    if (its_table != table || key == NULL || strcmp (key->name, row[2]) != 0) {
      key = plumb_foreign_key_new (row[4], row[5]);
      key->name = g_strdup (row[2]);
      table = its_table;
      g_ptr_array_add (table->foreign_keys, key);
    }
    append_name (&key->columns, row[3]);
    append_name (&key->ref_columns, row[6]);
  }
  for (guint i = 0; i < catalog->tables->len; i++)
    drop_hidden_keys (g_ptr_array_index (catalog->tables, i));
  return result != NULL;
}

/**
 * plumb_mariadb_read_catalog:
 *
 * Returns: (transfer full): tables and views of all databases that the account can see but the
 *   server's own, a database a schema; %NULL with an error
 */
PlumbCatalog *
plumb_mariadb_read_catalog (PlumbMariadbConnection *self, GError **error)
{
  g_autoptr (PlumbCatalog) catalog = plumb_catalog_new (plumb_source_get_name (self->source));

  if (!read_tables (self, catalog, error) || !read_columns (self, catalog, error) ||
      !read_indexes (self, catalog, error) || !read_foreign_keys (self, catalog, error))
    return NULL;
  plumb_catalog_sort (catalog);
  return g_steal_pointer (&catalog);
}
