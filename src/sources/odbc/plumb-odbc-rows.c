/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-odbc-private.h"

#include <string.h>

/* What the connection's thread fetches before the caller gets it: enough that handing over costs
 * nothing, and little enough that memory stays flat and first rows come soon. */
#define MOST_BYTES (256 * 1024)
#define MOST_ROWS 500
#define MOST_TIME (50 * G_TIME_SPAN_MILLISECOND)
/* A piece of a long value. */
#define PIECE_BYTES (32 * 1024)

/* Types of drivers' own that the standard doesn't number: SQL Server's. */
#define TYPE_SQLSERVER_TIME -154
#define TYPE_SQLSERVER_TIMESTAMP_WITH_ZONE -155
#define TYPE_SQLSERVER_UDT -151

static const struct {
  gint16 type;
  PlumbValueKind kind;
} kinds[] = {
  { SQL_BIT, PLUMB_VALUE_BOOLEAN },
  { SQL_TINYINT, PLUMB_VALUE_INTEGER },
  { SQL_SMALLINT, PLUMB_VALUE_INTEGER },
  { SQL_INTEGER, PLUMB_VALUE_INTEGER },
  { SQL_BIGINT, PLUMB_VALUE_INTEGER },
  { SQL_NUMERIC, PLUMB_VALUE_DECIMAL },
  { SQL_DECIMAL, PLUMB_VALUE_DECIMAL },
  { SQL_REAL, PLUMB_VALUE_FLOAT },
  { SQL_FLOAT, PLUMB_VALUE_FLOAT },
  { SQL_DOUBLE, PLUMB_VALUE_FLOAT },
  { SQL_TYPE_DATE, PLUMB_VALUE_DATE },
  { SQL_DATE, PLUMB_VALUE_DATE },
  { SQL_TYPE_TIME, PLUMB_VALUE_TIME },
  { SQL_TIME, PLUMB_VALUE_TIME },
  { TYPE_SQLSERVER_TIME, PLUMB_VALUE_TIME },
  { SQL_TYPE_TIMESTAMP, PLUMB_VALUE_TIMESTAMP },
  { SQL_TIMESTAMP, PLUMB_VALUE_TIMESTAMP },
  { TYPE_SQLSERVER_TIMESTAMP_WITH_ZONE, PLUMB_VALUE_TIMESTAMP },
  { SQL_BINARY, PLUMB_VALUE_BINARY },
  { SQL_VARBINARY, PLUMB_VALUE_BINARY },
  { SQL_LONGVARBINARY, PLUMB_VALUE_BINARY },
  { TYPE_SQLSERVER_UDT, PLUMB_VALUE_BINARY },
  { SQL_CHAR, PLUMB_VALUE_TEXT },
  { SQL_VARCHAR, PLUMB_VALUE_TEXT },
  { SQL_LONGVARCHAR, PLUMB_VALUE_TEXT },
  { SQL_WCHAR, PLUMB_VALUE_TEXT },
  { SQL_WVARCHAR, PLUMB_VALUE_TEXT },
  { SQL_WLONGVARCHAR, PLUMB_VALUE_TEXT },
};

static PlumbValueKind
find_kind (gint16 type, const char *name)
{
  g_autofree char *lower = g_ascii_strdown (name, -1);

  if (strcmp (lower, "json") == 0 || strcmp (lower, "jsonb") == 0)
    return PLUMB_VALUE_JSON;
  if (type >= SQL_INTERVAL_YEAR && type <= SQL_INTERVAL_MINUTE_TO_SECOND)
    return PLUMB_VALUE_INTERVAL;
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++) {
    if (kinds[i].type == type)
      return kinds[i].kind;
  }
  return PLUMB_VALUE_OTHER;
}

static char *
read_type_name (PlumbOdbcConnection *self, SQLUSMALLINT column)
{
  SQLWCHAR name[128] = { 0 };
  SQLSMALLINT length = 0;
  SQLLEN number = 0;

  if (!SQL_SUCCEEDED (SQLColAttributeW (self->statement, column, SQL_DESC_TYPE_NAME, name,
                                        sizeof name, &length, &number)))
    return g_strdup ("");
  return plumb_odbc_from_wide (name, MIN (length, (int) sizeof name - 2) / 2);
}

static char *
full_type_name (const char *name, PlumbValueKind kind, SQLULEN size, SQLSMALLINT digits)
{
  if (kind == PLUMB_VALUE_DECIMAL && size > 0 && size <= 1000 && strchr (name, '(') == NULL)
    return g_strdup_printf ("%s(%lu,%d)", name, (gulong) size, digits);
  return g_strdup (name);
}

static gboolean
describe_column (PlumbOdbcConnection *self, SQLUSMALLINT number)
{
  SQLWCHAR name[1024] = { 0 };
  SQLSMALLINT length = 0, type = 0, digits = 0, nullable = 0;
  SQLULEN size = 0;
  g_autofree char *column_name = NULL;
  g_autofree char *type_name = NULL;
  g_autofree char *full = NULL;
  PlumbValueKind kind;
  gint16 c_type;

  if (!SQL_SUCCEEDED (SQLDescribeColW (self->statement, number, name, G_N_ELEMENTS (name), &length,
                                       &type, &size, &digits, &nullable)))
    return plumb_odbc_take_fault (self, SQL_HANDLE_STMT, self->statement);
  column_name = plumb_odbc_from_wide (name, MIN (length, (int) G_N_ELEMENTS (name) - 1));
  type_name = read_type_name (self, number);
  kind = find_kind (type, type_name);
  full = full_type_name (type_name, kind, size, digits);
  g_ptr_array_add (self->columns, plumb_result_column_new (column_name, full, kind));
  c_type = kind == PLUMB_VALUE_BINARY ? SQL_C_BINARY : self->is_narrow ? SQL_C_CHAR : SQL_C_WCHAR;
  g_array_append_val (self->c_types, c_type);
  return TRUE;
}

/** plumb_odbc_describe: in the connection's thread: learns the columns of what was executed.
 *   Returns: whether it went well */
gboolean
plumb_odbc_describe (PlumbOdbcConnection *self)
{
  SQLSMALLINT n = 0;

  g_clear_pointer (&self->columns, g_ptr_array_unref);
  self->columns = g_ptr_array_new_with_free_func ((GDestroyNotify) plumb_result_column_free);
  g_array_set_size (self->c_types, 0);
  self->at_end = FALSE;
  if (!SQL_SUCCEEDED (SQLNumResultCols (self->statement, &n)))
    return plumb_odbc_take_fault (self, SQL_HANDLE_STMT, self->statement);
  for (SQLUSMALLINT i = 1; i <= n; i++) {
    if (!describe_column (self, i))
      return FALSE;
  }
  return TRUE;
}

/* Appends a piece, and says whether the value goes on. */
static gboolean
take_piece (PlumbOdbcConnection *self, GString *into, gint16 c_type, const char *piece,
            SQLRETURN code, SQLLEN left)
{
  gsize end = c_type == SQL_C_BINARY ? 0 : c_type == SQL_C_WCHAR ? sizeof (SQLWCHAR) : 1;
  SQLLEN room = PIECE_BYTES - (SQLLEN) end;
  gboolean more = code == SQL_SUCCESS_WITH_INFO && (left == SQL_NO_TOTAL || left > room);

  g_string_append_len (into, piece, more ? room : MIN (left, room));
  if (!more || self->max_cell <= 0)
    return more;
  /* What a limit on cells cuts off isn't fetched; the sink sees that there was more. */
  return (gint64) (into->len / MAX (end, 1)) <= self->max_cell;
}

static gboolean
fetch_cell (PlumbOdbcConnection *self, SQLUSMALLINT number, gint16 c_type)
{
  PlumbOdbcCell cell = { self->bytes->len, 0, FALSE };
  GString *into = c_type == SQL_C_WCHAR ? self->wide : self->bytes;
  gboolean more = TRUE;

  g_string_truncate (self->wide, 0);
  while (more) {
    /* Aligned for the driver's wide characters. */
    SQLWCHAR piece[PIECE_BYTES / sizeof (SQLWCHAR)];
    SQLLEN left = 0;
    SQLRETURN code = SQLGetData (self->statement, number, c_type, piece, PIECE_BYTES, &left);

    if (code == SQL_NO_DATA)
      break;
    if (!SQL_SUCCEEDED (code))
      return plumb_odbc_take_fault (self, SQL_HANDLE_STMT, self->statement);
    cell.is_null = left == SQL_NULL_DATA;
    more = !cell.is_null &&
           take_piece (self, into, c_type, (const char *) (gpointer) piece, code, left);
  }
  if (c_type == SQL_C_WCHAR)
    plumb_odbc_append_wide (self->bytes, (const SQLWCHAR *) (gpointer) self->wide->str,
                            self->wide->len / sizeof (SQLWCHAR));
  cell.length = self->bytes->len - cell.start;
  g_array_append_val (self->cells, cell);
  g_string_append_c (self->bytes, '\0');
  return TRUE;
}

/** plumb_odbc_fetch: in the connection's thread: fetches the next rows, none of them where there
 *   are no more. Returns: whether it went well */
gboolean
plumb_odbc_fetch (PlumbOdbcConnection *self)
{
  gint64 until = g_get_monotonic_time () + MOST_TIME;
  guint n_rows = 0;

  g_string_truncate (self->bytes, 0);
  g_array_set_size (self->cells, 0);
  do {
    SQLRETURN code = SQLFetch (self->statement);

    if (code == SQL_NO_DATA) {
      self->at_end = TRUE;
      return TRUE;
    }
    if (!SQL_SUCCEEDED (code))
      return plumb_odbc_take_fault (self, SQL_HANDLE_STMT, self->statement);
    for (guint i = 0; i < self->c_types->len; i++) {
      if (!fetch_cell (self, i + 1, g_array_index (self->c_types, gint16, i)))
        return FALSE;
    }
    n_rows++;
  } while (self->bytes->len < MOST_BYTES && n_rows < MOST_ROWS && g_get_monotonic_time () < until);
  return TRUE;
}

static PlumbRowsNext
hand_on (PlumbOdbcConnection *self, PlumbCell *cells, PlumbRowSink *sink, GError **error)
{
  guint n = self->columns->len;
  PlumbRowsNext next = PLUMB_ROWS_CONTINUE;

  for (guint first = 0; next == PLUMB_ROWS_CONTINUE && first + n <= self->cells->len; first += n) {
    for (guint i = 0; i < n; i++) {
      const PlumbOdbcCell *cell = &g_array_index (self->cells, PlumbOdbcCell, first + i);
      const PlumbResultColumn *column = g_ptr_array_index (self->columns, i);

      if (cell->is_null)
        cells[i] = (PlumbCell) { NULL, 0, PLUMB_VALUE_NULL, FALSE };
      else
        cells[i] = (PlumbCell) { self->bytes->str + cell->start, cell->length, column->kind,
                                 FALSE };
    }
    next = sink->row (cells, n, sink->user_data, error);
  }
  return next;
}

static gboolean
close_rows (PlumbOdbcConnection *self)
{
  if (!self->at_end)
    SQLCancel (self->statement);
  SQLFreeStmt (self->statement, SQL_CLOSE);
  return TRUE;
}

static gboolean
read_rows (PlumbOdbcConnection *self, PlumbRowSink *sink, GError **error)
{
  g_autofree PlumbCell *cells = g_new0 (PlumbCell, self->columns->len);
  PlumbRowsNext next = PLUMB_ROWS_CONTINUE;

  if (!sink->columns (self->columns, sink->user_data, error))
    return FALSE;
  while (next == PLUMB_ROWS_CONTINUE && !self->at_end) {
    if (!plumb_odbc_call (self, plumb_odbc_fetch, error))
      return FALSE;
    next = hand_on (self, cells, sink, error);
  }
  return next != PLUMB_ROWS_ERROR;
}

/* Oracle and Tibero take no semicolon, and no other engine needs one. */
static char *
drop_semicolon (const char *sql)
{
  gsize length = strlen (sql);

  while (length > 0 && (g_ascii_isspace (sql[length - 1]) || sql[length - 1] == ';'))
    length--;
  return g_strndup (sql, length);
}

/**
 * plumb_odbc_stream:
 * @sql: one statement that reads
 * @limits: its limits
 * @sink: where its rows go
 *
 * Runs a statement in the transaction that is open and hands its rows on as they arrive.
 *
 * Returns: whether it ran to its end, or until the sink had enough
 */
gboolean
plumb_odbc_stream (PlumbOdbcConnection *self, const char *sql, const PlumbLimits *limits,
                   PlumbRowSink *sink, GError **error)
{
  g_autofree char *plain = drop_semicolon (sql);
  gboolean good;

  self->max_rows = limits->max_rows > 0 ? limits->max_rows + 1 : 0;
  self->max_cell = limits->max_cell_bytes;
  if (!plumb_odbc_execute (self, plain, error))
    return FALSE;
  if (self->columns->len == 0) {
    g_set_error_literal (error, PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_STATEMENT,
                         "This text is no query: it gives no columns. Write one SELECT.");
    return FALSE;
  }
  good = read_rows (self, sink, error);
  if (good)
    good = plumb_odbc_call (self, close_rows, error);
  return good;
}
