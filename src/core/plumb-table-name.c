/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-table-name.h"

#include <string.h>

/**
 * plumb_table_name_new:
 * @database: (nullable): the source's name
 * @schema: (nullable): the schema
 * @table: the table
 *
 * Returns: (transfer full): a new name
 */
PlumbTableName *
plumb_table_name_new (const char *database, const char *schema, const char *table)
{
  PlumbTableName *self = g_new0 (PlumbTableName, 1);

  self->database = g_strdup (database);
  self->schema = g_strdup (schema);
  self->table = g_strdup (table);
  return self;
}

/** plumb_table_name_copy: Returns: (transfer full): a copy of @self */
PlumbTableName *
plumb_table_name_copy (const PlumbTableName *self)
{
  return plumb_table_name_new (self->database, self->schema, self->table);
}

/** plumb_table_name_free: frees @self */
void
plumb_table_name_free (PlumbTableName *self)
{
  if (self == NULL)
    return;
  g_free (self->database);
  g_free (self->schema);
  g_free (self->table);
  g_free (self);
}

/* Reads one part at *cursor and leaves *cursor behind it; NULL when there is none. */
static char *
read_part (const char **cursor, GError **error)
{
  const char *at = *cursor;
  g_autoptr (GString) part = g_string_new (NULL);

  if (*at == '"') {
    for (at++; *at != '\0'; at++) {
      if (*at != '"')
        g_string_append_c (part, *at);
      else if (at[1] == '"')
        g_string_append_c (part, *at++);
      else
        break;
    }
    if (*at != '"') {
      g_set_error (error, PLUMB_ERROR, PLUMB_ERROR_INVALID_ARGUMENT,
                   "The table name “%s” has an opening quote without a closing one.", *cursor);
      return NULL;
    }
    at++;
  } else {
    for (; *at != '\0' && *at != '.'; at++)
      g_string_append_c (part, *at);
    if (part->len == 0) {
      g_set_error_literal (error, PLUMB_ERROR, PLUMB_ERROR_INVALID_ARGUMENT,
                           "A table name is missing. Write it as database.schema.table, or shorter "
                           "where that is unambiguous.");
      return NULL;
    }
  }
  *cursor = at;
  return g_string_free (g_steal_pointer (&part), FALSE);
}

/**
 * plumb_table_name_parse:
 * @text: a name with one to three parts
 * @error: return location
 *
 * Reads `database.schema.table`, `schema.table` or `table`. With two parts the first may be a
 * schema or a database: it is given as @schema, and whoever resolves the name tries both.
 *
 * Returns: (transfer full): the name, or %NULL with PLUMB_ERROR_INVALID_ARGUMENT
 */
PlumbTableName *
plumb_table_name_parse (const char *text, GError **error)
{
  char *parts[3] = { NULL, NULL, NULL };
  g_autofree char *stripped = g_strstrip (g_strdup (text));
  const char *cursor = stripped;
  guint n = 0;
  PlumbTableName *self = NULL;

  if (!g_utf8_validate (text, -1, NULL)) {
    g_set_error_literal (error, PLUMB_ERROR, PLUMB_ERROR_INVALID_ARGUMENT,
                         "The table name is not valid UTF-8.");
    return NULL;
  }
  while (n < G_N_ELEMENTS (parts)) {
    parts[n] = read_part (&cursor, error);
    if (parts[n] == NULL)
      break;
    n++;
    if (*cursor == '\0') {
      self = g_new0 (PlumbTableName, 1);
      self->table = parts[n - 1];
      self->schema = n > 1 ? parts[n - 2] : NULL;
      self->database = n > 2 ? parts[n - 3] : NULL;
      return self;
    }
    if (*cursor != '.' || n == G_N_ELEMENTS (parts)) {
      g_set_error (error, PLUMB_ERROR, PLUMB_ERROR_INVALID_ARGUMENT,
                   "“%s” is no table name. Write database.schema.table, a part with other "
                   "characters than letters, digits and underscores in double quotes.", text);
      break;
    }
    cursor++;
  }
  for (guint i = 0; i < n; i++)
    g_free (parts[i]);
  return NULL;
}

/**
 * plumb_table_name_quote_part:
 * @part: one part of a name
 *
 * Returns: (transfer full): @part, in double quotes where it needs them
 */
char *
plumb_table_name_quote_part (const char *part)
{
  gboolean bare = *part != '\0';
  g_autoptr (GString) quoted = NULL;

  for (const char *p = part; bare && *p != '\0'; p = g_utf8_next_char (p)) {
    gunichar c = g_utf8_get_char (p);

    bare = c == '_' || g_unichar_isalnum (c);
  }
  if (bare)
    return g_strdup (part);
  quoted = g_string_new ("\"");
  for (const char *p = part; *p != '\0'; p++) {
    if (*p == '"')
      g_string_append_c (quoted, '"');
    g_string_append_c (quoted, *p);
  }
  g_string_append_c (quoted, '"');
  return g_string_free (g_steal_pointer (&quoted), FALSE);
}

/**
 * plumb_table_name_join:
 * @database: (nullable): the source's name
 * @schema: (nullable): the schema
 * @table: the table
 *
 * Returns: (transfer full): the parts that are there, quoted where needed, joined by dots
 */
char *
plumb_table_name_join (const char *database, const char *schema, const char *table)
{
  const char *parts[] = { database, schema, table };
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++) {
    g_autofree char *quoted = NULL;

    if (parts[i] == NULL || *parts[i] == '\0')
      continue;
    quoted = plumb_table_name_quote_part (parts[i]);
    if (text->len > 0)
      g_string_append_c (text, '.');
    g_string_append (text, quoted);
  }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/** plumb_table_name_format: Returns: (transfer full): the name as text, see [func@table_name_join] */
char *
plumb_table_name_format (const PlumbTableName *self)
{
  return plumb_table_name_join (self->database, self->schema, self->table);
}

/** plumb_table_name_equal: Returns: whether all three parts are the same */
gboolean
plumb_table_name_equal (const PlumbTableName *a, const PlumbTableName *b)
{
  return g_strcmp0 (a->database, b->database) == 0 && g_strcmp0 (a->schema, b->schema) == 0 &&
         g_strcmp0 (a->table, b->table) == 0;
}
