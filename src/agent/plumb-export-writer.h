/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-export.h"

G_BEGIN_DECLS

/**
 * PlumbExportFact:
 * @name: what it is
 * @value: a cell of text, a number, a boolean or NULL
 *
 * One line of a manifest.
 */
typedef struct {
  const char *name;
  PlumbCell value;
} PlumbExportFact;

/**
 * PlumbExportWriter:
 * @begin: writes what comes before the rows
 * @row: writes a row; PLUMB_ROWS_STOP where the row takes more than @room
 * @csv_line: (nullable): writes a row that the server wrote as a line of CSV
 * @end: writes what comes after the rows, (element-type PlumbExportFact) among it where the format
 *   has a place for that, and closes the file; called once, when all rows were written
 * @free: frees the writer; a file that was not ended is left for the caller to remove
 * @room: bytes that further rows may take, -1 for any number
 * @n_cut: cells that the format couldn't hold whole; where they were cut the cell says so
 *
 * Writes rows into a file of one format while they arrive.
 */
typedef struct _PlumbExportWriter PlumbExportWriter;

struct _PlumbExportWriter {
  gboolean (*begin) (PlumbExportWriter *self, GPtrArray *columns, GError **error);
  PlumbRowsNext (*row) (PlumbExportWriter *self, const PlumbCell *cells, guint n_cells,
                        GError **error);
  PlumbRowsNext (*csv_line) (PlumbExportWriter *self, const char *line, gsize length,
                             GError **error);
  gboolean (*end) (PlumbExportWriter *self, GArray *facts, GError **error);
  void (*free) (PlumbExportWriter *self);
  gint64 room;
  gint64 n_cut;
};

/**
 * PlumbExportText:
 * @fd: the file
 * @text: what is still to be written
 *
 * A text file on its way to the disk, written in blocks of 64 KiB: larger ones fall out of the
 * processor's cache before the system has copied them.
 */
typedef struct {
  int fd;
  GString *text;
} PlumbExportText;

gboolean plumb_export_text_open (PlumbExportText *self, const char *path, GError **error);
gboolean plumb_export_text_end_row (PlumbExportText *self, GError **error);
gboolean plumb_export_text_finish (PlumbExportText *self, GError **error);
void plumb_export_text_clear (PlumbExportText *self);

PlumbExportWriter *plumb_export_csv_writer_new (const char *path, gboolean safe, GError **error);
PlumbExportWriter *plumb_export_jsonl_writer_new (const char *path, GError **error);
PlumbExportWriter *plumb_export_xlsx_writer_new (const char *path, GError **error);

G_END_DECLS
