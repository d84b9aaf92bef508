/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-export-writer.h"

#include "plumb-csv.h"

typedef struct {
  PlumbExportWriter parent;
  PlumbExportText file;
  gboolean safe;
} CsvWriter;

static gboolean
csv_begin (PlumbExportWriter *writer, GPtrArray *columns, GError **error)
{
  CsvWriter *self = (CsvWriter *)writer;

  plumb_csv_append_names (self->file.text, columns, self->safe);
  return plumb_export_text_end_row (&self->file, error);
}

/* A row of which @start is the first byte was appended: it stays where there is room for it. */
static PlumbRowsNext
end_row (CsvWriter *self, gsize start, GError **error)
{
  gint64 length = self->file.text->len - start;

  if (self->parent.room >= 0 && length > self->parent.room) {
    g_string_truncate (self->file.text, start);
    return PLUMB_ROWS_STOP;
  }
  if (self->parent.room >= 0)
    self->parent.room -= length;
  return plumb_export_text_end_row (&self->file, error) ? PLUMB_ROWS_CONTINUE : PLUMB_ROWS_ERROR;
}

static PlumbRowsNext
csv_row (PlumbExportWriter *writer, const PlumbCell *cells, guint n_cells, GError **error)
{
  CsvWriter *self = (CsvWriter *)writer;
  gsize start = self->file.text->len;

  plumb_csv_append_row (self->file.text, cells, n_cells, self->safe);
  return end_row (self, start, error);
}

static PlumbRowsNext
csv_line (PlumbExportWriter *writer, const char *line, gsize length, GError **error)
{
  CsvWriter *self = (CsvWriter *)writer;
  gsize start = self->file.text->len;

  g_string_append_len (self->file.text, line, length);
  g_string_append (self->file.text, PLUMB_CSV_LINE_END);
  return end_row (self, start, error);
}

static gboolean
csv_end (PlumbExportWriter *writer, GArray *facts, GError **error)
{
  return plumb_export_text_finish (&((CsvWriter *)writer)->file, error);
}

static void
csv_free (PlumbExportWriter *writer)
{
  CsvWriter *self = (CsvWriter *)writer;

  plumb_export_text_clear (&self->file);
  g_free (self);
}

/**
 * plumb_export_csv_writer_new:
 * @path: an empty file
 * @safe: whether text that a spreadsheet would run as a formula is marked, see
 *   [func@csv_append_row]
 * @error: return location
 *
 * Returns: (transfer full): a writer into the file
 */
PlumbExportWriter *
plumb_export_csv_writer_new (const char *path, gboolean safe, GError **error)
{
  CsvWriter *self = g_new0 (CsvWriter, 1);

  self->parent
      = (PlumbExportWriter){ csv_begin, csv_row, safe ? NULL : csv_line, csv_end, csv_free, -1, 0 };
  self->safe = safe;
  if (plumb_export_text_open (&self->file, path, error))
    return &self->parent;
  csv_free (&self->parent);
  return NULL;
}
