/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-wording.h"

#include "plumb-json.h"
#include "plumb-text.h"

#include <glib/gi18n-lib.h>

/* Characters of a step's summary; the row ellipsizes what doesn't fit. */
#define SUMMARY_CHARACTERS 160

typedef struct {
  const char *tool;
  const char *words;
  const char *icon;
} ToolWords;

static const ToolWords tool_words[] = {
  { "search_tables", N_("Looked for tables"), "plumb-search-tables-symbolic" },
  { "get_table_card", N_("Read about a table"), "plumb-card-symbolic" },
  { "find_join_path", N_("Looked for a join"), "plumb-join-symbolic" },
  { "list_tables", N_("Listed tables"), "view-list-symbolic" },
  { "explain_query", N_("Estimated the work"), "plumb-plan-symbolic" },
  { "run_query", N_("Ran SQL"), "plumb-sql-symbolic" },
  { "export_query", N_("Exported rows"), "document-save-symbolic" },
  { "save_table_note", N_("Left a note"), "plumb-note-symbolic" },
  { "search_documents", N_("Looked in documents"), "folder-documents-symbolic" },
};

static const ToolWords *
find_tool (const char *tool)
{
  for (guint i = 0; i < G_N_ELEMENTS (tool_words); i++) {
    if (g_strcmp0 (tool_words[i].tool, tool) == 0)
      return &tool_words[i];
  }
  return NULL;
}

/** plumb_wording_tool: Returns: what a call of @tool did, in words of everyday work */
const char *
plumb_wording_tool (const char *tool)
{
  const ToolWords *words = find_tool (tool);

  if (words != NULL)
    return _(words->words);
  return tool != NULL ? tool : _("Thought");
}

/** plumb_wording_tool_icon: Returns: an icon name for @tool, %NULL being a stretch of text */
const char *
plumb_wording_tool_icon (const char *tool)
{
  const ToolWords *words = find_tool (tool);

  if (words != NULL)
    return words->icon;
  return tool != NULL ? "system-run-symbolic" : "plumb-note-symbolic";
}

static char *
summarize_search (JsonObject *arguments, JsonObject *result)
{
  const char *query = plumb_json_get_string (arguments, "query", "");
  JsonArray *candidates = result != NULL ? plumb_json_get_array (result, "candidates") : NULL;
  guint n = candidates != NULL ? json_array_get_length (candidates) : 0;

  if (candidates == NULL)
    return g_strdup_printf (_("“%s”"), query);
  return g_strdup_printf (ngettext ("“%s”: %u table", "“%s”: %u tables", n), query, n);
}

static char *
summarize_run (JsonObject *arguments, JsonObject *result)
{
  const char *database = plumb_json_get_string (arguments, "database", "");
  gint64 rows = result != NULL ? plumb_json_get_int (result, "row_count", -1) : -1;
  g_autofree char *count = NULL;

  if (rows < 0)
    return g_strdup (database);
  count = plumb_wording_rows (rows);
  return g_strdup_printf ("%s: %s", database, count);
}

static char *
summarize_tables (JsonObject *arguments)
{
  g_auto (GStrv) tables = plumb_json_get_strv (arguments, "tables");

  return tables != NULL ? g_strjoinv (", ", tables) : g_strdup ("");
}

static char *
summarize_call (const PlumbStep *step, JsonObject *arguments, JsonObject *result)
{
  static const char *const telling[] = { "table", "database", "query", "format" };

  if (g_strcmp0 (step->tool, "search_tables") == 0)
    return summarize_search (arguments, result);
  if (g_strcmp0 (step->tool, "run_query") == 0)
    return summarize_run (arguments, result);
  if (g_strcmp0 (step->tool, "find_join_path") == 0)
    return summarize_tables (arguments);
  for (guint i = 0; i < G_N_ELEMENTS (telling); i++) {
    const char *value = plumb_json_get_string (arguments, telling[i], NULL);

    if (value != NULL)
      return g_strdup (value);
  }
  return g_strdup ("");
}

static JsonObject *
node_object (JsonNode *node)
{
  return node != NULL && JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
}

/** plumb_wording_step: Returns: (transfer full): one line on what @step was about and found */
char *
plumb_wording_step (const PlumbStep *step)
{
  g_autoptr (JsonNode) arguments = NULL;
  g_autoptr (JsonNode) result = NULL;
  g_autofree char *summary = NULL;

  if (step->error != NULL)
    return plumb_text_first_line (step->error, SUMMARY_CHARACTERS);
  if (step->state == PLUMB_STATE_RUNNING && step->progress != NULL)
    return plumb_text_first_line (step->progress, SUMMARY_CHARACTERS);
  if (step->kind == PLUMB_STEP_TEXT)
    return plumb_text_first_line (step->result != NULL ? step->result : "", SUMMARY_CHARACTERS);

  if (step->arguments != NULL)
    arguments = plumb_json_parse (step->arguments, -1, NULL);
  if (step->result != NULL)
    result = plumb_json_parse (step->result, -1, NULL);
  if (node_object (arguments) == NULL)
    return g_strdup ("");
  summary = summarize_call (step, node_object (arguments), node_object (result));
  return plumb_text_first_line (summary, SUMMARY_CHARACTERS);
}

/** plumb_wording_status: Returns: the mark that a table of @status carries */
const char *
plumb_wording_status (PlumbStatus status)
{
  switch (status) {
  case PLUMB_STATUS_BACKUP:
    return C_("table status", "Backup");
  case PLUMB_STATUS_DRAFT:
    return C_("table status", "Draft");
  case PLUMB_STATUS_STAGING:
    return C_("table status", "Staging");
  case PLUMB_STATUS_PARTITION:
    return C_("table status", "Partition");
  case PLUMB_STATUS_LIVE:
  default:
    return C_("table status", "Live");
  }
}

/** plumb_wording_role: Returns: (nullable): what @role means, %NULL for an unknown one */
const char *
plumb_wording_role (PlumbRole role)
{
  switch (role) {
  case PLUMB_ROLE_FACT:
    return C_("table role", "Records of events");
  case PLUMB_ROLE_DIMENSION:
    return C_("table role", "Master data");
  case PLUMB_ROLE_CODE:
    return C_("table role", "Code list");
  case PLUMB_ROLE_BRIDGE:
    return C_("table role", "Link between tables");
  case PLUMB_ROLE_LOG:
    return C_("table role", "Log");
  case PLUMB_ROLE_PARTITION:
    return C_("table role", "Partition");
  case PLUMB_ROLE_STAGING:
    return C_("table role", "Staging");
  case PLUMB_ROLE_DRAFT:
    return C_("table role", "Draft");
  case PLUMB_ROLE_BACKUP:
    return C_("table role", "Backup");
  case PLUMB_ROLE_UNKNOWN:
  default:
    return NULL;
  }
}

/** plumb_wording_kind: Returns: what sort of table a database says that it is */
const char *
plumb_wording_kind (PlumbTableKind kind)
{
  switch (kind) {
  case PLUMB_TABLE_KIND_VIEW:
    return C_("table kind", "view");
  case PLUMB_TABLE_KIND_MATERIALIZED_VIEW:
    return C_("table kind", "materialized view");
  case PLUMB_TABLE_KIND_PARTITIONED:
    return C_("table kind", "partitioned table");
  case PLUMB_TABLE_KIND_PARTITION:
    return C_("table kind", "partition");
  case PLUMB_TABLE_KIND_FOREIGN:
    return C_("table kind", "foreign table");
  case PLUMB_TABLE_KIND_TABLE:
  default:
    return C_("table kind", "table");
  }
}

/** plumb_wording_model: Returns: the name of the @model that a trace names */
const char *
plumb_wording_model (const char *model)
{
  return g_strcmp0 (model, "built-in planner") == 0 ? _("built-in planner") : model;
}

/** plumb_wording_list: Returns: in words, the ranked list of the search that is called @list */
const char *
plumb_wording_list (const char *list)
{
  if (g_strcmp0 (list, "meaning") == 0)
    return C_("matched by", "meaning");
  if (g_strcmp0 (list, "words") == 0)
    return C_("matched by", "words");
  if (g_strcmp0 (list, "spelling") == 0)
    return C_("matched by", "spelling");
  if (g_strcmp0 (list, "notes") == 0)
    return C_("matched by", "notes");
  return list;
}

/** plumb_wording_trust: Returns: how far a join of @trust can be trusted */
const char *
plumb_wording_trust (int trust)
{
  switch (trust) {
  case 1:
    return C_("join trust", "Confirmed");
  case 2:
    return C_("join trust", "Validated on data");
  case 3:
    return C_("join trust", "Unconfirmed");
  case 4:
    return C_("join trust", "Weak");
  default:
    return C_("join trust", "Guess");
  }
}

/** plumb_wording_cardinality: Returns: @cardinality in the signs that diagrams use */
const char *
plumb_wording_cardinality (PlumbCardinality cardinality)
{
  switch (cardinality) {
  case PLUMB_CARDINALITY_ONE_TO_ONE:
    return "1 : 1";
  case PLUMB_CARDINALITY_MANY_TO_ONE:
    return "N : 1";
  case PLUMB_CARDINALITY_ONE_TO_MANY:
    return "1 : N";
  case PLUMB_CARDINALITY_MANY_TO_MANY:
    return "N : M";
  case PLUMB_CARDINALITY_UNKNOWN:
  default:
    return "? : ?";
  }
}

/** plumb_wording_cut_by: Returns: (transfer full): that a result was cut, and by which @limit */
char *
plumb_wording_cut_by (const char *limit)
{
  if (g_strcmp0 (limit, "rows") == 0)
    return g_strdup (_("Cut by the limit on rows. There are more."));
  if (g_strcmp0 (limit, "bytes") == 0)
    return g_strdup (_("Cut by the limit on size. There are more rows."));
  if (g_strcmp0 (limit, "time") == 0)
    return g_strdup (_("Cut by the limit on time. There may be more rows."));
  return g_strdup_printf (_("Cut by a limit: %s"), limit != NULL ? limit : "");
}

/** plumb_wording_elapsed: Returns: (transfer full): a duration as people write it */
char *
plumb_wording_elapsed (gint64 microseconds)
{
  gint64 seconds = microseconds / G_USEC_PER_SEC;

  if (microseconds < G_USEC_PER_SEC)
    return g_strdup_printf (_("%d ms"), (int) (MAX (microseconds, 0) / 1000));
  if (seconds < 60)
    return g_strdup_printf (_("%.1f s"), microseconds / (double) G_USEC_PER_SEC);
  return g_strdup_printf (_("%d min %d s"), (int) (seconds / 60), (int) (seconds % 60));
}

/** plumb_wording_time: Returns: (transfer full): local day and minute of @seconds since the
 *  epoch */
char *
plumb_wording_time (gint64 seconds)
{
  g_autoptr (GDateTime) at = g_date_time_new_from_unix_local (seconds);

  if (at == NULL)
    return g_strdup ("");
  /* Translators: a day and a time, in strftime's letters. */
  return g_date_time_format (at, _("%e %b %Y, %H:%M"));
}

/** plumb_wording_count: Returns: (transfer full): @count with the locale's grouping */
char *
plumb_wording_count (gint64 count)
{
  return g_strdup_printf ("%'" G_GINT64_FORMAT, count);
}

/** plumb_wording_rows: Returns: (transfer full): "12 rows" */
char *
plumb_wording_rows (gint64 rows)
{
  g_autofree char *count = plumb_wording_count (rows);

  return g_strdup_printf (ngettext ("%s row", "%s rows", (gulong) CLAMP (rows, 0, G_MAXINT)),
                          count);
}

/**
 * plumb_wording_names:
 * @names: (nullable): names
 * @most: how many to spell out
 *
 * Returns: (transfer full): the names with commas between them, the rest counted
 */
char *
plumb_wording_names (const char *const *names, guint most)
{
  GString *text = g_string_new (NULL);
  guint n = names != NULL ? g_strv_length ((GStrv) names) : 0;

  for (guint i = 0; i < MIN (n, most); i++) {
    if (i > 0)
      g_string_append (text, ", ");
    g_string_append (text, names[i]);
  }
  if (n > most)
    g_string_append_printf (text, ngettext (" and %u more", " and %u more", n - most), n - most);
  return g_string_free (text, FALSE);
}
