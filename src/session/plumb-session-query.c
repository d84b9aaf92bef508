/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-session-private.h"

#include "plumb-export.h"
#include "plumb-query-runner.h"

#include <string.h>

static PlumbQuery
make_query (PlumbSession *self, const char *origin, const char *database, const char *sql)
{
  return (PlumbQuery){
    .workspace = self->workspace, .origin = origin, .database = database, .sql = sql
  };
}

/**
 * plumb_session_query:
 * @self: a session
 * @database: a source
 * @sql: one statement
 * @limits: (nullable): caps, %NULL for those of the settings
 * @cancellable: (nullable): cancels at the server
 * @error: return location
 *
 * Returns: (transfer full): the rows
 */
PlumbResult *
plumb_session_query (PlumbSession *self, const char *database, const char *sql,
                     const PlumbLimits *limits, GCancellable *cancellable, GError **error)
{
  PlumbQuery query = make_query (self, "query", database, sql);
  PlumbLimits usual = plumb_session_get_limits (self);

  return plumb_query_run (&query, limits != NULL ? limits : &usual, NULL, cancellable, error);
}

static char *
write_plan (const PlumbQueryPlan *plan, const char *database)
{
  g_autoptr (PlumbJsonWriter) writer = plumb_json_writer_new ();

  plumb_json_writer_begin_object (writer);
  plumb_json_writer_name (writer, "database");
  plumb_json_writer_string (writer, database);
  plumb_json_writer_name (writer, "plan");
  plumb_json_writer_string (writer, plan->plan);
  if (plan->rows >= 0) {
    plumb_json_writer_name (writer, "estimated_rows");
    plumb_json_writer_double (writer, plan->rows);
  }
  if (plan->cost >= 0) {
    plumb_json_writer_name (writer, "estimated_cost");
    plumb_json_writer_double (writer, plan->cost);
  }
  plumb_json_writer_name (writer, "warnings");
  plumb_json_writer_begin_array (writer);
  for (guint i = 0; i < plan->warnings->len; i++)
    plumb_json_writer_string (writer, g_ptr_array_index (plan->warnings, i));
  plumb_json_writer_end_array (writer);
  plumb_json_writer_name (writer, "audit_id");
  plumb_json_writer_int (writer, plan->audit_id);
  plumb_json_writer_end_object (writer);
  return plumb_json_writer_finish (writer);
}

/**
 * plumb_session_explain:
 * @self: a session
 * @database: a source
 * @sql: one statement, without EXPLAIN
 * @cancellable: (nullable): cancels
 * @error: return location
 *
 * Returns: (transfer full): the engine's plan as JSON: `{"database","plan","estimated_rows"?,
 *   "estimated_cost"?,"warnings":[…],"audit_id"}`
 */
char *
plumb_session_explain (PlumbSession *self, const char *database, const char *sql,
                       GCancellable *cancellable, GError **error)
{
  PlumbQuery query = make_query (self, "explain", database, sql);
  PlumbLimits limits = plumb_session_get_limits (self);
  g_autoptr (PlumbQueryPlan) plan = plumb_query_explain (&query, &limits, NULL, cancellable, error);

  return plan != NULL ? write_plan (plan, database) : NULL;
}

static char *
write_check (PlumbStatement *statement, const char *id)
{
  g_autoptr (PlumbJsonWriter) writer = plumb_json_writer_new ();

  plumb_json_writer_begin_object (writer);
  if (id != NULL) {
    plumb_json_writer_name (writer, "id");
    plumb_json_writer_string (writer, id);
  }
  plumb_statement_write_json (statement, writer);
  plumb_json_writer_end_object (writer);
  return plumb_json_writer_finish (writer);
}

/* A check for a source, its catalog at hand. */
static PlumbStatement *
check_at_source (PlumbSession *self, const char *database, const char *sql, GError **error)
{
  g_autoptr (PlumbSource) source = plumb_workspace_get_source (self->workspace, database, error);
  g_autoptr (PlumbCatalog) catalog = NULL;

  if (source != NULL)
    catalog = plumb_workspace_get_catalog (self->workspace, database, FALSE, NULL, error);
  return catalog != NULL ? plumb_source_check (source, sql, catalog, NULL, error) : NULL;
}

/**
 * plumb_session_check_dialect:
 * @dialect: the dialect, as the command line names it
 * @schema: (nullable): the schema that unqualified names mean; %NULL for the dialect's usual one
 *   (public, main, dbo), or none where it has none
 * @sql: the text
 * @length: its bytes, -1 where it ends with a NUL
 * @id: (nullable): written into the result
 * @error: return location
 *
 * The statement check alone, without a source to ask: what can't be told without a catalog, such
 * as a function that isn't the engine's own, is refused. A view can't be told from a table, which a
 * warning says.
 *
 * Returns: (transfer full): as plumb_session_check()
 */
char *
plumb_session_check_dialect (const char *dialect, const char *schema, const char *sql,
                             gssize length, const char *id, GError **error)
{
  g_autoptr (PlumbStatement) statement = NULL;
  PlumbCheckContext context = { .default_schema = schema };
  PlumbDialect kind;

  if (!plumb_dialect_from_string (dialect, &kind)) {
    g_set_error (error, PLUMB_ERROR, PLUMB_ERROR_INVALID_ARGUMENT,
                 "“%s” is no dialect. Dialects: postgres, mariadb, clickhouse, sqlite, oracle, "
                 "sqlserver, generic.",
                 dialect != NULL ? dialect : "");
    return NULL;
  }
  statement = plumb_statement_check (kind, sql, length, &context);
  if (statement->allowed && statement->tables->len > 0)
    g_ptr_array_add (statement->warnings,
                     g_strdup ("There is no source to ask, so a view that does more than read "
                               "can't be told from a table."));
  return write_check (statement, id);
}

/**
 * plumb_session_check:
 * @self: a session
 * @database: (nullable): the source that the statement is for
 * @dialect: (nullable): without a source, the dialect; see plumb_session_check_dialect()
 * @sql: the text
 * @length: its bytes, -1 where it ends with a NUL
 * @id: (nullable): written into the result
 * @error: return location
 *
 * The statement check alone; nothing is run, and nothing is audited.
 *
 * Returns: (transfer full): `{"id"?,"verdict","reason","tables","columns","joins","warnings"}`
 */
char *
plumb_session_check (PlumbSession *self, const char *database, const char *dialect, const char *sql,
                     gssize length, const char *id, GError **error)
{
  g_autoptr (PlumbStatement) statement = NULL;
  g_autofree char *text = NULL;

  if (database == NULL)
    return plumb_session_check_dialect (dialect, NULL, sql, length, id, error);
  if (length >= 0 && memchr (sql, '\0', length) != NULL) {
    PlumbCheckContext context = { NULL };
    g_autoptr (PlumbSource) source = plumb_workspace_get_source (self->workspace, database, error);

    if (source == NULL)
      return NULL;
    statement = plumb_statement_check (plumb_source_get_dialect (source), sql, length, &context);
    return write_check (statement, id);
  }
  text = length >= 0 ? g_strndup (sql, length) : g_strdup (sql);
  statement = check_at_source (self, database, text, error);
  return statement != NULL ? write_check (statement, id) : NULL;
}

/* The format that is named, or the one of the file's name, CSV where it has no suffix. */
static gboolean
choose_format (const char *path, const char *format, PlumbExportFormat *chosen, GError **error)
{
  g_autofree char *name = g_path_get_basename (path);
  const char *dot = strrchr (name, '.');

  *chosen = PLUMB_EXPORT_CSV;
  if (format == NULL && dot == NULL)
    return TRUE;
  if (format == NULL)
    format = dot + 1;
  if (plumb_export_format_from_string (format, chosen))
    return TRUE;
  g_set_error (error, PLUMB_ERROR, PLUMB_ERROR_INVALID_ARGUMENT,
               "“%s” is no format to export to. Formats: csv, xlsx, jsonl.", format);
  return FALSE;
}

static char *
write_export (PlumbExportReport *report)
{
  g_autoptr (PlumbJsonWriter) writer = plumb_json_writer_new ();

  plumb_json_writer_begin_object (writer);
  plumb_json_writer_name (writer, "file");
  plumb_json_writer_string (writer, report->path);
  plumb_json_writer_name (writer, "rows");
  plumb_json_writer_int (writer, report->rows);
  plumb_json_writer_name (writer, "bytes");
  plumb_json_writer_int (writer, report->bytes);
  plumb_json_writer_name (writer, "truncated");
  plumb_json_writer_boolean (writer, report->truncated_by != NULL);
  plumb_json_writer_name (writer, "truncated_by");
  plumb_json_writer_string (writer, report->truncated_by);
  plumb_json_writer_name (writer, "elapsed_ms");
  plumb_json_writer_int (writer, report->elapsed_ms);
  plumb_json_writer_name (writer, "warnings");
  plumb_json_writer_begin_array (writer);
  for (guint i = 0; i < report->warnings->len; i++)
    plumb_json_writer_string (writer, g_ptr_array_index (report->warnings, i));
  plumb_json_writer_end_array (writer);
  plumb_json_writer_name (writer, "audit_id");
  plumb_json_writer_int (writer, report->audit_id);
  plumb_json_writer_end_object (writer);
  return plumb_json_writer_finish (writer);
}

/**
 * plumb_session_export:
 * @self: a session
 * @database: a source
 * @sql: one statement
 * @path: the file
 * @request: (nullable): how, %NULL for all rows in the format of the file's name
 * @cancellable: (nullable): cancels at the server
 * @error: return location
 *
 * Writes the rows of a statement into a file, with a manifest beside it. The file has its name only
 * when it is whole.
 *
 * Returns: (transfer full): `{"file","rows","bytes","truncated","truncated_by","elapsed_ms",
 *   "warnings":[…],"audit_id"}`; %NULL with an error
 */
char *
plumb_session_export (PlumbSession *self, const char *database, const char *sql, const char *path,
                      const PlumbExportRequest *request, GCancellable *cancellable, GError **error)
{
  static const PlumbExportRequest usual = { NULL, 0, 0, FALSE, FALSE };
  PlumbQuery query = make_query (self, "export", database, sql);
  PlumbLimits limits = { .timeout_ms = plumb_session_get_limits (self).timeout_ms };
  g_autoptr (PlumbExportReport) report = NULL;
  PlumbExportFormat format;
  PlumbExportFlags flags = PLUMB_EXPORT_PLAIN;

  request = request != NULL ? request : &usual;
  if (!choose_format (path, request->format, &format, error))
    return NULL;
  if (request->safe_csv && format != PLUMB_EXPORT_CSV) {
    g_set_error_literal (error, PLUMB_ERROR, PLUMB_ERROR_INVALID_ARGUMENT,
                         "Only CSV has to be made safe: the other formats hold no formulas.");
    return NULL;
  }
  flags |= request->safe_csv ? PLUMB_EXPORT_SAFE : 0;
  flags |= request->replace ? PLUMB_EXPORT_REPLACE : 0;
  limits.max_rows = request->max_rows;
  if (request->timeout_ms > 0)
    limits.timeout_ms = request->timeout_ms;
  report = plumb_export_run (&query, path, format, flags, &limits, cancellable, error);
  return report != NULL ? write_export (report) : NULL;
}
