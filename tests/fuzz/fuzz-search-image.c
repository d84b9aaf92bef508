/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-search-engine.h"

#include <stdint.h>
#include <string.h>

/* The file that search keeps beside the index, without a look at its sums: whatever stands in it, opening
 * and searching read nothing that isn't there. */

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

static void
search (PlumbSearchEngine *engine, const char *question, gboolean plain)
{
  PlumbSearchRequest request = { .question = question, .limit = 30, .plain = plain };
  g_autoptr (PlumbCandidates) found = plumb_search_engine_run (engine, &request, NULL, NULL);

  g_assert_nonnull (found);
  g_assert_cmpuint (found->candidates->len, <=, 30);
  for (guint i = 0; i < found->candidates->len; i++) {
    g_autofree char *name = plumb_card_get_full_name (((PlumbCandidate *) found->candidates->pdata[i])->card);

    g_assert_cmpuint (strlen (name), >=, 2);
  }
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  static const char *const questions[] = { "How many orders of custmers by status?", "заказы клиентов", "客户订单" };
  g_autoptr (GBytes) bytes = g_bytes_new (data, size);
  PlumbImageStamp stamp;
  g_autoptr (PlumbImage) image = plumb_image_read (bytes, FALSE, &stamp);
  g_autoptr (PlumbSearchEngine) engine = image != NULL ? plumb_search_engine_open (image, NULL, NULL, NULL) : NULL;

  for (guint i = 0; engine != NULL && i < G_N_ELEMENTS (questions); i++) {
    g_autoptr (GPtrArray) ranked = plumb_search_engine_rank_databases (engine, questions[i]);

    g_assert_nonnull (ranked);
    search (engine, questions[i], FALSE);
    search (engine, questions[i], TRUE);
  }
  return 0;
}
