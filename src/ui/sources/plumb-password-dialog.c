/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-password-dialog.h"

#include "plumb-accessible.h"

struct _PlumbPasswordDialog {
  AdwWindow parent_instance;

  PlumbSession *session;
  GCancellable *cancellable;
  char *name;

  GtkWidget *save_button;
  AdwPreferencesGroup *group;
  AdwEntryRow *password_row;
  GtkSpinner *spinner;
  GtkLabel *error_label;
};

enum {
  STORED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (PlumbPasswordDialog, plumb_password_dialog, ADW_TYPE_WINDOW)

static void
show_error (PlumbPasswordDialog *self, const char *text)
{
  gtk_widget_set_visible (GTK_WIDGET (self->error_label), text != NULL);
  gtk_label_set_text (self->error_label, text != NULL ? text : "");
}

static void
update (PlumbPasswordDialog *self)
{
  gboolean busy = self->cancellable != NULL;
  const char *password = gtk_editable_get_text (GTK_EDITABLE (self->password_row));

  gtk_widget_set_sensitive (self->save_button, !busy && password[0] != '\0');
  gtk_widget_set_sensitive (GTK_WIDGET (self->password_row), !busy);
  gtk_widget_set_visible (GTK_WIDGET (self->spinner), busy);
  gtk_spinner_set_spinning (self->spinner, busy);
}

/* What the thread needs, and what it found. */
typedef struct {
  char *name;
  char *password;
} PasswordWork;

static void
password_work_free (gpointer pointer)
{
  PasswordWork *work = pointer;

  g_free (work->name);
  g_free (work->password);
  g_free (work);
}

/* Gives the warning, "" where there is none. */
static gpointer
set_password (PlumbSession *session, gpointer data, GCancellable *cancellable, GError **error)
{
  PasswordWork *work = data;
  char *warning;

  if (!plumb_session_set_password (session, work->name, work->password, &warning, cancellable,
                                   error))
    return NULL;
  return warning != NULL ? warning : g_strdup ("");
}

static void
on_set (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (PlumbPasswordDialog) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autofree char *warning = plumb_session_run_finish (PLUMB_SESSION (source), result, &error);

  if (self->session == NULL || g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  g_clear_object (&self->cancellable);
  update (self);
  if (warning == NULL) {
    show_error (self, error->message);
    gtk_widget_grab_focus (GTK_WIDGET (self->password_row));
    return;
  }
  g_signal_emit (self, signals[STORED], 0, warning[0] != '\0' ? warning : NULL);
  gtk_window_close (GTK_WINDOW (self));
}

static void
on_save (PlumbPasswordDialog *self)
{
  PasswordWork *work = g_new0 (PasswordWork, 1);

  work->name = g_strdup (self->name);
  work->password = g_strdup (gtk_editable_get_text (GTK_EDITABLE (self->password_row)));
  self->cancellable = g_cancellable_new ();
  show_error (self, NULL);
  update (self);
  plumb_session_run_async (self->session, set_password, work, password_work_free, g_free,
                           self->cancellable, on_set, g_object_ref (self));
}

static void
on_changed (PlumbPasswordDialog *self)
{
  update (self);
}

static void
plumb_password_dialog_dispose (GObject *object)
{
  PlumbPasswordDialog *self = PLUMB_PASSWORD_DIALOG (object);

  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_object (&self->session);
  g_clear_pointer (&self->name, g_free);
  gtk_widget_dispose_template (GTK_WIDGET (self), PLUMB_TYPE_PASSWORD_DIALOG);
  G_OBJECT_CLASS (plumb_password_dialog_parent_class)->dispose (object);
}

static void
plumb_password_dialog_class_init (PlumbPasswordDialogClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = plumb_password_dialog_dispose;

  signals[STORED] = g_signal_new ("stored", PLUMB_TYPE_PASSWORD_DIALOG, G_SIGNAL_RUN_LAST, 0, NULL,
                                  NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/plumbline/Plumbline/ui/plumb-password-dialog.ui");
  gtk_widget_class_bind_template_child (widget_class, PlumbPasswordDialog, save_button);
  gtk_widget_class_bind_template_child (widget_class, PlumbPasswordDialog, group);
  gtk_widget_class_bind_template_child (widget_class, PlumbPasswordDialog, password_row);
  gtk_widget_class_bind_template_child (widget_class, PlumbPasswordDialog, spinner);
  gtk_widget_class_bind_template_child (widget_class, PlumbPasswordDialog, error_label);
  gtk_widget_class_bind_template_callback (widget_class, on_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_save);
}

static void
plumb_password_dialog_init (PlumbPasswordDialog *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  plumb_accessible_name_buttons (GTK_WIDGET (self));
  update (self);
}

/**
 * plumb_password_dialog_new:
 * @name: the database's name
 * @reason: (nullable): what the server said of the password so far
 *
 * Returns: the dialog
 */
GtkWidget *
plumb_password_dialog_new (PlumbSession *session, const char *name, const char *reason)
{
  PlumbPasswordDialog *self = g_object_new (PLUMB_TYPE_PASSWORD_DIALOG, NULL);

  self->session = g_object_ref (session);
  self->name = g_strdup (name);
  adw_preferences_group_set_title (self->group, name);
  show_error (self, reason);
  return GTK_WIDGET (self);
}
