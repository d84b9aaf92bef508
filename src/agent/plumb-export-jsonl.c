/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-export-writer.h"

/* A JSON object a line. Columns of the same name are numbered, since members of an object are not
 * told apart otherwise. */
typedef struct {
  PlumbExportWriter parent;
  PlumbExportText file;
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
  JsonlWriter *self = (JsonlWriter *)writer;
  g_autoptr (GHashTable) used = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < columns->len; i++)
    g_ptr_array_add (
        self->names,
        make_unique (used, ((PlumbResultColumn *)g_ptr_array_index (columns, i))->name));
  return TRUE;
}

static PlumbRowsNext
jsonl_row (PlumbExportWriter *writer, const PlumbCell *cells, guint n_cells, GError **error)
{
  JsonlWriter *self = (JsonlWriter *)writer;
  g_autoptr (PlumbJsonWriter) json = plumb_json_writer_new ();
  g_autofree char *line = NULL;
  gsize length;

  plumb_json_writer_begin_object (json);
  for (guint i = 0; i < n_cells && i < self->names->len; i++) {
    plumb_json_writer_name (json, g_ptr_array_index (self->names, i));
    plumb_cell_write_json (&cells[i], json);
  }
  plumb_json_writer_end_object (json);
  length = plumb_json_writer_get_length (json);
  line = plumb_json_writer_finish (json);
  if (writer->room >= 0 && (gint64)length + 1 > writer->room)
    return PLUMB_ROWS_STOP;
  if (writer->room >= 0)
    writer->room -= length + 1;
  g_string_append_len (self->file.text, line, length);
  g_string_append_c (self->file.text, '\n');
  return plumb_export_text_end_row (&self->file, error) ? PLUMB_ROWS_CONTINUE : PLUMB_ROWS_ERROR;
}

static gboolean
jsonl_end (PlumbExportWriter *writer, GArray *facts, GError **error)
{
  return plumb_export_text_finish (&((JsonlWriter *)writer)->file, error);
}

static void
jsonl_free (PlumbExportWriter *writer)
{
  JsonlWriter *self = (JsonlWriter *)writer;

  plumb_export_text_clear (&self->file);
  g_ptr_array_unref (self->names);
  g_free (self);
}

/** plumb_export_jsonl_writer_new: Returns: (transfer full): a writer into the empty file at @path
 */
PlumbExportWriter *
plumb_export_jsonl_writer_new (const char *path, GError **error)
{
  JsonlWriter *self = g_new0 (JsonlWriter, 1);

  self->parent = (PlumbExportWriter){ jsonl_begin, jsonl_row, NULL, jsonl_end, jsonl_free, -1, 0 };
  self->names = g_ptr_array_new_with_free_func (g_free);
  if (plumb_export_text_open (&self->file, path, error))
    return &self->parent;
  jsonl_free (&self->parent);
  return NULL;
}
