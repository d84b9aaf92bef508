/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-sqlite-private.h"

#include <string.h>

/* Functions of SQLite 3.40 that compute from their arguments and nothing else, sorted. What isn't
 * here is refused: load_extension, fts3_tokenizer, optimize, and whatever a later version brings.
 */
static const char *const harmless_functions[] = {
  "->",
  "->>",
  "abs",
  "acos",
  "acosh",
  "asin",
  "asinh",
  "atan",
  "atan2",
  "atanh",
  "avg",
  "bm25",
  "ceil",
  "ceiling",
  "changes",
  "char",
  "coalesce",
  "concat",
  "concat_ws",
  "cos",
  "cosh",
  "count",
  "cume_dist",
  "current_date",
  "current_time",
  "current_timestamp",
  "date",
  "datetime",
  "degrees",
  "dense_rank",
  "exp",
  "first_value",
  "floor",
  "format",
  "geopoly_area",
  "geopoly_bbox",
  "geopoly_blob",
  "geopoly_ccw",
  "geopoly_contains_point",
  "geopoly_json",
  "geopoly_overlap",
  "geopoly_regular",
  "geopoly_svg",
  "geopoly_within",
  "geopoly_xform",
  "glob",
  "group_concat",
  "hex",
  "highlight",
  "ifnull",
  "iif",
  "instr",
  "json",
  "json_array",
  "json_array_length",
  "json_error_position",
  "json_extract",
  "json_group_array",
  "json_group_object",
  "json_insert",
  "json_object",
  "json_patch",
  "json_quote",
  "json_remove",
  "json_replace",
  "json_set",
  "json_type",
  "json_valid",
  "julianday",
  "lag",
  "last_insert_rowid",
  "last_value",
  "lead",
  "length",
  "like",
  "likelihood",
  "likely",
  "ln",
  "log",
  "log10",
  "log2",
  "lower",
  "ltrim",
  "match",
  "matchinfo",
  "max",
  "min",
  "mod",
  "nth_value",
  "ntile",
  "nullif",
  "octet_length",
  "offsets",
  "percent_rank",
  "pi",
  "pow",
  "power",
  "printf",
  "quote",
  "radians",
  "random",
  "randomblob",
  "rank",
  "regexp",
  "replace",
  "round",
  "row_number",
  "rtrim",
  "sign",
  "sin",
  "sinh",
  "snippet",
  "soundex",
  "sqlite_version",
  "sqrt",
  "strftime",
  "string_agg",
  "substr",
  "substring",
  "subtype",
  "sum",
  "tan",
  "tanh",
  "time",
  "timediff",
  "total",
  "total_changes",
  "trim",
  "trunc",
  "typeof",
  "unhex",
  "unicode",
  "unixepoch",
  "unlikely",
  "upper",
  "zeroblob",
};

/* Table-valued functions that read nothing but their arguments. */
static const char *const harmless_tables[] = { "json_each", "json_tree", NULL };

static int
compare_names (const void *key, const void *member)
{
  return g_ascii_strcasecmp (key, *(const char *const *) member);
}

static gboolean
is_harmless_function (const char *name)
{
  return name != NULL && bsearch (name, harmless_functions, G_N_ELEMENTS (harmless_functions),
                                  sizeof harmless_functions[0], compare_names) != NULL;
}

static int
refuse (PlumbSqliteConnection *self, char *why)
{
  if (self->refused == NULL)
    self->refused = why;
  else
    g_free (why);
  return SQLITE_DENY;
}

static int
authorize_read (PlumbSqliteConnection *self, const char *table, const char *column,
                const char *database)
{
  /* A name in FROM of which no column is used comes as it was written, before it is resolved: it
   * may be a common table expression. */
  gboolean resolved = database != NULL || *column != '\0';

  if (g_ascii_strncasecmp (table, "pragma_", strlen ("pragma_")) == 0 ||
      g_ascii_strcasecmp (table, "dbstat") == 0 || g_ascii_strcasecmp (table, "sqlite_stmt") == 0 ||
      g_ascii_strcasecmp (table, "sqlite_dbpage") == 0 ||
      g_ascii_strcasecmp (table, "bytecode") == 0 || g_ascii_strcasecmp (table, "tables_used") == 0)
    return refuse (self,
                   g_strdup_printf ("The table function %s looks into the engine and not into "
                                    "the data. Use the tables of the database.",
                                    table));
  if (self->reads != NULL && !g_strv_contains (harmless_tables, table) &&
      (resolved || !g_hash_table_contains (self->reads, table)))
    g_hash_table_replace (self->reads, g_strdup (table), GINT_TO_POINTER (resolved));
  return SQLITE_OK;
}

/**
 * plumb_sqlite_authorize:
 *
 * SQLite's own word on each thing that a statement would do, asked while it is compiled. Only
 * reading passes; everything that isn't named here doesn't.
 */
int
plumb_sqlite_authorize (gpointer connection, int action, const char *first, const char *second,
                        const char *database, const char *inner)
{
  PlumbSqliteConnection *self = connection;

  if (!self->guarded)
    return SQLITE_OK;
  switch (action) {
  case SQLITE_SELECT:
  case SQLITE_RECURSIVE:
    return SQLITE_OK;
  case SQLITE_READ:
    return authorize_read (self, first, second != NULL ? second : "", database);
  case SQLITE_FUNCTION:
    if (is_harmless_function (second))
      return SQLITE_OK;
    return refuse (self,
                   g_strdup_printf ("The function %s is not on the list of functions that only "
                                    "compute. Write the query without it.",
                                    second));
  case SQLITE_PRAGMA:
    /* FTS5 asks for it itself, to notice that the file has changed. */
    if (g_ascii_strcasecmp (first, "data_version") == 0 && second == NULL)
      return SQLITE_OK;
    G_GNUC_FALLTHROUGH;
  default:
    return refuse (self,
                   g_strdup ("Only reading is allowed here: no change of data, schema or "
                             "settings, no ATTACH, no PRAGMA, no transaction. Write a SELECT."));
  }
}
