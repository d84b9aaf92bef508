/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "source-fixture.h"

#include <string.h>

/* What happens to servers, done to each of them. */

static const char *const databases[] = { "postgres", "mysql", "default" };

static PlumbSource *
open_admin (const Engine *engine)
{
  g_autofree char *password = engine_get_variable (engine, "PASSWORD");

  return engine_open (engine, engine->admin, password, "127.0.0.1", 0,
                      databases[engine - engines]);
}

/* Killed with SIGKILL, or stopped as that server is stopped at once. */
static const char *
word_for_kill (const Engine *engine)
{
  return strcmp (engine->name, "postgres") == 0 ? "stop -m immediate" : "kill";
}

static void
test_killed_in_result (gconstpointer data)
{
  const Engine *engine = data;
  g_autoptr (PlumbSource) source = open_admin (engine);
  Running running;

  running_start (&running, source, engine->many, 0);
  engine_wait_for_running (engine, "1");
  engine_control (engine, word_for_kill (engine));
  running_finish (&running);
  g_assert_error (running.error, PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_LOST);
  g_assert_true (g_str_has_prefix (running.error->message, "shop: "));
  running_clear (&running);
  assert_no_connection (source, PLUMB_SOURCE_ERROR_CONNECT, "reached");
  engine_control (engine, "start");
  assert_one_cell (source, "SELECT 'after'", "after");
}

static void
test_killed_before_answer (gconstpointer data)
{
  const Engine *engine = data;
  g_autoptr (PlumbSource) source = open_admin (engine);
  Running running;

  running_start (&running, source, engine->count, 0);
  engine_wait_for_running (engine, "1");
  engine_control (engine, word_for_kill (engine));
  running_finish (&running);
  g_assert_error (running.error, PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_LOST);
  g_assert_true (g_str_has_prefix (running.error->message, "shop: "));
  running_clear (&running);
  engine_control (engine, "start");
  assert_one_cell (source, "SELECT 'after'", "after");
}

static void
test_restarted_between_questions (gconstpointer data)
{
  const Engine *engine = data;
  g_autoptr (PlumbSource) source = open_admin (engine);

  assert_one_cell (source, "SELECT 'before'", "before");
  engine_control (engine, "restart");
  assert_one_cell (source, "SELECT 'after'", "after");
}

/* A table that was there when it was found, and isn't when it is asked. */
static void
test_dropped_table (gconstpointer data)
{
  const Engine *engine = data;
  g_autoptr (PlumbSource) source = open_admin (engine);
  g_autofree char *create = g_strdup_printf (
    "CREATE TABLE %s.soon_gone (a int)%s",
    strcmp (engine->name, "postgres") == 0 ? "public" : databases[engine - engines],
    strcmp (engine->name, "clickhouse") == 0 ? " ENGINE = Memory" : "");
  g_autofree char *drop = g_strdup_printf ("DROP TABLE %s.soon_gone",
                                           strcmp (engine->name, "postgres") == 0
                                             ? "public"
                                             : databases[engine - engines]);

  engine_execute (engine, create);
  assert_one_cell (source, "SELECT count(*) FROM soon_gone", "0");
  engine_execute (engine, drop);
  assert_fails (source, "SELECT count(*) FROM soon_gone", PLUMB_SOURCE_ERROR_STATEMENT,
                "Analyze the source again");
  assert_fails (source, "SELECT count(*) FROM soon_gone", PLUMB_SOURCE_ERROR_STATEMENT,
                "soon_gone");
  assert_one_cell (source, "SELECT 'after'", "after");
}

static void
add (const char *name, const Engine *engine, GTestDataFunc test)
{
  g_autofree char *path = g_strdup_printf ("/sources/faults/%s/%s", name, engine->name);

  g_test_add_data_func (path, engine, test);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (engines); i++) {
    add ("killed-in-result", &engines[i], test_killed_in_result);
    add ("killed-before-answer", &engines[i], test_killed_before_answer);
    add ("restarted-between-questions", &engines[i], test_restarted_between_questions);
    add ("dropped-table", &engines[i], test_dropped_table);
  }
  return g_test_run ();
}
