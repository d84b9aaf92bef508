/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-query-runner.h"

#include <string.h>

/* How much of the first rows the audit record keeps for the reviewer. */
#define AUDIT_RESULT_BYTES (64 * 1024)

/* A statement longer than this is no question's answer, and not worth parsing. */
#define MAX_SQL_BYTES (256 * 1024)

/** plumb_query_plan_free: frees @self */
void
plumb_query_plan_free (PlumbQueryPlan *self)
{
  if (self == NULL)
    return;
  g_free (self->plan);
  g_clear_pointer (&self->warnings, g_ptr_array_unref);
  g_clear_pointer (&self->statement, plumb_statement_free);
  g_free (self);
}

/* Whether a table that the statement names is missing in the catalog: the catalog may be stale. */
static gboolean
names_unknown_table (PlumbStatement *statement, PlumbCatalog *catalog)
{
  for (guint i = 0; i < statement->tables->len; i++) {
    const PlumbSqlTable *table = g_ptr_array_index (statement->tables, i);

    if (table->schema == NULL || plumb_catalog_find (catalog, table->schema, table->table) == NULL)
      return TRUE;
  }
  return FALSE;
}

/* Checks the statement with the catalog that is kept, and once more with the source's own where the
 * first one refuses it or doesn't know a table. */
static PlumbStatement *
check_with_catalog (const PlumbQuery *query, PlumbSource *source, PlumbCatalog **catalog,
                    GCancellable *cancellable, GError **error)
{
  for (guint attempt = 0;; attempt++) {
    g_autoptr (PlumbStatement) statement = NULL;

    g_clear_pointer (catalog, plumb_catalog_unref);
    *catalog = plumb_workspace_get_catalog (query->workspace, query->database, attempt > 0,
                                            cancellable, error);
    if (*catalog == NULL)
      return NULL;
    statement = plumb_source_check (source, query->sql, *catalog, cancellable, error);
    if (statement == NULL)
      return NULL;
    if (attempt > 0 || (statement->allowed && !names_unknown_table (statement, *catalog)))
      return g_steal_pointer (&statement);
  }
}

/* Tables that were never analysed aren't used for answers. */
static gboolean
check_analyzed (const PlumbQuery *query, PlumbStatement *statement, GError **error)
{
  for (guint i = 0; query->analyzed_only && i < statement->tables->len; i++) {
    const PlumbSqlTable *table = g_ptr_array_index (statement->tables, i);
    g_autofree char *name = plumb_table_name_join (NULL, table->schema, table->table);
    g_autoptr (PlumbCard) card = NULL;

    if (table->schema != NULL)
      card = plumb_index_get_card (plumb_workspace_get_index (query->workspace), query->database,
                                   table->schema, table->table, NULL);
    if (card == NULL || card->analyzed_at == 0) {
      g_set_error (error, PLUMB_ERROR, PLUMB_ERROR_NOT_FOUND,
                   "The table %s is unknown or was never analyzed, so it isn't used for answers. "
                   "Use a table that "
                   "search_tables returned; the user can run the analysis of “%s” again.",
                   name, query->database);
      return FALSE;
    }
  }
  return TRUE;
}

static gboolean
check_text (const PlumbQuery *query, GError **error)
{
  if (query->sql == NULL || *query->sql == '\0' || strlen (query->sql) > MAX_SQL_BYTES) {
    g_set_error (error, PLUMB_ERROR, PLUMB_ERROR_INVALID_ARGUMENT,
                 "The statement must have between 1 and %d bytes.", MAX_SQL_BYTES);
    return FALSE;
  }
  if (g_utf8_validate (query->sql, -1, NULL))
    return TRUE;
  g_set_error_literal (error, PLUMB_ERROR, PLUMB_ERROR_INVALID_ARGUMENT,
                       "The statement is not valid UTF-8.");
  return FALSE;
}

/**
 * plumb_query_check:
 * @query: a statement on its way
 * @warnings: (element-type utf8): where warnings are added
 * @cancellable: (nullable): cancels
 * @error: return location
 *
 * The checks that stand before every run: scope, statement check, access role, analysis, join
 * graph.
 *
 * Returns: (transfer full): what the statement reads, or %NULL with PLUMB_ERROR_REFUSED,
 *   _NO_PERMISSION, _OUT_OF_SCOPE or _NOT_FOUND; nothing was sent
 */
PlumbStatement *
plumb_query_check (const PlumbQuery *query, GPtrArray *warnings, GCancellable *cancellable,
                   GError **error)
{
  g_autoptr (PlumbSource) source = NULL;
  g_autoptr (PlumbCatalog) catalog = NULL;
  g_autoptr (PlumbStatement) statement = NULL;

  if (!check_text (query, error))
    return NULL;
  source = plumb_workspace_get_source (query->workspace, query->database, error);
  if (source == NULL || !plumb_scope_require (query->scope, query->database, error))
    return NULL;
  if (!plumb_source_has_rows (source)) {
    g_set_error (error, PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_NO_ROWS,
                 "“%s” is a schema without rows: nothing can be run on it.", query->database);
    return NULL;
  }
  statement = check_with_catalog (query, source, &catalog, cancellable, error);
  if (statement == NULL)
    return NULL;
  if (!plumb_query_check_access (query, statement, catalog, error))
    return NULL;
  if (!statement->allowed) {
    g_set_error (error, PLUMB_ERROR, PLUMB_ERROR_REFUSED,
                 "The statement was refused and not run. %s",
                 statement->reason != NULL ? statement->reason : "It could not be understood.");
    return NULL;
  }
  if (!check_analyzed (query, statement, error))
    return NULL;
  plumb_query_add_warnings (query, statement, warnings);
  return g_steal_pointer (&statement);
}

/* What is sent: the statement as the check read it. */
static const char *
get_text (const PlumbQuery *query, PlumbStatement *statement)
{
  return statement->text != NULL ? statement->text : query->sql;
}

/* Writes the audit record before anything is sent. Nothing runs where that fails. */
static PlumbAuditRecord *
begin_audit (const PlumbQuery *query, PlumbStatement *statement, GError **error)
{
  g_autoptr (PlumbAuditRecord) record =
      plumb_audit_record_new (query->database, get_text (query, statement));
  g_autoptr (GStrvBuilder) tables = g_strv_builder_new ();

  record->origin = g_strdup (query->origin);
  record->question = g_strdup (query->question);
  record->turn_id = query->turn_id;
  for (guint i = 0; i < statement->tables->len; i++) {
    const PlumbSqlTable *table = g_ptr_array_index (statement->tables, i);
    g_autofree char *name = plumb_table_name_join (NULL, table->schema, table->table);

    g_strv_builder_add (tables, name);
  }
  record->tables = g_strv_builder_end (tables);
  record->id =
      plumb_index_begin_audit (plumb_workspace_get_index (query->workspace), record, error);
  if (record->id > 0)
    return g_steal_pointer (&record);
  g_prefix_error_literal (
      error, "The statement was not run, since its audit record could not be written. ");
  return NULL;
}

/* Completes the audit record, after a failure or a cancel too. */
static gboolean
finish_audit (const PlumbQuery *query, PlumbAuditRecord *record, gint64 started_at,
              const GError *failure, GError **error)
{
  record->elapsed_ms = (g_get_monotonic_time () - started_at) / 1000;
  record->state = PLUMB_STATE_DONE;
  if (failure != NULL) {
    record->state = g_error_matches (failure, G_IO_ERROR, G_IO_ERROR_CANCELLED)
                        ? PLUMB_STATE_CANCELLED
                        : PLUMB_STATE_FAILED;
    record->error = g_strdup (failure->message);
  }
  if (plumb_index_finish_audit (plumb_workspace_get_index (query->workspace), record, error))
    return TRUE;
  g_prefix_error_literal (error, "The audit record of the statement could not be completed. ");
  return FALSE;
}

/* Hands the error of a run on, and where the run went well that of the audit. */
static gboolean
close_run (const PlumbQuery *query, PlumbAuditRecord *record, gint64 started_at, GError *failure,
           GError **error)
{
  if (failure == NULL)
    return finish_audit (query, record, started_at, NULL, error);
  finish_audit (query, record, started_at, failure, NULL);
  g_propagate_error (error, failure);
  return FALSE;
}

static char *
make_audit_result (PlumbResult *result)
{
  g_autoptr (PlumbJsonWriter) writer = plumb_json_writer_new ();

  plumb_json_writer_begin_object (writer);
  plumb_result_write_json (result, writer, AUDIT_RESULT_BYTES);
  plumb_json_writer_end_object (writer);
  return plumb_json_writer_finish (writer);
}

static void
note_result (PlumbResult *result, PlumbStatement *statement, PlumbAuditRecord *record,
             GPtrArray *warnings)
{
  g_autofree char *id = g_strdup_printf ("r%" G_GINT64_FORMAT, record->id);
  g_autofree char *empty = plumb_query_warn_of_empty_join (statement, result);

  for (guint i = 0; i < warnings->len; i++)
    plumb_result_add_warning (result, g_ptr_array_index (warnings, i));
  if (empty != NULL)
    plumb_result_add_warning (result, empty);
  plumb_result_set_id (result, id);
  plumb_result_set_audit_id (result, record->id);
  record->truncated_by = g_strdup (plumb_result_get_truncated_by (result));
}

/**
 * plumb_query_run:
 * @query: a statement
 * @limits: caps on rows, bytes and time
 * @audit_id: (out) (optional): the audit record, set as soon as there is one; 0 where nothing was
 * sent
 * @cancellable: (nullable): cancels at the server
 * @error: return location
 *
 * Checks and runs a statement, with its audit record written before and completed after.
 *
 * Returns: (transfer full): the rows, with warnings
 */
PlumbResult *
plumb_query_run (const PlumbQuery *query, const PlumbLimits *limits, gint64 *audit_id,
                 GCancellable *cancellable, GError **error)
{
  g_autoptr (GPtrArray) warnings = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (PlumbStatement) statement = plumb_query_check (query, warnings, cancellable, error);
  g_autoptr (PlumbSource) source = NULL;
  g_autoptr (PlumbAuditRecord) record = NULL;
  g_autoptr (PlumbResult) result = NULL;
  PlumbRowSink sink;
  GError *failure = NULL;
  gint64 started_at;

  if (audit_id != NULL)
    *audit_id = 0;
  if (statement == NULL)
    return NULL;
  source = plumb_workspace_get_source (query->workspace, query->database, error);
  record = source != NULL ? begin_audit (query, statement, error) : NULL;
  if (record == NULL)
    return NULL;
  if (audit_id != NULL)
    *audit_id = record->id;
  result = plumb_result_new (limits);
  sink = plumb_result_get_sink (result);
  started_at = g_get_monotonic_time ();
  if (plumb_source_run (source, get_text (query, statement), limits, &sink, query->progress,
                        query->progress_data, cancellable, &failure)) {
    plumb_result_set_elapsed_ms (result, (g_get_monotonic_time () - started_at) / 1000);
    note_result (result, statement, record, warnings);
    record->result = make_audit_result (result);
  }
  record->row_count = plumb_result_get_n_rows (result);
  if (!close_run (query, record, started_at, failure, error))
    return NULL;
  return g_steal_pointer (&result);
}

/**
 * plumb_query_stream:
 * @query: a statement
 * @limits: the time budget; caps on rows and bytes are the sink's own
 * @sink: where the rows go while they arrive
 * @outcome: (inout): what it came to; the sink's owner has filled row_count and truncated_by by the
 *   time the run returns, and they go to the audit record
 * @warnings: (element-type utf8): where warnings are added
 * @cancellable: (nullable): cancels at the server
 * @error: return location
 *
 * Like [func@query_run], for results that are not kept in memory.
 *
 * Returns: whether all went well
 */
gboolean
plumb_query_stream (const PlumbQuery *query, const PlumbLimits *limits, PlumbRowSink *sink,
                    PlumbQueryOutcome *outcome, GPtrArray *warnings, GCancellable *cancellable,
                    GError **error)
{
  g_autoptr (PlumbStatement) statement = plumb_query_check (query, warnings, cancellable, error);
  g_autoptr (PlumbSource) source = NULL;
  g_autoptr (PlumbAuditRecord) record = NULL;
  GError *failure = NULL;
  gint64 started_at;

  if (statement == NULL)
    return FALSE;
  source = plumb_workspace_get_source (query->workspace, query->database, error);
  record = source != NULL ? begin_audit (query, statement, error) : NULL;
  if (record == NULL)
    return FALSE;
  outcome->audit_id = record->id;
  started_at = g_get_monotonic_time ();
  plumb_source_run (source, get_text (query, statement), limits, sink, query->progress,
                    query->progress_data, cancellable, &failure);
  outcome->elapsed_ms = (g_get_monotonic_time () - started_at) / 1000;
  record->row_count = outcome->row_count;
  record->truncated_by = g_strdup (outcome->truncated_by);
  return close_run (query, record, started_at, failure, error);
}

/**
 * plumb_query_explain:
 * @query: a statement
 * @limits: the time budget
 * @audit_id: (out) (optional): the audit record
 * @cancellable: (nullable): cancels at the server
 * @error: return location
 *
 * Asks the engine for its plan of a statement that passed the same checks; the statement itself
 * isn't run.
 *
 * Returns: (transfer full): the plan
 */
PlumbQueryPlan *
plumb_query_explain (const PlumbQuery *query, const PlumbLimits *limits, gint64 *audit_id,
                     GCancellable *cancellable, GError **error)
{
  g_autoptr (PlumbQueryPlan) plan = g_new0 (PlumbQueryPlan, 1);
  g_autoptr (PlumbSource) source = NULL;
  g_autoptr (PlumbAuditRecord) record = NULL;
  GError *failure = NULL;
  gint64 started_at;

  plan->warnings = g_ptr_array_new_with_free_func (g_free);
  plan->rows = plan->cost = -1;
  plan->statement = plumb_query_check (query, plan->warnings, cancellable, error);
  if (plan->statement == NULL)
    return NULL;
  source = plumb_workspace_get_source (query->workspace, query->database, error);
  record = source != NULL ? begin_audit (query, plan->statement, error) : NULL;
  if (record == NULL)
    return NULL;
  if (audit_id != NULL)
    *audit_id = record->id;
  plan->audit_id = record->id;
  started_at = g_get_monotonic_time ();
  plan->plan = plumb_source_explain (source, get_text (query, plan->statement), limits, &plan->rows,
                                     &plan->cost, cancellable, &failure);
  if (!close_run (query, record, started_at, failure, error))
    return NULL;
  return g_steal_pointer (&plan);
}
