/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-sqlite-private.h"

#include <string.h>

#define SCHEMA "main"

/* Counting stops at this many rows of a table; then its largest rowid stands in for the count. */
#define MOST_ROWS_COUNTED 1000000
/* How long all counting together may take before it gives way to the largest rowid. */
#define COUNTING_PATIENCE (2 * G_TIME_SPAN_SECOND)

/* The statements that are run once for each table. */
typedef struct {
  PlumbSqliteConnection *connection;
  PlumbCatalog *catalog;
  sqlite3_stmt *columns;
  sqlite3_stmt *indexes;
  sqlite3_stmt *index_columns;
  sqlite3_stmt *foreign_keys;
} CatalogReader;

static const char *
text_of (sqlite3_stmt *statement, int column)
{
  return (const char *) sqlite3_column_text (statement, column);
}

/* A name is UTF-8 in a sound database; a broken one must not reach anything that trusts it. */
static char *
name_of (sqlite3_stmt *statement, int column)
{
  const char *text = text_of (statement, column);

  return text != NULL ? g_utf8_make_valid (text, -1) : NULL;
}

static void
bind_name (sqlite3_stmt *statement, const char *name)
{
  sqlite3_reset (statement);
  sqlite3_bind_text (statement, 1, name, -1, SQLITE_TRANSIENT);
}

static GStrv
take_strv (GPtrArray *names)
{
  g_ptr_array_add (names, NULL);
  return (GStrv) g_ptr_array_free (names, FALSE);
}

static void
place_key_column (GPtrArray *key, guint position, const char *name)
{
  if (key->len < position)
    g_ptr_array_set_size (key, position);
  g_ptr_array_index (key, position - 1) = g_strdup (name);
}

/* FALSE where the statement was stopped; a view that can't be read any more just has no columns. */
static gboolean
read_columns (CatalogReader *reader, PlumbTable *table)
{
  g_autoptr (GPtrArray) key = g_ptr_array_new ();
  int code;

  bind_name (reader->columns, table->name);
  while ((code = sqlite3_step (reader->columns)) == SQLITE_ROW) {
    g_autofree char *name = name_of (reader->columns, 0);
    PlumbColumn *column = plumb_column_new (name, text_of (reader->columns, 1));
    int key_position = sqlite3_column_int (reader->columns, 3);

    column->nullable = sqlite3_column_int (reader->columns, 2) == 0;
    g_ptr_array_add (table->columns, column);
    if (key_position > 0)
      place_key_column (key, key_position, name);
  }
  if (key->len > 0)
    table->primary_key = take_strv (g_steal_pointer (&key));
  return (code & 0xff) != SQLITE_INTERRUPT;
}

static GStrv
read_index_columns (CatalogReader *reader, const char *index)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);

  bind_name (reader->index_columns, index);
  while (sqlite3_step (reader->index_columns) == SQLITE_ROW) {
    char *name = name_of (reader->index_columns, 0);

    /* An index over an expression says nothing about columns. */
    if (name == NULL)
      return NULL;
    g_ptr_array_add (names, name);
  }
  if (names->len == 0)
    return NULL;
  g_ptr_array_set_free_func (names, NULL);
  return take_strv (g_steal_pointer (&names));
}

static void
read_unique_keys (CatalogReader *reader, PlumbTable *table)
{
  bind_name (reader->indexes, table->name);
  while (sqlite3_step (reader->indexes) == SQLITE_ROW) {
    GStrv columns = read_index_columns (reader, text_of (reader->indexes, 0));

    if (columns != NULL)
      g_ptr_array_add (table->unique_keys, columns);
  }
}

static void
finish_foreign_key (PlumbForeignKey *key, GPtrArray *columns, GPtrArray *ref_columns)
{
  if (key == NULL)
    return;
  g_ptr_array_add (columns, NULL);
  key->columns = g_strdupv ((GStrv) columns->pdata);
  g_ptr_array_set_size (columns, 0);
  if (ref_columns->len > 0) {
    g_ptr_array_add (ref_columns, NULL);
    key->ref_columns = g_strdupv ((GStrv) ref_columns->pdata);
    g_ptr_array_set_size (ref_columns, 0);
  }
}

/* Rows come ordered by key and by column; "to" is NULL where the key refers to the primary key. */
static void
read_foreign_keys (CatalogReader *reader, PlumbTable *table)
{
  g_autoptr (GPtrArray) columns = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) ref_columns = g_ptr_array_new_with_free_func (g_free);
  PlumbForeignKey *key = NULL;
  int last_id = -1;

  bind_name (reader->foreign_keys, table->name);
  while (sqlite3_step (reader->foreign_keys) == SQLITE_ROW) {
    g_autofree char *ref_table = name_of (reader->foreign_keys, 1);
    int id = sqlite3_column_int (reader->foreign_keys, 0);
    char *ref_column;

    if (id != last_id) {
      finish_foreign_key (key, columns, ref_columns);
      key = plumb_foreign_key_new (NULL, ref_table);
      g_ptr_array_add (table->foreign_keys, key);
      last_id = id;
    }
    g_ptr_array_add (columns, name_of (reader->foreign_keys, 2));
    ref_column = name_of (reader->foreign_keys, 3);
    if (ref_column != NULL)
      g_ptr_array_add (ref_columns, ref_column);
  }
  finish_foreign_key (key, columns, ref_columns);
}

static PlumbTable *
find_folded (PlumbCatalog *catalog, const char *name)
{
  PlumbTable *exact = plumb_catalog_find (catalog, SCHEMA, name);

  for (guint i = 0; exact == NULL && i < catalog->tables->len; i++) {
    PlumbTable *table = g_ptr_array_index (catalog->tables, i);

    if (g_ascii_strcasecmp (table->name, name) == 0)
      return table;
  }
  return exact;
}

/* Names as stored, and the primary key's columns where a key names none. A key that refers to a
 * table that isn't there, or with another number of columns, can't be used and is left out. */
static gboolean
resolve_foreign_key (PlumbCatalog *catalog, PlumbForeignKey *key)
{
  const PlumbTable *target = find_folded (catalog, key->ref_table);

  if (target == NULL)
    return FALSE;
  g_free (key->ref_table);
  key->ref_table = g_strdup (target->name);
  if (key->ref_columns == NULL && target->primary_key != NULL)
    key->ref_columns = g_strdupv (target->primary_key);
  if (key->ref_columns == NULL || g_strv_length (key->ref_columns) != g_strv_length (key->columns))
    return FALSE;
  for (guint i = 0; key->ref_columns[i] != NULL; i++) {
    const PlumbColumn *column = plumb_table_find_column (target, key->ref_columns[i]);

    if (column == NULL)
      return FALSE;
    g_free (key->ref_columns[i]);
    key->ref_columns[i] = g_strdup (column->name);
  }
  return TRUE;
}

static void
resolve_foreign_keys (PlumbCatalog *catalog)
{
  for (guint i = 0; i < catalog->tables->len; i++) {
    PlumbTable *table = g_ptr_array_index (catalog->tables, i);

    for (guint k = table->foreign_keys->len; k > 0; k--) {
      if (!resolve_foreign_key (catalog, g_ptr_array_index (table->foreign_keys, k - 1)))
        g_ptr_array_remove_index (table->foreign_keys, k - 1);
    }
  }
}

static gint64
ask_number (CatalogReader *reader, const char *sql)
{
  g_autofree char *answer = plumb_sqlite_connection_ask (reader->connection, sql, NULL);

  return answer != NULL && *answer != '\0' ? g_ascii_strtoll (answer, NULL, 10) : -1;
}

/* A count where it is quick, else the largest rowid, which is near the count where rows are rarely
 * deleted; tables without rowids then stay unknown. */
static gint64
estimate_rows (CatalogReader *reader, const PlumbTable *table, gint64 stop_at)
{
  g_autofree char *quoted = plumb_sql_quote_identifier (PLUMB_DIALECT_SQLITE, table->name);
  g_autofree char *count_sql = g_strdup_printf (
    "SELECT count(*) FROM (SELECT 1 FROM main.%s LIMIT %d)", quoted, MOST_ROWS_COUNTED);
  g_autofree char *largest_sql = g_strdup_printf ("SELECT max(_rowid_) FROM main.%s", quoted);
  gint64 count = -1;

  if (g_get_monotonic_time () < stop_at) {
    reader->connection->deadline = stop_at;
    count = ask_number (reader, count_sql);
    reader->connection->deadline = 0;
  }
  if (count >= 0 && count < MOST_ROWS_COUNTED)
    return count;
  return MAX (count, ask_number (reader, largest_sql));
}

/* ANALYZE keeps the number of rows as the first word of sqlite_stat1.stat. */
static void
read_statistics (CatalogReader *reader)
{
  g_autoptr (PlumbSqliteStatement) statement = NULL;

  statement = plumb_sqlite_connection_prepare (
    reader->connection,
    "SELECT tbl, max(CAST(stat AS INTEGER)) FROM main.sqlite_stat1 "
    "GROUP BY tbl",
    NULL);
  while (statement != NULL && sqlite3_step (statement) == SQLITE_ROW) {
    PlumbTable *table = plumb_catalog_find (reader->catalog, SCHEMA, text_of (statement, 0) ?: "");

    if (table != NULL)
      table->row_estimate = sqlite3_column_int64 (statement, 1);
  }
}

static void
read_row_estimates (CatalogReader *reader)
{
  gint64 stop_at = g_get_monotonic_time () + COUNTING_PATIENCE;

  read_statistics (reader);
  for (guint i = 0; i < reader->catalog->tables->len; i++) {
    PlumbTable *table = g_ptr_array_index (reader->catalog->tables, i);

    if (table->row_estimate < 0 && table->kind == PLUMB_TABLE_KIND_TABLE)
      table->row_estimate = estimate_rows (reader, table, stop_at);
  }
}

static gboolean
read_tables (CatalogReader *reader, GError **error)
{
  g_autoptr (PlumbSqliteStatement) tables = NULL;
  int code;

  /* Shadow tables are the inside of a virtual table, and sqlite_… are the engine's. */
  tables = plumb_sqlite_connection_prepare (
    reader->connection,
    "SELECT l.name, l.type, m.sql FROM pragma_table_list AS l "
    "LEFT JOIN main.sqlite_master AS m ON m.name = l.name AND m.type IN ('table', 'view') "
    "WHERE l.schema = 'main' AND l.type <> 'shadow' AND l.name NOT LIKE 'sqlite\\_%' ESCAPE '\\' "
    "ORDER BY l.name",
    error);
  if (tables == NULL)
    return FALSE;
  while ((code = sqlite3_step (tables)) == SQLITE_ROW) {
    g_autofree char *name = name_of (tables, 0);
    PlumbTable *table = plumb_table_new (SCHEMA, name);

    if (g_strcmp0 (text_of (tables, 1), "view") == 0)
      table->kind = PLUMB_TABLE_KIND_VIEW;
    plumb_catalog_add_table (reader->catalog, table);
    if (!read_columns (reader, table))
      break;
    read_unique_keys (reader, table);
    read_foreign_keys (reader, table);
    if (table->kind == PLUMB_TABLE_KIND_TABLE && text_of (tables, 2) != NULL)
      plumb_sqlite_read_comments (text_of (tables, 2), table);
  }
  return code == SQLITE_DONE || plumb_sqlite_connection_set_error (reader->connection, error);
}

static gboolean
prepare_reader (CatalogReader *reader, GError **error)
{
  const struct {
    sqlite3_stmt **place;
    const char *sql;
  } statements[] = {
    { &reader->columns, "SELECT name, type, \"notnull\", pk FROM pragma_table_xinfo(?1) WHERE "
                        "hidden <> 1 ORDER BY cid" },
    { &reader->indexes, "SELECT name FROM pragma_index_list(?1) WHERE \"unique\" AND NOT partial "
                        "AND origin <> 'pk' ORDER BY seq DESC" },
    { &reader->index_columns, "SELECT name FROM pragma_index_info(?1) ORDER BY seqno" },
    { &reader->foreign_keys, "SELECT id, \"table\", \"from\", \"to\" FROM "
                             "pragma_foreign_key_list(?1) ORDER BY id DESC, seq" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (statements); i++) {
    *statements[i].place = plumb_sqlite_connection_prepare (reader->connection, statements[i].sql,
                                                            error);
    if (*statements[i].place == NULL)
      return FALSE;
  }
  return TRUE;
}

/**
 * plumb_sqlite_read_catalog:
 * @name: the source's name
 * @with_rows: whether to estimate how many rows each table has
 *
 * Returns: (transfer full): tables, views, columns, keys, comments; %NULL with an error
 */
PlumbCatalog *
plumb_sqlite_read_catalog (PlumbSqliteConnection *self, const char *name, gboolean with_rows,
                           GError **error)
{
  g_autoptr (PlumbCatalog) catalog = plumb_catalog_new (name);
  CatalogReader reader = { .connection = self, .catalog = catalog };
  gboolean guarded = self->guarded;
  gboolean good;

  self->guarded = FALSE;
  good = prepare_reader (&reader, error) && read_tables (&reader, error);
  if (good) {
    resolve_foreign_keys (catalog);
    if (with_rows)
      read_row_estimates (&reader);
    plumb_catalog_sort (catalog);
  }
  sqlite3_finalize (reader.columns);
  sqlite3_finalize (reader.indexes);
  sqlite3_finalize (reader.index_columns);
  sqlite3_finalize (reader.foreign_keys);
  self->guarded = guarded;
  if (!good || g_cancellable_set_error_if_cancelled (self->cancellable, error))
    return NULL;
  return g_steal_pointer (&catalog);
}
