/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-search-private.h"

#include "plumb-text.h"

#include <string.h>

#define MAX_PURPOSE_CHARACTERS 160
#define MAX_COLUMNS 8

/**
 * plumb_search_collect_wanted:
 * @units: (element-type PlumbUnit): the question's words
 *
 * Returns: (transfer full) (element-type utf8): a set of the words of the index that the question means; @postings
 *   must outlive it
 */
GHashTable *
plumb_search_collect_wanted (GPtrArray *units, const PlumbPostings *postings)
{
  GHashTable *wanted = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < units->len; i++) {
    PlumbUnit *unit = g_ptr_array_index (units, i);

    for (guint j = 0; j < unit->relatives->len; j++) {
      const PlumbRelative *relative = &g_array_index (unit->relatives, PlumbRelative, j);

      if (relative->strength > 0.3f)
        g_hash_table_add (wanted, (gpointer) plumb_postings_get_word (postings, relative->term));
    }
  }
  return wanted;
}

static gboolean
is_wanted (const char *text, GHashTable *wanted)
{
  g_autoptr (GPtrArray) words = text != NULL ? plumb_text_split_identifier (text) : NULL;

  for (guint i = 0; words != NULL && i < words->len && i < 60; i++) {
    if (g_hash_table_contains (wanted, g_ptr_array_index (words, i)))
      return TRUE;
  }
  return FALSE;
}

/**
 * plumb_search_make_excerpt:
 * @card: a table
 * @wanted: what plumb_search_collect_wanted() gave
 *
 * Returns: (transfer full) (nullable): what of @card the question hit: its purpose, and the columns
 */
char *
plumb_search_make_excerpt (PlumbCard *card, GHashTable *wanted)
{
  g_autoptr (GString) text = g_string_new (NULL);
  const char *purpose = card->purpose != NULL ? card->purpose : card->comment;
  guint n = 0;

  if (purpose != NULL && *purpose != '\0') {
    g_autofree char *line = plumb_text_first_line (purpose, MAX_PURPOSE_CHARACTERS);

    g_string_append (text, line);
  }
  for (guint i = 0; i < card->columns->len && n < MAX_COLUMNS; i++) {
    PlumbCardColumn *column = g_ptr_array_index (card->columns, i);
    const char *meaning = column->meaning != NULL ? column->meaning : column->comment;

    if (!is_wanted (column->name, wanted) && !is_wanted (meaning, wanted))
      continue;
    g_string_append (text, n > 0 ? ", " : text->len > 0 ? " · " : "");
    g_string_append (text, column->name);
    if (meaning != NULL && strcmp (meaning, column->name) != 0) {
      g_autofree char *line = plumb_text_first_line (meaning, 60);

      g_string_append_printf (text, " (%s)", line);
    }
    n++;
  }
  return text->len > 0 ? g_string_free (g_steal_pointer (&text), FALSE) : NULL;
}
