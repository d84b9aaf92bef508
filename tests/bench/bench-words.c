/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "bench-words.h"

#include <math.h>
#include <string.h>

#define N_WORDS 4000
#define CHUNK_COLUMNS 35

/* Words of two to four syllables, so that they have the length and the trigrams of words. */
static char *
make_word (guint number)
{
  static const char *const syllables[] = { "ta", "ro", "mi", "sel", "pon", "da", "ker", "lu",
                                           "vin", "ga", "tor", "es", "qua", "fi", "nu", "bal" };
  g_autoptr (GString) word = g_string_new (NULL);

  do {
    g_string_append (word, syllables[number % G_N_ELEMENTS (syllables)]);
    number /= G_N_ELEMENTS (syllables);
  } while (number > 0);
  if (word->len < 4)
    g_string_append (word, "na");
  return g_string_free (g_steal_pointer (&word), FALSE);
}

/* A word's number by Zipf's law: the inverse of the harmonic sum's integral. */
static guint
pick_word (GRand *rand)
{
  return (guint) (exp (g_rand_double (rand) * log (N_WORDS)) - 1);
}

static char *
make_identifier (GRand *rand, guint n_words)
{
  g_autoptr (GString) name = g_string_new (NULL);

  for (guint i = 0; i < n_words; i++) {
    g_autofree char *word = make_word (pick_word (rand));

    g_string_append_printf (name, "%s%s", i > 0 ? "_" : "", word);
  }
  return g_string_free (g_steal_pointer (&name), FALSE);
}

static int
compare_cards (gconstpointer a, gconstpointer b)
{
  const PlumbCard *one = *(PlumbCard *const *) a, *other = *(PlumbCard *const *) b;
  int order = strcmp (one->database, other->database);

  return order != 0 ? order : strcmp (one->name, other->name);
}

/** bench_make_cards: Returns: (transfer full) (element-type PlumbCard): @n_tables cards, in the order in which
 *  search has them, of 5 to @n_columns columns, a tenth of them of a quarter more: five chunks each on average
 *  with 240 */
GPtrArray *
bench_make_cards (guint n_tables, guint n_columns_most)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (20261130);
  GPtrArray *cards = g_ptr_array_new_with_free_func ((GDestroyNotify) plumb_card_unref);

  for (guint i = 0; i < n_tables; i++) {
    g_autofree char *base = make_identifier (rand, 2);
    g_autofree char *name = g_strdup_printf ("%s_%u", base, i);
    g_autofree char *database = g_strdup_printf ("db%u", i % BENCH_DATABASES);
    PlumbCard *card = plumb_card_new (database, "main", name);
    guint n_columns = g_rand_int_range (rand, 0, 10) == 0 ? n_columns_most * 5 / 4
                                                          : (guint) g_rand_int_range (rand, 5, n_columns_most);
    g_autoptr (GHashTable) taken = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

    card->analyzed_at = 1;
    for (guint j = 0; j < n_columns; j++) {
      g_autofree char *column = make_identifier (rand, g_rand_int_range (rand, 1, 4));

      if (g_hash_table_contains (taken, column)) {
        g_autofree char *first = g_steal_pointer (&column);

        column = g_strdup_printf ("%s_%u", first, j);
      }
      plumb_card_add_column (card, column, "TEXT");
      g_hash_table_add (taken, g_steal_pointer (&column));
    }
    g_ptr_array_add (cards, card);
  }
  g_ptr_array_sort (cards, compare_cards);
  return cards;
}

/** bench_make_questions: Returns: (transfer full): questions of 5 to 10 words of the schema, three
 *  everyday words among them if asked for */
GStrv
bench_make_questions (GPtrArray *cards, guint n_questions, gboolean everyday)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);
  g_autoptr (GStrvBuilder) questions = g_strv_builder_new ();

  for (guint i = 0; i < n_questions; i++) {
    g_autoptr (GString) question = g_string_new (everyday ? "how many in the" : NULL);
    guint n_words = g_rand_int_range (rand, 5, 11);

    for (guint j = 0; j < n_words; j++) {
      g_autofree char *word = make_word (pick_word (rand));

      g_string_append_printf (question, "%s%s", question->len > 0 ? " " : "", word);
    }
    g_strv_builder_add (questions, question->str);
  }
  return g_strv_builder_end (questions);
}

/** bench_make_chunks: Returns: (transfer full) (element-type utf8): the card as texts of one chunk
 *  each: the head with all names, then 35 columns a chunk */
GPtrArray *
bench_make_chunks (PlumbCard *card)
{
  GPtrArray *chunks = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GString) head = g_string_new (card->name);

  for (guint start = 0; start < card->columns->len; start += CHUNK_COLUMNS) {
    g_autoptr (GString) chunk = g_string_new (card->name);

    for (guint i = start; i < MIN (start + CHUNK_COLUMNS, card->columns->len); i++) {
      PlumbCardColumn *column = g_ptr_array_index (card->columns, i);

      g_string_append_printf (chunk, " %s", column->name);
      g_string_append_printf (head, " %s", column->name);
    }
    g_ptr_array_add (chunks, g_string_free (g_steal_pointer (&chunk), FALSE));
  }
  g_ptr_array_insert (chunks, 0, g_strdelimit (g_strdup (head->str), "_", ' '));
  for (guint i = 1; i < chunks->len; i++)
    g_strdelimit (g_ptr_array_index (chunks, i), "_", ' ');
  return chunks;
}

/** bench_make_identifiers: Returns: (transfer full) (element-type utf8): the names of the table and its columns,
 *  each once, in texts of a chunk each */
GPtrArray *
bench_make_identifiers (PlumbCard *card)
{
  GPtrArray *texts = g_ptr_array_new_with_free_func (g_free);

  for (guint start = 0; start == 0 || start < card->columns->len; start += CHUNK_COLUMNS) {
    g_autoptr (GString) text = g_string_new (start == 0 ? card->name : NULL);

    for (guint i = start; i < MIN (start + CHUNK_COLUMNS, card->columns->len); i++)
      g_string_append_printf (text, "%s%s", text->len > 0 ? " " : "",
                              ((PlumbCardColumn *) g_ptr_array_index (card->columns, i))->name);
    g_ptr_array_add (texts, g_string_free (g_steal_pointer (&text), FALSE));
  }
  return texts;
}

/** bench_make_misspelt: Returns: (transfer full): names of columns, each with one letter left out */
GStrv
bench_make_misspelt (GPtrArray *cards, guint n_words)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (11);
  g_autoptr (GStrvBuilder) words = g_strv_builder_new ();

  for (guint i = 0; i < n_words; i++) {
    PlumbCard *card = g_ptr_array_index (cards, g_rand_int_range (rand, 0, cards->len));
    PlumbCardColumn *column = g_ptr_array_index (card->columns, g_rand_int_range (rand, 0, card->columns->len));
    g_autofree char *word = g_strdup (column->name);
    guint place = g_rand_int_range (rand, 1, strlen (word) - 2);

    memmove (word + place, word + place + 1, strlen (word + place));
    g_strv_builder_add (words, word);
  }
  return g_strv_builder_end (words);
}
