/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "bench-words.h"
#include "plumb-search-engine.h"
#include "xapian-peer.h"

#include <sqlite3.h>
#include <string.h>

/* Table search beside FTS5's ORDER BY rank and Xapian, over the same 10,000 tables. Ours is the whole
 * search (words, spellings, keys, databases, grouping by table); the peers only rank chunks by words,
 * so the ratio is to our disadvantage. */

#define N_TABLES 10000
#define N_QUESTIONS 100

typedef struct {
  PlumbSearchEngine *engine;
  sqlite3 *database;
  sqlite3_stmt *statement;
  void *xapian;
} Peers;

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
must (gboolean done, sqlite3 *database)
{
  if (!done)
    g_error ("%s", sqlite3_errmsg (database));
}

/* Builds all three indexes and prints how long each took. */
static void
build (Peers *peers, GPtrArray *cards)
{
  double start = now_ms ();
  sqlite3_stmt *insert;
  double ours, fts, xapian;
  guint n_chunks = 0;

  peers->engine = plumb_search_engine_new (cards, NULL, NULL, NULL);
  ours = now_ms () - start;

  start = now_ms ();
  must (sqlite3_open (":memory:", &peers->database) == SQLITE_OK, peers->database);
  must (sqlite3_exec (peers->database,
                      "CREATE VIRTUAL TABLE w USING fts5 (t, tokenize='unicode61');"
                      "CREATE VIRTUAL TABLE g USING fts5 (t, tokenize='trigram'); BEGIN",
                      NULL, NULL, NULL) == SQLITE_OK, peers->database);
  for (int table = 0; table < 2; table++) {
    must (sqlite3_prepare_v2 (peers->database,
                              table == 0 ? "INSERT INTO w VALUES (?)" : "INSERT INTO g VALUES (?)",
                              -1, &insert, NULL) == SQLITE_OK, peers->database);
    for (guint i = 0; i < cards->len; i++) {
      g_autoptr (GPtrArray) chunks = bench_make_chunks (g_ptr_array_index (cards, i));

      for (guint j = 0; j < chunks->len; j++) {
        sqlite3_bind_text (insert, 1, g_ptr_array_index (chunks, j), -1, SQLITE_STATIC);
        must (sqlite3_step (insert) == SQLITE_DONE, peers->database);
        sqlite3_reset (insert);
        n_chunks += table == 0;
      }
    }
    sqlite3_finalize (insert);
  }
  must (sqlite3_exec (peers->database, "COMMIT", NULL, NULL, NULL) == SQLITE_OK, peers->database);
  fts = now_ms () - start;

  start = now_ms ();
  peers->xapian = xapian_peer_new ();
  for (guint i = 0; i < cards->len; i++) {
    g_autoptr (GPtrArray) chunks = bench_make_chunks (g_ptr_array_index (cards, i));

    for (guint j = 0; j < chunks->len; j++) {
      g_auto (GStrv) words = g_strsplit (g_ptr_array_index (chunks, j), " ", -1);

      xapian_peer_add (peers->xapian, (const char *const *) words);
    }
  }
  xapian_peer_commit (peers->xapian);
  xapian = now_ms () - start;
  g_print ("%u tables, %u chunks\n", cards->len, n_chunks);
  g_print ("build, s: ours %.2f, FTS5 words and trigrams %.2f, Xapian %.2f; ours/FTS5 %.2f (goal 1)\n",
           ours / 1000, fts / 1000, xapian / 1000, ours / fts);
}

static void
search_ours (Peers *peers, const char *question)
{
  const PlumbSearchRequest request = { .question = question, .limit = 30 };
  g_autoptr (PlumbCandidates) found = plumb_search_engine_run (peers->engine, &request, NULL, NULL);

  g_assert_nonnull (found);
}

static void
search_fts (Peers *peers, const char *question)
{
  g_auto (GStrv) words = g_strsplit (question, " ", -1);
  g_autofree char *query = g_strjoinv (" OR ", words);

  sqlite3_bind_text (peers->statement, 1, query, -1, SQLITE_STATIC);
  while (sqlite3_step (peers->statement) == SQLITE_ROW)
    ;
  sqlite3_reset (peers->statement);
}

static void
search_xapian (Peers *peers, const char *question)
{
  g_auto (GStrv) words = g_strsplit (question, " ", -1);

  xapian_peer_search (peers->xapian, (const char *const *) words, 30);
}

/* One question after the other, the three taking turns. */
static void
measure (Peers *peers, const char *title, GStrv questions)
{
  static void (*const searches[]) (Peers *, const char *) = { search_ours, search_fts, search_xapian };
  GArray *times[G_N_ELEMENTS (searches)];
  double medians[G_N_ELEMENTS (searches)];

  for (guint i = 0; i < G_N_ELEMENTS (searches); i++)
    times[i] = g_array_new (FALSE, FALSE, sizeof (double));
  for (guint q = 0; questions[q] != NULL; q++) {
    for (guint i = 0; i < G_N_ELEMENTS (searches); i++) {
      double start = now_ms ();

      searches[i] (peers, questions[q]);
      start = now_ms () - start;
      g_array_append_val (times[i], start);
    }
  }
  for (guint i = 0; i < G_N_ELEMENTS (searches); i++) {
    medians[i] = median (times[i]);
    g_array_unref (times[i]);
  }
  g_print ("%s, ms: ours %.2f, FTS5 %.2f, Xapian %.2f; FTS5/ours %.1f (goal 10), ours/Xapian %.2f "
           "(goal 1)\n",
           title, medians[0], medians[1], medians[2], medians[1] / medians[0],
           medians[0] / medians[2]);
}

int
main (void)
{
  Peers peers = { 0 };
  g_autoptr (GPtrArray) cards = bench_make_cards (N_TABLES);
  g_auto (GStrv) questions = bench_make_questions (cards, N_QUESTIONS, FALSE);
  g_auto (GStrv) everyday = bench_make_questions (cards, N_QUESTIONS, TRUE);

  build (&peers, cards);
  must (sqlite3_prepare_v2 (peers.database,
                            "SELECT rowid FROM w WHERE w MATCH ? ORDER BY rank LIMIT 30", -1,
                            &peers.statement, NULL) == SQLITE_OK, peers.database);
  search_ours (&peers, questions[0]);
  measure (&peers, "5 to 10 words", questions);
  measure (&peers, "with everyday words", everyday);
  sqlite3_finalize (peers.statement);
  sqlite3_close (peers.database);
  xapian_peer_free (peers.xapian);
  plumb_search_engine_unref (peers.engine);
  return 0;
}
