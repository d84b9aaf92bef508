/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-source-private.h"

#define KEPT_FOR (30 * G_TIME_SPAN_SECOND)

/* What the statement check asked of a server's catalog, kept for the next checks. Whatever is kept
 * is forgotten as soon as the server's generation is another one, and after half a minute. */
struct _PlumbSourceLookups {
  GMutex lock;
  char *generation;
  gint64 since;
  GHashTable *answers; /* question → GStrv */
};

/** plumb_source_lookups_new: Returns: (transfer full): nothing known yet */
PlumbSourceLookups *
plumb_source_lookups_new (void)
{
  PlumbSourceLookups *self = g_new0 (PlumbSourceLookups, 1);

  g_mutex_init (&self->lock);
  self->answers
      = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify)g_strfreev);
  return self;
}

/** plumb_source_lookups_free: frees @self */
void
plumb_source_lookups_free (PlumbSourceLookups *self)
{
  g_hash_table_unref (self->answers);
  g_free (self->generation);
  g_mutex_clear (&self->lock);
  g_free (self);
}

/**
 * plumb_source_lookups_begin:
 * @generation: (nullable): what the server says that changes with each change of its catalog; the
 *   same text for a server that says nothing of the kind; %NULL forgets all that is known, and is
 *   the generation of answers that belong to no other one
 *
 * Begins a check. @generation must have been read before anything else is asked.
 */
void
plumb_source_lookups_begin (PlumbSourceLookups *self, const char *generation)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);
  gint64 now = g_get_monotonic_time ();

  if (generation != NULL && g_strcmp0 (generation, self->generation) == 0
      && now - self->since < KEPT_FOR)
    return;
  g_hash_table_remove_all (self->answers);
  g_free (self->generation);
  self->generation = g_strdup (generation);
  self->since = now;
}

/** plumb_source_lookups_find: Returns: (transfer full) (nullable): the answer to @question that was
 *   kept under @generation; %NULL where the server has to be asked */
GStrv
plumb_source_lookups_find (PlumbSourceLookups *self, const char *generation, const char *question)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);

  if (g_strcmp0 (generation, self->generation) != 0)
    return NULL;
  return g_strdupv (g_hash_table_lookup (self->answers, question));
}

/** plumb_source_lookups_keep: keeps a copy of @answer, unless another check has seen a newer
 *   generation meanwhile */
void
plumb_source_lookups_keep (PlumbSourceLookups *self, const char *generation, const char *question,
                           const char *const *answer)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);

  if (g_strcmp0 (generation, self->generation) == 0)
    g_hash_table_replace (self->answers, g_strdup (question), g_strdupv ((char **)answer));
}
