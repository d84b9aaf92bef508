/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-export.h"

#include "plumb-export-writer.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What a manifest is called: its file's name, and this. */
#define MANIFEST ".manifest.json"

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
                     g_strdup (((PlumbResultColumn *)g_ptr_array_index (columns, i))->name));
  return export->writer->begin (export->writer, columns, error);
}

static gboolean
is_full (Export *export)
{
  if (export->limits->max_rows <= 0 || export->outcome.row_count < export->limits->max_rows)
    return FALSE;
  export->outcome.truncated_by = "rows";
  return TRUE;
}

static PlumbRowsNext
count_row (Export *export, PlumbRowsNext next)
{
  if (next == PLUMB_ROWS_STOP)
    export->outcome.truncated_by = "bytes";
  else
    export->outcome.row_count++;
  return next;
}

static PlumbRowsNext
take_row (const PlumbCell *cells, guint n_cells, gpointer user_data, GError **error)
{
  Export *export = user_data;

  if (is_full (export))
    return PLUMB_ROWS_STOP;
  return count_row (export, export->writer->row (export->writer, cells, n_cells, error));
}

static PlumbRowsNext
take_csv_line (const char *line, gsize length, gpointer user_data, GError **error)
{
  Export *export = user_data;

  if (is_full (export))
    return PLUMB_ROWS_STOP;
  return count_row (export, export->writer->csv_line (export->writer, line, length, error));
}

static PlumbExportWriter *
make_writer (PlumbExportFormat format, PlumbExportFlags flags, const char *path, GError **error)
{
  if (format == PLUMB_EXPORT_XLSX)
    return plumb_export_xlsx_writer_new (path, error);
  if (format == PLUMB_EXPORT_JSONL)
    return plumb_export_jsonl_writer_new (path, error);
  return plumb_export_csv_writer_new (path, (flags & PLUMB_EXPORT_SAFE) != 0, error);
}

static void
add_fact (GArray *facts, const char *name, PlumbValueKind kind, const char *text)
{
  PlumbExportFact fact
      = { name, { g_strdup (text), 0, text != NULL ? kind : PLUMB_VALUE_NULL, FALSE } };

  fact.value.length = text != NULL ? strlen (text) : 0;
  g_array_append_val (facts, fact);
}

static void
add_number (GArray *facts, const char *name, gint64 number)
{
  g_autofree char *text = g_strdup_printf ("%" G_GINT64_FORMAT, number);

  add_fact (facts, name, PLUMB_VALUE_INTEGER, text);
}

static void
fact_clear (gpointer fact)
{
  g_free ((gpointer)((PlumbExportFact *)fact)->value.text);
}

/* What the file holds and where it came from. */
static GArray *
make_facts (const PlumbQuery *query, const char *path, PlumbExportFormat format,
            PlumbExportFlags flags, const PlumbExportReport *report)
{
  g_autoptr (PlumbSource) source
      = plumb_workspace_get_source (query->workspace, query->database, NULL);
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autofree char *at = g_date_time_format_iso8601 (now);
  g_autofree char *name = g_path_get_basename (path);
  GArray *facts = g_array_new (FALSE, FALSE, sizeof (PlumbExportFact));
  const char *truncated = report->truncated_by != NULL ? "true" : "false";

  g_array_set_clear_func (facts, fact_clear);
  add_fact (facts, "file", PLUMB_VALUE_TEXT, name);
  add_fact (facts, "format", PLUMB_VALUE_TEXT, format_names[format]);
  add_fact (facts, "written_at", PLUMB_VALUE_TEXT, at);
  add_fact (facts, "user", PLUMB_VALUE_TEXT, g_get_user_name ());
  add_fact (facts, "database", PLUMB_VALUE_TEXT, query->database);
  add_fact (facts, "source", PLUMB_VALUE_TEXT, source ? plumb_source_get_uri (source) : NULL);
  add_fact (facts, "engine", PLUMB_VALUE_TEXT, source ? plumb_source_get_engine (source) : NULL);
  add_fact (facts, "sql", PLUMB_VALUE_TEXT, query->sql);
  add_number (facts, "rows", report->rows);
  add_fact (facts, "truncated", PLUMB_VALUE_BOOLEAN, truncated);
  add_fact (facts, "truncated_by", PLUMB_VALUE_TEXT, report->truncated_by);
  add_number (facts, "elapsed_ms", report->elapsed_ms);
  add_number (facts, "audit_id", report->audit_id);
  if ((flags & PLUMB_EXPORT_SAFE) != 0)
    add_fact (facts, "formulas_marked", PLUMB_VALUE_BOOLEAN, "true");
  return facts;
}

/* The facts beside the file, with its columns and its size. */
static gboolean
write_manifest (const char *path, GArray *facts, const Export *export, gint64 bytes, GError **error)
{
  g_autoptr (PlumbJsonWriter) writer = plumb_json_writer_new ();
  g_autofree char *json = NULL;

  plumb_json_writer_begin_object (writer);
  for (guint i = 0; i < facts->len; i++) {
    const PlumbExportFact *fact = &g_array_index (facts, PlumbExportFact, i);

    plumb_json_writer_name (writer, fact->name);
    plumb_cell_write_json (&fact->value, writer);
  }
  plumb_json_writer_name (writer, "bytes");
  plumb_json_writer_int (writer, bytes);
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
           PlumbExportFlags flags, Export *export, GPtrArray *warnings, GCancellable *cancellable,
           GError **error)
{
  PlumbRowSink sink = { take_columns, take_row, export, NULL };

  export->writer = make_writer (format, flags, part, error);
  if (export->writer == NULL)
    return FALSE;
  if (export->limits->max_bytes > 0)
    export->writer->room = export->limits->max_bytes;
  if (export->writer->csv_line != NULL)
    sink.csv_line = take_csv_line;
  return plumb_query_stream (query, export->limits, &sink, &export->outcome, warnings, cancellable,
                             error);
}

static gboolean
set_write_error (const char *path, GError **error)
{
  int code = errno;

  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (code), "“%s” could not be written: %s.",
               path, g_strerror (code));
  return FALSE;
}

/* The manifest comes first, so that no file stands there without one; then the part file, which is
 * whole, gets its name. */
static gboolean
put_in_place (const char *part, const char *path, GArray *facts, const Export *export,
              PlumbExportReport *report, GError **error)
{
  g_autofree char *manifest = g_strconcat (path, MANIFEST, NULL);
  GStatBuf status;

  if (g_stat (part, &status) != 0)
    return set_write_error (path, error);
  report->bytes = status.st_size;
  if (!write_manifest (manifest, facts, export, report->bytes, error))
    return FALSE;
  return g_rename (part, path) == 0 || set_write_error (path, error);
}

static gboolean
export_into (const PlumbQuery *query, const char *part, const char *path, PlumbExportFormat format,
             PlumbExportFlags flags, Export *export, PlumbExportReport *report,
             GCancellable *cancellable, GError **error)
{
  g_autoptr (GArray) facts = NULL;
  gboolean written
      = fill_file (query, part, format, flags, export, report->warnings, cancellable, error);

  report->rows = export->outcome.row_count;
  report->truncated_by = export->outcome.truncated_by;
  report->elapsed_ms = export->outcome.elapsed_ms;
  report->audit_id = export->outcome.audit_id;
  if (written && report->truncated_by == NULL && export->writer->n_cut > 0)
    report->truncated_by = "cell";
  if (written) {
    facts = make_facts (query, path, format, flags, report);
    written = export->writer->end (export->writer, facts, error);
  }
  if (export->writer != NULL)
    export->writer->free (export->writer);
  return written && put_in_place (part, path, facts, export, report, error);
}

/* Where the file goes: where a link points to, if it is one. */
static char *
follow_link (const char *path)
{
  g_autofree char *real = NULL;
  char *found = realpath (path, NULL);

  if (found == NULL)
    return g_strdup (path);
  real = g_strdup (found);
  free (found);
  return g_steal_pointer (&real);
}

/* Whether the file is an export that nobody has changed since: its manifest knows its size and was
 * written after it. */
static gboolean
is_earlier_export (const char *path, const GStatBuf *status)
{
  g_autofree char *manifest = g_strconcat (path, MANIFEST, NULL);
  g_autofree char *json = NULL;
  g_autoptr (JsonNode) node = NULL;
  GStatBuf manifest_status;

  if (g_stat (manifest, &manifest_status) != 0 || status->st_mtime > manifest_status.st_mtime
      || !g_file_get_contents (manifest, &json, NULL, NULL))
    return FALSE;
  node = plumb_json_parse (json, -1, NULL);
  return node != NULL && JSON_NODE_HOLDS_OBJECT (node)
         && plumb_json_get_int (json_node_get_object (node), "bytes", -1) == status->st_size;
}

static gboolean
may_write (const char *path, PlumbExportFlags flags, GError **error)
{
  GStatBuf status;

  if (g_stat (path, &status) != 0)
    return TRUE;
  if (!S_ISREG (status.st_mode)) {
    g_set_error (error, PLUMB_ERROR, PLUMB_ERROR_INVALID_ARGUMENT,
                 "“%s” is %s. Name a file to write the rows to.", path,
                 S_ISDIR (status.st_mode) ? "a folder" : "no ordinary file");
    return FALSE;
  }
  if ((flags & PLUMB_EXPORT_REPLACE) != 0 || status.st_size == 0
      || is_earlier_export (path, &status))
    return TRUE;
  g_set_error (
      error, PLUMB_ERROR, PLUMB_ERROR_INVALID_ARGUMENT,
      "“%s” is there already and is not an export as Plumbline wrote it, so it was left as "
      "it is. Name another file, or say that it may be replaced (--replace).",
      path);
  return FALSE;
}

/* A new file beside the one that is to be, for nobody else to read: rows are no more public than
 * the database. */
static char *
make_part (const char *path, GError **error)
{
  g_autofree char *part = g_strconcat (path, ".XXXXXX.part", NULL);
  int fd = g_mkstemp_full (part, O_WRONLY | O_CLOEXEC, 0600);

  if (fd < 0) {
    set_write_error (path, error);
    return NULL;
  }
  close (fd);
  return g_steal_pointer (&part);
}

/**
 * plumb_export_run:
 * @query: a statement
 * @path: the file
 * @format: the file's format
 * @flags: what more to do
 * @limits: caps on rows, bytes and time; 0 for none
 * @cancellable: (nullable): cancels at the server
 * @error: return location
 *
 * Runs a statement and writes its rows into a file while they arrive, values exactly as the server
 * gave them. A manifest beside the file (`.manifest.json`) says what it holds and where it is from.
 * The file gets its name when it is whole: after an error or a cancel there is nothing under it, or
 * what was there before.
 *
 * Returns: (transfer full): what it came to; %NULL with PLUMB_ERROR_INVALID_ARGUMENT where @path
 *   can't be written to or holds something else, or with another error
 */
PlumbExportReport *
plumb_export_run (const PlumbQuery *query, const char *path, PlumbExportFormat format,
                  PlumbExportFlags flags, const PlumbLimits *limits, GCancellable *cancellable,
                  GError **error)
{
  g_autoptr (PlumbExportReport) report = g_new0 (PlumbExportReport, 1);
  g_autoptr (GPtrArray) columns = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *real = follow_link (path);
  g_autofree char *part = may_write (real, flags, error) ? make_part (real, error) : NULL;
  Export export = { .limits = limits, .columns = columns };

  if (part == NULL)
    return NULL;
  report->path = g_strdup (path);
  report->warnings = g_ptr_array_new_with_free_func (g_free);
  if (export_into (query, part, real, format, flags, &export, report, cancellable, error))
    return g_steal_pointer (&report);
  g_unlink (part);
  return NULL;
}
