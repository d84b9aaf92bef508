/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-answer-number.h"

#include <string.h>

/* Units that people put after a number, as they stand right after it or after one space. */
static const struct {
  const char *text;
  double scale;
} units[] = {
  { "thousand", 1e3 }, { "million", 1e6 }, { "billion", 1e9 }, { "trillion", 1e12 },
  { "mn", 1e6 },       { "bn", 1e9 },      { "k", 1e3 },       { "M", 1e6 },
  { "B", 1e9 },        { "천만", 1e7 },    { "백만", 1e6 },    { "천", 1e3 },
  { "만", 1e4 },       { "억", 1e8 },      { "조", 1e12 },     { "万", 1e4 },
  { "億", 1e8 },       { "亿", 1e8 },
};

/** plumb_written_number_free: frees @self */
void
plumb_written_number_free (PlumbWrittenNumber *self)
{
  for (guint i = 0; i < self->n_readings; i++)
    g_free (self->digits[i]);
  g_free (self);
}

/* Bytes of a character that separates thousands at @at, 0 for none. */
static guint
get_separator (const char *at)
{
  static const char *const separators[] = { ",",      ".",      "'", " ", "\u00a0",
                                            "\u202f", "\u2009", "’", "_" };

  for (guint i = 0; i < G_N_ELEMENTS (separators); i++) {
    if (g_str_has_prefix (at, separators[i]))
      return strlen (separators[i]);
  }
  return 0;
}

static guint
count_digits (const char *at)
{
  guint n = 0;

  while (g_ascii_isdigit (at[n]))
    n++;
  return n;
}

/* Whether exactly three digits stand at @at, as in a group of thousands. */
static gboolean
is_group (const char *at)
{
  return count_digits (at) == 3;
}

static gboolean
is_iso_date (const char *at)
{
  return count_digits (at) == 4 && at[4] == '-' && count_digits (at + 5) == 2 && at[7] == '-' &&
         count_digits (at + 8) == 2;
}

static void
add_reading (PlumbWrittenNumber *self, const char *whole, const char *fraction)
{
  guint i = self->n_readings++;

  self->digits[i] = *fraction != '\0' ? g_strconcat (whole, ".", fraction, NULL) : g_strdup (whole);
  self->decimals[i] = strlen (fraction);
}

/* Reads the digits at @at and everything that belongs to them. Groups are separated by the same
 * character; the last point or comma may stand before decimals. Returns bytes read. */
static guint
read_digits (PlumbWrittenNumber *self, const char *at)
{
  g_autoptr (GString) whole = g_string_new_len (at, count_digits (at));
  const char *cursor = at + whole->len;
  const char *separator = NULL;
  guint separator_length = 0, n_groups = 0;

  while (whole->len > 0 && (n_groups > 0 || whole->len <= 3)) {
    guint length = get_separator (cursor);

    if (length == 0 || !is_group (cursor + length) ||
        (separator != NULL &&
         (length != separator_length || memcmp (cursor, separator, length) != 0)))
      break;
    separator = cursor;
    separator_length = length;
    g_string_append_len (whole, cursor + length, 3);
    cursor += length + 3;
    n_groups++;
  }
  if ((*cursor == '.' || *cursor == ',') && g_ascii_isdigit (cursor[1]) &&
      (separator == NULL || *separator != *cursor)) {
    g_autofree char *fraction = g_strndup (cursor + 1, count_digits (cursor + 1));

    add_reading (self, whole->str, fraction);
    return cursor + 1 + strlen (fraction) - at;
  }
  add_reading (self, whole->str, "");
  if (n_groups == 1 && (*separator == '.' || *separator == ',')) {
    g_autofree char *before = g_strndup (whole->str, whole->len - 3);

    add_reading (self, before, whole->str + whole->len - 3);
  }
  return cursor - at;
}

static void
read_unit (PlumbWrittenNumber *self, const char *after)
{
  const char *at = *after == ' ' ? after + 1 : after;

  self->scale = 1;
  self->percent = *at == '%' || g_str_has_prefix (at, "percent") || g_str_has_prefix (at, "퍼센트") ||
                  g_str_has_prefix (at, "％");
  for (guint i = 0; i < G_N_ELEMENTS (units); i++) {
    gsize length = strlen (units[i].text);

    if (!g_str_has_prefix (at, units[i].text))
      continue;
    if ((guchar) units[i].text[0] < 0x80 && g_ascii_isalnum (at[length]))
      continue;
    self->scale = units[i].scale;
    return;
  }
}

/* Digits inside of a name (ORD_MST_202312, Q3) are no number, nor is the mark of a list. */
static gboolean
is_part_of_name (const char *text, const char *at)
{
  gunichar before;

  if (at == text)
    return FALSE;
  before = g_utf8_get_char (g_utf8_prev_char (at));
  return before == '_' || (before < 0x80 && g_ascii_isalpha (before));
}

static gboolean
is_list_mark (const char *text, const char *at, guint length)
{
  const char *p = at;

  if (length > 2 || (at[length] != '.' && at[length] != ')') || at[length + 1] != ' ')
    return FALSE;
  while (p > text && (p[-1] == ' ' || p[-1] == '\t'))
    p--;
  return p == text || p[-1] == '\n';
}

/* Whether brackets or quotes stand right around the number. */
static gboolean
is_enclosed (const char *text, const char *at, const char *end)
{
  static const char *const pairs[][2] = {
    { "(", ")" }, { "[", "]" }, { "\"", "\"" }, { "'", "'" },
    { "“", "”" }, { "‘", "’" }, { "„", "“" },   { "«", "»" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (pairs); i++) {
    gsize length = strlen (pairs[i][0]);

    if ((gsize) (at - text) >= length && memcmp (at - length, pairs[i][0], length) == 0 &&
        g_str_has_prefix (end, pairs[i][1]))
      return TRUE;
  }
  return FALSE;
}

/* Skips `code` and blocks between ``` marks, where SQL and names stand. */
static const char *
skip_code (const char *at)
{
  gsize marks = strspn (at, "`");
  g_autofree char *fence = g_strndup (at, marks);
  const char *end = strstr (at + marks, fence);

  return end != NULL ? end + marks : at + marks;
}

static gboolean
is_name_character (char c)
{
  return c == '_' || g_ascii_isalpha (c);
}

/* Reads the number at @at; NULL where it turns out to be none. @end is left behind it. */
static PlumbWrittenNumber *
read_number (const char *text, const char *at, const char **end)
{
  PlumbWrittenNumber *self = g_new0 (PlumbWrittenNumber, 1);
  gboolean negative =
      at > text && at[-1] == '-' && (at - 1 == text || strchr (" (\n\t:", at[-2]) != NULL);

  self->start = at - text - (negative ? 1 : 0);
  if (is_iso_date (at)) {
    self->is_date = TRUE;
    self->scale = 1;
    self->digits[self->n_readings++] = g_strndup (at, 10);
    *end = at + 10;
  } else {
    *end = at + read_digits (self, at);
    read_unit (self, *end);
  }
  self->length = *end - text - self->start;
  self->enclosed = is_enclosed (text, at, *end);
  if (is_part_of_name (text, at) || is_list_mark (text, at, *end - at) ||
      (self->scale == 1 && is_name_character (**end))) {
    plumb_written_number_free (self);
    *end += strspn (*end, "0123456789_-abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
    return NULL;
  }
  return self;
}

/**
 * plumb_written_numbers_find:
 * @text: text for people, Markdown allowed
 *
 * Returns: (transfer full) (element-type PlumbWrittenNumber): the numbers in it, in their order;
 *   those in code, in names and before the points of a list are left out
 */
GPtrArray *
plumb_written_numbers_find (const char *text)
{
  GPtrArray *numbers = g_ptr_array_new_with_free_func ((GDestroyNotify) plumb_written_number_free);
  const char *at = text;

  while (*at != '\0') {
    PlumbWrittenNumber *number;

    if (*at == '`') {
      at = skip_code (at);
      continue;
    }
    if (!g_ascii_isdigit (*at)) {
      at++;
      continue;
    }
    number = read_number (text, at, &at);
    if (number != NULL)
      g_ptr_array_add (numbers, number);
  }
  return numbers;
}
