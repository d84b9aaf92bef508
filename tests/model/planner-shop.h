/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-model.h"

G_BEGIN_DECLS

/**
 * Shop:
 *
 * The tools as the planner sees them, over a small database of orders in memory: searches find every
 * table, cards say what a real one would, and statements are really run.
 */
typedef struct _Shop Shop;

/* What came of a question. @sql is the last statement, NULL for none. */
typedef struct {
  char *answer;
  char *sql;
  GString *calls;
  guint rounds;
} Outcome;

Shop    *shop_new          (void);
void     shop_free         (Shop *self);
void     shop_set_engine   (Shop *self, const char *engine);
void     shop_set_fault    (Shop *self, const char *tool, const char *fault);
void     shop_forbid       (Shop *self, const char *table);
void     shop_distrust     (Shop *self);
Outcome *shop_ask          (Shop *self, const char *question);
void     outcome_free      (Outcome *outcome);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Shop, shop_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Outcome, outcome_free)

G_END_DECLS
