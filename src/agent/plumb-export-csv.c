/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-export-writer.h"

#include <string.h>

/* Comma-separated values after RFC 4180: lines end with CR LF, a field with a comma, a quote or a
 * line break stands in quotes, quotes in it are doubled. NULL is an empty field, an empty string is
 * "". Text is written byte for byte; binary as hexadecimal digits after \x. */
typedef struct {
  PlumbExportWriter parent;
  GOutputStream *stream;
  GString *text;
} CsvWriter;

/* Bytes that are gathered before they are written. */
#define BLOCK_SIZE (64 * 1024)

static gboolean
needs_quotes (const char *text, gsize length)
{
  if (length == 0 || text[0] == ' ' || text[length - 1] == ' ')
    return TRUE;
  for (gsize i = 0; i < length; i++) {
    if (text[i] == ',' || text[i] == '"' || text[i] == '\r' || text[i] == '\n')
      return TRUE;
  }
  return FALSE;
}

static void
append_field (GString *line, const char *text, gsize length)
{
  if (!needs_quotes (text, length)) {
    g_string_append_len (line, text, length);
    return;
  }
  g_string_append_c (line, '"');
  for (gsize i = 0; i < length; i++) {
    if (text[i] == '"')
      g_string_append_c (line, '"');
    g_string_append_c (line, text[i]);
  }
  g_string_append_c (line, '"');
}

static gboolean
flush (CsvWriter *self, GError **error)
{
  gboolean written =
      g_output_stream_write_all (self->stream, self->text->str, self->text->len, NULL, NULL, error);

  g_string_truncate (self->text, 0);
  return written;
}

static gboolean
end_line (CsvWriter *self, GError **error)
{
  g_string_append (self->text, "\r\n");
  return self->text->len < BLOCK_SIZE || flush (self, error);
}

static gboolean
csv_begin (PlumbExportWriter *writer, GPtrArray *columns, GError **error)
{
  CsvWriter *self = (CsvWriter *) writer;

  for (guint i = 0; i < columns->len; i++) {
    const PlumbResultColumn *column = g_ptr_array_index (columns, i);

    if (i > 0)
      g_string_append_c (self->text, ',');
    append_field (self->text, column->name, strlen (column->name));
  }
  return end_line (self, error);
}

static PlumbRowsNext
csv_row (PlumbExportWriter *writer, const PlumbCell *cells, guint n_cells, GError **error)
{
  CsvWriter *self = (CsvWriter *) writer;

  for (guint i = 0; i < n_cells; i++) {
    if (i > 0)
      g_string_append_c (self->text, ',');
    if (cells[i].kind == PLUMB_VALUE_BINARY) {
      g_autofree char *hex = plumb_cell_to_display (&cells[i]);

      append_field (self->text, hex, strlen (hex));
    } else if (cells[i].kind != PLUMB_VALUE_NULL) {
      append_field (self->text, cells[i].text, cells[i].length);
    }
  }
  return end_line (self, error) ? PLUMB_ROWS_CONTINUE : PLUMB_ROWS_ERROR;
}

static gboolean
csv_end (PlumbExportWriter *writer, GError **error)
{
  CsvWriter *self = (CsvWriter *) writer;

  return flush (self, error) && g_output_stream_close (self->stream, NULL, error);
}

static void
csv_free (PlumbExportWriter *writer)
{
  CsvWriter *self = (CsvWriter *) writer;

  g_object_unref (self->stream);
  g_string_free (self->text, TRUE);
  g_free (self);
}

/** plumb_export_csv_writer_new: Returns: (transfer full): a writer into a new file at @path */
PlumbExportWriter *
plumb_export_csv_writer_new (const char *path, GError **error)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GFileOutputStream) stream =
      g_file_replace (file, NULL, FALSE, G_FILE_CREATE_PRIVATE, NULL, error);
  CsvWriter *self;

  if (stream == NULL)
    return NULL;
  self = g_new0 (CsvWriter, 1);
  self->parent = (PlumbExportWriter) { csv_begin, csv_row, csv_end, csv_free };
  self->stream = G_OUTPUT_STREAM (g_steal_pointer (&stream));
  self->text = g_string_new (NULL);
  return &self->parent;
}
