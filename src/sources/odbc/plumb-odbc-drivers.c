/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-odbc-private.h"

#define MOST_LETTERS 256

typedef SQLRETURN (*ListNext) (SQLHENV environment, SQLUSMALLINT direction, SQLCHAR *name,
                               SQLSMALLINT name_size, SQLSMALLINT *name_length, SQLCHAR *more,
                               SQLSMALLINT more_size, SQLSMALLINT *more_length);

static GStrv
list (ListNext next)
{
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();
  SQLHENV environment = NULL;
  SQLCHAR name[MOST_LETTERS];
  SQLCHAR more[MOST_LETTERS];
  SQLSMALLINT length, more_length;
  SQLUSMALLINT direction = SQL_FETCH_FIRST;

  if (SQL_SUCCEEDED (SQLAllocHandle (SQL_HANDLE_ENV, SQL_NULL_HANDLE, &environment))) {
    SQLSetEnvAttr (environment, SQL_ATTR_ODBC_VERSION, (SQLPOINTER) SQL_OV_ODBC3, 0);
    while (SQL_SUCCEEDED (next (environment, direction, name, MOST_LETTERS, &length, more,
                                MOST_LETTERS, &more_length))) {
      g_autofree char *valid = g_utf8_make_valid ((const char *) name, -1);

      g_strv_builder_add (names, valid);
      direction = SQL_FETCH_NEXT;
    }
    SQLFreeHandle (SQL_HANDLE_ENV, environment);
  }
  return g_strv_builder_end (names);
}

/** plumb_odbc_list_drivers: Returns: (transfer full): the drivers that are installed, as
 *   odbcinst.ini names them; nothing is connected */
GStrv
plumb_odbc_list_drivers (void)
{
  return list (SQLDrivers);
}

/** plumb_odbc_list_data_sources: Returns: (transfer full): the data sources that the user's and the
 *   system's odbc.ini name */
GStrv
plumb_odbc_list_data_sources (void)
{
  return list (SQLDataSources);
}
