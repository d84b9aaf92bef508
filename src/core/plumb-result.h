/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-json.h"

G_BEGIN_DECLS

/**
 * PlumbValueKind:
 *
 * What a cell is, so that the grid, the model and a file can show it rightly. The cell's text is
 * always exactly what the server gave; a kind never makes anyone go through a double.
 * PLUMB_VALUE_BINARY cells hold raw bytes, PLUMB_VALUE_TEXT cells may hold invalid UTF-8 or NUL.
 */
typedef enum {
  PLUMB_VALUE_NULL,
  PLUMB_VALUE_TEXT,
  PLUMB_VALUE_INTEGER,
  PLUMB_VALUE_DECIMAL,
  PLUMB_VALUE_FLOAT,
  PLUMB_VALUE_BOOLEAN,
  PLUMB_VALUE_DATE,
  PLUMB_VALUE_TIME,
  PLUMB_VALUE_TIMESTAMP,
  PLUMB_VALUE_INTERVAL,
  PLUMB_VALUE_BINARY,
  PLUMB_VALUE_JSON,
  PLUMB_VALUE_OTHER,
} PlumbValueKind;

/**
 * PlumbCell:
 * @text: (nullable): the bytes; %NULL where @kind is PLUMB_VALUE_NULL; a NUL byte follows them
 * @length: how many bytes
 * @kind: what it is
 * @cut: whether the limit on cells cut it
 */
typedef struct {
  const char *text;
  gsize length;
  PlumbValueKind kind;
  gboolean cut;
} PlumbCell;

/**
 * PlumbResultColumn:
 * @name: the column's name
 * @type: the server's name of the type, empty where it has none
 * @kind: the usual kind of its cells
 */
typedef struct {
  char *name;
  char *type;
  PlumbValueKind kind;
} PlumbResultColumn;

/**
 * PlumbLimits:
 * @max_rows: rows kept; one more is fetched to prove that there were more. 0: no limit
 * @max_bytes: bytes of all cells together. 0: no limit
 * @max_cell_bytes: bytes of one cell; a longer one is cut and marked. 0: no limit
 * @timeout_ms: time budget at the server, in milliseconds. 0: no limit
 */
typedef struct {
  gint64 max_rows;
  gint64 max_bytes;
  gint64 max_cell_bytes;
  gint64 timeout_ms;
} PlumbLimits;

#define PLUMB_LIMITS_DEFAULT ((PlumbLimits) { 500, 8 * 1024 * 1024, 64 * 1024, 600 * 1000 })

typedef enum {
  PLUMB_ROWS_CONTINUE,
  PLUMB_ROWS_STOP,
  PLUMB_ROWS_ERROR,
} PlumbRowsNext;

/**
 * PlumbRowSink:
 * @columns: called once, before any row, with the columns; %FALSE with an error stops the run
 * @row: called for each row, the cells valid during the call only; PLUMB_ROWS_STOP ends the run
 *   without an error (the cap is reached), PLUMB_ROWS_ERROR with @error set ends it with one
 * @user_data: passed to all
 * @csv_line: (nullable): called instead of @row by a source whose server writes CSV itself, each row
 *   as the line that plumb_csv_append_row() makes of it, without the line end. A sink that needs to
 *   see cells has none
 *
 * Where a source's rows go while they arrive: a #PlumbResult, or a file.
 */
typedef struct {
  gboolean (*columns) (GPtrArray *columns, gpointer user_data, GError **error);
  PlumbRowsNext (*row) (const PlumbCell *cells, guint n_cells, gpointer user_data, GError **error);
  gpointer user_data;
  PlumbRowsNext (*csv_line) (const char *line, gsize length, gpointer user_data, GError **error);
} PlumbRowSink;

/**
 * PlumbResult:
 *
 * Rows of one executed statement, kept in memory and capped. Reference counted. It is filled by one
 * thread through its sink and not changed once it has been handed on.
 */
typedef struct _PlumbResult PlumbResult;

PlumbResult             *plumb_result_new             (const PlumbLimits *limits);
PlumbResult             *plumb_result_ref             (PlumbResult *self);
void                     plumb_result_unref           (PlumbResult *self);
PlumbRowSink             plumb_result_get_sink        (PlumbResult *self);

guint                    plumb_result_get_n_columns   (PlumbResult *self);
const PlumbResultColumn *plumb_result_get_column      (PlumbResult *self, guint column);
gint64                   plumb_result_get_n_rows      (PlumbResult *self);
const PlumbCell         *plumb_result_get_cell        (PlumbResult *self, gint64 row, guint column);
char                    *plumb_cell_to_display        (const PlumbCell *cell);
void                     plumb_cell_write_json        (const PlumbCell *cell, PlumbJsonWriter *writer);

gboolean                 plumb_result_get_truncated    (PlumbResult *self);
const char              *plumb_result_get_truncated_by (PlumbResult *self);
gint64                   plumb_result_get_elapsed_ms   (PlumbResult *self);
void                     plumb_result_set_elapsed_ms   (PlumbResult *self, gint64 elapsed_ms);
GPtrArray               *plumb_result_get_warnings     (PlumbResult *self);
void                     plumb_result_add_warning      (PlumbResult *self, const char *warning);
const char              *plumb_result_get_id           (PlumbResult *self);
void                     plumb_result_set_id           (PlumbResult *self, const char *id);
gint64                   plumb_result_get_audit_id     (PlumbResult *self);
void                     plumb_result_set_audit_id     (PlumbResult *self, gint64 audit_id);

void                     plumb_result_write_json      (PlumbResult *self, PlumbJsonWriter *writer, gsize max_bytes);

PlumbResultColumn       *plumb_result_column_new      (const char *name, const char *type, PlumbValueKind kind);
void                     plumb_result_column_free     (PlumbResultColumn *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlumbResult, plumb_result_unref)

G_END_DECLS
