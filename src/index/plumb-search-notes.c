/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-search-private.h"

#include "plumb-text.h"

#include <math.h>
#include <string.h>

/* Notes shown with a candidate, and how much of a note stands in its excerpt. */
#define MAX_NOTES 5
#define EXCERPT_CHARACTERS 160

struct _PlumbNoteIndex {
  GPtrArray *notes;
  guint32 *tables;        /* for each note its table, G_MAXUINT32 for none */
  GHashTable *by_word;    /* canonical word → numbers of notes, each once */
  GHashTable *by_table;   /* table + 1 → numbers of notes */
};

static void
append_number (GHashTable *table, gpointer key, guint number, GDestroyNotify free_key)
{
  GArray *list = g_hash_table_lookup (table, key);

  if (list == NULL) {
    list = g_array_new (FALSE, FALSE, sizeof (guint));
    g_hash_table_insert (table, key, list);
  } else if (free_key != NULL) {
    free_key (key);
  }
  if (list->len == 0 || g_array_index (list, guint, list->len - 1) != number)
    g_array_append_val (list, number);
}

static gboolean
is_cyrillic (const char *word)
{
  return g_unichar_get_script (g_utf8_get_char (word)) == G_UNICODE_SCRIPT_CYRILLIC;
}

/* What stands for @word in any of its forms. A note and a question may be of different languages, and a short one
 * doesn't say of which; so Latin letters have a second key, that of a German word. */
static char *
make_word_key (const char *word)
{
  return is_cyrillic (word) ? plumb_stem_word (word, PLUMB_LANGUAGE_RUSSIAN) : plumb_canonical_word (word);
}

static char *
make_german_key (const char *word)
{
  g_autofree char *stem = NULL;

  if (g_unichar_get_script (g_utf8_get_char (word)) != G_UNICODE_SCRIPT_LATIN)
    return NULL;
  stem = plumb_stem_word (word, PLUMB_LANGUAGE_GERMAN);
  return g_strconcat ("de:", stem, NULL);
}

/* The keys of a word of the question: those of all of its bigrams where it has no spaces around it; otherwise the
 * two of which one has to fit. */
static GPtrArray *
list_keys (const PlumbUnit *unit, gboolean *all)
{
  g_autoptr (GPtrArray) bigrams = NULL;
  GPtrArray *keys = g_ptr_array_new_with_free_func (g_free);
  char *german;

  *all = plumb_text_is_cjk (g_utf8_get_char (unit->word));
  if (*all) {
    bigrams = plumb_text_split_identifier (unit->word);
    for (guint i = 0; i < bigrams->len; i++)
      g_ptr_array_add (keys, make_word_key (g_ptr_array_index (bigrams, i)));
    return keys;
  }
  g_ptr_array_add (keys, is_cyrillic (unit->word) ? make_word_key (unit->word) : g_strdup (unit->canonical));
  german = make_german_key (unit->word);
  if (german != NULL)
    g_ptr_array_add (keys, german);
  return keys;
}

static void
index_note (PlumbNoteIndex *self, guint number)
{
  PlumbNote *note = g_ptr_array_index (self->notes, number);
  g_autoptr (GPtrArray) words = plumb_text_tokenize (note->text);
  PlumbLanguage language = plumb_detect_language (note->text);

  append_number (self->by_table, GUINT_TO_POINTER (self->tables[number] + 1), number, NULL);
  for (guint i = 0; i < words->len; i++) {
    const char *word = g_ptr_array_index (words, i);

    char *german;

    if (plumb_is_everyday_word (word, language))
      continue;
    append_number (self->by_word, make_word_key (word), number, g_free);
    german = make_german_key (word);
    if (german != NULL)
      append_number (self->by_word, german, number, g_free);
  }
}

static char *
make_key (const char *database, const char *schema, const char *table)
{
  return g_strjoin ("\n", database, schema, table, NULL);
}

/**
 * plumb_note_index_new:
 * @notes: (nullable) (element-type PlumbNote): the notes; retired ones are left out
 * @cards: (element-type PlumbCard): the tables
 *
 * Returns: (transfer full): @notes by word and table
 */
PlumbNoteIndex *
plumb_note_index_new (GPtrArray *notes, GPtrArray *cards)
{
  PlumbNoteIndex *self = g_new0 (PlumbNoteIndex, 1);
  g_autoptr (GHashTable) places = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  self->notes = g_ptr_array_new_with_free_func ((GDestroyNotify) plumb_note_free);
  self->by_word = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_array_unref);
  self->by_table = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_array_unref);
  self->tables = g_new0 (guint32, notes != NULL ? notes->len + 1 : 1);
  for (guint i = 0; notes != NULL && notes->len > 0 && i < cards->len; i++) {
    PlumbCard *card = g_ptr_array_index (cards, i);

    g_hash_table_insert (places, make_key (card->database, card->schema, card->name), GUINT_TO_POINTER (i + 1));
  }
  for (guint i = 0; notes != NULL && i < notes->len; i++) {
    PlumbNote *note = g_ptr_array_index (notes, i);
    g_autofree char *key = make_key (note->database, note->schema, note->table);
    guint place = GPOINTER_TO_UINT (g_hash_table_lookup (places, key));

    if (note->retired || place == 0)
      continue;
    self->tables[self->notes->len] = place - 1;
    g_ptr_array_add (self->notes, plumb_note_copy (note));
    index_note (self, self->notes->len - 1);
  }
  return self;
}

/** plumb_note_index_free: frees it */
void
plumb_note_index_free (PlumbNoteIndex *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->notes);
  g_hash_table_unref (self->by_word);
  g_hash_table_unref (self->by_table);
  g_free (self->tables);
  g_free (self);
}

/**
 * plumb_note_index_find:
 * @units: (element-type PlumbUnit): the question's words
 * @scores: (array): for each table, set to how well its best note fits the question
 */
void
plumb_note_index_find (const PlumbNoteIndex *self, GPtrArray *units, guint n_tables, float *scores)
{
  g_autofree float *sums = g_new0 (float, self->notes->len + 1);

  for (guint i = 0; self->notes->len > 0 && i < units->len; i++) {
    PlumbUnit *unit = g_ptr_array_index (units, i);
    gboolean all, found = FALSE;
    g_autoptr (GPtrArray) keys = list_keys (unit, &all);

    for (guint k = 0; k < keys->len && (all || !found); k++) {
      GArray *list = g_hash_table_lookup (self->by_word, g_ptr_array_index (keys, k));

      found = list != NULL;
      for (guint j = 0; list != NULL && j < list->len; j++)
        sums[g_array_index (list, guint, j)] += unit->importance / (all ? keys->len : 1) *
                                                logf (1 + (self->notes->len + 0.5f) / (list->len + 0.5f));
    }
  }
  for (guint i = 0; i < self->notes->len; i++)
    scores[self->tables[i]] = MAX (scores[self->tables[i]], sums[i]);
}

/* The part of @text around @word, NULL where it isn't in there. */
static char *
cut_around (const char *text, const char *word)
{
  g_autofree char *folded = plumb_text_fold (text);
  const char *hit = strstr (folded, word);
  glong place, length;

  if (hit == NULL)
    return NULL;
  length = g_utf8_strlen (text, -1);
  place = MIN (g_utf8_pointer_to_offset (folded, hit), length);
  place = MAX (place - EXCERPT_CHARACTERS / 3, 0);
  if (length <= EXCERPT_CHARACTERS)
    place = 0;
  return plumb_text_first_line (g_utf8_offset_to_pointer (text, place), EXCERPT_CHARACTERS);
}

/* The keys of all words of the question. */
static GHashTable *
collect_keys (GPtrArray *units)
{
  GHashTable *wanted = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < units->len; i++) {
    gboolean all;
    g_autoptr (GPtrArray) keys = list_keys (g_ptr_array_index (units, i), &all);

    for (guint j = 0; j < keys->len; j++)
      g_hash_table_add (wanted, g_strdup (g_ptr_array_index (keys, j)));
  }
  return wanted;
}

/* Cuts out the part of the note that was hit. */
static gboolean
find_hit (PlumbNote *note, GHashTable *wanted)
{
  g_autoptr (GPtrArray) words = plumb_text_tokenize (note->text);
  gboolean hit = FALSE;

  for (guint i = 0; note->excerpt == NULL && i < words->len; i++) {
    const char *word = g_ptr_array_index (words, i);
    g_autofree char *key = make_word_key (word);
    g_autofree char *german = make_german_key (word);

    if (!g_hash_table_contains (wanted, key) && (german == NULL || !g_hash_table_contains (wanted, german)))
      continue;
    hit = TRUE;
    note->excerpt = cut_around (note->text, word);
  }
  return hit;
}

/**
 * plumb_note_index_collect:
 * @table: a table
 * @units: (element-type PlumbUnit): the question's words
 *
 * Returns: (transfer full) (element-type PlumbNote): at most five notes on @table, hits first and
 *   with the part that was hit
 */
GPtrArray *
plumb_note_index_collect (const PlumbNoteIndex *self, guint table, GPtrArray *units)
{
  GPtrArray *found = g_ptr_array_new_with_free_func ((GDestroyNotify) plumb_note_free);
  GArray *list = g_hash_table_lookup (self->by_table, GUINT_TO_POINTER (table + 1));
  g_autoptr (GHashTable) wanted = list != NULL ? collect_keys (units) : NULL;
  guint n_hits = 0;

  for (guint i = list != NULL ? list->len : 0; i > 0; i--) {
    PlumbNote *note = plumb_note_copy (g_ptr_array_index (self->notes, g_array_index (list, guint, i - 1)));

    if (find_hit (note, wanted))
      g_ptr_array_insert (found, n_hits++, note);
    else
      g_ptr_array_add (found, note);
  }
  if (found->len > MAX_NOTES)
    g_ptr_array_set_size (found, MAX_NOTES);
  return found;
}
