/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "index-fixture.h"

#include "plumb-search.h"
#include "plumb-search-vectors.h"
#include "plumb-vectors.h"

#include <math.h>
#include <string.h>

/* An embedder that knows which words mean the same, in no language that the lists that ship know: texts are
 * alike by the concepts they share. It fails in the ways that servers fail. */
#define N_DIMENSIONS 96

typedef enum {
  WORKS,
  FAILS,
  HANGS,
  GIVES_NAN,
  GIVES_OTHER_DIMENSION,
} Behaviour;

#define TEST_TYPE_EMBEDDER (test_embedder_get_type ())
G_DECLARE_FINAL_TYPE (TestEmbedder, test_embedder, TEST, EMBEDDER, GObject)

struct _TestEmbedder {
  GObject parent_instance;

  char *model;
  Behaviour behaviour;
  int n_calls;
  int n_hanging;
  gsize n_bytes;
  GCancellable *cancel_when_hanging;
};

static void test_embedder_iface_init (PlumbEmbedderInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (TestEmbedder, test_embedder, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (PLUMB_TYPE_EMBEDDER, test_embedder_iface_init))

static void
test_embedder_finalize (GObject *object)
{
  g_free (TEST_EMBEDDER (object)->model);
  G_OBJECT_CLASS (test_embedder_parent_class)->finalize (object);
}

static void
test_embedder_class_init (TestEmbedderClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = test_embedder_finalize;
}

static void
test_embedder_init (TestEmbedder *self)
{
}

static const char *
get_model (PlumbEmbedder *embedder)
{
  return TEST_EMBEDDER (embedder)->model;
}

/* Concepts, each with its words. */
static const char *const concepts[][4] = {
  { "zumbrel", "personnel", "workers" },
  { "quorvane", "vessel", "ships" },
  { "plintock", "ledger", "postings" },
  { "drassow", "weather", "rain" },
};

static void
add_text (const char *text, float *vector)
{
  g_autofree char *folded = g_utf8_strdown (text, -1);
  g_auto (GStrv) words = g_strsplit_set (folded, " _.,:()\n", -1);
  float square = 0;

  memset (vector, 0, N_DIMENSIONS * sizeof *vector);
  for (guint i = 0; words[i] != NULL; i++) {
    guint axis = G_N_ELEMENTS (concepts) + g_str_hash (words[i]) % (N_DIMENSIONS - G_N_ELEMENTS (concepts));
    float weight = 0.3f;

    for (guint j = 0; j < G_N_ELEMENTS (concepts); j++) {
      for (guint k = 0; k < 3; k++) {
        if (strcmp (words[i], concepts[j][k]) == 0) {
          axis = j;
          weight = 3;
        }
      }
    }
    vector[axis] += *words[i] != '\0' ? weight : 0;
  }
  for (guint i = 0; i < N_DIMENSIONS; i++)
    square += vector[i] * vector[i];
  for (guint i = 0; square > 0 && i < N_DIMENSIONS; i++)
    vector[i] /= sqrtf (square);
}

static float *
embed (PlumbEmbedder *embedder, const char *const *texts, guint n_texts, guint *n_dimensions,
       GCancellable *cancellable, GError **error)
{
  TestEmbedder *self = TEST_EMBEDDER (embedder);
  float *vectors;

  g_atomic_int_inc (&self->n_calls);
  self->n_bytes = strlen (texts[0]);
  if (self->behaviour == FAILS) {
    g_set_error (error, PLUMB_ERROR, PLUMB_ERROR_FAILED, "the server is on holiday");
    return NULL;
  }
  if (self->behaviour == HANGS) {
    g_atomic_int_inc (&self->n_hanging);
    if (self->cancel_when_hanging != NULL)
      g_cancellable_cancel (self->cancel_when_hanging);
    while (!g_cancellable_set_error_if_cancelled (cancellable, error))
      g_usleep (1000);
    g_atomic_int_add (&self->n_hanging, -1);
    return NULL;
  }
  vectors = g_new0 (float, n_texts * (N_DIMENSIONS + 1));
  for (guint i = 0; i < n_texts; i++)
    add_text (texts[i], vectors + i * N_DIMENSIONS);
  if (self->behaviour == GIVES_NAN)
    vectors[5] = NAN;
  *n_dimensions = N_DIMENSIONS + (self->behaviour == GIVES_OTHER_DIMENSION);
  return vectors;
}

static void
test_embedder_iface_init (PlumbEmbedderInterface *iface)
{
  iface->get_model = get_model;
  iface->embed = embed;
}

static TestEmbedder *
test_embedder_new (const char *model)
{
  TestEmbedder *self = g_object_new (TEST_TYPE_EMBEDDER, NULL);

  self->model = g_strdup (model);
  return self;
}

static void
embed_all (PlumbIndex *index, TestEmbedder *embedder)
{
  for (;;) {
    g_autoptr (GPtrArray) chunks = plumb_index_list_unembedded (index, embedder->model, 7, NULL);
    g_autofree const char **texts = g_new0 (const char *, chunks->len + 1);
    g_autofree const char **hashes = g_new0 (const char *, chunks->len + 1);
    g_autofree float *vectors = NULL;
    guint n_dimensions;

    if (chunks->len == 0)
      return;
    for (guint i = 0; i < chunks->len; i++) {
      texts[i] = ((PlumbChunk *) g_ptr_array_index (chunks, i))->text;
      hashes[i] = ((PlumbChunk *) g_ptr_array_index (chunks, i))->hash;
    }
    vectors = plumb_embedder_embed (PLUMB_EMBEDDER (embedder), texts, chunks->len, &n_dimensions, NULL, NULL);
    g_assert_true (plumb_index_store_vectors (index, embedder->model, n_dimensions, hashes, vectors, chunks->len, NULL));
  }
}

static void
finish (PlumbIndex *index, const char *model)
{
  gboolean complete = FALSE;

  g_assert_true (plumb_index_finish_embedding (index, model, &complete, NULL));
  g_assert_true (complete);
}

/* Twelve tables of which four are about the concepts, under names that say nothing of the question's words. */
static void
put_tables (PlumbIndex *index)
{
  static const char *const tables[] = { "personnel", "vessel", "ledger", "weather", "alpha", "beta", "gamma", "delta",
                                        "epsilon", "zeta", "eta", "theta" };

  for (guint i = 0; i < G_N_ELEMENTS (tables); i++)
    put_card (index, "sales", "main", tables[i]);
}

static PlumbCandidates *
search (PlumbSearch *self, const char *question, const char *const *databases, gboolean plain)
{
  PlumbSearchRequest request = { .question = question, .databases = databases, .limit = 5, .plain = plain };
  g_autoptr (GError) error = NULL;
  PlumbCandidates *found = plumb_search_run (self, &request, NULL, &error);

  g_assert_no_error (error);
  return found;
}

static const char *
get_first (const PlumbCandidates *found)
{
  return found->candidates->len > 0 ? ((PlumbCandidate *) g_ptr_array_index (found->candidates, 0))->card->name : NULL;
}

static void
assert_first (PlumbSearch *self, const char *question, const char *table, const char *model)
{
  g_autoptr (PlumbCandidates) found = search (self, question, NULL, FALSE);

  g_assert_cmpstr (get_first (found), ==, table);
  g_assert_cmpstr (found->embedding_model, ==, model);
  g_assert_null (found->warning);
}

static void
assert_warned (PlumbSearch *self, const char *question, const char *what)
{
  g_autoptr (PlumbCandidates) found = search (self, question, NULL, FALSE);

  g_assert_null (found->embedding_model);
  g_assert_nonnull (found->warning);
  g_assert_nonnull (strstr (found->warning, what));
  g_assert_cmpuint (found->candidates->len, >, 0);
}

static void
test_meaning (IndexFixture *fixture, gconstpointer data)
{
  g_autoptr (TestEmbedder) embedder = test_embedder_new ("m");
  g_autoptr (PlumbSearch) self = plumb_search_new (fixture->index);
  g_autoptr (PlumbCandidates) found = NULL;
  g_autoptr (PlumbCandidates) fused = NULL;
  PlumbCandidate *first;

  put_tables (fixture->index);
  assert_first (self, "zumbrel", NULL, NULL);
  embed_all (fixture->index, embedder);
  finish (fixture->index, "m");
  assert_first (self, "zumbrel", NULL, NULL);

  plumb_search_set_embedder (self, PLUMB_EMBEDDER (embedder), NULL);
  assert_first (self, "quorvane", "vessel", "m");
  assert_first (self, "how many plintock", "ledger", "m");
  found = search (self, "zumbrel", NULL, FALSE);
  first = g_ptr_array_index (found->candidates, 0);
  g_assert_cmpstr (first->card->name, ==, "personnel");
  g_assert_true (g_strv_contains ((const char *const *) first->matched_by, "meaning"));
  g_assert_false (g_strv_contains ((const char *const *) first->matched_by, "words"));
  g_assert_true (g_strv_contains ((const char *const *) found->lists, "meaning"));

  /* In the baseline it is a list like the others. */
  fused = search (self, "zumbrel", NULL, TRUE);
  g_assert_cmpstr (get_first (fused), ==, "personnel");
  g_assert_true (g_strv_contains ((const char *const *) fused->lists, "meaning"));
  g_clear_pointer (&fused, plumb_candidates_unref);
  plumb_search_set_embedder (self, NULL, NULL);
  fused = search (self, "personnel", NULL, TRUE);
  g_assert_false (g_strv_contains ((const char *const *) fused->lists, "meaning"));
  assert_first (self, "zumbrel", NULL, NULL);
}

/* Words go on deciding where they say more. */
static void
test_words_count (IndexFixture *fixture, gconstpointer data)
{
  g_autoptr (TestEmbedder) embedder = test_embedder_new ("m");
  g_autoptr (PlumbSearch) self = plumb_search_new (fixture->index);

  put_tables (fixture->index);
  embed_all (fixture->index, embedder);
  finish (fixture->index, "m");
  plumb_search_set_embedder (self, PLUMB_EMBEDDER (embedder), NULL);
  assert_first (self, "epsilon", "epsilon", "m");
}

/* A copy is as like the question as its live table, and stands under it all the same. */
static void
test_copies (IndexFixture *fixture, gconstpointer data)
{
  g_autoptr (TestEmbedder) embedder = test_embedder_new ("m");
  g_autoptr (PlumbSearch) self = plumb_search_new (fixture->index);
  g_autoptr (PlumbCard) copy = make_card ("sales", "main", "personnel_bak");
  g_autoptr (PlumbCandidates) found = NULL;
  PlumbCandidate *first;

  put_tables (fixture->index);
  copy->status = PLUMB_STATUS_BACKUP;
  copy->copy_of = g_strdup ("main.personnel");
  plumb_index_put_card (fixture->index, copy, NULL);
  embed_all (fixture->index, embedder);
  finish (fixture->index, "m");
  plumb_search_set_embedder (self, PLUMB_EMBEDDER (embedder), NULL);
  found = search (self, "zumbrel", NULL, FALSE);
  first = g_ptr_array_index (found->candidates, 0);
  g_assert_cmpstr (first->card->name, ==, "personnel");
  g_assert_true (g_strv_contains ((const char *const *) first->copies, "main.personnel_bak"));
  for (guint i = 1; i < found->candidates->len; i++)
    g_assert_cmpstr (((PlumbCandidate *) g_ptr_array_index (found->candidates, i))->card->name, !=, "personnel_bak");
}

static void
test_only_searched (IndexFixture *fixture, gconstpointer data)
{
  const char *const databases[] = { "crm", NULL };
  g_autoptr (TestEmbedder) embedder = test_embedder_new ("m");
  g_autoptr (PlumbSearch) self = plumb_search_new (fixture->index);
  g_autoptr (PlumbCandidates) found = NULL;

  put_tables (fixture->index);
  add_source (fixture->index, "crm");
  put_card (fixture->index, "crm", "main", "workers");
  put_card (fixture->index, "crm", "main", "kappa");
  embed_all (fixture->index, embedder);
  finish (fixture->index, "m");
  plumb_search_set_embedder (self, PLUMB_EMBEDDER (embedder), NULL);
  found = search (self, "zumbrel", databases, FALSE);
  g_assert_cmpuint (found->candidates->len, >, 0);
  for (guint i = 0; i < found->candidates->len; i++)
    g_assert_cmpstr (((PlumbCandidate *) g_ptr_array_index (found->candidates, i))->card->database, ==, "crm");
  g_assert_cmpstr (get_first (found), ==, "workers");
}

static void
test_asked_once (IndexFixture *fixture, gconstpointer data)
{
  g_autoptr (TestEmbedder) embedder = test_embedder_new ("m");
  g_autoptr (PlumbSearch) self = plumb_search_new (fixture->index);
  g_autofree char *endless = g_strnfill (100000, 'z');
  int n_calls;

  put_tables (fixture->index);
  embed_all (fixture->index, embedder);
  finish (fixture->index, "m");
  plumb_search_set_embedder (self, PLUMB_EMBEDDER (embedder), NULL);
  n_calls = embedder->n_calls;
  assert_first (self, "zumbrel", "personnel", "m");
  assert_first (self, "zumbrel", "personnel", "m");
  g_assert_cmpint (embedder->n_calls, ==, n_calls + 1);

  /* The vectors of the last 64 questions are kept. */
  for (guint i = 0; i < 64; i++) {
    g_autofree char *question = g_strdup_printf ("quorvane %u", i);

    assert_first (self, question, "vessel", "m");
  }
  g_assert_cmpint (embedder->n_calls, ==, n_calls + 65);
  assert_first (self, "quorvane 1", "vessel", "m");
  g_assert_cmpint (embedder->n_calls, ==, n_calls + 65);
  assert_first (self, "zumbrel", "personnel", "m");
  g_assert_cmpint (embedder->n_calls, ==, n_calls + 66);

  /* Nobody is asked about nothing; an endless question is cut. */
  assert_first (self, " \n", NULL, NULL);
  g_assert_cmpint (embedder->n_calls, ==, n_calls + 66);
  assert_first (self, endless, NULL, "m");
  g_assert_cmpint (embedder->n_calls, ==, n_calls + 67);
  g_assert_cmpuint (embedder->n_bytes, <=, PLUMB_CHUNK_MAX_BYTES);
}

static void
test_failures (IndexFixture *fixture, gconstpointer data)
{
  g_autoptr (TestEmbedder) embedder = test_embedder_new ("m");
  g_autoptr (TestEmbedder) other = test_embedder_new ("another");
  g_autoptr (PlumbSearch) self = plumb_search_new (fixture->index);

  put_tables (fixture->index);
  embed_all (fixture->index, embedder);
  finish (fixture->index, "m");
  plumb_search_set_embedder (self, PLUMB_EMBEDDER (embedder), NULL);
  plumb_search_set_embedding_pause (self, 0);
  embedder->behaviour = FAILS;
  assert_warned (self, "vessel", "on holiday");
  embedder->behaviour = GIVES_NAN;
  assert_warned (self, "vessel", "number that is none");
  embedder->behaviour = GIVES_OTHER_DIMENSION;
  assert_warned (self, "vessel", "97");
  embedder->behaviour = HANGS;
  plumb_search_set_embedding_time_limit (self, 50);
  assert_warned (self, "vessel", "no answer");
  while (g_atomic_int_get (&embedder->n_hanging) > 0)
    g_usleep (1000);
  embedder->behaviour = WORKS;
  plumb_search_set_embedding_time_limit (self, 60000);
  assert_first (self, "vessel", "vessel", "m");
  plumb_search_set_embedder (self, PLUMB_EMBEDDER (other), NULL);
  assert_warned (self, "vessel", "“m”");
}

/* Who doesn't answer isn't asked by each search: those in between go on at once, and say so. */
static void
test_pause (IndexFixture *fixture, gconstpointer data)
{
  g_autoptr (TestEmbedder) embedder = test_embedder_new ("m");
  g_autoptr (PlumbSearch) self = plumb_search_new (fixture->index);
  g_autofree char *failure = NULL;
  int n_calls;

  put_tables (fixture->index);
  embed_all (fixture->index, embedder);
  finish (fixture->index, "m");
  plumb_search_set_embedder (self, PLUMB_EMBEDDER (embedder), NULL);
  plumb_search_set_embedding_pause (self, 3600 * 1000);
  plumb_search_set_embedding_time_limit (self, 60000);
  assert_first (self, "zumbrel", "personnel", "m");
  plumb_search_set_embedding_time_limit (self, 50);
  embedder->behaviour = HANGS;
  assert_warned (self, "vessel", "no answer");
  embedder->behaviour = WORKS;
  n_calls = embedder->n_calls;
  for (guint i = 0; i < 3; i++)
    assert_warned (self, "ledger", "asked again in");
  g_assert_cmpint (embedder->n_calls, ==, n_calls);
  g_assert_cmpuint (plumb_search_get_embedding_pause (self, &failure), >, 0);
  g_assert_nonnull (strstr (failure, "no answer"));
  /* What is known needs nobody. */
  assert_first (self, "zumbrel", "personnel", "m");

  /* When the time has passed, it is asked again; an answer ends it. */
  plumb_search_set_embedding_pause (self, 0);
  plumb_search_set_embedding_time_limit (self, 60000);
  assert_first (self, "ledger", "ledger", "m");
  g_assert_cmpint (embedder->n_calls, ==, n_calls + 1);
  g_assert_cmpuint (plumb_search_get_embedding_pause (self, NULL), ==, 0);

  /* Another endpoint isn't held to what this one did. */
  plumb_search_set_embedding_pause (self, 3600 * 1000);
  embedder->behaviour = FAILS;
  assert_warned (self, "the vessel", "on holiday");
  assert_warned (self, "the vessel", "asked again in");
  plumb_search_set_embedder (self, NULL, NULL);
  embedder->behaviour = WORKS;
  plumb_search_set_embedder (self, PLUMB_EMBEDDER (embedder), NULL);
  assert_first (self, "the vessel", "vessel", "m");
  while (g_atomic_int_get (&embedder->n_hanging) > 0)
    g_usleep (1000);
}

/* It grows with each failure in a row, up to ten minutes. */
static void
test_pause_grows (void)
{
  g_assert_cmpint (plumb_search_vectors_pause_after (10000, 1), ==, 10000);
  g_assert_cmpint (plumb_search_vectors_pause_after (10000, 2), ==, 20000);
  g_assert_cmpint (plumb_search_vectors_pause_after (10000, 5), ==, 160000);
  g_assert_cmpint (plumb_search_vectors_pause_after (10000, 7), ==, 600000);
  g_assert_cmpint (plumb_search_vectors_pause_after (10000, G_MAXUINT), ==, 600000);
  g_assert_cmpint (plumb_search_vectors_pause_after (0, 4), ==, 0);
  g_assert_cmpint (plumb_search_vectors_pause_after (3600000, 4), ==, 3600000);
}

static void
test_cancel (IndexFixture *fixture, gconstpointer data)
{
  g_autoptr (TestEmbedder) embedder = test_embedder_new ("m");
  g_autoptr (PlumbSearch) self = plumb_search_new (fixture->index);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  PlumbSearchRequest request = { .question = "vessel" };
  g_autoptr (GError) error = NULL;

  put_tables (fixture->index);
  embed_all (fixture->index, embedder);
  finish (fixture->index, "m");
  plumb_search_set_embedder (self, PLUMB_EMBEDDER (embedder), NULL);
  plumb_search_set_embedding_time_limit (self, 600000);
  embedder->behaviour = HANGS;
  embedder->cancel_when_hanging = cancellable;
  g_assert_null (plumb_search_run (self, &request, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);

  /* The embedder is told too. */
  while (g_atomic_int_get (&embedder->n_hanging) > 0)
    g_usleep (1000);
}

/* The old vectors serve, asked with the old model, until the new ones are complete. */
static void
test_model_change (IndexFixture *fixture, gconstpointer data)
{
  g_autoptr (TestEmbedder) old = test_embedder_new ("old");
  g_autoptr (TestEmbedder) new = test_embedder_new ("new");
  g_autoptr (PlumbSearch) self = plumb_search_new (fixture->index);

  put_tables (fixture->index);
  embed_all (fixture->index, old);
  finish (fixture->index, "old");
  plumb_search_set_embedder (self, PLUMB_EMBEDDER (new), PLUMB_EMBEDDER (old));
  assert_first (self, "zumbrel", "personnel", "old");
  embed_all (fixture->index, new);
  assert_first (self, "zumbrel", "personnel", "old");
  finish (fixture->index, "new");
  assert_first (self, "zumbrel", "personnel", "new");
}

/* What another window embeds, adds and removes is searched without opening the index again. */
static void
test_two_windows (IndexFixture *fixture, gconstpointer data)
{
  g_autoptr (TestEmbedder) embedder = test_embedder_new ("m");
  g_autoptr (PlumbSearch) self = plumb_search_new (fixture->index);
  g_autoptr (GError) error = NULL;
  g_autoptr (PlumbIndex) other = plumb_index_open (fixture->path, &error);
  g_autoptr (PlumbCard) card = make_card ("sales", "main", "alpha");

  g_assert_no_error (error);
  put_tables (fixture->index);
  plumb_search_set_embedder (self, PLUMB_EMBEDDER (embedder), NULL);
  assert_first (self, "zumbrel", NULL, NULL);
  embed_all (other, embedder);
  finish (other, "m");
  assert_first (self, "zumbrel", "personnel", "m");
  assert_first (self, "drassow", "weather", "m");

  /* One table gets a new meaning; nine more make more loads than there are segments. */
  for (guint i = 0; i < 10; i++) {
    static const char *const words[] = { "ships", "rain" };
    g_autofree char *name = g_strdup_printf ("t%u", i);
    g_autoptr (PlumbCard) more = make_card ("sales", "main", i == 0 ? "alpha" : name);

    more->purpose = g_strdup_printf ("%s %s %s", words[i % 2], words[i % 2], words[i % 2]);
    plumb_index_put_card (other, more, NULL);
    embed_all (other, embedder);
    {
      g_autoptr (PlumbCandidates) found = search (self, i % 2 == 0 ? "quorvane" : "drassow", NULL, FALSE);
      gboolean there = FALSE;

      for (guint j = 0; j < found->candidates->len; j++)
        there |= strcmp (((PlumbCandidate *) g_ptr_array_index (found->candidates, j))->card->name, more->name) == 0;
      if (i < 3)
        g_assert_true (there);
    }
  }
  finish (other, "m");
  assert_first (self, "zumbrel", "personnel", "m");

  /* Back to what it was: its chunks have no vectors any more, and get them again. */
  plumb_index_put_card (other, card, NULL);
  embed_all (other, embedder);
  finish (other, "m");
  assert_first (self, "zumbrel", "personnel", "m");
  g_assert_true (plumb_index_remove_vectors (other, NULL));
  assert_first (self, "zumbrel", NULL, NULL);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name, function) \
  g_test_add ("/search-vectors/" name, IndexFixture, NULL, index_fixture_set_up, function, index_fixture_tear_down)
  ADD ("meaning", test_meaning);
  ADD ("words-count", test_words_count);
  ADD ("copies", test_copies);
  ADD ("only-searched", test_only_searched);
  ADD ("asked-once", test_asked_once);
  ADD ("failures", test_failures);
  ADD ("pause", test_pause);
  g_test_add_func ("/search-vectors/pause-grows", test_pause_grows);
  ADD ("cancel", test_cancel);
  ADD ("model-change", test_model_change);
  ADD ("two-windows", test_two_windows);
  return g_test_run ();
}
