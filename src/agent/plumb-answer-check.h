/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-result.h"
#include "plumb-trace.h"

G_BEGIN_DECLS

/**
 * PlumbAnswerSource:
 * @result: rows of a statement that the turn ran
 * @sql: the statement
 * @step_number: the step that ran it
 *
 * Where a number of the answer may come from.
 */
typedef struct {
  PlumbResult *result;
  char *sql;
  int step_number;
} PlumbAnswerSource;

PlumbAnswerSource *plumb_answer_source_new (PlumbResult *result, const char *sql, int step_number);
void plumb_answer_source_free (PlumbAnswerSource *self);
GPtrArray *plumb_answer_check (const char *answer, const char *question, GPtrArray *sources);

G_END_DECLS
