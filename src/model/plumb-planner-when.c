/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-planner-private.h"

/* A date that something is planned, asked or due for isn't that on which it happened. */
static gboolean
is_wish (const PlumbCardColumn *column)
{
  static const char *const words[] = { "asked",   "requested", "request",   "required", "expected",
                                       "planned", "due",       "target",    "promised", "wish",
                                       "wished",  "scheduled", "estimated", "deadline", "hoped",
                                       "plan",    NULL };
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
  return !is_wish (column) && planner_is_akin_to_column (word, column);
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
  static const char *const words[] = { "update",  "updated", "modified", "modify", "change",
                                       "changed", "insert",  "row",      "last",   NULL };
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
find_one (PlannerTable *table, GPtrArray *dates,
          gboolean (*fits) (PlannerTable *, const PlumbCardColumn *))
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
        planner_get_form (&term->place) == PLANNER_DATE_NONE)
      continue;
    term = planner_get_column (reader, mention);
    mention->role = PLANNER_ROLE_PERIOD;
    if (term != NULL)
      found = term->place.column;
  }
  for (guint i = 0; found == NULL && i < reader->tokens->len; i++) {
    PlumbCardColumn *akin = NULL;
    guint n = 0;
    const char *word = planner_get_token (reader, i)->word;

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
    if (planner_is_akin_to_words (word, reader->table->entity))
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
    planner_set_doubt (reader, g_strdup ("There is no date there that the period could be about."));
  else
    planner_set_doubt (
        reader,
        g_strdup_printf ("I can't tell which date the period is about: %s. Name one.", text->str));
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
  static const char *const states[] = { "open",    "pending", "new", "outstanding",
                                        "waiting", "draft",   NULL };
  g_autofree char *word = g_utf8_strdown (label, -1);

  return g_str_has_prefix (word, "un") || planner_in_list (word, states);
}

static gboolean
is_attribute (PlannerReader *reader, PlannerMention *mention)
{
  PlannerMention *after = planner_mention_after (reader, mention->last + 1, 0);

  return after != NULL && after->role == PLANNER_ROLE_SUBJECT;
}

static void
doubt_event (PlannerReader *reader, const char *state)
{
  reader->reading->is_event_unknown = TRUE;
  planner_set_doubt (reader,
                     g_strdup_printf ("I can't tell since when something is “%s”: no date says so. "
                                      "Put the period next to a date that there is.",
                                      state));
}

/* "shipped for more than 10 days": when it was shipped doesn't say that it still is. */
static void
check_state_verb (PlannerReader *reader)
{
  guint at = reader->structure.period_first;
  const char *word;

  if (!reader->structure.period.is_state || at == 0)
    return;
  word = planner_get_token (reader, at - 1)->word;
  if (planner_is_participle (word) && !is_first_state (word))
    doubt_event (reader, word);
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

  if (value == NULL || mention->role != PLANNER_ROLE_FILTER) {
    check_state_verb (reader);
    return;
  }
  word = g_utf8_strdown (value->label, -1);
  if (structure->period.is_state ? !is_first_state (value->label)
                                 : planner_is_participle (word) && !g_str_has_prefix (word, "un") &&
                                       !is_attribute (reader, mention))
    doubt_event (reader, value->label);
}

/* Dates that tell the month alone have no days to group by. */
static void
check_unit (PlannerReader *reader)
{
  static const char *const names[] = { "", "days", "weeks", "months", "quarters", "years" };
  PlannerReading *reading = reader->reading;
  const PlannerPlace *place = &reading->unit_place;

  if (reading->unit != PLANNER_UNIT_NONE && place->column != NULL &&
      !planner_can_tell_unit (place, reading->unit))
    planner_set_doubt (reader,
                       g_strdup_printf ("It asks for %s, and I can't tell those from the dates in %s.",
                                        names[reading->unit], place->column->name));
}

void
planner_read_when (PlannerReader *reader)
{
  PlannerReading *reading = reader->reading;
  PlannerStructure *structure = &reader->structure;
  PlumbCardColumn *column;
  PlannerFilter *filter;

  if (structure->periods > 1)
    planner_set_doubt (reader, g_strdup ("It speaks of several periods. Ask for one at a time."));
  reading->unit = structure->unit;
  check_unit (reader);
  if (structure->periods == 0 &&
      (structure->unit == PLANNER_UNIT_NONE || reading->unit_place.column != NULL) &&
      !(structure->is_latest && reading->measure.column == NULL))
    return;
  column = reading->unit_place.column != NULL ? reading->unit_place.column : find_date (reader);
  if (column == NULL)
    return;
  reading->unit_place = (PlannerPlace) { reader->table, column, NULL };
  check_unit (reader);
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

/* "delivered in October": where a date says when it was delivered, the period is about that date,
 * and the state follows from it. */
void
planner_prefer_event_date (PlannerReader *reader)
{
  PlannerStructure *structure = &reader->structure;
  g_autoptr (GPtrArray) dates = list_dates (reader->table);

  for (guint i = 0; structure->periods == 1 && i < reader->mentions->len; i++) {
    PlannerMention *mention = g_ptr_array_index (reader->mentions, i);
    const char *word = planner_get_token (reader, mention->first)->word;
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
