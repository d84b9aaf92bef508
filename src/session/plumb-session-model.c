/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-session-private.h"

/** plumb_model_settings_free: frees @self */
void
plumb_model_settings_free (PlumbModelSettings *self)
{
  if (self == NULL)
    return;
  g_free (self->base_address);
  g_free (self->model);
  g_free (self);
}

/** plumb_session_choose_setting: Returns: (transfer full): a value of the environment, which wins,
 *  or of the settings; "" for none */
char *
plumb_session_choose_setting (PlumbSession *self, const char *variable, const char *key,
                              gboolean *from_environment)
{
  const char *value = g_getenv (variable);
  char *set;

  if (value != NULL && *value != '\0') {
    *from_environment = TRUE;
    return g_strdup (value);
  }
  set = plumb_session_get_setting (self, key);
  return set != NULL ? set : g_strdup ("");
}

static PlumbModelSettings *
read_settings (PlumbSession *self)
{
  PlumbModelSettings *settings = g_new0 (PlumbModelSettings, 1);

  settings->base_address = plumb_session_choose_setting (
      self, "PLUMBLINE_MODEL_URL", PLUMB_SETTING_MODEL_ADDRESS, &settings->from_environment);
  settings->model = plumb_session_choose_setting (
      self, "PLUMBLINE_MODEL_NAME", PLUMB_SETTING_MODEL_NAME, &settings->from_environment);
  settings->is_planner = *settings->base_address == '\0';
  return settings;
}

/** plumb_session_get_model: Returns: (transfer full): which model answers */
PlumbModelSettings *
plumb_session_get_model (PlumbSession *self)
{
  PlumbModelSettings *settings = read_settings (self);
  g_autofree char *key = NULL;

  if (!settings->is_planner)
    key = plumb_secrets_lookup (self->secrets, PLUMB_SECRET_MODEL, settings->base_address);
  settings->has_key = key != NULL && *key != '\0';
  return settings;
}

/** plumb_session_show_model_address: Returns: (transfer full): an address without the parts that
 * can hold a secret */
char *
plumb_session_show_model_address (const char *address)
{
  g_autoptr (GUri) uri = g_uri_parse (address, G_URI_FLAGS_NONE, NULL);

  if (uri == NULL)
    return g_strdup ("The model's address");
  return g_uri_to_string_partial (uri, G_URI_HIDE_USERINFO | G_URI_HIDE_QUERY |
                                           G_URI_HIDE_FRAGMENT);
}

/**
 * plumb_session_check_address:
 * @address: what was entered; "" is fine
 * @what: what it is the address of
 * @error: return location
 *
 * Returns: whether it can be kept in the settings, where no secret may stand
 */
gboolean
plumb_session_check_address (const char *address, const char *what, GError **error)
{
  g_autoptr (GUri) uri = NULL;

  if (*address == '\0')
    return TRUE;
  if (!g_str_has_prefix (address, "http://") && !g_str_has_prefix (address, "https://")) {
    g_set_error (
        error, PLUMB_ERROR, PLUMB_ERROR_INVALID_ARGUMENT,
        "The %s's address must begin with http:// or https://, like http://localhost:11434/v1.",
        what);
    return FALSE;
  }
  uri = g_uri_parse (address, G_URI_FLAGS_NONE, NULL);
  if (uri != NULL && g_uri_get_userinfo (uri) == NULL)
    return TRUE;
  if (uri == NULL)
    g_set_error (error, PLUMB_ERROR, PLUMB_ERROR_INVALID_ARGUMENT,
                 "The %s's address can't be read. Write one like http://localhost:11434/v1.", what);
  else
    g_set_error (error, PLUMB_ERROR, PLUMB_ERROR_INVALID_ARGUMENT,
                 "The %s's address holds an account. Leave it out and enter the key by itself, "
                 "which is kept in the keyring.",
                 what);
  return FALSE;
}

/**
 * plumb_session_set_model:
 * @self: a session
 * @base_address: (nullable): an OpenAI-compatible endpoint, %NULL or "" for the built-in planner
 * @model: (nullable): the model's name
 * @key: (nullable): its key, %NULL to leave the one that is kept alone, "" to forget it
 * @error: return location
 *
 * Returns: whether the settings are kept
 */
gboolean
plumb_session_set_model (PlumbSession *self, const char *base_address, const char *model,
                         const char *key, GError **error)
{
  g_autofree char *warning = NULL;

  if (base_address == NULL)
    base_address = "";
  if (!plumb_session_check_address (base_address, "model", error))
    return FALSE;
  if (!plumb_session_set_setting (self, PLUMB_SETTING_MODEL_ADDRESS, base_address, error) ||
      !plumb_session_set_setting (self, PLUMB_SETTING_MODEL_NAME, model != NULL ? model : "",
                                  error))
    return FALSE;
  if (key == NULL || *base_address == '\0') {
    plumb_session_set_up_search (self);
    return TRUE;
  }
  if (*key == '\0')
    plumb_secrets_clear (self->secrets, PLUMB_SECRET_MODEL, base_address);
  else
    plumb_secrets_store (self->secrets, PLUMB_SECRET_MODEL, base_address, key, NULL, &warning);
  plumb_session_set_up_search (self);
  return TRUE;
}

/**
 * plumb_session_list_models:
 * @self: a session
 * @base_address: an endpoint
 * @key: (nullable): its key, %NULL for the one that is kept
 * @cancellable: (nullable): cancels
 * @error: return location
 *
 * Returns: (transfer full): names of the models that the endpoint offers
 */
GStrv
plumb_session_list_models (PlumbSession *self, const char *base_address, const char *key,
                           GCancellable *cancellable, GError **error)
{
  g_autofree char *kept =
      key == NULL ? plumb_secrets_lookup (self->secrets, PLUMB_SECRET_MODEL, base_address) : NULL;

  return plumb_openai_list_models (base_address, key != NULL ? key : kept, cancellable, error);
}

/** plumb_session_discover_models: Returns: (transfer full) (element-type PlumbFoundServer): servers
 * on this computer; none of them is used before the user chooses it */
GPtrArray *
plumb_session_discover_models (PlumbSession *self, GCancellable *cancellable)
{
  return plumb_model_discover (cancellable);
}

/** plumb_session_make_model: Returns: (transfer full): the model that answers: the environment's,
 * the one of the settings, else the built-in planner */
PlumbModel *
plumb_session_make_model (PlumbSession *self)
{
  g_autoptr (PlumbModelSettings) settings = read_settings (self);
  g_autofree char *key = NULL;

  if (settings->is_planner) {
    g_autoptr (GDateTime) now = plumb_session_get_now (self);

    return plumb_planner_new (now);
  }
  key = plumb_secrets_lookup (self->secrets, PLUMB_SECRET_MODEL, settings->base_address);
  return plumb_openai_model_new (settings->base_address, settings->model, key);
}
