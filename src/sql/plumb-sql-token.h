/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-sql-tree.h"

G_BEGIN_DECLS

typedef enum {
  SQL_TOKEN_END,
  SQL_TOKEN_WORD,
  SQL_TOKEN_QUOTED,
  SQL_TOKEN_STRING,
  SQL_TOKEN_NUMBER,
  SQL_TOKEN_SYMBOL,
  SQL_TOKEN_VARIABLE,
} SqlTokenKind;

/**
 * SqlToken:
 * @start: where it begins in the text, in bytes
 * @end: where it ends
 * @text: a word as written, a quoted name or a string without its quotes, a symbol
 * @upper: a word in upper case (ASCII letters only), a symbol; "" for all others
 * @spaced: whether space or a comment stands before it
 */
typedef struct {
  SqlTokenKind kind;
  guint start;
  guint end;
  const char *text;
  const char *upper;
  gboolean spaced;
} SqlToken;

/**
 * SqlTokens: the tokens of a text, the last one of kind %SQL_TOKEN_END
 */
typedef struct {
  SqlToken *items;
  guint n;
} SqlTokens;

gboolean sql_tokenize (SqlArena *arena, PlumbDialect dialect, const PlumbCheckContext *context,
                       const char *sql, gsize length, SqlTokens *tokens, char **reason);

G_END_DECLS
