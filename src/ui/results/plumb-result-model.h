/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-result.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * PlumbResultModel:
 *
 * The rows of a #PlumbResult as a list model. A row's item is made when somebody asks for it, so a
 * long result costs nothing until it is scrolled to.
 */
#define PLUMB_TYPE_RESULT_MODEL (plumb_result_model_get_type ())
G_DECLARE_FINAL_TYPE (PlumbResultModel, plumb_result_model, PLUMB, RESULT_MODEL, GObject)

PlumbResultModel *plumb_result_model_new (PlumbResult *result);

G_END_DECLS
