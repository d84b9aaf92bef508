/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-model.h"
#include "plumb-trace.h"

G_BEGIN_DECLS

/**
 * PlumbTurnHistory:
 *
 * What the model sees of a turn: the prompt, earlier turns in short form, the question, and the
 * rounds so far. Older tool results are shortened so that the whole stays within a limit.
 */
typedef struct _PlumbTurnHistory PlumbTurnHistory;

PlumbTurnHistory *plumb_turn_history_new (const char *prompt, GPtrArray *earlier_turns,
                                          const char *question);
void plumb_turn_history_free (PlumbTurnHistory *self);
GPtrArray *plumb_turn_history_get_messages (PlumbTurnHistory *self);
void plumb_turn_history_add_reply (PlumbTurnHistory *self, const PlumbMessage *message);
void plumb_turn_history_add_result (PlumbTurnHistory *self, const char *call_id,
                                    const char *result);
void plumb_turn_history_add_remark (PlumbTurnHistory *self, const char *remark);
gboolean plumb_turn_history_shorten (PlumbTurnHistory *self, gsize max_bytes);
gsize plumb_turn_history_get_length (PlumbTurnHistory *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlumbTurnHistory, plumb_turn_history_free)

G_END_DECLS
