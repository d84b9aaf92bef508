/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-clickhouse-private.h"

#include <string.h>

#define OF_USERS \
  "database NOT IN ('system', 'INFORMATION_SCHEMA', 'information_schema', " \
  "'_temporary_and_external_tables')"

/* Engines whose tables stand for something outside of the server. */
static const char *const foreign_engines[] = {
  "MySQL", "PostgreSQL", "MongoDB", "ODBC",  "JDBC",     "SQLite", "Redis", "URL",
  "File",  "HDFS",       "S3",      "Kafka", "RabbitMQ", "NATS",   NULL,
};

/* A row's cells, unescaped. */
static GStrv
split_row (const char *line)
{
  g_auto (GStrv) cells = g_strsplit (line, "\t", -1);
  g_autoptr (GString) buffer = g_string_new (NULL);

  for (guint i = 0; cells[i] != NULL; i++) {
    char *plain = g_utf8_make_valid (
      plumb_clickhouse_unescape (cells[i], strlen (cells[i]), buffer)->str, -1);

    g_free (cells[i]);
    cells[i] = plain;
  }
  return g_steal_pointer (&cells);
}

static PlumbTableKind
kind_of (const char *engine)
{
  if (strcmp (engine, "View") == 0 || strcmp (engine, "LiveView") == 0 ||
      strcmp (engine, "WindowView") == 0)
    return PLUMB_TABLE_KIND_VIEW;
  if (strcmp (engine, "MaterializedView") == 0)
    return PLUMB_TABLE_KIND_MATERIALIZED_VIEW;
  return g_strv_contains (foreign_engines, engine) ? PLUMB_TABLE_KIND_FOREIGN
                                                   : PLUMB_TABLE_KIND_TABLE;
}

/* The inner table of a materialized view is the view's own: .inner.NAME, .inner_id.UUID in databases
 * of the engine Atomic, and .tmp.inner_id.UUID while it is made anew. */
static gboolean
is_inner (const char *name)
{
  return g_str_has_prefix (name, ".inner.") || g_str_has_prefix (name, ".inner_id.") ||
         g_str_has_prefix (name, ".tmp.inner");
}

static gboolean
read_tables (PlumbSource *source, PlumbClickhouseServer *server, PlumbCatalog *catalog,
             GCancellable *cancellable, GError **error)
{
  g_autofree char *sql = g_strdup_printf (
    "SELECT database, name, engine, %s, %s FROM system.tables WHERE " OF_USERS,
    plumb_clickhouse_has_column (server, "tables", "comment") ? "comment" : "''",
    plumb_clickhouse_has_column (server, "tables", "total_rows")
      ? "toString(ifNull(total_rows, -1))"
      : "'-1'");
  g_autoptr (GPtrArray) lines = plumb_clickhouse_ask (source, server, sql, cancellable, error);

  for (guint i = 0; lines != NULL && i < lines->len; i++) {
    g_auto (GStrv) row = split_row (g_ptr_array_index (lines, i));
    PlumbTable *table;

    if (g_strv_length (row) != 5 || is_inner (row[1]))
      continue;
    table = plumb_table_new (row[0], row[1]);
    table->kind = kind_of (row[2]);
    table->comment = *row[3] != '\0' ? g_strdup (row[3]) : NULL;
    table->row_estimate = g_ascii_strtoll (row[4], NULL, 10);
    plumb_catalog_add_table (catalog, table);
  }
  return lines != NULL;
}

/* ClickHouse's primary key orders rows and lets them repeat, so it is none here: taken for unique
 * it would make a join that multiplies rows look safe. */
static gboolean
read_columns (PlumbSource *source, PlumbClickhouseServer *server, PlumbCatalog *catalog,
              GCancellable *cancellable, GError **error)
{
  g_autofree char *sql = g_strdup_printf (
    "SELECT database, table, name, type, %s FROM system.columns WHERE " OF_USERS " %s",
    plumb_clickhouse_has_column (server, "columns", "comment") ? "comment" : "''",
    plumb_clickhouse_has_column (server, "columns", "position")
      ? "ORDER BY database, table, position"
      : "");
  g_autoptr (GPtrArray) lines = plumb_clickhouse_ask (source, server, sql, cancellable, error);

  for (guint i = 0; lines != NULL && i < lines->len; i++) {
    g_auto (GStrv) row = split_row (g_ptr_array_index (lines, i));
    PlumbTable *table = g_strv_length (row) == 5 ? plumb_catalog_find (catalog, row[0], row[1])
                                                 : NULL;
    PlumbColumn *column;

    if (table == NULL)
      continue;
    column = plumb_column_new (row[2], row[3]);
    column->comment = *row[4] != '\0' ? g_strdup (row[4]) : NULL;
    column->nullable = strstr (row[3], "Nullable(") != NULL;
    g_ptr_array_add (table->columns, column);
  }
  return lines != NULL;
}

static gboolean
read_rows (PlumbSource *source, PlumbClickhouseServer *server, PlumbCatalog *catalog,
           GCancellable *cancellable, GError **error)
{
  g_autoptr (GPtrArray) lines = NULL;

  if (plumb_clickhouse_has_column (server, "tables", "total_rows"))
    return TRUE;
  lines = plumb_clickhouse_ask (
    source, server,
    "SELECT database, table, toString(sum(rows)) FROM system.parts WHERE active AND " OF_USERS
    " GROUP BY database, table",
    cancellable, error);
  for (guint i = 0; lines != NULL && i < lines->len; i++) {
    g_auto (GStrv) row = split_row (g_ptr_array_index (lines, i));
    PlumbTable *table = g_strv_length (row) == 3 ? plumb_catalog_find (catalog, row[0], row[1])
                                                 : NULL;

    if (table != NULL)
      table->row_estimate = g_ascii_strtoll (row[2], NULL, 10);
  }
  return lines != NULL;
}

/* As far as the grants let the account read something of the table, what it may not read isn't there
 * for it; else the table is one that can't be selected, with what it has. */
static void
apply_grants (PlumbClickhouseGrants *grants, PlumbTable *table)
{
  gboolean any = plumb_clickhouse_grants_allow (grants, table->schema, table->name, NULL);

  for (guint i = 0; !any && i < table->columns->len; i++) {
    const PlumbColumn *column = g_ptr_array_index (table->columns, i);

    any = plumb_clickhouse_grants_allow (grants, table->schema, table->name, column->name);
  }
  table->selectable = any;
  for (guint i = table->columns->len; any && i > 0; i--) {
    const PlumbColumn *column = g_ptr_array_index (table->columns, i - 1);

    if (!plumb_clickhouse_grants_allow (grants, table->schema, table->name, column->name))
      g_ptr_array_remove_index (table->columns, i - 1);
  }
}

/** plumb_clickhouse_read_catalog: Returns: (transfer full): tables and views of all databases but
 * the server's own, a database a schema; %NULL with an error */
PlumbCatalog *
plumb_clickhouse_read_catalog (PlumbSource *source, PlumbClickhouseServer *server,
                               GCancellable *cancellable, GError **error)
{
  g_autoptr (PlumbCatalog) catalog = plumb_catalog_new (plumb_source_get_name (source));
  g_autoptr (PlumbClickhouseGrants) grants = NULL;

  if (!read_tables (source, server, catalog, cancellable, error) ||
      !read_columns (source, server, catalog, cancellable, error) ||
      !read_rows (source, server, catalog, cancellable, error))
    return NULL;
  /* Where there are no grants, the server shows only what the account may read. */
  grants = plumb_clickhouse_grants_read (source, server, cancellable);
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;
  for (guint i = 0; grants != NULL && i < catalog->tables->len; i++)
    apply_grants (grants, g_ptr_array_index (catalog->tables, i));
  plumb_catalog_sort (catalog);
  return g_steal_pointer (&catalog);
}
