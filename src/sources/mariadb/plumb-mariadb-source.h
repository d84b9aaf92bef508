/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-source.h"

G_BEGIN_DECLS

/**
 * PlumbMariadbSource:
 *
 * A MariaDB or MySQL server, seen from one database: `mariadb://user@host:port/database`. The
 * server's other databases that the account can see are schemas beside it. Parameters: `socket`,
 * `connect_timeout`, `ssl=1` (no connection without encryption), `ssl_verify=1` (none to a server
 * whose certificate isn't trusted and made for its host), `ssl_ca` (a file with the authorities that
 * are trusted; means ssl_verify=1 where that isn't 0), `ssl_cert`, `ssl_key`.
 */
#define PLUMB_TYPE_MARIADB_SOURCE (plumb_mariadb_source_get_type ())
G_DECLARE_FINAL_TYPE (PlumbMariadbSource, plumb_mariadb_source, PLUMB, MARIADB_SOURCE, PlumbSource)

G_END_DECLS
