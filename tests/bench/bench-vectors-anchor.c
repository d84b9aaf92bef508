/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "bench-vectors-anchor.h"

#define N ANCHOR_DIMENSIONS
#define AHEAD 4096

#if defined(__x86_64__)
#include <immintrin.h>

static inline void
fetch (const gint8 *address)
{
  __builtin_prefetch ((const void *) ((gsize) address + AHEAD), 0, 3);
}

__attribute__ ((target ("avx512f"))) static guint64
read_avx512 (const gint8 *bytes, gsize n_bytes)
{
  __m512i even = _mm512_setzero_si512 (), odd = _mm512_setzero_si512 ();
  guint64 words[8];

  for (gsize i = 0; i < n_bytes; i += 128) {
    fetch (bytes + i);
    fetch (bytes + i + 64);
    even = _mm512_xor_si512 (even, _mm512_load_si512 (bytes + i));
    odd = _mm512_xor_si512 (odd, _mm512_load_si512 (bytes + i + 64));
  }
  _mm512_storeu_si512 (words, _mm512_xor_si512 (even, odd));
  return words[0] ^ words[1] ^ words[2] ^ words[3] ^ words[4] ^ words[5] ^ words[6] ^ words[7];
}

__attribute__ ((target ("avx2"))) static guint64
read_avx2 (const gint8 *bytes, gsize n_bytes)
{
  __m256i even = _mm256_setzero_si256 (), odd = _mm256_setzero_si256 ();
  guint64 words[4];

  for (gsize i = 0; i < n_bytes; i += 64) {
    fetch (bytes + i);
    even = _mm256_xor_si256 (even, _mm256_load_si256 ((const __m256i *) (bytes + i)));
    odd = _mm256_xor_si256 (odd, _mm256_load_si256 ((const __m256i *) (bytes + i + 32)));
  }
  _mm256_storeu_si256 ((__m256i *) words, _mm256_xor_si256 (even, odd));
  return words[0] ^ words[1] ^ words[2] ^ words[3];
}

/* The question stays in sixteen registers from the first vector to the last. */
__attribute__ ((target ("avx512f,avx512bw,avx512vnni"))) static void
multiply_avx512 (const gint8 *vectors, gsize n_vectors, const gint8 *question, gint32 *products)
{
  const __m512i bias = _mm512_set1_epi8 ((char) 0x80);
  __m512i q[N / 64];
  gint32 excess = 0;
  gint32 lanes[16];

  for (guint i = 0; i < N; i++)
    excess += 128 * question[i];
  for (guint i = 0; i < N / 64; i++)
    q[i] = _mm512_load_si512 (question + 64 * i);
  for (gsize i = 0; i < n_vectors; i++, vectors += N) {
    __m512i even = _mm512_setzero_si512 (), odd = _mm512_setzero_si512 ();
    gint32 sum = 0;

#define STEP(k) \
  fetch (vectors + 128 * (k)); \
  fetch (vectors + 128 * (k) + 64); \
  even = _mm512_dpbusd_epi32 (even, _mm512_xor_si512 (_mm512_load_si512 (vectors + 128 * (k)), bias), q[2 * (k)]); \
  odd = _mm512_dpbusd_epi32 (odd, _mm512_xor_si512 (_mm512_load_si512 (vectors + 128 * (k) + 64), bias), q[2 * (k) + 1]);
    STEP (0) STEP (1) STEP (2) STEP (3) STEP (4) STEP (5) STEP (6) STEP (7)
#undef STEP
    _mm512_storeu_si512 (lanes, _mm512_add_epi32 (even, odd));
    for (guint j = 0; j < 16; j++)
      sum += lanes[j];
    products[i] = sum - excess;
  }
}

__attribute__ ((target ("avx2"))) static void
multiply_avx2 (const gint8 *vectors, gsize n_vectors, const gint8 *question, gint32 *products)
{
  const __m256i ones = _mm256_set1_epi16 (1);

  for (gsize i = 0; i < n_vectors; i++, vectors += N) {
    __m256i even = _mm256_setzero_si256 (), odd = _mm256_setzero_si256 ();
    gint32 lanes[8], sum = 0;

    for (guint j = 0; j < N; j += 64) {
      __m256i q = _mm256_load_si256 ((const __m256i *) (question + j));
      __m256i r = _mm256_load_si256 ((const __m256i *) (question + j + 32));
      __m256i v = _mm256_load_si256 ((const __m256i *) (vectors + j));
      __m256i w = _mm256_load_si256 ((const __m256i *) (vectors + j + 32));

      fetch (vectors + j);
      even = _mm256_add_epi32 (even, _mm256_madd_epi16 (_mm256_maddubs_epi16 (_mm256_abs_epi8 (q), _mm256_sign_epi8 (v, q)), ones));
      odd = _mm256_add_epi32 (odd, _mm256_madd_epi16 (_mm256_maddubs_epi16 (_mm256_abs_epi8 (r), _mm256_sign_epi8 (w, r)), ones));
    }
    _mm256_storeu_si256 ((__m256i *) lanes, _mm256_add_epi32 (even, odd));
    for (guint j = 0; j < 8; j++)
      sum += lanes[j];
    products[i] = sum;
  }
}

static gboolean
has_avx512 (void)
{
  return __builtin_cpu_supports ("avx512bw") && __builtin_cpu_supports ("avx512vnni");
}

static gboolean
has_avx2 (void)
{
  return __builtin_cpu_supports ("avx2");
}
#else
#define has_avx512() FALSE
#define has_avx2() FALSE
#define read_avx512(bytes, n) 0
#define read_avx2(bytes, n) 0
#define multiply_avx512(vectors, n, question, products) ((void) 0)
#define multiply_avx2(vectors, n, question, products) ((void) 0)
#endif

static guint64
read_plain (const gint8 *bytes, gsize n_bytes)
{
  const guint64 *words = (const guint64 *) (gconstpointer) bytes;
  guint64 all = 0;

  for (gsize i = 0; i < n_bytes / sizeof *words; i++)
    all ^= words[i];
  return all;
}

static void
multiply_plain (const gint8 *vectors, gsize n_vectors, const gint8 *question, gint32 *products)
{
  for (gsize i = 0; i < n_vectors; i++, vectors += N) {
    gint32 sum = 0;

    for (guint j = 0; j < N; j++)
      sum += vectors[j] * question[j];
    products[i] = sum;
  }
}

/* Reads all bytes; Returns: something that depends on each. */
guint64
anchor_read (const gint8 *vectors, gsize n_vectors)
{
  if (has_avx512 ())
    return read_avx512 (vectors, n_vectors * N);
  return has_avx2 () ? read_avx2 (vectors, n_vectors * N) : read_plain (vectors, n_vectors * N);
}

/* Sets @products to the inner product of each vector with @question. */
void
anchor_multiply (const gint8 *vectors, gsize n_vectors, const gint8 *question, gint32 *products)
{
  if (has_avx512 ())
    multiply_avx512 (vectors, n_vectors, question, products);
  else if (has_avx2 ())
    multiply_avx2 (vectors, n_vectors, question, products);
  else
    multiply_plain (vectors, n_vectors, question, products);
}

/* Returns: what the anchor is written for. */
const char *
anchor_get_name (void)
{
  return has_avx512 () ? "AVX-512 VNNI + prefetch" : has_avx2 () ? "AVX2 + prefetch" : "plain C";
}
