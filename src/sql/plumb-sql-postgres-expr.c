/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-sql-postgres-private.h"

#include <string.h>

static SqlExpr *
new_call (SqlConverter *self, const char *name)
{
  return sql_expr_new_function (self->arena, name);
}

static void
add (SqlConverter *self, SqlExpr *expr, PgNode *node)
{
  if (node != NULL && self->reason == NULL)
    sql_list_add (self->arena, &expr->args, sql_convert_expr (self, node));
}

static SqlExpr *
convert_constant (SqlConverter *self, PgQuery__AConst *constant)
{
  SqlExpr *expr;

  if (constant->isnull)
    return sql_expr_new_literal (self->arena, "null");
  switch (constant->val_case) {
  case PG_QUERY__A__CONST__VAL_IVAL:
  case PG_QUERY__A__CONST__VAL_FVAL:
    return sql_expr_new_literal (self->arena, "number");
  case PG_QUERY__A__CONST__VAL_BOOLVAL:
    return sql_expr_new_literal (self->arena, "boolean");
  case PG_QUERY__A__CONST__VAL_SVAL:
    expr = sql_expr_new_literal (self->arena, "string");
    expr->text = sql_arena_strdup (self->arena, constant->sval->sval);
    return expr;
  default:
    return sql_expr_new_literal (self->arena, "other");
  }
}

static SqlExpr *
convert_column (SqlConverter *self, PgQuery__ColumnRef *column)
{
  guint n_names = 0;
  SqlName *names = sql_convert_names (self, column->fields, column->n_fields, &n_names);
  gboolean star = column->n_fields > 0 &&
                  column->fields[column->n_fields - 1]->node_case == PG_QUERY__NODE__NODE_A_STAR;
  SqlExpr *expr = sql_expr_new (self->arena, star ? SQL_EXPR_STAR : SQL_EXPR_COLUMN);

  expr->names = names;
  expr->n_names = n_names;
  if (n_names + (star ? 1 : 0) != column->n_fields || (n_names == 0 && !star))
    sql_convert_fail (self, "A column's name isn't understood.");
  return expr;
}

/** sql_convert_type: Returns: (transfer none): a cast of @value to @type */
SqlExpr *
sql_convert_type (SqlConverter *self, PgQuery__TypeName *type, SqlExpr *value)
{
  SqlExpr *cast = sql_expr_new (self->arena, SQL_EXPR_CAST);

  if (value != NULL)
    sql_list_add (self->arena, &cast->args, value);
  cast->names = sql_convert_names (self, type->names, type->n_names, &cast->n_names);
  cast->name = type->n_array_bounds > 0 ? "array" : NULL;
  if (cast->n_names == 0 || type->pct_type)
    sql_convert_fail (self, "A type isn't understood.");
  return cast;
}

static const char *
get_operator (SqlConverter *self, PgNode **nodes, gsize n_nodes, SqlExpr *expr)
{
  expr->names = sql_convert_names (self, nodes, n_nodes, &expr->n_names);
  if (expr->n_names == 0) {
    sql_convert_fail (self, "An operator isn't understood.");
    return "";
  }
  return expr->names[expr->n_names - 1].text;
}

/* A chain such as a + b + c becomes one node, so that long ones aren't deep. The operators of a
 * chain can differ in what they mean, so only equal ones are put together. */
static SqlExpr *
convert_operator (SqlConverter *self, PgQuery__AExpr *node)
{
  SqlExpr *expr = sql_expr_new (self->arena, SQL_EXPR_OPERATOR);
  PgNode *left = node->lexpr;
  SqlList reversed = { 0 };

  expr->name = get_operator (self, node->name, node->n_name, expr);
  if (node->kind == PG_QUERY__A__EXPR__KIND__AEXPR_OP && node->n_name == 1)
    while (left != NULL && left->node_case == PG_QUERY__NODE__NODE_A_EXPR && expr->n_names == 1 &&
           left->a_expr->kind == PG_QUERY__A__EXPR__KIND__AEXPR_OP && left->a_expr->n_name == 1 &&
           left->a_expr->lexpr != NULL && left->a_expr->rexpr != NULL &&
           left->a_expr->name[0]->node_case == PG_QUERY__NODE__NODE_STRING &&
           strcmp (left->a_expr->name[0]->string->sval, expr->name) == 0 &&
           strchr ("+-*/|", expr->name[0]) != NULL) {
      sql_list_add (self->arena, &reversed, left->a_expr->rexpr);
      left = left->a_expr->lexpr;
    }
  add (self, expr, left);
  for (guint i = reversed.n; i-- > 0;)
    add (self, expr, reversed.items[i]);
  add (self, expr, node->rexpr);
  return expr;
}

/* NULLIF compares by an operator, and gives its first operand. */
static SqlExpr *
convert_nullif (SqlConverter *self, PgQuery__AExpr *node)
{
  SqlExpr *expr = new_call (self, "NULLIF");

  add (self, expr, node->lexpr);
  sql_list_add (self->arena, &expr->clauses, convert_operator (self, node));
  return expr;
}

static SqlExpr *
convert_a_expr (SqlConverter *self, PgQuery__AExpr *node)
{
  switch (node->kind) {
  case PG_QUERY__A__EXPR__KIND__AEXPR_NULLIF:
    return convert_nullif (self, node);
  case PG_QUERY__A__EXPR__KIND__AEXPR_OP:
  case PG_QUERY__A__EXPR__KIND__AEXPR_OP_ANY:
  case PG_QUERY__A__EXPR__KIND__AEXPR_OP_ALL:
  case PG_QUERY__A__EXPR__KIND__AEXPR_DISTINCT:
  case PG_QUERY__A__EXPR__KIND__AEXPR_NOT_DISTINCT:
  case PG_QUERY__A__EXPR__KIND__AEXPR_LIKE:
  case PG_QUERY__A__EXPR__KIND__AEXPR_ILIKE:
  case PG_QUERY__A__EXPR__KIND__AEXPR_SIMILAR:
    break;
  case PG_QUERY__A__EXPR__KIND__AEXPR_IN:
  case PG_QUERY__A__EXPR__KIND__AEXPR_BETWEEN:
  case PG_QUERY__A__EXPR__KIND__AEXPR_NOT_BETWEEN:
  case PG_QUERY__A__EXPR__KIND__AEXPR_BETWEEN_SYM:
  case PG_QUERY__A__EXPR__KIND__AEXPR_NOT_BETWEEN_SYM: {
    SqlExpr *expr = sql_expr_new (self->arena, SQL_EXPR_OPERATOR);

    /* These mean the operators =, <=, >= of the operands' types. */
    expr->name = node->kind == PG_QUERY__A__EXPR__KIND__AEXPR_IN ? "IN" : "BETWEEN";
    add (self, expr, node->lexpr);
    add (self, expr, node->rexpr);
    return expr;
  }
  default:
    sql_convert_fail (self, "An operator isn't understood.");
    break;
  }
  return convert_operator (self, node);
}

/** sql_convert_window: reads what a window evaluates into @list */
void
sql_convert_window (SqlConverter *self, PgQuery__WindowDef *window, SqlList *list)
{
  sql_convert_list (self, window->partition_clause, window->n_partition_clause, list);
  sql_convert_list (self, window->order_clause, window->n_order_clause, list);
  if (window->start_offset != NULL)
    sql_list_add (self->arena, list, sql_convert_expr (self, window->start_offset));
  if (window->end_offset != NULL)
    sql_list_add (self->arena, list, sql_convert_expr (self, window->end_offset));
}

static SqlExpr *
convert_call (SqlConverter *self, PgQuery__FuncCall *call)
{
  SqlExpr *expr = sql_expr_new (self->arena, SQL_EXPR_FUNCTION);

  expr->names = sql_convert_names (self, call->funcname, call->n_funcname, &expr->n_names);
  if (expr->n_names == 0 || expr->n_names != call->n_funcname) {
    sql_convert_fail (self, "A function's name isn't understood.");
    return expr;
  }
  sql_convert_list (self, call->args, call->n_args, &expr->args);
  sql_convert_list (self, call->agg_order, call->n_agg_order, &expr->clauses);
  /* WITHIN GROUP: what is ordered is the argument. */
  if (call->agg_within_group)
    for (guint i = 0; i < expr->clauses.n; i++)
      sql_list_add (self->arena, &expr->args, expr->clauses.items[i]);
  if (call->agg_within_group)
    memset (&expr->clauses, 0, sizeof expr->clauses);
  if (call->agg_filter != NULL)
    sql_list_add (self->arena, &expr->clauses, sql_convert_expr (self, call->agg_filter));
  if (call->over != NULL)
    sql_convert_window (self, call->over, &expr->clauses);
  expr->over = call->over != NULL;
  expr->star = call->agg_star;
  expr->distinct = call->agg_distinct;
  return expr;
}

static SqlExpr *
convert_sublink (SqlConverter *self, PgQuery__SubLink *link)
{
  SqlExpr *subquery = sql_expr_new (self->arena, SQL_EXPR_SUBQUERY);
  SqlExpr *expr;

  if (link->subselect == NULL || link->subselect->node_case != PG_QUERY__NODE__NODE_SELECT_STMT) {
    sql_convert_fail (self, "A subquery isn't a SELECT.");
    return subquery;
  }
  subquery->query = sql_convert_select (self, link->subselect->select_stmt);
  if (link->testexpr == NULL) {
    if (link->sub_link_type == PG_QUERY__SUB_LINK_TYPE__EXPR_SUBLINK)
      return subquery;
    expr = new_call (
        self, link->sub_link_type == PG_QUERY__SUB_LINK_TYPE__ARRAY_SUBLINK ? "ARRAY" : "IS TRUE");
    sql_list_add (self->arena, &expr->args, subquery);
    return expr;
  }
  expr = sql_expr_new (self->arena, SQL_EXPR_OPERATOR);
  expr->name = link->n_oper_name > 0 ? get_operator (self, link->oper_name, link->n_oper_name, expr)
                                     : "IN";
  add (self, expr, link->testexpr);
  sql_list_add (self->arena, &expr->args, subquery);
  return expr;
}

static SqlExpr *
convert_case (SqlConverter *self, PgQuery__CaseExpr *node)
{
  SqlExpr *expr = new_call (self, "CASE");
  SqlList *tests = &expr->clauses;

  /* What it compares and tests stands apart from what it gives. CASE x WHEN y compares by an
   * operator, as x IN (y) does. */
  if (node->arg != NULL) {
    SqlExpr *compared = sql_expr_new (self->arena, SQL_EXPR_LIST);
    SqlExpr *in = sql_expr_new_operator (self->arena, "IN", sql_convert_expr (self, node->arg),
                                         compared);

    sql_list_add (self->arena, &expr->clauses, in);
    tests = &compared->args;
  }
  for (gsize i = 0; i < node->n_args && self->reason == NULL; i++) {
    if (node->args[i]->node_case != PG_QUERY__NODE__NODE_CASE_WHEN) {
      sql_convert_fail (self, "CASE isn't understood.");
      break;
    }
    sql_list_add (self->arena, tests, sql_convert_expr (self, node->args[i]->case_when->expr));
    add (self, expr, node->args[i]->case_when->result);
  }
  add (self, expr, node->defresult);
  return expr;
}

static SqlExpr *
convert_bool (SqlConverter *self, PgQuery__BoolExpr *node)
{
  SqlExpr *expr;

  if (node->boolop == PG_QUERY__BOOL_EXPR_TYPE__NOT_EXPR) {
    expr = sql_expr_new (self->arena, SQL_EXPR_OPERATOR);
    expr->name = "NOT";
  } else {
    expr = sql_expr_new (self->arena, node->boolop == PG_QUERY__BOOL_EXPR_TYPE__AND_EXPR
                                          ? SQL_EXPR_AND
                                          : SQL_EXPR_OR);
  }
  sql_convert_list (self, node->args, node->n_args, &expr->args);
  return expr;
}

static SqlExpr *
convert_indirection (SqlConverter *self, PgQuery__AIndirection *node)
{
  SqlExpr *expr = sql_convert_expr (self, node->arg);

  for (gsize i = 0; i < node->n_indirection && self->reason == NULL; i++) {
    PgNode *step = node->indirection[i];
    SqlExpr *outer;

    if (i > 100)
      sql_convert_fail (self, "An expression has too many subscripts.");
    if (step->node_case == PG_QUERY__NODE__NODE_A_INDICES) {
      outer = new_call (self, "[]");
      sql_list_add (self->arena, &outer->args, expr);
      add (self, outer, step->a_indices->lidx);
      add (self, outer, step->a_indices->uidx);
    } else if (step->node_case == PG_QUERY__NODE__NODE_STRING ||
               step->node_case == PG_QUERY__NODE__NODE_A_STAR) {
      outer = sql_expr_new (self->arena, SQL_EXPR_FIELD);
      sql_list_add (self->arena, &outer->args, expr);
      if (step->node_case == PG_QUERY__NODE__NODE_STRING)
        outer->name = sql_arena_strdup (self->arena, step->string->sval);
    } else {
      sql_convert_fail (self, "A subscript isn't understood.");
      break;
    }
    expr = outer;
  }
  return expr;
}

static SqlExpr *
convert_xml (SqlConverter *self, PgQuery__XmlExpr *node)
{
  SqlExpr *expr = new_call (self, "XML");

  sql_convert_list (self, node->args, node->n_args, &expr->args);
  for (gsize i = 0; i < node->n_named_args && self->reason == NULL; i++) {
    if (node->named_args[i]->node_case == PG_QUERY__NODE__NODE_RES_TARGET)
      add (self, expr, node->named_args[i]->res_target->val);
    else
      add (self, expr, node->named_args[i]);
  }
  return expr;
}

static SqlExpr *
convert_sort (SqlConverter *self, PgQuery__SortBy *node)
{
  SqlExpr *value = sql_convert_expr (self, node->node);
  SqlExpr *expr;

  if (node->n_use_op == 0)
    return value;
  expr = sql_expr_new (self->arena, SQL_EXPR_OPERATOR);
  expr->name = get_operator (self, node->use_op, node->n_use_op, expr);
  sql_list_add (self->arena, &expr->args, value);
  sql_list_add (self->arena, &expr->args, value);
  return expr;
}

static SqlExpr *
convert_list_of (SqlConverter *self, PgNode **nodes, gsize n_nodes)
{
  SqlExpr *expr = sql_expr_new (self->arena, SQL_EXPR_LIST);

  sql_convert_list (self, nodes, n_nodes, &expr->args);
  return expr;
}

static SqlExpr *
convert_call_of (SqlConverter *self, const char *name, PgNode **nodes, gsize n_nodes)
{
  SqlExpr *expr = new_call (self, name);

  sql_convert_list (self, nodes, n_nodes, &expr->args);
  return expr;
}

static SqlExpr *
convert_one (SqlConverter *self, const char *name, PgNode *node)
{
  SqlExpr *expr = new_call (self, name);

  add (self, expr, node);
  return expr;
}

/* Nodes with a syntax of their own. */
static SqlExpr *
convert_special (SqlConverter *self, PgNode *node)
{
  switch (node->node_case) {
  case PG_QUERY__NODE__NODE_COALESCE_EXPR:
    return convert_call_of (self, "COALESCE", node->coalesce_expr->args,
                            node->coalesce_expr->n_args);
  case PG_QUERY__NODE__NODE_MIN_MAX_EXPR:
    return convert_call_of (self, "GREATEST", node->min_max_expr->args, node->min_max_expr->n_args);
  case PG_QUERY__NODE__NODE_GROUPING_FUNC:
    return convert_call_of (self, "GROUPING", node->grouping_func->args,
                            node->grouping_func->n_args);
  case PG_QUERY__NODE__NODE_SQLVALUE_FUNCTION:
    return new_call (self, "SQLVALUE");
  case PG_QUERY__NODE__NODE_XML_EXPR:
    return convert_xml (self, node->xml_expr);
  case PG_QUERY__NODE__NODE_XML_SERIALIZE:
    if (node->xml_serialize->type_name != NULL)
      return sql_convert_type (self, node->xml_serialize->type_name,
                               sql_convert_expr (self, node->xml_serialize->expr));
    return convert_one (self, "XML", node->xml_serialize->expr);
  case PG_QUERY__NODE__NODE_NULL_TEST:
    return convert_one (self, "IS NULL", node->null_test->arg);
  case PG_QUERY__NODE__NODE_BOOLEAN_TEST:
    return convert_one (self, "IS TRUE", node->boolean_test->arg);
  case PG_QUERY__NODE__NODE_NAMED_ARG_EXPR:
    return sql_convert_expr (self, node->named_arg_expr->arg);
  case PG_QUERY__NODE__NODE_SORT_BY:
    return convert_sort (self, node->sort_by);
  case PG_QUERY__NODE__NODE_PARAM_REF:
    sql_convert_fail (self, "A placeholder has no value here. Write the value into the statement.");
    break;
  default:
    sql_convert_fail (self, "The statement holds an expression that isn't understood (kind %d).",
                      (int) node->node_case);
    break;
  }
  return sql_expr_new_literal (self->arena, "null");
}

static SqlExpr *
convert_kind (SqlConverter *self, PgNode *node)
{
  switch (node->node_case) {
  case PG_QUERY__NODE__NODE_A_CONST:
    return convert_constant (self, node->a_const);
  case PG_QUERY__NODE__NODE_INTEGER:
  case PG_QUERY__NODE__NODE_FLOAT:
    return sql_expr_new_literal (self->arena, "number");
  case PG_QUERY__NODE__NODE_COLUMN_REF:
    return convert_column (self, node->column_ref);
  case PG_QUERY__NODE__NODE_A_EXPR:
    return convert_a_expr (self, node->a_expr);
  case PG_QUERY__NODE__NODE_BOOL_EXPR:
    return convert_bool (self, node->bool_expr);
  case PG_QUERY__NODE__NODE_FUNC_CALL:
    return convert_call (self, node->func_call);
  case PG_QUERY__NODE__NODE_TYPE_CAST:
    if (node->type_cast->type_name == NULL || node->type_cast->arg == NULL)
      break;
    return sql_convert_type (self, node->type_cast->type_name,
                             sql_convert_expr (self, node->type_cast->arg));
  case PG_QUERY__NODE__NODE_SUB_LINK:
    return convert_sublink (self, node->sub_link);
  case PG_QUERY__NODE__NODE_CASE_EXPR:
    return convert_case (self, node->case_expr);
  case PG_QUERY__NODE__NODE_ROW_EXPR:
    return convert_list_of (self, node->row_expr->args, node->row_expr->n_args);
  case PG_QUERY__NODE__NODE_LIST:
    return convert_list_of (self, node->list->items, node->list->n_items);
  case PG_QUERY__NODE__NODE_A_ARRAY_EXPR:
    return convert_call_of (self, "ARRAY", node->a_array_expr->elements,
                            node->a_array_expr->n_elements);
  case PG_QUERY__NODE__NODE_GROUPING_SET:
    return convert_list_of (self, node->grouping_set->content, node->grouping_set->n_content);
  case PG_QUERY__NODE__NODE_A_INDIRECTION:
    return convert_indirection (self, node->a_indirection);
  case PG_QUERY__NODE__NODE_COLLATE_CLAUSE:
    return sql_convert_expr (self, node->collate_clause->arg);
  default:
    break;
  }
  return convert_special (self, node);
}

/** sql_convert_expr: Returns: (transfer none): an expression; a reason is kept where it is
 * refused */
SqlExpr *
sql_convert_expr (SqlConverter *self, PgNode *node)
{
  SqlExpr *expr = NULL;

  if (node == NULL)
    sql_convert_fail (self, "An expression is missing.");
  else if (sql_convert_enter (self))
    expr = convert_kind (self, node);
  if (node != NULL)
    self->depth--;
  return expr != NULL ? expr : sql_expr_new_literal (self->arena, "null");
}
