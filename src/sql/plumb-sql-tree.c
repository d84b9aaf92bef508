/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-sql-tree.h"

#include <string.h>

#define BLOCK_SIZE 16384

typedef struct _Block Block;

struct _Block {
  Block *next;
  gsize used;
  gsize size;
  /* Aligned for any type; the block is allocated with as much as @size says. */
  union {
    gpointer pointer;
    gint64 number;
    double real;
  } data[];
};

struct _SqlArena {
  Block *blocks;
};

/** sql_arena_new: Returns: (transfer full): an empty arena */
SqlArena *
sql_arena_new (void)
{
  return g_new0 (SqlArena, 1);
}

/** sql_arena_free: frees @self and all that was allocated in it */
void
sql_arena_free (SqlArena *self)
{
  if (self == NULL)
    return;
  while (self->blocks != NULL) {
    Block *next = self->blocks->next;

    g_free (self->blocks);
    self->blocks = next;
  }
  g_free (self);
}

/** sql_arena_alloc: Returns: (transfer none): @size bytes of zeros that live as long as @self */
gpointer
sql_arena_alloc (SqlArena *self, gsize size)
{
  Block *block = self->blocks;
  gpointer memory;

  size = (size + sizeof block->data[0] - 1) / sizeof block->data[0] * sizeof block->data[0];
  if (block == NULL || block->size - block->used < size) {
    gsize block_size = MAX (size, BLOCK_SIZE);

    block = g_malloc0 (sizeof (Block) + block_size);
    block->size = block_size;
    block->next = self->blocks;
    self->blocks = block;
  }
  memory = (char *) block->data + block->used;
  block->used += size;
  return memory;
}

/** sql_arena_strndup: Returns: (transfer none): a copy of the first @length bytes of @text */
const char *
sql_arena_strndup (SqlArena *self, const char *text, gsize length)
{
  char *copy = sql_arena_alloc (self, length + 1);

  memcpy (copy, text, length);
  return copy;
}

/** sql_arena_strdup: Returns: (transfer none) (nullable): a copy of @text; %NULL for %NULL */
const char *
sql_arena_strdup (SqlArena *self, const char *text)
{
  return text != NULL ? sql_arena_strndup (self, text, strlen (text)) : NULL;
}

/** sql_list_add: puts @item at the end of @list */
void
sql_list_add (SqlArena *arena, SqlList *list, gconstpointer item)
{
  if (list->n == list->size) {
    guint size = MAX (4, list->size * 2);
    gpointer *items = sql_arena_alloc (arena, size * sizeof (gpointer));

    if (list->n > 0)
      memcpy (items, list->items, list->n * sizeof (gpointer));
    list->items = items;
    list->size = size;
  }
  list->items[list->n++] = (gpointer) item;
}

/** sql_expr_new: Returns: (transfer none): a new expression */
SqlExpr *
sql_expr_new (SqlArena *arena, SqlExprKind kind)
{
  SqlExpr *expr = sql_arena_alloc (arena, sizeof (SqlExpr));

  expr->kind = kind;
  return expr;
}

/** sql_expr_new_literal: Returns: (transfer none): a literal of the kind @name */
SqlExpr *
sql_expr_new_literal (SqlArena *arena, const char *name)
{
  SqlExpr *expr = sql_expr_new (arena, SQL_EXPR_LITERAL);

  expr->name = name;
  return expr;
}

/** sql_expr_new_operator: Returns: (transfer none): @left @name @right; either side can be %NULL */
SqlExpr *
sql_expr_new_operator (SqlArena *arena, const char *name, SqlExpr *left, SqlExpr *right)
{
  SqlExpr *expr = sql_expr_new (arena, SQL_EXPR_OPERATOR);

  expr->name = name;
  if (left != NULL)
    sql_list_add (arena, &expr->args, left);
  if (right != NULL)
    sql_list_add (arena, &expr->args, right);
  return expr;
}

/** sql_expr_new_function: Returns: (transfer none): a call of what the language itself names
 * @name */
SqlExpr *
sql_expr_new_function (SqlArena *arena, const char *name)
{
  SqlExpr *expr = sql_expr_new (arena, SQL_EXPR_FUNCTION);

  sql_expr_set_name (arena, expr, name);
  expr->syntax = TRUE;
  return expr;
}

/** sql_expr_set_name: gives @expr a name of one part */
void
sql_expr_set_name (SqlArena *arena, SqlExpr *expr, const char *name)
{
  expr->names = sql_arena_alloc (arena, sizeof (SqlName));
  expr->names[0].text = name;
  expr->n_names = 1;
}

/** sql_item_new: Returns: (transfer none): an expression with its name */
SqlItem *
sql_item_new (SqlArena *arena, SqlExpr *expr, const char *alias)
{
  SqlItem *item = sql_arena_alloc (arena, sizeof (SqlItem));

  item->expr = expr;
  item->alias = alias;
  return item;
}

/** sql_from_new: Returns: (transfer none): a new item of FROM */
SqlFrom *
sql_from_new (SqlArena *arena, SqlFromKind kind)
{
  SqlFrom *from = sql_arena_alloc (arena, sizeof (SqlFrom));

  from->kind = kind;
  return from;
}

/** sql_query_new: Returns: (transfer none): a new query */
SqlQuery *
sql_query_new (SqlArena *arena)
{
  return sql_arena_alloc (arena, sizeof (SqlQuery));
}
