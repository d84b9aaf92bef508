/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-planner-dialect.h"

#include <string.h>

/* Which letters a name may have that stands without quotes: engines fold the others. */
typedef enum {
  BARE_ANY,
  BARE_LOWER,
  BARE_UPPER,
  BARE_NEVER,
} BareNames;

/* How the number of rows is limited; all stand behind an ORDER BY. */
typedef enum {
  LIMIT_CLAUSE,
  LIMIT_FETCH_FIRST,
  LIMIT_OFFSET_FETCH,
} LimitStyle;

/* In templates, $ stands for the column, @ for where a part of it starts, counted from 1, and # for
 * how many characters it has. */
struct _PlannerDialect {
  const char *engine; /* what its name has in it, in small letters */
  char open, close;   /* around names */
  BareNames bare;
  LimitStyle limit;
  const char *as; /* before the name of a table in FROM */
  gboolean backslashes;
  gboolean rounds_sums;
  const char *date;        /* a date as a literal, $ for its text */
  const char *date_format; /* of that text, as g_date_strftime() takes it */
  const char *text;        /* a number as text */
  const char *part;
  const char *join_before, *join, *join_after; /* around and between texts that are put together */
  const char *lower;
  const char *units[PLANNER_UNIT_YEAR + 1]; /* of a date; NULL for what the engine can't say */
};

/* PostgreSQL's and Oracle's have to_char() in common. */
#define TO_CHAR_UNITS(week)                                                                        \
  {                                                                                                \
    [PLANNER_UNIT_DAY] = "to_char($, 'YYYY-MM-DD')", [PLANNER_UNIT_WEEK] = week,                   \
    [PLANNER_UNIT_MONTH] = "to_char($, 'YYYY-MM')",                                                \
    [PLANNER_UNIT_QUARTER] = "to_char($, 'YYYY-\"Q\"Q')",                                          \
    [PLANNER_UNIT_YEAR] = "to_char($, 'YYYY')",                                                    \
  }

#define MYSQL(name)                                                                                \
  {                                                                                                \
    .engine = name, .open = '`', .close = '`', .bare = BARE_ANY, .limit = LIMIT_CLAUSE,            \
    .as = " AS ", .backslashes = TRUE, .date = "$", .date_format = "%Y-%m-%d", .text = "$",        \
    .part = "substr($, @, #)", .join_before = "CONCAT(", .join = ", ", .join_after = ")",          \
    .lower = "LOWER($)",                                                                           \
    .units = {                                                                                     \
      [PLANNER_UNIT_DAY] = "DATE_FORMAT($, '%Y-%m-%d')",                                           \
      [PLANNER_UNIT_WEEK] = "DATE_FORMAT(DATE_SUB($, INTERVAL WEEKDAY($) DAY), '%Y-%m-%d')",       \
      [PLANNER_UNIT_MONTH] = "DATE_FORMAT($, '%Y-%m')",                                            \
      [PLANNER_UNIT_QUARTER] = "CONCAT(YEAR($), '-Q', QUARTER($))",                                \
      [PLANNER_UNIT_YEAR] = "DATE_FORMAT($, '%Y')",                                                \
    },                                                                                             \
  }

#define ORACLE(name)                                                                               \
  {                                                                                                \
    .engine = name, .open = '"', .close = '"', .bare = BARE_UPPER, .limit = LIMIT_FETCH_FIRST,     \
    .as = " ", .date = "DATE $", .date_format = "%Y-%m-%d", .text = "to_char($)",                  \
    .part = "substr($, @, #)", .join_before = "", .join = " || ", .join_after = "",                \
    .lower = "LOWER($)", .units = TO_CHAR_UNITS ("to_char(TRUNC($, 'IW'), 'YYYY-MM-DD')"),         \
  }

/* The last is for engines that are reached by ODBC and not known: what SQL's standard has. Weeks are
 * named by their Monday. */
static const PlannerDialect dialects[] = {
  {
      .engine = "sqlite",
      .open = '"',
      .close = '"',
      .bare = BARE_ANY,
      .limit = LIMIT_CLAUSE,
      .as = " AS ",
      .rounds_sums = TRUE,
      .date = "$",
      .date_format = "%Y-%m-%d",
      .text = "$",
      .part = "substr($, @, #)",
      .join_before = "",
      .join = " || ",
      .join_after = "",
      .lower = "LOWER($)",
      .units = { [PLANNER_UNIT_WEEK] = "date($, '-6 days', 'weekday 1')" },
  },
  {
      .engine = "postgres",
      .open = '"',
      .close = '"',
      .bare = BARE_LOWER,
      .limit = LIMIT_CLAUSE,
      .as = " AS ",
      .date = "DATE $",
      .date_format = "%Y-%m-%d",
      .text = "CAST($ AS text)",
      .part = "substr($, @, #)",
      .join_before = "",
      .join = " || ",
      .join_after = "",
      .lower = "LOWER(CAST($ AS TEXT))",
      .units = TO_CHAR_UNITS ("to_char(date_trunc('week', $), 'YYYY-MM-DD')"),
  },
  MYSQL ("mariadb"),
  MYSQL ("mysql"),
  {
      .engine = "clickhouse",
      .open = '`',
      .close = '`',
      .bare = BARE_ANY,
      .limit = LIMIT_CLAUSE,
      .as = " AS ",
      .backslashes = TRUE,
      .date = "toDate($)",
      .date_format = "%Y-%m-%d",
      .text = "toString($)",
      .part = "substring($, @, #)",
      .join_before = "concat(",
      .join = ", ",
      .join_after = ")",
      .lower = "lowerUTF8($)",
      .units = {
        [PLANNER_UNIT_DAY] = "toString(toDate($))",
        [PLANNER_UNIT_WEEK] = "toString(toMonday($))",
        [PLANNER_UNIT_MONTH] = "substring(toString(toDate($)), 1, 7)",
        [PLANNER_UNIT_QUARTER] = "concat(toString(toYear($)), '-Q', toString(toQuarter($)))",
        [PLANNER_UNIT_YEAR] = "toString(toYear($))",
      },
  },
  ORACLE ("oracle"),
  ORACLE ("tibero"),
  {
      .engine = "sql server",
      .open = '[',
      .close = ']',
      .bare = BARE_ANY,
      .limit = LIMIT_OFFSET_FETCH,
      .as = " AS ",
      /* The one form that no language setting of the server reads otherwise. */
      .date = "$",
      .date_format = "%Y%m%d",
      .text = "CAST($ AS varchar(10))",
      .part = "substring($, @, #)",
      .join_before = "",
      .join = " + ",
      .join_after = "",
      .lower = "LOWER($)",
      .units = {
        [PLANNER_UNIT_DAY] = "CONVERT(varchar(10), $, 23)",
        /* 1900-01-01 was a Monday. */
        [PLANNER_UNIT_WEEK] =
            "CONVERT(varchar(10), DATEADD(day, -(DATEDIFF(day, '19000101', $) % 7), $), 23)",
        [PLANNER_UNIT_MONTH] = "CONVERT(varchar(7), $, 23)",
        [PLANNER_UNIT_QUARTER] =
            "CAST(YEAR($) AS varchar(4)) + '-Q' + CAST(DATEPART(quarter, $) AS varchar(1))",
        [PLANNER_UNIT_YEAR] = "CAST(YEAR($) AS varchar(4))",
      },
  },
  {
      .engine = "",
      .open = '"',
      .close = '"',
      .bare = BARE_NEVER,
      .limit = LIMIT_FETCH_FIRST,
      .as = " ",
      .date = "DATE $",
      .date_format = "%Y-%m-%d",
      .text = "CAST($ AS VARCHAR(10))",
      .part = "SUBSTRING($ FROM @ FOR #)",
      .join_before = "",
      .join = " || ",
      .join_after = "",
      .lower = "LOWER($)",
      .units = {
        [PLANNER_UNIT_DAY] = "CAST($ AS DATE)",
        [PLANNER_UNIT_MONTH] = "EXTRACT(YEAR FROM $) * 100 + EXTRACT(MONTH FROM $)",
        [PLANNER_UNIT_YEAR] = "EXTRACT(YEAR FROM $)",
      },
  },
};

/** planner_dialect_find: Returns: (transfer none): how @engine, a name in small letters, writes */
const PlannerDialect *
planner_dialect_find (const char *engine)
{
  guint i = 0;

  while (strstr (engine, dialects[i].engine) == NULL)
    i++;
  return &dialects[i];
}

/* Words that can't stand bare as a name in one engine or another, sorted. */
static const char *const reserved[] = {
  "access",        "add",          "all",          "alter",        "analyse",      "analyze",
  "and",           "any",          "array",        "as",           "asc",          "asof",
  "asymmetric",    "audit",        "authorization", "backup",      "before",       "begin",
  "between",       "bigint",       "binary",       "blob",         "both",         "break",
  "browse",        "bulk",         "by",           "call",         "cascade",      "case",
  "cast",          "change",       "char",         "character",    "check",        "checkpoint",
  "close",         "cluster",      "clustered",    "coalesce",     "collate",      "collation",
  "column",        "comment",      "commit",       "compress",     "compute",      "concurrently",
  "condition",     "connect",      "constraint",   "contains",     "continue",     "convert",
  "create",        "cross",        "cube",         "current",      "current_date", "current_role",
  "current_time",  "current_user", "cursor",       "database",     "databases",    "date",
  "day",           "dec",          "decimal",      "declare",      "default",      "deferrable",
  "delayed",       "delete",       "deny",         "desc",         "describe",     "disk",
  "distinct",      "distributed",  "div",          "do",           "double",       "drop",
  "dual",          "dump",         "each",         "else",         "elseif",       "empty",
  "enclosed",      "end",          "escape",       "escaped",      "except",       "exclusive",
  "exec",          "execute",      "exists",       "exit",         "explain",      "external",
  "false",         "fetch",        "file",         "final",        "float",        "for",
  "force",         "foreign",      "format",       "freeze",       "from",         "full",
  "fulltext",      "function",     "generated",    "get",          "global",       "goto",
  "grant",         "group",        "grouping",     "groups",       "having",       "identified",
  "identity",      "if",           "ignore",       "ilike",        "immediate",    "in",
  "increment",     "index",        "initial",      "initially",    "inner",        "inout",
  "insert",        "int",          "integer",      "intersect",    "interval",     "into",
  "is",            "isnull",       "iterate",      "join",         "key",          "keys",
  "kill",          "lag",          "lateral",      "lead",         "leading",      "leave",
  "left",          "level",        "like",         "limit",        "linear",       "lines",
  "load",          "localtime",    "lock",         "long",         "loop",         "match",
  "maxvalue",      "merge",        "minus",        "mod",          "mode",         "modify",
  "month",         "national",     "natural",      "not",          "notnull",      "nowait",
  "null",          "nullif",       "number",       "numeric",      "of",           "off",
  "offline",       "offset",       "offsets",      "on",           "online",       "only",
  "open",          "optimize",     "option",       "or",           "order",        "out",
  "outer",         "over",         "overlaps",     "partition",    "percent",      "pivot",
  "placing",       "plan",         "precision",    "prewhere",     "primary",      "print",
  "prior",         "privileges",   "proc",         "procedure",    "public",       "purge",
  "range",         "rank",         "raw",          "read",         "reads",        "real",
  "recursive",     "references",   "regexp",       "release",      "rename",       "repeat",
  "replace",       "require",      "resource",     "restore",      "restrict",     "return",
  "returning",     "revert",       "revoke",       "right",        "rlike",        "row",
  "row_number",    "rowcount",     "rowid",        "rownum",       "rows",         "rule",
  "sample",        "save",         "schema",       "schemas",      "select",       "semi",
  "separator",     "session",      "session_user", "set",          "settings",     "share",
  "show",          "signal",       "similar",      "size",         "smallint",     "some",
  "spatial",       "specific",     "sql",          "ssl",          "start",        "starting",
  "statistics",    "stored",       "successful",   "symmetric",    "synonym",      "sysdate",
  "system",        "system_user",  "table",        "tablesample",  "terminated",   "textsize",
  "then",          "time",         "tinyint",      "to",           "top",          "totals",
  "trailing",      "tran",         "transaction",  "trigger",      "true",         "truncate",
  "uid",           "undo",         "union",        "unique",       "unlock",       "unpivot",
  "unsigned",      "update",       "usage",        "use",          "user",         "using",
  "validate",      "value",        "values",       "varbinary",    "varchar",      "varchar2",
  "variadic",      "varying",      "verbose",      "view",         "virtual",      "waitfor",
  "when",          "whenever",     "where",        "while",        "window",       "with",
  "write",         "xor",          "year",         "zerofill",
};

static int
compare_words (const void *word, const void *entry)
{
  return strcmp (word, *(const char *const *) entry);
}

static gboolean
is_reserved (const char *name)
{
  g_autofree char *word = g_ascii_strdown (name, -1);

  return bsearch (word, reserved, G_N_ELEMENTS (reserved), sizeof reserved[0], compare_words) !=
         NULL;
}

static gboolean
is_plain (const PlannerDialect *self, const char *name)
{
  if (self->bare == BARE_NEVER || (!g_ascii_isalpha (name[0]) && name[0] != '_') ||
      (self->bare == BARE_UPPER && name[0] == '_'))
    return FALSE;
  for (const char *p = name; *p != '\0'; p++) {
    if ((!g_ascii_isalnum (*p) && *p != '_') ||
        (g_ascii_isupper (*p) && self->bare == BARE_LOWER) ||
        (g_ascii_islower (*p) && self->bare == BARE_UPPER))
      return FALSE;
  }
  return !is_reserved (name);
}

static void
append_quoted (const PlannerDialect *self, GString *sql, const char *name)
{
  g_string_append_c (sql, self->open);
  for (const char *p = name; *p != '\0'; p++) {
    if (*p == self->close || (*p == '\\' && self->backslashes && *self->engine == 'c'))
      g_string_append_c (sql, *p);
    g_string_append_c (sql, *p);
  }
  g_string_append_c (sql, self->close);
}

/** planner_dialect_append_name: adds the name of a schema, table or column, quoted where it must be */
void
planner_dialect_append_name (const PlannerDialect *self, GString *sql, const char *name)
{
  if (is_plain (self, name))
    g_string_append (sql, name);
  else
    append_quoted (self, sql, name);
}

/** planner_dialect_append_alias: adds a name that the planner gives to a column of the result, so
 * that it comes back as it is; @name: in small letters */
void
planner_dialect_append_alias (const PlannerDialect *self, GString *sql, const char *name)
{
  if (self->bare == BARE_UPPER || self->bare == BARE_NEVER)
    append_quoted (self, sql, name);
  else
    g_string_append (sql, name);
}

/** planner_dialect_append_table: adds the name of a table with its schema */
void
planner_dialect_append_table (const PlannerDialect *self, GString *sql, const PlumbCard *card)
{
  if (*card->schema != '\0' &&
      !(g_str_equal (self->engine, "sqlite") && g_str_equal (card->schema, "main"))) {
    planner_dialect_append_name (self, sql, card->schema);
    g_string_append_c (sql, '.');
  }
  planner_dialect_append_name (self, sql, card->name);
}

/** planner_dialect_append_as: names the table before it in FROM; @name: plain */
void
planner_dialect_append_as (const PlannerDialect *self, GString *sql, const char *name)
{
  g_string_append_printf (sql, "%s%s", self->as, name);
}

/** planner_dialect_append_literal: adds @text as a literal */
void
planner_dialect_append_literal (const PlannerDialect *self, GString *sql, const char *text)
{
  g_string_append_c (sql, '\'');
  for (const char *p = text; *p != '\0'; p++) {
    if (*p == '\'' || (*p == '\\' && self->backslashes))
      g_string_append_c (sql, *p);
    g_string_append_c (sql, *p);
  }
  g_string_append_c (sql, '\'');
}

static void
append_filled (GString *sql, const char *template, const char *column, guint start, guint length)
{
  for (const char *p = template; *p != '\0'; p++) {
    if (*p == '$')
      g_string_append (sql, column);
    else if (*p == '@' || *p == '#')
      g_string_append_printf (sql, "%u", *p == '@' ? start : length);
    else
      g_string_append_c (sql, *p);
  }
}

/** planner_dialect_append_date: adds @date as a column whose dates have @form is compared with it */
void
planner_dialect_append_date (const PlannerDialect *self, GString *sql, PlannerDateForm form,
                             const GDate *date)
{
  const char *formats[] = {
    [PLANNER_DATE_NONE] = "%Y-%m-%d",         [PLANNER_DATE_TYPED] = self->date_format,
    [PLANNER_DATE_ISO_TEXT] = "%Y-%m-%d",     [PLANNER_DATE_COMPACT_TEXT] = "%Y%m%d",
    [PLANNER_DATE_COMPACT_NUMBER] = "%Y%m%d", [PLANNER_DATE_MONTH_TEXT] = "%Y%m",
    [PLANNER_DATE_MONTH_NUMBER] = "%Y%m",
  };
  g_autofree char *text = planner_date_to_string (date, formats[form]);
  g_autoptr (GString) literal = g_string_new (NULL);

  if (form == PLANNER_DATE_COMPACT_NUMBER || form == PLANNER_DATE_MONTH_NUMBER) {
    g_string_append (sql, text);
    return;
  }
  planner_dialect_append_literal (self, literal, text);
  append_filled (sql, form == PLANNER_DATE_TYPED ? self->date : "$", literal->str, 0, 0);
}

/** planner_dialect_append_limit: ends a statement with ORDER BY so that it gives @limit rows */
void
planner_dialect_append_limit (const PlannerDialect *self, GString *sql, gint64 limit)
{
  if (self->limit == LIMIT_CLAUSE)
    g_string_append_printf (sql, "\nLIMIT %" G_GINT64_FORMAT, limit);
  else
    g_string_append_printf (sql, "\n%s %" G_GINT64_FORMAT " ROWS ONLY",
                            self->limit == LIMIT_FETCH_FIRST ? "FETCH FIRST"
                                                             : "OFFSET 0 ROWS FETCH NEXT",
                            limit);
}

/** planner_dialect_append_lower: adds @column, an expression, in small letters */
void
planner_dialect_append_lower (const PlannerDialect *self, GString *sql, const char *column)
{
  append_filled (sql, self->lower, column, 0, 0);
}

static void
append_quarter (const PlannerDialect *self, GString *sql, const char *text, gboolean compact)
{
  g_autoptr (GString) month = g_string_new (NULL);

  append_filled (month, self->part, text, compact ? 5 : 6, 2);
  g_string_append (sql, self->join_before);
  append_filled (sql, self->part, text, 1, 4);
  g_string_append_printf (sql,
                          "%s'-Q'%sCASE WHEN %s <= '03' THEN '1' WHEN %s <= '06' THEN '2' WHEN %s "
                          "<= '09' THEN '3' ELSE '4' END%s",
                          self->join, self->join, month->str, month->str, month->str,
                          self->join_after);
}

/* Only SQLite reads a text as a date in the same way everywhere. */
static gboolean
append_week (const PlannerDialect *self, GString *sql, const char *text, gboolean compact)
{
  g_autoptr (GString) day = g_string_new (NULL);

  if (!g_str_equal (self->engine, "sqlite"))
    return FALSE;
  append_filled (day, self->part, text, 1, compact ? 4 : 10);
  for (guint i = 0; compact && i < 2; i++) {
    g_string_append (day, " || '-' || ");
    append_filled (day, self->part, text, 5 + 2 * i, 2);
  }
  append_filled (sql, self->units[PLANNER_UNIT_WEEK], day->str, 0, 0);
  return TRUE;
}

/**
 * planner_dialect_write_unit:
 * @column: the column, as the statement calls it
 * @form: how its dates stand there
 * @unit: a unit of time
 *
 * Returns: (transfer full) (nullable): the @unit that a date is in, as something that sorts: weeks by
 *   the date of their Monday; %NULL where the dates don't tell it or the engine can't say it
 */
char *
planner_dialect_write_unit (const PlannerDialect *self, const char *column, PlannerDateForm form,
                            PlannerUnit unit)
{
  gboolean compact = form != PLANNER_DATE_ISO_TEXT;
  gboolean months_only = form == PLANNER_DATE_MONTH_TEXT || form == PLANNER_DATE_MONTH_NUMBER;
  guint length = unit == PLANNER_UNIT_YEAR  ? 4
                 : unit == PLANNER_UNIT_DAY ? (compact ? 8 : 10)
                                            : (compact ? 6 : 7);
  g_autoptr (GString) sql = g_string_new (NULL);
  g_autoptr (GString) text = g_string_new (NULL);

  if (form == PLANNER_DATE_TYPED) {
    if (self->units[unit] == NULL)
      return NULL;
    append_filled (sql, self->units[unit], column, 0, 0);
    return g_string_free (g_steal_pointer (&sql), FALSE);
  }
  if (months_only && (unit == PLANNER_UNIT_DAY || unit == PLANNER_UNIT_WEEK))
    return NULL;
  append_filled (text,
                 form == PLANNER_DATE_COMPACT_NUMBER || form == PLANNER_DATE_MONTH_NUMBER
                     ? self->text
                     : "$",
                 column, 0, 0);
  if (unit == PLANNER_UNIT_QUARTER)
    append_quarter (self, sql, text->str, compact);
  else if (unit != PLANNER_UNIT_WEEK)
    append_filled (sql, self->part, text->str, 1, length);
  else if (!append_week (self, sql, text->str, compact))
    return NULL;
  return g_string_free (g_steal_pointer (&sql), FALSE);
}

/** planner_dialect_rounds_sums: Returns: whether the engine adds decimals as binary fractions, so
 * that what their type doesn't hold has to be taken off a sum again */
gboolean
planner_dialect_rounds_sums (const PlannerDialect *self)
{
  return self->rounds_sums;
}
