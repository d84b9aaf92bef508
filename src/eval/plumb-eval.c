/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-eval-private.h"

#include "plumb-table-name.h"
#include "plumb-trial.h"

#include <string.h>

/* Candidates that are looked at: the widest cut that is reported needs 15. */
#define DEPTH 20

typedef struct {
  PlumbSession *session;
  const PlumbEvalOptions *options;
  PlumbTrial *trial;
  PlumbEvalRunner *runner;   /* NULL where nothing is asked */
  GHashTable *copies;   /* "database\nlive table\ncopy" as a set; NULL where none are put in */
  guint depth;
  guint n_tables;
} Eval;

static void
eval_clear (Eval *eval)
{
  g_clear_pointer (&eval->trial, plumb_trial_free);
  g_clear_pointer (&eval->runner, plumb_eval_runner_free);
  g_clear_pointer (&eval->copies, g_hash_table_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Eval, eval_clear)

static char *
copy_key (const char *database, const char *live, const char *copy)
{
  g_autofree char *live_folded = g_utf8_casefold (live, -1);
  g_autofree char *copy_folded = g_utf8_casefold (copy, -1);

  return g_strjoin ("\n", database, live_folded, copy_folded, NULL);
}

static gboolean
add_copies (Eval *eval, GError **error)
{
  g_autoptr (GPtrArray) nodes = plumb_eval_read_lines (eval->options->copies, error);

  if (nodes == NULL)
    return FALSE;
  eval->copies = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (guint i = 0; i < nodes->len; i++) {
    JsonObject *object = json_node_get_object (g_ptr_array_index (nodes, i));
    const char *database = plumb_json_get_string (object, "db", "");
    const char *live = plumb_json_get_string (object, "live_table", "");
    const char *copy = plumb_json_get_string (object, "copy_table", "");

    if (plumb_trial_add_copy (eval->trial, database, live, copy, plumb_json_get_string (object, "columns", "same"),
                              plumb_json_get_double (object, "row_fraction", 0)))
      g_hash_table_add (eval->copies, copy_key (database, live, copy));
  }
  return TRUE;
}

/* Questions that are measured may not vote for themselves. */
static gboolean
add_answered (Eval *eval, GPtrArray *measured, GError **error)
{
  g_autoptr (GPtrArray) questions = plumb_eval_read_questions (eval->options->approved, 0, error);
  g_autoptr (GHashTable) ids = g_hash_table_new (g_str_hash, g_str_equal);

  if (questions == NULL)
    return FALSE;
  for (guint i = 0; i < measured->len; i++) {
    GPtrArray *set = g_ptr_array_index (measured, i);

    for (guint j = 0; j < set->len; j++)
      g_hash_table_add (ids, ((PlumbEvalQuestion *) g_ptr_array_index (set, j))->id);
  }
  for (guint i = 0; i < questions->len; i++) {
    PlumbEvalQuestion *question = g_ptr_array_index (questions, i);

    if (!g_hash_table_contains (ids, question->id))
      plumb_trial_add_answered (eval->trial, question->text, question->database,
                                (const char *const *) question->gold_tables);
  }
  return TRUE;
}

static gboolean
prepare_trial (Eval *eval, GPtrArray *measured, GCancellable *cancellable, GError **error)
{
  PlumbTrialOptions options = { eval->options->with_texts, eval->options->plain };

  eval->trial = plumb_trial_new (&options);
  for (guint i = 0; eval->options->without != NULL && eval->options->without[i] != NULL; i++) {
    if (!plumb_trial_leave_out (eval->trial, eval->options->without[i], error))
      return FALSE;
  }
  for (guint i = 0; eval->options->catalogs[i] != NULL; i++) {
    if (!plumb_trial_add_catalogs (eval->trial, eval->options->catalogs[i], cancellable, error))
      return FALSE;
  }
  if (eval->options->copies != NULL && !add_copies (eval, error))
    return FALSE;
  if (eval->options->approved != NULL && !add_answered (eval, measured, error))
    return FALSE;
  if (eval->options->domains != NULL && !plumb_trial_add_domains (eval->trial, eval->options->domains, error))
    return FALSE;
  plumb_trial_prepare (eval->trial);
  eval->n_tables = plumb_trial_get_n_tables (eval->trial);
  return TRUE;
}

static gboolean
count_tables (Eval *eval, GError **error)
{
  g_autoptr (GPtrArray) sources = plumb_session_list_sources (eval->session, error);

  for (guint i = 0; sources != NULL && i < sources->len; i++)
    eval->n_tables += ((PlumbSourceRecord *) g_ptr_array_index (sources, i))->n_tables;
  return sources != NULL;
}

static gboolean
prepare (Eval *eval, GPtrArray *measured, GCancellable *cancellable, GError **error)
{
  if (eval->options->catalogs != NULL && eval->options->catalogs[0] != NULL)
    return prepare_trial (eval, measured, cancellable, error);
  if (eval->options->copies != NULL || eval->options->approved != NULL || eval->options->plain ||
      eval->options->domains != NULL || eval->options->without != NULL) {
    g_set_error_literal (error, PLUMB_ERROR, PLUMB_ERROR_INVALID_ARGUMENT,
                         "Copies, approved questions, domain files, the baseline and parts left out are measured on schema files: name "
                         "them with --catalog.");
    return FALSE;
  }
  return count_tables (eval, error);
}

static PlumbCandidates *
search (Eval *eval, const PlumbEvalQuestion *question, GCancellable *cancellable, GError **error)
{
  const char *alone[] = { question->database, NULL };
  const char *const *databases = eval->options->apart ? alone : NULL;

  if (eval->trial == NULL)
    return plumb_session_search (eval->session, question->text, databases, eval->depth, cancellable, error);
  if (!plumb_trial_has_database (eval->trial, question->database)) {
    g_set_error (error, PLUMB_ERROR, PLUMB_ERROR_NOT_FOUND,
                 "No schema file is of the database \"%s\" that question \"%s\" is about. Name its folder with "
                 "--catalog.", question->database, question->id);
    return NULL;
  }
  return plumb_trial_search (eval->trial, question->text, databases, eval->depth, cancellable, error);
}

static gboolean
same_name (const char *one, const char *other)
{
  g_autofree char *one_folded = g_utf8_casefold (one, -1);
  g_autofree char *other_folded = g_utf8_casefold (other, -1);

  return strcmp (one_folded, other_folded) == 0;
}

static gboolean
is_copy_of (const Eval *eval, const PlumbCandidate *candidate, const char *gold)
{
  const PlumbCard *card = candidate->card;
  g_autofree char *key = NULL;
  g_autofree char *with_schema = NULL;

  if (eval->copies != NULL) {
    key = copy_key (card->database, gold, card->name);
    return g_hash_table_contains (eval->copies, key);
  }
  with_schema = plumb_table_name_join (NULL, card->schema, gold);
  return card->copy_of != NULL && (same_name (card->copy_of, gold) || same_name (card->copy_of, with_schema));
}

static void
rank_gold (const Eval *eval, const PlumbEvalQuestion *question, const char *gold, PlumbCandidates *found,
           PlumbEvalResult *result)
{
  int place = plumb_candidates_find (found, question->database, gold);
  guint rank = place >= 0 ? (guint) place : PLUMB_EVAL_MISSED;
  gboolean copy_seen = FALSE;

  for (guint i = 0; i < MIN (rank, found->candidates->len) && !copy_seen; i++) {
    const PlumbCandidate *candidate = g_ptr_array_index (found->candidates, i);

    copy_seen = strcmp (candidate->card->database, question->database) == 0 &&
                is_copy_of (eval, candidate, gold);
  }
  result->copy_before_live = result->copy_before_live || copy_seen;
  g_array_append_val (result->ranks, rank);
}

static gboolean
measure (Eval *eval, const PlumbEvalQuestion *question, PlumbEvalSet *set, GCancellable *cancellable, GError **error)
{
  gint64 started = g_get_monotonic_time ();
  g_autoptr (PlumbCandidates) found = search (eval, question, cancellable, error);
  PlumbEvalResult *result;

  if (found == NULL)
    return FALSE;
  result = plumb_eval_result_new (question);
  result->elapsed_us = g_get_monotonic_time () - started;
  for (guint i = 0; question->gold_tables[i] != NULL; i++)
    rank_gold (eval, question, question->gold_tables[i], found, result);
  g_ptr_array_add (set->results, result);
  if (set->lists == NULL)
    set->lists = g_strdupv (found->lists);
  return TRUE;
}

static PlumbEvalSet *
measure_set (Eval *eval, const char *path, GPtrArray *questions, PlumbProgress progress, gpointer user_data,
             GCancellable *cancellable, GError **error)
{
  g_autofree char *name = g_path_get_basename (path);
  PlumbEvalSet *set;

  if (g_str_has_suffix (name, ".jsonl"))
    name[strlen (name) - strlen (".jsonl")] = '\0';
  set = plumb_eval_set_new (name);
  set->n_tables = eval->n_tables;
  if (eval->runner != NULL)
    set->answers = plumb_eval_answers_new ();
  for (guint i = 0; i < questions->len; i++) {
    if (progress != NULL)
      progress (name, i, questions->len, user_data);
    if (!measure (eval, g_ptr_array_index (questions, i), set, cancellable, error) ||
        (eval->runner != NULL &&
         !plumb_eval_runner_ask (eval->runner, g_ptr_array_index (questions, i), eval->options->apart,
                                 set->answers, cancellable, error))) {
      plumb_eval_set_free (set);
      return NULL;
    }
  }
  return set;
}

/**
 * plumb_eval_run:
 * @session: (nullable): the session whose index is searched; not needed with `catalogs`
 * @options: what to measure
 * @progress: (nullable) (scope call): told how far it is, in the calling thread
 * @cancellable: (nullable): a cancellable
 *
 * Searches for each question of each set and compares what was found with its gold tables; with
 * `answer` the whole loop answers as well, and its result is compared with the gold statement's.
 *
 * Returns: (transfer full): the report; %NULL with an error where a file can't be read, or
 *   G_IO_ERROR_CANCELLED
 */
PlumbEvalReport *
plumb_eval_run (PlumbSession *session, const PlumbEvalOptions *options, PlumbProgress progress, gpointer user_data,
                GCancellable *cancellable, GError **error)
{
  g_autoptr (PlumbEvalReport) report = plumb_eval_report_new (options->k);
  g_autoptr (GPtrArray) sets = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);
  g_auto (Eval) eval = { session, options };

  eval.depth = MAX (DEPTH, options->k);
  for (guint i = 0; options->sets[i] != NULL; i++) {
    GPtrArray *questions = plumb_eval_read_questions (options->sets[i], options->limit, error);

    if (questions == NULL)
      return NULL;
    g_ptr_array_add (sets, questions);
  }
  if (!prepare (&eval, sets, cancellable, error))
    return NULL;
  if (options->answer) {
    eval.runner = plumb_eval_runner_new (session, eval.trial == NULL, options->sets, sets, progress,
                                         user_data, cancellable, error);
    if (eval.runner == NULL)
      return NULL;
  }
  for (guint i = 0; i < sets->len; i++) {
    PlumbEvalSet *set = measure_set (&eval, options->sets[i], g_ptr_array_index (sets, i), progress, user_data,
                                     cancellable, error);

    if (set == NULL)
      return NULL;
    g_ptr_array_add (report->sets, set);
  }
  if (options->baseline != NULL && !plumb_eval_report_compare (report, options->baseline, error))
    return NULL;
  return g_steal_pointer (&report);
}
