/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-search-vectors.h"

#include "plumb-error.h"
#include "plumb-text.h"
#include "plumb-vectors.h"

#include <math.h>
#include <string.h>

/* Vectors of this many questions are kept: a conversation comes back to the same ones. */
#define MAX_QUESTIONS 64

/* How long a search waits for the vector of its question. A local server may have to load its model
 * first. */
#define TIME_LIMIT_MS 5000

/* How long nobody is asked after a failure; twice as long after each more, up to the longest. */
#define PAUSE_MS (10 * 1000)
#define LONGEST_PAUSE_MS (10 * 60 * 1000)

/* A question whose vector is kept. */
typedef struct {
  char *key;          /* the model, and the question on the next line */
  float *vector;
  guint n_dimensions;
} Known;

struct _PlumbSearchVectors {
  PlumbIndex *index;
  GMutex lock;
  PlumbEmbedder *embedder;
  PlumbEmbedder *previous;
  guint time_limit_ms;
  guint pause_ms;     /* the first one; 0 for none at all */
  guint n_failures;   /* in a row */
  gint64 ask_at;      /* monotonic time from which on the embedder is asked again */
  char *failure;      /* the last one */
  PlumbTableVectors *tables;
  GQueue known;       /* the one that was asked for last first */
};

/* One question on its way to the embedder, in a thread of its own: a search goes on without it when it
 * takes too long. */
typedef struct {
  PlumbEmbedder *embedder;
  GCancellable *cancellable;
  char *question;
  GMutex lock;
  GCond changed;
  gboolean done;
  gboolean given_up;
  float *vector;
  guint n_dimensions;
  GError *error;
} Call;

static void
known_free (Known *self)
{
  g_free (self->key);
  g_free (self->vector);
  g_free (self);
}

/** plumb_search_vectors_new: Returns: (transfer full): nobody to ask yet, over the vectors of @index */
PlumbSearchVectors *
plumb_search_vectors_new (PlumbIndex *index)
{
  PlumbSearchVectors *self = g_new0 (PlumbSearchVectors, 1);

  self->index = g_object_ref (index);
  self->time_limit_ms = TIME_LIMIT_MS;
  self->pause_ms = PAUSE_MS;
  g_mutex_init (&self->lock);
  g_queue_init (&self->known);
  return self;
}

/** plumb_search_vectors_free: frees @self */
void
plumb_search_vectors_free (PlumbSearchVectors *self)
{
  if (self == NULL)
    return;
  g_clear_object (&self->embedder);
  g_clear_object (&self->previous);
  g_free (self->failure);
  g_clear_pointer (&self->tables, plumb_table_vectors_unref);
  g_queue_clear_full (&self->known, (GDestroyNotify) known_free);
  g_mutex_clear (&self->lock);
  g_object_unref (self->index);
  g_free (self);
}

/* The lock is held by the caller. */
static void
forget_failures (PlumbSearchVectors *self)
{
  self->n_failures = 0;
  self->ask_at = 0;
  g_clear_pointer (&self->failure, g_free);
}

/** plumb_search_vectors_set_embedder: sets who is asked, see plumb_search_set_embedder() */
void
plumb_search_vectors_set_embedder (PlumbSearchVectors *self, PlumbEmbedder *embedder, PlumbEmbedder *previous)
{
  g_autoptr (GMutexLocker) locker G_GNUC_UNUSED = g_mutex_locker_new (&self->lock);

  if (g_set_object (&self->embedder, embedder) | g_set_object (&self->previous, previous))
    forget_failures (self);
}

/** plumb_search_vectors_set_pause: sets how long nobody is asked after a first failure, 0 for no time at all */
void
plumb_search_vectors_set_pause (PlumbSearchVectors *self, guint milliseconds)
{
  g_autoptr (GMutexLocker) locker G_GNUC_UNUSED = g_mutex_locker_new (&self->lock);

  self->pause_ms = milliseconds;
  forget_failures (self);
}

/**
 * plumb_search_vectors_get_pause:
 * @failure: (out) (optional) (nullable): set to what went wrong last
 *
 * Returns: seconds until the embedder is asked again, rounded up; 0 where the next search asks it
 */
guint
plumb_search_vectors_get_pause (PlumbSearchVectors *self, char **failure)
{
  g_autoptr (GMutexLocker) locker G_GNUC_UNUSED = g_mutex_locker_new (&self->lock);
  gint64 left = self->ask_at - g_get_monotonic_time ();

  if (failure != NULL)
    *failure = g_strdup (self->failure);
  return left > 0 ? (guint) ((left + G_USEC_PER_SEC - 1) / G_USEC_PER_SEC) : 0;
}

/* Whether the embedder may be asked now; says why not. Of searches at the same time one tries again. */
static gboolean
may_ask (PlumbSearchVectors *self, GError **error)
{
  g_autofree char *failure = NULL;
  guint seconds = plumb_search_vectors_get_pause (self, &failure);

  if (seconds > 0) {
    g_set_error (error, PLUMB_ERROR, PLUMB_ERROR_FAILED, "%s; the endpoint is asked again in %u s",
                 failure != NULL ? failure : "it did not answer", seconds);
    return FALSE;
  }
  g_mutex_lock (&self->lock);
  if (self->n_failures > 0)
    self->ask_at = g_get_monotonic_time () + (gint64) self->time_limit_ms * 1000;
  g_mutex_unlock (&self->lock);
  return TRUE;
}

/** plumb_search_vectors_pause_after: Returns: milliseconds for which nobody is asked after @n_failures in a row,
 *  where it is @first_ms after one: twice as long each time, up to ten minutes */
gint64
plumb_search_vectors_pause_after (guint first_ms, guint n_failures)
{
  return MIN ((gint64) first_ms << MIN (n_failures - 1, 16), MAX (LONGEST_PAUSE_MS, (gint64) first_ms));
}

/* What came of asking: the time that nobody is asked doubles with each failure in a row. */
static void
note_outcome (PlumbSearchVectors *self, const GError *error)
{
  g_autoptr (GMutexLocker) locker G_GNUC_UNUSED = g_mutex_locker_new (&self->lock);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED)) {
    self->ask_at = 0;
    return;
  }
  if (error == NULL) {
    forget_failures (self);
    return;
  }
  self->n_failures++;
  self->ask_at = g_get_monotonic_time () + 1000 * plumb_search_vectors_pause_after (self->pause_ms, self->n_failures);
  g_free (self->failure);
  self->failure = g_strdup (error->message);
}

/** plumb_search_vectors_set_time_limit: sets how long a search waits for the vector of its question */
void
plumb_search_vectors_set_time_limit (PlumbSearchVectors *self, guint milliseconds)
{
  g_autoptr (GMutexLocker) locker G_GNUC_UNUSED = g_mutex_locker_new (&self->lock);

  self->time_limit_ms = milliseconds;
}

static Call *
call_new (PlumbEmbedder *embedder, const char *question)
{
  Call *self = g_atomic_rc_box_new0 (Call);

  self->embedder = g_object_ref (embedder);
  self->cancellable = g_cancellable_new ();
  self->question = g_strdup (question);
  g_mutex_init (&self->lock);
  g_cond_init (&self->changed);
  return self;
}

static void
call_clear (Call *self)
{
  g_object_unref (self->embedder);
  g_object_unref (self->cancellable);
  g_free (self->question);
  g_free (self->vector);
  g_clear_error (&self->error);
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->changed);
}

static void
call_unref (Call *self)
{
  g_atomic_rc_box_release_full (self, (GDestroyNotify) call_clear);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Call, call_unref)

static gpointer
run_call (gpointer data)
{
  g_autoptr (Call) self = data;
  const char *texts[] = { self->question };
  g_autoptr (GError) error = NULL;
  guint n_dimensions = 0;
  float *vector = plumb_embedder_embed (self->embedder, texts, 1, &n_dimensions, self->cancellable, &error);

  g_mutex_lock (&self->lock);
  self->vector = vector;
  self->n_dimensions = n_dimensions;
  self->error = g_steal_pointer (&error);
  self->done = TRUE;
  g_cond_signal (&self->changed);
  g_mutex_unlock (&self->lock);
  return NULL;
}

static void
give_up (GCancellable *cancellable, Call *call)
{
  g_mutex_lock (&call->lock);
  call->given_up = TRUE;
  g_cond_signal (&call->changed);
  g_mutex_unlock (&call->lock);
}

/* Waits for the call until it is done, @cancellable is cancelled, or the time is up. */
static gboolean
wait_for_call (Call *call, guint time_limit_ms, GCancellable *cancellable)
{
  gint64 deadline = g_get_monotonic_time () + (gint64) time_limit_ms * 1000;
  gulong handler = cancellable != NULL
                       ? g_cancellable_connect (cancellable, G_CALLBACK (give_up), call, NULL)
                       : 0;
  gboolean done;

  g_mutex_lock (&call->lock);
  while (!call->done && !call->given_up) {
    if (!g_cond_wait_until (&call->changed, &call->lock, deadline))
      break;
  }
  done = call->done;
  g_mutex_unlock (&call->lock);
  g_cancellable_disconnect (cancellable, handler);
  return done;
}

static gboolean
check_vector (const Call *call, guint n_dimensions, GError **error)
{
  if (call->n_dimensions != n_dimensions) {
    g_set_error (error, PLUMB_ERROR, PLUMB_ERROR_FAILED,
                 "the model gave %u numbers for it, and %u for the tables", call->n_dimensions, n_dimensions);
    return FALSE;
  }
  for (guint i = 0; i < n_dimensions; i++) {
    if (!isfinite (call->vector[i])) {
      g_set_error (error, PLUMB_ERROR, PLUMB_ERROR_FAILED, "the model gave a number that is none");
      return FALSE;
    }
  }
  return TRUE;
}

/* The vector of @question, of @n_dimensions numbers; %NULL with an error. */
static float *
embed (PlumbEmbedder *embedder, const char *question, guint n_dimensions, guint time_limit_ms,
       GCancellable *cancellable, GError **error)
{
  g_autoptr (Call) call = call_new (embedder, question);

  g_thread_unref (g_thread_new ("embed-question", run_call, g_atomic_rc_box_acquire (call)));
  if (!wait_for_call (call, time_limit_ms, cancellable)) {
    g_cancellable_cancel (call->cancellable);
    if (!g_cancellable_set_error_if_cancelled (cancellable, error))
      g_set_error (error, PLUMB_ERROR, PLUMB_ERROR_TIMED_OUT, "there was no answer within %.1f s",
                   time_limit_ms / 1000.0);
    return NULL;
  }
  if (call->vector == NULL) {
    g_propagate_error (error, g_steal_pointer (&call->error));
    return NULL;
  }
  return check_vector (call, n_dimensions, error) ? g_steal_pointer (&call->vector) : NULL;
}

/* A copy of the vector that is kept under @key, which moves to the front. */
static float *
find_known (PlumbSearchVectors *self, const char *key, guint n_dimensions)
{
  g_autoptr (GMutexLocker) locker G_GNUC_UNUSED = g_mutex_locker_new (&self->lock);

  for (GList *link = self->known.head; link != NULL; link = link->next) {
    Known *known = link->data;

    if (strcmp (known->key, key) != 0 || known->n_dimensions != n_dimensions)
      continue;
    g_queue_unlink (&self->known, link);
    g_queue_push_head_link (&self->known, link);
    return g_memdup2 (known->vector, n_dimensions * sizeof (float));
  }
  return NULL;
}

static void
keep (PlumbSearchVectors *self, const char *key, const float *vector, guint n_dimensions)
{
  g_autoptr (GMutexLocker) locker G_GNUC_UNUSED = g_mutex_locker_new (&self->lock);
  Known *known = g_new0 (Known, 1);

  known->key = g_strdup (key);
  known->vector = g_memdup2 (vector, n_dimensions * sizeof (float));
  known->n_dimensions = n_dimensions;
  g_queue_push_head (&self->known, known);
  if (self->known.length > MAX_QUESTIONS)
    known_free (g_queue_pop_tail (&self->known));
}

static float *
get_question_vector (PlumbSearchVectors *self, PlumbEmbedder *embedder, const PlumbTableVectors *tables,
                     const char *question, GCancellable *cancellable, GError **error)
{
  guint n_dimensions = plumb_table_vectors_get_n_dimensions (tables);
  g_autofree char *text = plumb_text_cut (question, PLUMB_CHUNK_MAX_BYTES);
  g_autofree char *key = g_strconcat (plumb_table_vectors_get_model (tables), "\n", text, NULL);
  float *vector = find_known (self, key, n_dimensions);
  g_autoptr (GError) local_error = NULL;

  if (vector != NULL)
    return vector;
  if (!may_ask (self, error))
    return NULL;
  vector = embed (embedder, text, n_dimensions, self->time_limit_ms, cancellable, &local_error);
  note_outcome (self, local_error);
  if (vector != NULL)
    keep (self, key, vector, n_dimensions);
  else
    g_propagate_error (error, g_steal_pointer (&local_error));
  return vector;
}

/* The vectors as the index holds them now; loading them is done once for all that ask. */
static PlumbTableVectors *
get_tables (PlumbSearchVectors *self, GPtrArray *tables, GError **error)
{
  g_autoptr (GMutexLocker) locker G_GNUC_UNUSED = g_mutex_locker_new (&self->lock);
  PlumbTableVectors *now = plumb_table_vectors_new (self->index, tables, self->tables, error);

  if (now == NULL)
    return NULL;
  g_clear_pointer (&self->tables, plumb_table_vectors_unref);
  self->tables = now;
  return plumb_table_vectors_ref (now);
}

/* Of the two that may be asked, the one of the model that serves. */
static PlumbEmbedder *
choose_embedder (PlumbSearchVectors *self, const char *model)
{
  g_autoptr (GMutexLocker) locker G_GNUC_UNUSED = g_mutex_locker_new (&self->lock);

  if (self->embedder != NULL && g_strcmp0 (plumb_embedder_get_model (self->embedder), model) == 0)
    return g_object_ref (self->embedder);
  if (self->previous != NULL && g_strcmp0 (plumb_embedder_get_model (self->previous), model) == 0)
    return g_object_ref (self->previous);
  return NULL;
}

static gboolean
has_embedder (PlumbSearchVectors *self)
{
  g_autoptr (GMutexLocker) locker G_GNUC_UNUSED = g_mutex_locker_new (&self->lock);

  return self->embedder != NULL || self->previous != NULL;
}

static gboolean
is_blank (const char *question)
{
  for (; *question != '\0'; question = g_utf8_next_char (question)) {
    if (!g_unichar_isspace (g_utf8_get_char (question)))
      return FALSE;
  }
  return TRUE;
}

/**
 * plumb_search_vectors_ask:
 * @tables: (element-type PlumbCard): names of the tables that are searched, sorted; the same array while they
 *   are the same
 * @question: the question
 * @cancellable: (nullable): a cancellable
 * @warning: (out): set to why vectors can't take part although they should
 *
 * Embeds the question, unless its vector is kept, within the time limit. Vectors are loaded when they are
 * first needed.
 *
 * Returns: (transfer full) (nullable): what compares the question with tables; %NULL where no vectors take
 *   part
 */
PlumbLikeness *
plumb_search_vectors_ask (PlumbSearchVectors *self, GPtrArray *tables, const char *question,
                          GCancellable *cancellable, char **warning)
{
  g_autoptr (PlumbTableVectors) vectors = NULL;
  g_autoptr (PlumbEmbedder) embedder = NULL;
  g_autofree float *vector = NULL;
  g_autofree char *valid = g_utf8_make_valid (question, -1);
  g_autoptr (GError) error = NULL;

  if (!has_embedder (self) || is_blank (valid))
    return NULL;
  vectors = get_tables (self, tables, &error);
  if (vectors != NULL && plumb_table_vectors_get_model (vectors) == NULL)
    return NULL;
  embedder = vectors != NULL ? choose_embedder (self, plumb_table_vectors_get_model (vectors)) : NULL;
  if (embedder != NULL)
    vector = get_question_vector (self, embedder, vectors, valid, cancellable, &error);
  else if (vectors != NULL)
    g_set_error (&error, PLUMB_ERROR, PLUMB_ERROR_FAILED,
                 "the tables were embedded with “%s”, which is not the model in use; embed them again",
                 plumb_table_vectors_get_model (vectors));
  if (vector != NULL)
    return plumb_likeness_new (vectors, vector);
  *warning = g_strdup_printf ("Search went without embeddings: %s", error->message);
  return NULL;
}
