/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "bench-words.h"
#include "plumb-search-private.h"
#include "xapian-peer.h"

#include <gio/gio.h>
#include <glib/gstdio.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Table search beside FTS5 and Xapian over the same tables and texts, all of them in files: building, opening in
 * a new program, words, near spellings, the whole search, and how it grows. */

#define N_TABLES 10000
#define N_COLUMNS 240
#define N_QUESTIONS 100
#define LIMIT 30
#define BATCH 500

typedef struct {
  char *folder;
  char *path;
  PlumbIndex *index;
  PlumbSearch *search;
  PlumbImage *image;
  PlumbTableGraph *graph;
  PlumbPostings *postings;
  PlumbVocabulary *vocabulary;
  PlumbSpelling *spelling;
  sqlite3 *fts;
  sqlite3_stmt *fts_words;
  sqlite3_stmt *fts_trigrams;
  void *xapian;
} Bench;

static double
now_ms (void)
{
  return g_get_monotonic_time () / 1000.0;
}

static int
compare_doubles (gconstpointer a, gconstpointer b)
{
  double left = *(const double *) a;
  double right = *(const double *) b;

  return left < right ? -1 : left > right;
}

static double
median (GArray *times)
{
  g_array_sort (times, compare_doubles);
  return g_array_index (times, double, times->len / 2);
}

static void
must (gboolean done, GError *error)
{
  if (!done)
    g_error ("%s", error != NULL ? error->message : "failed");
}

static void
must_sql (gboolean done, sqlite3 *database)
{
  if (!done)
    g_error ("%s", sqlite3_errmsg (database));
}

/* Stores the cards as analysis does, and lets search derive what it needs; returns the time. */
static double
store_cards (Bench *bench, GPtrArray *cards)
{
  GError *error = NULL;
  double start = now_ms ();

  for (guint i = 0; i < cards->len; i += BATCH) {
    g_autoptr (GPtrArray) batch = g_ptr_array_new ();

    for (guint j = i; j < MIN (i + BATCH, cards->len); j++)
      g_ptr_array_add (batch, g_ptr_array_index (cards, j));
    must (plumb_index_put_cards (bench->index, batch, &error), error);
  }
  must (plumb_search_prepare (bench->search, &error), error);
  return now_ms () - start;
}

static double
build_ours (Bench *bench, GPtrArray *cards)
{
  GError *error = NULL;

  bench->path = g_build_filename (bench->folder, "index.sqlite", NULL);
  bench->index = plumb_index_open (bench->path, &error);
  must (bench->index != NULL, error);
  for (guint i = 0; i < BENCH_DATABASES; i++) {
    g_autofree char *name = g_strdup_printf ("db%u", i);
    g_autoptr (PlumbSourceRecord) source = plumb_source_record_new (name, "sqlite:///tmp/none.db");

    must (plumb_index_add_source (bench->index, source, &error), error);
  }
  bench->search = plumb_search_new (bench->index);
  return store_cards (bench, cards);
}

static void
insert_texts (sqlite3 *database, const char *sql, GPtrArray *texts)
{
  sqlite3_stmt *insert;

  must_sql (sqlite3_prepare_v2 (database, sql, -1, &insert, NULL) == SQLITE_OK, database);
  for (guint i = 0; i < texts->len; i++) {
    sqlite3_bind_text (insert, 1, g_ptr_array_index (texts, i), -1, SQLITE_STATIC);
    must_sql (sqlite3_step (insert) == SQLITE_DONE, database);
    sqlite3_reset (insert);
  }
  sqlite3_finalize (insert);
}

/* The words of all chunks, and the trigrams of identifiers, each of which stands in one chunk. */
static double
build_fts (Bench *bench, GPtrArray *cards, guint *n_chunks)
{
  g_autofree char *path = g_build_filename (bench->folder, "fts.sqlite", NULL);
  double time = 0;

  must_sql (sqlite3_open (path, &bench->fts) == SQLITE_OK, bench->fts);
  must_sql (sqlite3_exec (bench->fts, "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;"
                          "CREATE VIRTUAL TABLE w USING fts5 (t, tokenize='unicode61');"
                          "CREATE VIRTUAL TABLE g USING fts5 (t, tokenize='trigram'); BEGIN",
                          NULL, NULL, NULL) == SQLITE_OK, bench->fts);
  for (guint i = 0; i < cards->len; i++) {
    g_autoptr (GPtrArray) chunks = bench_make_chunks (g_ptr_array_index (cards, i));
    g_autoptr (GPtrArray) identifiers = bench_make_identifiers (g_ptr_array_index (cards, i));
    double start = now_ms ();

    insert_texts (bench->fts, "INSERT INTO w VALUES (?)", chunks);
    insert_texts (bench->fts, "INSERT INTO g VALUES (?)", identifiers);
    time += now_ms () - start;
    *n_chunks += chunks->len;
  }
  must_sql (sqlite3_exec (bench->fts, "COMMIT", NULL, NULL, NULL) == SQLITE_OK, bench->fts);
  return time;
}

static void
prepare_fts (Bench *bench)
{
  static const char words[] = "SELECT rowid FROM w WHERE w MATCH ? ORDER BY rank LIMIT 30";
  static const char trigrams[] = "SELECT rowid FROM g WHERE g MATCH ? ORDER BY rank LIMIT 30";

  must_sql (sqlite3_prepare_v2 (bench->fts, words, -1, &bench->fts_words, NULL) == SQLITE_OK, bench->fts);
  must_sql (sqlite3_prepare_v2 (bench->fts, trigrams, -1, &bench->fts_trigrams, NULL) == SQLITE_OK, bench->fts);
}

static double
build_xapian (Bench *bench, GPtrArray *cards)
{
  double start = now_ms ();

  bench->xapian = xapian_peer_new ();
  for (guint i = 0; i < cards->len; i++) {
    g_autoptr (GPtrArray) chunks = bench_make_chunks (g_ptr_array_index (cards, i));

    for (guint j = 0; j < chunks->len; j++) {
      g_auto (GStrv) words = g_strsplit (g_ptr_array_index (chunks, j), " ", -1);

      xapian_peer_add (bench->xapian, (const char *const *) words);
    }
  }
  xapian_peer_commit (bench->xapian);
  return now_ms () - start;
}

/* What the whole search is made of, for the measurements of its parts. */
static void
open_parts (Bench *bench, GPtrArray *cards)
{
  bench->image = plumb_search_engine_build (cards, NULL);
  bench->graph = plumb_table_graph_open (bench->image, cards);
  bench->postings = plumb_postings_open (bench->image, cards->len);
  bench->vocabulary = plumb_vocabulary_open (bench->image, bench->postings);
  bench->spelling = plumb_spelling_open (bench->image, bench->postings);
}

static void
search_whole (Bench *bench, const char *question)
{
  const PlumbSearchRequest request = { .question = question, .limit = LIMIT };
  GError *error = NULL;
  g_autoptr (PlumbCandidates) found = plumb_search_run (bench->search, &request, NULL, &error);

  must (found != NULL, error);
}

/* The list of words alone: the question's words, their tables, the best thirty. */
static void
search_words (Bench *bench, const char *question)
{
  g_autoptr (GPtrArray) units = plumb_question_read (question, bench->postings, bench->vocabulary, bench->spelling,
                                                     TRUE, &plumb_search_weights);
  g_autoptr (PlumbScores) scores = plumb_scores_new (units, bench->postings, bench->graph, NULL,
                                                     &plumb_search_weights);
  g_autoptr (GArray) best = plumb_scores_rank (scores, LIMIT);

  must (best->len > 0, NULL);
}

static void
search_fts_words (Bench *bench, const char *question)
{
  g_auto (GStrv) words = g_strsplit (question, " ", -1);
  g_autofree char *query = g_strjoinv (" OR ", words);

  sqlite3_bind_text (bench->fts_words, 1, query, -1, SQLITE_STATIC);
  while (sqlite3_step (bench->fts_words) == SQLITE_ROW)
    ;
  sqlite3_reset (bench->fts_words);
}

static void
search_xapian (Bench *bench, const char *question)
{
  g_auto (GStrv) words = g_strsplit (question, " ", -1);

  xapian_peer_search (bench->xapian, (const char *const *) words, LIMIT);
}

static void
find_spelling (Bench *bench, const char *word)
{
  g_autoptr (GArray) relatives = g_array_new (FALSE, FALSE, sizeof (PlumbRelative));

  plumb_spelling_find (bench->spelling, word, 1, relatives);
}

static void
find_fts_trigrams (Bench *bench, const char *word)
{
  g_autoptr (GString) query = g_string_new (NULL);

  for (const char *p = word; strlen (p) >= 3; p++)
    g_string_append_printf (query, "%s\"%.3s\"", query->len > 0 ? " OR " : "", p);
  sqlite3_bind_text (bench->fts_trigrams, 1, query->str, -1, SQLITE_STATIC);
  while (sqlite3_step (bench->fts_trigrams) == SQLITE_ROW)
    ;
  sqlite3_reset (bench->fts_trigrams);
}

typedef void (*SearchFunc) (Bench *bench, const char *text);

/* One text after the other, the searches taking turns; sets the median of each. */
static void
measure (Bench *bench, GStrv texts, const SearchFunc *searches, guint n_searches, double *medians)
{
  g_autoptr (GPtrArray) times = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);

  for (guint i = 0; i < n_searches; i++) {
    g_ptr_array_add (times, g_array_new (FALSE, FALSE, sizeof (double)));
    searches[i] (bench, texts[0]);
  }
  for (guint q = 0; texts[q] != NULL; q++) {
    for (guint i = 0; i < n_searches; i++) {
      double start = now_ms ();

      searches[i] (bench, texts[q]);
      start = now_ms () - start;
      g_array_append_val (g_ptr_array_index (times, i), start);
    }
  }
  for (guint i = 0; i < n_searches; i++)
    medians[i] = median (g_ptr_array_index (times, i));
}

static void
measure_words (Bench *bench, const char *title, GStrv questions)
{
  static const SearchFunc searches[] = { search_words, search_fts_words, search_xapian, search_whole };
  double ms[G_N_ELEMENTS (searches)];

  measure (bench, questions, searches, G_N_ELEMENTS (searches), ms);
  g_print ("%s, ms: list of words %.3f, FTS5 ORDER BY rank %.2f, Xapian %.2f; FTS5/ours %.0f (goal 10), "
           "ours/Xapian %.2f (goal 1)\n", title, ms[0], ms[1], ms[2], ms[1] / ms[0], ms[0] / ms[2]);
  g_print ("%s, ms: whole search without vectors %.2f (goal 5)\n", title, ms[3]);
}

static void
measure_spellings (Bench *bench, GPtrArray *cards)
{
  static const SearchFunc searches[] = { find_spelling, find_fts_trigrams };
  g_auto (GStrv) words = bench_make_misspelt (cards, N_QUESTIONS);
  double ms[G_N_ELEMENTS (searches)];

  measure (bench, words, searches, G_N_ELEMENTS (searches), ms);
  g_print ("near spellings, ms: ours %.3f (goal 2), FTS5 trigrams by OR %.2f; FTS5/ours %.0f (goal 40)\n", ms[0],
           ms[1], ms[1] / ms[0]);
}

/* What a new program does before its first search; run as one. */
static int
open_and_print (const char *path)
{
  GError *error = NULL;
  double start = now_ms ();
  g_autoptr (PlumbIndex) index = plumb_index_open (path, &error);
  g_autoptr (PlumbSearch) search = index != NULL ? plumb_search_new (index) : NULL;

  must (index != NULL && plumb_search_prepare (search, &error), error);
  printf ("%.3f\n", now_ms () - start);
  return 0;
}

static double
measure_opening (Bench *bench, const char *program)
{
  g_autoptr (GArray) times = g_array_new (FALSE, FALSE, sizeof (double));
  const char *const command[] = { program, "--open", bench->path, NULL };

  for (guint i = 0; i < 11; i++) {
    g_autofree char *text = NULL;
    GError *error = NULL;
    double time;

    must (g_spawn_sync (NULL, (char **) command, NULL, G_SPAWN_DEFAULT, NULL, NULL, &text, NULL, NULL, &error), error);
    time = g_ascii_strtod (text, NULL);
    g_array_append_val (times, time);
  }
  return median (times);
}

static guint64
get_size (const char *path, const char *ending)
{
  g_autofree char *file = g_strconcat (path, ending, NULL);
  GStatBuf status;

  return g_stat (file, &status) == 0 ? (guint64) status.st_size : 0;
}

static void
bench_clear (Bench *bench)
{
  g_autofree char *command = g_strdup_printf ("rm -rf '%s'", bench->folder);

  plumb_spelling_free (bench->spelling);
  plumb_vocabulary_free (bench->vocabulary);
  plumb_postings_free (bench->postings);
  plumb_table_graph_free (bench->graph);
  plumb_image_unref (bench->image);
  g_clear_object (&bench->search);
  g_clear_object (&bench->index);
  sqlite3_finalize (bench->fts_words);
  sqlite3_finalize (bench->fts_trigrams);
  sqlite3_close (bench->fts);
  if (bench->xapian != NULL)
    xapian_peer_free (bench->xapian);
  must (system (command) == 0, NULL);
  g_free (bench->folder);
  g_free (bench->path);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Bench, bench_clear)

/* Questions that are none, beside ordinary ones: the time that they take is bounded by what of them is read. */
static void
measure_bad_input (Bench *bench, GStrv questions)
{
  static const char *const words[] = { "word_ORDER's ", "订单顾客龘", "주문을고객에게", "заказовклиентам ", "😀🎉🚀", "שלום ",
                                       "ＯＲＤＥＲＳ　", "SELECT * FROM \"t\" WHERE 1=1; ", "\"orders\" NEAR/3 cust* AND (OR -", "a" };
  const SearchFunc search[] = { search_whole };
  double usual, worst = 0;

  measure (bench, questions, search, 1, &usual);
  for (guint i = 0; i < G_N_ELEMENTS (words); i++) {
    g_autoptr (GString) text = g_string_new (NULL);
    char *texts[] = { NULL, NULL };
    double took;

    while (text->len < 100000)
      g_string_append (text, words[i]);
    texts[0] = text->str;
    measure (bench, texts, search, 1, &took);
    worst = MAX (worst, took);
  }
  g_print ("100,000 bytes of words, no words, other scripts, SQL, query syntax, ms: the slowest %.2f, in times of an "
           "ordinary question %.1f\n", worst, worst / usual);
}

static void
measure_beside_peers (const char *program)
{
  g_auto (Bench) bench = { .folder = g_dir_make_tmp ("plumbline-bench-XXXXXX", NULL) };
  g_autoptr (GPtrArray) cards = bench_make_cards (N_TABLES, N_COLUMNS);
  g_auto (GStrv) questions = bench_make_questions (cards, N_QUESTIONS, FALSE);
  g_auto (GStrv) everyday = bench_make_questions (cards, N_QUESTIONS, TRUE);
  guint n_chunks = 0;
  double ours = build_ours (&bench, cards), fts = build_fts (&bench, cards, &n_chunks), again;

  again = store_cards (&bench, cards);
  g_print ("%u tables, %u chunks\n", cards->len, n_chunks);
  g_print ("indexing, s: cards and search %.2f, FTS5 words and trigrams %.2f; ours/FTS5 %.2f (goal 1); again with "
           "nothing changed %.2f, again/FTS5 %.3f (goal 0.1)\n",
           ours / 1000, fts / 1000, ours / fts, again / 1000, again / fts);
  g_print ("Xapian's build, s: %.2f\n", build_xapian (&bench, cards) / 1000);
  g_print ("sizes, MiB: index %.1f, search %.1f\n", get_size (bench.path, "") / 1048576.0,
           get_size (bench.path, "-search") / 1048576.0);
  g_print ("opening in a new program, ms: %.1f (goal 50)\n", measure_opening (&bench, program));
  prepare_fts (&bench);
  open_parts (&bench, cards);
  measure_words (&bench, "5 to 10 words", questions);
  measure_words (&bench, "with everyday words", everyday);
  measure_spellings (&bench, cards);
  measure_bad_input (&bench, questions);
}

/* Three chunks a table rather than five, as many large schemas have. */
static void
measure_growth (const char *program)
{
  static const guint sizes[] = { 10000, 30000, 100000 };
  static const SearchFunc searches[] = { search_whole };
  double first = 0;

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    g_auto (Bench) bench = { .folder = g_dir_make_tmp ("plumbline-bench-XXXXXX", NULL) };
    g_autoptr (GPtrArray) cards = bench_make_cards (sizes[i], N_COLUMNS / 3);
    g_auto (GStrv) questions = bench_make_questions (cards, N_QUESTIONS, TRUE);
    double build = build_ours (&bench, cards), ms;

    measure (&bench, questions, searches, 1, &ms);
    if (i == 0)
      first = ms;
    g_print ("%u tables: indexing %.1f s, opening %.1f ms, whole search without vectors %.2f ms, a table %.2f times "
             "that of %u (goal 1)\n", sizes[i], build / 1000, measure_opening (&bench, program), ms,
             ms / first * sizes[0] / sizes[i], sizes[0]);
  }
}

int
main (int argc, char **argv)
{
  if (argc > 2 && strcmp (argv[1], "--open") == 0)
    return open_and_print (argv[2]);
  setvbuf (stdout, NULL, _IOLBF, 0);
  measure_beside_peers (argv[0]);
  if (argc < 2 || strcmp (argv[1], "--short") != 0)
    measure_growth (argv[0]);
  return 0;
}
