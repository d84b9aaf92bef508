/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-search-engine.h"

#include <string.h>

#define AT(member) G_STRUCT_OFFSET (PlumbSearchWeights, member)
#define FIELD(number) (AT (field) + (number) * sizeof (float))

/* What a part of search turns on: without them it does nothing. The head of a PlumbSearchWeights is a
 * weight that is never left out, so 0 ends a list. */
static const struct {
  const char *part;
  gsize weights[4];
} parts[] = {
  { "vectors", { AT (vector), AT (meaning), AT (meaning_database) } },
  { "synonyms", { AT (synonym) } },
  { "translations", { AT (translation) } },
  { "abbreviations", { AT (abbreviation), AT (prefix) } },
  { "spelling", { AT (spelling) } },
  { "pairs", { AT (pair) } },
  { "keys", { AT (neighbour), AT (walk), FIELD (4) } },
  { "databases", { AT (database_best), AT (database_cover), AT (meaning_database), AT (far) } },
  { "diversity", { AT (repeat) } },
  { "groups", { AT (group) } },
  { "columns", { FIELD (2) } },
  { "places", { FIELD (6) } },
};

/**
 * plumb_search_weights_leave_out:
 * @self: weights
 * @part: "vectors", "synonyms", "translations", "abbreviations", "spelling", "pairs", "keys",
 *   "databases", "diversity", "groups", "columns" or "places"
 *
 * Leaves a part of search out, to measure what it brings.
 *
 * Returns: %FALSE where there is no such part
 */
gboolean
plumb_search_weights_leave_out (PlumbSearchWeights *self, const char *part)
{
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++) {
    if (strcmp (parts[i].part, part) != 0)
      continue;
    for (guint j = 0; j < G_N_ELEMENTS (parts[i].weights) && parts[i].weights[j] > 0; j++)
      G_STRUCT_MEMBER (float, self, parts[i].weights[j]) = 0;
    return TRUE;
  }
  return FALSE;
}
