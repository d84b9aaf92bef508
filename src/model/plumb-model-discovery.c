/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-endpoint.h"

#include <string.h>

/* A server on this computer that takes longer is no help before the first question. */
#define TOTAL_MS 1400

static const PlumbUsualPort usual_ports[] = {
  { "Ollama", 11434 }, { "llama.cpp", 8080 }, { "LM Studio", 1234 },
  { "vLLM", 8000 },    { "LiteLLM", 4000 },
};

typedef struct {
  PlumbUsualPort port;
  GCancellable *cancellable;
} Probe;

/** plumb_found_server_free: frees @self */
void
plumb_found_server_free (PlumbFoundServer *self)
{
  if (self == NULL)
    return;
  g_free (self->title);
  g_free (self->base_address);
  g_strfreev (self->models);
  g_free (self);
}

/* Other programs use these ports too: only a list of models, or the refusal of a model server that
 * wants a key, counts. */
static gpointer
run_probe (gpointer data)
{
  Probe *probe = data;
  PlumbModelLimits limits = PLUMB_MODEL_LIMITS_DEFAULT;
  g_autofree char *address = g_strdup_printf ("http://127.0.0.1:%u/v1", probe->port.port);
  g_autoptr (GError) error = NULL;
  PlumbFoundServer *found;
  GStrv models;

  limits.total_ms = TOTAL_MS;
  limits.max_reply_bytes = 1024 * 1024;
  models = plumb_model_list_fetch (address, NULL, &limits, probe->cancellable, &error);
  if (models == NULL && !(g_error_matches (error, PLUMB_MODEL_ERROR, PLUMB_MODEL_ERROR_KEY) &&
                          strstr (error->message, "The server says:") != NULL))
    return NULL;
  found = g_new0 (PlumbFoundServer, 1);
  found->title = g_strdup (probe->port.title);
  found->base_address = g_steal_pointer (&address);
  found->models = models != NULL ? models : g_new0 (char *, 1);
  return found;
}

/** plumb_model_discover_at: like plumb_model_discover(), for other ports */
GPtrArray *
plumb_model_discover_at (const PlumbUsualPort *ports, guint n_ports, GCancellable *cancellable)
{
  GPtrArray *found = g_ptr_array_new_with_free_func ((GDestroyNotify) plumb_found_server_free);
  g_autofree Probe *probes = g_new0 (Probe, n_ports);
  g_autofree GThread **threads = g_new0 (GThread *, n_ports);

  for (guint i = 0; i < n_ports; i++) {
    probes[i] = (Probe) { ports[i], cancellable };
    threads[i] = g_thread_new ("model-probe", run_probe, &probes[i]);
  }
  for (guint i = 0; i < n_ports; i++) {
    PlumbFoundServer *server = g_thread_join (threads[i]);

    if (server != NULL)
      g_ptr_array_add (found, server);
  }
  return found;
}

/**
 * plumb_model_discover:
 * @cancellable: (nullable): ends the looking
 *
 * Looks for model servers at their usual ports on this computer, all at once, for at most a second
 * and a half.
 *
 * Returns: (transfer full) (element-type PlumbFoundServer): those that answered as one
 */
GPtrArray *
plumb_model_discover (GCancellable *cancellable)
{
  return plumb_model_discover_at (usual_ports, G_N_ELEMENTS (usual_ports), cancellable);
}

/* Parts of names that models for embeddings go by, and that no chat model has. */
static const char *const embedding_parts[] = {
  "embed", "bge", "minilm", "nomic", "gte", "e5", "mxbai", "arctic", "jina", "labse", "ada-002",
};

/* Whether @part stands in @name as a word of its own or as the beginning of one. */
static gboolean
holds_part (const char *name, const char *part)
{
  for (const char *p = strstr (name, part); p != NULL; p = strstr (p + 1, part)) {
    if (p == name || !g_ascii_isalnum (p[-1]))
      return TRUE;
  }
  return FALSE;
}

/** plumb_model_name_is_rerank: Returns: whether a model's name says that it reranks */
gboolean
plumb_model_name_is_rerank (const char *name)
{
  g_autofree char *lower = g_ascii_strdown (name, -1);

  return strstr (lower, "rerank") != NULL;
}

/** plumb_model_name_is_embedding: Returns: whether a model's name says that it makes embeddings */
gboolean
plumb_model_name_is_embedding (const char *name)
{
  g_autofree char *lower = g_ascii_strdown (name, -1);

  if (plumb_model_name_is_rerank (name))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (embedding_parts); i++) {
    if (holds_part (lower, embedding_parts[i]))
      return TRUE;
  }
  return strstr (lower, "minilm") != NULL;
}
