/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-session.h"

G_BEGIN_DECLS

typedef void (*SessionTest) (void);

void          session_test_init   (int *argc, char ***argv);
void          session_test_add    (const char *path, SessionTest test);
int           session_test_run    (void);
PlumbSession *session_open        (const char *role);
char         *session_make_shop   (void);
void          session_change_shop (const char *sql);
void          session_add_shop    (PlumbSession *session);

G_END_DECLS
