/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-result-row.h"

struct _PlumbResultRow {
  GObject parent_instance;

  PlumbResult *result;
  gint64 row;
};

G_DEFINE_FINAL_TYPE (PlumbResultRow, plumb_result_row, G_TYPE_OBJECT)

static void
plumb_result_row_finalize (GObject *object)
{
  plumb_result_unref (PLUMB_RESULT_ROW (object)->result);
  G_OBJECT_CLASS (plumb_result_row_parent_class)->finalize (object);
}

static void
plumb_result_row_class_init (PlumbResultRowClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = plumb_result_row_finalize;
}

static void
plumb_result_row_init (PlumbResultRow *self)
{
}

/** plumb_result_row_new: Returns: (transfer full): the row at place @row of @result */
PlumbResultRow *
plumb_result_row_new (PlumbResult *result, gint64 row)
{
  PlumbResultRow *self = g_object_new (PLUMB_TYPE_RESULT_ROW, NULL);

  self->result = plumb_result_ref (result);
  self->row = row;
  return self;
}

/** plumb_result_row_get_cell: Returns: (transfer none): the cell at @column */
const PlumbCell *
plumb_result_row_get_cell (PlumbResultRow *self, guint column)
{
  return plumb_result_get_cell (self->result, self->row, column);
}
