/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-session-private.h"

#include "plumb-openai-embedder.h"
#include "plumb-text.h"
#include "plumb-vectors.h"

#include <string.h>

/* Chunks that are embedded before they are stored: what a kill can lose. */
#define CHUNKS_A_STEP 256

/* Failures that are told in words. */
#define MAX_FAILURES 20

/* A job that embeds. */
typedef struct {
  PlumbSession *session;
  PlumbOpenaiEmbedder *embedder;
  const char *model;
  GHashTable *skipped; /* hashes that aren't asked for again */
  GHashTable *shown;   /* hashes that may be sent; NULL for all */
  PlumbEmbeddingProgress *report;
} Job;

static void
job_clear (Job *job)
{
  g_clear_object (&job->embedder);
  g_clear_pointer (&job->skipped, g_hash_table_unref);
  g_clear_pointer (&job->shown, g_hash_table_unref);
  g_clear_pointer (&job->report, plumb_embedding_progress_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Job, job_clear)

static gboolean
add_shown (PlumbSession *self, const char *database, GHashTable *shown, GError **error)
{
  g_autoptr (GPtrArray) cards = plumb_index_list_cards (self->index, database, error);

  for (guint i = 0; cards != NULL && i < cards->len; i++) {
    PlumbCard *card = g_ptr_array_index (cards, i);
    g_autoptr (PlumbCard) seen = NULL;
    g_autoptr (GPtrArray) chunks = NULL;

    if (!plumb_workspace_allows (self->workspace, card->database, card->schema, card->name))
      continue;
    seen = plumb_workspace_filter_card (self->workspace, card);
    if (seen != card)
      continue;
    chunks = plumb_chunk_list_from_card (card);
    for (guint j = 0; j < chunks->len; j++)
      g_hash_table_add (shown, g_strdup (((PlumbChunk *) g_ptr_array_index (chunks, j))->hash));
  }
  return cards != NULL;
}

/* Under a role, chunks of tables that it shows whole; what it hides is sent to nobody. */
static gboolean
list_shown (Job *job, GError **error)
{
  PlumbSession *self = job->session;
  g_autoptr (GPtrArray) sources = NULL;

  if (plumb_access_get_role (self->access) == NULL)
    return TRUE;
  sources = plumb_index_list_sources (self->index, error);
  if (sources == NULL)
    return FALSE;
  job->shown = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (guint i = 0; i < sources->len; i++) {
    const PlumbSourceRecord *source = g_ptr_array_index (sources, i);

    if (!add_shown (self, source->name, job->shown, error))
      return FALSE;
  }
  return TRUE;
}

/* What is missing and may be sent, at most as much as one step takes. */
static GPtrArray *
list_next (Job *job, GError **error)
{
  g_autoptr (GPtrArray) chunks = NULL;
  guint i;

  do {
    guint limit = CHUNKS_A_STEP + g_hash_table_size (job->skipped);
    gboolean last;

    g_clear_pointer (&chunks, g_ptr_array_unref);
    chunks = plumb_index_list_unembedded (job->session->index, job->model, limit, error);
    if (chunks == NULL)
      return NULL;
    last = chunks->len < limit;
    for (i = 0; i < chunks->len;) {
      const PlumbChunk *chunk = g_ptr_array_index (chunks, i);
      gboolean hidden = job->shown != NULL && !g_hash_table_contains (job->shown, chunk->hash);

      if (hidden && g_hash_table_add (job->skipped, g_strdup (chunk->hash)))
        job->report->hidden++;
      if (g_hash_table_contains (job->skipped, chunk->hash))
        g_ptr_array_remove_index (chunks, i);
      else
        i++;
    }
    if (last)
      break;
  } while (chunks->len == 0);
  return g_steal_pointer (&chunks);
}

static void
take_failure (Job *job, const PlumbChunk *chunk, const GError *fault)
{
  g_autofree char *line = plumb_text_first_line (chunk->text, 80);

  g_hash_table_add (job->skipped, g_strdup (chunk->hash));
  job->report->failed++;
  if (job->report->failures->len < MAX_FAILURES)
    g_ptr_array_add (job->report->failures, g_strdup_printf ("%s: %s", line, fault->message));
}

/* Stores what was embedded; what wasn't is told. */
static gboolean
store (Job *job, GPtrArray *chunks, float *vectors, guint n_dimensions, GError **faults,
       GError **error)
{
  g_autoptr (GPtrArray) hashes = g_ptr_array_new ();

  for (guint i = 0; i < chunks->len; i++) {
    const PlumbChunk *chunk = g_ptr_array_index (chunks, i);

    if (faults[i] != NULL) {
      take_failure (job, chunk, faults[i]);
      continue;
    }
    if (hashes->len < i)
      memmove (vectors + (gsize) hashes->len * n_dimensions, vectors + (gsize) i * n_dimensions,
               n_dimensions * sizeof (float));
    g_ptr_array_add (hashes, chunk->hash);
  }
  job->report->sent += hashes->len;
  job->report->embedded += hashes->len;
  return hashes->len == 0 || plumb_index_store_vectors (
                                 job->session->index, job->model, n_dimensions,
                                 (const char *const *) hashes->pdata, vectors, hashes->len, error);
}

static gboolean
embed_step (Job *job, GPtrArray *chunks, GCancellable *cancellable, GError **error)
{
  g_autofree const char **texts = g_new (const char *, chunks->len);
  g_autofree GError **faults = g_new0 (GError *, chunks->len);
  g_autofree float *vectors = NULL;
  guint n_dimensions = 0;
  gboolean stored;

  for (guint i = 0; i < chunks->len; i++)
    texts[i] = ((PlumbChunk *) g_ptr_array_index (chunks, i))->text;
  vectors = plumb_openai_embedder_embed_each (job->embedder, texts, chunks->len, &n_dimensions,
                                              faults, cancellable, error);
  stored = vectors != NULL && store (job, chunks, vectors, n_dimensions, faults, error);
  for (guint i = 0; i < chunks->len; i++)
    g_clear_error (&faults[i]);
  return stored;
}

/* How far it has come, put into the report. */
static gboolean
count (Job *job, GError **error)
{
  g_autoptr (PlumbEmbeddingState)
      state = plumb_index_get_embedding_state (job->session->index, job->model, error);
  PlumbEmbeddingProgress *report = job->report;

  if (state == NULL)
    return FALSE;
  g_free (report->serving_model);
  report->serving_model = g_steal_pointer (&state->serving_model);
  report->n_dimensions = state->n_dimensions;
  report->chunks = state->n_chunks;
  report->embedded = state->n_wished;
  return TRUE;
}

static gboolean
embed_all (Job *job, PlumbProgress progress, gpointer user_data, GCancellable *cancellable,
           GError **error)
{
  g_autoptr (GPtrArray) chunks = NULL;

  if (!count (job, error))
    return FALSE;
  while ((chunks = list_next (job, error)) != NULL && chunks->len > 0) {
    if (progress != NULL)
      progress ("Embedding", job->report->embedded, job->report->chunks, user_data);
    if (!embed_step (job, chunks, cancellable, error))
      return FALSE;
    g_clear_pointer (&chunks, g_ptr_array_unref);
  }
  return chunks != NULL;
}

/* The new vectors serve from now on. Where some chunks can't have one (a bad text, a hidden table),
 * the others serve all the same. */
static gboolean
finish (Job *job, GError **error)
{
  gboolean complete = FALSE;

  if (!plumb_index_finish_embedding (job->session->index, job->model, &complete, error) ||
      !count (job, error))
    return FALSE;
  if (complete || job->report->embedded == 0 ||
      job->report->embedded + g_hash_table_size (job->skipped) < job->report->chunks)
    return TRUE;
  return plumb_index_serve_vectors (job->session->index, job->model, error) && count (job, error);
}

static gboolean
begin (Job *job, gboolean again, GError **error)
{
  g_autoptr (PlumbModelSettings)
      settings = plumb_session_get_endpoint (job->session, PLUMB_ENDPOINT_EMBEDDING);
  g_autofree char *key = NULL;

  if (settings->is_planner || *settings->model == '\0') {
    g_set_error_literal (error, PLUMB_ERROR, PLUMB_ERROR_NOT_FOUND,
                         "No embedding endpoint is set. Set one in the preferences, or by "
                         "PLUMBLINE_EMBEDDING_URL and PLUMBLINE_EMBEDDING_NAME.");
    return FALSE;
  }
  key = plumb_session_get_endpoint_key (job->session, PLUMB_ENDPOINT_EMBEDDING,
                                        settings->base_address);
  job->embedder = plumb_openai_embedder_new (settings->base_address, settings->model, key,
                                             PLUMB_EMBED_TEXTS);
  job->model = plumb_embedder_get_model (PLUMB_EMBEDDER (job->embedder));
  job->skipped = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  job->report = plumb_embedding_progress_new ();
  job->report->model = g_strdup (job->model);
  if (again && !plumb_index_remove_vectors (job->session->index, error))
    return FALSE;
  return list_shown (job, error);
}

/**
 * plumb_session_embed:
 * @self: a session
 * @again: whether vectors that are kept are thrown away first
 * @progress: (nullable): told of progress, in the calling thread
 * @user_data: passed to @progress
 * @cancellable: (nullable): cancels; what is stored stays, and isn't sent again
 * @error: return location
 *
 * Embeds every piece of a card that has no vector of the model that is set. Search uses the vectors
 * of the model of before until the new ones are complete. One job runs at a time.
 *
 * Returns: (transfer full): what was done, or %NULL with PLUMB_ERROR_NOT_FOUND where no endpoint is
 * set, PLUMB_ERROR_EXISTS where a job runs already, or an error of the endpoint or the index
 */
PlumbEmbeddingProgress *
plumb_session_embed (PlumbSession *self, gboolean again, PlumbProgress progress, gpointer user_data,
                     GCancellable *cancellable, GError **error)
{
  g_auto (Job) job = { .session = self };
  gboolean done;

  if (!g_mutex_trylock (&self->embedding)) {
    g_set_error_literal (error, PLUMB_ERROR, PLUMB_ERROR_EXISTS,
                         "Embedding is under way already. Wait until it is done, or cancel it.");
    return NULL;
  }
  done = begin (&job, again, error) && embed_all (&job, progress, user_data, cancellable, error) &&
         finish (&job, error);
  g_mutex_unlock (&self->embedding);
  if (done && progress != NULL)
    progress ("Embedding", job.report->chunks, job.report->chunks, user_data);
  return done ? g_steal_pointer (&job.report) : NULL;
}

/**
 * plumb_session_get_embedding_progress:
 * @self: a session
 * @error: return location
 *
 * Returns: (transfer full): how far embedding has come
 */
PlumbEmbeddingProgress *
plumb_session_get_embedding_progress (PlumbSession *self, GError **error)
{
  g_autoptr (PlumbModelSettings)
      settings = plumb_session_get_endpoint (self, PLUMB_ENDPOINT_EMBEDDING);
  g_auto (Job) job = { .session = self };

  job.report = plumb_embedding_progress_new ();
  if (!settings->is_planner && *settings->model != '\0')
    job.report->model = g_strdup (settings->model);
  job.model = job.report->model;
  return count (&job, error) ? g_steal_pointer (&job.report) : NULL;
}
