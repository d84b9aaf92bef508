/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-index-private.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>

/* A turn that is "running" in the index runs somewhere, or its program has died. Each program that
 * runs turns picks a random number, writes it into them, and locks the byte of that number in a
 * file beside the index. The kernel gives the lock back whatever ends the program, and unlike a
 * process number it means the same inside and outside of a sandbox. */

static int
set_lock (int file, int command, int type, gint64 session, struct flock *lock)
{
  *lock = (struct flock) { .l_type = type, .l_whence = SEEK_SET, .l_start = session, .l_len = 1 };
  return fcntl (file, command, lock);
}

static gboolean
open_session_file (PlumbIndex *self)
{
  g_autofree char *path = g_strconcat (self->path, "-sessions", NULL);

  if (self->session_file < 0)
    self->session_file = g_open (path, O_CREAT | O_RDWR | O_CLOEXEC, 0600);
  return self->session_file >= 0;
}

/**
 * plumb_index_get_session:
 * @self: an index
 * @error: return location
 *
 * Returns: the number by which others can tell whether this program still has @self open, 0 with an
 *   error
 */
gint64
plumb_index_get_session (PlumbIndex *self, GError **error)
{
  gint64 session;
  struct flock lock;

  g_mutex_lock (&self->session_mutex);
  if (self->session == 0) {
    session = ((gint64) (g_random_int () >> 2) << 32 | g_random_int ()) + 1;
    if (open_session_file (self) &&
        set_lock (self->session_file, F_OFD_SETLK, F_WRLCK, session, &lock) == 0) {
      self->session = session;
    } else {
      g_set_error (error, PLUMB_INDEX_ERROR, PLUMB_INDEX_ERROR_FAILED,
                   "The file %s-sessions can't be used: %s. Check that the folder is writable.",
                   self->path, g_strerror (errno));
    }
  }
  session = self->session;
  g_mutex_unlock (&self->session_mutex);
  return session;
}

/** plumb_index_is_session_alive: Returns: whether the program that took @session still runs; %TRUE
 *  where that can't be told */
gboolean
plumb_index_is_session_alive (PlumbIndex *self, gint64 session)
{
  gboolean alive = session != 0;
  struct flock lock;

  g_mutex_lock (&self->session_mutex);
  if (alive && session != self->session && open_session_file (self) &&
      set_lock (self->session_file, F_OFD_GETLK, F_WRLCK, session, &lock) == 0)
    alive = lock.l_type != F_UNLCK;
  g_mutex_unlock (&self->session_mutex);
  return alive;
}

/** plumb_index_close_session: gives the lock back */
void
plumb_index_close_session (PlumbIndex *self)
{
  if (self->session_file >= 0)
    g_close (self->session_file, NULL);
  self->session_file = -1;
}
