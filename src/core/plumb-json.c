/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-json.h"

#include "plumb-text.h"

#include <math.h>
#include <string.h>

struct _PlumbJsonWriter {
  GString *text;
  gboolean comma;
};

/** plumb_json_writer_new: Returns: (transfer full): a writer with nothing written */
PlumbJsonWriter *
plumb_json_writer_new (void)
{
  PlumbJsonWriter *self = g_new0 (PlumbJsonWriter, 1);

  self->text = g_string_new (NULL);
  return self;
}

/** plumb_json_writer_free: frees @self and what it wrote */
void
plumb_json_writer_free (PlumbJsonWriter *self)
{
  if (self == NULL)
    return;
  if (self->text != NULL)
    g_string_free (self->text, TRUE);
  g_free (self);
}

/* Writes the comma that a value or name needs after the one before it. */
static void
separate (PlumbJsonWriter *self)
{
  if (self->comma)
    g_string_append_c (self->text, ',');
  self->comma = TRUE;
}

static void
open_bracket (PlumbJsonWriter *self, char bracket)
{
  separate (self);
  g_string_append_c (self->text, bracket);
  self->comma = FALSE;
}

static void
close_bracket (PlumbJsonWriter *self, char bracket)
{
  g_string_append_c (self->text, bracket);
  self->comma = TRUE;
}

/** plumb_json_writer_begin_object: opens an object */
void
plumb_json_writer_begin_object (PlumbJsonWriter *self)
{
  open_bracket (self, '{');
}

/** plumb_json_writer_end_object: closes the object opened last */
void
plumb_json_writer_end_object (PlumbJsonWriter *self)
{
  close_bracket (self, '}');
}

/** plumb_json_writer_begin_array: opens an array */
void
plumb_json_writer_begin_array (PlumbJsonWriter *self)
{
  open_bracket (self, '[');
}

/** plumb_json_writer_end_array: closes the array opened last */
void
plumb_json_writer_end_array (PlumbJsonWriter *self)
{
  close_bracket (self, ']');
}

/** plumb_json_writer_name: writes a member's name; its value comes next */
void
plumb_json_writer_name (PlumbJsonWriter *self, const char *name)
{
  plumb_json_writer_string (self, name);
  g_string_append_c (self->text, ':');
  self->comma = FALSE;
}

/** plumb_json_writer_string: writes @text, or null for %NULL; invalid UTF-8 as in [method@bytes] */
void
plumb_json_writer_string (PlumbJsonWriter *self, const char *text)
{
  if (text == NULL)
    plumb_json_writer_null (self);
  else
    plumb_json_writer_bytes (self, text, strlen (text));
}

/**
 * plumb_json_writer_bytes:
 * @text: bytes, NUL among them if need be
 * @length: how many
 *
 * Writes a string. JSON text must be UTF-8: bytes that are not become U+FFFD, a NUL \\u0000.
 */
void
plumb_json_writer_bytes (PlumbJsonWriter *self, const char *text, gsize length)
{
  g_autofree char *valid = NULL;
  const char *end;

  separate (self);
  if (!g_utf8_validate_len (text, length, NULL)) {
    gsize valid_length = 0;

    valid = plumb_text_make_valid (text, length, &valid_length);
    text = valid;
    length = valid_length;
  }
  end = text + length;
  g_string_append_c (self->text, '"');
  for (const char *p = text; p < end; p++) {
    guchar c = *p;

    if (c == '"' || c == '\\') {
      g_string_append_c (self->text, '\\');
      g_string_append_c (self->text, c);
    } else if (c == '\n') {
      g_string_append (self->text, "\\n");
    } else if (c == '\t') {
      g_string_append (self->text, "\\t");
    } else if (c < 0x20 || c == 0x7f) {
      g_string_append_printf (self->text, "\\u%04x", c);
    } else {
      g_string_append_c (self->text, c);
    }
  }
  g_string_append_c (self->text, '"');
}

/** plumb_json_writer_int: writes a whole number */
void
plumb_json_writer_int (PlumbJsonWriter *self, gint64 number)
{
  separate (self);
  g_string_append_printf (self->text, "%" G_GINT64_FORMAT, number);
}

/** plumb_json_writer_double: writes @number with the fewest digits that read back the same; null
 *  for what JSON has no number for */
void
plumb_json_writer_double (PlumbJsonWriter *self, double number)
{
  char digits[G_ASCII_DTOSTR_BUF_SIZE];

  if (!isfinite (number)) {
    plumb_json_writer_null (self);
    return;
  }
  for (int precision = 15; precision <= 17; precision++) {
    g_autofree char *format = g_strdup_printf ("%%.%dg", precision);

    g_ascii_formatd (digits, sizeof digits, format, number);
    if (g_ascii_strtod (digits, NULL) == number)
      break;
  }
  plumb_json_writer_number (self, digits);
}

/** plumb_json_writer_number: writes @digits, which must be a JSON number, as they are */
void
plumb_json_writer_number (PlumbJsonWriter *self, const char *digits)
{
  separate (self);
  g_string_append (self->text, digits);
}

/** plumb_json_writer_boolean: writes true or false */
void
plumb_json_writer_boolean (PlumbJsonWriter *self, gboolean value)
{
  separate (self);
  g_string_append (self->text, value ? "true" : "false");
}

/** plumb_json_writer_null: writes null */
void
plumb_json_writer_null (PlumbJsonWriter *self)
{
  separate (self);
  g_string_append (self->text, "null");
}

/** plumb_json_writer_strv: writes an array of strings; an empty one for %NULL */
void
plumb_json_writer_strv (PlumbJsonWriter *self, const char *const *strings)
{
  plumb_json_writer_begin_array (self);
  for (guint i = 0; strings != NULL && strings[i] != NULL; i++)
    plumb_json_writer_string (self, strings[i]);
  plumb_json_writer_end_array (self);
}

/** plumb_json_writer_node: writes a parsed value again */
void
plumb_json_writer_node (PlumbJsonWriter *self, JsonNode *node)
{
  g_autofree char *json = json_to_string (node, FALSE);

  plumb_json_writer_raw (self, json);
}

/** plumb_json_writer_raw: writes @json, which must be one valid JSON value, as it is */
void
plumb_json_writer_raw (PlumbJsonWriter *self, const char *json)
{
  separate (self);
  g_string_append (self->text, json);
}

/** plumb_json_writer_get_length: Returns: bytes written so far */
gsize
plumb_json_writer_get_length (PlumbJsonWriter *self)
{
  return self->text->len;
}

/** plumb_json_writer_finish: Returns: (transfer full): the document; the writer is empty after */
char *
plumb_json_writer_finish (PlumbJsonWriter *self)
{
  char *text = g_string_free (self->text, FALSE);

  self->text = g_string_new (NULL);
  self->comma = FALSE;
  return text;
}

static JsonNode *
get_value (JsonObject *object, const char *name)
{
  JsonNode *node = object != NULL ? json_object_get_member (object, name) : NULL;

  return node != NULL && JSON_NODE_HOLDS_VALUE (node) ? node : NULL;
}

/** plumb_json_get_string: Returns: (transfer none): the member's string, or @fallback */
const char *
plumb_json_get_string (JsonObject *object, const char *name, const char *fallback)
{
  JsonNode *node = get_value (object, name);

  return node != NULL && json_node_get_value_type (node) == G_TYPE_STRING
             ? json_node_get_string (node)
             : fallback;
}

/** plumb_json_get_int: Returns: the member's whole number, or @fallback */
gint64
plumb_json_get_int (JsonObject *object, const char *name, gint64 fallback)
{
  JsonNode *node = get_value (object, name);

  if (node == NULL)
    return fallback;
  if (json_node_get_value_type (node) == G_TYPE_DOUBLE) {
    double number = json_node_get_double (node);

    return number == floor (number) && fabs (number) < 9e15 ? (gint64) number : fallback;
  }
  return json_node_get_value_type (node) == G_TYPE_INT64 ? json_node_get_int (node) : fallback;
}

/** plumb_json_get_double: Returns: the member's number, or @fallback */
double
plumb_json_get_double (JsonObject *object, const char *name, double fallback)
{
  JsonNode *node = get_value (object, name);

  if (node == NULL || (json_node_get_value_type (node) != G_TYPE_DOUBLE &&
                       json_node_get_value_type (node) != G_TYPE_INT64))
    return fallback;
  return json_node_get_double (node);
}

/** plumb_json_get_boolean: Returns: the member's truth value, or @fallback */
gboolean
plumb_json_get_boolean (JsonObject *object, const char *name, gboolean fallback)
{
  JsonNode *node = get_value (object, name);

  return node != NULL && json_node_get_value_type (node) == G_TYPE_BOOLEAN
             ? json_node_get_boolean (node)
             : fallback;
}

/** plumb_json_get_object: Returns: (transfer none) (nullable): the member, if it is an object */
JsonObject *
plumb_json_get_object (JsonObject *object, const char *name)
{
  JsonNode *node = object != NULL ? json_object_get_member (object, name) : NULL;

  return node != NULL && JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
}

/** plumb_json_get_array: Returns: (transfer none) (nullable): the member, if it is an array */
JsonArray *
plumb_json_get_array (JsonObject *object, const char *name)
{
  JsonNode *node = object != NULL ? json_object_get_member (object, name) : NULL;

  return node != NULL && JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;
}

/** plumb_json_get_strv: Returns: (transfer full) (nullable): the member's strings, if it is an
 *  array; other values in it are left out */
GStrv
plumb_json_get_strv (JsonObject *object, const char *name)
{
  JsonArray *array = plumb_json_get_array (object, name);
  g_autoptr (GStrvBuilder) strings = NULL;

  if (array == NULL)
    return NULL;
  strings = g_strv_builder_new ();
  for (guint i = 0; i < json_array_get_length (array); i++) {
    JsonNode *node = json_array_get_element (array, i);

    if (JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_STRING)
      g_strv_builder_add (strings, json_node_get_string (node));
  }
  return g_strv_builder_end (strings);
}

/* The number of the four hex digits after "\\u", or -1 where there aren't four. */
static int
read_escape (const char *digits, const char *end)
{
  int number = 0;

  for (guint i = 0; i < 4; i++) {
    if (digits + i >= end || !g_ascii_isxdigit (digits[i]))
      return -1;
    number = number * 16 + g_ascii_xdigit_value (digits[i]);
  }
  return number;
}

static gboolean
is_in (int number, int first, int last)
{
  return number >= first && number <= last;
}

/* What json-glib makes of some escapes isn't text: it ends a string at an escaped NUL, so that what
 * stands behind would be lost unnoticed, and half of a surrogate pair or digits that are none become
 * invalid UTF-8. The first two become U+FFFD, the last is an error. */
static gboolean
repair_escapes (char *text, gsize length, GError **error)
{
  const char *end = text + length;

  for (char *p = text; p < end; p++) {
    int number, second;

    if (*p != '\\' || ++p >= end || *p != 'u')
      continue;
    number = read_escape (p + 1, end);
    if (number < 0) {
      g_set_error_literal (error, PLUMB_ERROR, PLUMB_ERROR_INVALID_ARGUMENT,
                           "This is no JSON: \\u must be followed by four hex digits.");
      return FALSE;
    }
    second = end - p > 6 && p[5] == '\\' && p[6] == 'u' ? read_escape (p + 7, end) : -1;
    if (is_in (number, 0xd800, 0xdbff) && is_in (second, 0xdc00, 0xdfff))
      p += 6;
    else if (number == 0 || is_in (number, 0xd800, 0xdfff))
      memcpy (p + 1, "fffd", 4);
    p += 4;
  }
  return TRUE;
}

/**
 * plumb_json_parse:
 * @text: JSON text
 * @length: its length in bytes, -1 where it ends with a NUL
 * @error: return location
 *
 * No value is cut, and every string is UTF-8: a NUL or half a surrogate pair that a string escapes
 * becomes U+FFFD.
 *
 * Returns: (transfer full): the value, or %NULL with a JSON_PARSER_ERROR or
 *   PLUMB_ERROR_INVALID_ARGUMENT for text that is empty, not UTF-8, or escapes what is no character
 */
JsonNode *
plumb_json_parse (const char *text, gssize length, GError **error)
{
  g_autoptr (JsonParser) parser = json_parser_new_immutable ();
  g_autofree char *repaired = NULL;
  g_autoptr (GError) failure = NULL;
  JsonNode *root;

  if (!g_utf8_validate (text, length, NULL)) {
    g_set_error_literal (error, PLUMB_ERROR, PLUMB_ERROR_INVALID_ARGUMENT,
                         "This is no JSON: the text is not valid UTF-8.");
    return NULL;
  }
  if (length < 0)
    length = strlen (text);
  if (g_strstr_len (text, length, "\\u") != NULL) {
    repaired = g_strndup (text, length);
    if (!repair_escapes (repaired, length, error))
      return NULL;
  }
  if (!json_parser_load_from_data (parser, repaired != NULL ? repaired : text, length, &failure)) {
    /* json-glib quotes the text up to some byte, be it within a character. */
    g_autofree char *message = g_utf8_make_valid (failure->message, -1);

    g_set_error_literal (error, failure->domain, failure->code, message);
    return NULL;
  }
  root = json_parser_steal_root (parser);
  if (root == NULL)
    g_set_error_literal (error, PLUMB_ERROR, PLUMB_ERROR_INVALID_ARGUMENT,
                         "This is no JSON: the text is empty.");
  return root;
}
