/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-abbreviation.h"

#include "plumb-text.h"

/* Abbreviations of business schemas and what they stand for; sorted by the abbreviation. */
static const struct {
  const char *abbreviation;
  const char *const words[4];
} abbreviations[] = {
  { "amt", { "amount", NULL } },
  { "cd", { "code", NULL } },
  { "cust", { "customer", NULL } },
  { "dtl", { "detail", NULL } },
  { "hist", { "history", NULL } },
  { "mst", { "master", NULL } },
  { "nm", { "name", NULL } },
  { "ord", { "order", NULL } },
  { "prd", { "product", "period", NULL } },
  { "qty", { "quantity", NULL } },
  { "yn", { "yes or no", NULL } },
};

/**
 * plumb_abbreviation_expand:
 * @word: a folded word of an identifier, such as "ord"
 *
 * Returns: (transfer none) (nullable) (array zero-terminated=1): what it stands for, likeliest first
 */
const char *const *
plumb_abbreviation_expand (const char *word)
{
  for (guint i = 0; i < G_N_ELEMENTS (abbreviations); i++) {
    if (g_str_equal (abbreviations[i].abbreviation, word))
      return abbreviations[i].words;
  }
  return NULL;
}

/**
 * plumb_abbreviation_spell_out:
 * @identifier: a name such as "ORD_MST"
 *
 * Returns: (transfer full): its words spelled out, such as "order master"
 */
char *
plumb_abbreviation_spell_out (const char *identifier)
{
  g_autoptr (GPtrArray) words = plumb_text_split_identifier (identifier);
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < words->len; i++) {
    const char *word = g_ptr_array_index (words, i);
    const char *const *expanded = plumb_abbreviation_expand (word);

    if (text->len > 0)
      g_string_append_c (text, ' ');
    g_string_append (text, expanded != NULL ? expanded[0] : word);
  }
  return g_string_free (g_steal_pointer (&text), FALSE);
}
