/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-search-engine.h"

#include <string.h>

/* A table with its columns, separated by blanks. */
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
add_key (PlumbCard *card, const char *column, const char *ref_table, const char *ref_column)
{
  const char *columns[] = { column, NULL }, *ref_columns[] = { ref_column, NULL };
  PlumbForeignKey *key = plumb_foreign_key_new (NULL, ref_table);

  key->columns = g_strdupv ((GStrv) columns);
  key->ref_columns = g_strdupv ((GStrv) ref_columns);
  g_ptr_array_add (card->foreign_keys, key);
}

static void
make_copy (PlumbCard *card, const char *copy_of)
{
  card->copy_of = g_strdup (copy_of);
  card->status = PLUMB_STATUS_BACKUP;
}

/* A small business in terse names, with copies and partitions, and a second database beside it. */
static GPtrArray *
make_cards (void)
{
  GPtrArray *cards = g_ptr_array_new_with_free_func ((GDestroyNotify) plumb_card_unref);
  PlumbCard *card;

  add_card (cards, "sales", "ORD_MST", "ORD_NO CUST_ID ORD_DT STATUS_CODE TOTAL_AMT");
  make_copy (add_card (cards, "sales", "ORD_MST_BAK", "ORD_NO CUST_ID ORD_DT STATUS_CODE TOTAL_AMT"), "main.ORD_MST");
  make_copy (add_card (cards, "sales", "ORD_MST_202312", "ORD_NO CUST_ID ORD_DT STATUS_CODE TOTAL_AMT"), "main.ORD_MST");
  add_card (cards, "sales", "CUST_MST", "CUST_ID CUST_NM CITY_NM PHONE_NO");
  add_card (cards, "sales", "PRD_MST", "PRD_ID PRD_NM UNIT_PRICE");
  card = add_card (cards, "sales", "ORD_PRD_LNK", "LNK_ID ORD_NO PRD_ID");
  add_key (card, "ORD_NO", "ORD_MST", "ORD_NO");
  add_key (card, "PRD_ID", "PRD_MST", "PRD_ID");
  add_card (cards, "sales", "EMP_MST", "EMP_ID EMP_NM SALARY HIRE_DT");
  add_card (cards, "sales", "LISTEDSECURITY", "ID HASTICKERSYMBOL");
  for (guint i = 1; i <= 3; i++) {
    g_autofree char *name = g_strdup_printf ("ACCESS_LOG_20230%u", i);

    card = add_card (cards, "sales", name, "LOG_ID URL ACCESS_TIME");
    card->family = g_strdup ("ACCESS_LOG");
    card->status = PLUMB_STATUS_PARTITION;
  }
  add_card (cards, "library", "books", "id title author_name isbn");
  add_card (cards, "library", "readers", "id reader_name street");
  return cards;
}

static PlumbCandidates *
search (PlumbSearchEngine *engine, const char *question)
{
  PlumbSearchRequest request = { .question = question, .limit = 8 };
  g_autoptr (GError) error = NULL;
  PlumbCandidates *found = plumb_search_engine_run (engine, &request, NULL, &error);

  g_assert_no_error (error);
  g_assert_nonnull (found);
  return found;
}

static PlumbCandidate *
find_candidate (PlumbCandidates *found, const char *table, guint *place)
{
  for (guint i = 0; i < found->candidates->len; i++) {
    PlumbCandidate *candidate = g_ptr_array_index (found->candidates, i);

    if (strcmp (candidate->card->name, table) == 0) {
      if (place != NULL)
        *place = i;
      return candidate;
    }
  }
  return NULL;
}

static void
assert_first (PlumbSearchEngine *engine, const char *question, const char *table)
{
  g_autoptr (PlumbCandidates) found = search (engine, question);

  g_test_message ("%s", question);
  g_assert_cmpuint (found->candidates->len, >, 0);
  g_assert_cmpstr (((PlumbCandidate *) g_ptr_array_index (found->candidates, 0))->card->name, ==, table);
}

static PlumbSearchEngine *
make_engine (void)
{
  g_autoptr (GPtrArray) cards = make_cards ();

  return plumb_search_engine_new (cards, NULL, NULL, NULL);
}

static void
test_words (void)
{
  g_autoptr (PlumbSearchEngine) engine = make_engine ();

  assert_first (engine, "How many orders are there by status?", "ORD_MST");
  assert_first (engine, "customers by city", "CUST_MST");
  assert_first (engine, "ORD_MST", "ORD_MST");
  assert_first (engine, "listed securities by ticker symbol", "LISTEDSECURITY");
  assert_first (engine, "who wrote this book?", "books");
  /* A word that stands nowhere in the schema. */
  assert_first (engine, "pay of the staff", "EMP_MST");
  assert_first (engine, "emplyee salaryy", "EMP_MST");
}

static void
test_languages (void)
{
  g_autoptr (PlumbSearchEngine) engine = make_engine ();

  assert_first (engine, "지난달 주문은 몇 건인가요?", "ORD_MST");
  assert_first (engine, "고객의 전화번호를 알려줘", "CUST_MST");
  assert_first (engine, "Сколько заказов по статусам?", "ORD_MST");
  assert_first (engine, "Зарплаты сотрудников", "EMP_MST");
  assert_first (engine, "Wie viele Bestellungen gibt es?", "ORD_MST");
  assert_first (engine, "Kundennummer", "CUST_MST");
  assert_first (engine, "有多少订单？", "ORD_MST");
  assert_first (engine, "员工的工资", "EMP_MST");
  assert_first (engine, "注文はいくつありますか", "ORD_MST");
}

static void
test_schema_in_other_language (void)
{
  g_autoptr (GPtrArray) cards = g_ptr_array_new_with_free_func ((GDestroyNotify) plumb_card_unref);
  g_autoptr (PlumbSearchEngine) engine = NULL;
  PlumbCard *card = add_card (cards, "shop", "T1001", "C1 C2");

  card->comment = g_strdup ("고객 기본 정보");
  add_card (cards, "shop", "T1002", "C1 C2")->comment = g_strdup ("주문 내역");
  add_card (cards, "shop", "rechnungen", "nummer betrag");
  engine = plumb_search_engine_new (cards, NULL, NULL, NULL);
  assert_first (engine, "고객은 몇 명인가요", "T1001");
  assert_first (engine, "orders", "T1002");
  assert_first (engine, "invoice amount", "rechnungen");
}

static void
test_copies (void)
{
  g_autoptr (PlumbSearchEngine) engine = make_engine ();
  g_autoptr (PlumbCandidates) found = search (engine, "How many orders are there by status?");
  g_autoptr (PlumbCandidates) asked = search (engine, "difference between the backup of the orders and now");
  g_autoptr (PlumbCandidates) named = search (engine, "rows of ORD_MST_202312");
  PlumbCandidate *live = find_candidate (found, "ORD_MST", NULL);
  guint live_place = 0, copy_place = 0;

  g_assert_nonnull (live);
  g_assert_cmpuint (g_strv_length (live->copies), ==, 2);
  g_assert_true (g_strv_contains ((const char *const *) live->copies, "main.ORD_MST_BAK"));
  g_assert_null (find_candidate (found, "ORD_MST_BAK", NULL));
  g_assert_nonnull (find_candidate (asked, "ORD_MST", &live_place));
  g_assert_nonnull (find_candidate (asked, "ORD_MST_BAK", &copy_place));
  g_assert_cmpuint (copy_place, >, live_place);
  g_assert_nonnull (find_candidate (named, "ORD_MST_202312", NULL));
}

/* Questions that don't ask for copies see the same tables with the same scores, however many copies
 * stand beside them. */
static void
test_copies_change_nothing (void)
{
  static const char *const questions[] = {
    "How many orders are there by status?", "customers by city", "total amount of orders in 2023", "pay of the staff",
    "unit price and name of each product in the orders by status", "date of hire", "which readers wrote a book",
  };
  g_autoptr (GPtrArray) cards = make_cards ();
  g_autoptr (GPtrArray) bare = g_ptr_array_new ();
  g_autoptr (PlumbSearchEngine) with = NULL;
  g_autoptr (PlumbSearchEngine) without = NULL;

  make_copy (add_card (cards, "sales", "EMP_MST_OLD", "EMP_ID EMP_NM SALARY HIRE_DT BK_DATE"), "main.EMP_MST");
  make_copy (add_card (cards, "sales", "ORD_MST_2023", "ORD_NO CUST_ID ORD_DT STATUS_CODE"), "main.ORD_MST");
  make_copy (add_card (cards, "library", "books_tmp", "id title author_name isbn"), "main.books");
  for (guint i = 0; i < cards->len; i++) {
    if (((PlumbCard *) g_ptr_array_index (cards, i))->copy_of == NULL)
      g_ptr_array_add (bare, g_ptr_array_index (cards, i));
  }
  with = plumb_search_engine_new (cards, NULL, NULL, NULL);
  without = plumb_search_engine_new (bare, NULL, NULL, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (questions); i++) {
    g_autoptr (PlumbCandidates) one = search (with, questions[i]);
    g_autoptr (PlumbCandidates) other = search (without, questions[i]);

    g_test_message ("%s", questions[i]);
    g_assert_cmpuint (one->candidates->len, ==, other->candidates->len);
    for (guint j = 0; j < one->candidates->len; j++) {
      PlumbCandidate *here = g_ptr_array_index (one->candidates, j), *there = g_ptr_array_index (other->candidates, j);

      g_assert_cmpstr (here->card->name, ==, there->card->name);
      g_assert_cmpfloat_with_epsilon (here->score, there->score, 1e-4);
    }
  }
}

static void
test_copies_asked_for (void)
{
  static const char *const asking[] = {
    "difference between last month's backup of the orders and now", "compare orders with their archived copy",
    "Unterschied zwischen der Sicherung der Bestellungen und heute",
    "Чем отличается резервная копия заказов от текущих?", "지난달 백업한 주문과 지금 주문의 차이",
    "订单的备份和现在有什么区别", "注文のバックアップと現在の差",
  };
  g_autoptr (GPtrArray) cards = make_cards ();
  g_autoptr (PlumbSearchEngine) engine = NULL;
  g_autoptr (PlumbCandidates) copies = NULL;
  g_autoptr (PlumbCandidates) own = NULL;

  make_copy (add_card (cards, "library", "loans_bak", "id copy_number"), "main.loans");
  add_card (cards, "library", "loans", "id copy_number");
  make_copy (add_card (cards, "sales", "EMP_MST_OLD", "EMP_ID EMP_NM SALARY HIRE_DT SEVERANCE"), "main.EMP_MST");
  engine = plumb_search_engine_new (cards, NULL, NULL, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (asking); i++) {
    g_autoptr (PlumbCandidates) found = search (engine, asking[i]);
    guint live = 0, copy = 0;

    g_test_message ("%s", asking[i]);
    g_assert_nonnull (find_candidate (found, "ORD_MST", &live));
    g_assert_nonnull (find_candidate (found, "ORD_MST_BAK", &copy));
    g_assert_cmpuint (copy, >, live);
  }
  /* A word of the trade is no word for a copy. */
  copies = search (engine, "How many copies were on loan?");
  g_assert_nonnull (find_candidate (copies, "loans", NULL));
  g_assert_null (find_candidate (copies, "loans_bak", NULL));
  /* What only a copy holds leads to the table that it is a copy of. */
  assert_first (engine, "severance", "EMP_MST");
  own = search (engine, "severance");
  g_assert_true (g_strv_contains ((const char *const *) find_candidate (own, "EMP_MST", NULL)->copies, "main.EMP_MST_OLD"));
}

static PlumbVisibility
hide_orders (const char *database, const char *schema, const char *table, gpointer data)
{
  return strcmp (table, "ORD_MST") == 0 ? PLUMB_HIDDEN : PLUMB_VISIBLE;
}

/* Copies of copies stand under the live table; without it they stand for themselves. */
static void
test_copies_without_live (void)
{
  g_autoptr (GPtrArray) cards = make_cards ();
  PlumbSearchRequest request = { .question = "orders by status", .limit = 8, .visibility = hide_orders };
  g_autoptr (PlumbSearchEngine) engine = NULL;
  g_autoptr (PlumbCandidates) found = NULL;
  g_autoptr (PlumbCandidates) seen = NULL;

  make_copy (add_card (cards, "sales", "ORD_MST_BAK_TMP", "ORD_NO CUST_ID ORD_DT STATUS_CODE"), "main.ORD_MST_BAK");
  make_copy (add_card (cards, "sales", "LOOP_A", "ORBIT"), "main.LOOP_B");
  make_copy (add_card (cards, "sales", "LOOP_B", "ORBIT"), "main.LOOP_A");
  engine = plumb_search_engine_new (cards, NULL, NULL, NULL);
  found = plumb_search_engine_run (engine, &request, NULL, NULL);
  g_assert_null (find_candidate (found, "ORD_MST", NULL));
  g_assert_nonnull (find_candidate (found, "ORD_MST_BAK", NULL));
  seen = search (engine, "orders by status");
  g_assert_cmpuint (g_strv_length (find_candidate (seen, "ORD_MST", NULL)->copies), ==, 3);
  assert_first (engine, "orbit", "LOOP_A");
}

static void
test_partitions (void)
{
  g_autoptr (PlumbSearchEngine) engine = make_engine ();
  g_autoptr (PlumbCandidates) found = search (engine, "access log by url");
  guint n = 0;

  for (guint i = 0; i < found->candidates->len; i++) {
    PlumbCandidate *candidate = g_ptr_array_index (found->candidates, i);

    if (g_strcmp0 (candidate->card->family, "ACCESS_LOG") != 0)
      continue;
    n++;
    g_assert_cmpuint (g_strv_length (candidate->partitions), ==, 3);
  }
  g_assert_cmpuint (n, ==, 1);
  assert_first (engine, "access log of 202302", "ACCESS_LOG_202302");
}

static void
test_bridge (void)
{
  g_autoptr (PlumbSearchEngine) engine = make_engine ();
  PlumbSearchRequest request = { .question = "unit price and name of each product in the orders by status", .limit = 3 };
  g_autoptr (PlumbCandidates) found = plumb_search_engine_run (engine, &request, NULL, NULL);

  /* No word of the question names the table in between. */
  g_assert_nonnull (find_candidate (found, "ORD_MST", NULL));
  g_assert_nonnull (find_candidate (found, "PRD_MST", NULL));
  g_assert_nonnull (find_candidate (found, "ORD_PRD_LNK", NULL));
}

/* A warehouse that declares no keys: a table's key is called after it. */
static void
test_natural_keys (void)
{
  g_autoptr (GPtrArray) cards = g_ptr_array_new_with_free_func ((GDestroyNotify) plumb_card_unref);
  g_autoptr (PlumbSearchEngine) engine = NULL;
  g_autoptr (PlumbSearchEngine) declared = NULL;
  g_autoptr (PlumbCandidates) found = NULL;
  g_autoptr (PlumbCandidates) none = NULL;
  PlumbCandidate *candidate;
  double tied;

  add_card (cards, "dw", "LIST", "LIST_KEY TITLE");
  add_card (cards, "dw", "XREF_A", "LIST_KEY READER_ID");
  add_card (cards, "dw", "XREF_B", "PAGE_KEY SHELF_ID");
  add_card (cards, "dw", "READERS", "READER_ID PHONE");
  engine = plumb_search_engine_new (cards, NULL, NULL, NULL);
  found = search (engine, "phone of the readers of each list title");
  g_assert_nonnull (find_candidate (found, "XREF_A", NULL));
  tied = find_candidate (found, "XREF_A", NULL)->score;
  /* Where a database declares keys, those are its keys. */
  add_key (g_ptr_array_index (cards, 2), "SHELF_ID", "XREF_A", "READER_ID");
  declared = plumb_search_engine_new (cards, NULL, NULL, NULL);
  none = search (declared, "phone of the readers of each list title");
  g_assert_nonnull (find_candidate (none, "LIST", NULL));
  candidate = find_candidate (none, "XREF_A", NULL);
  g_assert_true (candidate == NULL || candidate->score < tied - 0.5);
}

/* The score of the bridge table with one join to each side, of this trust and in this state. */
static double
score_bridge (PlumbSearchEngine *engine, GPtrArray *cards, int trust, PlumbEdgeState state)
{
  g_autoptr (GPtrArray) edges = g_ptr_array_new_with_free_func ((GDestroyNotify) plumb_join_edge_unref);
  g_autoptr (PlumbTableName) bridge = plumb_table_name_new ("sales", "main", "EMP_MST");
  g_autoptr (PlumbSearchEngine) with = NULL;
  g_autoptr (PlumbCandidates) found = NULL;
  PlumbCandidate *candidate;

  for (guint i = 0; i < 2; i++) {
    g_autoptr (PlumbTableName) side = plumb_table_name_new ("sales", "main", i == 0 ? "CUST_MST" : "PRD_MST");
    PlumbJoinEdge *edge = plumb_join_edge_new (bridge, side);

    edge->trust = trust;
    edge->state = state;
    g_ptr_array_add (edges, edge);
  }
  with = plumb_search_engine_new_with_notes (engine, NULL, NULL, edges);
  found = search (with, "phone and city of customers by unit price of the product");
  candidate = find_candidate (found, "EMP_MST", NULL);
  return candidate != NULL ? candidate->score : 0;
}

static void
test_stored_joins (void)
{
  g_autoptr (GPtrArray) cards = make_cards ();
  g_autoptr (PlumbSearchEngine) engine = plumb_search_engine_new (cards, NULL, NULL, NULL);
  double without = score_bridge (engine, cards, 3, PLUMB_EDGE_ACTIVE);

  g_assert_cmpfloat (score_bridge (engine, cards, 1, PLUMB_EDGE_ACTIVE), >, without + 1);
  g_assert_cmpfloat (score_bridge (engine, cards, 2, PLUMB_EDGE_ACTIVE), >, without + 1);
  g_assert_cmpfloat_with_epsilon (score_bridge (engine, cards, 1, PLUMB_EDGE_STALE), without, 1e-4);
  g_assert_cmpfloat_with_epsilon (score_bridge (engine, cards, 1, PLUMB_EDGE_REJECTED), without, 1e-4);
}

/* The orders lose the declared key to their products once a person has rejected it. */
static void
test_rejected_join (void)
{
  g_autoptr (GPtrArray) cards = make_cards ();
  g_autoptr (GPtrArray) edges = g_ptr_array_new_with_free_func ((GDestroyNotify) plumb_join_edge_unref);
  g_autoptr (PlumbTableName) link = plumb_table_name_new ("sales", "main", "ORD_PRD_LNK");
  g_autoptr (PlumbTableName) product = plumb_table_name_new ("sales", "main", "PRD_MST");
  g_autoptr (PlumbSearchEngine) before = plumb_search_engine_new (cards, NULL, NULL, NULL);
  g_autoptr (PlumbSearchEngine) after = NULL;
  g_autoptr (PlumbCandidates) tied = search (before, "unit price");
  g_autoptr (PlumbCandidates) untied = NULL;
  PlumbJoinEdge *edge = plumb_join_edge_new (link, product);

  edge->state = PLUMB_EDGE_REJECTED;
  g_ptr_array_add (edges, edge);
  after = plumb_search_engine_new_with_notes (before, NULL, NULL, edges);
  untied = search (after, "unit price");
  g_assert_cmpfloat (find_candidate (tied, "ORD_PRD_LNK", NULL)->score, >,
                     find_candidate (untied, "PRD_MST", NULL)->score / 2);
  g_assert_true (find_candidate (untied, "ORD_PRD_LNK", NULL) == NULL ||
                 find_candidate (untied, "ORD_PRD_LNK", NULL)->score <
                     find_candidate (tied, "ORD_PRD_LNK", NULL)->score);
}

static void
test_wide_table (void)
{
  g_autoptr (GPtrArray) cards = make_cards ();
  g_autoptr (PlumbSearchEngine) engine = NULL;
  g_autoptr (GString) columns = g_string_new ("ID");

  for (guint i = 0; i < 310; i++)
    g_string_append_printf (columns, i == 300 ? " CHURN_RISK_SCORE" : " ATTR_%u", i);
  add_card (cards, "sales", "CUST_FEATURES", columns->str);
  engine = plumb_search_engine_new (cards, NULL, NULL, NULL);
  assert_first (engine, "churn risk", "CUST_FEATURES");
}

static PlumbVisibility
see (const char *database, const char *schema, const char *table, gpointer data)
{
  if (strcmp (table, "EMP_MST") == 0)
    return PLUMB_VISIBLE_BY_NAME;
  return strcmp (table, "CUST_MST") == 0 ? PLUMB_HIDDEN : PLUMB_VISIBLE;
}

/* Two systems of a large database with the same tables, told apart by the first words of their names. */
static GPtrArray *
make_systems (void)
{
  static const char *const systems[] = { "CAMPUS", "PLANT" };
  static const char *const others[] = { "ape", "bee", "cat", "dog", "eel", "fox", "gnu", "hen", "jay", "kid" };
  GPtrArray *cards = g_ptr_array_new_with_free_func ((GDestroyNotify) plumb_card_unref);

  for (guint i = 0; i < G_N_ELEMENTS (systems); i++) {
    g_autofree char *room = g_strconcat (systems[i], "_ROOM", NULL);
    g_autofree char *floor = g_strconcat (systems[i], "_FLOOR", NULL);
    g_autofree char *house = g_strconcat (systems[i], "_HOUSE", NULL);
    g_autofree char *address = g_strconcat (systems[i], "_ADDRESS", NULL);

    add_card (cards, "estate", room, i == 0 ? "ROOM_NO WIDTH CEILING" : "ROOM_NO WIDTH VENTILATION");
    add_card (cards, "estate", floor, "FLOOR_NO STOREY COLOUR");
    add_card (cards, "estate", house, "HOUSE_NO TITLE HEIGHT");
    add_card (cards, "estate", address, "ADDRESS_NO STREET CITY");
  }
  for (guint i = 0; i < 4 * G_N_ELEMENTS (others); i++) {
    g_autofree char *name = g_strdup_printf ("%s%c_animal", others[i % 10], 'a' + i / 10);

    add_card (cards, "estate", name, "age weight");
  }
  return cards;
}

static void
assert_floor (GPtrArray *cards, float group, const char *first, const char *second)
{
  PlumbSearchWeights weights = plumb_search_weights;
  g_autoptr (PlumbSearchEngine) engine = NULL;
  g_autoptr (PlumbCandidates) found = NULL;
  guint place = 0, other = 0;

  weights.group = group;
  engine = plumb_search_engine_new (cards, NULL, NULL, &weights);
  found = search (engine, "List room number, width and ventilation of each room, the colour and storey of its floor, "
                          "title and height of the house, and its address with street and city");
  g_assert_cmpstr (((PlumbCandidate *) g_ptr_array_index (found->candidates, 0))->card->name, ==, "PLANT_ROOM");
  g_assert_nonnull (find_candidate (found, first, &place));
  g_assert_nonnull (find_candidate (found, second, &other));
  g_assert_cmpuint (place, <, other);
}

static void
test_groups (void)
{
  g_autoptr (GPtrArray) cards = make_systems ();

  assert_floor (cards, 0, "CAMPUS_FLOOR", "PLANT_FLOOR");
  assert_floor (cards, plumb_search_weights.group, "PLANT_FLOOR", "CAMPUS_FLOOR");
  assert_floor (cards, plumb_search_weights.group, "PLANT_HOUSE", "CAMPUS_HOUSE");
  /* In a small database the same words are no more than chance. */
  g_ptr_array_set_size (cards, 20);
  assert_floor (cards, plumb_search_weights.group, "CAMPUS_FLOOR", "PLANT_FLOOR");
}

static void
test_visibility (void)
{
  g_autoptr (PlumbSearchEngine) engine = make_engine ();
  PlumbSearchRequest request = { .question = "employee salary and customer city", .limit = 30, .visibility = see };
  g_autoptr (PlumbCandidates) found = plumb_search_engine_run (engine, &request, NULL, NULL);

  g_assert_null (find_candidate (found, "EMP_MST", NULL));
  g_assert_null (find_candidate (found, "CUST_MST", NULL));
  g_assert_cmpuint (found->no_permission->len, ==, 1);
  g_assert_cmpstr (g_ptr_array_index (found->no_permission, 0), ==, "sales.main.EMP_MST");
}

static void
test_databases (void)
{
  g_autoptr (PlumbSearchEngine) engine = make_engine ();
  const char *library[] = { "library", NULL }, *both[] = { "library", "sales", NULL };
  PlumbSearchRequest request = { .question = "names of customers", .limit = 8, .databases = library };
  g_autoptr (PlumbCandidates) found = plumb_search_engine_run (engine, &request, NULL, NULL);
  g_autoptr (GPtrArray) ranked = plumb_search_engine_rank_databases (engine, "titles of books");
  g_autoptr (PlumbCandidates) far = NULL;
  g_autoptr (PlumbCandidates) named = NULL;
  g_autoptr (PlumbCandidates) near = NULL;

  g_assert_cmpuint (found->searched, ==, 1);
  g_assert_cmpuint (found->of, ==, 2);
  for (guint i = 0; i < found->candidates->len; i++)
    g_assert_cmpstr (((PlumbCandidate *) g_ptr_array_index (found->candidates, i))->card->database, ==, "library");
  /* Nobody named databases: the library has nothing of this question. */
  request = (PlumbSearchRequest) { .question = "phone number of each customer with the total amount of orders" };
  far = plumb_search_engine_run (engine, &request, NULL, NULL);
  g_assert_cmpuint (far->searched, ==, 1);
  g_assert_cmpuint (far->of, ==, 2);
  request.databases = both;
  named = plumb_search_engine_run (engine, &request, NULL, NULL);
  g_assert_cmpuint (named->searched, ==, 2);
  near = search (engine, "names of readers and customers");
  g_assert_cmpuint (near->searched, ==, 2);
  g_assert_cmpuint (ranked->len, ==, 2);
  g_assert_cmpstr (g_ptr_array_index (ranked, 0), ==, "library");
}

static void
test_notes (void)
{
  g_autoptr (GPtrArray) cards = make_cards ();
  g_autoptr (GPtrArray) notes = g_ptr_array_new_with_free_func ((GDestroyNotify) plumb_note_free);
  g_autoptr (PlumbSearchEngine) engine = NULL;
  g_autoptr (PlumbCandidates) found = NULL;
  PlumbCandidate *candidate;

  for (guint i = 0; i < 7; i++)
    g_ptr_array_add (notes, plumb_note_new ("sales", "main", "PRD_MST", i == 2 ? "Holds the warranty terms too" : "Seen"));
  g_ptr_array_add (notes, plumb_note_new ("sales", "main", "EMP_MST", "warranty: retired remark"));
  ((PlumbNote *) g_ptr_array_index (notes, 7))->retired = TRUE;
  engine = plumb_search_engine_new (cards, notes, NULL, NULL);
  found = search (engine, "warranty");
  g_assert_cmpuint (found->candidates->len, >, 0);
  candidate = g_ptr_array_index (found->candidates, 0);
  g_assert_cmpstr (candidate->card->name, ==, "PRD_MST");
  g_assert_true (g_strv_contains ((const char *const *) candidate->matched_by, "notes"));
  g_assert_cmpuint (candidate->notes->len, ==, 5);
  g_assert_cmpstr (((PlumbNote *) g_ptr_array_index (candidate->notes, 0))->excerpt, ==, "Holds the warranty terms too");
}

static void
test_approved (void)
{
  g_autoptr (GPtrArray) cards = make_cards ();
  g_autoptr (GPtrArray) approved = g_ptr_array_new_with_free_func ((GDestroyNotify) plumb_approved_free);
  g_autoptr (PlumbSearchEngine) engine = NULL;
  g_autoptr (PlumbCandidates) found = NULL;
  PlumbApproved *answered = plumb_approved_new ("Which customers are our whales?", "sales", "SELECT 1");
  PlumbCandidate *candidate;

  answered->tables = g_strsplit ("main.ORD_MST main.CUST_MST", " ", -1);
  g_ptr_array_add (approved, answered);
  engine = plumb_search_engine_new (cards, NULL, approved, NULL);
  found = search (engine, "Which customers are whales this year?");
  candidate = find_candidate (found, "ORD_MST", NULL);
  g_assert_nonnull (candidate);
  g_assert_cmpstr (candidate->helped_by, ==, "Which customers are our whales?");
}

/* A domain file's example speaks for the domain's tables, and the result says where it comes from. */
static void
test_domain_example (void)
{
  g_autoptr (GPtrArray) cards = make_cards ();
  g_autoptr (GPtrArray) examples = g_ptr_array_new_with_free_func ((GDestroyNotify) plumb_approved_free);
  g_autoptr (PlumbSearchEngine) engine = NULL;
  g_autoptr (PlumbSearchEngine) without = plumb_search_engine_new (cards, NULL, NULL, NULL);
  g_autoptr (PlumbCandidates) found = NULL;
  g_autoptr (PlumbCandidates) before = NULL;
  PlumbApproved *example = plumb_approved_new ("Which customers are our whales?", "sales", NULL);
  PlumbCandidate *candidate;

  example->domain = g_strdup ("selling");
  example->tables = g_strsplit ("main.\"ORD_MST\"|CUST_MST", "|", -1);
  g_ptr_array_add (examples, example);
  engine = plumb_search_engine_new (cards, NULL, examples, NULL);
  before = search (without, "Which customers are whales this year?");
  g_assert_null (find_candidate (before, "ORD_MST", NULL)->helped_by);
  found = search (engine, "Which customers are whales this year?");
  candidate = find_candidate (found, "ORD_MST", NULL);
  g_assert_nonnull (candidate);
  g_assert_cmpstr (candidate->helped_by, ==, "Which customers are our whales?");
  g_assert_cmpstr (candidate->helped_by_domain, ==, "selling");
  g_assert_cmpfloat (candidate->score, >, find_candidate (before, "ORD_MST", NULL)->score);
  g_assert_cmpstr (find_candidate (found, "CUST_MST", NULL)->helped_by_domain, ==, "selling");
}

static void
test_plain (void)
{
  g_autoptr (PlumbSearchEngine) engine = make_engine ();
  PlumbSearchRequest request = { .question = "title of books", .limit = 8, .plain = TRUE };
  g_autoptr (PlumbCandidates) found = plumb_search_engine_run (engine, &request, NULL, NULL);

  g_assert_cmpstr (((PlumbCandidate *) g_ptr_array_index (found->candidates, 0))->card->name, ==, "books");
  /* Ranks alone: two lists give at most 1 / 61 each, and a third one nothing. */
  g_assert_cmpfloat (((PlumbCandidate *) g_ptr_array_index (found->candidates, 0))->score, <=, 3 / 61.0);
}

static void
test_bad_input (void)
{
  static const char *const questions[] = {
    "", " ", "a", "?", "'", "\"", "😀🎉🚀", "SELECT * FROM \"ORD_MST\" WHERE 1=1; -- x",
    "\"orders\" NEAR/3 cust* -phone AND (OR NOT", "שלום עולם مرحبا ORD_MST", "ＯＲＤＥＲＳ　ｂｙ　ｓｔａｔｕｓ",
    "orders 주문 заказ 订单 注文 Bestellung", "\xff\xfe\x80 orders", "고", "ー", "''''''''", "___", "1 2 3 4 5",
  };
  g_autoptr (PlumbSearchEngine) engine = make_engine ();
  g_autofree char *letters = g_strnfill (100000, 'a');
  g_autoptr (GString) words = g_string_new (NULL);
  g_autoptr (GString) han = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (questions); i++)
    plumb_candidates_unref (search (engine, questions[i]));
  plumb_candidates_unref (search (engine, letters));
  for (guint i = 0; words->len < 100000; i++)
    g_string_append_printf (words, "word%u_ORDER's \"q ", i);
  plumb_candidates_unref (search (engine, words->str));
  while (han->len < 100000)
    g_string_append (han, "订单顾客龘");
  plumb_candidates_unref (search (engine, han->str));
  assert_first (engine, "ＯＲＤＥＲＳ by status", "ORD_MST");
}

static void
test_empty (void)
{
  g_autoptr (GPtrArray) cards = g_ptr_array_new ();
  g_autoptr (PlumbSearchEngine) engine = plumb_search_engine_new (cards, NULL, NULL, NULL);
  g_autoptr (PlumbCandidates) found = search (engine, "orders");
  g_autoptr (GPtrArray) ranked = plumb_search_engine_rank_databases (engine, "orders");

  g_assert_cmpuint (found->candidates->len, ==, 0);
  g_assert_cmpuint (found->of, ==, 0);
  g_assert_cmpuint (ranked->len, ==, 0);
}

static void
test_cancel (void)
{
  g_autoptr (PlumbSearchEngine) engine = make_engine ();
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  PlumbSearchRequest request = { .question = "orders" };

  g_cancellable_cancel (cancellable);
  g_assert_null (plumb_search_engine_run (engine, &request, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

/* A join that a person stores is known to the next search. */
static void
check_stored_join (PlumbIndex *index, PlumbSearch *finder)
{
  const char *left[] = { "EMP_ID", NULL }, *right[] = { "CUST_ID", NULL };
  g_autoptr (PlumbTableName) employees = plumb_table_name_new ("sales", "main", "EMP_MST");
  g_autoptr (PlumbTableName) customers = plumb_table_name_new ("sales", "main", "CUST_MST");
  g_autoptr (PlumbJoinEdge) edge = plumb_join_edge_new (employees, customers);
  PlumbSearchRequest request = { .question = "phone and city of customers" };
  g_autoptr (GError) error = NULL;
  g_autoptr (PlumbCandidates) before = plumb_search_run (finder, &request, NULL, &error);
  g_autoptr (PlumbCandidates) after = NULL;
  PlumbCandidate *untied = find_candidate (before, "EMP_MST", NULL);

  g_assert_no_error (error);
  edge->left_columns = g_strdupv ((GStrv) left);
  edge->right_columns = g_strdupv ((GStrv) right);
  edge->trust = 1;
  edge->basis = g_strdup ("person");
  g_assert_cmpint (plumb_index_put_edge (index, edge, &error), >, 0);
  g_assert_no_error (error);
  after = plumb_search_run (finder, &request, NULL, &error);
  g_assert_no_error (error);
  g_assert_nonnull (find_candidate (after, "EMP_MST", NULL));
  g_assert_cmpfloat (find_candidate (after, "EMP_MST", NULL)->score, >, untied != NULL ? untied->score + 1 : 0);
}

static void
test_index (void)
{
  g_autofree char *folder = g_dir_make_tmp ("plumb-search-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "index.sqlite", NULL);
  g_autoptr (GPtrArray) cards = make_cards ();
  g_autoptr (GError) error = NULL;
  g_autoptr (PlumbIndex) index = plumb_index_open (path, &error);
  g_autoptr (PlumbSourceRecord) sales = plumb_source_record_new ("sales", "catalog:///x");
  g_autoptr (PlumbSourceRecord) library = plumb_source_record_new ("library", "catalog:///y");
  g_autoptr (PlumbNote) note = plumb_note_new ("sales", "main", "PRD_MST", "warranty terms");
  g_autoptr (PlumbSearch) finder = NULL;
  g_autoptr (PlumbCandidates) before = NULL;
  g_autoptr (PlumbCandidates) after = NULL;
  PlumbSearchRequest orders = { .question = "How many orders are there?" };
  PlumbSearchRequest warranty = { .question = "warranty" };

  g_assert_no_error (error);
  g_assert_true (plumb_index_add_source (index, sales, &error));
  g_assert_true (plumb_index_add_source (index, library, &error));
  g_assert_true (plumb_index_put_cards (index, cards, &error));
  finder = plumb_search_new (index);
  before = plumb_search_run (finder, &orders, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (before->of, ==, 2);
  g_assert_cmpstr (((PlumbCandidate *) g_ptr_array_index (before->candidates, 0))->card->name, ==, "ORD_MST");
  /* What is written now is found by the next search. */
  g_assert_cmpint (plumb_index_add_note (index, note, &error), >, 0);
  after = plumb_search_run (finder, &warranty, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (((PlumbCandidate *) g_ptr_array_index (after->candidates, 0))->card->name, ==, "PRD_MST");
  check_stored_join (index, finder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/search/words", test_words);
  g_test_add_func ("/search/languages", test_languages);
  g_test_add_func ("/search/schema-in-other-language", test_schema_in_other_language);
  g_test_add_func ("/search/copies", test_copies);
  g_test_add_func ("/search/copies-change-nothing", test_copies_change_nothing);
  g_test_add_func ("/search/copies-asked-for", test_copies_asked_for);
  g_test_add_func ("/search/copies-without-live", test_copies_without_live);
  g_test_add_func ("/search/partitions", test_partitions);
  g_test_add_func ("/search/bridge", test_bridge);
  g_test_add_func ("/search/natural-keys", test_natural_keys);
  g_test_add_func ("/search/stored-joins", test_stored_joins);
  g_test_add_func ("/search/rejected-join", test_rejected_join);
  g_test_add_func ("/search/wide-table", test_wide_table);
  g_test_add_func ("/search/groups", test_groups);
  g_test_add_func ("/search/visibility", test_visibility);
  g_test_add_func ("/search/databases", test_databases);
  g_test_add_func ("/search/notes", test_notes);
  g_test_add_func ("/search/approved", test_approved);
  g_test_add_func ("/search/domain-example", test_domain_example);
  g_test_add_func ("/search/plain", test_plain);
  g_test_add_func ("/search/bad-input", test_bad_input);
  g_test_add_func ("/search/empty", test_empty);
  g_test_add_func ("/search/cancel", test_cancel);
  g_test_add_func ("/search/index", test_index);
  return g_test_run ();
}
