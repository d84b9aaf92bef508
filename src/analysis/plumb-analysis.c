/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-analysis-readers.h"

#include <string.h>

/* Changed whenever the analysis learns to say more, so that every card is made again. */
#define FINGERPRINT_VERSION "1"

/* Without rows to read a card is quick, and a commit a card would be most of the time. */
#define CARDS_PER_COMMIT 64

typedef struct {
  PlumbIndex *index;
  PlumbSource *source;
  const PlumbAnalysisOptions *options;
  PlumbAnalysisProgress progress;
  gpointer user_data;
  GCancellable *cancellable;
  PlumbAnalysisReport *report;
  PlumbCatalog *catalog;
  GPtrArray *cards;       /* of the catalog, in its order */
  GPtrArray *files;       /* domain files */
  PlumbCodeBook *codes;   /* NULL without rows */
  GHashTable *stored;     /* fingerprints in the index */
  GHashTable *by_name;    /* `schema.table` → card that is of now */
  GPtrArray *waiting;     /* cards that aren't stored yet */
  gboolean with_rows;
} Run;

static void
run_clear (Run *self)
{
  g_clear_pointer (&self->catalog, plumb_catalog_unref);
  g_clear_pointer (&self->cards, g_ptr_array_unref);
  g_clear_pointer (&self->files, g_ptr_array_unref);
  g_clear_pointer (&self->codes, plumb_code_book_free);
  g_clear_pointer (&self->stored, g_hash_table_unref);
  g_clear_pointer (&self->by_name, g_hash_table_unref);
  g_clear_pointer (&self->waiting, g_ptr_array_unref);
  g_clear_pointer (&self->report, plumb_analysis_report_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Run, run_clear)

static void
tell (Run *self, const char *doing, int done, int total)
{
  if (self->progress != NULL)
    self->progress (doing, done, total, self->user_data);
}

/* Rows in steps of half as many again: a table that grew a little is the same table. */
static guint
get_size_class (gint64 rows)
{
  guint class = 0;

  for (double size = 1; rows > 0 && size < rows; size *= 1.5)
    class++;
  return rows < 0 ? G_MAXUINT : class;
}

/* Everything that the card says before rows are read, and how they would be read. */
static char *
make_fingerprint (Run *self, PlumbCard *card)
{
  g_autofree char *json = NULL;
  g_autofree char *text = NULL;
  gint64 rows = card->row_estimate;

  card->row_estimate = -1;
  json = plumb_card_to_json (card);
  card->row_estimate = rows;
  text = g_strdup_printf ("%s %d %u %s", FINGERPRINT_VERSION, self->with_rows,
                          get_size_class (rows), json);
  return g_compute_checksum_for_string (G_CHECKSUM_SHA256, text, -1);
}

static gboolean
prepare (Run *self, GError **error)
{
  const char *folder = self->options->domain_folder;

  tell (self, "Reading the catalog", 0, -1);
  self->catalog = plumb_source_read_catalog (self->source, self->cancellable, error);
  if (self->catalog == NULL)
    return FALSE;
  self->stored = plumb_index_get_fingerprints (self->index, self->catalog->database, error);
  if (self->stored == NULL)
    return FALSE;
  tell (self, "Looking for copies and joins", 0, self->catalog->tables->len);
  self->cards = plumb_analysis_make_cards (self->catalog);
  self->files = folder != NULL ? plumb_domain_files_load (folder, self->report->failures)
                               : g_ptr_array_new ();
  plumb_domain_files_apply (self->files, self->cards);
  if (self->with_rows) {
    tell (self, "Reading code tables", 0, self->cards->len);
    self->codes = plumb_code_book_read (self->source, self->cards, self->cancellable, error);
    if (self->codes == NULL)
      return FALSE;
  }
  for (guint i = 0; i < self->cards->len; i++) {
    PlumbCard *card = g_ptr_array_index (self->cards, i);

    if (self->codes != NULL)
      plumb_code_book_apply (self->codes, card);
    card->fingerprint = make_fingerprint (self, card);
  }
  return TRUE;
}

static gboolean
is_unchanged (Run *self, PlumbCard *card, const char *name)
{
  return self->options->changed_only &&
         g_strcmp0 (g_hash_table_lookup (self->stored, name), card->fingerprint) == 0;
}

static gboolean
store_waiting (Run *self, GError **error)
{
  if (!plumb_index_put_cards (self->index, self->waiting, error))
    return FALSE;
  g_ptr_array_set_size (self->waiting, 0);
  return TRUE;
}

/* What ends the run, since no other table could be read either. */
static gboolean
is_end_of_run (const GError *error)
{
  static const PlumbSourceError codes[] = {
    PLUMB_SOURCE_ERROR_ADDRESS, PLUMB_SOURCE_ERROR_CONNECT, PLUMB_SOURCE_ERROR_AUTHENTICATION,
    PLUMB_SOURCE_ERROR_LOST,
  };

  for (guint i = 0; i < G_N_ELEMENTS (codes); i++) {
    if (g_error_matches (error, PLUMB_SOURCE_ERROR, codes[i]))
      return TRUE;
  }
  return g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

static void
set_end_of_run (Run *self, GError *inner, GError **error)
{
  if (inner->domain == PLUMB_SOURCE_ERROR) {
    g_autofree char *message = g_steal_pointer (&inner->message);

    inner->message = g_strdup_printf (
        "%s (The analysis stopped after %u of %u tables. What was analyzed is kept; analyze what "
        "changed to go on.)", message, self->report->analyzed + self->report->unchanged,
        self->cards->len);
  }
  g_propagate_error (error, inner);
}

/* A failure to read a table is told of, and its card says what the catalog says; without a
 * fingerprint, so that the next run tries again. */
static gboolean
take_rows (Run *self, PlumbCard *card, const char *name, GError *inner, GError **error)
{
  PlumbCard *live;

  if (inner != NULL) {
    if (is_end_of_run (inner)) {
      set_end_of_run (self, inner, error);
      return FALSE;
    }
    g_ptr_array_add (self->report->failures, g_strdup_printf ("%s: %s", name, inner->message));
    g_error_free (inner);
    g_clear_pointer (&card->fingerprint, g_free);
    return TRUE;
  }
  plumb_code_book_check (card);
  plumb_code_book_apply (self->codes, card);
  live = card->copy_of != NULL ? g_hash_table_lookup (self->by_name, card->copy_of) : NULL;
  if (live != NULL)
    plumb_analysis_refine_copy (card, live);
  return TRUE;
}

/* A card that is kept stands for the table in what follows, with the values that were read then. */
static gboolean
keep_card (Run *self, guint position, const char *name)
{
  PlumbCard *card = g_ptr_array_index (self->cards, position);
  PlumbCard *kept =
      plumb_index_get_card (self->index, card->database, card->schema, card->name, NULL);

  if (kept == NULL)
    return FALSE;
  plumb_card_unref (card);
  g_ptr_array_index (self->cards, position) = kept;
  g_hash_table_insert (self->by_name, g_strdup (name), kept);
  self->report->unchanged++;
  return TRUE;
}

static gboolean
add_card (Run *self, PlumbCard *card, GError **error)
{
  card->analyzed_at = g_get_real_time () / G_USEC_PER_SEC;
  g_hash_table_insert (self->by_name, plumb_card_get_short_name (card), card);
  g_ptr_array_add (self->waiting, plumb_card_ref (card));
  self->report->analyzed++;
  return self->waiting->len < (self->with_rows ? 1 : CARDS_PER_COMMIT) ||
         store_waiting (self, error);
}

static gboolean
take_tables (Run *self, PlumbAnalysisReaders *readers, GError **error)
{
  for (;;) {
    GError *inner = NULL;
    g_autoptr (PlumbCard) card = plumb_analysis_readers_pop (readers, &inner);
    g_autofree char *name = card != NULL ? plumb_card_get_short_name (card) : NULL;

    if (card == NULL)
      return TRUE;
    tell (self, card->name, self->report->analyzed + self->report->unchanged, self->cards->len);
    if (!take_rows (self, card, name, inner, error) || !add_card (self, card, error))
      return FALSE;
  }
}

/* Live tables first: what a copy is behind is told from its live table's rows. */
static gboolean
analyze_tables (Run *self, GError **error)
{
  for (guint pass = 0; pass < 2; pass++) {
    g_autoptr (PlumbAnalysisReaders) readers =
        plumb_analysis_readers_new (self->source, self->cancellable);

    for (guint i = 0; i < self->cards->len; i++) {
      PlumbCard *card = g_ptr_array_index (self->cards, i);
      g_autofree char *name = plumb_card_get_short_name (card);

      if ((card->copy_of != NULL) != (pass == 1))
        continue;
      if (g_cancellable_set_error_if_cancelled (self->cancellable, error))
        return FALSE;
      if (is_unchanged (self, card, name) && keep_card (self, i, name))
        continue;
      if (self->with_rows && card->selectable)
        plumb_analysis_readers_push (readers, card);
      else if (!add_card (self, card, error))
        return FALSE;
    }
    if (!take_tables (self, readers, error))
      return FALSE;
  }
  return store_waiting (self, error);
}

static gboolean
finish (Run *self, GError **error)
{
  g_autoptr (GHashTable) present = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GPtrArray) edges = plumb_analysis_infer_edges (self->catalog, self->cards);
  g_autoptr (GPtrArray) examples =
      plumb_domain_files_list_examples (self->files, self->catalog->database, self->cards);
  g_autofree char *summary = plumb_analysis_summarize (self->catalog->database, self->cards);
  g_autofree char *version = NULL;
  GHashTableIter iter;
  gpointer name;

  tell (self, "Storing joins and the summary", self->cards->len, self->cards->len);
  plumb_domain_files_confirm_edges (self->files, edges);
  version = plumb_source_get_version (self->source, self->cancellable, NULL);
  for (guint i = 0; i < self->cards->len; i++)
    g_hash_table_add (present, plumb_card_get_short_name (g_ptr_array_index (self->cards, i)));
  g_hash_table_iter_init (&iter, self->stored);
  while (g_hash_table_iter_next (&iter, &name, NULL))
    self->report->gone += !g_hash_table_contains (present, name);
  return plumb_index_replace_inferred_edges (self->index, self->catalog->database, edges, error) &&
         plumb_index_replace_examples (self->index, self->catalog->database, examples, error) &&
         plumb_index_finish_analysis (self->index, self->catalog->database, present, summary,
                                      version, error);
}

/**
 * plumb_analysis_run:
 * @index: where cards, edges and the summary are stored; knows the source by its name
 * @source: the source
 * @options: what to do
 * @progress: (nullable) (scope call): told of each table before it is read
 * @user_data: passed to @progress
 * @cancellable: (nullable): a cancellable
 * @error: return location
 *
 * Analyses a source in the passes of DESIGN section 9. Cards are stored as they are made, each
 * whole: a run that was cancelled or killed leaves every card old or new, and the next one with
 * @changed_only goes on where it stopped. A table that can't be read gets the card that the catalog
 * gives, and stands in the report's failures; a source that can't be reached ends the run. Notes,
 * and edges that a person set, are not touched.
 *
 * Returns: (transfer full): what was done, or %NULL with an error of the source, the index, or
 *   G_IO_ERROR_CANCELLED
 */
PlumbAnalysisReport *
plumb_analysis_run (PlumbIndex *index, PlumbSource *source, const PlumbAnalysisOptions *options,
                    PlumbAnalysisProgress progress, gpointer user_data, GCancellable *cancellable,
                    GError **error)
{
  g_auto (Run) run = {
    .index = index,
    .source = source,
    .options = options,
    .progress = progress,
    .user_data = user_data,
    .cancellable = cancellable,
  };

  run.with_rows = options->profile && plumb_source_has_rows (source);
  run.report = plumb_analysis_report_new ();
  run.by_name = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  run.waiting = g_ptr_array_new_with_free_func ((GDestroyNotify) plumb_card_unref);
  if (!prepare (&run, error))
    return NULL;
  run.report->tables = run.cards->len;
  if (!analyze_tables (&run, error) || !finish (&run, error))
    return NULL;
  return g_steal_pointer (&run.report);
}
