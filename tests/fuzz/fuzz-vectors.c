/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-openai-embedder.h"
#include "plumb-rerank.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

/* What an embedding and a rerank endpoint answer, and a model's order of candidates. The first byte
 * says how many texts were asked about. What is taken must be whole and finite. */

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

static void
check (const float *numbers, gsize n)
{
  for (gsize i = 0; numbers != NULL && i < n; i++) {
    if (!isfinite (numbers[i]))
      abort ();
  }
}

static void
read_replies (JsonNode *root, guint n_texts)
{
  guint n_dimensions = 0;
  g_autofree float *vectors = plumb_embedding_reply_read (root, n_texts, &n_dimensions, NULL);
  g_autofree float *scores = plumb_rerank_reply_read (root, n_texts, NULL);

  check (vectors, (gsize) n_texts * n_dimensions);
  check (scores, n_texts);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autofree char *text = NULL;
  g_autofree float *order = NULL;
  g_autoptr (JsonNode) root = NULL;
  guint n_texts;

  if (size == 0)
    return 0;
  n_texts = data[0] % 8 + 1;
  text = g_strndup ((const char *) data + 1, size - 1);
  order = plumb_rerank_order_read (text, n_texts, NULL);
  check (order, n_texts);
  root = plumb_json_parse (text, -1, NULL);
  if (root != NULL)
    read_replies (root, n_texts);
  return 0;
}
