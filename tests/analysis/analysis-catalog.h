/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-analysis.h"

#include <string.h>

/* Catalogs for tests, in a few words: columns as "NAME TYPE, NAME TYPE", the key as "A, B". */

static inline PlumbTable *
add_table (PlumbCatalog *catalog, const char *name, const char *columns, const char *key)
{
  PlumbTable *table = plumb_table_new ("main", name);
  g_auto (GStrv) parts = g_strsplit (columns, ", ", -1);

  for (guint i = 0; parts[i] != NULL; i++) {
    char *space = strchr (parts[i], ' ');

    if (space != NULL)
      *space = '\0';
    g_ptr_array_add (table->columns,
                     plumb_column_new (parts[i], space != NULL ? space + 1 : "TEXT"));
  }
  if (key != NULL)
    table->primary_key = g_strsplit (key, ", ", -1);
  plumb_catalog_add_table (catalog, table);
  return table;
}

static inline void
add_foreign_key (PlumbTable *table, const char *column, const char *ref_table,
                 const char *ref_column)
{
  PlumbForeignKey *key = plumb_foreign_key_new (NULL, ref_table);

  key->columns = g_strsplit (column, ", ", -1);
  key->ref_columns = g_strsplit (ref_column, ", ", -1);
  g_ptr_array_add (table->foreign_keys, key);
}

static inline PlumbCard *
find_card (GPtrArray *cards, const char *name)
{
  for (guint i = 0; i < cards->len; i++) {
    PlumbCard *card = g_ptr_array_index (cards, i);

    if (strcmp (card->name, name) == 0)
      return card;
  }
  g_error ("no card %s", name);
}
