/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-question-entry.h"

#include "plumb-accessible.h"

struct _PlumbQuestionEntry {
  AdwBin parent_instance;

  GtkWidget *content;
  GtkTextView *text;
  GtkWidget *placeholder;
  GtkStack *button_stack;
  GtkWidget *send_button;
  GtkWidget *stop_button;
  gboolean busy;
};

enum {
  SEND,
  CHANGED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (PlumbQuestionEntry, plumb_question_entry, ADW_TYPE_BIN)

static void
on_send (PlumbQuestionEntry *self)
{
  g_autofree char *text = plumb_question_entry_get_text (self);
  g_autofree char *question = g_strstrip (g_strdup (text));

  if (!self->busy && question[0] != '\0')
    g_signal_emit (self, signals[SEND], 0, question);
}

static void
on_buffer_changed (PlumbQuestionEntry *self)
{
  g_autofree char *text = plumb_question_entry_get_text (self);
  g_autofree char *question = g_strstrip (g_strdup (text));

  gtk_widget_set_visible (self->placeholder, text[0] == '\0');
  gtk_widget_set_sensitive (self->send_button, question[0] != '\0');
  g_signal_emit (self, signals[CHANGED], 0);
}

static gboolean
on_key_pressed (GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state,
                PlumbQuestionEntry *self)
{
  gboolean is_enter = key == GDK_KEY_Return || key == GDK_KEY_KP_Enter || key == GDK_KEY_ISO_Enter;
  GdkEvent *event = gtk_event_controller_get_current_event (GTK_EVENT_CONTROLLER (controller));

  if (!is_enter || (state & (GDK_SHIFT_MASK | GDK_ALT_MASK)) != 0)
    return GDK_EVENT_PROPAGATE;
  /* Enter first belongs to an input method, which may be in the middle of a word. */
  if (event != NULL && gtk_text_view_im_context_filter_keypress (self->text, event))
    return GDK_EVENT_STOP;
  on_send (self);
  return GDK_EVENT_STOP;
}

static gboolean
plumb_question_entry_grab_focus (GtkWidget *widget)
{
  return gtk_widget_grab_focus (GTK_WIDGET (PLUMB_QUESTION_ENTRY (widget)->text));
}

static void
plumb_question_entry_dispose (GObject *object)
{
  adw_bin_set_child (ADW_BIN (object), NULL);
  gtk_widget_dispose_template (GTK_WIDGET (object), PLUMB_TYPE_QUESTION_ENTRY);
  G_OBJECT_CLASS (plumb_question_entry_parent_class)->dispose (object);
}

static void
plumb_question_entry_class_init (PlumbQuestionEntryClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = plumb_question_entry_dispose;
  widget_class->grab_focus = plumb_question_entry_grab_focus;

  signals[SEND] = g_signal_new ("send", PLUMB_TYPE_QUESTION_ENTRY, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
  signals[CHANGED] = g_signal_new ("changed", PLUMB_TYPE_QUESTION_ENTRY, G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 0);

  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/plumbline/Plumbline/ui/plumb-question-entry.ui");
  gtk_widget_class_bind_template_child (widget_class, PlumbQuestionEntry, content);
  gtk_widget_class_bind_template_child (widget_class, PlumbQuestionEntry, text);
  gtk_widget_class_bind_template_child (widget_class, PlumbQuestionEntry, placeholder);
  gtk_widget_class_bind_template_child (widget_class, PlumbQuestionEntry, button_stack);
  gtk_widget_class_bind_template_child (widget_class, PlumbQuestionEntry, send_button);
  gtk_widget_class_bind_template_child (widget_class, PlumbQuestionEntry, stop_button);
  gtk_widget_class_bind_template_callback (widget_class, on_send);
}

static void
plumb_question_entry_init (PlumbQuestionEntry *self)
{
  GtkEventController *keys = gtk_event_controller_key_new ();

  gtk_widget_init_template (GTK_WIDGET (self));
  plumb_accessible_name_buttons (GTK_WIDGET (self));
  g_signal_connect_swapped (gtk_text_view_get_buffer (self->text), "changed",
                            G_CALLBACK (on_buffer_changed), self);
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (on_key_pressed), self);
  gtk_widget_add_controller (GTK_WIDGET (self->text), keys);
}

/** plumb_question_entry_get_text: Returns: (transfer full): what was typed */
char *
plumb_question_entry_get_text (PlumbQuestionEntry *self)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (self->text);
  GtkTextIter start, end;

  gtk_text_buffer_get_bounds (buffer, &start, &end);
  return gtk_text_buffer_get_text (buffer, &start, &end, FALSE);
}

/** plumb_question_entry_set_text: puts @text in, the cursor behind it */
void
plumb_question_entry_set_text (PlumbQuestionEntry *self, const char *text)
{
  gtk_text_buffer_set_text (gtk_text_view_get_buffer (self->text), text, -1);
}

/** plumb_question_entry_set_busy: whether a question runs: then there is a button that stops it */
void
plumb_question_entry_set_busy (PlumbQuestionEntry *self, gboolean busy)
{
  self->busy = busy;
  gtk_stack_set_visible_child_name (self->button_stack, busy ? "stop" : "send");
}

/** plumb_question_entry_take_focus: puts the cursor here */
void
plumb_question_entry_take_focus (PlumbQuestionEntry *self)
{
  gtk_widget_grab_focus (GTK_WIDGET (self->text));
}
