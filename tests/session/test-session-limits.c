/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "session-fixture.h"

#include <gio/gio.h>

/* The limits of the preferences, as GSettings keeps them. */

#define ENDLESS                                                                                    \
  "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"

typedef struct {
  PlumbSession *session;
  GCancellable *cancellable;
} Endless;

static gpointer
run_endless (gpointer user_data)
{
  Endless *self = user_data;
  g_autoptr (GError) error = NULL;

  g_assert_null (
      plumb_session_query (self->session, "shop", ENDLESS, NULL, self->cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  return NULL;
}

static gpointer
cancel_in_a_second (gpointer user_data)
{
  g_usleep (G_USEC_PER_SEC);
  g_cancellable_cancel (((Endless *)user_data)->cancellable);
  return NULL;
}

/* Whether the statement runs within a second, and isn't kept waiting. */
static gboolean
runs_at_once (PlumbSession *session)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (PlumbResult) result = NULL;
  Endless timer = { NULL, cancellable };
  GThread *thread = g_thread_new ("timer", cancel_in_a_second, &timer);

  result = plumb_session_query (session, "shop", "SELECT 1", NULL, cancellable, &error);
  if (result == NULL)
    g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_thread_join (thread);
  return result != NULL;
}

/* The settings of the preferences hold for statements. */
static void
test_limits (void)
{
  g_autoptr (GSettings) settings = g_settings_new ("io.github.plumbline.Plumbline");
  g_autoptr (PlumbSession) session = NULL;
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (PlumbResult) cut = NULL;
  g_autoptr (PlumbResult) late = NULL;
  g_autoptr (GError) error = NULL;
  Endless endless;
  GThread *thread;
  guint attempts = 0;

  g_settings_set_int (settings, "query-rows", 2);
  g_settings_set_int (settings, "query-seconds", 1);
  g_settings_set_int (settings, "queries-per-database", 1);
  session = session_open (NULL);
  session_add_shop (session);
  cut = plumb_session_query (session, "shop", "SELECT id FROM orders", NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (plumb_result_get_n_rows (cut), ==, 2);
  g_assert_cmpstr (plumb_result_get_truncated_by (cut), ==, "rows");
  late = plumb_session_query (session, "shop", ENDLESS, NULL, NULL, &error);
  g_assert_null (late);
  g_assert_error (error, PLUMB_ERROR, PLUMB_ERROR_TIMED_OUT);
  g_settings_set_int (settings, "query-seconds", 600);
  endless = (Endless){ session, cancellable };
  thread = g_thread_new ("endless", run_endless, &endless);
  /* It may take a moment until the endless one has the only slot. */
  while (attempts++ < 20 && runs_at_once (session))
    continue;
  g_assert_cmpuint (attempts, <=, 20);
  g_cancellable_cancel (cancellable);
  g_thread_join (thread);
  g_assert_true (runs_at_once (session));
  g_settings_reset (settings, "query-rows");
  g_settings_reset (settings, "query-seconds");
  g_settings_reset (settings, "queries-per-database");
}

int
main (int argc, char **argv)
{
  session_test_init (&argc, &argv);
  session_test_add ("/session-limits/settings", test_limits);
  return session_test_run ();
}
