/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-candidate.h"
#include "plumb-join-edge.h"
#include "plumb-records.h"
#include "plumb-trace.h"

G_BEGIN_DECLS

/**
 * PlumbSession:
 *
 * The one facade that the window and the command line call. It owns the index, the connected
 * sources, the access role, the model and the jobs. The plain calls block and may come from any
 * thread; those that a window needs have an `_async` pair that works in a thread of its own and
 * comes back on the thread-default main context of the caller. Errors are PLUMB_ERROR or of the
 * layer that speaks (see plumb_session_exit_code()); cancelling is G_IO_ERROR_CANCELLED.
 */
#define PLUMB_TYPE_SESSION (plumb_session_get_type ())
G_DECLARE_FINAL_TYPE (PlumbSession, plumb_session, PLUMB, SESSION, GObject)

/**
 * PlumbSessionOptions:
 * @index_path: (nullable): the index file; %NULL for the user's own
 *   ($XDG_DATA_HOME/plumbline/index.sqlite, or $PLUMBLINE_INDEX)
 * @role: (nullable): the access role; %NULL for $PLUMBLINE_ROLE, else the policy's default,
 *   unrestricted where there is no policy
 * @policy_path: (nullable): the user's policy.ini; %NULL for $XDG_CONFIG_HOME/plumbline/policy.ini
 * @now: (nullable): local time that the planner's relative dates count from; %NULL for the clock
 */
typedef struct {
  const char *index_path;
  const char *role;
  const char *policy_path;
  GDateTime *now;
} PlumbSessionOptions;

PlumbSession *plumb_session_open          (const PlumbSessionOptions *options, GError **error);
const char   *plumb_session_get_index_path (PlumbSession *self);
const char   *plumb_session_get_role      (PlumbSession *self);
int           plumb_session_exit_code     (const GError *error);

/* Sources (plumb-session-sources.c). */

/* What was found of a source before it is added; shown by the dialog and by `source check`. */
PlumbAccountProbe *plumb_session_test_source (PlumbSession *self, const char *name, const char *uri, const char *password,
                                              GCancellable *cancellable, GError **error);
gboolean   plumb_session_add_source     (PlumbSession *self, const char *name, const char *uri, const char *password,
                                         gboolean accept_risk, GPtrArray **warnings,
                                         GCancellable *cancellable, GError **error);
gboolean   plumb_session_set_password   (PlumbSession *self, const char *name, const char *password, char **warning,
                                         GCancellable *cancellable, GError **error);
gboolean   plumb_session_is_sign_in_error (const GError *error);
gboolean   plumb_session_remove_source  (PlumbSession *self, const char *name, GError **error);
GPtrArray *plumb_session_list_sources   (PlumbSession *self, GError **error);
PlumbAccountProbe *plumb_session_check_source (PlumbSession *self, const char *name, GCancellable *cancellable, GError **error);
gboolean   plumb_session_add_demo       (PlumbSession *self, GCancellable *cancellable, GError **error);
gboolean   plumb_session_has_demo       (PlumbSession *self);

/* Analysis. Progress comes in the calling thread. */
typedef void (*PlumbProgress) (const char *doing, int done, int total, gpointer user_data);

PlumbAnalysisReport *plumb_session_analyze (PlumbSession *self, const char *name, gboolean changed_only, gboolean use_model,
                                            PlumbProgress progress, gpointer user_data,
                                            GCancellable *cancellable, GError **error);

/* Looking (plumb-session-lookup.c). A table is named as in plumb_table_name_parse(). */
PlumbCandidates *plumb_session_search     (PlumbSession *self, const char *question, const char *const *databases, guint limit,
                                           GCancellable *cancellable, GError **error);
PlumbCard       *plumb_session_get_card   (PlumbSession *self, const char *table, GError **error);
GPtrArray       *plumb_session_list_cards (PlumbSession *self, const char *database, GError **error);
GPtrArray       *plumb_session_list_edges (PlumbSession *self, const char *database, GError **error);
PlumbJoinPath   *plumb_session_find_path  (PlumbSession *self, const char *const *tables, GError **error);

/* Notes. */
gint64     plumb_session_add_note    (PlumbSession *self, const char *table, const char *text, GError **error);
gboolean   plumb_session_edit_note   (PlumbSession *self, gint64 id, const char *text, GError **error);
gboolean   plumb_session_retire_note (PlumbSession *self, gint64 id, GError **error);
gboolean   plumb_session_restore_note (PlumbSession *self, gint64 id, GError **error);
GPtrArray *plumb_session_list_notes  (PlumbSession *self, const char *table, gboolean with_retired, GError **error);
GPtrArray *plumb_session_list_note_versions (PlumbSession *self, gint64 id, GError **error);

/* Questions of which people know the tables (plumb-session-questions.c). */
gint64     plumb_session_add_question     (PlumbSession *self, const char *database, const char *question,
                                           const char *const *tables, GError **error);
int        plumb_session_import_questions (PlumbSession *self, const char *database, const char *path, GError **error);
gboolean   plumb_session_remove_question  (PlumbSession *self, gint64 id, GError **error);
GPtrArray *plumb_session_list_questions   (PlumbSession *self, const char *database, GError **error);
GPtrArray *plumb_session_run_questions    (PlumbSession *self, const char *database, PlumbProgress progress, gpointer user_data,
                                           GCancellable *cancellable, GError **error);

/* SQL (plumb-session-query.c): checked, in scope, audited. */
PlumbResult *plumb_session_query   (PlumbSession *self, const char *database, const char *sql, const PlumbLimits *limits,
                                    GCancellable *cancellable, GError **error);
char        *plumb_session_explain (PlumbSession *self, const char *database, const char *sql,
                                    GCancellable *cancellable, GError **error);
char        *plumb_session_check   (PlumbSession *self, const char *database, const char *dialect, const char *sql, gssize length,
                                    const char *id, GError **error);
char        *plumb_session_check_dialect (const char *dialect, const char *schema, const char *sql, gssize length,
                                    const char *id, GError **error);

/**
 * PlumbExportRequest:
 * @format: (nullable): "csv", "xlsx" or "jsonl"; %NULL for what the file's name ends with, else CSV
 * @max_rows: rows at most, 0 for all
 * @timeout_ms: time budget in milliseconds, 0 for that of the settings
 * @safe_csv: whether text that a spreadsheet would run as a formula gets an apostrophe in front
 * @replace: whether a file that is no unchanged earlier export is replaced
 */
typedef struct {
  const char *format;
  gint64 max_rows;
  gint64 timeout_ms;
  gboolean safe_csv;
  gboolean replace;
} PlumbExportRequest;

char        *plumb_session_export  (PlumbSession *self, const char *database, const char *sql, const char *path,
                                    const PlumbExportRequest *request, GCancellable *cancellable, GError **error);

/* Asking (plumb-session-ask.c). */

/**
 * PlumbAskRequest:
 * @conversation_id: the conversation to go on with, 0 for a new one
 * @question: the question; "@database" in it binds the turn to that database
 * @databases: (nullable): databases that the turn is bound to, from a pick in the interface
 */
typedef struct {
  gint64 conversation_id;
  const char *question;
  const char *const *databases;
} PlumbAskRequest;

/* Told of each event; the event is the callee's to read during the call only. Text that comes by
 * PLUMB_EVENT_TEXT_DELTA is the answer, unless a text step with the same words follows it. A turn that
 * fails or is cancelled ends with PLUMB_EVENT_TURN_FINISHED too: it is stored with its steps and its
 * error, and the call gives %NULL with the error. A question that can't begin a turn (too long, a
 * mention of nothing) sends no event and is kept as the draft. */
typedef void (*PlumbEventFunc) (const PlumbEvent *event, gpointer user_data);

PlumbTurn *plumb_session_ask        (PlumbSession *self, const PlumbAskRequest *request, PlumbEventFunc func, gpointer user_data,
                                     GCancellable *cancellable, GError **error);
void       plumb_session_ask_async  (PlumbSession *self, const PlumbAskRequest *request, PlumbEventFunc func, gpointer user_data,
                                     GCancellable *cancellable, GAsyncReadyCallback callback, gpointer callback_data);
PlumbTurn *plumb_session_ask_finish (PlumbSession *self, GAsyncResult *result, GError **error);
char      *plumb_session_get_draft  (PlumbSession *self);

/* Conversations and audit. */
GPtrArray        *plumb_session_list_conversations  (PlumbSession *self, GError **error);
gboolean          plumb_session_rename_conversation (PlumbSession *self, gint64 id, const char *title, GError **error);
gboolean          plumb_session_delete_conversation (PlumbSession *self, gint64 id, GError **error);
GPtrArray        *plumb_session_list_turns          (PlumbSession *self, gint64 conversation_id, GError **error);
GPtrArray        *plumb_session_list_audit          (PlumbSession *self, gint64 before_id, guint limit, GError **error);
PlumbAuditRecord *plumb_session_get_audit           (PlumbSession *self, gint64 id, GError **error);
gint64            plumb_session_approve             (PlumbSession *self, gint64 audit_id, GError **error);
GPtrArray        *plumb_session_list_approved       (PlumbSession *self, GError **error);
gboolean          plumb_session_remove_approved     (PlumbSession *self, gint64 id, GError **error);

/* The model (plumb-session-model.c). An empty base address means the built-in planner. The key goes
 * to the keyring, or comes from $PLUMBLINE_MODEL_KEY; the address and name can come from
 * $PLUMBLINE_MODEL_URL and $PLUMBLINE_MODEL_NAME. */
typedef struct {
  char *base_address;
  char *model;
  gboolean has_key;
  gboolean is_planner;
  gboolean from_environment;
} PlumbModelSettings;

void                plumb_model_settings_free     (PlumbModelSettings *self);
PlumbModelSettings *plumb_session_get_model       (PlumbSession *self);
gboolean            plumb_session_set_model       (PlumbSession *self, const char *base_address, const char *model, const char *key, GError **error);
GStrv               plumb_session_list_models     (PlumbSession *self, const char *base_address, const char *key,
                                                   GCancellable *cancellable, GError **error);
GPtrArray          *plumb_session_discover_models (PlumbSession *self, GCancellable *cancellable);

/* Embeddings and reranking (plumb-session-endpoints.c). Addresses, names and keys are kept as the
 * model's are, and can come from $PLUMBLINE_EMBEDDING_URL, _NAME and _KEY, and from $PLUMBLINE_RERANK_URL,
 * _NAME and _KEY. An empty address means none; `is_planner` says so. */
typedef enum {
  PLUMB_ENDPOINT_EMBEDDING,
  PLUMB_ENDPOINT_RERANK,
} PlumbEndpointKind;

/* When candidates are ordered again, and by what. */
typedef enum {
  PLUMB_RERANK_NEVER,
  PLUMB_RERANK_WHERE_NOTES_HIT,
  PLUMB_RERANK_EVERY_TIME,
} PlumbRerankWhen;

typedef enum {
  PLUMB_RERANK_BY_WORDS,
  PLUMB_RERANK_BY_MODEL,
  PLUMB_RERANK_BY_ENDPOINT,
} PlumbRerankBy;

PlumbModelSettings *plumb_session_get_endpoint  (PlumbSession *self, PlumbEndpointKind kind);
gboolean            plumb_session_set_endpoint  (PlumbSession *self, PlumbEndpointKind kind, const char *base_address,
                                                 const char *model, const char *key, GError **error);
char               *plumb_session_test_endpoint (PlumbSession *self, PlumbEndpointKind kind, const char *base_address,
                                                 const char *model, const char *key,
                                                 GCancellable *cancellable, GError **error);
void                plumb_session_get_reranking (PlumbSession *self, PlumbRerankWhen *when, PlumbRerankBy *by);
gboolean            plumb_session_set_reranking (PlumbSession *self, PlumbRerankWhen when, PlumbRerankBy by, GError **error);
gboolean            plumb_session_is_embedding_model (const char *name);
gboolean            plumb_session_is_rerank_model    (const char *name);

/* The job that embeds what has no vector yet (plumb-session-embedding.c). */
PlumbEmbeddingProgress *plumb_session_embed (PlumbSession *self, gboolean again, PlumbProgress progress, gpointer user_data,
                                             GCancellable *cancellable, GError **error);
PlumbEmbeddingProgress *plumb_session_get_embedding_progress (PlumbSession *self, GError **error);

/* What was found on this machine, and what to do about what wasn't, as JSON:
 * {"checks":[{"name","ok","detail","advice"}]}. */
char      *plumb_session_doctor (PlumbSession *self, GCancellable *cancellable);

/* One shared way to run any blocking call in a thread: @work runs there, its result comes back with
 * plumb_session_run_finish(). Stale results are dropped by cancelling @cancellable. */
typedef gpointer (*PlumbWork) (PlumbSession *self, gpointer data, GCancellable *cancellable, GError **error);

void       plumb_session_run_async  (PlumbSession *self, PlumbWork work, gpointer data, GDestroyNotify free_data,
                                     GDestroyNotify free_result, GCancellable *cancellable,
                                     GAsyncReadyCallback callback, gpointer callback_data);
gpointer   plumb_session_run_finish (PlumbSession *self, GAsyncResult *result, GError **error);
gboolean   plumb_session_stop_work  (PlumbSession *self, guint patience_ms);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlumbModelSettings, plumb_model_settings_free)

G_END_DECLS
