/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-result-model.h"

#include "plumb-result-row.h"

struct _PlumbResultModel {
  GObject parent_instance;

  PlumbResult *result;
};

static GType
get_item_type (GListModel *model)
{
  return PLUMB_TYPE_RESULT_ROW;
}

static guint
get_n_items (GListModel *model)
{
  return MIN (plumb_result_get_n_rows (PLUMB_RESULT_MODEL (model)->result), G_MAXUINT - 1);
}

static gpointer
get_item (GListModel *model, guint position)
{
  if (position >= get_n_items (model))
    return NULL;
  return plumb_result_row_new (PLUMB_RESULT_MODEL (model)->result, position);
}

static void
list_model_init (GListModelInterface *iface)
{
  iface->get_item_type = get_item_type;
  iface->get_n_items = get_n_items;
  iface->get_item = get_item;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (PlumbResultModel, plumb_result_model, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, list_model_init))

static void
plumb_result_model_finalize (GObject *object)
{
  plumb_result_unref (PLUMB_RESULT_MODEL (object)->result);
  G_OBJECT_CLASS (plumb_result_model_parent_class)->finalize (object);
}

static void
plumb_result_model_class_init (PlumbResultModelClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = plumb_result_model_finalize;
}

static void
plumb_result_model_init (PlumbResultModel *self)
{
}

/** plumb_result_model_new: Returns: (transfer full): a list of #PlumbResultRow over @result */
PlumbResultModel *
plumb_result_model_new (PlumbResult *result)
{
  PlumbResultModel *self = g_object_new (PLUMB_TYPE_RESULT_MODEL, NULL);

  self->result = plumb_result_ref (result);
  return self;
}
