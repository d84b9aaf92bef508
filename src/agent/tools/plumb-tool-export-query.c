/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-export.h"
#include "plumb-text.h"
#include "plumb-tool-json.h"
#include "plumb-tools.h"

#include <errno.h>
#include <glib/gstdio.h>

/* Caps on a file that a model asks for; the session's own exports have none on rows. */
#define MAX_ROWS 1000000
#define MAX_BYTES (G_GINT64_CONSTANT (1024) * 1024 * 1024)
#define MAX_SENTENCES 10

/* The statement behind a result_id, which is the number of its audit record after an "r". */
static PlumbAuditRecord *
find_result (PlumbToolContext *context, const char *result_id, GError **error)
{
  guint64 id = 0;
  g_autoptr (PlumbAuditRecord) record = NULL;
  g_autofree char *shown = plumb_text_first_line (result_id, 40);

  if (*result_id == 'r' && g_ascii_string_to_unsigned (result_id + 1, 10, 1, G_MAXINT64, &id, NULL))
    record = plumb_index_get_audit (plumb_workspace_get_index (context->workspace), id, NULL);
  if (record != NULL && g_strcmp0 (record->origin, "ask") == 0 && record->state == PLUMB_STATE_DONE)
    return g_steal_pointer (&record);
  g_set_error (error, PLUMB_ERROR, PLUMB_ERROR_NOT_FOUND,
               "There is no result “%s”. Give the result_id of a run_query that succeeded, or "
               "database and sql.",
               shown);
  return NULL;
}

/* "sales-20261130-141500.csv", numbered where that is taken. */
static char *
make_path (PlumbToolContext *context, const char *database, PlumbExportFormat format,
           GError **error)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autofree char *at = g_date_time_format (now, "%Y%m%d-%H%M%S");
  g_autofree char *stem = g_strdup_printf ("%s-%s", database, at);
  char *path;

  if (g_mkdir_with_parents (context->export_folder, 0700) != 0) {
    g_set_error (error, G_IO_ERROR, g_io_error_from_errno (errno),
                 "The folder “%s” for exports could not be made: %s.", context->export_folder,
                 g_strerror (errno));
    return NULL;
  }
  g_strdelimit (stem, "/\\:", '_');
  path = g_strdup_printf ("%s/%s.%s", context->export_folder, stem,
                          plumb_export_format_to_string (format));
  for (guint n = 2; g_file_test (path, G_FILE_TEST_EXISTS); n++) {
    g_free (path);
    path = g_strdup_printf ("%s/%s-%u.%s", context->export_folder, stem, n,
                            plumb_export_format_to_string (format));
  }
  return path;
}

static char *
write_report (PlumbExportReport *report)
{
  g_autoptr (PlumbJsonWriter) writer = plumb_json_writer_new ();

  plumb_json_writer_begin_object (writer);
  plumb_tool_json_text (writer, "file", report->path);
  plumb_tool_json_number (writer, "rows", report->rows);
  plumb_tool_json_number (writer, "bytes", report->bytes);
  plumb_json_writer_name (writer, "truncated");
  plumb_json_writer_boolean (writer, report->truncated_by != NULL);
  plumb_tool_json_text (writer, "truncated_by", report->truncated_by);
  g_ptr_array_add (report->warnings, NULL);
  plumb_tool_json_some (writer, "warnings", (GStrv) report->warnings->pdata, MAX_SENTENCES);
  plumb_json_writer_end_object (writer);
  return plumb_json_writer_finish (writer);
}

static char *
run_export (PlumbToolContext *context, const char *database, const char *sql,
            PlumbExportFormat format, GCancellable *cancellable, GError **error)
{
  PlumbQuery query = {
    .workspace = context->workspace,
    .origin = "export",
    .database = database,
    .sql = sql,
    .question = context->question,
    .turn_id = context->turn_id,
    .scope = context->scope,
    .analyzed_only = TRUE,
    .progress = context->progress,
    .progress_data = context->progress_data,
  };
  PlumbLimits limits = { MAX_ROWS, MAX_BYTES, 0, context->limits.timeout_ms };
  g_autofree char *path = make_path (context, database, format, error);
  g_autoptr (PlumbExportReport) report = NULL;

  if (path == NULL)
    return NULL;
  report = plumb_export_run (&query, path, format, PLUMB_EXPORT_PLAIN, &limits, cancellable, error);
  if (report == NULL)
    return NULL;
  context->audit_id = report->audit_id;
  return write_report (report);
}

static char *
run_export_query (const PlumbTool *self, PlumbToolContext *context, JsonObject *arguments,
                  GCancellable *cancellable, GError **error)
{
  const char *result_id = plumb_json_get_string (arguments, "result_id", NULL);
  const char *database = plumb_json_get_string (arguments, "database", NULL);
  const char *sql = plumb_json_get_string (arguments, "sql", NULL);
  g_autoptr (PlumbAuditRecord) record = NULL;
  PlumbExportFormat format;

  plumb_export_format_from_string (plumb_json_get_string (arguments, "format", "csv"), &format);
  if ((result_id == NULL) == (database == NULL || sql == NULL)) {
    g_set_error_literal (error, PLUMB_ERROR, PLUMB_ERROR_INVALID_ARGUMENT,
                         "export_query needs either result_id alone, or database and sql.");
    return NULL;
  }
  if (result_id != NULL) {
    record = find_result (context, result_id, error);
    if (record == NULL)
      return NULL;
    database = record->database;
    sql = record->sql;
  }
  return run_export (context, database, sql, format, cancellable, error);
}

const PlumbTool plumb_export_query_tool = {
  .name = "export_query",
  .description = "Writes all rows of a result into a file for the user. Use it when the user wants "
                 "the rows as a file; "
                 "never retype rows.",
  .parameters =
      "{\"type\":\"object\",\"properties\":{"
      "\"result_id\":{\"type\":\"string\",\"description\":\"of a run_query result\"},"
      "\"database\":{\"type\":\"string\"},"
      "\"sql\":{\"type\":\"string\",\"description\":\"with database, instead of result_id\"},"
      "\"format\":{\"type\":\"string\",\"enum\":[\"csv\",\"xlsx\",\"jsonl\"]}},"
      "\"required\":[\"format\"],\"additionalProperties\":false}",
  .max_bytes = PLUMB_SHORT_MAX_BYTES,
  .run = run_export_query,
};
