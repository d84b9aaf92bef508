/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "index-fixture.h"

#include "plumb-index-private.h"

static void
test_sources (IndexFixture *fixture, gconstpointer data)
{
  g_autoptr (PlumbSourceRecord) twin = plumb_source_record_new ("Sales", "sqlite:///x");
  g_autoptr (PlumbSourceRecord) secret =
      plumb_source_record_new ("a", "postgresql://me:pw@host/db");
  g_autoptr (PlumbSourceRecord) secret_key =
      plumb_source_record_new ("b", "odbc:DSN=a;UID=b;PWD=c");
  g_autoptr (PlumbSourceRecord) plain =
      plumb_source_record_new ("c", "postgresql://me@[::1]:5432/db");
  g_autoptr (PlumbSourceRecord) found = NULL;
  g_autoptr (GPtrArray) list = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_false (plumb_index_add_source (fixture->index, twin, &error));
  g_assert_error (error, PLUMB_ERROR, PLUMB_ERROR_EXISTS);
  g_clear_error (&error);
  g_assert_false (plumb_index_add_source (fixture->index, secret, &error));
  g_assert_error (error, PLUMB_ERROR, PLUMB_ERROR_INVALID_ARGUMENT);
  g_assert_null (strstr (error->message, "pw"));
  g_clear_error (&error);
  g_assert_false (plumb_index_add_source (fixture->index, secret_key, &error));
  g_assert_error (error, PLUMB_ERROR, PLUMB_ERROR_INVALID_ARGUMENT);
  g_clear_error (&error);
  g_assert_true (plumb_index_add_source (fixture->index, plain, &error));

  plain->summary = g_strdup ("Orders");
  plain->risk_accepted = TRUE;
  g_assert_true (plumb_index_update_source (fixture->index, plain, &error));
  found = plumb_index_get_source (fixture->index, "C", &error);
  g_assert_no_error (error);
  g_assert_cmpstr (found->name, ==, "c");
  g_assert_cmpstr (found->summary, ==, "Orders");
  g_assert_true (found->risk_accepted);
  g_assert_null (plumb_index_get_source (fixture->index, "nowhere", &error));
  g_assert_error (error, PLUMB_ERROR, PLUMB_ERROR_NOT_FOUND);
  g_clear_error (&error);
  list = plumb_index_list_sources (fixture->index, &error);
  g_assert_cmpuint (list->len, ==, 2);
  g_assert_cmpstr (((PlumbSourceRecord *) g_ptr_array_index (list, 1))->name, ==, "sales");
}

static void
test_round_trip (IndexFixture *fixture, gconstpointer data)
{
  g_autoptr (PlumbCard) card = make_card ("sales", "main", "ORD \"x\".MST");
  g_autoptr (PlumbCard) stored = NULL;
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;
  GError *error = NULL;

  card->purpose = g_strdup ("주문 마스터");
  card->primary_key = g_strsplit ("ID", ",", -1);
  g_assert_true (plumb_index_put_card (fixture->index, card, &error));
  index_fixture_reopen (fixture);
  stored = plumb_index_get_card (fixture->index, "sales", "main", "ORD \"x\".MST", &error);
  g_assert_no_error (error);
  before = plumb_card_to_json (card);
  after = plumb_card_to_json (stored);
  g_assert_cmpstr (before, ==, after);
}

/* A card with something in every field. */
static PlumbCard *
make_full_card (void)
{
  PlumbCard *card = make_card ("sales", "main", "FULL");
  PlumbCardColumn *column = card->columns->pdata[2];
  PlumbForeignKey *key = plumb_foreign_key_new ("other", "CUST");

  card->kind = PLUMB_TABLE_KIND_PARTITION;
  card->comment = g_strdup ("a comment");
  card->label = g_strdup ("Orders");
  card->purpose = g_strdup ("주문");
  card->grain = g_strdup ("an order");
  card->role = PLUMB_ROLE_BACKUP;
  card->status = PLUMB_STATUS_PARTITION;
  card->copy_of = g_strdup ("main.ORD");
  card->family = g_strdup ("ORD_*");
  card->reasons = g_strsplit ("one|two", "|", -1);
  card->row_estimate = G_MAXINT64;
  card->primary_key = g_strsplit ("ID", "|", -1);
  card->misuse = g_strsplit ("beware", "|", -1);
  card->synonyms = g_strsplit ("заказ|注文", "|", -1);
  card->selectable = FALSE;
  card->gone = TRUE;
  key->name = g_strdup ("fk");
  key->columns = g_strsplit ("CUST_ID|AMT", "|", -1);
  key->ref_columns = g_strsplit ("ID|AMT", "|", -1);
  g_ptr_array_add (card->foreign_keys, key);
  column->comment = g_strdup ("");
  column->meaning = g_strdup ("amount");
  column->key = g_strdup ("PK");
  column->nullable = FALSE;
  column->null_fraction = 1.0 / 3;
  column->distinct = 0;
  column->minimum = g_strdup ("-1.50");
  column->maximum = g_strdup ("99999999999999999999.99");
  column->misuse = g_strdup ("not the net amount");
  plumb_card_column_add_value (column, "1", "open", 12);
  plumb_card_column_add_value (column, "", NULL, -1);
  return card;
}

static void
test_full_card (IndexFixture *fixture, gconstpointer data)
{
  g_autoptr (PlumbCard) card = make_full_card ();
  g_autoptr (PlumbCard) stored = NULL;
  g_autofree char *before = plumb_card_to_json (card);
  g_autofree char *after = NULL;

  g_assert_true (plumb_index_put_card (fixture->index, card, NULL));
  stored = plumb_index_get_card (fixture->index, "sales", "main", "FULL", NULL);
  after = plumb_card_to_json (stored);
  g_assert_cmpstr (before, ==, after);
  g_assert_cmpint (stored->row_estimate, ==, G_MAXINT64);
  g_assert_cmpstr (((PlumbCardColumn *) stored->columns->pdata[2])->comment, ==, "");
}

/* Bytes that were cut or changed are refused or give some card, and never more than that. */
static void
test_damaged_body (void)
{
  g_autoptr (PlumbCard) card = make_full_card ();
  g_autoptr (GByteArray) body = plumb_card_to_body (card);

  for (guint length = 0; length < body->len; length++) {
    g_autoptr (PlumbCard) read = plumb_card_new ("d", "s", "t");
    g_autofree guint8 *bytes = g_memdup2 (body->data, length);

    g_assert_false (plumb_card_read_body (read, bytes, length));
  }
  for (guint i = 0; i < 20000; i++) {
    g_autoptr (PlumbCard) read = plumb_card_new ("d", "s", "t");
    g_autofree guint8 *bytes = g_memdup2 (body->data, body->len);

    for (int j = g_test_rand_int_range (1, 4); j > 0; j--)
      bytes[g_test_rand_int_range (0, body->len)] = g_test_rand_int_range (0, 256);
    plumb_card_read_body (read, bytes, body->len);
  }
}

static void
test_needs_source (IndexFixture *fixture, gconstpointer data)
{
  g_autoptr (GPtrArray) cards = g_ptr_array_new_with_free_func ((GDestroyNotify) plumb_card_unref);
  g_autoptr (GPtrArray) stored = NULL;
  g_autoptr (GError) error = NULL;

  g_ptr_array_add (cards, make_card ("sales", "main", "A"));
  g_ptr_array_add (cards, make_card ("removed", "main", "B"));
  g_assert_false (plumb_index_put_cards (fixture->index, cards, &error));
  g_assert_error (error, PLUMB_ERROR, PLUMB_ERROR_NOT_FOUND);
  stored = plumb_index_list_cards (fixture->index, NULL, NULL);
  g_assert_cmpuint (stored->len, ==, 0);
}

static void
test_gone (IndexFixture *fixture, gconstpointer data)
{
  g_autoptr (GHashTable) first = make_set ("main.A", "main.B", NULL);
  g_autoptr (GHashTable) second = make_set ("main.B", NULL);
  g_autoptr (GHashTable) fingerprints = NULL;
  g_autoptr (PlumbSourceRecord) source = NULL;
  g_autoptr (PlumbCard) card = NULL;
  g_autoptr (PlumbCard) back = NULL;
  GError *error = NULL;
  guint64 generation;

  put_card (fixture->index, "sales", "main", "A");
  put_card (fixture->index, "sales", "main", "B");
  g_assert_true (plumb_index_finish_analysis (fixture->index, "sales", first, "All", "3.40",
                                              &error));
  generation = plumb_index_get_generation (fixture->index);
  g_assert_true (plumb_index_finish_analysis (fixture->index, "sales", first, "All", "3.40",
                                              &error));
  g_assert_cmpuint (plumb_index_get_generation (fixture->index), ==, generation);
  g_assert_true (plumb_index_finish_analysis (fixture->index, "sales", second, NULL, NULL, &error));
  g_assert_cmpuint (plumb_index_get_generation (fixture->index), >, generation);

  source = plumb_index_get_source (fixture->index, "sales", &error);
  g_assert_cmpstr (source->summary, ==, "All");
  g_assert_cmpstr (source->version, ==, "3.40");
  g_assert_cmpint (source->n_tables, ==, 1);
  g_assert_cmpint (source->analyzed_at, >, 0);
  card = plumb_index_get_card (fixture->index, "sales", "main", "A", &error);
  g_assert_true (card->gone);
  fingerprints = plumb_index_get_fingerprints (fixture->index, "sales", &error);
  g_assert_cmpuint (g_hash_table_size (fingerprints), ==, 1);
  g_assert_cmpstr (g_hash_table_lookup (fingerprints, "main.B"), ==, "B/1");
  g_assert_true (plumb_index_finish_analysis (fixture->index, "sales", first, NULL, NULL, &error));
  back = plumb_index_get_card (fixture->index, "sales", "main", "A", &error);
  g_assert_false (back->gone);
}

static void
assert_resolves (PlumbIndex *index, const char *name, const char *full)
{
  GError *error = NULL;
  g_autoptr (PlumbCard) card = plumb_index_resolve_card (index, name, NULL, &error);
  g_autofree char *found = NULL;

  g_assert_no_error (error);
  found = plumb_card_get_full_name (card);
  g_assert_cmpstr (found, ==, full);
}

static void
test_resolve (IndexFixture *fixture, gconstpointer data)
{
  const char *const scope[] = { "crm", NULL };
  g_autoptr (PlumbCard) card = NULL;
  g_autoptr (GError) error = NULL;

  add_source (fixture->index, "crm");
  put_card (fixture->index, "sales", "main", "ORD_MST");
  put_card (fixture->index, "sales", "hr", "ord_mst_x");
  put_card (fixture->index, "sales", "main", "CUST_MST");
  put_card (fixture->index, "crm", "main", "CUST_MST");
  put_card (fixture->index, "crm", "main", "Case");
  put_card (fixture->index, "crm", "main", "CASE");

  assert_resolves (fixture->index, "ORD_MST", "sales.main.ORD_MST");
  assert_resolves (fixture->index, "ord_mst", "sales.main.ORD_MST");
  assert_resolves (fixture->index, "Sales.Ord_Mst", "sales.main.ORD_MST");
  assert_resolves (fixture->index, "main.ORD_MST", "sales.main.ORD_MST");
  assert_resolves (fixture->index, "SALES.MAIN.ord_mst", "sales.main.ORD_MST");
  assert_resolves (fixture->index, "crm.CUST_MST", "crm.main.CUST_MST");
  assert_resolves (fixture->index, "Case", "crm.main.Case");
  card = plumb_index_resolve_card (fixture->index, "cust_mst", scope, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (card->database, ==, "crm");

  g_assert_null (plumb_index_resolve_card (fixture->index, "CUST_MST", NULL, &error));
  g_assert_error (error, PLUMB_ERROR, PLUMB_ERROR_AMBIGUOUS);
  g_assert_nonnull (strstr (error->message, "crm.main.CUST_MST, sales.main.CUST_MST"));
  g_clear_error (&error);
  g_assert_null (plumb_index_resolve_card (fixture->index, "case", NULL, &error));
  g_assert_error (error, PLUMB_ERROR, PLUMB_ERROR_AMBIGUOUS);
  g_clear_error (&error);
  g_assert_null (plumb_index_resolve_card (fixture->index, "ORD_MTS", NULL, &error));
  g_assert_error (error, PLUMB_ERROR, PLUMB_ERROR_NOT_FOUND);
  g_assert_nonnull (strstr (error->message, "sales.main.ORD_MST"));
  g_clear_error (&error);
  g_assert_null (plumb_index_resolve_card (fixture->index, "ORD_MST", scope, &error));
  g_assert_error (error, PLUMB_ERROR, PLUMB_ERROR_NOT_FOUND);
  g_clear_error (&error);
  g_assert_null (plumb_index_resolve_card (fixture->index, "a.b.c.d", NULL, &error));
  g_assert_error (error, PLUMB_ERROR, PLUMB_ERROR_INVALID_ARGUMENT);
}

static void
test_resolve_odd_names (IndexFixture *fixture, gconstpointer data)
{
  g_autofree char *endless = g_strnfill (100000, 'x');
  const char *const names[] = { "",   " ",      ".",    "a.",   ".a",      "\"",  "\"\"",
                                "\xff", "a\nb", "%s%n", "'--", "\"a\".b\"c", endless };

  put_card (fixture->index, "sales", "main", "ORD");
  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autoptr (GError) error = NULL;

    g_assert_null (plumb_index_resolve_card (fixture->index, names[i], NULL, &error));
    g_assert_true (g_error_matches (error, PLUMB_ERROR, PLUMB_ERROR_NOT_FOUND) ||
                   g_error_matches (error, PLUMB_ERROR, PLUMB_ERROR_INVALID_ARGUMENT));
    g_assert_true (g_utf8_validate (error->message, -1, NULL));
    g_assert_cmpuint (strlen (error->message), <, 500);
  }
}

static void
test_resolve_prefers_usable (IndexFixture *fixture, gconstpointer data)
{
  g_autoptr (PlumbCard) hidden = make_card ("sales", "hr", "T");
  g_autoptr (PlumbCard) old = make_card ("sales", "old", "T");
  GError *error = NULL;

  hidden->selectable = FALSE;
  old->gone = TRUE;
  g_assert_true (plumb_index_put_card (fixture->index, hidden, &error));
  assert_resolves (fixture->index, "T", "sales.hr.T");
  g_assert_true (plumb_index_put_card (fixture->index, old, &error));
  put_card (fixture->index, "sales", "main", "T");
  assert_resolves (fixture->index, "t", "sales.main.T");
}

static void
test_ambiguous_list_is_short (IndexFixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  for (int i = 0; i < 14; i++) {
    g_autofree char *schema = g_strdup_printf ("s%02d", i);

    put_card (fixture->index, "sales", schema, "T");
  }
  g_assert_null (plumb_index_resolve_card (fixture->index, "T", NULL, &error));
  g_assert_error (error, PLUMB_ERROR, PLUMB_ERROR_AMBIGUOUS);
  g_assert_nonnull (strstr (error->message, "14 tables"));
  g_assert_nonnull (strstr (error->message, "sales.s09.T and 4 more"));
  g_assert_null (strstr (error->message, "s10"));
}

static void
test_many (IndexFixture *fixture, gconstpointer data)
{
  g_autoptr (GPtrArray) cards = g_ptr_array_new_with_free_func ((GDestroyNotify) plumb_card_unref);
  g_autoptr (GError) error = NULL;
  gint64 start;

  for (int i = 0; i < 10000; i++) {
    g_autofree char *name = g_strdup_printf ("TABLE_%05d", i);
    PlumbCard *card = make_card ("sales", "main", name);

    for (int j = 0; j < 30; j++) {
      g_autofree char *column = g_strdup_printf ("COLUMN_%02d", j);

      plumb_card_add_column (card, column, "VARCHAR(20)");
    }
    g_ptr_array_add (cards, card);
  }
  start = g_get_monotonic_time ();
  g_assert_true (plumb_index_put_cards (fixture->index, cards, &error));
  g_test_message ("10,000 cards stored in %.2f s", (g_get_monotonic_time () - start) / 1e6);
  start = g_get_monotonic_time ();
  index_fixture_reopen (fixture);
  g_test_minimized_result ((g_get_monotonic_time () - start) / 1e6, "opening 10,000 tables");
  g_assert_cmpint (g_get_monotonic_time () - start, <, 1000 * 1000);
  start = g_get_monotonic_time ();
  assert_resolves (fixture->index, "table_07777", "sales.main.TABLE_07777");
  g_assert_null (plumb_index_resolve_card (fixture->index, "TABEL_0777", NULL, &error));
  g_assert_error (error, PLUMB_ERROR, PLUMB_ERROR_NOT_FOUND);
  g_test_minimized_result ((g_get_monotonic_time () - start) / 1e6, "two names resolved");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
#define ADD(path, func) \
  g_test_add (path, IndexFixture, NULL, index_fixture_set_up, func, index_fixture_tear_down)
  ADD ("/index/sources", test_sources);
  ADD ("/index/cards/round-trip", test_round_trip);
  ADD ("/index/cards/full-card", test_full_card);
  g_test_add_func ("/index/cards/damaged-body", test_damaged_body);
  ADD ("/index/cards/needs-source", test_needs_source);
  ADD ("/index/cards/gone", test_gone);
  ADD ("/index/cards/resolve", test_resolve);
  ADD ("/index/cards/resolve-odd-names", test_resolve_odd_names);
  ADD ("/index/cards/resolve-prefers-usable", test_resolve_prefers_usable);
  ADD ("/index/cards/ambiguous-list-is-short", test_ambiguous_list_is_short);
  ADD ("/index/cards/many", test_many);
#undef ADD
  return g_test_run ();
}
