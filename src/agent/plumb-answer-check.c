/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-answer-check.h"

#include "plumb-answer-number.h"

#include <math.h>
#include <string.h>

/* Cells that are looked at in one result, and those among which shares are looked for: a share is a
 * pair, so their number counts twice. */
#define MAX_CELLS 100000
#define MAX_SHARE_CELLS 200

/* Digits up to which two numbers may be compared as doubles. */
#define EXACT_DIGITS 15

/** plumb_answer_source_new: Returns: (transfer full): a source of numbers */
PlumbAnswerSource *
plumb_answer_source_new (PlumbResult *result, const char *sql, int step_number)
{
  PlumbAnswerSource *self = g_new0 (PlumbAnswerSource, 1);

  self->result = plumb_result_ref (result);
  self->sql = g_strdup (sql);
  self->step_number = step_number;
  return self;
}

/** plumb_answer_source_free: frees @self */
void
plumb_answer_source_free (PlumbAnswerSource *self)
{
  plumb_result_unref (self->result);
  g_free (self->sql);
  g_free (self);
}

/* A number's text without sign, zeros in front, and zeros behind the point: equal numbers get equal
 * texts. NULL where it is no plain number. */
static char *
normalize (const char *text, gsize length)
{
  g_autoptr (GString) plain = NULL;
  gboolean point = FALSE, digits = FALSE;
  gsize i = length > 0 && (text[0] == '-' || text[0] == '+') ? 1 : 0;

  while (i + 1 < length && text[i] == '0' && g_ascii_isdigit (text[i + 1]))
    i++;
  plain = g_string_new (NULL);
  for (; i < length; i++) {
    if (text[i] == '.' && !point)
      point = TRUE;
    else if (g_ascii_isdigit (text[i]))
      digits = TRUE;
    else
      return NULL;
    g_string_append_c (plain, text[i]);
  }
  while (point && plain->len > 0 && strchr ("0.", plain->str[plain->len - 1]) != NULL) {
    point = plain->str[plain->len - 1] != '.';
    g_string_truncate (plain, plain->len - 1);
  }
  return digits ? g_string_free (g_steal_pointer (&plain), FALSE) : NULL;
}

static gboolean
equals_text (const PlumbWrittenNumber *number, const char *text, gsize length)
{
  g_autofree char *plain = normalize (text, length);

  for (guint i = 0; plain != NULL && number->scale == 1 && i < number->n_readings; i++) {
    g_autofree char *reading = normalize (number->digits[i], strlen (number->digits[i]));

    if (g_strcmp0 (plain, reading) == 0)
      return TRUE;
  }
  return FALSE;
}

/* Whether @value, rounded as the number is written, is the number. */
static gboolean
rounds_to (const PlumbWrittenNumber *number, double value)
{
  for (guint i = 0; i < number->n_readings; i++) {
    double written = g_ascii_strtod (number->digits[i], NULL);
    double unit = pow (10, -number->decimals[i]) * number->scale;

    if (strlen (number->digits[i]) > EXACT_DIGITS)
      continue;
    if (fabs (written * number->scale - fabs (value)) <= unit / 2 * (1 + 1e-9))
      return TRUE;
  }
  return FALSE;
}

/* Whether a rounded number says enough to be told from chance: 0 is everything below a half. */
static gboolean
is_told_by_rounding (const PlumbWrittenNumber *number)
{
  return g_ascii_strtod (number->digits[0], NULL) != 0;
}

static gboolean
is_numeric (const PlumbCell *cell, double *value)
{
  char *end;

  if (cell->kind == PLUMB_VALUE_NULL || cell->kind == PLUMB_VALUE_BINARY || cell->length == 0 ||
      cell->length > 60)
    return FALSE;
  *value = g_ascii_strtod (cell->text, &end);
  return end == cell->text + cell->length && isfinite (*value);
}

static gboolean
date_stands_in (const PlumbWrittenNumber *number, const char *text)
{
  const char *found = text != NULL ? strstr (text, number->digits[0]) : NULL;

  return found != NULL && !g_ascii_isdigit (found[strlen (number->digits[0])]);
}

/* A bare year is told by a date in which it stands. */
static gboolean
year_stands_in (const PlumbWrittenNumber *number, const char *text)
{
  g_autofree char *prefix = NULL;
  const char *found;

  if (number->is_date || strlen (number->digits[0]) != 4 || number->decimals[0] != 0 ||
      text == NULL)
    return FALSE;
  prefix = g_strconcat (number->digits[0], "-", NULL);
  found = strstr (text, prefix);
  return found != NULL && (found == text || !g_ascii_isdigit (found[-1])) &&
         g_ascii_isdigit (found[5]);
}

/* A code in brackets or quotes is told by the statement in which it stands as a value. */
static gboolean
code_stands_in (const PlumbWrittenNumber *number, const char *sql)
{
  gsize length = strlen (number->digits[0]);

  if (!number->enclosed || number->is_date || sql == NULL)
    return FALSE;
  for (const char *at = strstr (sql, number->digits[0]); at != NULL;
       at = strstr (at + 1, number->digits[0])) {
    char before = at > sql ? at[-1] : ' ';
    char after = at[length];

    if (strchr ("'( =,<>", before) != NULL && (after == '\0' || strchr ("') ,;\n", after) != NULL))
      return TRUE;
  }
  return FALSE;
}

typedef gboolean (*CellTest) (const PlumbWrittenNumber *number, const PlumbCell *cell);

static gboolean
test_exact (const PlumbWrittenNumber *number, const PlumbCell *cell)
{
  if (cell->kind == PLUMB_VALUE_NULL)
    return FALSE;
  if (number->is_date)
    return date_stands_in (number, cell->text);
  return equals_text (number, cell->text, cell->length) || year_stands_in (number, cell->text);
}

static gboolean
test_rounded (const PlumbWrittenNumber *number, const PlumbCell *cell)
{
  double value;

  return !number->is_date && is_told_by_rounding (number) && is_numeric (cell, &value) &&
         rounds_to (number, value);
}

/* A share from 0 to 1 that is written in percent. */
static gboolean
test_percent (const PlumbWrittenNumber *number, const PlumbCell *cell)
{
  double value;

  return number->percent && is_told_by_rounding (number) && is_numeric (cell, &value) &&
         rounds_to (number, value * 100);
}

/* Digits inside of a text cell: "Branch 12" tells a 12. */
static gboolean
test_inside (const PlumbWrittenNumber *number, const PlumbCell *cell)
{
  const char *found;
  gsize length = strlen (number->digits[0]);

  if (number->is_date || cell->kind == PLUMB_VALUE_NULL || cell->kind == PLUMB_VALUE_BINARY)
    return FALSE;
  for (found = strstr (cell->text, number->digits[0]); found != NULL;
       found = strstr (found + 1, number->digits[0])) {
    if ((found == cell->text || !g_ascii_isdigit (found[-1])) && !g_ascii_isdigit (found[length]))
      return TRUE;
  }
  return FALSE;
}

static gboolean
any_cell (const PlumbWrittenNumber *number, PlumbResult *result, CellTest test)
{
  guint n_columns = plumb_result_get_n_columns (result);
  gint64 n_rows = n_columns > 0 ? MIN (plumb_result_get_n_rows (result), MAX_CELLS / n_columns) : 0;

  for (gint64 row = 0; row < n_rows; row++) {
    for (guint column = 0; column < n_columns; column++) {
      if (test (number, plumb_result_get_cell (result, row, column)))
        return TRUE;
    }
  }
  return FALSE;
}

/* A number in percent that is one value of the result divided by another. */
static gboolean
is_share (const PlumbWrittenNumber *number, PlumbResult *result)
{
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (double));
  guint n_columns = plumb_result_get_n_columns (result);

  if (!number->percent || !is_told_by_rounding (number))
    return FALSE;
  for (gint64 row = 0; row < plumb_result_get_n_rows (result) && values->len < MAX_SHARE_CELLS;
       row++) {
    for (guint column = 0; column < n_columns; column++) {
      double value;

      if (is_numeric (plumb_result_get_cell (result, row, column), &value) && value != 0)
        g_array_append_val (values, value);
    }
  }
  for (guint i = 0; i < values->len; i++) {
    for (guint j = 0; j < values->len; j++) {
      if (i != j && rounds_to (number, g_array_index (values, double, i) /
                                           g_array_index (values, double, j) * 100))
        return TRUE;
    }
  }
  return FALSE;
}

static gboolean
is_row_count (const PlumbWrittenNumber *number, PlumbResult *result)
{
  g_autofree char *count = g_strdup_printf ("%" G_GINT64_FORMAT, plumb_result_get_n_rows (result));

  return !plumb_result_get_truncated (result) && !number->percent &&
         equals_text (number, count, strlen (count));
}

/* The ways in which a result can tell a number, the surest first. */
static gboolean
is_told (const PlumbWrittenNumber *number, const PlumbAnswerSource *source, guint way)
{
  switch (way) {
  case 0:
    return any_cell (number, source->result, test_exact);
  case 1:
    return any_cell (number, source->result, test_rounded);
  case 2:
    return any_cell (number, source->result, test_percent);
  case 3:
    return is_row_count (number, source->result);
  case 4:
    return any_cell (number, source->result, test_inside);
  case 5:
    return is_share (number, source->result);
  default:
    return (number->is_date && date_stands_in (number, source->sql)) ||
           year_stands_in (number, source->sql) ||
           code_stands_in (number, source->sql);
  }
}

#define N_WAYS 7

static gboolean
find_in_results (const PlumbWrittenNumber *number, GPtrArray *sources, PlumbAnswerNumber *found)
{
  for (guint way = 0; way < N_WAYS; way++) {
    for (guint i = sources->len; i > 0; i--) {
      const PlumbAnswerSource *source = g_ptr_array_index (sources, i - 1);

      if (!is_told (number, source, way))
        continue;
      found->found = TRUE;
      found->audit_id = plumb_result_get_audit_id (source->result);
      found->step_number = source->step_number;
      return TRUE;
    }
  }
  return FALSE;
}

/* Numbers of the question may be said again. */
static gboolean
is_in_question (const PlumbWrittenNumber *number, const char *question, GPtrArray *asked)
{
  if (number->is_date)
    return date_stands_in (number, question);
  for (guint i = 0; i < asked->len; i++) {
    const PlumbWrittenNumber *other = g_ptr_array_index (asked, i);

    for (guint reading = 0; reading < other->n_readings && !other->is_date; reading++) {
      if (other->scale == number->scale &&
          equals_text (number, other->digits[reading], strlen (other->digits[reading])))
        return TRUE;
    }
  }
  return year_stands_in (number, question);
}

/**
 * plumb_answer_check:
 * @answer: the model's last words
 * @question: the question
 * @sources: (element-type PlumbAnswerSource): results of the turn
 *
 * Looks for each number of the answer in the turn's results (DESIGN section 8): as it stands, with
 * other separators, rounded as it is written, with a unit such as "million", as a share in percent,
 * as a count of rows, or as a number of the question. Dates, and codes in brackets, may also come
 * from the statement.
 *
 * Returns: (transfer full) (element-type PlumbAnswerNumber): the numbers in their order; what was
 *   not found is marked
 */
GPtrArray *
plumb_answer_check (const char *answer, const char *question, GPtrArray *sources)
{
  g_autoptr (GPtrArray) written = plumb_written_numbers_find (answer);
  g_autoptr (GPtrArray) asked = plumb_written_numbers_find (question);
  GPtrArray *numbers = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < written->len; i++) {
    const PlumbWrittenNumber *number = g_ptr_array_index (written, i);
    PlumbAnswerNumber *found = g_new0 (PlumbAnswerNumber, 1);

    found->start = number->start;
    found->length = number->length;
    if (!find_in_results (number, sources, found))
      found->found = is_in_question (number, question, asked);
    g_ptr_array_add (numbers, found);
  }
  return numbers;
}
