/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Vectors stand at multiples of this many bytes, with zeros behind their last number, so that each
 * begins with a cache line and no kernel has a rest to deal with. */
#define PLUMB_VECTOR_ALIGNMENT 64

/**
 * PlumbKernel:
 * @PLUMB_KERNEL_PLAIN: C alone, for any machine
 * @PLUMB_KERNEL_SSE41: x86 with SSE4.1
 * @PLUMB_KERNEL_AVX2: x86 with AVX2
 * @PLUMB_KERNEL_AVX512: x86 with AVX-512 and its byte products (VNNI)
 *
 * Ways to compute the same products.
 */
typedef enum {
  PLUMB_KERNEL_PLAIN,
  PLUMB_KERNEL_SSE41,
  PLUMB_KERNEL_AVX2,
  PLUMB_KERNEL_AVX512,
  PLUMB_N_KERNELS,
} PlumbKernel;

gboolean    plumb_kernel_is_available (PlumbKernel kernel);
PlumbKernel plumb_kernel_get_best     (void);
const char *plumb_kernel_get_name     (PlumbKernel kernel);

gsize       plumb_vector_get_stride   (guint n_dimensions);
gint8      *plumb_vector_alloc        (gsize n_bytes);
void        plumb_vector_scan         (PlumbKernel kernel, const gint8 *vectors, gsize n_vectors, gsize stride,
                                       const gint8 *question, gint32 *products);
guint       plumb_vector_find_best    (const float *scores, gsize n_scores, guint n_wanted, guint32 *best);

G_END_DECLS
