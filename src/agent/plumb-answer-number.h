/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* How the digits of a written number can be read: 1.234 is a little more than one, or over a
 * thousand. */
#define PLUMB_MAX_READINGS 2

/**
 * PlumbWrittenNumber:
 * @start: byte offset in the text
 * @length: bytes, the sign among them, a unit not
 * @is_date: whether it is an ISO date, kept in @digits as it stands
 * @enclosed: whether it stands alone in brackets or quotes, as codes do: “open” (10)
 * @percent: whether a percent sign follows
 * @scale: what a unit after it multiplies it by ("1.2 million"), 1 for none
 * @n_readings: readings
 * @digits: each reading as plain digits with a point
 * @decimals: digits after the point, for each reading
 *
 * A number as it is written in a text.
 */
typedef struct {
  guint start;
  guint length;
  gboolean is_date;
  gboolean enclosed;
  gboolean percent;
  double scale;
  guint n_readings;
  char *digits[PLUMB_MAX_READINGS];
  int decimals[PLUMB_MAX_READINGS];
} PlumbWrittenNumber;

GPtrArray *plumb_written_numbers_find (const char *text);
void plumb_written_number_free (PlumbWrittenNumber *self);

G_END_DECLS
