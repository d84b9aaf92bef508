/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-planner-private.h"

#include <string.h>

/** planner_same_place: Returns: whether two places are the same column, reached the same way */
gboolean
planner_same_place (const PlannerPlace *a, const PlannerPlace *b)
{
  return a->table == b->table && a->column == b->column && a->link == b->link;
}

/* The column of the question's own table that a place stands for. */
static PlumbCardColumn *
get_own_column (const PlannerPlace *place)
{
  return place->link != NULL ? place->link : place->column;
}

static const char *
get_text (PlannerReader *reader, guint i)
{
  return ((PlannerToken *) g_ptr_array_index (reader->tokens, i))->text;
}

static char *
quote_tokens (PlannerReader *reader, guint first, guint last)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = first; i <= last; i++)
    g_string_append_printf (text, "%s%s", i > first ? " " : "", get_text (reader, i));
  return g_string_free (g_steal_pointer (&text), FALSE);
}

G_GNUC_PRINTF (2, 3)
static void
set_doubt (PlannerReader *reader, const char *format, ...)
{
  va_list arguments;

  if (reader->reading->doubt != NULL)
    return;
  va_start (arguments, format);
  reader->reading->doubt = g_strdup_vprintf (format, arguments);
  va_end (arguments);
}

static char *
list_places (GPtrArray *terms)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < terms->len; i++) {
    PlannerTerm *term = g_ptr_array_index (terms, i);
    g_autofree char *title =
        term->place.column != NULL ? planner_column_title (term->place.column) : NULL;

    if (title != NULL)
      g_string_append_printf (text, "%s%s",
                              text->len == 0        ? ""
                              : i + 1 == terms->len ? " or "
                                                    : ", ",
                              title);
  }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static PlannerFilter *
add_filter (PlannerReader *reader, PlannerFilterKind kind, const PlannerPlace *place)
{
  PlannerFilter *filter = g_new0 (PlannerFilter, 1);

  filter->kind = kind;
  filter->place = *place;
  filter->values = g_ptr_array_new_with_free_func (g_free);
  filter->labels = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (reader->reading->filters, filter);
  return filter;
}

/* Whether a column named by @mention is the one that a value is of. */
static gboolean
supports (PlannerMention *mention, const PlannerPlace *place)
{
  for (guint i = 0; mention != NULL && i < mention->terms->len; i++) {
    PlannerTerm *term = g_ptr_array_index (mention->terms, i);

    if (term->kind == PLANNER_TERM_COLUMN &&
        (planner_same_place (&term->place, place) ||
         get_own_column (&term->place) == get_own_column (place)))
      return TRUE;
  }
  return FALSE;
}

/* Keeps those terms that @mention names the column of, if any. */
static void
narrow (GPtrArray *terms, PlannerMention *mention)
{
  g_autoptr (GPtrArray) kept = g_ptr_array_new ();

  for (guint i = 0; mention != NULL && i < terms->len; i++) {
    PlannerTerm *term = g_ptr_array_index (terms, i);

    if (supports (mention, &term->place))
      g_ptr_array_add (kept, term);
  }
  if (kept->len == 0)
    return;
  g_ptr_array_set_size (terms, 0);
  for (guint i = 0; i < kept->len; i++)
    g_ptr_array_add (terms, g_ptr_array_index (kept, i));
}

/* A code and the name of what it leads to are the same condition: the code needs no join. */
static void
drop_linked_twins (GPtrArray *terms)
{
  for (guint i = terms->len; i > 0; i--) {
    PlannerTerm *term = g_ptr_array_index (terms, i - 1);

    for (guint j = 0; term->place.link != NULL && j < terms->len; j++) {
      PlannerTerm *other = g_ptr_array_index (terms, j);

      if (other->place.link == NULL && other->place.column == term->place.link) {
        g_ptr_array_remove_index (terms, i - 1);
        break;
      }
    }
  }
}

/* "warehouse Hamburg": where the thing itself is named right before, its name is meant, not another
 * column of it. */
static void
prefer_names (GPtrArray *terms, PlannerMention *before)
{
  g_autoptr (GPtrArray) kept = g_ptr_array_new ();

  for (guint i = 0; before != NULL && i < terms->len; i++) {
    PlannerTerm *term = g_ptr_array_index (terms, i);

    if (term->place.column == planner_name_column (term->place.table) &&
        (term->place.link != NULL ? supports (before, &term->place)
                                  : planner_mention_get (before, PLANNER_TERM_TABLE) != NULL))
      g_ptr_array_add (kept, term);
  }
  if (kept->len == 1) {
    PlannerTerm *term = g_ptr_array_index (kept, 0);

    g_ptr_array_set_size (terms, 0);
    g_ptr_array_add (terms, term);
  }
}

/* The one value that a mention means, by the columns that are named near it. */
static PlannerTerm *
choose_value (PlannerReader *reader, PlannerMention *mention)
{
  g_autoptr (GPtrArray) terms = g_ptr_array_new ();
  PlannerMention *before = planner_mention_before (reader, mention->first, 2);
  PlannerMention *after = planner_mention_after (reader, mention->last + 1, 1);

  for (guint i = 0; i < mention->terms->len; i++) {
    PlannerTerm *term = g_ptr_array_index (mention->terms, i);

    if (term->kind == PLANNER_TERM_VALUE)
      g_ptr_array_add (terms, term);
  }
  narrow (terms, before);
  if (terms->len > 1)
    narrow (terms, after);
  drop_linked_twins (terms);
  if (terms->len > 1)
    prefer_names (terms, before);
  for (guint i = 0; terms->len > 1 && i < reader->mentions->len; i++) {
    PlannerMention *other = g_ptr_array_index (reader->mentions, i);

    if (other != mention && other->role != PLANNER_ROLE_GROUP)
      narrow (terms, other);
  }
  if (terms->len > 1) {
    g_autofree char *text = quote_tokens (reader, mention->first, mention->last);
    g_autofree char *places = list_places (terms);

    set_doubt (reader, "“%s” fits more than one thing: %s. Say which one you mean.", text, places);
    return NULL;
  }
  return g_ptr_array_index (terms, 0);
}

/* Whether a mention that could be a value is rather the table or a column. */
static gboolean
is_rather_name (PlannerReader *reader, PlannerMention *mention)
{
  PlannerTerm *column = planner_mention_get (mention, PLANNER_TERM_COLUMN);

  if (planner_mention_get (mention, PLANNER_TERM_TABLE) != NULL) {
    for (guint i = 0; i < reader->mentions->len; i++) {
      PlannerMention *other = g_ptr_array_index (reader->mentions, i);

      if (other != mention && planner_mention_get (other, PLANNER_TERM_TABLE) != NULL)
        return FALSE;
    }
    return TRUE;
  }
  /* "store Berlin": the store that has a name, not the sales channel. */
  if (column != NULL) {
    PlannerMention *after = planner_mention_after (reader, mention->last + 1, 0);
    PlannerTerm *value = planner_mention_get (after, PLANNER_TERM_VALUE);

    if (value != NULL && supports (mention, &value->place))
      return TRUE;
  }
  /* "closed last month" is about the day of closing, "closed tickets" about the status. */
  return column != NULL && reader->structure.periods == 1 &&
         planner_date_form (column->place.table, column->place.column) != PLANNER_DATE_NONE;
}

static gboolean
is_negated (PlannerReader *reader, PlannerMention *mention)
{
  GArray *negations = reader->structure.negations;

  for (guint i = 0; i < negations->len; i++) {
    guint at = g_array_index (negations, guint, i);
    guint start = at + 1;

    while (start < mention->first && reader->marks[start] == PLANNER_MARK_STRUCTURE)
      start++;
    if (at < mention->first && mention->first <= start + 2 &&
        planner_only_fillers (reader, start, mention->first)) {
      g_array_remove_index (negations, i);
      return TRUE;
    }
  }
  return FALSE;
}

/* Whether "and" or "or" stands between two places of the question; an "or" is then read. */
static gboolean
are_listed (PlannerReader *reader, guint first, guint last)
{
  gboolean listed = FALSE;

  for (guint i = first; i < last; i++) {
    const char *word = ((PlannerToken *) g_ptr_array_index (reader->tokens, i))->word;

    if (g_str_equal (word, "and") || g_str_equal (word, "or")) {
      listed = TRUE;
      reader->marks[i] = PLANNER_MARK_SUPPORT;
    }
  }
  return listed;
}

static PlannerFilter *
find_filter (PlannerReader *reader, const PlannerPlace *place)
{
  for (guint i = 0; i < reader->reading->filters->len; i++) {
    PlannerFilter *filter = g_ptr_array_index (reader->reading->filters, i);

    if (filter->kind == PLANNER_FILTER_VALUES && planner_same_place (&filter->place, place))
      return filter;
  }
  return NULL;
}

static void
add_value_filter (PlannerReader *reader, PlannerMention *mention, const PlannerTerm *term,
                  guint *last_value)
{
  PlannerFilter *filter = find_filter (reader, &term->place);
  gboolean negated = is_negated (reader, mention);

  if (filter != NULL &&
      (!are_listed (reader, *last_value, mention->first) || (negated && !filter->negated))) {
    g_autofree char *title = planner_column_title (term->place.column);

    set_doubt (reader, "It asks for two values of %s at once. Ask for one, or join them with “or”.",
               title);
    return;
  }
  if (filter == NULL) {
    filter = add_filter (reader, PLANNER_FILTER_VALUES, &term->place);
    filter->negated = negated;
  }
  g_ptr_array_add (filter->values, g_strdup (term->value));
  g_ptr_array_add (filter->labels, g_strdup (term->label));
}

/* The column that is named next to its value says nothing more. */
static void
mark_support (PlannerReader *reader, PlannerMention *mention, const PlannerPlace *place)
{
  PlannerMention *neighbours[2] = { planner_mention_before (reader, mention->first, 2),
                                    planner_mention_after (reader, mention->last + 1, 1) };

  for (guint i = 0; i < G_N_ELEMENTS (neighbours); i++) {
    if (neighbours[i] != NULL && neighbours[i]->role == PLANNER_ROLE_NONE &&
        supports (neighbours[i], place) &&
        planner_mention_get (neighbours[i], PLANNER_TERM_TABLE) == NULL)
      neighbours[i]->role = PLANNER_ROLE_SUPPORT;
  }
}

static void
read_values (PlannerReader *reader)
{
  guint last_value = 0;

  for (guint i = 0; i < reader->mentions->len; i++) {
    PlannerMention *mention = g_ptr_array_index (reader->mentions, i);
    PlannerTerm *term;

    if (mention->role != PLANNER_ROLE_NONE ||
        planner_mention_get (mention, PLANNER_TERM_VALUE) == NULL ||
        is_rather_name (reader, mention))
      continue;
    mention->role = PLANNER_ROLE_FILTER;
    term = choose_value (reader, mention);
    if (term == NULL)
      continue;
    mark_support (reader, mention, &term->place);
    add_value_filter (reader, mention, term, &last_value);
    last_value = mention->last;
  }
}

/* The one column to calculate with that a mention names. */
static PlannerTerm *
get_number_term (PlannerMention *mention)
{
  PlannerTerm *found = NULL;

  if (planner_mention_get (mention, PLANNER_TERM_TABLE) != NULL)
    return NULL;
  for (guint i = 0; mention != NULL && i < mention->terms->len; i++) {
    PlannerTerm *term = g_ptr_array_index (mention->terms, i);

    if (term->kind != PLANNER_TERM_COLUMN || !planner_is_number (term->place.column))
      continue;
    if (found != NULL)
      return NULL;
    found = term;
  }
  return found;
}

/* A sum of money can be compared with anything that is one, whether its comment says so or not. */
static gboolean
is_money (const PlumbCardColumn *column)
{
  static const char *const words[] = { "amount", "price", "cost",    "fee",     "charge",
                                       "tax",    "total", "budget",  "limit",   "salary",
                                       "bonus",  "value", "revenue", "payment", NULL };
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

static gboolean
has_unit (const PlumbCardColumn *column, const char *unit)
{
  static const char *const currencies[] = { "euro",    "euros", "eur", "€", "dollar",
                                            "dollars", "usd",   "$",   NULL };
  g_auto (GStrv) units = column->comment != NULL ? planner_unit_words (column->comment) : NULL;
  g_auto (GStrv) name = planner_name_words (column->name);

  if (planner_in_list (unit, currencies) && is_money (column))
    return TRUE;
  return (units != NULL && planner_has_word ((const char *const *) units, unit)) ||
         planner_has_word ((const char *const *) name, unit);
}

/* The column that a comparison without one is about, where its unit leaves no choice. */
static PlumbCardColumn *
find_by_unit (PlannerReader *reader, const char *unit)
{
  PlumbCardColumn *found = NULL;

  for (guint i = 0; unit != NULL && i < reader->table->card->columns->len; i++) {
    PlumbCardColumn *column = g_ptr_array_index (reader->table->card->columns, i);

    if (!planner_is_number (column) || !has_unit (column, unit))
      continue;
    if (found != NULL)
      return NULL;
    found = column;
  }
  return found;
}

static void
doubt_comparison (PlannerReader *reader, const PlannerComparison *comparison, PlannerMention *after)
{
  g_autofree char *text = quote_tokens (reader, comparison->first, comparison->last);

  if (after != NULL && planner_mention_get (after, PLANNER_TERM_VALUE) == NULL)
    set_doubt (reader, "“%s” would be a condition on how many there are, which I can't check.",
               text);
  else
    set_doubt (
        reader,
        "I can't tell what “%s” is compared with. Name the amount or quantity that you mean.",
        text);
}

static void
read_comparisons (PlannerReader *reader)
{
  GPtrArray *comparisons = reader->structure.comparisons;

  for (guint i = 0; i < comparisons->len; i++) {
    PlannerComparison *comparison = g_ptr_array_index (comparisons, i);
    PlannerMention *before = planner_mention_before (reader, comparison->first, 3);
    PlannerMention *after = planner_mention_after (reader, comparison->last + 1, 1);
    PlannerTerm *term = get_number_term (before);
    PlannerPlace place = { reader->table, NULL, NULL };
    PlannerFilter *filter;

    if (term == NULL && comparison->unit != NULL && after == NULL)
      place.column = find_by_unit (reader, comparison->unit);
    /* "less than 3 stars" */
    if (term == NULL && place.column == NULL && get_number_term (after) != NULL &&
        !after->is_partial && after->role == PLANNER_ROLE_NONE) {
      before = after;
      term = get_number_term (after);
    }
    /* Numbers of things are equal or not, never more or less. */
    if (term != NULL && term->place.column->key != NULL && !g_str_equal (comparison->sign, "="))
      term = NULL;
    if ((term == NULL && place.column == NULL) || reader->structure.negations->len > 0) {
      doubt_comparison (reader, comparison, after);
      continue;
    }
    if (term != NULL) {
      place = term->place;
      before->role = PLANNER_ROLE_FILTER;
    }
    filter = add_filter (reader, PLANNER_FILTER_COMPARE, &place);
    filter->sign = comparison->sign;
    filter->number = g_strdup (comparison->number);
    filter->upper = g_strdup (comparison->upper);
  }
}

/* "stars 5", "floor space of 200", "5 stars": a number next to the column that it is a value of. */
static void
read_equal_numbers (PlannerReader *reader)
{
  for (guint i = 0; i < reader->tokens->len; i++) {
    PlannerToken *token = g_ptr_array_index (reader->tokens, i);
    PlannerMention *before = planner_mention_before (reader, i, 2);
    PlannerTerm *term = get_number_term (before);
    PlannerFilter *filter;

    if (reader->marks[i] != PLANNER_MARK_FREE || !token->is_number)
      continue;
    if (term == NULL) {
      before = planner_mention_after (reader, i + 1, 0);
      term = get_number_term (before);
    }
    if (term == NULL || before->role != PLANNER_ROLE_NONE || before->is_partial)
      continue;
    filter = add_filter (reader, PLANNER_FILTER_COMPARE, &term->place);
    filter->sign = "=";
    filter->number = g_strdup (token->word);
    before->role = PLANNER_ROLE_FILTER;
    reader->marks[i] = PLANNER_MARK_SUPPORT;
  }
}

/* What stands for "yes" in a column that says yes or no, %NULL for any other column. */
static const char *
find_yes (const PlumbCardColumn *column)
{
  static const char *const pairs[][2] = { { "1", "0" },    { "Y", "N" },        { "y", "n" },
                                          { "T", "F" },    { "true", "false" }, { "t", "f" },
                                          { "yes", "no" }, { "TRUE", "FALSE" } };
  GPtrArray *values = column->values;

  for (guint i = 0; i < G_N_ELEMENTS (pairs) && values->len > 0 && values->len <= 2; i++) {
    gboolean fits = TRUE;

    for (guint j = 0; j < values->len; j++) {
      PlumbCodeValue *value = g_ptr_array_index (values, j);

      fits = fits &&
             (g_str_equal (value->value, pairs[i][0]) || g_str_equal (value->value, pairs[i][1]));
    }
    if (fits)
      return pairs[i][0];
  }
  return NULL;
}

/* "discontinued", where a column of that name says yes or no. */
static void
read_flags (PlannerReader *reader)
{
  for (guint i = 0; i < reader->mentions->len; i++) {
    PlannerMention *mention = g_ptr_array_index (reader->mentions, i);
    PlannerTerm *term = planner_mention_get (mention, PLANNER_TERM_COLUMN);
    const char *yes = term != NULL && mention->terms->len == 1 && !mention->is_partial
                          ? find_yes (term->place.column)
                          : NULL;
    PlannerFilter *filter;

    if (yes == NULL || mention->role != PLANNER_ROLE_NONE || term->place.column->key != NULL)
      continue;
    mention->role = PLANNER_ROLE_FILTER;
    filter = add_filter (reader, PLANNER_FILTER_VALUES, &term->place);
    filter->negated = is_negated (reader, mention);
    g_ptr_array_add (filter->values, g_strdup (yes));
    g_ptr_array_add (filter->labels, g_strdup (yes));
  }
}

/** planner_read_filters: reads the conditions on values and numbers */
void
planner_read_filters (PlannerReader *reader)
{
  read_values (reader);
  read_flags (reader);
  read_comparisons (reader);
  read_equal_numbers (reader);
  if (reader->structure.negations->len > 0) {
    guint at = g_array_index (reader->structure.negations, guint, 0);

    set_doubt (reader, "I can't tell what “%s” denies.", get_text (reader, at));
  }
}
