/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include <glib.h>
#include <string.h>

#include "plumb-table-name.h"
#include "test-context.h"

/* Statements with what is expected of each, in files of JSON lines. Where PLUMBLINE_GUARD_DIR names
 * a folder of such files, they are run as well; contexts (context-ENGINE.json) are looked for
 * beside them and in PLUMBLINE_GUARD_CONTEXTS. */

typedef struct {
  char *folder;
  char *contexts;
  char *name;
} Suite;

static void
free_suite (gpointer data)
{
  Suite *suite = data;

  g_free (suite->folder);
  g_free (suite->contexts);
  g_free (suite->name);
  g_free (suite);
}

static gboolean
is_listed (GStrv names, const char *name)
{
  return names != NULL && g_strv_contains ((const char *const *) names, name);
}

/* NULL where the statement does as the case says, else what is wrong. */
static char *
compare (JsonObject *line, PlumbStatement *statement)
{
  gboolean allow = strcmp (plumb_json_get_string (line, "expect", ""), "allow") == 0;
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

static guint
run_file (Suite *suite, const char *path, guint *n_cases)
{
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  g_autoptr (TestContext) context = NULL;
  g_autofree char *loaded = NULL;
  guint n_wrong = 0;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (JsonNode) node = NULL;
    g_autoptr (PlumbStatement) statement = NULL;
    g_autofree char *wrong = NULL;
    JsonObject *line;
    const char *engine;
    const char *sql;
    PlumbDialect dialect;

    if (*lines[i] == '\0')
      continue;
    node = plumb_json_parse (lines[i], -1, &error);
    g_assert_no_error (error);
    line = json_node_get_object (node);
    engine = plumb_json_get_string (line, "engine", "");
    sql = plumb_json_get_string (line, "sql", "");
    g_assert_true (plumb_dialect_from_string (engine, &dialect));
    if (g_strcmp0 (loaded, engine) != 0) {
      g_autofree char *name = g_strdup_printf ("context-%s.json", engine);
      g_autofree char *file = g_build_filename (suite->contexts, name, NULL);

      g_clear_pointer (&context, test_context_free);
      context = test_context_load (file);
      g_free (loaded);
      loaded = g_strdup (engine);
    }
    if (plumb_json_get_string (line, "needs", NULL) != NULL && test_context_get (context) == NULL)
      continue;
    statement = plumb_statement_check (dialect, sql, -1, test_context_get (context));
    wrong = compare (line, statement);
    *n_cases += 1;
    if (wrong != NULL) {
      g_autofree char *shown = g_strndup (sql, 300);

      n_wrong++;
      g_test_message ("%s %s: %s", plumb_json_get_string (line, "id", engine), shown, wrong);
    }
  }
  return n_wrong;
}

static void
test_folder (gconstpointer data)
{
  Suite *suite = (Suite *) data;
  g_autoptr (GDir) folder = g_dir_open (suite->folder, 0, NULL);
  const char *name;
  guint n_wrong = 0;
  guint n_cases = 0;

  g_assert_nonnull (folder);
  while ((name = g_dir_read_name (folder)) != NULL) {
    g_autofree char *path = g_build_filename (suite->folder, name, NULL);

    if (g_str_has_suffix (name, ".jsonl"))
      n_wrong += run_file (suite, path, &n_cases);
  }
  g_test_message ("%u of %u cases are wrong", n_wrong, n_cases);
  g_assert_cmpuint (n_cases, >, 0);
  g_assert_cmpuint (n_wrong, ==, 0);
}

static void
add_suite (const char *name, const char *folder, const char *contexts)
{
  Suite *suite = g_new0 (Suite, 1);
  g_autofree char *path = g_strconcat ("/sql/cases/", name, NULL);

  suite->folder = g_strdup (folder);
  suite->contexts = g_strdup (contexts != NULL ? contexts : folder);
  suite->name = g_strdup (name);
  g_test_add_data_func_full (path, suite, test_folder, free_suite);
}

int
main (int argc, char *argv[])
{
  g_autofree char *own = NULL;
  const char *guard = g_getenv ("PLUMBLINE_GUARD_DIR");

  g_test_init (&argc, &argv, NULL);
  own = g_test_build_filename (G_TEST_DIST, "sql", "data", NULL);
  add_suite ("own", own, NULL);
  if (guard != NULL && *guard != '\0')
    add_suite ("guard", guard, g_getenv ("PLUMBLINE_GUARD_CONTEXTS"));
  return g_test_run ();
}
