/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-search-private.h"

#include "plumb-text.h"

#include <string.h>

#define MAX_PURPOSE_CHARACTERS 160
#define MAX_COLUMNS 8

/**
 * plumb_search_mark_wanted:
 * @units: (element-type PlumbUnit): the question's words
 *
 * Returns: (transfer full) (array): for each term of the index, whether the question means it
 */
guint8 *
plumb_search_mark_wanted (GPtrArray *units, const PlumbPostings *postings)
{
  guint8 *wanted = g_new0 (guint8, postings->n_terms + 1);

  for (guint i = 0; i < units->len; i++) {
    PlumbUnit *unit = g_ptr_array_index (units, i);

    for (guint j = 0; j < unit->relatives->len; j++) {
      const PlumbRelative *relative = &g_array_index (unit->relatives, PlumbRelative, j);

      wanted[relative->term] |= relative->strength > 0.3f;
    }
  }
  return wanted;
}

static gboolean
is_wanted (const char *text, const guint8 *wanted, const PlumbPostings *postings)
{
  g_autoptr (GPtrArray) words = text != NULL ? plumb_text_split_identifier (text) : NULL;

  for (guint i = 0; words != NULL && i < words->len && i < 60; i++) {
    int term = plumb_postings_find (postings, g_ptr_array_index (words, i));

    if (term >= 0 && wanted[term])
      return TRUE;
  }
  return FALSE;
}

/**
 * plumb_search_make_excerpt:
 * @card: a table
 * @wanted: (array): what plumb_search_mark_wanted() gave
 *
 * Returns: (transfer full) (nullable): what of @card the question hit: its purpose, and the columns
 */
char *
plumb_search_make_excerpt (PlumbCard *card, const guint8 *wanted, const PlumbPostings *postings)
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

    if (!is_wanted (column->name, wanted, postings) && !is_wanted (meaning, wanted, postings))
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
