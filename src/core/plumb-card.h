/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-catalog.h"
#include "plumb-json.h"

G_BEGIN_DECLS

/* What a table is for, DESIGN section 1. Unknown where nothing told. */
typedef enum {
  PLUMB_ROLE_UNKNOWN,
  PLUMB_ROLE_FACT,
  PLUMB_ROLE_DIMENSION,
  PLUMB_ROLE_CODE,
  PLUMB_ROLE_BRIDGE,
  PLUMB_ROLE_LOG,
  PLUMB_ROLE_PARTITION,
  PLUMB_ROLE_STAGING,
  PLUMB_ROLE_DRAFT,
  PLUMB_ROLE_BACKUP,
} PlumbRole;

/* How a table stands to its copy family. */
typedef enum {
  PLUMB_STATUS_LIVE,
  PLUMB_STATUS_BACKUP,
  PLUMB_STATUS_DRAFT,
  PLUMB_STATUS_STAGING,
  PLUMB_STATUS_PARTITION,
} PlumbStatus;

/**
 * PlumbCodeValue:
 * @value: a value as it stands in the column
 * @meaning: (nullable): what it means
 * @count: rows that hold it, -1 where unknown
 */
typedef struct {
  char *value;
  char *meaning;
  gint64 count;
} PlumbCodeValue;

/**
 * PlumbCardColumn:
 * @name: as the engine stores it
 * @type: the declared type
 * @comment: (nullable): the server's comment
 * @meaning: (nullable): in plain words, from comment, label, name rules, a model or a person
 * @key: (nullable): "PK", "FK → schema.table.column", or "PK, FK → …"
 * @nullable: as declared
 * @null_fraction: share of NULL from 0 to 1, -1 where unknown
 * @distinct: distinct values, -1 where unknown
 * @minimum: (nullable): smallest value
 * @maximum: (nullable): largest value
 * @values: (element-type PlumbCodeValue): frequent values, most frequent first
 * @misuse: (nullable): why this column is easily taken for another
 */
typedef struct {
  char *name;
  char *type;
  char *comment;
  char *meaning;
  char *key;
  gboolean nullable;
  double null_fraction;
  gint64 distinct;
  char *minimum;
  char *maximum;
  GPtrArray *values;
  char *misuse;
} PlumbCardColumn;

/**
 * PlumbCard:
 * @database: the source's name
 * @schema: the schema
 * @name: the table
 * @kind: table, view, partition …
 * @comment: (nullable): the server's comment
 * @label: (nullable): a readable name that came with the schema
 * @purpose: (nullable): what the table is for, in a sentence
 * @grain: (nullable): what one row is
 * @role: fact, dimension …
 * @status: live, backup …
 * @copy_of: (nullable): the live table that this one is a copy of, as `schema.table`
 * @family: (nullable): name of the partition family, the same in all its members
 * @reasons: (nullable): why it was judged a copy or a partition, a sentence each
 * @row_estimate: rows, -1 where unknown
 * @primary_key: (nullable): columns of the primary key
 * @foreign_keys: (element-type PlumbForeignKey): declared foreign keys
 * @columns: (element-type PlumbCardColumn): in their order
 * @misuse: (nullable): sentences on what is easily got wrong with this table
 * @synonyms: (nullable): other words for it, in any language
 * @selectable: whether the account may read it
 * @gone: whether the last analysis no longer found it
 * @analyzed_at: seconds since the epoch, 0 for never ("Not analyzed")
 * @fingerprint: (nullable): hash of what the card was made from
 *
 * Reference counted. Whoever builds a card fills it; once stored or handed on it isn't changed.
 */
typedef struct {
  char *database;
  char *schema;
  char *name;
  PlumbTableKind kind;
  char *comment;
  char *label;
  char *purpose;
  char *grain;
  PlumbRole role;
  PlumbStatus status;
  char *copy_of;
  char *family;
  GStrv reasons;
  gint64 row_estimate;
  GStrv primary_key;
  GPtrArray *foreign_keys;
  GPtrArray *columns;
  GStrv misuse;
  GStrv synonyms;
  gboolean selectable;
  gboolean gone;
  gint64 analyzed_at;
  char *fingerprint;
} PlumbCard;

PlumbCard       *plumb_card_new             (const char *database, const char *schema, const char *name);
PlumbCard       *plumb_card_new_from_table  (const char *database, const PlumbTable *table);
PlumbCard       *plumb_card_ref             (PlumbCard *self);
void             plumb_card_unref           (PlumbCard *self);
PlumbCardColumn *plumb_card_add_column      (PlumbCard *self, const char *name, const char *type);
PlumbCardColumn *plumb_card_find_column     (PlumbCard *self, const char *name);
void             plumb_card_column_add_value (PlumbCardColumn *self, const char *value, const char *meaning, gint64 count);
char            *plumb_card_get_full_name   (PlumbCard *self);
const char      *plumb_card_get_own_name    (PlumbCard *self);
void             plumb_card_write_json      (PlumbCard *self, PlumbJsonWriter *writer);
char            *plumb_card_to_json         (PlumbCard *self);
PlumbCard       *plumb_card_from_json       (const char *json, GError **error);

const char      *plumb_role_to_string       (PlumbRole role);
PlumbRole        plumb_role_from_string     (const char *text);
const char      *plumb_status_to_string     (PlumbStatus status);
PlumbStatus      plumb_status_from_string   (const char *text);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlumbCard, plumb_card_unref)

G_END_DECLS
