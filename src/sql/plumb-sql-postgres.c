/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-sql-postgres-private.h"

#include <pg_query.h>
#include <string.h>

#include "plumb-sql-token.h"

/* PostgreSQL's parser goes down the stack once for each operator of a chain, and nothing in it
 * stops before the stack does. A first look over the tokens says how deep it can get at most. */
#define MAX_NESTING 2600
#define MAX_LASTING 1000
#define MAX_BRACKETS 1000

void
sql_convert_fail (SqlConverter *self, const char *format, ...)
{
  va_list arguments;

  if (self->reason != NULL)
    return;
  va_start (arguments, format);
  self->reason = g_strdup_vprintf (format, arguments);
  va_end (arguments);
}

gboolean
sql_convert_enter (SqlConverter *self)
{
  if (++self->depth > 2900)
    sql_convert_fail (self, "The statement is nested too deeply. Write it with fewer levels.");
  return self->reason == NULL;
}

/** sql_convert_string: Returns: (transfer none) (nullable): a copy; %NULL for an empty string,
 * which is how the tree says that there is none */
const char *
sql_convert_string (SqlConverter *self, const char *text)
{
  return text != NULL && *text != '\0' ? sql_arena_strdup (self->arena, text) : NULL;
}

/** sql_convert_names: Returns: (transfer none): the parts of a name; a star among them ends it */
SqlName *
sql_convert_names (SqlConverter *self, PgNode **nodes, gsize n_nodes, guint *n_names)
{
  SqlName *names = sql_arena_alloc (self->arena, MAX (n_nodes, 1) * sizeof (SqlName));

  *n_names = 0;
  for (gsize i = 0; i < n_nodes; i++) {
    if (nodes[i]->node_case != PG_QUERY__NODE__NODE_STRING)
      break;
    names[i].text = sql_arena_strdup (self->arena, nodes[i]->string->sval);
    names[i].quoted = TRUE;
    *n_names += 1;
  }
  return names;
}

void
sql_convert_texts (SqlConverter *self, PgNode **nodes, gsize n_nodes, SqlList *list)
{
  for (gsize i = 0; i < n_nodes; i++) {
    if (nodes[i]->node_case == PG_QUERY__NODE__NODE_STRING)
      sql_list_add (self->arena, list, sql_arena_strdup (self->arena, nodes[i]->string->sval));
  }
}

void
sql_convert_list (SqlConverter *self, PgNode **nodes, gsize n_nodes, SqlList *list)
{
  for (gsize i = 0; i < n_nodes && self->reason == NULL; i++)
    sql_list_add (self->arena, list, sql_convert_expr (self, nodes[i]));
}

static void
convert_search_and_cycle (SqlConverter *self, PgQuery__CommonTableExpr *node, SqlCte *cte)
{
  if (node->search_clause != NULL)
    sql_list_add (self->arena, &cte->extra,
                  sql_arena_strdup (self->arena, node->search_clause->search_seq_column));
  if (node->cycle_clause != NULL) {
    sql_list_add (self->arena, &cte->extra,
                  sql_arena_strdup (self->arena, node->cycle_clause->cycle_mark_column));
    sql_list_add (self->arena, &cte->extra,
                  sql_arena_strdup (self->arena, node->cycle_clause->cycle_path_column));
    if (node->cycle_clause->cycle_mark_value != NULL)
      sql_convert_expr (self, node->cycle_clause->cycle_mark_value);
    if (node->cycle_clause->cycle_mark_default != NULL)
      sql_convert_expr (self, node->cycle_clause->cycle_mark_default);
  }
}

static void
convert_with (SqlConverter *self, PgQuery__WithClause *with, SqlQuery *query)
{
  query->recursive = with->recursive;
  for (gsize i = 0; i < with->n_ctes && self->reason == NULL; i++) {
    PgQuery__CommonTableExpr *node;
    SqlCte *cte = sql_arena_alloc (self->arena, sizeof (SqlCte));

    if (with->ctes[i]->node_case != PG_QUERY__NODE__NODE_COMMON_TABLE_EXPR) {
      sql_convert_fail (self, "WITH holds what isn't understood.");
      return;
    }
    node = with->ctes[i]->common_table_expr;
    cte->name = sql_arena_strdup (self->arena, node->ctename);
    sql_convert_texts (self, node->aliascolnames, node->n_aliascolnames, &cte->columns);
    convert_search_and_cycle (self, node, cte);
    if (node->ctequery == NULL || node->ctequery->node_case != PG_QUERY__NODE__NODE_SELECT_STMT)
      sql_convert_fail (self, "WITH “%.60s” changes data. Only a SELECT may stand there.",
                        cte->name);
    else
      cte->query = sql_convert_select (self, node->ctequery->select_stmt);
    sql_list_add (self->arena, &query->ctes, cte);
  }
}

static void
convert_items (SqlConverter *self, PgQuery__SelectStmt *select, SqlQuery *query)
{
  for (gsize i = 0; i < select->n_target_list && self->reason == NULL; i++) {
    PgQuery__ResTarget *target;

    if (select->target_list[i]->node_case != PG_QUERY__NODE__NODE_RES_TARGET) {
      sql_convert_fail (self, "The select list holds what isn't understood.");
      return;
    }
    target = select->target_list[i]->res_target;
    sql_list_add (self->arena, &query->items,
                  sql_item_new (self->arena, sql_convert_expr (self, target->val),
                                sql_convert_string (self, target->name)));
  }
}

/* The first row of VALUES names the columns; the others are only evaluated. */
static void
convert_values (SqlConverter *self, PgQuery__SelectStmt *select, SqlQuery *query)
{
  for (gsize i = 0; i < select->n_values_lists && self->reason == NULL; i++) {
    SqlExpr *row = sql_convert_expr (self, select->values_lists[i]);

    query->values = TRUE;
    if (i > 0 || row->kind != SQL_EXPR_LIST) {
      sql_list_add (self->arena, &query->others, row);
      continue;
    }
    for (guint k = 0; k < row->args.n; k++)
      sql_list_add (self->arena, &query->items,
                    sql_item_new (self->arena, row->args.items[k], NULL));
  }
}

static void
convert_body (SqlConverter *self, PgQuery__SelectStmt *select, SqlQuery *query)
{
  convert_items (self, select, query);
  convert_values (self, select, query);
  for (gsize i = 0; i < select->n_from_clause && self->reason == NULL; i++)
    sql_list_add (self->arena, &query->from, sql_convert_from (self, select->from_clause[i]));
  if (select->where_clause != NULL)
    query->where = sql_convert_expr (self, select->where_clause);
  if (select->having_clause != NULL)
    sql_list_add (self->arena, &query->others, sql_convert_expr (self, select->having_clause));
  sql_convert_list (self, select->group_clause, select->n_group_clause, &query->order);
  for (gsize i = 0; i < select->n_window_clause && self->reason == NULL; i++) {
    if (select->window_clause[i]->node_case == PG_QUERY__NODE__NODE_WINDOW_DEF)
      sql_convert_window (self, select->window_clause[i]->window_def, &query->order);
  }
  /* A plain DISTINCT is a list of one empty node. */
  for (gsize i = 0; i < select->n_distinct_clause && self->reason == NULL; i++) {
    if (select->distinct_clause[i]->node_case != PG_QUERY__NODE__NODE__NOT_SET)
      sql_list_add (self->arena, &query->order,
                    sql_convert_expr (self, select->distinct_clause[i]));
  }
  query->grouped = select->n_group_clause > 0 || select->n_distinct_clause > 0;
}

static void
convert_tail (SqlConverter *self, PgQuery__SelectStmt *select, SqlQuery *query)
{
  sql_convert_list (self, select->sort_clause, select->n_sort_clause, &query->order);
  if (select->limit_count != NULL)
    sql_list_add (self->arena, &query->order, sql_convert_expr (self, select->limit_count));
  if (select->limit_offset != NULL)
    sql_list_add (self->arena, &query->order, sql_convert_expr (self, select->limit_offset));
}

static void
refuse_writes (SqlConverter *self, PgQuery__SelectStmt *select)
{
  if (select->into_clause != NULL)
    sql_convert_fail (self, "SELECT INTO makes a table. Leave INTO out: the rows are the result.");
  if (select->n_locking_clause > 0)
    sql_convert_fail (self, "FOR UPDATE, FOR SHARE and their kin lock rows. Leave the clause out.");
}

/** sql_convert_select: Returns: (transfer none): the query; a reason is kept where it is refused */
SqlQuery *
sql_convert_select (SqlConverter *self, PgQuery__SelectStmt *select)
{
  SqlQuery *query = sql_query_new (self->arena);

  if (sql_convert_enter (self)) {
    refuse_writes (self, select);
    if (select->with_clause != NULL)
      convert_with (self, select->with_clause, query);
    if (select->op == PG_QUERY__SET_OPERATION__SETOP_NONE ||
        select->op == PG_QUERY__SET_OPERATION__SET_OPERATION_UNDEFINED) {
      convert_body (self, select, query);
    } else if (select->larg == NULL || select->rarg == NULL) {
      sql_convert_fail (self, "A set operation has only one side.");
    } else {
      query->left = sql_convert_select (self, select->larg);
      query->right = sql_convert_select (self, select->rarg);
    }
    convert_tail (self, select, query);
  }
  self->depth--;
  return query;
}

/* Words and symbols between two brackets: those that nest for good, and those since the last
 * comma. */
typedef struct {
  guint lasting;
  guint passing;
} Nesting;

/* Adds a token to what its bracket holds; returns by how much the nesting grew. */
static int
count_token (Nesting *nesting, const SqlToken *token)
{
  static const char *const lasting[] = { "CASE", "JOIN", "UNION", "EXCEPT", "INTERSECT", NULL };
  static const char *const restarts[] = { ",", "AND", "OR", "WHEN", "THEN", ";", NULL };

  if (*token->upper == '\0')
    return 0;
  if (g_strv_contains (restarts, token->upper)) {
    int change = -(int) nesting->passing;

    nesting->passing = 0;
    return change;
  }
  if (g_strv_contains (lasting, token->upper))
    nesting->lasting++;
  else
    nesting->passing++;
  return 1;
}

/* Whether the tree of these tokens can be deeper than the stack is. Words that chain conditions
 * without nesting them, and commas, start anew; all else might nest. */
static gboolean
is_too_deep (SqlTokens *tokens)
{
  Nesting levels[MAX_BRACKETS + 1] = { { 0 } };
  guint level = 0;
  int total = 0;

  for (guint i = 0; i < tokens->n; i++) {
    const SqlToken *token = &tokens->items[i];

    if ((*token->upper == ')' || *token->upper == ']') && level > 0) {
      total -= levels[level].lasting + levels[level].passing;
      level--;
      continue;
    }
    total += count_token (&levels[level], token);
    if (levels[level].lasting > MAX_LASTING || total > MAX_NESTING)
      return TRUE;
    if (*token->upper == '(' || *token->upper == '[') {
      if (++level > MAX_BRACKETS)
        return TRUE;
      levels[level].lasting = 0;
      levels[level].passing = 0;
    }
  }
  return FALSE;
}

static const char *
describe_statement (PgNode *node)
{
  switch (node->node_case) {
  case PG_QUERY__NODE__NODE_INSERT_STMT:
  case PG_QUERY__NODE__NODE_UPDATE_STMT:
  case PG_QUERY__NODE__NODE_DELETE_STMT:
  case PG_QUERY__NODE__NODE_MERGE_STMT:
  case PG_QUERY__NODE__NODE_TRUNCATE_STMT:
    return "changes data";
  case PG_QUERY__NODE__NODE_VARIABLE_SET_STMT:
  case PG_QUERY__NODE__NODE_ALTER_SYSTEM_STMT:
    return "changes settings";
  case PG_QUERY__NODE__NODE_EXPLAIN_STMT:
    return "is EXPLAIN, which Plumbline builds itself (explain_query)";
  case PG_QUERY__NODE__NODE_TRANSACTION_STMT:
    return "begins or ends a transaction";
  case PG_QUERY__NODE__NODE_COPY_STMT:
    return "copies to or from files or programs";
  case PG_QUERY__NODE__NODE_LOCK_STMT:
    return "locks tables";
  default:
    return "isn't a SELECT";
  }
}

static SqlQuery *
convert_statement (SqlArena *arena, PgQuery__ParseResult *tree, char **reason)
{
  SqlConverter self = { .arena = arena };
  SqlQuery *query = NULL;

  if (tree->n_stmts == 0)
    sql_convert_fail (&self, "The statement is empty.");
  else if (tree->n_stmts > 1)
    sql_convert_fail (&self, "There is more than one statement. Send one at a time.");
  else if (tree->stmts[0]->stmt == NULL)
    sql_convert_fail (&self, "The statement is empty.");
  else if (tree->stmts[0]->stmt->node_case != PG_QUERY__NODE__NODE_SELECT_STMT)
    sql_convert_fail (&self,
                      "Only SELECT, WITH … SELECT, VALUES and TABLE can run; this statement %s.",
                      describe_statement (tree->stmts[0]->stmt));
  else
    query = sql_convert_select (&self, tree->stmts[0]->stmt->select_stmt);
  *reason = self.reason;
  return self.reason == NULL ? query : NULL;
}

/* The part to send: up to the semicolon at the end, if there is one. */
static guint
find_text_end (SqlTokens *tokens)
{
  guint n = tokens->n - 1;

  while (n > 0 && strcmp (tokens->items[n - 1].upper, ";") == 0)
    n--;
  return n > 0 ? tokens->items[n - 1].end : 0;
}

/* PostgreSQL's tree stands in the arena too, and is freed with it at once. */
static void *
allocate (void *arena, size_t size)
{
  return sql_arena_alloc (arena, size);
}

static void
leave (void *arena, void *memory)
{
}

/**
 * sql_parse_postgres:
 * @arena: where the tree goes
 * @text_end: (out): where the part ends that is to be sent, in bytes
 * @reason: (out): why the statement is refused
 *
 * Parses with PostgreSQL's own parser (libpg_query).
 *
 * Returns: (transfer none) (nullable): the query
 */
SqlQuery *
sql_parse_postgres (SqlArena *arena, const char *sql, gsize length, guint *text_end, char **reason)
{
  g_autofree char *text = g_strndup (sql, length);
  PgQueryProtobufParseResult result;
  PgQuery__ParseResult *tree = NULL;
  ProtobufCAllocator allocator = { allocate, leave, arena };
  SqlQuery *query = NULL;
  SqlTokens tokens;

  if (!sql_tokenize (arena, PLUMB_DIALECT_POSTGRES, NULL, sql, length, &tokens, reason))
    return NULL;
  if (strcmp (tokens.items[0].upper, ";") == 0) {
    *reason = g_strdup ("The statement begins with a semicolon. Send one statement.");
    return NULL;
  }
  if (is_too_deep (&tokens)) {
    *reason = g_strdup ("The statement is nested too deeply. Write it with fewer levels.");
    return NULL;
  }
  *text_end = find_text_end (&tokens);
  result = pg_query_parse_protobuf (text);
  if (result.error != NULL)
    *reason = g_strdup_printf ("PostgreSQL can't read the statement: %s (at character %d).",
                               result.error->message, result.error->cursorpos);
  else
    tree = pg_query__parse_result__unpack (&allocator, result.parse_tree.len,
                                           (const uint8_t *)result.parse_tree.data);
  if (tree != NULL)
    query = convert_statement (arena, tree, reason);
  else if (*reason == NULL)
    *reason = g_strdup ("The statement can't be taken apart.");
  pg_query_free_protobuf_parse_result (result);
  return query;
}
