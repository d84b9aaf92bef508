/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-tool.h"
#include "plumb-turn-loop.h"

G_BEGIN_DECLS

/**
 * AgentFixture:
 *
 * An index over two small databases. "shop": customer (3 rows), orders (8 rows, 5 of them open,
 * with a declared key to customer), orders_bak (a backup, 2 rows), salary, and wide (320 columns);
 * "depot": stock. Where a policy is given, its role "clerk" is in force.
 */
typedef struct {
  char *folder;
  PlumbIndex *index;
  PlumbAccess *access;
  PlumbWorkspace *workspace;
  PlumbToolContext context;
} AgentFixture;

void agent_fixture_set_up (AgentFixture *f, const char *policy);
void agent_fixture_tear_down (AgentFixture *f);
char *agent_fixture_call (AgentFixture *f, const char *tool, const char *arguments);
char *agent_fixture_fail (AgentFixture *f, const char *tool, const char *arguments, GQuark domain,
                          int code);
guint agent_fixture_count_audit (AgentFixture *f);

/* A model that says what a test scripted. */
#define SCRIPTED_TYPE_MODEL (scripted_model_get_type ())
G_DECLARE_FINAL_TYPE (ScriptedModel, scripted_model, SCRIPTED, MODEL, PlumbModel)

ScriptedModel *scripted_model_new (void);
void scripted_model_say (ScriptedModel *self, const char *text);
void scripted_model_call (ScriptedModel *self, const char *text, const char *tool,
                          const char *arguments);
void scripted_model_call_also (ScriptedModel *self, const char *tool, const char *arguments);
void scripted_model_fail (ScriptedModel *self, PlumbModelError code, const char *text,
                          const char *message);
void scripted_model_wait (ScriptedModel *self, const char *text);
void scripted_model_cut (ScriptedModel *self, const char *text);
void scripted_model_set_tokens (ScriptedModel *self, gint64 tokens);
guint scripted_model_get_n_calls (ScriptedModel *self);
const char *scripted_model_get_last (ScriptedModel *self);
gsize scripted_model_get_longest (ScriptedModel *self);

G_END_DECLS
