/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-execution.h"

#include "plumb-stored-result.h"
#include "plumb-wording.h"

#include <glib/gi18n-lib.h>

struct _PlumbExecution {
  GObject parent_instance;

  int step_number;
  gint64 audit_id;
  char *database;
  char *sql;
  char *error;
  char *cut_by;
  gint64 row_count;
  PlumbResult *result;
};

G_DEFINE_FINAL_TYPE (PlumbExecution, plumb_execution, G_TYPE_OBJECT)

static void
plumb_execution_finalize (GObject *object)
{
  PlumbExecution *self = PLUMB_EXECUTION (object);

  g_free (self->database);
  g_free (self->sql);
  g_free (self->error);
  g_free (self->cut_by);
  g_clear_pointer (&self->result, plumb_result_unref);
  G_OBJECT_CLASS (plumb_execution_parent_class)->finalize (object);
}

static void
plumb_execution_class_init (PlumbExecutionClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = plumb_execution_finalize;
}

static void
plumb_execution_init (PlumbExecution *self)
{
}

/**
 * plumb_execution_new:
 * @step: (nullable): the step that ran it
 * @database: the source
 * @sql: the statement as executed
 * @result: (nullable): its rows
 *
 * Returns: (transfer full): a statement that was just run
 */
PlumbExecution *
plumb_execution_new (const PlumbStep *step, const char *database, const char *sql,
                     PlumbResult *result)
{
  PlumbExecution *self = g_object_new (PLUMB_TYPE_EXECUTION, NULL);

  if (step != NULL) {
    self->step_number = step->number;
    self->audit_id = step->audit_id;
    self->error = g_strdup (step->error);
  }
  self->database = g_strdup (database != NULL ? database : "");
  self->sql = g_strdup (sql != NULL ? sql : "");
  if (result != NULL) {
    self->result = plumb_result_ref (result);
    if (plumb_result_get_audit_id (result) != 0)
      self->audit_id = plumb_result_get_audit_id (result);
    self->cut_by = g_strdup (plumb_result_get_truncated_by (result));
    self->row_count = plumb_result_get_n_rows (result);
  }
  return self;
}

/* What stands beside the rows in a stored result: how many there were and what cut them. */
static void
take_stored_counts (PlumbExecution *self, const char *json)
{
  g_autoptr (JsonNode) node = plumb_json_parse (json, -1, NULL);
  JsonObject *object;

  if (node == NULL || !JSON_NODE_HOLDS_OBJECT (node) || self->result == NULL)
    return;
  object = json_node_get_object (node);
  self->row_count = plumb_json_get_int (object, "row_count", self->row_count);
  g_free (self->cut_by);
  self->cut_by = g_strdup (plumb_json_get_string (object, "truncated_by", NULL));
}

/**
 * plumb_execution_new_from_step:
 * @step: a step of a stored turn
 *
 * Returns: (transfer full) (nullable): the statement that @step ran, with the rows that the model
 *   saw; %NULL where it ran none
 */
PlumbExecution *
plumb_execution_new_from_step (const PlumbStep *step)
{
  g_autoptr (JsonNode) arguments = NULL;
  g_autoptr (PlumbResult) result = NULL;
  PlumbExecution *self;
  JsonObject *object;

  if (g_strcmp0 (step->tool, "run_query") != 0 || step->arguments == NULL)
    return NULL;
  arguments = plumb_json_parse (step->arguments, -1, NULL);
  if (arguments == NULL || !JSON_NODE_HOLDS_OBJECT (arguments))
    return NULL;
  object = json_node_get_object (arguments);
  if (plumb_json_get_string (object, "sql", NULL) == NULL)
    return NULL;
  if (step->error == NULL && step->result != NULL)
    result = plumb_stored_result_parse (step->result);
  self = plumb_execution_new (step, plumb_json_get_string (object, "database", NULL),
                              plumb_json_get_string (object, "sql", NULL), result);
  if (result != NULL)
    take_stored_counts (self, step->result);
  return self;
}

/** plumb_execution_new_from_record: Returns: (transfer full): the statement of an audit record */
PlumbExecution *
plumb_execution_new_from_record (const PlumbAuditRecord *record)
{
  g_autoptr (PlumbResult) result = NULL;
  PlumbExecution *self;

  if (record->error == NULL && record->result != NULL)
    result = plumb_stored_result_parse (record->result);
  if (result != NULL && record->elapsed_ms >= 0)
    plumb_result_set_elapsed_ms (result, record->elapsed_ms);
  self = plumb_execution_new (NULL, record->database, record->sql, result);
  self->audit_id = record->id;
  self->error = g_strdup (record->error);
  if (result != NULL)
    take_stored_counts (self, record->result);
  return self;
}

/** plumb_execution_get_step_number: Returns: the step's number in its turn, 0 for none */
int
plumb_execution_get_step_number (PlumbExecution *self)
{
  return self->step_number;
}

/** plumb_execution_get_audit_id: Returns: the audit record's number, 0 for none */
gint64
plumb_execution_get_audit_id (PlumbExecution *self)
{
  return self->audit_id;
}

/** plumb_execution_get_database: Returns: the source that it ran on */
const char *
plumb_execution_get_database (PlumbExecution *self)
{
  return self->database;
}

/** plumb_execution_get_sql: Returns: the statement */
const char *
plumb_execution_get_sql (PlumbExecution *self)
{
  return self->sql;
}

/** plumb_execution_get_error: Returns: (nullable): why it failed */
const char *
plumb_execution_get_error (PlumbExecution *self)
{
  return self->error;
}

/** plumb_execution_get_result: Returns: (transfer none) (nullable): its rows */
PlumbResult *
plumb_execution_get_result (PlumbExecution *self)
{
  return self->result;
}

/** plumb_execution_get_cut_by: Returns: (nullable): the limit that cut its rows */
const char *
plumb_execution_get_cut_by (PlumbExecution *self)
{
  return self->cut_by;
}

/** plumb_execution_describe: Returns: (transfer full): database, rows and time in one line */
char *
plumb_execution_describe (PlumbExecution *self)
{
  g_autofree char *rows = NULL;
  g_autofree char *elapsed = NULL;

  if (self->result == NULL)
    return g_strdup_printf ("%s · %s", self->database,
                            self->error != NULL ? _("failed") : _("no rows kept"));
  rows = plumb_wording_rows (self->row_count);
  elapsed = plumb_wording_elapsed (plumb_result_get_elapsed_ms (self->result) * 1000);
  return g_strdup_printf ("%s · %s · %s", self->database, rows, elapsed);
}
