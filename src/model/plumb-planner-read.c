/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-planner-private.h"

#include <string.h>

/* Costs of what a reading takes loosely; only readings of the same cost compete as equals. */
#define COST_PART 2
#define COST_NO_SUBJECT 1
#define COST_DISTINCT 4

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

/** planner_reading_is_whole: Returns: whether everything in the question is accounted for, in one way */
gboolean
planner_reading_is_whole (const PlannerReading *reading)
{
  return reading->unread->len == 0 && reading->doubt == NULL && reading->op != PLANNER_OP_NONE;
}

static PlannerToken *
get_token (PlannerReader *reader, guint i)
{
  return g_ptr_array_index (reader->tokens, i);
}

static void
set_doubt (PlannerReader *reader, char *doubt)
{
  if (reader->reading->doubt == NULL)
    reader->reading->doubt = doubt;
  else
    g_free (doubt);
}

static char *
quote_mention (PlannerReader *reader, PlannerMention *mention)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = mention->first; i <= mention->last; i++)
    g_string_append_printf (text, "%s%s", i > mention->first ? " " : "", get_token (reader, i)->text);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static PlannerDateForm
get_form (const PlannerPlace *place)
{
  return planner_date_form (place->table, place->column);
}

/* The one column that a mention names; where it fits several, the question is in doubt. */
static PlannerTerm *
get_column (PlannerReader *reader, PlannerMention *mention)
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
      text = quote_mention (reader, mention);
      one = planner_column_title (found->place.column);
      other = planner_column_title (term->place.column);
      set_doubt (reader, g_strdup_printf ("“%s” can be the %s or the %s. Say which one you mean.", text, one, other));
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
  if (get_form (&term->place) != PLANNER_DATE_NONE) {
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
  return reader->structure.superlative != PLANNER_OP_NONE && planner_is_number (term->place.column) &&
         !is_key_like (term->place.column);
}

static void
read_group_after (PlannerReader *reader, guint mark)
{
  PlannerMention *mention = planner_mention_after (reader, mark + 1, 2);
  gboolean is_by = g_str_equal (get_token (reader, mark)->word, "by");
  PlannerTerm *term;

  while (mention != NULL && mention->role == PLANNER_ROLE_NONE) {
    guint next = mention->last + 1;

    if (planner_mention_get (mention, PLANNER_TERM_TABLE) != NULL && !is_by)
      return;
    if (is_by && planner_mention_get (mention, PLANNER_TERM_VALUE) != NULL)
      return;
    term = planner_mention_get (mention, PLANNER_TERM_COLUMN) != NULL ? get_column (reader, mention) : NULL;
    if (term == NULL || is_ranked_by (reader, term))
      return;
    add_group (reader, mention, term);
    if (next >= reader->tokens->len || !g_str_equal (get_token (reader, next)->word, "and"))
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
static void
name_subject (PlannerReader *reader, PlannerMention *mention)
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
      name_subject (reader, mention);
      return;
    }
    term = mention->is_partial ? NULL : get_column (reader, mention);
    if (term == NULL || term->place.link != NULL ||
        (!reader->structure.distinct && !is_key_like (term->place.column)))
      return;
    mention->role = PLANNER_ROLE_SUBJECT;
    if (is_sole_primary_key (reader->table, term->place.column)) {
      reading->has_subject = TRUE;
      reading->cost += COST_NO_SUBJECT;
    } else {
      reading->distinct = term->place.column;
      reading->cost += COST_DISTINCT;
    }
    return;
  }
}

/* The column that is summed, averaged or looked for the greatest value in. */
static gboolean
read_measure (PlannerReader *reader)
{
  PlannerReading *reading = reader->reading;
  gboolean dates = reader->structure.is_latest;

  for (guint i = 0; i < reader->mentions->len; i++) {
    PlannerMention *mention = g_ptr_array_index (reader->mentions, i);
    PlannerTerm *term;

    if (mention->role != PLANNER_ROLE_NONE || planner_mention_get (mention, PLANNER_TERM_COLUMN) == NULL ||
        planner_mention_get (mention, PLANNER_TERM_TABLE) != NULL)
      continue;
    term = get_column (reader, mention);
    if (term == NULL)
      return FALSE;
    if (term->place.link != NULL || (dates ? get_form (&term->place) == PLANNER_DATE_NONE
                                           : !planner_is_number (term->place.column) ||
                                                 is_key_like (term->place.column)))
      continue;
    reading->measure = term->place;
    mention->role = PLANNER_ROLE_MEASURE;
    return TRUE;
  }
  return FALSE;
}

/* Amounts and quantities add up; prices, rates and fees are no sum unless one is asked for. */
static gboolean
adds_up (const PlumbCardColumn *column)
{
  static const char *const words[] = { "amount", "quantity", "total", "sum", "count", "revenue", "turnover", NULL };
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
    name_subject (reader, mention);
    reading->rank_rows = TRUE;
    return TRUE;
  }
  term = mention->is_partial ? NULL : get_column (reader, mention);
  if (term == NULL || get_form (&term->place) != PLANNER_DATE_NONE || is_ranked_by (reader, term))
    return FALSE;
  add_group (reader, mention, term);
  return TRUE;
}

/* "which month had": the list is one of stretches of time. */
static gboolean
take_ranked_unit (PlannerReader *reader)
{
  int at = reader->structure.which_at + 1;

  if (reader->structure.which_at < 0 || at >= (int) reader->tokens->len || reader->marks[at] != PLANNER_MARK_FREE ||
      planner_read_unit (get_token (reader, at)->word) == PLANNER_UNIT_NONE)
    return FALSE;
  reader->structure.unit = planner_read_unit (get_token (reader, at)->word);
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
    if (reader->marks[i] != PLANNER_MARK_FREE || planner_read_count (reader->tokens, i, &count) == 0 || count < 1 ||
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
  if (structure->op == PLANNER_OP_COUNT || (structure->op == PLANNER_OP_NONE && structure->is_most)) {
    reading->op = PLANNER_OP_COUNT;
    read_counted (reader, structure->superlative_at);
    if (reading->rank_rows || reading->distinct != NULL || !reading->has_subject)
      set_doubt (reader, g_strdup ("I can't tell what is counted for the ranking."));
    return;
  }
  if (!read_measure (reader)) {
    if (reading->rank_rows && structure->is_latest)
      reading->op = structure->superlative;
    else
      set_doubt (reader, g_strdup ("I can't tell which amount or quantity the ranking goes by. Name it."));
    return;
  }
  reading->op = structure->op != PLANNER_OP_NONE ? structure->op : structure->superlative;
  if (reading->rank_rows && structure->op != PLANNER_OP_NONE)
    set_doubt (reader, g_strdup ("A total or an average of single rows can't be ranked. Say what it is a total of."));
  else if (!reading->rank_rows && structure->op == PLANNER_OP_NONE)
    set_doubt (reader, g_strdup ("I can't tell whether the ranking goes by the total, the average or the largest "
                                 "single value. Say which one."));
}

/* A question that names no operation: an amount is added up, things in groups are counted. */
static void
read_without_op (PlannerReader *reader)
{
  PlannerReading *reading = reader->reading;
  gboolean grouped = reading->groups->len > 0 || reader->structure.unit != PLANNER_UNIT_NONE;

  if (read_measure (reader)) {
    if (adds_up (reading->measure.column))
      reading->op = PLANNER_OP_SUM;
    else
      set_doubt (reader, g_strdup ("I can't tell whether you want the total, the average, the largest or the smallest "
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
    set_doubt (reader, g_strdup ("It asks for several numbers at once. Ask for one at a time."));
    return;
  }
  if (structure->superlative != PLANNER_OP_NONE && read_ranked (reader)) {
    read_ranking (reader);
    return;
  }
  if (structure->which_at >= 0 && structure->superlative == PLANNER_OP_NONE && structure->op == PLANNER_OP_NONE)
    return;
  if (structure->superlative != PLANNER_OP_NONE && structure->op != PLANNER_OP_NONE) {
    set_doubt (reader, g_strdup ("It asks for several numbers at once. Ask for one at a time."));
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

/* Words of a verb say what happens to a row: they must belong to a column that is used, or to the
 * table itself. */
static gboolean
is_akin_to_words (const char *word, GStrv words)
{
  for (guint i = 0; words != NULL && words[i] != NULL; i++) {
    if (planner_akin_word (words[i], word))
      return TRUE;
  }
  return FALSE;
}

static gboolean
is_akin_to_column (const char *word, const PlumbCardColumn *column)
{
  g_auto (GStrv) name = planner_name_words (column->name);
  g_auto (GStrv) comment = column->comment != NULL ? planner_support_words (column->comment) : NULL;
  g_auto (GStrv) meaning = column->meaning != NULL ? planner_support_words (column->meaning) : NULL;

  return is_akin_to_words (word, name) || is_akin_to_words (word, comment) || is_akin_to_words (word, meaning);
}

/* A date that something is planned, asked or due for isn't that on which it happened. */
static gboolean
is_wish (const PlumbCardColumn *column)
{
  static const char *const words[] = { "asked",    "requested", "request", "required", "expected",  "planned", "due",
                                       "target",   "promised",  "wish",    "wished",   "scheduled", "estimated",
                                       "deadline", "hoped",     "plan",    NULL };
  g_auto (GStrv) name = planner_name_words (column->name);
  g_auto (GStrv) comment = column->comment != NULL ? planner_support_words (column->comment) : NULL;

  for (guint i = 0; name[i] != NULL; i++) {
    if (planner_in_list (name[i], words))
      return TRUE;
  }
  for (guint i = 0; comment != NULL && comment[i] != NULL; i++) {
    if (planner_in_list (comment[i], words))
      return TRUE;
  }
  return FALSE;
}

static gboolean
is_event_date (const char *word, const PlumbCardColumn *column)
{
  return !is_wish (column) && is_akin_to_column (word, column);
}

/* Columns of dates of the table. */
static GPtrArray *
list_dates (PlannerTable *table)
{
  GPtrArray *dates = g_ptr_array_new ();

  for (guint i = 0; i < table->card->columns->len; i++) {
    PlumbCardColumn *column = g_ptr_array_index (table->card->columns, i);

    if (planner_date_form (table, column) != PLANNER_DATE_NONE)
      g_ptr_array_add (dates, column);
  }
  return dates;
}

/* Whether the date is that of the row itself: the order date of an order. */
static gboolean
is_own_date (PlannerTable *table, const PlumbCardColumn *column)
{
  g_auto (GStrv) words = planner_name_words (column->name);
  gboolean own = FALSE;

  for (guint i = 0; words[i] != NULL; i++) {
    gboolean is_entity = FALSE;

    if (planner_is_generic (words[i]) || g_str_equal (words[i], "month"))
      continue;
    for (guint j = 0; table->entity[j] != NULL && !is_entity; j++)
      is_entity = planner_akin_word (table->entity[j], words[i]);
    if (!is_entity)
      return FALSE;
    own = TRUE;
  }
  return own;
}

/* When a row was written or changed in the database says nothing of what it is about. */
static gboolean
is_bookkeeping (const PlumbCardColumn *column)
{
  static const char *const words[] = { "update", "updated", "modified", "modify", "change", "changed", "insert",
                                       "row",    "last",    NULL };
  g_auto (GStrv) name = planner_name_words (column->name);
  g_auto (GStrv) comment = column->comment != NULL ? planner_support_words (column->comment) : NULL;

  for (guint i = 0; name[i] != NULL; i++) {
    if (planner_in_list (name[i], words))
      return TRUE;
  }
  return comment != NULL && comment[0] != NULL && planner_in_list (comment[0], words);
}

/* The one column of @dates that fits, %NULL for none or several. */
static PlumbCardColumn *
find_one (PlannerTable *table, GPtrArray *dates, gboolean (*fits) (PlannerTable *, const PlumbCardColumn *))
{
  PlumbCardColumn *found = NULL;

  for (guint i = 0; i < dates->len; i++) {
    PlumbCardColumn *column = g_ptr_array_index (dates, i);

    if (!fits (table, column))
      continue;
    if (found != NULL)
      return NULL;
    found = column;
  }
  return found;
}

static gboolean
is_no_bookkeeping (PlannerTable *table, const PlumbCardColumn *column)
{
  return !is_bookkeeping (column);
}

/* A date named in the question, or by its verb. */
static PlumbCardColumn *
find_named_date (PlannerReader *reader, GPtrArray *dates)
{
  PlumbCardColumn *found = NULL;

  for (guint i = 0; i < reader->mentions->len; i++) {
    PlannerMention *mention = g_ptr_array_index (reader->mentions, i);
    PlannerTerm *term = planner_mention_get (mention, PLANNER_TERM_COLUMN);

    if (mention->role != PLANNER_ROLE_NONE || term == NULL || term->place.link != NULL ||
        get_form (&term->place) == PLANNER_DATE_NONE)
      continue;
    term = get_column (reader, mention);
    mention->role = PLANNER_ROLE_PERIOD;
    if (term != NULL)
      found = term->place.column;
  }
  for (guint i = 0; found == NULL && i < reader->tokens->len; i++) {
    PlumbCardColumn *akin = NULL;
    guint n = 0;
    const char *word = get_token (reader, i)->word;

    if (reader->marks[i] != PLANNER_MARK_FREE || !planner_is_participle (word))
      continue;
    for (guint j = 0; j < dates->len; j++) {
      if (is_event_date (word, g_ptr_array_index (dates, j))) {
        akin = g_ptr_array_index (dates, j);
        n++;
      }
    }
    if (n != 1)
      continue;
    found = akin;
    reader->marks[i] = PLANNER_MARK_SUPPORT;
    if (is_akin_to_words (word, reader->table->entity))
      reader->reading->has_subject = TRUE;
  }
  return found;
}

static void
doubt_dates (PlannerReader *reader, GPtrArray *dates)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < dates->len; i++) {
    g_autofree char *title = planner_column_title (g_ptr_array_index (dates, i));

    g_string_append_printf (text, "%s%s", i == 0 ? "" : i + 1 == dates->len ? " or " : ", ", title);
  }
  if (dates->len == 0)
    set_doubt (reader, g_strdup ("There is no date there that the period could be about."));
  else
    set_doubt (reader, g_strdup_printf ("I can't tell which date the period is about: %s. Name one.", text->str));
}

static PlumbCardColumn *
find_date (PlannerReader *reader)
{
  PlannerTable *table = reader->table;
  g_autoptr (GPtrArray) dates = list_dates (table);
  PlumbCardColumn *found = find_named_date (reader, dates);

  if (found == NULL)
    found = find_one (table, dates, is_own_date);
  if (found == NULL)
    found = find_one (table, dates, is_no_bookkeeping);
  if (found == NULL)
    doubt_dates (reader, dates);
  return found;
}

/* A state that something is in from its beginning: its age is that of the thing. */
static gboolean
is_first_state (const char *label)
{
  static const char *const states[] = { "open", "pending", "new", "outstanding", "waiting", "draft", NULL };
  g_autofree char *word = g_utf8_strdown (label, -1);

  return g_str_has_prefix (word, "un") || planner_in_list (word, states);
}

static gboolean
is_attribute (PlannerReader *reader, PlannerMention *mention)
{
  PlannerMention *after = planner_mention_after (reader, mention->last + 1, 0);

  return after != NULL && after->role == PLANNER_ROLE_SUBJECT;
}

/* "cancelled last month": the period is about the cancelling, and no date says when that was. A
 * "cancelled order of last month" is one placed then. */
static void
check_event (PlannerReader *reader)
{
  PlannerStructure *structure = &reader->structure;
  PlannerMention *mention = planner_mention_before (reader, structure->period_first, 2);
  PlannerTerm *value = planner_mention_get (mention, PLANNER_TERM_VALUE);
  g_autofree char *word = NULL;

  if (value == NULL || mention->role != PLANNER_ROLE_FILTER)
    return;
  word = g_utf8_strdown (value->label, -1);
  if (structure->period.is_state ? !is_first_state (value->label)
                                 : planner_is_participle (word) && !g_str_has_prefix (word, "un") &&
                                       !is_attribute (reader, mention))
    set_doubt (reader, g_strdup_printf ("I can't tell since when something is “%s”: no date says so. Put the period "
                                        "next to a date that there is.",
                                        value->label));
}

static void
read_period (PlannerReader *reader)
{
  PlannerReading *reading = reader->reading;
  PlannerStructure *structure = &reader->structure;
  PlumbCardColumn *column;
  PlannerFilter *filter;

  if (structure->periods > 1)
    set_doubt (reader, g_strdup ("It speaks of several periods. Ask for one at a time."));
  reading->unit = structure->unit;
  if (structure->periods == 0 && (structure->unit == PLANNER_UNIT_NONE || reading->unit_place.column != NULL) &&
      !(structure->is_latest && reading->measure.column == NULL))
    return;
  column = reading->unit_place.column != NULL ? reading->unit_place.column : find_date (reader);
  if (column == NULL)
    return;
  reading->unit_place = (PlannerPlace) { reader->table, column, NULL };
  if (structure->is_latest && reading->measure.column == NULL)
    reading->measure = reading->unit_place;
  if (structure->periods == 0)
    return;
  check_event (reader);
  filter = g_new0 (PlannerFilter, 1);
  filter->kind = PLANNER_FILTER_PERIOD;
  filter->place = reading->unit_place;
  filter->period = structure->period;
  filter->values = g_ptr_array_new_with_free_func (g_free);
  filter->labels = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (reading->filters, filter);
}

/* "delivered in October": where a date says when it was delivered, the period is about that date, and
 * the state follows from it. */
static void
prefer_event_date (PlannerReader *reader)
{
  PlannerStructure *structure = &reader->structure;
  g_autoptr (GPtrArray) dates = list_dates (reader->table);

  for (guint i = 0; structure->periods == 1 && i < reader->mentions->len; i++) {
    PlannerMention *mention = g_ptr_array_index (reader->mentions, i);
    const char *word = get_token (reader, mention->first)->word;
    guint n = 0;

    if (mention->first != mention->last || !planner_is_participle (word) ||
        planner_mention_get (mention, PLANNER_TERM_VALUE) == NULL ||
        !planner_only_fillers (reader, mention->last + 1, structure->period_first) ||
        structure->period_first < mention->last || structure->period.is_state)
      continue;
    for (guint j = 0; j < dates->len; j++)
      n += is_event_date (word, g_ptr_array_index (dates, j));
    if (n != 1)
      continue;
    reader->marks[mention->first] = PLANNER_MARK_FREE;
    g_ptr_array_remove_index (reader->mentions, i);
    return;
  }
}

/* "paid" belongs to a condition on the payment method, "weigh" to one on the weight. */
static gboolean
is_akin_to_filter (const char *word, const PlannerFilter *filter)
{
  g_auto (GStrv) name = planner_name_words (filter->place.column->name);

  if (is_akin_to_words (word, name))
    return TRUE;
  return planner_is_participle (word) && (is_akin_to_column (word, filter->place.column) ||
                                  (filter->place.link != NULL && is_akin_to_column (word, filter->place.link)));
}

static void
read_support (PlannerReader *reader)
{
  PlannerReading *reading = reader->reading;

  for (guint i = 0; i < reader->tokens->len; i++) {
    const char *word = get_token (reader, i)->word;
    gboolean akin = FALSE;

    if (reader->marks[i] != PLANNER_MARK_FREE || planner_is_filler (word))
      continue;
    for (guint j = 0; j < reading->filters->len && !akin; j++)
      akin = is_akin_to_filter (word, g_ptr_array_index (reading->filters, j));
    if (!akin && !planner_is_participle (word))
      continue;
    if (!akin && is_akin_to_words (word, reader->table->entity)) {
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
  PlannerToken *token = get_token (reader, i);

  return reader->marks[i] == PLANNER_MARK_FREE && (token->is_quoted || !planner_is_filler (token->word));
}

/* "the city Atlantis": the column belongs to the unread word behind it. */
static gboolean
leads_to_unread (PlannerReader *reader, PlannerMention *mention)
{
  guint next = mention->last + 1;

  while (next < reader->tokens->len && next <= mention->last + 2 && planner_only_fillers (reader, next, next + 1))
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
      reader->reading->cost += COST_PART;
    if (mention->role != PLANNER_ROLE_NONE)
      continue;
    if (planner_mention_get (mention, PLANNER_TERM_TABLE) != NULL)
      name_subject (reader, mention);
    else if (term == NULL || (!is_used (reader, &term->place) && !leads_to_unread (reader, mention)))
      g_ptr_array_add (reader->reading->unread, quote_mention (reader, mention));
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
    g_string_append_printf (text, "%s%s", i > first ? " " : "", get_token (reader, i)->text);
    g_strv_builder_add (words, get_token (reader, i)->word);
  }
  span->first = first;
  span->last = last;
  span->words = g_strv_builder_end (words);
  span->before = find_place_before (reader, first);
  span->text = g_string_free (g_steal_pointer (&text), FALSE);
  g_ptr_array_add (reader->reading->unread, g_strdup (span->text));
  g_ptr_array_add (reader->reading->spans, span);
}

static void
read_leftover_words (PlannerReader *reader)
{
  for (guint i = 0; i < reader->tokens->len; i++) {
    guint last = i;

    if (!is_unread (reader, i))
      continue;
    while (last + 1 < reader->tokens->len && is_unread (reader, last + 1) && !get_token (reader, i)->is_quoted &&
           !get_token (reader, last + 1)->is_quoted)
      last++;
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

    if (place->link == NULL && planner_linked_table (reader->trail, reader->table, place->column, NULL, &full_name) == NULL &&
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
          found = planner_same_word (get_token (reader, n)->word, term->words[j]);
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
      set_doubt (reader, g_strdup ("The table keeps former values beside those that are valid now, and I can't tell which "
                                   "are meant."));
  }
  if (planner_has_word ((const char *const *) name, "snapshot") || planner_has_word ((const char *const *) name, "snap"))
    set_doubt (reader, g_strdup ("The table holds the same things again at several points in time, and I can't tell which "
                                 "are meant."));
}

static void
finish (PlannerReader *reader)
{
  PlannerReading *reading = reader->reading;

  read_support (reader);
  read_leftover_mentions (reader);
  read_leftover_words (reader);
  find_needs (reader);
  check_times (reader);
  if (!reading->has_subject && reading->measure.column != NULL)
    reading->has_subject = is_named_within (reader);
  if (reading->op == PLANNER_OP_COUNT && !reading->has_subject)
    set_doubt (reader, g_strdup ("I can't tell what is to be counted."));
  else if (reading->op == PLANNER_OP_NONE)
    set_doubt (reader, g_strdup ("I can't tell what number you want: how many, a total, an average, the largest or the "
                                 "smallest, and of what."));
  if (!reading->has_subject)
    reading->cost += COST_NO_SUBJECT;
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
  g_autoptr (GPtrArray) mentions = g_ptr_array_new_with_free_func ((GDestroyNotify) planner_mention_free);
  g_autofree guint8 *marks = g_new0 (guint8, tokens->len + 1);
  PlannerReader reader = { .tokens = tokens, .trail = trail,   .table = table, .terms = terms,
                           .mentions = mentions, .marks = marks, .today = today };

  reader.reading = reading_new (table);
  planner_find_phrases (&reader);
  planner_read_structure (&reader);
  planner_find_words (&reader);
  prefer_event_date (&reader);
  planner_find_parts (&reader);
  read_groups (&reader);
  planner_read_filters (&reader);
  read_operation (&reader);
  read_period (&reader);
  finish (&reader);
  planner_structure_clear (&reader.structure);
  return reader.reading;
}
