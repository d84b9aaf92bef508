/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-application.h"

#include "plumb-config.h"
#include "plumb-settings.h"
#include "plumb-window.h"

#include <glib/gi18n-lib.h>
#include <gtksourceview/gtksource.h>

/* How long the program waits at its end for the servers to be told. */
#define STOP_PATIENCE_MS 6000

struct _PlumbApplication {
  AdwApplication parent_instance;

  gboolean demo;
  char *index_path;
  char *role;
  GSettings *settings;
  PlumbSession *session;
};

G_DEFINE_FINAL_TYPE (PlumbApplication, plumb_application, ADW_TYPE_APPLICATION)

static PlumbWindow *
get_window (PlumbApplication *self)
{
  GList *windows = gtk_application_get_windows (GTK_APPLICATION (self));

  for (GList *link = windows; link != NULL; link = link->next) {
    if (PLUMB_IS_WINDOW (link->data))
      return link->data;
  }
  return NULL;
}

static void
open_session (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  PlumbApplication *self = source;
  PlumbSessionOptions options = { self->index_path, self->role, NULL, NULL };
  GError *error = NULL;
  PlumbSession *session = plumb_session_open (&options, &error);

  if (session != NULL)
    g_task_return_pointer (task, session, g_object_unref);
  else
    g_task_return_error (task, error);
}

static void
on_opened (GObject *source, GAsyncResult *result, gpointer user_data)
{
  PlumbApplication *self = PLUMB_APPLICATION (source);
  PlumbWindow *window = get_window (self);
  g_autoptr (GError) error = NULL;
  g_autoptr (PlumbSession) session = g_task_propagate_pointer (G_TASK (result), &error);

  g_application_release (G_APPLICATION (self));
  if (window == NULL)
    return;
  if (session == NULL) {
    plumb_window_show_error (window, self->index_path, error);
    return;
  }
  g_set_object (&self->session, session);
  plumb_window_set_session (window, session);
  if (self->demo && !plumb_session_has_demo (session))
    plumb_window_start_demo (window);
  self->demo = FALSE;
}

/* Opening can wait for another program that has the index locked, so it is no work for the main
 * loop. */
static void
start_opening (PlumbApplication *self)
{
  g_autoptr (GTask) task = g_task_new (self, NULL, on_opened, NULL);

  g_application_hold (G_APPLICATION (self));
  plumb_window_show_opening (get_window (self));
  g_task_set_source_tag (task, start_opening);
  g_task_run_in_thread (task, open_session);
}

static void
plumb_application_activate (GApplication *application)
{
  PlumbApplication *self = PLUMB_APPLICATION (application);
  PlumbWindow *window = get_window (self);

  if (window == NULL) {
    window = plumb_window_new (GTK_APPLICATION (self), self->settings);
    gtk_window_present (GTK_WINDOW (window));
    start_opening (self);
    return;
  }
  gtk_window_present (GTK_WINDOW (window));
  if (self->demo && self->session != NULL && !plumb_session_has_demo (self->session))
    plumb_window_start_demo (window);
  self->demo = FALSE;
}

static int
plumb_application_command_line (GApplication *application, GApplicationCommandLine *command_line)
{
  PlumbApplication *self = PLUMB_APPLICATION (application);
  GVariantDict *options = g_application_command_line_get_options_dict (command_line);
  const char *role = NULL;
  const char *index_path = NULL;

  g_variant_dict_lookup (options, "role", "&s", &role);
  g_variant_dict_lookup (options, "index", "^&ay", &index_path);
  /* The session is one; a second start with other options only brings the window forward. */
  if (self->session == NULL) {
    g_free (self->role);
    self->role = g_strdup (role);
    g_free (self->index_path);
    self->index_path = index_path != NULL
                           ? g_canonicalize_filename (
                                 index_path, g_application_command_line_get_cwd (command_line))
                           : NULL;
  }
  self->demo = g_variant_dict_contains (options, "demo");
  g_application_activate (application);
  return 0;
}

static int
plumb_application_handle_local_options (GApplication *application, GVariantDict *options)
{
  if (!g_variant_dict_contains (options, "version"))
    return -1;
  g_print ("plumbline %s\n", PLUMB_VERSION);
  return 0;
}

static void
about (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  PlumbApplication *self = user_data;

  adw_show_about_window (
      gtk_application_get_active_window (GTK_APPLICATION (self)), "application-name",
      _("Plumbline"), "application-icon", PLUMB_APPLICATION_ID, "version", PLUMB_VERSION,
      "developer-name", _("The Plumbline authors"), "comments",
      _("Ask your databases in plain words, and see what each number rests on."), "license-type",
      GTK_LICENSE_GPL_3_0,
      /* Translators: your names, one a line. */
      "translator-credits", _("translator-credits"), NULL);
}

/* Windows are closed rather than the main loop ended, so that what runs is stopped at the
 * server. */
static void
quit (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  PlumbApplication *self = user_data;
  g_autoptr (GList) windows = g_list_copy (gtk_application_get_windows (GTK_APPLICATION (self)));

  for (GList *link = windows; link != NULL; link = link->next)
    gtk_window_close (link->data);
}

static void
reopen (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  PlumbApplication *self = user_data;

  if (self->session == NULL)
    start_opening (self);
  else if (get_window (self) != NULL)
    plumb_window_set_session (get_window (self), self->session);
}

static void
set_accels (GtkApplication *application)
{
  static const struct {
    const char *action;
    const char *accels[3];
  } keys[] = {
    { "app.quit", { "<Control>q" } },
    { "window.close", { "<Control>w" } },
    { "win.new-conversation", { "<Control>n" } },
    { "win.focus-question", { "<Control>l" } },
    { "win.toggle-sidebar", { "F9" } },
    { "win.toggle-panel", { "<Shift>F9" } },
    { "win.panel-page::tables", { "<Alt>1" } },
    { "win.panel-page::card", { "<Alt>2" } },
    { "win.panel-page::joins", { "<Alt>3" } },
    { "win.panel-page::sql", { "<Alt>4" } },
    { "win.sources", { "<Control>d" } },
    { "win.questions", { "<Control>k" } },
    { "win.history", { "<Control>h" } },
    { "win.preferences", { "<Control>comma" } },
    { "win.show-help-overlay", { "<Control>question", "F1" } },
  };

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    gtk_application_set_accels_for_action (application, keys[i].action, keys[i].accels);
}

static void
plumb_application_startup (GApplication *application)
{
  static const GActionEntry entries[] = {
    { "about", about },
    { "quit", quit },
    { "reopen", reopen },
  };
  PlumbApplication *self = PLUMB_APPLICATION (application);

  G_APPLICATION_CLASS (plumb_application_parent_class)->startup (application);
  gtk_source_init ();
  gtk_window_set_default_icon_name (PLUMB_APPLICATION_ID);
  /* Text that can be selected gets the focus on the way; that alone doesn't mark all of it. */
  g_object_set (gtk_settings_get_default (), "gtk-label-select-on-focus", FALSE, NULL);
  self->settings = plumb_settings_open ();
  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
  set_accels (GTK_APPLICATION (self));
}

/* What closing the windows cancelled is on its way to the servers in threads, and so may be an
 * analysis that no window stands for. */
static void
plumb_application_shutdown (GApplication *application)
{
  PlumbApplication *self = PLUMB_APPLICATION (application);

  if (self->session != NULL)
    plumb_session_stop_work (self->session, STOP_PATIENCE_MS);
  G_APPLICATION_CLASS (plumb_application_parent_class)->shutdown (application);
}

static void
plumb_application_finalize (GObject *object)
{
  PlumbApplication *self = PLUMB_APPLICATION (object);

  g_free (self->index_path);
  g_free (self->role);
  g_clear_object (&self->settings);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (plumb_application_parent_class)->finalize (object);
}

static void
plumb_application_class_init (PlumbApplicationClass *klass)
{
  GApplicationClass *application_class = G_APPLICATION_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = plumb_application_finalize;
  application_class->activate = plumb_application_activate;
  application_class->startup = plumb_application_startup;
  application_class->shutdown = plumb_application_shutdown;
  application_class->command_line = plumb_application_command_line;
  application_class->handle_local_options = plumb_application_handle_local_options;
}

static void
plumb_application_init (PlumbApplication *self)
{
  const GOptionEntry options[] = {
    { "demo", 0, 0, G_OPTION_ARG_NONE, NULL, N_("Build the demo databases where they are missing"),
      NULL },
    { "index", 0, 0, G_OPTION_ARG_FILENAME, NULL, N_("Use another index"), N_("FILE") },
    { "role", 0, 0, G_OPTION_ARG_STRING, NULL, N_("Work in an access role"), N_("NAME") },
    { "version", 0, 0, G_OPTION_ARG_NONE, NULL, N_("Show the version"), NULL },
    { NULL },
  };

  g_application_add_main_option_entries (G_APPLICATION (self), options);
}

/** plumb_application_new: Returns: (transfer full): the program */
PlumbApplication *
plumb_application_new (void)
{
  return g_object_new (PLUMB_TYPE_APPLICATION, "application-id", PLUMB_APPLICATION_ID, "flags",
                       G_APPLICATION_HANDLES_COMMAND_LINE, "resource-base-path",
                       "/io/github/plumbline/Plumbline", NULL);
}
