/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-odbc-private.h"

/* SQL Server, from its sys views (SQL Server documentation, “System catalog views”), which show
 * what the account may see. Written from the documentation: no such server was at hand. */

static const char tables_question[] =
  "SELECT s.name, o.name, o.type, (SELECT SUM(p.rows) FROM sys.partitions p "
  "WHERE p.object_id = o.object_id AND p.index_id IN (0, 1)), CAST(e.value AS nvarchar(4000)), "
  "HAS_PERMS_BY_NAME(QUOTENAME(s.name) + '.' + QUOTENAME(o.name), 'OBJECT', 'SELECT'), "
  "COALESCE(t.is_external, 0) "
  "FROM sys.objects o JOIN sys.schemas s ON s.schema_id = o.schema_id "
  "LEFT JOIN sys.tables t ON t.object_id = o.object_id "
  "LEFT JOIN sys.extended_properties e ON e.class = 1 AND e.major_id = o.object_id "
  "AND e.minor_id = 0 AND e.name = 'MS_Description' "
  "WHERE o.type IN ('U', 'V') AND o.is_ms_shipped = 0";

static const char columns_question[] =
  "SELECT s.name, o.name, c.name, y.name, c.max_length, c.precision, c.scale, c.is_nullable, "
  "CAST(e.value AS nvarchar(4000)) "
  "FROM sys.columns c JOIN sys.objects o ON o.object_id = c.object_id "
  "JOIN sys.schemas s ON s.schema_id = o.schema_id "
  "JOIN sys.types y ON y.user_type_id = c.user_type_id "
  "LEFT JOIN sys.extended_properties e ON e.class = 1 AND e.major_id = c.object_id "
  "AND e.minor_id = c.column_id AND e.name = 'MS_Description' "
  "WHERE o.type IN ('U', 'V') AND o.is_ms_shipped = 0 ORDER BY c.object_id, c.column_id";

static const char keys_question[] =
  "SELECT s.name, o.name, i.name, i.is_primary_key, c.name "
  "FROM sys.indexes i JOIN sys.objects o ON o.object_id = i.object_id "
  "JOIN sys.schemas s ON s.schema_id = o.schema_id "
  "JOIN sys.index_columns x ON x.object_id = i.object_id AND x.index_id = i.index_id "
  "JOIN sys.columns c ON c.object_id = x.object_id AND c.column_id = x.column_id "
  "WHERE i.is_unique = 1 AND i.has_filter = 0 AND i.is_disabled = 0 AND x.key_ordinal > 0 "
  "AND o.type = 'U' AND o.is_ms_shipped = 0 ORDER BY i.object_id, i.index_id, x.key_ordinal";

static const char foreign_keys_question[] =
  "SELECT s.name, o.name, f.name, c.name, rs.name, r.name, rc.name "
  "FROM sys.foreign_keys f JOIN sys.objects o ON o.object_id = f.parent_object_id "
  "JOIN sys.schemas s ON s.schema_id = o.schema_id "
  "JOIN sys.foreign_key_columns k ON k.constraint_object_id = f.object_id "
  "JOIN sys.columns c ON c.object_id = k.parent_object_id AND c.column_id = k.parent_column_id "
  "JOIN sys.objects r ON r.object_id = f.referenced_object_id "
  "JOIN sys.schemas rs ON rs.schema_id = r.schema_id "
  "JOIN sys.columns rc ON rc.object_id = k.referenced_object_id "
  "AND rc.column_id = k.referenced_column_id "
  "WHERE f.is_disabled = 0 ORDER BY f.object_id, k.constraint_column_id";

static const char *
get (PlumbOdbcRows *rows, guint i, guint column)
{
  const char *text = plumb_odbc_rows_get (rows, i, column);

  return text != NULL ? text : "";
}

static gboolean
read_tables (PlumbOdbcConnection *self, PlumbCatalog *catalog, GError **error)
{
  g_autoptr (PlumbOdbcRows) rows = plumb_odbc_ask (self, tables_question, error);

  for (guint i = 0; rows != NULL && i < rows->rows->len; i++) {
    PlumbTable *table = plumb_table_new (get (rows, i, 0), get (rows, i, 1));

    if (get (rows, i, 2)[0] == 'V')
      table->kind = PLUMB_TABLE_KIND_VIEW;
    else if (get (rows, i, 6)[0] == '1')
      table->kind = PLUMB_TABLE_KIND_FOREIGN;
    if (plumb_odbc_rows_get (rows, i, 3) != NULL)
      table->row_estimate = g_ascii_strtoll (get (rows, i, 3), NULL, 10);
    table->comment = g_strdup (plumb_odbc_rows_get (rows, i, 4));
    table->selectable = get (rows, i, 5)[0] == '1';
    plumb_catalog_add_table (catalog, table);
  }
  return rows != NULL;
}

/* max_length is in bytes, two a character for the types that begin with n; -1 is (max). */
static char *
join_type (const char *type, gint64 bytes, const char *precision, const char *scale)
{
  if (g_str_has_suffix (type, "char") || g_str_has_suffix (type, "binary")) {
    if (bytes < 0)
      return g_strdup_printf ("%s(max)", type);
    return g_strdup_printf ("%s(%" G_GINT64_FORMAT ")", type, type[0] == 'n' ? bytes / 2 : bytes);
  }
  if (g_str_equal (type, "decimal") || g_str_equal (type, "numeric"))
    return g_strdup_printf ("%s(%s,%s)", type, precision, scale);
  return g_strdup (type);
}

static gboolean
read_columns (PlumbOdbcConnection *self, PlumbCatalog *catalog, GError **error)
{
  g_autoptr (PlumbOdbcRows) rows = plumb_odbc_ask (self, columns_question, error);

  for (guint i = 0; rows != NULL && i < rows->rows->len; i++) {
    PlumbTable *table = plumb_catalog_find (catalog, get (rows, i, 0), get (rows, i, 1));
    g_autofree char *type = join_type (get (rows, i, 3),
                                       g_ascii_strtoll (get (rows, i, 4), NULL, 10),
                                       get (rows, i, 5), get (rows, i, 6));
    PlumbColumn *column;

    if (table == NULL)
      continue;
    column = plumb_column_new (get (rows, i, 2), type);
    column->nullable = get (rows, i, 7)[0] == '1';
    column->comment = g_strdup (plumb_odbc_rows_get (rows, i, 8));
    g_ptr_array_add (table->columns, column);
  }
  return rows != NULL;
}

static gboolean
read_keys (PlumbOdbcConnection *self, PlumbCatalog *catalog, GError **error)
{
  g_autoptr (PlumbOdbcRows) rows = plumb_odbc_ask (self, keys_question, error);

  for (guint i = 0; rows != NULL && i < rows->rows->len; i++) {
    PlumbTable *table = plumb_catalog_find (catalog, get (rows, i, 0), get (rows, i, 1));

    if (table != NULL)
      plumb_odbc_take_key (rows, i, table, get (rows, i, 3)[0] == '1');
  }
  return rows != NULL;
}

static gboolean
read_foreign_keys (PlumbOdbcConnection *self, PlumbCatalog *catalog, GError **error)
{
  g_autoptr (PlumbOdbcRows) rows = plumb_odbc_ask (self, foreign_keys_question, error);

  for (guint i = 0; rows != NULL && i < rows->rows->len; i++) {
    PlumbTable *table = plumb_catalog_find (catalog, get (rows, i, 0), get (rows, i, 1));

    if (table != NULL)
      plumb_odbc_take_foreign_key (rows, i, table);
  }
  return rows != NULL;
}

/** plumb_odbc_read_sqlserver: fills @catalog from SQL Server's sys views. Returns: whether they
 *   could be read */
gboolean
plumb_odbc_read_sqlserver (PlumbOdbcConnection *self, PlumbCatalog *catalog, GError **error)
{
  return read_tables (self, catalog, error) && read_columns (self, catalog, error) &&
         read_keys (self, catalog, error) && read_foreign_keys (self, catalog, error);
}
