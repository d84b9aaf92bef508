/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-planner-private.h"

/* No name of a table, column or value takes more words than this in a question. */
#define MAX_SPAN 7

/** planner_mention_free: frees @mention */
void
planner_mention_free (PlannerMention *mention)
{
  g_ptr_array_unref (mention->terms);
  g_free (mention);
}

/** planner_mention_get: Returns: (transfer none) (nullable): the first term of @kind that it names
 */
PlannerTerm *
planner_mention_get (PlannerMention *mention, PlannerTermKind kind)
{
  for (guint i = 0; mention != NULL && i < mention->terms->len; i++) {
    PlannerTerm *term = g_ptr_array_index (mention->terms, i);

    if (term->kind == kind)
      return term;
  }
  return NULL;
}

static PlannerToken *
get_token (PlannerReader *reader, guint i)
{
  return g_ptr_array_index (reader->tokens, i);
}

/** planner_only_fillers: Returns: whether nothing but words without meaning stands from @first up
 * to
 *  @end, which isn't looked at */
gboolean
planner_only_fillers (PlannerReader *reader, guint first, guint end)
{
  for (guint i = first; i < end; i++) {
    if (reader->marks[i] != PLANNER_MARK_FREE || !planner_is_filler (get_token (reader, i)->word))
      return FALSE;
  }
  return TRUE;
}

/** planner_mention_after: Returns: (transfer none) (nullable): the mention that begins at
 * @position, or up to @distance words without meaning behind it */
PlannerMention *
planner_mention_after (PlannerReader *reader, guint position, guint distance)
{
  for (guint i = 0; i < reader->mentions->len; i++) {
    PlannerMention *mention = g_ptr_array_index (reader->mentions, i);

    if (mention->first >= position && mention->first <= position + distance &&
        planner_only_fillers (reader, position, mention->first))
      return mention;
  }
  return NULL;
}

/** planner_mention_before: Returns: (transfer none) (nullable): the mention that ends before
 *  @position, with at most @distance words without meaning between */
PlannerMention *
planner_mention_before (PlannerReader *reader, guint position, guint distance)
{
  for (guint i = reader->mentions->len; i > 0; i--) {
    PlannerMention *mention = g_ptr_array_index (reader->mentions, i - 1);

    if (mention->last < position && mention->last + 1 + distance >= position &&
        planner_only_fillers (reader, mention->last + 1, position))
      return mention;
  }
  return NULL;
}

static int
compare_mentions (gconstpointer a, gconstpointer b)
{
  const PlannerMention *one = *(PlannerMention *const *) a;
  const PlannerMention *other = *(PlannerMention *const *) b;

  return one->first < other->first ? -1 : one->first > other->first;
}

static gboolean
is_free (PlannerReader *reader, guint first, guint last)
{
  for (guint i = first; i <= last; i++) {
    if (reader->marks[i] != PLANNER_MARK_FREE)
      return FALSE;
  }
  return TRUE;
}

/* Words of a stretch that mean something. */
static GStrv
get_words (PlannerReader *reader, guint first, guint last)
{
  g_autoptr (GStrvBuilder) words = g_strv_builder_new ();

  for (guint i = first; i <= last; i++) {
    PlannerToken *token = get_token (reader, i);

    if (!planner_is_filler (token->word) && !token->is_quoted)
      g_strv_builder_add (words, token->word);
  }
  return g_strv_builder_end (words);
}

/* Whether a stretch is one noun phrase: no verb stands in it, only such words as "of" and "the". */
static gboolean
is_noun_phrase (PlannerReader *reader, guint first, guint last)
{
  static const char *const inner[] = { "of", "the", "a",  "an", "in", "for",
                                       "on", "at",  "to", "s",  NULL };
  const char *head = get_token (reader, first)->word;

  /* "The number of orders" counts them; it is no order number. */
  if (last > first + 1 && (g_str_equal (head, "number") || g_str_equal (head, "count")) &&
      g_str_equal (get_token (reader, first + 1)->word, "of"))
    return FALSE;

  for (guint i = first; i <= last; i++) {
    const char *word = get_token (reader, i)->word;

    if (planner_is_filler (word) && !planner_in_list (word, inner))
      return FALSE;
  }
  return TRUE;
}

/* Whether all words of a term stand there in their order, and no others. */
static gboolean
names_exactly (PlannerReader *reader, const PlannerTerm *term, guint first, guint last)
{
  guint n = g_strv_length (term->words);

  if (n != last - first + 1) {
    g_autofree char *joined = first == last ? g_strjoinv (" ", term->words) : NULL;

    return joined != NULL && g_str_equal (joined, get_token (reader, first)->word);
  }
  for (guint i = 0; i < n; i++) {
    if (!planner_same_word (term->words[i], get_token (reader, first + i)->word))
      return FALSE;
  }
  return TRUE;
}

/* "discontinued products" are products and no column of theirs, other than "product category". */
static gboolean
is_no_compound (PlannerReader *reader, const PlannerTerm *term, GStrv words, guint first,
                guint last)
{
  guint n = g_strv_length (words);

  /* Nor is "employees left" a date, though LEAV_DT is when they left. */
  for (guint i = 0; n > 1 && term->words[i] != NULL && term->words[i + 1] == NULL; i++) {
    if (planner_is_participle (term->words[i]))
      return TRUE;
  }

  for (guint i = first; i <= last; i++) {
    if (planner_is_filler (get_token (reader, i)->word))
      return FALSE;
  }
  return n > 1 &&
         planner_has_word ((const char *const *) term->place.table->entity, words[n - 1]) &&
         !planner_has_word ((const char *const *) term->words, words[n - 1]);
}

static int
find_word (const char *const *words, const char *word)
{
  for (int i = 0; words[i] != NULL; i++) {
    if (planner_same_word (words[i], word))
      return i;
  }
  return -1;
}

/* "stock quantity" and "quantity in stock" are the same, "products in the category" and "product
 * category" are not: what stands behind a preposition comes first in the name. */
static gboolean
is_in_order (PlannerReader *reader, const PlannerTerm *term, guint first, guint last)
{
  static const char *const prepositions[] = { "of", "in", "for", "on", "at", NULL };
  int before = -1;
  int least = G_MAXINT;
  int limit = G_MAXINT;
  gboolean has_stranger = FALSE;

  for (guint i = first; i <= last; i++) {
    const char *word = get_token (reader, i)->word;
    int place = find_word ((const char *const *) term->words, word);

    if (planner_in_list (word, prepositions)) {
      if (has_stranger)
        return FALSE;
      limit = least;
      before = -1;
    }
    has_stranger = has_stranger || (place < 0 && !planner_is_filler (word));
    if (place < 0 || planner_is_filler (word))
      continue;
    if (place < before || place >= limit)
      return FALSE;
    before = place;
    least = MIN (least, place);
  }
  return TRUE;
}

static int
get_level (PlannerReader *reader, const PlannerTerm *term, GStrv words, guint first, guint last)
{
  const char *const *entity;
  int level;

  if (term->is_exact)
    return names_exactly (reader, term, first, last) ? 0 : -1;
  if (words[0] == NULL || !is_in_order (reader, term, first, last))
    return -1;
  if (term->kind == PLANNER_TERM_TABLE) {
    level =
        planner_match_phrase ((const char *const *) term->words, (const char *const *) words, NULL);
    return level == 0 ? term->level : -1;
  }
  entity = (const char *const *) term->place.table->entity;
  level =
      planner_match_phrase ((const char *const *) term->words, (const char *const *) words, entity);
  if (level > 0 && is_no_compound (reader, term, words, first, last))
    return -1;
  if (level < 0 || level == 3)
    return level;
  /* A column of another table must be named together with what is in that table. */
  if (term->place.link != NULL) {
    gboolean named = FALSE;

    for (guint i = 0; words[i] != NULL; i++)
      named = named || planner_has_word (entity, words[i]);
    if (!named)
      return -1;
  }
  return level + term->level;
}

static gboolean
has_same_target (const PlannerTerm *a, const PlannerTerm *b)
{
  return a->kind == b->kind && planner_same_place (&a->place, &b->place) &&
         g_strcmp0 (a->value, b->value) == 0;
}

static void
keep_term (GPtrArray *terms, PlannerTerm *term)
{
  for (guint i = 0; i < terms->len; i++) {
    if (has_same_target (g_ptr_array_index (terms, i), term))
      return;
  }
  g_ptr_array_add (terms, term);
}

/* Of each kind the terms that fit a stretch best. */
static GPtrArray *
match_span (PlannerReader *reader, guint first, guint last)
{
  g_auto (GStrv) words = get_words (reader, first, last);
  gboolean is_no_name = planner_is_filler (get_token (reader, first)->word) ||
                        planner_is_filler (get_token (reader, last)->word) ||
                        !is_noun_phrase (reader, first, last);
  int best[3] = { 3, 3, 3 };
  GPtrArray *terms = g_ptr_array_new ();

  for (guint pass = 0; pass < 2; pass++) {
    for (guint i = 0; i < reader->terms->len; i++) {
      PlannerTerm *term = g_ptr_array_index (reader->terms, i);
      int level;

      if (is_no_name && !term->is_exact)
        continue;
      level = get_level (reader, term, words, first, last);
      if (level < 0 || level >= 3)
        continue;
      if (pass == 0)
        best[term->kind] = MIN (best[term->kind], level);
      else if (level == best[term->kind])
        keep_term (terms, term);
    }
  }
  return terms;
}

static void
add_mention (PlannerReader *reader, guint first, guint last, GPtrArray *terms, gboolean is_partial)
{
  PlannerMention *mention = g_new0 (PlannerMention, 1);

  mention->first = first;
  mention->last = last;
  mention->terms = g_ptr_array_ref (terms);
  mention->is_partial = is_partial;
  g_ptr_array_add (reader->mentions, mention);
  g_ptr_array_sort (reader->mentions, compare_mentions);
  for (guint i = first; i <= last; i++)
    reader->marks[i] = PLANNER_MARK_MENTION;
}

static guint
count_meaning (PlannerReader *reader, guint first, guint last)
{
  guint n = 0;

  for (guint i = first; i <= last; i++)
    n += !planner_is_filler (get_token (reader, i)->word);
  return n;
}

/* Longer names go first, so that "order status" is not taken for "order" and "status". */
static void
find_mentions (PlannerReader *reader, guint shortest, guint longest)
{
  for (guint length = MIN (longest, reader->tokens->len); length >= shortest; length--) {
    for (guint first = 0; first + length <= reader->tokens->len; first++) {
      guint last = first + length - 1;
      g_autoptr (GPtrArray) terms = NULL;

      if (!is_free (reader, first, last) ||
          (length > 1 && count_meaning (reader, first, last) == 0))
        continue;
      terms = match_span (reader, first, last);
      if (terms->len > 0)
        add_mention (reader, first, last, terms, FALSE);
    }
  }
}

/** planner_find_phrases: finds names of several words, before words are taken for anything else */
void
planner_find_phrases (PlannerReader *reader)
{
  find_mentions (reader, 2, MAX_SPAN);
}

/** planner_find_words: finds names among the words that are still free */
void
planner_find_words (PlannerReader *reader)
{
  find_mentions (reader, 1, MAX_SPAN);
}

/* Columns of which the words of a stretch are a part. */
static GPtrArray *
match_part (PlannerReader *reader, guint first, guint last)
{
  g_auto (GStrv) words = get_words (reader, first, last);
  GPtrArray *terms = g_ptr_array_new ();

  for (guint i = 0; words[0] != NULL && i < reader->terms->len; i++) {
    PlannerTerm *term = g_ptr_array_index (reader->terms, i);

    if (term->kind == PLANNER_TERM_COLUMN && term->place.link == NULL &&
        get_level (reader, term, words, first, last) == 3)
      keep_term (terms, term);
  }
  return terms;
}

/** planner_find_parts: takes free words for a column whose name they are a part of; where they are
 *  part of several, they stay several */
void
planner_find_parts (PlannerReader *reader)
{
  for (guint length = 3; length >= 1; length--) {
    for (guint first = 0; first + length <= reader->tokens->len; first++) {
      guint last = first + length - 1;
      g_autoptr (GPtrArray) terms = NULL;

      if (!is_free (reader, first, last) || planner_is_filler (get_token (reader, first)->word) ||
          planner_is_filler (get_token (reader, last)->word) ||
          !is_noun_phrase (reader, first, last))
        continue;
      terms = match_part (reader, first, last);
      if (terms->len > 0)
        add_mention (reader, first, last, terms, TRUE);
    }
  }
}
