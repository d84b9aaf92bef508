/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-abbreviation.h"

#include "plumb-abbreviation-table.h"
#include "plumb-text.h"

#include <stdlib.h>
#include <string.h>

static int
compare_abbreviation (const void *word, const void *entry)
{
  return strcmp (word, ((const PlumbAbbreviation *) entry)->abbreviation);
}

/**
 * plumb_abbreviation_expand:
 * @word: a folded word of an identifier, such as "ord"
 *
 * Returns: (transfer none) (nullable) (array zero-terminated=1): what it stands for, likeliest first
 */
const char *const *
plumb_abbreviation_expand (const char *word)
{
  const PlumbAbbreviation *found = bsearch (word, plumb_abbreviations, plumb_n_abbreviations,
                                            sizeof *plumb_abbreviations, compare_abbreviation);

  return found != NULL ? found->words : NULL;
}

static gboolean
has_cjk (const char *text)
{
  for (const char *p = text; *p != '\0'; p = g_utf8_next_char (p)) {
    if (plumb_text_is_cjk (g_utf8_get_char (p)))
      return TRUE;
  }
  return FALSE;
}

/* The words of @identifier; Hangul, kana and Han are kept in one piece, since bigrams don't read. */
static GPtrArray *
split_words (const char *identifier)
{
  g_autofree char *valid = g_utf8_make_valid (identifier, -1);
  g_auto (GStrv) pieces = NULL;
  GPtrArray *words;

  if (!has_cjk (valid))
    return plumb_text_split_identifier (valid);
  words = g_ptr_array_new_with_free_func (g_free);
  pieces = g_strsplit_set (valid, "_ .-", -1);
  for (guint i = 0; pieces[i] != NULL; i++) {
    if (*pieces[i] != '\0')
      g_ptr_array_add (words, plumb_text_fold (pieces[i]));
  }
  return words;
}

/* What the word at @position means there: "T_ORD" and "V_ORD" only say that it is a table or a view,
 * and a last H marks a history table in many schemas. */
static const char *
read_word (GPtrArray *words, guint position)
{
  static const char *const kinds[] = { "t", "tb", "tbl", "v", "vw", NULL };
  const char *word = g_ptr_array_index (words, position);
  const char *const *expanded;

  if (position == 0 && words->len > 1 && g_strv_contains (kinds, word))
    return NULL;
  if (position > 0 && position + 1 == words->len && g_str_equal (word, "h"))
    return "history";
  expanded = plumb_abbreviation_expand (word);
  return expanded != NULL ? expanded[0] : word;
}

/**
 * plumb_abbreviation_spell_out:
 * @identifier: a name such as "ORD_MST"
 *
 * Returns: (transfer full): its words spelled out, such as "order master"; a word that follows
 *   itself ("CD_CODE") stands once
 */
char *
plumb_abbreviation_spell_out (const char *identifier)
{
  g_autoptr (GPtrArray) words = split_words (identifier);
  g_autoptr (GString) text = g_string_new (NULL);
  const char *before = "";

  for (guint i = 0; i < words->len; i++) {
    const char *word = read_word (words, i);

    if (word == NULL || (g_str_equal (word, before) && !g_ascii_isdigit (*word)))
      continue;
    if (text->len > 0)
      g_string_append_c (text, ' ');
    g_string_append (text, word);
    before = word;
  }
  return g_string_free (g_steal_pointer (&text), FALSE);
}
