/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-index-private.h"

#include "plumb-table-name.h"
#include "plumb-text.h"

#include <string.h>

/**
 * plumb_row_get_card:
 * @row: a row that begins with PLUMB_CARD_COLUMNS
 * @error: return location
 *
 * Returns: (transfer full): the card, or %NULL with PLUMB_INDEX_ERROR_DAMAGED
 */
PlumbCard *
plumb_row_get_card (sqlite3_stmt *row, GError **error)
{
  g_autoptr (PlumbCard) card = plumb_card_new ((const char *) sqlite3_column_text (row, 0),
                                               (const char *) sqlite3_column_text (row, 1),
                                               (const char *) sqlite3_column_text (row, 2));
  const guint8 *body = sqlite3_column_blob (row, 5);

  card->gone = sqlite3_column_int (row, 3);
  card->analyzed_at = sqlite3_column_int64 (row, 4);
  if (!plumb_card_read_body (card, body, sqlite3_column_bytes (row, 5))) {
    g_autofree char *name = plumb_card_get_full_name (card);

    g_set_error (error, PLUMB_INDEX_ERROR, PLUMB_INDEX_ERROR_DAMAGED,
                 "What the index keeps of %s can't be read. Analyze its source again.", name);
    return NULL;
  }
  return g_steal_pointer (&card);
}

static gboolean
check_source (PlumbTransaction *write, const char *name, GError **error)
{
  sqlite3_stmt *row = plumb_transaction_bind (write, error, "SELECT 1 FROM source WHERE name = ?1",
                                              "s", name);
  int code = row != NULL ? plumb_transaction_step (write, row, error) : SQLITE_ERROR;

  if (code == SQLITE_DONE)
    g_set_error (error, PLUMB_ERROR, PLUMB_ERROR_NOT_FOUND,
                 "There is no source “%s”, so nothing about its tables can be kept. Add it first.",
                 name);
  return code == SQLITE_ROW;
}

/* The row of a card's name, made where it isn't there; its number, 0 with an error. */
static gint64
put_name (PlumbTransaction *write, PlumbCard *card, GError **error)
{
  g_autofree char *folded = plumb_text_fold (card->name);
  sqlite3_stmt *row = plumb_transaction_bind (
      write, error,
      "INSERT INTO card (database_name, schema_name, table_name, folded_name, role, status,"
      " selectable, gone, analyzed_at, fingerprint, generation)"
      " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)"
      " ON CONFLICT (database_name, schema_name, table_name) DO UPDATE SET role = ?5, status = ?6,"
      " selectable = ?7, gone = ?8, analyzed_at = ?9, fingerprint = ?10, generation = ?11"
      " RETURNING id",
      "ssssssiilsl", card->database, card->schema, card->name, folded,
      plumb_role_to_string (card->role), plumb_status_to_string (card->status), card->selectable,
      card->gone, card->analyzed_at, card->fingerprint, (gint64) write->generation);
  gint64 id;

  if (row == NULL || plumb_transaction_step (write, row, error) != SQLITE_ROW)
    return 0;
  id = sqlite3_column_int64 (row, 0);
  return plumb_transaction_step (write, row, error) == SQLITE_DONE ? id : 0;
}

/* The number of the card where all but the time of its analysis is stored already, 0 where not, -1 with an
 * error. */
static gint64
find_same (PlumbTransaction *write, PlumbCard *card, const GByteArray *body, GError **error)
{
  sqlite3_stmt *row = plumb_transaction_bind (write, error, "SELECT id, body FROM " PLUMB_CARD_TABLES
                                              " WHERE database_name = ?1 AND schema_name = ?2"
                                              " AND table_name = ?3 AND gone = ?4", "sssi",
                                              card->database, card->schema, card->name, card->gone);
  int code = row != NULL ? plumb_transaction_step (write, row, error) : SQLITE_ERROR;
  gint64 id = 0;

  if (code != SQLITE_ROW)
    return code == SQLITE_DONE ? 0 : -1;
  if (sqlite3_column_bytes (row, 1) == (int) body->len && body->len > 0 &&
      memcmp (sqlite3_column_blob (row, 1), body->data, body->len) == 0)
    id = sqlite3_column_int64 (row, 0);
  sqlite3_reset (row);
  return id;
}

static gboolean
put_card (PlumbTransaction *write, PlumbCard *card, GError **error)
{
  g_autoptr (GByteArray) body = plumb_card_to_body (card);
  gint64 id;

  id = find_same (write, card, body, error);
  if (id > 0)
    return plumb_transaction_run (write, error, "UPDATE card SET analyzed_at = ?2 WHERE id = ?1"
                                  " AND analyzed_at <> ?2", "ll", id, card->analyzed_at) &&
           (plumb_transaction_get_changed (write) == 0 || plumb_transaction_touch_search (write, error));
  if (id < 0 || !plumb_transaction_touch_cards (write, error))
    return FALSE;
  id = put_name (write, card, error);
  return id != 0 &&
         plumb_transaction_run (write, error, "INSERT OR REPLACE INTO card_body VALUES (?1, ?2)",
                                "lb", id, body->data, (int) body->len);
}

/**
 * plumb_index_put_cards:
 * @self: an index
 * @cards: (element-type PlumbCard): cards of sources that are there
 * @error: return location
 *
 * Stores all of @cards in one transaction, in place of those that were there. A card that is there
 * as it is costs next to nothing, and search keeps what it derived from it.
 *
 * Returns: whether all are stored; otherwise none is. PLUMB_ERROR_NOT_FOUND where a source is
 *   missing, which happens when it is removed during its analysis
 */
gboolean
plumb_index_put_cards (PlumbIndex *self, GPtrArray *cards, GError **error)
{
  g_autoptr (PlumbTransaction) write = NULL;

  if (cards->len == 0)
    return TRUE;
  write = plumb_index_begin_write (self, PLUMB_WRITE_DERIVED, error);
  if (write == NULL)
    return FALSE;
  for (guint i = 0; i < cards->len; i++) {
    PlumbCard *card = g_ptr_array_index (cards, i), *before = i > 0 ? g_ptr_array_index (cards, i - 1) : NULL;

    if ((before == NULL || strcmp (before->database, card->database) != 0) &&
        !check_source (write, card->database, error))
      return FALSE;
    if (!put_card (write, card, error))
      return FALSE;
  }
  return plumb_transaction_commit (write, error);
}

/** plumb_index_put_card: stores one card, see [method@put_cards] */
gboolean
plumb_index_put_card (PlumbIndex *self, PlumbCard *card, GError **error)
{
  g_autoptr (GPtrArray) cards = g_ptr_array_new ();

  g_ptr_array_add (cards, card);
  return plumb_index_put_cards (self, cards, error);
}

/**
 * plumb_index_get_card:
 * @self: an index
 * @database: the source, as stored
 * @schema: the schema, as stored
 * @table: the table, as stored
 * @error: return location
 *
 * Returns: (transfer full): the card, also one whose table is gone, or %NULL with
 *   PLUMB_ERROR_NOT_FOUND
 */
PlumbCard *
plumb_index_get_card (PlumbIndex *self, const char *database, const char *schema, const char *table,
                      GError **error)
{
  g_autoptr (PlumbTransaction) read = plumb_index_begin_read (self, error);
  sqlite3_stmt *row;
  int code;

  if (read == NULL)
    return NULL;
  row = plumb_transaction_bind (
      read, error,
      "SELECT " PLUMB_CARD_COLUMNS " FROM " PLUMB_CARD_TABLES
      " WHERE database_name = ?1 AND schema_name = ?2 AND table_name = ?3",
      "sss", database, schema, table);
  code = row != NULL ? plumb_transaction_step (read, row, error) : SQLITE_ERROR;
  if (code == SQLITE_ROW)
    return plumb_row_get_card (row, error);
  if (code == SQLITE_DONE) {
    g_autofree char *name = plumb_table_name_join (database, schema, table);

    g_set_error (error, PLUMB_ERROR, PLUMB_ERROR_NOT_FOUND,
                 "There is no table %s in the index. Search for it, or analyze its source.", name);
  }
  return NULL;
}

/**
 * plumb_index_list_cards:
 * @self: an index
 * @database: (nullable): one source's cards; %NULL for all
 * @error: return location
 *
 * Returns: (transfer full) (element-type PlumbCard): the cards sorted by name, those of tables that
 *   are gone too
 */
GPtrArray *
plumb_index_list_cards (PlumbIndex *self, const char *database, GError **error)
{
  g_autoptr (PlumbTransaction) read = plumb_index_begin_read (self, error);
  g_autoptr (GPtrArray) cards = NULL;
  sqlite3_stmt *row;
  int code;

  if (read == NULL)
    return NULL;
  row = database == NULL
      ? plumb_transaction_bind (read, error, "SELECT " PLUMB_CARD_COLUMNS " FROM " PLUMB_CARD_TABLES
                                " ORDER BY database_name, schema_name, table_name", "")
      : plumb_transaction_bind (read, error, "SELECT " PLUMB_CARD_COLUMNS " FROM " PLUMB_CARD_TABLES
                                " WHERE database_name = ?1 ORDER BY schema_name, table_name",
                                "s", database);
  if (row == NULL)
    return NULL;
  cards = g_ptr_array_new_with_free_func ((GDestroyNotify) plumb_card_unref);
  while ((code = plumb_transaction_step (read, row, error)) == SQLITE_ROW) {
    PlumbCard *card = plumb_row_get_card (row, error);

    if (card == NULL)
      return NULL;
    g_ptr_array_add (cards, card);
  }
  return code == SQLITE_DONE ? g_steal_pointer (&cards) : NULL;
}

static gpointer
read_table (sqlite3_stmt *row)
{
  PlumbIndexTable *table = g_new0 (PlumbIndexTable, 1);

  table->name = plumb_table_name_new ((const char *) sqlite3_column_text (row, 0),
                                      (const char *) sqlite3_column_text (row, 1),
                                      (const char *) sqlite3_column_text (row, 2));
  table->role = plumb_role_from_string ((const char *) sqlite3_column_text (row, 3));
  table->status = plumb_status_from_string ((const char *) sqlite3_column_text (row, 4));
  table->selectable = sqlite3_column_int (row, 5);
  table->gone = sqlite3_column_int (row, 6);
  return table;
}

/** plumb_index_table_free: frees @self */
void
plumb_index_table_free (PlumbIndexTable *self)
{
  if (self == NULL)
    return;
  plumb_table_name_free (self->name);
  g_free (self);
}

/**
 * plumb_index_list_tables:
 * @self: an index
 * @database: (nullable): one source's tables; %NULL for all
 * @error: return location
 *
 * Lists the tables without reading their cards, which takes a hundredth of the time.
 *
 * Returns: (transfer full) (element-type PlumbIndexTable): the tables sorted by name, those that
 * are gone too
 */
GPtrArray *
plumb_index_list_tables (PlumbIndex *self, const char *database, GError **error)
{
  g_autoptr (PlumbTransaction) read = plumb_index_begin_read (self, error);

  if (read == NULL)
    return NULL;
  return plumb_transaction_list (
      read,
      plumb_transaction_bind (read, error,
                              "SELECT database_name, schema_name,"
                              " table_name, role, status, selectable, gone"
                              " FROM card WHERE ?1 IS NULL"
                              " OR database_name = ?1 ORDER BY 1, 2, 3",
                              "s", database),
      read_table, (GDestroyNotify) plumb_index_table_free, error);
}

/**
 * plumb_index_get_fingerprints:
 * @self: an index
 * @database: a source
 * @error: return location
 *
 * Returns: (transfer full) (element-type utf8 utf8): for each table that isn't gone, by
 *   plumb_table_name_join() of its schema and name without the database, the fingerprint of its
 *   card, "" where the card has none
 */
GHashTable *
plumb_index_get_fingerprints (PlumbIndex *self, const char *database, GError **error)
{
  g_autoptr (PlumbTransaction) read = plumb_index_begin_read (self, error);
  g_autoptr (GHashTable) fingerprints = NULL;
  sqlite3_stmt *row;
  int code;

  if (read == NULL)
    return NULL;
  row = plumb_transaction_bind (read, error, "SELECT schema_name, table_name,"
                                " coalesce (fingerprint, '') FROM card"
                                " WHERE database_name = ?1 AND gone = 0", "s", database);
  if (row == NULL)
    return NULL;
  fingerprints = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  while ((code = plumb_transaction_step (read, row, error)) == SQLITE_ROW)
    g_hash_table_insert (fingerprints,
                         plumb_table_name_join (NULL, (const char *) sqlite3_column_text (row, 0),
                                                (const char *) sqlite3_column_text (row, 1)),
                         plumb_row_get_string (row, 2));
  return code == SQLITE_DONE ? g_steal_pointer (&fingerprints) : NULL;
}

/* Numbers of the cards whose presence isn't what @present says. */
static GArray *
find_changed_presence (PlumbTransaction *write, const char *database, GHashTable *present,
                       GError **error)
{
  g_autoptr (GArray) changed = g_array_new (FALSE, FALSE, sizeof (gint64));
  sqlite3_stmt *row = plumb_transaction_bind (write, error,
                                              "SELECT id, schema_name, table_name, gone FROM card"
                                              " WHERE database_name = ?1", "s", database);
  int code;

  if (row == NULL)
    return NULL;
  while ((code = plumb_transaction_step (write, row, error)) == SQLITE_ROW) {
    g_autofree char *name = plumb_table_name_join (NULL,
                                                   (const char *) sqlite3_column_text (row, 1),
                                                   (const char *) sqlite3_column_text (row, 2));
    gboolean gone = !g_hash_table_contains (present, name);
    gint64 id = sqlite3_column_int64 (row, 0);

    if (gone != sqlite3_column_int (row, 3))
      g_array_append_val (changed, id);
  }
  return code == SQLITE_DONE ? g_steal_pointer (&changed) : NULL;
}

static gboolean
mark_gone (PlumbTransaction *write, const char *database, GHashTable *present, GError **error)
{
  g_autoptr (GArray) changed = find_changed_presence (write, database, present, error);

  if (changed == NULL || (changed->len > 0 && !plumb_transaction_touch_cards (write, error)))
    return FALSE;
  for (guint i = 0; i < changed->len; i++) {
    if (!plumb_transaction_run (write, error, "UPDATE card SET gone = 1 - gone, generation = ?2"
                                " WHERE id = ?1", "ll", g_array_index (changed, gint64, i),
                                (gint64) write->generation))
      return FALSE;
  }
  return TRUE;
}

static gboolean
store_summary (PlumbTransaction *write, const char *database, const char *summary, GError **error)
{
  return plumb_transaction_run (write, error,
                                "UPDATE source SET summary = ?2 WHERE name = ?1"
                                " AND ?2 IS NOT NULL AND summary IS NOT ?2",
                                "ss", database, summary) &&
         (plumb_transaction_get_changed (write) == 0 ||
          plumb_transaction_touch_search (write, error));
}

/**
 * plumb_index_finish_analysis:
 * @self: an index
 * @database: the source that was analysed
 * @present: (element-type utf8 utf8): a set of the tables that are there now, each by
 *   plumb_table_name_join() of its schema and name without the database
 * @summary: (nullable): what the database holds, in words; %NULL keeps the earlier one
 * @version: (nullable): the server's version; %NULL keeps the earlier one
 * @error: return location
 *
 * Ends an analysis. Cards of tables that are not in @present are kept and marked as gone, those of
 * tables that came back are no longer marked, and a join edge of a person whose key columns
 * vanished becomes stale.
 *
 * Returns: whether it is stored; PLUMB_ERROR_NOT_FOUND where there is no such source
 */
gboolean
plumb_index_finish_analysis (PlumbIndex *self, const char *database, GHashTable *present,
                             const char *summary, const char *version, GError **error)
{
  g_autoptr (PlumbTransaction) write = plumb_index_begin_write (self, PLUMB_WRITE_DERIVED, error);

  return write != NULL && check_source (write, database, error) &&
         mark_gone (write, database, present, error) &&
         store_summary (write, database, summary, error) &&
         plumb_transaction_run (write, error,
                                "UPDATE source SET analyzed_at = ?2,"
                                " version = coalesce (?3, version) WHERE name = ?1",
                                "sls", database, g_get_real_time () / G_USEC_PER_SEC, version) &&
         plumb_transaction_refresh_kept_edges (write, database, error) &&
         plumb_transaction_commit (write, error);
}
