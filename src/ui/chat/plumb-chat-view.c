/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-chat-view.h"

#include "plumb-accessible.h"
#include "plumb-pane-layout.h"
#include "plumb-question-entry.h"
#include "plumb-turn-row.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>

/* How near the end, in pixels, counts as reading the end: then new text keeps it in view. */
#define END_SLACK 40

struct _PlumbChatView {
  GtkWidget parent_instance;

  PlumbSession *session;
  gint64 conversation_id;
  PlumbTurnItem *current;
  GCancellable *asking;
  GCancellable *loading;
  gboolean at_end;
  guint follow_tick;

  GtkWidget *content;
  GtkStack *stack;
  AdwStatusPage *empty_page;
  GtkListBox *examples;
  GtkSpinner *loading_spinner;
  AdwStatusPage *failed_page;
  GtkScrolledWindow *scrolled;
  GtkBox *turns;
  PlumbQuestionEntry *entry;
};

enum {
  SHOW_PAGE,
  CURRENT_TURN,
  STORED,
  DRAFT_CHANGED,
  N_SIGNALS,
};

enum {
  PROP_0,
  PROP_BUSY,
  N_PROPERTIES,
};

static guint signals[N_SIGNALS];
static GParamSpec *properties[N_PROPERTIES];

G_DEFINE_FINAL_TYPE (PlumbChatView, plumb_chat_view, GTK_TYPE_WIDGET)

/* A question on its way. It keeps the view alive until the turn is really over, and the program
 * too, so that closing the window still stops the statement at the server. */
typedef struct {
  PlumbChatView *view;
  PlumbTurnItem *item;
  GApplication *application;
} AskCall;

static AskCall *
ask_call_new (PlumbChatView *view, PlumbTurnItem *item)
{
  AskCall *call = g_new0 (AskCall, 1);

  call->view = g_object_ref (view);
  call->item = g_object_ref (item);
  call->application = g_application_get_default ();
  if (call->application != NULL)
    g_application_hold (call->application);
  return call;
}

static void
ask_call_free (AskCall *call)
{
  if (call->application != NULL)
    g_application_release (call->application);
  g_object_unref (call->item);
  g_object_unref (call->view);
  g_free (call);
}

static void
set_busy (PlumbChatView *self, gboolean busy)
{
  if (self->entry != NULL)
    plumb_question_entry_set_busy (self->entry, busy);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_BUSY]);
}

static void
set_current (PlumbChatView *self, PlumbTurnItem *item)
{
  if (g_set_object (&self->current, item))
    g_signal_emit (self, signals[CURRENT_TURN], 0, item);
}

static void
on_row_show_page (PlumbTurnRow *row, const char *page, int place, PlumbChatView *self)
{
  set_current (self, plumb_turn_row_get_item (row));
  g_signal_emit (self, signals[SHOW_PAGE], 0, page, place);
}

static void
on_row_retry (PlumbTurnRow *row, PlumbChatView *self)
{
  plumb_chat_view_ask (self, plumb_turn_item_get_question (plumb_turn_row_get_item (row)));
}

static void
append_turn (PlumbChatView *self, PlumbTurnItem *item)
{
  GtkWidget *row = plumb_turn_row_new (item);

  g_signal_connect_object (row, "show-page", G_CALLBACK (on_row_show_page), self, 0);
  g_signal_connect_object (row, "retry", G_CALLBACK (on_row_retry), self, 0);
  gtk_box_append (self->turns, row);
  gtk_stack_set_visible_child_name (self->stack, "turns");
}

static void
scroll_to_end (PlumbChatView *self)
{
  GtkAdjustment *adjustment = gtk_scrolled_window_get_vadjustment (self->scrolled);

  gtk_adjustment_set_value (adjustment, gtk_adjustment_get_upper (adjustment));
}

static gboolean
follow_end (GtkWidget *widget, GdkFrameClock *clock, gpointer user_data)
{
  PlumbChatView *self = PLUMB_CHAT_VIEW (widget);

  self->follow_tick = 0;
  scroll_to_end (self);
  return G_SOURCE_REMOVE;
}

/* The end stays in view while text comes in, unless the reader went back. This is told in the
 * middle of the layout, where a scroll would be seen only after the next change; so it waits for
 * the next frame. */
static void
on_content_changed (PlumbChatView *self)
{
  if (self->at_end && self->follow_tick == 0)
    self->follow_tick = gtk_widget_add_tick_callback (GTK_WIDGET (self), follow_end, NULL, NULL);
}

static void
on_scrolled (GtkAdjustment *adjustment, PlumbChatView *self)
{
  double end = gtk_adjustment_get_upper (adjustment) - gtk_adjustment_get_page_size (adjustment);

  self->at_end = gtk_adjustment_get_value (adjustment) >= end - END_SLACK;
}

static void
on_event (const PlumbEvent *event, gpointer user_data)
{
  AskCall *call = user_data;

  if (call->view->conversation_id == 0 && event->turn != NULL &&
      event->turn->conversation_id != 0) {
    call->view->conversation_id = event->turn->conversation_id;
    g_signal_emit (call->view, signals[STORED], 0);
  }
  plumb_turn_item_take_event (call->item, event);
}

static void
on_answered (GObject *source, GAsyncResult *result, gpointer user_data)
{
  AskCall *call = user_data;
  PlumbChatView *self = call->view;
  g_autoptr (GError) error = NULL;
  g_autoptr (PlumbTurn) turn = plumb_session_ask_finish (PLUMB_SESSION (source), result, &error);

  if (turn != NULL && self->conversation_id == 0)
    self->conversation_id = turn->conversation_id;
  plumb_turn_item_finish (call->item, turn, error);
  g_clear_object (&self->asking);
  set_busy (self, FALSE);
  g_signal_emit (self, signals[STORED], 0);
  ask_call_free (call);
}

/**
 * plumb_chat_view_ask:
 * @self: the view
 * @question: the question
 *
 * Asks @question in this conversation. Does nothing while another question runs.
 */
void
plumb_chat_view_ask (PlumbChatView *self, const char *question)
{
  PlumbAskRequest request = { self->conversation_id, question, NULL };
  g_autoptr (PlumbTurnItem) item = NULL;
  AskCall *call;

  if (self->asking != NULL)
    return;
  item = plumb_turn_item_new (question);
  call = ask_call_new (self, item);
  self->asking = g_cancellable_new ();
  self->at_end = TRUE;
  append_turn (self, item);
  set_current (self, item);
  set_busy (self, TRUE);
  plumb_session_ask_async (self->session, &request, on_event, call, self->asking, on_answered,
                           call);
}

static void
on_send (PlumbChatView *self, const char *question)
{
  if (self->asking != NULL || self->loading != NULL)
    return;
  plumb_chat_view_ask (self, question);
  plumb_question_entry_set_text (self->entry, "");
}

static void
on_example_activated (GtkListBox *box, GtkListBoxRow *row, PlumbChatView *self)
{
  plumb_chat_view_ask (self, adw_preferences_row_get_title (ADW_PREFERENCES_ROW (row)));
  plumb_chat_view_take_focus (self);
}

/** plumb_chat_view_stop: stops the question that runs; its turn ends as stopped */
void
plumb_chat_view_stop (PlumbChatView *self)
{
  if (self->asking != NULL)
    g_cancellable_cancel (self->asking);
}

static gpointer
list_turns (PlumbSession *session, gpointer data, GCancellable *cancellable, GError **error)
{
  return plumb_session_list_turns (session, *(gint64 *) data, error);
}

static void
on_loaded (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (PlumbChatView) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) turns = plumb_session_run_finish (PLUMB_SESSION (source), result, &error);
  g_autoptr (PlumbTurnItem) item = NULL;

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  g_clear_object (&self->loading);
  gtk_spinner_set_spinning (self->loading_spinner, FALSE);
  if (turns == NULL) {
    adw_status_page_set_description (self->failed_page, error->message);
    gtk_stack_set_visible_child_name (self->stack, "failed");
    return;
  }
  gtk_stack_set_visible_child_name (self->stack, "empty");
  for (guint i = 0; i < turns->len; i++) {
    g_clear_object (&item);
    item = plumb_turn_item_new_from_turn (g_ptr_array_index (turns, i));
    append_turn (self, item);
  }
  if (item != NULL)
    set_current (self, item);
}

/** plumb_chat_view_load: shows the conversation @conversation_id of the index */
void
plumb_chat_view_load (PlumbChatView *self, gint64 conversation_id)
{
  self->conversation_id = conversation_id;
  self->at_end = TRUE;
  if (self->loading != NULL)
    g_cancellable_cancel (self->loading);
  g_clear_object (&self->loading);
  self->loading = g_cancellable_new ();
  gtk_stack_set_visible_child_name (self->stack, "loading");
  gtk_spinner_set_spinning (self->loading_spinner, TRUE);
  plumb_session_run_async (
      self->session, list_turns, g_memdup2 (&conversation_id, sizeof conversation_id), g_free,
      (GDestroyNotify) g_ptr_array_unref, self->loading, on_loaded, g_object_ref (self));
}

static void
on_reload (PlumbChatView *self)
{
  plumb_chat_view_load (self, self->conversation_id);
}

static void
plumb_chat_view_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  if (id == PROP_BUSY)
    g_value_set_boolean (value, plumb_chat_view_get_busy (PLUMB_CHAT_VIEW (object)));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
plumb_chat_view_dispose (GObject *object)
{
  PlumbChatView *self = PLUMB_CHAT_VIEW (object);

  if (self->loading != NULL)
    g_cancellable_cancel (self->loading);
  g_clear_object (&self->loading);
  g_clear_object (&self->asking);
  g_clear_object (&self->current);
  g_clear_object (&self->session);
  gtk_widget_dispose_template (GTK_WIDGET (self), PLUMB_TYPE_CHAT_VIEW);
  G_OBJECT_CLASS (plumb_chat_view_parent_class)->dispose (object);
}

static void
on_draft_changed (PlumbChatView *self)
{
  g_signal_emit (self, signals[DRAFT_CHANGED], 0);
}

static void
add_signals (void)
{
  signals[SHOW_PAGE] = g_signal_new ("show-page", PLUMB_TYPE_CHAT_VIEW, G_SIGNAL_RUN_LAST, 0, NULL,
                                     NULL, NULL, G_TYPE_NONE, 2, G_TYPE_STRING, G_TYPE_INT);
  signals[CURRENT_TURN] = g_signal_new ("current-turn", PLUMB_TYPE_CHAT_VIEW, G_SIGNAL_RUN_LAST, 0,
                                        NULL, NULL, NULL, G_TYPE_NONE, 1, PLUMB_TYPE_TURN_ITEM);
  signals[STORED] = g_signal_new ("stored", PLUMB_TYPE_CHAT_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                  NULL, G_TYPE_NONE, 0);
  signals[DRAFT_CHANGED] = g_signal_new ("draft-changed", PLUMB_TYPE_CHAT_VIEW, G_SIGNAL_RUN_LAST, 0,
                                         NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
plumb_chat_view_class_init (PlumbChatViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = plumb_chat_view_dispose;
  G_OBJECT_CLASS (klass)->get_property = plumb_chat_view_get_property;

  properties[PROP_BUSY] = g_param_spec_boolean ("busy", NULL, NULL, FALSE,
                                                G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (G_OBJECT_CLASS (klass), N_PROPERTIES, properties);
  add_signals ();

  g_type_ensure (PLUMB_TYPE_QUESTION_ENTRY);
  g_type_ensure (PLUMB_TYPE_PANE_LAYOUT);
  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/plumbline/Plumbline/ui/plumb-chat-view.ui");
  gtk_widget_class_bind_template_child (widget_class, PlumbChatView, content);
  gtk_widget_class_bind_template_child (widget_class, PlumbChatView, stack);
  gtk_widget_class_bind_template_child (widget_class, PlumbChatView, empty_page);
  gtk_widget_class_bind_template_child (widget_class, PlumbChatView, examples);
  gtk_widget_class_bind_template_child (widget_class, PlumbChatView, loading_spinner);
  gtk_widget_class_bind_template_child (widget_class, PlumbChatView, failed_page);
  gtk_widget_class_bind_template_child (widget_class, PlumbChatView, scrolled);
  gtk_widget_class_bind_template_child (widget_class, PlumbChatView, turns);
  gtk_widget_class_bind_template_child (widget_class, PlumbChatView, entry);
  gtk_widget_class_bind_template_callback (widget_class, on_send);
  gtk_widget_class_bind_template_callback (widget_class, on_reload);
  gtk_widget_class_bind_template_callback (widget_class, on_example_activated);
}

static void
plumb_chat_view_init (PlumbChatView *self)
{
  GtkAdjustment *adjustment;

  gtk_widget_init_template (GTK_WIDGET (self));
  plumb_accessible_name_buttons (GTK_WIDGET (self));
  adjustment = gtk_scrolled_window_get_vadjustment (self->scrolled);
  g_signal_connect_swapped (self->entry, "changed", G_CALLBACK (on_draft_changed), self);
  g_signal_connect_swapped (adjustment, "notify::upper", G_CALLBACK (on_content_changed), self);
  g_signal_connect_swapped (adjustment, "notify::page-size", G_CALLBACK (on_content_changed), self);
  g_signal_connect (adjustment, "value-changed", G_CALLBACK (on_scrolled), self);
  self->at_end = TRUE;
}

/** plumb_chat_view_new: Returns: a new conversation */
GtkWidget *
plumb_chat_view_new (PlumbSession *session)
{
  PlumbChatView *self = g_object_new (PLUMB_TYPE_CHAT_VIEW, NULL);

  self->session = g_object_ref (session);
  return GTK_WIDGET (self);
}

/** plumb_chat_view_get_conversation: Returns: its number in the index, 0 for one not stored yet */
gint64
plumb_chat_view_get_conversation (PlumbChatView *self)
{
  return self->conversation_id;
}

/** plumb_chat_view_get_busy: Returns: whether a question runs */
gboolean
plumb_chat_view_get_busy (PlumbChatView *self)
{
  return self->asking != NULL;
}

/** plumb_chat_view_get_current: Returns: (transfer none) (nullable): the turn that the panel
 *  shows */
PlumbTurnItem *
plumb_chat_view_get_current (PlumbChatView *self)
{
  return self->current;
}

/** plumb_chat_view_get_draft: Returns: (transfer full): what was typed and not asked yet */
char *
plumb_chat_view_get_draft (PlumbChatView *self)
{
  return plumb_question_entry_get_text (self->entry);
}

/** plumb_chat_view_set_draft: puts @text in the entry */
void
plumb_chat_view_set_draft (PlumbChatView *self, const char *text)
{
  plumb_question_entry_set_text (self->entry, text);
}

/** plumb_chat_view_set_examples: offers @questions while the conversation is empty */
void
plumb_chat_view_set_examples (PlumbChatView *self, const char *const *questions)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self->examples))) != NULL)
    gtk_list_box_remove (self->examples, child);
  for (guint i = 0; questions != NULL && questions[i] != NULL; i++) {
    GtkWidget *row = adw_action_row_new ();

    adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
    adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), questions[i]);
    gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), TRUE);
    adw_action_row_add_suffix (ADW_ACTION_ROW (row),
                               gtk_image_new_from_icon_name ("go-next-symbolic"));
    gtk_list_box_append (self->examples, row);
  }
  gtk_widget_set_visible (GTK_WIDGET (self->examples), questions != NULL && questions[0] != NULL);
}

/** plumb_chat_view_take_focus: puts the cursor in the entry */
void
plumb_chat_view_take_focus (PlumbChatView *self)
{
  plumb_question_entry_take_focus (self->entry);
}
