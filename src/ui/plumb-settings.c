/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-settings.h"

#include "plumb-config.h"

/**
 * plumb_settings_open:
 *
 * Returns: (transfer full) (nullable): the user's settings; %NULL where the schema isn't installed,
 *   and then the window starts with its defaults and keeps nothing
 */
GSettings *
plumb_settings_open (void)
{
  GSettingsSchemaSource *source = g_settings_schema_source_get_default ();
  g_autoptr (GSettingsSchema) schema = NULL;

  if (source != NULL)
    schema = g_settings_schema_source_lookup (source, PLUMB_APPLICATION_ID, TRUE);
  return schema != NULL ? g_settings_new_full (schema, NULL, NULL) : NULL;
}
