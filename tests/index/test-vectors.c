/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "index-fixture.h"

#include "plumb-vectors-private.h"

#include <math.h>
#include <string.h>

#define N_DIMENSIONS 24

static PlumbCard *
make_wide_card (const char *table, guint n_columns)
{
  PlumbCard *card = plumb_card_new ("sales", "main", table);

  for (guint i = 0; i < n_columns; i++) {
    g_autofree char *name = g_strdup_printf ("col_%u", i);

    plumb_card_add_column (card, name, "TEXT");
  }
  return card;
}

static void
put_wide_card (PlumbIndex *index, const char *table, guint n_columns)
{
  g_autoptr (PlumbCard) card = make_wide_card (table, n_columns);

  g_assert_true (plumb_index_put_card (index, card, NULL));
}

static GPtrArray *
list_unembedded (PlumbIndex *index, const char *model, guint limit)
{
  g_autoptr (GError) error = NULL;
  GPtrArray *list = plumb_index_list_unembedded (index, model, limit, &error);

  g_assert_no_error (error);
  return list;
}

/* A vector that only the chunk of @hash has. */
static void
make_vector (const char *hash, guint n_dimensions, float *vector)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (g_str_hash (hash));
  float square = 0;

  for (guint i = 0; i < n_dimensions; i++) {
    vector[i] = (float) g_rand_double_range (rand, -1, 1);
    square += vector[i] * vector[i];
  }
  for (guint i = 0; i < n_dimensions; i++)
    vector[i] /= sqrtf (square);
}

static gboolean
store (PlumbIndex *index, const char *model, guint n_dimensions, GPtrArray *chunks, GError **error)
{
  g_autofree const char **hashes = g_new0 (const char *, chunks->len + 1);
  g_autofree float *vectors = g_new0 (float, chunks->len * n_dimensions + 1);

  for (guint i = 0; i < chunks->len; i++) {
    hashes[i] = ((PlumbChunk *) g_ptr_array_index (chunks, i))->hash;
    make_vector (hashes[i], n_dimensions, vectors + i * n_dimensions);
  }
  return plumb_index_store_vectors (index, model, n_dimensions, hashes, vectors, chunks->len, error);
}

/* Embeds all that is missing in batches of @batch; Returns: how many chunks that were. */
static guint
embed_all (PlumbIndex *index, const char *model, guint n_dimensions, guint batch)
{
  g_autoptr (GError) error = NULL;
  guint n = 0;

  for (;;) {
    g_autoptr (GPtrArray) chunks = list_unembedded (index, model, batch);

    if (chunks->len == 0)
      return n;
    g_assert_true (store (index, model, n_dimensions, chunks, &error));
    g_assert_no_error (error);
    n += chunks->len;
  }
}

static gboolean
finish (PlumbIndex *index, const char *model)
{
  g_autoptr (GError) error = NULL;
  gboolean complete = FALSE;

  g_assert_true (plumb_index_finish_embedding (index, model, &complete, &error));
  g_assert_no_error (error);
  return complete;
}

static void
assert_state (PlumbIndex *index, const char *wished, const char *serving, guint n_dimensions,
              guint n_chunks, guint n_serving, guint n_wished)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PlumbEmbeddingState) state = plumb_index_get_embedding_state (index, wished, &error);

  g_assert_no_error (error);
  g_assert_cmpstr (state->serving_model, ==, serving);
  g_assert_cmpuint (state->n_dimensions, ==, n_dimensions);
  g_assert_cmpuint (state->n_chunks, ==, n_chunks);
  g_assert_cmpuint (state->n_serving, ==, n_serving);
  g_assert_cmpuint (state->n_wished, ==, n_wished);
}

static gint64
query_number (const char *path, const char *sql)
{
  sqlite3 *db = NULL;
  sqlite3_stmt *statement = NULL;
  gint64 number;

  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_prepare_v2 (db, sql, -1, &statement, NULL), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_step (statement), ==, SQLITE_ROW);
  number = sqlite3_column_int64 (statement, 0);
  sqlite3_finalize (statement);
  sqlite3_close (db);
  return number;
}

static void
test_chunks (void)
{
  g_autoptr (PlumbCard) card = make_wide_card ("ORD_MST", 80);
  PlumbCardColumn *last = g_ptr_array_index (card->columns, 79);
  PlumbForeignKey *key = plumb_foreign_key_new (NULL, "CUST_MST");
  g_autoptr (GPtrArray) chunks = NULL;
  const PlumbChunk *head, *tail;
  g_autofree char *hash = NULL;

  card->synonyms = g_strsplit ("주문,заказ", ",", -1);
  card->purpose = g_strdup ("What customers bought");
  card->misuse = g_strsplit ("AMT is without tax", "|", -1);
  card->primary_key = g_strsplit ("col_0", ",", -1);
  key->columns = g_strsplit ("col_1", ",", -1);
  g_ptr_array_add (card->foreign_keys, key);
  last->meaning = g_strdup ("when the parcel left");
  chunks = plumb_chunk_list_from_card (card);
  g_assert_cmpuint (chunks->len, ==, 4);
  head = g_ptr_array_index (chunks, 0);
  tail = g_ptr_array_index (chunks, 3);
  g_assert_true (g_str_has_prefix (head->text, "주문, заказ\n"));
  g_assert_nonnull (strstr (head->text, "ORD_MST (order master) in sales.main"));
  g_assert_nonnull (strstr (head->text, "What customers bought"));
  g_assert_nonnull (strstr (head->text, "Primary key: col_0"));
  g_assert_nonnull (strstr (head->text, "col_1 refers to CUST_MST"));
  g_assert_nonnull (strstr (head->text, "AMT is without tax"));
  g_assert_nonnull (strstr (head->text, "col_79"));
  g_assert_null (strstr (tail->text, "col_69"));
  g_assert_nonnull (strstr (tail->text, "col_70"));
  g_assert_nonnull (strstr (tail->text, "col_79: when the parcel left"));
  hash = g_compute_checksum_for_string (G_CHECKSUM_SHA256, tail->text, -1);
  g_assert_cmpstr (tail->hash, ==, hash);
}

/* Long texts, thousands of columns and bytes that are no UTF-8 stay within what a model reads. */
static void
test_chunk_limits (void)
{
  g_autoptr (PlumbCard) card = make_wide_card ("T\xff", 3000);
  g_autoptr (GPtrArray) chunks = NULL;

  card->purpose = g_strnfill (100000, 'x');
  for (guint i = 0; i < card->columns->len; i++)
    ((PlumbCardColumn *) g_ptr_array_index (card->columns, i))->meaning = g_strnfill (500, 'y');
  chunks = plumb_chunk_list_from_card (card);
  g_assert_cmpuint (chunks->len, ==, 1 + 86);
  for (guint i = 0; i < chunks->len; i++) {
    const PlumbChunk *chunk = g_ptr_array_index (chunks, i);

    g_assert_cmpuint (strlen (chunk->text), <=, PLUMB_CHUNK_MAX_BYTES);
    g_assert_true (g_utf8_validate (chunk->text, -1, NULL));
    if (i == 1)
      g_assert_nonnull (strstr (chunk->text, "col_34: y"));
  }
}

/* Random and extreme vectors come back within half a step of 16 bits, and the high byte is the
 * number rounded to int8. */
static void
test_split (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);
  float vector[N_DIMENSIONS], back[N_DIMENSIONS];
  gint8 high[N_DIMENSIONS], low[N_DIMENSIONS];

  for (guint round = 0; round < 200; round++) {
    float size = powf (10, g_rand_int_range (rand, -6, 6));
    float scale;

    for (guint i = 0; i < N_DIMENSIONS; i++)
      vector[i] = size * (float) g_rand_double_range (rand, -1, 1);
    vector[0] = round % 2 == 0 ? size : -size;
    scale = plumb_vector_split (vector, N_DIMENSIONS, high, low);
    plumb_vector_join (high, low, N_DIMENSIONS, scale, back);
    g_assert_cmpint (high[0], ==, round % 2 == 0 ? 127 : -127);
    for (guint i = 0; i < N_DIMENSIONS; i++) {
      g_assert_cmpfloat (fabsf (vector[i] - back[i]), <=, scale * 0.51f);
      g_assert_cmpfloat (fabsf (vector[i] - 256 * scale * high[i]), <=, scale * 128.51f);
      g_assert_cmpint (high[i], >=, -127);
    }
  }
  memset (vector, 0, sizeof vector);
  g_assert_cmpfloat (plumb_vector_split (vector, N_DIMENSIONS, high, low), ==, 0);
  for (guint i = 0; i < N_DIMENSIONS; i++)
    g_assert_true (high[i] == 0 && low[i] == 0);
}

static void
test_resume (IndexFixture *fixture, gconstpointer data)
{
  g_autoptr (GPtrArray) all = NULL;
  g_autoptr (GPtrArray) some = NULL;
  g_autoptr (GPtrArray) rest = NULL;
  g_autoptr (GError) error = NULL;

  put_wide_card (fixture->index, "A", 80);
  put_wide_card (fixture->index, "B", 10);
  all = list_unembedded (fixture->index, "m", 100);
  some = list_unembedded (fixture->index, "m", 3);
  g_assert_cmpuint (all->len, ==, 6);
  g_assert_cmpuint (some->len, ==, 3);
  g_assert_true (store (fixture->index, "m", N_DIMENSIONS, some, &error));
  g_assert_no_error (error);
  g_assert_false (finish (fixture->index, "m"));

  /* Another run of the program goes on where this one stopped. */
  index_fixture_reopen (fixture);
  rest = list_unembedded (fixture->index, "m", 100);
  g_assert_cmpuint (rest->len, ==, 3);
  for (guint i = 0; i < rest->len; i++)
    g_assert_cmpstr (((PlumbChunk *) g_ptr_array_index (rest, i))->hash, ==,
                     ((PlumbChunk *) g_ptr_array_index (all, 3 + i))->hash);
  assert_state (fixture->index, "m", NULL, 0, 6, 0, 3);
  g_assert_true (store (fixture->index, "m", N_DIMENSIONS, rest, &error));
  g_assert_true (finish (fixture->index, "m"));
  assert_state (fixture->index, "m", "m", N_DIMENSIONS, 6, 6, 6);

  /* A batch that is sent again changes nothing. */
  g_assert_true (store (fixture->index, "m", N_DIMENSIONS, all, &error));
  g_assert_cmpint (query_number (fixture->path, "SELECT count(*) FROM vector"), ==, 6);
  g_assert_cmpint (query_number (fixture->path, "SELECT sum(n_vectors) FROM vector_block"), ==, 6);
}

static void
test_changed_card (IndexFixture *fixture, gconstpointer data)
{
  g_autoptr (GHashTable) present = make_set ("main.A", NULL);
  g_autoptr (GHashTable) none = make_set ("main.X", NULL);
  g_autoptr (GPtrArray) chunks = NULL;

  put_wide_card (fixture->index, "A", 80);
  put_wide_card (fixture->index, "B", 10);
  g_assert_cmpuint (embed_all (fixture->index, "m", N_DIMENSIONS, 2), ==, 6);
  g_assert_true (finish (fixture->index, "m"));

  /* Its head and last chunk changed; the two between them are the same. */
  put_wide_card (fixture->index, "A", 81);
  chunks = list_unembedded (fixture->index, "m", 100);
  g_assert_cmpuint (chunks->len, ==, 2);
  assert_state (fixture->index, "m", "m", N_DIMENSIONS, 6, 4, 4);
  g_assert_false (finish (fixture->index, "m"));
  g_assert_cmpuint (embed_all (fixture->index, "m", N_DIMENSIONS, 100), ==, 2);
  g_assert_cmpint (query_number (fixture->path, "SELECT count(*) FROM vector"), ==, 8);
  g_assert_true (finish (fixture->index, "m"));
  g_assert_cmpint (query_number (fixture->path, "SELECT count(*) FROM vector"), ==, 6);
  g_assert_cmpint (query_number (fixture->path, "SELECT sum(n_vectors) FROM vector_block"), ==, 6);

  /* Vectors of tables that are gone go too, and come with the tables that come back. */
  g_assert_true (plumb_index_finish_analysis (fixture->index, "sales", present, NULL, NULL, NULL));
  assert_state (fixture->index, "m", "m", N_DIMENSIONS, 4, 4, 4);
  g_assert_true (finish (fixture->index, "m"));
  g_assert_cmpint (query_number (fixture->path, "SELECT count(*) FROM vector"), ==, 4);
  g_assert_true (plumb_index_finish_analysis (fixture->index, "sales", none, NULL, NULL, NULL));
  g_assert_true (finish (fixture->index, "m"));
  g_assert_cmpint (query_number (fixture->path, "SELECT count(*) FROM vector_block"), ==, 0);
  g_assert_true (plumb_index_finish_analysis (fixture->index, "sales", present, NULL, NULL, NULL));
  g_assert_cmpuint (embed_all (fixture->index, "m", N_DIMENSIONS, 100), ==, 4);
  g_assert_true (plumb_index_remove_source (fixture->index, "sales", NULL));
  g_assert_true (finish (fixture->index, "m"));
  assert_state (fixture->index, "m", "m", N_DIMENSIONS, 0, 0, 0);
}

/* The old vectors serve until the new ones are all there. */
static void
test_model_change (IndexFixture *fixture, gconstpointer data)
{
  g_autoptr (GPtrArray) some = NULL;

  put_wide_card (fixture->index, "A", 80);
  embed_all (fixture->index, "old", N_DIMENSIONS, 100);
  g_assert_true (finish (fixture->index, "old"));
  some = list_unembedded (fixture->index, "new", 2);
  g_assert_true (store (fixture->index, "new", 8, some, NULL));
  g_assert_false (finish (fixture->index, "new"));
  assert_state (fixture->index, "new", "old", N_DIMENSIONS, 4, 4, 2);
  embed_all (fixture->index, "new", 8, 100);
  assert_state (fixture->index, "new", "old", N_DIMENSIONS, 4, 4, 4);
  g_assert_true (finish (fixture->index, "new"));
  assert_state (fixture->index, "old", "new", 8, 4, 4, 0);
  g_assert_cmpint (query_number (fixture->path, "SELECT count(*) FROM vector"), ==, 4);
  g_assert_cmpint (query_number (fixture->path, "SELECT count(*) FROM vector_block"), ==, 1);
  g_assert_true (plumb_index_remove_vectors (fixture->index, NULL));
  assert_state (fixture->index, "new", NULL, 0, 4, 0, 0);
}

static void
test_bad_vectors (IndexFixture *fixture, gconstpointer data)
{
  g_autoptr (GPtrArray) chunks = NULL;
  g_autoptr (GError) error = NULL;
  const char *no_hash = "abc";
  float vector[N_DIMENSIONS] = { 1 };
  const char *hash;

  put_wide_card (fixture->index, "A", 80);
  chunks = list_unembedded (fixture->index, "m", 2);
  hash = ((PlumbChunk *) g_ptr_array_index (chunks, 0))->hash;
  g_assert_true (store (fixture->index, "m", N_DIMENSIONS, chunks, NULL));
  g_assert_false (store (fixture->index, "m", N_DIMENSIONS - 1, chunks, &error));
  g_assert_error (error, PLUMB_ERROR, PLUMB_ERROR_INVALID_ARGUMENT);
  g_assert_nonnull (strstr (error->message, "24"));
  g_clear_error (&error);
  g_assert_false (plumb_index_store_vectors (fixture->index, "n", 0, &hash, vector, 1, &error));
  g_assert_error (error, PLUMB_ERROR, PLUMB_ERROR_INVALID_ARGUMENT);
  g_clear_error (&error);
  g_assert_false (plumb_index_store_vectors (fixture->index, "n", N_DIMENSIONS, &no_hash, vector, 1, &error));
  g_assert_error (error, PLUMB_ERROR, PLUMB_ERROR_INVALID_ARGUMENT);
  g_clear_error (&error);
  vector[3] = NAN;
  g_assert_false (plumb_index_store_vectors (fixture->index, "n", N_DIMENSIONS, &hash, vector, 1, &error));
  g_assert_error (error, PLUMB_ERROR, PLUMB_ERROR_INVALID_ARGUMENT);
  g_assert_cmpint (query_number (fixture->path, "SELECT count(*) FROM vector_model"), ==, 1);
  g_assert_cmpint (query_number (fixture->path, "SELECT count(*) FROM vector"), ==, 2);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/vectors/chunks", test_chunks);
  g_test_add_func ("/vectors/chunk-limits", test_chunk_limits);
  g_test_add_func ("/vectors/split", test_split);
#define ADD(name, function) \
  g_test_add ("/vectors/" name, IndexFixture, NULL, index_fixture_set_up, function, index_fixture_tear_down)
  ADD ("resume", test_resume);
  ADD ("changed-card", test_changed_card);
  ADD ("model-change", test_model_change);
  ADD ("bad-vectors", test_bad_vectors);
  return g_test_run ();
}
