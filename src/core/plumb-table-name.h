/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-error.h"

G_BEGIN_DECLS

/**
 * PlumbTableName:
 * @database: (nullable): the source's name
 * @schema: (nullable): the schema
 * @table: the table
 *
 * A table's name as people and models write it: `database.schema.table`, shortened where that is
 * unambiguous. A part that holds anything but letters of any script, digits and underscores stands
 * in double quotes, inner quotes doubled.
 */
typedef struct {
  char *database;
  char *schema;
  char *table;
} PlumbTableName;

PlumbTableName *plumb_table_name_new    (const char *database, const char *schema, const char *table);
PlumbTableName *plumb_table_name_copy   (const PlumbTableName *self);
void            plumb_table_name_free   (PlumbTableName *self);
PlumbTableName *plumb_table_name_parse  (const char *text, GError **error);
char           *plumb_table_name_format (const PlumbTableName *self);
char           *plumb_table_name_join   (const char *database, const char *schema, const char *table);
char           *plumb_table_name_quote_part (const char *part);
gboolean        plumb_table_name_equal  (const PlumbTableName *a, const PlumbTableName *b);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlumbTableName, plumb_table_name_free)

G_END_DECLS
