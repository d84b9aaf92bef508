/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-access-private.h"

#include <string.h>

#define POLICY_GROUP "policy"
#define ROLE_PREFIX "role "

static void
set_invalid (const char *path, GError **error, const char *format, ...) G_GNUC_PRINTF (3, 4);

static void
set_invalid (const char *path, GError **error, const char *format, ...)
{
  g_autofree char *what = NULL;
  va_list values;

  va_start (values, format);
  what = g_strdup_vprintf (format, values);
  va_end (values);
  g_set_error (error, PLUMB_ERROR, PLUMB_ERROR_INVALID_ARGUMENT,
               "The access policy %s can't be used, so nothing may be seen: %s", path, what);
}

/* GKeyFile takes the last of two equal keys and mixes groups of one name, either of which could
 * drop a "deny" without a word. */
static gboolean
check_unique (const char *data, gsize length, const char *path, GError **error)
{
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autofree char *text = g_strndup (data, length);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  g_autofree char *group = g_strdup ("");

  for (guint i = 0; lines[i] != NULL; i++) {
    char *line = g_strstrip (lines[i]);
    char *equals = strchr (line, '=');
    g_autofree char *key = NULL;

    if (*line == '#' || *line == '\0')
      continue;
    if (*line == '[') {
      g_free (group);
      group = g_strdup (line);
      key = g_strdup (line);
    } else if (equals != NULL) {
      *equals = '\0';
      key = g_strconcat (group, "\n", g_strchomp (line), NULL);
    }
    if (key != NULL && !g_hash_table_add (seen, g_strdup (key))) {
      set_invalid (path, error, "line %u says again what was said before. Put it in one place.",
                   i + 1);
      return FALSE;
    }
  }
  return TRUE;
}

/* A misspelt group or key would be passed over, and with it what it denies. */
static gboolean
check_group (GKeyFile *file, const char *group, const char *path, GError **error)
{
  gboolean is_role = g_str_has_prefix (group, ROLE_PREFIX) && group[strlen (ROLE_PREFIX)] != '\0';
  g_auto (GStrv) keys = g_key_file_get_keys (file, group, NULL, NULL);

  if (!is_role && !g_str_equal (group, POLICY_GROUP)) {
    set_invalid (path, error, "there is no group [%s]; write [policy] or [role NAME].", group);
    return FALSE;
  }
  for (guint i = 0; keys != NULL && keys[i] != NULL; i++) {
    if (is_role ? !g_str_equal (keys[i], "allow") && !g_str_equal (keys[i], "deny")
                : !g_str_equal (keys[i], "default-role")) {
      set_invalid (path, error, "[%s] has no key “%s”; it can have %s.", group, keys[i],
                   is_role ? "allow and deny" : "default-role");
      return FALSE;
    }
  }
  return TRUE;
}

/**
 * plumb_policy_parse:
 * @data: the text of a policy
 * @length: its bytes
 * @path: its name in messages
 * @error: return location
 *
 * Returns: (transfer full): the policy, or %NULL with PLUMB_ERROR_INVALID_ARGUMENT
 */
PlumbPolicy *
plumb_policy_parse (const char *data, gsize length, const char *path, GError **error)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autoptr (GError) local = NULL;
  g_auto (GStrv) groups = NULL;
  PlumbPolicy *self;

  if (memchr (data, '\0', length) != NULL || !g_utf8_validate (data, length, NULL)) {
    set_invalid (path, error, "it is not text in UTF-8.");
    return NULL;
  }
  if (length > 0 && !g_key_file_load_from_data (file, data, length, G_KEY_FILE_KEEP_TRANSLATIONS,
                                                &local)) {
    set_invalid (path, error, "%s", local->message);
    return NULL;
  }
  if (!check_unique (data, length, path, error))
    return NULL;
  groups = g_key_file_get_groups (file, NULL);
  for (guint i = 0; groups[i] != NULL; i++) {
    if (!check_group (file, groups[i], path, error))
      return NULL;
  }
  self = g_new0 (PlumbPolicy, 1);
  self->file = g_steal_pointer (&file);
  self->path = g_strdup (path);
  return self;
}

/**
 * plumb_policy_load:
 * @path: (nullable): a file
 * @policy: (out) (nullable): the policy, %NULL where there is no such file
 * @error: return location
 *
 * Returns: %FALSE with an error where there is a file that can't be read or used
 */
gboolean
plumb_policy_load (const char *path, PlumbPolicy **policy, GError **error)
{
  g_autofree char *data = NULL;
  g_autoptr (GError) local = NULL;
  gsize length;

  *policy = NULL;
  if (path == NULL)
    return TRUE;
  if (!g_file_get_contents (path, &data, &length, &local)) {
    if (g_error_matches (local, G_FILE_ERROR, G_FILE_ERROR_NOENT) ||
        g_error_matches (local, G_FILE_ERROR, G_FILE_ERROR_NOTDIR))
      return TRUE;
    set_invalid (path, error, "%s", local->message);
    return FALSE;
  }
  *policy = plumb_policy_parse (data, length, path, error);
  return *policy != NULL;
}

/** plumb_policy_free: frees @self */
void
plumb_policy_free (PlumbPolicy *self)
{
  if (self == NULL)
    return;
  g_key_file_unref (self->file);
  g_free (self->path);
  g_free (self);
}

/** plumb_policy_get_default: Returns: (transfer full) (nullable): the name of the default role */
char *
plumb_policy_get_default (PlumbPolicy *self)
{
  g_autofree char *role = g_key_file_get_string (self->file, POLICY_GROUP, "default-role", NULL);

  if (role == NULL || *g_strstrip (role) == '\0')
    return NULL;
  return g_steal_pointer (&role);
}

/** plumb_policy_has_role: Returns: whether @self defines @role */
gboolean
plumb_policy_has_role (PlumbPolicy *self, const char *role)
{
  g_autofree char *group = g_strconcat (ROLE_PREFIX, role, NULL);

  return g_key_file_has_group (self->file, group);
}

/** plumb_policy_add_roles: adds the names of the roles that @self defines to @roles, each once */
void
plumb_policy_add_roles (PlumbPolicy *self, GPtrArray *roles)
{
  g_auto (GStrv) groups = g_key_file_get_groups (self->file, NULL);

  for (guint i = 0; groups[i] != NULL; i++) {
    const char *role = groups[i] + strlen (ROLE_PREFIX);

    if (g_str_has_prefix (groups[i], ROLE_PREFIX) &&
        !g_ptr_array_find_with_equal_func (roles, role, g_str_equal, NULL))
      g_ptr_array_add (roles, g_strdup (role));
  }
}

/**
 * plumb_policy_get_patterns:
 * @self: a policy
 * @role: a role that it defines
 * @deny: whether what is denied is wanted, or what is allowed
 * @error: return location
 *
 * Returns: (transfer full) (element-type PlumbAccessPattern): the patterns, or %NULL with
 *   PLUMB_ERROR_INVALID_ARGUMENT
 */
GPtrArray *
plumb_policy_get_patterns (PlumbPolicy *self, const char *role, gboolean deny, GError **error)
{
  g_autoptr (GPtrArray) patterns =
      g_ptr_array_new_with_free_func ((GDestroyNotify) plumb_access_pattern_free);
  g_autofree char *group = g_strconcat (ROLE_PREFIX, role, NULL);
  const char *key = deny ? "deny" : "allow";
  g_autoptr (GError) local = NULL;
  g_auto (GStrv) texts = NULL;

  if (!g_key_file_has_key (self->file, group, key, NULL)) {
    if (deny)
      return g_steal_pointer (&patterns);
    set_invalid (self->path, error,
                 "the role “%s” has no allow= line. Write allow=* for everything that "
                 "it doesn't deny.",
                 role);
    return NULL;
  }
  texts = g_key_file_get_string_list (self->file, group, key, NULL, &local);
  if (texts == NULL) {
    set_invalid (self->path, error, "%s", local->message);
    return NULL;
  }
  for (guint i = 0; texts[i] != NULL; i++) {
    char *text = g_strstrip (texts[i]);

    if (*text != '\0' && !plumb_access_pattern_parse (patterns, text, deny, &local)) {
      set_invalid (self->path, error, "%s", local->message);
      return NULL;
    }
  }
  return g_steal_pointer (&patterns);
}
