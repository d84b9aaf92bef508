/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-postgres-private.h"

#include <string.h>

/* Type number of boolean (src/include/catalog/pg_type.dat). */
#define BOOLEAN_TYPE 16

/* The COPY around a statement that passed the check. Its lines are what plumb_csv_append_row()
 * makes of the same rows, but for booleans, which the server writes as t and f: those are turned
 * into text, true and false, as everywhere else. A line break ends a comment that the statement may
 * end with. */
static char *
make_copy (const char *sql, const PGresult *description)
{
  g_autoptr (GString) columns = g_string_new (NULL);
  g_autoptr (GString) names = g_string_new (NULL);
  gboolean has_boolean = FALSE;

  for (int i = 0; i < PQnfields (description); i++) {
    gboolean is_boolean = PQftype (description, i) == BOOLEAN_TYPE;

    has_boolean = has_boolean || is_boolean;
    g_string_append_printf (columns, "%sr.c%d%s", i > 0 ? ", " : "", i,
                            is_boolean ? "::pg_catalog.text" : "");
    g_string_append_printf (names, "%sc%d", i > 0 ? ", " : "", i);
  }
  if (!has_boolean)
    return g_strdup_printf ("COPY (%s\n) TO STDOUT (FORMAT csv)", sql);
  return g_strdup_printf ("COPY (SELECT %s FROM (%s\n) AS r(%s)) TO STDOUT (FORMAT csv)",
                          columns->str, sql, names->str);
}

static gboolean
set_result_error (PGconn *pg, const PGresult *result, GError **error)
{
  return PQstatus (pg) == CONNECTION_BAD ? plumb_postgres_set_lost_error (pg, error)
                                         : plumb_postgres_set_result_error (result, error);
}

/* Waits for the server to begin. */
static gboolean
begin_copy (PGconn *pg, GCancellable *cancellable, GError **error)
{
  g_autoptr (GError) inner = NULL;
  g_autoptr (PGresult) result = plumb_postgres_next_result (pg, 0, cancellable, &inner);

  if (result == NULL) {
    if (inner == NULL)
      return plumb_postgres_set_lost_error (pg, error);
    g_propagate_error (error, g_steal_pointer (&inner));
    return FALSE;
  }
  return PQresultStatus (result) == PGRES_COPY_OUT || set_result_error (pg, result, error);
}

/* The result behind the last row says whether there should have been more of them. */
static gboolean
end_copy (PGconn *pg, GCancellable *cancellable, GError **error)
{
  g_autoptr (GError) inner = NULL;
  gboolean good = TRUE;
  PGresult *result;

  while ((result = plumb_postgres_next_result (pg, 0, cancellable, &inner)) != NULL) {
    if (good && PQresultStatus (result) != PGRES_COMMAND_OK)
      good = set_result_error (pg, result, error);
    PQclear (result);
  }
  if (good && inner != NULL) {
    g_propagate_error (error, g_steal_pointer (&inner));
    return FALSE;
  }
  return good;
}

/* The server sends a message a row, which ends with a line feed. */
static gboolean
copy_rows (PGconn *pg, PlumbRowSink *sink, PlumbRowsNext *next, GCancellable *cancellable,
           GError **error)
{
  char *row = NULL;
  int length = 0;

  while (*next == PLUMB_ROWS_CONTINUE
         && (length = plumb_postgres_next_copied (pg, 0, &row, cancellable, error)) > 0) {
    gsize line = row[length - 1] == '\n' ? length - 1 : length;

    *next = sink->csv_line (row, line, sink->user_data, error);
    PQfreemem (row);
  }
  return *next == PLUMB_ROWS_CONTINUE && length == -1;
}

/**
 * plumb_postgres_copy:
 * @sql: one statement that passed the check
 * @description: its columns, of plumb_postgres_prepare()
 * @sink: where its rows go, as lines of CSV
 *
 * Runs a statement in the transaction that is open and has the server write its rows as CSV, which
 * costs either side less than rows of cells.
 *
 * Returns: whether it ran to its end, or until the sink had enough
 */
gboolean
plumb_postgres_copy (PGconn *pg, const char *sql, const PGresult *description, PlumbRowSink *sink,
                     GCancellable *cancellable, GError **error)
{
  g_autofree char *copy = make_copy (sql, description);
  PlumbRowsNext next = PLUMB_ROWS_CONTINUE;

  if (!PQsendQueryParams (pg, copy, 0, NULL, NULL, NULL, NULL, 0))
    return plumb_postgres_set_lost_error (pg, error);
  if (!begin_copy (pg, cancellable, error))
    return FALSE;
  if (copy_rows (pg, sink, &next, cancellable, error))
    return end_copy (pg, cancellable, error);
  if (next != PLUMB_ROWS_CONTINUE)
    plumb_postgres_stop_early (pg);
  return next == PLUMB_ROWS_STOP;
}
