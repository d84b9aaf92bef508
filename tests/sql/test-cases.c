/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include <glib.h>
#include <string.h>

#include "test-case-file.h"
#include "test-context.h"

/* Statements with what is expected of each, in files of JSON lines, with what a source would know
 * read from a file. Where PLUMBLINE_GUARD_DIR names a folder of such files, they are run as well;
 * contexts (context-ENGINE.json) are looked for beside them and in PLUMBLINE_GUARD_CONTEXTS. The
 * test sources-cases runs the same files with a real server to ask. */

typedef struct {
  char *folder;
  char *contexts;
  TestContext *context;
  char *loaded;
  guint n_wrong;
  guint n_cases;
} Suite;

static void
free_suite (gpointer data)
{
  Suite *suite = data;

  g_free (suite->folder);
  g_free (suite->contexts);
  g_clear_pointer (&suite->context, test_context_free);
  g_free (suite->loaded);
  g_free (suite);
}

static void
load_context (Suite *suite, const char *engine)
{
  g_autofree char *name = g_strdup_printf ("context-%s.json", engine);
  g_autofree char *file = g_build_filename (suite->contexts, name, NULL);

  if (g_strcmp0 (suite->loaded, engine) == 0)
    return;
  g_clear_pointer (&suite->context, test_context_free);
  suite->context = test_context_load (file);
  g_free (suite->loaded);
  suite->loaded = g_strdup (engine);
}

static void
run_case (JsonObject *line, gpointer data)
{
  Suite *suite = data;
  const char *engine = plumb_json_get_string (line, "engine", "");
  g_autoptr (PlumbStatement) statement = NULL;
  g_autofree char *wrong = NULL;
  PlumbDialect dialect;

  g_assert_true (plumb_dialect_from_string (engine, &dialect));
  load_context (suite, engine);
  if (plumb_json_get_string (line, "needs", NULL) != NULL &&
      test_context_get (suite->context) == NULL)
    return;
  statement = plumb_statement_check (dialect, plumb_json_get_string (line, "sql", ""), -1,
                                     test_context_get (suite->context));
  wrong = test_case_compare (line, statement);
  suite->n_cases++;
  if (wrong == NULL)
    return;
  suite->n_wrong++;
  test_case_report (line, wrong);
}

static void
test_folder (gconstpointer data)
{
  Suite *suite = (Suite *) data;
  g_autoptr (GDir) folder = g_dir_open (suite->folder, 0, NULL);
  const char *name;

  g_assert_nonnull (folder);
  while ((name = g_dir_read_name (folder)) != NULL) {
    g_autofree char *path = g_build_filename (suite->folder, name, NULL);

    if (g_str_has_suffix (name, ".jsonl"))
      test_case_file_each (path, run_case, suite);
  }
  g_assert_cmpuint (suite->n_cases, >, 0);
  if (suite->n_wrong > 0)
    g_test_fail_printf ("%u of %u cases are wrong", suite->n_wrong, suite->n_cases);
}

static void
add_suite (const char *name, const char *folder, const char *contexts)
{
  Suite *suite = g_new0 (Suite, 1);
  g_autofree char *path = g_strconcat ("/sql/cases/", name, NULL);

  suite->folder = g_strdup (folder);
  suite->contexts = g_strdup (contexts != NULL ? contexts : folder);
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
