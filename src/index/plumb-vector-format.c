/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-vectors-private.h"

#include <math.h>

/* A number is 256 × high + low steps. The high byte stays within ±127, so that no kernel of the
 * scan can overflow; the low byte is rounded to the nearest, so that the high bytes alone are the
 * vector rounded to int8. */
#define MAX_HIGH 127
#define MAX_STEPS (MAX_HIGH * 256)

/**
 * plumb_vector_split:
 * @vector: (array length=n_dimensions): finite numbers
 * @high: (array length=n_dimensions): set to the high bytes, from -127 to 127
 * @low: (array length=n_dimensions): set to the low bytes
 *
 * Rounds a vector to 16 bits a number with a scale of its own.
 *
 * Returns: the scale: what a step of the low byte is worth; 0 for a vector of zeros
 */
float
plumb_vector_split (const float *vector, guint n_dimensions, gint8 *high, gint8 *low)
{
  float most = 0;
  float scale;

  for (guint i = 0; i < n_dimensions; i++)
    most = MAX (most, fabsf (vector[i]));
  scale = most / MAX_STEPS;
  for (guint i = 0; i < n_dimensions; i++) {
    long steps = scale > 0 ? lrintf (CLAMP (vector[i] / scale, -MAX_STEPS, MAX_STEPS)) : 0;
    long upper = (steps + 128 + 65536) / 256 - 256;

    high[i] = (gint8) upper;
    low[i] = (gint8) (steps - upper * 256);
  }
  return scale;
}

/** plumb_vector_join: sets @vector to what plumb_vector_split() split, to within half a step */
void
plumb_vector_join (const gint8 *high, const gint8 *low, guint n_dimensions, float scale, float *vector)
{
  for (guint i = 0; i < n_dimensions; i++)
    vector[i] = scale * (float) (high[i] * 256 + low[i]);
}
