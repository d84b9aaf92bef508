/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-json-layout.h"

#include <string.h>

/* Arrays and objects up to this many bytes stay on one line. */
#define LINE_BYTES 76

/* Past the string that starts at @at. */
static const char *
string_end (const char *at)
{
  for (at++; *at != '\0' && *at != '"'; at++) {
    if (*at == '\\' && at[1] != '\0')
      at++;
  }
  return *at == '"' ? at + 1 : at;
}

/* Whether the array or object at @at is short; @at points at its bracket. */
static gboolean
is_short (const char *at)
{
  const char *start = at;
  int depth = 0;

  while (*at != '\0' && at - start <= LINE_BYTES) {
    if (*at == '"') {
      at = string_end (at);
      continue;
    }
    if (*at == '[' || *at == '{')
      depth++;
    if ((*at == ']' || *at == '}') && --depth == 0)
      return at - start <= LINE_BYTES;
    at++;
  }
  return FALSE;
}

static void
new_line (GString *out, int depth)
{
  g_string_append_c (out, '\n');
  for (int i = 0; i < depth; i++)
    g_string_append (out, "  ");
}

/* Writes the mark of structure at @at; @flat counts the short ones that are open. */
static void
append_mark (GString *out, const char *at, int *depth, int *flat)
{
  gboolean opens = *at == '[' || *at == '{';
  gboolean closes = *at == ']' || *at == '}';

  if (opens && (*flat > 0 || is_short (at))) {
    (*flat)++;
    g_string_append_c (out, *at);
  } else if (opens) {
    g_string_append_c (out, *at);
    new_line (out, ++*depth);
  } else if (closes && *flat > 0) {
    (*flat)--;
    g_string_append_c (out, *at);
  } else if (closes) {
    *depth = MAX (*depth - 1, 0);
    new_line (out, *depth);
    g_string_append_c (out, *at);
  } else if (*at == ',' && *flat == 0) {
    g_string_append_c (out, ',');
    new_line (out, *depth);
  } else {
    g_string_append_printf (out, "%c ", *at);
  }
}

/**
 * plumb_json_layout:
 * @json: a JSON document
 *
 * Lays @json out over lines, for people to read. Works on the text, so that each number and string
 * stays as it is spelled.
 *
 * Returns: (transfer full): the document with line breaks
 */
char *
plumb_json_layout (const char *json)
{
  GString *out = g_string_new (NULL);
  int depth = 0;
  int flat = 0;

  while (*json != '\0') {
    if (*json == '"') {
      const char *end = string_end (json);

      g_string_append_len (out, json, end - json);
      json = end;
      continue;
    }
    if (strchr ("[]{},:", *json) != NULL)
      append_mark (out, json, &depth, &flat);
    else if (!g_ascii_isspace (*json))
      g_string_append_c (out, *json);
    json++;
  }
  return g_string_free (out, FALSE);
}
