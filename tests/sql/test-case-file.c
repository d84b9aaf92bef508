/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "test-case-file.h"

#include <string.h>

#include "plumb-table-name.h"

/** test_case_file_each: calls @func for each case of a file */
void
test_case_file_each (const char *path, TestCaseFunc func, gpointer user_data)
{
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  g_autoptr (GError) error = NULL;

  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++) {
    g_autoptr (JsonNode) node = NULL;

    if (*lines[i] == '\0')
      continue;
    node = plumb_json_parse (lines[i], -1, &error);
    g_assert_no_error (error);
    func (json_node_get_object (node), user_data);
  }
}

/** test_case_is_benign: Returns: whether the statement must be let through */
gboolean
test_case_is_benign (JsonObject *line)
{
  return strcmp (plumb_json_get_string (line, "expect", ""), "allow") == 0;
}

static gboolean
is_listed (GStrv names, const char *name)
{
  return names != NULL && g_strv_contains ((const char *const *) names, name);
}

/** test_case_compare: Returns: (transfer full) (nullable): what is wrong; %NULL where the statement
 * does as the case says */
char *
test_case_compare (JsonObject *line, PlumbStatement *statement)
{
  gboolean allow = test_case_is_benign (line);
  g_auto (GStrv) tables = plumb_json_get_strv (line, "tables");
  g_auto (GStrv) behind = plumb_json_get_strv (line, "behind");
  g_autoptr (GHashTable) found = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  if (statement->allowed != allow)
    return allow ? g_strdup_printf ("is refused: %s", statement->reason)
                 : g_strdup ("is let through");
  if (!allow)
    return statement->reason == NULL || *statement->reason == '\0' ? g_strdup ("has no reason")
                                                                   : NULL;
  for (guint i = 0; i < statement->tables->len; i++) {
    PlumbSqlTable *table = g_ptr_array_index (statement->tables, i);
    g_autofree char *name = plumb_table_name_join (NULL, table->schema, table->table);

    if (tables != NULL && !is_listed (tables, name) && !is_listed (behind, name))
      return g_strdup_printf ("reads %s, which it shouldn't", name);
    g_hash_table_add (found, g_steal_pointer (&name));
  }
  for (guint i = 0; tables != NULL && tables[i] != NULL; i++) {
    if (!g_hash_table_contains (found, tables[i]))
      return g_strdup_printf ("doesn't read %s, which it should", tables[i]);
  }
  return NULL;
}

/** test_case_report: says what is wrong with a case */
void
test_case_report (JsonObject *line, const char *wrong)
{
  g_autofree char *shown = g_strndup (plumb_json_get_string (line, "sql", ""), 300);
  g_autofree char *valid = g_utf8_make_valid (shown, -1);

  g_test_message ("%s %s: %s", plumb_json_get_string (line, "id", "?"), valid, wrong);
}
