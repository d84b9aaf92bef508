/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-access-private.h"

#include "plumb-text.h"

struct _PlumbAccess {
  char *role;
  /* NULL where access is unrestricted. */
  GPtrArray *allow;
  GPtrArray *deny;
  /* The system's default role, which a role of the user's file can't go beyond; NULL for none. */
  PlumbAccess *limit;
};

/** plumb_access_new_unrestricted: Returns: (transfer full): access to everything, for where there
 * is no policy */
PlumbAccess *
plumb_access_new_unrestricted (void)
{
  return g_atomic_rc_box_new0 (PlumbAccess);
}

/** plumb_access_ref: Returns: (transfer full): @self with one more reference */
PlumbAccess *
plumb_access_ref (PlumbAccess *self)
{
  return g_atomic_rc_box_acquire (self);
}

static void
access_clear (gpointer data)
{
  PlumbAccess *self = data;

  g_free (self->role);
  g_clear_pointer (&self->allow, g_ptr_array_unref);
  g_clear_pointer (&self->deny, g_ptr_array_unref);
  g_clear_pointer (&self->limit, plumb_access_unref);
}

/** plumb_access_unref: gives a reference back */
void
plumb_access_unref (PlumbAccess *self)
{
  if (self != NULL)
    g_atomic_rc_box_release_full (self, access_clear);
}

static PlumbAccess *
new_from_policy (PlumbPolicy *policy, const char *role, GError **error)
{
  g_autoptr (PlumbAccess) self = g_atomic_rc_box_new0 (PlumbAccess);

  self->role = g_strdup (role);
  self->allow = plumb_policy_get_patterns (policy, role, FALSE, error);
  if (self->allow == NULL)
    return NULL;
  self->deny = plumb_policy_get_patterns (policy, role, TRUE, error);
  return self->deny != NULL ? g_steal_pointer (&self) : NULL;
}

static GStrv
collect_roles (PlumbPolicy *system, PlumbPolicy *user)
{
  g_autoptr (GPtrArray) roles = g_ptr_array_new ();

  if (system != NULL)
    plumb_policy_add_roles (system, roles);
  if (user != NULL)
    plumb_policy_add_roles (user, roles);
  g_ptr_array_add (roles, NULL);
  return (GStrv) g_ptr_array_free (g_steal_pointer (&roles), FALSE);
}

static PlumbAccess *
set_unknown_role (const char *role, PlumbPolicy *system, PlumbPolicy *user, GError **error)
{
  g_auto (GStrv) roles = collect_roles (system, user);
  g_autofree char *names = g_strjoinv (", ", roles);

  g_set_error (error, PLUMB_ERROR, PLUMB_ERROR_NOT_FOUND, "There is no access role “%s”. %s%s.",
               role, *names != '\0' ? "There are: " : "No policy defines any role", names);
  return NULL;
}

/* A policy that doesn't say which role is meant where nobody chose one. */
static PlumbAccess *
set_no_default (PlumbPolicy *policy, GError **error)
{
  g_auto (GStrv) roles = collect_roles (policy, NULL);
  g_autofree char *names = g_strjoinv (", ", roles);

  g_set_error (error, PLUMB_ERROR, PLUMB_ERROR_NO_PERMISSION,
               "The access policy %s names no default role. Choose one of its roles: %s.",
               policy->path, names);
  return NULL;
}

static PlumbAccess *
load_default (PlumbPolicy *policy, GError **error)
{
  g_autofree char *role = plumb_policy_get_default (policy);

  if (role == NULL)
    return set_no_default (policy, error);
  if (!plumb_policy_has_role (policy, role))
    return set_unknown_role (role, policy, NULL, error);
  return new_from_policy (policy, role, error);
}

/* A role of the user's file, under the system's default role where there is a system-wide file. */
static PlumbAccess *
load_user_role (const char *role, PlumbPolicy *system, PlumbPolicy *user, GError **error)
{
  g_autoptr (PlumbAccess) self = NULL;

  if (user == NULL || !plumb_policy_has_role (user, role))
    return set_unknown_role (role, system, user, error);
  self = new_from_policy (user, role, error);
  if (self == NULL)
    return NULL;
  if (system != NULL) {
    self->limit = load_default (system, error);
    if (self->limit == NULL)
      return NULL;
  }
  return g_steal_pointer (&self);
}

/**
 * plumb_access_load:
 * @role: (nullable): the role; %NULL or "" for the default one
 * @system_path: (nullable): the system-wide policy file; it need not be there
 * @user_path: (nullable): the user's policy file; it need not be there
 * @error: return location
 *
 * Reads the role from the policy files, as #PlumbAccess says.
 *
 * Returns: (transfer full): the role, or %NULL with PLUMB_ERROR_NOT_FOUND (no such role; the
 * message names those that there are), PLUMB_ERROR_NO_PERMISSION (a role must be chosen) or
 *   PLUMB_ERROR_INVALID_ARGUMENT (a file can't be read or used)
 */
PlumbAccess *
plumb_access_load (const char *role, const char *system_path, const char *user_path, GError **error)
{
  g_autoptr (PlumbPolicy) system = NULL;
  g_autoptr (PlumbPolicy) user = NULL;
  g_autofree char *chosen = NULL;

  if (!plumb_policy_load (system_path, &system, error))
    return NULL;
  if (role != NULL && *role != '\0')
    chosen = g_strdup (role);
  if (system != NULL && chosen == NULL)
    return load_default (system, error);
  if (system != NULL && plumb_policy_has_role (system, chosen))
    return new_from_policy (system, chosen, error);
  if (!plumb_policy_load (user_path, &user, error))
    return NULL;
  if (chosen == NULL && user != NULL)
    chosen = plumb_policy_get_default (user);
  if (chosen == NULL)
    return plumb_access_new_unrestricted ();
  return load_user_role (chosen, system, user, error);
}

/**
 * plumb_access_load_from_data:
 * @role: (nullable): the role; %NULL or "" for the default one
 * @data: the text of a policy
 * @length: its bytes, -1 where it ends with a NUL
 * @error: return location
 *
 * Reads the role from the text of a policy, as if it were the system-wide one.
 *
 * Returns: (transfer full): the role, or %NULL with an error as plumb_access_load()
 */
PlumbAccess *
plumb_access_load_from_data (const char *role, const char *data, gssize length, GError **error)
{
  g_autoptr (PlumbPolicy) policy =
      plumb_policy_parse (data, length < 0 ? strlen (data) : (gsize) length, "(given)", error);

  if (policy == NULL)
    return NULL;
  if (role == NULL || *role == '\0')
    return load_default (policy, error);
  if (!plumb_policy_has_role (policy, role))
    return set_unknown_role (role, policy, NULL, error);
  return new_from_policy (policy, role, error);
}

/** plumb_access_get_role: Returns: (nullable): the role's name; %NULL where access is unrestricted
 */
const char *
plumb_access_get_role (PlumbAccess *self)
{
  return self->role;
}

static void
name_init (PlumbAccessName *name, const char *database, const char *schema, const char *table,
           const char *column)
{
  const char *parts[PLUMB_N_PARTS] = { database, schema, table, column };

  for (guint i = 0; i < PLUMB_N_PARTS; i++)
    name->parts[i] = parts[i] != NULL ? plumb_text_fold (parts[i]) : NULL;
}

static void
name_clear (PlumbAccessName *name)
{
  for (guint i = 0; i < PLUMB_N_PARTS; i++)
    g_free (name->parts[i]);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PlumbAccessName, name_clear)

typedef enum {
  OF_TABLES,
  OF_COLUMNS,
} PatternKind;

/* Whether a pattern of @kind fits @name up to @last. An unknown part fits what denies, and not what
 * allows. */
static gboolean
any_covers (GPtrArray *patterns, PatternKind kind, const PlumbAccessName *name, PlumbPart last,
            gboolean deny)
{
  for (guint i = 0; i < patterns->len; i++) {
    const PlumbAccessPattern *pattern = g_ptr_array_index (patterns, i);

    if (plumb_access_pattern_names_column (pattern) == (kind == OF_COLUMNS) &&
        plumb_access_pattern_covers (pattern, name, last, deny))
      return TRUE;
  }
  return FALSE;
}

static gboolean
denies_database (PlumbAccess *self, const PlumbAccessName *name)
{
  for (guint i = 0; i < self->deny->len; i++) {
    const PlumbAccessPattern *pattern = g_ptr_array_index (self->deny, i);

    if (plumb_access_pattern_is_whole_database (pattern) &&
        plumb_access_pattern_covers (pattern, name, PLUMB_PART_DATABASE, TRUE))
      return TRUE;
  }
  return FALSE;
}

/** plumb_access_allows_database: Returns: whether anything in @database may be seen */
gboolean
plumb_access_allows_database (PlumbAccess *self, const char *database)
{
  g_auto (PlumbAccessName) name;

  name_init (&name, database, NULL, NULL, NULL);
  if (self->allow == NULL)
    return TRUE;
  return (any_covers (self->allow, OF_TABLES, &name, PLUMB_PART_DATABASE, FALSE) ||
          any_covers (self->allow, OF_COLUMNS, &name, PLUMB_PART_DATABASE, FALSE)) &&
         !denies_database (self, &name) &&
         (self->limit == NULL || plumb_access_allows_database (self->limit, database));
}

/**
 * plumb_access_allows_table:
 * @self: a role
 * @database: the source
 * @schema: (nullable): the schema; %NULL where it isn't known, which is taken for the strictest
 * @table: the table
 *
 * Returns: whether @table may be seen, be it some of its columns alone
 */
gboolean
plumb_access_allows_table (PlumbAccess *self, const char *database, const char *schema,
                           const char *table)
{
  g_auto (PlumbAccessName) name;

  name_init (&name, database, schema, table, NULL);
  if (self->allow == NULL)
    return TRUE;
  return (any_covers (self->allow, OF_TABLES, &name, PLUMB_PART_TABLE, FALSE) ||
          any_covers (self->allow, OF_COLUMNS, &name, PLUMB_PART_TABLE, FALSE)) &&
         !any_covers (self->deny, OF_TABLES, &name, PLUMB_PART_TABLE, TRUE) &&
         (self->limit == NULL || plumb_access_allows_table (self->limit, database, schema, table));
}

/**
 * plumb_access_allows_column:
 * @self: a role
 * @database: the source
 * @schema: (nullable): the schema; %NULL where it isn't known
 * @table: the table
 * @column: the column; "*" asks for all of them
 *
 * Returns: whether @column may be read, in any way: in a condition too
 */
gboolean
plumb_access_allows_column (PlumbAccess *self, const char *database, const char *schema,
                            const char *table, const char *column)
{
  g_auto (PlumbAccessName) name;

  name_init (&name, database, schema, table, column);
  if (self->allow == NULL)
    return TRUE;
  if (!plumb_access_allows_table (self, database, schema, table))
    return FALSE;
  if (g_strcmp0 (column, "*") == 0)
    return !plumb_access_hides_columns (self, database, schema, table);
  return (any_covers (self->allow, OF_TABLES, &name, PLUMB_PART_TABLE, FALSE) ||
          any_covers (self->allow, OF_COLUMNS, &name, PLUMB_PART_COLUMN, FALSE)) &&
         !any_covers (self->deny, OF_COLUMNS, &name, PLUMB_PART_COLUMN, TRUE) &&
         (self->limit == NULL ||
          plumb_access_allows_column (self->limit, database, schema, table, column));
}

/** plumb_access_hides_columns: Returns: whether some columns of a table that is allowed may be
 * hidden, so that "all columns" must not be read */
gboolean
plumb_access_hides_columns (PlumbAccess *self, const char *database, const char *schema,
                            const char *table)
{
  g_auto (PlumbAccessName) name;

  name_init (&name, database, schema, table, NULL);
  if (self->allow == NULL)
    return FALSE;
  return any_covers (self->deny, OF_COLUMNS, &name, PLUMB_PART_TABLE, TRUE) ||
         !any_covers (self->allow, OF_TABLES, &name, PLUMB_PART_TABLE, FALSE) ||
         (self->limit != NULL && plumb_access_hides_columns (self->limit, database, schema, table));
}

/**
 * plumb_access_denies_original:
 * @self: a role
 * @copy: a table that holds rows of another one
 * @schema: the schema of that one
 * @table: its name
 *
 * Returns: whether a pattern denies the original or some of its columns, and not likewise @copy:
 *   what is denied could be had through @copy then
 */
gboolean
plumb_access_denies_original (PlumbAccess *self, const PlumbTableName *copy, const char *schema,
                              const char *table)
{
  g_auto (PlumbAccessName) original_name;
  g_auto (PlumbAccessName) copy_name;

  name_init (&original_name, copy->database, schema, table, NULL);
  name_init (&copy_name, copy->database, copy->schema, copy->table, NULL);
  for (guint i = 0; self->allow != NULL && i < self->deny->len; i++) {
    const PlumbAccessPattern *pattern = g_ptr_array_index (self->deny, i);

    if (plumb_access_pattern_covers (pattern, &original_name, PLUMB_PART_TABLE, TRUE) &&
        !plumb_access_pattern_covers (pattern, &copy_name, PLUMB_PART_TABLE, TRUE))
      return TRUE;
  }
  return self->limit != NULL && plumb_access_denies_original (self->limit, copy, schema, table);
}

/** plumb_access_list_roles: Returns: (transfer full): the roles that can be chosen, those of the
 *  system-wide file first; %NULL with an error where a file can't be read or used */
GStrv
plumb_access_list_roles (const char *system_path, const char *user_path, GError **error)
{
  g_autoptr (PlumbPolicy) system = NULL;
  g_autoptr (PlumbPolicy) user = NULL;

  if (!plumb_policy_load (system_path, &system, error) ||
      !plumb_policy_load (user_path, &user, error))
    return NULL;
  return collect_roles (system, user);
}
