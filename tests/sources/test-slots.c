/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-source.h"

#include <glib/gstdio.h>
#include <string.h>

/* At most four statements at a time run against one database, whoever asks; the others wait, say
 * so, and can be called off. The statements here are held up by whoever takes their rows. */

typedef struct {
  char *folder;
  PlumbSource *source;
  GMutex lock;
  GCond changed;
  guint n_held;
  gboolean released;
  guint n_told;
  GCancellable *cancel_when_told;
} Fixture;

static PlumbSource *
open_file (Fixture *f, const char *name, const char *file)
{
  g_autofree char *uri = g_strdup_printf ("sqlite://%s/%s", f->folder, file);
  g_autofree char *path = g_build_filename (f->folder, file, NULL);
  g_autoptr (GError) error = NULL;
  PlumbSource *source;

  g_assert_true (g_file_set_contents (path, "", 0, NULL));
  source = plumb_source_new (name, uri, NULL, &error);
  g_assert_no_error (error);
  return source;
}

static void
set_up (Fixture *f, gconstpointer data)
{
  f->folder = g_dir_make_tmp ("plumb-slots-XXXXXX", NULL);
  f->source = open_file (f, "one", "one.sqlite");
  g_mutex_init (&f->lock);
  g_cond_init (&f->changed);
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  static const char *const files[] = { "one.sqlite", "two.sqlite" };

  g_object_unref (f->source);
  for (guint i = 0; i < G_N_ELEMENTS (files); i++) {
    g_autofree char *path = g_build_filename (f->folder, files[i], NULL);

    g_unlink (path);
  }
  g_assert_cmpint (g_rmdir (f->folder), ==, 0);
  g_free (f->folder);
  g_mutex_clear (&f->lock);
  g_cond_clear (&f->changed);
}

static gboolean
hold_columns (GPtrArray *columns, gpointer user_data, GError **error)
{
  Fixture *f = user_data;

  g_mutex_lock (&f->lock);
  f->n_held++;
  g_cond_broadcast (&f->changed);
  while (!f->released)
    g_cond_wait (&f->changed, &f->lock);
  f->n_held--;
  g_mutex_unlock (&f->lock);
  return TRUE;
}

static PlumbRowsNext
drop_row (const PlumbCell *cells, guint n_cells, gpointer user_data, GError **error)
{
  return PLUMB_ROWS_CONTINUE;
}

static gpointer
hold (gpointer user_data)
{
  Fixture *f = user_data;
  PlumbRowSink sink = { hold_columns, drop_row, f, NULL };
  g_autoptr (GError) error = NULL;

  plumb_source_run (f->source, "SELECT 1", NULL, &sink, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  return NULL;
}

static void
start_holding (Fixture *f, GThread **threads, guint n)
{
  for (guint i = 0; i < n; i++)
    threads[i] = g_thread_new ("hold", hold, f);
  g_mutex_lock (&f->lock);
  while (f->n_held < n)
    g_cond_wait (&f->changed, &f->lock);
  g_mutex_unlock (&f->lock);
}

static void
release (Fixture *f)
{
  g_mutex_lock (&f->lock);
  f->released = TRUE;
  g_cond_broadcast (&f->changed);
  g_mutex_unlock (&f->lock);
}

static void
join (GThread **threads, guint n)
{
  for (guint i = 0; i < n; i++)
    g_thread_join (threads[i]);
}

static void
told (const char *doing, gpointer user_data)
{
  Fixture *f = user_data;

  f->n_told++;
  g_assert_nonnull (strstr (doing, "Waiting for a free slot"));
  if (f->cancel_when_told != NULL)
    g_cancellable_cancel (f->cancel_when_told);
  else
    release (f);
}

static gboolean
run (Fixture *f, PlumbSource *source, GError **error)
{
  g_autoptr (PlumbResult) result = plumb_result_new (NULL);
  PlumbRowSink sink = plumb_result_get_sink (result);

  return plumb_source_run (source, "SELECT 1", NULL, &sink, told, f, f->cancel_when_told, error);
}

static void
test_wait (Fixture *f, gconstpointer data)
{
  g_autoptr (PlumbSource) same = open_file (f, "another name", "one.sqlite");
  g_autoptr (GError) error = NULL;
  GThread *threads[4];

  start_holding (f, threads, 4);
  g_assert_true (run (f, same, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (f->n_told, >, 0);
  join (threads, 4);
}

static void
test_cancel (Fixture *f, gconstpointer data)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  GThread *threads[4];

  start_holding (f, threads, 4);
  f->cancel_when_told = cancellable;
  g_assert_false (run (f, f->source, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpuint (f->n_told, ==, 1);
  g_clear_error (&error);
  f->cancel_when_told = NULL;
  release (f);
  join (threads, 4);
  /* Whoever gave up waiting has taken no place. */
  f->released = FALSE;
  start_holding (f, threads, 4);
  release (f);
  join (threads, 4);
  g_assert_true (run (f, f->source, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (f->n_told, ==, 1);
}

static void
test_setting (Fixture *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  GThread *threads[1];

  plumb_source_set_concurrency (f->source, 1);
  start_holding (f, threads, 1);
  g_assert_true (run (f, f->source, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (f->n_told, >, 0);
  join (threads, 1);
}

static void
test_other_database (Fixture *f, gconstpointer data)
{
  g_autoptr (PlumbSource) other = open_file (f, "two", "two.sqlite");
  g_autoptr (GError) error = NULL;
  GThread *threads[4];

  start_holding (f, threads, 4);
  g_assert_true (run (f, other, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (f->n_told, ==, 0);
  release (f);
  join (threads, 4);
}

#define ADD(path, test) g_test_add ("/sources/slots/" path, Fixture, NULL, set_up, test, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("wait", test_wait);
  ADD ("cancel", test_cancel);
  ADD ("setting", test_setting);
  ADD ("other-database", test_other_database);
  return g_test_run ();
}
