/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-statement.h"

G_BEGIN_DECLS

/* A check context that is read from a file, in the place of a source: what its tables, views and
 * users' objects are. */
typedef struct _TestContext TestContext;

TestContext             *test_context_load (const char *path);
void                     test_context_free (TestContext *self);
const PlumbCheckContext *test_context_get  (TestContext *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TestContext, test_context_free)

G_END_DECLS
