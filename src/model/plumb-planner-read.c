/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-planner-private.h"

#include <string.h>

static void
filter_free (gpointer data)
{
  PlannerFilter *filter = data;

  g_ptr_array_unref (filter->values);
  g_ptr_array_unref (filter->labels);
  g_free (filter->number);
  g_free (filter->upper);
  g_free (filter);
}

static void
span_free (gpointer data)
{
  PlannerSpan *span = data;

  g_free (span->text);
  g_strfreev (span->words);
  g_free (span);
}

/** planner_reading_free: frees @reading */
void
planner_reading_free (PlannerReading *reading)
{
  if (reading == NULL)
    return;
  g_ptr_array_unref (reading->filters);
  g_ptr_array_unref (reading->groups);
  g_ptr_array_unref (reading->unread);
  g_ptr_array_unref (reading->needs);
  g_ptr_array_unref (reading->spans);
  g_free (reading->doubt);
  g_free (reading);
}

static PlannerReading *
reading_new (PlannerTable *table)
{
  PlannerReading *reading = g_new0 (PlannerReading, 1);

  reading->table = table;
  reading->filters = g_ptr_array_new_with_free_func (filter_free);
  reading->groups = g_ptr_array_new_with_free_func (g_free);
  reading->unread = g_ptr_array_new_with_free_func (g_free);
  reading->needs = g_ptr_array_new_with_free_func (g_free);
  reading->spans = g_ptr_array_new_with_free_func (span_free);
  return reading;
}

/** planner_reading_is_whole: Returns: whether everything in the question is accounted for, in one
 * way */
gboolean
planner_reading_is_whole (const PlannerReading *reading)
{
  return reading->unread->len == 0 && reading->doubt == NULL && reading->op != PLANNER_OP_NONE;
}

PlannerToken *
planner_get_token (PlannerReader *reader, guint i)
{
  return g_ptr_array_index (reader->tokens, i);
}

void
planner_set_doubt (PlannerReader *reader, char *doubt)
{
  if (reader->reading->doubt == NULL)
    reader->reading->doubt = doubt;
  else
    g_free (doubt);
}

char *
planner_quote_mention (PlannerReader *reader, PlannerMention *mention)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = mention->first; i <= mention->last; i++)
    g_string_append_printf (text, "%s%s", i > mention->first ? " " : "",
                            planner_get_token (reader, i)->text);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

PlannerDateForm
planner_get_form (const PlannerPlace *place)
{
  return planner_date_form (place->table, place->column);
}

/* The one column that a mention names; where it fits several, the question is in doubt. */
PlannerTerm *
planner_get_column (PlannerReader *reader, PlannerMention *mention)
{
  PlannerTerm *found = NULL;
  g_autofree char *text = NULL;
  g_autofree char *one = NULL;
  g_autofree char *other = NULL;

  for (guint i = 0; i < mention->terms->len; i++) {
    PlannerTerm *term = g_ptr_array_index (mention->terms, i);

    if (term->kind != PLANNER_TERM_COLUMN)
      continue;
    if (found == NULL || (found->place.link != NULL && term->place.link == NULL)) {
      found = term;
    } else if (term->place.link == NULL) {
      text = planner_quote_mention (reader, mention);
      one = planner_column_title (found->place.column);
      other = planner_column_title (term->place.column);
      planner_set_doubt (reader,
                         g_strdup_printf ("“%s” can be the %s or the %s. Say which one you mean.",
                                          text, one, other));
      return NULL;
    }
  }
  return found;
}

/* A column that stands for a thing with a key: a foreign key, a number, an id. */
static gboolean
is_key_like (const PlumbCardColumn *column)
{
  g_auto (GStrv) words = planner_name_words (column->name);
  guint n = g_strv_length (words);

  return column->key != NULL || (n > 1 && planner_is_generic (words[n - 1]));
}

static gboolean
is_sole_primary_key (PlannerTable *table, const PlumbCardColumn *column)
{
  GStrv key = table->card->primary_key;

  return key != NULL && key[0] != NULL && key[1] == NULL && g_str_equal (key[0], column->name);
}

/* A group by a column of dates is one by days. */
static void
add_group (PlannerReader *reader, PlannerMention *mention, PlannerTerm *term)
{
  PlannerReading *reading = reader->reading;

  mention->role = PLANNER_ROLE_GROUP;
  if (planner_get_form (&term->place) != PLANNER_DATE_NONE) {
    reader->structure.unit = PLANNER_UNIT_DAY;
    reading->unit_place = term->place;
    return;
  }
  g_ptr_array_add (reading->groups, g_memdup2 (&term->place, sizeof term->place));
}

/* In a ranking "by" can lead to what is ranked by. */
static gboolean
is_ranked_by (PlannerReader *reader, PlannerTerm *term)
{
  return reader->structure.superlative != PLANNER_OP_NONE &&
         planner_is_number (term->place.column) && !is_key_like (term->place.column);
}

static void
read_group_after (PlannerReader *reader, guint mark)
{
  PlannerMention *mention = planner_mention_after (reader, mark + 1, 2);
  gboolean is_by = g_str_equal (planner_get_token (reader, mark)->word, "by");
  PlannerTerm *term;

  while (mention != NULL && mention->role == PLANNER_ROLE_NONE) {
    guint next = mention->last + 1;

    if (planner_mention_get (mention, PLANNER_TERM_TABLE) != NULL && !is_by)
      return;
    if (is_by && planner_mention_get (mention, PLANNER_TERM_VALUE) != NULL)
      return;
    term = planner_mention_get (mention, PLANNER_TERM_COLUMN) != NULL
               ? planner_get_column (reader, mention)
               : NULL;
    if (term == NULL || is_ranked_by (reader, term))
      return;
    add_group (reader, mention, term);
    if (next >= reader->tokens->len || !g_str_equal (planner_get_token (reader, next)->word, "and"))
      return;
    mention = planner_mention_after (reader, next + 1, 1);
  }
}

static void
read_groups (PlannerReader *reader)
{
  GArray *marks = reader->structure.group_marks;

  for (guint i = 0; i < marks->len; i++)
    read_group_after (reader, g_array_index (marks, guint, i));
}

/* The table is named; by a looser name the reading is a looser one. */
void
planner_name_subject (PlannerReader *reader, PlannerMention *mention)
{
  PlannerTerm *term = planner_mention_get (mention, PLANNER_TERM_TABLE);

  if (!reader->reading->has_subject)
    reader->reading->cost += term->level;
  reader->reading->has_subject = TRUE;
}

/* What is counted: the first table, or thing with a key, behind "how many". */
static void
read_counted (PlannerReader *reader, guint start)
{
  PlannerReading *reading = reader->reading;

  for (guint i = 0; i < reader->mentions->len; i++) {
    PlannerMention *mention = g_ptr_array_index (reader->mentions, i);
    PlannerTerm *term;

    if (mention->first < start || mention->role != PLANNER_ROLE_NONE)
      continue;
    if (planner_mention_get (mention, PLANNER_TERM_TABLE) != NULL) {
      mention->role = PLANNER_ROLE_SUBJECT;
      planner_name_subject (reader, mention);
      return;
    }
    term = mention->is_partial ? NULL : planner_get_column (reader, mention);
    if (term == NULL || term->place.link != NULL ||
        (!reader->structure.distinct && !is_key_like (term->place.column)))
      return;
    mention->role = PLANNER_ROLE_SUBJECT;
    if (is_sole_primary_key (reader->table, term->place.column)) {
      reading->has_subject = TRUE;
      reading->cost += PLANNER_COST_NO_SUBJECT;
    } else {
      reading->distinct = term->place.column;
      reading->cost += PLANNER_COST_DISTINCT;
    }
    return;
  }
}

/* The one column to calculate with among those that a mention names beside the table. */
static PlannerTerm *
get_number_beside (PlannerMention *mention)
{
  PlannerTerm *found = NULL;

  for (guint i = 0; i < mention->terms->len; i++) {
    PlannerTerm *term = g_ptr_array_index (mention->terms, i);

    if (term->kind != PLANNER_TERM_COLUMN || term->place.link != NULL ||
        !planner_is_number (term->place.column) || is_key_like (term->place.column))
      continue;
    if (found != NULL)
      return NULL;
    found = term;
  }
  return found;
}

static gboolean
can_be_measure (const PlannerTerm *term, gboolean dates)
{
  if (term->place.link != NULL)
    return FALSE;
  if (dates)
    return planner_get_form (&term->place) != PLANNER_DATE_NONE;
  return planner_is_number (term->place.column) && !is_key_like (term->place.column);
}

static void
set_measure (PlannerReader *reader, PlannerMention *mention, const PlannerTerm *term)
{
  reader->reading->measure = term->place;
  mention->role = PLANNER_ROLE_MEASURE;
}

/* The column that is summed, averaged or looked for the greatest value in. */
static gboolean
find_measure (PlannerReader *reader)
{
  for (guint i = 0; i < reader->mentions->len; i++) {
    PlannerMention *mention = g_ptr_array_index (reader->mentions, i);
    PlannerTerm *term;

    if (mention->role != PLANNER_ROLE_NONE ||
        planner_mention_get (mention, PLANNER_TERM_COLUMN) == NULL ||
        planner_mention_get (mention, PLANNER_TERM_TABLE) != NULL)
      continue;
    term = planner_get_column (reader, mention);
    if (term == NULL)
      return FALSE;
    if (!can_be_measure (term, reader->structure.is_latest))
      continue;
    set_measure (reader, mention, term);
    return TRUE;
  }
  return FALSE;
}

/* A word can name the table and a column of it, as "takings" do. */
static gboolean
read_measure (PlannerReader *reader)
{
  if (find_measure (reader))
    return TRUE;
  /* Without an operation it is the table. */
  if (reader->structure.is_latest ||
      (reader->structure.op == PLANNER_OP_NONE && reader->structure.superlative == PLANNER_OP_NONE))
    return FALSE;
  for (guint i = 0; i < reader->mentions->len; i++) {
    PlannerMention *mention = g_ptr_array_index (reader->mentions, i);
    PlannerTerm *term = planner_mention_get (mention, PLANNER_TERM_TABLE) != NULL
                            ? get_number_beside (mention)
                            : NULL;

    if (term == NULL || mention->role != PLANNER_ROLE_NONE)
      continue;
    set_measure (reader, mention, term);
    planner_name_subject (reader, mention);
    return TRUE;
  }
  return FALSE;
}

/* Amounts and quantities add up; prices, rates and fees are no sum unless one is asked for. */
static gboolean
adds_up (const PlumbCardColumn *column)
{
  static const char *const words[] = { "amount", "quantity", "total",    "sum",
                                       "count",  "revenue",  "turnover", NULL };
  g_autoptr (GPtrArray) phrases = planner_column_phrases (column);

  for (guint i = 0; i < phrases->len; i++) {
    GStrv phrase = g_ptr_array_index (phrases, i);

    for (guint j = 0; phrase[j] != NULL; j++) {
      if (planner_in_list (phrase[j], words))
        return TRUE;
    }
  }
  return FALSE;
}

/* Whether a mention is the thing that a ranking lists, and adds it as such. */
static gboolean
take_ranked (PlannerReader *reader, PlannerMention *mention)
{
  PlannerReading *reading = reader->reading;
  PlannerTerm *term;

  if (mention == NULL || mention->role != PLANNER_ROLE_NONE)
    return FALSE;
  if (planner_mention_get (mention, PLANNER_TERM_TABLE) != NULL) {
    mention->role = PLANNER_ROLE_SUBJECT;
    planner_name_subject (reader, mention);
    reading->rank_rows = TRUE;
    return TRUE;
  }
  term = mention->is_partial ? NULL : planner_get_column (reader, mention);
  if (term == NULL || planner_get_form (&term->place) != PLANNER_DATE_NONE ||
      is_ranked_by (reader, term))
    return FALSE;
  add_group (reader, mention, term);
  return TRUE;
}

/* "which month had": the list is one of stretches of time. */
static gboolean
take_ranked_unit (PlannerReader *reader)
{
  int at = reader->structure.which_at + 1;

  if (reader->structure.which_at < 0 || at >= (int) reader->tokens->len ||
      reader->marks[at] != PLANNER_MARK_FREE ||
      planner_read_unit (planner_get_token (reader, at)->word) == PLANNER_UNIT_NONE)
    return FALSE;
  reader->structure.unit = planner_read_unit (planner_get_token (reader, at)->word);
  reader->marks[at] = PLANNER_MARK_STRUCTURE;
  return TRUE;
}

/* "the 3 products with the lowest …" */
static gboolean
take_counted_before (PlannerReader *reader)
{
  PlannerStructure *structure = &reader->structure;
  gint64 count;

  for (guint i = 0; i < structure->superlative_at; i++) {
    if (reader->marks[i] != PLANNER_MARK_FREE ||
        planner_read_count (reader->tokens, i, &count) == 0 || count < 1 ||
        !take_ranked (reader, planner_mention_after (reader, i + 1, 0)))
      continue;
    structure->limit = count;
    reader->marks[i] = PLANNER_MARK_STRUCTURE;
    return TRUE;
  }
  return FALSE;
}

static gboolean
read_ranked (PlannerReader *reader)
{
  PlannerStructure *structure = &reader->structure;

  if (take_ranked_unit (reader))
    return TRUE;
  if (structure->which_at >= 0) {
    guint start = structure->which_at + 1;

    while (start < reader->tokens->len && reader->marks[start] == PLANNER_MARK_STRUCTURE)
      start++;
    return take_ranked (reader, planner_mention_after (reader, start, 2));
  }
  /* "the top 5 customers by …", "the 5 customers with the highest …" */
  if (structure->limit > 0)
    return take_ranked (reader, planner_mention_after (reader, structure->superlative_at + 2, 0));
  return take_counted_before (reader);
}

/* "which customer has the most orders": rows are counted. */
static void
read_ranking (PlannerReader *reader)
{
  PlannerReading *reading = reader->reading;
  PlannerStructure *structure = &reader->structure;

  reading->ranking = structure->superlative;
  reading->limit = structure->limit > 0 ? structure->limit : 1;
  if (structure->op == PLANNER_OP_COUNT ||
      (structure->op == PLANNER_OP_NONE && structure->is_most)) {
    reading->op = PLANNER_OP_COUNT;
    read_counted (reader, structure->superlative_at);
    if (reading->rank_rows || reading->distinct != NULL || !reading->has_subject)
      planner_set_doubt (reader, g_strdup ("I can't tell what is counted for the ranking."));
    return;
  }
  if (!read_measure (reader)) {
    if (reading->rank_rows && structure->is_latest)
      reading->op = structure->superlative;
    else
      planner_set_doubt (
          reader, g_strdup ("I can't tell which amount or quantity the ranking goes by. Name it."));
    return;
  }
  reading->op = structure->op != PLANNER_OP_NONE ? structure->op : structure->superlative;
  if (reading->rank_rows && structure->op != PLANNER_OP_NONE)
    planner_set_doubt (
        reader,
        g_strdup (
            "A total or an average of single rows can't be ranked. Say what it is a total of."));
  else if (!reading->rank_rows && structure->op == PLANNER_OP_NONE)
    planner_set_doubt (
        reader,
        g_strdup ("I can't tell whether the ranking goes by the total, the average or the largest "
                  "single value. Say which one."));
}

/* A question that names no operation: an amount is added up, things in groups are counted. */
static void
read_without_op (PlannerReader *reader)
{
  PlannerReading *reading = reader->reading;
  static const char *const openings[] = { "what", "show", "give", "tell", NULL };
  gboolean grouped = reading->groups->len > 0 || reader->structure.unit != PLANNER_UNIT_NONE;

  /* A mere noun asks for nothing. */
  if (!grouped && !reader->structure.is_how_much &&
      !planner_in_list (planner_get_token (reader, 0)->word, openings))
    return;
  if (read_measure (reader)) {
    if (adds_up (reading->measure.column))
      reading->op = PLANNER_OP_SUM;
    else
      planner_set_doubt (
          reader,
          g_strdup (
              "I can't tell whether you want the total, the average, the largest or the smallest "
              "value. Say which one."));
  } else if (grouped && !reader->structure.is_how_much) {
    reading->op = PLANNER_OP_COUNT;
    read_counted (reader, 0);
  }
}

static void
read_operation (PlannerReader *reader)
{
  PlannerReading *reading = reader->reading;
  PlannerStructure *structure = &reader->structure;

  if (structure->ops > 1) {
    planner_set_doubt (reader,
                       g_strdup ("It asks for several numbers at once. Ask for one at a time."));
    read_measure (reader);
    return;
  }
  if (structure->superlative != PLANNER_OP_NONE && read_ranked (reader)) {
    read_ranking (reader);
    return;
  }
  if (structure->which_at >= 0 && structure->superlative == PLANNER_OP_NONE &&
      structure->op == PLANNER_OP_NONE)
    return;
  if (structure->superlative != PLANNER_OP_NONE && structure->op != PLANNER_OP_NONE) {
    planner_set_doubt (reader,
                       g_strdup ("It asks for several numbers at once. Ask for one at a time."));
    return;
  }
  reading->op = structure->superlative != PLANNER_OP_NONE ? structure->superlative : structure->op;
  if (reading->op == PLANNER_OP_NONE)
    read_without_op (reader);
  else if (reading->op == PLANNER_OP_COUNT)
    read_counted (reader, structure->op_at);
  else if (!read_measure (reader) && !structure->is_latest)
    reading->op = PLANNER_OP_NONE;
}

/* Words of a verb say what happens to a row: they must belong to a column that is used, or to the
 * table itself. */
gboolean
planner_is_akin_to_words (const char *word, GStrv words)
{
  for (guint i = 0; words != NULL && words[i] != NULL; i++) {
    if (planner_akin_word (words[i], word))
      return TRUE;
  }
  return FALSE;
}

gboolean
planner_is_akin_to_column (const char *word, const PlumbCardColumn *column)
{
  g_auto (GStrv) name = planner_name_words (column->name);
  g_auto (GStrv) comment = column->comment != NULL ? planner_support_words (column->comment) : NULL;
  g_auto (GStrv) meaning = column->meaning != NULL ? planner_support_words (column->meaning) : NULL;

  return planner_is_akin_to_words (word, name) || planner_is_akin_to_words (word, comment) ||
         planner_is_akin_to_words (word, meaning);
}

/**
 * planner_read:
 * @trail: the trail
 * @table: the table to read it against
 * @tokens: the question
 * @today: the day that relative dates count from
 *
 * Returns: (transfer full): how the question reads if it is about @table
 */
PlannerReading *
planner_read (PlannerTrail *trail, PlannerTable *table, GPtrArray *tokens, const GDate *today)
{
  g_autoptr (GPtrArray) terms = planner_terms_new (trail, table);
  g_autoptr (GPtrArray) mentions =
      g_ptr_array_new_with_free_func ((GDestroyNotify) planner_mention_free);
  g_autofree guint8 *marks = g_new0 (guint8, tokens->len + 1);
  PlannerReader reader = { .tokens = tokens,
                           .trail = trail,
                           .table = table,
                           .terms = terms,
                           .mentions = mentions,
                           .marks = marks,
                           .today = today };

  reader.reading = reading_new (table);
  planner_find_phrases (&reader);
  planner_read_structure (&reader);
  planner_find_words (&reader);
  planner_prefer_event_date (&reader);
  planner_find_parts (&reader);
  read_groups (&reader);
  planner_read_filters (&reader);
  read_operation (&reader);
  planner_read_when (&reader);
  planner_read_rest (&reader);
  planner_structure_clear (&reader.structure);
  return reader.reading;
}
