/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

/* Records that several layers hand on: plain values, owned by whoever holds them. */

/* A source as the index keeps it: never with a password. */
typedef struct {
  char *name;
  char *uri;
  char *engine;
  char *version;
  char *summary;
  gboolean risk_accepted;
  gint64 added_at;
  gint64 analyzed_at;
  gint64 n_tables;
} PlumbSourceRecord;

/* A question that a person marked as answered right, with the statement that answered it. One that a domain
 * file gives as an example has the domain's name, no statement, and the domain's main table first. */
typedef struct {
  gint64 id;
  char *domain;
  gint64 audit_id;
  char *question;
  char *database;
  char *sql;
  GStrv tables;
  char *author;
  gint64 at;
} PlumbApproved;

/**
 * PlumbKnownQuestion:
 * @id: number in the index
 * @database: source that the question is about
 * @question: the question
 * @tables: the tables that it needs, as `schema.table`
 * @author: who wrote it down
 * @at: seconds since the epoch
 * @places: (element-type guint): for each table its place among the candidates from 1, 0 where it
 *   was not among them; empty where search was never run on it
 * @run_at: when that was, in seconds since the epoch
 * @was_complete: whether all tables were among the first eight the time before
 *
 * A question of which a person knows the tables, to see whether search still finds them.
 */
typedef struct {
  gint64 id;
  char *database;
  char *question;
  GStrv tables;
  char *author;
  gint64 at;
  GArray *places;
  gint64 run_at;
  gboolean was_complete;
} PlumbKnownQuestion;

/* The candidates that a model gets unless it asks for more: what stands behind isn't seen. */
#define PLUMB_KNOWN_QUESTION_PLACES 8

/**
 * PlumbAccountProbe:
 * @engine: the engine's name as shown to people
 * @version: the server's version
 * @account: the account as the server knows it
 * @superuser_rights: (element-type utf8): rights that make an account superuser-like; a source with
 *   any is refused unless the risk is accepted
 * @write_rights: (element-type utf8): rights to write; a warning
 * @read_only_proven: whether the session's read-only state was tried and held
 * @read_only_detail: how it was proven, or why not
 * @time_zone: (nullable): the session's time zone
 * @encoding: (nullable): the database's encoding
 * @n_tables: tables that can be seen
 * @n_selectable: tables that can be selected
 */
typedef struct {
  char *engine;
  char *version;
  char *account;
  GPtrArray *superuser_rights;
  GPtrArray *write_rights;
  gboolean read_only_proven;
  char *read_only_detail;
  char *time_zone;
  char *encoding;
  guint n_tables;
  guint n_selectable;
} PlumbAccountProbe;

/**
 * PlumbAnalysisReport:
 * @tables: tables found
 * @analyzed: tables analysed now
 * @unchanged: tables left alone
 * @gone: tables that vanished
 * @failures: (element-type utf8): tables that failed and why
 */
typedef struct {
  guint tables;
  guint analyzed;
  guint unchanged;
  guint gone;
  GPtrArray *failures;
} PlumbAnalysisReport;

/**
 * PlumbFoundServer:
 * @title: the program that usually has the port, such as "Ollama"
 * @base_address: where the model client speaks to it
 * @models: what it offers; empty where it wants a key first
 *
 * A language model server that was found on this computer.
 */
typedef struct {
  char *title;
  char *base_address;
  GStrv models;
} PlumbFoundServer;

/**
 * PlumbEmbeddingProgress:
 * @model: (nullable): the embedding model that is set; %NULL for none
 * @serving_model: (nullable): the one whose vectors search uses; %NULL while there is none
 * @n_dimensions: numbers in a vector of it, 0 while there is none
 * @chunks: pieces of cards that get a vector each
 * @embedded: how many of them have one of @model
 * @sent: how many were embedded by the call that gave this
 * @hidden: how many that call left out, since the access role hides their table or a column of it
 * @failures: (element-type utf8): pieces that couldn't be embedded and why, twenty at most
 * @failed: how many they were
 *
 * How far embedding has come.
 */
typedef struct {
  char *model;
  char *serving_model;
  guint n_dimensions;
  guint chunks;
  guint embedded;
  guint sent;
  guint hidden;
  GPtrArray *failures;
  guint failed;
} PlumbEmbeddingProgress;

PlumbSourceRecord   *plumb_source_record_new     (const char *name, const char *uri);
void                 plumb_source_record_free    (PlumbSourceRecord *self);
PlumbApproved       *plumb_approved_new          (const char *question, const char *database, const char *sql);
void                 plumb_approved_free         (PlumbApproved *self);
PlumbKnownQuestion  *plumb_known_question_new    (const char *database, const char *question, const char *const *tables);
void                 plumb_known_question_free   (PlumbKnownQuestion *self);
gboolean             plumb_known_question_is_complete (const PlumbKnownQuestion *self);
PlumbAccountProbe   *plumb_account_probe_new     (void);
void                 plumb_account_probe_free    (PlumbAccountProbe *self);
PlumbAnalysisReport *plumb_analysis_report_new   (void);
void                 plumb_analysis_report_free  (PlumbAnalysisReport *self);
PlumbEmbeddingProgress *plumb_embedding_progress_new  (void);
void                    plumb_embedding_progress_free (PlumbEmbeddingProgress *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlumbSourceRecord, plumb_source_record_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlumbApproved, plumb_approved_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlumbKnownQuestion, plumb_known_question_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlumbAccountProbe, plumb_account_probe_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlumbAnalysisReport, plumb_analysis_report_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlumbEmbeddingProgress, plumb_embedding_progress_free)

G_END_DECLS
