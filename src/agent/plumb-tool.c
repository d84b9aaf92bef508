/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-tool.h"

#include "plumb-names.h"
#include "plumb-text.h"
#include "plumb-tools.h"

#include <string.h>

/* Cap on the message of a call that failed. */
#define MAX_ERROR_BYTES 4096

static const PlumbTool *const tools[] = {
  &plumb_search_tables_tool,  &plumb_get_table_card_tool, &plumb_find_join_path_tool,
  &plumb_list_tables_tool,    &plumb_explain_query_tool,  &plumb_run_query_tool,
  &plumb_export_query_tool,   &plumb_save_table_note_tool,
};

/** plumb_tool_list: Returns: (transfer none) (array length=n_tools): all tools */
const PlumbTool *const *
plumb_tool_list (guint *n_tools)
{
  *n_tools = G_N_ELEMENTS (tools);
  return tools;
}

/** plumb_tool_find: Returns: (transfer none) (nullable): the tool of that name */
const PlumbTool *
plumb_tool_find (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (tools); i++) {
    if (g_strcmp0 (tools[i]->name, name) == 0)
      return tools[i];
  }
  return NULL;
}

static void
set_unknown_tool (const char *name, GError **error)
{
  const char *names[G_N_ELEMENTS (tools) + 1] = { NULL };
  g_autofree char *list = NULL;
  g_autofree char *shown = plumb_text_first_line (name, 60);

  for (guint i = 0; i < G_N_ELEMENTS (tools); i++)
    names[i] = tools[i]->name;
  list = plumb_names_list (names, G_N_ELEMENTS (tools));
  g_set_error (error, PLUMB_ERROR, PLUMB_ERROR_NOT_FOUND, "There is no tool “%s”. Tools: %s.",
               shown, list);
}

/* The known databases as a list, for messages about arguments. */
static char *
list_databases (PlumbToolContext *context)
{
  g_autoptr (GPtrArray) records = plumb_workspace_list_databases (context->workspace, NULL, NULL);
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();
  g_auto (GStrv) all = NULL;

  for (guint i = 0; records != NULL && i < records->len; i++)
    g_strv_builder_add (names, ((PlumbSourceRecord *) g_ptr_array_index (records, i))->name);
  all = g_strv_builder_end (names);
  return plumb_names_list ((const char *const *) all, 20);
}

/* A message may quote what the model or a server wrote; it keeps to a cap like any result. */
static void
propagate_cut (GError **error, GError *long_error)
{
  g_autofree char *cut = plumb_text_cut (long_error->message, MAX_ERROR_BYTES);

  if (strlen (cut) < strlen (long_error->message)) {
    g_free (long_error->message);
    long_error->message = g_steal_pointer (&cut);
  }
  g_propagate_error (error, long_error);
}

/**
 * plumb_tool_call:
 * @context: what the tool works with; what it leaves there is the caller's
 * @name: the tool's name as the model wrote it
 * @arguments: (nullable): the arguments as the model wrote them, which may be no JSON
 * @cancellable: (nullable): cancels
 * @error: return location; the message is written for the model to act on
 *
 * Returns: (transfer full): the tool's result as JSON, within its byte cap
 */
char *
plumb_tool_call (PlumbToolContext *context, const char *name, const char *arguments,
                 GCancellable *cancellable, GError **error)
{
  const PlumbTool *tool = plumb_tool_find (name);
  g_autoptr (JsonObject) object = NULL;
  g_autofree char *databases = NULL;
  GError *local_error = NULL;
  char *result = NULL;

  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;
  if (tool == NULL) {
    set_unknown_tool (name != NULL ? name : "", error);
    return NULL;
  }
  databases = list_databases (context);
  object = plumb_tool_arguments_parse (tool, arguments, databases, &local_error);
  if (object != NULL)
    result = tool->run (tool, context, object, cancellable, &local_error);
  if (result == NULL)
    propagate_cut (error, local_error);
  return result;
}

/** plumb_tool_context_clear: frees what a tool left, before the next call */
void
plumb_tool_context_clear (PlumbToolContext *context)
{
  g_clear_pointer (&context->candidates, plumb_candidates_unref);
  g_clear_pointer (&context->result, plumb_result_unref);
  g_clear_pointer (&context->sql, g_free);
  g_clear_pointer (&context->database, g_free);
  context->audit_id = 0;
}
