/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-result.h"

#include "plumb-json.h"
#include "plumb-text.h"

#include <string.h>

/* Bytes a block of cell text holds; longer cells get a block of their own. */
#define BLOCK_SIZE (64 * 1024)

struct _PlumbResult {
  PlumbLimits limits;
  GPtrArray *columns;
  GArray *cells;
  GPtrArray *blocks;
  char *block;
  gsize block_used;
  gint64 n_rows;
  gint64 n_bytes;
  const char *truncated_by;
  gint64 elapsed_ms;
  GPtrArray *warnings;
  char *id;
  gint64 audit_id;
};

/** plumb_result_column_new: Returns: (transfer full): a column; %NULL as @type is none */
PlumbResultColumn *
plumb_result_column_new (const char *name, const char *type, PlumbValueKind kind)
{
  PlumbResultColumn *self = g_new0 (PlumbResultColumn, 1);

  self->name = name != NULL ? g_utf8_make_valid (name, -1) : g_strdup ("");
  self->type = g_strdup (type != NULL ? type : "");
  self->kind = kind;
  return self;
}

/** plumb_result_column_free: frees @self */
void
plumb_result_column_free (PlumbResultColumn *self)
{
  g_free (self->name);
  g_free (self->type);
  g_free (self);
}

/**
 * plumb_result_new:
 * @limits: (nullable): what to keep; %NULL keeps all
 *
 * Returns: (transfer full): an empty result, to be filled through its sink
 */
PlumbResult *
plumb_result_new (const PlumbLimits *limits)
{
  PlumbResult *self = g_atomic_rc_box_new0 (PlumbResult);

  if (limits != NULL)
    self->limits = *limits;
  self->columns = g_ptr_array_new_with_free_func ((GDestroyNotify) plumb_result_column_free);
  self->cells = g_array_new (FALSE, FALSE, sizeof (PlumbCell));
  self->blocks = g_ptr_array_new_with_free_func (g_free);
  self->warnings = g_ptr_array_new_with_free_func (g_free);
  return self;
}

/** plumb_result_ref: Returns: (transfer full): @self with one more reference */
PlumbResult *
plumb_result_ref (PlumbResult *self)
{
  return g_atomic_rc_box_acquire (self);
}

static void
result_clear (PlumbResult *self)
{
  g_ptr_array_unref (self->columns);
  g_array_unref (self->cells);
  g_ptr_array_unref (self->blocks);
  g_ptr_array_unref (self->warnings);
  g_free (self->id);
}

/** plumb_result_unref: gives a reference back */
void
plumb_result_unref (PlumbResult *self)
{
  if (self != NULL)
    g_atomic_rc_box_release_full (self, (GDestroyNotify) result_clear);
}

static char *
store_text (PlumbResult *self, const char *text, gsize length)
{
  char *place;

  if (length >= BLOCK_SIZE / 4) {
    place = g_malloc (length + 1);
    g_ptr_array_add (self->blocks, place);
  } else {
    if (self->block == NULL || self->block_used + length + 1 > BLOCK_SIZE) {
      self->block = g_malloc (BLOCK_SIZE);
      self->block_used = 0;
      g_ptr_array_add (self->blocks, self->block);
    }
    place = self->block + self->block_used;
    self->block_used += length + 1;
  }
  if (length > 0)
    memcpy (place, text, length);
  place[length] = '\0';
  return place;
}

static gboolean
take_columns (GPtrArray *columns, gpointer user_data, GError **error)
{
  PlumbResult *self = user_data;

  g_ptr_array_set_size (self->columns, 0);
  for (guint i = 0; i < columns->len; i++) {
    const PlumbResultColumn *column = g_ptr_array_index (columns, i);

    g_ptr_array_add (self->columns,
                     plumb_result_column_new (column->name, column->type, column->kind));
  }
  return TRUE;
}

/* Where to cut a cell: at the limit, but not inside a character. */
static gsize
cut_length (const PlumbCell *cell, gint64 limit)
{
  gsize length = limit;

  if (cell->kind == PLUMB_VALUE_BINARY)
    return length;
  while (length > 0 && length + 4 > (gsize) limit && ((guchar) cell->text[length] & 0xc0) == 0x80)
    length--;
  return length;
}

static PlumbRowsNext
take_row (const PlumbCell *cells, guint n_cells, gpointer user_data, GError **error)
{
  PlumbResult *self = user_data;
  const PlumbLimits *limits = &self->limits;
  gint64 row_bytes = 0;

  if (limits->max_rows > 0 && self->n_rows >= limits->max_rows) {
    self->truncated_by = "rows";
    return PLUMB_ROWS_STOP;
  }
  for (guint i = 0; i < n_cells; i++) {
    gint64 length = cells[i].length;

    row_bytes += limits->max_cell_bytes > 0 ? MIN (length, limits->max_cell_bytes) : length;
  }
  if (limits->max_bytes > 0 && self->n_bytes + row_bytes > limits->max_bytes && self->n_rows > 0) {
    self->truncated_by = "bytes";
    return PLUMB_ROWS_STOP;
  }
  for (guint i = 0; i < n_cells; i++) {
    PlumbCell cell = cells[i];

    if (cell.kind != PLUMB_VALUE_NULL) {
      if (limits->max_cell_bytes > 0 && cell.length > (gsize) limits->max_cell_bytes) {
        cell.length = cut_length (&cell, limits->max_cell_bytes);
        cell.cut = TRUE;
        if (self->truncated_by == NULL)
          self->truncated_by = "cell";
      }
      cell.text = store_text (self, cell.text, cell.length);
    }
    g_array_append_val (self->cells, cell);
  }
  self->n_bytes += row_bytes;
  self->n_rows++;
  return PLUMB_ROWS_CONTINUE;
}

/** plumb_result_get_sink: Returns: a sink that fills @self within its limits */
PlumbRowSink
plumb_result_get_sink (PlumbResult *self)
{
  return (PlumbRowSink) { take_columns, take_row, self, NULL };
}

/** plumb_result_get_n_columns: Returns: how many columns */
guint
plumb_result_get_n_columns (PlumbResult *self)
{
  return self->columns->len;
}

/** plumb_result_get_column: Returns: (transfer none): the column at @column */
const PlumbResultColumn *
plumb_result_get_column (PlumbResult *self, guint column)
{
  return g_ptr_array_index (self->columns, column);
}

/** plumb_result_get_n_rows: Returns: how many rows were kept */
gint64
plumb_result_get_n_rows (PlumbResult *self)
{
  return self->n_rows;
}

/** plumb_result_get_cell: Returns: (transfer none): the cell; valid as long as @self */
const PlumbCell *
plumb_result_get_cell (PlumbResult *self, gint64 row, guint column)
{
  return &g_array_index (self->cells, PlumbCell, row * self->columns->len + column);
}

/**
 * plumb_cell_to_display:
 *
 * Returns: (transfer full) (nullable): @cell as valid UTF-8 for people, binary as \\x and hex digits,
 *   a NUL as U+2400; %NULL for NULL, which whoever shows it marks in its own way
 */
char *
plumb_cell_to_display (const PlumbCell *cell)
{
  g_autofree char *valid = NULL;
  gsize length = 0;
  GString *text;

  if (cell->kind == PLUMB_VALUE_NULL)
    return NULL;
  if (cell->kind == PLUMB_VALUE_BINARY) {
    text = g_string_new ("\\x");
    for (gsize i = 0; i < cell->length; i++)
      g_string_append_printf (text, "%02x", (guchar) cell->text[i]);
    return g_string_free (text, FALSE);
  }
  valid = plumb_text_make_valid (cell->text, cell->length, &length);
  if (strlen (valid) == length)
    return g_steal_pointer (&valid);
  text = g_string_new (NULL);
  for (gsize i = 0; i < length; i++) {
    if (valid[i] == '\0')
      g_string_append (text, "␀");
    else
      g_string_append_c (text, valid[i]);
  }
  return g_string_free (text, FALSE);
}

/** plumb_result_get_truncated: Returns: whether a limit cut anything, rows or cells */
gboolean
plumb_result_get_truncated (PlumbResult *self)
{
  return self->truncated_by != NULL;
}

/** plumb_result_get_truncated_by: Returns: (nullable): "rows", "bytes" or "cell" */
const char *
plumb_result_get_truncated_by (PlumbResult *self)
{
  return self->truncated_by;
}

/** plumb_result_get_elapsed_ms: Returns: milliseconds from sending the statement to its end */
gint64
plumb_result_get_elapsed_ms (PlumbResult *self)
{
  return self->elapsed_ms;
}

/** plumb_result_set_elapsed_ms: sets what [method@get_elapsed_ms] returns */
void
plumb_result_set_elapsed_ms (PlumbResult *self, gint64 elapsed_ms)
{
  self->elapsed_ms = elapsed_ms;
}

/** plumb_result_get_warnings: Returns: (transfer none) (element-type utf8): what to look at */
GPtrArray *
plumb_result_get_warnings (PlumbResult *self)
{
  return self->warnings;
}

/** plumb_result_add_warning: adds a copy of @warning */
void
plumb_result_add_warning (PlumbResult *self, const char *warning)
{
  g_ptr_array_add (self->warnings, g_strdup (warning));
}

/** plumb_result_get_id: Returns: (nullable): the result's name within its turn */
const char *
plumb_result_get_id (PlumbResult *self)
{
  return self->id;
}

/** plumb_result_set_id: sets what [method@get_id] returns */
void
plumb_result_set_id (PlumbResult *self, const char *id)
{
  g_free (self->id);
  self->id = g_strdup (id);
}

/** plumb_result_get_audit_id: Returns: the audit record of the statement, 0 for none */
gint64
plumb_result_get_audit_id (PlumbResult *self)
{
  return self->audit_id;
}

/** plumb_result_set_audit_id: sets what [method@get_audit_id] returns */
void
plumb_result_set_audit_id (PlumbResult *self, gint64 audit_id)
{
  self->audit_id = audit_id;
}

/* Whether the text is a JSON number, and one that reads back from a double as it was: at most 15
 * significant digits (DBL_DIG) and a small exponent. */
static gboolean
is_exact_json_number (const char *text, gsize length)
{
  gsize i = 0;
  guint digits = 0;
  gboolean leading = TRUE;

  if (i < length && text[i] == '-')
    i++;
  if (i >= length || !g_ascii_isdigit (text[i]) ||
      (text[i] == '0' && i + 1 < length && g_ascii_isdigit (text[i + 1])))
    return FALSE;
  for (; i < length; i++) {
    if (text[i] == '.') {
      if (i + 1 >= length || memchr (text, '.', i) != NULL || !g_ascii_isdigit (text[i + 1]))
        return FALSE;
      continue;
    }
    if (!g_ascii_isdigit (text[i]))
      return FALSE;
    leading = leading && text[i] == '0';
    digits += leading ? 0 : 1;
  }
  return digits <= 15;
}

static gboolean
is_exact_float (const PlumbCell *cell)
{
  double number;
  char *end;

  /* A float column's text is the shortest that reads back the same, or has 15 digits or fewer. */
  number = g_ascii_strtod (cell->text, &end);
  return end == cell->text + cell->length && number - number == 0.0 &&
         g_ascii_isdigit (cell->text[cell->length - 1]) &&
         (g_ascii_isdigit (cell->text[0]) || cell->text[0] == '-') &&
         strpbrk (cell->text, "xX") == NULL &&
         !(cell->text[0] == '0' && g_ascii_isdigit (cell->text[1]));
}

/** plumb_cell_write_json: writes the cell as one value; a number that a double can't hold exactly is
 *  a string */
void
plumb_cell_write_json (const PlumbCell *cell, PlumbJsonWriter *writer)
{
  g_autofree char *hex = NULL;

  switch (cell->kind) {
  case PLUMB_VALUE_NULL:
    plumb_json_writer_null (writer);
    return;
  case PLUMB_VALUE_INTEGER:
  case PLUMB_VALUE_DECIMAL:
    if (!is_exact_json_number (cell->text, cell->length))
      break;
    plumb_json_writer_number (writer, cell->text);
    return;
  case PLUMB_VALUE_FLOAT:
    if (cell->length == 0 || !is_exact_float (cell))
      break;
    plumb_json_writer_number (writer, cell->text);
    return;
  case PLUMB_VALUE_BOOLEAN:
    if (strcmp (cell->text, "true") != 0 && strcmp (cell->text, "false") != 0)
      break;
    plumb_json_writer_boolean (writer, cell->text[0] == 't');
    return;
  case PLUMB_VALUE_BINARY:
    hex = plumb_cell_to_display (cell);
    plumb_json_writer_string (writer, hex);
    return;
  case PLUMB_VALUE_TEXT:
  case PLUMB_VALUE_DATE:
  case PLUMB_VALUE_TIME:
  case PLUMB_VALUE_TIMESTAMP:
  case PLUMB_VALUE_INTERVAL:
  case PLUMB_VALUE_JSON:
  case PLUMB_VALUE_OTHER:
  default:
    break;
  }
  plumb_json_writer_bytes (writer, cell->text, cell->length);
}

static void
write_columns (PlumbResult *self, PlumbJsonWriter *writer)
{
  plumb_json_writer_name (writer, "columns");
  plumb_json_writer_begin_array (writer);
  for (guint i = 0; i < self->columns->len; i++) {
    const PlumbResultColumn *column = plumb_result_get_column (self, i);

    plumb_json_writer_begin_object (writer);
    plumb_json_writer_name (writer, "name");
    plumb_json_writer_string (writer, column->name);
    plumb_json_writer_name (writer, "type");
    plumb_json_writer_string (writer, column->type);
    plumb_json_writer_end_object (writer);
  }
  plumb_json_writer_end_array (writer);
}

/**
 * plumb_result_write_json:
 * @writer: where to write members; the caller opens and closes the object
 * @max_bytes: bytes that the rows may take, 0 for no limit
 *
 * Writes the members `columns`, `rows`, `row_count`, `truncated`, `truncated_by`, `elapsed_ms`,
 * `warnings`. Numbers that a double can't hold exactly are strings. When @max_bytes leaves rows out,
 * `row_count` is still the number of rows in the result and `rows_left_out` says how many are missing.
 */
void
plumb_result_write_json (PlumbResult *self, PlumbJsonWriter *writer, gsize max_bytes)
{
  gsize start = plumb_json_writer_get_length (writer);
  gint64 row;

  write_columns (self, writer);
  plumb_json_writer_name (writer, "rows");
  plumb_json_writer_begin_array (writer);
  for (row = 0; row < self->n_rows; row++) {
    gsize before = plumb_json_writer_get_length (writer);
    gsize row_bytes = 0;

    for (guint i = 0; i < self->columns->len; i++)
      row_bytes += plumb_result_get_cell (self, row, i)->length + 4;
    if (max_bytes > 0 && before - start + row_bytes > max_bytes)
      break;
    plumb_json_writer_begin_array (writer);
    for (guint i = 0; i < self->columns->len; i++)
      plumb_cell_write_json (plumb_result_get_cell (self, row, i), writer);
    plumb_json_writer_end_array (writer);
  }
  plumb_json_writer_end_array (writer);
  plumb_json_writer_name (writer, "row_count");
  plumb_json_writer_int (writer, self->n_rows);
  if (row < self->n_rows) {
    plumb_json_writer_name (writer, "rows_left_out");
    plumb_json_writer_int (writer, self->n_rows - row);
  }
  plumb_json_writer_name (writer, "truncated");
  plumb_json_writer_boolean (writer, self->truncated_by != NULL || row < self->n_rows);
  plumb_json_writer_name (writer, "truncated_by");
  plumb_json_writer_string (writer, self->truncated_by != NULL ? self->truncated_by
                                    : row < self->n_rows       ? "bytes"
                                                               : NULL);
  plumb_json_writer_name (writer, "elapsed_ms");
  plumb_json_writer_int (writer, self->elapsed_ms);
  plumb_json_writer_name (writer, "warnings");
  plumb_json_writer_begin_array (writer);
  for (guint i = 0; i < self->warnings->len; i++)
    plumb_json_writer_string (writer, g_ptr_array_index (self->warnings, i));
  plumb_json_writer_end_array (writer);
}
