/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-mention.h"

#include <string.h>

static gboolean
is_name_character (gunichar c)
{
  return c == '_' || c == '-' || c == '.' || g_unichar_isalnum (c);
}

/* The word after the @ at @at, without a dot or dash that ends the sentence. */
static char *
read_mention (const char *at)
{
  const char *end = at + 1;
  g_autofree char *word = NULL;
  gsize length;

  while (*end != '\0' && is_name_character (g_utf8_get_char (end)))
    end = g_utf8_next_char (end);
  word = g_strndup (at + 1, end - at - 1);
  length = strlen (word);
  while (length > 0 && strchr (".-", word[length - 1]) != NULL)
    word[--length] = '\0';
  return length > 0 ? g_steal_pointer (&word) : NULL;
}

/* The database that a mention means, case aside. Scripts that write no space after a name, as
 * Korean does with its particles, leave letters behind it: the longest known name at its start
 * counts. */
static const char *
match_database (const char *word, GPtrArray *records)
{
  const char *best = NULL;
  gsize best_length = 0;

  for (guint i = 0; i < records->len; i++) {
    const char *name = ((PlumbSourceRecord *) g_ptr_array_index (records, i))->name;
    gsize length = strlen (name);
    gboolean whole = g_ascii_strncasecmp (word, name, length) == 0 &&
                     (word[length] == '\0' || (guchar) word[length] >= 0x80 || word[length] == '.');

    if (whole && length > best_length) {
      best = name;
      best_length = length;
    }
  }
  return best;
}

/* An @ inside of a word is no mention: an e-mail address has one. */
static gboolean
starts_word (const char *question, const char *at)
{
  return at == question || !is_name_character (g_utf8_get_char (g_utf8_prev_char (at)));
}

static gboolean
add_database (GStrvBuilder *scope, GHashTable *seen, PlumbWorkspace *workspace,
              const char *database, GError **error)
{
  g_autoptr (PlumbSource) source = plumb_workspace_get_source (workspace, database, error);

  if (source == NULL)
    return FALSE;
  if (g_hash_table_add (seen, g_strdup (database)))
    g_strv_builder_add (scope, database);
  return TRUE;
}

/**
 * plumb_mention_find_scope:
 * @workspace: a workspace
 * @question: the question
 * @picked: (nullable): databases picked in the interface
 * @error: return location
 *
 * Reads the mentions (`@database`) in a question.
 *
 * Returns: (transfer full): the databases that the turn is bound to, none where it is free; %NULL
 *   with PLUMB_ERROR_NOT_FOUND or _NO_PERMISSION for a database that can't be bound to
 */
GStrv
plumb_mention_find_scope (PlumbWorkspace *workspace, const char *question,
                          const char *const *picked, GError **error)
{
  g_autoptr (GPtrArray) records =
      plumb_index_list_sources (plumb_workspace_get_index (workspace), error);
  g_autoptr (GStrvBuilder) scope = g_strv_builder_new ();
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  if (records == NULL)
    return NULL;
  for (guint i = 0; picked != NULL && picked[i] != NULL; i++) {
    if (!add_database (scope, seen, workspace, picked[i], error))
      return NULL;
  }
  for (const char *at = strchr (question, '@'); at != NULL; at = strchr (at + 1, '@')) {
    g_autofree char *word = starts_word (question, at) ? read_mention (at) : NULL;
    const char *database = word != NULL ? match_database (word, records) : NULL;

    /* “@example.org” is the end of an address, not a mention of a database that isn't there. */
    if (word != NULL && database == NULL && strchr (word, '.') != NULL)
      continue;
    if (word != NULL &&
        !add_database (scope, seen, workspace, database != NULL ? database : word, error))
      return NULL;
  }
  return g_strv_builder_end (scope);
}
