/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-step-row.h"

#include "plumb-accessible.h"
#include "plumb-source-text.h"
#include "plumb-wording.h"

#include <glib/gi18n-lib.h>

struct _PlumbStepRow {
  GtkListBoxRow parent_instance;

  PlumbStepItem *item;
  GtkStack *icon_stack;
  GtkImage *icon;
  GtkSpinner *spinner;
  GtkLabel *title;
  GtkLabel *summary;
  GtkLabel *elapsed;
  GtkImage *arrow;
  GtkRevealer *revealer;
};

G_DEFINE_FINAL_TYPE (PlumbStepRow, plumb_step_row, GTK_TYPE_LIST_BOX_ROW)

static void
append_part (GtkBox *box, const char *heading, const char *text, gboolean is_error)
{
  GtkWidget *label = gtk_label_new (heading);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_add_css_class (label, "caption-heading");
  gtk_widget_add_css_class (label, is_error ? "error" : "dim-label");
  gtk_box_append (box, label);
  if (is_error) {
    GtkWidget *message = gtk_label_new (text);

    gtk_label_set_wrap (GTK_LABEL (message), TRUE);
    gtk_label_set_wrap_mode (GTK_LABEL (message), PANGO_WRAP_WORD_CHAR);
    gtk_label_set_xalign (GTK_LABEL (message), 0);
    gtk_label_set_selectable (GTK_LABEL (message), TRUE);
    gtk_widget_add_css_class (message, "error");
    gtk_box_append (box, message);
  } else {
    gtk_box_append (box, plumb_source_text_new_json (text));
  }
}

static GtkWidget *
new_details (const PlumbStep *step)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);

  gtk_widget_set_margin_start (box, 12);
  gtk_widget_set_margin_end (box, 12);
  gtk_widget_set_margin_bottom (box, 12);
  if (step->error != NULL)
    append_part (GTK_BOX (box), _("What Went Wrong"), step->error, TRUE);
  if (step->arguments != NULL && step->arguments[0] != '\0')
    append_part (GTK_BOX (box), _("Asked For"), step->arguments, FALSE);
  if (step->result != NULL && step->result[0] != '\0')
    append_part (GTK_BOX (box), step->kind == PLUMB_STEP_TEXT ? _("Text") : _("Got"),
                 step->result, FALSE);
  return box;
}

static gboolean
has_details (const PlumbStep *step)
{
  return step->error != NULL || (step->arguments != NULL && step->arguments[0] != '\0') ||
         (step->result != NULL && step->result[0] != '\0');
}

/* What a screen reader says of the row: its words, and how it ended. */
static void
update_accessible (PlumbStepRow *self, const PlumbStep *step)
{
  const char *ending = step->state == PLUMB_STATE_FAILED      ? _("failed")
                       : step->state == PLUMB_STATE_CANCELLED ? _("stopped")
                       : step->state == PLUMB_STATE_RUNNING   ? _("running")
                                                              : _("done");
  g_autofree char *label = g_strdup_printf ("%s, %s, %s", gtk_label_get_text (self->title),
                                            gtk_label_get_text (self->summary), ending);

  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
}

static void
set_css_class (gpointer widget, const char *name, gboolean set)
{
  if (set)
    gtk_widget_add_css_class (widget, name);
  else
    gtk_widget_remove_css_class (widget, name);
}

static void
update (PlumbStepRow *self)
{
  const PlumbStep *step = plumb_step_item_get_step (self->item);
  gboolean running = step->state == PLUMB_STATE_RUNNING;
  gboolean failed = step->state == PLUMB_STATE_FAILED || step->error != NULL;
  g_autofree char *summary = plumb_wording_step (step);
  g_autofree char *elapsed = running ? NULL : plumb_wording_elapsed (step->elapsed_us);

  gtk_label_set_text (self->title,
                      plumb_wording_tool (step->kind == PLUMB_STEP_TEXT ? NULL : step->tool));
  gtk_label_set_text (self->summary, summary);
  gtk_widget_set_visible (GTK_WIDGET (self->summary), summary[0] != '\0');
  gtk_label_set_text (self->elapsed, step->state == PLUMB_STATE_CANCELLED ? _("stopped")
                                     : elapsed != NULL                    ? elapsed
                                                                          : "");
  gtk_image_set_from_icon_name (
      self->icon,
      failed ? "dialog-error-symbolic"
             : plumb_wording_tool_icon (step->kind == PLUMB_STEP_TEXT ? NULL : step->tool));
  set_css_class (self->icon, "error", failed);
  set_css_class (self->summary, "error", failed);
  set_css_class (self->summary, "dim-label", !failed);
  gtk_stack_set_visible_child_name (self->icon_stack, running ? "spinner" : "icon");
  gtk_spinner_set_spinning (self->spinner, running);
  gtk_widget_set_opacity (GTK_WIDGET (self->arrow), has_details (step) ? 1 : 0);
  if (gtk_revealer_get_reveal_child (self->revealer))
    gtk_revealer_set_child (self->revealer, new_details (step));
  update_accessible (self, step);
}

/** plumb_step_row_toggle: opens or closes the details, which are built when first shown */
void
plumb_step_row_toggle (PlumbStepRow *self)
{
  const PlumbStep *step = plumb_step_item_get_step (self->item);
  gboolean open = !gtk_revealer_get_reveal_child (self->revealer) && has_details (step);

  if (open)
    gtk_revealer_set_child (self->revealer, new_details (step));
  gtk_revealer_set_reveal_child (self->revealer, open);
  gtk_image_set_from_icon_name (self->arrow, open ? "pan-down-symbolic" : "pan-end-symbolic");
  gtk_accessible_update_state (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_STATE_EXPANDED, open, -1);
}

static void
plumb_step_row_dispose (GObject *object)
{
  PlumbStepRow *self = PLUMB_STEP_ROW (object);

  g_clear_object (&self->item);
  G_OBJECT_CLASS (plumb_step_row_parent_class)->dispose (object);
}

static void
plumb_step_row_class_init (PlumbStepRowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = plumb_step_row_dispose;

  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/plumbline/Plumbline/ui/plumb-step-row.ui");
  gtk_widget_class_bind_template_child (widget_class, PlumbStepRow, icon_stack);
  gtk_widget_class_bind_template_child (widget_class, PlumbStepRow, icon);
  gtk_widget_class_bind_template_child (widget_class, PlumbStepRow, spinner);
  gtk_widget_class_bind_template_child (widget_class, PlumbStepRow, title);
  gtk_widget_class_bind_template_child (widget_class, PlumbStepRow, summary);
  gtk_widget_class_bind_template_child (widget_class, PlumbStepRow, elapsed);
  gtk_widget_class_bind_template_child (widget_class, PlumbStepRow, arrow);
  gtk_widget_class_bind_template_child (widget_class, PlumbStepRow, revealer);
}

static void
plumb_step_row_init (PlumbStepRow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  plumb_accessible_name_buttons (GTK_WIDGET (self));
}

/** plumb_step_row_new: Returns: a row that follows @item */
GtkWidget *
plumb_step_row_new (PlumbStepItem *item)
{
  PlumbStepRow *self = g_object_new (PLUMB_TYPE_STEP_ROW, NULL);

  self->item = g_object_ref (item);
  g_signal_connect_object (item, "changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  update (self);
  return GTK_WIDGET (self);
}

/** plumb_step_row_get_item: Returns: (transfer none): the step that is shown */
PlumbStepItem *
plumb_step_row_get_item (PlumbStepRow *self)
{
  return self->item;
}
