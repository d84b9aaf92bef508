/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-source.h"

#include <libpq-fe.h>

/* The server that with-server.py started, seen from its superuser. */

PGconn *admin_connect (const char *database);
void admin_execute (PGconn *admin, const char *sql);
char *admin_ask (PGconn *admin, const char *sql);
void admin_control (const char *words);
void create_database (const char *name, const char *sql);

PlumbSource *open_as (const char *account, const char *password, const char *database,
                      const char *parameters);
PlumbResult *run_limited (PlumbSource *source, const char *sql, PlumbLimits limits, GError **error);
PlumbResult *run (PlumbSource *source, const char *sql);
void assert_cell (PlumbResult *result, gint64 row, guint column, PlumbValueKind kind,
                  const char *text);
void assert_one_cell (PlumbSource *source, const char *sql, const char *text);
