/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-session-private.h"

/* Where local servers have a model for embeddings, what to enter. */
static char *
suggest_server (GPtrArray *servers)
{
  for (guint i = 0; servers != NULL && i < servers->len; i++) {
    const PlumbFoundServer *server = g_ptr_array_index (servers, i);

    for (guint j = 0; server->models[j] != NULL; j++) {
      if (plumb_session_is_embedding_model (server->models[j]))
        return g_strdup_printf ("Found %s at %s with %s. It is used once you choose it in the "
                                "preferences, or by PLUMBLINE_EMBEDDING_URL and "
                                "PLUMBLINE_EMBEDDING_NAME.",
                                server->title, server->base_address, server->models[j]);
    }
  }
  return g_strdup ("Nothing has to be done: search works without them. An endpoint makes it find "
                   "tables whose words differ from the question's, in other languages too: start "
                   "one (for instance Ollama with bge-m3) and set it in the preferences, or by "
                   "PLUMBLINE_EMBEDDING_URL and PLUMBLINE_EMBEDDING_NAME.");
}

static void
write_progress (PlumbJsonWriter *writer, const PlumbModelSettings *settings, const char *answer,
                const PlumbEmbeddingProgress *progress)
{
  g_autofree char *address = plumb_session_show_model_address (settings->base_address);
  gboolean serves = g_strcmp0 (progress->serving_model, settings->model) == 0;
  gboolean whole = progress->embedded == progress->chunks;
  g_autofree char *other = !serves && progress->serving_model != NULL
                               ? g_strdup_printf (" Until then search uses those of %s.",
                                                  progress->serving_model)
                               : g_strdup ("");
  g_autofree char *detail = g_strdup_printf ("%s at %s: %s %u of %u chunks are embedded.%s",
                                             settings->model, address, answer, progress->embedded,
                                             progress->chunks, other);

  plumb_session_write_check (
      writer, "embeddings", whole && (serves || progress->chunks == 0), detail,
      "Run “plumbline-cli embed”; it goes on where it stopped, and says what "
      "can't be embedded.");
}

/* The endpoint answers now, and has failed in a search not long ago. */
static void
write_pause (PlumbJsonWriter *writer, const char *failure, guint seconds)
{
  g_autofree char *detail = g_strdup_printf ("Searches go without embeddings for another %u s: %s.", seconds,
                                             failure);

  plumb_session_write_check (writer, "embeddings", FALSE, detail,
                             "Nothing has to be done where the endpoint answers again: it is asked then. A model "
                             "that takes longer than 5 s for a question can't be used.");
}

/** plumb_session_check_embeddings: writes whether the embedding endpoint answers and how far it is;
 *  @servers are local servers that were found */
void
plumb_session_check_embeddings (PlumbSession *self, PlumbJsonWriter *writer, GPtrArray *servers,
                                GCancellable *cancellable)
{
  g_autoptr (PlumbModelSettings)
      settings = plumb_session_get_endpoint (self, PLUMB_ENDPOINT_EMBEDDING);
  g_autoptr (PlumbEmbeddingProgress) progress = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *answer = NULL;
  g_autofree char *failure = NULL;
  guint pause;

  if (settings->is_planner) {
    g_autofree char *advice = suggest_server (servers);

    plumb_session_write_check (writer, "embeddings", FALSE,
                               "No embedding endpoint is set: search goes by words, words of like "
                               "meaning, spellings and notes.",
                               advice);
    return;
  }
  answer = plumb_session_test_endpoint (self, PLUMB_ENDPOINT_EMBEDDING, settings->base_address,
                                        settings->model, NULL, cancellable, &error);
  if (answer != NULL)
    progress = plumb_session_get_embedding_progress (self, &error);
  pause = plumb_search_get_embedding_pause (plumb_workspace_get_search (self->workspace), &failure);
  if (pause > 0 && progress != NULL)
    write_pause (writer, failure, pause);
  else if (progress == NULL)
    plumb_session_write_check (writer, "embeddings", FALSE, error->message,
                               "Until it answers, search goes by words, words of like meaning, "
                               "spellings and notes.");
  else
    write_progress (writer, settings, answer, progress);
}

/** plumb_session_check_reranker: writes what orders candidates again, and whether it answers */
void
plumb_session_check_reranker (PlumbSession *self, PlumbJsonWriter *writer,
                              GCancellable *cancellable)
{
  static const char *const times[] = { "Candidates are never ordered again.",
                                       "Where notes hit, candidates are ordered again %s.",
                                       "Candidates are ordered again %s each time." };
  static const char *const ways[] = { "by their words", "by the language model",
                                      "by the rerank endpoint" };
  g_autoptr (PlumbModelSettings)
      settings = plumb_session_get_endpoint (self, PLUMB_ENDPOINT_RERANK);
  g_autoptr (GError) error = NULL;
  g_autofree char *answer = NULL;
  g_autofree char *detail = NULL;
  PlumbRerankWhen when;
  PlumbRerankBy by;
  g_auto (GStrv) halves = NULL;

  plumb_session_get_reranking (self, &when, &by);
  if (by == PLUMB_RERANK_BY_ENDPOINT && settings->is_planner)
    by = PLUMB_RERANK_BY_WORDS;
  halves = g_strsplit (times[when], "%s", 2);
  detail = halves[1] != NULL ? g_strconcat (halves[0], ways[by], halves[1], NULL)
                             : g_strdup (halves[0]);
  if (when != PLUMB_RERANK_NEVER && by == PLUMB_RERANK_BY_ENDPOINT) {
    answer = plumb_session_test_endpoint (self, PLUMB_ENDPOINT_RERANK, settings->base_address,
                                          settings->model, NULL, cancellable, &error);
    if (answer == NULL) {
      plumb_session_write_check (
          writer, "reranker", FALSE, error->message,
          "Until it answers, candidates stand in the order of search alone.");
      return;
    }
  }
  plumb_session_write_check (writer, "reranker", TRUE, detail, "");
}
