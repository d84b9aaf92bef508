/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-index-private.h"

/* What search asks of the index: whether something has changed, and the cards. */

static gboolean
read_state (PlumbTransaction *read, PlumbSearchState *state, GError **error)
{
  sqlite3_stmt *row = plumb_transaction_bind (read, error, "SELECT generation, cards FROM state", "");

  if (row == NULL || plumb_transaction_step (read, row, error) != SQLITE_ROW)
    return FALSE;
  state->generation = sqlite3_column_int64 (row, 0);
  state->cards = (guint64) sqlite3_column_int64 (row, 1);
  sqlite3_reset (row);
  return TRUE;
}

/** plumb_index_get_search_state: Returns: whether @state is set; %FALSE with an error */
gboolean
plumb_index_get_search_state (PlumbIndex *self, PlumbSearchState *state, GError **error)
{
  g_autoptr (PlumbTransaction) read = plumb_index_begin_read (self, error);

  return read != NULL && read_state (read, state, error);
}

/**
 * plumb_index_list_present_cards:
 * @state: (out): the state that the cards are of
 *
 * Returns: (transfer full) (nullable) (element-type PlumbCard): the cards of tables that aren't gone and that the account can read, sorted by
 *   database, schema and name, or %NULL with an error
 */
GPtrArray *
plumb_index_list_present_cards (PlumbIndex *self, PlumbSearchState *state, GError **error)
{
  g_autoptr (PlumbTransaction) read = plumb_index_begin_read (self, error);
  g_autoptr (GPtrArray) cards = g_ptr_array_new_with_free_func ((GDestroyNotify) plumb_card_unref);
  sqlite3_stmt *row;
  int code;

  if (read == NULL || !read_state (read, state, error))
    return NULL;
  row = plumb_transaction_bind (read, error, "SELECT " PLUMB_CARD_COLUMNS " FROM " PLUMB_CARD_TABLES
                                " WHERE gone = 0 AND selectable ORDER BY database_name, schema_name, table_name", "");
  if (row == NULL)
    return NULL;
  while ((code = plumb_transaction_step (read, row, error)) == SQLITE_ROW) {
    PlumbCard *card = plumb_row_get_card (row, error);

    if (card == NULL)
      return NULL;
    g_ptr_array_add (cards, card);
  }
  return code == SQLITE_DONE ? g_steal_pointer (&cards) : NULL;
}
