/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-sql-parser.h"

#include <string.h>

#include "plumb-sql-words.h"

/* More than people write, and little enough for the stack of any thread. */
#define MAX_DEPTH 700

/** sql_parser_is: Returns: whether the dialect is @dialect */
gboolean
sql_parser_is (SqlParser *self, PlumbDialect dialect)
{
  return self->dialect == dialect;
}

/** sql_parser_peek: Returns: (transfer none): the token @offset ahead, the last one past the end */
const SqlToken *
sql_parser_peek (SqlParser *self, guint offset)
{
  return &self->tokens[MIN (self->at + offset, self->n_tokens - 1)];
}

/** sql_parser_sees: Returns: whether the next token is the word or symbol @word, in upper case */
gboolean
sql_parser_sees (SqlParser *self, const char *word)
{
  return strcmp (self->tokens[self->at].upper, word) == 0;
}

/** sql_parser_sees_at: Returns: whether the token @offset ahead is @word */
gboolean
sql_parser_sees_at (SqlParser *self, guint offset, const char *word)
{
  return strcmp (sql_parser_peek (self, offset)->upper, word) == 0;
}

/** sql_parser_sees_any: Returns: whether the next token is one of @words, which %NULL ends */
gboolean
sql_parser_sees_any (SqlParser *self, const char *const *words)
{
  const char *upper = self->tokens[self->at].upper;

  return *upper != '\0' && g_strv_contains (words, upper);
}

/** sql_parser_sees_query: Returns: whether a query starts @offset ahead */
gboolean
sql_parser_sees_query (SqlParser *self, guint offset)
{
  static const char *const words[] = { "SELECT", "WITH", "VALUES", NULL };
  const char *upper = sql_parser_peek (self, offset)->upper;

  /* VALUES(column) is a call in MySQL, but only in statements that write. */
  if (*upper == '\0')
    return FALSE;
  if (strcmp (upper, "FROM") == 0)
    return sql_parser_is (self, PLUMB_DIALECT_CLICKHOUSE);
  if (strcmp (upper, "TABLE") == 0)
    return sql_parser_is (self, PLUMB_DIALECT_MARIADB) ||
           sql_parser_is (self, PLUMB_DIALECT_GENERIC);
  return g_strv_contains (words, upper);
}

/** sql_parser_next: goes to the next token */
void
sql_parser_next (SqlParser *self)
{
  if (self->at < self->n_tokens - 1)
    self->at++;
  /* Where only reading tells what a parenthesis holds it is read twice; this bounds how often. */
  if (++self->steps > 16 * self->n_tokens + 4096)
    sql_parser_fail (self,
                     "The statement's parentheses are too involved. Write it with fewer levels.");
}

/** sql_parser_accept: Returns: whether the next token was @word; it is behind then */
gboolean
sql_parser_accept (SqlParser *self, const char *word)
{
  if (!sql_parser_sees (self, word))
    return FALSE;
  sql_parser_next (self);
  return TRUE;
}

/** sql_parser_accept_two: Returns: whether the next two tokens were these; both are behind then */
gboolean
sql_parser_accept_two (SqlParser *self, const char *first, const char *second)
{
  if (!sql_parser_sees (self, first) || !sql_parser_sees_at (self, 1, second))
    return FALSE;
  sql_parser_next (self);
  sql_parser_next (self);
  return TRUE;
}

/** sql_parser_accept_any: Returns: whether the next token was one of @words; it is behind then */
gboolean
sql_parser_accept_any (SqlParser *self, const char *const *words)
{
  if (!sql_parser_sees_any (self, words))
    return FALSE;
  sql_parser_next (self);
  return TRUE;
}

/** sql_parser_expect: goes past @word, or fails */
void
sql_parser_expect (SqlParser *self, const char *word)
{
  if (!sql_parser_accept (self, word))
    sql_parser_fail_here (self, word);
}

/** sql_parser_failed: Returns: whether the statement can't be read */
gboolean
sql_parser_failed (SqlParser *self)
{
  return self->reason != NULL;
}

/** sql_parser_fail: keeps the first reason, and goes to the end of the text */
void
sql_parser_fail (SqlParser *self, const char *format, ...)
{
  if (self->reason == NULL) {
    va_list arguments;

    va_start (arguments, format);
    self->reason = g_strdup_vprintf (format, arguments);
    va_end (arguments);
  }
  self->at = self->n_tokens - 1;
}

/** sql_parser_fail_here: fails at the next token, where @wanted should have stood */
void
sql_parser_fail_here (SqlParser *self, const char *wanted)
{
  const SqlToken *token = &self->tokens[self->at];
  g_autofree char *near = NULL;

  if (sql_parser_failed (self))
    return;
  if (token->kind == SQL_TOKEN_END) {
    sql_parser_fail (self, "The statement ends where %s should stand.", wanted);
    return;
  }
  near = g_strndup (self->sql + token->start, MIN (token->end - token->start, 60));
  sql_parser_fail (
      self,
      "The statement can't be understood at “%s” (byte %u), where %s should stand. Only "
      "one SELECT that is understood as a whole can run.",
      near, token->start + 1, wanted);
}

/** sql_parser_enter: Returns: whether it may go one level deeper; see sql_parser_leave() */
gboolean
sql_parser_enter (SqlParser *self)
{
  if (++self->depth <= MAX_DEPTH)
    return TRUE;
  sql_parser_fail (self, "The statement is nested too deeply. Write it with fewer levels.");
  return FALSE;
}

/** sql_parser_leave: goes back one level */
void
sql_parser_leave (SqlParser *self)
{
  self->depth--;
}

/** sql_parser_sees_name: Returns: whether the next token can be a part of a name */
gboolean
sql_parser_sees_name (SqlParser *self)
{
  const SqlToken *token = &self->tokens[self->at];

  return token->kind == SQL_TOKEN_WORD || token->kind == SQL_TOKEN_QUOTED;
}

/* The next token as a name that the engine stores. */
static const char *
fold (SqlParser *self, const SqlToken *token)
{
  g_autofree char *upper = NULL;

  if (token->kind != SQL_TOKEN_WORD || !sql_parser_is (self, PLUMB_DIALECT_ORACLE))
    return token->text;
  upper = g_utf8_strup (token->text, -1);
  return sql_arena_strdup (self->arena, upper);
}

/** sql_parser_read_name: Returns: (transfer none): the name that stands here; "" after a fault */
const char *
sql_parser_read_name (SqlParser *self)
{
  const SqlToken *token = &self->tokens[self->at];
  const char *name;

  if (!sql_parser_sees_name (self) && token->kind != SQL_TOKEN_STRING) {
    sql_parser_fail_here (self, "a name");
    return "";
  }
  name = fold (self, token);
  sql_parser_next (self);
  return name;
}

/**
 * sql_parser_read_names:
 * @n_names: (out): how many parts
 *
 * Reads a name with its parts. A star in the place of the last part is left to the caller, with the
 * dot before it behind.
 *
 * Returns: (transfer none): the parts
 */
SqlName *
sql_parser_read_names (SqlParser *self, guint *n_names)
{
  SqlName parts[8];
  SqlName *names;
  guint n = 0;

  do {
    const SqlToken *token = &self->tokens[self->at];

    if (n == G_N_ELEMENTS (parts)) {
      sql_parser_fail (self, "A name has more parts than any engine takes.");
      break;
    }
    /* SQL Server: database..table, with the usual schema. */
    if (sql_parser_sees (self, ".") && sql_parser_is (self, PLUMB_DIALECT_SQLSERVER) && n > 0) {
      parts[n].text = "";
      parts[n++].quoted = FALSE;
      continue;
    }
    parts[n].quoted = token->kind != SQL_TOKEN_WORD;
    parts[n].text = sql_parser_read_name (self);
    n++;
    /* ClickHouse: pair.1 is a part of a tuple. */
    if (sql_parser_is (self, PLUMB_DIALECT_CLICKHOUSE) && sql_parser_sees (self, ".") &&
        sql_parser_peek (self, 1)->kind == SQL_TOKEN_NUMBER)
      break;
  } while (sql_parser_accept (self, ".") && !sql_parser_sees (self, "*"));
  names = sql_arena_alloc (self->arena, n * sizeof (SqlName));
  memcpy (names, parts, n * sizeof (SqlName));
  *n_names = n;
  return names;
}

/** sql_parser_sees_alias: Returns: whether the next token can be an alias without AS before it */
gboolean
sql_parser_sees_alias (SqlParser *self)
{
  const SqlToken *token = &self->tokens[self->at];

  if (token->kind == SQL_TOKEN_QUOTED)
    return TRUE;
  return token->kind == SQL_TOKEN_WORD && !sql_word_is_reserved (self->dialect, token->upper);
}

/** sql_parser_read_name_list: reads `(name, name …)` into @names */
void
sql_parser_read_name_list (SqlParser *self, SqlList *names)
{
  sql_parser_expect (self, "(");
  do {
    sql_list_add (self->arena, names, sql_parser_read_name (self));
  } while (sql_parser_accept (self, ","));
  sql_parser_expect (self, ")");
}

/* Says what may stand at the beginning of a statement. */
static void
refuse_start (SqlParser *self)
{
  const SqlToken *token = &self->tokens[0];

  if (token->kind == SQL_TOKEN_END)
    sql_parser_fail (self, "The statement is empty.");
  else
    sql_parser_fail (self,
                     "Only SELECT, WITH … SELECT and VALUES can run here; this statement begins "
                     "with “%.40s”.",
                     *token->text != '\0' ? token->text : "a number");
}

static gboolean
starts_statement (SqlParser *self)
{
  guint offset = 0;

  while (sql_parser_sees_at (self, offset, "("))
    offset++;
  /* Elsewhere VALUES only stands in FROM. */
  if (sql_parser_sees_at (self, offset, "VALUES"))
    return sql_parser_is (self, PLUMB_DIALECT_MARIADB) ||
           sql_parser_is (self, PLUMB_DIALECT_SQLITE) || sql_parser_is (self, PLUMB_DIALECT_GENERIC);
  return sql_parser_sees_query (self, offset);
}

/**
 * sql_parse:
 * @text_end: (out): where the part ends that is to be sent, in bytes
 * @reason: (out): why the statement is refused
 *
 * Returns: (transfer none) (nullable): the query, in @arena
 */
SqlQuery *
sql_parse (SqlArena *arena, PlumbDialect dialect, const PlumbCheckContext *context, const char *sql,
           gsize length, guint *text_end, char **reason)
{
  SqlParser self = { .arena = arena, .dialect = dialect, .sql = sql };
  SqlTokens tokens;
  SqlQuery *query = NULL;

  if (!sql_tokenize (arena, dialect, context, sql, length, &tokens, reason))
    return NULL;
  self.tokens = tokens.items;
  self.n_tokens = tokens.n;
  if (starts_statement (&self))
    query = sql_parse_query (&self);
  else
    refuse_start (&self);
  if (!sql_parser_failed (&self)) {
    gboolean ended = FALSE;

    if (self.text_end == 0)
      self.text_end = self.at > 0 ? self.tokens[self.at - 1].end : 0;
    while (sql_parser_accept (&self, ";"))
      ended = TRUE;
    if (ended && sql_parser_peek (&self, 0)->kind != SQL_TOKEN_END)
      sql_parser_fail (&self, "There is more than one statement. Send one at a time.");
    else if (sql_parser_peek (&self, 0)->kind != SQL_TOKEN_END)
      sql_parser_fail_here (&self, "the end");
  }
  *text_end = self.text_end;
  *reason = self.reason;
  return self.reason == NULL ? query : NULL;
}
