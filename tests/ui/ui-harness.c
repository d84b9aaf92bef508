/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "ui-harness.h"

#include "plumb-resources.h"
#include "plumb-settings.h"

#include <glib/gstdio.h>
#include <string.h>

/* Seconds that anything may take on a busy machine. */
#define PATIENCE 120

static char *folder;
static PlumbApplication *application;

static void
set_folder (const char *variable, const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);

  g_mkdir_with_parents (path, 0700);
  g_setenv (variable, path, TRUE);
}

void
ui_harness_init (int *argc, char ***argv)
{
  folder = g_dir_make_tmp ("plumbline-ui-XXXXXX", NULL);
  g_assert_nonnull (folder);
  set_folder ("XDG_DATA_HOME", "data");
  set_folder ("XDG_CONFIG_HOME", "config");
  set_folder ("XDG_CACHE_HOME", "cache");
  set_folder ("XDG_STATE_HOME", "state");
  g_setenv ("PLUMBLINE_NOW", "2026-11-30", FALSE);
  g_unsetenv ("PLUMBLINE_MODEL_URL");
  g_unsetenv ("PLUMBLINE_INDEX");
  g_test_init (argc, argv, NULL);
  gtk_init ();
  g_resources_register (plumb_resources_get_resource ());
}

char *
ui_harness_data_path (const char *name)
{
  return g_build_filename (folder, "data", name, NULL);
}

PlumbApplication *
ui_harness_application (void)
{
  g_autoptr (GError) error = NULL;

  if (application != NULL)
    return application;
  application = plumb_application_new ();
  g_application_set_flags (G_APPLICATION (application),
                           G_APPLICATION_HANDLES_COMMAND_LINE | G_APPLICATION_NON_UNIQUE);
  g_application_register (G_APPLICATION (application), NULL, &error);
  g_assert_no_error (error);
  g_application_set_default (G_APPLICATION (application));
  return application;
}

PlumbSession *
ui_harness_session (void)
{
  g_autoptr (GError) error = NULL;
  PlumbSessionOptions options = { NULL, NULL, NULL, NULL };
  PlumbSession *session = plumb_session_open (&options, &error);

  g_assert_no_error (error);
  return session;
}

PlumbSession *
ui_harness_demo_session (void)
{
  PlumbSession *session = ui_harness_session ();
  g_autoptr (GPtrArray) sources = NULL;
  g_autoptr (GError) error = NULL;

  if (!plumb_session_has_demo (session))
    plumb_session_add_demo (session, NULL, &error);
  g_assert_no_error (error);
  sources = plumb_session_list_sources (session, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < sources->len; i++) {
    const PlumbSourceRecord *source = g_ptr_array_index (sources, i);
    g_autoptr (PlumbAnalysisReport) report = NULL;

    if (source->analyzed_at != 0)
      continue;
    report = plumb_session_analyze (session, source->name, FALSE, FALSE, NULL, NULL, NULL, &error);
    g_assert_no_error (error);
  }
  return session;
}

PlumbWindow *
ui_harness_window (PlumbSession *session, int width, int height)
{
  g_autoptr (GSettings) settings = plumb_settings_open ();
  PlumbWindow *window;

  if (settings != NULL) {
    g_settings_set_int (settings, "window-width", width);
    g_settings_set_int (settings, "window-height", height);
  }
  window = plumb_window_new (GTK_APPLICATION (ui_harness_application ()), settings);
  gtk_window_set_default_size (GTK_WINDOW (window), width, height);
  if (session != NULL)
    plumb_window_set_session (window, session);
  gtk_window_present (GTK_WINDOW (window));
  ui_settle ();
  return window;
}

void
ui_harness_close (PlumbWindow *window)
{
  gtk_window_close (GTK_WINDOW (window));
  ui_settle ();
}

static gboolean
on_timeout (gpointer data)
{
  *(gboolean *) data = TRUE;
  return G_SOURCE_CONTINUE;
}

void
ui_wait (UiCondition condition, gpointer data, const char *what)
{
  gboolean late = FALSE;
  guint timeout = g_timeout_add_seconds (PATIENCE, on_timeout, &late);

  while (!condition (data) && !late)
    g_main_context_iteration (NULL, TRUE);
  g_source_remove (timeout);
  if (late)
    g_error ("Waited too long for: %s", what);
}

/* Long enough for what was started to be laid out and for animations to end. */
void
ui_settle (void)
{
  gboolean over = FALSE;
  guint timeout = g_timeout_add (700, on_timeout, &over);

  while (!over)
    g_main_context_iteration (NULL, TRUE);
  g_source_remove (timeout);
}

GtkWidget *
ui_find (gpointer root, UiMatch match, gconstpointer data)
{
  if (match (root, data))
    return root;
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL;
       child = gtk_widget_get_next_sibling (child)) {
    GtkWidget *found = ui_find (child, match, data);

    if (found != NULL)
      return found;
  }
  return NULL;
}

static gboolean
is_type (GtkWidget *widget, gconstpointer data)
{
  return g_type_is_a (G_OBJECT_TYPE (widget), GPOINTER_TO_SIZE (data));
}

GtkWidget *
ui_find_type (gpointer root, GType type)
{
  return ui_find (root, is_type, GSIZE_TO_POINTER (type));
}

static gboolean
is_label (GtkWidget *widget, gconstpointer data)
{
  return GTK_IS_LABEL (widget) && gtk_widget_get_mapped (widget) &&
         strstr (gtk_label_get_text (GTK_LABEL (widget)), data) != NULL;
}

GtkWidget *
ui_find_label (gpointer root, const char *part)
{
  return ui_find (root, is_label, part);
}

static gboolean
is_button (GtkWidget *widget, gconstpointer data)
{
  const char *label, *tooltip;

  if (!GTK_IS_BUTTON (widget) || !gtk_widget_get_mapped (widget))
    return FALSE;
  label = gtk_button_get_label (GTK_BUTTON (widget));
  tooltip = gtk_widget_get_tooltip_text (widget);
  return g_strcmp0 (label, data) == 0 || g_strcmp0 (tooltip, data) == 0;
}

GtkWidget *
ui_find_button (gpointer root, const char *label_or_tooltip)
{
  return ui_find (root, is_button, label_or_tooltip);
}

void
ui_click (GtkWidget *button)
{
  g_assert_true (GTK_IS_BUTTON (button));
  g_assert_true (gtk_widget_is_sensitive (button));
  g_signal_emit_by_name (button, "clicked");
}

guint
ui_count_type (gpointer root, GType type)
{
  guint n = g_type_is_a (G_OBJECT_TYPE (root), type) ? 1 : 0;

  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    n += ui_count_type (child, type);
  return n;
}

static void
on_process_ended (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (GError) error = NULL;

  g_subprocess_wait_check_finish (G_SUBPROCESS (source), result, &error);
  g_assert_no_error (error);
  *(gboolean *) data = TRUE;
}

static gboolean
is_set (gpointer data)
{
  return *(gboolean *) data;
}

static void
run_xdotool (const char *const *arguments)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GSubprocess) process = NULL;
  gboolean ended = FALSE;

  process = g_subprocess_newv (arguments, G_SUBPROCESS_FLAGS_STDOUT_SILENCE, &error);
  g_assert_no_error (error);
  g_subprocess_wait_check_async (process, NULL, on_process_ended, &ended);
  ui_wait (is_set, &ended, "xdotool");
  ui_settle ();
}

/* There is no window manager to give the window the keyboard. */
void
ui_focus_window (PlumbWindow *window)
{
  g_autofree char *title = g_strdup_printf ("^%s$", gtk_window_get_title (GTK_WINDOW (window)));
  const char *const arguments[] = { "xdotool", "search",      "--onlyvisible", "--name",
                                    title,     "windowfocus", "--sync",        NULL };

  run_xdotool (arguments);
}

void
ui_key (const char *key)
{
  const char *const arguments[] = { "xdotool", "key", "--delay", "40", key, NULL };

  run_xdotool (arguments);
}

void
ui_type (const char *text)
{
  const char *const arguments[] = { "xdotool", "type", "--delay", "8", text, NULL };

  run_xdotool (arguments);
}

void
ui_screenshot (gpointer window, const char *name)
{
  const char *target = g_getenv ("PLUMBLINE_SCREENSHOT_DIR");
  g_autoptr (GdkPaintable) paintable = NULL;
  g_autoptr (GtkSnapshot) snapshot = NULL;
  g_autoptr (GskRenderNode) node = NULL;
  g_autoptr (GdkTexture) texture = NULL;
  g_autofree char *file = NULL;
  g_autofree char *path = NULL;
  int width, height;

  ui_settle ();
  if (target == NULL)
    return;
  width = gtk_widget_get_width (window);
  height = gtk_widget_get_height (window);
  paintable = gtk_widget_paintable_new (window);
  snapshot = gtk_snapshot_new ();
  gdk_paintable_snapshot (paintable, snapshot, width, height);
  node = gtk_snapshot_to_node (snapshot);
  texture = gsk_renderer_render_texture (gtk_native_get_renderer (GTK_NATIVE (window)), node,
                                         &GRAPHENE_RECT_INIT (0, 0, width, height));
  file = g_strconcat (name, ".png", NULL);
  path = g_build_filename (target, file, NULL);
  g_mkdir_with_parents (target, 0755);
  g_assert_true (gdk_texture_save_to_png (texture, path));
}
