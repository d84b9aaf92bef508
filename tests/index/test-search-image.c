/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "index-fixture.h"

#include "plumb-index-private.h"
#include "plumb-search-private.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* What search keeps beside the index: the same answers as from the cards, brought up to date, and safe
 * whatever stands in the file. */

static const char *const questions[] = {
  "How many orders are there by status?", "customers by city", "staff salaries", "Wie viele Kunden gibt es?",
  "сколько заказов у каждого клиента", "每个客户的订单数量", "고객 주문 금액", "顧客の注文", "ordrs and custmer",
  "ORD_MST_3 ord_no", "difference between the order backup and now", "invoice payments of products", "", "x",
  "NEAR(\"a\" *) -b",
};

/* Tables whose names, comments and values are in many languages, with keys, copies and partitions. */
static GPtrArray *
make_cards (guint n)
{
  static const char *const names[] = { "ORD_MST", "CustomerAddress", "kunden_bestellung", "заказ_клиента", "订单_明细",
                                       "고객_주문", "顧客マスタ", "LISTEDSECURITY", "emp_salary", "prd_inv_pmt" };
  static const char *const columns[] = { "ord_no", "custId", "STATUS_CODE", "betrag_eur", "сумма", "金额", "주문일자",
                                         "注文番号", "unit_price", "zipcode", "hire_dt", "note_txt" };
  static const char *const texts[] = { "Orders of customers", "Zahlungen der Kunden", "дата заказа", "客户的电话",
                                       "직원 급여", NULL };
  g_autoptr (GRand) rand = g_rand_new_with_seed (4);
  GPtrArray *cards = g_ptr_array_new_with_free_func ((GDestroyNotify) plumb_card_unref);

  for (guint i = 0; i < n; i++) {
    g_autofree char *name = g_strdup_printf ("%s_%u", names[i % G_N_ELEMENTS (names)], i);
    PlumbCard *card = plumb_card_new ("sales", i % 3 == 0 ? "main" : "other", name);

    card->analyzed_at = 1700000000;
    card->comment = g_strdup (texts[g_rand_int_range (rand, 0, G_N_ELEMENTS (texts))]);
    for (guint j = 0; j < G_N_ELEMENTS (columns); j++) {
      PlumbCardColumn *column;

      if (g_rand_boolean (rand))
        continue;
      column = plumb_card_add_column (card, columns[j], "TEXT");
      column->comment = g_strdup (texts[g_rand_int_range (rand, 0, G_N_ELEMENTS (texts))]);
      if (g_rand_boolean (rand))
        plumb_card_column_add_value (column, "PAID", "bezahlt", 3);
    }
    if (i >= 10 && i % 7 == 0) {
      PlumbCard *live = g_ptr_array_index (cards, i - 10);

      card->status = PLUMB_STATUS_BACKUP;
      card->copy_of = g_strdup_printf ("%s.%s", live->schema, live->name);
    } else if (i % 11 == 0) {
      card->status = PLUMB_STATUS_PARTITION;
      card->family = g_strdup ("FAMILY");
    } else if (i >= 3) {
      PlumbForeignKey *key = plumb_foreign_key_new (NULL, ((PlumbCard *) g_ptr_array_index (cards, i - 3))->name);
      const char *const one[] = { "ord_no", NULL };

      key->columns = g_strdupv ((GStrv) one);
      key->ref_columns = g_strdupv ((GStrv) one);
      g_ptr_array_add (card->foreign_keys, key);
    }
    g_ptr_array_add (cards, card);
  }
  return cards;
}

static char *
get_path (IndexFixture *fixture)
{
  return g_strconcat (fixture->path, "-search", NULL);
}

static char *
describe (PlumbCandidates *found)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < found->candidates->len; i++) {
    PlumbCandidate *candidate = g_ptr_array_index (found->candidates, i);
    g_autofree char *name = plumb_card_get_full_name (candidate->card);
    g_autofree char *matched = g_strjoinv ("+", candidate->matched_by);
    g_autofree char *copies = g_strjoinv ("+", candidate->copies);
    g_autofree char *partitions = g_strjoinv ("+", candidate->partitions);

    g_string_append_printf (text, "%s %a %s %s %s %s %u %s\n", name, candidate->score, candidate->excerpt, matched,
                            copies, partitions, candidate->notes->len, candidate->helped_by);
  }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static char *
ask (PlumbSearch *search, const char *question)
{
  PlumbSearchRequest request = { .question = question, .limit = 12 };
  g_autoptr (GError) error = NULL;
  g_autoptr (PlumbCandidates) found = plumb_search_run (search, &request, NULL, &error);

  g_assert_no_error (error);
  return describe (found);
}

/* @search answers as an engine does that is made of what the index holds now. */
static void
assert_same (IndexFixture *fixture, PlumbSearch *search)
{
  g_autoptr (GPtrArray) cards = plumb_index_list_cards (fixture->index, NULL, NULL);
  g_autoptr (GPtrArray) notes = plumb_index_list_notes (fixture->index, NULL, NULL, NULL, FALSE, NULL);
  g_autoptr (GPtrArray) approved = plumb_index_list_approved (fixture->index, NULL);
  g_autoptr (PlumbSearchEngine) engine = plumb_search_engine_new (cards, notes, approved, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (questions); i++) {
    PlumbSearchRequest request = { .question = questions[i], .limit = 12 };
    g_autoptr (PlumbCandidates) found = plumb_search_engine_run (engine, &request, NULL, NULL);
    g_autofree char *expected = describe (found);
    g_autofree char *answer = ask (search, questions[i]);

    g_assert_cmpstr (answer, ==, expected);
  }
}

static void
assert_new_same (IndexFixture *fixture)
{
  g_autoptr (PlumbSearch) search = plumb_search_new (fixture->index);

  assert_same (fixture, search);
}

static void
set_up (IndexFixture *fixture, gconstpointer data)
{
  g_autoptr (GPtrArray) cards = make_cards (120);

  index_fixture_set_up (fixture, data);
  g_assert_true (plumb_index_put_cards (fixture->index, cards, NULL));
}

static void
tear_down (IndexFixture *fixture, gconstpointer data)
{
  g_autofree char *path = get_path (fixture);
  g_autofree char *new_path = g_strconcat (path, "-new", NULL);

  g_remove (path);
  g_remove (new_path);
  index_fixture_tear_down (fixture, data);
}

static GStatBuf
get_status (IndexFixture *fixture)
{
  g_autofree char *path = get_path (fixture);
  GStatBuf status = { 0 };

  g_assert_cmpint (g_stat (path, &status), ==, 0);
  return status;
}

static void
test_same (IndexFixture *fixture, gconstpointer data)
{
  GStatBuf first, second;

  assert_new_same (fixture);
  first = get_status (fixture);
  g_assert_cmpint (first.st_mode & 0777, ==, 0600);
  /* The next one takes what is there. */
  assert_new_same (fixture);
  index_fixture_reopen (fixture);
  assert_new_same (fixture);
  second = get_status (fixture);
  g_assert_cmpuint (first.st_ino, ==, second.st_ino);
}

/* What persons write is found at once and leaves the file alone; so does a card that is there as it is. */
static void
test_notes (IndexFixture *fixture, gconstpointer data)
{
  g_autoptr (PlumbSearch) search = plumb_search_new (fixture->index);
  g_autoptr (PlumbNote) note = plumb_note_new ("sales", "main", "ORD_MST_0", "warranty terms");
  g_autoptr (PlumbApproved) approved = plumb_approved_new ("How many parcels went missing?", "sales", "SELECT 1");
  const char *const tables[] = { "main.ORD_MST_30", NULL };
  g_autoptr (GPtrArray) cards = make_cards (120);
  g_autofree char *answer = NULL;
  GStatBuf first, second;

  assert_same (fixture, search);
  first = get_status (fixture);
  g_assert_cmpint (plumb_index_add_note (fixture->index, note, NULL), >, 0);
  answer = ask (search, "warranty");
  g_assert_nonnull (strstr (answer, "ORD_MST_0 "));
  approved->tables = g_strdupv ((GStrv) tables);
  g_assert_cmpint (plumb_index_approve (fixture->index, approved, NULL), >, 0);
  assert_same (fixture, search);
  ((PlumbCard *) g_ptr_array_index (cards, 0))->analyzed_at++;
  g_assert_true (plumb_index_put_cards (fixture->index, cards, NULL));
  assert_same (fixture, search);
  assert_new_same (fixture);
  second = get_status (fixture);
  g_assert_cmpuint (first.st_ino, ==, second.st_ino);
}

/* A card that is new, changed, gone, back, or of a source that is removed. */
static void
test_cards (IndexFixture *fixture, gconstpointer data)
{
  g_autoptr (PlumbSearch) search = plumb_search_new (fixture->index);
  g_autoptr (PlumbCard) card = plumb_card_new ("sales", "main", "WARRANTY_CLAIM");
  g_autoptr (GHashTable) present = make_set ("main.WARRANTY_CLAIM", "main.ORD_MST_0", NULL);
  g_autofree char *added = NULL;
  g_autofree char *gone = NULL;

  assert_same (fixture, search);
  plumb_card_add_column (card, "claim_no", "TEXT");
  g_assert_true (plumb_index_put_card (fixture->index, card, NULL));
  added = ask (search, "warranty claims");
  g_assert_true (g_str_has_prefix (added, "sales.main.WARRANTY_CLAIM "));
  assert_same (fixture, search);
  assert_new_same (fixture);
  g_assert_true (plumb_index_finish_analysis (fixture->index, "sales", present, NULL, NULL, NULL));
  gone = ask (search, "customers");
  g_assert_null (strstr (gone, "Customer"));
  assert_same (fixture, search);
  assert_new_same (fixture);
  g_assert_true (plumb_index_remove_source (fixture->index, "sales", NULL));
  assert_same (fixture, search);
  assert_new_same (fixture);
}

/* Two programs on one index: each sees what the other changes, and each finds the other's file. */
static void
test_two (IndexFixture *fixture, gconstpointer data)
{
  g_autoptr (PlumbIndex) other = plumb_index_open (fixture->path, NULL);
  g_autoptr (PlumbSearch) here = plumb_search_new (fixture->index);
  g_autoptr (PlumbSearch) there = plumb_search_new (other);

  for (guint i = 0; i < 5; i++) {
    g_autofree char *name = g_strdup_printf ("PARCEL_%u", i);
    g_autoptr (PlumbCard) card = make_card ("sales", "main", name);
    g_autofree char *first = NULL;
    g_autofree char *second = NULL;

    g_assert_true (plumb_index_put_card (i % 2 == 0 ? fixture->index : other, card, NULL));
    first = ask (here, "parcels");
    second = ask (there, "parcels");
    g_assert_cmpstr (first, ==, second);
    g_assert_nonnull (strstr (first, name));
  }
  assert_same (fixture, here);
  assert_same (fixture, there);
}

/* A backup of the index, put back beside the file of what came after it. */
static void
test_backup (IndexFixture *fixture, gconstpointer data)
{
  g_autofree char *kept = NULL;
  g_autoptr (PlumbCard) first = make_card ("sales", "main", "PARCEL");
  g_autoptr (PlumbCard) second = make_card ("sales", "main", "WARRANTY");
  gsize length;

  index_fixture_reopen (fixture);
  g_clear_object (&fixture->index);
  g_assert_true (g_file_get_contents (fixture->path, &kept, &length, NULL));
  fixture->index = plumb_index_open (fixture->path, NULL);
  g_assert_true (plumb_index_put_card (fixture->index, first, NULL));
  assert_new_same (fixture);
  g_clear_object (&fixture->index);
  g_assert_true (g_file_set_contents (fixture->path, kept, length, NULL));
  fixture->index = plumb_index_open (fixture->path, NULL);
  /* The same number of changes, and another one. */
  g_assert_true (plumb_index_put_card (fixture->index, second, NULL));
  assert_new_same (fixture);
}

static void
write_file (const char *path, const char *bytes, gsize length)
{
  g_remove (path);
  g_assert_true (g_file_set_contents (path, bytes, length, NULL));
}

/* Cut off at any length, or with any byte changed: made anew, or taken where the byte says nothing. */
static void
test_damaged (IndexFixture *fixture, gconstpointer data)
{
  g_autofree char *path = get_path (fixture);
  g_autofree char *bytes = NULL;
  gsize length;

  assert_new_same (fixture);
  g_assert_true (g_file_get_contents (path, &bytes, &length, NULL));
  for (gsize cut = 0; cut < length; cut += MAX (length / 6, 1)) {
    write_file (path, bytes, cut);
    assert_new_same (fixture);
  }
  for (gsize i = 0; i < length; i += i < 160 ? 8 : length / 25) {
    g_autofree char *changed = g_memdup2 (bytes, length);

    changed[i] ^= 0x40;
    write_file (path, changed, length);
    assert_new_same (fixture);
  }
  write_file (path, "a letter", 8);
  assert_new_same (fixture);
}

/* Of other cards, or made by another program. */
static void
test_foreign (IndexFixture *fixture, gconstpointer data)
{
  g_autofree char *path = get_path (fixture);
  g_autoptr (GPtrArray) cards = make_cards (40);
  PlumbImageStamp stamp;
  g_autoptr (PlumbImage) image = NULL;
  g_autoptr (PlumbImage) other = NULL;

  assert_new_same (fixture);
  image = plumb_image_map (path, &stamp);
  g_assert_nonnull (image);
  other = plumb_search_engine_build (cards, NULL);
  stamp.content++;
  g_assert_true (plumb_image_save (other, &stamp, path, NULL));
  assert_new_same (fixture);
  stamp.content--;
  stamp.maker++;
  g_assert_true (plumb_image_save (other, &stamp, path, NULL));
  assert_new_same (fixture);
}

/* With right sums and anything in the sections: whatever is found, nothing is read that isn't there. */
static void
test_scrambled (IndexFixture *fixture, gconstpointer data)
{
  g_autofree char *path = get_path (fixture);
  g_autofree char *bytes = NULL;
  g_autoptr (GRand) rand = g_rand_new_with_seed (9);
  guint n_opened = 0;
  gsize length;

  assert_new_same (fixture);
  g_assert_true (g_file_get_contents (path, &bytes, &length, NULL));
  for (guint round = 0; round < 60; round++) {
    char *changed = g_memdup2 (bytes, length);
    g_autoptr (GBytes) all = NULL;
    g_autoptr (PlumbImage) image = NULL;
    g_autoptr (PlumbSearchEngine) engine = NULL;
    PlumbImageStamp stamp;

    for (guint i = 0; i < 400; i++)
      changed[g_rand_int_range (rand, 512, length)] = g_rand_int_range (rand, 0, 256);
    all = g_bytes_new_take (changed, length);
    image = plumb_image_read (all, FALSE, &stamp);
    engine = image != NULL ? plumb_search_engine_open (image, NULL, NULL, NULL) : NULL;
    n_opened += engine != NULL;
    for (guint i = 0; engine != NULL && i < G_N_ELEMENTS (questions); i++) {
      PlumbSearchRequest request = { .question = questions[i], .limit = 12 };
      g_autoptr (PlumbCandidates) found = plumb_search_engine_run (engine, &request, NULL, NULL);

      g_assert_nonnull (found);
    }
  }
  g_test_message ("%u of 60 could be opened", n_opened);
}

/* Where the file can't be made, search works all the same. */
static void
test_not_writable (IndexFixture *fixture, gconstpointer data)
{
  g_autofree char *path = get_path (fixture);
  g_autofree char *new_path = g_strconcat (path, "-new", NULL);

  g_assert_cmpint (g_mkdir (new_path, 0700), ==, 0);
  assert_new_same (fixture);
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
  g_assert_cmpint (g_rmdir (new_path), ==, 0);
  g_assert_cmpint (g_mkdir (path, 0700), ==, 0);
  assert_new_same (fixture);
  g_assert_cmpint (g_rmdir (path), ==, 0);
}

/* A disk that is full in the middle of it leaves nothing behind. */
static void
test_disk_full (IndexFixture *fixture, gconstpointer data)
{
  g_autofree char *path = get_path (fixture);
  g_autofree char *new_path = g_strconcat (path, "-new", NULL);
  g_autoptr (GPtrArray) cards = make_cards (40);
  g_autoptr (PlumbImage) image = plumb_search_engine_build (cards, NULL);
  g_autoptr (GError) error = NULL;
  PlumbImageStamp stamp = { 1, 2 };
  struct rlimit before, small;

  g_assert_true (plumb_image_save (image, &stamp, path, NULL));
  g_assert_cmpint (getrlimit (RLIMIT_FSIZE, &before), ==, 0);
  small = (struct rlimit) { 10000, before.rlim_max };
  signal (SIGXFSZ, SIG_IGN);
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &small), ==, 0);
  stamp.content++;
  g_assert_false (plumb_image_save (image, &stamp, path, &error));
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &before), ==, 0);
  g_assert_error (error, G_FILE_ERROR, G_FILE_ERROR_FAILED);
  g_assert_false (g_file_test (new_path, G_FILE_TEST_EXISTS));
  /* What was there before is there. */
  g_clear_pointer (&image, plumb_image_unref);
  image = plumb_image_map (path, &stamp);
  g_assert_nonnull (image);
  g_assert_cmpuint (stamp.content, ==, 2);
}

/* A program that was killed while it wrote leaves half a file, which the next one writes over. */
static void
test_killed (IndexFixture *fixture, gconstpointer data)
{
  g_autofree char *path = get_path (fixture);
  g_autofree char *new_path = g_strconcat (path, "-new", NULL);

  write_file (new_path, "PlmbSrch half of", 16);
  assert_new_same (fixture);
  g_assert_true (g_file_test (path, G_FILE_TEST_EXISTS));
  g_assert_false (g_file_test (new_path, G_FILE_TEST_EXISTS));
}

/* Another program, killed again and again while it changes cards and searches. */
static void
test_killed_program (IndexFixture *fixture, gconstpointer data)
{
  for (guint i = 0; i < 8; i++) {
    g_autoptr (GSubprocess) helper = g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_SILENCE, NULL, INDEX_HELPER, "search",
                                                       fixture->path, "100000", NULL);

    g_assert_nonnull (helper);
    g_usleep (60 * 1000 + i * 7000);
    g_subprocess_force_exit (helper);
    g_subprocess_wait (helper, NULL, NULL);
    assert_new_same (fixture);
  }
}

#define ADD(name, function) \
  g_test_add ("/search-image/" name, IndexFixture, NULL, set_up, function, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("same", test_same);
  ADD ("notes", test_notes);
  ADD ("cards", test_cards);
  ADD ("two", test_two);
  ADD ("backup", test_backup);
  ADD ("damaged", test_damaged);
  ADD ("foreign", test_foreign);
  ADD ("scrambled", test_scrambled);
  ADD ("not-writable", test_not_writable);
  ADD ("disk-full", test_disk_full);
  ADD ("killed", test_killed);
  ADD ("killed-program", test_killed_program);
  return g_test_run ();
}
