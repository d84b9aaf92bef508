/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-csv.h"

#include <string.h>

/* Comma-separated values after RFC 4180, the one spelling of every CSV that Plumbline writes: lines
 * end with CR LF; a field with a comma, a quote or a line break stands in quotes, and quotes in it
 * are doubled; NULL is an empty field, an empty string is "". Text is written byte for byte, whether
 * it is valid UTF-8 or not; binary as hexadecimal digits after \x. Line ends apart, it is what
 * COPY … (FORMAT csv) of PostgreSQL writes, so that either can make the same file. */

/* Whether a byte makes quotes necessary. */
static const gboolean must_be_quoted[256] = {
  [','] = TRUE, ['"'] = TRUE, ['\r'] = TRUE, ['\n'] = TRUE,
};

/* @alone: whether it is the only field of its line. A line of \. ends the data for readers that
 * follow PostgreSQL before version 18. */
static gboolean
needs_quotes (const char *text, gsize length, gboolean alone)
{
  if (length == 0 || (alone && length == 2 && memcmp (text, "\\.", 2) == 0))
    return TRUE;
  for (gsize i = 0; i < length; i++) {
    if (must_be_quoted[(guchar) text[i]])
      return TRUE;
  }
  return FALSE;
}

static void
append_in_quotes (GString *line, const char *text, gsize length)
{
  const char *end = text + length;
  const char *quote;

  g_string_append_c (line, '"');
  while (text < end && (quote = memchr (text, '"', end - text)) != NULL) {
    g_string_append_len (line, text, quote + 1 - text);
    g_string_append_c (line, '"');
    text = quote + 1;
  }
  g_string_append_len (line, text, end - text);
  g_string_append_c (line, '"');
}

static void
append_field (GString *line, const char *text, gsize length, gboolean alone)
{
  if (needs_quotes (text, length, alone))
    append_in_quotes (line, text, length);
  else
    g_string_append_len (line, text, length);
}

/* Whether a spreadsheet would take the text for a formula: what it begins with, the wide forms that
 * East Asian versions read as well. After OWASP, "CSV Injection". */
static gboolean
begins_formula (const char *text, gsize length)
{
  static const char *const wide[] = { "＝", "＋", "－", "＠" };

  if (length == 0)
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (wide); i++) {
    if (length >= strlen (wide[i]) && memcmp (text, wide[i], strlen (wide[i])) == 0)
      return TRUE;
  }
  return strchr ("=+-@\t\r\n", text[0]) != NULL && text[0] != '\0';
}

static gboolean
is_number (const PlumbCell *cell)
{
  return cell->kind == PLUMB_VALUE_INTEGER || cell->kind == PLUMB_VALUE_DECIMAL ||
         cell->kind == PLUMB_VALUE_FLOAT;
}

static void
append_safe_field (GString *line, const char *text, gsize length, gboolean alone)
{
  g_autoptr (GString) marked = NULL;

  if (!begins_formula (text, length)) {
    append_field (line, text, length, alone);
    return;
  }
  marked = g_string_sized_new (length + 2);
  g_string_append_c (marked, '\'');
  g_string_append_len (marked, text, length);
  append_field (line, marked->str, marked->len, alone);
}

static void
append_binary (GString *line, const PlumbCell *cell)
{
  static const char digits[] = "0123456789abcdef";
  gsize start = line->len + 2;

  g_string_append (line, "\\x");
  g_string_set_size (line, start + 2 * cell->length);
  for (gsize i = 0; i < cell->length; i++) {
    line->str[start + 2 * i] = digits[(guchar) cell->text[i] >> 4];
    line->str[start + 2 * i + 1] = digits[(guchar) cell->text[i] & 0xf];
  }
}

/**
 * plumb_csv_append_names:
 * @text: where to append
 * @columns: (element-type PlumbResultColumn): columns
 * @safe: see [func@csv_append_row]
 *
 * Appends the header line of a CSV file, its line end included.
 */
void
plumb_csv_append_names (GString *text, GPtrArray *columns, gboolean safe)
{
  for (guint i = 0; i < columns->len; i++) {
    const char *name = ((PlumbResultColumn *) g_ptr_array_index (columns, i))->name;

    if (i > 0)
      g_string_append_c (text, ',');
    if (safe)
      append_safe_field (text, name, strlen (name), columns->len == 1);
    else
      append_field (text, name, strlen (name), columns->len == 1);
  }
  g_string_append (text, PLUMB_CSV_LINE_END);
}

/**
 * plumb_csv_append_row:
 * @text: where to append
 * @cells: (array length=n_cells): a row
 * @n_cells: how many cells it has
 * @safe: whether text that a spreadsheet would run as a formula gets an apostrophe in front, which
 *   changes it; numbers stay as they are
 *
 * Appends a row as a line of CSV, its line end included.
 */
void
plumb_csv_append_row (GString *text, const PlumbCell *cells, guint n_cells, gboolean safe)
{
  for (guint i = 0; i < n_cells; i++) {
    const PlumbCell *cell = &cells[i];

    if (i > 0)
      g_string_append_c (text, ',');
    if (cell->kind == PLUMB_VALUE_NULL)
      continue;
    if (cell->kind == PLUMB_VALUE_BINARY)
      append_binary (text, cell);
    else if (safe && !is_number (cell))
      append_safe_field (text, cell->text, cell->length, n_cells == 1);
    else
      append_field (text, cell->text, cell->length, n_cells == 1);
  }
  g_string_append (text, PLUMB_CSV_LINE_END);
}
