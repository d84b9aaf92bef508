/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-sql-postgres-private.h"

#include <string.h>

static void
convert_alias (SqlConverter *self, PgQuery__Alias *alias, SqlFrom *from)
{
  if (alias == NULL)
    return;
  from->alias = sql_convert_string (self, alias->aliasname);
  sql_convert_texts (self, alias->colnames, alias->n_colnames, &from->columns);
}

static SqlFrom *
convert_table (SqlConverter *self, PgQuery__RangeVar *table)
{
  SqlFrom *from = sql_from_new (self->arena, SQL_FROM_TABLE);
  const char *parts[] = { table->catalogname, table->schemaname, table->relname };

  from->names = sql_arena_alloc (self->arena, G_N_ELEMENTS (parts) * sizeof (SqlName));
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++) {
    const char *part = sql_convert_string (self, parts[i]);

    if (part == NULL)
      continue;
    from->names[from->n_names].text = part;
    from->names[from->n_names++].quoted = TRUE;
  }
  if (from->n_names == 0)
    sql_convert_fail (self, "A table has no name.");
  if (from->n_names == 3)
    sql_convert_fail (self,
                      "The table “%.60s” is named with a database of its own. Write schema.table.",
                      table->relname);
  convert_alias (self, table->alias, from);
  return from;
}

static const char *
get_join_kind (PgQuery__JoinType type)
{
  switch (type) {
  case PG_QUERY__JOIN_TYPE__JOIN_INNER:
    return "inner";
  case PG_QUERY__JOIN_TYPE__JOIN_LEFT:
    return "left";
  case PG_QUERY__JOIN_TYPE__JOIN_RIGHT:
    return "right";
  case PG_QUERY__JOIN_TYPE__JOIN_FULL:
    return "full";
  default:
    return NULL;
  }
}

static SqlFrom *
convert_join (SqlConverter *self, PgQuery__JoinExpr *join)
{
  SqlFrom *from = sql_from_new (self->arena, SQL_FROM_JOIN);

  from->join = get_join_kind (join->jointype);
  if (from->join == NULL || join->larg == NULL || join->rarg == NULL) {
    sql_convert_fail (self, "A join isn't understood.");
    return from;
  }
  from->left = sql_convert_from (self, join->larg);
  from->right = sql_convert_from (self, join->rarg);
  from->natural = join->is_natural;
  sql_convert_texts (self, join->using_clause, join->n_using_clause, &from->using);
  if (join->quals != NULL)
    from->on = sql_convert_expr (self, join->quals);
  else if (from->using.n == 0 && !from->natural)
    from->join = "cross";
  convert_alias (self, join->alias, from);
  if (join->join_using_alias != NULL)
    from->using_alias = sql_convert_string (self, join->join_using_alias->aliasname);
  return from;
}

static SqlFrom *
convert_subquery (SqlConverter *self, PgQuery__RangeSubselect *range)
{
  SqlFrom *from = sql_from_new (self->arena, SQL_FROM_QUERY);

  if (range->subquery == NULL || range->subquery->node_case != PG_QUERY__NODE__NODE_SELECT_STMT) {
    sql_convert_fail (self, "Only a SELECT may stand in FROM.");
    return from;
  }
  from->query = sql_convert_select (self, range->subquery->select_stmt);
  from->lateral = range->lateral;
  convert_alias (self, range->alias, from);
  return from;
}

/* Column definitions: `AS t (a int, b text)`. */
static void
convert_column_definitions (SqlConverter *self, PgNode **nodes, gsize n_nodes, SqlFrom *from)
{
  for (gsize i = 0; i < n_nodes && self->reason == NULL; i++) {
    SqlExpr *cast;

    if (nodes[i]->node_case != PG_QUERY__NODE__NODE_COLUMN_DEF) {
      sql_convert_fail (self, "A column definition isn't understood.");
      return;
    }
    sql_list_add (self->arena, &from->columns,
                  sql_arena_strdup (self->arena, nodes[i]->column_def->colname));
    if (nodes[i]->column_def->type_name == NULL)
      continue;
    cast = sql_convert_type (self, nodes[i]->column_def->type_name, NULL);
    sql_list_add (self->arena, &from->modifiers, cast);
  }
}

/* Each function of a range is a list of the call and its column definitions. */
static SqlFrom *
convert_functions (SqlConverter *self, PgQuery__RangeFunction *range)
{
  SqlFrom *from = sql_from_new (self->arena, SQL_FROM_FUNCTION);

  convert_alias (self, range->alias, from);
  for (gsize i = 0; i < range->n_functions && self->reason == NULL; i++) {
    PgQuery__List *list;
    SqlExpr *call;

    if (range->functions[i]->node_case != PG_QUERY__NODE__NODE_LIST ||
        range->functions[i]->list->n_items == 0) {
      sql_convert_fail (self, "A function in FROM isn't understood.");
      return from;
    }
    list = range->functions[i]->list;
    call = sql_convert_expr (self, list->items[0]);
    if (call->kind == SQL_EXPR_FUNCTION && call->name == NULL)
      call->name = "table function";
    sql_list_add (self->arena, &from->functions, call);
    for (gsize k = 1; k < list->n_items && self->reason == NULL; k++) {
      if (list->items[k]->node_case == PG_QUERY__NODE__NODE_LIST)
        convert_column_definitions (self, list->items[k]->list->items,
                                    list->items[k]->list->n_items, from);
    }
  }
  convert_column_definitions (self, range->coldeflist, range->n_coldeflist, from);
  from->lateral = TRUE;
  return from;
}

static SqlFrom *
convert_sample (SqlConverter *self, PgQuery__RangeTableSample *sample)
{
  static const char *const methods[] = { "system", "bernoulli", "system_rows", "system_time",
                                         NULL };
  guint n_names = 0;
  SqlName *names = sql_convert_names (self, sample->method, sample->n_method, &n_names);
  SqlFrom *from;

  if (sample->relation == NULL || n_names == 0) {
    sql_convert_fail (self, "TABLESAMPLE isn't understood.");
    return sql_from_new (self->arena, SQL_FROM_TABLE);
  }
  from = sql_convert_from (self, sample->relation);
  if (!g_strv_contains (methods, names[n_names - 1].text))
    sql_convert_fail (self, "The sampling method “%.60s” isn't known to be harmless.",
                      names[n_names - 1].text);
  sql_convert_list (self, sample->args, sample->n_args, &from->modifiers);
  if (sample->repeatable != NULL)
    sql_list_add (self->arena, &from->modifiers, sql_convert_expr (self, sample->repeatable));
  return from;
}

/* XMLTABLE. */
static SqlFrom *
convert_table_func (SqlConverter *self, PgQuery__RangeTableFunc *table)
{
  SqlFrom *from = sql_from_new (self->arena, SQL_FROM_FUNCTION);

  if (table->docexpr != NULL)
    sql_list_add (self->arena, &from->functions, sql_convert_expr (self, table->docexpr));
  if (table->rowexpr != NULL)
    sql_list_add (self->arena, &from->functions, sql_convert_expr (self, table->rowexpr));
  for (gsize i = 0; i < table->n_namespaces && self->reason == NULL; i++) {
    if (table->namespaces[i]->node_case == PG_QUERY__NODE__NODE_RES_TARGET)
      sql_list_add (self->arena, &from->functions,
                    sql_convert_expr (self, table->namespaces[i]->res_target->val));
    else
      sql_convert_fail (self, "XMLTABLE isn't understood.");
  }
  convert_alias (self, table->alias, from);
  for (gsize i = 0; i < table->n_columns && self->reason == NULL; i++) {
    PgQuery__RangeTableFuncCol *column;

    if (table->columns[i]->node_case != PG_QUERY__NODE__NODE_RANGE_TABLE_FUNC_COL) {
      sql_convert_fail (self, "XMLTABLE isn't understood.");
      return from;
    }
    column = table->columns[i]->range_table_func_col;
    if (from->columns.n <= i)
      sql_list_add (self->arena, &from->columns, sql_arena_strdup (self->arena, column->colname));
    if (column->type_name != NULL)
      sql_list_add (self->arena, &from->functions,
                    sql_convert_type (self, column->type_name, NULL));
    if (column->colexpr != NULL)
      sql_list_add (self->arena, &from->functions, sql_convert_expr (self, column->colexpr));
    if (column->coldefexpr != NULL)
      sql_list_add (self->arena, &from->functions, sql_convert_expr (self, column->coldefexpr));
  }
  from->lateral = TRUE;
  return from;
}

/** sql_convert_from: Returns: (transfer none): an item of FROM */
SqlFrom *
sql_convert_from (SqlConverter *self, PgNode *node)
{
  SqlFrom *from = NULL;

  if (sql_convert_enter (self)) {
    switch (node->node_case) {
    case PG_QUERY__NODE__NODE_RANGE_VAR:
      from = convert_table (self, node->range_var);
      break;
    case PG_QUERY__NODE__NODE_JOIN_EXPR:
      from = convert_join (self, node->join_expr);
      break;
    case PG_QUERY__NODE__NODE_RANGE_SUBSELECT:
      from = convert_subquery (self, node->range_subselect);
      break;
    case PG_QUERY__NODE__NODE_RANGE_FUNCTION:
      from = convert_functions (self, node->range_function);
      break;
    case PG_QUERY__NODE__NODE_RANGE_TABLE_SAMPLE:
      from = convert_sample (self, node->range_table_sample);
      break;
    case PG_QUERY__NODE__NODE_RANGE_TABLE_FUNC:
      from = convert_table_func (self, node->range_table_func);
      break;
    default:
      sql_convert_fail (self, "FROM holds what isn't understood.");
      break;
    }
  }
  self->depth--;
  return from != NULL ? from : sql_from_new (self->arena, SQL_FROM_TABLE);
}
