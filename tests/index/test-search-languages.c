/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-search-engine.h"

#include <string.h>

/* Words that people give tables, in domain files, comments and notes, in a language that the schema doesn't speak,
 * without embeddings. The names of the tables say nothing, so that nothing else can find them. */

typedef enum {
  SYNONYM,
  COMMENT,
  COLUMN_COMMENT,
  NOTE,
} Place;

/* @words stand on the table that @questions ask for, in the forms that sentences put them in. */
typedef struct {
  const char *words;
  const char *questions[5];
} Case;

static const Case cases[] = {
  { "주문", { "지난달 주문은 몇 건인가요?", "주문을 월별로 세어 줘", "이번 주 주문이 얼마나 늘었나?", "주문에서 취소된 것은?" } },
  { "고객", { "고객에게 보낸 청구서", "고객들의 수는?", "서울에 사는 고객은 누구인가요?", "고객이 몇 명입니까?" } },
  { "미처리 반품", { "미처리 반품을 보여 줘", "반품이 가장 많은 달은?", "미처리된 반품은 몇 건?" } },
  { "창고별 재고", { "창고에 남은 재고가 얼마인가요?", "재고를 창고별로" } },
  { "заказы", { "Сколько заказов было в марте?", "Покажи последний заказ", "Что известно о заказах?", "по заказам за год" } },
  { "клиент", { "Сколько у нас клиентов?", "Разошли это клиентам", "С клиентами из Москвы", "О каждом клиенте" } },
  { "складские остатки", { "Какие остатки на складах?", "остаток складской по городам" } },
  { "Bestellung", { "Wie viele Bestellungen gab es im März?", "Was kostet eine Bestellung?" } },
  { "Auftrag", { "Welche Aufträge sind offen?", "Die Kosten des Auftrags" } },
  { "订单", { "上个月有多少订单？", "请列出所有订单" } },
  { "退货记录", { "退货最多的月份", "有多少退货记录？" } },
};

/* Words on the table in one language, questions in another one, tied by the lists that ship. */
static const Case across[] = {
  { "customer orders", { "주문은 몇 건인가요?", "Сколько заказов?", "Wie viele Bestellungen?", "有多少订单？" } },
  { "주문", { "How many orders are there?", "the last order" } },
  { "заказ", { "How many orders are there?", "the last order" } },
  { "Bestellung", { "How many orders are there?" } },
  { "订单", { "How many orders are there?" } },
  { "고객", { "names of customers" } },
  { "клиенты", { "names of customers" } },
  { "Kunde", { "names of customers" } },
  { "客户", { "names of customers" } },
};

static PlumbCard *
add_card (GPtrArray *cards, guint number)
{
  g_autofree char *name = g_strdup_printf ("T10%02u", number);
  PlumbCard *card = plumb_card_new ("erp", "main", name);

  plumb_card_add_column (card, "C1", "TEXT");
  plumb_card_add_column (card, "C2", "TEXT");
  g_ptr_array_add (cards, card);
  return card;
}

static void
put_words (PlumbCard *card, const char *words, Place place, GPtrArray *notes)
{
  const char *synonyms[] = { words, NULL };

  switch (place) {
  case SYNONYM:
    card->synonyms = g_strdupv ((GStrv) synonyms);
    break;
  case COMMENT:
    card->comment = g_strdup (words);
    break;
  case COLUMN_COMMENT:
    ((PlumbCardColumn *) g_ptr_array_index (card->columns, 1))->comment = g_strdup (words);
    break;
  case NOTE:
    g_ptr_array_add (notes, plumb_note_new (card->database, card->schema, card->name, words));
    break;
  }
}

static void
assert_found (PlumbSearchEngine *engine, const char *question, const char *words, const char *table)
{
  PlumbSearchRequest request = { .question = question, .limit = 8 };
  g_autoptr (PlumbCandidates) found = plumb_search_engine_run (engine, &request, NULL, NULL);

  if (found->candidates->len == 0 ||
      strcmp (((PlumbCandidate *) g_ptr_array_index (found->candidates, 0))->card->name, table) != 0)
    g_error ("“%s” doesn't find the table of “%s”", question, words);
}

/* All words of @cases stand in one schema, at @place of a table each. */
static void
check (const Case *list, guint n, Place place)
{
  g_autoptr (GPtrArray) cards = g_ptr_array_new_with_free_func ((GDestroyNotify) plumb_card_unref);
  g_autoptr (GPtrArray) notes = g_ptr_array_new_with_free_func ((GDestroyNotify) plumb_note_free);
  g_autoptr (PlumbSearchEngine) engine = NULL;

  for (guint i = 0; i < n; i++)
    put_words (add_card (cards, i), list[i].words, place, notes);
  for (guint i = n; i < 30; i++)
    add_card (cards, i);
  engine = plumb_search_engine_new (cards, notes, NULL, NULL);
  for (guint i = 0; i < n; i++) {
    g_autofree char *table = g_strdup_printf ("T10%02u", i);

    for (guint j = 0; list[i].questions[j] != NULL; j++)
      assert_found (engine, list[i].questions[j], list[i].words, table);
  }
}

static void
test_same (gconstpointer place)
{
  check (cases, G_N_ELEMENTS (cases), GPOINTER_TO_INT (place));
}

/* One at a time, since several of them mean the same. */
static void
test_across (gconstpointer place)
{
  for (guint i = 0; i < G_N_ELEMENTS (across); i++)
    check (across + i, 1, GPOINTER_TO_INT (place));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/search-languages/synonyms", GINT_TO_POINTER (SYNONYM), test_same);
  g_test_add_data_func ("/search-languages/comments", GINT_TO_POINTER (COMMENT), test_same);
  g_test_add_data_func ("/search-languages/column-comments", GINT_TO_POINTER (COLUMN_COMMENT), test_same);
  g_test_add_data_func ("/search-languages/notes", GINT_TO_POINTER (NOTE), test_same);
  g_test_add_data_func ("/search-languages/synonyms-across", GINT_TO_POINTER (SYNONYM), test_across);
  g_test_add_data_func ("/search-languages/comments-across", GINT_TO_POINTER (COMMENT), test_across);
  g_test_add_data_func ("/search-languages/column-comments-across", GINT_TO_POINTER (COLUMN_COMMENT), test_across);
  return g_test_run ();
}
