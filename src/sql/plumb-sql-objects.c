/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-sql-check.h"

#include <string.h>

#include "plumb-sql-words.h"

/* What users made that a call, an operator or a conversion can mean, as the source tells. */

/** sql_objects_find: Returns: (transfer none) (nullable): what users made of that kind and name; see
 * PlumbCheckContext */
GPtrArray *
sql_objects_find (SqlCheck *self, PlumbObjectKind kind, const char *schema, const char *name)
{
  if (self->context == NULL || self->context->find_objects == NULL)
    return NULL;
  return self->context->find_objects (kind, schema, name, self->context->user_data);
}

/** sql_object_is_harmless: Returns: whether the object may be called. An extension's objects go by
 * what is known of it */
gboolean
sql_object_is_harmless (const PlumbUserObject *object)
{
  if (object->verdict != PLUMB_OBJECT_UNKNOWN)
    return object->verdict == PLUMB_OBJECT_HARMLESS;
  return object->extension != NULL && sql_extension_judge (object->extension, object->name) == NULL;
}

/** sql_objects_find_type: Returns: (transfer none) (nullable): users' types of that name, as
 * format_type() spells it */
GPtrArray *
sql_objects_find_type (SqlCheck *self, const char *spelled)
{
  const char *dot = strrchr (spelled, '.');
  g_autofree char *schema = dot != NULL ? g_strndup (spelled, dot - spelled) : NULL;
  g_autofree char *name = g_strdup (dot != NULL ? dot + 1 : spelled);

  name[strcspn (name, "([")] = '\0';
  if (schema != NULL)
    g_strstrip (g_strdelimit (schema, "\"", ' '));
  return sql_objects_find (self, PLUMB_OBJECT_TYPE, schema,
                           g_strstrip (g_strdelimit (name, "\"", ' ')));
}

static gboolean can_take (SqlCheck *self, SqlType given, const char *wanted, guint depth);

/* A parameter whose type a user made: plain values aren't turned into it without a cast, but for a
 * domain, which takes what its base takes. */
static gboolean
can_take_users (SqlCheck *self, SqlType given, const char *wanted, guint depth)
{
  GPtrArray *types = sql_objects_find_type (self, wanted);

  if (given == SQL_TYPE_OTHER || given == SQL_TYPE_ROW || depth > 16)
    return TRUE;
  for (guint i = 0; types != NULL && i < types->len; i++) {
    PlumbUserObject *type = g_ptr_array_index (types, i);

    if (type->base != NULL && can_take (self, given, type->base, depth + 1))
      return TRUE;
  }
  return FALSE;
}

/* Whether PostgreSQL can choose a parameter of the type @wanted for a value of the type @given. */
static gboolean
can_take (SqlCheck *self, SqlType given, const char *wanted, guint depth)
{
  SqlType type = sql_type_from_name (wanted);

  if (given == SQL_TYPE_ANY || given == SQL_TYPE_LITERAL)
    return TRUE;
  /* Numbers and texts become object numbers by themselves, times become intervals. */
  if (strcmp (wanted, "oid") == 0 || g_str_has_prefix (wanted, "reg"))
    return given == SQL_TYPE_NUMBER || given == SQL_TYPE_STRING || given == SQL_TYPE_OTHER ||
           given == SQL_TYPE_OWN;
  if (type == SQL_TYPE_INTERVAL && given == SQL_TYPE_TIME)
    return TRUE;
  if (type != SQL_TYPE_ANY)
    return given == type || given == SQL_TYPE_OWN;
  /* The pseudo-types take anything. */
  if (g_str_has_prefix (wanted, "any") || strcmp (wanted, "record") == 0 ||
      g_str_has_prefix (wanted, "\"any"))
    return TRUE;
  return can_take_users (self, given, wanted, depth);
}

/* Whether a call with these values can mean @object. */
static gboolean
can_mean (SqlCheck *self, const PlumbUserObject *object, const SqlType *types, guint n_types)
{
  guint n = object->arguments != NULL ? g_strv_length (object->arguments) : 0;

  if (object->arguments == NULL)
    return TRUE;
  if (n_types > n && !object->variadic)
    return FALSE;
  if (n_types + object->n_defaults + (object->variadic ? 1 : 0) < n)
    return FALSE;
  for (guint i = 0; self->dialect == PLUMB_DIALECT_POSTGRES && i < MIN (n, n_types); i++) {
    if (object->variadic && i == n - 1)
      break;
    if (!can_take (self, types[i], object->arguments[i], 0))
      return FALSE;
  }
  return TRUE;
}

/** sql_objects_find_harmful: Returns: (transfer none) (nullable): the first object that a call with
 * these values can mean and that isn't harmless; @n_meant counts all it can */
PlumbUserObject *
sql_objects_find_harmful (SqlCheck *self, GPtrArray *objects, const SqlType *types, guint n_types,
              guint *n_meant)
{
  PlumbUserObject *harmful = NULL;

  for (guint i = 0; objects != NULL && i < objects->len; i++) {
    PlumbUserObject *object = g_ptr_array_index (objects, i);

    if (!can_mean (self, object, types, n_types))
      continue;
    *n_meant += 1;
    if (harmful == NULL && !sql_object_is_harmless (object))
      harmful = object;
  }
  return harmful;
}

/* Whether a value of that type can be what @cast takes. */
static gboolean
can_be_cast (SqlCheck *self, SqlType given, const PlumbUserObject *cast)
{
  if (given == SQL_TYPE_LITERAL)
    return FALSE;
  return cast->arguments == NULL || cast->arguments[0] == NULL ||
         can_take (self, given, cast->arguments[0], 0);
}

/* Casts that aren't harmless. They are asked for at every operator, so they are kept. */
static SqlList *
get_harmful_casts (SqlCheck *self)
{
  GPtrArray *casts = self->casts_known ? NULL
                                       : sql_objects_find (self, PLUMB_OBJECT_CAST, NULL, NULL);

  self->casts_known = TRUE;
  for (guint i = 0; casts != NULL && i < casts->len; i++) {
    if (!sql_object_is_harmless (g_ptr_array_index (casts, i)))
      sql_list_add (self->arena, &self->casts, g_ptr_array_index (casts, i));
  }
  return &self->casts;
}

/** sql_casts_reach_objects: Returns: whether a cast that a user made and that PostgreSQL applies by
 * itself can make one of these values fit a parameter of any type */
gboolean
sql_casts_reach_objects (SqlCheck *self, const SqlType *types, guint n_types)
{
  SqlList *casts = get_harmful_casts (self);

  for (guint i = 0; i < casts->n; i++) {
    PlumbUserObject *cast = casts->items[i];

    for (guint k = 0; cast->implicit && k < n_types; k++) {
      if (can_be_cast (self, types[k], cast))
        return TRUE;
    }
  }
  return FALSE;
}

/* Whether the types are one and the same family, which a built-in can then take as it is. */
static gboolean
are_one_family (const SqlType *types, guint n_types)
{
  SqlType family = SQL_TYPE_LITERAL;

  for (guint i = 0; i < n_types; i++) {
    if (types[i] == SQL_TYPE_LITERAL)
      continue;
    if (types[i] == SQL_TYPE_ANY || types[i] == SQL_TYPE_OWN || types[i] == SQL_TYPE_ROW ||
        (family != SQL_TYPE_LITERAL && types[i] != family))
      return FALSE;
    family = types[i];
  }
  return TRUE;
}

/* Functions that take a value of any type as it is. */
static const char open_functions[] =
    "count row_number rank dense_rank ntile lag lead first_value last_value nth_value array_agg "
    "any_value json_agg jsonb_agg json_build_object jsonb_build_object json_build_array "
    "jsonb_build_array json_object_agg jsonb_object_agg to_json to_jsonb row_to_json num_nulls "
    "num_nonnulls concat concat_ws format pg_typeof pg_column_size mode grouping GROUPING";

/* Of these, those that turn a value into JSON by a cast, where there is one. */
static const char json_functions[] =
    "json_agg jsonb_agg json_build_object jsonb_build_object json_build_array jsonb_build_array "
    "json_object_agg jsonb_object_agg to_json to_jsonb row_to_json array_to_json";

/* Functions and operators that there are for numbers and for times, and what is read as them. */
static const char native_functions[] =
    "= <> != < > <= >= + - * / % ^ IN BETWEEN [] ARRAY COALESCE GREATEST NULLIF CASE coalesce sum avg "
    "min max round trunc abs ceil ceiling floor mod div power pow sqrt sign exp ln log stddev "
    "stddev_pop stddev_samp variance var_pop var_samp to_char generate_series percentile_cont "
    "percentile_disc date_trunc date_part extract age corr covar_pop covar_samp regr_slope "
    "regr_intercept regr_r2 width_bucket bit_and bit_or bool_and bool_or every min_scale scale "
    "greatest least random make_date make_interval to_timestamp factorial gcd lcm degrees radians";

static gboolean
is_native (const char *name, const SqlType *types, guint n_types)
{
  static GHashTable *native;

  return are_one_family (types, n_types) &&
         (n_types == 0 || sql_word_list_contains (&native, native_functions, name));
}

/**
 * sql_casts_find_hidden:
 * @name: a function, operator or syntax of PostgreSQL itself
 * @types: what is known of what it takes
 *
 * PostgreSQL converts a value by an implicit cast of a user's where a built-in doesn't take it as
 * it is; JSON functions use even explicit ones.
 *
 * Returns: (transfer none) (nullable): a harmful cast that can be run so
 */
PlumbUserObject *
sql_casts_find_hidden (SqlCheck *self, const char *name, const SqlType *types, guint n_types)
{
  static GHashTable *open;
  static GHashTable *json;
  SqlList *casts = get_harmful_casts (self);
  gboolean is_open, to_json, native;

  if (casts->n == 0)
    return NULL;
  is_open = sql_word_list_contains (&open, open_functions, name);
  to_json = sql_word_list_contains (&json, json_functions, name);
  native = is_native (name, types, n_types);
  for (guint i = 0; i < casts->n; i++) {
    PlumbUserObject *cast = casts->items[i];
    gboolean runs = (cast->implicit && !is_open && !native) ||
                    (to_json && sql_type_from_name (cast->name) == SQL_TYPE_JSON);

    if (!runs || !sql_type_is_builtin (cast->name))
      continue;
    for (guint k = 0; k < n_types; k++) {
      if (can_be_cast (self, types[k], cast))
        return cast;
    }
  }
  return NULL;
}

/** sql_casts_judge: Returns: whether a cast to the type @name can't be one that a user made and that
 * isn't harmless, from what is known of the value */
gboolean
sql_casts_judge (SqlCheck *self, const char *name, SqlType from)
{
  SqlList *casts = get_harmful_casts (self);
  SqlType family = sql_type_from_name (name);

  for (guint i = 0; i < casts->n; i++) {
    PlumbUserObject *cast = casts->items[i];

    /* A built-in type has several names; its family stands for all of them. */
    if (strcmp (cast->name, name) != 0 &&
        (family == SQL_TYPE_ANY || sql_type_from_name (cast->name) != family))
      continue;
    if (cast->arguments == NULL || cast->arguments[0] == NULL ||
        can_take (self, from, cast->arguments[0], 0))
      return FALSE;
  }
  return TRUE;
}
