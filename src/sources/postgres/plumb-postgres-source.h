/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-source.h"

G_BEGIN_DECLS

/**
 * PlumbPostgresSource:
 *
 * One PostgreSQL database: `postgresql://user@host:port/database?sslmode=verify-full`. Parameters
 * are libpq's own; `postgresql:///?service=name` takes the address from pg_service.conf.
 */
#define PLUMB_TYPE_POSTGRES_SOURCE (plumb_postgres_source_get_type ())
G_DECLARE_FINAL_TYPE (PlumbPostgresSource, plumb_postgres_source, PLUMB, POSTGRES_SOURCE,
                      PlumbSource)

G_END_DECLS
