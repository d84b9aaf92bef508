/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "peer.h"
#include "plumb-rerank.h"
#include "vector-peer.h"

#include <string.h>

static const char question[] = "staff who left the company";
static const char *const texts[] = { "orders placed by customers", "staff of the company",
                                     "staff who left the company, by month" };

static PlumbReranker *
make_reranker (VectorPeer *peer, const char *path)
{
  g_autofree char *address = vector_peer_get_address (peer, path);
  PlumbReranker *reranker = plumb_rerank_endpoint_new (address, "bge-reranker-v2-m3", "secret-key");
  PlumbModelLimits quick = { 2000, 300, 300, 1000, 0, 0, 0, 1024 * 1024 };

  plumb_rerank_endpoint_set_limits (reranker, &quick);
  return reranker;
}

static void
assert_ranked (PlumbReranker *reranker)
{
  g_autoptr (GError) error = NULL;
  g_autofree float *scores = plumb_reranker_rerank (reranker, question, texts, 3, NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpfloat (scores[2], >, scores[1]);
  g_assert_cmpfloat (scores[1], >, scores[0]);
}

static void
test_endpoint (void)
{
  g_autoptr (VectorPeer) peer = vector_peer_new (8);
  g_autoptr (PlumbReranker) reranker = make_reranker (peer, "/v1");

  assert_ranked (reranker);
  g_assert_cmpuint (vector_peer_get_n_requests (peer), ==, 1);
  g_assert_true (vector_peer_got (peer, "\"model\":\"bge-reranker-v2-m3\""));
}

/* TEI has another path, another name for the texts and a bare array; that is found out once. */
static void
test_tei (void)
{
  g_autoptr (VectorPeer) peer = vector_peer_new (8);
  g_autoptr (PlumbReranker) reranker = make_reranker (peer, "/v1");
  guint n;

  vector_peer_set_tei (peer, TRUE);
  assert_ranked (reranker);
  n = vector_peer_get_n_requests (peer);
  assert_ranked (reranker);
  g_assert_cmpuint (vector_peer_get_n_requests (peer), ==, n + 1);
}

typedef struct {
  const char *name;
  VectorPeerFault fault;
  PlumbModelError code;
  const char *words;
} Wrong;

static const Wrong wrongs[] = {
  { "count", VECTOR_PEER_ONE_LESS, PLUMB_MODEL_ERROR_PROTOCOL, "another number of scores" },
  { "twice", VECTOR_PEER_TWICE, PLUMB_MODEL_ERROR_PROTOCOL, "two scores for one text" },
  { "null", VECTOR_PEER_NULL, PLUMB_MODEL_ERROR_PROTOCOL, "something else than a number" },
  { "silent", VECTOR_PEER_SILENT, PLUMB_MODEL_ERROR_STALLED, "sent nothing for" },
  { "html", VECTOR_PEER_HTML, PLUMB_MODEL_ERROR_PROTOCOL, "a web page" },
  { "not-found", VECTOR_PEER_NOT_FOUND, PLUMB_MODEL_ERROR_NOT_FOUND, "HTTP 404" },
  { "key", VECTOR_PEER_NO_KEY, PLUMB_MODEL_ERROR_KEY, "Enter a valid key" },
  { "busy", VECTOR_PEER_BUSY, PLUMB_MODEL_ERROR_BUSY, "is busy" },
};

static void
test_wrong (gconstpointer data)
{
  const Wrong *wrong = data;
  g_autoptr (VectorPeer) peer = vector_peer_new (8);
  g_autoptr (PlumbReranker) reranker = make_reranker (peer, "");
  g_autoptr (GError) error = NULL;

  vector_peer_set_fault (peer, wrong->fault, G_MAXUINT);
  g_assert_null (plumb_reranker_rerank (reranker, question, texts, 3, NULL, &error));
  g_assert_error (error, PLUMB_MODEL_ERROR, (int) wrong->code);
  g_assert_nonnull (strstr (error->message, wrong->words));
}

static void
test_lexical (void)
{
  g_autoptr (PlumbReranker) reranker = plumb_rerank_lexical_new ();
  g_autofree char *endless = g_strnfill (100000, 'a');
  g_autofree float *none = NULL;
  g_autofree float *korean = NULL;
  const char *const two[] = { "주문 내역", "직원 퇴사 기록" };

  assert_ranked (reranker);
  /* Where no word speaks, the order of before stands. */
  none = plumb_reranker_rerank (reranker, endless, texts, 3, NULL, NULL);
  g_assert_cmpfloat (none[0], >, none[1]);
  g_assert_cmpfloat (none[1], >, none[2]);
  korean = plumb_reranker_rerank (reranker, "퇴사한 직원은", two, 2, NULL, NULL);
  g_assert_cmpfloat (korean[1], >, korean[0]);
}

static void
test_model (void)
{
  g_autoptr (Peer) peer = peer_new ();
  g_autofree char *address = peer_get_address (peer, "/v1");
  g_autoptr (PlumbModel) model = plumb_openai_model_new (address, "chatty", NULL);
  g_autoptr (PlumbReranker) reranker = plumb_rerank_model_new (model);

  peer_add_status (peer, 200, NULL,
                   "{\"choices\":[{\"message\":{\"role\":\"assistant\",\"content\":\"[2, 1, 0]\"},"
                   "\"finish_reason\":\"stop\"}]}");
  assert_ranked (reranker);
  g_assert_nonnull (strstr (peer_get_request (peer, 0), "never an instruction"));
}

/* What stands around an order doesn't matter; one of other candidates than there are is none. */
static void
test_orders (void)
{
  static const char *const refused[] = {
    "",
    "[]",
    "[0,1,1]",
    "[1,1]",
    "[0,1,3]",
    "[0,1,-1]",
    "[0,1,2,3]",
    "[0,1,\"2\"]",
    "[0,1,2.0]",
    "[[0,1],2.5]",
    "I would take 1, then 2.",
    "[0,1,2] would do, but then [0,1,7]",
    "<think>The best is [1,2,0], or is it",
    "<think>[1,2,0]</think> I can't say.",
    "]]]][[[[",
  };
  static const char *const accepted[] = {
    " [1,2,0]\n",
    "Here: [1,2,0]",
    "```json\n[1,2,0]\n```",
    "{\"order\":[1,2,0]}",
    "<think>[0,1,2] or [2,1,0]? The second [sic] table…</think>\n[1,2,0]",
    "The order, such as [2,0,1] in your example, is [1, 2, 0]. [Note: 0 is a copy.]",
    "[1,2]",
  };
  g_autofree float *short_of_two = plumb_rerank_order_read ("[3]", 4, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (accepted); i++) {
    g_autofree float *scores = plumb_rerank_order_read (accepted[i], 3, NULL);

    g_assert_nonnull (scores);
    g_assert_cmpfloat (scores[1], >, scores[2]);
    g_assert_cmpfloat (scores[2], >, scores[0]);
  }
  g_assert_cmpfloat (short_of_two[3], >, short_of_two[0]);
  g_assert_cmpfloat (short_of_two[0], >, short_of_two[1]);
  g_assert_cmpfloat (short_of_two[1], >, short_of_two[2]);
  for (guint i = 0; i < G_N_ELEMENTS (refused); i++) {
    g_autoptr (GError) error = NULL;

    g_assert_null (plumb_rerank_order_read (refused[i], 3, &error));
    g_assert_error (error, PLUMB_MODEL_ERROR, PLUMB_MODEL_ERROR_PROTOCOL);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/rerank/endpoint", test_endpoint);
  g_test_add_func ("/rerank/tei", test_tei);
  for (guint i = 0; i < G_N_ELEMENTS (wrongs); i++) {
    g_autofree char *name = g_strdup_printf ("/rerank/wrong/%s", wrongs[i].name);

    g_test_add_data_func (name, &wrongs[i], test_wrong);
  }
  g_test_add_func ("/rerank/lexical", test_lexical);
  g_test_add_func ("/rerank/model", test_model);
  g_test_add_func ("/rerank/orders", test_orders);
  return g_test_run ();
}
