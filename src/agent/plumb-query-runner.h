/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-workspace.h"

G_BEGIN_DECLS

/**
 * PlumbQuery:
 * @workspace: what it runs on
 * @origin: who asks: "ask", "query", "explain", "export"
 * @database: the source's name
 * @sql: the statement
 * @question: (nullable): the question that it is run for
 * @turn_id: the turn, 0 for none
 * @scope: (nullable): databases that the turn is bound to
 * @analyzed_only: whether tables that were never analysed are refused, as for an answer
 * @progress: (nullable): told what the run is doing, in the calling thread
 * @progress_data: passed to @progress
 *
 * One statement on its way to a source. All of its ways go through the same checks: the statement
 * check, the scope, the access role on tables and columns, the join graph, the audit record.
 */
typedef struct {
  PlumbWorkspace *workspace;
  const char *origin;
  const char *database;
  const char *sql;
  const char *question;
  gint64 turn_id;
  const char *const *scope;
  gboolean analyzed_only;
  PlumbSourceProgress progress;
  gpointer progress_data;
} PlumbQuery;

/**
 * PlumbQueryOutcome:
 * @audit_id: the audit record
 * @row_count: rows handed on, -1 where the sink is a result that counts itself
 * @truncated_by: (nullable): the limit that cut the rows
 * @elapsed_ms: milliseconds at the source
 */
typedef struct {
  gint64 audit_id;
  gint64 row_count;
  const char *truncated_by;
  gint64 elapsed_ms;
} PlumbQueryOutcome;

/**
 * PlumbQueryPlan:
 * @plan: the engine's plan
 * @rows: rows that it estimates, -1 where it doesn't say
 * @cost: its cost in the engine's own unit, -1 where it doesn't say
 * @warnings: (element-type utf8): what the checks found
 * @statement: what the statement check found
 * @audit_id: the audit record
 */
typedef struct {
  char *plan;
  double rows;
  double cost;
  GPtrArray *warnings;
  PlumbStatement *statement;
  gint64 audit_id;
} PlumbQueryPlan;

PlumbStatement *plumb_query_check (const PlumbQuery *query, GPtrArray *warnings,
                                   GCancellable *cancellable, GError **error);
PlumbResult *plumb_query_run (const PlumbQuery *query, const PlumbLimits *limits, gint64 *audit_id,
                              GCancellable *cancellable, GError **error);
gboolean plumb_query_stream (const PlumbQuery *query, const PlumbLimits *limits, PlumbRowSink *sink,
                             PlumbQueryOutcome *outcome, GPtrArray *warnings,
                             GCancellable *cancellable, GError **error);
PlumbQueryPlan *plumb_query_explain (const PlumbQuery *query, const PlumbLimits *limits,
                                     gint64 *audit_id, GCancellable *cancellable, GError **error);
void plumb_query_plan_free (PlumbQueryPlan *self);

/* plumb-query-access.c */
gboolean plumb_query_check_access (const PlumbQuery *query, PlumbStatement *statement,
                                   PlumbCatalog *catalog, GError **error);

/* plumb-query-warnings.c */
void plumb_query_add_warnings (const PlumbQuery *query, PlumbStatement *statement,
                               GPtrArray *warnings);
char *plumb_query_warn_of_empty_join (PlumbStatement *statement, PlumbResult *result);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlumbQueryPlan, plumb_query_plan_free)

G_END_DECLS
