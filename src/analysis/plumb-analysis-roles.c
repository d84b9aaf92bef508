/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-analysis-private.h"

#include "plumb-text.h"

#include <string.h>

/* A code table has few columns and, where it is known, few rows. */
#define MAX_CODE_COLUMNS 8
#define MAX_CODE_ROWS 5000

static const char *const code_words[] = {
  "cd", "code", "codes", "lookup", "lu", "lkp", "type", "types", "typ", "status", "statuses",
  "stat", "reason", "category", "categories", "enum", "코드", NULL,
};
static const char *const log_words[] = {
  "log", "logs", "audit", "trace", "trk", "tracking", "event", "events", "err", "error", "errors",
  NULL,
};
static const char *const history_words[] = {
  "hist", "history", "his", "h", "chg", "change", "changes", NULL,
};
static const char *const bridge_words[] = {
  "map", "mapping", "rel", "rlt", "relation", "xref", "link", "assoc", "bridge", NULL,
};
static const char *const dimension_words[] = { "mst", "mstr", "master", "dim", "info", NULL };

typedef struct {
  guint references;  /* columns that lead to other tables, declared or by their names */
  guint amounts;
  guint dates;
  guint others;
} Shape;

static gboolean
is_key_like (const char *name)
{
  static const char *const words[] = { "id", "no", "cd", "code", "key", "num", "nbr", NULL };
  g_autoptr (GPtrArray) parts = plumb_text_split_identifier (name);

  return parts->len > 1 && g_strv_contains (words, g_ptr_array_index (parts, parts->len - 1));
}

static gboolean
is_quantity (const PlumbColumn *column)
{
  static const char *const words[] = {
    "qty", "quantity", "cnt", "count", "hours", "points", "수량", NULL,
  };
  g_autoptr (GPtrArray) parts = plumb_text_split_identifier (column->name);

  return plumb_words_have (parts, words) ||
         plumb_column_is_amount (column->name, column->type);
}

static gboolean
is_own_key (const PlumbTable *table, const char *column)
{
  return table->primary_key != NULL && g_strv_length (table->primary_key) == 1 &&
         strcmp (table->primary_key[0], column) == 0;
}

static Shape
read_shape (const PlumbTable *table)
{
  Shape shape = { 0 };

  for (guint i = 0; i < table->columns->len; i++) {
    PlumbColumn *column = g_ptr_array_index (table->columns, i);

    if (is_own_key (table, column->name))
      continue;
    if (plumb_column_is_date (column->name, column->type))
      shape.dates += !plumb_column_is_bookkeeping (column->name);
    else if (is_quantity (column))
      shape.amounts++;
    else if (is_key_like (column->name))
      shape.references++;
    else
      shape.others++;
  }
  return shape;
}

static gboolean
has_name_column (const PlumbTable *table)
{
  for (guint i = 0; i < table->columns->len; i++) {
    PlumbColumn *column = g_ptr_array_index (table->columns, i);

    if (plumb_column_is_name (column->name) &&
        plumb_column_classify (column->type) == PLUMB_COLUMN_TEXT)
      return TRUE;
  }
  return FALSE;
}

static gboolean
is_code_table (const PlumbTable *table, GPtrArray *words)
{
  return table->columns->len >= 2 && table->columns->len <= MAX_CODE_COLUMNS &&
         table->row_estimate <= MAX_CODE_ROWS && plumb_words_have (words, code_words) &&
         has_name_column (table);
}

static gboolean
is_bridge (const PlumbTable *table, GPtrArray *words, const Shape *shape)
{
  guint key = table->primary_key != NULL ? g_strv_length (table->primary_key) : 0;

  if (shape->amounts > 0 || table->columns->len > 6)
    return FALSE;
  if (table->foreign_keys->len >= 2 && key >= 2)
    return TRUE;
  return plumb_words_have (words, bridge_words) && shape->references + key >= 2;
}

static PlumbRole
find_role (const PlumbTable *table)
{
  g_autoptr (GPtrArray) words = plumb_text_split_identifier (table->name);
  Shape shape = read_shape (table);

  if (words->len == 0)
    return PLUMB_ROLE_UNKNOWN;
  if (is_code_table (table, words))
    return PLUMB_ROLE_CODE;
  if (is_bridge (table, words, &shape))
    return PLUMB_ROLE_BRIDGE;
  if (plumb_words_have (words, log_words) ||
      (plumb_words_have (words, history_words) && shape.amounts == 0) ||
      strcmp (g_ptr_array_index (words, words->len - 1), "h") == 0)
    return PLUMB_ROLE_LOG;
  if (shape.amounts > 0 && (shape.dates > 0 || shape.references > 1) && shape.references > 0 &&
      !(plumb_words_have (words, dimension_words) && shape.amounts < 2 && shape.references < 3))
    return PLUMB_ROLE_FACT;
  if (plumb_words_have (words, dimension_words) || has_name_column (table))
    return PLUMB_ROLE_DIMENSION;
  return shape.dates > 0 && shape.references > 0 ? PLUMB_ROLE_FACT : PLUMB_ROLE_UNKNOWN;
}

/**
 * plumb_analysis_assign_roles:
 * @catalog: a catalog
 * @cards: (element-type PlumbCard): its cards, in the same order
 *
 * Gives a role to every table that isn't a copy or a partition, by its name and the shape of its
 * columns.
 */
void
plumb_analysis_assign_roles (PlumbCatalog *catalog, GPtrArray *cards)
{
  for (guint i = 0; i < cards->len; i++) {
    PlumbCard *card = g_ptr_array_index (cards, i);

    if (card->role == PLUMB_ROLE_UNKNOWN)
      card->role = find_role (g_ptr_array_index (catalog->tables, i));
  }
}
