/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-search-private.h"

#include "plumb-abbreviation.h"
#include "plumb-text.h"

#include <math.h>
#include <string.h>

/* Words that a question may have before its relatives count less. */
#define SHORT_QUESTION 8

/* A question longer than this is read to here: what asks for tables stands at its beginning. */
#define MAX_QUESTION_BYTES 8192
/* Longest word of a script without spaces. */
#define MAX_CJK_WORD 8

typedef struct {
  const PlumbPostings *postings;
  const PlumbVocabulary *vocabulary;
  const PlumbSpelling *spelling;
  const PlumbSearchWeights *weights;
  PlumbLanguage language;
  GPtrArray *units;
  GHashTable *seen;
  gboolean plain;
  gboolean neighbour;
  gunichar quote;       /* the mark that closes what is being quoted, 0 outside of quotes */
  gboolean begins;      /* whether the run at hand begins a sentence or a part of one */
  gboolean proper;      /* whether the run at hand is written as a proper name */
} Reader;

/* What telling a word list's words adds to. */
typedef struct {
  Reader *reader;
  GArray *relatives;
  float strength;
  gboolean with_relatives;
} Listener;

static void
unit_free (PlumbUnit *unit)
{
  g_free (unit->word);
  g_free (unit->canonical);
  g_array_unref (unit->relatives);
  g_free (unit);
}

/** plumb_canonical_word: Returns: (transfer full): the stem of @word, spelled out where it is short */
char *
plumb_canonical_word (const char *word)
{
  const char *const *expansions = plumb_abbreviation_expand (word);
  gboolean single = expansions != NULL && strchr (expansions[0], ' ') == NULL;

  return plumb_stem_word (single ? expansions[0] : word, PLUMB_LANGUAGE_ENGLISH);
}

static void
hear_synonym (const char *word, float strength, gpointer user_data)
{
  Listener *listener = user_data;
  Reader *reader = listener->reader;

  plumb_vocabulary_add_forms (reader->vocabulary, word, PLUMB_LANGUAGE_ENGLISH,
                              listener->strength * strength, reader->weights, listener->relatives);
}

static void
add_english_relatives (Reader *reader, const char *word, float strength, GArray *relatives)
{
  Listener listener = { reader, relatives, strength * reader->weights->synonym };
  g_auto (GStrv) forms = plumb_base_forms (word);

  for (guint i = 0; forms[i] != NULL; i++) {
    plumb_lexicon_synonyms (forms[i], hear_synonym, &listener);
    plumb_vocabulary_add_similar (reader->vocabulary, forms[i], strength, reader->weights, relatives);
  }
}

static void
hear_translation (const char *word, float strength, gpointer user_data)
{
  Listener *listener = user_data;
  Reader *reader = listener->reader;
  float own = listener->strength * strength;

  if (plumb_is_everyday_word (word, PLUMB_LANGUAGE_ENGLISH))
    return;
  plumb_vocabulary_add_forms (reader->vocabulary, word, PLUMB_LANGUAGE_ENGLISH, own, reader->weights,
                              listener->relatives);
  if (strength > 0.7f && listener->with_relatives)
    add_english_relatives (reader, word, own, listener->relatives);
}

static gboolean
translate (Reader *reader, const char *word, PlumbLanguage language, GArray *relatives)
{
  /* A single character means too many things for relatives of each to help. */
  gboolean long_enough = g_utf8_strlen (word, -1) > 1;
  Listener listener = { reader, relatives, reader->weights->translation, long_enough };
  g_autofree char *stem = NULL;

  if (plumb_lexicon_has (word, language)) {
    plumb_lexicon_translate (word, language, hear_translation, &listener);
    return TRUE;
  }
  /* Lists of languages with endings hold the stems as well. */
  stem = plumb_stem_word (word, language);
  plumb_lexicon_translate (stem, language, hear_translation, &listener);
  return plumb_lexicon_has (stem, language);
}

static PlumbUnit *
add_unit (Reader *reader, const char *word, float importance)
{
  PlumbUnit *unit = g_hash_table_lookup (reader->seen, word);

  if (unit != NULL || reader->units->len >= PLUMB_MAX_UNITS)
    return NULL;
  if (reader->quote != 0)
    importance *= reader->weights->quoted;
  else if (reader->proper)
    importance *= reader->weights->proper;
  unit = g_new0 (PlumbUnit, 1);
  unit->word = g_strdup (word);
  unit->canonical = plumb_canonical_word (word);
  unit->relatives = g_array_new (FALSE, FALSE, sizeof (PlumbRelative));
  unit->importance = importance;
  unit->before = reader->neighbour;
  g_ptr_array_add (reader->units, unit);
  g_hash_table_insert (reader->seen, unit->word, unit);
  return unit;
}

static void
add_number (Reader *reader, const char *word)
{
  int term = plumb_postings_find (reader->postings, word);
  PlumbUnit *unit = term >= 0 && strlen (word) > 1 ? add_unit (reader, word, reader->weights->number) : NULL;

  if (unit != NULL)
    plumb_relatives_add (unit->relatives, term, 1);
}

static gboolean
knows_word (const char *word, gpointer data)
{
  return plumb_postings_find (data, word) >= 0;
}

/* A word that the index doesn't know, which may be two words that it does. */
static void
add_parts (Reader *reader, const char *word, gboolean german)
{
  g_autoptr (GPtrArray) parts = german ? plumb_split_compound (word)
                                       : plumb_split_run_together (word, knows_word, (gpointer) reader->postings);

  for (guint i = 0; parts != NULL && i < parts->len; i++) {
    const char *part = g_ptr_array_index (parts, i);
    PlumbUnit *unit;

    if (strlen (part) < 3)
      continue;
    unit = add_unit (reader, part, reader->weights->part);
    if (unit == NULL)
      continue;
    plumb_vocabulary_add_forms (reader->vocabulary, part, reader->language, 1, reader->weights, unit->relatives);
    if (german)
      translate (reader, part, PLUMB_LANGUAGE_GERMAN, unit->relatives);
  }
}

/* A word that neither the index nor English knows: German, put together, or spelled wrongly. */
static void
add_unknown_word (Reader *reader, const char *word, PlumbUnit *unit)
{
  gboolean english = reader->language == PLUMB_LANGUAGE_ENGLISH;

  if (english && plumb_lexicon_rank (word) < 0 && translate (reader, word, PLUMB_LANGUAGE_GERMAN, unit->relatives))
    return;
  unit->spelled = TRUE;
  plumb_spelling_find (reader->spelling, word, reader->weights->spelling, unit->relatives);
  if (english)
    add_parts (reader, word, FALSE);
  if (reader->language == PLUMB_LANGUAGE_GERMAN || (english && plumb_lexicon_rank (word) < 0))
    add_parts (reader, word, TRUE);
}

static void
add_word (Reader *reader, const char *word)
{
  PlumbUnit *unit;
  gboolean found;

  if (g_unichar_isdigit (g_utf8_get_char (word))) {
    add_number (reader, word);
    return;
  }
  if (plumb_is_everyday_word (word, reader->language) || g_utf8_strlen (word, -1) < 2 ||
      (reader->begins && plumb_is_asking_word (word)))
    return;
  unit = add_unit (reader, word, plumb_is_weak_word (word, reader->language) ? reader->weights->weak : 1);
  if (unit == NULL)
    return;
  if (reader->plain) {
    int term = plumb_postings_find (reader->postings, word);

    if (term >= 0)
      plumb_relatives_add (unit->relatives, term, 1);
    return;
  }
  plumb_vocabulary_add_forms (reader->vocabulary, word, reader->language, 1, reader->weights, unit->relatives);
  found = unit->relatives->len > 0;
  if (reader->language != PLUMB_LANGUAGE_ENGLISH)
    found = translate (reader, word, reader->language, unit->relatives) || found;
  else
    add_english_relatives (reader, word, 1, unit->relatives);
  if (!found)
    add_unknown_word (reader, word, unit);
}

/* A run of letters, digits and underscores: an identifier as it is, and its words. */
static void
add_run (Reader *reader, const char *start, const char *end)
{
  g_autofree char *run = g_strndup (start, end - start);
  g_autoptr (GPtrArray) words = plumb_text_split_identifier (run);
  gboolean has_digit = strpbrk (run, "0123456789") != NULL;

  if (words->len > 1) {
    g_autofree char *whole = plumb_text_fold (run);
    int term = plumb_postings_find (reader->postings, whole);
    PlumbUnit *unit = term >= 0 ? add_unit (reader, whole, 1) : NULL;

    if (unit != NULL)
      plumb_relatives_add (unit->relatives, term, 1);
  }
  for (guint i = 0; i < words->len; i++) {
    const char *word = g_ptr_array_index (words, i);

    /* Letters between the digits of a key or a serial number are no words. */
    if (words->len > 1 && has_digit && strlen (word) < 4 && g_ascii_isalpha (*word))
      continue;
    add_word (reader, word);
    reader->neighbour = TRUE;
  }
}

/* A word of Hangul, kana or Han: its bigrams, which is what the index holds, and what it means. */
static void
add_cjk_word (Reader *reader, const char *word)
{
  g_autoptr (GPtrArray) bigrams = NULL;
  PlumbUnit *unit;
  glong length = g_utf8_strlen (word, -1);
  float importance;

  if (plumb_is_everyday_word (word, reader->language))
    return;
  importance = length > 1 ? 1 : reader->weights->character;
  if (plumb_is_weak_word (word, reader->language))
    importance = MIN (importance, reader->weights->weak);
  unit = add_unit (reader, word, importance);
  if (unit == NULL)
    return;
  bigrams = plumb_text_split_identifier (word);
  for (guint i = 0; i < bigrams->len; i++) {
    int term = plumb_postings_find (reader->postings, g_ptr_array_index (bigrams, i));

    if (term >= 0)
      plumb_relatives_add (unit->relatives, term, bigrams->len == 1 ? 1 : 0.8f);
  }
  if (!reader->plain)
    translate (reader, word, reader->language, unit->relatives);
}

/* What it costs to take @n_characters at @start for one word: known words are cheap. */
static double
cjk_word_cost (Reader *reader, const char *start, const char *end, guint n_characters)
{
  g_autofree char *word = g_strndup (start, end - start);

  if (plumb_lexicon_has (word, reader->language))
    return 1 + (n_characters == 1 ? 0.3 : 0);
  if (plumb_is_everyday_word (word, reader->language))
    return 1;
  if (n_characters == 2 && plumb_postings_find (reader->postings, word) >= 0)
    return 1.2;
  return n_characters == 1 ? 1.6 : G_MAXDOUBLE;
}

/* Three or more characters in a row that make no words are a foreign name spelled by its sounds: one
 * word. A negative number in @ends marks the end of a word. */
static void
join_characters (double *ends, glong length)
{
  glong first = 0;

  for (glong i = 1; i <= length + 1; i++) {
    if (i <= length && ends[i] < 0 && (i == 1 || ends[i - 1] < 0 || i - 1 == first))
      continue;
    if (i - 1 - first >= 3) {
      for (glong j = first + 1; j < i - 1; j++)
        ends[j] = 0;
    }
    while (i <= length && ends[i] >= 0)
      i++;
    first = i;
  }
}

/* Splits a run of Hangul, kana or Han into the fewest words that are known. */
static void
add_cjk_run (Reader *reader, const char *start, const char *end)
{
  glong length = g_utf8_strlen (start, end - start);
  g_autofree double *best = g_new (double, length + 1);
  g_autofree guint8 *taken = g_new0 (guint8, length + 1);
  g_autofree const char **places = g_new (const char *, length + 1);

  places[0] = start;
  best[0] = 0;
  for (glong i = 1; i <= length; i++) {
    places[i] = g_utf8_next_char (places[i - 1]);
    best[i] = G_MAXDOUBLE;
    for (glong n = 1; n <= MIN (i, MAX_CJK_WORD); n++) {
      double cost = cjk_word_cost (reader, places[i - n], places[i], n);

      if (cost < G_MAXDOUBLE && best[i - n] + cost < best[i]) {
        best[i] = best[i - n] + cost;
        taken[i] = n;
      }
    }
  }
  /* The word ends are found from behind; the words are read in their order. */
  for (glong i = length; i > 0; i -= taken[i])
    best[i] = -1;
  join_characters (best, length);
  for (glong i = 1, from = 0; i <= length; i++) {
    g_autofree char *word = NULL;

    if (best[i] >= 0)
      continue;
    word = g_strndup (places[from], places[i] - places[from]);
    add_cjk_word (reader, word);
    reader->neighbour = TRUE;
    from = i;
  }
}

static gboolean
is_word_character (gunichar c)
{
  return g_unichar_isalnum (c) || g_unichar_ismark (c) || c == '_' || plumb_text_is_cjk (c);
}

/* "zip code" is written "zipcode" in some schemas. */
static void
add_joined_words (Reader *reader)
{
  for (guint i = 1; i < reader->units->len; i++) {
    PlumbUnit *first = g_ptr_array_index (reader->units, i - 1);
    PlumbUnit *second = g_ptr_array_index (reader->units, i);
    g_autofree char *joined = g_strconcat (first->word, second->word, NULL);
    g_autoptr (GArray) relatives = g_array_new (FALSE, FALSE, sizeof (PlumbRelative));

    if (!second->before || strlen (joined) > 40)
      continue;
    plumb_vocabulary_add_inflected (reader->vocabulary, joined, reader->language, 1, reader->weights, relatives);
    for (guint j = 0; j < relatives->len; j++) {
      const PlumbRelative *relative = &g_array_index (relatives, PlumbRelative, j);

      plumb_relatives_add (first->relatives, relative->term, relative->strength);
      plumb_relatives_add (second->relatives, relative->term, relative->strength);
    }
  }
}

/* Follows what is quoted. An apostrophe inside a word ends nothing and begins nothing. */
static void
see_mark (Reader *reader, const char *text, const char *p)
{
  static const gunichar marks[][2] = {
    { '"', '"' }, { '\'', '\'' }, { 0x201c, 0x201d }, { 0x2018, 0x2019 }, { 0xab, 0xbb }, { 0x300c, 0x300d },
  };
  gunichar c = g_utf8_get_char (p);

  if (reader->quote != 0) {
    if (c == reader->quote)
      reader->quote = 0;
    return;
  }
  for (guint i = 0; i < G_N_ELEMENTS (marks); i++) {
    gboolean inside = p > text && g_unichar_isalnum (g_utf8_get_char (g_utf8_prev_char (p)));

    if (c == marks[i][0] && !inside && g_utf8_strchr (g_utf8_next_char (p), 80, marks[i][1]) != NULL)
      reader->quote = marks[i][1];
  }
}

/* A capital in the middle of a sentence, where the language writes only names that way. */
static gboolean
is_proper_name (Reader *reader, const char *text, const char *p)
{
  const char *before = p;
  gunichar c;

  if (!g_unichar_isupper (g_utf8_get_char (p)) || g_unichar_isupper (g_utf8_get_char (g_utf8_next_char (p))) ||
      reader->language == PLUMB_LANGUAGE_GERMAN)
    return FALSE;
  do {
    if (before == text)
      return FALSE;
    before = g_utf8_prev_char (before);
    c = g_utf8_get_char (before);
  } while (g_unichar_isspace (c));
  return c != '.' && c != '?' && c != '!' && c != ':';
}

/* The more a question says itself, the less it needs what is only like its words: where there are
 * many, something always is. */
static void
discount_strangers (Reader *reader)
{
  guint n = 0;

  for (guint i = 0; i < reader->units->len; i++)
    n += ((PlumbUnit *) g_ptr_array_index (reader->units, i))->importance >= 0.5f;
  if (n <= SHORT_QUESTION)
    return;
  for (guint i = 0; i < reader->units->len; i++) {
    PlumbUnit *unit = g_ptr_array_index (reader->units, i);

    for (guint j = 0; j < unit->relatives->len; j++) {
      PlumbRelative *relative = &g_array_index (unit->relatives, PlumbRelative, j);

      if (relative->strength < PLUMB_SAME_WORD)
        relative->strength *= powf ((float) SHORT_QUESTION / n, reader->weights->wordy);
    }
  }
}

static gboolean
begins_part (const char *text, const char *p)
{
  const char *before = p;

  while (before > text && g_unichar_isspace (g_utf8_get_char (g_utf8_prev_char (before))))
    before = g_utf8_prev_char (before);
  if (before == text || g_unichar_ispunct (g_utf8_get_char (g_utf8_prev_char (before))))
    return TRUE;
  return before - text >= 4 && (g_ascii_strncasecmp (before - 4, " and", 4) == 0 ||
                                g_ascii_strncasecmp (before - 4, "also", 4) == 0 ||
                                g_ascii_strncasecmp (before - 4, "ease", 4) == 0);
}

static void
read_text (Reader *reader, const char *text)
{
  const char *p = text;

  while (*p != '\0' && reader->units->len < PLUMB_MAX_UNITS) {
    const char *start = p;
    gboolean cjk = plumb_text_is_cjk (g_utf8_get_char (p));

    while (*p != '\0' && is_word_character (g_utf8_get_char (p)) &&
           plumb_text_is_cjk (g_utf8_get_char (p)) == cjk)
      p = g_utf8_next_char (p);
    if (p == start) {
      gunichar c = g_utf8_get_char (p);

      see_mark (reader, text, p);
      reader->neighbour = reader->neighbour && (g_unichar_isspace (c) || c == '-' || c == '\'');
      p = g_utf8_next_char (p);
      continue;
    }
    reader->proper = is_proper_name (reader, text, start);
    reader->begins = begins_part (text, start);
    if (cjk)
      add_cjk_run (reader, start, p);
    else
      add_run (reader, start, p);
  }
}

/**
 * plumb_question_read:
 * @question: any text
 * @plain: look for the words themselves alone, without their relatives
 *
 * Returns: (transfer full) (element-type PlumbUnit): what of @question can be looked for, in order
 */
GPtrArray *
plumb_question_read (const char *question, const PlumbPostings *postings,
                     const PlumbVocabulary *vocabulary, const PlumbSpelling *spelling,
                     gboolean plain, const PlumbSearchWeights *weights)
{
  g_autofree char *beginning = plumb_text_cut (question, MAX_QUESTION_BYTES);
  g_autofree char *valid = g_utf8_make_valid (beginning, -1);
  g_autofree char *composed = g_utf8_normalize (valid, -1, G_NORMALIZE_ALL_COMPOSE);
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  Reader reader = { postings, vocabulary, spelling, weights };

  reader.language = plumb_detect_language (composed != NULL ? composed : valid);
  reader.plain = plain;
  reader.units = g_ptr_array_new_with_free_func ((GDestroyNotify) unit_free);
  reader.seen = seen;
  read_text (&reader, composed != NULL ? composed : valid);
  add_joined_words (&reader);
  discount_strangers (&reader);
  return reader.units;
}
