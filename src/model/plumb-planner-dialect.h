/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-planner-private.h"

G_BEGIN_DECLS

/**
 * PlannerDialect:
 *
 * How an engine writes what the planner says. Where an engine has no way to say something, the planner
 * declines the question.
 */
typedef struct _PlannerDialect PlannerDialect;

const PlannerDialect *planner_dialect_find           (const char *engine);

void     planner_dialect_append_name    (const PlannerDialect *self, GString *sql, const char *name);
void     planner_dialect_append_alias   (const PlannerDialect *self, GString *sql, const char *name);
void     planner_dialect_append_table   (const PlannerDialect *self, GString *sql, const PlumbCard *card);
void     planner_dialect_append_as      (const PlannerDialect *self, GString *sql, const char *name);
void     planner_dialect_append_literal (const PlannerDialect *self, GString *sql, const char *text);
void     planner_dialect_append_date    (const PlannerDialect *self, GString *sql, PlannerDateForm form,
                                         const GDate *date);
void     planner_dialect_append_limit   (const PlannerDialect *self, GString *sql, gint64 limit);
void     planner_dialect_append_lower   (const PlannerDialect *self, GString *sql, const char *column);
char    *planner_dialect_write_unit     (const PlannerDialect *self, const char *column,
                                         PlannerDateForm form, PlannerUnit unit);
gboolean planner_dialect_rounds_sums    (const PlannerDialect *self);

G_END_DECLS
