/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

/* The window on the demo databases, from the first run to the number, with real keys. */

#include "ui-harness.h"

#include "plumb-answer-view.h"
#include "plumb-candidate-row.h"
#include "plumb-card-view.h"
#include "plumb-conversation-list.h"
#include "plumb-pane-handle.h"
#include "plumb-panel.h"
#include "plumb-question-entry.h"
#include "plumb-result-view.h"
#include "plumb-step-row.h"
#include "plumb-turn-row.h"

#include <sqlite3.h>
#include <string.h>

#define QUESTION "How many orders have been unprocessed for more than 30 days?"

/* What the number must be: a person's own SQL on the demo database, as of the day of the test. */
#define TRUE_SQL                                                                                   \
  "SELECT count(*) FROM ORD_MST WHERE STATUS_CODE = '10' AND ORD_DT < date('2026-11-30', '-30 "    \
  "days')"

static char *
ask_sqlite (const char *sql)
{
  g_autofree char *path = ui_harness_data_path ("plumbline/demo/sales.sqlite");
  sqlite3 *database = NULL;
  sqlite3_stmt *statement = NULL;
  char *value;

  g_assert_cmpint (sqlite3_open_v2 (path, &database, SQLITE_OPEN_READONLY, NULL), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_prepare_v2 (database, sql, -1, &statement, NULL), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_step (statement), ==, SQLITE_ROW);
  value = g_strdup ((const char *) sqlite3_column_text (statement, 0));
  sqlite3_finalize (statement);
  sqlite3_close (database);
  return value;
}

static gboolean
is_idle (gpointer window)
{
  PlumbChatView *chat = plumb_window_get_chat (window);

  return chat != NULL && !plumb_chat_view_get_busy (chat);
}

static gboolean
has_examples (gpointer window)
{
  return ui_find_label (window, QUESTION) != NULL;
}

static gboolean
shows_offer (gpointer window)
{
  return ui_find_button (window, "_Try the Demo Databases") != NULL;
}

static gboolean
shows_progress (gpointer window)
{
  GtkWidget *bar = ui_find_type (window, GTK_TYPE_PROGRESS_BAR);

  return bar != NULL && gtk_widget_get_mapped (bar);
}

/* Ahead of everything: no database. The demo is built from the page, once cancelled, once to the
 * end. */
static void
test_first_run (void)
{
  g_autoptr (PlumbSession) session = ui_harness_session ();
  PlumbWindow *window = ui_harness_window (session, 1180, 760);
  g_autoptr (GPtrArray) sources = NULL;

  ui_wait (shows_offer, window, "the first-run page");
  ui_screenshot (window, "first-run");
  ui_click (ui_find_button (window, "_Try the Demo Databases"));
  ui_wait (shows_progress, window, "progress of the demo");
  ui_screenshot (window, "first-run-progress");
  ui_click (ui_find_button (window, "_Cancel"));
  ui_wait (shows_offer, window, "the offer after cancelling");

  ui_click (ui_find_button (window, "_Try the Demo Databases"));
  ui_wait (has_examples, window, "the demo to be ready");
  ui_screenshot (window, "empty");
  sources = plumb_session_list_sources (session, NULL);
  g_assert_cmpuint (sources->len, ==, 3);
  ui_harness_close (window);
}

static void
check_trace (PlumbWindow *window)
{
  GtkWidget *row = ui_find_type (window, PLUMB_TYPE_TURN_ROW);
  PlumbTurnItem *item = plumb_turn_row_get_item (PLUMB_TURN_ROW (row));
  GListModel *steps = plumb_turn_item_get_steps (item);
  guint n_search = 0, n_card = 0, n_run = 0;

  for (guint i = 0; i < g_list_model_get_n_items (steps); i++) {
    g_autoptr (PlumbStepItem) step = g_list_model_get_item (steps, i);
    const char *tool = plumb_step_item_get_step (step)->tool;

    g_assert_cmpint (plumb_step_item_get_step (step)->state, !=, PLUMB_STATE_RUNNING);
    n_search += g_strcmp0 (tool, "search_tables") == 0;
    n_card += g_strcmp0 (tool, "get_table_card") == 0;
    n_run += g_strcmp0 (tool, "run_query") == 0;
  }
  g_assert_cmpuint (n_search, >=, 1);
  g_assert_cmpuint (n_card, >=, 1);
  g_assert_cmpuint (n_run, >=, 1);

  plumb_turn_row_open_trace (PLUMB_TURN_ROW (row));
  ui_settle ();
  g_assert_cmpuint (ui_count_type (row, PLUMB_TYPE_STEP_ROW), ==, g_list_model_get_n_items (steps));
  g_assert_nonnull (ui_find_label (row, "Looked for tables"));
  g_assert_nonnull (ui_find_label (row, "Ran SQL"));
  ui_screenshot (window, "window");
  plumb_step_row_toggle (PLUMB_STEP_ROW (ui_find_type (row, PLUMB_TYPE_STEP_ROW)));
  ui_settle ();
  g_assert_nonnull (ui_find_label (row, "Asked For"));
}

/* Places of the live table and of its copies in the list of tables. */
static void
check_candidates (PlumbWindow *window)
{
  GtkWidget *list = gtk_widget_get_parent (ui_find_type (window, PLUMB_TYPE_CANDIDATE_ROW));
  int live = -1, backup = -1, place = 0;

  for (GtkWidget *child = gtk_widget_get_first_child (list); child != NULL;
       child = gtk_widget_get_next_sibling (child), place++) {
    const char *table;

    if (!PLUMB_IS_CANDIDATE_ROW (child))
      continue;
    table = plumb_candidate_row_get_table (PLUMB_CANDIDATE_ROW (child));
    if (g_str_equal (table, "sales.main.ORD_MST")) {
      live = place;
      g_assert_cmpstr (plumb_candidate_row_get_mark (PLUMB_CANDIDATE_ROW (child)), ==, "Live");
    }
    if (g_str_equal (table, "sales.main.ORD_MST_BAK"))
      backup = place;
  }
  g_assert_cmpint (live, ==, 0);
  g_assert_cmpint (backup, >, live);
}

static void
check_statement (PlumbWindow *window, const char *truth)
{
  PlumbResultView *view = PLUMB_RESULT_VIEW (ui_find_type (window, PLUMB_TYPE_RESULT_VIEW));
  PlumbExecution *execution = plumb_result_view_get_execution (view);
  PlumbResult *result;

  g_assert_nonnull (execution);
  g_assert_cmpstr (plumb_execution_get_database (execution), ==, "sales");
  g_assert_nonnull (strstr (plumb_execution_get_sql (execution), "ORD_MST"));
  g_assert_null (strstr (plumb_execution_get_sql (execution), "ORD_MST_BAK"));
  result = plumb_execution_get_result (execution);
  g_assert_cmpint (plumb_result_get_n_rows (result), ==, 1);
  g_assert_cmpstr (plumb_result_get_cell (result, 0, 0)->text, ==, truth);
}

static gboolean
shows_text (GtkWidget *widget, gconstpointer data)
{
  return GTK_IS_INSCRIPTION (widget) &&
         g_strcmp0 (gtk_inscription_get_text (GTK_INSCRIPTION (widget)), data) == 0;
}

/* The first number of the answer leads to its statement. */
static void
follow_number (PlumbWindow *window, PlumbTurnItem *item)
{
  const PlumbAnswerNumber *number = g_ptr_array_index (plumb_turn_item_get_numbers (item), 0);
  g_autofree char *address = g_strdup_printf ("plumbline:statement/%" G_GINT64_FORMAT "/%d",
                                              number->audit_id, number->step_number);
  GtkWidget *answer = ui_find_type (window, PLUMB_TYPE_ANSWER_VIEW);
  gboolean handled = FALSE;

  g_assert_true (number->found);
  g_assert_cmpint (number->audit_id, !=, 0);
  g_signal_emit_by_name (ui_find_type (answer, GTK_TYPE_LABEL), "activate-link", address, &handled);
  g_assert_true (handled);
  ui_settle ();
}

static void
show_card_page (PlumbWindow *window, const char *page)
{
  GtkWidget *card = ui_find_type (window, PLUMB_TYPE_CARD_VIEW);
  GtkWidget *switcher = ui_find_type (card, GTK_TYPE_STACK_SWITCHER);

  gtk_stack_set_visible_child_name (gtk_stack_switcher_get_stack (GTK_STACK_SWITCHER (switcher)),
                                    page);
}

static gboolean
is_note_entry (GtkWidget *widget, gconstpointer data)
{
  return ADW_IS_ENTRY_ROW (widget) && gtk_widget_get_mapped (widget);
}

static gboolean
shows_note (gpointer window)
{
  return ui_find_label (window, "within a minute") != NULL;
}

/* A note goes into the index and stands in the list; what was typed is gone from the entry. */
static void
add_note (PlumbWindow *window, const char *text)
{
  GtkWidget *entry = ui_find (window, is_note_entry, NULL);

  gtk_editable_set_text (GTK_EDITABLE (entry), text);
  g_signal_emit_by_name (entry, "apply");
  ui_wait (shows_note, window, "the new note");
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (entry)), ==, "");
}

static gboolean
hides_note (gpointer window)
{
  return !shows_note (window);
}

static gboolean
shows_undo (gpointer window)
{
  return ui_find_button (window, "Take this note back into use") != NULL;
}

static gboolean
tells_worse (gpointer window)
{
  return ui_find_label (window, "1 known question no longer finds its tables.") != NULL;
}

static gboolean
can_edit_again (gpointer window)
{
  return shows_note (window) && !shows_undo (window);
}

/* A question that is found by the note alone. */
static void
know_question (PlumbSession *session)
{
  const char *tables[] = { "sales.main.ORD_MST", NULL };
  g_autoptr (GPtrArray) questions = NULL;

  g_assert_cmpint (plumb_session_add_question (session, NULL, "Where are the quokkas?",
                                               tables, NULL), >, 0);
  questions = plumb_session_run_questions (session, NULL, NULL, NULL, NULL, NULL);
  g_assert_cmpuint (questions->len, ==, 1);
  g_assert_true (plumb_known_question_is_complete (questions->pdata[0]));
}

/* What was retired is out of sight, can be looked at, and taken back. */
static void
retire_note (PlumbWindow *window)
{
  GtkWidget *list = gtk_widget_get_ancestor (ui_find_label (window, "within a minute"),
                                             GTK_TYPE_LIST_BOX_ROW);

  ui_click (ui_find_button (list, "Retire this note: it is kept, but no longer used"));
  ui_wait (hides_note, window, "the note to be retired");
  ui_wait (tells_worse, window, "the word that a known question got worse");
  ui_click (ui_find_button (window, "_Retired Notes"));
  ui_wait (shows_undo, window, "the retired note");
  ui_screenshot (window, "card-notes-retired");
  ui_click (ui_find_button (window, "Take this note back into use"));
  ui_wait (can_edit_again, window, "the note to be back");
}

/* The main job, by keys alone: the cursor is in the entry, type, Enter, read; look at what it
 * rests on. */
static void
test_question (void)
{
  g_autoptr (PlumbSession) session = ui_harness_demo_session ();
  PlumbWindow *window = ui_harness_window (session, 1280, 800);
  g_autofree char *truth = ask_sqlite (TRUE_SQL);
  PlumbTurnItem *item;

  ui_wait (has_examples, window, "the empty conversation");
  ui_focus_window (window);
  ui_key ("ctrl+l");
  ui_type (QUESTION);
  ui_screenshot (window, "typed");
  ui_key ("Return");
  ui_wait (is_idle, window, "the answer");

  item = plumb_chat_view_get_current (plumb_window_get_chat (window));
  g_assert_cmpint (plumb_turn_item_get_state (item), ==, PLUMB_STATE_DONE);
  g_assert_cmpstr (plumb_turn_item_get_question (item), ==, QUESTION);
  g_assert_nonnull (strstr (plumb_turn_item_get_answer (item), truth));
  ui_screenshot (window, "answer");
  check_candidates (window);
  check_trace (window);
  ui_screenshot (window, "trace");

  follow_number (window, item);
  g_assert_nonnull (ui_find (window, shows_text, truth));
  check_statement (window, truth);
  ui_screenshot (window, "sql");
  ui_key ("alt+3");
  ui_screenshot (window, "joins");
  ui_key ("alt+2");
  ui_screenshot (window, "card");
  show_card_page (window, "columns");
  ui_settle ();
  g_assert_nonnull (ui_find (window, shows_text, "STATUS_CODE"));
  ui_screenshot (window, "card-columns");
  show_card_page (window, "notes");
  ui_settle ();
  add_note (window, "Quokka orders of the web shop stand here within a minute.");
  ui_screenshot (window, "card-notes");
  know_question (session);
  retire_note (window);
  ui_harness_close (window);
}

static gboolean
has_stored_turn (gpointer window)
{
  PlumbChatView *chat = plumb_window_get_chat (window);

  return chat != NULL && plumb_chat_view_get_current (chat) != NULL;
}

/* The conversation of before is there again, with its rows and its tables. */
static void
test_reopened (void)
{
  g_autoptr (PlumbSession) session = ui_harness_demo_session ();
  PlumbWindow *window = ui_harness_window (session, 1280, 800);
  g_autofree char *truth = ask_sqlite (TRUE_SQL);

  ui_wait (has_stored_turn, window, "the last conversation");
  ui_settle ();
  g_assert_nonnull (ui_find_label (window, QUESTION));
  check_candidates (window);
  ui_focus_window (window);
  ui_key ("alt+4");
  check_statement (window, truth);
  ui_key ("alt+1");
  ui_key ("F9");
  ui_screenshot (window, "without-sidebar");
  ui_key ("F9");
  ui_key ("shift+F9");
  ui_screenshot (window, "without-panel");
  ui_key ("shift+F9");
  ui_key ("ctrl+n");
  g_assert_cmpint (plumb_chat_view_get_conversation (plumb_window_get_chat (window)), ==, 0);
  ui_harness_close (window);
}

static void
ask_by_widget (PlumbWindow *window, const char *question)
{
  GtkWidget *chat = GTK_WIDGET (plumb_window_get_chat (window));
  GtkWidget *entry = ui_find_type (chat, PLUMB_TYPE_QUESTION_ENTRY);

  plumb_question_entry_set_text (PLUMB_QUESTION_ENTRY (entry), question);
  ui_click (ui_find_button (entry, "Ask (Enter)"));
  ui_wait (is_idle, window, question);
  ui_settle ();
}

/* What can't be answered is said, never guessed; the question stays. */
static void
test_unreadable (void)
{
  g_autoptr (PlumbSession) session = ui_harness_demo_session ();
  PlumbWindow *window = ui_harness_window (session, 1180, 760);
  const char *question = "30일 넘게 처리되지 않은 주문은 몇 건이고, 그중에서 배송 창고별로 가장 "
                         "오래된 주문은 무엇입니까?";

  ui_settle ();
  gtk_widget_activate_action (GTK_WIDGET (window), "win.new-conversation", NULL);
  ask_by_widget (window, question);
  g_assert_nonnull (ui_find_label (window, question));
  ui_screenshot (window, "korean");
  ui_harness_close (window);
}

/* Stopped in the middle: the question stays and can be asked again; so it does when the window
 * closes. */
static void
test_stopped (void)
{
  g_autoptr (PlumbSession) session = ui_harness_demo_session ();
  PlumbWindow *window = ui_harness_window (session, 1000, 700);
  PlumbChatView *chat;
  PlumbTurnItem *item;

  ui_settle ();
  gtk_widget_activate_action (GTK_WIDGET (window), "win.new-conversation", NULL);
  chat = plumb_window_get_chat (window);
  plumb_chat_view_ask (chat, QUESTION);
  g_assert_true (plumb_chat_view_get_busy (chat));
  gtk_widget_activate_action (GTK_WIDGET (window), "win.stop", NULL);
  ui_wait (is_idle, window, "the question to stop");
  ui_settle ();
  item = plumb_chat_view_get_current (chat);
  g_assert_cmpint (plumb_turn_item_get_state (item), ==, PLUMB_STATE_CANCELLED);
  g_assert_nonnull (ui_find_label (window, "Stopped after"));
  ui_screenshot (window, "stopped");
  ui_click (ui_find_button (window, "_Try Again"));
  ui_wait (is_idle, window, "the second try");
  item = plumb_chat_view_get_current (chat);
  g_assert_cmpint (plumb_turn_item_get_state (item), ==, PLUMB_STATE_DONE);
  plumb_chat_view_ask (chat, QUESTION);
  ui_harness_close (window);
}

/* A question far longer than anyone types: an answer or a refusal, and the window goes on. */
static void
test_long_question (void)
{
  g_autoptr (PlumbSession) session = ui_harness_demo_session ();
  PlumbWindow *window = ui_harness_window (session, 1000, 700);
  g_autoptr (GString) question = g_string_new ("How many ");

  while (question->len < 100000)
    g_string_append (question, "orders заказов 주문 ");
  ui_settle ();
  gtk_widget_activate_action (GTK_WIDGET (window), "win.new-conversation", NULL);
  ask_by_widget (window, question->str);
  g_assert_nonnull (ui_find_label (window, "How many orders"));
  ui_screenshot (window, "long-question");
  ask_by_widget (window, QUESTION);
  g_assert_cmpint (
      plumb_turn_item_get_state (plumb_chat_view_get_current (plumb_window_get_chat (window))), ==,
      PLUMB_STATE_DONE);
  ui_harness_close (window);
}

static gboolean
is_draft_kept (gpointer data)
{
  g_autoptr (GSettings) settings = g_settings_new ("io.github.plumbline.Plumbline");
  g_autofree char *draft = g_settings_get_string (settings, "draft");

  return g_str_equal (draft, data);
}

/* What is typed is kept while the window is open, so that a killed program loses none of it. */
static void
test_draft (void)
{
  g_autoptr (PlumbSession) session = ui_harness_demo_session ();
  PlumbWindow *window = ui_harness_window (session, 1000, 700);

  ui_settle ();
  plumb_chat_view_set_draft (plumb_window_get_chat (window), "How many Kunden");
  ui_wait (is_draft_kept, (gpointer) "How many Kunden", "the draft in the settings");
  plumb_chat_view_set_draft (plumb_window_get_chat (window), "");
  ui_wait (is_draft_kept, (gpointer) "", "the settings without a draft");
  ui_harness_close (window);
}

static void
test_right_to_left (void)
{
  g_autoptr (PlumbSession) session = ui_harness_demo_session ();
  PlumbWindow *window;

  gtk_widget_set_default_direction (GTK_TEXT_DIR_RTL);
  window = ui_harness_window (session, 1180, 760);
  ui_settle ();
  gtk_widget_activate_action (GTK_WIDGET (window), "win.new-conversation", NULL);
  ask_by_widget (window, "كم عدد الطلبات؟");
  gtk_widget_activate_action (GTK_WIDGET (window), "win.panel-page", "s", "tables");
  ui_screenshot (window, "right-to-left");
  gtk_widget_set_default_direction (GTK_TEXT_DIR_LTR);
  ui_harness_close (window);
}

static void
test_narrow (void)
{
  g_autoptr (PlumbSession) session = ui_harness_demo_session ();
  PlumbWindow *window = ui_harness_window (session, 360, 640);

  ui_settle ();
  g_assert_cmpint (gtk_widget_get_width (GTK_WIDGET (window)), <=, 372);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.new-conversation", NULL);
  ui_settle ();
  ui_screenshot (window, "narrow-empty");
  ask_by_widget (window, QUESTION);
  ui_screenshot (window, "narrow-answer");
  gtk_widget_activate_action (GTK_WIDGET (window), "win.panel-page", "s", "tables");
  ui_screenshot (window, "narrow-tables");
  gtk_widget_activate_action (GTK_WIDGET (window), "win.panel-page", "s", "sql");
  ui_screenshot (window, "narrow-sql");
  gtk_widget_activate_action (GTK_WIDGET (window), "win.focus-question", NULL);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.toggle-sidebar", NULL);
  ui_screenshot (window, "narrow-sidebar");
  ui_harness_close (window);
}

/* The line between chat and panel: moved by keys here, kept for the next window, and set back. */
static void
test_panes (void)
{
  g_autoptr (PlumbSession) session = ui_harness_demo_session ();
  PlumbWindow *window = ui_harness_window (session, 1280, 760);
  GtkWidget *handle, *panel;
  int usual, wider;

  gtk_widget_activate_action (GTK_WIDGET (window), "win.panel-page", "s", "tables");
  ui_settle ();
  ui_focus_window (window);
  handle = ui_find_type (window, PLUMB_TYPE_PANE_HANDLE);
  panel = ui_find_type (window, PLUMB_TYPE_PANEL);
  usual = gtk_widget_get_width (panel);
  g_assert_true (gtk_widget_grab_focus (handle));
  for (guint i = 0; i < 3; i++) {
    ui_key ("Left");
    ui_settle ();
  }
  wider = gtk_widget_get_width (panel);
  g_assert_cmpint (wider, ==, usual + 60);
  ui_screenshot (window, "wider-panel");
  /* What can't be given isn't taken: the chat keeps what it needs. */
  g_signal_emit_by_name (handle, "moved", 10.0);
  ui_settle ();
  g_assert_cmpint (gtk_widget_get_width (panel), >, wider);
  g_assert_false (adw_leaflet_get_folded (
      ADW_LEAFLET (gtk_widget_get_ancestor (panel, ADW_TYPE_LEAFLET))));
  g_signal_emit_by_name (handle, "moved", 5000.0);
  ui_settle ();
  g_assert_cmpint (gtk_widget_get_width (panel), >=, 350);
  g_assert_cmpint (gtk_widget_get_width (panel), <, usual);
  wider = gtk_widget_get_width (panel);
  ui_harness_close (window);

  window = ui_harness_window (session, 1280, 760);
  ui_settle ();
  panel = ui_find_type (window, PLUMB_TYPE_PANEL);
  g_assert_cmpint (gtk_widget_get_width (panel), ==, wider);
  ui_focus_window (window);
  g_assert_true (gtk_widget_grab_focus (ui_find_type (window, PLUMB_TYPE_PANE_HANDLE)));
  ui_key ("Home");
  ui_settle ();
  g_assert_cmpint (gtk_widget_get_width (panel), ==, usual);
  ui_harness_close (window);
}

static void
test_dark (void)
{
  g_autoptr (PlumbSession) session = ui_harness_demo_session ();
  PlumbWindow *window;

  adw_style_manager_set_color_scheme (adw_style_manager_get_default (),
                                      ADW_COLOR_SCHEME_FORCE_DARK);
  window = ui_harness_window (session, 1280, 800);
  ui_settle ();
  gtk_widget_activate_action (GTK_WIDGET (window), "win.new-conversation", NULL);
  ask_by_widget (window, "Which 5 customers have the highest total order amount?");
  gtk_widget_activate_action (GTK_WIDGET (window), "win.panel-page", "s", "sql");
  ui_screenshot (window, "dark");
  gtk_widget_activate_action (GTK_WIDGET (window), "win.panel-page", "s", "joins");
  ui_screenshot (window, "dark-joins");
  adw_style_manager_set_color_scheme (adw_style_manager_get_default (), ADW_COLOR_SCHEME_DEFAULT);
  ui_harness_close (window);
}

int
main (int argc, char **argv)
{
  ui_harness_init (&argc, &argv);
  g_test_add_func ("/window/first-run", test_first_run);
  g_test_add_func ("/window/question", test_question);
  g_test_add_func ("/window/reopened", test_reopened);
  g_test_add_func ("/window/unreadable", test_unreadable);
  g_test_add_func ("/window/stopped", test_stopped);
  g_test_add_func ("/window/long-question", test_long_question);
  g_test_add_func ("/window/draft", test_draft);
  g_test_add_func ("/window/right-to-left", test_right_to_left);
  g_test_add_func ("/window/narrow", test_narrow);
  g_test_add_func ("/window/panes", test_panes);
  g_test_add_func ("/window/dark", test_dark);
  return g_test_run ();
}
