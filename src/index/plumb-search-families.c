/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-search-private.h"

#include "plumb-text.h"

#include <string.h>

struct _PlumbFamilies {
  GPtrArray *cards;
  GArray *live_of;          /* for each table its live table, -1 for none */
  GHashTable *copies;       /* table + 1 → its copies */
  GHashTable *partitions;   /* `database.schema.family` → its members */
};

/* Words that ask for a copy of each kind. "Old", "history" or "test" mean too many other things. */
static const char *const backup_words[] = {
  "backup", "backups", "bak", "bkp", "copy", "copies", "copied", "archive", "archived", "archives",
  "snapshot", "snapshots", "historical", "kopie", "kopien",
  "sicherung", "sicherungskopie", "archiv", "копия", "копии", "копию", "архив", "архиве",
  "архива", "резервная", "резервной", "резервную", "备份", "副本", "归档", "バックアップ", "コピー",
  "백업", "사본", "복사본",
};
static const char *const working_words[] = {
  "staging", "stage", "staged", "stg", "temporary", "temp", "tmp", "draft", "drafts",
  "entwurf", "temporär", "temporäre", "черновик", "временная", "временной",
  "временную", "临时", "草稿", "暂存", "一時", "下書き", "임시", "초안",
};

static char *
make_key (PlumbCard *card, const char *name)
{
  return g_strjoin ("\n", card->database, name, NULL);
}

static void
append_table (GHashTable *table, gpointer key, guint number)
{
  GArray *list = g_hash_table_lookup (table, key);

  if (list == NULL) {
    list = g_array_new (FALSE, FALSE, sizeof (guint));
    g_hash_table_insert (table, key, list);
  }
  g_array_append_val (list, number);
}

static gboolean
is_demoted (PlumbCard *card)
{
  return card->copy_of != NULL && card->status != PLUMB_STATUS_LIVE && card->status != PLUMB_STATUS_PARTITION;
}

/* @copy_of names a table as `schema.table`; names of a family stand the same way. */
static void
add_member (PlumbFamilies *self, guint number, GHashTable *places)
{
  PlumbCard *card = g_ptr_array_index (self->cards, number);

  if (is_demoted (card)) {
    g_autofree char *key = make_key (card, card->copy_of);
    int live = GPOINTER_TO_INT (g_hash_table_lookup (places, key)) - 1;

    if (live >= 0 && live != (int) number) {
      g_array_index (self->live_of, int, number) = live;
      append_table (self->copies, GINT_TO_POINTER (live + 1), number);
    }
  } else if (card->family != NULL) {
    g_autofree char *key = g_strjoin ("\n", card->database, card->schema, card->family, NULL);
    GArray *list = g_hash_table_lookup (self->partitions, key);

    if (list != NULL)
      g_array_append_val (list, number);
    else
      append_table (self->partitions, g_steal_pointer (&key), number);
  }
}

static void
add_place (GHashTable *places, PlumbCard *card, guint number)
{
  g_autofree char *plain = g_strdup_printf ("%s.%s", card->schema, card->name);
  g_autofree char *quoted = plumb_table_name_join (NULL, card->schema, card->name);

  if (card->gone)
    return;
  g_hash_table_insert (places, make_key (card, plain), GINT_TO_POINTER (number + 1));
  g_hash_table_insert (places, make_key (card, quoted), GINT_TO_POINTER (number + 1));
}

/* The originals are known already: only the lists are to be made. */
static void
add_known_member (PlumbFamilies *self, guint number, int live, GHashTable *places)
{
  g_array_index (self->live_of, int, number) = live;
  if (live >= 0)
    append_table (self->copies, GINT_TO_POINTER (live + 1), number);
  else
    add_member (self, number, places);
}

/**
 * plumb_families_new:
 * @cards: (element-type PlumbCard): the tables
 * @originals: (nullable) (array): what plumb_families_get_original() gave for each of them before,
 *   which saves looking them up by name
 *
 * Returns: (transfer full): which of @cards are copies and partitions of what
 */
PlumbFamilies *
plumb_families_new (GPtrArray *cards, const gint32 *originals)
{
  PlumbFamilies *self = g_new0 (PlumbFamilies, 1);
  g_autoptr (GHashTable) places = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  self->cards = cards;
  self->live_of = g_array_new (FALSE, TRUE, sizeof (int));
  self->copies = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_array_unref);
  self->partitions = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_array_unref);
  for (guint i = 0; i < cards->len; i++) {
    int none = -1;

    g_array_append_val (self->live_of, none);
    if (originals == NULL)
      add_place (places, g_ptr_array_index (cards, i), i);
  }
  for (guint i = 0; i < cards->len; i++) {
    if (originals == NULL)
      add_member (self, i, places);
    else
      add_known_member (self, i, originals[i], places);
  }
  return self;
}

/** plumb_families_free: frees it */
void
plumb_families_free (PlumbFamilies *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->live_of);
  g_hash_table_unref (self->copies);
  g_hash_table_unref (self->partitions);
  g_free (self);
}

/** plumb_families_get_original: Returns: the table that @table was copied from, -1 for none; it may be a
 *  copy itself */
int
plumb_families_get_original (const PlumbFamilies *self, guint table)
{
  return g_array_index (self->live_of, int, table);
}

/** plumb_families_get_live: Returns: the live table that @table is a copy of, -1 where it is none */
int
plumb_families_get_live (const PlumbFamilies *self, guint table)
{
  int live = g_array_index (self->live_of, int, table);

  /* A copy of a copy stands under the live table as well. */
  for (guint i = 0; live >= 0 && i < 4 && g_array_index (self->live_of, int, live) >= 0; i++)
    live = g_array_index (self->live_of, int, live);
  return live;
}

/** plumb_families_get_copies: Returns: (nullable) (element-type guint): copies of @table */
const GArray *
plumb_families_get_copies (const PlumbFamilies *self, guint table)
{
  return g_hash_table_lookup (self->copies, GUINT_TO_POINTER (table + 1));
}

/** plumb_families_get_partitions: Returns: (nullable) (element-type guint): the family of @table */
const GArray *
plumb_families_get_partitions (const PlumbFamilies *self, guint table)
{
  PlumbCard *card = g_ptr_array_index (self->cards, table);
  g_autofree char *key = NULL;

  if (card->family == NULL || is_demoted (card))
    return NULL;
  key = g_strjoin ("\n", card->database, card->schema, card->family, NULL);
  return g_hash_table_lookup (self->partitions, key);
}

static gboolean
has_unit (GPtrArray *units, const char *word)
{
  for (guint i = 0; i < units->len; i++) {
    if (strcmp (((PlumbUnit *) g_ptr_array_index (units, i))->word, word) == 0)
      return TRUE;
  }
  return FALSE;
}

static gboolean
has_any_unit (GPtrArray *units, const char *const *words, guint n_words)
{
  for (guint i = 0; i < n_words; i++) {
    if (has_unit (units, words[i]))
      return TRUE;
  }
  return FALSE;
}

/** plumb_families_names: Returns: whether the question holds the whole name of @table */
gboolean
plumb_families_names (const PlumbFamilies *self, guint table, GPtrArray *units)
{
  PlumbCard *card = g_ptr_array_index (self->cards, table);
  g_autofree char *folded = plumb_text_fold (card->name);

  return has_unit (units, folded);
}

/**
 * plumb_families_asks_for:
 * @copy: a copy
 * @units: (element-type PlumbUnit): the question's words
 *
 * Returns: whether the question asks for copies of the kind of @copy, or for this one by the date
 *   or the name that tells it from its live table
 */
gboolean
plumb_families_asks_for (const PlumbFamilies *self, guint copy, GPtrArray *units)
{
  PlumbCard *card = g_ptr_array_index (self->cards, copy);
  int live = plumb_families_get_live (self, copy);
  PlumbCard *original = live >= 0 ? g_ptr_array_index (self->cards, live) : NULL;
  g_autoptr (GPtrArray) words = plumb_text_split_identifier (card->name);
  g_autofree char *name = original != NULL ? plumb_text_fold (original->name) : g_strdup ("");

  if (card->status == PLUMB_STATUS_BACKUP
          ? has_any_unit (units, backup_words, G_N_ELEMENTS (backup_words))
          : has_any_unit (units, working_words, G_N_ELEMENTS (working_words)))
    return TRUE;
  for (guint i = 0; i < words->len; i++) {
    const char *word = g_ptr_array_index (words, i);

    /* A date or version that only the copy has; short numbers mean too many other things. */
    if (strlen (word) >= 4 && strstr (name, word) == NULL && has_unit (units, word))
      return TRUE;
  }
  return FALSE;
}
