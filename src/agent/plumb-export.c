/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-export.h"

#include "plumb-export-writer.h"

#include <errno.h>
#include <glib/gstdio.h>

static const char *const format_names[] = {
  [PLUMB_EXPORT_CSV] = "csv",
  [PLUMB_EXPORT_JSONL] = "jsonl",
  [PLUMB_EXPORT_XLSX] = "xlsx",
};

/* Rows on their way from the source into a file. */
typedef struct {
  PlumbExportWriter *writer;
  const PlumbLimits *limits;
  PlumbQueryOutcome outcome;
  gint64 n_bytes;
  GPtrArray *columns;
} Export;

/** plumb_export_format_from_string: Returns: whether @text is "csv", "jsonl" or "xlsx" */
gboolean
plumb_export_format_from_string (const char *text, PlumbExportFormat *format)
{
  for (guint i = 0; i < G_N_ELEMENTS (format_names); i++) {
    if (text != NULL && g_ascii_strcasecmp (text, format_names[i]) == 0) {
      *format = i;
      return TRUE;
    }
  }
  return FALSE;
}

/** plumb_export_format_to_string: Returns: the format's name, which is its suffix too */
const char *
plumb_export_format_to_string (PlumbExportFormat format)
{
  return format_names[format];
}

/** plumb_export_report_free: frees @self */
void
plumb_export_report_free (PlumbExportReport *self)
{
  if (self == NULL)
    return;
  g_free (self->path);
  g_clear_pointer (&self->warnings, g_ptr_array_unref);
  g_free (self);
}

static gboolean
take_columns (GPtrArray *columns, gpointer user_data, GError **error)
{
  Export *export = user_data;

  for (guint i = 0; i < columns->len; i++)
    g_ptr_array_add (export->columns,
                     g_strdup (((PlumbResultColumn *) g_ptr_array_index (columns, i))->name));
  return export->writer->begin (export->writer, columns, error);
}

static PlumbRowsNext
stop_by (Export *export, const char *limit)
{
  export->outcome.truncated_by = limit;
  return PLUMB_ROWS_STOP;
}

static PlumbRowsNext
take_row (const PlumbCell *cells, guint n_cells, gpointer user_data, GError **error)
{
  Export *export = user_data;
  PlumbRowsNext next;

  if (export->limits->max_rows > 0 && export->outcome.row_count >= export->limits->max_rows)
    return stop_by (export, "rows");
  for (guint i = 0; i < n_cells; i++)
    export->n_bytes += cells[i].length;
  if (export->limits->max_bytes > 0 && export->n_bytes > export->limits->max_bytes)
    return stop_by (export, "bytes");
  next = export->writer->row (export->writer, cells, n_cells, error);
  if (next == PLUMB_ROWS_STOP)
    return stop_by (export, "sheet");
  export->outcome.row_count++;
  return next;
}

static PlumbExportWriter *
make_writer (PlumbExportFormat format, const char *path, GError **error)
{
  if (format == PLUMB_EXPORT_XLSX)
    return plumb_export_xlsx_writer_new (path, error);
  if (format == PLUMB_EXPORT_JSONL)
    return plumb_export_jsonl_writer_new (path, error);
  return plumb_export_csv_writer_new (path, error);
}

/* The file's checksum and size, read back from the disk. */
static char *
hash_file (const char *path, gint64 *bytes, GError **error)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GFileInputStream) stream = g_file_read (file, NULL, error);
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);
  g_autofree guchar *buffer = g_malloc (64 * 1024);
  gssize n;

  *bytes = 0;
  if (stream == NULL)
    return NULL;
  while ((n = g_input_stream_read (G_INPUT_STREAM (stream), buffer, 64 * 1024, NULL, error)) > 0) {
    g_checksum_update (checksum, buffer, n);
    *bytes += n;
  }
  return n == 0 ? g_strdup (g_checksum_get_string (checksum)) : NULL;
}

/* What the file holds and where it came from, beside it. */
static gboolean
write_manifest (const PlumbQuery *query, const PlumbExportReport *report, PlumbExportFormat format,
                const Export *export, const char *checksum, GError **error)
{
  g_autoptr (PlumbJsonWriter) writer = plumb_json_writer_new ();
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autofree char *at = g_date_time_format_iso8601 (now);
  g_autofree char *name = g_path_get_basename (report->path);
  g_autofree char *path = g_strconcat (report->path, ".manifest.json", NULL);
  g_autofree char *json = NULL;
  const char *texts[][2] = {
    { "file", name },          { "format", format_names[format] },    { "sha256", checksum },
    { "written_at", at },      { "database", query->database },       { "sql", query->sql },
    { "user", g_get_user_name () }, { "truncated_by", report->truncated_by },
  };

  plumb_json_writer_begin_object (writer);
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++) {
    plumb_json_writer_name (writer, texts[i][0]);
    plumb_json_writer_string (writer, texts[i][1]);
  }
  plumb_json_writer_name (writer, "rows");
  plumb_json_writer_int (writer, report->rows);
  plumb_json_writer_name (writer, "bytes");
  plumb_json_writer_int (writer, report->bytes);
  plumb_json_writer_name (writer, "audit_id");
  plumb_json_writer_int (writer, report->audit_id);
  plumb_json_writer_name (writer, "columns");
  plumb_json_writer_begin_array (writer);
  for (guint i = 0; i < export->columns->len; i++)
    plumb_json_writer_string (writer, g_ptr_array_index (export->columns, i));
  plumb_json_writer_end_array (writer);
  plumb_json_writer_end_object (writer);
  json = plumb_json_writer_finish (writer);
  return g_file_set_contents_full (path, json, -1, G_FILE_SET_CONTENTS_CONSISTENT, 0600, error);
}

/* Runs the statement into the part file. */
static gboolean
fill_file (const PlumbQuery *query, const char *part, PlumbExportFormat format,
           const PlumbLimits *limits, Export *export, GPtrArray *warnings,
           GCancellable *cancellable, GError **error)
{
  PlumbRowSink sink = { take_columns, take_row, export };
  gboolean written;

  export->writer = make_writer (format, part, error);
  if (export->writer == NULL)
    return FALSE;
  written =
      plumb_query_stream (query, limits, &sink, &export->outcome, warnings, cancellable, error);
  if (written)
    written = export->writer->end (export->writer, error);
  export->writer->free (export->writer);
  return written;
}

/* The part file gets its name only when it is whole. */
static gboolean
finish_file (const PlumbQuery *query, const char *part, PlumbExportFormat format, Export *export,
             PlumbExportReport *report, GError **error)
{
  g_autofree char *checksum = hash_file (part, &report->bytes, error);

  if (checksum == NULL)
    return FALSE;
  /* Rows are no more public than the database; not every writer makes its file so. */
  if (g_chmod (part, 0600) != 0 || g_rename (part, report->path) != 0) {
    g_set_error (error, G_IO_ERROR, g_io_error_from_errno (errno), "“%s” could not be written: %s.",
                 report->path, g_strerror (errno));
    return FALSE;
  }
  return write_manifest (query, report, format, export, checksum, error);
}

/**
 * plumb_export_run:
 * @query: a statement
 * @path: the file; one that is there is replaced when the new one is whole
 * @format: the file's format
 * @limits: caps on rows, bytes and time; 0 for none
 * @cancellable: (nullable): cancels at the server
 * @error: return location
 *
 * Runs a statement and writes its rows into a file while they arrive, values exactly as the server
 * gave them. A manifest beside the file (`.manifest.json`) says what it holds and where it is from.
 *
 * Returns: (transfer full): what it came to
 */
PlumbExportReport *
plumb_export_run (const PlumbQuery *query, const char *path, PlumbExportFormat format,
                  const PlumbLimits *limits, GCancellable *cancellable, GError **error)
{
  g_autoptr (PlumbExportReport) report = g_new0 (PlumbExportReport, 1);
  g_autoptr (GPtrArray) columns = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *part = g_strconcat (path, ".part", NULL);
  Export export = { .limits = limits, .columns = columns };

  report->path = g_strdup (path);
  report->warnings = g_ptr_array_new_with_free_func (g_free);
  if (!fill_file (query, part, format, limits, &export, report->warnings, cancellable, error)) {
    g_unlink (part);
    return NULL;
  }
  report->rows = export.outcome.row_count;
  report->truncated_by = export.outcome.truncated_by;
  report->audit_id = export.outcome.audit_id;
  if (!finish_file (query, part, format, &export, report, error)) {
    g_unlink (part);
    return NULL;
  }
  return g_steal_pointer (&report);
}
