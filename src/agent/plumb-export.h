/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-query-runner.h"

G_BEGIN_DECLS

typedef enum {
  PLUMB_EXPORT_CSV,
  PLUMB_EXPORT_JSONL,
  PLUMB_EXPORT_XLSX,
} PlumbExportFormat;

/**
 * PlumbExportReport:
 * @path: the file
 * @rows: rows in it, the header aside
 * @bytes: its size
 * @truncated_by: (nullable): the limit that cut it: "rows", "bytes", or "sheet" for what a
 *   spreadsheet can't hold
 * @audit_id: the audit record
 * @warnings: (element-type utf8): what the checks found
 *
 * What an export came to. The same stands in a manifest beside the file.
 */
typedef struct {
  char *path;
  gint64 rows;
  gint64 bytes;
  const char *truncated_by;
  gint64 audit_id;
  GPtrArray *warnings;
} PlumbExportReport;

gboolean plumb_export_format_from_string (const char *text, PlumbExportFormat *format);
const char *plumb_export_format_to_string (PlumbExportFormat format);
PlumbExportReport *plumb_export_run (const PlumbQuery *query, const char *path,
                                     PlumbExportFormat format, const PlumbLimits *limits,
                                     GCancellable *cancellable, GError **error);
void plumb_export_report_free (PlumbExportReport *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlumbExportReport, plumb_export_report_free)

G_END_DECLS
