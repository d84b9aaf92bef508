/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-note-list.h"

#include "plumb-accessible.h"
#include "plumb-note-history.h"
#include "plumb-wording.h"

#include <glib/gi18n-lib.h>

struct _PlumbNoteList {
  AdwBin parent_instance;

  PlumbSession *session;
  char *table;
  GCancellable *cancellable;
  gboolean adding;
  gboolean changing;
  GPtrArray *notes;

  GtkWidget *content;
  AdwEntryRow *entry;
  GtkLabel *error_label;
  GtkListBox *list;
  GtkToggleButton *retired_button;
  GtkWidget *hint;
};

G_DEFINE_FINAL_TYPE (PlumbNoteList, plumb_note_list, ADW_TYPE_BIN)

/* What to do with a note in the thread, after which the list is read again. */
typedef struct {
  enum {
    READ,
    ADD,
    EDIT,
    RETIRE,
    RESTORE,
  } kind;
  gint64 id;
  char *table;
  char *text;
} NoteWork;

static void
note_work_free (gpointer pointer)
{
  NoteWork *work = pointer;

  g_free (work->table);
  g_free (work->text);
  g_free (work);
}

static gpointer
work_on_notes (PlumbSession *session, gpointer data, GCancellable *cancellable, GError **error)
{
  NoteWork *work = data;

  if (work->kind == ADD && plumb_session_add_note (session, work->table, work->text, error) < 0)
    return NULL;
  if (work->kind == EDIT && !plumb_session_edit_note (session, work->id, work->text, error))
    return NULL;
  if (work->kind == RETIRE && !plumb_session_retire_note (session, work->id, error))
    return NULL;
  if (work->kind == RESTORE && !plumb_session_restore_note (session, work->id, error))
    return NULL;
  return plumb_session_list_notes (session, work->table, TRUE, error);
}

static void start_work (PlumbNoteList *self, int kind, gint64 id, const char *text);

static void
on_retire (GtkButton *button, PlumbNoteList *self)
{
  gint64 *id = g_object_get_data (G_OBJECT (button), "note-id");

  start_work (self, RETIRE, *id, NULL);
}

static void
on_restore (GtkButton *button, PlumbNoteList *self)
{
  gint64 *id = g_object_get_data (G_OBJECT (button), "note-id");

  start_work (self, RESTORE, *id, NULL);
}

static void
on_history (GtkButton *button, PlumbNoteList *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  gint64 *id = g_object_get_data (G_OBJECT (button), "note-id");

  plumb_note_history_present (self->session, *id, GTK_IS_WINDOW (root) ? GTK_WINDOW (root) : NULL);
}

static void
on_edit_response (AdwMessageDialog *dialog, const char *response, PlumbNoteList *self)
{
  gint64 *id = g_object_get_data (G_OBJECT (dialog), "note-id");
  GtkTextView *view = GTK_TEXT_VIEW (g_object_get_data (G_OBJECT (dialog), "text"));
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (view);
  GtkTextIter start, end;
  g_autofree char *text = NULL;

  if (g_strcmp0 (response, "save") != 0)
    return;
  gtk_text_buffer_get_bounds (buffer, &start, &end);
  text = g_strstrip (gtk_text_buffer_get_text (buffer, &start, &end, FALSE));
  if (text[0] != '\0')
    start_work (self, EDIT, *id, text);
}

static void
on_edit (GtkButton *button, PlumbNoteList *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  GtkWidget *dialog = adw_message_dialog_new (GTK_IS_WINDOW (root) ? GTK_WINDOW (root) : NULL,
                                              _("Edit Note"), NULL);
  GtkWidget *view = gtk_text_view_new ();
  GtkWidget *scrolled = gtk_scrolled_window_new ();
  gint64 *id = g_object_get_data (G_OBJECT (button), "note-id");

  gtk_text_buffer_set_text (gtk_text_view_get_buffer (GTK_TEXT_VIEW (view)),
                            g_object_get_data (G_OBJECT (button), "note-text"), -1);
  gtk_text_view_set_wrap_mode (GTK_TEXT_VIEW (view), GTK_WRAP_WORD_CHAR);
  gtk_text_view_set_accepts_tab (GTK_TEXT_VIEW (view), FALSE);
  gtk_text_view_set_top_margin (GTK_TEXT_VIEW (view), 8);
  gtk_text_view_set_left_margin (GTK_TEXT_VIEW (view), 8);
  gtk_scrolled_window_set_min_content_height (GTK_SCROLLED_WINDOW (scrolled), 120);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), view);
  gtk_widget_add_css_class (scrolled, "card");
  adw_message_dialog_set_extra_child (ADW_MESSAGE_DIALOG (dialog), scrolled);
  adw_message_dialog_add_responses (ADW_MESSAGE_DIALOG (dialog), "cancel", _("_Cancel"), "save",
                                    _("_Save"), NULL);
  adw_message_dialog_set_response_appearance (ADW_MESSAGE_DIALOG (dialog), "save",
                                              ADW_RESPONSE_SUGGESTED);
  g_object_set_data_full (G_OBJECT (dialog), "note-id", g_memdup2 (id, sizeof *id), g_free);
  g_object_set_data (G_OBJECT (dialog), "text", view);
  g_signal_connect_object (dialog, "response", G_CALLBACK (on_edit_response), self, 0);
  gtk_window_present (GTK_WINDOW (dialog));
}

static GtkWidget *
new_note_button (const PlumbNote *note, const char *icon_name, const char *tooltip)
{
  GtkWidget *button = gtk_button_new_from_icon_name (icon_name);

  gtk_widget_set_tooltip_text (button, tooltip);
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (button, "flat");
  plumb_accessible_name_buttons (button);
  g_object_set_data_full (G_OBJECT (button), "note-id", g_memdup2 (&note->id, sizeof note->id),
                          g_free);
  g_object_set_data_full (G_OBJECT (button), "note-text", g_strdup (note->text), g_free);
  return button;
}

static char *
describe_origin (const PlumbNote *note)
{
  g_autofree char *at = plumb_wording_time (note->updated_at);
  const char *author = note->author != NULL ? note->author : "";

  if (note->retired) {
    g_autofree char *retired_at = plumb_wording_time (note->retired_at);

    return g_strdup_printf (_("Retired by %s · %s"), note->retired_by != NULL ? note->retired_by : "",
                            retired_at);
  }
  if (g_strcmp0 (note->origin, "conversation") == 0)
    return g_strdup_printf (_("Left in a conversation · %s"), at);
  if (g_strcmp0 (note->origin, "file") == 0)
    return g_strdup_printf (_("From a domain file · %s"), author);
  return g_strdup_printf ("%s · %s", author, at);
}

static void
add_button (PlumbNoteList *self, GtkWidget *row, const PlumbNote *note, const char *icon_name,
            const char *tooltip, GCallback clicked)
{
  GtkWidget *button = new_note_button (note, icon_name, tooltip);

  g_signal_connect_object (button, "clicked", clicked, self, 0);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), button);
}

static void
append_note (PlumbNoteList *self, const PlumbNote *note)
{
  GtkWidget *row = adw_action_row_new ();
  g_autofree char *origin = describe_origin (note);

  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), note->text);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), origin);
  if (note->retired || note->updated_at != note->created_at)
    add_button (self, row, note, "document-open-recent-symbolic", _("What this note said before"),
                G_CALLBACK (on_history));
  if (note->retired) {
    gtk_widget_add_css_class (row, "dim-label");
    add_button (self, row, note, "edit-undo-symbolic", _("Take this note back into use"),
                G_CALLBACK (on_restore));
  } else if (g_strcmp0 (note->origin, "file") != 0) {
    add_button (self, row, note, "document-edit-symbolic", _("Edit this note"), G_CALLBACK (on_edit));
    add_button (self, row, note, "edit-delete-symbolic",
                _("Retire this note: it is kept, but no longer used"), G_CALLBACK (on_retire));
  }
  gtk_list_box_append (self->list, row);
}

/* Notes in use first, then the retired ones where they are asked for. */
static void
show_notes (PlumbNoteList *self)
{
  gboolean with_retired = gtk_toggle_button_get_active (self->retired_button);
  guint n_shown = 0, n_retired = 0;
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self->list))) != NULL)
    gtk_list_box_remove (self->list, child);
  for (guint pass = 0; pass < 2; pass++) {
    for (guint i = 0; self->notes != NULL && i < self->notes->len; i++) {
      const PlumbNote *note = g_ptr_array_index (self->notes, i);

      n_retired += pass == 0 && note->retired;
      if (note->retired != (pass == 1) || (note->retired && !with_retired))
        continue;
      append_note (self, note);
      n_shown++;
    }
  }
  gtk_widget_set_visible (GTK_WIDGET (self->list), n_shown > 0);
  gtk_widget_set_visible (GTK_WIDGET (self->retired_button), n_retired > 0);
}

static void
on_worked (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (PlumbNoteList) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) notes = plumb_session_run_finish (PLUMB_SESSION (source), result, &error);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED) || self->list == NULL)
    return;
  gtk_widget_set_sensitive (GTK_WIDGET (self->entry), TRUE);
  gtk_widget_set_visible (GTK_WIDGET (self->error_label), error != NULL);
  if (error != NULL) {
    self->adding = self->changing = FALSE;
    gtk_label_set_text (self->error_label, error->message);
    return;
  }
  if (self->adding)
    gtk_editable_set_text (GTK_EDITABLE (self->entry), "");
  self->adding = FALSE;
  g_clear_pointer (&self->notes, g_ptr_array_unref);
  self->notes = g_steal_pointer (&notes);
  show_notes (self);
  if (self->changing)
    gtk_widget_activate_action (GTK_WIDGET (self), "win.run-questions", NULL);
  self->changing = FALSE;
}

static void
start_work (PlumbNoteList *self, int kind, gint64 id, const char *text)
{
  NoteWork *work = g_new0 (NoteWork, 1);

  self->changing = kind != READ;
  work->kind = kind;
  work->id = id;
  work->table = g_strdup (self->table);
  work->text = g_strdup (text);
  plumb_session_run_async (self->session, work_on_notes, work, note_work_free,
                           (GDestroyNotify) g_ptr_array_unref, self->cancellable, on_worked,
                           g_object_ref (self));
}

static void
on_add (PlumbNoteList *self)
{
  g_autofree char *text = g_strstrip (
      g_strdup (gtk_editable_get_text (GTK_EDITABLE (self->entry))));

  if (text[0] == '\0' || self->session == NULL)
    return;
  gtk_widget_set_sensitive (GTK_WIDGET (self->entry), FALSE);
  self->adding = TRUE;
  start_work (self, ADD, 0, text);
}

static void
plumb_note_list_dispose (GObject *object)
{
  PlumbNoteList *self = PLUMB_NOTE_LIST (object);

  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_object (&self->session);
  g_clear_pointer (&self->table, g_free);
  g_clear_pointer (&self->notes, g_ptr_array_unref);
  adw_bin_set_child (ADW_BIN (self), NULL);
  gtk_widget_dispose_template (GTK_WIDGET (self), PLUMB_TYPE_NOTE_LIST);
  G_OBJECT_CLASS (plumb_note_list_parent_class)->dispose (object);
}

static void
plumb_note_list_class_init (PlumbNoteListClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = plumb_note_list_dispose;

  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/plumbline/Plumbline/ui/plumb-note-list.ui");
  gtk_widget_class_bind_template_child (widget_class, PlumbNoteList, content);
  gtk_widget_class_bind_template_child (widget_class, PlumbNoteList, entry);
  gtk_widget_class_bind_template_child (widget_class, PlumbNoteList, error_label);
  gtk_widget_class_bind_template_child (widget_class, PlumbNoteList, list);
  gtk_widget_class_bind_template_child (widget_class, PlumbNoteList, retired_button);
  gtk_widget_class_bind_template_child (widget_class, PlumbNoteList, hint);
  gtk_widget_class_bind_template_callback (widget_class, on_add);
  gtk_widget_class_bind_template_callback (widget_class, show_notes);
}

static void
plumb_note_list_init (PlumbNoteList *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  plumb_accessible_name_buttons (GTK_WIDGET (self));
}

/** plumb_note_list_set_table: shows the notes on @table */
void
plumb_note_list_set_table (PlumbNoteList *self, PlumbSession *session, const char *table)
{
  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  self->cancellable = g_cancellable_new ();
  g_set_object (&self->session, session);
  /* A half-written note belongs to the table that it was begun for. */
  if (g_strcmp0 (self->table, table) != 0)
    gtk_editable_set_text (GTK_EDITABLE (self->entry), "");
  g_free (self->table);
  self->table = g_strdup (table);
  self->adding = FALSE;
  gtk_widget_set_sensitive (GTK_WIDGET (self->entry), TRUE);
  gtk_widget_set_visible (GTK_WIDGET (self->list), FALSE);
  gtk_widget_set_visible (GTK_WIDGET (self->retired_button), FALSE);
  gtk_widget_set_visible (GTK_WIDGET (self->error_label), FALSE);
  start_work (self, READ, 0, NULL);
}
