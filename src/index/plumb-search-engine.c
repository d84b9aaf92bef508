/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-search-build.h"
#include "plumb-search-vectors.h"

#include <string.h>

/* Candidates where none are asked for, and the most that are given. */
#define DEFAULT_LIMIT 8
#define MAX_LIMIT 30
/* Copies of one live table that stand for themselves where the question asks for copies. */
#define MAX_WANTED_COPIES 3
/* Tables that are put in order for each candidate wanted: those that plumb_scores_diversify() looks at. */
#define RANKED 8
/* Standard deviations above the mean from which on the likeness of a vector speaks for a database. */
#define NEAR_VECTOR 2.0f

typedef struct {
  PlumbImage *image;
  GPtrArray *cards;
  GPtrArray *databases;
  PlumbPostings *postings;
  PlumbVocabulary *vocabulary;
  PlumbSpelling *spelling;
  PlumbMeaning *meaning;
  PlumbTableGraph *graph;
  PlumbFamilies *families;
} Base;

/* The pointers are those of @base, but for the graph where the index holds joins. */
struct _PlumbSearchEngine {
  Base *base;
  PlumbTableGraph *with_edges;
  GPtrArray *cards;
  GPtrArray *databases;
  PlumbPostings *postings;
  PlumbVocabulary *vocabulary;
  PlumbSpelling *spelling;
  PlumbMeaning *meaning;
  PlumbTableGraph *graph;
  PlumbFamilies *families;
  PlumbNoteIndex *notes;
  PlumbApprovedIndex *approved;
  PlumbSearchWeights weights;
};

/* One search while it runs. */
typedef struct {
  PlumbSearchEngine *engine;
  const PlumbSearchRequest *request;
  PlumbCardFunc get_card;
  gpointer get_card_data;
  GError *error;
  GPtrArray *units;
  PlumbScores *scores;
  float *notes;
  float *alike;
  const PlumbEarlierQuestion **helped_by;
  guint8 *searched;
  guint8 *taken;
  GHashTable *wanted;
  PlumbCandidates *found;
  guint limit;
  gboolean all;           /* whether no database is to be left out */
} Run;

const PlumbSearchWeights plumb_search_weights = {
  .field = { 3.0f, 1.0f, 1.4f, 0.7f, 0.2f, 0.5f, 0.6f },
  .length = { 0.9f, 0.3f, 0.4f, 0.3f, 0.5f, 0.5f, 0.6f },
  .wide = 0.6f,
  .saturation = 1.0f,
  .stem = 0.95f,
  .abbreviation = 0.85f,
  .prefix = 0.5f,
  .spelling = 0.7f,
  .synonym = 0.3f,
  .vector = 0.8f,
  .vector_power = 1.0f,
  .vector_floor = 0.4f,
  .translation = 0.9f,
  .wordy = 1.0f,
  .elsewhere = 0.3f,
  .number = 0.4f,
  .part = 0.6f,
  .character = 0.3f,
  .weak = 0.2f,
  .quoted = 0.3f,
  .proper = 0.6f,
  .pair = 0.6f,
  .rarity_power = 1.0f,
  .rarity_floor = 0.0f,
  .alike = 0.5f,
  .meaning = 0.03f,
  .meaning_database = 0.4f,
  .neighbour = 0.7f,
  .neighbour_again = 0.0f,
  .walk = 0.1f,
  .walk_share = 1.0f,
  .walk_take = 0.5f,
  .repeat = 0.45f,
  .group = 1.0f,
  .far = 0.25f,
  .database_best = 1.0f,
  .database_cover = 0.1f,
  .approved = 1.5f,
};

static int
compare_cards (gconstpointer a, gconstpointer b)
{
  const PlumbCard *one = *(PlumbCard *const *) a, *other = *(PlumbCard *const *) b;
  int order = strcmp (one->database, other->database);

  if (order == 0)
    order = strcmp (one->schema, other->schema);
  return order != 0 ? order : strcmp (one->name, other->name);
}

static void
base_clear (Base *self)
{
  plumb_families_free (self->families);
  plumb_meaning_free (self->meaning);
  plumb_table_graph_free (self->graph);
  plumb_spelling_free (self->spelling);
  plumb_vocabulary_free (self->vocabulary);
  plumb_postings_free (self->postings);
  g_ptr_array_unref (self->databases);
  g_ptr_array_unref (self->cards);
  plumb_image_unref (self->image);
}

static void
base_unref (Base *self)
{
  if (self != NULL)
    g_atomic_rc_box_release_full (self, (GDestroyNotify) base_clear);
}

/* What the cards alone say. Shared by the engines that differ in notes and approved questions. */
static Base *
base_new (PlumbImage *image, GPtrArray *cards)
{
  Base *self = g_atomic_rc_box_new0 (Base);
  const gint32 *live = plumb_tables_read_live (image, cards->len);

  self->image = plumb_image_ref (image);
  self->cards = g_ptr_array_ref (cards);
  self->databases = g_ptr_array_new ();
  for (guint i = 0; i < cards->len; i++) {
    PlumbCard *card = g_ptr_array_index (cards, i);
    guint n = self->databases->len;

    if (n == 0 || strcmp (g_ptr_array_index (self->databases, n - 1), card->database) != 0)
      g_ptr_array_add (self->databases, card->database);
  }
  self->postings = plumb_postings_open (image, cards->len);
  if (self->postings != NULL) {
    self->vocabulary = plumb_vocabulary_open (image, self->postings);
    self->spelling = plumb_spelling_open (image, self->postings);
  }
  self->graph = plumb_table_graph_open (image, cards);
  if (self->graph != NULL)
    self->meaning = plumb_meaning_open (image, self->graph);
  self->families = live != NULL ? plumb_families_new (cards, live) : NULL;
  return self;
}

static gboolean
base_is_whole (const Base *self)
{
  return self->postings != NULL && self->vocabulary != NULL && self->spelling != NULL && self->graph != NULL &&
         self->meaning != NULL && self->families != NULL;
}

static PlumbSearchEngine *
engine_new (Base *base, GPtrArray *notes, GPtrArray *approved, GPtrArray *edges, const PlumbSearchWeights *weights)
{
  PlumbSearchEngine *self = g_atomic_rc_box_new0 (PlumbSearchEngine);

  self->weights = weights != NULL ? *weights : plumb_search_weights;
  self->base = base;
  self->cards = base->cards;
  self->databases = base->databases;
  self->postings = base->postings;
  self->vocabulary = base->vocabulary;
  self->spelling = base->spelling;
  self->meaning = base->meaning;
  self->graph = base->graph;
  if (edges != NULL && edges->len > 0)
    self->graph = self->with_edges = plumb_table_graph_new_with_edges (base->graph, base->cards, edges);
  self->families = base->families;
  self->notes = plumb_note_index_new (notes, base->cards);
  self->approved = plumb_approved_index_new (approved, base->cards);
  return self;
}

/**
 * plumb_search_engine_build:
 * @cards: (element-type PlumbCard): tables that aren't gone, sorted by database, schema and name
 * @weights: (nullable): %NULL for plumb_search_weights
 *
 * Returns: (transfer full): what search needs of @cards
 */
PlumbImage *
plumb_search_engine_build (GPtrArray *cards, const PlumbSearchWeights *weights)
{
  PlumbImage *image = plumb_image_new ();
  g_autoptr (PlumbPostings) postings = NULL;
  g_autoptr (PlumbTableGraph) graph = NULL;

  plumb_tables_build (image, cards);
  plumb_postings_build (image, cards, plumb_tables_read_live (image, cards->len), weights != NULL ? weights : &plumb_search_weights);
  postings = plumb_postings_open (image, cards->len);
  graph = plumb_table_graph_open (image, cards);
  plumb_vocabulary_build (image, postings);
  plumb_spelling_build (image, postings);
  plumb_meaning_build (image, postings, graph);
  return image;
}

/**
 * plumb_search_engine_new:
 * @cards: (element-type PlumbCard): the tables; those that are gone, or that the account can't read, are left out
 * @notes: (nullable) (element-type PlumbNote): what persons wrote on them
 * @approved: (nullable) (element-type PlumbApproved): questions answered right before
 * @weights: (nullable): %NULL for plumb_search_weights
 *
 * Returns: (transfer full): an engine that searches @cards
 */
PlumbSearchEngine *
plumb_search_engine_new (GPtrArray *cards, GPtrArray *notes, GPtrArray *approved,
                         const PlumbSearchWeights *weights)
{
  g_autoptr (GPtrArray) present = g_ptr_array_new_with_free_func ((GDestroyNotify) plumb_card_unref);
  g_autoptr (PlumbImage) image = NULL;

  for (guint i = 0; i < cards->len; i++) {
    PlumbCard *card = g_ptr_array_index (cards, i);

    if (!card->gone && card->selectable)
      g_ptr_array_add (present, plumb_card_ref (card));
  }
  g_ptr_array_sort (present, compare_cards);
  image = plumb_search_engine_build (present, weights);
  return engine_new (base_new (image, present), notes, approved, NULL, weights);
}

/**
 * plumb_search_engine_open:
 * @image: what plumb_search_engine_build() made with plumb_search_weights
 * @notes: (nullable) (element-type PlumbNote): what persons wrote on them
 * @approved: (nullable) (element-type PlumbApproved): questions answered right before
 * @edges: (nullable) (element-type PlumbJoinEdge): joins that the index holds
 *
 * Opens an engine without reading a card; it can only be asked by plumb_search_engine_run_with().
 *
 * Returns: (transfer full) (nullable): the engine, %NULL where @image is damaged
 */
PlumbSearchEngine *
plumb_search_engine_open (PlumbImage *image, GPtrArray *notes, GPtrArray *approved, GPtrArray *edges)
{
  g_autoptr (GPtrArray) cards = plumb_tables_read (image);
  Base *base = cards != NULL ? base_new (image, cards) : NULL;

  if (base != NULL && base_is_whole (base))
    return engine_new (base, notes, approved, edges, NULL);
  base_unref (base);
  return NULL;
}

/** plumb_search_engine_is_damaged: Returns: whether a search has found that the image isn't as it was written: what
 *  it found is then not to be used */
gboolean
plumb_search_engine_is_damaged (PlumbSearchEngine *self)
{
  return plumb_image_is_damaged (self->base->image);
}

/** plumb_search_engine_new_with_notes: Returns: (transfer full): an engine over the same tables as @self, with
 *  other notes, approved questions and stored joins */
PlumbSearchEngine *
plumb_search_engine_new_with_notes (PlumbSearchEngine *self, GPtrArray *notes, GPtrArray *approved, GPtrArray *edges)
{
  return engine_new (g_atomic_rc_box_acquire (self->base), notes, approved, edges, &self->weights);
}

/** plumb_search_engine_ref: Returns: (transfer full): @self with one more reference */
PlumbSearchEngine *
plumb_search_engine_ref (PlumbSearchEngine *self)
{
  return g_atomic_rc_box_acquire (self);
}

static void
engine_clear (PlumbSearchEngine *self)
{
  plumb_approved_index_free (self->approved);
  plumb_note_index_free (self->notes);
  plumb_table_graph_free (self->with_edges);
  base_unref (self->base);
}

/** plumb_search_engine_unref: gives a reference back */
void
plumb_search_engine_unref (PlumbSearchEngine *self)
{
  if (self != NULL)
    g_atomic_rc_box_release_full (self, (GDestroyNotify) engine_clear);
}

static void
run_clear (Run *run)
{
  g_clear_pointer (&run->units, g_ptr_array_unref);
  g_clear_pointer (&run->scores, plumb_scores_free);
  g_clear_pointer (&run->found, plumb_candidates_unref);
  g_clear_error (&run->error);
  g_free (run->notes);
  g_free (run->alike);
  g_free (run->helped_by);
  g_free (run->searched);
  g_free (run->taken);
  g_clear_pointer (&run->wanted, g_hash_table_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Run, run_clear)

static PlumbVisibility
get_visibility (const Run *run, guint table)
{
  PlumbCard *card = g_ptr_array_index (run->engine->cards, table);

  if (!card->selectable)
    return PLUMB_HIDDEN;
  if (run->request->visibility == NULL)
    return PLUMB_VISIBLE;
  return run->request->visibility (card->database, card->schema, card->name, run->request->visibility_data);
}

/* Which databases the request is for. */
static void
choose_databases (Run *run)
{
  PlumbSearchEngine *self = run->engine;
  const char *const *wanted = run->request->databases;

  run->searched = g_new0 (guint8, self->databases->len + 1);
  run->found->of = self->databases->len;
  for (guint i = 0; i < self->databases->len; i++) {
    run->searched[i] = wanted == NULL || wanted[0] == NULL ||
                       g_strv_contains (wanted, g_ptr_array_index (self->databases, i));
    run->found->searched += run->searched[i];
  }
}

/* Where nobody named databases, those that fall far behind are left out. Notes on a table and questions
 * answered from it speak for its database, and so does what is like the question by its vector. */
static void
leave_databases_out (Run *run)
{
  const PlumbTableGraph *graph = run->engine->graph;
  const char *const *wanted = run->request->databases;
  g_autofree float *evidence = NULL;

  if (run->all || (wanted != NULL && wanted[0] != NULL))
    return;
  evidence = g_memdup2 (run->notes, (graph->n_tables + 1) * sizeof (float));
  for (guint i = 0; i < graph->n_tables; i++)
    evidence[i] = MAX (evidence[i], run->alike[i] - NEAR_VECTOR);
  plumb_scores_choose_databases (run->scores, graph, evidence, run->engine->weights.far, run->searched);
  run->found->searched = 0;
  for (guint i = 0; i < graph->n_databases; i++)
    run->found->searched += run->searched[i];
}

/* What is written on a table is evidence of its own, weighed like a word that fits half. */
static void
add_notes (Run *run)
{
  for (guint i = 0; i < run->scores->n_tables; i++) {
    if (run->searched[run->engine->graph->database_of[i]])
      run->scores->score[i] += 0.5f * run->notes[i];
    else
      run->notes[i] = 0;
  }
}

/* A table that is about the same as the question gains, and where no word speaks for it, comes up. */
static void
add_meaning (Run *run, const float *likeness, float weight)
{
  for (guint i = 0; i < run->scores->n_tables; i++) {
    if (run->searched[run->engine->graph->database_of[i]])
      run->scores->score[i] += weight * likeness[i];
  }
}

/* Copies whose live table may not be seen stand for themselves. */
static void
add_copies (Run *run)
{
  const PlumbTableGraph *graph = run->engine->graph;
  g_autofree guint8 *alone = g_new0 (guint8, graph->n_tables + 1);

  for (guint i = 0; i < graph->n_tables; i++)
    alone[i] = graph->live_of[i] >= 0 && get_visibility (run, graph->live_of[i]) != PLUMB_VISIBLE;
  plumb_scores_add_copies (run->scores, graph, alone);
}

static void
score_tables (Run *run)
{
  PlumbSearchEngine *self = run->engine;
  guint n_tables = self->graph->n_tables;
  g_autofree float *tables = g_new0 (float, n_tables + 1);
  g_autofree float *databases = g_new0 (float, self->graph->n_databases + 1);

  run->units = plumb_question_read (run->request->question, self->postings, self->vocabulary, self->spelling,
                                    run->request->plain, &self->weights);
  run->scores = plumb_scores_new (run->units, self->postings, self->graph, run->searched, &self->weights);
  run->notes = g_new0 (float, n_tables + 1);
  run->helped_by = g_new0 (const PlumbEarlierQuestion *, n_tables + 1);
  plumb_note_index_find (self->notes, run->units, n_tables, run->notes);
  run->alike = g_new0 (float, n_tables + 1);
  if (run->request->likeness != NULL)
    plumb_likeness_measure (run->request->likeness, self->graph, run->searched, run->alike);
  leave_databases_out (run);
  if (run->request->plain) {
    plumb_scores_fuse_plain (run->scores, run->units, self->postings, self->graph, self->spelling, run->notes,
                             run->alike);
    add_copies (run);
    return;
  }
  add_notes (run);
  plumb_meaning_compare (self->meaning, run->units, run->scores->rarity, self->postings, tables, databases);
  add_meaning (run, tables, self->weights.meaning);
  add_meaning (run, run->alike, self->weights.alike);
  plumb_scores_add_keys (run->scores, self->graph, &self->weights);
  plumb_scores_add_walk (run->scores, self->graph, &self->weights);
  plumb_scores_add_databases (run->scores, self->graph, databases, &self->weights);
  plumb_approved_index_vote (self->approved, run->request->question, run->scores, self->graph, run->searched,
                             &self->weights, run->helped_by);
  add_copies (run);
}

static void
add_strings (const Run *run, const GArray *tables, guint self_table, GStrv *strings)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  for (guint i = 0; tables != NULL && i < tables->len; i++) {
    guint table = g_array_index (tables, guint, i);
    PlumbCard *card = g_ptr_array_index (run->engine->cards, table);
    g_autofree char *name = plumb_table_name_join (NULL, card->schema, card->name);

    if (table != self_table && get_visibility (run, table) == PLUMB_VISIBLE)
      g_strv_builder_add (builder, name);
  }
  g_strfreev (*strings);
  *strings = g_strv_builder_end (builder);
}

/* Which of the lists found the table: words, words of like meaning, spellings, notes. */
static GStrv
get_matched_by (const Run *run, guint table)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  gboolean found[3] = { FALSE };
  static const char *const names[3] = { "words", "meaning", "spelling" };

  for (guint i = 0; i < run->units->len; i++) {
    PlumbUnit *unit = g_ptr_array_index (run->units, i);
    PlumbMatch match = plumb_unit_match (unit, run->engine->postings, table);

    if (match != PLUMB_MATCH_NONE)
      found[match - PLUMB_MATCH_WORD] = TRUE;
  }
  found[1] = found[1] || run->alike[table] >= PLUMB_ALIKE;
  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    if (found[i])
      g_strv_builder_add (builder, names[i]);
  }
  if (run->notes[table] > 0)
    g_strv_builder_add (builder, "notes");
  return g_strv_builder_end (builder);
}

/* The card with its columns and texts, which isn't in memory where the engine was opened from a file. */
static PlumbCard *
get_whole_card (Run *run, guint table)
{
  PlumbCard *card = g_ptr_array_index (run->engine->cards, table);

  if (run->get_card == NULL)
    return plumb_card_ref (card);
  return run->get_card (card, run->get_card_data, run->error == NULL ? &run->error : NULL);
}

static void
add_candidate (Run *run, guint table, float score)
{
  PlumbSearchEngine *self = run->engine;
  g_autoptr (PlumbCard) card = get_whole_card (run, table);
  PlumbCandidate *candidate;

  run->taken[table] = TRUE;
  if (card == NULL)
    return;
  candidate = plumb_candidate_new (card, score);
  candidate->excerpt = plumb_search_make_excerpt (card, run->wanted);
  g_strfreev (candidate->matched_by);
  candidate->matched_by = get_matched_by (run, table);
  g_clear_pointer (&candidate->notes, g_ptr_array_unref);
  candidate->notes = plumb_note_index_collect (self->notes, table, run->units);
  add_strings (run, plumb_families_get_copies (self->families, table), table, &candidate->copies);
  add_strings (run, plumb_families_get_partitions (self->families, table), G_MAXUINT, &candidate->partitions);
  if (run->helped_by[table] != NULL) {
    candidate->helped_by = g_strdup (run->helped_by[table]->question);
    candidate->helped_by_domain = g_strdup (run->helped_by[table]->domain);
  }
  g_ptr_array_add (run->found->candidates, candidate);
}

static gboolean
asks_for (const Run *run, guint copy)
{
  const PlumbTableGraph *graph = run->engine->graph;

  return plumb_families_asks_for (run->engine->families, copy, run->units,
                                  run->scores->held + graph->database_of[copy], graph->n_databases);
}

/* Copies that the question asks for stand for themselves, right behind their live table. */
static void
add_wanted_copies (Run *run, guint live, float score)
{
  const GArray *copies = plumb_families_get_copies (run->engine->families, live);

  for (guint i = 0, n = 0; copies != NULL && i < copies->len && n < MAX_WANTED_COPIES; i++) {
    guint copy = g_array_index (copies, guint, i);

    if (run->found->candidates->len < run->limit && !run->taken[copy] &&
        get_visibility (run, copy) == PLUMB_VISIBLE && asks_for (run, copy)) {
      add_candidate (run, copy, score);
      n++;
    }
  }
}

static void
add_without_permission (Run *run, guint table)
{
  PlumbCard *card = g_ptr_array_index (run->engine->cards, table);

  if (run->taken[table] || run->found->no_permission->len >= run->limit)
    return;
  run->taken[table] = TRUE;
  g_ptr_array_add (run->found->no_permission, plumb_card_get_full_name (card));
}

static void
take_partitions (Run *run, guint table)
{
  const GArray *family = plumb_families_get_partitions (run->engine->families, table);

  for (guint i = 0; family != NULL && i < family->len; i++)
    run->taken[g_array_index (family, guint, i)] = TRUE;
}

static void
add_table (Run *run, guint table, float score)
{
  PlumbFamilies *families = run->engine->families;
  int live = plumb_families_get_live (families, table);
  PlumbVisibility visibility = get_visibility (run, table);

  if (run->taken[table] || visibility == PLUMB_HIDDEN)
    return;
  if (visibility == PLUMB_VISIBLE_BY_NAME) {
    add_without_permission (run, table);
    return;
  }
  if (live >= 0 && get_visibility (run, live) == PLUMB_VISIBLE && !plumb_families_names (families, table, run->units)) {
    if (run->taken[live])
      return;
    table = live;
  }
  add_candidate (run, table, score);
  take_partitions (run, table);
  add_wanted_copies (run, table, score);
}

static void
add_tables (Run *run, const GArray *order)
{
  for (guint i = 0; i < order->len && run->found->candidates->len < run->limit; i++) {
    const PlumbPosting *entry = &g_array_index (order, PlumbPosting, i);

    add_table (run, entry->table, entry->weight);
  }
}

static void
set_lists (Run *run)
{
  gboolean with_meaning = !run->request->plain || run->request->likeness != NULL;
  const char *const lists[] = { "words", with_meaning ? "meaning" : "spelling", with_meaning ? "spelling" : "notes",
                                with_meaning ? "notes" : NULL, NULL };

  g_strfreev (run->found->lists);
  run->found->lists = g_strdupv ((GStrv) lists);
  if (run->request->likeness != NULL)
    run->found->embedding_model = g_strdup (plumb_likeness_get_model (run->request->likeness));
}

/** plumb_search_engine_get_tables: Returns: (transfer none) (element-type PlumbCard): the names of the tables, sorted;
 *  the same array as long as they are the same */
GPtrArray *
plumb_search_engine_get_tables (PlumbSearchEngine *self)
{
  return self->cards;
}

/**
 * plumb_search_engine_run_with:
 * @request: what to search
 * @get_card: (nullable): reads the whole card of a table that is found; %NULL where the engine has them
 * @data: passed to @get_card
 * @cancellable: (nullable): a cancellable
 *
 * Returns: (transfer full): the candidates; %NULL with G_IO_ERROR_CANCELLED or the error of @get_card
 */
PlumbCandidates *
plumb_search_engine_run_with (PlumbSearchEngine *self, const PlumbSearchRequest *request, PlumbCardFunc get_card,
                              gpointer data, GCancellable *cancellable, GError **error)
{
  gint64 started = g_get_monotonic_time ();
  g_auto (Run) run = { self, request, get_card, data };
  g_autoptr (GArray) order = NULL;
  guint n_ranked;

  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;
  run.found = plumb_candidates_new ();
  run.limit = CLAMP (request->limit > 0 ? request->limit : DEFAULT_LIMIT, 1, MAX_LIMIT);
  run.taken = g_new0 (guint8, self->cards->len + 1);
  choose_databases (&run);
  score_tables (&run);
  run.wanted = plumb_search_collect_wanted (run.units, self->postings);
  n_ranked = RANKED * run.limit;
  order = plumb_scores_rank (run.scores, n_ranked);
  if (!request->plain)
    plumb_scores_diversify (run.scores, order, 2 * run.limit, self->graph, &self->weights);
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;
  add_tables (&run, order);
  /* Where most of the best tables are hidden, or copies or partitions of others, all are looked at. */
  if (order->len == n_ranked && run.found->candidates->len < run.limit) {
    g_autoptr (GArray) all = plumb_scores_rank (run.scores, self->graph->n_tables);

    add_tables (&run, all);
  }
  if (run.error != NULL) {
    g_propagate_error (error, g_steal_pointer (&run.error));
    return NULL;
  }
  set_lists (&run);
  run.found->elapsed_us = g_get_monotonic_time () - started;
  return g_steal_pointer (&run.found);
}

/** plumb_search_engine_run: Returns: (transfer full): the candidates of an engine that was made of cards; %NULL
 *  with G_IO_ERROR_CANCELLED */
PlumbCandidates *
plumb_search_engine_run (PlumbSearchEngine *self, const PlumbSearchRequest *request,
                         GCancellable *cancellable, GError **error)
{
  return plumb_search_engine_run_with (self, request, NULL, NULL, cancellable, error);
}

/**
 * plumb_search_engine_rank_databases:
 * @question: the question
 *
 * Returns: (transfer full) (element-type utf8): all databases, those that fit @question best first
 */
GPtrArray *
plumb_search_engine_rank_databases (PlumbSearchEngine *self, const char *question)
{
  PlumbSearchRequest request = { .question = question };
  g_auto (Run) run = { self, &request, .all = TRUE };
  g_autofree float *best = g_new0 (float, self->databases->len + 1);
  GPtrArray *ranked = g_ptr_array_new_with_free_func (g_free);

  run.found = plumb_candidates_new ();
  choose_databases (&run);
  score_tables (&run);
  for (guint i = 0; i < run.scores->n_tables; i++) {
    guint database = self->graph->database_of[i];

    best[database] = MAX (best[database], run.scores->score[i]);
  }
  for (guint n = 0; n < self->databases->len; n++) {
    guint winner = 0;

    for (guint i = 1; i < self->databases->len; i++) {
      if (best[i] > best[winner])
        winner = i;
    }
    best[winner] = -1;
    g_ptr_array_add (ranked, g_strdup (g_ptr_array_index (self->databases, winner)));
  }
  return ranked;
}
