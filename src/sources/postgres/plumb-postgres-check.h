/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-postgres-objects.h"

G_BEGIN_DECLS

/* What the check needs of the source (plumb-postgres-source.c). */
PlumbPostgresConnection *plumb_postgres_source_begin (PlumbPostgresSource *self, gint64 timeout_ms,
                                                      GCancellable *cancellable, GError **error);
void plumb_postgres_source_finish (PlumbPostgresSource *self, PlumbPostgresConnection *connection,
                                   gboolean good, GError **error);
PlumbPostgresObjects *plumb_postgres_source_dup_objects (PlumbPostgresSource *self);
char *plumb_postgres_source_dup_snapshot (PlumbPostgresSource *self, GCancellable *cancellable);
void plumb_postgres_source_remember (PlumbPostgresSource *self, const char *sql,
                                     PlumbPostgresObjects *objects);
void plumb_postgres_source_keep_objects (PlumbPostgresSource *self, PlumbPostgresObjects *objects);

PlumbStatement *plumb_postgres_check (PlumbPostgresSource *source, const char *sql,
                                      PlumbCatalog *catalog, GCancellable *cancellable,
                                      GError **error);

G_END_DECLS
