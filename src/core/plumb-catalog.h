/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

/* What a source holds, as its own catalog tells. Plain values: built once by a source's reader,
 * read by everyone, freed with the catalog that owns them. All strings are UTF-8. */

typedef enum {
  PLUMB_TABLE_KIND_TABLE,
  PLUMB_TABLE_KIND_VIEW,
  PLUMB_TABLE_KIND_MATERIALIZED_VIEW,
  PLUMB_TABLE_KIND_PARTITIONED,
  PLUMB_TABLE_KIND_PARTITION,
  PLUMB_TABLE_KIND_FOREIGN,
} PlumbTableKind;

/**
 * PlumbColumn:
 * @name: as the engine stores it
 * @type: the declared type, in the engine's own words; empty where it has none
 * @comment: (nullable): the comment at the server
 * @label: (nullable): a readable name that came with the schema
 * @samples: (nullable): a few values that came with the schema
 * @nullable: whether NULL is allowed, as declared
 */
typedef struct {
  char *name;
  char *type;
  char *comment;
  char *label;
  GStrv samples;
  gboolean nullable;
} PlumbColumn;

/**
 * PlumbForeignKey:
 * @name: (nullable): the constraint's name
 * @columns: this table's columns
 * @ref_schema: (nullable): the schema referred to; %NULL for this table's own
 * @ref_table: the table referred to
 * @ref_columns: its columns, in the order of @columns
 */
typedef struct {
  char *name;
  GStrv columns;
  char *ref_schema;
  char *ref_table;
  GStrv ref_columns;
} PlumbForeignKey;

/**
 * PlumbTable:
 * @schema: the schema, "main" in SQLite; never %NULL
 * @name: the table
 * @kind: what it is
 * @comment: (nullable): the comment at the server
 * @label: (nullable): a readable name that came with the schema
 * @row_estimate: rows as the server estimates them, -1 where it doesn't say
 * @selectable: whether the account may read it
 * @partition_of: (nullable): the parent of a declared partition, in the same schema
 * @columns: (element-type PlumbColumn): in their order
 * @primary_key: (nullable): names of the primary key's columns
 * @unique_keys: (element-type GStrv): other unique keys
 * @foreign_keys: (element-type PlumbForeignKey): declared foreign keys
 */
typedef struct {
  char *schema;
  char *name;
  PlumbTableKind kind;
  char *comment;
  char *label;
  gint64 row_estimate;
  gboolean selectable;
  char *partition_of;
  GPtrArray *columns;
  GStrv primary_key;
  GPtrArray *unique_keys;
  GPtrArray *foreign_keys;
} PlumbTable;

/**
 * PlumbCatalog:
 * @database: the source's name
 * @tables: (element-type PlumbTable): sorted by schema and name
 *
 * Reference counted; see plumb_catalog_ref(). Not changed any more once a reader has returned it.
 */
typedef struct {
  char *database;
  GPtrArray *tables;
  GHashTable *by_name;
} PlumbCatalog;

PlumbColumn     *plumb_column_new          (const char *name, const char *type);
PlumbForeignKey *plumb_foreign_key_new     (const char *ref_schema, const char *ref_table);
PlumbTable      *plumb_table_new           (const char *schema, const char *name);
PlumbColumn     *plumb_table_find_column   (const PlumbTable *self, const char *name);

PlumbCatalog    *plumb_catalog_new         (const char *database);
PlumbCatalog    *plumb_catalog_ref         (PlumbCatalog *self);
void             plumb_catalog_unref       (PlumbCatalog *self);
void             plumb_catalog_add_table   (PlumbCatalog *self, PlumbTable *table);
void             plumb_catalog_sort        (PlumbCatalog *self);
PlumbTable      *plumb_catalog_find        (PlumbCatalog *self, const char *schema, const char *name);

const char      *plumb_table_kind_to_string   (PlumbTableKind kind);
PlumbTableKind   plumb_table_kind_from_string (const char *text);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlumbCatalog, plumb_catalog_unref)

G_END_DECLS
