/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-analysis-private.h"

#include "plumb-text.h"

#include <string.h>

/* What one statement of the analysis may take. */
#define MAX_BYTES (1024 * 1024)
#define MAX_CELL_BYTES 1024
#define TIMEOUT_MS 10000

/* Longest value that is kept of a cell. */
#define MAX_VALUE_BYTES 120

/**
 * plumb_analysis_ask:
 * @source: a source
 * @sql: a reading statement of our own
 * @max_rows: rows wanted at most
 * @cancellable: (nullable): a cancellable
 * @error: return location
 *
 * Returns: (transfer full): its rows, or %NULL with an error
 */
PlumbResult *
plumb_analysis_ask (PlumbSource *source, const char *sql, gint64 max_rows,
                    GCancellable *cancellable, GError **error)
{
  PlumbLimits limits = { max_rows, MAX_BYTES, MAX_CELL_BYTES, TIMEOUT_MS };
  g_autoptr (PlumbResult) result = plumb_result_new (&limits);
  PlumbRowSink sink = plumb_result_get_sink (result);

  if (!plumb_source_run (source, sql, &limits, &sink, NULL, NULL, cancellable, error))
    return NULL;
  return g_steal_pointer (&result);
}

/** plumb_analysis_quote: Returns: (transfer full): @name quoted as the source's engine wants it */
char *
plumb_analysis_quote (PlumbSource *source, const char *name)
{
  return plumb_sql_quote_identifier (plumb_source_get_dialect (source), name);
}

/** plumb_analysis_quote_table: Returns: (transfer full): the table's name with its schema */
char *
plumb_analysis_quote_table (PlumbSource *source, PlumbCard *card)
{
  g_autofree char *schema = plumb_analysis_quote (source, card->schema);
  g_autofree char *table = plumb_analysis_quote (source, card->name);

  return *card->schema != '\0' ? g_strconcat (schema, ".", table, NULL) : g_steal_pointer (&table);
}

/**
 * plumb_analysis_bound:
 * @source: a source
 * @columns: a list of expressions
 * @table: a quoted table
 * @rows: how many rows
 *
 * Returns: (transfer full): a SELECT of no more than @rows rows in the engine's own words
 */
char *
plumb_analysis_bound (PlumbSource *source, const char *columns, const char *table, gint64 rows)
{
  switch (plumb_source_get_dialect (source)) {
  case PLUMB_DIALECT_ORACLE:
    return g_strdup_printf ("SELECT %s FROM %s WHERE ROWNUM <= %" G_GINT64_FORMAT, columns, table,
                            rows);
  case PLUMB_DIALECT_SQLSERVER:
    return g_strdup_printf ("SELECT TOP %" G_GINT64_FORMAT " %s FROM %s", rows, columns, table);
  default:
    return g_strdup_printf ("SELECT %s FROM %s LIMIT %" G_GINT64_FORMAT, columns, table, rows);
  }
}

/** plumb_analysis_get_text: Returns: (transfer full) (nullable): a cell as valid text, cut where it
 *  is long; %NULL for NULL and binary values */
char *
plumb_analysis_get_text (PlumbResult *result, gint64 row, guint column)
{
  const PlumbCell *cell = plumb_result_get_cell (result, row, column);
  g_autofree char *valid = NULL;

  if (cell == NULL || cell->kind == PLUMB_VALUE_NULL || cell->kind == PLUMB_VALUE_BINARY)
    return NULL;
  valid = plumb_text_make_valid (cell->text, cell->length, NULL);
  return plumb_text_cut (valid, MAX_VALUE_BYTES);
}

/** plumb_analysis_get_number: Returns: a cell as a whole number, -1 where it is none */
gint64
plumb_analysis_get_number (PlumbResult *result, gint64 row, guint column)
{
  const PlumbCell *cell = plumb_result_get_cell (result, row, column);

  if (cell == NULL || cell->kind == PLUMB_VALUE_NULL || cell->length == 0)
    return -1;
  return g_ascii_strtoll (cell->text, NULL, 10);
}
