/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-index-private.h"

#include <string.h>

static int
compare_strings (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/**
 * plumb_join_edge_get_identity:
 * @edge: an edge with its tables and key columns
 *
 * Returns: (transfer full): a text that is the same for edges that join the same tables by the same
 *   key pairs, in whatever direction and order these are written
 */
char *
plumb_join_edge_get_identity (PlumbJoinEdge *edge)
{
  g_autofree char *left = plumb_table_name_format (edge->left);
  g_autofree char *right = plumb_table_name_format (edge->right);
  g_autofree char *left_keys = g_strjoinv ("\x1f", edge->left_columns);
  g_autofree char *right_keys = g_strjoinv ("\x1f", edge->right_columns);
  g_autoptr (GPtrArray) pairs = g_ptr_array_new_with_free_func (g_free);
  int order = strcmp (left, right);
  gboolean swapped = order > 0 || (order == 0 && strcmp (left_keys, right_keys) > 0);
  GStrv first = swapped ? edge->right_columns : edge->left_columns;
  GStrv second = swapped ? edge->left_columns : edge->right_columns;
  g_autofree char *keys = NULL;

  for (guint i = 0; first[i] != NULL; i++)
    g_ptr_array_add (pairs, g_strconcat (first[i], "\x1f", second[i], NULL));
  g_ptr_array_sort (pairs, compare_strings);
  g_ptr_array_add (pairs, NULL);
  keys = g_strjoinv ("\x1e", (GStrv) pairs->pdata);
  return g_strjoin ("\x1e", swapped ? right : left, swapped ? left : right, keys, NULL);
}

/* The card of a table that is there, NULL where there is none. */
static PlumbCard *
load_card (PlumbTransaction *self, const PlumbTableName *name)
{
  sqlite3_stmt *row = plumb_transaction_bind (self, NULL,
                                              "SELECT " PLUMB_CARD_COLUMNS
                                              " FROM " PLUMB_CARD_TABLES
                                              " WHERE database_name = ?1 AND schema_name = ?2"
                                              " AND table_name = ?3 AND gone = 0",
                                              "sss", name->database, name->schema, name->table);
  PlumbCard *card = NULL;

  if (row != NULL && plumb_transaction_step (self, row, NULL) == SQLITE_ROW) {
    card = plumb_row_get_card (row, NULL);
    sqlite3_reset (row);
  }
  return card;
}

static gboolean
add_types (GStrvBuilder *types, PlumbCard *card, GStrv columns)
{
  for (guint i = 0; card != NULL && columns[i] != NULL; i++) {
    PlumbCardColumn *column = plumb_card_find_column (card, columns[i]);

    if (column == NULL)
      return FALSE;
    g_strv_builder_add (types, column->type);
  }
  return card != NULL;
}

/**
 * plumb_transaction_get_key_types:
 * @self: a transaction
 * @edge: an edge
 *
 * Returns: (transfer full) (nullable): the types of the key columns as their cards have them now,
 * as JSON; %NULL where a table or column isn't there
 */
char *
plumb_transaction_get_key_types (PlumbTransaction *self, PlumbJoinEdge *edge)
{
  g_autoptr (PlumbCard) left = load_card (self, edge->left);
  g_autoptr (PlumbCard) right = load_card (self, edge->right);
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) types = NULL;

  if (!add_types (builder, left, edge->left_columns) ||
      !add_types (builder, right, edge->right_columns))
    return NULL;
  types = g_strv_builder_end (builder);
  return plumb_strv_to_json ((const char *const *) types);
}

static gboolean
check_columns (PlumbTransaction *self, const PlumbTableName *table, GStrv columns, GError **error)
{
  g_autoptr (PlumbCard) card = load_card (self, table);

  for (guint i = 0; card != NULL && columns[i] != NULL; i++) {
    if (plumb_card_find_column (card, columns[i]) == NULL) {
      g_autofree char *name = plumb_table_name_format (table);

      g_set_error (error, PLUMB_ERROR, PLUMB_ERROR_INVALID_ARGUMENT,
                   "The table %s has no column “%s” to join by. Look at its card for the names of "
                   "its columns.", name, columns[i]);
      return FALSE;
    }
  }
  return TRUE;
}

/** plumb_transaction_check_keys: Returns: %FALSE with an error where a table that has a card
 * doesn't have a key column of @edge */
gboolean
plumb_transaction_check_keys (PlumbTransaction *self, PlumbJoinEdge *edge, GError **error)
{
  return check_columns (self, edge->left, edge->left_columns, error) &&
         check_columns (self, edge->right, edge->right_columns, error);
}

static gboolean
refresh_edge (PlumbTransaction *self, PlumbJoinEdge *edge, GError **error)
{
  g_autofree char *types = plumb_transaction_get_key_types (self, edge);

  if (!plumb_transaction_run (self, error, "UPDATE edge SET key_types = coalesce (key_types, ?2),"
                              " state = iif (coalesce (key_types, ?2) IS ?2 AND ?2 IS NOT NULL,"
                              " 'active', 'stale') WHERE id = ?1 AND (key_types IS NULL OR"
                              " state IS NOT iif (key_types IS ?2, 'active', 'stale'))", "ls",
                              edge->id, types))
    return FALSE;
  return plumb_transaction_get_changed (self) == 0 || plumb_transaction_touch_search (self, error);
}

/**
 * plumb_transaction_refresh_kept_edges:
 * @self: a writing transaction
 * @database: a source whose cards are of now
 * @error: return location
 *
 * Edges that analysis doesn't replace become stale where a key column is gone or of another type
 * than when the edge was stored, and active where it is back.
 *
 * Returns: %FALSE with an error
 */
gboolean
plumb_transaction_refresh_kept_edges (PlumbTransaction *self, const char *database, GError **error)
{
  g_autoptr (GPtrArray) edges = plumb_transaction_list_kept_edges (self, database, error);

  if (edges == NULL)
    return FALSE;
  for (guint i = 0; i < edges->len; i++) {
    if (!refresh_edge (self, g_ptr_array_index (edges, i), error))
      return FALSE;
  }
  return TRUE;
}
