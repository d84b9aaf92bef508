/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-analysis-private.h"

#include "plumb-abbreviation.h"
#include "plumb-text.h"

#include <string.h>

/* Most rows that are read of a code table. */
#define MAX_COMMON_CODES 5000
#define MAX_OWN_CODES 60

/* Codes that belong together: a group of the common code table, or a code table of its own. */
typedef struct {
  char *name;         /* the group's code, or the table's name */
  char *key_schema;   /* of a code table of its own: what refers to it; NULL for a group */
  char *key_table;
  char *key_column;
  GHashTable *meanings;
} CodeSet;

struct _PlumbCodeBook {
  GPtrArray *sets;
  GHashTable *groups; /* folded name of a group → CodeSet */
};

static void
code_set_free (CodeSet *self)
{
  g_free (self->name);
  g_free (self->key_schema);
  g_free (self->key_table);
  g_free (self->key_column);
  g_hash_table_unref (self->meanings);
  g_free (self);
}

static CodeSet *
code_set_new (const char *name)
{
  CodeSet *self = g_new0 (CodeSet, 1);

  self->name = g_strdup (name);
  self->meanings = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  return self;
}

/** plumb_code_book_free: frees @self */
void
plumb_code_book_free (PlumbCodeBook *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->groups);
  g_ptr_array_unref (self->sets);
  g_free (self);
}

static gboolean
name_has (const char *name, const char *const *wanted)
{
  g_autoptr (GPtrArray) words = plumb_text_split_identifier (name);

  return plumb_words_have (words, wanted);
}

static gboolean
is_group_column (const char *name)
{
  static const char *const words[] = { "grp", "group", "class", "cls", "category", "kind", "master",
                                       "mst", "upper", "parent", "gruppe", NULL };

  return name_has (name, words) && !plumb_column_is_name (name);
}

/* The column that names a code; of several the first text that isn't the code itself. */
static PlumbCardColumn *
find_name_column (PlumbCard *card, const char *code)
{
  for (guint i = 0; i < card->columns->len; i++) {
    PlumbCardColumn *column = g_ptr_array_index (card->columns, i);

    if (strcmp (column->name, code) != 0 && plumb_column_is_name (column->name) &&
        plumb_column_classify (column->type) == PLUMB_COLUMN_TEXT)
      return column;
  }
  return NULL;
}

static char *
list_quoted (PlumbSource *source, const char *const *names)
{
  g_autoptr (GString) list = g_string_new (NULL);

  for (guint i = 0; names[i] != NULL; i++) {
    g_autofree char *quoted = plumb_analysis_quote (source, names[i]);

    g_string_append_printf (list, "%s%s", i > 0 ? ", " : "", quoted);
  }
  return g_string_free (g_steal_pointer (&list), FALSE);
}

static PlumbResult *
read_columns (PlumbSource *source, PlumbCard *card, const char *const *names, gint64 max_rows,
              GCancellable *cancellable, GError **error)
{
  g_autofree char *columns = list_quoted (source, names);
  g_autofree char *table = plumb_analysis_quote_table (source, card);
  g_autofree char *sql = plumb_analysis_bound (source, columns, table, max_rows);

  return plumb_analysis_ask (source, sql, max_rows, cancellable, error);
}

static void
add_group_code (PlumbCodeBook *self, const char *group, const char *code, const char *meaning)
{
  g_autofree char *folded = plumb_text_fold (group);
  CodeSet *set = g_hash_table_lookup (self->groups, folded);

  if (set == NULL) {
    set = code_set_new (group);
    g_ptr_array_add (self->sets, set);
    g_hash_table_insert (self->groups, g_steal_pointer (&folded), set);
  }
  g_hash_table_insert (set->meanings, g_strdup (code), g_strdup (meaning));
}

/* A table with (group, code, name): the code column is the other one of the key. */
static gboolean
read_common (PlumbCodeBook *self, PlumbSource *source, PlumbCard *card, GCancellable *cancellable,
             GError **error)
{
  gboolean first_is_group = is_group_column (card->primary_key[0]);
  const char *group = card->primary_key[first_is_group ? 0 : 1];
  const char *code = card->primary_key[first_is_group ? 1 : 0];
  PlumbCardColumn *name = find_name_column (card, code);
  const char *names[] = { group, code, name != NULL ? name->name : NULL, NULL };
  g_autoptr (PlumbResult) result = NULL;

  if (name == NULL)
    return TRUE;
  result = read_columns (source, card, names, MAX_COMMON_CODES, cancellable, error);
  if (result == NULL)
    return FALSE;
  for (gint64 row = 0; row < plumb_result_get_n_rows (result); row++) {
    g_autofree char *group_text = plumb_analysis_get_text (result, row, 0);
    g_autofree char *code_text = plumb_analysis_get_text (result, row, 1);
    g_autofree char *meaning = plumb_analysis_get_text (result, row, 2);

    if (group_text != NULL && code_text != NULL && meaning != NULL)
      add_group_code (self, group_text, code_text, meaning);
  }
  return TRUE;
}

static gboolean
read_own (PlumbCodeBook *self, PlumbSource *source, PlumbCard *card, GCancellable *cancellable,
          GError **error)
{
  PlumbCardColumn *name = find_name_column (card, card->primary_key[0]);
  const char *names[] = { card->primary_key[0], name != NULL ? name->name : NULL, NULL };
  g_autoptr (PlumbResult) result = NULL;
  CodeSet *set;

  if (name == NULL)
    return TRUE;
  result = read_columns (source, card, names, MAX_OWN_CODES, cancellable, error);
  if (result == NULL)
    return FALSE;
  set = code_set_new (card->name);
  set->key_schema = g_strdup (card->schema);
  set->key_table = g_strdup (card->name);
  set->key_column = g_strdup (card->primary_key[0]);
  g_ptr_array_add (self->sets, set);
  for (gint64 row = 0; row < plumb_result_get_n_rows (result); row++) {
    char *code = plumb_analysis_get_text (result, row, 0);
    char *meaning = plumb_analysis_get_text (result, row, 1);

    if (code != NULL && meaning != NULL)
      g_hash_table_insert (set->meanings, code, meaning);
    else {
      g_free (code);
      g_free (meaning);
    }
  }
  return TRUE;
}

static gboolean
is_common_table (PlumbCard *card)
{
  return card->role == PLUMB_ROLE_CODE && card->primary_key != NULL &&
         g_strv_length (card->primary_key) == 2 &&
         (is_group_column (card->primary_key[0]) || is_group_column (card->primary_key[1]));
}

/* Small tables that name a key: code tables, and dimensions such as departments. */
static gboolean
is_own_table (PlumbCard *card)
{
  return (card->role == PLUMB_ROLE_CODE || card->role == PLUMB_ROLE_DIMENSION ||
          card->role == PLUMB_ROLE_UNKNOWN) &&
         card->primary_key != NULL && g_strv_length (card->primary_key) == 1 &&
         card->row_estimate >= 0 && card->row_estimate <= MAX_OWN_CODES;
}

/**
 * plumb_code_book_read:
 * @source: a source with rows
 * @cards: (element-type PlumbCard): its cards
 * @cancellable: (nullable): a cancellable
 * @error: return location
 *
 * Reads the code tables: one for all codes with (group, code, name), and small ones with a key
 * and a name. A table that can't be read is passed over.
 *
 * Returns: (transfer full): the codes, or %NULL with G_IO_ERROR_CANCELLED
 */
PlumbCodeBook *
plumb_code_book_read (PlumbSource *source, GPtrArray *cards, GCancellable *cancellable,
                      GError **error)
{
  g_autoptr (PlumbCodeBook) self = g_new0 (PlumbCodeBook, 1);

  self->sets = g_ptr_array_new_with_free_func ((GDestroyNotify) code_set_free);
  self->groups = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (guint i = 0; i < cards->len; i++) {
    PlumbCard *card = g_ptr_array_index (cards, i);
    g_autoptr (GError) inner = NULL;

    if (card->status != PLUMB_STATUS_LIVE || !card->selectable)
      continue;
    if (is_common_table (card))
      read_common (self, source, card, cancellable, &inner);
    else if (is_own_table (card))
      read_own (self, source, card, cancellable, &inner);
    if (g_error_matches (inner, G_IO_ERROR, G_IO_ERROR_CANCELLED)) {
      g_propagate_error (error, g_steal_pointer (&inner));
      return NULL;
    }
  }
  return g_steal_pointer (&self);
}

/* Whether every value that was found in the column is a code of @set; values that weren't read say
 * nothing against it. */
static gboolean
covers (CodeSet *set, PlumbCardColumn *column)
{
  for (guint i = 0; i < column->values->len; i++) {
    PlumbCodeValue *code = g_ptr_array_index (column->values, i);

    if (!g_hash_table_contains (set->meanings, code->value))
      return FALSE;
  }
  return TRUE;
}

/* Whether @word stands in @text as a word of its own. */
static gboolean
mentions (const char *text, const char *word)
{
  gsize length = strlen (word);

  if (length < 2)
    return FALSE;
  for (const char *p = strstr (text, word); p != NULL; p = strstr (p + 1, word)) {
    gboolean starts = p == text || !(g_ascii_isalnum (p[-1]) || p[-1] == '_');
    gboolean ends = !(g_ascii_isalnum (p[length]) || p[length] == '_');

    if (starts && ends)
      return TRUE;
  }
  return FALSE;
}

/* A group that the comment names, else one of the column's own name, alone or without an ending
 * such as _CD, else of the table's subject and the column. */
static CodeSet *
find_group (PlumbCodeBook *self, PlumbCardColumn *column)
{
  static const char *const endings[] = { "", "_cd", "_code", "_tp", "_type", NULL };
  g_autofree char *folded = plumb_text_fold (column->name);

  for (guint i = 0; column->comment != NULL && i < self->sets->len; i++) {
    CodeSet *set = g_ptr_array_index (self->sets, i);

    if (set->key_table == NULL && plumb_column_is_code (column->name) &&
        mentions (column->comment, set->name))
      return set;
  }
  for (guint i = 0; endings[i] != NULL; i++) {
    g_autofree char *name = NULL;
    CodeSet *set;

    if (!g_str_has_suffix (folded, endings[i]))
      continue;
    name = g_strndup (folded, strlen (folded) - strlen (endings[i]));
    set = g_hash_table_lookup (self->groups, name);
    if (set != NULL)
      return set;
  }
  return NULL;
}

/* Groups whose spelled-out words are all in those of the table and the column, and that hold every
 * value: ORD_STAT for STATUS_CODE of ORD_MST. Several such are no answer. */
static CodeSet *
guess_group (PlumbCodeBook *self, PlumbCard *card, PlumbCardColumn *column)
{
  g_autofree char *table = plumb_abbreviation_spell_out (card->name);
  g_autofree char *own = plumb_abbreviation_spell_out (column->name);
  g_autofree char *words = g_strconcat (" ", table, " ", own, " ", NULL);
  CodeSet *found = NULL;

  if (!plumb_column_is_code (column->name) || column->values->len < 2)
    return NULL;
  for (guint i = 0; i < self->sets->len; i++) {
    CodeSet *set = g_ptr_array_index (self->sets, i);
    g_autofree char *spelled = plumb_abbreviation_spell_out (set->name);
    g_auto (GStrv) parts = g_strsplit (spelled, " ", -1);
    gboolean fits = set->key_table == NULL && parts[0] != NULL && covers (set, column);

    for (guint j = 0; fits && parts[j] != NULL; j++) {
      g_autofree char *word = g_strconcat (" ", parts[j], " ", NULL);

      fits = strstr (words, word) != NULL;
    }
    if (fits && found != NULL)
      return NULL;
    if (fits)
      found = set;
  }
  return found;
}

/* The code table that the column is declared to refer to, or whose key has the column's name. */
static CodeSet *
find_own_table (PlumbCodeBook *self, PlumbCard *card, PlumbCardColumn *column)
{
  for (guint i = 0; i < card->foreign_keys->len; i++) {
    PlumbForeignKey *key = g_ptr_array_index (card->foreign_keys, i);

    if (key->columns == NULL || key->columns[0] == NULL || key->columns[1] != NULL ||
        strcmp (key->columns[0], column->name) != 0)
      continue;
    for (guint j = 0; j < self->sets->len; j++) {
      CodeSet *set = g_ptr_array_index (self->sets, j);

      if (g_strcmp0 (set->key_table, key->ref_table) == 0 &&
          strcmp (set->key_schema, key->ref_schema != NULL ? key->ref_schema : card->schema) == 0)
        return set;
    }
    return NULL;
  }
  for (guint i = 0; i < self->sets->len; i++) {
    CodeSet *set = g_ptr_array_index (self->sets, i);
    g_autofree char *key = set->key_column != NULL ? plumb_text_fold (set->key_column) : NULL;
    g_autofree char *name = plumb_text_fold (column->name);

    if (key != NULL && strchr (key, '_') != NULL && strcmp (key, name) == 0 &&
        column->values->len > 0)
      return set;
  }
  return NULL;
}

static gboolean
has_meanings (PlumbCardColumn *column)
{
  for (guint i = 0; i < column->values->len; i++) {
    if (((PlumbCodeValue *) g_ptr_array_index (column->values, i))->meaning != NULL)
      return TRUE;
  }
  return FALSE;
}

static int
compare_codes (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* All codes of the set, in the order of codes; the profile then brings the frequent ones to the
 * front. */
static void
give_meanings (CodeSet *set, PlumbCardColumn *column)
{
  g_autoptr (GPtrArray) sorted = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer code;

  g_hash_table_iter_init (&iter, set->meanings);
  while (g_hash_table_iter_next (&iter, &code, NULL))
    g_ptr_array_add (sorted, code);
  g_ptr_array_sort (sorted, compare_codes);
  for (guint i = 0; i < sorted->len; i++) {
    const char *value = g_ptr_array_index (sorted, i);

    plumb_analysis_set_code (column, value, g_hash_table_lookup (set->meanings, value));
  }
}

/**
 * plumb_code_book_apply:
 * @self: codes of the database
 * @card: a card; columns get meanings for their codes where a code table has them
 *
 * Called before the profile, for columns that a comment, a name or a foreign key leads to a code
 * table, and after it, when the values can tell too.
 */
void
plumb_code_book_apply (PlumbCodeBook *self, PlumbCard *card)
{
  for (guint i = 0; i < card->columns->len; i++) {
    PlumbCardColumn *column = g_ptr_array_index (card->columns, i);
    gboolean key = card->primary_key != NULL && g_strv_length (card->primary_key) == 1 &&
                   strcmp (card->primary_key[0], column->name) == 0;
    CodeSet *set;

    if (key || has_meanings (column) || plumb_column_is_free_text (column->name))
      continue;
    set = find_group (self, column);
    if (set == NULL)
      set = find_own_table (self, card, column);
    if (set == NULL)
      set = guess_group (self, card, column);
    if (set != NULL && covers (set, column))
      give_meanings (set, column);
  }
}

/**
 * plumb_code_book_check:
 * @card: a card whose values were read
 *
 * A column that was led to a code table by a name, and none of whose values is in it, was led
 * wrong: the codes are taken away again.
 */
void
plumb_code_book_check (PlumbCard *card)
{
  for (guint i = 0; i < card->columns->len; i++) {
    PlumbCardColumn *column = g_ptr_array_index (card->columns, i);
    guint n_found = 0;
    guint n_meant = 0;

    for (guint j = 0; j < column->values->len; j++) {
      PlumbCodeValue *code = g_ptr_array_index (column->values, j);

      n_found += code->count > 0;
      n_meant += code->count > 0 && code->meaning != NULL;
    }
    if (n_found == 0 || n_meant > 0)
      continue;
    for (guint j = column->values->len; j > 0; j--) {
      PlumbCodeValue *code = g_ptr_array_index (column->values, j - 1);

      if (code->count == 0)
        g_ptr_array_remove_index (column->values, j - 1);
    }
  }
}
