/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-turn-row.h"

#include "plumb-accessible.h"
#include "plumb-answer-view.h"
#include "plumb-step-row.h"
#include "plumb-text.h"
#include "plumb-wording.h"

#include <glib/gi18n-lib.h>

/* Bytes of a question that the chat spells out. */
#define QUESTION_BYTES 1200

struct _PlumbTurnRow {
  AdwBin parent_instance;

  PlumbTurnItem *item;
  guint tick;

  GtkWidget *content;
  GtkLabel *question;
  GtkToggleButton *trace_button;
  GtkSpinner *spinner;
  GtkImage *state_icon;
  GtkLabel *trace_label;
  GtkImage *trace_arrow;
  GtkWidget *stop_button;
  GtkRevealer *trace_revealer;
  GtkListBox *steps;
  PlumbAnswerView *answer;
  GtkLabel *missing_label;
  GtkWidget *error_box;
  GtkLabel *error_label;
  GtkWidget *actions;
  GtkWidget *retry_button;
  GtkWidget *tables_button;
  AdwButtonContent *tables_content;
  GtkWidget *sql_button;
  GtkWidget *copy_button;
};

enum {
  SHOW_PAGE,
  RETRY,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (PlumbTurnRow, plumb_turn_row, ADW_TYPE_BIN)

static GtkWidget *
create_step_row (gpointer item, gpointer user_data)
{
  return plumb_step_row_new (item);
}

static void
on_step_activated (GtkListBox *box, GtkListBoxRow *row, PlumbTurnRow *self)
{
  plumb_step_row_toggle (PLUMB_STEP_ROW (row));
}

static void
on_trace_toggled (PlumbTurnRow *self)
{
  gboolean open = gtk_toggle_button_get_active (self->trace_button);

  /* Rows are made when the trace is first opened: a long conversation has very many. */
  if (open && gtk_widget_get_first_child (GTK_WIDGET (self->steps)) == NULL)
    gtk_list_box_bind_model (self->steps, plumb_turn_item_get_steps (self->item), create_step_row,
                             NULL, NULL);
  gtk_revealer_set_reveal_child (self->trace_revealer, open);
  gtk_image_set_from_icon_name (self->trace_arrow, open ? "pan-down-symbolic" : "pan-end-symbolic");
  gtk_accessible_update_state (GTK_ACCESSIBLE (self->trace_button), GTK_ACCESSIBLE_STATE_EXPANDED,
                               open, -1);
}

/* The place of the statement in the turn's list, by its audit record or its step. */
static int
find_execution (PlumbTurnRow *self, gint64 audit_id, int step_number)
{
  GListModel *executions = plumb_turn_item_get_executions (self->item);

  for (guint i = 0; i < g_list_model_get_n_items (executions); i++) {
    g_autoptr (PlumbExecution) execution = g_list_model_get_item (executions, i);

    if ((audit_id != 0 && plumb_execution_get_audit_id (execution) == audit_id) ||
        (audit_id == 0 && step_number != 0 &&
         plumb_execution_get_step_number (execution) == step_number))
      return i;
  }
  return -1;
}

static void
on_statement_activated (PlumbAnswerView *view, gint64 audit_id, int step_number, PlumbTurnRow *self)
{
  g_signal_emit (self, signals[SHOW_PAGE], 0, "sql", find_execution (self, audit_id, step_number));
}

static void
on_show_tables (PlumbTurnRow *self)
{
  g_signal_emit (self, signals[SHOW_PAGE], 0, "tables", -1);
}

static void
on_show_sql (PlumbTurnRow *self)
{
  g_signal_emit (self, signals[SHOW_PAGE], 0, "sql", -1);
}

static void
on_retry (PlumbTurnRow *self)
{
  g_signal_emit (self, signals[RETRY], 0);
}

static void
on_copy (PlumbTurnRow *self)
{
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)),
                          plumb_turn_item_get_answer (self->item));
}

/* Numbers of the answer that stand in no result, by name. */
static void
update_missing (PlumbTurnRow *self)
{
  GPtrArray *numbers = plumb_turn_item_get_numbers (self->item);
  const char *answer = plumb_turn_item_get_answer (self->item);
  gsize length = strlen (answer);
  g_autoptr (GPtrArray) missing = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *names = NULL;
  g_autofree char *text = NULL;

  for (guint i = 0; i < numbers->len; i++) {
    const PlumbAnswerNumber *number = g_ptr_array_index (numbers, i);

    if (!number->found && number->start + number->length <= length)
      g_ptr_array_add (missing, g_strndup (answer + number->start, number->length));
  }
  gtk_widget_set_visible (GTK_WIDGET (self->missing_label), missing->len > 0);
  if (missing->len == 0)
    return;
  g_ptr_array_add (missing, NULL);
  names = plumb_wording_names ((const char *const *) missing->pdata, 6);
  text = g_strdup_printf (_("⚠ Not found in any result: %s"), names);
  gtk_label_set_text (self->missing_label, text);
}

static char *
describe_trace (PlumbTurnRow *self)
{
  PlumbState state = plumb_turn_item_get_state (self->item);
  guint n = g_list_model_get_n_items (plumb_turn_item_get_steps (self->item));
  g_autofree char *steps = g_strdup_printf (ngettext ("%u step", "%u steps", n), n);
  g_autofree char *elapsed = plumb_wording_elapsed (plumb_turn_item_get_elapsed (self->item));
  const char *model = plumb_turn_item_get_model (self->item);

  if (state == PLUMB_STATE_RUNNING)
    return plumb_turn_item_get_doing (self->item);
  if (state == PLUMB_STATE_CANCELLED)
    return g_strdup_printf (ngettext ("Stopped after %u step", "Stopped after %u steps", n), n);
  if (model != NULL)
    return g_strdup_printf ("%s · %s · %s", steps, elapsed, plumb_wording_model (model));
  return g_strdup_printf ("%s · %s", steps, elapsed);
}

static void
update_trace_bar (PlumbTurnRow *self)
{
  PlumbState state = plumb_turn_item_get_state (self->item);
  gboolean running = state == PLUMB_STATE_RUNNING;
  g_autofree char *text = describe_trace (self);

  gtk_widget_set_visible (GTK_WIDGET (self->spinner), running);
  gtk_spinner_set_spinning (self->spinner, running);
  gtk_widget_set_visible (GTK_WIDGET (self->state_icon), !running);
  gtk_image_set_from_icon_name (self->state_icon,
                                state == PLUMB_STATE_DONE     ? "object-select-symbolic"
                                : state == PLUMB_STATE_FAILED ? "dialog-error-symbolic"
                                                              : "media-playback-stop-symbolic");
  gtk_label_set_text (self->trace_label, text);
  gtk_widget_set_visible (self->stop_button, running);
}

static void
update_actions (PlumbTurnRow *self)
{
  PlumbState state = plumb_turn_item_get_state (self->item);
  PlumbCandidates *candidates = plumb_turn_item_get_candidates (self->item);
  guint n_tables = candidates != NULL ? candidates->candidates->len : 0;
  guint n_statements = g_list_model_get_n_items (plumb_turn_item_get_executions (self->item));
  gboolean over = state != PLUMB_STATE_RUNNING;
  g_autofree char *tables = g_strdup_printf (ngettext ("%u table", "%u tables", n_tables),
                                             n_tables);

  adw_button_content_set_label (self->tables_content, tables);
  gtk_widget_set_visible (self->retry_button,
                          state == PLUMB_STATE_FAILED || state == PLUMB_STATE_CANCELLED);
  gtk_widget_set_visible (self->tables_button, n_tables > 0);
  gtk_widget_set_visible (self->sql_button, n_statements > 0);
  gtk_widget_set_visible (self->copy_button,
                          over && plumb_turn_item_get_answer (self->item)[0] != '\0');
  gtk_widget_set_visible (self->actions, over || n_tables > 0 || n_statements > 0);
}

static void
update (PlumbTurnRow *self)
{
  const char *answer = plumb_turn_item_get_answer (self->item);
  const char *error = plumb_turn_item_get_error (self->item);
  gboolean failed = plumb_turn_item_get_state (self->item) == PLUMB_STATE_FAILED;

  update_trace_bar (self);
  plumb_answer_view_set_text (self->answer, answer, plumb_turn_item_get_numbers (self->item));
  gtk_widget_set_visible (GTK_WIDGET (self->answer), answer[0] != '\0');
  update_missing (self);
  gtk_widget_set_visible (self->error_box, failed);
  if (failed)
    gtk_label_set_text (self->error_label,
                        error != NULL ? error : _("The question could not be answered."));
  update_actions (self);
}

static gboolean
on_tick (GtkWidget *widget, GdkFrameClock *clock, gpointer user_data)
{
  PlumbTurnRow *self = PLUMB_TURN_ROW (widget);

  self->tick = 0;
  update (self);
  return G_SOURCE_REMOVE;
}

/* Text comes in many small pieces: shown once a frame while it runs, at once when it is over. */
static void
on_changed (PlumbTurnRow *self)
{
  if (plumb_turn_item_get_state (self->item) != PLUMB_STATE_RUNNING ||
      !gtk_widget_get_mapped (GTK_WIDGET (self)))
    update (self);
  else if (self->tick == 0)
    self->tick = gtk_widget_add_tick_callback (GTK_WIDGET (self), on_tick, NULL, NULL);
}

static void
plumb_turn_row_dispose (GObject *object)
{
  PlumbTurnRow *self = PLUMB_TURN_ROW (object);

  g_clear_object (&self->item);
  adw_bin_set_child (ADW_BIN (self), NULL);
  gtk_widget_dispose_template (GTK_WIDGET (self), PLUMB_TYPE_TURN_ROW);
  G_OBJECT_CLASS (plumb_turn_row_parent_class)->dispose (object);
}

static void
bind_children (GtkWidgetClass *widget_class)
{
  gtk_widget_class_bind_template_child (widget_class, PlumbTurnRow, content);
  gtk_widget_class_bind_template_child (widget_class, PlumbTurnRow, question);
  gtk_widget_class_bind_template_child (widget_class, PlumbTurnRow, trace_button);
  gtk_widget_class_bind_template_child (widget_class, PlumbTurnRow, spinner);
  gtk_widget_class_bind_template_child (widget_class, PlumbTurnRow, state_icon);
  gtk_widget_class_bind_template_child (widget_class, PlumbTurnRow, trace_label);
  gtk_widget_class_bind_template_child (widget_class, PlumbTurnRow, trace_arrow);
  gtk_widget_class_bind_template_child (widget_class, PlumbTurnRow, stop_button);
  gtk_widget_class_bind_template_child (widget_class, PlumbTurnRow, trace_revealer);
  gtk_widget_class_bind_template_child (widget_class, PlumbTurnRow, steps);
  gtk_widget_class_bind_template_child (widget_class, PlumbTurnRow, answer);
  gtk_widget_class_bind_template_child (widget_class, PlumbTurnRow, missing_label);
  gtk_widget_class_bind_template_child (widget_class, PlumbTurnRow, error_box);
  gtk_widget_class_bind_template_child (widget_class, PlumbTurnRow, error_label);
  gtk_widget_class_bind_template_child (widget_class, PlumbTurnRow, actions);
  gtk_widget_class_bind_template_child (widget_class, PlumbTurnRow, retry_button);
  gtk_widget_class_bind_template_child (widget_class, PlumbTurnRow, tables_button);
  gtk_widget_class_bind_template_child (widget_class, PlumbTurnRow, tables_content);
  gtk_widget_class_bind_template_child (widget_class, PlumbTurnRow, sql_button);
  gtk_widget_class_bind_template_child (widget_class, PlumbTurnRow, copy_button);
}

static void
plumb_turn_row_class_init (PlumbTurnRowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = plumb_turn_row_dispose;

  signals[SHOW_PAGE] = g_signal_new ("show-page", PLUMB_TYPE_TURN_ROW, G_SIGNAL_RUN_LAST, 0, NULL,
                                     NULL, NULL, G_TYPE_NONE, 2, G_TYPE_STRING, G_TYPE_INT);
  signals[RETRY] = g_signal_new ("retry", PLUMB_TYPE_TURN_ROW, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                 NULL, G_TYPE_NONE, 0);

  g_type_ensure (PLUMB_TYPE_ANSWER_VIEW);
  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/plumbline/Plumbline/ui/plumb-turn-row.ui");
  bind_children (widget_class);
  gtk_widget_class_bind_template_callback (widget_class, on_step_activated);
  gtk_widget_class_bind_template_callback (widget_class, on_statement_activated);
  gtk_widget_class_bind_template_callback (widget_class, on_show_tables);
  gtk_widget_class_bind_template_callback (widget_class, on_show_sql);
  gtk_widget_class_bind_template_callback (widget_class, on_retry);
  gtk_widget_class_bind_template_callback (widget_class, on_copy);
}

static void
plumb_turn_row_init (PlumbTurnRow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  plumb_accessible_name_buttons (GTK_WIDGET (self));
  g_signal_connect_swapped (self->trace_button, "toggled", G_CALLBACK (on_trace_toggled), self);
}

/** plumb_turn_row_new: Returns: a row that follows @item */
GtkWidget *
plumb_turn_row_new (PlumbTurnItem *item)
{
  PlumbTurnRow *self = g_object_new (PLUMB_TYPE_TURN_ROW, NULL);
  g_autofree char *question = plumb_text_cut (plumb_turn_item_get_question (item), QUESTION_BYTES);

  self->item = g_object_ref (item);
  gtk_label_set_text (self->question, question);
  g_signal_connect_object (item, "changed", G_CALLBACK (on_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (item, "candidates-changed", G_CALLBACK (on_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (plumb_turn_item_get_executions (item), "items-changed",
                           G_CALLBACK (on_changed), self, G_CONNECT_SWAPPED);
  update (self);
  return GTK_WIDGET (self);
}

/** plumb_turn_row_get_item: Returns: (transfer none): the turn that is shown */
PlumbTurnItem *
plumb_turn_row_get_item (PlumbTurnRow *self)
{
  return self->item;
}

/** plumb_turn_row_open_trace: shows the steps */
void
plumb_turn_row_open_trace (PlumbTurnRow *self)
{
  gtk_toggle_button_set_active (self->trace_button, TRUE);
}
