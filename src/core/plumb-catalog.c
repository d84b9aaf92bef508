/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-catalog.h"

#include <string.h>

/* Schema and table in one string; the separator is a byte that no name has. */
static char *
table_key (const char *schema, const char *name)
{
  return g_strconcat (schema, "\001", name, NULL);
}

static const char *const kind_names[] = {
  [PLUMB_TABLE_KIND_TABLE] = "table",
  [PLUMB_TABLE_KIND_VIEW] = "view",
  [PLUMB_TABLE_KIND_MATERIALIZED_VIEW] = "materialized view",
  [PLUMB_TABLE_KIND_PARTITIONED] = "partitioned table",
  [PLUMB_TABLE_KIND_PARTITION] = "partition",
  [PLUMB_TABLE_KIND_FOREIGN] = "foreign table",
};

/** plumb_table_kind_to_string: Returns: @kind in words, for people and for JSON */
const char *
plumb_table_kind_to_string (PlumbTableKind kind)
{
  return kind_names[kind];
}

/** plumb_table_kind_from_string: Returns: the kind that @text names; a plain table if none */
PlumbTableKind
plumb_table_kind_from_string (const char *text)
{
  for (guint i = 0; i < G_N_ELEMENTS (kind_names); i++) {
    if (g_strcmp0 (text, kind_names[i]) == 0)
      return i;
  }
  return PLUMB_TABLE_KIND_TABLE;
}

/** plumb_column_new: Returns: (transfer full): a nullable column; @type may be %NULL for none */
PlumbColumn *
plumb_column_new (const char *name, const char *type)
{
  PlumbColumn *self = g_new0 (PlumbColumn, 1);

  self->name = g_strdup (name);
  self->type = g_strdup (type != NULL ? type : "");
  self->nullable = TRUE;
  return self;
}

static void
column_free (PlumbColumn *self)
{
  g_free (self->name);
  g_free (self->type);
  g_free (self->comment);
  g_free (self->label);
  g_strfreev (self->samples);
  g_free (self);
}

/** plumb_foreign_key_new: Returns: (transfer full): a foreign key without columns yet */
PlumbForeignKey *
plumb_foreign_key_new (const char *ref_schema, const char *ref_table)
{
  PlumbForeignKey *self = g_new0 (PlumbForeignKey, 1);

  self->ref_schema = g_strdup (ref_schema);
  self->ref_table = g_strdup (ref_table);
  return self;
}

static void
foreign_key_free (PlumbForeignKey *self)
{
  g_free (self->name);
  g_strfreev (self->columns);
  g_free (self->ref_schema);
  g_free (self->ref_table);
  g_strfreev (self->ref_columns);
  g_free (self);
}

/** plumb_table_new: Returns: (transfer full): a selectable table without columns */
PlumbTable *
plumb_table_new (const char *schema, const char *name)
{
  PlumbTable *self = g_new0 (PlumbTable, 1);

  self->schema = g_strdup (schema != NULL ? schema : "");
  self->name = g_strdup (name);
  self->row_estimate = -1;
  self->selectable = TRUE;
  self->columns = g_ptr_array_new_with_free_func ((GDestroyNotify) column_free);
  self->unique_keys = g_ptr_array_new_with_free_func ((GDestroyNotify) g_strfreev);
  self->foreign_keys = g_ptr_array_new_with_free_func ((GDestroyNotify) foreign_key_free);
  return self;
}

static void
table_free (PlumbTable *self)
{
  g_free (self->schema);
  g_free (self->name);
  g_free (self->comment);
  g_free (self->label);
  g_free (self->partition_of);
  g_strfreev (self->primary_key);
  g_ptr_array_unref (self->columns);
  g_ptr_array_unref (self->unique_keys);
  g_ptr_array_unref (self->foreign_keys);
  g_free (self);
}

/**
 * plumb_table_find_column:
 *
 * Returns: (transfer none) (nullable): the column of exactly that name, else the only one whose
 *   name differs in case alone
 */
PlumbColumn *
plumb_table_find_column (const PlumbTable *self, const char *name)
{
  PlumbColumn *folded = NULL;
  guint n_folded = 0;

  for (guint i = 0; i < self->columns->len; i++) {
    PlumbColumn *column = g_ptr_array_index (self->columns, i);

    if (strcmp (column->name, name) == 0)
      return column;
    if (g_ascii_strcasecmp (column->name, name) == 0) {
      folded = column;
      n_folded++;
    }
  }
  return n_folded == 1 ? folded : NULL;
}

/** plumb_catalog_new: Returns: (transfer full): an empty catalog of the source @database */
PlumbCatalog *
plumb_catalog_new (const char *database)
{
  PlumbCatalog *self = g_atomic_rc_box_new0 (PlumbCatalog);

  self->database = g_strdup (database);
  self->tables = g_ptr_array_new_with_free_func ((GDestroyNotify) table_free);
  self->by_name = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  return self;
}

/** plumb_catalog_ref: Returns: (transfer full): @self with one more reference */
PlumbCatalog *
plumb_catalog_ref (PlumbCatalog *self)
{
  return g_atomic_rc_box_acquire (self);
}

static void
catalog_clear (PlumbCatalog *self)
{
  g_free (self->database);
  g_ptr_array_unref (self->tables);
  g_hash_table_unref (self->by_name);
}

/** plumb_catalog_unref: gives a reference back */
void
plumb_catalog_unref (PlumbCatalog *self)
{
  if (self != NULL)
    g_atomic_rc_box_release_full (self, (GDestroyNotify) catalog_clear);
}

/** plumb_catalog_add_table: adds @table, which the catalog then owns */
void
plumb_catalog_add_table (PlumbCatalog *self, PlumbTable *table)
{
  g_ptr_array_add (self->tables, table);
  g_hash_table_insert (self->by_name, table_key (table->schema, table->name), table);
}

static int
compare_tables (gconstpointer a, gconstpointer b)
{
  const PlumbTable *left = *(PlumbTable *const *) a;
  const PlumbTable *right = *(PlumbTable *const *) b;
  int order = strcmp (left->schema, right->schema);

  return order != 0 ? order : strcmp (left->name, right->name);
}

/** plumb_catalog_sort: sorts the tables by schema and name, bytewise */
void
plumb_catalog_sort (PlumbCatalog *self)
{
  g_ptr_array_sort (self->tables, compare_tables);
}

/**
 * plumb_catalog_find:
 * @schema: (nullable): the schema; %NULL for whichever has the table
 * @name: the table, spelled as stored
 *
 * Returns: (transfer none) (nullable): the table
 */
PlumbTable *
plumb_catalog_find (PlumbCatalog *self, const char *schema, const char *name)
{
  g_autofree char *key = NULL;

  if (schema != NULL) {
    key = table_key (schema, name);
    return g_hash_table_lookup (self->by_name, key);
  }
  for (guint i = 0; i < self->tables->len; i++) {
    PlumbTable *table = g_ptr_array_index (self->tables, i);

    if (strcmp (table->name, name) == 0)
      return table;
  }
  return NULL;
}
