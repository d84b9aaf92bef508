/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-eval-private.h"

static int
compare_numbers (gconstpointer a, gconstpointer b)
{
  double one = *(const double *) a, other = *(const double *) b;

  return one < other ? -1 : one > other;
}

/* The number that @share of them don't exceed. */
static double
get_quantile (const GArray *numbers, double share)
{
  g_autoptr (GArray) sorted = g_array_copy ((GArray *) numbers);

  g_array_sort (sorted, compare_numbers);
  return sorted->len > 0
             ? g_array_index (sorted, double, MIN ((guint) (share * sorted->len), sorted->len - 1))
             : 0;
}

static double
get_share (guint part, guint whole)
{
  return whole > 0 ? (double) part / whole : 0;
}

static void
write_number (PlumbJsonWriter *writer, const char *name, double number)
{
  char digits[G_ASCII_DTOSTR_BUF_SIZE];

  g_ascii_formatd (digits, sizeof digits, "%.4f", number);
  plumb_json_writer_name (writer, name);
  plumb_json_writer_number (writer, digits);
}

static void
write_spread (PlumbJsonWriter *writer, const char *name, const GArray *numbers)
{
  plumb_json_writer_name (writer, name);
  plumb_json_writer_begin_object (writer);
  write_number (writer, "median", get_quantile (numbers, 0.5));
  write_number (writer, "p95", get_quantile (numbers, 0.95));
  plumb_json_writer_end_object (writer);
}

/** plumb_eval_answers_write_json: writes the members that `--answer` adds to a set: of the questions
 *  asked the shares with a statement that ran, with its result equal to the gold one, and with an
 *  answer; of those answered the share that is equal */
void
plumb_eval_answers_write_json (const PlumbEvalAnswers *self, PlumbJsonWriter *writer)
{
  guint n = self->seconds->len;

  plumb_json_writer_name (writer, "asked");
  plumb_json_writer_int (writer, n);
  write_number (writer, "executed", get_share (self->n_executed, n));
  write_number (writer, "equal", get_share (self->n_equal, n));
  write_number (writer, "answered", get_share (self->n_answered, n));
  write_number (writer, "precision", get_share (self->n_equal, self->n_answered));
  write_spread (writer, "statements", self->statements);
  write_spread (writer, "rounds", self->rounds);
  write_spread (writer, "tokens", self->tokens);
  write_spread (writer, "seconds", self->seconds);
}

/** plumb_eval_answers_append_text: adds a line to read to @text */
void
plumb_eval_answers_append_text (const PlumbEvalAnswers *self, GString *text)
{
  guint n = self->seconds->len;

  g_string_append_printf (text, "  asked %u: executed %.3f, answered %.3f, equal %.3f, precision %.3f; "
                          "statements %.0f (%.0f), rounds %.0f (%.0f), tokens %.0f (%.0f), seconds %.2f (%.2f), "
                          "as median (p95)\n",
                          n, get_share (self->n_executed, n), get_share (self->n_answered, n),
                          get_share (self->n_equal, n), get_share (self->n_equal, self->n_answered),
                          get_quantile (self->statements, 0.5), get_quantile (self->statements, 0.95),
                          get_quantile (self->rounds, 0.5), get_quantile (self->rounds, 0.95),
                          get_quantile (self->tokens, 0.5), get_quantile (self->tokens, 0.95),
                          get_quantile (self->seconds, 0.5), get_quantile (self->seconds, 0.95));
}
