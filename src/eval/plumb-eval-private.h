/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-eval.h"

G_BEGIN_DECLS

/* A gold table that was not among the candidates. */
#define PLUMB_EVAL_MISSED G_MAXUINT

typedef struct {
  char *id;
  char *database;
  char *text;
  char *language;
  GStrv gold_tables;
} PlumbEvalQuestion;

/* plumb-eval-set.c: files with a JSON object a line. */
GPtrArray *plumb_eval_read_questions (const char *path, guint limit, GError **error);
GPtrArray *plumb_eval_read_lines     (const char *path, GError **error);

/* What search made of one question. */
typedef struct {
  char *id;
  char *language;
  GArray *ranks;             /* for each gold table its place from 0, or PLUMB_EVAL_MISSED */
  gboolean copy_before_live;
  gint64 elapsed_us;
} PlumbEvalResult;

typedef struct {
  char *name;
  GPtrArray *results;
  guint n_tables;
  GStrv lists;
  GPtrArray *better;         /* ids of questions, against the baseline; NULL without one */
  GPtrArray *worse;
} PlumbEvalSet;

struct _PlumbEvalReport {
  GPtrArray *sets;
  GArray *cuts;              /* the numbers of places that are reported, ascending */
  guint k;
};

/* plumb-eval-report.c */
PlumbEvalReport *plumb_eval_report_new     (guint k);
PlumbEvalSet    *plumb_eval_set_new        (const char *name);
void             plumb_eval_set_free       (PlumbEvalSet *self);
PlumbEvalResult *plumb_eval_result_new     (const PlumbEvalQuestion *question);
gboolean         plumb_eval_result_complete (const PlumbEvalResult *self, guint k);

/* plumb-eval-baseline.c */
gboolean         plumb_eval_report_compare (PlumbEvalReport *self, const char *path, GError **error);

G_END_DECLS
