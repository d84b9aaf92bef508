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
  GString *line;
} CsvWriter;

static void
append_field (GString *line, const char *text, gsize length)
{
  gboolean quoted = length == 0 || text[0] == ' ' || text[length - 1] == ' ';

  for (gsize i = 0; !quoted && i < length; i++)
    quoted = memchr (",\"\r\n", text[i], 4) != NULL;
  if (!quoted) {
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
write_line (CsvWriter *self, GError **error)
{
  g_string_append (self->line, "\r\n");
  return g_output_stream_write_all (self->stream, self->line->str, self->line->len, NULL, NULL,
                                    error);
}

static gboolean
csv_begin (PlumbExportWriter *writer, GPtrArray *columns, GError **error)
{
  CsvWriter *self = (CsvWriter *) writer;

  g_string_truncate (self->line, 0);
  for (guint i = 0; i < columns->len; i++) {
    const PlumbResultColumn *column = g_ptr_array_index (columns, i);

    if (i > 0)
      g_string_append_c (self->line, ',');
    append_field (self->line, column->name, strlen (column->name));
  }
  return write_line (self, error);
}

static PlumbRowsNext
csv_row (PlumbExportWriter *writer, const PlumbCell *cells, guint n_cells, GError **error)
{
  CsvWriter *self = (CsvWriter *) writer;

  g_string_truncate (self->line, 0);
  for (guint i = 0; i < n_cells; i++) {
    if (i > 0)
      g_string_append_c (self->line, ',');
    if (cells[i].kind == PLUMB_VALUE_BINARY) {
      g_autofree char *hex = plumb_cell_to_display (&cells[i]);

      append_field (self->line, hex, strlen (hex));
    } else if (cells[i].kind != PLUMB_VALUE_NULL) {
      append_field (self->line, cells[i].text, cells[i].length);
    }
  }
  return write_line (self, error) ? PLUMB_ROWS_CONTINUE : PLUMB_ROWS_ERROR;
}

static gboolean
csv_end (PlumbExportWriter *writer, GError **error)
{
  return g_output_stream_close (((CsvWriter *) writer)->stream, NULL, error);
}

static void
csv_free (PlumbExportWriter *writer)
{
  CsvWriter *self = (CsvWriter *) writer;

  g_object_unref (self->stream);
  g_string_free (self->line, TRUE);
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
  self->stream = g_buffered_output_stream_new_sized (G_OUTPUT_STREAM (stream), 64 * 1024);
  self->line = g_string_new (NULL);
  return &self->parent;
}
