/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "postgres-fixture.h"

#include <string.h>

/** admin_connect: Returns: a superuser's connection to @database */
PGconn *
admin_connect (const char *database)
{
  const char *keywords[] = { "host", "port", "user", "password", "dbname", NULL };
  const char *values[] = { "127.0.0.1", g_getenv ("PLUMB_TEST_POSTGRES_PORT"), "postgres",
                           g_getenv ("PLUMB_TEST_POSTGRES_PASSWORD"), database, NULL };
  PGconn *admin = PQconnectdbParams (keywords, values, 0);

  if (PQstatus (admin) != CONNECTION_OK)
    g_error ("%s", PQerrorMessage (admin));
  return admin;
}

/** admin_execute: runs statements that must go well */
void
admin_execute (PGconn *admin, const char *sql)
{
  PGresult *result = PQexec (admin, sql);

  if (PQresultStatus (result) != PGRES_COMMAND_OK && PQresultStatus (result) != PGRES_TUPLES_OK)
    g_error ("%s", PQresultErrorMessage (result));
  PQclear (result);
}

/** admin_ask: Returns: the first cell of the answer, "" where there is none */
char *
admin_ask (PGconn *admin, const char *sql)
{
  PGresult *result = PQexec (admin, sql);
  char *text;

  if (PQresultStatus (result) != PGRES_TUPLES_OK)
    g_error ("%s", PQresultErrorMessage (result));
  text = g_strdup (PQntuples (result) > 0 ? PQgetvalue (result, 0, 0) : "");
  PQclear (result);
  return text;
}

/** admin_control: stops or starts the server */
void
admin_control (const char *words)
{
  g_autofree char *command = g_strdup_printf ("cd / && %s %s > /dev/null",
                                              g_getenv ("PLUMB_TEST_POSTGRES_CTL"), words);
  const char *argv[] = { "sh", "-c", command, NULL };
  int status;

  g_assert_true (g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL,
                               NULL, &status, NULL));
  g_assert_cmpint (status, ==, 0);
}

/** create_database: makes a database anew and runs @sql in it */
void
create_database (const char *name, const char *sql)
{
  g_autofree char *quoted = plumb_sql_quote_identifier (PLUMB_DIALECT_POSTGRES, name);
  g_autofree char *drop = g_strdup_printf ("DROP DATABASE IF EXISTS %s WITH (FORCE)", quoted);
  g_autofree char *create = g_strdup_printf ("CREATE DATABASE %s", quoted);
  PGconn *admin = admin_connect ("postgres");

  admin_execute (admin, drop);
  admin_execute (admin, create);
  PQfinish (admin);
  if (sql == NULL)
    return;
  admin = admin_connect (name);
  admin_execute (admin, sql);
  PQfinish (admin);
}

/** open_as: Returns: a source named "shop" on the test server */
PlumbSource *
open_as (const char *account, const char *password, const char *database, const char *parameters)
{
  g_autofree char *escaped = g_uri_escape_string (database, NULL, FALSE);
  g_autofree char *uri = g_strdup_printf ("postgresql://%s@127.0.0.1:%s/%s%s", account,
                                          g_getenv ("PLUMB_TEST_POSTGRES_PORT"), escaped,
                                          parameters != NULL ? parameters : "");
  g_autoptr (GError) error = NULL;
  PlumbSource *source = plumb_source_new ("shop", uri, password, &error);

  g_assert_no_error (error);
  return source;
}

/** run_limited: Returns: (nullable): the rows, %NULL with an error */
PlumbResult *
run_limited (PlumbSource *source, const char *sql, PlumbLimits limits, GError **error)
{
  g_autoptr (PlumbResult) result = plumb_result_new (&limits);
  PlumbRowSink sink = plumb_result_get_sink (result);

  return plumb_source_run (source, sql, &limits, &sink, NULL, NULL, NULL, error)
           ? g_steal_pointer (&result)
           : NULL;
}

/** run: Returns: the rows of a statement that must go well */
PlumbResult *
run (PlumbSource *source, const char *sql)
{
  g_autoptr (GError) error = NULL;
  PlumbResult *result = run_limited (source, sql, PLUMB_LIMITS_DEFAULT, &error);

  g_assert_no_error (error);
  return result;
}

/** assert_cell: a cell is exactly that; @text %NULL for NULL */
void
assert_cell (PlumbResult *result, gint64 row, guint column, PlumbValueKind kind, const char *text)
{
  const PlumbCell *cell = plumb_result_get_cell (result, row, column);

  g_assert_cmpint (cell->kind, ==, kind);
  if (text == NULL)
    g_assert_null (cell->text);
  else
    g_assert_cmpmem (cell->text, cell->length, text, strlen (text));
}

/** assert_one_cell: the statement gives one row, whose first cell has that text */
void
assert_one_cell (PlumbSource *source, const char *sql, const char *text)
{
  g_autoptr (PlumbResult) result = run (source, sql);
  const PlumbCell *cell;

  g_assert_cmpint (plumb_result_get_n_rows (result), ==, 1);
  cell = plumb_result_get_cell (result, 0, 0);
  g_assert_cmpmem (cell->text, cell->length, text, strlen (text));
}
