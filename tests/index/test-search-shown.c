/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "index-fixture.h"

#include "plumb-search.h"

#include <string.h>

/* What a person may not see tells on nothing that they may: a search by them over everything gives, to the last
 * digit, what it gives over an index that never held the rest. */

static PlumbCard *
add_card (GPtrArray *cards, const char *database, const char *name, const char *columns)
{
  PlumbCard *card = plumb_card_new (database, "main", name);
  g_auto (GStrv) names = g_strsplit (columns, " ", -1);

  for (guint i = 0; names[i] != NULL; i++)
    plumb_card_add_column (card, names[i], "TEXT");
  g_ptr_array_add (cards, card);
  return card;
}

static void
add_key (PlumbCard *card, const char *column, const char *ref_table)
{
  const char *columns[] = { column, NULL }, *ref_columns[] = { "ID", NULL };
  PlumbForeignKey *key = plumb_foreign_key_new (NULL, ref_table);

  key->columns = g_strdupv ((GStrv) columns);
  key->ref_columns = g_strdupv ((GStrv) ref_columns);
  g_ptr_array_add (card->foreign_keys, key);
}

/* @all: with what isn't to be seen. A key to a hidden table is there either way: without the table it leads
 * nowhere, and its name is a word. */
static GPtrArray *
make_cards (gboolean all)
{
  GPtrArray *cards = g_ptr_array_new_with_free_func ((GDestroyNotify) plumb_card_unref);
  PlumbCard *orders = add_card (cards, "sales", "orders", "ID customer_id staff_id status total");
  PlumbCard *visits = add_card (cards, "sales", "visits", "ID staff_id customer_id visit_date");
  PlumbCard *card;

  add_card (cards, "sales", "customers", all ? "ID name city phone" : "ID name city");
  add_key (orders, "customer_id", "customers");
  add_key (visits, "customer_id", "customers");
  if (all) {
    add_key (orders, "staff_id", "salaries");
    add_key (visits, "staff_id", "salaries");
  }
  add_card (cards, "sales", "salarys_plan", "ID year amount");
  add_card (cards, "library", "books", "ID title author_name");
  if (!all)
    return cards;
  add_card (cards, "sales", "salaries", "ID employee salary customers orders");
  card = add_card (cards, "sales", "salaries_2020", "ID employee salary");
  card->copy_of = g_strdup ("main.salaries");
  card->status = PLUMB_STATUS_BACKUP;
  card = add_card (cards, "sales", "payroll_log", "ID employee salary orders");
  card->selectable = FALSE;
  add_card (cards, "vault", "orders", "ID customer_id status total");
  add_card (cards, "vault", "customers_phone", "ID phone name city");
  return cards;
}

static PlumbVisibility
see (const char *database, const char *schema, const char *table, gpointer data)
{
  return strcmp (database, "vault") == 0 || strcmp (table, "salaries") == 0 ? PLUMB_VISIBLE_BY_NAME : PLUMB_VISIBLE;
}

/* A copy of a hidden table is hidden, and customers have no phone. */
static PlumbCard *
show (PlumbCard *card, gpointer data)
{
  PlumbCard *shown;

  if (g_strcmp0 (card->copy_of, "main.salaries") == 0)
    return NULL;
  if (strcmp (card->name, "customers") != 0)
    return plumb_card_ref (card);
  shown = plumb_card_new (card->database, card->schema, card->name);
  for (guint i = 0; i < card->columns->len; i++) {
    const PlumbCardColumn *column = g_ptr_array_index (card->columns, i);

    if (strcmp (column->name, "phone") != 0)
      plumb_card_add_column (shown, column->name, column->type);
  }
  return shown;
}

static void
add_note_on (PlumbIndex *index, const char *database, const char *table, const char *text)
{
  g_autoptr (PlumbNote) note = plumb_note_new (database, "main", table, text);
  g_autoptr (GError) error = NULL;

  plumb_index_add_note (index, note, &error);
  g_assert_no_error (error);
}

static void
approve (PlumbIndex *index, const char *database, const char *question, const char *tables)
{
  g_autoptr (PlumbApproved) approved = plumb_approved_new (question, database, "SELECT 1");
  g_autoptr (GError) error = NULL;

  approved->tables = g_strsplit (tables, ",", -1);
  plumb_index_approve (index, approved, &error);
  g_assert_no_error (error);
}

static void
fill (PlumbIndex *index, gboolean all)
{
  g_autoptr (GPtrArray) cards = make_cards (all);
  g_autoptr (PlumbJoinEdge) edge = make_edge ("sales.main.customers", "ID", "sales.main.visits", "customer_id", "person", 1);
  g_autoptr (GError) error = NULL;

  add_source (index, "library");
  if (all)
    add_source (index, "vault");
  plumb_index_put_cards (index, cards, &error);
  g_assert_no_error (error);
  plumb_index_put_edge (index, edge, &error);
  g_assert_no_error (error);
  add_note_on (index, "sales", "orders", "Holds the backlog, too");
  approve (index, "sales", "How large is our backlog?", "main.orders");
  if (!all)
    return;
  add_note_on (index, "sales", "salaries", "The backlog of raises");
  add_note_on (index, "vault", "orders", "The backlog of the vault");
  approve (index, "sales", "Which customers cost us more than they bring?", "main.orders,main.salaries");
  approve (index, "sales", "What does the backlog of raises cost?", "salaries");
  approve (index, "vault", "How large is our backlog in the vault?", "main.orders");
}

static char *
describe (PlumbCandidates *found)
{
  g_autoptr (PlumbJsonWriter) writer = plumb_json_writer_new ();

  found->elapsed_us = 0;
  plumb_candidates_write_json (found, writer);
  return plumb_json_writer_finish (writer);
}

static const char *const questions[] = {
  "status of orders by customer", "phone of customers", "salary of each employee", "salaries", "how large is the backlog?",
  "which customers cost us more than they bring?", "visits and orders", "raises", "titles of books", "vault",
  "customers with visits", "payroll", "total of orders per city and year", "employee",
};

static void
test_nothing_tells (IndexFixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->folder, "bare.sqlite", NULL);
  g_autoptr (PlumbIndex) bare = plumb_index_open (path, NULL);
  g_autoptr (PlumbSearch) self = plumb_search_new (fixture->index);
  g_autoptr (PlumbSearch) other = NULL;
  guint n_named = 0, n_other = 0;

  add_source (bare, "sales");
  fill (fixture->index, TRUE);
  fill (bare, FALSE);
  other = plumb_search_new (bare);
  for (guint i = 0; i < 2 * G_N_ELEMENTS (questions); i++) {
    PlumbSearchRequest open = { .question = questions[i / 2], .limit = 8, .plain = i % 2 };
    PlumbSearchRequest restricted = open;
    g_autoptr (GError) error = NULL;
    g_autoptr (PlumbCandidates) seen = NULL;
    g_autoptr (PlumbCandidates) wanted = plumb_search_run (other, &open, NULL, &error);
    g_autofree char *seen_json = NULL;
    g_autofree char *wanted_json = NULL;
    g_autoptr (PlumbCandidates) everything = plumb_search_run (self, &open, NULL, NULL);
    g_autofree char *everything_json = describe (everything);

    g_assert_no_error (error);
    restricted.visibility = see;
    restricted.show = show;
    seen = plumb_search_run (self, &restricted, NULL, &error);
    g_assert_no_error (error);
    for (guint j = 0; j < seen->no_permission->len; j++)
      g_assert_true (strstr (g_ptr_array_index (seen->no_permission, j), "vault.") != NULL ||
                     strcmp (g_ptr_array_index (seen->no_permission, j), "sales.main.salaries") == 0);
    n_named += seen->no_permission->len;
    g_ptr_array_set_size (seen->no_permission, 0);
    seen_json = describe (seen);
    wanted_json = describe (wanted);
    g_assert_cmpstr (seen_json, ==, wanted_json);
    n_other += strcmp (everything_json, wanted_json) != 0;
  }
  g_assert_cmpuint (n_other, >, G_N_ELEMENTS (questions));
  g_assert_cmpuint (n_named, >, 0);
}

static void
assert_ranks (PlumbSearch *self, const PlumbSearchRequest *request, const char *wanted)
{
  g_autoptr (GPtrArray) ranked = plumb_search_rank_databases (self, request, NULL);
  g_autoptr (GString) names = g_string_new (NULL);

  for (guint i = 0; i < ranked->len; i++)
    g_string_append_printf (names, "%s%s", i > 0 ? " " : "", (char *) g_ptr_array_index (ranked, i));
  g_assert_cmpstr (names->str, ==, wanted);
}

static void
test_databases (IndexFixture *fixture, gconstpointer data)
{
  g_autoptr (PlumbSearch) self = plumb_search_new (fixture->index);
  PlumbSearchRequest request = { .question = "phone numbers of customers" };

  fill (fixture->index, TRUE);
  assert_ranks (self, &request, "vault sales library");
  request.visibility = see;
  request.show = show;
  assert_ranks (self, &request, "sales library");
}

/* What is written after the first search is known to the next one, for the one role and the other. */
static void
test_changes (IndexFixture *fixture, gconstpointer data)
{
  g_autoptr (PlumbSearch) self = plumb_search_new (fixture->index);
  PlumbSearchRequest request = { .question = "zumbrel", .limit = 8, .visibility = see, .show = show };
  PlumbSearchRequest of_others = { .question = "zumbrel", .limit = 8, .visibility = see };
  g_autoptr (PlumbCard) card = make_card ("sales", "main", "zumbrel");
  g_autoptr (PlumbCandidates) before = NULL;
  g_autoptr (PlumbCandidates) noted = NULL;
  g_autoptr (PlumbCandidates) analyzed = NULL;
  g_autoptr (PlumbCandidates) theirs = NULL;

  fill (fixture->index, TRUE);
  before = plumb_search_run (self, &request, NULL, NULL);
  g_assert_cmpuint (before->candidates->len, ==, 0);
  add_note_on (fixture->index, "sales", "visits", "zumbrel");
  add_note_on (fixture->index, "sales", "salaries_2020", "zumbrel");
  noted = plumb_search_run (self, &request, NULL, NULL);
  g_assert_cmpuint (noted->candidates->len, >, 0);
  g_assert_cmpint (plumb_candidates_find (noted, "sales", "visits"), ==, 0);
  g_assert_cmpint (plumb_candidates_find (noted, "sales", "salaries_2020"), ==, -1);
  theirs = plumb_search_run (self, &of_others, NULL, NULL);
  g_assert_cmpint (plumb_candidates_find (theirs, "sales", "salaries_2020"), >=, 0);
  g_assert_true (plumb_index_put_card (fixture->index, card, NULL));
  analyzed = plumb_search_run (self, &request, NULL, NULL);
  g_assert_cmpint (plumb_candidates_find (analyzed, "sales", "zumbrel"), >=, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(path, func) g_test_add (path, IndexFixture, NULL, index_fixture_set_up, func, index_fixture_tear_down)
  ADD ("/search-shown/nothing-tells", test_nothing_tells);
  ADD ("/search-shown/databases", test_databases);
  ADD ("/search-shown/changes", test_changes);
#undef ADD
  return g_test_run ();
}
