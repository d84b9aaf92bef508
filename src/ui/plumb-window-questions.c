/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-window-private.h"

#include "plumb-questions-window.h"
#include "plumb-toast.h"

#include <glib/gi18n-lib.h>

/* After an edit search is run on the questions whose tables are known, and a person is told where it
 * got worse: whoever wrote a note to help one question sees what it did to the others. */

static gpointer
run_questions (PlumbSession *session, gpointer data, GCancellable *cancellable, GError **error)
{
  return plumb_session_run_questions (session, NULL, NULL, NULL, cancellable, error);
}

static void
on_run (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (PlumbWindow) self = user_data;
  g_autoptr (GPtrArray) questions = plumb_session_run_finish (PLUMB_SESSION (source), result, NULL);
  g_autofree char *text = NULL;
  AdwToast *toast;
  guint n_worse = 0;

  for (guint i = 0; questions != NULL && i < questions->len; i++) {
    const PlumbKnownQuestion *question = g_ptr_array_index (questions, i);

    n_worse += question->was_complete && !plumb_known_question_is_complete (question);
  }
  if (n_worse == 0 || self->session == NULL)
    return;
  text = g_strdup_printf (ngettext ("%u known question no longer finds its tables.",
                                    "%u known questions no longer find their tables.", n_worse),
                          n_worse);
  toast = plumb_toast_new (text);
  adw_toast_set_button_label (toast, _("_Show"));
  adw_toast_set_action_name (toast, "win.questions");
  adw_toast_overlay_add_toast (self->toasts, toast);
}

/** plumb_window_run_questions: runs search on the known questions and tells where it got worse */
void
plumb_window_run_questions (PlumbWindow *self)
{
  if (self->session != NULL)
    plumb_session_run_async (self->session, run_questions, NULL, NULL,
                             (GDestroyNotify) g_ptr_array_unref, self->cancellable, on_run,
                             g_object_ref (self));
}

/** plumb_window_show_questions: opens the window on the known questions */
void
plumb_window_show_questions (PlumbWindow *self)
{
  GtkWidget *window = plumb_questions_window_new (self->session);

  gtk_window_set_transient_for (GTK_WINDOW (window), GTK_WINDOW (self));
  gtk_window_set_modal (GTK_WINDOW (window), TRUE);
  gtk_window_present (GTK_WINDOW (window));
}
