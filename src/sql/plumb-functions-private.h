/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Names in lower case with spaces between them; see plumb-functions.c. */
extern const char sql_functions_postgres[];
extern const char sql_function_fields[];
extern const char sql_functions_sqlite[];
extern const char sql_row_functions_sqlite[];
extern const char sql_functions_mariadb[];
extern const char sql_row_functions_mariadb[];
extern const char sql_functions_clickhouse[];
extern const char sql_aggregates_clickhouse[];
extern const char sql_row_functions_clickhouse[];
extern const char sql_functions_oracle[];
extern const char sql_row_functions_oracle[];
extern const char sql_functions_sqlserver[];
extern const char sql_row_functions_sqlserver[];
extern const char sql_functions_generic[];

G_END_DECLS
