/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-search.h"

#include "plumb-search-engine.h"

struct _PlumbSearch {
  GObject parent_instance;

  PlumbIndex *index;
  GMutex lock;
  PlumbSearchEngine *engine;
  guint64 generation;
};

G_DEFINE_TYPE (PlumbSearch, plumb_search, G_TYPE_OBJECT)

static void
plumb_search_finalize (GObject *object)
{
  PlumbSearch *self = PLUMB_SEARCH (object);

  g_clear_pointer (&self->engine, plumb_search_engine_unref);
  g_clear_object (&self->index);
  g_mutex_clear (&self->lock);
  G_OBJECT_CLASS (plumb_search_parent_class)->finalize (object);
}

static void
plumb_search_class_init (PlumbSearchClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = plumb_search_finalize;
}

static void
plumb_search_init (PlumbSearch *self)
{
  g_mutex_init (&self->lock);
}

/** plumb_search_new: Returns: (transfer full): a search over @index, loaded when it is first used */
PlumbSearch *
plumb_search_new (PlumbIndex *index)
{
  PlumbSearch *self = g_object_new (PLUMB_TYPE_SEARCH, NULL);

  self->index = g_object_ref (index);
  return self;
}

static GPtrArray *
load_cards (PlumbSearch *self, GError **error)
{
  g_autoptr (GPtrArray) sources = plumb_index_list_sources (self->index, error);
  g_autoptr (GPtrArray) all = g_ptr_array_new_with_free_func ((GDestroyNotify) plumb_card_unref);

  for (guint i = 0; sources != NULL && i < sources->len; i++) {
    PlumbSourceRecord *source = g_ptr_array_index (sources, i);
    g_autoptr (GPtrArray) cards = plumb_index_list_cards (self->index, source->name, error);

    if (cards == NULL)
      return NULL;
    for (guint j = 0; j < cards->len; j++)
      g_ptr_array_add (all, plumb_card_ref (g_ptr_array_index (cards, j)));
  }
  return sources != NULL ? g_steal_pointer (&all) : NULL;
}

static PlumbSearchEngine *
load_engine (PlumbSearch *self, GError **error)
{
  g_autoptr (GPtrArray) cards = load_cards (self, error);
  g_autoptr (GPtrArray) notes = NULL;
  g_autoptr (GPtrArray) approved = NULL;

  if (cards == NULL)
    return NULL;
  notes = plumb_index_list_notes (self->index, NULL, NULL, NULL, FALSE, error);
  if (notes == NULL)
    return NULL;
  approved = plumb_index_list_approved (self->index, error);
  if (approved == NULL)
    return NULL;
  return plumb_search_engine_new (cards, notes, approved, NULL);
}

/* The engine for what the index holds now; a new one where the index has changed. */
static PlumbSearchEngine *
get_engine (PlumbSearch *self, GError **error)
{
  g_autoptr (GMutexLocker) locker G_GNUC_UNUSED = g_mutex_locker_new (&self->lock);
  guint64 generation = plumb_index_get_generation (self->index);

  if (self->engine == NULL || self->generation != generation) {
    PlumbSearchEngine *engine = load_engine (self, error);

    if (engine == NULL)
      return NULL;
    g_clear_pointer (&self->engine, plumb_search_engine_unref);
    self->engine = engine;
    self->generation = generation;
  }
  return plumb_search_engine_ref (self->engine);
}

/**
 * plumb_search_run:
 * @request: what to search
 * @cancellable: (nullable): a cancellable
 *
 * Returns: (transfer full): the candidates, best first; %NULL with an error of the index, or
 *   G_IO_ERROR_CANCELLED
 */
PlumbCandidates *
plumb_search_run (PlumbSearch *self, const PlumbSearchRequest *request, GCancellable *cancellable,
                  GError **error)
{
  gint64 started = g_get_monotonic_time ();
  g_autoptr (PlumbSearchEngine) engine = NULL;
  PlumbCandidates *found;

  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;
  engine = get_engine (self, error);
  if (engine == NULL)
    return NULL;
  found = plumb_search_engine_run (engine, request, cancellable, error);
  if (found != NULL)
    found->elapsed_us = g_get_monotonic_time () - started;
  return found;
}

/**
 * plumb_search_rank_databases:
 * @question: the question
 *
 * Returns: (transfer full) (element-type utf8): names of all databases that hold tables, those that
 *   fit @question best first
 */
GPtrArray *
plumb_search_rank_databases (PlumbSearch *self, const char *question, GError **error)
{
  g_autoptr (PlumbSearchEngine) engine = get_engine (self, error);

  return engine != NULL ? plumb_search_engine_rank_databases (engine, question) : NULL;
}
