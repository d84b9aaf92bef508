/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-source.h"

#include <glib/gstdio.h>
#include <libsoup/soup.h>
#include <sqlite3.h>
#include <string.h>

#include "../sql/test-case-file.h"

/* The statement check with a real server to ask: the cases of tests/sql/data, each engine's over
 * what its setup-ENGINE.sql makes there. Those that are let through are run as well, so that a case
 * is something that the engine takes; "not_run" says why one can't be (a newer version's syntax).
 *
 * Where PLUMBLINE_GUARD_DIR names a folder of the same kind, its cases are checked too, not run;
 * what unqualified names mean there stands in PLUMBLINE_GUARD_SCHEMA ("shop" where it isn't set).
 * A case's "requires" names a second file, setup-ENGINE-NAME.sql. */

typedef struct {
  char *engine;
  char *folder;
  char *schema;
  char *scratch;
  gboolean runs;
  PlumbSource *source;
  PlumbCatalog *catalog;
  guint n_cases;
  guint n_wrong;
} Suite;

static char *
setup_file (Suite *suite, const char *part)
{
  g_autofree char *name = g_strdup_printf ("setup-%s%s%s.sql", suite->engine,
                                           part != NULL ? "-" : "", part != NULL ? part : "");

  return g_build_filename (suite->folder, name, NULL);
}

/* Runs an engine's own client with a file as its input. */
static void
run_client (const char *const *argv, const char *path)
{
  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_NONE);
  g_autoptr (GSubprocess) client = NULL;
  g_autoptr (GError) error = NULL;

  g_subprocess_launcher_set_stdin_file_path (launcher, path);
  g_subprocess_launcher_set_stdout_file_path (launcher, "/dev/null");
  client = g_subprocess_launcher_spawnv (launcher, argv, &error);
  g_assert_no_error (error);
  g_subprocess_wait_check (client, NULL, &error);
  g_assert_no_error (error);
}

static void
load_postgres (const char *path, const char *database)
{
  const char *argv[] = { "psql", "-X",       "-q", "-v", "ON_ERROR_STOP=1", "-h", "127.0.0.1",
                         "-p",   g_getenv ("PLUMB_TEST_POSTGRES_PORT"), "-U", "postgres", "-d",
                         database, NULL };

  g_setenv ("PGPASSWORD", g_getenv ("PLUMB_TEST_POSTGRES_PASSWORD"), TRUE);
  run_client (argv, path);
  g_unsetenv ("PGPASSWORD");
}

static void
load_mariadb (const char *path)
{
  g_autofree char *port = g_strconcat ("--port=", g_getenv ("PLUMB_TEST_MARIADB_PORT"), NULL);
  const char *argv[] = { "mariadb", "--no-defaults", "--host=127.0.0.1", port, "--user=root",
                         "--default-character-set=utf8mb4", NULL };

  g_setenv ("MYSQL_PWD", g_getenv ("PLUMB_TEST_MARIADB_PASSWORD"), TRUE);
  run_client (argv, path);
  g_unsetenv ("MYSQL_PWD");
}

static void
post_clickhouse (SoupSession *session, const char *sql)
{
  g_autofree char *uri = g_strdup_printf ("http://127.0.0.1:%s/",
                                          g_getenv ("PLUMB_TEST_CLICKHOUSE_PORT"));
  g_autoptr (SoupMessage) message = soup_message_new ("POST", uri);
  SoupMessageHeaders *headers = soup_message_get_request_headers (message);
  g_autoptr (GBytes) body = g_bytes_new (sql, strlen (sql));
  g_autoptr (GBytes) answer = NULL;
  g_autoptr (GError) error = NULL;

  soup_message_headers_append (headers, "X-ClickHouse-User", "admin");
  soup_message_headers_append (headers, "X-ClickHouse-Key",
                               g_getenv ("PLUMB_TEST_CLICKHOUSE_PASSWORD"));
  soup_message_set_request_body_from_bytes (message, "text/plain", body);
  answer = soup_session_send_and_read (session, message, NULL, &error);
  g_assert_no_error (error);
  if (soup_message_get_status (message) != 200)
    g_error ("%s: %.300s", sql, (const char *) g_bytes_get_data (answer, NULL));
}

/* ClickHouse takes one statement at a time: in these files a semicolon at the end of a line ends
 * it. */
static void
load_clickhouse (const char *path)
{
  g_autoptr (SoupSession) session = soup_session_new ();
  g_autoptr (GString) statement = g_string_new (NULL);
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++) {
    if (g_str_has_prefix (lines[i], "--"))
      continue;
    g_string_append (statement, lines[i]);
    if (!g_str_has_suffix (statement->str, ";")) {
      g_string_append_c (statement, '\n');
      continue;
    }
    g_string_truncate (statement, statement->len - 1);
    post_clickhouse (session, statement->str);
    g_string_truncate (statement, 0);
  }
}

static void
load_sqlite (const char *path, const char *database)
{
  g_autofree char *text = NULL;
  sqlite3 *db = NULL;
  char *message = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_cmpint (sqlite3_open (database, &db), ==, SQLITE_OK);
  if (sqlite3_exec (db, text, NULL, NULL, &message) != SQLITE_OK)
    g_error ("%s", message);
  sqlite3_close (db);
}

static void
load (Suite *suite, const char *path)
{
  if (strcmp (suite->engine, "postgres") == 0)
    load_postgres (path, suite->schema);
  else if (strcmp (suite->engine, "mariadb") == 0)
    load_mariadb (path);
  else if (strcmp (suite->engine, "clickhouse") == 0)
    load_clickhouse (path);
  else
    load_sqlite (path, suite->scratch);
}

static PlumbSource *
open_source (Suite *suite)
{
  g_autofree char *upper = g_ascii_strup (suite->engine, -1);
  g_autofree char *port = g_strdup_printf ("PLUMB_TEST_%s_PORT", upper);
  g_autofree char *password = g_strdup_printf ("PLUMB_TEST_%s_PASSWORD", upper);
  g_autofree char *uri = NULL;
  g_autoptr (GError) error = NULL;
  PlumbSource *source;

  if (strcmp (suite->engine, "sqlite") == 0)
    uri = g_strconcat ("sqlite://", suite->scratch, NULL);
  else if (strcmp (suite->engine, "postgres") == 0)
    uri = g_strdup_printf ("postgresql://postgres@127.0.0.1:%s/%s?sslmode=disable", g_getenv (port),
                           suite->schema);
  else
    uri = g_strdup_printf ("%s://%s@127.0.0.1:%s/%s", suite->engine,
                           strcmp (suite->engine, "mariadb") == 0 ? "root" : "admin",
                           g_getenv (port), suite->schema);
  source = plumb_source_new ("cases", uri, g_getenv (password), &error);
  g_assert_no_error (error);
  return source;
}

static void
load_required (JsonObject *line, gpointer data)
{
  GHashTable *required = data;
  const char *name = plumb_json_get_string (line, "requires", NULL);

  if (name != NULL)
    g_hash_table_add (required, g_strdup (name));
}

static void
load_all_required (Suite *suite, const char *path)
{
  g_autoptr (GHashTable) required = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  GHashTableIter iter;
  gpointer name;

  test_case_file_each (path, load_required, required);
  g_hash_table_iter_init (&iter, required);
  while (g_hash_table_iter_next (&iter, &name, NULL)) {
    g_autofree char *file = setup_file (suite, name);

    load (suite, file);
  }
}

/* Makes the database anew and reads what is in it. */
static void
set_up (Suite *suite, const char *cases)
{
  g_autofree char *path = setup_file (suite, NULL);
  g_autoptr (GError) error = NULL;

  if (strcmp (suite->engine, "postgres") == 0) {
    g_autofree char *script = g_build_filename (suite->scratch, NULL);
    g_autofree char *text = g_strdup_printf ("CREATE DATABASE \"%s\";", suite->schema);

    g_assert_true (g_file_set_contents (script, text, -1, NULL));
    load_postgres (script, "postgres");
    g_unlink (script);
  }
  load (suite, path);
  load_all_required (suite, cases);
  suite->source = open_source (suite);
  suite->catalog = plumb_source_read_catalog (suite->source, NULL, &error);
  g_assert_no_error (error);
}

/* What the engine says to a statement that is let through; NULL where it runs. */
static char *
run_statement (Suite *suite, const char *sql)
{
  PlumbLimits limits = PLUMB_LIMITS_DEFAULT;
  g_autoptr (PlumbResult) result = plumb_result_new (&limits);
  PlumbRowSink sink = plumb_result_get_sink (result);
  g_autoptr (GError) error = NULL;

  if (plumb_source_run (suite->source, sql, &limits, &sink, NULL, NULL, NULL, &error))
    return NULL;
  return g_strdup_printf ("can't be run: %s", error->message);
}

static void
run_case (JsonObject *line, gpointer data)
{
  Suite *suite = data;
  const char *sql = plumb_json_get_string (line, "sql", "");
  g_autoptr (GError) error = NULL;
  g_autoptr (PlumbStatement) statement =
    plumb_source_check (suite->source, sql, suite->catalog, NULL, &error);
  g_autofree char *wrong = NULL;

  g_assert_no_error (error);
  wrong = test_case_compare (line, statement);
  if (wrong == NULL && suite->runs && statement->allowed &&
      plumb_json_get_string (line, "not_run", NULL) == NULL)
    wrong = run_statement (suite, statement->text);
  suite->n_cases++;
  if (wrong == NULL)
    return;
  suite->n_wrong++;
  test_case_report (line, wrong);
}

static void
test_suite (gconstpointer data)
{
  Suite *suite = (Suite *) data;
  g_autofree char *name = g_strconcat (suite->engine, ".jsonl", NULL);
  g_autofree char *path = g_build_filename (suite->folder, name, NULL);
  int descriptor = g_file_open_tmp ("plumb-cases-XXXXXX", &suite->scratch, NULL);

  g_assert_cmpint (descriptor, >=, 0);
  g_close (descriptor, NULL);
  set_up (suite, path);
  test_case_file_each (path, run_case, suite);
  g_assert_finalize_object (g_steal_pointer (&suite->source));
  g_unlink (suite->scratch);
  g_assert_cmpuint (suite->n_cases, >, 0);
  if (suite->n_wrong > 0)
    g_test_fail_printf ("%u of %u cases are wrong", suite->n_wrong, suite->n_cases);
}

static void
free_suite (gpointer data)
{
  Suite *suite = data;

  g_free (suite->engine);
  g_free (suite->folder);
  g_free (suite->schema);
  g_free (suite->scratch);
  g_clear_pointer (&suite->catalog, plumb_catalog_unref);
  g_free (suite);
}

static void
add_suite (const char *name, const char *engine, const char *folder, const char *schema,
           gboolean runs)
{
  g_autofree char *path = g_strdup_printf ("/sources/cases/%s/%s", engine, name);
  Suite *suite = g_new0 (Suite, 1);

  suite->engine = g_strdup (engine);
  suite->folder = g_strdup (folder);
  suite->schema = g_strdup (schema);
  suite->runs = runs;
  g_test_add_data_func_full (path, suite, test_suite, free_suite);
}

int
main (int argc, char *argv[])
{
  const char *guard = g_getenv ("PLUMBLINE_GUARD_DIR");
  const char *schema = g_getenv ("PLUMBLINE_GUARD_SCHEMA");
  g_autofree char *own = NULL;

  g_test_init (&argc, &argv, NULL);
  if (argc != 2)
    g_error ("Usage: test-sources-cases ENGINE");
  own = g_test_build_filename (G_TEST_DIST, "sql", "data", NULL);
  add_suite ("own", argv[1], own, "lib", TRUE);
  if (guard != NULL && *guard != '\0')
    add_suite ("guard", argv[1], guard, schema != NULL ? schema : "shop", FALSE);
  return g_test_run ();
}
