/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-export-writer.h"

#include "plumb-text.h"

#include <string.h>
#include <xlsxwriter.h>

/* What a sheet can hold. A double holds any decimal number of 15 digits; longer ones are text. */
#define MAX_SHEET_ROWS (LXW_ROW_MAX - 1)
#define MAX_CELL_CHARACTERS 32767
#define EXACT_DIGITS 15

/* A spreadsheet, written row by row so that its size in memory stays the same. */
typedef struct {
  PlumbExportWriter parent;
  lxw_workbook *workbook;
  lxw_worksheet *sheet;
  lxw_format *header;
  lxw_row_t next;
} XlsxWriter;

static gboolean
set_error (lxw_error code, GError **error)
{
  if (code == LXW_NO_ERROR)
    return TRUE;
  g_set_error (error, PLUMB_ERROR, PLUMB_ERROR_FAILED, "The spreadsheet could not be written: %s.",
               lxw_strerror (code));
  return FALSE;
}

/* Whether the text is a plain number that a double holds exactly. */
static gboolean
is_exact_number (const PlumbCell *cell)
{
  guint digits = 0;

  if (cell->kind != PLUMB_VALUE_INTEGER && cell->kind != PLUMB_VALUE_DECIMAL &&
      cell->kind != PLUMB_VALUE_FLOAT)
    return FALSE;
  for (gsize i = 0; i < cell->length; i++) {
    if (g_ascii_isdigit (cell->text[i]))
      digits++;
    else if (cell->text[i] != '.' && !(cell->text[i] == '-' && i == 0))
      return FALSE;
  }
  return digits > 0 && digits <= EXACT_DIGITS;
}

/* The text as a sheet can hold it: valid UTF-8, a NUL as the format spells it, cut to what a cell
 * takes. */
static char *
make_cell_text (const char *text, gsize length)
{
  g_autoptr (GString) shown = g_string_new (NULL);
  gsize valid_length = 0;
  g_autofree char *valid = plumb_text_make_valid (text, length, &valid_length);

  for (gsize i = 0; i < valid_length; i++) {
    if (valid[i] == '\0')
      g_string_append (shown, "_x0000_");
    else
      g_string_append_c (shown, valid[i]);
  }
  if (g_utf8_strlen (shown->str, -1) > MAX_CELL_CHARACTERS)
    g_string_truncate (shown,
                       g_utf8_offset_to_pointer (shown->str, MAX_CELL_CHARACTERS) - shown->str);
  return g_string_free (g_steal_pointer (&shown), FALSE);
}

static lxw_error
write_text (XlsxWriter *self, guint column, const char *text, gsize length, lxw_format *format)
{
  g_autofree char *shown = make_cell_text (text, length);

  return worksheet_write_string (self->sheet, self->next, column, shown, format);
}

static lxw_error
write_cell (XlsxWriter *self, guint column, const PlumbCell *cell)
{
  g_autofree char *shown = NULL;

  if (cell->kind == PLUMB_VALUE_NULL)
    return LXW_NO_ERROR;
  if (is_exact_number (cell))
    return worksheet_write_number (self->sheet, self->next, column,
                                   g_ascii_strtod (cell->text, NULL), NULL);
  if (cell->kind != PLUMB_VALUE_BINARY)
    return write_text (self, column, cell->text, cell->length, NULL);
  shown = plumb_cell_to_display (cell);
  return write_text (self, column, shown, strlen (shown), NULL);
}

static gboolean
xlsx_begin (PlumbExportWriter *writer, GPtrArray *columns, GError **error)
{
  XlsxWriter *self = (XlsxWriter *) writer;

  for (guint i = 0; i < columns->len; i++) {
    const PlumbResultColumn *column = g_ptr_array_index (columns, i);

    if (!set_error (write_text (self, i, column->name, strlen (column->name), self->header), error))
      return FALSE;
  }
  self->next = 1;
  return TRUE;
}

static PlumbRowsNext
xlsx_row (PlumbExportWriter *writer, const PlumbCell *cells, guint n_cells, GError **error)
{
  XlsxWriter *self = (XlsxWriter *) writer;

  if (self->next > MAX_SHEET_ROWS)
    return PLUMB_ROWS_STOP;
  for (guint i = 0; i < n_cells; i++) {
    if (!set_error (write_cell (self, i, &cells[i]), error))
      return PLUMB_ROWS_ERROR;
  }
  self->next++;
  return PLUMB_ROWS_CONTINUE;
}

static gboolean
xlsx_end (PlumbExportWriter *writer, GError **error)
{
  XlsxWriter *self = (XlsxWriter *) writer;

  /* The library frees the workbook here, whatever comes of it. */
  return set_error (workbook_close (g_steal_pointer (&self->workbook)), error);
}

static void
xlsx_free (PlumbExportWriter *writer)
{
  XlsxWriter *self = (XlsxWriter *) writer;

  if (self->workbook != NULL)
    workbook_close (self->workbook);
  g_free (self);
}

/** plumb_export_xlsx_writer_new: Returns: (transfer full): a writer into a new file at @path */
PlumbExportWriter *
plumb_export_xlsx_writer_new (const char *path, GError **error)
{
  lxw_workbook_options options = { .constant_memory = LXW_TRUE };
  XlsxWriter *self = g_new0 (XlsxWriter, 1);

  self->parent = (PlumbExportWriter) { xlsx_begin, xlsx_row, xlsx_end, xlsx_free };
  self->workbook = workbook_new_opt (path, &options);
  if (self->workbook == NULL) {
    g_free (self);
    g_set_error (error, PLUMB_ERROR, PLUMB_ERROR_FAILED, "The spreadsheet “%s” could not be made.",
                 path);
    return NULL;
  }
  self->sheet = workbook_add_worksheet (self->workbook, NULL);
  self->header = workbook_add_format (self->workbook);
  format_set_bold (self->header);
  return &self->parent;
}
