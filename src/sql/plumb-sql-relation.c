/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-sql-check.h"

#include <string.h>

#include "plumb-sql-words.h"

/* Which table, view or CTE a name in FROM means, and whether reading it is harmless. */

/* Views that show others' statements, data, files or secrets, and what isn't known, are no part of
 * these. */
static const char postgres_system[] =
    "pg_aggregate pg_am pg_amop pg_amproc pg_attrdef pg_attribute pg_available_extensions "
    "pg_available_extension_versions pg_cast pg_class pg_collation pg_constraint pg_conversion "
    "pg_database pg_depend pg_description pg_enum pg_event_trigger pg_extension "
    "pg_foreign_data_wrapper pg_foreign_server pg_foreign_table pg_group pg_index pg_indexes "
    "pg_inherits pg_language pg_locks pg_matviews pg_namespace pg_opclass pg_operator "
    "pg_opfamily pg_partitioned_table pg_policies pg_policy pg_proc pg_publication "
    "pg_publication_tables pg_range pg_rewrite pg_roles pg_rules pg_sequence pg_sequences "
    "pg_settings pg_shdepend pg_shdescription pg_stat_all_indexes "
    "pg_stat_all_tables pg_stat_bgwriter pg_stat_database pg_stat_sys_indexes pg_stat_sys_tables "
    "pg_stat_user_functions pg_stat_user_indexes pg_stat_user_tables pg_stat_xact_all_tables "
    "pg_stat_xact_user_tables pg_stat_progress_vacuum pg_stat_progress_analyze "
    "pg_stat_progress_create_index pg_stat_replication pg_stat_wal pg_statio_all_indexes "
    "pg_statio_all_tables pg_statio_user_indexes pg_statio_user_tables pg_statistic_ext "
    "pg_tables pg_tablespace pg_timezone_abbrevs pg_timezone_names pg_trigger pg_ts_config "
    "pg_ts_config_map pg_ts_dict pg_ts_parser pg_ts_template pg_type pg_user pg_views";

static const char clickhouse_system[] =
    "one numbers numbers_mt zeros zeros_mt tables columns databases functions settings formats "
    "table_functions table_engines data_type_families aggregate_function_combinators collations "
    "build_options contributors licenses parts parts_columns detached_parts dictionaries merges "
    "mutations metrics events asynchronous_metrics replicas clusters macros disks "
    "storage_policies data_skipping_indices time_zones merge_tree_settings";

static const char sqlserver_system[] =
    "all_columns all_objects all_views allocation_units check_constraints columns data_spaces "
    "databases default_constraints extended_properties foreign_key_columns foreign_keys "
    "identity_columns index_columns indexes key_constraints objects partitions partition_schemes "
    "schemas sequences stats stats_columns synonyms sysobjects syscolumns sysindexes sysusers "
    "tables triggers types views computed_columns";

SqlRelation *
sql_relation_new (SqlCheck *self)
{
  SqlRelation *relation = sql_arena_alloc (self->arena, sizeof (SqlRelation));

  relation->table = -1;
  return relation;
}

void
sql_relation_add (SqlCheck *self, SqlRelation *relation, const char *name, SqlType type)
{
  SqlOutput *output = sql_arena_alloc (self->arena, sizeof (SqlOutput));

  output->name = name != NULL ? name : "";
  output->type = type;
  sql_list_add (self->arena, &relation->outputs, output);
}

static gboolean
is_word_in (GHashTable **set, const char *words, const char *name)
{
  g_autofree char *lower = g_ascii_strdown (name, -1);

  return sql_word_list_contains (set, words, lower);
}

static gboolean
is_dual (SqlCheck *self, const char *name)
{
  if (self->dialect == PLUMB_DIALECT_ORACLE)
    return strcmp (name, "DUAL") == 0;
  return (self->dialect == PLUMB_DIALECT_MARIADB || self->dialect == PLUMB_DIALECT_GENERIC) &&
         g_ascii_strcasecmp (name, "dual") == 0;
}

/* Whether a table of the engine itself is known to be harmless. */
static gboolean
is_harmless_system_table (SqlCheck *self, const char *schema, const char *name)
{
  static GHashTable *postgres;
  static GHashTable *clickhouse;
  static GHashTable *sqlserver;

  if (g_ascii_strcasecmp (schema, "information_schema") == 0)
    return self->dialect != PLUMB_DIALECT_MARIADB ||
           (g_ascii_strncasecmp (name, "INNODB_", 7) != 0 &&
            g_ascii_strcasecmp (name, "PROCESSLIST") != 0);
  switch (self->dialect) {
  case PLUMB_DIALECT_POSTGRES:
    return is_word_in (&postgres, postgres_system, name);
  case PLUMB_DIALECT_CLICKHOUSE:
    return is_word_in (&clickhouse, clickhouse_system, name);
  case PLUMB_DIALECT_SQLSERVER:
    return is_word_in (&sqlserver, sqlserver_system, name);
  case PLUMB_DIALECT_ORACLE:
    return g_str_has_prefix (name, "ALL_") || g_str_has_prefix (name, "USER_");
  case PLUMB_DIALECT_SQLITE:
    return g_ascii_strcasecmp (name, "sqlite_master") == 0 ||
           g_ascii_strcasecmp (name, "sqlite_schema") == 0 ||
           g_ascii_strcasecmp (name, "sqlite_sequence") == 0 ||
           g_ascii_strcasecmp (name, "sqlite_stat1") == 0;
  case PLUMB_DIALECT_MARIADB:
  case PLUMB_DIALECT_GENERIC:
  default:
    return FALSE;
  }
}

/* The engine's own schema that a name without one, or with this one, can mean; NULL for none. */
static const char *
find_system_schema (SqlCheck *self, const char *schema, const char *name)
{
  static const char *const postgres[] = { "pg_catalog", "information_schema", "pg_toast", NULL };
  static const char *const mariadb[] = { "information_schema", "mysql", "performance_schema", "sys",
                                         NULL };
  static const char *const clickhouse[] = { "system", "information_schema", "INFORMATION_SCHEMA",
                                            NULL };
  static const char *const sqlserver[] = { "sys", "information_schema", NULL };
  static const char *const oracle[] = { "SYS", "SYSTEM", "PUBLIC", NULL };
  static const char *const generic[] = { "information_schema", NULL };
  static const char *const none[] = { NULL };
  static const char *const *const all[] = {
    [PLUMB_DIALECT_POSTGRES] = postgres, [PLUMB_DIALECT_MARIADB] = mariadb,
    [PLUMB_DIALECT_CLICKHOUSE] = clickhouse, [PLUMB_DIALECT_SQLITE] = none,
    [PLUMB_DIALECT_ORACLE] = oracle, [PLUMB_DIALECT_SQLSERVER] = sqlserver,
    [PLUMB_DIALECT_GENERIC] = generic,
  };

  if (self->dialect == PLUMB_DIALECT_SQLITE)
    return g_ascii_strncasecmp (name, "sqlite_", 7) == 0 ? "main" : NULL;
  if (schema == NULL) {
    if (self->dialect == PLUMB_DIALECT_POSTGRES && g_str_has_prefix (name, "pg_"))
      return "pg_catalog";
    if (self->dialect == PLUMB_DIALECT_ORACLE &&
        (g_str_has_prefix (name, "ALL_") || g_str_has_prefix (name, "USER_") ||
         g_str_has_prefix (name, "DBA_")))
      return "SYS";
    return NULL;
  }
  for (guint i = 0; all[self->dialect][i] != NULL; i++) {
    if (g_ascii_strcasecmp (all[self->dialect][i], schema) == 0)
      return all[self->dialect][i];
  }
  return NULL;
}

/* Whether the engine may find tables without regard to case. MariaDB does on some systems; where it
 * doesn't, it finds none, which is harmless. */
static gboolean
folds_tables (SqlCheck *self)
{
  return self->dialect == PLUMB_DIALECT_SQLITE || self->dialect == PLUMB_DIALECT_SQLSERVER ||
         self->dialect == PLUMB_DIALECT_GENERIC || self->dialect == PLUMB_DIALECT_MARIADB;
}

static PlumbTable *
find_in_catalog (SqlCheck *self, const char *schema, const char *name)
{
  PlumbCatalog *catalog = self->context->catalog;
  PlumbTable *table = schema != NULL ? plumb_catalog_find (catalog, schema, name) : NULL;

  for (guint i = 0;
       table == NULL && (folds_tables (self) || schema == NULL) && i < catalog->tables->len; i++) {
    PlumbTable *candidate = g_ptr_array_index (catalog->tables, i);

    if ((schema == NULL || sql_check_same_column (self, candidate->schema, schema)) &&
        sql_check_same_column (self, candidate->name, name))
      table = candidate;
  }
  return table;
}

static const char *
get_default_schema (SqlCheck *self)
{
  if (self->context != NULL && self->context->default_schema != NULL)
    return self->context->default_schema;
  switch (self->dialect) {
  case PLUMB_DIALECT_POSTGRES:
    return "public";
  case PLUMB_DIALECT_SQLITE:
    return "main";
  case PLUMB_DIALECT_SQLSERVER:
    return "dbo";
  case PLUMB_DIALECT_MARIADB:
  case PLUMB_DIALECT_CLICKHOUSE:
  case PLUMB_DIALECT_ORACLE:
  case PLUMB_DIALECT_GENERIC:
  default:
    return NULL;
  }
}

static PlumbTable *
search_catalog (SqlCheck *self, const char *schema, const char *name)
{
  const char *const *path = self->context->search_path;
  PlumbTable *table = NULL;

  if (schema != NULL)
    return find_in_catalog (self, schema, name);
  for (guint i = 0; path != NULL && path[i] != NULL && table == NULL; i++)
    table = find_in_catalog (self, path[i], name);
  if (table == NULL && path == NULL)
    table = find_in_catalog (self, get_default_schema (self), name);
  return table;
}

/* Reads what a view stands for and checks it as well: a view can call what a statement may not. */
static void
check_view (SqlCheck *self, PlumbTable *table)
{
  const PlumbCheckContext *context = self->context;
  g_autofree char *name = plumb_table_name_join (NULL, table->schema, table->name);
  g_autofree char *definition = NULL;

  if (context->get_view_definition == NULL) {
    sql_check_warn (self, "What the view %s calls isn't known.", name);
    return;
  }
  if (self->views == NULL)
    self->views = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  if (!g_hash_table_add (self->views, g_strdup (name)))
    return;
  definition = context->get_view_definition (table->schema, table->name, context->user_data);
  if (definition == NULL)
    sql_check_fail (
        self,
        "The text of the view %s can't be read, so what it calls isn't known. Ask for the "
        "right to see it (SHOW VIEW), or read its tables.",
        name);
  else if (g_hash_table_size (self->views) > 200)
    sql_check_fail (self, "The view %s stands on too many other views.", name);
  else
    sql_check_view_text (self, name, definition);
}

/* What only the source can tell of a table or view that the catalog has. */
static void
check_relation (SqlCheck *self, PlumbTable *table)
{
  const PlumbCheckContext *context = self->context;
  PlumbObjectVerdict verdict = PLUMB_OBJECT_HARMLESS;
  g_autofree char *name = plumb_table_name_join (NULL, table->schema, table->name);

  if (context->check_relation != NULL)
    verdict = context->check_relation (table->schema, table->name, context->user_data);
  if (verdict != PLUMB_OBJECT_HARMLESS) {
    sql_check_fail (
        self,
        "Reading %s runs code of its own (a row security policy, or an engine that reaches "
        "out), which isn't known to be harmless.",
        name);
  } else if (table->kind == PLUMB_TABLE_KIND_VIEW) {
    check_view (self, table);
  } else if (table->kind == PLUMB_TABLE_KIND_FOREIGN) {
    sql_check_warn (self, "%s is a foreign table: its rows come from another server.", name);
  }
}

static SqlRelation *
relation_of_table (SqlCheck *self, PlumbTable *table)
{
  SqlRelation *relation = sql_relation_new (self);

  for (guint i = 0; i < table->columns->len; i++) {
    PlumbColumn *column = g_ptr_array_index (table->columns, i);

    sql_relation_add (self, relation, column->name,
                      self->dialect == PLUMB_DIALECT_POSTGRES ? sql_type_from_name (column->type)
                                                              : SQL_TYPE_ANY);
  }
  relation->known = table->columns->len > 0;
  relation->table = sql_check_add_table (self, table->schema, table->name);
  return relation;
}

/* Takes a name apart; FALSE when it has parts that no table of this database has. */
static gboolean
split_name (SqlCheck *self, SqlName *names, guint n_names, const char **schema, const char **name)
{
  guint most = self->dialect == PLUMB_DIALECT_POSTGRES || self->dialect == PLUMB_DIALECT_SQLSERVER
                   ? 3
                   : 2;
  const char *database = n_names > 2 ? names[n_names - 3].text : NULL;

  *name = names[n_names - 1].text;
  *schema = n_names > 1 && *names[n_names - 2].text != '\0' ? names[n_names - 2].text : NULL;
  if (n_names > most || (database != NULL && self->dialect == PLUMB_DIALECT_SQLSERVER)) {
    sql_check_fail (
        self,
        "The table “%s” is named with a server or database of its own. Only tables of this "
        "database can be read.",
        *name);
    return FALSE;
  }
  if (self->dialect == PLUMB_DIALECT_SQLITE && *schema != NULL &&
      g_ascii_strcasecmp (*schema, "main") != 0) {
    sql_check_fail (self, "The schema “%s” is no part of this database. Its tables stand in main.",
                    *schema);
    return FALSE;
  }
  if (self->dialect == PLUMB_DIALECT_SQLITE && *schema != NULL)
    *schema = "main";
  return TRUE;
}

static SqlRelation *
relation_of_name (SqlCheck *self, const char *schema, const char *name)
{
  SqlRelation *relation = sql_relation_new (self);

  relation->table = sql_check_add_table (self, schema, name);
  return relation;
}

/* SQLite: virtual tables that are there without being made, some of which read more than themselves
 * or have effects. */
static gboolean
is_eponymous_table (SqlCheck *self, const char *name)
{
  static GHashTable *names;

  if (self->dialect != PLUMB_DIALECT_SQLITE)
    return FALSE;
  return g_ascii_strncasecmp (name, "pragma_", 7) == 0 ||
         is_word_in (
             &names,
             "bytecode carray closure completion csv dbstat fsdir fts3tokenize fts4aux fts5vocab "
             "generate_series json_each json_tree readfile sqlite_dbdata sqlite_dbpage "
             "sqlite_dbptr sqlite_stmt swarmvtab tables_used unionvtab wholenumber zipfile",
             name);
}

static SqlRelation *
find_base_table (SqlCheck *self, const char **schema, const char *name)
{
  PlumbTable *table = NULL;
  const char *system = find_system_schema (self, *schema, name);

  /* PostgreSQL looks into its own schema first. */
  if (self->context != NULL && self->context->catalog != NULL &&
      (system == NULL || self->dialect != PLUMB_DIALECT_POSTGRES))
    table = search_catalog (self, *schema, name);
  if (table != NULL) {
    check_relation (self, table);
    if (*schema == NULL)
      *schema = table->schema;
    return relation_of_table (self, table);
  }
  if (system != NULL) {
    if (!is_harmless_system_table (self, system, name))
      sql_check_fail (self, "The system table %s.%s isn't known to be harmless to read.", system,
                      name);
    return relation_of_name (
        self, *schema != NULL && self->dialect != PLUMB_DIALECT_SQLITE ? *schema : system, name);
  }
  if (is_eponymous_table (self, name)) {
    sql_check_fail (
        self, "“%s” isn't a table of this database but a part of the engine. Read a table.", name);
  } else if (self->context != NULL && self->context->catalog != NULL) {
    g_autofree char *full = plumb_table_name_join (NULL, *schema, name);

    sql_check_fail (
        self,
        "There is no table “%s” in this database, or it can't be read. Search for the table "
        "first.",
        full);
  }
  if (*schema == NULL)
    *schema = get_default_schema (self);
  return relation_of_name (self, *schema, name);
}

/* MariaDB: seq_1_to_10 gives numbers, as a table that nobody made. */
static gboolean
is_number_sequence (SqlCheck *self, const char *name)
{
  return self->dialect == PLUMB_DIALECT_MARIADB &&
         g_regex_match_simple ("^seq_[0-9]+_to_[0-9]+(_step_[0-9]+)?$", name, G_REGEX_CASELESS, 0);
}

/* The query that WITH gives that name. Where a database can have regard to case, another spelling
 * of it means a table, if there is one. */
static SqlRelation *
find_cte (SqlCheck *self, SqlCteEntry *ctes, const char *name)
{
  gboolean folds = self->dialect == PLUMB_DIALECT_SQLSERVER ||
                   self->dialect == PLUMB_DIALECT_GENERIC;

  for (SqlCteEntry *entry = ctes; entry != NULL; entry = entry->outer) {
    if (!sql_check_same_name (self, entry->name, name))
      continue;
    if (!folds || strcmp (entry->name, name) == 0 || sql_relation_lookup (self, NULL, name) == NULL)
      return entry->relation;
  }
  return NULL;
}

/**
 * sql_relation_find:
 * @ctes: (nullable): names of WITH in sight
 * @schema: (out): the schema of a table
 *
 * Returns: (transfer none): what the name means. A fault is kept in @self
 */
SqlRelation *
sql_relation_find (SqlCheck *self, SqlCteEntry *ctes, SqlName *names, guint n_names,
                   const char **schema)
{
  const char *name;

  *schema = NULL;
  if (n_names == 1) {
    SqlRelation *relation = find_cte (self, ctes, names[0].text);

    if (relation != NULL)
      return relation;
  }
  if (!split_name (self, names, n_names, schema, &name))
    return sql_relation_new (self);
  if ((*schema == NULL ||
       (self->dialect == PLUMB_DIALECT_ORACLE && strcmp (*schema, "SYS") == 0)) &&
      is_dual (self, name)) {
    SqlRelation *dual = sql_relation_new (self);

    sql_relation_add (self, dual, "DUMMY", SQL_TYPE_ANY);
    dual->known = TRUE;
    return dual;
  }
  if (is_number_sequence (self, name) && (self->context == NULL || self->context->catalog == NULL ||
                                          search_catalog (self, *schema, name) == NULL)) {
    SqlRelation *sequence = sql_relation_new (self);

    sql_relation_add (self, sequence, "seq", SQL_TYPE_NUMBER);
    sequence->known = TRUE;
    return sequence;
  }
  return find_base_table (self, schema, name);
}

/** sql_relation_lookup: Returns: (transfer none) (nullable): the table that the name means, as far
 * as the catalog has it; CTEs aside */
PlumbTable *
sql_relation_lookup (SqlCheck *self, const char *schema, const char *name)
{
  if (self->context == NULL || self->context->catalog == NULL)
    return NULL;
  return search_catalog (self, schema, name);
}
