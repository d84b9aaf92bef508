/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-turn-loop.h"

G_BEGIN_DECLS

/**
 * PlumbTurnTrace:
 *
 * The record of a running turn: its steps go to the index as they happen, and events about them to
 * whoever listens.
 */
typedef struct _PlumbTurnTrace PlumbTurnTrace;

PlumbTurnTrace *plumb_turn_trace_new (const PlumbTurnRequest *request, GError **error);
void plumb_turn_trace_free (PlumbTurnTrace *self);
PlumbTurn *plumb_turn_trace_get_turn (PlumbTurnTrace *self);
PlumbTurn *plumb_turn_trace_steal_turn (PlumbTurnTrace *self);
void plumb_turn_trace_tell (PlumbTurnTrace *self, PlumbEventKind kind, const PlumbStep *step);
void plumb_turn_trace_tell_text (PlumbTurnTrace *self, const char *text);
void plumb_turn_trace_tell_candidates (PlumbTurnTrace *self, const PlumbStep *step,
                                       PlumbCandidates *candidates);
void plumb_turn_trace_tell_result (PlumbTurnTrace *self, const PlumbStep *step, PlumbResult *result,
                                   const char *sql, const char *database);
PlumbStep *plumb_turn_trace_begin_step (PlumbTurnTrace *self, PlumbStepKind kind, int round,
                                        const char *tool, const char *arguments, GError **error);
gboolean plumb_turn_trace_finish_step (PlumbTurnTrace *self, PlumbStep *step, PlumbState state,
                                       GError **error);
gboolean plumb_turn_trace_add_text (PlumbTurnTrace *self, int round, const char *text,
                                    PlumbState state, GError **error);
gboolean plumb_turn_trace_finish (PlumbTurnTrace *self, const GError *failure, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlumbTurnTrace, plumb_turn_trace_free)

G_END_DECLS
