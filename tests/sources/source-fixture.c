/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "source-fixture.h"

#include <string.h>

/* How long the server may take to say that a statement runs, or that it doesn't any more. */
#define RUNNING_PATIENCE (60 * G_TIME_SPAN_SECOND)

const Engine engines[3] = {
  { "postgres", "postgresql", "postgres",
    "SELECT count(*) FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%mark%' AND pid "
    "<> pg_backend_pid()",
    "SELECT 'mark', count(*) FROM generate_series(1, 100000000000) n",
    "SELECT 'mark', n, repeat('x', 100) FROM generate_series(1, 100000000000) n" },
  { "mariadb", "mariadb", "root",
    "SELECT COUNT(*) FROM information_schema.PROCESSLIST WHERE INFO LIKE '%mark%' AND ID <> "
    "CONNECTION_ID()",
    "SELECT 'mark', COUNT(*) FROM seq_1_to_10000000 a, seq_1_to_10000000 b WHERE a.seq <> b.seq",
    "SELECT 'mark', a.seq, REPEAT('x', 100) FROM seq_1_to_10000000 a, seq_1_to_10000000 b" },
  { "clickhouse", "clickhouse", "admin",
    "SELECT count() FROM system.processes WHERE query LIKE '%mark%' AND query NOT LIKE "
    "'%processes%'",
    "SELECT 'mark', count() FROM system.numbers",
    "SELECT 'mark', number, 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx' FROM system.numbers" },
};

/** engine_get_variable: Returns: what with-server.py says in PLUMB_TEST_…, "" where it doesn't */
char *
engine_get_variable (const Engine *engine, const char *what)
{
  g_autofree char *upper = g_ascii_strup (engine->name, -1);
  g_autofree char *name = g_strdup_printf ("PLUMB_TEST_%s_%s", upper, what);
  const char *value = g_getenv (name);

  return g_strdup (value != NULL ? value : "");
}

/** engine_ask: Returns: what the server's own client prints for @sql, asked as the administrator;
 *   a test ends where that fails */
char *
engine_ask (const Engine *engine, const char *sql)
{
  static const char *const commands[] = {
    "PGPASSWORD=\"$PASSWORD\" PGDATABASE=\"${PLUMB_TEST_DATABASE:-postgres}\" psql -X -q -A -t -F, -v ON_ERROR_STOP=1 -h 127.0.0.1 -p \"$PORT\" -U "
    "postgres -f -",
    "mariadb --no-defaults -N -B -h 127.0.0.1 -P \"$PORT\" -u root -p\"$PASSWORD\" "
    "--default-character-set=utf8mb4",
    "curl -s -S --fail-with-body --data-binary @- -H X-ClickHouse-User:admin -H "
    "\"X-ClickHouse-Key:$PASSWORD\" \"http://127.0.0.1:$PORT/\"",
  };
  g_autofree char *port = engine_get_variable (engine, "PORT");
  g_autofree char *password = engine_get_variable (engine, "PASSWORD");
  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (
    G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_PIPE |
    G_SUBPROCESS_FLAGS_STDERR_MERGE);
  g_autoptr (GSubprocess) client = NULL;
  g_autoptr (GError) error = NULL;
  char *answer = NULL;

  g_subprocess_launcher_setenv (launcher, "PORT", port, TRUE);
  g_subprocess_launcher_setenv (launcher, "PASSWORD", password, TRUE);
  client = g_subprocess_launcher_spawn (launcher, &error, "sh", "-c", commands[engine - engines],
                                        NULL);
  g_assert_no_error (error);
  g_subprocess_communicate_utf8 (client, sql, NULL, &answer, NULL, &error);
  g_assert_no_error (error);
  if (!g_subprocess_get_successful (client))
    g_error ("%s: %s\n%s", engine->name, answer, sql);
  return g_strchomp (answer);
}

/** engine_execute: runs statements that must go well; one at a time on ClickHouse */
void
engine_execute (const Engine *engine, const char *sql)
{
  g_free (engine_ask (engine, sql));
}

/** engine_control: stops, kills or starts the server, by the words of its PLUMB_TEST_…_CTL */
void
engine_control (const Engine *engine, const char *words)
{
  g_autofree char *control = engine_get_variable (engine, "CTL");
  g_autofree char *command = g_strdup_printf ("cd / && %s %s > /dev/null", control, words);
  const char *argv[] = { "sh", "-c", command, NULL };
  int status;

  g_assert_true (g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL,
                               NULL, &status, NULL));
  g_assert_cmpint (status, ==, 0);
}

/** engine_wait_for_running: waits until so many marked statements run, by the server's own word */
void
engine_wait_for_running (const Engine *engine, const char *number)
{
  gint64 deadline = g_get_monotonic_time () + RUNNING_PATIENCE;
  g_autofree char *found = engine_ask (engine, engine->running);

  while (strcmp (found, number) != 0 && g_get_monotonic_time () < deadline) {
    g_usleep (20 * 1000);
    g_free (found);
    found = engine_ask (engine, engine->running);
  }
  if (strcmp (found, number) != 0)
    g_error ("%s runs %s marked statements, not %s", engine->name, found, number);
}

/** engine_kill_running: ends the marked statements from outside */
void
engine_kill_running (const Engine *engine)
{
  static const char *const statements[] = {
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE '%mark%' AND pid <> "
    "pg_backend_pid()",
    "DELIMITER //\nBEGIN NOT ATOMIC FOR t IN (SELECT ID FROM information_schema.PROCESSLIST WHERE "
    "INFO LIKE '%mark%' AND ID <> CONNECTION_ID()) DO KILL t.ID; END FOR; END//",
    "KILL QUERY WHERE query LIKE '%mark%' SYNC",
  };

  engine_execute (engine, statements[engine - engines]);
}

/** engine_open: Returns: a source named "shop"; @port 0 for the server's own */
PlumbSource *
engine_open (const Engine *engine, const char *account, const char *password, const char *host,
             guint port, const char *database)
{
  g_autofree char *own = engine_get_variable (engine, "PORT");
  g_autofree char *given = g_strdup_printf ("%u", port);
  g_autofree char *escaped = g_uri_escape_string (database, NULL, FALSE);
  g_autofree char *uri = g_strdup_printf ("%s://%s@%s:%s/%s", engine->scheme, account, host,
                                          port != 0 ? given : own, escaped);
  g_autoptr (GError) error = NULL;
  PlumbSource *source = plumb_source_new ("shop", uri, password, &error);

  g_assert_no_error (error);
  return source;
}

/** run_limited: Returns: (nullable): the rows, %NULL with an error */
PlumbResult *
run_limited (PlumbSource *source, const char *sql, PlumbLimits limits, GError **error)
{
  g_autoptr (PlumbResult) result = plumb_result_new (&limits);
  PlumbRowSink sink = plumb_result_get_sink (result);

  return plumb_source_run (source, sql, &limits, &sink, NULL, NULL, NULL, error)
           ? g_steal_pointer (&result)
           : NULL;
}

/** run: Returns: the rows of a statement that must go well */
PlumbResult *
run (PlumbSource *source, const char *sql)
{
  g_autoptr (GError) error = NULL;
  PlumbResult *result = run_limited (source, sql, PLUMB_LIMITS_DEFAULT, &error);

  g_assert_no_error (error);
  return result;
}

/** assert_one_cell: the statement gives one row, whose first cell has that text */
void
assert_one_cell (PlumbSource *source, const char *sql, const char *text)
{
  g_autoptr (PlumbResult) result = run (source, sql);
  const PlumbCell *cell;

  g_assert_cmpint (plumb_result_get_n_rows (result), ==, 1);
  cell = plumb_result_get_cell (result, 0, 0);
  g_assert_cmpmem (cell->text, cell->length, text, strlen (text));
}

static void
assert_says (const GError *error, int code, const char *words)
{
  if (error == NULL || error->domain != PLUMB_SOURCE_ERROR || error->code != code ||
      strstr (error->message, words) == NULL || !g_str_has_prefix (error->message, "shop: "))
    g_error ("Not an error %d of the source “shop” with “%s”: %s", code, words,
             error != NULL ? error->message : "no error");
}

/** assert_fails: the statement fails with that code and words, and the source's name in front */
void
assert_fails (PlumbSource *source, const char *sql, int code, const char *words)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PlumbResult) result = run_limited (source, sql, PLUMB_LIMITS_DEFAULT, &error);

  g_assert_null (result);
  assert_says (error, code, words);
}

/** assert_no_connection: connecting fails with that code and words, and tells no password */
void
assert_no_connection (PlumbSource *source, int code, const char *words)
{
  g_autoptr (GError) error = NULL;

  plumb_source_connect (source, NULL, &error);
  assert_says (error, code, words);
  if (plumb_source_get_password (source) != NULL)
    g_assert_null (strstr (error->message, plumb_source_get_password (source)));
}

/** has_word: Returns: whether one of the texts has @word in it */
gboolean
has_word (GPtrArray *list, const char *word)
{
  for (guint i = 0; i < list->len; i++) {
    if (strstr (g_ptr_array_index (list, i), word) != NULL)
      return TRUE;
  }
  return FALSE;
}

static gpointer
run_in_thread (gpointer user_data)
{
  Running *self = user_data;
  PlumbRowSink sink = plumb_result_get_sink (self->result);

  plumb_source_run (self->source, self->sql, &self->limits, &sink, NULL, NULL, self->cancellable,
                    &self->error);
  return NULL;
}

/** running_start: begins a statement, of which all rows are wanted; @timeout_ms 0 for no budget */
void
running_start (Running *self, PlumbSource *source, const char *sql, gint64 timeout_ms)
{
  *self = (Running) { .source = source, .sql = sql, .cancellable = g_cancellable_new () };
  self->limits.timeout_ms = timeout_ms;
  self->result = plumb_result_new (&self->limits);
  self->thread = g_thread_new ("statement", run_in_thread, self);
}

/** running_finish: waits until it has ended */
void
running_finish (Running *self)
{
  g_thread_join (self->thread);
}

/** running_clear: frees what it left */
void
running_clear (Running *self)
{
  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->result, plumb_result_unref);
  g_clear_error (&self->error);
}
