/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-source-private.h"

struct _PlumbWatchdog {
  GCancellable *follow;
  GCancellable *cancellable;
  gulong handler;
  GSource *timer;
  gint bitten;
};

static gpointer
run_timers (gpointer context)
{
  g_autoptr (GMainLoop) loop = g_main_loop_new (context, FALSE);

  g_main_loop_run (loop);
  return NULL;
}

/* One thread keeps the time of all running statements; it only ever waits. */
static GMainContext *
get_timers (void)
{
  static gsize ready = 0;
  static GMainContext *context;

  if (g_once_init_enter (&ready)) {
    context = g_main_context_new ();
    g_thread_unref (g_thread_new ("plumb-watchdog", run_timers, context));
    g_once_init_leave (&ready, 1);
  }
  return context;
}

static void
pass_on (GCancellable *followed, GCancellable *cancellable)
{
  g_cancellable_cancel (cancellable);
}

static gboolean
bite (gpointer user_data)
{
  PlumbWatchdog *self = user_data;

  g_atomic_int_set (&self->bitten, 1);
  g_cancellable_cancel (self->cancellable);
  return G_SOURCE_REMOVE;
}

static void
watchdog_clear (PlumbWatchdog *self)
{
  g_clear_object (&self->follow);
  g_clear_object (&self->cancellable);
}

static void
watchdog_release (PlumbWatchdog *self)
{
  g_atomic_rc_box_release_full (self, (GDestroyNotify) watchdog_clear);
}

/**
 * plumb_watchdog_start:
 * @follow: (nullable): the caller's cancellable
 * @after_ms: when to fire, in milliseconds; 0 for never
 *
 * Returns: (transfer full): a watchdog, to be given to plumb_watchdog_stop()
 */
PlumbWatchdog *
plumb_watchdog_start (GCancellable *follow, gint64 after_ms)
{
  PlumbWatchdog *self = g_atomic_rc_box_new0 (PlumbWatchdog);

  self->cancellable = g_cancellable_new ();
  if (follow != NULL) {
    self->follow = g_object_ref (follow);
    self->handler = g_cancellable_connect (follow, G_CALLBACK (pass_on),
                                           g_object_ref (self->cancellable), g_object_unref);
  }
  if (after_ms > 0) {
    self->timer = g_timeout_source_new (MIN (after_ms, G_MAXINT));
    g_source_set_callback (self->timer, bite, g_atomic_rc_box_acquire (self),
                           (GDestroyNotify) watchdog_release);
    g_source_attach (self->timer, get_timers ());
  }
  return self;
}

/** plumb_watchdog_get_cancellable: Returns: (transfer none): what the guarded call must honour */
GCancellable *
plumb_watchdog_get_cancellable (PlumbWatchdog *self)
{
  return self->cancellable;
}

/** plumb_watchdog_stop: frees @self. Returns: whether its time was up, and not its caller cancelled
 */
gboolean
plumb_watchdog_stop (PlumbWatchdog *self)
{
  gboolean bitten;

  if (self->timer != NULL)
    g_source_destroy (self->timer);
  g_clear_pointer (&self->timer, g_source_unref);
  g_cancellable_disconnect (self->follow, self->handler);
  bitten = g_atomic_int_get (&self->bitten) && !g_cancellable_is_cancelled (self->follow);
  watchdog_release (self);
  return bitten;
}
