/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-rerank.h"

#include "plumb-endpoint.h"

#include <math.h>
#include <string.h>

#define RERANK_LIMITS                                                                              \
  ((PlumbModelLimits){ 2000, 10 * 1000, 10 * 1000, 10 * 1000, 0, 0, 0, 4 * 1024 * 1024 })

#define PLUMB_TYPE_RERANK_ENDPOINT (plumb_rerank_endpoint_get_type ())
G_DECLARE_FINAL_TYPE (PlumbRerankEndpoint, plumb_rerank_endpoint, PLUMB, RERANK_ENDPOINT, GObject)

struct _PlumbRerankEndpoint {
  GObject parent_instance;

  PlumbEndpoint *endpoint;
  int wants_texts; /* atomic: TEI's name for what others call documents */
};

static void reranker_iface_init (PlumbRerankerInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (PlumbRerankEndpoint, plumb_rerank_endpoint, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (PLUMB_TYPE_RERANKER, reranker_iface_init))

static gboolean
fail (GError **error, const char *what)
{
  g_set_error (
      error, PLUMB_MODEL_ERROR, PLUMB_MODEL_ERROR_PROTOCOL,
      "The rerank endpoint sends %s. Check that its address and model are for reranking in "
      "the model settings.",
      what);
  return FALSE;
}

static gboolean
read_score (JsonNode *node, guint n_texts, guint8 *taken, float *scores, GError **error)
{
  JsonObject *item = JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
  gint64 index = plumb_json_get_int (item, "index", -1);
  double score = plumb_json_get_double (item, "relevance_score",
                                        plumb_json_get_double (item, "score", NAN));

  if (index < 0 || index >= n_texts)
    return fail (error, "a score for a text that it wasn't given");
  if (taken[index])
    return fail (error, "two scores for one text");
  if (!isfinite (score) || !isfinite ((float) score))
    return fail (error, "something else than a number as a score");
  taken[index] = TRUE;
  scores[index] = score;
  return TRUE;
}

/**
 * plumb_rerank_reply_read:
 * @root: what the endpoint answered: `{"results":[{"index","relevance_score"}]}`, `data` in place
 * of `results`, or a bare array of `{"index","score"}`
 * @n_texts: how many texts were sent
 * @error: return location for PLUMB_MODEL_ERROR_PROTOCOL
 *
 * Returns: (transfer full): a score for each text to be freed with g_free(), or %NULL with an error
 */
float *
plumb_rerank_reply_read (JsonNode *root, guint n_texts, GError **error)
{
  JsonObject *object = JSON_NODE_HOLDS_OBJECT (root) ? json_node_get_object (root) : NULL;
  JsonArray *array = JSON_NODE_HOLDS_ARRAY (root) ? json_node_get_array (root)
                                                  : plumb_json_get_array (object, "results");
  g_autofree guint8 *taken = g_new0 (guint8, n_texts);
  g_autofree float *scores = g_new0 (float, n_texts);

  if (array == NULL)
    array = plumb_json_get_array (object, "data");
  if (array == NULL) {
    fail (error, "no list of scores");
    return NULL;
  }
  if (json_array_get_length (array) != n_texts) {
    fail (error, "another number of scores than it was given texts");
    return NULL;
  }
  for (guint i = 0; i < n_texts; i++) {
    if (!read_score (json_array_get_element (array, i), n_texts, taken, scores, error))
      return NULL;
  }
  return g_steal_pointer (&scores);
}

static char *
make_body (PlumbRerankEndpoint *self, const char *question, const char *const *texts, guint n_texts,
           gboolean wants_texts)
{
  g_autoptr (PlumbJsonWriter) writer = plumb_json_writer_new ();

  plumb_json_writer_begin_object (writer);
  if (*self->endpoint->model != '\0') {
    plumb_json_writer_name (writer, "model");
    plumb_json_writer_string (writer, self->endpoint->model);
  }
  plumb_json_writer_name (writer, "query");
  plumb_json_writer_string (writer, question);
  plumb_json_writer_name (writer, wants_texts ? "texts" : "documents");
  plumb_json_writer_begin_array (writer);
  for (guint i = 0; i < n_texts; i++)
    plumb_json_writer_string (writer, texts[i]);
  plumb_json_writer_end_array (writer);
  if (wants_texts) {
    plumb_json_writer_name (writer, "truncate");
    plumb_json_writer_boolean (writer, TRUE);
  } else {
    plumb_json_writer_name (writer, "top_n");
    plumb_json_writer_int (writer, n_texts);
  }
  plumb_json_writer_end_object (writer);
  return plumb_json_writer_finish (writer);
}

/* TEI has its call at /rerank alone, also where the address that was typed ends in a version. */
static GPtrArray *
get_addresses (PlumbRerankEndpoint *self)
{
  GPtrArray *addresses = plumb_endpoint_get_addresses (self->endpoint->base_address, "/rerank");
  const char *first = addresses->len == 1 ? g_ptr_array_index (addresses, 0) : NULL;

  if (first != NULL && g_str_has_suffix (first, "/v1/rerank")) {
    g_autofree char *root = g_strndup (first, strlen (first) - strlen ("/v1/rerank"));

    g_ptr_array_add (addresses, g_strconcat (root, "/rerank", NULL));
  }
  return addresses;
}

static float *
rerank (PlumbReranker *reranker, const char *question, const char *const *texts, guint n_texts,
        GCancellable *cancellable, GError **error)
{
  PlumbRerankEndpoint *self = PLUMB_RERANK_ENDPOINT (reranker);
  gboolean wants_texts = g_atomic_int_get (&self->wants_texts);
  g_autofree char *body = make_body (self, question, texts, n_texts, wants_texts);
  g_autoptr (GPtrArray) addresses = get_addresses (self);
  g_autofree char *refusal = NULL;
  g_autoptr (GError) fault = NULL;
  g_autoptr (JsonNode)
      reply = plumb_endpoint_post (self->endpoint, addresses, body, &refusal, cancellable, &fault);

  if (reply != NULL)
    return plumb_rerank_reply_read (reply, n_texts, error);
  if (!wants_texts && refusal != NULL && strstr (refusal, "texts") != NULL) {
    g_atomic_int_set (&self->wants_texts, TRUE);
    return rerank (reranker, question, texts, n_texts, cancellable, error);
  }
  g_propagate_error (error, g_steal_pointer (&fault));
  return NULL;
}

static void
reranker_iface_init (PlumbRerankerInterface *iface)
{
  iface->rerank = rerank;
}

static void
plumb_rerank_endpoint_finalize (GObject *object)
{
  g_clear_pointer (&PLUMB_RERANK_ENDPOINT (object)->endpoint, plumb_endpoint_free);
  G_OBJECT_CLASS (plumb_rerank_endpoint_parent_class)->finalize (object);
}

static void
plumb_rerank_endpoint_class_init (PlumbRerankEndpointClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = plumb_rerank_endpoint_finalize;
}

static void
plumb_rerank_endpoint_init (PlumbRerankEndpoint *self)
{
}

/**
 * plumb_rerank_endpoint_new:
 * @base_address: the endpoint's address, with or without /v1 or /rerank
 * @model: (nullable): the model's name there; servers of a single model need none
 * @key: (nullable): the key, sent as a bearer token
 *
 * Returns: (transfer full): what asks the endpoint; nothing is sent yet
 */
PlumbReranker *
plumb_rerank_endpoint_new (const char *base_address, const char *model, const char *key)
{
  PlumbRerankEndpoint *self = g_object_new (PLUMB_TYPE_RERANK_ENDPOINT, NULL);
  PlumbModelLimits limits = RERANK_LIMITS;

  self->endpoint = plumb_endpoint_new (base_address, model, key, &limits);
  return PLUMB_RERANKER (self);
}

/** plumb_rerank_endpoint_set_limits: sets the time limits; before the first call only */
void
plumb_rerank_endpoint_set_limits (PlumbReranker *reranker, const PlumbModelLimits *limits)
{
  g_return_if_fail (PLUMB_IS_RERANK_ENDPOINT (reranker));
  PLUMB_RERANK_ENDPOINT (reranker)->endpoint->limits = *limits;
}
