/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-source-private.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The 22nd field of /proc/PID/stat, counted behind the name of the program (proc(5)). */
#define START_FIELD 19

static void
add_file (GChecksum *checksum, const char *path)
{
  g_autofree char *text = NULL;

  if (g_file_get_contents (path, &text, NULL, NULL))
    g_checksum_update (checksum, (const guchar *) text, -1);
}

/* Where process numbers mean what they mean here: this computer since it started, and this
 * namespace of it. */
static const char *
get_place (void)
{
  static gsize ready = 0;
  static char place[9];

  if (g_once_init_enter (&ready)) {
    g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);
    g_autofree char *space = g_file_read_link ("/proc/self/ns/pid", NULL);

    add_file (checksum, "/etc/machine-id");
    add_file (checksum, "/proc/sys/kernel/random/boot_id");
    if (space != NULL)
      g_checksum_update (checksum, (const guchar *) space, -1);
    g_strlcpy (place, g_checksum_get_string (checksum), sizeof place);
    g_once_init_leave (&ready, 1);
  }
  return place;
}

/* When a process began, so that a number that was given out again isn't taken for it; 0 where there
 * is none. */
static guint64
get_start (guint64 process)
{
  g_autofree char *path = g_strdup_printf ("/proc/%" G_GUINT64_FORMAT "/stat", process);
  g_autofree char *text = NULL;
  g_auto (GStrv) fields = NULL;
  const char *name_end;

  if (!g_file_get_contents (path, &text, NULL, NULL))
    return 0;
  name_end = strrchr (text, ')');
  if (name_end == NULL)
    return 0;
  fields = g_strsplit (name_end + 1, " ", -1);
  return g_strv_length (fields) > START_FIELD + 1
           ? g_ascii_strtoull (fields[START_FIELD + 1], NULL, 10)
           : 0;
}

/** plumb_source_get_mark: Returns: (transfer full): what tells this program's statements at a server
 *   from those of others, and of one that is gone: letters, digits and dashes */
char *
plumb_source_get_mark (void)
{
  return g_strdup_printf ("%s-%" G_GUINT64_FORMAT "-%" G_GUINT64_FORMAT, get_place (),
                          (guint64) getpid (), get_start ((guint64) getpid ()));
}

/**
 * plumb_source_mark_is_orphan:
 * @mark: text that begins with what plumb_source_get_mark() gave to some program
 *
 * Returns: whether that program ran here and is gone; %FALSE where it can't be known
 */
gboolean
plumb_source_mark_is_orphan (const char *mark)
{
  char place[9] = "";
  guint64 process, start;

  if (sscanf (mark, "%8[0-9a-f]-%" G_GUINT64_FORMAT "-%" G_GUINT64_FORMAT, place, &process,
              &start) != 3 ||
      strcmp (place, get_place ()) != 0 || process == 0 || process > G_MAXINT)
    return FALSE;
  if (kill ((pid_t) process, 0) != 0 && errno == ESRCH)
    return TRUE;
  return start != 0 && get_start (process) != 0 && get_start (process) != start;
}
