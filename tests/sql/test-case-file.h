/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-statement.h"

G_BEGIN_DECLS

/* Statements with what is expected of each: a JSON object a line with "engine", "sql", "expect"
 * ("allow" or "refuse"), for those allowed "tables" (exactly these are read, or unknown where the
 * member is missing) and "behind" (may be reported too). */

typedef void (*TestCaseFunc) (JsonObject *line, gpointer user_data);

void     test_case_file_each (const char *path, TestCaseFunc func, gpointer user_data);
gboolean test_case_is_benign (JsonObject *line);
char    *test_case_compare   (JsonObject *line, PlumbStatement *statement);
void     test_case_report    (JsonObject *line, const char *wrong);

G_END_DECLS
