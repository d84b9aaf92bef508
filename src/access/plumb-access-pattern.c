/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-access-private.h"

#include "plumb-text.h"

#include <string.h>

/* One part as it was written: folded text, and whether it stood in quotes. */
typedef struct {
  char *text;
  gboolean quoted;
} WrittenPart;

static void
written_part_clear (gpointer data)
{
  g_free (((WrittenPart *) data)->text);
}

static gboolean
read_part (const char **cursor, WrittenPart *part)
{
  g_autoptr (GString) text = g_string_new (NULL);
  const char *at = *cursor;

  part->quoted = *at == '"';
  if (part->quoted) {
    for (at++; *at != '\0' && (*at != '"' || at[1] == '"'); at++) {
      g_string_append_c (text, *at);
      at += *at == '"';
    }
    if (*at++ != '"')
      return FALSE;
  } else {
    for (; *at != '\0' && *at != '.'; at++)
      g_string_append_c (text, *at);
    g_strstrip (text->str);
  }
  *cursor = at;
  part->text = plumb_text_fold (text->str);
  return *part->text != '\0' && (*at == '\0' || *at == '.');
}

static GArray *
read_parts (const char *text)
{
  g_autoptr (GArray) parts = g_array_new (FALSE, TRUE, sizeof (WrittenPart));
  const char *cursor = text;

  g_array_set_clear_func (parts, written_part_clear);
  while (parts->len < PLUMB_N_PARTS) {
    WrittenPart part = { NULL, FALSE };
    gboolean read = read_part (&cursor, &part);

    g_array_append_val (parts, part);
    if (!read)
      return NULL;
    if (*cursor == '\0')
      return g_steal_pointer (&parts);
    cursor++;
  }
  return NULL;
}

/* Adds the reading of @parts in which part i stands for @meanings[i]. */
static void
add_reading (GPtrArray *patterns, GArray *parts, const PlumbPart *meanings)
{
  PlumbAccessPattern *pattern = g_new0 (PlumbAccessPattern, 1);

  for (guint i = 0; i < parts->len; i++) {
    const WrittenPart *part = &g_array_index (parts, WrittenPart, i);

    if (part->quoted)
      pattern->literals[meanings[i]] = g_strdup (part->text);
    else if (strspn (part->text, "*") < strlen (part->text))
      pattern->globs[meanings[i]] = g_pattern_spec_new (part->text);
  }
  g_ptr_array_add (patterns, pattern);
}

/**
 * plumb_access_pattern_parse:
 * @patterns: (element-type PlumbAccessPattern): gets the readings of the pattern
 * @text: a pattern, see #PlumbAccess
 * @deny: whether it denies; then the wider readings of a shortened pattern count too
 * @error: return location
 *
 * Returns: %FALSE with PLUMB_ERROR_INVALID_ARGUMENT
 */
gboolean
plumb_access_pattern_parse (GPtrArray *patterns, const char *text, gboolean deny, GError **error)
{
  static const PlumbPart full[] = { PLUMB_PART_DATABASE, PLUMB_PART_SCHEMA, PLUMB_PART_TABLE,
                                    PLUMB_PART_COLUMN };
  static const PlumbPart database_table[] = { PLUMB_PART_DATABASE, PLUMB_PART_TABLE };
  static const PlumbPart schema_table[] = { PLUMB_PART_SCHEMA, PLUMB_PART_TABLE };
  static const PlumbPart table[] = { PLUMB_PART_TABLE };
  g_autoptr (GArray) parts = read_parts (text);

  if (parts == NULL) {
    g_set_error (error, PLUMB_ERROR, PLUMB_ERROR_INVALID_ARGUMENT,
                 "“%s” is no pattern. Write database.schema.table.column, shortened as sales.* or "
                 "*.HR_SALARY.", text);
    return FALSE;
  }
  add_reading (patterns, parts, full);
  if (parts->len == 2)
    add_reading (patterns, parts, database_table);
  if (deny && parts->len == 2)
    add_reading (patterns, parts, schema_table);
  if (deny && parts->len == 1)
    add_reading (patterns, parts, table);
  return TRUE;
}

/** plumb_access_pattern_free: frees @self */
void
plumb_access_pattern_free (PlumbAccessPattern *self)
{
  for (guint i = 0; i < PLUMB_N_PARTS; i++) {
    g_clear_pointer (&self->globs[i], g_pattern_spec_free);
    g_free (self->literals[i]);
  }
  g_free (self);
}

static gboolean
is_open (const PlumbAccessPattern *self, PlumbPart part)
{
  return self->globs[part] == NULL && self->literals[part] == NULL;
}

/** plumb_access_pattern_names_column: Returns: whether @self speaks of some columns of a table
 * alone */
gboolean
plumb_access_pattern_names_column (const PlumbAccessPattern *self)
{
  return !is_open (self, PLUMB_PART_COLUMN);
}

static gboolean
part_fits (const PlumbAccessPattern *self, PlumbPart part, const char *text)
{
  if (self->literals[part] != NULL)
    return g_str_equal (self->literals[part], text);
  return g_pattern_spec_match_string (self->globs[part], text);
}

/**
 * plumb_access_pattern_covers:
 * @self: a pattern
 * @name: a name
 * @last: the last part that is looked at
 * @unknown_fits: whether a part of @name that isn't known fits whatever the pattern says
 *
 * Returns: whether the parts of @name up to @last fit
 */
gboolean
plumb_access_pattern_covers (const PlumbAccessPattern *self, const PlumbAccessName *name,
                             PlumbPart last, gboolean unknown_fits)
{
  for (PlumbPart part = PLUMB_PART_DATABASE; part <= last; part++) {
    if (is_open (self, part))
      continue;
    if (name->parts[part] == NULL ? !unknown_fits : !part_fits (self, part, name->parts[part]))
      return FALSE;
  }
  return TRUE;
}

/** plumb_access_pattern_is_whole_database: Returns: whether @self speaks of all that a database
 * holds */
gboolean
plumb_access_pattern_is_whole_database (const PlumbAccessPattern *self)
{
  return is_open (self, PLUMB_PART_SCHEMA) && is_open (self, PLUMB_PART_TABLE) &&
         is_open (self, PLUMB_PART_COLUMN);
}
