/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-session.h"

/* The calls whose layers are not joined up yet: each says so as an error. */

static void
not_joined_up (GError **error)
{
  g_set_error_literal (error, PLUMB_ERROR, PLUMB_ERROR_FAILED, "This part of the program is not built in yet.");
}

int
plumb_session_exit_code (const GError *error)
{
  return g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED) ? 6 : 1;
}

PlumbAccountProbe *
plumb_session_test_source (PlumbSession *self, const char *name, const char *uri, const char *password, GCancellable *cancellable, GError **error)
{
  not_joined_up (error);
  return NULL;
}

gboolean
plumb_session_add_source (PlumbSession *self, const char *name, const char *uri, const char *password, gboolean accept_risk, GPtrArray **warnings, GCancellable *cancellable, GError **error)
{
  not_joined_up (error);
  return FALSE;
}

gboolean
plumb_session_remove_source (PlumbSession *self, const char *name, GError **error)
{
  not_joined_up (error);
  return FALSE;
}

GPtrArray *
plumb_session_list_sources (PlumbSession *self, GError **error)
{
  not_joined_up (error);
  return NULL;
}

PlumbAccountProbe *
plumb_session_check_source (PlumbSession *self, const char *name, GCancellable *cancellable, GError **error)
{
  not_joined_up (error);
  return NULL;
}

gboolean
plumb_session_add_demo (PlumbSession *self, GCancellable *cancellable, GError **error)
{
  not_joined_up (error);
  return FALSE;
}

gboolean
plumb_session_has_demo (PlumbSession *self)
{
  return FALSE;
}

PlumbAnalysisReport *
plumb_session_analyze (PlumbSession *self, const char *name, gboolean changed_only, gboolean use_model, PlumbProgress progress, gpointer user_data, GCancellable *cancellable, GError **error)
{
  not_joined_up (error);
  return NULL;
}

PlumbCandidates *
plumb_session_search (PlumbSession *self, const char *question, const char *const *databases, guint limit, GCancellable *cancellable, GError **error)
{
  not_joined_up (error);
  return NULL;
}

PlumbCard *
plumb_session_get_card (PlumbSession *self, const char *table, GError **error)
{
  not_joined_up (error);
  return NULL;
}

GPtrArray *
plumb_session_list_cards (PlumbSession *self, const char *database, GError **error)
{
  not_joined_up (error);
  return NULL;
}

GPtrArray *
plumb_session_list_edges (PlumbSession *self, const char *database, GError **error)
{
  not_joined_up (error);
  return NULL;
}

PlumbJoinPath *
plumb_session_find_path (PlumbSession *self, const char *const *tables, GError **error)
{
  not_joined_up (error);
  return NULL;
}

gint64
plumb_session_add_note (PlumbSession *self, const char *table, const char *text, GError **error)
{
  not_joined_up (error);
  return -1;
}

gboolean
plumb_session_edit_note (PlumbSession *self, gint64 id, const char *text, GError **error)
{
  not_joined_up (error);
  return FALSE;
}

gboolean
plumb_session_retire_note (PlumbSession *self, gint64 id, GError **error)
{
  not_joined_up (error);
  return FALSE;
}

GPtrArray *
plumb_session_list_notes (PlumbSession *self, const char *table, GError **error)
{
  not_joined_up (error);
  return NULL;
}

PlumbResult *
plumb_session_query (PlumbSession *self, const char *database, const char *sql, const PlumbLimits *limits, GCancellable *cancellable, GError **error)
{
  not_joined_up (error);
  return NULL;
}

char *
plumb_session_explain (PlumbSession *self, const char *database, const char *sql, GCancellable *cancellable, GError **error)
{
  not_joined_up (error);
  return NULL;
}

char *
plumb_session_check (PlumbSession *self, const char *database, const char *dialect, const char *sql, gssize length, const char *id, GError **error)
{
  not_joined_up (error);
  return NULL;
}

gint64
plumb_session_export (PlumbSession *self, const char *database, const char *sql, const char *path, const char *format, GCancellable *cancellable, GError **error)
{
  not_joined_up (error);
  return -1;
}

PlumbTurn *
plumb_session_ask (PlumbSession *self, const PlumbAskRequest *request, PlumbEventFunc func, gpointer user_data, GCancellable *cancellable, GError **error)
{
  not_joined_up (error);
  return NULL;
}

void
plumb_session_ask_async (PlumbSession *self, const PlumbAskRequest *request, PlumbEventFunc func, gpointer user_data, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer callback_data)
{
  g_task_report_new_error (self, callback, callback_data, plumb_session_ask_async, PLUMB_ERROR,
                           PLUMB_ERROR_FAILED, "This part of the program is not built in yet.");
}

PlumbTurn *
plumb_session_ask_finish (PlumbSession *self, GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

GPtrArray *
plumb_session_list_conversations (PlumbSession *self, GError **error)
{
  not_joined_up (error);
  return NULL;
}

gboolean
plumb_session_rename_conversation (PlumbSession *self, gint64 id, const char *title, GError **error)
{
  not_joined_up (error);
  return FALSE;
}

gboolean
plumb_session_delete_conversation (PlumbSession *self, gint64 id, GError **error)
{
  not_joined_up (error);
  return FALSE;
}

GPtrArray *
plumb_session_list_turns (PlumbSession *self, gint64 conversation_id, GError **error)
{
  not_joined_up (error);
  return NULL;
}

GPtrArray *
plumb_session_list_audit (PlumbSession *self, gint64 before_id, guint limit, GError **error)
{
  not_joined_up (error);
  return NULL;
}

PlumbAuditRecord *
plumb_session_get_audit (PlumbSession *self, gint64 id, GError **error)
{
  not_joined_up (error);
  return NULL;
}

gint64
plumb_session_approve (PlumbSession *self, gint64 audit_id, GError **error)
{
  not_joined_up (error);
  return -1;
}

GPtrArray *
plumb_session_list_approved (PlumbSession *self, GError **error)
{
  not_joined_up (error);
  return NULL;
}

gboolean
plumb_session_remove_approved (PlumbSession *self, gint64 id, GError **error)
{
  not_joined_up (error);
  return FALSE;
}

void
plumb_model_settings_free (PlumbModelSettings *self)
{
  if (self == NULL)
    return;
  g_free (self->base_address);
  g_free (self->model);
  g_free (self);
}

PlumbModelSettings *
plumb_session_get_model (PlumbSession *self)
{
  PlumbModelSettings *settings = g_new0 (PlumbModelSettings, 1);

  settings->is_planner = TRUE;
  return settings;
}

gboolean
plumb_session_set_model (PlumbSession *self, const char *base_address, const char *model, const char *key, GError **error)
{
  not_joined_up (error);
  return FALSE;
}

GStrv
plumb_session_list_models (PlumbSession *self, const char *base_address, const char *key, GCancellable *cancellable, GError **error)
{
  not_joined_up (error);
  return NULL;
}

GPtrArray *
plumb_session_discover_models (PlumbSession *self, GCancellable *cancellable)
{
  return g_ptr_array_new ();
}

char *
plumb_session_doctor (PlumbSession *self, GCancellable *cancellable)
{
  return g_strdup ("{\"checks\":[]}");
}
