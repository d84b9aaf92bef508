/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * PlannerToken:
 * @text: as it stands in the question
 * @word: folded; for a number its digits without separators
 * @is_number: whether it is a number
 * @is_quoted: whether it stood in quotes; then @text is all that stood there
 *
 * A piece of the question.
 */
typedef struct {
  char *text;
  char *word;
  gboolean is_number;
  gboolean is_quoted;
} PlannerToken;

GPtrArray *planner_tokenize      (const char *question);
gboolean   planner_is_filler     (const char *word);
gboolean   planner_same_word     (const char *a, const char *b);
gboolean   planner_akin_word     (const char *a, const char *b);
gboolean   planner_is_participle (const char *word);
gboolean   planner_has_word      (const char *const *words, const char *word);
gboolean   planner_in_list       (const char *word, const char *const *list);
GStrv      planner_name_words    (const char *identifier);
GStrv      planner_phrase_words  (const char *comment);
GStrv      planner_support_words (const char *comment);
GStrv      planner_unit_words    (const char *comment);
char      *planner_singular      (const char *word);

G_END_DECLS
