/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-planner-dialect.h"

#include "plumb-text.h"

#include <string.h>

/* Tables with more rows than this are things with numbers of their own, not lists of codes. */
#define MAX_CODE_ROWS 100
/* Columns that are looked through for a value. */
#define MAX_PROBED_COLUMNS 12

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
  const PlannerDialect *dialect;
  const PlannerReading *reading;
  GPtrArray *links;
  GString *sql;
} Writer;

static void
append_column (Writer *writer, const PlumbCardColumn *column, const PlumbCardColumn *link)
{
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
  planner_dialect_append_name (writer->dialect, writer->sql, column->name);
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
      planner_dialect_append_literal (writer->dialect, writer->sql, value);
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
  planner_dialect_append_date (writer->dialect, writer->sql,
                               planner_date_form (place->table, place->column), date);
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
  g_string_append (writer->sql, *first ? "\nWHERE " : "\n  AND ");
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

static void
append_unit (Writer *writer)
{
  const PlannerReading *reading = writer->reading;
  const PlannerPlace *place = &reading->unit_place;
  gsize start = writer->sql->len;
  g_autofree char *column = NULL;
  g_autofree char *unit = NULL;

  append_column (writer, place->column, NULL);
  column = g_strdup (writer->sql->str + start);
  g_string_truncate (writer->sql, start);
  unit = planner_dialect_write_unit (writer->dialect, column,
                                     planner_date_form (place->table, place->column),
                                     reading->unit);
  g_return_if_fail (unit != NULL); /* planner_can_tell_unit() */
  g_string_append (writer->sql, unit);
}

/** planner_can_tell_unit: Returns: whether a statement can group by @unit of the dates in @place */
gboolean
planner_can_tell_unit (const PlannerPlace *place, PlannerUnit unit)
{
  g_autofree char *sql = planner_dialect_write_unit (
      planner_dialect_find (place->table->engine), "",
      planner_date_form (place->table, place->column), unit);

  return sql != NULL;
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
  scale = reading->op == PLANNER_OP_SUM && planner_dialect_rounds_sums (writer->dialect)
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
append_as (Writer *writer, const char *name)
{
  g_string_append (writer->sql, " AS ");
  planner_dialect_append_alias (writer->dialect, writer->sql, name);
}

static void
append_from (Writer *writer)
{
  PlannerTable *table = writer->reading->table;

  g_string_append (writer->sql, "\nFROM ");
  planner_dialect_append_table (writer->dialect, writer->sql, table->card);
  if (writer->links->len > 0)
    planner_dialect_append_as (writer->dialect, writer->sql, "t");
  for (guint i = 0; i < writer->links->len; i++) {
    Link *link = g_ptr_array_index (writer->links, i);
    g_autofree char *name = g_strdup_printf ("j%u", i + 1);

    g_string_append (writer->sql, link->keeps_all ? "\nLEFT JOIN " : "\nJOIN ");
    planner_dialect_append_table (writer->dialect, writer->sql, link->table->card);
    planner_dialect_append_as (writer->dialect, writer->sql, name);
    g_string_append_printf (writer->sql, " ON %s.", name);
    planner_dialect_append_name (writer->dialect, writer->sql, link->key->ref_columns[0]);
    g_string_append (writer->sql, " = t.");
    planner_dialect_append_name (writer->dialect, writer->sql, link->link->name);
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

  planner_dialect_append_limit (writer->dialect, writer->sql, limit);
}

/* Rows are ordered by names: not every engine takes the number of a column for its place. */
static void
write_grouped (Writer *writer)
{
  const PlannerReading *reading = writer->reading;
  g_autoptr (GString) groups = g_string_new (NULL);
  gboolean by_unit = reading->unit != PLANNER_UNIT_NONE;
  gsize unit_length;

  g_string_append (writer->sql, "SELECT ");
  if (by_unit) {
    gsize start = writer->sql->len;

    append_unit (writer);
    g_string_append (groups, writer->sql->str + start);
    append_as (writer, "period");
  }
  unit_length = groups->len;
  append_groups (writer, groups);
  g_string_append (writer->sql, ", ");
  append_aggregate (writer);
  append_as (writer, get_result_name (reading));
  append_from (writer);
  append_where (writer);
  g_string_append_printf (writer->sql, "\nGROUP BY %s\nORDER BY ", groups->str);
  if (by_unit && reading->ranking == PLANNER_OP_NONE) {
    planner_dialect_append_alias (writer->dialect, writer->sql, "period");
    g_string_append (writer->sql, groups->str + unit_length);
    return;
  }
  planner_dialect_append_alias (writer->dialect, writer->sql, get_result_name (reading));
  g_string_append_printf (writer->sql, "%s, %s",
                          reading->ranking == PLANNER_OP_MINIMUM ? "" : " DESC", groups->str);
  if (reading->ranking != PLANNER_OP_NONE)
    append_limit (writer);
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
  g_string_append (writer->sql, "\nORDER BY ");
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
  Writer writer = { planner_dialect_find (reading->table->engine), reading, links, sql };

  if (reading->ranking != PLANNER_OP_NONE && reading->rank_rows) {
    write_ranked_rows (&writer);
  } else if (reading->groups->len > 0 || reading->unit != PLANNER_UNIT_NONE) {
    write_grouped (&writer);
  } else {
    g_string_append (sql, "SELECT ");
    append_aggregate (&writer);
    append_as (&writer, get_result_name (reading));
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
  const PlannerDialect *dialect = writer->dialect;
  g_autoptr (GString) column = g_string_new (NULL);
  g_autoptr (GString) literal = g_string_new (NULL);

  planner_dialect_append_name (dialect, column, place->column->name);
  planner_dialect_append_literal (dialect, literal, text);
  if (writer->sql->len > 0)
    g_string_append (writer->sql, "\nUNION ALL\n");
  g_string_append_printf (writer->sql, "SELECT %u", span);
  append_as (writer, "word");
  g_string_append_printf (writer->sql, ", %u", number);
  append_as (writer, "place");
  g_string_append_printf (writer->sql, ", %s", column->str);
  append_as (writer, "found");
  g_string_append (writer->sql, ", COUNT(*)");
  append_as (writer, "number");
  g_string_append (writer->sql, "\nFROM ");
  planner_dialect_append_table (dialect, writer->sql, place->table->card);
  g_string_append (writer->sql, "\nWHERE ");
  planner_dialect_append_lower (dialect, writer->sql, column->str);
  g_string_append (writer->sql, " = ");
  planner_dialect_append_lower (dialect, writer->sql, literal->str);
  g_string_append_printf (writer->sql, "\nGROUP BY %s", column->str);
}

/** planner_write_probe: Returns: (transfer full) (nullable): a statement that looks for the unread
 * words of a reading among the values of its columns, %NULL where none can hold them */
char *
planner_write_probe (PlannerTrail *trail, PlannerReading *reading)
{
  g_autoptr (GString) sql = g_string_new (NULL);
  Writer writer = { planner_dialect_find (reading->table->engine), reading, NULL, sql };

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
