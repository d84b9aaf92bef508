/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-planner-date.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const month_names[] = { "january",   "february", "march",    "april",
                                           "may",       "june",     "july",     "august",
                                           "september", "october",  "november", "december" };
static const char *const month_shorts[] = { "jan", "feb", "mar", "apr", "may", "jun",
                                            "jul", "aug", "sep", "oct", "nov", "dec" };

static const char *const ordinals[] = { "first", "second", "third", "fourth" };
static const char *const numbers[] = { "zero",  "one",   "two",  "three", "four",   "five",  "six",
                                       "seven", "eight", "nine", "ten",   "eleven", "twelve" };

static const char *
get_word (GPtrArray *tokens, guint i)
{
  return i < tokens->len ? ((PlannerToken *) g_ptr_array_index (tokens, i))->word : "";
}

static gboolean
is_word (GPtrArray *tokens, guint i, const char *word)
{
  return g_str_equal (get_word (tokens, i), word);
}

/** planner_read_unit: Returns: the unit of time that @word names, in singular or plural */
PlannerUnit
planner_read_unit (const char *word)
{
  static const char *const names[] = { "day", "week", "month", "quarter", "year" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    if (planner_same_word (word, names[i]))
      return PLANNER_UNIT_DAY + i;
  }
  return PLANNER_UNIT_NONE;
}

/**
 * planner_read_count:
 * @tokens: the question
 * @start: where to read
 * @count: (out): the whole number that stands there, in digits or as a word up to twelve
 *
 * Returns: how many tokens it takes, 0 for none
 */
guint
planner_read_count (GPtrArray *tokens, guint start, gint64 *count)
{
  const char *word = get_word (tokens, start);

  if (*word != '\0' && strspn (word, "0123456789") == strlen (word) && strlen (word) < 8) {
    *count = g_ascii_strtoll (word, NULL, 10);
    return 1;
  }
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++) {
    if (g_str_equal (word, numbers[i])) {
      *count = i;
      return 1;
    }
  }
  return 0;
}

/* The number of a month from 1, or 0. */
static guint
read_month (const char *word)
{
  for (guint i = 0; i < G_N_ELEMENTS (month_names); i++) {
    if (g_str_equal (word, month_names[i]) || g_str_equal (word, month_shorts[i]) ||
        (i == 8 && g_str_equal (word, "sept")))
      return i + 1;
  }
  return 0;
}

static guint
read_year (GPtrArray *tokens, guint i)
{
  const char *word = get_word (tokens, i);

  if (strlen (word) != 4 || strspn (word, "0123456789") != 4)
    return 0;
  return atoi (word) >= 1900 && atoi (word) <= 2199 ? atoi (word) : 0;
}

/* A day of the month: "3", "3rd". */
static guint
read_day (GPtrArray *tokens, guint i)
{
  const char *word = get_word (tokens, i);
  gsize digits = strspn (word, "0123456789");
  guint day = digits > 0 && digits < 3 ? (guint) atoi (word) : 0;

  if (day == 0 || day > 31)
    return 0;
  if (word[digits] == '\0' || g_str_equal (word + digits, "st") ||
      g_str_equal (word + digits, "nd") || g_str_equal (word + digits, "rd") ||
      g_str_equal (word + digits, "th"))
    return day;
  return 0;
}

/* The first day of the unit that @date is in. */
static void
move_to_start (GDate *date, PlannerUnit unit)
{
  switch (unit) {
  case PLANNER_UNIT_WEEK:
    g_date_subtract_days (date, g_date_get_weekday (date) - G_DATE_MONDAY);
    break;
  case PLANNER_UNIT_MONTH:
    g_date_set_day (date, 1);
    break;
  case PLANNER_UNIT_QUARTER:
    g_date_set_day (date, 1);
    g_date_set_month (date, (g_date_get_month (date) - 1) / 3 * 3 + 1);
    break;
  case PLANNER_UNIT_YEAR:
    g_date_set_dmy (date, 1, G_DATE_JANUARY, g_date_get_year (date));
    break;
  default:
    break;
  }
}

static void
move_by (GDate *date, PlannerUnit unit, int count)
{
  int months = unit == PLANNER_UNIT_MONTH     ? count
               : unit == PLANNER_UNIT_QUARTER ? count * 3
               : unit == PLANNER_UNIT_YEAR    ? count * 12
                                              : 0;
  int days = unit == PLANNER_UNIT_DAY ? count : unit == PLANNER_UNIT_WEEK ? count * 7 : 0;

  if (months > 0)
    g_date_add_months (date, months);
  else if (months < 0)
    g_date_subtract_months (date, -months);
  if (days > 0)
    g_date_add_days (date, days);
  else if (days < 0)
    g_date_subtract_days (date, -days);
}

/* The whole unit that begins at @from. */
static void
set_whole (PlannerPeriod *period, const GDate *from, PlannerUnit unit)
{
  period->from = *from;
  period->to = *from;
  move_by (&period->to, unit, 1);
}

static gboolean
set_day (PlannerPeriod *period, guint day, guint month, guint year, PlannerUnit unit)
{
  GDate from;

  if (!g_date_valid_dmy (day, month, year))
    return FALSE;
  g_date_clear (&from, 1);
  g_date_set_dmy (&from, day, month, year);
  set_whole (period, &from, unit);
  return TRUE;
}

/* "2026-10-31" and "2026-10". */
static guint
read_iso (GPtrArray *tokens, guint i, PlannerPeriod *period)
{
  guint year;
  guint month;
  guint day;
  int end = 0;
  const char *word = get_word (tokens, i);

  if (sscanf (word, "%4u-%2u-%2u%n", &year, &month, &day, &end) == 3 && word[end] == '\0')
    return set_day (period, day, month, year, PLANNER_UNIT_DAY) ? 1 : 0;
  end = 0;
  if (sscanf (word, "%4u-%2u%n", &year, &month, &end) == 2 && word[end] == '\0')
    return set_day (period, 1, month, year, PLANNER_UNIT_MONTH) ? 1 : 0;
  return 0;
}

static guint
skip (GPtrArray *tokens, guint i, const char *word)
{
  return is_word (tokens, i, word) ? i + 1 : i;
}

/* "October 2026", "October 3, 2026", "3 October 2026", "the 3rd of October 2026". A month without a
 * year isn't read: which year is meant can't be known. */
static guint
read_month_name (GPtrArray *tokens, guint start, PlannerPeriod *period)
{
  guint i = start;
  guint day = read_day (tokens, i);
  guint month;
  guint year;

  if (day > 0)
    i = skip (tokens, i + 1, "of");
  month = read_month (get_word (tokens, i));
  if (month == 0)
    return 0;
  i++;
  if (day == 0 && read_year (tokens, i) == 0 && read_day (tokens, i) > 0)
    day = read_day (tokens, i++);
  i = skip (tokens, i, "of");
  year = read_year (tokens, i);
  if (year == 0)
    return 0;
  if (!set_day (period, day > 0 ? day : 1, month, year,
                day > 0 ? PLANNER_UNIT_DAY : PLANNER_UNIT_MONTH))
    return 0;
  return i + 1 - start;
}

/* The number of a quarter or half: "first", "3rd". */
static guint
read_ordinal (GPtrArray *tokens, guint i)
{
  const char *word = get_word (tokens, i);

  for (guint j = 0; j < G_N_ELEMENTS (ordinals); j++) {
    if (g_str_equal (word, ordinals[j]))
      return j + 1;
  }
  return strlen (word) == 3 ? read_day (tokens, i) : 0;
}

/* "Q3 2025", "the third quarter of 2025", "the first half of 2025". */
static guint
read_quarter (GPtrArray *tokens, guint start, PlannerPeriod *period)
{
  guint i = start;
  const char *word = get_word (tokens, i);
  guint number = word[0] == 'q' && g_ascii_isdigit (word[1]) && word[2] == '\0' ? word[1] - '0' : 0;
  guint months = 3;
  guint year;

  if (number == 0) {
    number = read_ordinal (tokens, i++);
    if (is_word (tokens, i, "half"))
      months = 6;
    else if (!is_word (tokens, i, "quarter"))
      return 0;
  }
  i = skip (tokens, i + 1, "of");
  year = read_year (tokens, i);
  if (number == 0 || number > 12 / months || year == 0)
    return 0;
  set_day (period, 1, (number - 1) * months + 1, year, PLANNER_UNIT_DAY);
  period->to = period->from;
  g_date_add_months (&period->to, months);
  return i + 1 - start;
}

/* "today", "this month", "last year", "the last 30 days". */
static guint
read_relative (GPtrArray *tokens, guint start, const GDate *today, PlannerPeriod *period)
{
  static const char *const past[] = { "last", "past", "previous", NULL };
  static const char *const present[] = { "this", "current", NULL };
  const char *word = get_word (tokens, start);
  PlannerUnit unit;
  gint64 count;
  guint length;
  GDate from = *today;

  if (g_str_equal (word, "today") || g_str_equal (word, "yesterday")) {
    move_by (&from, PLANNER_UNIT_DAY, *word == 'y' ? -1 : 0);
    set_whole (period, &from, PLANNER_UNIT_DAY);
    return 1;
  }
  unit = planner_read_unit (get_word (tokens, start + 1));
  if (unit != PLANNER_UNIT_NONE &&
      (planner_in_list (word, past) || planner_in_list (word, present))) {
    if (g_str_has_suffix (get_word (tokens, start + 1), "s"))
      return 0;
    move_to_start (&from, unit);
    move_by (&from, unit, planner_in_list (word, past) ? -1 : 0);
    set_whole (period, &from, unit);
    return 2;
  }
  length = planner_in_list (word, past) ? planner_read_count (tokens, start + 1, &count) : 0;
  unit = planner_read_unit (get_word (tokens, start + 1 + length));
  if (length == 0 || unit == PLANNER_UNIT_NONE || count < 1 || count > 10000)
    return 0;
  move_by (&from, unit, -(int) count);
  period->from = from;
  period->to = *today;
  move_by (&period->to, PLANNER_UNIT_DAY, 1);
  return length + 2;
}

/* A stretch of time by itself, without what stands before it. */
static guint
read_stretch (GPtrArray *tokens, guint start, const GDate *today, PlannerPeriod *period)
{
  guint the = is_word (tokens, start, "the") ? 1 : 0;
  guint length = read_iso (tokens, start + the, period);

  if (length == 0)
    length = read_month_name (tokens, start + the, period);
  if (length == 0)
    length = read_quarter (tokens, start + the, period);
  if (length == 0)
    length = read_relative (tokens, start + the, today, period);
  if (length == 0) {
    guint year_word = is_word (tokens, start + the, "year") ? 1 : 0;

    if (read_year (tokens, start + the + year_word) > 0 &&
        set_day (period, 1, 1, read_year (tokens, start + the + year_word), PLANNER_UNIT_YEAR))
      length = 1 + year_word;
  }
  return length > 0 ? length + the : 0;
}

/* "30 days" as an age. */
static guint
read_age (GPtrArray *tokens, guint start, const GDate *today, GDate *then)
{
  gint64 count;
  guint length = planner_read_count (tokens, start, &count);
  PlannerUnit unit = planner_read_unit (get_word (tokens, start + length));

  if (length == 0 || unit == PLANNER_UNIT_NONE || count < 0 || count > 10000)
    return 0;
  *then = *today;
  move_by (then, unit, -(int) count);
  return length + 1;
}

/* "for more than 30 days", "for over a year", "older than 30 days", "more than 30 days ago", "for
 * less than 30 days", "less than 30 days ago". */
static guint
read_age_limit (GPtrArray *tokens, guint start, const GDate *today, PlannerPeriod *period)
{
  guint i = start;
  gboolean is_for = is_word (tokens, i, "for") || is_word (tokens, i, "since");
  gboolean is_old = is_word (tokens, i, "older") || is_word (tokens, i, "longer");
  gboolean is_new = is_word (tokens, i, "newer") || is_word (tokens, i, "younger");
  gboolean more;
  guint length;
  GDate then;

  if (is_for)
    i++;
  more = is_word (tokens, i, "more") || is_word (tokens, i, "over") ||
         is_word (tokens, i, "longer") || is_old;
  if (!more && !is_new && !is_word (tokens, i, "less") && !is_word (tokens, i, "under"))
    return 0;
  i = skip (tokens, i + 1, "than");
  length = read_age (tokens, i, today, &then);
  if (length == 0)
    return 0;
  i += length;
  if (is_word (tokens, i, "ago"))
    i++;
  else if (is_word (tokens, i, "old"))
    i++;
  else if (!is_for && !is_old && !is_new)
    return 0;
  if (more)
    period->to = then;
  else
    period->from = then;
  period->is_age = TRUE;
  period->is_state = is_for;
  return i - start;
}

/* "from March 2026 to May 2026", "between 2024 and 2025". */
static guint
read_range (GPtrArray *tokens, guint start, const GDate *today, PlannerPeriod *period)
{
  static const char *const ends[] = { "to", "and", "until", "till", "through", NULL };
  PlannerPeriod first = { 0 };
  PlannerPeriod last = { 0 };
  guint length;
  guint rest;

  if (!is_word (tokens, start, "from") && !is_word (tokens, start, "between"))
    return 0;
  length = read_stretch (tokens, start + 1, today, &first);
  if (length == 0 || !planner_in_list (get_word (tokens, start + 1 + length), ends))
    return 0;
  rest = read_stretch (tokens, start + 2 + length, today, &last);
  if (rest == 0 || g_date_compare (&first.from, &last.from) > 0)
    return 0;
  period->from = first.from;
  period->to = last.to;
  return 2 + length + rest;
}

/**
 * planner_read_period:
 * @tokens: the question
 * @start: where to read
 * @today: the day that relative dates count from
 * @period: (out): the period that stands there
 *
 * Returns: how many tokens it takes, with the preposition before it, 0 for none
 */
guint
planner_read_period (GPtrArray *tokens, guint start, const GDate *today, PlannerPeriod *period)
{
  static const char *const within[] = { "in", "during", "within", "on", "of", "for", "from", NULL };
  static const char *const until[] = { "until", "till", NULL };
  const char *word = get_word (tokens, start);
  PlannerPeriod stretch = { 0 };
  guint length;

  memset (period, 0, sizeof *period);
  length = read_age_limit (tokens, start, today, period);
  if (length == 0)
    length = read_range (tokens, start, today, period);
  if (length > 0)
    return length;
  length = read_stretch (tokens, start, today, period);
  if (length > 0)
    return length;
  length = read_stretch (tokens, start + 1, today, &stretch);
  if (length == 0)
    return 0;
  if (planner_in_list (word, within))
    *period = stretch;
  else if (g_str_equal (word, "since"))
    period->from = stretch.from;
  else if (g_str_equal (word, "after"))
    period->from = stretch.to;
  else if (g_str_equal (word, "before"))
    period->to = stretch.from;
  else if (planner_in_list (word, until))
    period->to = stretch.to;
  else
    return 0;
  return length + 1;
}

static gboolean
is_start (const GDate *date, PlannerUnit unit)
{
  GDate start;

  if (!g_date_valid (date))
    return TRUE;
  start = *date;
  move_to_start (&start, unit);
  return g_date_compare (&start, date) == 0;
}

/** planner_period_is_whole: Returns: whether the period begins and ends where a unit does */
gboolean
planner_period_is_whole (const PlannerPeriod *period, PlannerUnit unit)
{
  return is_start (&period->from, unit) && is_start (&period->to, unit);
}

/** planner_date_to_string: Returns: (transfer full): the date in a format of g_date_strftime() of
 *  numbers alone */
char *
planner_date_to_string (const GDate *date, const char *format)
{
  char text[32];

  g_date_strftime (text, sizeof text, format, date);
  return g_strdup (text);
}
