/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "index-fixture.h"

#include "plumb-index-private.h"
#include "plumb-vectors.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>

#define N_CARDS 800

static void
exec (const char *path, const char *sql)
{
  sqlite3 *db = NULL;

  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_exec (db, sql, NULL, NULL, NULL), ==, SQLITE_OK);
  sqlite3_close (db);
}

static char *
query (const char *path, const char *sql)
{
  sqlite3 *db = NULL;
  sqlite3_stmt *statement = NULL;
  char *text;

  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_prepare_v2 (db, sql, -1, &statement, NULL), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_step (statement), ==, SQLITE_ROW);
  text = g_strdup ((const char *) sqlite3_column_text (statement, 0));
  sqlite3_finalize (statement);
  sqlite3_close (db);
  return text;
}

static char *
checksum (const char *path)
{
  g_autofree char *bytes = NULL;
  gsize length;

  g_assert_true (g_file_get_contents (path, &bytes, &length, NULL));
  return g_compute_checksum_for_data (G_CHECKSUM_SHA256, (const guint8 *) bytes, length);
}

/* Opening @path must fail with @code and leave every byte of it as it is. */
static void
assert_not_opened (const char *path, PlumbIndexError code)
{
  g_autofree char *before = checksum (path);
  g_autofree char *after = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (PlumbIndex) index = plumb_index_open (path, &error);

  g_assert_null (index);
  g_assert_error (error, PLUMB_INDEX_ERROR, (int) code);
  g_assert_nonnull (strstr (error->message, path));
  after = checksum (path);
  g_assert_cmpstr (before, ==, after);
}

static void
test_modes (IndexFixture *fixture, gconstpointer data)
{
  g_autofree char *folder = g_build_filename (fixture->folder, "new", NULL);
  g_autofree char *path = g_build_filename (folder, "index.sqlite", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (PlumbIndex) index = plumb_index_open (path, &error);
  g_autofree char *mode = NULL;
  struct stat status;

  g_assert_no_error (error);
  g_assert_cmpstr (plumb_index_get_path (index), ==, path);
  g_assert_cmpint (stat (folder, &status), ==, 0);
  g_assert_cmpint (status.st_mode & 0777, ==, 0700);
  g_assert_cmpint (stat (path, &status), ==, 0);
  g_assert_cmpint (status.st_mode & 0777, ==, 0600);
  mode = query (path, "PRAGMA journal_mode");
  g_assert_cmpstr (mode, ==, "wal");
  g_clear_object (&index);
  g_remove (path);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

static void
test_foreign_database (IndexFixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->folder, "other.db", NULL);

  exec (path, "CREATE TABLE customer (id INTEGER)");
  assert_not_opened (path, PLUMB_INDEX_ERROR_NO_INDEX);
  exec (path, "DROP TABLE customer; PRAGMA application_id = 12345");
  assert_not_opened (path, PLUMB_INDEX_ERROR_NO_INDEX);
}

static void
test_no_database (IndexFixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->folder, "letter.txt", NULL);
  g_autofree char *page = g_strnfill (5000, 'x');
  g_autoptr (GError) error = NULL;

  g_assert_true (g_file_set_contents (path, "Dear Sir,\n", -1, NULL));
  assert_not_opened (path, PLUMB_INDEX_ERROR_NO_INDEX);
  g_assert_true (g_file_set_contents (path, page, -1, NULL));
  assert_not_opened (path, PLUMB_INDEX_ERROR_NO_INDEX);
  g_assert_null (plumb_index_open (fixture->folder, &error));
  g_assert_error (error, PLUMB_INDEX_ERROR, PLUMB_INDEX_ERROR_NO_INDEX);
}

static void
test_empty_file (IndexFixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->folder, "empty.sqlite", NULL);
  g_autoptr (PlumbIndex) index = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_true (g_file_set_contents (path, "", 0, NULL));
  index = plumb_index_open (path, &error);
  g_assert_no_error (error);
  add_source (index, "sales");
}

static void
test_too_new (IndexFixture *fixture, gconstpointer data)
{
  g_autoptr (PlumbCard) card = make_card ("sales", "main", "T");
  g_autoptr (GError) error = NULL;

  exec (fixture->path, "PRAGMA user_version = 9999");
  g_assert_false (plumb_index_put_card (fixture->index, card, &error));
  g_assert_error (error, PLUMB_INDEX_ERROR, PLUMB_INDEX_ERROR_TOO_NEW);
  g_clear_object (&fixture->index);
  assert_not_opened (fixture->path, PLUMB_INDEX_ERROR_TOO_NEW);
}

/* Makes an index of schema version 2, as the program wrote it then, and runs @sql on it. */
static char *
make_version_2 (IndexFixture *fixture, const char *sql)
{
  g_autofree char *path = g_build_filename (fixture->folder, "old.sqlite", NULL);
  g_autofree char *dump = NULL;

  g_assert_true (g_file_get_contents (VERSION_2, &dump, NULL, NULL));
  exec (path, dump);
  exec (path, sql);
  return g_steal_pointer (&path);
}

/* An index of schema version 1 becomes one of today, with what it holds. */
static void
test_version_1 (IndexFixture *fixture, gconstpointer data)
{
  g_autofree char *path = make_version_2 (
      fixture, "ALTER TABLE audit DROP COLUMN session; PRAGMA user_version = 1; DELETE FROM audit;"
      "INSERT INTO audit (at, database_name, sql, turn_id, state, elapsed_ms, row_count)"
      " VALUES (1, 'sales', 'SELECT 2', 0, 'done', 1, 1),"
      " (2, 'sales', 'SELECT 3', 0, 'running', -1, -1)");
  g_autoptr (PlumbAuditRecord) record = plumb_audit_record_new ("sales", "SELECT 1");
  g_autoptr (PlumbIndex) index = NULL;
  g_autoptr (GPtrArray) records = NULL;
  g_autoptr (GError) error = NULL;

  index = plumb_index_open (path, &error);
  g_assert_no_error (error);
  records = plumb_index_list_audit (index, 0, 0, &error);
  g_assert_cmpuint (records->len, ==, 2);
  g_assert_cmpint (((PlumbAuditRecord *) records->pdata[0])->state, ==, PLUMB_STATE_CANCELLED);
  g_assert_cmpint (((PlumbAuditRecord *) records->pdata[1])->state, ==, PLUMB_STATE_DONE);
  g_assert_cmpint (plumb_index_begin_audit (index, record, &error), ==, 4);
  g_assert_no_error (error);
}

/* One of schema version 2 keeps its cards and notes, and its cards can be embedded. */
static void
test_version_2 (IndexFixture *fixture, gconstpointer data)
{
  g_autofree char *path = make_version_2 (fixture, "");
  g_autoptr (PlumbIndex) index = NULL;
  g_autoptr (PlumbCard) card = NULL;
  g_autoptr (GPtrArray) notes = NULL;
  g_autoptr (GPtrArray) chunks = NULL;
  g_autoptr (GError) error = NULL;

  index = plumb_index_open (path, &error);
  g_assert_no_error (error);
  card = plumb_index_get_card (index, "shop", "main", "ORD_MST", &error);
  g_assert_no_error (error);
  g_assert_cmpstr (card->purpose, ==, "Order master");
  notes = plumb_index_list_notes (index, "shop", "main", "ORD_MST", FALSE, &error);
  g_assert_cmpuint (notes->len, ==, 1);
  chunks = plumb_index_list_unembedded (index, "m", 100, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (chunks->len, ==, 4);
}

/* One of version 3 gets the number that tells whether what search keeps beside it fits. */
static void
test_version_3 (IndexFixture *fixture, gconstpointer data)
{
  g_autoptr (PlumbCard) card = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *has_number = NULL;

  put_card (fixture->index, "sales", "main", "ORD");
  g_clear_object (&fixture->index);
  exec (fixture->path, "DROP TABLE example; DROP TABLE known_question; ALTER TABLE state DROP COLUMN cards;"
                       "PRAGMA user_version = 3");
  fixture->index = plumb_index_open (fixture->path, &error);
  g_assert_no_error (error);
  card = plumb_index_get_card (fixture->index, "sales", "main", "ORD", &error);
  g_assert_no_error (error);
  g_assert_cmpuint (card->columns->len, ==, 3);
  has_number = query (fixture->path, "SELECT cards <> 0 FROM state");
  g_assert_cmpstr (has_number, ==, "1");
}

/* An index of version 4 can keep questions. */
static void
test_version_4 (IndexFixture *fixture, gconstpointer data)
{
  const char *tables[] = { "main.ORD", NULL };
  g_autoptr (PlumbKnownQuestion) question = plumb_known_question_new ("sales", "How many?", tables);
  g_autoptr (GError) error = NULL;

  put_card (fixture->index, "sales", "main", "ORD");
  g_clear_object (&fixture->index);
  exec (fixture->path, "DROP TABLE example; DROP TABLE known_question; PRAGMA user_version = 4");
  fixture->index = plumb_index_open (fixture->path, &error);
  g_assert_no_error (error);
  g_assert_cmpint (plumb_index_add_question (fixture->index, question, &error), ==, 1);
  g_assert_no_error (error);
}

/* One of version 5 can keep the examples of domain files. */
static void
test_version_5 (IndexFixture *fixture, gconstpointer data)
{
  g_autoptr (GPtrArray) examples = g_ptr_array_new_with_free_func ((GDestroyNotify) plumb_approved_free);
  PlumbApproved *example = plumb_approved_new ("How many?", "sales", NULL);
  g_autoptr (GPtrArray) stored = NULL;
  g_autoptr (GError) error = NULL;

  example->domain = g_strdup ("orders");
  example->tables = g_strsplit ("main.ORD", ",", -1);
  g_ptr_array_add (examples, example);
  put_card (fixture->index, "sales", "main", "ORD");
  g_clear_object (&fixture->index);
  exec (fixture->path, "DROP TABLE example; PRAGMA user_version = 5");
  fixture->index = plumb_index_open (fixture->path, &error);
  g_assert_no_error (error);
  g_assert_true (plumb_index_replace_examples (fixture->index, "sales", examples, &error));
  stored = plumb_index_list_examples (fixture->index, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (stored->len, ==, 1);
}

/* The file of a program that died has its last commits in the log; they must stay there too. */
static void
test_too_new_with_log (IndexFixture *fixture, gconstpointer data)
{
  g_autofree char *copy = g_build_filename (fixture->folder, "copy.sqlite", NULL);
  g_autofree char *log = g_strconcat (fixture->path, "-wal", NULL);
  g_autofree char *log_copy = g_strconcat (copy, "-wal", NULL);
  const char *const files[][2] = { { fixture->path, copy }, { log, log_copy } };

  exec (fixture->path, "PRAGMA user_version = 9999");
  for (guint i = 0; i < G_N_ELEMENTS (files); i++) {
    g_autofree char *bytes = NULL;
    gsize length;

    g_assert_true (g_file_get_contents (files[i][0], &bytes, &length, NULL));
    g_assert_cmpuint (length, >, 0);
    g_assert_true (g_file_set_contents (files[i][1], bytes, length, NULL));
  }
  assert_not_opened (copy, PLUMB_INDEX_ERROR_TOO_NEW);
  g_assert_true (g_file_test (log_copy, G_FILE_TEST_EXISTS));
}

static void
test_damaged (IndexFixture *fixture, gconstpointer data)
{
  g_autofree char *bytes = NULL;
  g_autoptr (PlumbIndex) index = NULL;
  g_autoptr (GPtrArray) cards = NULL;
  g_autoptr (GError) error = NULL;
  gsize length;

  for (int i = 0; i < 50; i++) {
    g_autofree char *name = g_strdup_printf ("T%d", i);

    put_card (fixture->index, "sales", "main", name);
  }
  g_clear_object (&fixture->index);
  g_assert_true (g_file_get_contents (fixture->path, &bytes, &length, NULL));
  memset (bytes + 4096, 0xa5, length - 4096);
  g_assert_true (g_file_set_contents (fixture->path, bytes, length, NULL));
  index = plumb_index_open (fixture->path, &error);
  if (index != NULL)
    cards = plumb_index_list_cards (index, NULL, &error);
  g_assert_null (cards);
  g_assert_error (error, PLUMB_INDEX_ERROR, PLUMB_INDEX_ERROR_DAMAGED);
}

/* Where nobody can make files, not even root. */
static void
test_read_only_folder (IndexFixture *fixture, gconstpointer data)
{
  static const char *const paths[] = { "/proc/index.sqlite", "/proc/self/new/index.sqlite" };

  for (guint i = 0; i < G_N_ELEMENTS (paths); i++) {
    g_autoptr (GError) error = NULL;

    g_assert_null (plumb_index_open (paths[i], &error));
    g_assert_error (error, PLUMB_INDEX_ERROR, PLUMB_INDEX_ERROR_FAILED);
    g_assert_nonnull (strstr (error->message, "/proc"));
  }
}

static void
test_disk_full (IndexFixture *fixture, gconstpointer data)
{
  g_autoptr (GPtrArray) cards =
      g_ptr_array_new_with_free_func ((GDestroyNotify) plumb_card_unref);
  g_autoptr (GPtrArray) stored = NULL;
  g_autoptr (GError) error = NULL;

  put_card (fixture->index, "sales", "main", "OLD");
  for (int i = 0; i < 2000; i++) {
    g_autofree char *name = g_strdup_printf ("T%d", i);

    g_ptr_array_add (cards, make_card ("sales", "main", name));
  }
  g_assert_true (plumb_connection_exec (fixture->index->writer, "PRAGMA max_page_count = 60",
                                        NULL));
  g_assert_false (plumb_index_put_cards (fixture->index, cards, &error));
  g_assert_error (error, PLUMB_INDEX_ERROR, PLUMB_INDEX_ERROR_FULL);
  stored = plumb_index_list_cards (fixture->index, NULL, NULL);
  g_assert_cmpuint (stored->len, ==, 1);
  g_assert_true (
      plumb_connection_exec (fixture->index->writer, "PRAGMA max_page_count = 1000000", NULL));
  g_assert_true (plumb_index_put_cards (fixture->index, cards, NULL));
}

static GSubprocess *
spawn_helper (const char *what, const char *path, const char *argument)
{
  GError *error = NULL;
  GSubprocess *helper = g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE, &error, INDEX_HELPER,
                                          what, path, argument, NULL);

  g_assert_no_error (error);
  return helper;
}

/* Waits for a line from the helper. */
static void
await_line (GSubprocess *helper, const char *expected)
{
  g_autoptr (GDataInputStream) lines =
      g_data_input_stream_new (g_subprocess_get_stdout_pipe (helper));
  g_autofree char *line = g_data_input_stream_read_line (lines, NULL, NULL, NULL);

  g_assert_cmpstr (line, ==, expected);
}

static void
kill_helper (GSubprocess *helper)
{
  g_subprocess_send_signal (helper, SIGKILL);
  g_assert_true (g_subprocess_wait (helper, NULL, NULL));
}

static void
test_locked (IndexFixture *fixture, gconstpointer data)
{
  g_autoptr (GSubprocess) helper = spawn_helper ("lock", fixture->path, "");
  g_autoptr (PlumbCard) card = make_card ("sales", "main", "T");
  g_autoptr (GPtrArray) sources = NULL;
  g_autoptr (GError) error = NULL;

  await_line (helper, "locked");
  /* Reading goes on. */
  sources = plumb_index_list_sources (fixture->index, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (sources->len, ==, 1);
  g_assert_false (plumb_index_put_card (fixture->index, card, &error));
  g_assert_error (error, PLUMB_INDEX_ERROR, PLUMB_INDEX_ERROR_LOCKED);
  kill_helper (helper);
  g_assert_true (plumb_index_put_card (fixture->index, card, NULL));
}

static void
test_new_and_locked (IndexFixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->folder, "new.sqlite", NULL);
  g_autoptr (GSubprocess) helper = spawn_helper ("lock", path, "");
  g_autoptr (GError) error = NULL;

  await_line (helper, "locked");
  g_assert_null (plumb_index_open (path, &error));
  g_assert_error (error, PLUMB_INDEX_ERROR, PLUMB_INDEX_ERROR_LOCKED);
  kill_helper (helper);
}

static void
test_killed_turn (IndexFixture *fixture, gconstpointer data)
{
  g_autoptr (GSubprocess) helper = spawn_helper ("turn", fixture->path, "");
  g_autoptr (GPtrArray) running = NULL;
  g_autoptr (GPtrArray) cancelled = NULL;

  await_line (helper, "running");
  running = plumb_index_list_turns (fixture->index, 1, NULL);
  g_assert_cmpint (((PlumbTurn *) running->pdata[0])->state, ==, PLUMB_STATE_RUNNING);
  kill_helper (helper);
  cancelled = plumb_index_list_turns (fixture->index, 1, NULL);
  g_assert_cmpint (((PlumbTurn *) cancelled->pdata[0])->state, ==, PLUMB_STATE_CANCELLED);
  g_assert_cmpuint (((PlumbTurn *) cancelled->pdata[0])->steps->len, ==, 1);
}

/* What is there after a kill is whole, each card the old or the new one. */
static void
assert_whole (const char *path)
{
  GError *error = NULL;
  g_autoptr (PlumbIndex) index = plumb_index_open (path, &error);
  g_autoptr (GPtrArray) cards = NULL;
  g_autofree char *check = NULL;

  g_assert_no_error (error);
  cards = plumb_index_list_cards (index, NULL, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < cards->len; i++) {
    PlumbCard *card = g_ptr_array_index (cards, i);
    g_autofree char *fingerprint = g_strdup_printf ("%s/1", card->name);

    g_assert_cmpuint (card->columns->len, ==, 3);
    g_assert_cmpstr (card->fingerprint, ==, fingerprint);
  }
  check = query (path, "PRAGMA integrity_check");
  g_assert_cmpstr (check, ==, "ok");
}

static void
test_killed_while_storing (IndexFixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->folder, "killed.sqlite", NULL);
  g_autofree char *n_cards = g_strdup_printf ("%d", N_CARDS);
  g_autoptr (PlumbIndex) index = NULL;
  g_autoptr (PlumbSourceRecord) source = NULL;
  g_autoptr (GSubprocess) last = NULL;
  int n_cut = 0;

  for (int i = 0; i < 50; i++) {
    g_autoptr (GSubprocess) helper = spawn_helper ("cards", path, n_cards);

    g_usleep (g_test_rand_int_range (0, 60000));
    kill_helper (helper);
    n_cut += g_subprocess_get_if_signaled (helper);
    assert_whole (path);
  }
  g_test_message ("%d of 50 runs were cut short", n_cut);
  last = spawn_helper ("cards", path, n_cards);
  g_assert_true (g_subprocess_wait_check (last, NULL, NULL));
  index = plumb_index_open (path, NULL);
  source = plumb_index_get_source (index, "sales", NULL);
  g_assert_cmpint (source->n_tables, ==, N_CARDS);
  g_assert_cmpstr (source->summary, ==, "done");
}

static void
test_two_processes (IndexFixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->folder, "shared.sqlite", NULL);
  GSubprocess *helpers[] = { spawn_helper ("notes", path, "60"),
                             spawn_helper ("notes", path, "60"),
                             spawn_helper ("cards", path, "100") };
  g_autoptr (GPtrArray) notes = NULL;
  g_autoptr (PlumbIndex) index = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (helpers); i++) {
    GError *error = NULL;

    g_subprocess_wait_check (helpers[i], NULL, &error);
    g_assert_no_error (error);
    g_clear_object (&helpers[i]);
  }
  index = plumb_index_open (path, NULL);
  notes = plumb_index_list_notes (index, NULL, NULL, NULL, FALSE, NULL);
  g_assert_cmpuint (notes->len, ==, 120);
}

/* Whoever comes first makes the file, and nobody takes it for another program's meanwhile. */
static void
test_made_by_many (IndexFixture *fixture, gconstpointer data)
{
  for (int round = 0; round < 5; round++) {
    g_autofree char *name = g_strdup_printf ("new-%d.sqlite", round);
    g_autofree char *path = g_build_filename (fixture->folder, name, NULL);
    GSubprocess *helpers[8];

    for (guint i = 0; i < G_N_ELEMENTS (helpers); i++)
      helpers[i] = spawn_helper ("notes", path, "1");
    for (guint i = 0; i < G_N_ELEMENTS (helpers); i++) {
      GError *error = NULL;

      g_subprocess_wait_check (helpers[i], NULL, &error);
      g_assert_no_error (error);
      g_clear_object (&helpers[i]);
    }
  }
}

/* What another program wrote changes the generation here, a conversation doesn't. */
static void
test_generation_of_others (IndexFixture *fixture, gconstpointer data)
{
  guint64 generation = plumb_index_get_generation (fixture->index);
  g_autoptr (GSubprocess) helper = spawn_helper ("notes", fixture->path, "1");
  guint64 after;

  g_assert_true (g_subprocess_wait_check (helper, NULL, NULL));
  after = plumb_index_get_generation (fixture->index);
  g_assert_cmpuint (after, >, generation);
  g_assert_cmpint (plumb_index_add_conversation (fixture->index, "x", NULL), >, 0);
  g_assert_cmpuint (plumb_index_get_generation (fixture->index), ==, after);
}

static gpointer
use_index (gpointer data)
{
  PlumbIndex *index = data;

  for (int i = 0; i < 40; i++) {
    g_autoptr (PlumbNote) note = plumb_note_new ("sales", "main", "T", "a note");
    g_autoptr (GPtrArray) notes = NULL;
    GError *error = NULL;

    plumb_index_add_note (index, note, &error);
    g_assert_no_error (error);
    notes = plumb_index_list_notes (index, "sales", "main", "T", FALSE, &error);
    g_assert_no_error (error);
    g_assert_cmpuint (notes->len, >, (guint) i);
  }
  return NULL;
}

static void
test_threads (IndexFixture *fixture, gconstpointer data)
{
  GThread *threads[8];
  g_autoptr (GPtrArray) notes = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("index", use_index, fixture->index);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);
  notes = plumb_index_list_notes (fixture->index, NULL, NULL, NULL, FALSE, NULL);
  g_assert_cmpuint (notes->len, ==, 40 * G_N_ELEMENTS (threads));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
#define ADD(path, func) \
  g_test_add (path, IndexFixture, NULL, index_fixture_set_up, func, index_fixture_tear_down)
  ADD ("/index/file/modes", test_modes);
  ADD ("/index/file/foreign-database", test_foreign_database);
  ADD ("/index/file/no-database", test_no_database);
  ADD ("/index/file/empty", test_empty_file);
  ADD ("/index/file/version-1", test_version_1);
  ADD ("/index/file/version-2", test_version_2);
  ADD ("/index/file/version-3", test_version_3);
  ADD ("/index/file/version-4", test_version_4);
  ADD ("/index/file/version-5", test_version_5);
  ADD ("/index/file/too-new", test_too_new);
  ADD ("/index/file/too-new-with-log", test_too_new_with_log);
  ADD ("/index/file/damaged", test_damaged);
  ADD ("/index/file/read-only-folder", test_read_only_folder);
  ADD ("/index/file/disk-full", test_disk_full);
  ADD ("/index/file/locked", test_locked);
  ADD ("/index/file/new-and-locked", test_new_and_locked);
  ADD ("/index/file/killed-turn", test_killed_turn);
  ADD ("/index/file/killed-while-storing", test_killed_while_storing);
  ADD ("/index/file/two-processes", test_two_processes);
  ADD ("/index/file/made-by-many", test_made_by_many);
  ADD ("/index/file/generation-of-others", test_generation_of_others);
  ADD ("/index/file/threads", test_threads);
#undef ADD
  return g_test_run ();
}
