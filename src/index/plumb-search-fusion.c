/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-search-private.h"

/* Reciprocal rank fusion, Cormack, Clarke and Büttcher 2009: a list's n-th gives 1 / (60 + n). */
#define RRF_K 60

static void
add_list (const float *scores, guint n_tables, float *fused)
{
  g_autoptr (GArray) ranked = g_array_new (FALSE, FALSE, sizeof (PlumbPosting));

  for (guint i = 0; i < n_tables; i++) {
    PlumbPosting entry = { i, scores[i] };

    if (scores[i] > 0)
      g_array_append_val (ranked, entry);
  }
  g_array_sort (ranked, plumb_compare_postings);
  for (guint i = 0; i < ranked->len; i++)
    fused[g_array_index (ranked, PlumbPosting, i).table] += 1.0f / (RRF_K + i + 1);
}

static void
score_spellings (GPtrArray *units, const PlumbPostings *postings, const PlumbTableGraph *graph,
                 const PlumbSpelling *spelling, float *scores)
{
  for (guint i = 0; i < units->len; i++) {
    PlumbUnit *unit = g_ptr_array_index (units, i);
    g_autoptr (GArray) relatives = g_array_new (FALSE, FALSE, sizeof (PlumbRelative));

    plumb_spelling_find (spelling, unit->word, 1, relatives);
    for (guint j = 0; j < relatives->len; j++) {
      const PlumbRelative *relative = &g_array_index (relatives, PlumbRelative, j);
      guint n;
      const PlumbPosting *list = plumb_postings_get (postings, relative->term, &n);

      for (guint k = 0; k < n; k++) {
        if (!plumb_table_graph_is_copy (graph, list[k].table))
          scores[list[k].table] += list[k].weight * relative->strength / (1 + n);
      }
    }
  }
}

/**
 * plumb_scores_fuse_plain:
 * @notes: (array): for each table, how well its notes fit
 * @alike: (array): for each table, how like the question it is by its vectors
 *
 * The baseline to measure against: the lists of words, spellings, notes and meaning, fused by their ranks.
 */
void
plumb_scores_fuse_plain (PlumbScores *self, GPtrArray *units, const PlumbPostings *postings,
                         const PlumbTableGraph *graph, const PlumbSpelling *spelling, const float *notes,
                         const float *alike)
{
  g_autofree float *fused = g_new0 (float, MAX (self->n_tables, 1));
  g_autofree float *spelled = g_new0 (float, MAX (self->n_tables, 1));

  add_list (self->score, self->n_tables, fused);
  score_spellings (units, postings, graph, spelling, spelled);
  add_list (spelled, self->n_tables, fused);
  add_list (notes, self->n_tables, fused);
  add_list (alike, self->n_tables, fused);
  for (guint i = 0; i < self->n_tables; i++)
    self->score[i] = fused[i];
}
