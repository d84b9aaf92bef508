/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-index-private.h"

#include "plumb-text.h"

#include <string.h>

#define SOURCE_COLUMNS \
  "name, uri, engine, version, summary, risk_accepted, added_at, analyzed_at, " \
  "(SELECT count(*) FROM card WHERE database_name = source.name AND gone = 0)"

static gpointer
read_source (sqlite3_stmt *row)
{
  PlumbSourceRecord *record = g_new0 (PlumbSourceRecord, 1);

  record->name = plumb_row_get_string (row, 0);
  record->uri = plumb_row_get_string (row, 1);
  record->engine = plumb_row_get_string (row, 2);
  record->version = plumb_row_get_string (row, 3);
  record->summary = plumb_row_get_string (row, 4);
  record->risk_accepted = sqlite3_column_int (row, 5);
  record->added_at = sqlite3_column_int64 (row, 6);
  record->analyzed_at = sqlite3_column_int64 (row, 7);
  record->n_tables = sqlite3_column_int64 (row, 8);
  return record;
}

/* The last fence before a password would reach the disk; whoever adds a source has taken it out. */
static gboolean
has_password (const char *uri)
{
  g_autofree char *password = NULL;
  g_autofree char *lower = g_ascii_strdown (uri, -1);

  if (g_uri_split_with_user (uri, G_URI_FLAGS_HAS_PASSWORD, NULL, NULL, &password, NULL, NULL, NULL,
                             NULL, NULL, NULL, NULL) && password != NULL && *password != '\0')
    return TRUE;
  return strstr (lower, "?password=") != NULL || strstr (lower, "&password=") != NULL ||
         (g_str_has_prefix (lower, "odbc:") &&
          (strstr (lower, "pwd=") != NULL || strstr (lower, "password=") != NULL));
}

static gboolean
check_record (const PlumbSourceRecord *record, GError **error)
{
  if (record->name == NULL || *record->name == '\0' || !g_utf8_validate (record->name, -1, NULL)) {
    g_set_error_literal (error, PLUMB_ERROR, PLUMB_ERROR_INVALID_ARGUMENT,
                         "A source needs a name. Give it a short one, such as “sales”.");
    return FALSE;
  }
  if (record->uri == NULL || has_password (record->uri)) {
    g_set_error (error, PLUMB_ERROR, PLUMB_ERROR_INVALID_ARGUMENT,
                 "The address of “%s” must be stored without its password. Keep the password in "
                 "the keyring.", record->name);
    return FALSE;
  }
  return TRUE;
}

/* A name that differs in case alone is taken too: names are matched without regard to case. */
static gboolean
check_free (PlumbTransaction *write, const char *name, const char *folded, GError **error)
{
  sqlite3_stmt *row = plumb_transaction_bind (write, error,
                                              "SELECT name FROM source WHERE folded_name = ?1", "s",
                                              folded);
  int code = row != NULL ? plumb_transaction_step (write, row, error) : SQLITE_ERROR;

  if (code == SQLITE_ROW)
    g_set_error (
        error, PLUMB_ERROR, PLUMB_ERROR_EXISTS,
        "There is a source “%s” already. Choose another name, or remove that source first.",
        (const char *) sqlite3_column_text (row, 0));
  return code == SQLITE_DONE;
}

/**
 * plumb_index_add_source:
 * @self: an index
 * @record: the source; its address without a password
 * @error: return location
 *
 * Returns: whether it is stored; PLUMB_ERROR_EXISTS where the name is taken
 */
gboolean
plumb_index_add_source (PlumbIndex *self, const PlumbSourceRecord *record, GError **error)
{
  g_autoptr (PlumbTransaction) write = NULL;
  g_autofree char *folded = NULL;

  if (!check_record (record, error))
    return FALSE;
  folded = plumb_text_fold (record->name);
  write = plumb_index_begin_write (self, PLUMB_WRITE_KEPT, error);
  return write != NULL && check_free (write, record->name, folded, error) &&
         plumb_transaction_run (
             write, error,
             "INSERT INTO source (name, folded_name, uri, engine, version, summary,"
             " risk_accepted, added_at, analyzed_at)"
             " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
             "ssssssill", record->name, folded, record->uri, record->engine, record->version,
             record->summary, record->risk_accepted, record->added_at, record->analyzed_at) &&
         plumb_transaction_touch_search (write, error) && plumb_transaction_commit (write, error);
}

static gboolean
set_unknown_source (const char *name, GError **error)
{
  g_set_error (error, PLUMB_ERROR, PLUMB_ERROR_NOT_FOUND,
               "There is no source “%s”. List the sources to see which there are.", name);
  return FALSE;
}

/**
 * plumb_index_update_source:
 * @self: an index
 * @record: a source that is there; what analysis found is kept where @record has nothing newer
 * @error: return location
 *
 * Returns: whether it is stored; PLUMB_ERROR_NOT_FOUND where there is no such source
 */
gboolean
plumb_index_update_source (PlumbIndex *self, const PlumbSourceRecord *record, GError **error)
{
  g_autoptr (PlumbTransaction) write = NULL;

  if (!check_record (record, error))
    return FALSE;
  write = plumb_index_begin_write (self, PLUMB_WRITE_KEPT, error);
  if (write == NULL ||
      !plumb_transaction_run (write, error,
                              "UPDATE source SET uri = ?2, engine = coalesce (?3, engine),"
                              " version = coalesce (?4, version), summary = coalesce (?5, summary),"
                              " risk_accepted = ?6, analyzed_at = max (analyzed_at, ?7)"
                              " WHERE name = ?1", "sssssil",
                              record->name, record->uri, record->engine, record->version,
                              record->summary, record->risk_accepted, record->analyzed_at))
    return FALSE;
  if (plumb_transaction_get_changed (write) == 0)
    return set_unknown_source (record->name, error);
  return plumb_transaction_touch_search (write, error) && plumb_transaction_commit (write, error);
}

/**
 * plumb_index_remove_source:
 * @self: an index
 * @name: a source's name, in any case
 * @error: return location
 *
 * Removes a source, its cards and its inferred join edges. What people wrote about its tables
 * stays, and is there again when a source of that name is added.
 *
 * Returns: whether it is removed; PLUMB_ERROR_NOT_FOUND where there is no such source
 */
gboolean
plumb_index_remove_source (PlumbIndex *self, const char *name, GError **error)
{
  g_autoptr (PlumbSourceRecord) record = plumb_index_get_source (self, name, error);
  g_autoptr (PlumbTransaction) write = NULL;

  if (record == NULL)
    return FALSE;
  write = plumb_index_begin_write (self, PLUMB_WRITE_KEPT, error);
  return write != NULL &&
         plumb_transaction_run (write, error, "DELETE FROM source WHERE name = ?1", "s",
                                record->name) &&
         plumb_transaction_run (write, error, "DELETE FROM card WHERE database_name = ?1", "s",
                                record->name) &&
         plumb_transaction_run (write, error, "DELETE FROM example WHERE database_name = ?1", "s",
                                record->name) &&
         plumb_transaction_run (write, error,
                                "DELETE FROM edge WHERE (left_database = ?1 OR right_database = ?1)"
                                " AND by_person = 0 AND state <> 'rejected'",
                                "s", record->name) &&
         plumb_transaction_touch_cards (write, error) && plumb_transaction_commit (write, error);
}

/** plumb_index_list_sources: Returns: (transfer full) (element-type PlumbSourceRecord): all
 * sources, sorted by name */
GPtrArray *
plumb_index_list_sources (PlumbIndex *self, GError **error)
{
  g_autoptr (PlumbTransaction) read = plumb_index_begin_read (self, error);

  if (read == NULL)
    return NULL;
  return plumb_transaction_list (read,
                                 plumb_transaction_bind (read, error, "SELECT " SOURCE_COLUMNS
                                                         " FROM source ORDER BY name", ""),
                                 read_source, (GDestroyNotify) plumb_source_record_free, error);
}

/**
 * plumb_index_get_source:
 * @self: an index
 * @name: a source's name, in any case
 * @error: return location
 *
 * Returns: (transfer full): the source, or %NULL with PLUMB_ERROR_NOT_FOUND
 */
PlumbSourceRecord *
plumb_index_get_source (PlumbIndex *self, const char *name, GError **error)
{
  g_autoptr (PlumbTransaction) read = plumb_index_begin_read (self, error);
  g_autofree char *folded = plumb_text_fold (name);
  sqlite3_stmt *row;
  int code;

  if (read == NULL)
    return NULL;
  row = plumb_transaction_bind (read, error, "SELECT " SOURCE_COLUMNS
                                " FROM source WHERE folded_name = ?1", "s", folded);
  code = row != NULL ? plumb_transaction_step (read, row, error) : SQLITE_ERROR;
  if (code == SQLITE_ROW)
    return read_source (row);
  if (code == SQLITE_DONE)
    set_unknown_source (name, error);
  return NULL;
}
