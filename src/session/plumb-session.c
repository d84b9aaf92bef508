/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-session-private.h"

#include <string.h>

G_DEFINE_FINAL_TYPE (PlumbSession, plumb_session, G_TYPE_OBJECT)

static void
plumb_session_finalize (GObject *object)
{
  PlumbSession *self = PLUMB_SESSION (object);

  g_ptr_array_unref (self->work);
  g_mutex_clear (&self->work_lock);
  g_cond_clear (&self->work_ended);
  g_clear_object (&self->workspace);
  g_clear_pointer (&self->access, plumb_access_unref);
  g_clear_object (&self->index);
  g_clear_pointer (&self->secrets, plumb_secrets_free);
  g_clear_pointer (&self->now, g_date_time_unref);
  g_mutex_clear (&self->embedding);
  g_free (self->index_path);
  g_free (self->policy_path);
  G_OBJECT_CLASS (plumb_session_parent_class)->finalize (object);
}

static void
plumb_session_class_init (PlumbSessionClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = plumb_session_finalize;
}

static void
plumb_session_init (PlumbSession *self)
{
  self->secrets = plumb_secrets_new ();
  g_mutex_init (&self->embedding);
  g_mutex_init (&self->work_lock);
  g_cond_init (&self->work_ended);
  self->work = g_ptr_array_new_with_free_func (g_object_unref);
}

/** plumb_session_make_data_path: Returns: (transfer full): a path in the user's data folder */
char *
plumb_session_make_data_path (const char *name)
{
  return g_build_filename (g_get_user_data_dir (), "plumbline", name, NULL);
}

/* The first of the two that says something, else the environment variable, else @fallback. */
static char *
choose (const char *given, const char *variable, const char *fallback)
{
  const char *value = given != NULL && *given != '\0' ? given : g_getenv (variable);

  return g_strdup (value != NULL && *value != '\0' ? value : fallback);
}

/* The system's policy; the environment can only name another place for it in a test, where nothing
 * is installed. */
static char *
get_system_policy (void)
{
  for (const char *const *folder = g_get_system_config_dirs (); *folder != NULL; folder++) {
    g_autofree char *path = g_build_filename (*folder, "plumbline", "policy.ini", NULL);

    if (g_file_test (path, G_FILE_TEST_EXISTS))
      return g_steal_pointer (&path);
  }
  return NULL;
}

static gboolean
load_access (PlumbSession *self, const char *role, GError **error)
{
  g_autofree char *wanted = choose (role, "PLUMBLINE_ROLE", NULL);
  g_autofree char *system_policy = get_system_policy ();

  self->access = plumb_access_load (wanted, system_policy, self->policy_path, error);
  return self->access != NULL;
}

/* The day that relative dates count from: given, or $PLUMBLINE_NOW, else the clock's. */
static gboolean
set_now (PlumbSession *self, GDateTime *now, GError **error)
{
  const char *text = g_getenv ("PLUMBLINE_NOW");
  g_autofree char *full = NULL;
  g_autoptr (GTimeZone) zone = g_time_zone_new_local ();

  if (now != NULL) {
    self->now = g_date_time_ref (now);
    return TRUE;
  }
  if (text == NULL || *text == '\0')
    return TRUE;
  full = strchr (text, 'T') != NULL || strchr (text, ' ') != NULL
             ? g_strdup (text)
             : g_strconcat (text, "T12:00:00", NULL);
  self->now = g_date_time_new_from_iso8601 (full, zone);
  if (self->now != NULL)
    return TRUE;
  g_set_error (error, PLUMB_ERROR, PLUMB_ERROR_INVALID_ARGUMENT,
               "PLUMBLINE_NOW is “%s”, which is no date. Write it like 2026-11-30.", text);
  return FALSE;
}

/** plumb_session_get_now: Returns: (transfer full): the local time that relative dates count from
 */
GDateTime *
plumb_session_get_now (PlumbSession *self)
{
  return self->now != NULL ? g_date_time_ref (self->now) : g_date_time_new_now_local ();
}

static char *
lookup_password (const char *name, gpointer user_data)
{
  return plumb_secrets_lookup (user_data, PLUMB_SECRET_SOURCE, name);
}

/**
 * plumb_session_open:
 * @options: (nullable): where things are; %NULL for the user's own
 * @error: return location
 *
 * Returns: (transfer full): the session over an index that was opened, made or migrated
 */
PlumbSession *
plumb_session_open (const PlumbSessionOptions *options, GError **error)
{
  g_autoptr (PlumbSession) self = g_object_new (PLUMB_TYPE_SESSION, NULL);
  g_autofree char *usual_index = plumb_session_make_data_path ("index.sqlite");
  g_autofree char *usual_policy =
      g_build_filename (g_get_user_config_dir (), "plumbline", "policy.ini", NULL);
  const PlumbSessionOptions none = { NULL };

  if (options == NULL)
    options = &none;
  self->index_path = choose (options->index_path, "PLUMBLINE_INDEX", usual_index);
  self->policy_path = g_strdup (options->policy_path != NULL ? options->policy_path : usual_policy);
  if (!set_now (self, options->now, error) || !load_access (self, options->role, error))
    return NULL;
  self->index = plumb_index_open (self->index_path, error);
  if (self->index == NULL)
    return NULL;
  self->workspace = plumb_workspace_new (self->index, self->access, lookup_password, self->secrets);
  plumb_workspace_set_concurrency (self->workspace, plumb_session_get_concurrency (self));
  plumb_session_set_up_search (self);
  return g_steal_pointer (&self);
}

/** plumb_session_get_index_path: Returns: (transfer none): the index file */
const char *
plumb_session_get_index_path (PlumbSession *self)
{
  return self->index_path;
}

/** plumb_session_get_role: Returns: (transfer none) (nullable): the access role in force */
const char *
plumb_session_get_role (PlumbSession *self)
{
  return plumb_access_get_role (self->access);
}

static int
exit_code_of_plumb_error (int code)
{
  switch (code) {
  case PLUMB_ERROR_INVALID_ARGUMENT:
    return 2;
  case PLUMB_ERROR_REFUSED:
    return 3;
  case PLUMB_ERROR_NO_PERMISSION:
  case PLUMB_ERROR_OUT_OF_SCOPE:
    return 4;
  case PLUMB_ERROR_TIMED_OUT:
    return 6;
  case PLUMB_ERROR_NOT_FOUND:
  case PLUMB_ERROR_AMBIGUOUS:
    return 7;
  default:
    return 1;
  }
}

static int
exit_code_of_source_error (int code)
{
  switch (code) {
  case PLUMB_SOURCE_ERROR_STATEMENT:
  case PLUMB_SOURCE_ERROR_NO_ROWS:
    return 5;
  case PLUMB_SOURCE_ERROR_DENIED:
  case PLUMB_SOURCE_ERROR_AUTHENTICATION:
    return 4;
  case PLUMB_SOURCE_ERROR_ADDRESS:
    return 2;
  default:
    return 1;
  }
}

/**
 * plumb_session_exit_code:
 * @error: (nullable): what a call ended with
 *
 * Returns: the exit code of the command line for it (DESIGN section 11): 0 for none, 2 usage, 3
 *   refused by the statement check, 4 no permission, 5 the database said no, 6 cancelled or out of
 *   time, 7 no such table or source, 1 anything else
 */
int
plumb_session_exit_code (const GError *error)
{
  if (error == NULL)
    return 0;
  if (error->domain == G_IO_ERROR &&
      (error->code == G_IO_ERROR_CANCELLED || error->code == G_IO_ERROR_TIMED_OUT))
    return 6;
  if (error->domain == PLUMB_ERROR)
    return exit_code_of_plumb_error (error->code);
  if (error->domain == PLUMB_SOURCE_ERROR)
    return exit_code_of_source_error (error->code);
  if (g_error_matches (error, PLUMB_MODEL_ERROR, PLUMB_MODEL_ERROR_STALLED))
    return 6;
  return 1;
}
