/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-secrets.h"
#include "plumb-session.h"
#include "plumb-workspace.h"

#include "plumb-model.h"

G_BEGIN_DECLS

/* Settings that the session reads, in the schema or under the same keys in the index. */
#define PLUMB_SETTING_MODEL_ADDRESS "model-address"
#define PLUMB_SETTING_MODEL_NAME    "model-name"
#define PLUMB_SETTING_EMBEDDING_ADDRESS "embedding-address"
#define PLUMB_SETTING_EMBEDDING_NAME    "embedding-name"
/* The embedding endpoint before: its vectors serve until those of the new one are complete. */
#define PLUMB_VALUE_EMBEDDING_BEFORE_ADDRESS "embedding-before-address"
#define PLUMB_VALUE_EMBEDDING_BEFORE_NAME    "embedding-before-name"
#define PLUMB_SETTING_RERANK_WHEN       "rerank-when"
#define PLUMB_SETTING_RERANK_BY         "rerank-by"
#define PLUMB_SETTING_RERANK_ADDRESS    "rerank-address"
#define PLUMB_SETTING_RERANK_NAME       "rerank-name"
#define PLUMB_SETTING_QUERY_SECONDS "query-seconds"
#define PLUMB_SETTING_QUERY_ROWS    "query-rows"
#define PLUMB_SETTING_CONCURRENCY   "queries-per-database"

struct _PlumbSession {
  GObject parent_instance;

  char *index_path;
  char *policy_path;
  PlumbIndex *index;
  PlumbAccess *access;
  PlumbWorkspace *workspace;
  PlumbSecrets *secrets;
  GDateTime *now;
  GMutex embedding; /* held while a job embeds */

  GMutex work_lock;
  GCond work_ended;
  GPtrArray *work; /* a cancellable for each call that runs in a thread */
};

/* plumb-session.c */
GDateTime *plumb_session_get_now (PlumbSession *self);
char *plumb_session_make_data_path (const char *name);

/* plumb-session-async.c */
void plumb_session_begin_work (PlumbSession *self, GCancellable *cancellable);
void plumb_session_end_work (PlumbSession *self, GCancellable *cancellable);

/* plumb-session-settings.c */
char *plumb_session_get_setting (PlumbSession *self, const char *key);
gboolean plumb_session_set_setting (PlumbSession *self, const char *key, const char *value,
                                    GError **error);
PlumbLimits plumb_session_get_limits (PlumbSession *self);
guint plumb_session_get_concurrency (PlumbSession *self);

/* plumb-session-model.c */
PlumbModel *plumb_session_make_model (PlumbSession *self);
char *plumb_session_show_model_address (const char *address);
gboolean plumb_session_check_address (const char *address, const char *what, GError **error);
char *plumb_session_choose_setting (PlumbSession *self, const char *variable, const char *key,
                                    gboolean *from_environment);

/* plumb-session-endpoints.c */
void plumb_session_set_up_search (PlumbSession *self);
char *plumb_session_get_endpoint_key (PlumbSession *self, PlumbEndpointKind kind,
                                      const char *base_address);

/* plumb-session-doctor-search.c */
void plumb_session_check_embeddings (PlumbSession *self, PlumbJsonWriter *writer,
                                     GPtrArray *servers, GCancellable *cancellable);
void plumb_session_check_reranker (PlumbSession *self, PlumbJsonWriter *writer,
                                   GCancellable *cancellable);
void plumb_session_write_check (PlumbJsonWriter *writer, const char *name, gboolean ok,
                                const char *detail, const char *advice);

G_END_DECLS
