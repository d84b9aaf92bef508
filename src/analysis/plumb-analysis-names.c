/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-analysis-private.h"

#include <string.h>

/* Words that people put before or behind a table's name when they copy it. A word alone never makes
 * a copy: there must be a table of the remaining name with the same columns. */
static const struct {
  const char *word;
  PlumbNameMark mark;
} marking_words[] = {
  { "bak", PLUMB_MARK_BACKUP },        { "backup", PLUMB_MARK_BACKUP },
  { "bkp", PLUMB_MARK_BACKUP },        { "bkup", PLUMB_MARK_BACKUP },
  { "bck", PLUMB_MARK_BACKUP },        { "bk", PLUMB_MARK_BACKUP },
  { "bup", PLUMB_MARK_BACKUP },        { "old", PLUMB_MARK_BACKUP },
  { "copy", PLUMB_MARK_BACKUP },       { "cpy", PLUMB_MARK_BACKUP },
  { "orig", PLUMB_MARK_BACKUP },       { "original", PLUMB_MARK_BACKUP },
  { "save", PLUMB_MARK_BACKUP },       { "saved", PLUMB_MARK_BACKUP },
  { "sav", PLUMB_MARK_BACKUP },        { "alt", PLUMB_MARK_BACKUP },
  { "kopie", PLUMB_MARK_BACKUP },      { "sicherung", PLUMB_MARK_BACKUP },
  { "deprecated", PLUMB_MARK_BACKUP }, { "snapshot", PLUMB_MARK_BACKUP },
  { "snap", PLUMB_MARK_BACKUP },       { "tmp", PLUMB_MARK_DRAFT },
  { "temp", PLUMB_MARK_DRAFT },        { "temporary", PLUMB_MARK_DRAFT },
  { "wrk", PLUMB_MARK_DRAFT },         { "work", PLUMB_MARK_DRAFT },
  { "test", PLUMB_MARK_DRAFT },        { "draft", PLUMB_MARK_DRAFT },
  { "dummy", PLUMB_MARK_DRAFT },       { "scratch", PLUMB_MARK_DRAFT },
  { "sandbox", PLUMB_MARK_DRAFT },     { "stg", PLUMB_MARK_STAGING },
  { "stage", PLUMB_MARK_STAGING },     { "staging", PLUMB_MARK_STAGING },
  { "landing", PLUMB_MARK_STAGING },   { "lnd", PLUMB_MARK_STAGING },
  { "raw", PLUMB_MARK_STAGING },       { "import", PLUMB_MARK_STAGING },
  { "load", PLUMB_MARK_STAGING },      { "hist", PLUMB_MARK_HISTORY },
  { "history", PLUMB_MARK_HISTORY },   { "his", PLUMB_MARK_HISTORY },
  { "archive", PLUMB_MARK_HISTORY },   { "archived", PLUMB_MARK_HISTORY },
  { "arch", PLUMB_MARK_HISTORY },      { "arc", PLUMB_MARK_HISTORY },
  { "archiv", PLUMB_MARK_HISTORY },
};

static const char *const months[] = {
  "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
};

/** plumb_name_word_get_mark: Returns: what a folded word says about a table that carries it */
PlumbNameMark
plumb_name_word_get_mark (const char *word)
{
  for (guint i = 0; i < G_N_ELEMENTS (marking_words); i++) {
    if (strcmp (marking_words[i].word, word) == 0)
      return marking_words[i].mark;
  }
  return PLUMB_MARK_NONE;
}

/** plumb_name_reading_clear: frees what @self holds */
void
plumb_name_reading_clear (PlumbNameReading *self)
{
  g_clear_pointer (&self->text, g_free);
  self->mark = PLUMB_MARK_NONE;
  self->format = NULL;
}

/** plumb_name_words_join: Returns: (transfer full): @words with underscores between them */
char *
plumb_name_words_join (GPtrArray *words)
{
  g_autoptr (GString) joined = g_string_new (NULL);

  for (guint i = 0; i < words->len; i++) {
    if (i > 0)
      g_string_append_c (joined, '_');
    g_string_append (joined, g_ptr_array_index (words, i));
  }
  return g_string_free (g_steal_pointer (&joined), FALSE);
}

static gboolean
is_number (const char *word)
{
  return *word != '\0' && strspn (word, "0123456789") == strlen (word);
}

static int
read_digits (const char *word, guint start, guint length)
{
  int number = 0;

  for (guint i = start; i < start + length; i++)
    number = number * 10 + (word[i] - '0');
  return number;
}

static gboolean
is_year (int number)
{
  return number >= 1900 && number <= 2099;
}

static gboolean
is_month (int number)
{
  return number >= 1 && number <= 12;
}

static gboolean
is_day (int number)
{
  return number >= 1 && number <= 31;
}

/* The shape of a date that stands in one word of digits, NULL for any other number. */
static const char *
read_date_word (const char *word)
{
  gsize length = strlen (word);

  if (!is_number (word))
    return NULL;
  if (length == 8 && is_year (read_digits (word, 0, 4)) && is_month (read_digits (word, 4, 2)) &&
      is_day (read_digits (word, 6, 2)))
    return "yyyymmdd";
  if (length == 6 && is_year (read_digits (word, 0, 4)) && is_month (read_digits (word, 4, 2)))
    return "yyyymm";
  if (length == 6 && is_month (read_digits (word, 2, 2)) && is_day (read_digits (word, 4, 2)))
    return "yymmdd";
  return length == 4 && is_year (read_digits (word, 0, 4)) ? "yyyy" : NULL;
}

static gboolean
is_short_number (const char *word)
{
  return is_number (word) && strlen (word) <= 2;
}

static gboolean
is_month_name (const char *word)
{
  for (guint i = 0; i < G_N_ELEMENTS (months); i++) {
    if (g_str_has_prefix (word, months[i]) && strlen (word) <= 9)
      return TRUE;
  }
  return FALSE;
}

/* The date that begins at word @at, and how many words it takes. */
static const char *
read_date (GPtrArray *words, guint at, guint *n_words)
{
  const char *word = g_ptr_array_index (words, at);
  const char *second = at + 1 < words->len ? g_ptr_array_index (words, at + 1) : "";
  const char *third = at + 2 < words->len ? g_ptr_array_index (words, at + 2) : "";
  const char *format = read_date_word (word);

  *n_words = 1;
  if (format != NULL && strcmp (format, "yyyy") == 0) {
    if (is_short_number (second) && is_month (atoi (second))) {
      gboolean with_day = is_short_number (third) && is_day (atoi (third));

      *n_words = with_day ? 3 : 2;
      return with_day ? "yyyy_mm_dd" : "yyyy_mm";
    }
    if (strcmp (second, "q") == 0 && is_number (third)) {
      *n_words = 3;
      return "yyyyq";
    }
    if (is_month_name (second)) {
      *n_words = 2;
      return "yyyymon";
    }
  }
  if (format == NULL && is_month_name (word) && is_number (second) && is_year (atoi (second))) {
    *n_words = 2;
    return "monyyyy";
  }
  return format;
}

static void
take (GPtrArray *words, guint at, guint n, PlumbNameMark mark, const char *format,
      PlumbNameReading *reading)
{
  g_autoptr (GPtrArray) taken = g_ptr_array_new ();

  for (guint i = at; i < at + n; i++)
    g_ptr_array_add (taken, g_ptr_array_index (words, i));
  plumb_name_reading_clear (reading);
  reading->text = plumb_name_words_join (taken);
  reading->mark = mark;
  reading->format = format;
  g_ptr_array_remove_range (words, at, n);
}

static gboolean
strip_date (GPtrArray *words, PlumbNameReading *reading)
{
  for (guint back = MIN (3, words->len - 1); back > 0; back--) {
    guint n;
    const char *format = read_date (words, words->len - back, &n);

    if (format != NULL && n == back) {
      take (words, words->len - back, n, PLUMB_MARK_DATED, format, reading);
      return TRUE;
    }
  }
  return FALSE;
}

static gboolean
strip_version (GPtrArray *words, PlumbNameReading *reading)
{
  const char *last = g_ptr_array_index (words, words->len - 1);
  const char *before = g_ptr_array_index (words, words->len - 2);
  gboolean with_letter =
      words->len > 2 && (strcmp (before, "v") == 0 || strcmp (before, "ver") == 0);

  if (!is_number (last) || strlen (last) > 3)
    return FALSE;
  take (words, words->len - (with_letter ? 2 : 1), with_letter ? 2 : 1, PLUMB_MARK_VERSION, NULL,
        reading);
  return TRUE;
}

/**
 * plumb_name_words_strip:
 * @words: (element-type utf8): folded words of a table's name; loses those that mark a copy
 * @at_start: whether to look at the name's beginning and not at its end
 * @reading: what they say
 *
 * Takes one marking word, date or version number off a name.
 *
 * Returns: whether there was one, and words are left
 */
gboolean
plumb_name_words_strip (GPtrArray *words, gboolean at_start, PlumbNameReading *reading)
{
  guint at = at_start ? 0 : words->len - 1;
  PlumbNameMark mark;
  const char *format;
  guint n;

  if (words->len < 2)
    return FALSE;
  mark = plumb_name_word_get_mark (g_ptr_array_index (words, at));
  if (mark != PLUMB_MARK_NONE) {
    take (words, at, 1, mark, NULL, reading);
    return TRUE;
  }
  if (!at_start)
    return strip_date (words, reading) || strip_version (words, reading);
  format = read_date (words, 0, &n);
  if (format == NULL || n >= words->len)
    return FALSE;
  take (words, 0, n, PLUMB_MARK_DATED, format, reading);
  return TRUE;
}

/**
 * plumb_name_reading_is_weak:
 * @self: what a name says
 *
 * Returns: whether the word is also in many names of tables that are no copies, so that nothing but
 *   the very same columns makes one
 */
gboolean
plumb_name_reading_is_weak (const PlumbNameReading *self)
{
  static const char *const words[] = {
    "raw", "import", "load", "work", "wrk", "test", "alt", "save", "saved", "snapshot", "snap",
    "stage", "orig", "original", "dummy", NULL,
  };

  return self->text != NULL && g_strv_contains (words, self->text);
}
