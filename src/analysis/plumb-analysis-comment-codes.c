/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-analysis-private.h"

#include "plumb-text.h"

#include <string.h>

/* Longest code and meaning that are taken for such. */
#define MAX_CODE 12
#define MAX_MEANING 60
/* A longer comment is a text, and codes are looked for in its beginning alone. */
#define MAX_COMMENT 600
#define MAX_STARTS 32

typedef struct {
  char *value;
  char *meaning;
} CommentCode;

static void
comment_code_free (CommentCode *self)
{
  g_free (self->value);
  g_free (self->meaning);
  g_free (self);
}

static gboolean
is_code_character (gunichar c)
{
  return c < 128 && (g_ascii_isalnum (c) || c == '_');
}

/* Full-width punctuation as people write it in Chinese, Japanese and Korean becomes plain. */
static char *
flatten_punctuation (const char *text)
{
  static const struct {
    gunichar from;
    char to;
  } signs[] = {
    { 0xff1a, ':' }, { 0xff0c, ',' }, { 0x3001, ',' }, { 0xff1b, ';' }, { 0xff08, '(' },
    { 0xff09, ')' }, { 0xff1d, '=' }, { 0x2192, '=' }, { 0x2013, '-' }, { 0x2014, '-' },
    { '\n', ';' },   { '\r', ' ' },
  };
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  g_autoptr (GString) flat = g_string_new (NULL);

  for (const char *p = valid; *p != '\0'; p = g_utf8_next_char (p)) {
    gunichar c = g_utf8_get_char (p);
    gboolean found = FALSE;

    for (guint i = 0; i < G_N_ELEMENTS (signs) && !found; i++) {
      if (signs[i].from == c) {
        g_string_append_c (flat, signs[i].to);
        found = TRUE;
      }
    }
    if (!found)
      g_string_append_unichar (flat, c);
  }
  return g_string_free (g_steal_pointer (&flat), FALSE);
}

static const char *
skip_spaces (const char *p)
{
  while (*p == ' ' || *p == '\t')
    p++;
  return p;
}

/* "date: the day of the order" explains a word; "A: active" and "1 - open" explain codes. */
static gboolean
looks_like_code (const char *start, const char *end)
{
  gboolean digit = FALSE;
  gboolean lower = FALSE;

  for (const char *p = start; p < end; p++) {
    digit = digit || g_ascii_isdigit (*p);
    lower = lower || g_ascii_islower (*p);
  }
  return digit || !lower || end - start <= 2;
}

/* One of "1=open", "1: open", "1 - open", "1 open", "1正常" at the beginning of @piece. */
static CommentCode *
read_pair (const char *piece)
{
  const char *start = skip_spaces (piece);
  const char *end = start;
  const char *p;
  gboolean digits;
  CommentCode *code;

  start += *start == '(' || *start == '\'' || *start == '"';
  end = start;
  while (is_code_character (*end))
    end++;
  if (end == start || end - start > MAX_CODE)
    return NULL;
  p = end + (*end == '\'' || *end == '"');
  digits = strspn (start, "0123456789") >= (gsize) (end - start);
  p = skip_spaces (p);
  if (*p == '=' || ((*p == ':' || (*p == '-' && p > end)) && looks_like_code (start, end)))
    p++;
  else if (!digits || (p == end && !plumb_text_is_cjk (g_utf8_get_char (p))))
    return NULL;
  p = skip_spaces (p);
  if (*p == '\0' || g_ascii_isdigit (*p))
    return NULL;
  code = g_new0 (CommentCode, 1);
  code->value = g_strndup (start, end - start);
  code->meaning = g_strdup (p);
  g_strdelimit (code->meaning, "()", ' ');
  g_strstrip (code->meaning);
  if (*code->meaning == '\0' || g_utf8_strlen (code->meaning, -1) > MAX_MEANING) {
    comment_code_free (code);
    return NULL;
  }
  return code;
}

/* The part of a comment where codes begin: behind "status: ", "state (" or at its start. */
static GPtrArray *
read_list (const char *text, const char *separators)
{
  g_auto (GStrv) pieces = g_strsplit_set (text, separators, -1);
  g_autoptr (GPtrArray) codes = g_ptr_array_new_with_free_func ((GDestroyNotify) comment_code_free);

  for (guint i = 0; pieces[i] != NULL; i++) {
    CommentCode *code;

    if (*skip_spaces (pieces[i]) == '\0')
      continue;
    code = read_pair (pieces[i]);
    if (code != NULL)
      g_ptr_array_add (codes, code);
    else if (codes->len > 0)
      break;
  }
  return codes->len >= 1 ? g_steal_pointer (&codes) : NULL;
}

static GPtrArray *
find_codes (const char *text)
{
  static const char *const separators[] = { ",;/|", ",;/| ", NULL };
  g_autoptr (GPtrArray) best = NULL;
  guint n_starts = 0;

  /* Try the whole, and what follows each place where a list can begin. */
  for (const char *p = text, *next; p != NULL && n_starts++ < MAX_STARTS;
       p = next != NULL ? next + 1 : NULL) {
    next = strpbrk (p, ":(;, ");
    for (guint i = 0; separators[i] != NULL; i++) {
      GPtrArray *codes = read_list (p, separators[i]);

      if (codes != NULL && (best == NULL || codes->len > best->len)) {
        g_clear_pointer (&best, g_ptr_array_unref);
        best = codes;
      } else {
        g_clear_pointer (&codes, g_ptr_array_unref);
      }
    }
  }
  return g_steal_pointer (&best);
}

/**
 * plumb_analysis_set_code:
 * @column: a card's column
 * @value: a code
 * @meaning: what it means
 *
 * Adds the code, or gives it its meaning where it has none yet.
 */
void
plumb_analysis_set_code (PlumbCardColumn *column, const char *value, const char *meaning)
{
  for (guint i = 0; i < column->values->len; i++) {
    PlumbCodeValue *code = g_ptr_array_index (column->values, i);

    if (strcmp (code->value, value) != 0)
      continue;
    if (code->meaning == NULL)
      code->meaning = g_strdup (meaning);
    return;
  }
  plumb_card_column_add_value (column, value, meaning, -1);
}

/**
 * plumb_analysis_read_codes:
 * @column: a card's column; gets the codes with their meanings
 * @text: a comment such as "channel: W=web shop, S=store" or "10 new, 20 paid"
 *
 * Returns: how many codes were read. A single pair counts only where it is written with an equals
 *   sign ("Y=in use")
 */
guint
plumb_analysis_read_codes (PlumbCardColumn *column, const char *text)
{
  g_autofree char *cut = plumb_text_cut (text, MAX_COMMENT);
  g_autofree char *flat = flatten_punctuation (cut);
  g_autoptr (GPtrArray) codes = find_codes (flat);

  if (codes == NULL || (codes->len == 1 && strchr (flat, '=') == NULL))
    return 0;
  for (guint i = 0; i < codes->len; i++) {
    CommentCode *code = g_ptr_array_index (codes, i);

    plumb_analysis_set_code (column, code->value, code->meaning);
  }
  return codes->len;
}
