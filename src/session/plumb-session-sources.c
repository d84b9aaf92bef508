/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-session-private.h"

#include "plumb-names.h"

#include <string.h>

#define MAX_NAME_CHARACTERS 63

/* A name stands in `database.schema.table`, after @ in a question, and in a variable's name. */
static gboolean
check_name (const char *name, GError **error)
{
  gboolean good = name != NULL && g_utf8_validate (name, -1, NULL) && *name != '\0' &&
                  g_utf8_strlen (name, -1) <= MAX_NAME_CHARACTERS &&
                  g_unichar_isalpha (g_utf8_get_char (name));

  for (const char *p = name; good && *p != '\0'; p = g_utf8_next_char (p)) {
    gunichar c = g_utf8_get_char (p);

    good = c == '_' || c == '-' || g_unichar_isalnum (c);
  }
  if (!good)
    g_set_error (error, PLUMB_ERROR, PLUMB_ERROR_INVALID_ARGUMENT,
                 "“%s” can't be the name of a source. Use up to %d letters, digits, _ and -, a "
                 "letter first.",
                 name != NULL ? name : "", MAX_NAME_CHARACTERS);
  return good;
}

static gboolean
check_free (PlumbSession *self, const char *name, GError **error)
{
  g_autoptr (GPtrArray) records = plumb_index_list_sources (self->index, error);

  for (guint i = 0; records != NULL && i < records->len; i++) {
    const PlumbSourceRecord *record = g_ptr_array_index (records, i);

    if (g_ascii_strcasecmp (record->name, name) != 0)
      continue;
    g_set_error (error, PLUMB_ERROR, PLUMB_ERROR_EXISTS,
                 "There is a source “%s” already. Choose another name, or remove that one first.",
                 record->name);
    return FALSE;
  }
  return records != NULL;
}

/* A source that is not stored: from an address that may hold a password, or one from elsewhere. */
static PlumbSource *
make_source (PlumbSession *self, const char *name, const char *uri, const char *password,
             char **used_password, GError **error)
{
  g_autofree char *in_uri = NULL;
  g_autofree char *stripped = plumb_source_uri_strip_password (uri, &in_uri, error);

  if (stripped == NULL)
    return NULL;
  if (password != NULL && *password != '\0')
    *used_password = g_strdup (password);
  else if (in_uri != NULL && *in_uri != '\0')
    *used_password = g_steal_pointer (&in_uri);
  if (*used_password != NULL)
    return plumb_source_new (name, stripped, *used_password, error);
  in_uri = plumb_secrets_lookup (self->secrets, PLUMB_SECRET_SOURCE, name);
  return plumb_source_new (name, stripped, in_uri, error);
}

/**
 * plumb_session_test_source:
 * @self: a session
 * @name: the name that the source will have
 * @uri: its address
 * @password: (nullable): its password
 * @cancellable: (nullable): cancels
 * @error: return location
 *
 * Connects to a source without adding it.
 *
 * Returns: (transfer full): what was found of the account
 */
PlumbAccountProbe *
plumb_session_test_source (PlumbSession *self, const char *name, const char *uri,
                           const char *password, GCancellable *cancellable, GError **error)
{
  g_autoptr (PlumbSource) source = NULL;
  g_autofree char *used = NULL;

  if (!check_name (name, error))
    return NULL;
  source = make_source (self, name, uri, password, &used, error);
  return source != NULL ? plumb_source_probe (source, cancellable, error) : NULL;
}

static char *
list_rights (GPtrArray *rights)
{
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();
  g_auto (GStrv) all = NULL;

  for (guint i = 0; i < rights->len; i++)
    g_strv_builder_add (names, g_ptr_array_index (rights, i));
  all = g_strv_builder_end (names);
  return plumb_names_list ((const char *const *) all, 20);
}

/* An account that may do everything is refused unless the user took the risk for this source. */
static gboolean
check_rights (const char *name, const PlumbAccountProbe *probe, gboolean accept_risk,
              GError **error)
{
  g_autofree char *list = NULL;

  if (probe->superuser_rights->len == 0 || accept_risk)
    return TRUE;
  list = list_rights (probe->superuser_rights);
  g_set_error (error, PLUMB_ERROR, PLUMB_ERROR_REFUSED,
               "“%s” was not added: its account %s may do too much (%s). Use an account that can "
               "only select, or accept the risk: with the switch in the window, or with "
               "--accept-risk on the command line.",
               name, probe->account != NULL ? probe->account : "", list);
  return FALSE;
}

static void
add_warnings (GPtrArray *warnings, const PlumbAccountProbe *probe)
{
  if (probe->superuser_rights->len > 0) {
    g_autofree char *list = list_rights (probe->superuser_rights);

    g_ptr_array_add (
        warnings,
        g_strdup_printf ("The account may do too much (%s); you accepted the risk.", list));
  }
  if (probe->write_rights->len > 0) {
    g_autofree char *list = list_rights (probe->write_rights);

    g_ptr_array_add (
        warnings,
        g_strdup_printf ("The account can write (%s). Plumbline only reads, but an account that "
                         "can only select is safer.",
                         list));
  }
  if (!probe->read_only_proven)
    g_ptr_array_add (
        warnings,
        g_strdup_printf ("It could not be proven that the connection only reads: %s",
                         probe->read_only_detail != NULL ? probe->read_only_detail : "unknown."));
}

static gboolean
store_source (PlumbSession *self, PlumbSource *source, const PlumbAccountProbe *probe,
              gboolean accept_risk, GError **error)
{
  PlumbSourceRecord *record =
      plumb_source_record_new (plumb_source_get_name (source), plumb_source_get_uri (source));
  gboolean stored;

  record->engine = g_strdup (plumb_source_get_engine (source));
  record->version = g_strdup (probe->version);
  record->risk_accepted = accept_risk && probe->superuser_rights->len > 0;
  record->n_tables = probe->n_tables;
  stored = plumb_index_add_source (self->index, record, error);
  plumb_source_record_free (record);
  return stored;
}

/**
 * plumb_session_add_source:
 * @self: a session
 * @name: its name, the `database` of its tables
 * @uri: its address; a password in it is taken out
 * @password: (nullable): its password
 * @accept_risk: whether to add it though its account may do too much
 * @warnings: (out) (optional) (element-type utf8): what the user should know
 * @cancellable: (nullable): cancels
 * @error: return location
 *
 * Connects to a source, checks its account, and adds it. The password goes to the keyring; the
 * address is stored without it.
 *
 * Returns: whether it was added
 */
gboolean
plumb_session_add_source (PlumbSession *self, const char *name, const char *uri,
                          const char *password, gboolean accept_risk, GPtrArray **warnings,
                          GCancellable *cancellable, GError **error)
{
  g_autoptr (PlumbSource) source = NULL;
  g_autoptr (PlumbAccountProbe) probe = NULL;
  g_autoptr (GPtrArray) found = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *used = NULL;
  g_autofree char *warning = NULL;

  if (!check_name (name, error) || !check_free (self, name, error))
    return FALSE;
  source = make_source (self, name, uri, password, &used, error);
  probe = source != NULL ? plumb_source_probe (source, cancellable, error) : NULL;
  if (probe == NULL || !check_rights (name, probe, accept_risk, error) ||
      !store_source (self, source, probe, accept_risk, error))
    return FALSE;
  add_warnings (found, probe);
  if (used != NULL &&
      !plumb_secrets_store (self->secrets, PLUMB_SECRET_SOURCE, name, used, cancellable, &warning))
    g_ptr_array_add (found, g_steal_pointer (&warning));
  if (warnings != NULL)
    *warnings = g_steal_pointer (&found);
  return TRUE;
}

/**
 * plumb_session_set_password:
 * @self: a session
 * @name: a stored source's name
 * @password: its new password
 * @warning: (out) (nullable): what the user should know, where the keyring could not keep it
 * @cancellable: (nullable): cancels
 * @error: return location
 *
 * Connects to a source with another password, and keeps that where it is the right one: in the
 * keyring, and for connections made from now on. A wrong one changes nothing.
 *
 * Returns: whether the source took it
 */
gboolean
plumb_session_set_password (PlumbSession *self, const char *name, const char *password,
                            char **warning, GCancellable *cancellable, GError **error)
{
  g_autoptr (PlumbSource) source = plumb_workspace_get_source (self->workspace, name, error);
  g_autoptr (PlumbSource) tried = NULL;

  *warning = NULL;
  if (source != NULL)
    tried = plumb_source_new (name, plumb_source_get_uri (source), password, error);
  if (tried == NULL || !plumb_source_connect (tried, cancellable, error))
    return FALSE;
  plumb_source_set_password (source, password);
  plumb_secrets_store (self->secrets, PLUMB_SECRET_SOURCE, name, password, cancellable, warning);
  return TRUE;
}

/** plumb_session_is_sign_in_error: Returns: whether @error says that a source did not take the
 * account or its password, so that another password may help */
gboolean
plumb_session_is_sign_in_error (const GError *error)
{
  return g_error_matches (error, PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_AUTHENTICATION);
}

/**
 * plumb_session_remove_source:
 * @self: a session
 * @name: its name
 * @error: return location
 *
 * Removes a source with its cards and its password. Its audit records stay.
 *
 * Returns: whether it was removed
 */
gboolean
plumb_session_remove_source (PlumbSession *self, const char *name, GError **error)
{
  g_autoptr (PlumbSource) source = plumb_workspace_get_source (self->workspace, name, error);

  if (source == NULL || !plumb_index_remove_source (self->index, name, error))
    return FALSE;
  plumb_secrets_clear (self->secrets, PLUMB_SECRET_SOURCE, name);
  plumb_workspace_forget (self->workspace, name);
  return TRUE;
}

/** plumb_session_list_sources: Returns: (transfer full) (element-type PlumbSourceRecord): the
 * sources that the role may query */
GPtrArray *
plumb_session_list_sources (PlumbSession *self, GError **error)
{
  return plumb_workspace_list_databases (self->workspace, NULL, error);
}

/** plumb_session_check_source: Returns: (transfer full): what the account of a source may do now */
PlumbAccountProbe *
plumb_session_check_source (PlumbSession *self, const char *name, GCancellable *cancellable,
                            GError **error)
{
  g_autoptr (PlumbSource) source = plumb_workspace_get_source (self->workspace, name, error);

  return source != NULL ? plumb_source_probe (source, cancellable, error) : NULL;
}
