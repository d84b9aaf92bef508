/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-source.h"

G_BEGIN_DECLS

/**
 * PlumbOdbcSource:
 *
 * Whatever has an ODBC driver: `odbc:DSN=name;UID=account` or `odbc:DRIVER={name};KEY=value;…`.
 * What the database is, and so which SQL it speaks, is asked of the driver; the key
 * `PlumblineDialect` (`oracle`, `tibero`, `sqlserver`, `postgres`, `sqlite` or `generic`) says it
 * where a driver tells an odd name, and isn't passed on to the driver.
 */
#define PLUMB_TYPE_ODBC_SOURCE (plumb_odbc_source_get_type ())
G_DECLARE_FINAL_TYPE (PlumbOdbcSource, plumb_odbc_source, PLUMB, ODBC_SOURCE, PlumbSource)

GStrv plumb_odbc_list_drivers      (void);
GStrv plumb_odbc_list_data_sources (void);

G_END_DECLS
