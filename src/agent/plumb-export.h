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
 * PlumbExportFlags:
 * @PLUMB_EXPORT_SAFE: CSV: text that a spreadsheet would run as a formula gets an apostrophe in
 *   front of it
 * @PLUMB_EXPORT_REPLACE: whatever file is there is replaced; without it only an empty one, or an
 *   earlier export that nobody has changed since
 */
typedef enum {
  PLUMB_EXPORT_PLAIN = 0,
  PLUMB_EXPORT_SAFE = 1 << 0,
  PLUMB_EXPORT_REPLACE = 1 << 1,
} PlumbExportFlags;

/**
 * PlumbExportReport:
 * @path: the file
 * @rows: rows in it, headers aside
 * @bytes: its size
 * @truncated_by: (nullable): the limit that cut it: "rows", "bytes", or "cell" where a
 * spreadsheet's cells couldn't hold all of a text
 * @elapsed_ms: milliseconds at the source
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
  gint64 elapsed_ms;
  gint64 audit_id;
  GPtrArray *warnings;
} PlumbExportReport;

gboolean plumb_export_format_from_string (const char *text, PlumbExportFormat *format);
const char *plumb_export_format_to_string (PlumbExportFormat format);
PlumbExportReport *plumb_export_run (const PlumbQuery *query, const char *path,
                                     PlumbExportFormat format, PlumbExportFlags flags,
                                     const PlumbLimits *limits, GCancellable *cancellable,
                                     GError **error);
void plumb_export_report_free (PlumbExportReport *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlumbExportReport, plumb_export_report_free)

G_END_DECLS
