/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-json.h"
#include "session-fixture.h"
#include "vector-peer.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#define N_DIMENSIONS 64
#define MANY_TABLES 1200

static void
use_endpoint (PlumbSession *session, VectorPeer *peer, const char *model)
{
  g_autofree char *address = vector_peer_get_address (peer, "/v1");
  g_autoptr (GError) error = NULL;

  plumb_session_set_endpoint (session, PLUMB_ENDPOINT_EMBEDDING, address, model, NULL, &error);
  g_assert_no_error (error);
}

static void
analyze (PlumbSession *session, gboolean changed_only)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PlumbAnalysisReport) report = plumb_session_analyze (session, "shop", changed_only,
                                                                  FALSE, NULL, NULL, NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (report->failures->len, ==, 0);
}

static PlumbEmbeddingProgress *
embed (PlumbSession *session)
{
  g_autoptr (GError) error = NULL;
  PlumbEmbeddingProgress *progress = plumb_session_embed (session, FALSE, NULL, NULL, NULL, &error);

  g_assert_no_error (error);
  return progress;
}

static void
assert_complete (const PlumbEmbeddingProgress *progress, const char *model)
{
  g_assert_cmpuint (progress->chunks, >, 0);
  g_assert_cmpuint (progress->embedded, ==, progress->chunks);
  g_assert_cmpstr (progress->model, ==, model);
  g_assert_cmpstr (progress->serving_model, ==, model);
  g_assert_cmpuint (progress->failed, ==, 0);
}

/* What has a vector isn't sent again: not the second time, not after an analysis that changes
 * nothing, and after one that changes a table only what belongs to that. */
static void
test_only_changes (void)
{
  g_autoptr (VectorPeer) peer = vector_peer_new (N_DIMENSIONS);
  g_autoptr (PlumbSession) session = session_open (NULL);
  g_autoptr (PlumbEmbeddingProgress) first = NULL;
  g_autoptr (PlumbEmbeddingProgress) second = NULL;
  g_autoptr (PlumbEmbeddingProgress) changed = NULL;

  session_add_shop (session);
  analyze (session, FALSE);
  use_endpoint (session, peer, "bge-m3");
  first = embed (session);
  assert_complete (first, "bge-m3");
  g_assert_cmpuint (first->n_dimensions, ==, N_DIMENSIONS);
  g_assert_cmpuint (first->sent, ==, first->chunks);
  g_assert_cmpuint (vector_peer_get_n_texts (peer), ==, first->chunks);
  vector_peer_reset (peer);
  analyze (session, FALSE);
  second = embed (session);
  assert_complete (second, "bge-m3");
  g_assert_cmpuint (second->sent, ==, 0);
  g_assert_cmpuint (vector_peer_get_n_requests (peer), ==, 0);
  session_change_shop ("ALTER TABLE orders ADD COLUMN delivered_at TEXT");
  analyze (session, TRUE);
  changed = embed (session);
  assert_complete (changed, "bge-m3");
  g_assert_cmpuint (changed->sent, >, 0);
  g_assert_cmpuint (changed->sent, <, changed->chunks);
  g_assert_true (vector_peer_got (peer, "delivered_at"));
  g_assert_false (vector_peer_got (peer, "email"));
}

/* Another model embeds everything anew; until it is done the vectors of the old one serve. */
static void
test_other_model (void)
{
  g_autoptr (VectorPeer) peer = vector_peer_new (N_DIMENSIONS);
  g_autoptr (PlumbSession) session = session_open (NULL);
  g_autoptr (PlumbEmbeddingProgress) first = NULL;
  g_autoptr (PlumbEmbeddingProgress) between = NULL;
  g_autoptr (PlumbEmbeddingProgress) second = NULL;
  g_autoptr (GError) error = NULL;

  session_add_shop (session);
  analyze (session, FALSE);
  use_endpoint (session, peer, "bge-m3");
  first = embed (session);
  vector_peer_set_model (peer, "e5-large", 32);
  use_endpoint (session, peer, "e5-large");
  vector_peer_set_fault (peer, VECTOR_PEER_NO_KEY, 1);
  g_assert_null (plumb_session_embed (session, FALSE, NULL, NULL, NULL, &error));
  g_assert_nonnull (strstr (error->message, "Enter a valid key"));
  between = plumb_session_get_embedding_progress (session, NULL);
  g_assert_cmpstr (between->serving_model, ==, "bge-m3");
  g_assert_cmpstr (between->model, ==, "e5-large");
  g_assert_cmpuint (between->embedded, ==, 0);
  second = embed (session);
  assert_complete (second, "e5-large");
  g_assert_cmpuint (second->n_dimensions, ==, 32);
}

/* The question is embedded by the model whose vectors serve: the one before, until the new ones are
 * complete. An endpoint that fails is told, and search goes on without it; the next one doesn't ask it. */
static void
test_search (void)
{
  g_autoptr (VectorPeer) peer = vector_peer_new (N_DIMENSIONS);
  g_autoptr (PlumbSession) session = session_open (NULL);
  const char *const questions[] = { "orders of customers", "amounts of orders", "who was paid" };
  PlumbCandidates *found[3] = { NULL };
  g_autoptr (PlumbEmbeddingProgress) progress = NULL;

  session_add_shop (session);
  use_endpoint (session, peer, "bge-m3");
  progress = embed (session);
  use_endpoint (session, peer, "e5-large");
  for (guint i = 0; i < 3; i++) {
    g_autoptr (GError) error = NULL;

    vector_peer_reset (peer);
    if (i == 1)
      vector_peer_set_fault (peer, VECTOR_PEER_SERVER_ERROR, 1);
    found[i] = plumb_session_search (session, questions[i], NULL, 8, NULL, &error);
    g_assert_no_error (error);
    g_assert_cmpuint (found[i]->candidates->len, >, 0);
    g_assert_cmpint (vector_peer_got (peer, questions[i]), ==, i < 2);
    g_assert_cmpint (vector_peer_got (peer, "bge-m3"), ==, i < 2);
    g_assert_false (vector_peer_got (peer, "e5-large"));
  }
  g_assert_cmpstr (found[0]->embedding_model, ==, "bge-m3");
  g_assert_null (found[0]->warning);
  g_assert_null (found[1]->embedding_model);
  g_assert_nonnull (strstr (found[1]->warning, "CUDA error"));
  g_assert_null (found[2]->embedding_model);
  g_assert_nonnull (strstr (found[2]->warning, "asked again in"));
  g_assert_cmpuint (vector_peer_get_n_requests (peer), ==, 0);
  for (guint i = 0; i < 3; i++)
    plumb_candidates_unref (found[i]);
}

/* Another model answers under the same name: nothing is mixed, and "again" is the way out. */
static void
test_other_dimension (void)
{
  g_autoptr (VectorPeer) peer = vector_peer_new (N_DIMENSIONS);
  g_autoptr (PlumbSession) session = session_open (NULL);
  g_autoptr (PlumbEmbeddingProgress) first = NULL;
  g_autoptr (PlumbEmbeddingProgress) again = NULL;
  g_autoptr (GError) error = NULL;

  session_add_shop (session);
  analyze (session, FALSE);
  use_endpoint (session, peer, "bge-m3");
  first = embed (session);
  vector_peer_set_model (peer, "bge-m3", 32);
  session_change_shop ("ALTER TABLE orders ADD COLUMN delivered_at TEXT");
  analyze (session, TRUE);
  g_assert_null (plumb_session_embed (session, FALSE, NULL, NULL, NULL, &error));
  g_assert_nonnull (strstr (error->message, "32"));
  g_assert_nonnull (strstr (error->message, "64"));
  g_clear_error (&error);
  again = plumb_session_embed (session, TRUE, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  assert_complete (again, "bge-m3");
  g_assert_cmpuint (again->n_dimensions, ==, 32);
}

/* One table whose text the endpoint can't embed is told, the others serve. */
static void
test_bad_text (void)
{
  g_autoptr (VectorPeer) peer = vector_peer_new (N_DIMENSIONS);
  g_autoptr (PlumbSession) session = session_open (NULL);
  g_autoptr (PlumbEmbeddingProgress) progress = NULL;
  g_autoptr (PlumbEmbeddingProgress) later = NULL;

  session_add_shop (session);
  session_change_shop ("CREATE TABLE poison (id INTEGER)");
  analyze (session, FALSE);
  use_endpoint (session, peer, "bge-m3");
  vector_peer_set_poison (peer, TRUE);
  vector_peer_set_fault (peer, VECTOR_PEER_NAN, G_MAXUINT);
  progress = embed (session);
  g_assert_cmpuint (progress->failed, ==, 2);
  g_assert_cmpuint (progress->embedded, ==, progress->chunks - 2);
  g_assert_nonnull (strstr (g_ptr_array_index (progress->failures, 0), "poison"));
  g_assert_nonnull (strstr (g_ptr_array_index (progress->failures, 0), "NaN"));
  g_assert_cmpstr (progress->serving_model, ==, "bge-m3");
  vector_peer_set_fault (peer, VECTOR_PEER_FINE, 0);
  vector_peer_reset (peer);
  later = embed (session);
  assert_complete (later, "bge-m3");
  g_assert_cmpuint (vector_peer_get_n_texts (peer), ==, 2);
}

static void
write_policy (const char *text)
{
  g_autofree char *folder = g_build_filename (g_get_user_config_dir (), "plumbline", NULL);
  g_autofree char *path = g_build_filename (folder, "policy.ini", NULL);
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_file_set_contents (path, text, -1, &error);
  g_assert_no_error (error);
}

/* What the role hides is sent neither to be embedded nor to be ranked. */
static void
test_role (void)
{
  g_autoptr (VectorPeer) peer = vector_peer_new (N_DIMENSIONS);
  g_autofree char *address = vector_peer_get_address (peer, "/v1");
  g_autoptr (PlumbSession) session = NULL;
  g_autoptr (PlumbEmbeddingProgress) progress = NULL;
  g_autoptr (PlumbCandidates) found = NULL;
  g_autoptr (GError) error = NULL;

  write_policy ("[role clerk]\nallow=shop.*\ndeny=shop.main.salary;shop.main.customer.email\n");
  session = session_open ("clerk");
  session_add_shop (session);
  analyze (session, FALSE);
  use_endpoint (session, peer, "bge-m3");
  progress = embed (session);
  g_assert_cmpuint (progress->hidden, >, 0);
  g_assert_cmpuint (progress->embedded, ==, progress->chunks - progress->hidden);
  g_assert_cmpstr (progress->serving_model, ==, "bge-m3");
  g_assert_true (vector_peer_got (peer, "orders"));
  g_assert_false (vector_peer_got (peer, "salary"));
  g_assert_false (vector_peer_got (peer, "email"));
  plumb_session_set_endpoint (session, PLUMB_ENDPOINT_RERANK, address, NULL, NULL, &error);
  g_assert_no_error (error);
  plumb_session_set_reranking (session, PLUMB_RERANK_EVERY_TIME, PLUMB_RERANK_BY_ENDPOINT, &error);
  g_assert_no_error (error);
  vector_peer_reset (peer);
  found = plumb_session_search (session, "customer orders salary amount", NULL, 8, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (found->reranked);
  g_assert_cmpuint (found->no_permission->len, ==, 1);
  g_assert_true (vector_peer_got (peer, "shop.main.customer"));
  g_assert_false (vector_peer_got (peer, "shop.main.salary"));
  g_assert_false (vector_peer_got (peer, "email"));
}

/* A rerank endpoint that fails leaves the candidates as they were, and says so. */
static void
test_rerank_fails (void)
{
  g_autoptr (VectorPeer) peer = vector_peer_new (N_DIMENSIONS);
  g_autofree char *address = vector_peer_get_address (peer, "");
  g_autoptr (PlumbSession) session = session_open (NULL);
  g_autoptr (PlumbCandidates) before = NULL;
  g_autoptr (PlumbCandidates) after = NULL;
  g_autoptr (GError) error = NULL;

  session_add_shop (session);
  analyze (session, FALSE);
  before = plumb_session_search (session, "orders of customers", NULL, 8, NULL, &error);
  g_assert_no_error (error);
  plumb_session_set_endpoint (session, PLUMB_ENDPOINT_RERANK, address, NULL, "secret-key", &error);
  plumb_session_set_reranking (session, PLUMB_RERANK_EVERY_TIME, PLUMB_RERANK_BY_ENDPOINT, &error);
  vector_peer_set_fault (peer, VECTOR_PEER_SERVER_ERROR, 1);
  after = plumb_session_search (session, "orders of customers", NULL, 8, NULL, &error);
  g_assert_no_error (error);
  g_assert_false (after->reranked);
  g_assert_nonnull (strstr (after->warning, "CUDA error"));
  g_assert_cmpuint (after->candidates->len, ==, before->candidates->len);
  for (guint i = 0; i < before->candidates->len; i++) {
    const PlumbCandidate *one = g_ptr_array_index (before->candidates, i);
    const PlumbCandidate *other = g_ptr_array_index (after->candidates, i);

    g_assert_cmpstr (one->card->name, ==, other->card->name);
  }
}

static void
test_settings (void)
{
  g_autoptr (VectorPeer) peer = vector_peer_new (N_DIMENSIONS);
  g_autofree char *address = vector_peer_get_address (peer, "/v1");
  g_autoptr (PlumbSession) session = session_open (NULL);
  g_autoptr (PlumbModelSettings)
      none = plumb_session_get_endpoint (session, PLUMB_ENDPOINT_EMBEDDING);
  g_autoptr (PlumbModelSettings) set = NULL;
  g_autofree char *answer = NULL;
  g_autofree char *rerank = NULL;
  g_autoptr (GError) error = NULL;
  PlumbRerankWhen when;
  PlumbRerankBy by;

  g_assert_true (none->is_planner);
  plumb_session_get_reranking (session, &when, &by);
  g_assert_cmpint (when, ==, PLUMB_RERANK_WHERE_NOTES_HIT);
  g_assert_cmpint (by, ==, PLUMB_RERANK_BY_WORDS);
  g_assert_false (plumb_session_set_endpoint (session, PLUMB_ENDPOINT_EMBEDDING, "localhost:1", "m",
                                              NULL, &error));
  g_assert_nonnull (strstr (error->message, "embedding endpoint's address must begin"));
  g_clear_error (&error);
  g_assert_false (
      plumb_session_set_endpoint (session, PLUMB_ENDPOINT_EMBEDDING, address, "", NULL, &error));
  g_assert_nonnull (strstr (error->message, "name is missing"));
  g_clear_error (&error);
  g_assert_null (plumb_session_embed (session, FALSE, NULL, NULL, NULL, &error));
  g_assert_error (error, PLUMB_ERROR, PLUMB_ERROR_NOT_FOUND);
  g_clear_error (&error);
  plumb_session_set_endpoint (session, PLUMB_ENDPOINT_EMBEDDING, address, "bge-m3", "secret",
                              &error);
  g_assert_no_error (error);
  set = plumb_session_get_endpoint (session, PLUMB_ENDPOINT_EMBEDDING);
  g_assert_true (set->has_key);
  g_assert_cmpstr (set->model, ==, "bge-m3");
  answer = plumb_session_test_endpoint (session, PLUMB_ENDPOINT_EMBEDDING, address, "bge-m3", NULL,
                                        NULL, &error);
  g_assert_nonnull (strstr (answer, "64 numbers"));
  rerank = plumb_session_test_endpoint (session, PLUMB_ENDPOINT_RERANK, address, "", NULL, NULL,
                                        &error);
  g_assert_no_error (error);
  g_assert_nonnull (strstr (rerank, "orders texts"));
  g_assert_true (plumb_session_is_embedding_model ("BAAI/bge-m3"));
  g_assert_true (plumb_session_is_embedding_model ("nomic-embed-text:latest"));
  g_assert_true (plumb_session_is_embedding_model ("intfloat/multilingual-e5-large"));
  g_assert_true (plumb_session_is_embedding_model ("all-MiniLM-L6-v2"));
  g_assert_false (plumb_session_is_embedding_model ("BAAI/bge-reranker-v2-m3"));
  g_assert_false (plumb_session_is_embedding_model ("qwen2.5-coder:7b"));
  g_assert_false (plumb_session_is_embedding_model ("codestral"));
}

static char *
find_check (const char *json, const char *name, gboolean *ok)
{
  g_autoptr (JsonNode) root = plumb_json_parse (json, -1, NULL);
  JsonArray *checks = plumb_json_get_array (json_node_get_object (root), "checks");

  for (guint i = 0; i < json_array_get_length (checks); i++) {
    JsonObject *check = json_array_get_object_element (checks, i);

    if (!g_str_equal (plumb_json_get_string (check, "name", ""), name))
      continue;
    *ok = plumb_json_get_boolean (check, "ok", FALSE);
    return g_strconcat (plumb_json_get_string (check, "detail", ""), " | ",
                        plumb_json_get_string (check, "advice", ""), NULL);
  }
  g_assert_not_reached ();
}

static void
assert_doctor (PlumbSession *session, const char *name, gboolean wanted, const char *words)
{
  g_autofree char *json = plumb_session_doctor (session, NULL);
  gboolean ok = FALSE;
  g_autofree char *said = find_check (json, name, &ok);

  if (strstr (said, words) == NULL)
    g_error ("“%s” is not in “%s”", words, said);
  g_assert_cmpint (ok, ==, wanted);
}

static void
test_doctor (void)
{
  g_autoptr (VectorPeer) peer = vector_peer_new (N_DIMENSIONS);
  g_autoptr (PlumbSession) session = session_open (NULL);
  g_autoptr (PlumbEmbeddingProgress) progress = NULL;
  g_autofree char *address = vector_peer_get_address (peer, "");

  session_add_shop (session);
  analyze (session, FALSE);
  assert_doctor (session, "embeddings", FALSE, "No embedding endpoint is set");
  assert_doctor (session, "reranker", TRUE,
                 "Where notes hit, candidates are ordered again by their words");
  use_endpoint (session, peer, "bge-m3");
  assert_doctor (session, "embeddings", FALSE, "0 of ");
  assert_doctor (session, "embeddings", FALSE, "plumbline-cli embed");
  progress = embed (session);
  assert_doctor (session, "embeddings", TRUE, "64 numbers");
  vector_peer_set_fault (peer, VECTOR_PEER_HTML, 1);
  plumb_candidates_unref (plumb_session_search (session, "orders", NULL, 8, NULL, NULL));
  assert_doctor (session, "embeddings", FALSE, "Searches go without embeddings for another");
  use_endpoint (session, peer, "bge-m3");
  assert_doctor (session, "embeddings", TRUE, "64 numbers");
  plumb_session_set_endpoint (session, PLUMB_ENDPOINT_RERANK, address, NULL, NULL, NULL);
  plumb_session_set_reranking (session, PLUMB_RERANK_EVERY_TIME, PLUMB_RERANK_BY_ENDPOINT, NULL);
  assert_doctor (session, "reranker", TRUE, "by the rerank endpoint each time");
  vector_peer_set_fault (peer, VECTOR_PEER_HTML, G_MAXUINT);
  assert_doctor (session, "embeddings", FALSE, "a web page");
  assert_doctor (session, "reranker", FALSE, "a web page");
}

static void
on_progress (const char *doing, int done, int total, gpointer user_data)
{
  if (done > 0)
    g_cancellable_cancel (user_data);
}

/* Makes a database of so many tables that embedding takes several steps. */
static void
add_many_tables (PlumbSession *session)
{
  g_autoptr (GString) sql = g_string_new (NULL);

  session_add_shop (session);
  for (guint i = 0; i < MANY_TABLES; i++)
    g_string_append_printf (sql, "CREATE TABLE plant_%u (id INTEGER, output NUMERIC);", i);
  session_change_shop (sql->str);
  analyze (session, FALSE);
}

/* Cancelled in the middle, or killed: what is stored isn't sent again. */
static void
test_cancel_and_kill (void)
{
  g_autoptr (VectorPeer) peer = vector_peer_new (N_DIMENSIONS);
  g_autoptr (VectorPeer) second_peer = vector_peer_new (N_DIMENSIONS);
  g_autoptr (PlumbSession) session = session_open (NULL);
  g_autofree char *program = g_test_build_filename (G_TEST_BUILT, "session", "embed-once", NULL);
  char *argv[] = { program, (char *) plumb_session_get_index_path (session), NULL };
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (PlumbEmbeddingProgress) cancelled = NULL;
  g_autoptr (PlumbEmbeddingProgress) killed = NULL;
  g_autoptr (PlumbEmbeddingProgress) last = NULL;
  g_autoptr (GError) error = NULL;
  guint sent, status = 0;
  GPid pid;

  add_many_tables (session);
  use_endpoint (session, peer, "bge-m3");
  g_assert_null (
      plumb_session_embed (session, FALSE, on_progress, cancellable, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&error);
  cancelled = plumb_session_get_embedding_progress (session, &error);
  g_assert_cmpuint (cancelled->embedded, >, 0);
  g_assert_cmpuint (cancelled->embedded, <, cancelled->chunks / 2);
  g_assert_null (cancelled->serving_model);
  vector_peer_reset (peer);
  vector_peer_set_delay (peer, 20);
  g_spawn_async (NULL, argv, NULL, G_SPAWN_DO_NOT_REAP_CHILD, NULL, NULL, &pid, &error);
  g_assert_no_error (error);
  while (vector_peer_get_n_texts (peer) < 600)
    g_usleep (1000);
  kill (pid, SIGKILL);
  g_assert_cmpint (waitpid (pid, (int *) &status, 0), ==, pid);
  g_assert_true (WIFSIGNALED (status));
  killed = plumb_session_get_embedding_progress (session, &error);
  g_assert_cmpuint (killed->embedded, >, cancelled->embedded);
  g_assert_cmpuint (killed->embedded, <, killed->chunks);
  /* What the killed process had under way may still reach its peer, so another one counts. */
  use_endpoint (session, second_peer, "bge-m3");
  last = embed (session);
  sent = vector_peer_get_n_texts (second_peer);
  assert_complete (last, "bge-m3");
  g_assert_cmpuint (sent, ==, last->chunks - killed->embedded);
}

int
main (int argc, char **argv)
{
  session_test_init (&argc, &argv);
  session_test_add ("/session/embedding/only-changes", test_only_changes);
  session_test_add ("/session/embedding/other-model", test_other_model);
  session_test_add ("/session/embedding/search", test_search);
  session_test_add ("/session/embedding/other-dimension", test_other_dimension);
  session_test_add ("/session/embedding/bad-text", test_bad_text);
  session_test_add ("/session/embedding/role", test_role);
  session_test_add ("/session/embedding/rerank-fails", test_rerank_fails);
  session_test_add ("/session/embedding/settings", test_settings);
  session_test_add ("/session/embedding/doctor", test_doctor);
  session_test_add ("/session/embedding/cancel-and-kill", test_cancel_and_kill);
  return session_test_run ();
}
