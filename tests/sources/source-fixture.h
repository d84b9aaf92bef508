/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-source.h"

/* The servers that with-server.py started, asked through Plumbline, and through the clients that
 * come with them. */

/**
 * Engine:
 * @name: as with-server.py calls it
 * @admin: the account that may do everything
 * @running: asks how many statements run whose text has “mark” in it and that aren't this question
 * @count: a statement that takes minutes and then gives one row
 * @many: a statement that gives rows for minutes
 */
typedef struct {
  const char *name;
  const char *scheme;
  const char *admin;
  const char *running;
  const char *count;
  const char *many;
} Engine;

extern const Engine engines[3];

char *engine_get_variable (const Engine *engine, const char *what);
char *engine_ask (const Engine *engine, const char *sql);
void engine_execute (const Engine *engine, const char *sql);
void engine_control (const Engine *engine, const char *words);
void engine_wait_for_running (const Engine *engine, const char *number);
void engine_kill_running (const Engine *engine);
PlumbSource *engine_open (const Engine *engine, const char *account, const char *password,
                          const char *host, guint port, const char *database);

PlumbResult *run_limited (PlumbSource *source, const char *sql, PlumbLimits limits, GError **error);
PlumbResult *run (PlumbSource *source, const char *sql);
void assert_one_cell (PlumbSource *source, const char *sql, const char *text);
void assert_fails (PlumbSource *source, const char *sql, int code, const char *words);
void assert_no_connection (PlumbSource *source, int code, const char *words);
gboolean has_word (GPtrArray *list, const char *word);

/* One statement in a thread of its own, and how it ended. */
typedef struct {
  PlumbSource *source;
  const char *sql;
  PlumbLimits limits;
  GCancellable *cancellable;
  PlumbResult *result;
  GError *error;
  GThread *thread;
} Running;

void running_start (Running *self, PlumbSource *source, const char *sql, gint64 timeout_ms);
void running_finish (Running *self);
void running_clear (Running *self);
