/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-session-private.h"

#include "plumb-demo-builder.h"

#include <errno.h>
#include <glib/gstdio.h>

#include <string.h>

static gboolean
make_folder (const char *path, GError **error)
{
  if (g_mkdir_with_parents (path, 0700) == 0)
    return TRUE;
  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (errno),
               "The folder “%s” could not be made: %s.", path, g_strerror (errno));
  return FALSE;
}

/* Writes a file of the demo, unless the user has one there. */
static gboolean
install_file (const char *name, const char *path, GError **error)
{
  g_autoptr (GBytes) bytes = NULL;
  g_autofree char *folder = g_path_get_dirname (path);

  if (g_file_test (path, G_FILE_TEST_EXISTS))
    return TRUE;
  bytes = plumb_demo_load_file (name, error);
  return bytes != NULL && make_folder (folder, error) &&
         g_file_set_contents (path, g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes),
                              error);
}

static gboolean
install_domains (GError **error)
{
  g_autofree char *folder = plumb_session_make_data_path ("domains");
  g_auto (GStrv) names = plumb_demo_list_files ("domains");

  for (guint i = 0; names[i] != NULL; i++) {
    g_autofree char *name = g_strconcat ("domains/", names[i], NULL);
    g_autofree char *path = g_build_filename (folder, names[i], NULL);

    if (!install_file (name, path, error))
      return FALSE;
  }
  return TRUE;
}

static char *
make_database_path (const char *name)
{
  g_autofree char *folder = plumb_session_make_data_path ("demo");
  g_autofree char *file = g_strconcat (name, ".sqlite", NULL);

  return g_build_filename (folder, file, NULL);
}

static gboolean
build_database (const char *name, GCancellable *cancellable, GError **error)
{
  g_autofree char *path = make_database_path (name);
  g_autofree char *folder = g_path_get_dirname (path);

  return make_folder (folder, error) &&
         (plumb_demo_is_built (name, path) || plumb_demo_build (name, path, cancellable, error));
}

/* The address as the source keeps it. */
static char *
make_uri (const char *name)
{
  g_autofree char *path = make_database_path (name);
  g_autofree char *escaped = g_uri_escape_string (path, "/", TRUE);

  return g_strconcat ("sqlite://", escaped, NULL);
}

/* Adds the source, unless it is there from a run before. */
static gboolean
add_source (PlumbSession *self, const char *name, GCancellable *cancellable, GError **error)
{
  PlumbSourceRecord *record = plumb_index_get_source (self->index, name, NULL);
  g_autofree char *uri = make_uri (name);
  gboolean same;

  if (record == NULL)
    return plumb_session_add_source (self, name, uri, NULL, FALSE, NULL, cancellable, error);
  same = g_str_equal (record->uri, uri);
  plumb_source_record_free (record);
  if (!same)
    g_set_error (error, PLUMB_ERROR, PLUMB_ERROR_EXISTS,
                 "The demo needs the name “%s”, which a source of yours has. Remove that source, "
                 "or use another index.",
                 name);
  return same;
}

static gboolean
analyze (PlumbSession *self, const char *name, GCancellable *cancellable, GError **error)
{
  g_autoptr (PlumbAnalysisReport) report =
      plumb_session_analyze (self, name, TRUE, FALSE, NULL, NULL, cancellable, error);

  if (report == NULL)
    return FALSE;
  if (report->failures->len == 0)
    return TRUE;
  g_set_error (error, PLUMB_ERROR, PLUMB_ERROR_FAILED,
               "The demo database “%s” could not be analyzed: %s", name,
               (char *) g_ptr_array_index (report->failures, 0));
  return FALSE;
}

static gboolean
has_note (PlumbSession *self, const char *table, const char *text)
{
  g_autoptr (GPtrArray) notes = plumb_session_list_notes (self, table, FALSE, NULL);

  for (guint i = 0; notes != NULL && i < notes->len; i++) {
    if (g_str_equal (((PlumbNote *) g_ptr_array_index (notes, i))->text, text))
      return TRUE;
  }
  return FALSE;
}

static gboolean
add_note (PlumbSession *self, const char *line, GError **error)
{
  g_autoptr (JsonNode) node = plumb_json_parse (line, -1, error);
  JsonObject *object = node != NULL ? json_node_get_object (node) : NULL;
  const char *table, *text;

  if (object == NULL)
    return FALSE;
  table = plumb_json_get_string (object, "table", "");
  text = plumb_json_get_string (object, "text", "");
  return has_note (self, table, text) || plumb_session_add_note (self, table, text, error) > 0;
}

static gboolean
add_notes (PlumbSession *self, GError **error)
{
  g_autoptr (GBytes) bytes = plumb_demo_load_file ("notes.jsonl", error);
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;

  if (bytes == NULL)
    return FALSE;
  text = g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++) {
    if (*g_strstrip (lines[i]) != '\0' && !add_note (self, lines[i], error))
      return FALSE;
  }
  return TRUE;
}

/**
 * plumb_session_add_demo:
 * @self: a session
 * @cancellable: (nullable): cancels; the next call goes on where this one stopped
 * @error: return location
 *
 * Builds the demo databases, adds them as sources, and analyses them. Files that the user has are
 * left alone; the demo's policy is installed where there is none.
 *
 * Returns: whether the demo is there
 */
gboolean
plumb_session_add_demo (PlumbSession *self, GCancellable *cancellable, GError **error)
{
  if (!install_domains (error) || !install_file ("policy.ini", self->policy_path, error))
    return FALSE;
  for (guint i = 0; plumb_demo_names[i] != NULL; i++) {
    if (!build_database (plumb_demo_names[i], cancellable, error) ||
        !add_source (self, plumb_demo_names[i], cancellable, error))
      return FALSE;
  }
  for (guint i = 0; plumb_demo_names[i] != NULL; i++) {
    if (!analyze (self, plumb_demo_names[i], cancellable, error))
      return FALSE;
  }
  return add_notes (self, error);
}

/** plumb_session_has_demo: Returns: whether the demo is there, built and analysed */
gboolean
plumb_session_has_demo (PlumbSession *self)
{
  for (guint i = 0; plumb_demo_names[i] != NULL; i++) {
    PlumbSourceRecord *record = plumb_index_get_source (self->index, plumb_demo_names[i], NULL);
    g_autofree char *uri = make_uri (plumb_demo_names[i]);
    g_autofree char *path = make_database_path (plumb_demo_names[i]);
    gboolean there = record != NULL && record->analyzed_at > 0 && g_str_equal (record->uri, uri) &&
                     g_file_test (path, G_FILE_TEST_EXISTS);

    g_clear_pointer (&record, plumb_source_record_free);
    if (!there)
      return FALSE;
  }
  return TRUE;
}
