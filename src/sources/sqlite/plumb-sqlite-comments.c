/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-sqlite-private.h"

#include <string.h>

/*
 * SQLite keeps no comments, but it keeps the text of CREATE TABLE. People write what a column means
 * behind it, in a comment:
 *
 *   CREATE TABLE ORD_MST (  -- one row per order
 *     ORD_NO   TEXT,        -- order number
 *     ORD_STAT TEXT         -- 10 new, 20 paid
 *   );
 *
 * The comment before the first column is the table's, one behind a column on its line is the
 * column's, and so is a block comment anywhere before the next column.
 */

typedef enum {
  TOKEN_END,
  TOKEN_NAME,
  TOKEN_OPEN,
  TOKEN_CLOSE,
  TOKEN_COMMA,
  TOKEN_LINE_COMMENT,
  TOKEN_BLOCK_COMMENT,
  TOKEN_OTHER,
} TokenKind;

typedef struct {
  TokenKind kind;
  const char *start;
  gsize length;
  gboolean new_line; /* whether a line began since the token before it */
} Token;

typedef struct {
  PlumbTable *table;
  PlumbColumn *column; /* what a comment now speaks of; NULL for the table, or for nothing */
  int depth;
  gboolean at_definition;
  gboolean before_columns;
  gboolean column_ended;
  gboolean broke; /* a line ended since the column's last token */
} CommentReader;

static const char *
skip_quoted (const char *at, char close)
{
  for (at++; *at != '\0'; at++) {
    if (*at == close && (close == ']' || at[1] != close))
      return at + 1;
    if (*at == close)
      at++;
  }
  return at;
}

static gboolean
is_name_byte (char c)
{
  return g_ascii_isalnum (c) || c == '_' || c == '$' || (guchar) c >= 0x80;
}

static const char *
find_token_end (const char *at, TokenKind *kind)
{
  const char *end;

  *kind = TOKEN_OTHER;
  if (at[0] == '-' && at[1] == '-') {
    *kind = TOKEN_LINE_COMMENT;
    return at + strcspn (at, "\n");
  }
  if (at[0] == '/' && at[1] == '*') {
    *kind = TOKEN_BLOCK_COMMENT;
    end = strstr (at + 2, "*/");
    return end != NULL ? end + 2 : at + strlen (at);
  }
  if (*at == '"' || *at == '`' || *at == '[') {
    *kind = TOKEN_NAME;
    return skip_quoted (at, *at == '[' ? ']' : *at);
  }
  if (*at == '\'') {
    /* SQLite takes a quoted string for a name where only a name can stand. */
    *kind = TOKEN_NAME;
    return skip_quoted (at, '\'');
  }
  if (is_name_byte (*at)) {
    *kind = TOKEN_NAME;
    for (end = at; is_name_byte (*end);)
      end++;
    return end;
  }
  *kind = *at == '('   ? TOKEN_OPEN
          : *at == ')' ? TOKEN_CLOSE
          : *at == ',' ? TOKEN_COMMA
                       : TOKEN_OTHER;
  return at + 1;
}

static Token
next_token (const char **cursor)
{
  Token token = { TOKEN_END, *cursor, 0, FALSE };
  const char *at = *cursor;

  for (; g_ascii_isspace (*at); at++)
    token.new_line = token.new_line || *at == '\n';
  token.start = at;
  if (*at == '\0')
    return token;
  *cursor = find_token_end (at, &token.kind);
  token.length = *cursor - at;
  return token;
}

static char *
unquote (const Token *token)
{
  char open = token->start[0];
  char close = open == '[' ? ']' : open;
  g_autoptr (GString) name = g_string_new (NULL);

  if (strchr ("\"`['", open) == NULL || token->length < 2)
    return g_strndup (token->start, token->length);
  for (const char *at = token->start + 1; at < token->start + token->length - 1; at++) {
    g_string_append_c (name, *at);
    if (*at == close)
      at++;
  }
  return g_string_free (g_steal_pointer (&name), FALSE);
}

static char *
comment_text (const Token *token)
{
  g_autofree char *text = NULL;
  gsize length = token->length;

  if (token->kind == TOKEN_LINE_COMMENT)
    text = g_strndup (token->start + 2, length - 2);
  else
    text = g_strndup (token->start + 2, length >= 4 ? length - 4 : 0);
  return g_utf8_make_valid (g_strstrip (text), -1);
}

/* Several comments of one thing are joined: a long remark goes over several lines. */
static void
add_comment (char **place, const Token *token)
{
  g_autofree char *text = comment_text (token);
  g_autofree char *before = *place;

  if (*text == '\0')
    *place = g_steal_pointer (&before);
  else if (before == NULL)
    *place = g_steal_pointer (&text);
  else
    *place = g_strconcat (before, " ", text, NULL);
}

static void
take_comment (CommentReader *self, const Token *token)
{
  gboolean block = token->kind == TOKEN_BLOCK_COMMENT;

  if (self->before_columns)
    add_comment (&self->table->comment, token);
  else if (self->column != NULL && self->depth == 1 &&
           (!self->broke || (block && !self->column_ended)))
    add_comment (&self->column->comment, token);
}

static void
take_name (CommentReader *self, const Token *token)
{
  g_autofree char *name = NULL;

  if (!self->at_definition)
    return;
  /* What isn't a column begins the constraints: CONSTRAINT, PRIMARY KEY, FOREIGN KEY … A column of
   * such a name has to be quoted, and then it is found. */
  name = unquote (token);
  self->column = plumb_table_find_column (self->table, name);
  self->at_definition = FALSE;
  self->before_columns = FALSE;
  self->column_ended = FALSE;
}

static void
take_token (CommentReader *self, const Token *token)
{
  if (token->kind == TOKEN_LINE_COMMENT || token->kind == TOKEN_BLOCK_COMMENT) {
    self->broke = self->broke || token->new_line;
    take_comment (self, token);
    return;
  }
  self->broke = FALSE;
  if (token->kind == TOKEN_OPEN) {
    self->depth++;
    self->at_definition = self->depth == 1;
  } else if (token->kind == TOKEN_CLOSE) {
    self->depth--;
    self->column = self->depth == 0 ? NULL : self->column;
  } else if (token->kind == TOKEN_COMMA && self->depth == 1) {
    self->at_definition = TRUE;
    self->column_ended = TRUE;
  } else if (token->kind == TOKEN_NAME && self->depth == 1) {
    take_name (self, token);
  }
}

/**
 * plumb_sqlite_read_comments:
 * @create_sql: the text of CREATE TABLE, as SQLite keeps it
 * @table: a table whose columns are there; its comment and theirs are set
 *
 * Reads the comments that stand in the text.
 */
void
plumb_sqlite_read_comments (const char *create_sql, PlumbTable *table)
{
  CommentReader self = { .table = table, .before_columns = TRUE };
  const char *cursor = create_sql;
  Token token;

  while ((token = next_token (&cursor)).kind != TOKEN_END)
    take_token (&self, &token);
}
