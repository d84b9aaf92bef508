/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-note.h"

/** plumb_note_new: Returns: (transfer full): a person's note on a table, not stored yet */
PlumbNote *
plumb_note_new (const char *database, const char *schema, const char *table, const char *text)
{
  PlumbNote *self = g_new0 (PlumbNote, 1);

  self->database = g_strdup (database);
  self->schema = g_strdup (schema);
  self->table = g_strdup (table);
  self->text = g_strdup (text);
  self->author = g_strdup (g_get_user_name ());
  self->origin = g_strdup ("person");
  self->created_at = self->updated_at = g_get_real_time () / G_USEC_PER_SEC;
  return self;
}

/** plumb_note_copy: Returns: (transfer full): a copy of @self */
PlumbNote *
plumb_note_copy (const PlumbNote *self)
{
  PlumbNote *copy = g_new (PlumbNote, 1);

  *copy = *self;
  copy->database = g_strdup (self->database);
  copy->schema = g_strdup (self->schema);
  copy->table = g_strdup (self->table);
  copy->text = g_strdup (self->text);
  copy->author = g_strdup (self->author);
  copy->origin = g_strdup (self->origin);
  copy->retired_by = g_strdup (self->retired_by);
  copy->excerpt = g_strdup (self->excerpt);
  return copy;
}

/** plumb_note_free: frees @self */
void
plumb_note_free (PlumbNote *self)
{
  if (self == NULL)
    return;
  g_free (self->database);
  g_free (self->schema);
  g_free (self->table);
  g_free (self->text);
  g_free (self->author);
  g_free (self->origin);
  g_free (self->retired_by);
  g_free (self->excerpt);
  g_free (self);
}
