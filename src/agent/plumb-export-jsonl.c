/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-export-writer.h"

#include <string.h>

/* A JSON object a line. Columns of the same name are numbered, since members of an object are not
 * told apart otherwise. */
typedef struct {
  PlumbExportWriter parent;
  GOutputStream *stream;
  GPtrArray *names;
} JsonlWriter;

static char *
make_unique (GHashTable *used, const char *name)
{
  char *unique = g_strdup (name);

  for (guint n = 2; g_hash_table_contains (used, unique); n++) {
    g_free (unique);
    unique = g_strdup_printf ("%s_%u", name, n);
  }
  g_hash_table_add (used, g_strdup (unique));
  return unique;
}

static gboolean
jsonl_begin (PlumbExportWriter *writer, GPtrArray *columns, GError **error)
{
  JsonlWriter *self = (JsonlWriter *) writer;
  g_autoptr (GHashTable) used = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < columns->len; i++)
    g_ptr_array_add (
        self->names,
        make_unique (used, ((PlumbResultColumn *) g_ptr_array_index (columns, i))->name));
  return TRUE;
}

static PlumbRowsNext
jsonl_row (PlumbExportWriter *writer, const PlumbCell *cells, guint n_cells, GError **error)
{
  JsonlWriter *self = (JsonlWriter *) writer;
  g_autoptr (PlumbJsonWriter) json = plumb_json_writer_new ();
  g_autofree char *line = NULL;

  plumb_json_writer_begin_object (json);
  for (guint i = 0; i < n_cells && i < self->names->len; i++) {
    plumb_json_writer_name (json, g_ptr_array_index (self->names, i));
    plumb_cell_write_json (&cells[i], json);
  }
  plumb_json_writer_end_object (json);
  line = plumb_json_writer_finish (json);
  if (!g_output_stream_write_all (self->stream, line, strlen (line), NULL, NULL, error) ||
      !g_output_stream_write_all (self->stream, "\n", 1, NULL, NULL, error))
    return PLUMB_ROWS_ERROR;
  return PLUMB_ROWS_CONTINUE;
}

static gboolean
jsonl_end (PlumbExportWriter *writer, GError **error)
{
  return g_output_stream_close (((JsonlWriter *) writer)->stream, NULL, error);
}

static void
jsonl_free (PlumbExportWriter *writer)
{
  JsonlWriter *self = (JsonlWriter *) writer;

  g_object_unref (self->stream);
  g_ptr_array_unref (self->names);
  g_free (self);
}

/** plumb_export_jsonl_writer_new: Returns: (transfer full): a writer into a new file at @path */
PlumbExportWriter *
plumb_export_jsonl_writer_new (const char *path, GError **error)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GFileOutputStream) stream =
      g_file_replace (file, NULL, FALSE, G_FILE_CREATE_PRIVATE, NULL, error);
  JsonlWriter *self;

  if (stream == NULL)
    return NULL;
  self = g_new0 (JsonlWriter, 1);
  self->parent = (PlumbExportWriter) { jsonl_begin, jsonl_row, jsonl_end, jsonl_free };
  self->stream = g_buffered_output_stream_new_sized (G_OUTPUT_STREAM (stream), 64 * 1024);
  self->names = g_ptr_array_new_with_free_func (g_free);
  return &self->parent;
}
