/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-session.h"

struct _PlumbSession {
  GObject parent_instance;

  char *index_path;
  char *role;
};

G_DEFINE_FINAL_TYPE (PlumbSession, plumb_session, G_TYPE_OBJECT)

static void
plumb_session_finalize (GObject *object)
{
  PlumbSession *self = PLUMB_SESSION (object);

  g_free (self->index_path);
  g_free (self->role);
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
  const char *path = options != NULL ? options->index_path : NULL;

  if (path == NULL)
    path = g_getenv ("PLUMBLINE_INDEX");
  self->index_path = path != NULL
                         ? g_strdup (path)
                         : g_build_filename (g_get_user_data_dir (), "plumbline", "index.sqlite", NULL);
  self->role = g_strdup (options != NULL ? options->role : NULL);
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
  return self->role;
}
