/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-postgres-private.h"

#include <string.h>

/* The whole catalog comes in four questions, whatever the number of tables. */

#define OF_USERS \
  "n.nspname <> 'information_schema' AND n.nspname NOT LIKE 'pg\\_%' AND c.relkind IN ('r', 'v', " \
  "'m', 'p', 'f')"

#define MAY_SELECT \
  "has_schema_privilege(n.oid, 'USAGE') AND has_any_column_privilege(c.oid, 'SELECT')"

/* A new table has reltuples -1, or 0 before PostgreSQL 14; then the statistics collector may know.
 */
static const char tables_question[] =
  "SELECT c.oid, n.nspname, c.relname, c.relkind, "
  "CASE WHEN c.reltuples > 0 THEN c.reltuples::bigint WHEN pg_stat_get_live_tuples(c.oid) > 0 "
  "THEN pg_stat_get_live_tuples(c.oid) ELSE c.reltuples::bigint END, "
  "has_schema_privilege(n.oid, 'USAGE') AND has_table_privilege(c.oid, 'SELECT'), "
  MAY_SELECT ", "
  "CASE WHEN c.relispartition THEN p.relname END, CASE WHEN c.relispartition THEN i.inhparent END, "
  "obj_description(c.oid, 'pg_class') "
  "FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace "
  "LEFT JOIN pg_inherits i ON i.inhrelid = c.oid AND c.relispartition "
  "LEFT JOIN pg_class p ON p.oid = i.inhparent "
  "WHERE " OF_USERS;

static const char columns_question[] =
  "SELECT a.attrelid, a.attnum, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, "
  "d.description, "
  "has_column_privilege(a.attrelid, a.attnum, 'SELECT') "
  "FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = "
  "c.relnamespace "
  "LEFT JOIN pg_description d ON d.classoid = 'pg_class'::regclass AND d.objoid = a.attrelid AND "
  "d.objsubid = a.attnum "
  "WHERE a.attnum > 0 AND NOT a.attisdropped AND " OF_USERS " ORDER BY a.attrelid, a.attnum";

/* An index over an expression or a part of the table says nothing about its columns. */
static const char indexes_question[] =
  "SELECT x.indrelid, x.indisprimary, (x.indkey::int2[])[0:x.indnkeyatts - 1] "
  "FROM pg_index x JOIN pg_class c ON c.oid = x.indrelid JOIN pg_namespace n ON n.oid = "
  "c.relnamespace "
  "WHERE x.indisunique AND x.indisvalid AND x.indpred IS NULL AND x.indexprs IS NULL AND " OF_USERS
  " ORDER BY x.indrelid, x.indexrelid";

/* A key that refers to a partitioned table has a copy for each partition; only the first counts. */
static const char foreign_keys_question[] =
  "SELECT k.conrelid, k.conname, k.conkey, k.confrelid, k.confkey "
  "FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid JOIN pg_namespace n ON n.oid = "
  "c.relnamespace "
  "LEFT JOIN pg_constraint parent ON parent.oid = k.conparentid "
  "WHERE k.contype = 'f' AND parent.conrelid IS DISTINCT FROM k.conrelid AND " OF_USERS
  " ORDER BY k.conrelid, k.conname";

/* A table with what its rows in the catalog are found by. */
typedef struct {
  PlumbTable *table;
  GHashTable *columns; /* attnum → name, owned by the table */
  gboolean all_selectable;
  gboolean has_rows; /* and isn't only the sum of its partitions */
  guint parent;
} Relation;

typedef struct {
  PGconn *pg;
  GCancellable *cancellable;
  PlumbCatalog *catalog;
  GHashTable *relations; /* oid → Relation */
} CatalogReader;

static void
relation_free (Relation *self)
{
  g_hash_table_unref (self->columns);
  g_free (self);
}

static guint
number_at (const PGresult *result, int row, int column)
{
  return (guint) g_ascii_strtoull (PQgetvalue (result, row, column), NULL, 10);
}

static gboolean
true_at (const PGresult *result, int row, int column)
{
  return *PQgetvalue (result, row, column) == 't';
}

static char *
text_at (const PGresult *result, int row, int column)
{
  const char *text = PQgetvalue (result, row, column);

  return PQgetisnull (result, row, column) || *text == '\0' ? NULL : g_utf8_make_valid (text, -1);
}

static PlumbTableKind
kind_of (char relkind, gboolean is_partition)
{
  if (is_partition)
    return PLUMB_TABLE_KIND_PARTITION;
  switch (relkind) {
  case 'v':
    return PLUMB_TABLE_KIND_VIEW;
  case 'm':
    return PLUMB_TABLE_KIND_MATERIALIZED_VIEW;
  case 'p':
    return PLUMB_TABLE_KIND_PARTITIONED;
  case 'f':
    return PLUMB_TABLE_KIND_FOREIGN;
  default:
    return PLUMB_TABLE_KIND_TABLE;
  }
}

static Relation *
find_relation (CatalogReader *reader, const PGresult *result, int row, int column)
{
  return g_hash_table_lookup (reader->relations,
                              GUINT_TO_POINTER (number_at (result, row, column)));
}

static gboolean
read_tables (CatalogReader *reader, GError **error)
{
  g_autoptr (PGresult) result =
    plumb_postgres_ask (reader->pg, tables_question, 0, NULL, reader->cancellable, error);

  for (int row = 0; result != NULL && row < PQntuples (result); row++) {
    g_autofree char *schema = text_at (result, row, 1);
    g_autofree char *name = text_at (result, row, 2);
    PlumbTable *table = plumb_table_new (schema, name);
    Relation *relation = g_new0 (Relation, 1);

    table->partition_of = text_at (result, row, 7);
    table->kind = kind_of (*PQgetvalue (result, row, 3), table->partition_of != NULL);
    if (table->kind != PLUMB_TABLE_KIND_VIEW)
      table->row_estimate = g_ascii_strtoll (PQgetvalue (result, row, 4), NULL, 10);
    table->selectable = true_at (result, row, 6);
    table->comment = text_at (result, row, 9);
    relation->table = table;
    relation->all_selectable = true_at (result, row, 5) || !table->selectable;
    relation->has_rows = *PQgetvalue (result, row, 3) != 'p';
    relation->parent = number_at (result, row, 8);
    relation->columns = g_hash_table_new (NULL, NULL);
    g_hash_table_insert (reader->relations, GUINT_TO_POINTER (number_at (result, row, 0)),
                         relation);
    plumb_catalog_add_table (reader->catalog, table);
  }
  return result != NULL;
}

/* Where the account may read some columns only, the others aren't there for it. */
static gboolean
read_columns (CatalogReader *reader, GError **error)
{
  g_autoptr (PGresult) result =
    plumb_postgres_ask (reader->pg, columns_question, 0, NULL, reader->cancellable, error);

  for (int row = 0; result != NULL && row < PQntuples (result); row++) {
    Relation *relation = find_relation (reader, result, row, 0);
    g_autofree char *name = text_at (result, row, 2);
    PlumbColumn *column;

    if (relation == NULL || !(relation->all_selectable || true_at (result, row, 6)))
      continue;
    column = plumb_column_new (name, PQgetvalue (result, row, 3));
    column->nullable = !true_at (result, row, 4);
    column->comment = text_at (result, row, 5);
    g_ptr_array_add (relation->table->columns, column);
    g_hash_table_insert (relation->columns, GUINT_TO_POINTER (number_at (result, row, 1)),
                         column->name);
  }
  return result != NULL;
}

/* Names of the columns that an array such as {1,3} numbers; NULL where one isn't there. */
static GStrv
name_columns (const Relation *relation, const char *array)
{
  g_autofree char *inside = g_strndup (array + 1, MAX (strlen (array), 2) - 2);
  g_auto (GStrv) numbers = g_strsplit (strchr (array, '{') != NULL ? inside : "", ",", -1);
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();

  for (guint i = 0; numbers[i] != NULL; i++) {
    guint number = (guint) g_ascii_strtoull (numbers[i], NULL, 10);
    const char *name = g_hash_table_lookup (relation->columns, GUINT_TO_POINTER (number));

    if (name == NULL)
      return NULL;
    g_strv_builder_add (names, name);
  }
  return numbers[0] != NULL ? g_strv_builder_end (names) : NULL;
}

static gboolean
read_indexes (CatalogReader *reader, GError **error)
{
  g_autoptr (PGresult) result =
    plumb_postgres_ask (reader->pg, indexes_question, 0, NULL, reader->cancellable, error);

  for (int row = 0; result != NULL && row < PQntuples (result); row++) {
    Relation *relation = find_relation (reader, result, row, 0);
    const char *array = PQgetvalue (result, row, 2);
    const char *brace = strchr (array, '{'); /* bounds that don't begin at 1 stand in front */
    GStrv names = relation != NULL && brace != NULL ? name_columns (relation, brace) : NULL;

    if (names == NULL)
      continue;
    if (true_at (result, row, 1))
      relation->table->primary_key = names;
    else
      g_ptr_array_add (relation->table->unique_keys, names);
  }
  return result != NULL;
}

static gboolean
read_foreign_keys (CatalogReader *reader, GError **error)
{
  g_autoptr (PGresult) result = plumb_postgres_ask (reader->pg, foreign_keys_question, 0, NULL,
                                                    reader->cancellable, error);

  for (int row = 0; result != NULL && row < PQntuples (result); row++) {
    Relation *relation = find_relation (reader, result, row, 0);
    Relation *target = find_relation (reader, result, row, 3);
    g_auto (GStrv) columns = relation != NULL ? name_columns (relation, PQgetvalue (result, row, 2))
                                              : NULL;
    g_auto (GStrv) ref_columns = target != NULL ? name_columns (target, PQgetvalue (result, row, 4))
                                                : NULL;
    PlumbForeignKey *key;

    if (columns == NULL || ref_columns == NULL)
      continue;
    key = plumb_foreign_key_new (target->table->schema, target->table->name);
    key->name = text_at (result, row, 1);
    key->columns = g_steal_pointer (&columns);
    key->ref_columns = g_steal_pointer (&ref_columns);
    g_ptr_array_add (relation->table->foreign_keys, key);
  }
  return result != NULL;
}

/* A partitioned table has no rows of its own: those of its partitions are its rows. Partitions can
 * have partitions, so each hands its rows to all above it. */
static void
sum_partitions (CatalogReader *reader)
{
  g_autoptr (GHashTable) sums = g_hash_table_new (NULL, NULL);
  GHashTableIter iter;
  gpointer key, value;

  g_hash_table_iter_init (&iter, reader->relations);
  while (g_hash_table_iter_next (&iter, &key, &value)) {
    Relation *relation = value;
    gint64 rows = relation->has_rows ? relation->table->row_estimate : 0;
    Relation *above = g_hash_table_lookup (reader->relations, GUINT_TO_POINTER (relation->parent));

    for (; above != NULL && rows > 0;
         above = g_hash_table_lookup (reader->relations, GUINT_TO_POINTER (above->parent))) {
      gsize sum = GPOINTER_TO_SIZE (g_hash_table_lookup (sums, above));

      g_hash_table_insert (sums, above, GSIZE_TO_POINTER (sum + (gsize) rows));
    }
  }
  g_hash_table_iter_init (&iter, sums);
  while (g_hash_table_iter_next (&iter, &key, &value)) {
    Relation *relation = key;

    if (relation->table->row_estimate <= 0)
      relation->table->row_estimate = (gint64) GPOINTER_TO_SIZE (value);
  }
}

/**
 * plumb_postgres_read_catalog:
 * @pg: a connection with a transaction open
 * @name: the source's name
 *
 * Returns: (transfer full): tables, views, partitions and foreign tables of all schemas but the
 *   server's own, with what the account may select; %NULL with an error
 */
PlumbCatalog *
plumb_postgres_read_catalog (PGconn *pg, const char *name, GCancellable *cancellable,
                             GError **error)
{
  g_autoptr (PlumbCatalog) catalog = plumb_catalog_new (name);
  g_autoptr (GHashTable) relations =
    g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) relation_free);
  CatalogReader reader = { pg, cancellable, catalog, relations };

  if (!read_tables (&reader, error) || !read_columns (&reader, error) ||
      !read_indexes (&reader, error) || !read_foreign_keys (&reader, error))
    return NULL;
  sum_partitions (&reader);
  plumb_catalog_sort (catalog);
  return g_steal_pointer (&catalog);
}

/**
 * plumb_postgres_count_tables:
 * @pg: a connection with a transaction open
 * @n_tables: (out): how many tables plumb_postgres_read_catalog() would give
 * @n_selectable: (out): how many of them the account may select from
 *
 * Counts at the server: over a slow network reading all of a large catalog takes a minute.
 *
 * Returns: %FALSE with an error
 */
gboolean
plumb_postgres_count_tables (PGconn *pg, guint *n_tables, guint *n_selectable,
                             GCancellable *cancellable, GError **error)
{
  g_autoptr (PGresult) result =
    plumb_postgres_ask (pg,
                        "SELECT count(*), count(*) FILTER (WHERE " MAY_SELECT ") FROM pg_class c "
                        "JOIN pg_namespace n ON n.oid = c.relnamespace WHERE " OF_USERS,
                        0, NULL, cancellable, error);

  if (result == NULL)
    return FALSE;
  *n_tables = number_at (result, 0, 0);
  *n_selectable = number_at (result, 0, 1);
  return TRUE;
}
