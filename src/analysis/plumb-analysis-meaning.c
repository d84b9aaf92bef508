/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-analysis-private.h"

#include "plumb-abbreviation.h"
#include "plumb-text.h"

#include <string.h>

#define MAX_MEANING 80

static char *
capitalize (const char *text)
{
  g_autofree char *first = g_utf8_substring (text, 0, MIN (1, g_utf8_strlen (text, -1)));
  g_autofree char *upper = g_utf8_strup (first, -1);

  return g_strconcat (upper, text + strlen (first), NULL);
}

/**
 * plumb_analysis_first_clause:
 * @comment: a comment such as "order amount: goods after discount, without tax"
 *
 * Returns: (transfer full) (nullable): the part before it explains, such as "order amount"; %NULL
 *   where there is none
 */
char *
plumb_analysis_first_clause (const char *comment)
{
  g_autofree char *line = plumb_text_first_line (comment, MAX_MEANING);
  char *end = strpbrk (line, ":;,(");

  if (end != NULL)
    *end = '\0';
  end = strstr (line, ". ");
  if (end != NULL)
    *end = '\0';
  g_strchomp (line);
  if (g_utf8_strlen (line, -1) < 2 || strchr (line, '=') != NULL)
    return NULL;
  return g_steal_pointer (&line);
}

static void
add_column_meaning (PlumbCardColumn *column)
{
  if (column->meaning == NULL && column->comment != NULL)
    column->meaning = plumb_analysis_first_clause (column->comment);
  if (column->meaning == NULL) {
    g_autofree char *spelled = plumb_abbreviation_spell_out (column->name);

    if (*spelled != '\0')
      column->meaning = g_steal_pointer (&spelled);
  }
  if (column->comment != NULL)
    plumb_analysis_read_codes (column, column->comment);
}

static char *
describe_columns (PlumbCard *card, GStrv names)
{
  g_autoptr (GString) text = g_string_new (NULL);
  guint n = g_strv_length (names);

  for (guint i = 0; i < n; i++) {
    PlumbCardColumn *column = plumb_card_find_column (card, names[i]);

    if (i > 0)
      g_string_append (text, i + 1 == n ? " and " : ", ");
    g_string_append (text, column != NULL && column->meaning != NULL ? column->meaning : names[i]);
  }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* "one row an order" where the comment says it, else from the key. */
static char *
find_grain (const PlumbTable *table, PlumbCard *card)
{
  GStrv key = table->primary_key;
  g_autofree char *folded = card->comment != NULL ? g_utf8_strdown (card->comment, -1) : NULL;
  const char *said = folded != NULL ? strstr (folded, "one row") : NULL;
  g_autofree char *columns = NULL;

  if (said == NULL && folded != NULL)
    said = strstr (folded, "one wide row");
  if (said != NULL) {
    gsize length = strcspn (said, ",.;)");

    return g_strndup (said, length);
  }
  if (key == NULL && table->unique_keys->len > 0)
    key = g_ptr_array_index (table->unique_keys, 0);
  if (key == NULL || *key == NULL)
    return NULL;
  columns = describe_columns (card, key);
  return g_strdup_printf ("one row per %s", columns);
}

static char *
find_purpose (PlumbCard *card)
{
  g_autofree char *spelled = NULL;

  if (card->comment != NULL && *card->comment != '\0')
    return plumb_text_first_line (card->comment, 200);
  if (card->label != NULL && *card->label != '\0')
    return g_strdup (card->label);
  if (card->copy_of != NULL)
    return g_strdup_printf ("%s of %s", card->status == PLUMB_STATUS_DRAFT     ? "Working copy"
                                        : card->status == PLUMB_STATUS_STAGING ? "Staging table"
                                                                               : "Backup",
                            card->copy_of);
  spelled = plumb_abbreviation_spell_out (card->name);
  return *spelled != '\0' ? capitalize (spelled) : NULL;
}

/**
 * plumb_analysis_add_meaning:
 * @catalog: a catalog
 * @cards: (element-type PlumbCard): its cards, in the same order
 *
 * Purpose, grain, and the meaning of columns and codes, from comments, labels and spelled-out
 * names.
 */
void
plumb_analysis_add_meaning (PlumbCatalog *catalog, GPtrArray *cards)
{
  for (guint i = 0; i < cards->len; i++) {
    PlumbCard *card = g_ptr_array_index (cards, i);

    for (guint j = 0; j < card->columns->len; j++)
      add_column_meaning (g_ptr_array_index (card->columns, j));
    card->purpose = find_purpose (card);
    card->grain = find_grain (g_ptr_array_index (catalog->tables, i), card);
  }
}
