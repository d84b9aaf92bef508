/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-sqlite-private.h"

#include <string.h>

/*
 * One call of a built-in function can't be interrupted, and some take time that grows with the
 * product of their arguments' lengths: instr() of two long texts runs for hours past its time
 * budget. They are replaced here by functions that give the same values in bounded time.
 */

/* Characters that trim() takes from the ends; people name a few. */
#define LONGEST_TRIM_SET 100

static gsize
count_characters (const char *text, gsize length)
{
  gsize n = 0;

  for (gsize i = 0; i < length; i++)
    n += ((guchar) text[i] & 0xc0) != 0x80 ? 1 : 0;
  return n;
}

/* The place of the second argument in the first, from 1 on; in bytes where both are binary, else in
 * characters. memmem() takes time that grows with the sum of the lengths. */
static void
find_in_text (sqlite3_context *context, int n, sqlite3_value **values)
{
  gboolean binary = sqlite3_value_type (values[0]) == SQLITE_BLOB &&
                    sqlite3_value_type (values[1]) == SQLITE_BLOB;
  const char *text, *part, *found;
  gsize text_length, part_length;

  if (sqlite3_value_type (values[0]) == SQLITE_NULL ||
      sqlite3_value_type (values[1]) == SQLITE_NULL)
    return;
  text = binary ? sqlite3_value_blob (values[0]) : (const void *) sqlite3_value_text (values[0]);
  part = binary ? sqlite3_value_blob (values[1]) : (const void *) sqlite3_value_text (values[1]);
  text_length = sqlite3_value_bytes (values[0]);
  part_length = sqlite3_value_bytes (values[1]);
  found = part_length == 0 ? text : memmem (text, text_length, part, part_length);
  if (part_length > 0 && found == NULL)
    sqlite3_result_int64 (context, 0);
  else if (part_length == 0)
    sqlite3_result_int64 (context, 1);
  else
    sqlite3_result_int64 (context, 1 + (binary ? (gsize) (found - text)
                                               : count_characters (text, found - text)));
}

static void
replace_in_text (sqlite3_context *context, int n, sqlite3_value **values)
{
  sqlite3_int64 limit = sqlite3_limit (sqlite3_context_db_handle (context), SQLITE_LIMIT_LENGTH,
                                       -1);
  const char *text = (const char *) sqlite3_value_text (values[0]);
  const char *end = text + sqlite3_value_bytes (values[0]);
  const char *part = (const char *) sqlite3_value_text (values[1]);
  gsize part_length = sqlite3_value_bytes (values[1]);
  const char *with = (const char *) sqlite3_value_text (values[2]);
  gsize with_length = sqlite3_value_bytes (values[2]);
  g_autoptr (GString) result = NULL;
  const char *found;

  if (text == NULL || part == NULL || with == NULL)
    return;
  if (part_length == 0) {
    sqlite3_result_value (context, values[0]);
    return;
  }
  result = g_string_sized_new (end - text);
  while ((found = memmem (text, end - text, part, part_length)) != NULL &&
         (sqlite3_int64) result->len <= limit) {
    g_string_append_len (result, text, found - text);
    g_string_append_len (result, with, with_length);
    text = found + part_length;
  }
  g_string_append_len (result, text, end - text);
  if ((sqlite3_int64) result->len > limit)
    sqlite3_result_error_toobig (context);
  else
    sqlite3_result_text64 (context, result->str, result->len, SQLITE_TRANSIENT, SQLITE_UTF8);
}

/* How many bytes the character at @text has, at most @left. */
static gsize
character_length (const char *text, gsize left)
{
  gsize length = 1;

  while (length < left && ((guchar) text[length] & 0xc0) == 0x80)
    length++;
  return length;
}

static gboolean
is_in_set (const char *character, gsize length, const char *set, gsize set_length)
{
  for (gsize i = 0; i < set_length;) {
    gsize member = character_length (set + i, set_length - i);

    if (member == length && memcmp (set + i, character, length) == 0)
      return TRUE;
    i += member;
  }
  return FALSE;
}

/* Takes characters of the set from the ends that the function's user data names: 1 left, 2 right.
 */
static void
trim_text (sqlite3_context *context, int n, sqlite3_value **values)
{
  int sides = GPOINTER_TO_INT (sqlite3_user_data (context));
  const char *text = (const char *) sqlite3_value_text (values[0]);
  gsize length = sqlite3_value_bytes (values[0]);
  const char *set = (const char *) sqlite3_value_text (values[1]);
  gsize set_length = sqlite3_value_bytes (values[1]);

  if (text == NULL || set == NULL)
    return;
  if (set_length > LONGEST_TRIM_SET) {
    sqlite3_result_error (context, "trim() takes a set of at most 100 bytes here", -1);
    return;
  }
  while ((sides & 1) != 0 && length > 0) {
    gsize first = character_length (text, length);

    if (!is_in_set (text, first, set, set_length))
      break;
    text += first;
    length -= first;
  }
  while ((sides & 2) != 0 && length > 0) {
    gsize start = length - 1;

    while (start > 0 && ((guchar) text[start] & 0xc0) == 0x80)
      start--;
    if (!is_in_set (text + start, length - start, set, set_length))
      break;
    length = start;
  }
  sqlite3_result_text64 (context, text, length, SQLITE_TRANSIENT, SQLITE_UTF8);
}

/** plumb_sqlite_add_functions: puts functions that end in time in place of built-in ones that may
 * not */
void
plumb_sqlite_add_functions (PlumbSqliteConnection *self)
{
  const int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
  const struct {
    const char *name;
    int n_arguments;
    int sides;
    void (*function) (sqlite3_context *, int, sqlite3_value **);
  } functions[] = {
    { "instr", 2, 0, find_in_text }, { "replace", 3, 0, replace_in_text },
    { "trim", 2, 3, trim_text },     { "ltrim", 2, 1, trim_text },
    { "rtrim", 2, 2, trim_text },
  };

  for (guint i = 0; i < G_N_ELEMENTS (functions); i++)
    sqlite3_create_function_v2 (self->db, functions[i].name, functions[i].n_arguments, flags,
                                GINT_TO_POINTER (functions[i].sides), functions[i].function, NULL,
                                NULL, NULL);
}
