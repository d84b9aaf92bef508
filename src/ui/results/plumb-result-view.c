/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-result-view.h"

#include "plumb-accessible.h"
#include "plumb-pile.h"
#include "plumb-result-grid.h"
#include "plumb-source-text.h"
#include "plumb-wording.h"

#include <glib/gi18n-lib.h>

struct _PlumbResultView {
  AdwBin parent_instance;

  GListModel *executions;
  gulong changed_handler;

  GtkStack *stack;
  GtkDropDown *chooser;
  GtkLabel *database;
  GtkScrolledWindow *sql_scrolled;
  GtkWidget *sql;
  PlumbPile *messages;
  GtkWidget *result_box;
  GtkLabel *facts;
  PlumbResultGrid *grid;
};

G_DEFINE_FINAL_TYPE (PlumbResultView, plumb_result_view, ADW_TYPE_BIN)

static void
append_message (PlumbResultView *self, const char *css_class, const char *text)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_add_css_class (label, css_class);
  plumb_pile_append (self->messages, label);
}

static void
show_messages (PlumbResultView *self, PlumbExecution *execution)
{
  PlumbResult *result = plumb_execution_get_result (execution);
  GPtrArray *warnings = result != NULL ? plumb_result_get_warnings (result) : NULL;

  plumb_pile_cut (self->messages, 0);
  if (plumb_execution_get_error (execution) != NULL)
    append_message (self, "error", plumb_execution_get_error (execution));
  if (plumb_execution_get_cut_by (execution) != NULL) {
    g_autofree char *cut = plumb_wording_cut_by (plumb_execution_get_cut_by (execution));

    append_message (self, "warning", cut);
  }
  for (guint i = 0; warnings != NULL && i < warnings->len; i++)
    append_message (self, "warning", g_ptr_array_index (warnings, i));
  gtk_widget_set_visible (GTK_WIDGET (self->messages),
                          gtk_widget_get_first_child (GTK_WIDGET (self->messages)) != NULL);
}

static void
show_selected (PlumbResultView *self)
{
  PlumbExecution *execution = plumb_result_view_get_execution (self);
  g_autofree char *rows = NULL;
  g_autofree char *elapsed = NULL;
  g_autofree char *facts = NULL;
  PlumbResult *result;

  gtk_stack_set_visible_child_name (self->stack, execution != NULL ? "statement" : "empty");
  if (execution == NULL)
    return;
  result = plumb_execution_get_result (execution);
  gtk_label_set_text (self->database, plumb_execution_get_database (execution));
  plumb_source_text_set (self->sql, plumb_execution_get_sql (execution));
  show_messages (self, execution);
  gtk_widget_set_visible (self->result_box, result != NULL);
  plumb_result_grid_set_result (self->grid, result);
  if (result == NULL)
    return;
  rows = plumb_wording_rows (plumb_result_get_n_rows (result));
  elapsed = plumb_wording_elapsed (plumb_result_get_elapsed_ms (result) * 1000);
  facts = g_strdup_printf ("%s · %s", rows, elapsed);
  gtk_label_set_text (self->facts, facts);
}

static char *
describe (PlumbExecution *execution, gpointer user_data)
{
  return execution != NULL ? plumb_execution_describe (execution) : NULL;
}

/* A new statement is what the reader wants to see. */
static void
on_executions_changed (PlumbResultView *self)
{
  guint n = g_list_model_get_n_items (self->executions);

  gtk_widget_set_visible (GTK_WIDGET (self->chooser), n > 1);
  if (n > 0)
    gtk_drop_down_set_selected (self->chooser, n - 1);
  show_selected (self);
}

static void
on_copy_sql (PlumbResultView *self)
{
  PlumbExecution *execution = plumb_result_view_get_execution (self);

  if (execution != NULL)
    gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)),
                            plumb_execution_get_sql (execution));
}

static void
on_copy_rows (PlumbResultView *self)
{
  gtk_widget_activate_action (GTK_WIDGET (self->grid), "grid.copy-all", NULL);
}

static void
plumb_result_view_dispose (GObject *object)
{
  PlumbResultView *self = PLUMB_RESULT_VIEW (object);

  if (self->executions != NULL)
    g_clear_signal_handler (&self->changed_handler, self->executions);
  g_clear_object (&self->executions);
  adw_bin_set_child (ADW_BIN (self), NULL);
  gtk_widget_dispose_template (GTK_WIDGET (self), PLUMB_TYPE_RESULT_VIEW);
  G_OBJECT_CLASS (plumb_result_view_parent_class)->dispose (object);
}

static void
plumb_result_view_class_init (PlumbResultViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = plumb_result_view_dispose;

  g_type_ensure (PLUMB_TYPE_PILE);
  g_type_ensure (PLUMB_TYPE_RESULT_GRID);
  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/plumbline/Plumbline/ui/plumb-result-view.ui");
  gtk_widget_class_bind_template_child (widget_class, PlumbResultView, stack);
  gtk_widget_class_bind_template_child (widget_class, PlumbResultView, chooser);
  gtk_widget_class_bind_template_child (widget_class, PlumbResultView, database);
  gtk_widget_class_bind_template_child (widget_class, PlumbResultView, sql_scrolled);
  gtk_widget_class_bind_template_child (widget_class, PlumbResultView, messages);
  gtk_widget_class_bind_template_child (widget_class, PlumbResultView, result_box);
  gtk_widget_class_bind_template_child (widget_class, PlumbResultView, facts);
  gtk_widget_class_bind_template_child (widget_class, PlumbResultView, grid);
  gtk_widget_class_bind_template_callback (widget_class, on_copy_sql);
  gtk_widget_class_bind_template_callback (widget_class, on_copy_rows);
}

static void
plumb_result_view_init (PlumbResultView *self)
{
  GtkExpression *expression = gtk_cclosure_expression_new (G_TYPE_STRING, NULL, 0, NULL,
                                                           G_CALLBACK (describe), NULL, NULL);

  gtk_widget_init_template (GTK_WIDGET (self));
  plumb_accessible_name_buttons (GTK_WIDGET (self));
  self->sql = plumb_source_text_new_sql ();
  gtk_scrolled_window_set_child (self->sql_scrolled, self->sql);
  gtk_drop_down_set_expression (self->chooser, expression);
  gtk_expression_unref (expression);
  g_signal_connect_swapped (self->chooser, "notify::selected-item", G_CALLBACK (show_selected),
                            self);
}

/** plumb_result_view_new: Returns: a view without statements */
GtkWidget *
plumb_result_view_new (void)
{
  return g_object_new (PLUMB_TYPE_RESULT_VIEW, NULL);
}

/** plumb_result_view_set_executions: follows @executions, a list of #PlumbExecution or %NULL */
void
plumb_result_view_set_executions (PlumbResultView *self, GListModel *executions)
{
  if (executions == self->executions)
    return;
  if (self->executions != NULL)
    g_clear_signal_handler (&self->changed_handler, self->executions);
  g_set_object (&self->executions, executions);
  gtk_drop_down_set_model (self->chooser, executions);
  if (executions == NULL) {
    show_selected (self);
    return;
  }
  self->changed_handler = g_signal_connect_swapped (executions, "items-changed",
                                                    G_CALLBACK (on_executions_changed), self);
  on_executions_changed (self);
}

/** plumb_result_view_select: shows the statement at @place */
void
plumb_result_view_select (PlumbResultView *self, guint place)
{
  if (self->executions != NULL && place < g_list_model_get_n_items (self->executions))
    gtk_drop_down_set_selected (self->chooser, place);
}

/** plumb_result_view_get_execution: Returns: (transfer none) (nullable): the statement that is
 *  shown */
PlumbExecution *
plumb_result_view_get_execution (PlumbResultView *self)
{
  return self->executions != NULL ? gtk_drop_down_get_selected_item (self->chooser) : NULL;
}
