/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-source-private.h"

/* How often a waiting call says that it still waits. */
#define TELL_EVERY G_TIME_SPAN_SECOND

struct _PlumbSourceSlots {
  char *database;
  int n_refs;
  guint n_running;
  GQueue waiting;
  GCond changed;
};

/* Guards the table and everything in each of its slots: they are held for a few instructions. */
static GMutex lock;
static GHashTable *all_slots;

/** plumb_source_slots_get: Returns: (transfer full): the slots of the database, shared by its
 * sources */
PlumbSourceSlots *
plumb_source_slots_get (const char *database)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&lock);
  PlumbSourceSlots *self;

  if (all_slots == NULL)
    all_slots = g_hash_table_new (g_str_hash, g_str_equal);
  self = g_hash_table_lookup (all_slots, database);
  if (self == NULL) {
    self = g_new0 (PlumbSourceSlots, 1);
    self->database = g_strdup (database);
    g_queue_init (&self->waiting);
    g_cond_init (&self->changed);
    g_hash_table_insert (all_slots, self->database, self);
  }
  self->n_refs++;
  return self;
}

/** plumb_source_slots_unref: gives a reference back */
void
plumb_source_slots_unref (PlumbSourceSlots *self)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&lock);

  if (--self->n_refs > 0)
    return;
  g_hash_table_remove (all_slots, self->database);
  g_cond_clear (&self->changed);
  g_free (self->database);
  g_free (self);
}

static void
wake (GCancellable *cancellable, PlumbSourceSlots *self)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&lock);

  g_cond_broadcast (&self->changed);
}

static void
tell (PlumbSourceSlots *self, guint n_before, PlumbSourceProgress progress, gpointer user_data)
{
  g_autofree char *doing = NULL;

  if (progress == NULL)
    return;
  doing = g_strdup_printf (
    "Waiting for a free slot: %u statements are running, %u are waiting before this one",
    self->n_running, n_before);
  g_mutex_unlock (&lock);
  progress (doing, user_data);
  g_mutex_lock (&lock);
}

/**
 * plumb_source_slots_acquire:
 * @at_most: how many statements may run at a time
 * @progress: (nullable): told once a second while it waits
 *
 * Takes a slot, in the order of asking; waits where none is free.
 *
 * Returns: whether there is one now; %FALSE with G_IO_ERROR_CANCELLED
 */
gboolean
plumb_source_slots_acquire (PlumbSourceSlots *self, guint at_most, PlumbSourceProgress progress,
                            gpointer user_data, GCancellable *cancellable, GError **error)
{
  gulong handler = 0;
  gint64 tell_at = 0;
  gboolean cancelled;

  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return FALSE;
  if (cancellable != NULL)
    handler = g_cancellable_connect (cancellable, G_CALLBACK (wake), self, NULL);
  g_mutex_lock (&lock);
  g_queue_push_tail (&self->waiting, &handler);
  while (!(cancelled = g_cancellable_is_cancelled (cancellable)) &&
         (self->n_running >= at_most || g_queue_peek_head (&self->waiting) != &handler)) {
    if (g_get_monotonic_time () >= tell_at) {
      tell_at = g_get_monotonic_time () + TELL_EVERY;
      tell (self, g_queue_index (&self->waiting, &handler), progress, user_data);
    } else {
      g_cond_wait_until (&self->changed, &lock, tell_at);
    }
  }
  g_queue_remove (&self->waiting, &handler);
  if (!cancelled)
    self->n_running++;
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&lock);
  g_cancellable_disconnect (cancellable, handler);
  return !cancelled || !g_cancellable_set_error_if_cancelled (cancellable, error);
}

/** plumb_source_slots_release: gives a slot back to whoever waits longest */
void
plumb_source_slots_release (PlumbSourceSlots *self)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&lock);

  self->n_running--;
  g_cond_broadcast (&self->changed);
}
