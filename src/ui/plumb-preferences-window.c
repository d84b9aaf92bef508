/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-preferences-window.h"

#include "plumb-accessible.h"
#include "plumb-endpoint-group.h"
#include "plumb-wording.h"

#include <glib/gi18n-lib.h>

/* Models of a server that the menu lists. */
#define MODELS_SHOWN 200

struct _PlumbPreferencesWindow {
  AdwPreferencesWindow parent_instance;

  PlumbSession *session;
  GCancellable *cancellable;
  gboolean busy;
  gboolean filling;

  AdwPreferencesGroup *choice_group;
  GtkCheckButton *planner_check;
  GtkCheckButton *endpoint_check;
  GtkWidget *servers_group;
  GtkListBox *servers;
  GtkWidget *endpoint_group;
  AdwEntryRow *address_row;
  AdwEntryRow *key_row;
  AdwEntryRow *model_row;
  GtkMenuButton *models_button;
  GtkLabel *status_label;
  GtkSpinner *spinner;
  GtkWidget *test_button;
  GtkWidget *save_button;
  PlumbEndpointGroup *embedding_group;
  PlumbEndpointGroup *rerank_group;
  GtkWidget *limits_page;
  GtkSpinButton *seconds_spin;
  GtkSpinButton *rows_spin;
};

G_DEFINE_FINAL_TYPE (PlumbPreferencesWindow, plumb_preferences_window, ADW_TYPE_PREFERENCES_WINDOW)

static char *
get_text (AdwEntryRow *row)
{
  return g_strstrip (g_strdup (gtk_editable_get_text (GTK_EDITABLE (row))));
}

static void
show_status (PlumbPreferencesWindow *self, const char *text, const char *css_class)
{
  const char *classes[] = { css_class, NULL };

  gtk_widget_set_visible (GTK_WIDGET (self->status_label), text != NULL);
  gtk_label_set_text (self->status_label, text != NULL ? text : "");
  gtk_widget_set_css_classes (GTK_WIDGET (self->status_label), classes);
}

static void
update (PlumbPreferencesWindow *self)
{
  gboolean endpoint = gtk_check_button_get_active (self->endpoint_check);
  g_autofree char *address = get_text (self->address_row);
  g_autofree char *model = get_text (self->model_row);

  gtk_widget_set_visible (self->endpoint_group, endpoint);
  gtk_widget_set_visible (self->servers_group, endpoint && gtk_widget_get_first_child (
                                                               GTK_WIDGET (self->servers)) != NULL);
  gtk_widget_set_visible (self->test_button, endpoint);
  gtk_widget_set_sensitive (self->test_button, !self->busy && address[0] != '\0');
  gtk_widget_set_sensitive (self->save_button,
                            !self->busy && (!endpoint || (address[0] != '\0' && model[0] != '\0')));
  gtk_widget_set_visible (GTK_WIDGET (self->spinner), self->busy);
  gtk_spinner_set_spinning (self->spinner, self->busy);
}

static void
on_choice_changed (PlumbPreferencesWindow *self)
{
  if (!self->filling)
    show_status (self, NULL, NULL);
  update (self);
}

static void
on_changed (PlumbPreferencesWindow *self)
{
  if (!self->filling)
    show_status (self, NULL, NULL);
  update (self);
}

static void
set_busy (PlumbPreferencesWindow *self, gboolean busy)
{
  self->busy = busy;
  update (self);
}

/* What the thread needs, copied from the fields. A key that wasn't typed anew stays as it is. */
typedef struct {
  char *address;
  char *model;
  char *key;
} ModelWork;

static void
model_work_free (gpointer pointer)
{
  ModelWork *work = pointer;

  g_free (work->address);
  g_free (work->model);
  g_free (work->key);
  g_free (work);
}

static ModelWork *
model_work_new (PlumbPreferencesWindow *self)
{
  ModelWork *work = g_new0 (ModelWork, 1);
  const char *key = gtk_editable_get_text (GTK_EDITABLE (self->key_row));
  gboolean endpoint = gtk_check_button_get_active (self->endpoint_check);

  work->address = endpoint ? get_text (self->address_row) : g_strdup ("");
  work->model = endpoint ? get_text (self->model_row) : g_strdup ("");
  work->key = key[0] != '\0' ? g_strdup (key) : NULL;
  return work;
}

static void
choose_model (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  PlumbPreferencesWindow *self = user_data;

  gtk_editable_set_text (GTK_EDITABLE (self->model_row), g_variant_get_string (parameter, NULL));
}

static void
show_models (PlumbPreferencesWindow *self, const char *const *models)
{
  g_autoptr (GMenu) menu = g_menu_new ();
  guint n = g_strv_length ((GStrv) models);

  for (guint i = 0; i < MIN (n, MODELS_SHOWN); i++) {
    g_autoptr (GMenuItem) item = g_menu_item_new (models[i], NULL);

    g_menu_item_set_action_and_target (item, "preferences.model", "s", models[i]);
    g_menu_append_item (menu, item);
  }
  gtk_menu_button_set_menu_model (self->models_button, G_MENU_MODEL (menu));
  gtk_widget_set_sensitive (GTK_WIDGET (self->models_button), n > 0);
  if (n > 0 && gtk_editable_get_text (GTK_EDITABLE (self->model_row))[0] == '\0')
    gtk_editable_set_text (GTK_EDITABLE (self->model_row), models[0]);
}

static gpointer
list_models (PlumbSession *session, gpointer data, GCancellable *cancellable, GError **error)
{
  ModelWork *work = data;

  return plumb_session_list_models (session, work->address, work->key, cancellable, error);
}

static void
on_listed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (PlumbPreferencesWindow) self = user_data;
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) models = plumb_session_run_finish (PLUMB_SESSION (source), result, &error);
  g_autofree char *text = NULL;

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED) || self->session == NULL)
    return;
  set_busy (self, FALSE);
  if (models == NULL) {
    show_status (self, error->message, "error");
    return;
  }
  show_models (self, (const char *const *) models);
  text = g_strdup_printf (ngettext ("The server answers and has %u model.",
                                    "The server answers and has %u models.",
                                    g_strv_length (models)),
                          g_strv_length (models));
  show_status (self, text, "success");
}

static void
on_test (PlumbPreferencesWindow *self)
{
  set_busy (self, TRUE);
  show_status (self, NULL, NULL);
  plumb_session_run_async (self->session, list_models, model_work_new (self), model_work_free,
                           (GDestroyNotify) g_strfreev, self->cancellable, on_listed,
                           g_object_ref (self));
}

static gpointer
set_model (PlumbSession *session, gpointer data, GCancellable *cancellable, GError **error)
{
  ModelWork *work = data;

  return GINT_TO_POINTER (
      plumb_session_set_model (session, work->address, work->model, work->key, error));
}

static void
on_saved (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (PlumbPreferencesWindow) self = user_data;
  g_autoptr (GError) error = NULL;

  plumb_session_run_finish (PLUMB_SESSION (source), result, &error);
  if (self->session == NULL || g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  set_busy (self, FALSE);
  if (error != NULL)
    show_status (self, error->message, "error");
  else
    show_status (self, _("Saved. The next question is answered by it."), "success");
}

static void
on_save (PlumbPreferencesWindow *self)
{
  set_busy (self, TRUE);
  show_status (self, NULL, NULL);
  plumb_session_run_async (self->session, set_model, model_work_new (self), model_work_free, NULL,
                           self->cancellable, on_saved, g_object_ref (self));
}

static void
on_server_activated (GtkListBox *list, GtkListBoxRow *row, PlumbPreferencesWindow *self)
{
  const char *const *models = g_object_get_data (G_OBJECT (row), "models");

  gtk_editable_set_text (GTK_EDITABLE (self->address_row),
                         g_object_get_data (G_OBJECT (row), "address"));
  gtk_editable_set_text (GTK_EDITABLE (self->model_row), "");
  show_models (self, models);
}

static void
append_server (PlumbPreferencesWindow *self, const PlumbFoundServer *server)
{
  GtkWidget *row = adw_action_row_new ();
  g_autofree char *models = plumb_wording_names ((const char *const *) server->models, 3);
  const char *none[] = { NULL };

  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), server->title);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row),
                               models[0] != '\0' ? models : server->base_address);
  adw_action_row_set_icon_name (ADW_ACTION_ROW (row), "network-server-symbolic");
  adw_action_row_add_suffix (ADW_ACTION_ROW (row),
                             gtk_image_new_from_icon_name ("go-next-symbolic"));
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), TRUE);
  g_object_set_data_full (G_OBJECT (row), "address", g_strdup (server->base_address), g_free);
  g_object_set_data_full (G_OBJECT (row), "models",
                          g_strdupv (server->models != NULL ? server->models : (GStrv) none),
                          (GDestroyNotify) g_strfreev);
  gtk_list_box_append (self->servers, row);
}

static gpointer
discover (PlumbSession *session, gpointer data, GCancellable *cancellable, GError **error)
{
  return plumb_session_discover_models (session, cancellable);
}

static void
on_discovered (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (PlumbPreferencesWindow) self = user_data;
  g_autoptr (GPtrArray) servers = plumb_session_run_finish (PLUMB_SESSION (source), result, NULL);

  if (servers == NULL || self->session == NULL)
    return;
  for (guint i = 0; i < servers->len; i++) {
    append_server (self, g_ptr_array_index (servers, i));
    plumb_endpoint_group_offer_server (self->embedding_group, g_ptr_array_index (servers, i));
    plumb_endpoint_group_offer_server (self->rerank_group, g_ptr_array_index (servers, i));
  }
  update (self);
}

static gpointer
get_model (PlumbSession *session, gpointer data, GCancellable *cancellable, GError **error)
{
  return plumb_session_get_model (session);
}

static void
on_model_read (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (PlumbPreferencesWindow) self = user_data;
  g_autoptr (PlumbModelSettings)
      model = plumb_session_run_finish (PLUMB_SESSION (source), result, NULL);

  if (model == NULL || self->session == NULL)
    return;
  self->filling = TRUE;
  gtk_check_button_set_active (model->is_planner ? self->planner_check : self->endpoint_check,
                               TRUE);
  gtk_editable_set_text (GTK_EDITABLE (self->address_row),
                         model->base_address != NULL ? model->base_address : "");
  gtk_editable_set_text (GTK_EDITABLE (self->model_row), model->model != NULL ? model->model : "");
  if (model->has_key)
    adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self->key_row),
                                   _("Key (there is one; type to replace it)"));
  if (model->from_environment)
    adw_preferences_group_set_description (
        self->choice_group,
        _("The model is set by environment variables, which win over what is set here."));
  self->filling = FALSE;
  update (self);
}

static void
plumb_preferences_window_dispose (GObject *object)
{
  PlumbPreferencesWindow *self = PLUMB_PREFERENCES_WINDOW (object);

  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_object (&self->session);
  gtk_widget_dispose_template (GTK_WIDGET (self), PLUMB_TYPE_PREFERENCES_WINDOW);
  G_OBJECT_CLASS (plumb_preferences_window_parent_class)->dispose (object);
}

static void
bind_children (GtkWidgetClass *widget_class)
{
  gtk_widget_class_bind_template_child (widget_class, PlumbPreferencesWindow, choice_group);
  gtk_widget_class_bind_template_child (widget_class, PlumbPreferencesWindow, planner_check);
  gtk_widget_class_bind_template_child (widget_class, PlumbPreferencesWindow, endpoint_check);
  gtk_widget_class_bind_template_child (widget_class, PlumbPreferencesWindow, servers_group);
  gtk_widget_class_bind_template_child (widget_class, PlumbPreferencesWindow, servers);
  gtk_widget_class_bind_template_child (widget_class, PlumbPreferencesWindow, endpoint_group);
  gtk_widget_class_bind_template_child (widget_class, PlumbPreferencesWindow, address_row);
  gtk_widget_class_bind_template_child (widget_class, PlumbPreferencesWindow, key_row);
  gtk_widget_class_bind_template_child (widget_class, PlumbPreferencesWindow, model_row);
  gtk_widget_class_bind_template_child (widget_class, PlumbPreferencesWindow, models_button);
  gtk_widget_class_bind_template_child (widget_class, PlumbPreferencesWindow, status_label);
  gtk_widget_class_bind_template_child (widget_class, PlumbPreferencesWindow, spinner);
  gtk_widget_class_bind_template_child (widget_class, PlumbPreferencesWindow, test_button);
  gtk_widget_class_bind_template_child (widget_class, PlumbPreferencesWindow, save_button);
  gtk_widget_class_bind_template_child (widget_class, PlumbPreferencesWindow, embedding_group);
  gtk_widget_class_bind_template_child (widget_class, PlumbPreferencesWindow, rerank_group);
  gtk_widget_class_bind_template_child (widget_class, PlumbPreferencesWindow, limits_page);
  gtk_widget_class_bind_template_child (widget_class, PlumbPreferencesWindow, seconds_spin);
  gtk_widget_class_bind_template_child (widget_class, PlumbPreferencesWindow, rows_spin);
}

static void
plumb_preferences_window_class_init (PlumbPreferencesWindowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = plumb_preferences_window_dispose;

  g_type_ensure (PLUMB_TYPE_ENDPOINT_GROUP);
  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/plumbline/Plumbline/ui/plumb-preferences-window.ui");
  bind_children (widget_class);
  gtk_widget_class_bind_template_callback (widget_class, on_choice_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_server_activated);
  gtk_widget_class_bind_template_callback (widget_class, on_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_test);
  gtk_widget_class_bind_template_callback (widget_class, on_save);
}

static void
plumb_preferences_window_init (PlumbPreferencesWindow *self)
{
  static const GActionEntry entries[] = { { "model", choose_model, "s" } };
  g_autoptr (GSimpleActionGroup) actions = g_simple_action_group_new ();

  gtk_widget_init_template (GTK_WIDGET (self));
  plumb_accessible_name_buttons (GTK_WIDGET (self));
  self->cancellable = g_cancellable_new ();
  g_action_map_add_action_entries (G_ACTION_MAP (actions), entries, G_N_ELEMENTS (entries), self);
  gtk_widget_insert_action_group (GTK_WIDGET (self), "preferences", G_ACTION_GROUP (actions));
  update (self);
}

/** plumb_preferences_window_new: Returns: a window on the settings; @settings may be %NULL */
GtkWidget *
plumb_preferences_window_new (PlumbSession *session, GSettings *settings)
{
  PlumbPreferencesWindow *self = g_object_new (PLUMB_TYPE_PREFERENCES_WINDOW, NULL);

  self->session = g_object_ref (session);
  plumb_endpoint_group_set_up (self->embedding_group, session, PLUMB_ENDPOINT_EMBEDDING);
  plumb_endpoint_group_set_up (self->rerank_group, session, PLUMB_ENDPOINT_RERANK);
  if (settings != NULL) {
    g_settings_bind (settings, "query-seconds", self->seconds_spin, "value",
                     G_SETTINGS_BIND_DEFAULT);
    g_settings_bind (settings, "query-rows", self->rows_spin, "value", G_SETTINGS_BIND_DEFAULT);
  } else {
    gtk_widget_set_sensitive (self->limits_page, FALSE);
  }
  plumb_session_run_async (session, get_model, NULL, NULL,
                           (GDestroyNotify) plumb_model_settings_free, self->cancellable,
                           on_model_read, g_object_ref (self));
  plumb_session_run_async (session, discover, NULL, NULL, (GDestroyNotify) g_ptr_array_unref,
                           self->cancellable, on_discovered, g_object_ref (self));
  return GTK_WIDGET (self);
}
