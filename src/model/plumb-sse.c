/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-sse.h"

#include <string.h>

struct _PlumbSseParser {
  PlumbSseFunc func;
  gpointer user_data;
  GString *line;
  GString *data;
  gboolean has_data;
  gboolean first_line;
  gboolean after_return;
  gboolean stopped;
};

/**
 * plumb_sse_parser_new:
 * @func: told of each event
 * @user_data: for @func
 *
 * Returns: (transfer full): a parser at the beginning of a stream
 */
PlumbSseParser *
plumb_sse_parser_new (PlumbSseFunc func, gpointer user_data)
{
  PlumbSseParser *self = g_new0 (PlumbSseParser, 1);

  self->func = func;
  self->user_data = user_data;
  self->line = g_string_new (NULL);
  self->data = g_string_new (NULL);
  self->first_line = TRUE;
  return self;
}

/** plumb_sse_parser_free: frees @self */
void
plumb_sse_parser_free (PlumbSseParser *self)
{
  if (self == NULL)
    return;
  g_string_free (self->line, TRUE);
  g_string_free (self->data, TRUE);
  g_free (self);
}

static void
dispatch (PlumbSseParser *self)
{
  if (self->has_data && !self->stopped)
    self->stopped = !self->func (self->data->str, self->data->len, self->user_data);
  g_string_truncate (self->data, 0);
  self->has_data = FALSE;
}

static void
take_line (PlumbSseParser *self)
{
  const char *line = self->line->str;
  gsize length = self->line->len;

  /* A byte order mark may stand at the very beginning. */
  if (self->first_line && length >= 3 && memcmp (line, "\357\273\277", 3) == 0) {
    line += 3;
    length -= 3;
  }
  self->first_line = FALSE;
  if (length == 0) {
    dispatch (self);
  } else if (length >= 4 && memcmp (line, "data", 4) == 0 && (length == 4 || line[4] == ':')) {
    gsize skip = length == 4 ? 4 : 5;

    if (length > skip && line[skip] == ' ')
      skip++;
    if (self->has_data)
      g_string_append_c (self->data, '\n');
    g_string_append_len (self->data, line + skip, length - skip);
    self->has_data = TRUE;
  }
  g_string_truncate (self->line, 0);
}

/**
 * plumb_sse_parser_feed:
 * @bytes: the next bytes of the stream
 * @length: how many
 *
 * Lines may end with a line feed, a carriage return, or both, cut between pieces or not. The caller
 * bounds how many bytes it feeds.
 *
 * Returns: %FALSE once the function has stopped the feeding
 */
gboolean
plumb_sse_parser_feed (PlumbSseParser *self, const char *bytes, gsize length)
{
  for (gsize i = 0; i < length && !self->stopped; i++) {
    char c = bytes[i];

    if (c == '\n' && self->after_return) {
      self->after_return = FALSE;
      continue;
    }
    self->after_return = c == '\r';
    if (c == '\n' || c == '\r')
      take_line (self);
    else
      g_string_append_c (self->line, c);
  }
  return !self->stopped;
}

/**
 * plumb_sse_parser_end:
 *
 * The stream has ended. The standard drops an event whose empty line is missing; endpoints leave it
 * out after their last event, so it counts here.
 *
 * Returns: %FALSE once the function has stopped the feeding
 */
gboolean
plumb_sse_parser_end (PlumbSseParser *self)
{
  if (self->line->len > 0)
    take_line (self);
  dispatch (self);
  return !self->stopped;
}
