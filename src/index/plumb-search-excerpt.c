/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-search-private.h"

#include "plumb-text.h"

#include <string.h>

#define MAX_PURPOSE_CHARACTERS 160
#define MAX_COLUMNS 8

static gboolean
holds_unit (const char *text, GPtrArray *units, const PlumbPostings *postings)
{
  g_autoptr (GPtrArray) words = text != NULL ? plumb_text_split_identifier (text) : NULL;

  for (guint i = 0; words != NULL && i < words->len && i < 60; i++) {
    int term = plumb_postings_find (postings, g_ptr_array_index (words, i));

    for (guint j = 0; term >= 0 && j < units->len; j++) {
      PlumbUnit *unit = g_ptr_array_index (units, j);

      for (guint k = 0; k < unit->relatives->len; k++) {
        const PlumbRelative *relative = &g_array_index (unit->relatives, PlumbRelative, k);

        if ((int) relative->term == term && relative->strength > 0.3f)
          return TRUE;
      }
    }
  }
  return FALSE;
}

/**
 * plumb_search_make_excerpt:
 * @card: a table
 * @units: (element-type PlumbUnit): the question's words
 *
 * Returns: (transfer full) (nullable): what of @card the question hit: its purpose, and the columns
 */
char *
plumb_search_make_excerpt (PlumbCard *card, GPtrArray *units, const PlumbPostings *postings)
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

    if (!holds_unit (column->name, units, postings) && !holds_unit (meaning, units, postings))
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
