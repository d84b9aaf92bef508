/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-questions-window.h"

#include "plumb-accessible.h"

#include <glib/gi18n-lib.h>

struct _PlumbQuestionsWindow {
  AdwWindow parent_instance;

  PlumbSession *session;
  GCancellable *cancellable;
  gboolean adding;

  GtkWidget *run_button;
  GtkSpinner *spinner;
  GtkEditable *question_entry;
  GtkEditable *tables_entry;
  GtkWidget *add_button;
  GtkLabel *error_label;
  GtkLabel *summary;
  GtkListBox *list;
};

G_DEFINE_FINAL_TYPE (PlumbQuestionsWindow, plumb_questions_window, ADW_TYPE_WINDOW)

/* What to do in the thread, after which search is run on all questions. */
typedef struct {
  enum {
    RUN,
    ADD,
    IMPORT,
    REMOVE,
  } kind;
  gint64 id;
  char *text;      /* the question, or the path of a file */
  GStrv tables;
} QuestionWork;

static void
question_work_free (gpointer pointer)
{
  QuestionWork *work = pointer;

  g_free (work->text);
  g_strfreev (work->tables);
  g_free (work);
}

static gpointer
work_on_questions (PlumbSession *session, gpointer data, GCancellable *cancellable, GError **error)
{
  QuestionWork *work = data;

  if (work->kind == ADD && plumb_session_add_question (session, NULL, work->text,
                                                       (const char *const *) work->tables, error) < 0)
    return NULL;
  if (work->kind == IMPORT && plumb_session_import_questions (session, NULL, work->text, error) < 0)
    return NULL;
  if (work->kind == REMOVE && !plumb_session_remove_question (session, work->id, error))
    return NULL;
  return plumb_session_run_questions (session, NULL, NULL, NULL, cancellable, error);
}

static void start_work (PlumbQuestionsWindow *self, QuestionWork *work);

static QuestionWork *
new_work (int kind)
{
  QuestionWork *work = g_new0 (QuestionWork, 1);

  work->kind = kind;
  return work;
}

static void
on_remove (GtkButton *button, PlumbQuestionsWindow *self)
{
  QuestionWork *work = new_work (REMOVE);

  work->id = *(gint64 *) g_object_get_data (G_OBJECT (button), "question-id");
  start_work (self, work);
}

/* Each table with its place, and the database that they are in. */
static char *
describe_places (const PlumbKnownQuestion *question)
{
  g_autoptr (GString) text = g_string_new (question->database);

  for (guint i = 0; question->tables[i] != NULL; i++) {
    guint place = i < question->places->len ? g_array_index (question->places, guint, i) : 0;

    g_string_append (text, " · ");
    if (place > 0)
      /* Translators: a table and its place in the list of candidates. */
      g_string_append_printf (text, _("%s: place %u"), question->tables[i], place);
    else
      g_string_append_printf (text, _("%s: not found"), question->tables[i]);
  }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static GtkWidget *
new_state_icon (const PlumbKnownQuestion *question)
{
  gboolean complete = plumb_known_question_is_complete (question);
  const char *text = complete                   ? _("All tables are among the first candidates")
                     : question->was_complete ? _("A table was found before and is not now")
                                                : _("A table is not among the first candidates");
  GtkWidget *icon = gtk_image_new_from_icon_name (complete ? "emblem-ok-symbolic"
                                                           : "dialog-warning-symbolic");

  gtk_widget_add_css_class (icon, complete ? "success" : "warning");
  gtk_widget_set_tooltip_text (icon, text);
  gtk_accessible_update_property (GTK_ACCESSIBLE (icon), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
  return icon;
}

static void
append_question (PlumbQuestionsWindow *self, const PlumbKnownQuestion *question)
{
  GtkWidget *row = adw_action_row_new ();
  GtkWidget *button = gtk_button_new_from_icon_name ("user-trash-symbolic");
  g_autofree char *places = describe_places (question);

  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), question->question);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), places);
  adw_action_row_set_subtitle_lines (ADW_ACTION_ROW (row), 0);
  adw_action_row_add_prefix (ADW_ACTION_ROW (row), new_state_icon (question));
  gtk_widget_set_tooltip_text (button, _("Remove this question"));
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (button, "flat");
  plumb_accessible_name_buttons (button);
  g_object_set_data_full (G_OBJECT (button), "question-id",
                          g_memdup2 (&question->id, sizeof question->id), g_free);
  g_signal_connect_object (button, "clicked", G_CALLBACK (on_remove), self, 0);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), button);
  gtk_list_box_append (self->list, row);
}

static void
show_questions (PlumbQuestionsWindow *self, GPtrArray *questions)
{
  g_autofree char *summary = NULL;
  guint n_complete = 0;
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self->list))) != NULL)
    gtk_list_box_remove (self->list, child);
  for (guint i = 0; i < questions->len; i++) {
    const PlumbKnownQuestion *question = g_ptr_array_index (questions, i);

    n_complete += plumb_known_question_is_complete (question);
    append_question (self, question);
  }
  summary = questions->len > 0
                ? g_strdup_printf (_("%u of %u find all their tables among the first %d candidates."),
                                   n_complete, questions->len, PLUMB_KNOWN_QUESTION_PLACES)
                : g_strdup (_("Write down questions of which you know the tables. Search is run on them "
                              "after every edit and analysis, and you are told when it gets worse."));
  gtk_label_set_text (self->summary, summary);
  gtk_widget_set_visible (GTK_WIDGET (self->list), questions->len > 0);
}

static void
update_add_button (PlumbQuestionsWindow *self)
{
  gtk_widget_set_sensitive (self->add_button,
                            !self->adding && gtk_editable_get_text (self->question_entry)[0] != '\0' &&
                                gtk_editable_get_text (self->tables_entry)[0] != '\0');
}

static void
on_worked (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (PlumbQuestionsWindow) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) questions = plumb_session_run_finish (PLUMB_SESSION (source), result, &error);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED) || self->session == NULL)
    return;
  gtk_spinner_stop (self->spinner);
  gtk_widget_set_sensitive (self->run_button, TRUE);
  gtk_widget_set_visible (GTK_WIDGET (self->error_label), error != NULL);
  if (error != NULL) {
    gtk_label_set_text (self->error_label, error->message);
  } else {
    if (self->adding) {
      gtk_editable_set_text (self->question_entry, "");
      gtk_editable_set_text (self->tables_entry, "");
    }
    show_questions (self, questions);
  }
  self->adding = FALSE;
  update_add_button (self);
}

/* One piece of work at a time: what is written must not be lost to the next click. */
static void
start_work (PlumbQuestionsWindow *self, QuestionWork *work)
{
  if (!gtk_widget_get_sensitive (self->run_button)) {
    question_work_free (work);
    return;
  }
  self->adding = work->kind == ADD;
  gtk_spinner_start (self->spinner);
  gtk_widget_set_sensitive (self->run_button, FALSE);
  update_add_button (self);
  plumb_session_run_async (self->session, work_on_questions, work, question_work_free,
                           (GDestroyNotify) g_ptr_array_unref, self->cancellable, on_worked,
                           g_object_ref (self));
}

/* Names with commas between; a comma within quotes belongs to the name. */
static GStrv
split_tables (const char *text)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_autoptr (GString) name = g_string_new (NULL);
  gboolean quoted = FALSE;

  for (const char *p = text;; p++) {
    if (*p == '"')
      quoted = !quoted;
    if (*p == '\0' || (*p == ',' && !quoted)) {
      g_strstrip (name->str);
      if (name->str[0] != '\0')
        g_strv_builder_add (builder, name->str);
      if (*p == '\0')
        break;
      g_string_truncate (name, 0);
    } else {
      g_string_append_c (name, *p);
    }
  }
  return g_strv_builder_end (builder);
}

static void
on_add (PlumbQuestionsWindow *self)
{
  QuestionWork *work;

  if (!gtk_widget_get_sensitive (self->add_button))
    return;
  work = new_work (ADD);
  work->text = g_strdup (gtk_editable_get_text (self->question_entry));
  work->tables = split_tables (gtk_editable_get_text (self->tables_entry));
  start_work (self, work);
}

static void
on_run (PlumbQuestionsWindow *self)
{
  start_work (self, new_work (RUN));
}

static void
on_chosen (GtkNativeDialog *dialog, int response, PlumbQuestionsWindow *self)
{
  g_autoptr (GFile) file = NULL;
  QuestionWork *work;

  if (response != GTK_RESPONSE_ACCEPT)
    return;
  file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog));
  work = new_work (IMPORT);
  work->text = g_file_get_path (file);
  start_work (self, work);
}

static void
on_import (PlumbQuestionsWindow *self)
{
  g_autoptr (GtkFileChooserNative) dialog =
      gtk_file_chooser_native_new (_("Import Questions"), GTK_WINDOW (self),
                                   GTK_FILE_CHOOSER_ACTION_OPEN, NULL, NULL);
  g_autoptr (GtkFileFilter) filter = gtk_file_filter_new ();

  gtk_file_filter_set_name (filter, _("Question sets (.jsonl)"));
  gtk_file_filter_add_pattern (filter, "*.jsonl");
  gtk_file_chooser_add_filter (GTK_FILE_CHOOSER (dialog), filter);
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (dialog), TRUE);
  g_signal_connect_object (dialog, "response", G_CALLBACK (on_chosen), self, 0);
  /* It lives as long as the window does. */
  g_object_set_data_full (G_OBJECT (self), "import-dialog", g_object_ref (dialog), g_object_unref);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (dialog));
}

static void
plumb_questions_window_dispose (GObject *object)
{
  PlumbQuestionsWindow *self = PLUMB_QUESTIONS_WINDOW (object);

  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_object (&self->session);
  gtk_widget_dispose_template (GTK_WIDGET (self), PLUMB_TYPE_QUESTIONS_WINDOW);
  G_OBJECT_CLASS (plumb_questions_window_parent_class)->dispose (object);
}

static void
plumb_questions_window_class_init (PlumbQuestionsWindowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = plumb_questions_window_dispose;

  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/plumbline/Plumbline/ui/plumb-questions-window.ui");
  gtk_widget_class_bind_template_child (widget_class, PlumbQuestionsWindow, run_button);
  gtk_widget_class_bind_template_child (widget_class, PlumbQuestionsWindow, spinner);
  gtk_widget_class_bind_template_child (widget_class, PlumbQuestionsWindow, question_entry);
  gtk_widget_class_bind_template_child (widget_class, PlumbQuestionsWindow, tables_entry);
  gtk_widget_class_bind_template_child (widget_class, PlumbQuestionsWindow, add_button);
  gtk_widget_class_bind_template_child (widget_class, PlumbQuestionsWindow, error_label);
  gtk_widget_class_bind_template_child (widget_class, PlumbQuestionsWindow, summary);
  gtk_widget_class_bind_template_child (widget_class, PlumbQuestionsWindow, list);
  gtk_widget_class_bind_template_callback (widget_class, update_add_button);
  gtk_widget_class_bind_template_callback (widget_class, on_add);
  gtk_widget_class_bind_template_callback (widget_class, on_run);
  gtk_widget_class_bind_template_callback (widget_class, on_import);
}

static void
plumb_questions_window_init (PlumbQuestionsWindow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  plumb_accessible_name_buttons (GTK_WIDGET (self));
  self->cancellable = g_cancellable_new ();
}

/** plumb_questions_window_new: Returns: a window on the known questions of @session */
GtkWidget *
plumb_questions_window_new (PlumbSession *session)
{
  PlumbQuestionsWindow *self = g_object_new (PLUMB_TYPE_QUESTIONS_WINDOW, NULL);

  self->session = g_object_ref (session);
  start_work (self, new_work (RUN));
  return GTK_WIDGET (self);
}
