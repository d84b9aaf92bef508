/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-planner-private.h"

#include "plumb-text.h"

#include <math.h>
#include <string.h>

/* Rows that an answer lists; the whole result stands beside it. */
#define MAX_LISTED 20

/* A cell as people write it: numbers with at most two digits behind the point, unless they are
 * small. */
static char *
format_cell (JsonNode *node)
{
  if (node == NULL || JSON_NODE_HOLDS_NULL (node))
    return g_strdup ("(none)");
  if (!JSON_NODE_HOLDS_VALUE (node))
    return json_to_string (node, FALSE);
  if (json_node_get_value_type (node) == G_TYPE_DOUBLE) {
    double number = json_node_get_double (node);
    char digits[G_ASCII_DTOSTR_BUF_SIZE];

    if (fabs (number) < 1 && number != 0)
      return g_strdup (g_ascii_formatd (digits, sizeof digits, "%.4g", number));
    g_ascii_formatd (digits, sizeof digits, "%.2f", number);
    if (g_str_has_suffix (digits, ".00"))
      digits[strlen (digits) - 3] = '\0';
    return g_strdup (digits);
  }
  if (json_node_get_value_type (node) == G_TYPE_STRING) {
    const char *text = json_node_get_string (node);
    const char *point = strchr (text, '.');

    /* A long decimal comes as text so that nothing is lost; here it is rounded like any other. */
    if (point != NULL && strlen (point) > 3 && strspn (text, "-0123456789.") == strlen (text)) {
      char digits[G_ASCII_DTOSTR_BUF_SIZE];

      return g_strdup (
          g_ascii_formatd (digits, sizeof digits, "%.2f", g_ascii_strtod (text, NULL)));
    }
    return plumb_text_first_line (text, 80);
  }
  return json_to_string (node, FALSE);
}

static JsonArray *
get_rows (const PlannerQuery *query)
{
  return plumb_json_get_array (json_node_get_object (query->result), "rows");
}

static JsonArray *
get_row (JsonArray *rows, guint i)
{
  JsonNode *node =
      rows != NULL && i < json_array_get_length (rows) ? json_array_get_element (rows, i) : NULL;

  return node != NULL && JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;
}

static JsonNode *
get_cell (JsonArray *row, guint i)
{
  return row != NULL && i < json_array_get_length (row) ? json_array_get_element (row, i) : NULL;
}

static void
append_values (GString *text, const PlannerFilter *filter)
{
  g_string_append (text, filter->negated ? " is not " : " is ");
  for (guint i = 0; i < filter->labels->len; i++) {
    const char *label = g_ptr_array_index (filter->labels, i);
    const char *value = g_ptr_array_index (filter->values, i);

    g_string_append_printf (text, "%s“%s”", i > 0 ? " or " : "", label);
    if (!g_str_equal (label, value))
      g_string_append_printf (text, " (%s)", value);
  }
  if (filter->negated && filter->place.column->nullable)
    g_string_append (text, ", rows without one counted too");
}

static void
append_comparison (GString *text, const PlannerFilter *filter)
{
  static const struct {
    const char *sign;
    const char *words;
  } signs[] = {
    { ">", "over" }, { "<", "under" }, { ">=", "at least" }, { "<=", "at most" }, { "=", "exactly" }
  };

  if (filter->upper != NULL) {
    g_string_append_printf (text, " is from %s to %s", filter->number, filter->upper);
    return;
  }
  for (guint i = 0; i < G_N_ELEMENTS (signs); i++) {
    if (g_str_equal (signs[i].sign, filter->sign))
      g_string_append_printf (text, " is %s %s", signs[i].words, filter->number);
  }
}

/* The days as they stand in the statement, so that every number of the answer can be found there.
 */
static void
append_period (GString *text, const PlannerFilter *filter)
{
  g_autofree char *from = g_date_valid (&filter->period.from)
                              ? planner_date_to_string (&filter->period.from, "%Y-%m-%d")
                              : NULL;
  g_autofree char *to = g_date_valid (&filter->period.to)
                            ? planner_date_to_string (&filter->period.to, "%Y-%m-%d")
                            : NULL;

  if (from != NULL && to != NULL)
    g_string_append_printf (text, " is from %s until before %s", from, to);
  else if (from != NULL)
    g_string_append_printf (text, " is %s or later", from);
  else
    g_string_append_printf (text, " is before %s", to);
}

/* The title of a column, with that of its table where it is another. */
static char *
get_title (const PlannerPlace *place)
{
  g_autofree char *title = planner_column_title (place->column);

  if (place->link == NULL)
    return g_steal_pointer (&title);
  /* "carrier name" says it all by itself. */
  return planner_column_title (place->link);
}

static void
append_conditions (GString *text, const PlannerReading *reading)
{
  for (guint i = 0; i < reading->filters->len; i++) {
    PlannerFilter *filter = g_ptr_array_index (reading->filters, i);
    g_autofree char *title = get_title (&filter->place);

    g_string_append_printf (text, "%s%s", i == 0 ? " where " : " and ", title);
    if (filter->kind == PLANNER_FILTER_VALUES)
      append_values (text, filter);
    else if (filter->kind == PLANNER_FILTER_COMPARE)
      append_comparison (text, filter);
    else
      append_period (text, filter);
  }
}

/* Where the number comes from, and what makes it doubtful. */
static void
append_source (GString *text, PlannerTrail *trail, const PlannerReading *reading,
               const PlannerQuery *query)
{
  JsonObject *result = json_node_get_object (query->result);
  JsonArray *warnings = plumb_json_get_array (result, "warnings");
  PlumbCard *card = reading->table->card;
  g_autoptr (GPtrArray) joined = planner_list_links (trail, reading);

  g_string_append_printf (text, "\n\n%s: %s", joined->len > 0 ? "Tables" : "Table", card->name);
  for (guint i = 0; i < joined->len; i++) {
    PlannerTable *table = g_ptr_array_index (joined, i);
    guint first = 0;

    g_ptr_array_find (joined, table, &first);
    if (first == i && table != reading->table)
      g_string_append_printf (text, ", %s", table->card->name);
  }
  g_string_append_printf (text, " in %s.", card->database);
  if (plumb_json_get_boolean (result, "truncated", FALSE))
    g_string_append (text, " The result was cut at the row limit: there is more than is shown.");
  if (warnings != NULL && json_array_get_length (warnings) > 0) {
    JsonNode *first = json_array_get_element (warnings, 0);

    if (JSON_NODE_HOLDS_VALUE (first) && json_node_get_value_type (first) == G_TYPE_STRING)
      g_string_append_printf (text, " Note: %s", json_node_get_string (first));
  }
}

/* What is measured: "orders", "total order amount". */
static char *
get_measured (const PlannerReading *reading)
{
  static const char *const words[] = { [PLANNER_OP_SUM] = "total",
                                       [PLANNER_OP_AVERAGE] = "average",
                                       [PLANNER_OP_MAXIMUM] = "largest",
                                       [PLANNER_OP_MINIMUM] = "smallest" };
  static const char *const date_words[] = {
    [PLANNER_OP_MAXIMUM] = "latest", [PLANNER_OP_MINIMUM] = "earliest"
  };
  g_autofree char *title = NULL;
  gboolean is_date;

  if (reading->op == PLANNER_OP_COUNT) {
    title = reading->distinct != NULL ? planner_column_title (reading->distinct)
                                      : planner_table_title (reading->table);
    return reading->distinct != NULL ? g_strdup_printf ("different values of %s", title)
                                     : g_steal_pointer (&title);
  }
  title = planner_column_title (reading->measure.column);
  is_date =
      planner_date_form (reading->measure.table, reading->measure.column) != PLANNER_DATE_NONE;
  if (is_date && reading->op >= PLANNER_OP_MAXIMUM)
    return g_strdup_printf ("%s %s", date_words[reading->op], title);
  return g_strdup_printf ("%s %s", words[reading->op], title);
}

static void
append_single (GString *text, const PlannerReading *reading, JsonArray *rows)
{
  JsonNode *cell = get_cell (get_row (rows, 0), 0);
  g_autofree char *value = format_cell (cell);
  g_autofree char *measured = get_measured (reading);

  if (reading->op == PLANNER_OP_COUNT) {
    g_string_append_printf (text, "%s %s", value, measured);
    append_conditions (text, reading);
    g_string_append_c (text, '.');
  } else if (cell == NULL || JSON_NODE_HOLDS_NULL (cell)) {
    g_autofree char *title = planner_table_title (reading->table);

    g_string_append_printf (text, "There is no %s: the query ran and found no %s with a value",
                            measured, title);
    append_conditions (text, reading);
    g_string_append_c (text, '.');
  } else {
    g_string_append_printf (text, "%s is the %s", value, measured);
    append_conditions (text, reading);
    g_string_append_c (text, '.');
  }
}

/* One row: what it is, and after a colon its number. */
static void
append_row (GString *text, JsonArray *row)
{
  guint n = json_array_get_length (row);
  g_autofree char *number = format_cell (get_cell (row, n - 1));

  g_string_append (text, "\n- ");
  for (guint i = 0; i + 1 < n; i++) {
    g_autofree char *cell = format_cell (get_cell (row, i));

    g_string_append_printf (text, "%s%s", i > 0 ? ", " : "", cell);
  }
  g_string_append_printf (text, "%s%s", n > 1 ? ": " : "", number);
}

/* What people call a code, next to the code. */
static const char *
find_meaning (const PlannerReading *reading, JsonNode *cell)
{
  PlannerPlace *place = reading->groups->len == 1 && reading->unit == PLANNER_UNIT_NONE
                            ? g_ptr_array_index (reading->groups, 0)
                            : NULL;
  const char *code = cell != NULL && JSON_NODE_HOLDS_VALUE (cell) &&
                             json_node_get_value_type (cell) == G_TYPE_STRING
                         ? json_node_get_string (cell)
                         : NULL;

  for (guint i = 0; place != NULL && code != NULL && i < place->column->values->len; i++) {
    PlumbCodeValue *value = g_ptr_array_index (place->column->values, i);

    if (g_str_equal (value->value, code))
      return value->meaning;
  }
  return NULL;
}

static void
append_list (GString *text, const PlannerReading *reading, JsonArray *rows, guint limit)
{
  guint n = json_array_get_length (rows);

  for (guint i = 0; i < MIN (n, limit); i++) {
    JsonArray *row = get_row (rows, i);
    const char *meaning = row != NULL ? find_meaning (reading, get_cell (row, 0)) : NULL;

    if (row == NULL || json_array_get_length (row) == 0)
      continue;
    append_row (text, row);
    if (meaning != NULL)
      g_string_append_printf (text, " (%s)", meaning);
  }
  if (n > limit && reading->ranking == PLANNER_OP_NONE)
    g_string_append (text, "\nThe other rows are in the result.");
}

static char *
get_last_cell (JsonArray *row)
{
  return row != NULL && json_array_get_length (row) > 0
             ? format_cell (get_cell (row, json_array_get_length (row) - 1))
             : g_strdup ("");
}

static void
append_ranking (GString *text, const PlannerReading *reading, JsonArray *rows)
{
  g_autofree char *first = get_last_cell (get_row (rows, 0));
  g_autofree char *second = get_last_cell (get_row (rows, 1));
  guint limit = reading->limit;

  append_list (text, reading, rows, MIN (limit, MAX_LISTED));
  if (limit == 1 && json_array_get_length (rows) > 1 && g_str_equal (first, second))
    g_string_append (text, "\nIt is not alone: others have the same value, see the result.");
}

/** planner_write_answer: Returns: (transfer full): the answer that a result gives */
char *
planner_write_answer (PlannerTrail *trail, const PlannerReading *reading,
                      const PlannerQuery *query)
{
  g_autoptr (GString) text = g_string_new (NULL);
  JsonArray *rows = get_rows (query);
  gboolean is_list = reading->ranking != PLANNER_OP_NONE || reading->groups->len > 0 ||
                     reading->unit != PLANNER_UNIT_NONE;

  if (!is_list) {
    append_single (text, reading, rows);
  } else if (rows == NULL || json_array_get_length (rows) == 0) {
    g_autofree char *title = planner_table_title (reading->table);

    g_string_append_printf (text, "The query ran and found no %s", title);
    append_conditions (text, reading);
    g_string_append_c (text, '.');
  } else {
    g_autofree char *measured = get_measured (reading);
    g_autofree char *heading = g_utf8_strup (measured, 1);

    g_string_append_printf (text, "%s%s", heading, measured + strlen (heading));
    append_conditions (text, reading);
    if (reading->unit == PLANNER_UNIT_WEEK)
      g_string_append (text, ", by week, each under the date of its Monday");
    g_string_append_c (text, ':');
    if (reading->ranking != PLANNER_OP_NONE)
      append_ranking (text, reading, rows);
    else
      append_list (text, reading, rows, MAX_LISTED);
  }
  append_source (text, trail, reading, query);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static void
append_quoted (GString *text, GPtrArray *words)
{
  for (guint i = 0; i < words->len; i++)
    g_string_append_printf (text, "%s“%s”",
                            i == 0                ? ""
                            : i + 1 == words->len ? " and "
                                                  : ", ",
                            (char *) g_ptr_array_index (words, i));
}

/** planner_write_refusal: Returns: (transfer full): what could not be read in the nearest reading
 */
char *
planner_write_refusal (const PlannerReading *nearest)
{
  g_autoptr (GString) text = g_string_new ("I can't read this question");

  if (nearest == NULL) {
    g_string_append (text, ": I found no table that it could be about.");
  } else if (nearest->unread->len > 0) {
    g_autofree char *title = planner_table_title (nearest->table);

    g_string_append (text, ": I can't tell what ");
    append_quoted (text, nearest->unread);
    g_string_append_printf (text, " %s. The nearest that I know of is about %s.",
                            nearest->unread->len == 1 ? "means here" : "mean here", title);
  } else {
    g_string_append_printf (text, ": %s",
                            nearest->doubt != NULL ? nearest->doubt : "it says too little.");
  }
  g_string_append (text, " Ask in other words, or connect a language model in the settings.");
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/** planner_write_choice: Returns: (transfer full): the question back, where several readings fit
 *  equally */
char *
planner_write_choice (GPtrArray *readings)
{
  g_autoptr (GString) text =
      g_string_new ("This can be about several things, and I don't guess. Which one do you mean?");

  for (guint i = 0; i < readings->len; i++) {
    PlannerReading *reading = g_ptr_array_index (readings, i);
    g_autofree char *title = planner_table_title (reading->table);
    g_autofree char *measure =
        reading->measure.column != NULL ? planner_column_title (reading->measure.column) : NULL;

    g_string_append_printf (text, "\n- %s%s%s (database %s)", measure != NULL ? measure : "",
                            measure != NULL ? ", " : "", title, reading->table->card->database);
  }
  g_string_append (text, "\nAsk again with that word, or with @ and the name of the database.");
  return g_string_free (g_steal_pointer (&text), FALSE);
}
