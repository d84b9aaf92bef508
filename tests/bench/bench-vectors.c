/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "bench-vectors-anchor.h"
#include "bench-words.h"
#include "plumb-embedder.h"
#include "plumb-search.h"
#include "plumb-vector-scan.h"
#include "plumb-vectors-private.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>
#include <time.h>

/* Exact search over 100,000 vectors of 1,024 numbers: each kernel beside the speed of memory and a loop
 * written for this length alone; recall against floats; sqlite-vec over the same vectors; then the whole
 * search over 10,000 tables with vectors and without. All that is compared takes turns in one run. */
#define N_VECTORS 100000
#define D ANCHOR_DIMENSIONS
#define N_LATENT 96
#define N_CLUSTERS 300
#define N_ROUNDS 41
#define N_QUESTIONS 40
#define N_TABLES 10000
#define N_COLUMNS 240
#define MODEL "bench"

typedef struct {
  float *exact;       /* rows */
  gint8 *high;
  gint8 *low;
  float *scales;
  float *questions;
} Data;

static double
now_ms (void)
{
  return g_get_monotonic_time () / 1000.0;
}

/* Of the processor, for this thread alone: other programs cost less of it than of the time on the wall. */
static double
processor_ms (void)
{
  struct timespec time;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &time);
  return time.tv_sec * 1e3 + time.tv_nsec / 1e6;
}

static int
compare_doubles (gconstpointer a, gconstpointer b)
{
  double left = *(const double *) a;
  double right = *(const double *) b;

  return left < right ? -1 : left > right;
}

/* The time that @part of the rounds took at most. */
static double
quantile (const double *times, guint n, double part)
{
  g_autofree double *sorted = g_memdup2 (times, n * sizeof *times);

  qsort (sorted, n, sizeof *sorted, compare_doubles);
  return sorted[(guint) (part * (n - 1))];
}

/* A bell curve, near enough. */
static float
pick_normal (GRand *rand)
{
  double sum = 0;

  for (guint i = 0; i < 4; i++)
    sum += g_rand_double_range (rand, -1, 1);
  return (float) (sum * 0.866);
}

/* A unit vector near the centre of a cluster: real embeddings have few directions that matter. */
static void
make_vector (GRand *rand, const float *directions, const float *centre, float *vector)
{
  float square = 0;

  memset (vector, 0, D * sizeof *vector);
  for (guint i = 0; i < N_LATENT; i++) {
    float weight = centre[i] + 0.6f * pick_normal (rand);
    const float *direction = directions + i * D;

    for (guint j = 0; j < D; j++)
      vector[j] += weight * direction[j];
  }
  for (guint j = 0; j < D; j++)
    square += vector[j] * vector[j];
  for (guint j = 0; j < D; j++)
    vector[j] /= sqrtf (square);
}

static void
make_data (Data *data)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (20261130);
  g_autofree float *directions = g_new (float, N_LATENT * D);
  g_autofree float *centres = g_new (float, N_CLUSTERS * N_LATENT);

  for (guint i = 0; i < N_LATENT * D; i++)
    directions[i] = pick_normal (rand);
  for (guint i = 0; i < N_CLUSTERS * N_LATENT; i++)
    centres[i] = pick_normal (rand);
  data->exact = g_new (float, (gsize) N_VECTORS * D);
  data->high = plumb_vector_alloc ((gsize) N_VECTORS * D);
  data->low = g_new (gint8, (gsize) N_VECTORS * D);
  data->scales = g_new (float, N_VECTORS);
  data->questions = g_new (float, N_QUESTIONS * D);
  for (gsize i = 0; i < N_VECTORS; i++) {
    make_vector (rand, directions, centres + g_rand_int_range (rand, 0, N_CLUSTERS) * N_LATENT, data->exact + i * D);
    data->scales[i] = plumb_vector_split (data->exact + i * D, D, data->high + i * D, data->low + i * D);
  }
  for (guint i = 0; i < N_QUESTIONS; i++)
    make_vector (rand, directions, centres + g_rand_int_range (rand, 0, N_CLUSTERS) * N_LATENT, data->questions + i * D);
}

static void
print_row (const char *name, const double *times, const double *anchor)
{
  g_print ("  %-28s %6.2f (%.2f)   %.2f (%.2f)\n", name, quantile (times, N_ROUNDS, 0.5), quantile (times, N_ROUNDS, 0.05),
           quantile (times, N_ROUNDS, 0.5) / quantile (anchor, N_ROUNDS, 0.5),
           quantile (times, N_ROUNDS, 0.05) / quantile (anchor, N_ROUNDS, 0.05));
}

static void
measure_scan (const Data *data)
{
  enum { READ, ANCHOR, FIRST_KERNEL, N_ROWS = FIRST_KERNEL + PLUMB_N_KERNELS };
  static double times[N_ROWS][N_ROUNDS];
  g_autofree gint32 *products = g_new (gint32, N_VECTORS);
  g_autofree gint32 *expected = g_new (gint32, N_VECTORS);
  g_autoptr (PlumbQuestionVector) question = plumb_question_vector_new (data->questions, D);
  guint64 seen = 0;

  for (guint round = 0; round < N_ROUNDS; round++) {
    double start = processor_ms ();

    seen ^= anchor_read (data->high, N_VECTORS);
    times[READ][round] = processor_ms () - start;
    start = processor_ms ();
    anchor_multiply (data->high, N_VECTORS, question->rounded, expected);
    times[ANCHOR][round] = processor_ms () - start;
    for (int kernel = 0; kernel < PLUMB_N_KERNELS; kernel++) {
      if (!plumb_kernel_is_available (kernel))
        continue;
      start = processor_ms ();
      plumb_vector_scan (kernel, data->high, N_VECTORS, D, question->rounded, products);
      times[FIRST_KERNEL + kernel][round] = processor_ms () - start;
      if (memcmp (products, expected, N_VECTORS * sizeof *products) != 0)
        g_error ("%s and the anchor differ", plumb_kernel_get_name (kernel));
    }
  }
  g_print ("scan of %d x %d int8, one thread, ms of the processor: median (p05), then the ratio to the anchor, goal 1.15\n", N_VECTORS, D);
  print_row (seen != 1 ? "reading the bytes" : "", times[READ], times[ANCHOR]);
  g_print ("  anchor: %s\n", anchor_get_name ());
  print_row ("anchor", times[ANCHOR], times[ANCHOR]);
  for (int kernel = 0; kernel < PLUMB_N_KERNELS; kernel++) {
    if (plumb_kernel_is_available (kernel))
      print_row (plumb_kernel_get_name (kernel), times[FIRST_KERNEL + kernel], times[ANCHOR]);
  }
  g_print ("  chosen: %s\n", plumb_kernel_get_name (plumb_kernel_get_best ()));
}

static float
multiply (const float *one, const float *other)
{
  float sums[16] = { 0 };

  for (guint i = 0; i < D; i += 16) {
    for (guint j = 0; j < 16; j++)
      sums[j] += one[i + j] * other[i + j];
  }
  for (guint j = 1; j < 16; j++)
    sums[0] += sums[j];
  return sums[0];
}

/* The best 30 as the search finds them: scan, best 60, those again from 16 bits a number. */
static void
find_ours (const Data *data, const float *exact_question, guint32 *found, guint n_exact)
{
  static gint32 products[N_VECTORS];
  static float scores[N_VECTORS];
  g_autoptr (PlumbQuestionVector) question = plumb_question_vector_new (exact_question, D);
  guint32 best[60];
  float vector[D], again[60];
  guint32 order[30];

  plumb_vector_scan (plumb_kernel_get_best (), data->high, N_VECTORS, D, question->rounded, products);
  for (guint i = 0; i < N_VECTORS; i++)
    scores[i] = products[i] * data->scales[i];
  plumb_vector_find_best (scores, N_VECTORS, n_exact > 0 ? n_exact : 30, best);
  for (guint i = 0; i < n_exact; i++) {
    plumb_vector_join (data->high + (gsize) best[i] * D, data->low + (gsize) best[i] * D, D, data->scales[best[i]], vector);
    again[i] = multiply (question->exact, vector);
  }
  if (n_exact > 0)
    plumb_vector_find_best (again, n_exact, 30, order);
  for (guint i = 0; i < 30; i++)
    found[i] = n_exact > 0 ? best[order[i]] : best[i];
}

static guint
count_common (const guint32 *one, const guint32 *other)
{
  guint n = 0;

  for (guint i = 0; i < 30; i++) {
    for (guint j = 0; j < 30; j++)
      n += one[i] == other[j];
  }
  return n;
}

static void
find_exactly (const Data *data, const float *question, guint32 *found)
{
  static float scores[N_VECTORS];

  for (gsize i = 0; i < N_VECTORS; i++)
    scores[i] = multiply (question, data->exact + i * D);
  plumb_vector_find_best (scores, N_VECTORS, 30, found);
}

/* With one scale for all, since sqlite-vec knows none of a vector's own. */
static void
round_alike (const float *vector, gint8 *rounded)
{
  for (guint i = 0; i < D; i++)
    rounded[i] = (gint8) lrintf (CLAMP (vector[i] * 127 * 6, -127, 127));
}

static sqlite3_stmt *
open_sqlite_vec (const Data *data, const char *extension, sqlite3 **database)
{
  sqlite3_stmt *statement = NULL;
  char *message = NULL;

  if (extension == NULL || !g_file_test (extension, G_FILE_TEST_EXISTS)) {
    g_print ("sqlite-vec: NOT MEASURED, its extension isn't there (npm could not fetch sqlite-vec-linux-x64)\n");
    return NULL;
  }
  sqlite3_open (":memory:", database);
  sqlite3_enable_load_extension (*database, 1);
  if (sqlite3_load_extension (*database, extension, "sqlite3_vec_init", &message) != SQLITE_OK) {
    g_print ("sqlite-vec: NOT MEASURED, %s\n", message);
    return NULL;
  }
  if (sqlite3_exec (*database, "CREATE VIRTUAL TABLE v USING vec0 (e int8[1024]); BEGIN", NULL, NULL, NULL) != SQLITE_OK ||
      sqlite3_prepare_v2 (*database, "INSERT INTO v (rowid, e) VALUES (?, vec_int8 (?))", -1, &statement, NULL) != SQLITE_OK)
    g_error ("%s", sqlite3_errmsg (*database));
  for (gsize i = 0; i < N_VECTORS; i++) {
    gint8 rounded[D];

    round_alike (data->exact + i * D, rounded);
    sqlite3_bind_int64 (statement, 1, (gint64) i + 1);
    sqlite3_bind_blob (statement, 2, rounded, D, SQLITE_STATIC);
    if (sqlite3_step (statement) != SQLITE_DONE)
      g_error ("%s", sqlite3_errmsg (*database));
    sqlite3_reset (statement);
  }
  sqlite3_finalize (statement);
  if (sqlite3_exec (*database, "COMMIT", NULL, NULL, NULL) != SQLITE_OK ||
      sqlite3_prepare_v2 (*database, "SELECT rowid FROM v WHERE e MATCH vec_int8 (?) AND k = 30", -1, &statement, NULL) != SQLITE_OK)
    g_error ("%s", sqlite3_errmsg (*database));
  return statement;
}

static void
find_sqlite_vec (sqlite3_stmt *statement, const float *exact_question, guint32 *found)
{
  gint8 rounded[D];
  guint n = 0;

  round_alike (exact_question, rounded);
  sqlite3_bind_blob (statement, 1, rounded, D, SQLITE_STATIC);
  while (sqlite3_step (statement) == SQLITE_ROW && n < 30)
    found[n++] = (guint32) sqlite3_column_int64 (statement, 0) - 1;
  sqlite3_reset (statement);
}

static void
measure_recall (const Data *data, const char *extension)
{
  sqlite3 *database = NULL;
  sqlite3_stmt *statement = open_sqlite_vec (data, extension, &database);
  double ours[N_QUESTIONS], theirs[N_QUESTIONS];
  guint hits[3] = { 0 };

  for (guint q = 0; q < N_QUESTIONS; q++) {
    const float *question = data->questions + q * D;
    guint32 expected[30], found[30];
    double start;

    find_exactly (data, question, expected);
    find_ours (data, question, found, 0);
    hits[0] += count_common (found, expected);
    start = processor_ms ();
    find_ours (data, question, found, 60);
    ours[q] = processor_ms () - start;
    hits[1] += count_common (found, expected);
    if (statement == NULL)
      continue;
    start = processor_ms ();
    find_sqlite_vec (statement, question, found);
    theirs[q] = processor_ms () - start;
    hits[2] += count_common (found, expected);
  }
  g_print ("recall@30 against float: int8 alone %.4f, best 60 scored again %.4f (goal 1.000)\n",
           hits[0] / (30.0 * N_QUESTIONS), hits[1] / (30.0 * N_QUESTIONS));
  if (statement != NULL)
    g_print ("best 30, ms of the processor: ours %.2f, sqlite-vec int8 %.2f (recall %.4f); sqlite-vec/ours %.1f (goal 10)\n",
             quantile (ours, N_QUESTIONS, 0.5), quantile (theirs, N_QUESTIONS, 0.5), hits[2] / (30.0 * N_QUESTIONS),
             quantile (theirs, N_QUESTIONS, 0.5) / quantile (ours, N_QUESTIONS, 0.5));
  sqlite3_finalize (statement);
  sqlite3_close (database);
}

/* An embedder without a model: a vector that only its text has. */
#define BENCH_TYPE_EMBEDDER (bench_embedder_get_type ())
G_DECLARE_FINAL_TYPE (BenchEmbedder, bench_embedder, BENCH, EMBEDDER, GObject)

struct _BenchEmbedder {
  GObject parent_instance;
  const Data *data;
};

static const char *
bench_embedder_get_model (PlumbEmbedder *self)
{
  return MODEL;
}

static float *
bench_embedder_embed (PlumbEmbedder *self, const char *const *texts, guint n_texts, guint *n_dimensions,
                      GCancellable *cancellable, GError **error)
{
  *n_dimensions = D;
  return g_memdup2 (BENCH_EMBEDDER (self)->data->questions + g_str_hash (texts[0]) % N_QUESTIONS * D, D * sizeof (float));
}

static void
bench_embedder_iface_init (PlumbEmbedderInterface *iface)
{
  iface->get_model = bench_embedder_get_model;
  iface->embed = bench_embedder_embed;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (BenchEmbedder, bench_embedder, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (PLUMB_TYPE_EMBEDDER, bench_embedder_iface_init))

static void
bench_embedder_class_init (BenchEmbedderClass *klass)
{
}

static void
bench_embedder_init (BenchEmbedder *self)
{
}

/* Ends the measurement where something fails. */
static void
must (gboolean done, GError **error)
{
  if (!done)
    g_error ("%s", (*error)->message);
}

/* Puts the cards into the index, and a vector for each chunk; Returns: how many chunks there are. */
static guint
fill_index (PlumbIndex *index, GPtrArray *cards, const Data *data)
{
  g_autoptr (GPtrArray) chunks = NULL;
  g_autoptr (GPtrArray) hashes = g_ptr_array_new ();
  GError *error = NULL;
  double start;
  gboolean complete;

  for (guint i = 0; i < 20; i++) {
    g_autofree char *name = g_strdup_printf ("db%u", i);
    g_autoptr (PlumbSourceRecord) record = plumb_source_record_new (name, "sqlite:///bench.db");

    must (plumb_index_add_source (index, record, &error), &error);
  }
  must (plumb_index_put_cards (index, cards, &error), &error);
  start = now_ms ();
  chunks = plumb_index_list_unembedded (index, MODEL, G_MAXINT, &error);
  must (chunks != NULL, &error);
  g_print ("%u tables, %u chunks: making and listing the chunks %.2f s", cards->len, chunks->len, (now_ms () - start) / 1000);
  for (guint i = 0; i < chunks->len; i++)
    g_ptr_array_add (hashes, ((PlumbChunk *) g_ptr_array_index (chunks, i))->hash);
  start = now_ms ();
  for (guint i = 0; i < chunks->len; i += 64)
    must (plumb_index_store_vectors (index, MODEL, D, (const char *const *) hashes->pdata + i, data->exact + (gsize) i * D,
                                     MIN (64, chunks->len - i), &error), &error);
  must (plumb_index_finish_embedding (index, MODEL, &complete, &error), &error);
  g_print (", storing the vectors in batches of 64 %.2f s\n", (now_ms () - start) / 1000);
  return chunks->len;
}

static double
time_search (PlumbSearch *search, const char *question)
{
  const PlumbSearchRequest request = { .question = question, .limit = 30 };
  double start = processor_ms ();
  g_autoptr (PlumbCandidates) found = plumb_search_run (search, &request, NULL, NULL);

  g_assert_nonnull (found);
  return processor_ms () - start;
}

static void
measure_whole_search (const Data *data)
{
  g_autofree char *folder = g_dir_make_tmp ("plumbline-bench-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "index.sqlite", NULL);
  g_autoptr (PlumbIndex) index = plumb_index_open (path, NULL);
  g_autoptr (GPtrArray) cards = bench_make_cards (N_TABLES, N_COLUMNS);
  g_auto (GStrv) questions = bench_make_questions (cards, N_ROUNDS, FALSE);
  guint n_chunks = fill_index (index, cards, data);
  g_autoptr (PlumbSearch) with = plumb_search_new (index);
  g_autoptr (PlumbSearch) without = plumb_search_new (index);
  g_autoptr (BenchEmbedder) embedder = g_object_new (BENCH_TYPE_EMBEDDER, NULL);
  g_autofree gint32 *products = g_new (gint32, n_chunks);
  g_autoptr (PlumbQuestionVector) question = plumb_question_vector_new (data->questions, D);
  double floor[N_ROUNDS], ours[N_ROUNDS], words[N_ROUNDS], first, start;
  GDir *files = g_dir_open (folder, 0, NULL);
  const char *name;

  embedder->data = data;
  time_search (without, questions[0]);
  time_search (with, questions[0]);
  plumb_search_set_embedder (with, PLUMB_EMBEDDER (embedder), NULL);
  first = time_search (with, questions[0]);
  for (guint i = 0; i < N_ROUNDS; i++) {
    start = processor_ms ();
    anchor_multiply (data->high, n_chunks, question->rounded, products);
    floor[i] = processor_ms () - start;
    ours[i] = time_search (with, questions[i]);
    words[i] = time_search (without, questions[i]);
  }
  g_print ("whole search, ms of the processor: with vectors %.2f, without %.2f, floor of the scan %.2f; above the floor %.2f (goal 5); "
           "the first search, which loads the vectors, %.0f\n",
           quantile (ours, N_ROUNDS, 0.5), quantile (words, N_ROUNDS, 0.5), quantile (floor, N_ROUNDS, 0.5),
           quantile (ours, N_ROUNDS, 0.5) - quantile (floor, N_ROUNDS, 0.5), first);
  while ((name = g_dir_read_name (files)) != NULL) {
    g_autofree char *file = g_build_filename (folder, name, NULL);

    g_remove (file);
  }
  g_dir_close (files);
  g_rmdir (folder);
}

int
main (int argc, char **argv)
{
  Data data;

  make_data (&data);
  measure_scan (&data);
  measure_recall (&data, g_getenv ("PLUMBLINE_SQLITE_VEC"));
  measure_whole_search (&data);
  g_free (data.exact);
  g_aligned_free (data.high);
  g_free (data.low);
  g_free (data.scales);
  g_free (data.questions);
  return 0;
}
