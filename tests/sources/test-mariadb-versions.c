/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "mariadb/plumb-mariadb-private.h"

#include <string.h>

/* What servers say that they are, and how each of them takes a time budget of 2.5 s. */
static const struct {
  const char *version;
  gboolean is_mariadb;
  const char *setting;
} servers[] = {
  { "10.11.19-MariaDB-0+deb12u1", TRUE, "max_statement_time = 2.500" },
  { "11.4.2-MariaDB-ubu2404-log", TRUE, "max_statement_time = 2.500" },
  { "5.5.5-10.3.39-MariaDB-0+deb10u1", TRUE, "max_statement_time = 2.500" },
  { "10.1.1-MariaDB", TRUE, "max_statement_time = 2.500" },
  { "10.1.0-MariaDB", TRUE, NULL },
  { "5.5.68-MariaDB", TRUE, NULL },
  { "5.5.5-10.0.38-MariaDB", TRUE, NULL },
  { "9.1.0", FALSE, "max_execution_time = 2500" },
  { "8.4.3-commercial", FALSE, "max_execution_time = 2500" },
  { "8.0.36-0ubuntu0.22.04.1", FALSE, "max_execution_time = 2500" },
  { "8.0.35-27", FALSE, "max_execution_time = 2500" },
  { "8.0.mysql_aurora.3.05.2", FALSE, "max_execution_time = 2500" },
  { "5.7.44-log", FALSE, "max_execution_time = 2500" },
  { "5.7.25-TiDB-v7.5.0", FALSE, "max_execution_time = 2500" },
  { "5.7.8", FALSE, "max_execution_time = 2500" },
  { "5.7.7-rc", FALSE, NULL },
  { "5.6.51", FALSE, NULL },
  { "", FALSE, NULL },
  { "something else", FALSE, NULL },
};

static void
test_settings (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (servers); i++) {
    g_autofree char *sql = plumb_mariadb_format_settings (servers[i].version, 2500);

    g_assert_cmpint (plumb_mariadb_is_mariadb (servers[i].version), ==, servers[i].is_mariadb);
    g_assert_true (g_str_has_prefix (sql, "SET SESSION sql_mode = "));
    if (servers[i].setting != NULL && !g_str_has_suffix (sql, servers[i].setting))
      g_error ("%s: %s", servers[i].version, sql);
    if (servers[i].setting == NULL)
      g_assert_null (strstr (sql, "time"));
  }
}

static void
test_long_budgets (void)
{
  g_autofree char *mariadb = plumb_mariadb_format_settings ("10.11.19-MariaDB", G_MAXINT64);
  g_autofree char *mysql = plumb_mariadb_format_settings ("8.0.36", G_MAXINT64);

  g_assert_nonnull (strstr (mariadb, "max_statement_time = 31535999."));
  g_assert_true (g_str_has_suffix (mysql, "max_execution_time = 4294967295"));
}

static gboolean
has_word (GPtrArray *list, const char *word)
{
  for (guint i = 0; i < list->len; i++) {
    if (strstr (g_ptr_array_index (list, i), word) != NULL)
      return TRUE;
  }
  return FALSE;
}

/* Lines that MySQL 8 and MariaDB give, and what is right and wrong about an account with each. */
static void
test_grants (void)
{
  static const struct {
    const char *grant;
    const char *superuser;
    const char *writes;
  } grants[] = {
    { "GRANT USAGE ON *.* TO `reader`@`%`", NULL, NULL },
    { "GRANT SELECT, SHOW VIEW ON `shop`.* TO `reader`@`%`", NULL, NULL },
    { "GRANT SELECT (`id`, `name`), INSERT (`id`) ON `shop`.`t` TO `a`@`%`", NULL, "INSERT" },
    { "GRANT ALL PRIVILEGES ON *.* TO `root`@`localhost` WITH GRANT OPTION", "ALL PRIVILEGES",
      NULL },
    { "GRANT ALL PRIVILEGES ON `shop`.* TO `a`@`%`", NULL, "ALL PRIVILEGES" },
    { "GRANT SELECT, FILE ON *.* TO `a`@`%`", "FILE", NULL },
    { "GRANT BACKUP_ADMIN,ROLE_ADMIN,XA_RECOVER_ADMIN ON *.* TO `a`@`%`", "ROLE_ADMIN", NULL },
    { "GRANT SET_ANY_DEFINER ON *.* TO `a`@`%`", "SET_ANY_DEFINER", NULL },
    { "GRANT SELECT, CREATE ROLE, DROP ROLE ON *.* TO `a`@`%`", "CREATE ROLE", NULL },
    { "GRANT BINLOG MONITOR ON *.* TO `a`@`%`", NULL, NULL },
    { "GRANT `analyst`@`%` TO `a`@`%`", NULL, NULL },
    { "GRANT SELECT, INSERT ON `shop`.`t` TO `analyst`", NULL,
      "INSERT on `shop`.`t` through the role `analyst`" },
    { "GRANT FILE ON *.* TO `role of two`", "FILE on *.* through the role `role of two`", NULL },
    { "GRANT DELETE ON `shop`.`t` TO PUBLIC", NULL, "PUBLIC" },
    /* MySQL 8.0, SET ROLE ALL: what roles bring stands in the account's own line. */
    { "GRANT SELECT, UPDATE ON `shop`.`t` TO `a`@`%`", NULL, "UPDATE on `shop`.`t`" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (grants); i++) {
    g_autoptr (PlumbAccountProbe) probe = plumb_account_probe_new ();

    plumb_mariadb_read_grant (grants[i].grant, probe);
    g_assert_cmpint (probe->superuser_rights->len > 0, ==, grants[i].superuser != NULL);
    if (grants[i].superuser != NULL)
      g_assert_true (has_word (probe->superuser_rights, grants[i].superuser));
    if (grants[i].writes != NULL)
      g_assert_true (has_word (probe->write_rights, grants[i].writes));
    else if (grants[i].superuser == NULL)
      g_assert_cmpuint (probe->write_rights->len, ==, 0);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sources/mariadb-versions/settings", test_settings);
  g_test_add_func ("/sources/mariadb-versions/long-budgets", test_long_budgets);
  g_test_add_func ("/sources/mariadb-versions/grants", test_grants);
  return g_test_run ();
}
