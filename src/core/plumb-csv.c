/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-csv.h"

#include <string.h>

/* Comma-separated values after RFC 4180, the one spelling of every CSV that Plumbline writes: lines
 * end with CR LF; a field with a comma, a quote or a line break stands in quotes, and quotes in it
 * are doubled; NULL is an empty field, an empty string is "". Text is written byte for byte,
 * whether it is valid UTF-8 or not; binary as hexadecimal digits after \x. Line ends apart, it is
 * what COPY … (FORMAT csv) of PostgreSQL writes, so that either can make the same file. */

/* Whether a byte makes quotes necessary. */
static const guint8 must_be_quoted[256] = { [','] = 1, ['"'] = 1, ['\r'] = 1, ['\n'] = 1 };

static char *
put_in_quotes (char *to, const char *text, gsize length)
{
  const char *end = text + length;

  *to++ = '"';
  for (; text < end; text++) {
    if (*text == '"')
      *to++ = '"';
    *to++ = *text;
  }
  *to++ = '"';
  return to;
}

/* Puts a field where there is room for twice its length and two quotes; @alone: whether it is the
 * only one of its line. A line of \. ends the data for readers that follow PostgreSQL before
 * version 18. Returns where the field ends. */
static char *
put_field (char *to, const char *text, gsize length, gboolean alone)
{
  guint8 special = length == 0 || (alone && length == 2 && memcmp (text, "\\.", 2) == 0);

  for (gsize i = 0; i < length; i++) {
    to[i] = text[i];
    special |= must_be_quoted[(guchar)text[i]];
  }
  return special ? put_in_quotes (to, text, length) : to + length;
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
  return cell->kind == PLUMB_VALUE_INTEGER || cell->kind == PLUMB_VALUE_DECIMAL
         || cell->kind == PLUMB_VALUE_FLOAT;
}

/* Likewise, with room for the apostrophe. */
static char *
put_safe_field (char *to, const char *text, gsize length, gboolean alone)
{
  g_autoptr (GString) marked = NULL;

  if (!begins_formula (text, length))
    return put_field (to, text, length, alone);
  marked = g_string_sized_new (length + 2);
  g_string_append_c (marked, '\'');
  g_string_append_len (marked, text, length);
  return put_field (to, marked->str, marked->len, alone);
}

static char *
put_binary (char *to, const PlumbCell *cell)
{
  static const char digits[] = "0123456789abcdef";

  *to++ = '\\';
  *to++ = 'x';
  for (gsize i = 0; i < cell->length; i++) {
    *to++ = digits[(guchar)cell->text[i] >> 4];
    *to++ = digits[(guchar)cell->text[i] & 0xf];
  }
  return to;
}

static char *
put_cell (char *to, const PlumbCell *cell, gboolean alone, gboolean safe)
{
  if (cell->kind == PLUMB_VALUE_NULL)
    return to;
  if (cell->kind == PLUMB_VALUE_BINARY)
    return put_binary (to, cell);
  if (safe && !is_number (cell))
    return put_safe_field (to, cell->text, cell->length, alone);
  return put_field (to, cell->text, cell->length, alone);
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
  g_autofree PlumbCell *names = g_new0 (PlumbCell, columns->len);

  for (guint i = 0; i < columns->len; i++) {
    const char *name = ((PlumbResultColumn *)g_ptr_array_index (columns, i))->name;

    names[i] = (PlumbCell){ name, strlen (name), PLUMB_VALUE_TEXT, FALSE };
  }
  plumb_csv_append_row (text, names, columns->len, safe);
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
  gsize start = text->len;
  gsize room = strlen (PLUMB_CSV_LINE_END);
  char *to;

  /* Every byte doubled, and a comma, an apostrophe and quotes or \x with each field. */
  for (guint i = 0; i < n_cells; i++)
    room += 2 * cells[i].length + 8;
  g_string_set_size (text, start + room);
  to = text->str + start;
  for (guint i = 0; i < n_cells; i++) {
    if (i > 0)
      *to++ = ',';
    to = put_cell (to, &cells[i], n_cells == 1, safe);
  }
  to = (char *)memcpy (to, PLUMB_CSV_LINE_END, strlen (PLUMB_CSV_LINE_END))
       + strlen (PLUMB_CSV_LINE_END);
  g_string_truncate (text, to - text->str);
}
