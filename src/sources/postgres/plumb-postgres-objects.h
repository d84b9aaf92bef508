/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-postgres-private.h"

G_BEGIN_DECLS

/**
 * PlumbPostgresObjects:
 *
 * What the statement check asks of a PostgreSQL database: functions, operators, casts and types
 * that aren't its own, view definitions, row security policies. Read at once, and kept as long as
 * the server says that none of them has changed. Reference counted.
 */
typedef struct _PlumbPostgresObjects PlumbPostgresObjects;

PlumbPostgresObjects *plumb_postgres_objects_read (PlumbPostgresConnection *connection,
                                                   GCancellable *cancellable, GError **error);
PlumbPostgresObjects *plumb_postgres_objects_ref (PlumbPostgresObjects *self);
void plumb_postgres_objects_unref (PlumbPostgresObjects *self);
gboolean plumb_postgres_objects_match (PlumbPostgresObjects *self, const char *snapshot);
gboolean plumb_postgres_objects_hold (PlumbPostgresObjects *self,
                                      PlumbPostgresConnection *connection, gboolean *holds,
                                      GCancellable *cancellable, GError **error);

/* The rest, for the statement check. */
const char *const *plumb_postgres_objects_get_search_path (PlumbPostgresObjects *self);
GPtrArray *plumb_postgres_objects_find (PlumbPostgresObjects *self, PlumbObjectKind kind,
                                        const char *schema, const char *name, GPtrArray *kept);
gboolean plumb_postgres_objects_find_policies (PlumbPostgresObjects *self, const char *schema,
                                               const char *name, GPtrArray **expressions,
                                               gboolean *calls_user_code);
PlumbSourceLookups *plumb_postgres_objects_get_views (PlumbPostgresObjects *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlumbPostgresObjects, plumb_postgres_objects_unref)

G_END_DECLS
