/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "peer.h"
#include "plumb-openai-embedder.h"
#include "vector-peer.h"

#include <math.h>
#include <string.h>

#define N_DIMENSIONS 64

/* Limits with which a test of a silent server ends soon. */
static const PlumbModelLimits quick = { 2000, 300, 300, 0, 1, 1000, 3, 1024 * 1024 };

static PlumbOpenaiEmbedder *
make_embedder (VectorPeer *peer, guint texts, guint parallel)
{
  g_autofree char *address = vector_peer_get_address (peer, "/v1");
  PlumbOpenaiEmbedder *embedder = plumb_openai_embedder_new (address, "bge-m3", "secret-key",
                                                             PLUMB_EMBED_TEXTS);
  PlumbEmbedBatches batches = { texts, 100000, parallel };

  plumb_openai_embedder_set_limits (embedder, &quick);
  plumb_openai_embedder_set_batches (embedder, &batches);
  return embedder;
}

static double
get_likeness (const float *one, const float *other, guint n)
{
  double sum = 0;

  for (guint i = 0; i < n; i++)
    sum += (double) one[i] * other[i];
  return sum;
}

static char **
make_texts (guint n)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  for (guint i = 0; i < n; i++) {
    g_autofree char *text = g_strdup_printf ("table_%u orders %u", i, i % 7);

    g_strv_builder_add (builder, text);
  }
  return g_strv_builder_end (builder);
}

/* The right vector stands at each text's place, although answers come in another order, and each
 * has the length one. */
static void
assert_in_order (const float *vectors, guint n_texts, guint n_dimensions, char **texts,
                 VectorPeer *peer)
{
  g_autoptr (PlumbOpenaiEmbedder) single = make_embedder (peer, 1, 1);

  for (guint i = 0; i < n_texts; i++) {
    const float *vector = vectors + (gsize) i * n_dimensions;
    const char *text = texts[i];
    guint n = 0;
    g_autofree float *alone = plumb_embedder_embed (PLUMB_EMBEDDER (single), &text, 1, &n, NULL,
                                                    NULL);

    g_assert_nonnull (alone);
    g_assert_cmpuint (n, ==, n_dimensions);
    g_assert_cmpfloat_with_epsilon (get_likeness (vector, vector, n), 1, 1e-5);
    g_assert_cmpfloat_with_epsilon (get_likeness (vector, alone, n), 1, 1e-5);
  }
}

static void
test_order (gconstpointer floats)
{
  g_autoptr (VectorPeer) peer = vector_peer_new (N_DIMENSIONS);
  g_autoptr (PlumbOpenaiEmbedder) embedder = make_embedder (peer, 8, 1);
  g_auto (GStrv) texts = make_texts (50);
  g_autoptr (GError) error = NULL;
  g_autofree float *vectors = NULL;
  guint n_dimensions = 0;

  vector_peer_set_floats (peer, GPOINTER_TO_INT (floats));
  vectors = plumb_embedder_embed (PLUMB_EMBEDDER (embedder), (const char *const *) texts, 50,
                                  &n_dimensions, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (n_dimensions, ==, N_DIMENSIONS);
  /* 7 batches, and one more where the endpoint had to say that it has no base64. */
  g_assert_cmpuint (vector_peer_get_n_requests (peer), ==, floats ? 8 : 7);
  assert_in_order (vectors, 50, n_dimensions, texts, peer);
  g_assert_cmpstr (plumb_embedder_get_model (PLUMB_EMBEDDER (embedder)), ==, "bge-m3");
}

static void
test_parallel (void)
{
  g_autoptr (VectorPeer) peer = vector_peer_new (N_DIMENSIONS);
  g_autoptr (PlumbOpenaiEmbedder) embedder = make_embedder (peer, 2, 4);
  g_auto (GStrv) texts = make_texts (40);
  g_autoptr (GError) error = NULL;
  g_autofree float *vectors = NULL;
  guint n_dimensions = 0;

  vector_peer_set_delay (peer, 50);
  vectors = plumb_embedder_embed (PLUMB_EMBEDDER (embedder), (const char *const *) texts, 40,
                                  &n_dimensions, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (vector_peer_get_n_requests (peer), ==, 20);
  g_assert_cmpuint (vector_peer_get_most_at_once (peer), ==, 4);
  vector_peer_set_delay (peer, 0);
  assert_in_order (vectors, 40, n_dimensions, texts, peer);
}

/* A batch is full by its bytes too; a text longer than that goes alone. */
static void
test_bytes (void)
{
  g_autoptr (VectorPeer) peer = vector_peer_new (N_DIMENSIONS);
  g_autoptr (PlumbOpenaiEmbedder) embedder = make_embedder (peer, 100, 1);
  PlumbEmbedBatches batches = { 100, 1000, 1 };
  g_autofree char *long_text = g_strnfill (3000, 'x');
  g_autofree char *half = g_strnfill (480, 'y');
  const char *texts[] = { half, half, long_text, half, half, half };
  g_autofree float *vectors = NULL;
  guint n_dimensions = 0;

  plumb_openai_embedder_set_batches (embedder, &batches);
  vectors = plumb_embedder_embed (PLUMB_EMBEDDER (embedder), texts, 6, &n_dimensions, NULL, NULL);
  g_assert_nonnull (vectors);
  g_assert_cmpuint (vector_peer_get_n_requests (peer), ==, 4);
}

/* What an endpoint does wrong, the words with which the person is told, and what it is. */
typedef struct {
  const char *name;
  VectorPeerFault fault;
  PlumbModelError code;
  const char *words;
} Wrong;

static const Wrong wrongs[] = {
  { "count", VECTOR_PEER_ONE_LESS, PLUMB_MODEL_ERROR_PROTOCOL, "sends 0 vectors for 1 texts" },
  { "nan", VECTOR_PEER_NAN, PLUMB_MODEL_ERROR_PROTOCOL, "NaN" },
  { "null", VECTOR_PEER_NULL, PLUMB_MODEL_ERROR_PROTOCOL, "null where a number belongs" },
  { "infinity", VECTOR_PEER_INFINITY, PLUMB_MODEL_ERROR_PROTOCOL, "an infinite number" },
  { "zero", VECTOR_PEER_ZERO, PLUMB_MODEL_ERROR_PROTOCOL, "zeros alone" },
  { "cut", VECTOR_PEER_CUT, PLUMB_MODEL_ERROR_PROTOCOL, "something else than JSON" },
  { "silent", VECTOR_PEER_SILENT, PLUMB_MODEL_ERROR_STALLED, "sent nothing for" },
  { "html", VECTOR_PEER_HTML, PLUMB_MODEL_ERROR_PROTOCOL, "a web page" },
  { "not-found", VECTOR_PEER_NOT_FOUND, PLUMB_MODEL_ERROR_NOT_FOUND, "usually ends in /v1" },
  { "key", VECTOR_PEER_NO_KEY, PLUMB_MODEL_ERROR_KEY, "Enter a valid key" },
  { "busy", VECTOR_PEER_BUSY, PLUMB_MODEL_ERROR_BUSY, "is busy" },
  { "server", VECTOR_PEER_SERVER_ERROR, PLUMB_MODEL_ERROR_SERVER, "CUDA error" },
};

static void
assert_fails (const Wrong *wrong, gboolean refuse_base64, guint n_texts)
{
  g_autoptr (VectorPeer) peer = vector_peer_new (N_DIMENSIONS);
  g_autoptr (PlumbOpenaiEmbedder) embedder = make_embedder (peer, 32, 2);
  g_auto (GStrv) texts = make_texts (n_texts);
  g_autoptr (GError) error = NULL;
  g_autofree float *vectors = NULL;
  guint n_dimensions = 0;

  vector_peer_set_floats (peer, refuse_base64);
  vector_peer_set_fault (peer, wrong->fault, G_MAXUINT);
  vectors = plumb_embedder_embed (PLUMB_EMBEDDER (embedder), (const char *const *) texts, n_texts,
                                  &n_dimensions, NULL, &error);
  g_assert_null (vectors);
  g_assert_error (error, PLUMB_MODEL_ERROR, (int) wrong->code);
  g_assert_nonnull (strstr (error->message, wrong->words));
  g_assert_null (strstr (error->message, "secret-key"));
  /* A server that does everything wrong isn't asked for each text. */
  g_assert_cmpuint (vector_peer_get_n_requests (peer), <, 40);
}

static void
test_wrong (gconstpointer data)
{
  assert_fails (data, FALSE, 1);
  assert_fails (data, TRUE, 1);
  assert_fails (data, FALSE, 200);
}

/* One bad text of many leaves the others alone, and what is wrong with it is told. */
static void
test_poison (gconstpointer data)
{
  const Wrong *wrong = data;
  g_autoptr (VectorPeer) peer = vector_peer_new (N_DIMENSIONS);
  g_autoptr (PlumbOpenaiEmbedder) embedder = make_embedder (peer, 32, 1);
  g_auto (GStrv) texts = make_texts (64);
  g_autofree GError **faults = g_new0 (GError *, 64);
  g_autoptr (GError) error = NULL;
  g_autofree float *vectors = NULL;
  guint n_dimensions = 0;

  g_free (texts[13]);
  texts[13] = g_strdup ("poison");
  vector_peer_set_poison (peer, TRUE);
  vector_peer_set_fault (peer, wrong->fault, G_MAXUINT);
  vectors = plumb_openai_embedder_embed_each (embedder, (const char *const *) texts, 64,
                                              &n_dimensions, faults, NULL, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < 64; i++) {
    const float *vector = vectors + (gsize) i * n_dimensions;

    g_assert_cmpfloat_with_epsilon (get_likeness (vector, vector, n_dimensions), i == 13 ? 0 : 1,
                                    1e-5);
    g_assert_true ((faults[i] != NULL) == (i == 13));
  }
  g_assert_error (faults[13], PLUMB_MODEL_ERROR, (int) wrong->code);
  g_clear_error (&faults[13]);
  /* 32 texts down to one, two requests at each step, and the other 32. */
  g_assert_cmpuint (vector_peer_get_n_requests (peer), ==, 1 + 2 * 5 + 1);
}

static void
test_other_dimension (void)
{
  g_autoptr (VectorPeer) peer = vector_peer_new (N_DIMENSIONS);
  g_autoptr (PlumbOpenaiEmbedder) embedder = make_embedder (peer, 4, 1);
  const char *texts[] = { "one", "poison", "three" };
  g_autoptr (GError) error = NULL;
  guint n_dimensions = 0;

  vector_peer_set_poison (peer, TRUE);
  vector_peer_set_fault (peer, VECTOR_PEER_OTHER_DIMENSION, G_MAXUINT);
  g_assert_null (
      plumb_embedder_embed (PLUMB_EMBEDDER (embedder), texts, 3, &n_dimensions, NULL, &error));
  g_assert_error (error, PLUMB_MODEL_ERROR, PLUMB_MODEL_ERROR_DIMENSIONS);
  g_assert_nonnull (strstr (error->message, "64"));
  g_assert_nonnull (strstr (error->message, "65"));
}

/* The model behind the name is another one between two calls. */
static void
test_changed_dimension (void)
{
  g_autoptr (VectorPeer) peer = vector_peer_new (N_DIMENSIONS);
  g_autoptr (PlumbOpenaiEmbedder) embedder = make_embedder (peer, 4, 1);
  const char *text = "one";
  g_autoptr (GError) error = NULL;
  g_autofree float *first = NULL;
  guint n_dimensions = 0;

  first = plumb_embedder_embed (PLUMB_EMBEDDER (embedder), &text, 1, &n_dimensions, NULL, &error);
  g_assert_no_error (error);
  vector_peer_set_model (peer, "bge-m3", 32);
  g_assert_null (
      plumb_embedder_embed (PLUMB_EMBEDDER (embedder), &text, 1, &n_dimensions, NULL, &error));
  g_assert_error (error, PLUMB_MODEL_ERROR, PLUMB_MODEL_ERROR_DIMENSIONS);
}

/* A busy server is asked again, as long as it says. */
static void
test_busy_for_a_while (void)
{
  g_autoptr (VectorPeer) peer = vector_peer_new (N_DIMENSIONS);
  g_autoptr (PlumbOpenaiEmbedder) embedder = make_embedder (peer, 4, 1);
  const char *text = "one";
  g_autoptr (GError) error = NULL;
  g_autofree float *vectors = NULL;
  guint n_dimensions = 0;

  vector_peer_set_fault (peer, VECTOR_PEER_BUSY, 3);
  vectors = plumb_embedder_embed (PLUMB_EMBEDDER (embedder), &text, 1, &n_dimensions, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (vector_peer_get_n_requests (peer), ==, 4);
}

static void
test_retry_after (void)
{
  g_autoptr (Peer) peer = peer_new ();
  g_autofree char *address = peer_get_address (peer, "/v1");
  g_autoptr (PlumbOpenaiEmbedder)
      embedder = plumb_openai_embedder_new (address, "m", NULL, PLUMB_EMBED_TEXTS);
  const char *text = "one";
  g_autoptr (GError) error = NULL;
  g_autofree float *vectors = NULL;
  guint n_dimensions = 0;
  gint64 start = g_get_monotonic_time ();

  plumb_openai_embedder_set_limits (embedder, &quick);
  peer_add_status (peer, 503, "Retry-After: 1\r\n", "{}");
  peer_add_status (peer, 200, NULL, "{\"data\":[{\"index\":0,\"embedding\":[3,4]}]}");
  vectors = plumb_embedder_embed (PLUMB_EMBEDDER (embedder), &text, 1, &n_dimensions, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (g_get_monotonic_time () - start, >=, G_USEC_PER_SEC);
  g_assert_cmpuint (n_dimensions, ==, 2);
  g_assert_cmpfloat_with_epsilon (vectors[0], 0.6, 1e-6);
  g_assert_cmpfloat_with_epsilon (vectors[1], 0.8, 1e-6);
}

/* A text that is longer than the model reads is made shorter, alone; the others go as they are. */
static void
test_too_long (void)
{
  g_autoptr (VectorPeer) peer = vector_peer_new (N_DIMENSIONS);
  g_autoptr (PlumbOpenaiEmbedder) embedder = make_embedder (peer, 4, 1);
  g_autofree char *rest = g_strnfill (5000, 'z');
  g_autofree char *long_text = g_strconcat ("invoice ", rest, NULL);
  const char *texts[] = { "one two", long_text, "three four" };
  g_autoptr (GError) error = NULL;
  g_autofree float *vectors = NULL;
  guint n_dimensions = 0;

  vector_peer_set_max_bytes (peer, 1000);
  vectors = plumb_embedder_embed (PLUMB_EMBEDDER (embedder), texts, 3, &n_dimensions, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (vector_peer_got (peer, "three four"));
  for (guint i = 0; i < 3; i++)
    g_assert_cmpfloat_with_epsilon (
        get_likeness (vectors + i * n_dimensions, vectors + i * n_dimensions, n_dimensions), 1,
        1e-5);
}

static void
test_refused (void)
{
  Peer *peer = peer_new ();
  g_autofree char *address = peer_get_address (peer, "");
  g_autoptr (PlumbOpenaiEmbedder)
      embedder = plumb_openai_embedder_new (address, "m", NULL, PLUMB_EMBED_QUESTION);
  const char *text = "one";
  g_autoptr (GError) error = NULL;
  guint n_dimensions = 0;

  peer_free (peer);
  g_assert_null (
      plumb_embedder_embed (PLUMB_EMBEDDER (embedder), &text, 1, &n_dimensions, NULL, &error));
  g_assert_error (error, PLUMB_MODEL_ERROR, PLUMB_MODEL_ERROR_CONNECT);
  g_assert_nonnull (strstr (error->message, "Start the model server"));
}

/* Somebody waits for a question: it has three seconds, once. */
static void
test_question (void)
{
  g_autoptr (VectorPeer) peer = vector_peer_new (N_DIMENSIONS);
  g_autofree char *address = vector_peer_get_address (peer, "");
  g_autoptr (PlumbOpenaiEmbedder)
      embedder = plumb_openai_embedder_new (address, "m", NULL, PLUMB_EMBED_QUESTION);
  const char *text = "one";
  g_autoptr (GError) error = NULL;
  guint n_dimensions = 0;
  gint64 start = g_get_monotonic_time ();

  vector_peer_set_fault (peer, VECTOR_PEER_SILENT, G_MAXUINT);
  g_assert_null (
      plumb_embedder_embed (PLUMB_EMBEDDER (embedder), &text, 1, &n_dimensions, NULL, &error));
  g_assert_error (error, PLUMB_MODEL_ERROR, PLUMB_MODEL_ERROR_STALLED);
  g_assert_cmpuint (vector_peer_get_n_requests (peer), ==, 1);
  g_assert_cmpint (g_get_monotonic_time () - start, <, 30 * G_USEC_PER_SEC);
}

static gpointer
cancel_soon (gpointer data)
{
  g_usleep (100 * 1000);
  g_cancellable_cancel (data);
  return NULL;
}

static void
test_cancelled (void)
{
  g_autoptr (VectorPeer) peer = vector_peer_new (N_DIMENSIONS);
  g_autofree char *address = vector_peer_get_address (peer, "");
  g_autoptr (PlumbOpenaiEmbedder)
      embedder = plumb_openai_embedder_new (address, "m", NULL, PLUMB_EMBED_TEXTS);
  g_auto (GStrv) texts = make_texts (300);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  guint n_dimensions = 0;
  GThread *thread;

  vector_peer_set_fault (peer, VECTOR_PEER_SILENT, G_MAXUINT);
  thread = g_thread_new ("cancel", cancel_soon, cancellable);
  g_assert_null (plumb_embedder_embed (PLUMB_EMBEDDER (embedder), (const char *const *) texts, 300,
                                       &n_dimensions, cancellable, &error));
  g_thread_join (thread);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

/* Servers whose address ends elsewhere than in /v1 are found, and the guess isn't made again. */
static void
test_other_path (void)
{
  g_autoptr (Peer) peer = peer_new ();
  g_autofree char *address = peer_get_address (peer, "/api");
  g_autoptr (PlumbOpenaiEmbedder)
      embedder = plumb_openai_embedder_new (address, "m", NULL, PLUMB_EMBED_TEXTS);
  const char *text = "one";
  guint n_dimensions = 0;

  peer_add_status (peer, 404, NULL, "nothing here");
  for (guint i = 0; i < 2; i++)
    peer_add_status (peer, 200, NULL, "{\"data\":[{\"embedding\":[1,0]}]}");
  for (guint i = 0; i < 2; i++) {
    g_autofree float *vectors = plumb_embedder_embed (PLUMB_EMBEDDER (embedder), &text, 1,
                                                      &n_dimensions, NULL, NULL);

    g_assert_nonnull (vectors);
  }
  g_assert_cmpuint (peer_get_n_requests (peer), ==, 3);
  g_assert_true (g_str_has_prefix (peer_get_request (peer, 0), "POST /api/v1/embeddings "));
  g_assert_true (g_str_has_prefix (peer_get_request (peer, 2), "POST /api/embeddings "));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/embedder/order/base64", NULL, test_order);
  g_test_add_data_func ("/embedder/order/floats", GINT_TO_POINTER (TRUE), test_order);
  g_test_add_func ("/embedder/parallel", test_parallel);
  g_test_add_func ("/embedder/bytes", test_bytes);
  for (guint i = 0; i < G_N_ELEMENTS (wrongs); i++) {
    g_autofree char *name = g_strdup_printf ("/embedder/wrong/%s", wrongs[i].name);
    g_autofree char *poison = g_strdup_printf ("/embedder/poison/%s", wrongs[i].name);

    g_test_add_data_func (name, &wrongs[i], test_wrong);
    if (i < 6)
      g_test_add_data_func (poison, &wrongs[i], test_poison);
  }
  g_test_add_func ("/embedder/other-dimension", test_other_dimension);
  g_test_add_func ("/embedder/changed-dimension", test_changed_dimension);
  g_test_add_func ("/embedder/busy-for-a-while", test_busy_for_a_while);
  g_test_add_func ("/embedder/retry-after", test_retry_after);
  g_test_add_func ("/embedder/too-long", test_too_long);
  g_test_add_func ("/embedder/refused", test_refused);
  g_test_add_func ("/embedder/question", test_question);
  g_test_add_func ("/embedder/cancelled", test_cancelled);
  g_test_add_func ("/embedder/other-path", test_other_path);
  return g_test_run ();
}
