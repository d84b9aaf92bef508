/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-search-build.h"

#include "plumb-abbreviation.h"
#include "plumb-text.h"

#include <math.h>
#include <string.h>

/* What is read of long comments and of a column's frequent values. */
#define MAX_PROSE_WORDS 400
#define MAX_VALUES 40
#define MAX_VALUE_BYTES 60

/* A word of one table in each field: how often it stands in the chunk at hand, and in the fullest. */
typedef struct {
  guint32 term;
  guint16 chunk[PLUMB_N_FIELDS];
  guint16 count[PLUMB_N_FIELDS];
  guint16 most[PLUMB_N_FIELDS];
} Tally;

/* The table that held a term last, and its tally there. */
typedef struct {
  guint32 table;
  guint32 tally;
} Seen;

/* What one table holds of one term; the counts of all fields in one number. */
typedef struct {
  guint32 term;
  guint32 counts;
} Entry;

/* Bits of a field's count. More of one word than fits says nothing more. */
#define COUNT_BITS 9
#define MAX_COUNT ((1 << COUNT_BITS) - 1)

typedef struct {
  const PlumbSearchWeights *weights;
  PlumbDictionaryBuilder *terms;
  PlumbWords *words;
  GArray *tokens;         /* for each identifier of the cards, its words and before them how many */
  guint next;             /* of tokens */
  GArray *identifier;     /* words of the identifier at hand, run-together ones split */
  GArray *said;           /* canonical forms of the words of what is described */
  GArray *seen;           /* Seen, by term */
  GArray *tallies;        /* of the table at hand */
  guint table;
  PlumbNumberMap *counts;
  GArray *count_numbers;  /* for each of counts, its number */
  GArray *entries;        /* of all tables, in their order */
  GArray *ends;           /* for each table, the end of its entries */
  GArray *lengths;        /* for each table and field, its words */
  guint n_words[PLUMB_N_FIELDS];
  double totals[PLUMB_N_FIELDS];
  guint n_live;           /* tables that are no copies: lengths are compared with theirs */
} Builder;

static void
note_term (Builder *self, guint term, PlumbField field, guint chunk)
{
  Tally *tally;
  Seen *seen;

  if (term >= self->seen->len)
    g_array_set_size (self->seen, plumb_dictionary_builder_get_size (self->terms));
  seen = &g_array_index (self->seen, Seen, term);
  if (seen->table != self->table + 1) {
    Tally new = { .term = term };

    *seen = (Seen) { self->table + 1, self->tallies->len };
    g_array_append_val (self->tallies, new);
  }
  tally = &g_array_index (self->tallies, Tally, seen->tally);
  if (tally->chunk[field] != chunk)
    tally->count[field] = 0;
  tally->chunk[field] = chunk;
  tally->count[field] += tally->count[field] < MAX_COUNT;
  tally->most[field] = MAX (tally->most[field], tally->count[field]);
}

/* Splits one identifier for the second pass; returns where its words are. */
static guint
split_identifier (Builder *self, const char *identifier, gboolean stands)
{
  g_autoptr (GPtrArray) words = plumb_text_split_identifier (identifier);
  guint32 n = words->len;

  g_array_append_val (self->tokens, n);
  for (guint i = 0; i < words->len; i++) {
    guint32 word = plumb_words_add (self->words, g_ptr_array_index (words, i));

    g_array_append_val (self->tokens, word);
    if (stands && words->len > 1)
      plumb_words_set_standing (self->words, word);
  }
  return n;
}

/* The first pass. Words that stand alone somewhere in the catalog tell where others are to be split,
 * so all have to be seen before one is. The second pass takes the identifiers in the same order. */
static void
split_card (Builder *self, PlumbCard *card)
{
  const char *name = plumb_card_get_own_name (card);

  split_identifier (self, name, name == card->name);
  split_identifier (self, card->database, FALSE);
  split_identifier (self, card->schema, FALSE);
  if (name > card->name) {
    g_autofree char *before = g_strndup (card->name, name - 1 - card->name);
    guint start;

    split_identifier (self, before, FALSE);
    start = self->tokens->len;
    split_identifier (self, card->name, TRUE);
    g_array_set_size (self->tokens, start);
  }
  for (guint i = 0; i < card->columns->len; i++)
    split_identifier (self, ((PlumbCardColumn *) g_ptr_array_index (card->columns, i))->name, TRUE);
  for (guint i = 0; i < card->foreign_keys->len; i++)
    split_identifier (self, ((PlumbForeignKey *) g_ptr_array_index (card->foreign_keys, i))->ref_table, FALSE);
}

/* The columns of a copy that its live table doesn't have: their places. */
static GArray *
find_own_columns (PlumbCard *card, PlumbCard *live)
{
  g_autoptr (GHashTable) known = g_hash_table_new (g_str_hash, g_str_equal);
  GArray *own = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint i = 0; i < live->columns->len; i++)
    g_hash_table_add (known, ((PlumbCardColumn *) g_ptr_array_index (live->columns, i))->name);
  for (guint i = 0; i < card->columns->len; i++) {
    if (!g_hash_table_contains (known, ((PlumbCardColumn *) g_ptr_array_index (card->columns, i))->name))
      g_array_append_val (own, i);
  }
  return own;
}

static void
split_copy (Builder *self, PlumbCard *card, PlumbCard *live)
{
  g_autoptr (GArray) own = find_own_columns (card, live);

  for (guint i = 0; i < own->len; i++) {
    PlumbCardColumn *column = g_ptr_array_index (card->columns, g_array_index (own, guint, i));

    split_identifier (self, column->name, FALSE);
  }
}

/* The words of the next identifier of the first pass. */
static void
read_identifier (Builder *self)
{
  guint32 n = g_array_index (self->tokens, guint32, self->next++);

  g_array_set_size (self->identifier, 0);
  for (guint i = 0; i < n; i++)
    plumb_words_add_parts (self->words, g_array_index (self->tokens, guint32, self->next++), self->identifier);
}

static void
add_identifier (Builder *self, const char *identifier, PlumbField field, guint chunk)
{
  guint n;

  read_identifier (self);
  n = self->identifier->len;
  for (guint i = 0; i < n; i++) {
    guint word = g_array_index (self->identifier, guint32, i);

    note_term (self, plumb_words_get_term (self->words, word), field, chunk);
    self->n_words[field] += field != PLUMB_FIELD_NAME || n == 1 || !plumb_words_get (self->words, word)->hollow;
    if (i > 0)
      note_term (self, plumb_words_get_pair (self->words, g_array_index (self->identifier, guint32, i - 1), word),
                 field, chunk);
  }
  if (n > 1) {
    g_autofree char *whole = plumb_text_fold (identifier);

    note_term (self, plumb_dictionary_builder_add (self->terms, whole), field, chunk);
  }
}

static void
add_said (Builder *self, guint32 canonical)
{
  g_array_append_val (self->said, canonical);
}

/* Remembers the words of the identifier at hand and what they are short for. */
static void
collect_said (Builder *self)
{
  g_array_set_size (self->said, 0);
  for (guint i = 0; i < self->identifier->len; i++) {
    guint word = g_array_index (self->identifier, guint32, i);
    const char *const *expansions = plumb_abbreviation_expand (plumb_words_get_string (self->words, word));

    add_said (self, plumb_words_get (self->words, word)->canonical);
    for (guint j = 0; expansions != NULL && expansions[j] != NULL; j++) {
      g_autoptr (GPtrArray) parts = plumb_text_split_identifier (expansions[j]);

      for (guint k = 0; k < parts->len; k++)
        add_said (self, plumb_words_get_canonical (self->words, g_ptr_array_index (parts, k)));
    }
  }
}

static gboolean
is_said (const Builder *self, guint32 canonical)
{
  for (guint i = 0; i < self->said->len; i++) {
    if (g_array_index (self->said, guint32, i) == canonical)
      return TRUE;
  }
  return FALSE;
}

/* Text says something new where it has other words than what it describes. */
static void
add_prose (Builder *self, const char *text, PlumbField field, guint chunk)
{
  g_autoptr (GPtrArray) words = NULL;

  if (text == NULL || *text == '\0')
    return;
  words = plumb_text_tokenize (text);
  for (guint i = 0; i < words->len && i < MAX_PROSE_WORDS; i++) {
    guint number = plumb_words_add (self->words, g_ptr_array_index (words, i));
    const PlumbWord *word = plumb_words_get (self->words, number);

    if (word->everyday || (field != PLUMB_FIELD_VALUE && is_said (self, word->canonical)))
      continue;
    note_term (self, plumb_words_get_term (self->words, number), field, chunk);
    self->n_words[field]++;
  }
}

static void
add_column (Builder *self, PlumbCardColumn *column, guint chunk)
{
  add_identifier (self, column->name, PLUMB_FIELD_COLUMN, chunk);
  if (column->comment != NULL || column->meaning != NULL)
    collect_said (self);
  add_prose (self, column->comment, PLUMB_FIELD_COLUMN_TEXT, chunk);
  if (g_strcmp0 (column->meaning, column->comment) != 0)
    add_prose (self, column->meaning, PLUMB_FIELD_COLUMN_TEXT, chunk);
  for (guint i = 0; i < column->values->len && i < MAX_VALUES; i++) {
    PlumbCodeValue *value = g_ptr_array_index (column->values, i);

    if (strlen (value->value) <= MAX_VALUE_BYTES)
      add_prose (self, value->value, PLUMB_FIELD_VALUE, chunk);
    add_prose (self, value->meaning, PLUMB_FIELD_VALUE, chunk);
  }
}

/* What is said of the table whose name was the identifier at hand. */
static void
add_texts (Builder *self, PlumbCard *card)
{
  collect_said (self);
  add_prose (self, card->label, PLUMB_FIELD_TEXT, 0);
  add_prose (self, card->comment, PLUMB_FIELD_TEXT, 0);
  if (g_strcmp0 (card->purpose, card->comment) != 0)
    add_prose (self, card->purpose, PLUMB_FIELD_TEXT, 0);
  for (guint i = 0; card->synonyms != NULL && card->synonyms[i] != NULL; i++)
    add_prose (self, card->synonyms[i], PLUMB_FIELD_TEXT, 0);
}

/* Where the table is: the source, the schema, and what stands before the name in the name itself. */
static void
add_place (Builder *self, PlumbCard *card, const char *name)
{
  add_identifier (self, card->database, PLUMB_FIELD_PLACE, 0);
  add_identifier (self, card->schema, PLUMB_FIELD_PLACE, 0);
  if (name > card->name) {
    g_autofree char *before = g_strndup (card->name, name - 1 - card->name);

    add_identifier (self, before, PLUMB_FIELD_PLACE, 0);
  }
}

static guint64
pack_counts (const Tally *tally)
{
  guint64 packed = 0;

  for (guint field = 0; field < PLUMB_N_FIELDS; field++)
    packed = packed << COUNT_BITS | tally->most[field];
  return packed;
}

/* Keeps what was counted in the table, and its lengths. */
static void
end_table (Builder *self, gboolean is_copy)
{
  for (guint i = 0; i < self->tallies->len; i++) {
    const Tally *tally = &g_array_index (self->tallies, Tally, i);
    guint64 packed = pack_counts (tally);
    Entry entry = { tally->term, plumb_number_map_add (self->counts, packed) };

    if (entry.counts == self->count_numbers->len)
      g_array_append_val (self->count_numbers, packed);
    g_array_append_val (self->entries, entry);
  }
  g_array_append_val (self->ends, self->entries->len);
  self->n_live += !is_copy;
  for (guint field = 0; field < PLUMB_N_FIELDS; field++) {
    float length = self->n_words[field];

    /* Past the first chunk the length of a wide table grows more slowly than its columns. */
    if (length > PLUMB_CHUNK_WORDS)
      length = PLUMB_CHUNK_WORDS * powf (length / PLUMB_CHUNK_WORDS, self->weights->wide);
    g_array_append_val (self->lengths, length);
    self->totals[field] += is_copy ? 0 : length;
  }
}

static void
begin_table (Builder *self, guint table)
{
  self->table = table;
  g_array_set_size (self->tallies, 0);
  memset (self->n_words, 0, sizeof self->n_words);
}

static void
note_string (Builder *self, const char *string, PlumbField field)
{
  note_term (self, plumb_dictionary_builder_add (self->terms, string), field, 0);
}

/* What is said of a copy is said of its live table already, but for its whole name, a date in it, and
 * columns that only the copy has. */
static void
add_copy (Builder *self, PlumbCard *card, PlumbCard *live, guint table)
{
  g_autoptr (GArray) own = find_own_columns (card, live);
  g_autoptr (GPtrArray) words = plumb_text_split_identifier (card->name);
  g_autofree char *whole = plumb_text_fold (card->name);

  begin_table (self, table);
  note_string (self, whole, PLUMB_FIELD_NAME);
  for (guint i = 0; words->len > 1 && i < words->len; i++) {
    const char *word = g_ptr_array_index (words, i);

    if (strlen (word) >= PLUMB_MIN_DATE_DIGITS && word[strspn (word, "0123456789")] == '\0')
      note_string (self, word, PLUMB_FIELD_NAME);
  }
  for (guint i = 0; i < own->len; i++) {
    guint place = g_array_index (own, guint, i);

    add_column (self, g_ptr_array_index (card->columns, place), place / PLUMB_CHUNK_COLUMNS);
  }
  end_table (self, TRUE);
}

static void
add_card (Builder *self, PlumbCard *card, guint table)
{
  const char *name = plumb_card_get_own_name (card);

  begin_table (self, table);
  add_identifier (self, name, PLUMB_FIELD_NAME, 0);
  add_texts (self, card);
  add_place (self, card, name);
  for (guint i = 0; i < card->columns->len; i++)
    add_column (self, g_ptr_array_index (card->columns, i), i / PLUMB_CHUNK_COLUMNS);
  for (guint i = 0; i < card->foreign_keys->len; i++)
    add_identifier (self, ((PlumbForeignKey *) g_ptr_array_index (card->foreign_keys, i))->ref_table,
                    PLUMB_FIELD_NEIGHBOUR, 0);
  end_table (self, FALSE);
}

/* BM25F: counts are discounted field by field, weighed, added up and then saturated once. */
static float
weigh_counts (const Builder *self, guint64 packed, const float *discounts)
{
  float sum = 0;

  for (guint field = 0; field < PLUMB_N_FIELDS; field++) {
    float count = packed >> (COUNT_BITS * (PLUMB_N_FIELDS - 1 - field)) & MAX_COUNT;

    if (count > 0)
      sum += self->weights->field[field] * count / discounts[field];
  }
  return sum / (self->weights->saturation + sum);
}

static void
get_discounts (const Builder *self, guint table, float *discounts)
{
  const float *lengths = &g_array_index (self->lengths, float, (gsize) table * PLUMB_N_FIELDS);

  for (guint field = 0; field < PLUMB_N_FIELDS; field++) {
    float average = MAX (self->totals[field] / MAX (self->n_live, 1), 1);

    discounts[field] = 1 + self->weights->length[field] * (lengths[field] / average - 1);
  }
}

/* Sorts the entries by term (counting sort: within a term the tables stay in order). */
static void
store_entries (Builder *self, PlumbImage *image)
{
  guint n_terms = plumb_dictionary_builder_get_size (self->terms);
  guint32 *starts = g_new0 (guint32, (gsize) n_terms + 1);
  g_autofree guint32 *next = NULL;
  PlumbPosting *postings = g_new (PlumbPosting, MAX (self->entries->len, 1));
  guint entry = 0;

  for (guint i = 0; i < self->entries->len; i++)
    starts[g_array_index (self->entries, Entry, i).term + 1]++;
  for (guint i = 0; i < n_terms; i++)
    starts[i + 1] += starts[i];
  next = g_memdup2 (starts, ((gsize) n_terms + 1) * sizeof *next);
  for (guint table = 0; table < self->ends->len; table++) {
    float discounts[PLUMB_N_FIELDS];

    get_discounts (self, table, discounts);
    for (; entry < g_array_index (self->ends, guint, table); entry++) {
      const Entry *one = &g_array_index (self->entries, Entry, entry);

      postings[next[one->term]++] = (PlumbPosting) {
        table, weigh_counts (self, g_array_index (self->count_numbers, guint64, one->counts), discounts)
      };
    }
  }
  plumb_image_take (image, PLUMB_SECTION_POSTING_STARTS, starts, ((gsize) n_terms + 1) * sizeof *starts);
  plumb_image_take (image, PLUMB_SECTION_POSTINGS, postings, (gsize) self->entries->len * sizeof *postings);
}

static void
builder_init (Builder *self)
{
  self->terms = plumb_dictionary_builder_new ();
  self->words = plumb_words_new (self->terms);
  self->counts = plumb_number_map_new ();
  self->tokens = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->identifier = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->said = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->seen = g_array_new (FALSE, TRUE, sizeof (Seen));
  self->tallies = g_array_new (FALSE, FALSE, sizeof (Tally));
  self->count_numbers = g_array_new (FALSE, FALSE, sizeof (guint64));
  self->entries = g_array_new (FALSE, FALSE, sizeof (Entry));
  self->ends = g_array_new (FALSE, FALSE, sizeof (guint));
  self->lengths = g_array_new (FALSE, FALSE, sizeof (float));
}

static void
builder_clear (Builder *self)
{
  GArray *arrays[] = { self->tokens, self->identifier, self->said, self->seen, self->tallies,
                       self->count_numbers, self->entries, self->ends, self->lengths };

  for (guint i = 0; i < G_N_ELEMENTS (arrays); i++)
    g_array_unref (arrays[i]);
  plumb_number_map_free (self->counts);
  plumb_words_free (self->words);
  plumb_dictionary_builder_free (self->terms);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Builder, builder_clear)

/**
 * plumb_postings_build:
 * @image: where the index goes
 * @cards: (element-type PlumbCard): the tables; a table's number is its place here
 * @live_of: (array): for each of them the live table that it is a copy of, -1 for none
 * @weights: the weights of fields
 *
 * Makes the inverted index of @cards.
 */
void
plumb_postings_build (PlumbImage *image, GPtrArray *cards, const gint32 *live_of,
                      const PlumbSearchWeights *weights)
{
  g_auto (Builder) builder = { .weights = weights };

  builder_init (&builder);
  for (guint i = 0; i < cards->len; i++) {
    if (live_of[i] < 0)
      split_card (&builder, g_ptr_array_index (cards, i));
    else
      split_copy (&builder, g_ptr_array_index (cards, i), g_ptr_array_index (cards, live_of[i]));
  }
  for (guint i = 0; i < cards->len; i++) {
    if (live_of[i] < 0)
      add_card (&builder, g_ptr_array_index (cards, i), i);
    else
      add_copy (&builder, g_ptr_array_index (cards, i), g_ptr_array_index (cards, live_of[i]), i);
  }
  store_entries (&builder, image);
  plumb_dictionary_builder_end (builder.terms, image, PLUMB_SECTION_WORDS);
}
