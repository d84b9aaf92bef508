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
  char *gold_sql;            /* NULL where the set has none */
  char *file;                /* "sqlite_file" of the set: the rows that the gold SQL runs on; or NULL */
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

/* What became of the questions that were asked with the whole loop. The arrays hold a double for each
 * of them. */
typedef struct {
  guint n_executed;          /* a statement ran */
  guint n_answered;          /* … and the turn ended with an answer that doesn't decline */
  guint n_equal;             /* … whose result is that of the gold statement */
  GArray *statements;
  GArray *rounds;
  GArray *tokens;
  GArray *seconds;
} PlumbEvalAnswers;

typedef struct {
  char *name;
  GPtrArray *results;
  guint n_tables;
  GStrv lists;
  GPtrArray *better;         /* ids of questions, against the baseline; NULL without one */
  GPtrArray *worse;
  PlumbEvalAnswers *answers; /* NULL where questions were only searched for */
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

/* plumb-eval-answer.c */
typedef struct _PlumbEvalRunner PlumbEvalRunner;

PlumbEvalRunner  *plumb_eval_runner_new    (PlumbSession *session, gboolean own, const char *const *sets, GPtrArray *questions,
                                            PlumbProgress progress, gpointer user_data, GCancellable *cancellable,
                                            GError **error);
void              plumb_eval_runner_free   (PlumbEvalRunner *self);
gboolean          plumb_eval_runner_ask    (PlumbEvalRunner *self, const PlumbEvalQuestion *question, gboolean apart,
                                            PlumbEvalAnswers *answers, GCancellable *cancellable, GError **error);
PlumbEvalAnswers *plumb_eval_answers_new   (void);
void              plumb_eval_answers_free  (PlumbEvalAnswers *self);
gboolean          plumb_eval_results_equal (PlumbResult *one, PlumbResult *other, gboolean ordered);

/* plumb-eval-report-answers.c */
void              plumb_eval_answers_write_json  (const PlumbEvalAnswers *self, PlumbJsonWriter *writer);
void              plumb_eval_answers_append_text (const PlumbEvalAnswers *self, GString *text);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlumbEvalRunner, plumb_eval_runner_free)

/* plumb-eval-baseline.c */
gboolean         plumb_eval_report_compare (PlumbEvalReport *self, const char *path, GError **error);

G_END_DECLS
