/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-odbc-private.h"

#include <string.h>

/* Columns of what the catalog functions give, which the standard numbers from 1. */
enum { TABLE_CATALOG, TABLE_SCHEMA, TABLE_NAME, TABLE_TYPE, TABLE_REMARKS };
enum { COLUMN_NAME = 3, COLUMN_TYPE = 5, COLUMN_SIZE = 6, COLUMN_DIGITS = 8, COLUMN_NULLABLE = 10,
       COLUMN_REMARKS = 11 };
enum { KEY_COLUMN = 3, KEY_PLACE = 4 };
enum { REF_SCHEMA = 1, REF_TABLE = 2, REF_COLUMN = 3, OWN_COLUMN = 7, REF_PLACE = 8, REF_NAME = 11 };

/* Schemas of the engines themselves. */
static const char *const system_schemas[] = {
  "information_schema", "pg_catalog", "pg_toast", "sys", "syscat", "sysibm", "sysstat", "sysibmadm",
  "systools", "mysql", "performance_schema", "system", NULL,
};

static void
append_name (GStrv *names, const char *name)
{
  guint n = *names != NULL ? g_strv_length (*names) : 0;

  *names = g_renew (char *, *names, n + 2);
  (*names)[n] = g_strdup (name);
  (*names)[n + 1] = NULL;
}

static const char *
get (PlumbOdbcRows *rows, guint i, guint column)
{
  const char *text = plumb_odbc_rows_get (rows, i, column);

  return text != NULL ? text : "";
}

/* Whether the row tells of the same key as the row before it: schema, table and name come first. */
static gboolean
continues (PlumbOdbcRows *rows, guint i)
{
  for (guint c = 0; i > 0 && c < 3; c++) {
    if (strcmp (get (rows, i, c), get (rows, i - 1, c)) != 0)
      return FALSE;
  }
  return i > 0;
}

/**
 * plumb_odbc_take_key:
 * @rows: schema, table, name, kind and column of keys, in the order of key and place
 * @is_primary: whether the row's key is the primary one
 *
 * Adds the column of row @i to @table's keys.
 */
void
plumb_odbc_take_key (PlumbOdbcRows *rows, guint i, PlumbTable *table, gboolean is_primary)
{
  GStrv names = NULL;

  if (is_primary) {
    append_name (&table->primary_key, get (rows, i, 4));
    return;
  }
  if (continues (rows, i) && table->unique_keys->len > 0)
    names = g_ptr_array_steal_index (table->unique_keys, table->unique_keys->len - 1);
  append_name (&names, get (rows, i, 4));
  g_ptr_array_add (table->unique_keys, names);
}

/**
 * plumb_odbc_take_foreign_key:
 * @rows: schema, table, name and column of foreign keys with schema, table and column referred to,
 *   in the order of key and place
 *
 * Adds the columns of row @i to @table's foreign keys.
 */
void
plumb_odbc_take_foreign_key (PlumbOdbcRows *rows, guint i, PlumbTable *table)
{
  PlumbForeignKey *key;

  if (!continues (rows, i) || table->foreign_keys->len == 0) {
    key = plumb_foreign_key_new (get (rows, i, 4), get (rows, i, 5));
    key->name = g_strdup (get (rows, i, 2));
    g_ptr_array_add (table->foreign_keys, key);
  }
  key = g_ptr_array_index (table->foreign_keys, table->foreign_keys->len - 1);
  append_name (&key->columns, get (rows, i, 3));
  append_name (&key->ref_columns, get (rows, i, 6));
}

static char *
text_or_null (const char *text)
{
  return text != NULL && *text != '\0' ? g_strdup (text) : NULL;
}

/* What stands for the schema: an engine without schemas has catalogs in their place, or nothing. */
static const char *
choose_schema (PlumbOdbcConnection *self, const char *catalog, const char *schema)
{
  if (self->engine == PLUMB_ODBC_SQLITE)
    return "main";
  if (schema != NULL && *schema != '\0')
    return schema;
  return catalog != NULL ? catalog : "";
}

static gboolean
find_kind (const char *type, PlumbTableKind *kind)
{
  static const struct {
    const char *type;
    PlumbTableKind kind;
  } types[] = {
    { "TABLE", PLUMB_TABLE_KIND_TABLE },
    { "BASE TABLE", PLUMB_TABLE_KIND_TABLE },
    { "PARTITIONED TABLE", PLUMB_TABLE_KIND_PARTITIONED },
    { "VIEW", PLUMB_TABLE_KIND_VIEW },
    { "MATVIEW", PLUMB_TABLE_KIND_MATERIALIZED_VIEW },
    { "MATERIALIZED VIEW", PLUMB_TABLE_KIND_MATERIALIZED_VIEW },
    { "MATERIALIZED QUERY TABLE", PLUMB_TABLE_KIND_MATERIALIZED_VIEW },
    { "FOREIGN TABLE", PLUMB_TABLE_KIND_FOREIGN },
    { "EXTERNAL TABLE", PLUMB_TABLE_KIND_FOREIGN },
  };

  for (guint i = 0; i < G_N_ELEMENTS (types); i++) {
    if (g_ascii_strcasecmp (types[i].type, type) == 0) {
      *kind = types[i].kind;
      return TRUE;
    }
  }
  return FALSE;
}

static gboolean
is_system (PlumbOdbcConnection *self, const char *schema, const char *name)
{
  g_autofree char *lower = g_ascii_strdown (schema, -1);

  if (self->engine == PLUMB_ODBC_SQLITE)
    return g_ascii_strncasecmp (name, "sqlite_", 7) == 0;
  return g_strv_contains (system_schemas, lower);
}

/* The database that is looked at; SQLite's driver calls the file so, and knows no table by it. */
static const char *
get_database (PlumbOdbcConnection *self)
{
  return self->engine != PLUMB_ODBC_SQLITE && *self->catalog != '\0' ? self->catalog : NULL;
}

static gboolean
read_tables (PlumbOdbcConnection *self, PlumbCatalog *catalog, GError **error)
{
  g_autoptr (PlumbOdbcRows) rows = plumb_odbc_ask_driver (
    self, PLUMB_ODBC_ASK_TABLES, get_database (self), NULL, NULL, error);

  for (guint i = 0; rows != NULL && i < rows->rows->len; i++) {
    const char *name = plumb_odbc_rows_get (rows, i, TABLE_NAME);
    const char *type = plumb_odbc_rows_get (rows, i, TABLE_TYPE);
    const char *schema = choose_schema (self, plumb_odbc_rows_get (rows, i, TABLE_CATALOG),
                                        plumb_odbc_rows_get (rows, i, TABLE_SCHEMA));
    PlumbTableKind kind;
    PlumbTable *table;

    if (name == NULL || type == NULL || !find_kind (type, &kind) ||
        is_system (self, schema, name) || plumb_catalog_find (catalog, schema, name) != NULL)
      continue;
    table = plumb_table_new (schema, name);
    table->kind = kind;
    table->comment = text_or_null (plumb_odbc_rows_get (rows, i, TABLE_REMARKS));
    plumb_catalog_add_table (catalog, table);
  }
  return rows != NULL;
}

/* varchar(40), numeric(10,2): with what the driver says of size and digits, where that belongs to
 * the type's name. */
static char *
join_type (const char *name, const char *size, const char *digits)
{
  g_autofree char *lower = g_ascii_strdown (name, -1);
  gboolean sized = strstr (lower, "char") != NULL || strstr (lower, "binary") != NULL;
  gboolean exact = g_str_has_prefix (lower, "numeric") || g_str_has_prefix (lower, "decimal") ||
                   strcmp (lower, "number") == 0;
  gint64 length = size != NULL ? g_ascii_strtoll (size, NULL, 10) : 0;

  if (strchr (name, '(') != NULL || length <= 0 || length > 32767)
    return g_strdup (name);
  if (exact && digits != NULL)
    return g_strdup_printf ("%s(%s,%s)", name, size, digits);
  return sized ? g_strdup_printf ("%s(%s)", name, size) : g_strdup (name);
}

static void
add_column (PlumbTable *table, PlumbOdbcRows *rows, guint i)
{
  const char *name = plumb_odbc_rows_get (rows, i, COLUMN_NAME);
  const char *type = plumb_odbc_rows_get (rows, i, COLUMN_TYPE);
  const char *nullable = plumb_odbc_rows_get (rows, i, COLUMN_NULLABLE);
  g_autofree char *full = NULL;
  PlumbColumn *column;

  if (name == NULL)
    return;
  full = join_type (type != NULL ? type : "", plumb_odbc_rows_get (rows, i, COLUMN_SIZE),
                    plumb_odbc_rows_get (rows, i, COLUMN_DIGITS));
  column = plumb_column_new (name, full);
  column->nullable = g_strcmp0 (nullable, "0") != 0;
  column->comment = text_or_null (plumb_odbc_rows_get (rows, i, COLUMN_REMARKS));
  g_ptr_array_add (table->columns, column);
}

/* The catalog functions want the names as the engine has them; SQLite's knows no schema. */
static PlumbOdbcRows *
ask_of_table (PlumbOdbcConnection *self, PlumbOdbcQuestion question, const PlumbTable *table,
              GError **error)
{
  const char *schema = self->engine == PLUMB_ODBC_SQLITE || *table->schema == '\0' ? NULL
                                                                                  : table->schema;

  return plumb_odbc_ask_driver (self, question, NULL, schema, table->name, error);
}

/* What a driver can't tell of a table, it says so by an error; what stops all else stops this too.
 */
static gboolean
pass_over (GError **inner, GError **error)
{
  if (g_error_matches (*inner, PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_STATEMENT) ||
      g_error_matches (*inner, PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_DENIED)) {
    g_clear_error (inner);
    return TRUE;
  }
  g_propagate_error (error, g_steal_pointer (inner));
  return FALSE;
}

static void
take_columns (PlumbOdbcConnection *self, PlumbCatalog *catalog, PlumbOdbcRows *rows)
{
  for (guint i = 0; i < rows->rows->len; i++) {
    const char *name = plumb_odbc_rows_get (rows, i, TABLE_NAME);
    const char *schema = choose_schema (self, plumb_odbc_rows_get (rows, i, TABLE_CATALOG),
                                        plumb_odbc_rows_get (rows, i, TABLE_SCHEMA));
    PlumbTable *table = name != NULL ? plumb_catalog_find (catalog, schema, name) : NULL;

    if (table != NULL)
      add_column (table, rows, i);
  }
}

/* All columns at once, in the order of tables and places, as the standard has it. A view that can't
 * be read makes some drivers give none at all: then each table is asked for, and that view has
 * none. */
static gboolean
read_columns (PlumbOdbcConnection *self, PlumbCatalog *catalog, GError **error)
{
  g_autoptr (GError) inner = NULL;
  g_autoptr (PlumbOdbcRows) all = plumb_odbc_ask_driver (
    self, PLUMB_ODBC_ASK_COLUMNS, get_database (self), NULL, NULL, &inner);

  if (all != NULL) {
    take_columns (self, catalog, all);
    return TRUE;
  }
  if (!pass_over (&inner, error))
    return FALSE;
  for (guint i = 0; i < catalog->tables->len; i++) {
    g_autoptr (PlumbOdbcRows) rows = ask_of_table (
      self, PLUMB_ODBC_ASK_COLUMNS, g_ptr_array_index (catalog->tables, i), &inner);

    if (rows != NULL)
      take_columns (self, catalog, rows);
    else if (!pass_over (&inner, error))
      return FALSE;
  }
  return TRUE;
}

static gboolean
read_primary_key (PlumbOdbcConnection *self, PlumbTable *table, GError **error)
{
  g_autoptr (GError) inner = NULL;
  g_autoptr (PlumbOdbcRows)
    rows = ask_of_table (self, PLUMB_ODBC_ASK_PRIMARY_KEY, table, &inner);

  if (rows == NULL)
    return pass_over (&inner, error);
  /* In the order of their places, whatever order the driver gives them in. */
  for (guint place = 1; place <= rows->rows->len; place++) {
    for (guint i = 0; i < rows->rows->len; i++) {
      const char *given = plumb_odbc_rows_get (rows, i, KEY_PLACE);
      const char *column = plumb_odbc_rows_get (rows, i, KEY_COLUMN);

      if (given != NULL && column != NULL && g_ascii_strtoull (given, NULL, 10) == place)
        append_name (&table->primary_key, column);
    }
  }
  return TRUE;
}

static gboolean
read_foreign_keys (PlumbOdbcConnection *self, PlumbTable *table, GError **error)
{
  g_autoptr (GError) inner = NULL;
  g_autoptr (PlumbOdbcRows)
    rows = ask_of_table (self, PLUMB_ODBC_ASK_FOREIGN_KEYS, table, &inner);
  PlumbForeignKey *key = NULL;

  if (rows == NULL)
    return pass_over (&inner, error);
  for (guint i = 0; i < rows->rows->len; i++) {
    const char *name = plumb_odbc_rows_get (rows, i, REF_NAME);
    const char *ref_table = plumb_odbc_rows_get (rows, i, REF_TABLE);
    const char *place = plumb_odbc_rows_get (rows, i, REF_PLACE);

    if (ref_table == NULL || plumb_odbc_rows_get (rows, i, OWN_COLUMN) == NULL ||
        plumb_odbc_rows_get (rows, i, REF_COLUMN) == NULL)
      continue;
    /* A key begins where its first column stands. */
    if (key == NULL || g_strcmp0 (place, "1") == 0) {
      key = plumb_foreign_key_new (
        choose_schema (self, NULL, plumb_odbc_rows_get (rows, i, REF_SCHEMA)), ref_table);
      key->name = text_or_null (name);
      g_ptr_array_add (table->foreign_keys, key);
    }
    append_name (&key->columns, plumb_odbc_rows_get (rows, i, OWN_COLUMN));
    append_name (&key->ref_columns, plumb_odbc_rows_get (rows, i, REF_COLUMN));
  }
  return TRUE;
}

static gboolean
read_keys (PlumbOdbcConnection *self, PlumbCatalog *catalog, GError **error)
{
  for (guint i = 0; i < catalog->tables->len; i++) {
    PlumbTable *table = g_ptr_array_index (catalog->tables, i);

    if (table->kind == PLUMB_TABLE_KIND_VIEW || table->kind == PLUMB_TABLE_KIND_MATERIALIZED_VIEW)
      continue;
    if (!read_primary_key (self, table, error) || !read_foreign_keys (self, table, error))
      return FALSE;
  }
  return TRUE;
}

/* Comments, kinds, estimates and rights, which psqlodbc's catalog functions leave out. */
static gboolean
complete_postgres (PlumbOdbcConnection *self, PlumbCatalog *catalog, GError **error)
{
  g_autoptr (PlumbOdbcRows) rows = plumb_odbc_ask (
    self,
    "SELECT n.nspname, c.relname, pg_catalog.obj_description(c.oid, 'pg_class'), c.relkind::text, "
    "c.reltuples::bigint::text, pg_catalog.has_table_privilege(c.oid, 'SELECT')::int::text, "
    "a.attname, pg_catalog.col_description(c.oid, a.attnum) "
    "FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace "
    "LEFT JOIN pg_catalog.pg_description d ON d.objoid = c.oid AND d.objsubid > 0 "
    "AND d.classoid = 'pg_catalog.pg_class'::pg_catalog.regclass "
    "LEFT JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum = d.objsubid "
    "WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f')",
    error);

  for (guint i = 0; rows != NULL && i < rows->rows->len; i++) {
    PlumbTable *table = plumb_catalog_find (catalog, plumb_odbc_rows_get (rows, i, 0),
                                            plumb_odbc_rows_get (rows, i, 1));
    const char *attribute = plumb_odbc_rows_get (rows, i, 6);
    PlumbColumn *column = table != NULL && attribute != NULL
                              ? plumb_table_find_column (table, attribute)
                              : NULL;

    if (table == NULL)
      continue;
    g_free (table->comment);
    table->comment = text_or_null (plumb_odbc_rows_get (rows, i, 2));
    if (plumb_odbc_rows_get (rows, i, 3)[0] == 'p')
      table->kind = PLUMB_TABLE_KIND_PARTITIONED;
    table->row_estimate = g_ascii_strtoll (plumb_odbc_rows_get (rows, i, 4), NULL, 10);
    table->selectable = plumb_odbc_rows_get (rows, i, 5)[0] == '1';
    if (column != NULL) {
      g_free (column->comment);
      column->comment = text_or_null (plumb_odbc_rows_get (rows, i, 7));
    }
  }
  return rows != NULL;
}

static gboolean
read_generic (PlumbOdbcConnection *self, PlumbCatalog *catalog, GError **error)
{
  return read_tables (self, catalog, error) && read_columns (self, catalog, error) &&
         read_keys (self, catalog, error) &&
         (self->engine != PLUMB_ODBC_POSTGRES || complete_postgres (self, catalog, error));
}

/**
 * plumb_odbc_read_catalog:
 *
 * Returns: (transfer full): tables and views that the account can see, but the engine's own; %NULL
 *   with an error
 */
PlumbCatalog *
plumb_odbc_read_catalog (PlumbOdbcConnection *self, GError **error)
{
  g_autoptr (PlumbCatalog) catalog = plumb_catalog_new (plumb_source_get_name (self->source));
  gboolean good;

  switch (self->engine) {
  case PLUMB_ODBC_ORACLE:
  case PLUMB_ODBC_TIBERO:
    good = plumb_odbc_read_oracle (self, catalog, error);
    break;
  case PLUMB_ODBC_SQLSERVER:
    good = plumb_odbc_read_sqlserver (self, catalog, error);
    break;
  case PLUMB_ODBC_POSTGRES:
  case PLUMB_ODBC_SQLITE:
  case PLUMB_ODBC_GENERIC:
  default:
    good = read_generic (self, catalog, error);
    break;
  }
  if (!good)
    return NULL;
  plumb_catalog_sort (catalog);
  return g_steal_pointer (&catalog);
}
