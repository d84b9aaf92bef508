/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-search.h"

#include <string.h>

/* A reranker that says what a test tells it to: a score for each text that holds a word, an error,
 * or nothing until it is cancelled. What it was asked is kept. */
#define TEST_TYPE_RERANKER (test_reranker_get_type ())
G_DECLARE_FINAL_TYPE (TestReranker, test_reranker, TEST, RERANKER, GObject)

struct _TestReranker {
  GObject parent_instance;

  const char *wanted;
  gboolean fails;
  gboolean waits;
  GString *asked;
  guint n_calls;
  guint n_texts;
};

static float *
rerank (PlumbReranker *reranker, const char *question, const char *const *texts, guint n_texts,
        GCancellable *cancellable, GError **error)
{
  TestReranker *self = TEST_RERANKER (reranker);
  float *scores = g_new0 (float, n_texts);

  self->n_calls++;
  self->n_texts = n_texts;
  while (self->waits && !g_cancellable_is_cancelled (cancellable))
    g_usleep (1000);
  for (guint i = 0; i < n_texts; i++) {
    g_string_append_printf (self->asked, "%s\n", texts[i]);
    scores[i] = strstr (texts[i], self->wanted) != NULL;
  }
  if (!self->fails && !self->waits)
    return scores;
  g_free (scores);
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_FAILED, "The server is on fire.");
  return NULL;
}

static void
reranker_iface_init (PlumbRerankerInterface *iface)
{
  iface->rerank = rerank;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (TestReranker, test_reranker, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (PLUMB_TYPE_RERANKER, reranker_iface_init))

static void
test_reranker_finalize (GObject *object)
{
  g_string_free (TEST_RERANKER (object)->asked, TRUE);
  G_OBJECT_CLASS (test_reranker_parent_class)->finalize (object);
}

static void
test_reranker_class_init (TestRerankerClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = test_reranker_finalize;
}

static void
test_reranker_init (TestReranker *self)
{
  self->wanted = "";
  self->asked = g_string_new (NULL);
}

/* An index of a table of orders with a backup, one of order lines and more that hold the word. */
typedef struct {
  char *folder;
  PlumbIndex *index;
  PlumbSearch *search;
  TestReranker *reranker;
} Fixture;

static PlumbCard *
add_card (GPtrArray *cards, const char *name)
{
  PlumbCard *card = plumb_card_new ("sales", "main", name);

  plumb_card_add_column (card, "order_id", "INTEGER");
  plumb_card_add_column (card, "secret_margin", "REAL");
  g_ptr_array_add (cards, card);
  return card;
}

static void
setup (Fixture *self, gconstpointer data)
{
  g_autoptr (GPtrArray) cards = g_ptr_array_new_with_free_func ((GDestroyNotify) plumb_card_unref);
  g_autoptr (PlumbSourceRecord) source = plumb_source_record_new ("sales", "catalog:///x");
  g_autoptr (GError) error = NULL;
  g_autofree char *path = NULL;
  PlumbCard *backup;

  self->folder = g_dir_make_tmp ("plumb-rerank-XXXXXX", NULL);
  path = g_build_filename (self->folder, "index.sqlite", NULL);
  self->index = plumb_index_open (path, &error);
  g_assert_no_error (error);
  add_card (cards, "orders");
  backup = add_card (cards, "orders_bak");
  backup->status = PLUMB_STATUS_BACKUP;
  backup->copy_of = g_strdup ("main.orders");
  for (guint i = 0; i < 20; i++) {
    g_autofree char *name = g_strdup_printf ("orders_lines_of_plant_%02u", i);

    add_card (cards, name);
  }
  g_assert_true (plumb_index_add_source (self->index, source, &error));
  g_assert_true (plumb_index_put_cards (self->index, cards, &error));
  self->search = plumb_search_new (self->index);
  self->reranker = g_object_new (TEST_TYPE_RERANKER, NULL);
}

static void
teardown (Fixture *self, gconstpointer data)
{
  g_clear_object (&self->search);
  g_clear_object (&self->index);
  g_clear_object (&self->reranker);
  g_free (self->folder);
}

static PlumbCandidates *
run (Fixture *self, const PlumbSearchRequest *request)
{
  g_autoptr (GError) error = NULL;
  PlumbCandidates *found = plumb_search_run (self->search, request, NULL, &error);

  g_assert_no_error (error);
  return found;
}

static const char *
get_name (PlumbCandidates *found, guint place)
{
  return ((PlumbCandidate *) g_ptr_array_index (found->candidates, place))->card->name;
}

static void
set_mode (Fixture *self, PlumbRerankMode mode)
{
  plumb_search_set_reranker (self->search, PLUMB_RERANKER (self->reranker), mode, 5000);
}

/* A table from behind those that were asked for comes up, and their number stays. */
static void
test_always (Fixture *self, gconstpointer data)
{
  PlumbSearchRequest request = { .question = "orders", .limit = 3 };
  g_autoptr (PlumbCandidates) before = run (self, &request);
  g_autoptr (PlumbCandidates) after = NULL;

  g_assert_false (before->reranked);
  set_mode (self, PLUMB_RERANK_ALWAYS);
  self->reranker->wanted = "plant_19";
  after = run (self, &request);
  g_assert_true (after->reranked);
  g_assert_null (after->warning);
  g_assert_cmpuint (after->candidates->len, ==, 3);
  g_assert_cmpstr (get_name (after, 0), ==, "orders_lines_of_plant_19");
  g_assert_cmpstr (get_name (after, 1), ==, get_name (before, 0));
  g_assert_cmpuint (self->reranker->n_texts, ==, 21);
}

static void
test_only_notes (Fixture *self, gconstpointer data)
{
  PlumbSearchRequest plain = { .question = "orders", .limit = 3 };
  PlumbSearchRequest hit = { .question = "orders quarantined", .limit = 3 };
  g_autoptr (PlumbNote) note = plumb_note_new ("sales", "main", "orders", "holds quarantined ones");
  g_autoptr (PlumbCandidates) without = NULL;
  g_autoptr (PlumbCandidates) with = NULL;
  g_autoptr (PlumbCandidates) off = NULL;

  g_assert_cmpint (plumb_index_add_note (self->index, note, NULL), >, 0);
  set_mode (self, PLUMB_RERANK_NOTES);
  self->reranker->wanted = "plant_19";
  without = run (self, &plain);
  g_assert_false (without->reranked);
  g_assert_cmpuint (self->reranker->n_calls, ==, 0);
  with = run (self, &hit);
  g_assert_true (with->reranked);
  g_assert_nonnull (strstr (self->reranker->asked->str, "Note: holds quarantined ones"));
  set_mode (self, PLUMB_RERANK_OFF);
  off = run (self, &hit);
  g_assert_false (off->reranked);
  g_assert_cmpuint (self->reranker->n_calls, ==, 1);
}

/* The question asks for the backup, which therefore stands for itself; the reranker likes it best.
 */
static void
test_copies (Fixture *self, gconstpointer data)
{
  PlumbSearchRequest request = { .question = "orders backup", .limit = 8 };
  g_autoptr (PlumbCandidates) found = NULL;
  int live = -1, copy = -1;

  set_mode (self, PLUMB_RERANK_ALWAYS);
  self->reranker->wanted = "orders_bak";
  found = run (self, &request);
  g_assert_true (found->reranked);
  for (guint i = 0; i < found->candidates->len; i++) {
    if (g_str_equal (get_name (found, i), "orders"))
      live = i;
    if (g_str_equal (get_name (found, i), "orders_bak"))
      copy = i;
  }
  g_assert_cmpint (live, ==, 0);
  g_assert_cmpint (copy, ==, 1);
}

static void
assert_fused_order (Fixture *self, const char *words)
{
  PlumbSearchRequest request = { .question = "orders", .limit = 5 };
  g_autoptr (PlumbCandidates) before = NULL;
  g_autoptr (PlumbCandidates) after = NULL;

  plumb_search_set_reranker (self->search, NULL, PLUMB_RERANK_ALWAYS, 0);
  before = run (self, &request);
  plumb_search_set_reranker (self->search, PLUMB_RERANKER (self->reranker), PLUMB_RERANK_ALWAYS,
                             100);
  after = run (self, &request);
  g_assert_false (after->reranked);
  g_assert_nonnull (strstr (after->warning, words));
  g_assert_cmpuint (after->candidates->len, ==, before->candidates->len);
  for (guint i = 0; i < before->candidates->len; i++)
    g_assert_cmpstr (get_name (after, i), ==, get_name (before, i));
}

static void
test_fails (Fixture *self, gconstpointer data)
{
  self->reranker->fails = TRUE;
  assert_fused_order (self, "The server is on fire.");
}

/* A reranker that never answers holds the search up no longer than it may. */
static void
test_times_out (Fixture *self, gconstpointer data)
{
  self->reranker->waits = TRUE;
  assert_fused_order (self, "no answer within 0.1 seconds");
}

static gpointer
cancel_soon (gpointer data)
{
  g_usleep (50 * 1000);
  g_cancellable_cancel (data);
  return NULL;
}

static void
test_cancelled (Fixture *self, gconstpointer data)
{
  PlumbSearchRequest request = { .question = "orders" };
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  GThread *thread;

  self->reranker->waits = TRUE;
  plumb_search_set_reranker (self->search, PLUMB_RERANKER (self->reranker), PLUMB_RERANK_ALWAYS,
                             3600 * 1000);
  thread = g_thread_new ("cancel", cancel_soon, cancellable);
  g_assert_null (plumb_search_run (self->search, &request, cancellable, &error));
  g_thread_join (thread);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

static PlumbVisibility
hide_plants (const char *database, const char *schema, const char *table, gpointer data)
{
  return strstr (table, "plant") != NULL ? PLUMB_VISIBLE_BY_NAME : PLUMB_VISIBLE;
}

/* Shows a card without its secret column and what its purpose says of that. */
static PlumbCard *
hide_secret (PlumbCard *card, gpointer data)
{
  PlumbCard *shown = plumb_card_new (card->database, card->schema, card->name);

  plumb_card_add_column (shown, "order_id", "INTEGER");
  return shown;
}

/* What the role hides is told to nobody. */
static void
test_hidden (Fixture *self, gconstpointer data)
{
  PlumbSearchRequest request = { .question = "orders backup with secret margin",
                                 .visibility = hide_plants,
                                 .show = hide_secret };
  g_autoptr (PlumbCandidates) found = NULL;

  set_mode (self, PLUMB_RERANK_ALWAYS);
  found = run (self, &request);
  g_assert_true (found->reranked);
  g_assert_cmpuint (found->no_permission->len, >, 0);
  g_assert_nonnull (strstr (self->reranker->asked->str, "sales.main.orders"));
  g_assert_null (strstr (self->reranker->asked->str, "plant"));
  g_assert_null (strstr (self->reranker->asked->str, "secret_margin"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(path, func) g_test_add (path, Fixture, NULL, setup, func, teardown)
  ADD ("/search-rerank/always", test_always);
  ADD ("/search-rerank/only-notes", test_only_notes);
  ADD ("/search-rerank/copies", test_copies);
  ADD ("/search-rerank/fails", test_fails);
  ADD ("/search-rerank/times-out", test_times_out);
  ADD ("/search-rerank/cancelled", test_cancelled);
  ADD ("/search-rerank/hidden", test_hidden);
#undef ADD
  return g_test_run ();
}
