/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-model.h"
#include "plumb-workspace.h"

G_BEGIN_DECLS

/* A longer question is refused; whoever asks keeps it as a draft. */
#define PLUMB_MAX_QUESTION_CHARACTERS 8000

/**
 * PlumbTurnLimits:
 * @max_rounds: calls of the model in one turn
 * @max_history_bytes: what the model sees of a turn; older results are shortened to keep to it
 * @max_tokens: tokens that all calls of one turn may take together, where the endpoint counts them
 */
typedef struct {
  int max_rounds;
  gsize max_history_bytes;
  gint64 max_tokens;
} PlumbTurnLimits;

#define PLUMB_TURN_LIMITS_DEFAULT ((PlumbTurnLimits) { 12, 128 * 1024, 600 * 1000 })

/* Told of each event, in the calling thread; the event is the callee's to read during the call. */
typedef void (*PlumbTurnFunc) (const PlumbEvent *event, gpointer user_data);

/**
 * PlumbTurnRequest:
 * @workspace: what the turn works on
 * @model: who answers
 * @question: the question; "@database" in it binds the turn
 * @conversation_id: the conversation to go on with, 0 for a new one
 * @databases: (nullable): databases that the turn is bound to, from a pick in the interface
 * @now: local time that relative dates count from
 * @export_folder: where files go that the model exports
 * @query_limits: caps on a statement
 * @limits: caps on the turn
 * @func: (nullable): told of events
 * @user_data: passed to @func
 */
typedef struct {
  PlumbWorkspace *workspace;
  PlumbModel *model;
  const char *question;
  gint64 conversation_id;
  const char *const *databases;
  GDateTime *now;
  const char *export_folder;
  PlumbLimits query_limits;
  PlumbTurnLimits limits;
  PlumbTurnFunc func;
  gpointer user_data;
} PlumbTurnRequest;

PlumbTurn *plumb_turn_loop_run (const PlumbTurnRequest *request, GCancellable *cancellable,
                                GError **error);

G_END_DECLS
