/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-stored-result.h"

#include <string.h>

/* Reads back what plumb_result_write_json() wrote. json-glib would take numbers through a double,
 * so the rows are read here from the text itself, each number as it is spelled. The text has been
 * accepted by json-glib before, yet nothing below relies on that to stay inside it. */

static const char *
skip_space (const char *at)
{
  while (*at != '\0' && g_ascii_isspace (*at))
    at++;
  return at;
}

static const char *
skip_string (const char *at)
{
  at++;
  while (*at != '\0' && *at != '"') {
    if (*at == '\\' && at[1] != '\0')
      at++;
    at++;
  }
  return *at == '"' ? at + 1 : at;
}

/* Past the value that starts at @at: a string, a number or word, or all of an array or object. */
static const char *
skip_value (const char *at)
{
  int depth = 0;

  at = skip_space (at);
  do {
    if (*at == '\0')
      return at;
    if (*at == '"') {
      at = skip_string (at);
    } else if (*at == '[' || *at == '{') {
      depth++;
      at++;
    } else if (*at == ']' || *at == '}') {
      depth--;
      at++;
    } else if (depth > 0) {
      at++;
    } else {
      at += strcspn (at, ",]} \t\r\n");
    }
  } while (depth > 0);
  return at;
}

/* The value of a member of the object that @json is, or NULL. */
static const char *
find_member (const char *json, const char *name)
{
  const char *at = skip_space (json);
  gsize length = strlen (name);

  if (*at != '{')
    return NULL;
  at = skip_space (at + 1);
  while (*at == '"') {
    const char *key = at + 1;
    const char *after = skip_string (at);
    gboolean is_it = strncmp (key, name, length) == 0 && key[length] == '"';

    at = skip_space (after);
    if (*at != ':')
      return NULL;
    at = skip_space (at + 1);
    if (is_it)
      return at;
    at = skip_space (skip_value (at));
    if (*at == ',')
      at = skip_space (at + 1);
  }
  return NULL;
}

static PlumbValueKind
kind_of_number (const char *text, gsize length)
{
  for (gsize i = 0; i < length; i++) {
    if (text[i] == '.' || text[i] == 'e' || text[i] == 'E')
      return PLUMB_VALUE_DECIMAL;
  }
  return PLUMB_VALUE_INTEGER;
}

/* Fills @cell from the value at @at; text that has to live as long as the row goes to @texts. */
static const char *
read_cell (const char *at, PlumbCell *cell, GPtrArray *texts)
{
  const char *end = skip_value (at);
  g_autofree char *raw = g_strndup (at, end - at);

  memset (cell, 0, sizeof *cell);
  if (*at == '"') {
    g_autoptr (JsonNode) node = plumb_json_parse (raw, -1, NULL);
    const char *text = node != NULL ? json_node_get_string (node) : NULL;

    cell->kind = PLUMB_VALUE_TEXT;
    g_ptr_array_add (texts, g_strdup (text != NULL ? text : ""));
  } else if (strcmp (raw, "null") == 0) {
    cell->kind = PLUMB_VALUE_NULL;
    return end;
  } else {
    cell->kind = *at == 't' || *at == 'f' ? PLUMB_VALUE_BOOLEAN : kind_of_number (raw, end - at);
    g_ptr_array_add (texts, g_steal_pointer (&raw));
  }
  cell->text = g_ptr_array_index (texts, texts->len - 1);
  cell->length = strlen (cell->text);
  return end;
}

static const char *
read_row (const char *at, GArray *cells, GPtrArray *texts)
{
  g_array_set_size (cells, 0);
  g_ptr_array_set_size (texts, 0);
  at = skip_space (at + 1);
  while (*at != '\0' && *at != ']') {
    PlumbCell cell;
    const char *after = read_cell (at, &cell, texts);

    if (after == at)
      break;
    g_array_append_val (cells, cell);
    at = skip_space (after);
    if (*at == ',')
      at = skip_space (at + 1);
  }
  return *at == ']' ? at + 1 : at;
}

/* The kind that all cells of a column share, so that a column of numbers stands to the right. */
static void
note_kinds (GPtrArray *columns, GArray *cells)
{
  for (guint i = 0; i < columns->len && i < cells->len; i++) {
    PlumbResultColumn *column = g_ptr_array_index (columns, i);
    PlumbValueKind kind = g_array_index (cells, PlumbCell, i).kind;

    if (kind == PLUMB_VALUE_NULL || column->kind == kind)
      continue;
    if (column->kind == PLUMB_VALUE_NULL)
      column->kind = kind;
    else if (kind == PLUMB_VALUE_DECIMAL && column->kind == PLUMB_VALUE_INTEGER)
      column->kind = PLUMB_VALUE_DECIMAL;
    else if (kind != PLUMB_VALUE_INTEGER || column->kind != PLUMB_VALUE_DECIMAL)
      column->kind = PLUMB_VALUE_TEXT;
  }
}

typedef void (*RowFunc) (GArray *cells, gpointer user_data);

static void
each_row (const char *rows, RowFunc func, gpointer user_data)
{
  g_autoptr (GArray) cells = g_array_new (FALSE, FALSE, sizeof (PlumbCell));
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);
  const char *at = rows != NULL ? skip_space (rows) : "";

  if (*at != '[')
    return;
  at = skip_space (at + 1);
  while (*at == '[') {
    at = skip_space (read_row (at, cells, texts));
    func (cells, user_data);
    if (*at == ',')
      at = skip_space (at + 1);
  }
}

static void
look_at_row (GArray *cells, gpointer user_data)
{
  note_kinds (user_data, cells);
}

typedef struct {
  PlumbRowSink sink;
  guint n_columns;
} Filler;

static void
add_row (GArray *cells, gpointer user_data)
{
  Filler *filler = user_data;

  if (cells->len == filler->n_columns)
    filler->sink.row ((PlumbCell *) (gpointer) cells->data, cells->len, filler->sink.user_data,
                      NULL);
}

static GPtrArray *
read_columns (JsonObject *object)
{
  GPtrArray *columns = g_ptr_array_new_with_free_func ((GDestroyNotify) plumb_result_column_free);
  JsonArray *array = plumb_json_get_array (object, "columns");

  for (guint i = 0; array != NULL && i < json_array_get_length (array); i++) {
    JsonNode *node = json_array_get_element (array, i);
    JsonObject *column = JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;

    if (column != NULL)
      g_ptr_array_add (columns, plumb_result_column_new (plumb_json_get_string (column, "name", ""),
                                                         plumb_json_get_string (column, "type", ""),
                                                         PLUMB_VALUE_NULL));
  }
  return columns;
}

static void
read_warnings (JsonObject *object, PlumbResult *result)
{
  g_auto (GStrv) warnings = plumb_json_get_strv (object, "warnings");

  for (guint i = 0; warnings != NULL && warnings[i] != NULL; i++)
    plumb_result_add_warning (result, warnings[i]);
}

/**
 * plumb_stored_result_parse:
 * @json: a document that holds what plumb_result_write_json() writes
 *
 * Returns: (transfer full) (nullable): the rows again, each value as it was spelled; %NULL where
 *   @json holds no result
 */
PlumbResult *
plumb_stored_result_parse (const char *json)
{
  g_autoptr (JsonNode) node = plumb_json_parse (json, -1, NULL);
  g_autoptr (GPtrArray) columns = NULL;
  PlumbResult *result;
  JsonObject *object;
  Filler filler;

  if (node == NULL || !JSON_NODE_HOLDS_OBJECT (node))
    return NULL;
  object = json_node_get_object (node);
  columns = read_columns (object);
  if (columns->len == 0)
    return NULL;
  each_row (find_member (json, "rows"), look_at_row, columns);

  result = plumb_result_new (NULL);
  filler.sink = plumb_result_get_sink (result);
  filler.n_columns = columns->len;
  filler.sink.columns (columns, filler.sink.user_data, NULL);
  each_row (find_member (json, "rows"), add_row, &filler);
  plumb_result_set_elapsed_ms (result, plumb_json_get_int (object, "elapsed_ms", 0));
  read_warnings (object, result);
  return result;
}
