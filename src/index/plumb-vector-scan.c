/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-vector-scan.h"

#include <string.h>

/* All that a scan does is to read the vectors, so each kernel asks for what it will read this many
 * bytes later; the processor's own prefetching stops at each page. Measured with `make bench`. */
#define PREFETCH_BYTES 4096

#if defined(__x86_64__) || defined(__i386__)
#define HAVE_X86 1
#include <immintrin.h>
#endif

static void
scan_plain (const gint8 *vectors, gsize n_vectors, gsize stride, const gint8 *question, gint32 *products)
{
  for (gsize i = 0; i < n_vectors; i++) {
    const gint8 *vector = vectors + i * stride;
    gint32 sum = 0;

    /* A loop of a known length is one that compilers turn into vector instructions. */
    for (gsize j = 0; j < stride; j += PLUMB_VECTOR_ALIGNMENT) {
      for (gsize k = 0; k < PLUMB_VECTOR_ALIGNMENT; k++)
        sum += vector[j + k] * question[j + k];
    }
    products[i] = sum;
  }
}

#ifdef HAVE_X86

static inline void
prefetch (const gint8 *address)
{
  __builtin_prefetch ((const void *) ((gsize) address + PREFETCH_BYTES), 0, 3);
}

/* Bytes are multiplied unsigned by signed, and pairs of products added in 16 bits: |q| × ±v stays
 * within 2 × 127 × 127, where q × (v + 128) would not. */
__attribute__ ((target ("sse4.1"))) static inline __m128i
multiply_sse41 (const gint8 *vector, const gint8 *question)
{
  __m128i v = _mm_load_si128 ((const void *) vector);
  __m128i q = _mm_load_si128 ((const void *) question);

  return _mm_madd_epi16 (_mm_maddubs_epi16 (_mm_abs_epi8 (q), _mm_sign_epi8 (v, q)), _mm_set1_epi16 (1));
}

__attribute__ ((target ("sse4.1"))) static inline gint32
add_up_sse41 (__m128i sums)
{
  sums = _mm_add_epi32 (sums, _mm_shuffle_epi32 (sums, _MM_SHUFFLE (1, 0, 3, 2)));
  sums = _mm_add_epi32 (sums, _mm_shuffle_epi32 (sums, _MM_SHUFFLE (2, 3, 0, 1)));
  return _mm_cvtsi128_si32 (sums);
}

__attribute__ ((target ("sse4.1"))) static void
scan_sse41 (const gint8 *vectors, gsize n_vectors, gsize stride, const gint8 *question, gint32 *products)
{
  for (gsize i = 0; i < n_vectors; i++) {
    const gint8 *vector = vectors + i * stride;
    __m128i even = _mm_setzero_si128 (), odd = _mm_setzero_si128 ();

    for (gsize j = 0; j < stride; j += 64) {
      prefetch (vector + j);
      even = _mm_add_epi32 (even, multiply_sse41 (vector + j, question + j));
      odd = _mm_add_epi32 (odd, multiply_sse41 (vector + j + 16, question + j + 16));
      even = _mm_add_epi32 (even, multiply_sse41 (vector + j + 32, question + j + 32));
      odd = _mm_add_epi32 (odd, multiply_sse41 (vector + j + 48, question + j + 48));
    }
    products[i] = add_up_sse41 (_mm_add_epi32 (even, odd));
  }
}

/* As with SSE4.1, twice as wide. */
__attribute__ ((target ("avx2"))) static inline __m256i
multiply_avx2 (const gint8 *vector, const gint8 *question)
{
  __m256i v = _mm256_load_si256 ((const void *) vector);
  __m256i q = _mm256_load_si256 ((const void *) question);

  return _mm256_madd_epi16 (_mm256_maddubs_epi16 (_mm256_abs_epi8 (q), _mm256_sign_epi8 (v, q)),
                            _mm256_set1_epi16 (1));
}

__attribute__ ((target ("avx2"))) static void
scan_avx2 (const gint8 *vectors, gsize n_vectors, gsize stride, const gint8 *question, gint32 *products)
{
  for (gsize i = 0; i < n_vectors; i++) {
    const gint8 *vector = vectors + i * stride;
    __m256i even = _mm256_setzero_si256 (), odd = _mm256_setzero_si256 (), sums;

    for (gsize j = 0; j < stride; j += 64) {
      prefetch (vector + j);
      even = _mm256_add_epi32 (even, multiply_avx2 (vector + j, question + j));
      odd = _mm256_add_epi32 (odd, multiply_avx2 (vector + j + 32, question + j + 32));
    }
    sums = _mm256_add_epi32 (even, odd);
    products[i] = add_up_sse41 (_mm_add_epi32 (_mm256_castsi256_si128 (sums),
                                               _mm256_extracti128_si256 (sums, 1)));
  }
}

/* _mm512_reduce_add_epi32() without the undefined registers that gcc 12 warns of when it casts. */
__attribute__ ((target ("avx512f"))) static inline gint32
add_up_avx512 (__m512i sums)
{
  __m256i half = _mm256_add_epi32 (_mm512_maskz_extracti64x4_epi64 (0xf, sums, 0),
                                   _mm512_maskz_extracti64x4_epi64 (0xf, sums, 1));

  return add_up_sse41 (_mm_add_epi32 (_mm256_castsi256_si128 (half), _mm256_extracti128_si256 (half, 1)));
}

/* VNNI adds four products of unsigned by signed bytes in 32 bits, which can't overflow: (v + 128) × q,
 * less 128 times the sum of the question's numbers. */
__attribute__ ((target ("avx512f,avx512bw,avx512vnni"))) static void
scan_avx512 (const gint8 *vectors, gsize n_vectors, gsize stride, const gint8 *question, gint32 *products)
{
  const __m512i bias = _mm512_set1_epi8 ((char) 0x80);
  gint32 excess = 0;

  for (gsize j = 0; j < stride; j++)
    excess += 128 * question[j];
  for (gsize i = 0; i < n_vectors; i++) {
    const gint8 *vector = vectors + i * stride;
    __m512i even = _mm512_setzero_si512 (), odd = _mm512_setzero_si512 ();
    gsize j = 0;

    for (; j + 128 <= stride; j += 128) {
      prefetch (vector + j);
      prefetch (vector + j + 64);
      even = _mm512_dpbusd_epi32 (even, _mm512_xor_si512 (_mm512_load_si512 (vector + j), bias),
                                  _mm512_load_si512 (question + j));
      odd = _mm512_dpbusd_epi32 (odd, _mm512_xor_si512 (_mm512_load_si512 (vector + j + 64), bias),
                                 _mm512_load_si512 (question + j + 64));
    }
    if (j < stride)
      even = _mm512_dpbusd_epi32 (even, _mm512_xor_si512 (_mm512_load_si512 (vector + j), bias),
                                  _mm512_load_si512 (question + j));
    products[i] = add_up_avx512 (_mm512_add_epi32 (even, odd)) - excess;
  }
}

#endif /* HAVE_X86 */

/** plumb_kernel_is_available: Returns: whether this processor has the instructions of @kernel */
gboolean
plumb_kernel_is_available (PlumbKernel kernel)
{
  if (kernel == PLUMB_KERNEL_PLAIN)
    return TRUE;
#ifdef HAVE_X86
  __builtin_cpu_init ();
  if (kernel == PLUMB_KERNEL_SSE41)
    return __builtin_cpu_supports ("sse4.1") != 0;
  if (kernel == PLUMB_KERNEL_AVX2)
    return __builtin_cpu_supports ("avx2") != 0;
  if (kernel == PLUMB_KERNEL_AVX512)
    return __builtin_cpu_supports ("avx512bw") != 0 && __builtin_cpu_supports ("avx512vnni") != 0;
#endif
  return FALSE;
}

/** plumb_kernel_get_best: Returns: the fastest kernel of this processor */
PlumbKernel
plumb_kernel_get_best (void)
{
  static gsize best;

  if (g_once_init_enter (&best)) {
    PlumbKernel kernel = PLUMB_N_KERNELS - 1;

    while (!plumb_kernel_is_available (kernel))
      kernel--;
    g_once_init_leave (&best, (gsize) kernel + 1);
  }
  return (PlumbKernel) (best - 1);
}

/** plumb_kernel_get_name: Returns: the name of its instructions */
const char *
plumb_kernel_get_name (PlumbKernel kernel)
{
  static const char *const names[PLUMB_N_KERNELS] = { "plain C", "SSE4.1", "AVX2", "AVX-512 VNNI" };

  return names[kernel];
}

/** plumb_vector_get_stride: Returns: bytes from one vector to the next */
gsize
plumb_vector_get_stride (guint n_dimensions)
{
  return ((gsize) n_dimensions + PLUMB_VECTOR_ALIGNMENT - 1) / PLUMB_VECTOR_ALIGNMENT * PLUMB_VECTOR_ALIGNMENT;
}

/** plumb_vector_alloc: Returns: (transfer full): @n_bytes zeros, aligned, to be freed with
 *  g_aligned_free() */
gint8 *
plumb_vector_alloc (gsize n_bytes)
{
  return g_aligned_alloc0 (MAX (n_bytes, 1), 1, PLUMB_VECTOR_ALIGNMENT);
}

/**
 * plumb_vector_scan:
 * @kernel: one that is available; plumb_kernel_get_best() but for tests
 * @vectors: (array): aligned vectors, @stride bytes each, of numbers from -127 to 127
 * @n_vectors: how many
 * @stride: a multiple of PLUMB_VECTOR_ALIGNMENT
 * @question: (array length=stride): an aligned vector of the same kind
 * @products: (array length=n_vectors): set to the inner product of each vector with @question
 *
 * The products are exact, and therefore the same in every kernel, as long as a vector has no more
 * than 65,536 numbers.
 */
void
plumb_vector_scan (PlumbKernel kernel, const gint8 *vectors, gsize n_vectors, gsize stride,
                   const gint8 *question, gint32 *products)
{
  switch (kernel) {
#ifdef HAVE_X86
  case PLUMB_KERNEL_SSE41:
    scan_sse41 (vectors, n_vectors, stride, question, products);
    return;
  case PLUMB_KERNEL_AVX2:
    scan_avx2 (vectors, n_vectors, stride, question, products);
    return;
  case PLUMB_KERNEL_AVX512:
    scan_avx512 (vectors, n_vectors, stride, question, products);
    return;
#endif
  default:
    scan_plain (vectors, n_vectors, stride, question, products);
  }
}

/* Lets the element at @at of a heap, its lowest score first, sink to its place. */
static void
sink (const float *scores, guint32 *heap, guint n, guint at)
{
  for (;;) {
    guint child = 2 * at + 1;
    guint32 moved = heap[at];

    if (child >= n)
      return;
    if (child + 1 < n && scores[heap[child + 1]] < scores[heap[child]])
      child++;
    if (scores[moved] <= scores[heap[child]])
      return;
    heap[at] = heap[child];
    heap[child] = moved;
    at = child;
  }
}

/**
 * plumb_vector_find_best:
 * @scores: (array length=n_scores): scores; -G_MAXFLOAT for one that doesn't count
 * @n_wanted: how many places are wanted
 * @best: (array length=n_wanted): set to the places of the best scores, the best first; of equal
 *   ones at the edge the first are taken
 *
 * Returns: how many there are
 */
guint
plumb_vector_find_best (const float *scores, gsize n_scores, guint n_wanted, guint32 *best)
{
  guint n = 0;
  gsize i = 0;

  for (; i < n_scores && n < n_wanted; i++) {
    if (scores[i] > -G_MAXFLOAT)
      best[n++] = (guint32) i;
  }
  for (guint at = n / 2; at-- > 0;)
    sink (scores, best, n, at);
  for (; n > 0 && i < n_scores; i++) {
    if (scores[i] > scores[best[0]]) {
      best[0] = (guint32) i;
      sink (scores, best, n, 0);
    }
  }
  for (guint rest = n; rest > 1; rest--) {
    guint32 lowest = best[0];

    best[0] = best[rest - 1];
    best[rest - 1] = lowest;
    sink (scores, best, rest - 1, 0);
  }
  return n;
}
