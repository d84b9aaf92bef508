/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-markdown.h"

#include "plumb-trace.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* How far to look for the end of an emphasis, and how deep emphasis may stand in emphasis. */
#define INLINE_REACH 4000
#define INLINE_DEPTH 6
#define MAX_TABLE_COLUMNS 64

typedef struct {
  const char *text;
  GPtrArray *numbers;
  guint next_number;
  GPtrArray *blocks;
} Parser;

/** plumb_markdown_block_free: frees @self */
void
plumb_markdown_block_free (PlumbMarkdownBlock *self)
{
  if (self == NULL)
    return;
  g_free (self->marker);
  g_free (self->markup);
  g_clear_pointer (&self->rows, g_ptr_array_unref);
  g_free (self);
}

static PlumbMarkdownBlock *
add_block (Parser *parser, PlumbMarkdownKind kind, int level)
{
  PlumbMarkdownBlock *block = g_new0 (PlumbMarkdownBlock, 1);

  block->kind = kind;
  block->level = level;
  g_ptr_array_add (parser->blocks, block);
  return block;
}

static void
append_escaped (GString *out, const char *start, const char *end)
{
  for (const char *at = start; at < end; at = g_utf8_next_char (at)) {
    gunichar c = g_utf8_get_char (at);

    if (c == '<')
      g_string_append (out, "&lt;");
    else if (c == '>')
      g_string_append (out, "&gt;");
    else if (c == '&')
      g_string_append (out, "&amp;");
    else if (c == '"')
      g_string_append (out, "&quot;");
    else if ((c >= 0x20 && c != 0x7f) || c == '\n' || c == '\t')
      g_string_append_len (out, at, g_utf8_next_char (at) - at);
  }
}

/* The number that starts at @at and ends before @end, or NULL. Blocks come in the order of the
 * text, and so do the numbers. */
static const PlumbAnswerNumber *
number_at (Parser *parser, const char *at, const char *end)
{
  gsize offset = at - parser->text;

  while (parser->next_number < parser->numbers->len) {
    const PlumbAnswerNumber *number = g_ptr_array_index (parser->numbers, parser->next_number);

    if (number->start > offset)
      return NULL;
    parser->next_number++;
    if (number->start == offset && number->length > 0 && at + number->length <= end)
      return number;
  }
  return NULL;
}

static void
append_link_start (GString *out, const char *address, const char *title)
{
  g_string_append_printf (out, "<a href=\"%s\" title=\"", address);
  append_escaped (out, title, title + strlen (title));
  g_string_append (out, "\">");
}

static void
append_number (GString *out, const PlumbAnswerNumber *number, const char *at)
{
  if (!number->found) {
    append_link_start (out, PLUMB_MARKDOWN_LINK_MISSING, _("Not found in any result"));
    g_string_append (out, "<span underline=\"error\">");
    append_escaped (out, at, at + number->length);
    g_string_append (out, "</span></a>");
  } else if (number->audit_id != 0 || number->step_number != 0) {
    g_autofree char *address = g_strdup_printf (PLUMB_MARKDOWN_LINK_STATEMENT "%" G_GINT64_FORMAT
                                                                              "/%d",
                                                number->audit_id, number->step_number);

    append_link_start (out, address, _("Show the statement that it came from"));
    append_escaped (out, at, at + number->length);
    g_string_append (out, "</a>");
  } else {
    append_escaped (out, at, at + number->length);
  }
}

static void append_inline (Parser *parser, GString *out, const char *start, const char *end,
                           int depth, gboolean in_link);

/* Where @marker stands again after @at, before @end; NULL where it doesn't. */
static const char *
find_marker (const char *at, const char *end, const char *marker)
{
  gsize reach = MIN (end - at, INLINE_REACH);

  return g_strstr_len (at, reach, marker);
}

static gboolean
is_word_byte (char c)
{
  return g_ascii_isalnum (c) || (guchar) c >= 0x80;
}

/* Emphasis that starts at @at: writes it and returns where it ends, or NULL where there is none. */
static const char *
append_emphasis (Parser *parser, GString *out, const char *start, const char *at, const char *end,
                 int depth, gboolean in_link)
{
  static const struct {
    const char *marker;
    const char *tag;
  } kinds[] = { { "**", "b" }, { "__", "b" }, { "~~", "s" }, { "*", "i" }, { "_", "i" } };

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++) {
    gsize length = strlen (kinds[i].marker);
    const char *inner = at + length;
    const char *close;

    if (strncmp (at, kinds[i].marker, length) != 0 || inner >= end || g_ascii_isspace (*inner))
      continue;
    if (*at == '_' && at > start && is_word_byte (at[-1]))
      return NULL;
    close = find_marker (inner, end, kinds[i].marker);
    if (close == NULL || close == inner || g_ascii_isspace (close[-1]))
      continue;
    if (*at == '_' && close + length < end && is_word_byte (close[length]))
      continue;
    g_string_append_printf (out, "<%s>", kinds[i].tag);
    append_inline (parser, out, inner, close, depth + 1, in_link);
    g_string_append_printf (out, "</%s>", kinds[i].tag);
    return close + length;
  }
  return NULL;
}

static const char *
append_code (Parser *parser, GString *out, const char *at, const char *end)
{
  const char *close = at + 1 < end ? find_marker (at + 1, end, "`") : NULL;

  if (close == NULL || close == at + 1)
    return NULL;
  g_string_append (out, "<tt>");
  for (const char *inner = at + 1; inner < close;) {
    const PlumbAnswerNumber *number = number_at (parser, inner, close);
    const char *next = number != NULL ? inner + number->length : g_utf8_next_char (inner);

    if (number != NULL)
      append_number (out, number, inner);
    else
      append_escaped (out, inner, next);
    inner = next;
  }
  g_string_append (out, "</tt>");
  return close + 1;
}

static const char *
append_link (Parser *parser, GString *out, const char *at, const char *end, int depth)
{
  const char *middle = find_marker (at, end, "](");
  const char *close = middle != NULL ? find_marker (middle, end, ")") : NULL;
  g_autofree char *address = NULL;

  if (close == NULL || middle == at + 1)
    return NULL;
  address = g_strndup (middle + 2, close - middle - 2);
  if (!g_str_has_prefix (address, "https://") && !g_str_has_prefix (address, "http://"))
    return NULL;
  g_string_append (out, "<a href=\"");
  append_escaped (out, address, address + strlen (address));
  g_string_append (out, "\">");
  append_inline (parser, out, at + 1, middle, depth + 1, TRUE);
  g_string_append (out, "</a>");
  return close + 1;
}

static void
append_inline (Parser *parser, GString *out, const char *start, const char *end, int depth,
               gboolean in_link)
{
  const char *at = start;

  while (at < end) {
    const PlumbAnswerNumber *number = number_at (parser, at, end);
    const char *after = NULL;

    if (number != NULL) {
      if (in_link)
        append_escaped (out, at, at + number->length);
      else
        append_number (out, number, at);
      at += number->length;
      continue;
    }
    if (*at == '\\' && at + 1 < end && g_ascii_ispunct (at[1])) {
      append_escaped (out, at + 1, at + 2);
      at += 2;
      continue;
    }
    if (*at == '`')
      after = append_code (parser, out, at, end);
    else if (*at == '[' && !in_link && depth < INLINE_DEPTH)
      after = append_link (parser, out, at, end, depth);
    else if (strchr ("*_~", *at) != NULL && depth < INLINE_DEPTH)
      after = append_emphasis (parser, out, start, at, end, depth, in_link);
    if (after == NULL) {
      after = g_utf8_next_char (at);
      append_escaped (out, at, after);
    }
    at = after;
  }
}

static char *
inline_markup (Parser *parser, const char *start, const char *end)
{
  GString *out = g_string_new (NULL);

  append_inline (parser, out, start, end, 0, FALSE);
  return g_string_free (out, FALSE);
}

static const char *
line_end (const char *at)
{
  const char *end = strchr (at, '\n');

  return end != NULL ? end : at + strlen (at);
}

static const char *
next_line (const char *at)
{
  const char *end = line_end (at);

  return *end == '\n' ? end + 1 : end;
}

static const char *
skip_blanks (const char *at)
{
  while (*at == ' ' || *at == '\t' || *at == '\r')
    at++;
  return at;
}

static gboolean
is_blank_line (const char *at)
{
  at = skip_blanks (at);
  return *at == '\n' || *at == '\0';
}

/* A list item's marker at @at: where its text starts, or NULL. */
static const char *
item_text (const char *at)
{
  const char *mark = skip_blanks (at);
  const char *digits = mark;

  if (strchr ("-*+", *mark) != NULL && *mark != '\0' && mark[1] == ' ')
    return skip_blanks (mark + 1);
  while (g_ascii_isdigit (*digits) && digits - mark < 4)
    digits++;
  if (digits > mark && (*digits == '.' || *digits == ')') && digits[1] == ' ')
    return skip_blanks (digits + 1);
  return NULL;
}

static gboolean
is_rule (const char *at)
{
  const char *end = line_end (at);
  int n = 0;
  char mark = *(at = skip_blanks (at));

  if (mark != '-' && mark != '*' && mark != '_')
    return FALSE;
  for (; at < end; at++) {
    if (*at == mark)
      n++;
    else if (*at != ' ' && *at != '\r')
      return FALSE;
  }
  return n >= 3;
}

/* The line under a table's header: dashes, bars, colons and blanks, with at least one of the first
 * two. */
static gboolean
is_table_rule (const char *at)
{
  const char *end = line_end (at);
  gboolean dash = FALSE, bar = FALSE;

  for (; at < end; at++) {
    dash |= *at == '-';
    bar |= *at == '|';
    if (strchr ("-|: \r", *at) == NULL)
      return FALSE;
  }
  return dash && bar;
}

static gboolean
is_table (const char *at)
{
  const char *end = line_end (at);

  return memchr (at, '|', end - at) != NULL && *end == '\n' && is_table_rule (end + 1);
}

static gboolean
starts_block (const char *at)
{
  const char *mark = skip_blanks (at);

  return is_blank_line (at) || g_str_has_prefix (mark, "```") || *mark == '#' || *mark == '>' ||
         item_text (at) != NULL || is_rule (at) || is_table (at);
}

static GStrv
table_cells (Parser *parser, const char *start, const char *end)
{
  GPtrArray *cells = g_ptr_array_new ();
  const char *at = skip_blanks (start);

  while (end > at && g_ascii_isspace (end[-1]))
    end--;
  if (at < end && *at == '|')
    at++;
  if (end > at && end[-1] == '|')
    end--;
  while (at <= end && cells->len < MAX_TABLE_COLUMNS) {
    const char *bar = memchr (at, '|', end - at);
    const char *stop = bar != NULL ? bar : end;
    const char *first = skip_blanks (at);

    while (stop > first && g_ascii_isspace (stop[-1]))
      stop--;
    g_ptr_array_add (cells, first < stop ? inline_markup (parser, first, stop) : g_strdup (""));
    if (bar == NULL)
      break;
    at = bar + 1;
  }
  g_ptr_array_add (cells, NULL);
  return (GStrv) g_ptr_array_free (cells, FALSE);
}

static const char *
parse_table (Parser *parser, const char *at)
{
  PlumbMarkdownBlock *block = add_block (parser, PLUMB_MARKDOWN_TABLE, 0);

  block->rows = g_ptr_array_new_with_free_func ((GDestroyNotify) g_strfreev);
  g_ptr_array_add (block->rows, table_cells (parser, at, line_end (at)));
  at = next_line (next_line (at));
  while (!is_blank_line (at) && memchr (at, '|', line_end (at) - at) != NULL) {
    g_ptr_array_add (block->rows, table_cells (parser, at, line_end (at)));
    at = next_line (at);
  }
  return at;
}

static const char *
parse_code (Parser *parser, const char *at)
{
  PlumbMarkdownBlock *block = add_block (parser, PLUMB_MARKDOWN_CODE, 0);
  const char *start = next_line (at);
  const char *end = start;

  while (*end != '\0' && !g_str_has_prefix (skip_blanks (end), "```"))
    end = next_line (end);
  block->markup = g_strndup (start, end > start && end[-1] == '\n' ? end - start - 1 : end - start);
  return *end != '\0' ? next_line (end) : end;
}

static const char *
parse_item (Parser *parser, const char *at)
{
  const char *mark = skip_blanks (at);
  const char *text = item_text (at);
  const char *end = line_end (text);
  PlumbMarkdownBlock *block = add_block (parser, PLUMB_MARKDOWN_ITEM, MIN ((mark - at) / 2, 4));

  if (g_ascii_isdigit (*mark))
    block->marker = g_strndup (mark, strcspn (mark, " "));
  else
    block->marker = g_strdup ("•");
  /* A line that goes on below belongs to the item. */
  while (*end == '\n' && !starts_block (end + 1))
    end = line_end (end + 1);
  block->markup = inline_markup (parser, text, end);
  return *end == '\n' ? end + 1 : end;
}

static const char *
parse_paragraph (Parser *parser, const char *at)
{
  PlumbMarkdownBlock *block = add_block (parser, PLUMB_MARKDOWN_PARAGRAPH, 0);
  const char *start = skip_blanks (at);
  const char *end = line_end (at);

  while (*end == '\n' && !starts_block (end + 1))
    end = line_end (end + 1);
  block->markup = inline_markup (parser, start, end);
  return *end == '\n' ? end + 1 : end;
}

static const char *
parse_marked_line (Parser *parser, const char *at, const char *mark)
{
  const char *text = mark;
  PlumbMarkdownKind kind = *mark == '#' ? PLUMB_MARKDOWN_HEADING : PLUMB_MARKDOWN_QUOTE;
  PlumbMarkdownBlock *block;

  while (*text == *mark && text - mark < 6)
    text++;
  block = add_block (parser, kind, text - mark);
  text = skip_blanks (text);
  block->markup = inline_markup (parser, text, MAX (text, line_end (at)));
  return next_line (at);
}

static const char *
parse_block (Parser *parser, const char *at)
{
  const char *mark = skip_blanks (at);
  gsize hashes = strspn (mark, "#");

  if (is_blank_line (at) || is_rule (at))
    return next_line (at);
  if (g_str_has_prefix (mark, "```"))
    return parse_code (parser, at);
  if (*mark == '>' || (hashes > 0 && hashes <= 6 && mark[hashes] == ' '))
    return parse_marked_line (parser, at, mark);
  if (is_table (at))
    return parse_table (parser, at);
  if (item_text (at) != NULL)
    return parse_item (parser, at);
  return parse_paragraph (parser, at);
}

/**
 * plumb_markdown_parse:
 * @text: an answer, in the Markdown that models write
 * @numbers: (nullable) (element-type PlumbAnswerNumber): its numbers, in their order
 *
 * Reads the plain part of Markdown: paragraphs, headings, lists, quotes, code, tables; bold,
 * italic,
 * struck out, code and links within them. All else stands there as it was written, HTML too. The
 * numbers get links, see PLUMB_MARKDOWN_LINK_STATEMENT and PLUMB_MARKDOWN_LINK_MISSING.
 *
 * Returns: (transfer full) (element-type PlumbMarkdownBlock): the blocks in their order
 */
GPtrArray *
plumb_markdown_parse (const char *text, GPtrArray *numbers)
{
  g_autoptr (GPtrArray) none = g_ptr_array_new ();
  g_autofree char *valid = NULL;
  Parser parser = { 0 };
  const char *at;

  parser.blocks = g_ptr_array_new_with_free_func ((GDestroyNotify) plumb_markdown_block_free);
  parser.numbers = numbers != NULL ? numbers : none;
  if (!g_utf8_validate (text, -1, NULL)) {
    /* Offsets of numbers don't hold in a mended text. */
    text = valid = g_utf8_make_valid (text, -1);
    parser.numbers = none;
  }
  parser.text = at = text;
  while (*at != '\0')
    at = parse_block (&parser, at);
  return parser.blocks;
}
