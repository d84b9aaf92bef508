/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-candidate.h"
#include "plumb-result.h"

G_BEGIN_DECLS

/* A conversation and what happened in it, as the index keeps it and the trace shows it. */

/**
 * PlumbConversation:
 * @id: number in the index
 * @title: the first question's first line
 * @created_at: seconds since the epoch
 * @updated_at: seconds since the epoch
 */
typedef struct {
  gint64 id;
  char *title;
  gint64 created_at;
  gint64 updated_at;
} PlumbConversation;

typedef enum {
  PLUMB_STEP_TEXT,
  PLUMB_STEP_TOOL,
} PlumbStepKind;

typedef enum {
  PLUMB_STATE_RUNNING,
  PLUMB_STATE_DONE,
  PLUMB_STATE_FAILED,
  PLUMB_STATE_CANCELLED,
} PlumbState;

/**
 * PlumbStep:
 * @turn_id: the turn it belongs to
 * @number: from 1 within the turn
 * @round: the round, from 1
 * @kind: a tool call, or a stretch of model text
 * @tool: (nullable): the tool's name
 * @arguments: (nullable): the call's arguments as the model sent them
 * @result: (nullable): the tool's JSON as the model received it, or the text
 * @error: (nullable): what went wrong, as the model received it
 * @state: running, done, failed, cancelled
 * @started_at: microseconds since the epoch
 * @elapsed_us: microseconds
 * @audit_id: the audit record of the statement that the step ran, 0 for none
 * @progress: (nullable): while running, what it is doing ("waiting for a free connection")
 */
typedef struct {
  gint64 turn_id;
  int number;
  int round;
  PlumbStepKind kind;
  char *tool;
  char *arguments;
  char *result;
  char *error;
  PlumbState state;
  gint64 started_at;
  gint64 elapsed_us;
  gint64 audit_id;
  char *progress;
} PlumbStep;

/**
 * PlumbAnswerNumber:
 * @start: byte offset of the number in the answer's text
 * @length: its bytes
 * @audit_id: the statement that it came from; 0 where it came from the question or a document
 * @step_number: the step that gave it; 0 for none
 * @found: whether it was found in any result; %FALSE is marked "not found in any result"
 */
typedef struct {
  guint start;
  guint length;
  gint64 audit_id;
  int step_number;
  gboolean found;
} PlumbAnswerNumber;

/**
 * PlumbTurn:
 * @id: number in the index
 * @conversation_id: its conversation
 * @question: what was asked
 * @answer: (nullable): the model's last words
 * @error: (nullable): why there is no answer
 * @model: (nullable): the model's name, "built-in planner" for that one
 * @state: running, done, failed, cancelled
 * @started_at: microseconds since the epoch
 * @elapsed_us: microseconds
 * @tokens: tokens that the model counted, read and written; not stored
 * @declined: whether the answer is known to be none: the question can't be read, or is asked back;
 *   not stored
 * @steps: (element-type PlumbStep): in their order
 * @numbers: (element-type PlumbAnswerNumber): numbers of the answer, in their order
 */
typedef struct {
  gint64 id;
  gint64 conversation_id;
  char *question;
  char *answer;
  char *error;
  char *model;
  PlumbState state;
  gint64 started_at;
  gint64 elapsed_us;
  gint64 tokens;
  gboolean declined;
  GPtrArray *steps;
  GPtrArray *numbers;
} PlumbTurn;

/**
 * PlumbAuditRecord:
 * @id: number in the index
 * @at: seconds since the epoch, when it was about to be sent
 * @user: who ran it (the operating system's account)
 * @origin: "ask", "query", "explain", "export", "analyze", "verify"
 * @database: the source
 * @sql: the statement as executed
 * @question: (nullable): the question that it was run for
 * @turn_id: the turn, 0 for none
 * @tables: tables that it reads, as `schema.table`
 * @state: running until it is completed; "running" in an old record means the program ended first
 * @error: (nullable): the server's answer where it failed
 * @elapsed_ms: milliseconds, -1 until it is completed
 * @row_count: rows received, -1 until it is completed
 * @truncated_by: (nullable): the limit that cut the result
 * @result: (nullable): the first rows as JSON, kept for the reviewer
 */
typedef struct {
  gint64 id;
  gint64 at;
  char *user;
  char *origin;
  char *database;
  char *sql;
  char *question;
  gint64 turn_id;
  GStrv tables;
  PlumbState state;
  char *error;
  gint64 elapsed_ms;
  gint64 row_count;
  char *truncated_by;
  char *result;
} PlumbAuditRecord;

typedef enum {
  PLUMB_EVENT_TURN_STARTED,
  PLUMB_EVENT_STEP_STARTED,
  PLUMB_EVENT_STEP_CHANGED,
  PLUMB_EVENT_STEP_FINISHED,
  PLUMB_EVENT_TEXT_DELTA,
  PLUMB_EVENT_CANDIDATES,
  PLUMB_EVENT_RESULT,
  PLUMB_EVENT_TURN_FINISHED,
} PlumbEventKind;

/**
 * PlumbEvent:
 * @kind: what happened
 * @turn: the turn; its steps are not to be read, since the worker adds to them
 * @step: (nullable): a copy of the step, for the step events
 * @text: (nullable): new text of the answer, for PLUMB_EVENT_TEXT_DELTA
 * @candidates: (nullable): for PLUMB_EVENT_CANDIDATES
 * @result: (nullable): for PLUMB_EVENT_RESULT, with the step and the statement it belongs to
 * @sql: (nullable): for PLUMB_EVENT_RESULT
 * @database: (nullable): for PLUMB_EVENT_RESULT
 *
 * What the turn loop tells while it works. Each event is a value of its own, so that it can be
 * handed to another thread.
 */
typedef struct {
  PlumbEventKind kind;
  PlumbTurn *turn;
  PlumbStep *step;
  char *text;
  PlumbCandidates *candidates;
  PlumbResult *result;
  char *sql;
  char *database;
} PlumbEvent;

PlumbConversation *plumb_conversation_copy (const PlumbConversation *self);
void               plumb_conversation_free (PlumbConversation *self);
PlumbStep         *plumb_step_new          (PlumbStepKind kind);
PlumbStep         *plumb_step_copy         (const PlumbStep *self);
void               plumb_step_free         (PlumbStep *self);
PlumbTurn         *plumb_turn_new          (const char *question);
PlumbTurn         *plumb_turn_copy         (const PlumbTurn *self);
void               plumb_turn_free         (PlumbTurn *self);
PlumbAuditRecord  *plumb_audit_record_new  (const char *database, const char *sql);
void               plumb_audit_record_free (PlumbAuditRecord *self);
PlumbEvent        *plumb_event_new         (PlumbEventKind kind, const PlumbTurn *turn);
void               plumb_event_free        (PlumbEvent *self);
const char        *plumb_state_to_string   (PlumbState state);
PlumbState         plumb_state_from_string (const char *text);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlumbConversation, plumb_conversation_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlumbStep, plumb_step_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlumbTurn, plumb_turn_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlumbAuditRecord, plumb_audit_record_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlumbEvent, plumb_event_free)

G_END_DECLS
