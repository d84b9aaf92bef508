/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-planner-private.h"

#include "plumb-text.h"

#include <string.h>

/* Tables with more rows than this are things with numbers of their own, not lists of codes. */
#define MAX_CODE_ROWS 100
/* Columns that are looked through for a value. */
#define MAX_PROBED_COLUMNS 12

static gboolean
is_postgres (const char *engine)
{
  return g_str_has_prefix (engine, "postgres");
}

static gboolean
is_mysql (const char *engine)
{
  return g_str_equal (engine, "mariadb") || g_str_equal (engine, "mysql");
}

static gboolean
is_clickhouse (const char *engine)
{
  return g_str_equal (engine, "clickhouse");
}

/* Words that can't stand bare as a name in one dialect or another. */
static gboolean
is_reserved (const char *name)
{
  static const char *const words[] = {
    "all",     "and",     "as",         "asc",    "between",  "by",          "case",
    "check",   "column",  "constraint", "create", "cross",    "current",     "date",
    "day",     "default", "delete",     "desc",   "distinct", "drop",        "else",
    "end",     "exists",  "from",       "full",   "grant",    "group",       "having",
    "in",      "index",   "inner",      "insert", "into",     "is",          "join",
    "key",     "left",    "like",       "limit",  "month",    "natural",     "not",
    "null",    "of",      "offset",     "on",     "or",       "order",       "outer",
    "primary", "rank",    "references", "right",  "row",      "rows",        "select",
    "set",     "table",   "then",       "time",   "to",       "transaction", "union",
    "unique",  "update",  "user",       "using",  "value",    "values",      "view",
    "when",    "where",   "window",     "with",   "year",     NULL
  };
  g_autofree char *word = g_ascii_strdown (name, -1);

  return planner_in_list (word, words);
}

/* PostgreSQL takes a bare name for its lower case. */
static gboolean
is_plain (const char *engine, const char *name)
{
  if (!g_ascii_isalpha (name[0]) && name[0] != '_')
    return FALSE;
  for (const char *p = name; *p != '\0'; p++) {
    if (!g_ascii_isalnum (*p) && *p != '_')
      return FALSE;
    if (g_ascii_isupper (*p) && !g_str_equal (engine, "sqlite") && !is_mysql (engine) &&
        !is_clickhouse (engine))
      return FALSE;
  }
  return !is_reserved (name);
}

static void
append_name (GString *sql, const char *engine, const char *name)
{
  const char *quote = is_mysql (engine) || is_clickhouse (engine) ? "`" : "\"";

  if (is_plain (engine, name)) {
    g_string_append (sql, name);
    return;
  }
  g_string_append (sql, quote);
  for (const char *p = name; *p != '\0'; p++) {
    if (*p == *quote)
      g_string_append_c (sql, *p);
    g_string_append_c (sql, *p);
  }
  g_string_append (sql, quote);
}

static void
append_literal (GString *sql, const char *engine, const char *text)
{
  g_string_append_c (sql, '\'');
  for (const char *p = text; *p != '\0'; p++) {
    if (*p == '\'' || (*p == '\\' && (is_mysql (engine) || is_clickhouse (engine))))
      g_string_append_c (sql, *p);
    g_string_append_c (sql, *p);
  }
  g_string_append_c (sql, '\'');
}

static void
append_table (GString *sql, PlannerTable *table)
{
  const char *schema = table->card->schema;

  if (*schema != '\0' && !(g_str_equal (table->engine, "sqlite") && g_str_equal (schema, "main"))) {
    append_name (sql, table->engine, schema);
    g_string_append_c (sql, '.');
  }
  append_name (sql, table->engine, table->card->name);
}

/* A table that is joined, by the foreign key column that leads to it. */
typedef struct {
  PlumbCardColumn *link;
  PlannerTable *table;
  PlumbForeignKey *key;
  gboolean keeps_all;
} Link;

static Link *
find_link (GPtrArray *links, const PlumbCardColumn *column)
{
  for (guint i = 0; i < links->len; i++) {
    Link *link = g_ptr_array_index (links, i);

    if (link->link == column)
      return link;
  }
  return NULL;
}

static void
add_link (GPtrArray *links, PlannerTrail *trail, PlannerTable *table, PlumbCardColumn *column,
          gboolean keeps_all)
{
  Link *link = find_link (links, column);
  PlumbForeignKey *key = NULL;
  PlannerTable *target;

  if (link != NULL) {
    link->keeps_all = link->keeps_all || keeps_all;
    return;
  }
  target = planner_linked_table (trail, table, column, &key, NULL);
  if (target == NULL)
    return;
  link = g_new0 (Link, 1);
  *link = (Link) { column, target, key, keeps_all };
  g_ptr_array_add (links, link);
}

/* The tables to join: those of conditions and groups, and those that have the names of keys that
 * are grouped by. Rows without a partner stay, unless a condition on the partner drops them anyway.
 */
static GPtrArray *
get_links (PlannerTrail *trail, const PlannerReading *reading)
{
  GPtrArray *links = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < reading->filters->len; i++) {
    PlannerFilter *filter = g_ptr_array_index (reading->filters, i);

    if (filter->place.link != NULL)
      add_link (links, trail, reading->table, filter->place.link, filter->negated);
  }
  for (guint i = 0; i < reading->groups->len; i++) {
    PlannerPlace *place = g_ptr_array_index (reading->groups, i);
    PlannerTable *target = planner_linked_table (trail, reading->table, place->column, NULL, NULL);

    if (place->link != NULL)
      add_link (links, trail, reading->table, place->link, TRUE);
    else if (target != NULL && target != reading->table && planner_name_column (target) != NULL)
      add_link (links, trail, reading->table, place->column, TRUE);
  }
  return links;
}

/** planner_list_links: Returns: (transfer full) (element-type PlannerTable): tables that the
 * statement will join */
GPtrArray *
planner_list_links (PlannerTrail *trail, const PlannerReading *reading)
{
  g_autoptr (GPtrArray) links = get_links (trail, reading);
  GPtrArray *tables = g_ptr_array_new ();

  for (guint i = 0; i < links->len; i++)
    g_ptr_array_add (tables, ((Link *) g_ptr_array_index (links, i))->table);
  return tables;
}

static gboolean
has_word (const char *identifier, const char *word)
{
  g_autoptr (GPtrArray) words = plumb_text_split_identifier (identifier);

  for (guint i = 0; i < words->len; i++) {
    if (planner_same_word (g_ptr_array_index (words, i), word))
      return TRUE;
  }
  return FALSE;
}

/* Whether the question says by a word of its own that this column is meant and not @other: one that
 * stands in this column's name alone, and isn't what a table is called anyway. */
static gboolean
is_told_apart (const PlumbCardColumn *column, const PlumbCardColumn *other, const Link *link,
               const PlannerReading *reading, GPtrArray *tokens)
{
  for (guint i = 0; i < tokens->len; i++) {
    const char *word = ((PlannerToken *) g_ptr_array_index (tokens, i))->word;

    if (has_word (column->name, word) && !has_word (other->name, word) &&
        !has_word (reading->table->card->name, word) && !has_word (link->table->card->name, word))
      return TRUE;
  }
  return FALSE;
}

/**
 * planner_find_ambiguous_link:
 * @tokens: (element-type PlannerToken): the question
 *
 * Two keys of one table can lead to the same other table: who sent a parcel and who got it. Which is
 * meant must be said, not guessed.
 *
 * Returns: (transfer none) (nullable): a table that the statement would join over one of several keys
 *   without the question saying which
 */
PlannerTable *
planner_find_ambiguous_link (PlannerTrail *trail, const PlannerReading *reading, GPtrArray *tokens)
{
  g_autoptr (GPtrArray) links = get_links (trail, reading);
  GPtrArray *columns = reading->table->card->columns;

  /* A value that stands for a row of the other table says as little which key is meant. */
  for (guint i = 0; i < reading->filters->len; i++) {
    const PlannerFilter *filter = g_ptr_array_index (reading->filters, i);

    if (filter->place.link == NULL && filter->place.table == reading->table)
      add_link (links, trail, reading->table, filter->place.column, FALSE);
  }

  for (guint i = 0; i < links->len; i++) {
    const Link *link = g_ptr_array_index (links, i);

    for (guint j = 0; j < columns->len; j++) {
      const PlumbCardColumn *other = g_ptr_array_index (columns, j);

      if (other != link->link &&
          planner_linked_table (trail, reading->table, other, NULL, NULL) == link->table &&
          !is_told_apart (link->link, other, link, reading, tokens))
        return link->table;
    }
  }
  return NULL;
}

/* What a statement is written with. */
typedef struct {
  PlannerTrail *trail;
  const PlannerReading *reading;
  GPtrArray *links;
  GString *sql;
} Writer;

static void
append_column (Writer *writer, const PlumbCardColumn *column, const PlumbCardColumn *link)
{
  const char *engine = writer->reading->table->engine;

  if (writer->links->len > 0) {
    guint number = 0;

    for (guint i = 0; link != NULL && i < writer->links->len; i++) {
      if (((Link *) g_ptr_array_index (writer->links, i))->link == link)
        number = i + 1;
    }
    if (number > 0)
      g_string_append_printf (writer->sql, "j%u.", number);
    else
      g_string_append (writer->sql, "t.");
  }
  append_name (writer->sql, engine, column->name);
}

static gboolean
is_numeric_text (const char *text)
{
  return g_regex_match_simple ("^-?[0-9]+(\\.[0-9]+)?$", text, 0, 0);
}

static void
append_values (Writer *writer, const PlannerFilter *filter)
{
  const PlumbCardColumn *column = filter->place.column;
  const char *engine = writer->reading->table->engine;
  gboolean many = filter->values->len > 1;
  gboolean nullable = filter->negated && (column->nullable || filter->place.link != NULL);

  if (nullable)
    g_string_append_c (writer->sql, '(');
  append_column (writer, column, filter->place.link);
  g_string_append (writer->sql, many              ? (filter->negated ? " NOT IN (" : " IN (")
                                : filter->negated ? " <> "
                                                  : " = ");
  for (guint i = 0; i < filter->values->len; i++) {
    const char *value = g_ptr_array_index (filter->values, i);

    if (i > 0)
      g_string_append (writer->sql, ", ");
    if (planner_is_number (column) && is_numeric_text (value))
      g_string_append (writer->sql, value);
    else
      append_literal (writer->sql, engine, value);
  }
  if (many)
    g_string_append_c (writer->sql, ')');
  /* A row without a value isn't one with the value that is denied. */
  if (nullable) {
    g_string_append (writer->sql, " OR ");
    append_column (writer, column, filter->place.link);
    g_string_append (writer->sql, " IS NULL)");
  }
}

static void
append_comparison (Writer *writer, const PlannerFilter *filter)
{
  append_column (writer, filter->place.column, filter->place.link);
  if (filter->upper != NULL)
    g_string_append_printf (writer->sql, " BETWEEN %s AND %s", filter->number, filter->upper);
  else
    g_string_append_printf (writer->sql, " %s %s", filter->sign, filter->number);
}

static void
append_date (Writer *writer, const PlannerPlace *place, const GDate *date)
{
  static const char *const formats[] = {
    [PLANNER_DATE_TYPED] = "%Y-%m-%d",      [PLANNER_DATE_ISO_TEXT] = "%Y-%m-%d",
    [PLANNER_DATE_COMPACT_TEXT] = "%Y%m%d", [PLANNER_DATE_COMPACT_NUMBER] = "%Y%m%d",
    [PLANNER_DATE_MONTH_TEXT] = "%Y%m",     [PLANNER_DATE_MONTH_NUMBER] = "%Y%m",
  };
  PlannerDateForm form = planner_date_form (place->table, place->column);
  g_autofree char *text = planner_date_to_string (date, formats[form]);

  if (form == PLANNER_DATE_COMPACT_NUMBER || form == PLANNER_DATE_MONTH_NUMBER) {
    g_string_append (writer->sql, text);
  } else {
    if (form == PLANNER_DATE_TYPED && is_postgres (place->table->engine))
      g_string_append (writer->sql, "DATE ");
    if (form == PLANNER_DATE_TYPED && is_clickhouse (place->table->engine))
      g_string_append (writer->sql, "toDate(");
    append_literal (writer->sql, place->table->engine, text);
    if (form == PLANNER_DATE_TYPED && is_clickhouse (place->table->engine))
      g_string_append_c (writer->sql, ')');
  }
}

static void
append_period (Writer *writer, const PlannerFilter *filter)
{
  gboolean has_from = g_date_valid (&filter->period.from);

  if (has_from) {
    append_column (writer, filter->place.column, filter->place.link);
    g_string_append (writer->sql, " >= ");
    append_date (writer, &filter->place, &filter->period.from);
  }
  if (!g_date_valid (&filter->period.to))
    return;
  if (has_from)
    g_string_append (writer->sql, " AND ");
  append_column (writer, filter->place.column, filter->place.link);
  g_string_append (writer->sql, " < ");
  append_date (writer, &filter->place, &filter->period.to);
}

static void
append_conjunction (Writer *writer, gboolean *first)
{
  g_string_append (writer->sql, *first ? " WHERE " : " AND ");
  *first = FALSE;
}

static void
append_not_null (Writer *writer, const PlumbCardColumn *column, const PlumbCardColumn *link,
                 gboolean *first)
{
  append_conjunction (writer, first);
  append_column (writer, column, link);
  g_string_append (writer->sql, " IS NOT NULL");
}

static void
append_where (Writer *writer)
{
  const PlannerReading *reading = writer->reading;
  gboolean first = TRUE;

  for (guint i = 0; i < reading->filters->len; i++) {
    PlannerFilter *filter = g_ptr_array_index (reading->filters, i);

    append_conjunction (writer, &first);
    if (filter->kind == PLANNER_FILTER_VALUES)
      append_values (writer, filter);
    else if (filter->kind == PLANNER_FILTER_COMPARE)
      append_comparison (writer, filter);
    else
      append_period (writer, filter);
  }
  /* What has no value has no place in a ranking. */
  if (reading->ranking == PLANNER_OP_NONE)
    return;
  if (reading->measure.column != NULL)
    append_not_null (writer, reading->measure.column, NULL, &first);
  for (guint i = 0; i < reading->groups->len; i++) {
    PlannerPlace *place = g_ptr_array_index (reading->groups, i);

    append_not_null (writer, place->column, place->link, &first);
  }
}

/* The stretch of time that a date is in, as text that sorts. */
static void
append_unit (Writer *writer)
{
  const PlannerReading *reading = writer->reading;
  const char *engine = reading->table->engine;
  PlannerDateForm form = planner_date_form (reading->unit_place.table, reading->unit_place.column);
  static const char *const postgres[] = { [PLANNER_UNIT_DAY] = "YYYY-MM-DD",
                                          [PLANNER_UNIT_WEEK] = "IYYY-\"W\"IW",
                                          [PLANNER_UNIT_MONTH] = "YYYY-MM",
                                          [PLANNER_UNIT_QUARTER] = "YYYY-\"Q\"Q",
                                          [PLANNER_UNIT_YEAR] = "YYYY" };
  static const char *const mysql[] = { [PLANNER_UNIT_DAY] = "%Y-%m-%d",
                                       [PLANNER_UNIT_WEEK] = "%x-W%v",
                                       [PLANNER_UNIT_MONTH] = "%Y-%m",
                                       [PLANNER_UNIT_YEAR] = "%Y" };
  gboolean compact = form != PLANNER_DATE_ISO_TEXT;
  int length = reading->unit == PLANNER_UNIT_YEAR  ? 4
               : reading->unit == PLANNER_UNIT_DAY ? (compact ? 8 : 10)
                                                   : (compact ? 6 : 7);

  if (form == PLANNER_DATE_TYPED) {
    g_string_append (writer->sql, is_postgres (engine) ? "to_char(" : "DATE_FORMAT(");
    append_column (writer, reading->unit_place.column, NULL);
    g_string_append (writer->sql, ", ");
    append_literal (writer->sql, engine,
                    is_postgres (engine) ? postgres[reading->unit] : mysql[reading->unit]);
    g_string_append_c (writer->sql, ')');
    return;
  }
  g_string_append (writer->sql, "substr(");
  append_column (writer, reading->unit_place.column, NULL);
  if (reading->unit != PLANNER_UNIT_QUARTER) {
    g_string_append_printf (writer->sql, ", 1, %d)", length);
    return;
  }
  g_string_append (writer->sql, ", 1, 4) || '-Q' || ((CAST(substr(");
  append_column (writer, reading->unit_place.column, NULL);
  g_string_append_printf (writer->sql, ", %d, 2) AS INTEGER) + 2) / 3)", compact ? 5 : 6);
}

/* Digits behind the point that the column's type declares, -1 where it declares none. */
static int
get_scale (const PlumbCardColumn *column)
{
  const char *comma = strchr (column->type, ',');

  return comma != NULL && strchr (column->type, '(') != NULL
             ? (int) g_ascii_strtoll (comma + 1, NULL, 10)
             : -1;
}

static void
append_aggregate (Writer *writer)
{
  static const char *const functions[] = { [PLANNER_OP_SUM] = "SUM",
                                           [PLANNER_OP_AVERAGE] = "AVG",
                                           [PLANNER_OP_MAXIMUM] = "MAX",
                                           [PLANNER_OP_MINIMUM] = "MIN" };
  const PlannerReading *reading = writer->reading;
  int scale;

  if (reading->op == PLANNER_OP_COUNT) {
    g_string_append (writer->sql, reading->distinct != NULL ? "COUNT(DISTINCT " : "COUNT(*)");
    if (reading->distinct != NULL) {
      append_column (writer, reading->distinct, NULL);
      g_string_append_c (writer->sql, ')');
    }
    return;
  }
  /* SQLite adds decimals as binary fractions: what the type doesn't hold is taken off again. */
  scale = reading->op == PLANNER_OP_SUM && g_str_equal (reading->table->engine, "sqlite")
              ? get_scale (reading->measure.column)
              : -1;
  g_string_append_printf (writer->sql, "%s%s(", scale >= 0 ? "ROUND(" : "", functions[reading->op]);
  append_column (writer, reading->measure.column, NULL);
  g_string_append_c (writer->sql, ')');
  if (scale >= 0)
    g_string_append_printf (writer->sql, ", %d)", scale);
}

static const char *
get_result_name (const PlannerReading *reading)
{
  static const char *const names[] = { [PLANNER_OP_COUNT] = "number",
                                       [PLANNER_OP_SUM] = "total",
                                       [PLANNER_OP_AVERAGE] = "average",
                                       [PLANNER_OP_MAXIMUM] = "largest",
                                       [PLANNER_OP_MINIMUM] = "smallest" };

  return names[reading->op];
}

static void
append_from (Writer *writer)
{
  PlannerTable *table = writer->reading->table;

  g_string_append (writer->sql, " FROM ");
  append_table (writer->sql, table);
  if (writer->links->len > 0)
    g_string_append (writer->sql, " AS t");
  for (guint i = 0; i < writer->links->len; i++) {
    Link *link = g_ptr_array_index (writer->links, i);

    g_string_append (writer->sql, link->keeps_all ? " LEFT JOIN " : " JOIN ");
    append_table (writer->sql, link->table);
    g_string_append_printf (writer->sql, " AS j%u ON j%u.", i + 1, i + 1);
    append_name (writer->sql, table->engine, link->key->ref_columns[0]);
    g_string_append (writer->sql, " = t.");
    append_name (writer->sql, table->engine, link->link->name);
  }
}

/* Adds a column to the list of what is shown, and to that of what is grouped by. */
static void
append_shown (Writer *writer, GString *groups, const PlumbCardColumn *column,
              const PlumbCardColumn *link, gboolean shown)
{
  gsize start = writer->sql->len;

  if (shown && !g_str_has_suffix (writer->sql->str, "SELECT "))
    g_string_append (writer->sql, ", ");
  start = writer->sql->len;
  append_column (writer, column, link);
  g_string_append_printf (groups, "%s%s", groups->len > 0 ? ", " : "", writer->sql->str + start);
  if (!shown)
    g_string_truncate (writer->sql, start);
}

static void
append_groups (Writer *writer, GString *groups)
{
  const PlannerReading *reading = writer->reading;

  for (guint i = 0; i < reading->groups->len; i++) {
    PlannerPlace *place = g_ptr_array_index (reading->groups, i);
    Link *link = place->link == NULL ? find_link (writer->links, place->column) : NULL;
    gboolean is_code = link != NULL && link->table->card->row_estimate >= 0 &&
                       link->table->card->row_estimate <= MAX_CODE_ROWS;

    append_shown (writer, groups, place->column, place->link, !is_code);
    if (link != NULL)
      append_shown (writer, groups, planner_name_column (link->table), place->column, TRUE);
  }
}

static void
append_limit (Writer *writer)
{
  const PlannerReading *reading = writer->reading;
  /* One more than the first shows whether it shares its place. */
  gint64 limit = reading->limit == 1 ? 2 : reading->limit;

  g_string_append_printf (writer->sql, " LIMIT %" G_GINT64_FORMAT, limit);
}

static void
write_grouped (Writer *writer)
{
  const PlannerReading *reading = writer->reading;
  g_autoptr (GString) groups = g_string_new (NULL);
  gboolean by_unit = reading->unit != PLANNER_UNIT_NONE;

  g_string_append (writer->sql, "SELECT ");
  if (by_unit) {
    gsize start = writer->sql->len;

    append_unit (writer);
    g_string_append (groups, writer->sql->str + start);
    g_string_append (writer->sql, " AS period");
  }
  append_groups (writer, groups);
  g_string_append (writer->sql, ", ");
  append_aggregate (writer);
  g_string_append_printf (writer->sql, " AS %s", get_result_name (reading));
  append_from (writer);
  append_where (writer);
  g_string_append_printf (writer->sql, " GROUP BY %s ORDER BY ", groups->str);
  if (reading->ranking != PLANNER_OP_NONE) {
    g_string_append_printf (writer->sql, "%s %s, 1", get_result_name (reading),
                            reading->ranking == PLANNER_OP_MAXIMUM ? "DESC" : "ASC");
    append_limit (writer);
  } else if (by_unit) {
    g_string_append (writer->sql, reading->groups->len > 0 ? "1, 2" : "1");
  } else {
    g_string_append_printf (writer->sql, "%s DESC, 1", get_result_name (reading));
  }
}

static void
write_ranked_rows (Writer *writer)
{
  const PlannerReading *reading = writer->reading;
  PlannerTable *table = reading->table;
  PlumbCardColumn *name = planner_name_column (table);
  g_autoptr (GString) unused = g_string_new (NULL);

  g_string_append (writer->sql, "SELECT ");
  for (guint i = 0; table->card->primary_key != NULL && table->card->primary_key[i] != NULL; i++) {
    PlumbCardColumn *column = plumb_card_find_column (table->card, table->card->primary_key[i]);

    if (column != NULL && column != reading->measure.column)
      append_shown (writer, unused, column, NULL, TRUE);
  }
  if (name != NULL && name != reading->measure.column)
    append_shown (writer, unused, name, NULL, TRUE);
  append_shown (writer, unused, reading->measure.column, NULL, TRUE);
  append_from (writer);
  append_where (writer);
  g_string_append (writer->sql, " ORDER BY ");
  append_column (writer, reading->measure.column, NULL);
  g_string_append (writer->sql, reading->ranking == PLANNER_OP_MAXIMUM ? " DESC" : " ASC");
  append_limit (writer);
}

/** planner_write_sql: Returns: (transfer full): the statement of a reading in the dialect of its
 *  database */
char *
planner_write_sql (PlannerTrail *trail, const PlannerReading *reading)
{
  g_autoptr (GPtrArray) links = get_links (trail, reading);
  g_autoptr (GString) sql = g_string_new (NULL);
  Writer writer = { trail, reading, links, sql };

  if (reading->ranking != PLANNER_OP_NONE && reading->rank_rows) {
    write_ranked_rows (&writer);
  } else if (reading->groups->len > 0 || reading->unit != PLANNER_UNIT_NONE) {
    write_grouped (&writer);
  } else {
    g_string_append (sql, "SELECT ");
    append_aggregate (&writer);
    g_string_append_printf (sql, " AS %s", get_result_name (reading));
    append_from (&writer);
    append_where (&writer);
  }
  return g_string_free (g_steal_pointer (&sql), FALSE);
}

/* Whether a column numbers things, as an order number does. */
static gboolean
is_numbering (const PlumbCardColumn *column)
{
  g_auto (GStrv) words = planner_name_words (column->name);

  return planner_has_word ((const char *const *) words, "number") ||
         planner_has_word ((const char *const *) words, "id");
}

/* Whether a text can stand in a column by its type: not in one of sentences, or of shorter texts.
 */
static gboolean
can_hold_value (PlannerTable *table, const PlumbCardColumn *column, const char *text)
{
  const char *width = strchr (column->type, '(');

  if (!planner_is_text (column) || planner_is_free_text (column) ||
      planner_date_form (table, column) != PLANNER_DATE_NONE)
    return FALSE;
  if (is_numbering (column) && strpbrk (text, "0123456789") == NULL)
    return FALSE;
  return width == NULL || g_ascii_strtoll (width + 1, NULL, 10) >= g_utf8_strlen (text, -1);
}

static void
add_probe_place (GPtrArray *places, PlannerTable *table, PlumbCardColumn *column,
                 PlumbCardColumn *link, const char *text)
{
  PlannerPlace place = { table, column, link };

  if (column != NULL && can_hold_value (table, column, text) && places->len < MAX_PROBED_COLUMNS)
    g_ptr_array_add (places, g_memdup2 (&place, sizeof place));
}

/* Words that join a question together are nobody's name. */
static gboolean
can_be_value (const PlannerSpan *span)
{
  static const char *const words[] = {
    "than",    "never",  "ever",     "always",     "only",       "both",    "between", "before",
    "after",   "since",  "until",    "most",       "least",      "more",    "less",    "fewer",
    "without", "within", "if",       "but",        "or",         "not",     "no",      "none",
    "any",     "median", "share",    "percentage", "ratio",      "rate",    "growth",  "compare",
    "versus",  "vs",     "change",   "grow",       "difference", "one",     "two",     "how",
    "when",    "why",    "first",    "last",       "second",     "best",    "worst",   "much",
    "many",    "times",  "increase", "decrease",   "also",       "percent", NULL
  };

  for (guint i = 0; span->words[i] != NULL; i++) {
    if (planner_in_list (span->words[i], words))
      return FALSE;
  }
  return TRUE;
}

/**
 * planner_probe_places:
 * @trail: the trail
 * @reading: a reading with unread words
 * @span: the unread words
 *
 * Returns: (transfer full) (element-type PlannerPlace): columns that @span can be a value of: the
 * one named right before it and the name that it leads to, else all with short texts
 */
GPtrArray *
planner_probe_places (PlannerTrail *trail, PlannerReading *reading, const PlannerSpan *span)
{
  GPtrArray *places = g_ptr_array_new_with_free_func (g_free);
  PlannerTable *table = reading->table;

  for (guint i = 0; can_be_value (span) && i < table->card->columns->len; i++) {
    PlumbCardColumn *column = g_ptr_array_index (table->card->columns, i);
    PlannerTable *linked = planner_linked_table (trail, table, column, NULL, NULL);

    if (span->before.column != NULL && span->before.column != column && span->before.link != column)
      continue;
    if (span->before.link != NULL) {
      add_probe_place (places, span->before.table, span->before.column, column, span->text);
      continue;
    }
    add_probe_place (places, table, column, NULL, span->text);
    /* "customer Around the Horn": what is known of customers can be their name. */
    for (guint j = 0; linked != NULL && linked != table && span->before.column == column &&
                      planner_name_column (linked) == NULL && j < linked->card->columns->len;
         j++)
      add_probe_place (places, linked, g_ptr_array_index (linked->card->columns, j), column,
                       span->text);
    if (linked != NULL && linked != table)
      add_probe_place (places, linked, planner_name_column (linked), column, span->text);
  }
  return places;
}

static void
append_probe (Writer *writer, const PlannerPlace *place, guint span, guint number, const char *text)
{
  const char *engine = place->table->engine;
  const char *before = is_postgres (engine) ? "LOWER(CAST(" : "LOWER(";
  const char *after = is_postgres (engine) ? " AS TEXT))" : ")";

  g_string_append_printf (writer->sql, "%sSELECT %u AS word, %u AS place, ",
                          writer->sql->len > 0 ? " UNION ALL " : "", span, number);
  append_name (writer->sql, engine, place->column->name);
  g_string_append (writer->sql, " AS found, COUNT(*) AS number FROM ");
  append_table (writer->sql, place->table);
  g_string_append_printf (writer->sql, " WHERE %s", before);
  append_name (writer->sql, engine, place->column->name);
  g_string_append_printf (writer->sql, "%s = LOWER(", after);
  append_literal (writer->sql, engine, text);
  g_string_append (writer->sql, ") GROUP BY ");
  append_name (writer->sql, engine, place->column->name);
}

/** planner_write_probe: Returns: (transfer full) (nullable): a statement that looks for the unread
 * words of a reading among the values of its columns, %NULL where none can hold them */
char *
planner_write_probe (PlannerTrail *trail, PlannerReading *reading)
{
  g_autoptr (GString) sql = g_string_new (NULL);
  Writer writer = { trail, reading, NULL, sql };

  for (guint i = 0; i < reading->spans->len; i++) {
    PlannerSpan *span = g_ptr_array_index (reading->spans, i);
    g_autoptr (GPtrArray) places = planner_probe_places (trail, reading, span);

    if (places->len == 0)
      return NULL;
    for (guint j = 0; j < places->len; j++)
      append_probe (&writer, g_ptr_array_index (places, j), i, j, span->text);
  }
  return sql->len > 0 ? g_string_free (g_steal_pointer (&sql), FALSE) : NULL;
}
