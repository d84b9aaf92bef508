/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-session-private.h"

#include <string.h>

#define MAX_NOTE_BYTES 20000

static gboolean
check_text (const char *text, GError **error)
{
  if (text != NULL && g_utf8_validate (text, -1, NULL) && strlen (text) <= MAX_NOTE_BYTES &&
      text[strspn (text, " \t\r\n")] != '\0')
    return TRUE;
  g_set_error (error, PLUMB_ERROR, PLUMB_ERROR_INVALID_ARGUMENT,
               "A note has between 1 and %d bytes of text.", MAX_NOTE_BYTES);
  return FALSE;
}

/** plumb_session_add_note: Returns: the number of a new note on a table, -1 with an error */
gint64
plumb_session_add_note (PlumbSession *self, const char *table, const char *text, GError **error)
{
  g_autoptr (PlumbCard) card = NULL;
  g_autoptr (PlumbNote) note = NULL;

  if (!check_text (text, error))
    return -1;
  card = plumb_workspace_find_table (self->workspace, table, NULL, NULL, error);
  if (card == NULL)
    return -1;
  note = plumb_note_new (card->database, card->schema, card->name, text);
  return plumb_index_add_note (self->index, note, error);
}

/* Notes on tables that the role hides are not there for it. */
static GPtrArray *
list_visible (PlumbSession *self, const char *database, const char *schema, const char *table,
              gboolean with_retired, GError **error)
{
  g_autoptr (GPtrArray) notes =
      plumb_index_list_notes (self->index, database, schema, table, with_retired, error);
  guint i = 0;

  while (notes != NULL && i < notes->len) {
    const PlumbNote *note = g_ptr_array_index (notes, i);

    if (plumb_workspace_allows (self->workspace, note->database, note->schema, note->table))
      i++;
    else
      g_ptr_array_remove_index (notes, i);
  }
  return g_steal_pointer (&notes);
}

static gboolean
require_note (PlumbSession *self, gint64 id, GError **error)
{
  g_autoptr (GPtrArray) notes = list_visible (self, NULL, NULL, NULL, TRUE, error);

  if (notes == NULL)
    return FALSE;
  for (guint i = 0; i < notes->len; i++) {
    if (((PlumbNote *) g_ptr_array_index (notes, i))->id == id)
      return TRUE;
  }
  g_set_error (error, PLUMB_ERROR, PLUMB_ERROR_NOT_FOUND, "There is no note %" G_GINT64_FORMAT ".",
               id);
  return FALSE;
}

/** plumb_session_edit_note: gives a note another text; Returns: whether it has it */
gboolean
plumb_session_edit_note (PlumbSession *self, gint64 id, const char *text, GError **error)
{
  return check_text (text, error) && require_note (self, id, error) &&
         plumb_index_edit_note (self->index, id, text, g_get_user_name (), error);
}

/** plumb_session_retire_note: takes a note out of use; Returns: whether it is */
gboolean
plumb_session_retire_note (PlumbSession *self, gint64 id, GError **error)
{
  return require_note (self, id, error) &&
         plumb_index_retire_note (self->index, id, g_get_user_name (), error);
}

/** plumb_session_restore_note: takes a retired note back into use; Returns: whether it is */
gboolean
plumb_session_restore_note (PlumbSession *self, gint64 id, GError **error)
{
  return require_note (self, id, error) &&
         plumb_index_restore_note (self->index, id, g_get_user_name (), error);
}

/** plumb_session_list_note_versions: Returns: (transfer full) (element-type PlumbNote): a note as it
 *  was written each time, oldest first */
GPtrArray *
plumb_session_list_note_versions (PlumbSession *self, gint64 id, GError **error)
{
  return require_note (self, id, error) ? plumb_index_list_note_versions (self->index, id, error)
                                        : NULL;
}

/** plumb_session_list_notes: Returns: (transfer full) (element-type PlumbNote): notes on a table,
 *  %NULL for all tables; those in use alone, or retired ones too */
GPtrArray *
plumb_session_list_notes (PlumbSession *self, const char *table, gboolean with_retired,
                          GError **error)
{
  g_autoptr (PlumbCard) card = NULL;

  if (table == NULL)
    return list_visible (self, NULL, NULL, NULL, with_retired, error);
  card = plumb_workspace_find_table (self->workspace, table, NULL, NULL, error);
  return card != NULL ? list_visible (self, card->database, card->schema, card->name, with_retired,
                                      error)
                      : NULL;
}
