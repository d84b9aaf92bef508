/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-planner-private.h"

/* The other mentions: the table may be named again, a column only with its value or its period. */
static gboolean
is_used (PlannerReader *reader, const PlannerPlace *place)
{
  PlannerReading *reading = reader->reading;

  if (reading->distinct == place->column || planner_same_place (&reading->measure, place))
    return TRUE;
  for (guint i = 0; i < reading->filters->len; i++) {
    PlannerFilter *filter = g_ptr_array_index (reading->filters, i);

    if (planner_same_place (&filter->place, place) || filter->place.link == place->column)
      return TRUE;
  }
  for (guint i = 0; i < reading->groups->len; i++) {
    if (planner_same_place (g_ptr_array_index (reading->groups, i), place))
      return TRUE;
  }
  return FALSE;
}

/* "paid" belongs to a condition on the payment method, "weigh" to one on the weight. */
static gboolean
is_akin_to_filter (const char *word, const PlannerFilter *filter)
{
  g_auto (GStrv) name = planner_name_words (filter->place.column->name);

  if (planner_is_akin_to_words (word, name))
    return TRUE;
  return planner_is_participle (word) &&
         (planner_is_akin_to_column (word, filter->place.column) ||
          (filter->place.link != NULL && planner_is_akin_to_column (word, filter->place.link)));
}

static void
read_support (PlannerReader *reader)
{
  PlannerReading *reading = reader->reading;

  for (guint i = 0; i < reader->tokens->len; i++) {
    const char *word = planner_get_token (reader, i)->word;
    gboolean akin = FALSE;

    if (reader->marks[i] != PLANNER_MARK_FREE || planner_is_filler (word))
      continue;
    for (guint j = 0; j < reading->filters->len && !akin; j++)
      akin = is_akin_to_filter (word, g_ptr_array_index (reading->filters, j));
    if (!akin && !planner_is_participle (word))
      continue;
    if (!akin && planner_is_akin_to_words (word, reader->table->entity)) {
      akin = TRUE;
      reading->has_subject = TRUE;
    }
    if (akin)
      reader->marks[i] = PLANNER_MARK_SUPPORT;
  }
}

static gboolean
is_unread (PlannerReader *reader, guint i)
{
  PlannerToken *token = planner_get_token (reader, i);

  return reader->marks[i] == PLANNER_MARK_FREE &&
         (token->is_quoted || !planner_is_filler (token->word));
}

/* "the city Atlantis": the column belongs to the unread word behind it. */
static gboolean
leads_to_unread (PlannerReader *reader, PlannerMention *mention)
{
  guint next = mention->last + 1;

  while (next < reader->tokens->len && next <= mention->last + 2 &&
         planner_only_fillers (reader, next, next + 1))
    next++;
  return next < reader->tokens->len && is_unread (reader, next);
}

static void
read_leftover_mentions (PlannerReader *reader)
{
  for (guint i = 0; i < reader->mentions->len; i++) {
    PlannerMention *mention = g_ptr_array_index (reader->mentions, i);
    PlannerTerm *term = planner_mention_get (mention, PLANNER_TERM_COLUMN);

    if (mention->is_partial && mention->role != PLANNER_ROLE_NONE)
      reader->reading->cost += PLANNER_COST_PART;
    if (mention->role != PLANNER_ROLE_NONE)
      continue;
    if (planner_mention_get (mention, PLANNER_TERM_TABLE) != NULL)
      planner_name_subject (reader, mention);
    else if (term == NULL ||
             (!is_used (reader, &term->place) && !leads_to_unread (reader, mention)))
      g_ptr_array_add (reader->reading->unread, planner_quote_mention (reader, mention));
  }
}

/* The column that is named right before an unread word, which is then likely a value of it. */
static PlannerPlace
find_place_before (PlannerReader *reader, guint first)
{
  PlannerMention *before = planner_mention_before (reader, first, 2);
  PlannerTerm *term = planner_mention_get (before, PLANNER_TERM_COLUMN);

  if (term != NULL && (before->role == PLANNER_ROLE_NONE || before->role == PLANNER_ROLE_SUPPORT))
    return term->place;
  return (PlannerPlace) { NULL, NULL, NULL };
}

static void
add_span (PlannerReader *reader, guint first, guint last)
{
  PlannerSpan *span = g_new0 (PlannerSpan, 1);
  g_autoptr (GStrvBuilder) words = g_strv_builder_new ();
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = first; i <= last; i++) {
    g_string_append_printf (text, "%s%s", i > first ? " " : "",
                            planner_get_token (reader, i)->text);
    g_strv_builder_add (words, planner_get_token (reader, i)->word);
  }
  span->first = first;
  span->last = last;
  span->words = g_strv_builder_end (words);
  span->before = find_place_before (reader, first);
  span->text = g_string_free (g_steal_pointer (&text), FALSE);
  g_ptr_array_add (reader->reading->unread, g_strdup (span->text));
  g_ptr_array_add (reader->reading->spans, span);
}

static gboolean
is_capital (PlannerReader *reader, guint i)
{
  return g_unichar_isupper (g_utf8_get_char (planner_get_token (reader, i)->text));
}

/* Whether an unread stretch goes on: with the next word, or, in a name such as "Around the Horn",
 * past a word without meaning. */
static gboolean
continues (PlannerReader *reader, guint last)
{
  if (last + 1 >= reader->tokens->len || planner_get_token (reader, last + 1)->is_quoted)
    return FALSE;
  if (is_unread (reader, last + 1))
    return TRUE;
  return last + 2 < reader->tokens->len && reader->marks[last + 1] == PLANNER_MARK_FREE &&
         is_unread (reader, last + 2) && is_capital (reader, last) &&
         is_capital (reader, last + 2) && !planner_get_token (reader, last + 2)->is_quoted;
}

static void
read_leftover_words (PlannerReader *reader)
{
  for (guint i = 0; i < reader->tokens->len; i++) {
    guint last = i;

    if (!is_unread (reader, i))
      continue;
    while (!planner_get_token (reader, i)->is_quoted && continues (reader, last))
      last += is_unread (reader, last + 1) ? 1 : 2;
    add_span (reader, i, last);
    i = last;
  }
}

/* Things to group by have names in the table that their key leads to; its card must be open. */
static void
find_needs (PlannerReader *reader)
{
  PlannerReading *reading = reader->reading;

  for (guint i = 0; i < reading->groups->len; i++) {
    PlannerPlace *place = g_ptr_array_index (reading->groups, i);
    g_autofree char *full_name = NULL;

    if (place->link == NULL &&
        planner_linked_table (reader->trail, reader->table, place->column, NULL, &full_name) ==
            NULL &&
        full_name != NULL)
      g_ptr_array_add (reading->needs, g_steal_pointer (&full_name));
  }
}

/* "the order amount" is about orders: the table's name can be a part of the column's. */
static gboolean
is_named_within (PlannerReader *reader)
{
  for (guint i = 0; i < reader->terms->len; i++) {
    PlannerTerm *term = g_ptr_array_index (reader->terms, i);
    gboolean all = term->kind == PLANNER_TERM_TABLE && term->level == 0;

    for (guint j = 0; all && term->words[j] != NULL; j++) {
      gboolean found = FALSE;

      for (guint k = 0; k < reader->mentions->len && !found; k++) {
        PlannerMention *mention = g_ptr_array_index (reader->mentions, k);

        for (guint n = mention->first; n <= mention->last && !found; n++)
          found = planner_same_word (planner_get_token (reader, n)->word, term->words[j]);
      }
      all = found;
    }
    if (all)
      return TRUE;
  }
  return FALSE;
}

static gboolean
has_words (const PlumbCardColumn *column, const char *one, const char *other)
{
  g_autoptr (GPtrArray) phrases = planner_column_phrases (column);

  for (guint i = 0; i < phrases->len; i++) {
    const char *const *words = g_ptr_array_index (phrases, i);

    if (planner_has_word (words, one) && planner_has_word (words, other))
      return TRUE;
  }
  return column->comment != NULL && g_ascii_strncasecmp (column->comment, "valid from", 10) == 0;
}

/* Tables that keep former values, or a stock once a month, hold one thing many times over: which of
 * the times is meant the question seldom says. */
static void
check_times (PlannerReader *reader)
{
  PlumbCard *card = reader->table->card;
  g_auto (GStrv) name = planner_name_words (card->name);

  for (guint i = 0; i < card->columns->len; i++) {
    if (has_words (g_ptr_array_index (card->columns, i), "valid", "from"))
      planner_set_doubt (reader, g_strdup ("The table keeps former values beside those that are "
                                           "valid now, and I can't tell which "
                                           "are meant."));
  }
  if (planner_has_word ((const char *const *) name, "snapshot") ||
      planner_has_word ((const char *const *) name, "snap"))
    planner_set_doubt (reader, g_strdup ("The table holds the same things again at several points "
                                         "in time, and I can't tell which "
                                         "are meant."));
}

/* Where the question names no table, it must at least name the column in full: "the shipping
 * charge" does, "the amount" can be that of anything. */
static void
check_measure (PlannerReader *reader)
{
  g_autoptr (GPtrArray) phrases = planner_column_phrases (reader->reading->measure.column);
  g_autofree char *text = NULL;

  for (guint i = 0; i < reader->mentions->len; i++) {
    PlannerMention *mention = g_ptr_array_index (reader->mentions, i);
    g_auto (GStrv) words = NULL;

    if (mention->role != PLANNER_ROLE_MEASURE)
      continue;
    text = planner_quote_mention (reader, mention);
    words = planner_support_words (text);
    for (guint j = 0; j < phrases->len; j++) {
      const char *const *phrase = g_ptr_array_index (phrases, j);

      if (planner_match_phrase (phrase, (const char *const *) words, NULL) == 0)
        return;
    }
  }
  planner_set_doubt (reader, g_strdup_printf ("I can't tell what the “%s” is of. Say of what.",
                                              text != NULL ? text : ""));
}

void
planner_read_rest (PlannerReader *reader)
{
  PlannerReading *reading = reader->reading;

  read_support (reader);
  read_leftover_mentions (reader);
  read_leftover_words (reader);
  find_needs (reader);
  check_times (reader);
  if (!reading->has_subject && reading->measure.column != NULL)
    reading->has_subject = is_named_within (reader);
  if (!reading->has_subject && reading->measure.column != NULL)
    check_measure (reader);
  if (reading->op == PLANNER_OP_COUNT && !reading->has_subject)
    planner_set_doubt (reader, g_strdup ("I can't tell what is to be counted."));
  else if (reading->op == PLANNER_OP_NONE)
    planner_set_doubt (
        reader,
        g_strdup (
            "I can't tell what number you want: how many, a total, an average, the largest or the "
            "smallest, and of what."));
  if (!reading->has_subject)
    reading->cost += PLANNER_COST_NO_SUBJECT;
  /* A view shows what stands in tables: the table itself goes first. */
  if (reader->table->card->kind == PLUMB_TABLE_KIND_VIEW)
    reading->cost += PLANNER_COST_VIEW;
}
