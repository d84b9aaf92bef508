/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-search-private.h"

#include "plumb-text.h"

#include <string.h>

/* Copies of copies of copies. */
#define MAX_STEPS 4

struct _PlumbFamilies {
  GPtrArray *cards;
  GArray *live_of;          /* for each table its live table, -1 for none */
  GHashTable *copies;       /* table + 1 → its copies */
  GHashTable *partitions;   /* `database.schema.family` → its members */
};

/* Words that ask for a copy of each kind. Those that are words of many trades as well ("a copy of a
 * book", "the draft of a law") ask for one only where the live tables have no use for them. "Old",
 * "history" or "test" mean too many other things. */
typedef struct {
  const char *word;
  gboolean certain;
} AskingWord;

static const AskingWord backup_words[] = {
  { "backup", TRUE }, { "backups", TRUE }, { "bak", TRUE }, { "bkp", TRUE }, { "copy", FALSE }, { "copies", FALSE },
  { "copied", FALSE }, { "archive", FALSE }, { "archived", FALSE }, { "archives", FALSE }, { "snapshot", FALSE },
  { "snapshots", FALSE }, { "historical", FALSE }, { "kopie", TRUE }, { "kopien", TRUE }, { "sicherung", TRUE },
  { "sicherungskopie", TRUE }, { "archiv", FALSE }, { "sauvegarde", TRUE }, { "respaldo", TRUE },
  { "копия", TRUE }, { "копии", TRUE }, { "копию", TRUE }, { "копией", TRUE }, { "архив", FALSE }, { "архиве", FALSE },
  { "архива", FALSE }, { "резервная", TRUE }, { "резервной", TRUE }, { "резервную", TRUE }, { "бэкап", TRUE },
  { "бэкапа", TRUE }, { "бэкапе", TRUE }, { "бэкапом", TRUE },
  { "备份", TRUE }, { "副本", TRUE }, { "归档", FALSE }, { "備份", TRUE }, { "バックアップ", TRUE }, { "コピー", FALSE },
  { "백업", TRUE }, { "사본", TRUE }, { "복사본", TRUE },
};
static const AskingWord working_words[] = {
  { "staging", TRUE }, { "stage", FALSE }, { "staged", FALSE }, { "stg", TRUE }, { "temporary", FALSE },
  { "temp", FALSE }, { "tmp", TRUE }, { "draft", FALSE }, { "drafts", FALSE }, { "entwurf", FALSE },
  { "temporär", FALSE }, { "temporäre", FALSE }, { "черновик", FALSE }, { "черновике", FALSE }, { "временная", FALSE },
  { "временной", FALSE }, { "временную", FALSE }, { "临时", FALSE }, { "草稿", FALSE }, { "暂存", TRUE },
  { "一時", FALSE }, { "下書き", FALSE }, { "임시", FALSE }, { "초안", FALSE },
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

    if (live >= 0 && live != (int) number)
      g_array_index (self->live_of, gint32, number) = live;
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

/* A copy of a copy stands under the live table as well. Of tables that are copies of each other none
 * is one. */
static void
add_copies (PlumbFamilies *self)
{
  g_autofree gint32 *direct = g_memdup2 (self->live_of->data, self->live_of->len * sizeof (gint32));

  for (guint i = 0; i < self->live_of->len; i++) {
    gint32 live = direct[i];

    for (guint step = 0; live >= 0 && direct[live] >= 0; step++)
      live = step < MAX_STEPS ? direct[live] : -1;
    g_array_index (self->live_of, gint32, i) = live;
    if (live >= 0)
      append_table (self->copies, GINT_TO_POINTER (live + 1), i);
  }
}

/**
 * plumb_families_new:
 * @cards: (element-type PlumbCard): the tables
 * @live: (nullable) (array): what plumb_families_get_live() gave for each of them before, which saves
 *   looking them up by name
 *
 * Returns: (transfer full): which of @cards are copies and partitions of what
 */
PlumbFamilies *
plumb_families_new (GPtrArray *cards, const gint32 *live)
{
  PlumbFamilies *self = g_new0 (PlumbFamilies, 1);
  g_autoptr (GHashTable) places = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  self->cards = cards;
  self->live_of = g_array_new (FALSE, TRUE, sizeof (gint32));
  self->copies = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_array_unref);
  self->partitions = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_array_unref);
  for (guint i = 0; i < cards->len; i++) {
    gint32 original = live != NULL ? live[i] : -1;

    g_array_append_val (self->live_of, original);
    if (live == NULL)
      add_place (places, g_ptr_array_index (cards, i), i);
  }
  for (guint i = 0; i < cards->len; i++) {
    if (live == NULL || live[i] < 0)
      add_member (self, i, places);
  }
  add_copies (self);
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

/** plumb_families_get_live: Returns: the live table that @table is a copy of, -1 where it is none */
int
plumb_families_get_live (const PlumbFamilies *self, guint table)
{
  return g_array_index (self->live_of, gint32, table);
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

/* Whether the question holds one of @words. @held says for each word of the question whether live
 * tables of the database hold it: those are @stride numbers apart. */
static gboolean
has_asking_word (GPtrArray *units, const AskingWord *words, guint n_words, const guint8 *held, guint stride)
{
  for (guint i = 0; i < units->len; i++) {
    PlumbUnit *unit = g_ptr_array_index (units, i);

    for (guint j = 0; j < n_words; j++) {
      if (strcmp (unit->word, words[j].word) == 0 && (words[j].certain || !held[(gsize) i * stride]))
        return TRUE;
    }
  }
  return FALSE;
}

/* Whether @word can only mean a copy that has it in its name: a whole date or a word, but no year. */
static gboolean
tells_copy (const char *word)
{
  gsize digits = strspn (word, "0123456789");

  return word[digits] == '\0' ? digits >= PLUMB_MIN_DATE_DIGITS : strlen (word) >= 4;
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
 * @held: (array): for each word of the question, whether live tables of the copy's database hold it;
 *   @stride numbers apart
 *
 * Returns: whether the question asks for copies of the kind of @copy, or for this one by the date
 *   or the name that tells it from its live table
 */
gboolean
plumb_families_asks_for (const PlumbFamilies *self, guint copy, GPtrArray *units, const guint8 *held, guint stride)
{
  PlumbCard *card = g_ptr_array_index (self->cards, copy);
  int live = plumb_families_get_live (self, copy);
  PlumbCard *original = live >= 0 ? g_ptr_array_index (self->cards, live) : NULL;
  g_autoptr (GPtrArray) words = plumb_text_split_identifier (card->name);
  g_autofree char *name = original != NULL ? plumb_text_fold (original->name) : g_strdup ("");

  if (card->status == PLUMB_STATUS_BACKUP
          ? has_asking_word (units, backup_words, G_N_ELEMENTS (backup_words), held, stride)
          : has_asking_word (units, working_words, G_N_ELEMENTS (working_words), held, stride))
    return TRUE;
  for (guint i = 0; i < words->len; i++) {
    const char *word = g_ptr_array_index (words, i);

    if (tells_copy (word) && strstr (name, word) == NULL && has_unit (units, word))
      return TRUE;
  }
  return FALSE;
}
