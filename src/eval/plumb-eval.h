/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-session.h"

G_BEGIN_DECLS

/**
 * PlumbEvalOptions:
 * @sets: files with a question a line: {"id","db","question","language","gold_tables"}
 * @catalogs: (nullable): schema files or folders of them to search instead of the session's index
 * @copies: (nullable): file with copies to put beside live tables of @catalogs
 * @approved: (nullable): file with questions answered before, in the format of a set
 * @domains: (nullable): folder with domain files that speak of @catalogs
 * @without: (nullable): parts of search to leave out (with @catalogs alone)
 * @baseline: (nullable): JSON of an earlier run to compare with
 * @apart: search only the database that a question is about
 * @with_texts: show labels, comments and samples of @catalogs to search
 * @answer: let the whole loop answer each question that has rows to run on: the databases of
 *   "sqlite_file" with @catalogs, the session's own without
 * @plain: measure the baseline, ranked lists fused by reciprocal rank (with @catalogs alone)
 * @k: places that count, beside 5, 8 and 15; 0 for 8
 * @limit: the most questions taken of a set, spread over it; 0 for all
 */
typedef struct {
  const char *const *sets;
  const char *const *catalogs;
  const char *copies;
  const char *approved;
  const char *domains;
  const char *const *without;
  const char *baseline;
  gboolean apart;
  gboolean with_texts;
  gboolean answer;
  gboolean plain;
  guint k;
  guint limit;
} PlumbEvalOptions;

/**
 * PlumbEvalReport:
 *
 * What a measurement gave.
 */
typedef struct _PlumbEvalReport PlumbEvalReport;

PlumbEvalReport *plumb_eval_run            (PlumbSession *session, const PlumbEvalOptions *options, PlumbProgress progress,
                                            gpointer user_data, GCancellable *cancellable, GError **error);
char            *plumb_eval_report_to_json (PlumbEvalReport *self);
char            *plumb_eval_report_to_text (PlumbEvalReport *self);
double           plumb_eval_report_get_complete (PlumbEvalReport *self, guint set, guint k);
void             plumb_eval_report_free    (PlumbEvalReport *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlumbEvalReport, plumb_eval_report_free)

G_END_DECLS
