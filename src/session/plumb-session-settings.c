/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-session-private.h"

#include "plumb-config.h"

/* The user's settings where the schema is installed and has the key; NULL where it isn't. */
static GSettings *
open_settings (const char *key)
{
  GSettingsSchemaSource *source = g_settings_schema_source_get_default ();
  g_autoptr (GSettingsSchema) schema = NULL;

  if (source == NULL)
    return NULL;
  schema = g_settings_schema_source_lookup (source, PLUMB_APPLICATION_ID, TRUE);
  if (schema == NULL || !g_settings_schema_has_key (schema, key))
    return NULL;
  return g_settings_new_full (schema, NULL, NULL);
}

/** plumb_session_get_setting: Returns: (transfer full) (nullable): a setting that is text */
char *
plumb_session_get_setting (PlumbSession *self, const char *key)
{
  g_autoptr (GSettings) settings = open_settings (key);

  return settings != NULL ? g_settings_get_string (settings, key)
                          : plumb_index_get_value (self->index, key);
}

/** plumb_session_set_setting: keeps a setting that is text; Returns: whether it is kept */
gboolean
plumb_session_set_setting (PlumbSession *self, const char *key, const char *value, GError **error)
{
  g_autoptr (GSettings) settings = open_settings (key);

  if (settings == NULL)
    return plumb_index_set_value (self->index, key, value, error);
  if (!g_settings_set_string (settings, key, value)) {
    g_set_error (error, PLUMB_ERROR, PLUMB_ERROR_FAILED,
                 "The setting “%s” can't be changed on this computer: it is locked.", key);
    return FALSE;
  }
  g_settings_sync ();
  return TRUE;
}

static gint64
get_number (const char *key, gint64 fallback)
{
  g_autoptr (GSettings) settings = open_settings (key);

  return settings != NULL ? g_settings_get_int (settings, key) : fallback;
}

/** plumb_session_get_limits: Returns: the caps on a statement, from the settings */
PlumbLimits
plumb_session_get_limits (PlumbSession *self)
{
  PlumbLimits limits = PLUMB_LIMITS_DEFAULT;

  limits.timeout_ms = get_number (PLUMB_SETTING_QUERY_SECONDS, limits.timeout_ms / 1000) * 1000;
  limits.max_rows = get_number (PLUMB_SETTING_QUERY_ROWS, limits.max_rows);
  return limits;
}

/** plumb_session_get_concurrency: Returns: statements at a time against one database, 0 for the usual
 *  number */
guint
plumb_session_get_concurrency (PlumbSession *self)
{
  return get_number (PLUMB_SETTING_CONCURRENCY, 0);
}
