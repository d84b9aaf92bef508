/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-endpoint-group.h"

#include "plumb-accessible.h"
#include "plumb-embedding-job.h"

#include <glib/gi18n-lib.h>

struct _PlumbEndpointGroup {
  AdwPreferencesGroup parent_instance;

  PlumbSession *session;
  PlumbEndpointKind kind;
  PlumbJob *job;
  GCancellable *cancellable;
  char *found_address;
  char *found_model;
  gboolean set; /* whether an endpoint is saved */
  gboolean busy;
  gboolean filling;

  GtkWidget *use_row;
  GtkSwitch *use_switch;
  AdwComboRow *when_row;
  AdwComboRow *by_row;
  AdwActionRow *found_row;
  AdwEntryRow *address_row;
  AdwEntryRow *key_row;
  AdwEntryRow *model_row;
  AdwActionRow *state_row;
  GtkButton *job_button;
  GtkProgressBar *progress_bar;
  GtkLabel *status_label;
  GtkSpinner *spinner;
  GtkWidget *test_button;
  GtkWidget *save_button;
};

G_DEFINE_FINAL_TYPE (PlumbEndpointGroup, plumb_endpoint_group, ADW_TYPE_PREFERENCES_GROUP)

/* What the thread needs, copied from the fields, and what it found. */
typedef struct {
  PlumbEndpointKind kind;
  PlumbRerankWhen when;
  PlumbRerankBy by;
  char *address;
  char *model;
  char *key;
} Work;

static void
work_free (gpointer pointer)
{
  Work *work = pointer;

  g_free (work->address);
  g_free (work->model);
  g_free (work->key);
  g_free (work);
}

static char *
get_text (AdwEntryRow *row)
{
  return g_strstrip (g_strdup (gtk_editable_get_text (GTK_EDITABLE (row))));
}

static gboolean
is_embedding (PlumbEndpointGroup *self)
{
  return self->kind == PLUMB_ENDPOINT_EMBEDDING;
}

/* Whether what is chosen needs the address of a server. */
static gboolean
needs_server (PlumbEndpointGroup *self)
{
  return is_embedding (self)
             ? gtk_switch_get_active (self->use_switch)
             : adw_combo_row_get_selected (self->when_row) != PLUMB_RERANK_NEVER &&
                   adw_combo_row_get_selected (self->by_row) == PLUMB_RERANK_BY_ENDPOINT;
}

static Work *
work_new (PlumbEndpointGroup *self)
{
  Work *work = g_new0 (Work, 1);
  const char *key = gtk_editable_get_text (GTK_EDITABLE (self->key_row));
  gboolean server = needs_server (self) || !is_embedding (self);

  work->kind = self->kind;
  work->when = adw_combo_row_get_selected (self->when_row);
  work->by = adw_combo_row_get_selected (self->by_row);
  work->address = server ? get_text (self->address_row) : g_strdup ("");
  work->model = server ? get_text (self->model_row) : g_strdup ("");
  work->key = key[0] != '\0' ? g_strdup (key) : NULL;
  return work;
}

static void
show_status (PlumbEndpointGroup *self, const char *text, const char *css_class)
{
  const char *classes[] = { css_class, NULL };

  gtk_widget_set_visible (GTK_WIDGET (self->status_label), text != NULL);
  gtk_label_set_text (self->status_label, text != NULL ? text : "");
  gtk_widget_set_css_classes (GTK_WIDGET (self->status_label), classes);
}

static void
update (PlumbEndpointGroup *self)
{
  gboolean server = needs_server (self);
  g_autofree char *address = get_text (self->address_row);
  g_autofree char *model = get_text (self->model_row);
  gboolean whole = address[0] != '\0' && (model[0] != '\0' || !is_embedding (self));

  gtk_widget_set_visible (self->use_row, is_embedding (self));
  gtk_widget_set_visible (GTK_WIDGET (self->when_row), !is_embedding (self));
  gtk_widget_set_visible (GTK_WIDGET (self->by_row),
                          !is_embedding (self) &&
                              adw_combo_row_get_selected (self->when_row) != PLUMB_RERANK_NEVER);
  gtk_widget_set_visible (GTK_WIDGET (self->found_row), server && self->found_address != NULL);
  gtk_widget_set_visible (GTK_WIDGET (self->address_row), server);
  gtk_widget_set_visible (GTK_WIDGET (self->key_row), server);
  gtk_widget_set_visible (GTK_WIDGET (self->model_row), server);
  gtk_widget_set_visible (GTK_WIDGET (self->state_row), is_embedding (self) && server && self->set);
  gtk_widget_set_visible (self->test_button, server);
  gtk_widget_set_sensitive (self->test_button, !self->busy && whole);
  gtk_widget_set_sensitive (self->save_button, !self->busy && (!server || whole));
  gtk_widget_set_visible (GTK_WIDGET (self->spinner), self->busy);
  gtk_spinner_set_spinning (self->spinner, self->busy);
  gtk_widget_set_visible (GTK_WIDGET (self->progress_bar), self->job != NULL);
  gtk_button_set_label (self->job_button, self->job != NULL ? _("Stop") : _("Embed Now"));
}

static void
on_changed (PlumbEndpointGroup *self)
{
  if (self->filling || self->session == NULL)
    return;
  show_status (self, NULL, NULL);
  update (self);
}

static void
set_busy (PlumbEndpointGroup *self, gboolean busy)
{
  self->busy = busy;
  update (self);
}

/* Whether nobody waits for the answer any more. */
static gboolean
is_stale (PlumbEndpointGroup *self, const GError *error)
{
  return self->session == NULL || g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

static void
show_state (PlumbEndpointGroup *self, guint done, guint total)
{
  g_autofree char *text = NULL;

  if (total == 0)
    text = g_strdup (_("Nothing was analyzed yet"));
  else
    text = g_strdup_printf (ngettext ("%'u of %'u text", "%'u of %'u texts", total), done, total);
  adw_action_row_set_subtitle (self->state_row, text);
  gtk_widget_set_sensitive (GTK_WIDGET (self->job_button), self->job != NULL || done < total);
}

static gpointer
get_progress (PlumbSession *session, gpointer data, GCancellable *cancellable, GError **error)
{
  return plumb_session_get_embedding_progress (session, error);
}

static void
on_progress_read (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (PlumbEndpointGroup) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (PlumbEmbeddingProgress)
      progress = plumb_session_run_finish (PLUMB_SESSION (source), result, &error);

  if (is_stale (self, error) || progress == NULL)
    return;
  show_state (self, progress->embedded, progress->chunks);
}

static void
read_progress (PlumbEndpointGroup *self)
{
  if (is_embedding (self))
    plumb_session_run_async (self->session, get_progress, NULL, NULL,
                             (GDestroyNotify) plumb_embedding_progress_free, self->cancellable,
                             on_progress_read, g_object_ref (self));
}

static void
on_job_progress (PlumbEndpointGroup *self, const char *doing, int done, int total)
{
  if (total <= 0)
    return;
  gtk_progress_bar_set_fraction (self->progress_bar, (double) done / total);
  show_state (self, done, total);
}

static void
on_job_finished (PlumbEndpointGroup *self, GError *error)
{
  if (self->job != NULL)
    g_signal_handlers_disconnect_by_data (self->job, self);
  g_clear_object (&self->job);
  if (self->session == NULL)
    return;
  update (self);
  read_progress (self);
  if (error != NULL && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    show_status (self, error->message, "error");
}

/* Shows the job that embeds, which goes on when the window is closed. */
static void
follow_job (PlumbEndpointGroup *self, PlumbJob *job)
{
  if (job == NULL || self->job == job)
    return;
  g_set_object (&self->job, job);
  gtk_progress_bar_set_fraction (self->progress_bar, 0);
  g_signal_connect_swapped (job, "progress", G_CALLBACK (on_job_progress), self);
  g_signal_connect_swapped (job, "finished", G_CALLBACK (on_job_finished), self);
  update (self);
  gtk_widget_set_sensitive (GTK_WIDGET (self->job_button), TRUE);
}

static void
on_job_clicked (PlumbEndpointGroup *self)
{
  if (self->job != NULL)
    plumb_job_cancel (self->job);
  else
    follow_job (self, plumb_embedding_job_start (self->session));
}

static gpointer
test (PlumbSession *session, gpointer data, GCancellable *cancellable, GError **error)
{
  Work *work = data;

  return plumb_session_test_endpoint (session, work->kind, work->address, work->model, work->key,
                                      cancellable, error);
}

static void
on_tested (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (PlumbEndpointGroup) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autofree char *answer = plumb_session_run_finish (PLUMB_SESSION (source), result, &error);

  if (is_stale (self, error))
    return;
  set_busy (self, FALSE);
  show_status (self, answer != NULL ? answer : error->message,
               answer != NULL ? "success" : "error");
}

static void
on_test (PlumbEndpointGroup *self)
{
  set_busy (self, TRUE);
  show_status (self, NULL, NULL);
  plumb_session_run_async (self->session, test, work_new (self), work_free, g_free,
                           self->cancellable, on_tested, g_object_ref (self));
}

static gpointer
save (PlumbSession *session, gpointer data, GCancellable *cancellable, GError **error)
{
  Work *work = data;

  return GINT_TO_POINTER (plumb_session_set_endpoint (session, work->kind, work->address,
                                                      work->model, work->key, error) &&
                          (work->kind == PLUMB_ENDPOINT_EMBEDDING ||
                           plumb_session_set_reranking (session, work->when, work->by, error)));
}

/* With other embeddings everything is embedded anew; what was before serves until then. */
static void
on_saved (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (PlumbEndpointGroup) self = user_data;
  g_autoptr (GError) error = NULL;

  plumb_session_run_finish (PLUMB_SESSION (source), result, &error);
  if (is_stale (self, error))
    return;
  set_busy (self, FALSE);
  if (error != NULL) {
    show_status (self, error->message, "error");
    return;
  }
  self->set = needs_server (self);
  update (self);
  show_status (self, _("Saved. The next search uses it."), "success");
  if (is_embedding (self) && needs_server (self))
    follow_job (self, plumb_embedding_job_start (self->session));
}

static void
on_save (PlumbEndpointGroup *self)
{
  /* What runs embeds with the settings of before. */
  if (self->job != NULL)
    plumb_job_cancel (self->job);
  set_busy (self, TRUE);
  show_status (self, NULL, NULL);
  plumb_session_run_async (self->session, save, work_new (self), work_free, NULL, self->cancellable,
                           on_saved, g_object_ref (self));
}

static void
on_found_activated (PlumbEndpointGroup *self)
{
  gtk_editable_set_text (GTK_EDITABLE (self->address_row), self->found_address);
  gtk_editable_set_text (GTK_EDITABLE (self->model_row), self->found_model);
}

static gpointer
read_settings (PlumbSession *session, gpointer data, GCancellable *cancellable, GError **error)
{
  return plumb_session_get_endpoint (session, GPOINTER_TO_INT (data));
}

static void
fill (PlumbEndpointGroup *self, const PlumbModelSettings *settings)
{
  PlumbRerankWhen when;
  PlumbRerankBy by;

  plumb_session_get_reranking (self->session, &when, &by);
  self->set = !settings->is_planner;
  self->filling = TRUE;
  gtk_switch_set_active (self->use_switch, !settings->is_planner);
  adw_combo_row_set_selected (self->when_row, when);
  adw_combo_row_set_selected (self->by_row, by);
  gtk_editable_set_text (GTK_EDITABLE (self->address_row), settings->base_address);
  gtk_editable_set_text (GTK_EDITABLE (self->model_row), settings->model);
  if (settings->has_key)
    adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self->key_row),
                                   _("Key (there is one; type to replace it)"));
  if (settings->from_environment)
    adw_preferences_group_set_description (
        ADW_PREFERENCES_GROUP (self),
        _("The server is set by environment variables, which win over what is set here."));
  self->filling = FALSE;
  update (self);
}

static void
on_settings_read (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (PlumbEndpointGroup) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (PlumbModelSettings)
      settings = plumb_session_run_finish (PLUMB_SESSION (source), result, &error);

  if (is_stale (self, error) || settings == NULL)
    return;
  fill (self, settings);
}

static void
plumb_endpoint_group_dispose (GObject *object)
{
  PlumbEndpointGroup *self = PLUMB_ENDPOINT_GROUP (object);

  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  if (self->job != NULL)
    g_signal_handlers_disconnect_by_data (self->job, self);
  g_clear_object (&self->job);
  g_clear_object (&self->cancellable);
  g_clear_object (&self->session);
  gtk_widget_dispose_template (GTK_WIDGET (self), PLUMB_TYPE_ENDPOINT_GROUP);
  G_OBJECT_CLASS (plumb_endpoint_group_parent_class)->dispose (object);
}

static void
plumb_endpoint_group_finalize (GObject *object)
{
  PlumbEndpointGroup *self = PLUMB_ENDPOINT_GROUP (object);

  g_free (self->found_address);
  g_free (self->found_model);
  G_OBJECT_CLASS (plumb_endpoint_group_parent_class)->finalize (object);
}

static void
bind_children (GtkWidgetClass *widget_class)
{
  gtk_widget_class_bind_template_child (widget_class, PlumbEndpointGroup, use_row);
  gtk_widget_class_bind_template_child (widget_class, PlumbEndpointGroup, use_switch);
  gtk_widget_class_bind_template_child (widget_class, PlumbEndpointGroup, when_row);
  gtk_widget_class_bind_template_child (widget_class, PlumbEndpointGroup, by_row);
  gtk_widget_class_bind_template_child (widget_class, PlumbEndpointGroup, found_row);
  gtk_widget_class_bind_template_child (widget_class, PlumbEndpointGroup, address_row);
  gtk_widget_class_bind_template_child (widget_class, PlumbEndpointGroup, key_row);
  gtk_widget_class_bind_template_child (widget_class, PlumbEndpointGroup, model_row);
  gtk_widget_class_bind_template_child (widget_class, PlumbEndpointGroup, state_row);
  gtk_widget_class_bind_template_child (widget_class, PlumbEndpointGroup, job_button);
  gtk_widget_class_bind_template_child (widget_class, PlumbEndpointGroup, progress_bar);
  gtk_widget_class_bind_template_child (widget_class, PlumbEndpointGroup, status_label);
  gtk_widget_class_bind_template_child (widget_class, PlumbEndpointGroup, spinner);
  gtk_widget_class_bind_template_child (widget_class, PlumbEndpointGroup, test_button);
  gtk_widget_class_bind_template_child (widget_class, PlumbEndpointGroup, save_button);
}

static void
plumb_endpoint_group_class_init (PlumbEndpointGroupClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = plumb_endpoint_group_dispose;
  G_OBJECT_CLASS (klass)->finalize = plumb_endpoint_group_finalize;

  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/plumbline/Plumbline/ui/plumb-endpoint-group.ui");
  bind_children (widget_class);
  gtk_widget_class_bind_template_callback (widget_class, on_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_found_activated);
  gtk_widget_class_bind_template_callback (widget_class, on_job_clicked);
  gtk_widget_class_bind_template_callback (widget_class, on_test);
  gtk_widget_class_bind_template_callback (widget_class, on_save);
}

static void
plumb_endpoint_group_init (PlumbEndpointGroup *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  plumb_accessible_name_buttons (GTK_WIDGET (self));
  self->cancellable = g_cancellable_new ();
}

/** plumb_endpoint_group_set_up: shows the settings of @kind; to be called once */
void
plumb_endpoint_group_set_up (PlumbEndpointGroup *self, PlumbSession *session,
                             PlumbEndpointKind kind)
{
  self->session = g_object_ref (session);
  self->kind = kind;
  update (self);
  plumb_session_run_async (session, read_settings, GINT_TO_POINTER (kind), NULL,
                           (GDestroyNotify) plumb_model_settings_free, self->cancellable,
                           on_settings_read, g_object_ref (self));
  read_progress (self);
  if (is_embedding (self))
    follow_job (self, plumb_embedding_job_get (session));
}

/** plumb_endpoint_group_offer_server: offers a server that was found, if it has a model for this */
void
plumb_endpoint_group_offer_server (PlumbEndpointGroup *self, const PlumbFoundServer *server)
{
  for (guint i = 0; self->found_address == NULL && server->models[i] != NULL; i++) {
    const char *model = server->models[i];
    g_autofree char *title = NULL;

    if (is_embedding (self) ? !plumb_session_is_embedding_model (model)
                            : !plumb_session_is_rerank_model (model))
      continue;
    self->found_address = g_strdup (server->base_address);
    self->found_model = g_strdup (model);
    title = g_strdup_printf ("%s, %s", server->title, model);
    adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self->found_row), title);
    adw_action_row_set_subtitle (self->found_row, _("Found on this computer"));
  }
  update (self);
}
