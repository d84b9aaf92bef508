/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-answer-check.h"

#include <string.h>

/* Makes a result of @n_columns columns out of @cells, row by row. */
static PlumbResult *
make_result (gint64 audit_id, guint n_columns, const char *const *cells)
{
  PlumbResult *result = plumb_result_new (NULL);
  PlumbRowSink sink = plumb_result_get_sink (result);
  g_autoptr (GPtrArray) columns =
      g_ptr_array_new_with_free_func ((GDestroyNotify) plumb_result_column_free);

  for (guint i = 0; i < n_columns; i++)
    g_ptr_array_add (columns, plumb_result_column_new ("c", "NUMERIC", PLUMB_VALUE_DECIMAL));
  g_assert_true (sink.columns (columns, sink.user_data, NULL));
  for (guint i = 0; cells[i] != NULL; i += n_columns) {
    g_autofree PlumbCell *row = g_new0 (PlumbCell, n_columns);

    for (guint j = 0; j < n_columns; j++)
      row[j] = (PlumbCell) { cells[i + j], strlen (cells[i + j]), PLUMB_VALUE_DECIMAL, FALSE };
    g_assert_cmpint (sink.row (row, n_columns, sink.user_data, NULL), ==, PLUMB_ROWS_CONTINUE);
  }
  plumb_result_set_audit_id (result, audit_id);
  return result;
}

static GPtrArray *
make_sources (guint n_columns, const char *const *cells, const char *sql)
{
  GPtrArray *sources = g_ptr_array_new_with_free_func ((GDestroyNotify) plumb_answer_source_free);
  g_autoptr (PlumbResult) result = make_result (7, n_columns, cells);

  g_ptr_array_add (sources, plumb_answer_source_new (result, sql, 3));
  return sources;
}

/* The numbers of @answer as "1,234+" where they were found and "1,234?" where they weren't. */
static char *
check (const char *answer, const char *question, GPtrArray *sources)
{
  g_autoptr (GPtrArray) numbers = plumb_answer_check (answer, question, sources);
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < numbers->len; i++) {
    const PlumbAnswerNumber *number = g_ptr_array_index (numbers, i);

    g_string_append_printf (text, "%s%.*s%s", i > 0 ? " | " : "", (int) number->length,
                            answer + number->start, number->found ? "+" : "?");
    if (number->audit_id != 0) {
      g_assert_cmpint (number->audit_id, ==, 7);
      g_assert_cmpint (number->step_number, ==, 3);
    }
  }
  return g_string_free (text, FALSE);
}

static void
assert_check (const char *answer, const char *expected)
{
  static const char *const cells[] = { "320",        "1234567.894", "0.12345", "9007199254740993",
                                       "2026-10-31", "40",          NULL };
  g_autoptr (GPtrArray) sources = make_sources (6, cells, "SELECT 1 WHERE d < '2025-03-01'");
  g_autofree char *found = check (answer, "Orders over 30 days, by 5.000 EUR, in 2024?", sources);

  g_assert_cmpstr (found, ==, expected);
}

static void
test_formats (void)
{
  assert_check ("There are 320 orders.", "320+");
  assert_check ("There are 321 orders.", "321?");
  assert_check ("**1,234,567.894**", "1,234,567.894+");
  assert_check ("1.234.567,894 Euro", "1.234.567,894+");
  assert_check ("1 234 567,89 €", "1 234 567,89+");
  assert_check ("1'234'567.9", "1'234'567.9+");
  assert_check ("about 1,234,568", "1,234,568+");
  assert_check ("about 1.23 million", "1.23+");
  assert_check ("1.2M in total", "1.2+");
  assert_check ("123만 원", "123+");
  assert_check ("about 1.24 million", "1.24?");
  assert_check ("-320", "-320+");
}

static void
test_exact (void)
{
  /* A double can't tell these two apart. */
  assert_check ("9007199254740993", "9007199254740993+");
  assert_check ("9,007,199,254,740,992", "9,007,199,254,740,992?");
}

static void
test_percent (void)
{
  assert_check ("12.3% of them", "12.3+");
}

static void
test_question_and_dates (void)
{
  assert_check ("for more than 30 days", "30+");
  assert_check ("over 5,000 EUR", "5,000+");
  assert_check ("before 2026-10-31", "2026-10-31+");
  assert_check ("since 2025-03-01", "2025-03-01+");
  assert_check ("since 2025-03-02", "2025-03-02?");
  assert_check ("in 2026 and in 2024", "2026+ | 2024+");
  assert_check ("in 2019", "2019?");
}

static void
test_codes (void)
{
  static const char *const cells[] = { "320", NULL };
  g_autoptr (GPtrArray) sources =
      make_sources (1, cells, "SELECT COUNT(*) FROM t WHERE s = '10' AND n > 7 AND c12 = 1");
  g_autofree char *found = check ("320 are “open” (10), of “7”; (12) and 10", "How many?", sources);

  g_assert_cmpstr (found, ==, "320+ | 10+ | 7+ | 12? | 10?");
}

static void
test_left_out (void)
{
  assert_check (
      "1. From ORD_MST_202312 and Q3\n2. `LIMIT 500` and\n```sql\nSELECT 99\n```\nhence 320.",
      "320+");
  assert_check ("", "");
  assert_check ("` 12", "12?");
}

static void
test_shares_and_counts (void)
{
  static const char *const cells[] = { "25", "200", "75", NULL };
  g_autoptr (GPtrArray) sources = make_sources (1, cells, "SELECT n FROM t");
  g_autofree char *share = check ("12.5%, one of 3 groups; 13.5%", "How many?", sources);
  g_autofree char *none = check ("12.5 and 3", "How many?", sources);

  g_assert_cmpstr (share, ==, "12.5+ | 3+ | 13.5?");
  g_assert_cmpstr (none, ==, "12.5? | 3+");
}

static void
test_no_results (void)
{
  g_autoptr (GPtrArray) sources = g_ptr_array_new ();
  g_autofree char *found = check ("There are 42, of 7.", "Of 7?", sources);

  g_assert_cmpstr (found, ==, "42? | 7+");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/answer-check/formats", test_formats);
  g_test_add_func ("/answer-check/exact", test_exact);
  g_test_add_func ("/answer-check/percent", test_percent);
  g_test_add_func ("/answer-check/question-and-dates", test_question_and_dates);
  g_test_add_func ("/answer-check/codes", test_codes);
  g_test_add_func ("/answer-check/left-out", test_left_out);
  g_test_add_func ("/answer-check/shares-and-counts", test_shares_and_counts);
  g_test_add_func ("/answer-check/no-results", test_no_results);
  return g_test_run ();
}
