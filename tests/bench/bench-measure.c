/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "bench-measure.h"

#include <errno.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/** bench_peer_new: Returns: (transfer full): a program; it is given @command */
BenchPeer *
bench_peer_new (const char *name, char *command)
{
  BenchPeer *self = g_new0 (BenchPeer, 1);

  self->name = name;
  self->command = command;
  self->wall = g_array_new (FALSE, FALSE, sizeof (double));
  self->processor = g_array_new (FALSE, FALSE, sizeof (double));
  return self;
}

/** bench_peer_free: frees @self */
void
bench_peer_free (BenchPeer *self)
{
  g_array_unref (self->wall);
  g_array_unref (self->processor);
  g_free (self->command);
  g_free (self);
}

static double
to_seconds (struct timeval time)
{
  return time.tv_sec + time.tv_usec / 1e6;
}

/** bench_peer_run: runs the program once, in a process of its own, and keeps what it took */
void
bench_peer_run (BenchPeer *self)
{
  gint64 start = g_get_monotonic_time ();
  pid_t child = fork ();
  struct rusage usage;
  double wall, processor;
  int status;

  if (child == 0) {
    execl ("/bin/sh", "sh", "-c", self->command, NULL);
    _exit (127);
  }
  while (wait4 (child, &status, 0, &usage) < 0)
    g_assert_cmpint (errno, ==, EINTR);
  wall = (g_get_monotonic_time () - start) / 1e6;
  if (!WIFEXITED (status) || WEXITSTATUS (status) != 0)
    g_error ("failed: %s", self->command);
  processor = to_seconds (usage.ru_utime) + to_seconds (usage.ru_stime);
  g_array_append_val (self->wall, wall);
  g_array_append_val (self->processor, processor);
  self->peak = MAX (self->peak, usage.ru_maxrss / 1024.0);
}

static int
compare (gconstpointer a, gconstpointer b)
{
  double left = *(const double *)a;
  double right = *(const double *)b;

  return left < right ? -1 : left > right;
}

/** bench_median: Returns: the median of @values, which are sorted */
double
bench_median (GArray *values)
{
  g_array_sort (values, compare);
  return g_array_index (values, double, values->len / 2);
}

/** bench_get_number: Returns: the number in an environment variable, or @usual */
gint64
bench_get_number (const char *variable, gint64 usual)
{
  const char *text = g_getenv (variable);

  return text != NULL ? MAX (g_ascii_strtoll (text, NULL, 10), 1) : usual;
}

/** bench_must_run: runs a command of the shell that must go well */
void
bench_must_run (const char *command)
{
  const char *argv[] = { "sh", "-c", command, NULL };
  g_autofree char *errors = NULL;
  int status = 0;

  if (!g_spawn_sync (NULL, (char **)argv, NULL, G_SPAWN_SEARCH_PATH | G_SPAWN_STDOUT_TO_DEV_NULL,
                     NULL, NULL, NULL, &errors, &status, NULL)
      || status != 0)
    g_error ("failed: %s\n%s", command, errors);
}
