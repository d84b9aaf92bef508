/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-planner-words.h"

#include "plumb-abbreviation.h"
#include "plumb-text.h"

#include <string.h>

/* Words that say nothing about which rows or which number is meant. Words that could change the
 * number (only, never, before, over, or …) must not stand here: they have to be read or refused. */
static const char *const fillers[] = {
  "a",       "all",   "am",     "an",      "and",     "are",     "as",        "at",
  "be",      "been",  "being",  "came",    "come",    "could",   "currently", "did",
  "do",      "does",  "exist",  "find",    "for",     "from",    "get",       "give",
  "had",     "has",   "have",   "having",  "i",       "in",      "is",        "it",
  "its",     "know",  "live",   "located", "made",    "me",      "my",        "need",
  "of",      "on",    "our",    "placed",  "please",  "show",    "so",        "far",
  "still",   "take",  "taken",  "tell",    "that",    "the",     "their",     "there",
  "these",   "they",  "this",   "those",   "through", "to",      "took",      "us",
  "via",     "want",  "was",    "we",      "were",    "what",    "where",     "which",
  "who",     "will",  "with",   "would",   "you",     "can",     "let",       "s",
  "into",    "each",  "by",     "per",     "every",   "value",   "now",       "whose",
  "compute", "work",  "works",  "working", "belong",  "belongs", "calculate", "display",
  "your",    "lives", "living", "based",   "exists",  "got",     "comes",
};

/* Words of everyday speech for words of schemas. */
static const char *const everyday[][2] = {
  { "canceled", "cancelled" }, { "client", "customer" }, { "clients", "customer" },
  { "staff", "employee" },     { "worker", "employee" }, { "workers", "employee" },
  { "people", "person" },      { "persons", "person" },  { "children", "child" },
  { "statuses", "status" },    { "states", "state" },    { "nations", "country" },
};

/* Past forms that share no beginning with their verb's noun. */
static const char *const past_forms[][2] = {
  { "paid", "pay" },     { "sent", "send" },     { "sold", "sell" },  { "bought", "buy" },
  { "shipped", "ship" }, { "written", "write" }, { "left", "leave" }, { "born", "birth" },
};

/* Endings by which two words of one family may differ. */
static const char *const endings[] = {
  "",       "s",    "es",   "ed",   "d",   "ing",   "ment", "ments", "ation", "ations",
  "ration", "ered", "y",    "e",    "ery", "eries", "ies",  "ped",   "ping",  "led",
  "ling",   "ion",  "ions", "ting", "ted", "al",    "t",    "ts",
};

static const char *const units[] = {
  "euro",    "euros",  "eur",     "€",        "dollar",    "dollars", "usd",    "$",
  "percent", "%",      "kg",      "kilogram", "kilograms", "gram",    "grams",  "hour",
  "hours",   "minute", "minutes", "second",   "seconds",   "day",     "days",   "month",
  "months",  "year",   "years",   "metre",    "metres",    "piece",   "pieces",
};

/** planner_in_list: Returns: whether @word is in the %NULL-terminated @list */
gboolean
planner_in_list (const char *word, const char *const *list)
{
  return g_strv_contains (list, word);
}

/** planner_is_filler: Returns: whether @word says nothing about which number is meant */
gboolean
planner_is_filler (const char *word)
{
  for (guint i = 0; i < G_N_ELEMENTS (fillers); i++) {
    if (g_str_equal (word, fillers[i]))
      return TRUE;
  }
  return FALSE;
}

static void
token_free (gpointer data)
{
  PlannerToken *token = data;

  g_free (token->text);
  g_free (token->word);
  g_free (token);
}

static void
add_token (GPtrArray *tokens, const char *start, const char *end, gboolean is_quoted)
{
  PlannerToken *token;
  g_autofree char *text = g_strndup (start, end - start);

  if (*g_strstrip (text) == '\0')
    return;
  token = g_new0 (PlannerToken, 1);
  token->text = g_steal_pointer (&text);
  token->word = plumb_text_fold (token->text);
  token->is_quoted = is_quoted;
  g_ptr_array_add (tokens, token);
}

/* The end of a number at @p: digits, thousands separated by commas, a decimal point. */
static const char *
skip_number (const char *p)
{
  while (g_ascii_isdigit (*p) || ((*p == '.' || *p == ',') && g_ascii_isdigit (p[1])))
    p++;
  return p;
}

/* A number as a token. "5,000" is five thousand; "5.000" could be five or five thousand, so it
 * stays a word that nothing reads. */
static void
add_number (GPtrArray *tokens, const char *start, const char *end)
{
  static GRegex *plain = NULL;
  static gsize once = 0;
  g_autofree char *text = g_strndup (start, end - start);
  PlannerToken *token;

  if (g_once_init_enter (&once)) {
    plain = g_regex_new ("^([0-9]+|[0-9]{1,3}(,[0-9]{3})+)(\\.([0-9]{1,2}|[0-9]{4,}))?$",
                         G_REGEX_DEFAULT, 0, NULL);
    g_once_init_leave (&once, 1);
  }
  add_token (tokens, start, end, FALSE);
  token = g_ptr_array_index (tokens, tokens->len - 1);
  if (g_regex_match (plain, text, 0, NULL)) {
    g_auto (GStrv) parts = g_strsplit (token->word, ",", -1);

    g_free (token->word);
    token->word = g_strjoinv ("", parts);
    token->is_number = TRUE;
  }
}

/* Digits that belong to a word or a date ("2026-10-31", "3rd", "S001") don't make a number. */
static gboolean
is_bare_number (const char *start, const char *end)
{
  return g_ascii_isdigit (*start) && !g_unichar_isalpha (g_utf8_get_char (end)) && *end != '_' &&
         !(*end == '-' && g_ascii_isdigit (end[1]));
}

static gboolean
is_word_character (const char *p)
{
  gunichar c = g_utf8_get_char (p);

  if (g_unichar_isalnum (c) || g_unichar_ismark (c) || c == '_')
    return TRUE;
  return (c == '-' || c == '&' || c == '.') &&
         g_unichar_isalnum (g_utf8_get_char (g_utf8_next_char (p)));
}

static const char *
find_closing_quote (const char *p)
{
  static const char *const pairs[][2] = {
    { "\"", "\"" }, { "“", "”" }, { "'", "'" }, { "‘", "’" }
  };

  for (guint i = 0; i < G_N_ELEMENTS (pairs); i++) {
    if (g_str_has_prefix (p, pairs[i][0])) {
      const char *end = strstr (p + strlen (pairs[i][0]), pairs[i][1]);

      if (end != NULL)
        return end;
    }
  }
  return NULL;
}

/* "isn't", "haven't": the word and "not"; "what's", "store's": the word alone. */
static const char *
add_word (GPtrArray *tokens, const char *p)
{
  const char *start = p;
  const char *end;

  while (*p != '\0' && is_word_character (p))
    p = g_utf8_next_char (p);
  end = p;
  if ((g_str_has_prefix (p, "'t") || g_str_has_prefix (p, "’t")) && p > start && p[-1] == 'n') {
    add_token (tokens, start, end - 1, FALSE);
    add_token (tokens, "not", &"not"[3], FALSE);
    return p + (*p == '\'' ? 2 : strlen ("’t"));
  }
  add_token (tokens, start, end, FALSE);
  if (g_str_has_prefix (p, "'s") || g_str_has_prefix (p, "’s"))
    p += *p == '\'' ? 2 : strlen ("’s");
  return p;
}

/* A hyphen, a dash or U+2212, each of which people write before a negative number. */
static gboolean
is_minus (gunichar c)
{
  return c == 0x2212 || g_unichar_type (c) == G_UNICODE_DASH_PUNCTUATION;
}

/* A sign that can change what is asked: one that compares or counts, a currency, a minus before a
 * number. It becomes a token of its own, so that what nothing reads is refused, never left out. */
static gboolean
is_meaningful_sign (const char *p)
{
  gunichar c = g_utf8_get_char (p);

  if (is_minus (c))
    return g_unichar_isdigit (g_utf8_get_char (g_utf8_next_char (p)));
  return (c < 0x80 && strchr ("<>=%$@#*/+^~|\\", (int) c) != NULL) ||
         g_unichar_type (c) == G_UNICODE_MATH_SYMBOL ||
         g_unichar_type (c) == G_UNICODE_CURRENCY_SYMBOL;
}

/**
 * planner_tokenize:
 * @question: a question
 *
 * Returns: (transfer full) (element-type PlannerToken): its words, numbers, quoted texts and the
 *   signs that compare
 */
GPtrArray *
planner_tokenize (const char *question)
{
  GPtrArray *tokens = g_ptr_array_new_with_free_func (token_free);
  g_autofree char *valid = g_utf8_make_valid (question, -1);
  const char *p = valid;

  while (*p != '\0') {
    const char *end = skip_number (p);
    const char *closing = p == valid || g_ascii_isspace (p[-1]) ? find_closing_quote (p) : NULL;

    if (closing != NULL) {
      add_token (tokens, g_utf8_next_char (p), closing, TRUE);
      p = g_utf8_next_char (closing);
    } else if (is_bare_number (p, end)) {
      add_number (tokens, p, end);
      p = end;
    } else if (is_word_character (p) && *p != '-' && *p != '&' && *p != '.') {
      p = add_word (tokens, p);
    } else {
      if (is_meaningful_sign (p) && is_minus (g_utf8_get_char (p)))
        add_token (tokens, "-", &"-"[1], FALSE);
      else if (is_meaningful_sign (p))
        add_token (tokens, p, g_utf8_next_char (p), FALSE);
      p = g_utf8_next_char (p);
    }
  }
  return tokens;
}

/** planner_singular: Returns: (transfer full): @word without its plural ending */
char *
planner_singular (const char *word)
{
  static const char *const whole[] = { "ches", "shes", "xes", "sses", "uses" };
  gsize length = strlen (word);

  for (guint i = 0; i < G_N_ELEMENTS (everyday); i++) {
    if (g_str_equal (word, everyday[i][0]))
      return g_strdup (everyday[i][1]);
  }
  if (length < 4 || word[length - 1] != 's' || g_str_has_suffix (word, "ss") ||
      g_str_has_suffix (word, "us") || g_str_has_suffix (word, "is"))
    return g_strdup (word);
  if (length > 4 && g_str_has_suffix (word, "ies"))
    return g_strdup_printf ("%.*sy", (int) length - 3, word);
  for (guint i = 0; i < G_N_ELEMENTS (whole); i++) {
    if (g_str_has_suffix (word, whole[i]))
      return g_strndup (word, length - 2);
  }
  return g_strndup (word, length - 1);
}

/** planner_same_word: Returns: whether @a and @b are one word, in singular or plural */
gboolean
planner_same_word (const char *a, const char *b)
{
  g_autofree char *one = NULL;
  g_autofree char *other = NULL;

  if (g_str_equal (a, b))
    return TRUE;
  one = planner_singular (a);
  other = planner_singular (b);
  return g_str_equal (one, other);
}

static const char *
get_verb (const char *word)
{
  for (guint i = 0; i < G_N_ELEMENTS (past_forms); i++) {
    if (g_str_equal (word, past_forms[i][0]))
      return past_forms[i][1];
  }
  return word;
}

static gboolean
is_ending (const char *text)
{
  for (guint i = 0; i < G_N_ELEMENTS (endings); i++) {
    if (g_str_equal (text, endings[i]))
      return TRUE;
  }
  return FALSE;
}

/** planner_akin_word: Returns: whether @a and @b are of one family, as "registered" and
 *  "registration" are, or "paid" and "payment" */
gboolean
planner_akin_word (const char *a, const char *b)
{
  gsize common = 0;

  if (planner_same_word (a, b))
    return TRUE;
  a = get_verb (a);
  b = get_verb (b);
  while (a[common] != '\0' && a[common] == b[common])
    common++;
  if (common < 4 && (common < 3 || (a[common] != '\0' && b[common] != '\0')))
    return FALSE;
  return is_ending (a + common) && is_ending (b + common);
}

/** planner_is_participle: Returns: whether @word says what was done, as "delivered" and "paid" do
 */
gboolean
planner_is_participle (const char *word)
{
  static const char *const irregular[] = { "paid",  "sent",   "sold", "bought", "written",
                                           "left",  "born",   "lost", "won",    "taken",
                                           "given", "broken", "held", NULL };

  return g_str_has_suffix (word, "ed") || planner_in_list (word, irregular);
}

/** planner_has_word: Returns: whether @word, in singular or plural, is among @words */
gboolean
planner_has_word (const char *const *words, const char *word)
{
  for (guint i = 0; words != NULL && words[i] != NULL; i++) {
    if (planner_same_word (words[i], word))
      return TRUE;
  }
  return FALSE;
}

static GStrv
split_words (const char *text, gboolean keep_fillers)
{
  g_autoptr (GStrvBuilder) words = g_strv_builder_new ();
  g_autoptr (GPtrArray) tokens = planner_tokenize (text);

  for (guint i = 0; i < tokens->len; i++) {
    PlannerToken *token = g_ptr_array_index (tokens, i);

    if (keep_fillers || !planner_is_filler (token->word))
      g_strv_builder_add (words, token->word);
  }
  return g_strv_builder_end (words);
}

/* In an identifier these are codes of a country or a document: ORD_HIST_US holds some orders only. */
static gboolean
is_code (const char *word)
{
  static const char *const codes[] = { "us", "it", "me", "am", "my", "so", "do", "we", "be",
                                       "i",  NULL };

  return planner_in_list (word, codes);
}

/** planner_name_words: Returns: (transfer full): the words that an identifier stands for */
GStrv
planner_name_words (const char *identifier)
{
  static const char flag[] = "yes or no";
  g_autofree char *spelled = plumb_abbreviation_spell_out (identifier);
  g_autoptr (GStrvBuilder) words = g_strv_builder_new ();
  g_auto (GStrv) all = NULL;
  char *found = strstr (spelled, flag);

  /* What a flag can say is no part of its name. */
  if (found != NULL)
    memset (found, ' ', strlen (flag));
  all = split_words (spelled, TRUE);
  for (guint i = 0; all[i] != NULL; i++) {
    if (is_code (all[i]) || !planner_is_filler (all[i]))
      g_strv_builder_add (words, all[i]);
  }
  return g_strv_builder_end (words);
}

/* Where the noun phrase that a comment begins with ends. */
static gsize
find_phrase_end (const char *comment)
{
  static const char *const stops[] = { " that ",  " who ",   " which ", " when ", " where ",
                                       " why ",   " in ",    " for ",   " - ",    " as ",
                                       " until ", " while ", " from " };
  gsize end = strcspn (comment, ":;,.(=\n");

  for (guint i = 0; i < G_N_ELEMENTS (stops); i++) {
    const char *found = strstr (comment, stops[i]);

    if (found != NULL && (gsize) (found - comment) < end)
      end = found - comment;
  }
  return end;
}

/* "Lines of invoices" is what "invoice lines" is: the words after "of" go first where the word
 * before it means nothing by itself. */
static GStrv
turn_around (const char *phrase)
{
  static const char *const hollow[] = { "line",   "lines", "history", "list",  "change", "changes",
                                        "sheet",  "kind",  "kinds",   "group", "groups", "states",
                                        "number", "name",  "amount",  "date",  "day",    "code",
                                        "price",  "text",  NULL };
  const char *of = strstr (phrase, " of ");
  g_autofree char *head = of != NULL ? g_strndup (phrase, of - phrase) : NULL;
  g_auto (GStrv) head_words = head != NULL ? split_words (head, FALSE) : NULL;
  guint n = head_words != NULL ? g_strv_length (head_words) : 0;
  g_autofree char *turned = NULL;

  if (n == 0)
    return split_words (phrase, FALSE);
  if (!planner_in_list (head_words[n - 1], hollow))
    return g_steal_pointer (&head_words);
  turned = g_strconcat (of + 4, " ", head, NULL);
  return split_words (turned, FALSE);
}

/** planner_phrase_words: Returns: (transfer full): the words of the noun phrase that a comment
 *  begins with */
GStrv
planner_phrase_words (const char *comment)
{
  g_autofree char *folded = plumb_text_fold (comment);
  g_autofree char *phrase = g_strndup (folded, find_phrase_end (folded));

  return turn_around (phrase);
}

/** planner_support_words: Returns: (transfer full): all words of a comment that say something */
GStrv
planner_support_words (const char *comment)
{
  g_autofree char *folded = plumb_text_fold (comment);

  return split_words (folded, FALSE);
}

/** planner_unit_words: Returns: (transfer full): units that a comment names, as "euros" in "amount
 *  in euros" */
GStrv
planner_unit_words (const char *comment)
{
  g_auto (GStrv) words = planner_support_words (comment);
  g_autoptr (GStrvBuilder) found = g_strv_builder_new ();

  for (guint i = 0; words[i] != NULL; i++) {
    for (guint j = 0; j < G_N_ELEMENTS (units); j++) {
      if (g_str_equal (words[i], units[j]))
        g_strv_builder_add (found, words[i]);
    }
  }
  return g_strv_builder_end (found);
}
