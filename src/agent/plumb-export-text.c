/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-export-writer.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>

#define BLOCK_SIZE (64 * 1024)

static gboolean
set_error (GError **error)
{
  int code = errno;

  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (code),
               code == ENOSPC || code == EFBIG || code == EDQUOT
                   ? "The file could not be written: %s. Nothing was left behind; make room, or "
                     "name a file in another place."
                   : "The file could not be written: %s.",
               g_strerror (code));
  return FALSE;
}

/** plumb_export_text_open: Returns: whether the file at @path, which is there and empty, could be
 * opened */
gboolean
plumb_export_text_open (PlumbExportText *self, const char *path, GError **error)
{
  self->fd = g_open (path, O_WRONLY | O_CLOEXEC, 0);
  self->text = g_string_sized_new (BLOCK_SIZE + 4096);
  return self->fd >= 0 || set_error (error);
}

static gboolean
flush (PlumbExportText *self, GError **error)
{
  gsize done = 0;

  while (done < self->text->len) {
    gssize n = write (self->fd, self->text->str + done, self->text->len - done);

    if (n < 0 && errno != EINTR)
      return set_error (error);
    done += MAX (n, 0);
  }
  g_string_truncate (self->text, 0);
  return TRUE;
}

/** plumb_export_text_end_row: Returns: whether a block that is full could be written */
gboolean
plumb_export_text_end_row (PlumbExportText *self, GError **error)
{
  return self->text->len < BLOCK_SIZE || flush (self, error);
}

/** plumb_export_text_finish: Returns: whether the rest could be written; some file systems say only
 *   when a file is closed that there is no room for it */
gboolean
plumb_export_text_finish (PlumbExportText *self, GError **error)
{
  int fd = self->fd;

  if (!flush (self, error))
    return FALSE;
  self->fd = -1;
  return close (fd) == 0 || set_error (error);
}

/** plumb_export_text_clear: closes the file and frees what @self holds */
void
plumb_export_text_clear (PlumbExportText *self)
{
  if (self->fd >= 0)
    close (self->fd);
  g_string_free (self->text, TRUE);
}
