/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-answer-check.h"

#include <stdint.h>
#include <string.h>

/* A question and an answer, a line feed between. The numbers found stand in the answer, in their
 * order, and begin with a digit or a sign. */

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autofree char *text = g_utf8_make_valid ((const char *) data, size);
  char *line_end = strchr (text, '\n');
  const char *answer = line_end != NULL ? line_end + 1 : text;
  g_autoptr (GPtrArray) sources = g_ptr_array_new ();
  g_autoptr (GPtrArray) numbers = NULL;
  gsize end = 0;

  if (line_end != NULL)
    *line_end = '\0';
  numbers = plumb_answer_check (answer, text, sources);
  for (guint i = 0; i < numbers->len; i++) {
    const PlumbAnswerNumber *number = g_ptr_array_index (numbers, i);

    g_assert_cmpuint (number->start, >=, end);
    g_assert_cmpuint (number->length, >, 0);
    end = number->start + number->length;
    g_assert_cmpuint (end, <=, strlen (answer));
    g_assert_true (g_ascii_isdigit (answer[number->start]) || answer[number->start] == '-');
    g_assert_true (g_utf8_validate (answer + number->start, number->length, NULL));
  }
  return 0;
}
