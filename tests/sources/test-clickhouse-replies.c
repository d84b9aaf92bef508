/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-source.h"

#include <libsoup/soup.h>
#include <string.h>

/* Replies as newer versions than Debian's give them, and as other servers do, from a server in this
 * process. */

/* The answer to what has @words in it. */
typedef struct {
  const char *words;
  const char *reply;
} Recorded;

typedef struct {
  GMainContext *context;
  GMainLoop *loop;
  GThread *thread;
  SoupServer *server;
  guint port;
  guint status;
  const char *reply;
  const char *exception_code; /* (nullable): of an answer to a statement */
  const Recorded *recorded; /* (nullable): answers to Plumbline's own questions */
  char *last_query;
} Fixture;

#define SETTINGS_REPLY "max_execution_time\nreadonly\noutput_format_decimal_trailing_zeros\n"
#define COLUMNS_REPLY \
  "tables.as_select\ntables.total_rows\ntables.comment\ncolumns.comment\ncolumns." \
  "position\nfunctions.origin\n"

static const char *
find_recorded (const Recorded *recorded, const char *sql)
{
  for (; recorded != NULL && recorded->words != NULL; recorded++) {
    if (strstr (sql, recorded->words) != NULL)
      return recorded->reply;
  }
  return NULL;
}

static void
answer (SoupServer *server, SoupServerMessage *message, const char *path, GHashTable *query,
        gpointer user_data)
{
  Fixture *fixture = user_data;
  SoupMessageBody *body = soup_server_message_get_request_body (message);
  g_autofree char *sql = g_strndup (body->data, body->length);
  const char *recorded = find_recorded (fixture->recorded, sql);
  const char *reply = fixture->reply;
  guint status = 200;

  if (recorded != NULL)
    reply = recorded;
  else if (strstr (sql, "FROM system.settings WHERE") != NULL)
    reply = "25.11.2.24\t0\n";
  else if (strstr (sql, "FROM system.settings") != NULL)
    reply = SETTINGS_REPLY;
  else if (strstr (sql, "FROM system.columns") != NULL)
    reply = COLUMNS_REPLY;
  else if (strstr (sql, "FROM system.processes") != NULL)
    reply = "0\n";
  else
    status = fixture->status;
  if (reply == fixture->reply && fixture->exception_code != NULL)
    soup_message_headers_replace (soup_server_message_get_response_headers (message),
                                  "X-ClickHouse-Exception-Code", fixture->exception_code);
  g_free (fixture->last_query);
  fixture->last_query = g_strdup (g_uri_get_query (soup_server_message_get_uri (message)));
  soup_server_message_set_status (message, status, NULL);
  soup_server_message_set_response (message, "text/tab-separated-values", SOUP_MEMORY_COPY, reply,
                                    strlen (reply));
}

static gpointer
serve (gpointer user_data)
{
  Fixture *fixture = user_data;

  g_main_context_push_thread_default (fixture->context);
  g_main_loop_run (fixture->loop);
  g_main_context_pop_thread_default (fixture->context);
  return NULL;
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoslist (GUri) uris = NULL;

  fixture->context = g_main_context_new ();
  fixture->loop = g_main_loop_new (fixture->context, FALSE);
  fixture->status = 200;
  g_main_context_push_thread_default (fixture->context);
  fixture->server = soup_server_new (NULL, NULL);
  soup_server_add_handler (fixture->server, NULL, answer, fixture, NULL);
  g_assert_true (
    soup_server_listen_local (fixture->server, 0, SOUP_SERVER_LISTEN_IPV4_ONLY, &error));
  g_main_context_pop_thread_default (fixture->context);
  uris = soup_server_get_uris (fixture->server);
  fixture->port = g_uri_get_port (uris->data);
  fixture->thread = g_thread_new ("server", serve, fixture);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_main_loop_quit (fixture->loop);
  g_thread_join (fixture->thread);
  g_object_unref (fixture->server);
  g_main_loop_unref (fixture->loop);
  g_main_context_unref (fixture->context);
  g_free (fixture->last_query);
}

static PlumbResult *
run (Fixture *fixture, const char *reply, GError **error)
{
  g_autofree char *uri = g_strdup_printf ("clickhouse://reader@127.0.0.1:%u/shop", fixture->port);
  g_autoptr (PlumbSource) source = plumb_source_new ("shop", uri, "secret word", NULL);
  g_autoptr (PlumbResult) result = plumb_result_new (NULL);
  PlumbRowSink sink = plumb_result_get_sink (result);

  fixture->reply = reply;
  return plumb_source_run (source, "SELECT a, b FROM t", NULL, &sink, NULL, NULL, NULL, error)
           ? g_steal_pointer (&result)
           : NULL;
}

static void
test_types (Fixture *fixture, gconstpointer data)
{
  static const PlumbValueKind kinds[] = {
    PLUMB_VALUE_INTEGER, PLUMB_VALUE_DECIMAL, PLUMB_VALUE_TIMESTAMP,
    PLUMB_VALUE_BOOLEAN, PLUMB_VALUE_OTHER,   PLUMB_VALUE_TEXT,
  };
  const char *const texts[] = {
    "-170141183460469231731687303715884105728",
    "1.50",
    "2024-02-29 12:00:00.123456789",
    "true",
    "{'a':1}",
    "x",
  };
  g_autoptr (GError) error = NULL;
  g_autoptr (PlumbResult) result =
    run (fixture,
      "a\tb\tc\td\te\tf\nInt128\tDecimal(10, 2)\tDateTime64(9, "
      "'UTC')\tBool\tMap(String, UInt8)\tLowCardinality(Nullable(String))\n"
      "-170141183460469231731687303715884105728\t1.50\t2024-02-29 "
      "12:00:00.123456789\ttrue\t{'a':1}\tx\n",
      &error);

  g_assert_no_error (error);
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++) {
    g_assert_cmpint (plumb_result_get_cell (result, 0, i)->kind, ==, kinds[i]);
    g_assert_cmpstr (plumb_result_get_cell (result, 0, i)->text, ==, texts[i]);
  }
  g_assert_nonnull (strstr (fixture->last_query, "output_format_decimal_trailing_zeros=1"));
  g_assert_null (strstr (fixture->last_query, "allow_ddl"));
  g_assert_true (g_str_has_suffix (fixture->last_query, "&readonly=1"));
  g_assert_null (strstr (fixture->last_query, "secret"));
}

static void
assert_fails (Fixture *fixture, const char *reply, PlumbSourceError code, const char *words)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PlumbResult) result = run (fixture, reply, &error);

  g_assert_null (result);
  g_assert_error (error, PLUMB_SOURCE_ERROR, (int) code);
  if (strstr (error->message, words) == NULL)
    g_error ("“%s” is not in: %s", words, error->message);
}

static void
test_late_errors (Fixture *fixture, gconstpointer data)
{
  assert_fails (fixture,
                "a\tb\nUInt8\tUInt8\n1\t2\nCode: 395. DB::Exception: Value is non-zero. "
                "(FUNCTION_THROW_IF_VALUE_IS_NON_ZERO) (version 24.8.4.13 (official build))\n",
                PLUMB_SOURCE_ERROR_STATEMENT, "Value is non-zero");
  assert_fails (
    fixture,
    "a\tb\nUInt8\tUInt8\n1\t2\n\r\n__exception__\r\nabcdefghijklmnop\r\nCode: 241. DB::Exception: "
    "Memory limit exceeded. (MEMORY_LIMIT_EXCEEDED)\r\n75 abcdefghijklmnop\r\n__exception__\r\n",
    PLUMB_SOURCE_ERROR_STATEMENT, "more memory");
  assert_fails (
    fixture,
    "a\nString\nx\n\r\n__exception__\r\nabcdefghijklmnop\r\nCode: 241. DB::Exception: Memory limit "
    "exceeded. (MEMORY_LIMIT_EXCEEDED)\r\n75 abcdefghijklmnop\r\n__exception__\r\n",
    PLUMB_SOURCE_ERROR_STATEMENT, "more memory");
  assert_fails (fixture, "a\tb\nUInt8\tUInt8\n1\t2\n3", PLUMB_SOURCE_ERROR_LOST, "middle of a row");
  assert_fails (fixture, "a\tb\nUInt8\tUInt8\n1\t2\n3\n", PLUMB_SOURCE_ERROR_LOST,
                "number of columns");
  assert_fails (fixture, "", PLUMB_SOURCE_ERROR_STATEMENT, "no query");
}

static void
test_odd_replies (Fixture *fixture, gconstpointer data)
{
  fixture->status = 403;
  assert_fails (fixture,
                "Code: 516. DB::Exception: reader: Authentication failed: password is incorrect, "
                "or there is no user with such name. (AUTHENTICATION_FAILED)\n",
                PLUMB_SOURCE_ERROR_AUTHENTICATION, "did not accept");
  assert_fails (fixture, "<html><body>Please sign in</body></html>", PLUMB_SOURCE_ERROR_CONNECT,
                "not ClickHouse");
  fixture->status = 500;
  assert_fails (fixture,
                "Code: 497. DB::Exception: reader: Not enough privileges. To execute this query, "
                "it's necessary to have the grant SELECT(a) ON shop.t. (ACCESS_DENIED)\n",
                PLUMB_SOURCE_ERROR_DENIED, "Not enough privileges");
  fixture->status = 302;
  assert_fails (fixture, "", PLUMB_SOURCE_ERROR_CONNECT, "302");
  /* The number in a header, and the text in whatever format was asked for. */
  fixture->status = 404;
  fixture->exception_code = "60";
  assert_fails (fixture, "{\"exception\": \"Table shop.t does not exist\"}",
                PLUMB_SOURCE_ERROR_STATEMENT, "Analyze the source again");
  fixture->status = 200;
  fixture->exception_code = "241";
  assert_fails (fixture, "Code: 241. DB::Exception: Memory limit exceeded. (MEMORY_LIMIT_EXCEEDED)",
                PLUMB_SOURCE_ERROR_STATEMENT, "more memory");
}

/* EXPLAIN came with 20.6; the plan is text, and the statement keeps its read-only settings. */
static void
test_explain (Fixture *fixture, gconstpointer data)
{
  g_autofree char *uri = g_strdup_printf ("clickhouse://reader@127.0.0.1:%u/shop", fixture->port);
  g_autoptr (PlumbSource) source = plumb_source_new ("shop", uri, NULL, NULL);
  g_autoptr (GError) error = NULL;
  g_autofree char *plan = NULL;

  fixture->reply = "Expression (Projection)\n  ReadFromMergeTree (shop.t)\n";
  plan = plumb_source_explain (source, "SELECT a FROM t", NULL, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (plan, ==, "Expression (Projection)\n  ReadFromMergeTree (shop.t)");
  g_assert_true (g_str_has_suffix (fixture->last_query, "&readonly=1"));
}

/* What ClickHouse 25 says of the tables that the account may see, its own grants, its two roles and
 * theirs. The names and their order are those of system.tables, system.columns and SHOW GRANTS in its
 * manual; one role holds another one, so that both are in force. */
static const Recorded with_roles[] = {
  { "FROM system.tables",
    "shop\torders\tMergeTree\torder lines\t1000\n"
    "shop\tcustomers\tReplacingMergeTree\t\t20\n"
    "shop\tsalaries\tMergeTree\t\t20\n"
    "shop\treturns\tMergeTree\t\t7\n"
    "shop\todd.name\tMergeTree\t\t7\n"
    "shop\tv_orders\tView\t\t-1\n"
    "shop\tm_daily\tMaterializedView\t\t-1\n"
    "shop\t.inner_id.7c1b1a1e-0000-4000-8000-000000000001\tSummingMergeTree\t\t31\n"
    "shop\t.inner.m_old\tSummingMergeTree\t\t31\n"
    "shop\tm_to_sums\tMaterializedView\t\t-1\n"
    "shop\tsums\tSummingMergeTree\t\t12\n"
    "stats\tvisits_2024\tMergeTree\t\t5\n"
    "stats\tvisits_hidden\tMergeTree\t\t5\n"
    "stats\tother\tMergeTree\t\t5\n" },
  { "FROM system.columns WHERE database NOT IN",
    "shop\torders\tid\tUInt64\t\n"
    "shop\tcustomers\tid\tUInt64\t\nshop\tcustomers\tname\tString\t\n"
    "shop\tcustomers\tpassport no\tString\t\n"
    "shop\tsalaries\tid\tUInt64\t\nshop\treturns\tid\tUInt64\t\nshop\treturns\tnote\tString\t\n"
    "shop\todd.name\ta\tUInt64\t\n"
    "shop\tv_orders\tid\tUInt64\t\nshop\tm_daily\tday\tDate\t\n"
    "shop\tm_to_sums\tday\tDate\t\nshop\tsums\tday\tDate\t\n"
    "stats\tvisits_2024\ta\tUInt64\t\nstats\tvisits_hidden\ta\tUInt64\t\nstats\tother\ta\tUInt64\t\n" },
  { "FROM system.enabled_roles", "analyst\nrole of \\'one\\'\n" },
  { "SHOW GRANTS FOR `analyst`",
    "GRANT SELECT(id, name), SHOW COLUMNS ON shop.customers TO analyst\n"
    "GRANT SELECT ON stats.visits_* TO analyst\n"
    "REVOKE SELECT ON stats.visits_hidden FROM analyst\n"
    "GRANT `role of \\'one\\'` TO analyst\n" },
  { "SHOW GRANTS FOR `role of ",
    "GRANT SELECT, INSERT ON shop.* TO `role of \\'one\\'`\n"
    "REVOKE SELECT ON shop.salaries FROM `role of \\'one\\'`\n"
    "REVOKE SELECT ON shop.customers FROM `role of \\'one\\'`\n"
    "REVOKE SELECT(note) ON shop.returns FROM `role of \\'one\\'`\n"
    "REVOKE SELECT ON shop.`odd.name` FROM `role of \\'one\\'`\n" },
  { "SHOW GRANTS",
    "GRANT SHOW TABLES, SHOW COLUMNS ON *.* TO reader\n"
    "GRANT READ ON S3 TO reader\nGRANT analyst TO reader\n" },
  { "timezone()", "UTC\n" },
  { "plumbline_tries_to_write",
    "Code: 164. DB::Exception: reader: Cannot execute query in readonly mode. (READONLY)\n" },
  { NULL, NULL },
};

static void
assert_selectable (PlumbCatalog *catalog, const char *schema, const char *name, gboolean selectable,
                   guint n_columns)
{
  const PlumbTable *table = plumb_catalog_find (catalog, schema, name);

  g_assert_nonnull (table);
  if (table->selectable != selectable || table->columns->len != n_columns)
    g_error ("%s.%s: selectable %d, %u columns", schema, name, table->selectable,
             table->columns->len);
}

static void
test_grants (Fixture *fixture, gconstpointer data)
{
  g_autofree char *uri = g_strdup_printf ("clickhouse://reader@127.0.0.1:%u/shop", fixture->port);
  g_autoptr (PlumbSource) source = plumb_source_new ("shop", uri, NULL, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (PlumbCatalog) catalog = NULL;
  g_autoptr (PlumbAccountProbe) probe = NULL;

  fixture->recorded = with_roles;
  catalog = plumb_source_read_catalog (source, NULL, &error);
  g_assert_no_error (error);
  assert_selectable (catalog, "shop", "orders", TRUE, 1);
  assert_selectable (catalog, "shop", "customers", TRUE, 2);
  assert_selectable (catalog, "shop", "salaries", FALSE, 1);
  assert_selectable (catalog, "shop", "returns", TRUE, 1);
  assert_selectable (catalog, "shop", "odd.name", FALSE, 1);
  assert_selectable (catalog, "shop", "v_orders", TRUE, 1);
  assert_selectable (catalog, "stats", "visits_2024", TRUE, 1);
  assert_selectable (catalog, "stats", "visits_hidden", FALSE, 1);
  assert_selectable (catalog, "stats", "other", FALSE, 1);
  g_assert_null (plumb_table_find_column (plumb_catalog_find (catalog, "shop", "customers"),
                                          "passport no"));
  g_assert_null (plumb_table_find_column (plumb_catalog_find (catalog, "shop", "returns"), "note"));
  probe = plumb_source_probe (source, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (probe->n_tables, ==, 12);
  g_assert_cmpuint (probe->n_selectable, ==, 8);
  g_assert_cmpuint (probe->superuser_rights->len, ==, 1);
  g_assert_cmpstr (g_ptr_array_index (probe->superuser_rights, 0), ==,
                   "GRANT READ ON S3 TO reader");
  g_assert_cmpstr (g_ptr_array_index (probe->write_rights, 0), ==,
                   "GRANT SELECT, INSERT ON shop.* TO `role of 'one'`");
}

static void
test_materialized_views (Fixture *fixture, gconstpointer data)
{
  g_autofree char *uri = g_strdup_printf ("clickhouse://reader@127.0.0.1:%u/shop", fixture->port);
  g_autoptr (PlumbSource) source = plumb_source_new ("shop", uri, NULL, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (PlumbCatalog) catalog = NULL;

  fixture->recorded = with_roles;
  catalog = plumb_source_read_catalog (source, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (plumb_catalog_find (catalog, "shop", "m_daily")->kind, ==,
                   PLUMB_TABLE_KIND_MATERIALIZED_VIEW);
  g_assert_cmpint (plumb_catalog_find (catalog, "shop", "m_to_sums")->kind, ==,
                   PLUMB_TABLE_KIND_MATERIALIZED_VIEW);
  g_assert_cmpint (plumb_catalog_find (catalog, "shop", "sums")->kind, ==, PLUMB_TABLE_KIND_TABLE);
  for (guint i = 0; i < catalog->tables->len; i++) {
    const PlumbTable *table = g_ptr_array_index (catalog->tables, i);

    g_assert_false (g_str_has_prefix (table->name, ".inner"));
  }
}

#define ADD(path, test) \
  g_test_add ("/sources/clickhouse-replies/" path, Fixture, NULL, set_up, test, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("types", test_types);
  ADD ("late-errors", test_late_errors);
  ADD ("odd-replies", test_odd_replies);
  ADD ("explain", test_explain);
  ADD ("grants", test_grants);
  ADD ("materialized-views", test_materialized_views);
  return g_test_run ();
}
