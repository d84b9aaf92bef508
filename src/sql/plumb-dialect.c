/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-statement.h"

#include <string.h>

static const struct {
  PlumbDialect dialect;
  const char *name;
} dialect_names[] = {
  { PLUMB_DIALECT_POSTGRES, "postgres" },
  { PLUMB_DIALECT_MARIADB, "mariadb" },
  { PLUMB_DIALECT_CLICKHOUSE, "clickhouse" },
  { PLUMB_DIALECT_SQLITE, "sqlite" },
  { PLUMB_DIALECT_ORACLE, "oracle" },
  { PLUMB_DIALECT_SQLSERVER, "sqlserver" },
  { PLUMB_DIALECT_GENERIC, "generic" },
  /* Other names that people use; the first of a dialect is the one that is written. */
  { PLUMB_DIALECT_POSTGRES, "postgresql" },
  { PLUMB_DIALECT_MARIADB, "mysql" },
  { PLUMB_DIALECT_ORACLE, "tibero" },
  { PLUMB_DIALECT_SQLSERVER, "mssql" },
};

/** plumb_dialect_to_string: Returns: the name of @dialect, as the command line takes it */
const char *
plumb_dialect_to_string (PlumbDialect dialect)
{
  for (guint i = 0; i < G_N_ELEMENTS (dialect_names); i++) {
    if (dialect_names[i].dialect == dialect)
      return dialect_names[i].name;
  }
  return "generic";
}

/**
 * plumb_dialect_from_string:
 * @text: a dialect's name in any case
 * @dialect: (out): the dialect
 *
 * Returns: whether there is such a dialect
 */
gboolean
plumb_dialect_from_string (const char *text, PlumbDialect *dialect)
{
  for (guint i = 0; text != NULL && i < G_N_ELEMENTS (dialect_names); i++) {
    if (g_ascii_strcasecmp (dialect_names[i].name, text) == 0) {
      *dialect = dialect_names[i].dialect;
      return TRUE;
    }
  }
  return FALSE;
}

/* Writes @text between two quotes, each of the characters in @doubled twice, and a backslash
 * before each of those in @escaped. */
static char *
quote (const char *text, char open, char close, const char *doubled, const char *escaped)
{
  GString *quoted = g_string_sized_new (strlen (text) + 2);

  g_string_append_c (quoted, open);
  for (const char *p = text; *p != '\0'; p++) {
    if (strchr (doubled, *p) != NULL)
      g_string_append_c (quoted, *p);
    else if (strchr (escaped, *p) != NULL)
      g_string_append_c (quoted, '\\');
    g_string_append_c (quoted, *p);
  }
  g_string_append_c (quoted, close);
  return g_string_free (quoted, FALSE);
}

/**
 * plumb_sql_quote_identifier:
 * @dialect: whose quotes
 * @name: a name as the engine stores it
 *
 * Returns: (transfer full): @name in the engine's own quotes, so that it means just this name
 */
char *
plumb_sql_quote_identifier (PlumbDialect dialect, const char *name)
{
  switch (dialect) {
  case PLUMB_DIALECT_MARIADB:
    return quote (name, '`', '`', "`", "");
  case PLUMB_DIALECT_CLICKHOUSE:
    return quote (name, '`', '`', "", "`\\");
  case PLUMB_DIALECT_SQLSERVER:
    return quote (name, '[', ']', "]", "");
  case PLUMB_DIALECT_POSTGRES:
  case PLUMB_DIALECT_SQLITE:
  case PLUMB_DIALECT_ORACLE:
  case PLUMB_DIALECT_GENERIC:
  default:
    return quote (name, '"', '"', "\"", "");
  }
}

/**
 * plumb_sql_quote_string:
 * @dialect: whose quotes
 * @text: the string's value
 *
 * Where a value can be bound it is bound; this is for the few places where it can't. MariaDB's
 * backslash is written in the form that its usual sql_mode reads.
 *
 * Returns: (transfer full): a literal of the engine that means @text
 */
char *
plumb_sql_quote_string (PlumbDialect dialect, const char *text)
{
  if (dialect == PLUMB_DIALECT_MARIADB || dialect == PLUMB_DIALECT_CLICKHOUSE)
    return quote (text, '\'', '\'', "", "'\\");
  if (dialect == PLUMB_DIALECT_POSTGRES && strchr (text, '\\') != NULL) {
    g_autofree char *plain = quote (text, '\'', '\'', "'\\", "");

    return g_strconcat ("E", plain, NULL);
  }
  return quote (text, '\'', '\'', "'", "");
}
