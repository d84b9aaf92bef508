/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-demo-builder.h"
#include "session-fixture.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <sys/types.h>
#include <sys/wait.h>

#define KILLS 50

static GPid
start_analysis (const char *index)
{
  g_autofree char *program = g_test_build_filename (G_TEST_BUILT, "session", "analyze-once", NULL);
  char *argv[] = { program, (char *) index, (char *) "crm", NULL };
  g_autoptr (GError) error = NULL;
  GPid pid;

  g_spawn_async (NULL, argv, NULL, G_SPAWN_DO_NOT_REAP_CHILD, NULL, NULL, &pid, &error);
  g_assert_no_error (error);
  return pid;
}

static int
wait_for (GPid pid)
{
  int status = 0;

  g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
  return status;
}

/* Adds the source anew, so that it has no cards. */
static void
begin_anew (const char *uri)
{
  g_autoptr (PlumbSession) session = session_open (NULL);
  g_autoptr (GError) error = NULL;

  plumb_session_remove_source (session, "crm", &error);
  g_assert_no_error (error);
  plumb_session_add_source (session, "crm", uri, NULL, FALSE, NULL, NULL, &error);
  g_assert_no_error (error);
}

/* Whatever the moment, the index opens and every card in it can be read. */
static guint
count_analyzed (void)
{
  g_autoptr (PlumbSession) session = session_open (NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) cards = plumb_session_list_cards (session, "crm", &error);
  guint n = 0;

  g_assert_no_error (error);
  for (guint i = 0; i < cards->len; i++)
    n += ((PlumbCard *) g_ptr_array_index (cards, i))->analyzed_at > 0;
  return n;
}

static void
test_kill (void)
{
  g_autofree char *path = g_build_filename (g_get_user_data_dir (), "crm.sqlite", NULL);
  g_autofree char *uri = g_strconcat ("sqlite://", path, NULL);
  g_autofree char *index = NULL;
  g_autoptr (GError) error = NULL;
  guint killed = 0, tables;
  gint64 started, usual;

  {
    g_autoptr (PlumbSession) session = session_open (NULL);

    index = g_strdup (plumb_session_get_index_path (session));
    g_assert_cmpint (g_mkdir_with_parents (g_get_user_data_dir (), 0700), ==, 0);
    g_assert_true (plumb_demo_build ("crm", path, NULL, &error));
    plumb_session_add_source (session, "crm", uri, NULL, FALSE, NULL, NULL, &error);
    g_assert_no_error (error);
  }
  started = g_get_monotonic_time ();
  g_assert_cmpint (wait_for (start_analysis (index)), ==, 0);
  usual = g_get_monotonic_time () - started;
  tables = count_analyzed ();
  g_assert_cmpuint (tables, >, 0);
  for (guint i = 0; i < KILLS; i++) {
    GPid pid;

    if (i % 2 == 0)
      begin_anew (uri);
    pid = start_analysis (index);
    g_usleep (g_test_rand_int_range (0, MAX (usual, 1000)));
    kill (pid, SIGKILL);
    if (WIFSIGNALED (wait_for (pid)))
      killed++;
    else
      usual -= usual / 4; /* the first run was slower than the others */
    g_assert_cmpuint (count_analyzed (), <=, tables);
  }
  g_test_message ("%u of %d runs were killed, a whole one takes %d ms", killed, KILLS,
                  (int) (usual / 1000));
  g_assert_cmpuint (killed, >, KILLS / 4);
  g_assert_cmpint (wait_for (start_analysis (index)), ==, 0);
  g_assert_cmpuint (count_analyzed (), ==, tables);
}

int
main (int argc, char **argv)
{
  session_test_init (&argc, &argv);
  session_test_add ("/session/kill", test_kill);
  return session_test_run ();
}
