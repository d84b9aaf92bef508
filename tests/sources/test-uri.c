/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-source-uri.h"
#include "plumb-source.h"

#include <string.h>

static PlumbSourceUri *
parse (const char *text)
{
  g_autoptr (GError) error = NULL;
  PlumbSourceUri *uri = plumb_source_uri_parse (text, &error);

  g_assert_no_error (error);
  g_assert_nonnull (uri);
  return uri;
}

static void
assert_stripped (const char *text, const char *stripped, const char *password)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *found = NULL;
  g_autofree char *uri = plumb_source_uri_strip_password (text, &found, &error);

  g_assert_no_error (error);
  g_assert_cmpstr (uri, ==, stripped);
  g_assert_cmpstr (found, ==, password);
}

static void
assert_refused (const char *text)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *password = NULL;
  g_autofree char *uri = plumb_source_uri_strip_password (text, &password, &error);

  g_assert_error (error, PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_ADDRESS);
  g_assert_null (uri);
  g_assert_null (password);
  g_assert_null (strstr (error->message, "geheim"));
}

static void
test_parts (void)
{
  g_autoptr (PlumbSourceUri) uri = parse (
    "postgresql://me:geheim@db.example.org:5433/shop?sslmode=require&connect_timeout=3");

  g_assert_cmpstr (uri->scheme, ==, "postgresql");
  g_assert_cmpstr (uri->user, ==, "me");
  g_assert_cmpstr (uri->password, ==, "geheim");
  g_assert_cmpstr (uri->host, ==, "db.example.org");
  g_assert_cmpstr (uri->port, ==, "5433");
  g_assert_cmpstr (uri->path, ==, "shop");
  g_assert_cmpstr (plumb_source_uri_get_parameter (uri, "sslmode"), ==, "require");
  g_assert_cmpstr (plumb_source_uri_get_parameter (uri, "connect_timeout"), ==, "3");
  g_assert_null (plumb_source_uri_get_parameter (uri, "port"));
}

static void
test_files (void)
{
  g_autoptr (PlumbSourceUri) file = parse ("sqlite:///home/me/my%20sales.sqlite");
  g_autoptr (PlumbSourceUri) hangul = parse ("sqlite:///데이터/판매 100%.db?immutable=1");
  g_autoptr (PlumbSourceUri) folder = parse ("catalog:///srv/schemas/");

  g_assert_cmpstr (file->path, ==, "/home/me/my sales.sqlite");
  g_assert_cmpstr (hangul->path, ==, "/데이터/판매 100%.db");
  g_assert_cmpstr (plumb_source_uri_get_parameter (hangul, "immutable"), ==, "1");
  g_assert_cmpstr (folder->path, ==, "/srv/schemas/");
  assert_stripped ("sqlite:///a%3Fb%23c.db", "sqlite:///a%3Fb%23c.db", NULL);
  assert_stripped ("sqlite:///판매 1.db", "sqlite:///판매%201.db", NULL);
}

static void
test_hosts (void)
{
  g_autoptr (PlumbSourceUri) ipv6 = parse ("postgresql://me@[2001:db8::1]:5432/shop");
  g_autoptr (PlumbSourceUri) bare_ipv6 = parse ("postgresql://[::1]/shop");
  g_autoptr (PlumbSourceUri) socket = parse ("postgresql://me@%2Fvar%2Frun%2Fpostgresql/shop");
  g_autoptr (PlumbSourceUri) parameter = parse ("postgresql:///shop?host=/tmp");
  g_autoptr (PlumbSourceUri) several = parse ("postgresql://a:1,[::1],c:3/shop");

  g_assert_cmpstr (ipv6->host, ==, "2001:db8::1");
  g_assert_cmpstr (ipv6->port, ==, "5432");
  g_assert_cmpstr (bare_ipv6->host, ==, "::1");
  g_assert_null (bare_ipv6->port);
  g_assert_cmpstr (socket->host, ==, "/var/run/postgresql");
  g_assert_null (parameter->host);
  g_assert_cmpstr (plumb_source_uri_get_parameter (parameter, "host"), ==, "/tmp");
  g_assert_cmpstr (several->host, ==, "a,::1,c");
  g_assert_cmpstr (several->port, ==, "1,,3");
  assert_stripped ("postgresql://a:1,[::1],c:3/shop", "postgresql://a:1,[::1],c:3/shop", NULL);
  assert_stripped ("postgresql://me@[fe80::1%25eth0]:5432/shop",
                   "postgresql://me@[fe80::1%25eth0]:5432/shop", NULL);
  assert_stripped ("postgresql://[:%21]/shop", "postgresql://[:%21]/shop", NULL);
  assert_stripped ("postgresql://me@%2Fvar%2Frun/shop", "postgresql://me@%2Fvar%2Frun/shop", NULL);
}

static void
test_database_names (void)
{
  const char *const names[] = { "my shop", "a\"b", "it's", "판매", "продажи", "a.b", "50%",
                                "a/b",     "a?b",  "a#b",  "a@b",  "a:b",     "a+b" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autofree char *escaped = g_uri_escape_string (names[i], NULL, FALSE);
    g_autofree char *text = g_strdup_printf ("postgresql://me@host/%s", escaped);
    g_autoptr (PlumbSourceUri) uri = parse (text);
    g_autofree char *formatted = plumb_source_uri_format (uri);
    g_autoptr (PlumbSourceUri) again = parse (formatted);

    g_assert_cmpstr (uri->path, ==, names[i]);
    g_assert_cmpstr (again->path, ==, names[i]);
    g_assert_cmpstr (again->host, ==, "host");
  }
}

/* As it is written by a careful person, escaped, each printable character arrives. */
static void
test_escaped_passwords (void)
{
  for (int c = 0x20; c < 0x7f; c++) {
    char password[] = { 'x', (char) c, 'y', '\0' };
    g_autofree char *escaped = g_uri_escape_string (password, NULL, FALSE);
    g_autofree char *text = g_strdup_printf ("postgresql://me:%s@host:5432/shop?sslmode=prefer",
                                             escaped);

    assert_stripped (text, "postgresql://me@host:5432/shop?sslmode=prefer", password);
  }
}

/* Pasted as it is, each either arrives too, or the address is refused; it is never kept in it. */
static void
test_raw_passwords (void)
{
  for (int c = 0x20; c < 0x7f; c++) {
    char password[] = { 'g', 'e', (char) c, 'h', 'm', '\0' };
    g_autofree char *text = g_strdup_printf ("postgresql://me:%s@host:5432/shop", password);

    assert_stripped (text, "postgresql://me@host:5432/shop", password);
  }
  assert_stripped ("postgresql://me:p@ss/w?rd#1@host/shop", "postgresql://me@host/shop",
                   "p@ss/w?rd#1");
  assert_stripped ("postgresql://me:100%sure@host/shop", "postgresql://me@host/shop", "100%sure");
  assert_stripped ("postgresql://me:민@host/shop", "postgresql://me@host/shop", "민");
}

static void
test_password_places (void)
{
  assert_stripped ("postgresql://host/shop?user=me&password=geheim&sslmode=require",
                   "postgresql://host/shop?user=me&sslmode=require", "geheim");
  assert_stripped ("odbc:DSN=erp;UID=me;PWD=geheim;Trace=0", "odbc:DSN=erp;UID=me;Trace=0",
                   "geheim");
  assert_stripped ("odbc:Driver={Some Driver};Pwd={a;b}", "odbc:Driver={Some Driver}", "a;b");
  assert_stripped ("odbc:Driver={Some Driver};Pwd={a}}b;}", "odbc:Driver={Some Driver}", "a}b;");
  assert_stripped ("odbc: DSN = erp ; Pwd = {a;b} ;", "odbc:DSN=erp", "a;b");
  assert_stripped ("postgresql://me@host/shop", "postgresql://me@host/shop", NULL);
  assert_stripped ("POSTGRESQL://me:@host/shop", "postgresql://me@host/shop", "");
  assert_stripped ("  postgresql://host/shop \n", "postgresql://host/shop", NULL);
}

static void
test_refused (void)
{
  const char *const texts[] = {
    "",
    " ",
    "shop",
    "host:5432",
    "/home/me/sales.sqlite",
    "://host",
    "oracle9://host/db",
    "postgresql:host/db",
    "postgresql://me:geheim",
    "postgresql://host:port/db",
    "postgresql://host:0/db",
    "postgresql://host:70000/db",
    "postgresql://[::1/db",
    "postgresql://::1/db",
    "postgresql://ho st/db",
    "postgresql://host/db?sslmode",
    "postgresql://host/db?a=1&a=2",
    "postgresql://host/%00",
    "postgresql://a%2Cb/shop",
    "postgresql://a%3Ab/shop",
    "odbc:DSN={a}b;PWD=geheim",
    "postgresql://host/%ff",
    "postgresql://me:geheim@ho st/db",
    "postgresql://me:1?x=geheim@host/db",
    "sqlite://",
    "sqlite:///",
    "sqlite://folder/file",
    "sqlite:file",
    "sqlite:///a%00b",
    "odbc:",
    "odbc:geheim",
    "odbc:PWD=geheim",
    "odbc:\r=geheim",
    "odbc:{=geheim",
    "odbc:DSN={erp",
    "odbc:DSN=erp;PWD=geheim;NewPWD=geheim",
    "odbc:DSN=erp;ProxyPassword=geheim",
    "odbc:DSN=erp;AccessToken={geheim}",
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    assert_refused (texts[i]);
  assert_refused (NULL);
}

static void
assert_title (const char *uri, const char *title)
{
  g_autofree char *found = plumb_source_uri_get_title (uri);

  g_assert_cmpstr (found, ==, title);
}

static void
test_titles (void)
{
  assert_title ("sqlite:///home/me/sales.sqlite", "sales.sqlite");
  assert_title ("postgresql://me:geheim@db.example.org:5432/shop", "shop on db.example.org");
  assert_title ("postgresql:///shop", "shop on localhost");
  assert_title ("odbc:DSN=erp;PWD=geheim", "DSN=erp");
  assert_title ("odbc:Driver={Some Driver};Server=h;PWD={ge;heim}", "Driver={Some Driver};Server=h");
  assert_title ("no address", "");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sources/uri/parts", test_parts);
  g_test_add_func ("/sources/uri/files", test_files);
  g_test_add_func ("/sources/uri/hosts", test_hosts);
  g_test_add_func ("/sources/uri/database-names", test_database_names);
  g_test_add_func ("/sources/uri/escaped-passwords", test_escaped_passwords);
  g_test_add_func ("/sources/uri/raw-passwords", test_raw_passwords);
  g_test_add_func ("/sources/uri/password-places", test_password_places);
  g_test_add_func ("/sources/uri/refused", test_refused);
  g_test_add_func ("/sources/uri/titles", test_titles);
  return g_test_run ();
}
