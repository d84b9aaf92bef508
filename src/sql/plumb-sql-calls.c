/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-sql-check.h"

#include <string.h>

#include "plumb-sql-words.h"

/* Which functions, operators and casts may be used: those of the engine that are known to be
 * harmless, unless a user's object could be meant instead, and those of users that are known to
 * be. */

/* A schema before a function's name that means the engine's own. */
static gboolean
is_system_schema (SqlCheck *self, const char *schema)
{
  if (self->dialect == PLUMB_DIALECT_POSTGRES)
    return strcmp (schema, "pg_catalog") == 0;
  return self->dialect == PLUMB_DIALECT_ORACLE &&
         (strcmp (schema, "SYS") == 0 || strcmp (schema, "STANDARD") == 0 ||
          strcmp (schema, "MDSYS") == 0);
}

/* Names with dots that are the engine's own: Oracle's packages, SQL Server's methods of XML
 * values. */
static gboolean
is_known_package (SqlCheck *self, SqlExpr *call)
{
  static const char *const packages[] = { "DBMS_RANDOM.VALUE",
                                          "DBMS_RANDOM.NORMAL",
                                          "DBMS_RANDOM.STRING",
                                          "DBMS_LOB.GETLENGTH",
                                          "DBMS_LOB.SUBSTR",
                                          "DBMS_LOB.INSTR",
                                          "UTL_RAW.CAST_TO_VARCHAR2",
                                          "UTL_RAW.CAST_TO_RAW",
                                          "DBMS_UTILITY.GET_HASH_VALUE",
                                          NULL };
  static const char *const methods[] = { "value", "query", "exist", "nodes", NULL };
  const char *last = call->names[call->n_names - 1].text;
  guint first = call->n_names == 3 && strcmp (call->names[0].text, "SYS") == 0 ? 1 : 0;
  g_autofree char *name = NULL;

  if (self->dialect == PLUMB_DIALECT_SQLSERVER && g_strv_contains (methods, last)) {
    SqlExpr *path = call->args.n > 0 ? call->args.items[0] : NULL;

    return path != NULL && path->kind == SQL_EXPR_LITERAL && strcmp (path->name, "string") == 0;
  }
  if (self->dialect != PLUMB_DIALECT_ORACLE || call->n_names - first != 2)
    return FALSE;
  name = g_strconcat (call->names[first].text, ".", last, NULL);
  return g_strv_contains (packages, name);
}

static void
refuse_call (SqlCheck *self, SqlExpr *call)
{
  const char *last = call->names[call->n_names - 1].text;
  const char *schema = call->n_names > 1 ? call->names[call->n_names - 2].text : NULL;

  if (schema != NULL)
    sql_check_fail (
        self,
        "The function “%.60s.%.60s” isn't known to be harmless: it could write, wait, or reach "
        "out. Write the query without it, or let the owner of the source allow it.",
        schema, last);
  else
    sql_check_fail (
        self,
        "The function “%.60s” isn't known to be harmless: it could write, wait, or reach out. "
        "Write the query without it, or let the owner of the source allow it.",
        last);
}

/* MariaDB and MySQL take their own function first, but these only where no space stands before the
 * parenthesis. */
static gboolean
needs_no_space (const char *lower)
{
  static GHashTable *names;

  return sql_word_list_contains (
      &names,
      "adddate bit_and bit_or bit_xor cast count cume_dist curdate curtime date_add date_sub "
      "dense_rank extract first_value group_concat json_arrayagg json_objectagg lag last_value lead "
      "max median mid min now nth_value ntile percent_rank percentile_cont percentile_disc position "
      "rank row_number session_user st_collect std stddev stddev_pop stddev_samp subdate substr "
      "substring sum sysdate system_user trim trim_oracle variance var_pop var_samp",
      lower);
}

/* Functions that came with a later version of the one or the other, or that only one of them has:
 * what an older server finds by that name is a user's. */
static gboolean
came_later (const char *lower)
{
  static const char *const families[] = { "json_", "st_", "regexp_", "uuid_", "vec_", "gtid_",
                                          "column_", "percentile_", "inet6_", "is_", "format_",
                                          "statement_", "mbrcovere", NULL };
  static GHashTable *names;

  for (guint i = 0; families[i] != NULL; i++) {
    if (g_str_has_prefix (lower, families[i]))
      return TRUE;
  }
  return sql_word_list_contains (
      &names,
      "add_months any_value bin_to_uuid chr concat_operator_oracle crc32c crypt cume_dist "
      "decode_histogram decode_oracle dense_rank first_value from_base64 grouping icu_version kdf "
      "lag last_value lead lengthb lpad_oracle ltrim_oracle mbrcoveredby mbrcovers median mode "
      "months_between natural_sort_key nth_value ntile nvl nvl2 percent_rank point random_bytes "
      "rank replace_oracle row_number rpad_oracle rtrim_oracle sformat substr_oracle sys_guid "
      "to_base64 to_char to_date to_number to_seconds trim_oracle trunc weight_string "
      "des_decrypt des_encrypt encrypt password old_password encode decode",
      lower);
}

/* MariaDB knows some of its functions as words of its grammar, which a name in backquotes isn't. */
static gboolean
can_be_shadowed_in_mariadb (SqlExpr *call)
{
  g_autofree char *lower = g_ascii_strdown (call->names[0].text, -1);

  return call->names[0].quoted || (call->spaced && needs_no_space (lower)) || came_later (lower);
}

/* Whether a name without a schema can be a user's function where the engine has one of that
 * name. */
static gboolean
can_be_shadowed (SqlCheck *self, SqlExpr *call)
{
  if (call->syntax)
    return FALSE;
  if (self->dialect == PLUMB_DIALECT_MARIADB)
    return can_be_shadowed_in_mariadb (call);
  return self->dialect == PLUMB_DIALECT_POSTGRES || self->dialect == PLUMB_DIALECT_GENERIC ||
         self->dialect == PLUMB_DIALECT_CLICKHOUSE;
}

static gboolean
takes_numbers (const char *name)
{
  static GHashTable *names;

  return sql_word_list_contains (
      &names, "abs ceil ceiling floor round trunc sqrt cbrt power pow exp ln log mod div sign sum avg",
      name);
}

static gboolean
is_lambda_among (const SqlList *items, gboolean of_with, const char *name)
{
  for (guint i = 0; i < items->n; i++) {
    const SqlCte *cte = of_with ? items->items[i] : NULL;
    const SqlItem *item = of_with ? NULL : items->items[i];
    const SqlExpr *expr = of_with ? cte->expr : item->expr;
    const char *alias = of_with ? cte->name : item->alias;

    if (expr != NULL && expr->kind == SQL_EXPR_LAMBDA && g_strcmp0 (alias, name) == 0)
      return TRUE;
  }
  return FALSE;
}

/* ClickHouse: `WITH x -> x * 2 AS twice SELECT twice (fee)`. What the lambda does is checked where
 * it stands. What stands in FROM is no lambda, whatever it is called. */
static gboolean
is_named_lambda (SqlCheck *self, SqlScope *scope, const SqlExpr *call, const char *name)
{
  if (call->name != NULL && strcmp (call->name, "table function") == 0)
    return FALSE;
  for (; self->dialect == PLUMB_DIALECT_CLICKHOUSE && scope != NULL; scope = scope->parent) {
    if (scope->query != NULL && (is_lambda_among (&scope->query->ctes, TRUE, name) ||
                                 is_lambda_among (&scope->query->aliases, FALSE, name)))
      return TRUE;
  }
  return FALSE;
}

/* @n_meant gets how many users' functions the call can mean, all of them harmless where it is
 * TRUE. */
static gboolean
judge_plain_name (SqlCheck *self, SqlScope *scope, SqlExpr *call, const SqlType *types,
                  guint n_types, guint *n_meant)
{
  const char *name = call->names[call->n_names - 1].text;
  gboolean builtin = sql_function_is_harmless (self->dialect, name) &&
                     (call->name == NULL || strcmp (call->name, "table function") != 0 ||
                      sql_function_gives_rows (self->dialect, name));
  PlumbUserObject *harmful = NULL;

  /* PostgreSQL's own round() takes no text; what does is a user's. */
  if (builtin && self->dialect == PLUMB_DIALECT_POSTGRES && n_types > 0 &&
      types[0] == SQL_TYPE_STRING && takes_numbers (name))
    builtin = FALSE;
  if (!builtin || can_be_shadowed (self, call)) {
    GPtrArray *objects = sql_objects_find (self, PLUMB_OBJECT_FUNCTION, NULL, name);

    harmful = sql_objects_find_harmful (self, objects, types, n_types, n_meant);
    if (harmful == NULL && *n_meant == 0 && objects != NULL && objects->len > 0 &&
        sql_casts_reach_objects (self, types, n_types))
      harmful = g_ptr_array_index (objects, 0);
  }
  if (harmful != NULL && builtin)
    sql_check_fail (
        self,
        "“%.60s” can mean the function %s.%s that a user made, which isn't known to be harmless. "
        "Cast its arguments to the types that the built-in function takes, or write "
        "pg_catalog.%.60s.",
        name, harmful->schema, harmful->name, name);
  return harmful == NULL && (builtin || *n_meant > 0 || is_named_lambda (self, scope, call, name));
}

static gboolean
judge_qualified_name (SqlCheck *self, SqlExpr *call, const SqlType *types, guint n_types)
{
  const char *schema = call->names[call->n_names - 2].text;
  const char *name = call->names[call->n_names - 1].text;
  guint n_meant = 0;
  PlumbUserObject *harmful;

  if (is_system_schema (self, schema) && call->n_names == 2)
    return sql_function_is_harmless (self->dialect, name);
  if (is_known_package (self, call))
    return TRUE;
  if (call->n_names > 2 && self->dialect != PLUMB_DIALECT_ORACLE)
    return FALSE;
  harmful = sql_objects_find_harmful (
      self, sql_objects_find (self, PLUMB_OBJECT_FUNCTION, schema, name), types, n_types, &n_meant);
  return harmful == NULL && n_meant > 0;
}

/* Functions that give a number, whatever they take. */
static const char number_functions[] =
    "count extract date_part ceil ceiling floor random row_number rank dense_rank power pow sqrt "
    "cbrt stddev stddev_samp stddev_pop variance var_samp var_pop corr covar_pop covar_samp "
    "regr_slope regr_intercept regr_count regr_r2 ln exp log log10 char_length character_length "
    "octet_length bit_length strpos position sign cardinality array_length json_array_length "
    "jsonb_array_length width_bucket ntile cume_dist percent_rank mod div gcd lcm degrees "
    "radians pi sin cos tan factorial ascii to_number num_nulls num_nonnulls GROUPING length";

/* Functions that give a number where all that they take are numbers. */
static const char numeric_functions[] = "sum avg round trunc abs percentile_cont percentile_disc";

/* Functions that give what they take. */
static const char same_functions[] =
    "min max abs coalesce COALESCE GREATEST NULLIF CASE lag lead first_value last_value "
    "nth_value mode";

/* Functions that give text where they take text. */
static const char text_functions[] =
    "lower upper initcap trim btrim ltrim rtrim substring substr left right lpad rpad string_agg";

static const struct {
  const char *name;
  SqlType type;
} other_functions[] = {
  { "concat", SQL_TYPE_STRING },   { "to_char", SQL_TYPE_STRING },
  { "replace", SQL_TYPE_STRING },  { "repeat", SQL_TYPE_STRING },
  { "md5", SQL_TYPE_STRING },      { "split_part", SQL_TYPE_STRING },
  { "now", SQL_TYPE_TIME },        { "to_date", SQL_TYPE_TIME },
  { "make_date", SQL_TYPE_TIME },  { "IS NULL", SQL_TYPE_BOOLEAN },
  { "IS TRUE", SQL_TYPE_BOOLEAN }, { "age", SQL_TYPE_INTERVAL },
  { "bool_or", SQL_TYPE_BOOLEAN }, { "bool_and", SQL_TYPE_BOOLEAN },
};

static gboolean
are_all (SqlType type, const SqlType *types, guint n_types)
{
  for (guint i = 0; i < n_types; i++) {
    if (types[i] != type && types[i] != SQL_TYPE_LITERAL)
      return FALSE;
  }
  return n_types > 0;
}

/* The first type that isn't just a literal's. */
static SqlType
first_type (const SqlType *types, guint n_types)
{
  for (guint i = 0; i < n_types; i++) {
    if (types[i] != SQL_TYPE_LITERAL)
      return types[i];
  }
  return n_types > 0 ? SQL_TYPE_LITERAL : SQL_TYPE_ANY;
}

/* What a function of PostgreSQL gives of which nothing more is known: one of its own types, unless
 * it can hand on a value that it was given. */
static SqlType
unknown_result (const SqlType *types, guint n_types)
{
  for (guint i = 0; i < n_types; i++) {
    if (types[i] == SQL_TYPE_ANY || types[i] == SQL_TYPE_ROW)
      return SQL_TYPE_ANY;
  }
  return SQL_TYPE_OWN;
}

/* What a call of PostgreSQL's own function gives, where its name tells. */
static SqlType
guess_result (const char *name, const SqlType *types, guint n_types)
{
  static GHashTable *sets[4];

  if (sql_word_list_contains (&sets[0], number_functions, name) ||
      (sql_word_list_contains (&sets[1], numeric_functions, name) &&
       are_all (SQL_TYPE_NUMBER, types, n_types)))
    return SQL_TYPE_NUMBER;
  if (sql_word_list_contains (&sets[2], same_functions, name)) {
    SqlType type = first_type (types, n_types);

    /* lag (x, 1): the second argument isn't what it gives. */
    if (strcmp (name, "lag") == 0 || strcmp (name, "lead") == 0 || strcmp (name, "nth_value") == 0)
      return n_types > 0 ? types[0] : SQL_TYPE_ANY;
    return are_all (type, types, n_types) ? type : unknown_result (types, n_types);
  }
  /* Arrays of users' types aren't among SQL_TYPE_ARRAY. */
  if (g_ascii_strcasecmp (name, "ARRAY") == 0 || strcmp (name, "array_agg") == 0)
    return unknown_result (types, n_types) == SQL_TYPE_OWN ? SQL_TYPE_ARRAY : SQL_TYPE_ANY;
  if (sql_word_list_contains (&sets[3], text_functions, name))
    return n_types > 0 && types[0] == SQL_TYPE_STRING ? SQL_TYPE_STRING
                                                      : unknown_result (types, n_types);
  for (guint i = 0; i < G_N_ELEMENTS (other_functions); i++) {
    if (strcmp (other_functions[i].name, name) == 0)
      return other_functions[i].type;
  }
  return unknown_result (types, n_types);
}

/* Refuses what would run a conversion of a user's that the text doesn't show. */
static void
refuse_hidden_cast (SqlCheck *self, const char *name, const SqlType *types, guint n_types)
{
  PlumbUserObject *cast;

  if (self->dialect != PLUMB_DIALECT_POSTGRES)
    return;
  cast = sql_casts_find_hidden (self, name, types, n_types);
  if (cast != NULL)
    sql_check_fail (
        self,
        "“%.60s” can convert what it is given to %s by a function that a user made, which isn't "
        "known to be harmless.",
        name, cast->name);
}

/* Syntax that makes one type of several, and an index, which becomes a number. */
static void
check_syntax_casts (SqlCheck *self, const char *name, const SqlType *types, guint n_types)
{
  static const char *const uniting[] = { "COALESCE", "GREATEST", "NULLIF", "CASE", "ARRAY", NULL };

  if (strcmp (name, "[]") == 0 && n_types > 1)
    refuse_hidden_cast (self, name, types + 1, n_types - 1);
  else if (g_strv_contains (uniting, name) && n_types > 1)
    refuse_hidden_cast (self, name, types, n_types);
}

/**
 * sql_check_call:
 * @types: what is known of the arguments' types
 *
 * Refuses the call unless it is known to be harmless.
 *
 * Returns: what is known of the result's type
 */
SqlType
sql_check_call (SqlCheck *self, SqlScope *scope, SqlExpr *call, const SqlType *types, guint n_types)
{
  const char *name = call->names[call->n_names - 1].text;
  g_autofree char *aggregate = NULL;
  const char *reason;
  guint n_meant = 0;
  gboolean good;

  if (call->syntax) {
    check_syntax_casts (self, name, types, n_types);
    return guess_result (name, types, n_types);
  }
  good = call->n_names == 1 ? judge_plain_name (self, scope, call, types, n_types, &n_meant)
                            : judge_qualified_name (self, call, types, n_types);
  if (!good) {
    refuse_call (self, call);
    return SQL_TYPE_ANY;
  }
  if (n_meant == 0)
    refuse_hidden_cast (self, name, types, n_types);
  reason = sql_arguments_judge (self, call, name);
  if (reason != NULL)
    sql_check_fail (self, "%s", reason);
  /* COLUMNS ('…') of ClickHouse chooses columns by their names when it runs. */
  if (self->dialect == PLUMB_DIALECT_CLICKHOUSE && g_ascii_strcasecmp (name, "columns") == 0) {
    SqlExpr all = { .kind = SQL_EXPR_STAR };

    sql_scope_read_star (self, scope, &all, NULL);
  }
  aggregate = sql_function_aggregate (self->dialect, name);
  if (aggregate != NULL && !sql_check_failed (self))
    sql_joins_add_aggregate (self, scope, call, aggregate);
  if (self->dialect != PLUMB_DIALECT_POSTGRES || n_meant > 0 ||
      (call->n_names > 1 && !is_system_schema (self, call->names[0].text)))
    return SQL_TYPE_ANY;
  return guess_result (name, types, n_types);
}

/* The family of the result of PostgreSQL's own operators. */
static SqlType
guess_operator_result (const char *name, const SqlType *types, guint n_types)
{
  static const char *const comparisons[] = {
    "=",  "<>", "!=",  "<",  ">",       "<=",  ">=", "~~", "!~~", "~~*", "!~~*", "~",
    "!~", "~*", "!~*", "IN", "BETWEEN", "NOT", "@>", "<@", "&&",  "?",   NULL
  };
  gboolean same;

  if (g_strv_contains (comparisons, name))
    return SQL_TYPE_BOOLEAN;
  same = n_types > 0 && are_all (first_type (types, n_types), types, n_types);
  if (same && first_type (types, n_types) == SQL_TYPE_NUMBER && strchr ("+-*/%^", name[0]) != NULL &&
      name[1] == '\0')
    return SQL_TYPE_NUMBER;
  if (strcmp (name, "||") == 0 && same && first_type (types, n_types) == SQL_TYPE_STRING)
    return SQL_TYPE_STRING;
  return unknown_result (types, n_types);
}

static gboolean
is_builtin_operator (const char *name)
{
  static const char *const operators[] = {
    "=",   "<>",  "!=",   "<",   ">",       "<=",  ">=",  "+",   "-",    "*",    "/",   "%",
    "^",   "|/",  "||/",  "@",   "&",       "|",   "#",   "~",   "<<",   ">>",   "||",  "~~",
    "!~~", "~~*", "!~~*", "!~",  "~*",      "!~*", "^@",  "~<~", "~<=~", "~>=~", "~>~", "@>",
    "<@",  "&&",  "&<",   "&>",  "-|-",     "->",  "->>", "#>",  "#>>",  "?",    "?|",  "?&",
    "#-",  "@?",  "@@",   "@@@", "<->",     "!!",  "<<|", "|>>", "&<|",  "|&>",  "<^",  ">^",
    "?-",  "?#",  "?-|",  "?||", "@-@",     "##",  "~=",  "<<=", ">>=",  "*=",   "*<>", "*<",
    "*>",  "*<=", "*>=",  "IN",  "BETWEEN", "NOT", "[]",  "IS",  NULL
  };

  return g_strv_contains (operators, name);
}

/** sql_check_operator: like sql_check_call(), for an operator */
SqlType
sql_check_operator (SqlCheck *self, SqlExpr *expr, const SqlType *types, guint n_types)
{
  const char *name = expr->name;
  const char *schema = expr->n_names > 1 ? expr->names[expr->n_names - 2].text : NULL;
  /* IN and BETWEEN mean these. */
  const char *meant[] = { name, NULL, NULL };
  gboolean builtin;

  if (self->dialect != PLUMB_DIALECT_POSTGRES)
    return SQL_TYPE_ANY;
  builtin = is_builtin_operator (name) && (schema == NULL || strcmp (schema, "pg_catalog") == 0);
  if (strcmp (name, "IN") == 0) {
    meant[0] = "=";
  } else if (strcmp (name, "BETWEEN") == 0) {
    meant[0] = "<=";
    meant[1] = ">=";
  } else if (strcmp (name, "NOT") == 0 || (schema != NULL && builtin)) {
    meant[0] = NULL;
  }
  for (guint i = 0; meant[i] != NULL; i++) {
    guint n_meant = 0;
    GPtrArray *objects = sql_objects_find (self, PLUMB_OBJECT_OPERATOR, schema, meant[i]);
    /* Of a chain the results before are operands as well, of which nothing is known. */
    SqlType open[] = { SQL_TYPE_ANY, SQL_TYPE_ANY };
    PlumbUserObject *harmful = sql_objects_find_harmful (
        self, objects, n_types <= 2 ? types : open, MIN (n_types, 2), &n_meant);

    if (harmful == NULL && n_meant == 0 && objects != NULL && objects->len > 0 &&
        sql_casts_reach_objects (self, types, n_types))
      harmful = g_ptr_array_index (objects, 0);

    if (harmful != NULL) {
      sql_check_fail (
          self,
          "The operator “%.20s” can mean one that a user made in the schema %s, which isn't known "
          "to be harmless.",
          meant[i], harmful->schema);
      return SQL_TYPE_ANY;
    }
    builtin = builtin || n_meant > 0;
  }
  if (!builtin)
    sql_check_fail (
        self, "The operator “%.20s” isn't PostgreSQL's own, and isn't known to be harmless.", name);
  else if (!sql_check_failed (self))
    refuse_hidden_cast (self, name, types, n_types);
  return guess_operator_result (name, types, n_types);
}

/* Whether values of a column's type are made without running a user's code. */
static gboolean
is_plain_type (SqlCheck *self, const char *type)
{
  GPtrArray *types;

  if (sql_type_is_builtin (type))
    return TRUE;
  types = sql_objects_find_type (self, type);
  for (guint i = 0; types != NULL && i < types->len; i++) {
    if (!sql_object_is_harmless (g_ptr_array_index (types, i)))
      return FALSE;
  }
  return types != NULL && types->len > 0;
}

/* A table's row as a type: making one from text makes a value of each column. */
static PlumbTable *
find_row_type (SqlCheck *self, SqlExpr *type)
{
  return sql_relation_lookup (self, type->n_names > 1 ? type->names[type->n_names - 2].text : NULL,
                              type->names[type->n_names - 1].text);
}

static gboolean
is_plain_row (SqlCheck *self, PlumbTable *table)
{
  for (guint i = 0; i < table->columns->len; i++) {
    if (!is_plain_type (self, ((PlumbColumn *) g_ptr_array_index (table->columns, i))->type))
      return FALSE;
  }
  return table->columns->len > 0;
}

/** sql_check_cast: like sql_check_call(), for a cast */
SqlType
sql_check_cast (SqlCheck *self, SqlExpr *cast, SqlType from)
{
  const char *name = cast->names[cast->n_names - 1].text;
  const char *schema = cast->n_names > 1 ? cast->names[cast->n_names - 2].text : NULL;
  gboolean builtin;
  PlumbTable *row;
  GPtrArray *types;
  guint n_harmful = 0;

  if (self->dialect != PLUMB_DIALECT_POSTGRES)
    return SQL_TYPE_ANY;
  builtin = sql_type_is_builtin (name) && (schema == NULL || strcmp (schema, "pg_catalog") == 0);
  types = builtin ? NULL : sql_objects_find (self, PLUMB_OBJECT_TYPE, schema, name);
  for (guint i = 0; types != NULL && i < types->len; i++)
    n_harmful += sql_object_is_harmless (g_ptr_array_index (types, i)) ? 0 : 1;
  row = builtin ? NULL : find_row_type (self, cast);
  if (!builtin && (n_harmful > 0 ||
                   (row != NULL ? !is_plain_row (self, row) : types == NULL || types->len == 0)))
    sql_check_fail (
        self,
        "The type “%.60s” isn't PostgreSQL's own, and values of it can run code of a user (a "
        "domain's check, a cast). Cast to a built-in type instead.",
        name);
  /* A literal, and what only names a type, is read by the type itself. A cast of arrays casts their
   * elements. */
  else if (cast->args.n > 0 && from != SQL_TYPE_LITERAL &&
           !sql_casts_judge (self, name, cast->name != NULL ? SQL_TYPE_ANY : from))
    sql_check_fail (
        self,
        "Casting to “%.60s” can run a function that a user made, which isn't known to be harmless.",
        name);
  if (cast->name != NULL)
    return builtin ? SQL_TYPE_ARRAY : SQL_TYPE_ANY;
  if (row != NULL)
    return SQL_TYPE_ROW;
  return builtin ? sql_type_from_name (name) : SQL_TYPE_ANY;
}

/* Whether a composite type that users made has a field @name, so that (value).name is that field,
 * and no function of that name can be meant where the value is of another type after all. */
static gboolean
is_field (SqlCheck *self, const char *name, SqlType from)
{
  static const char *const own_functions = "^(pg_|lo_|txid_|binary_upgrade_|brin_|gin_|ts_|xml|"
                                           "inet_|nextval|setval|currval|lastval|set|query_to|"
                                           "table_to|schema_to|database_to|cursor_to|dblink|current)";
  GPtrArray *types = sql_objects_find (self, PLUMB_OBJECT_TYPE, NULL, NULL);
  guint n_meant = 0;

  if (g_regex_match_simple (own_functions, name, G_REGEX_CASELESS, 0) ||
      sql_objects_find_harmful (self, sql_objects_find (self, PLUMB_OBJECT_FUNCTION, NULL, name),
                                &from, 1, &n_meant) != NULL)
    return FALSE;
  for (guint i = 0; types != NULL && i < types->len; i++) {
    PlumbUserObject *type = g_ptr_array_index (types, i);

    if (type->fields != NULL && g_strv_contains ((const char *const *) type->fields, name))
      return TRUE;
  }
  return FALSE;
}

/**
 * sql_check_field:
 * @name: what stands behind the dot
 * @from: what is known of the value before it
 * @of_function: whether the value is what a function gave
 *
 * Returns: whether PostgreSQL's reading of `(value).name` as `name(value)` is harmless
 */
gboolean
sql_check_field (SqlCheck *self, const char *name, SqlType from, gboolean of_function)
{
  SqlExpr call = { .kind = SQL_EXPR_FUNCTION };
  SqlName names[] = { { name, TRUE } };
  guint n_meant = 0;

  /* Rows of the engine's functions have fields of these names, which are no functions of its
   * own. */
  if (of_function && sql_function_gives_field (name))
    return sql_objects_find_harmful (self, sql_objects_find (self, PLUMB_OBJECT_FUNCTION, NULL, name), &from, 1,
                         &n_meant) == NULL;
  if (from != SQL_TYPE_ROW && is_field (self, name, from))
    return TRUE;
  call.names = names;
  call.n_names = 1;
  return judge_plain_name (self, NULL, &call, &from, 1, &n_meant);
}
