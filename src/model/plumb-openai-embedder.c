/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-openai-embedder.h"

#include "plumb-endpoint.h"
#include "plumb-text.h"

#include <string.h>

/* Of a text no more than this is sent: no embedding model reads as much. */
#define MAX_TEXT_BYTES (32 * 1024)
/* A text that is still too long when it is as short as this has another fault. */
#define MIN_TEXT_BYTES 64
/* Time limits that may pass before the endpoint is given up; batches are made smaller in between.
 */
#define MAX_STALLS 3
/* Texts that fail by themselves while none succeeds before the endpoint is given up. */
#define MAX_BAD 4

#define TEXTS_LIMITS                                                                               \
  ((PlumbModelLimits){ 10 * 1000, 60 * 1000, 60 * 1000, 0, 1000, 60 * 1000, 5, 128 * 1024 * 1024 })
#define QUESTION_LIMITS ((PlumbModelLimits){ 2000, 3000, 3000, 3000, 0, 0, 0, 8 * 1024 * 1024 })

struct _PlumbOpenaiEmbedder {
  GObject parent_instance;

  PlumbEndpoint *endpoint;
  PlumbEmbedBatches batches;
  int n_dimensions; /* atomic, 0 while unknown */
  int no_base64;    /* atomic */
};

/* One call of embed, shared by its threads. What follows the mutex is guarded by it. */
typedef struct {
  PlumbOpenaiEmbedder *self;
  const char *const *texts;
  guint n_texts;
  GError **faults;
  GCancellable *inner;
  GMutex mutex;
  float *vectors;
  guint n_dimensions;
  guint next;
  guint n_done;
  guint n_bad;
  guint n_stalls;
  GError *error;
} Run;

static void embedder_iface_init (PlumbEmbedderInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (PlumbOpenaiEmbedder, plumb_openai_embedder, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (PLUMB_TYPE_EMBEDDER, embedder_iface_init))

static const char *
embedder_get_model (PlumbEmbedder *embedder)
{
  return PLUMB_OPENAI_EMBEDDER (embedder)->endpoint->model;
}

static char *
make_body (PlumbOpenaiEmbedder *self, const char *const *texts, guint n_texts, gsize max_bytes,
           gboolean base64)
{
  g_autoptr (PlumbJsonWriter) writer = plumb_json_writer_new ();

  plumb_json_writer_begin_object (writer);
  plumb_json_writer_name (writer, "model");
  plumb_json_writer_string (writer, self->endpoint->model);
  if (base64) {
    plumb_json_writer_name (writer, "encoding_format");
    plumb_json_writer_string (writer, "base64");
  }
  plumb_json_writer_name (writer, "input");
  plumb_json_writer_begin_array (writer);
  for (guint i = 0; i < n_texts; i++) {
    g_autofree char *text = plumb_text_cut (texts[i], max_bytes);

    plumb_json_writer_string (writer, text);
  }
  plumb_json_writer_end_array (writer);
  plumb_json_writer_end_object (writer);
  return plumb_json_writer_finish (writer);
}

/* Asks with base64, which is a third as long and quicker to read, until the endpoint refuses it. */
static JsonNode *
post (PlumbOpenaiEmbedder *self, const char *const *texts, guint n_texts, gsize max_bytes,
      GCancellable *cancellable, GError **error)
{
  g_autoptr (GPtrArray)
      addresses = plumb_endpoint_get_addresses (self->endpoint->base_address, "/embeddings");
  gboolean base64 = !g_atomic_int_get (&self->no_base64);
  g_autofree char *body = make_body (self, texts, n_texts, max_bytes, base64);
  g_autofree char *refusal = NULL;
  g_autoptr (GError) fault = NULL;
  JsonNode *reply = plumb_endpoint_post (self->endpoint, addresses, body, &refusal, cancellable,
                                         &fault);

  if (reply != NULL)
    return reply;
  if (base64 && refusal != NULL && strstr (refusal, "encoding_format") != NULL) {
    g_atomic_int_set (&self->no_base64, TRUE);
    return post (self, texts, n_texts, max_bytes, cancellable, error);
  }
  g_propagate_error (error, g_steal_pointer (&fault));
  return NULL;
}

/* One request; a single text that is too long for the model is made shorter until it isn't. */
static float *
ask (PlumbOpenaiEmbedder *self, const char *const *texts, guint n_texts, guint *n_dimensions,
     GCancellable *cancellable, GError **error)
{
  gsize max_bytes = MAX_TEXT_BYTES;

  for (;;) {
    g_autoptr (GError) fault = NULL;
    g_autoptr (JsonNode) reply = post (self, texts, n_texts, max_bytes, cancellable, &fault);

    if (reply != NULL) {
      *n_dimensions = g_atomic_int_get (&self->n_dimensions);
      return plumb_embedding_reply_read (reply, n_texts, n_dimensions, error);
    }
    if (n_texts == 1)
      max_bytes = MIN (max_bytes, strlen (texts[0])) / 2;
    if (n_texts > 1 || max_bytes < MIN_TEXT_BYTES ||
        !g_error_matches (fault, PLUMB_MODEL_ERROR, PLUMB_MODEL_ERROR_TOO_LONG)) {
      g_propagate_error (error, g_steal_pointer (&fault));
      return NULL;
    }
  }
}

/* Ends the whole call with @fault; what the other threads wait for is cancelled. */
static void
give_up (Run *run, GError *fault)
{
  if (run->error == NULL)
    run->error = fault;
  else
    g_error_free (fault);
  g_cancellable_cancel (run->inner);
}

static void
take_vectors (Run *run, guint first, guint n, const float *vectors, guint n_dimensions)
{
  g_autoptr (GMutexLocker) locker G_GNUC_UNUSED = g_mutex_locker_new (&run->mutex);
  int known;

  g_atomic_int_compare_and_exchange (&run->self->n_dimensions, 0, (int) n_dimensions);
  known = g_atomic_int_get (&run->self->n_dimensions);
  if (known != (int) n_dimensions) {
    give_up (run, g_error_new (PLUMB_MODEL_ERROR, PLUMB_MODEL_ERROR_DIMENSIONS,
                               "The embedding endpoint sends vectors of %u numbers and of %d. Give "
                               "each model a name of its own at the server, and choose it in the "
                               "model settings.",
                               n_dimensions, known));
    return;
  }
  if (run->vectors == NULL) {
    run->vectors = g_new0 (float, (gsize) run->n_texts *n_dimensions);
    run->n_dimensions = n_dimensions;
  }
  memcpy (run->vectors + (gsize) first * n_dimensions, vectors,
          (gsize) n * n_dimensions * sizeof (float));
  run->n_done += n;
}

/* Whether a smaller batch can help; where it can't, everything ends with @fault. */
static gboolean
may_be_text (Run *run, const GError *fault)
{
  if (fault->domain != PLUMB_MODEL_ERROR)
    return FALSE;
  switch (fault->code) {
  case PLUMB_MODEL_ERROR_PROTOCOL:
  case PLUMB_MODEL_ERROR_SERVER:
  case PLUMB_MODEL_ERROR_TOO_LONG:
  case PLUMB_MODEL_ERROR_BROKEN_OFF:
    return TRUE;
  case PLUMB_MODEL_ERROR_STALLED:
    return ++run->n_stalls < MAX_STALLS && run->self->endpoint->limits.retries > 0;
  default:
    return FALSE;
  }
}

/* Takes note of what failed. Returns: whether to go on with halves of the batch */
static gboolean
take_fault (Run *run, guint first, guint n, GError *fault)
{
  g_autoptr (GMutexLocker) locker G_GNUC_UNUSED = g_mutex_locker_new (&run->mutex);

  if (run->error != NULL) {
    g_error_free (fault);
    return FALSE;
  }
  if (!may_be_text (run, fault)) {
    give_up (run, fault);
    return FALSE;
  }
  if (n > 1) {
    g_error_free (fault);
    return TRUE;
  }
  run->n_bad++;
  run->faults[first] = fault;
  if (run->n_bad >= MAX_BAD && run->n_bad > run->n_done)
    give_up (run, g_error_copy (fault));
  return FALSE;
}

/* A batch that fails is halved down to the single text, so that one bad text doesn't stop all. */
static void
embed_range (Run *run, guint first, guint n)
{
  GError *fault = NULL;
  guint n_dimensions = 0;
  g_autofree float *vectors = ask (run->self, run->texts + first, n, &n_dimensions, run->inner,
                                   &fault);

  if (vectors != NULL) {
    take_vectors (run, first, n, vectors, n_dimensions);
  } else if (take_fault (run, first, n, fault)) {
    embed_range (run, first, n / 2);
    embed_range (run, first + n / 2, n - n / 2);
  }
}

/* Takes the texts of the next request. Returns: how many, 0 where nothing is left */
static guint
take_batch (Run *run, guint *first)
{
  g_autoptr (GMutexLocker) locker G_GNUC_UNUSED = g_mutex_locker_new (&run->mutex);
  const PlumbEmbedBatches *batches = &run->self->batches;
  gsize bytes = 0;
  guint n = 0;

  *first = run->next;
  if (run->error != NULL)
    return 0;
  while (run->next < run->n_texts && n < batches->texts) {
    bytes += MIN (strlen (run->texts[run->next]), MAX_TEXT_BYTES);
    if (n > 0 && bytes > batches->bytes)
      break;
    run->next++;
    n++;
  }
  return n;
}

static gpointer
work (gpointer data)
{
  Run *run = data;
  guint first, n;

  while ((n = take_batch (run, &first)) > 0)
    embed_range (run, first, n);
  return NULL;
}

/* The calling thread works too, so that a question needs no other. */
static void
run_threads (Run *run)
{
  g_autoptr (GPtrArray) threads = g_ptr_array_new ();
  guint n_requests = (run->n_texts + run->self->batches.texts - 1) / run->self->batches.texts;

  for (guint i = 1; i < MIN (run->self->batches.parallel, MAX (n_requests, 1)); i++)
    g_ptr_array_add (threads, g_thread_new ("embed", work, run));
  work (run);
  for (guint i = 0; i < threads->len; i++)
    g_thread_join (g_ptr_array_index (threads, i));
}

static void
on_cancelled (GCancellable *cancellable, GCancellable *inner)
{
  g_cancellable_cancel (inner);
}

/**
 * plumb_openai_embedder_embed_each:
 * @texts: (array length=n_texts): texts in UTF-8
 * @n_texts: how many, at least one
 * @n_dimensions: (out): numbers in a vector
 * @faults: (array length=n_texts): what is wrong with a text, %NULL where nothing is; to be set to
 *   %NULL before and to be cleared after
 * @cancellable: (nullable): closes the connections at once
 * @error: return location for a PLUMB_MODEL_ERROR or G_IO_ERROR_CANCELLED
 *
 * Like plumb_embedder_embed(), but a text that the endpoint can't embed leaves zeros and its fault
 * behind and doesn't stop the others.
 *
 * Returns: (transfer full): @n_texts times @n_dimensions numbers, or %NULL with an error
 */
float *
plumb_openai_embedder_embed_each (PlumbOpenaiEmbedder *self, const char *const *texts,
                                  guint n_texts, guint *n_dimensions, GError **faults,
                                  GCancellable *cancellable, GError **error)
{
  g_autoptr (GCancellable) inner = g_cancellable_new ();
  Run run = { .self = self, .texts = texts, .n_texts = n_texts, .faults = faults, .inner = inner };
  gulong handler = 0;

  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;
  if (cancellable != NULL)
    handler = g_cancellable_connect (cancellable, G_CALLBACK (on_cancelled), inner, NULL);
  g_mutex_init (&run.mutex);
  run_threads (&run);
  g_mutex_clear (&run.mutex);
  g_cancellable_disconnect (cancellable, handler);
  if (g_cancellable_set_error_if_cancelled (cancellable, error)) {
    g_clear_error (&run.error);
    g_clear_pointer (&run.vectors, g_free);
  } else if (run.error != NULL) {
    g_clear_pointer (&run.vectors, g_free);
    g_propagate_error (error, run.error);
  } else if (run.vectors == NULL) {
    g_propagate_error (error, g_error_copy (faults[0]));
  }
  *n_dimensions = run.n_dimensions;
  return run.vectors;
}

static float *
embedder_embed (PlumbEmbedder *embedder, const char *const *texts, guint n_texts,
                guint *n_dimensions, GCancellable *cancellable, GError **error)
{
  g_autofree GError **faults = g_new0 (GError *, n_texts);
  g_autofree float *vectors = plumb_openai_embedder_embed_each (
      PLUMB_OPENAI_EMBEDDER (embedder), texts, n_texts, n_dimensions, faults, cancellable, error);
  GError *first = NULL;

  for (guint i = 0; i < n_texts; i++) {
    if (faults[i] != NULL && first == NULL)
      first = g_steal_pointer (&faults[i]);
    g_clear_error (&faults[i]);
  }
  if (vectors != NULL && first != NULL) {
    g_propagate_error (error, first);
    return NULL;
  }
  g_clear_error (&first);
  return g_steal_pointer (&vectors);
}

static void
embedder_iface_init (PlumbEmbedderInterface *iface)
{
  iface->get_model = embedder_get_model;
  iface->embed = embedder_embed;
}

static void
plumb_openai_embedder_finalize (GObject *object)
{
  g_clear_pointer (&PLUMB_OPENAI_EMBEDDER (object)->endpoint, plumb_endpoint_free);
  G_OBJECT_CLASS (plumb_openai_embedder_parent_class)->finalize (object);
}

static void
plumb_openai_embedder_class_init (PlumbOpenaiEmbedderClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = plumb_openai_embedder_finalize;
}

static void
plumb_openai_embedder_init (PlumbOpenaiEmbedder *self)
{
  self->batches = PLUMB_EMBED_BATCHES_DEFAULT;
}

/**
 * plumb_openai_embedder_new:
 * @base_address: the endpoint's address, with or without /v1 or /embeddings
 * @model: the model's name there
 * @key: (nullable): the key, sent as a bearer token
 * @purpose: what for, which sets the time limits
 *
 * Returns: (transfer full): an embedding model; nothing is sent yet
 */
PlumbOpenaiEmbedder *
plumb_openai_embedder_new (const char *base_address, const char *model, const char *key,
                           PlumbEmbedPurpose purpose)
{
  PlumbOpenaiEmbedder *self = g_object_new (PLUMB_TYPE_OPENAI_EMBEDDER, NULL);
  PlumbModelLimits limits = purpose == PLUMB_EMBED_QUESTION ? QUESTION_LIMITS : TEXTS_LIMITS;

  self->endpoint = plumb_endpoint_new (base_address, model, key, &limits);
  return self;
}

/** plumb_openai_embedder_set_limits: sets the time limits; before the first call only */
void
plumb_openai_embedder_set_limits (PlumbOpenaiEmbedder *self, const PlumbModelLimits *limits)
{
  g_return_if_fail (PLUMB_IS_OPENAI_EMBEDDER (self));
  self->endpoint->limits = *limits;
}

/** plumb_openai_embedder_set_batches: sets how many texts go together; before the first call only
 */
void
plumb_openai_embedder_set_batches (PlumbOpenaiEmbedder *self, const PlumbEmbedBatches *batches)
{
  g_return_if_fail (PLUMB_IS_OPENAI_EMBEDDER (self));
  self->batches = *batches;
}
