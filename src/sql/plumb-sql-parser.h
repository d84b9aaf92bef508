/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-sql-token.h"

G_BEGIN_DECLS

/* A parser of SELECT for the dialects that have no parser of their own to ask. It reads more than
 * any one engine does, and never less strictly where something could hide: every name before a
 * parenthesis is a call, every SELECT behind a parenthesis a subquery, and what is left over at the
 * end refuses the statement.
 *
 * After a fault the parser stands at the end of the text, where every loop stops, so that only
 * whoever called first has to look at @reason. */

/**
 * SqlParser:
 * @query: the SELECT that is being read
 * @depth: how deep the reading has gone
 * @steps: how many tokens were gone past, some of them more than once
 * @text_end: where the part ends that is sent to the engine, in bytes; 0 for the whole text
 * @reason: (nullable): why the statement can't be read
 */
typedef struct {
  SqlArena *arena;
  PlumbDialect dialect;
  const char *sql;
  SqlToken *tokens;
  guint n_tokens;
  guint at;
  SqlQuery *query;
  guint depth;
  guint steps;
  guint text_end;
  char *reason;
} SqlParser;

SqlQuery *sql_parse (SqlArena *arena, PlumbDialect dialect, const PlumbCheckContext *context,
                     const char *sql, gsize length, guint *text_end, char **reason);

/* plumb-sql-parser.c */
gboolean    sql_parser_is            (SqlParser *self, PlumbDialect dialect);
const SqlToken *sql_parser_peek      (SqlParser *self, guint offset);
gboolean    sql_parser_sees          (SqlParser *self, const char *word);
gboolean    sql_parser_sees_at       (SqlParser *self, guint offset, const char *word);
gboolean    sql_parser_sees_any      (SqlParser *self, const char *const *words);
gboolean    sql_parser_sees_query    (SqlParser *self, guint offset);
gboolean    sql_parser_accept        (SqlParser *self, const char *word);
gboolean    sql_parser_accept_two    (SqlParser *self, const char *first, const char *second);
gboolean    sql_parser_accept_any    (SqlParser *self, const char *const *words);
void        sql_parser_expect        (SqlParser *self, const char *word);
void        sql_parser_next          (SqlParser *self);
gboolean    sql_parser_failed        (SqlParser *self);
void sql_parser_fail (SqlParser *self, const char *format, ...) G_GNUC_PRINTF (2, 3);
void        sql_parser_fail_here     (SqlParser *self, const char *wanted);
gboolean    sql_parser_enter         (SqlParser *self);
void        sql_parser_leave         (SqlParser *self);
const char *sql_parser_read_name     (SqlParser *self);
SqlName    *sql_parser_read_names    (SqlParser *self, guint *n_names);
gboolean    sql_parser_sees_name     (SqlParser *self);
gboolean    sql_parser_sees_alias    (SqlParser *self);
void        sql_parser_read_name_list (SqlParser *self, SqlList *names);

/* plumb-sql-parse-query.c, plumb-sql-parse-tail.c */
SqlQuery   *sql_parse_query          (SqlParser *self);
SqlQuery   *sql_parse_query_rest     (SqlParser *self, SqlQuery *left);
void        sql_parse_tail           (SqlParser *self, SqlQuery *query);
void        sql_parse_order          (SqlParser *self, SqlList *list);
void        sql_parse_window         (SqlParser *self, SqlList *list);
void        sql_refuse_clause        (SqlParser *self);

/* plumb-sql-parse-from.c */
void        sql_parse_from           (SqlParser *self, SqlQuery *query);

/* plumb-sql-parse-expr.c */
SqlExpr    *sql_parse_expr           (SqlParser *self);
SqlExpr    *sql_parse_expr_unnamed   (SqlParser *self);
SqlExpr    *sql_parse_operand        (SqlParser *self);
void        sql_parse_expr_list      (SqlParser *self, SqlList *list);
SqlExpr    *sql_parse_subquery       (SqlParser *self);
void        sql_parse_unit           (SqlParser *self);

/* plumb-sql-parse-call.c, plumb-sql-parse-soup.c */
SqlExpr *sql_parse_call (SqlParser *self, SqlName *names, guint n_names, gboolean spaced);
void        sql_parse_type           (SqlParser *self, SqlExpr *expr);
void        sql_parse_soup           (SqlParser *self, SqlList *list);

G_END_DECLS
