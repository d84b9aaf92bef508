/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-clickhouse-private.h"

#include <string.h>

typedef struct {
  PlumbRowSink *sink;
  GPtrArray *names;   /* of the first line, until the types have come */
  GPtrArray *columns;
  PlumbCell *cells;
  GString **buffers;  /* a column's unescaped value */
  PlumbRowsNext next;
} RowReader;

/** plumb_clickhouse_unescape: Returns: (transfer none): @buffer, with what the escaped text stands
 * for */
GString *
plumb_clickhouse_unescape (const char *text, gsize length, GString *buffer)
{
  static const char escapes[] = "b\bf\fn\nr\rt\t0\0a\av\v";
  const char *end = text + length;
  const char *escape;

  g_string_truncate (buffer, 0);
  while ((escape = memchr (text, '\\', end - text)) != NULL && escape + 1 < end) {
    char c = escape[1];

    g_string_append_len (buffer, text, escape - text);
    for (gsize e = 0; e + 1 < sizeof escapes; e += 2) {
      if (escapes[e] == c) {
        c = escapes[e + 1];
        break;
      }
    }
    g_string_append_c (buffer, c);
    text = escape + 2;
  }
  return g_string_append_len (buffer, text, end - text);
}

/* What stands inside Nullable(…) and LowCardinality(…). */
static const char *
unwrap (const char *type)
{
  for (;;) {
    if (g_str_has_prefix (type, "Nullable("))
      type += strlen ("Nullable(");
    else if (g_str_has_prefix (type, "LowCardinality("))
      type += strlen ("LowCardinality(");
    else
      return type;
  }
}

/** plumb_clickhouse_get_kind: Returns: what cells of the type are */
PlumbValueKind
plumb_clickhouse_get_kind (const char *type)
{
  static const struct {
    const char *prefix;
    PlumbValueKind kind;
  } kinds[] = {
    { "Interval", PLUMB_VALUE_INTERVAL },  { "Int", PLUMB_VALUE_INTEGER },
    { "UInt", PLUMB_VALUE_INTEGER },       { "Float", PLUMB_VALUE_FLOAT },
    { "BFloat", PLUMB_VALUE_FLOAT },       { "Decimal", PLUMB_VALUE_DECIMAL },
    { "DateTime", PLUMB_VALUE_TIMESTAMP }, { "Date", PLUMB_VALUE_DATE },
    { "Time", PLUMB_VALUE_TIME },          { "Bool", PLUMB_VALUE_BOOLEAN },
    { "String", PLUMB_VALUE_TEXT },        { "FixedString", PLUMB_VALUE_TEXT },
    { "Enum", PLUMB_VALUE_TEXT },          { "UUID", PLUMB_VALUE_TEXT },
    { "IPv", PLUMB_VALUE_TEXT },           { "Nothing", PLUMB_VALUE_TEXT },
    { "JSON", PLUMB_VALUE_JSON },          { "Object(", PLUMB_VALUE_JSON },
  };
  const char *plain = unwrap (type);

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++) {
    if (g_str_has_prefix (plain, kinds[i].prefix))
      return kinds[i].kind;
  }
  return PLUMB_VALUE_OTHER;
}

static GPtrArray *
split_names (const char *line, gsize length)
{
  g_autofree char *text = g_strndup (line, length);
  g_auto (GStrv) cells = g_strsplit (text, "\t", -1);
  g_autoptr (GString) buffer = g_string_new (NULL);
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; cells[i] != NULL; i++)
    g_ptr_array_add (
      names, g_strdup (plumb_clickhouse_unescape (cells[i], strlen (cells[i]), buffer)->str));
  return names;
}

static gboolean
take_types (RowReader *self, const char *line, gsize length, GError **error)
{
  g_autoptr (GPtrArray) types = split_names (line, length);

  if (types->len != self->names->len) {
    g_set_error_literal (error, PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_STATEMENT,
                         "The server's answer can't be read: it is in another format.");
    return FALSE;
  }
  self->columns = g_ptr_array_new_with_free_func ((GDestroyNotify) plumb_result_column_free);
  self->cells = g_new0 (PlumbCell, types->len);
  self->buffers = g_new0 (GString *, types->len);
  for (guint i = 0; i < types->len; i++) {
    const char *type = g_ptr_array_index (types, i);

    g_ptr_array_add (self->columns,
                     plumb_result_column_new (g_ptr_array_index (self->names, i), type,
                                              plumb_clickhouse_get_kind (type)));
    self->buffers[i] = g_string_new (NULL);
  }
  return self->sink->columns (self->columns, self->sink->user_data, error);
}

/* An array's text has escapes of its own, inside of its quotes, and stays as the server wrote it.
 * So does what has no escape in it, where it stands. */
static void
take_cell (RowReader *self, guint i, char *text, gsize length, gboolean may_be_escaped)
{
  const PlumbResultColumn *column = g_ptr_array_index (self->columns, i);
  PlumbCell *cell = &self->cells[i];
  gboolean is_escaped = may_be_escaped && memchr (text, '\\', length) != NULL;

  *cell = (PlumbCell) { NULL, 0, PLUMB_VALUE_NULL, FALSE };
  if (is_escaped && length == 2 && text[1] == 'N')
    return;
  cell->kind = column->kind;
  if (is_escaped && column->kind != PLUMB_VALUE_OTHER) {
    plumb_clickhouse_unescape (text, length, self->buffers[i]);
    cell->text = self->buffers[i]->str;
    cell->length = self->buffers[i]->len;
  } else {
    text[length] = '\0';
    cell->text = text;
    cell->length = length;
  }
}

static gboolean
take_row (RowReader *self, char *line, gsize length, GError **error)
{
  char *end = line + length;
  gboolean may_be_escaped = memchr (line, '\\', length) != NULL;
  guint n = 0;

  for (;;) {
    char *tab = memchr (line, '\t', end - line);
    gsize cell_length = (tab != NULL ? tab : end) - line;

    if (n < self->columns->len)
      take_cell (self, n, line, cell_length, may_be_escaped);
    n++;
    if (tab == NULL)
      break;
    line = tab + 1;
  }
  if (n != self->columns->len) {
    g_set_error_literal (
      error, PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_LOST,
      "The server's answer has a row with another number of columns. Ask again.");
    return FALSE;
  }
  self->next = self->sink->row (self->cells, n, self->sink->user_data, error);
  return self->next == PLUMB_ROWS_CONTINUE;
}

static gboolean
take_line (char *line, gsize length, gpointer user_data, GError **error)
{
  RowReader *self = user_data;

  if (self->names == NULL) {
    self->names = split_names (line, length);
    return TRUE;
  }
  if (self->columns == NULL)
    return take_types (self, line, length, error);
  /* WITH TOTALS puts an empty line between the rows and the totals, which are the last row then. */
  if (length == 0 && self->columns->len > 1)
    return TRUE;
  return take_row (self, line, length, error);
}

static void
reader_clear (RowReader *self)
{
  for (guint i = 0; self->columns != NULL && i < self->columns->len; i++)
    g_string_free (self->buffers[i], TRUE);
  g_free (self->buffers);
  g_free (self->cells);
  g_clear_pointer (&self->columns, g_ptr_array_unref);
  g_clear_pointer (&self->names, g_ptr_array_unref);
}

/**
 * plumb_clickhouse_stream:
 * @sql: one statement that reads, without FORMAT
 * @sink: where its rows go
 *
 * Returns: whether it ran to its end, or until the sink had enough
 */
gboolean
plumb_clickhouse_stream (PlumbSource *source, PlumbClickhouseServer *server, const char *sql,
                         gint64 timeout_ms, PlumbRowSink *sink, GCancellable *cancellable,
                         GError **error)
{
  RowReader self = { .sink = sink, .next = PLUMB_ROWS_CONTINUE };
  gboolean stopped;
  gboolean has_columns;
  gboolean good = plumb_clickhouse_query (source, server, sql, timeout_ms, take_line, &self,
                                          &stopped, cancellable, error);

  has_columns = self.columns != NULL;
  reader_clear (&self);
  if (good && !has_columns) {
    g_set_error_literal (error, PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_STATEMENT,
                         "This text is no query: it gives no columns. Write one SELECT.");
    return FALSE;
  }
  return good || (self.next == PLUMB_ROWS_STOP && (error == NULL || *error == NULL));
}
