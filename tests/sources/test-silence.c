/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "silent-proxy.h"
#include "source-fixture.h"

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/socket.h>

/* A network that says nothing any more, to each of the servers. Nothing breaks by itself then:
 * Plumbline has to end every wait by its own time, and say which source it was. */

#define BUDGET_MS 1500
#define SOME_BYTES (256 * 1024)

static SilentProxy *
make_way (const Engine *engine)
{
  g_autofree char *port = engine_get_variable (engine, "PORT");

  return silent_proxy_new (port);
}

static PlumbSource *
open_through (const Engine *engine, SilentProxy *proxy)
{
  g_autofree char *password = engine_get_variable (engine, "PASSWORD");
  const char *database = strcmp (engine->name, "mariadb") == 0      ? "mysql"
                         : strcmp (engine->name, "clickhouse") == 0 ? "default"
                                                                    : "postgres";

  return engine_open (engine, engine->admin, password, "127.0.0.1", silent_proxy_get_port (proxy),
                      database);
}

static void
assert_names_source (const GError *error)
{
  g_assert_nonnull (error);
  g_assert_true (error->domain == PLUMB_SOURCE_ERROR || error->domain == PLUMB_ERROR);
  if (!g_str_has_prefix (error->message, "shop: "))
    g_error ("No source is named: %s", error->message);
}

/* ClickHouse's KILL doesn't reach a thread that writes to a connection, and this one takes nothing
 * more: the thread waits until the connection breaks, and Plumbline says that it has no proof. */
static gboolean
stays_in_write (const Engine *engine, const char *statement)
{
  return strcmp (engine->name, "clickhouse") == 0 && statement == engine->many;
}

/* The connection that has the statement goes silent; new ones get through. The server is told over
 * one of them, and says that the statement is gone. */
static void
test_statement (gconstpointer data)
{
  const Engine *engine = data;
  const char *statements[] = { engine->count, engine->many };

  for (guint i = 0; i < G_N_ELEMENTS (statements); i++) {
    SilentProxy *proxy = make_way (engine);
    g_autoptr (PlumbSource) source = open_through (engine, proxy);
    Running running;

    assert_one_cell (source, "SELECT 'before'", "before");
    running_start (&running, source, statements[i], BUDGET_MS);
    if (statements[i] == engine->many)
      silent_proxy_forget_after (proxy, SOME_BYTES);
    else
      engine_wait_for_running (engine, "1");
    if (statements[i] == engine->count)
      silent_proxy_forget (proxy);
    running_finish (&running);
    assert_names_source (running.error);
    if (stays_in_write (engine, statements[i]))
      g_assert_nonnull (strstr (running.error->message, "does not confirm"));
    else
      engine_wait_for_running (engine, "0");
    silent_proxy_forget_after (proxy, 0);
    assert_one_cell (source, "SELECT 'after'", "after");
    running_clear (&running);
    g_clear_object (&source);
    silent_proxy_free (proxy);
    engine_wait_for_running (engine, "0");
  }
}

/* Nothing at all gets through: the server can't be told, and that is what the message says. */
static void
test_nothing_gets_through (gconstpointer data)
{
  const Engine *engine = data;
  SilentProxy *proxy = make_way (engine);
  g_autoptr (PlumbSource) source = open_through (engine, proxy);
  Running running;

  running_start (&running, source, engine->count, 0);
  engine_wait_for_running (engine, "1");
  silent_proxy_block (proxy, TRUE);
  silent_proxy_forget (proxy);
  g_cancellable_cancel (running.cancellable);
  running_finish (&running);
  g_assert_error (running.error, PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_LOST);
  assert_names_source (running.error);
  g_assert_nonnull (strstr (running.error->message, "does not confirm"));
  silent_proxy_block (proxy, FALSE);
  assert_one_cell (source, "SELECT 'after'", "after");
  running_clear (&running);
  g_clear_object (&source);
  silent_proxy_free (proxy);
  engine_kill_running (engine);
  engine_wait_for_running (engine, "0");
}

/* A firewall forgets connections that were idle for long. */
static void
test_idle_connection (gconstpointer data)
{
  const Engine *engine = data;
  SilentProxy *proxy = make_way (engine);
  g_autoptr (PlumbSource) source = open_through (engine, proxy);
  g_autoptr (GError) error = NULL;

  assert_one_cell (source, "SELECT 'before'", "before");
  silent_proxy_forget (proxy);
  assert_one_cell (source, "SELECT 'after'", "after");
  silent_proxy_forget (proxy);
  g_assert_true (plumb_source_connect (source, NULL, &error));
  g_assert_no_error (error);
  g_clear_object (&source);
  silent_proxy_free (proxy);
}

/* What Plumbline asks for itself has no budget of a person's, and must end nevertheless. */
static void
test_own_questions (gconstpointer data)
{
  const Engine *engine = data;
  SilentProxy *proxy = make_way (engine);
  g_autoptr (PlumbSource) source = open_through (engine, proxy);
  g_autoptr (GError) error = NULL;

  plumb_source_set_patience (source, 1000);
  silent_proxy_block (proxy, TRUE);
  g_assert_false (plumb_source_connect (source, NULL, &error));
  assert_names_source (error);
  g_clear_error (&error);
  g_assert_null (plumb_source_read_catalog (source, NULL, &error));
  assert_names_source (error);
  g_clear_error (&error);
  g_assert_null (plumb_source_probe (source, NULL, &error));
  assert_names_source (error);
  g_clear_error (&error);
  g_assert_null (plumb_source_check (source, "SELECT 1", NULL, NULL, &error));
  assert_names_source (error);
  g_clear_error (&error);
  silent_proxy_block (proxy, FALSE);
  plumb_source_set_patience (source, 30000);
  g_assert_true (plumb_source_connect (source, NULL, &error));
  g_assert_no_error (error);
  /* In the middle of the catalog, where it comes over one connection. */
  if (strcmp (engine->name, "clickhouse") != 0) {
    plumb_source_set_patience (source, 1000);
    silent_proxy_forget_after (proxy, 600);
    g_assert_null (plumb_source_read_catalog (source, NULL, &error));
    g_assert_error (error, PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_LOST);
    assert_names_source (error);
    silent_proxy_forget_after (proxy, 0);
  }
  g_clear_object (&source);
  silent_proxy_free (proxy);
}

/* This program's connections to @port of the loopback address. */
static GArray *
find_sockets (guint port)
{
  GArray *found = g_array_new (FALSE, FALSE, sizeof (int));
  g_autoptr (GDir) dir = g_dir_open ("/proc/self/fd", 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL) {
    struct sockaddr_in address = { 0 };
    socklen_t length = sizeof address;
    int fd = (int) g_ascii_strtoll (name, NULL, 10);

    if (getpeername (fd, (struct sockaddr *) &address, &length) == 0 &&
        address.sin_family == AF_INET && ntohs (address.sin_port) == port)
      g_array_append_val (found, fd);
  }
  return found;
}

static int
get_option (int fd, int level, int option)
{
  int value = 0;
  socklen_t length = sizeof value;

  g_assert_cmpint (getsockopt (fd, level, option, &value, &length), ==, 0);
  return value;
}

/* Where packets are dropped, the system finds out within a minute, for all three. */
static void
test_keepalive (gconstpointer data)
{
  const Engine *engine = data;
  g_autofree char *password = engine_get_variable (engine, "PASSWORD");
  g_autofree char *port = engine_get_variable (engine, "PORT");
  g_autoptr (PlumbSource) source = engine_open (engine, engine->admin, password, "127.0.0.1", 0,
                                                strcmp (engine->name, "postgres") == 0 ? "postgres"
                                                : strcmp (engine->name, "mariadb") == 0 ? "mysql"
                                                                                        : "default");
  g_autoptr (GArray) sockets = NULL;
  Running running;

  running_start (&running, source, engine->count, 0);
  engine_wait_for_running (engine, "1");
  sockets = find_sockets ((guint) g_ascii_strtoull (port, NULL, 10));
  g_assert_cmpuint (sockets->len, ==, 1);
  for (guint i = 0; i < sockets->len; i++) {
    int fd = g_array_index (sockets, int, i);

    g_assert_cmpint (get_option (fd, SOL_SOCKET, SO_KEEPALIVE), ==, 1);
    g_assert_cmpint (get_option (fd, IPPROTO_TCP, TCP_KEEPIDLE), ==, 20);
    g_assert_cmpint (get_option (fd, IPPROTO_TCP, TCP_KEEPINTVL), ==, 10);
    g_assert_cmpint (get_option (fd, IPPROTO_TCP, TCP_KEEPCNT), ==, 3);
    g_assert_cmpint (get_option (fd, IPPROTO_TCP, TCP_USER_TIMEOUT), ==, 30000);
  }
  g_cancellable_cancel (running.cancellable);
  running_finish (&running);
  g_assert_error (running.error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  running_clear (&running);
}

static void
add (const char *name, const Engine *engine, GTestDataFunc test)
{
  g_autofree char *path = g_strdup_printf ("/sources/silence/%s/%s", name, engine->name);

  g_test_add_data_func (path, engine, test);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (engines); i++) {
    add ("statement", &engines[i], test_statement);
    add ("nothing-gets-through", &engines[i], test_nothing_gets_through);
    add ("idle-connection", &engines[i], test_idle_connection);
    add ("own-questions", &engines[i], test_own_questions);
    add ("keepalive", &engines[i], test_keepalive);
  }
  return g_test_run ();
}
