/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-export.h"

G_BEGIN_DECLS

/**
 * PlumbExportWriter:
 * @begin: writes what comes before the rows
 * @row: writes a row; PLUMB_ROWS_STOP where the format can hold no more
 * @end: writes what comes after the rows and closes the file; called once, also after a failure
 * @free: frees the writer; a file that was not ended is left for the caller to remove
 *
 * Writes rows into a file of one format while they arrive.
 */
typedef struct _PlumbExportWriter PlumbExportWriter;

struct _PlumbExportWriter {
  gboolean (*begin) (PlumbExportWriter *self, GPtrArray *columns, GError **error);
  PlumbRowsNext (*row) (PlumbExportWriter *self, const PlumbCell *cells, guint n_cells,
                        GError **error);
  gboolean (*end) (PlumbExportWriter *self, GError **error);
  void (*free) (PlumbExportWriter *self);
};

PlumbExportWriter *plumb_export_csv_writer_new (const char *path, GError **error);
PlumbExportWriter *plumb_export_jsonl_writer_new (const char *path, GError **error);
PlumbExportWriter *plumb_export_xlsx_writer_new (const char *path, GError **error);

G_END_DECLS
