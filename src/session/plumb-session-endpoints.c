/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-session-private.h"

#include "plumb-openai-embedder.h"
#include "plumb-rerank.h"

#include <string.h>

/* How long a search waits for each way to order candidates again. */
#define WORDS_MS 1000
#define ENDPOINT_MS 3000
#define MODEL_MS 15000

/* How long "Test" waits: the server may have to load the model first. */
#define TEST_MS 30000

/* Where the settings of an endpoint stand. */
typedef struct {
  const char *what;
  PlumbSecretKind secret;
  const char *url_variable;
  const char *name_variable;
  const char *address_key;
  const char *name_key;
} Endpoint;

static const Endpoint endpoints[] = {
  [PLUMB_ENDPOINT_EMBEDDING] = { "embedding endpoint", PLUMB_SECRET_EMBEDDING,
                                 "PLUMBLINE_EMBEDDING_URL", "PLUMBLINE_EMBEDDING_NAME",
                                 PLUMB_SETTING_EMBEDDING_ADDRESS, PLUMB_SETTING_EMBEDDING_NAME },
  [PLUMB_ENDPOINT_RERANK] = { "rerank endpoint", PLUMB_SECRET_RERANK, "PLUMBLINE_RERANK_URL",
                              "PLUMBLINE_RERANK_NAME", PLUMB_SETTING_RERANK_ADDRESS,
                              PLUMB_SETTING_RERANK_NAME },
};

static const char *const when_names[] = { "off", "notes", "always" };
static const char *const by_names[] = { "words", "model", "endpoint" };

static PlumbModelSettings *
read_settings (PlumbSession *self, PlumbEndpointKind kind)
{
  const Endpoint *endpoint = &endpoints[kind];
  PlumbModelSettings *settings = g_new0 (PlumbModelSettings, 1);

  settings->base_address = plumb_session_choose_setting (
      self, endpoint->url_variable, endpoint->address_key, &settings->from_environment);
  settings->model = plumb_session_choose_setting (self, endpoint->name_variable, endpoint->name_key,
                                                  &settings->from_environment);
  settings->is_planner = *settings->base_address == '\0';
  return settings;
}

/** plumb_session_get_endpoint_key: Returns: (transfer full) (nullable): the key of an endpoint */
char *
plumb_session_get_endpoint_key (PlumbSession *self, PlumbEndpointKind kind,
                                const char *base_address)
{
  return plumb_secrets_lookup (self->secrets, endpoints[kind].secret, base_address);
}

/** plumb_session_get_endpoint: Returns: (transfer full): which endpoint embeds or reranks;
 *  `is_planner` where none is set */
PlumbModelSettings *
plumb_session_get_endpoint (PlumbSession *self, PlumbEndpointKind kind)
{
  PlumbModelSettings *settings = read_settings (self, kind);
  g_autofree char *key = NULL;

  if (!settings->is_planner)
    key = plumb_session_get_endpoint_key (self, kind, settings->base_address);
  settings->has_key = key != NULL && *key != '\0';
  return settings;
}

static void
keep_key (PlumbSession *self, PlumbEndpointKind kind, const char *base_address, const char *key)
{
  g_autofree char *warning = NULL;

  if (key == NULL || *base_address == '\0')
    return;
  if (*key == '\0')
    plumb_secrets_clear (self->secrets, endpoints[kind].secret, base_address);
  else
    plumb_secrets_store (self->secrets, endpoints[kind].secret, base_address, key, NULL, &warning);
}

/* Questions must be embedded by the model whose vectors serve, so that model's endpoint is kept too. */
static gboolean
keep_endpoint_before (PlumbSession *self, const char *model, GError **error)
{
  g_autoptr (PlumbModelSettings) before = read_settings (self, PLUMB_ENDPOINT_EMBEDDING);
  g_autoptr (PlumbEmbeddingProgress) progress = NULL;

  if (before->is_planner || g_strcmp0 (before->model, model) == 0)
    return TRUE;
  progress = plumb_session_get_embedding_progress (self, error);
  if (progress == NULL)
    return FALSE;
  if (g_strcmp0 (progress->serving_model, before->model) != 0)
    return TRUE;
  return plumb_index_set_value (self->index, PLUMB_VALUE_EMBEDDING_BEFORE_ADDRESS,
                                before->base_address, error) &&
         plumb_index_set_value (self->index, PLUMB_VALUE_EMBEDDING_BEFORE_NAME, before->model,
                                error);
}

/**
 * plumb_session_set_endpoint:
 * @self: a session
 * @kind: which
 * @base_address: (nullable): its address, %NULL or "" for none
 * @model: (nullable): the model's name there
 * @key: (nullable): its key, %NULL to leave the one that is kept alone, "" to forget it
 * @error: return location
 *
 * Returns: whether the settings are kept
 */
gboolean
plumb_session_set_endpoint (PlumbSession *self, PlumbEndpointKind kind, const char *base_address,
                            const char *model, const char *key, GError **error)
{
  const Endpoint *endpoint = &endpoints[kind];

  if (base_address == NULL)
    base_address = "";
  if (!plumb_session_check_address (base_address, endpoint->what, error))
    return FALSE;
  if (kind == PLUMB_ENDPOINT_EMBEDDING && *base_address != '\0' &&
      (model == NULL || *model == '\0')) {
    g_set_error_literal (
        error, PLUMB_ERROR, PLUMB_ERROR_INVALID_ARGUMENT,
        "The embedding model's name is missing. Enter one that the server has, such "
        "as bge-m3.");
    return FALSE;
  }
  if (kind == PLUMB_ENDPOINT_EMBEDDING && !keep_endpoint_before (self, model, error))
    return FALSE;
  if (!plumb_session_set_setting (self, endpoint->address_key, base_address, error) ||
      !plumb_session_set_setting (self, endpoint->name_key, model != NULL ? model : "", error))
    return FALSE;
  keep_key (self, kind, base_address, key);
  plumb_session_set_up_search (self);
  return TRUE;
}

static char *
test_embedding (const char *base_address, const char *model, const char *key,
                GCancellable *cancellable, GError **error)
{
  const char *text = "How many orders were placed last month?";
  g_autoptr (PlumbOpenaiEmbedder)
      embedder = plumb_openai_embedder_new (base_address, model, key, PLUMB_EMBED_TEXTS);
  PlumbModelLimits limits = PLUMB_MODEL_LIMITS_DEFAULT;
  g_autofree float *vector = NULL;
  guint n_dimensions = 0;

  limits.first_byte_ms = limits.stall_ms = TEST_MS;
  plumb_openai_embedder_set_limits (embedder, &limits);
  vector = plumb_embedder_embed (PLUMB_EMBEDDER (embedder), &text, 1, &n_dimensions, cancellable,
                                 error);
  return vector != NULL
             ? g_strdup_printf ("The endpoint answers with vectors of %u numbers.", n_dimensions)
             : NULL;
}

/* A reranker that can't tell a table of orders from one of the weather is none. */
static char *
test_rerank (const char *base_address, const char *model, const char *key,
             GCancellable *cancellable, GError **error)
{
  static const char *const texts[] = { "weather: temperature and rain by day",
                                       "orders: one row for each order of a customer" };
  g_autoptr (PlumbReranker) reranker = plumb_rerank_endpoint_new (base_address, model, key);
  PlumbModelLimits limits = PLUMB_MODEL_LIMITS_DEFAULT;
  g_autofree float *scores = NULL;

  limits.first_byte_ms = limits.stall_ms = TEST_MS;
  plumb_rerank_endpoint_set_limits (reranker, &limits);
  scores = plumb_reranker_rerank (reranker, "How many orders were placed?", texts, 2, cancellable,
                                  error);
  if (scores == NULL)
    return NULL;
  if (scores[1] > scores[0])
    return g_strdup ("The endpoint answers and orders texts.");
  g_set_error_literal (error, PLUMB_ERROR, PLUMB_ERROR_FAILED,
                       "The endpoint answers, but puts a table about the weather before one about "
                       "orders for a question about orders. Choose a model that is made for "
                       "reranking, such as bge-reranker-v2-m3.");
  return NULL;
}

/**
 * plumb_session_test_endpoint:
 * @self: a session
 * @kind: which
 * @base_address: an address
 * @model: (nullable): the model's name there
 * @key: (nullable): its key, %NULL for the one that is kept
 * @cancellable: (nullable): cancels
 * @error: return location
 *
 * Asks an endpoint something small.
 *
 * Returns: (transfer full): a sentence that says what it answers, or %NULL with an error
 */
char *
plumb_session_test_endpoint (PlumbSession *self, PlumbEndpointKind kind, const char *base_address,
                             const char *model, const char *key, GCancellable *cancellable,
                             GError **error)
{
  g_autofree char *kept = key == NULL ? plumb_session_get_endpoint_key (self, kind, base_address)
                                      : NULL;

  if (key == NULL)
    key = kept;
  return kind == PLUMB_ENDPOINT_EMBEDDING
             ? test_embedding (base_address, model, key, cancellable, error)
             : test_rerank (base_address, model, key, cancellable, error);
}

static guint
find_name (const char *const *names, guint n_names, const char *name, guint fallback)
{
  for (guint i = 0; name != NULL && i < n_names; i++) {
    if (g_str_equal (names[i], name))
      return i;
  }
  return fallback;
}

/**
 * plumb_session_get_reranking:
 * @self: a session
 * @when: (out): when candidates are ordered again: where notes hit, unless something else is set
 * @by: (out): by what: by words, unless something else is set or the environment names an endpoint
 */
void
plumb_session_get_reranking (PlumbSession *self, PlumbRerankWhen *when, PlumbRerankBy *by)
{
  g_autofree char *when_name = plumb_session_get_setting (self, PLUMB_SETTING_RERANK_WHEN);
  g_autofree char *by_name = plumb_session_get_setting (self, PLUMB_SETTING_RERANK_BY);
  const char *variable = g_getenv ("PLUMBLINE_RERANK_URL");

  *when = find_name (when_names, G_N_ELEMENTS (when_names), when_name,
                     PLUMB_RERANK_WHERE_NOTES_HIT);
  *by = find_name (by_names, G_N_ELEMENTS (by_names), by_name, PLUMB_RERANK_BY_WORDS);
  if (variable != NULL && *variable != '\0')
    *by = PLUMB_RERANK_BY_ENDPOINT;
}

/** plumb_session_set_reranking: keeps when candidates are ordered again, and by what; Returns:
 * whether it is kept */
gboolean
plumb_session_set_reranking (PlumbSession *self, PlumbRerankWhen when, PlumbRerankBy by,
                             GError **error)
{
  if (!plumb_session_set_setting (self, PLUMB_SETTING_RERANK_WHEN, when_names[when], error) ||
      !plumb_session_set_setting (self, PLUMB_SETTING_RERANK_BY, by_names[by], error))
    return FALSE;
  plumb_session_set_up_search (self);
  return TRUE;
}

/* What orders candidates again; words where what is chosen isn't set. */
static PlumbReranker *
make_reranker (PlumbSession *self, PlumbRerankBy by, guint *timeout_ms)
{
  g_autoptr (PlumbModelSettings) endpoint = read_settings (self, PLUMB_ENDPOINT_RERANK);
  g_autoptr (PlumbModelSettings) model = plumb_session_get_model (self);

  if (by == PLUMB_RERANK_BY_ENDPOINT && !endpoint->is_planner) {
    g_autofree char *key = plumb_session_get_endpoint_key (self, PLUMB_ENDPOINT_RERANK,
                                                           endpoint->base_address);

    *timeout_ms = ENDPOINT_MS;
    return plumb_rerank_endpoint_new (endpoint->base_address, endpoint->model, key);
  }
  if (by == PLUMB_RERANK_BY_MODEL && !model->is_planner) {
    g_autoptr (PlumbModel) chat = plumb_session_make_model (self);

    *timeout_ms = MODEL_MS;
    return plumb_rerank_model_new (chat);
  }
  *timeout_ms = WORDS_MS;
  return plumb_rerank_lexical_new ();
}

static PlumbEmbedder *
make_embedder (PlumbSession *self, const char *base_address, const char *model)
{
  g_autofree char *key = NULL;

  if (base_address == NULL || *base_address == '\0' || model == NULL || *model == '\0')
    return NULL;
  key = plumb_session_get_endpoint_key (self, PLUMB_ENDPOINT_EMBEDDING, base_address);
  return PLUMB_EMBEDDER (
      plumb_openai_embedder_new (base_address, model, key, PLUMB_EMBED_QUESTION));
}

/* Who embeds questions: the endpoint that is set, and the one before while its vectors serve. */
static void
set_embedders (PlumbSession *self, PlumbSearch *search)
{
  g_autoptr (PlumbModelSettings) settings = read_settings (self, PLUMB_ENDPOINT_EMBEDDING);
  g_autofree char *before_address =
      plumb_index_get_value (self->index, PLUMB_VALUE_EMBEDDING_BEFORE_ADDRESS);
  g_autofree char *before_name =
      plumb_index_get_value (self->index, PLUMB_VALUE_EMBEDDING_BEFORE_NAME);
  g_autoptr (PlumbEmbedder) embedder =
      make_embedder (self, settings->base_address, settings->model);
  g_autoptr (PlumbEmbedder) before = NULL;

  if (embedder != NULL && g_strcmp0 (before_name, settings->model) != 0)
    before = make_embedder (self, before_address, before_name);
  plumb_search_set_embedder (search, embedder, before);
}

/** plumb_session_set_up_search: gives search what the settings say now */
void
plumb_session_set_up_search (PlumbSession *self)
{
  PlumbSearch *search = plumb_workspace_get_search (self->workspace);
  g_autoptr (PlumbReranker) reranker = NULL;
  PlumbRerankWhen when;
  PlumbRerankBy by;
  guint timeout_ms;

  plumb_session_get_reranking (self, &when, &by);
  set_embedders (self, search);
  reranker = make_reranker (self, by, &timeout_ms);
  plumb_search_set_reranker (search, reranker, (PlumbRerankMode) when, timeout_ms);
}

/** plumb_session_is_embedding_model: Returns: whether a model's name says that it makes embeddings
 */
gboolean
plumb_session_is_embedding_model (const char *name)
{
  return plumb_model_name_is_embedding (name);
}

/** plumb_session_is_rerank_model: Returns: whether a model's name says that it reranks */
gboolean
plumb_session_is_rerank_model (const char *name)
{
  return plumb_model_name_is_rerank (name);
}
