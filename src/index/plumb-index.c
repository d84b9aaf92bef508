/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-index-private.h"

#include <errno.h>

G_DEFINE_FINAL_TYPE (PlumbIndex, plumb_index, G_TYPE_OBJECT)

static void
plumb_index_finalize (GObject *object)
{
  PlumbIndex *self = PLUMB_INDEX (object);

  g_ptr_array_unref (self->idle_readers);
  plumb_connection_close (self->writer);
  plumb_index_close_session (self);
  g_mutex_clear (&self->writer_mutex);
  g_mutex_clear (&self->reader_mutex);
  g_mutex_clear (&self->session_mutex);
  g_cond_clear (&self->reader_cond);
  g_free (self->path);

  G_OBJECT_CLASS (plumb_index_parent_class)->finalize (object);
}

static void
plumb_index_class_init (PlumbIndexClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = plumb_index_finalize;
}

static void
plumb_index_init (PlumbIndex *self)
{
  g_mutex_init (&self->writer_mutex);
  g_mutex_init (&self->reader_mutex);
  g_mutex_init (&self->session_mutex);
  g_cond_init (&self->reader_cond);
  self->idle_readers = g_ptr_array_new_with_free_func ((GDestroyNotify) plumb_connection_close);
  self->session_file = -1;
}

static gboolean
make_folder (const char *path, GError **error)
{
  g_autofree char *folder = g_path_get_dirname (path);
  int saved;

  if (g_mkdir_with_parents (folder, 0700) == 0)
    return TRUE;
  saved = errno;
  g_set_error (error, PLUMB_INDEX_ERROR,
               saved == ENOSPC ? PLUMB_INDEX_ERROR_FULL : PLUMB_INDEX_ERROR_FAILED,
               "The folder %s for the index can't be made: %s. Name a file in a folder that you "
               "can write to.", folder, g_strerror (saved));
  return FALSE;
}

/**
 * plumb_index_open:
 * @path: the index file; it and its folder are made where they aren't there
 * @error: return location
 *
 * Opens an index, and brings one of an older version up to date. No card is read.
 *
 * Returns: (transfer full): the index, or %NULL with an error of PLUMB_INDEX_ERROR
 */
PlumbIndex *
plumb_index_open (const char *path, GError **error)
{
  g_autoptr (PlumbIndex) self = g_object_new (PLUMB_TYPE_INDEX, NULL);

  self->path = g_canonicalize_filename (path, NULL);
  if (!make_folder (self->path, error))
    return NULL;
  self->writer = plumb_connection_open (self->path, error);
  if (self->writer == NULL || !plumb_connection_migrate (self->writer, &self->version, error))
    return NULL;
  self->writer_durable = TRUE;
  return g_steal_pointer (&self);
}

/** plumb_index_get_path: Returns: the file, with its full path */
const char *
plumb_index_get_path (PlumbIndex *self)
{
  return self->path;
}

/** plumb_index_get_version: Returns: the version of the file's schema */
int
plumb_index_get_version (PlumbIndex *self)
{
  return self->version;
}

/**
 * plumb_index_get_generation:
 * @self: an index
 *
 * The generation changes with each commit that matters to search (cards, notes, edges, approved
 * questions, sources), whoever made it, and is kept in the file: what was derived from one
 * generation holds as long as it stays the same. It only grows.
 *
 * Returns: the generation; while the file can't be read, the one that was read last
 */
guint64
plumb_index_get_generation (PlumbIndex *self)
{
  g_autoptr (PlumbTransaction) read = plumb_index_begin_read (self, NULL);
  sqlite3_stmt *row = NULL;
  guint64 generation;

  if (read != NULL)
    row = plumb_transaction_bind (read, NULL, "SELECT generation FROM state", "");
  if (row == NULL || plumb_transaction_step (read, row, NULL) != SQLITE_ROW)
    return __atomic_load_n (&self->generation, __ATOMIC_RELAXED);
  generation = sqlite3_column_int64 (row, 0);
  __atomic_store_n (&self->generation, generation, __ATOMIC_RELAXED);
  return generation;
}
