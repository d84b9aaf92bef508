/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-mariadb-private.h"

#include <stdio.h>
#include <string.h>

/* What old replication clients need to read, and later versions of MariaDB put in front of their
 * own version. */
#define REPLICATION_PREFIX "5.5.5-"

/* The most that the settings take: a year in seconds, and 32 bits of milliseconds. */
#define MOST_SECONDS 31536000
#define MOST_MILLISECONDS 4294967295

/* The modes that change how text is read are set, so that the server reads it as the check did. */
#define MODES "SET SESSION sql_mode = 'STRICT_TRANS_TABLES,NO_ENGINE_SUBSTITUTION'"

/** plumb_mariadb_is_mariadb: Returns: whether a server of that version text is MariaDB, not MySQL
 */
gboolean
plumb_mariadb_is_mariadb (const char *version)
{
  return strstr (version, "MariaDB") != NULL;
}

/* 10.11.19 as 101119, as both servers count in their comments; 0 where it can't be read. */
static guint
number_of (const char *version)
{
  guint major = 0, minor = 0, patch = 0;

  if (g_str_has_prefix (version, REPLICATION_PREFIX) && plumb_mariadb_is_mariadb (version))
    version += strlen (REPLICATION_PREFIX);
  if (sscanf (version, "%u.%u.%u", &major, &minor, &patch) < 2)
    return 0;
  return major * 10000 + MIN (minor, 99) * 100 + MIN (patch, 99);
}

/**
 * plumb_mariadb_format_settings:
 * @version: the server's version text
 * @timeout_ms: time budget in milliseconds, more than 0
 *
 * MariaDB 10.1.1 and later bound a statement by max_statement_time, in seconds; MySQL 5.7.8 and
 * later by max_execution_time, in milliseconds (server system variables of both manuals). Older
 * ones know neither and refuse the name; there only our own watch ends a statement.
 *
 * Returns: (transfer full): the statement that prepares a session
 */
char *
plumb_mariadb_format_settings (const char *version, gint64 timeout_ms)
{
  guint number = number_of (version);

  if (plumb_mariadb_is_mariadb (version) && number >= 100101)
    return g_strdup_printf (MODES ", SESSION max_statement_time = %" G_GINT64_FORMAT ".%03d",
                            MIN (timeout_ms / 1000, MOST_SECONDS - 1), (int) (timeout_ms % 1000));
  if (!plumb_mariadb_is_mariadb (version) && number >= 50708)
    return g_strdup_printf (MODES ", SESSION max_execution_time = %" G_GINT64_FORMAT,
                            MIN (timeout_ms, MOST_MILLISECONDS));
  return g_strdup (MODES);
}
