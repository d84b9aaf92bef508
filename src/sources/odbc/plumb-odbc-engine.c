/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-odbc-private.h"

#include <string.h>

/* @key: how PlumblineDialect names it. @word: what its DBMS name has in it, in lower case. */
static const struct {
  PlumbOdbcEngine engine;
  PlumbDialect dialect;
  const char *key;
  const char *word;
  const char *name;
} engines[] = {
  { PLUMB_ODBC_GENERIC, PLUMB_DIALECT_GENERIC, "generic", NULL, NULL },
  { PLUMB_ODBC_POSTGRES, PLUMB_DIALECT_POSTGRES, "postgres", "postgres", "PostgreSQL" },
  { PLUMB_ODBC_SQLITE, PLUMB_DIALECT_SQLITE, "sqlite", "sqlite", "SQLite" },
  { PLUMB_ODBC_ORACLE, PLUMB_DIALECT_ORACLE, "oracle", "oracle", "Oracle" },
  { PLUMB_ODBC_TIBERO, PLUMB_DIALECT_ORACLE, "tibero", "tibero", "Tibero" },
  { PLUMB_ODBC_SQLSERVER, PLUMB_DIALECT_SQLSERVER, "sqlserver", "sql server",
    "Microsoft SQL Server" },
};

/** plumb_odbc_engine_from_key: Returns: whether PlumblineDialect can be @key */
gboolean
plumb_odbc_engine_from_key (const char *key, PlumbOdbcEngine *engine)
{
  for (guint i = 0; i < G_N_ELEMENTS (engines); i++) {
    if (g_ascii_strcasecmp (engines[i].key, key) == 0) {
      *engine = engines[i].engine;
      return TRUE;
    }
  }
  return FALSE;
}

/** plumb_odbc_engine_from_dbms: Returns: the engine that calls itself @dbms; one that isn't known
 *   is generic, and its statements are read the most careful way. Names that only begin alike
 *   (MySQL's "Oracle …" products, Amazon's and Sybase's relatives) have a name of their own here */
PlumbOdbcEngine
plumb_odbc_engine_from_dbms (const char *dbms)
{
  g_autofree char *lower = g_ascii_strdown (dbms, -1);

  if (strstr (lower, "mysql") != NULL || strstr (lower, "rdb") != NULL ||
      strstr (lower, "anywhere") != NULL)
    return PLUMB_ODBC_GENERIC;
  for (guint i = 0; i < G_N_ELEMENTS (engines); i++) {
    if (engines[i].word != NULL && strstr (lower, engines[i].word) != NULL)
      return engines[i].engine;
  }
  return PLUMB_ODBC_GENERIC;
}

/** plumb_odbc_engine_get_dialect: Returns: whose SQL it speaks */
PlumbDialect
plumb_odbc_engine_get_dialect (PlumbOdbcEngine engine)
{
  return engines[engine].dialect;
}

/** plumb_odbc_engine_get_name: Returns: (transfer none) (nullable): its name; %NULL where only the
 *   driver can say it */
const char *
plumb_odbc_engine_get_name (PlumbOdbcEngine engine)
{
  return engines[engine].name;
}
