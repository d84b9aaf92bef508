/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-analysis-readers.h"

/* What a thread did with one card. */
typedef struct {
  PlumbCard *card;
  GError *error;
} Reading;

struct _PlumbAnalysisReaders {
  PlumbSource *source;
  GThreadPool *pool;
  GAsyncQueue *done; /* Reading */
  GCancellable *cancellable;
  GCancellable *outer;
  gulong cancelled;
  guint n_waiting;
};

static void
reading_free (Reading *self)
{
  plumb_card_unref (self->card);
  g_clear_error (&self->error);
  g_free (self);
}

/* A connection may break without the server being gone: the table is tried once more. */
static void
read_card (gpointer data, gpointer user_data)
{
  Reading *reading = data;
  PlumbAnalysisReaders *self = user_data;

  if (!plumb_analysis_profile (self->source, reading->card, self->cancellable, &reading->error) &&
      g_error_matches (reading->error, PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_LOST)) {
    g_clear_error (&reading->error);
    plumb_analysis_profile (self->source, reading->card, self->cancellable, &reading->error);
  }
  g_async_queue_push (self->done, reading);
}

static void
on_cancelled (GCancellable *outer, gpointer inner)
{
  g_cancellable_cancel (inner);
}

/**
 * plumb_analysis_readers_new:
 * @source: a source; outlives the readers
 * @cancellable: (nullable): a cancellable
 *
 * Most of the time that the analysis of a far database takes, it waits for answers. So several tables
 * are read at a time, one fewer than statements may run at a time: a question that is asked meanwhile
 * finds a free place.
 *
 * Returns: (transfer full): threads that read tables
 */
PlumbAnalysisReaders *
plumb_analysis_readers_new (PlumbSource *source, GCancellable *cancellable)
{
  PlumbAnalysisReaders *self = g_new0 (PlumbAnalysisReaders, 1);
  guint at_most = plumb_source_get_concurrency (source);

  self->source = source;
  self->pool = g_thread_pool_new (read_card, self, (int) MAX (at_most, 2) - 1, FALSE, NULL);
  self->done = g_async_queue_new_full ((GDestroyNotify) reading_free);
  self->cancellable = g_cancellable_new ();
  if (cancellable != NULL) {
    self->outer = g_object_ref (cancellable);
    self->cancelled = g_cancellable_connect (cancellable, G_CALLBACK (on_cancelled),
                                             g_object_ref (self->cancellable), g_object_unref);
  }
  return self;
}

/** plumb_analysis_readers_free: ends what is still being read, and waits for that */
void
plumb_analysis_readers_free (PlumbAnalysisReaders *self)
{
  g_cancellable_cancel (self->cancellable);
  while (self->n_waiting-- > 0)
    reading_free (g_async_queue_pop (self->done));
  g_thread_pool_free (self->pool, FALSE, TRUE);
  g_async_queue_unref (self->done);
  if (self->outer != NULL)
    g_cancellable_disconnect (self->outer, self->cancelled);
  g_clear_object (&self->outer);
  g_object_unref (self->cancellable);
  g_free (self);
}

/** plumb_analysis_readers_push: has @card's table read; nobody else may touch @card meanwhile */
void
plumb_analysis_readers_push (PlumbAnalysisReaders *self, PlumbCard *card)
{
  Reading *reading = g_new0 (Reading, 1);

  reading->card = plumb_card_ref (card);
  self->n_waiting++;
  g_thread_pool_push (self->pool, reading, NULL);
}

/**
 * plumb_analysis_readers_pop:
 * @error: return location for why its table couldn't be read
 *
 * Waits for the next table that is done.
 *
 * Returns: (transfer full) (nullable): its card, also where there is an error; %NULL where all are
 *   back
 */
PlumbCard *
plumb_analysis_readers_pop (PlumbAnalysisReaders *self, GError **error)
{
  Reading *reading;
  PlumbCard *card;

  if (self->n_waiting == 0)
    return NULL;
  reading = g_async_queue_pop (self->done);
  self->n_waiting--;
  card = plumb_card_ref (reading->card);
  if (reading->error != NULL)
    g_propagate_error (error, g_steal_pointer (&reading->error));
  reading_free (reading);
  return card;
}
