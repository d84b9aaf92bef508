/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-source.h"

G_BEGIN_DECLS

/**
 * PlumbSqliteSource:
 *
 * One SQLite file, opened for reading only. `sqlite:///file`; `?immutable=1` for a file that nobody
 * writes while it is read, such as one on a read-only medium.
 */
#define PLUMB_TYPE_SQLITE_SOURCE (plumb_sqlite_source_get_type ())
G_DECLARE_FINAL_TYPE (PlumbSqliteSource, plumb_sqlite_source, PLUMB, SQLITE_SOURCE, PlumbSource)

G_END_DECLS
