/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * BenchPeer:
 * @name: how it is shown
 * @command: a command of the shell
 * @wall: seconds that each run took
 * @processor: seconds of processor time, of the program itself and of the system for it
 * @peak: the most memory that a run had, in MiB
 *
 * A program that is measured.
 */
typedef struct {
  const char *name;
  char *command;
  GArray *wall;
  GArray *processor;
  double peak;
} BenchPeer;

BenchPeer *bench_peer_new (const char *name, char *command);
void bench_peer_free (BenchPeer *self);
void bench_peer_run (BenchPeer *self);
double bench_median (GArray *values);
gint64 bench_get_number (const char *variable, gint64 usual);
void bench_must_run (const char *command);

G_END_DECLS
