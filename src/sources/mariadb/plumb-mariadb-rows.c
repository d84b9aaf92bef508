/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-mariadb-private.h"

#include <string.h>

/* The character set of what has none: bytes. */
#define BINARY_CHARSET 63
/* Bytes that a character of utf8mb4, which the session speaks, takes at most. */
#define BYTES_PER_CHARACTER 4
/* After so many rows it is looked whether the statement has to stop. */
#define LOOK_EVERY 64

/* Types by their number in the protocol. @text: what it is where it has a character set. */
static const struct {
  enum enum_field_types type;
  const char *name;
  PlumbValueKind kind;
  const char *text;
} types[] = {
  { MYSQL_TYPE_TINY, "tinyint", PLUMB_VALUE_INTEGER, NULL },
  { MYSQL_TYPE_SHORT, "smallint", PLUMB_VALUE_INTEGER, NULL },
  { MYSQL_TYPE_INT24, "mediumint", PLUMB_VALUE_INTEGER, NULL },
  { MYSQL_TYPE_LONG, "int", PLUMB_VALUE_INTEGER, NULL },
  { MYSQL_TYPE_LONGLONG, "bigint", PLUMB_VALUE_INTEGER, NULL },
  { MYSQL_TYPE_YEAR, "year", PLUMB_VALUE_INTEGER, NULL },
  { MYSQL_TYPE_DECIMAL, "decimal", PLUMB_VALUE_DECIMAL, NULL },
  { MYSQL_TYPE_NEWDECIMAL, "decimal", PLUMB_VALUE_DECIMAL, NULL },
  { MYSQL_TYPE_FLOAT, "float", PLUMB_VALUE_FLOAT, NULL },
  { MYSQL_TYPE_DOUBLE, "double", PLUMB_VALUE_FLOAT, NULL },
  { MYSQL_TYPE_DATE, "date", PLUMB_VALUE_DATE, NULL },
  { MYSQL_TYPE_NEWDATE, "date", PLUMB_VALUE_DATE, NULL },
  { MYSQL_TYPE_TIME, "time", PLUMB_VALUE_TIME, NULL },
  { MYSQL_TYPE_TIME2, "time", PLUMB_VALUE_TIME, NULL },
  { MYSQL_TYPE_DATETIME, "datetime", PLUMB_VALUE_TIMESTAMP, NULL },
  { MYSQL_TYPE_DATETIME2, "datetime", PLUMB_VALUE_TIMESTAMP, NULL },
  { MYSQL_TYPE_TIMESTAMP, "timestamp", PLUMB_VALUE_TIMESTAMP, NULL },
  { MYSQL_TYPE_TIMESTAMP2, "timestamp", PLUMB_VALUE_TIMESTAMP, NULL },
  { MYSQL_TYPE_BIT, "bit", PLUMB_VALUE_BINARY, NULL },
  { MYSQL_TYPE_GEOMETRY, "geometry", PLUMB_VALUE_BINARY, NULL },
  { MYSQL_TYPE_JSON, "json", PLUMB_VALUE_JSON, NULL },
  { MYSQL_TYPE_NULL, "null", PLUMB_VALUE_TEXT, NULL },
  { MYSQL_TYPE_STRING, "binary", PLUMB_VALUE_BINARY, "char" },
  { MYSQL_TYPE_VAR_STRING, "varbinary", PLUMB_VALUE_BINARY, "varchar" },
  { MYSQL_TYPE_VARCHAR, "varbinary", PLUMB_VALUE_BINARY, "varchar" },
  { MYSQL_TYPE_TINY_BLOB, "tinyblob", PLUMB_VALUE_BINARY, "tinytext" },
  { MYSQL_TYPE_BLOB, "blob", PLUMB_VALUE_BINARY, "text" },
  { MYSQL_TYPE_MEDIUM_BLOB, "mediumblob", PLUMB_VALUE_BINARY, "mediumtext" },
  { MYSQL_TYPE_LONG_BLOB, "longblob", PLUMB_VALUE_BINARY, "longtext" },
};

static char *
name_type (const MYSQL_FIELD *field, guint i, gboolean is_text)
{
  const char *name = is_text ? types[i].text : types[i].name;

  if ((field->flags & ENUM_FLAG) != 0)
    return g_strdup ("enum");
  if ((field->flags & SET_FLAG) != 0)
    return g_strdup ("set");
  if (types[i].kind == PLUMB_VALUE_DECIMAL) {
    /* The length counts the sign and the point. */
    gulong digits = field->length - (field->decimals > 0 ? 1 : 0) -
                    ((field->flags & UNSIGNED_FLAG) == 0 ? 1 : 0);

    return g_strdup_printf ("decimal(%lu,%u)", digits, field->decimals);
  }
  if (strcmp (name, "char") == 0 || strcmp (name, "varchar") == 0)
    return g_strdup_printf ("%s(%lu)", name, field->length / BYTES_PER_CHARACTER);
  if (types[i].kind == PLUMB_VALUE_INTEGER && (field->flags & UNSIGNED_FLAG) != 0 &&
      field->type != MYSQL_TYPE_YEAR)
    return g_strdup_printf ("%s unsigned", name);
  return g_strdup (name);
}

/* MariaDB keeps JSON as text, and says beside the type what it is. */
static gboolean
is_json (const MYSQL_FIELD *field)
{
  MARIADB_CONST_STRING format = { NULL, 0 };

  return mariadb_field_attr (&format, field, MARIADB_FIELD_ATTR_FORMAT_NAME) == 0 &&
         format.length == strlen ("json") && strncmp (format.str, "json", format.length) == 0;
}

static PlumbResultColumn *
describe (const MYSQL_FIELD *field)
{
  if (is_json (field))
    return plumb_result_column_new (field->name, "json", PLUMB_VALUE_JSON);
  for (guint i = 0; i < G_N_ELEMENTS (types); i++) {
    gboolean is_text = types[i].text != NULL && field->charsetnr != BINARY_CHARSET;
    g_autofree char *name = NULL;

    if (types[i].type != field->type)
      continue;
    name = name_type (field, i, is_text);
    return plumb_result_column_new (field->name, name, is_text ? PLUMB_VALUE_TEXT : types[i].kind);
  }
  return plumb_result_column_new (field->name, "", PLUMB_VALUE_OTHER);
}

static GPtrArray *
make_columns (MYSQL_RES *rows)
{
  GPtrArray *columns = g_ptr_array_new_with_free_func ((GDestroyNotify) plumb_result_column_free);
  const MYSQL_FIELD *fields = mysql_fetch_fields (rows);

  for (guint i = 0; i < mysql_num_fields (rows); i++)
    g_ptr_array_add (columns, describe (&fields[i]));
  return columns;
}

static PlumbRowsNext
hand_on_row (MYSQL_RES *rows, MYSQL_ROW row, GPtrArray *columns, PlumbCell *cells,
             PlumbRowSink *sink, GError **error)
{
  const gulong *lengths = mysql_fetch_lengths (rows);

  for (guint i = 0; i < columns->len; i++) {
    const PlumbResultColumn *column = g_ptr_array_index (columns, i);

    if (row[i] == NULL)
      cells[i] = (PlumbCell) { NULL, 0, PLUMB_VALUE_NULL, FALSE };
    else
      cells[i] = (PlumbCell) { row[i], lengths[i], column->kind, FALSE };
  }
  return sink->row (cells, columns->len, sink->user_data, error);
}

static MYSQL_ROW
fetch_row (PlumbMariadbConnection *self, MYSQL_RES *rows)
{
  MYSQL_ROW row = NULL;
  int status = mysql_fetch_row_start (&row, rows);

  while (status != 0)
    status = mysql_fetch_row_cont (&row, rows, plumb_mariadb_await (self, status));
  return row;
}

/* Rows that nobody wants any more are read all the same: the server has been told to send no more,
 * and how it ended stands behind them. */
static gboolean
read_rows (PlumbMariadbConnection *self, MYSQL_RES *rows, PlumbRowSink *sink, GError **error)
{
  g_autoptr (GPtrArray) columns = make_columns (rows);
  g_autofree PlumbCell *cells = g_new0 (PlumbCell, columns->len);
  PlumbRowsNext next = PLUMB_ROWS_CONTINUE;
  MYSQL_ROW row;

  if (!sink->columns (columns, sink->user_data, error)) {
    next = PLUMB_ROWS_ERROR;
    plumb_mariadb_stop (self);
  }
  for (guint n = 1; (row = fetch_row (self, rows)) != NULL; n++) {
    if (n % LOOK_EVERY == 0)
      plumb_mariadb_look (self);
    if (next != PLUMB_ROWS_CONTINUE || self->stop != PLUMB_MARIADB_GOES_ON)
      continue;
    next = hand_on_row (rows, row, columns, cells, sink, error);
    if (next != PLUMB_ROWS_CONTINUE)
      plumb_mariadb_stop (self);
  }
  if (next != PLUMB_ROWS_CONTINUE)
    return next == PLUMB_ROWS_STOP;
  return (mysql_errno (self->mysql) == 0 && self->stop == PLUMB_MARIADB_GOES_ON) ||
         plumb_mariadb_set_error (self, error);
}

static void
free_rows (PlumbMariadbConnection *self, MYSQL_RES *rows)
{
  int status = mysql_free_result_start (rows);

  while (status != 0)
    status = mysql_free_result_cont (rows, plumb_mariadb_await (self, status));
}

/**
 * plumb_mariadb_stream:
 * @sql: one statement that reads
 * @sink: where its rows go
 *
 * Runs a statement in the transaction that is open and hands its rows on as they arrive.
 *
 * Returns: whether it ran to its end, or until the sink had enough
 */
gboolean
plumb_mariadb_stream (PlumbMariadbConnection *self, const char *sql, PlumbRowSink *sink,
                      GError **error)
{
  g_autofree char *mark = plumb_source_get_mark ();
  g_autofree char *marked = g_strconcat (PLUMB_MARIADB_MARK_PREFIX, mark, " */ ", sql, NULL);
  MYSQL_RES *rows;
  gboolean good;

  if (!plumb_mariadb_execute (self, marked, error))
    return FALSE;
  rows = mysql_use_result (self->mysql);
  if (rows == NULL) {
    g_set_error_literal (error, PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_STATEMENT,
                         "This text is no query: it gives no columns. Write one SELECT.");
    return FALSE;
  }
  good = read_rows (self, rows, sink, error);
  free_rows (self, rows);
  return good;
}
