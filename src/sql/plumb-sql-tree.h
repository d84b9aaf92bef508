/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-statement.h"

G_BEGIN_DECLS

/* The tree of a SELECT, as the statement check needs it: which names stand where, which functions
 * are called, which conditions join. What it leaves out (types, limits, sort orders) doesn't change
 * what a statement reads or does. Our own parser and PostgreSQL's both end in this tree, so that
 * names are resolved, joins are found and calls are judged in one place.
 *
 * All of a tree stands in one arena and is freed with it. */

typedef struct _SqlArena SqlArena;
typedef struct _SqlExpr SqlExpr;
typedef struct _SqlFrom SqlFrom;
typedef struct _SqlQuery SqlQuery;

/**
 * SqlName:
 * @text: one part of a name, folded as the engine folds it
 * @quoted: whether it stood in quotes
 */
typedef struct {
  const char *text;
  gboolean quoted;
} SqlName;

/**
 * SqlList: an array of pointers in an arena
 */
typedef struct {
  gpointer *items;
  guint n;
  guint size;
} SqlList;

typedef enum {
  SQL_EXPR_LITERAL,
  SQL_EXPR_COLUMN,
  SQL_EXPR_STAR,
  SQL_EXPR_FUNCTION,
  SQL_EXPR_OPERATOR,
  SQL_EXPR_AND,
  SQL_EXPR_OR,
  SQL_EXPR_CAST,
  SQL_EXPR_FIELD,
  SQL_EXPR_SUBQUERY,
  SQL_EXPR_TABLE,
  SQL_EXPR_LAMBDA,
  SQL_EXPR_LIST,
} SqlExprKind;

/**
 * SqlExpr:
 * @names: parts of a column's, function's or type's name; the qualifier of a star; the parameters
 * of a lambda; the table of `x IN table`
 * @name: operator, field, or the kind of a literal ("number", "string", "null", "boolean", "other")
 * @text: (nullable): the value of a string
 * @args: operands, arguments, elements
 * @clauses: what else stands in a call and is evaluated: FILTER, OVER, ORDER BY, parameters
 * @query: (nullable): the subquery
 * @star: a call with `*` as its argument
 * @distinct: a call with DISTINCT
 * @spaced: a call with space between its name and the parenthesis
 * @over: a call with OVER
 * @syntax: a call in a syntax of its own, which can't mean a user's function
 * @outer: a column with Oracle's `(+)`
 */
struct _SqlExpr {
  SqlExprKind kind;
  SqlName *names;
  guint n_names;
  const char *name;
  const char *text;
  SqlList args;
  SqlList clauses;
  SqlQuery *query;
  guint star : 1;
  guint distinct : 1;
  guint spaced : 1;
  guint over : 1;
  guint syntax : 1;
  guint outer : 1;
};

/**
 * SqlItem: an expression with its name, as in a select list
 */
typedef struct {
  SqlExpr *expr;
  const char *alias;
} SqlItem;

/**
 * SqlCte:
 * @name: the name that WITH gives
 * @columns: (element-type utf8): names of its columns, empty where the query gives them
 * @extra: (element-type utf8): columns that SEARCH and CYCLE add
 * @query: (nullable): the query
 * @expr: (nullable): ClickHouse: the expression
 */
typedef struct {
  const char *name;
  SqlList columns;
  SqlList extra;
  SqlQuery *query;
  SqlExpr *expr;
} SqlCte;

typedef enum {
  SQL_FROM_TABLE,
  SQL_FROM_QUERY,
  SQL_FROM_FUNCTION,
  SQL_FROM_JOIN,
} SqlFromKind;

/**
 * SqlFrom:
 * @names: parts of a table's name
 * @alias: (nullable): the alias
 * @columns: (element-type utf8): names that the alias gives its columns
 * @query: (nullable): a subquery
 * @functions: (element-type SqlExpr): table functions, or what stands in their place
 * @opaque: whether its columns can't be known from @columns alone (PIVOT, MATCH_RECOGNIZE …)
 * @lateral: whether it sees the items before it
 * @modifiers: (element-type SqlExpr): sampling, ARRAY JOIN …: evaluated with its columns in sight
 * @join: kind of a join: "inner", "left", "right", "full", "cross"
 * @on: (nullable): its condition
 * @using: (element-type utf8): columns of USING
 * @using_alias: (nullable): a name for the columns of USING alone
 */
struct _SqlFrom {
  SqlFromKind kind;
  SqlName *names;
  guint n_names;
  const char *alias;
  SqlList columns;
  SqlQuery *query;
  SqlList functions;
  SqlList modifiers;
  const char *join;
  SqlExpr *on;
  SqlList using;
  const char *using_alias;
  SqlFrom *left;
  SqlFrom *right;
  guint opaque : 1;
  guint lateral : 1;
  guint natural : 1;
};

/**
 * SqlQuery:
 * @ctes: (element-type SqlCte): those of its WITH
 * @recursive: whether WITH is RECURSIVE, by word or by the dialect's rule
 * @left: (nullable): of a set operation, one side; then @right is the other
 * @items: (element-type SqlItem): the select list
 * @from: (element-type SqlFrom): items of FROM
 * @where: (nullable): the condition
 * @others: (element-type SqlExpr): GROUP BY, HAVING, windows, DISTINCT ON, values of VALUES …
 * @order: (element-type SqlExpr): ORDER BY and LIMIT
 * @aliases: (element-type SqlItem): names given inside expressions (ClickHouse)
 * @grouped: whether its rows are grouped or distinct
 */
struct _SqlQuery {
  SqlList ctes;
  gboolean recursive;
  SqlQuery *left;
  SqlQuery *right;
  SqlList items;
  SqlList from;
  SqlExpr *where;
  SqlList others;
  SqlList order;
  SqlList aliases;
  guint values : 1;
  guint grouped : 1;
};

SqlArena   *sql_arena_new        (void);
void        sql_arena_free       (SqlArena *self);
gpointer    sql_arena_alloc      (SqlArena *self, gsize size);
const char *sql_arena_strndup    (SqlArena *self, const char *text, gsize length);
const char *sql_arena_strdup     (SqlArena *self, const char *text);

void        sql_list_add         (SqlArena *arena, SqlList *list, gconstpointer item);

SqlExpr    *sql_expr_new         (SqlArena *arena, SqlExprKind kind);
SqlExpr    *sql_expr_new_literal (SqlArena *arena, const char *name);
SqlExpr *sql_expr_new_operator (SqlArena *arena, const char *name, SqlExpr *left, SqlExpr *right);
SqlExpr    *sql_expr_new_function (SqlArena *arena, const char *name);
void        sql_expr_set_name    (SqlArena *arena, SqlExpr *expr, const char *name);
SqlItem    *sql_item_new         (SqlArena *arena, SqlExpr *expr, const char *alias);
SqlFrom    *sql_from_new         (SqlArena *arena, SqlFromKind kind);
SqlQuery   *sql_query_new        (SqlArena *arena);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (SqlArena, sql_arena_free)

G_END_DECLS
