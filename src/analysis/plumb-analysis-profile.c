/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-analysis-private.h"

#include <string.h>

/* A table with more rows than this is read in part: its first rows say which columns hold codes,
 * and only its dates are asked for in full. */
#define MAX_ROWS_IN_FULL 2000000
#define SAMPLE_ROWS 20000

/* Columns in one statement; engines limit how many a SELECT may have. */
#define COLUMNS_PER_STATEMENT 40

/* Most different values, and longest of them, for which a column's values are kept. */
#define MAX_VALUES 50
#define MAX_VALUE_LENGTH 60
#define MAX_INTEGER_VALUES 12

/* What the sample says of a column. */
typedef struct {
  gint64 distinct;
  gint64 longest;
  gboolean unreadable; /* the engine doesn't let this account, or doesn't know how to, count it */
} Facts;

typedef struct {
  PlumbSource *source;
  PlumbCard *card;
  char *table;
  gboolean in_full;
  gint64 n_sampled;
  Facts *facts;
  GCancellable *cancellable;
} Profile;

static PlumbCardColumn *
column_at (Profile *self, guint i)
{
  return g_ptr_array_index (self->card->columns, i);
}

static PlumbColumnClass
class_at (Profile *self, guint i)
{
  return self->facts[i].unreadable ? PLUMB_COLUMN_OTHER
                                   : plumb_column_classify (column_at (self, i)->type);
}

/* What is asked of the sample: rows, and for each column how many different values and how long. */
static gboolean
read_sample (Profile *self, guint first, guint end, GError **error)
{
  g_autoptr (GString) asked = g_string_new ("count(*)");
  g_autoptr (GString) columns = g_string_new (NULL);
  g_autoptr (PlumbResult) result = NULL;
  gboolean is_sqlserver = plumb_source_get_dialect (self->source) == PLUMB_DIALECT_SQLSERVER;
  const char *length = is_sqlserver ? "len" : "length";
  g_autofree char *inner = NULL;
  g_autofree char *sql = NULL;
  guint at = 1;

  for (guint i = first; i < end; i++) {
    g_autofree char *quoted = NULL;

    if (class_at (self, i) == PLUMB_COLUMN_OTHER)
      continue;
    quoted = plumb_analysis_quote (self->source, column_at (self, i)->name);
    g_string_append_printf (columns, "%s%s AS c%u", columns->len > 0 ? ", " : "", quoted, i);
    g_string_append_printf (asked, ", count(DISTINCT c%u)", i);
    if (class_at (self, i) == PLUMB_COLUMN_TEXT)
      g_string_append_printf (asked, ", max(%s(c%u))", length, i);
  }
  if (columns->len == 0)
    return TRUE;
  inner = plumb_analysis_bound (self->source, columns->str, self->table, SAMPLE_ROWS);
  sql = g_strdup_printf ("SELECT %s FROM (%s) s", asked->str, inner);
  result = plumb_analysis_ask (self->source, sql, 1, self->cancellable, error);
  if (result == NULL)
    return FALSE;
  self->n_sampled = plumb_analysis_get_number (result, 0, 0);
  for (guint i = first; i < end; i++) {
    if (class_at (self, i) == PLUMB_COLUMN_OTHER)
      continue;
    self->facts[i].distinct = plumb_analysis_get_number (result, 0, at++);
    if (class_at (self, i) == PLUMB_COLUMN_TEXT)
      self->facts[i].longest = plumb_analysis_get_number (result, 0, at++);
  }
  return TRUE;
}

static gboolean
wants_extremes (Profile *self, guint i)
{
  PlumbCardColumn *column = column_at (self, i);
  PlumbColumnClass class = class_at (self, i);

  return class == PLUMB_COLUMN_DATE || class == PLUMB_COLUMN_INTEGER ||
         class == PLUMB_COLUMN_NUMBER ||
         (class == PLUMB_COLUMN_TEXT && plumb_column_is_date (column->name, column->type));
}

/* Rows, nulls and extremes: of the whole table, or nulls alone of its first rows. */
static gboolean
read_extremes (Profile *self, guint first, guint end, GError **error)
{
  g_autoptr (GString) asked = g_string_new ("count(*)");
  g_autoptr (GString) columns = g_string_new (NULL);
  g_autoptr (PlumbResult) result = NULL;
  g_autofree char *sql = NULL;
  gint64 rows;
  guint at = 1;

  for (guint i = first; i < end; i++) {
    g_autofree char *quoted = NULL;
    g_autofree char *name = NULL;

    if (self->facts[i].unreadable)
      continue;
    quoted = plumb_analysis_quote (self->source, column_at (self, i)->name);
    name = self->in_full ? g_strdup (quoted) : g_strdup_printf ("c%u", i);

    g_string_append_printf (columns, "%s%s AS c%u", columns->len > 0 ? ", " : "", quoted, i);
    g_string_append_printf (asked, ", count(%s)", name);
    if (self->in_full && wants_extremes (self, i))
      g_string_append_printf (asked, ", min(%s), max(%s)", name, name);
  }
  if (columns->len == 0)
    return TRUE;
  if (self->in_full) {
    sql = g_strdup_printf ("SELECT %s FROM %s", asked->str, self->table);
  } else {
    g_autofree char *inner =
        plumb_analysis_bound (self->source, columns->str, self->table, SAMPLE_ROWS);

    sql = g_strdup_printf ("SELECT %s FROM (%s) s", asked->str, inner);
  }
  result = plumb_analysis_ask (self->source, sql, 1, self->cancellable, error);
  if (result == NULL)
    return FALSE;
  rows = plumb_analysis_get_number (result, 0, 0);
  if (self->in_full)
    self->card->row_estimate = rows;
  for (guint i = first; i < end; i++) {
    PlumbCardColumn *column = column_at (self, i);
    gint64 present;

    if (self->facts[i].unreadable)
      continue;
    present = plumb_analysis_get_number (result, 0, at++);
    if (rows > 0)
      column->null_fraction = (double) (rows - present) / rows;
    if (!self->in_full || !wants_extremes (self, i))
      continue;
    g_free (column->minimum);
    g_free (column->maximum);
    column->minimum = plumb_analysis_get_text (result, 0, at++);
    column->maximum = plumb_analysis_get_text (result, 0, at++);
  }
  return TRUE;
}

/* The dates of a table that is too large to be read in full: quick where they have an index, and
 * given up where the time runs out. */
static gboolean
read_dates (Profile *self, GError **error)
{
  for (guint i = 0; !self->in_full && i < self->card->columns->len; i++) {
    PlumbCardColumn *column = column_at (self, i);
    g_autofree char *quoted = plumb_analysis_quote (self->source, column->name);
    g_autofree char *sql = NULL;
    g_autoptr (PlumbResult) result = NULL;

    if (self->card->kind == PLUMB_TABLE_KIND_VIEW || class_at (self, i) != PLUMB_COLUMN_DATE ||
        plumb_column_is_bookkeeping (column->name))
      continue;
    sql = g_strdup_printf ("SELECT min(%s), max(%s) FROM %s", quoted, quoted, self->table);
    result = plumb_analysis_ask (self->source, sql, 1, self->cancellable, error);
    if (result == NULL)
      return FALSE;
    column->minimum = plumb_analysis_get_text (result, 0, 0);
    column->maximum = plumb_analysis_get_text (result, 0, 1);
  }
  return TRUE;
}

static gboolean
is_key_column (Profile *self, const char *name)
{
  GStrv key = self->card->primary_key;

  return key != NULL && g_strv_length (key) == 1 && strcmp (key[0], name) == 0;
}

static gboolean
wants_values (Profile *self, guint i)
{
  PlumbCardColumn *column = column_at (self, i);
  const Facts *facts = &self->facts[i];

  if (facts->distinct < 1 || facts->distinct > MAX_VALUES ||
      plumb_column_is_free_text (column->name))
    return FALSE;
  if (plumb_column_is_date (column->name, column->type))
    return FALSE;
  switch (class_at (self, i)) {
  case PLUMB_COLUMN_TEXT:
    return facts->longest <= MAX_VALUE_LENGTH;
  case PLUMB_COLUMN_INTEGER:
    return !is_key_column (self, column->name) &&
           (plumb_column_is_code (column->name) || facts->distinct <= MAX_INTEGER_VALUES);
  case PLUMB_COLUMN_BOOLEAN:
  case PLUMB_COLUMN_UNKNOWN:
    return TRUE;
  default:
    return FALSE;
  }
}

static PlumbCodeValue *
find_value (GPtrArray *values, const char *value)
{
  for (guint i = 0; i < values->len; i++) {
    PlumbCodeValue *code = g_ptr_array_index (values, i);

    if (strcmp (code->value, value) == 0)
      return code;
  }
  return NULL;
}

static void
known_code_free (PlumbCodeValue *code)
{
  g_free (code->value);
  g_free (code->meaning);
  g_free (code);
}

/* Codes whose meaning is known; the column's values are empty then. */
static GPtrArray *
take_known_codes (PlumbCardColumn *column)
{
  GPtrArray *known = g_ptr_array_new_with_free_func ((GDestroyNotify) known_code_free);

  for (guint i = 0; i < column->values->len; i++) {
    const PlumbCodeValue *code = g_ptr_array_index (column->values, i);
    PlumbCodeValue *copy;

    if (code->meaning == NULL)
      continue;
    copy = g_new0 (PlumbCodeValue, 1);
    copy->value = g_strdup (code->value);
    copy->meaning = g_strdup (code->meaning);
    g_ptr_array_add (known, copy);
  }
  g_ptr_array_set_size (column->values, 0);
  return known;
}

/* The found values in their order, with the meanings that were known, then known codes that no row
 * holds. */
static void
merge_values (PlumbCardColumn *column, PlumbResult *result, gboolean exact)
{
  g_autoptr (GPtrArray) known = take_known_codes (column);
  gint64 n_rows = plumb_result_get_n_rows (result);

  for (gint64 row = 0; row < MIN (n_rows, MAX_VALUES); row++) {
    g_autofree char *value = plumb_analysis_get_text (result, row, 0);
    PlumbCodeValue *code = value != NULL ? find_value (known, value) : NULL;

    if (value != NULL)
      plumb_card_column_add_value (column, value, code != NULL ? code->meaning : NULL,
                                   exact ? plumb_analysis_get_number (result, row, 1) : -1);
  }
  for (guint i = 0; i < known->len; i++) {
    PlumbCodeValue *code = g_ptr_array_index (known, i);

    if (find_value (column->values, code->value) == NULL)
      plumb_card_column_add_value (column, code->value, code->meaning,
                                   exact && n_rows <= MAX_VALUES ? 0 : -1);
  }
}

static gboolean
read_values (Profile *self, guint i, GError **error)
{
  PlumbCardColumn *column = column_at (self, i);
  g_autofree char *quoted = plumb_analysis_quote (self->source, column->name);
  g_autofree char *from = g_strdup (self->table);
  g_autofree char *sql = NULL;
  g_autoptr (PlumbResult) result = NULL;

  if (!self->in_full) {
    g_autofree char *inner = plumb_analysis_bound (self->source, quoted, self->table, SAMPLE_ROWS);

    g_free (from);
    from = g_strdup_printf ("(%s) s", inner);
  }
  sql = g_strdup_printf (
      "SELECT %s, count(*) FROM %s WHERE %s IS NOT NULL GROUP BY %s ORDER BY count(*) DESC, %s",
      quoted, from, quoted, quoted, quoted);
  result = plumb_analysis_ask (self->source, sql, MAX_VALUES + 1, self->cancellable, error);
  if (result == NULL)
    return FALSE;
  if (self->in_full && plumb_result_get_n_rows (result) <= MAX_VALUES)
    column->distinct = plumb_result_get_n_rows (result);
  merge_values (column, result, self->in_full);
  return TRUE;
}

/* Whether the table is worth another try with fewer columns: cancelling and running out of time
 * aren't the columns' fault. */
static gboolean
is_statement_error (const GError *error)
{
  return g_error_matches (error, PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_STATEMENT) ||
         g_error_matches (error, PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_DENIED);
}

/* One column may be denied, or of a type that can't be counted; then each is asked for alone, and
 * the table fails only where none can be read. */
static gboolean
read_columns (Profile *self, guint first, guint end, GError **error)
{
  g_autoptr (GError) whole = NULL;
  guint n_readable = 0;

  if (read_sample (self, first, end, &whole) && read_extremes (self, first, end, &whole))
    return TRUE;
  for (guint i = first; is_statement_error (whole) && i < end; i++) {
    g_autoptr (GError) inner = NULL;

    if (read_sample (self, i, i + 1, &inner) && read_extremes (self, i, i + 1, &inner)) {
      n_readable++;
    } else if (is_statement_error (inner)) {
      self->facts[i].unreadable = TRUE;
    } else {
      g_propagate_error (error, g_steal_pointer (&inner));
      return FALSE;
    }
  }
  if (n_readable > 0)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&whole));
  return FALSE;
}

static gboolean
read_all (Profile *self, GError **error)
{
  guint n = self->card->columns->len;

  for (guint first = 0; first < n; first += COLUMNS_PER_STATEMENT) {
    if (!read_columns (self, first, MIN (first + COLUMNS_PER_STATEMENT, n), error))
      return FALSE;
  }
  for (guint i = 0; i < n; i++) {
    PlumbCardColumn *column = column_at (self, i);

    if (is_key_column (self, column->name))
      column->distinct = self->card->row_estimate;
    else if (self->in_full && self->n_sampled < SAMPLE_ROWS &&
             class_at (self, i) != PLUMB_COLUMN_OTHER)
      column->distinct = self->facts[i].distinct;
    if (wants_values (self, i) && !read_values (self, i, error))
      return FALSE;
  }
  return read_dates (self, error);
}

/**
 * plumb_analysis_profile:
 * @source: the card's source
 * @card: a card; gets nulls, extremes, different and frequent values
 * @cancellable: (nullable): a cancellable
 * @error: return location
 *
 * Reads what a table holds, in bounded statements. Running out of time is no failure: what was read
 * until then stays.
 *
 * Returns: %FALSE with the source's error, or G_IO_ERROR_CANCELLED
 */
gboolean
plumb_analysis_profile (PlumbSource *source, PlumbCard *card, GCancellable *cancellable,
                        GError **error)
{
  g_autofree Facts *facts = g_new0 (Facts, card->columns->len + 1);
  g_autofree char *table = plumb_analysis_quote_table (source, card);
  g_autoptr (GError) inner = NULL;
  Profile profile = { source, card, table, FALSE, 0, facts, cancellable };

  profile.in_full = card->kind != PLUMB_TABLE_KIND_VIEW && card->kind != PLUMB_TABLE_KIND_FOREIGN &&
                    card->row_estimate >= 0 && card->row_estimate <= MAX_ROWS_IN_FULL;
  if (card->columns->len == 0 || read_all (&profile, &inner) ||
      g_error_matches (inner, PLUMB_ERROR, PLUMB_ERROR_TIMED_OUT))
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&inner));
  return FALSE;
}
