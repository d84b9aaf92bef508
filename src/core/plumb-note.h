/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

/**
 * PlumbNote:
 * @id: number in the index
 * @database: source of the table
 * @schema: schema of the table
 * @table: the table
 * @text: what was written
 * @author: who wrote it
 * @origin: "person", "conversation" (left by a model in a conversation) or "file"
 * @created_at: seconds since the epoch
 * @updated_at: seconds since the epoch
 * @retired: whether it was retired; a note is never deleted
 * @retired_by: (nullable): who retired it
 * @retired_at: when, in seconds since the epoch; 0 where it wasn't
 * @excerpt: (nullable): in search results, the part that was hit
 */
typedef struct {
  gint64 id;
  char *database;
  char *schema;
  char *table;
  char *text;
  char *author;
  char *origin;
  gint64 created_at;
  gint64 updated_at;
  gboolean retired;
  char *retired_by;
  gint64 retired_at;
  char *excerpt;
} PlumbNote;

PlumbNote *plumb_note_new  (const char *database, const char *schema, const char *table, const char *text);
PlumbNote *plumb_note_copy (const PlumbNote *self);
void       plumb_note_free (PlumbNote *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlumbNote, plumb_note_free)

G_END_DECLS
