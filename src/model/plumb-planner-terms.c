/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-planner-private.h"

#include "plumb-table-name.h"
#include "plumb-text.h"

#include <string.h>

/* A text column wider than this holds sentences. */
#define MAX_VALUE_WIDTH 160

static const char *const generic_words[] = { "code",     "number",     "id",   "name",
                                             "date",     "day",        "time", "no",
                                             "datetime", "timestamp",  "flag", "key",
                                             "text",     "identifier", "at",   NULL };

static const char *const free_words[] = { "remark",   "memo",        "note",    "text",
                                          "comment",  "description", "email",   "address",
                                          "phone",    "telephone",   "url",     "street",
                                          "tracking", "password",    "message", "subject",
                                          "summary",  "mail",        "e-mail",  NULL };

/* Words of a table's name that only say what kind of table it is. */
static const char *const kind_words[] = { "master", "table", "list", "data", "information",
                                          "header", "main",  "base", NULL };
static const char *const loose_words[] = { "history", "log", "transaction", NULL };

/** planner_is_generic: Returns: whether @word says what form a column has and not what it holds */
gboolean
planner_is_generic (const char *word)
{
  return planner_in_list (word, generic_words);
}

static gboolean
type_has (const PlumbCardColumn *column, const char *const *parts)
{
  g_autofree char *type = g_ascii_strdown (column->type, -1);

  for (guint i = 0; parts[i] != NULL; i++) {
    if (strstr (type, parts[i]) != NULL)
      return TRUE;
  }
  return FALSE;
}

/** planner_is_number: Returns: whether the column's type is one to calculate with */
gboolean
planner_is_number (const PlumbCardColumn *column)
{
  static const char *const parts[] = { "int",    "dec",   "num",    "real", "float",
                                       "double", "money", "serial", NULL };
  static const char *const others[] = { "interval", "point", "date", "time", NULL };

  return type_has (column, parts) && !type_has (column, others);
}

/** planner_is_text: Returns: whether the column's type is text */
gboolean
planner_is_text (const PlumbCardColumn *column)
{
  static const char *const parts[] = { "char", "text", "string", "clob", "enum", NULL };

  return type_has (column, parts);
}

/** planner_is_free_text: Returns: whether the column holds sentences, addresses and the like */
gboolean
planner_is_free_text (const PlumbCardColumn *column)
{
  g_auto (GStrv) words = planner_name_words (column->name);
  const char *width = strchr (column->type, '(');

  for (guint i = 0; words[i] != NULL; i++) {
    if (planner_in_list (words[i], free_words))
      return TRUE;
  }
  return width != NULL && g_ascii_strtoll (width + 1, NULL, 10) > MAX_VALUE_WIDTH;
}

static gboolean
matches_pattern (const char *text, const char *pattern)
{
  return text != NULL && g_regex_match_simple (pattern, text, 0, 0);
}

static gboolean
names_date (const PlumbCardColumn *column)
{
  static const char *const words[] = { "date", "day",       "month", "time", "datetime",
                                       "ym",   "timestamp", "year",  NULL };
  g_auto (GStrv) name = planner_name_words (column->name);

  for (guint i = 0; name[i] != NULL; i++) {
    if (planner_in_list (name[i], words))
      return TRUE;
  }
  return column->comment != NULL && strstr (column->comment, "YYYYMM") != NULL;
}

/* The form of dates by the smallest and the greatest value. */
static PlannerDateForm
get_form_of_values (const PlumbCardColumn *column, gboolean is_number)
{
  static const char iso[] = "^(19|20|21)[0-9]{2}-[01][0-9]-[0-3][0-9]";
  static const char compact[] = "^(19|20|21)[0-9]{2}[01][0-9][0-3][0-9]$";
  static const char month[] = "^(19|20|21)[0-9]{2}[01][0-9]$";

  if (matches_pattern (column->minimum, iso) && matches_pattern (column->maximum, iso))
    return PLANNER_DATE_ISO_TEXT;
  if (!names_date (column))
    return PLANNER_DATE_NONE;
  if (matches_pattern (column->minimum, compact) && matches_pattern (column->maximum, compact))
    return is_number ? PLANNER_DATE_COMPACT_NUMBER : PLANNER_DATE_COMPACT_TEXT;
  if (matches_pattern (column->minimum, month) && matches_pattern (column->maximum, month))
    return is_number ? PLANNER_DATE_MONTH_NUMBER : PLANNER_DATE_MONTH_TEXT;
  return PLANNER_DATE_NONE;
}

/** planner_date_form: Returns: how dates stand in the column: of SQLite, which has no type for
 * them, by what its values look like */
PlannerDateForm
planner_date_form (const PlannerTable *table, const PlumbCardColumn *column)
{
  static const char *const dates[] = { "date", "timestamp", NULL };
  gboolean is_date = type_has (column, dates);
  gboolean is_number = !planner_is_text (column);
  PlannerDateForm form;

  if (is_date && !g_str_equal (table->engine, "sqlite"))
    return PLANNER_DATE_TYPED;
  form = get_form_of_values (column, is_number);
  /* Without statistics a declared date is taken for what SQLite's own functions write. */
  if (form == PLANNER_DATE_NONE && is_date && column->minimum == NULL && column->maximum == NULL)
    return PLANNER_DATE_ISO_TEXT;
  return form;
}

static GStrv
drop_words (const char *const *words, const char *const *unwanted, const char *const *also)
{
  g_autoptr (GStrvBuilder) kept = g_strv_builder_new ();

  for (guint i = 0; words[i] != NULL; i++) {
    if (!planner_in_list (words[i], unwanted) &&
        (also == NULL || !planner_in_list (words[i], also)) && !g_ascii_isdigit (words[i][0]))
      g_strv_builder_add (kept, words[i]);
  }
  return g_strv_builder_end (kept);
}

typedef struct {
  GStrv words;
  int level;
} Phrase;

static void
phrase_free (gpointer data)
{
  Phrase *phrase = data;

  g_strfreev (phrase->words);
  g_free (phrase);
}

static void
add_phrase (GPtrArray *phrases, GStrv words, int level)
{
  Phrase *phrase;

  if (words == NULL || words[0] == NULL) {
    g_strfreev (words);
    return;
  }
  phrase = g_new0 (Phrase, 1);
  phrase->words = words;
  phrase->level = level;
  g_ptr_array_add (phrases, phrase);
}

/* Phrases that name a table: its name, without words that say what kind it is, the noun phrase of
 * its comment, and its label. A card's synonyms are words to search by: "backlog" finds the orders,
 * but means only some of them, so they don't count here. */
static GPtrArray *
get_table_phrases (const char *name, const char *comment, const char *label)
{
  GPtrArray *phrases = g_ptr_array_new_with_free_func (phrase_free);
  g_auto (GStrv) words = planner_name_words (name);

  add_phrase (phrases, g_strdupv (words), 0);
  add_phrase (phrases, drop_words ((const char *const *) words, kind_words, NULL), 0);
  add_phrase (phrases, drop_words ((const char *const *) words, kind_words, loose_words), 1);
  if (comment != NULL)
    add_phrase (phrases, planner_phrase_words (comment), 0);
  if (label != NULL)
    add_phrase (phrases, planner_phrase_words (label), 0);
  return phrases;
}

/** planner_names_table: Returns: whether the question's words @tokens name a table, whole phrases
 * of it one after the other */
gboolean
planner_names_table (const char *name, const char *about, GPtrArray *tokens)
{
  g_autoptr (GPtrArray) phrases = get_table_phrases (name, about, NULL);

  for (guint i = 0; i < phrases->len; i++) {
    Phrase *phrase = g_ptr_array_index (phrases, i);
    gboolean all = TRUE;

    for (guint j = 0; phrase->words[j] != NULL && all; j++) {
      all = FALSE;
      for (guint k = 0; k < tokens->len && !all; k++)
        all = planner_akin_word (((PlannerToken *) g_ptr_array_index (tokens, k))->word,
                                 phrase->words[j]);
    }
    if (all)
      return TRUE;
  }
  return FALSE;
}

/** planner_column_phrases: Returns: (transfer full) (element-type GStrv): phrases that name a
 * column */
GPtrArray *
planner_column_phrases (const PlumbCardColumn *column)
{
  GPtrArray *phrases = g_ptr_array_new_with_free_func ((GDestroyNotify) g_strfreev);

  g_ptr_array_add (phrases, planner_name_words (column->name));
  if (column->comment != NULL)
    g_ptr_array_add (phrases, planner_phrase_words (column->comment));
  if (column->meaning != NULL)
    g_ptr_array_add (phrases, planner_phrase_words (column->meaning));
  return phrases;
}

static char *
get_first_phrase (const char *text)
{
  gsize end = strcspn (text, ":;,(=.");

  /* "Y=checked" has no name in front. */
  return text[end] == '=' ? g_strdup ("") : g_strstrip (g_strndup (text, end));
}

/** planner_column_title: Returns: (transfer full): what people call the column */
char *
planner_column_title (const PlumbCardColumn *column)
{
  const char *text = column->comment != NULL ? column->comment : column->meaning;
  g_auto (GStrv) words = NULL;

  if (text != NULL && *text != '\0') {
    g_autofree char *title = get_first_phrase (text);

    if (*title != '\0' && strlen (title) < 60)
      return g_steal_pointer (&title);
  }
  words = planner_name_words (column->name);
  return words[0] != NULL ? g_strjoinv (" ", words) : g_strdup (column->name);
}

static char *
make_plural (const char *word)
{
  gsize length = strlen (word);

  if (g_str_has_suffix (word, "s"))
    return g_strdup (word);
  if (length > 2 && word[length - 1] == 'y' && strchr ("aeiou", word[length - 2]) == NULL)
    return g_strdup_printf ("%.*sies", (int) length - 1, word);
  return g_strconcat (word, "s", NULL);
}

/** planner_table_title: Returns: (transfer full): what people call the rows of the table */
char *
planner_table_title (const PlannerTable *table)
{
  g_autofree char *title = NULL;

  if (table->card->comment != NULL) {
    title = get_first_phrase (table->card->comment);
    if (*title != '\0' && strlen (title) < 60) {
      g_autofree char *first = g_utf8_strdown (title, g_utf8_next_char (title) - title);

      return g_strconcat (first, g_utf8_next_char (title), NULL);
    }
  }
  if (table->entity[0] != NULL) {
    g_autofree char *entity = g_strjoinv (" ", table->entity);

    return make_plural (entity);
  }
  return g_strdup (table->card->name);
}

/* @words without what is generic or names the table's own rows. */
static GStrv
get_core (const char *const *words, const char *const *entity)
{
  g_autoptr (GStrvBuilder) core = g_strv_builder_new ();

  for (guint i = 0; words[i] != NULL; i++) {
    g_autofree char *singular = planner_singular (words[i]);

    if (!planner_in_list (singular, generic_words) && !planner_has_word (entity, singular))
      g_strv_builder_add (core, words[i]);
  }
  return g_strv_builder_end (core);
}

static gboolean
is_subset (const char *const *words, const char *const *of)
{
  for (guint i = 0; words[i] != NULL; i++) {
    if (!planner_has_word (of, words[i]))
      return FALSE;
  }
  return TRUE;
}

/* "customer" for "customer number". */
static gboolean
is_same_core (const char *const *phrase, const char *const *words)
{
  g_auto (GStrv) one = get_core (phrase, NULL);
  g_auto (GStrv) other = get_core (words, NULL);

  return one[0] != NULL && is_subset ((const char *const *) one, (const char *const *) other) &&
         is_subset ((const char *const *) other, (const char *const *) one);
}

/**
 * planner_match_phrase:
 * @phrase: words that name something
 * @words: words of the question
 * @entity: words for the rows of the table that it belongs to
 *
 * Returns: 0 where they are the same, 1 where they differ in words that mean nothing here, 3 where
 *   @words are a part of @phrase, -1 where they don't fit
 */
int
planner_match_phrase (const char *const *phrase, const char *const *words,
                      const char *const *entity)
{
  g_auto (GStrv) core = NULL;
  g_auto (GStrv) wanted = NULL;

  if (g_strv_length ((GStrv) phrase) == g_strv_length ((GStrv) words) &&
      is_subset (words, phrase) && is_subset (phrase, words))
    return 0;
  if (is_same_core (phrase, words))
    return 1;
  core = get_core (phrase, entity);
  wanted = get_core (words, entity);
  if (wanted[0] == NULL || !is_subset ((const char *const *) wanted, (const char *const *) core))
    return -1;
  return is_subset ((const char *const *) core, (const char *const *) wanted) ? 1 : 3;
}

static PlannerTerm *
add_term (GPtrArray *terms, PlannerTermKind kind, GStrv words, int level)
{
  PlannerTerm *term = g_new0 (PlannerTerm, 1);

  term->kind = kind;
  term->words = words;
  term->level = level;
  g_ptr_array_add (terms, term);
  return term;
}

static void
term_free (gpointer data)
{
  PlannerTerm *term = data;

  g_strfreev (term->words);
  g_free (term->value);
  g_free (term->label);
  g_free (term);
}

/* A term that all words of @text in their order name. */
static PlannerTerm *
add_exact (GPtrArray *terms, PlannerTermKind kind, const char *text)
{
  g_autoptr (GPtrArray) tokens = planner_tokenize (text);
  g_autoptr (GStrvBuilder) words = g_strv_builder_new ();
  PlannerTerm *term;

  if (tokens->len == 0)
    return NULL;
  for (guint i = 0; i < tokens->len; i++)
    g_strv_builder_add (words, ((PlannerToken *) g_ptr_array_index (tokens, i))->word);
  term = add_term (terms, kind, g_strv_builder_end (words), 0);
  term->is_exact = TRUE;
  return term;
}

static void
add_value (GPtrArray *terms, const PlannerPlace *place, const char *value, const char *label)
{
  PlannerTerm *term = add_exact (terms, PLANNER_TERM_VALUE, label);

  if (term == NULL)
    return;
  term->place = *place;
  term->value = g_strdup (value);
  term->label = g_strdup (label);
}

/* "P=person, B=business" in a comment, for where the analysis didn't take it apart. */
static void
add_values_of_comment (GPtrArray *terms, const PlannerPlace *place, const char *comment)
{
  g_autoptr (GRegex) regex = g_regex_new ("([^\\s=:,;]+)\\s*=\\s*([^,;=]+)(?=[,;]|$)", 0, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;

  g_regex_match (regex, comment, 0, &match);
  while (g_match_info_matches (match)) {
    g_autofree char *value = g_match_info_fetch (match, 1);
    g_autofree char *label = g_strstrip (g_match_info_fetch (match, 2));

    add_value (terms, place, value, label);
    g_match_info_next (match, NULL);
  }
}

static void
add_values (GPtrArray *terms, const PlannerPlace *place)
{
  const PlumbCardColumn *column = place->column;
  gboolean has_meaning = FALSE;

  for (guint i = 0; i < column->values->len; i++) {
    PlumbCodeValue *value = g_ptr_array_index (column->values, i);

    if (value->meaning != NULL) {
      add_value (terms, place, value->value, value->meaning);
      has_meaning = TRUE;
    }
    /* A letter or a number says nothing by itself. */
    if (planner_is_text (column) && !planner_is_free_text (column) &&
        g_utf8_strlen (value->value, -1) > 1 &&
        (value->meaning == NULL || strlen (value->value) > 2) &&
        strpbrk (value->value, "0123456789") == NULL)
      add_value (terms, place, value->value, value->value);
  }
  if (!has_meaning && column->comment != NULL && strchr (column->comment, '=') != NULL)
    add_values_of_comment (terms, place, column->comment);
}

static void
add_column (GPtrArray *terms, const PlannerPlace *place, int level)
{
  g_autoptr (GPtrArray) phrases = planner_column_phrases (place->column);

  for (guint i = 0; i < phrases->len; i++) {
    GStrv words = g_ptr_array_index (phrases, i);
    PlannerTerm *term;

    if (words[0] == NULL)
      continue;
    term = add_term (terms, PLANNER_TERM_COLUMN, g_strdupv (words), level);
    term->place = *place;
  }
}

/* Whether the column's name is @word, with or without what the table's rows are; for %NULL, whether
 * it is just what they are, as "city" of the table "city". */
static gboolean
is_called (PlannerTable *table, const PlumbCardColumn *column, const char *word)
{
  g_auto (GStrv) words = planner_name_words (column->name);
  gboolean called = FALSE;

  for (guint i = 0; words[i] != NULL; i++) {
    if (word == NULL ? planner_has_word ((const char *const *) table->entity, words[i])
                     : g_str_equal (words[i], word))
      called = TRUE;
    else if (!planner_has_word ((const char *const *) table->entity, words[i]))
      return FALSE;
  }
  return called && planner_is_text (column);
}

static gboolean
has_name_word (const PlumbCardColumn *column)
{
  g_autofree char *name = g_ascii_strdown (column->name, -1);

  return strstr (name, "name") != NULL;
}

/** planner_name_column: Returns: (transfer none) (nullable): the column that holds the name of what
 *  a row of the table is; a title where nothing has a name */
PlumbCardColumn *
planner_name_column (PlannerTable *table)
{
  PlumbCardColumn *title = NULL;
  gboolean has_names = FALSE;

  for (guint i = 0; i < table->card->columns->len; i++) {
    PlumbCardColumn *column = g_ptr_array_index (table->card->columns, i);

    if (is_called (table, column, "name") || is_called (table, column, NULL))
      return column;
    if (title == NULL && is_called (table, column, "title"))
      title = column;
    has_names = has_names || has_name_word (column);
  }
  return has_names ? NULL : title;
}

/**
 * planner_linked_table:
 * @table: a table
 * @column: a column of it
 * @key: (out) (optional) (transfer none): the declared foreign key of that one column
 * @full_name: (out) (optional): the name of the table that it leads to
 *
 * Returns: (transfer none) (nullable): that table, if its card is open
 */
PlannerTable *
planner_linked_table (PlannerTrail *trail, PlannerTable *table, const PlumbCardColumn *column,
                      PlumbForeignKey **key, char **full_name)
{
  PlumbCard *card = table->card;

  for (guint i = 0; i < card->foreign_keys->len; i++) {
    PlumbForeignKey *foreign = g_ptr_array_index (card->foreign_keys, i);
    const char *schema = foreign->ref_schema != NULL ? foreign->ref_schema : card->schema;

    if (foreign->columns == NULL || g_strv_length (foreign->columns) != 1 ||
        foreign->ref_columns == NULL || g_strv_length (foreign->ref_columns) != 1 ||
        !g_str_equal (foreign->columns[0], column->name))
      continue;
    if (key != NULL)
      *key = foreign;
    if (full_name != NULL)
      *full_name = plumb_table_name_join (card->database, schema, foreign->ref_table);
    return planner_trail_find_table (trail, card->database, schema, foreign->ref_table);
  }
  return NULL;
}

/* The table that a foreign key leads to names the column too, and brings along its own columns. */
static void
add_linked (GPtrArray *terms, PlannerTable *table, PlannerTable *linked, PlumbCardColumn *link)
{
  g_autoptr (GPtrArray) phrases =
      get_table_phrases (linked->card->name, linked->card->comment, linked->card->label);
  PlumbCardColumn *name = planner_name_column (linked);

  for (guint i = 0; i < phrases->len; i++) {
    Phrase *phrase = g_ptr_array_index (phrases, i);
    PlannerTerm *term = add_term (terms, PLANNER_TERM_COLUMN, g_strdupv (phrase->words), 2);

    term->place = (PlannerPlace) { table, link, NULL };
  }
  for (guint i = 0; i < linked->card->columns->len; i++) {
    PlannerPlace place = { linked, g_ptr_array_index (linked->card->columns, i), link };

    if (place.column == name)
      add_values (terms, &place);
    add_column (terms, &place, 2);
  }
}

static void
add_probed (GPtrArray *terms, PlannerTable *table)
{
  for (guint i = 0; i < table->probed->len; i++) {
    PlannerProbedValue *probed = g_ptr_array_index (table->probed, i);
    PlannerTerm *term = add_term (terms, PLANNER_TERM_VALUE, g_strdupv (probed->words), 0);

    term->is_exact = TRUE;
    term->place = probed->place;
    term->value = g_strdup (probed->value);
    term->label = g_strdup (probed->value);
  }
}

/**
 * planner_terms_new:
 * @trail: the trail
 * @table: a table whose card is open
 *
 * Returns: (transfer full) (element-type PlannerTerm): what can be named in a question about
 * @table: itself, its columns and values, and those of tables that its foreign keys lead to
 */
GPtrArray *
planner_terms_new (PlannerTrail *trail, PlannerTable *table)
{
  GPtrArray *terms = g_ptr_array_new_with_free_func (term_free);
  PlumbCard *card = table->card;
  g_autoptr (GPtrArray) phrases = get_table_phrases (card->name, card->comment, card->label);
  g_autofree char *title = NULL;

  for (guint i = 0; i < phrases->len; i++) {
    Phrase *phrase = g_ptr_array_index (phrases, i);

    add_term (terms, PLANNER_TERM_TABLE, g_strdupv (phrase->words), phrase->level);
  }
  /* What the planner itself calls the table when it asks back. */
  title = planner_table_title (table);
  add_exact (terms, PLANNER_TERM_TABLE, title);
  for (guint i = 0; i < card->columns->len; i++) {
    PlannerPlace place = { table, g_ptr_array_index (card->columns, i), NULL };
    PlannerTable *linked = planner_linked_table (trail, table, place.column, NULL, NULL);

    add_column (terms, &place, 0);
    add_values (terms, &place);
    if (linked != NULL && linked != table)
      add_linked (terms, table, linked, place.column);
  }
  add_probed (terms, table);
  return terms;
}
