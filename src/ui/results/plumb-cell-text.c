/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-cell-text.h"

#include <string.h>

/* Bytes of a cell that a line of the grid can show at most. */
#define GRID_BYTES 1000

/**
 * plumb_cell_text_for_grid:
 * @cell: a cell
 *
 * Returns: (transfer full): the cell on one line: line breaks as marks, and the end of a very long
 *   one left away; "NULL" for NULL, which the grid draws in another style
 */
char *
plumb_cell_text_for_grid (const PlumbCell *cell)
{
  g_autofree char *text = NULL;
  GString *line;

  if (cell->kind == PLUMB_VALUE_NULL)
    return g_strdup ("NULL");
  text = plumb_cell_to_display (cell);
  line = g_string_new (NULL);
  for (const char *at = text; *at != '\0'; at = g_utf8_next_char (at)) {
    gunichar c = g_utf8_get_char (at);

    if (line->len > GRID_BYTES) {
      g_string_append (line, "…");
      break;
    }
    if (c == '\n')
      g_string_append (line, "⏎");
    else if (c == '\t')
      g_string_append (line, "⇥");
    else if (c != '\r')
      g_string_append_unichar (line, c);
  }
  return g_string_free (line, FALSE);
}

/** plumb_cell_text_exact: Returns: (transfer full): the cell for the clipboard; empty for NULL */
char *
plumb_cell_text_exact (const PlumbCell *cell)
{
  return cell->kind == PLUMB_VALUE_NULL ? g_strdup ("") : plumb_cell_to_display (cell);
}

/** plumb_cell_is_number: Returns: whether cells of @kind stand to the right */
gboolean
plumb_cell_is_number (PlumbValueKind kind)
{
  return kind == PLUMB_VALUE_INTEGER || kind == PLUMB_VALUE_DECIMAL || kind == PLUMB_VALUE_FLOAT;
}

/* A field of tab-separated text: quoted, as spreadsheets read it, where it holds what divides
 * fields. */
static void
append_field (GString *tsv, const char *text)
{
  if (strpbrk (text, "\t\n\r\"") == NULL) {
    g_string_append (tsv, text);
    return;
  }
  g_string_append_c (tsv, '"');
  for (; *text != '\0'; text++) {
    if (*text == '"')
      g_string_append_c (tsv, '"');
    g_string_append_c (tsv, *text);
  }
  g_string_append_c (tsv, '"');
}

/** plumb_cell_text_append_header: adds the names of @result's columns to @tsv, a line */
void
plumb_cell_text_append_header (GString *tsv, PlumbResult *result)
{
  for (guint i = 0; i < plumb_result_get_n_columns (result); i++) {
    if (i > 0)
      g_string_append_c (tsv, '\t');
    append_field (tsv, plumb_result_get_column (result, i)->name);
  }
  g_string_append_c (tsv, '\n');
}

/** plumb_cell_text_append_row: adds row @row of @result to @tsv, a line */
void
plumb_cell_text_append_row (GString *tsv, PlumbResult *result, gint64 row)
{
  for (guint i = 0; i < plumb_result_get_n_columns (result); i++) {
    g_autofree char *text = plumb_cell_text_exact (plumb_result_get_cell (result, row, i));

    if (i > 0)
      g_string_append_c (tsv, '\t');
    append_field (tsv, text);
  }
  g_string_append_c (tsv, '\n');
}
