/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "session-fixture.h"

#include <string.h>

#define UNPROCESSED "How many orders have been unprocessed for more than 30 days?"

/* The demo as a newcomer gets it, once for all tests of this program. */
static PlumbSession *session;

/* What a statement gives as one cell. */
static char *
query_one (const char *database, const char *sql)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PlumbResult) result = plumb_session_query (session, database, sql, NULL, NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpint (plumb_result_get_n_rows (result), ==, 1);
  return g_strdup (plumb_result_get_cell (result, 0, 0)->text);
}

static void
test_add (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) sources = NULL;
  g_autoptr (GPtrArray) notes = NULL;
  g_autofree char *policy =
      g_build_filename (g_get_user_config_dir (), "plumbline", "policy.ini", NULL);

  g_assert_false (plumb_session_has_demo (session));
  plumb_session_add_demo (session, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (plumb_session_has_demo (session));
  sources = plumb_session_list_sources (session, &error);
  g_assert_cmpuint (sources->len, ==, 3);
  notes = plumb_session_list_notes (session, NULL, FALSE, &error);
  g_assert_cmpuint (notes->len, >=, 5);
  g_assert_true (g_file_test (policy, G_FILE_TEST_EXISTS));
}

/* Adding it once more changes nothing. */
static void
test_add_again (void)
{
  g_autoptr (GPtrArray) before = plumb_session_list_notes (session, NULL, FALSE, NULL);
  g_autoptr (GPtrArray) after = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_true (plumb_session_add_demo (session, NULL, &error));
  after = plumb_session_list_notes (session, NULL, FALSE, NULL);
  g_assert_cmpuint (after->len, ==, before->len);
}

static void
test_search (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PlumbCandidates) found =
      plumb_session_search (session, UNPROCESSED, NULL, 8, NULL, &error);
  const PlumbCandidate *first;

  g_assert_no_error (error);
  first = g_ptr_array_index (found->candidates, 0);
  g_assert_cmpstr (first->card->database, ==, "sales");
  g_assert_cmpstr (first->card->name, ==, "ORD_MST");
  g_assert_cmpint (first->card->status, ==, PLUMB_STATUS_LIVE);
}

static const PlumbStep *
find_query (const PlumbTurn *turn)
{
  for (guint i = turn->steps->len; i > 0; i--) {
    const PlumbStep *step = g_ptr_array_index (turn->steps, i - 1);

    if (g_strcmp0 (step->tool, "run_query") == 0 && step->state == PLUMB_STATE_DONE)
      return step;
  }
  return NULL;
}

static void
assert_answer (const PlumbTurn *turn, const char *expected)
{
  g_autoptr (PlumbAuditRecord) record = NULL;
  const PlumbStep *step = find_query (turn);

  g_assert_nonnull (step);
  g_assert_nonnull (strstr (turn->answer, expected));
  record = plumb_session_get_audit (session, step->audit_id, NULL);
  g_assert_cmpuint (g_strv_length (record->tables), ==, 1);
  g_assert_cmpstr (record->tables[0], ==, "main.ORD_MST");
  g_assert_cmpint (record->turn_id, ==, turn->id);
  for (guint i = 0; i < turn->numbers->len; i++)
    g_assert_true (((PlumbAnswerNumber *) g_ptr_array_index (turn->numbers, i))->found);
}

static void
test_ask (void)
{
  g_autofree char *truth = query_one (
      "sales", "SELECT COUNT(*) FROM ORD_MST WHERE STATUS_CODE = '10' AND ORD_DT < '2026-10-31'");
  PlumbAskRequest request = { .question = UNPROCESSED };
  g_autoptr (GError) error = NULL;
  g_autoptr (PlumbTurn) turn = plumb_session_ask (session, &request, NULL, NULL, NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpstr (turn->model, ==, "built-in planner");
  assert_answer (turn, truth);
}

typedef struct {
  GMainLoop *loop;
  PlumbTurn *turn;
  GError *error;
  guint n_events;
  gboolean ended;
} Asking;

static void
on_event (const PlumbEvent *event, gpointer user_data)
{
  Asking *asking = user_data;

  g_assert_true (g_main_context_is_owner (g_main_context_default ()));
  g_assert_false (asking->ended);
  asking->n_events++;
  asking->ended = event->kind == PLUMB_EVENT_TURN_FINISHED;
}

static void
on_answered (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Asking *asking = user_data;

  asking->turn = plumb_session_ask_finish (PLUMB_SESSION (source), result, &asking->error);
  g_main_loop_quit (asking->loop);
}

static void
test_ask_async (void)
{
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  Asking asking = { .loop = loop };
  PlumbAskRequest request = { .question = UNPROCESSED };

  plumb_session_ask_async (session, &request, on_event, &asking, NULL, on_answered, &asking);
  g_main_loop_run (loop);
  g_assert_no_error (asking.error);
  g_assert_true (asking.ended);
  g_assert_cmpuint (asking.n_events, >, 4);
  assert_answer (asking.turn, "320");
  plumb_turn_free (asking.turn);
}

static void
test_analyst (void)
{
  g_autoptr (PlumbSession) analyst = session_open ("analyst");
  g_autoptr (PlumbResult) result = NULL;
  g_autoptr (PlumbCandidates) found = NULL;
  g_autoptr (GError) error = NULL;

  result = plumb_session_query (analyst, "sales", "SELECT * FROM EMP_SAL", NULL, NULL, &error);
  g_assert_null (result);
  g_assert_error (error, PLUMB_ERROR, PLUMB_ERROR_NO_PERMISSION);
  g_clear_error (&error);
  found = plumb_session_search (analyst, "salary of employees", NULL, 8, NULL, &error);
  for (guint i = 0; i < found->candidates->len; i++)
    g_assert_cmpstr (((PlumbCandidate *) g_ptr_array_index (found->candidates, i))->card->name, !=,
                     "EMP_SAL");
}

static void
test_approve (void)
{
  PlumbAskRequest request = { .question = UNPROCESSED };
  g_autoptr (GError) error = NULL;
  g_autoptr (PlumbTurn) turn = plumb_session_ask (session, &request, NULL, NULL, NULL, &error);
  gint64 audit_id = find_query (turn)->audit_id;
  g_autoptr (GPtrArray) approved = NULL;
  gint64 id = plumb_session_approve (session, audit_id, &error);

  g_assert_no_error (error);
  g_assert_cmpint (id, >, 0);
  approved = plumb_session_list_approved (session, &error);
  g_assert_cmpuint (approved->len, ==, 1);
  g_assert_cmpstr (((PlumbApproved *) g_ptr_array_index (approved, 0))->question, ==, UNPROCESSED);
  g_assert_true (plumb_session_remove_approved (session, id, &error));
}

int
main (int argc, char **argv)
{
  int result;

  session_test_init (&argc, &argv);
  session = session_open (NULL);
  g_test_add_func ("/session-demo/add", test_add);
  g_test_add_func ("/session-demo/add-again", test_add_again);
  g_test_add_func ("/session-demo/search", test_search);
  g_test_add_func ("/session-demo/ask", test_ask);
  g_test_add_func ("/session-demo/ask-async", test_ask_async);
  g_test_add_func ("/session-demo/analyst", test_analyst);
  g_test_add_func ("/session-demo/approve", test_approve);
  result = session_test_run ();
  g_assert_finalize_object (session);
  return result;
}
