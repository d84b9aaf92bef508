/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-analysis-private.h"

#include "plumb-table-name.h"

#include <string.h>

/* How many columns or tables a sentence names. */
#define MAX_NAMED 6

static gboolean
is_amount (PlumbCardColumn *column)
{
  return plumb_column_is_amount (column->name, column->type);
}

static gboolean
is_date (PlumbCardColumn *column)
{
  return plumb_column_is_date (column->name, column->type);
}

/* "Several dates: ORD_DT (order date), REQ_DT (…). Take the one that the question means." */
static void
warn_of_similar (PlumbCard *card, gboolean (*is_kind) (PlumbCardColumn *), const char *kinds)
{
  g_autoptr (GString) text = g_string_new (NULL);
  guint n = 0;

  for (guint i = 0; i < card->columns->len; i++) {
    PlumbCardColumn *column = g_ptr_array_index (card->columns, i);

    if (!is_kind (column) || n++ >= MAX_NAMED)
      continue;
    g_string_append_printf (text, "%s%s", n > 1 ? ", " : "", column->name);
    if (column->meaning != NULL)
      g_string_append_printf (text, " (%s)", column->meaning);
  }
  if (n < 2)
    return;
  if (n > MAX_NAMED)
    g_string_append_printf (text, " and %u more", n - MAX_NAMED);
  plumb_strv_add (
      &card->misuse,
      g_strdup_printf ("Several %s: %s. Take the one that the question means.", kinds, text->str));
}

/* The code column that says in codes what people also write in words. */
static PlumbCardColumn *
find_code (PlumbCard *card, gboolean *is_status)
{
  PlumbCardColumn *found = NULL;

  for (guint i = 0; i < card->columns->len; i++) {
    PlumbCardColumn *column = g_ptr_array_index (card->columns, i);
    g_autofree char *name = g_ascii_strdown (column->name, -1);
    gboolean status = strstr (name, "stat") != NULL || strstr (name, "sts") != NULL;

    if (!plumb_column_is_code (column->name) || plumb_column_is_free_text (column->name))
      continue;
    if (status) {
      *is_status = TRUE;
      return column;
    }
    if (found == NULL && column->values->len > 0)
      found = column;
  }
  return found;
}

static void
warn_of_free_text (PlumbCard *card)
{
  gboolean is_status = FALSE;
  PlumbCardColumn *code = find_code (card, &is_status);

  for (guint i = 0; code != NULL && i < card->columns->len; i++) {
    PlumbCardColumn *column = g_ptr_array_index (card->columns, i);

    if (column == code || column->misuse != NULL || !plumb_column_is_free_text (column->name) ||
        plumb_column_classify (column->type) != PLUMB_COLUMN_TEXT)
      continue;
    column->misuse =
        g_strdup_printf (is_status ? "Free text. What state the row is in stands in %s."
                                   : "Free text. Codes to filter by stand in %s.",
                         code->name);
  }
}

static void
warn_on_copy (PlumbCard *card)
{
  const char *what = card->status == PLUMB_STATUS_STAGING ? "a staging table"
                     : card->status == PLUMB_STATUS_DRAFT ? "a working copy"
                                                          : "a copy";

  if (card->copy_of != NULL)
    plumb_strv_add (&card->misuse, g_strdup_printf ("This is %s of %s, which has the current rows.",
                                                    what, card->copy_of));
}

/* Names of copies by the name of their live table. */
static GHashTable *
list_copies (GPtrArray *cards)
{
  GHashTable *copies = g_hash_table_new_full (g_str_hash, g_str_equal, NULL,
                                              (GDestroyNotify) g_ptr_array_unref);

  for (guint i = 0; i < cards->len; i++) {
    PlumbCard *card = g_ptr_array_index (cards, i);
    GPtrArray *list;

    if (card->copy_of == NULL)
      continue;
    list = g_hash_table_lookup (copies, card->copy_of);
    if (list == NULL) {
      list = g_ptr_array_new ();
      g_hash_table_insert (copies, card->copy_of, list);
    }
    g_ptr_array_add (list, card->name);
  }
  return copies;
}

static void
warn_of_copies (PlumbCard *card, GHashTable *copies)
{
  g_autofree char *name = plumb_table_name_join (NULL, card->schema, card->name);
  GPtrArray *list = g_hash_table_lookup (copies, name);
  g_autoptr (GString) text = NULL;

  if (list == NULL)
    return;
  text = g_string_new (NULL);
  for (guint i = 0; i < MIN (list->len, MAX_NAMED); i++)
    g_string_append_printf (text, "%s%s", i > 0 ? ", " : "", (char *) g_ptr_array_index (list, i));
  if (list->len > MAX_NAMED)
    g_string_append_printf (text, " and %u more", list->len - MAX_NAMED);
  plumb_strv_add (&card->misuse,
                  g_strdup_printf ("Copies with old or partial rows: %s.", text->str));
}

/**
 * plumb_analysis_add_misuse:
 * @cards: (element-type PlumbCard): the cards of one database, with roles, meanings and copies
 *
 * Says what is easily got wrong: copies, free text beside a code column, several dates or amounts.
 */
void
plumb_analysis_add_misuse (GPtrArray *cards)
{
  g_autoptr (GHashTable) copies = list_copies (cards);

  for (guint i = 0; i < cards->len; i++) {
    PlumbCard *card = g_ptr_array_index (cards, i);

    warn_on_copy (card);
    warn_of_copies (card, copies);
    warn_of_similar (card, is_date, "dates");
    warn_of_similar (card, is_amount, "amounts");
    warn_of_free_text (card);
  }
}
