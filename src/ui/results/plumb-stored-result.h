/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-result.h"

G_BEGIN_DECLS

PlumbResult *plumb_stored_result_parse (const char *json);

G_END_DECLS
