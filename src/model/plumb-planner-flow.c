/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-planner-private.h"

#include "plumb-table-name.h"

#include <stdio.h>
#include <string.h>

/* Tables that the search is asked for, and cards that are opened for a question at most: what the
 * tools return must stay readable together. */
#define SEARCH_LIMIT 12
#define MAX_FIRST_CARDS 4
#define MAX_NEXT_CARDS 3
#define MAX_CARDS 8
#define MAX_PROBES 3

/* A question of more words than this holds more than one. */
#define MAX_TOKENS 80

/* What the planner does next: calls of tools, or its last words. */
typedef struct {
  PlannerTrail *trail;
  GPtrArray *tokens;
  const GDate *today;
  PlumbMessage *message;
} Flow;

/* Says why there is no answer, or what has to be known first. */
static void
say (Flow *flow, char *text)
{
  g_free (flow->message->text);
  flow->message->text = text;
  flow->message->declines = TRUE;
}

static void
say_answer (Flow *flow, char *text)
{
  say (flow, text);
  flow->message->declines = FALSE;
}

static void
call (Flow *flow, const char *name, PlumbJsonWriter *writer)
{
  g_autofree char *arguments = plumb_json_writer_finish (writer);
  g_autofree char *id = g_strdup_printf ("%s_%u_%u", name,
                                         g_hash_table_size (flow->trail->asked) +
                                             flow->trail->queries->len + flow->trail->paths->len,
                                         flow->message->tool_calls->len);

  g_ptr_array_add (flow->message->tool_calls, plumb_tool_call_new (id, name, arguments));
}

static void
call_search (Flow *flow)
{
  g_autoptr (PlumbJsonWriter) writer = plumb_json_writer_new ();

  plumb_json_writer_begin_object (writer);
  plumb_json_writer_name (writer, "query");
  plumb_json_writer_string (writer, flow->trail->question);
  plumb_json_writer_name (writer, "limit");
  plumb_json_writer_int (writer, SEARCH_LIMIT);
  plumb_json_writer_end_object (writer);
  call (flow, "search_tables", writer);
}

/* Asks for a card, unless it was asked for or there are enough. */
static gboolean
call_card (Flow *flow, const char *full_name)
{
  g_autoptr (PlumbJsonWriter) writer = NULL;
  GHashTable *asked = flow->trail->asked;

  if (g_hash_table_contains (asked, full_name) || g_hash_table_size (asked) >= MAX_CARDS)
    return FALSE;
  g_hash_table_add (asked, g_strdup (full_name));
  writer = plumb_json_writer_new ();
  plumb_json_writer_begin_object (writer);
  plumb_json_writer_name (writer, "table");
  plumb_json_writer_string (writer, full_name);
  plumb_json_writer_end_object (writer);
  call (flow, "get_table_card", writer);
  return TRUE;
}

static void
call_path (Flow *flow, const char *one, const char *other)
{
  g_autoptr (PlumbJsonWriter) writer = plumb_json_writer_new ();
  const char *const tables[] = { one, other, NULL };

  plumb_json_writer_begin_object (writer);
  plumb_json_writer_name (writer, "tables");
  plumb_json_writer_strv (writer, tables);
  plumb_json_writer_end_object (writer);
  call (flow, "find_join_path", writer);
}

static void
call_query (Flow *flow, PlannerTable *table, const char *sql)
{
  g_autoptr (PlumbJsonWriter) writer = plumb_json_writer_new ();

  plumb_json_writer_begin_object (writer);
  plumb_json_writer_name (writer, "database");
  plumb_json_writer_string (writer, table->card->database);
  plumb_json_writer_name (writer, "sql");
  plumb_json_writer_string (writer, sql);
  plumb_json_writer_end_object (writer);
  call (flow, "run_query", writer);
}

static gboolean
is_usable (const PlannerCandidate *candidate)
{
  return !candidate->outside_scope &&
         (g_str_equal (candidate->status, "live") || g_str_equal (candidate->status, "partition"));
}

/* First the tables that the question names, and the best of the search. */
static void
open_first_cards (Flow *flow)
{
  GPtrArray *candidates = flow->trail->candidates;

  for (guint pass = 0; pass < 2; pass++) {
    for (guint i = 0; i < candidates->len && flow->message->tool_calls->len < MAX_FIRST_CARDS;
         i++) {
      PlannerCandidate *candidate = g_ptr_array_index (candidates, i);

      if (is_usable (candidate) &&
          (pass == 1 || planner_names_table (candidate->table, candidate->about, flow->tokens)))
        call_card (flow, candidate->full_name);
    }
  }
}

/* Then the tables that foreign keys of the subject lead to, and more of the search. */
static void
open_next_cards (Flow *flow, GPtrArray *readings)
{
  GPtrArray *candidates = flow->trail->candidates;
  guint opened = 0;

  for (guint i = 0; i < readings->len; i++) {
    PlannerReading *reading = g_ptr_array_index (readings, i);

    for (guint j = 0; (reading->has_subject || reading->measure.column != NULL) &&
                      j < reading->table->card->columns->len;
         j++) {
      g_autofree char *full_name = NULL;

      planner_linked_table (flow->trail, reading->table,
                            g_ptr_array_index (reading->table->card->columns, j), NULL, &full_name);
      if (full_name != NULL && opened < MAX_NEXT_CARDS)
        opened += call_card (flow, full_name);
    }
    if (opened > 0 && i == 0)
      break;
  }
  opened = 0;
  for (guint i = 0; i < candidates->len && opened < MAX_NEXT_CARDS; i++) {
    PlannerCandidate *candidate = g_ptr_array_index (candidates, i);

    if (is_usable (candidate))
      opened += call_card (flow, candidate->full_name);
  }
}

static void
take_probed (Flow *flow, PlannerReading *reading, JsonArray *row)
{
  guint word = json_array_get_int_element (row, 0);
  guint number = json_array_get_int_element (row, 1);
  JsonNode *found = json_array_get_element (row, 2);
  PlannerSpan *span;
  g_autoptr (GPtrArray) places = NULL;
  PlannerProbedValue *probed;

  if (word >= reading->spans->len || json_node_get_value_type (found) != G_TYPE_STRING)
    return;
  span = g_ptr_array_index (reading->spans, word);
  places = planner_probe_places (flow->trail, reading, span);
  if (number >= places->len)
    return;
  probed = g_new0 (PlannerProbedValue, 1);
  probed->words = g_strdupv (span->words);
  probed->place = *(PlannerPlace *) g_ptr_array_index (places, number);
  probed->value = g_strdup (json_node_get_string (found));
  g_ptr_array_add (reading->table->probed, probed);
}

static gboolean
is_probe_row (JsonNode *node)
{
  JsonArray *row = JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;

  if (row == NULL || json_array_get_length (row) != 4)
    return FALSE;
  for (guint i = 0; i < 3; i++) {
    if (!JSON_NODE_HOLDS_VALUE (json_array_get_element (row, i)))
      return FALSE;
  }
  return json_node_get_value_type (json_array_get_element (row, 0)) == G_TYPE_INT64 &&
         json_node_get_value_type (json_array_get_element (row, 1)) == G_TYPE_INT64;
}

/* Takes the values that were looked for and found; whether there are any. */
static gboolean
take_probe (Flow *flow, PlannerReading *reading)
{
  g_autofree char *sql =
      reading->spans->len > 0 ? planner_write_probe (flow->trail, reading) : NULL;
  PlannerQuery *query = sql != NULL ? planner_trail_find_query (flow->trail, sql) : NULL;
  JsonObject *result =
      query != NULL && query->result != NULL ? json_node_get_object (query->result) : NULL;
  JsonArray *rows = plumb_json_get_array (result, "rows");

  for (guint i = 0; rows != NULL && i < json_array_get_length (rows); i++) {
    JsonNode *row = json_array_get_element (rows, i);

    if (is_probe_row (row))
      take_probed (flow, reading, json_node_get_array (row));
  }
  return rows != NULL && json_array_get_length (rows) > 0;
}

/* The stretch of time that a partition holds, by the digits at the end of its name. */
static gboolean
get_partition_range (const char *name, GDate *from, GDate *to)
{
  gsize length = strlen (name);
  gsize digits = 0;
  guint year;
  guint month;

  while (digits < length && g_ascii_isdigit (name[length - digits - 1]))
    digits++;
  if ((digits != 6 && digits != 4) || sscanf (name + length - digits, "%4u", &year) != 1)
    return FALSE;
  month = digits == 6 ? (guint) g_ascii_strtoull (name + length - 2, NULL, 10) : 1;
  if (year < 1900 || year > 2199 || month < 1 || month > 12)
    return FALSE;
  g_date_clear (from, 1);
  g_date_set_dmy (from, 1, month, year);
  *to = *from;
  g_date_add_months (to, digits == 6 ? 1 : 12);
  return TRUE;
}

static gboolean
holds (const char *name, const PlannerPeriod *period)
{
  GDate from;
  GDate to;

  return get_partition_range (name, &from, &to) && g_date_valid (&period->from) &&
         g_date_valid (&period->to) && g_date_compare (&from, &period->from) <= 0 &&
         g_date_compare (&period->to, &to) <= 0;
}

static PlannerFilter *
find_period (PlannerReading *reading)
{
  for (guint i = 0; i < reading->filters->len; i++) {
    PlannerFilter *filter = g_ptr_array_index (reading->filters, i);

    if (filter->kind == PLANNER_FILTER_PERIOD)
      return filter;
  }
  return NULL;
}

/* The member of a partition family that a period lies in; its card is asked for when it isn't open.
 */
static void
need_member (Flow *flow, PlannerReading *reading, const PlannerPeriod *period)
{
  PlumbCard *card = reading->table->card;

  for (guint i = 0; i < flow->trail->candidates->len; i++) {
    PlannerCandidate *candidate = g_ptr_array_index (flow->trail->candidates, i);
    gboolean is_own = g_str_equal (candidate->database, card->database) &&
                      g_str_equal (candidate->table, card->name);

    for (guint j = 0; is_own && candidate->partitions != NULL && candidate->partitions[j] != NULL;
         j++) {
      g_autoptr (PlumbTableName) name = plumb_table_name_parse (candidate->partitions[j], NULL);

      if (name != NULL && holds (name->table, period))
        g_ptr_array_add (reading->needs,
                         plumb_table_name_join (card->database,
                                                name->schema != NULL ? name->schema : card->schema,
                                                name->table));
    }
  }
}

/* A partition answers alone only for a period that lies within it. */
static void
check_partition (Flow *flow, PlannerReading *reading)
{
  PlannerFilter *filter = find_period (reading);

  if (reading->table->card->status != PLUMB_STATUS_PARTITION || !planner_reading_is_whole (reading))
    return;
  if (filter != NULL && holds (reading->table->card->name, &filter->period))
    return;
  if (filter != NULL)
    need_member (flow, reading, &filter->period);
  reading->doubt =
      g_strdup ("These rows stand in a table for each month or year. Ask about one of them.");
}

static PlannerReading *
read_table (Flow *flow, PlannerTable *table)
{
  PlannerReading *reading = planner_read (flow->trail, table, flow->tokens, flow->today);

  if (take_probe (flow, reading)) {
    planner_reading_free (reading);
    reading = planner_read (flow->trail, table, flow->tokens, flow->today);
  }
  check_partition (flow, reading);
  return reading;
}

/* How near a reading is to being whole. */
static int
get_distance (const PlannerReading *reading)
{
  int distance = reading->cost;

  for (guint i = 0; i < reading->unread->len; i++)
    distance += 10;
  if (reading->doubt != NULL)
    distance += 6;
  if (!reading->has_subject && reading->measure.column == NULL)
    distance += 40;
  return distance;
}

static int
compare_readings (gconstpointer a, gconstpointer b)
{
  const PlannerReading *one = *(PlannerReading *const *) a;
  const PlannerReading *other = *(PlannerReading *const *) b;
  gboolean one_whole = planner_reading_is_whole (one);
  gboolean other_whole = planner_reading_is_whole (other);

  if (one_whole != other_whole)
    return one_whole ? -1 : 1;
  if (get_distance (one) != get_distance (other))
    return get_distance (one) - get_distance (other);
  return (int) one->table->rank - (int) other->table->rank;
}

static gboolean
is_live (const PlannerTable *table)
{
  return (table->card->status == PLUMB_STATUS_LIVE ||
          table->card->status == PLUMB_STATUS_PARTITION) &&
         table->card->selectable;
}

/* All readings, the nearest to being whole first. */
static GPtrArray *
read_all (Flow *flow)
{
  GPtrArray *readings = g_ptr_array_new_with_free_func ((GDestroyNotify) planner_reading_free);

  for (guint i = 0; i < flow->trail->tables->len; i++) {
    PlannerTable *table = g_ptr_array_index (flow->trail->tables, i);

    if (is_live (table))
      g_ptr_array_add (readings, read_table (flow, table));
  }
  g_ptr_array_sort (readings, compare_readings);
  return readings;
}

static gboolean
open_needs (Flow *flow, GPtrArray *readings)
{
  for (guint i = 0; i < readings->len; i++) {
    PlannerReading *reading = g_ptr_array_index (readings, i);

    /* A partition that isn't the right one names the one that is. */
    for (guint j = 0; (i == 0 || reading->doubt != NULL) && j < reading->needs->len; j++)
      call_card (flow, g_ptr_array_index (reading->needs, j));
  }
  return flow->message->tool_calls->len > 0;
}

/* Looks for unread words among the values of the tables that come nearest. */
static gboolean
probe (Flow *flow, GPtrArray *readings)
{
  int nearest = -1;
  guint probes = 0;

  for (guint i = 0; i < readings->len && probes < MAX_PROBES; i++) {
    PlannerReading *reading = g_ptr_array_index (readings, i);
    g_autofree char *sql =
        reading->spans->len > 0 ? planner_write_probe (flow->trail, reading) : NULL;

    if (sql == NULL || (!reading->has_subject && reading->measure.column == NULL) ||
        reading->spans->len != reading->unread->len)
      continue;
    if (nearest >= 0 && get_distance (reading) > nearest)
      break;
    nearest = get_distance (reading);
    probes++;
    if (planner_trail_find_query (flow->trail, sql) == NULL)
      call_query (flow, reading->table, sql);
  }
  return flow->message->tool_calls->len > 0;
}

static gboolean
is_key_pair (JsonArray *keys, const char *one, const char *other)
{
  JsonNode *node = json_array_get_length (keys) == 1 ? json_array_get_element (keys, 0) : NULL;
  JsonArray *pair =
      node != NULL && JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;
  const char *left = pair != NULL && json_array_get_length (pair) == 2
                         ? json_array_get_string_element (pair, 0)
                         : NULL;
  const char *right = left != NULL ? json_array_get_string_element (pair, 1) : NULL;

  return right != NULL && ((g_str_equal (left, one) && g_str_equal (right, other)) ||
                           (g_str_equal (left, other) && g_str_equal (right, one)));
}

/* Whether a list of ways to join has the declared key, trusted. */
static gboolean
has_way (JsonArray *ways, const char *one, const char *other)
{
  for (guint i = 0; ways != NULL && i < json_array_get_length (ways); i++) {
    JsonNode *node = json_array_get_element (ways, i);
    JsonObject *way = JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
    JsonArray *keys = plumb_json_get_array (way, "keys");
    const char *cardinality = plumb_json_get_string (way, "cardinality", "");

    if (keys != NULL && is_key_pair (keys, one, other) &&
        plumb_json_get_int (way, "trust", 5) <= 2 && !g_str_equal (cardinality, "N:M"))
      return TRUE;
  }
  return FALSE;
}

static gboolean
path_allows (PlannerPath *path, PlannerTable *table, PlannerTable *target)
{
  JsonObject *result = path->result != NULL ? json_node_get_object (path->result) : NULL;

  for (guint i = 0; result != NULL && i < table->card->foreign_keys->len; i++) {
    PlumbForeignKey *key = g_ptr_array_index (table->card->foreign_keys, i);

    if (!g_str_equal (key->ref_table, target->card->name) || key->columns == NULL ||
        key->ref_columns == NULL)
      continue;
    if (has_way (plumb_json_get_array (result, "path"), key->columns[0], key->ref_columns[0]) ||
        has_way (plumb_json_get_array (result, "other_declared"), key->columns[0],
                 key->ref_columns[0]) ||
        has_way (plumb_json_get_array (result, "alternatives"), key->columns[0],
                 key->ref_columns[0]))
      return TRUE;
  }
  return FALSE;
}

/* Whether all joins are known to be safe; asks for what isn't known, refuses what isn't safe. */
static gboolean
check_joins (Flow *flow, const PlannerReading *reading)
{
  g_autoptr (GPtrArray) targets = planner_list_links (flow->trail, reading);
  g_autofree char *own = plumb_card_get_full_name (reading->table->card);
  PlannerTable *ambiguous = planner_find_ambiguous_link (flow->trail, reading, flow->tokens);

  if (ambiguous != NULL) {
    g_autofree char *one = planner_table_title (reading->table);
    g_autofree char *two = planner_table_title (ambiguous);

    say (flow, g_strdup_printf ("I can't read this question: %s leads to %s in more than one way, and "
                                "the question doesn't say which is meant.", one, two));
    return FALSE;
  }

  for (guint i = 0; i < targets->len; i++) {
    PlannerTable *target = g_ptr_array_index (targets, i);
    g_autofree char *other = plumb_card_get_full_name (target->card);
    PlannerPath *path = planner_trail_find_path (flow->trail, own, other);

    if (path == NULL) {
      call_path (flow, own, other);
    } else if (path->error != NULL) {
      say (flow,
           g_strdup_printf ("There is no answer: how to join the tables could not be looked up. %s",
                            path->error));
      return FALSE;
    } else if (!path_allows (path, reading->table, target)) {
      g_autofree char *one = planner_table_title (reading->table);
      g_autofree char *two = planner_table_title (target);

      say (flow, g_strdup_printf ("I can't read this question: it needs %s together with %s, and "
                                  "no safe way to join them "
                                  "is known. A person who knows them can confirm one.",
                                  one, two));
      return FALSE;
    }
  }
  return flow->message->tool_calls->len == 0;
}

static gboolean
contains_folded (const char *text, const char *part)
{
  g_autofree char *lower = g_utf8_strdown (text, -1);

  return strstr (lower, part) != NULL;
}

static char *
write_failure (const PlannerReading *reading, const char *fault)
{
  g_autofree char *title = planner_table_title (reading->table);

  if (contains_folded (fault, "permission") || contains_folded (fault, "not allowed") ||
      contains_folded (fault, "denied"))
    return g_strdup_printf ("There is no permission to read %s: %s", title, fault);
  return g_strdup_printf (
      "There is no answer: the database could not run the query on %s. It says: %s", title, fault);
}

static void
answer (Flow *flow, const PlannerReading *reading)
{
  g_autofree char *sql = NULL;
  PlannerQuery *query;

  if (!check_joins (flow, reading))
    return;
  sql = planner_write_sql (flow->trail, reading);
  query = planner_trail_find_query (flow->trail, sql);
  if (query == NULL)
    call_query (flow, reading->table, sql);
  else if (query->error != NULL)
    say (flow, write_failure (reading, query->error));
  else
    say_answer (flow, planner_write_answer (flow->trail, reading, query));
}

/* Whether another reading fits as well as the first: then the user has to say which is meant. */
static gboolean
is_open_choice (Flow *flow, GPtrArray *readings)
{
  g_autoptr (GPtrArray) equals = g_ptr_array_new ();
  PlannerReading *first = g_ptr_array_index (readings, 0);

  for (guint i = 0; i < readings->len; i++) {
    PlannerReading *reading = g_ptr_array_index (readings, i);

    if (planner_reading_is_whole (reading) && get_distance (reading) == get_distance (first))
      g_ptr_array_add (equals, reading);
  }
  if (equals->len < 2)
    return FALSE;
  say (flow, planner_write_choice (equals));
  return TRUE;
}

/* Whether a span stands right behind its column: "the city Berlin", not "customers from Berlin". */
static gboolean
is_apposition (Flow *flow, const PlannerSpan *span)
{
  static const char *const links[] = { "of", "the", "is", "called", NULL };
  const char *word;
  guint i = span->first;

  do {
    word = ((PlannerToken *) g_ptr_array_index (flow->tokens, --i))->word;
  } while (i > 0 && planner_in_list (word, links));
  return !planner_is_filler (word);
}

/* A value that was looked for in the column that the question names, and isn't there. */
static char *
write_no_such_value (Flow *flow, PlannerReading *reading)
{
  PlannerSpan *span = reading->spans->len == 1 ? g_ptr_array_index (reading->spans, 0) : NULL;
  g_autofree char *sql = NULL;
  PlannerQuery *query;
  g_autofree char *column = NULL;
  g_autofree char *table = NULL;

  if (span == NULL || span->before.column == NULL || span->first == 0 ||
      !is_apposition (flow, span) || !(reading->has_subject || reading->measure.column != NULL))
    return NULL;
  sql = planner_write_probe (flow->trail, reading);
  query = sql != NULL ? planner_trail_find_query (flow->trail, sql) : NULL;
  if (query == NULL || query->error != NULL)
    return NULL;
  column = planner_column_title (span->before.column);
  table = planner_table_title (reading->table);
  return g_strdup_printf (
      "There is no such thing: no %s “%s” stands in the data about %s. Check the spelling.", column,
      span->text, table);
}

/* A table without permission that the question names by a word that nothing else accounts for. */
static const char *
find_forbidden (Flow *flow, GPtrArray *readings)
{
  PlannerReading *nearest = readings->len > 0 ? g_ptr_array_index (readings, 0) : NULL;

  for (guint i = 0; flow->trail->no_permission != NULL && flow->trail->no_permission[i] != NULL;
       i++) {
    g_autoptr (PlumbTableName) name = plumb_table_name_parse (flow->trail->no_permission[i], NULL);
    g_auto (GStrv) words = name != NULL ? planner_name_words (name->table) : NULL;

    for (guint j = 0; words != NULL && j < flow->tokens->len; j++) {
      const char *word = ((PlannerToken *) g_ptr_array_index (flow->tokens, j))->word;
      gboolean unread = nearest == NULL;

      for (guint k = 0; nearest != NULL && k < nearest->unread->len; k++)
        unread = unread || contains_folded (g_ptr_array_index (nearest->unread, k), word);
      if (unread && !planner_is_filler (word) &&
          planner_has_word ((const char *const *) words, word))
        return flow->trail->no_permission[i];
    }
  }
  return NULL;
}

static void
refuse (Flow *flow, GPtrArray *readings)
{
  PlannerReading *nearest = readings->len > 0 ? g_ptr_array_index (readings, 0) : NULL;
  const char *forbidden = find_forbidden (flow, readings);
  char *no_such = nearest != NULL ? write_no_such_value (flow, nearest) : NULL;

  if (forbidden != NULL) {
    g_autoptr (PlumbTableName) name = plumb_table_name_parse (forbidden, NULL);
    g_auto (GStrv) words = planner_name_words (name->table);
    g_autofree char *title = g_strjoinv (" ", words);

    say (flow, g_strdup_printf ("You have no permission for the data that this question needs: %s. "
                                "Ask whoever decides on "
                                "access.",
                                title));
  } else if (no_such != NULL) {
    say (flow, g_steal_pointer (&no_such));
  } else {
    say (flow, planner_write_refusal (nearest));
  }
  g_free (no_such);
}

/* The reading that sees a state in what the first one takes for another table: "invoices paid last
 * year" may be those that are paid, or those that a payment was made for. */
static PlannerReading *
find_nearer (GPtrArray *readings)
{
  PlannerReading *first = g_ptr_array_index (readings, 0);

  for (guint i = 1; i < readings->len; i++) {
    PlannerReading *reading = g_ptr_array_index (readings, i);

    if (reading->is_event_unknown && reading->unread->len == 0 && reading->cost < first->cost &&
        g_str_equal (reading->table->card->database, first->table->card->database))
      return reading;
  }
  return NULL;
}

static void
go_on (Flow *flow)
{
  g_autoptr (GPtrArray) readings = read_all (flow);
  PlannerReading *first = readings->len > 0 ? g_ptr_array_index (readings, 0) : NULL;
  gboolean is_whole = first != NULL && planner_reading_is_whole (first);

  if (open_needs (flow, readings))
    return;
  /* What fits only loosely gives way to what fits, so it is looked for first. */
  if (!is_whole || first->cost > 1) {
    open_next_cards (flow, readings);
    if (flow->message->tool_calls->len > 0)
      return;
  }
  if (is_whole && find_nearer (readings) != NULL) {
    say (flow, planner_write_refusal (find_nearer (readings)));
  } else if (is_whole) {
    if (!is_open_choice (flow, readings))
      answer (flow, first);
  } else if (!probe (flow, readings)) {
    refuse (flow, readings);
  }
}

static void
begin (Flow *flow)
{
  PlannerTrail *trail = flow->trail;

  if (trail->search_error != NULL) {
    say (flow, g_strdup_printf ("I can't look for tables: %s", trail->search_error));
  } else if (!trail->searched) {
    call_search (flow);
  } else if (trail->tables->len == 0 && g_hash_table_size (trail->asked) == 0) {
    open_first_cards (flow);
    if (flow->message->tool_calls->len == 0) {
      g_autoptr (GPtrArray) none = g_ptr_array_new ();

      refuse (flow, none);
    }
  } else {
    go_on (flow);
  }
}

/* "@sales" binds the turn and is no word of the question. */
static void
drop_mentions (GPtrArray *tokens)
{
  for (guint i = tokens->len; i > 0; i--) {
    PlannerToken *token = g_ptr_array_index (tokens, i - 1);

    if (!g_str_equal (token->word, "@") && !g_str_equal (token->word, "#"))
      continue;
    if (i < tokens->len)
      g_ptr_array_remove_index (tokens, i);
    g_ptr_array_remove_index (tokens, i - 1);
  }
}

/**
 * planner_next:
 * @trail: what has happened in the turn so far
 * @today: the day that relative dates count from
 *
 * Returns: (transfer full): what the planner calls or says next
 */
PlumbMessage *
planner_next (PlannerTrail *trail, const GDate *today)
{
  g_autoptr (GPtrArray) tokens = planner_tokenize (trail->question != NULL ? trail->question : "");
  Flow flow = { trail, tokens, today, plumb_message_new (PLUMB_MESSAGE_ASSISTANT, NULL) };

  drop_mentions (tokens);
  if (tokens->len == 0) {
    say (&flow, g_strdup ("I can't read this question: it has no words."));
    return flow.message;
  }
  if (tokens->len > MAX_TOKENS) {
    say (&flow,
         g_strdup (
             "I can't read this question: it is too long. Ask for one number in one sentence."));
    return flow.message;
  }
  begin (&flow);
  if (trail->is_last && flow.message->tool_calls->len > 0) {
    g_ptr_array_set_size (flow.message->tool_calls, 0);
    say (&flow,
         g_strdup (
             "I can't read this question within the steps that a turn has. Ask a narrower one."));
  }
  return flow.message;
}
