/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-workspace.h"

G_BEGIN_DECLS

/**
 * PlumbToolContext:
 * @workspace: what the tool works on
 * @scope: (nullable): databases that the turn is bound to
 * @question: (nullable): the question of the turn
 * @turn_id: the turn, 0 for none
 * @limits: caps on a statement
 * @export_folder: where files go
 * @progress: (nullable): told what the tool is doing, in the calling thread
 * @progress_data: passed to @progress
 * @candidates: (nullable): left by search_tables for the interface
 * @result: (nullable): left by run_query
 * @sql: (nullable): the statement that gave @result
 * @database: (nullable): where it ran
 * @audit_id: the audit record of the statement that was sent, 0 for none
 *
 * What a tool works with, and what it leaves beside its JSON.
 */
typedef struct {
  PlumbWorkspace *workspace;
  const char *const *scope;
  const char *question;
  gint64 turn_id;
  PlumbLimits limits;
  const char *export_folder;
  PlumbSourceProgress progress;
  gpointer progress_data;

  PlumbCandidates *candidates;
  PlumbResult *result;
  char *sql;
  char *database;
  gint64 audit_id;
} PlumbToolContext;

/**
 * PlumbTool:
 * @name: as the model calls it
 * @description: what it is for, as the model reads it
 * @parameters: JSON schema of its arguments
 * @max_bytes: cap on its result; it names what it left out
 * @run: does the work; the arguments have been held against @parameters
 *
 * One of the eight tools, DESIGN section 4.
 */
typedef struct _PlumbTool PlumbTool;

struct _PlumbTool {
  const char *name;
  const char *description;
  const char *parameters;
  gsize max_bytes;
  char *(*run) (const PlumbTool *self, PlumbToolContext *context, JsonObject *arguments,
                GCancellable *cancellable, GError **error);
};

/* plumb-tool.c: the registry. */
const PlumbTool *const *plumb_tool_list (guint *n_tools);
const PlumbTool *plumb_tool_find (const char *name);
char *plumb_tool_call (PlumbToolContext *context, const char *name, const char *arguments,
                       GCancellable *cancellable, GError **error);
void plumb_tool_context_clear (PlumbToolContext *context);

/* plumb-tool-arguments.c */
JsonObject *plumb_tool_arguments_parse (const PlumbTool *tool, const char *text,
                                        const char *databases, GError **error);

G_END_DECLS
