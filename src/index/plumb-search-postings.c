/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-search-private.h"

#include "plumb-abbreviation.h"
#include "plumb-text.h"

#include <math.h>
#include <string.h>

/* What is read of long comments and of a column's frequent values. */
#define MAX_PROSE_WORDS 400
#define MAX_VALUES 40
#define MAX_VALUE_BYTES 60

/* One word where it stands in one table. */
typedef struct {
  guint32 term;
  guint16 chunk;
  guint8 field;
} Occurrence;

/* What one table holds of one word, while the index is built. */
typedef struct {
  guint32 term;
  guint32 table;
  float counts[PLUMB_N_FIELDS];
} Entry;

typedef struct {
  PlumbPostings *postings;
  const PlumbSearchWeights *weights;
  GHashTable *known;
  GArray *occurrences;   /* of all tables, in their order */
  GArray *ends;          /* for each table, the end of its occurrences */
  GArray *lengths;       /* for each table and field, its words (of the longest chunk) */
  guint n_words[PLUMB_N_FIELDS];
  double totals[PLUMB_N_FIELDS];
} Builder;

static guint
intern_term (PlumbPostings *self, const char *word)
{
  gpointer id = g_hash_table_lookup (self->ids, word);
  char *text;

  if (id != NULL)
    return GPOINTER_TO_UINT (id) - 1;
  text = g_string_chunk_insert (self->text, word);
  g_ptr_array_add (self->words, text);
  g_hash_table_insert (self->ids, text, GUINT_TO_POINTER (self->words->len));
  return self->words->len - 1;
}

static void
add_occurrence (Builder *builder, const char *word, PlumbField field, guint chunk)
{
  Occurrence occurrence = { intern_term (builder->postings, word), chunk, field };

  g_array_append_val (builder->occurrences, occurrence);
}

static gboolean
is_plain_letters (const char *word)
{
  for (const char *p = word; *p != '\0'; p++) {
    if (g_ascii_isdigit (*p))
      return FALSE;
  }
  return TRUE;
}

/* The parts of a word that was written without anything between them; each word is split once. */
static GPtrArray *
get_parts (Builder *builder, const char *word)
{
  PlumbPostings *self = builder->postings;
  gpointer parts;

  if (strlen (word) < 6 || !is_plain_letters (word))
    return NULL;
  if (!g_hash_table_lookup_extended (self->splits, word, NULL, &parts)) {
    parts = plumb_split_run_together (word, builder->known);
    g_hash_table_insert (self->splits, g_strdup (word), parts);
  }
  return parts;
}

/* The words of an identifier, run-together ones split as well. */
static GPtrArray *
split_identifier (Builder *builder, const char *identifier)
{
  g_autoptr (GPtrArray) words = plumb_text_split_identifier (identifier);
  GPtrArray *all = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < words->len; i++) {
    const char *word = g_ptr_array_index (words, i);
    GPtrArray *parts = get_parts (builder, word);

    if (parts == NULL)
      g_ptr_array_add (all, g_strdup (word));
    for (guint j = 0; parts != NULL && j < parts->len; j++)
      g_ptr_array_add (all, g_strdup (g_ptr_array_index (parts, j)));
  }
  return all;
}

/* Words in the names of tables that only say that it is the table of its thing. */
static gboolean
is_hollow_word (const char *word)
{
  static const char *const hollow[] = { "master", "mst", "mstr", "table", "tbl", "tb", "header", "hdr", "head", "main",
                                        "base", "data", "info", "information", "dim", "dimension", "fact", "entity" };

  for (guint i = 0; i < G_N_ELEMENTS (hollow); i++) {
    if (strcmp (hollow[i], word) == 0)
      return TRUE;
  }
  return FALSE;
}

static void
add_identifier (Builder *builder, const char *identifier, PlumbField field, guint chunk)
{
  g_autoptr (GPtrArray) words = split_identifier (builder, identifier);
  g_autofree char *before = NULL;

  for (guint i = 0; i < words->len; i++) {
    const char *word = g_ptr_array_index (words, i);
    g_autofree char *canonical = plumb_canonical_word (word);

    add_occurrence (builder, word, field, chunk);
    builder->n_words[field] += field != PLUMB_FIELD_NAME || words->len == 1 || !is_hollow_word (word);
    if (before != NULL) {
      g_autofree char *key = plumb_postings_pair_key (before, canonical);

      add_occurrence (builder, key, field, chunk);
    }
    g_free (before);
    before = g_steal_pointer (&canonical);
  }
  if (words->len > 1) {
    g_autofree char *whole = plumb_text_fold (identifier);

    add_occurrence (builder, whole, field, chunk);
  }
}

/* The words of @name and what they are short for, in the form in which words are compared. */
static GHashTable *
collect_name_words (Builder *builder, const char *name)
{
  g_autoptr (GPtrArray) words = split_identifier (builder, name);
  GHashTable *set = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < words->len; i++) {
    const char *word = g_ptr_array_index (words, i);
    const char *const *expansions = plumb_abbreviation_expand (word);

    g_hash_table_add (set, plumb_canonical_word (word));
    for (guint j = 0; expansions != NULL && expansions[j] != NULL; j++) {
      g_autoptr (GPtrArray) parts = plumb_text_split_identifier (expansions[j]);

      for (guint k = 0; k < parts->len; k++)
        g_hash_table_add (set, plumb_canonical_word (g_ptr_array_index (parts, k)));
    }
  }
  return set;
}

/* Text on what is called @said says something new where it has other words than the name. */
static void
add_prose (Builder *builder, const char *text, GHashTable *said, PlumbField field, guint chunk)
{
  g_autoptr (GPtrArray) words = NULL;

  if (text == NULL)
    return;
  words = plumb_text_tokenize (text);
  for (guint i = 0; i < words->len && i < MAX_PROSE_WORDS; i++) {
    const char *word = g_ptr_array_index (words, i);
    g_autofree char *canonical = plumb_canonical_word (word);

    if (plumb_is_everyday_word (word, PLUMB_LANGUAGE_ENGLISH) ||
        (said != NULL && g_hash_table_contains (said, canonical)))
      continue;
    add_occurrence (builder, word, field, chunk);
    builder->n_words[field]++;
  }
}

static void
add_column (Builder *builder, PlumbCardColumn *column, guint chunk)
{
  g_autoptr (GHashTable) said = NULL;

  add_identifier (builder, column->name, PLUMB_FIELD_COLUMN, chunk);
  if (column->comment != NULL || column->meaning != NULL)
    said = collect_name_words (builder, column->name);
  add_prose (builder, column->comment, said, PLUMB_FIELD_COLUMN_TEXT, chunk);
  if (g_strcmp0 (column->meaning, column->comment) != 0)
    add_prose (builder, column->meaning, said, PLUMB_FIELD_COLUMN_TEXT, chunk);
  for (guint i = 0; i < column->values->len && i < MAX_VALUES; i++) {
    PlumbCodeValue *value = g_ptr_array_index (column->values, i);

    if (strlen (value->value) <= MAX_VALUE_BYTES)
      add_prose (builder, value->value, NULL, PLUMB_FIELD_VALUE, chunk);
    add_prose (builder, value->meaning, NULL, PLUMB_FIELD_VALUE, chunk);
  }
}

/* Where the table is: the source, the schema, and what stands before the name in the name itself. */
static void
add_place (Builder *builder, PlumbCard *card, const char *name)
{
  add_identifier (builder, card->database, PLUMB_FIELD_PLACE, 0);
  add_identifier (builder, card->schema, PLUMB_FIELD_PLACE, 0);
  if (name > card->name) {
    g_autofree char *before = g_strndup (card->name, name - 1 - card->name);

    add_identifier (builder, before, PLUMB_FIELD_PLACE, 0);
  }
}

static void
add_texts (Builder *builder, PlumbCard *card, const char *name)
{
  g_autoptr (GHashTable) said = collect_name_words (builder, name);

  add_prose (builder, card->label, said, PLUMB_FIELD_TEXT, 0);
  add_prose (builder, card->comment, said, PLUMB_FIELD_TEXT, 0);
  if (g_strcmp0 (card->purpose, card->comment) != 0)
    add_prose (builder, card->purpose, said, PLUMB_FIELD_TEXT, 0);
  for (guint i = 0; card->synonyms != NULL && card->synonyms[i] != NULL; i++)
    add_prose (builder, card->synonyms[i], said, PLUMB_FIELD_TEXT, 0);
}

static void
add_card (Builder *builder, PlumbCard *card)
{
  const char *dot = strrchr (card->name, '.');
  const char *name = dot != NULL && dot[1] != '\0' ? dot + 1 : card->name;

  memset (builder->n_words, 0, sizeof builder->n_words);
  add_identifier (builder, name, PLUMB_FIELD_NAME, 0);
  add_place (builder, card, name);
  add_texts (builder, card, name);
  for (guint i = 0; i < card->columns->len; i++)
    add_column (builder, g_ptr_array_index (card->columns, i), i / PLUMB_CHUNK_COLUMNS);
  for (guint i = 0; i < card->foreign_keys->len; i++) {
    PlumbForeignKey *key = g_ptr_array_index (card->foreign_keys, i);

    add_identifier (builder, key->ref_table, PLUMB_FIELD_NEIGHBOUR, 0);
  }
  for (guint field = 0; field < PLUMB_N_FIELDS; field++) {
    float length = builder->n_words[field];

    /* Past the first chunk the length of a wide table grows more slowly than its columns. */
    if (length > PLUMB_CHUNK_WORDS)
      length = PLUMB_CHUNK_WORDS * powf (length / PLUMB_CHUNK_WORDS, builder->weights->wide);
    g_array_append_val (builder->lengths, length);
    builder->totals[field] += length;
  }
  g_array_append_val (builder->ends, builder->occurrences->len);
}

/* Words that stand alone somewhere in the catalog: they tell where others are to be split. */
static void
collect_known_words (Builder *builder, GPtrArray *cards)
{
  for (guint i = 0; i < cards->len; i++) {
    PlumbCard *card = g_ptr_array_index (cards, i);

    for (guint j = 0; j <= card->columns->len; j++) {
      PlumbCardColumn *column = j > 0 ? g_ptr_array_index (card->columns, j - 1) : NULL;
      g_autoptr (GPtrArray) words = plumb_text_split_identifier (column != NULL ? column->name : card->name);

      for (guint k = 0; words->len > 1 && k < words->len; k++) {
        const char *word = g_ptr_array_index (words, k);

        if (strlen (word) > 3 && strlen (word) < 25)
          g_hash_table_add (builder->known, g_strdup (word));
      }
    }
  }
}

static int
compare_occurrences (gconstpointer a, gconstpointer b)
{
  const Occurrence *one = a, *other = b;

  if (one->term != other->term)
    return one->term < other->term ? -1 : 1;
  if (one->field != other->field)
    return one->field < other->field ? -1 : 1;
  return (int) one->chunk - (int) other->chunk;
}

/* BM25F: counts are discounted field by field, weighed, added up and then saturated once. */
static float
weigh_entry (Builder *builder, const Entry *entry)
{
  const PlumbSearchWeights *weights = builder->weights;
  const float *lengths = &g_array_index (builder->lengths, float, entry->table * PLUMB_N_FIELDS);
  guint n_tables = builder->ends->len;
  float sum = 0;

  for (guint field = 0; field < PLUMB_N_FIELDS; field++) {
    float average = MAX (builder->totals[field] / n_tables, 1);
    float discount = 1 + weights->length[field] * (lengths[field] / average - 1);

    if (entry->counts[field] > 0)
      sum += weights->field[field] * entry->counts[field] / discount;
  }
  return sum / (weights->saturation + sum);
}

/* Sums the occurrences of one table up by word: in a field the best chunk counts. */
static void
sum_up_table (Builder *builder, guint table, GArray *entries)
{
  guint start = table > 0 ? g_array_index (builder->ends, guint, table - 1) : 0;
  guint end = g_array_index (builder->ends, guint, table);
  Occurrence *all = &g_array_index (builder->occurrences, Occurrence, 0);

  if (end > start)
    qsort (all + start, end - start, sizeof *all, compare_occurrences);
  for (guint i = start; i < end;) {
    Entry entry = { all[i].term, table, { 0 } };

    while (i < end && all[i].term == entry.term) {
      guint first = i;

      while (i < end && all[i].term == entry.term && all[i].field == all[first].field &&
             all[i].chunk == all[first].chunk)
        i++;
      entry.counts[all[first].field] = MAX (entry.counts[all[first].field], i - first);
    }
    g_array_append_val (entries, entry);
  }
}

/* Sorts the entries by term (counting sort: within a term the tables stay in order). */
static void
store_entries (Builder *builder, GArray *entries)
{
  PlumbPostings *self = builder->postings;
  guint n_terms = self->words->len;
  g_autofree guint32 *next = NULL;

  self->starts = g_new0 (guint32, n_terms + 1);
  self->postings = g_new (PlumbPosting, MAX (entries->len, 1));
  for (guint i = 0; i < entries->len; i++)
    self->starts[g_array_index (entries, Entry, i).term + 1]++;
  for (guint i = 0; i < n_terms; i++)
    self->starts[i + 1] += self->starts[i];
  next = g_memdup2 (self->starts, (n_terms + 1) * sizeof *next);
  for (guint i = 0; i < entries->len; i++) {
    const Entry *entry = &g_array_index (entries, Entry, i);

    self->postings[next[entry->term]++] =
        (PlumbPosting) { entry->table, weigh_entry (builder, entry) };
  }
}

static void
free_parts (gpointer parts)
{
  if (parts != NULL)
    g_ptr_array_unref (parts);
}

/**
 * plumb_postings_new:
 * @cards: (element-type PlumbCard): the tables; a table's number is its place here
 * @weights: the weights of fields
 *
 * Returns: (transfer full): the inverted index of @cards
 */
PlumbPostings *
plumb_postings_new (GPtrArray *cards, const PlumbSearchWeights *weights)
{
  PlumbPostings *self = g_new0 (PlumbPostings, 1);
  g_autoptr (GHashTable) known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GArray) occurrences = g_array_new (FALSE, FALSE, sizeof (Occurrence));
  g_autoptr (GArray) ends = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autoptr (GArray) lengths = g_array_new (FALSE, FALSE, sizeof (float));
  g_autoptr (GArray) entries = g_array_new (FALSE, FALSE, sizeof (Entry));
  Builder builder = { self, weights, known, occurrences, ends, lengths };

  self->n_tables = cards->len;
  self->text = g_string_chunk_new (64 * 1024);
  self->ids = g_hash_table_new (g_str_hash, g_str_equal);
  self->words = g_ptr_array_new ();
  self->splits = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, free_parts);
  collect_known_words (&builder, cards);
  for (guint i = 0; i < cards->len; i++)
    add_card (&builder, g_ptr_array_index (cards, i));
  for (guint i = 0; i < cards->len; i++)
    sum_up_table (&builder, i, entries);
  store_entries (&builder, entries);
  return self;
}

/** plumb_postings_free: frees the index */
void
plumb_postings_free (PlumbPostings *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->ids);
  g_hash_table_unref (self->splits);
  g_ptr_array_unref (self->words);
  g_string_chunk_free (self->text);
  g_free (self->starts);
  g_free (self->postings);
  g_free (self);
}

/** plumb_postings_find: Returns: the number of the term @word, -1 where no table holds it */
int
plumb_postings_find (const PlumbPostings *self, const char *word)
{
  return GPOINTER_TO_INT (g_hash_table_lookup (self->ids, word)) - 1;
}

/** plumb_postings_get: Returns: (transfer none): the tables that hold @term, in their order */
const PlumbPosting *
plumb_postings_get (const PlumbPostings *self, guint term, guint *n_postings)
{
  *n_postings = self->starts[term + 1] - self->starts[term];
  return self->postings + self->starts[term];
}

/** plumb_postings_pair_key: Returns: (transfer full): the term of two neighbouring words */
char *
plumb_postings_pair_key (const char *first, const char *second)
{
  return g_strcmp0 (first, second) <= 0 ? g_strconcat (first, " ", second, NULL)
                                        : g_strconcat (second, " ", first, NULL);
}

/** plumb_compare_postings: orders #PlumbPosting by weight, the largest first, and then by table */
int
plumb_compare_postings (gconstpointer a, gconstpointer b)
{
  const PlumbPosting *one = a, *other = b;

  if (one->weight != other->weight)
    return one->weight < other->weight ? 1 : -1;
  return one->table < other->table ? -1 : one->table > other->table;
}
