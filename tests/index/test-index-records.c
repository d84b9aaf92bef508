/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "index-fixture.h"

static void
remove_and_add_source (PlumbIndex *index)
{
  GError *error = NULL;

  g_assert_true (plumb_index_remove_source (index, "sales", &error));
  g_assert_no_error (error);
  add_source (index, "sales");
}

/* A retired note can be taken back, and the history says who did. */
static void
check_restored (IndexFixture *fixture, gint64 id)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) notes = NULL;
  g_autoptr (GPtrArray) versions = NULL;

  g_assert_true (plumb_index_restore_note (fixture->index, id, "park", &error));
  g_assert_no_error (error);
  notes = plumb_index_list_notes (fixture->index, "sales", NULL, NULL, FALSE, NULL);
  g_assert_cmpuint (notes->len, ==, 1);
  g_assert_cmpstr (((PlumbNote *) notes->pdata[0])->text, ==, "Not used since 2022");
  g_assert_null (((PlumbNote *) notes->pdata[0])->retired_by);
  versions = plumb_index_list_note_versions (fixture->index, id, &error);
  g_assert_cmpuint (versions->len, ==, 3);
  g_assert_cmpstr (((PlumbNote *) versions->pdata[2])->author, ==, "park");
  g_assert_false (plumb_index_restore_note (fixture->index, id, "park", &error));
  g_assert_error (error, PLUMB_ERROR, PLUMB_ERROR_NOT_FOUND);
}

static void
test_notes (IndexFixture *fixture, gconstpointer data)
{
  g_autoptr (PlumbNote) note = plumb_note_new ("sales", "main", "ORD", "Not used since 2023");
  g_autoptr (PlumbNote) empty = plumb_note_new ("sales", "main", "ORD", " \n");
  g_autoptr (GPtrArray) notes = NULL;
  g_autoptr (GPtrArray) versions = NULL;
  g_autoptr (GPtrArray) retired = NULL;
  g_autoptr (GPtrArray) all = NULL;
  g_autoptr (GError) error = NULL;
  gint64 id, generation;

  g_assert_cmpint (plumb_index_add_note (fixture->index, empty, &error), ==, 0);
  g_assert_error (error, PLUMB_ERROR, PLUMB_ERROR_INVALID_ARGUMENT);
  g_clear_error (&error);
  generation = plumb_index_get_generation (fixture->index);
  id = plumb_index_add_note (fixture->index, note, &error);
  g_assert_cmpint (id, >, 0);
  g_assert_cmpuint (plumb_index_get_generation (fixture->index), >, generation);
  g_assert_true (plumb_index_edit_note (fixture->index, id, "Not used since 2022", "kim", &error));
  remove_and_add_source (fixture->index);

  notes = plumb_index_list_notes (fixture->index, "sales", "main", "ORD", FALSE, &error);
  g_assert_cmpuint (notes->len, ==, 1);
  g_assert_cmpstr (((PlumbNote *) notes->pdata[0])->text, ==, "Not used since 2022");
  g_assert_cmpstr (((PlumbNote *) notes->pdata[0])->author, ==, "kim");
  g_assert_cmpstr (((PlumbNote *) notes->pdata[0])->origin, ==, "person");
  versions = plumb_index_list_note_versions (fixture->index, id, &error);
  g_assert_cmpuint (versions->len, ==, 2);
  g_assert_cmpstr (((PlumbNote *) versions->pdata[0])->text, ==, "Not used since 2023");
  g_assert_cmpstr (((PlumbNote *) versions->pdata[0])->author, ==, g_get_user_name ());

  g_assert_true (plumb_index_retire_note (fixture->index, id, "lee", &error));
  g_assert_false (plumb_index_edit_note (fixture->index, id, "x", "kim", &error));
  g_assert_error (error, PLUMB_ERROR, PLUMB_ERROR_NOT_FOUND);
  g_clear_error (&error);
  g_assert_false (plumb_index_retire_note (fixture->index, 99, "lee", &error));
  g_assert_error (error, PLUMB_ERROR, PLUMB_ERROR_NOT_FOUND);
  retired = plumb_index_list_notes (fixture->index, NULL, NULL, NULL, FALSE, NULL);
  g_assert_cmpuint (retired->len, ==, 0);
  all = plumb_index_list_notes (fixture->index, "sales", NULL, NULL, TRUE, NULL);
  g_assert_cmpuint (all->len, ==, 1);
  g_assert_true (((PlumbNote *) all->pdata[0])->retired);
  g_assert_cmpstr (((PlumbNote *) all->pdata[0])->retired_by, ==, "lee");
  g_assert_cmpint (((PlumbNote *) all->pdata[0])->retired_at, >, 0);
  check_restored (fixture, id);
}

static void
test_approved (IndexFixture *fixture, gconstpointer data)
{
  g_autoptr (PlumbApproved) approved = plumb_approved_new ("How many?", "sales", "SELECT 1");
  g_autoptr (GPtrArray) list = NULL;
  g_autoptr (GError) error = NULL;
  gint64 id;

  approved->audit_id = 7;
  approved->tables = g_strsplit ("main.ORD|main.\"a,b\"", "|", -1);
  id = plumb_index_approve (fixture->index, approved, &error);
  g_assert_cmpint (id, >, 0);
  g_assert_cmpint (plumb_index_approve (fixture->index, approved, &error), ==, id);
  remove_and_add_source (fixture->index);
  list = plumb_index_list_approved (fixture->index, &error);
  g_assert_cmpuint (list->len, ==, 1);
  g_assert_cmpstr (((PlumbApproved *) list->pdata[0])->tables[1], ==, "main.\"a,b\"");
  g_assert_cmpint (((PlumbApproved *) list->pdata[0])->audit_id, ==, 7);
  g_assert_true (plumb_index_remove_approved (fixture->index, id, &error));
  g_assert_false (plumb_index_remove_approved (fixture->index, id, &error));
  g_assert_error (error, PLUMB_ERROR, PLUMB_ERROR_NOT_FOUND);
}

static void
test_values (IndexFixture *fixture, gconstpointer data)
{
  g_autofree char *value = NULL;

  g_assert_null (plumb_index_get_value (fixture->index, "draft"));
  g_assert_true (plumb_index_set_value (fixture->index, "draft", "How many", NULL));
  g_assert_true (plumb_index_set_value (fixture->index, "draft", "How much", NULL));
  index_fixture_reopen (fixture);
  value = plumb_index_get_value (fixture->index, "draft");
  g_assert_cmpstr (value, ==, "How much");
  g_assert_true (plumb_index_set_value (fixture->index, "draft", NULL, NULL));
  g_assert_null (plumb_index_get_value (fixture->index, "draft"));
}

static void
test_audit (IndexFixture *fixture, gconstpointer data)
{
  g_autoptr (PlumbAuditRecord) record = plumb_audit_record_new ("sales", "SELECT 1");
  g_autoptr (PlumbAuditRecord) running = NULL;
  g_autoptr (PlumbAuditRecord) done = NULL;
  g_autoptr (GPtrArray) page = NULL;
  g_autoptr (GPtrArray) all = NULL;
  g_autoptr (GError) error = NULL;
  gint64 last = 0;

  record->origin = g_strdup ("query");
  record->tables = g_strsplit ("main.ORD", "|", -1);
  for (int i = 0; i < 5; i++)
    last = plumb_index_begin_audit (fixture->index, record, &error);
  g_assert_no_error (error);
  running = plumb_index_get_audit (fixture->index, last, &error);
  g_assert_cmpint (running->state, ==, PLUMB_STATE_RUNNING);
  g_assert_cmpint (running->elapsed_ms, ==, -1);

  record->id = last;
  record->state = PLUMB_STATE_DONE;
  record->row_count = 500;
  record->elapsed_ms = 12;
  record->truncated_by = g_strdup ("max_rows");
  g_assert_true (plumb_index_finish_audit (fixture->index, record, &error));
  record->row_count = 1;
  g_assert_false (plumb_index_finish_audit (fixture->index, record, &error));
  g_assert_error (error, PLUMB_ERROR, PLUMB_ERROR_NOT_FOUND);
  g_clear_error (&error);
  done = plumb_index_get_audit (fixture->index, last, &error);
  g_assert_cmpint (done->row_count, ==, 500);
  g_assert_cmpstr (done->truncated_by, ==, "max_rows");
  g_assert_cmpstr (done->tables[0], ==, "main.ORD");
  g_assert_cmpstr (done->user, ==, g_get_user_name ());

  page = plumb_index_list_audit (fixture->index, last, 2, &error);
  g_assert_cmpuint (page->len, ==, 2);
  g_assert_cmpint (((PlumbAuditRecord *) page->pdata[0])->id, ==, last - 1);
  all = plumb_index_list_audit (fixture->index, 0, 0, &error);
  g_assert_cmpuint (all->len, ==, 5);
  g_assert_null (plumb_index_get_audit (fixture->index, 1000, &error));
  g_assert_error (error, PLUMB_ERROR, PLUMB_ERROR_NOT_FOUND);
}

static PlumbStep *
make_step (const PlumbTurn *turn, int number, PlumbState state)
{
  PlumbStep *step = plumb_step_new (PLUMB_STEP_TOOL);

  step->turn_id = turn->id;
  step->number = number;
  step->round = 1;
  step->tool = g_strdup ("run_query");
  step->state = state;
  return step;
}

static void
test_conversation (IndexFixture *fixture, gconstpointer data)
{
  g_autoptr (PlumbTurn) turn = plumb_turn_new ("How many orders?");
  g_autoptr (PlumbStep) step = NULL;
  g_autoptr (GPtrArray) conversations = NULL;
  g_autoptr (GPtrArray) turns = NULL;
  g_autoptr (GPtrArray) none = NULL;
  g_autoptr (GError) error = NULL;
  PlumbAnswerNumber number = { 3, 2, 9, 1, TRUE };
  PlumbTurn *stored;
  gint64 id = plumb_index_add_conversation (fixture->index, "Orders", &error);

  g_assert_cmpint (plumb_index_begin_turn (fixture->index, id, turn, &error), >, 0);
  g_assert_cmpint (turn->conversation_id, ==, id);
  step = make_step (turn, 1, PLUMB_STATE_RUNNING);
  g_assert_true (plumb_index_put_step (fixture->index, step, &error));
  step->state = PLUMB_STATE_DONE;
  step->result = g_strdup ("{\"rows\":[[42]]}");
  step->audit_id = 9;
  g_assert_true (plumb_index_put_step (fixture->index, step, &error));
  turn->answer = g_strdup ("It 42 are");
  turn->state = PLUMB_STATE_DONE;
  turn->elapsed_us = 1234;
  g_ptr_array_add (turn->numbers, g_memdup2 (&number, sizeof number));
  g_assert_true (plumb_index_finish_turn (fixture->index, turn, &error));
  g_assert_no_error (error);

  index_fixture_reopen (fixture);
  turns = plumb_index_list_turns (fixture->index, id, &error);
  g_assert_cmpuint (turns->len, ==, 1);
  stored = turns->pdata[0];
  g_assert_cmpint (stored->state, ==, PLUMB_STATE_DONE);
  g_assert_cmpstr (stored->answer, ==, "It 42 are");
  g_assert_cmpuint (stored->steps->len, ==, 1);
  g_assert_cmpstr (((PlumbStep *) stored->steps->pdata[0])->result, ==, "{\"rows\":[[42]]}");
  g_assert_cmpint (((PlumbStep *) stored->steps->pdata[0])->audit_id, ==, 9);
  g_assert_cmpuint (stored->numbers->len, ==, 1);
  g_assert_true (((PlumbAnswerNumber *) stored->numbers->pdata[0])->found);

  g_assert_true (plumb_index_rename_conversation (fixture->index, id, "More", &error));
  conversations = plumb_index_list_conversations (fixture->index, &error);
  g_assert_cmpstr (((PlumbConversation *) conversations->pdata[0])->title, ==, "More");
  g_assert_true (plumb_index_delete_conversation (fixture->index, id, &error));
  g_assert_false (plumb_index_put_step (fixture->index, step, &error));
  g_assert_error (error, PLUMB_ERROR, PLUMB_ERROR_NOT_FOUND);
  g_clear_error (&error);
  g_assert_cmpint (plumb_index_begin_turn (fixture->index, id, turn, &error), ==, 0);
  g_assert_error (error, PLUMB_ERROR, PLUMB_ERROR_NOT_FOUND);
  none = plumb_index_list_turns (fixture->index, id, NULL);
  g_assert_cmpuint (none->len, ==, 0);
}

/* A turn that runs is running for whoever looks, until the index that began it is closed. */
static void
test_abandoned_turn (IndexFixture *fixture, gconstpointer data)
{
  g_autoptr (PlumbIndex) other = plumb_index_open (fixture->path, NULL);
  g_autoptr (PlumbTurn) turn = plumb_turn_new ("How many?");
  g_autoptr (PlumbStep) step = NULL;
  g_autoptr (GPtrArray) while_running = NULL;
  g_autoptr (GPtrArray) own = NULL;
  g_autoptr (GPtrArray) after = NULL;
  PlumbTurn *stored;
  gint64 id = plumb_index_add_conversation (other, "x", NULL);

  g_assert_cmpint (plumb_index_begin_turn (other, id, turn, NULL), >, 0);
  step = make_step (turn, 1, PLUMB_STATE_RUNNING);
  g_assert_true (plumb_index_put_step (other, step, NULL));
  while_running = plumb_index_list_turns (fixture->index, id, NULL);
  g_assert_cmpint (((PlumbTurn *) while_running->pdata[0])->state, ==, PLUMB_STATE_RUNNING);
  own = plumb_index_list_turns (other, id, NULL);
  g_assert_cmpint (((PlumbTurn *) own->pdata[0])->state, ==, PLUMB_STATE_RUNNING);
  g_clear_object (&other);
  after = plumb_index_list_turns (fixture->index, id, NULL);
  stored = after->pdata[0];
  g_assert_cmpint (stored->state, ==, PLUMB_STATE_CANCELLED);
  g_assert_nonnull (stored->error);
  g_assert_cmpint (((PlumbStep *) stored->steps->pdata[0])->state, ==, PLUMB_STATE_CANCELLED);
}

/* So is a statement, which needs no turn. */
static void
test_abandoned_statement (IndexFixture *fixture, gconstpointer data)
{
  g_autoptr (PlumbIndex) other = plumb_index_open (fixture->path, NULL);
  g_autoptr (PlumbAuditRecord) record = plumb_audit_record_new ("sales", "SELECT 1");
  g_autoptr (PlumbAuditRecord) running = NULL;
  g_autoptr (PlumbAuditRecord) after = NULL;
  g_autoptr (GPtrArray) listed = NULL;
  gint64 id = plumb_index_begin_audit (other, record, NULL);

  running = plumb_index_get_audit (fixture->index, id, NULL);
  g_assert_cmpint (running->state, ==, PLUMB_STATE_RUNNING);
  g_clear_object (&other);
  after = plumb_index_get_audit (fixture->index, id, NULL);
  g_assert_cmpint (after->state, ==, PLUMB_STATE_CANCELLED);
  g_assert_nonnull (after->error);
  listed = plumb_index_list_audit (fixture->index, 0, 0, NULL);
  g_assert_cmpuint (listed->len, ==, 1);
  g_assert_cmpint (((PlumbAuditRecord *) listed->pdata[0])->state, ==, PLUMB_STATE_CANCELLED);
}

static GPtrArray *
make_examples (const char *questions)
{
  GPtrArray *examples = g_ptr_array_new_with_free_func ((GDestroyNotify) plumb_approved_free);
  g_auto (GStrv) parts = g_strsplit (questions, "|", -1);

  for (guint i = 0; parts[i] != NULL; i++) {
    PlumbApproved *example = plumb_approved_new (parts[i], "sales", NULL);

    example->domain = g_strdup ("orders");
    example->tables = g_strsplit ("main.ORD_MST,main.\"Order lines\"", ",", -1);
    g_ptr_array_add (examples, example);
  }
  return examples;
}

/* Analysis replaces the examples of a source; the same ones again change nothing, and they go with it. */
static void
test_examples (IndexFixture *fixture, gconstpointer data)
{
  g_autoptr (GPtrArray) two = make_examples ("What is open?|Was ist offen?");
  g_autoptr (GPtrArray) one = make_examples ("What is open?");
  g_autoptr (GPtrArray) stored = NULL;
  g_autoptr (GPtrArray) fewer = NULL;
  g_autoptr (GPtrArray) none = NULL;
  const PlumbApproved *second;
  guint64 generation;

  g_assert_true (plumb_index_replace_examples (fixture->index, "sales", two, NULL));
  stored = plumb_index_list_examples (fixture->index, NULL);
  g_assert_cmpuint (stored->len, ==, 2);
  second = stored->pdata[1];
  g_assert_cmpstr (second->question, ==, "Was ist offen?");
  g_assert_cmpstr (second->domain, ==, "orders");
  g_assert_cmpstr (second->database, ==, "sales");
  g_assert_cmpstr (second->tables[1], ==, "main.\"Order lines\"");
  generation = plumb_index_get_generation (fixture->index);
  g_assert_true (plumb_index_replace_examples (fixture->index, "sales", two, NULL));
  g_assert_cmpuint (plumb_index_get_generation (fixture->index), ==, generation);
  g_assert_true (plumb_index_replace_examples (fixture->index, "sales", one, NULL));
  g_assert_cmpuint (plumb_index_get_generation (fixture->index), >, generation);
  fewer = plumb_index_list_examples (fixture->index, NULL);
  g_assert_cmpuint (fewer->len, ==, 1);
  g_assert_true (plumb_index_remove_source (fixture->index, "sales", NULL));
  none = plumb_index_list_examples (fixture->index, NULL);
  g_assert_cmpuint (none->len, ==, 0);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
#define ADD(path, func) \
  g_test_add (path, IndexFixture, NULL, index_fixture_set_up, func, index_fixture_tear_down)
  ADD ("/index/notes", test_notes);
  ADD ("/index/approved", test_approved);
  ADD ("/index/examples", test_examples);
  ADD ("/index/values", test_values);
  ADD ("/index/audit", test_audit);
  ADD ("/index/conversation", test_conversation);
  ADD ("/index/abandoned-turn", test_abandoned_turn);
  ADD ("/index/abandoned-statement", test_abandoned_statement);
#undef ADD
  return g_test_run ();
}
