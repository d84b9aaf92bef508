/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-sqlite-private.h"

#include <math.h>
#include <string.h>

/* Room for any 64-bit integer or shortest double. */
#define NUMBER_SIZE 40

typedef struct {
  sqlite3_stmt *statement;
  guint n_columns;
  PlumbValueKind *declared;
  PlumbCell *cells;
  char (*numbers)[NUMBER_SIZE];
} RowReader;

/* What a declared type says about text that is stored in the column. SQLite stores what it is
 * given, so the declaration only tells dates and times from other text. */
static PlumbValueKind
kind_of_declaration (const char *type)
{
  g_autofree char *upper = g_ascii_strup (type != NULL ? type : "", -1);

  if (strstr (upper, "TIMESTAMP") != NULL || strstr (upper, "DATETIME") != NULL)
    return PLUMB_VALUE_TIMESTAMP;
  if (g_str_has_prefix (upper, "DATE"))
    return PLUMB_VALUE_DATE;
  if (g_str_has_prefix (upper, "TIME"))
    return PLUMB_VALUE_TIME;
  if (g_str_has_prefix (upper, "JSON"))
    return PLUMB_VALUE_JSON;
  if (strstr (upper, "INT") != NULL || g_str_has_prefix (upper, "BOOL"))
    return PLUMB_VALUE_INTEGER;
  if (strstr (upper, "REAL") != NULL || strstr (upper, "FLOA") != NULL ||
      strstr (upper, "DOUB") != NULL)
    return PLUMB_VALUE_FLOAT;
  if (g_str_has_prefix (upper, "DEC") || g_str_has_prefix (upper, "NUM"))
    return PLUMB_VALUE_DECIMAL;
  return strstr (upper, "BLOB") != NULL ? PLUMB_VALUE_BINARY : PLUMB_VALUE_TEXT;
}

static gboolean
is_kind_of_text (PlumbValueKind kind)
{
  return kind == PLUMB_VALUE_DATE || kind == PLUMB_VALUE_TIME || kind == PLUMB_VALUE_TIMESTAMP ||
         kind == PLUMB_VALUE_JSON;
}

/* The shortest decimal text that reads back as the same double, with a point or an exponent so that
 * it can't be taken for an integer. */
static gsize
format_real (char *buffer, double value)
{
  if (isinf (value))
    return g_strlcpy (buffer, value > 0 ? "Inf" : "-Inf", NUMBER_SIZE);
  for (int digits = 15; digits <= 17; digits++) {
    char format[8];

    g_snprintf (format, sizeof format, "%%.%dg", digits);
    g_ascii_formatd (buffer, NUMBER_SIZE, format, value);
    if (g_ascii_strtod (buffer, NULL) == value)
      break;
  }
  if (strpbrk (buffer, ".e") == NULL)
    g_strlcat (buffer, ".0", NUMBER_SIZE);
  return strlen (buffer);
}

static gboolean
read_cell (RowReader *self, guint column)
{
  PlumbCell *cell = &self->cells[column];
  char *number = self->numbers[column];

  *cell = (PlumbCell) { NULL, 0, PLUMB_VALUE_NULL, FALSE };
  switch (sqlite3_column_type (self->statement, column)) {
  case SQLITE_NULL:
    return TRUE;
  case SQLITE_INTEGER:
    cell->kind = PLUMB_VALUE_INTEGER;
    cell->text = number;
    cell->length = g_snprintf (number, NUMBER_SIZE, "%" G_GINT64_FORMAT,
                               (gint64) sqlite3_column_int64 (self->statement, column));
    return TRUE;
  case SQLITE_FLOAT:
    cell->kind = PLUMB_VALUE_FLOAT;
    cell->text = number;
    cell->length = format_real (number, sqlite3_column_double (self->statement, column));
    return TRUE;
  case SQLITE_BLOB:
    cell->kind = PLUMB_VALUE_BINARY;
    cell->text = sqlite3_column_blob (self->statement, column);
    break;
  default:
    cell->kind = is_kind_of_text (self->declared[column]) ? self->declared[column]
                                                          : PLUMB_VALUE_TEXT;
    cell->text = (const char *) sqlite3_column_text (self->statement, column);
    break;
  }
  cell->length = sqlite3_column_bytes (self->statement, column);
  if (cell->text == NULL && cell->length == 0)
    cell->text = "";
  return cell->text != NULL;
}

static GPtrArray *
make_columns (RowReader *self, gboolean has_row)
{
  GPtrArray *columns = g_ptr_array_new_with_free_func ((GDestroyNotify) plumb_result_column_free);

  for (guint i = 0; i < self->n_columns; i++) {
    const char *type = sqlite3_column_decltype (self->statement, i);
    PlumbValueKind kind = kind_of_declaration (type);

    self->declared[i] = kind;
    /* An expression declares nothing: its first value tells. */
    if (type == NULL && has_row && read_cell (self, i) && self->cells[i].kind != PLUMB_VALUE_NULL)
      kind = self->cells[i].kind;
    g_ptr_array_add (
      columns, plumb_result_column_new (sqlite3_column_name (self->statement, i), type, kind));
  }
  return columns;
}

static PlumbRowsNext
hand_on_row (RowReader *self, PlumbSqliteConnection *connection, PlumbRowSink *sink, GError **error)
{
  for (guint i = 0; i < self->n_columns; i++) {
    if (!read_cell (self, i)) {
      plumb_sqlite_connection_set_error (connection, error);
      return PLUMB_ROWS_ERROR;
    }
  }
  return sink->row (self->cells, self->n_columns, sink->user_data, error);
}

static gboolean
read_rows (RowReader *self, PlumbSqliteConnection *connection, PlumbRowSink *sink, GError **error)
{
  int code = sqlite3_step (self->statement);
  g_autoptr (GPtrArray) columns = NULL;
  PlumbRowsNext next = PLUMB_ROWS_CONTINUE;

  if (code != SQLITE_ROW && code != SQLITE_DONE)
    return plumb_sqlite_connection_set_error (connection, error);
  columns = make_columns (self, code == SQLITE_ROW);
  if (!sink->columns (columns, sink->user_data, error))
    return FALSE;
  while (code == SQLITE_ROW && next == PLUMB_ROWS_CONTINUE) {
    next = hand_on_row (self, connection, sink, error);
    if (next == PLUMB_ROWS_CONTINUE)
      code = sqlite3_step (self->statement);
  }
  if (next != PLUMB_ROWS_CONTINUE)
    return next == PLUMB_ROWS_STOP;
  return code == SQLITE_DONE || plumb_sqlite_connection_set_error (connection, error);
}

/**
 * plumb_sqlite_run:
 * @sql: one statement that reads
 * @sink: where its rows go
 *
 * Returns: whether it ran to its end, or until the sink had enough
 */
gboolean
plumb_sqlite_run (PlumbSqliteConnection *self, const char *sql, PlumbRowSink *sink, GError **error)
{
  g_autoptr (PlumbSqliteStatement) statement = NULL;
  g_autofree PlumbValueKind *declared = NULL;
  g_autofree PlumbCell *cells = NULL;
  g_autofree char *numbers = NULL;
  RowReader reader;

  self->guarded = TRUE;
  statement = plumb_sqlite_connection_prepare (self, sql, error);
  if (statement == NULL)
    return FALSE;
  reader = (RowReader) { statement, sqlite3_column_count (statement), NULL, NULL, NULL };
  reader.declared = declared = g_new0 (PlumbValueKind, reader.n_columns);
  reader.cells = cells = g_new0 (PlumbCell, reader.n_columns);
  numbers = g_malloc0 ((gsize) reader.n_columns * NUMBER_SIZE);
  reader.numbers = (char (*)[NUMBER_SIZE]) numbers;
  return read_rows (&reader, self, sink, error);
}

/* How deep a step stands: each is indented below the step that it belongs to. */
static guint
find_depth (GHashTable *depths, int parent)
{
  gpointer depth = g_hash_table_lookup (depths, GINT_TO_POINTER (parent));

  return GPOINTER_TO_UINT (depth);
}

/**
 * plumb_sqlite_explain:
 * @sql: one statement that reads
 *
 * Returns: (transfer full): SQLite's plan, a step a line, indented; %NULL with an error
 */
char *
plumb_sqlite_explain (PlumbSqliteConnection *self, const char *sql, GError **error)
{
  g_autoptr (PlumbSqliteStatement) checked = NULL;
  g_autoptr (PlumbSqliteStatement) statement = NULL;
  g_autoptr (GHashTable) depths = g_hash_table_new (NULL, NULL);
  g_autoptr (GString) plan = g_string_new (NULL);
  g_autofree char *explain = g_strconcat ("EXPLAIN QUERY PLAN ", sql, NULL);
  int code;

  self->guarded = TRUE;
  /* What can't be run alone isn't explained: EXPLAIN in front makes other texts look harmless. */
  checked = plumb_sqlite_connection_prepare (self, sql, error);
  if (checked == NULL)
    return NULL;
  statement = plumb_sqlite_connection_prepare (self, explain, error);
  if (statement == NULL)
    return NULL;
  while ((code = sqlite3_step (statement)) == SQLITE_ROW) {
    guint depth = find_depth (depths, sqlite3_column_int (statement, 1));

    g_hash_table_insert (depths, GINT_TO_POINTER (sqlite3_column_int (statement, 0)),
                         GUINT_TO_POINTER (depth + 1));
    g_string_append_printf (plan, "%*s%s\n", (int) depth * 2, "",
                            sqlite3_column_text (statement, 3));
  }
  if (code == SQLITE_DONE)
    return g_string_free (g_steal_pointer (&plan), FALSE);
  plumb_sqlite_connection_set_error (self, error);
  return NULL;
}
