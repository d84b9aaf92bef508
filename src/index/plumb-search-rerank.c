/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-search-rerank.h"

#include "plumb-text.h"

#include <string.h>

/* Candidates that are ordered again, of which those that were asked for are kept. */
#define POOL 30

/* Of what describes a candidate, and of each of its notes, no more than this is sent. */
#define MAX_TEXT_BYTES 1500
#define MAX_NOTE_CHARACTERS 200

/* One call of a reranker, in a thread of its own, so that a search doesn't wait for it longer than
 * it may. What follows the mutex is guarded by it. */
typedef struct {
  gatomicrefcount references;
  PlumbReranker *reranker;
  char *question;
  GPtrArray *texts;
  GCancellable *inner;
  GMutex mutex;
  GCond cond;
  gboolean over;
  gboolean cancelled;
  float *scores;
  GError *error;
} Call;

static Call *
call_new (const PlumbSearchRerank *rerank, const char *question, GPtrArray *texts)
{
  Call *self = g_new0 (Call, 1);

  g_atomic_ref_count_init (&self->references);
  self->reranker = g_object_ref (rerank->reranker);
  self->question = g_strdup (question);
  self->texts = g_ptr_array_ref (texts);
  self->inner = g_cancellable_new ();
  g_mutex_init (&self->mutex);
  g_cond_init (&self->cond);
  return self;
}

static void
call_unref (Call *self)
{
  if (!g_atomic_ref_count_dec (&self->references))
    return;
  g_object_unref (self->reranker);
  g_object_unref (self->inner);
  g_ptr_array_unref (self->texts);
  g_mutex_clear (&self->mutex);
  g_cond_clear (&self->cond);
  g_clear_error (&self->error);
  g_free (self->question);
  g_free (self->scores);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Call, call_unref)

static gpointer
run_call (gpointer data)
{
  g_autoptr (Call) self = data;
  g_autoptr (GError) error = NULL;
  float *scores = plumb_reranker_rerank (self->reranker, self->question,
                                         (const char *const *) self->texts->pdata, self->texts->len,
                                         self->inner, &error);

  g_mutex_lock (&self->mutex);
  self->scores = scores;
  self->error = g_steal_pointer (&error);
  self->over = TRUE;
  g_cond_signal (&self->cond);
  g_mutex_unlock (&self->mutex);
  return NULL;
}

static void
on_cancelled (GCancellable *cancellable, gpointer data)
{
  Call *self = data;

  g_mutex_lock (&self->mutex);
  self->cancelled = TRUE;
  g_cond_signal (&self->cond);
  g_mutex_unlock (&self->mutex);
}

/* The scores, waited for no longer than the time limit. A reranker that takes longer is cancelled
 * and left to end by itself. */
static float *
get_scores (const PlumbSearchRerank *self, Call *call, GCancellable *cancellable, GError **error)
{
  gint64 end = g_get_monotonic_time () + self->timeout_ms * G_GINT64_CONSTANT (1000);
  gulong handler = 0;
  float *scores = NULL;

  g_atomic_ref_count_inc (&call->references);
  g_thread_unref (g_thread_new ("rerank", run_call, call));
  if (cancellable != NULL)
    handler = g_cancellable_connect (cancellable, G_CALLBACK (on_cancelled), call, NULL);
  g_mutex_lock (&call->mutex);
  while (!call->over && !call->cancelled && g_cond_wait_until (&call->cond, &call->mutex, end))
    ;
  if (call->over) {
    scores = g_steal_pointer (&call->scores);
    if (scores == NULL)
      g_propagate_error (error, g_steal_pointer (&call->error));
  }
  g_mutex_unlock (&call->mutex);
  g_cancellable_disconnect (cancellable, handler);
  if (scores != NULL || (error != NULL && *error != NULL))
    return scores;
  g_cancellable_cancel (call->inner);
  if (!g_cancellable_set_error_if_cancelled (cancellable, error))
    g_set_error (error, PLUMB_ERROR, PLUMB_ERROR_TIMED_OUT,
                 "There was no answer within %.1f seconds.", self->timeout_ms / 1000.0);
  return NULL;
}

/* What of a candidate the reranker is told: its name, what it is for, what the question hit, and
 * its notes; no values of cells, and nothing that the access role hides. */
static char *
describe (const PlumbCandidate *candidate, const PlumbSearchRequest *request)
{
  g_autoptr (PlumbCard) shown = request->show != NULL
                                    ? request->show (candidate->card, request->visibility_data)
                                    : plumb_card_ref (candidate->card);
  const char *purpose = shown->purpose != NULL ? shown->purpose : shown->comment;
  const char *excerpt = shown == candidate->card ? candidate->excerpt : purpose;
  g_autoptr (GString) text = g_string_new (NULL);

  g_string_append_printf (text, "%s.%s.%s", shown->database, shown->schema, shown->name);
  if (excerpt != NULL)
    g_string_append_printf (text, ": %s", excerpt);
  for (guint i = 0; i < candidate->notes->len; i++) {
    const PlumbNote *note = g_ptr_array_index (candidate->notes, i);
    g_autofree char *line = plumb_text_first_line (
        note->excerpt != NULL ? note->excerpt : note->text, MAX_NOTE_CHARACTERS);

    g_string_append_printf (text, ". Note: %s", line);
  }
  return plumb_text_cut (text->str, MAX_TEXT_BYTES);
}

static gboolean
has_note_hit (PlumbCandidates *found)
{
  for (guint i = 0; i < found->candidates->len; i++) {
    const PlumbCandidate *candidate = g_ptr_array_index (found->candidates, i);

    if (g_strv_contains ((const char *const *) candidate->matched_by, "notes"))
      return TRUE;
  }
  return FALSE;
}

static int
compare_candidates (gconstpointer a, gconstpointer b)
{
  const PlumbCandidate *one = *(PlumbCandidate *const *) a;
  const PlumbCandidate *other = *(PlumbCandidate *const *) b;

  return (one->score < other->score) - (one->score > other->score);
}

static gboolean
is_copy_of (const PlumbCandidate *candidate, const PlumbCandidate *live)
{
  g_autofree char *name = NULL;

  if (candidate->card->copy_of == NULL || candidate->card->status == PLUMB_STATUS_LIVE ||
      candidate->card->status == PLUMB_STATUS_PARTITION ||
      !g_str_equal (candidate->card->database, live->card->database))
    return FALSE;
  name = plumb_table_name_join (NULL, live->card->schema, live->card->name);
  return g_str_equal (candidate->card->copy_of, name);
}

/* Copies that came before their live table go right behind it. */
static void
demote_copies (GPtrArray *candidates)
{
  for (guint i = candidates->len; i > 0; i--) {
    PlumbCandidate *copy = g_ptr_array_index (candidates, i - 1);

    for (guint j = i; j < candidates->len; j++) {
      const PlumbCandidate *live = g_ptr_array_index (candidates, j);

      if (!is_copy_of (copy, live))
        continue;
      copy->score = live->score;
      g_ptr_array_insert (candidates, j, g_ptr_array_steal_index (candidates, i - 1));
      break;
    }
  }
}

/* Equal scores keep the order of before: the sort of GPtrArray is stable. */
static void
reorder (PlumbCandidates *found, const float *scores)
{
  for (guint i = 0; i < found->candidates->len; i++)
    ((PlumbCandidate *) g_ptr_array_index (found->candidates, i))->score = scores[i];
  g_ptr_array_sort (found->candidates, compare_candidates);
  demote_copies (found->candidates);
  found->reranked = TRUE;
}

/* More candidates than were asked for, so that one from further behind can come up. */
static PlumbCandidates *
get_pool (const PlumbSearchRequest *request, PlumbCandidates *found, PlumbSearchFunc search,
          gpointer data, GCancellable *cancellable, GError **error)
{
  PlumbSearchRequest larger = *request;

  if (request->limit >= POOL)
    return plumb_candidates_ref (found);
  larger.limit = POOL;
  return search (&larger, data, cancellable, error);
}

static void
warn (PlumbCandidates *found, const GError *fault)
{
  g_autofree char *before = g_steal_pointer (&found->warning);

  found->warning = g_strdup_printf ("%s%sThe candidates stand in the order of search alone, since "
                                    "reranking failed: %s",
                                    before != NULL ? before : "", before != NULL ? " " : "",
                                    fault->message);
}

/* The candidates that were asked for, and everything else that search said. */
static void
take_pool (PlumbCandidates *found, PlumbCandidates *pool)
{
  guint limit = found->candidates->len;

  if (pool == found)
    return;
  g_ptr_array_unref (found->candidates);
  found->candidates = g_ptr_array_ref (pool->candidates);
  if (found->candidates->len > limit)
    g_ptr_array_set_size (found->candidates, limit);
  found->reranked = pool->reranked;
}

/**
 * plumb_search_rerank:
 * @self: how candidates are ordered again
 * @request: what was searched
 * @found: the candidates in the order of search
 * @search: searches once more, for a larger number of them
 * @data: passed to @search
 * @cancellable: (nullable): a cancellable
 * @error: return location
 *
 * Orders the candidates again where that is switched on, or where notes hit (DESIGN section 5). A
 * reranker that fails or takes too long leaves the order as it is and a warning behind. Copies stay
 * behind their live table.
 *
 * Returns: whether nothing was cancelled
 */
gboolean
plumb_search_rerank (const PlumbSearchRerank *self, const PlumbSearchRequest *request,
                     PlumbCandidates *found, PlumbSearchFunc search, gpointer data,
                     GCancellable *cancellable, GError **error)
{
  g_autoptr (PlumbCandidates) pool = NULL;
  g_autoptr (GPtrArray) texts = NULL;
  g_autoptr (Call) call = NULL;
  g_autoptr (GError) fault = NULL;
  g_autofree float *scores = NULL;

  if (self->reranker == NULL || self->mode == PLUMB_RERANK_OFF || request->plain ||
      (self->mode == PLUMB_RERANK_NOTES && !has_note_hit (found)) || found->candidates->len < 2)
    return TRUE;
  pool = get_pool (request, found, search, data, cancellable, error);
  if (pool == NULL)
    return FALSE;
  texts = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < pool->candidates->len; i++)
    g_ptr_array_add (texts, describe (g_ptr_array_index (pool->candidates, i), request));
  call = call_new (self, request->question, texts);
  scores = get_scores (self, call, cancellable, &fault);
  if (scores != NULL) {
    reorder (pool, scores);
    take_pool (found, pool);
  } else if (g_cancellable_set_error_if_cancelled (cancellable, error)) {
    return FALSE;
  } else {
    warn (found, fault);
  }
  return TRUE;
}
