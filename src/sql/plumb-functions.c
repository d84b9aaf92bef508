/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-functions-private.h"

#include <string.h>

#include "plumb-sql-check.h"
#include "plumb-sql-words.h"

/* What is known of functions by their names. */

static const char *const functions[] = {
  [PLUMB_DIALECT_POSTGRES] = sql_functions_postgres,
  [PLUMB_DIALECT_MARIADB] = sql_functions_mariadb,
  [PLUMB_DIALECT_CLICKHOUSE] = sql_functions_clickhouse,
  [PLUMB_DIALECT_SQLITE] = sql_functions_sqlite,
  [PLUMB_DIALECT_ORACLE] = sql_functions_oracle,
  [PLUMB_DIALECT_SQLSERVER] = sql_functions_sqlserver,
  [PLUMB_DIALECT_GENERIC] = sql_functions_generic,
};

static const char *const row_functions[] = {
  [PLUMB_DIALECT_POSTGRES] = "",
  [PLUMB_DIALECT_MARIADB] = sql_row_functions_mariadb,
  [PLUMB_DIALECT_CLICKHOUSE] = sql_row_functions_clickhouse,
  [PLUMB_DIALECT_SQLITE] = sql_row_functions_sqlite,
  [PLUMB_DIALECT_ORACLE] = sql_row_functions_oracle,
  [PLUMB_DIALECT_SQLSERVER] = sql_row_functions_sqlserver,
  [PLUMB_DIALECT_GENERIC] = "json_table unnest generate_series",
};

static const char aggregates[] =
    "any any_value approx_count_distinct approx_median approx_percentile array_agg avg bit_and "
    "bit_or bit_xor bool_and bool_or checksum_agg collect corr count count_big covar_pop "
    "covar_samp every group_concat json_agg json_array_agg json_arrayagg json_group_array "
    "json_group_object json_object_agg json_objectagg jsonb_agg jsonb_object_agg listagg max "
    "median min mode percentile_cont percentile_disc range_agg regr_avgx regr_avgy regr_count "
    "regr_intercept regr_r2 regr_slope regr_sxx regr_sxy regr_syy stats_mode std stddev "
    "stddev_pop stddev_samp stdev stdevp string_agg sum total var var_pop var_samp variance varp "
    "xmlagg";

/* Values that are written without parentheses. */
static const char builtin_values[] =
    "TRUE FALSE CURRENT_DATE CURRENT_TIME CURRENT_TIMESTAMP LOCALTIME LOCALTIMESTAMP "
    "CURRENT_USER SESSION_USER SYSTEM_USER USER CURRENT_ROLE CURRENT_CATALOG CURRENT_SCHEMA "
    "UTC_DATE UTC_TIME UTC_TIMESTAMP UNKNOWN";

static const char oracle_values[] =
    "SYSDATE SYSTIMESTAMP ROWNUM LEVEL UID CONNECT_BY_ISLEAF CONNECT_BY_ISCYCLE SESSIONTIMEZONE "
    "DBTIMEZONE COLUMN_VALUE OBJECT_VALUE OBJECT_ID XMLDATA ORA_INVOKING_USER ANY";

static const char *const endings[] = { "SimpleState", "State",    "MergeState", "Merge",
                                       "ForEach",     "Distinct", "OrDefault",  "OrNull",
                                       "Resample",    "ArgMin",   "ArgMax",     "Array",
                                       "Map",         "If",       NULL };

/* ClickHouse puts endings to aggregate functions: sumIf, uniqExactState, avgOrNullIf. Takes them
 * off. */
static char *
strip_endings (const char *name)
{
  static GHashTable *known;
  g_autofree char *stripped = g_strdup (name);

  for (guint depth = 0; depth < 8; depth++) {
    g_autofree char *lower = g_ascii_strdown (stripped, -1);
    gboolean found = FALSE;

    if (sql_word_list_contains (&known, sql_aggregates_clickhouse, lower))
      return g_steal_pointer (&lower);
    for (guint i = 0; endings[i] != NULL && !found; i++) {
      found = g_str_has_suffix (stripped, endings[i]) && strlen (stripped) > strlen (endings[i]);
      if (found)
        stripped[strlen (stripped) - strlen (endings[i])] = '\0';
    }
    if (!found)
      return NULL;
  }
  return NULL;
}

/** sql_function_is_harmless: Returns: whether the engine's own function @name only works out a
 * value */
gboolean
sql_function_is_harmless (PlumbDialect dialect, const char *name)
{
  static GHashTable *sets[PLUMB_DIALECT_GENERIC + 1];
  g_autofree char *lower = g_ascii_strdown (name, -1);
  g_autofree char *aggregate = NULL;

  /* PostgreSQL's names are stored in lower case, and another case is another function. */
  if (sql_word_list_contains (&sets[dialect], functions[dialect],
                              dialect == PLUMB_DIALECT_POSTGRES ? name : lower) ||
      (dialect != PLUMB_DIALECT_POSTGRES && sql_function_gives_rows (dialect, name)))
    return TRUE;
  if (dialect == PLUMB_DIALECT_CLICKHOUSE)
    aggregate = strip_endings (name);
  return aggregate != NULL;
}

/** sql_function_gives_rows: Returns: whether @name may stand in FROM */
gboolean
sql_function_gives_rows (PlumbDialect dialect, const char *name)
{
  static GHashTable *sets[PLUMB_DIALECT_GENERIC + 1];
  g_autofree char *lower = NULL;

  if (dialect == PLUMB_DIALECT_POSTGRES)
    return TRUE;
  lower = g_ascii_strdown (name, -1);
  return sql_word_list_contains (&sets[dialect], row_functions[dialect], lower);
}

/** sql_function_gives_field: Returns: whether rows of PostgreSQL's own functions have a field
 * @name */
gboolean
sql_function_gives_field (const char *name)
{
  static GHashTable *fields;

  return sql_word_list_contains (&fields, sql_function_fields, name);
}

/** sql_function_aggregate: Returns: (transfer full) (nullable): the plain name of the aggregate
 * @name; %NULL where it is none */
char *
sql_function_aggregate (PlumbDialect dialect, const char *name)
{
  static GHashTable *known;
  static GHashTable *windows;
  g_autofree char *lower = NULL;

  if (dialect == PLUMB_DIALECT_CLICKHOUSE)
    lower = strip_endings (name);
  if (lower == NULL)
    lower = g_ascii_strdown (name, -1);
  else if (!sql_word_list_contains (
               &windows,
               "row_number rank dense_rank denserank lag lead laginframe leadinframe "
               "first_value last_value nth_value ntile cume_dist percent_rank percentrank",
               lower))
    return g_steal_pointer (&lower);
  return sql_word_list_contains (&known, aggregates, lower) ? g_steal_pointer (&lower) : NULL;
}

/** sql_name_is_builtin_value: Returns: whether @upper is a value of the engine, such as
 * CURRENT_DATE */
gboolean
sql_name_is_builtin_value (PlumbDialect dialect, const char *upper)
{
  static GHashTable *common;
  static GHashTable *oracle;

  return sql_word_list_contains (&common, builtin_values, upper) ||
         (dialect == PLUMB_DIALECT_ORACLE &&
          sql_word_list_contains (&oracle, oracle_values, upper));
}

/* Extensions of PostgreSQL, with the functions of theirs that aren't harmless, or, where only some
 * are, a prefix and those that are. */
static const struct {
  const char *name;
  const char *harmful;
  const char *prefix;
  const char *harmless;
} extensions[] = {
  { "pg_trgm", "set_limit", NULL, NULL },
  { "hstore", "populate_record #=", NULL, NULL },
  { "citext", "", NULL, NULL },
  { "ltree", "", NULL, NULL },
  { "cube", "", NULL, NULL },
  { "seg", "", NULL, NULL },
  { "isn", "isn_weak accept_isn", NULL, NULL },
  { "earthdistance", "", NULL, NULL },
  { "intarray", "", NULL, NULL },
  { "intagg", "", NULL, NULL },
  { "btree_gin", "", NULL, NULL },
  { "btree_gist", "", NULL, NULL },
  { "unaccent", "", NULL, NULL },
  { "fuzzystrmatch", "", NULL, NULL },
  { "pgcrypto", "", NULL, NULL },
  { "uuid-ossp", "", NULL, NULL },
  { "tsm_system_rows", "", NULL, NULL },
  { "tsm_system_time", "", NULL, NULL },
  { "vector", "", NULL, NULL },
  { "pg_bigm", "", NULL, NULL },
  { "ip4r", "", NULL, NULL },
  { "tdigest", "", NULL, NULL },
  { "hll", "hll_set_defaults hll_set_max_sparse hll_set_output_version", NULL, NULL },
  { "tablefunc", NULL, NULL, "normal_rand" },
  { "xml2", NULL, NULL,
    "xml_valid xml_encode_special_chars xpath_string xpath_number xpath_bool xpath_nodeset "
    "xpath_list" },
  { "timescaledb", NULL, NULL,
    "time_bucket time_bucket_ng time_bucket_gapfill first last locf interpolate histogram "
    "approximate_row_count" },
  { "h3", NULL, "h3_", "" },
  { "postgis",
    "st_estimatedextent st_estimated_extent st_findextent st_find_extent st_fromflatgeobuftotable",
    "st_",
    "geometry geography box2d box3d box bytea text json jsonb path point polygon postgis_version "
    "postgis_lib_version postgis_full_version geometrytype spheroid geomfromewkt geomfromewkb" },
  { "postgis_sfcgal", "", "st_", "" },
};

/**
 * sql_extension_judge:
 * @extension: an extension of PostgreSQL
 * @function: a function, operator or type of it
 *
 * Returns: (nullable): why it isn't harmless; %NULL where it is
 */
const char *
sql_extension_judge (const char *extension, const char *function)
{
  static GHashTable *harmful[G_N_ELEMENTS (extensions)];
  static GHashTable *harmless[G_N_ELEMENTS (extensions)];
  gboolean is_operator = strpbrk (function,
                                  "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_") == NULL;
  guint i = 0;

  while (i < G_N_ELEMENTS (extensions) && strcmp (extensions[i].name, extension) != 0)
    i++;
  if (i == G_N_ELEMENTS (extensions))
    return "What the extension does isn't known.";
  if (extensions[i].harmful != NULL &&
      sql_word_list_contains (&harmful[i], extensions[i].harmful, function))
    return "This function of the extension reads or changes more than its arguments.";
  if (is_operator)
    return NULL;
  if (extensions[i].harmless == NULL ||
      (extensions[i].prefix != NULL && g_str_has_prefix (function, extensions[i].prefix)) ||
      sql_word_list_contains (&harmless[i], extensions[i].harmless, function))
    return NULL;
  return "This function of the extension isn't known to be harmless.";
}
