/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

/* Single panes and dialogs with made-up turns, results and faults; nothing is left behind. */

#include "ui-harness.h"

#include "plumb-answer-view.h"
#include "plumb-candidate-panel.h"
#include "plumb-candidate-row.h"
#include "plumb-chat-view.h"
#include "plumb-history-window.h"
#include "plumb-preferences-window.h"
#include "plumb-questions-window.h"
#include "plumb-result-grid.h"
#include "plumb-result-view.h"
#include "plumb-password-dialog.h"
#include "plumb-source-dialog.h"
#include "plumb-sources-window.h"
#include "plumb-step-row.h"
#include "plumb-stored-result.h"
#include "plumb-turn-row.h"

#include <string.h>

static GtkWidget *
show_in_window (GtkWidget *child, int width, int height)
{
  GtkWidget *window = adw_window_new ();

  adw_window_set_content (ADW_WINDOW (window), child);
  gtk_window_set_default_size (GTK_WINDOW (window), width, height);
  gtk_window_present (GTK_WINDOW (window));
  ui_settle ();
  return window;
}

static void
send_step (PlumbTurnItem *item, PlumbEventKind kind, int number, const char *tool, PlumbState state,
           const char *error)
{
  PlumbTurn *turn = plumb_turn_new ("q");
  PlumbEvent *event = plumb_event_new (kind, turn);

  event->step = plumb_step_new (PLUMB_STEP_TOOL);
  event->step->number = number;
  event->step->tool = g_strdup (tool);
  event->step->state = state;
  event->step->error = g_strdup (error);
  event->step->arguments = g_strdup ("{\"database\":\"sales\",\"sql\":\"SELEC 1\"}");
  event->step->elapsed_us = 1200;
  plumb_turn_item_take_event (item, event);
  plumb_event_free (event);
  plumb_turn_free (turn);
}

static void
send_text (PlumbTurnItem *item, const char *text)
{
  PlumbTurn *turn = plumb_turn_new ("q");
  PlumbEvent *event = plumb_event_new (PLUMB_EVENT_TEXT_DELTA, turn);

  event->text = g_strdup (text);
  plumb_turn_item_take_event (item, event);
  plumb_event_free (event);
  plumb_turn_free (turn);
}

/* A turn from its first step to an answer with a number that no result holds. */
static void
test_turn (void)
{
  g_autoptr (PlumbTurnItem) item = plumb_turn_item_new ("How many?");
  GtkWidget *row = plumb_turn_row_new (item);
  GtkWidget *window = show_in_window (row, 500, 500);
  PlumbTurn *turn = plumb_turn_new ("How many?");
  PlumbAnswerNumber *number = g_new0 (PlumbAnswerNumber, 1);

  g_assert_nonnull (ui_find_label (row, "Thinking…"));
  send_step (item, PLUMB_EVENT_STEP_STARTED, 1, "run_query", PLUMB_STATE_RUNNING, NULL);
  ui_settle ();
  g_assert_nonnull (ui_find_label (row, "Ran SQL…"));
  g_assert_nonnull (ui_find_button (row, "Stop"));
  send_step (item, PLUMB_EVENT_STEP_FINISHED, 1, "run_query", PLUMB_STATE_FAILED,
             "syntax error at “SELEC”");
  send_text (item, "There are ");
  send_text (item, "**42** orders.");
  ui_settle ();
  g_assert_nonnull (ui_find_label (row, "There are 42 orders."));
  g_assert_nonnull (ui_find_label (row, "Answering…"));

  turn->state = PLUMB_STATE_DONE;
  turn->answer = g_strdup ("There are **42** orders.");
  number->start = strstr (turn->answer, "42") - turn->answer;
  number->length = 2;
  g_ptr_array_add (turn->numbers, number);
  plumb_turn_item_finish (item, turn, NULL);
  plumb_turn_row_open_trace (PLUMB_TURN_ROW (row));
  ui_settle ();
  g_assert_nonnull (ui_find_label (row, "Not found in any result: 42"));
  g_assert_nonnull (ui_find_label (row, "syntax error"));
  g_assert_cmpuint (ui_count_type (row, PLUMB_TYPE_STEP_ROW), ==, 1);
  ui_screenshot (window, "missing-number");
  plumb_turn_free (turn);
  gtk_window_destroy (GTK_WINDOW (window));
}

/* A failed turn says why, keeps the question and offers to ask again. */
static void
test_failed_turn (void)
{
  g_autoptr (PlumbTurnItem) item = plumb_turn_item_new ("How many orders?");
  g_autoptr (GError)
      error = g_error_new_literal (PLUMB_ERROR, PLUMB_ERROR_FAILED,
                                   "Nothing answers at http://localhost:11434/v1. Start the "
                                   "server, or choose another model in the preferences.");
  GtkWidget *row = plumb_turn_row_new (item);
  GtkWidget *window = show_in_window (row, 500, 300);

  plumb_turn_item_finish (item, NULL, error);
  ui_settle ();
  g_assert_nonnull (ui_find_label (row, "How many orders?"));
  g_assert_nonnull (ui_find_label (row, "Nothing answers at"));
  g_assert_nonnull (ui_find_button (row, "_Try Again"));
  ui_screenshot (window, "failed-turn");
  gtk_window_destroy (GTK_WINDOW (window));
}

static PlumbResult *
make_result (void)
{
  return plumb_stored_result_parse (
      "{\"columns\":[{\"name\":\"주문번호\"},{\"name\":\"amount\"},{\"name\":\"remark\"}],"
      "\"rows\":[[\"A-1\",12.50,null],[\"A-2\",9007199254740993,\"\"],[\"A-3\",-1,"
      "\"two\\nlines\\tand a tab\"],"
      "[\"Очень длинное значение, которое не помещается в столбец\",0,\"<b>&amp;</b>\"]]}");
}

static gboolean
is_cell (GtkWidget *widget, gconstpointer text)
{
  return GTK_IS_INSCRIPTION (widget) &&
         g_strcmp0 (gtk_inscription_get_text (GTK_INSCRIPTION (widget)), text) == 0;
}

static void
on_text_read (GObject *source, GAsyncResult *result, gpointer data)
{
  *(char **) data = gdk_clipboard_read_text_finish (GDK_CLIPBOARD (source), result, NULL);
}

static gboolean
is_set (gpointer data)
{
  return *(char **) data != NULL;
}

static char *
read_clipboard (GtkWidget *widget)
{
  char *text = NULL;

  gdk_clipboard_read_text_async (gtk_widget_get_clipboard (widget), NULL, on_text_read, &text);
  ui_wait (is_set, &text, "the clipboard");
  return text;
}

static void
test_grid (void)
{
  PlumbResult *result = make_result ();
  GtkWidget *grid = plumb_result_grid_new ();
  GtkWidget *window;
  GtkWidget *null_cell;
  g_autofree char *all = NULL;
  g_autofree char *cell = NULL;

  plumb_result_grid_set_result (PLUMB_RESULT_GRID (grid), result);
  plumb_result_unref (result);
  /* Nothing is made before the grid is seen. */
  g_assert_null (ui_find_type (grid, GTK_TYPE_COLUMN_VIEW));
  window = show_in_window (grid, 600, 300);
  g_assert_nonnull (ui_find_type (grid, GTK_TYPE_COLUMN_VIEW));
  null_cell = ui_find (grid, is_cell, "NULL");
  g_assert_nonnull (null_cell);
  g_assert_true (gtk_widget_has_css_class (null_cell, "null"));
  g_assert_nonnull (ui_find (grid, is_cell, ""));
  g_assert_nonnull (ui_find (grid, is_cell, "two⏎lines⇥and a tab"));
  g_assert_cmpfloat (
      gtk_inscription_get_xalign (GTK_INSCRIPTION (ui_find (grid, is_cell, "12.50"))), ==, 1);

  gtk_widget_activate_action (grid, "grid.copy-all", NULL);
  all = read_clipboard (grid);
  g_assert_true (
      g_str_has_prefix (all, "주문번호\tamount\tremark\nA-1\t12.50\t\nA-2\t9007199254740993\t\n"));
  gtk_widget_grab_focus (ui_find (grid, is_cell, "9007199254740993"));
  gtk_widget_activate_action (grid, "grid.copy", NULL);
  cell = read_clipboard (grid);
  g_assert_cmpstr (cell, ==, "9007199254740993");
  ui_screenshot (window, "grid");
  gtk_window_destroy (GTK_WINDOW (window));
}

static PlumbCandidate *
make_candidate (const char *name, const char *purpose)
{
  g_autoptr (PlumbCard) card = plumb_card_new ("sales", "main", name);

  card->purpose = g_strdup (purpose);
  card->analyzed_at = 1;
  card->selectable = TRUE;
  return plumb_candidate_new (card, 1);
}

/* Long names give way, hidden tables can't be opened, copies stand below their live table. */
static void
test_candidates (void)
{
  g_autoptr (PlumbCandidates) candidates = plumb_candidates_new ();
  PlumbCandidate *candidate = make_candidate (
      "A_TABLE_WITH_A_VERY_LONG_NAME_THAT_NO_PANEL_HAS_ROOM_FOR_2026_FINAL",
      "Заказы покупателей с подробностями о доставке и оплате");
  const char *copies[] = { "main.COPY_1", "main.\"odd name\"", NULL };
  PlumbNote *note = plumb_note_new ("sales", "main", "x",
                                    "2023년부터 쓰지 않음. ORD_MST를 쓰세요.");
  GtkWidget *panel = plumb_candidate_panel_new ();
  GtkWidget *window, *list, *row;

  candidate->copies = g_strdupv ((GStrv) copies);
  g_ptr_array_add (candidate->notes, note);
  g_ptr_array_add (candidates->candidates, candidate);
  g_ptr_array_add (candidates->no_permission, g_strdup ("sales.main.SALARY"));
  plumb_candidate_panel_set_candidates (PLUMB_CANDIDATE_PANEL (panel), candidates);
  window = show_in_window (panel, 360, 420);
  g_assert_cmpint (gtk_widget_get_width (window), <=, 380);
  list = gtk_widget_get_parent (ui_find_type (panel, PLUMB_TYPE_CANDIDATE_ROW));
  row = GTK_WIDGET (gtk_list_box_get_row_at_index (GTK_LIST_BOX (list), 2));
  g_assert_cmpstr (plumb_candidate_row_get_table (PLUMB_CANDIDATE_ROW (row)), ==,
                   "sales.main.\"odd name\"");
  row = GTK_WIDGET (gtk_list_box_get_row_at_index (GTK_LIST_BOX (list), 3));
  g_assert_cmpstr (plumb_candidate_row_get_mark (PLUMB_CANDIDATE_ROW (row)), ==, "No permission");
  g_assert_false (gtk_list_box_row_get_activatable (GTK_LIST_BOX_ROW (row)));
  ui_screenshot (window, "candidates-long");
  plumb_candidate_panel_set_candidates (PLUMB_CANDIDATE_PANEL (panel), NULL);
  gtk_window_destroy (GTK_WINDOW (window));
}

static gboolean
shows_error (gpointer window)
{
  GtkWidget *error = ui_find (window, (UiMatch) gtk_widget_has_css_class, "turn-error");

  return error != NULL && gtk_widget_get_visible (error);
}

static gboolean
is_row (GtkWidget *widget, gconstpointer title)
{
  return ADW_IS_PREFERENCES_ROW (widget) &&
         g_str_has_prefix (adw_preferences_row_get_title (ADW_PREFERENCES_ROW (widget)), title);
}

static GtkWidget *
find_row (gpointer window, const char *title)
{
  GtkWidget *row = ui_find (window, is_row, title);

  g_assert_nonnull (row);
  return row;
}

static gboolean
shows_probe (gpointer window)
{
  return ui_find_label (window, "What Was Found") != NULL;
}

/* Wrong files and addresses: said in the dialog, and nothing that was typed is lost. */
static void
test_source_dialog (void)
{
  g_autoptr (PlumbSession) session = ui_harness_demo_session ();
  GtkWidget *dialog = plumb_source_dialog_new (session);
  g_autofree char *file = ui_harness_data_path ("plumbline/demo/sales.sqlite");
  GtkWidget *row;

  gtk_window_present (GTK_WINDOW (dialog));
  ui_settle ();
  ui_screenshot (dialog, "source-dialog");
  row = find_row (dialog, "File");
  gtk_editable_set_text (GTK_EDITABLE (row), "/etc/hostname");
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (find_row (dialog, "Name"))), ==,
                   "hostname");
  ui_click (ui_find_button (dialog, "_Test the Connection"));
  ui_wait (shows_error, dialog, "an error on a file that is no database");
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (row)), ==, "/etc/hostname");
  ui_screenshot (dialog, "source-dialog-error");

  gtk_editable_set_text (GTK_EDITABLE (row), file);
  g_assert_false (shows_error (dialog));
  ui_click (ui_find_button (dialog, "_Test the Connection"));
  ui_wait (shows_probe, dialog, "what was found of a real database");
  g_assert_nonnull (ui_find_label (dialog, "SQLite 3."));
  ui_screenshot (dialog, "source-dialog-found");
  gtk_window_destroy (GTK_WINDOW (dialog));
  ui_settle ();
  g_assert_finalize_object (g_steal_pointer (&session));
}

static gboolean
lists_sources (gpointer window)
{
  return ui_find_label (window, "billing") != NULL;
}

static gboolean
shows_place (gpointer window)
{
  return ui_find_label (window, "main.ORD_MST: place 1") != NULL;
}

static gboolean
misses_table (gpointer window)
{
  return ui_find_label (window, "NO_SUCH_TABLE") != NULL;
}

static gboolean
shows_none (gpointer window)
{
  return !shows_place (window) && ui_find_label (window, "Write down questions") != NULL;
}

static gboolean
is_entry (GtkWidget *widget, gconstpointer title)
{
  return ADW_IS_ENTRY_ROW (widget) &&
         g_str_equal (adw_preferences_row_get_title (ADW_PREFERENCES_ROW (widget)), title);
}

/* A question is written down, search is run on it at once, and what was typed stays on a mistake. */
static void
test_questions (void)
{
  g_autoptr (PlumbSession) session = ui_harness_demo_session ();
  GtkWidget *window = plumb_questions_window_new (session);
  GtkWidget *question, *tables;

  gtk_window_present (GTK_WINDOW (window));
  ui_wait (shows_none, window, "the empty list");
  ui_screenshot (window, "questions-empty");
  question = ui_find (window, is_entry, "Question");
  tables = ui_find (window, is_entry, "Tables That Answer It, with Commas Between");
  gtk_editable_set_text (GTK_EDITABLE (question), "How many orders are unprocessed?");
  gtk_editable_set_text (GTK_EDITABLE (tables), "NO_SUCH_TABLE");
  ui_click (ui_find_button (window, "_Add"));
  ui_wait (misses_table, window, "the error");
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (question)), ==, "How many orders are unprocessed?");
  gtk_editable_set_text (GTK_EDITABLE (tables), "sales.main.ORD_MST");
  ui_click (ui_find_button (window, "_Add"));
  ui_wait (shows_place, window, "the question with its place");
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (question)), ==, "");
  ui_screenshot (window, "questions");
  ui_click (ui_find_button (window, "Remove this question"));
  ui_wait (shows_none, window, "the question to go");
  gtk_window_destroy (GTK_WINDOW (window));
  ui_settle ();
}

static void
test_sources (void)
{
  g_autoptr (PlumbSession) session = ui_harness_demo_session ();
  GtkWidget *window = plumb_sources_window_new (session);

  gtk_window_present (GTK_WINDOW (window));
  ui_wait (lists_sources, window, "the list of databases");
  g_assert_nonnull (ui_find_label (window, "crm"));
  g_assert_nonnull (ui_find_label (window, "sales"));
  ui_screenshot (window, "sources");
  gtk_window_destroy (GTK_WINDOW (window));
}

/* The place of a kind in the list of the dialog. */
static void
choose_kind (gpointer dialog, const char *name)
{
  AdwComboRow *row = ADW_COMBO_ROW (find_row (dialog, "Kind"));
  GListModel *kinds = adw_combo_row_get_model (row);

  for (guint i = 0; i < g_list_model_get_n_items (kinds); i++) {
    g_autoptr (GtkStringObject) kind = g_list_model_get_item (kinds, i);

    if (g_str_equal (gtk_string_object_get_string (kind), name)) {
      adw_combo_row_set_selected (row, i);
      return;
    }
  }
  g_assert_not_reached ();
}

/* ODBC: a data source that isn't here is said, with what is. */
static void
test_odbc_dialog (void)
{
  g_autoptr (PlumbSession) session = ui_harness_demo_session ();
  GtkWidget *dialog = plumb_source_dialog_new (session);
  GtkWidget *error;

  gtk_window_present (GTK_WINDOW (dialog));
  choose_kind (dialog, "ODBC");
  ui_settle ();
  gtk_editable_set_text (GTK_EDITABLE (find_row (dialog, "Data Source")), "not_here");
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (find_row (dialog, "Name"))), ==,
                   "not_here");
  ui_click (ui_find_button (dialog, "_Test the Connection"));
  ui_wait (shows_error, dialog, "an error on a data source that isn't here");
  error = ui_find (dialog, (UiMatch) gtk_widget_has_css_class, "turn-error");
  g_assert_nonnull (strstr (gtk_label_get_text (GTK_LABEL (error)), "ODBC") ?:
                    strstr (gtk_label_get_text (GTK_LABEL (error)), "Drivers:"));
  ui_screenshot (dialog, "source-dialog-odbc");
  gtk_window_destroy (GTK_WINDOW (dialog));
}

static void
on_stored (GtkWidget *dialog, const char *warning, gboolean *stored)
{
  *stored = TRUE;
}

static gboolean
is_true (gpointer flag)
{
  return *(gboolean *) flag;
}

/* What the server said stands there; a password that doesn't work is said and stays typed. */
static void
test_password_dialog (void)
{
  g_autoptr (PlumbSession) session = ui_harness_demo_session ();
  GtkWidget *gone = plumb_password_dialog_new (session, "nothing_here", NULL);
  GtkWidget *dialog = plumb_password_dialog_new (session, "sales", "It said no.");
  GtkWidget *row = find_row (gone, "Password");
  gboolean stored = FALSE;

  gtk_window_present (GTK_WINDOW (gone));
  ui_settle ();
  g_assert_false (shows_error (gone));
  g_assert_false (gtk_widget_get_sensitive (ui_find_button (gone, "_Save")));
  gtk_editable_set_text (GTK_EDITABLE (row), "geheim");
  ui_click (ui_find_button (gone, "_Save"));
  ui_wait (shows_error, gone, "an error on a database that isn't there");
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (row)), ==, "geheim");
  gtk_window_destroy (GTK_WINDOW (gone));

  g_signal_connect (dialog, "stored", G_CALLBACK (on_stored), &stored);
  gtk_window_present (GTK_WINDOW (dialog));
  ui_settle ();
  g_assert_nonnull (ui_find_label (dialog, "It said no."));
  ui_screenshot (dialog, "password-dialog");
  gtk_editable_set_text (GTK_EDITABLE (find_row (dialog, "Password")), "geheim");
  ui_click (ui_find_button (dialog, "_Save"));
  ui_wait (is_true, &stored, "the password to be taken");
}

static gboolean
is_ready (gpointer window)
{
  return ui_find_button (window, "_Use This") != NULL;
}

static gboolean
shows_status (gpointer window)
{
  GtkWidget *label = ui_find (window, (UiMatch) gtk_widget_has_css_class, "error");

  return label != NULL && GTK_IS_LABEL (label) && gtk_widget_get_visible (label);
}

/* A model server that isn't there. */
static void
test_preferences (void)
{
  g_autoptr (PlumbSession) session = ui_harness_session ();
  GtkWidget *window = plumb_preferences_window_new (session, NULL);
  GtkWidget *check;

  gtk_window_present (GTK_WINDOW (window));
  ui_wait (is_ready, window, "the preferences");
  ui_settle ();
  ui_screenshot (window, "preferences");
  check = ui_find_type (find_row (window, "A language model"), GTK_TYPE_CHECK_BUTTON);
  g_assert_false (gtk_widget_get_mapped (find_row (window, "Address")));
  gtk_check_button_set_active (GTK_CHECK_BUTTON (check), TRUE);
  ui_settle ();
  g_assert_true (gtk_widget_get_mapped (find_row (window, "Address")));
  gtk_editable_set_text (GTK_EDITABLE (find_row (window, "Address")), "http://127.0.0.1:9/v1");
  ui_click (ui_find_button (window, "_Test"));
  ui_wait (shows_status, window, "that nothing answers");
  ui_screenshot (window, "preferences-error");
  gtk_window_destroy (GTK_WINDOW (window));
}

static void
test_history (void)
{
  g_autoptr (PlumbSession) session = ui_harness_session ();
  GtkWidget *window = plumb_history_window_new (session);

  gtk_window_present (GTK_WINDOW (window));
  ui_screenshot (window, "history");
  gtk_window_destroy (GTK_WINDOW (window));
}

/* An index that can't be opened is a page that says what to do. */
static void
test_index_error (void)
{
  g_autoptr (GError) error = g_error_new_literal (
      PLUMB_ERROR, PLUMB_ERROR_FAILED,
      "The index was written by a newer version of Plumbline & can't be "
      "read by this one. Install the newer version, or start with another "
      "index: plumbline --index FILE.");
  PlumbWindow *window = ui_harness_window (NULL, 800, 600);

  plumb_window_show_error (window, "/home/kim/.local/share/plumbline/index.sqlite", error);
  ui_settle ();
  g_assert_nonnull (ui_find_label (window, "newer version of Plumbline &"));
  g_assert_nonnull (ui_find_button (window, "_Try Again"));
  ui_screenshot (window, "index-error");
  ui_harness_close (window);
}

/* It is there and reads; it isn't shown, since GTK itself warns of a label of its shortcuts
 * window. */
static void
test_shortcuts (void)
{
  PlumbWindow *window = ui_harness_window (NULL, 800, 600);
  GtkApplicationWindow *owner = GTK_APPLICATION_WINDOW (window);
  GtkApplication *application = GTK_APPLICATION (ui_harness_application ());
  g_auto (GStrv) ask = gtk_application_get_accels_for_action (application, "win.focus-question");
  g_auto (GStrv) sql = gtk_application_get_accels_for_action (application, "win.panel-page::sql");

  g_assert_nonnull (gtk_application_window_get_help_overlay (owner));
  g_assert_cmpstr (ask[0], ==, "<Control>l");
  g_assert_cmpstr (sql[0], ==, "<Alt>4");
  ui_harness_close (window);
}

static void
check_names (GtkWidget *root)
{
  if (GTK_IS_BUTTON (root) && gtk_button_get_icon_name (GTK_BUTTON (root)) != NULL &&
      gtk_widget_get_tooltip_text (root) != NULL)
    gtk_test_accessible_assert_property (root, GTK_ACCESSIBLE_PROPERTY_LABEL,
                                         gtk_widget_get_tooltip_text (root));
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    check_names (child);
}

/* Every button that is an icon alone has a name for those who don't see it. */
static void
test_names (void)
{
  PlumbWindow *window = ui_harness_window (NULL, 800, 600);

  check_names (GTK_WIDGET (window));
  ui_harness_close (window);
}

/* Closed, a window and all its panes are gone. */
static void
test_leaks (void)
{
  PlumbSession *session = ui_harness_demo_session ();
  PlumbWindow *window = ui_harness_window (session, 1000, 700);
  gpointer chat = plumb_window_get_chat (window);
  GtkWidget *panel = ui_find_type (window, PLUMB_TYPE_CANDIDATE_PANEL);

  ui_settle ();
  g_object_add_weak_pointer (G_OBJECT (window), (gpointer *) &window);
  g_object_add_weak_pointer (G_OBJECT (chat), &chat);
  g_object_add_weak_pointer (G_OBJECT (panel), (gpointer *) &panel);
  ui_harness_close (window);
  ui_settle ();
  g_assert_null (window);
  g_assert_null (chat);
  g_assert_null (panel);
  g_assert_finalize_object (session);
}

int
main (int argc, char **argv)
{
  ui_harness_init (&argc, &argv);
  ui_harness_application ();
  g_test_add_func ("/panes/turn", test_turn);
  g_test_add_func ("/panes/failed-turn", test_failed_turn);
  g_test_add_func ("/panes/grid", test_grid);
  g_test_add_func ("/panes/candidates", test_candidates);
  g_test_add_func ("/panes/source-dialog", test_source_dialog);
  g_test_add_func ("/panes/odbc-dialog", test_odbc_dialog);
  g_test_add_func ("/panes/password-dialog", test_password_dialog);
  g_test_add_func ("/panes/sources", test_sources);
  g_test_add_func ("/panes/questions", test_questions);
  g_test_add_func ("/panes/preferences", test_preferences);
  g_test_add_func ("/panes/history", test_history);
  g_test_add_func ("/panes/index-error", test_index_error);
  g_test_add_func ("/panes/shortcuts", test_shortcuts);
  g_test_add_func ("/panes/names", test_names);
  g_test_add_func ("/panes/leaks", test_leaks);
  return g_test_run ();
}
