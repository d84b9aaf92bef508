/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-session-private.h"

/** plumb_session_list_conversations: Returns: (transfer full) (element-type PlumbConversation): all
 *  conversations, the latest first */
GPtrArray *
plumb_session_list_conversations (PlumbSession *self, GError **error)
{
  return plumb_index_list_conversations (self->index, error);
}

/** plumb_session_rename_conversation: Returns: whether the conversation has the title now */
gboolean
plumb_session_rename_conversation (PlumbSession *self, gint64 id, const char *title, GError **error)
{
  return plumb_index_rename_conversation (self->index, id, title, error);
}

/** plumb_session_delete_conversation: Returns: whether the conversation is gone; audit records stay
 */
gboolean
plumb_session_delete_conversation (PlumbSession *self, gint64 id, GError **error)
{
  return plumb_index_delete_conversation (self->index, id, error);
}

/* Whether the role shows all of a table. A view's rows may be those of a table that it hides. */
static gboolean
may_see_table (PlumbSession *self, const char *database, const PlumbTableName *name)
{
  g_autoptr (PlumbCard) card = NULL;

  if (name == NULL || name->schema == NULL ||
      !plumb_access_allows_table (self->access, database, name->schema, name->table) ||
      plumb_access_hides_columns (self->access, database, name->schema, name->table))
    return FALSE;
  card = plumb_index_get_card (self->index, database, name->schema, name->table, NULL);
  return card != NULL && card->kind != PLUMB_TABLE_KIND_VIEW &&
         card->kind != PLUMB_TABLE_KIND_MATERIALIZED_VIEW;
}

/* What the role in force may see of a record: the rows that a statement gave are no more public
 * than its tables, and nor is an error, which can name a value. A record of other rights keeps its
 * place, without either. */
static gboolean
may_see_rows (PlumbSession *self, const PlumbAuditRecord *record)
{
  if (plumb_access_get_role (self->access) == NULL)
    return TRUE;
  if (!plumb_access_allows_database (self->access, record->database))
    return FALSE;
  for (guint i = 0; record->tables != NULL && record->tables[i] != NULL; i++) {
    g_autoptr (PlumbTableName) name = plumb_table_name_parse (record->tables[i], NULL);

    if (!may_see_table (self, record->database, name))
      return FALSE;
  }
  return TRUE;
}

static void
hide_rows (PlumbSession *self, PlumbAuditRecord *record)
{
  if (may_see_rows (self, record))
    return;
  g_clear_pointer (&record->result, g_free);
  g_clear_pointer (&record->error, g_free);
}

/* A step that ran a statement shows its rows as the audit record would. */
static void
hide_step_rows (PlumbSession *self, PlumbStep *step)
{
  g_autoptr (PlumbAuditRecord) record = NULL;

  if (step->audit_id == 0 || plumb_access_get_role (self->access) == NULL)
    return;
  record = plumb_index_get_audit (self->index, step->audit_id, NULL);
  if (record != NULL && may_see_rows (self, record))
    return;
  g_clear_pointer (&step->result, g_free);
  g_free (step->error);
  step->error = g_strdup ("There is no permission to see these rows.");
}

/** plumb_session_list_turns: Returns: (transfer full) (element-type PlumbTurn): the turns of a
 *  conversation with their steps, oldest first */
GPtrArray *
plumb_session_list_turns (PlumbSession *self, gint64 conversation_id, GError **error)
{
  g_autoptr (GPtrArray) turns = plumb_index_list_turns (self->index, conversation_id, error);

  for (guint i = 0; turns != NULL && i < turns->len; i++) {
    GPtrArray *steps = ((PlumbTurn *) g_ptr_array_index (turns, i))->steps;

    for (guint j = 0; j < steps->len; j++)
      hide_step_rows (self, g_ptr_array_index (steps, j));
  }
  return g_steal_pointer (&turns);
}

/** plumb_session_list_audit: Returns: (transfer full) (element-type PlumbAuditRecord): records
 * before
 *  @before_id (0 for the end), the latest first; rows of tables outside the role are left out */
GPtrArray *
plumb_session_list_audit (PlumbSession *self, gint64 before_id, guint limit, GError **error)
{
  g_autoptr (GPtrArray) records = plumb_index_list_audit (self->index, before_id, limit, error);

  for (guint i = 0; records != NULL && i < records->len; i++)
    hide_rows (self, g_ptr_array_index (records, i));
  return g_steal_pointer (&records);
}

/** plumb_session_get_audit: Returns: (transfer full): one record; rows of tables outside the role
 * are left out */
PlumbAuditRecord *
plumb_session_get_audit (PlumbSession *self, gint64 id, GError **error)
{
  g_autoptr (PlumbAuditRecord) record = plumb_index_get_audit (self->index, id, error);

  if (record != NULL)
    hide_rows (self, record);
  return g_steal_pointer (&record);
}

/**
 * plumb_session_approve:
 * @self: a session
 * @audit_id: the record of a statement that answered a question
 * @error: return location
 *
 * Marks a question as answered right by a statement; it helps search.
 *
 * Returns: the number of the approval, -1 with an error
 */
gint64
plumb_session_approve (PlumbSession *self, gint64 audit_id, GError **error)
{
  g_autoptr (PlumbAuditRecord) record = plumb_index_get_audit (self->index, audit_id, error);
  g_autoptr (PlumbApproved) approved = NULL;

  if (record == NULL)
    return -1;
  if (record->question == NULL || record->state != PLUMB_STATE_DONE) {
    g_set_error (error, PLUMB_ERROR, PLUMB_ERROR_INVALID_ARGUMENT,
                 "Record %" G_GINT64_FORMAT
                 " can't be approved: only a statement that ran and answered a question can.",
                 audit_id);
    return -1;
  }
  approved = plumb_approved_new (record->question, record->database, record->sql);
  approved->audit_id = audit_id;
  approved->tables = g_strdupv (record->tables);
  return plumb_index_approve (self->index, approved, error);
}

/** plumb_session_list_approved: Returns: (transfer full) (element-type PlumbApproved): approvals */
GPtrArray *
plumb_session_list_approved (PlumbSession *self, GError **error)
{
  return plumb_index_list_approved (self->index, error);
}

/** plumb_session_remove_approved: takes an approval back; Returns: whether it is gone */
gboolean
plumb_session_remove_approved (PlumbSession *self, gint64 id, GError **error)
{
  return plumb_index_remove_approved (self->index, id, error);
}
