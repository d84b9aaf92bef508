/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "source-fixture.h"

#include <string.h>

/* Where encryption or a trusted server was asked for, nothing less is accepted; and what is asked
 * for can be had. The servers' certificate is for "localhost" alone, from an authority of the test. */

static PlumbSource *
open_with (const Engine *engine, const char *host, const char *port_variable,
           const char *parameters)
{
  static const char *const databases[] = { "postgres", "mysql", "default" };
  g_autofree char *password = engine_get_variable (engine, "PASSWORD");
  g_autofree char *port = engine_get_variable (engine, port_variable);
  g_autofree char *uri = g_strdup_printf ("%s://%s@%s:%s/%s?%s", engine->scheme, engine->admin,
                                          host, port, databases[engine - engines], parameters);
  g_autoptr (GError) error = NULL;
  PlumbSource *source = plumb_source_new ("shop", uri, password, &error);

  g_assert_no_error (error);
  return source;
}

static void
refuse (const Engine *engine, const char *host, const char *port_variable, const char *words,
        const char *parameters, const char *file)
{
  g_autofree char *all = g_strconcat (parameters, file, NULL);
  g_autoptr (PlumbSource) source = open_with (engine, host, port_variable, all);

  assert_no_connection (source, PLUMB_SOURCE_ERROR_CONNECT, words);
}

static void
accept (const Engine *engine, const char *host, const char *port_variable, const char *question,
        const char *answer, const char *parameters, const char *file)
{
  g_autofree char *all = g_strconcat (parameters, file, NULL);
  g_autoptr (PlumbSource) source = open_with (engine, host, port_variable, all);

  assert_one_cell (source, question, answer);
}

static char *
make_other_authority (void)
{
  g_autofree char *folder = g_dir_make_tmp ("plumb-tls-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "other.pem", NULL);
  g_autofree char *command = g_strdup_printf (
    "openssl req -batch -x509 -newkey rsa:2048 -nodes -subj /CN=other -days 2 -keyout %s.key -out %s", path,
    path);
  g_autofree char *said = NULL;
  int status = 1;

  g_assert_true (g_spawn_command_line_sync (command, NULL, &said, &status, NULL));
  g_assert_cmpint (status, ==, 0);
  return g_steal_pointer (&path);
}

static char *other_authority;

static void
test_postgres (void)
{
  const Engine *engine = &engines[0];
  const char *encrypted = "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()";
  g_autofree char *authority = engine_get_variable (engine, "AUTHORITY");

  accept (engine, "localhost", "PORT", encrypted, "true", "sslmode=require", "");
  accept (engine, "localhost", "PORT", encrypted, "true", "sslmode=verify-full&sslrootcert=",
          authority);
  accept (engine, "127.0.0.1", "PORT", encrypted, "true", "sslmode=verify-ca&sslrootcert=",
          authority);
  refuse (engine, "127.0.0.1", "PORT", "does not match host name",
          "sslmode=verify-full&sslrootcert=", authority);
  refuse (engine, "localhost", "PORT", "sslrootcert", "sslmode=verify-full", "");
  refuse (engine, "localhost", "PORT", "sslrootcert", "sslmode=verify-full&sslrootcert=",
          other_authority);
  refuse (engine, "localhost", "PORT", "sslrootcert", "sslmode=verify-ca&sslrootcert=",
          "/no/such/file");
}

static void
test_mariadb (void)
{
  const Engine *engine = &engines[1];
  const char *encrypted = "SELECT VARIABLE_VALUE <> '' FROM information_schema.SESSION_STATUS WHERE "
                          "VARIABLE_NAME = 'Ssl_cipher'";
  g_autofree char *folder = engine_get_variable (engine, "CERTIFICATES");
  g_autofree char *authority = g_build_filename (folder, "authority.pem", NULL);
  g_autofree char *restart = g_strdup_printf (
    "restart --ssl-cert=%s/server.crt --ssl-key=%s/server.key", folder, folder);

  /* A server that has no encryption. */
  refuse (engine, "127.0.0.1", "PORT", "offers none", "ssl=1", "");
  refuse (engine, "127.0.0.1", "PORT", "trusted", "ssl_verify=1", "");
  refuse (engine, "127.0.0.1", "PORT", "trusted", "ssl_ca=", authority);
  refuse (engine, "127.0.0.1", "PORT", "offers none", "ssl_verify=0&ssl_ca=", authority);
  engine_control (engine, restart);
  accept (engine, "127.0.0.1", "PORT", encrypted, "1", "ssl=1", "");
  accept (engine, "localhost", "PORT", encrypted, "1", "ssl_ca=", authority);
  accept (engine, "localhost", "PORT", encrypted, "1", "ssl_verify=1&ssl_ca=", authority);
  accept (engine, "127.0.0.1", "PORT", encrypted, "1", "ssl_verify=0&ssl_ca=", authority);
  refuse (engine, "127.0.0.1", "PORT", "as the certificate names it", "ssl_ca=", authority);
  refuse (engine, "localhost", "PORT", "ssl_ca=", "ssl_verify=1", "");
  refuse (engine, "localhost", "PORT", "ssl_ca=", "ssl_ca=", other_authority);
  refuse (engine, "localhost", "PORT", "ssl_ca=", "ssl_ca=", "/no/such/file");
}

static void
test_clickhouse (void)
{
  const Engine *engine = &engines[2];
  g_autofree char *authority = engine_get_variable (engine, "AUTHORITY");

  accept (engine, "localhost", "HTTPS_PORT", "SELECT 1", "1", "secure=1&ssl_ca=", authority);
  refuse (engine, "localhost", "HTTPS_PORT", "ssl_ca=", "secure=1", "");
  refuse (engine, "localhost", "HTTPS_PORT", "ssl_ca=", "secure=1&ssl_ca=", other_authority);
  refuse (engine, "127.0.0.1", "HTTPS_PORT", "another host", "secure=1&ssl_ca=", authority);
  refuse (engine, "localhost", "HTTPS_PORT", "can't be read", "secure=1&ssl_ca=", "/no/such/file");
  /* Encryption where there is none, and none where there is. */
  refuse (engine, "localhost", "PORT", "secure=1", "secure=1&ssl_ca=", authority);
  refuse (engine, "localhost", "HTTPS_PORT", "secure=1", "secure=0", "");
}

/* What could be taken for less than it says is refused before anything is sent. */
static void
test_refused_parameters (void)
{
  const char *const uris[] = {
    "clickhouse://127.0.0.1/shop?secure=true",  "clickhouse://127.0.0.1/shop?secure=",
    "clickhouse://127.0.0.1/shop?secure=yes",   "clickhouse://127.0.0.1/shop?ssl_ca=/ca.pem",
    "clickhouse://127.0.0.1/shop?secure=0&ssl_ca=/ca.pem",
    "clickhouse://127.0.0.1/shop?ssl=1",        "mariadb://127.0.0.1/shop?ssl=true",
    "mariadb://127.0.0.1/shop?ssl_verify=on",   "mariadb://127.0.0.1/shop?ssl_verify=",
    "mariadb://127.0.0.1/shop?sslmode=require", "mariadb://127.0.0.1/shop?connect_timeout=soon",
    "mariadb://127.0.0.1/shop?connect_timeout=-1", "postgresql://127.0.0.1/shop?ssl=1",
    "postgresql://127.0.0.1/shop?secure=1",
  };

  for (guint i = 0; i < G_N_ELEMENTS (uris); i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (PlumbSource) source = plumb_source_new ("shop", uris[i], NULL, &error);

    g_assert_null (source);
    g_assert_error (error, PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_ADDRESS);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  other_authority = make_other_authority ();
  g_test_add_func ("/sources/tls/refused-parameters", test_refused_parameters);
  g_test_add_func ("/sources/tls/postgres", test_postgres);
  g_test_add_func ("/sources/tls/mariadb", test_mariadb);
  g_test_add_func ("/sources/tls/clickhouse", test_clickhouse);
  return g_test_run ();
}
