/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-search.h"

#include "plumb-config.h"
#include "plumb-index-private.h"
#include "plumb-search-rerank.h"
#include "plumb-search-shown.h"
#include "plumb-search-vectors.h"

#include <glib/gstdio.h>
#include <string.h>

/* Whole cards that searches have read, for an engine that has only their names. */
typedef struct {
  PlumbIndex *index;
  GMutex lock;
  GHashTable *cards;    /* card of the engine → whole card */
} Reader;

/* More than anyone looks at between two changes of the index. */
#define MAX_CARDS_KEPT 2000

struct _PlumbSearch {
  GObject parent_instance;

  PlumbIndex *index;
  char *image_path;
  GMutex lock;
  PlumbSearchEngine *engine;
  Reader *reader;
  PlumbSearchState state;
  PlumbSearchVectors *vectors;
  PlumbSearchShown *shown;
  PlumbSearchRerank rerank;
};

G_DEFINE_TYPE (PlumbSearch, plumb_search, G_TYPE_OBJECT)

static Reader *
reader_new (PlumbIndex *index)
{
  Reader *self = g_atomic_rc_box_new0 (Reader);

  self->index = g_object_ref (index);
  g_mutex_init (&self->lock);
  self->cards = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) plumb_card_unref);
  return self;
}

static void
reader_clear (Reader *self)
{
  g_hash_table_unref (self->cards);
  g_mutex_clear (&self->lock);
  g_object_unref (self->index);
}

static void
reader_unref (Reader *self)
{
  g_atomic_rc_box_release_full (self, (GDestroyNotify) reader_clear);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Reader, reader_unref)

/* A PlumbCardFunc. A table that has vanished since the engine was made is no error, and not found. */
static PlumbCard *
read_card (PlumbCard *names, gpointer data, GError **error)
{
  Reader *self = data;
  g_autoptr (GMutexLocker) locker G_GNUC_UNUSED = g_mutex_locker_new (&self->lock);
  PlumbCard *card = g_hash_table_lookup (self->cards, names);
  g_autoptr (GError) own_error = NULL;

  if (card != NULL)
    return plumb_card_ref (card);
  card = plumb_index_get_card (self->index, names->database, names->schema, names->name, &own_error);
  if (card == NULL && !g_error_matches (own_error, PLUMB_ERROR, PLUMB_ERROR_NOT_FOUND))
    g_propagate_error (error, g_steal_pointer (&own_error));
  if (card != NULL && card->gone)
    g_clear_pointer (&card, plumb_card_unref);
  if (card != NULL && g_hash_table_size (self->cards) < MAX_CARDS_KEPT)
    g_hash_table_insert (self->cards, names, plumb_card_ref (card));
  return card;
}

static void
plumb_search_finalize (GObject *object)
{
  PlumbSearch *self = PLUMB_SEARCH (object);

  g_clear_pointer (&self->engine, plumb_search_engine_unref);
  g_clear_pointer (&self->reader, reader_unref);
  g_clear_pointer (&self->vectors, plumb_search_vectors_free);
  g_clear_pointer (&self->shown, plumb_search_shown_free);
  g_clear_object (&self->index);
  g_clear_object (&self->rerank.reranker);
  g_free (self->image_path);
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
  self->image_path = g_strconcat (plumb_index_get_path (index), "-search", NULL);
  self->vectors = plumb_search_vectors_new (index);
  self->shown = plumb_search_shown_new ();
  return self;
}

/**
 * plumb_search_set_embedder:
 * @self: a search
 * @embedder: (nullable): embeds questions with the wished model; %NULL for no embeddings
 * @previous: (nullable): embeds them with the model before, as long as its vectors serve
 *
 * Vectors take part in a search when a model serves (see plumb_index_finish_embedding()) and one of the two
 * is of that model. A search waits for the vector of its question no longer than a time limit; when there is
 * none it goes on without, and says so in `warning` of its result.
 */
void
plumb_search_set_embedder (PlumbSearch *self, PlumbEmbedder *embedder, PlumbEmbedder *previous)
{
  plumb_search_vectors_set_embedder (self->vectors, embedder, previous);
}

/** plumb_search_set_embedding_time_limit: sets how long a search waits for the vector of its question, 5 s
 *  where this isn't called */
void
plumb_search_set_embedding_time_limit (PlumbSearch *self, guint milliseconds)
{
  plumb_search_vectors_set_time_limit (self->vectors, milliseconds);
}

/** plumb_search_set_embedding_pause: sets how long searches go without the embedder after it has failed once, 10 s
 *  where this isn't called, 0 for no time at all. It doubles with each failure in a row, up to ten minutes; an
 *  answer ends it. */
void
plumb_search_set_embedding_pause (PlumbSearch *self, guint milliseconds)
{
  plumb_search_vectors_set_pause (self->vectors, milliseconds);
}

/**
 * plumb_search_get_embedding_pause:
 * @failure: (out) (optional) (nullable): set to what went wrong last
 *
 * Returns: seconds for which searches go on without the embedder, 0 where the next one asks it
 */
guint
plumb_search_get_embedding_pause (PlumbSearch *self, char **failure)
{
  return plumb_search_vectors_get_pause (self->vectors, failure);
}

/**
 * plumb_search_set_reranker:
 * @reranker: (nullable): what orders candidates again; %NULL for none
 * @mode: when it does
 * @timeout_ms: how long a search waits for it
 */
void
plumb_search_set_reranker (PlumbSearch *self, PlumbReranker *reranker, PlumbRerankMode mode,
                           guint timeout_ms)
{
  g_autoptr (GMutexLocker) locker G_GNUC_UNUSED = g_mutex_locker_new (&self->lock);

  g_set_object (&self->rerank.reranker, reranker);
  self->rerank.mode = mode;
  self->rerank.timeout_ms = timeout_ms;
}

/* Which cards an image is made of; another number than before where that changes. */
#define IMAGE_CARDS 2

/* An image by another program, by other numbers or from other word lists isn't ours. */
static guint64
get_maker (void)
{
  guint64 sum = plumb_image_sum (PLUMB_VERSION, strlen (PLUMB_VERSION), plumb_lexicon_get_sum () + IMAGE_CARDS);

  return plumb_image_sum (&plumb_search_weights, sizeof plumb_search_weights, sum);
}

/* The image in the file, if it is of these cards. */
static PlumbSearchEngine *
open_engine (PlumbSearch *self, const PlumbSearchState *state, GPtrArray *notes, GPtrArray *approved, GPtrArray *edges)
{
  PlumbImageStamp stamp;
  g_autoptr (PlumbImage) image = plumb_image_map (self->image_path, &stamp);

  if (image == NULL || stamp.maker != get_maker () || stamp.content != state->cards)
    return NULL;
  return plumb_search_engine_open (image, notes, approved, edges);
}

/* Makes the image anew. That it can't be kept, because the folder is full or not ours to write to, costs time
 * in the next program and nothing else. */
static PlumbSearchEngine *
make_engine (PlumbSearch *self, PlumbSearchState *state, GPtrArray *notes, GPtrArray *approved, GPtrArray *edges,
             GError **error)
{
  PlumbSearchState now;
  g_autoptr (GPtrArray) cards = plumb_index_list_present_cards (self->index, &now, error);
  g_autoptr (PlumbImage) image = NULL;
  g_autoptr (GError) save_error = NULL;
  PlumbImageStamp stamp;

  if (cards == NULL)
    return NULL;
  /* The generation stays that of the notes: what came since then is looked at again. */
  state->cards = now.cards;
  image = plumb_search_engine_build (cards, NULL);
  stamp = (PlumbImageStamp) { get_maker (), state->cards };
  if (!plumb_image_save (image, &stamp, self->image_path, &save_error))
    g_debug ("%s", save_error->message);
  return plumb_search_engine_open (image, notes, approved, edges);
}

/* What a person wrote changes often, and takes no new look at the cards. */
static PlumbSearchEngine *
load_engine (PlumbSearch *self, PlumbSearchState *state, GError **error)
{
  g_autoptr (GPtrArray) notes = plumb_index_list_notes (self->index, NULL, NULL, NULL, FALSE, error);
  g_autoptr (GPtrArray) approved = notes != NULL ? plumb_index_list_answered (self->index, error) : NULL;
  g_autoptr (GPtrArray) edges = approved != NULL ? plumb_index_list_edges (self->index, NULL, error) : NULL;
  PlumbSearchEngine *engine;

  if (edges == NULL)
    return NULL;
  if (self->engine != NULL && self->state.cards == state->cards)
    return plumb_search_engine_new_with_notes (self->engine, notes, approved, edges);
  engine = open_engine (self, state, notes, approved, edges);
  return engine != NULL ? engine : make_engine (self, state, notes, approved, edges, error);
}

/* A damaged file is no use to anyone; the next one is made of the cards. */
static void
drop_damaged (PlumbSearch *self)
{
  if (self->engine == NULL || !plumb_search_engine_is_damaged (self->engine))
    return;
  g_unlink (self->image_path);
  g_clear_pointer (&self->engine, plumb_search_engine_unref);
  g_clear_pointer (&self->reader, reader_unref);
}

/* The engine for what the index holds now; a new one where the index has changed. */
static PlumbSearchEngine *
get_engine (PlumbSearch *self, Reader **reader, GError **error)
{
  g_autoptr (GMutexLocker) locker G_GNUC_UNUSED = g_mutex_locker_new (&self->lock);
  PlumbSearchState state;

  drop_damaged (self);
  /* While the file can't be read, what was read last still answers. */
  if (!plumb_index_get_search_state (self->index, &state, self->engine == NULL ? error : NULL)) {
    if (self->engine == NULL)
      return NULL;
    state = self->state;
  }
  if (self->engine == NULL || self->state.generation != state.generation) {
    PlumbSearchEngine *engine = load_engine (self, &state, error);

    if (engine == NULL)
      return NULL;
    g_clear_pointer (&self->engine, plumb_search_engine_unref);
    g_clear_pointer (&self->reader, reader_unref);
    self->engine = engine;
    self->reader = reader_new (self->index);
    self->state = state;
  }
  *reader = g_atomic_rc_box_acquire (self->reader);
  return plumb_search_engine_ref (self->engine);
}

/**
 * plumb_search_prepare:
 * @self: a search
 *
 * Brings what search keeps up to date, which the first search otherwise does. Whoever has changed the cards
 * calls it at the end.
 *
 * Returns: %FALSE with an error of the index
 */
gboolean
plumb_search_prepare (PlumbSearch *self, GError **error)
{
  g_autoptr (Reader) reader = NULL;
  g_autoptr (PlumbSearchEngine) engine = get_engine (self, &reader, error);

  return engine != NULL;
}

/* What a search runs on, and who may see what of its cards. */
typedef struct {
  PlumbSearchEngine *engine;
  Reader *reader;
  const PlumbSearchRequest *request;
} Ground;

/* A PlumbCardFunc: the card as it may be seen. */
static PlumbCard *
read_shown (PlumbCard *names, gpointer data, GError **error)
{
  const Ground *ground = data;
  PlumbCard *card = read_card (names, ground->reader, error);
  PlumbCard *shown;

  if (card == NULL || ground->request->show == NULL)
    return card;
  shown = ground->request->show (card, ground->request->visibility_data);
  plumb_card_unref (card);
  return shown;
}

/* A PlumbSearchFunc. */
static PlumbCandidates *
run_on (const PlumbSearchRequest *request, gpointer data, GCancellable *cancellable, GError **error)
{
  Ground *ground = data;

  return plumb_search_engine_run_with (ground->engine, request, read_shown, ground, cancellable, error);
}

static gboolean
is_restricted (const PlumbSearchRequest *request)
{
  return request->visibility != NULL || request->show != NULL;
}

/* The engine over what @request shows. */
static PlumbSearchEngine *
get_shown (PlumbSearch *self, const PlumbSearchRequest *request, gboolean *names_some, GError **error)
{
  PlumbSearchState state;

  g_mutex_lock (&self->lock);
  state = self->state;
  g_mutex_unlock (&self->lock);
  return plumb_search_shown_get (self->shown, self->index, request, &state, names_some, error);
}

/* Names the tables outside the access role that would stand among the candidates. */
static gboolean
add_names (PlumbSearchEngine *whole, Reader *reader, const PlumbSearchRequest *request, PlumbCandidates *found,
           GCancellable *cancellable, GError **error)
{
  g_autoptr (PlumbCandidates) named = plumb_search_engine_run_with (whole, request, read_card, reader, cancellable, error);

  if (named == NULL)
    return FALSE;
  g_ptr_array_unref (found->no_permission);
  found->no_permission = g_ptr_array_ref (named->no_permission);
  return TRUE;
}

/* The candidates in the order of the reranker that is set now. */
static gboolean
order_again (PlumbSearch *self, Ground *ground, const PlumbSearchRequest *request,
             PlumbCandidates *found, GCancellable *cancellable, GError **error)
{
  g_autoptr (PlumbReranker) reranker = NULL;
  PlumbSearchRerank rerank;

  g_mutex_lock (&self->lock);
  rerank = self->rerank;
  g_set_object (&reranker, rerank.reranker);
  g_mutex_unlock (&self->lock);
  return plumb_search_rerank (&rerank, request, found, run_on, ground, cancellable, error);
}

static PlumbCandidates *
run_ground (PlumbSearch *self, Ground *ground, GCancellable *cancellable, GError **error)
{
  PlumbSearchRequest with_vectors = *ground->request;
  g_autofree char *warning = NULL;
  g_autoptr (PlumbLikeness) likeness = plumb_search_vectors_ask (
      self->vectors, plumb_search_engine_get_tables (ground->engine), with_vectors.question, cancellable, &warning);
  g_autoptr (PlumbCandidates) found = NULL;

  with_vectors.likeness = likeness;
  found = run_on (&with_vectors, ground, cancellable, error);
  if (found == NULL)
    return NULL;
  found->warning = g_steal_pointer (&warning);
  return order_again (self, ground, &with_vectors, found, cancellable, error) ? g_steal_pointer (&found) : NULL;
}

static PlumbCandidates *
run_engine (PlumbSearch *self, PlumbSearchEngine *engine, Reader *reader, const PlumbSearchRequest *request,
            GCancellable *cancellable, GError **error)
{
  Ground whole = { engine, reader, request };
  g_autoptr (Reader) own_reader = NULL;
  g_autoptr (PlumbSearchEngine) shown = NULL;
  g_autoptr (PlumbCandidates) found = NULL;
  gboolean names_some = FALSE;
  Ground ground;

  if (!is_restricted (request))
    return run_ground (self, &whole, cancellable, error);
  shown = get_shown (self, request, &names_some, error);
  if (shown == NULL)
    return NULL;
  own_reader = reader_new (self->index);
  ground = (Ground) { shown, own_reader, request };
  found = run_ground (self, &ground, cancellable, error);
  if (found == NULL || (names_some && !add_names (engine, reader, request, found, cancellable, error)))
    return NULL;
  return g_steal_pointer (&found);
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
  g_autoptr (Reader) reader = NULL;
  PlumbCandidates *found;

  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;
  engine = get_engine (self, &reader, error);
  if (engine == NULL)
    return NULL;
  found = run_engine (self, engine, reader, request, cancellable, error);
  if (found != NULL && plumb_search_engine_is_damaged (engine)) {
    g_clear_pointer (&found, plumb_candidates_unref);
    g_clear_pointer (&engine, plumb_search_engine_unref);
    g_clear_pointer (&reader, reader_unref);
    engine = get_engine (self, &reader, error);
    if (engine != NULL)
      found = run_engine (self, engine, reader, request, cancellable, error);
  }
  if (found != NULL)
    found->elapsed_us = g_get_monotonic_time () - started;
  return found;
}

static GPtrArray *
rank_databases (PlumbSearch *self, PlumbSearchEngine *whole, const PlumbSearchRequest *request, GError **error)
{
  g_autoptr (PlumbSearchEngine) shown = NULL;
  gboolean names_some;

  if (!is_restricted (request))
    return plumb_search_engine_rank_databases (whole, request->question);
  shown = get_shown (self, request, &names_some, error);
  return shown != NULL ? plumb_search_engine_rank_databases (shown, request->question) : NULL;
}

/**
 * plumb_search_rank_databases:
 * @request: the question, and who asks
 *
 * Returns: (transfer full) (element-type utf8): names of all databases that hold tables that may be seen, those
 *   that fit the question best first
 */
GPtrArray *
plumb_search_rank_databases (PlumbSearch *self, const PlumbSearchRequest *request, GError **error)
{
  g_autoptr (Reader) reader = NULL;
  g_autoptr (PlumbSearchEngine) engine = get_engine (self, &reader, error);
  GPtrArray *ranked = engine != NULL ? rank_databases (self, engine, request, error) : NULL;

  if (ranked != NULL && plumb_search_engine_is_damaged (engine)) {
    g_clear_pointer (&ranked, g_ptr_array_unref);
    g_clear_pointer (&engine, plumb_search_engine_unref);
    g_clear_pointer (&reader, reader_unref);
    engine = get_engine (self, &reader, error);
    ranked = engine != NULL ? rank_databases (self, engine, request, error) : NULL;
  }
  return ranked;
}
