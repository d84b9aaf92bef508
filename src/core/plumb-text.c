/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-text.h"

#include <string.h>

/**
 * plumb_text_make_valid:
 * @bytes: any bytes
 * @length: how many
 * @valid_length: (out) (optional): length of the result in bytes
 *
 * Unlike g_utf8_make_valid() this keeps a NUL where one stands.
 *
 * Returns: (transfer full): @bytes with each byte that is not UTF-8 as U+FFFD
 */
char *
plumb_text_make_valid (const char *bytes, gsize length, gsize *valid_length)
{
  g_autoptr (GString) text = g_string_sized_new (length);
  const char *end = bytes + length;

  while (bytes < end) {
    const char *stop;

    if (g_utf8_validate_len (bytes, end - bytes, &stop)) {
      g_string_append_len (text, bytes, end - bytes);
      break;
    }
    g_string_append_len (text, bytes, stop - bytes);
    /* A NUL is valid in a cell, though GLib stops at it. */
    if (*stop == '\0')
      g_string_append_c (text, '\0');
    else
      g_string_append (text, "\357\277\275");
    bytes = stop + 1;
  }
  if (valid_length != NULL)
    *valid_length = text->len;
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* Names of tables and columns are ASCII but for a few, and there are millions of them. */
static gboolean
is_ascii (const char *text, const char *end)
{
  guchar all = 0;

  for (; text < end; text++)
    all |= (guchar) *text;
  return all < 0x80;
}

/**
 * plumb_text_fold:
 *
 * Compatibility forms (full-width letters, ligatures) become plain ones and case is folded, so that
 * equal words compare equal bytewise (Unicode NFKC and full case folding).
 *
 * Returns: (transfer full): @text folded; of invalid UTF-8 the valid part
 */
char *
plumb_text_fold (const char *text)
{
  g_autofree char *valid = NULL;
  g_autofree char *plain = NULL;
  g_autofree char *folded = NULL;

  if (is_ascii (text, text + strlen (text)))
    return g_ascii_strdown (text, -1);
  valid = g_utf8_make_valid (text, -1);
  plain = g_utf8_normalize (valid, -1, G_NORMALIZE_ALL_COMPOSE);
  folded = g_utf8_casefold (plain != NULL ? plain : valid, -1);
  return g_utf8_normalize (folded, -1, G_NORMALIZE_ALL_COMPOSE);
}

/**
 * plumb_text_cut:
 * @text: text
 * @max_bytes: the most bytes that the result may have
 *
 * Returns: (transfer full): @text, or its beginning and an ellipsis, cut between characters
 */
char *
plumb_text_cut (const char *text, gsize max_bytes)
{
  static const char ellipsis[] = "…";
  gsize length = strlen (text);
  const char *end;

  if (length <= max_bytes)
    return g_strdup (text);
  if (max_bytes < sizeof ellipsis)
    return g_strdup ("");
  end = g_utf8_find_prev_char (text, text + max_bytes - sizeof ellipsis + 2);
  return end == NULL ? g_strdup (ellipsis)
                     : g_strdup_printf ("%.*s%s", (int) (end - text), text, ellipsis);
}

/**
 * plumb_text_first_line:
 * @text: text
 * @max_characters: the most characters that the result may have
 *
 * Returns: (transfer full): the first line of @text with white space folded, cut with an ellipsis
 */
char *
plumb_text_first_line (const char *text, guint max_characters)
{
  g_autoptr (GString) line = g_string_new (NULL);
  gboolean space = FALSE;
  guint n = 0;

  for (const char *p = text; *p != '\0'; p = g_utf8_next_char (p)) {
    gunichar c = g_utf8_get_char (p);

    if ((c == '\n' || c == '\r') && n > 0)
      break;
    if (g_unichar_isspace (c)) {
      space = n > 0;
      continue;
    }
    if (n + 2 > max_characters) {
      g_string_append (line, "…");
      break;
    }
    if (space) {
      g_string_append_c (line, ' ');
      n++;
      space = FALSE;
    }
    g_string_append_unichar (line, c);
    n++;
  }
  return g_string_free (g_steal_pointer (&line), FALSE);
}

/** plumb_text_is_cjk: Returns: whether @c belongs to a script that is written without spaces
 *  between words or whose words carry particles, and is therefore cut into bigrams */
gboolean
plumb_text_is_cjk (gunichar c)
{
  if (c < 0x80)
    return FALSE;
  switch (g_unichar_get_script (c)) {
  case G_UNICODE_SCRIPT_HAN:
  case G_UNICODE_SCRIPT_HANGUL:
  case G_UNICODE_SCRIPT_HIRAGANA:
  case G_UNICODE_SCRIPT_KATAKANA:
    return TRUE;
  default:
    return c == 0x30fc;
  }
}

static void
add_token (GPtrArray *tokens, const char *start, const char *end)
{
  g_autofree char *piece = NULL;

  if (start == end)
    return;
  if (is_ascii (start, end)) {
    g_ptr_array_add (tokens, g_ascii_strdown (start, end - start));
    return;
  }
  piece = g_strndup (start, end - start);
  g_ptr_array_add (tokens, plumb_text_fold (piece));
}

/* Bigrams of a run of Hangul, kana or Han, and the single character of a run of one. */
static void
add_bigrams (GPtrArray *tokens, const char *start, const char *end)
{
  const char *second = g_utf8_next_char (start);

  if (second >= end) {
    add_token (tokens, start, end);
    return;
  }
  for (const char *p = start; second < end; p = g_utf8_next_char (p)) {
    second = g_utf8_next_char (second);
    add_token (tokens, p, second);
  }
}

typedef enum { CLASS_NONE, CLASS_LOWER, CLASS_UPPER, CLASS_DIGIT, CLASS_CJK } CharacterClass;

static CharacterClass
classify (gunichar c)
{
  if (c < 0x80)
    return g_ascii_isdigit (c) ? CLASS_DIGIT
           : g_ascii_isupper (c) ? CLASS_UPPER : g_ascii_islower (c) ? CLASS_LOWER : CLASS_NONE;
  if (plumb_text_is_cjk (c))
    return CLASS_CJK;
  if (g_unichar_isdigit (c))
    return CLASS_DIGIT;
  if (g_unichar_isupper (c) || g_unichar_istitle (c))
    return CLASS_UPPER;
  if (g_unichar_isalpha (c) || g_unichar_ismark (c))
    return CLASS_LOWER;
  return CLASS_NONE;
}

/* Splits a run without spaces or punctuation at underscores, changes of case and of kind. */
static void
split_run (GPtrArray *tokens, const char *start, const char *end)
{
  const char *word = start;
  CharacterClass before = CLASS_NONE;

  for (const char *p = start; p < end; p = g_utf8_next_char (p)) {
    CharacterClass class = classify (g_utf8_get_char (p));
    const char *next = g_utf8_next_char (p);
    CharacterClass after = next < end ? classify (g_utf8_get_char (next)) : CLASS_NONE;
    gboolean boundary = before != CLASS_NONE && class != before &&
                        !(before == CLASS_UPPER && class == CLASS_LOWER);

    /* "HTTPServer": the last capital of a run of them begins the next word. */
    if (before == CLASS_UPPER && class == CLASS_UPPER && after == CLASS_LOWER)
      boundary = TRUE;
    if (boundary || class == CLASS_NONE) {
      if (before == CLASS_CJK)
        add_bigrams (tokens, word, p);
      else
        add_token (tokens, word, p);
      word = class == CLASS_NONE ? next : p;
    }
    before = class;
  }
  if (word < end) {
    if (before == CLASS_CJK)
      add_bigrams (tokens, word, end);
    else
      add_token (tokens, word, end);
  }
}

/**
 * plumb_text_split_identifier:
 * @identifier: a name such as "ORD_DTL_H", "customerId" or "고객_번호"
 *
 * Returns: (transfer full) (element-type utf8): the folded words of @identifier: split at
 *   underscores, changes of case and digits; Hangul, kana and Han cut into bigrams
 */
GPtrArray *
plumb_text_split_identifier (const char *identifier)
{
  GPtrArray *tokens = g_ptr_array_new_with_free_func (g_free);
  const char *end = identifier + strlen (identifier);

  if (is_ascii (identifier, end)) {
    split_run (tokens, identifier, end);
  } else {
    g_autofree char *valid = g_utf8_make_valid (identifier, -1);

    split_run (tokens, valid, valid + strlen (valid));
  }
  return tokens;
}

/**
 * plumb_text_tokenize:
 * @text: text in any language
 *
 * The tokenizer that is bound to no language: words are split as identifiers are, and a word that
 * was split is kept whole besides, so that "ORD_MST" finds "ord", "mst" and "ord_mst".
 *
 * Returns: (transfer full) (element-type utf8): folded tokens in their order
 */
GPtrArray *
plumb_text_tokenize (const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  g_autofree char *plain = g_utf8_normalize (valid, -1, G_NORMALIZE_ALL_COMPOSE);
  GPtrArray *tokens = g_ptr_array_new_with_free_func (g_free);
  const char *p = plain != NULL ? plain : valid;

  while (*p != '\0') {
    const char *start = p;
    guint before = tokens->len;
    gboolean cjk = FALSE;

    while (*p != '\0') {
      gunichar c = g_utf8_get_char (p);

      if (classify (c) == CLASS_NONE && c != '_')
        break;
      cjk = cjk || plumb_text_is_cjk (c);
      p = g_utf8_next_char (p);
    }
    if (p == start) {
      p = g_utf8_next_char (p);
      continue;
    }
    split_run (tokens, start, p);
    if (tokens->len > before + 1 && !cjk)
      add_token (tokens, start, p);
  }
  return tokens;
}
