/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-source.h"

G_BEGIN_DECLS

/**
 * PlumbClickhouseSource:
 *
 * A ClickHouse server over HTTP, seen from one database: `clickhouse://user@host:8123/database`;
 * `?secure=1` for HTTPS (port 8443), and with it `ssl_ca`, a file with the authorities that are
 * trusted instead of the system's. The server's other databases are schemas beside it.
 */
#define PLUMB_TYPE_CLICKHOUSE_SOURCE (plumb_clickhouse_source_get_type ())
G_DECLARE_FINAL_TYPE (PlumbClickhouseSource, plumb_clickhouse_source, PLUMB, CLICKHOUSE_SOURCE,
                      PlumbSource)

G_END_DECLS
