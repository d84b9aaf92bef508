/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-json.h"
#include "vector-peer.h"

#include <glib/gstdio.h>
#include <sqlite3.h>
#include <string.h>

/* Embeddings and reranking from the command line: the real program, and a server in this process.
 */

typedef struct {
  char *output;
  char *errors;
  int exit_code;
} Run;

static char *folder;

static void
run_clear (Run *run)
{
  g_free (run->output);
  g_free (run->errors);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Run, run_clear)

/* Runs a command whose arguments stand apart by a bar. @peer is the server, %NULL for none. */
static Run
run_cli (VectorPeer *peer, const char *arguments)
{
  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (
      G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_PIPE);
  g_autofree char *line = g_strconcat (g_getenv ("PLUMBLINE_CLI"), "|", arguments, NULL);
  g_auto (GStrv) argv = g_strsplit (line, "|", -1);
  g_autoptr (GSubprocess) process = NULL;
  g_autoptr (GError) error = NULL;
  Run run = { 0 };

  g_subprocess_launcher_setenv (launcher, "XDG_DATA_HOME", folder, TRUE);
  g_subprocess_launcher_setenv (launcher, "XDG_CONFIG_HOME", folder, TRUE);
  g_subprocess_launcher_setenv (launcher, "DBUS_SESSION_BUS_ADDRESS", "disabled:", TRUE);
  if (peer != NULL) {
    g_autofree char *address = vector_peer_get_address (peer, "/v1");

    g_subprocess_launcher_setenv (launcher, "PLUMBLINE_EMBEDDING_URL", address, TRUE);
    g_subprocess_launcher_setenv (launcher, "PLUMBLINE_EMBEDDING_NAME", "bge-m3", TRUE);
    g_subprocess_launcher_setenv (launcher, "PLUMBLINE_EMBEDDING_KEY", "secret-key", TRUE);
    g_subprocess_launcher_setenv (launcher, "PLUMBLINE_RERANK_URL", address, TRUE);
  }
  process = g_subprocess_launcher_spawnv (launcher, (const char *const *) argv, &error);
  g_assert_no_error (error);
  g_subprocess_communicate_utf8 (process, NULL, NULL, &run.output, &run.errors, &error);
  g_assert_no_error (error);
  g_assert_true (g_subprocess_get_if_exited (process));
  run.exit_code = g_subprocess_get_exit_status (process);
  g_assert_null (strstr (run.output, "secret-key"));
  g_assert_null (strstr (run.errors, "secret-key"));
  return run;
}

static JsonObject *
parse (const Run *run, JsonNode **node)
{
  g_autoptr (GError) error = NULL;

  *node = plumb_json_parse (run->output, -1, &error);
  g_assert_no_error (error);
  return json_node_get_object (*node);
}

/* A database of three tables, as the source "shop" of a new index. */
static void
add_shop (void)
{
  g_autofree char *path = g_build_filename (folder, "shop.sqlite", NULL);
  g_autofree char *arguments = g_strdup_printf ("source|add|shop|sqlite://%s", path);
  sqlite3 *database = NULL;

  g_assert_cmpint (sqlite3_open (path, &database), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_exec (database,
                                 "CREATE TABLE orders (id INTEGER, placed_at TEXT);"
                                 "CREATE TABLE customer (id INTEGER, email TEXT);"
                                 "CREATE TABLE order_status (id INTEGER, name TEXT);",
                                 NULL, NULL, NULL),
                   ==, SQLITE_OK);
  sqlite3_close (database);
  {
    g_auto (Run) run = run_cli (NULL, arguments);

    g_assert_cmpint (run.exit_code, ==, 0);
  }
}

/* The analysis embeds by itself; what is embedded isn't sent again. */
static void
test_analyze (void)
{
  g_autoptr (VectorPeer) peer = vector_peer_new (32);
  g_auto (Run) without = run_cli (peer, "analyze|--no-model|--json");
  g_auto (Run) broken = { 0 };
  g_auto (Run) run = { 0 };
  g_auto (Run) again = { 0 };
  g_autoptr (JsonNode) broken_node = NULL;
  g_autoptr (JsonNode) node = NULL;
  g_autoptr (JsonNode) again_node = NULL;
  JsonObject *embedding;
  const char *fault;

  g_assert_cmpint (without.exit_code, ==, 0);
  g_assert_cmpuint (vector_peer_get_n_requests (peer), ==, 0);
  vector_peer_set_fault (peer, VECTOR_PEER_NO_KEY, G_MAXUINT);
  broken = run_cli (peer, "analyze|--json");
  g_assert_cmpint (broken.exit_code, ==, 0);
  embedding = plumb_json_get_object (parse (&broken, &broken_node), "embedding");
  fault = plumb_json_get_string (embedding, "error", "");
  g_assert_nonnull (strstr (fault, "Enter a valid key"));
  g_assert_nonnull (strstr (broken.errors, "plumbline-cli embed"));
  vector_peer_set_fault (peer, VECTOR_PEER_FINE, 0);
  run = run_cli (peer, "analyze|--json");
  g_assert_cmpint (run.exit_code, ==, 0);
  embedding = plumb_json_get_object (parse (&run, &node), "embedding");
  g_assert_cmpint (plumb_json_get_int (embedding, "chunks", 0), >=, 6);
  g_assert_cmpint (plumb_json_get_int (embedding, "embedded", 0), ==,
                   plumb_json_get_int (embedding, "chunks", 0));
  g_assert_cmpint (plumb_json_get_int (embedding, "dimensions", 0), ==, 32);
  g_assert_cmpstr (plumb_json_get_string (embedding, "serving_model", NULL), ==, "bge-m3");
  vector_peer_reset (peer);
  again = run_cli (peer, "embed|--json");
  g_assert_cmpint (again.exit_code, ==, 0);
  g_assert_cmpint (plumb_json_get_int (parse (&again, &again_node), "sent", -1), ==, 0);
  g_assert_cmpuint (vector_peer_get_n_requests (peer), ==, 0);
}

static void
test_exit_codes (void)
{
  g_autoptr (VectorPeer) peer = vector_peer_new (32);
  g_auto (Run) none = run_cli (NULL, "embed");
  g_auto (Run) usage = run_cli (peer, "embed|shop");
  g_auto (Run) broken = { 0 };

  g_assert_cmpint (none.exit_code, ==, 7);
  g_assert_nonnull (strstr (none.errors, "PLUMBLINE_EMBEDDING_URL"));
  g_assert_cmpint (usage.exit_code, ==, 2);
  vector_peer_set_fault (peer, VECTOR_PEER_HTML, G_MAXUINT);
  broken = run_cli (peer, "embed|--again");
  g_assert_cmpint (broken.exit_code, ==, 1);
  g_assert_nonnull (strstr (broken.errors, "a web page"));
}

/* A note that hits makes the rerank endpoint take part; one that fails is told, and search goes on.
 */
static void
test_search (void)
{
  g_autoptr (VectorPeer) peer = vector_peer_new (32);
  g_auto (Run) note = run_cli (peer, "note|add|shop.main.orders|holds quarantined ones");
  g_auto (Run) plain = run_cli (peer, "search|order status|--json");
  g_auto (Run) hit = run_cli (peer, "search|quarantined order status|--json");
  g_auto (Run) broken = { 0 };
  g_autoptr (JsonNode) plain_node = NULL;
  g_autoptr (JsonNode) hit_node = NULL;

  g_assert_cmpint (note.exit_code, ==, 0);
  g_assert_false (plumb_json_get_boolean (parse (&plain, &plain_node), "reranked", TRUE));
  g_assert_true (plumb_json_get_boolean (parse (&hit, &hit_node), "reranked", FALSE));
  g_assert_true (vector_peer_got (peer, "Note: holds quarantined ones"));
  vector_peer_set_fault (peer, VECTOR_PEER_SERVER_ERROR, G_MAXUINT);
  broken = run_cli (peer, "search|quarantined order status");
  g_assert_cmpint (broken.exit_code, ==, 0);
  g_assert_nonnull (strstr (broken.errors, "reranking failed"));
  g_assert_nonnull (strstr (broken.output, "shop.main.orders"));
  g_assert_nonnull (strstr (broken.output, "Searched 1 of 1 databases by words"));
}

static void
test_doctor (void)
{
  g_autoptr (VectorPeer) peer = vector_peer_new (32);
  g_auto (Run) again = run_cli (peer, "embed|--again");
  g_auto (Run) run = run_cli (peer, "doctor");

  g_assert_cmpint (again.exit_code, ==, 0);
  g_assert_nonnull (strstr (run.output, "vectors of 32 numbers"));
  g_assert_nonnull (strstr (run.output, "chunks are embedded"));
  g_assert_nonnull (strstr (run.output, "by the rerank endpoint"));
}

int
main (int argc, char **argv)
{
  g_autofree char *index = NULL;

  g_test_init (&argc, &argv, NULL);
  folder = g_dir_make_tmp ("plumb-embed-XXXXXX", NULL);
  index = g_build_filename (folder, "index.sqlite", NULL);
  g_setenv ("PLUMBLINE_INDEX", index, TRUE);
  add_shop ();
  g_test_add_func ("/cli-embed/analyze", test_analyze);
  g_test_add_func ("/cli-embed/exit-codes", test_exit_codes);
  g_test_add_func ("/cli-embed/search", test_search);
  g_test_add_func ("/cli-embed/doctor", test_doctor);
  return g_test_run ();
}
