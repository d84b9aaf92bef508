/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-eval-private.h"

#include <string.h>

static void
result_free (PlumbEvalResult *self)
{
  g_free (self->id);
  g_free (self->language);
  g_array_unref (self->ranks);
  g_free (self);
}

/** plumb_eval_result_new: Returns: (transfer full): a result for @question without ranks */
PlumbEvalResult *
plumb_eval_result_new (const PlumbEvalQuestion *question)
{
  PlumbEvalResult *self = g_new0 (PlumbEvalResult, 1);

  self->id = g_strdup (question->id);
  self->language = g_strdup (question->language);
  self->ranks = g_array_new (FALSE, FALSE, sizeof (guint));
  return self;
}

/** plumb_eval_set_new: Returns: (transfer full): a set without results */
PlumbEvalSet *
plumb_eval_set_new (const char *name)
{
  PlumbEvalSet *self = g_new0 (PlumbEvalSet, 1);

  self->name = g_strdup (name);
  self->results = g_ptr_array_new_with_free_func ((GDestroyNotify) result_free);
  return self;
}

/** plumb_eval_set_free: frees it */
void
plumb_eval_set_free (PlumbEvalSet *self)
{
  g_free (self->name);
  g_ptr_array_unref (self->results);
  g_strfreev (self->lists);
  g_clear_pointer (&self->better, g_ptr_array_unref);
  g_clear_pointer (&self->worse, g_ptr_array_unref);
  plumb_eval_answers_free (self->answers);
  g_free (self);
}

static int
compare_cuts (gconstpointer a, gconstpointer b)
{
  return (int) *(const guint *) a - (int) *(const guint *) b;
}

/** plumb_eval_report_new: Returns: (transfer full): a report that counts @k places beside the usual */
PlumbEvalReport *
plumb_eval_report_new (guint k)
{
  PlumbEvalReport *self = g_new0 (PlumbEvalReport, 1);
  const guint usual[] = { 5, 8, 15 };

  self->sets = g_ptr_array_new_with_free_func ((GDestroyNotify) plumb_eval_set_free);
  self->cuts = g_array_new (FALSE, FALSE, sizeof (guint));
  self->k = k > 0 ? k : 8;
  g_array_append_vals (self->cuts, usual, G_N_ELEMENTS (usual));
  if (self->k != 5 && self->k != 8 && self->k != 15)
    g_array_append_val (self->cuts, self->k);
  g_array_sort (self->cuts, compare_cuts);
  return self;
}

/** plumb_eval_report_free: frees it */
void
plumb_eval_report_free (PlumbEvalReport *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->sets);
  g_array_unref (self->cuts);
  g_free (self);
}

static guint
count_found (const PlumbEvalResult *result, guint k)
{
  guint n = 0;

  for (guint i = 0; i < result->ranks->len; i++)
    n += g_array_index (result->ranks, guint, i) < k;
  return n;
}

/** plumb_eval_result_complete: Returns: whether all gold tables are among the first @k */
gboolean
plumb_eval_result_complete (const PlumbEvalResult *self, guint k)
{
  return count_found (self, k) == self->ranks->len;
}

static double
get_recall (const PlumbEvalSet *set, guint k)
{
  double sum = 0;

  for (guint i = 0; i < set->results->len; i++) {
    const PlumbEvalResult *result = g_ptr_array_index (set->results, i);

    sum += (double) count_found (result, k) / result->ranks->len;
  }
  return set->results->len > 0 ? sum / set->results->len : 0;
}

static double
get_complete (const PlumbEvalSet *set, guint k, const char *language)
{
  guint n = 0, complete = 0;

  for (guint i = 0; i < set->results->len; i++) {
    const PlumbEvalResult *result = g_ptr_array_index (set->results, i);

    if (language != NULL && strcmp (language, result->language) != 0)
      continue;
    n++;
    complete += plumb_eval_result_complete (result, k);
  }
  return n > 0 ? (double) complete / n : 0;
}

/* Mean reciprocal rank of the best-placed gold table. */
static double
get_mrr (const PlumbEvalSet *set)
{
  double sum = 0;

  for (guint i = 0; i < set->results->len; i++) {
    const PlumbEvalResult *result = g_ptr_array_index (set->results, i);
    guint best = PLUMB_EVAL_MISSED;

    for (guint j = 0; j < result->ranks->len; j++)
      best = MIN (best, g_array_index (result->ranks, guint, j));
    if (best != PLUMB_EVAL_MISSED)
      sum += 1.0 / (best + 1);
  }
  return set->results->len > 0 ? sum / set->results->len : 0;
}

static double
get_copies_before_live (const PlumbEvalSet *set)
{
  guint n = 0;

  for (guint i = 0; i < set->results->len; i++)
    n += ((PlumbEvalResult *) g_ptr_array_index (set->results, i))->copy_before_live;
  return set->results->len > 0 ? (double) n / set->results->len : 0;
}

static int
compare_times (gconstpointer a, gconstpointer b)
{
  gint64 one = *(const gint64 *) a, other = *(const gint64 *) b;

  return one < other ? -1 : one > other;
}

/* The time that @share of the searches kept within, in milliseconds. */
static double
get_latency (const PlumbEvalSet *set, double share)
{
  g_autoptr (GArray) times = g_array_new (FALSE, FALSE, sizeof (gint64));

  for (guint i = 0; i < set->results->len; i++)
    g_array_append_val (times, ((PlumbEvalResult *) g_ptr_array_index (set->results, i))->elapsed_us);
  g_array_sort (times, compare_times);
  return times->len > 0 ? g_array_index (times, gint64, MIN ((guint) (share * times->len), times->len - 1)) / 1000.0 : 0;
}

/** plumb_eval_report_get_complete: Returns: share of questions of a set with all gold tables in the
 *  first @k */
double
plumb_eval_report_get_complete (PlumbEvalReport *self, guint set, guint k)
{
  g_return_val_if_fail (set < self->sets->len, 0);
  return get_complete (g_ptr_array_index (self->sets, set), k, NULL);
}

static GPtrArray *
list_languages (const PlumbEvalSet *set)
{
  GPtrArray *languages = g_ptr_array_new ();

  for (guint i = 0; i < set->results->len; i++) {
    const PlumbEvalResult *result = g_ptr_array_index (set->results, i);

    if (*result->language != '\0' && !g_ptr_array_find_with_equal_func (languages, result->language, g_str_equal, NULL))
      g_ptr_array_add (languages, result->language);
  }
  return languages;
}

static void
write_double (PlumbJsonWriter *writer, const char *name, double value)
{
  char digits[G_ASCII_DTOSTR_BUF_SIZE];

  g_ascii_formatd (digits, sizeof digits, "%.4f", value);
  plumb_json_writer_name (writer, name);
  plumb_json_writer_number (writer, digits);
}

static void
write_cuts (PlumbEvalReport *self, PlumbJsonWriter *writer, const PlumbEvalSet *set, gboolean complete)
{
  plumb_json_writer_name (writer, complete ? "complete" : "recall");
  plumb_json_writer_begin_object (writer);
  for (guint i = 0; i < self->cuts->len; i++) {
    guint k = g_array_index (self->cuts, guint, i);
    g_autofree char *name = g_strdup_printf ("%u", k);

    write_double (writer, name, complete ? get_complete (set, k, NULL) : get_recall (set, k));
  }
  plumb_json_writer_end_object (writer);
}

static void
write_results (PlumbJsonWriter *writer, const PlumbEvalSet *set)
{
  plumb_json_writer_name (writer, "results");
  plumb_json_writer_begin_array (writer);
  for (guint i = 0; i < set->results->len; i++) {
    const PlumbEvalResult *result = g_ptr_array_index (set->results, i);

    plumb_json_writer_begin_object (writer);
    plumb_json_writer_name (writer, "id");
    plumb_json_writer_string (writer, result->id);
    plumb_json_writer_name (writer, "ranks");
    plumb_json_writer_begin_array (writer);
    for (guint j = 0; j < result->ranks->len; j++) {
      guint rank = g_array_index (result->ranks, guint, j);

      if (rank == PLUMB_EVAL_MISSED)
        plumb_json_writer_null (writer);
      else
        plumb_json_writer_int (writer, rank + 1);
    }
    plumb_json_writer_end_array (writer);
    plumb_json_writer_end_object (writer);
  }
  plumb_json_writer_end_array (writer);
}

static void
write_ids (PlumbJsonWriter *writer, const char *name, GPtrArray *ids)
{
  plumb_json_writer_name (writer, name);
  plumb_json_writer_begin_array (writer);
  for (guint i = 0; i < ids->len; i++)
    plumb_json_writer_string (writer, g_ptr_array_index (ids, i));
  plumb_json_writer_end_array (writer);
}

static void
write_languages (PlumbEvalReport *self, PlumbJsonWriter *writer, const PlumbEvalSet *set)
{
  g_autoptr (GPtrArray) languages = list_languages (set);

  plumb_json_writer_name (writer, "complete_by_language");
  plumb_json_writer_begin_object (writer);
  for (guint i = 0; i < languages->len; i++)
    write_double (writer, g_ptr_array_index (languages, i), get_complete (set, self->k, g_ptr_array_index (languages, i)));
  plumb_json_writer_end_object (writer);
}

static void
write_set (PlumbEvalReport *self, PlumbJsonWriter *writer, const PlumbEvalSet *set)
{
  plumb_json_writer_begin_object (writer);
  plumb_json_writer_name (writer, "set");
  plumb_json_writer_string (writer, set->name);
  plumb_json_writer_name (writer, "questions");
  plumb_json_writer_int (writer, set->results->len);
  write_cuts (self, writer, set, FALSE);
  write_cuts (self, writer, set, TRUE);
  write_double (writer, "mrr", get_mrr (set));
  write_double (writer, "copies_before_live", get_copies_before_live (set));
  plumb_json_writer_name (writer, "latency_ms");
  plumb_json_writer_begin_object (writer);
  write_double (writer, "p50", get_latency (set, 0.5));
  write_double (writer, "p95", get_latency (set, 0.95));
  plumb_json_writer_end_object (writer);
  plumb_json_writer_name (writer, "tables");
  plumb_json_writer_int (writer, set->n_tables);
  plumb_json_writer_name (writer, "lists");
  if (set->lists != NULL) {
    plumb_json_writer_strv (writer, (const char *const *) set->lists);
  } else {
    plumb_json_writer_begin_array (writer);
    plumb_json_writer_end_array (writer);
  }
  write_languages (self, writer, set);
  if (set->better != NULL) {
    write_ids (writer, "better", set->better);
    write_ids (writer, "worse", set->worse);
  }
  if (set->answers != NULL)
    plumb_eval_answers_write_json (set->answers, writer);
  write_results (writer, set);
  plumb_json_writer_end_object (writer);
}

/** plumb_eval_report_to_json: Returns: (transfer full): the report as JSON, which a later run can be
 *  compared with */
char *
plumb_eval_report_to_json (PlumbEvalReport *self)
{
  g_autoptr (PlumbJsonWriter) writer = plumb_json_writer_new ();

  plumb_json_writer_begin_object (writer);
  plumb_json_writer_name (writer, "sets");
  plumb_json_writer_begin_array (writer);
  for (guint i = 0; i < self->sets->len; i++)
    write_set (self, writer, g_ptr_array_index (self->sets, i));
  plumb_json_writer_end_array (writer);
  plumb_json_writer_end_object (writer);
  return plumb_json_writer_finish (writer);
}

/** plumb_eval_report_to_text: Returns: (transfer full): the report as a table to read */
char *
plumb_eval_report_to_text (PlumbEvalReport *self)
{
  g_autoptr (GString) text = g_string_new (NULL);

  g_string_append_printf (text, "%-24s %9s %7s", "set", "questions", "tables");
  for (guint i = 0; i < self->cuts->len; i++)
    g_string_append_printf (text, "   all@%-3u", g_array_index (self->cuts, guint, i));
  g_string_append_printf (text, " %6s@%-2u %6s %7s %8s %8s\n", "recall", self->k, "mrr", "copies", "p50 ms", "p95 ms");
  for (guint i = 0; i < self->sets->len; i++) {
    const PlumbEvalSet *set = g_ptr_array_index (self->sets, i);

    g_string_append_printf (text, "%-24s %9u %7u", set->name, set->results->len, set->n_tables);
    for (guint j = 0; j < self->cuts->len; j++)
      g_string_append_printf (text, " %9.3f", get_complete (set, g_array_index (self->cuts, guint, j), NULL));
    g_string_append_printf (text, " %9.3f %6.3f %7.3f %8.2f %8.2f\n", get_recall (set, self->k), get_mrr (set),
                            get_copies_before_live (set), get_latency (set, 0.5), get_latency (set, 0.95));
    if (set->answers != NULL)
      plumb_eval_answers_append_text (set->answers, text);
    if (set->better != NULL)
      g_string_append_printf (text, "  against the baseline: %u better, %u worse\n", set->better->len, set->worse->len);
    for (guint j = 0; set->worse != NULL && j < set->worse->len; j++)
      g_string_append_printf (text, "    worse: %s\n", (char *) g_ptr_array_index (set->worse, j));
  }
  return g_string_free (g_steal_pointer (&text), FALSE);
}
