/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-sql-token.h"

#include <string.h>

/* Cuts a statement into tokens as its engine does. Where an engine's own documents leave open how
 * it reads something, or its versions differ, the text is refused: a quote or a comment that ends
 * elsewhere than we think would hide a statement. */

typedef struct {
  SqlArena *arena;
  PlumbDialect dialect;
  gboolean ansi_quotes;
  gboolean backslash;
  const char *start;
  const char *at;
  const char *end;
  SqlToken *items;
  guint n;
  guint size;
  gboolean spaced;
  char *reason;
} Lexer;

static gboolean
fail (Lexer *self, const char *reason)
{
  if (self->reason == NULL)
    self->reason = g_strdup (reason);
  return FALSE;
}

/* The byte at @offset from here, a NUL past the end. The text itself holds no NUL. */
static char
peek (Lexer *self, gsize offset)
{
  return offset < (gsize) (self->end - self->at) ? self->at[offset] : '\0';
}

static SqlToken *
add_token (Lexer *self, SqlTokenKind kind, const char *from)
{
  SqlToken *token;

  if (self->n == self->size) {
    guint size = MAX (256, self->size * 2);
    SqlToken *items = sql_arena_alloc (self->arena, size * sizeof (SqlToken));

    if (self->n > 0)
      memcpy (items, self->items, self->n * sizeof (SqlToken));
    self->items = items;
    self->size = size;
  }
  token = &self->items[self->n++];
  token->kind = kind;
  token->start = from - self->start;
  token->end = self->at - self->start;
  token->text = "";
  token->upper = "";
  token->spaced = self->spaced;
  self->spaced = FALSE;
  return token;
}

static gboolean
is_dialect (Lexer *self, PlumbDialect dialect)
{
  return self->dialect == dialect;
}

/* Whether how a line comment ends on a lone carriage return is known. */
static gboolean
skip_line_comment (Lexer *self)
{
  for (; self->at < self->end && *self->at != '\n'; self->at++) {
    if (*self->at != '\r')
      continue;
    if (is_dialect (self, PLUMB_DIALECT_POSTGRES))
      break;
    if (is_dialect (self, PLUMB_DIALECT_SQLITE) || is_dialect (self, PLUMB_DIALECT_MARIADB) ||
        is_dialect (self, PLUMB_DIALECT_CLICKHOUSE))
      continue;
    if (peek (self, 1) != '\n')
      return fail (self,
                   "A carriage return stands in a line comment, and engines differ on whether "
                   "it ends it. Leave the comment out.");
  }
  return TRUE;
}

/* Hints that set variables are the one comment of MySQL that acts. */
static gboolean
is_acting_hint (Lexer *self, const char *from)
{
  g_autofree char *hint = NULL;

  if (!is_dialect (self, PLUMB_DIALECT_MARIADB) || from[2] != '+')
    return FALSE;
  hint = g_ascii_strup (from, self->at - from);
  return strstr (hint, "SET_VAR") != NULL || strstr (hint, "MAX_EXECUTION_TIME") != NULL ||
         strstr (hint, "RESOURCE_GROUP") != NULL;
}

static gboolean
skip_block_comment (Lexer *self)
{
  const char *from = self->at;
  gboolean nests = is_dialect (self, PLUMB_DIALECT_POSTGRES) ||
                   is_dialect (self, PLUMB_DIALECT_SQLSERVER);
  guint depth = 1;

  if (is_dialect (self, PLUMB_DIALECT_MARIADB) || is_dialect (self, PLUMB_DIALECT_GENERIC)) {
    if (peek (self, 2) == '!' ||
        ((peek (self, 2) == 'M' || peek (self, 2) == 'm') && peek (self, 3) == '!'))
      return fail (self,
                   "A comment of the form /*! … */ is run as code. Write what it holds as plain "
                   "SQL, or leave it out.");
  }
  self->at += 2;
  while (self->at < self->end) {
    if (self->at[0] == '*' && peek (self, 1) == '/') {
      self->at += 2;
      if (--depth == 0)
        return is_acting_hint (self, from)
                   ? fail (self, "A hint that sets a variable or a time limit isn't allowed.")
                   : TRUE;
    } else if (self->at[0] == '/' && peek (self, 1) == '*') {
      if (is_dialect (self, PLUMB_DIALECT_GENERIC))
        return fail (self,
                     "A comment stands inside a comment, and engines differ on where it ends.");
      self->at += 2;
      depth += nests ? 1 : 0;
    } else {
      self->at++;
    }
  }
  /* SQLite lets the end of the text end a comment. */
  return is_dialect (self, PLUMB_DIALECT_SQLITE) ? TRUE : fail (self, "A comment has no end.");
}

/* Whether the two dashes here start a comment: MySQL and MariaDB want space behind them. */
static gboolean
starts_dash_comment (Lexer *self)
{
  guchar next;

  if (!is_dialect (self, PLUMB_DIALECT_MARIADB) && !is_dialect (self, PLUMB_DIALECT_GENERIC))
    return TRUE;
  next = peek (self, 2);
  return next <= ' ' || next == 0x7f;
}

static gboolean
is_space (Lexer *self, char c)
{
  if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f')
    return TRUE;
  return c == '\v' && !is_dialect (self, PLUMB_DIALECT_SQLITE);
}

static gboolean
skip_hash (Lexer *self)
{
  if (is_dialect (self, PLUMB_DIALECT_MARIADB))
    return skip_line_comment (self);
  if (is_dialect (self, PLUMB_DIALECT_CLICKHOUSE) &&
      (peek (self, 1) == ' ' || peek (self, 1) == '!'))
    return skip_line_comment (self);
  return fail (self, "The character # means nothing here.");
}

/* Skips space and comments; FALSE when the text must be refused. */
static gboolean
skip_space (Lexer *self)
{
  while (self->at < self->end) {
    char c = *self->at;
    char next = peek (self, 1);
    gboolean good = TRUE;

    if (is_space (self, c)) {
      self->at++;
    } else if (c == '-' && next == '-' && starts_dash_comment (self)) {
      good = skip_line_comment (self);
    } else if (c == '-' && next == '-' && is_dialect (self, PLUMB_DIALECT_GENERIC)) {
      good = fail (self, "Two dashes stand together, and engines differ on whether they start a "
                         "comment. Put a space between or after them.");
    } else if (c == '/' && next == '*') {
      good = skip_block_comment (self);
    } else if (c == '/' && next == '/' && is_dialect (self, PLUMB_DIALECT_CLICKHOUSE)) {
      good = fail (self, "Two slashes stand together, and versions differ on whether they start a "
                         "comment.");
    } else if (c == '#' && !is_dialect (self, PLUMB_DIALECT_POSTGRES) &&
               !is_dialect (self, PLUMB_DIALECT_SQLSERVER)) {
      good = skip_hash (self);
    } else if (is_dialect (self, PLUMB_DIALECT_SQLITE) && self->end - self->at >= 3 &&
               memcmp (self->at, "\357\273\277", 3) == 0) {
      self->at += 3;
    } else {
      return TRUE;
    }
    if (!good)
      return FALSE;
    self->spaced = TRUE;
  }
  return TRUE;
}

/* Reads what stands between quotes, self->at behind the opening one, and leaves self->at behind the
 * closing one. A doubled closing quote stands for itself. */
static const char *
read_quoted (Lexer *self, char close, gboolean backslash)
{
  char *text = sql_arena_alloc (self->arena, 1);
  const char *from = self->at;
  gsize n = 0;

  for (; self->at < self->end; self->at++) {
    if (backslash && *self->at == '\\' && self->at + 1 < self->end)
      self->at++;
    else if (*self->at == close && peek (self, 1) == close)
      self->at++;
    else if (*self->at == close)
      break;
    n++;
  }
  if (self->at >= self->end) {
    fail (self, "A quote has no end.");
    return text;
  }
  text = sql_arena_alloc (self->arena, n + 1);
  n = 0;
  for (const char *p = from; p < self->at; p++) {
    if ((backslash && *p == '\\') || (*p == close && p[1] == close))
      p++;
    text[n++] = *p;
  }
  self->at++;
  return text;
}

/* A string of an engine that is not known: whether a backslash hides the quote must not matter. */
static gboolean
is_string_ambiguous (Lexer *self, const char *from)
{
  if (!is_dialect (self, PLUMB_DIALECT_GENERIC))
    return FALSE;
  for (const char *p = from; p + 1 < self->at; p++) {
    if (p[0] == '\\' && (p[1] == '\'' || p[1] == '"' || p[1] == '\\'))
      return TRUE;
  }
  return FALSE;
}

static gboolean
read_string (Lexer *self, const char *from, gboolean backslash)
{
  const char *text;
  char quote = *self->at++;
  SqlToken *token;

  text = read_quoted (self, quote, backslash);
  if (is_string_ambiguous (self, from))
    return fail (self, "A string has a backslash before a quote, and engines differ on what that "
                       "means. Write the string without it.");
  token = add_token (self, SQL_TOKEN_STRING, from);
  token->text = text;
  return self->reason == NULL;
}

static gboolean
read_name (Lexer *self, char close)
{
  const char *from = self->at++;
  const char *text = read_quoted (self, close, is_dialect (self, PLUMB_DIALECT_CLICKHOUSE));
  SqlToken *token = add_token (self, SQL_TOKEN_QUOTED, from);

  token->text = text;
  return self->reason == NULL;
}

/* Oracle's q'[…]': any character, with the other bracket for a bracket. */
static gboolean
read_oracle_quote (Lexer *self, const char *from)
{
  const char *open = self->at + 1;
  gunichar opening = open < self->end ? g_utf8_get_char (open) : '\0';
  static const char pairs[] = "[](){}<>";
  const char *pair = opening < 0x80 && opening != '\0' ? strchr (pairs, (int) opening) : NULL;
  char close[8] = { 0 };
  const char *stop = NULL;
  SqlToken *token;

  if (opening == '\0' || g_unichar_isspace (opening))
    return fail (self, "A q'…' string has no delimiter.");
  if (pair != NULL && (pair - pairs) % 2 == 0)
    close[0] = pair[1];
  else
    g_unichar_to_utf8 (opening, close);
  strcat (close, "'");
  open = g_utf8_next_char (open);
  stop = g_strstr_len (open, self->end - open, close);
  if (stop == NULL)
    return fail (self, "A q'…' string has no end.");
  self->at = stop + strlen (close);
  token = add_token (self, SQL_TOKEN_STRING, from);
  token->text = sql_arena_strndup (self->arena, open, stop - open);
  return TRUE;
}

/* $tag$ … $tag$ of PostgreSQL and ClickHouse. */
static gboolean
read_dollar_quote (Lexer *self)
{
  const char *from = self->at;
  const char *p = from + 1;
  const char *stop;
  g_autofree char *tag = NULL;
  SqlToken *token;

  while (p < self->end && *p != '$' && (g_ascii_isalnum (*p) || *p == '_' || (guchar) *p >= 0x80))
    p++;
  if (p >= self->end || *p != '$' || g_ascii_isdigit (from[1]))
    return fail (self, "A placeholder has no value here. Write the value into the statement.");
  tag = g_strndup (from, p + 1 - from);
  stop = g_strstr_len (p + 1, self->end - (p + 1), tag);
  if (stop == NULL)
    return fail (self, "A dollar quote has no end.");
  self->at = stop + strlen (tag);
  token = add_token (self, SQL_TOKEN_STRING, from);
  token->text = sql_arena_strndup (self->arena, p + 1, stop - (p + 1));
  return TRUE;
}

/* Whether an unquoted name can go on with the character here; its length in @length. */
static gboolean
is_name_character (Lexer *self, gsize *length)
{
  char c = *self->at;
  gunichar character;

  *length = 1;
  if (g_ascii_isalnum (c) || c == '_')
    return TRUE;
  if (c == '$')
    return !is_dialect (self, PLUMB_DIALECT_CLICKHOUSE) &&
           !is_dialect (self, PLUMB_DIALECT_GENERIC);
  if (c == '#')
    return is_dialect (self, PLUMB_DIALECT_ORACLE) || is_dialect (self, PLUMB_DIALECT_SQLSERVER);
  if (c == '@')
    return is_dialect (self, PLUMB_DIALECT_SQLSERVER);
  if ((guchar) c < 0x80 || is_dialect (self, PLUMB_DIALECT_CLICKHOUSE))
    return FALSE;
  character = g_utf8_get_char (self->at);
  *length = g_utf8_next_char (self->at) - self->at;
  if (is_dialect (self, PLUMB_DIALECT_SQLITE) || is_dialect (self, PLUMB_DIALECT_MARIADB) ||
      is_dialect (self, PLUMB_DIALECT_POSTGRES))
    return TRUE;
  return g_unichar_isalnum (character) || g_unichar_ismark (character);
}

static void
skip_name (Lexer *self)
{
  gsize length;

  while (self->at < self->end && is_name_character (self, &length))
    self->at += length;
}

static gboolean
add_word (Lexer *self, const char *from)
{
  SqlToken *token = add_token (self, SQL_TOKEN_WORD, from);
  gsize length = self->at - from;
  char *upper = sql_arena_alloc (self->arena, length + 1);

  for (gsize i = 0; i < length; i++)
    upper[i] = g_ascii_toupper (from[i]);
  token->text = sql_arena_strndup (self->arena, from, length);
  token->upper = upper;
  return TRUE;
}

/* Letters before a quote that make a string of it. */
static gboolean
is_string_prefix (Lexer *self, const char *from)
{
  static const char *const prefixes[] = {
    [PLUMB_DIALECT_POSTGRES] = "ebxn",  [PLUMB_DIALECT_MARIADB] = "nxb",
    [PLUMB_DIALECT_CLICKHOUSE] = "xb",  [PLUMB_DIALECT_SQLITE] = "x",
    [PLUMB_DIALECT_ORACLE] = "n",       [PLUMB_DIALECT_SQLSERVER] = "n",
    [PLUMB_DIALECT_GENERIC] = "nx",
  };

  return peek (self, 0) == '\'' && self->at - from == 1 &&
         strchr (prefixes[self->dialect], g_ascii_tolower (*from)) != NULL;
}

static gboolean
read_word (Lexer *self)
{
  const char *from = self->at;
  gsize length;

  skip_name (self);
  length = self->at - from;
  if (is_string_prefix (self, from))
    return read_string (self, from, self->backslash || g_ascii_tolower (*from) == 'e');
  if (is_dialect (self, PLUMB_DIALECT_ORACLE) && peek (self, 0) == '\'' &&
      ((length == 1 && g_ascii_tolower (from[0]) == 'q') ||
       (length == 2 && g_ascii_tolower (from[0]) == 'n' && g_ascii_tolower (from[1]) == 'q')))
    return read_oracle_quote (self, from);
  return add_word (self, from);
}

static gboolean
read_number_digits (Lexer *self)
{
  const char *from = self->at;

  if (*self->at == '0' && (g_ascii_tolower (peek (self, 1)) == 'x') &&
      g_ascii_isxdigit (peek (self, 2))) {
    self->at += 2;
    while (g_ascii_isxdigit (peek (self, 0)))
      self->at++;
    return TRUE;
  }
  if (is_dialect (self, PLUMB_DIALECT_CLICKHOUSE) && *self->at == '0' && peek (self, 1) == 'b' &&
      g_ascii_isdigit (peek (self, 2)))
    self->at += 2;
  while (g_ascii_isdigit (peek (self, 0)))
    self->at++;
  if (peek (self, 0) == '.') {
    self->at++;
    while (g_ascii_isdigit (peek (self, 0)))
      self->at++;
  }
  if (g_ascii_tolower (peek (self, 0)) == 'e') {
    gsize sign = peek (self, 1) == '+' || peek (self, 1) == '-' ? 2 : 1;

    if (g_ascii_isdigit (peek (self, sign))) {
      self->at += sign;
      while (g_ascii_isdigit (peek (self, 0)))
        self->at++;
    }
  }
  return self->at > from;
}

/* In MySQL and MariaDB a name can start with digits, and behind a dot it always is a name. */
static gboolean
read_digits_name (Lexer *self, const char *from)
{
  const char *number_end = self->at;
  gboolean behind_dot = self->n > 0 && !self->spaced &&
                        strcmp (self->items[self->n - 1].upper, ".") == 0;
  gsize length;

  self->at = from;
  skip_name (self);
  if (behind_dot || (self->at > number_end && memchr (from, '.', number_end - from) == NULL))
    return add_word (self, from);
  self->at = number_end;
  if (self->at < self->end && is_name_character (self, &length))
    return fail (self, "A number runs into a name.");
  add_token (self, SQL_TOKEN_NUMBER, from);
  return TRUE;
}

static gboolean
read_number (Lexer *self)
{
  const char *from = self->at;
  gsize length;

  read_number_digits (self);
  if (is_dialect (self, PLUMB_DIALECT_MARIADB))
    return read_digits_name (self, from);
  if (is_dialect (self, PLUMB_DIALECT_ORACLE) && strchr ("dDfF", peek (self, 0)) != NULL &&
      peek (self, 0) != '\0')
    self->at++;
  if (is_dialect (self, PLUMB_DIALECT_CLICKHOUSE) || is_dialect (self, PLUMB_DIALECT_SQLITE))
    while (peek (self, 0) == '_' && g_ascii_isdigit (peek (self, 1))) {
      self->at++;
      read_number_digits (self);
    }
  if (self->at < self->end && is_name_character (self, &length) &&
      !is_dialect (self, PLUMB_DIALECT_POSTGRES) && !is_dialect (self, PLUMB_DIALECT_ORACLE) &&
      !is_dialect (self, PLUMB_DIALECT_SQLSERVER))
    return fail (self, "A number runs into a name. Put a space between them.");
  add_token (self, SQL_TOKEN_NUMBER, from);
  return TRUE;
}

/* @name, @@name, :name, ?, $1: the parser decides what of these may stand. */
static gboolean
read_variable (Lexer *self)
{
  const char *from = self->at;
  SqlToken *token;

  self->at++;
  while (peek (self, 0) == '@' || peek (self, 0) == ':' || peek (self, 0) == '?')
    self->at++;
  if (peek (self, 0) == '`' && is_dialect (self, PLUMB_DIALECT_MARIADB)) {
    self->at++;
    read_quoted (self, '`', FALSE);
  } else if ((peek (self, 0) == '\'' || peek (self, 0) == '"') &&
             is_dialect (self, PLUMB_DIALECT_MARIADB)) {
    char quote = *self->at++;

    read_quoted (self, quote, self->backslash);
  } else {
    skip_name (self);
  }
  token = add_token (self, SQL_TOKEN_VARIABLE, from);
  token->text = sql_arena_strndup (self->arena, from, self->at - from);
  return self->reason == NULL;
}

static gboolean
read_symbol (Lexer *self)
{
  static const char *const long_symbols[] = {
    "<=>", "->>", "<<", ">>", "||", "&&", "::", ":=", "<=", ">=",
    "<>",  "!=",  "^=", "~=", "->", "=>", "==", "!<", "!>",
  };
  static const char single_symbols[] = "()[]{},.;+-*/%<>=!~&|^:?";
  const char *from = self->at;
  const char *found = NULL;
  SqlToken *token;

  for (guint i = 0; i < G_N_ELEMENTS (long_symbols) && found == NULL; i++) {
    gsize length = strlen (long_symbols[i]);

    if ((gsize) (self->end - self->at) >= length && memcmp (self->at, long_symbols[i], length) == 0)
      found = long_symbols[i];
  }
  if (found == NULL) {
    if (strchr (single_symbols, *from) == NULL && !is_dialect (self, PLUMB_DIALECT_POSTGRES)) {
      self->reason = g_strdup_printf ("The character at byte %u means nothing outside of quotes.",
                                      (guint) (from - self->start) + 1);
      return FALSE;
    }
    found = sql_arena_strndup (self->arena, from, 1);
  }
  self->at += strlen (found);
  token = add_token (self, SQL_TOKEN_SYMBOL, from);
  token->text = found;
  token->upper = found;
  return TRUE;
}

/* U&'…' and U&"…" of PostgreSQL. */
static gboolean
read_unicode_quote (Lexer *self)
{
  const char *from = self->at;

  self->at += 2;
  if (*self->at == '\'')
    return read_string (self, from, FALSE);
  return read_name (self, '"');
}

static gboolean
starts_name (Lexer *self)
{
  gsize length;

  if (g_ascii_isdigit (*self->at) || *self->at == '$')
    return FALSE;
  if (*self->at == '@')
    return FALSE;
  return is_name_character (self, &length);
}

static gboolean
read_quote_or_bracket (Lexer *self)
{
  char c = *self->at;

  if (c == '"' && is_dialect (self, PLUMB_DIALECT_MARIADB) && !self->ansi_quotes)
    return read_string (self, self->at, self->backslash);
  if (c == '"')
    return read_name (self, '"');
  if (c == '`')
    return is_dialect (self, PLUMB_DIALECT_ORACLE) || is_dialect (self, PLUMB_DIALECT_SQLSERVER) ||
                   is_dialect (self, PLUMB_DIALECT_GENERIC) ||
                   is_dialect (self, PLUMB_DIALECT_POSTGRES)
               ? fail (self, "A backtick means nothing here. Names stand in double quotes.")
               : read_name (self, '`');
  if (is_dialect (self, PLUMB_DIALECT_SQLITE)) {
    const char *from = self->at;
    const char *close = memchr (from, ']', self->end - from);
    SqlToken *token;

    /* SQLite's brackets know no doubling. */
    if (close == NULL)
      return fail (self, "A bracket has no end.");
    self->at = close + 1;
    token = add_token (self, SQL_TOKEN_QUOTED, from);
    token->text = sql_arena_strndup (self->arena, from + 1, close - from - 1);
    return TRUE;
  }
  return is_dialect (self, PLUMB_DIALECT_SQLSERVER) ? read_name (self, ']') : read_symbol (self);
}

/* Whether a dot here is followed by digits of its own, rather than by the next part of a name. */
static gboolean
starts_fraction (Lexer *self)
{
  if (*self->at != '.' || !g_ascii_isdigit (peek (self, 1)))
    return FALSE;
  if (self->n == 0 || self->spaced ||
      (!is_dialect (self, PLUMB_DIALECT_CLICKHOUSE) && !is_dialect (self, PLUMB_DIALECT_MARIADB)))
    return TRUE;
  return self->items[self->n - 1].kind == SQL_TOKEN_SYMBOL &&
         strchr (")]", *self->items[self->n - 1].upper) == NULL;
}

static gboolean
read_token (Lexer *self)
{
  char c = *self->at;
  char next = peek (self, 1);

  if (c == '\'')
    return read_string (self, self->at, self->backslash);
  if (c == '"' || c == '`' || c == '[')
    return read_quote_or_bracket (self);
  if (is_dialect (self, PLUMB_DIALECT_POSTGRES) && (c == 'U' || c == 'u') && next == '&' &&
      (peek (self, 2) == '\'' || peek (self, 2) == '"'))
    return read_unicode_quote (self);
  if (c == '$' &&
      (is_dialect (self, PLUMB_DIALECT_POSTGRES) || is_dialect (self, PLUMB_DIALECT_CLICKHOUSE)))
    return read_dollar_quote (self);
  /* $1.50 is money in SQL Server. */
  if (c == '$' && is_dialect (self, PLUMB_DIALECT_SQLSERVER) && g_ascii_isdigit (next)) {
    self->at++;
    return read_number (self);
  }
  if (g_ascii_isdigit (c) || starts_fraction (self))
    return read_number (self);
  if (starts_name (self))
    return read_word (self);
  if (c == '@' && !is_dialect (self, PLUMB_DIALECT_ORACLE) &&
      !is_dialect (self, PLUMB_DIALECT_POSTGRES))
    return read_variable (self);
  if ((c == ':' || c == '$') && (g_ascii_isalnum (next) || next == '_') &&
      !is_dialect (self, PLUMB_DIALECT_CLICKHOUSE) && !is_dialect (self, PLUMB_DIALECT_POSTGRES))
    return read_variable (self);
  if (c == '@' && is_dialect (self, PLUMB_DIALECT_ORACLE))
    return fail (self,
                 "A database link (@) reaches another server. Only tables of this database can "
                 "be read.");
  return read_symbol (self);
}

/**
 * sql_tokenize:
 * @arena: where the tokens go
 * @dialect: whose rules
 * @context: (nullable): the session's modes
 * @sql: the text
 * @length: its length in bytes
 * @tokens: (out caller-allocates): the tokens
 * @reason: (out): why the text is refused
 *
 * Returns: whether the text can be cut into tokens in just one way
 */
gboolean
sql_tokenize (SqlArena *arena, PlumbDialect dialect, const PlumbCheckContext *context,
              const char *sql, gsize length, SqlTokens *tokens, char **reason)
{
  Lexer self = { .arena = arena, .dialect = dialect, .start = sql, .at = sql, .end = sql + length };

  self.ansi_quotes = context != NULL && context->ansi_quotes;
  self.backslash = dialect == PLUMB_DIALECT_CLICKHOUSE ||
                   (dialect == PLUMB_DIALECT_MARIADB &&
                    (context == NULL || !context->no_backslash_escapes));
  if (length > G_MAXUINT / 2 || !g_utf8_validate_len (sql, length, NULL)) {
    *reason = g_strdup ("The statement isn't valid UTF-8 text.");
    return FALSE;
  }
  while (skip_space (&self) && self.at < self.end && read_token (&self))
    ;
  if (self.reason != NULL) {
    *reason = self.reason;
    return FALSE;
  }
  add_token (&self, SQL_TOKEN_END, self.at);
  tokens->items = self.items;
  tokens->n = self.n;
  return TRUE;
}
