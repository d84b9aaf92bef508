/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-export-writer.h"

#include "plumb-text.h"

#include <errno.h>
#include <string.h>
#include <xlsxwriter.h>

/* What a sheet can hold (ECMA-376 and Excel's limits). Characters are counted as UTF-16 does. A
 * double holds any decimal number of 15 digits; longer ones are text. */
#define MAX_CELL_CHARACTERS 32767
#define EXACT_DIGITS 15
/* How often the rows that were written are asked for a fault of the disk. */
#define LOOK_EVERY 4096

/* A spreadsheet, written row by row so that its size in memory stays the same. When a sheet is full
 * the rows go on in the next one, under the same header; the last sheet says where they came from.
 */
typedef struct {
  PlumbExportWriter parent;
  char *folder;
  lxw_workbook *workbook;
  lxw_worksheet *sheet;
  lxw_format *header;
  GPtrArray *names;
  lxw_row_t next;
} XlsxWriter;

static gboolean
set_error (lxw_error code, GError **error)
{
  int number = errno;

  if (code == LXW_NO_ERROR)
    return TRUE;
  if (number == ENOSPC || number == EFBIG || number == EDQUOT)
    g_set_error (error, G_IO_ERROR, g_io_error_from_errno (number),
                 "The spreadsheet could not be written: %s. Nothing was left behind; make room, or "
                 "name a file in another place.",
                 g_strerror (number));
  else
    g_set_error (error, PLUMB_ERROR, PLUMB_ERROR_FAILED,
                 "The spreadsheet could not be written: %s.", lxw_strerror (code));
  return FALSE;
}

/* The library doesn't look whether the rows of a sheet, which it gathers in a file of its own,
 * could be written there. */
static gboolean
check_disk (XlsxWriter *self, GError **error)
{
  errno = 0;
  if (self->sheet->optimize_tmpfile == NULL
      || (fflush (self->sheet->optimize_tmpfile) == 0 && !ferror (self->sheet->optimize_tmpfile)))
    return TRUE;
  return set_error (LXW_ERROR_CREATING_TMPFILE, error);
}

/* Whether the text is a plain number that a double and a spreadsheet hold exactly. */
static gboolean
is_exact_number (const PlumbCell *cell)
{
  const char *text = cell->text;
  guint digits = 0;

  if (cell->kind != PLUMB_VALUE_INTEGER && cell->kind != PLUMB_VALUE_DECIMAL
      && cell->kind != PLUMB_VALUE_FLOAT)
    return FALSE;
  if (*text == '-')
    text++;
  /* Zeros that were put in front of a number are there to be seen. */
  if (text[0] == '0' && g_ascii_isdigit (text[1]))
    return FALSE;
  for (; text < cell->text + cell->length; text++) {
    if (g_ascii_isdigit (*text))
      digits++;
    else if (*text != '.')
      return FALSE;
  }
  return digits > 0 && digits <= EXACT_DIGITS;
}

/* Whether _x and four hexadecimal digits and _ stand there: the format's spelling of a character.
 */
static gboolean
looks_escaped (const char *text, const char *end)
{
  if (end - text < 7 || text[1] != 'x' || text[6] != '_')
    return FALSE;
  for (guint i = 2; i < 6; i++) {
    if (!g_ascii_isxdigit (text[i]))
      return FALSE;
  }
  return TRUE;
}

/* Appends a character as XML can hold it; the library spells the other control characters itself.
 * Returns how many of the cell's characters it takes. */
static guint
append_character (GString *shown, const char *at, const char *end)
{
  gunichar c = *at != '\0' ? g_utf8_get_char (at) : 0;

  if (c == 0 || c == 0xfffe || c == 0xffff)
    g_string_append_printf (shown, "_x%04X_", c);
  else if (c == '_' && looks_escaped (at, end))
    g_string_append (shown, "_x005F_");
  else
    g_string_append_unichar (shown, c);
  return c > 0xffff ? 2 : 1;
}

static guint
count_characters (const char *text, const char *end)
{
  guint n = 0;

  for (; text < end; text = *text != '\0' ? g_utf8_next_char (text) : text + 1)
    n += ((guchar)*text & 0xf8) == 0xf0 ? 2 : 1;
  return n;
}

/* The text as a cell can hold it. What is too long is cut, and ends with how long it was. */
static char *
make_cell_text (XlsxWriter *self, const char *text, gsize length)
{
  g_autoptr (GString) shown = g_string_sized_new (length + 1);
  gsize valid_length = 0;
  g_autofree char *valid = plumb_text_make_valid (text, length, &valid_length);
  g_autofree char *mark = NULL;
  const char *end = valid + valid_length;
  guint room = MAX_CELL_CHARACTERS;

  if (valid_length > MAX_CELL_CHARACTERS && count_characters (valid, end) > MAX_CELL_CHARACTERS) {
    mark = g_strdup_printf ("… [cut: the whole text has %u characters]",
                            count_characters (valid, end));
    room -= g_utf8_strlen (mark, -1) + 1;
    self->parent.n_cut++;
  }
  for (const char *at = valid; at < end && room > 0;) {
    guint taken = append_character (shown, at, end);

    room -= MIN (room, taken);
    at = *at != '\0' ? g_utf8_next_char (at) : at + 1;
  }
  if (mark != NULL)
    g_string_append (shown, mark);
  return g_string_free (g_steal_pointer (&shown), FALSE);
}

static lxw_error
write_text (XlsxWriter *self, guint column, const char *text, gsize length, lxw_format *format)
{
  g_autofree char *shown = make_cell_text (self, text, length);

  /* A cell without anything in it is NULL; the library leaves an empty string out. */
  if (*shown == '\0')
    return worksheet_write_formula_str (self->sheet, self->next, column, "=\"\"", format, "");
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
  if (cell->kind == PLUMB_VALUE_BOOLEAN
      && (strcmp (cell->text, "true") == 0 || strcmp (cell->text, "false") == 0))
    return worksheet_write_boolean (self->sheet, self->next, column, cell->text[0] == 't', NULL);
  if (cell->kind != PLUMB_VALUE_BINARY)
    return write_text (self, column, cell->text, cell->length, NULL);
  shown = plumb_cell_to_display (cell);
  return write_text (self, column, shown, strlen (shown), NULL);
}

static gboolean
add_sheet (XlsxWriter *self, const char *name, GError **error)
{
  self->sheet = workbook_add_worksheet (self->workbook, name);
  self->next = 0;
  return self->sheet != NULL || set_error (LXW_ERROR_MEMORY_MALLOC_FAILED, error);
}

static gboolean
begin_sheet (XlsxWriter *self, GError **error)
{
  if (!add_sheet (self, NULL, error))
    return FALSE;
  for (guint i = 0; i < self->names->len; i++) {
    const char *name = g_ptr_array_index (self->names, i);

    errno = 0;
    if (!set_error (write_text (self, i, name, strlen (name), self->header), error))
      return FALSE;
  }
  self->next = 1;
  return TRUE;
}

static gboolean
xlsx_begin (PlumbExportWriter *writer, GPtrArray *columns, GError **error)
{
  XlsxWriter *self = (XlsxWriter *)writer;

  if (columns->len > LXW_COL_MAX) {
    g_set_error (error, PLUMB_ERROR, PLUMB_ERROR_INVALID_ARGUMENT,
                 "A spreadsheet can't hold %u columns, only %d. Select fewer, or export to csv.",
                 columns->len, LXW_COL_MAX);
    return FALSE;
  }
  for (guint i = 0; i < columns->len; i++)
    g_ptr_array_add (self->names,
                     g_strdup (((PlumbResultColumn *)g_ptr_array_index (columns, i))->name));
  return begin_sheet (self, error);
}

static PlumbRowsNext
xlsx_row (PlumbExportWriter *writer, const PlumbCell *cells, guint n_cells, GError **error)
{
  XlsxWriter *self = (XlsxWriter *)writer;

  for (guint i = 0; i < n_cells && writer->room >= 0; i++) {
    if ((gint64)cells[i].length > writer->room)
      return PLUMB_ROWS_STOP;
    writer->room -= cells[i].length;
  }
  if (self->next >= LXW_ROW_MAX && (!check_disk (self, error) || !begin_sheet (self, error)))
    return PLUMB_ROWS_ERROR;
  errno = 0;
  for (guint i = 0; i < n_cells; i++) {
    if (!set_error (write_cell (self, i, &cells[i]), error))
      return PLUMB_ROWS_ERROR;
  }
  self->next++;
  return self->next % LOOK_EVERY != 0 || check_disk (self, error) ? PLUMB_ROWS_CONTINUE
                                                                  : PLUMB_ROWS_ERROR;
}

/* A text that is longer than a cell goes on in the next row. */
static gboolean
write_fact (XlsxWriter *self, const PlumbExportFact *fact, GError **error)
{
  PlumbCell cell = fact->value;
  const char *end = cell.text != NULL ? cell.text + cell.length : NULL;

  if (!set_error (write_text (self, 0, fact->name, strlen (fact->name), self->header), error))
    return FALSE;
  do {
    const char *stop = cell.text;

    for (guint n = 0; stop < end && n + 1 < MAX_CELL_CHARACTERS; stop = g_utf8_next_char (stop))
      n += ((guchar)*stop & 0xf8) == 0xf0 ? 2 : 1;
    cell.length = stop - cell.text;
    if (fact->value.length == cell.length
            ? !set_error (write_cell (self, 1, &cell), error)
            : !set_error (write_text (self, 1, cell.text, cell.length, NULL), error))
      return FALSE;
    self->next++;
    cell.text = stop;
  } while (cell.text < end);
  return TRUE;
}

static gboolean
xlsx_end (PlumbExportWriter *writer, GArray *facts, GError **error)
{
  XlsxWriter *self = (XlsxWriter *)writer;

  if (!check_disk (self, error) || !add_sheet (self, "Export", error))
    return FALSE;
  for (guint i = 0; i < facts->len; i++) {
    errno = 0;
    if (!write_fact (self, &g_array_index (facts, PlumbExportFact, i), error))
      return FALSE;
  }
  errno = 0;
  /* The library frees the workbook here, whatever comes of it. */
  return check_disk (self, error)
         && set_error (workbook_close (g_steal_pointer (&self->workbook)), error);
}

static void
xlsx_free (PlumbExportWriter *writer)
{
  XlsxWriter *self = (XlsxWriter *)writer;

  if (self->workbook != NULL)
    lxw_workbook_free (self->workbook);
  g_ptr_array_unref (self->names);
  g_free (self->folder);
  g_free (self);
}

/** plumb_export_xlsx_writer_new: Returns: (transfer full): a writer into the empty file at @path;
 * what it gathers on the way stands in files without a name in the same folder */
PlumbExportWriter *
plumb_export_xlsx_writer_new (const char *path, GError **error)
{
  XlsxWriter *self = g_new0 (XlsxWriter, 1);
  lxw_workbook_options options = { .constant_memory = LXW_TRUE };

  self->parent = (PlumbExportWriter){ xlsx_begin, xlsx_row, NULL, xlsx_end, xlsx_free, -1, 0 };
  self->folder = g_path_get_dirname (path);
  self->names = g_ptr_array_new_with_free_func (g_free);
  options.tmpdir = self->folder;
  self->workbook = workbook_new_opt (path, &options);
  if (self->workbook == NULL) {
    xlsx_free (&self->parent);
    g_set_error (error, PLUMB_ERROR, PLUMB_ERROR_FAILED, "The spreadsheet “%s” could not be made.",
                 path);
    return NULL;
  }
  self->header = workbook_add_format (self->workbook);
  format_set_bold (self->header);
  return &self->parent;
}
