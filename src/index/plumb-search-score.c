/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-search-build.h"

#include <math.h>
#include <string.h>

/** plumb_table_graph_free: frees it */
void
plumb_table_graph_free (PlumbTableGraph *self)
{
  if (self == NULL)
    return;
  g_free (self->database_of);
  g_free (self->live_of);
  g_free (self->group_of);
  g_free (self->edge_starts);
  g_free (self->edges);
  g_free (self);
}

/** plumb_table_graph_add_pair: adds to @pairs that two tables belong together, in both directions: the one in
 *  the high half of a number, the other in the low half */
void
plumb_table_graph_add_pair (GArray *pairs, guint32 one, guint32 other)
{
  guint64 there = ((guint64) one << 32) | other;
  guint64 back = ((guint64) other << 32) | one;

  if (one == other)
    return;
  g_array_append_val (pairs, there);
  g_array_append_val (pairs, back);
}

static int
compare_pairs (gconstpointer a, gconstpointer b)
{
  guint64 one = *(const guint64 *) a, other = *(const guint64 *) b;

  return one < other ? -1 : one > other;
}

static char *
make_key (const char *database, const char *schema, const char *table)
{
  return g_strjoin ("\n", database, schema, table, NULL);
}

static void
collect_edges (GPtrArray *cards, const gint32 *live_of, GArray *pairs)
{
  g_autoptr (GHashTable) places = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < cards->len; i++) {
    PlumbCard *card = g_ptr_array_index (cards, i);

    g_hash_table_insert (places, make_key (card->database, card->schema, card->name), GUINT_TO_POINTER (i + 1));
  }
  for (guint i = 0; i < cards->len; i++) {
    PlumbCard *card = g_ptr_array_index (cards, i);

    for (guint j = 0; live_of[i] < 0 && j < card->foreign_keys->len; j++) {
      PlumbForeignKey *key = g_ptr_array_index (card->foreign_keys, j);
      g_autofree char *target = make_key (card->database, key->ref_schema != NULL ? key->ref_schema : card->schema,
                                          key->ref_table);
      guint place = GPOINTER_TO_UINT (g_hash_table_lookup (places, target));

      if (place > 0 && live_of[place - 1] < 0)
        plumb_table_graph_add_pair (pairs, i, place - 1);
    }
  }
}

static PlumbTableGraph *
graph_new (GPtrArray *cards, const gint32 *live_of)
{
  PlumbTableGraph *self = g_new0 (PlumbTableGraph, 1);

  self->n_tables = cards->len;
  self->database_of = g_new0 (guint32, MAX (cards->len, 1));
  self->live_of = g_memdup2 (live_of, cards->len * sizeof *live_of);
  for (guint i = 0; i < cards->len; i++) {
    PlumbCard *card = g_ptr_array_index (cards, i);
    PlumbCard *before = i > 0 ? g_ptr_array_index (cards, i - 1) : NULL;

    if (before == NULL || strcmp (before->database, card->database) != 0)
      self->n_databases++;
    self->database_of[i] = self->n_databases - 1;
    self->n_live += live_of[i] < 0;
  }
  self->group_of = plumb_name_groups_find (cards, self->database_of, live_of);
  return self;
}

/**
 * plumb_table_graph_from_pairs:
 * @cards: (element-type PlumbCard): the tables, those of a database together
 * @live_of: (array): for each the live table that it is a copy of, -1 for none
 * @pairs: (element-type guint64): from plumb_table_graph_add_pair(), sorted here
 *
 * Returns: (transfer full): the tables with these ties
 */
PlumbTableGraph *
plumb_table_graph_from_pairs (GPtrArray *cards, const gint32 *live_of, GArray *pairs)
{
  PlumbTableGraph *self = graph_new (cards, live_of);
  guint n = 0;

  g_array_sort (pairs, compare_pairs);
  self->edge_starts = g_new0 (guint32, (gsize) cards->len + 1);
  self->edges = g_new0 (guint32, MAX (pairs->len, 1));
  for (guint i = 0; i < pairs->len; i++) {
    guint64 pair = g_array_index (pairs, guint64, i);

    if (i > 0 && pair == g_array_index (pairs, guint64, i - 1))
      continue;
    self->edges[n++] = (guint32) pair;
    self->edge_starts[(pair >> 32) + 1] = n;
  }
  for (guint i = 0; i < cards->len; i++)
    self->edge_starts[i + 1] = MAX (self->edge_starts[i + 1], self->edge_starts[i]);
  return self;
}

/**
 * plumb_table_graph_new:
 * @cards: (element-type PlumbCard): the tables, those of a database together
 * @live_of: (array): for each the live table that it is a copy of, -1 for none
 *
 * Returns: (transfer full): which tables belong together by database and by declared keys
 */
PlumbTableGraph *
plumb_table_graph_new (GPtrArray *cards, const gint32 *live_of)
{
  g_autoptr (GArray) pairs = g_array_new (FALSE, FALSE, sizeof (guint64));

  collect_edges (cards, live_of, pairs);
  plumb_natural_keys_collect (cards, live_of, pairs);
  return plumb_table_graph_from_pairs (cards, live_of, pairs);
}

/**
 * plumb_table_graph_open:
 * @image: an image
 * @cards: (element-type PlumbCard): its tables
 *
 * Returns: (transfer full) (nullable): what plumb_table_graph_new() gave when @image was made; %NULL where
 *   that is damaged
 */
PlumbTableGraph *
plumb_table_graph_open (const PlumbImage *image, GPtrArray *cards)
{
  const gint32 *live_of = plumb_tables_read_live (image, cards->len);
  g_autoptr (PlumbTableGraph) self = NULL;
  gsize n_starts, n_edges;
  const guint32 *starts = plumb_image_get (image, PLUMB_SECTION_EDGE_STARTS, sizeof *starts, &n_starts);
  const guint32 *edges = plumb_image_get (image, PLUMB_SECTION_EDGES, sizeof *edges, &n_edges);

  if (live_of == NULL || n_starts != (gsize) cards->len + 1 || starts[0] != 0 || starts[cards->len] != n_edges)
    return NULL;
  for (guint i = 0; i < cards->len; i++) {
    if (starts[i] > starts[i + 1])
      return NULL;
  }
  for (gsize i = 0; i < n_edges; i++) {
    if (edges[i] >= cards->len)
      return NULL;
  }
  self = graph_new (cards, live_of);
  self->edge_starts = g_memdup2 (starts, n_starts * sizeof *starts);
  self->edges = g_memdup2 (edges, MAX (n_edges, 1) * sizeof *edges);
  return g_steal_pointer (&self);
}

/** plumb_table_graph_is_copy: Returns: whether @table stands under a live table */
gboolean
plumb_table_graph_is_copy (const PlumbTableGraph *self, guint table)
{
  return self->live_of[table] >= 0;
}

/* Adds the tables that hold @term, new ones to @holders. Relatives count less in a database that has the word
 * itself. */
static void
fill_relative (float *row, GArray *holders, const PlumbRelative *relative, const PlumbPostings *postings,
               const PlumbTableGraph *graph, guint8 *has_word, const PlumbSearchWeights *weights)
{
  guint n;
  const PlumbPosting *list = plumb_postings_get (postings, relative->term, &n);
  gboolean same = relative->strength >= PLUMB_SAME_WORD;

  for (guint i = 0; i < n; i++) {
    guint32 table = list[i].table;
    guint32 database = graph->database_of[table];
    float value = list[i].weight * relative->strength;

    if (relative->strength < PLUMB_OWN_WORD && plumb_table_graph_is_copy (graph, table))
      continue;
    if (same)
      has_word[database] |= !plumb_table_graph_is_copy (graph, table);
    else if (has_word[database])
      value *= weights->elsewhere;
    if (row[table] <= 0 && value > 0)
      g_array_append_val (holders, table);
    if (value > row[table])
      row[table] = value;
  }
}

/* A word that live tables of the database hold asks for them, not for a column that a copy has more. */
static void
drop_copies (float *row, const guint32 *holders, guint n_holders, const PlumbTableGraph *graph, const guint8 *has_word)
{
  for (guint i = 0; i < n_holders; i++) {
    if (plumb_table_graph_is_copy (graph, holders[i]) && has_word[graph->database_of[holders[i]]])
      row[holders[i]] = 0;
  }
}

static int
compare_relatives (gconstpointer a, gconstpointer b)
{
  const PlumbRelative *one = a, *other = b;

  return one->strength < other->strength ? 1 : one->strength > other->strength ? -1 : 0;
}

/* How much a word says: the fewer tables hold it, the more. */
static float
get_rarity (const float *row, const guint32 *holders, guint n_holders, const PlumbTableGraph *graph,
            const PlumbSearchWeights *weights)
{
  float most = 0;
  double held = 0;

  for (guint i = 0; i < n_holders; i++)
    most = MAX (most, row[holders[i]]);
  if (most <= 0)
    return 0;
  for (guint i = 0; i < n_holders; i++) {
    float part = row[holders[i]] / most;

    if (part > 0 && !plumb_table_graph_is_copy (graph, holders[i]))
      held += weights->rarity_power == 1 ? part : powf (part, weights->rarity_power);
  }
  return weights->rarity_floor + logf (1 + (graph->n_live - held + 0.5f) / (held + 0.5f));
}

static void
fill_unit (PlumbScores *self, guint number, PlumbUnit *unit, const PlumbPostings *postings,
           const PlumbTableGraph *graph, const guint8 *searched, const PlumbSearchWeights *weights)
{
  float *row = self->weights + (gsize) number * self->n_tables;
  guint8 *has_word = self->held + (gsize) number * graph->n_databases;
  guint start = self->holders->len, n;
  const guint32 *holders;

  g_array_sort (unit->relatives, compare_relatives);
  for (guint i = 0; i < unit->relatives->len; i++)
    fill_relative (row, self->holders, &g_array_index (unit->relatives, PlumbRelative, i), postings, graph, has_word,
                   weights);
  holders = &g_array_index (self->holders, guint32, start);
  n = self->holders->len - start;
  drop_copies (row, holders, n, graph, has_word);
  self->rarity[number] = unit->importance * get_rarity (row, holders, n, graph, weights);
  for (guint i = 0; i < n; i++) {
    guint table = holders[i];

    if (searched != NULL && !searched[graph->database_of[table]])
      row[table] = 0;
    self->score[table] += self->rarity[number] * row[table];
  }
  self->holder_ends[number] = self->holders->len;
}

/** plumb_scores_get_holders: Returns: (transfer none) (array): the tables that hold a word of the question or a
 *  relative of it */
const guint32 *
plumb_scores_get_holders (const PlumbScores *self, guint unit, guint *n)
{
  guint start = unit > 0 ? self->holder_ends[unit - 1] : 0;

  *n = self->holder_ends[unit] - start;
  return &g_array_index (self->holders, guint32, start);
}

/* Neighbours in the question that are neighbours in one identifier of the table. */
static void
add_pair (PlumbScores *self, GPtrArray *units, guint second, const PlumbPostings *postings,
          const PlumbSearchWeights *weights)
{
  PlumbUnit *one = g_ptr_array_index (units, second - 1);
  PlumbUnit *other = g_ptr_array_index (units, second);
  g_autofree char *key = plumb_postings_pair_key (one->canonical, other->canonical);
  int term = plumb_postings_find (postings, key);
  float value = weights->pair * (self->rarity[second - 1] + self->rarity[second]) / 2;
  const PlumbPosting *list;
  guint n;

  if (term < 0)
    return;
  list = plumb_postings_get (postings, term, &n);
  for (guint i = 0; i < n; i++) {
    if (self->score[list[i].table] > 0)
      self->score[list[i].table] += value * list[i].weight;
  }
}

/**
 * plumb_scores_new:
 * @units: (element-type PlumbUnit): the question's words
 * @searched: (nullable) (array): for each database, whether it is searched
 *
 * For each word of the question its best weight in a table counts, once, weighed by how rare the
 * word is; a table's score is the sum.
 *
 * Returns: (transfer full): the scores from the words alone
 */
PlumbScores *
plumb_scores_new (GPtrArray *units, const PlumbPostings *postings, const PlumbTableGraph *graph,
                  const guint8 *searched, const PlumbSearchWeights *weights)
{
  PlumbScores *self = g_new0 (PlumbScores, 1);

  self->n_units = units->len;
  self->n_tables = graph->n_tables;
  self->weights = g_new0 (float, MAX ((gsize) units->len * graph->n_tables, 1));
  self->rarity = g_new0 (float, MAX (units->len, 1));
  self->held = g_new0 (guint8, MAX ((gsize) units->len * graph->n_databases, 1));
  self->score = g_new0 (float, MAX (graph->n_tables, 1));
  self->holders = g_array_sized_new (FALSE, FALSE, sizeof (guint32), 256);
  self->holder_ends = g_new0 (guint32, MAX (units->len, 1));
  for (guint i = 0; i < units->len; i++)
    fill_unit (self, i, g_ptr_array_index (units, i), postings, graph, searched, weights);
  for (guint i = 1; i < units->len; i++) {
    if (((PlumbUnit *) g_ptr_array_index (units, i))->before)
      add_pair (self, units, i, postings, weights);
  }
  self->direct = g_memdup2 (self->score, MAX (graph->n_tables, 1) * sizeof (float));
  return self;
}

/**
 * plumb_scores_choose_databases:
 * @evidence: (array): for each table, whether something other than words speaks for it
 * @far: how far behind the best a database falls to be left out, as a share of the best
 * @searched: (array): for each database, whether it is searched; those that fall behind are not any more
 *
 * What the tables of a database hold of the question together is the most that one of them can get
 * from words. Databases where that is little next to the best are left out; where there is nothing at
 * all to go by, none is.
 */
void
plumb_scores_choose_databases (PlumbScores *self, const PlumbTableGraph *graph, const float *evidence, float far,
                               guint8 *searched)
{
  g_autofree float *cover = g_new0 (float, MAX (graph->n_databases, 1));
  g_autofree float *most = g_new (float, MAX (graph->n_databases, 1));
  g_autofree guint8 *kept = g_new0 (guint8, MAX (graph->n_databases, 1));
  float best = 0;

  for (guint unit = 0; unit < self->n_units; unit++) {
    const float *row = self->weights + (gsize) unit * self->n_tables;
    guint n;
    const guint32 *holders = plumb_scores_get_holders (self, unit, &n);

    memset (most, 0, graph->n_databases * sizeof *most);
    for (guint i = 0; i < n; i++)
      most[graph->database_of[holders[i]]] = MAX (most[graph->database_of[holders[i]]], row[holders[i]]);
    for (guint i = 0; i < graph->n_databases; i++)
      cover[i] += self->rarity[unit] * most[i];
  }
  for (guint i = 0; i < graph->n_databases; i++)
    best = MAX (best, cover[i]);
  for (guint i = 0; i < self->n_tables; i++)
    kept[graph->database_of[i]] |= evidence[i] > 0;
  for (guint i = 0; best > 0 && i < graph->n_databases; i++)
    searched[i] = searched[i] && (kept[i] || cover[i] >= far * best);
  for (guint unit = 0; unit < self->n_units; unit++) {
    guint n;
    const guint32 *holders = plumb_scores_get_holders (self, unit, &n);

    for (guint i = 0; i < n; i++) {
      if (searched[graph->database_of[holders[i]]])
        continue;
      self->score[holders[i]] = 0;
      self->weights[(gsize) unit * self->n_tables + holders[i]] = 0;
    }
  }
}

/* For each table the most that one of its neighbours among @from has in @row; tables that get something are
 * added to @reached. */
static void
pass_on (const float *row, const guint32 *from, guint n_from, const PlumbTableGraph *graph, float *passed,
         GArray *reached)
{
  for (guint i = 0; i < n_from; i++) {
    float value = row[from[i]];

    for (guint j = graph->edge_starts[from[i]]; j < graph->edge_starts[from[i] + 1]; j++) {
      guint32 to = graph->edges[j];

      if (passed[to] <= 0 && value > 0)
        g_array_append_val (reached, to);
      passed[to] = MAX (passed[to], value);
    }
  }
}

/**
 * plumb_scores_add_keys:
 *
 * Tables that stand between the found ones are needed to join them: for each word that a table
 * doesn't hold as well itself it gets a part of what its neighbours along declared keys hold, over
 * two keys at most. So the less of the question a table covers, the more comes from around it.
 */
void
plumb_scores_add_keys (PlumbScores *self, const PlumbTableGraph *graph, const PlumbSearchWeights *weights)
{
  g_autofree float *first = g_new0 (float, MAX (self->n_tables, 1));
  g_autofree float *second = g_new0 (float, MAX (self->n_tables, 1));
  g_autoptr (GArray) reached = g_array_new (FALSE, FALSE, sizeof (guint32));

  for (guint unit = 0; unit < self->n_units; unit++) {
    const float *row = self->weights + (gsize) unit * self->n_tables;
    guint n;
    const guint32 *holders = plumb_scores_get_holders (self, unit, &n);

    g_array_set_size (reached, 0);
    pass_on (row, holders, n, graph, first, reached);
    n = reached->len;
    for (guint i = 0; weights->neighbour_again > 0 && i < n; i++) {
      guint32 from = g_array_index (reached, guint32, i);

      for (guint j = graph->edge_starts[from]; j < graph->edge_starts[from + 1]; j++) {
        guint32 to = graph->edges[j];

        if (first[to] <= 0 && second[to] <= 0)
          g_array_append_val (reached, to);
        second[to] = MAX (second[to], first[from]);
      }
    }
    for (guint i = 0; i < reached->len; i++) {
      guint32 table = g_array_index (reached, guint32, i);
      float passed = MAX (weights->neighbour * first[table], weights->neighbour_again * second[table]);

      if (passed > row[table])
        self->score[table] += self->rarity[unit] * (passed - row[table]);
      first[table] = second[table] = 0;
    }
  }
}

/**
 * plumb_scores_add_walk:
 *
 * One step of a walk from each found table along its keys: what a table has is shared out among its
 * neighbours, so that those in the middle of the found ones come up.
 */
void
plumb_scores_add_walk (PlumbScores *self, const PlumbTableGraph *graph, const PlumbSearchWeights *weights)
{
  g_autofree float *before = g_memdup2 (self->score, MAX (self->n_tables, 1) * sizeof (float));

  for (guint to = 0; to < self->n_tables; to++) {
    float sum = 0;

    for (guint i = graph->edge_starts[to]; i < graph->edge_starts[to + 1]; i++) {
      guint from = graph->edges[i];
      guint degree = graph->edge_starts[from + 1] - graph->edge_starts[from];

      sum += before[from] / powf (degree, weights->walk_share);
    }
    if (sum > 0)
      self->score[to] += weights->walk * sum /
                         powf (graph->edge_starts[to + 1] - graph->edge_starts[to], weights->walk_take);
  }
}

/**
 * plumb_scores_add_databases:
 * @meaning: (array): for each database, how much it is about the same as the question
 *
 * The database speaks for its tables, softly: the best of them, how much of the question they hold
 * together, and what it is about as a whole.
 */
void
plumb_scores_add_databases (PlumbScores *self, const PlumbTableGraph *graph, const float *meaning,
                            const PlumbSearchWeights *weights)
{
  g_autofree float *best = g_new0 (float, MAX (graph->n_databases, 1));
  g_autofree float *cover = g_new0 (float, MAX (graph->n_databases, 1));
  g_autofree float *most = g_new0 (float, MAX (graph->n_databases, 1));

  for (guint i = 0; i < self->n_tables; i++) {
    if (!plumb_table_graph_is_copy (graph, i))
      best[graph->database_of[i]] = MAX (best[graph->database_of[i]], self->score[i]);
  }
  for (guint u = 0; u < self->n_units; u++) {
    const float *row = self->weights + (gsize) u * self->n_tables;
    guint n;
    const guint32 *holders = plumb_scores_get_holders (self, u, &n);

    memset (most, 0, graph->n_databases * sizeof *most);
    for (guint i = 0; i < n; i++) {
      if (!plumb_table_graph_is_copy (graph, holders[i]))
        most[graph->database_of[holders[i]]] = MAX (most[graph->database_of[holders[i]]], row[holders[i]]);
    }
    for (guint i = 0; i < graph->n_databases; i++)
      cover[i] += self->rarity[u] * most[i];
  }
  for (guint i = 0; i < self->n_tables; i++) {
    guint database = graph->database_of[i];

    if (self->score[i] > 0 && !plumb_table_graph_is_copy (graph, i))
      self->score[i] += weights->database_best * best[database] + weights->database_cover * cover[database] +
                        weights->meaning_database * meaning[database];
  }
}

/**
 * plumb_scores_add_copies:
 * @alone: (array): for each table, whether it stands for itself, since its live table may not be seen
 *
 * What speaks for a live table speaks for its copies. So a copy has a place of its own only where
 * something is found in it alone, or where it stands for itself.
 */
void
plumb_scores_add_copies (PlumbScores *self, const PlumbTableGraph *graph, const guint8 *alone)
{
  for (guint i = 0; i < self->n_tables; i++) {
    int live = graph->live_of[i];

    if (live < 0 || (self->score[i] <= 0 && !alone[i]))
      continue;
    self->score[i] += self->score[live];
    for (guint unit = 0; unit < self->n_units; unit++) {
      float *row = self->weights + (gsize) unit * self->n_tables;

      row[i] = MAX (row[i], row[live]);
    }
  }
}

static gboolean
holds_table (const PlumbPosting *list, guint n, guint table)
{
  guint low = 0;

  while (n > 0) {
    guint half = n / 2;

    if (list[low + half].table == table)
      return TRUE;
    if (list[low + half].table < table) {
      low += half + 1;
      n -= half + 1;
    } else {
      n = half;
    }
  }
  return FALSE;
}

/** plumb_unit_match: Returns: how @table holds the word of @unit, at its best */
PlumbMatch
plumb_unit_match (const PlumbUnit *unit, const PlumbPostings *postings, guint table)
{
  float best = 0;

  for (guint i = 0; i < unit->relatives->len; i++) {
    const PlumbRelative *relative = &g_array_index (unit->relatives, PlumbRelative, i);
    guint n;
    const PlumbPosting *list = plumb_postings_get (postings, relative->term, &n);

    if (relative->strength > best && holds_table (list, n, table))
      best = relative->strength;
  }
  if (best <= 0)
    return PLUMB_MATCH_NONE;
  return unit->spelled ? PLUMB_MATCH_SPELLING : best >= PLUMB_SAME_WORD ? PLUMB_MATCH_WORD : PLUMB_MATCH_MEANING;
}

static void
swap_entries (PlumbPosting *a, PlumbPosting *b)
{
  PlumbPosting kept = *a;

  *a = *b;
  *b = kept;
}

/* Moves the worst of a heap's entries, whose top is the worst, down to its place. */
static void
sink (PlumbPosting *heap, guint n, guint place)
{
  for (guint child = 2 * place + 1; child < n; child = 2 * place + 1) {
    if (child + 1 < n && plumb_compare_postings (&heap[child], &heap[child + 1]) < 0)
      child++;
    if (plumb_compare_postings (&heap[place], &heap[child]) >= 0)
      return;
    swap_entries (&heap[place], &heap[child]);
    place = child;
  }
}

/**
 * plumb_scores_rank:
 * @n: how many are wanted
 *
 * Returns: (transfer full) (element-type PlumbPosting): the best @n tables that have a score, best first; equal
 *   ones in the order of their names
 */
GArray *
plumb_scores_rank (const PlumbScores *self, guint n)
{
  GArray *order = g_array_sized_new (FALSE, FALSE, sizeof (PlumbPosting), MIN (n, self->n_tables));
  PlumbPosting *heap = NULL;

  for (guint i = 0; i < self->n_tables && n > 0; i++) {
    PlumbPosting entry = { i, self->score[i] };

    if (!(entry.weight > 0) || (heap != NULL && plumb_compare_postings (&entry, heap) > 0))
      continue;
    if (heap != NULL) {
      heap[0] = entry;
      sink (heap, n, 0);
      continue;
    }
    g_array_append_val (order, entry);
    if (order->len < n)
      continue;
    heap = &g_array_index (order, PlumbPosting, 0);
    for (guint j = n / 2; j > 0; j--)
      sink (heap, n, j - 1);
  }
  g_array_sort (order, plumb_compare_postings);
  return order;
}

/** plumb_scores_free: frees it */
void
plumb_scores_free (PlumbScores *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->holders);
  g_free (self->holder_ends);
  g_free (self->weights);
  g_free (self->rarity);
  g_free (self->score);
  g_free (self->direct);
  g_free (self->held);
  g_free (self);
}
