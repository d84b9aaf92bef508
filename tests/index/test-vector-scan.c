/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-vector-scan.h"

#include "plumb-vectors-private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Scans @n_vectors of @n_dimensions numbers with every kernel of this processor; each product must be
 * the one that 64-bit arithmetic gives. @extreme: only -127, 0 and 127. */
static void
check_kernels (GRand *rand, guint n_vectors, guint n_dimensions, gboolean extreme)
{
  gsize stride = plumb_vector_get_stride (n_dimensions);
  gint8 *vectors = plumb_vector_alloc (n_vectors * stride);
  gint8 *question = plumb_vector_alloc (stride);
  g_autofree gint32 *products = g_new (gint32, n_vectors + 1);

  for (guint j = 0; j < n_dimensions; j++)
    question[j] = (gint8) (extreme ? 127 * g_rand_int_range (rand, -1, 2) : g_rand_int_range (rand, -127, 128));
  for (guint i = 0; i < n_vectors; i++) {
    for (guint j = 0; j < n_dimensions; j++)
      vectors[i * stride + j] = (gint8) (extreme ? 127 * g_rand_int_range (rand, -1, 2) : g_rand_int_range (rand, -127, 128));
  }
  if (extreme && n_vectors > 1) {
    for (guint j = 0; j < n_dimensions; j++) {
      question[j] = j % 3 == 0 ? -127 : 127;
      vectors[j] = question[j];
      vectors[stride + j] = (gint8) -question[j];
    }
  }
  for (int kernel = 0; kernel < PLUMB_N_KERNELS; kernel++) {
    if (!plumb_kernel_is_available (kernel))
      continue;
    for (guint i = 0; i <= n_vectors; i++)
      products[i] = 4711;
    plumb_vector_scan (kernel, vectors, n_vectors, stride, question, products);
    for (guint i = 0; i < n_vectors; i++) {
      gint64 expected = 0;

      for (guint j = 0; j < n_dimensions; j++)
        expected += (gint64) vectors[i * stride + j] * question[j];
      g_assert_cmpint (products[i], ==, expected);
    }
    g_assert_cmpint (products[n_vectors], ==, 4711);
  }
  g_aligned_free (vectors);
  g_aligned_free (question);
}

static void
test_kernels (void)
{
  static const guint dimensions[] = { 1, 2, 3, 15, 16, 17, 31, 63, 64, 65, 100, 127, 128, 129, 191, 192, 193,
                                      384, 511, 768, 1000, 1023, 1024, 1025, 1536, 4096 };
  g_autoptr (GRand) rand = g_rand_new_with_seed (11);

  for (guint i = 0; i < G_N_ELEMENTS (dimensions); i++) {
    for (guint n = 0; n < 6; n++) {
      check_kernels (rand, n * n, dimensions[i], FALSE);
      check_kernels (rand, n * n, dimensions[i], TRUE);
    }
  }
  check_kernels (rand, 3, PLUMB_VECTOR_MAX_DIMENSIONS, TRUE);
}

/* The plain kernel is there on every machine, and the one that is chosen is there on this one. */
static void
test_choice (void)
{
  g_assert_true (plumb_kernel_is_available (PLUMB_KERNEL_PLAIN));
  g_assert_true (plumb_kernel_is_available (plumb_kernel_get_best ()));
  for (int kernel = plumb_kernel_get_best () + 1; kernel < PLUMB_N_KERNELS; kernel++)
    g_assert_false (plumb_kernel_is_available (kernel));
}

static int
compare_scores (gconstpointer a, gconstpointer b, gpointer data)
{
  const float *scores = data;
  guint32 one = *(const guint32 *) a, other = *(const guint32 *) b;

  return scores[one] > scores[other] ? -1 : scores[one] < scores[other];
}

static void
test_find_best (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (5);
  float scores[500];
  guint32 order[500], best[500];

  for (guint round = 0; round < 300; round++) {
    guint n = g_rand_int_range (rand, 0, 500), wanted = g_rand_int_range (rand, 0, 100), n_counting = 0;

    for (guint i = 0; i < n; i++) {
      scores[i] = g_rand_int_range (rand, 0, 4) == 0 ? -G_MAXFLOAT : g_rand_int_range (rand, -50, 50);
      if (scores[i] > -G_MAXFLOAT)
        order[n_counting++] = i;
    }
    g_qsort_with_data (order, n_counting, sizeof *order, compare_scores, scores);
    g_assert_cmpuint (plumb_vector_find_best (scores, n, wanted, best), ==, MIN (wanted, n_counting));
    for (guint i = 0; i < MIN (wanted, n_counting); i++)
      g_assert_cmpfloat (scores[best[i]], ==, scores[order[i]]);
  }
}

/* The best 60 by rounded vectors, scored again by 16 bits a number, hold the best 30 of an exact search in
 * float: vectors of a few latent directions in overlapping clusters, as embeddings are. */
#define N_VECTORS 3000
#define N_DIMENSIONS 256
#define N_LATENT 48
#define N_QUESTIONS 40

static void
make_vector (GRand *rand, const float *directions, guint cluster, float *vector)
{
  g_autoptr (GRand) centre = g_rand_new_with_seed (1000 + cluster);
  float square = 0;

  memset (vector, 0, N_DIMENSIONS * sizeof *vector);
  for (guint i = 0; i < N_LATENT; i++) {
    float weight = (float) (g_rand_double_range (centre, -1, 1) + 0.7 * g_rand_double_range (rand, -1, 1));

    for (guint j = 0; j < N_DIMENSIONS; j++)
      vector[j] += weight * directions[i * N_DIMENSIONS + j];
  }
  for (guint j = 0; j < N_DIMENSIONS; j++)
    square += vector[j] * vector[j];
  for (guint j = 0; j < N_DIMENSIONS; j++)
    vector[j] /= sqrtf (square);
}

static float
multiply (const float *one, const float *other)
{
  double sum = 0;

  for (guint i = 0; i < N_DIMENSIONS; i++)
    sum += one[i] * other[i];
  return (float) sum;
}

static void
test_recall (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (8);
  gsize stride = plumb_vector_get_stride (N_DIMENSIONS);
  g_autofree float *directions = g_new (float, N_LATENT * N_DIMENSIONS);
  g_autofree float *vectors = g_new (float, N_VECTORS * N_DIMENSIONS);
  g_autofree gint8 *low = g_new (gint8, N_VECTORS * N_DIMENSIONS);
  gint8 *high = plumb_vector_alloc (N_VECTORS * stride);
  float scales[N_VECTORS], scores[N_VECTORS], exact[N_VECTORS], again[60], back[N_DIMENSIONS], question[N_DIMENSIONS];
  gint32 products[N_VECTORS];
  guint32 expected[30], best[60], order[60];

  for (guint i = 0; i < N_LATENT * N_DIMENSIONS; i++)
    directions[i] = (float) g_rand_double_range (rand, -1, 1);
  for (guint i = 0; i < N_VECTORS; i++) {
    make_vector (rand, directions, i % 40, vectors + i * N_DIMENSIONS);
    scales[i] = plumb_vector_split (vectors + i * N_DIMENSIONS, N_DIMENSIONS, high + i * stride, low + i * N_DIMENSIONS);
  }
  for (guint q = 0; q < N_QUESTIONS; q++) {
    g_autoptr (PlumbQuestionVector) rounded = NULL;
    guint found = 0;

    make_vector (rand, directions, q, question);
    rounded = plumb_question_vector_new (question, N_DIMENSIONS);
    plumb_vector_scan (plumb_kernel_get_best (), high, N_VECTORS, stride, rounded->rounded, products);
    for (guint i = 0; i < N_VECTORS; i++) {
      scores[i] = products[i] * scales[i];
      exact[i] = multiply (question, vectors + i * N_DIMENSIONS);
    }
    plumb_vector_find_best (exact, N_VECTORS, 30, expected);
    plumb_vector_find_best (scores, N_VECTORS, 60, best);
    for (guint i = 0; i < 60; i++) {
      plumb_vector_join (high + best[i] * stride, low + best[i] * N_DIMENSIONS, N_DIMENSIONS, scales[best[i]], back);
      again[i] = multiply (question, back);
    }
    plumb_vector_find_best (again, 60, 30, order);
    for (guint i = 0; i < 30; i++) {
      for (guint j = 0; j < 30; j++)
        found += best[order[i]] == expected[j];
    }
    g_assert_cmpuint (found, ==, 30);
  }
  g_aligned_free (high);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/vector-scan/kernels", test_kernels);
  g_test_add_func ("/vector-scan/choice", test_choice);
  g_test_add_func ("/vector-scan/find-best", test_find_best);
  g_test_add_func ("/vector-scan/recall", test_recall);
  return g_test_run ();
}
