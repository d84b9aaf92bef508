/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "postgres-fixture.h"

/* Every printable character of ASCII. */
extern const char odbc_password[];

void odbc_fixture_init (void);
void odbc_fixture_clear (void);
char *odbc_fixture_path (const char *name);

PlumbSource *odbc_open (const char *address, const char *password);
PlumbSource *odbc_open_postgres (const char *account, const char *database, const char *more);

void assert_value (PlumbSource *source, const char *sql, PlumbValueKind kind, const char *text);
void assert_fails (PlumbSource *source, const char *sql, PlumbSourceError code, const char *words);
void assert_names (GStrv names, const char *expected);
PlumbTable *find_table (PlumbCatalog *catalog, const char *schema, const char *name);
gboolean has_word (GPtrArray *list, const char *word);
